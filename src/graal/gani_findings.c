/*
 * graal/gani_findings.c: what can be found in an animation, how bad it is for whom, and what repair does
 * about it. Players skip what they don't know, so that little here is an error.
 */
#include "graal/gani_internal.h"

#include <stddef.h>

#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define O LVL_NONE

/* a row each, severities in strict, game, salvage */
const lvl_finding_def lvl_gani_findings[LVL_GANI_F_COUNT] = {
    /* ---- the reader ---- */
    [LVL_GANI_F_VERSION] = {"gani.header.version",
                            "The first line names an unknown version. It is read as GANI0001.",
                            {W, W, N},
                            NULL},
    [LVL_GANI_F_OBFUSCATED] = {"gani.obfuscated",
                               "An export that is obfuscated (GANI0FP4). It is kept as it is and cannot be "
                               "shown or changed.",
                               {W, W, W},
                               NULL},
    [LVL_GANI_F_UNKNOWN_LINE] =
        {"gani.line.unknown",
         "A line with an unknown keyword. Players skip it; it is kept among `others`.",
         {W, N, N},
         NULL},
    [LVL_GANI_F_ODD_LINE] =
        {"gani.line.odd",
         "A line lacks a field, has one too many, or has another word in place of a number. Missing fields "
         "are 0.",
         {W, W, N},
         NULL},
    [LVL_GANI_F_NOT_ENDED] = {"gani.end.missing",
                              "SCRIPT, ANI, ACTOR or MOVIE is not ended: the file was probably cut.",
                              {E, W, N},
                              "adds the line that is missing"},
    [LVL_GANI_F_SECOND_BLOCK] = {"gani.block.second",
                                 "A second block of frames or actors. Only the first is read; the lines of "
                                 "this one are kept among `others`.",
                                 {E, E, E},
                                 "joins it to the first, if the file is then sound"},
    [LVL_GANI_F_OUTSIDE] =
        {"gani.line.outside",
         "A line of a frame or actor after ANIEND or MOVIEEND: the end comes too early. It is "
         "not played; it is kept among `others`.",
         {E, E, E},
         "moves the end after it, if the file is then sound"},
    /* ---- rules ---- */
    [LVL_GANI_F_ATTACHMENT_PARENT] = {"gani.attachment.parent",
                                      "An attachment to a sprite that is not defined: it is never drawn.",
                                      {W, N, O},
                                      NULL},
    [LVL_GANI_F_ATTACHMENT_CHILD] = {"gani.attachment.child",
                                     "An attachment of a sprite that is not defined: nothing is drawn.",
                                     {W, W, N},
                                     NULL},
    [LVL_GANI_F_PIECE_SPRITE] = {"gani.piece.sprite",
                                 "A frame shows a sprite that is not defined: nothing is drawn there.",
                                 {W, W, N},
                                 NULL},
    [LVL_GANI_F_EFFECT_SPRITE] = {"gani.effect.sprite",
                                  "An effect on a sprite that is not defined.",
                                  {W, N, N},
                                  NULL},
    [LVL_GANI_F_SPRITE_TWICE] = {"gani.sprite.twice",
                                 "Two sprites have the same id. The later one is used.",
                                 {W, W, N},
                                 NULL},
    [LVL_GANI_F_DEFAULT_TWICE] = {"gani.default.twice",
                                  "A layer has two defaults. The later one is used.",
                                  {W, N, N},
                                  NULL},
    [LVL_GANI_F_DEFAULT_EMPTY] =
        {"gani.default.empty",
         "A default without a value: the layer shows nothing unless the player fills it.",
         {N, N, O},
         NULL},
    [LVL_GANI_F_DIRECTIONS] =
        {"gani.frame.directions",
         "The number of directions of a frame is wrong: expected one with SINGLEDIRECTION, else four.",
         {W, W, N},
         "adds empty directions"},
    [LVL_GANI_F_SETBACK_FRAME] = {"gani.setback.frame",
                                  "SETBACKTO names a frame that does not exist.",
                                  {W, W, N},
                                  NULL},
    [LVL_GANI_F_EMPTY] = {"gani.empty",
                          "An animation without a frame, or a movie without an actor.",
                          {W, W, N},
                          NULL},
    [LVL_GANI_F_UNWRITABLE] = {"gani.unwritable",
                               "An animation has content that its lines cannot represent: a blank in a "
                               "word, a line's end in a text, frames and actors together. It would be read "
                               "back as something else.",
                               {E, E, E},
                               NULL},
    [LVL_GANI_F_IMAGE_MISSING] = {"gani.image.missing",
                                  "A picture that the animation names is missing.",
                                  {W, W, N},
                                  NULL},
};
