/*
 * tools/edit/cell_map.h: replaces values of cells by a table, all at once (lvl set --map).
 */
#ifndef LVL_TOOLS_EDIT_CELL_MAP_H
#define LVL_TOOLS_EDIT_CELL_MAP_H

#include "base/buffer.h"

#include <lvl/tools.h>

/* A row of the table: what is replaced by what, as cells are written in rows of a dump. */
typedef struct lvl_cell_swap {
    lvl_text from, to;
    size_t line;
} lvl_cell_swap;

typedef struct lvl_cell_map {
    lvl_cell_swap *items;
    size_t count, cap;
    lvl_buffer texts;
} lvl_cell_map;

/* Reads a table of two columns in CSV; a first row "from,to" is skipped. LVL_ERR_ARG with a finding: it is
 * none, which `line` says where. Free it in any case. */
lvl_status lvl_cell_map_read(lvl_cell_map *map, lvl_text csv, size_t *line, lvl_findings *findings);
void lvl_cell_map_free(lvl_cell_map *map);
/* Replaces the cells that `path` finds (grids, or regions of them); each cell once, by its old value.
 * `counts`: of each item of the table, is added to. All or none. LVL_ERR_ARG: as lvl_set; or an item of the
 * table is no cell, or two have the same `from`: `line` is its line, or 0. */
lvl_status lvl_cell_map_apply(lvl_doc *doc, const char *path, const lvl_cell_map *map, uint64_t *counts,
                              size_t *changed, size_t *line, lvl_findings *findings);

#endif
