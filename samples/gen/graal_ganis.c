/*
 * Animations: a hero who walks in four directions with head, body, shield and sword, sparks that turn and fade without end, a movie in which two of
 * him meet, and a twin whose attachments hang in the air.
 */
#include "graal_gen.h"

#include <lvl/gani.h>

#include <stdio.h>
#include <string.h>

enum { DIRECTIONS = 4, STEPS = 4, SHADOW = 0, SHIELD = 10, SWORD = 20, HEAD = 100, BODY = 200, SPARK = 300 };

static lvl_gani *root(lvl_doc *doc)
{
    return lvl_doc_root(doc);
}

static void cut_sprite(lvl_doc *doc, int id, const char *source, int x, int y, int w, int h, const char *what)
{
    lvl_gani_sprite *s = graal_item(doc, offsetof(lvl_gani, sprites));
    *s = (lvl_gani_sprite){.id = id, .source = lvl_text_of(source), .x = x, .y = y, .width = w, .height = h};
    s->description = lvl_doc_text(doc, lvl_text_of(what));
}

static void attach(lvl_doc *doc, int parent, int child, int dx, int dy, bool under)
{
    lvl_gani_attachment *a = graal_item(doc, offsetof(lvl_gani, attachments));
    *a = (lvl_gani_attachment){.parent = parent, .child = child, .dx = dx, .dy = dy, .under = under};
}

static lvl_gani_effect *effect(lvl_doc *doc, lvl_gani_effect_kind kind, int id, double value)
{
    lvl_gani_effect *e = graal_item(doc, offsetof(lvl_gani, effects));
    *e = (lvl_gani_effect){.kind = (uint8_t)kind, .sprite = id, .value = value};
    return e;
}

static void fallback(lvl_doc *doc, const char *layer, const char *value)
{
    lvl_gani_default *d = graal_item(doc, offsetof(lvl_gani, defaults));
    d->layer = lvl_text_of(layer);
    d->value = lvl_text_of(value);
}

static lvl_gani_frame *frame(lvl_doc *doc, uint32_t directions)
{
    lvl_gani_frame *f = graal_item(doc, offsetof(lvl_gani, frames));
    f->directions = graal_take(doc, directions, sizeof *f->directions);
    f->direction_count = directions;
    return f;
}

static void pieces(lvl_doc *doc, lvl_gani_direction *d, const lvl_gani_piece *from, uint32_t count)
{
    d->pieces = graal_take(doc, count, sizeof *from);
    d->piece_count = count;
    memcpy(d->pieces, from, count * sizeof *from);
}

/* The sprites of a hero, with shield and sword that hang on his body. */
static void hero(lvl_doc *doc, bool armed)
{
    static const char *const names[DIRECTIONS] = {"up", "left", "down", "right"};
    static const struct {
        int x, w, h, dx, dy; /* in the sheet, and from the body */
    } shields[DIRECTIONS] = {{0, 6, 18, 2, 8}, {6, 8, 20, 4, 8}, {14, 16, 20, 14, 10}, {30, 8, 20, 20, 8}};
    static const int8_t swords[DIRECTIONS][2] = {{17, -4}, {-6, 8}, {-1, 12}, {12, 8}};
    char what[40];

    cut_sprite(doc, SHADOW, "SPRITES", 0, 0, 24, 12, "shadow");
    for (int d = 0; armed && d < DIRECTIONS; d++) {
        snprintf(what, sizeof what, "shield %s", names[d]);
        cut_sprite(doc, SHIELD + d, "SHIELD", shields[d].x, 0, shields[d].w, shields[d].h, what);
    }
    for (int d = 0; armed && d < DIRECTIONS; d++) {
        snprintf(what, sizeof what, "sword %s", names[d]);
        cut_sprite(doc, SWORD + d, "SWORD", d * 24, 0, 24, 24, what);
    }
    for (int d = 0; d < DIRECTIONS; d++) {
        snprintf(what, sizeof what, "head %s", names[d]);
        cut_sprite(doc, HEAD + d, "HEAD", 0, d * 32, 32, 32, what);
    }
    for (int step = 0; step <= STEPS; step++) {
        for (int d = 0; d < DIRECTIONS; d++) {
            snprintf(what, sizeof what, step ? "body walking%d %s" : "body%.0d %s", step, names[d]);
            cut_sprite(doc, BODY + step * 4 + d, "BODY", d * 32, step * 32, 32, 32, what);
        }
    }
    for (int step = 0; armed && step <= STEPS; step++) {
        for (int d = 0; d < DIRECTIONS; d++) {
            attach(doc, BODY + step * 4 + d, SHIELD + d, shields[d].dx, shields[d].dy, d == 0);
            attach(doc, BODY + step * 4 + d, SWORD + d, swords[d][0], swords[d][1], d != 2);
        }
    }
}

