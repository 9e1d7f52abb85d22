/*
 * graal/tiles/tiledefs.h: reads a list of tile definitions, for drawing levels.
 */
#ifndef LVL_GRAAL_TILEDEFS_H
#define LVL_GRAAL_TILEDEFS_H

#include "base/format.h"

#include <lvl/tiledefs.h>

/* Visits the definitions of a file in order, until `visit` fails; `def` has views of the file. Lines without
 * a picture or a type are skipped, as in the game. */
lvl_status lvl_graal_tiledefs_visit(lvl_bytes file, lvl_status (*visit)(void *user, const lvl_tiledef *def),
                                    void *user);

#endif
