/*
 * sketchy/misplaced_pixels.c: see misplaced_pixels.h.
 */
#include "sketchy/misplaced_pixels.h"

#include "base/cursor.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 64, NEW_MOST = 4096 }; /* chunks */

/* A px on its way. */
typedef struct move {
    int32_t x, y; /* of the chunk that owns it */
    uint32_t cell;
    uint32_t origin;
    uint32_t order; /* of two for one place the later counts, as in a list */
    uint16_t index;
} move;

typedef struct origin {
    lvl_where where;
    uint8_t encoding;
    uint32_t all, moved;
} origin;

static int64_t floor_div(int64_t v, int64_t by)
{
    return v / by - (v % by < 0);
}

void lvl_outside_begin(lvl_outside *o, const lvl_sketchy_layer *layer)
{
    o->moves.len = o->origins.len = 0;
    o->left = o->top = o->right = o->bottom = 0; /* the game, too, always counts chunk 0,0 */
    for (uint32_t i = 0; i < layer->chunk_count; i++) {
        const lvl_sketchy_chunk *c = &layer->chunks[i];
        o->left = c->x < o->left ? c->x : o->left;
        o->top = c->y < o->top ? c->y : o->top;
        o->right = c->x > o->right ? c->x : o->right;
        o->bottom = c->y > o->bottom ? c->y : o->bottom;
    }
}

lvl_status lvl_outside_add(lvl_outside *o, const lvl_doc *doc, uint32_t source, uint32_t size,
                           uint32_t swatches, const lvl_where *where, bool keyless, uint8_t *grid)
{
    const lvl_source *s = lvl_sketchy_source(doc, source);
    const uint32_t number = (uint32_t)(o->origins.len / sizeof(origin));
    const size_t most = lvl_memory_share(doc->ctx);
    lvl_buffer storage = {0}, list = {.max = most};
    lvl_bytes stream;

    o->moves.max = most;
    if (!s)
        return LVL_OK;
    const lvl_chunk_place place = {keyless ? INT32_MIN : s->x, keyless ? INT32_MIN : s->y, size};
    origin from = {.where = *where, .encoding = s->encoding};
    lvl_status status = lvl_sketchy_source_bytes(doc, s, &storage, &stream, NULL);
    if (status == LVL_OK)
        status = lvl_chunk_foreign(s->encoding, stream, &place, grid, &list);
    for (size_t i = 0; status == LVL_OK && i < list.len; i += sizeof(lvl_chunk_pixel)) {
        lvl_chunk_pixel p;
        memcpy(&p, list.data + i, sizeof p);
        if (!p.x && !p.y && !p.index && !keyless)
            continue; /* the phantom */
        const int64_t x = floor_div(p.x, size), y = floor_div(p.y, size);
        from.all++;
        if (p.index >= swatches || p.index >= LVL_SKETCHY_NONE || x < o->left - FAR || x > o->right + FAR ||
            y < o->top - FAR || y > o->bottom + FAR || x < INT32_MIN || x > INT32_MAX || y < INT32_MIN ||
            y > INT32_MAX)
            continue;
        const move m = {.x = (int32_t)x,
                        .y = (int32_t)y,
                        .cell = (uint32_t)((p.y - y * size) * size + (p.x - x * size)),
                        .origin = number,
                        .order = (uint32_t)(o->moves.len / sizeof m),
                        .index = (uint16_t)p.index};
        lvl_buffer_add(&o->moves, &m, sizeof m);
    }
    if (status == LVL_OK)
        lvl_buffer_add(&o->origins, &from, sizeof from);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&list);
    if (status == LVL_OK)
        status = o->moves.status != LVL_OK ? o->moves.status : o->origins.status;
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

static int by_owner(const void *a, const void *b)
{
    const move *x = a, *y = b;

    if (x->y != y->y)
        return x->y < y->y ? -1 : 1;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return x->order < y->order ? 1 : -1;
}

static uint64_t hash_of(const lvl_hash *index, int32_t x, int32_t y)
{
    return lvl_hash_u64(&index->seed, (uint64_t)(uint32_t)x << 32 | (uint32_t)y);
}

/* NULL: the layer has no chunk there. */
static lvl_sketchy_chunk *chunk_at(const lvl_hash *index, const lvl_sketchy_layer *layer, int32_t x,
                                   int32_t y)
{
    for (lvl_hash_at at = lvl_hash_first(index, hash_of(index, x, y)); at.found;
         at = lvl_hash_next(index, at)) {
        lvl_sketchy_chunk *c = &layer->chunks[at.index];
        if (c->x == x && c->y == y)
            return c;
    }
    return NULL;
}

