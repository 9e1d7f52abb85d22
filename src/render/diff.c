/*
 * render/diff.c: before, after and what changed, side by side (one below the other where they are wide): the
 * part of the level that holds all changes, enlarged if it is small, the third panel dimmed with each change
 * framed or, in a drawing, each pixel marked: green for what came, red for what went, yellow for what became
 * something else.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/work.h"
#include "codec/png.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PANEL_SIZE = 1024, /* px, unless options say otherwise */
    LEAST_SIZE = 320,  /* px of the level shown around a small change, */
    LEAST_DRAWN = 96,  /* and of a drawing, which changes by pixels and not by cells */
    MARGIN = 64,       /* px of the level around the changes, */
    MARGIN_DRAWN = 16, /* and of a drawing */
    ZOOM_SIZE = 640,   /* px that a smaller part of one is enlarged to */
    GAP = 8,
    HEAD = 24 /* for the captions */
};

/* What is compared: two scenes, and how the first lies in the px of the second. */
typedef struct pair {
    const lvl_scene *before, *after;
    int64_t dx, dy;
    bool drawn; /* compared by pixels */
} pair;

static bool is_drawn(const lvl_scene *scene)
{
    return scene->main_layer < scene->layer_count && scene->layers[scene->main_layer].drawn;
}

static lvl_area join(lvl_area a, lvl_area b)
{
    return (lvl_area){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                      a.right > b.right ? a.right : b.right, a.bottom > b.bottom ? a.bottom : b.bottom};
}

static lvl_area shifted(lvl_area area, int64_t dx, int64_t dy)
{
    return (lvl_area){area.left + dx, area.top + dy, area.right + dx, area.bottom + dy};
}

/* What there is of a scene: all of its main layer, which may reach beyond the page that a picture of the
 * whole shows. */
static lvl_area main_area(const lvl_scene *scene)
{
    const bool layer = scene->main_layer < scene->layer_count;
    lvl_area area = {0, 0, 0, 0};

    if (layer) {
        const lvl_scene_layer *l = &scene->layers[scene->main_layer];
        area.right = (int64_t)l->columns * l->cell_width;
        area.bottom = (int64_t)l->rows * l->cell_height;
    }
    if (scene->has_bounds)
        area = layer ? join(area, lvl_area_of(scene->bounds)) : lvl_area_of(scene->bounds);
    return area;
}

/* Widens a side to `size`, around its middle, within least .. most. */
static void widen(int64_t *from, int64_t *to, int64_t size, int64_t least, int64_t most)
{
    if (*to - *from < size) {
        const int64_t middle = (*from + *to) / 2;
        *from = middle - size / 2;
        *to = *from + size;
    }
    if (*to > most) {
        *from -= *to - most;
        *to = most;
    }
    if (*from < least) {
        *to += least - *from;
        *from = least;
    }
    if (*to > most)
        *to = most;
}

/* The part of the level that holds all changes; all of it if there are none. */
static lvl_area changed_area(const pair *p, const lvl_scene_change *changes, size_t count)
{
    const lvl_area all = join(shifted(main_area(p->before), p->dx, p->dy), main_area(p->after));
    const int64_t margin = p->drawn ? MARGIN_DRAWN : MARGIN, least = p->drawn ? LEAST_DRAWN : LEAST_SIZE;
    lvl_area area = all;
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        lvl_area c = lvl_area_of(changes[i].rect);
        if (!lvl_area_clip(&c, &all))
            continue;
        area = any ? join(area, c) : c;
        any = true;
    }
    if (!any)
        return all;
    area = (lvl_area){area.left - margin, area.top - margin, area.right + margin, area.bottom + margin};
    widen(&area.left, &area.right, least, all.left, all.right);
    widen(&area.top, &area.bottom, least, all.top, all.bottom);
    return area;
}

/* How the part of the level is shown: enlarged or shrunk by a whole factor, one of which is 1. */
typedef struct zoom {
    uint32_t up, down;
} zoom;

static int64_t zoomed(int64_t px, zoom z)
{
    return px * z.up / z.down;
}

static lvl_rect rect_of(lvl_area area)
{
    return (lvl_rect){(int32_t)area.left, (int32_t)area.top, (int32_t)(area.right - 1),
                      (int32_t)(area.bottom - 1)};
}

