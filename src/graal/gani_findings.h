/*
 * graal/gani_findings.h: what can be found in an animation, by number.
 */
#ifndef LVL_GANI_FINDINGS_H
#define LVL_GANI_FINDINGS_H

#include <lvl/base.h>

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
