/*
 * wap32/wwd/check_objects.c: checks of objects (docs/formats/wwd.md): which ones the game drops, and why.
 */
#include "base/hash.h"
#include "base/text.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/check.h"

/* Findings that are reported once per plane, at the first object. */
struct tally {
    uint32_t custom, first_custom;
    uint32_t flags, first_flags;
    /* the last logic that was looked up: objects of one kind often follow each other */
    lvl_text name;
    const lvl_book_thing *logic;
    /* the last unknown logic and the most similar known one, since typos are repeated */
    lvl_text last;
    const lvl_book_thing *near;
};

static void check_logic(const lvl_wwd_checker *c, const lvl_wwd_object *o, uint32_t plane, uint32_t index,
                        struct tally *t)
{
    const lvl_book *book = c->book;
    char shown[96];

    if (!t->name.ptr || !lvl_text_equal(t->name, o->logic)) {
        t->name = o->logic;
        t->logic = lvl_book_find(book, o->logic);
    }
    const lvl_book_thing *const logic = t->logic;
    if (logic && logic->kind == LVL_KIND_SCRIPT) {
        if (!t->custom++)
            t->first_custom = index;
        return;
    }
    if (logic || (c->game != LVL_WWD_CLAW && lvl_wwd_is_logic(o->logic)))
        return;
    const lvl_where where = LVL_AT(lvl_wwd_at_object(plane, index), lvl_wwd_object, logic);
    if (!o->logic.len) {
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_NO_LOGIC, where,
                       "the object at %d, %d has no logic: it is missing in the game", o->x, o->y);
        return;
    }
    if (!t->last.ptr || !lvl_text_equal(t->last, o->logic)) {
        t->last = o->logic;
        t->near = lvl_book_near(book, o->logic);
    }
    /* not all logics of the other games are known, so only names similar to a known one are reported */
    if (!t->near && c->game != LVL_WWD_CLAW)
        return;
    lvl_text_show(shown, sizeof shown, c->doc->codepage, o->logic);
    if (t->near)
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_LOGIC, where,
                       "the game has no logic \"%s\", so the object is missing in it; did you mean %s?",
                       shown, t->near->name);
    else
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_LOGIC, where,
                       "the game has no logic \"%s\", so the object is missing in it", shown);
}

static void check_texts(const lvl_wwd_checker *c, const lvl_wwd_object *o, uint32_t plane, uint32_t index)
{
    for (size_t i = 0; i < LVL_WWD_OBJECT_TEXTS; i++) {
        const size_t len = lvl_wwd_object_text(o, i).len;
        if (len > LVL_WWD_STRING_MAX)
            lvl_wwd_report(
                c->findings, LVL_WWD_F_OBJECT_TEXT,
                lvl_where_member(lvl_wwd_at_object(plane, index), &lvl_wwd_object_table, LVL_WWD_TEXT_AT(i)),
                "%llu bytes: the game crashes", (unsigned long long)len);
    }
}

static void check_image_set(const lvl_wwd_checker *c, const lvl_wwd_object *o, uint32_t plane, uint32_t index)
{
    char shown[96];

    for (size_t i = 0; i < o->image_set.len; i++) {
        if ((uint8_t)o->image_set.ptr[i] > ' ')
            continue;
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_IMAGE_BLANK,
                       LVL_AT(lvl_wwd_at_object(plane, index), lvl_wwd_object, image_set),
                       "\"%s\" has a blank: the game finds no such image set, and crashes",
                       lvl_text_show(shown, sizeof shown, c->doc->codepage, o->image_set));
        return;
    }
}

static void check_object(const lvl_wwd_checker *c, uint32_t plane, uint32_t index, int64_t wide, int64_t high,
                         struct tally *t)
{
    const lvl_wwd_object *o = &c->wwd->planes[plane].objects[index];

    if (o->x < 0 || o->y < 0 || o->x >= wide || o->y >= high) {
        lvl_where w = LVL_AT(lvl_wwd_at_object(plane, index), lvl_wwd_object, x);
        char shown[64];
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_OUTSIDE, w,
                       "%s at %d, %d, outside of the plane of %lld by %lld px: it is missing in the game",
                       lvl_text_show(shown, sizeof shown, c->doc->codepage, o->logic), o->x, o->y,
                       (long long)wide, (long long)high);
    }
    check_logic(c, o, plane, index, t);
    check_image_set(c, o, plane, index);
    check_texts(c, o, plane, index);
    if ((o->add_flags | o->dynamic_flags | o->draw_flags) > 0xFF || o->object_type > 0xFFFF ||
        o->hit_type > 0xFFFF) {
        if (!t->flags++)
            t->first_flags = index;
    }
}

/* ---- ids --------------------------------------------------------------------------------------------- */

/* Ids repeat in three of four levels, so they are reported once. */
static lvl_status check_ids(const lvl_wwd_checker *c, uint32_t plane)
{
    const lvl_wwd_plane *p = &c->wwd->planes[plane];
    uint32_t repeated = 0, first = UINT32_MAX;

    if (p->object_count < 2)
        return LVL_OK;
    lvl_hash ids;
    lvl_status status = LVL_OK;
    lvl_hash_init(&ids);
    for (uint32_t i = 0; i < p->object_count && status == LVL_OK; i++) {
        const uint64_t hash = lvl_hash_u64(&ids.seed, (uint32_t)p->objects[i].id);
        lvl_hash_at at = lvl_hash_first(&ids, hash);
        while (at.found && p->objects[at.index].id != p->objects[i].id)
            at = lvl_hash_next(&ids, at);
        if (!at.found)
            status = lvl_hash_add(&ids, hash, i);
        else if (!repeated++)
            first = i;
    }
    lvl_hash_free(&ids);
    if (status != LVL_OK)
        return status;
    if (repeated)
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_IDS,
                       LVL_AT(lvl_wwd_at_object(plane, first), lvl_wwd_object, id),
                       "%u objects have the id of an earlier one, the first is id %d: games ignore that",
                       repeated, p->objects[first].id);
    return LVL_OK;
}

lvl_status lvl_wwd_check_objects(const lvl_wwd_checker *c)
{
    for (uint32_t plane = 0; plane < c->wwd->plane_count; plane++) {
        const lvl_wwd_plane *p = &c->wwd->planes[plane];
        const int64_t wide = (int64_t)p->tiles.width * p->tile_width,
                      high = (int64_t)p->tiles.height * p->tile_height;
        struct tally t = {0};
        for (uint32_t i = 0; i < p->object_count; i++)
            check_object(c, plane, i, wide, high, &t);
        if (t.custom)
            lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_CUSTOM, lvl_wwd_at_object(plane, t.first_custom),
                           "objects whose logic is a Lua file: %u: without CrazyHook the game drops them",
                           t.custom);
        if (t.flags)
            lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_FLAGS, lvl_wwd_at_object(plane, t.first_flags),
                           "%u objects", t.flags);
        if (p->object_count && !(p->flags & LVL_WWD_PLANE_MAIN))
            lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_PLANE,
                           LVL_AT(lvl_wwd_at_plane(plane), lvl_wwd_plane, objects), "%u objects",
                           p->object_count);
        lvl_status status = check_ids(c, plane);
        if (status != LVL_OK)
            return status;
    }
    return LVL_OK;
}
