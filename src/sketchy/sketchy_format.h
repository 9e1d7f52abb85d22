/*
 * sketchy/sketchy_format.h: the rows of this family in the table of formats.
 */
#ifndef LVL_SKETCHY_FORMAT_H
#define LVL_SKETCHY_FORMAT_H

#include "base/format.h"

extern const lvl_format lvl_format_sketchy; /* levels and doodads */
extern const lvl_format lvl_format_levelpack;

#endif
