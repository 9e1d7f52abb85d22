/*
 * sketchy/look/scene.c: levels and doodads as scenes: paper, chunks of pixels, and actors on top in
 * the order of their ids. The whole picture equals the game's whole-level picture, pixel for pixel: of a
 * bounded level its page, else from the lowest negative chunk (unbounded) or 0, 0 to one pixel before the
 * highest chunk's end.
 */
#include "sketchy/look/level.h"

#include "base/cursor.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "sketchy/look/pictures.h"
#include "sketchy/look/actors.h"
#include "scene/scene.h"
#include "sketchy/text/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_IMAGES = 192,
    FEW_IMAGES = 4 /* until a chunk is needed again: a small picture needs each once */
};

/* A cached picture of a chunk. */
typedef struct slot {
    uint32_t chunk; /* index + 1 */
    uint64_t used;
    lvl_image image;
} slot;

typedef struct level_drawing {
    const lvl_doc *doc;
    const lvl_sketchy_layer *layer;
    lvl_paints paints;
    lvl_paper paper;
    bool over_paper;
    int64_t origin_x, origin_y; /* world px of the scene's 0, 0 */
    int64_t paper_x, paper_y; /* and of the paper's corner */
    int64_t first_x, first_y; /* chunk in the grid's corner */
    uint32_t out_x, out_y; /* its columns and rows off the page: chunks at negative positions */
    uint32_t skip_x, skip_y; /* those that the layer does not show in this view */
    uint32_t columns, rows;
    const lvl_sketchy_chunk **places; /* row by row; of those of one position the first */
    uint32_t place_count;
    slot slots[KEPT_IMAGES];
    uint32_t kept; /* slots: no more than there are chunks */
    uint32_t in_use; /* the first of them; memory of the others is not touched */
    bool *made; /* for each chunk: its picture was made */
    uint64_t clock;
    uint8_t *mask; /* classes of the px of each slot */
    const uint32_t *shot; /* of each thing: lvl_sketchy_actors */
    bool paper_known; /* the wallpaper is the level's or the game's own */
} level_drawing;

/* ---- chunks ------------------------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b)
{
    const lvl_sketchy_chunk *p = *(const lvl_sketchy_chunk *const *)a,
                            *q = *(const lvl_sketchy_chunk *const *)b;
    const int d = lvl_sketchy_by_place(p, q);

    return d ? d : (p > q) - (p < q);
}

/* Sorts the chunks by position. They may be few and far apart: a grid of all positions could be too large. */
static lvl_status list_places(lvl_scene *scene, level_drawing *s)
{
    const uint32_t count = s->layer->chunk_count;

    s->places = lvl_scene_alloc(scene, count, sizeof(const lvl_sketchy_chunk *));
    if (!s->places)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        s->places[i] = &s->layer->chunks[i];
    if (count)
        qsort(s->places, count, sizeof(const lvl_sketchy_chunk *), by_place);
    for (uint32_t i = 0; i < count; i++) {
        if (!i || lvl_sketchy_by_place(s->places[i], s->places[s->place_count - 1]) != 0)
            s->places[s->place_count++] = s->places[i];
    }
    return LVL_OK;
}

/* How many chunks a band of the picture may need repeatedly: those of two rows, up to KEPT_IMAGES. */
static uint32_t most_in_two_rows(const level_drawing *s)
{
    uint32_t most = 0, before = 0;

    for (uint32_t i = 0, end; i < s->place_count; i = end) {
        for (end = i; end < s->place_count && s->places[end]->y == s->places[i]->y;)
            end++;
        most = before + (end - i) > most ? before + (end - i) : most;
        before = end - i;
    }
    return most < KEPT_IMAGES ? most : KEPT_IMAGES;
}

static void chunk_cells(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const level_drawing *s = layer->user;
    const int64_t left = s->first_x + s->skip_x + x, row = s->first_y + s->skip_y + y;
    const lvl_sketchy_chunk *const *places = s->places;
    size_t at;

    LVL_LOWER_BOUND(at, s->place_count,
                    places[at]->y < row || (places[at]->y == row && places[at]->x < left));
    memset(out, 0, count * sizeof *out);
    for (; at < s->place_count && places[at]->y == row && places[at]->x < left + count; at++)
        out[places[at]->x - left] = (uint32_t)(places[at] - s->layer->chunks) + 1;
}

