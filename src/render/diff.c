/*
 * render/diff.c: before, after and changes side by side, or one below the other if they are wide: the part of
 * the level that contains all changes, enlarged if it is small. The third panel is dimmed, with each change
 * framed or, in a drawing, each pixel marked: green for added, red for removed, yellow for changed.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/work.h"
#include "codec/png.h"
#include "render/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PANEL_SIZE = 1024, /* px, unless options say otherwise */
    LEAST_SIZE = 320, /* px of the level shown around a small change */
    LEAST_DRAWN = 96, /* the same for a drawing, which changes by pixels instead of cells */
    MARGIN = 64, /* px of the level around the changes */
    MARGIN_DRAWN = 16, /* the same for a drawing */
    ZOOM_SIZE = 640, /* px to which a smaller part of a drawing is enlarged */
    GAP = 8,
    HEAD = 24 /* px for the captions */
};

/* What is compared: two scenes, and the offset of the first in px of the second. */
typedef struct pair {
    const lvl_scene *before, *after;
    int64_t dx, dy;
    bool drawn; /* compared by pixels */
} pair;

static lvl_area join_areas(lvl_area a, lvl_area b)
{
    return (lvl_area){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                      a.right > b.right ? a.right : b.right, a.bottom > b.bottom ? a.bottom : b.bottom};
}

static lvl_area shift_area(lvl_area area, int64_t dx, int64_t dy)
{
    return (lvl_area){area.left + dx, area.top + dy, area.right + dx, area.bottom + dy};
}

/* The area of a scene: its whole main layer, which may extend beyond the picture of the level. */
static lvl_area main_area(const lvl_scene *scene)
{
    const lvl_scene_layer *main = lvl_scene_main(scene);
    lvl_area area = {0, 0, 0, 0};

    if (main) {
        area.right = (int64_t)main->columns * main->cell_width;
        area.bottom = (int64_t)main->rows * main->cell_height;
    }
    if (scene->has_bounds)
        area = main ? join_areas(area, lvl_area_of(scene->bounds)) : lvl_area_of(scene->bounds);
    return area;
}

/* Widens a side to `size`, around its middle, within least .. most. */
static void widen_side(int64_t *from, int64_t *to, int64_t size, int64_t least, int64_t most)
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

/* The area with a margin that is large enough to recognise the place, within the level. `group`: half the
 * margin, since the part will be enlarged. */
static lvl_area with_margin(const pair *p, lvl_area area, bool group)
{
    const lvl_area all = join_areas(shift_area(main_area(p->before), p->dx, p->dy), main_area(p->after));
    const int64_t margin = (p->drawn ? MARGIN_DRAWN : MARGIN) / (group ? 2 : 1);
    const int64_t least = (p->drawn ? LEAST_DRAWN : LEAST_SIZE) / (group ? 2 : 1);

    area = (lvl_area){area.left - margin, area.top - margin, area.right + margin, area.bottom + margin};
    widen_side(&area.left, &area.right, least, all.left, all.right);
    widen_side(&area.top, &area.bottom, least, all.top, all.bottom);
    return area;
}

/* The part of the level that contains all changes; the whole level if there are none. */
static lvl_area changed_area(const pair *p, const lvl_scene_change *changes, size_t count)
{
    const lvl_area all = join_areas(shift_area(main_area(p->before), p->dx, p->dy), main_area(p->after));
    lvl_area area = all;
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        lvl_area c = lvl_area_of(changes[i].rect);
        if (!lvl_area_clip(&c, &all))
            continue;
        area = any ? join_areas(area, c) : c;
        any = true;
    }
    return any ? with_margin(p, area, false) : all;
}

/* The integer factors by which the part of the level is enlarged and shrunk; one of them is 1. */
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

/* Draws a part of a scene on the panel; outside the scene, the background remains. */
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
        const int64_t least = pixels ? 5 : 3; /* px that are still visible; smaller changes get a frame */
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

/* "12 pixels, 1 object" for a drawn layer, "28 cells, 1 object" for others; `others`: changed cells in other
 * layers. */
