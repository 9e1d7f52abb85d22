/*
 * sketchy/images/rechunk.c: restructures drawings without changing how they look: chunks of another size.
 */
#include "sketchy/drawing/convert.h"
#include "sketchy/images/image.h"

#include "base/cursor.h"
#include "sketchy/zip/members.h"
#include "sketchy/chunks/paint.h"
#include "sketchy/model/findings.h"
#include "sketchy/model/member_names.h"

#include <stdlib.h>
#include <string.h>

/* ---- chunks ------------------------------------------------------------------------------------------ */

/* The new chunks of a layer. */
typedef struct making {
    lvl_doc *doc;
    lvl_sketchy_layer layer;
    lvl_hash index; /* of its chunks */
    uint64_t beyond; /* px whose chunk would have coordinates beyond 32 bits */
} making;

/* The grid of a chunk, which is added if it is new. */
static lvl_status making_grid(making *m, int32_t x, int32_t y, uint8_t **grid)
{
    const uint32_t at = lvl_sketchy_find_chunk(&m->index, &m->layer, x, y);

    if (at >= m->layer.chunk_count)
        return lvl_sketchy_add_chunk(m->doc, &m->index, &m->layer, x, y, grid);
    *grid = (uint8_t *)(uintptr_t)m->layer.chunks[at].pixels.ptr;
    return LVL_OK;
}

/* Copies a row of an old chunk, whose first px is x, y of the world. */
static lvl_status put_row(making *m, const lvl_cells *cells, uint32_t row, int64_t x, int64_t y)
{
    const int64_t size = m->layer.size, cy = lvl_sketchy_chunk_of(y, size);
    int64_t last = INT64_MIN;
    uint8_t *grid = NULL;

    for (uint32_t i = 0; i < cells->width; i++) {
        const size_t from = (size_t)row * cells->width + i;
        if (lvl_load_u16le(cells->ptr + from * 2) == LVL_SKETCHY_NONE)
            continue;
        const int64_t cx = lvl_sketchy_chunk_of(x + i, size);
        if (cx < INT32_MIN || cx > INT32_MAX || cy < INT32_MIN || cy > INT32_MAX) {
            m->beyond++;
            continue;
        }
        if (cx != last) {
            lvl_status status = making_grid(m, (int32_t)cx, (int32_t)cy, &grid);
            if (status != LVL_OK)
                return status;
            last = cx;
        }
        uint8_t *to = grid + ((size_t)(y - cy * size) * m->layer.size + (size_t)(x + i - cx * size)) * 2;
        memcpy(to, cells->ptr + from * 2, 2);
    }
    return LVL_OK;
}

static int by_place(const void *a, const void *b)
{
    return lvl_sketchy_by_place(a, b);
}

static lvl_status rechunk_layer(lvl_doc *doc, lvl_sketchy_layer *layer, uint32_t size, lvl_findings *losses)
{
    making m = {.doc = doc, .layer = {.name = layer->name, .size = size}};
    lvl_buffer storage = {0};
    lvl_cells cells;

    lvl_status status = lvl_sketchy_index_chunks(&m.index, &m.layer);
    for (uint32_t i = 0; i < layer->chunk_count && status == LVL_OK; i++) {
        const lvl_sketchy_chunk *chunk = &layer->chunks[i];
        const int64_t left = (int64_t)chunk->x * layer->size, top = (int64_t)chunk->y * layer->size;
        if (!lvl_sketchy_has_place(chunk)) {
            lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_CHUNK, NULL, "a chunk without a position");
            continue;
        }
        status = lvl_sketchy_chunk_cells(doc, layer, i, &storage, &cells, losses);
        for (uint32_t y = 0; cells.ptr && y < cells.height && status == LVL_OK; y++)
            status = put_row(&m, &cells, y, left, top + y);
    }
    lvl_buffer_free(&storage);
    if (m.beyond)
        lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_OUTSIDE, NULL,
                           "%llu pixels too far out for chunks of that size", (unsigned long long)m.beyond);
    if (m.layer.chunk_count)
        qsort(m.layer.chunks, m.layer.chunk_count, sizeof *m.layer.chunks, by_place);
    if (status == LVL_OK)
        *layer = m.layer;
    lvl_hash_free(&m.index);
    return status;
}

/* Drops files with names of chunks: where no new chunk has that name they would become chunks. */
static lvl_status drop_chunk_files(lvl_doc *doc, lvl_findings *losses)
{
    lvl_sketchy *d = doc->root;
    uint8_t *drop = lvl_arena_array(&doc->arena, (size_t)d->file_count + 1, 1);
    char shown[LVL_SKETCHY_SHOWN];
    uint32_t layer;
    lvl_text key;
    bool binary;

    for (uint32_t i = 0; drop && i < d->file_count; i++) {
        const lvl_text path = d->files[i].path;
        drop[i] = lvl_sketchy_chunk_name(path, &layer, &key, &binary) && layer < d->layer_count;
        if (drop[i])
            lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_CHUNK, NULL, "second form of a chunk, %s",
                               lvl_sketchy_show(shown, path));
    }
    return drop ? lvl_list_drop(doc, d, LVL_FIELD(lvl_sketchy, files), drop) : LVL_ERR_MEMORY;
}

lvl_status lvl_sketchy_rechunk(lvl_doc *doc, uint32_t size, lvl_findings *losses)
{
    lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;
    bool changed = false;

    if (size < 1 || size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return lvl_sketchy_no_chunks(size, losses);
    /* a canvas without a size is as large as a chunk */
    if (d->kind == LVL_SKETCHY_DOODAD && d->layer_count && (d->size.width <= 0 || d->size.height <= 0) &&
        d->layers[0].size != size)
        d->size = (lvl_sketchy_rect){0, 0, d->layers[0].size, d->layers[0].size};
    for (uint32_t i = 0; i < d->layer_count && status == LVL_OK; i++) {
        lvl_sketchy_layer *layer = &d->layers[i];
        if (layer->size == size)
            continue;
        if (layer->size < 1 || layer->size > LVL_SKETCHY_CHUNK_SIZE_MAX)
            return LVL_ERR_UNSUPPORTED;
        status = rechunk_layer(doc, layer, size, losses);
        changed = true;
    }
    if (status == LVL_OK && changed)
        status = drop_chunk_files(doc, losses);
    if (status == LVL_OK && changed)
        lvl_sketchy_unsign(doc, losses);
    return status;
}

lvl_status lvl_sketchy_restructure(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses)
{
    lvl_status status = LVL_OK;

    if (draw_options->trim_palette)
        status = lvl_sketchy_trim_palette(doc, losses);
    if (status == LVL_OK && draw_options->chunk_size)
        status = lvl_sketchy_rechunk(doc, draw_options->chunk_size, losses);
    return status;
}
