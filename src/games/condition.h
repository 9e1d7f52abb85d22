/*
 * games/condition.h: conditions of the game book, read at run time (`lvl check --rules`): the language that
 * scripts/games makes tables of (its docstring), for the one evaluator, lvl_book_holds.
 */
#ifndef LVL_GAMES_CONDITION_H
#define LVL_GAMES_CONDITION_H

#include "games/book.h"

#include "base/arena.h"

/* The tables of a book that grow while conditions are read; free() them (lvl_conditions_free). */
typedef struct lvl_conditions {
    lvl_arena *arena; /* of the texts */
    lvl_book_field *fields;
    lvl_book_test *tests;
    lvl_book_condition *items;
    int32_t *values;
    const char **texts;
    size_t field_count, field_cap, test_count, test_cap, count, cap, value_count, value_cap, text_count,
        text_cap;
} lvl_conditions;

/* Where and why a condition cannot be read. */
typedef struct lvl_condition_error {
    size_t offset; /* in its text */
    const char *expected; /* "a number"; static */
} lvl_condition_error;

/* Appends the alternative `text`, tests with commas between them. `table`: of the records that it is about;
 * `or_next`: another alternative follows. LVL_ERR_FORMAT: *error says why; LVL_ERR_LIMIT: there are too
 * many; LVL_ERR_MEMORY. The number of a condition is the value of `count` before its first alternative,
 * plus 1. */
lvl_status lvl_condition_read(lvl_conditions *c, const lvl_table *table, lvl_text text, bool or_next,
                              lvl_condition_error *error);
/* Appends fields, as the book names those of a use: with blanks between them, "rect.*" for the four sides of
 * a box. `first`: number of the use's first field. Status as above. */
lvl_status lvl_condition_fields(lvl_conditions *c, const lvl_table *table, lvl_text text, size_t first,
                                lvl_condition_error *error);
/* Appends a field of another book. */
lvl_status lvl_condition_field(lvl_conditions *c, lvl_book_field field);
/* Sets the tables of a book to what was read; they stay in `c`. */
void lvl_conditions_use(const lvl_conditions *c, lvl_book *book);
void lvl_conditions_free(lvl_conditions *c);

#endif
