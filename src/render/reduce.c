/*
 * render/reduce.c: small pictures of large levels, drawn at a part of their size, so that their cost depends
 * on their own pixels and on the cells, and not on the level's pixels.
 *
 * One drawn pixel covers `1 << shift` pixels of the level, each way; at least OVERSAMPLE drawn pixels, each
 * way, become one of the result, by the box filter of scale.c. Each kind of cell is drawn once at full size
 * and shrunk by a box filter. Of cells smaller than a drawn pixel the mean colour is taken. Plain images are
 * shrunk once; other things are drawn on a separate piece, which is shrunk.
 *
 * If a cell's size is a multiple of a drawn pixel, the mean of each cell is exact; else its borders move by
 * less than a drawn pixel, as do layers that do not begin at a whole one. What covers a part of a pixel
 * becomes partly transparent.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/work.h"

#include <stdlib.h>
#include <string.h>

enum {
    OVERSAMPLE = 4,
    LEAST_PIXELS = 1 << 23, /* of the level: smaller ones are drawn at full size; */
    THING_PIXELS = 256, /* what a thing counts as */
    MAX_UNIT = 1024, /* level pixels of a drawn pixel, and of a cell with art, each way */
    SKETCH = 256, /* px, each way, that a schematic cell is drawn at most: its pattern grows with it */
    MAX_PIECE = 1 << 22, /* px of a thing */
    MAX_KEPT = 64 << 20, /* bytes of small cells */
    RECENT = 1024,
    FEW_MARKS = 1000, /* fewer are drawn without looking for hidden ones */
    MAX_BITS = 1 << 27
};

/* A cell's or an image's picture. */
typedef struct small_cell {
    uint64_t key; /* of a cell: its value, and what lies above it; the address of an image */
    uint32_t layer; /* of an image: IMAGES and its flags */
    bool empty, opaque;
    lvl_image image;
} small_cell;

static const uint32_t IMAGES = (uint32_t)1 << 31; /* no layer has such an index */

/* Of the cells smaller than a drawn pixel: the sum of their colours times alpha, of their alpha, and their
 * number. */
typedef struct mean {
    uint64_t color[3], alpha, count;
} mean;

struct lvl_reduction {
    small_cell *cells;
    uint32_t count;
    size_t cap;
    uint64_t bytes; /* of their pixels */
    lvl_hash table;
    uint32_t recent[RECENT]; /* index + 1 */
    uint8_t *piece; /* pixels of a cell or thing at full size */
    size_t piece_size;
    mean *means; /* a row of drawn pixels; */
    uint8_t *mean_pixels;
    uint8_t *hidden; /* of each thing: its mark can't be seen; NULL: not known */
    lvl_work work;
    bool failed; /* memory ran out, or the work's bound was reached */
};

/* ---- whether ----------------------------------------------------------------------------------------- */

/* Whether things can be drawn each by itself. */
static bool things_fit(const lvl_plan *plan, int64_t unit)
{
    for (uint32_t i = 0; i < plan->scene->thing_count && plan->things; i++) {
        const lvl_scene_thing *thing = &plan->scene->things[i];
        lvl_rect rect;
        if (thing->effect && thing->effect->blend != LVL_BLEND_ALPHA)
            return false;
        if (lvl_thing_marked(plan, thing) || !lvl_scene_thing_rect(thing, &rect))
            continue;
        lvl_area area = lvl_area_of(rect);
        if (thing->flags & LVL_THING_TEXT)
            area = lvl_thing_text_area(thing, area);
        else if (plan->schematic)
            continue;
        if (area.right - area.left + 2 * unit > 2 * MAX_PIECE / (area.bottom - area.top + 2 * unit))
            return false;
    }
    return true;
}

lvl_area lvl_plan_drawn(const lvl_plan *plan)
{
    const lvl_area whole = plan->area;

    if (!plan->shift)
        return whole;
    return (lvl_area){0, 0, (whole.right - whole.left) >> plan->shift,
                      (whole.bottom - whole.top) >> plan->shift};
}

