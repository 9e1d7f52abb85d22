/*
 * Damaged levels: cut at every length, every bit flipped. What is read writes back the same bytes, repair mends it once and for all, and the
 * result has no error left that repair says it mends.
 */
#include "base/format.h"
#include "corpus.h"
#include "wwd/wwd_parts.h"
#include "wwd_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

struct outcome {
    size_t tried, read, exact, repaired, changed;
};

static const char *unmended(const lvl_findings *found)
{
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (f->def->repair && f->severity >= LVL_ERROR)
            return f->def->id;
    }
    return NULL;
}

/* False, and a line on stderr, for anything that must not be. */
static bool try_bytes(const uint8_t *data, size_t len, struct outcome *o, const char *what, size_t place)
{
    const lvl_format *format = lvl_format_find("wwd");
    lvl_doc *doc = NULL, *again = NULL;
    lvl_buffer same = {0}, mended = {0};
    lvl_findings *changes = lvl_findings_new(&ctx), *left = lvl_findings_new(&ctx);
    const char *wrong = NULL;

    o->tried++;
    lvl_status status = lvl_read(&doc, &ctx, format, (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL);
    if (status != LVL_OK) {
        wrong = status == LVL_ERR_FORMAT && len < LVL_WWD_HEADER_SIZE ? NULL : lvl_status_text(status);
        goto out;
    }
    o->read++;
    if (lvl_doc_write(doc, &same) != LVL_OK) {
        wrong = "can't be written";
        goto out;
    }
    if (same.len == len && !memcmp(same.data, data, len))
        o->exact++;
    else
        wrong = "not exact";
    status = lvl_repair(doc, NULL, changes, &mended);
    if (status != LVL_OK) {
        wrong = "repair fails";
        goto out;
    }
    o->repaired++;
    o->changed += lvl_findings_count(changes) != 0;
    if (lvl_read(&again, &ctx, format, (lvl_bytes){mended.data, mended.len}, NULL, LVL_READ_BORROW, left) !=
        LVL_OK) {
        wrong = "repaired to something unreadable";
        goto out;
    }
    const lvl_check_request request = {left, NULL};
    format->check(again, &request);
    if (unmended(left))
        wrong = unmended(left);
out:
    if (wrong)
        fprintf(stderr, "%s %zu: %s\n", what, place, wrong);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_buffer_free(&same);
    lvl_buffer_free(&mended);
    lvl_findings_free(changes);
    lvl_findings_free(left);
    return wrong == NULL;
}

static void cut_everywhere(const uint8_t *data, size_t len, size_t step, struct outcome *o)
{
    size_t bad = 0;

    for (size_t n = 0; n < len && bad < 10; n += step) {
        uint8_t *part = malloc(n ? n : 1);
        assert_non_null(part);
        memcpy(part, data, n);
        bad += !try_bytes(part, n, o, "cut to", n);
        free(part);
    }
    assert_int_equal(bad, 0);
}

static void flip_everywhere(uint8_t *data, size_t len, size_t step, struct outcome *o)
{
    size_t bad = 0;

    for (size_t bit = 0; bit < len * 8 && bad < 10; bit += step) {
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        bad += !try_bytes(data, len, o, "flipped bit", bit);
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_int_equal(bad, 0);
}

static void print(const char *what, const struct outcome *o)
{
    printf("%s: %zu tried, %zu read, %zu exact, %zu repaired, %zu of them changed\n", what, o->tried, o->read,
           o->exact, o->repaired, o->changed);
}

static void small_levels(void **state)
{
    struct outcome cut = {0}, flipped = {0};
    lvl_buffer bytes;

    (void)state;
    for (uint32_t flags = 1; flags <= 3; flags += 2) {
        assert_true(wwd_make_bytes(flags, &bytes));
        cut_everywhere(bytes.data, bytes.len, 1, &cut);
        flip_everywhere(bytes.data, bytes.len, 7, &flipped);
        lvl_buffer_free(&bytes);
    }
    print("small, cut", &cut);
    print("small, flipped", &flipped);
}

static void real_levels(void **state)
{
    const char *corpus = lvl_corpus_dir();
    struct outcome cut = {0}, flipped = {0};
    char folder[1024];
    lvl_paths paths;

    (void)state;
    if (!corpus)
        skip();
    snprintf(folder, sizeof folder, "%s/wwd/wwd", corpus);
    assert_true(lvl_paths_below(&paths, folder, "wwd"));
    for (size_t i = 0; i < paths.count; i += 40) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        cut_everywhere(data, len, len / 6 + 1, &cut);
        flip_everywhere(data, len, len * 8 / 6 + 1, &flipped);
        free(data);
    }
    lvl_paths_free(&paths);
    print("real, cut", &cut);
    print("real, flipped", &flipped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_levels),
        cmocka_unit_test(real_levels),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
