/*
 * test_hostile_gif_out.c: GIFs that lvl writes, read by giflib and put together here as viewers do: pixels,
 * colours, times; failing writers and allocations. And animations as GIFs.
 */
#include "codec/gif_out.h"
#include "memory_writer.h"
#include "starve.h"

#include <lvl/render.h>

#include <gif_lib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

static lvl_ctx ctx;

/* ---- a reader ------------------------------------------------------------------------------------------ */

typedef struct film {
    uint32_t width, height, frames;
    bool loops;
    int delays[MOST]; /* hundredths */
    uint64_t written[MOST]; /* pixels of the frame's box */
    uint8_t *pixels[MOST]; /* what is seen, RGBA */
} film;

typedef struct source {
    lvl_bytes bytes;
    size_t at;
} source;

static int take(GifFileType *file, GifByteType *to, int count)
{
    source *s = file->UserData;
    const size_t left = s->bytes.len - s->at, n = (size_t)count < left ? (size_t)count : left;

    memcpy(to, s->bytes.ptr + s->at, n);
    s->at += n;
    return (int)n;
}

static void free_film(film *f)
{
    for (uint32_t i = 0; i < f->frames; i++)
        free(f->pixels[i]);
}

static bool has_loop(const SavedImage *image)
{
    for (int i = 0; i < image->ExtensionBlockCount; i++) {
        const ExtensionBlock *block = &image->ExtensionBlocks[i];
        if (block->Function == APPLICATION_EXT_FUNC_CODE && block->ByteCount == 11 &&
            memcmp(block->Bytes, "NETSCAPE2.0", 11) == 0)
            return true;
    }
    return false;
}

static void put_frame(film *f, const GifFileType *file, int index, uint8_t *canvas)
{
    const SavedImage *image = &file->SavedImages[index];
    const GifImageDesc *d = &image->ImageDesc;
    const size_t size = (size_t)f->width * f->height * 4;
    GraphicsControlBlock control;

    assert_int_equal(DGifSavedExtensionToGCB((GifFileType *)(uintptr_t)file, index, &control), GIF_OK);
    assert_non_null(d->ColorMap);
    assert_true(d->Left >= 0 && d->Top >= 0 && d->Width > 0 && d->Height > 0);
    assert_true((uint32_t)(d->Left + d->Width) <= f->width && (uint32_t)(d->Top + d->Height) <= f->height);
    f->delays[index] = control.DelayTime;
    f->written[index] = (uint64_t)d->Width * (uint64_t)d->Height;
    for (int y = 0; y < d->Height; y++) {
        for (int x = 0; x < d->Width; x++) {
            const int color = image->RasterBits[y * d->Width + x];
            uint8_t *to = canvas + ((size_t)(d->Top + y) * f->width + (size_t)(d->Left + x)) * 4;
            if (color == control.TransparentColor)
                continue;
            assert_true(color < d->ColorMap->ColorCount);
            const GifColorType *c = &d->ColorMap->Colors[color];
            to[0] = c->Red, to[1] = c->Green, to[2] = c->Blue, to[3] = 255;
        }
    }
    f->pixels[index] = malloc(size);
    assert_non_null(f->pixels[index]);
    memcpy(f->pixels[index], canvas, size);
    for (int y = 0; y < d->Height && control.DisposalMode == DISPOSE_BACKGROUND; y++)
        memset(canvas + ((size_t)(d->Top + y) * f->width + (size_t)d->Left) * 4, 0, (size_t)d->Width * 4);
}

static void read_film(film *f, lvl_bytes bytes)
{
    source from = {bytes, 0};
    int error = 0;
    GifFileType *file = DGifOpen(&from, take, &error);

    memset(f, 0, sizeof *f);
    assert_non_null(file);
    assert_int_equal(DGifSlurp(file), GIF_OK);
    assert_in_range(file->ImageCount, 1, MOST);
    f->width = (uint32_t)file->SWidth;
    f->height = (uint32_t)file->SHeight;
    f->frames = (uint32_t)file->ImageCount;
    f->loops = has_loop(&file->SavedImages[0]);
    uint8_t *canvas = calloc((size_t)f->width * f->height, 4);
    assert_non_null(canvas);
    for (int i = 0; i < file->ImageCount; i++)
        put_frame(f, file, i, canvas);
    free(canvas);
    DGifCloseFile(file, &error);
}

