/*
 * render/content.c: the bounding box of a level's content.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/work.h"

enum { MEMO = 256 };

/* A cache of the values of a layer that draw nothing. */
typedef struct empty_memo {
    uint32_t values[MEMO];
    bool known[MEMO], empty[MEMO];
    bool failed;
} empty_memo;

static bool is_empty(empty_memo *memo, const lvl_scene_layer *layer, uint32_t value)
{
    const uint32_t slot = value % MEMO;
    lvl_scene_tile tile = {0};

    if (layer->drawn)
        return !value;
    if (!memo->known[slot] || memo->values[slot] != value) {
        layer->tile(layer, value, &tile);
        memo->failed = memo->failed || tile.memory_failed;
        memo->values[slot] = value;
        memo->known[slot] = true;
        memo->empty[slot] = tile.empty;
    }
    return memo->empty[slot];
}

static void include(lvl_area *all, lvl_area one)
{
    if (all->left >= all->right) {
        *all = one;
        return;
    }
    all->left = one.left < all->left ? one.left : all->left;
    all->top = one.top < all->top ? one.top : all->top;
    all->right = one.right > all->right ? one.right : all->right;
    all->bottom = one.bottom > all->bottom ? one.bottom : all->bottom;
}

/* Extends the box by the cells of a layer that draw something. */
static lvl_status include_cells(const lvl_scene *scene, const lvl_scene_layer *layer, lvl_area *all)
{
    uint32_t *row = lvl_mem_alloc(scene->ctx, (size_t)layer->columns * sizeof *row + 1);
    empty_memo memo = {0};
    lvl_status status = row ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t y = 0; y < layer->rows && layer->columns && status == LVL_OK; y++) {
        uint32_t first = 0, last = layer->columns;
        layer->cells(layer, 0, y, layer->columns, row);
        while (first < last && is_empty(&memo, layer, row[first]))
            first++;
        while (last > first && is_empty(&memo, layer, row[last - 1]))
            last--;
        if (first < last)
            include(all,
                    (lvl_area){(int64_t)first * layer->cell_width, (int64_t)y * layer->cell_height,
                               (int64_t)last * layer->cell_width, (int64_t)(y + 1) * layer->cell_height});
        status = memo.failed ? LVL_ERR_MEMORY : lvl_stopped(scene->ctx) ? LVL_ERR_STOPPED : LVL_OK;
    }
    lvl_mem_free(scene->ctx, row);
    return status;
}

lvl_status lvl_render_content(const lvl_scene *scene, const lvl_render_options *options, lvl_rect *out)
{
    const uint32_t shown = options->view == LVL_VIEW_LAYER ? options->layer : scene->main_layer;
    lvl_area area, all = {0};
    uint32_t main;
    lvl_rect rect;

    if (options->view == LVL_VIEW_CAMERA)
        return LVL_ERR_ARG;
    lvl_status status = lvl_plan_measure(scene, options, &main, &area);
    if (status == LVL_OK && shown < scene->layer_count)
        status = include_cells(scene, &scene->layers[shown], &all);
    const bool things = !options->no_things && (options->view == LVL_VIEW_WHOLE || shown == main);
    for (uint32_t i = 0; i < scene->thing_count && things; i++) {
        const lvl_scene_thing *thing = &scene->things[i];
        if (!(thing->flags & (LVL_THING_HIDDEN | LVL_THING_DROPPED)) && lvl_scene_thing_rect(thing, &rect))
            include(&all, lvl_area_of(rect));
    }
    if (status != LVL_OK)
        return status;
    if (all.left >= all.right || !lvl_area_clip(&all, &area))
        return LVL_ERR_ARG;
    *out = (lvl_rect){(int32_t)all.left, (int32_t)all.top, (int32_t)all.right - 1, (int32_t)all.bottom - 1};
    return LVL_OK;
}
