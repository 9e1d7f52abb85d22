/*
 * render/diff.c: before, after and what changed, side by side (one below the other where they are wide): the
 * part of the level that holds all changes, the third panel dimmed with each change framed: green for what
 * came, red for what went, yellow for what became something else.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "codec/png.h"

#include <stdio.h>
#include <string.h>

enum {
    PANEL_SIZE = 1024, /* px, unless options say otherwise */
    LEAST_SIZE = 320,  /* px of the level shown around a small change */
    MARGIN = 64,       /* px of the level around the changes */
    GAP = 8,
    HEAD = 24 /* for the captions */
};

static lvl_area main_area(const lvl_scene *scene)
{
    lvl_area area = {0, 0, 0, 0};

    if (scene->main_layer < scene->layer_count) {
        const lvl_scene_layer *l = &scene->layers[scene->main_layer];
        area.right = (int64_t)l->columns * l->cell_width;
        area.bottom = (int64_t)l->rows * l->cell_height;
    } else if (scene->has_bounds) {
        area = lvl_area_of(scene->bounds);
    }
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
static lvl_area changed_area(const lvl_scene *before, const lvl_scene *after, const lvl_scene_change *changes,
                             size_t count)
{
    const lvl_area a = main_area(before), b = main_area(after);
    const lvl_area all = {a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                          a.right > b.right ? a.right : b.right, a.bottom > b.bottom ? a.bottom : b.bottom};
    lvl_area area = {all.right, all.bottom, all.left, all.top};
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        lvl_area c = lvl_area_of(changes[i].rect);
        if (!lvl_area_clip(&c, &all))
            continue;
        any = true;
        area.left = c.left < area.left ? c.left : area.left;
        area.top = c.top < area.top ? c.top : area.top;
        area.right = c.right > area.right ? c.right : area.right;
        area.bottom = c.bottom > area.bottom ? c.bottom : area.bottom;
    }
    if (!any)
        return all;
    area = (lvl_area){area.left - MARGIN, area.top - MARGIN, area.right + MARGIN, area.bottom + MARGIN};
    widen(&area.left, &area.right, LEAST_SIZE, all.left, all.right);
    widen(&area.top, &area.bottom, LEAST_SIZE, all.top, all.bottom);
    return area;
}

/* A scene's part onto the panel; a part that lies beyond the scene stays as the background. */
static lvl_status draw_panel(const lvl_scene *scene, const lvl_render_options *options, const lvl_area *area,
                             uint32_t down, lvl_canvas *sheet, int64_t x, int64_t y)
{
    lvl_render_options o;
    lvl_image image;
    const lvl_area all = main_area(scene);
    lvl_area part = *area;

    if (!lvl_area_clip(&part, &all))
        return LVL_OK;
    lvl_render_options_init(&o);
    o.layers = options->layers;
    o.layer_count = options->layer_count;
    o.no_things = options->no_things;
    o.schematic = options->schematic;
    o.overlays = options->overlays;
    o.region_given = true;
    o.region = (lvl_rect){(int32_t)part.left, (int32_t)part.top, (int32_t)(part.right - 1),
                          (int32_t)(part.bottom - 1)};
    o.scale_down = down;
    lvl_status status = lvl_render_image(scene, &o, &image);
    if (status != LVL_OK)
        return status;
    lvl_canvas_image(sheet, &image, x + (part.left - area->left) / down, y + (part.top - area->top) / down, 0,
                     NULL);
    lvl_image_clear(&image);
    return LVL_OK;
}

static void mark_changes(lvl_canvas *sheet, const lvl_area *panel, const lvl_area *area, uint32_t down,
                         const lvl_scene_change *changes, size_t count)
{
    static const lvl_ink inks[] = {LVL_INK_ITEM, LVL_INK_DEATH, LVL_INK_TREASURE};

    lvl_canvas_tint(sheet, *panel, LVL_INK_SHADE, 150);
    for (size_t i = 0; i < count; i++) {
        const lvl_ink ink = inks[changes[i].kind];
        lvl_area c = lvl_area_of(changes[i].rect);

        c.left = panel->left + (c.left - area->left) / down;
        c.top = panel->top + (c.top - area->top) / down;
        c.right = panel->left + (c.right - area->left + down - 1) / down;
        c.bottom = panel->top + (c.bottom - area->top + down - 1) / down;
        if (c.right - c.left < 3)
            c.right = c.left + 3;
        if (c.bottom - c.top < 3)
            c.bottom = c.top + 3;
        if (!lvl_area_clip(&c, panel))
            continue;
        lvl_canvas_tint(sheet, c, ink, changes[i].thing ? 40 : 90);
        lvl_canvas_frame(sheet, c, ink, changes[i].thing);
    }
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

static lvl_status draw_sheet(lvl_canvas *sheet, const layout *l, const lvl_scene *before,
                             const lvl_scene *after, const lvl_area *area, uint32_t down,
                             const lvl_scene_change *changes, size_t count, const lvl_render_options *options)
{
    const int64_t x = GAP + l->step_x * 2, y = HEAD + l->step_y * 2;
    const lvl_area panel = {x, y, x + l->width, y + l->height};
    char text[64];

    lvl_canvas_clear(sheet);
    lvl_canvas_fill(sheet, sheet->area, LVL_INK_BACK);
    for (int i = 0; i < 3; i++) {
        const lvl_status status = draw_panel(i ? after : before, options, area, down, sheet,
                                             GAP + l->step_x * i, HEAD + l->step_y * i);
        if (status != LVL_OK)
            return status;
    }
    mark_changes(sheet, &panel, area, down, changes, count);
    snprintf(text, sizeof text, "%zu change%s", count, count == 1 ? "" : "s");
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
    const lvl_area area = changed_area(before, after, changes, change_count);
    const uint64_t size = options->size ? options->size : PANEL_SIZE;
    const uint64_t width = (uint64_t)(area.right - area.left), height = (uint64_t)(area.bottom - area.top);
    const uint64_t longest = width > height ? width : height;
    if (width == 0 || height == 0 || longest > INT32_MAX || size > INT32_MAX / 16) {
        status = width == 0 || height == 0 ? LVL_ERR_ARG : LVL_ERR_LIMIT;
        goto out;
    }
    const uint32_t down = (uint32_t)((longest + size - 1) / size);
    const layout l = lay_out((int64_t)((width + down - 1) / down), (int64_t)((height + down - 1) / down));
    status = lvl_image_init(&pixels, ctx, LVL_PIXELS_RGBA8, (uint32_t)l.sheet_w, (uint32_t)l.sheet_h, false);
    if (status != LVL_OK)
        goto out;
    lvl_canvas sheet = {.pixels = pixels.pixels,
                        .width = pixels.width,
                        .pen = 1,
                        .area = {0, 0, pixels.width, pixels.height}};
    status = draw_sheet(&sheet, &l, before, after, &area, down, changes, change_count, options);
    if (status == LVL_OK)
        status = write_sheet(ctx, &sheet, out);
out:
    lvl_image_clear(&pixels);
    if (found)
        lvl_scene_changes_free(before, found);
    return status;
}
