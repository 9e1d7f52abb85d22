/*
 * test_apng.c: animated PNGs, read by a separate reader in this file: chunks, sequence numbers, checksums,
 * and the pixels of each frame.
 */
#include <lvl/image.h>

#include "codec/deflate.h"
#include "codec/inflate.h"
#include "codec/apng.h"
#include "codec/png.h"
#include "memory_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 32 };

static lvl_ctx ctx;

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

typedef struct film {
    uint32_t width, height, frames, plays, channels;
    uint32_t shown; /* frames seen */
    uint32_t written[MOST]; /* pixels that each frame writes */
    double ms[MOST];
    uint8_t *pixels[MOST]; /* the whole picture after each frame, RGBA */
    uint8_t palette[256][4];
    uint32_t colours;
} film;

static void free_film(film *f)
{
    for (uint32_t i = 0; i < f->shown; i++)
        free(f->pixels[i]);
}

static void take_pixels(film *f, const uint8_t control[26], lvl_bytes packed)
{
    const uint32_t width = u32(control + 4), height = u32(control + 8), left = u32(control + 12),
                   top = u32(control + 16);
    const size_t row = (size_t)width * f->channels + 1;
    const size_t size = (size_t)f->width * f->height * 4;
    uint8_t *raw = malloc(row * height + 1);
    uint8_t *to = calloc(1, size + 1);
    size_t len;

    assert_true(width > 0 && height > 0 && left + width <= f->width && top + height <= f->height);
    assert_int_equal(control[24], 0); /* dispose: none */
    assert_int_equal(control[25], 0); /* blend: source */
    assert_int_equal(lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, packed, raw, row * height, NULL, &len),
                     LVL_OK);
    assert_int_equal(len, row * height);
    if (f->shown)
        memcpy(to, f->pixels[f->shown - 1], size);
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *from = raw + y * row;
        assert_int_equal(*from++, 0);
        for (uint32_t x = 0; x < width; x++, from += f->channels) {
            if (f->channels == 1)
                assert_true(*from < f->colours);
            memcpy(to + ((size_t)(top + y) * f->width + left + x) * 4,
                   f->channels == 1 ? f->palette[*from] : from, 4);
        }
    }
    free(raw);
    assert_true(f->shown < MOST);
    f->written[f->shown] = width * height;
    f->ms[f->shown] =
        1000.0 * ((unsigned)control[20] << 8 | control[21]) / ((unsigned)control[22] << 8 | control[23]);
    f->pixels[f->shown++] = to;
}

static film read_film(lvl_bytes in)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    film f = {0};
    uint32_t sequence = 0;
    uint8_t control[26] = {0};
    bool ended = false, controlled = false;

    assert_true(in.len > 8 && memcmp(in.ptr, signature, 8) == 0);
    for (size_t at = 8; at < in.len;) {
        assert_false(ended);
        assert_true(in.len - at >= 12);
        const uint32_t len = u32(in.ptr + at);
        const uint8_t *name = in.ptr + at + 4, *data = in.ptr + at + 8;
        assert_true(len <= in.len - at - 12);
        assert_int_equal(u32(data + len), lvl_crc32((lvl_bytes){name, len + 4}));
        at += (size_t)len + 12;
        if (memcmp(name, "IHDR", 4) == 0) {
            f.width = u32(data);
            f.height = u32(data + 4);
            assert_int_equal(data[8], 8);
            assert_true(data[9] == 3 || data[9] == 6);
            f.channels = data[9] == 3 ? 1 : 4;
        } else if (memcmp(name, "acTL", 4) == 0) {
            assert_int_equal(f.shown, 0);
            f.frames = u32(data);
            f.plays = u32(data + 4);
        } else if (memcmp(name, "PLTE", 4) == 0) {
            f.colours = len / 3;
            for (uint32_t i = 0; i < f.colours; i++) {
                memcpy(f.palette[i], data + (size_t)i * 3, 3);
                f.palette[i][3] = 255;
            }
        } else if (memcmp(name, "tRNS", 4) == 0) {
            for (uint32_t i = 0; i < len; i++)
                f.palette[i][3] = data[i];
        } else if (memcmp(name, "fcTL", 4) == 0) {
            assert_int_equal(len, 26);
            assert_int_equal(u32(data), sequence++);
            assert_false(controlled);
            controlled = true;
            memcpy(control, data, 26);
        } else if (memcmp(name, "IDAT", 4) == 0) {
            assert_true(controlled && f.shown == 0);
            assert_int_equal(u32(control + 4), f.width);
            controlled = false;
            take_pixels(&f, control, (lvl_bytes){data, len});
        } else if (memcmp(name, "fdAT", 4) == 0) {
            assert_true(controlled && f.shown > 0);
            assert_int_equal(u32(data), sequence++);
            controlled = false;
            take_pixels(&f, control, (lvl_bytes){data + 4, len - 4});
        } else {
            assert_memory_equal(name, "IEND", 4);
            ended = true;
        }
    }
    assert_true(ended);
    assert_int_equal(f.shown, f.frames);
    return f;
}