/* A scene's part onto the panel; a part that lies beyond the scene stays as the background. */
static lvl_status draw_panel(const lvl_scene *scene, const lvl_render_options *options, const lvl_area *area,
                             zoom z, lvl_canvas *sheet, int64_t x, int64_t y)
{
    lvl_render_options o;
    lvl_image image;
    const lvl_area all = main_area(scene);
    lvl_area part = *area;
    lvl_scene wide = *scene;

    if (!lvl_area_clip(&part, &all))
        return LVL_OK;
    if (scene->has_bounds)
        wide.bounds = rect_of(all);
    lvl_render_options_init(&o);
    o.layers = options->layers;
    o.layer_count = options->layer_count;
    o.no_things = options->no_things;
    o.schematic = options->schematic;
    o.overlays = options->overlays;
    o.region_given = true;
    o.region = rect_of(part);
    o.scale_down = z.down;
    o.scale_up = z.up;
    lvl_status status = lvl_render_image(&wide, &o, &image);
    if (status != LVL_OK)
        return status;
    lvl_canvas_image(sheet, &image, x + zoomed(part.left - area->left, z),
                     y + zoomed(part.top - area->top, z), 0, NULL);
    lvl_image_clear(&image);
    return LVL_OK;
}

static void mark_changes(lvl_canvas *sheet, const lvl_area *panel, const lvl_area *area, zoom z, bool drawn,
                         const lvl_scene_change *changes, size_t count)
{
    static const lvl_ink inks[] = {LVL_INK_ITEM, LVL_INK_DEATH, LVL_INK_TREASURE};

    lvl_canvas_tint(sheet, *panel, LVL_INK_SHADE, 150);
    for (size_t i = 0; i < count; i++) {
        const lvl_ink ink = inks[changes[i].kind];
        const bool pixels = drawn && !changes[i].thing;
        const int64_t least = pixels ? 5 : 3; /* px that can be seen; frames make up for less */
        lvl_area c = lvl_area_of(changes[i].rect);

        c.left = panel->left + zoomed(c.left - area->left, z);
        c.top = panel->top + zoomed(c.top - area->top, z);
        c.right = panel->left + zoomed(c.right - area->left + z.down - 1, z);
        c.bottom = panel->top + zoomed(c.bottom - area->top + z.down - 1, z);
        if (c.right - c.left < least)
            c.right = c.left + least;
        if (c.bottom - c.top < least)
            c.bottom = c.top + least;
        if (!lvl_area_clip(&c, panel))
            continue;
        lvl_canvas_tint(sheet, c, ink, pixels ? 200 : changes[i].thing ? 40 : 90);
        if (!pixels)
            lvl_canvas_frame(sheet, c, ink, changes[i].thing);
    }
}

/* "12 pixels, 1 object", or "3 changes" of cells and objects alike. */
static void count_changes(char *text, size_t size, bool drawn, const lvl_scene_change *changes, size_t count)
{
    uint64_t pixels = 0;
    size_t things = 0;

    for (size_t i = 0; i < count && drawn; i++) {
        const lvl_area c = lvl_area_of(changes[i].rect);
        if (changes[i].thing)
            things++;
        else
            pixels += (uint64_t)(c.right - c.left) * (uint64_t)(c.bottom - c.top);
    }
    if (!drawn)
        snprintf(text, size, "%zu change%s", count, count == 1 ? "" : "s");
    else if (things && !pixels)
        snprintf(text, size, "%zu object%s", things, things == 1 ? "" : "s");
    else if (things)
        snprintf(text, size, "%" PRIu64 " pixel%s, %zu object%s", pixels, pixels == 1 ? "" : "s", things,
                 things == 1 ? "" : "s");
    else
        snprintf(text, size, "%" PRIu64 " pixel%s", pixels, pixels == 1 ? "" : "s");
}

/* Where the panels stand: the first one, and the step from one to the next. */
typedef struct layout {
    int64_t width, height; /* of a panel */
    int64_t step_x, step_y;
    int64_t sheet_w, sheet_h;
} layout;

static layout lay_out(int64_t width, int64_t height)
{
    const bool below = width >= height * 3;
    layout l = {width, height, below ? 0 : width + GAP, below ? height + HEAD + GAP : 0, 0, 0};

    l.sheet_w = GAP * 2 + width + l.step_x * 2;
    l.sheet_h = HEAD + height + l.step_y * 2 + GAP;
    return l;
}

