/*
 * sketchy/images/picture_colors.h: the colours of a picture, and the swatch for each.
 */
#ifndef LVL_SKETCHY_PICTURE_COLORS_H
#define LVL_SKETCHY_PICTURE_COLORS_H

#include "codec/colors.h"
#include "sketchy/text/source.h"

#include <lvl/image.h>

/* The colour of a px by the options: see lvl_draw_options.alpha and .key. False: the px is empty. */
bool lvl_picture_pixel(const lvl_image *image, const lvl_draw_options *draw_options, size_t at,
                       uint32_t *rgba);
/* Adds a picture's colours. */
lvl_status lvl_picture_colors_count(lvl_used_colors *c, const lvl_image *image,
                                    const lvl_draw_options *draw_options);
/* Makes the document's palette of these colours, in their order, or of options->palette; sets the index of
 * each colour to its swatch. Colours that change without an option that asks for it are reported in `losses`.
 * LVL_ERR_ARG: the palette has no colours. */
lvl_status lvl_picture_colors_assign(lvl_used_colors *c, lvl_doc *doc, const lvl_draw_options *draw_options,
                                     lvl_findings *losses);

#endif
