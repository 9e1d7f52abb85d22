/*
 * wap32/art/color.h: shared by the formats with pixels and palettes: limits and checks of pixels, palettes
 * from and to bytes and images, reduction of true colour to a palette.
 */
#ifndef LVL_WWD_COLOR_H
#define LVL_WWD_COLOR_H

#include "base/format.h"

#include <lvl/color.h>

/* LVL_ERR_LIMIT if the context's limits do not allow `total` pixels of `size` bytes, else LVL_OK. For readers
 * and repairs, since a repaired file must be readable with the same limits. */
lvl_status lvl_pixels_allowed(const lvl_ctx *ctx, uint64_t total, uint32_t size);

/* The alpha of the pixel with index `at`. */
static inline uint8_t lvl_pixel_alpha(const lvl_image *image, size_t at)
{
    return image->format == LVL_PIXELS_RGBA8 ? image->pixels[at * 4 + 3]
           : image->mask                     ? image->mask[at]
                                             : 255;
}

/* Reports the first pixel with a value above `most`. */
void lvl_pixels_check(const lvl_cells *cells, uint32_t most, const lvl_finding_def *def, lvl_where where,
                      lvl_findings *findings);

/* Cells of palette indices, or with `rgb` of 0xRRGGBB, as a picture; `hole`: cells of 0 are not drawn.
 * LVL_ERR_FORMAT: there are no cells. */
lvl_status lvl_pixels_to_image(const lvl_ctx *ctx, const lvl_cells *cells, bool rgb, bool hole,
                               lvl_image *out);
bool lvl_image_is_opaque(const lvl_image *image);
/* The reverse: cells of 1 byte with the indices of INDEX8, of 4 bytes with the colours of RGBA8. */
lvl_status lvl_pixels_from_image(lvl_doc *doc, const lvl_image *image, lvl_cells *out);

/* Reads the complete colours in the bytes, at most 256, for the root's list `field`; `at` is their offset in
 * the file, for the sink. */
lvl_status lvl_colors_read(lvl_doc *doc, lvl_bytes bytes, uint64_t at, const lvl_field *field, lvl_sink *sink,
                           lvl_color **colors, uint32_t *count);
void lvl_colors_write(const lvl_color *colors, uint32_t count, lvl_buffer *out);
/* Gives an image a palette of these colours, if there are any. LVL_ERR_MEMORY: the image is cleared. */
lvl_status lvl_colors_to_image(const lvl_color *colors, uint32_t count, lvl_image *image);
/* The same into `out`; missing colours are black. */
void lvl_colors_to_palette(const lvl_color *colors, uint32_t count, lvl_palette *out);
/* Sets *colors to 256 colours in the document's memory. */
lvl_status lvl_colors_from_palette(lvl_doc *doc, const lvl_palette *palette, lvl_color **colors,
                                   uint32_t *count);
/* Chooses up to 255 colours for an RGBA8 picture, starting at index 1: its own colours if they fit, else by
 * median cut. The other entries are black. Pixels with less than half opacity are ignored. */
lvl_status lvl_quantize(const lvl_image *image, lvl_palette *out);

/* The palette of any picture: its own, or of RGBA8 as lvl_quantize chooses it, but 256 opaque colours take
 * index 0, too. *count: how many colours an RGBA8 picture has; above 255, or 256 opaque ones, they are not
 * all in the palette. LVL_ERR_UNSUPPORTED: INDEX8 without a palette. */
lvl_status lvl_palette_of_image(const lvl_image *image, lvl_palette *out, uint32_t *count);

/* The index (at least 1) of the nearest colour for each pixel; 0 for pixels with less than half opacity.
 * *missing: how many colours the palette does not have. */
lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, uint8_t *indices,
                            uint32_t *missing);

/* The palette index of each pixel: the picture's own, or those nearest to RGBA8 in image->palette, else in
 * *colors, else in a new palette (*made), 0 where less than half opaque. *colors becomes the palette of an
 * INDEX8 picture, or the new one. *missing: how many colours of an RGBA8 picture are not in the palette. */
lvl_status lvl_draw_indices(lvl_doc *doc, const lvl_image *image, uint8_t *indices, lvl_color **colors,
                            uint32_t *count, uint32_t *missing, bool *made);

/* lvl_format_calls.find_palette of sprites. */
const lvl_palette *lvl_wap32_find_palette(const struct lvl_art *art, const char *path);

#endif
