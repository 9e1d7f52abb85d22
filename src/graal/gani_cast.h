/*
 * graal/gani_cast.h: an animation with its sheets found: sprites by id with picture, effect and layer; and
 * the things that its frames put on a stage.
 */
#ifndef LVL_GRAAL_GANI_CAST_H
#define LVL_GRAAL_GANI_CAST_H

#include "graal/gani_body.h"

#include <lvl/gani.h>
#include <lvl/scene.h>

typedef struct lvl_gani_ref {
    int32_t id;
    uint32_t index; /* in the animation's sprites */
    const lvl_image *image;
    lvl_text picture; /* name of the file, in scene memory; empty: none is meant */
    bool has_effect, has_layer;
    lvl_scene_effect effect;
    int32_t layer;
} lvl_gani_ref;

typedef struct lvl_gani_cast {
    const lvl_gani *gani;
    const lvl_scene_request *request; /* its choices fill layers */
    bool exact;                       /* with just these pictures, and none like them */
    lvl_gani_ref *refs;               /* by id, each once */
    uint32_t ref_count;
    const lvl_gani_attachment **attachments; /* by parent, in the file's order */
    const lvl_gani_default **defaults;       /* by layer, in the file's order */
    bool has_whole;
    lvl_scene_effect whole; /* of the whole animation */
} lvl_gani_cast;

/* Everything is in the scene's memory. The request must outlive the cast. LVL_ERR_ARG for a colour of clothes
 * that is none. */
lvl_status lvl_gani_cast_make(lvl_gani_cast *cast, lvl_scene *scene, const lvl_gani *gani,
                              const lvl_scene_request *request, bool exact);

/* What things are put on: collected, or only measured. */
typedef struct lvl_gani_stage {
    lvl_scene *scene;
    const lvl_ctx *ctx;
    bool measure;  /* no things are kept, only where they are */
    int32_t layer; /* added to each thing's */
    lvl_scene_thing *things;
    uint32_t count, cap;
    uint32_t missing;
    uint32_t steps;  /* taken, for pieces that are not found too; LVL_GANI_MOST_STEPS is the end */
    uint64_t pixels; /* that the things cover */
    bool any, any_drawn;
    lvl_rect bounds, drawn; /* measured: of everything, of what has a picture */
    lvl_status status;
} lvl_gani_stage;

enum {
    LVL_GANI_REACH = 2048,         /* px from the origin, beyond which nothing is shown */
    LVL_GANI_MOST_STEPS = 1 << 20, /* pieces of all frames that are measured */
    LVL_GANI_MOST_THINGS = 1 << 14,
    LVL_GANI_MOST_PIXELS = 1 << 27, /* that the things of a frame cover together */
    LVL_GANI_PLACE = 48             /* px of a character's place, each way */
};

/* Puts a sprite with all that is attached to it at x, y. */
void lvl_gani_put(lvl_gani_stage *stage, const lvl_gani_cast *cast, int32_t id, double x, double y);
/* The pieces of a frame seen from a direction. */
void lvl_gani_put_frame(lvl_gani_stage *stage, const lvl_gani_cast *cast, uint32_t frame, uint32_t direction);
/* A thing made elsewhere; its texts must live as long as the scene. */
void lvl_gani_put_thing(lvl_gani_stage *stage, const lvl_scene_thing *thing);
void lvl_gani_stage_free(lvl_gani_stage *stage);

/* ms that a frame lasts. */
uint32_t lvl_gani_duration(const lvl_gani_frame *frame);

/* gani_movie.c: the actors of a movie at a tick; with stage->measure, everywhere that they come to. */
void lvl_gani_put_movie(lvl_gani_stage *stage, const lvl_gani_cast *cast, uint32_t tick);
/* Number of ticks, at least 1. */
uint32_t lvl_gani_movie_length(const lvl_gani *gani);

#endif
