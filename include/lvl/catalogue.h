/*
 * lvl/catalogue.h: a catalogue of many files in a database: what each file is, its texts, references,
 * findings and pictures, and searches over all of them. docs/catalogue.md describes the tables, which other
 * programs may read.
 *
 * A scan has two halves: lvl_scan_read makes a file's rows, on any thread; lvl_scan_add stores them, on the
 * thread of the catalogue. A catalogue belongs to one thread at a time, except where a function says
 * otherwise. The database is SQLite, or PostgreSQL on a server; a library that was built without SQLite has
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

struct lvl_art;

typedef struct lvl_catalogue lvl_catalogue;

/* ---- opening ------------------------------------------------------------------------------------------ */

/* Whether this library has a database. */
LVL_API bool lvl_catalogue_supported(void);

typedef enum lvl_catalogue_mode {
    LVL_CATALOGUE_READ, /* an existing file, which is not changed */
    LVL_CATALOGUE_WRITE, /* created if it does not exist */
    LVL_CATALOGUE_MEMORY /* a new one in memory; the path is ignored */
} lvl_catalogue_mode;

/* Whether a path is the address of a database on a server: "postgresql://…". */
LVL_API bool lvl_catalogue_is_url(const char *path);
/* Whether such an address has a password in it: for refusing it before a message shows it. */
LVL_API bool lvl_catalogue_has_password(const char *url);

/* Opens a catalogue: a file, or the address of a database in PostgreSQL
 * ("postgresql://user@host/database"), where the tables are in the current schema; passwords come from the
 * environment or ~/.pgpass, and an address with one is refused with LVL_ERR_ARG. The file is not trusted:
 * its tables must be those of this version of lvl and nothing else, so no trigger or view of others runs.
 * The context must outlive it. `why` (may be NULL) gets a sentence for people after an error.
 * LVL_ERR_MISSING: there is no such file; LVL_ERR_FORMAT: it is no catalogue, is damaged, or is of another
 * version; LVL_ERR_IO; LVL_ERR_UNSUPPORTED: built without this database. */
LVL_API lvl_status lvl_catalogue_open(lvl_catalogue **out, const lvl_ctx *ctx, const char *path,
                                      lvl_catalogue_mode mode, lvl_buffer *why);
/* Accepts NULL. What was not committed is lost. */
LVL_API void lvl_catalogue_close(lvl_catalogue *catalogue);
/* The reason of the last error of the database, NUL-ended; "": there was none. Valid until the next call. */
LVL_API const char *lvl_catalogue_error(const lvl_catalogue *catalogue);

/* ---- scanning ----------------------------------------------------------------------------------------- */

/* A file to be scanned. Strings are NUL-ended. */
typedef struct lvl_scan_file {
    const char *path; /* its name in the catalogue: a path on disk, or ARCHIVE//MEMBER */
    const char *archive; /* of a member: the path of its archive; or NULL */
    uint64_t size; /* bytes */
    int64_t time; /* of its last change, seconds since 1970 UTC; 0: not known */
    /* of a member with a time of its own: those of its archive on disk, since an archive that is written anew
     * may keep the times of its members. Time 0: the file is no such member; INT64_MAX: it is not known */
    uint64_t archive_size;
    int64_t archive_time;
    LVL_ROOM(2);
} lvl_scan_file;

/* Starts a scan: reads what is known of the files that the catalogue has. `thumbnail`: the size of
 * pictures that will be asked for, 0: none; files that were read without, or by another version of the
 * scanner, count as new. */
LVL_API lvl_status lvl_scan_begin(lvl_catalogue *catalogue, uint32_t thumbnail);

typedef enum lvl_scan_known {
    LVL_SCAN_NEW, /* not in the catalogue, or of another size: to be read */
    LVL_SCAN_TOUCHED, /* it, or its archive, has another time than in the catalogue: to be read, and may be
                         the same */
    LVL_SCAN_SAME /* same size and time, and that of its archive */
} lvl_scan_known;
/* What a started scan knows of a file. Any thread, while none adds. */
LVL_API lvl_scan_known lvl_scan_look(const lvl_catalogue *catalogue, const lvl_scan_file *file);

