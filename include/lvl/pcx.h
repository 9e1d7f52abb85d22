/*
 * lvl/pcx.h: PCX version 5, as WAP32 games use it: 8 bits per pixel with a palette at the end, or three
 * planes of 8 bits (24-bit colour).
 */
#ifndef LVL_PCX_H
#define LVL_PCX_H

#include <lvl/color.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lvl_pcx {
    uint8_t manufacturer; /* 10 */
    uint8_t version; /* 5; 0, 2, 3 and 4 in older pictures */
    uint8_t encoding; /* 1: runs; 0: none */
    uint8_t bits; /* of a pixel in a plane: 8; 1, 2 or 4 */
    uint16_t x_min, y_min;
    uint16_t x_max, y_max; /* derived: min + size - 1 */
    uint16_t dpi_x, dpi_y;
    uint8_t ega[48];
    uint8_t unknown_40;
    uint8_t planes; /* 1 or 3; 2 to 4 of few bits */
    uint16_t line_bytes; /* of one plane's row, at least the width */
    uint16_t palette_kind; /* 1 colour, 2 grey */
    uint16_t screen_width, screen_height;
    uint8_t unknown_4a[54];
    lvl_cells pixels; /* palette indices (cells of 1 byte), or 0xRRGGBB (cells of 4) with three planes */
    lvl_color *colors;
    uint32_t color_count; /* 256 or 0 */
    lvl_bytes rest; /* bytes between pixels and palette or end */
    lvl_bytes encoded; /* the rows as encoded, if lvl encodes them differently; kept */
} lvl_pcx;

LVL_API extern const lvl_table lvl_pcx_table;

#ifdef __cplusplus
}
#endif

#endif
