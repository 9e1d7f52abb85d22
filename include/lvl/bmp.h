/*
 * lvl/bmp.h: BMP, the pictures of custom levels of WAP32 games: 8 bits per pixel with a palette, or 24 bits.
 */
#ifndef LVL_BMP_H
#define LVL_BMP_H

#include <lvl/color.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LVL_BMP_PLAIN = 0, /* compression: rows of pixels */
    LVL_BMP_RUNS = 1 /* RLE8 */
};

#define LVL_BMP_USUAL (INT64_C(1) << 32) /* data_offset: after the palette and the gap */

typedef struct lvl_bmp {
    uint16_t type; /* 0x4D42, "BM" */
    uint32_t file_size; /* derived */
    uint16_t unknown_06, unknown_08;
    uint64_t data_offset; /* as declared, if it is outside the file; else LVL_BMP_USUAL; kept */
    uint32_t header_size; /* 12, 40, 52, 56, 64, 108 or 124; derived */
    uint8_t os2; /* 1: the header of 12 bytes, with sizes of 16 bits and colours of three bytes */
    uint8_t top_down; /* 1: the first row in the file is the top one, and height is negative */
    int32_t width, height; /* derived from pixels */
    uint16_t planes; /* 1 */
    uint16_t bits; /* of a pixel: 8 or 24 */
    uint32_t compression; /* LVL_BMP_… */
    uint32_t image_size; /* bytes of the pixels and of what follows them; derived, 0 is allowed */
    int32_t dpm_x, dpm_y; /* dots per metre */
    uint32_t used; /* colours in the palette; 0: the maximum */
    uint32_t important;
    lvl_bytes more; /* the rest of a header longer than 40 bytes */
    lvl_color *colors;
    uint32_t color_count; /* up to 256 */
    lvl_bytes reserved; /* the fourth bytes of the colours, if one of them is not 0 */
    lvl_bytes gap; /* bytes between palette and pixels */
    lvl_cells
        pixels; /* palette indices (cells of 1 byte), or 0xRRGGBB (cells of 4) with 24 bits; from the top */
    lvl_bytes rest; /* bytes after the pixels */
    lvl_bytes encoded; /* the pixels as encoded, if lvl encodes them differently; kept */
} lvl_bmp;

LVL_API extern const lvl_table lvl_bmp_table;

#ifdef __cplusplus
}
#endif

#endif
