/*
 * tools/edit/move.h: parts of lvl_move that copies use, too.
 */
#ifndef LVL_TOOLS_EDIT_MOVE_H
#define LVL_TOOLS_EDIT_MOVE_H

#include "tools/edit/list.h"
#include "tools/paths/region.h"

/* Reads a distance as "+64,-0.5", right and down, of up to nine digits each. */
bool lvl_move_read(const char *text, double *dx, double *dy);
/* LVL_ERR_ARG and a finding, unless it is a region: column, row, width, height. */
lvl_status lvl_move_region_ok(const int32_t region[4], lvl_findings *findings);
/* Sets dx, dy of a shift, in px, to the distance of the options, given in units of that many px. LVL_ERR_ARG:
 * it is too far, or not a whole number of px. */
lvl_status lvl_move_distance(const lvl_move_options *options, const int64_t unit[2], lvl_shift *shift,
                             lvl_findings *findings);
/* The same for objects of a list, in their unit or in tiles. `layer`: where they are, or NULL. */
lvl_status lvl_move_distance_of(const lvl_doc *doc, const lvl_map_objects *objects, const void *layer,
                                const lvl_move_options *options, lvl_shift *shift, lvl_findings *findings);
/* The index of the plane with that number or name; NULL: the main one. */
lvl_status lvl_move_plane(const lvl_doc *doc, const char *plane, uint32_t *out, lvl_findings *findings);
/* Whether a region of `plane` has the cells of that layer, too: where layers do not scroll by themselves. */
bool lvl_move_takes(const lvl_doc *doc, uint32_t plane, uint32_t layer);
/* The cells of a region (column, row, width, height) of a layer. */
lvl_match lvl_move_cells(lvl_doc *doc, uint32_t layer, const int32_t region[4]);
/* LVL_ERR_ARG and a finding, if they are not inside the layer's grid. `what`: what they are. */
lvl_status lvl_move_fits(const lvl_match *cells, const char *what, lvl_findings *findings);
/* Reports how many cells are lost that are not empty and not in `left` (x0, y0, x1, y1; NULL: nothing). */
void lvl_move_report(lvl_editor *e, const lvl_map_grid *grid, const lvl_match *to, const lvl_cells *now,
                     const int64_t *left);
/* Sets the area of a shift to a region of a plane; `px` gets the size of its tiles. */
void lvl_move_area(const lvl_doc *doc, uint32_t plane, const int32_t region[4], lvl_shift *shift,
                   int64_t px[2]);
/* Moves `n` items of a list, which name no others than each other. `layer`: where they are, or NULL.
 * `outside`: they may leave the level. */
void lvl_move_items(lvl_editor *e, const lvl_map_objects *objects, void *layer, const lvl_match *first,
                    uint32_t n, lvl_shift *shift, bool outside);
/* lvl_copy, and the copied objects are moved as by lvl_move. What `paths` of the options find is copied with
 * them, so that they name each other's copies; without any path, a region is copied. */
lvl_status lvl_copy_moved(lvl_doc *to, const char *to_path, const lvl_doc *from, const char *from_path,
                          const lvl_move_options *options, size_t *copied, lvl_findings *findings);

#endif
