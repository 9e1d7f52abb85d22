/*
 * tools/merge_list.h: a list of records on three sides while it is merged.
 *
 * merge_pairs.c finds which items are the same; merge_list.c decides about each and makes the merged list;
 * merge_shift.c is about objects on a grid that one side moved; merge_condemned.c removes items at the end of
 * the merge.
 */
#ifndef LVL_TOOLS_MERGE_LIST_H
#define LVL_TOOLS_MERGE_LIST_H

#include "tools/merge.h"
#include "tools/merge_ring.h"

/* The list in OURS or THEIRS, beside that in BASE. */
typedef struct lvl_list_side {
    const void *record; /* that has the list */
    uint32_t count;
    lvl_pairs pairs; /* from BASE */
    uint32_t
        *replaced; /* by item of BASE: the item at its place, which it is not paired with; LVL_UNPAIRED; */
    uint32_t *gap; /* or one more than the first item at its place, if it cannot be said which it is */
    uint8_t *used; /* by item: this side refers to it; NULL: nothing can */
} lvl_list_side;

/* Nodes of the ring are the items of OURS, and after them those of THEIRS. */
typedef struct lvl_list_merge {
    lvl_merger *m;
    const lvl_field *field;
    void *record; /* of OURS */
    const void *base_record;
    uint32_t base_count;
    lvl_list_side ours, theirs;
    bool others_moved; /* objects of BASE and of one side were moved as the other side moved its own */
    const void *base_items, *theirs_items; /* as they were before; NULL: not moved */
    lvl_ring ring;
    uint8_t *taken; /* by item of OURS: THEIRS has the same item */
    uint32_t *node_of; /* by item of THEIRS: its node in the merged list, or LVL_UNPAIRED */
    uint8_t *as_base; /* by item of THEIRS: it is added as it is in BASE */
    uint8_t *doomed; /* by node: one side removed it, and the other may refer to it; a lvl_remover */
    uint32_t *numbers; /* by node: its index in the merged list, or LVL_NO_INDEX */
    uint32_t *order; /* the node of each index; once the list is merged, the index of the item */
} lvl_list_merge;

static inline const void *lvl_base_item(const lvl_list_merge *l, uint32_t index)
{
    return lvl_list_item(l->base_record, l->field, index);
}
static inline void *lvl_ours_item(const lvl_list_merge *l, uint32_t index)
{
    return lvl_item_at(l->record, l->field, index);
}
static inline const void *lvl_theirs_item(const lvl_list_merge *l, uint32_t index)
{
    return lvl_list_item(l->theirs.record, l->field, index);
}
/* Conflicts are reported at the item with that index in OURS. */
static inline void lvl_merge_set_index(const lvl_list_merge *l, uint32_t index)
{
    l->m->where.steps[l->m->where.depth - 1].index = index;
}

/* Pairs the items of a side with those of BASE, and finds what replaced the others; `pairs` is zero before,
 * and the lists by item of BASE have room. */
lvl_status lvl_list_side_pair(lvl_list_side *side, const lvl_ctx *ctx, const void *base,
                              const lvl_field *field);
/* If one side moved the content of the grid and its objects, moves the objects of BASE and of the other side
 * by the same distance, and pairs its own again: objects of one kind in a row lie where others were. */
lvl_status lvl_merge_move_others(lvl_list_merge *l, lvl_arena *arena);
/* Moves those of BASE and THEIRS back. */
void lvl_merge_move_back(const lvl_list_merge *l);
/* If one side moved the content of the grid, but not its objects, the place of those that the other side
 * added is a conflict. `count`: items of the merged list. */
void lvl_merge_report_unmoved(const lvl_list_merge *l, uint32_t count);
/* Notes which items of the merged list are condemned. */
void lvl_merge_condemn(const lvl_list_merge *l);

#endif
