/*
 * wap32/wwd_scene.h: a WWD as a scene, for the table of formats.
 */
#ifndef LVL_WWD_SCENE_H
#define LVL_WWD_SCENE_H

#include "base/format.h"

#include <lvl/scene.h>

lvl_status lvl_wwd_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out);

#endif
