/*
 * sketchy/sketchy_scene.h: what drawings look like.
 */
#ifndef LVL_SKETCHY_SCENE_H
#define LVL_SKETCHY_SCENE_H

#include "sketchy/paint.h"

lvl_status lvl_sketchy_scene(const lvl_doc *doc, const struct lvl_scene_request *request,
                             struct lvl_scene **out);
/* A doodad's layers as frames. LVL_ERR_UNSUPPORTED for levels. */
lvl_status lvl_sketchy_play(const lvl_doc *doc, const struct lvl_scene_request *request,
                            struct lvl_animation **out);

#endif
