/*
 * test_bmp.c: BMP of 8 and 24 bits, in rows and runs, with each header; from pictures and back; damage. The
 * real files of the corpus are read and written by test_cli_picture.sh.
 */
#include "measure.h"

#include "base/buffer.h"
#include "base/format.h"

#include <lvl/bmp.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *bmp_format;

/* What a header says. */
struct made {
    uint32_t header, width, height, bits, compression, used, offset;
    uint32_t colors; /* that are there */
    const char *pixels;
    size_t len;
};

static void u16(lvl_buffer *b, uint32_t v)
{
    lvl_buffer_u8(b, (uint8_t)v);
    lvl_buffer_u8(b, (uint8_t)(v >> 8));
}

static lvl_bytes make(lvl_buffer *b, const struct made *m)
{
    const bool os2 = m->header == 12;
    const uint32_t entry = os2 ? 3 : 4, start = 14 + m->header + m->colors * entry;

    b->len = 0;
    lvl_buffer_str(b, "BM");
    lvl_buffer_u32le(b, start + (uint32_t)m->len);
    lvl_buffer_u32le(b, 0);
    lvl_buffer_u32le(b, m->offset ? m->offset : start);
    lvl_buffer_u32le(b, m->header);
    if (os2) {
        u16(b, m->width);
        u16(b, m->height);
    } else {
        lvl_buffer_u32le(b, m->width);
        lvl_buffer_u32le(b, m->height);
    }
    u16(b, 1);
    u16(b, m->bits);
    if (!os2) {
        const uint32_t more[6] = {m->compression, (uint32_t)m->len, 2834, 2834, m->used, 0};
        for (int i = 0; i < 6; i++)
            lvl_buffer_u32le(b, more[i]);
        for (uint32_t i = 40; i < m->header; i++)
            lvl_buffer_u8(b, (uint8_t)i);
    }
    for (uint32_t i = 0; i < m->colors * entry; i++)
        lvl_buffer_u8(b, entry == 4 && i % 4 == 3 ? 0 : (uint8_t)(i * 3));
    lvl_buffer_add(b, m->pixels, m->len);
    assert_int_equal(b->status, LVL_OK);
    return (lvl_bytes){b->data, b->len};
}

/* Reads the file and demands the pixels, from the top, and the same bytes when it is written, also by a dump. */
static void expect(const struct made *m, const uint32_t *pixels, uint32_t kept)
{
    lvl_buffer b = {0};
    lvl_measure measure = {0};
    lvl_doc *doc;

    const lvl_bytes bytes = make(&b, m);
    assert_true(lvl_measure_bytes(&measure, NULL, bytes, "made"));
    assert_int_equal(measure.exact, 1);
    assert_int_equal(measure.residue_bits + measure.overlap_bits + measure.errors, 0);
    assert_int_equal(measure.kept, kept);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, NULL, 0, NULL), LVL_OK);
    assert_ptr_equal(lvl_doc_format(doc), bmp_format);
    const lvl_bmp *bmp = lvl_doc_root(doc);
    for (uint32_t y = 0; y < bmp->pixels.height; y++) {
        for (uint32_t x = 0; x < bmp->pixels.width; x++)
            assert_int_equal(lvl_cell(&bmp->pixels, x, y), pixels[y * bmp->pixels.width + x]);
    }
    lvl_doc_free(doc);
    lvl_buffer_free(&b);
}

static void test_rows(void **state)
{
    static const uint32_t up[] = {4, 5, 6, 1, 2, 3}, down[] = {1, 2, 3, 4, 5, 6};
    static const uint32_t headers[] = {12, 40, 52, 56, 64, 108, 124};
    struct made m = {.width = 3, .height = 2, .bits = 8, .used = 8, .colors = 8, .len = 8};

    (void)state;
    m.pixels = "\1\2\3\0\4\5\6";
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        m.header = headers[i];
        expect(&m, up, 0);
    }
    m.header = 40;
    m.height = (uint32_t)-2;
    expect(&m, down, 0);
    m.pixels = "\1\2\3\xff\4\5\6"; /* padding that is not 0 is kept */
    expect(&m, down, 8);
    m.pixels = "\1\2\3\0\4\5\6\0\0"; /* two zeros more, as Photoshop writes */
    m.len = 10;
    expect(&m, down, 0);
}

