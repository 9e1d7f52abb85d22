/*
 * tools/merge_shift.c: one side moved the content of a grid (a crop, a row inserted at the top), and its
 * objects with it. The objects of the two others are moved alike, so that a merge compares places that mean
 * the same.
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

/* Counts the pairs of objects in a list of a layer, and by distance those that moved by it. */
static lvl_status count_votes(const lvl_ctx *ctx, const lvl_map_objects *objects, const void *base,
                              const void *side, lvl_merge_votes *votes)
{
    const lvl_table *table = objects->list->table;
    lvl_pairs pairs;

    const lvl_status status = lvl_pairs_find(&pairs, ctx, base, side, objects->list);
    for (uint32_t i = 0; status == LVL_OK && i < pairs.count_a; i++) {
        if (pairs.a[i] == LVL_UNPAIRED)
            continue;
        void *was = lvl_item_at(base, objects->list, i), *now = lvl_item_at(side, objects->list, pairs.a[i]);
        const double dx = moved_by(table, LVL_ROLE_X, was, now, objects->unit);
        const double dy = moved_by(table, LVL_ROLE_Y, was, now, objects->unit);
        votes->pairs++;
        for (uint32_t k = 0; k < votes->count; k++)
            votes->moved[k] +=
                fabs(dx - (double)votes->px[k][0]) < 1 && fabs(dy - (double)votes->px[k][1]) < 1;
    }
    lvl_pairs_free(&pairs);
    return status;
}

uint32_t lvl_merge_vote(lvl_merger *m, const void *base, const void *side, lvl_merge_votes *votes)
{
    lvl_map_objects objects[LVL_MAP_LISTS];
    const uint32_t lists = lvl_map_objects_of(m->ours->format, objects);

    for (uint32_t i = 0; i < lists; i++) {
        if (objects[i].in_layer && lvl_field_present(base, objects[i].list) &&
            lvl_field_present(side, objects[i].list))
            lvl_merge_fail(m, count_votes(m->ours->ctx, &objects[i], base, side, votes));
    }
    for (uint32_t k = 0; k < votes->count; k++) {
        if (2 * votes->moved[k] > votes->pairs)
            return k;
    }
    return LVL_NO_INDEX;
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
