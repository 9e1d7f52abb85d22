/*
 * test_hostile_gif_frames.c: animated GIFs, written by giflib from random frames, are read with all that is
 * to be seen: disposal, transparency, palettes, interlacing, frames that leave the screen, times; what is cut
 * off, damaged or too large is refused; failing allocations.
 */
#include "codec/gif.h"
#include "codec/gif_out.h"
#include "memory_writer.h"
#include "starve.h"
#include "tools/picture/frames.h"

#include "base/text.h"

#include <gif_lib.h>
#ifdef LVL_STARVE_LIBRARIES
#include <malloc.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 23, HEIGHT = 17, FRAMES = 12, COLORS = 16 };

static lvl_usage usage;
static const lvl_ctx ctx = {.limits = {.cells = 1 << 22}, .usage = &usage};

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

/* ---- GIFs, and what should be seen ----------------------------------------------------------------------- */

/* How a GIF is made. */
typedef struct kind {
    bool local; /* frames have palettes of their own, all different */
    bool transparent, interlaced, beyond, loops;
    int disposal; /* -1: each frame another one */
} kind;

typedef struct movie {
    lvl_buffer gif;
    uint8_t seen[FRAMES][HEIGHT][WIDTH][4];
    uint32_t ms[FRAMES];
} movie;

static int keep(GifFileType *gif, const GifByteType *data, int len)
{
    lvl_buffer *out = gif->UserData;

    lvl_buffer_add(out, data, (size_t)len);
    return out->status == LVL_OK ? len : 0;
}

static void color_of(const kind *k, int frame, int index, uint8_t rgba[4])
{
    rgba[0] = (uint8_t)(index * 15);
    rgba[1] = (uint8_t)(k->local ? frame * 9 + 1 : 4);
    rgba[2] = (uint8_t)(255 - index);
    rgba[3] = 255;
}

static ColorMapObject *make_map(const kind *k, int frame)
{
    GifColorType colors[COLORS];
    uint8_t rgba[4];

    for (int i = 0; i < COLORS; i++) {
        color_of(k, frame, i, rgba);
        colors[i] = (GifColorType){rgba[0], rgba[1], rgba[2]};
    }
    ColorMapObject *map = GifMakeMapObject(COLORS, colors);
    assert_non_null(map);
    return map;
}

static void put_control(GifFileType *gif, int disposal, unsigned delay, int transparent)
{
    const GraphicsControlBlock control = {disposal, false, (int)delay, transparent};
    GifByteType block[4];

    EGifGCBToExtension(&control, block);
    assert_int_equal(EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, block), GIF_OK);
}

/* Writes a frame, and shows it on the canvas. */
static void put_frame(GifFileType *gif, const kind *k, movie *m, uint8_t canvas[HEIGHT][WIDTH][4], int frame,
                      uint32_t *state)
{
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    const int left = (int)(next_number(state) % WIDTH), top = (int)(next_number(state) % HEIGHT);
    const int most_x = k->beyond ? 40 : WIDTH - left, most_y = k->beyond ? 30 : HEIGHT - top;
    const int width = (int)(next_number(state) % (unsigned)most_x) + 1;
    const int height = (int)(next_number(state) % (unsigned)most_y) + 1;
    const int disposal = k->disposal < 0 ? frame % 4 : k->disposal,
              clear = k->transparent ? frame % COLORS : -1;
    const unsigned delay = frame < 2 ? (unsigned)frame : next_number(state) % 900 + 2;
    ColorMapObject *map = k->local ? make_map(k, frame) : NULL;
    uint8_t before[HEIGHT][WIDTH][4];
    static GifByteType pixels[40][40];

    m->ms[frame] = delay < 2 ? 100 : delay * 10;
    put_control(gif, disposal, delay, clear);
    assert_int_equal(EGifPutImageDesc(gif, left, top, width, height, k->interlaced, map), GIF_OK);
    memcpy(before, canvas, sizeof before);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            pixels[y][x] = (GifByteType)(next_number(state) % COLORS);
            if (pixels[y][x] != clear && left + x < WIDTH && top + y < HEIGHT)
                color_of(k, frame, pixels[y][x], canvas[top + y][left + x]);
        }
    }
    for (int pass = 0; pass < (k->interlaced ? 4 : 1); pass++) {
        for (int y = k->interlaced ? starts[pass] : 0; y < height; y += k->interlaced ? steps[pass] : 1)
            assert_int_equal(EGifPutLine(gif, pixels[y], width), GIF_OK);
    }
    memcpy(m->seen[frame], canvas, sizeof m->seen[frame]);
    for (int y = top; y < top + height && y < HEIGHT && disposal == DISPOSE_BACKGROUND; y++) {
        for (int x = left; x < left + width && x < WIDTH; x++)
            memset(canvas[y][x], 0, 4);
    }
    if (disposal == DISPOSE_PREVIOUS)
        memcpy(canvas, before, sizeof before);
    GifFreeMapObject(map);
}

