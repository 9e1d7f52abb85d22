/*
 * catalogue/schema.h: the tables of a catalogue, described once: the statements that create and fill them,
 * the check of an opened file, the export and docs/catalogue.md follow from this description.
 */
#ifndef LVL_CATALOGUE_SCHEMA_H
#define LVL_CATALOGUE_SCHEMA_H

#include <lvl/catalogue.h>

/* Increased whenever a table or column changes its meaning, or goes. */
#define CAT_SCHEMA 1
/* The key of a row of `texts` is that of its file times this, plus a number: rows of a file are
 * neighbours. */
#define CAT_TEXTS_OF_FILE 256
/* Increased whenever a scan finds something else in the same file: all files are read again. */
#define CAT_SCANNER 1

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

typedef struct cat_column {
    const char *name;
    cat_kind kind;
    cat_key key;
    const char *prose;
} cat_column;

typedef struct cat_table {
    const char *name;
    const char *prose;
    const cat_column *columns;
    size_t count;
} cat_table;

typedef struct cat_view {
    const char *name, *prose, *query;
} cat_view;

/* In this order in cat_tables. Those from CAT_LEVELS to CAT_LAST_OF_FILE have rows of files, which are
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
    CAT_NOTES,
    CAT_TABLES,
    CAT_MOST_COLUMNS = 40
};
extern const cat_table cat_tables[CAT_TABLES];
extern const cat_view cat_views[]; /* ended by a NULL name */

/* Numbers of columns that code names. */
enum { CAT_FILES_ID, CAT_FILES_PATH };

/* The name of a use: "title", "picture". */
const char *cat_use_name(lvl_use use);

/* Whether the column has an index. */
bool cat_has_index(const cat_column *column);
#endif
