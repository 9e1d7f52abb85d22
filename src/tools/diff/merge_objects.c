/*
 * tools/diff/merge_objects.c: sides changed the columns or rows of a grid (a crop, a row inserted at the
 * top), and moved its objects with it. The objects of all sides are moved to where their cells are in the
 * result, so that a merge compares places that mean the same.
 */
#include "tools/diff/merge.h"
#include "tools/edit/list.h"
#include "tools/paths/objects.h"

#include <stdlib.h>
#include <string.h>

/* The px of a cell of the layer that is merged. */
static void cell_px(const lvl_merger *m, const void *layer, int64_t px[2])
{
    lvl_cell_px(lvl_map_grid_of(m->ours->format), m->where.steps[0].field->table, layer, px);
}

/* Where an object stands, in px. */
static void place_of(const lvl_map_objects *objects, const void *item, int64_t px[2])
{
    const unsigned roles[2] = {LVL_ROLE_X, LVL_ROLE_Y};

    for (int k = 0; k < 2; k++)
        px[k] =
            (int64_t)(lvl_place_of(objects->list->table, roles[k], (void *)(uintptr_t)item) * objects->unit);
}

/* ---- the distance of most objects -------------------------------------------------------------------- */

/* The distance in px by which most objects of a list moved. False: BASE and the side have none in common. */
static bool find_distance(const lvl_map_objects *objects, const lvl_alignment *p, const void *base,
                          const void *side, int64_t px[2])
{
    uint32_t lead = 0; /* how many more moved by it than by another one, since it became the first */
    bool any = false;

    for (uint32_t i = 0; i < p->count_a; i++) {
        int64_t was[2], is[2];
        if (p->a[i] == LVL_UNPAIRED)
            continue;
        place_of(objects, lvl_list_item(base, objects->list, i), was);
        place_of(objects, lvl_list_item(side, objects->list, p->a[i]), is);
        const int64_t by[2] = {is[0] - was[0], is[1] - was[1]};
        if (!lead)
            memcpy(px, by, sizeof by);
        lead += memcmp(px, by, sizeof by) == 0 ? 1 : -1;
        any = true;
    }
    return any;
}

lvl_grid_hint lvl_merge_hint(lvl_merger *m, const void *base, const void *side)
{
    lvl_map_objects objects[LVL_MAP_LISTS];
    const uint32_t lists = lvl_map_objects_of(m->ours->format, objects);
    lvl_grid_hint hint = {false, 0, 0};
    int64_t cell[2], px[2];

    cell_px(m, side, cell);
    for (uint32_t i = 0; i < lists && !hint.known; i++) {
        lvl_alignment p;
        if (!objects[i].in_layer)
            continue;
        const lvl_status status = lvl_align(&p, m->ours->ctx, base, side, objects[i].list);
        hint.known = status == LVL_OK && find_distance(&objects[i], &p, base, side, px) && (px[0] || px[1]) &&
                     cell[0] > 0 && cell[1] > 0 && px[0] % cell[0] == 0 && px[1] % cell[1] == 0;
        lvl_alignment_free(&p);
        lvl_merge_fail(m, status);
    }
    if (hint.known) {
        hint.dx = px[0] / cell[0];
        hint.dy = px[1] / cell[1];
    }
    return hint;
}

/* ---- moving ------------------------------------------------------------------------------------------ */

