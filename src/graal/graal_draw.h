/*
 * graal/graal_draw.h: a level made of a picture.
 */
#ifndef LVL_GRAAL_DRAW_H
#define LVL_GRAAL_DRAW_H

#include "base/format.h"

/* format's `draw`: the board shows the picture with the tiles of options->tileset. Cells that none of them
 * shows get the most similar one, and are losses; transparent ones stay as in an empty level. */
lvl_status lvl_graal_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *options,
                          lvl_findings *losses);

#endif
