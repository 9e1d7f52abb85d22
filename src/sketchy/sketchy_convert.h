/*
 * sketchy/sketchy_convert.h: drawings from any generation to any other.
 */
#ifndef LVL_SKETCHY_CONVERT_H
#define LVL_SKETCHY_CONVERT_H

#include "sketchy/drawing.h"

extern const lvl_form lvl_sketchy_forms[];
lvl_status lvl_sketchy_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses);

/* The encoding of chunks, LVL_SKETCHY_CHUNK_…, that a generation is written with. */
uint8_t lvl_sketchy_encoding(unsigned generation);

/* ---- drawings made anew ------------------------------------------------------------------------------- */

/* The drawing's pixels in chunks of `size` px, 1 to 255 (else LVL_ERR_ARG); chunks of nothing go. rechunk.c
 */
lvl_status lvl_sketchy_rechunk(lvl_doc *doc, uint32_t size, lvl_findings *losses);
/* Swatches that are the same become the first of them, those that no px has go; one always stays, and so do
 * the first four of a zipped doodad, to whose places the game gives a meaning. swatches.c */
lvl_status lvl_sketchy_trim_palette(lvl_doc *doc, lvl_findings *losses);
/* A new chunk at these columns and rows, with its key and a grid of nothing, in the document's memory;
 * encoded as fits the generation. `grid` gets the cells to draw in. */
lvl_status lvl_sketchy_make_chunk(lvl_doc *doc, uint32_t size, int32_t x, int32_t y, lvl_sketchy_chunk *out,
                                  uint8_t **grid);
/* LVL_ERR_ARG, and says that there are no chunks of that size. */
lvl_status lvl_sketchy_no_chunks(uint32_t size, lvl_findings *losses);
/* A chunk's grid, decoded into `storage` if it wasn't; reports a loss if it couldn't. cells->ptr NULL: there
 * are no px. */
lvl_status lvl_sketchy_chunk_cells(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t chunk,
                                   lvl_buffer *storage, lvl_cells *cells, lvl_findings *losses);
/* Takes the signature away, which no change leaves valid, and reports that. */
void lvl_sketchy_unsign(lvl_doc *doc, lvl_findings *losses);

#endif
