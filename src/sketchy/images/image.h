/*
 * sketchy/images/image.h: drawings from pictures and palettes, and changes of their chunks and swatches.
 */
#ifndef LVL_SKETCHY_IMAGE_H
#define LVL_SKETCHY_IMAGE_H

#include "sketchy/text/source.h"

#include <lvl/image.h>

/* The format's `draw`: makes a level, or by options->ending a doodad. The palette is the picture's, or that
 * of the drawing options->palette. */
lvl_status lvl_sketchy_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                            lvl_findings *losses);
/* The format's `read_palette`: swatches in JSON, or a palette of GIMP (palette_file.c). */
lvl_status lvl_sketchy_read_palette(lvl_doc *doc, lvl_bytes file);
/* Embeds a screenshot in a level, in the game's four sizes: screenshots.c. LVL_ERR_UNSUPPORTED: a doodad;
 * LVL_ERR_ARG: a picture of another size. */
enum { LVL_SKETCHY_SHOT_WIDTH = 1280, LVL_SKETCHY_SHOT_HEIGHT = 720 };
lvl_status lvl_sketchy_embed_screenshot(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses);

/* Sets another size of chunks, removes unused swatches: rechunk.c. */
lvl_status lvl_sketchy_restructure(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses);
/* Moves the drawing's pixels to chunks of `size` px, 1 to 255 (else LVL_ERR_ARG), without empty ones:
 * rechunk.c */
lvl_status lvl_sketchy_rechunk(lvl_doc *doc, uint32_t size, lvl_findings *losses);
/* Merges equal swatches, and removes those without px. One always stays: swatches.c */
lvl_status lvl_sketchy_trim_palette(lvl_doc *doc, lvl_findings *losses);

#endif
