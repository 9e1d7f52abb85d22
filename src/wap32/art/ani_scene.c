/*
 * wap32/art/ani_scene.c: animations as scenes, one for each step, with the pictures of their image set.
 *
 * The file does not say which set: an object of a level has it. So it is searched where people keep it, and
 * taken where it has the numbers that the steps name.
 */
#include "wap32/art/ani_scene.h"
#include "wap32/art/color.h"

#include "base/arena.h"
#include "base/text.h"
#include "base/work.h"
#include "scene/art.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_FRAMES = 4096,
    PATH_SIZE = 512,
    BANKS = 14, /* LEVEL1 to LEVEL14 */
    ENDS = 9, /* loop_mode of the last step */
    STAND_IN = 32 /* half of the side of the box that is drawn without pictures */
};

/* ---- the image set ------------------------------------------------------------------------------------ */

typedef struct search {
    const lvl_ani *ani;
    const lvl_art *art;
    const lvl_art_set *best;
    uint32_t count, of; /* numbers that the best set has, of those that steps name */
} search;

/* Takes the set if it has more of the steps' pictures than what was found before. */
static void consider(search *s, const lvl_art_set *set)
{
    uint32_t count = 0, of = 0;

    if (!set || set == s->best)
        return;
    for (uint32_t i = 0; i < s->ani->step_count; i++) {
        const lvl_ani_step *step = &s->ani->steps[i];
        if (step->step_mode != LVL_ANI_FRAME)
            continue;
        of++;
        count += step->param >= 0 && lvl_art_set_has(set, (uint32_t)step->param);
    }
    if (s->best ? count <= s->count : of && !count)
        return;
    s->best = set;
    s->count = count;
    s->of = of;
}

static bool is_done(const search *s)
{
    return s->best && s->count == s->of;
}

static void consider_in(search *s, const char *base, lvl_text name)
{
    if (!is_done(s))
        consider(s, lvl_art_find(s->art, base, name));
}

/* A name as objects have it ("LEVEL_OFFICER") or headers ("LEVEL1_IMAGES_OFFICER"), or a path of the art
 * ("LEVEL1/IMAGES/OFFICER"). */
static void consider_name(search *s, lvl_text name)
{
    static const char *const folders[] = {"IMAGES", "IMAGEZ"};
    static const struct {
        const char *prefix, *base;
    } pairs[] = {{"LEVEL_", "LEVEL/IMAGES"}, {"LEVEL_", "LEVEL"},      {"GAME_", "GAME/IMAGES"},
                 {"GAME_", "GAME/IMAGEZ"},   {"CLAW_", "CLAW/IMAGES"}, {"CUSTOM_", "IMAGES"}};
    char base[PATH_SIZE];

    if (!name.len || name.len >= sizeof base - 32 || memchr(name.ptr, 0, name.len))
        return;
    snprintf(base, sizeof base, "%.*s", (int)name.len, name.ptr);
    if (strstr(base, ".."))
        return;
    consider_in(s, base, (lvl_text){0});
    for (size_t at = 1; at + 8 < name.len; at++) {
        for (size_t i = 0; i < LVL_COUNT_OF(folders); i++) {
            const lvl_text middle = {name.ptr + at + 1, 6}, rest = {name.ptr + at + 8, name.len - at - 8};
            if (name.ptr[at] != '_' || middle.ptr[6] != '_' ||
                !lvl_text_equal_nocase(middle, lvl_text_of(folders[i])))
                continue;
            snprintf(base, sizeof base, "%.*s/%s", (int)at, name.ptr, folders[i]);
            consider_in(s, base, rest);
        }
    }
    for (size_t i = 0; i < LVL_COUNT_OF(pairs); i++) {
        if (lvl_text_begins_nocase(name, pairs[i].prefix))
            consider_in(s, pairs[i].base,
                        (lvl_text){name.ptr + strlen(pairs[i].prefix), name.len - strlen(pairs[i].prefix)});
    }
    for (unsigned bank = 1; bank <= BANKS && lvl_text_begins_nocase(name, "LEVEL_"); bank++) {
        snprintf(base, sizeof base, "LEVEL%u/IMAGES", bank);
        consider_in(s, base, (lvl_text){name.ptr + 6, name.len - 6});
    }
}

