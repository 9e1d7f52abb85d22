/*
 * wap32/wwd/keys.c: the sounds, animations and scripts that objects name by a key. A key is a prefix and a
 * path joined by '_', as the name of an image set is: "LEVEL_TRIGGER_1006" is LEVEL3/SOUNDS/TRIGGER/1006.WAV
 * on base level 3. A script of CrazyHook is LOGICS/a/b.lua for "a:b".
 */
#include "wap32/wwd/art.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/check.h"

#include "base/findings.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ------------------------------------------------------------------------------------------ */

/* The folder beside one of images: LEVEL1/SOUNDS for LEVEL1/IMAGES, AREA1/ANIZ for AREA1/IMAGEZ. */
static void folder_beside(char *out, size_t size, const char *images, lvl_use use)
{
    const char *const name = use == LVL_USE_SOUND ? "SOUND" : "ANI";
    const size_t len = strlen(images), last = strlen("IMAGES");

    const bool named = len > last && memcmp(images + len - last, "IMAGE", last - 1) == 0;
    const size_t kept = named ? len - last : len; /* LEVEL in a level's own folder has all */

    snprintf(out, size, "%.*s%s%s", (int)kept, images, named ? name : "", named ? images + len - 1 : "");
}

uint32_t lvl_wwd_file_places(const lvl_doc *doc, lvl_use use, lvl_text key,
                             lvl_file_place out[LVL_FILE_PLACES])
{
    const lvl_file_place script = {LVL_ART_OWN "LOGICS", key, ':', true, "lua"};
    lvl_wwd_art wa;
    uint32_t count = 0;

    if (use == LVL_USE_SCRIPT) {
        out[0] = script;
        return 1;
    }
    lvl_wwd_art_init(&wa, doc->root, NULL);
    for (uint32_t i = 0; i < wa.place_count && count < LVL_FILE_PLACES; i++) {
        lvl_file_place *place = &out[count];
        place->rest = key;
        if (key.len && !lvl_wwd_without_prefix(key, wa.places[i].prefix, &place->rest))
            continue;
        folder_beside(place->folder, sizeof place->folder, wa.places[i].folder, use);
        place->own = strncmp(place->folder, LVL_ART_OWN, strlen(LVL_ART_OWN)) == 0;
        place->joint = '_';
        place->ending = use == LVL_USE_SOUND ? "wav" : "ani";
        count++;
    }
    return count;
}

/* ---- checks ------------------------------------------------------------------------------------------ */

/* A key that objects name. */
typedef struct key {
    lvl_text text;
    lvl_use use;
    lvl_key_state state;
    bool spare;
    lvl_where where; /* at the first object */
    uint32_t count;
} key;

typedef struct keys {
    const lvl_wwd_checker *c;
    lvl_hash index;
    key *items;
    size_t count, cap;
} keys;

static void report_key(const lvl_wwd_checker *c, const key *k)
{
    char shown[96], many[40] = "";

    lvl_text_show(shown, sizeof shown, c->doc->codepage, k->text);
    if (k->count > 1)
        snprintf(many, sizeof many, " (%u objects)", k->count);
    if (k->use == LVL_USE_SOUND)
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_NO_SOUND, k->where,
                       "there is no sound %s: players hear nothing%s", shown, many);
    else
        lvl_wwd_report(c->findings,
                       k->spare ? LVL_WWD_F_OBJECT_SPARE_ANIMATION : LVL_WWD_F_OBJECT_NO_ANIMATION, k->where,
                       "there is no animation %s: players do not see it%s", shown, many);
}

static lvl_status add_key(keys *all, const key *k)
{
    const uint64_t hash = lvl_hash_nocase(&all->index.seed, k->text);

    for (lvl_hash_at at = lvl_hash_first(&all->index, hash); at.found; at = lvl_hash_next(&all->index, at)) {
        key *same = &all->items[at.index];
        if (same->use != k->use || same->spare != k->spare || !lvl_text_equal_nocase(same->text, k->text))
            continue;
        same->count++;
        if (all->c->each && same->state == LVL_KEY_MISSING)
            report_key(all->c, k);
        return LVL_OK;
    }
    if (!lvl_grow(&all->items, &all->cap, all->count + 1, sizeof *all->items) ||
        lvl_hash_add(&all->index, hash, (uint32_t)all->count) != LVL_OK)
        return LVL_ERR_MEMORY;
    key *added = &all->items[all->count++];
    *added = *k;
    added->state = lvl_art_look_up(all->c->art, all->c->doc, k->use, k->text);
    if (all->c->each && added->state == LVL_KEY_MISSING)
        report_key(all->c, k);
    return lvl_charge(all->c->doc->ctx, k->text.len + 1);
}

static lvl_status add_object(keys *all, uint32_t plane, uint32_t index)
{
    const lvl_wwd_object *o = &all->c->wwd->planes[plane].objects[index];
    const lvl_book_item item = {.book = all->c->book, .thing = lvl_book_find(all->c->book, o->logic)};
    const lvl_book_use *use =
        o->animation.len && item.thing ? lvl_book_use_of(&item, offsetof(lvl_wwd_object, animation)) : NULL;
    const key k = {.text = o->animation,
                   .use = use ? (lvl_use)use->file : LVL_USE_NONE,
                   .spare = use && use->spare,
                   .where = LVL_AT(lvl_wwd_at_object(plane, index), lvl_wwd_object, animation),
                   .count = 1};

    return k.use ? add_key(all, &k) : LVL_OK;
}

lvl_status lvl_wwd_check_keys(const lvl_wwd_checker *c)
{
    keys all = {.c = c};
    bool sounds = false, animations = false;
    lvl_status status = LVL_OK;

    if (!c->art || !lvl_art_root(c->art, 0))
        return LVL_OK;
    lvl_hash_init(&all.index);
    for (uint32_t i = 0; i < c->wwd->plane_count; i++) {
        for (uint32_t k = 0; k < c->wwd->planes[i].object_count && status == LVL_OK; k++)
            status = add_object(&all, i, k);
    }
    for (size_t i = 0; i < all.count && status == LVL_OK; i++) {
        const key *k = &all.items[i];
        if (k->state == LVL_KEY_MISSING && !c->each)
            report_key(c, k);
        sounds |= k->state == LVL_KEY_UNKNOWN && k->use == LVL_USE_SOUND;
        animations |= k->state == LVL_KEY_UNKNOWN && k->use == LVL_USE_ANIMATION;
    }
    if ((sounds || animations) && !lvl_art_given(c->art))
        lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "%s",
                         !animations ? "sounds"
                         : !sounds   ? "animations"
                                     : "sounds and animations");
    lvl_hash_free(&all.index);
    free(all.items);
    return status;
}
