/*
 * codec/apng.c: animated PNG out.
 *
 *   signature  IHDR  acTL  PLTE? tRNS?  fcTL IDAT  fcTL fdAT  fcTL fdAT …  IEND
 *
 * fcTL and fdAT share one run of sequence numbers from 0. Each frame after the first is the bounding box
 * of the changed pixels, which replaces them (dispose none, blend source), transparent pixels included.
 */
#include <lvl/image.h>

#include "base/arena.h"
#include "base/cursor.h"
#include "base/hash.h"
#include "base/work.h"
#include "codec/deflate.h"
#include "codec/apng.h"
#include "codec/png.h"

#include <libdeflate.h>
#include <string.h>

enum {
    LEVEL = 6, /* of deflate: these files are small, and are kept */
    SLOT_BITS = 10,
    SLOTS = 1 << SLOT_BITS, /* of the hash of colours */
    COLOURS = 256
};

typedef struct box {
    uint32_t x, y, width, height;
} box;

struct lvl_apng {
    const lvl_ctx *ctx;
    lvl_writer *out;
    uint32_t frames, plays;
    uint32_t width, height; /* 0: not known yet */
    uint32_t done, surveyed, sequence;
    uint32_t colour_count; /* COLOURS + 1: too many */
    uint8_t colours[COLOURS][4];
    uint16_t slots[SLOTS]; /* index + 1 */
    lvl_hash_seed seed; /* so that no picture can choose colours that collide */
    bool indexed;
    uint8_t *before; /* pixels of the frame before */
    struct libdeflate_compressor *compressor;
};

lvl_apng *lvl_apng_new(const lvl_ctx *ctx, uint32_t frames, uint32_t plays, lvl_writer *out)
{
    lvl_apng *apng = lvl_mem_alloc(ctx, sizeof *apng);

    if (!apng)
        return NULL;
    memset(apng, 0, sizeof *apng);
    apng->seed = lvl_hash_seed_new();
    apng->ctx = ctx;
    apng->out = out;
    apng->frames = frames;
    apng->plays = plays;
    return apng;
}

void lvl_apng_free(lvl_apng *apng)
{
    if (!apng)
        return;
    if (apng->compressor)
        libdeflate_free_compressor(apng->compressor);
    lvl_mem_free(apng->ctx, apng->before);
    lvl_mem_free(apng->ctx, apng);
}

/* ---- colours ----------------------------------------------------------------------------------------- */

/* The slot of a colour: the one that has it, or the free one where it belongs. There are more slots than
 * colours. */
static uint16_t *slot_of(lvl_apng *apng, const uint8_t rgba[4])
{
    uint32_t color;

    memcpy(&color, rgba, sizeof color);
    uint32_t h = (uint32_t)(lvl_hash_mix(&apng->seed, apng->seed.start, color) >> (64 - SLOT_BITS));
    while (apng->slots[h] && memcmp(apng->colours[apng->slots[h] - 1], rgba, 4) != 0)
        h = (h + 1) & (SLOTS - 1);
    return &apng->slots[h];
}

/* All fully transparent pixels get one colour. */
static void put_plain_pixel(const uint8_t *from, uint8_t to[4])
{
    if (from[3])
        memcpy(to, from, 4);
    else
        memset(to, 0, 4);
}

lvl_status lvl_apng_survey(lvl_apng *apng, const lvl_image *frame)
{
    const size_t count = (size_t)frame->width * frame->height;
    uint8_t rgba[4], last[4] = {0};
    bool any = false;

    if (frame->format != LVL_PIXELS_RGBA8 || !frame->pixels || apng->done)
        return LVL_ERR_ARG;
    apng->surveyed++;
    for (size_t i = 0; i < count && apng->colour_count <= COLOURS; i++) {
        put_plain_pixel(frame->pixels + i * 4, rgba);
        if (any && memcmp(rgba, last, 4) == 0)
            continue;
        any = true;
        memcpy(last, rgba, 4);
        uint16_t *slot = slot_of(apng, rgba);
        if (*slot)
            continue;
        if (apng->colour_count == COLOURS) {
            apng->colour_count++;
            break;
        }
        memcpy(apng->colours[apng->colour_count], rgba, 4);
        *slot = (uint16_t)++apng->colour_count;
    }
    return LVL_OK;
}

