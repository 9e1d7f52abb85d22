/*
 * sketchy/check/floor.c: see floor.h.
 */
#include "sketchy/check/floor.h"

#include "base/cursor.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DECODED = 4096 }; /* chunks; 30 times those of the largest real level */

typedef struct lvl_floor_chunk {
    int32_t x, y;
    uint32_t index;
} lvl_floor_chunk;

static int place_order(const lvl_floor_chunk *a, int32_t x, int32_t y)
{
    return a->y != y ? (a->y > y) - (a->y < y) : (a->x > x) - (a->x < x);
}

static int chunk_order(const void *a, const void *b)
{
    const lvl_floor_chunk *q = b;

    return place_order(a, q->x, q->y);
}

lvl_status lvl_floor_of(lvl_floor *floor, const lvl_doc *doc)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);
    const lvl_sketchy_layer *layer = d->layer_count ? &d->layers[0] : NULL;
    const uint32_t count = layer ? layer->chunk_count : 0;

    *floor = (lvl_floor){.doc = doc, .d = d, .open = LVL_NO_INDEX};
    floor->chunks = malloc(((size_t)count + 1) * sizeof *floor->chunks);
    if (!floor->chunks)
        return LVL_ERR_MEMORY;
    for (; floor->count < count; floor->count++)
        floor->chunks[floor->count] =
            (lvl_floor_chunk){layer->chunks[floor->count].x, layer->chunks[floor->count].y, floor->count};
    qsort(floor->chunks, count, sizeof *floor->chunks, chunk_order);
    return LVL_OK;
}

void lvl_floor_free(lvl_floor *floor)
{
    free(floor->chunks);
    lvl_buffer_free(&floor->storage);
}

/* Opens the chunk at a column and row; *there: there is one. */
static lvl_status open_chunk(lvl_floor *floor, int32_t x, int32_t y, bool *there)
{
    size_t at;

    LVL_LOWER_BOUND(at, floor->count, place_order(&floor->chunks[at], x, y) < 0);
    *there = at < floor->count && place_order(&floor->chunks[at], x, y) == 0;
    if (!*there || floor->open == floor->chunks[at].index)
        return LVL_OK;
    if (floor->decoded++ >= MOST_DECODED)
        return LVL_ERR_FORMAT;
    floor->open = floor->chunks[at].index;
    const lvl_status status = lvl_sketchy_pixels(floor->doc, &floor->d->layers[0].chunks[floor->open],
                                                 &floor->storage, &floor->cells);
    if (status != LVL_OK)
        floor->open = LVL_NO_INDEX;
    return status;
}

static bool is_solid(const lvl_floor *floor, uint32_t x, uint32_t y)
{
    if (x >= floor->cells.width || y >= floor->cells.height)
        return false;
    const uint16_t index = lvl_load_u16le(floor->cells.ptr + ((size_t)y * floor->cells.width + x) * 2);
    if (index >= floor->d->swatch_count)
        return false;
    return floor->d->swatches[index].solid || floor->d->swatches[index].semisolid;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

lvl_status lvl_floor_has(lvl_floor *floor, int64_t x0, int64_t y0, int64_t x1, int64_t y1, bool *solid)
{
    const int64_t size = floor->d->layer_count ? floor->d->layers[0].size : 0;
    const int64_t far = (int64_t)1 << 30;

    *solid = size < 1 || x0 < -far || y0 < -far || x1 > far || y1 > far; /* not known */
    for (int64_t y = y0; y <= y1 && !*solid;) {
        const int64_t row = floor_div(y, size), below = (row + 1) * size;
        for (int64_t x = x0; x <= x1 && !*solid;) {
            const int64_t column = floor_div(x, size), right = (column + 1) * size;
            bool there;
            const lvl_status status = open_chunk(floor, (int32_t)column, (int32_t)row, &there);
            if (status == LVL_ERR_FORMAT)
                *solid = true;
            else if (status != LVL_OK)
                return status;
            for (int64_t py = y; there && py <= y1 && py < below && !*solid; py++) {
                for (int64_t px = x; px <= x1 && px < right && !*solid; px++)
                    *solid = is_solid(floor, (uint32_t)(px - column * size), (uint32_t)(py - row * size));
            }
            x = right;
        }
        y = below;
    }
    return LVL_OK;
}
