/*
 * render/few_colors.c: opaque pictures on the way out: one with at most 256 colours becomes one of palette
 * indices, which is compressed in a third of the time, others become RGB.
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

bool lvl_few_colors(const uint8_t *rgba, size_t count, uint8_t *out, lvl_palette *palette)
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

/* The output never overtakes the input. */
void lvl_remove_alpha(uint8_t *pixels, size_t count)
{
    uint8_t *to = pixels;
    const uint8_t *p = pixels;

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
    for (; count; count--, p += 4, to += 3) {
        const uint8_t rgb[3] = {p[0], p[1], p[2]};
        memcpy(to, rgb, 3);
    }
}

/* ---- rows -------------------------------------------------------------------------------------------- */

enum { SMALL = 1 << 18 }; /* pixels of a picture that is gathered */

typedef struct opaque_rows {
    lvl_rows rows;
    const lvl_ctx *ctx;
    lvl_rows *next;
    lvl_picture picture;
    lvl_palette palette;
    uint8_t *pixels; /* those of a small picture, or of a row */
    uint8_t *indices; /* of a small picture; else NULL */
    size_t len;
} opaque_rows;

static lvl_status opaque_begin(lvl_rows *rows, const lvl_picture *picture)
{
    opaque_rows *o = (opaque_rows *)rows;
    const uint64_t pixels = (uint64_t)picture->width * picture->height;

    o->picture = *picture;
    o->picture.channels = 3;
    if (pixels <= SMALL) {
        o->pixels = lvl_mem_alloc(o->ctx, (size_t)pixels * 4);
        o->indices = lvl_mem_alloc(o->ctx, (size_t)pixels);
        return o->pixels && o->indices ? LVL_OK : LVL_ERR_MEMORY;
    }
    o->pixels = lvl_mem_alloc(o->ctx, (size_t)picture->width * 4);
    return o->pixels ? o->next->begin(o->next, &o->picture) : LVL_ERR_MEMORY;
}

static lvl_status opaque_take(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    opaque_rows *o = (opaque_rows *)rows;
    const size_t width = o->picture.width;
    lvl_status status = LVL_OK;

    if (o->indices) {
        memcpy(o->pixels + o->len, pixels, width * count * 4);
        o->len += width * count * 4;
        return LVL_OK;
    }
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        memcpy(o->pixels, pixels + i * width * 4, width * 4);
        lvl_remove_alpha(o->pixels, width);
        status = o->next->rows(o->next, o->pixels, 1);
    }
    return status;
}

static lvl_status opaque_end(lvl_rows *rows)
{
    opaque_rows *o = (opaque_rows *)rows;
    const uint8_t *pixels = o->pixels;
    lvl_status status = LVL_OK;

    if (o->indices) {
        if (lvl_few_colors(o->pixels, o->len / 4, o->indices, &o->palette)) {
            o->picture.channels = 1;
            o->picture.palette = &o->palette;
            pixels = o->indices;
        } else {
            lvl_remove_alpha(o->pixels, o->len / 4);
        }
        status = o->next->begin(o->next, &o->picture);
        if (status == LVL_OK)
            status = o->next->rows(o->next, pixels, o->picture.height);
    }
    return status == LVL_OK ? o->next->end(o->next) : status;
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
    lvl_mem_free(o->ctx, o->pixels);
    lvl_mem_free(o->ctx, o->indices);
    lvl_mem_free(o->ctx, o);
}