static void make_movie(movie *m, const kind *k)
{
    static const GifByteType endless[] = {1, 0, 0};
    uint8_t canvas[HEIGHT][WIDTH][4] = {0};
    ColorMapObject *map = make_map(k, 0);
    uint32_t state = 3;
    int error;

    memset(m, 0, sizeof *m);
    GifFileType *gif = EGifOpen(&m->gif, keep, &error);
    assert_non_null(gif);
    EGifSetGifVersion(gif, true);
    assert_int_equal(EGifPutScreenDesc(gif, WIDTH, HEIGHT, 8, 0, k->local ? NULL : map), GIF_OK);
    if (k->loops) {
        assert_int_equal(EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE), GIF_OK);
        assert_int_equal(EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0"), GIF_OK);
        assert_int_equal(EGifPutExtensionBlock(gif, 3, endless), GIF_OK);
        assert_int_equal(EGifPutExtensionTrailer(gif), GIF_OK);
    }
    for (int i = 0; i < FRAMES; i++)
        put_frame(gif, k, m, canvas, i, &state);
    assert_int_equal(EGifCloseFile(gif, &error), GIF_OK);
    GifFreeMapObject(map);
}

static lvl_bytes bytes_of(const movie *m)
{
    return (lvl_bytes){m->gif.data, m->gif.len};
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static void pixel_of(const lvl_image *image, size_t at, uint8_t rgba[4])
{
    memset(rgba, 0, 4);
    if (image->format == LVL_PIXELS_RGBA8) {
        memcpy(rgba, image->pixels + at * 4, 4);
    } else if (!image->mask || image->mask[at]) {
        memcpy(rgba, image->palette->rgb[image->pixels[at]], 3);
        rgba[3] = 255;
    }
}

static void same_movie(const lvl_frames *f, const movie *m, uint32_t count)
{
    uint8_t rgba[4];

    assert_int_equal(f->count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(f->items[i].width, WIDTH);
        assert_int_equal(f->items[i].height, HEIGHT);
        assert_int_equal(f->items[i].ms, m->ms[i]);
        for (size_t at = 0; at < (size_t)WIDTH * HEIGHT; at++) {
            pixel_of(&f->items[i].image, at, rgba);
            assert_memory_equal(rgba, m->seen[i][at / WIDTH][at % WIDTH], 4);
        }
    }
}

static void test_kinds(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 32; bits++) {
        for (int disposal = -1; disposal <= 3; disposal++) {
            const kind k = {bits & 1, bits & 2, bits & 4, bits & 8, bits & 16, disposal};
            movie *m = malloc(sizeof *m);
            lvl_gif_facts facts;
            lvl_frames f;
            assert_non_null(m);
            make_movie(m, &k);
            usage = (lvl_usage){0};
            assert_int_equal(lvl_gif_survey(bytes_of(m), &facts), LVL_OK);
            assert_int_equal(facts.frames, FRAMES);
            assert_int_equal(facts.indexed, !k.local);
            assert_int_equal(facts.loops, k.loops);
            assert_int_equal(lvl_frames_gif(&f, &ctx, bytes_of(m), lvl_text_of("a")), LVL_OK);
            same_movie(&f, m, FRAMES);
            assert_string_equal(f.items[10].name, "a011");
            /* 12 palettes of 16 colours fit into one */
            for (uint32_t i = 0; i < f.count; i++) {
                assert_int_equal(f.items[i].image.format, LVL_PIXELS_INDEX8);
                assert_memory_equal(f.items[i].image.palette, f.items[0].image.palette, sizeof(lvl_palette));
            }
            lvl_frames_free(&f);
            lvl_buffer_free(&m->gif);
            free(m);
        }
    }
}

