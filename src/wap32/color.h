/*
 * wap32/color.h: what the formats with pixels and palettes share: limits and checks of pixels, palettes from
 * and to bytes and images, reduction of true colour to a palette.
 */
#ifndef LVL_WWD_COLOR_H
#define LVL_WWD_COLOR_H

#include "base/format.h"

#include <lvl/color.h>

/* LVL_ERR_LIMIT if the context's limits do not allow `total` pixels of `size` bytes, else LVL_OK. For
 * readers, and for repairs, whose result must be readable with the same limits. */
lvl_status lvl_pixels_allowed(const lvl_ctx *ctx, uint64_t total, uint32_t size);

/* The alpha of pixel number `at`. */
static inline uint8_t lvl_pixel_alpha(const lvl_image *image, size_t at)
{
    return image->format == LVL_PIXELS_RGBA8 ? image->pixels[at * 4 + 3]
           : image->mask                     ? image->mask[at]
                                             : 255;
}

/* Reports the first pixel with a value above `most`. */
void lvl_pixels_check(const lvl_cells *cells, uint32_t most, const lvl_finding_def *def, lvl_where where,
                      lvl_findings *findings);

/* Reads the whole colours in the bytes, at most 256, for the root's list `field`; `at` is their offset in the
 * file, for the sink. */
lvl_status lvl_colors_read(lvl_doc *doc, lvl_bytes bytes, uint64_t at, const lvl_field *field, lvl_sink *sink,
                           lvl_color **colors, uint32_t *count);
void lvl_colors_write(const lvl_color *colors, uint32_t count, lvl_buffer *out);
/* Gives an image a palette of these colours, if there are any. LVL_ERR_MEMORY: the image is cleared. */
lvl_status lvl_colors_to_image(const lvl_color *colors, uint32_t count, lvl_image *image);
/* Missing colours are black. */
void lvl_colors_to_palette(const lvl_color *colors, uint32_t count, lvl_palette *out);
/* Sets *colors to 256 colours in the document's memory. */
lvl_status lvl_colors_from_palette(lvl_doc *doc, const lvl_palette *palette, lvl_color **colors,
                                   uint32_t *count);
/* Chooses up to 255 colours for an RGBA8 picture, from index 1 on: its own if it has no more, else by median
 * cut. The other colours are black. Pixels of less than half opacity are ignored. */
lvl_status lvl_quantize(const lvl_image *image, lvl_palette *out);

/* The index, from 1 on, of the nearest colour for each pixel; 0 for pixels of less than half opacity. */
lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, uint8_t *indices);

#endif
