/*
 * render/reduce_thing.c: things in a picture drawn at reduced size: marks and boxes are drawn directly,
 * images are shrunk once, and everything else is drawn on a piece at full size, which is shrunk.
 */
#include "render/reduce.h"

#include <string.h>

enum {
    FEW_MARKS = 1000, /* with fewer, hidden ones are not searched for */
    MAX_BITS = 1 << 27
};

/* ---- marks and boxes --------------------------------------------------------------------------------- */

/* The drawn pixel of a point of the level. */
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
    lvl_area to = lvl_reduced_area(plan, area);

    to.right += to.right == to.left;
    to.bottom += to.bottom == to.top;
    lvl_draw_box(canvas, thing, to, plan->scene->has_colours);
}

/* Sets a bit; returns whether it was set. */
static bool set_bit(uint64_t *bits, size_t index)
{
    const uint64_t bit = (uint64_t)1 << index % 64;
    const bool was = bits[index / 64] & bit;

    bits[index / 64] |= bit;
    return was;
}

/* `seen`: a bit for each kind of thing on each drawn pixel. Only the last mark on a pixel is visible. */
static void note_hidden(const lvl_plan *plan, uint64_t *seen, uint8_t *hidden)
{
    const lvl_area drawn = lvl_plan_drawn(plan);
    int64_t x, y;

    for (uint32_t i = plan->scene->thing_count; i-- > 0;) {
        const lvl_scene_thing *thing = &plan->scene->things[i];
        drawn_at(plan, thing->x, thing->y, &x, &y);
        if (!lvl_thing_marked(plan, thing) || x < 0 || y < 0 || x >= drawn.right || y >= drawn.bottom)
            continue;
        const size_t pixel = (size_t)y * (size_t)drawn.right + (size_t)x;
        hidden[i] = set_bit(seen, pixel * LVL_THING_COUNT + (size_t)thing->kind);
    }
}

lvl_status lvl_reduction_hide_marks(const lvl_plan *plan)
{
    lvl_reduction *r = plan->reduction;
    const lvl_area drawn = lvl_plan_drawn(plan);
    const size_t bits = (size_t)drawn.right * (size_t)drawn.bottom * LVL_THING_COUNT, words = bits / 64 + 1;
    const uint32_t count = plan->scene->thing_count;

    if (!plan->things || count < FEW_MARKS || bits > MAX_BITS)
        return LVL_OK;
    uint64_t *seen = lvl_mem_alloc(plan->ctx, words * sizeof *seen);
    r->hidden = lvl_mem_alloc(plan->ctx, count);
    const bool ok = seen && r->hidden;
    if (ok) {
        memset(seen, 0, words * sizeof *seen);
        memset(r->hidden, 0, count);
        note_hidden(plan, seen, r->hidden);
    }
    lvl_mem_free(plan->ctx, seen);
    return ok ? LVL_OK : LVL_ERR_MEMORY;
}

/* ---- pieces ------------------------------------------------------------------------------------------ */

/* An area of the level, extended to whole drawn pixels. */
static lvl_area whole_pixels(const lvl_plan *plan, lvl_area area)
{
    const int64_t left = plan->area.left, top = plan->area.top, unit = lvl_reduced_unit(plan);

    return (lvl_area){left + ((area.left - left) & -unit), top + ((area.top - top) & -unit),
                      left + ((area.right - left + unit - 1) & -unit),
                      top + ((area.bottom - top + unit - 1) & -unit)};
}

bool lvl_piece_begin(lvl_plan *plan, const lvl_canvas *canvas, lvl_area area, lvl_canvas *piece)
{
    const int64_t unit = lvl_reduced_unit(plan);
    const lvl_area all = lvl_covered_area(plan, canvas->area);

    /* so small that each drawn pixel's alpha is rounded to 0 (lvl_shrink) */
    if ((area.right - area.left) * (area.bottom - area.top) < unit * unit / (2 * 255))
        return false;
    if (plan->reduction->failed || !lvl_area_clip(&area, &all))
        return false;
    *piece = lvl_reduction_piece(plan, area);
    plan->reduction->failed = !piece->pixels;
    return piece->pixels != NULL;
}

