/*
 * test_container.c: paths, and folders on disk as containers. Archives are in test_rez.c.
 */
#ifndef _WIN32
#define _XOPEN_SOURCE 700
#endif

#include "os/file.h"
#include "base/text.h"
#include "container/container.h"
#include "mkdtemp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static lvl_ctx ctx;
static char root[256];

static void save(const char *path, const char *text)
{
    const lvl_bytes bytes = {(const uint8_t *)text, strlen(text)};
    char full[512];

    snprintf(full, sizeof full, "%s/%s", root, path);
    assert_int_equal(lvl_file_save(full, bytes, LVL_SAVE_REPLACE, NULL), LVL_OK);
}

static void make(const char *path)
{
    char full[512];

    snprintf(full, sizeof full, "%s/%s", root, path);
    assert_int_equal(lvl_folder_make(full, NULL), LVL_OK);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "%s/lvl-container-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(root))
        return -1;
    make("Level1/Tiles/Action");
    make("Level1-x");
    save("Level1/Tiles/Action/012.PID", "twelve");
    save("Level1/Tiles/Action/002.pid", "two");
    save("Level1/readme.txt", "hello");
    save("Level1-x/a", "");
    save("z", "zz");
    return 0;
}

static void remove_below(const char *path)
{
    lvl_file_list names = {NULL, 0, 0};
    char full[512];

    if (lvl_folder_list(&names, path, NULL) == LVL_OK) {
        for (size_t i = 0; i < names.count; i++) {
            snprintf(full, sizeof full, "%s/%s", path, names.names[i]);
            if (unlink(full) != 0)
                remove_below(full);
        }
    }
    lvl_file_list_free(&names);
    rmdir(path);
}

static int tear_down(void **state)
{
    (void)state;
    remove_below(root);
    return 0;
}

static void test_paths(void **state)
{
    (void)state;
    assert_int_equal(lvl_path_compare("a/B", "A\\b"), 0);
    assert_true(lvl_path_compare("a/z", "a-b") < 0); /* a folder's content follows it at once */
    assert_true(lvl_path_compare("a", "a/z") < 0);
    assert_true(lvl_path_compare("b", "a") > 0);
    static const char *const safe[] = {"a", "a/b.c", "console", "comma", "a..b", ".a", "com", "com12"};
    static const char *const unsafe[] = {"",        "/a",   "a/",     "a//b",  "..",   "a/../b",
                                         "./a",     "a.",   "a ",     "c:",    "a:b",  "con",
                                         "CON.txt", "com1", "lpt9.x", "a/nul", "a\nb", "a\\..\\b"};
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++) {
        if (!lvl_path_safe(safe[i]))
            fail_msg("%s should be safe", safe[i]);
    }
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++) {
        if (lvl_path_safe(unsafe[i]))
            fail_msg("%s should be unsafe", unsafe[i]);
    }
}

struct names {
    char text[512];
    size_t most;
};

static bool note(void *user, const lvl_entry *entry)
{
    struct names *n = user;

    size_t used = strlen(n->text);

    snprintf(n->text + used, sizeof n->text - used, "%s%s", entry->path, entry->is_dir ? "/ " : " ");
    return n->most == 0 || --n->most > 0;
}

static void assert_listed(const lvl_container *c, const char *dir, bool deep, const char *expected)
{
    struct names n = {"", 0};

    lvl_container_list(c, dir, deep, note, &n);
    assert_string_equal(n.text, expected);
}

static void test_folder(void **state)
{
    lvl_container *c;
    lvl_buffer storage = {0};
    lvl_bytes view;

    (void)state;
    assert_int_equal(lvl_container_folder(&ctx, root, &c), LVL_OK);
    const lvl_entry *entry = lvl_container_find(c, "LEVEL1\\tiles/action/012.pid");
    assert_non_null(entry);
    assert_string_equal(entry->path, "Level1/Tiles/Action/012.PID");
    assert_int_equal(entry->size, 6);
    assert_true(entry->time > 1000000000);
    assert_int_equal(lvl_container_read(c, entry, &view, &storage, NULL), LVL_OK);
    assert_int_equal(view.len, 6);
    assert_memory_equal(view.ptr, "twelve", 6);
    assert_int_equal(lvl_container_read(c, lvl_container_find(c, "level1"), &view, &storage, NULL),
                     LVL_ERR_ARG);
    assert_null(lvl_container_find(c, "level1/tiles/action/013.pid"));
    assert_null(lvl_container_find(c, "z/z"));
    assert_null(lvl_container_find(c, ""));
    assert_null(lvl_container_find(c, "../z"));
    assert_listed(c, "level1", false, "Level1/readme.txt Level1/Tiles/ ");
    assert_listed(c, "level1/tiles", true,
                  "Level1/Tiles/Action/ Level1/Tiles/Action/002.pid Level1/Tiles/Action/012.PID ");
    assert_listed(c, "", false, "Level1/ Level1-x/ z ");
    assert_listed(c, "none", true, "");
    assert_int_equal(lvl_container_count(c), 9);
    assert_string_equal(lvl_container_at(c, 0)->path, "Level1");
    assert_null(lvl_container_at(c, 9));
    const lvl_bytes nothing = {NULL, 0};
    assert_int_equal(lvl_container_put(c, "x", nothing, 0), LVL_ERR_UNSUPPORTED);
    lvl_container_close(c);
    lvl_buffer_free(&storage);
    char missing[300];
    snprintf(missing, sizeof missing, "%s/none", root);
    assert_int_equal(lvl_container_folder(&ctx, missing, &c), LVL_ERR_MISSING);
    assert_null(c);
}

#ifndef _WIN32
/* A link up doesn't make the walk endless. */
static void test_loop(void **state)
{
    lvl_container *c;
    char link[300];

    (void)state;
    snprintf(link, sizeof link, "%s/Level1/Tiles/up", root);
    assert_int_equal(symlink("..", link), 0);
    assert_int_equal(lvl_container_folder(&ctx, root, &c), LVL_OK);
    assert_int_equal(lvl_container_count(c), 10); /* the link itself, with nothing in it */
    lvl_container_close(c);
    assert_int_equal(unlink(link), 0);
}
#endif

/* The same order and results for an archive of the same files. */
static void test_same_face(void **state)
{
    const lvl_bytes two = {(const uint8_t *)"two", 3};
    const lvl_pack_item items[] = {
        {"Level1/Tiles/Action/002.PID", two, 0, false}, {"Level1-X/A", two, 0, false}, {"Z", two, 0, false}};
    const lvl_format *format = lvl_format_find("rez");
    lvl_container *c;
    lvl_doc *doc;

    (void)state;
    assert_int_equal(lvl_container_pack(&doc, &ctx, format, items, 3), LVL_OK);
    assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
    assert_listed(c, "", false, "LEVEL1/ LEVEL1-X/ Z ");
    assert_listed(c, "level1", true, "LEVEL1/TILES/ LEVEL1/TILES/ACTION/ LEVEL1/TILES/ACTION/002.PID ");
    assert_listed(c, "LEVEL1/tiles", false, "LEVEL1/TILES/ACTION/ ");
    assert_listed(c, "LEVEL", true, "");
    struct names n = {"", 2};
    lvl_container_list(c, "", true, note, &n);
    assert_string_equal(n.text, "LEVEL1/ LEVEL1/TILES/ ");
    lvl_container_close(c);
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_folder),
#ifndef _WIN32
        cmocka_unit_test(test_loop),
#endif
        cmocka_unit_test(test_same_face),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