static void caption(lvl_canvas *sheet, const layout *l, int panel, const char *text)
{
    lvl_canvas_text(sheet, GAP + l->step_x * panel, 5 + l->step_y * panel, text, strlen(text), 2,
                    LVL_INK_WHITE);
}

static lvl_status draw_sheet(lvl_canvas *sheet, const layout *l, const pair *p, const lvl_area *area, zoom z,
                             const lvl_scene_change *changes, size_t count, const lvl_render_options *options)
{
    const int64_t x = GAP + l->step_x * 2, y = HEAD + l->step_y * 2;
    const lvl_area panel = {x, y, x + l->width, y + l->height}, before = shifted(*area, -p->dx, -p->dy);
    char text[64];

    lvl_canvas_clear(sheet);
    lvl_canvas_fill(sheet, sheet->area, LVL_INK_BACK);
    for (int i = 0; i < 3; i++) {
        const lvl_status status = draw_panel(i ? p->after : p->before, options, i ? area : &before, z, sheet,
                                             GAP + l->step_x * i, HEAD + l->step_y * i);
        if (status != LVL_OK)
            return status;
    }
    mark_changes(sheet, &panel, area, z, p->drawn, changes, count);
    count_changes(text, sizeof text, p->drawn, changes, count);
    caption(sheet, l, 0, "before");
    caption(sheet, l, 1, "after");
    caption(sheet, l, 2, text);
    return LVL_OK;
}

static lvl_status write_sheet(const lvl_ctx *ctx, const lvl_canvas *sheet, lvl_writer *out)
{
    const uint32_t height = (uint32_t)(sheet->area.bottom - sheet->area.top);
    lvl_image image = {
        .format = LVL_PIXELS_RGBA8, .width = sheet->width, .height = height, .pixels = sheet->pixels};

    return lvl_png_write(ctx, &image, NULL, out);
}

lvl_status lvl_render_diff(const lvl_scene *before, const lvl_scene *after, const lvl_scene_change *changes,
                           size_t change_count, const lvl_render_options *options, lvl_writer *out)
{
    static const lvl_render_options none;
    const lvl_ctx *ctx = after->ctx;
    lvl_scene_change *found = NULL;
    lvl_status status = LVL_OK;
    lvl_image pixels = {0};

    if (!options)
        options = &none;
    if (!changes) {
        status = lvl_scene_compare(before, after, &found, &change_count);
        if (status != LVL_OK)
            return status;
        changes = found;
    }
    const pair p = {before, after, (int64_t)after->zero_x - before->zero_x,
                    (int64_t)after->zero_y - before->zero_y, is_drawn(before) && is_drawn(after)};
    const lvl_area area = changed_area(&p, changes, change_count);
    const uint64_t size = options->size ? options->size : PANEL_SIZE;
    const uint64_t width = (uint64_t)(area.right - area.left), height = (uint64_t)(area.bottom - area.top);
    const uint64_t longest = width > height ? width : height;
    if (width == 0 || height == 0 || longest > INT32_MAX || size > INT32_MAX / 16) {
        status =
            width == 0 || height == 0
                ? LVL_ERR_ARG
                : lvl_refuse_fixed(ctx, "pixels across", longest > INT32_MAX ? INT32_MAX : INT32_MAX / 16,
                                   longest > INT32_MAX ? longest : size);
        goto out;
    }
    const uint64_t enlarged = !p.drawn ? 0 : size < ZOOM_SIZE ? size : ZOOM_SIZE;
    const zoom z = {longest < enlarged ? (uint32_t)(enlarged / longest) : 1,
                    (uint32_t)((longest + size - 1) / size)};
    const layout l = lay_out(zoomed((int64_t)width + z.down - 1, z), zoomed((int64_t)height + z.down - 1, z));
    status = lvl_image_init(&pixels, ctx, LVL_PIXELS_RGBA8, (uint32_t)l.sheet_w, (uint32_t)l.sheet_h, false);
    if (status != LVL_OK)
        goto out;
    lvl_canvas sheet = {.pixels = pixels.pixels,
                        .width = pixels.width,
                        .pen = 1,
                        .area = {0, 0, pixels.width, pixels.height}};
    status = draw_sheet(&sheet, &l, &p, &area, z, changes, change_count, options);
    if (status == LVL_OK)
        status = write_sheet(ctx, &sheet, out);
out:
    lvl_image_clear(&pixels);
    if (found)
        lvl_scene_changes_free(before, found);
    return status;
}