static slot *slot_for(level_drawing *s, uint32_t chunk)
{
    slot *oldest = &s->slots[0];

    for (size_t i = 0; i < s->in_use; i++) {
        if (s->slots[i].chunk == chunk)
            return &s->slots[i];
        if (s->slots[i].used < oldest->used)
            oldest = &s->slots[i];
    }
    if (s->made[chunk - 1] && s->in_use < s->kept) {
        oldest = &s->slots[s->in_use];
        s->in_use = s->kept;
    }
    return oldest;
}

/* How each px behaves. */
static void fill_classes(const level_drawing *s, const lvl_cells *cells, uint8_t *mask)
{
    const size_t count = (size_t)cells->width * cells->height;
    const uint8_t *p = cells->ptr;

    for (size_t i = 0; i < count;) {
        enum { MANY = 16 };
        const uint32_t index = lvl_load_u16le(p + i * 2);
        const uint8_t look = (uint8_t)(index < s->paints.count ? s->paints.list[index].look : LVL_LOOK_NONE);
        mask[i++] = look;
        while (count - i >= MANY &&
               !memcmp(p + i * 2 - 2, p + i * 2, MANY * 2)) { /* most are the same as the last */
            memset(mask + i, look, MANY);
            i += MANY;
        }
    }
}

/* Converts the colours, which the game treats as premultiplied, to straight alpha. */
static void straighten(uint8_t *pixels, size_t count)
{
    for (uint8_t *p = pixels; count--; p += 4) {
        for (int k = 0; k < 3 && p[3] && p[3] != 255; k++)
            p[k] = (uint8_t)(p[k] >= p[3] ? 255 : p[k] * 255u / p[3]);
    }
}

static void chunk_tile(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    level_drawing *s = (level_drawing *)(uintptr_t)layer->user;
    lvl_buffer storage = {0};
    lvl_cells cells;

    memset(out, 0, sizeof *out);
    out->empty = true;
    if (!value || value > s->layer->chunk_count)
        return;
    slot *at = slot_for(s, value);
    at->used = ++s->clock;
    const lvl_sketchy_chunk *chunk = &s->layer->chunks[value - 1];
    if (at->chunk != value) {
        at->chunk = 0;
        const lvl_status status = lvl_sketchy_pixels(s->doc, chunk, &storage, &cells);
        if ((status == LVL_OK || status == LVL_ERR_FORMAT) && cells.ptr && cells.width == s->layer->size &&
            cells.height == s->layer->size) {
            lvl_paint_grid(&s->paints, &cells, (int64_t)chunk->x * cells.width,
                           (int64_t)chunk->y * cells.height, s->over_paper ? &s->paper : NULL, s->paper_x,
                           s->paper_y, at->image.pixels);
            if (!s->over_paper)
                straighten(at->image.pixels, (size_t)cells.width * cells.height);
            at->chunk = value;
            s->made[value - 1] = true;
            if (s->mask)
                fill_classes(s, &cells, s->mask + (size_t)(at - s->slots) * cells.width * cells.height);
        }
        out->memory_failed = status == LVL_ERR_MEMORY;
        lvl_buffer_free(&storage);
    }
    if (!at->chunk)
        return;
    out->empty = false;
    out->image = &at->image;
    out->look = LVL_LOOK_CLEAR;
    if (s->mask) {
        out->mask = s->mask + (size_t)(at - s->slots) * s->layer->size * s->layer->size;
        out->mask_width = out->mask_height = s->layer->size;
        out->mask_classes = true;
    }
}

/* Sets the grid of chunks from first to high, if it is not too large. */
static bool view_fits(level_drawing *s, uint64_t most, int64_t first_x, int64_t first_y, int64_t high_x,
                      int64_t high_y)
{
    const uint64_t columns = (uint64_t)(high_x - first_x) + 1, rows = (uint64_t)(high_y - first_y) + 1;

    if (columns > most || rows > most / columns || columns > INT32_MAX / s->layer->size ||
        rows > INT32_MAX / s->layer->size)
        return false;
    s->first_x = first_x;
    s->first_y = first_y;
    s->columns = (uint32_t)columns;
    s->rows = (uint32_t)rows;
    return true;
}

