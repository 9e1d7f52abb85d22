/*
 * render/render.c: a picture is planned once, then drawn band by band from top to bottom.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/cursor.h"
#include "base/work.h"
#include "codec/png.h"

#include <stdlib.h>
#include <string.h>

enum {
    BAND_BYTES = 4 << 20,
    MAX_WIDTH = 1 << 24, /* px of a row: more than any viewer opens */
    MAX_ENTRIES = 1 << 22 /* of the index of things by band; beyond, each band looks at all things */
};

/* Of a picture before it is scaled, whatever limit is set: the sum of as many colours in 256ths by 256ths
 * fits 63 bits. */
static const uint64_t MAX_PIXELS = (uint64_t)1 << 38;

void lvl_render_options_init(lvl_render_options *out)
{
    memset(out, 0, sizeof *out);
}

/* ---- where everything is ----------------------------------------------------------------------------- */

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

/* Where the picture's point 0, 0 is on each layer. */
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
         * end, and neither does the picture of the whole level. */
        lp->stretch_x = whole && lp->behind && !lp->wrap_x && lp->layer->move_x != 100;
        lp->stretch_y = whole && lp->behind && !lp->wrap_y && lp->layer->move_y != 100;
    }
    if (o->view == LVL_VIEW_CAMERA) {
        plan->main_x = main_x;
        plan->main_y = main_y;
    }
}

/* Which layers: those that the game draws. A picture of the whole level has no layers in front that move
 * faster or slower than the level: they would hide it, and have no fixed place. A schematic picture shows the
 * main layer. */
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

/* What the picture is of, and how large before scaling. */
static lvl_status measure(const lvl_scene *scene, const lvl_render_options *o, uint32_t *main, lvl_area *area)
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

enum { MEMO = 256 };

/* Which values of a layer draw nothing: the last ones that were looked up. */
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

/* Includes the cells of a layer that draw something. */
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
    lvl_status status = measure(scene, options, &main, &area);
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

static uint32_t clamp_u32(uint64_t v)
{
    return v < 1 ? 1 : v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* The size after scaling. */
static lvl_status scaled(const lvl_ctx *ctx, const lvl_render_options *o, const lvl_area *area,
                         uint32_t *width, uint32_t *height)
{
    const uint64_t w = (uint64_t)(area->right - area->left), h = (uint64_t)(area->bottom - area->top);
    const uint64_t cells = lvl_limits_of(ctx).cells;
    uint64_t to_w = w, to_h = h;

    /* Sixteen pixels for each cell that may be: a picture streams, but the user has to wait for it. Pixels
     * that are only drawn to be shrunk aren't written, so more of it may be: the largest real levels have
     * 2000 x 2000 tiles. */
    const uint64_t each = o->size || o->scale_down > 1 ? 128 : 16;
    const uint64_t most = cells < MAX_PIXELS / each ? cells * each : MAX_PIXELS;
    if (w > MAX_WIDTH || h > INT32_MAX || h > most / w)
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

/* What a thing covers of the picture, mark or image; false if it isn't drawn. */
static bool thing_area(const lvl_plan *plan, const lvl_scene_thing *thing, lvl_area *out)
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
    if (plan->shift) { /* it is moved onto whole pixels drawn */
        const int64_t unit = (int64_t)1 << plan->shift;
        seen = (lvl_area){seen.left - unit, seen.top - unit, seen.right + unit, seen.bottom + unit};
    }
    return lvl_area_clip(&seen, &plan->area);
}

/* The bands that the area touches; it touches the picture. */
static void bands_of(const lvl_plan *plan, const lvl_area *area, uint32_t *first, uint32_t *last)
{
    const int64_t moved = plan->shift ? (int64_t)1 << plan->shift : 0;
    const int64_t top = area->top - moved > plan->area.top ? area->top - moved : plan->area.top;
    const int64_t bottom =
        area->bottom + moved < plan->area.bottom ? area->bottom + moved : plan->area.bottom;

    *first = (uint32_t)(((top - plan->area.top) >> plan->shift) / plan->band_rows);
    *last = (uint32_t)(((bottom - 1 - plan->area.top) >> plan->shift) / plan->band_rows);
    /* at the right and lower end, which may be less than a drawn pixel */
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
        if (!thing_area(plan, &scene->things[i], &area))
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
    /* counts[b + 1] is now where band b begins; filling moves it to where it ends, which is where band b + 1
     * begins. */
    for (uint32_t i = 0; i < scene->thing_count; i++) {
        if (!thing_area(plan, &scene->things[i], &area))
            continue;
        bands_of(plan, &area, &first, &last);
        for (uint32_t b = first; b <= last; b++)
            plan->band_things[counts[b + 1]++] = i;
    }
    return LVL_OK;
}

static void plan_free(lvl_plan *plan)
{
    for (uint32_t i = 0; plan->layers && i < plan->scene->layer_count; i++)
        lvl_mem_free(plan->ctx, plan->layers[i].cache);
    lvl_mem_free(plan->ctx, plan->layers);
    lvl_mem_free(plan->ctx, plan->band_first);
    lvl_mem_free(plan->ctx, plan->band_things);
    lvl_mem_free(plan->ctx, plan->labels);
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
        if (!lp->draw &&
            !(i == plan->main && plan->options.overlays & (LVL_OVERLAY_TILES | LVL_OVERLAY_GRID)))
            continue;
        lp->cache = lvl_mem_alloc(plan->ctx, sizeof *lp->cache);
        if (!lp->cache)
            return LVL_ERR_MEMORY;
        memset(lp->cache->full, 0, sizeof lp->cache->full);
        lvl_plan_edges(lp);
    }
    return LVL_OK;
}