/* The chunk's grid, writable, in the document's memory. */
static lvl_status open_chunk(lvl_repairing *m, lvl_sketchy_chunk *c, uint32_t size, lvl_buffer *inflated,
                             uint8_t *grid, uint8_t **cells)
{
    const uint32_t was = c->source;
    lvl_chunk_look look;

    lvl_status status = lvl_sketchy_look(m->doc, c, size, UINT32_MAX, inflated, grid, &look);
    if (status != LVL_OK)
        return status;
    *cells = lvl_arena_copy(&m->doc->arena, grid, (size_t)size * size * 2);
    if (!*cells)
        return LVL_ERR_MEMORY;
    c->pixels = (lvl_cells){*cells, size, size, 2};
    c->source = 0;
    return lvl_repairing_respell(m, was);
}

static lvl_status new_chunk(lvl_repairing *m, lvl_sketchy_chunk *c, const move *to, uint32_t size,
                            uint8_t encoding, uint8_t **cells)
{
    char key[32];

    snprintf(key, sizeof key, "%ld,%ld", (long)to->x, (long)to->y);
    *c = (lvl_sketchy_chunk){.key = lvl_doc_text(m->doc, lvl_text_of(key)), .x = to->x, .y = to->y};
    c->encoding = encoding;
    *cells = lvl_arena_raw(&m->doc->arena, (size_t)size * size * 2);
    if (!*cells || !c->key.ptr)
        return LVL_ERR_MEMORY;
    memset(*cells, 0xFF, (size_t)size * size * 2);
    c->pixels = (lvl_cells){*cells, size, size, 2};
    return LVL_OK;
}

/* Room behind a layer's chunks for as many new ones as there are owners. */
static lvl_status make_room(lvl_repairing *m, lvl_sketchy_layer *layer, const move *moves, size_t count)
{
    size_t owners = 0;

    for (size_t i = 0; i < count && owners < NEW_MOST; i++)
        owners += !i || moves[i].x != moves[i - 1].x || moves[i].y != moves[i - 1].y;
    lvl_sketchy_chunk *list =
        lvl_arena_array(&m->doc->arena, (size_t)layer->chunk_count + owners, sizeof *list);
    if (!list)
        return LVL_ERR_MEMORY;
    if (layer->chunk_count)
        memcpy(list, layer->chunks, layer->chunk_count * sizeof *list);
    layer->chunks = list;
    return LVL_OK;
}

lvl_status lvl_outside_place(lvl_outside *o, lvl_repairing *m, uint32_t number, const uint16_t *remap,
                             uint8_t *grid)
{
    lvl_sketchy_layer *layer = &((lvl_sketchy *)m->doc->root)->layers[number];
    const uint32_t had = layer->chunk_count, size = layer->size;
    const size_t count = o->moves.len / sizeof(move), origins = o->origins.len / sizeof(origin);
    move *moves = (move *)(void *)o->moves.data;
    origin *from = (origin *)(void *)o->origins.data;
    lvl_buffer inflated = {0};
    uint32_t added = 0;
    lvl_hash index;

    if (!origins)
        return LVL_OK;
    if (count)
        qsort(moves, count, sizeof *moves, by_owner);
    lvl_hash_init(&index);
    lvl_status status = make_room(m, layer, moves, count);
    for (uint32_t i = 0; i < had && status == LVL_OK; i++)
        status = lvl_hash_add(&index, hash_of(&index, layer->chunks[i].x, layer->chunks[i].y), i);
    for (size_t i = 0; i < count && status == LVL_OK;) {
        const move *to = &moves[i];
        lvl_sketchy_chunk *found = chunk_at(&index, layer, to->x, to->y);
        uint8_t *cells = NULL;
        if (found)
            status = open_chunk(m, found, size, &inflated, grid, &cells);
        else if (added < NEW_MOST)
            status = new_chunk(m, &layer->chunks[had + added++], to, size, from[to->origin].encoding, &cells);
        for (; i < count && moves[i].x == to->x && moves[i].y == to->y; i++) {
            uint8_t *cell = cells ? cells + (size_t)moves[i].cell * 2 : NULL;
            if (!cell || status != LVL_OK || lvl_load_u16le(cell) != LVL_SKETCHY_NONE)
                continue;
            lvl_store_u16le(cell, remap ? remap[moves[i].index] : moves[i].index);
            from[moves[i].origin].moved++;
        }
    }
    layer->chunk_count = had + added;
    for (size_t i = 0; i < origins && status == LVL_OK; i++) {
        if (from[i].moved)
            lvl_sketchy_report(m->repairs->log, LVL_SKETCHY_F_OUTSIDE, &from[i].where,
                               "%lu px moved to the chunks that own them", (unsigned long)from[i].moved);
        if (from[i].all > from[i].moved)
            lvl_sketchy_report(
                m->repairs->log, LVL_SKETCHY_F_OUTSIDE, &from[i].where,
                "%lu px of other chunks removed: something is drawn in their place, or they are far away",
                (unsigned long)(from[i].all - from[i].moved));
        m->changed = true;
    }
    lvl_hash_free(&index);
    lvl_buffer_free(&inflated);
    return status;
}

void lvl_outside_free(lvl_outside *o)
{
    lvl_buffer_free(&o->moves);
    lvl_buffer_free(&o->origins);
}