/* What lvl writes is read as what was written. */
static void test_ours(void **state)
{
    uint32_t seed = 9;
    uint8_t seen[4][60];
    lvl_frames f;
    memory m = {.writer = {write_memory}};

    (void)state;
    lvl_gif_out *gif = lvl_gif_out_new(&ctx, true, &m.writer);
    for (int i = 0; i < 4; i++) {
        lvl_image image;
        assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 5, 3, false), LVL_OK);
        for (int at = 0; at < 60; at++)
            image.pixels[at] =
                (uint8_t)(at % 4 == 3 ? (next_number(&seed) & 1) * 255 : next_number(&seed) & 255);
        for (int at = 0; at < 60; at += 4)
            memset(image.pixels + at, 0, image.pixels[at + 3] ? 0 : 4);
        memcpy(seen[i], image.pixels, 60);
        assert_int_equal(lvl_gif_out_frame(gif, &image, 70), LVL_OK);
        lvl_image_clear(&image);
    }
    assert_int_equal(lvl_gif_out_end(gif), LVL_OK);
    lvl_gif_out_free(gif);
    assert_int_equal(lvl_frames_gif(&f, &ctx, (lvl_bytes){m.buf.data, m.buf.len}, lvl_text_of("a")), LVL_OK);
    assert_int_equal(f.count, 4);
    assert_true(f.loops);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(f.items[i].ms, 70);
        for (size_t at = 0; at < 15; at++) {
            uint8_t rgba[4];
            pixel_of(&f.items[i].image, at, rgba);
            assert_memory_equal(rgba, seen[i] + at * 4, 4);
        }
    }
    lvl_frames_free(&f);
    lvl_buffer_free(&m.buf);
}

/* Frames of different sizes and offsets as a film, and read again. */
static lvl_status make_film(memory *m, bool gif, lvl_frames *frames)
{
    lvl_status status = LVL_OK;

    *frames = (lvl_frames){.loops = true};
    for (uint32_t i = 0; i < 3 && status == LVL_OK; i++) {
        lvl_image image;
        lvl_frame *f;
        status = lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 4 + i, 9 - i, false);
        if (status != LVL_OK)
            break;
        for (size_t at = 0; at < (size_t)image.width * image.height; at++)
            memcpy(image.pixels + at * 4, (uint8_t[]){(uint8_t)at, (uint8_t)i, 9, 255}, 4);
        image.offset_x = (int32_t)i * 3 - 4;
        status = lvl_frames_add_image(frames, &ctx, lvl_text_of("a"), &image, &f);
        if (status == LVL_OK)
            f->ms = 50 + i * 20;
    }
    return status == LVL_OK ? lvl_frames_film(frames, &ctx, gif, &m->writer) : status;
}

