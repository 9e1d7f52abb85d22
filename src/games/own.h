/*
 * games/own.h: things that the user adds to a game (`--rules FILE`): logics of CustomLogic, doodads of one's
 * own. Where a document's places and areas are looked up, they come before those of the game's book.
 */
#ifndef LVL_GAMES_OWN_H
#define LVL_GAMES_OWN_H

#include "base/format.h"
#include "games/book.h"

typedef struct lvl_own {
    const lvl_format *format; /* whose documents have them */
    const lvl_table *record; /* what they are; NULL: nothing */
    const lvl_book *book; /* which may have the game's things, too, without their uses */
    const struct lvl_own *next; /* of another file */
} lvl_own;

/* The name by which a book finds a thing is that of its class, or of its picture without one; before that,
 * CLASS/NAME. NULL: the book does not have it. */
const lvl_book_thing *lvl_own_named(const lvl_book *book, const lvl_table *table, const void *item);
/* The thing of the user's that a record of a document is, and its book; NULL: none that has uses. */
const lvl_book_thing *lvl_own_thing(const lvl_doc *doc, const lvl_table *table, const void *item,
                                    const lvl_book **book);

#endif