/* ---- frames -------------------------------------------------------------------------------------------- */

/* The kinds of animations: what pixel x, y of a frame is. */
enum { OPAQUE, MOVING, GROWING, VANISHING, HALF, MANY_COLOURS, KINDS };

static void paint(int kind, uint32_t frame, uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint8_t plain[4] = {(uint8_t)(x * 20), (uint8_t)(y * 20), 77, 255};
    const uint32_t at = frame * 2;
    bool clear = false;

    memcpy(rgba, plain, 4);
    if (kind == OPAQUE && x >= at && x < at + 2 && y == 3)
        rgba[2] = 200;
    if (kind == MOVING)
        clear = x < at || x >= at + 3;
    if (kind == GROWING)
        clear = x > at;
    if (kind == VANISHING)
        clear = x < at || frame == 2; /* one frame shows nothing */
    if (kind == HALF)
        rgba[3] = (uint8_t)((x + frame) * 25 & 255);
    if (kind == MANY_COLOURS) {
        rgba[0] = (uint8_t)(x * 7 + frame);
        rgba[1] = (uint8_t)(y * 9);
        rgba[2] = (uint8_t)(x + y); /* 1200 colours that lie on a plane */
    }
    if (clear)
        memset(rgba, 0, 4);
}

static void make_frame(lvl_image *image, int kind, uint32_t frame)
{
    const uint32_t width = kind == MANY_COLOURS ? 40 : 12, height = kind == MANY_COLOURS ? 30 : 9;

    assert_int_equal(lvl_image_init(image, &ctx, LVL_PIXELS_RGBA8, width, height, false), LVL_OK);
    for (uint32_t i = 0; i < width * height; i++)
        paint(kind, frame, i % width, i / width, image->pixels + (size_t)i * 4);
}

enum { FRAMES = 5 };

static lvl_status write_film(memory *m, const lvl_image *frames, bool loops, const uint32_t *ms)
{
    lvl_gif_out *gif = lvl_gif_out_new(&ctx, loops, &m->writer);
    lvl_status status = gif ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t f = 0; f < FRAMES && status == LVL_OK; f++)
        status = lvl_gif_out_frame(gif, &frames[f], ms[f]);
    if (status == LVL_OK)
        status = lvl_gif_out_end(gif);
    lvl_gif_out_free(gif);
    return status;
}

static const uint32_t times[FRAMES] = {50, 55, 55, 1, 123};

static void make_frames(lvl_image *frames, int kind)
{
    for (uint32_t f = 0; f < FRAMES; f++)
        make_frame(&frames[f], kind, f);
}

static void clear_frames(lvl_image *frames)
{
    for (uint32_t f = 0; f < FRAMES; f++)
        lvl_image_clear(&frames[f]);
}

/* Fewer colours: near on average. */
static void assert_near(const uint8_t *is, const lvl_image *should, int kind)
{
    const size_t count = (size_t)should->width * should->height;
    uint64_t off = 0;

    for (size_t i = 0; i < count; i++) {
        const uint8_t *a = is + i * 4, *b = should->pixels + i * 4;
        assert_int_equal(a[3], b[3] < 128 ? 0 : 255);
        for (int k = 0; k < 3 && a[3]; k++)
            off += (uint64_t)abs(a[k] - b[k]);
    }
    if (off > (kind == MANY_COLOURS ? count * 3 * 6 : 0))
        fail_msg("kind %d: off by %g of 255 on average", kind, (double)off / (double)(count * 3));
}

