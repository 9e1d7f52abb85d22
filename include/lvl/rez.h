/*
 * lvl/rez.h: REZ version 1, the archive of Monolith's games (CLAW.REZ, GRUNTZ.REZ, LithTech): a tree of
 * directories, payloads stored as they are.
 *
 * The records form the tree. An entry's `pos` is its position in the file; with 0 the writer chooses it
 * (empty payloads and directories are written with 0). An unchanged archive is written byte for byte. A
 * changed archive in which something no longer fits at its position gets a new layout around the gaps.
 */
#ifndef LVL_REZ_H
#define LVL_REZ_H

#include <lvl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LVL_REZ_FILE = 0, LVL_REZ_DIR = 1 };

typedef struct lvl_rez_entry lvl_rez_entry;
struct lvl_rez_entry {
    uint32_t kind; /* LVL_REZ_… */
    uint32_t pos; /* kept: position of the payload or the directory's body; 0: the writer chooses it */
    uint32_t size; /* derived */
    uint32_t time; /* time_t */
    /* files */
    uint32_t id;
    lvl_text type; /* the extension: at most 4 bytes, no NUL at the start; empty: none. Reversed on disk */
    uint32_t key_count;
    uint32_t *keys;
    lvl_text name; /* upper case ASCII in the games; without the extension */
    lvl_text comment;
    lvl_bytes data;
    /* directories */
    lvl_rez_entry *entries;
    uint32_t entry_count;
    lvl_bytes rest; /* in a damaged directory: bytes after the last entry that could be read */
};

/* Non-zero bytes at a position that no entry refers to: old copies of directories, trailers. */
typedef struct lvl_rez_gap {
    uint32_t pos;
    lvl_bytes data;
} lvl_rez_gap;

typedef struct lvl_rez {
    uint16_t line_end_0; /* 0x0A0D, like line_end_1 and line_end_2: CR LF around the two lines of text */
    char banner[61]; /* 60 bytes, blank-padded */
    uint16_t line_end_1;
    char title[61];
    uint16_t line_end_2;
    uint8_t text_end; /* 0x1A */
    uint32_t version; /* 1 */
    uint32_t root_pos; /* kept: position of the root directory's body; 0: the writer chooses it */
    uint32_t root_size; /* derived */
    uint32_t root_time; /* often junk */
    uint32_t next_write; /* derived: where the payloads end */
    uint32_t time; /* time_t */
    uint32_t largest_keys; /* derived: most keys of a file */
    uint32_t largest_dir; /* derived: longest directory name + 1 */
    uint32_t largest_file; /* derived: longest file name + 1 */
    uint32_t largest_comment; /* derived: longest comment + 1; 0 without comments */
    uint8_t is_sorted; /* each directory's payloads lie together */
    lvl_rez_entry *entries;
    uint32_t entry_count;
    lvl_bytes rest; /* the same for a damaged root directory */
    lvl_rez_gap *gaps;
    uint32_t gap_count;
    /* kept: if the root directory is not where the header says, the positions declared in the file: the
     * root's, then those of its entries, then the same for each directory in it; else empty */
    uint32_t *declared;
    uint32_t declared_count;
} lvl_rez;

LVL_API extern const lvl_table lvl_rez_table;
LVL_API extern const lvl_table lvl_rez_entry_table;

#ifdef __cplusplus
}
#endif

#endif