/* Where an area of the picture is drawn. */
static lvl_area drawn_area(const lvl_plan *plan, lvl_area area)
{
    const int64_t left = plan->area.left, top = plan->area.top;

    return (lvl_area){(area.left - left) >> plan->shift, (area.top - top) >> plan->shift,
                      (area.right - left) >> plan->shift, (area.bottom - top) >> plan->shift};
}

static void clear_cells(const lvl_plan *plan, lvl_reduction *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        lvl_mem_free(plan->ctx, r->cells[i].image.pixels);
    r->count = 0;
    r->bytes = 0;
    memset(r->recent, 0, sizeof r->recent);
    lvl_hash_clear(&r->table);
}

void lvl_reduction_free(const lvl_plan *plan)
{
    lvl_reduction *r = plan->reduction;

    if (!r)
        return;
    clear_cells(plan, r);
    lvl_hash_free(&r->table);
    free(r->cells);
    lvl_mem_free(plan->ctx, r->piece);
    lvl_mem_free(plan->ctx, r->means);
    lvl_mem_free(plan->ctx, r->mean_pixels);
    lvl_mem_free(plan->ctx, r->hidden);
    lvl_mem_free(plan->ctx, r);
}

/* ---- shrinking --------------------------------------------------------------------------------------- */

/* A transparent canvas of that area in r->piece; `pixels` is NULL without memory, or if the bound of work
 * was reached. */
static lvl_canvas new_piece(const lvl_plan *plan, lvl_reduction *r, lvl_area area)
{
    const size_t width = (size_t)(area.right - area.left), height = (size_t)(area.bottom - area.top);
    lvl_canvas canvas = {.transparent = true,
                         .pen = 1,
                         .palette = plan->scene->palette,
                         .area = area,
                         .width = (uint32_t)width};

    if (!lvl_work_charge(&r->work, width * height / 4 + 16))
        return canvas;
    if (r->piece_size < width * height * 4) {
        lvl_mem_free(plan->ctx, r->piece);
        r->piece_size = width * height * 4;
        r->piece = lvl_mem_alloc(plan->ctx, r->piece_size);
        if (!r->piece)
            r->piece_size = 0;
    }
    canvas.pixels = r->piece;
    if (canvas.pixels)
        lvl_canvas_clear(&canvas);
    return canvas;
}

/* The mean of each part of a picture of at most 2^16 px across, of which `from` holds the area `at`; around
 * that, nothing is seen. *any: something is seen. `to` may be `from`, if that holds all. */
static void shrink(const uint8_t *from, const lvl_area *at, uint32_t width, uint32_t height, lvl_image *to,
                   bool *any)
{
    uint8_t *out = to->pixels;

    *any = false;
    for (uint64_t ty = 0; ty < to->height; ty++) {
        const lvl_area row = {0, (int64_t)(ty * height / to->height), width,
                              (int64_t)((ty + 1) * height / to->height)};
        for (uint64_t tx = 0; tx < to->width; tx++, out += 4) {
            lvl_area part = {(int64_t)(tx * width / to->width), row.top,
                             (int64_t)((tx + 1) * width / to->width), row.bottom};
            const uint64_t count = (uint64_t)((part.right - part.left) * (part.bottom - part.top));
            uint64_t sum[4] = {0};
            if (!lvl_area_clip(&part, at))
                part.bottom = part.top;
            for (int64_t y = part.top; y < part.bottom; y++) {
                const uint8_t *p = from + ((y - at->top) * (at->right - at->left) + part.left - at->left) * 4;
                uint32_t colours[4] = {0};
                for (int64_t x = part.left; x < part.right; x++, p += 4) {
                    const uint32_t a = p[3];
                    for (int c = 0; c < 3; c++)
                        colours[c] += p[c] * a;
                    colours[3] += a;
                }
                for (int c = 0; c < 4; c++)
                    sum[c] += colours[c];
            }
            for (int c = 0; c < 3; c++)
                out[c] = (uint8_t)(sum[3] ? (sum[c] + sum[3] / 2) / sum[3] : 0);
            out[3] = (uint8_t)(count ? (sum[3] + count / 2) / count : 0);
            *any = *any || out[3];
        }
    }
}

/* ---- cells ------------------------------------------------------------------------------------------- */

