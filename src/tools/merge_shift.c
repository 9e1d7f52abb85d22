/*
 * tools/merge_shift.c: one side moved the content of a grid (a crop, a row inserted at the top), and its
 * objects with it: they are paired by where they were, and objects that the other side added are moved, too.
 */
#include "tools/edit_list.h"
#include "tools/merge_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The px by which the place of an item changed. */
static double moved_by(const lvl_table *table, unsigned role, void *was, void *now, double unit)
{
    return (lvl_place_of(table, role, now) - lvl_place_of(table, role, was)) * unit;
}

/* Whether the side that moved the content of the grid moved the objects on it, too: more of the objects that
 * it kept moved by the same distance than stayed, or there are none. */
static bool objects_moved(const lvl_list_merge *l, const lvl_map_objects *objects)
{
    const lvl_merger *m = l->m;
    const lvl_table *table = l->field->table;
    const lvl_list_side *side = m->moved == m->ours ? &l->ours : &l->theirs;
    const double unit = objects->unit;
    uint32_t moved = 0, stayed = 0;

    for (uint32_t i = 0; i < l->base_count; i++) {
        if (side->pairs.a[i] == LVL_UNPAIRED)
            continue;
        void *was = lvl_item_at(l->base_record, l->field, i);
        void *now = lvl_item_at(side->record, l->field, side->pairs.a[i]);
        const double dx = moved_by(table, LVL_ROLE_X, was, now, unit);
        const double dy = moved_by(table, LVL_ROLE_Y, was, now, unit);
        moved += fabs(dx - (double)m->moved_x) < 1 && fabs(dy - (double)m->moved_y) < 1;
        stayed += fabs(dx) < 1 && fabs(dy) < 1;
    }
    return moved >= stayed;
}

/* Moves the items of a side back; false: one of them cannot be moved. */
static bool move_back(lvl_list_merge *l, lvl_list_side *side, const lvl_map_objects *objects)
{
    lvl_merger *m = l->m;
    lvl_editor scratch = {.load.doc = side == &l->ours ? m->ours : m->theirs};

    for (uint32_t i = 0; i < side->count && scratch.load.status == LVL_OK; i++)
        lvl_item_move(&scratch, objects, lvl_item_at(side->record, l->field, i), -m->moved_x, -m->moved_y);
    free(scratch.entries);
    lvl_buffer_free(&scratch.old);
    return scratch.load.status == LVL_OK;
}

lvl_status lvl_merge_pair_moved(lvl_list_merge *l, lvl_arena *arena)
{
    lvl_merger *m = l->m;
    lvl_list_side *side = m->moved == m->ours ? &l->ours : &l->theirs;
    lvl_map_objects objects;

    if (!m->moved || !side->count || !lvl_map_objects_at(m->ours, &m->where, &objects) ||
        !objects_moved(l, &objects))
        return LVL_OK;
    void *items = lvl_item_at(side->record, l->field, 0);
    const size_t size = (size_t)side->count * l->field->table->struct_size;
    const void *saved = lvl_arena_copy(arena, items, size);
    if (!saved)
        return lvl_arena_status(arena, LVL_ERR_MEMORY);
    lvl_status status = LVL_OK;
    if (move_back(l, side, &objects)) {
        lvl_pairs_free(&side->pairs);
        memset(&side->pairs, 0, sizeof side->pairs);
        memset(side->gap, 0, ((size_t)l->base_count + 1) * sizeof *side->gap);
        status = lvl_list_side_pair(side, m->ours->ctx, l->base_record, l->field);
    }
    memcpy(items, saved, size);
    return status;
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

void lvl_merge_shift_added(const lvl_list_merge *l, uint32_t count)
{
    lvl_merger *m = l->m;
    const bool by_ours = m->moved == m->ours;
    lvl_map_objects objects;

    if (!m->moved || !lvl_map_objects_at(m->ours, &m->where, &objects))
        return;
    const bool moved = objects_moved(l, &objects);
    for (uint32_t i = 0; i < count && lvl_merge_ok(m); i++) {
        if (!is_unmoved(l, l->order[i]))
            continue;
        lvl_merge_set_index(l, i);
        if (moved)
            lvl_item_move(&m->edit, &objects, lvl_ours_item(l, i), m->moved_x, m->moved_y);
        else
            lvl_merge_conflict(m, "%s added it, and %s moved the cells, but not the objects: check its place",
                               by_ours ? "theirs" : "ours", by_ours ? "ours" : "theirs");
    }
    lvl_merge_set_index(l, LVL_NO_INDEX);
}
