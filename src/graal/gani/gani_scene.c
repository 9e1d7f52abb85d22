/*
 * graal/gani/gani_scene.c: animations as scenes, one for each frame and all with the same bounds; and the
 * timing of frames.
 */
#include "graal/gani/gani_scene.h"

#include "base/work.h"
#include "base/arena.h"
#include "graal/gani/gani_cast.h"
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
static lvl_status measure(lvl_scene *scene, const lvl_gani_cast *cast, lvl_rect *bounds, bool *has_art)
{
    const lvl_gani *gani = cast->gani;
    lvl_gani_stage stage = {.scene = scene, .measure = true};

    if (is_movie(gani))
        lvl_gani_put_movie(&stage, cast, 0);
    for (uint32_t f = 0; f < gani->frame_count && stage.status == LVL_OK; f++) {
        for (uint32_t d = 0; d < directions_of(gani); d++)
            lvl_gani_put_frame(&stage, cast, f, d);
    }
    lvl_status status = stage.status;
    if (status == LVL_OK)
        status = lvl_charge(scene->ctx, 16 * ((uint64_t)stage.steps + gani->frame_count));
    *has_art = stage.any_drawn;
    *bounds = stage.any_drawn ? stage.drawn
              : stage.any     ? stage.bounds
                              : (lvl_rect){0, 0, LVL_GANI_PLACE - 1, LVL_GANI_PLACE - 1};
    lvl_gani_stage_free(&stage);
    return status;
}

/* ---- scene ------------------------------------------------------------------------------------------- */

static lvl_status fill(lvl_scene *scene, const lvl_gani_cast *cast)
{
    const lvl_scene_request *request = cast->request;
    const lvl_gani *gani = cast->gani;
    lvl_gani_stage stage = {.scene = scene};

    if (is_movie(gani)) {
        const uint32_t last = lvl_gani_movie_length(gani) - 1;
        lvl_gani_put_movie(&stage, cast, request->frame < last ? request->frame : last);
    } else {
        lvl_gani_put_frame(&stage, cast, request->frame,
                           request->direction < DIRECTIONS ? request->direction : DIRECTIONS - 1);
    }
    lvl_status status = stage.status;
    if (status == LVL_OK) {
        scene->things = lvl_scene_alloc(scene, (size_t)stage.count + 1, sizeof *scene->things);
        status = scene->things ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK) {
        if (stage.count)
            memcpy(scene->things, stage.things, (size_t)stage.count * sizeof *scene->things);
        scene->thing_count = stage.count;
        scene->missing_things = stage.missing;
        status = lvl_scene_arrange(scene, true);
    }
    lvl_gani_stage_free(&stage);
    return status;
}

lvl_status lvl_gani_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    lvl_scene *scene = lvl_scene_new(doc->ctx);
    lvl_gani_cast cast;

    if (!scene)
        return LVL_ERR_MEMORY;
    scene->codepage = doc->codepage;
    lvl_status status = lvl_gani_cast_make(&cast, scene, doc->root, request, true);
    if (status == LVL_OK && request->play) {
        scene->bounds = request->play->bounds;
        scene->has_art = request->play->has_art;
    } else if (status == LVL_OK) {
        status = measure(scene, &cast, &scene->bounds, &scene->has_art);
    }
    scene->has_bounds = true;
    if (status == LVL_OK)
        status = fill(scene, &cast);
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
    lvl_gani_cast cast;
    lvl_animation *play = NULL;

    lvl_status status = LVL_ERR_MEMORY;
    if (!scene)
        goto out;
    scene->codepage = doc->codepage;
    status = lvl_gani_cast_make(&cast, scene, doc->root, request, true);
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
    status = measure(scene, &cast, &play->bounds, &play->has_art);
out:
    if (status != LVL_OK) {
        lvl_mem_free(doc->ctx, play);
        play = NULL;
    }
    lvl_scene_free(scene);
    *out = play;
    return status;
}
