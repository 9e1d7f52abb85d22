/*
 * tools/region.h: regions of cells: of one grid, or of a layer that consists of squares (the chunks of a
 * drawing), which then is one grid without edges, whose cells are counted as in the level.
 */
#ifndef LVL_TOOLS_REGION_H
#define LVL_TOOLS_REGION_H

#include "base/map_layout.h"
#include "tools/edit.h"

/* The fields of squares, as the format's map layout names them. */
typedef struct lvl_squares {
    const lvl_field *list, *key, *x, *y, *pixels;
    const lvl_field *width, *height; /* of the layer: cells of a square */
    void (*begin)(const void *root, void *square);
} lvl_squares;

/* Cells to be written: those of a grid, or, with `grid` NULL, `value` everywhere. */
typedef struct lvl_patch {
    const lvl_cells *grid;
    uint32_t value;
    bool over; /* where it is empty, what is there stays */
} lvl_patch;

/* Whether the field is the format's list of squares. */
bool lvl_squares_find(lvl_squares *squares, const lvl_doc *doc, const lvl_field *list);
/* The field that describes the cells of a region. */
const lvl_field *lvl_region_field(const lvl_doc *doc, const lvl_match *region);
/* Copies the cells of a region to `storage`; `out` points there. What is in no square has the first named
 * value. LVL_ERR_LIMIT, LVL_ERR_MEMORY; LVL_ERR_FORMAT: the grid cannot be decoded; LVL_ERR_MISSING: the
 * region is not in it. */
lvl_status lvl_region_read(const lvl_doc *doc, const lvl_match *region, lvl_buffer *storage, lvl_cells *out);
/* Makes the region that of a grid which is to be written there, whose corner it names, or checks that both
 * have the same size; false, with the reason: they have not. */
bool lvl_region_fit(lvl_editor *e, lvl_match *region, const lvl_cells *grid);
/* Writes the cells of a region; the patch has its size. Squares are made where one is needed. */
void lvl_region_write(lvl_editor *e, const lvl_match *region, const lvl_patch *patch);
/* lvl_copy, where cells that are empty leave what is there. */
lvl_status lvl_copy_over(lvl_doc *to, const char *to_path, const lvl_doc *from, const char *from_path);
/* The cells that have the value of x, y and hang together with it by their sides, as runs of rows, from the
 * top; between squares, what is in none of them counts as empty cells. `visit` returns false to end. */
lvl_status lvl_region_fill(const lvl_doc *doc, const lvl_match *grid, int64_t x, int64_t y,
                           bool (*visit)(void *user, int64_t x0, int64_t x1, int64_t y), void *user);

#endif
