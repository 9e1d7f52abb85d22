/*
 * graal/tiles/tiledefs.h: reads the lines of a list of tile definitions, for those who draw levels.
 */
#ifndef LVL_GRAAL_TILEDEFS_H
#define LVL_GRAAL_TILEDEFS_H

#include "base/format.h"

#include <lvl/tiledefs.h>

/* Visits the definitions of a file in their order, until `visit` fails; `def` has views of the file. Lines
 * without a picture or a type are passed over, as in the game. */
lvl_status lvl_graal_tiledefs_visit(lvl_bytes file, lvl_status (*visit)(void *user, const lvl_tiledef *def),
                                    void *user);

#endif
