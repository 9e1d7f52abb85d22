/*
 * sketchy/rechunk.h: drawings made anew without changing how they look: chunks of another size, palettes
 * without what is too much.
 */
#ifndef LVL_SKETCHY_RECHUNK_H
#define LVL_SKETCHY_RECHUNK_H

#include "sketchy/drawing.h"

/* format's `remake`. */
lvl_status lvl_sketchy_restructure(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses);

/* The drawing's pixels in chunks of `size` px, 1 to 255 (else LVL_ERR_ARG); chunks of nothing go. */
lvl_status lvl_sketchy_rechunk(lvl_doc *doc, uint32_t size, lvl_findings *losses);
/* Swatches that are the same become the first of them, those that no px has go; one always stays. What each
 * is to the game stays, so that in a zipped doodad, where the game fills what the first four don't say by
 * their places, some stay that nothing is drawn with. swatches.c */
lvl_status lvl_sketchy_trim_palette(lvl_doc *doc, lvl_findings *losses);

#endif
