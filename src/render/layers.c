/*
 * render/layers.c: draws the cells of a layer on a band, repeated if the layer wraps.
 */
#include "render/plan.h"

#include <string.h>

enum { CHUNK = LVL_RUN }; /* cells fetched at once */

const lvl_scene_tile *lvl_plan_tile(lvl_layer_plan *lp, uint32_t value)
{
    const uint32_t slot = (value * 2654435761u) >> 22;

    if (lp->layer->fresh || !lp->cache->full[slot] || lp->cache->values[slot] != value) {
        lp->layer->tile(lp->layer, value, &lp->cache->tiles[slot]);
        lp->cache->values[slot] = value;
        lp->cache->full[slot] = true;
        lp->memory_failed = lp->memory_failed || lp->cache->tiles[slot].memory_failed;
    }
    return &lp->cache->tiles[slot];
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The cells between two layer coordinates, clipped to the layer unless it continues beyond its ends. */
static void cell_range(int64_t from, int64_t to, uint32_t size, uint32_t count, bool endless, int64_t *first,
                       int64_t *end)
{
    *first = floor_div(from, size);
    *end = floor_div(to - 1, size) + 1;
    if (!endless) {
        if (*first < 0)
            *first = 0;
        if (*end > count)
            *end = count;
    }
}

/* The cell in 0 .. count for an index outside: the nearest, or the wrapped one. */
static uint32_t cell_within(int64_t index, uint32_t count, bool nearest)
{
    if (nearest)
        return index < 0 ? 0 : index >= count ? count - 1 : (uint32_t)index;
    return (uint32_t)(index - floor_div(index, count) * count);
}

uint64_t lvl_plan_count_cells(const lvl_layer_plan *lp, const lvl_area *area)
{
    const lvl_scene_layer *layer = lp->layer;
    int64_t x0, x1, y0, y1;

    if (layer->columns == 0 || layer->rows == 0)
        return 0;
    cell_range(area->left + lp->x, area->right + lp->x, layer->cell_width, layer->columns,
               lp->wrap_x || lp->stretch_x, &x0, &x1);
    cell_range(area->top + lp->y, area->bottom + lp->y, layer->cell_height, layer->rows,
               lp->wrap_y || lp->stretch_y, &y0, &y1);
    return x0 < x1 && y0 < y1 ? (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0) : 0;
}

bool lvl_plan_cell_at(const lvl_layer_plan *lp, int64_t x, int64_t y, lvl_cell_at *out)
{
    const lvl_scene_layer *layer = lp->layer;
    const int64_t column = floor_div(x + lp->x, layer->cell_width),
                  row = floor_div(y + lp->y, layer->cell_height);

    if (layer->columns == 0 || layer->rows == 0 ||
        (!lp->wrap_x && !lp->stretch_x && (column < 0 || column >= layer->columns)) ||
        (!lp->wrap_y && !lp->stretch_y && (row < 0 || row >= layer->rows)))
        return false;
    out->column = cell_within(column, layer->columns, lp->stretch_x);
    out->row = cell_within(row, layer->rows, lp->stretch_y);
    if (row < 0 && lp->plain_top)
        out->value = lp->top;
    else if (row >= layer->rows && lp->plain_bottom)
        out->value = lp->bottom;
    else
        layer->cells(layer, out->column, out->row, 1, &out->value);
    return true;
}

void lvl_plan_runs(lvl_layer_plan *lp, lvl_canvas *canvas, lvl_run_fn visit, void *user)
{
    const lvl_scene_layer *layer = lp->layer;
    uint32_t values[CHUNK];
    int64_t x0, x1, y0, y1;

    if (layer->columns == 0 || layer->rows == 0)
        return;
    cell_range(canvas->area.left + lp->x, canvas->area.right + lp->x, layer->cell_width, layer->columns,
               lp->wrap_x || lp->stretch_x, &x0, &x1);
    cell_range(canvas->area.top + lp->y, canvas->area.bottom + lp->y, layer->cell_height, layer->rows,
               lp->wrap_y || lp->stretch_y, &y0, &y1);
    for (int64_t y = y0; y < y1; y++) {
        const uint32_t row = cell_within(y, layer->rows, lp->stretch_y);
        for (int64_t x = x0; x < x1;) {
            const uint32_t column = cell_within(x, layer->columns, lp->stretch_x);
            uint32_t n = layer->columns - column < CHUNK ? layer->columns - column : CHUNK;
            if (lp->stretch_x && (x < 0 || x >= layer->columns))
                n = 1;
            if (n > x1 - x)
                n = (uint32_t)(x1 - x);
            layer->cells(layer, column, row, n, values);
            if ((y < 0 && lp->plain_top) || (y >= layer->rows && lp->plain_bottom)) {
                for (uint32_t i = 0; i < n; i++)
                    values[i] = y < 0 ? lp->top : lp->bottom;
            }
            const int64_t left = x * layer->cell_width - lp->x, top = y * layer->cell_height - lp->y;
            const lvl_cell_at first = {
                .column = column,
                .row = row,
                .area = {left, top, left + layer->cell_width, top + layer->cell_height}};
            visit(user, canvas, lp, &first, values, n);
            x += n;
        }
    }
}

typedef struct each_cell {
    lvl_cell_fn visit;
    void *user;
} each_cell;

static void visit_each(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *first,
                       const uint32_t *values, uint32_t count)
{
    const each_cell *each = user;
    lvl_cell_at cell = *first;

    for (uint32_t i = 0; i < count; i++, cell.column++) {
        cell.value = values[i];
        each->visit(each->user, canvas, lp, &cell);
        cell.area.left = cell.area.right;
        cell.area.right += lp->layer->cell_width;
    }
}

void lvl_plan_cells(lvl_layer_plan *lp, lvl_canvas *canvas, lvl_cell_fn visit, void *user)
{
    each_cell each = {visit, user};

    lvl_plan_runs(lp, canvas, visit_each, &each);
}

/* The value of more than half of the cells in a row; false if there is none. */
static bool find_majority(const lvl_scene_layer *layer, uint32_t row, uint32_t *out)
{
    uint32_t values[CHUNK], candidate = 0;
    int64_t lead = 0, count = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t x = 0; x < layer->columns; x += CHUNK) {
            const uint32_t n = layer->columns - x < CHUNK ? layer->columns - x : CHUNK;
            layer->cells(layer, x, row, n, values);
            for (uint32_t i = 0; i < n; i++) {
                if (pass) {
                    count += values[i] == candidate;
                } else if (lead == 0) {
                    candidate = values[i];
                    lead = 1;
                } else {
                    lead += values[i] == candidate ? 1 : -1;
                }
            }
        }
    }
    *out = candidate;
    return count > layer->columns / 2;
}