static void stand(lvl_doc *doc, lvl_gani_frame *f, int step)
{
    for (int d = 0; d < DIRECTIONS; d++) {
        const int up = step == 1 || step == 3;
        const lvl_gani_piece look[] = {{.sprite = SHADOW, .dx = 12, .dy = 39},
                                       {.sprite = BODY + step * 4 + d, .dx = 8, .dy = 16},
                                       {.sprite = HEAD + d, .dx = 8, .dy = -up}};
        pieces(doc, &f->directions[d], look, 3);
    }
}

static lvl_doc *walk(void)
{
    lvl_doc *doc = graal_doc("gani");
    hero(doc, true);
    fallback(doc, "HEAD", "head0.png");
    fallback(doc, "BODY", "body.png");
    fallback(doc, "SHIELD", "shield1.png");
    fallback(doc, "SWORD", "sword1.png");
    root(doc)->loop = 1;
    for (int step = 1; step <= STEPS; step++) {
        lvl_gani_frame *f = frame(doc, DIRECTIONS);
        stand(doc, f, step);
        f->wait = 1;
        if (step & 1) {
            lvl_gani_sound *sound = graal_take(doc, 1, sizeof *sound);
            *sound = (lvl_gani_sound){.file = lvl_text_of("steps.wav"), .given = 2, .x = 1.5, .y = 2};
            f->sounds = sound;
            f->sound_count = 1;
        }
    }
    return doc;
}

static void add_idle(file_list *list)
{
    lvl_doc *doc = graal_doc("gani");
    hero(doc, false);
    fallback(doc, "HEAD", "head0.png");
    fallback(doc, "BODY", "body.png");
    root(doc)->version = LVL_GANI_BARE;
    stand(doc, frame(doc, DIRECTIONS), 0);
    graal_finish(doc, &files_add(list, "graal/ganis/hero_idle.gani")->bytes);
}

/* Eight frames of a spark that turns while it grows and fades. */
static void add_sparks(file_list *list)
{
    static const struct {
        int sheet;
        double turn, alpha, zoom;
    } sparks[8] = {{0, 0, 0.4, 1},    {1, 0.39, 0.7, 1.2}, {2, 0.79, 1, 1.5},   {3, 1.18, 1, 2},
                   {3, 1.57, 1, 2.4}, {2, 1.96, 0.8, 2},   {1, 2.36, 0.5, 1.5}, {0, 2.75, 0.25, 1}};
    lvl_doc *doc = graal_doc("gani");
    for (int i = 0; i < 8; i++)
        cut_sprite(doc, SPARK + i, "SPRITES", sparks[i].sheet * 16, 16, 16, 16, "spark");
    for (int i = 0; i < 8; i++) {
        lvl_gani_effect *e = effect(doc, LVL_GANI_COLOR, SPARK + i, 0);
        e->red = 1;
        e->green = 1 - i * 0.0625;
        e->blue = 0.75;
        e->alpha = sparks[i].alpha;
        effect(doc, LVL_GANI_ROTATE, SPARK + i, sparks[i].turn);
        effect(doc, LVL_GANI_ZOOM, SPARK + i, sparks[i].zoom);
    }
    root(doc)->loop = root(doc)->single_direction = 1;
    for (int i = 0; i < 8; i++) {
        const lvl_gani_piece piece = {.sprite = SPARK + i, .dx = 16, .dy = 16};
        pieces(doc, frame(doc, 1)->directions, &piece, 1);
    }
    graal_finish(doc, &files_add(list, "graal/ganis/sparks.gani")->bytes);
}