/* ANIS/OFFICER/STAND.ANI has its pictures in IMAGES/OFFICER; OFFICER/STAND.ANI in IMAGES/OFFICER, too. */
static void consider_parallel(search *s, const char *folder)
{
    static const char *const names[] = {"ANIS", "ANIZ"};
    char base[PATH_SIZE];
    const char *rest = folder;

    for (const char *p = folder; p; p = strpbrk(p, "/\\")) {
        p += *p == '/' || *p == '\\';
        const size_t len = strcspn(p, "/\\");
        for (size_t i = 0; i < LVL_COUNT_OF(names); i++) {
            if (p[len] && lvl_text_equal_nocase((lvl_text){p, len}, lvl_text_of(names[i])))
                rest = p + len + 1;
        }
        if (!p[len])
            break;
    }
    if (rest == folder) {
        for (const char *p = folder; *p; p++)
            rest = *p == '/' || *p == '\\' ? p + 1 : rest;
    }
    if (!*rest || strlen(rest) >= sizeof base - 8 || strstr(rest, ".."))
        return;
    snprintf(base, sizeof base, "IMAGES/%s", rest);
    for (char *p = base; *p; p++)
        *p = *p == '\\' ? '/' : *p;
    consider_in(s, base, (lvl_text){0});
    base[5] = 'Z';
    consider_in(s, base, (lvl_text){0});
}

static const lvl_art_set *find_set(const lvl_ani *ani, const lvl_scene_request *request)
{
    search s = {.ani = ani, .art = request->art};

    if (!request->art || ani->step_count > MAX_FRAMES)
        return NULL;
    for (uint32_t i = request->choice_count; i-- > 0;) {
        if (lvl_text_equal_nocase(request->choices[i].name, lvl_text_of("images"))) {
            consider_name(&s, request->choices[i].value);
            return s.best; /* what was asked for, or nothing */
        }
    }
    for (size_t i = 0; i < lvl_art_count(request->art) && !is_done(&s); i++)
        consider(&s, lvl_art_loose(request->art, i));
    const char *folder = lvl_art_level_folder(request->art);
    if (folder)
        consider_parallel(&s, folder);
    consider_name(&s, ani->name);
    return s.best;
}

static const lvl_palette *find_palette(const lvl_art *art)
{
    const char *folder = lvl_art_level_folder(art);
    char path[1024];

    /* only folders count in the path of a picture */
    if (!folder || snprintf(path, sizeof path, "%s/X", folder) >= (int)sizeof path)
        snprintf(path, sizeof path, "X");
    return lvl_wap32_find_palette(art, path);
}

/* ---- frames -------------------------------------------------------------------------------------------- */

typedef struct frame {
    int64_t number; /* -1: unknown */
    uint32_t ms;
} frame;

typedef struct frames {
    frame *items; /* MAX_FRAMES of them */
    uint32_t count;
    bool loops;
} frames;

/* The number of a set before or after another; at its end, the one at the other end; -1: there is none. */
static int64_t beside(const lvl_art_set *set, int64_t number, bool below)
{
    uint32_t found = 0;
    const bool any = set && (lvl_art_set_beside(set, number, below, &found) ||
                             lvl_art_set_beside(set, below ? INT64_C(1) << 32 : -1, below, &found));

    return any ? (int64_t)found : -1;
}

/* The number that a step shows after `number`; -1 is before the first. */
static int64_t after(const lvl_ani_step *step, const lvl_art_set *set, int64_t number)
{
    switch (step->step_mode) {
    case LVL_ANI_FRAME: return step->param < 0 ? -1 : step->param;
    case LVL_ANI_FIRST: return beside(set, -1, false);
    case LVL_ANI_LAST: return beside(set, -1, true);
    case LVL_ANI_PREVIOUS: return beside(set, number, true);
    case LVL_ANI_NEXT: return beside(set, number, false);
    default: return number < 0 ? beside(set, -1, false) : number; /* hold */
    }
}

/* All steps once and, if they go on from where they ended, again until they repeat. */
static lvl_status play_steps(const lvl_ctx *ctx, const lvl_ani *ani, const lvl_art_set *set, frames *out)
{
    int64_t number = -1, begin = -1, last_begin = -1;

    if (ani->step_count > MAX_FRAMES)
        return lvl_refuse_fixed(ctx, "steps of an animation that is drawn", MAX_FRAMES, ani->step_count);
    out->loops = true;
    for (uint32_t pass = 0; out->loops && out->count + ani->step_count <= MAX_FRAMES; pass++) {
        for (uint32_t i = 0; i < ani->step_count && out->loops; i++) {
            const lvl_ani_step *step = &ani->steps[i];
            number = after(step, set, number);
            if (i == 0 && pass && (number == begin || number == last_begin))
                return lvl_charge(ctx, out->count);
            if (i == 0)
                last_begin = number;
            if (i == 0 && !pass)
                begin = number;
            out->items[out->count++] =
                (frame){.number = number, .ms = step->duration > 0 ? (uint32_t)step->duration : 1};
            out->loops = step->loop_mode != ENDS;
        }
        if (!ani->step_count)
            break;
    }
    if (!out->count)
        out->items[out->count++] = (frame){.number = -1, .ms = 1};
    return lvl_charge(ctx, out->count);
}

