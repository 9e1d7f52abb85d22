/*
 * sketchy/images/image.h: drawings from pictures.
 */
#ifndef LVL_SKETCHY_IMAGE_H
#define LVL_SKETCHY_IMAGE_H

#include "sketchy/text/source.h"

#include <lvl/image.h>

/* The format's `draw`: makes a level, or by options->ending a doodad. The palette is the picture's, or that
 * of the drawing options->palette. */
lvl_status lvl_sketchy_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                            lvl_findings *losses);

#endif
