/*
 * tools/edit_list.h: items that are put into a list or moved in it, and ids that no two items of a list share
 * (lvl_map_list.unique).
 */
#ifndef LVL_TOOLS_EDIT_LIST_H
#define LVL_TOOLS_EDIT_LIST_H

#include "base/map_layout.h"
#include "tools/edit.h"

/* Makes room for `items` new items before the one that the match names; what means the list follows. */
bool lvl_editor_insert(lvl_editor *e, const lvl_match *at, uint32_t items);
/* Moves the `n` items of one list that were found, all together, so that the first of them becomes number
 * `to` (below 0: from the end); what means the list follows. */
void lvl_editor_move(lvl_editor *e, const lvl_match *items, size_t n, int64_t to);
/* The first item of a list of records whose member `text` is that; LVL_NO_INDEX: none. */
uint32_t lvl_item_with_text(const void *record, const lvl_field *list, const lvl_field *text, lvl_text value);
/* A number of a record by a map layout's name for it, "x" or "point.x"; 0: it has none. */
double lvl_coordinate(const lvl_table *table, const char *name, void *record);
/* px of a cell of a plane, across and down. */
void lvl_cell_px(const lvl_map_grid *grid, const lvl_table *table, void *plane, int64_t px[2]);
/* Adds `by` px to a coordinate, which counts in `unit` px (0: 1). LVL_ERR_ARG, and it is said why: it cannot
 * hold that. */
void lvl_coordinate_move(lvl_editor *e, const lvl_table *table, const char *name, void *record, int64_t by,
                         uint32_t unit);
/* Moves an object, and what its logic takes for places. */
void lvl_item_move(lvl_editor *e, const lvl_table *table, const lvl_map_list *how, void *item, int64_t dx,
                   int64_t dy);
/* What the format's map layout says of a list at that place; NULL: nothing. */
const lvl_map_list *lvl_map_list_at(const lvl_doc *doc, const lvl_where *list);
/* Gives an item an id of its own, unless it has one that no other item has: the next number, or a text in the
 * form of a UUID that follows from the seed. `id`: the field. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_item_make_unique(lvl_doc *doc, void *owner, const lvl_field *list, const lvl_field *id,
                                uint32_t index, lvl_text seed);
/* The same for a new item, if its list has ids. */
void lvl_editor_name_item(lvl_editor *e, const lvl_match *item);

#endif
