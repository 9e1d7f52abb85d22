/*
 * graal/gani_movie.c: movies (GANI0002): actors that are moved from keyframe to keyframe.
 *
 * Places (dx, dy) move evenly between the keyframes that name them; all else changes at its keyframe. An
 * actor is there from its first keyframe on, while it is visible. CHAR plays another animation in its own
 * clothes (`ani`, "walk" is walk.gani on the art path), from the tick on at which it was set; SPRITE shows
 * one of the movie's own sprites; TEXT and what a CHAR says (`chat`) are texts; SOUND is heard only.
 */
#include "graal/gani_cast.h"

#include "base/arena.h"
#include "base/text.h"
#include "scene/art.h"
#include "base/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TICKS = 1 << 16,
    MOST_WORN = 64,   /* keys of an actor that are passed to its animation */
    MOST_NEXT = 4,    /* animations that follow one another by SETBACKTO */
    MOST_CHARS = 256, /* whose animation is looked for in one frame */
    STOCK_LAYER = 1
};

uint32_t lvl_gani_movie_length(const lvl_gani *gani)
{
    int32_t length = gani->length;

    for (uint32_t a = 0; a < gani->actor_count && gani->length <= 0; a++) {
        for (uint32_t k = 0; k < gani->actors[a].keyframe_count; k++) {
            if (gani->actors[a].keyframes[k].tick >= length && gani->actors[a].keyframes[k].tick < MOST_TICKS)
                length = gani->actors[a].keyframes[k].tick + 1;
        }
    }
    return length < 1 ? 1 : length > MOST_TICKS ? MOST_TICKS : (uint32_t)length;
}

/* ---- values of actors -------------------------------------------------------------------------------- */

static bool is(lvl_text text, const char *word)
{
    return lvl_text_equal_nocase(text, lvl_text_of(word));
}

/* What the key is at a tick, and since when it is that (it may be NULL); false if it was never set. */
static bool value_at(const lvl_gani_actor *actor, const char *key, uint32_t tick, lvl_text *out,
                     int32_t *since)
{
    bool found = false;

    for (uint32_t k = 0; k < actor->keyframe_count; k++) {
        const lvl_gani_keyframe *frame = &actor->keyframes[k];
        if (frame->tick > (int64_t)tick)
            continue;
        for (uint32_t v = 0; v < frame->value_count; v++) {
            if (!is(frame->values[v].key, key))
                continue;
            if (since && (!found || !lvl_text_equal(*out, frame->values[v].value)))
                *since = frame->tick;
            *out = frame->values[v].value;
            found = true;
        }
    }
    return found;
}

static bool digit_at(lvl_text text, size_t i)
{
    return i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9';
}

/* Plain numbers only, whatever the locale; 0 for what is none. */
static double real_of(lvl_text text)
{
    double n = 0, unit = 1;
    size_t i = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');

    for (; digit_at(text, i) && i < 32; i++)
        n = n * 10 + (text.ptr[i] - '0');
    if (i < text.len && text.ptr[i] == '.') {
        for (i++; digit_at(text, i) && i < 64; i++) {
            unit /= 10;
            n += unit * (text.ptr[i] - '0');
        }
    }
    return text.len && text.ptr[0] == '-' ? -n : n;
}

/* A place between the keyframes around the tick that name it. */
static double place_at(const lvl_gani_actor *actor, const char *key, uint32_t tick)
{
    const lvl_gani_keyframe *before = NULL, *after = NULL;
    double from = 0, to = 0;

    for (uint32_t k = 0; k < actor->keyframe_count; k++) {
        const lvl_gani_keyframe *frame = &actor->keyframes[k];
        for (uint32_t v = 0; v < frame->value_count; v++) {
            if (!is(frame->values[v].key, key))
                continue;
            if (frame->tick <= (int64_t)tick && (!before || frame->tick >= before->tick)) {
                before = frame;
                from = real_of(frame->values[v].value);
            } else if (frame->tick > (int64_t)tick && (!after || frame->tick < after->tick)) {
                after = frame;
                to = real_of(frame->values[v].value);
            }
        }
    }
    if (!before)
        return after ? to : 0;
    if (!after)
        return from;
    return from + (to - from) * ((double)tick - before->tick) / ((double)after->tick - before->tick);
}

