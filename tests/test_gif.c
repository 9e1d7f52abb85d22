/*
 * test_gif.c: GIFs that giflib writes are read with the same pixels: palettes, transparency, frames smaller
 * than the screen, interlacing; truncated and foreign files, and sizes that the file cannot fill, are
 * refused.
 */
#include "codec/gif.h"

#include <gif_lib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const lvl_ctx ctx;

typedef struct shape {
    int screen_width, screen_height;
    int left, top, width, height;
    int transparent; /* -1: none */
    bool interlaced, local;
} shape;

static int keep(GifFileType *gif, const GifByteType *data, int len)
{
    lvl_buffer *out = gif->UserData;

    lvl_buffer_add(out, data, (size_t)len);
    return out->status == LVL_OK ? len : 0;
}

static uint8_t index_at(int x, int y)
{
    return (uint8_t)((x * 3 + y * 5) % 16);
}

static void make(lvl_buffer *out, const shape *s)
{
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    GifColorType colours[16];
    GifByteType row[256];
    int error;

    for (int i = 0; i < 16; i++)
        colours[i] = (GifColorType){(GifByteType)(i * 16), (GifByteType)(255 - i), (GifByteType)(i + 3)};
    ColorMapObject *map = GifMakeMapObject(16, colours);
    GifFileType *gif = EGifOpen(out, keep, &error);
    assert_non_null(map);
    assert_non_null(gif);
    assert_int_equal(EGifPutScreenDesc(gif, s->screen_width, s->screen_height, 8, 0, s->local ? NULL : map),
                     GIF_OK);
    if (s->transparent >= 0) {
        const GifByteType block[4] = {1, 0, 0, (GifByteType)s->transparent};
        assert_int_equal(EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, block), GIF_OK);
    }
    assert_int_equal(
        EGifPutImageDesc(gif, s->left, s->top, s->width, s->height, s->interlaced, s->local ? map : NULL),
        GIF_OK);
    for (int pass = 0; pass < (s->interlaced ? 4 : 1); pass++) {
        for (int y = s->interlaced ? starts[pass] : 0; y < s->height; y += s->interlaced ? steps[pass] : 1) {
            for (int x = 0; x < s->width; x++)
                row[x] = index_at(x, y);
            assert_int_equal(EGifPutLine(gif, row, s->width), GIF_OK);
        }
    }
    assert_int_equal(EGifCloseFile(gif, &error), GIF_OK);
    GifFreeMapObject(map);
    assert_int_equal(out->status, LVL_OK);
}

static void comes_back(const shape *s)
{
    lvl_buffer gif = {0};
    lvl_image image;

    make(&gif, s);
    assert_int_equal(lvl_gif_read(&ctx, (lvl_bytes){gif.data, gif.len}, &image), LVL_OK);
    assert_int_equal(image.format, LVL_PIXELS_INDEX8);
    assert_int_equal(image.width, s->screen_width);
    assert_int_equal(image.height, s->screen_height);
    assert_non_null(image.palette);
    assert_int_equal(image.palette->rgb[7][0], 112);
    assert_int_equal(image.palette->rgb[7][1], 248);
    assert_int_equal(image.palette->rgb[7][2], 10);
    const bool whole = s->width == s->screen_width && s->height == s->screen_height;
    assert_int_equal(image.mask != NULL, s->transparent >= 0 || !whole);
    for (int y = 0; y < s->screen_height; y++) {
        for (int x = 0; x < s->screen_width; x++) {
            const size_t at = (size_t)y * image.width + (size_t)x;
            const bool in = x >= s->left && y >= s->top && x < s->left + s->width && y < s->top + s->height;
            if (in)
                assert_int_equal(image.pixels[at], index_at(x - s->left, y - s->top));
            if (image.mask)
                assert_int_equal(image.mask[at], in && image.pixels[at] != s->transparent ? 255 : 0);
        }
    }
    lvl_image_clear(&image);
    lvl_buffer_free(&gif);
}

static void test_shapes(void **state)
{
    static const shape shapes[] = {
        {32, 20, 0, 0, 32, 20, -1, false, false}, {32, 20, 0, 0, 32, 20, 3, false, false},
        {40, 30, 5, 7, 20, 11, -1, false, false}, {40, 30, 5, 7, 20, 11, 3, true, true},
        {33, 37, 0, 0, 33, 37, -1, true, false},  {1, 1, 0, 0, 1, 1, 0, false, true},
        {200, 3, 0, 0, 200, 3, 15, true, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        comes_back(&shapes[i]);
}

static void test_cut(void **state)
{
    const shape s = {60, 50, 0, 0, 60, 50, 3, false, false};
    lvl_buffer gif = {0};
    lvl_image image;
    size_t refused = 0;

    (void)state;
    make(&gif, &s);
    for (size_t len = 0; len < gif.len; len++) {
        uint8_t *copy = malloc(len + 1); /* a separate allocation, so that a sanitizer sees reads beyond it */
        assert_non_null(copy);
        memcpy(copy, gif.data, len);
        if (lvl_gif_read(&ctx, (lvl_bytes){copy, len}, &image) != LVL_OK) {
            assert_null(image.pixels);
            refused++;
        }
        lvl_image_clear(&image);
        free(copy);
    }
    assert_true(refused + 8 > gif.len); /* only the end marks may be missing */
    lvl_buffer_free(&gif);
}

static void test_damaged(void **state)
{
    const shape s = {60, 50, 4, 4, 50, 40, 3, true, false};
    lvl_buffer gif = {0};

    (void)state;
    make(&gif, &s);
    for (size_t at = 0; at < gif.len; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            lvl_image image;
            gif.data[at] ^= (uint8_t)(1u << bit);
            if (lvl_gif_read(&ctx, (lvl_bytes){gif.data, gif.len}, &image) == LVL_OK)
                assert_non_null(image.pixels);
            lvl_image_clear(&image);
            gif.data[at] ^= (uint8_t)(1u << bit);
        }
    }
    lvl_buffer_free(&gif);
}

static void test_boasts(void **state)
{
    /* a screen and a frame of 65535 x 65535, without data */
    static const uint8_t huge[] = {'G', 'I', 'F', '8', '9', 'a', 255, 255, 255, 255, 0x80, 0,
                                   0,   1,   2,   3,   4,   5,   6,   ',', 0,   0,   0,    0,
                                   255, 255, 255, 255, 0,   2,   1,   4,   0,   ';'};
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13};
    const lvl_ctx small = {.limits = {.cells = 100}};
    const shape s = {32, 20, 0, 0, 32, 20, -1, false, false};
    lvl_buffer gif = {0};
    lvl_image image;

    (void)state;
    assert_int_equal(lvl_gif_read(&ctx, (lvl_bytes){huge, sizeof huge}, &image), LVL_ERR_FORMAT);
    assert_null(image.pixels);
    assert_int_equal(lvl_gif_read(&ctx, (lvl_bytes){png, sizeof png}, &image), LVL_ERR_FORMAT);
    assert_false(lvl_gif_probe((lvl_bytes){png, sizeof png}));
    assert_int_equal(lvl_gif_read(&ctx, (lvl_bytes){NULL, 0}, &image), LVL_ERR_FORMAT);
    make(&gif, &s);
    assert_true(lvl_gif_probe((lvl_bytes){gif.data, gif.len}));
    assert_int_equal(lvl_gif_read(&small, (lvl_bytes){gif.data, gif.len}, &image), LVL_ERR_LIMIT);
    assert_null(image.pixels);
    lvl_buffer_free(&gif);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_boasts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