/* ---- scenes -------------------------------------------------------------------------------------------- */

static lvl_scene_thing thing_of(const lvl_ani *ani, const lvl_art *art, const lvl_art_set *set,
                                const frame *f)
{
    const lvl_image *image = set && f->number >= 0 ? lvl_art_image(art, set, f->number) : NULL;

    return (lvl_scene_thing){.kind = LVL_THING_SCENERY,
                             .flags = set && !image ? LVL_THING_MISSING : 0,
                             .image = image,
                             .has_part = !image,
                             .part =
                                 image ? (lvl_rect){0} : (lvl_rect){0, 0, 2 * STAND_IN - 1, 2 * STAND_IN - 1},
                             .picture = ani->name};
}

/* The bounds of all frames that have a picture, or of a box. */
static lvl_rect measure(const lvl_ani *ani, const lvl_art *art, const lvl_art_set *set, const frames *all,
                        bool *has_art)
{
    lvl_rect bounds = {-STAND_IN, -STAND_IN, STAND_IN - 1, STAND_IN - 1};

    *has_art = false;
    for (uint32_t i = 0; i < all->count; i++) {
        const lvl_scene_thing thing = thing_of(ani, art, set, &all->items[i]);
        lvl_rect r;
        if (!thing.image || !lvl_scene_thing_rect(&thing, &r))
            continue;
        if (!*has_art) {
            bounds = r;
        } else {
            bounds.left = r.left < bounds.left ? r.left : bounds.left;
            bounds.top = r.top < bounds.top ? r.top : bounds.top;
            bounds.right = r.right > bounds.right ? r.right : bounds.right;
            bounds.bottom = r.bottom > bounds.bottom ? r.bottom : bounds.bottom;
        }
        *has_art = true;
    }
    return bounds;
}

static lvl_status fill(lvl_scene *scene, const lvl_ani *ani, const lvl_scene_request *request)
{
    const lvl_art_set *set = find_set(ani, request);
    frames all = {.items = lvl_scene_raw(scene, MAX_FRAMES, sizeof *all.items)};

    scene->things = lvl_scene_alloc(scene, 1, sizeof *scene->things);
    lvl_status status = all.items && scene->things ? play_steps(scene->ctx, ani, set, &all) : LVL_ERR_MEMORY;
    if (status != LVL_OK)
        return status;
    scene->has_bounds = true;
    if (request->play) {
        scene->bounds = request->play->bounds;
        scene->has_art = request->play->has_art;
    } else {
        scene->bounds = measure(ani, request->art, set, &all, &scene->has_art);
    }
    const uint32_t at = request->frame < all.count ? request->frame : all.count - 1;
    scene->things[0] = thing_of(ani, request->art, set, &all.items[at]);
    scene->thing_count = 1;
    scene->missing_things = scene->things[0].flags & LVL_THING_MISSING ? 1 : 0;
    if (scene->things[0].image && !scene->things[0].image->palette)
        scene->palette = find_palette(request->art);
    return lvl_scene_arrange(scene, false);
}

lvl_status lvl_ani_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    lvl_scene *scene = lvl_scene_new(doc->ctx);

    if (!scene)
        return LVL_ERR_MEMORY;
    scene->codepage = doc->codepage;
    const lvl_status status = fill(scene, doc->root, request);
    if (status != LVL_OK)
        return lvl_scene_fail(scene, status);
    *out = scene;
    return LVL_OK;
}

lvl_status lvl_ani_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out)
{
    const lvl_ani *ani = doc->root;
    const lvl_art_set *set = find_set(ani, request);
    frames all = {.items = lvl_mem_alloc(doc->ctx, MAX_FRAMES * sizeof *all.items)};
    lvl_animation *play = NULL;

    lvl_status status = all.items ? play_steps(doc->ctx, ani, set, &all) : LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        play = lvl_mem_alloc(doc->ctx, sizeof *play + (size_t)all.count * sizeof *play->durations);
        status = play ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK) {
        uint32_t *durations = (uint32_t *)(play + 1);
        for (uint32_t i = 0; i < all.count; i++)
            durations[i] = all.items[i].ms;
        *play =
            (lvl_animation){.frames = all.count, .directions = 1, .durations = durations, .loops = all.loops};
        play->bounds = measure(ani, request->art, set, &all, &play->has_art);
    }
    lvl_mem_free(doc->ctx, all.items);
    *out = play;
    return status;
}