static int32_t whole_of(lvl_text text, int32_t otherwise)
{
    const double n = real_of(text);

    return text.len && n >= -1e6 && n <= 1e6 ? (int32_t)n : otherwise;
}

static int32_t whole_at(const lvl_gani_actor *actor, const char *key, uint32_t tick, int32_t otherwise)
{
    lvl_text value;

    return value_at(actor, key, tick, &value, NULL) ? whole_of(value, otherwise) : otherwise;
}

static bool is_there(const lvl_gani_actor *actor, uint32_t tick)
{
    bool begun = false;
    lvl_text value;

    for (uint32_t k = 0; k < actor->keyframe_count && !begun; k++)
        begun = actor->keyframes[k].tick <= (int64_t)tick;
    return begun && !(value_at(actor, "visible", tick, &value, NULL) && is(value, "false"));
}

/* ---- other animations -------------------------------------------------------------------------------- */

/* The file of an animation, by its name with or without ending. */
static lvl_status find_file(const lvl_art *art, lvl_codepage page, lvl_text name, lvl_buffer *out)
{
    static const char *const folders[] = {"", "ganis/", "images/", "levels/ganis/"};
    char path[300];
    /* the name fits into memory of its own, so that want of memory is never taken for a missing file */
    uint8_t room[256];
    lvl_buffer utf8 = {.data = room, .cap = sizeof room, .max = sizeof room};
    lvl_status status = LVL_ERR_MISSING;

    lvl_text_to_utf8(&utf8, page, name);
    if (!art || utf8.status != LVL_OK || !utf8.len || utf8.len > 200 || memchr(utf8.data, 0, utf8.len) ||
        memchr(utf8.data, '/', utf8.len) || memchr(utf8.data, '\\', utf8.len) ||
        memchr(utf8.data, ':', utf8.len)) {
        return LVL_ERR_MISSING;
    }
    const lvl_text ending = {(const char *)utf8.data + (utf8.len > 5 ? utf8.len - 5 : 0),
                             utf8.len > 5 ? 5 : utf8.len};
    for (size_t i = 0; i < sizeof folders / sizeof *folders && status != LVL_OK; i++) {
        snprintf(path, sizeof path, "%s%.*s%s", folders[i], (int)utf8.len, (const char *)utf8.data,
                 is(ending, ".gani") ? "" : ".gani");
        status = lvl_art_loose_file(art, path, out);
    }
    return status;
}

/* NULL if there is none, or none that can be read. */
static lvl_doc *load(const lvl_ctx *ctx, const lvl_art *art, lvl_codepage page, lvl_text name)
{
    lvl_buffer bytes = {0};
    lvl_doc *doc = NULL;

    if (find_file(art, page, name, &bytes) != LVL_OK ||
        lvl_read(&doc, ctx, NULL, (lvl_bytes){bytes.data, bytes.len}, "x.gani", 0, NULL) != LVL_OK ||
        lvl_doc_table(doc) != &lvl_gani_table) {
        lvl_doc_free(doc);
        doc = NULL;
    }
    lvl_buffer_free(&bytes);
    return doc;
}

/* Whether any of the first actors has an animation on the art path. */
static bool has_chars(const lvl_gani *gani, const lvl_art *art)
{
    uint32_t tries = 0;

    for (uint32_t a = 0; a < gani->actor_count && art; a++) {
        lvl_buffer bytes = {0};
        lvl_text name;
        if (!is(gani->actors[a].kind, "CHAR") || !value_at(&gani->actors[a], "ani", UINT32_MAX, &name, NULL))
            continue;
        const bool found = find_file(art, LVL_CP_1252, name, &bytes) == LVL_OK;
        lvl_buffer_free(&bytes);
        if (found || ++tries > 64)
            return found;
    }
    return false;
}

/* ---- actors ------------------------------------------------------------------------------------------ */

