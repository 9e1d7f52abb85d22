/*
 * catalogue/scan.h: filling a catalogue, and reading all of it: for the command.
 *
 * A scan has two halves: lvl_scan_read makes a file's rows, on any thread; lvl_scan_add stores them, on the
 * thread of the catalogue, as all other functions here, unless noted otherwise.
 */
#ifndef LVL_CATALOGUE_SCAN_H
#define LVL_CATALOGUE_SCAN_H

#include <lvl/catalogue.h>

struct lvl_art;

/* ---- scanning ----------------------------------------------------------------------------------------- */

/* A file to be scanned. Strings are NUL-ended. */
typedef struct lvl_scan_file {
    const char *path; /* its name in the catalogue: a path on disk, or ARCHIVE//MEMBER */
    const char *archive; /* of a member: the path of its archive; or NULL */
    uint64_t size; /* bytes */
    int64_t time; /* of its last change, seconds since 1970 UTC; 0: not known */
    /* of a member with a time of its own: those of its archive on disk, since an archive that is written
     * again may keep the times of its members. Time 0: the file is not such a member; INT64_MAX: it is not
     * known */
    uint64_t archive_size;
    int64_t archive_time;
    LVL_RESERVED(2);
} lvl_scan_file;

/* Starts a scan: reads what is known of the files that the catalogue has. `thumbnail`: the size of pictures
 * that will be needed, 0: none; files that were read without them, or by another version of the scanner,
 * count as new. */
lvl_status lvl_scan_begin(lvl_catalogue *catalogue, uint32_t thumbnail);

typedef enum lvl_scan_known {
    LVL_SCAN_NEW, /* not in the catalogue, or of another size: to be read */
    LVL_SCAN_TOUCHED, /* it, or its archive, has another time than in the catalogue: to be read, and may be
                         the same */
    LVL_SCAN_SAME /* same size and time, and that of its archive */
} lvl_scan_known;
/* What a started scan has stored of a file. Any thread, while none adds. */
lvl_scan_known lvl_scan_look(const lvl_catalogue *catalogue, const lvl_scan_file *file);

typedef struct lvl_scan_options {
    const struct lvl_art *art; /* where referenced files are searched; or NULL */
    uint32_t thumbnail; /* px of the longer side of a thumbnail; 0: none */
    /* why the file could not be read; then there are no bytes. Or NULL */
    const char *error;
    LVL_RESERVED(4);
} lvl_scan_options;

/* What became of a file. */
typedef struct lvl_scan_result {
    bool same; /* the content is that in the catalogue; only its time is new */
    int verdict; /* lvl_verdict; of an unreadable or foreign file: what it is */
    size_t errors, warnings;
    LVL_RESERVED(4);
} lvl_scan_result;

/* Appends the rows of a file to `rows`. `format` NULL: a foreign file, of which only the name is stored,
 * and, unless `bytes.ptr` is NULL, checksums. Damage is not an error of the function. `ctx` as for reading:
 * its usage belongs to the file. Any thread; several may run at once between lvl_scan_begin and
 * lvl_scan_end, also while one thread adds rows of other files. LVL_ERR_MEMORY, LVL_ERR_STOPPED,
 * LVL_ERR_LIMIT. */
lvl_status lvl_scan_read(const lvl_catalogue *catalogue, const lvl_ctx *ctx, const lvl_scan_file *file,
                         const lvl_format *format, lvl_bytes bytes, const lvl_scan_options *options,
                         lvl_buffer *rows, lvl_scan_result *result);
/* Stores the rows in place of those that the catalogue has of this file. Files are committed together,
 * every few seconds and at the end: an interruption, or an error, loses whole files that were added since,
 * and never a part of one. */
lvl_status lvl_scan_add(lvl_catalogue *catalogue, const lvl_scan_file *file, lvl_bytes rows);
/* Notes that a file is still there, without new rows (LVL_SCAN_SAME). */
lvl_status lvl_scan_keep(lvl_catalogue *catalogue, const lvl_scan_file *file);

typedef struct lvl_scan_totals {
    uint64_t files; /* in the catalogue, without removed ones */
    uint64_t removed; /* marked as removed by this scan */
    bool first; /* the catalogue was empty before */
    LVL_RESERVED(4);
} lvl_scan_totals;
/* Ends a scan. `roots`: the paths that were scanned as a whole; files below them that were neither added
 * nor kept are marked as removed. Resolves references by the names of all files. `totals` may be NULL.
 * After an interruption: `count` 0. */
lvl_status lvl_scan_end(lvl_catalogue *catalogue, const char *const *roots, size_t count,
                        lvl_scan_totals *totals);

/* What an ended scan found different from the one before, ordered: rows of "change" ("added", "changed",
 * "moved", "removed"), "path", and "new_path" of a file that lies elsewhere with the same content. None after
 * the first scan of a catalogue. */
lvl_status lvl_scan_changes(lvl_catalogue *catalogue, lvl_catalogue_row_fn row, void *user);

/* ---- all of it ----------------------------------------------------------------------------------------- */

/* Pairs of similar files: rows of "file" and "other", keys of files, the smaller one first, and "likeness" in
 * percent, at least 50; each pair once. The time grows with the number of files: of many that are all
 * similar, each is compared with some only. */
lvl_status lvl_catalogue_alike(lvl_catalogue *catalogue, lvl_catalogue_row_fn row, void *user);
/* The words of all texts, as a search compares them (in lower case, without accents): rows of "word" and
 * "file", its key. All rows of a word follow each other, and those of a file in them. */
lvl_status lvl_catalogue_words(lvl_catalogue *catalogue, lvl_catalogue_row_fn row, void *user);

/* A row of each file: path, format, verdict, size …, and of a level its title, author, size …. */
lvl_status lvl_catalogue_files(lvl_catalogue *catalogue, lvl_catalogue_row_fn row, void *user);
/* Counts: rows of "what" (a facet), "value" and "files". */
lvl_status lvl_catalogue_stats(lvl_catalogue *catalogue, lvl_catalogue_row_fn row, void *user);

/* ---- export and schema -------------------------------------------------------------------------------- */

/* The name of the table at `index`, of those that are exported; NULL past the end. Static storage. */
const char *lvl_catalogue_table(size_t index);
/* All rows of a table, in the order of their keys. LVL_ERR_ARG: no such table. */
lvl_status lvl_catalogue_rows(lvl_catalogue *catalogue, const char *table, lvl_catalogue_row_fn row,
                              void *user);
/* The description of all tables and views, as Markdown. */
lvl_status lvl_catalogue_reference(lvl_buffer *out);

#endif
