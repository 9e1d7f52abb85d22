/*
 * catalogue/grid.h: what a catalogue needs of grids of cells: the hash of their content, and tokens of their
 * likeness. Late grids are large and slow to decode, so those that a check decodes are noted meanwhile.
 */
#ifndef LVL_CATALOGUE_GRID_H
#define LVL_CATALOGUE_GRID_H

#include "catalogue/content.h"
#include "catalogue/likeness.h"

#include <lvl/record.h>

/* A grid of pixels. */
typedef struct cat_grid {
    const void *record;
    const lvl_field *field;
    cat_pair hash;
    uint32_t width, height;
    size_t first, rows; /* in cat_grids.rows: hashes of the rows that are not of one value */
} cat_grid;

/* Zeroed, it is empty. */
typedef struct cat_grids {
    cat_grid *items;
    size_t count, cap;
    size_t next; /* of items, which are asked for in the order in which they were noted */
    uint64_t *rows;
    size_t row_count, row_cap;
    uint64_t *cells[2]; /* two rows of tiles */
    size_t cell_cap[2];
} cat_grids;

/* Notes a grid while a document is checked (lvl_grid_fn; `grids`: cat_grids). One that is not noted, for want
 * of memory or since there are too many, is decoded again. */
void cat_grids_note(void *grids, const void *record, const lvl_field *field, const lvl_cells *cells);
/* The grid of this member, if it is the next one; or NULL. */
const cat_grid *cat_grids_next(cat_grids *grids, const void *record, const lvl_field *field);
void cat_grids_free(cat_grids *grids);

/* Tokens of a noted grid: one for each of its rows. `name`: hash of the field's path. */
void cat_grid_sketch(const cat_grids *grids, const cat_grid *grid, uint64_t name, cat_sketch *sketch);
/* Mixes in the hash of pixels, of which there are many: a row is a token. LVL_ERR_MEMORY. */
lvl_status cat_hash_pixels(cat_grids *grids, const lvl_cells *cells, uint64_t name, cat_sketch *sketch,
                           cat_pair *h);
/* The same of tiles, with tokens of windows of 4 by 2 cells. LVL_ERR_MEMORY. */
lvl_status cat_hash_tiles(cat_grids *grids, const lvl_cells *cells, uint64_t name, cat_sketch *sketch,
                          cat_pair *h);

#endif
