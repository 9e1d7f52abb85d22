/*
 * wap32/wwd_format.h: the row of WWD levels in the table of formats.
 */
#ifndef LVL_WWD_FORMAT_H
#define LVL_WWD_FORMAT_H

#include "base/format.h"

extern const lvl_format lvl_format_wwd;

#endif