/* The options with their defaults. */
static lvl_render_options effective_options(const lvl_scene *scene, const lvl_render_options *options)
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

static lvl_status plan_make(lvl_plan *plan, const lvl_scene *scene, const lvl_render_options *options,
                            uint32_t *width, uint32_t *height)
{
    memset(plan, 0, sizeof *plan);
    plan->scene = scene;
    plan->ctx = scene->ctx;
    plan->options = effective_options(scene, options);
    const lvl_render_options *o = &plan->options;
    lvl_status status = measure(scene, o, &plan->main, &plan->area);
    if (status == LVL_OK && o->adjoining) {
        lvl_render_options whole = *o;
        whole.region_given = false;
        status = measure(scene, &whole, &plan->main, &plan->labelled);
    } else {
        plan->labelled = plan->area;
    }
    if (status == LVL_OK)
        status = scaled(scene->ctx, o, &plan->area, width, height);
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
    const uint64_t band = o->band_bytes ? o->band_bytes : BAND_BYTES;
    const lvl_area drawn = lvl_plan_drawn(plan);
    const uint64_t rows = band / ((uint64_t)(drawn.right - drawn.left) * (plan->indexed ? 1 : 4));
    plan->band_rows = rows < 1 ? 1 : rows > 1024 ? 1024 : (uint32_t)rows;
    if (plan->band_rows > drawn.bottom - drawn.top)
        plan->band_rows = (uint32_t)(drawn.bottom - drawn.top);
    status = index_things(plan);
    return status == LVL_OK ? lvl_plan_labels(plan) : status;
}

/* ---- bands ------------------------------------------------------------------------------------------- */

/* Where the effect is about the picture's centre, its box is not its place: that is taken without the effect.
 */
static void draw_sprite(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing)
{
    lvl_scene_thing plain = *thing;
    lvl_rect rect;

    plain.effect = NULL;
    if (lvl_scene_thing_rect(&plain, &rect))
        lvl_canvas_sprite(canvas, thing->image, thing->has_part ? &thing->part : NULL,
                          rect.left - plan->main_x, rect.top - plan->main_y, thing->flags, thing->effect);
}

