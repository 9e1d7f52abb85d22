/*
 * sketchy/sketchy_format.h: the entries of this family in the table of formats, and functions that are only
 * used there.
 */
#ifndef LVL_SKETCHY_FORMAT_H
#define LVL_SKETCHY_FORMAT_H

#include "base/format.h"

#include <lvl/scene.h>

extern const lvl_format lvl_format_sketchy; /* levels and doodads */
extern const lvl_format lvl_format_levelpack;

/* The formats' `info` (sketchy_info.c). */
lvl_status lvl_sketchy_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);
lvl_status lvl_levelpack_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);

#endif
