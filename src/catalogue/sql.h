/*
 * catalogue/sql.h: the database under a catalogue. Everything in which databases differ is behind these
 * functions: sqlite.c, and postgres.c with what postgres.h names (driver.h has what a database needs).
 * Statements are written in the SQL that SQLite and PostgreSQL share, with parameters $1, $2 … that occur
 * first in this order; what differs (types, full-text search) is asked for here.
 *
 * One thread at a time. Errors are LVL_ERR_IO, and sql_error has the reason, unless stated otherwise.
 */
#ifndef LVL_CATALOGUE_SQL_H
#define LVL_CATALOGUE_SQL_H

#include "catalogue/schema.h"

#include <lvl/catalogue.h>

typedef struct cat_sql cat_sql;
typedef struct cat_statement cat_statement;

bool cat_sql_supported(void);
/* Whether a path is the address of a database on a server: "postgresql://…". */
bool cat_is_url(const char *path);
/* Whether it has a password: "postgresql://user:password@host/…?password=…". */
bool cat_has_password(const char *url);
/* LVL_ERR_MISSING, LVL_ERR_FORMAT: no database; LVL_ERR_UNSUPPORTED. `why` gets the reason. */
lvl_status cat_sql_open(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                        lvl_buffer *why);
void cat_sql_close(cat_sql *sql);
/* NUL-ended, valid until the next call. */
const char *cat_sql_error(const cat_sql *sql);
void cat_sql_set_error(cat_sql *sql, const char *text);
/* What the last error means for another try. */
typedef enum cat_trouble {
    CAT_NO_TROUBLE, /* it would fail again */
    CAT_LOST, /* the connection is lost: the transaction has to be repeated on another one */
    CAT_IN_THE_WAY /* another scan was in the way: the transaction has to be repeated */
} cat_trouble;
cat_trouble cat_sql_trouble(const cat_sql *sql);
/* Whether it is on a server, which several programs may use at once. */
bool cat_sql_is_server(const cat_sql *sql);
/* One try to connect again; statements stay. */
lvl_status cat_sql_reconnect(cat_sql *sql);
/* From now on only reading is allowed, and only what `--sql` may do. */
lvl_status cat_sql_read_only(cat_sql *sql);
/* Before the query cat_sql_words. */
lvl_status cat_sql_open_words(cat_sql *sql);

/* Runs statements without parameters and results. */
lvl_status cat_sql_run(cat_sql *sql, const char *text);
/* LVL_ERR_ARG: the text is wrong. `*out` is NULL then. */
lvl_status cat_sql_prepare(cat_sql *sql, const char *text, cat_statement **out);
/* Accepts NULL. */
void cat_statement_free(cat_statement *statement);
/* Parameter `at` counts from 1. Texts and bytes are copied, or must live until the next reset. */
void cat_bind_int(cat_statement *statement, int at, int64_t value);
void cat_bind_text(cat_statement *statement, int at, lvl_text text); /* UTF-8 */
void cat_bind(cat_statement *statement, int at, const cat_value *value);
/* *row: whether there is another row. After the last one the statement is reset. */
lvl_status cat_step(cat_statement *statement, bool *row);
/* Ends a run before its last row. */
void cat_reset(cat_statement *statement);
/* Binds nothing new, and runs to the end. */
lvl_status cat_run(cat_statement *statement);
/* The values of the row; column `at` counts from 0. Valid until the next step. */
size_t cat_columns(const cat_statement *statement);
const char *cat_column_name(const cat_statement *statement, size_t at);
int64_t cat_int(const cat_statement *statement, size_t at);
lvl_text cat_text(const cat_statement *statement, size_t at);
void cat_get(const cat_statement *statement, size_t at, cat_value *out);
/* ---- filling ------------------------------------------------------------------------------------------ */

/* A transaction in which this catalogue may be written, and no other scan gives keys to new files. */
lvl_status cat_sql_begin(cat_sql *sql);
lvl_status cat_sql_commit(cat_sql *sql);
/* Keeps the text of the error before. */
lvl_status cat_sql_rollback(cat_sql *sql);
/* Stores what was added, so that statements see it. */
lvl_status cat_sql_flush(cat_sql *sql);
/* A key for a new file, within a transaction. */
lvl_status cat_sql_new_key(cat_sql *sql, int64_t *key);
/* Adds a row: a value for each column. It may be stored as late as with the commit: errors show there,
 * too. */
lvl_status cat_sql_add(cat_sql *sql, unsigned table, const cat_value *values);
/* Puts a row of `texts` into the full-text index; takes those from the key `first` to that before `end` out
 * of it, while `texts` still has them. */
lvl_status cat_sql_index_add(cat_sql *sql, int64_t id, lvl_text text);
lvl_status cat_sql_index_remove(cat_sql *sql, int64_t first, int64_t end);

/* ---- what differs ------------------------------------------------------------------------------------- */

/* The type of a column, with its key: "INTEGER PRIMARY KEY". */
const char *cat_sql_type(const cat_sql *sql, const cat_column *column);
/* Appends the name of a column, in quotes if the database has another use for the word. */
void cat_sql_put_name(const cat_sql *sql, lvl_buffer *out, const char *name);
/* The end of the statement that creates a table. */
void cat_sql_end_table(const cat_sql *sql, lvl_buffer *out, const cat_table *table);
/* What stands between the table and the columns of an index. */
const char *cat_sql_index_using(const cat_sql *sql);
/* Appends a statement that notes the definition of an object ("TABLE"), if the database has to be asked
 * to. */
void cat_sql_note_object(const cat_sql *sql, lvl_buffer *out, const char *kind, const char *name,
                         lvl_text definition);
/* Statements before and after everything is created. */
const char *cat_sql_before_create(const cat_sql *sql);
const char *cat_sql_setup(const cat_sql *sql);
/* The statement that creates the full-text index over `texts`. */
const char *cat_sql_index_text(const cat_sql *sql);
/* What the database has besides: it is ignored when its tables are compared with the schema. */
bool cat_sql_is_own(const cat_sql *sql, const char *name);
/* Appends a query for rows (file, text) of texts that match parameter `at`, whose value is what
 * cat_sql_pattern makes. `condition` on the table `stored_texts`, called t; or NULL. */
void cat_sql_match(const cat_sql *sql, lvl_buffer *out, int at, const char *condition);
/* Appends the pattern for a word: `phrase` its words in this order, else any word that begins so. */
void cat_sql_pattern(cat_sql *sql, lvl_buffer *out, lvl_text word, bool phrase);
/* A query for the words of the index and the keys of the texts that have them: rows of a word, and those of a
 * text in them, follow each other. */
const char *cat_sql_words(const cat_sql *sql);
/* What goes around an expression for bytes, so that it gives their digits: before it, or after it. */
const char *cat_sql_hex(const cat_sql *sql, bool after);
/* The function that gives the place of the second text in the first, from 1 on; 0: it is not there. */
const char *cat_sql_instr(const cat_sql *sql);
/* A statement that adds $1 to `names`, unless another scan has just done so. */
const char *cat_sql_add_name(const cat_sql *sql);
/* A query for the names and definitions of all tables, views, indexes and triggers: kind, name, sql; in any
 * order. */
const char *cat_sql_objects(const cat_sql *sql);

#endif