static void draw_thing(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing)
{
    lvl_rect rect;

    if (lvl_thing_marked(plan, thing)) {
        lvl_draw_mark(canvas, thing->kind, thing->x - plan->main_x, thing->y - plan->main_y,
                      lvl_mark_reach(plan, thing));
        return;
    }
    if (thing->flags & (LVL_THING_HIDDEN | LVL_THING_DROPPED) || !lvl_scene_thing_rect(thing, &rect))
        return;
    const lvl_area area = lvl_plan_place(plan, rect);
    if (thing->flags & LVL_THING_TEXT)
        lvl_draw_thing_text(canvas, thing, area);
    else if (plan->schematic)
        lvl_draw_box(canvas, thing, area, plan->scene->has_colours);
    else if (thing->image && !thing->has_part && !thing->effect)
        lvl_canvas_image(canvas, thing->image, area.left, area.top, thing->flags, NULL);
    else if (thing->image)
        draw_sprite(plan, canvas, thing);
}

static void draw_thing_reduced(lvl_plan *plan, lvl_canvas *canvas, uint32_t index)
{
    const lvl_scene_thing *thing = &plan->scene->things[index];
    lvl_canvas piece;
    lvl_area area;

    if (lvl_thing_marked(plan, thing)) {
        lvl_draw_mark_reduced(plan, canvas, index);
        return;
    }
    if (!thing_area(plan, thing, &area) || lvl_draw_image_reduced(plan, canvas, thing, area))
        return;
    const bool text = thing->flags & LVL_THING_TEXT;
    if (plan->schematic && !text) {
        lvl_draw_box_reduced(plan, canvas, thing, area);
    } else if (lvl_piece_begin(plan, canvas, text ? lvl_thing_text_area(thing, area) : area, &piece)) {
        draw_thing(plan, &piece, thing);
        lvl_piece_end(plan, &piece, canvas);
    }
}

static void draw_any(lvl_plan *plan, lvl_canvas *canvas, uint32_t index)
{
    if (plan->shift)
        draw_thing_reduced(plan, canvas, index);
    else
        draw_thing(plan, canvas, &plan->scene->things[index]);
}

/* Things first .. end that touch the band. `*at` walks along the band's index from step to step, since both
 * ascend. */
static void draw_things(lvl_plan *plan, lvl_canvas *canvas, uint32_t band, uint32_t first, uint32_t end,
                        uint32_t *at)
{
    if (!plan->band_first) {
        for (uint32_t i = first; i < end; i++)
            draw_any(plan, canvas, i);
        return;
    }
    for (; *at < plan->band_first[band + 1] && plan->band_things[*at] < end; ++*at)
        draw_any(plan, canvas, plan->band_things[*at]);
}

static void draw_band(lvl_plan *plan, lvl_canvas *canvas, uint32_t band)
{
    const lvl_scene *scene = plan->scene;
    uint32_t at = plan->band_first ? plan->band_first[band] : 0;

    lvl_canvas_clear(canvas);
    if (plan->schematic && !canvas->indexed && !canvas->transparent)
        lvl_canvas_fill(canvas, canvas->area, LVL_INK_BACK);
    for (uint32_t s = 0; s < scene->step_count; s++) {
        const lvl_scene_step *step = &scene->steps[s];
        if (step->things) {
            /* Marks come last, where nothing hides them. */
            if (plan->things && !plan->schematic)
                draw_things(plan, canvas, band, step->first, step->first + step->count, &at);
        } else if (plan->layers[step->first].draw) {
            if (plan->shift)
                lvl_draw_layer_reduced(plan, &plan->layers[step->first], canvas);
            else if (plan->schematic)
                lvl_draw_schematic(&plan->layers[step->first], canvas);
            else
                lvl_draw_layer(&plan->layers[step->first], canvas);
        }
    }
    if (plan->schematic && plan->things)
        draw_things(plan, canvas, band, 0, scene->thing_count, &at);
    lvl_draw_overlays(plan, canvas);
}