typedef struct lvl_scan_options {
    const struct lvl_art *art; /* where referenced files are searched; or NULL */
    uint32_t thumbnail; /* px of the longer side of a thumbnail; 0: none */
    /* why the file could not be read; then there are no bytes. Or NULL */
    const char *error;
    LVL_ROOM(4);
} lvl_scan_options;

/* What became of a file. */
typedef struct lvl_scan_result {
    bool same; /* the content is that in the catalogue; only its time is new */
    int verdict; /* lvl_verdict; of an unreadable or foreign file: what it is */
    size_t errors, warnings;
    LVL_ROOM(4);
} lvl_scan_result;

/* Appends the rows of a file to `rows`. `format` NULL: a foreign file, of which only the name is stored,
 * and, unless `bytes.ptr` is NULL, checksums. Damage is no error of the function. `ctx` as for reading:
 * its usage belongs to the file. Any thread; several may run at once between lvl_scan_begin and
 * lvl_scan_end, also while one thread adds rows of other files. LVL_ERR_MEMORY, LVL_ERR_STOPPED,
 * LVL_ERR_LIMIT. */
LVL_API lvl_status lvl_scan_read(const lvl_catalogue *catalogue, const lvl_ctx *ctx,
                                 const lvl_scan_file *file, const lvl_format *format, lvl_bytes bytes,
                                 const lvl_scan_options *options, lvl_buffer *rows, lvl_scan_result *result);
/* Stores the rows in place of those that the catalogue has of this file. Files are committed together,
 * every few seconds and at the end: an interruption, or an error, loses whole files that were added since,
 * and never a part of one. */
LVL_API lvl_status lvl_scan_add(lvl_catalogue *catalogue, const lvl_scan_file *file, lvl_bytes rows);
/* Notes that a file is still there, without new rows (LVL_SCAN_SAME). */
LVL_API lvl_status lvl_scan_keep(lvl_catalogue *catalogue, const lvl_scan_file *file);

typedef struct lvl_scan_totals {
    uint64_t files; /* in the catalogue, without removed ones */
    uint64_t removed; /* marked as removed by this scan */
    uint64_t missing; /* references whose file is nowhere */
    LVL_ROOM(4);
} lvl_scan_totals;
/* Ends a scan. `roots`: the paths that were scanned as a whole; files below them that were neither added
 * nor kept are marked as removed. Resolves references by the names of all files. `totals` may be NULL.
 * After an interruption: `count` 0. */
LVL_API lvl_status lvl_scan_end(lvl_catalogue *catalogue, const char *const *roots, size_t count,
                                lvl_scan_totals *totals);

/* ---- scans that several programs share ---------------------------------------------------------------- */

/*
 * In PostgreSQL, programs on any number of machines read one list of files and archives together:
 *
 *     lvl_share_begin, or lvl_share_join
 *     until lvl_share_take has no item, and nothing is left:
 *         add the files of the items, with lvl_scan_read and lvl_scan_add, or lvl_scan_keep
 *         lvl_share_done
 *     lvl_share_end
 *
 * If a program dies, or its connection breaks, the items that it has taken are given to others, and nothing
 * of them was stored.
 */

/* Whether scans of this catalogue can be shared. */
LVL_API bool lvl_share_supported(const lvl_catalogue *catalogue);

/* Paths as on disk, NUL-ended; each program has to find the same files under them. */
typedef struct lvl_share_list {
    const char *const *roots; /* as for lvl_scan_end */
    size_t root_count;
    const char *const *archives; /* each is read by one program */
    size_t archive_count;
    const char *const *files;
    size_t file_count;
    uint32_t thumbnail; /* as for lvl_scan_begin, which need not be called */
    LVL_ROOM(4);
} lvl_share_list;

/* Begins a scan of a list, in place of one that nobody works on any more. LVL_ERR_IO, also if another scan is
 * running. */
LVL_API lvl_status lvl_share_begin(lvl_catalogue *catalogue, const lvl_share_list *list);

