/*
 * render/convert_scene.c: converts a level to another family: draws its scene, each pixel with the class of
 * its cell, from which the target format makes a level. Nothing here is specific to a family.
 *
 * The scene is drawn twice, in bands: first to count and reduce the colours, then to pass on each pixel as an
 * index. So there is never a picture of the whole level in memory.
 */
#include "base/arena.h"
#include "base/format.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/colors.h"
#include "scene/scene.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

enum {
    EDGE = 4, /* px: thickness of a floor that can only be stood on from above */
    LABEL = 100, /* bytes of a name in a message */
    NO_COLOR = LVL_LEVEL_NOTHING
};

typedef struct drawing {
    lvl_level_picture picture;
    lvl_rows rows;
    lvl_render_options options;
    const lvl_scene_layer *layer;
    lvl_used_colors colors;
    lvl_scene_tile *tiles; /* tiles of the current row of cells, except empty cells */
    uint32_t *values;
    uint32_t row; /* current row of cells; UINT32_MAX: none yet */
    uint32_t y; /* px of the picture */
    uint8_t *edges; /* for each column of px: how much of a floor's edge remains to be drawn */
    uint16_t *out;
    lvl_palette palette; /* palette of rows of indices */
    uint32_t channels;
    int32_t left, top; /* main layer px at the picture's corner */
    bool counting, clear_shows;
    uint64_t class_cells[LVL_LOOK_COUNT]; /* number of cells of each class */
    lvl_status (*take)(void *user, uint32_t y, const uint16_t *indices);
    void *user;
} drawing;

/* ---- classes ----------------------------------------------------------------------------------------- */

/* The class at a px of the main layer. */
static lvl_tile_class look_at(const lvl_scene_layer *layer, int64_t x, int64_t y)
{
    const int64_t column = x / layer->cell_width, row = y / layer->cell_height;
    lvl_scene_tile tile;
    uint32_t value;

    if (x < 0 || y < 0 || column >= layer->columns || row >= layer->rows)
        return LVL_LOOK_NONE;
    layer->cells(layer, (uint32_t)column, (uint32_t)row, 1, &value);
    layer->tile(layer, value, &tile);
    return lvl_tile_class_at(layer, &tile, (uint32_t)(x % layer->cell_width),
                             (uint32_t)(y % layer->cell_height));
}

/* The corresponding class in other families; passable if there is none. */
static lvl_tile_class common_look(lvl_tile_class look)
{
    switch (look) {
    case LVL_LOOK_LOW:
    case LVL_LOOK_SOLID: return LVL_LOOK_SOLID;
    case LVL_LOOK_GROUND:
    case LVL_LOOK_DEATH:
    case LVL_LOOK_WATER: return look;
    default: return LVL_LOOK_CLEAR;
    }
}

