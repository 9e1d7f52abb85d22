/*
 * codec/jpeg_blocks.h: what a JPEG's numbers come to in px, reckoned as Go's decoder does, since that is what
 * games written in Go show.
 */
#ifndef LVL_CODEC_JPEG_BLOCKS_H
#define LVL_CODEC_JPEG_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* 8 by 8 px of a channel from its coefficients and their steps, both row by row; rows of px are `stride`
 * bytes apart. Numbers of any size are allowed. */
void lvl_jpeg_block(const int16_t coefficients[64], const uint16_t steps[64], uint8_t *out, size_t stride);
/* A px of brightness and two colours as red, green, blue. */
void lvl_jpeg_color(uint8_t y, uint8_t cb, uint8_t cr, uint8_t rgb[3]);

#endif