static void frames_come_back(void **state)
{
    static const int delays[FRAMES] = {5, 6, 5, 2, 10}; /* hundredths: the sum is kept */

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int loops = 0; loops < 2; loops++) {
            lvl_image frames[FRAMES];
            memory m = {.writer = {write_memory}};
            film f;
            make_frames(frames, kind);
            assert_int_equal(write_film(&m, frames, loops, times), LVL_OK);
            read_film(&f, lvl_buffer_bytes(&m.buf));
            assert_int_equal(f.frames, FRAMES);
            assert_int_equal(f.loops, loops);
            for (uint32_t i = 0; i < FRAMES; i++) {
                assert_int_equal(f.delays[i], delays[i]);
                assert_near(f.pixels[i], &frames[i], kind);
            }
            if (kind == OPAQUE) /* only what changes is written */
                assert_true(f.written[1] == 4 && f.written[4] == 4);
            free_film(&f);
            clear_frames(frames);
            lvl_buffer_free(&m.buf);
        }
    }
}

static void wrong_frames_are_refused(void **state)
{
    memory m = {.writer = {write_memory}};
    uint8_t pixel[4] = {0};
    lvl_image frames[FRAMES];
    const lvl_image indices = {.format = LVL_PIXELS_INDEX8, .width = 1, .height = 1, .pixels = pixel},
                    long_one = {.format = LVL_PIXELS_RGBA8, .width = 65536, .height = 1, .pixels = pixel},
                    other = {.format = LVL_PIXELS_RGBA8, .width = 1, .height = 1, .pixels = pixel};

    (void)state;
    make_frames(frames, MOVING);
    lvl_gif_out *gif = lvl_gif_out_new(&ctx, true, &m.writer);
    assert_non_null(gif);
    assert_int_equal(lvl_gif_out_end(gif), LVL_ERR_ARG);
    assert_int_equal(lvl_gif_out_frame(gif, &indices, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_gif_out_frame(gif, &long_one, 1), LVL_ERR_LIMIT);
    lvl_gif_out_free(gif);
    gif = lvl_gif_out_new(&ctx, true, &m.writer);
    assert_non_null(gif);
    assert_int_equal(lvl_gif_out_frame(gif, &frames[0], 1), LVL_OK);
    assert_int_equal(lvl_gif_out_frame(gif, &other, 1), LVL_ERR_ARG);
    lvl_gif_out_free(gif);
    lvl_buffer_free(&m.buf);
    clear_frames(frames);
}

static void writers_may_fail(void **state)
{
    lvl_image frames[FRAMES];
    memory all = {.writer = {write_memory}};

    (void)state;
    make_frames(frames, MOVING);
    assert_int_equal(write_film(&all, frames, true, times), LVL_OK);
    for (size_t most = 1; most < all.buf.len; most++) {
        memory m = {.writer = {write_memory}, .most = most};
        assert_int_equal(write_film(&m, frames, true, times), LVL_ERR_IO);
        assert_true(m.buf.len <= most);
        lvl_buffer_free(&m.buf);
    }
    for (uint64_t call = 1, calls = UINT64_MAX; call <= calls; call++) {
        memory m = {.writer = {write_memory}};
        const uint64_t blocks = lvl_starve_blocks();
        lvl_starve_from(call, call % 2);
        const lvl_status status = write_film(&m, frames, true, times);
        calls = status == LVL_OK ? 0 : calls;
        lvl_starve_from(0, false);
        assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
        if (status == LVL_OK) {
            assert_int_equal(m.buf.len, all.buf.len);
            assert_memory_equal(m.buf.data, all.buf.data, all.buf.len);
            assert_true(call > 1 || !lvl_starve_works());
        }
        lvl_buffer_free(&m.buf);
        assert_int_equal(lvl_starve_blocks(), blocks);
    }
    lvl_buffer_free(&all.buf);
    clear_frames(frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_back),
        cmocka_unit_test(wrong_frames_are_refused),
        cmocka_unit_test(writers_may_fail),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
