/*
 * render/reduce_layer.c: layers of cells in a picture drawn at reduced size: each kind of cell is drawn once
 * at full size and shrunk; cells smaller than a drawn pixel are averaged, or sampled if there are many.
 */
#include "render/reduce.h"

#include <string.h>

enum {
    SKETCH = 256 /* largest side, in px, at which a schematic cell is drawn: its pattern scales with it */
};

typedef struct layer_draw {
    lvl_plan *plan;
    lvl_canvas *canvas; /* drawn pixels */
    int64_t row; /* row of the means */
    bool begun; /* the row of means is in use */
} layer_draw;

/* ---- the picture of a cell --------------------------------------------------------------------------- */

/* The pixels of the cell's tile at full size, if they are stored as such; else NULL. */
static const uint8_t *tile_pixels(lvl_layer_plan *lp, uint32_t value, uint32_t width, uint32_t height)
{
    const lvl_scene_tile *tile = lvl_plan_tile(lp, value);
    const lvl_image *image = tile->filled ? NULL : tile->image;
    const bool whole = image && image->format == LVL_PIXELS_RGBA8 && !tile->image_x && !tile->image_y &&
                       image->width == width && image->height == height;

    return whole ? image->pixels : NULL;
}

/* The cell's pixels at full size; NULL: out of memory, or the limit on work was reached. */
static const uint8_t *draw_cell(const lvl_plan *plan, lvl_layer_plan *lp, uint32_t value, lvl_above above,
                                uint32_t width, uint32_t height)
{
    const lvl_area area = {0, 0, width, height};
    const uint8_t *pixels = plan->schematic ? NULL : tile_pixels(lp, value, width, height);

    if (pixels)
        return lvl_work_charge(&plan->reduction->work, (uint64_t)width * height / 4 + 16) ? pixels : NULL;
    lvl_canvas piece = lvl_reduction_piece(plan, area);
    if (piece.pixels && plan->schematic)
        lvl_draw_schematic_cell(lp, &piece, value, above, area);
    else if (piece.pixels)
        lvl_draw_layer_cell(lp, &piece, value, area);
    return piece.pixels;
}

static bool is_opaque(const lvl_image *image)
{
    const size_t count = (size_t)image->width * image->height;

    for (size_t i = 0; i < count; i++) {
        if (image->pixels[i * 4 + 3] != 255)
            return false;
    }
    return true;
}

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value > most ? most : value;
}

static bool make_cell(const lvl_plan *plan, lvl_layer_plan *lp, uint32_t value, lvl_above above,
                      lvl_small *out)
{
    const lvl_scene_layer *layer = lp->layer;
    const uint32_t unit = 1u << plan->shift, most = plan->schematic ? SKETCH : UINT32_MAX;
    const uint32_t width = at_most(layer->cell_width, most), height = at_most(layer->cell_height, most);
    const lvl_area area = {0, 0, width, height};

    if (!lvl_small_alloc(plan, out, (layer->cell_width + unit - 1) >> plan->shift,
                         (layer->cell_height + unit - 1) >> plan->shift))
        return false;
    const uint8_t *from = draw_cell(plan, lp, value, above, width, height);
    out->empty = !from || !lvl_shrink(from, &area, width, height, &out->image);
    out->opaque = from && is_opaque(&out->image);
    return from != NULL;
}

/* The cached picture of a kind of cell; NULL: failed. */
static const lvl_small *kept_cell(const lvl_plan *plan, lvl_layer_plan *lp, uint32_t value, lvl_above above)
{
    lvl_reduction *r = plan->reduction;
    const uint64_t key = value | (uint64_t)above.look << 32 | (uint64_t)above.edge << 40;
    const uint32_t layer = (uint32_t)(lp - plan->layers);
    uint32_t *recent =
        &r->recent[(value * 2654435761u ^ (uint32_t)(key >> 32) * 40503u ^ layer) % LVL_RECENT_SMALL];
    bool made;

    if (*recent && r->small[*recent - 1].key == key && r->small[*recent - 1].layer == layer)
        return &r->small[*recent - 1];
    lvl_small *cell = lvl_small_kept(plan, key, layer, &made);
    if (!cell || (!made && !make_cell(plan, lp, value, above, cell)))
        return NULL;
    if (!made)
        lvl_small_made(plan, cell);
    *recent = (uint32_t)(cell - r->small) + 1;
    return cell;
}