/* Sets up the grid of chunks and the cache of pictures. `negative`: the page has negative positions, too. */
static lvl_status lay_out(lvl_scene *scene, level_drawing *s, bool negative)
{
    const uint64_t most = lvl_limits_of(scene->ctx).cells;
    const uint32_t size = s->layer->size;
    int64_t low_x = 0, low_y = 0, high_x = 0, high_y = 0;

    for (uint32_t i = 0; i < s->layer->chunk_count; i++) {
        const lvl_sketchy_chunk *c = &s->layer->chunks[i];
        low_x = c->x < low_x ? c->x : low_x;
        low_y = c->y < low_y ? c->y : low_y;
        high_x = c->x > high_x ? c->x : high_x;
        high_y = c->y > high_y ? c->y : high_y;
    }
    /* chunks far off the page must not prevent drawing the page */
    if (!view_fits(s, most, low_x, low_y, high_x, high_y) &&
        (negative || !view_fits(s, most, 0, 0, high_x, high_y)))
        return lvl_refuse(scene->ctx, LVL_LIMIT_CELLS, most, 0);
    s->out_x = s->skip_x = negative ? 0 : (uint32_t)-s->first_x;
    s->out_y = s->skip_y = negative ? 0 : (uint32_t)-s->first_y;
    const lvl_status status = list_places(scene, s);
    s->kept = status == LVL_OK ? most_in_two_rows(s) : 0;
    uint8_t *pixels = lvl_scene_raw(scene, (size_t)size * size * 4, s->kept);
    s->mask = lvl_scene_raw(scene, (size_t)size * size, s->kept);
    s->made = lvl_scene_alloc(scene, s->layer->chunk_count, sizeof *s->made);
    s->in_use = s->kept < FEW_IMAGES ? s->kept : FEW_IMAGES;
    if (status != LVL_OK || !pixels || !s->mask || !s->made)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < s->kept; i++)
        s->slots[i].image = (lvl_image){.format = LVL_PIXELS_RGBA8,
                                        .width = size,
                                        .height = size,
                                        .pixels = pixels + i * size * size * 4};
    /* the game's picture is one pixel short */
    scene->bounds = (lvl_rect){0, 0, (int32_t)(s->columns * size - 2), (int32_t)(s->rows * size - 2)};
    scene->has_bounds = true;
    return LVL_OK;
}

static lvl_status put_layer(lvl_scene *scene, lvl_scene_layer *l, const level_drawing *s)
{
    const lvl_sketchy *d = s->doc->root;

    l->name = s->layer->name;
    l->main = true;
    l->columns = s->columns - s->skip_x;
    l->rows = s->rows - s->skip_y;
    l->cell_width = l->cell_height = s->layer->size;
    l->move_x = l->move_y = 100;
    l->fresh = true;
    l->drawn = true;
    l->user = s;
    l->cells = chunk_cells;
    l->tile = chunk_tile;
    if (!d->layer_count)
        return LVL_OK;
    const lvl_where layer = lvl_where_item(lvl_where_root(), &lvl_sketchy_table,
                                           offsetof(lvl_sketchy, layers), (uint32_t)(s->layer - d->layers));
    return lvl_scene_layer_shows(
        scene, l, lvl_where_member(layer, &lvl_sketchy_layer_table, offsetof(lvl_sketchy_layer, chunks)));
}

/* ---- paper ------------------------------------------------------------------------------------------- */

static void paper_cells(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const level_drawing *s = layer->user;

    for (uint32_t i = 0; i < count; i++) {
        const bool left = s->paper.edges && x + i == 0 && y < s->paper.edge_rows;
        const bool top = s->paper.edges && y == 0 && x + i < s->paper.edge_columns;
        out[i] = (left ? 0u : 1u) + (top ? 0u : 2u);
    }
}

static void paper_tile(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    const level_drawing *s = layer->user;

    memset(out, 0, sizeof *out);
    out->look = LVL_LOOK_NONE;
    if (!s->paper.image) {
        out->filled = true;
        return;
    }
    out->image = s->paper.image;
    out->image_x = value & 1 ? (int32_t)s->paper.width : 0;
    out->image_y = value & 2 ? (int32_t)s->paper.height : 0;
}