/* Whether the cells are smaller than a drawn pixel, both ways; else they are at least as large, both ways
 * (layers_fit). */
static bool has_tiny_cells(const lvl_plan *plan, const lvl_scene_layer *layer)
{
    return layer->cell_width >> plan->shift == 0;
}

static bool make_cell(lvl_plan *plan, lvl_layer_plan *lp, uint32_t value, lvl_above above, small_cell *out)
{
    lvl_reduction *r = plan->reduction;
    const lvl_scene_layer *layer = lp->layer;
    const uint32_t unit = 1u << plan->shift;
    const bool sketch = plan->schematic;
    const uint32_t width = sketch && layer->cell_width > SKETCH ? SKETCH : layer->cell_width;
    const uint32_t height = sketch && layer->cell_height > SKETCH ? SKETCH : layer->cell_height;
    const lvl_area area = {0, 0, width, height};

    out->image.format = LVL_PIXELS_RGBA8;
    out->image.width = (layer->cell_width + unit - 1) >> plan->shift;
    out->image.height = (layer->cell_height + unit - 1) >> plan->shift;
    out->image.pixels = lvl_mem_alloc(plan->ctx, (size_t)out->image.width * out->image.height * 4);
    if (!out->image.pixels)
        return false;
    const uint8_t *from = NULL;
    if (!sketch) {
        const lvl_scene_tile *tile = lvl_plan_tile(lp, value);
        const lvl_image *image = tile->filled ? NULL : tile->image;
        if (image && image->format == LVL_PIXELS_RGBA8 && !tile->image_x && !tile->image_y &&
            image->width == width && image->height == height)
            from = image->pixels;
    }
    if (!from) {
        lvl_canvas piece = new_piece(plan, r, area);
        from = piece.pixels;
        if (from && sketch)
            lvl_draw_schematic_cell(lp, &piece, value, above, area);
        else if (from)
            lvl_draw_layer_cell(lp, &piece, value, area);
    } else if (!lvl_work_charge(&r->work, (uint64_t)width * height / 4 + 16)) {
        from = NULL;
    }
    bool any = false;
    if (from)
        shrink(from, &area, width, height, &out->image, &any);
    out->empty = !any;
    out->opaque = from != NULL;
    const size_t count = (size_t)out->image.width * out->image.height;
    for (size_t i = 0; i < count && out->opaque; i++)
        out->opaque = out->image.pixels[i * 4 + 3] == 255;
    return from != NULL;
}

/* The small picture of that key if it was made; else room for it, and *made is false. NULL: no memory. */
static small_cell *kept_cell(lvl_plan *plan, uint64_t key, uint32_t layer, bool *made)
{
    lvl_reduction *r = plan->reduction;
    const uint64_t hash = lvl_hash_mix(&r->table.seed, lvl_hash_u64(&r->table.seed, key), layer);

    *made = true;
    for (lvl_hash_at at = lvl_hash_first(&r->table, hash); at.found; at = lvl_hash_next(&r->table, at)) {
        if (r->cells[at.index].key == key && r->cells[at.index].layer == layer)
            return &r->cells[at.index];
    }
    *made = false;
    if (r->bytes > MAX_KEPT)
        clear_cells(plan, r);
    if (!lvl_grow(&r->cells, &r->cap, (size_t)r->count + 1, sizeof *r->cells) ||
        lvl_hash_add(&r->table, hash, r->count) != LVL_OK)
        return NULL;
    r->cells[r->count] = (small_cell){.key = key, .layer = layer};
    return &r->cells[r->count++];
}

static const small_cell *cell_of(lvl_plan *plan, lvl_layer_plan *lp, uint32_t value, lvl_above above)
{
    lvl_reduction *r = plan->reduction;
    const uint64_t key = value | (uint64_t)above.look << 32 | (uint64_t)above.edge << 40;
    const uint32_t layer = (uint32_t)(lp - plan->layers);
    uint32_t *recent = &r->recent[(value * 2654435761u ^ (uint32_t)(key >> 32) * 40503u ^ layer) % RECENT];
    bool made;

    if (*recent && r->cells[*recent - 1].key == key && r->cells[*recent - 1].layer == layer)
        return &r->cells[*recent - 1];
    small_cell *cell = kept_cell(plan, key, layer, &made);
    if (!cell || (!made && !make_cell(plan, lp, value, above, cell)))
        return NULL;
    if (!made)
        r->bytes += (uint64_t)cell->image.width * cell->image.height * 4 + sizeof *cell;
    *recent = (uint32_t)(cell - r->cells) + 1;
    return cell;
}