static void put_text(lvl_gani_stage *stage, lvl_text text, double x, double y, int32_t layer)
{
    const lvl_scene_thing thing = {.kind = LVL_THING_UNKNOWN,
                                   .flags = LVL_THING_TEXT,
                                   .x = (int32_t)(x < -1e6  ? -1e6
                                                  : x > 1e6 ? 1e6
                                                            : x),
                                   .y = (int32_t)(y < -1e6  ? -1e6
                                                  : y > 1e6 ? 1e6
                                                            : y),
                                   .z = layer,
                                   .label = text};

    if (text.len)
        lvl_gani_put_thing(stage, &thing);
}

/* Where in its animation a char is, ms after it began: which frame, or that it has ended. */
static bool frame_after(const lvl_gani *gani, uint64_t ms, uint32_t *out, uint64_t *over)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < gani->frame_count; i++)
        total += lvl_gani_duration(&gani->frames[i]);
    *out = 0;
    *over = 0;
    if (total == 0)
        return true;
    if (ms >= total && !gani->loop) {
        *out = gani->frame_count - 1;
        *over = ms - total;
        return false;
    }
    for (ms %= total; *out + 1 < gani->frame_count && ms >= lvl_gani_duration(&gani->frames[*out]); ++*out)
        ms -= lvl_gani_duration(&gani->frames[*out]);
    return true;
}

/* A box as large as a character, where its animation isn't there. */
static void put_stand_in(lvl_gani_stage *stage, const lvl_gani_actor *actor, lvl_text picture, double x,
                         double y, int32_t layer)
{
    const lvl_scene_thing thing = {.kind = LVL_THING_SCENERY,
                                   .flags = LVL_THING_CORNER | LVL_THING_MISSING,
                                   .x = (int32_t)(x < -1e6  ? -1e6
                                                  : x > 1e6 ? 1e6
                                                            : x),
                                   .y = (int32_t)(y < -1e6  ? -1e6
                                                  : y > 1e6 ? 1e6
                                                            : y),
                                   .z = layer,
                                   .has_part = true,
                                   .part = {0, 0, LVL_GANI_PLACE - 1, LVL_GANI_PLACE - 1},
                                   .label = actor->name,
                                   .picture = picture};

    lvl_gani_put_thing(stage, &thing);
}

/* What the actor wears at the tick, each key once, in `worn`; answers how much. */
static uint32_t clothes_at(const lvl_gani_actor *actor, uint32_t tick, lvl_scene_choice worn[MOST_WORN])
{
    uint32_t count = 0;

    for (uint32_t k = 0; k < actor->keyframe_count; k++) {
        const lvl_gani_keyframe *frame = &actor->keyframes[k];
        for (uint32_t v = 0; v < frame->value_count && frame->tick <= (int64_t)tick; v++) {
            uint32_t i = 0;
            while (i < count && !lvl_text_equal_nocase(worn[i].name, frame->values[v].key))
                i++;
            if (i == MOST_WORN)
                continue;
            worn[i] = (lvl_scene_choice){frame->values[v].key, frame->values[v].value};
            if (i == count)
                count++;
        }
    }
    return count;
}