/* Gets a path, which is valid during the call; false: no memory. */
typedef bool (*lvl_share_path_fn)(void *user, const char *path);

/* Joins the scan that is running; `root` gets its roots. *thumbnail: as it was begun. LVL_ERR_MISSING: no
 * scan is running. */
LVL_API lvl_status lvl_share_join(lvl_catalogue *catalogue, uint32_t *thumbnail, lvl_share_path_fn root,
                                  void *user);
/* Takes the next items: an archive, or some files, and begins a transaction. If none is there, *left is how
 * many others are reading, which may come back. */
LVL_API lvl_status lvl_share_take(lvl_catalogue *catalogue, lvl_share_path_fn item, void *user,
                                  uint64_t *left);
/* Stores what was added of the items that were taken. */
LVL_API lvl_status lvl_share_done(lvl_catalogue *catalogue);
/* Waits a moment for others; false: lvl_ctx.stop is set. */
LVL_API bool lvl_share_wait(const lvl_catalogue *catalogue);
/* Gets the reason why the connection is lost, and in how many seconds another one is tried. */
typedef void (*lvl_share_wait_fn)(void *user, const char *reason, unsigned seconds, unsigned attempt,
                                  unsigned attempts);
/* After an error of these functions, of lvl_scan_add or lvl_scan_keep: connects again, if the connection was
 * lost, some times. True: go on with lvl_share_take. */
LVL_API bool lvl_share_recover(lvl_catalogue *catalogue, lvl_share_wait_fn wait, void *user);
/* Ends the scan, once nothing is left: the first program marks what was not found. `totals` must not be
 * NULL. */
LVL_API lvl_status lvl_share_end(lvl_catalogue *catalogue, lvl_scan_totals *totals);

/* ---- searching ---------------------------------------------------------------------------------------- */

/* One value of a result. */
typedef struct lvl_catalogue_value {
    const char *name; /* of the column, NUL-ended */
    lvl_text text; /* numbers as text; bytes as they are */
    bool null, number, bytes;
} lvl_catalogue_value;

/* Gets a row; false ends the search. */
typedef bool (*lvl_catalogue_row_fn)(void *user, const lvl_catalogue_value *values, size_t count);

typedef enum lvl_find_mode {
    LVL_FIND_WORDS, /* all of `words`: "treasure", "\"a phrase\"", "logic:Soldier", "format:wwd" */
    LVL_FIND_LIKE, /* levels like the one of `text`, a path in the catalogue, or like `like` */
    LVL_FIND_DUPLICATES, /* files with the same content, in any container and spelling */
    LVL_FIND_MISSING, /* references whose file is nowhere */
    LVL_FIND_FINDING, /* findings whose id is `text`, or begins with it and a '.' */
    LVL_FIND_USES, /* references to the file called `text` */
    LVL_FIND_HISTORY, /* the dated versions of the file called `text`, oldest first */
    LVL_FIND_SQL /* the rows of a query, which can only read */
} lvl_find_mode;

typedef struct lvl_find_options {
    lvl_find_mode mode;
    const char *const *words; /* also restrict the other modes, by facets ("format:nw") */
    size_t word_count;
    const char *text;
    const lvl_doc *like; /* LVL_FIND_LIKE: a level that need not be in the catalogue; or NULL */
    uint64_t most; /* files, or rows of other modes; 0: all */
    LVL_ROOM(4);
} lvl_find_options;

/* Searches. The first column is "path", except with LVL_FIND_SQL. Of words, the others are "place", a path
 * in the level (empty: the file itself), and "text", the value there. LVL_ERR_ARG: a wrong word or query;
 * `why` (may be NULL) gets a sentence for people. If words are not found, and the value of a field
 * ("logic:Mercat") is in no file, `why` says so, and names the nearest one. */
LVL_API lvl_status lvl_catalogue_find(lvl_catalogue *catalogue, const lvl_find_options *options,
                                      lvl_catalogue_row_fn row, void *user, lvl_buffer *why);