/* The picture of a cell that is unlike any other, in `once`; NULL: failed. */
static const lvl_small *fresh_cell(const lvl_plan *plan, lvl_layer_plan *lp, uint32_t value, lvl_above above,
                                   lvl_small *once)
{
    lvl_mem_free(plan->ctx, once->image.pixels);
    memset(once, 0, sizeof *once);
    return make_cell(plan, lp, value, above, once) ? once : NULL;
}

/* The cell's small picture; NULL: not visible, or failed. */
static const lvl_small *picture_of(const lvl_plan *plan, lvl_layer_plan *lp, uint32_t value,
                                   const uint32_t *above_value, lvl_small *once)
{
    lvl_above above = {LVL_LOOK_NONE, false};

    if (lvl_plan_tile(lp, value)->empty)
        return NULL;
    if (plan->schematic)
        above = lvl_class_above(lp, above_value);
    const lvl_small *cell =
        lp->layer->fresh ? fresh_cell(plan, lp, value, above, once) : kept_cell(plan, lp, value, above);
    plan->reduction->failed = !cell;
    return cell && !cell->empty ? cell : NULL;
}

/* ---- cells smaller than a drawn pixel ---------------------------------------------------------------- */

/* Whether the cells are smaller than a drawn pixel in both directions. */
static bool has_tiny_cells(const lvl_plan *plan, const lvl_scene_layer *layer)
{
    return layer->cell_width >> plan->shift == 0 && layer->cell_height >> plan->shift == 0;
}

/* Whether the cells are sampled. */
static bool is_sampled(const lvl_plan *plan, const lvl_layer_plan *lp)
{
    const lvl_scene_layer *layer = lp->layer;

    if (has_tiny_cells(plan, layer))
        return lvl_plan_count_cells(lp, &plan->area) > LVL_MANY_CELLS;
    return layer->cell_width >> plan->shift == 0 || layer->cell_height >> plan->shift == 0;
}

/* Draws the row of means. */
static void end_means(layer_draw *d)
{
    lvl_reduction *r = d->plan->reduction;
    const lvl_image image = {
        .format = LVL_PIXELS_RGBA8, .width = d->canvas->width, .height = 1, .pixels = r->mean_pixels};

    if (!d->begun)
        return;
    for (size_t x = 0; x < image.width; x++) {
        const lvl_mean *m = &r->means[x];
        uint8_t *to = r->mean_pixels + x * 4;
        for (int c = 0; c < 3; c++)
            to[c] = (uint8_t)(m->alpha ? (m->color[c] + m->alpha / 2) / m->alpha : 0);
        to[3] = (uint8_t)(m->count ? (m->alpha + m->count / 2) / m->count : 0);
    }
    lvl_canvas_image(d->canvas, &image, d->canvas->area.left, d->row, 0, NULL);
    memset(r->means, 0, (size_t)d->canvas->width * sizeof *r->means);
    d->begun = false;
}

/* Allocates the means of a row. */
static bool alloc_means(layer_draw *d)
{
    lvl_reduction *r = d->plan->reduction;
    const size_t width = d->canvas->width;

    if (!r->means) {
        r->means = lvl_mem_alloc(d->plan->ctx, width * sizeof *r->means);
        r->mean_pixels = lvl_mem_alloc(d->plan->ctx, width * 4);
        if (r->means)
            memset(r->means, 0, width * sizeof *r->means);
    }
    return r->means && r->mean_pixels;
}

