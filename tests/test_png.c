/*
 * test_png.c: pictures written and read again by every compressor, compared as pixels; broken and hostile
 * PNGs.
 */
#include "codec/deflate.h"
#include "codec/png.h"
#include "memory_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

static lvl_ctx ctx;

static uint8_t noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint8_t)(*state >> 24);
}

/* A picture with flat parts and noisy ones. */
static lvl_image make(lvl_pixels format, uint32_t width, uint32_t height, bool masked)
{
    const size_t step = format == LVL_PIXELS_RGBA8 ? 4 : 1;
    uint32_t state = width * 31 + height;
    lvl_image image;

    assert_int_equal(lvl_image_init(&image, &ctx, format, width, height, masked), LVL_OK);
    for (size_t i = 0; i < (size_t)width * height * step; i++)
        image.pixels[i] = (i / step / 16) % 3 ? (uint8_t)(i / 97) : noise(&state);
    for (size_t i = 0; masked && i < (size_t)width * height; i++)
        image.mask[i] = i % 5 ? 255 : 0;
    for (size_t i = 0; masked && i < (size_t)width * height; i++) {
        if (image.pixels[i] == 7)
            image.pixels[i] = 8; /* so that index 7 is free for the key */
    }
    return image;
}

static lvl_palette rainbow(void)
{
    lvl_palette p;

    for (int i = 0; i < 256; i++) {
        p.rgb[i][0] = (uint8_t)i;
        p.rgb[i][1] = (uint8_t)(255 - i);
        p.rgb[i][2] = (uint8_t)(i * 7);
    }
    return p;
}

static void every_packer_gives_the_same_pixels(void **state)
{
    static const lvl_png_packer packers[] = {LVL_PNG_AUTO, LVL_PNG_ISAL, LVL_PNG_LIBDEFLATE};
    static const uint32_t sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {255, 17}, {640, 480}, {5000, 400}};
    const lvl_palette palette = rainbow();

    (void)state;
    for (size_t p = 0; p < 3; p++) {
        for (size_t s = 0; s < 6; s++) {
            for (uint32_t channels = 1; channels <= 4; channels++) {
                if (channels == 2)
                    continue;
                const lvl_picture picture = {sizes[s][0], sizes[s][1], channels, &palette, false,
                                             0,           0,           0,        {NULL, 0}};
                const size_t row = (size_t)picture.width * channels;
                uint8_t *pixels = malloc(row * picture.height);
                memory m = {.writer.write = write_memory};
                lvl_image back;
                uint32_t noise_state = 1;

                assert_non_null(pixels);
                for (size_t i = 0; i < row * picture.height; i++)
                    pixels[i] = i / 64 % 2 ? (uint8_t)(i / 1000) : noise(&noise_state);
                lvl_rows *rows = lvl_png_rows_new(&ctx, &m.writer, packers[p]);
                assert_non_null(rows);
                assert_int_equal(rows->begin(rows, &picture), LVL_OK);
                for (uint32_t y = 0; y < picture.height;) {
                    uint32_t n = 1 + y % 7;
                    if (n > picture.height - y)
                        n = picture.height - y;
                    assert_int_equal(rows->rows(rows, pixels + y * row, n), LVL_OK);
                    y += n;
                }
                assert_int_equal(rows->end(rows), LVL_OK);
                lvl_png_rows_free(rows);
                assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){m.buf.data, m.buf.len}, &back), LVL_OK);
                assert_int_equal(back.width, picture.width);
                assert_int_equal(back.height, picture.height);
                assert_int_equal(back.format, channels == 1 ? LVL_PIXELS_INDEX8 : LVL_PIXELS_RGBA8);
                for (size_t i = 0; i < (size_t)picture.width * picture.height; i++) {
                    if (channels == 1)
                        assert_int_equal(back.pixels[i], pixels[i]);
                    else
                        assert_memory_equal(back.pixels + i * 4, pixels + i * channels, channels);
                }
                if (channels == 1)
                    assert_memory_equal(back.palette->rgb, palette.rgb, sizeof palette.rgb);
                lvl_image_clear(&back);
                lvl_buffer_free(&m.buf);
                free(pixels);
            }
        }
    }
}

