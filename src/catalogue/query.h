/*
 * catalogue/query.h: a search as one query: its words, the SQL that is put together, its parameters, and its
 * rows.
 */
#ifndef LVL_CATALOGUE_QUERY_H
#define LVL_CATALOGUE_QUERY_H

#include "catalogue/catalogue.h"
#include "catalogue/tokenizer.h"

#include "base/buffer.h"

enum { CAT_MAX_TERMS = 16 };

/* A column that `word:` may name. */
typedef struct cat_facet {
    const char *name, *column;
    bool begins; /* any value that begins with it: a path */
} cat_facet;

/* A word of the search. */
typedef struct cat_term {
    lvl_text key; /* before the ':'; empty: none */
    lvl_text text;
    bool phrase;
    const cat_facet *facet; /* a column; NULL: texts */
} cat_term;

/* For cat_query_free. */
typedef struct cat_query {
    lvl_catalogue *c;
    const lvl_find_options *options;
    cat_term terms[CAT_MAX_TERMS];
    size_t count, texts; /* terms that search texts */
    lvl_buffer sql;
    lvl_buffer values[CAT_MAX_TERMS * 2 + 8]; /* of the parameters, in order */
    size_t value_count;
    lvl_catalogue_row_fn row;
    void *user;
    void *own; /* of the function that gets the rows */
    bool ended; /* `row` has returned false */
    bool any; /* `row` got one */
    int64_t counted; /* by cat_take_count */
    lvl_status status; /* of what the functions for rows did */
} cat_query;

/* Adds a word of the search: "word", "\"a phrase\"", "NAME:WORD". LVL_ERR_ARG: it is none of these. */
lvl_status cat_query_word(cat_query *q, const char *word, lvl_buffer *why);
void cat_query_free(cat_query *q);
/* Empties the SQL and the parameters for another query. */
void cat_query_clear(cat_query *q);

/* A new parameter with this value, the same in lower case, or a number; returns its number. */
int cat_parameter(cat_query *q, lvl_text value);
int cat_parameter_lower(cat_query *q, lvl_text value);
int cat_parameter_number(cat_query *q, int64_t number);
/* Appends the names of all columns that a word may name, with blanks between. */
void cat_put_facet_names(lvl_buffer *out);
/* Appends the conditions of facets, each after " AND ". */
void cat_put_facets(cat_query *q);
/* Appends a query for the texts of a term: file, text. */
void cat_put_match(cat_query *q, const cat_term *t);
/* Appends a text in which %d is replaced by a number. */
void cat_put_number(lvl_buffer *out, const char *text, int number);
/* " LIMIT n", or "". */
const char *cat_limit(const cat_query *q, char buf[32]);

/* Gets a row; false: no more are wanted. */
typedef bool (*cat_give_fn)(cat_query *q, const cat_statement *s);
/* Runs the query. */
lvl_status cat_query_run(cat_query *q, cat_give_fn give, lvl_buffer *why);
/* Gives the row to the caller of the search. */
bool cat_give_row(cat_query *q, const cat_statement *s);
/* Notes the number that is the only row. */
bool cat_take_count(cat_query *q, const cat_statement *s);
/* Fills in a value for the caller; `number` is large enough for a number as text. */
void cat_show_value(const cat_value *v, const char *name, char number[32], lvl_catalogue_value *out);
/* All rows of a query without words. */
lvl_status cat_each_row(lvl_catalogue *c, const char *sql, lvl_catalogue_row_fn row, void *user);

#endif
