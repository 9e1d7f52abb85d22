/*
 * graal/gani/gani_findings_list.h: the findings about animations, as in graal_findings_list.h. Included where
 * FINDING and REPAIRED are defined.
 */

/* the reader */
FINDING(VERSION, "gani.header.version", W, W, N,
        "The first line names an unknown version. It is read as GANI0001.")
FINDING(OBFUSCATED, "gani.obfuscated", W, W, W,
        "An obfuscated export (GANI0FP4). It is kept as it is and cannot be shown.")
FINDING(UNKNOWN_LINE, "gani.line.unknown", W, N, N,
        "A line with an unknown keyword. Players skip it; it is kept among `others`.")
FINDING(ODD_LINE, "gani.line.odd", W, W, N,
        "A line has too few or too many fields, or a word where a number is expected. Missing fields are 0.")
REPAIRED(NOT_ENDED, "gani.end.missing", E, E, E,
         "SCRIPT, ANI, ACTOR or MOVIE has no end line: the file was probably cut off.",
         "adds the missing line")
REPAIRED(SECOND_BLOCK, "gani.block.second", E, E, E,
         "A second block of frames or actors. Only the first is read; the lines of this one are kept among "
         "`others`.",
         "joins it to the first, if the file is then sound")
REPAIRED(OUTSIDE, "gani.line.outside", E, E, E,
         "A line of a frame or actor after ANIEND or MOVIEEND: the end comes too early. It is not played; it "
         "is kept among `others`.",
         "moves the end after it, if the file is then sound")

/* rules */
FINDING(ATTACHMENT_PARENT, "gani.attachment.parent", W, N, o,
        "An attachment to a sprite that is not defined: it is never drawn.")
FINDING(ATTACHMENT_CHILD, "gani.attachment.child", W, W, N,
        "An attachment of a sprite that is not defined: nothing is drawn.")
FINDING(PIECE_SPRITE, "gani.piece.sprite", W, W, N,
        "A frame shows a sprite that is not defined: nothing is drawn there.")
FINDING(EFFECT_SPRITE, "gani.effect.sprite", W, N, N, "An effect on a sprite that is not defined.")
FINDING(SPRITE_TWICE, "gani.sprite.twice", W, W, N, "Two sprites have the same id. The later one is used.")
FINDING(DEFAULT_TWICE, "gani.default.twice", W, N, N, "A layer has two defaults. The later one is used.")
FINDING(DEFAULT_EMPTY, "gani.default.empty", N, N, o,
        "A default without a value: the layer shows nothing unless the player fills it.")
REPAIRED(DIRECTIONS, "gani.frame.directions", W, W, N,
         "The number of directions of a frame is wrong: expected one with SINGLEDIRECTION, else four.",
         "adds empty directions")
FINDING(SETBACK_FRAME, "gani.setback.frame", W, W, N, "SETBACKTO names a frame that does not exist.")
FINDING(EMPTY, "gani.empty", W, W, N, "An animation without a frame, or a movie without an actor.")
FINDING(UNWRITABLE, "gani.unwritable", E, E, E,
        "An animation has content that its lines cannot represent: a blank in a word, a line break in a "
        "text, frames and actors together. It would be read back as something else.")
ABOUT(IMAGE_MISSING, "gani.image.missing", W, W, N, NO_PICTURE,
      "A picture that the animation names is missing.", NULL)

/* losses of an animation that is made of others */
FINDING(LOSS_TIME, "gani.loss.time", W, W, W,
        "A frame is shown for a time that is not a multiple of 50 ms; it gets the nearest one.")