/* Removes the alpha bytes of opaque pixels in place; the output never overtakes the input. */
static void to_rgb(uint8_t *pixels, size_t count)
{
    uint8_t *to = pixels;
    const uint8_t *p = pixels;

    for (; count >= 4; count -= 4, p += 16, to += 12) {
        uint32_t four[4], three[3];
        for (int i = 0; i < 4; i++)
            four[i] = lvl_load_u32le(p + i * 4);
        three[0] = (four[0] & 0xFFFFFF) | four[1] << 24;
        three[1] = (four[1] >> 8 & 0xFFFF) | four[2] << 16;
        three[2] = (four[2] >> 16 & 0xFF) | four[3] << 8;
        for (int i = 0; i < 3; i++)
            lvl_store_u32le(to + i * 4, three[i]);
    }
    for (; count; count--, p += 4, to += 3) {
        const uint8_t rgb[3] = {p[0], p[1], p[2]};
        memcpy(to, rgb, 3);
    }
}

static uint8_t darkest_index(const lvl_palette *palette)
{
    unsigned best = UINT32_MAX;
    uint8_t index = 0;

    for (unsigned i = 0; i < 256; i++) {
        const unsigned light = (unsigned)palette->rgb[i][0] + palette->rgb[i][1] + palette->rgb[i][2];
        if (light < best) {
            best = light;
            index = (uint8_t)i;
        }
    }
    return index;
}

/* `keep_alpha`: opaque pictures are given with their alpha, which is 255, as the receiver wants them. */
static lvl_status draw(lvl_plan *plan, lvl_rows *rows, bool keep_alpha)
{
    const lvl_scene *scene = plan->scene;
    const lvl_area area = lvl_plan_drawn(plan);
    lvl_palette inks;
    lvl_canvas canvas = {.indexed = plan->indexed,
                         .transparent = plan->options.transparent,
                         .pen = plan->pen,
                         .palette = scene->palette,
                         .area = area};
    lvl_picture picture = {.channels = 1};

    canvas.width = (uint32_t)(area.right - area.left);
    picture.width = canvas.width;
    picture.height = (uint32_t)(area.bottom - area.top);
    if (!plan->indexed) {
        picture.channels = canvas.transparent || keep_alpha ? 4 : 3;
    } else if (plan->schematic) {
        memset(&inks, 0, sizeof inks);
        memcpy(inks.rgb, lvl_ink_rgb, sizeof lvl_ink_rgb);
        picture.palette = &inks;
        canvas.back = LVL_INK_BACK;
    } else {
        picture.palette = scene->palette;
        canvas.back = darkest_index(scene->palette);
    }
    canvas.pixels =
        lvl_mem_alloc(plan->ctx, (size_t)canvas.width * plan->band_rows * (plan->indexed ? 1 : 4));
    /* A picture of one band begins when its colours have been counted. */
    const bool late = plan->band_count == 1 && picture.channels == 3;
    lvl_status status = !canvas.pixels ? LVL_ERR_MEMORY : late ? LVL_OK : rows->begin(rows, &picture);
    for (uint32_t band = 0; band < plan->band_count && status == LVL_OK; band++) {
        canvas.area.top = area.top + (int64_t)band * plan->band_rows;
        canvas.area.bottom = canvas.area.top + plan->band_rows;
        if (canvas.area.bottom > area.bottom)
            canvas.area.bottom = area.bottom;
        if (lvl_stopped(plan->ctx)) {
            status = LVL_ERR_STOPPED;
            break;
        }
        draw_band(plan, &canvas, band);
        for (uint32_t i = 0; i < scene->layer_count; i++)
            status = plan->layers[i].memory_failed ? LVL_ERR_MEMORY : status;
        if (status == LVL_OK)
            status = lvl_reduction_status(plan);
        if (status != LVL_OK)
            break;
        const uint32_t count = (uint32_t)(canvas.area.bottom - canvas.area.top);
        if (late) {
            uint8_t *few = lvl_mem_alloc(plan->ctx, (size_t)canvas.width * count);
            if (few && lvl_few_colors(canvas.pixels, (size_t)canvas.width * count, few, &inks)) {
                memcpy(canvas.pixels, few, (size_t)canvas.width * count);
                picture.channels = 1;
                picture.palette = &inks;
            }
            lvl_mem_free(plan->ctx, few); /* without memory for it the picture stays as it is */
            status = rows->begin(rows, &picture);
            if (status != LVL_OK)
                break;
        }
        if (picture.channels == 3)
            to_rgb(canvas.pixels, (size_t)canvas.width * count);
        status = rows->rows(rows, canvas.pixels, count);
    }
    lvl_mem_free(plan->ctx, canvas.pixels);
    return status == LVL_OK ? rows->end(rows) : status;
}

