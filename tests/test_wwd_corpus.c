/*
 * All real levels: each is read, written byte for byte, and told of to the last bit; what is found in them, counted by finding. The time of parsing
 * is shown beside that of inflating alone.
 */
#include "base/format.h"
#include "codec/inflate.h"
#include "corpus.h"
#include "measure.h"

#include <lvl/tools.h>
#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static char folder[1024];

/* Of the processor, so that what else the machine does counts little. */
static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void every_level_is_exact(void **state)
{
    lvl_measure m = {0};

    (void)state;
    assert_true(lvl_measure_folder(&m, lvl_format_find("wwd"), folder, NULL));
    printf("%zu levels, %zu exact, %llu bytes kept, %llu bits residue, %llu bits claimed twice\n", m.files,
           m.exact, (unsigned long long)m.kept, (unsigned long long)m.residue_bits,
           (unsigned long long)m.overlap_bits);
    assert_true(m.files > 0);
    assert_int_equal(m.exact, m.files);
    assert_int_equal(m.residue_bits, 0);
    assert_int_equal(m.overlap_bits, 0);
}

/* Dumped, undumped and written: the same bytes again. */
static bool exact_through_dump(const lvl_ctx *ctx, const uint8_t *data, size_t len)
{
    lvl_doc *doc = NULL, *again = NULL;
    lvl_buffer json = {0}, out = {0};

    bool fine = lvl_read(&doc, ctx, lvl_format_find("wwd"), (lvl_bytes){data, len}, NULL, LVL_READ_BORROW,
                         NULL) == LVL_OK &&
                lvl_dump(doc, NULL, &json, NULL) == LVL_OK &&
                lvl_undump(&again, ctx, (lvl_text){(const char *)json.data, json.len}, NULL) == LVL_OK &&
                lvl_doc_write(again, &out) == LVL_OK && out.len == len && memcmp(out.data, data, len) == 0;
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_buffer_free(&json);
    lvl_buffer_free(&out);
    return fine;
}

static void dumps_are_exact(void **state)
{
    size_t exact = 0, step = 6, tried = 0;
    lvl_paths paths;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_true(lvl_paths_below(&paths, folder, NULL));
    if (getenv("LVL_ALL"))
        step = 1;
    for (size_t i = 0; i < paths.count; i += step) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        tried++;
        if (exact_through_dump(&ctx, data, len))
            exact++;
        else
            fprintf(stderr, "not exact through dump: %s\n", lvl_path_name(paths.items[i]));
        free(data);
    }
    printf("%zu of %zu levels exact through dump\n", exact, tried);
    assert_int_equal(exact, tried);
    lvl_paths_free(&paths);
}

/* Inflates the main block into fresh memory and drops it. */
static void inflate_alone(const uint8_t *data, size_t len)
{
    uint32_t size = (uint32_t)data[0x2E8] | (uint32_t)data[0x2E9] << 8 | (uint32_t)data[0x2EA] << 16 |
                    (uint32_t)data[0x2EB] << 24;
    const lvl_bytes in = {data + LVL_WWD_HEADER_SIZE, len - LVL_WWD_HEADER_SIZE};
    size_t used, got;

    if (!size)
        return;
    uint8_t *out = malloc(size);
    assert_non_null(out);
    assert_int_equal(lvl_inflate_zlib(in, out, size, &used, &got), LVL_OK);
    free(out);
}

static void parsing_keeps_up_with_inflating(void **state)
{
    lvl_paths paths;
    lvl_ctx ctx;
    double inflating = 0, parsing = 0;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_true(lvl_paths_below(&paths, folder, NULL));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        lvl_doc *doc;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        inflate_alone(data, len); /* warms up what both then use */
        double a = now();
        inflate_alone(data, len);
        double b = now();
        assert_int_equal(
            lvl_read(&doc, &ctx, lvl_format_find("wwd"), (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL),
            LVL_OK);
        lvl_doc_free(doc);
        double c = now();
        inflating += b - a;
        parsing += c - b;
        free(data);
    }
    printf("inflating alone %.1f ms, parsing %.1f ms: %.2f times\n", inflating * 1e3, parsing * 1e3,
           parsing / inflating);
    lvl_paths_free(&paths);
}

static void findings_are_counted(void **state)
{
    size_t counts[128] = {0}, files[128] = {0}, n, errors = 0;
    const lvl_format *format = lvl_format_find("wwd");
    const lvl_finding_def *defs = lvl_format_findings(format, &n);
    lvl_paths paths;
    lvl_ctx ctx;

    (void)state;
    assert_true(n < 128);
    lvl_ctx_init(&ctx);
    assert_true(lvl_paths_below(&paths, folder, NULL));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len, last[128] = {0};
        lvl_doc *doc;
        lvl_findings *found = lvl_findings_new(&ctx);
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        assert_int_equal(lvl_read(&doc, &ctx, format, (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, found),
                         LVL_OK);
        if (format->check) {
            const lvl_check_request request = {found, NULL};
            assert_int_equal(format->check(doc, &request), LVL_OK);
        }
        for (size_t k = 0; k < lvl_findings_count(found); k++) {
            size_t id = (size_t)(lvl_findings_at(found, k)->def - defs);
            assert_true(id < n);
            counts[id]++;
            last[id] = 1;
        }
        for (size_t k = 0; k < n; k++)
            files[k] += last[k];
        if (lvl_findings_worst(found) >= LVL_ERROR) {
            errors++;
            fprintf(stderr, "error in %s\n", lvl_path_name(paths.items[i]));
        }
        lvl_findings_free(found);
        lvl_doc_free(doc);
        free(data);
    }
    for (size_t k = 0; k < n; k++) {
        if (counts[k])
            printf("%6zu in %3zu levels  %-8s %s\n", counts[k], files[k],
                   lvl_severity_name(defs[k].severity[LVL_PROFILE_GAME]), defs[k].id);
    }
    printf("%zu of %zu levels with errors\n", errors, paths.count);
    lvl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_is_exact),
        cmocka_unit_test(dumps_are_exact),
        cmocka_unit_test(parsing_keeps_up_with_inflating),
        cmocka_unit_test(findings_are_counted),
    };
    const char *corpus = lvl_corpus_dir();

    if (!corpus)
        return 77;
    snprintf(folder, sizeof folder, "%s/wwd/wwd", corpus);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
