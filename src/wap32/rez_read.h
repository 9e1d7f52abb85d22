/*
 * wap32/rez_read.h: the steps of reading a REZ, in their order: the root's place (rez_moved.c), the tree
 * (rez_tree.c), payloads that moved (rez_moved.c), hidden entries (rez_hidden.c), what is left (rez_gaps.c).
 * They fail with LVL_ERR_MEMORY and LVL_ERR_LIMIT. Inner header of wap32/rez_read.c.
 */
#ifndef LVL_WAP32_REZ_READ_H
#define LVL_WAP32_REZ_READ_H

#include "base/cursor.h"
#include "wap32/rez.h"

/* Bytes of the file from `from` up to `to`, exclusive. */
typedef struct lvl_rez_range {
    uint64_t from, to;
    /* of a gap: no directory has more entries there, [0] one that ends before it, [1] one that extends into
     * it */
    bool hides_none[2];
} lvl_rez_range;

/* A directory. Others refer to it by its index, since the list that has its entry may be reallocated. */
typedef struct lvl_rez_found_dir {
    uint32_t parent, index; /* the directory that has its entry, and the entry's index; 0, 0 of the root */
    uint32_t depth;
    uint32_t pos;
    uint64_t end; /* of the entries that could be read */
    uint64_t limit; /* of the body by its size, at most the end of the file */
} lvl_rez_found_dir;

typedef struct lvl_rez_reader {
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    uint64_t items; /* entries so far */
    uint64_t bytes; /* of directories so far */
    uint64_t payload; /* bytes so far */
    /* payloads and directories; and an empty range where each directory begins */
    lvl_rez_range *claims;
    size_t claim_count, claim_cap;
    lvl_rez_found_dir *dirs;
    uint32_t dir_count;
    size_t dir_cap;
    uint64_t tried; /* bytes that place_dir read */
    int64_t shift; /* how far the root directory moved, and perhaps what is before it; 0: not */
} lvl_rez_reader;

/* The parts of an entry in its directory's body. */
typedef struct lvl_rez_raw_entry {
    const uint8_t *fixed;
    lvl_text name, comment;
    const uint8_t *keys;
    bool is_dir;
} lvl_rez_raw_entry;

/* ---- tree -------------------------------------------------------------------------------------------- */

/* Notes bytes that belong to a part; empty: there a directory begins. */
lvl_status lvl_rez_claim(lvl_rez_reader *r, uint64_t from, uint64_t to);
/* Directory `k`, and its path. */
lvl_rez_dir lvl_rez_dir_at(const lvl_rez_reader *r, uint32_t k);
lvl_where lvl_rez_where_of(const lvl_rez_reader *r, uint32_t k);
/* Reads the next entry; false, with the cursor unchanged, if it is cut off or of no known kind. */
bool lvl_rez_take_entry(lvl_cursor *c, lvl_rez_raw_entry *raw);
/* The extension: the number's bytes from the highest, without leading zeros. */
lvl_text lvl_rez_type_of(const lvl_rez_raw_entry *raw, char buf[4]);
/* Whether a name has characters, and none of them is a control character. */
bool lvl_rez_is_printable(lvl_text name);
/* Whether `size` bytes at `pos` are the entries of a directory, end to end. */
bool lvl_rez_is_body(const lvl_rez_reader *r, int64_t pos, uint32_t size);
/* Reads the bytes that an entry refers to. */
lvl_status lvl_rez_read_payload(lvl_rez_reader *r, lvl_rez_entry *e, lvl_where where);
/* Appends the entries between two bytes of the file to directory `k`, at most `most` of them. */
lvl_status lvl_rez_read_entries(lvl_rez_reader *r, uint32_t k, uint64_t from, uint64_t to, uint32_t most);
/* Reads the directories from number `from` on, and those that are found in them. */
lvl_status lvl_rez_read_dirs(lvl_rez_reader *r, uint32_t from);
/* Reads the root directory and all that is in it. */
lvl_status lvl_rez_read_tree(lvl_rez_reader *r);

/* ---- an archive of which bytes are missing, or there twice ------------------------------------------- */

/* Sets r->shift and the root's position if it is not where the header says, but ends with the file, as in all
 * known archives. doc->state becomes the position in the header. */
lvl_status lvl_rez_find_root(lvl_rez_reader *r);
/* Reads the payloads of an archive whose root moved. */
lvl_status lvl_rez_read_moved(lvl_rez_reader *r);
/* Keeps the positions that the file gives, in the order of the nodes of a layout. */
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
