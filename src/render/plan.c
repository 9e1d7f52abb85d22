/*
 * render/plan.c: decides what is drawn and where: layers, things, bands.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/work.h"

#include <string.h>

enum {
    BAND_BYTES = 4 << 20,
    SHRUNK_BYTES = 1 << 19, /* bytes of a band that is shrunk; fits in the processor's cache */
    MAX_WIDTH = 1 << 24, /* px of a row; no viewer opens more */
    MAX_ENTRIES = 1 << 22 /* of the index of things by band; with more, each band examines all things */
};

/* Pixels of a picture before scaling, whatever limit is set: the sum of this many colours in 256ths by 256ths
 * fits 63 bits. */
static const uint64_t MAX_PIXELS = (uint64_t)1 << 38;

/* ---- positions --------------------------------------------------------------------------------------- */

/* Scroll position of a layer for a camera centred at `centre` of the main layer. */
static int64_t scroll_of(const lvl_scene_layer *layer, bool across, bool free_camera, int64_t centre,
                         int64_t view)
{
    const int64_t percent = layer->main ? 100 : across ? layer->move_x : layer->move_y;
    const int64_t size =
        across ? (int64_t)layer->columns * layer->cell_width : (int64_t)layer->rows * layer->cell_height;
    const bool wrap = across ? layer->wrap_x : layer->wrap_y;
    int64_t scroll = centre * percent / 100 - view / 2; /* the division truncates, as the game's does */

    if (wrap && size > 0)
        return (scroll % size + size) % size;
    if (free_camera)
        return scroll;
    if (scroll > size - view)
        scroll = size - view;
    return scroll < 0 ? 0 : scroll;
}

/* Computes the position of the picture's point 0, 0 on each layer. */
static void place_layers(lvl_plan *plan)
{
    const lvl_scene *scene = plan->scene;
    const lvl_render_options *o = &plan->options;
    const lvl_scene_layer *main = plan->main < scene->layer_count ? &scene->layers[plan->main] : NULL;
    const int64_t view_w = o->view_width, view_h = o->view_height;
    const bool whole = o->view == LVL_VIEW_WHOLE, single = o->view == LVL_VIEW_LAYER;
    int64_t x = o->camera_x, y = o->camera_y;
    int64_t main_x = x - view_w / 2, main_y = y - view_h / 2;

    if (main) {
        main_x = scroll_of(main, true, scene->free_camera, x, view_w);
        main_y = scroll_of(main, false, scene->free_camera, y, view_h);
        x = main_x + view_w / 2;
        y = main_y + view_h / 2;
    }
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        lvl_layer_plan *lp = &plan->layers[i];
        if (!single) {
            lp->x = i == plan->main ? main_x : scroll_of(lp->layer, true, scene->free_camera, x, view_w);
            lp->y = i == plan->main ? main_y : scroll_of(lp->layer, false, scene->free_camera, y, view_h);
            /* a picture of the whole begins at the main layer's corner, not at the camera's view */
            lp->x -= lp->layer->shift_x + (whole ? main_x : 0);
            lp->y -= lp->layer->shift_y + (whole ? main_y : 0);
        }
        const bool once = single || (whole && i == plan->main);
        lp->wrap_x = lp->layer->wrap_x && !once;
        lp->wrap_y = lp->layer->wrap_y && !once;
        /* A background that moves faster or slower than the level has another size. The game never shows its
         * end, so the picture of the whole level does not either. */
        lp->stretch_x = whole && lp->behind && !lp->wrap_x && lp->layer->move_x != 100;
        lp->stretch_y = whole && lp->behind && !lp->wrap_y && lp->layer->move_y != 100;
    }
    if (o->view == LVL_VIEW_CAMERA) {
        plan->main_x = main_x;
        plan->main_y = main_y;
    }
}

/* Chooses the layers that the game draws. A picture of the whole level leaves out layers in front that move
 * faster or slower than the level: they would hide it and have no fixed position. A schematic picture shows
 * only the main layer. */
