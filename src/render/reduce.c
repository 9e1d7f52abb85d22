/*
 * render/reduce.c: small pictures of large levels, drawn at a part of their size, so that they cost what their own pixels and the cells cost and not
 * what the level's pixels cost.
 *
 * One pixel drawn stands for `1 << shift` pixels of the level, each way, and at least OVERSAMPLE of them, each way, become one of the result, by the
 * box filter of scale.c. Each kind of cell is drawn once at full size and shrunk by a box filter; a thing is drawn on a piece of its own and shrunk.
 * Where a cell's size is a multiple of 1 << shift, the mean of each cell is exact; else its borders move by less than one pixel drawn. So do layers that
 * don't lie on a whole pixel drawn. Where what covers a part of a pixel lies over something, its share counts as transparency.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/work.h"

#include <string.h>

enum {
    OVERSAMPLE = 4,
    LEAST_PIXELS = 1 << 23, /* of the level: smaller ones are drawn at full size, */
    THING_PIXELS = 256,     /* where a thing counts as so many */
    MOST_CELL = 1024,       /* px of a cell with art, each way; pixels of a cell or thing in work */
    SKETCH = 256, /* px, each way, that a schematic cell is drawn at most: its pattern grows with it */
    MOST_PIECE = 1 << 22,
    MOST_KEPT = 64 << 20, /* bytes of small cells */
    RECENT = 1024,
    FEW_MARKS = 1000, /* no need to find those that aren't seen */
    MOST_BITS = 1 << 27
};

/* A cell's picture. */
typedef struct small_cell {
    uint64_t key; /* of its layer: value, and what lies above it */
    uint32_t layer;
    bool empty;
    lvl_image image;
} small_cell;

struct lvl_reduction {
    small_cell *cells;
    uint32_t count, cap;
    uint64_t bytes; /* of their pixels */
    lvl_hash table;
    uint32_t recent[RECENT]; /* index + 1 */
    uint8_t *piece;          /* pixels of a cell or thing at full size */
    size_t piece_size;
    uint8_t *hidden; /* of each thing: its mark isn't seen; NULL: not known */
    lvl_work work;
    bool failed; /* memory ran out, or the work's bound was reached */
};

/* ---- whether --------------------------------------------------------------------------------------------------------------------- */

