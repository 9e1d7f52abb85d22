/*
 * tools/merge_shift.c: one side moved the content of a grid (a crop, a row inserted at the top), and its
 * objects with it. The objects of the two others are moved alike, so that a merge compares places that mean
 * the same.
 */
#include "tools/edit_list.h"
#include "tools/merge_list.h"

#include <stdlib.h>
#include <string.h>

/* The distance in px by which most objects of a list moved. False: BASE and the side have none in common. */
static bool find_distance(const lvl_map_objects *objects, const lvl_pairs *pairs, const void *base,
                          const void *side, int64_t px[2])
{
    const unsigned roles[2] = {LVL_ROLE_X, LVL_ROLE_Y};
    uint32_t lead = 0; /* how many more moved by it than otherwise, of those since it was the first */
    bool any = false;

    for (uint32_t i = 0; i < pairs->count_a; i++) {
        int64_t by[2];
        if (pairs->a[i] == LVL_UNPAIRED)
            continue;
        for (int k = 0; k < 2; k++)
            by[k] = (int64_t)((lvl_place_of(objects->list->table, roles[k],
                                            lvl_item_at(side, objects->list, pairs->a[i])) -
                               lvl_place_of(objects->list->table, roles[k],
                                            lvl_item_at(base, objects->list, i))) *
                              objects->unit);
        if (!lead)
            memcpy(px, by, sizeof by);
        lead += memcmp(px, by, sizeof by) == 0 ? 1 : -1;
        any = true;
    }
    return any;
}

bool lvl_merge_distance(lvl_merger *m, const void *base, const void *side, int64_t px[2])
{
    lvl_map_objects objects[LVL_MAP_LISTS];
    const uint32_t lists = lvl_map_objects_of(m->ours->format, objects);
    bool found = false;

    for (uint32_t i = 0; i < lists && !found; i++) {
        lvl_pairs pairs;
        if (!objects[i].in_layer)
            continue;
        const lvl_status status = lvl_pairs_find(&pairs, m->ours->ctx, base, side, objects[i].list);
        found = status == LVL_OK && find_distance(&objects[i], &pairs, base, side, px);
        lvl_pairs_free(&pairs);
        lvl_merge_fail(m, status);
    }
    return found;
}

/* Whether the side that moved the content of the grid moved the objects on it, too: most of those that it
 * kept, or there are none. */
static bool objects_moved(const lvl_list_merge *l, const lvl_map_objects *objects)
{
    const lvl_list_side *side = l->m->moved == l->m->ours ? &l->ours : &l->theirs;
    int64_t px[2];

    return !find_distance(objects, &side->pairs, l->base_record, side->record, px) || px[0] || px[1];
}

/* Moves the items of a list, as the side that moved the content moved its own. */
static void move_items(lvl_editor *e, const lvl_list_merge *l, const lvl_map_objects *objects,
                       const void *record)
{
    for (uint32_t i = 0; i < lvl_list_count(record, l->field) && e->load.status == LVL_OK; i++)
        lvl_item_move(e, objects, lvl_item_at(record, l->field, i), l->m->moved_x, l->m->moved_y);
}

/* A list whose items are moved while it is merged. */
typedef struct moving {
    lvl_doc *doc;
    const void *record;
    const void *saved; /* its items as they were; NULL: it has none */
    size_t size;
} moving;

static lvl_status save_items(moving *v, const lvl_field *list, lvl_arena *arena)
{
    v->size = (size_t)lvl_list_count(v->record, list) * list->table->struct_size;
    v->saved = v->size ? lvl_arena_copy(arena, lvl_item_at(v->record, list, 0), v->size) : NULL;
    return v->size && !v->saved ? lvl_arena_status(arena, LVL_ERR_MEMORY) : LVL_OK;
}

static void restore_items(const moving *v, const lvl_field *list)
{
    if (v->saved)
        memcpy(lvl_item_at(v->record, list, 0), v->saved, v->size);
}

/* Moves the items of a list; false: one of them cannot be moved, and none is. */
static bool try_move(const lvl_list_merge *l, const lvl_map_objects *objects, const moving *v)
{
    lvl_editor scratch = {.load.doc = v->doc};

    move_items(&scratch, l, objects, v->record);
    free(scratch.entries);
    lvl_buffer_free(&scratch.old);
    if (scratch.load.status != LVL_OK)
        restore_items(v, l->field);
    return scratch.load.status == LVL_OK;
}

lvl_status lvl_merge_move_others(lvl_list_merge *l, lvl_arena *arena)
{
    lvl_merger *m = l->m;
    const bool by_ours = m->moved == m->ours;
    lvl_list_side *side = by_ours ? &l->ours : &l->theirs;
    moving base = {m->base, l->base_record, NULL, 0};
    moving other = {by_ours ? m->theirs : m->ours, by_ours ? l->theirs.record : l->record, NULL, 0};
    lvl_map_objects objects;

    if (!m->moved || other.record == l->base_record || !lvl_map_objects_at(m->ours, &m->where, &objects) ||
        !objects_moved(l, &objects))
        return LVL_OK;
    lvl_status status = save_items(&base, l->field, arena);
    if (status == LVL_OK)
        status = save_items(&other, l->field, arena);
    if (status != LVL_OK || !try_move(l, &objects, &base))
        return status;
    if (!try_move(l, &objects, &other)) {
        restore_items(&base, l->field);
        return LVL_OK;
    }
    if (!by_ours) { /* once more, so that it can be taken back */
        restore_items(&other, l->field);
        move_items(&m->edit, l, &objects, l->record);
    }
    l->base_items = base.saved;
    l->theirs_items = by_ours ? other.saved : NULL;
    l->others_moved = true;
    lvl_pairs_free(&side->pairs);
    memset(&side->pairs, 0, sizeof side->pairs);
    memset(side->gap, 0, ((size_t)l->base_count + 1) * sizeof *side->gap);
    return lvl_list_side_pair(side, m->ours->ctx, l->base_record, l->field);
}

void lvl_merge_move_back(const lvl_list_merge *l)
{
    const size_t size = l->field->table->struct_size;
    const moving base = {l->m->base, l->base_record, l->base_items, l->base_count * size};
    const moving theirs = {l->m->theirs, l->theirs.record, l->theirs_items, l->theirs.count * size};

    restore_items(&base, l->field);
    restore_items(&theirs, l->field);
}

/* Whether only the side that did not move the content of the grid has the item: it added it, or changed it
 * while the other side removed it. */
static bool is_unmoved(const lvl_list_merge *l, uint32_t node)
{
    if (l->m->moved == l->m->ours)
        return node >= l->ours.count;
    if (node >= l->ours.count)
        return false;
    const uint32_t base = l->ours.pairs.b[node];
    return base == LVL_UNPAIRED ? !l->taken[node] : l->theirs.pairs.a[base] == LVL_UNPAIRED;
}

void lvl_merge_report_unmoved(const lvl_list_merge *l, uint32_t count)
{
    lvl_merger *m = l->m;
    const bool by_ours = m->moved == m->ours;
    lvl_map_objects objects;

    if (!m->moved || l->others_moved || !lvl_map_objects_at(m->ours, &m->where, &objects))
        return;
    for (uint32_t i = 0; i < count && lvl_merge_ok(m); i++) {
        if (!is_unmoved(l, l->order[i]))
            continue;
        lvl_merge_set_index(l, i);
        lvl_merge_conflict(m, "%s added it, and %s moved the cells, but not the objects: check its place",
                           by_ours ? "theirs" : "ours", by_ours ? "ours" : "theirs");
    }
    lvl_merge_set_index(l, LVL_NO_INDEX);
}