static void choose_layers(lvl_plan *plan)
{
    const lvl_scene *scene = plan->scene;
    const lvl_render_options *o = &plan->options;
    bool after_main = false;

    for (uint32_t s = 0; s < scene->step_count; s++) {
        const lvl_scene_step *step = &scene->steps[s];
        if (step->things || step->first >= scene->layer_count)
            continue;
        lvl_layer_plan *lp = &plan->layers[step->first];
        const lvl_scene_layer *layer = lp->layer;
        const int choice =
            o->layers && step->first < o->layer_count ? o->layers[step->first] : LVL_LAYER_DEFAULT;

        lp->behind = !after_main && step->first != plan->main;
        lp->draw = !layer->hidden;
        if (plan->schematic && !scene->has_colours)
            lp->draw = step->first == plan->main;
        else if (o->view == LVL_VIEW_WHOLE && after_main && (layer->move_x != 100 || layer->move_y != 100))
            lp->draw = false;
        if (o->view == LVL_VIEW_LAYER)
            lp->draw = step->first == o->layer;
        else if (choice != LVL_LAYER_DEFAULT)
            lp->draw = choice != 0;
        after_main = after_main || step->first == plan->main;
    }
}

static bool fits_palette(const lvl_plan *plan)
{
    const lvl_scene *scene = plan->scene;

    if (!scene->palette || plan->options.overlays || plan->options.transparent)
        return false;
    for (uint32_t i = 0; i < scene->thing_count && plan->things; i++) {
        const lvl_image *image = scene->things[i].image;
        if (scene->things[i].effect || scene->things[i].flags & LVL_THING_TEXT)
            return false;
        if (image &&
            (image->format != LVL_PIXELS_INDEX8 ||
             (image->palette && memcmp(image->palette, scene->palette, sizeof *image->palette) != 0)))
            return false;
    }
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        if (plan->layers[i].draw && !lvl_layer_fits_palette(&plan->layers[i], &plan->area, scene->palette))
            return false;
    }
    return true;
}

lvl_status lvl_plan_measure(const lvl_scene *scene, const lvl_render_options *o, uint32_t *main,
                            lvl_area *area)
{
    uint32_t layer = scene->main_layer;

    *main = layer;
    if (o->view == LVL_VIEW_LAYER)
        layer = o->layer;
    if (o->view == LVL_VIEW_CAMERA) {
        *area = (lvl_area){0, 0, o->view_width, o->view_height};
    } else {
        const bool bounds = o->view == LVL_VIEW_WHOLE && scene->has_bounds;
        if (o->view == LVL_VIEW_WHOLE && layer >= scene->layer_count)
            layer = 0;
        if (!bounds && layer >= scene->layer_count)
            return LVL_ERR_ARG;
        const lvl_scene_layer *l = bounds ? NULL : &scene->layers[layer];
        *area =
            bounds ? lvl_area_of(scene->bounds)
                   : (lvl_area){0, 0, (int64_t)l->columns * l->cell_width, (int64_t)l->rows * l->cell_height};
    }
    if (o->region_given) {
        lvl_area region = lvl_area_of(o->region);
        if (!lvl_area_clip(&region, area))
            return LVL_ERR_ARG;
        *area = region;
    }
    return area->left < area->right && area->top < area->bottom ? LVL_OK : LVL_ERR_ARG;
}

