/*
 * lvl/gani.h: the records of an animation of Graal Online (`.gani`): parts of sheets, arranged in frames of
 * up to four directions, or a movie whose actors move from keyframe to keyframe. lvl_doc_root of a document
 * of format "gani" is a lvl_gani.
 *
 * The pieces of a frame are drawn in order. A piece is a sprite, by its id, and its offset in px from the top
 * left corner of the character's square (48 px, feet in the middle of its lower edge).
 * `gani->frames[3].directions[0].pieces[1].dx` is the horizontal position of the fourth frame's second piece
 * when looking up. Texts have one byte per character (usually windows-1252).
 *
 * Members may be assigned at any time. `source` is the file as it was read: lines whose content is unchanged
 * are copied from it when the animation is written.
 */
#ifndef LVL_GANI_H
#define LVL_GANI_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LVL_GANI_TICK = 50, /* ms; a frame lasts one tick, or n + 1 with WAIT n */
    LVL_GANI_WHOLE = -1 /* lvl_gani_effect.sprite: the whole animation */
};

/* lvl_gani.version: the first line of the file. */
typedef enum lvl_gani_version {
    LVL_GANI_BARE, /* no header: the file begins with its definitions */
    LVL_GANI0001,
    LVL_GANI0002, /* usually a movie */
    LVL_GANI0FP4, /* an obfuscated export: its content is not read, see `source` */
    LVL_GANI_VERSIONS
} lvl_gani_version;

/* Directions of a frame, in this order; with single_direction there is one. */
enum { LVL_GANI_UP, LVL_GANI_LEFT, LVL_GANI_DOWN, LVL_GANI_RIGHT };

/* lvl_gani.line_end */
enum { LVL_GANI_LF, LVL_GANI_CRLF };

/* A rectangle of a sheet. Of several with the same id, the last is used. */
typedef struct lvl_gani_sprite {
    int32_t id;
    /* The sheet: a file name, or a layer that the player or a DEFAULT line fills ("BODY", "HEAD", "ATTR1",
     * "PARAM1", …; "SPRITES" and "PICS" are the game's own sheets). */
    lvl_text source;
    int32_t x, y, width, height; /* px, in the sheet */
    lvl_text description; /* for people */
} lvl_gani_sprite;

/* A sprite that is drawn together with another one. */
typedef struct lvl_gani_attachment {
    int32_t parent, child; /* ids of sprites */
    double dx, dy; /* px, from the parent's top left corner to the child's */
    uint8_t under; /* 1: drawn before the parent; 0: after it */
} lvl_gani_attachment;

/* lvl_gani_effect.kind */
typedef enum lvl_gani_effect_kind {
    LVL_GANI_COLOR, /* COLOREFFECT: colours are multiplied */
    LVL_GANI_ZOOM, /* ZOOMEFFECT: factor, about the sprite's middle */
    LVL_GANI_STRETCH_X, /* STRETCHXEFFECT: factor */
    LVL_GANI_STRETCH_Y, /* STRETCHYEFFECT: factor */
    LVL_GANI_ROTATE, /* ROTATEEFFECT: radians, about the sprite's middle */
    LVL_GANI_MODE, /* EFFECTMODE: how it is blended with what is below */
    LVL_GANI_LAYER, /* LAYER: layer that it is drawn in */
    LVL_GANI_EFFECTS
} lvl_gani_effect_kind;

typedef struct lvl_gani_effect {
    uint8_t kind; /* lvl_gani_effect_kind */
    int32_t sprite; /* its id, or LVL_GANI_WHOLE */
    double red, green, blue, alpha; /* 0 … 1; for LVL_GANI_COLOR */
    double value; /* for the other kinds */
} lvl_gani_effect;

/* The default picture of a layer, unless the player or a script sets another. */
typedef struct lvl_gani_default {
    lvl_text layer; /* "HEAD", "ATTR1", "PARAM2" … */
    lvl_text value; /* usually a file name; empty: nothing */
} lvl_gani_default;

typedef struct lvl_gani_piece {
    int32_t sprite; /* its id; unused if `param` isn't empty */
    lvl_text param; /* "PARAM1" …: the program that plays the animation gives the id; empty: it is `sprite` */
    double dx, dy; /* px */
} lvl_gani_piece;

typedef struct lvl_gani_direction {
    lvl_gani_piece *pieces; /* drawn first to last */
    uint32_t piece_count;
} lvl_gani_direction;

typedef struct lvl_gani_sound {
    lvl_text file; /* file name, or "PARAM1", "ATTR1" … */
    uint32_t given; /* number of coordinates in the file: 0, 1 (x), 2 */
    double x, y; /* tiles, from the top left corner of the character's square */
} lvl_gani_sound;

typedef struct lvl_gani_frame {
    /* up, left, down, right, or one; the number is as in the file, which may have more or fewer */
    lvl_gani_direction *directions;
    lvl_gani_sound *sounds; /* played when the frame begins */
    uint32_t direction_count, sound_count;
    double wait; /* ticks added to the duration of one tick */
    lvl_text wait_more; /* words after the number ("RAND"), or empty */
} lvl_gani_frame;

/* A value that is set at a keyframe: "dx", "dir", "ani", "chat" … */
typedef struct lvl_gani_value {
    lvl_text key, value;
} lvl_gani_value;

typedef struct lvl_gani_keyframe {
    int32_t tick; /* of 50 ms, from the start of the movie */
    lvl_gani_value
        *values; /* dx and dy are interpolated between keyframes, all others change at their keyframe */
    uint32_t value_count;
} lvl_gani_keyframe;

typedef struct lvl_gani_actor {
    lvl_text kind; /* "CHAR", "SPRITE", "SOUND", "TEXT" */
    lvl_text name;
    lvl_gani_keyframe *keyframes;
    uint32_t keyframe_count;
} lvl_gani_actor;

typedef struct lvl_gani {
    uint8_t version; /* lvl_gani_version */
    uint8_t loop; /* 1: loops */
    uint8_t continuous; /* 1: continues if it is set again while it plays */
    uint8_t single_direction; /* 1: frames have one direction, which is drawn for all four */
    lvl_text setback_to; /* played after the end: another animation, or the index of a frame; or empty */
    lvl_text back_color; /* background in the editor, "#rrggbb"; or empty */
    lvl_text script; /* lines separated by '\n' */
    lvl_gani_sprite *sprites;
    lvl_gani_attachment *attachments;
    lvl_gani_effect *effects;
    lvl_gani_default *defaults;
    lvl_text *others; /* lines among the definitions with an unknown keyword */
    lvl_gani_frame *frames;
    lvl_gani_actor *actors; /* actors of a movie */
    uint32_t sprite_count, attachment_count, effect_count, default_count, other_count, frame_count,
        actor_count;
    int32_t length; /* length of a movie, in ticks */
    /* kept */
    uint8_t line_end; /* LVL_GANI_LF … */
    lvl_text source; /* the file as it was read */
} lvl_gani;

/* Tables of the above, for bindings. */
LVL_API extern const lvl_table lvl_gani_table;
LVL_API extern const lvl_table lvl_gani_sprite_table, lvl_gani_attachment_table, lvl_gani_effect_table,
    lvl_gani_default_table, lvl_gani_frame_table, lvl_gani_direction_table, lvl_gani_piece_table,
    lvl_gani_sound_table, lvl_gani_actor_table, lvl_gani_keyframe_table, lvl_gani_value_table;

#ifdef __cplusplus
}
#endif

#endif