/* Columns of facets that `words` may name ("format:nw"), blank-separated. Static storage. */
LVL_API const char *lvl_catalogue_facets(void);

/* Pairs of files that are alike: rows of "file" and "other", keys of files of which the first is the
 * smaller one, and "likeness" in percent, at least 50; each pair once. The time grows with the number of
 * files: of many that are all alike, each is compared with some only. */
LVL_API lvl_status lvl_catalogue_alike(lvl_catalogue *catalogue, lvl_catalogue_row_fn row, void *user);
/* The words of all texts, as a search compares them (in lower case, without accents): rows of "word" and
 * "file", its key. All rows of a word follow each other, and those of a file in them. */
LVL_API lvl_status lvl_catalogue_words(lvl_catalogue *catalogue, lvl_catalogue_row_fn row, void *user);

/* Counts: rows of "what" (a facet), "value" and "files". */
LVL_API lvl_status lvl_catalogue_stats(lvl_catalogue *catalogue, lvl_catalogue_row_fn row, void *user);

/* ---- notes of people ---------------------------------------------------------------------------------- */

/*
 * Notes are about a file's content, by its SHA-256, wherever the file lies. They are kept as a JSON text,
 * which people may edit:
 *
 *     {"lvl_notes": 1, "files": {"SHA-256": [{"key": "author", "value": "...", "source": "..."}]}}
 *
 * The table `notes` of a catalogue is filled from it. "source" may be missing. An empty text has no notes.
 * LVL_ERR_ARG: the text, or an edit, is wrong; `why` (may be NULL) gets a sentence for people.
 */

/* Strings are NUL-ended. */
typedef struct lvl_note_edit {
    const char *sha256; /* of the file: 64 digits in lower case */
    const char *key; /* "author", "date", "licence", "name", "note", or another word */
    const char *value; /* of "date": YYYY, YYYY-MM or YYYY-MM-DD; "": the notes of this key are removed */
    const char *source; /* where that is known from; or NULL */
    bool add; /* the other notes of this key stay */
    LVL_ROOM(4);
} lvl_note_edit;

/* Appends the JSON text with the edits to `out`: files in the order of their SHA-256. LVL_ERR_MEMORY,
 * LVL_ERR_LIMIT. */
LVL_API lvl_status lvl_notes_edit(lvl_buffer *out, const lvl_ctx *ctx, lvl_text json,
                                  const lvl_note_edit *edits, size_t count, lvl_buffer *why);
/* Replaces all notes of a catalogue that was opened for writing, while no scan runs; after an error they are
 * those of before. */
LVL_API lvl_status lvl_catalogue_set_notes(lvl_catalogue *catalogue, lvl_text json, lvl_buffer *why);
/* Appends the notes of a catalogue as a JSON text. */
LVL_API lvl_status lvl_catalogue_notes(lvl_catalogue *catalogue, lvl_buffer *json);
/* The SHA-256 of a file in the catalogue, by its path there: 64 digits and a NUL. LVL_ERR_MISSING: no such
 * path, or the file could not be read. */
LVL_API lvl_status lvl_catalogue_sha256(lvl_catalogue *catalogue, const char *path, char out[65]);
/* *same: whether these are the bytes that were scanned under this path. LVL_ERR_MISSING as above. */
LVL_API lvl_status lvl_catalogue_has(lvl_catalogue *catalogue, const char *path, lvl_bytes bytes, bool *same);

/* ---- export and schema -------------------------------------------------------------------------------- */

/* The name of the table at `index`, of those that are exported; NULL past the end. Static storage. */
LVL_API const char *lvl_catalogue_table(size_t index);
/* All rows of a table, in the order of their keys. LVL_ERR_ARG: no such table. */
LVL_API lvl_status lvl_catalogue_rows(lvl_catalogue *catalogue, const char *table, lvl_catalogue_row_fn row,
                                      void *user);
/* The description of all tables and views, as Markdown. */
LVL_API lvl_status lvl_catalogue_reference(lvl_buffer *out);

#ifdef __cplusplus
}
#endif

#endif