static void masks_and_own_palettes_survive(void **state)
{
    const lvl_palette palette = rainbow();
    lvl_image image = make(LVL_PIXELS_INDEX8, 70, 50, true), back;
    lvl_buffer buf = {0};

    (void)state;
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, &palette, &buf), LVL_OK);
    assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){buf.data, buf.len}, &back), LVL_OK);
    assert_int_equal(back.format, LVL_PIXELS_INDEX8);
    assert_memory_equal(back.mask, image.mask, 70 * 50);
    for (size_t i = 0; i < 70 * 50; i++)
        assert_true(!image.mask[i] || back.pixels[i] == image.pixels[i]);
    lvl_image_clear(&back);
    lvl_buffer_free(&buf);

    /* All 256 indices are drawn, so no index is free for "not drawn", and it becomes RGBA. */
    for (size_t i = 0; i < 70 * 50; i++) {
        image.pixels[i] = (uint8_t)i;
        image.mask[i] = i < 3000 ? 255 : 0;
    }
    memset(&buf, 0, sizeof buf);
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, &palette, &buf), LVL_OK);
    assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){buf.data, buf.len}, &back), LVL_OK);
    assert_int_equal(back.format, LVL_PIXELS_RGBA8);
    for (size_t i = 0; i < 70 * 50; i++) {
        assert_int_equal(back.pixels[i * 4 + 3], image.mask[i]);
        if (image.mask[i])
            assert_memory_equal(back.pixels + i * 4, palette.rgb[image.pixels[i]], 3);
    }
    lvl_image_clear(&back);
    lvl_image_clear(&image);
    lvl_buffer_free(&buf);
}

static void rgba_keeps_its_alpha(void **state)
{
    lvl_image image = make(LVL_PIXELS_RGBA8, 33, 21, false), back;
    lvl_buffer buf = {0};

    (void)state;
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, NULL, &buf), LVL_OK);
    assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){buf.data, buf.len}, &back), LVL_OK);
    assert_memory_equal(back.pixels, image.pixels, 33 * 21 * 4);
    lvl_image_clear(&back);
    lvl_image_clear(&image);
    lvl_buffer_free(&buf);
}

/* Indices of four bits, as other programs write them: 3 x 1 pixels 1, 2, 1; palette of three, the last half
 * transparent. */
/* The offset of a sprite becomes an oFFs chunk; a picture without one gets none. */
static void offsets_survive(void **state)
{
    const int32_t offsets[][2] = {{0, 0}, {4, -1}, {-100000, 7}, {INT32_MIN, INT32_MAX}};

    (void)state;
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        lvl_image image = make(i % 2 ? LVL_PIXELS_RGBA8 : LVL_PIXELS_INDEX8, 9, 5, false), again;
        lvl_buffer png = {0};
        bool reported = false;
        image.offset_x = offsets[i][0];
        image.offset_y = offsets[i][1];
        assert_int_equal(lvl_png_write_buffer(&ctx, &image, NULL, &png), LVL_OK);
        for (size_t k = 0; k + 4 <= png.len; k++)
            reported |= memcmp(png.data + k, "oFFs", 4) == 0;
        assert_int_equal(reported, i > 0);
        assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){png.data, png.len}, &again), LVL_OK);
        assert_int_equal(again.offset_x, image.offset_x);
        assert_int_equal(again.offset_y, image.offset_y);
        lvl_image_clear(&again);
        lvl_image_clear(&image);
        lvl_buffer_free(&png);
    }
}

