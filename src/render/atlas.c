/*
 * render/atlas.c: a layer as a tile map: a picture of its distinct tiles, and a grid of their numbers.
 */
#include "base/arena.h"
#include "base/work.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

/* A cell: its value, and where it is. */
typedef struct atlas_cell {
    uint32_t value, place;
} atlas_cell;

static int by_value(const void *a, const void *b)
{
    const atlas_cell *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Draws the cell at `place` in the layer as tile `index` of the picture. */
static lvl_status draw_tile(const lvl_scene *scene, uint32_t layer, bool schematic, uint32_t place,
                            uint32_t index, lvl_atlas *out)
{
    const uint32_t w = out->cell_width, h = out->cell_height;
    const int32_t left = (int32_t)(place % out->columns * w), top = (int32_t)(place / out->columns * h);
    lvl_render_options r;
    lvl_image image = {0};

    lvl_render_options_init(&r);
    r.view = LVL_VIEW_LAYER;
    r.layer = layer;
    r.no_things = true;
    r.transparent = true;
    r.schematic = schematic;
    r.region_given = true;
    r.region = (lvl_rect){left, top, left + (int32_t)w - 1, top + (int32_t)h - 1};
    const lvl_status status = lvl_render_image(scene, &r, &image);
    if (status == LVL_OK) {
        const size_t stride = (size_t)out->image.width * 4;
        uint8_t *to = out->image.pixels + (size_t)(index / out->across) * h * stride +
                      (size_t)(index % out->across) * w * 4;
        for (uint32_t y = 0; y < h && y < image.height; y++)
            memcpy(to + y * stride, image.pixels + (size_t)y * image.width * 4,
                   4 * (size_t)(w < image.width ? w : image.width));
    }
    lvl_image_clear(&image);
    return status;
}

/* Numbers the distinct values that draw something, and sets `first` to a position of each. */
static lvl_status number_tiles(const lvl_scene_layer *layer, const atlas_cell *sorted, size_t count,
                               uint32_t *first, lvl_atlas *out)
{
    lvl_scene_tile tile;
    bool empty = true;

    for (size_t i = 0; i < count; i++) {
        if (!i || sorted[i].value != sorted[i - 1].value) {
            layer->tile(layer, sorted[i].value, &tile);
            if (tile.memory_failed)
                return LVL_ERR_MEMORY;
            empty = tile.empty && !tile.filled;
            if (!empty)
                first[out->tile_count++] = sorted[i].place;
        }
        out->cells[sorted[i].place] = empty ? 0 : out->tile_count;
    }
    return LVL_OK;
}

lvl_status lvl_render_atlas(const lvl_scene *scene, uint32_t index, bool schematic, lvl_atlas *out)
{
    const lvl_ctx *ctx = scene->ctx;
    atlas_cell *sorted = NULL;
    uint32_t *first = NULL;

    memset(out, 0, sizeof *out);
    out->ctx = ctx;
    if (index >= scene->layer_count)
        return LVL_ERR_ARG;
    const lvl_scene_layer *layer = &scene->layers[index];
    const uint64_t most = lvl_limits_of(ctx).cells;
    const uint64_t count = (uint64_t)layer->columns * layer->rows;
    out->columns = layer->columns;
    out->rows = layer->rows;
    out->cell_width = layer->cell_width;
    out->cell_height = layer->cell_height;
    if (!count)
        return LVL_OK;
    enum { EACH = sizeof *sorted + sizeof *first + sizeof *out->cells };
    if (count > most || count > UINT32_MAX)
        return lvl_refuse(ctx, LVL_LIMIT_CELLS, most, count);
    if (count > lvl_memory_share(ctx) / EACH || count > SIZE_MAX / EACH)
        return lvl_refuse(ctx, LVL_LIMIT_MEMORY, lvl_memory_share(ctx), count * EACH);
    if ((uint64_t)layer->columns * layer->cell_width > INT32_MAX ||
        (uint64_t)layer->rows * layer->cell_height > INT32_MAX)
        return LVL_ERR_LIMIT;
    lvl_status status = lvl_charge(ctx, count);
    if (status != LVL_OK)
        return status;
    out->cells = lvl_mem_alloc(ctx, (size_t)count * sizeof *out->cells);
    first = lvl_mem_alloc(ctx, (size_t)count * sizeof *first);
    sorted = lvl_mem_alloc(ctx, (size_t)count * sizeof *sorted);
    status = out->cells && first && sorted ? LVL_OK : LVL_ERR_MEMORY;
    for (uint32_t y = 0; y < layer->rows && status == LVL_OK; y++) {
        layer->cells(layer, 0, y, layer->columns, first);
        for (uint32_t x = 0; x < layer->columns; x++)
            sorted[(size_t)y * layer->columns + x] = (atlas_cell){first[x], y * layer->columns + x};
    }
    if (status == LVL_OK) {
        qsort(sorted, (size_t)count, sizeof *sorted, by_value);
        status = number_tiles(layer, sorted, (size_t)count, first, out);
    }
    /* the picture that is closest to a square */
    for (out->across = 1; (uint64_t)out->across * out->across < out->tile_count;)
        out->across++;
    const uint64_t width = (uint64_t)out->across * layer->cell_width;
    const uint64_t height = (uint64_t)(out->tile_count + out->across - 1) / out->across * layer->cell_height;
    if (status == LVL_OK && (width > UINT32_MAX || height > UINT32_MAX))
        status = lvl_refuse(ctx, LVL_LIMIT_CELLS, most, width > UINT32_MAX ? width : height);
    if (status == LVL_OK && out->tile_count)
        status = lvl_image_init(&out->image, ctx, LVL_PIXELS_RGBA8, (uint32_t)width, (uint32_t)height, false);
    for (uint32_t i = 0; i < out->tile_count && status == LVL_OK; i++)
        status = draw_tile(scene, index, schematic, first[i], i, out);
    lvl_mem_free(ctx, sorted);
    lvl_mem_free(ctx, first);
    if (status != LVL_OK)
        lvl_atlas_clear(out);
    return status;
}

void lvl_atlas_clear(lvl_atlas *atlas)
{
    if (atlas->ctx)
        lvl_mem_free(atlas->ctx, atlas->cells);
    lvl_image_clear(&atlas->image);
    memset(atlas, 0, sizeof *atlas);
}