void lvl_piece_end(lvl_plan *plan, const lvl_canvas *piece, lvl_canvas *canvas)
{
    const lvl_area whole = whole_pixels(plan, piece->area), to = lvl_reduced_area(plan, whole);
    const lvl_area held = {piece->area.left - whole.left, piece->area.top - whole.top,
                           piece->area.right - whole.left, piece->area.bottom - whole.top};
    const uint32_t width = (uint32_t)(whole.right - whole.left),
                   height = (uint32_t)(whole.bottom - whole.top);
    /* the result overwrites the first rows of the piece after they have been read */
    lvl_image image = {.format = LVL_PIXELS_RGBA8,
                       .width = width >> plan->shift,
                       .height = height >> plan->shift,
                       .pixels = piece->pixels};

    if (lvl_shrink(piece->pixels, &held, width, height, &image))
        lvl_canvas_image(canvas, &image, to.left, to.top, 0, NULL);
}

/* ---- images ------------------------------------------------------------------------------------------ */

/* Makes the small picture of a thing's image, centred in as many whole drawn pixels as needed. It has no
 * pixels if out of memory. */
static void make_image(const lvl_plan *plan, const lvl_scene_thing *thing, lvl_small *out)
{
    const lvl_image *image = thing->image;
    const int64_t unit = lvl_reduced_unit(plan);
    const int64_t columns = (image->width + unit - 1) / unit, rows = (image->height + unit - 1) / unit;
    const int64_t left = (columns * unit - image->width) / 2, top = (rows * unit - image->height) / 2;
    const lvl_area at = {left, top, left + image->width, top + image->height};

    out->empty = true;
    lvl_canvas piece = lvl_reduction_piece(plan, at);
    if (!piece.pixels || !lvl_small_alloc(plan, out, (uint32_t)columns, (uint32_t)rows))
        return;
    lvl_canvas_image(&piece, image, left, top, thing->flags, NULL);
    out->empty =
        !lvl_shrink(piece.pixels, &at, (uint32_t)(columns * unit), (uint32_t)(rows * unit), &out->image);
}

/* Draws a small picture centred in an area of the level. */
static void draw_centred(const lvl_plan *plan, lvl_canvas *canvas, const lvl_small *small, lvl_area area)
{
    const int64_t unit = lvl_reduced_unit(plan);
    const int64_t x = (area.left + area.right) / 2 - small->image.width * unit / 2 - plan->area.left;
    const int64_t y = (area.top + area.bottom) / 2 - small->image.height * unit / 2 - plan->area.top;

    lvl_canvas_image(canvas, &small->image, (x + unit / 2) >> plan->shift, (y + unit / 2) >> plan->shift, 0,
                     NULL);
}

/* Whether the thing is just an image. */
static bool is_plain_image(const lvl_plan *plan, const lvl_scene_thing *thing)
{
    return thing->image && !thing->has_part && !thing->effect && !(thing->flags & LVL_THING_TEXT) &&
           !plan->schematic;
}

bool lvl_changes_below(const lvl_plan *plan, const lvl_scene_thing *thing)
{
    return thing->effect && thing->effect->blend != LVL_BLEND_ALPHA && thing->image && !plan->schematic &&
           !(thing->flags & LVL_THING_TEXT);
}

/* Light or shadow, scaled to drawn pixels around its centre. */
static void draw_light(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing)
{
    const int64_t unit = lvl_reduced_unit(plan);
    lvl_scene_effect effect = lvl_scene_effect_sane(thing->effect);
    lvl_scene_thing plain = *thing;
    lvl_rect rect;

    plain.effect = NULL;
    if (!lvl_scene_thing_rect(&plain, &rect))
        return;
    const int64_t width = (int64_t)rect.right - rect.left + 1, height = (int64_t)rect.bottom - rect.top + 1;
    const int64_t x = (int64_t)rect.left + width / 2 - plan->main_x - plan->area.left,
                  y = (int64_t)rect.top + height / 2 - plan->main_y - plan->area.top;
    effect.scale_x /= (double)unit;
    effect.scale_y /= (double)unit;
    lvl_canvas_sprite(canvas, thing->image, thing->has_part ? &thing->part : NULL,
                      (x >> plan->shift) - width / 2, (y >> plan->shift) - height / 2, thing->flags, &effect);
}

bool lvl_draw_image_reduced(lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing, lvl_area area)
{
    lvl_reduction *r = plan->reduction;
    bool made = true;

    if (lvl_changes_below(plan, thing)) {
        draw_light(plan, canvas, thing);
        return true;
    }
    if (r->failed || !is_plain_image(plan, thing))
        return false;
    lvl_small *small =
        lvl_small_kept(plan, (uint64_t)(uintptr_t)thing->image, LVL_SMALL_IMAGES | thing->flags, &made);
    if (small && !made) {
        make_image(plan, thing, small);
        lvl_small_made(plan, small);
    }
    if (!small || !small->image.pixels)
        r->failed = true;
    else if (!small->empty)
        draw_centred(plan, canvas, small, area);
    return true;
}
