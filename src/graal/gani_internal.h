/*
 * graal/gani_internal.h: shared by the files of animations.
 */
#ifndef LVL_GANI_INTERNAL_H
#define LVL_GANI_INTERNAL_H

#include "base/format.h"
#include "codec/grammar.h"

#include <lvl/gani.h>

extern const lvl_line_rows lvl_gani_frames, lvl_gani_actors;

lvl_status lvl_gani_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_gani_repair(lvl_doc *doc, lvl_repairs *repairs);
lvl_status lvl_gani_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);

typedef enum lvl_gani_finding {
    /* the reader */
    LVL_GANI_F_VERSION,
    LVL_GANI_F_OBFUSCATED,
    LVL_GANI_F_UNKNOWN_LINE,
    LVL_GANI_F_ODD_LINE,
    LVL_GANI_F_NOT_ENDED,
    LVL_GANI_F_SECOND_BLOCK,
    LVL_GANI_F_OUTSIDE,
    /* rules */
    LVL_GANI_F_ATTACHMENT_PARENT,
    LVL_GANI_F_ATTACHMENT_CHILD,
    LVL_GANI_F_PIECE_SPRITE,
    LVL_GANI_F_EFFECT_SPRITE,
    LVL_GANI_F_SPRITE_TWICE,
    LVL_GANI_F_DEFAULT_TWICE,
    LVL_GANI_F_DEFAULT_EMPTY,
    LVL_GANI_F_DIRECTIONS,
    LVL_GANI_F_SETBACK_FRAME,
    LVL_GANI_F_EMPTY,
    LVL_GANI_F_UNWRITABLE,
    LVL_GANI_F_IMAGE_MISSING,
    LVL_GANI_F_COUNT
} lvl_gani_finding;

extern const lvl_finding_def lvl_gani_findings[LVL_GANI_F_COUNT];

#endif
