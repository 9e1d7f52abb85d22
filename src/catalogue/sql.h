/*
 * catalogue/sql.h: SQLite as a catalogue uses it: even a hostile file can do no harm; errors
 * are statuses with a reason. Parameters of statements are $1, $2 …
 *
 * One thread at a time. Errors are LVL_ERR_IO, and cat_sql_error has the reason, unless stated otherwise.
 */
#ifndef LVL_CATALOGUE_SQL_H
#define LVL_CATALOGUE_SQL_H

#include "catalogue/schema.h"

#include <lvl/catalogue.h>

typedef struct cat_sql cat_sql;
typedef struct cat_statement cat_statement;

bool cat_sql_supported(void);
/* LVL_ERR_MISSING, LVL_ERR_FORMAT: no database; LVL_ERR_UNSUPPORTED. `why` gets the reason. */
lvl_status cat_sql_open(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                        lvl_buffer *why);
/* Accepts NULL. */
void cat_sql_close(cat_sql *sql);
/* NUL-ended, valid until the next call. */
const char *cat_sql_error(const cat_sql *sql);
void cat_sql_set_error(cat_sql *sql, const char *text);
/* From now on only reading is allowed, and only what `--sql` may do. */
lvl_status cat_sql_read_only(cat_sql *sql);
/* Before a query of the table `temp.texts_words`, the words of the full-text index. */
lvl_status cat_sql_open_words(cat_sql *sql);

/* Runs statements without parameters and results. */
lvl_status cat_sql_run(cat_sql *sql, const char *text);
/* Ends a transaction without its changes; keeps the reason of the error before. */
void cat_sql_roll_back(cat_sql *sql);
/* LVL_ERR_ARG: the text is wrong. `*out` is NULL then. */
lvl_status cat_sql_prepare(cat_sql *sql, const char *text, cat_statement **out);
/* Accepts NULL. */
void cat_statement_free(cat_statement *statement);
/* Parameter `at` counts from 1. Texts and bytes must live until the next reset. */
void cat_bind(cat_statement *statement, int at, const cat_value *value);
void cat_bind_int(cat_statement *statement, int at, int64_t value);
void cat_bind_text(cat_statement *statement, int at, lvl_text text); /* UTF-8; ptr NULL is NULL */
/* *row: whether there is another row. After the last one the statement is reset. */
lvl_status cat_step(cat_statement *statement, bool *row);
/* Ends a run before its last row. */
void cat_reset(cat_statement *statement);
/* Binds nothing new, and runs to the end. */
lvl_status cat_run(cat_statement *statement);
/* The values of the row; column `at` counts from 0. Valid until the next step. */
size_t cat_columns(const cat_statement *statement);
const char *cat_column_name(const cat_statement *statement, size_t at);
int64_t cat_int(const cat_statement *statement, size_t at); /* 0: not an integer */
lvl_text cat_text(const cat_statement *statement, size_t at); /* ptr NULL: not a text */
void cat_get(const cat_statement *statement, size_t at, cat_value *out);

#endif
