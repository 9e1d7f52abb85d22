/*
 * render/overlay.c: drawn over a picture: cell borders, tints for the class of cells, boxes, ranges and
 * labels of things, a legend.
 */
#include "render/looks.h"
#include "render/plan.h"

#include "base/arena.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_MAX = 32, /* letters */
    PLACE_W = 128, /* coarse cells for finding labels */
    PLACE_H = 32,
};

/* ---- labels ------------------------------------------------------------------------------------------ */

/* The rank of a thing's label, lowest first; -1: no label. */
static int interest_of(const lvl_plan *plan, const lvl_scene_thing *thing)
{
    const bool all = plan->options.overlays & LVL_OVERLAY_THINGS;

    if (thing->flags & LVL_THING_TEXT)
        return -1; /* always drawn as text */
    if (plan->schematic && thing->has_part && !plan->scene->has_colours)
        return 10; /* a box cannot be recognised without its name */
    switch (thing->kind) {
    case LVL_THING_START: return 0;
    case LVL_THING_BOSS: return 1;
    case LVL_THING_EXIT:
    case LVL_THING_CHECKPOINT: return 2;
    case LVL_THING_WARP: return 3;
    case LVL_THING_SIGN:
    case LVL_THING_ENEMY: return 4;
    case LVL_THING_PLATFORM: return 5;
    case LVL_THING_HAZARD: return 6;
    case LVL_THING_CONTAINER: return 7;
    case LVL_THING_TRIGGER: return 8;
    case LVL_THING_ITEM: return 9;
    case LVL_THING_UNKNOWN: return 10;
    case LVL_THING_TREASURE: return all ? 11 : -1;
    case LVL_THING_SOUND: return all ? 12 : -1;
    default: return all ? 13 : -1;
    }
}

/* Which labels cover a coarse cell: only a few, since labels do not overlap. */
typedef struct places {
    /* labels by the hash of a cell; collisions only cost time */
    lvl_hash cells;
    uint32_t cap;
} places;

static uint64_t hash_of(const places *taken, int32_t x, int32_t y)
{
    const lvl_hash_seed *seed = &taken->cells.seed;

    return lvl_hash_mix(seed, seed->start, (uint64_t)(uint32_t)x << 32 | (uint32_t)y);
}

static bool overlaps(const lvl_label *a, const lvl_label *b, int32_t letter, int32_t height)
{
    return a->x < b->x + (int32_t)b->len * letter && b->x < a->x + (int32_t)a->len * letter &&
           a->y < b->y + height && b->y < a->y + height;
}

/* Adds the label, unless it would overlap another, or there are too many. LVL_ERR_MEMORY. */
static lvl_status take_place(lvl_plan *plan, places *taken, const lvl_label *label)
{
    const int32_t size = (int32_t)plan->text_size;
    const int32_t letter = LVL_FONT_WIDTH * size, height = (LVL_FONT_HEIGHT + 2) * size;
    const int32_t x0 = label->x / PLACE_W, x1 = (label->x + (int32_t)label->len * letter) / PLACE_W;
    const int32_t y0 = label->y / PLACE_H, y1 = (label->y + height) / PLACE_H;

    for (int32_t y = y0; y <= y1; y++) {
        for (int32_t x = x0; x <= x1; x++) {
            for (lvl_hash_at at = lvl_hash_first(&taken->cells, hash_of(taken, x, y)); at.found;
                 at = lvl_hash_next(&taken->cells, at)) {
                if (overlaps(label, &plan->labels[at.index], letter, height))
                    return LVL_OK;
            }
        }
    }
    if ((uint64_t)(x1 - x0 + 1) * (uint64_t)(y1 - y0 + 1) > taken->cap - taken->cells.count)
        return LVL_OK;
    for (int32_t y = y0; y <= y1; y++) {
        for (int32_t x = x0; x <= x1; x++) {
            const lvl_status status = lvl_hash_add(&taken->cells, hash_of(taken, x, y), plan->label_count);
            if (status != LVL_OK)
                return status;
        }
    }
    plan->labels[plan->label_count++] = *label;
    return LVL_OK;
}