static lvl_gani_actor *actor(lvl_doc *doc, const char *kind, const char *name)
{
    lvl_gani_actor *a = graal_item(doc, offsetof(lvl_gani, actors));
    a->kind = lvl_text_of(kind);
    a->name = lvl_text_of(name);
    return a;
}

/* `what` is "dx=1,dy=2": keys and values up to the next comma. */
static void key(lvl_doc *doc, lvl_gani_actor *a, int tick, const char *what)
{
    lvl_gani_keyframe *frames = graal_take(doc, a->keyframe_count + 1, sizeof *frames);
    if (a->keyframe_count)
        memcpy(frames, a->keyframes, a->keyframe_count * sizeof *frames);
    a->keyframes = frames;
    lvl_gani_keyframe *k = &frames[a->keyframe_count++];
    k->tick = tick;
    k->values = graal_take(doc, 12, sizeof *k->values);
    for (const char *p = what; *p && k->value_count < 12; k->value_count++) {
        const size_t name = strcspn(p, "="), value = strcspn(p + name + 1, ",");
        k->values[k->value_count].key = (lvl_text){p, name};
        k->values[k->value_count].value = (lvl_text){p + name + 1, value};
        p += name + 1 + value;
        p += *p == ',';
    }
}

static void add_movie(file_list *list)
{
    lvl_doc *doc = graal_doc("gani");
    cut_sprite(doc, SPARK, "SPRITES", 48, 16, 16, 16, "spark");
    root(doc)->version = LVL_GANI0002;
    root(doc)->length = 48;
    lvl_gani_actor *a = actor(doc, "CHAR", "Rowan");
    key(doc, a, 0,
        "ani=hero_walk,dir=3,dx=-96,dy=0,head=head0.png,color1=green,color2=darkgreen,layer=1,visible=true");
    key(doc, a, 20, "ani=hero_idle,dx=-24,dy=0");
    key(doc, a, 22, "chat=Is that your cat?");
    key(doc, a, 34, "chat=");
    a = actor(doc, "CHAR", "Linden");
    key(doc, a, 0,
        "ani=hero_walk,dir=1,dx=96,dy=0,head=head1.png,color1=purple,color2=pink,layer=1,visible=true");
    key(doc, a, 20, "ani=hero_idle,dx=24,dy=0");
    key(doc, a, 34, "dir=2,chat=She is!");
    a = actor(doc, "SPRITE", "Spark");
    key(doc, a, 34, "sprite #=300,dx=16,dy=-24,layer=2,visible=true");
    key(doc, a, 46, "dx=16,dy=-48");
    graal_finish(doc, &files_add(list, "graal/ganis/meeting.gani")->bytes);
}

void graal_add_animations(file_list *list)
{
    graal_finish(walk(), &files_add(list, "graal/ganis/hero_walk.gani")->bytes);
    add_idle(list);
    add_sparks(list);
    add_movie(list);

    lvl_doc *doc = walk();
    attach(doc, 999, HEAD, 0, -8, false);
    attach(doc, BODY, 777, 4, 4, true);
    effect(doc, LVL_GANI_ROTATE, 888, 0.5);
    graal_finish(doc, &files_add(list, "graal/damaged/dangling.gani")->bytes);
}