/* Line `at` of one grid in another one, by `map`; if it is not there, as far after it as the line before. */
static int64_t line_after(const uint32_t *map, uint32_t count, int64_t at)
{
    int64_t line = at < 0 ? 0 : at >= count ? (int64_t)count - 1 : at;

    while (line > 0 && map[line] == LVL_NO_LINE)
        line--;
    while (line < count && line >= 0 && map[line] == LVL_NO_LINE)
        line++;
    return line >= 0 && line < count ? at + map[line] - line : at;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* By how many px an object at `px` of a side moves; `maps`: the lines of the side in the other grid. */
static void distance_of(const uint32_t *const maps[2], const uint32_t counts[2], const int64_t cell[2],
                        const int64_t px[2], int64_t by[2])
{
    for (int k = 0; k < 2; k++) {
        const int64_t line = cell[k] > 0 ? floor_div(px[k], cell[k]) : 0;
        by[k] = maps[k] && cell[k] > 0 ? (line_after(maps[k], counts[k], line) - line) * cell[k] : 0;
    }
}

/* Whether a side (1 OURS, 2 THEIRS) that changed the grid moved the objects on it, too: most of those that
 * had to, or there are none. */
static bool moved_its_own(lvl_merger *m, int side, const lvl_map_objects *objects, const void *base,
                          const void *record)
{
    const uint32_t *const maps[2] = {m->columns->to_side[side], m->rows->to_side[side]};
    const uint32_t counts[2] = {m->columns->count[0], m->rows->count[0]};
    uint32_t moved = 0, all = 0;
    int64_t cell[2];
    lvl_alignment p;

    if (!m->columns->changed[side] && !m->rows->changed[side])
        return true;
    cell_px(m, base, cell);
    lvl_merge_fail(m, lvl_align(&p, m->ours->ctx, base, record, objects->list));
    for (uint32_t i = 0; i < p.count_a && lvl_merge_ok(m); i++) {
        int64_t was[2], is[2], by[2];
        if (p.a[i] == LVL_UNPAIRED)
            continue;
        place_of(objects, lvl_list_item(base, objects->list, i), was);
        place_of(objects, lvl_list_item(record, objects->list, p.a[i]), is);
        distance_of(maps, counts, cell, was, by);
        if (!by[0] && !by[1])
            continue;
        all++;
        moved += is[0] - was[0] == by[0] && is[1] - was[1] == by[1];
    }
    lvl_alignment_free(&p);
    return 2 * moved > all || !all;
}

/* A list whose objects are moved. */
typedef struct moving {
    lvl_doc *doc;
    int side; /* 0 BASE, 1 OURS, 2 THEIRS */
    const void *record;
    const void *saved; /* its items as they were; NULL: it has none */
    size_t size;
} moving;

static void restore_items(const moving *v, const lvl_field *list)
{
    if (v->saved)
        memcpy(lvl_item_at(v->record, list, 0), v->saved, v->size);
}

/* Moves the objects of a list by what the axes say. */
static void move_items(lvl_editor *e, const lvl_merger *m, const moving *v, const lvl_map_objects *objects,
                       const int64_t cell[2])
{
    const uint32_t *const maps[2] = {m->columns->from[v->side], m->rows->from[v->side]};
    const uint32_t counts[2] = {m->columns->count[v->side], m->rows->count[v->side]};

    for (uint32_t i = 0; i < lvl_list_count(v->record, objects->list) && e->load.status == LVL_OK; i++) {
        void *item = lvl_item_at(v->record, objects->list, i);
        int64_t px[2], by[2];
        place_of(objects, item, px);
        distance_of(maps, counts, cell, px, by);
        if (by[0] || by[1])
            lvl_item_move(e, objects, item, by[0], by[1]);
    }
}

/* Whether the objects of a list can be moved; then they are. */
static bool try_move(const lvl_merger *m, const moving *v, const lvl_map_objects *objects,
                     const int64_t cell[2])
{
    lvl_editor scratch = {.load.doc = v->doc};

    move_items(&scratch, m, v, objects, cell);
    free(scratch.entries);
    lvl_buffer_free(&scratch.old);
    return scratch.load.status == LVL_OK;
}

void lvl_merge_move_objects(lvl_merger *m, lvl_moved_objects *moved, void *ours, const void *base,
                            const void *theirs, const lvl_field *list, lvl_arena *arena)
{
    moving all[3] = {
        {m->base, 0, base, NULL, 0}, {m->ours, 1, ours, NULL, 0}, {m->theirs, 2, theirs, NULL, 0}};
    lvl_map_objects objects;
    int64_t cell[2];
    bool good = true;

    *moved = (lvl_moved_objects){.moved = false};
    if (!m->columns || base == theirs || ours == base || !lvl_map_objects_at(m->ours, &m->where, &objects))
        return;
    if (!moved_its_own(m, 1, &objects, base, ours) || !moved_its_own(m, 2, &objects, base, theirs)) {
        moved->unclear = true;
        return;
    }
    cell_px(m, base, cell);
    for (int i = 0; i < 3; i++) {
        all[i].size = (size_t)lvl_list_count(all[i].record, list) * list->table->struct_size;
        if (all[i].size)
            all[i].saved = lvl_arena_copy(arena, lvl_item_at(all[i].record, list, 0), all[i].size);
        if (all[i].size && !all[i].saved)
            lvl_merge_fail(m, lvl_arena_status(arena, LVL_ERR_MEMORY));
    }
    if (!lvl_merge_ok(m))
        return;
    for (int i = 0; i < 3; i++)
        good = try_move(m, &all[i], &objects, cell) && good;
    restore_items(&all[1], list);
    if (good) { /* once more, so that it can be taken back */
        move_items(&m->edit, m, &all[1], &objects, cell);
    } else {
        restore_items(&all[0], list);
        restore_items(&all[2], list);
        return;
    }
    for (int i = 0; i < 2; i++) {
        moved->saved[i] = all[2 * i].saved;
        moved->size[i] = all[2 * i].size;
    }
    moved->moved = true;
}

void lvl_merge_move_back(const lvl_moved_objects *moved, const void *base, const void *theirs,
                         const lvl_field *list)
{
    if (moved->saved[0])
        memcpy(lvl_item_at(base, list, 0), moved->saved[0], moved->size[0]);
    if (moved->saved[1])
        memcpy(lvl_item_at(theirs, list, 0), moved->saved[1], moved->size[1]);
}
