/*
 * wap32/color.h: what the formats with a palette share: lists of colours in and out, and the nearest colour.
 */
#ifndef LVL_WWD_COLOR_H
#define LVL_WWD_COLOR_H

#include "base/format.h"

#include <lvl/color.h>

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
/* The index from `first` on whose colour is nearest. */
uint8_t lvl_palette_nearest(const lvl_palette *palette, unsigned first, const uint8_t rgb[3]);

#endif