static void test_true_color(void **state)
{
    static const uint32_t pixels[] = {0x060504, 0x030201};
    const struct made m = {40, 1, 2, 24, 0, 0, 0, 0, "\1\2\3\0\4\5\6", 8};

    (void)state;
    expect(&m, pixels, 0);
}

static void test_runs(void **state)
{
    static const uint32_t pixels[] = {0, 9, 9, 0, 1, 2, 3, 0, 7, 7, 7, 7};
    struct made m = {40, 4, 3, 8, 1, 16, 0, 16, NULL, 0};

    (void)state;
    m.pixels = "\4\7\0\0\0\3\1\2\3\0\0\0\0\2\1\0\2\x9\0\1";
    m.len = 20;
    expect(&m, pixels, 20);
    m.pixels = "\4\7\0\0\1\1\1\2\1\3\1\0\0\0\1\0\2\x9\1\0\0\0\0\1"; /* as lvl writes them */
    m.len = 24;
    expect(&m, pixels, 0);
}

/* How many findings of that kind reading reports; the bytes are the same when written, and every tool stands. */
static void expect_finding(const struct made *m, const char *id)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_buffer b = {0}, out = {0};
    lvl_doc *doc;
    size_t found = 0;

    const lvl_bytes bytes = make(&b, m);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, NULL, 0, findings), LVL_OK);
    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        found += strcmp(lvl_findings_at(findings, i)->def->id, id) == 0;
    if (found != 1)
        fail_msg("%s was found %zu times", id, found);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.len, bytes.len);
    assert_memory_equal(out.data, bytes.ptr, bytes.len);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&out);
    lvl_buffer_free(&b);
}

static void test_odd(void **state)
{
    const struct made sound = {40, 3, 2, 8, 0, 8, 0, 8, "\1\2\3\0\4\5\6", 8};
    struct made m;

    (void)state;
#define ODD(id, member, value) (m = sound, m.member = (value), expect_finding(&m, id))
    ODD("bmp.pixels.cut", len, 5);
    ODD("bmp.pixels.cut", height, 1000);
    ODD("bmp.size.implausible", height, 0x7FFFFFFF);
    ODD("bmp.size.implausible", height, 0x80000000);
    ODD("bmp.size.implausible", width, 0x7FFFFFFF);
    ODD("bmp.size.invalid", width, 0);
    ODD("bmp.size.invalid", width, 0x80000000);
    ODD("bmp.size.invalid", height, 0);
    ODD("bmp.offset", offset, 20);
    ODD("bmp.offset", offset, 0xFFFFFFFF);
    ODD("bmp.palette.short", used, 9);
    ODD("bmp.palette.short", used, 0);
    ODD("bmp.palette.short", used, 0xFFFFFFFF);
    ODD("bmp.palette.short", colors, 0);
    ODD("bmp.depth.unsupported", bits, 4);
    ODD("bmp.depth.unsupported", bits, 32);
    ODD("bmp.depth.unsupported", compression, 2);
    ODD("bmp.rest", height, 1);
    m = sound;
    m.compression = 1;
    m.pixels = "\4\1\0\1"; /* a run beyond its row */
    m.len = 4;
    expect_finding(&m, "bmp.pixels.over");
    m.pixels = "\1\1\0\2\0\xff\1\1\0\1"; /* far below */
    m.len = 10;
    expect_finding(&m, "bmp.pixels.over");
    m.pixels = "\1\1\0\x9\1"; /* literals that are cut */
    m.len = 5;
    expect_finding(&m, "bmp.pixels.cut");
#undef ODD
}