static lvl_status put_char(lvl_gani_stage *stage, const lvl_gani_cast *movie, const lvl_art *art,
                           const lvl_gani_actor *actor, uint32_t tick, double x, double y)
{
    const lvl_codepage page = stage->scene->codepage;
    const int32_t direction = whole_at(actor, "dir", tick, LVL_GANI_DOWN);
    lvl_scene_choice worn[MOST_WORN];
    const lvl_gani_overrides own = {worn, clothes_at(actor, tick, worn), false, NULL};
    lvl_gani_overrides layer_overrides = *movie->layer_overrides;
    const int32_t layer = whole_at(actor, "layer", tick, STOCK_LAYER) - STOCK_LAYER;
    lvl_text name = {0};
    int32_t since = 0;
    uint32_t frame = 0;
    uint64_t ms = 0;

    layer_overrides.next = &own;
    if (!value_at(actor, "ani", tick, &name, &since) || !name.len)
        name = lvl_text_of("idle");
    ms = since > (int64_t)tick ? 0 : (uint64_t)((int64_t)tick - since) * LVL_GANI_TICK;
    lvl_doc *doc = load(stage->ctx, art, page, name);
    for (int next = 0; doc && next < MOST_NEXT; next++) {
        const lvl_gani *gani = lvl_doc_root(doc);
        uint64_t over;
        if (frame_after(gani, ms, &frame, &over) || !gani->setback_to.len)
            break;
        lvl_doc *then = load(stage->ctx, art, page, gani->setback_to);
        if (!then)
            break; /* the index of a frame, or gone: stays at the last one */
        lvl_doc_free(doc);
        doc = then;
        ms = over;
    }
    if (!doc) {
        put_stand_in(stage, actor, name, x, y, layer + STOCK_LAYER);
        return LVL_OK;
    }
    lvl_gani_cast cast;
    lvl_status status = lvl_gani_cast_make(&cast, stage->scene, lvl_doc_root(doc), art, &layer_overrides);
    if (status == LVL_ERR_ARG)
        status = LVL_OK; /* a colour that is none: the movie's fault, and no reason to show nothing */
    if (status == LVL_OK) {
        stage->copy = true;
        stage->layer = layer;
        lvl_gani_put_frame(stage, &cast, frame,
                           direction >= 0 && direction < 4 ? (uint32_t)direction : LVL_GANI_DOWN, x, y);
        stage->copy = false;
        stage->layer = 0;
        status = stage->status;
    }
    lvl_doc_free(doc);
    return status;
}

/* What a TEXT actor shows at one tick. */
typedef struct caption {
    lvl_text text, centred;
} caption;

/* It begins at its place, or has it in the middle. */
static void put_caption(lvl_gani_stage *stage, const caption *c, double x, double y, int32_t layer)
{
    enum {
        LETTER_WIDTH = 6,
        LETTER_HEIGHT = 9
    }; /* px, in the letters that texts of a scene are drawn with */

    if (!is(c->centred, "true"))
        x += (double)c->text.len * LETTER_WIDTH / 2;
    put_text(stage, c->text, x, y + LETTER_HEIGHT, layer);
}

typedef struct keyframe_at {
    int32_t tick;
    uint32_t index;
} keyframe_at;