typedef struct reduced_draw {
    lvl_plan *plan;
    lvl_canvas *canvas; /* of drawn pixels */
    int64_t row; /* that the means are of */
    bool begun; /* there are some */
} reduced_draw;

/* Draws the row of means. */
static void end_means(reduced_draw *d)
{
    lvl_reduction *r = d->plan->reduction;
    const lvl_image image = {
        .format = LVL_PIXELS_RGBA8, .width = d->canvas->width, .height = 1, .pixels = r->mean_pixels};

    if (!d->begun)
        return;
    for (size_t x = 0; x < image.width; x++) {
        const mean *m = &r->means[x];
        uint8_t *to = r->mean_pixels + x * 4;
        for (int c = 0; c < 3; c++)
            to[c] = (uint8_t)(m->alpha ? (m->color[c] + m->alpha / 2) / m->alpha : 0);
        to[3] = (uint8_t)(m->count ? (m->alpha + m->count / 2) / m->count : 0);
    }
    lvl_canvas_image(d->canvas, &image, d->canvas->area.left, d->row, 0, NULL);
    memset(r->means, 0, (size_t)d->canvas->width * sizeof *r->means);
    d->begun = false;
}

/* Memory for the means of a row; false without. */
static bool begin_means(reduced_draw *d)
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

/* The cell's small picture; NULL: nothing is seen of it, or failed. */
static const small_cell *picture_of(lvl_plan *plan, lvl_layer_plan *lp, uint32_t value,
                                    const uint32_t *above_value, small_cell *once)
{
    lvl_above above = {LVL_LOOK_NONE, false};
    const small_cell *cell;

    if (lvl_plan_tile(lp, value)->empty)
        return NULL;
    if (plan->schematic)
        above = lvl_class_above(lp, above_value);
    if (lp->layer->fresh) { /* no two are the same, so none is cached */
        lvl_mem_free(plan->ctx, once->image.pixels);
        memset(once, 0, sizeof *once);
        cell = make_cell(plan, lp, value, above, once) ? once : NULL;
    } else {
        cell = cell_of(plan, lp, value, above);
    }
    plan->reduction->failed = !cell;
    return cell && !cell->empty ? cell : NULL;
}

/* Draws a small cell where `to` is. Most cells are opaque and lie on the canvas as a whole: those are
 * copied. */
static void put_cell(lvl_canvas *canvas, const small_cell *cell, const lvl_area *to)
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
        /* of a size that is known, for which no function is called: a cell has few pixels */
        for (; x + 4 <= width; x += 4)
            memcpy(row + x * 4, from + x * 4, 16);
        for (; x < width; x++)
            memcpy(row + x * 4, from + x * 4, 4);
    }
}

