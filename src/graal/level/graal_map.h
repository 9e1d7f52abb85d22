/*
 * graal/level/graal_map.h: how a level appears in a map editor.
 */
#ifndef LVL_GRAAL_MAP_H
#define LVL_GRAAL_MAP_H

#include "base/map_layout.h"

extern const lvl_map_layout lvl_graal_map_layout; /* binary */
extern const lvl_map_layout lvl_nw_map_layout; /* text */
extern const lvl_map_layout lvl_gmap_map_layout; /* a world of them */

#endif