static const lvl_image *find_wallpaper(const lvl_doc *doc, lvl_scene *scene, const lvl_art *art,
                                       lvl_status *status)
{
    const lvl_sketchy *d = doc->root;
    const lvl_text name = d->wallpaper.len ? d->wallpaper : lvl_text_of("notebook.png");
    char path[300];
    bool there;

    if (name.len > 200)
        return NULL;
    snprintf(path, sizeof path, "assets/wallpapers/%.*s", (int)name.len, name.ptr);
    const lvl_image *own = lvl_sketchy_own_picture(doc, scene, path, &there, status);
    if (own)
        return own;
    /* an attached file that can't be decoded still hides the game's wallpaper of that name */
    const lvl_image *image = there ? NULL : lvl_paint_asset(art, "wallpapers", name);
    return image ? image : lvl_paint_asset(art, "wallpapers", lvl_text_of("notebook.png"));
}

/* Sets the layer's size to the sheets that reach that far, px from the paper's corner. */
static void cover(lvl_scene_layer *l, const lvl_paper *paper, int64_t right, int64_t bottom)
{
    l->columns = right < 0 ? 1 : (uint32_t)(right / paper->width + 1);
    l->rows = bottom < 0 ? 1 : (uint32_t)(bottom / paper->height + 1);
}

/* The world px of the paper's corner in the game's screenshots: sheets begin at the view's corner, minus the
 * remainder of its position. For negative positions that remainder has the wrong sign, so that there the
 * paper moves with the view. A page with edges begins at 0 for views at positive positions. */
static int64_t corner_for(int64_t view, uint32_t sheet, bool edges)
{
    const int64_t off = view % sheet;

    return edges && view >= 0 ? 0 : view - (off < 0 ? -off : off);
}

/* In the game's screenshots as many sheets have edges as fill the view from its corner, though they begin
 * before it: the last px may be without edges. */
static uint32_t strip_for(int64_t view, int64_t length, uint32_t sheet)
{
    return (uint32_t)((view < 0 ? 0 : view / sheet) + (length + sheet - 1) / sheet);
}

static void set_view(const lvl_scene *scene, const lvl_rect *view)
{
    lvl_scene_layer *l = &scene->layers[0], *main = &scene->layers[scene->main_layer];
    level_drawing *s = (level_drawing *)(uintptr_t)l->user;
    int64_t x = s->origin_x, y = s->origin_y;
    int32_t right = scene->bounds.right, bottom = scene->bounds.bottom;
    const uint32_t columns = s->paper.edge_columns, rows = s->paper.edge_rows;

    s->paper.edge_columns = s->paper.edge_rows = UINT32_MAX;
    lvl_sketchy_actors_cut(scene, s->shot, view != NULL);
    /* the game's screenshots also show px off the page */
    s->skip_x = view ? 0 : s->out_x;
    s->skip_y = view ? 0 : s->out_y;
    main->columns = s->columns - s->skip_x;
    main->rows = s->rows - s->skip_y;
    main->shift_x = (int32_t)((int64_t)(s->out_x - s->skip_x) * -(int64_t)s->layer->size);
    main->shift_y = (int32_t)((int64_t)(s->out_y - s->skip_y) * -(int64_t)s->layer->size);
    if (view) {
        s->paper.edge_columns =
            strip_for(view->left + s->origin_x, (int64_t)view->right - view->left + 1, s->paper.width);
        s->paper.edge_rows =
            strip_for(view->top + s->origin_y, (int64_t)view->bottom - view->top + 1, s->paper.height);
        x = corner_for(view->left + s->origin_x, s->paper.width, s->paper.edges);
        y = corner_for(view->top + s->origin_y, s->paper.height, s->paper.edges);
        right = view->right;
        bottom = view->bottom;
    }
    if (x != s->paper_x || y != s->paper_y || columns != s->paper.edge_columns ||
        rows != s->paper.edge_rows) {
        for (size_t i = 0; i < s->kept; i++)
            s->slots[i].chunk = 0; /* other paper shows through transparent px */
    }
    s->paper_x = x;
    s->paper_y = y;
    l->shift_x = (int32_t)(x - s->origin_x);
    l->shift_y = (int32_t)(y - s->origin_y);
    cover(l, &s->paper, right - (int64_t)l->shift_x, bottom - (int64_t)l->shift_y);
}