static void draw_run(void *user, lvl_canvas *whole, lvl_layer_plan *lp, const lvl_cell_at *first,
                     const uint32_t *values, uint32_t count)
{
    reduced_draw *d = user;
    lvl_plan *plan = d->plan;
    lvl_reduction *r = plan->reduction;
    const unsigned shift = plan->shift;
    const int64_t cell_width = lp->layer->cell_width, left = plan->area.left;
    const int64_t top = (first->area.top - plan->area.top) >> shift,
                  bottom = (first->area.bottom - plan->area.top) >> shift;
    const bool means = has_tiny_cells(plan, lp->layer), look_up = plan->schematic && first->row;
    const small_cell *cell = NULL;
    small_cell once = {0};
    uint32_t above[LVL_RUN];

    (void)whole;
    r->failed = r->failed || !lvl_work_charge(&r->work, count);
    if (r->failed || (means && (top < d->canvas->area.top || top >= d->canvas->area.bottom)))
        return;
    if (means && (!d->begun || d->row != top)) {
        end_means(d);
        d->row = top;
        d->begun = true;
    }
    if (look_up)
        lp->layer->cells(lp->layer, first->column, first->row - 1, count, above);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        if (!i || values[i] != values[i - 1] || (look_up && above[i] != above[i - 1]))
            cell = picture_of(plan, lp, values[i], look_up ? &above[i] : NULL, &once);
        const int64_t x = (first->area.left + i * cell_width - left) >> shift;
        if (means) {
            if (x < 0 || x >= d->canvas->width)
                continue;
            mean *m = &r->means[x];
            m->count++;
            if (cell) {
                const uint8_t *p = cell->image.pixels;
                for (int c = 0; c < 3; c++)
                    m->color[c] += (uint64_t)p[c] * p[3];
                m->alpha += p[3];
            }
        } else if (cell) {
            const lvl_area to = {x, top, (first->area.left + (i + 1) * cell_width - left) >> shift, bottom};
            put_cell(d->canvas, cell, &to);
        }
    }
    lvl_mem_free(plan->ctx, once.image.pixels);
}

/* A schematic cell that is still large is drawn as it is. */
static void draw_large(void *user, lvl_canvas *whole, lvl_layer_plan *lp, const lvl_cell_at *cell)
{
    const reduced_draw *d = user;
    lvl_cell_at drawn = *cell;

    (void)whole;
    drawn.area = drawn_area(d->plan, cell->area);
    lvl_draw_schematic_at(NULL, d->canvas, lp, &drawn);
}

void lvl_draw_layer_reduced(lvl_plan *plan, lvl_layer_plan *lp, lvl_canvas *canvas)
{
    const lvl_scene_layer *layer = lp->layer;
    const unsigned shift = plan->shift;
    const int64_t left = plan->area.left, top = plan->area.top, unit = (int64_t)1 << shift;
    reduced_draw d = {.plan = plan, .canvas = canvas};
    lvl_canvas whole = {.area = {left + canvas->area.left * unit, top + canvas->area.top * unit,
                                 left + canvas->area.right * unit, top + canvas->area.bottom * unit}};

    if (plan->schematic && (layer->cell_width >> shift > SKETCH || layer->cell_height >> shift > SKETCH)) {
        lvl_plan_cells(lp, &whole, draw_large, &d);
    } else if (has_tiny_cells(plan, layer) && !begin_means(&d)) {
        plan->reduction->failed = true;
    } else {
        lvl_plan_runs(lp, &whole, draw_run, &d);
        end_means(&d);
    }
}

/* ---- things ------------------------------------------------------------------------------------------ */

/* Where a point of the level is drawn. */
static void drawn_at(const lvl_plan *plan, int64_t x, int64_t y, int64_t *to_x, int64_t *to_y)
{
    *to_x = (x - plan->main_x - plan->area.left) >> plan->shift;
    *to_y = (y - plan->main_y - plan->area.top) >> plan->shift;
}

void lvl_draw_mark_reduced(const lvl_plan *plan, lvl_canvas *canvas, uint32_t index)
{
    const lvl_scene_thing *thing = &plan->scene->things[index];
    int64_t x, y;

    if (plan->reduction->hidden && plan->reduction->hidden[index])
        return;
    drawn_at(plan, thing->x, thing->y, &x, &y);
    lvl_draw_mark(canvas, thing->kind, x, y, lvl_mark_reach(plan, thing) >> plan->shift);
}

void lvl_draw_box_reduced(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing,
                          lvl_area area)
{
    lvl_area to = drawn_area(plan, area);

    to.right += to.right == to.left;
    to.bottom += to.bottom == to.top;
    lvl_draw_box(canvas, thing, to, plan->scene->has_colours);
}

/* Finds the marks that a later one of the same kind covers, since it lies on the same pixel: of a million
 * most are such. */