/* Begins the row of means that is drawn at `row`, unless it has begun. */
static void begin_means(layer_draw *d, int64_t row)
{
    if (d->begun && d->row == row)
        return;
    end_means(d);
    d->row = row;
    d->begun = true;
}

/* Adds a pixel of the cell's picture to a mean; `cell` NULL: not visible. */
static void add_to_mean(layer_draw *d, int64_t x, const lvl_small *cell, size_t pixel)
{
    if (x < 0 || x >= d->canvas->width)
        return;
    lvl_mean *m = &d->plan->reduction->means[x];
    m->count++;
    if (!cell)
        return;
    const uint8_t *p = cell->image.pixels + pixel * 4;
    for (int c = 0; c < 3; c++)
        m->color[c] += (uint64_t)p[c] * p[3];
    m->alpha += p[3];
}

/* ---- layers with many cells -------------------------------------------------------------------------- */

/* The index of the pixel in a cell's picture at a point of the level's picture. */
static size_t pixel_at(const lvl_layer_plan *lp, const lvl_small *cell, int64_t x, int64_t y)
{
    const int64_t width = lp->layer->cell_width, height = lp->layer->cell_height;
    const int64_t in_x = ((x + lp->x) % width + width) % width,
                  in_y = ((y + lp->y) % height + height) % height;

    return (size_t)(in_y * cell->image.height / height) * cell->image.width +
           (size_t)(in_x * cell->image.width / width);
}

/* Adds one of the cells that a drawn pixel covers to its mean. Which one varies from pixel to pixel;
 * otherwise a regular pattern of tiles would become a single colour. */
static void add_sample(layer_draw *d, lvl_layer_plan *lp, int64_t x, int64_t y, unsigned number,
                       lvl_small *once)
{
    lvl_plan *plan = d->plan;
    const uint32_t unit = 1u << plan->shift;
    const uint32_t a = (uint32_t)x * 2654435761u ^ (uint32_t)y * 2246822519u ^ number * 3266489917u,
                   mixed = (a ^ a >> 15) * 2654435761u;
    const int64_t at_x = plan->area.left + x * unit + (mixed >> 20 & (unit - 1)),
                  at_y = plan->area.top + y * unit + (mixed >> 8 & (unit - 1));
    const lvl_small *cell = NULL;
    lvl_cell_at at;
    uint32_t above;

    if (lvl_plan_cell_at(lp, at_x, at_y, &at)) {
        const bool look_up = plan->schematic && at.row;
        if (look_up)
            lp->layer->cells(lp->layer, at.column, at.row - 1, 1, &above);
        cell = picture_of(plan, lp, at.value, look_up ? &above : NULL, once);
    }
    add_to_mean(d, x, cell, cell ? pixel_at(lp, cell, at_x, at_y) : 0);
}

static void draw_samples(layer_draw *d, lvl_layer_plan *lp)
{
    lvl_reduction *r = d->plan->reduction;
    const lvl_area area = d->canvas->area;
    lvl_small once = {0};

    for (int64_t y = area.top; y < area.bottom && !r->failed; y++) {
        begin_means(d, y);
        r->failed = !lvl_work_charge(&r->work, (uint64_t)(area.right - area.left) * r->samples * 4);
        for (int64_t x = area.left; x < area.right && !r->failed; x++) {
            for (unsigned i = 0; i < r->samples && !r->failed; i++)
                add_sample(d, lp, x, y, i, &once);
        }
    }
    lvl_mem_free(d->plan->ctx, once.image.pixels);
}

/* ---- layers ------------------------------------------------------------------------------------------ */

