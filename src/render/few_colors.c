/*
 * render/few_colors.c: output of opaque pictures: with at most 256 colours as palette indices, which take a
 * third of the time to compress, otherwise as RGB.
 */
#include "base/cursor.h"
#include "base/hash.h"
#include "base/work.h"
#include "render/plan.h"

#include <string.h>

enum { SLOT_BITS = 10, SLOTS = 1 << SLOT_BITS, EMPTY = 0 }; /* four times as many as there are colours */

/* Pixels are read as four bytes at once, in the byte order of the machine. */
typedef struct few_colors {
    uint32_t colours[SLOTS]; /* EMPTY: none; opaque pixels are never 0 */
    uint8_t index[SLOTS];
    unsigned count;
} few_colors;

/* Converts opaque pixels to palette indices and makes their palette; false if there are more than 256
 * colours. */
static bool find_colors(const uint8_t *rgba, size_t count, uint8_t *out, lvl_palette *palette)
{
    const lvl_hash_seed seed = lvl_hash_seed_new(); /* so that no picture can choose colours that collide */
    few_colors few = {.count = 0};
    uint32_t last = EMPTY, colour;
    uint8_t index = 0;

    memset(palette, 0, sizeof *palette);
    for (size_t i = 0; i < count; i++) {
        memcpy(&colour, rgba + i * 4, sizeof colour);
        if (colour != last) {
            size_t slot = (size_t)(lvl_hash_mix(&seed, seed.start, colour) >> (64 - SLOT_BITS));
            while (few.colours[slot] != EMPTY && few.colours[slot] != colour)
                slot = (slot + 1) & (SLOTS - 1);
            if (few.colours[slot] == EMPTY) {
                if (few.count == 256)
                    return false;
                few.colours[slot] = colour;
                few.index[slot] = (uint8_t)few.count;
                memcpy(palette->rgb[few.count++], rgba + i * 4, 3);
            }
            last = colour;
            index = few.index[slot];
        }
        out[i] = index;
    }
    return true;
}

/* Removes the alpha bytes. */
static void to_rgb(const uint8_t *p, size_t count, uint8_t *to)
{
    for (; count >= 4; count -= 4, p += 16, to += 12) {
        uint32_t four[4], three[3];
        for (int i = 0; i < 4; i++)
            four[i] = lvl_load_u32le(p + i * 4);
        three[0] = (four[0] & 0xFFFFFF) | four[1] << 24;
        three[1] = (four[1] >> 8 & 0xFFFF) | four[2] << 16;
        three[2] = (four[2] >> 16 & 0xFF) | four[3] << 8;
        for (int i = 0; i < 3; i++)
            lvl_store_u32le(to + i * 4, three[i]);
    }
    for (; count; count--, p += 4, to += 3)
        memcpy(to, p, 3);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* A picture with at most this many pixels is collected and examined before it is passed on. */
enum { SMALL = 1 << 20 };

typedef struct opaque_rows {
    lvl_rows rows;
    const lvl_ctx *ctx;
    lvl_rows *next;
    lvl_picture picture;
    lvl_palette palette;
    bool small;
    uint8_t *row; /* as RGB */
    uint8_t *pixels; /* pixels of a small picture that arrives in parts */
    size_t len;
} opaque_rows;

static lvl_status opaque_begin(lvl_rows *rows, const lvl_picture *picture)
{
    opaque_rows *o = (opaque_rows *)rows;

    o->picture = *picture;
    o->picture.channels = 3;
    o->small = (uint64_t)picture->width * picture->height <= SMALL;
    o->row = lvl_mem_alloc(o->ctx, (size_t)picture->width * 3);
    if (!o->row)
        return LVL_ERR_MEMORY;
    return o->small ? LVL_OK : o->next->begin(o->next, &o->picture);
}

static lvl_status pass_rgb(const opaque_rows *o, const uint8_t *pixels, uint32_t count)
{
    lvl_status status = LVL_OK;

    for (; count && status == LVL_OK; count--, pixels += (size_t)o->picture.width * 4) {
        to_rgb(pixels, o->picture.width, o->row);
        status = o->next->rows(o->next, o->row, 1);
    }
    return status;
}

/* Passes on a small picture, as indices if it has few colours and there is memory for them. */
static lvl_status pass_whole(opaque_rows *o, const uint8_t *pixels)
{
    const size_t count = (size_t)o->picture.width * o->picture.height;
    uint8_t *indices = lvl_mem_alloc(o->ctx, count);
    const bool few = indices && find_colors(pixels, count, indices, &o->palette);

    if (few) {
        o->picture.channels = 1;
        o->picture.palette = &o->palette;
    }
    lvl_status status = o->next->begin(o->next, &o->picture);
    if (status == LVL_OK)
        status =
            few ? o->next->rows(o->next, indices, o->picture.height) : pass_rgb(o, pixels, o->picture.height);
    lvl_mem_free(o->ctx, indices);
    return status;
}

static lvl_status opaque_take(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    opaque_rows *o = (opaque_rows *)rows;
    const size_t row = (size_t)o->picture.width * 4, whole = row * o->picture.height;

    if (!o->small)
        return pass_rgb(o, pixels, count);
    if (count == o->picture.height)
        return pass_whole(o, pixels);
    if (!o->pixels)
        o->pixels = lvl_mem_alloc(o->ctx, whole);
    if (!o->pixels)
        return LVL_ERR_MEMORY;
    memcpy(o->pixels + o->len, pixels, row * count);
    o->len += row * count;
    return o->len == whole ? pass_whole(o, o->pixels) : LVL_OK;
}

static lvl_status opaque_end(lvl_rows *rows)
{
    opaque_rows *o = (opaque_rows *)rows;

    return o->next->end(o->next);
}

lvl_rows *lvl_opaque_rows_new(const lvl_ctx *ctx, lvl_rows *next)
{
    opaque_rows *o = lvl_mem_alloc(ctx, sizeof *o);

    if (!o)
        return NULL;
    memset(o, 0, sizeof *o);
    o->rows = (lvl_rows){opaque_begin, opaque_take, opaque_end};
    o->ctx = ctx;
    o->next = next;
    return &o->rows;
}

void lvl_opaque_rows_free(lvl_rows *rows)
{
    opaque_rows *o = (opaque_rows *)rows;

    if (!o)
        return;
    lvl_mem_free(o->ctx, o->row);
    lvl_mem_free(o->ctx, o->pixels);
    lvl_mem_free(o->ctx, o);
}
