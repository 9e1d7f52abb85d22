/*
 * test_catalogue.c: catalogues by the public functions: words without a search before them, files that are
 * gone below roots, files that moved, and two scans at a time.
 */
#define _DEFAULT_SOURCE /* mkdtemp */

#include "catalogue/scan.h"
#include "mkdtemp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* NULL: built without SQLite. */
static lvl_catalogue *open_in_memory(void)
{
    lvl_catalogue *c = NULL;
    const lvl_status status = lvl_catalogue_open(&c, &ctx, "", LVL_CATALOGUE_MEMORY, NULL);

    if (status == LVL_ERR_UNSUPPORTED)
        return NULL;
    assert_int_equal(status, LVL_OK);
    return c;
}

/* Adds a foreign file. */
static void add_file(lvl_catalogue *c, const lvl_scan_file *file)
{
    lvl_scan_result result;
    lvl_buffer rows = {0};

    assert_int_equal(
        lvl_scan_read(c, &ctx, file, NULL, (lvl_bytes){(const uint8_t *)"text", 4}, NULL, &rows, &result),
        LVL_OK);
    assert_int_equal(lvl_scan_add(c, file, (lvl_bytes){rows.data, rows.len}), LVL_OK);
    lvl_buffer_free(&rows);
}

static void add(lvl_catalogue *c, const char *path)
{
    const lvl_scan_file file = {.path = path, .size = 4, .time = 1000000000};

    add_file(c, &file);
}