static void count_changes(char *text, size_t size, const pair *p, const lvl_scene_change *changes,
                          size_t count, uint64_t others)
{
    const lvl_scene_layer *main = lvl_scene_main(p->after);
    const uint64_t of_cell = p->drawn || !main ? 1 : (uint64_t)main->cell_width * main->cell_height;
    const char *unit = p->drawn || !main ? "pixel" : "cell";
    uint64_t pixels = 0;
    size_t things = 0;

    for (size_t i = 0; i < count; i++) {
        const lvl_area c = lvl_area_of(changes[i].rect);
        if (changes[i].thing)
            things++;
        else
            pixels += (uint64_t)(c.right - c.left) * (uint64_t)(c.bottom - c.top);
    }
    const uint64_t n = (pixels + of_cell - 1) / of_cell;
    int at = 0;
    snprintf(text, size, "%s", count || others ? "" : "no change in this picture");
    if (n)
        at += snprintf(text, size, "%" PRIu64 " %s%s", n, unit, n == 1 ? "" : "s");
    if (things)
        at += snprintf(text + at, size - (size_t)at, "%s%zu object%s", at ? ", " : "", things,
                       things == 1 ? "" : "s");
    if (others)
        snprintf(text + at, size - (size_t)at, "%s%" PRIu64 " cell%s of other layers", at ? ", " : "", others,
                 others == 1 ? "" : "s");
}

