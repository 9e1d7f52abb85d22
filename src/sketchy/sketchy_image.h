/*
 * sketchy/sketchy_image.h: drawings made of pictures.
 */
#ifndef LVL_SKETCHY_IMAGE_H
#define LVL_SKETCHY_IMAGE_H

#include "sketchy/drawing.h"

#include <lvl/image.h>

/* format's `draw`: a level, or, by options->ending, a doodad. The palette is the picture's, or that of the
 * drawing options->palette. */
lvl_status lvl_sketchy_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                            lvl_findings *losses);

/* A new chunk at these columns and rows, with its key and a grid of nothing, in the document's memory;
 * encoded as fits the generation. `grid` gets the cells to draw in. */
lvl_status lvl_sketchy_make_chunk(lvl_doc *doc, uint32_t size, int32_t x, int32_t y, lvl_sketchy_chunk *out,
                                  uint8_t **grid);

#endif
