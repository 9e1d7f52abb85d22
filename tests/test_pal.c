/*
 * test_pal.c: palettes: recognized by name and size only, colours, damage, and the real files byte for byte.
 */
#include "expect.h"
#include "measure.h"

#include "base/format.h"

#include <lvl/pal.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *pal_format;

static void fill(uint8_t *file, size_t len)
{
    for (size_t i = 0; i < len; i++)
        file[i] = (uint8_t)(i * 7);
}

static void test_probe(void **state)
{
    uint8_t file[768];
    const lvl_bytes bytes = {file, sizeof file};

    (void)state;
    fill(file, sizeof file);
    assert_ptr_equal(lvl_probe(bytes, bytes, 768, "Main.Pal", NULL), pal_format);
    assert_null(lvl_probe(bytes, bytes, 768, "main.dat", NULL));
    assert_null(lvl_probe(bytes, bytes, 768, NULL, NULL));
    assert_null(lvl_probe(bytes, bytes, 769, "main.pal", NULL));
}

static void test_read(void **state)
{
    uint8_t file[768];
    const lvl_bytes bytes = {file, sizeof file};
    lvl_palette palette;
    lvl_doc *doc;
    lvl_buffer out = {0};

    (void)state;
    fill(file, sizeof file);
    assert_int_equal(lvl_read(&doc, &ctx, pal_format, bytes, NULL, 0, NULL), LVL_OK);
    lvl_pal *pal = lvl_doc_root(doc);
    assert_int_equal(pal->color_count, 256);
    assert_int_equal(pal->colors[1].green, 28);
    assert_int_equal(pal_format->calls->to_palette(doc, &palette), LVL_OK);
    assert_memory_equal(palette.rgb, file, sizeof file);
    pal->colors[2].blue = 99;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    file[8] = 99;
    assert_int_equal(out.len, 768);
    assert_memory_equal(out.data, file, 768);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
}

static void test_hostile(void **state)
{
    uint8_t file[800];
    const lvl_bytes bytes = {file, sizeof file};
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_doc *doc;

    (void)state;
    fill(file, sizeof file);
    assert_true(lvl_survives_all(pal_format, bytes, 800));
    assert_int_equal(lvl_read(&doc, &ctx, pal_format, bytes, NULL, 0, findings), LVL_OK);
    assert_string_equal(lvl_findings_at(findings, 0)->def->id, "pal.size");
    lvl_doc_free(doc);
    lvl_findings_free(findings);
}

static void test_corpus(void **state)
{
    const lvl_measure m = lvl_expect_corpus_exact("wwd/assets", "pal");

    (void)state;
    assert_int_equal(m.errors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_corpus),
    };

    lvl_ctx_init(&ctx);
    pal_format = lvl_format_find("pal");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
