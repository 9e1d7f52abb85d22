/*
 * wap32/wwd_map.h: how a level appears in a map editor.
 */
#ifndef LVL_WWD_MAP_H
#define LVL_WWD_MAP_H

#include "base/map_layout.h"

extern const lvl_map_layout lvl_wwd_map_layout;

#endif