static void packed_indices_are_spread(void **state)
{
    static const uint8_t png[] = {
        0x89, 'P', 'N', 'G', 13,  10,  26,  10, /* */
        0,    0,   0,   13,  'I', 'H', 'D', 'R', 0,    0,    0, 3,   0,   0,    0,    1, 4,    3,    0,
        0,    0,   0,   0,   0,   0, /* */
        0,    0,   0,   9,   'P', 'L', 'T', 'E', 1,    2,    3, 4,   5,   6,    7,    8, 9,    0,    0,
        0,    0, /* */
        0,    0,   0,   3,   't', 'R', 'N', 'S', 255,  255,  0, 0,   0,   0,    0, /* */
        0,    0,   0,   14,  'I', 'D', 'A', 'T', 0x78, 0x01, 1, 3,   0,   0xfc, 0xff, 0, 0x12, 0x10, 0,
        0,    0,   0,   0,   0,   0,   0,   0,   0,    0,    0, 'I', 'E', 'N',  'D',  0, 0,    0,    0};
    uint8_t repaired[sizeof png];
    lvl_image back;

    (void)state;
    memcpy(repaired, png, sizeof png);
    const uint32_t adler = (uint32_t)adler32(1, png + 8 + 25 + 21 + 15 + 8 + 7, 3);
    uint8_t *sum = repaired + 8 + 25 + 21 + 15 + 8 + 10;
    for (int i = 0; i < 4; i++)
        sum[i] = (uint8_t)(adler >> (24 - 8 * i));
    for (size_t at = 8; at < sizeof png;) {
        const size_t len = repaired[at + 3];
        const uint32_t crc = lvl_crc32((lvl_bytes){repaired + at + 4, len + 4});
        for (int i = 0; i < 4; i++)
            repaired[at + 8 + len + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
        at += len + 12;
    }
    assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){repaired, sizeof repaired}, &back), LVL_OK);
    assert_int_equal(back.format, LVL_PIXELS_INDEX8);
    assert_memory_equal(back.pixels, ((uint8_t[]){1, 2, 1}), 3);
    assert_memory_equal(back.mask, ((uint8_t[]){255, 0, 255}), 3);
    assert_memory_equal(back.palette->rgb[1], ((uint8_t[]){4, 5, 6}), 3);
    lvl_image_clear(&back);
}

static void broken_pngs_are_refused(void **state)
{
    lvl_image image = make(LVL_PIXELS_INDEX8, 40, 30, true), back;
    lvl_buffer buf = {0};
    size_t refused = 0;

    (void)state;
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, NULL, &buf), LVL_OK);
    for (size_t len = 0; len < buf.len; len++) {
        lvl_status status = lvl_png_read(&ctx, (lvl_bytes){buf.data, len}, &back);
        refused += status != LVL_OK;
        if (status == LVL_OK)
            lvl_image_clear(&back);
    }
    /* The pixels are all there once the checksums and IEND alone are missing; never before. */
    assert_true(refused >= buf.len - 32);
    for (size_t bit = 0; bit < buf.len * 8; bit++) {
        buf.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (lvl_png_read(&ctx, (lvl_bytes){buf.data, buf.len}, &back) == LVL_OK)
            lvl_image_clear(&back);
        buf.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    lvl_ctx small = ctx;
    small.limits.cells = 1000;
    assert_int_equal(lvl_png_read(&small, (lvl_bytes){buf.data, buf.len}, &back), LVL_ERR_LIMIT);
    lvl_image_clear(&image);
    lvl_buffer_free(&buf);
}

static void a_failing_writer_is_answered(void **state)
{
    const lvl_palette palette = rainbow();
    lvl_image image = make(LVL_PIXELS_INDEX8, 64, 64, false);

    (void)state;
    for (size_t at = 1; at < 900; at += 13) {
        memory m = {.writer.write = write_memory, .most = at};
        assert_int_equal(lvl_png_write(&ctx, &image, &palette, &m.writer), LVL_ERR_IO);
        lvl_buffer_free(&m.buf);
    }
    lvl_image_clear(&image);
}

static void rows_must_fit(void **state)
{
    const lvl_palette palette = rainbow();
    const lvl_picture picture = {4, 2, 1, &palette, false, 0, 0, 0, {NULL, 0}};
    const uint8_t pixels[12] = {0};
    memory m = {.writer.write = write_memory};
    lvl_rows *rows = lvl_png_rows_new(&ctx, &m.writer, LVL_PNG_AUTO);

    (void)state;
    assert_non_null(rows);
    assert_int_equal(rows->begin(rows, &picture), LVL_OK);
    assert_int_equal(rows->rows(rows, pixels, 1), LVL_OK);
    assert_int_equal(rows->end(rows), LVL_ERR_ARG);
    assert_int_equal(rows->rows(rows, pixels, 2), LVL_ERR_ARG);
    lvl_png_rows_free(rows);
    lvl_buffer_free(&m.buf);
    lvl_png_rows_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packer_gives_the_same_pixels),
        cmocka_unit_test(masks_and_own_palettes_survive),
        cmocka_unit_test(rgba_keeps_its_alpha),
        cmocka_unit_test(offsets_survive),
        cmocka_unit_test(packed_indices_are_spread),
        cmocka_unit_test(broken_pngs_are_refused),
        cmocka_unit_test(a_failing_writer_is_answered),
        cmocka_unit_test(rows_must_fit),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
