/*
 * tiled/import_cells.c: the cells of tile layers that are grids.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "tiled/import.h"

#include <stdio.h>

static bool take_special_cell(importer *im, const tiled_set *set, uint32_t id, uint32_t size, uint32_t *value)
{
    const tiled_tile *tile = import_tile_of(set, id);
    const tiled_property *p = tile ? tiled_find(&tile->properties, lvl_text_of("value")) : NULL;

    return p && lvl_cell_parse(im->plan.of.cells->cell_names, p->value, size, value);
}

static void name_cell(importer *im, const plan_grid *g, int64_t x, int64_t y)
{
    char buf[80];

    im->object = NULL;
    snprintf(im->what, sizeof im->what, "layer \"%s\", column %lld, row %lld", lvl_show(buf, g->name),
             (long long)x, (long long)y);
}

bool import_take_cell(importer *im, const plan_grid *g, int64_t x, int64_t y, uint32_t gid, uint32_t size,
                      uint32_t *out)
{
    const lvl_map_grid *grid = im->plan.grid;
    const bool flipped = gid & TILED_FLIPS;
    const tiled_set *set = import_set_of(im, gid & ~TILED_FLIPS);
    const set_info *info = set ? &im->sets[set - im->map->sets.items] : NULL;
    const uint32_t id = set ? (gid & ~TILED_FLIPS) - set->first : 0;
    const bool own = info && info->kind == SET_TILES && (im->fresh || info->grid == g->index || grid->shared);
    char buf[80];

    if (!flipped && info && info->kind == SET_SPECIAL && im->plan.of.cells &&
        take_special_cell(im, set, id, size, out))
        return true;
    *out = im->plan.of.squares ? id : tiled_value_of_tile(grid, id);
    if (!flipped && own && (im->plan.of.squares || *out < grid->values))
        return true;
    name_cell(im, g, x, y);
    if (flipped)
        import_fail(im, LVL_FAULT_MAP_CELL,
                    "%s: the tile is flipped or rotated, which the level cannot store", im->what);
    else if (own)
        import_fail(im, LVL_FAULT_MAP_CELL, "%s: there is no tile %lu in the level's tileset", im->what,
                    (unsigned long)*out);
    else
        import_fail(im, LVL_FAULT_MAP_CELL,
                    "%s: the tile is of the tileset \"%s\", which is not the layer's own", im->what,
                    set ? lvl_show(buf, set->name.len ? set->name : set->source) : "");
    return false;
}

/* The cells of a layer as values of `size` bytes, in memory of the document. */
static uint8_t *layer_values(importer *im, const plan_grid *g, const tiled_block *block, uint32_t size)
{
    const size_t count = (size_t)block->width * block->height;
    const uint32_t empty = lvl_map_empty(im->plan.grid, g->item, im->plan.of.cells);
    uint8_t *values = lvl_arena_raw(&im->doc->arena, count * size + 1);
    uint32_t last = 0, value = empty;

    if (!values)
        import_stop(im, LVL_ERR_MEMORY);
    for (size_t i = 0; i < count && values; i++) {
        const uint32_t gid = block->cells[i];
        if (!gid)
            value = empty;
        else if (gid != last && !import_take_cell(im, g, (int64_t)(i % block->width),
                                                  (int64_t)(i / block->width), gid, size, &value))
            return NULL;
        last = gid;
        lvl_put_cell(values + i * size, size, value);
    }
    return values;
}

/* Whether a layer has the size of the map, as all layers have after Resize Map in Tiled. */
static bool has_map_size(const importer *im, const tiled_block *block)
{
    const plan_grid *main = im->plan.main < im->plan.grid_count ? &im->plan.grids[im->plan.main] : NULL;
    const tiled_layer *layer = main ? import_grid_layer(im, main) : NULL;

    return layer && layer->blocks.count && layer->blocks.items[0].width == block->width &&
           layer->blocks.items[0].height == block->height;
}

/* The number of cells by which Resize Map moved the layers. */
static void cell_shift(const importer *im, int64_t *dx, int64_t *dy)
{
    int64_t px[2];

    lvl_cell_px(im->plan.grid, im->plan.grid_list->table, im->plan.grids[im->plan.main].item, px);
    *dx = px[0] ? im->shift_x / px[0] : 0;
    *dy = px[1] ? im->shift_y / px[1] : 0;
}

/* Enlarges `all` for cells that were painted outside it. */
static void grow_to_painted(importer *im, const plan_grid *g, const lvl_cells *now, lvl_cells *all)
{
    const uint32_t empty = lvl_map_empty(im->plan.grid, g->item, im->plan.of.cells);
    int64_t dx, dy;

    cell_shift(im, &dx, &dy);
    for (uint32_t row = 0; row < now->height; row++) {
        for (uint32_t column = 0; column < now->width; column++) {
            const int64_t x = column - dx, y = row - dy;
            const bool inside = x >= 0 && y >= 0 && x < all->width && y < all->height;
            if (inside || lvl_cell(now, column, row) == empty)
                continue;
            if (x < 0 || y < 0) {
                name_cell(im, g, column, row);
                import_fail(im, LVL_FAULT_MAP_CELL,
                            "%s: the cell is left of or above the layer, which Resize Map moved; only the "
                            "main layer is resized",
                            im->what);
                return;
            }
            all->width = x >= all->width ? (uint32_t)x + 1 : all->width;
            all->height = y >= all->height ? (uint32_t)y + 1 : all->height;
        }
    }
}

