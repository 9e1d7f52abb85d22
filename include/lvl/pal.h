/*
 * lvl/pal.h: PAL, the palette of a WAP32 level: 256 colours of three bytes, no header (16 of 16 real files
 * are exactly 768 bytes).
 */
#ifndef LVL_PAL_H
#define LVL_PAL_H

#include <lvl/color.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LVL_PAL_COLORS = 256, LVL_PAL_SIZE = 768 };

typedef struct lvl_pal {
    uint8_t text; /* 1: lines of "#rrggbb" (MAIN.TXT); 0: three bytes for each colour */
    lvl_color *colors;
    uint32_t color_count; /* 256; fewer in a cut file */
    lvl_bytes rest; /* bytes after the last whole colour; four in an ACT */
    lvl_bytes source; /* the lines, if lvl would write them differently; kept */
} lvl_pal;

LVL_API extern const lvl_table lvl_pal_table;

#ifdef __cplusplus
}
#endif

#endif
