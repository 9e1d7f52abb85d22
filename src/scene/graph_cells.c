/*
 * scene/graph_cells.c: a set of the cells that blocks cover. The cells of a block that was joined to another
 * stay in the table: nothing looks them up again.
 */
#include "scene/graph_layout.h"

#include "base/arena.h"

#include <stdlib.h>

enum { MAX_LOOKS = 1 << 25 /* lookups in all; beyond, blocks are not joined, and are packed in rows */ };

void lvl_graph_cells_init(lvl_graph_cells *cells, const lvl_ctx *ctx)
{
    *cells = (lvl_graph_cells){.looks = lvl_work_begin(ctx)};
    if (cells->looks.left > MAX_LOOKS)
        cells->looks.left = MAX_LOOKS;
    lvl_hash_init(&cells->table);
}

void lvl_graph_cells_free(lvl_graph_cells *cells)
{
    free(cells->items);
    lvl_hash_free(&cells->table);
}

static uint64_t hash_of(const lvl_graph_cells *cells, uint32_t grid, int32_t x, int32_t y)
{
    const uint64_t h = lvl_hash_u64(&cells->table.seed, grid);

    return lvl_hash_mix(&cells->table.seed, h, (uint64_t)(uint32_t)x << 32 | (uint32_t)y);
}

bool lvl_graph_is_taken(lvl_graph_cells *cells, uint32_t grid, int32_t x, int32_t y)
{
    if (!lvl_work_charge(&cells->looks, 1))
        return true;
    const uint64_t hash = hash_of(cells, grid, x, y);
    for (lvl_hash_at at = lvl_hash_first(&cells->table, hash); at.found;
         at = lvl_hash_next(&cells->table, at)) {
        const lvl_graph_cell *cell = &cells->items[at.index];
        if (cell->grid == grid && cell->x == x && cell->y == y)
            return true;
    }
    return false;
}

lvl_status lvl_graph_take_cell(lvl_graph_cells *cells, uint32_t grid, int32_t x, int32_t y)
{
    if (cells->count == UINT32_MAX ||
        !lvl_grow(&cells->items, &cells->cap, cells->count + 1, sizeof *cells->items))
        return LVL_ERR_MEMORY;
    cells->items[cells->count] = (lvl_graph_cell){grid, x, y};
    return lvl_hash_add(&cells->table, hash_of(cells, grid, x, y), (uint32_t)cells->count++);
}