/* Copies cells from another grid, starting at x, y there, as far as they fit. */
static void put_cells(uint8_t *cells, const lvl_cells *to, const lvl_cells *from, int64_t x, int64_t y)
{
    for (uint32_t row = 0; row < from->height; row++) {
        for (uint32_t column = 0; column < from->width; column++) {
            const int64_t tx = column + x, ty = row + y;
            if (tx >= 0 && ty >= 0 && tx < to->width && ty < to->height)
                lvl_put_cell(cells + ((size_t)ty * to->width + (size_t)tx) * to->size, to->size,
                             lvl_cell(from, column, row));
        }
    }
}

/* Resize Map is meant for the main layer. Another layer keeps the cells that Tiled cut off, gets those that
 * were painted, and grows only if cells were painted outside it. */
static lvl_cells keep_size(importer *im, const plan_grid *g, const lvl_cells *now, const lvl_cells *was)
{
    const uint32_t empty = lvl_map_empty(im->plan.grid, g->item, im->plan.of.cells);
    lvl_cells all = {NULL, was->width, was->height, was->size};
    int64_t dx, dy;

    grow_to_painted(im, g, now, &all);
    if (im->status != LVL_OK)
        return all;
    const size_t count = (size_t)all.width * all.height;
    uint8_t *cells = lvl_arena_raw(&im->doc->arena, count * all.size + 1);
    if (!cells) {
        import_stop(im, LVL_ERR_MEMORY);
        return all;
    }
    cell_shift(im, &dx, &dy);
    lvl_fill_cells(cells, all.size, empty, count);
    put_cells(cells, &all, was, 0, 0);
    put_cells(cells, &all, now, -dx, -dy);
    all.ptr = cells;
    return all;
}

/* Reports how many cells a smaller size cut off. */
static void report_cut(importer *im, const plan_grid *g, const tiled_block *block, const lvl_cells *was)
{
    const uint32_t empty = lvl_map_empty(im->plan.grid, g->item, im->plan.of.cells);
    int64_t dx, dy;
    uint64_t cut = 0;
    char buf[80];

    cell_shift(im, &dx, &dy);
    for (uint32_t y = 0; y < was->height; y++) {
        for (uint32_t x = 0; x < was->width; x++) {
            const bool inside = x + dx >= 0 && y + dy >= 0 && x + dx < block->width && y + dy < block->height;
            cut += !inside && lvl_cell(was, x, y) != empty;
        }
    }
    if (cut)
        lvl_fault_add(im->findings, LVL_FAULT_CUT,
                      "layer \"%s\", from %lu by %lu to %lu by %lu: %llu cell%s that %s not empty cut off",
                      lvl_show(buf, g->name), (unsigned long)was->width, (unsigned long)was->height,
                      (unsigned long)block->width, (unsigned long)block->height, (unsigned long long)cut,
                      cut == 1 ? "" : "s", cut == 1 ? "was" : "were");
}

/* Reports a size that the level cannot have. */
static void check_size(importer *im, const tiled_block *block, bool same_size)
{
    const lvl_map_grid *grid = im->plan.grid;

    if (grid->fixed_width && !same_size &&
        (block->width != grid->fixed_width || block->height != grid->fixed_height))
        import_fail(im, LVL_FAULT_MAP_LAYER, "%s: expected %lu by %lu cells, found %lu by %lu",
                    import_what(im), (unsigned long)grid->fixed_width, (unsigned long)grid->fixed_height,
                    (unsigned long)block->width, (unsigned long)block->height);
}

static bool are_different(const lvl_cells *now, const lvl_cells *was)
{
    if (now->width != was->width || now->height != was->height)
        return true;
    return now->width && memcmp(now->ptr, was->ptr, (size_t)was->width * was->height * now->size) != 0;
}

void import_take_cells(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const lvl_field *f = im->plan.of.cells;
    const tiled_block none = {0}, *block = layer->blocks.count ? &layer->blocks.items[0] : &none;
    lvl_buffer storage = {0};
    lvl_cells was;

    if (layer->blocks.count > 1 || block->x || block->y || im->map->infinite) {
        import_fail(
            im, LVL_FAULT_MAP_LAYER,
            "the map is infinite, but the level has a fixed size; clear Map > Map Properties > Infinite in "
            "Tiled");
        return;
    }
    const lvl_status status = lvl_doc_cells(im->doc, g->item, f, &storage, &was);
    if (status != LVL_ERR_FORMAT)
        import_stop(im, status);
    const uint32_t size = was.size ? was.size : lvl_cell_size(f);
    if (!was.ptr)
        was.width = was.height = 0;
    const bool same_size = block->width == was.width && block->height == was.height;
    check_size(im, block, same_size);
    lvl_cells now = {im->status == LVL_OK ? layer_values(im, g, block, size) : NULL, block->width,
                     block->height, size};
    const bool moved = im->shift_x || im->shift_y;
    if (now.ptr && was.ptr && g->index != im->plan.main && !im->fresh && (moved || !same_size) &&
        has_map_size(im, block))
        now = keep_size(im, g, &now, &was);
    else if (now.ptr && was.ptr && !same_size)
        report_cut(im, g, block, &was);
    if (now.ptr && im->status == LVL_OK && are_different(&now, &was)) {
        memcpy((uint8_t *)g->item + f->offset, &now, sizeof now);
        im->changed = true;
    }
    lvl_buffer_free(&storage);
}
