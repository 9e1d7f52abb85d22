/*
 * catalogue/postgres.h: what the files of the driver for PostgreSQL share. postgres.c opens databases and has
 * the table of functions; statements, rows to add, the full-text index, texts and errors each have a file:
 * postgres_statement.c, postgres_copy.c, postgres_index.c, postgres_text.c, postgres_error.c. All are empty
 * without libpq.
 *
 * Functions whose use is not described here are those of the table: sql.h says what each does.
 */
#ifndef LVL_CATALOGUE_POSTGRES_H
#define LVL_CATALOGUE_POSTGRES_H

#include "catalogue/driver.h"
#include "catalogue/words.h"

#include "base/buffer.h"

#ifdef LVL_HAVE_POSTGRES

#include <libpq-fe.h>

typedef struct cat_pg_database {
    cat_sql sql; /* first */
    PGconn *conn;
    unsigned connection; /* counts the connections: statements are prepared on each */
    unsigned names; /* of statements */
    struct cat_pg_statement *active; /* whose rows have not all arrived */
    cat_words *words;
    lvl_buffer copy[CAT_TABLES], index; /* rows that were not sent yet */
    lvl_buffer line; /* a text on its way into them */
    size_t gathered; /* bytes in `copy` and `index` */
    int64_t next_key, keys_left;
} cat_pg_database;

static inline cat_pg_database *cat_pg_database_of(cat_sql *sql)
{
    return (cat_pg_database *)(void *)sql;
}

/* ---- postgres_text.c ---------------------------------------------------------------------------------- */

/* PostgreSQL's texts are UTF-8 without NULs: a NUL becomes its symbol, broken bytes U+FFFD each. */
void cat_pg_put_plain(lvl_buffer *out, lvl_text text);
/* As in a row of COPY. `text`: what cat_pg_put_plain has made; ptr may be NULL if it is empty. */
void cat_pg_put_escaped(lvl_buffer *out, lvl_text text);
/* As a word of a tsvector or tsquery, cut at a whole character if an index has no room for it. */
void cat_pg_put_word(lvl_buffer *out, lvl_text word);

/* ---- postgres_error.c --------------------------------------------------------------------------------- */

/* Notes the reason of an error, and whether another try may succeed. `result`: NULL: the connection has the
 * reason. Returns LVL_ERR_MEMORY or LVL_ERR_IO. */
lvl_status cat_pg_note_failure(cat_sql *sql, const PGresult *result);
/* Frees the result, and notes its error if it has one. */
lvl_status cat_pg_check_result(cat_sql *sql, PGresult *result);

/* ---- postgres_statement.c ----------------------------------------------------------------------------- */

/* Takes the rows of the active statement that have not arrived: another one wants the connection.
 * LVL_ERR_MEMORY. */
lvl_status cat_pg_make_way(cat_pg_database *d);
/* Ends the active statement, if there is one; its rows are lost. */
void cat_pg_reset_active(cat_pg_database *d);

lvl_status cat_pg_run(cat_sql *sql, const char *text);
lvl_status cat_pg_prepare(cat_sql *sql, const char *text, cat_statement **out);
void cat_pg_statement_free(cat_statement *statement);
void cat_pg_bind(cat_statement *statement, int at, const cat_value *value);
lvl_status cat_pg_step(cat_statement *statement, bool *row);
void cat_pg_reset(cat_statement *statement);
size_t cat_pg_columns(const cat_statement *statement);
const char *cat_pg_column_name(const cat_statement *statement, size_t at);
void cat_pg_get(const cat_statement *statement, size_t at, cat_value *out);

/* ---- postgres_copy.c ---------------------------------------------------------------------------------- */

lvl_status cat_pg_begin(cat_sql *sql);
lvl_status cat_pg_commit(cat_sql *sql);
lvl_status cat_pg_rollback(cat_sql *sql);
lvl_status cat_pg_flush(cat_sql *sql);
lvl_status cat_pg_new_key(cat_sql *sql, int64_t *key);
lvl_status cat_pg_add(cat_sql *sql, unsigned table, const cat_value *values);

/* ---- postgres_index.c --------------------------------------------------------------------------------- */

lvl_status cat_pg_index_add(cat_sql *sql, int64_t id, lvl_text text);
lvl_status cat_pg_index_remove(cat_sql *sql, int64_t first, int64_t end);
void cat_pg_put_match(lvl_buffer *out, int at, const char *condition);
void cat_pg_put_pattern(cat_sql *sql, lvl_buffer *out, lvl_text word, bool phrase);

#endif

#endif
