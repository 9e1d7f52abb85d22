/*
 * tools/diff/align.h: which items of two or three lists are the same one. Diffs, merges and the paths of a
 * page go by this alone.
 *
 * Two lists are aligned in this order: items of equal content that keep their order (a longest common
 * subsequence, so that a deletion at the front is one deletion); other items of equal content; items with
 * the same id (LVL_ROLE_ID), if ids are unique on all sides, then with another identity of their table, if
 * no other item has it; then the most similar ones, but in a merge, in a list with LVL_F_UNORDERED, an item
 * with another key is another item. A list with LVL_F_INDEXED is aligned by index.
 */
#ifndef LVL_TOOLS_ALIGN_H
#define LVL_TOOLS_ALIGN_H

#include "base/arena.h"
#include "tools/diff/similar.h"

#define LVL_UNPAIRED UINT32_MAX

typedef struct lvl_alignment {
    uint32_t *a, *b; /* by item: its partner in the other list, or LVL_UNPAIRED */
    uint8_t *moved; /* by item of b: it changed its order */
    uint8_t *copy; /* by item of b: it has no partner, but is equal to an item of a that has one */
    uint32_t count_a, count_b;
} lvl_alignment;

/* Aligns the lists of two records; `list` may be a list of records or of values. For lvl_alignment_free in
 * any case. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_align(lvl_alignment *out, const lvl_ctx *ctx, const void *a, const void *b,
                     const lvl_field *list);
void lvl_alignment_free(lvl_alignment *alignment);

/* Whether a record has grids or lists of records, so that each of its changes gets a line. */
bool lvl_table_is_large(const lvl_table *table);

/* An item on three sides: its index there, or LVL_UNPAIRED. Of an item that only two sides have, and that
 * BASE does not have, `base` is LVL_UNPAIRED: both added it. */
typedef struct lvl_item_row {
    uint32_t base, ours, theirs;
    bool ours_moved, theirs_moved;
    /* that side has something else in its place, or hardly anything of the item is left */
    bool ours_replaced, theirs_replaced;
    /* both replaced it, at another place: what THEIRS has instead is in a row of its own */
    bool split;
} lvl_item_row;

typedef struct lvl_item_rows {
    lvl_item_row *items; /* those of BASE in its order, then those of OURS, then those of THEIRS alone */
    uint32_t count;
    uint32_t *of_ours, *of_theirs; /* by item: its row */
    uint32_t base_count, ours_count, theirs_count;
} lvl_item_rows;

/* The list in the records of the three sides; those of `base` NULL: none. Memory is of the arena.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_item_rows_find(lvl_item_rows *out, lvl_arena *arena, const lvl_ctx *ctx, const void *base,
                              const void *ours, const void *theirs, const lvl_field *list);

#endif