/* The position of the first panel, and the step from one to the next. */
typedef struct layout {
    int64_t width, height; /* size of a panel */
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

static void put_caption(lvl_canvas *sheet, const layout *l, int panel, const char *text)
{
    lvl_canvas_text(sheet, GAP + l->step_x * panel, 5 + l->step_y * panel, text, strlen(text), 2,
                    LVL_INK_WHITE);
}

static pair pair_of(const lvl_scene *before, const lvl_scene *after)
{
    const lvl_scene_layer *a = lvl_scene_main(before), *b = lvl_scene_main(after);

    return (pair){before, after, (int64_t)after->zero_x - before->zero_x,
                  (int64_t)after->zero_y - before->zero_y, a && b && a->drawn && b->drawn};
}

/* ---- groups of changes ------------------------------------------------------------------------------- */

enum { GRID = 48, LEAST_STEP = 16, LEAST_STEP_DRAWN = 4 };

/* A coarse grid over the changed area, and which of its cells contain changes. */
typedef struct grid {
    lvl_area area;
    int64_t step; /* px per cell */
    int32_t sums[(GRID + 1) * (GRID + 1)]; /* differences, then numbers of changes */
    uint16_t stack[GRID * GRID];
} grid;

static int32_t *cell_of(grid *g, int64_t x, int64_t y)
{
    return &g->sums[y * (GRID + 1) + x];
}

static void count_in_cells(grid *g, const lvl_scene_change *changes, size_t count)
{
    memset(g->sums, 0, sizeof g->sums);
    for (size_t i = 0; i < count; i++) {
        lvl_area c = lvl_area_of(changes[i].rect);
        if (!lvl_area_clip(&c, &g->area))
            continue;
        const int64_t x0 = (c.left - g->area.left) / g->step, y0 = (c.top - g->area.top) / g->step;
        const int64_t x1 = (c.right - 1 - g->area.left) / g->step + 1,
                      y1 = (c.bottom - 1 - g->area.top) / g->step + 1;
        ++*cell_of(g, x0, y0);
        --*cell_of(g, x1, y0);
        --*cell_of(g, x0, y1);
        ++*cell_of(g, x1, y1);
    }
    for (int64_t y = 0; y <= GRID; y++) {
        for (int64_t x = 0; x <= GRID; x++)
            *cell_of(g, x, y) += (x ? *cell_of(g, x - 1, y) : 0) + (y ? *cell_of(g, x, y - 1) : 0) -
                                 (x && y ? *cell_of(g, x - 1, y - 1) : 0);
    }
}

/* Empties a cell and all non-empty cells connected to it; returns their area. */
static lvl_area take_group(grid *g, int64_t x, int64_t y)
{
    lvl_area cells = {x, y, x + 1, y + 1};
    size_t depth = 0;

    g->stack[depth++] = (uint16_t)(y * GRID + x);
    *cell_of(g, x, y) = 0;
    while (depth) {
        const int64_t at = g->stack[--depth], cx = at % GRID, cy = at / GRID;
        cells = join_areas(cells, (lvl_area){cx, cy, cx + 1, cy + 1});
        for (int64_t ny = cy ? cy - 1 : 0; ny <= cy + 1 && ny < GRID; ny++) {
            for (int64_t nx = cx ? cx - 1 : 0; nx <= cx + 1 && nx < GRID; nx++) {
                if (!*cell_of(g, nx, ny))
                    continue;
                *cell_of(g, nx, ny) = 0;
                g->stack[depth++] = (uint16_t)(ny * GRID + nx);
            }
        }
    }
    return (lvl_area){g->area.left + cells.left * g->step, g->area.top + cells.top * g->step,
                      g->area.left + cells.right * g->step, g->area.top + cells.bottom * g->step};
}

lvl_status lvl_render_diff_areas(const lvl_scene *before, const lvl_scene *after,
                                 const lvl_scene_change *changes, size_t change_count, lvl_rect *areas,
                                 size_t most, size_t *count)
{
    const pair p = pair_of(before, after);
    const lvl_area whole = changed_area(&p, changes, change_count);
    const int64_t width = whole.right - whole.left, height = whole.bottom - whole.top;
    const int64_t longest = width > height ? width : height;
    const int64_t least = p.drawn ? LEAST_STEP_DRAWN : LEAST_STEP, step = (longest + GRID - 1) / GRID;

    *count = 0;
    if (!most || longest <= 0 || longest > INT32_MAX)
        return LVL_OK;
    grid *g = lvl_mem_alloc(after->ctx, sizeof *g);
    if (!g)
        return LVL_ERR_MEMORY;
    areas[(*count)++] = rect_of(whole);
    g->area = whole;
    g->step = step > least ? step : least;
    count_in_cells(g, changes, change_count);
    for (int64_t y = 0; y < GRID && *count < most; y++) {
        for (int64_t x = 0; x < GRID && *count < most; x++) {
            if (*cell_of(g, x, y))
                areas[(*count)++] = rect_of(with_margin(&p, take_group(g, x, y), true));
        }
    }
    lvl_mem_free(after->ctx, g);
    return LVL_OK;
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* The integer factor by which a part is enlarged or shrunk. */
static zoom zoom_of(uint64_t longest, uint64_t size, bool drawn, uint32_t most)
{
    const uint64_t enlarged = most ? size : !drawn ? 0 : size < ZOOM_SIZE ? size : ZOOM_SIZE;
    zoom z = {longest < enlarged ? (uint32_t)(enlarged / longest) : 1,
              (uint32_t)((longest + size - 1) / size)};

    if (most && z.up > most)
        z.up = most;
    return z;
}

lvl_status lvl_render_diff_part(const lvl_scene *before, const lvl_scene *after,
                                const lvl_scene_change *changes, size_t change_count, const lvl_rect *area,
                                const lvl_render_options *options, lvl_diff_part *out)
{
    static const lvl_render_options none;
    const pair p = pair_of(before, after);
    const lvl_area part = area ? lvl_area_of(*area) : changed_area(&p, changes, change_count);
    lvl_image *const images[] = {&out->before, &out->after, &out->marked};

    memset(out, 0, sizeof *out);
    options = options ? options : &none;
    const uint64_t size = options->size ? options->size : PANEL_SIZE;
    if (part.right <= part.left || part.bottom <= part.top)
        return LVL_ERR_ARG;
    const uint64_t width = (uint64_t)(part.right - part.left), height = (uint64_t)(part.bottom - part.top);
    const uint64_t longest = width > height ? width : height;
    if (longest > INT32_MAX || size > INT32_MAX / 16)
        return lvl_refuse_fixed(after->ctx, "pixels across", longest > INT32_MAX ? INT32_MAX : INT32_MAX / 16,
                                longest > INT32_MAX ? longest : size);
    const zoom z = zoom_of(longest, size, p.drawn, options->scale_up);
    const int64_t w = zoomed((int64_t)width + z.down - 1, z), h = zoomed((int64_t)height + z.down - 1, z);
    const lvl_area from = shift_area(part, -p.dx, -p.dy);
    lvl_status status = LVL_OK;
    for (int i = 0; i < 3 && status == LVL_OK; i++) {
        status = lvl_image_init(images[i], after->ctx, LVL_PIXELS_RGBA8, (uint32_t)w, (uint32_t)h, false);
        lvl_canvas canvas = {
            .pixels = images[i]->pixels, .width = (uint32_t)w, .pen = 1, .area = {0, 0, w, h}};
        if (status != LVL_OK)
            break;
        lvl_canvas_clear(&canvas);
        lvl_canvas_fill(&canvas, canvas.area, LVL_INK_BACK);
        if (i == 2)
            lvl_canvas_image(&canvas, &out->after, 0, 0, 0, NULL);
        else
            status = draw_panel(i ? after : before, options, i ? &part : &from, z, &canvas, 0, 0);
        if (i == 2)
            mark_changes(&canvas, &canvas.area, &part, z, p.drawn, changes, change_count);
    }
    out->area = rect_of(part);
    out->scale_up = z.up;
    out->scale_down = z.down;
    if (status != LVL_OK)
        lvl_diff_part_clear(out);
    return status;
}

void lvl_diff_part_clear(lvl_diff_part *part)
{
    lvl_image_clear(&part->before);
    lvl_image_clear(&part->after);
    lvl_image_clear(&part->marked);
}

/* Combines the three pictures on one sheet. */
static lvl_status put_together(const lvl_ctx *ctx, const lvl_diff_part *part, const char *const captions[3],
                               lvl_writer *out)
{
    const layout l = lay_out(part->after.width, part->after.height);
    const lvl_image *const images[] = {&part->before, &part->after, &part->marked};
    lvl_image pixels = {0};

    lvl_status status =
        lvl_image_init(&pixels, ctx, LVL_PIXELS_RGBA8, (uint32_t)l.sheet_w, (uint32_t)l.sheet_h, false);
    if (status != LVL_OK)
        return status;
    lvl_canvas sheet = {.pixels = pixels.pixels,
                        .width = pixels.width,
                        .pen = 1,
                        .area = {0, 0, pixels.width, pixels.height}};
    lvl_canvas_clear(&sheet);
    lvl_canvas_fill(&sheet, sheet.area, LVL_INK_BACK);
    for (int i = 0; i < 3; i++) {
        lvl_canvas_image(&sheet, images[i], GAP + l.step_x * i, HEAD + l.step_y * i, 0, NULL);
        put_caption(&sheet, &l, i, captions[i]);
    }
    status = lvl_png_write(ctx, &pixels, NULL, out);
    lvl_image_clear(&pixels);
    return status;
}

lvl_status lvl_render_diff(const lvl_scene *before, const lvl_scene *after, const lvl_scene_change *changes,
                           size_t change_count, const lvl_render_options *options, lvl_writer *out)
{
    const pair p = pair_of(before, after);
    lvl_scene_change *found = NULL;
    lvl_status status = LVL_OK;
    lvl_diff_part part;
    uint64_t others = 0;
    char text[120];

    if (!changes) {
        status = lvl_scene_compare(before, after, &found, &change_count);
        if (status != LVL_OK)
            return status;
        changes = found;
    }
    status = lvl_scene_compare_others(before, after, &others);
    if (status == LVL_OK)
        status = lvl_render_diff_part(before, after, changes, change_count, NULL, options, &part);
    if (status == LVL_OK) {
        const char *const *named = options ? options->captions : NULL;
        count_changes(text, sizeof text, &p, changes, change_count, others);
        const char *const captions[] = {named && named[0] ? named[0] : "before",
                                        named && named[1] ? named[1] : "after",
                                        named && named[2] ? named[2] : text};
        status = put_together(after->ctx, &part, captions, out);
        lvl_diff_part_clear(&part);
    }
    if (found)
        lvl_scene_changes_free(before, found);
    return status;
}
