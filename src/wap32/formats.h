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

/* The frame number that the animation shows first: `param` of the first step of mode 3. False when it has
 * none. */
bool lvl_ani_first_frame(const lvl_ani *ani, int32_t *frame);

#endif
