/*
 * tools/edit_list.h: inserts and moves items of lists, and moves objects in a level.
 */
#ifndef LVL_TOOLS_EDIT_LIST_H
#define LVL_TOOLS_EDIT_LIST_H

#include "base/map_layout.h"
#include "tools/edit.h"

/* Inserts `items` new items before the match and adjusts the references to the list. */
bool lvl_editor_insert(lvl_editor *e, const lvl_match *at, uint32_t items);
/* Moves the `n` matching items of one list together, so that the first of them gets index `to` (below 0: from
 * the end), and adjusts the references to the list. */
void lvl_editor_move(lvl_editor *e, const lvl_match *items, size_t n, int64_t to);
/* The index of the first item of a list of records whose member `text` has that value; LVL_NO_INDEX: none. */
uint32_t lvl_item_with_text(const void *record, const lvl_field *list, const lvl_field *text, lvl_text value);
/* The value of a number by its name in a map layout, "x" or "point.x"; 0: the record has no such number. */
double lvl_coordinate(const lvl_table *table, const char *name, void *record);
/* The same for the field with that role (LVL_ROLE_X). */
double lvl_place_of(const lvl_table *table, unsigned role, void *record);
/* The width and height of a plane's cell in px. */
void lvl_cell_px(const lvl_map_grid *grid, const lvl_table *table, void *plane, int64_t px[2]);
/* Adds `by` to a coordinate in px. Fails with LVL_ERR_ARG and a finding if the result does not fit. */
void lvl_coordinate_move(lvl_editor *e, const lvl_table *table, const char *name, void *record, int64_t by);
/* Moves an object, and its further fields that are places. */
void lvl_item_move(lvl_editor *e, const lvl_table *table, const lvl_map_list *how, void *item, int64_t dx,
                   int64_t dy);
/* The format's map layout for the list with that path; NULL: none. */
const lvl_map_list *lvl_map_list_at(const lvl_doc *doc, const lvl_where *list);

#endif
