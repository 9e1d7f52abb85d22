/*
 * graal/world.h: a world: a map together with the levels that it names, found beside it.
 */
#ifndef LVL_GRAAL_WORLD_H
#define LVL_GRAAL_WORLD_H

#include "base/format.h"

#include <lvl/gmap.h>

/* Where a row and a name of a map are. */
lvl_where lvl_gmap_where(uint32_t row);
lvl_where lvl_gmap_where_name(uint32_t x, uint32_t y);

/* world_check.c: what can be said of a map when its levels can be looked at (request->art isn't NULL). */
lvl_status lvl_world_check(const lvl_doc *doc, const lvl_check_request *request);
/* Gives names the case of their files. */
lvl_status lvl_world_mend_names(lvl_doc *doc, lvl_repairs *repairs);

#endif