static bool look_blocks(lvl_tile_class look)
{
    look = common_look(look);
    return look == LVL_LOOK_SOLID || look == LVL_LOOK_GROUND;
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

/* Fetches the tiles of a row of cells. */
static void fetch_row(drawing *d, uint32_t row)
{
    const lvl_scene_layer *layer = d->layer;

    if (row == d->row)
        return;
    d->row = row;
    layer->cells(layer, 0, row, layer->columns, d->values);
    for (uint32_t i = 0; i < layer->columns; i++) {
        if (i && d->values[i] == d->values[i - 1] && !layer->fresh)
            d->tiles[i] = d->tiles[i - 1];
        else
            layer->tile(layer, d->values[i], &d->tiles[i]);
        if (!d->counting || d->tiles[i].empty)
            continue;
        d->class_cells[d->tiles[i].look]++;
        if (d->tiles[i].has_inner && d->tiles[i].inner_look != d->tiles[i].look)
            d->class_cells[d->tiles[i].inner_look]++;
    }
}

/* The class of the px at column x, y of the picture. */
static lvl_tile_class px_look(const drawing *d, uint32_t x, uint32_t y)
{
    const uint32_t down = d->picture.scale_down;
    const int64_t at = (int64_t)x * down + down / 2 + d->left;
    const lvl_scene_layer *layer = d->layer;

    if (at < 0 || y == UINT32_MAX)
        return LVL_LOOK_NONE;
    const uint64_t column = (uint64_t)at / layer->cell_width;
    if (column >= layer->columns)
        return LVL_LOOK_NONE;
    return lvl_tile_class_at(layer, &d->tiles[column], (uint32_t)((uint64_t)at % layer->cell_width), y);
}

/* The colour of a px, with its class in the highest byte; false: the px is empty. */
static bool px_color(drawing *d, const uint8_t *p, lvl_tile_class look, uint8_t *edge, uint32_t *out)
{
    const uint8_t *rgb = d->channels == 1 ? d->palette.rgb[*p] : p;
    const bool drawn = (d->channels != 4 || p[3] >= 128) &&
                       (d->clear_shows || (look != LVL_LOOK_NONE && look != LVL_LOOK_CLEAR));

    look = common_look(look);
    if (look != LVL_LOOK_GROUND)
        *edge = EDGE;
    else if (!*edge)
        look = LVL_LOOK_CLEAR; /* only its upper edge is solid; the rest is passable */
    else if (drawn)
        --*edge;
    *out = (uint32_t)rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16 | (uint32_t)look << 24;
    return drawn;
}

static lvl_status begin(lvl_rows *rows, const lvl_picture *picture)
{
    drawing *d = (drawing *)(void *)((char *)rows - offsetof(drawing, rows));

    d->channels = picture->channels;
    if (picture->palette)
        d->palette = *picture->palette;
    d->y = 0;
    d->row = UINT32_MAX;
    memset(d->edges, EDGE, d->picture.width);
    return picture->width == d->picture.width && picture->height == d->picture.height ? LVL_OK : LVL_ERR_ARG;
}

static lvl_status take_row(drawing *d, const uint8_t *pixels)
{
    const uint32_t down = d->picture.scale_down;
    const int64_t at = (int64_t)d->y * down + down / 2 + d->top;
    const bool inside = at >= 0 && (uint64_t)at / d->layer->cell_height < d->layer->rows;
    const uint32_t in_cell = inside ? (uint32_t)((uint64_t)at % d->layer->cell_height) : UINT32_MAX;
    const lvl_used_color *found = NULL;
    lvl_status status = LVL_OK;
    uint32_t color;

    if (inside)
        fetch_row(d, (uint32_t)((uint64_t)at / d->layer->cell_height));
    for (uint32_t x = 0; x < d->picture.width && status == LVL_OK; x++, pixels += d->channels) {
        const bool drawn = px_color(d, pixels, px_look(d, x, in_cell), &d->edges[x], &color);
        if (d->counting) {
            status = drawn ? lvl_used_colors_add(&d->colors, color) : LVL_OK;
        } else {
            if (drawn && (!found || found->rgba != color))
                found = lvl_used_colors_find(&d->colors, color);
            d->out[x] = drawn && found ? found->index : NO_COLOR;
        }
    }
    if (status == LVL_OK && !d->counting)
        status = d->take(d->user, d->y, d->out);
    d->y++;
    return status;
}

static lvl_status take_rows(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    drawing *d = (drawing *)(void *)((char *)rows - offsetof(drawing, rows));
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = take_row(d, pixels + (size_t)i * d->picture.width * d->channels);
    return status;
}

static lvl_status end(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

/* Implements lvl_level_picture.rows. */
static lvl_status draw_indices(lvl_level_picture *picture,
                               lvl_status (*take)(void *user, uint32_t y, const uint16_t *indices),
                               void *user)
{
    drawing *d = (drawing *)(void *)((char *)picture - offsetof(drawing, picture));

    d->take = take;
    d->user = user;
    return lvl_render(picture->scene, &d->options, &d->rows);
}

/* Reduces the colours to a palette; each class gets a share in proportion to its number of colours. */
static lvl_status make_palette(drawing *d)
{
    uint32_t values[LVL_LEVEL_COLORS], left = LVL_LEVEL_COLORS, rest = d->colors.count, first = 0;
    uint32_t classes = 0, seen[LVL_LOOK_COUNT] = {0};
    lvl_used_color *list = d->colors.list;

    for (uint32_t i = 0; i < rest; i++)
        classes += !seen[list[i].rgba >> 24]++;
    for (uint32_t look = 0; look < LVL_LOOK_COUNT; look++) {
        uint32_t n = first;
        if (!seen[look])
            continue;
        for (uint32_t i = first; i < d->colors.count; i++) {
            if (list[i].rgba >> 24 != look)
                continue;
            const lvl_used_color other = list[n];
            list[n++] = list[i];
            list[i] = other;
        }
        n -= first;
        uint32_t share = rest <= left ? n : (uint32_t)((uint64_t)left * n / rest);
        share = share < 1 ? 1 : share > left - (classes - 1) ? left - (classes - 1) : share;
        const uint32_t made =
            lvl_used_colors_cut(list + first, n, share, (uint16_t)d->picture.color_count, values);
        for (uint32_t i = 0; i < made; i++)
            d->picture.colors[d->picture.color_count++] =
                (lvl_level_color){{(uint8_t)values[i], (uint8_t)(values[i] >> 8), (uint8_t)(values[i] >> 16)},
                                  (lvl_tile_class)look};
        first += n;
        rest -= n;
        left -= made;
        classes--;
    }
    return lvl_used_colors_sorted(&d->colors);
}

/* ---- things ------------------------------------------------------------------------------------------ */

/* What happens to a thing. */
typedef enum outcome { LEFT_OUT, DRAWN, INSIDE, OUTSIDE } outcome;

/* Things with the same label and outcome are reported in one finding. */
typedef struct lost {
    lvl_text label;
    outcome outcome;
    uint32_t index; /* index of the thing */
} lost;

static int by_label(const void *a, const void *b)
{
    const lost *x = a, *y = b;
    const int order = lvl_text_compare(x->label, y->label);

    return order                      ? order
           : x->outcome != y->outcome ? (x->outcome < y->outcome ? -1 : 1)
                                      : (x->index > y->index) - (x->index < y->index);
}

static void report_things(const lvl_scene *scene, lost *list, uint32_t count, lvl_findings *losses)
{
    static const char *const texts[][2] = {
        [LEFT_OUT] = {"it has no counterpart", "they have no counterpart"},
        [DRAWN] = {"it is drawn, but does nothing", "they are drawn, but do nothing"},
        [INSIDE] = {"a way to another place in the level has no counterpart",
                    "ways to other places in the level have no counterpart"},
        [OUTSIDE] = {"where it leads to is lost: it ends the level",
                     "where they lead to is lost: they end the level"}};
    char name[LABEL];
    uint32_t n;

    qsort(list, count, sizeof *list, by_label);
    for (uint32_t i = 0; i < count; i += n) {
        const lvl_scene_thing *thing = &scene->things[list[i].index];
        lvl_where path;
        const lvl_where *where = lvl_scene_thing_where(thing, &path) ? &path : NULL;
        for (n = 1; i + n < count && lvl_text_equal(list[i + n].label, list[i].label) &&
                    list[i + n].outcome == list[i].outcome;)
            n++;
        lvl_text_show(name, sizeof name, scene->codepage, list[i].label);
        if (n == 1)
            lvl_findings_add(losses, &lvl_doc_counterpart, where, NULL, "%s: %s", name,
                             texts[list[i].outcome][0]);
        else
            lvl_findings_add(losses, &lvl_doc_counterpart, where, NULL, "%s, %lu times: %s", name,
                             (unsigned long)n, texts[list[i].outcome][1]);
    }
}

/* The rectangle of a thing, or its point. */
static lvl_rect place_of(const lvl_scene_thing *thing)
{
    lvl_rect rect = {thing->x, thing->y, thing->x, thing->y};

    if (thing->kind != LVL_THING_START)
        lvl_scene_thing_place(thing, &rect);
    return rect;
}

/* Whether an arrow begins there, so that the thing leads to a place in the level. */
static bool leads_inside(const lvl_scene *scene, const lvl_rect *rect)
{
    for (uint32_t i = 0; i < scene->link_count; i++) {
        const lvl_scene_link *link = &scene->links[i];
        if (link->x0 >= rect->left && link->x0 <= rect->right && link->y0 >= rect->top &&
            link->y0 <= rect->bottom)
            return true;
    }
    return false;
}

/* Adds a mark at main layer px x, y or, in a level seen from the side, on the floor below. */
static void add_mark(drawing *d, lvl_thing_kind kind, int64_t x, int64_t y)
{
    const lvl_scene *scene = d->picture.scene;
    const int64_t down = d->picture.scale_down, tall = scene->player_height ? scene->player_height : 64;
    lvl_level_mark *mark = &d->picture.marks[d->picture.mark_count++];

    if (!scene->from_above) {
        int64_t floor = y;
        while (floor < y + 2 * tall && !look_blocks(look_at(d->layer, x, floor)))
            floor++;
        y = floor < y + 2 * tall && floor > y ? floor : y + tall / 2;
    }
    *mark = (lvl_level_mark){kind, (x - d->left) / down, (y - d->top) / down};
}

/* Whether the cell and the cells around it are passable. */
static bool is_free(const drawing *d, int64_t column, int64_t row)
{
    const lvl_scene_layer *layer = d->layer;

    for (int64_t y = row - 1; y <= row + 1; y++) {
        for (int64_t x = column - 1; x <= column + 1; x++) {
            const lvl_tile_class look = look_at(layer, x * layer->cell_width + layer->cell_width / 2,
                                                y * layer->cell_height + layer->cell_height / 2);
            if (look != LVL_LOOK_NONE ? common_look(look) != LVL_LOOK_CLEAR
                                      : x < 0 || y < 0 || x >= layer->columns || y >= layer->rows)
                return false;
        }
    }
    return true;
}

/* Whether something solid is below main layer px x, y. Always true in a level seen from above, where nothing
 * falls. */
static bool has_ground(const drawing *d, int64_t x, int64_t y)
{
    const lvl_scene_layer *layer = d->layer;
    const int64_t step = layer->cell_height > 8 ? layer->cell_height / 8 : 1;
    const int64_t end = (int64_t)layer->rows * layer->cell_height;

    if (d->picture.scene->from_above)
        return true;
    for (y = y < 0 ? 0 : y; y < end; y += step) {
        if (look_blocks(look_at(layer, x, y)))
            return true;
    }
    return false;
}

/* Where players enter a level without a start: the exit nearest to the camera's start or, without exits, that
 * start. Returns whether it is an exit. */
static bool find_entrance(const drawing *d, int64_t *x, int64_t *y)
{
    const lvl_scene *scene = d->picture.scene;
    double best = -1;

    *x = scene->start_x;
    *y = scene->start_y;
    for (uint32_t i = 0; i < scene->thing_count; i++) {
        const lvl_rect rect = place_of(&scene->things[i]);
        const double mx = ((double)rect.left + rect.right) / 2, my = ((double)rect.top + rect.bottom) / 2;
        const double far =
            (mx - scene->start_x) * (mx - scene->start_x) + (my - scene->start_y) * (my - scene->start_y);
        if (scene->things[i].kind != LVL_THING_WARP || leads_inside(scene, &rect) ||
            (best >= 0 && far >= best))
            continue;
        best = far;
        *x = (int64_t)mx;
        *y = (int64_t)my;
    }
    return best >= 0;
}

/* Adds a start to a level without one: in the free cell with ground below that is nearest to the entrance. */
static void make_start(drawing *d, lvl_findings *losses)
{
    enum { FAR = 64, NEAR = 8 }; /* cells */
    const int64_t width = d->layer->cell_width, height = d->layer->cell_height;
    int64_t best = INT64_MAX, at_x, at_y;

    /* from an exit, so far that the player does not leave again at once */
    const int64_t least = find_entrance(d, &at_x, &at_y) ? NEAR * NEAR : 0;
    const int64_t column = at_x / width, row = at_y / height;
    int64_t x = column, y = row;
    for (int64_t dy = -FAR; dy <= FAR; dy++) {
        for (int64_t dx = -FAR; dx <= FAR; dx++) {
            if (dx * dx + dy * dy >= least && dx * dx + dy * dy < best && is_free(d, column + dx, row + dy) &&
                has_ground(d, (column + dx) * width + width / 2, (row + dy + 1) * height)) {
                best = dx * dx + dy * dy;
                x = column + dx;
                y = row + dy;
            }
        }
    }
    const int64_t left = x * width, top = y * height;
    add_mark(d, LVL_THING_START, left + width / 2, top + height / 2);
    lvl_findings_add(losses, &lvl_doc_counterpart, NULL, NULL,
                     "the level has no start: it is put at %lld,%lld", (long long)left, (long long)top);
}

/* Adds an exit to a level without one: at its boss, whose defeat ends such a level. */
static void make_exit(drawing *d, lvl_findings *losses)
{
    const lvl_scene *scene = d->picture.scene;

    for (uint32_t i = 0; i < scene->thing_count; i++) {
        const lvl_scene_thing *thing = &scene->things[i];
        if (thing->kind != LVL_THING_BOSS)
            continue;
        add_mark(d, LVL_THING_EXIT, thing->x, thing->y);
        lvl_findings_add(losses, &lvl_doc_counterpart, NULL, NULL,
                         "the level ends with its boss: an exit is at %ld,%ld instead", (long)thing->x,
                         (long)thing->y);
        return;
    }
    lvl_findings_add(losses, &lvl_doc_counterpart, NULL, NULL,
                     "the level has no exit, so that nobody can finish it: add an exit flag");
}

/* Draws scenery, turns starts and exits into marks, and leaves out other things. False: nothing of the thing
 * is lost. */
static bool sort_thing(drawing *d, lvl_scene_thing *thing, outcome *out)
{
    const lvl_scene *scene = d->picture.scene;
    const lvl_rect rect = place_of(thing);
    const int64_t x = ((int64_t)rect.left + rect.right + 1) / 2;
    const int64_t y = ((int64_t)rect.top + rect.bottom + 1) / 2;
    const bool dropped = thing->flags & LVL_THING_DROPPED;

    *out = LEFT_OUT;
    switch (thing->kind) {
    case LVL_THING_START:
    case LVL_THING_EXIT:
    case LVL_THING_CHECKPOINT:
        thing->flags |= LVL_THING_DROPPED;
        if (!dropped)
            add_mark(d, thing->kind, x, y);
        return dropped;
    case LVL_THING_WARP:
        *out = leads_inside(scene, &rect) ? INSIDE : OUTSIDE;
        if (*out == OUTSIDE && !dropped)
            add_mark(d, LVL_THING_EXIT, x, y);
        break;
    case LVL_THING_SCENERY:
    case LVL_THING_SIGN:
    case LVL_THING_CONTAINER:
        if (!dropped && scene->has_art && thing->image && !(thing->flags & LVL_THING_HIDDEN)) {
            *out = DRAWN;
            return true;
        }
        break;
    default: break;
    }
    thing->flags |= LVL_THING_DROPPED;
    return true;
}

static lvl_status sort_things(drawing *d, lvl_scene *scene, lvl_findings *losses)
{
    lost *list = lvl_scene_alloc(scene, (size_t)scene->thing_count + 1, sizeof *list);
    uint32_t count = 0;
    bool starts = false, exits = false;

    /* two more for an added start and exit */
    d->picture.marks = lvl_scene_alloc(scene, (size_t)scene->thing_count + 2, sizeof *d->picture.marks);
    lvl_work work = lvl_work_begin(scene->ctx);
    if (!list || !d->picture.marks)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < scene->thing_count; i++) {
        lvl_scene_thing *thing = &scene->things[i];
        if (!lvl_work_charge(&work, 100 + (uint64_t)scene->link_count))
            return work.status;
        starts = starts || thing->kind == LVL_THING_START;
        if (thing->kind == LVL_THING_START && !(thing->flags & LVL_THING_DROPPED) &&
            !has_ground(d, thing->x, thing->y))
            lvl_findings_add(losses, &lvl_doc_counterpart, NULL, NULL,
                             "the start at %ld,%ld has no ground below it: the player falls out of the level",
                             (long)thing->x, (long)thing->y);
        list[count].index = i;
        list[count].label = thing->label.len     ? thing->label
                            : thing->picture.len ? thing->picture
                                                 : lvl_text_of(lvl_thing_kind_name(thing->kind));
        count += sort_thing(d, thing, &list[count].outcome);
    }
    report_things(scene, list, count, losses);
    for (uint32_t i = 0; i < d->picture.mark_count; i++)
        exits = exits || d->picture.marks[i].kind == LVL_THING_EXIT;
    if (!exits)
        make_exit(d, losses);
    if (!starts)
        make_start(d, losses);
    return LVL_OK;
}

/* ---- layers ------------------------------------------------------------------------------------------ */

/* Draws the layers that move with the main one, since a level of pixels has only one plane. */
static lvl_status choose_layers(drawing *d, lvl_scene *scene, lvl_findings *losses)
{
    signed char *layers = lvl_scene_alloc(scene, (size_t)scene->layer_count + 1, 1);
    char name[LABEL];

    if (!layers)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        const lvl_scene_layer *layer = &scene->layers[i];
        layers[i] = i == scene->main_layer || (!layer->hidden && layer->move_x == 100 &&
                                               layer->move_y == 100 && !layer->wrap_x && !layer->wrap_y);
        if (!layers[i])
            lvl_findings_add(losses, &lvl_doc_counterpart, NULL, NULL, "%s: %s",
                             lvl_text_show(name, sizeof name, scene->codepage, layer->name),
                             layer->hidden ? "a hidden layer is left out"
                                           : "a layer that moves with the camera has no counterpart");
    }
    d->options.layers = layers;
    d->options.layer_count = scene->layer_count;
    return LVL_OK;
}

