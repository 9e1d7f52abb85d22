/*
 * wap32/wwd/book.c: see wap32/wwd/book.h.
 */
#include "wap32/wwd/book.h"

#include "base/format.h"
#include "base/text.h"
#include "games/own.h"

const lvl_book *lvl_wwd_book(const lvl_wwd *wwd)
{
    return lvl_wwd_game_of(wwd) == LVL_WWD_GRUNTZ ? &lvl_book_gruntz : &lvl_book_claw;
}

uint32_t lvl_wwd_book_base(const lvl_wwd *wwd)
{
    const unsigned base = lvl_wwd_base_level(wwd);

    return base <= 14 ? base : 0;
}

bool lvl_wwd_is_logic(lvl_text name)
{
    return lvl_book_find(&lvl_book_claw, name) || lvl_book_find(&lvl_book_gruntz, name);
}

lvl_book_kind lvl_wwd_kind_of(const lvl_book_thing *logic, const lvl_wwd_object *object)
{
    if (!logic)
        return LVL_KIND_UNKNOWN;
    if (logic->kind == LVL_KIND_PICKUP && lvl_text_begins(object->image_set, "GAME_WARP"))
        return LVL_KIND_WARP;
    return (lvl_book_kind)logic->kind;
}

const lvl_book_thing *lvl_wwd_thing_of(const lvl_doc *doc, const lvl_wwd_object *object,
                                       const lvl_book **book)
{
    const lvl_book_thing *own = lvl_own_thing(doc, &lvl_wwd_object_table, object, book);

    if (own)
        return own;
    *book = lvl_wwd_book(doc->root);
    return lvl_book_find(*book, object->logic);
}

uint32_t lvl_wwd_object_places(const lvl_doc *doc, const void *item, lvl_map_place out[LVL_MAP_PLACES])
{
    const lvl_book *book;
    const lvl_book_thing *thing = lvl_wwd_thing_of(doc, item, &book);

    return lvl_book_places(book, thing, item, out);
}

bool lvl_wwd_describe(const lvl_doc *doc, const lvl_table *table, const void *item, lvl_book_item *out)
{
    const lvl_wwd_object *object = item;

    if (table != &lvl_wwd_object_table)
        return false;
    *out = (lvl_book_item){
        .book = lvl_wwd_book(doc->root), .base = lvl_wwd_book_base(doc->root), .record = item};
    out->thing = object ? lvl_book_find(out->book, object->logic) : NULL;
    out->kind = object ? lvl_wwd_kind_of(out->thing, object) : LVL_KIND_UNKNOWN;
    return true;
}
