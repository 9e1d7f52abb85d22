/*
 * render/compare.c: where two scenes differ: rectangles of cells or pixels of the main layers, and things,
 * compared as multisets.
 */
#include <lvl/scene.h>

#include "base/arena.h"
#include "base/work.h"
#include "base/text.h"
#include "render/diff.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 256 }; /* cells fetched at once */

typedef struct changes {
    const lvl_ctx *ctx;
    lvl_scene_change *items;
    size_t count, cap;
    lvl_work work;
} changes;

static lvl_status add_change(changes *list, lvl_change_kind kind, lvl_rect rect, bool thing)
{
    if (!lvl_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items))
        return LVL_ERR_MEMORY;
    list->items[list->count++] = (lvl_scene_change){kind, rect, thing};
    return LVL_OK;
}

/* ---- runs -------------------------------------------------------------------------------------------- */

enum { SAME = -1 }; /* in addition to lvl_change_kind */

/* Joins runs of changes in rows, passed from top to bottom and left to right, to rectangles. */
typedef struct runs {
    changes *list;
    int kind; /* kind of the current run, or SAME */
    int64_t left, top, bottom; /* the current run, px */
    /* indices of the rectangles that end in the row above and in this row */
    size_t *above, *now;
    size_t above_count, now_count, above_cap, now_cap;
    size_t next; /* index in `above` of the first rectangle that is not left of the current run */
} runs;

static void begin_row(runs *r, int64_t top, int64_t bottom)
{
    const runs was = *r;

    *r = (runs){.list = was.list, .kind = SAME, .top = top, .bottom = bottom};
    r->above = was.now;
    r->above_count = was.now_count;
    r->above_cap = was.now_cap;
    r->now = was.above;
    r->now_cap = was.above_cap;
}

static void free_runs(runs *r)
{
    free(r->above);
    free(r->now);
}

/* Adds the current run, which ends before px `end`, to a rectangle of the row above with the same sides, or
 * as a new one. */
static lvl_status add_run(runs *r, int64_t end)
{
    const int64_t right = end - 1;
    size_t index = r->list->count;

    if (r->left < INT32_MIN || r->top < INT32_MIN || right > INT32_MAX || r->bottom > INT32_MAX)
        return LVL_OK; /* beyond the range of coordinates, so not visible */
    while (r->next < r->above_count && r->list->items[r->above[r->next]].rect.left < r->left)
        r->next++;
    lvl_scene_change *c = r->next < r->above_count ? &r->list->items[r->above[r->next]] : NULL;
    if (c && c->rect.left == r->left && c->rect.right == right && (int64_t)c->rect.bottom + 1 == r->top &&
        (int)c->kind == r->kind) {
        c->rect.bottom = (int32_t)r->bottom;
        index = r->above[r->next];
    } else {
        const lvl_rect rect = {(int32_t)r->left, (int32_t)r->top, (int32_t)right, (int32_t)r->bottom};
        const lvl_status status = add_change(r->list, (lvl_change_kind)r->kind, rect, false);
        if (status != LVL_OK)
            return status;
    }
    if (!lvl_grow(&r->now, &r->now_cap, r->now_count + 1, sizeof *r->now))
        return LVL_ERR_MEMORY;
    r->now[r->now_count++] = index;
    return LVL_OK;
}