/* Draws a small cell at `to`. Most cells are opaque and completely on the canvas, and are copied. */
static void copy_cell(lvl_canvas *canvas, const lvl_small *cell, const lvl_area *to)
{
    const lvl_area *on = &canvas->area;
    const size_t width = cell->image.width, height = cell->image.height;

    if (!cell->opaque || canvas->indexed || to->left < on->left || to->right > on->right ||
        to->top < on->top || to->bottom > on->bottom || (size_t)(to->right - to->left) != width ||
        (size_t)(to->bottom - to->top) != height) {
        lvl_canvas_image(canvas, &cell->image, to->left, to->top, 0, to);
        return;
    }
    const uint8_t *from = cell->image.pixels;
    uint8_t *row =
        canvas->pixels + ((size_t)(to->top - on->top) * canvas->width + (size_t)(to->left - on->left)) * 4;
    for (size_t y = 0; y < height; y++, row += (size_t)canvas->width * 4, from += width * 4) {
        size_t x = 0;
        /* of constant size, which needs no function call: a cell has few pixels */
        for (; x + 4 <= width; x += 4)
            memcpy(row + x * 4, from + x * 4, 16);
        for (; x < width; x++)
            memcpy(row + x * 4, from + x * 4, 4);
    }
}

/* Draws a run of cells, or adds them to the means of its row. */
static void draw_run(void *user, lvl_canvas *whole, lvl_layer_plan *lp, const lvl_cell_at *first,
                     const uint32_t *values, uint32_t count)
{
    layer_draw *d = user;
    lvl_plan *plan = d->plan;
    lvl_reduction *r = plan->reduction;
    const lvl_area row = lvl_reduced_area(plan, first->area);
    const int64_t left = first->area.left - plan->area.left, cell_width = lp->layer->cell_width;
    const bool means = has_tiny_cells(plan, lp->layer), look_up = plan->schematic && first->row;
    const lvl_small *cell = NULL;
    lvl_small once = {0};
    uint32_t above[LVL_RUN];

    (void)whole;
    r->failed = r->failed || !lvl_work_charge(&r->work, count);
    if (r->failed || (means && (row.top < d->canvas->area.top || row.top >= d->canvas->area.bottom)))
        return;
    if (means)
        begin_means(d, row.top);
    if (look_up)
        lp->layer->cells(lp->layer, first->column, first->row - 1, count, above);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        if (!i || values[i] != values[i - 1] || (look_up && above[i] != above[i - 1]))
            cell = picture_of(plan, lp, values[i], look_up ? &above[i] : NULL, &once);
        const int64_t x = (left + i * cell_width) >> plan->shift;
        if (means) {
            add_to_mean(d, x, cell, 0);
        } else if (cell) {
            const lvl_area to = {x, row.top, (left + (i + 1) * cell_width) >> plan->shift, row.bottom};
            copy_cell(d->canvas, cell, &to);
        }
    }
    lvl_mem_free(plan->ctx, once.image.pixels);
}

/* Draws a schematic cell that is still large, without a small picture. */
static void draw_large(void *user, lvl_canvas *whole, lvl_layer_plan *lp, const lvl_cell_at *cell)
{
    const layer_draw *d = user;
    lvl_cell_at drawn = *cell;

    (void)whole;
    drawn.area = lvl_reduced_area(d->plan, cell->area);
    lvl_draw_schematic_at(NULL, d->canvas, lp, &drawn);
}

void lvl_draw_layer_reduced(lvl_plan *plan, lvl_layer_plan *lp, lvl_canvas *canvas)
{
    const lvl_scene_layer *layer = lp->layer;
    const bool is_large =
        layer->cell_width >> plan->shift > SKETCH || layer->cell_height >> plan->shift > SKETCH;
    layer_draw d = {.plan = plan, .canvas = canvas};
    lvl_canvas whole = {.area = lvl_covered_area(plan, canvas->area)};

    if (plan->schematic && is_large) {
        lvl_plan_cells(lp, &whole, draw_large, &d);
    } else if ((has_tiny_cells(plan, layer) || is_sampled(plan, lp)) && !alloc_means(&d)) {
        plan->reduction->failed = true;
    } else if (is_sampled(plan, lp)) {
        draw_samples(&d, lp);
        end_means(&d);
    } else {
        lvl_plan_runs(lp, &whole, draw_run, &d);
        end_means(&d);
    }
}
