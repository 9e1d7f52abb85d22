/*
 * sketchy/flat.h: drawings as plain pictures, and palettes out of other programs' files: what pictures are
 * made of, and drawings of pictures.
 */
#ifndef LVL_SKETCHY_FLAT_H
#define LVL_SKETCHY_FLAT_H

#include "sketchy/drawing.h"

#include <lvl/image.h>

/* format's `to_image`: each px the very colour of its swatch, without pattern or paper; nothing is
 * transparent. A doodad's canvas; of a level all that is drawn, and world 0, 0. With a palette, in the order
 * of the swatches, where all of these are opaque. palette_file.c has the other. */
lvl_status lvl_sketchy_layer_image(const lvl_doc *doc, const char *layer, lvl_image *out);

/* The same of a layer of the document, and the layer of that name or number (NULL: the first); NULL: there is
 * none. */
lvl_status lvl_sketchy_picture_of(const lvl_doc *doc, const lvl_sketchy_layer *layer, lvl_image *out);
const lvl_sketchy_layer *lvl_sketchy_find_layer(const lvl_sketchy *d, const char *layer);

/* format's `read_palette`: JSON of swatches, or a palette of GIMP's. */
lvl_status lvl_sketchy_read_palette(lvl_doc *doc, lvl_bytes file);

#endif