static lvl_status put_paper(lvl_scene *scene, level_drawing *s, lvl_scene_layer *l, const lvl_art *art)
{
    const lvl_sketchy *d = s->doc->root;
    lvl_status status = LVL_OK;

    s->paper.edges = d->page_type != LVL_SKETCHY_UNBOUNDED;
    s->paper.image = find_wallpaper(s->doc, scene, art, &status);
    s->paper_known = s->paper.image != NULL;
    if (s->paper.image)
        s->paper.image = lvl_sketchy_sheet(scene, s->paper.image, s->paper.edges, &status);
    else if (status == LVL_OK)
        s->paper.image = lvl_sketchy_own_paper(scene, d->wallpaper, &status);
    s->paper.width = s->paper.image ? s->paper.image->width / 2 : 256;
    s->paper.height = s->paper.image ? s->paper.image->height / 2 : 256;
    if (!s->paper.width || !s->paper.height) {
        s->paper.image = NULL;
        s->paper.width = s->paper.height = 256;
    }
    s->over_paper = true;
    s->paper_x = s->origin_x;
    s->paper_y = s->origin_y;
    s->paper.edge_columns = s->paper.edge_rows = UINT32_MAX;
    l->name = lvl_text_of("paper");
    l->z = -1;
    cover(l, &s->paper, scene->bounds.right, scene->bounds.bottom);
    l->cell_width = s->paper.width;
    l->cell_height = s->paper.height;
    l->move_x = l->move_y = 100;
    memset(l->fill_rgb, 255, 3);
    l->user = s;
    l->cells = paper_cells;
    l->tile = paper_tile;
    return status;
}

/* ---- scenes ------------------------------------------------------------------------------------------ */

static lvl_status level_scene(lvl_scene *scene, level_drawing *s, const lvl_scene_request *request)
{
    const lvl_sketchy *d = s->doc->root;
    const bool unbounded = d->page_type == LVL_SKETCHY_UNBOUNDED;

    lvl_status status = lay_out(scene, s, unbounded);
    if (status != LVL_OK)
        return status;
    s->origin_x = unbounded ? s->first_x * (int64_t)s->layer->size : 0;
    s->origin_y = unbounded ? s->first_y * (int64_t)s->layer->size : 0;
    if ((d->page_type == LVL_SKETCHY_BOUNDED || d->page_type == LVL_SKETCHY_BORDERED) &&
        d->bounded_width > 0 && d->bounded_height > 0)
        scene->bounds = (lvl_rect){0, 0, lvl_sketchy_clamp(d->bounded_width - 1),
                                   lvl_sketchy_clamp(d->bounded_height - 1)};
    scene->layers = lvl_scene_alloc(scene, 2, sizeof *scene->layers);
    if (!scene->layers)
        return LVL_ERR_MEMORY;
    scene->layer_count = 2;
    scene->main_layer = 1;
    status = put_paper(scene, s, &scene->layers[0], request->art);
    scene->free_camera = true;
    scene->set_view = set_view;
    if (status == LVL_OK)
        status = put_layer(scene, &scene->layers[1], s);
    scene->zero_x = lvl_sketchy_clamp(-s->origin_x);
    scene->zero_y = lvl_sketchy_clamp(-s->origin_y);
    /* the middle of the editor's view, which is 1280 by 720 in the game's screenshot */
    scene->start_x = lvl_sketchy_clamp(640 - lvl_sketchy_sanitize(d->scroll.x) - s->origin_x);
    scene->start_y = lvl_sketchy_clamp(360 - lvl_sketchy_sanitize(d->scroll.y) - s->origin_y);
    if (status == LVL_OK)
        status = lvl_sketchy_actors(scene, s->doc, request->art, s->origin_x, s->origin_y, &s->shot);
    /* without any of the game's art actors are marks */
    scene->marks = !s->paper_known && scene->missing_things == scene->thing_count;
    return status;
}

