/*
 * sketchy/screenshots.h: the pictures of itself that a level holds.
 */
#ifndef LVL_SKETCHY_SCREENSHOTS_H
#define LVL_SKETCHY_SCREENSHOTS_H

#include "sketchy/drawing.h"

#include <lvl/image.h>

enum { LVL_SKETCHY_SHOT_WIDTH = 1280, LVL_SKETCHY_SHOT_HEIGHT = 720 };

/* format's `shoot`: the four sizes that the game keeps. LVL_ERR_UNSUPPORTED: a doodad; LVL_ERR_ARG: a picture
 * of another size. */
lvl_status lvl_sketchy_embed_screenshot(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses);

#endif
