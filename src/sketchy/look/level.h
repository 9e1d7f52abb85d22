/*
 * sketchy/look/level.h: levels from the scenes of other games.
 */
#ifndef LVL_SKETCHY_LEVEL_H
#define LVL_SKETCHY_LEVEL_H

#include "scene/scene.h"

/* The format's `draw_level`. */
lvl_status lvl_sketchy_draw_level(lvl_doc *doc, lvl_level_picture *picture, lvl_findings *losses);

#endif