/* A square that walks over nothing, in one of two colours; `many`: each pixel another. */
static lvl_image picture(uint32_t step, bool many)
{
    lvl_image image;

    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 40, 24, false), LVL_OK);
    for (uint32_t y = 0; y < 24; y++) {
        for (uint32_t x = 0; x < 40; x++) {
            uint8_t *p = image.pixels + ((size_t)y * 40 + x) * 4;
            if (many) {
                p[0] = (uint8_t)(x * 6);
                p[1] = (uint8_t)(y * 10);
                p[2] = (uint8_t)step;
                p[3] = (uint8_t)(255 - x);
            } else if (x >= step * 3 && x < step * 3 + 8 && y >= 4 && y < 12) {
                p[0] = step % 2 ? 200 : 10;
                p[1] = 30;
                p[3] = x == step * 3 ? 128 : 255;
            }
        }
    }
    return image;
}

static film film_of(uint32_t frames, bool many, bool survey, const uint32_t *ms, uint32_t plays)
{
    memory m = {{write_memory}, {0}, 0};
    lvl_apng *apng = lvl_apng_new(&ctx, frames, plays, &m.writer);

    for (uint32_t i = 0; i < frames && survey; i++) {
        lvl_image image = picture(i, many);
        assert_int_equal(lvl_apng_survey(apng, &image), LVL_OK);
        lvl_image_clear(&image);
    }
    for (uint32_t i = 0; i < frames; i++) {
        lvl_image image = picture(i, many);
        assert_int_equal(lvl_apng_end(apng), LVL_ERR_ARG);
        assert_int_equal(lvl_apng_frame(apng, &image, ms ? ms[i] : 50), LVL_OK);
        lvl_image_clear(&image);
    }
    assert_int_equal(lvl_apng_end(apng), LVL_OK);
    lvl_apng_free(apng);
    film f = read_film((lvl_bytes){m.buf.data, m.buf.len});
    lvl_image first;
    assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){m.buf.data, m.buf.len}, &first),
                     LVL_OK); /* any viewer shows the first frame */
    assert_int_equal(first.width, 40);
    lvl_image_clear(&first);
    lvl_buffer_free(&m.buf);
    return f;
}

static void assert_frames(const film *f, bool many)
{
    for (uint32_t i = 0; i < f->frames; i++) {
        lvl_image image = picture(i, many);
        assert_memory_equal(f->pixels[i], image.pixels, (size_t)40 * 24 * 4);
        lvl_image_clear(&image);
    }
}

static void frames_come_back_in_a_palette(void **state)
{
    film f = film_of(9, false, true, NULL, 0);

    (void)state;
    assert_int_equal(f.channels, 1);
    assert_int_equal(f.colours, 5); /* nothing, and two colours, each whole and half */
    assert_int_equal(f.plays, 0);
    assert_frames(&f, false);
    assert_true(f.written[1] <= 11 * 8); /* only the square's old and new place */
    free_film(&f);
}

static void frames_come_back_in_full_colour(void **state)
{
    film f = film_of(5, true, true, NULL, 1), unseen = film_of(5, false, false, NULL, 1);

    (void)state;
    assert_int_equal(f.channels, 4);
    assert_int_equal(f.plays, 1);
    assert_frames(&f, true);
    assert_int_equal(unseen.channels, 4); /* no color type is given */
    assert_frames(&unseen, false);
    free_film(&f);
    free_film(&unseen);
}