/* ---- public ------------------------------------------------------------------------------------------ */

lvl_status lvl_render_size(const lvl_scene *scene, const lvl_render_options *options, uint32_t *width,
                           uint32_t *height)
{
    const lvl_render_options o = effective_options(scene, options);
    uint32_t main;
    lvl_area area;
    lvl_status status = measure(scene, &o, &main, &area);

    return status == LVL_OK ? scaled(scene->ctx, &o, &area, width, height) : status;
}

static lvl_status render(const lvl_scene *scene, const lvl_render_options *options, lvl_rows *rows,
                         bool keep_alpha)
{
    lvl_rows *scale = NULL;
    uint32_t width, height;
    lvl_plan plan;
    lvl_status status = plan_make(&plan, scene, options, &width, &height);

    if (status == LVL_OK) {
        const lvl_area drawn = lvl_plan_drawn(&plan);
        const bool shrink = width < drawn.right - drawn.left || height < drawn.bottom - drawn.top;
        const bool enlarge = !shrink && !options->size && options->scale_down <= 1 && options->scale_up > 1;
        if (shrink || enlarge) {
            scale = lvl_scale_rows_new(scene->ctx, width, height, enlarge ? options->scale_up : 1, rows);
            status = scale ? LVL_OK : LVL_ERR_MEMORY;
        }
    }
    if (status == LVL_OK)
        status = draw(&plan, scale ? scale : rows, keep_alpha);
    lvl_scale_rows_free(scale);
    plan_free(&plan);
    return status;
}

lvl_status lvl_render(const lvl_scene *scene, const lvl_render_options *options, lvl_rows *rows)
{
    return render(scene, options, rows, false);
}

lvl_status lvl_render_png(const lvl_scene *scene, const lvl_render_options *options, lvl_writer *out)
{
    lvl_rows *png = lvl_png_rows_new(scene->ctx, out, LVL_PNG_AUTO);
    lvl_status status = png ? lvl_render(scene, options, png) : LVL_ERR_MEMORY;

    lvl_png_rows_free(png);
    return status;
}

typedef struct image_rows {
    lvl_rows rows;
    const lvl_ctx *ctx;
    lvl_image *image;
    lvl_picture picture;
    lvl_palette palette;
    uint32_t y;
} image_rows;

static lvl_status image_begin(lvl_rows *rows, const lvl_picture *picture)
{
    image_rows *im = (image_rows *)rows;

    im->picture = *picture;
    if (picture->palette)
        im->palette = *picture->palette;
    return lvl_image_init(im->image, im->ctx, LVL_PIXELS_RGBA8, picture->width, picture->height, false);
}

static lvl_status image_take(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    image_rows *im = (image_rows *)rows;
    const uint32_t channels = im->picture.channels;
    uint8_t *to = im->image->pixels + (size_t)im->y * im->picture.width * 4;

    if (count > im->picture.height - im->y)
        return LVL_ERR_ARG;
    if (channels == 4)
        memcpy(to, pixels, (size_t)im->picture.width * count * 4);
    for (size_t i = 0; channels != 4 && i < (size_t)im->picture.width * count; i++, to += 4) {
        memcpy(to, channels == 1 ? im->palette.rgb[*pixels] : pixels, 3);
        to[3] = 255;
        pixels += channels;
    }
    im->y += count;
    return LVL_OK;
}

static lvl_status image_end(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

lvl_status lvl_render_image(const lvl_scene *scene, const lvl_render_options *options, lvl_image *out)
{
    image_rows rows = {.rows = {image_begin, image_take, image_end}, .ctx = scene->ctx, .image = out};

    memset(out, 0, sizeof *out);
    lvl_status status = render(scene, options, &rows.rows, true);
    if (status != LVL_OK)
        lvl_image_clear(out);
    return status;
}
