/*
 * wap32/wwd/keys.c: the sounds, animations and scripts that objects, and their scripts, name by a key. A key
 * is a prefix and a path joined by '_', as the name of an image set is: "LEVEL_TRIGGER_1006" is
 * LEVEL3/SOUNDS/TRIGGER/1006.WAV on base level 3. A script of CrazyHook is LOGICS/a/b.lua for "a:b".
 */
#include "wap32/wwd/art.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/check.h"

#include "base/buffer.h"
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
    lvl_text script; /* that names it; empty: the object itself */
    lvl_where where; /* at the first object */
    uint32_t count;
} key;

typedef struct keys {
    const lvl_wwd_checker *c;
    lvl_hash index;
    key *items;
    size_t count, cap;
    lvl_buffer *files; /* the scripts, which have some of the texts */
    size_t file_count, file_cap;
} keys;

static void report_key(const lvl_wwd_checker *c, const key *k)
{
    char shown[96], script[96], many[140] = "";

    lvl_text_show(shown, sizeof shown, c->doc->codepage, k->text);
    lvl_text_show(script, sizeof script, c->doc->codepage, k->script);
    if (k->script.len)
        snprintf(many, sizeof many, " (the script %s names it)", script);
    else if (k->count > 1)
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
        if (all->c->each && same->state == LVL_KEY_MISSING && k->use != LVL_USE_SCRIPT)
            report_key(all->c, k);
        return LVL_OK;
    }
    if (!lvl_grow(&all->items, &all->cap, all->count + 1, sizeof *all->items) ||
        lvl_hash_add(&all->index, hash, (uint32_t)all->count) != LVL_OK)
        return LVL_ERR_MEMORY;
    key *added = &all->items[all->count++];
    *added = *k;
    added->state = lvl_art_look_up(all->c->art, all->c->doc, k->use, k->text);
    if (all->c->each && added->state == LVL_KEY_MISSING && k->use != LVL_USE_SCRIPT)
        report_key(all->c, k);
    return lvl_charge(all->c->doc->ctx, k->text.len + 1);
}

#ifndef LVL_WITHOUT_NAMES /* the page's book has no names of functions */
static bool is_word(char c)
{
    return lvl_is_digit(c) || (lvl_upper(c) >= 'A' && lvl_upper(c) <= 'Z') || c == '_';
}

/* The next call in a Lua script whose first argument is a text alone: `name("text"`. */
static bool next_call(lvl_text lua, size_t *at, lvl_text *name, lvl_text *text)
{
    const char *p = lua.ptr;
    size_t i = *at;

    name->len = 0;
    while (i < lua.len) {
        const size_t from = i;
        const char c = p[i++];
        if (c == '-' && i < lua.len && p[i] == '-') { /* a comment to the end of the line, or --[[ … ]] */
            const bool block = i + 2 < lua.len && p[i + 1] == '[' && p[i + 2] == '[';
            while (i < lua.len && (block ? p[i - 1] != ']' || p[i] != ']' : p[i] != '\n'))
                i++;
            name->len = 0;
        } else if (c == '"' || c == '\'') {
            while (i < lua.len && p[i] != c && p[i] != '\n')
                i += p[i] == '\\' ? 2 : 1;
            const size_t end = i < lua.len ? i++ : lua.len;
            size_t next = i < lua.len ? i : lua.len;
            while (next < lua.len && (p[next] == ' ' || p[next] == '\t'))
                next++;
            *text = (lvl_text){p + from + 1, end - from - 1};
            *at = i;
            if (name->len && next < lua.len && (p[next] == ')' || p[next] == ','))
                return true;
            name->len = 0;
        } else if (is_word(c)) {
            while (i < lua.len && is_word(p[i]))
                i++;
            *name = (lvl_text){p + from, i - from};
        } else if (c != ' ' && c != '\t' && (c != '(' || !name->len || p[from - 1] == '(')) {
            name->len = 0;
        }
    }
    return false;
}

/* The keys that the Lua file of a CustomLogic names; each file is read once. */
static lvl_status add_script(keys *all, const lvl_wwd_object *o, lvl_where where)
{
    const lvl_book_script_key *known = all->c->book->script_keys;
    const key script = {.text = o->name, .use = LVL_USE_SCRIPT, .where = where, .count = 1};
    const size_t before = all->count;
    lvl_text name = {0}, text = {0};
    size_t at = 0;

    lvl_status status = known && o->name.len ? add_key(all, &script) : LVL_OK;
    if (status != LVL_OK || all->count == before || all->items[before].state != LVL_KEY_FOUND)
        return status;
    if (!lvl_grow(&all->files, &all->file_cap, all->file_count + 1, sizeof *all->files))
        return LVL_ERR_MEMORY;
    lvl_buffer *file = &all->files[all->file_count++];
    *file = (lvl_buffer){0};
    status = lvl_art_read_key(all->c->art, LVL_ART_OWN "LOGICS", o->name, ':', "lua", file);
    if (status != LVL_OK) /* what cannot be read names nothing */
        return status == LVL_ERR_MEMORY ? status : LVL_OK;
    status = lvl_charge(all->c->doc->ctx, file->len);
    while (status == LVL_OK && next_call(lvl_buffer_text(file), &at, &name, &text)) {
        const lvl_book_script_key *k = known;
        while (k->name && !lvl_text_is(name, k->name))
            k++;
        const key found = {.text = text, .use = k->use, .script = o->name, .where = where, .count = 1};
        if (k->name && text.len)
            status = add_key(all, &found);
    }
    return status;
}
#endif

static lvl_status add_object(keys *all, uint32_t plane, uint32_t index)
{
    const lvl_wwd_object *o = &all->c->wwd->planes[plane].objects[index];
#ifndef LVL_WITHOUT_NAMES
    if (lvl_text_is(o->logic, "CustomLogic")) {
        const lvl_status status =
            add_script(all, o, LVL_AT(lvl_wwd_at_object(plane, index), lvl_wwd_object, name));
        if (status != LVL_OK)
            return status;
    }
#endif
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
        if (k->state == LVL_KEY_MISSING && !c->each && k->use != LVL_USE_SCRIPT) /* see check_art.c */
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
    for (size_t i = 0; i < all.file_count; i++)
        lvl_buffer_free(&all.files[i]);
    free(all.files);
    free(all.items);
    return status;
}
