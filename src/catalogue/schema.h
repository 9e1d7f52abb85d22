/*
 * catalogue/schema.h: the tables of a catalogue, described once: the statements that create and fill them,
 * the export and docs/catalogue.md follow from this description.
 */
#ifndef LVL_CATALOGUE_SCHEMA_H
#define LVL_CATALOGUE_SCHEMA_H

#include <lvl/catalogue.h>

/* The application_id of a catalogue in the header of its file: "lvlc". */
#define CAT_APPLICATION 0x6C766C63
/* Its user_version: increased whenever a table or column changes its meaning, or goes. */
#define CAT_SCHEMA 5
/* The key of a row of `texts` is that of its file times this, plus a number: rows of a file are
 * neighbours. */
#define CAT_TEXTS_OF_FILE 256
/* Increased whenever a scan finds something else in the same file: all files are read again. */
#define CAT_SCANNER 5

typedef enum cat_kind { CAT_NULL, CAT_INT, CAT_REAL, CAT_TEXT, CAT_BYTES } cat_kind;

/* A value in a row; `text` of CAT_TEXT and CAT_BYTES. */
typedef struct cat_value {
    cat_kind kind;
    int64_t number;
    double real;
    lvl_text text;
} cat_value;

typedef enum cat_key {
    CAT_PLAIN,
    CAT_PRIMARY, /* the table's key */
    CAT_FILE, /* files.id; the key together with the next column, CAT_NUMBER */
    CAT_NUMBER, /* 0, 1, … within a file */
    CAT_FILE_PRIMARY, /* files.id, and at most one row for each file */
    CAT_UNIQUE,
    CAT_INDEXED
} cat_key;

/* How a column is stored, where that is not as it is shown: a table whose columns differ is stored as
 * `stored_TABLE`, and `TABLE` is a view of it. */
typedef enum cat_form {
    CAT_AS_SHOWN,
    CAT_NAMED, /* a text of few different ones: the key of a row of `names` */
    CAT_HEX, /* bytes, shown as hexadecimal digits in lower case */
    CAT_HIDDEN, /* not shown */
    CAT_HIDDEN_NAMED, /* as CAT_NAMED, and not shown */
    CAT_VALUES, /* a JSON object: a line for each value; the hidden column NAME_keys has the lines between */
    CAT_COMPUTED /* not stored */
} cat_form;

typedef struct cat_column {
    const char *name;
    cat_kind kind; /* as it is shown */
    cat_key key;
    cat_form form;
    const char *shown; /* an expression over the stored table, called s; NULL: follows from `form` */
    const char *prose;
} cat_column;

typedef struct cat_table {
    const char *name;
    const char *stored; /* the same, or "stored_" before it */
    const char *prose;
    const cat_column *columns;
    size_t count;
} cat_table;

typedef struct cat_view {
    const char *name, *prose, *query;
} cat_view;

/* In the order of cat_tables. Those from CAT_LEVELS to CAT_LAST_OF_FILE have rows of files, which are
 * replaced together. */
enum {
    CAT_META,
    CAT_FILES,
    CAT_LEVELS,
    CAT_TEXTS,
    CAT_REFS,
    CAT_FINDINGS,
    CAT_UNKNOWN,
    CAT_LIKENESS,
    CAT_THUMBNAILS,
    CAT_LAST_OF_FILE = CAT_THUMBNAILS,
    CAT_NAMES, /* the last one: it belongs to no export */
    CAT_TABLES,
    CAT_MOST_COLUMNS = 128
};
extern const cat_table cat_tables[CAT_TABLES];
extern const cat_view cat_views[]; /* ended by a NULL name */

/* Values of a row of files that code names: its first ones, without the key. */
enum { CAT_FILES_PATH, CAT_FILES_PATH_KEY, CAT_FILES_SHA256 = 7 };

/* A condition on a row t of `stored_texts`, with the number of a parameter: the name of its field. */
extern const char cat_fields_of_name[];

/* The name of a use: "title", "picture". */
const char *cat_use_name(lvl_use use);

/* Whether a column has the key of a row of `names`. */
bool cat_is_named(const cat_column *column);
/* Whether the column has an index. */
bool cat_has_index(const cat_column *column);
/* Whether `TABLE` is a view of `stored_TABLE`. */
bool cat_is_shown_by_view(const cat_table *table);
/* Column `at` of those that are stored, in the order in which rows have them; NULL past the end. */
const cat_column *cat_stored_column(const cat_table *table, size_t at);
/* How many columns are stored, at most CAT_MOST_COLUMNS. */
size_t cat_stored_count(const cat_table *table);
/* A key for finding a path, or the name of a file without its ending, by a short index: 48 bits of its
 * SHA-256. */
int64_t cat_key_of(lvl_text text);

#endif
