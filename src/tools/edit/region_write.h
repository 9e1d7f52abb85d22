/*
 * tools/edit/region_write.h: writing of regions of cells.
 */
#ifndef LVL_TOOLS_EDIT_REGION_WRITE_H
#define LVL_TOOLS_EDIT_REGION_WRITE_H

#include "tools/edit/edit.h"
#include "tools/paths/region.h"

/* Cells to write: those of a grid, or, with `grid` NULL, `value` everywhere. */
typedef struct lvl_patch {
    const lvl_cells *grid;
    uint32_t value;
    bool over; /* empty cells are not written */
} lvl_patch;

/* Extends a region of one cell, the upper left corner, to the size of the grid to write there; checks that
 * any other region has that size. False: it does not fit, which is reported. */
bool lvl_region_fit(lvl_editor *e, lvl_match *region, const lvl_cells *grid);
/* Writes the cells of a region, whose size the patch has. Adds squares where needed. */
void lvl_region_write(lvl_editor *e, const lvl_match *region, const lvl_patch *patch);
/* lvl_copy without empty cells. */
lvl_status lvl_copy_over(lvl_doc *to, const char *to_path, const lvl_doc *from, const char *from_path);

#endif
