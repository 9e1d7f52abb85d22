/*
 * sketchy/look/actors.c: the actors of a level as things of its scene. The game draws them in no
 * fixed order; here it is the bytewise order of their ids. An actor without a doodad's picture is a mark with
 * its name; the kind of the mark follows from the names of the game's doodads.
 */
#include "sketchy/look/actors.h"

#include "sketchy/model/member_names.h"
#include "sketchy/look/pictures.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

int64_t lvl_sketchy_sanitize(int64_t v)
{
    const int64_t most = INT64_C(1) << 40;

    return v > most ? most : v < -most ? -most : v;
}

int32_t lvl_sketchy_clamp(int64_t v)
{
    return v > INT32_MAX / 2 ? INT32_MAX / 2 : v < INT32_MIN / 2 ? INT32_MIN / 2 : (int32_t)v;
}

/* A doodad that actors name, with its picture. */
typedef struct known {
    lvl_sketchy_doodad doodad;
    int32_t middle_x, middle_y; /* of its visible part */
} known;

/* ---- marks ------------------------------------------------------------------------------------------- */

enum { UNKNOWN_SIZE = 32 }; /* px of a side of a doodad that is not found: the usual size */

/* The kind of a doodad, by the beginning of its name. */
static lvl_thing_kind kind_of(lvl_text filename)
{
    static const struct {
        const char *start;
        lvl_thing_kind kind;
    } kinds[] = {
        {"anvil", LVL_THING_HAZARD},
        {"azu-", LVL_THING_ENEMY},
        {"bird-", LVL_THING_ENEMY},
        {"box", LVL_THING_CONTAINER},
        {"boy", LVL_THING_ENEMY},
        {"button", LVL_THING_TRIGGER},
        {"camera-focus", LVL_THING_TRIGGER},
        {"checkpoint-flag", LVL_THING_CHECKPOINT},
        {"crumbly-floor", LVL_THING_PLATFORM},
        {"crusher", LVL_THING_ENEMY},
        {"door-", LVL_THING_PLATFORM},
        {"electric-trapdoor", LVL_THING_PLATFORM},
        {"exit-flag", LVL_THING_EXIT},
        {"gem-totem-", LVL_THING_TRIGGER},
        {"gem-", LVL_THING_ITEM},
        {"key-", LVL_THING_ITEM},
        {"power-source", LVL_THING_TRIGGER},
        {"reg-checkpoint", LVL_THING_CHECKPOINT},
        {"reg-fire", LVL_THING_HAZARD},
        {"reg-goal", LVL_THING_EXIT},
        {"reg-warp-", LVL_THING_WARP},
        {"reg-", LVL_THING_TRIGGER},
        {"small-key-door", LVL_THING_PLATFORM},
        {"small-key", LVL_THING_ITEM},
        {"snake", LVL_THING_ENEMY},
        {"start-flag", LVL_THING_START},
        {"state-block-", LVL_THING_PLATFORM},
        {"state-button", LVL_THING_TRIGGER},
        {"switch", LVL_THING_TRIGGER},
        {"thief", LVL_THING_ENEMY},
        {"trapdoor-", LVL_THING_PLATFORM},
        {"warp-door", LVL_THING_WARP},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (lvl_text_begins(filename, kinds[i].start))
            return kinds[i].kind;
    }
    return LVL_THING_UNKNOWN;
}

/* ---- things ------------------------------------------------------------------------------------------ */

/* Finds the middle of the visible part of a picture. */
static void find_middle(known *k)
{
    const lvl_image *image = k->doodad.image;
    uint32_t left = image->width, top = image->height, right = 0, bottom = 0;

    for (uint32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image->pixels + (size_t)y * image->width * 4;
        for (uint32_t x = 0; x < image->width; x++) {
            if (row[(size_t)x * 4 + 3] < 2)
                continue;
            left = x < left ? x : left;
            right = x > right ? x : right;
            top = y < top ? y : top;
            bottom = y > bottom ? y : bottom;
        }
    }
    const bool any = left <= right;
    k->middle_x = (int32_t)(any ? left + right + 1 : image->width) / 2;
    k->middle_y = (int32_t)(any ? top + bottom + 1 : image->height) / 2;
}

/* Gets the picture of each doodad that actors name; `of` gets the index of each actor's doodad. */
static lvl_status find_doodads(const lvl_doc *doc, lvl_scene *scene, const lvl_art *art, known *pictures,
                               uint32_t *of)
{
    const lvl_sketchy *d = doc->root;
    lvl_names attached = {NULL, 0}, used = {NULL, 0};
    uint32_t n = 0;

    lvl_status status = lvl_names_below(&attached, d->files, d->file_count, LVL_EMBEDDED_DOODADS);
    if (status == LVL_OK)
        status = lvl_names_of(&used, d->actors, d->actor_count, sizeof *d->actors,
                              offsetof(lvl_sketchy_actor, filename));
    for (uint32_t i = 0; i < used.count && status == LVL_OK; i++) {
        const lvl_text name = used.list[i].name;
        if (!i || !lvl_text_equal(name, used.list[i - 1].name)) {
            known *k = &pictures[n++];
            *k = (known){.middle_x = UNKNOWN_SIZE / 2, .middle_y = UNKNOWN_SIZE / 2};
            lvl_sketchy_doodad_picture(doc, &attached, scene, art, name, &k->doodad, &status);
            if (k->doodad.image)
                find_middle(k);
        }
        of[used.list[i].index] = n - 1;
    }
    lvl_names_free(&attached);
    lvl_names_free(&used);
    return status;
}

