/*
 * wap32/formats.h: the formats of WAP32 games, for the table of formats.
 */
#ifndef LVL_WAP32_FORMATS_H
#define LVL_WAP32_FORMATS_H

#include "base/format.h"

#include <lvl/ani.h>

extern const lvl_format lvl_format_wwd;
extern const lvl_format lvl_format_rez;
extern const lvl_format lvl_format_pid;
extern const lvl_format lvl_format_pal;
extern const lvl_format lvl_format_pcx;
extern const lvl_format lvl_format_ani;

/* What a table has of struct T and its rows; and of a struct that begins with its bytes on disk, which are
 * `size`. */
/* clang-format off */
#define LVL_TABLE_OF(T, rows) \
    .struct_size = sizeof(T), .fields = (rows), .field_count = LVL_COUNT_OF(rows)
#define LVL_TABLE_AS_ON_DISK(T, rows, size) \
    LVL_TABLE_OF(T, rows), .disk_size = (size), .same_bytes = (size)
/* clang-format on */

/* The frame number that the animation shows first: `param` of the first step of mode 3. False when it has
 * none. */
bool lvl_ani_first_frame(const lvl_ani *ani, int32_t *frame);

#endif
