/*
 * test_pcx.c: PCX with a palette and with 24 bits, from pictures and back; encodings of other programs;
 * damage. No real files are public, so all are made here.
 */
#include "measure.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/format.h"

#include <lvl/pcx.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *pcx_format;

static void write_image(const lvl_image *image, lvl_buffer *out)
{
    lvl_doc *doc;

    assert_int_equal(lvl_doc_new(&doc, &ctx, pcx_format), LVL_OK);
    assert_int_equal(pcx_format->calls->draw(doc, image, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, out), LVL_OK);
    lvl_doc_free(doc);
}

static void make_rgb(lvl_image *image, uint32_t w, uint32_t h)
{
    assert_int_equal(lvl_image_init(image, &ctx, LVL_PIXELS_RGBA8, w, h, false), LVL_OK);
    for (size_t i = 0; i < (size_t)w * h; i++) {
        const uint8_t rgba[4] = {(uint8_t)(i / 3), (uint8_t)(200 + i), (uint8_t)(i * i), 255};
        memcpy(image->pixels + i * 4, rgba, 4);
    }
}

static void make_indexed(lvl_image *image, uint32_t w, uint32_t h)
{
    assert_int_equal(lvl_image_init(image, &ctx, LVL_PIXELS_INDEX8, w, h, false), LVL_OK);
    image->palette = calloc(1, sizeof *image->palette);
    assert_non_null(image->palette);
    for (unsigned i = 0; i < 256; i++)
        image->palette->rgb[i][i % 3] = (uint8_t)i;
    for (size_t i = 0; i < (size_t)w * h; i++)
        image->pixels[i] = (uint8_t)(i / 4 * 5);
}

static void check_round(const lvl_image *image)
{
    lvl_image back;
    lvl_buffer out = {0};
    lvl_doc *doc;
    lvl_measure m = {0};

    write_image(image, &out);
    const lvl_bytes bytes = {out.data, out.len};
    assert_true(lvl_measure_bytes(&m, NULL, bytes, "made"));
    assert_int_equal(m.exact, 1);
    assert_int_equal(m.kept + m.residue_bits + m.overlap_bits + m.errors, 0);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, NULL, 0, NULL), LVL_OK);
    assert_ptr_equal(lvl_doc_format(doc), pcx_format);
    assert_int_equal(pcx_format->calls->to_image(doc, NULL, &back), LVL_OK);
    assert_int_equal(back.format, image->format);
    assert_int_equal(back.width, image->width);
    assert_int_equal(back.height, image->height);
    assert_memory_equal(back.pixels, image->pixels,
                        (size_t)image->width * image->height * (image->format == LVL_PIXELS_RGBA8 ? 4 : 1));
    assert_int_equal(!back.palette, !image->palette);
    if (back.palette)
        assert_memory_equal(back.palette, image->palette, sizeof *back.palette);
    lvl_image_clear(&back);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

static void test_round(void **state)
{
    lvl_image image;

    (void)state;
    for (uint32_t w = 1; w < 140; w += 23) {
        make_rgb(&image, w, 5);
        check_round(&image);
        lvl_image_clear(&image);
        make_indexed(&image, w, 5);
        check_round(&image);
        lvl_image_clear(&image);
    }
}

/* A run over the end of a row, and bytes beyond the width: kept, until a pixel changes. */
static void test_kept(void **state)
{
    lvl_image image;
    lvl_buffer out = {0};
    lvl_doc *doc;

    (void)state;
    make_indexed(&image, 3, 2);
    memset(image.pixels, 9, 6);
    write_image(&image, &out);
    /* rows 9 9 9 0, twice: C3 09 00 C3 09 00 */
    assert_int_equal(out.len, 128 + 6 + 769);
    static const uint8_t odd[6] = {0xC8, 9, 0x0C, 0x0C, 0x0C, 0x0C};
    memcpy(out.data + 128, odd, 2);
    memmove(out.data + 130, out.data + 134, 769);
    const lvl_bytes bytes = {out.data, 128 + 2 + 769};
    lvl_measure m = {0};
    assert_true(lvl_measure_bytes(&m, NULL, bytes, "odd"));
    assert_int_equal(m.exact, 1);
    assert_int_equal(m.kept, 2);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, NULL, 0, NULL), LVL_OK);
    lvl_pcx *pcx = lvl_doc_root(doc);
    uint8_t *pixels = lvl_cells_edit(doc, pcx, lvl_table_at(&lvl_pcx_table, offsetof(lvl_pcx, pixels)));
    pixels[0] = 1;
    assert_int_equal(lvl_kept_bytes(doc), 0);
    lvl_doc_free(doc);
    lvl_image_clear(&image);
    lvl_buffer_free(&out);
}

