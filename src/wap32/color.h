/*
 * wap32/color.h: what the formats with a palette share: lists of colours in and out; a palette made for a
 * picture, and a picture fitted to a palette.
 */
#ifndef LVL_WWD_COLOR_H
#define LVL_WWD_COLOR_H

#include "base/format.h"

#include <lvl/color.h>

/* Whether the context's limits allow that many pixels of `size` bytes: for readers, and for a repair, whose
 * result must be readable under the same limits. LVL_OK, LVL_ERR_LIMIT. */
lvl_status lvl_pixels_allowed(const lvl_ctx *ctx, uint64_t total, uint32_t size);

/* Reports the first pixel with a value above `most`. */
void lvl_pixels_check(const lvl_cells *cells, uint32_t most, const lvl_finding_def *def, lvl_where where,
                      lvl_findings *findings);

/* Reads as many whole colours as the bytes hold, at most 256, for the root's list `field`; `at` is their byte
 * offset in the file, for the sink. */
lvl_status lvl_colors_read(lvl_doc *doc, lvl_bytes bytes, uint64_t at, const lvl_field *field, lvl_sink *sink,
                           lvl_color **colors, uint32_t *count);
void lvl_colors_write(const lvl_color *colors, uint32_t count, lvl_buffer *out);
/* Gives an image a palette of these colours; none of none. LVL_ERR_MEMORY: the image is cleared. */
lvl_status lvl_colors_to_image(const lvl_color *colors, uint32_t count, lvl_image *image);
/* Missing colours are black. */
void lvl_colors_to_palette(const lvl_color *colors, uint32_t count, lvl_palette *out);
/* 256 colours in the document's memory. */
lvl_status lvl_colors_from_palette(lvl_doc *doc, const lvl_palette *palette, lvl_color **colors,
                                   uint32_t *count);
/* True colour to 256 colours. Pixels of less than half opacity don't count. */

/* Chooses up to 255 colours for an RGBA8 picture: exactly its own where it has no more, else by median cut.
 * They start at index 1; index 0 and what is left over are black. */
lvl_status lvl_quantize(const lvl_image *image, lvl_palette *out);

/* The index of the nearest colour, from `first` on, for each pixel; 0 for those that don't count. */
lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, unsigned first,
                            uint8_t *indices);

#endif
