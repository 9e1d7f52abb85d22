/*
 * sketchy/chunks/parts.h: what the codecs of chunks share (sketchy/chunks/codec.c): the grid that px are put
 * into, and the codec of each encoding.
 */
#ifndef LVL_SKETCHY_CHUNK_PARTS_H
#define LVL_SKETCHY_CHUNK_PARTS_H

#include "sketchy/chunks/codec.h"

#include "base/buffer.h"
#include "base/cursor.h"

#include <string.h>

enum { LVL_CHUNK_TYPE_MAP = 0, LVL_CHUNK_TYPE_RUNS = 1, LVL_CHUNK_MAX_SIZE = 255 };

typedef struct lvl_chunk_canvas {
    uint8_t *grid;
    int64_t left, top;
    uint32_t size;
    lvl_chunk_report *report;
    lvl_buffer *foreign; /* gets the px of other chunks; or NULL */
} lvl_chunk_canvas;

static inline void lvl_chunk_fill(uint8_t *cell, uint16_t index, size_t count)
{
    const uint8_t low = (uint8_t)index, high = (uint8_t)(index >> 8);

    if (low == high) {
        memset(cell, low, count * 2);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        cell[i * 2] = low;
        cell[i * 2 + 1] = high;
    }
}

static inline void lvl_chunk_extend_report(lvl_chunk_report *r, int64_t x, int64_t y)
{
    if (r->left > r->right) {
        r->left = r->right = x;
        r->top = r->bottom = y;
    }
    r->left = x < r->left ? x : r->left;
    r->right = x > r->right ? x : r->right;
    r->top = y < r->top ? y : r->top;
    r->bottom = y > r->bottom ? y : r->bottom;
}

static inline void lvl_chunk_set_pixel(lvl_chunk_canvas *c, int64_t x, int64_t y, uint64_t index)
{
    const uint64_t column = (uint64_t)x - (uint64_t)c->left, row = (uint64_t)y - (uint64_t)c->top;

    if (column >= c->size || row >= c->size) {
        if (!c->report->outside++) {
            c->report->outside_x = x;
            c->report->outside_y = y;
        }
        if (x == 0 && y == 0 && index == 0)
            c->report->phantom = true;
        else
            lvl_chunk_extend_report(c->report, x, y);
        if (c->foreign) {
            const lvl_chunk_pixel px = {x, y, index};
            lvl_buffer_add(c->foreign, &px, sizeof px);
        }
        return;
    }
    if (index >= LVL_SKETCHY_NONE) {
        c->report->wide++;
        return;
    }
    uint8_t *cell = c->grid + (size_t)(row * c->size + column) * 2;
    if (lvl_load_u16le(cell) != LVL_SKETCHY_NONE)
        c->report->doubled++;
    else
        c->report->pixels++;
    lvl_store_u16le(cell, (uint16_t)index);
    if (index > c->report->most)
        c->report->most = (uint32_t)index;
}

static inline void lvl_chunk_clear_report(lvl_chunk_report *r)
{
    memset(r, 0, sizeof *r);
    r->left = 1;
}

/* A px of a list of lvl_chunk_pixel. */
static inline lvl_chunk_pixel lvl_chunk_pixel_at(const lvl_buffer *list, size_t at)
{
    lvl_chunk_pixel p;

    memcpy(&p, list->data + at, sizeof p);
    return p;
}

/* ---- binary (sketchy/chunks/binary.c) ------------------------------------------------------------------ */

void lvl_chunk_decode_map(lvl_chunk_canvas *c, lvl_bytes entries);
void lvl_chunk_decode_runs(lvl_chunk_canvas *c, lvl_bytes runs);
void lvl_chunk_encode_runs(const uint8_t *grid, uint32_t size, lvl_buffer *out);
void lvl_chunk_encode_map(const uint8_t *grid, const lvl_chunk_place *place, const lvl_buffer *foreign,
                          lvl_buffer *out);

/* ---- JSON (sketchy/chunks/json.c, sketchy/chunks/plain.c) ---------------------------------------------- */

/* Decodes the chunk's object, with px or base64 in it. LVL_ERR_FORMAT: there is no such object. */
lvl_status lvl_chunk_decode_json(lvl_chunk_canvas *c, lvl_bytes stream);
/* Whether the data of a chunk's object is a text: base64. */
bool lvl_chunk_has_base64(lvl_bytes stream);
void lvl_chunk_encode_json(const uint8_t *grid, const lvl_chunk_place *place, const lvl_buffer *foreign,
                           lvl_buffer *out);
/* Decodes entries as all known writers write them: "x,y":index, without blanks. False: an entry is written
 * otherwise, or the closing brace is not the last byte; some entries may have been decoded. */
bool lvl_chunk_decode_plain(lvl_chunk_canvas *c, const char *p, const char *end);

/* A decimal number with perhaps a sign, as Go's Atoi takes it, within 18 digits. */
static inline const char *lvl_chunk_take_int(const char *p, const char *end, int64_t *out)
{
    bool negative = false;
    int64_t v = 0;

    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    const char *first = p;
    while (p < end && *p >= '0' && *p <= '9' && p - first < 18)
        v = v * 10 + (*p++ - '0');
    *out = negative ? -v : v;
    return p > first && (p == end || *p < '0' || *p > '9') ? p : NULL;
}

/* Reads `"x,y":` before a digit. Returns that; NULL: it is another thing. */
static inline const char *lvl_chunk_take_key(const char *p, const char *end, int64_t *x, int64_t *y)
{
    if (p == end || *p != '"')
        return NULL;
    p = lvl_chunk_take_int(p + 1, end, x);
    if (!p || p == end || *p != ',')
        return NULL;
    p = lvl_chunk_take_int(p + 1, end, y);
    if (!p || end - p < 3 || p[0] != '"' || p[1] != ':')
        return NULL;
    return p[2] >= '0' && p[2] <= '9' ? p + 2 : NULL;
}

#endif