/* Values that a picture does not have come from another document, except a position outside this picture. */
static void test_like(void **state)
{
    static const uint32_t places[] = {100, 0x10000 - 10, 0x10000 - 9};
    lvl_doc *like, *doc, *again;
    lvl_image image;
    lvl_buffer out;

    (void)state;
    make_indexed(&image, 10, 20);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(lvl_doc_new(&like, &ctx, pcx_format), LVL_OK);
        lvl_pcx *pcx = lvl_doc_root(like);
        pcx->x_min = (uint16_t)places[i];
        pcx->encoding = 0;
        const lvl_draw_options draw_options = {.like = like};
        assert_int_equal(lvl_doc_draw(&doc, &ctx, pcx_format, &image, &draw_options, NULL), LVL_OK);
        out = (lvl_buffer){0};
        assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
        assert_int_equal(lvl_read(&again, &ctx, NULL, (lvl_bytes){out.data, out.len}, NULL, 0, NULL), LVL_OK);
        assert_ptr_equal(lvl_doc_format(again), pcx_format);
        const lvl_pcx *back = lvl_doc_root(again);
        assert_int_equal(back->encoding, 0);
        assert_int_equal(back->pixels.width, 10);
        assert_int_equal(back->x_min, i < 2 ? places[i] : 0);
        assert_int_equal(back->x_max, back->x_min + 9);
        lvl_doc_free(again);
        lvl_doc_free(doc);
        lvl_doc_free(like);
        lvl_buffer_free(&out);
    }
    lvl_image_clear(&image);
}

/* Pictures of older programs: indices of few bits in planes, with the header's colours or without. */
static void test_few_bits(void **state)
{
    static const struct {
        uint8_t version, bits, planes, line, width;
        const char *row;
        uint8_t first[4]; /* indices */
        uint8_t red; /* of the first pixel */
    } few[] = {
        {2, 1, 1, 2, 9, "\xA0\x80", {1, 0, 1, 0}, 9},
        {3, 1, 4, 2, 9, "\x80\0\x80\0\x40\0\xC0\0", {11, 12, 0, 0}, 0x55},
        {5, 4, 1, 2, 4, "\x12\x3F", {1, 2, 3, 15}, 9},
        {0, 2, 1, 2, 5, "\xE4\x40", {3, 2, 1, 0}, 15},
        {5, 8, 4, 2, 1, "\1\0\2\0\3\0\4\0", {0}, 0},
    };
    lvl_buffer b = {0};
    lvl_doc *doc;
    lvl_image image;

    (void)state;
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        const size_t len = (size_t)few[i].line * few[i].planes;
        b.len = 0;
        lvl_buffer_fill(&b, 0, 128);
        const uint8_t head[] = {10, few[i].version, 0, few[i].bits, 0, 0, 0, 0, (uint8_t)(few[i].width - 1)};
        memcpy(b.data, head, sizeof head);
        for (unsigned k = 0; k < 48; k++)
            b.data[16 + k] = (uint8_t)(k / 3 * 3 + 6);
        b.data[0x41] = few[i].planes;
        b.data[0x42] = few[i].line;
        lvl_buffer_add(&b, few[i].row, len);
        lvl_measure m = {0};
        assert_true(lvl_measure_bytes(&m, NULL, (lvl_bytes){b.data, b.len}, "few"));
        assert_int_equal(m.exact, 1);
        assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){b.data, b.len}, NULL, 0, NULL), LVL_OK);
        assert_ptr_equal(lvl_doc_format(doc), pcx_format);
        const lvl_pcx *pcx = lvl_doc_root(doc);
        if (few[i].planes == 4 && few[i].bits == 8) {
            assert_null(pcx->pixels.ptr); /* red, green, blue, alpha: named and kept */
        } else {
            assert_int_equal(m.residue_bits + m.errors, 0);
            for (uint32_t x = 0; x < 4 && x < pcx->pixels.width; x++)
                assert_int_equal(lvl_cell(&pcx->pixels, x, 0), few[i].first[x]);
            assert_int_equal(lvl_doc_picture(doc, NULL, &image), LVL_OK);
            assert_int_equal(image.palette->rgb[image.pixels[0]][0], few[i].red);
            lvl_image_clear(&image);
        }
        lvl_doc_free(doc);
        assert_true(lvl_survives_all(pcx_format, (lvl_bytes){b.data, b.len}, 900));
    }
    lvl_buffer_free(&b);
}

static void test_refusals(void **state)
{
    lvl_image image;
    lvl_doc *doc;

    (void)state;
    make_rgb(&image, 4, 4);
    image.pixels[3] = 0;
    assert_int_equal(lvl_doc_new(&doc, &ctx, pcx_format), LVL_OK);
    assert_int_equal(pcx_format->calls->draw(doc, &image, NULL, NULL), LVL_ERR_LOSS);
    lvl_doc_free(doc);
    lvl_image_clear(&image);
}

static void test_hostile(void **state)
{
    lvl_image image;
    lvl_buffer out = {0};

    (void)state;
    make_rgb(&image, 7, 3);
    write_image(&image, &out);
    const lvl_bytes rgb = {out.data, out.len};
    assert_true(lvl_survives_all(pcx_format, rgb, 0));
    lvl_image_clear(&image);
    out.len = 0;
    make_indexed(&image, 5, 3);
    write_image(&image, &out);
    const lvl_bytes indexed = {out.data, out.len};
    assert_true(lvl_survives_all(pcx_format, indexed, 3000));
    lvl_image_clear(&image);
    lvl_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),    cmocka_unit_test(test_kept),    cmocka_unit_test(test_like),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_hostile), cmocka_unit_test(test_few_bits),
    };

    lvl_ctx_init(&ctx);
    pcx_format = lvl_format_find("pcx");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
