/*
 * graal/gani/gani_movie.c: movies (GANI0002): actors that move from keyframe to keyframe.
 *
 * Positions (dx, dy) are interpolated between keyframes; all other values change at their keyframe. An actor
 * is shown from its first keyframe, while it is visible. SPRITE shows a sprite of the movie; TEXT and the
 * `chat` of a CHAR are texts; SOUND shows nothing. A CHAR plays another animation (`ani`, "walk" is walk.gani
 * on the art path) from the tick at which it is set; without pictures it is a box.
 */
#include "graal/gani/gani_pieces.h"

#include "base/text.h"
#include "codec/json.h"
#include "graal/gani/graal_character.h"

#include <math.h>

enum {
    MAX_TICKS = 1 << 16,
    MAX_CHARS = 256, /* drawn in one frame; more are shown as boxes */
    STOCK_LAYER = 1,
    LETTER_WIDTH = 6, /* px of the letters of texts in scenes */
    LETTER_HEIGHT = 9
};

uint32_t lvl_gani_movie_length(const lvl_gani *gani)
{
    int32_t length = gani->length;

    for (uint32_t a = 0; a < gani->actor_count && gani->length <= 0; a++) {
        for (uint32_t k = 0; k < gani->actors[a].keyframe_count; k++) {
            if (gani->actors[a].keyframes[k].tick >= length && gani->actors[a].keyframes[k].tick < MAX_TICKS)
                length = gani->actors[a].keyframes[k].tick + 1;
        }
    }
    return length < 1 ? 1 : length > MAX_TICKS ? MAX_TICKS : (uint32_t)length;
}

/* The state of an actor at a tick. */
typedef struct pose {
    bool begun, hidden, centered;
    double place[2]; /* dx, dy */
    int32_t sprite, layer, ani_tick;
    lvl_text text;
    lvl_graal_character character;
} pose;

static bool is_word(lvl_text text, const char *word)
{
    return lvl_text_equal_nocase(text, lvl_text_of(word));
}

/* Parses a number from -1e6 to 1e6; `otherwise` for anything else. */
static double number_of(lvl_text text, double otherwise)
{
    double n;

    return lvl_real_prefix(text, &n) && n >= -1e6 && n <= 1e6 ? n : otherwise;
}

/* The index of the coordinate with that key; 2: none. */
static size_t axis_of(lvl_text key)
{
    return is_word(key, "dx") ? 0 : is_word(key, "dy") ? 1 : 2;
}

static void take_values(pose *p, const lvl_gani_keyframe *frame)
{
    p->begun = true;
    for (uint32_t v = 0; v < frame->value_count; v++) {
        const lvl_text key = frame->values[v].key, value = frame->values[v].value;
        const size_t axis = axis_of(key);
        if (axis < 2)
            p->place[axis] = number_of(value, 0);
        else if (is_word(key, "sprite #"))
            p->sprite = (int32_t)number_of(value, -1);
        else if (is_word(key, "layer"))
            p->layer = (int32_t)number_of(value, STOCK_LAYER);
        else if (is_word(key, "visible"))
            p->hidden = is_word(value, "false");
        else if (is_word(key, "chat") || is_word(key, "text"))
            p->text = value;
        else if (is_word(key, "centered"))
            p->centered = is_word(value, "true");
        else if (is_word(key, "dir"))
            p->character.direction = (unsigned)(int32_t)number_of(value, LVL_GANI_DOWN);
        else if (!is_word(key, "ani"))
            lvl_graal_character_set(&p->character, key, value);
        else if (!lvl_text_equal(p->character.animation, value)) {
            p->character.animation = value;
            p->ani_tick = frame->tick;
        }
    }
}

/* Interpolates the position between the keyframes before and after a tick. */
static void move(pose *p, const lvl_gani_actor *actor, uint32_t tick)
{
    int64_t from[2] = {INT64_MIN, INT64_MIN}, to[2] = {INT64_MAX, INT64_MAX};
    double next[2] = {0, 0};

    for (uint32_t k = 0; k < actor->keyframe_count; k++) {
        const lvl_gani_keyframe *frame = &actor->keyframes[k];
        for (uint32_t v = 0; v < frame->value_count; v++) {
            const size_t axis = axis_of(frame->values[v].key);
            if (axis < 2 && frame->tick <= (int64_t)tick) {
                from[axis] = frame->tick;
            } else if (axis < 2 && frame->tick < to[axis]) {
                to[axis] = frame->tick;
                next[axis] = number_of(frame->values[v].value, 0);
            }
        }
    }
    for (size_t i = 0; i < 2; i++) {
        if (to[i] != INT64_MAX)
            p->place[i] += (next[i] - p->place[i]) *
                           (from[i] == INT64_MIN ? 1 : (double)(tick - from[i]) / (double)(to[i] - from[i]));
    }
}

