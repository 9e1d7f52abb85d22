/*
 * graal/gani/gani_pieces.h: an animation prepared for drawing: its sprites by id, with pictures, effects and
 * layers; and the things in a frame.
 */
#ifndef LVL_GRAAL_GANI_PIECES_H
#define LVL_GRAAL_GANI_PIECES_H

#include "graal/gani/gani_body.h"

#include <lvl/gani.h>
#include <lvl/scene.h>

typedef struct lvl_gani_ref {
    int32_t id;
    uint32_t index; /* index in the animation's sprites */
    const lvl_image *image;
    lvl_text picture; /* name of its file, in scene memory; empty: none */
    bool has_effect, has_layer;
    lvl_scene_effect effect;
    int32_t layer;
} lvl_gani_ref;

typedef struct lvl_gani_pieces {
    const lvl_gani *gani;
    const lvl_scene_request *request; /* has the choices for layers */
    bool exact; /* a missing picture is not replaced by a similar one */
    lvl_gani_ref *refs; /* sorted by id, each once */
    uint32_t ref_count;
    const lvl_gani_attachment **attachments; /* by parent, in the file's order */
    const lvl_gani_default **defaults; /* by layer, in the file's order */
    bool has_whole;
    lvl_scene_effect whole; /* effect on the whole animation */
} lvl_gani_pieces;

/* Everything is in the scene's memory. The request must outlive the pieces. LVL_ERR_ARG: a choice for a
 * colour of clothes is not a colour. */
lvl_status lvl_gani_pieces_make(lvl_gani_pieces *pieces, lvl_scene *scene, const lvl_gani *gani,
                                const lvl_scene_request *request, bool exact);

/* Collects things, or only computes their bounds. */
typedef struct lvl_gani_drawing {
    lvl_scene *scene;
    bool measure; /* bounds only */
    int32_t layer; /* added to that of each thing */
    lvl_scene_thing *things;
    uint32_t count;
    size_t cap;
    uint32_t missing; /* things whose picture is missing */
    uint32_t steps; /* pieces so far, including those without a sprite; at most LVL_GANI_MAX_STEPS */
    uint64_t pixels; /* pixels covered by the things */
    bool any, any_drawn;
    lvl_rect bounds, drawn; /* bounds of all things, and of those with a picture */
    lvl_status status;
} lvl_gani_drawing;

enum {
    LVL_GANI_REACH = 2048, /* px from the origin; nothing beyond is drawn */
    LVL_GANI_MAX_STEPS = 1 << 20, /* in all frames */
    LVL_GANI_MAX_THINGS = 1 << 14,
    LVL_GANI_MAX_PIXELS = 1 << 27, /* in one frame */
    LVL_GANI_PLACE = 48 /* width and height of a character's square, in px */
};

/* Adds a sprite and its attachments at x, y. */
void lvl_gani_put(lvl_gani_drawing *drawing, const lvl_gani_pieces *pieces, int32_t id, double x, double y);
/* Adds the pieces of a direction of a frame. */
void lvl_gani_put_frame(lvl_gani_drawing *drawing, const lvl_gani_pieces *pieces, uint32_t frame,
                        uint32_t direction);
/* Adds a thing; its texts must live as long as the scene. */
void lvl_gani_put_thing(lvl_gani_drawing *drawing, const lvl_scene_thing *thing);
void lvl_gani_drawing_free(lvl_gani_drawing *drawing);

/* The duration of a frame in ms. */
uint32_t lvl_gani_duration(const lvl_gani_frame *frame);

/* gani_movie.c: adds the actors of a movie at a tick; with drawing->measure, at all of their keyframes. */
void lvl_gani_put_movie(lvl_gani_drawing *drawing, const lvl_gani_pieces *pieces, uint32_t tick);
/* Number of ticks, at least 1. */
uint32_t lvl_gani_movie_length(const lvl_gani *gani);

#endif
