/*
 * wap32/art/ani_scene.h: ANI as scenes; calls of its format.
 */
#ifndef LVL_WAP32_ANI_SCENE_H
#define LVL_WAP32_ANI_SCENE_H

#include "wap32/formats.h"

#include <lvl/scene.h>

lvl_status lvl_ani_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out);
lvl_status lvl_ani_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out);

#endif
