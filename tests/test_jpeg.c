/*
 * test_jpeg.c: JPEGs that libjpeg writes are read with nearly the same pixels: colours, grey, CMYK,
 * progressive passes, odd sizes; truncated, damaged and foreign files and wrong sizes are refused; allocation
 * failures at any call are reported. Also the recognition of pictures by their first bytes.
 */
#include "codec/jpeg.h"
#include "codec/jpeg_blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const lvl_ctx ctx;

static void test_kinds(void **state)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t jpeg[] = {0xFF, 0xD8, 0xFF, 0xE0};
    static const uint8_t gif[] = "GIF89a";
    lvl_image image;

    (void)state;
    assert_string_equal(lvl_picture_kind((lvl_bytes){png, sizeof png}), "PNG");
    assert_string_equal(lvl_picture_kind((lvl_bytes){jpeg, sizeof jpeg}), "JPEG");
    assert_string_equal(lvl_picture_kind((lvl_bytes){gif, 6}), "GIF");
    assert_null(lvl_picture_kind((lvl_bytes){png, 7}));
    assert_null(lvl_picture_kind((lvl_bytes){jpeg, 2}));
    assert_null(lvl_picture_kind((lvl_bytes){NULL, 0}));
    assert_int_equal(lvl_picture_read(&ctx, (lvl_bytes){NULL, 0}, false, &image), LVL_ERR_FORMAT);
    assert_int_equal(lvl_picture_read(&ctx, (lvl_bytes){gif, 6}, false, &image), LVL_ERR_FORMAT);
    assert_int_equal(lvl_jpeg_read(&ctx, (lvl_bytes){gif, 6}, &image), LVL_ERR_FORMAT);
    assert_int_not_equal(lvl_picture_read(&ctx, (lvl_bytes){jpeg, sizeof jpeg}, false, &image), LVL_OK);
    assert_null(image.pixels);
}

/* The result of Go's image/jpeg for the same coefficients: a plain block, a textured one, one with values
 * beyond a byte. */
static void test_blocks(void **state)
{
    static const uint32_t hashes[] = {0xD099D285, 0x163632B3, 0x08D6B7E5};
    static const uint8_t second[] = {161, 107, 96, 184, 137, 185, 243, 179};
    uint32_t seed = 1;

    (void)state;
    for (int t = 0; t < 3; t++) {
        int16_t coefficients[64];
        uint16_t steps[64];
        uint8_t px[8 * 10];
        uint32_t hash = 2166136261u;
        for (int i = 0; i < 64; i++) {
            seed = seed * 1664525u + 1013904223u;
            const int v = (int)(seed >> 16) % 61 - 30;
            coefficients[i] = (int16_t)(t == 0 ? (i ? 0 : -300) : v * (t == 2 ? 3 : 1));
            steps[i] = (uint16_t)(t ? 1 + i % 5 : 1);
        }
        lvl_jpeg_block(coefficients, steps, px, 10);
        for (size_t i = 0; i < 64; i++)
            hash = (hash ^ px[i / 8 * 10 + i % 8]) * 16777619u;
        assert_int_equal(hash, hashes[t]);
        if (t == 1)
            assert_memory_equal(px, second, sizeof second);
    }
    /* what no encoder writes */
    int16_t coefficients[64];
    uint16_t steps[64];
    uint8_t px[64];
    for (int i = 0; i < 64; i++) {
        coefficients[i] = i & 1 ? INT16_MIN : INT16_MAX;
        steps[i] = UINT16_MAX;
    }
    lvl_jpeg_block(coefficients, steps, px, 8);
}

static void test_colors(void **state)
{
    static const uint8_t cases[][6] = {{16, 128, 128, 16, 16, 16},     {255, 128, 128, 255, 255, 255},
                                       {200, 30, 220, 255, 168, 27},   {90, 250, 10, 0, 132, 255},
                                       {128, 128, 129, 129, 127, 128}, {0, 255, 255, 178, 0, 225}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t rgb[3];
        lvl_jpeg_color(cases[i][0], cases[i][1], cases[i][2], rgb);
        assert_memory_equal(rgb, cases[i] + 3, 3);
    }
}

#ifdef LVL_HAVE_JPEG

#include <jpeglib.h>

#include <jerror.h>

typedef struct shape {
    uint32_t width, height;
    int components; /* 1 grey, 3 colours, 4 inks */
    bool passes, arithmetic;
    int quality, sampling; /* of brightness, each way */
} shape;

/* Smooth, so that little is lost. */
static uint8_t sample(uint32_t x, uint32_t y, int k)
{
    return (uint8_t)(k == 0 ? 40 + x : k == 1 ? 200 - y : k == 2 ? 90 + (x + y) / 2 : 20 + y / 2);
}

