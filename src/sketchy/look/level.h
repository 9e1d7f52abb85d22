/*
 * sketchy/look/level.h: how drawings are seen: as a scene, in a map editor; levels from the scenes of other
 * games.
 */
#ifndef LVL_SKETCHY_LEVEL_H
#define LVL_SKETCHY_LEVEL_H

#include "scene/scene.h"

/* How a drawing appears in a map editor (map.c). */
extern const struct lvl_map_layout lvl_sketchy_map_layout;

/* The scene of a drawing; a doodad's layers as frames (LVL_ERR_UNSUPPORTED: a level). Both are in scene.c. */
lvl_status lvl_sketchy_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out);
lvl_status lvl_sketchy_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out);

/* The format's `draw_level`. */
lvl_status lvl_sketchy_draw_level(lvl_doc *doc, lvl_level_picture *picture, lvl_findings *losses);

#endif
