/*
 * wap32/quantize.h: true colour to 256 colours: a palette made for a picture, and a picture fitted to a
 * palette. Pixels of less than half opacity don't count.
 */
#ifndef LVL_WWD_QUANTIZE_H
#define LVL_WWD_QUANTIZE_H

#include <lvl/image.h>

/* Chooses up to 255 colours for an RGBA8 picture: exactly its own where it has no more, else by median cut.
 * They start at index 1; index 0 and what is left over are black. */
lvl_status lvl_quantize(const lvl_image *image, lvl_palette *out);

/* The index of the nearest colour, from `first` on, for each pixel; 0 for those that don't count. */
lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, unsigned first,
                            uint8_t *indices);

#endif
