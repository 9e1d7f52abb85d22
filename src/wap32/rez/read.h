/*
 * wap32/rez/read.h: the steps of reading a REZ, in order: the root's position (wap32/rez/moved.c), the tree
 * (wap32/rez/tree.c), payloads that moved (wap32/rez/moved.c), hidden entries (wap32/rez/hidden.c), unclaimed
 * bytes (wap32/rez/gaps.c). They fail with LVL_ERR_MEMORY and LVL_ERR_LIMIT. Inner header of
 * wap32/rez/read.c.
 */
#ifndef LVL_WAP32_REZ_READ_H
#define LVL_WAP32_REZ_READ_H

#include "base/cursor.h"
#include "wap32/rez/rez.h"

/* Bytes of the file from `from` up to `to`, exclusive. */
typedef struct lvl_rez_range {
    uint64_t from, to;
    /* for a gap: it contains no hidden entries [0] of a directory that ends before it, [1] of one that
     * extends into it */
    bool hides_none[2];
} lvl_rez_range;

/* A directory. Others refer to it by its index, since the list that has its entry may be reallocated. */
typedef struct lvl_rez_found_dir {
    uint32_t parent, index; /* the directory that contains its entry, and the entry's index; 0, 0 for the
                               root */
    uint32_t depth;
    uint32_t pos;
    uint64_t end; /* end of the entries that could be read */
    uint64_t limit; /* end of the body by its declared size, at most the end of the file */
} lvl_rez_found_dir;

typedef struct lvl_rez_reader {
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    uint64_t items; /* entries so far */
    uint64_t bytes; /* bytes of directories so far */
    uint64_t payload; /* bytes so far */
    /* ranges of payloads and directories; and an empty range at the start of each directory */
    lvl_rez_range *claims;
    size_t claim_count, claim_cap;
    lvl_rez_found_dir *dirs;
    uint32_t dir_count;
    size_t dir_cap;
    uint64_t tried; /* bytes that place_dir read */
    int64_t shift; /* how far the root directory has moved, and perhaps what is before it; 0: it has not */
} lvl_rez_reader;

/* The parts of an entry in its directory's body. */
typedef struct lvl_rez_raw_entry {
    const uint8_t *fixed;
    lvl_text name, comment;
    const uint8_t *keys;
    bool is_dir;
} lvl_rez_raw_entry;

/* ---- tree -------------------------------------------------------------------------------------------- */

/* Records bytes that belong to a part; an empty range: a directory begins there. */
lvl_status lvl_rez_claim(lvl_rez_reader *r, uint64_t from, uint64_t to);
/* Directory `k` and its path. */
lvl_rez_dir lvl_rez_dir_at(const lvl_rez_reader *r, uint32_t k);
lvl_where lvl_rez_where_of(const lvl_rez_reader *r, uint32_t k);
/* Reads the next entry; false, with the cursor unchanged, if it is cut off or of an unknown kind. */
bool lvl_rez_take_entry(lvl_cursor *c, lvl_rez_raw_entry *raw);
/* The extension: the bytes of the number, highest first, without leading zeros. */
lvl_text lvl_rez_type_of(const lvl_rez_raw_entry *raw, char buf[4]);
/* Whether a name is not empty and has no control characters. */
bool lvl_rez_is_printable(lvl_text name);
/* Whether `size` bytes at `pos` are the entries of a directory, end to end. */
bool lvl_rez_is_body(const lvl_rez_reader *r, int64_t pos, uint32_t size);
/* Reads the bytes that an entry refers to. */
lvl_status lvl_rez_read_payload(lvl_rez_reader *r, lvl_rez_entry *e, lvl_where where);
/* Appends the entries between two bytes of the file to directory `k`, at most `most` of them. */
lvl_status lvl_rez_read_entries(lvl_rez_reader *r, uint32_t k, uint64_t from, uint64_t to, uint32_t most);
/* Reads the directories with index `from` and above, and the directories found in them. */
lvl_status lvl_rez_read_dirs(lvl_rez_reader *r, uint32_t from);
/* Reads the root directory and everything in it. */
lvl_status lvl_rez_read_tree(lvl_rez_reader *r);

/* ---- archives with missing or duplicated bytes ------------------------------------------------------- */

/* If the root is not where the header says, but ends with the file, as in all known archives: sets r->shift
 * and the root's position. doc->state becomes the position in the header. */
lvl_status lvl_rez_find_root(lvl_rez_reader *r);
/* Reads the payloads of an archive whose root moved. */
lvl_status lvl_rez_read_moved(lvl_rez_reader *r);
/* Keeps the positions declared in the file, in the order of the nodes of a layout. */
lvl_status lvl_rez_keep_declared(lvl_doc *doc);

/* ---- unclaimed bytes --------------------------------------------------------------------------------- */

/* Sorts the claims and sets `gaps` to the ranges between them, at most one more than claims. `split`: a gap
 * also ends where a directory begins. `overlap` (may be NULL) gets the first claim that begins within
 * another. */
size_t lvl_rez_find_gaps(lvl_rez_reader *r, bool split, lvl_rez_range *gaps, lvl_rez_range *overlap);
/* Reads the entries that directories hide. */
lvl_status lvl_rez_read_hidden(lvl_rez_reader *r);
/* Keeps the bytes of directories after the last entry that could be read. */
lvl_status lvl_rez_read_rests(lvl_rez_reader *r);
/* Keeps the bytes that nothing claims. */
lvl_status lvl_rez_read_gaps(lvl_rez_reader *r);

#endif