/* Whether things can be drawn each by itself. */
static bool things_fit(const lvl_plan *plan)
{
    for (uint32_t i = 0; i < plan->scene->thing_count && plan->things; i++) {
        const lvl_scene_thing *thing = &plan->scene->things[i];
        lvl_rect rect;
        if (thing->effect && thing->effect->blend != LVL_BLEND_ALPHA)
            return false;
        if (!plan->schematic && lvl_scene_thing_rect(thing, &rect) &&
            ((int64_t)rect.right - rect.left + 2 * MOST_CELL) *
                    ((int64_t)rect.bottom - rect.top + 2 * MOST_CELL) >
                2 * MOST_PIECE)
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

static void forget_cells(const lvl_plan *plan, lvl_reduction *r)
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
    forget_cells(plan, r);
    lvl_hash_free(&r->table);
    lvl_mem_free(plan->ctx, r->cells);
    lvl_mem_free(plan->ctx, r->piece);
    lvl_mem_free(plan->ctx, r->hidden);
    lvl_mem_free(plan->ctx, r);
}

/* ---- shrinking ------------------------------------------------------------------------------------------------------------------- */

/* A transparent canvas of that area, in the reduction's own memory; without pixels: no memory. */
static lvl_canvas fresh_piece(const lvl_plan *plan, lvl_reduction *r, lvl_area area)
{
    const size_t width = (size_t)(area.right - area.left), height = (size_t)(area.bottom - area.top);
    lvl_canvas canvas = {.transparent = true,
                         .pen = 1,
                         .palette = plan->scene->palette,
                         .area = area,
                         .width = (uint32_t)width};

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

/* The mean of each part of a picture; *any: something is seen. */
static void shrink(const uint8_t *from, uint32_t width, uint32_t height, uint8_t *to, uint32_t to_width,
                   uint32_t to_height, bool *any)
{
    *any = false;
    for (uint64_t ty = 0; ty < to_height; ty++) {
        const uint32_t y0 = (uint32_t)(ty * height / to_height),
                       y1 = (uint32_t)((ty + 1) * height / to_height);
        for (uint64_t tx = 0; tx < to_width; tx++, to += 4) {
            const uint32_t x0 = (uint32_t)(tx * width / to_width),
                           x1 = (uint32_t)((tx + 1) * width / to_width);
            const uint64_t count = (uint64_t)(x1 - x0) * (y1 - y0);
            uint64_t sum[4] = {0};
            for (uint32_t y = y0; y < y1; y++) {
                const uint8_t *p = from + ((size_t)y * width + x0) * 4;
                uint32_t opaque[4] = {0}; /* of at most 2^22 px */
                for (uint32_t x = x0; x < x1; x++, p += 4) {
                    const uint32_t a = p[3];
                    if (a == 255) {
                        opaque[0] += p[0];
                        opaque[1] += p[1];
                        opaque[2] += p[2];
                        opaque[3]++;
                    } else if (a) {
                        for (int c = 0; c < 3; c++)
                            sum[c] += p[c] * a;
                        sum[3] += a;
                    }
                }
                for (int c = 0; c < 3; c++)
                    sum[c] += (uint64_t)opaque[c] * 255;
                sum[3] += (uint64_t)opaque[3] * 255;
            }
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)(sum[3] ? (sum[c] + sum[3] / 2) / sum[3] : 0);
            to[3] = (uint8_t)((sum[3] + count / 2) / count);
            *any = *any || to[3];
        }
    }
}

/* ---- cells ----------------------------------------------------------------------------------------------------------------------- */

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
    if (out->image.width > width ||
        out->image.height > height) { /* a sketch is smaller than what it becomes */
        out->image.width = width;
        out->image.height = height;
    }
    const size_t size = (size_t)out->image.width * out->image.height * 4;
    if (!lvl_work_charge(&r->work, (uint64_t)width * height / 4 + 16))
        return false;
    lvl_canvas piece = fresh_piece(plan, r, area);
    out->image.pixels = piece.pixels ? lvl_mem_alloc(plan->ctx, size) : NULL;
    if (!out->image.pixels)
        return false;
    if (sketch)
        lvl_draw_schematic_cell(lp, &piece, value, above, area);
    else
        lvl_draw_layer_cell(lp, &piece, value, area);
    bool any;
    shrink(piece.pixels, width, height, out->image.pixels, out->image.width, out->image.height, &any);
    out->empty = !any;
    return true;
}

/* The small picture of that key, if it was made; else room for it, with *made false. NULL: no memory. */
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
    if (r->bytes > MOST_KEPT)
        forget_cells(plan, r);
    if (r->count == r->cap) {
        const uint32_t cap = r->cap ? r->cap * 2 : 256;
        small_cell *cells = lvl_mem_alloc(plan->ctx, cap * sizeof *cells);
        if (!cells)
            return NULL;
        if (r->count)
            memcpy(cells, r->cells, r->count * sizeof *cells);
        lvl_mem_free(plan->ctx, r->cells);
        r->cells = cells;
        r->cap = cap;
    }
    if (lvl_hash_add(&r->table, hash, r->count) != LVL_OK)
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
    lvl_canvas *canvas; /* of pixels drawn */
} reduced_draw;

