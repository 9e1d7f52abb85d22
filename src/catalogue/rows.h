/*
 * catalogue/rows.h: rows of tables as bytes, passed from the thread that reads a file to the one that owns
 * the database. Not a file format: only this version of lvl reads them.
 */
#ifndef LVL_CATALOGUE_ROWS_H
#define LVL_CATALOGUE_ROWS_H

#include "catalogue/schema.h"

/* Starts a row of a table; a value for each column follows, except of keys: id, file, number. */
void cat_row(lvl_buffer *out, unsigned table);
void cat_put_null(lvl_buffer *out);
void cat_put_int(lvl_buffer *out, int64_t value);
/* UTF-8; ptr NULL is NULL. */
void cat_put_text(lvl_buffer *out, lvl_text text);
void cat_put_str(lvl_buffer *out, const char *text); /* NULL: NULL */
void cat_put_bytes(lvl_buffer *out, lvl_bytes bytes);

/* Takes the next row; false at the end. Values point into `rows`. */
bool cat_next_row(lvl_bytes *rows, unsigned *table, cat_value values[CAT_MOST_COLUMNS], size_t *count);

#endif
