/*
 * All real levels: each is read, written byte for byte, and each bit has a span; the findings are counted.
 * Prints the time of parsing beside that of inflating alone.
 */
#include "base/format.h"
#include "codec/inflate.h"
#include "corpus.h"
#include "measure.h"
#include "growth.h"

#include <lvl/tools.h>
#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[1024];

/* Of the processor, so that what else the machine does counts little. */
static double now(void)
{
    return lvl_cpu_seconds();
}

static void every_level_is_exact(void **state)
{
    (void)state;
    assert_true(lvl_measure_exact(lvl_format_find("wwd"), folder, 0));
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
        lvl_doc *doc = NULL;
        assert_int_equal(
            lvl_read(&doc, &ctx, lvl_format_find("wwd"), (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL),
            LVL_OK);
        if (lvl_exact_by_dump(doc, (lvl_bytes){data, len}))
            exact++;
        else
            fprintf(stderr, "not exact through dump: %s\n", lvl_path_name(paths.items[i]));
        lvl_doc_free(doc);
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
    assert_int_equal(lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, in, out, size, &used, &got), LVL_OK);
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
    size_t files;

    (void)state;
    assert_true(lvl_count_findings(lvl_format_find("wwd"), folder, true, &files) != SIZE_MAX);
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