static uint32_t clamp_u32(uint64_t v)
{
    return v < 1 ? 1 : v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* How many pixels a picture may have before scaling, if each is drawn: sixteen for each allowed cell. A
 * picture is streamed, so memory is not the limit, but the user has to wait for it. More are allowed if they
 * are shrunk, since fewer are written. */
static uint64_t most_pixels(const lvl_ctx *ctx, const lvl_render_options *o)
{
    const uint64_t cells = lvl_limits_of(ctx).cells, each = o->size || o->scale_down > 1 ? 128 : 16;

    return cells < MAX_PIXELS / each ? cells * each : MAX_PIXELS;
}

/* Whether the picture may be drawn at reduced size (reduce.c), so that the number of its pixels does not
 * matter. */
static bool may_be_reduced(const lvl_render_options *o)
{
    return o->size && !o->overlays;
}

lvl_status lvl_plan_scale(const lvl_ctx *ctx, const lvl_render_options *o, const lvl_area *area,
                          uint32_t *width, uint32_t *height)
{
    const uint64_t w = (uint64_t)(area->right - area->left), h = (uint64_t)(area->bottom - area->top);
    uint64_t to_w = w, to_h = h;

    const uint64_t most = most_pixels(ctx, o);
    const bool reduced = may_be_reduced(o);
    if ((w > MAX_WIDTH && !reduced) || w > INT32_MAX || h > INT32_MAX ||
        h > (reduced ? MAX_PIXELS : most) / w)
        return lvl_refuse(ctx, LVL_LIMIT_CELLS, most, w <= UINT32_MAX && h <= UINT32_MAX ? w * h : 0);
    if (o->size) {
        const uint64_t longest = w > h ? w : h;
        if (longest > o->size) {
            to_w = clamp_u32((w * o->size + longest / 2) / longest);
            to_h = clamp_u32((h * o->size + longest / 2) / longest);
        }
    } else if (o->scale_down > 1) {
        to_w = clamp_u32(w / o->scale_down);
        to_h = clamp_u32(h / o->scale_down);
    } else if (o->scale_up > 1) {
        to_w = w * o->scale_up;
        to_h = h * o->scale_up;
        if (to_w > MAX_WIDTH || to_h > INT32_MAX || to_h > most / to_w)
            return lvl_refuse(ctx, LVL_LIMIT_CELLS, most,
                              to_w <= UINT32_MAX && to_h <= UINT32_MAX ? to_w * to_h : 0);
    }
    *width = (uint32_t)to_w;
    *height = (uint32_t)to_h;
    return LVL_OK;
}

/* ---- plan -------------------------------------------------------------------------------------------- */

bool lvl_plan_thing_area(const lvl_plan *plan, const lvl_scene_thing *thing, lvl_area *out)
{
    lvl_rect rect;

    if (lvl_thing_marked(plan, thing)) {
        const int64_t reach = lvl_mark_reach(plan, thing) * 2 + 4;
        const int64_t x = thing->x - plan->main_x, y = thing->y - plan->main_y;
        *out = (lvl_area){x - reach, y - reach, x + reach, y + reach};
    } else if (thing->flags & (LVL_THING_HIDDEN | LVL_THING_DROPPED) || !lvl_scene_thing_rect(thing, &rect)) {
        return false;
    } else {
        *out = lvl_plan_place(plan, rect);
    }
    lvl_area seen = *out;
    if (plan->shift) { /* extended to whole drawn pixels */
        const int64_t unit = (int64_t)1 << plan->shift;
        seen = (lvl_area){seen.left - unit, seen.top - unit, seen.right + unit, seen.bottom + unit};
    }
    return lvl_area_clip(&seen, &plan->area);
}

/* The bands that the area touches; the area must touch the picture. */
static void bands_of(const lvl_plan *plan, const lvl_area *area, uint32_t *first, uint32_t *last)
{
    const int64_t moved = plan->shift ? (int64_t)1 << plan->shift : 0;
    const int64_t top = area->top - moved > plan->area.top ? area->top - moved : plan->area.top;
    const int64_t bottom =
        area->bottom + moved < plan->area.bottom ? area->bottom + moved : plan->area.bottom;

    *first = (uint32_t)(((top - plan->area.top) >> plan->shift) / plan->band_rows);
    *last = (uint32_t)(((bottom - 1 - plan->area.top) >> plan->shift) / plan->band_rows);
    /* the right and lower end may be less than a drawn pixel */
    *first = *first < plan->band_count ? *first : plan->band_count - 1;
    *last = *last < plan->band_count ? *last : plan->band_count - 1;
}

static lvl_status index_things(lvl_plan *plan)
{
    const lvl_scene *scene = plan->scene;
    const lvl_area drawn = lvl_plan_drawn(plan);
    const int64_t height = drawn.bottom - drawn.top;
    uint64_t entries = 0;
    uint32_t first, last;
    lvl_area area;

    plan->band_count = (uint32_t)((height + plan->band_rows - 1) / plan->band_rows);
    if (!plan->things || scene->thing_count == 0)
        return LVL_OK;
    uint32_t *counts = lvl_mem_alloc(plan->ctx, ((size_t)plan->band_count + 2) * sizeof *counts);
    if (!counts)
        return LVL_ERR_MEMORY;
    memset(counts, 0, ((size_t)plan->band_count + 2) * sizeof *counts);
    for (uint32_t i = 0; i < scene->thing_count && entries <= MAX_ENTRIES; i++) {
        if (!lvl_plan_thing_area(plan, &scene->things[i], &area))
            continue;
        bands_of(plan, &area, &first, &last);
        entries += last - first + 1;
        for (uint32_t b = first; b <= last && entries <= MAX_ENTRIES; b++)
            counts[b + 2]++;
    }
    if (entries > MAX_ENTRIES) {
        lvl_mem_free(plan->ctx, counts);
        return LVL_OK;
    }
    plan->band_first = counts;
    plan->band_things = lvl_mem_alloc(plan->ctx, ((size_t)entries + 1) * sizeof *plan->band_things);
    if (!plan->band_things)
        return LVL_ERR_MEMORY;
    for (uint32_t b = 2; b < plan->band_count + 2; b++)
        counts[b] += counts[b - 1];
    /* counts[b + 1] is now the start of band b; filling advances it to the end, which is the start of band b
     * + 1. */
    for (uint32_t i = 0; i < scene->thing_count; i++) {
        if (!lvl_plan_thing_area(plan, &scene->things[i], &area))
            continue;
        bands_of(plan, &area, &first, &last);
        for (uint32_t b = first; b <= last; b++)
            plan->band_things[counts[b + 1]++] = i;
    }
    return LVL_OK;
}

void lvl_plan_free(lvl_plan *plan)
{
    for (uint32_t i = 0; plan->layers && i < plan->scene->layer_count; i++)
        lvl_mem_free(plan->ctx, plan->layers[i].cache);
    lvl_mem_free(plan->ctx, plan->layers);
    lvl_mem_free(plan->ctx, plan->band_first);
    lvl_mem_free(plan->ctx, plan->band_things);
    lvl_mem_free(plan->ctx, plan->labels);
    lvl_mem_free(plan->ctx, plan->marks);
    lvl_mem_free(plan->ctx, plan->lines);
    lvl_reduction_free(plan);
}

static lvl_status plan_layers(lvl_plan *plan)
{
    const lvl_scene *scene = plan->scene;

    plan->layers = lvl_mem_alloc(plan->ctx, ((size_t)scene->layer_count + 1) * sizeof *plan->layers);
    if (!plan->layers)
        return LVL_ERR_MEMORY;
    memset(plan->layers, 0, ((size_t)scene->layer_count + 1) * sizeof *plan->layers);
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        plan->layers[i].layer = &scene->layers[i];
        if (scene->layers[i].cell_width == 0 || scene->layers[i].cell_height == 0)
            return LVL_ERR_ARG;
    }
    choose_layers(plan);
    place_layers(plan);
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        lvl_layer_plan *lp = &plan->layers[i];
        if (!lp->draw && !(i == plan->main && plan->options.overlays & (LVL_OVERLAY_TILES | LVL_OVERLAY_GRID |
                                                                        LVL_OVERLAY_FINDINGS)))
            continue;
        lp->cache = lvl_mem_alloc(plan->ctx, sizeof *lp->cache);
        if (!lp->cache)
            return LVL_ERR_MEMORY;
        memset(lp->cache->full, 0, sizeof lp->cache->full);
        lvl_plan_edges(lp);
    }
    return LVL_OK;
}

