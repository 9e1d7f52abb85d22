/*
 * graal/gani/gani_scene.h: animations as scenes, one for each frame, and the timing of frames.
 */
#ifndef LVL_GRAAL_GANI_SCENE_H
#define LVL_GRAAL_GANI_SCENE_H

#include "base/format.h"

#include <lvl/scene.h>

/* Choices (lvl_scene_choice): a layer's picture by its name ("head", "body", "attr1", "param1", "sprites",
 * any name that a sprite has as source), or for a PARAM that a frame draws the id of a sprite; and the
 * colours of the body: "skin", "coat", "sleeves", "shoes", "belt", or "color0" to "color4", as a name of the
 * game's or #rrggbb. LVL_ERR_ARG for a colour that is none. */
lvl_status lvl_gani_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out);
lvl_status lvl_gani_animation(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out);

#endif
