/*
 * catalogue/catalogue.h: what the files of this folder share.
 */
#ifndef LVL_CATALOGUE_CATALOGUE_H
#define LVL_CATALOGUE_CATALOGUE_H

#include "catalogue/rows.h"
#include "catalogue/scan.h"
#include "catalogue/sql.h"

#include "base/hash.h"

/* What a scan knows of a file before it reads it. */
typedef struct cat_known {
    uint64_t path; /* a hash of the path with the seed of `known_index`, so that nobody can make two */
    int64_t id;
    uint64_t size;
    int64_t time;
    uint8_t sha256[16]; /* its beginning */
    bool seen; /* found by this scan */
    bool has_sha256, removed;
    uint32_t archive; /* stamp of its archive; 0: none */
} cat_known;

struct lvl_catalogue {
    const lvl_ctx *ctx;
    cat_sql *sql;
    lvl_catalogue_mode mode;
    /* while a scan runs */
    bool scanning, in_transaction;
    /* rows of `names`, as far as they were used since the last rollback */
    lvl_hash name_index;
    struct cat_name {
        size_t at, len; /* in name_texts */
        int64_t id;
    } * name_ids;
    size_t name_count, name_cap;
    lvl_buffer name_texts;
    cat_known *known; /* in the order of their keys */
    size_t known_count, known_cap;
    lvl_hash known_index; /* by path */
    cat_statement *remove[CAT_TABLES], *insert[CAT_TABLES];
    cat_statement *update_file, *touch, *find_path, *find_name, *add_name;
    cat_statement *index_add, *index_remove, *old_texts; /* of the full-text index */
    cat_statement *note_change; /* NULL: the catalogue was empty */
    int64_t next_key; /* of a new file; 0: not known in this transaction */
    size_t new_count; /* files that were added */
    size_t pending; /* files since the last commit */
    int64_t commit_time;
    int64_t now;
};

/* The file in the table of known ones, or NULL. Any thread. */
const cat_known *cat_find_known(const lvl_catalogue *catalogue, const char *path);
/* Appends a path as the catalogue has it: UTF-8, whatever the disk has; broken bytes become \xNN, as does a
 * backslash that would be read as one. */
void cat_put_path(lvl_buffer *out, const char *path);
/* The value of the column `scanner` for a file that is read with thumbnails of this size. Any thread. */
int64_t cat_scanner_of(const lvl_catalogue *c, const lvl_scan_file *file, uint32_t thumbnail);
/* The first value of a query's first row; 0: there is none. LVL_ERR_FORMAT: the query does not fit the
 * tables. */
lvl_status cat_ask_number(lvl_catalogue *c, const char *query, int64_t *out);
/* Appends the reason of the last error of the database. */
void cat_why(const lvl_catalogue *catalogue, lvl_buffer *why);
/* Seconds since 1970. */
int64_t cat_now(void);

#endif
