/*
 * tools/edit/list.h: inserts and moves items of lists, and moves objects in a level.
 */
#ifndef LVL_TOOLS_EDIT_LIST_H
#define LVL_TOOLS_EDIT_LIST_H

#include "base/map_layout.h"
#include "tools/edit/edit.h"

/* Inserts `items` new items before the match and adjusts the references to the list. */
bool lvl_editor_insert(lvl_editor *e, const lvl_match *at, uint32_t items);
/* Moves the `n` matching items of one list together, so that the first of them gets index `to` (below 0: from
 * the end), and adjusts the references to the list. */
void lvl_editor_move(lvl_editor *e, const lvl_match *items, size_t n, int64_t to);
/* The index of the first item of a list of records whose member `text` has that value; LVL_NO_INDEX: none. */
uint32_t lvl_item_with_text(const void *record, const lvl_field *list, const lvl_field *text, lvl_text value);
/* The number with that role (LVL_ROLE_X) in a record, or in a record in it; 0: there is none. */
double lvl_place_of(const lvl_table *table, unsigned role, void *record);
/* The width and height of a plane's cell in px. */
void lvl_cell_px(const lvl_map_grid *grid, const lvl_table *table, const void *plane, int64_t px[2]);
/* Adds `by` px to it; `unit`: px of 1. Fails with LVL_ERR_ARG and a finding if the result does not fit. */
void lvl_place_move(lvl_editor *e, const lvl_table *table, unsigned role, void *record, int64_t by,
                    uint32_t unit);
/* A thing that moves: its address, or lvl_shift_tile of where it stands, and by how many px its tile
 * changes. */
typedef struct lvl_shift_name {
    int64_t name, by[2];
} lvl_shift_name;

/* What is moved by dx, dy px: the level, the content of an area, or things. */
typedef struct lvl_shift {
    int64_t dx, dy;
    bool whole; /* the level: every position moves */
    bool has_area;
    double area[4]; /* px: left, top, and where the next column and row begin */
    const lvl_shift_name *names; /* sorted */
    size_t name_count;
} lvl_shift;
/* Whether a point, in px, is in the area. */
bool lvl_shift_has(const lvl_shift *shift, double x, double y);
int64_t lvl_shift_tile(int64_t column, int64_t row);
/* By how many px the tile changes, of that size, on which a thing at `at` px stands, if it moves by `by`. */
int64_t lvl_shift_step(double at, int64_t by, int64_t tile);
/* Moves the positions of an object that follow the shift; `moves`: the object itself, too. */
void lvl_item_shift(lvl_editor *e, const lvl_map_objects *objects, void *item, const lvl_shift *shift,
                    bool moves);
/* Moves an object with the whole level. */
void lvl_item_move(lvl_editor *e, const lvl_map_objects *objects, void *item, int64_t dx, int64_t dy);

#endif
