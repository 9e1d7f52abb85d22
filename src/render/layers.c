/*
 * render/layers.c: cells of a layer onto a band, wrapped where the layer wraps.
 */
#include "render/plan.h"

#include <string.h>

enum { CHUNK = 512 }; /* cells fetched at once */

const lvl_scene_tile *lvl_plan_tile(lvl_layer_plan *lp, uint32_t value)
{
    const uint32_t slot = (value * 2654435761u) >> 22;

    if (!lp->cache->full[slot] || lp->cache->values[slot] != value) {
        lp->layer->tile(lp->layer, value, &lp->cache->tiles[slot]);
        lp->cache->values[slot] = value;
        lp->cache->full[slot] = true;
    }
    return &lp->cache->tiles[slot];
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The cells between two layer coordinates, bounded by the layer unless it wraps. */
static void cell_range(int64_t from, int64_t to, uint32_t size, uint32_t count, bool wrap, int64_t *first,
                       int64_t *end)
{
    *first = floor_div(from, size);
    *end = floor_div(to - 1, size) + 1;
    if (!wrap) {
        if (*first < 0)
            *first = 0;
        if (*end > count)
            *end = count;
    }
}

void lvl_plan_cells(lvl_layer_plan *lp, lvl_canvas *canvas, lvl_cell_fn visit, void *user)
{
    const lvl_scene_layer *layer = lp->layer;
    uint32_t values[CHUNK];
    int64_t x0, x1, y0, y1;

    if (layer->columns == 0 || layer->rows == 0)
        return;
    cell_range(canvas->area.left + lp->x, canvas->area.right + lp->x, layer->cell_width, layer->columns,
               lp->wrap_x, &x0, &x1);
    cell_range(canvas->area.top + lp->y, canvas->area.bottom + lp->y, layer->cell_height, layer->rows,
               lp->wrap_y, &y0, &y1);
    for (int64_t y = y0; y < y1; y++) {
        const uint32_t row = (uint32_t)(y - floor_div(y, layer->rows) * layer->rows);
        for (int64_t x = x0; x < x1;) {
            const uint32_t column = (uint32_t)(x - floor_div(x, layer->columns) * layer->columns);
            uint32_t n = layer->columns - column < CHUNK ? layer->columns - column : CHUNK;
            if (n > x1 - x)
                n = (uint32_t)(x1 - x);
            layer->cells(layer, column, row, n, values);
            for (uint32_t i = 0; i < n; i++, x++) {
                lvl_area area = {x * layer->cell_width - lp->x, y * layer->cell_height - lp->y, 0, 0};
                area.right = area.left + layer->cell_width;
                area.bottom = area.top + layer->cell_height;
                visit(user, canvas, lp, column + i, row, values[i], area);
            }
        }
    }
}

static void draw_cell(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, uint32_t column, uint32_t row,
                      uint32_t value, lvl_area area)
{
    const lvl_scene_tile *tile = lvl_plan_tile(lp, value);

    (void)user;
    (void)column;
    (void)row;
    if (tile->empty)
        return;
    if (tile->filled)
        lvl_canvas_fill_colour(canvas, area, lp->layer->fill_index, lp->layer->fill_rgb);
    else if (tile->image)
        lvl_canvas_image(canvas, tile->image, area.left, area.top, 0, &area);
}

void lvl_draw_layer(lvl_layer_plan *lp, lvl_canvas *canvas)
{
    lvl_plan_cells(lp, canvas, draw_cell, NULL);
}

typedef struct palette_test {
    const lvl_palette *palette;
    bool fits;
} palette_test;

static void test_cell(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, uint32_t column, uint32_t row,
                      uint32_t value, lvl_area area)
{
    palette_test *test = user;
    const lvl_scene_tile *tile = test->fits ? lvl_plan_tile(lp, value) : NULL;

    (void)canvas;
    (void)column;
    (void)row;
    (void)area;
    if (tile && tile->image && !tile->empty)
        test->fits = tile->image->format == LVL_PIXELS_INDEX8 &&
                     (!tile->image->palette || tile->image->palette == test->palette ||
                      memcmp(tile->image->palette, test->palette, sizeof *test->palette) == 0);
}

bool lvl_layer_fits_palette(lvl_layer_plan *lp, const lvl_area *area, const lvl_palette *palette)
{
    const lvl_scene_layer *layer = lp->layer;
    palette_test test = {palette, true};
    lvl_canvas canvas = {.area = *area};
    const int64_t width = (int64_t)layer->columns * layer->cell_width,
                  height = (int64_t)layer->rows * layer->cell_height;

    /* Once around is enough where it wraps. */
    if (lp->wrap_x && canvas.area.right - canvas.area.left > width)
        canvas.area.right = canvas.area.left + width;
    if (lp->wrap_y && canvas.area.bottom - canvas.area.top > height)
        canvas.area.bottom = canvas.area.top + height;
    lvl_plan_cells(lp, &canvas, test_cell, &test);
    return test.fits;
}