/* A member that has a time of its own is the same only in the same archive. */
static void members_of_archives(void **state)
{
    lvl_catalogue *c = open_in_memory();
    lvl_scan_file file = {.path = "a.tar//b", .archive = "a.tar", .size = 4, .time = 1000000000};

    (void)state;
    if (!c)
        skip();
    file.archive_size = 10240;
    file.archive_time = 1100000000;
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    add_file(c, &file);
    assert_int_equal(lvl_scan_end(c, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    assert_int_equal(lvl_scan_look(c, &file), LVL_SCAN_SAME);
    file.archive_time++;
    assert_int_equal(lvl_scan_look(c, &file), LVL_SCAN_TOUCHED);
    file.archive_time--;
    file.archive_size++;
    assert_int_equal(lvl_scan_look(c, &file), LVL_SCAN_TOUCHED);
    file.archive_time = INT64_MAX; /* it may still change */
    assert_int_equal(lvl_scan_look(c, &file), LVL_SCAN_TOUCHED);
    lvl_catalogue_close(c);
}

/* Times that no calendar has, as damaged archives give them to members. */
static void times_far_away(void **state)
{
    static const int64_t times[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX};
    lvl_catalogue *c = open_in_memory();

    (void)state;
    if (!c)
        skip();
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const lvl_scan_file file = {.path = "a.tar//b", .size = 4, .time = times[i]};
        add_file(c, &file);
        assert_int_equal(lvl_scan_keep(c, &file), LVL_OK);
    }
    assert_int_equal(lvl_scan_end(c, NULL, 0, NULL), LVL_OK);
    lvl_catalogue_close(c);
}

static bool count_word(void *user, const lvl_catalogue_value *values, size_t count)
{
    assert_int_equal(count, 2);
    *(size_t *)user += values[0].text.len == 4 && memcmp(values[0].text.ptr, "hill", 4) == 0;
    return true;
}

static void words_of_memory(void **state)
{
    lvl_catalogue *c = open_in_memory();
    size_t found = 0;

    (void)state;
    if (!c)
        skip();
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    add(c, "a/hill.txt");
    assert_int_equal(lvl_scan_end(c, NULL, 0, NULL), LVL_OK);
    for (unsigned again = 0; again < 2; again++)
        assert_int_equal(lvl_catalogue_words(c, count_word, &found), LVL_OK);
    assert_int_equal(found, 2);
    /* and it can still be filled */
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    add(c, "b/hill.txt");
    assert_int_equal(lvl_scan_end(c, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_catalogue_words(c, count_word, &found), LVL_OK);
    assert_int_equal(found, 4);
    lvl_catalogue_close(c);
}

static void files_below_the_root(void **state)
{
    static const char *const roots[] = {"/"};
    lvl_scan_totals totals;

    (void)state;
    lvl_catalogue *c = open_in_memory();
    if (!c)
        skip();
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    add(c, "/a/one.txt");
    add(c, "/two.txt");
    add(c, "three.txt"); /* below another folder */
    assert_int_equal(lvl_scan_end(c, roots, 1, &totals), LVL_OK);
    assert_int_equal(totals.removed, 0);
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    assert_int_equal(lvl_scan_end(c, roots, 1, &totals), LVL_OK);
    assert_int_equal(totals.removed, 2);
    assert_int_equal(totals.files, 1);
    lvl_catalogue_close(c);
}

/* A root is a whole part of a path, and as the catalogue spells it. */
static void files_below_roots(void **state)
{
    static const char *const paths[] = {"a/b/one.txt", "a/bc/two.txt",     "a/b.zip//in/three.txt",
                                        "d/four.txt",  "../../e/five.txt", "bad\xFF/six.txt",
                                        "seven.txt"};
    static const struct {
        const char *root;
        uint64_t removed;
    } cases[] = {{"a/b", 1},         {"a/b/", 1},  {"a", 3},       {"a/b.zip", 1},
                 {"a/b.zip//in", 1}, {"..", 0},    {"../../e", 1}, {"bad\xFF//", 1},
                 {"seven.txt", 1},   {"seven", 0}, {"/", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const roots[] = {"nowhere", cases[i].root, "nothing/"};
        lvl_catalogue *c = open_in_memory();
        lvl_scan_totals totals;
        if (!c)
            skip();
        assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
        for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
            add(c, paths[k]);
        assert_int_equal(lvl_scan_end(c, roots, 3, &totals), LVL_OK);
        assert_int_equal(totals.removed, 0);
        assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
        assert_int_equal(lvl_scan_end(c, roots, 3, &totals), LVL_OK);
        assert_int_equal(totals.removed, cases[i].removed);
        assert_int_equal(totals.files, sizeof paths / sizeof *paths - cases[i].removed);
        lvl_catalogue_close(c);
    }
}

/* A scan in which many files only have another time lets others write before its end. */
static void others_write_between(void **state)
{
    char folder[200], path[240];
    lvl_catalogue *c = NULL, *other = NULL;
    lvl_scan_file file = {.path = "a.txt", .size = 4};

    (void)state;
    if (!lvl_catalogue_supported())
        skip();
    snprintf(folder, sizeof folder, "%s/lvl-catalogue-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/levels.db", folder);
    assert_int_equal(lvl_catalogue_open(&c, &ctx, path, LVL_CATALOGUE_WRITE, NULL), LVL_OK);
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    add(c, file.path);
    assert_int_equal(lvl_scan_end(c, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
    for (unsigned i = 0; i < 20000; i++) {
        file.time = 1000000001 + i;
        assert_int_equal(lvl_scan_keep(c, &file), LVL_OK);
    }
    assert_int_equal(lvl_catalogue_open(&other, &ctx, path, LVL_CATALOGUE_WRITE, NULL), LVL_OK);
    assert_int_equal(lvl_scan_begin(other, 0), LVL_OK);
    add(other, "b.txt");
    assert_int_equal(lvl_scan_end(other, NULL, 0, NULL), LVL_OK);
    lvl_catalogue_close(other);
    assert_int_equal(lvl_scan_end(c, NULL, 0, NULL), LVL_OK);
    lvl_catalogue_close(c);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static bool count_moved(void *user, const lvl_catalogue_value *values, size_t count)
{
    assert_int_equal(count, 3);
    *(size_t *)user += values[0].text.len == 5 && memcmp(values[0].text.ptr, "moved", 5) == 0;
    return true;
}

/* What a second scan lists takes steps in proportion to the files, not to their square. */
static void many_files_move(void **state)
{
    enum { FILES = 2000, STEPS = 10000000 };
    static const char *const roots[] = {"a", "b"};
    lvl_catalogue *c = open_in_memory();
    lvl_scan_totals totals;
    size_t moved = 0;
    char path[32];

    (void)state;
    if (!c)
        skip();
    for (unsigned scan = 0; scan < 2; scan++) {
        assert_int_equal(lvl_scan_begin(c, 0), LVL_OK);
        for (unsigned i = 0; i < FILES; i++) {
            snprintf(path, sizeof path, "%s/%u", roots[scan], i);
            add(c, path);
        }
        assert_int_equal(lvl_scan_end(c, roots, 2, &totals), LVL_OK);
    }
    assert_int_equal(totals.removed, FILES);
    ctx.limits.work = STEPS;
    const lvl_status status = lvl_scan_changes(c, count_moved, &moved);
    ctx.limits.work = 0;
    assert_int_equal(status, LVL_OK);
    assert_int_equal(moved, FILES);
    lvl_catalogue_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_memory),   cmocka_unit_test(members_of_archives),
        cmocka_unit_test(times_far_away),    cmocka_unit_test(files_below_the_root),
        cmocka_unit_test(files_below_roots), cmocka_unit_test(others_write_between),
        cmocka_unit_test(many_files_move),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
