/*
 * graal/gani_items.h: the line of each kind of definition, frame and keyframe: reading it and writing it.
 * Reader and writer share these, so that the writer can tell whether a kept line still says what the record
 * beside it says.
 */
#ifndef LVL_GANI_ITEMS_H
#define LVL_GANI_ITEMS_H

#include "graal/gani_line.h"

/* What a line of the definitions is, and what a run in `order` is. */
typedef enum gani_kind {
    GANI_K_SPRITE,
    GANI_K_ATTACHMENT,
    GANI_K_LENGTH,
    GANI_K_LOOP,
    GANI_K_CONTINUOUS,
    GANI_K_SINGLE_DIRECTION,
    GANI_K_BACK_COLOR,
    GANI_K_SETBACK_TO,
    GANI_K_DEFAULT,
    GANI_K_EFFECT,
    GANI_K_OTHER,
    GANI_K_SCRIPT,
    GANI_K_ANI,
    GANI_K_MOVIE,
    GANI_K_OPEN, /* what ANI or MOVIE began isn't ended */
    GANI_K_BLANK,
    GANI_K_STRAY,   /* a comment, or blanks */
    GANI_K_CUT,     /* the last line has no end */
    GANI_K_NOTHING, /* the file holds nothing */
    GANI_KINDS
} gani_kind;

enum { GANI_SOURCE_WIDTH = 15, GANI_OFFSET_WIDTH = 3, GANI_WIDEST = 60 }; /* the editor's widths */

/* A line is read by its content; the answer has the styles that it is set in and whether it is well. */
gani_kind gani_definition_kind(const char *at, const char *end);
unsigned gani_sprite_read(const char *at, const char *end, int source_width, lvl_gani_sprite *out);
unsigned gani_attachment_read(const char *at, const char *end, unsigned offset_width,
                              lvl_gani_attachment *out);
unsigned gani_effect_read(const char *at, const char *end, lvl_gani_effect *out);
unsigned gani_default_read(const char *at, const char *end, lvl_gani_default *out);
/* FRAMES; SETBACKTO and BACKCOLOR; LOOP and its like. */
unsigned gani_length_read(const char *at, const char *end, int32_t *out);
unsigned gani_argument_read(const char *at, const char *end, lvl_text *out);
unsigned gani_flag_read(const char *at, const char *end, gani_kind kind);

/* The width that the source's column must have for a sprite's line to be set in columns; 0: it tells none, or
 * isn't. */
int gani_source_width(const char *at, const char *end);

/* `g` has the style and widths. */
void gani_sprite_put(lvl_buffer *out, const lvl_gani_sprite *s, const lvl_gani *g);
void gani_attachment_put(lvl_buffer *out, const lvl_gani_attachment *a, const lvl_gani *g);
void gani_effect_put(lvl_buffer *out, const lvl_gani_effect *e);
void gani_default_put(lvl_buffer *out, const lvl_gani_default *d);

/* What a line between ANI and ANIEND is. */
typedef enum gani_frame_line {
    GANI_L_BLANK, /* nothing at all */
    GANI_L_SPACE, /* blanks: a direction without pieces */
    GANI_L_PIECES,
    GANI_L_WAIT,
    GANI_L_SOUND,
    GANI_L_END,
    GANI_L_STRAY
} gani_frame_line;

gani_frame_line gani_frame_line_kind(const char *at, const char *end);
/* The next piece of a direction's line; false at its end. `first`: the cursor is at the start of the line. */
bool gani_piece_read(gani_cursor *c, bool first, lvl_gani_piece *out);
unsigned gani_wait_read(const char *at, const char *end, double *wait, lvl_text *more);
unsigned gani_sound_read(const char *at, const char *end, lvl_gani_sound *out);

void gani_direction_put(lvl_buffer *out, const lvl_gani_direction *d, unsigned style);
void gani_wait_put(lvl_buffer *out, double wait, lvl_text more);
void gani_sound_put(lvl_buffer *out, const lvl_gani_sound *s);

/* What a line between MOVIE and MOVIEEND is. */
typedef enum gani_movie_line {
    GANI_M_BLANK,
    GANI_M_ACTOR,
    GANI_M_FRAME,
    GANI_M_ACTOREND,
    GANI_M_END,
    GANI_M_STRAY
} gani_movie_line;

gani_movie_line gani_movie_line_kind(const char *at, const char *end);
unsigned gani_actor_read(const char *at, const char *end, lvl_gani_actor *out);
/* "    FRAME 12 " leaves the cursor before the first value; then each value in turn, false at the end. */
int32_t gani_tick_read(gani_cursor *c);
bool gani_value_read(gani_cursor *c, lvl_gani_value *out);

void gani_actor_put(lvl_buffer *out, const lvl_gani_actor *a);
void gani_keyframe_put(lvl_buffer *out, const lvl_gani_keyframe *k);

#endif
