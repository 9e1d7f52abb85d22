/*
 * catalogue/driver.h: what a database has to offer to be under a catalogue: one table of functions for each,
 * in sqlite.c and postgres.c. sql.h says what each function has to do.
 */
#ifndef LVL_CATALOGUE_DRIVER_H
#define LVL_CATALOGUE_DRIVER_H

#include "catalogue/sql.h"

typedef struct cat_driver {
    const char *absent; /* why no database can be opened, the rest is empty then; NULL: one can be */
    lvl_status (*open)(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                       lvl_buffer *why);
    void (*close)(cat_sql *sql);
    lvl_status (*read_only)(cat_sql *sql);
    lvl_status (*open_words)(cat_sql *sql); /* NULL: `words` needs nothing */
    lvl_status (*reconnect)(cat_sql *sql); /* NULL: there is no connection to lose */

    lvl_status (*run)(cat_sql *sql, const char *text);
    lvl_status (*prepare)(cat_sql *sql, const char *text, cat_statement **out);
    void (*free)(cat_statement *statement);
    void (*bind)(cat_statement *statement, int at, const cat_value *value);
    lvl_status (*step)(cat_statement *statement, bool *row);
    void (*reset)(cat_statement *statement);
    size_t (*columns)(const cat_statement *statement);
    const char *(*column_name)(const cat_statement *statement, size_t at);
    void (*get)(const cat_statement *statement, size_t at, cat_value *out);

    lvl_status (*begin)(cat_sql *sql);
    lvl_status (*commit)(cat_sql *sql);
    lvl_status (*rollback)(cat_sql *sql);
    lvl_status (*flush)(cat_sql *sql); /* NULL: each row is stored at once */
    lvl_status (*new_key)(cat_sql *sql, int64_t *key);
    lvl_status (*add)(cat_sql *sql, unsigned table, const cat_value *values);
    lvl_status (*index_add)(cat_sql *sql, int64_t id, lvl_text text);
    lvl_status (*index_remove)(cat_sql *sql, int64_t first, int64_t end);

    const char *(*type)(const cat_column *column);
    void (*put_name)(lvl_buffer *out, const char *name);
    void (*end_table)(lvl_buffer *out, const cat_table *table);
    bool (*is_own)(const char *name);
    void (*match)(lvl_buffer *out, int at, const char *condition);
    void (*pattern)(cat_sql *sql, lvl_buffer *out, lvl_text word, bool phrase);
    /* NULL: the database keeps definitions by itself */
    void (*note_object)(lvl_buffer *out, const char *kind, const char *name, lvl_text definition);
    const char *index_using; /* between the table and the columns of an index */
    const char *index_text, *words, *objects;
    const char
        *instr; /* the function that gives the place of the second text in the first, from 1 on; 0: none */
    const char *hex_before, *hex_after; /* around bytes: their digits in lower case */
    const char *add_name; /* a statement that adds $1 to `names`, unless another scan has just done so */
    const char *before_create; /* a statement that keeps others from creating at the same time */
    const char *setup; /* a statement that creates what only this database needs */
} cat_driver;

/* Each database's own struct begins with these. */
struct cat_sql {
    const cat_driver *driver;
    const lvl_ctx *ctx;
    cat_trouble trouble;
    char error[300];
};

struct cat_statement {
    cat_sql *sql;
};

extern const cat_driver cat_sqlite, cat_postgres;

#endif
