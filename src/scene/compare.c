/*
 * scene/compare.c: the places where two scenes differ: cells of the main layers as rectangles, things as
 * multisets of what they look like.
 */
#include <lvl/scene.h>

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 256 }; /* cells fetched at once */

typedef struct changes {
    const lvl_ctx *ctx;
    lvl_scene_change *items;
    size_t count, cap;
} changes;

static lvl_status add(changes *list, lvl_change_kind kind, lvl_rect rect, bool thing)
{
    if (list->count == list->cap) {
        const size_t cap = list->cap ? list->cap * 2 : 64;
        lvl_scene_change *items =
            cap > SIZE_MAX / sizeof *items ? NULL : lvl_mem_alloc(list->ctx, cap * sizeof *items);

        if (!items)
            return LVL_ERR_MEMORY;
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        lvl_mem_free(list->ctx, list->items);
        list->items = items;
        list->cap = cap;
    }
    list->items[list->count++] = (lvl_scene_change){kind, rect, thing};
    return LVL_OK;
}

/* ---- cells ----------------------------------------------------------------------------------------------------------------------- */

static const lvl_scene_layer *main_of(const lvl_scene *scene)
{
    return scene->main_layer < scene->layer_count ? &scene->layers[scene->main_layer] : NULL;
}

/* `count` values from column x of row y on; `none` where the layer ends, and where it draws nothing. */
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

/* -1: the same. */
static int change_of(uint32_t a, bool a_none, uint32_t b, bool b_none)
{
    if (a_none && b_none)
        return -1;
    if (a_none)
        return LVL_CHANGE_ADDED;
    if (b_none)
        return LVL_CHANGE_REMOVED;
    return a == b ? -1 : LVL_CHANGE_CHANGED;
}

/* A run of cells that changed alike. Joined to the last rectangles if one of the row above has the same
 * sides. */
static lvl_status add_run(changes *list, size_t *row_above, int kind, const lvl_scene_layer *shape,
                          uint32_t x0, uint32_t x1, uint32_t y)
{
    const int64_t w = shape->cell_width, h = shape->cell_height;
    const int64_t left = x0 * w, right = x1 * w - 1, top = y * h, bottom = top + h - 1;

    if (right > INT32_MAX || bottom > INT32_MAX)
        return LVL_OK; /* beyond what coordinates can say; nobody can see it */
    for (size_t i = *row_above; i < list->count; i++) {
        lvl_scene_change *c = &list->items[i];
        if (c->rect.bottom + 1 == top && c->rect.left == left && c->rect.right == right &&
            (int)c->kind == kind) {
            c->rect.bottom = (int32_t)bottom;
            return LVL_OK;
        }
    }
    const lvl_rect rect = {(int32_t)left, (int32_t)top, (int32_t)right, (int32_t)bottom};
    return add(list, (lvl_change_kind)kind, rect, false);
}

static lvl_status compare_row(changes *list, size_t *row_above, const lvl_scene_layer *a,
                              const lvl_scene_layer *b, uint32_t y, uint32_t columns)
{
    uint32_t av[COLUMNS], bv[COLUMNS];
    bool an[COLUMNS], bn[COLUMNS];
    int run = -1;
    uint32_t start = 0;

    for (uint32_t x = 0; x < columns; x += COLUMNS) {
        const uint32_t n = columns - x < COLUMNS ? columns - x : COLUMNS;
        fetch(a, x, y, n, av, an);
        fetch(b, x, y, n, bv, bn);
        for (uint32_t i = 0; i < n; i++) {
            const int kind = change_of(av[i], an[i], bv[i], bn[i]);
            if (kind == run)
                continue;
            if (run >= 0) {
                lvl_status status = add_run(list, row_above, run, b ? b : a, start, x + i, y);
                if (status != LVL_OK)
                    return status;
            }
            run = kind;
            start = x + i;
        }
    }
    return run >= 0 ? add_run(list, row_above, run, b ? b : a, start, columns, y) : LVL_OK;
}

static lvl_status compare_cells(changes *list, const lvl_scene *before, const lvl_scene *after)
{
    const lvl_scene_layer *a = main_of(before), *b = main_of(after);
    const uint32_t columns = a && b ? (a->columns > b->columns ? a->columns : b->columns)
                             : a    ? a->columns
                             : b    ? b->columns
                                    : 0;
    const uint32_t rows = a && b ? (a->rows > b->rows ? a->rows : b->rows) : a ? a->rows : b ? b->rows : 0;
    size_t row_above = 0;

    for (uint32_t y = 0; y < rows; y++) {
        const size_t before_row = list->count;
        lvl_status status = compare_row(list, &row_above, a, b, y, columns);
        if (status != LVL_OK)
            return status;
        /* Only rectangles that reach the row just done can grow. Those added in it come last; older ones
         * that grew are looked for among the last hundred, which keeps a hostile pair from costing the
         * square of its changes. */
        row_above = before_row > 100 ? before_row - 100 : 0;
    }
    return LVL_OK;
}