void lvl_plan_edges(lvl_layer_plan *lp)
{
    if (!lp->stretch_y || lp->layer->columns == 0 || lp->layer->rows == 0)
        return;
    lp->plain_top = find_majority(lp->layer, 0, &lp->top);
    lp->plain_bottom = find_majority(lp->layer, lp->layer->rows - 1, &lp->bottom);
}

void lvl_draw_layer_cell(lvl_layer_plan *lp, lvl_canvas *canvas, uint32_t value, lvl_area area)
{
    const lvl_scene_tile *tile = lvl_plan_tile(lp, value);

    if (tile->empty)
        return;
    if (tile->filled)
        lvl_canvas_fill_colour(canvas, area, lp->layer->fill_index, lp->layer->fill_rgb);
    else if (tile->image)
        lvl_canvas_image(canvas, tile->image, area.left - tile->image_x, area.top - tile->image_y, 0, &area);
}

static void draw_cell(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *cell)
{
    (void)user;
    lvl_draw_layer_cell(lp, canvas, cell->value, cell->area);
}

void lvl_draw_layer(lvl_layer_plan *lp, lvl_canvas *canvas)
{
    lvl_plan_cells(lp, canvas, draw_cell, NULL);
}

typedef struct palette_test {
    const lvl_palette *palette;
    bool fits;
} palette_test;

static void test_cell(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *cell)
{
    palette_test *test = user;
    const lvl_scene_tile *tile = test->fits ? lvl_plan_tile(lp, cell->value) : NULL;

    (void)canvas;
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

    /* If it wraps, one period is enough. */
    if (lp->wrap_x && canvas.area.right - canvas.area.left > width)
        canvas.area.right = canvas.area.left + width;
    if (lp->wrap_y && canvas.area.bottom - canvas.area.top > height)
        canvas.area.bottom = canvas.area.top + height;
    lvl_plan_cells(lp, &canvas, test_cell, &test);
    return test.fits;
}
