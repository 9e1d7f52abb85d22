/*
 * tiled/import_foreign.c: the layers of a map that lvl did not write: hidden ones are left out, chunks are
 * joined, and a size that the level cannot have is changed if no tile is lost by that.
 */
#include "base/text.h"
#include "base/work.h"
#include "tiled/import.h"

#include <stdio.h>

bool import_is_foreign(const tiled_map *map)
{
    for (uint32_t i = 0; i < map->sets.count; i++) {
        if (tiled_find(&map->sets.items[i].properties, lvl_text_of("lvl.set")))
            return false;
    }
    return !tiled_find(&map->properties, lvl_text_of("lvl.format"));
}

static uint64_t count_filled(const tiled_layer *layer)
{
    uint64_t count = 0;

    for (uint32_t b = 0; b < layer->blocks.count; b++) {
        const tiled_block *block = &layer->blocks.items[b];
        for (size_t i = 0; i < (size_t)block->width * block->height; i++)
            count += block->cells[i] != 0;
    }
    return count;
}

static void drop_layers(importer *im)
{
    tiled_map *map = im->map;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < map->layers.count; i++) {
        const tiled_layer *l = &map->layers.items[i];
        import_name_layer(im, l);
        if (l->kind == TILED_IMAGE)
            import_warn(im, "%s is a picture, which the level cannot store: it is left out", im->what);
        else if (l->kind == TILED_TILES && l->hidden)
            import_warn(im,
                        "%s is hidden: it is left out, with its %llu tiles, which the game would draw; show "
                        "it in Tiled to keep it",
                        im->what, (unsigned long long)count_filled(l));
        else
            map->layers.items[kept++] = *l;
        if (l->kind == TILED_OBJECTS && l->hidden && l->objects.count)
            import_warn(im,
                        "%s is hidden, but its %lu object%s stored, since the game has no hidden layers; "
                        "remove the layer in Tiled to leave %s out",
                        im->what, (unsigned long)l->objects.count, l->objects.count == 1 ? " is" : "s are",
                        l->objects.count == 1 ? "it" : "them");
    }
    map->layers.count = kept;
}

/* Columns and rows that contain all tiles of a layer. */
typedef struct area {
    int64_t left, top, right, bottom; /* right, bottom: beyond the last */
} area;

static void add_tiles(area *a, const tiled_layer *layer)
{
    for (uint32_t b = 0; b < layer->blocks.count; b++) {
        const tiled_block *block = &layer->blocks.items[b];
        for (size_t i = 0; i < (size_t)block->width * block->height; i++) {
            const int64_t x = block->x + (int64_t)(i % block->width),
                          y = block->y + (int64_t)(i / block->width);
            if (!block->cells[i])
                continue;
            a->left = x < a->left ? x : a->left;
            a->top = y < a->top ? y : a->top;
            a->right = x >= a->right ? x + 1 : a->right;
            a->bottom = y >= a->bottom ? y + 1 : a->bottom;
        }
    }
}

/* Replaces the blocks of a layer by one of that size, in which all of its tiles lie. */
static void join_blocks(importer *im, tiled_layer *layer, uint32_t width, uint32_t height)
{
    const size_t count = (size_t)width * height;
    uint32_t *cells = lvl_arena_array(&im->map->arena, count, sizeof *cells);

    import_stop(im, cells ? lvl_charge(im->map->ctx, count) : LVL_ERR_MEMORY);
    if (!cells)
        return;
    for (uint32_t b = 0; b < layer->blocks.count && im->status == LVL_OK; b++) {
        const tiled_block *block = &layer->blocks.items[b];
        for (size_t i = 0; i < (size_t)block->width * block->height; i++) {
            const int64_t x = block->x + (int64_t)(i % block->width),
                          y = block->y + (int64_t)(i / block->width);
            if (block->cells[i])
                cells[(size_t)y * width + (size_t)x] = block->cells[i];
        }
    }
    layer->blocks.count = 0;
    tiled_block *all = im->status == LVL_OK ? TILED_PUSH(&im->map->arena, &layer->blocks) : NULL;
    if (all)
        *all = (tiled_block){0, 0, width, height, cells};
}

/* Reports the first layer with tiles outside of the level. */
static void check_area(importer *im, const tiled_layer *layer, int64_t width, int64_t height)
{
    area a = {0};

    add_tiles(&a, layer);
    if (im->status != LVL_OK || (a.left >= 0 && a.top >= 0 && a.right <= width && a.bottom <= height))
        return;
    import_name_layer(im, layer);
    import_fail(im, LVL_FAULT_MAP_LAYER,
                "%s has tiles in columns %lld to %lld, rows %lld to %lld, but the level has columns 0 to "
                "%lld, rows 0 to %lld; move them with Map > Offset Map in Tiled, or divide the map",
                im->what, (long long)a.left, (long long)a.right - 1, (long long)a.top,
                (long long)a.bottom - 1, (long long)width - 1, (long long)height - 1);
}

/* The size that the level gets. */
static lvl_status find_size(const importer *im, const lvl_map_grid *grid, uint32_t *width, uint32_t *height)
{
    const uint64_t most = lvl_limits_of(im->map->ctx).cells;
    area a = {0};

    *width = grid->fixed_width ? grid->fixed_width : im->map->width;
    *height = grid->fixed_height ? grid->fixed_height : im->map->height;
    if (grid->fixed_width || !im->map->infinite)
        return LVL_OK;
    for (uint32_t i = 0; i < im->map->layers.count; i++)
        add_tiles(&a, &im->map->layers.items[i]);
    if ((uint64_t)a.right * (uint64_t)a.bottom > most)
        return lvl_refuse(im->map->ctx, LVL_LIMIT_CELLS, most, (uint64_t)a.right * (uint64_t)a.bottom);
    *width = (uint32_t)(a.right ? a.right : 1);
    *height = (uint32_t)(a.bottom ? a.bottom : 1);
    return LVL_OK;
}

void import_settle_foreign(importer *im, const lvl_format *format)
{
    const lvl_map_grid *grid = lvl_map_grid_of(format);
    const lvl_field *list = lvl_map_layers(format);
    uint32_t width = 0, height = 0;

    drop_layers(im);
    if (!grid || !list || !lvl_map_cells_of(list->table).cells)
        return;
    import_stop(im, find_size(im, grid, &width, &height));
    for (uint32_t i = 0; i < im->map->layers.count && im->status == LVL_OK; i++) {
        tiled_layer *layer = &im->map->layers.items[i];
        const tiled_block *first = layer->blocks.items;
        const bool chunks = layer->blocks.count > 1 || (layer->blocks.count && (first->x || first->y));
        const bool fits = grid->fixed_width
                              ? layer->blocks.count && first->width == width && first->height == height
                              : !im->map->infinite;
        if (layer->kind != TILED_TILES || (fits && !chunks))
            continue;
        check_area(im, layer, width, height);
        if (im->status == LVL_OK)
            join_blocks(im, layer, width, height);
    }
    im->map->infinite = false;
    im->map->width = width;
    im->map->height = height;
}