static void test_film(void **state)
{
    memory m = {.writer = {write_memory}};
    lvl_frames frames, again;

    (void)state;
    assert_int_equal(make_film(&m, true, &frames), LVL_OK);
    assert_int_equal(lvl_frames_gif(&again, &ctx, lvl_buffer_bytes(&m.buf), lvl_text_of("a")), LVL_OK);
    assert_int_equal(again.count, 3);
    assert_true(again.loops);
    for (uint32_t i = 0; i < 3; i++) {
        const lvl_frame *f = &again.items[i];
        lvl_image seen;
        uint8_t rgba[4];
        assert_int_equal(f->ms, frames.items[i].ms);
        assert_int_equal(lvl_frame_on_canvas(&frames.items[i], &ctx, &seen), LVL_OK);
        assert_int_equal(f->width, seen.width);
        assert_int_equal(f->height, seen.height);
        for (size_t at = 0; at < (size_t)seen.width * seen.height; at++) {
            pixel_of(&f->image, at, rgba);
            assert_memory_equal(rgba, seen.pixels + at * 4, 4);
        }
        lvl_image_clear(&seen);
    }
    lvl_frames_free(&frames);
    lvl_frames_free(&again);
    lvl_buffer_free(&m.buf);
    for (int gif = 0; gif <= 1; gif++) {
        bool done = false;
        for (uint64_t call = 1; !done; call++) {
            const uint64_t blocks = lvl_starve_blocks();
            usage = (lvl_usage){0};
            lvl_starve_from(call, call % 2);
            const lvl_status status = make_film(&m, gif, &frames);
            lvl_starve_from(0, false);
            done = status == LVL_OK;
            assert_true(done || status == LVL_ERR_MEMORY);
            lvl_frames_free(&frames);
            lvl_buffer_free(&m.buf);
            assert_int_equal(lvl_starve_blocks(), blocks);
        }
    }
}

static void test_damaged(void **state)
{
    const kind k = {true, true, true, true, true, -1};
    movie *m = malloc(sizeof *m);
    lvl_gif_facts facts;
    lvl_frames f;

    (void)state;
    assert_non_null(m);
    make_movie(m, &k);
    for (size_t len = 0; len < m->gif.len; len++) {
        uint8_t *copy = malloc(len + 1); /* a separate allocation, so that a sanitizer sees reads beyond it */
        assert_non_null(copy);
        memcpy(copy, m->gif.data, len);
        usage = (lvl_usage){0};
        const lvl_status status = lvl_frames_gif(&f, &ctx, (lvl_bytes){copy, len}, lvl_text_of("a"));
        /* it ends between two frames, or in one */
        if (status == LVL_OK)
            same_movie(&f, m, f.count);
        else
            assert_int_equal(status, LVL_ERR_FORMAT);
        lvl_frames_free(&f);
        free(copy);
    }
    for (size_t at = 0; at < m->gif.len; at++) {
        m->gif.data[at] ^= (uint8_t)(1u << at % 8);
        usage = (lvl_usage){0};
        const lvl_status status = lvl_gif_survey(bytes_of(m), &facts);
        if (lvl_frames_gif(&f, &ctx, bytes_of(m), lvl_text_of("a")) == LVL_OK) {
            assert_int_equal(status, LVL_OK);
            assert_int_equal(f.count, facts.frames);
        }
        lvl_frames_free(&f);
        m->gif.data[at] ^= (uint8_t)(1u << at % 8);
    }
    lvl_buffer_free(&m->gif);
    free(m);
}

#ifdef LVL_STARVE_LIBRARIES
/* What is allocated, also by giflib, at the first and the last frame. */
typedef struct growing {
    uint32_t frames;
    size_t first, last;
} growing;

static lvl_status measure_frame(void *user, const lvl_image *frame, uint32_t ms)
{
    const struct mallinfo2 now = mallinfo2();
    growing *g = user;

    (void)frame;
    (void)ms;
    g->last = now.uordblks + now.hblkhd;
    if (!g->frames++)
        g->first = g->last;
    return LVL_OK;
}

