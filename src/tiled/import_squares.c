/*
 * tiled/import_squares.c: the cells of tile layers that are lists of squares: a cell shows a square of the
 * level by its index.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "tiled/import.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct square {
    int32_t x, y;
    uint32_t index;
    bool taken;
} square;

static int by_place(const void *a, const void *b)
{
    const square *p = a, *q = b;

    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* All squares that the layer shows, sorted by position; from malloc. */
static square *list_squares(importer *im, const plan_grid *g, const tiled_layer *layer, uint32_t *count)
{
    const uint32_t known = lvl_list_count(g->item, im->plan.of.squares);
    square *list = NULL;
    size_t cap = 0;

    *count = 0;
    for (uint32_t b = 0; b < layer->blocks.count && im->status == LVL_OK; b++) {
        const tiled_block *block = &layer->blocks.items[b];
        const size_t cells = (size_t)block->width * block->height;
        for (size_t i = 0; i < cells && im->status == LVL_OK; i++) {
            const int64_t x = block->x + (int64_t)(i % block->width),
                          y = block->y + (int64_t)(i / block->width);
            uint32_t id;
            if (!block->cells[i] || !import_take_cell(im, g, x, y, block->cells[i], 4, &id))
                continue;
            if (id >= known || x < INT32_MIN || x > INT32_MAX || y < INT32_MIN || y > INT32_MAX) {
                import_fail(im, LVL_FAULT_MAP_CELL,
                            "%s, column %lld, row %lld: there is no such square in the level",
                            import_what(im), (long long)x, (long long)y);
            } else if (!lvl_grow(&list, &cap, (size_t)*count + 1, sizeof *list)) {
                import_stop(im, LVL_ERR_MEMORY);
            } else {
                list[(*count)++] = (square){(int32_t)x, (int32_t)y, id, false};
            }
        }
    }
    if (*count)
        qsort(list, *count, sizeof *list, by_place);
    return list;
}

/* Adds a copy of a square at another position. */
static void add_square(importer *im, const plan_grid *g, const square *s)
{
    const lvl_field *list = im->plan.of.squares;
    const uint32_t at = lvl_list_count(g->item, list);
    lvl_buffer storage = {0};
    lvl_cells cells;
    char key[32];

    import_stop(im, lvl_list_insert(im->doc, g->item, list, at, 1));
    if (im->status != LVL_OK)
        return;
    void *to = lvl_item_at(g->item, list, at);
    const void *from = lvl_list_item(g->item, list, s->index);
    memcpy(to, from, list->item_size);
    snprintf(key, sizeof key, "%ld,%ld", (long)s->x, (long)s->y);
    const lvl_text text = lvl_doc_text(im->doc, lvl_text_of(key));
    const lvl_status status = lvl_doc_cells(im->doc, from, im->plan.of.pixels, &storage, &cells);
    if (status != LVL_OK) {
        import_stop(im, status);
    } else if (cells.ptr) {
        cells.ptr =
            lvl_arena_copy(&im->doc->arena, cells.ptr, (size_t)cells.width * cells.height * cells.size);
        memcpy((uint8_t *)to + im->plan.of.pixels->offset, &cells, sizeof cells);
    }
    lvl_buffer_free(&storage);
    if (!text.ptr || (status == LVL_OK && !cells.ptr)) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    memcpy((uint8_t *)to + im->plan.of.key->offset, &text, sizeof text);
    lvl_put_int(to, im->plan.of.x, s->x);
    lvl_put_int(to, im->plan.of.y, s->y);
    im->changed = true;
}

/* Refuses a map of a fixed size that cannot hold squares of the level: Tiled drops them when a map is
 * made finite. */
static void check_size(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const lvl_field *list = im->plan.of.squares;
    const uint32_t known = lvl_list_count(g->item, list);
    const tiled_block *block = layer->blocks.items;
    uint32_t outside = 0;

    if (im->map->infinite || layer->blocks.count != 1)
        return;
    for (uint32_t i = 0; i < known; i++) {
        const void *record = lvl_list_item(g->item, list, i);
        const int64_t x = lvl_get_int(record, im->plan.of.x), y = lvl_get_int(record, im->plan.of.y);
        outside += x < block->x || y < block->y || x >= block->x + (int64_t)block->width ||
                   y >= block->y + (int64_t)block->height;
    }
    if (outside)
        import_fail(im, LVL_FAULT_MAP_LAYER,
                    "the map has a fixed size, and %u of the %u squares of the level lie outside of it; undo "
                    "that, or set Map > Map Properties > Infinite in Tiled before squares are lost",
                    outside, known);
}

/* Marks the squares that the map no longer shows, and those shown that the level already has. Returns how
 * many are dropped. */
static uint32_t match_squares(importer *im, const plan_grid *g, square *shown, uint32_t count, uint8_t *drop)
{
    const lvl_field *list = im->plan.of.squares;
    const uint32_t known = lvl_list_count(g->item, list);
    uint32_t dropped = 0;

    for (uint32_t i = 0; i < known; i++) {
        const void *record = lvl_list_item(g->item, list, i);
        const square key = {(int32_t)lvl_get_int(record, im->plan.of.x),
                            (int32_t)lvl_get_int(record, im->plan.of.y), i, false};
        square *seen = count ? bsearch(&key, shown, count, sizeof key, by_place) : NULL;
        /* of several squares at one position only the first is shown; the others are kept or removed
         * with it */
        if (seen && (seen->index == i || seen->taken))
            seen->taken = true;
        else
            drop[i] = 1;
        dropped += drop[i];
    }
    return dropped;
}

void import_take_squares(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const lvl_field *list = im->plan.of.squares;
    const uint32_t known = lvl_list_count(g->item, list);
    uint32_t count = 0, dropped = 0;
    square *shown = list_squares(im, g, layer, &count);
    uint8_t *drop = calloc((size_t)known + count + 1, 1); /* including those that are added */

    check_size(im, g, layer);
    if (!drop)
        import_stop(im, LVL_ERR_MEMORY);
    if (drop && im->status == LVL_OK)
        dropped = match_squares(im, g, shown, count, drop);
    for (uint32_t i = 0; i < count && im->status == LVL_OK; i++) {
        if (!shown[i].taken)
            add_square(im, g, &shown[i]);
    }
    if (dropped && im->status == LVL_OK) {
        import_stop(im, lvl_list_drop(im->doc, g->item, list, drop));
        im->changed = true;
    }
    free(drop);
    free(shown);
}
