/*
 * graal/gani/gani_scene.c: animations as scenes, one for each frame and all with the same bounds; and the
 * timing of frames.
 */
#include "graal/gani/gani_scene.h"

#include "base/work.h"
#include "base/arena.h"
#include "graal/gani/gani_pieces.h"
#include "scene/scene.h"

#include <string.h>

static const char *const direction_names[] = {"up", "left", "down", "right"};

enum {
    DIRECTIONS = sizeof direction_names / sizeof *direction_names,
    MAX_FRAMES = 1 << 28 /* durations of more frames might not fit in memory */
};

static bool is_movie(const lvl_gani *gani)
{
    return gani->frame_count == 0 && gani->actor_count != 0;
}

static uint32_t frames_of(const lvl_gani *gani)
{
    if (is_movie(gani))
        return lvl_gani_movie_length(gani);
    return gani->frame_count ? gani->frame_count : 1;
}

static uint32_t directions_of(const lvl_gani *gani)
{
    return is_movie(gani) || gani->single_direction ? 1 : DIRECTIONS;
}

/* The bounds of all frames. */
static lvl_status measure(lvl_scene *scene, const lvl_gani_pieces *pieces, lvl_rect *bounds, bool *has_art)
{
    const lvl_gani *gani = pieces->gani;
    lvl_gani_drawing drawing = {.scene = scene, .measure = true};

    if (is_movie(gani))
        lvl_gani_put_movie(&drawing, pieces, 0);
    for (uint32_t f = 0; f < gani->frame_count && drawing.status == LVL_OK; f++) {
        for (uint32_t d = 0; d < directions_of(gani); d++)
            lvl_gani_put_frame(&drawing, pieces, f, d);
    }
    lvl_status status = drawing.status;
    if (status == LVL_OK)
        status = lvl_charge(scene->ctx, 16 * ((uint64_t)drawing.steps + gani->frame_count));
    *has_art = drawing.any_drawn;
    *bounds = drawing.any_drawn ? drawing.drawn
              : drawing.any     ? drawing.bounds
                                : (lvl_rect){0, 0, LVL_GANI_PLACE - 1, LVL_GANI_PLACE - 1};
    lvl_gani_drawing_free(&drawing);
    return status;
}

/* ---- scene ------------------------------------------------------------------------------------------- */

static lvl_status fill(lvl_scene *scene, const lvl_gani_pieces *pieces)
{
    const lvl_scene_request *request = pieces->request;
    const lvl_gani *gani = pieces->gani;
    lvl_gani_drawing drawing = {.scene = scene};

    if (is_movie(gani)) {
        const uint32_t last = lvl_gani_movie_length(gani) - 1;
        lvl_gani_put_movie(&drawing, pieces, request->frame < last ? request->frame : last);
    } else {
        lvl_gani_put_frame(&drawing, pieces, request->frame,
                           request->direction < DIRECTIONS ? request->direction : DIRECTIONS - 1);
    }
    lvl_status status = drawing.status;
    if (status == LVL_OK) {
        scene->things = lvl_scene_alloc(scene, (size_t)drawing.count + 1, sizeof *scene->things);
        status = scene->things ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK) {
        if (drawing.count)
            memcpy(scene->things, drawing.things, (size_t)drawing.count * sizeof *scene->things);
        scene->thing_count = drawing.count;
        scene->missing_things = drawing.missing;
        status = lvl_scene_arrange(scene, true);
    }
    lvl_gani_drawing_free(&drawing);
    return status;
}

lvl_status lvl_gani_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    lvl_scene *scene = lvl_scene_new(doc->ctx);
    lvl_gani_pieces pieces;

    if (!scene)
        return LVL_ERR_MEMORY;
    scene->codepage = doc->codepage;
    lvl_status status = lvl_gani_pieces_make(&pieces, scene, doc->root, request, true);
    if (status == LVL_OK && request->play) {
        scene->bounds = request->play->bounds;
        scene->has_art = request->play->has_art;
    } else if (status == LVL_OK) {
        status = measure(scene, &pieces, &scene->bounds, &scene->has_art);
    }
    scene->has_bounds = true;
    if (status == LVL_OK)
        status = fill(scene, &pieces);
    if (status != LVL_OK)
        return lvl_scene_fail(scene, status);
    *out = scene;
    return LVL_OK;
}

/* ---- play -------------------------------------------------------------------------------------------- */

lvl_status lvl_gani_animation(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out)
{
    const lvl_gani *gani = doc->root;
    const uint32_t frames = frames_of(gani);
    lvl_scene *scene = lvl_scene_new(doc->ctx); /* for its memory */
    lvl_gani_pieces pieces;
    lvl_animation *play = NULL;

    lvl_status status = LVL_ERR_MEMORY;
    if (!scene)
        goto out;
    scene->codepage = doc->codepage;
    status = lvl_gani_pieces_make(&pieces, scene, doc->root, request, true);
    if (status != LVL_OK)
        goto out;
    status = LVL_ERR_MEMORY;
    if (frames > MAX_FRAMES)
        goto out;
    play = lvl_mem_alloc(doc->ctx, sizeof *play + (size_t)frames * sizeof *play->durations);
    if (!play)
        goto out;
    memset(play, 0, sizeof *play);
    uint32_t *durations = (uint32_t *)(play + 1);
    for (uint32_t i = 0; i < frames; i++)
        durations[i] = i < gani->frame_count ? lvl_gani_duration(&gani->frames[i]) : LVL_GANI_TICK;
    play->frames = frames;
    play->directions = directions_of(gani);
    play->durations = durations;
    play->names = play->directions == DIRECTIONS ? direction_names : NULL;
    play->loops = gani->loop != 0;
    status = measure(scene, &pieces, &play->bounds, &play->has_art);
out:
    if (status != LVL_OK) {
        lvl_mem_free(doc->ctx, play);
        play = NULL;
    }
    lvl_scene_free(scene);
    *out = play;
    return status;
}