/* Colours that are not opaque come first, so that tRNS is short. */
static void sort_colours(lvl_apng *apng)
{
    uint32_t to = 0;

    for (uint32_t i = 0; i < apng->colour_count; i++) {
        uint8_t rgba[4];
        if (apng->colours[i][3] == 255)
            continue;
        memcpy(rgba, apng->colours[i], 4);
        memcpy(apng->colours[i], apng->colours[to], 4);
        memcpy(apng->colours[to++], rgba, 4);
    }
    memset(apng->slots, 0, sizeof apng->slots);
    for (uint32_t i = 0; i < apng->colour_count; i++)
        *slot_of(apng, apng->colours[i]) = (uint16_t)(i + 1);
}

/* ---- chunks ------------------------------------------------------------------------------------------ */

static void store_u16be(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static lvl_status write_palette(lvl_apng *apng)
{
    uint8_t chunk[12 + COLOURS * 3];
    uint32_t clear = 0;

    for (uint32_t i = 0; i < apng->colour_count; i++)
        memcpy(chunk + 8 + (size_t)i * 3, apng->colours[i], 3);
    lvl_status status = lvl_png_chunk_write(apng->out, "PLTE", chunk, (size_t)apng->colour_count * 3);
    while (clear < apng->colour_count && apng->colours[clear][3] != 255) {
        chunk[8 + clear] = apng->colours[clear][3];
        clear++;
    }
    return status == LVL_OK && clear ? lvl_png_chunk_write(apng->out, "tRNS", chunk, clear) : status;
}

static lvl_status write_head(lvl_apng *apng)
{
    uint8_t chunk[12 + 13] = {0};
    lvl_status status = apng->out->write(apng->out, lvl_png_signature, sizeof lvl_png_signature);

    lvl_store_u32be(chunk + 8, apng->width);
    lvl_store_u32be(chunk + 12, apng->height);
    chunk[16] = 8;
    chunk[17] = apng->indexed ? 3 : 6;
    if (status == LVL_OK)
        status = lvl_png_chunk_write(apng->out, "IHDR", chunk, 13);
    lvl_store_u32be(chunk + 8, apng->frames);
    lvl_store_u32be(chunk + 12, apng->plays);
    if (status == LVL_OK)
        status = lvl_png_chunk_write(apng->out, "acTL", chunk, 8);
    return status == LVL_OK && apng->indexed ? write_palette(apng) : status;
}

static lvl_status write_control(lvl_apng *apng, const box *b, uint32_t ms)
{
    uint8_t chunk[12 + 26] = {0};
    uint32_t unit = 1000;

    /* The delay is a fraction of two 16-bit numbers: the denominator is as large as the time allows. */
    while (ms > UINT16_MAX && unit > 1) {
        ms = ms / 10 + (ms % 10 >= 5);
        unit /= 10;
    }
    lvl_store_u32be(chunk + 8, apng->sequence++);
    lvl_store_u32be(chunk + 12, b->width);
    lvl_store_u32be(chunk + 16, b->height);
    lvl_store_u32be(chunk + 20, b->x);
    lvl_store_u32be(chunk + 24, b->y);
    store_u16be(chunk + 28, ms > UINT16_MAX ? UINT16_MAX : ms);
    store_u16be(chunk + 30, unit);
    return lvl_png_chunk_write(apng->out, "fcTL", chunk,
                               26); /* the last two bytes: dispose none, blend source */
}

/* ---- frames ------------------------------------------------------------------------------------------ */

/* The bounding box of all pixels that differ from the previous frame; one pixel if none does, since a frame
 * must not be empty. */
static box changed_box(const lvl_apng *apng, const uint8_t *pixels)
{
    const size_t row = (size_t)apng->width * 4;
    uint32_t top = 0, bottom = apng->height, left = apng->width, right = 0;

    if (!apng->before)
        return (box){0, 0, apng->width, apng->height};
    while (top < bottom && memcmp(pixels + top * row, apng->before + top * row, row) == 0)
        top++;
    while (bottom > top && memcmp(pixels + (bottom - 1) * row, apng->before + (bottom - 1) * row, row) == 0)
        bottom--;
    if (top == bottom)
        return (box){0, 0, 1, 1};
    for (uint32_t y = top; y < bottom; y++) {
        const uint8_t *a = pixels + y * row, *b = apng->before + y * row;
        uint32_t x = 0;
        while (x < left && memcmp(a + (size_t)x * 4, b + (size_t)x * 4, 4) == 0)
            x++;
        left = x < left ? x : left;
        x = apng->width;
        while (x > right && memcmp(a + (size_t)(x - 1) * 4, b + (size_t)(x - 1) * 4, 4) == 0)
            x--;
        right = x > right ? x : right;
    }
    return (box){left, top, right - left, bottom - top};
}

/* The box's rows with their filter bytes; false for a colour that the palette does not have. */
static bool gather_rows(lvl_apng *apng, const uint8_t *pixels, const box *b, uint8_t *raw)
{
    for (uint32_t y = b->y; y < b->y + b->height; y++) {
        const uint8_t *from = pixels + ((size_t)y * apng->width + b->x) * 4;

        *raw++ = 0;
        for (uint32_t x = 0; x < b->width; x++, from += 4) {
            uint8_t rgba[4];
            put_plain_pixel(from, rgba);
            if (!apng->indexed) {
                memcpy(raw, rgba, 4);
                raw += 4;
                continue;
            }
            const uint16_t index = *slot_of(apng, rgba);
            if (!index)
                return false;
            *raw++ = (uint8_t)(index - 1);
        }
    }
    return true;
}

static lvl_status write_pixels(lvl_apng *apng, const uint8_t *pixels, const box *b)
{
    const uint64_t size = ((uint64_t)b->width * (apng->indexed ? 1 : 4) + 1) * b->height;
    const bool first = apng->done == 0;
    const size_t gap =
        first ? 8 : 12; /* before the data: length, name and, but for the first, a sequence number */
    lvl_status status = LVL_ERR_MEMORY;
    uint8_t *raw = NULL, *chunk = NULL;

    if (size > INT32_MAX / 2)
        return lvl_refuse_fixed(apng->ctx, "bytes of pixels in one frame", INT32_MAX / 2, size);
    if (!apng->compressor)
        apng->compressor = libdeflate_alloc_compressor(LEVEL);
    if (!apng->compressor)
        goto out;
    const size_t bound = libdeflate_zlib_compress_bound(apng->compressor, (size_t)size);
    raw = lvl_mem_alloc(apng->ctx, (size_t)size);
    chunk = lvl_mem_alloc(apng->ctx, bound + gap + 4);
    if (!raw || !chunk)
        goto out;
    status = LVL_ERR_ARG;
    if (!gather_rows(apng, pixels, b, raw))
        goto out;
    const size_t len = libdeflate_zlib_compress(apng->compressor, raw, (size_t)size, chunk + gap, bound);
    if (len == 0 || len > INT32_MAX - 4) {
        status = lvl_refuse_fixed(apng->ctx, "bytes in a chunk of a PNG", INT32_MAX - 4, len);
        goto out;
    }
    if (!first)
        lvl_store_u32be(chunk + 8, apng->sequence++);
    status = lvl_png_chunk_write(apng->out, first ? "IDAT" : "fdAT", chunk, len + gap - 8);
out:
    lvl_mem_free(apng->ctx, raw);
    lvl_mem_free(apng->ctx, chunk);
    return status;
}

lvl_status lvl_apng_frame(lvl_apng *apng, const lvl_image *frame, uint32_t ms)
{
    lvl_status status = LVL_OK;

    if (frame->format != LVL_PIXELS_RGBA8 || !frame->pixels || frame->width == 0 || frame->height == 0 ||
        frame->width > INT32_MAX / 8 || frame->height > INT32_MAX / 8 || apng->done >= apng->frames ||
        (apng->done && (frame->width != apng->width || frame->height != apng->height)))
        return LVL_ERR_ARG;
    if (apng->done == 0) {
        apng->width = frame->width;
        apng->height = frame->height;
        apng->indexed = apng->surveyed >= apng->frames && apng->colour_count <= COLOURS;
        if (apng->indexed)
            sort_colours(apng);
        status = write_head(apng);
    }
    const box b = changed_box(apng, frame->pixels);
    if (status == LVL_OK)
        status = write_control(apng, &b, ms);
    if (status == LVL_OK)
        status = write_pixels(apng, frame->pixels, &b);
    const size_t size = (size_t)frame->width * frame->height * 4;
    if (status == LVL_OK && !apng->before && apng->frames > 1) {
        apng->before = lvl_mem_alloc(apng->ctx, size);
        status = apng->before ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK && apng->before)
        memcpy(apng->before, frame->pixels, size);
    apng->done++;
    return status;
}

lvl_status lvl_apng_end(lvl_apng *apng)
{
    uint8_t chunk[12];

    return apng->done < apng->frames || apng->frames == 0 ? LVL_ERR_ARG
                                                          : lvl_png_chunk_write(apng->out, "IEND", chunk, 0);
}
