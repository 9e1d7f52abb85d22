/*
 * tools/paths/region_squares.h: what reading and writing a region have in common.
 */
#ifndef LVL_TOOLS_PATHS_REGION_SQUARES_H
#define LVL_TOOLS_PATHS_REGION_SQUARES_H

#include "tools/paths/region.h"

/* The squares of a layer that a region overlaps. */
typedef struct lvl_square_layer {
    lvl_squares f;
    void *record;
    int64_t width, height; /* cells of a square */
    int64_t x0, y0, x1, y1; /* in squares, inclusive */
    uint32_t count;
} lvl_square_layer;

/* Opens the layer of squares of a region. LVL_ERR_MISSING: it is none. */
lvl_status lvl_squares_open(lvl_square_layer *l, const lvl_doc *doc, const lvl_match *m);
void *lvl_square_at(const lvl_square_layer *l, uint32_t index);
bool lvl_square_is_touched(const lvl_square_layer *l, const void *square);
/* The part of a region in a grid whose corner is at left, top; false: none. */
bool lvl_region_overlap(const int64_t region[4], int64_t left, int64_t top, const lvl_cells *grid,
                        int64_t out[4]);
/* The bytes of a region of cells of that size; charges for them. LVL_ERR_LIMIT. */
lvl_status lvl_region_size(const lvl_doc *doc, const lvl_match *m, uint32_t size, size_t *bytes);

#endif
