/*
 * games/own.c: see own.h.
 */
#include "games/own.h"

#include <string.h>

const lvl_book_thing *lvl_own_named(const lvl_book *book, const lvl_table *table, const void *item)
{
    const lvl_field *name = lvl_field_with_role(table, LVL_ROLE_NAME, NULL),
                    *class = lvl_field_with_role(table, LVL_ROLE_CLASS, NULL);
    char both[200];

    if (!class)
        class = lvl_field_with_role(table, LVL_ROLE_PICTURE, NULL);
    if (!class || class->kind != LVL_TEXT)
        return NULL;
    const lvl_text is = lvl_get_text(item, class), called = name ? lvl_get_text(item, name) : (lvl_text){0};
    if (called.len && is.len + called.len + 1 < sizeof both) {
        memcpy(both, is.ptr, is.len);
        both[is.len] = '/';
        memcpy(both + is.len + 1, called.ptr, called.len);
        const lvl_book_thing *own = lvl_book_find(book, (lvl_text){both, is.len + 1 + called.len});
        if (own)
            return own;
    }
    return lvl_book_find(book, is);
}

const lvl_book_thing *lvl_own_thing(const lvl_doc *doc, const lvl_table *table, const void *item,
                                    const lvl_book **book)
{
    for (const lvl_own *own = doc->ctx ? doc->ctx->own : NULL; own; own = own->next) {
        const lvl_book_thing *thing =
            own->format == doc->format && own->record == table ? lvl_own_named(own->book, table, item) : NULL;
        if (!thing || !thing->own)
            continue;
        *book = own->book;
        return thing;
    }
    return NULL;
}
