/*
 * tools/paths/region.h: regions of cells: of a grid, or of a layer of squares (the chunks of a drawing),
 * which is treated as one grid without edges, with the coordinates of the level.
 */
#ifndef LVL_TOOLS_PATHS_REGION_H
#define LVL_TOOLS_PATHS_REGION_H

#include "base/map_layout.h"
#include "tools/paths/path.h"

/* The fields of squares (lvl_map_cells), and of their layer. */
typedef struct lvl_squares {
    const lvl_field *list, *key, *x, *y, *pixels;
    const lvl_field *width, *height; /* of the layer: cells of a square */
    void (*begin)(const void *root, void *square);
} lvl_squares;

/* Whether the field is the format's list of squares. */
bool lvl_squares_find(lvl_squares *squares, const lvl_doc *doc, const lvl_field *list);
/* The field that describes the cells of a region. */
const lvl_field *lvl_region_field(const lvl_doc *doc, const lvl_match *region);
/* Copies the cells of a region to `storage`, to which `out` points. Cells outside of all squares are empty.
 * LVL_ERR_LIMIT, LVL_ERR_MEMORY; LVL_ERR_FORMAT: the grid cannot be decoded; LVL_ERR_MISSING: the region is
 * outside of the grid. */
lvl_status lvl_region_read(const lvl_doc *doc, const lvl_match *region, lvl_buffer *storage, lvl_cells *out);
/* Visits the cells that have the value of x, y and are connected to it by their sides, as runs in rows, from
 * the top. Cells outside of all squares are empty. `visit` returns false to end. */
lvl_status lvl_region_fill(const lvl_doc *doc, const lvl_match *grid, int64_t x, int64_t y,
                           bool (*visit)(void *user, int64_t x0, int64_t x1, int64_t y), void *user);

#endif
