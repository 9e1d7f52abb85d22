/*
 * graal/gani/gani_scene.h: animations as scenes, one for each frame, and the timing of frames.
 */
#ifndef LVL_GRAAL_GANI_SCENE_H
#define LVL_GRAAL_GANI_SCENE_H

#include "base/format.h"

#include <lvl/scene.h>

/* Choices (lvl_scene_choice): the picture of a layer by its name ("head", "body", "attr1", "param1",
 * "sprites", any name that a sprite has as source); for a PARAM in a frame, the id of a sprite; and the
 * colours of the body: "skin", "coat", "sleeves", "shoes", "belt", or "color0" to "color4", as the game's
 * name or #rrggbb. LVL_ERR_ARG: not a colour. */
lvl_status lvl_gani_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out);
lvl_status lvl_gani_animation(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out);

#endif
