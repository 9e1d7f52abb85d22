/*
 * test_pid.c: PID sprites: both encodings, both spellings, pictures, damage, and every real file byte for
 * byte.
 */
#include "expect.h"
#include "measure.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/format.h"
#include "wap32/art/pid_runs.h"

#include <lvl/lvl.h>
#include <lvl/pid.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *pid_format;

static size_t make(uint8_t *out, uint32_t flags, uint32_t w, uint32_t h, const uint8_t *runs, size_t len)
{
    memset(out, 0, 32);
    lvl_store_u32le(out, 10);
    lvl_store_u32le(out + 4, flags);
    lvl_store_u32le(out + 8, w);
    lvl_store_u32le(out + 12, h);
    lvl_store_u32le(out + 16, (uint32_t)-3);
    if (len)
        memcpy(out + 32, runs, len);
    return 32 + len;
}

static lvl_doc *read_pid(const uint8_t *data, size_t len, lvl_findings *findings)
{
    const lvl_bytes bytes = {data, len};
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, pid_format, bytes, NULL, 0, findings), LVL_OK);
    return doc;
}

static void test_grammar_a(void **state)
{
    static const uint8_t runs[] = {0xC3, 0x05, 0xC1, 0xC7, 0x09, 0x0A, 0xC2, 0x00, 0x0C};
    uint8_t file[64];
    size_t len = make(file, LVL_PID_TRANSPARENT, 4, 2, runs, sizeof runs);

    (void)state;
    lvl_doc *doc = read_pid(file, len, NULL);
    const lvl_pid *pid = lvl_doc_croot(doc);
    static const uint8_t pixels[] = {5, 5, 5, 0xC7, 9, 10, 0, 0};
    assert_int_equal(pid->pixels.size, 1);
    assert_memory_equal(pid->pixels.ptr, pixels, sizeof pixels);
    assert_int_equal(pid->offset_x, -3);
    assert_int_equal(pid->rest.len, 1);
    assert_int_equal(lvl_kept_bytes(doc), 0);
    lvl_expect_written(doc, (lvl_bytes){file, len});

    lvl_image image;
    assert_int_equal(pid_format->calls->to_image(doc, NULL, &image), LVL_OK);
    assert_int_equal(image.mask[0], 255);
    assert_int_equal(image.mask[6], 0);
    assert_int_equal(image.offset_x, -3);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

static void test_eager_spelling(void **state)
{
    static const uint8_t runs[] = {0xC1, 0x7E, 0x3F, 0xC1, 0x40, 0xC1, 0xC0};
    uint8_t file[64];
    size_t len = make(file, 0, 4, 1, runs, sizeof runs);

    (void)state;
    lvl_doc *doc = read_pid(file, len, NULL);
    const lvl_pid *pid = lvl_doc_croot(doc);
    assert_int_equal(pid->spelling, LVL_PID_EAGER);
    assert_int_equal(lvl_kept_bytes(doc), 0);
    lvl_expect_written(doc, (lvl_bytes){file, len});
    lvl_doc_free(doc);
}

static void test_grammar_b(void **state)
{
    static const uint8_t runs[] = {0x82, 0x02, 0x00, 0xFF, 0x04, 1, 2, 3, 4};
    uint8_t file[64];
    size_t len = make(file, LVL_PID_SKIP_RUNS | LVL_PID_SYSTEM_MEMORY, 4, 2, runs, sizeof runs);

    (void)state;
    lvl_doc *doc = read_pid(file, len, NULL);
    const lvl_pid *pid = lvl_doc_croot(doc);
    assert_int_equal(lvl_cell(&pid->pixels, 1, 0), LVL_PID_SKIPPED);
    assert_int_equal(lvl_cell(&pid->pixels, 2, 0), 0);
    assert_int_equal(lvl_cell(&pid->pixels, 3, 0), 255);
    lvl_expect_written(doc, (lvl_bytes){file, len});
    lvl_image image;
    assert_int_equal(pid_format->calls->to_image(doc, NULL, &image), LVL_OK);
    assert_int_equal(image.mask[0], 0);
    assert_int_equal(image.mask[2], 255);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

/* A check that does not ask for the bytes of spelling finds the same, and does not encode the pixels. */
static void test_check_without_kept(void **state)
{
    static const uint8_t runs[] = {0xC1, 5, 0xC1, 5, 0xC2, 5};
    const lvl_check_options options = {.no_kept = 1};
    uint8_t file[64];
    const lvl_bytes bytes = {file, make(file, 0, 4, 1, runs, sizeof runs)};
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_check_result all, some;
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(lvl_check(&ctx, pid_format, bytes, NULL, NULL, findings, &all, NULL), LVL_OK);
    const size_t count = lvl_findings_count(findings);
    lvl_findings_clear(findings);
    assert_int_equal(lvl_check(&ctx, pid_format, bytes, NULL, &options, findings, &some, &doc), LVL_OK);
    assert_int_equal(lvl_findings_count(findings), count);
    assert_int_equal(all.kept, sizeof runs);
    assert_int_equal(some.kept, 0);
    assert_int_equal(some.verdict, all.verdict);
    assert_int_equal(some.residue, all.residue);
    assert_true(lvl_doc_croot(doc) && ((const lvl_pid *)lvl_doc_croot(doc))->encoded.len == sizeof runs);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
}

/* Unusual encodings are kept while they give the pixels, and dropped when these change. */
static void test_kept(void **state)
{
    static const uint8_t runs[] = {0xC1, 5, 0xC1, 5, 0xC2, 5};
    uint8_t file[64], expected[64];
    size_t len = make(file, 0, 4, 1, runs, sizeof runs);

    (void)state;
    lvl_doc *doc = read_pid(file, len, NULL);
    lvl_pid *pid = lvl_doc_root(doc);
    assert_int_equal(lvl_kept_bytes(doc), sizeof runs);
    lvl_expect_written(doc, (lvl_bytes){file, len});
    uint8_t *pixels = lvl_cells_edit(doc, pid, lvl_table_at(&lvl_pid_table, offsetof(lvl_pid, pixels)));
    assert_non_null(pixels);
    pixels[3] = 6;
    static const uint8_t anew[] = {0xC3, 5, 6};
    len = make(expected, 0, 4, 1, anew, sizeof anew);
    assert_int_equal(lvl_kept_bytes(doc), 0);
    lvl_expect_written(doc, (lvl_bytes){expected, len});
    lvl_doc_free(doc);
}

/* What is only shown has the same pixels, and is written as it was read. */
static void test_show(void **state)
{
    static const uint8_t runs[] = {0xC3, 0x05, 0xC1, 0xC7, 0x09, 0x0A, 0xC2, 0x00};
    static const uint8_t pixels[] = {5, 5, 5, 0xC7, 9, 10, 0, 0};
    uint8_t file[64];
    const lvl_bytes bytes = {file, make(file, LVL_PID_TRANSPARENT, 4, 2, runs, sizeof runs)};
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(lvl_read(&doc, &ctx, pid_format, bytes, NULL, LVL_READ_SHOW, NULL), LVL_OK);
    const lvl_pid *pid = lvl_doc_croot(doc);
    assert_memory_equal(pid->pixels.ptr, pixels, sizeof pixels);
    assert_int_equal(pid->encoded.len, sizeof runs); /* the encoding was not analysed */
    lvl_expect_written(doc, (lvl_bytes){file, bytes.len});
    lvl_doc_free(doc);
    doc = read_pid(file, bytes.len, NULL);
    pid = lvl_doc_croot(doc);
    assert_int_equal(pid->encoded.len, 0);
    lvl_doc_free(doc);
}

static void check_damage(uint32_t flags, uint32_t w, uint32_t h, const uint8_t *runs, size_t n,
                         const char *id, size_t repaired)
{
    uint8_t file[64];
    size_t len = make(file, flags, w, h, runs, n);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_findings *log = lvl_findings_new(&ctx);
    lvl_repairs repairs = {.log = log};

    lvl_doc *doc = read_pid(file, len, findings);
    if (!lvl_count_id(findings, id))
        fail_msg("no %s", id);
    lvl_expect_written(doc, (lvl_bytes){file, len});
    assert_int_equal(pid_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_findings_count(log), repaired);
    lvl_findings_clear(findings);
    if (repaired) {
        lvl_buffer out = {0};
        assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
        lvl_doc *again = read_pid(out.data, out.len, findings);
        assert_int_equal(lvl_findings_worst(findings), LVL_NONE);
        lvl_doc_free(again);
        lvl_buffer_free(&out);
    }
    lvl_doc_free(doc);
    lvl_findings_free(log);
    lvl_findings_free(findings);
}

static void test_damage(void **state)
{
    static const uint8_t empty[] = {0xC0, 5, 0xC4, 5}, row[] = {0xC5, 5, 0xC3, 6}, over[] = {0xC5, 5},
                         cut[] = {0xC2, 5, 0xC1}, rest[] = {0xC4, 5, 1, 2, 3}, cut_b[] = {4, 1, 2};

    (void)state;
    check_damage(0, 4, 1, empty, sizeof empty, "pid.run.empty", 1);
    check_damage(0, 4, 2, row, sizeof row, "pid.run.row", 1);
    check_damage(0, 4, 1, over, sizeof over, "pid.run.over", 1);
    check_damage(0, 4, 1, cut, sizeof cut, "pid.pixels.cut", 1);
    check_damage(LVL_PID_SKIP_RUNS, 4, 1, cut_b, sizeof cut_b, "pid.pixels.cut", 1);
    check_damage(0, 4, 2, NULL, 0, "pid.pixels.cut", 1);
    check_damage(LVL_PID_SKIP_RUNS, 4, 2, NULL, 0, "pid.pixels.cut", 1);
    check_damage(0, 4, 1, rest, sizeof rest, "pid.rest", 0);
    check_damage(0, 0, 1, rest, sizeof rest, "pid.size.invalid", 0);
    check_damage(0, (uint32_t)-4, 7, rest, sizeof rest, "pid.size.invalid", 0);
    check_damage(0, 0x7FFFFFFF, 0x7FFFFFFF, rest, sizeof rest, "pid.size.implausible", 0);
    check_damage(0, 60000, 60000, rest, sizeof rest, "pid.size.implausible", 0);
    check_damage(LVL_PID_PALETTE, 4, 1, row, 2, "pid.palette.short", 2);
    static const uint8_t short_file[31] = {10};
    lvl_doc *doc;
    const lvl_bytes bytes = {short_file, sizeof short_file};
    assert_int_equal(lvl_read(&doc, &ctx, pid_format, bytes, NULL, 0, NULL), LVL_ERR_FORMAT);
}

/* A wrong width or height: the runs, which end at the ends of rows, have the size. */
static void test_wrong_size(void **state)
{
    enum { WIDTH = 12, HEIGHT = 6 };
    static const int32_t sizes[][2] = {
        {0, HEIGHT},     {-1, HEIGHT},        {11, HEIGHT}, {13, HEIGHT},     {25, HEIGHT},
        {0x50C, HEIGHT}, {INT32_MAX, HEIGHT}, {WIDTH, 0},   {WIDTH, -HEIGHT}, {WIDTH, INT32_MAX},
    };
    uint8_t runs[2][HEIGHT * 8], file[32 + sizeof runs[0] + 1];
    const uint32_t flags[] = {0, LVL_PID_SKIP_RUNS};

    (void)state;
    for (int y = 0; y < HEIGHT; y++) {
        const uint8_t row = (uint8_t)y;
        const uint8_t plain[] = {0xC5, 7, row, 0xC4, 9, 3, 0xC1, 0xF0},
                      skip[] = {0x85, 3, row, 2, 3, 0x83, 1, row};
        memcpy(runs[0] + y * 8, plain, 8);
        memcpy(runs[1] + y * 8, skip, 8);
    }
    for (size_t i = 0; i < 4 * (sizeof sizes / sizeof sizes[0]); i++) {
        const int32_t *size = sizes[i / 4];
        lvl_findings *findings = lvl_findings_new(&ctx), *log = lvl_findings_new(&ctx);
        lvl_buffer out = {0};
        size_t len = make(file, flags[i & 1], WIDTH, HEIGHT, runs[i & 1], sizeof runs[0]);
        if (i & 2)
            file[len++] = 0x0C; /* as many real files have it */
        uint8_t right[sizeof file];
        memcpy(right, file, len);
        lvl_doc *doc = read_pid(file, len, findings);
        assert_int_equal(lvl_findings_worst(findings), LVL_NONE);
        lvl_doc_free(doc);
        lvl_store_u32le(file + 8, (uint32_t)size[0]);
        lvl_store_u32le(file + 12, (uint32_t)size[1]);
        doc = read_pid(file, len, findings);
        assert_int_equal(lvl_findings_worst(findings), LVL_ERROR);
        assert_int_equal(
            lvl_count_id(findings, "pid.size.wrong") + lvl_count_id(findings, "lvl.file.header") > 0, true);
        lvl_expect_written(doc, (lvl_bytes){file, len});
        assert_int_equal(lvl_repair(doc, NULL, log, &out), LVL_OK);
        assert_int_equal(out.len, len);
        assert_memory_equal(out.data, right, len);
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
        lvl_findings_free(findings);
        lvl_findings_free(log);
    }
}

/* A size that the runs do not tell is not changed: they fit the declared width, or no width. */
static void test_size_unknown(void **state)
{
    static const uint8_t rows[] = {0xCC, 1, 0xCC, 2, 0xCC, 3, 0xCC, 4},
                         odd[] = {0xC7, 1, 0xCB, 2, 0xC9, 3, 0xCF, 4};
    static const struct {
        const uint8_t *runs;
        uint32_t width, height;
    } made[] = {{rows, 12, 6}, {rows, 12, 3}, {rows, 24, 4}, {odd, 11, 4}, {rows, 17, 3}};
    uint8_t file[64];

    (void)state;
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        const size_t len = make(file, 0, made[i].width, made[i].height, made[i].runs, sizeof rows);
        lvl_doc_free(read_pid(file, len, findings));
        assert_int_equal(lvl_count_id(findings, "pid.size.wrong"), 0);
        assert_true(lvl_findings_count(findings) > 0);
        lvl_findings_free(findings);
    }
}

static void test_from_image(void **state)
{
    lvl_image image, back;
    lvl_doc *doc;
    lvl_buffer out = {0};

    (void)state;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 20, 10, false), LVL_OK);
    for (unsigned i = 0; i < 200; i++) {
        uint8_t rgba[4] = {(uint8_t)(i % 20 * 12), (uint8_t)(i / 20 * 25), 7, (uint8_t)(i % 7 ? 255 : 0)};
        memcpy(image.pixels + (size_t)i * 4, rgba, 4);
    }
    image.offset_y = -9;
    assert_int_equal(lvl_doc_new(&doc, &ctx, pid_format), LVL_OK);
    assert_int_equal(pid_format->calls->draw(doc, &image, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc_free(doc);
    doc = read_pid(out.data, out.len, NULL);
    const lvl_pid *pid = lvl_doc_croot(doc);
    assert_int_equal(pid->flags, LVL_PID_SKIP_RUNS | LVL_PID_SYSTEM_MEMORY | LVL_PID_PALETTE);
    assert_int_equal(pid->offset_y, -9);
    /* at most 255 different colours: all exact */
    assert_int_equal(pid_format->calls->to_image(doc, NULL, &back), LVL_OK);
    for (unsigned i = 0; i < 200; i++) {
        assert_int_equal(back.mask[i], image.pixels[i * 4 + 3]);
        if (back.mask[i])
            assert_memory_equal(back.palette->rgb[back.pixels[i]], image.pixels + (size_t)i * 4, 3);
    }
    /* and back again, as indices */
    lvl_doc *copy;
    assert_int_equal(lvl_doc_new(&copy, &ctx, pid_format), LVL_OK);
    assert_int_equal(pid_format->calls->draw(copy, &back, NULL, NULL), LVL_OK);
    lvl_expect_written(copy, lvl_bytes_in(&out));
    lvl_doc_free(copy);
    lvl_doc_free(doc);
    lvl_image_clear(&back);
    lvl_image_clear(&image);
    lvl_buffer_free(&out);
}

/* More colours than a palette holds: near ones are taken. */
static void test_quantize(void **state)
{
    lvl_image image, back;
    lvl_doc *doc;

    (void)state;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 64, 64, false), LVL_OK);
    for (unsigned i = 0; i < 64 * 64; i++) {
        uint8_t rgba[4] = {(uint8_t)(i % 64 * 4), (uint8_t)(i / 64 * 4), (uint8_t)(i % 61 * 4), 255};
        memcpy(image.pixels + (size_t)i * 4, rgba, 4);
    }
    assert_int_equal(lvl_doc_new(&doc, &ctx, pid_format), LVL_OK);
    assert_int_equal(pid_format->calls->draw(doc, &image, NULL, NULL), LVL_OK);
    assert_int_equal(((const lvl_pid *)lvl_doc_croot(doc))->flags, LVL_PID_PALETTE);
    assert_int_equal(pid_format->calls->to_image(doc, NULL, &back), LVL_OK);
    assert_null(back.mask);
    uint64_t error = 0;
    for (size_t i = 0; i < (size_t)64 * 64; i++) {
        for (unsigned c = 0; c < 3; c++) {
            int d = back.palette->rgb[back.pixels[i]][c] - image.pixels[i * 4 + c];
            error += (uint64_t)(d * d);
        }
    }
    assert_true(error / (64 * 64 * 3) < 200); /* root mean square of 14 of 255 */
    lvl_image_clear(&back);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