static void draw_cell(void *user, lvl_canvas *whole, lvl_layer_plan *lp, uint32_t column, uint32_t row,
                      uint32_t value, lvl_area area)
{
    reduced_draw *d = user;
    lvl_plan *plan = d->plan;
    const unsigned shift = plan->shift;
    const int64_t left = plan->area.left, top = plan->area.top;
    lvl_above above = {LVL_LOOK_NONE, false};

    (void)whole;
    if (lvl_plan_tile(lp, value)->empty || plan->reduction->failed)
        return;
    if (plan->schematic)
        above = lvl_look_above(lp, column, row);
    const small_cell *cell;
    small_cell once = {0};
    if (lp->layer->fresh) { /* each is another one, so there is nothing to keep */
        cell = make_cell(plan, lp, value, above, &once) ? &once : NULL;
    } else {
        cell = cell_of(plan, lp, value, above);
    }
    if (!cell) {
        plan->reduction->failed = true;
        lvl_mem_free(plan->ctx, once.image.pixels);
        return;
    }
    const lvl_area to = {(area.left - left) >> shift, (area.top - top) >> shift, (area.right - left) >> shift,
                         (area.bottom - top) >> shift};
    const int64_t width = to.right - to.left, height = to.bottom - to.top;
    if (cell->empty) {
        /* nothing */
    } else if (width > cell->image.width || height > cell->image.height) { /* of a sketch its mean */
        uint8_t mean[4];
        bool any;
        shrink(cell->image.pixels, cell->image.width, cell->image.height, mean, 1, 1, &any);
        lvl_canvas_fill_colour(d->canvas, to, 0, mean);
    } else {
        lvl_canvas_image(d->canvas, &cell->image, to.left, to.top, 0, &to);
    }
    lvl_mem_free(plan->ctx, once.image.pixels);
}

void lvl_draw_layer_reduced(lvl_plan *plan, lvl_layer_plan *lp, lvl_canvas *canvas)
{
    reduced_draw d = {plan, canvas};
    lvl_canvas whole = {.area = {plan->area.left + canvas->area.left * ((int64_t)1 << plan->shift),
                                 plan->area.top + canvas->area.top * ((int64_t)1 << plan->shift),
                                 plan->area.left + canvas->area.right * ((int64_t)1 << plan->shift),
                                 plan->area.top + canvas->area.bottom * ((int64_t)1 << plan->shift)}};

    lvl_plan_cells(lp, &whole, draw_cell, &d);
}

/* ---- things ---------------------------------------------------------------------------------------------------------------------- */

/* Where a point of the picture is drawn. */
static void drawn_at(const lvl_plan *plan, int64_t x, int64_t y, int64_t *to_x, int64_t *to_y)
{
    *to_x = (x - plan->main_x - plan->area.left) >> plan->shift;
    *to_y = (y - plan->main_y - plan->area.top) >> plan->shift;
}

void lvl_draw_mark_reduced(const lvl_plan *plan, lvl_canvas *canvas, uint32_t index)
{
    const lvl_scene_thing *thing = &plan->scene->things[index];
    const int64_t reach = lvl_mark_reach(plan, thing) >> plan->shift, least = (int64_t)plan->pen * 2;
    int64_t x, y;

    if (plan->reduction->hidden && plan->reduction->hidden[index])
        return;
    drawn_at(plan, thing->x, thing->y, &x, &y);
    lvl_draw_mark(canvas, thing->kind, x, y, reach > least ? reach : least);
}

