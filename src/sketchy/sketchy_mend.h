/*
 * sketchy/sketchy_mend.h: what repairs of drawings and packs share: faults of the archive around them, attached files that can't be read, and letting go
 * of spelling that would bring damage back.
 */
#ifndef LVL_SKETCHY_MEND_H
#define LVL_SKETCHY_MEND_H

#include "sketchy/pack.h"
#include "sketchy/sketchy_check.h"

/* The members of either root record that a repair of the archive touches. */
typedef struct lvl_mended {
    lvl_file_list files;
    lvl_text *json;
    lvl_zip_spelling **members;
    uint32_t *member_count;
    lvl_bytes *gap, *after, *file;
} lvl_mended;

typedef struct lvl_mending {
    lvl_doc *doc;
    lvl_mended parts;
    lvl_repairs *repairs;
    bool found[LVL_SKETCHY_F_COUNT]; /* what the reader says of the document as it is */
    bool changed;
    lvl_buffer respelled; /* lvl_bytes: packed members, or pieces of the JSON text, not to be taken over */
} lvl_mending;

/* Reads the document as it would be written, with open ears, and mends what the reader finds of the archive and the text. lvl_mending_end in any case. */
lvl_status lvl_mending_begin(lvl_mending *m, lvl_doc *doc, const lvl_mended *parts, lvl_repairs *repairs);
/* A part that was assigned anew: what it was read from is let go. `source`: its number until now. */
lvl_status lvl_mending_respell(lvl_mending *m, uint32_t source);
/* Attached files: keeps what can be read of broken ones, drops those of which nothing can. */
lvl_status lvl_mend_files(lvl_mending *m);
/* Answers `status`, or that of letting go. */
lvl_status lvl_mending_end(lvl_mending *m, lvl_status status);

#endif
