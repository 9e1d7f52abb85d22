/*
 * sketchy/sketchy_format.h: the entries of this family in the table of formats, and functions that are only
 * used there.
 */
#ifndef LVL_SKETCHY_FORMAT_H
#define LVL_SKETCHY_FORMAT_H

#include "base/format.h"

#include <lvl/scene.h>

extern const lvl_format lvl_format_sketchy; /* levels and doodads */
extern const lvl_format lvl_format_levelpack;

/* How a drawing appears in a map editor: sketchy/look/map.c. */
extern const struct lvl_map_layout lvl_sketchy_map_layout;

/* The scene of a drawing; a doodad's layers as frames (LVL_ERR_UNSUPPORTED for levels): sketchy/look/scene.c.
 * */
lvl_status lvl_sketchy_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out);
lvl_status lvl_sketchy_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out);

/* Embeds a screenshot in a level, in the game's four sizes: screenshots.c. LVL_ERR_UNSUPPORTED: a doodad;
 * LVL_ERR_ARG: a picture of another size. */
enum { LVL_SKETCHY_SHOT_WIDTH = 1280, LVL_SKETCHY_SHOT_HEIGHT = 720 };
lvl_status lvl_sketchy_embed_screenshot(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses);

/* Sets another size of chunks, removes unused swatches: rechunk.c. */
lvl_status lvl_sketchy_restructure(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses);

#endif