/* Finds the marks that a later one of the same kind covers, since it lies on the same pixel: of a million most are such. */
static lvl_status hide_marks(const lvl_plan *plan, lvl_reduction *r)
{
    const lvl_area drawn = lvl_plan_drawn(plan);
    const int64_t width = drawn.right, height = drawn.bottom;
    const size_t bits = (size_t)width * (size_t)height * LVL_THING_COUNT, words = bits / 64 + 1;
    const uint32_t count = plan->scene->thing_count;

    if (!plan->things || count < FEW_MARKS || bits > MOST_BITS)
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

bool lvl_piece_begin(lvl_plan *plan, const lvl_canvas *canvas, lvl_area area, lvl_canvas *piece)
{
    const int64_t left = plan->area.left, top = plan->area.top, unit = (int64_t)1 << plan->shift;
    lvl_area drawn = {(area.left - left) >> plan->shift, (area.top - top) >> plan->shift,
                      (area.right - left + unit - 1) >> plan->shift,
                      (area.bottom - top + unit - 1) >> plan->shift};

    if (plan->reduction->failed || !lvl_area_clip(&drawn, &canvas->area))
        return false;
    *piece = fresh_piece(plan, plan->reduction,
                         (lvl_area){left + drawn.left * unit, top + drawn.top * unit,
                                    left + drawn.right * unit, top + drawn.bottom * unit});
    plan->reduction->failed = !piece->pixels;
    return piece->pixels != NULL;
}

void lvl_piece_end(lvl_plan *plan, const lvl_canvas *piece, lvl_canvas *canvas)
{
    const uint32_t width = piece->width, height = (uint32_t)(piece->area.bottom - piece->area.top);
    lvl_image image = {
        .format = LVL_PIXELS_RGBA8, .width = width >> plan->shift, .height = height >> plan->shift};
    bool any;

    /* the small one takes the place of the large one's first rows, which are read before */
    image.pixels = piece->pixels;
    shrink(piece->pixels, width, height, image.pixels, image.width, image.height, &any);
    if (any)
        lvl_canvas_image(canvas, &image, (piece->area.left - plan->area.left) >> plan->shift,
                         (piece->area.top - plan->area.top) >> plan->shift, 0, NULL);
}

bool lvl_draw_image_reduced(lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing, lvl_area area)
{
    static const uint32_t images = UINT32_MAX / 2 + 1; /* no layer has such an index */
    lvl_reduction *r = plan->reduction;
    const lvl_image *image = thing->image;
    const int64_t unit = (int64_t)1 << plan->shift;
    bool made = true;

    if (!image || thing->has_part || thing->effect || thing->flags & LVL_THING_TEXT || plan->schematic ||
        r->failed)
        return false;
    small_cell *cell = kept_cell(plan, (uint64_t)(uintptr_t)image, images | thing->flags, &made);
    if (cell && !made) {
        /* as many whole pixels drawn as it needs, in the middle of them */
        const lvl_area whole = {0, 0, (image->width + unit - 1) / unit * unit,
                                (image->height + unit - 1) / unit * unit};
        lvl_canvas piece = fresh_piece(plan, r, whole);
        cell->image = (lvl_image){.format = LVL_PIXELS_RGBA8,
                                  .width = (uint32_t)(whole.right / unit),
                                  .height = (uint32_t)(whole.bottom / unit)};
        const size_t size = (size_t)cell->image.width * cell->image.height * 4;
        cell->image.pixels = piece.pixels ? lvl_mem_alloc(plan->ctx, size) : NULL;
        bool any = false;
        if (cell->image.pixels) {
            lvl_canvas_image(&piece, image, (whole.right - image->width) / 2,
                             (whole.bottom - image->height) / 2, thing->flags, NULL);
            shrink(piece.pixels, piece.width, (uint32_t)whole.bottom, cell->image.pixels, cell->image.width,
                   cell->image.height, &any);
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

lvl_status lvl_plan_reduce(lvl_plan *plan, uint32_t width, uint32_t height)
{
    const int64_t w = plan->area.right - plan->area.left, h = plan->area.bottom - plan->area.top;
    int64_t most = (w / width < h / height ? w / width : h / height) / OVERSAMPLE;

    if (!plan->options.size || plan->options.overlays || most < 2 ||
        w * h + (int64_t)plan->scene->thing_count * THING_PIXELS < LEAST_PIXELS || !things_fit(plan))
        return LVL_OK;
    for (uint32_t i = 0; i < plan->scene->layer_count; i++) {
        const lvl_scene_layer *l = plan->layers[i].layer;
        if (!plan->layers[i].draw || !l->columns || !l->rows)
            continue;
        if (!plan->schematic && (l->cell_width > MOST_CELL || l->cell_height > MOST_CELL))
            return LVL_OK;
        most = l->cell_width < most ? l->cell_width : most;
        most = l->cell_height < most ? l->cell_height : most;
    }
    while (most >> (plan->shift + 1))
        plan->shift++;
    if (!plan->shift)
        return LVL_OK;
    plan->reduction = lvl_mem_alloc(plan->ctx, sizeof *plan->reduction);
    if (!plan->reduction)
        return LVL_ERR_MEMORY;
    memset(plan->reduction, 0, sizeof *plan->reduction);
    lvl_hash_init(&plan->reduction->table);
    plan->reduction->work = lvl_work_begin(plan->ctx);
    plan->pen = plan->pen >> plan->shift ? plan->pen >> plan->shift : 1;
    return hide_marks(plan, plan->reduction);
}