static lvl_status hide_marks(const lvl_plan *plan, lvl_reduction *r)
{
    const lvl_area drawn = lvl_plan_drawn(plan);
    const int64_t width = drawn.right, height = drawn.bottom;
    const size_t bits = (size_t)width * (size_t)height * LVL_THING_COUNT, words = bits / 64 + 1;
    const uint32_t count = plan->scene->thing_count;

    if (!plan->things || count < FEW_MARKS || bits > MAX_BITS)
        return LVL_OK;
    uint64_t *seen = lvl_mem_alloc(plan->ctx, words * sizeof *seen);
    r->hidden = lvl_mem_alloc(plan->ctx, count);
    if (seen && r->hidden) {
        memset(seen, 0, words * sizeof *seen);
        memset(r->hidden, 0, count);
    }
    for (uint32_t i = count; i-- > 0 && seen && r->hidden;) {
        const lvl_scene_thing *thing = &plan->scene->things[i];
        int64_t x, y;
        drawn_at(plan, thing->x, thing->y, &x, &y);
        if (!lvl_thing_marked(plan, thing) || x < 0 || y < 0 || x >= width || y >= height)
            continue;
        const size_t bit = ((size_t)y * (size_t)width + (size_t)x) * LVL_THING_COUNT + (size_t)thing->kind;
        r->hidden[i] = (uint8_t)(seen[bit / 64] >> bit % 64 & 1);
        seen[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    lvl_mem_free(plan->ctx, seen);
    return seen && r->hidden ? LVL_OK : LVL_ERR_MEMORY;
}

/* An area of the level, made larger so that it covers whole drawn pixels. */
static lvl_area whole_pixels(const lvl_plan *plan, lvl_area area)
{
    const int64_t left = plan->area.left, top = plan->area.top, unit = (int64_t)1 << plan->shift;

    return (lvl_area){left + ((area.left - left) & -unit), top + ((area.top - top) & -unit),
                      left + ((area.right - left + unit - 1) & -unit),
                      top + ((area.bottom - top + unit - 1) & -unit)};
}

bool lvl_piece_begin(lvl_plan *plan, const lvl_canvas *canvas, lvl_area area, lvl_canvas *piece)
{
    const int64_t left = plan->area.left, top = plan->area.top, unit = (int64_t)1 << plan->shift;
    const lvl_area *drawn = &canvas->area;
    const lvl_area all = {left + drawn->left * unit, top + drawn->top * unit, left + drawn->right * unit,
                          top + drawn->bottom * unit};

    /* so small that each drawn pixel's alpha is rounded to 0 (shrink) */
    if ((area.right - area.left) * (area.bottom - area.top) < unit * unit / (2 * 255))
        return false;
    if (plan->reduction->failed || !lvl_area_clip(&area, &all))
        return false;
    *piece = new_piece(plan, plan->reduction, area);
    plan->reduction->failed = !piece->pixels;
    return piece->pixels != NULL;
}

void lvl_piece_end(lvl_plan *plan, const lvl_canvas *piece, lvl_canvas *canvas)
{
    const lvl_area whole = whole_pixels(plan, piece->area);
    const uint32_t width = (uint32_t)(whole.right - whole.left),
                   height = (uint32_t)(whole.bottom - whole.top);
    const lvl_area held = {piece->area.left - whole.left, piece->area.top - whole.top,
                           piece->area.right - whole.left, piece->area.bottom - whole.top};
    lvl_image image = {
        .format = LVL_PIXELS_RGBA8, .width = width >> plan->shift, .height = height >> plan->shift};
    bool any;

    /* the result overwrites the first rows of the piece, which have been read by then */
    image.pixels = piece->pixels;
    shrink(piece->pixels, &held, width, height, &image, &any);
    if (any)
        lvl_canvas_image(canvas, &image, (whole.left - plan->area.left) >> plan->shift,
                         (whole.top - plan->area.top) >> plan->shift, 0, NULL);
}

bool lvl_draw_image_reduced(lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing, lvl_area area)
{
    lvl_reduction *r = plan->reduction;
    const lvl_image *image = thing->image;
    const int64_t unit = (int64_t)1 << plan->shift;
    bool made = true;

    if (!image || thing->has_part || thing->effect || thing->flags & LVL_THING_TEXT || plan->schematic ||
        r->failed)
        return false;
    small_cell *cell = kept_cell(plan, (uint64_t)(uintptr_t)image, IMAGES | thing->flags, &made);
    if (cell && !made) {
        /* centred in as many whole drawn pixels as it needs */
        const int64_t columns = (image->width + unit - 1) / unit, rows = (image->height + unit - 1) / unit;
        const int64_t left = (columns * unit - image->width) / 2, top = (rows * unit - image->height) / 2;
        const lvl_area at = {left, top, left + image->width, top + image->height};
        lvl_canvas piece = new_piece(plan, r, at);
        cell->image =
            (lvl_image){.format = LVL_PIXELS_RGBA8, .width = (uint32_t)columns, .height = (uint32_t)rows};
        const size_t size = (size_t)cell->image.width * cell->image.height * 4;
        cell->image.pixels = piece.pixels ? lvl_mem_alloc(plan->ctx, size) : NULL;
        bool any = false;
        if (cell->image.pixels) {
            lvl_canvas_image(&piece, image, left, top, thing->flags, NULL);
            shrink(piece.pixels, &at, (uint32_t)(columns * unit), (uint32_t)(rows * unit), &cell->image,
                   &any);
        }
        cell->empty = !any;
        r->bytes += size + sizeof *cell;
    }
    if (!cell || !cell->image.pixels) {
        r->failed = true;
        return true;
    }
    const int64_t x = (area.left + area.right) / 2 - cell->image.width * unit / 2 - plan->area.left,
                  y = (area.top + area.bottom) / 2 - cell->image.height * unit / 2 - plan->area.top;
    if (!cell->empty)
        lvl_canvas_image(canvas, &cell->image, (x + unit / 2) >> plan->shift, (y + unit / 2) >> plan->shift,
                         0, NULL);
    return true;
}

lvl_status lvl_reduction_status(const lvl_plan *plan)
{
    const lvl_reduction *r = plan->reduction;

    if (!r || (!r->failed && r->work.status == LVL_OK))
        return LVL_OK;
    return r->work.status != LVL_OK ? r->work.status : LVL_ERR_MEMORY;
}

/* Whether the cells of each layer are smaller than a drawn pixel both ways, or neither way. */
static bool layers_fit(const lvl_plan *plan, unsigned shift)
{
    if (shift > 31)
        return false;
    for (uint32_t i = 0; i < plan->scene->layer_count; i++) {
        const lvl_scene_layer *l = plan->layers[i].layer;
        if (plan->layers[i].draw && (l->cell_width >> shift == 0) != (l->cell_height >> shift == 0))
            return false;
    }
    return true;
}

lvl_status lvl_plan_reduce(lvl_plan *plan, uint32_t width, uint32_t height)
{
    const int64_t w = plan->area.right - plan->area.left, h = plan->area.bottom - plan->area.top;
    int64_t most = (w / width < h / height ? w / width : h / height) / OVERSAMPLE;
    unsigned shift = 0;

    if (!plan->options.size || plan->options.overlays || most < 2 ||
        w * h + (int64_t)plan->scene->thing_count * THING_PIXELS < LEAST_PIXELS)
        return LVL_OK;
    most = most > MAX_UNIT ? MAX_UNIT : most;
    for (uint32_t i = 0; i < plan->scene->layer_count; i++) {
        const lvl_scene_layer *l = plan->layers[i].layer;
        if (plan->layers[i].draw && !plan->schematic &&
            (l->cell_width > MAX_UNIT || l->cell_height > MAX_UNIT))
            return LVL_OK;
    }
    while (most >> (shift + 1))
        shift++;
    while (!layers_fit(plan, shift))
        shift--;
    if (!shift || !things_fit(plan, (int64_t)1 << shift))
        return LVL_OK;
    plan->reduction = lvl_mem_alloc(plan->ctx, sizeof *plan->reduction);
    if (!plan->reduction)
        return LVL_ERR_MEMORY;
    memset(plan->reduction, 0, sizeof *plan->reduction);
    lvl_hash_init(&plan->reduction->table);
    plan->reduction->work = lvl_work_begin(plan->ctx);
    plan->shift = shift;
    plan->pen = plan->pen >> shift ? plan->pen >> shift : 1;
    return hide_marks(plan, plan->reduction);
}
