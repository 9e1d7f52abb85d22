/*
 * lvl/catalogue.h: a catalogue of many files in a database: what each file is, its texts, references,
 * findings and pictures, and searches over all of them. docs/catalogue.md describes the tables, which other
 * programs may read.
 *
 * `lvl scan` makes catalogues; a program opens them with LVL_CATALOGUE_READ, and searches. A catalogue
 * belongs to one thread at a time. The database is SQLite; a library that was built without SQLite has
 * lvl_catalogue_supported() false, and opens nothing.
 *
 * Texts given and returned are UTF-8. LVL_ERR_IO: the database refused, and lvl_catalogue_error has the
 * reason.
 */
#ifndef LVL_CATALOGUE_H
#define LVL_CATALOGUE_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lvl_catalogue lvl_catalogue;

/* ---- opening ------------------------------------------------------------------------------------------ */

/* Whether this library has a database. */
LVL_API bool lvl_catalogue_supported(void);

typedef enum lvl_catalogue_mode {
    LVL_CATALOGUE_READ, /* an existing file, which is not changed */
    LVL_CATALOGUE_WRITE, /* created if it does not exist: for `lvl scan` */
    LVL_CATALOGUE_MEMORY /* a new one in memory, gone when it is closed; the path is ignored */
} lvl_catalogue_mode;

/* Opens a catalogue. The file is not trusted: triggers in it never run, and the work of a view in it is
 * limited (lvl_limits.work), like that of any query. The context must outlive it. `why` (may be NULL) gets a
 * sentence for people after an error. LVL_ERR_MISSING: there is no such file; LVL_ERR_FORMAT: it is not a
 * catalogue, is damaged, or is of another version; LVL_ERR_IO; LVL_ERR_UNSUPPORTED: built without SQLite. */
LVL_API lvl_status lvl_catalogue_open(lvl_catalogue **out, const lvl_ctx *ctx, const char *path,
                                      lvl_catalogue_mode mode, lvl_buffer *why);
/* Accepts NULL. What was not committed is lost. */
LVL_API void lvl_catalogue_close(lvl_catalogue *catalogue);
/* The reason of the last error of the database, NUL-ended; "": there was none. Valid until the next call. */
LVL_API const char *lvl_catalogue_error(const lvl_catalogue *catalogue);

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* One value of a result. */
typedef struct lvl_catalogue_value {
    const char *name; /* of the column, NUL-ended */
    lvl_text text; /* numbers as text; bytes as they are */
    bool null, number, bytes;
} lvl_catalogue_value;

/* Gets a row; false ends the search. */
typedef bool (*lvl_catalogue_row_fn)(void *user, const lvl_catalogue_value *values, size_t count);

/* ---- searching ---------------------------------------------------------------------------------------- */

typedef enum lvl_find_mode {
    LVL_FIND_WORDS, /* all of `words`: "treasure", "\"a phrase\"", "logic:Soldier", "format:wwd" */
    LVL_FIND_LIKE, /* levels like the one of `text`, a path in the catalogue, or like `like` */
    LVL_FIND_DUPLICATES, /* files with the same content, in any container and spelling */
    LVL_FIND_MISSING, /* references to files that are not found */
    LVL_FIND_FINDING, /* findings whose id is `text`, or begins with it and a '.' */
    LVL_FIND_USES, /* references to the file called `text` */
    LVL_FIND_SQL /* the rows of a query, which can only read */
} lvl_find_mode;

typedef struct lvl_find_options {
    lvl_find_mode mode;
    const char *const *words; /* also restrict the other modes, by columns ("format:nw"): format, family,
                               * version, verdict, game, year, path, name, sha256, content */
    size_t word_count;
    const char *text;
    const lvl_doc *like; /* LVL_FIND_LIKE: a level that need not be in the catalogue; or NULL */
    uint64_t most; /* files, or rows of other modes; 0: all */
    LVL_RESERVED(4);
} lvl_find_options;

/* Searches. The first column is "path", except with LVL_FIND_SQL. Of words, the others are "place", a path
 * in the level (empty: the file itself), and "text", the value there. LVL_ERR_ARG: a wrong word or query;
 * `why` (may be NULL) gets a sentence for people. If words are not found, and the value of a field
 * ("logic:Mercat") is in no file, `why` says so, and names the nearest one. */
LVL_API lvl_status lvl_catalogue_find(lvl_catalogue *catalogue, const lvl_find_options *options,
                                      lvl_catalogue_row_fn row, void *user, lvl_buffer *why);

#ifdef __cplusplus
}
#endif

#endif
