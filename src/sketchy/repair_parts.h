/*
 * sketchy/repair_parts.h: what repairs of drawings and packs share: faults of the archive around them,
 * attached files that can't be read, and dropping spelling that would bring damage back.
 */
#ifndef LVL_SKETCHY_REPAIR_PARTS_H
#define LVL_SKETCHY_REPAIR_PARTS_H

#include "sketchy/sketchy_check.h"

typedef struct lvl_repairing {
    lvl_doc *doc;
    lvl_archive parts;
    lvl_repairs *repairs;
    bool found[LVL_SKETCHY_F_COUNT]; /* what the reader says of the document as it is */
    bool changed;
    unsigned long attached; /* bytes that belonged to nothing, as files */
    lvl_buffer respelled;   /* lvl_bytes: packed members, or pieces of the JSON text, not to be taken over */
} lvl_repairing;

/* Reads the document as it would be written, and repairs what the reader finds of the archive
 * and the text. lvl_repairing_end in any case. */
lvl_status lvl_repairing_begin(lvl_repairing *m, lvl_doc *doc, lvl_repairs *repairs);
/* A part that was assigned anew: what it was read from is not copied. `source`: its number until now. */
lvl_status lvl_repairing_respell(lvl_repairing *m, uint32_t source);
/* Attached files: keeps what can be read of broken ones, drops those of which nothing can. */
lvl_status lvl_repair_files(lvl_repairing *m);
/* Gives members better names where theirs leads out of a folder, is among the chunks and no chunk's, or is
 * another's: none hides another one, and nothing of what they hold is lost. */
lvl_status lvl_repair_names(lvl_repairing *m);
/* Drops the spelling of parts made anew. `status`, or that of a failure. */
lvl_status lvl_repairing_end(lvl_repairing *m, lvl_status status);

#endif
