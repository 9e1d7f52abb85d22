/*
 * tools/paths/meaning.h: what the members of an item mean in its game, for tools: names of values that depend
 * on the item ("coin" for 33 in what an enemy drops), and words for what members mean (kind, drops).
 */
#ifndef LVL_TOOLS_PATHS_MEANING_H
#define LVL_TOOLS_PATHS_MEANING_H

#include "games/book.h"
#include "tools/tools.h"

/* The browser's module is small and has no names: what asks for them is left out there. */
#ifdef LVL_WITHOUT_NAMES
#define LVL_MEANING false
#else
#define LVL_MEANING true
#endif

/* The innermost item of a list on the way to a place, as its game's book sees it. False: no book describes
 * such items. */
bool lvl_meaning_at(const lvl_doc *doc, const lvl_where *where, lvl_book_item *out);
/* The names of the values of an integer member at that place; NULL: the book has none. `record` has it. */
const lvl_name *lvl_meaning_names(const lvl_doc *doc, const lvl_where *where, const void *record,
                                  const lvl_field *field);

/* Words of conditions: 0 is none, then the kind of a thing, then book->words. */
enum { LVL_WORD_KIND = 1, LVL_WORD_USES };
/* The word of that name; 0: none. */
uint8_t lvl_meaning_word(const lvl_book *book, lvl_text name);
/* A word that resembles a name; NULL: none does. */
const char *lvl_meaning_near_word(const lvl_book *book, lvl_text name);

/* The uses with a word, or if `word` is 0, of the member at `offset`. */
typedef struct lvl_meaning_scope {
    const lvl_book *book;
    uint8_t word;
    size_t offset;
} lvl_meaning_scope;
bool lvl_meaning_covers(const lvl_meaning_scope *scope, const lvl_book_use *use);
/* Whether a value of them has that name, or a group of items has. Otherwise `near` gets names that resemble
 * it or contain it, "red_crown or blue_crown"; or "". */
bool lvl_meaning_known(const lvl_meaning_scope *scope, lvl_text name, char *near, size_t size);
/* Whether the texts or pictures of members are compared, so that any text may be given. */
bool lvl_meaning_is_text(const lvl_meaning_scope *scope);
/* Whether a number of that use has the name, or is in the group of that name. */
bool lvl_meaning_is(const lvl_book *book, const lvl_book_use *use, int64_t number, lvl_text name);
/* Names that resemble a text or contain it, as above. */
void lvl_meaning_near(const lvl_name *names, lvl_text text, char *near, size_t size);

#endif