static int by_tick(const void *a, const void *b)
{
    const keyframe_at *x = a, *y = b;

    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The captions at the ticks of all keyframes, in one pass over these by tick. Of values that are set by then,
 * the last in the file counts. */
static caption *captions_of(const lvl_ctx *ctx, const lvl_gani_actor *actor)
{
    const uint32_t count = actor->keyframe_count;
    keyframe_at *order = lvl_mem_alloc(ctx, ((size_t)count + 1) * sizeof *order);
    caption *captions = lvl_mem_alloc(ctx, ((size_t)count + 1) * sizeof *captions), now = {{0}, {0}};
    uint32_t text_from = 0, centred_from = 0;

    for (uint32_t k = 0; order && k < count; k++) {
        const int32_t tick = actor->keyframes[k].tick;
        order[k] = (keyframe_at){tick < 0 ? 0 : tick, k};
    }
    if (order && count)
        qsort(order, count, sizeof *order, by_tick);
    for (uint32_t from = 0, to = 0; order && captions && from < count; from = to) {
        for (; to < count && order[to].tick == order[from].tick; to++) {
            const lvl_gani_keyframe *frame = &actor->keyframes[order[to].index];
            for (uint32_t v = 0; v < frame->value_count; v++) {
                if (is(frame->values[v].key, "text") && order[to].index >= text_from) {
                    now.text = frame->values[v].value;
                    text_from = order[to].index;
                } else if (is(frame->values[v].key, "centered") && order[to].index >= centred_from) {
                    now.centred = frame->values[v].value;
                    centred_from = order[to].index;
                }
            }
        }
        for (uint32_t k = from; k < to; k++)
            captions[order[k].index] = now;
    }
    if (!order) {
        lvl_mem_free(ctx, captions);
        captions = NULL;
    }
    lvl_mem_free(ctx, order);
    return captions;
}

static lvl_status put_actor(lvl_gani_stage *stage, const lvl_gani_cast *cast, const lvl_art *art,
                            const lvl_gani_actor *actor, uint32_t tick, uint32_t *chars)
{
    const double x = place_at(actor, "dx", tick), y = place_at(actor, "dy", tick);
    const int32_t layer = whole_at(actor, "layer", tick, STOCK_LAYER);
    lvl_status status = LVL_OK;
    lvl_text text;

    if (!is_there(actor, tick))
        return LVL_OK;
    if (is(actor->kind, "CHAR")) {
        if (++*chars > MOST_CHARS)
            put_stand_in(stage, actor, (lvl_text){0}, x, y, layer);
        else
            status = put_char(stage, cast, art, actor, tick, x, y);
        if (value_at(actor, "chat", tick, &text, NULL))
            put_text(stage, text, x + LVL_GANI_PLACE / 2.0, y - 4, layer);
    } else if (is(actor->kind, "SPRITE")) {
        stage->layer = layer - STOCK_LAYER;
        lvl_gani_put(stage, cast, whole_at(actor, "sprite #", tick, -1), x, y);
        stage->layer = 0;
    } else if (is(actor->kind, "TEXT")) {
        caption now = {{0}, {0}};
        value_at(actor, "text", tick, &now.text, NULL);
        value_at(actor, "centered", tick, &now.centred, NULL);
        put_caption(stage, &now, x, y, layer);
    }
    return status == LVL_OK ? stage->status : status;
}

/* Wherever its keyframes bring it: between them it doesn't leave what they span. */
static void measure_actor(lvl_gani_stage *stage, const lvl_gani_cast *cast, const lvl_gani_actor *actor,
                          bool chars_drawn)
{
    const bool all_drawn = stage->all_drawn, is_text = is(actor->kind, "TEXT");
    caption *captions = is_text ? captions_of(stage->ctx, actor) : NULL;
    double x = 0, y = 0;
    int32_t sprite = -1;

    if (is_text && !captions)
        stage->status = LVL_ERR_MEMORY;
    for (uint32_t k = 0; k < actor->keyframe_count && stage->status == LVL_OK; k++) {
        const lvl_gani_keyframe *frame = &actor->keyframes[k];
        lvl_text text = {0};

        for (uint32_t v = 0; v < frame->value_count; v++) {
            const lvl_gani_value *value = &frame->values[v];
            if (is(value->key, "dx"))
                x = real_of(value->value);
            else if (is(value->key, "dy"))
                y = real_of(value->value);
            else if (is(value->key, "sprite #"))
                sprite = whole_of(value->value, -1);
            else if (is(value->key, "chat") || is(value->key, "text"))
                text = value->value;
        }
        if (is(actor->kind, "CHAR")) {
            stage->all_drawn = chars_drawn;
            put_stand_in(stage, actor, (lvl_text){0}, x, y, STOCK_LAYER);
            put_text(stage, text, x + LVL_GANI_PLACE / 2.0, y - 4, STOCK_LAYER);
            stage->all_drawn = all_drawn;
        } else if (is(actor->kind, "SPRITE")) {
            lvl_gani_put(stage, cast, sprite, x, y);
        } else if (is_text) {
            put_caption(stage, &captions[k], x, y, STOCK_LAYER);
        }
    }
    lvl_mem_free(stage->ctx, captions);
}

lvl_status lvl_gani_put_movie(lvl_gani_stage *stage, const lvl_gani_cast *cast, const lvl_art *art,
                              uint32_t tick)
{
    const lvl_gani *gani = cast->gani;
    const bool chars_drawn = stage->measure && has_chars(gani, art);
    lvl_status status = LVL_OK;
    uint32_t chars = 0;

    for (uint32_t a = 0; a < gani->actor_count && status == LVL_OK; a++) {
        if (stage->measure) {
            measure_actor(stage, cast, &gani->actors[a], chars_drawn);
            status = stage->status;
        } else {
            status = put_actor(stage, cast, art, &gani->actors[a], tick, &chars);
        }
    }
    return status;
}