static void times_are_as_given(void **state)
{
    static const uint32_t ms[] = {50, 750, 1, 65535, 65540, 3600000, UINT32_MAX};
    film f = film_of(7, false, true, ms, 1);

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_true(f.ms[i] == ms[i]);
    assert_true(f.ms[4] == 65540);
    assert_true(f.ms[5] == 3600000);
    assert_true(f.ms[6] == 65535000); /* the longest that the format can represent */
    free_film(&f);
}

static void frames_that_are_alike_cost_nothing(void **state)
{
    memory m = {{write_memory}, {0}, 0};
    lvl_apng *apng = lvl_apng_new(&ctx, 3, 0, &m.writer);
    lvl_image image = picture(1, true);

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(lvl_apng_frame(apng, &image, 50), LVL_OK);
    assert_int_equal(lvl_apng_end(apng), LVL_OK);
    film f = read_film((lvl_bytes){m.buf.data, m.buf.len});
    assert_int_equal(f.written[1], 1);
    assert_int_equal(f.written[2], 1);
    assert_memory_equal(f.pixels[2], image.pixels, (size_t)40 * 24 * 4);
    free_film(&f);
    lvl_image_clear(&image);
    lvl_apng_free(apng);
    lvl_buffer_free(&m.buf);
}

static void misuse_is_refused(void **state)
{
    memory m = {{write_memory}, {0}, 0};
    lvl_image image = picture(0, false), other = picture(5, true), small, indexed;

    (void)state;
    assert_int_equal(lvl_image_init(&small, &ctx, LVL_PIXELS_RGBA8, 3, 3, false), LVL_OK);
    assert_int_equal(lvl_image_init(&indexed, &ctx, LVL_PIXELS_INDEX8, 40, 24, false), LVL_OK);
    lvl_apng *apng = lvl_apng_new(&ctx, 2, 0, &m.writer);
    assert_int_equal(lvl_apng_survey(apng, &indexed), LVL_ERR_ARG);
    assert_int_equal(lvl_apng_survey(apng, &image), LVL_OK);
    assert_int_equal(lvl_apng_survey(apng, &image), LVL_OK);
    assert_int_equal(lvl_apng_frame(apng, &indexed, 50), LVL_ERR_ARG);
    assert_int_equal(lvl_apng_frame(apng, &image, 50), LVL_OK);
    assert_int_equal(lvl_apng_frame(apng, &small, 50), LVL_ERR_ARG);
    assert_int_equal(lvl_apng_survey(apng, &image), LVL_ERR_ARG);
    assert_int_equal(lvl_apng_frame(apng, &other, 50), LVL_ERR_ARG); /* colours that the palette lacks */
    lvl_apng_free(apng);
    apng = lvl_apng_new(&ctx, 1, 0, &m.writer);
    assert_int_equal(lvl_apng_frame(apng, &image, 50), LVL_OK);
    assert_int_equal(lvl_apng_frame(apng, &image, 50), LVL_ERR_ARG);
    assert_int_equal(lvl_apng_end(apng), LVL_OK);
    lvl_apng_free(apng);
    lvl_buffer_free(&m.buf);
    lvl_image_clear(&image);
    lvl_image_clear(&other);
    lvl_image_clear(&small);
    lvl_image_clear(&indexed);
}

static void a_writer_that_fails_is_heard(void **state)
{
    lvl_image image = picture(0, true), next = picture(1, true);
    bool whole = false;

    (void)state;
    for (size_t most = 1; !whole; most += 7) {
        memory m = {{write_memory}, {0}, most};
        lvl_apng *apng = lvl_apng_new(&ctx, 2, 0, &m.writer);
        lvl_status status = lvl_apng_frame(apng, &image, 50);
        if (status == LVL_OK)
            status = lvl_apng_frame(apng, &next, 50);
        if (status == LVL_OK)
            status = lvl_apng_end(apng);
        whole = status == LVL_OK;
        assert_true(whole || status == LVL_ERR_IO);
        lvl_apng_free(apng);
        lvl_buffer_free(&m.buf);
    }
    lvl_image_clear(&image);
    lvl_image_clear(&next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_back_in_a_palette),
        cmocka_unit_test(frames_come_back_in_full_colour),
        cmocka_unit_test(times_are_as_given),
        cmocka_unit_test(frames_that_are_alike_cost_nothing),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(a_writer_that_fails_is_heard),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