/* Moves a label at the picture's edge inside; at the lower edge, above its mark. */
static void keep_inside(const lvl_plan *plan, const lvl_scene_thing *thing, size_t len, int64_t *x,
                        int64_t *y)
{
    const lvl_area *area = &plan->labelled;
    const int64_t mark_x = thing->x - plan->main_x, mark_y = thing->y - plan->main_y;
    const int64_t width = (int64_t)len * LVL_FONT_WIDTH * plan->text_size,
                  height = (int64_t)(LVL_FONT_HEIGHT + 2) * plan->text_size;

    if (mark_x < area->left || mark_x > area->right || mark_y < area->top || mark_y > area->bottom ||
        area->right - area->left < width + 4 || area->bottom - area->top < height + 4)
        return;
    if (*x < area->left + 2)
        *x = area->left + 2;
    else if (*x + width > area->right - 2)
        *x = area->right - 2 - width;
    if (*y + height > area->bottom - 2) {
        *y = mark_y - lvl_mark_reach(plan, thing) - 4 - height;
        if (*y + height > area->bottom - 2)
            *y = area->bottom - 2 - height;
    }
}

static bool make_label(const lvl_plan *plan, const lvl_scene_thing *thing, lvl_label *out)
{
    const int64_t size = plan->text_size;
    lvl_rect rect;

    /* Things without a label still have a picture's name. */
    const lvl_text text = thing->label.len ? thing->label : thing->picture;
    out->text = text.ptr;
    out->len = (uint32_t)(text.len < LABEL_MAX ? text.len : LABEL_MAX);
    out->ink = lvl_ink_of_kind(thing->kind);
    int64_t middle = thing->x, top = (int64_t)thing->y + lvl_mark_reach(plan, thing);
    if ((!plan->schematic || thing->has_part) && lvl_scene_thing_rect(thing, &rect)) {
        top = plan->schematic ? ((int64_t)rect.top + rect.bottom) / 2 - 7 : rect.bottom;
        if (thing->flags & LVL_THING_CORNER)
            middle = ((int64_t)rect.left + rect.right) / 2;
    }
    const lvl_area *area = &plan->labelled;
    int64_t x = middle - plan->main_x - (int64_t)out->len * LVL_FONT_WIDTH * size / 2,
            y = top + 4 - plan->main_y;
    keep_inside(plan, thing, out->len, &x, &y);
    /* Labels far from the picture are dropped, so 32 bits are enough for the others. */
    if (out->len == 0 || x > area->right || y > area->bottom || x + 1000 * size < area->left ||
        y + 100 * size < area->top || x < INT32_MIN / 2 || y < INT32_MIN / 2 || x > INT32_MAX / 2 ||
        y > INT32_MAX / 2)
        return false;
    out->x = (int32_t)x;
    out->y = (int32_t)y;
    return true;
}