lvl_render_options lvl_plan_options(const lvl_scene *scene, const lvl_render_options *options)
{
    lvl_render_options o = *options;

    if (!o.camera_given) {
        o.camera_x = scene->start_x;
        o.camera_y = scene->start_y;
    }
    if (o.view_width == 0)
        o.view_width = 1024;
    if (o.view_height == 0)
        o.view_height = 768;
    return o;
}

/* Sets the scene's view. */
static void set_view(const lvl_scene *scene, const lvl_render_options *o)
{
    const int64_t left = o->camera_x - (int64_t)o->view_width / 2;
    const int64_t top = o->camera_y - (int64_t)o->view_height / 2;

    if (!scene->set_view)
        return;
    if (o->view != LVL_VIEW_CAMERA || left < INT32_MIN || top < INT32_MIN ||
        left + o->view_width > INT32_MAX || top + o->view_height > INT32_MAX) {
        scene->set_view(scene, NULL);
        return;
    }
    const lvl_rect view = {(int32_t)left, (int32_t)top, (int32_t)(left + o->view_width - 1),
                           (int32_t)(top + o->view_height - 1)};
    scene->set_view(scene, &view);
}

lvl_status lvl_plan_make(lvl_plan *plan, const lvl_scene *scene, const lvl_render_options *options,
                         uint32_t *width, uint32_t *height)
{
    memset(plan, 0, sizeof *plan);
    plan->scene = scene;
    plan->ctx = scene->ctx;
    plan->options = lvl_plan_options(scene, options);
    const lvl_render_options *o = &plan->options;
    lvl_status status = lvl_plan_measure(scene, o, &plan->main, &plan->area);
    if (status == LVL_OK && o->adjoining) {
        lvl_render_options whole = *o;
        whole.region_given = false;
        status = lvl_plan_measure(scene, &whole, &plan->main, &plan->labelled);
    } else {
        plan->labelled = plan->area;
    }
    if (status == LVL_OK)
        status = lvl_plan_scale(scene->ctx, o, &plan->area, width, height);
    if (status != LVL_OK)
        return status;
    set_view(scene, o);
    const uint64_t w = (uint64_t)(plan->area.right - plan->area.left);
    const uint32_t down = (uint32_t)(w / *width);
    plan->schematic = o->schematic || !scene->has_art;
    plan->things = !o->no_things && (o->view != LVL_VIEW_LAYER || o->layer == plan->main);
    plan->pen = down > 1 ? down : 1;
    const bool named = plan->schematic || scene->marks || o->overlays & LVL_OVERLAY_THINGS;
    plan->text_size = down <= 1 && named ? 1 : 0;
    status = plan_layers(plan);
    if (status != LVL_OK)
        return status;
    status = lvl_plan_reduce(plan, *width, *height);
    if (status != LVL_OK)
        return status;
    if (!plan->shift)
        plan->indexed = plan->schematic ? !o->transparent && !scene->has_colours : fits_palette(plan);
    const lvl_area drawn = lvl_plan_drawn(plan);
    const uint64_t drawn_w = (uint64_t)(drawn.right - drawn.left),
                   drawn_h = (uint64_t)(drawn.bottom - drawn.top), most = most_pixels(plan->ctx, o);
    if (drawn_w > MAX_WIDTH || drawn_h > most / drawn_w)
        return lvl_refuse(plan->ctx, LVL_LIMIT_CELLS, most, drawn_w * drawn_h);
    const bool shrunk = !plan->shift && *width < drawn.right - drawn.left;
    const uint64_t band = o->band_bytes ? o->band_bytes : shrunk ? SHRUNK_BYTES : BAND_BYTES;
    const uint64_t rows = band / ((uint64_t)(drawn.right - drawn.left) * (plan->indexed ? 1 : 4));
    plan->band_rows = rows < 1 ? 1 : rows > 1024 ? 1024 : (uint32_t)rows;
    if (plan->band_rows > drawn.bottom - drawn.top)
        plan->band_rows = (uint32_t)(drawn.bottom - drawn.top);
    status = index_things(plan);
    if (status == LVL_OK)
        status = lvl_plan_labels(plan);
    return status == LVL_OK ? lvl_plan_marks(plan) : status;
}
