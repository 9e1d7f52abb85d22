/*
 * sketchy/sketchy_map.h: how a drawing appears in a map editor.
 */
#ifndef LVL_SKETCHY_MAP_H
#define LVL_SKETCHY_MAP_H

#include "base/map_layout.h"

extern const lvl_map_layout lvl_sketchy_map_layout;

#endif