lvl_status lvl_plan_labels(lvl_plan *plan)
{
    const lvl_scene *scene = plan->scene;
    lvl_status status = LVL_OK;
    places taken;

    if (plan->text_size == 0 || scene->thing_count == 0)
        return LVL_OK;
    plan->labels = lvl_mem_alloc(plan->ctx, (size_t)scene->thing_count * sizeof *plan->labels);
    if (!plan->labels)
        return LVL_ERR_MEMORY;
    lvl_hash_init(&taken.cells);
    taken.cap = scene->thing_count < UINT32_MAX / 16 ? scene->thing_count * 8 : UINT32_MAX / 2;
    for (int rank = 0; rank < 14 && status == LVL_OK; rank++) {
        for (uint32_t i = 0; i < scene->thing_count && status == LVL_OK; i++) {
            lvl_label label;
            if (interest_of(plan, &scene->things[i]) == rank && make_label(plan, &scene->things[i], &label))
                status = take_place(plan, &taken, &label);
        }
    }
    lvl_hash_free(&taken.cells);
    return status;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

/* Writes the number of a column or row beside the line before it, at the edge of the picture. */
static void number_line(const lvl_plan *plan, lvl_canvas *canvas, int64_t at, int64_t number,
                        bool between_rows)
{
    const int64_t gap = 3 * (int64_t)plan->pen;
    char text[24];
    const int len = snprintf(text, sizeof text, "%lld", (long long)number);

    lvl_canvas_text(canvas, (between_rows ? plan->labelled.left : at) + gap,
                    (between_rows ? at : plan->labelled.top) + gap, text, (size_t)len, plan->pen,
                    LVL_INK_WHITE);
}

/* Draws the lines between columns or between rows, with numbers at some. If cells are not larger than the
 * pen, only every tenth (hundredth, …) line. */
static void draw_lines(const lvl_plan *plan, const lvl_layer_plan *lp, lvl_canvas *canvas, bool between_rows)
{
    const lvl_scene_layer *layer = lp->layer;
    const int64_t size = between_rows ? layer->cell_height : layer->cell_width;
    const int64_t count = between_rows ? layer->rows : layer->columns, at = between_rows ? lp->y : lp->x;
    const int64_t from = between_rows ? canvas->area.top : canvas->area.left;
    const int64_t to = between_rows ? canvas->area.bottom : canvas->area.right;
    const bool wrap = between_rows ? lp->wrap_y : lp->wrap_x;
    const int64_t pen = canvas->pen;
    lvl_area all = {-lp->x, -lp->y, -lp->x + (int64_t)layer->columns * layer->cell_width,
                    -lp->y + (int64_t)layer->rows * layer->cell_height};
    int64_t step = 1;

    while (step * size <= pen)
        step *= 10;
    const int64_t wide = 8 * LVL_FONT_WIDTH * (int64_t)plan->pen; /* of a number with its gaps */
    int64_t numbered = step * 10;
    while (numbered * size < wide)
        numbered *= 2;
    if (lp->wrap_x) {
        all.left = canvas->area.left;
        all.right = canvas->area.right;
    }
    if (lp->wrap_y) {
        all.top = canvas->area.top;
        all.bottom = canvas->area.bottom;
    }
    for (int64_t i = (from + at - wide) / (size * step) * step - step; i * size - at < to; i += step) {
        const int64_t start = i * size - at, number = wrap ? (i % count + count) % count : i;
        lvl_area line = all;
        if (number < 0 || number >= count)
            continue;
        if (between_rows) {
            line.top = start;
            line.bottom = start + pen;
        } else {
            line.left = start;
            line.right = start + pen;
        }
        if (!lvl_area_clip(&line, &all))
            continue;
        /* Every tenth line is highlighted, for counting. */
        if (canvas->indexed)
            lvl_canvas_fill(canvas, line, LVL_INK_BACK_GRID);
        else
            lvl_canvas_tint(canvas, line, LVL_INK_WHITE, number / step % 10 == 0 ? 130 : 48);
        if (number % numbered == 0)
            number_line(plan, canvas, start, number, between_rows);
    }
}

static void draw_grid(const lvl_plan *plan, const lvl_layer_plan *lp, lvl_canvas *canvas)
{
    if (!lp->layer->columns || !lp->layer->rows)
        return;
    draw_lines(plan, lp, canvas, true);
    draw_lines(plan, lp, canvas, false);
}

/* Solid cells are blue, unless there is water. */
static lvl_ink tint_of(const lvl_plan *plan, lvl_tile_class look)
{
    const bool water = plan->scene->possible_classes & 1u << LVL_LOOK_WATER;

    return look == LVL_LOOK_SOLID && water ? LVL_INK_HAZARD : lvl_class_styles[look].tint;
}

static void tint_look(const lvl_plan *plan, lvl_canvas *canvas, lvl_area area, lvl_tile_class look)
{
    const lvl_class_style *style = &lvl_class_styles[look];
    const lvl_ink ink = tint_of(plan, look);

    if (!style->tint_alpha)
        return;
    lvl_canvas_tint(canvas, area, ink, style->tint_alpha);
    if (style->framed)
        lvl_canvas_frame(canvas, area, ink, true);
    if (look == LVL_LOOK_GROUND) {
        lvl_area edge = area;
        edge.bottom = edge.top + (area.bottom - area.top >= 32 ? 6 : 2);
        lvl_canvas_fill(canvas, edge, ink);
    }
}

/* A drawing with a class for each pixel: pixels with an effect get the colour of their class instead of their
 * own; the rest is muted. */
static void tint_pixels(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_tile *tile, lvl_area area)
{
    lvl_area seen = {area.left, area.top, area.left + tile->mask_width, area.top + tile->mask_height};

    if (!lvl_area_clip(&seen, &canvas->area))
        return;
    const uint32_t bottom = (uint32_t)(seen.bottom - area.top), right = (uint32_t)(seen.right - area.left);
    for (uint32_t y = (uint32_t)(seen.top - area.top); y < bottom; y++) {
        const uint8_t *row = tile->mask + (size_t)y * tile->mask_width;
        for (uint32_t x = (uint32_t)(seen.left - area.left), end; x < right; x = end) {
            for (end = x + 1; end < right && row[end] == row[x]; end++) {
            }
            const lvl_area run = {area.left + x, area.top + y, area.left + end, area.top + y + 1};
            const lvl_tile_class look = lvl_mask_class(tile, row[x]);
            if (look == LVL_LOOK_CLEAR)
                lvl_canvas_tint(canvas, run, LVL_INK_WHITE, 190);
            else if (look != LVL_LOOK_NONE)
                lvl_canvas_fill(canvas, run, tint_of(plan, look));
        }
    }
}

static void tint_cell(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *cell)
{
    const lvl_scene_tile *tile = lvl_plan_tile(lp, cell->value);
    const lvl_plan *plan = user;
    const lvl_area area = cell->area;
    lvl_area inner = {area.left + tile->inner.left, area.top + tile->inner.top,
                      area.left + (int64_t)tile->inner.right + 1, area.top + (int64_t)tile->inner.bottom + 1};

    if (tile->empty)
        return;
    if (tile->mask_classes) {
        tint_pixels(plan, canvas, tile, area);
        return;
    }
    if (tile->mask || !tile->has_inner || !lvl_area_clip(&inner, &area)) {
        tint_look(plan, canvas, area, tile->mask ? LVL_LOOK_OTHER : tile->look);
        return;
    }
    /* the border around the inner rectangle, as up to four rectangles */
    const lvl_area around[4] = {{area.left, area.top, area.right, inner.top},
                                {area.left, inner.bottom, area.right, area.bottom},
                                {area.left, inner.top, inner.left, inner.bottom},
                                {inner.right, inner.top, area.right, inner.bottom}};
    for (int i = 0; i < 4; i++) {
        if (around[i].left < around[i].right && around[i].top < around[i].bottom)
            tint_look(plan, canvas, around[i], tile->look);
    }
    tint_look(plan, canvas, inner, tile->inner_look);
}

/* A cell whose picture is missing: framed and crossed out. */
static void mark_cell(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *cell)
{
    const lvl_scene_tile *tile = lvl_plan_tile(lp, cell->value);
    const lvl_area a = cell->area;

    (void)user;
    if (tile->empty || tile->filled || tile->image || tile->has_rgb)
        return;
    lvl_canvas_tint(canvas, a, LVL_INK_DEATH, 96);
    lvl_canvas_frame(canvas, a, LVL_INK_DEATH, false);
    lvl_canvas_line(canvas, a.left, a.top, a.right - 1, a.bottom - 1, LVL_INK_DEATH);
    lvl_canvas_line(canvas, a.left, a.bottom - 1, a.right - 1, a.top, LVL_INK_DEATH);
}

/* ---- things ------------------------------------------------------------------------------------------ */

static void draw_boxes(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing)
{
    static const lvl_ink inks[LVL_BOX_COUNT] = {LVL_INK_WHITE, LVL_INK_DEATH, LVL_INK_PLATFORM,
                                                LVL_INK_GREY,  LVL_INK_WHITE, LVL_INK_WHITE};

    for (uint32_t i = 0; i < thing->box_count; i++) {
        const lvl_scene_box *box = &thing->boxes[i];
        const bool range = box->kind == LVL_BOX_RANGE, own = range || box->kind == LVL_BOX_AREA;

        if (plan->options.overlays & (range ? LVL_OVERLAY_RANGES : LVL_OVERLAY_THINGS))
            lvl_canvas_frame(canvas, lvl_plan_place(plan, box->rect),
                             own ? lvl_ink_of_kind(thing->kind) : inks[box->kind], box->kind != LVL_BOX_AREA);
    }
}

static void draw_thing(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing)
{
    const lvl_ink ink = lvl_ink_of_kind(thing->kind);
    lvl_rect rect;

    draw_boxes(plan, canvas, thing);
    if (!(plan->options.overlays & LVL_OVERLAY_THINGS) || plan->schematic)
        return;
    if (lvl_scene_thing_rect(thing, &rect))
        lvl_canvas_frame(canvas, lvl_plan_place(plan, rect), ink,
                         (thing->flags & (LVL_THING_HIDDEN | LVL_THING_DROPPED)) != 0);
    else
        lvl_draw_mark(canvas, thing->kind, thing->x - plan->main_x, thing->y - plan->main_y,
                      lvl_mark_reach(plan, thing));
}

static void draw_link(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_link *link)
{
    const int64_t x0 = link->x0 - plan->main_x, y0 = link->y0 - plan->main_y;
    const int64_t x1 = link->x1 - plan->main_x, y1 = link->y1 - plan->main_y;
    const lvl_ink ink = lvl_ink_of_kind(link->kind);
    const int64_t r = (int64_t)canvas->pen * 5;

    lvl_canvas_line(canvas, x0, y0, x1, y1, ink);
    lvl_canvas_fill(canvas, (lvl_area){x1 - r, y1 - r, x1 + r + 1, y1 + r + 1}, LVL_INK_SHADE);
    lvl_canvas_fill(canvas, (lvl_area){x1 - r / 2, y1 - r / 2, x1 + r / 2 + 1, y1 + r / 2 + 1}, ink);
}

/* ---- legend ------------------------------------------------------------------------------------------ */

typedef struct legend_row {
    const char *text;
    lvl_ink ink;
} legend_row;

static void draw_legend(const lvl_plan *plan, lvl_canvas *canvas)
{
    static const lvl_tile_class order[] = {LVL_LOOK_SOLID, LVL_LOOK_LOW,   LVL_LOOK_GROUND, LVL_LOOK_CLIMB,
                                           LVL_LOOK_JUMP,  LVL_LOOK_WATER, LVL_LOOK_WADE,   LVL_LOOK_REST,
                                           LVL_LOOK_DEATH, LVL_LOOK_OTHER};
    const unsigned possible = lvl_looks_possible(plan->scene);
    legend_row rows[LVL_LOOK_COUNT + LVL_THING_COUNT];
    bool seen[LVL_THING_COUNT] = {false};
    int count = 0;

    /* A picture in the tiles' own colours needs no legend for them. */
    const bool reported = plan->schematic && !plan->scene->has_colours;
    const bool tinted = !reported && plan->options.overlays & LVL_OVERLAY_TILES;
    for (size_t i = 0; i < LVL_COUNT_OF(order) && (reported || tinted); i++) {
        const lvl_tile_class look = order[i];
        const lvl_ink ink = tinted                    ? tint_of(plan, look)
                            : look == LVL_LOOK_GROUND ? LVL_INK_GROUND_EDGE
                                                      : lvl_class_styles[look].ink;
        if (possible & 1u << look)
            rows[count++] = (legend_row){lvl_looks_name(plan->scene, look), ink};
    }
    /* colours of kinds appear only in marks, frames and arrows */
    const bool marked = plan->schematic || plan->scene->marks ||
                        plan->options.overlays & (LVL_OVERLAY_THINGS | LVL_OVERLAY_RANGES);
    for (uint32_t i = 0; i < plan->scene->thing_count && marked; i++)
        seen[plan->scene->things[i].kind] = true;
    for (int k = 1; k < LVL_THING_COUNT && plan->things; k++) {
        if (seen[k])
            rows[count++] =
                (legend_row){lvl_thing_kind_name((lvl_thing_kind)k), lvl_ink_of_kind((lvl_thing_kind)k)};
    }
    const int64_t size = (int64_t)plan->pen, line = 12 * size, width = 96 * size;
    const int64_t left = plan->area.left + 8 * size, bottom = plan->area.bottom - 8 * size;
    const int64_t top = bottom - line * count - 8 * size;
    if (count == 0 || plan->area.right - plan->area.left < width * 2 ||
        plan->area.bottom - plan->area.top < (bottom - top) * 3 / 2)
        return; /* it would hide too much */
    const lvl_area box = {left, top, left + width, bottom};
    lvl_canvas_fill(canvas, box, LVL_INK_SHADE);
    lvl_canvas_frame(canvas, box, LVL_INK_GREY, false);
    for (int i = 0; i < count; i++) {
        const int64_t y = top + 5 * size + line * i;
        lvl_canvas_fill(canvas, (lvl_area){left + 6 * size, y, left + 14 * size, y + 8 * size}, rows[i].ink);
        lvl_canvas_text(canvas, left + 20 * size, y, rows[i].text, strlen(rows[i].text), (unsigned)size,
                        LVL_INK_WHITE);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------- */

void lvl_draw_overlays(lvl_plan *plan, lvl_canvas *canvas)
{
    const unsigned overlays = plan->options.overlays;
    lvl_layer_plan *main = plan->main < plan->scene->layer_count ? &plan->layers[plan->main] : NULL;

    if (main && main->cache && overlays & LVL_OVERLAY_TILES && (!plan->schematic || plan->scene->has_colours))
        lvl_plan_cells(main, canvas, tint_cell, plan);
    if (main && main->cache && overlays & LVL_OVERLAY_FINDINGS && plan->scene->has_art && !plan->schematic)
        lvl_plan_cells(main, canvas, mark_cell, plan);
    if (main && main->cache && overlays & LVL_OVERLAY_GRID)
        draw_grid(plan, main, canvas);
    if (plan->things && overlays & (LVL_OVERLAY_THINGS | LVL_OVERLAY_RANGES)) {
        for (uint32_t i = 0; i < plan->scene->thing_count; i++)
            draw_thing(plan, canvas, &plan->scene->things[i]);
    }
    if (overlays & LVL_OVERLAY_RANGES) {
        for (uint32_t i = 0; i < plan->scene->link_count; i++)
            draw_link(plan, canvas, &plan->scene->links[i]);
    }
    for (uint32_t i = 0; i < plan->label_count && plan->things; i++) {
        const lvl_label *label = &plan->labels[i];
        lvl_canvas_text(canvas, label->x, label->y, label->text, label->len, plan->text_size, label->ink);
    }
    if (overlays & LVL_OVERLAY_FINDINGS && plan->things)
        lvl_draw_marks(plan, canvas);
    if (overlays & LVL_OVERLAY_LEGEND)
        draw_legend(plan, canvas);
}
