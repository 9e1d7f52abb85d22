/*
 * lvl/color.h: a palette's colour as a record, for the formats that hold palettes.
 */
#ifndef LVL_COLOR_H
#define LVL_COLOR_H

#include <lvl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Three bytes, as on disk. */
typedef struct lvl_color {
    uint8_t red, green, blue;
} lvl_color;

LVL_API extern const lvl_table lvl_color_table;

#ifdef __cplusplus
}
#endif

#endif