static lvl_bytes make(const shape *s)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *data = NULL;
    unsigned long len = 0;
    JSAMPLE row[4 * 256];
    JSAMPROW rows[1] = {row};

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &data, &len);
    jpeg.image_width = s->width;
    jpeg.image_height = s->height;
    jpeg.input_components = s->components;
    jpeg.in_color_space = s->components == 1 ? JCS_GRAYSCALE : s->components == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, s->quality, TRUE);
    if (s->components == 3)
        jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = s->sampling;
    if (s->passes)
        jpeg_simple_progression(&jpeg);
    jpeg.arith_code = s->arithmetic;
    jpeg_start_compress(&jpeg, TRUE);
    for (uint32_t y = 0; y < s->height; y++) {
        for (uint32_t x = 0; x < s->width; x++) {
            for (int k = 0; k < s->components; k++)
                row[x * (uint32_t)s->components + (uint32_t)k] = sample(x, y, k);
        }
        assert_int_equal(jpeg_write_scanlines(&jpeg, rows, 1), 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return (lvl_bytes){data, len};
}

static void let_go(lvl_bytes jpeg)
{
    free((void *)(uintptr_t)jpeg.ptr);
}

/* What the four inks, written by Adobe's way, come to. */
static int expected(const shape *s, uint32_t x, uint32_t y, int k)
{
    if (s->components == 1)
        return sample(x, y, 0);
    return s->components == 3 ? sample(x, y, k) : sample(x, y, k) * sample(x, y, 3) / 255;
}

static void comes_back(const shape *s)
{
    const lvl_bytes jpeg = make(s);
    lvl_image image;
    int worst = 0;

    assert_string_equal(lvl_picture_kind(jpeg), "JPEG");
    assert_int_equal(lvl_picture_read(&ctx, jpeg, false, &image), LVL_OK);
    assert_int_equal(image.format, LVL_PIXELS_RGBA8);
    assert_int_equal(image.width, s->width);
    assert_int_equal(image.height, s->height);
    for (uint32_t y = 0; y < s->height; y++) {
        for (uint32_t x = 0; x < s->width; x++) {
            const uint8_t *p = image.pixels + ((size_t)y * s->width + x) * 4;
            for (int k = 0; k < 3; k++) {
                const int d = abs(p[k] - expected(s, x, y, k));
                worst = d > worst ? d : worst;
            }
            assert_int_equal(p[3], 255);
        }
    }
    assert_in_range(worst, 0, 6);
    lvl_image_clear(&image);
    let_go(jpeg);
}

static void test_shapes(void **state)
{
    static const shape shapes[] = {
        {64, 48, 3, false, false, 95, 2}, {61, 47, 3, true, false, 95, 2},  {33, 100, 1, false, false, 95, 1},
        {1, 1, 3, false, false, 100, 1},  {50, 30, 4, false, false, 95, 1}, {17, 9, 4, true, false, 95, 1},
        {200, 3, 1, true, false, 95, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        comes_back(&shapes[i]);
}

static void test_cut(void **state)
{
    const shape s = {40, 30, 3, true, false, 80, 2};
    const lvl_bytes jpeg = make(&s);
    lvl_image image;
    size_t taken = 0;

    (void)state;
    for (size_t len = 0; len < jpeg.len; len++) {
        uint8_t *copy = malloc(len + 1); /* a separate allocation, so that a sanitizer sees reads beyond it */
        assert_non_null(copy);
        memcpy(copy, jpeg.ptr, len);
        if (lvl_jpeg_read(&ctx, (lvl_bytes){copy, len}, &image) == LVL_OK)
            taken++;
        else
            assert_null(image.pixels);
        lvl_image_clear(&image);
        free(copy);
    }
    assert_int_equal(taken, 0);
    let_go(jpeg);
}

static void test_damaged(void **state)
{
    static const shape shapes[] = {{24, 20, 3, false, false, 70, 2}, {24, 20, 3, true, false, 70, 2}};

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const lvl_bytes jpeg = make(&shapes[i]);
        uint8_t *copy = malloc(jpeg.len);
        assert_non_null(copy);
        memcpy(copy, jpeg.ptr, jpeg.len);
        for (size_t at = 0; at < jpeg.len; at++) {
            for (unsigned bit = 0; bit < 8; bit++) {
                lvl_image image;
                copy[at] ^= (uint8_t)(1u << bit);
                if (lvl_jpeg_read(&ctx, (lvl_bytes){copy, jpeg.len}, &image) == LVL_OK)
                    assert_non_null(image.pixels);
                else
                    assert_null(image.pixels);
                lvl_image_clear(&image);
                copy[at] ^= (uint8_t)(1u << bit);
            }
        }
        free(copy);
        let_go(jpeg);
    }
}

/* Replaces height and width in the frame header. */
static void boast(uint8_t *jpeg, size_t len)
{
    for (size_t i = 0; i + 9 < len; i++) {
        if (jpeg[i] == 0xFF && (jpeg[i + 1] == 0xC0 || jpeg[i + 1] == 0xC2))
            memset(jpeg + i + 5, 0xFA, 4);
    }
}

static void test_boasts(void **state)
{
    const shape s = {40, 30, 3, false, false, 80, 2}, packed = {40, 30, 3, false, true, 80, 2};
    const lvl_ctx few_cells = {.limits = {.cells = 100}}, little_memory = {.limits = {.memory_bytes = 4000}};
    lvl_bytes jpeg = make(&s);
    uint8_t *copy = malloc(jpeg.len);
    lvl_image image;

    (void)state;
    assert_non_null(copy);
    assert_int_equal(lvl_jpeg_read(&few_cells, jpeg, &image), LVL_ERR_LIMIT);
    assert_null(image.pixels);
    assert_int_equal(lvl_jpeg_read(&little_memory, jpeg, &image), LVL_ERR_LIMIT);
    assert_null(image.pixels);
    memcpy(copy, jpeg.ptr, jpeg.len);
    boast(copy, jpeg.len);
    assert_int_equal(lvl_jpeg_read(&ctx, (lvl_bytes){copy, jpeg.len}, &image), LVL_ERR_FORMAT);
    assert_null(image.pixels);
    free(copy);
    let_go(jpeg);
    jpeg = make(&packed); /* one bit may encode any number of pixels there */
    assert_int_equal(lvl_jpeg_read(&ctx, jpeg, &image), LVL_ERR_FORMAT);
    assert_null(image.pixels);
    let_go(jpeg);
}

/* ---- memory that runs out ---------------------------------------------------------------------------- */

#ifdef LVL_TEST_STARVES

static struct {
    unsigned calls, fail_at;
    void *(*small)(j_common_ptr, int, size_t);
    void *(*large)(j_common_ptr, int, size_t);
} starve;

void __real_jpeg_CreateDecompress(j_decompress_ptr jpeg, int version, size_t size);
void __wrap_jpeg_CreateDecompress(j_decompress_ptr jpeg, int version, size_t size);

static void count(j_common_ptr jpeg)
{
    if (++starve.calls == starve.fail_at) {
        jpeg->err->msg_code = JERR_OUT_OF_MEMORY;
        jpeg->err->error_exit(jpeg);
    }
}

static void *take_small(j_common_ptr jpeg, int pool, size_t size)
{
    count(jpeg);
    return starve.small(jpeg, pool, size);
}

static void *take_large(j_common_ptr jpeg, int pool, size_t size)
{
    count(jpeg);
    return starve.large(jpeg, pool, size);
}

void __wrap_jpeg_CreateDecompress(j_decompress_ptr jpeg, int version, size_t size)
{
    __real_jpeg_CreateDecompress(jpeg, version, size);
    starve.small = jpeg->mem->alloc_small;
    starve.large = jpeg->mem->alloc_large;
    jpeg->mem->alloc_small = take_small;
    jpeg->mem->alloc_large = take_large;
}

static void test_starved(void **state)
{
    static const shape shapes[] = {{24, 20, 3, false, false, 70, 2}, {24, 20, 4, true, false, 70, 2}};
    lvl_image image;

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const lvl_bytes jpeg = make(&shapes[i]);
        starve.calls = starve.fail_at = 0;
        assert_int_equal(lvl_jpeg_read(&ctx, jpeg, &image), LVL_OK);
        lvl_image_clear(&image);
        const unsigned calls = starve.calls;
        assert_true(calls > 10);
        for (unsigned at = 1; at <= calls; at++) {
            starve.calls = 0;
            starve.fail_at = at;
            assert_int_equal(lvl_jpeg_read(&ctx, jpeg, &image), LVL_ERR_MEMORY);
            assert_null(image.pixels);
        }
        starve.fail_at = 0;
        let_go(jpeg);
    }
}

#endif

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),  cmocka_unit_test(test_colors), cmocka_unit_test(test_kinds),
#ifdef LVL_HAVE_JPEG
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_cut),    cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_boasts),
#ifdef LVL_TEST_STARVES
        cmocka_unit_test(test_starved),
#endif
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
