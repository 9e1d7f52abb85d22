/*
 * render/reduce.c: small pictures of large levels, drawn at reduced size, so that the cost depends on the
 * picture's pixels instead of the level's.
 *
 * One drawn pixel covers `1 << shift` pixels of the level in each direction; at least OVERSAMPLE drawn pixels
 * in each direction become one of the result, by the box filter of scale.c. Each kind of cell is drawn once
 * at full size and shrunk by a box filter. Cells smaller than a drawn pixel are averaged: all of them, or a
 * sample if there are many. Plain images are shrunk once; other things are drawn on a separate piece, which
 * is shrunk.
 *
 * If the size of a cell is a multiple of a drawn pixel, the mean of each cell is exact; otherwise its borders
 * move by less than a drawn pixel. So do layers that do not begin at a whole drawn pixel. Whatever covers
 * only a part of a pixel becomes partly transparent.
 *
 * This file decides whether and how much; layers and things are drawn by reduce_layer.c and reduce_thing.c,
 * with the small pictures of reduce_small.c.
 */
#include "render/reduce.h"

#include <stdlib.h>
#include <string.h>

enum {
    OVERSAMPLE = 4,
    OVERSAMPLE_MANY = 2, /* for a layer with LVL_MANY_CELLS */
    SAMPLES = 16, /* number of its cells per pixel of the result */
    LEAST_PIXELS = 1 << 23, /* smaller levels are drawn at full size */
    THING_PIXELS = 256, /* pixels that a thing counts as */
    MAX_UNIT = 1024 /* level pixels in each direction, for a drawn pixel and for a cell with art */
};

/* ---- the decision ------------------------------------------------------------------------------------ */

/* Whether each thing can be drawn separately. */
static bool things_fit(const lvl_plan *plan, int64_t unit)
{
    for (uint32_t i = 0; i < plan->scene->thing_count && plan->things; i++) {
        const lvl_scene_thing *thing = &plan->scene->things[i];
        lvl_rect rect;
        if (lvl_thing_marked(plan, thing) || lvl_changes_below(plan, thing) ||
            !lvl_scene_thing_rect(thing, &rect))
            continue;
        lvl_area area = lvl_area_of(rect);
        if (thing->flags & LVL_THING_TEXT)
            area = lvl_thing_text_area(thing, area);
        else if (plan->schematic)
            continue;
        if (area.right - area.left + 2 * unit > 2 * LVL_MAX_PIECE / (area.bottom - area.top + 2 * unit))
            return false;
    }
    return true;
}

/* Whether a layer has so many cells that only a sample is used. */
static bool has_many_cells(const lvl_plan *plan)
{
    for (uint32_t i = 0; i < plan->scene->layer_count; i++) {
        if (plan->layers[i].draw && lvl_plan_count_cells(&plan->layers[i], &plan->area) > LVL_MANY_CELLS)
            return true;
    }
    return false;
}

/* Whether cells with art are small enough to be drawn as a whole. */
static bool cells_fit(const lvl_plan *plan)
{
    for (uint32_t i = 0; i < plan->scene->layer_count; i++) {
        const lvl_scene_layer *l = plan->layers[i].layer;
        if (plan->layers[i].draw && !plan->schematic &&
            (l->cell_width > MAX_UNIT || l->cell_height > MAX_UNIT))
            return false;
    }
    return true;
}

/* The shift for a picture of width x height px; 0: it is drawn at full size. */
static unsigned choose_shift(const lvl_plan *plan, uint32_t width, uint32_t height)
{
    const int64_t w = plan->area.right - plan->area.left, h = plan->area.bottom - plan->area.top;
    const bool many = plan->options.size && has_many_cells(plan);
    int64_t most = (w / width < h / height ? w / width : h / height) / (many ? OVERSAMPLE_MANY : OVERSAMPLE);
    unsigned shift = 0;

    if (!plan->options.size || plan->options.overlays || most < 2 ||
        (!many && w * h + (int64_t)plan->scene->thing_count * THING_PIXELS < LEAST_PIXELS) ||
        !cells_fit(plan))
        return 0;
    most = most > MAX_UNIT ? MAX_UNIT : most;
    while (most >> (shift + 1))
        shift++;
    return things_fit(plan, (int64_t)1 << shift) ? shift : 0;
}

lvl_status lvl_plan_reduce(lvl_plan *plan, uint32_t width, uint32_t height)
{
    const unsigned shift = choose_shift(plan, width, height);

    if (!shift)
        return LVL_OK;
    plan->reduction = lvl_mem_alloc(plan->ctx, sizeof *plan->reduction);
    if (!plan->reduction)
        return LVL_ERR_MEMORY;
    memset(plan->reduction, 0, sizeof *plan->reduction);
    lvl_hash_init(&plan->reduction->table);
    plan->reduction->work = lvl_work_begin(plan->ctx);
    plan->shift = shift;
    const lvl_area drawn = lvl_plan_drawn(plan);
    const uint64_t pixels = (uint64_t)(drawn.right - drawn.left) * (uint64_t)(drawn.bottom - drawn.top);
    const uint64_t each = pixels ? (uint64_t)width * height * SAMPLES / pixels : 1;
    plan->reduction->samples = each >= 4 ? 4 : each >= 2 ? 2 : 1;
    plan->pen = plan->pen >> shift ? plan->pen >> shift : 1;
    return lvl_reduction_hide_marks(plan);
}

lvl_status lvl_reduction_status(const lvl_plan *plan)
{
    const lvl_reduction *r = plan->reduction;

    if (!r || (!r->failed && r->work.status == LVL_OK))
        return LVL_OK;
    return r->work.status != LVL_OK ? r->work.status : LVL_ERR_MEMORY;
}

void lvl_reduction_free(const lvl_plan *plan)
{
    lvl_reduction *r = plan->reduction;

    if (!r)
        return;
    lvl_reduction_clear_small(plan);
    lvl_hash_free(&r->table);
    free(r->small);
    lvl_mem_free(plan->ctx, r->piece);
    lvl_mem_free(plan->ctx, r->means);
    lvl_mem_free(plan->ctx, r->mean_pixels);
    lvl_mem_free(plan->ctx, r->hidden);
    lvl_mem_free(plan->ctx, r);
}