/* The canvas of a doodad: its size, or a chunk's. */
static lvl_rect canvas_of(const lvl_sketchy *d, const lvl_sketchy_layer *layer)
{
    int64_t w = d->size.width, h = d->size.height;

    if (w <= 0 || h <= 0)
        w = h = layer ? layer->size : LVL_SKETCHY_CHUNK_SIZE;
    return (lvl_rect){0, 0, lvl_sketchy_clamp((w > 65536 ? 65536 : w) - 1),
                      lvl_sketchy_clamp((h > 65536 ? 65536 : h) - 1)};
}

static lvl_status doodad_scene(lvl_scene *scene, level_drawing *s)
{
    lvl_status status = lay_out(scene, s, false);

    if (status != LVL_OK)
        return status;
    scene->bounds = canvas_of(s->doc->root, s->layer);
    scene->layers = lvl_scene_alloc(scene, 1, sizeof *scene->layers);
    if (!scene->layers)
        return LVL_ERR_MEMORY;
    scene->layer_count = 1;
    scene->main_layer = 0;
    return put_layer(scene, &scene->layers[0], s);
}

lvl_status lvl_sketchy_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    const lvl_sketchy *d = doc->root;
    lvl_scene *scene = lvl_scene_new(doc->ctx);
    lvl_status status = LVL_OK;

    if (!scene)
        return LVL_ERR_MEMORY;
    level_drawing *s = lvl_scene_alloc(scene, 1, sizeof *s);
    if (!s)
        return lvl_scene_fail(scene, LVL_ERR_MEMORY);
    const uint32_t frame = d->kind == LVL_SKETCHY_DOODAD && request->frame < d->layer_count ? request->frame
                           : d->kind == LVL_SKETCHY_DOODAD && d->layer_count ? d->layer_count - 1
                                                                             : 0;
    s->doc = doc;
    s->layer = d->layer_count ? &d->layers[frame] : NULL;
    scene->codepage = doc->codepage;
    scene->title = d->title;
    scene->has_art = true; /* the pixels are in the file itself */
    scene->possible_classes = 1u << LVL_LOOK_SOLID | 1u << LVL_LOOK_GROUND | 1u << LVL_LOOK_DEATH |
                              1u << LVL_LOOK_WATER | 1u << LVL_LOOK_OTHER;
    scene->look_names[LVL_LOOK_GROUND] = "semisolid";
    scene->look_names[LVL_LOOK_DEATH] = "fire";
    scene->look_names[LVL_LOOK_OTHER] = "slippery";
    if (!s->layer || s->layer->size < 1 || s->layer->size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        status = LVL_ERR_UNSUPPORTED;
    if (status == LVL_OK)
        status = lvl_paints_make(scene, d->swatches, d->swatch_count, request->art, &s->paints);
    if (status == LVL_OK)
        status = d->kind == LVL_SKETCHY_DOODAD ? doodad_scene(scene, s) : level_scene(scene, s, request);
    if (status == LVL_OK) {
        scene->missing_tiles = s->paints.missing + (d->kind == LVL_SKETCHY_LEVEL && !s->paper_known);
        status = lvl_scene_arrange(scene, false);
    }
    if (status != LVL_OK)
        return lvl_scene_fail(scene, status);
    *out = scene;
    return LVL_OK;
}

lvl_status lvl_sketchy_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out)
{
    enum { FRAME_MS = 250 }; /* for display: in the game scripts switch layers */
    const lvl_sketchy *d = doc->root;

    (void)request;
    if (d->kind != LVL_SKETCHY_DOODAD || !d->layer_count)
        return LVL_ERR_UNSUPPORTED;
    const size_t count = d->layer_count;
    lvl_animation *play =
        lvl_mem_alloc(doc->ctx, sizeof *play + count * (sizeof(lvl_text) + sizeof(uint32_t)));
    if (!play)
        return LVL_ERR_MEMORY;
    lvl_text *names = (lvl_text *)(void *)(play + 1);
    uint32_t *durations = (uint32_t *)(void *)(names + count);
    for (size_t i = 0; i < count; i++) {
        durations[i] = FRAME_MS;
        names[i] = d->layers[i].name;
    }
    *play = (lvl_animation){.frames = d->layer_count,
                            .directions = 1,
                            .durations = durations,
                            .frame_names = names,
                            .loops = true,
                            .has_art = true,
                            .bounds = canvas_of(d, &d->layers[0])};
    *out = play;
    return LVL_OK;
}
