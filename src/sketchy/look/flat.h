/*
 * sketchy/look/flat.h: layers as plain pictures for paint programs.
 */
#ifndef LVL_SKETCHY_FLAT_H
#define LVL_SKETCHY_FLAT_H

#include "sketchy/text/source.h"

#include <lvl/image.h>

/* The format's `to_image`: each px has exactly the colour of its swatch, without pattern or paper; empty px
 * are transparent. The picture is a doodad's canvas; of a level all that is drawn, and world 0, 0. It has a
 * palette, in the order of the swatches, if all of these are opaque. */
lvl_status lvl_sketchy_layer_image(const lvl_doc *doc, const char *layer, lvl_image *out);

/* The same for a layer of the document. */
lvl_status lvl_sketchy_picture_of(const lvl_doc *doc, const lvl_sketchy_layer *layer, lvl_image *out);
/* The layer of that name or number (NULL: the first); NULL: no such layer. */
const lvl_sketchy_layer *lvl_sketchy_find_layer(const lvl_sketchy *d, const char *layer);

#endif
