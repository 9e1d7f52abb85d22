/*
 * codec/jpeg_blocks.h: the pixels of a JPEG's coefficients, computed as in Go's decoder, so that they are
 * what games written in Go show.
 */
#ifndef LVL_CODEC_JPEG_BLOCKS_H
#define LVL_CODEC_JPEG_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* 8 by 8 pixels of a channel from its coefficients and quantization steps, both row by row; rows of pixels
 * are `stride` bytes apart. Coefficients of any size are allowed. */
void lvl_jpeg_block(const int16_t coefficients[64], const uint16_t steps[64], uint8_t *out, size_t stride);
/* Converts a pixel from YCbCr to RGB. */
void lvl_jpeg_color(uint8_t y, uint8_t cb, uint8_t cr, uint8_t rgb[3]);

#endif