static void report_classes(const drawing *d, lvl_findings *losses)
{
    static const char *const names[LVL_LOOK_COUNT] = {[LVL_LOOK_CLIMB] = "ladders",
                                                      [LVL_LOOK_OTHER] = "cells that do something special",
                                                      [LVL_LOOK_WADE] = "shallow water",
                                                      [LVL_LOOK_JUMP] = "edges to jump down from",
                                                      [LVL_LOOK_REST] = "seats and beds"};

    for (int i = 0; i < LVL_LOOK_COUNT; i++) {
        if (names[i] && d->class_cells[i])
            lvl_findings_add(losses, &lvl_doc_counterpart, NULL, NULL,
                             "%s: %llu cell%s drawn, but do%s nothing", names[i],
                             (unsigned long long)d->class_cells[i], d->class_cells[i] == 1 ? " is" : "s are",
                             d->class_cells[i] == 1 ? "es" : "");
    }
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static lvl_status prepare(drawing *d, lvl_scene *scene, const lvl_format *to,
                          const lvl_scene_level_options *options, lvl_findings *losses)
{
    if (scene->main_layer >= scene->layer_count)
        return LVL_ERR_UNSUPPORTED;
    d->layer = &scene->layers[scene->main_layer];
    d->picture.scene = scene;
    d->picture.title = options->title;
    d->picture.rows = draw_indices;
    d->rows = (lvl_rows){begin, take_rows, end};
    d->picture.scale_down = options->scale_down;
    if (!options->scale_down && scene->player_height && to->player_height)
        d->picture.scale_down = (scene->player_height + to->player_height / 2) / to->player_height;
    if (!d->picture.scale_down)
        d->picture.scale_down = 1;
    lvl_render_options_init(&d->options);
    d->options.scale_down = d->picture.scale_down;
    d->options.transparent = true;
    d->options.no_things = !scene->has_art;
    d->clear_shows = scene->has_art || scene->has_colours;
    scene->marks = false;
    if (scene->has_bounds) {
        d->left = scene->bounds.left;
        d->top = scene->bounds.top;
    }
    lvl_status status = choose_layers(d, scene, losses);
    if (status == LVL_OK)
        status = sort_things(d, scene, losses);
    if (status == LVL_OK)
        status = lvl_render_size(scene, &d->options, &d->picture.width, &d->picture.height);
    if (status != LVL_OK)
        return status;
    const uint64_t px =
        (uint64_t)d->picture.width * d->picture.height * d->picture.scale_down * d->picture.scale_down;
    lvl_work work = lvl_work_begin(scene->ctx);
    if (!lvl_work_charge(&work, px * 2))
        return work.status;
    d->tiles = lvl_scene_alloc(scene, (size_t)d->layer->columns + 1, sizeof *d->tiles);
    d->values = lvl_scene_alloc(scene, (size_t)d->layer->columns + 1, sizeof *d->values);
    d->edges = lvl_scene_alloc(scene, d->picture.width, sizeof *d->edges);
    d->out = lvl_scene_alloc(scene, d->picture.width, sizeof *d->out);
    return d->tiles && d->values && d->edges && d->out ? LVL_OK : LVL_ERR_MEMORY;
}

static lvl_status redraw(lvl_scene *scene, const lvl_format *to, const lvl_scene_level_options *options,
                         lvl_doc **out, lvl_findings *losses)
{
    drawing *d = lvl_scene_alloc(scene, 1, sizeof *d);
    lvl_status status = d ? prepare(d, scene, to, options, losses) : LVL_ERR_MEMORY;

    if (status == LVL_OK) {
        d->counting = true;
        status = lvl_render(scene, &d->options, &d->rows);
        d->counting = false;
    }
    if (status == LVL_OK) {
        report_classes(d, losses);
        status = make_palette(d);
    }
    if (status == LVL_OK)
        status = lvl_doc_new(out, scene->ctx, to);
    if (status == LVL_OK)
        status = lvl_arena_status(&(*out)->arena, to->calls->draw_level(*out, &d->picture, losses));
    if (d)
        lvl_used_colors_free(&d->colors);
    return status;
}

lvl_status lvl_convert_scene(lvl_doc **out, const lvl_doc *doc, const lvl_format *to,
                             const lvl_scene_level_options *options, lvl_findings *losses)
{
    const lvl_scene_level_options none = {0}, *o = options ? options : &none;
    const lvl_scene_request request = {.art = o->art};
    lvl_findings *own = losses ? NULL : lvl_findings_new(doc->ctx);
    const size_t before = losses ? lvl_findings_count(losses) : 0;
    lvl_scene *scene = NULL;

    *out = NULL;
    losses = losses ? losses : own;
    lvl_status status = !losses ? LVL_ERR_MEMORY
                        : !to->calls->draw_level || strcmp(to->family, doc->format->family) == 0
                            ? LVL_ERR_UNSUPPORTED
                            : lvl_doc_scene(doc, &request, &scene);
    if (status == LVL_OK)
        status = redraw(scene, to, o, out, losses);
    if (status == LVL_OK && o->art)
        status = lvl_art_status(o->art);
    if (status == LVL_OK)
        status = lvl_findings_status(losses);
    if (status == LVL_OK && lvl_findings_count(losses) > before) {
        const lvl_status located = lvl_doc_locate(doc, losses);
        status = located == LVL_ERR_MEMORY ? located : o->allow_loss ? LVL_OK : LVL_ERR_LOSS;
    }
    lvl_scene_free(scene);
    lvl_findings_free(own);
    if (status != LVL_OK) {
        lvl_doc_free(*out);
        *out = NULL;
    }
    return status;
}
