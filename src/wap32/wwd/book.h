/*
 * wap32/wwd/book.h: the game book of a WWD, and what it says about its objects.
 */
#ifndef LVL_WAP32_WWD_BOOK_H
#define LVL_WAP32_WWD_BOOK_H

#include "games/book.h"

#include <lvl/wwd.h>

/* The book of the level's game; Claw's, if the game is unknown. */
const lvl_book *lvl_wwd_book(const lvl_wwd *wwd);
/* The number of the base level, as conditions of the book compare it; 0: none that a game has. */
uint32_t lvl_wwd_book_base(const lvl_wwd *wwd);
/* Whether any of the games has that logic. */
bool lvl_wwd_is_logic(lvl_text name);
/* The kind of an object: that of its logic (NULL: unknown), except that a pickup that is drawn as a warp is a
 * warp. */
lvl_book_kind lvl_wwd_kind_of(const lvl_book_thing *logic, const lvl_wwd_object *object);
/* lvl_map_list.places */
uint32_t lvl_wwd_object_places(const lvl_doc *doc, const void *item, lvl_map_place out[LVL_MAP_PLACES]);
/* The thing that an object is, the user's before the game's (NULL: unknown), and the book that has it. */
const lvl_book_thing *lvl_wwd_thing_of(const lvl_doc *doc, const lvl_wwd_object *object,
                                       const lvl_book **book);
/* lvl_format_calls.describe */
bool lvl_wwd_describe(const lvl_doc *doc, const lvl_table *table, const void *item, lvl_book_item *out);

#endif