/* Adds arrows between linked actors, each pair once. `order`: the actors by id. */
static lvl_status put_links(lvl_scene *scene, const lvl_sketchy *d, const lvl_names *order,
                            const known *pictures, const uint32_t *of, int64_t origin_x, int64_t origin_y)
{
    size_t count = 0;

    for (uint32_t i = 0; i < d->actor_count; i++)
        count += d->actors[i].link_count;
    scene->links = lvl_scene_alloc(scene, count + 1, sizeof *scene->links);
    if (!scene->links)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < d->actor_count; i++) {
        const lvl_sketchy_actor *a = &d->actors[i];
        for (uint32_t k = 0; k < a->link_count; k++) {
            const uint32_t at = lvl_names_find(order, a->links[k]); /* the first of that id */
            if (at == order->count || order->list[at].index < i)
                continue;
            const lvl_sketchy_actor *b = &d->actors[order->list[at].index];
            const known *from = &pictures[of[i]], *to = &pictures[of[order->list[at].index]];
            scene->links[scene->link_count++] = (lvl_scene_link){
                LVL_THING_TRIGGER,
                lvl_sketchy_clamp(lvl_sketchy_sanitize(a->point.x) - origin_x + from->middle_x),
                lvl_sketchy_clamp(lvl_sketchy_sanitize(a->point.y) - origin_y + from->middle_y),
                lvl_sketchy_clamp(lvl_sketchy_sanitize(b->point.x) - origin_x + to->middle_x),
                lvl_sketchy_clamp(lvl_sketchy_sanitize(b->point.y) - origin_y + to->middle_y)};
        }
    }
    return LVL_OK;
}

lvl_status lvl_sketchy_actors(lvl_scene *scene, const lvl_doc *doc, const lvl_art *art, int64_t origin_x,
                              int64_t origin_y, const uint32_t **out)
{
    const lvl_sketchy *d = doc->root;
    known *pictures = calloc((size_t)d->actor_count + 1, sizeof *pictures);
    uint32_t *of = calloc((size_t)d->actor_count + 1, sizeof *of);
    lvl_names order = {NULL, 0};
    lvl_status status = LVL_ERR_MEMORY;

    scene->things = lvl_scene_alloc(scene, (size_t)d->actor_count + 1, sizeof *scene->things);
    uint32_t *shot = lvl_scene_alloc(scene, (size_t)d->actor_count + 1, sizeof *shot);
    const lvl_where *list = lvl_scene_list(
        scene, lvl_where_member(lvl_where_root(), &lvl_sketchy_table, offsetof(lvl_sketchy, actors)));
    if (!pictures || !of || !scene->things || !shot || !list)
        goto out;
    status = find_doodads(doc, scene, art, pictures, of);
    if (status != LVL_OK)
        goto out;
    status =
        lvl_names_of(&order, d->actors, d->actor_count, sizeof *d->actors, offsetof(lvl_sketchy_actor, id));
    if (status != LVL_OK)
        goto out;
    for (uint32_t i = 0; i < d->actor_count; i++) {
        const lvl_sketchy_actor *a = &d->actors[order.list[i].index];
        const known *k = &pictures[of[order.list[i].index]];
        const lvl_image *image = k->doodad.image;
        /* a mark is placed by its middle, a picture by its corner */
        const int32_t aside = image ? 0 : UNKNOWN_SIZE / 2;
        scene->things[i] = (lvl_scene_thing){
            .kind = kind_of(a->filename),
            .flags = image ? (unsigned)LVL_THING_CORNER | LVL_THING_OVER : (unsigned)LVL_THING_MISSING,
            .x = lvl_sketchy_clamp(lvl_sketchy_sanitize(a->point.x) - origin_x + aside),
            .y = lvl_sketchy_clamp(lvl_sketchy_sanitize(a->point.y) - origin_y + aside),
            .image = image,
            .label = lvl_sketchy_doodad_label(a->filename),
            .picture = a->filename,
            .index = order.list[i].index,
            .list = list};
        shot[i] = k->doodad.shot;
        scene->missing_things += !image;
    }
    scene->thing_count = d->actor_count;
    *out = shot;
    status = put_links(scene, d, &order, pictures, of, origin_x, origin_y);
out:
    lvl_names_free(&order);
    free(pictures);
    free(of);
    return status;
}

void lvl_sketchy_actors_cut(const lvl_scene *scene, const uint32_t *shot, bool cut)
{
    for (uint32_t i = 0; i < scene->thing_count && shot; i++) {
        lvl_scene_thing *t = &scene->things[i];
        const uint32_t side = shot[i];
        t->flags &= ~(unsigned)LVL_THING_HIDDEN;
        t->has_part = false;
        if (!t->image || !cut)
            continue;
        if (!side) {
            t->flags |= LVL_THING_HIDDEN;
        } else if (t->image->width > side || t->image->height > side) {
            t->has_part = true;
            t->part = (lvl_rect){0, 0, (int32_t)side - 1, (int32_t)side - 1};
        }
    }
}
