/*
 * wap32/wwd/stock.c: the objects that an editor offers for a level: one for each image set that the level can
 * name, with the usual logic of its objects.
 */
#include "base/map_layout.h"
#include "base/text.h"
#include "wap32/wwd/art.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/internal.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 1024 }; /* image sets that are offered; a level of the game has about 200 */

typedef struct stock {
    const lvl_wwd_place *place;
    const lvl_book *book;
    lvl_doc *doc;
    lvl_wwd_object *objects;
    uint32_t count;
    lvl_hash used, taken; /* objects of the level and of the stock, by image set, ignoring case */
    const lvl_wwd_plane *plane; /* the level's main one */
    lvl_status status;
} stock;

static bool is_taken(const stock *s, lvl_text name)
{
    lvl_hash_at at = lvl_hash_first(&s->taken, lvl_hash_nocase(&s->taken.seed, name));

    while (at.found && !lvl_text_equal_nocase(s->objects[at.index].image_set, name))
        at = lvl_hash_next(&s->taken, at);
    return at.found;
}

/* The logic of the level's own objects with that image set; empty: there are none. */
static lvl_text logic_in_level(const stock *s, lvl_text name)
{
    lvl_hash_at at = lvl_hash_first(&s->used, lvl_hash_nocase(&s->used.seed, name));

    while (at.found && !lvl_text_equal_nocase(s->plane->objects[at.index].image_set, name))
        at = lvl_hash_next(&s->used, at);
    return at.found ? s->plane->objects[at.index].logic : (lvl_text){"", 0};
}

/* The game's own folders also have pictures for its own use: only those that levels use for objects are
 * offered. */
static bool add_set(void *user, lvl_text name, size_t pictures)
{
    stock *s = user;
    char buf[300];

    const int n = snprintf(buf, sizeof buf, "%s_%.*s", s->place->prefix, (int)name.len, name.ptr);
    if (n < 0 || (size_t)n >= sizeof buf || s->count == MAX_SETS || s->status != LVL_OK)
        return s->count < MAX_SETS && s->status == LVL_OK;
    const lvl_text set = {buf, (size_t)n};
    if (is_taken(s, set))
        return true;
    lvl_text logic = logic_in_level(s, set);
    if (!logic.len)
        logic = lvl_book_usual_thing(s->book, set);
    if (!logic.len && strcmp(s->place->prefix, "GAME") == 0)
        return true;
    if (!logic.len)
        logic = lvl_text_of(pictures == 1               ? "BehindCandy"
                            : s->book == &lvl_book_claw ? "BehindAniCandy"
                                                        : "BehindCandyAni");
    lvl_wwd_object *object = &s->objects[s->count];
    lvl_record_init(object, &lvl_wwd_object_table);
    object->logic = logic;
    object->image_set = lvl_doc_text(s->doc, set);
    s->status = object->image_set.ptr
                    ? lvl_hash_add(&s->taken, lvl_hash_nocase(&s->taken.seed, set), s->count)
                    : LVL_ERR_MEMORY;
    s->count++;
    return s->status == LVL_OK;
}

static void list_used(stock *s)
{
    for (uint32_t i = 0; i < s->plane->object_count && s->status == LVL_OK; i++) {
        const lvl_text set = s->plane->objects[i].image_set;
        if (s->plane->objects[i].logic.len && set.len && !logic_in_level(s, set).len)
            s->status = lvl_hash_add(&s->used, lvl_hash_nocase(&s->used.seed, set), i);
    }
}

/* Copies the level's settings and its main plane, without tiles. */
static lvl_status begin(stock *s, const lvl_doc *doc, uint32_t main)
{
    const lvl_wwd *wwd = doc->root;
    lvl_wwd head = *wwd;
    lvl_wwd_plane plane = wwd->planes[main];

    plane.tiles = (lvl_cells){0};
    plane.objects = NULL;
    plane.object_count = 0;
    head.planes = &plane;
    head.plane_count = 1;
    head.tile_properties = NULL;
    head.tile_property_count = 0;
    lvl_status status = lvl_doc_new(&s->doc, doc->ctx, doc->format);
    if (status == LVL_OK)
        status = lvl_record_copy(s->doc, s->doc->root, doc, &head, &lvl_wwd_table);
    if (status == LVL_OK)
        s->doc->codepage = doc->codepage;
    return status;
}

lvl_status lvl_wwd_stock(const lvl_doc *doc, const lvl_art *art, lvl_doc **out)
{
    const lvl_wwd *wwd = doc->root;
    stock s = {.book = lvl_wwd_book(wwd)};
    lvl_wwd_art wa;
    uint32_t main;

    *out = NULL;
    if (!art || !lvl_wwd_main_plane(wwd, &main))
        return LVL_OK;
    lvl_hash_init(&s.used);
    lvl_hash_init(&s.taken);
    s.plane = &wwd->planes[main];
    s.objects = calloc(MAX_SETS, sizeof *s.objects);
    s.status = s.objects ? begin(&s, doc, main) : LVL_ERR_MEMORY;
    list_used(&s);
    lvl_wwd_art_init(&wa, wwd, art);
    for (uint32_t i = 0; i < wa.place_count && s.status == LVL_OK; i++) {
        s.place = &wa.places[i];
        if (strcmp(s.place->prefix, "CLAW") == 0) /* the player */
            continue;
        const lvl_status status = lvl_art_sets(art, s.place->folder, add_set, &s);
        s.status = s.status == LVL_OK ? status : s.status;
    }
    if (s.status == LVL_OK && s.count) {
        lvl_wwd_plane *plane = &((lvl_wwd *)s.doc->root)->planes[0];
        s.status = lvl_list_insert(s.doc, plane, LVL_FIELD(lvl_wwd_plane, objects), 0, s.count);
        if (s.status == LVL_OK)
            memcpy(plane->objects, s.objects, s.count * sizeof *s.objects);
    }
    lvl_hash_free(&s.used);
    lvl_hash_free(&s.taken);
    free(s.objects);
    if (s.status == LVL_OK && s.count)
        *out = s.doc;
    else
        lvl_doc_free(s.doc);
    return s.status;
}