static void put_text(lvl_gani_drawing *drawing, const pose *p, double x, double y)
{
    const lvl_scene_thing thing = {.kind = LVL_THING_UNKNOWN,
                                   .flags = LVL_THING_TEXT,
                                   .x = (int32_t)x,
                                   .y = (int32_t)y,
                                   .z = p->layer,
                                   .label = p->text};

    if (p->text.len)
        lvl_gani_put_thing(drawing, &thing);
}

/* The picture of a CHAR and its offset; without an image, it is shown as a box of the size of a character. */
typedef struct look {
    const lvl_image *image;
    int32_t left, top;
} look;

static void put_pose(lvl_gani_drawing *drawing, const lvl_gani_pieces *pieces, const lvl_gani_actor *actor,
                     const pose *p, const look *l)
{
    const double x = p->place[0], y = p->place[1];

    if (is_word(actor->kind, "CHAR")) {
        const int32_t width = l->image ? (int32_t)l->image->width : LVL_GANI_PLACE,
                      height = l->image ? (int32_t)l->image->height : LVL_GANI_PLACE;
        const lvl_scene_thing thing = {.kind = LVL_THING_SCENERY,
                                       .flags = LVL_THING_CORNER | (l->image ? 0u : LVL_THING_MISSING),
                                       .x = (int32_t)x + l->left,
                                       .y = (int32_t)y + l->top,
                                       .z = p->layer,
                                       .image = l->image,
                                       .has_part = true,
                                       .part = {0, 0, width - 1, height - 1},
                                       .label = actor->name,
                                       .picture = p->character.animation};
        lvl_gani_put_thing(drawing, &thing);
        put_text(drawing, p, x + LVL_GANI_PLACE / 2.0, y - 4);
    } else if (is_word(actor->kind, "SPRITE")) {
        drawing->layer = p->layer - STOCK_LAYER;
        lvl_gani_put(drawing, pieces, p->sprite, x, y);
        drawing->layer = 0;
    } else if (is_word(actor->kind, "TEXT")) {
        /* a text begins at its position, or is centered on it */
        const double width = (double)p->text.len * LETTER_WIDTH;
        put_text(drawing, p, p->centered ? x : fmin(x + width / 2, 1e6), y + LETTER_HEIGHT);
    }
}

static pose pose_at(const lvl_gani_actor *actor, int64_t tick)
{
    pose p = {.sprite = -1, .layer = STOCK_LAYER, .character = {.direction = LVL_GANI_DOWN}};

    for (uint32_t k = 0; k < actor->keyframe_count; k++) {
        if (actor->keyframes[k].tick <= tick)
            take_values(&p, &actor->keyframes[k]);
    }
    if (tick > p.ani_tick)
        p.character.ms = (uint64_t)(tick - p.ani_tick) * LVL_GANI_TICK;
    return p;
}

void lvl_gani_put_movie(lvl_gani_drawing *drawing, const lvl_gani_pieces *pieces, uint32_t tick)
{
    const lvl_art *art = pieces->request->art;
    uint32_t chars = 0;

    for (uint32_t a = 0; a < pieces->gani->actor_count && drawing->status == LVL_OK; a++) {
        const lvl_gani_actor *actor = &pieces->gani->actors[a];
        pose p = pose_at(actor, drawing->measure ? INT32_MAX : tick);
        look l = {0};
        if (!drawing->measure && (!p.begun || p.hidden))
            continue;
        if (is_word(actor->kind, "CHAR") && art && ++chars <= MAX_CHARS)
            drawing->status =
                lvl_graal_character_picture(&p.character, drawing->scene, art, &l.image, &l.left, &l.top);
        if (!drawing->measure) {
            move(&p, actor, tick);
            put_pose(drawing, pieces, actor, &p, &l);
            continue;
        }
        p = pose_at(actor, INT64_MIN);
        for (uint32_t k = 0; k < actor->keyframe_count && drawing->status == LVL_OK; k++) {
            take_values(&p, &actor->keyframes[k]); /* interpolated positions are between these */
            put_pose(drawing, pieces, actor, &p, &l);
        }
    }
}
