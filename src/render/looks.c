/*
 * render/looks.c: see looks.h.
 */
#include "render/looks.h"

#include "base/work.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

uint32_t lvl_looks_grid(const lvl_scene_layer *main)
{
    enum { PART = 8, SMALL = 16 };

    return main->drawn ? 1 : main->cell_width > SMALL ? PART : main->cell_width;
}

typedef struct looks {
    const lvl_scene_layer *layer;
    lvl_rect area;
    uint32_t grid, width, height; /* of the picture, in squares */
    uint8_t *band; /* the rows of squares in a row of cells */
} looks;

/* The px in the middle of a square. */
static int64_t centre(int32_t start, uint32_t square, uint32_t grid)
{
    return (int64_t)start + (int64_t)square * grid + grid / 2;
}

/* Fills the band: rows `first` to `end` of the picture, which are in that row of cells. */
static lvl_status fill_band(const looks *s, uint32_t row, uint32_t first, uint32_t end)
{
    const lvl_scene_layer *layer = s->layer;
    lvl_scene_tile tile;
    uint32_t value = 0, next = 0;

    for (uint32_t x = 0; x < s->width; x = next) {
        const int64_t at = centre(s->area.left, x, s->grid);
        next = x + 1;
        if (at < 0 || at / layer->cell_width >= layer->columns)
            continue;
        const uint32_t column = (uint32_t)(at / layer->cell_width);
        while (next < s->width && centre(s->area.left, next, s->grid) / layer->cell_width == column)
            next++;
        layer->cells(layer, column, row, 1, &value);
        layer->tile(layer, value, &tile); /* which may be valid only until the next one is asked for */
        if (tile.memory_failed)
            return LVL_ERR_MEMORY;
        for (uint32_t y = first; y < end && !tile.empty; y++) {
            uint8_t *to = s->band + (size_t)(y - first) * s->width;
            const uint32_t down = (uint32_t)(centre(s->area.top, y, s->grid) % layer->cell_height);
            for (uint32_t i = x; i < next; i++) {
                const uint32_t in = (uint32_t)(centre(s->area.left, i, s->grid) % layer->cell_width);
                to[i] = (uint8_t)lvl_tile_class_at(layer, &tile, in, down);
            }
        }
    }
    return LVL_OK;
}

/* The rows of squares from `y` that are in one row of cells, *row; or one that is in none. */
static uint32_t rows_in_cell(const looks *s, uint32_t y, uint32_t *row)
{
    const int64_t at = centre(s->area.top, y, s->grid);
    uint32_t end = y + 1;

    *row = at < 0 || at / s->layer->cell_height >= s->layer->rows ? UINT32_MAX
                                                                  : (uint32_t)(at / s->layer->cell_height);
    while (*row != UINT32_MAX && end < s->height &&
           centre(s->area.top, end, s->grid) / s->layer->cell_height == *row)
        end++;
    return end;
}

lvl_status lvl_looks_draw(const lvl_scene *scene, const lvl_rect *area, lvl_rows *rows)
{
    looks s = {.layer = &scene->layers[scene->main_layer], .area = *area};
    const lvl_ctx *ctx = scene->ctx;
    const uint64_t share = lvl_memory_share(ctx);

    if (area->right < area->left || area->bottom < area->top)
        return LVL_ERR_ARG;
    s.grid = lvl_looks_grid(s.layer);
    s.width = (uint32_t)(((int64_t)area->right - area->left) / s.grid + 1);
    s.height = (uint32_t)(((int64_t)area->bottom - area->top) / s.grid + 1);
    const uint64_t in_cell = s.layer->cell_height / s.grid + 1, cells = lvl_limits_of(ctx).cells;
    if (s.width > cells / s.height)
        return lvl_refuse(ctx, LVL_LIMIT_CELLS, cells, (uint64_t)s.width * s.height);
    if (s.width > share / (in_cell + 3))
        return lvl_refuse(ctx, LVL_LIMIT_MEMORY, share, 0);
    s.band = malloc((size_t)(s.width * in_cell));
    lvl_status status =
        s.band ? rows->begin(rows, &(lvl_picture){.width = s.width, .height = s.height, .channels = 1})
               : LVL_ERR_MEMORY;
    for (uint32_t y = 0, end; y < s.height && status == LVL_OK; y = end) {
        uint32_t row;
        end = rows_in_cell(&s, y, &row);
        memset(s.band, 0, (size_t)s.width * (end - y));
        status = lvl_charge(ctx, (uint64_t)s.width * (end - y));
        if (status == LVL_OK && row != UINT32_MAX)
            status = fill_band(&s, row, y, end);
        if (status == LVL_OK)
            status = rows->rows(rows, s.band, end - y);
    }
    if (status == LVL_OK)
        status = rows->end(rows);
    free(s.band);
    return status;
}