static void test_hostile(void **state)
{
    static const uint8_t a[] = {0xC3, 0x05, 0xC1, 0xC7, 0x09, 0x0A, 0xC2, 0x00, 0x0C},
                         b[] = {0x82, 0x02, 0x00, 0xFF, 0x04, 1, 2, 3, 4};
    uint8_t file[64];

    (void)state;
    const lvl_bytes fa = {file, make(file, LVL_PID_TRANSPARENT, 4, 2, a, sizeof a)};
    assert_true(lvl_survives_all(pid_format, fa, 0));
    const lvl_bytes fb = {file, make(file, LVL_PID_SKIP_RUNS | LVL_PID_FILL, 4, 2, b, sizeof b)};
    assert_true(lvl_survives_all(pid_format, fb, 0));
}

static void test_corpus(void **state)
{
    const lvl_measure m = lvl_expect_corpus_exact("wwd/assets", "pid");

    (void)state;
    assert_int_equal(m.kept, 0);
    assert_int_equal(m.errors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar_a),
        cmocka_unit_test(test_eager_spelling),
        cmocka_unit_test(test_grammar_b),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_check_without_kept),
        cmocka_unit_test(test_show),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_wrong_size),
        cmocka_unit_test(test_size_unknown),
        cmocka_unit_test(test_from_image),
        cmocka_unit_test(test_quantize),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_corpus),
    };

    lvl_ctx_init(&ctx);
    pid_format = lvl_format_find("pid");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
