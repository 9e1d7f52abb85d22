/*
 * graal/gani/gani_make.h: animations of parts of a picture; a call of the format.
 */
#ifndef LVL_GANI_MAKE_H
#define LVL_GANI_MAKE_H

#include "base/format.h"

lvl_status lvl_gani_animate(lvl_doc *doc, const lvl_animation_parts *parts, lvl_findings *losses);

#endif