/* ---- things ---------------------------------------------------------------------------------------------------------------------- */

static int compare_thing(const lvl_scene_thing *a, const lvl_scene_thing *b)
{
    int c = lvl_text_compare(a->label, b->label);

    if (!c)
        c = (a->x > b->x) - (a->x < b->x);
    if (!c)
        c = (a->y > b->y) - (a->y < b->y);
    return c;
}

static int compare_looks(const lvl_scene_thing *a, const lvl_scene_thing *b)
{
    int c = compare_thing(a, b);

    if (!c)
        c = lvl_text_compare(a->picture, b->picture);
    if (!c)
        c = (a->z > b->z) - (a->z < b->z);
    if (!c)
        c = (a->flags > b->flags) - (a->flags < b->flags);
    return c;
}

static int by_looks(const void *a, const void *b)
{
    return compare_looks(*(const lvl_scene_thing *const *)a, *(const lvl_scene_thing *const *)b);
}

static lvl_status add_thing(changes *list, lvl_change_kind kind, const lvl_scene_thing *thing)
{
    lvl_rect rect;

    if (!lvl_scene_thing_rect(thing, &rect)) {
        const int32_t x = thing->x < 16 - INT32_MAX   ? 16 - INT32_MAX
                          : thing->x > INT32_MAX - 16 ? INT32_MAX - 16
                                                      : thing->x;
        const int32_t y = thing->y < 16 - INT32_MAX   ? 16 - INT32_MAX
                          : thing->y > INT32_MAX - 16 ? INT32_MAX - 16
                                                      : thing->y;
        rect = (lvl_rect){x - 16, y - 16, x + 15, y + 15};
    }
    return add(list, kind, rect, true);
}

static const lvl_scene_thing **sorted_things(const lvl_scene *scene)
{
    const lvl_scene_thing **list = lvl_mem_alloc(scene->ctx, ((size_t)scene->thing_count + 1) * sizeof *list);

    if (!list)
        return NULL;
    for (uint32_t i = 0; i < scene->thing_count; i++)
        list[i] = &scene->things[i];
    qsort(list, scene->thing_count, sizeof *list, by_looks);
    return list;
}

static lvl_status compare_things(changes *list, const lvl_scene *before, const lvl_scene *after)
{
    const lvl_scene_thing **a = sorted_things(before), **b = sorted_things(after);
    lvl_status status = a && b ? LVL_OK : LVL_ERR_MEMORY;
    uint32_t i = 0, j = 0;

    while (status == LVL_OK && (i < before->thing_count || j < after->thing_count)) {
        const bool only_a = j == after->thing_count, only_b = i == before->thing_count;
        const int place = only_a ? -1 : only_b ? 1 : compare_thing(a[i], b[j]);
        const int looks = place ? place : compare_looks(a[i], b[j]);

        if (looks == 0) {
            i++;
            j++;
        } else if (place == 0) { /* the same thing in the same place looks otherwise */
            status = add_thing(list, LVL_CHANGE_CHANGED, b[j]);
            i++;
            j++;
        } else if (place < 0) {
            status = add_thing(list, LVL_CHANGE_REMOVED, a[i++]);
        } else {
            status = add_thing(list, LVL_CHANGE_ADDED, b[j++]);
        }
    }
    lvl_mem_free(before->ctx, (void *)a);
    lvl_mem_free(after->ctx, (void *)b);
    return status;
}

lvl_status lvl_scene_compare(const lvl_scene *before, const lvl_scene *after, lvl_scene_change **out,
                             size_t *count)
{
    changes list = {before->ctx, NULL, 0, 0};
    lvl_status status = compare_cells(&list, before, after);

    if (status == LVL_OK)
        status = compare_things(&list, before, after);
    if (status != LVL_OK) {
        lvl_mem_free(list.ctx, list.items);
        list.items = NULL;
        list.count = 0;
    }
    *out = list.items;
    *count = list.count;
    return status;
}

void lvl_scene_changes_free(const lvl_scene *scene, lvl_scene_change *list)
{
    lvl_mem_free(scene->ctx, list);
}