/* Nothing is kept of frames that were seen: a file of a gigabyte has 70 millions of the least ones. */
static void test_forgotten(void **state)
{
    static const uint8_t head[] = {'G',  'I', 'F', '8', '9', 'a', 1,   0,   1,  0,
                                   0x80, 0,   0,   0,   0,   0,   255, 255, 255};
    static const uint8_t frame[] = {',', 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 1, 2, 3, 4, 5, 6, 2, 2, 0x44, 1, 0};
    growing g = {0};
    lvl_buffer gif = {0};

    (void)state;
    lvl_buffer_add(&gif, head, sizeof head);
    for (int i = 0; i < 3000; i++)
        lvl_buffer_add(&gif, frame, sizeof frame);
    assert_int_equal(gif.status, LVL_OK);
    assert_int_equal(lvl_gif_frames(&ctx, lvl_buffer_bytes(&gif), true, measure_frame, &g), LVL_OK);
    assert_int_equal(g.frames, 3000);
    assert_true(g.first > 0 && g.last < g.first + 3000);
    lvl_buffer_free(&gif);
}
#endif

/* Thousands of frames of a few bytes on a large screen: the work and the memory are counted, not done. */
static void test_many(void **state)
{
    static const uint8_t head[] = {'G',  'I', 'F', '8', '9', 'a', 0,   8,   0,  8,
                                   0x80, 0,   0,   0,   0,   0,   255, 255, 255};
    static const uint8_t frame[] = {',', 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0};
    const lvl_ctx work = {.limits = {.work = 1 << 26}, .usage = &usage};
    const lvl_ctx small = {.limits = {.memory_bytes = 1 << 27}, .usage = &usage};
    lvl_buffer gif = {0};
    lvl_frames f;

    (void)state;
    lvl_buffer_add(&gif, head, sizeof head);
    for (int i = 0; i < 3000; i++)
        lvl_buffer_add(&gif, frame, sizeof frame);
    assert_int_equal(gif.status, LVL_OK);
    const lvl_bytes bytes = {gif.data, gif.len};
    uint32_t count;
    assert_int_equal(lvl_frames_count(bytes, &count), LVL_OK);
    assert_int_equal(count, 3000);
    usage = (lvl_usage){0};
    assert_int_equal(lvl_frames_gif(&f, &work, bytes, lvl_text_of("a")), LVL_ERR_LIMIT);
    assert_int_equal(usage.limit, LVL_LIMIT_WORK);
    lvl_frames_free(&f);
    usage = (lvl_usage){0};
    assert_int_equal(lvl_frames_gif(&f, &small, bytes, lvl_text_of("a")), LVL_ERR_LIMIT);
    assert_int_equal(usage.limit, LVL_LIMIT_MEMORY);
    lvl_frames_free(&f);
    /* a screen that no file of this size fills */
    assert_int_equal(lvl_frames_gif(&f, &ctx, (lvl_bytes){gif.data, sizeof head + 30}, lvl_text_of("a")),
                     LVL_ERR_FORMAT);
    lvl_frames_free(&f);
    lvl_buffer_free(&gif);
}

static void test_no_memory(void **state)
{
    const kind k = {true, true, false, false, true, -1};
    movie *m = malloc(sizeof *m);
    bool done = false;

    (void)state;
    assert_non_null(m);
    make_movie(m, &k);
    for (uint64_t call = 1; !done; call++) {
        const uint64_t blocks = lvl_starve_blocks();
        lvl_frames f;
        usage = (lvl_usage){0};
        lvl_starve_from(call, call % 2);
        const lvl_status status = lvl_frames_gif(&f, &ctx, bytes_of(m), lvl_text_of("a"));
        lvl_starve_from(0, false);
        done = status == LVL_OK;
        assert_true(done || status == LVL_ERR_MEMORY);
        lvl_frames_free(&f);
        assert_int_equal(lvl_starve_blocks(), blocks);
        assert_true(!done || call > 1 || !lvl_starve_works());
    }
    lvl_buffer_free(&m->gif);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),     cmocka_unit_test(test_ours), cmocka_unit_test(test_film),
        cmocka_unit_test(test_damaged),   cmocka_unit_test(test_many), cmocka_unit_test(test_no_memory),
#ifdef LVL_STARVE_LIBRARIES
        cmocka_unit_test(test_forgotten),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