static void check_round(const lvl_image *image, uint32_t bits)
{
    lvl_buffer out = {0};
    lvl_image back;
    lvl_doc *doc;

    assert_int_equal(lvl_doc_draw(&doc, &ctx, bmp_format, image, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc_free(doc);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){out.data, out.len}, NULL, 0, NULL), LVL_OK);
    assert_int_equal(((const lvl_bmp *)lvl_doc_root(doc))->bits, bits);
    assert_int_equal(lvl_doc_picture(doc, NULL, &back), LVL_OK);
    assert_int_equal(back.width, image->width);
    assert_int_equal(back.height, image->height);
    const size_t total = (size_t)image->width * image->height;
    for (size_t i = 0; i < total; i++) {
        if (bits == 24) {
            assert_memory_equal(back.pixels + i * 4, image->pixels + i * 4, 4);
        } else if (image->format == LVL_PIXELS_INDEX8) {
            assert_int_equal(back.pixels[i], image->pixels[i]);
        } else if (image->pixels[i * 4 + 3] < 128) {
            assert_int_equal(back.mask[i], 0);
        } else {
            assert_int_equal(back.mask[i], 255);
            assert_memory_equal(back.palette->rgb[back.pixels[i]], image->pixels + i * 4, 3);
        }
    }
    if (image->palette)
        assert_memory_equal(back.palette, image->palette, sizeof *back.palette);
    lvl_image_clear(&back);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

static void test_pictures(void **state)
{
    lvl_image image;

    (void)state;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_INDEX8, 21, 5, false), LVL_OK);
    image.palette = calloc(1, sizeof *image.palette);
    assert_non_null(image.palette);
    for (unsigned i = 0; i < 256; i++)
        image.palette->rgb[i][i % 3] = (uint8_t)i;
    for (unsigned i = 0; i < 21 * 5; i++)
        image.pixels[i] = (uint8_t)(i * 7);
    check_round(&image, 8);
    lvl_image_clear(&image);
    /* few colours, with holes; then more than a palette can have */
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 20, 20, false), LVL_OK);
    for (unsigned i = 0; i < 400; i++) {
        const uint8_t rgba[4] = {(uint8_t)(i % 9), 3, (uint8_t)(i % 5), i % 7 ? 255 : 0};
        memcpy(image.pixels + (size_t)i * 4, rgba, 4);
    }
    check_round(&image, 8);
    for (unsigned i = 0; i < 400; i++) {
        const uint8_t rgba[4] = {(uint8_t)i, (uint8_t)(i / 3), 9, 255};
        memcpy(image.pixels + (size_t)i * 4, rgba, 4);
    }
    check_round(&image, 24);
    lvl_image_clear(&image);
}

static void test_hostile(void **state)
{
    const struct made made[] = {
        {108, 9, 3, 8, 0, 8, 0, 8, "\1\2\3\4\5\6\7\1\2\0\0\0\1\2\3\4\5\6\7\1\2\0\0\0\1\2\3\4\5\6\7\1\2\0\0",
         36},
        {40, 4, 3, 8, 1, 8, 0, 8, "\4\7\0\0\0\3\1\2\3\0\0\0\0\2\1\0\2\x5\0\1", 20},
        {40, 2, (uint32_t)-2, 24, 0, 0, 0, 0, "\1\2\3\4\5\6\0\0\1\2\3\4\5\6\0", 16},
        {12, 3, 2, 8, 0, 0, 0, 8, "\1\2\3\0\4\5\6", 8},
    };
    lvl_buffer b = {0};

    (void)state;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_true(lvl_survives_all(bmp_format, make(&b, &made[i]), 3000));
    lvl_buffer_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows), cmocka_unit_test(test_true_color), cmocka_unit_test(test_runs),
        cmocka_unit_test(test_odd),  cmocka_unit_test(test_pictures),   cmocka_unit_test(test_hostile),
    };

    lvl_ctx_init(&ctx);
    bmp_format = lvl_format_find("bmp");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
