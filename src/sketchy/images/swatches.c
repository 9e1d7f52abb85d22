/*
 * sketchy/images/swatches.c: trims palettes: equal swatches are merged, unused ones are removed.
 */
#include "sketchy/drawing/convert.h"

#include "base/cursor.h"
#include "base/work.h"
#include "sketchy/check/check.h"
#include "sketchy/images/image.h"

#include <string.h>

/* ---- pixels ------------------------------------------------------------------------------------------ */

/* A function for each chunk's grid. */
typedef lvl_status (*grid_fn)(lvl_doc *doc, lvl_sketchy_chunk *chunk, const lvl_cells *cells, uint16_t *map,
                              uint32_t count);

static lvl_status each_grid(lvl_doc *doc, grid_fn fn, uint16_t *map, uint32_t count, lvl_findings *losses)
{
    lvl_sketchy *d = doc->root;
    lvl_buffer storage = {0};
    lvl_cells cells;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count && status == LVL_OK; k++) {
            status = lvl_sketchy_chunk_cells(doc, &d->layers[i], k, &storage, &cells, losses);
            if (status == LVL_OK && cells.ptr)
                status = fn(doc, &d->layers[i].chunks[k], &cells, map, count);
        }
    }
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status see_used(lvl_doc *doc, lvl_sketchy_chunk *chunk, const lvl_cells *cells, uint16_t *used,
                           uint32_t count)
{
    const size_t n = (size_t)cells->width * cells->height;

    (void)doc;
    (void)chunk;
    for (size_t i = 0; i < n; i++) {
        const unsigned index = lvl_load_u16le(cells->ptr + i * 2);
        if (index < count)
            used[index] = 1;
    }
    return LVL_OK;
}

/* An index beyond the palette stays beyond it, as it only shrinks. */
static lvl_status map_pixels(lvl_doc *doc, lvl_sketchy_chunk *chunk, const lvl_cells *cells, uint16_t *map,
                             uint32_t count)
{
    const size_t n = (size_t)cells->width * cells->height;
    uint8_t *grid = NULL;

    for (size_t i = 0; i < n; i++) {
        const unsigned index = lvl_load_u16le(cells->ptr + i * 2);
        if (index >= count || map[index] == index)
            continue;
        if (!grid) {
            grid = lvl_arena_copy(&doc->arena, cells->ptr, n * 2);
            if (!grid)
                return LVL_ERR_MEMORY;
        }
        lvl_store_u16le(grid + i * 2, map[index]);
    }
    if (grid)
        chunk->pixels = (lvl_cells){grid, cells->width, cells->height, 2};
    return LVL_OK;
}

/* ---- the plan ---------------------------------------------------------------------------------------- */

typedef struct plan {
    uint16_t *used, *map; /* whether px have that swatch, and its new index */
    uint8_t *drop;
} plan;

/* Computes `drop` and `map` from `used`. */
static void place_swatches(const plan *p, const lvl_sketchy *d)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < d->swatch_count; i++) {
        uint32_t twin = i;
        p->drop[i] = !p->used[i];
        p->map[i] = (uint16_t)kept;
        if (p->drop[i])
            continue;
        for (uint32_t k = 0; k < i && twin == i; k++) {
            if (!p->drop[k] && lvl_sketchy_same_swatch(&d->swatches[k], &d->swatches[i]))
                twin = k;
        }
        if (twin != i) {
            p->drop[i] = 1;
            p->map[i] = p->map[twin];
        } else {
            kept++;
        }
    }
    if (!kept && d->swatch_count)
        p->drop[0] = 0;
}

lvl_status lvl_sketchy_trim_palette(lvl_doc *doc, lvl_findings *losses)
{
    enum { MAX_COMPARED = 4096 }; /* all pairs are compared */
    const lvl_field *swatches = LVL_FIELD(lvl_sketchy, swatches);
    lvl_sketchy *d = doc->root;
    const uint32_t count = d->swatch_count;

    if (count > MAX_COMPARED)
        return lvl_refuse_fixed(doc->ctx, "swatches to be compared", MAX_COMPARED, count);
    plan p = {.used = lvl_arena_array(&doc->arena, (size_t)count + 1, sizeof *p.used),
              .map = lvl_arena_array(&doc->arena, (size_t)count + 1, sizeof *p.map),
              .drop = lvl_arena_array(&doc->arena, (size_t)count + 1, 1)};
    if (!p.used || !p.map || !p.drop)
        return LVL_ERR_MEMORY;
    lvl_status status = each_grid(doc, see_used, p.used, count, losses);
    if (status != LVL_OK)
        return status;
    place_swatches(&p, d);
    if (!memchr(p.drop, 1, count))
        return LVL_OK;
    status = each_grid(doc, map_pixels, p.map, count, NULL);
    if (status == LVL_OK)
        status = lvl_list_drop(doc, d, swatches, p.drop);
    lvl_sketchy_unsign(doc, losses);
    return status;
}