/* From px x on, the pixels or cells of the row have changed in this way. */
static lvl_status continue_row(runs *r, int kind, int64_t x)
{
    lvl_status status = LVL_OK;

    if (kind == r->kind)
        return LVL_OK;
    if (r->kind != SAME)
        status = add_run(r, x);
    r->kind = kind;
    r->left = x;
    return status;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

/* Reads `count` values from column x of row y; `none`: whether a cell is empty or outside the layer. */
static void fetch(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out,
                  bool *none)
{
    uint32_t have = 0;

    if (layer && y < layer->rows && x < layer->columns)
        have = count < layer->columns - x ? count : layer->columns - x;
    if (have)
        layer->cells(layer, x, y, have, out);
    for (uint32_t i = 0; i < count; i++) {
        if (i >= have) {
            out[i] = 0;
            none[i] = true;
        } else if (i > 0 && out[i] == out[i - 1]) {
            none[i] = none[i - 1];
        } else {
            lvl_scene_tile tile;
            layer->tile(layer, out[i], &tile);
            none[i] = tile.empty;
        }
    }
}

/* The kind of change, or SAME. */
static int change_of(uint32_t a, bool a_none, uint32_t b, bool b_none)
{
    if (a_none && b_none)
        return SAME;
    if (a_none)
        return LVL_CHANGE_ADDED;
    if (b_none)
        return LVL_CHANGE_REMOVED;
    return a == b ? SAME : LVL_CHANGE_CHANGED;
}

static lvl_status compare_row(runs *r, const lvl_scene_layer *a, const lvl_scene_layer *b, uint32_t y,
                              uint32_t columns)
{
    const int64_t width = (b ? b : a)->cell_width;
    uint32_t av[COLUMNS], bv[COLUMNS];
    bool an[COLUMNS], bn[COLUMNS];
    lvl_status status = LVL_OK;

    for (uint32_t x = 0; x < columns; x += COLUMNS) {
        const uint32_t n = columns - x < COLUMNS ? columns - x : COLUMNS;
        fetch(a, x, y, n, av, an);
        fetch(b, x, y, n, bv, bn);
        for (uint32_t i = 0; i < n && status == LVL_OK; i++)
            status = continue_row(r, change_of(av[i], an[i], bv[i], bn[i]), (x + i) * width);
    }
    return status == LVL_OK ? continue_row(r, SAME, columns * width) : status;
}

static uint32_t larger_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static lvl_status compare_cells(changes *list, const lvl_scene_layer *a, const lvl_scene_layer *b)
{
    const uint32_t columns = larger_of(a ? a->columns : 0, b ? b->columns : 0);
    const uint32_t rows = larger_of(a ? a->rows : 0, b ? b->rows : 0);
    const int64_t height = a || b ? (b ? b : a)->cell_height : 0;
    lvl_status status = LVL_OK;
    runs r = {.list = list};

    for (uint32_t y = 0; y < rows && status == LVL_OK; y++) {
        begin_row(&r, y * height, y * height + height - 1);
        status =
            lvl_work_charge(&list->work, columns) ? compare_row(&r, a, b, y, columns) : list->work.status;
    }
    free_runs(&r);
    return status;
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

enum { BLOCK = 128, BLOCK_PIXELS = BLOCK * BLOCK };

/* A block of pixels of a layer, with their classes. */
typedef struct block {
    uint8_t rgba[BLOCK_PIXELS * 4];
    uint8_t classes[BLOCK_PIXELS];
    bool any, memory_failed;
} block;

/* Copies the part of a cell that is in the block at px x, y of the layer. */
static void copy_cell(const lvl_scene_layer *layer, uint32_t value, int64_t cell_x, int64_t cell_y, int64_t x,
                      int64_t y, block *out)
{
    const int64_t left = cell_x > x ? cell_x : x, top = cell_y > y ? cell_y : y;
    const int64_t cell_right = cell_x + layer->cell_width, cell_bottom = cell_y + layer->cell_height;
    const int64_t right = cell_right < x + BLOCK ? cell_right : x + BLOCK;
    const int64_t bottom = cell_bottom < y + BLOCK ? cell_bottom : y + BLOCK;
    lvl_scene_tile tile;

    layer->tile(layer, value, &tile);
    out->memory_failed = out->memory_failed || tile.memory_failed;
    if (tile.empty || !tile.image)
        return;
    out->any = true;
    for (int64_t row = top; row < bottom && row - cell_y < tile.image->height; row++) {
        const size_t from = (size_t)(row - cell_y) * tile.image->width + (size_t)(left - cell_x);
        const size_t to = (size_t)(row - y) * BLOCK + (size_t)(left - x), n = (size_t)(right - left);
        memcpy(out->rgba + to * 4, tile.image->pixels + from * 4, n * 4);
        if (tile.mask)
            memcpy(out->classes + to, tile.mask + from, n);
    }
}

/* Fills the block at px x, y of the layer. */
static void fill_block(const lvl_scene_layer *layer, int64_t x, int64_t y, block *out)
{
    uint32_t values[BLOCK];
    const int64_t w = layer->cell_width, h = layer->cell_height;
    const int64_t x0 = x > 0 ? x / w : 0, y0 = y > 0 ? y / h : 0;
    const int64_t x1 = x + BLOCK > 0 ? (x + BLOCK - 1) / w + 1 : 0,
                  y1 = y + BLOCK > 0 ? (y + BLOCK - 1) / h + 1 : 0;
    const int64_t columns = x1 < layer->columns ? x1 : layer->columns;

    if (out->any)
        memset(out, 0, sizeof *out);
    for (int64_t row = y0; row < y1 && row < layer->rows && x0 < columns; row++) {
        layer->cells(layer, (uint32_t)x0, (uint32_t)row, (uint32_t)(columns - x0), values);
        for (int64_t i = x0; i < columns; i++) {
            if (values[i - x0])
                copy_cell(layer, values[i - x0], i * w, row * h, x, y, out);
        }
    }
}

static int change_of_pixel(const block *a, const block *b, size_t i)
{
    const bool a_none = !a->rgba[i * 4 + 3], b_none = !b->rgba[i * 4 + 3];
    const bool same = memcmp(a->rgba + i * 4, b->rgba + i * 4, 4) == 0 && a->classes[i] == b->classes[i];

    return change_of(0, a_none, !same, b_none);
}

static lvl_status compare_block(changes *list, const block *a, const block *b, int64_t x, int64_t y)
{
    lvl_status status = a->memory_failed || b->memory_failed ? LVL_ERR_MEMORY : LVL_OK;
    runs r = {.list = list};

    if (!memcmp(a->rgba, b->rgba, sizeof a->rgba) && !memcmp(a->classes, b->classes, sizeof a->classes))
        return status;
    for (int row = 0; row < BLOCK && status == LVL_OK; row++) {
        begin_row(&r, y + row, y + row);
        for (int i = 0; i < BLOCK && status == LVL_OK; i++)
            status = continue_row(&r, change_of_pixel(a, b, (size_t)row * BLOCK + (size_t)i), x + i);
        if (status == LVL_OK)
            status = continue_row(&r, SAME, x + BLOCK);
    }
    free_runs(&r);
    return status;
}

enum { SCANNED = 1024, SCANNED_A_STEP = 16 }; /* cells fetched at once; cells per step of work */

/* Marks the blocks in which the layer has cells, in the row that begins at px left, y. `dx`, `dy`: px of the
 * layer's corner. */
static lvl_status mark_blocks(lvl_work *work, const lvl_scene_layer *layer, int64_t dx, int64_t dy,
                              int64_t left, int64_t y, uint8_t *used)
{
    uint32_t values[SCANNED];
    const int64_t w = layer->cell_width, h = layer->cell_height, top = y - dy;
    const int64_t row0 = top > 0 ? top / h : 0, row1 = top + BLOCK > 0 ? (top + BLOCK - 1) / h + 1 : 0;

    for (int64_t row = row0; row < row1 && row < layer->rows; row++) {
        if (!lvl_work_charge(work, layer->columns / SCANNED_A_STEP + 1))
            return work->status;
        for (uint32_t x = 0; x < layer->columns; x += SCANNED) {
            const uint32_t n = layer->columns - x < SCANNED ? layer->columns - x : SCANNED;
            layer->cells(layer, x, (uint32_t)row, n, values);
            for (uint32_t i = 0; i < n; i++) {
                if (!values[i])
                    continue;
                const int64_t at = (int64_t)(x + i) * w + dx - left;
                const size_t first = (size_t)(at / BLOCK), last = (size_t)((at + w - 1) / BLOCK);
                memset(used + first, 1, last - first + 1);
            }
        }
    }
    return LVL_OK;
}

/* `dx`, `dy`: px of a's corner in b's coordinates. Blocks without cells in both are skipped. */
static lvl_status compare_pixels(changes *list, const lvl_scene_layer *a, const lvl_scene_layer *b,
                                 int64_t dx, int64_t dy)
{
    const int64_t aw = (int64_t)a->columns * a->cell_width, ah = (int64_t)a->rows * a->cell_height;
    const int64_t bw = (int64_t)b->columns * b->cell_width, bh = (int64_t)b->rows * b->cell_height;
    const int64_t left = dx < 0 ? dx : 0, top = dy < 0 ? dy : 0;
    const int64_t right = aw + dx > bw ? aw + dx : bw, bottom = ah + dy > bh ? ah + dy : bh;
    const size_t count = (size_t)((right - left + BLOCK - 1) / BLOCK);
    block *blocks = lvl_mem_alloc(list->ctx, 2 * sizeof *blocks);
    uint8_t *used = lvl_mem_alloc(list->ctx, count + 1);
    lvl_status status = blocks && used ? LVL_OK : LVL_ERR_MEMORY;

    if (blocks)
        memset(blocks, 0, 2 * sizeof *blocks);
    for (int64_t y = top; y < bottom && status == LVL_OK; y += BLOCK) {
        memset(used, 0, count);
        status = mark_blocks(&list->work, a, dx, dy, left, y, used);
        if (status == LVL_OK)
            status = mark_blocks(&list->work, b, 0, 0, left, y, used);
        for (int64_t x = left; x < right && status == LVL_OK; x += BLOCK) {
            if (!used[(x - left) / BLOCK])
                continue;
            if (!lvl_work_charge(&list->work, BLOCK)) {
                status = list->work.status;
                break;
            }
            fill_block(a, x - dx, y - dy, &blocks[0]);
            fill_block(b, x, y, &blocks[1]);
            if (blocks[0].any || blocks[1].any || blocks[0].memory_failed || blocks[1].memory_failed)
                status = compare_block(list, &blocks[0], &blocks[1], x, y);
        }
    }
    lvl_mem_free(list->ctx, used);
    lvl_mem_free(list->ctx, blocks);
    return status;
}

/* ---- things ------------------------------------------------------------------------------------------ */

/* Orders things by label and position; `dx`, `dy` are added to the position of `a`. */
static int compare_thing(const lvl_scene_thing *a, const lvl_scene_thing *b, int64_t dx, int64_t dy)
{
    int c = lvl_text_compare(a->label, b->label);

    if (!c)
        c = (a->x + dx > b->x) - (a->x + dx < b->x);
    if (!c)
        c = (a->y + dy > b->y) - (a->y + dy < b->y);
    return c;
}

static int compare_numbers(const double *a, const double *b, size_t count)
{
    int c = 0;

    for (size_t i = 0; i < count && !c; i++)
        c = (a[i] > b[i]) - (a[i] < b[i]);
    return c;
}

static int compare_effects(const lvl_scene_effect *a, const lvl_scene_effect *b)
{
    if (!a || !b)
        return !b - !a;
    int c = compare_numbers(a->color, b->color, LVL_COUNT_OF(a->color));
    if (!c)
        c = compare_numbers(&a->scale_x, &b->scale_x, 1);
    if (!c)
        c = compare_numbers(&a->scale_y, &b->scale_y, 1);
    if (!c)
        c = compare_numbers(&a->angle, &b->angle, 1);
    return c ? c : (a->blend > b->blend) - (a->blend < b->blend);
}

/* Compares the look of two things at the same position. */
static int compare_appearance(const lvl_scene_thing *a, const lvl_scene_thing *b)
{
    int c = lvl_text_compare(a->picture, b->picture);

    if (!c)
        c = a->has_part - b->has_part;
    if (!c && a->has_part)
        c = memcmp(&a->part, &b->part, sizeof a->part);
    if (!c)
        c = compare_effects(a->effect, b->effect);

    if (!c)
        c = (a->z > b->z) - (a->z < b->z);
    if (!c)
        c = (a->flags > b->flags) - (a->flags < b->flags);
    return c;
}

static int by_appearance(const void *a, const void *b)
{
    const lvl_scene_thing *x = *(const lvl_scene_thing *const *)a, *y = *(const lvl_scene_thing *const *)b;
    const int c = compare_thing(x, y, 0, 0);

    return c ? c : compare_appearance(x, y);
}

static int32_t clamp(int64_t n)
{
    return (int32_t)(n < -INT32_MAX ? -INT32_MAX : n > INT32_MAX ? INT32_MAX : n);
}

static lvl_status add_thing(changes *list, lvl_change_kind kind, const lvl_scene_thing *thing, int64_t dx,
                            int64_t dy)
{
    lvl_rect r;

    if (!lvl_scene_thing_rect(thing, &r))
        r = (lvl_rect){clamp((int64_t)thing->x - 16), clamp((int64_t)thing->y - 16),
                       clamp((int64_t)thing->x + 15), clamp((int64_t)thing->y + 15)};
    r = (lvl_rect){clamp(r.left + dx), clamp(r.top + dy), clamp(r.right + dx), clamp(r.bottom + dy)};
    return add_change(list, kind, r, true);
}

static const lvl_scene_thing **sorted_things(const lvl_scene *scene)
{
    const lvl_scene_thing **list = lvl_mem_alloc(scene->ctx, ((size_t)scene->thing_count + 1) * sizeof *list);

    if (!list)
        return NULL;
    for (uint32_t i = 0; i < scene->thing_count; i++)
        list[i] = &scene->things[i];
    qsort(list, scene->thing_count, sizeof *list, by_appearance);
    return list;
}

static lvl_status compare_things(changes *list, const lvl_scene *before, const lvl_scene *after, int64_t dx,
                                 int64_t dy)
{
    const lvl_scene_thing **a = sorted_things(before), **b = sorted_things(after);
    lvl_status status = a && b ? LVL_OK : LVL_ERR_MEMORY;
    uint32_t i = 0, j = 0;

    while (status == LVL_OK && (i < before->thing_count || j < after->thing_count)) {
        const bool only_a = j == after->thing_count, only_b = i == before->thing_count;
        const int place = only_a ? -1 : only_b ? 1 : compare_thing(a[i], b[j], dx, dy);
        const int order = place ? place : compare_appearance(a[i], b[j]);

        if (order == 0) {
            i++;
            j++;
        } else if (place == 0) { /* a thing with the same label at the same position that looks different */
            status = add_thing(list, LVL_CHANGE_CHANGED, b[j], 0, 0);
            i++;
            j++;
        } else if (place < 0) {
            status = add_thing(list, LVL_CHANGE_REMOVED, a[i++], dx, dy);
        } else {
            status = add_thing(list, LVL_CHANGE_ADDED, b[j++], 0, 0);
        }
    }
    lvl_mem_free(before->ctx, (void *)a);
    lvl_mem_free(after->ctx, (void *)b);
    return status;
}

lvl_status lvl_scene_compare(const lvl_scene *before, const lvl_scene *after, lvl_scene_change **out,
                             size_t *count)
{
    changes list = {.ctx = before->ctx, .work = lvl_work_begin(before->ctx)};
    const lvl_scene_layer *a = lvl_scene_main(before), *b = lvl_scene_main(after);
    const int64_t dx = (int64_t)after->zero_x - before->zero_x, dy = (int64_t)after->zero_y - before->zero_y;

    lvl_status status =
        a && b && a->drawn && b->drawn ? compare_pixels(&list, a, b, dx, dy) : compare_cells(&list, a, b);
    if (status == LVL_OK)
        status = compare_things(&list, before, after, dx, dy);
    if (status != LVL_OK) {
        free(list.items);
        list.items = NULL;
        list.count = 0;
    }
    *out = list.items;
    *count = list.count;
    return status;
}

/* Counts the cells of a row that differ. */
static void count_row(const lvl_scene_layer *a, const lvl_scene_layer *b, uint32_t y, uint32_t columns,
                      uint64_t *cells)
{
    uint32_t av[COLUMNS], bv[COLUMNS];
    bool an[COLUMNS], bn[COLUMNS];

    for (uint32_t x = 0; x < columns; x += COLUMNS) {
        const uint32_t n = columns - x < COLUMNS ? columns - x : COLUMNS;
        fetch(a, x, y, n, av, an);
        fetch(b, x, y, n, bv, bn);
        for (uint32_t i = 0; i < n; i++)
            *cells += change_of(av[i], an[i], bv[i], bn[i]) != SAME;
    }
}

lvl_status lvl_scene_compare_others(const lvl_scene *before, const lvl_scene *after, uint64_t *cells)
{
    const uint32_t count = larger_of(before->layer_count, after->layer_count);
    lvl_work work = lvl_work_begin(before->ctx);

    *cells = 0;
    /* the other layer of a drawing is its wallpaper, which repeats over a page of any size */
    if ((lvl_scene_main(before) && lvl_scene_main(before)->drawn) ||
        (lvl_scene_main(after) && lvl_scene_main(after)->drawn))
        return LVL_OK;
    for (uint32_t i = 0; i < count; i++) {
        const lvl_scene_layer *a = i < before->layer_count ? &before->layers[i] : NULL;
        const lvl_scene_layer *b = i < after->layer_count ? &after->layers[i] : NULL;
        a = a && (a->drawn || i == before->main_layer) ? NULL : a;
        b = b && (b->drawn || i == after->main_layer) ? NULL : b;
        const uint32_t columns = larger_of(a ? a->columns : 0, b ? b->columns : 0);
        const uint32_t rows = larger_of(a ? a->rows : 0, b ? b->rows : 0);
        for (uint32_t y = 0; y < rows; y++) {
            if (!lvl_work_charge(&work, columns))
                return work.status;
            count_row(a, b, y, columns, cells);
        }
    }
    return LVL_OK;
}

void lvl_scene_changes_free(const lvl_scene *scene, lvl_scene_change *list)
{
    (void)scene;
    free(list);
}
