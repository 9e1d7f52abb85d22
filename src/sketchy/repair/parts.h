/*
 * sketchy/repair/parts.h: repairs that drawings and packs share: faults of the archive around them,
 * attached files that can't be read, and dropping spelling that contains damage.
 */
#ifndef LVL_SKETCHY_REPAIR_PARTS_H
#define LVL_SKETCHY_REPAIR_PARTS_H

#include "sketchy/model/findings.h"
#include "sketchy/text/source.h"

/* The format's `repair` (repair.c). */
lvl_status lvl_sketchy_repair(lvl_doc *doc, lvl_repairs *repairs);
/* Where repaired files without a place of their own go. */
#define LVL_RECOVERED_FOLDER "assets/recovered/"

typedef struct lvl_repairing {
    lvl_doc *doc;
    lvl_archive parts;
    lvl_repairs *repairs;
    bool found[LVL_SKETCHY_F_COUNT]; /* findings of the reader */
    bool changed;
    unsigned long attached; /* files added for bytes that belonged to no part */
    lvl_buffer replaced; /* lvl_bytes: packed members, or pieces of the JSON text, that must not be copied */
} lvl_repairing;

/* Re-reads the document as it would be written, and repairs faults of the archive and the text that the
 * reader finds. Call lvl_repairing_end, whatever is returned. */
lvl_status lvl_repairing_begin(lvl_repairing *m, lvl_doc *doc, lvl_repairs *repairs);
/* Marks a part that was replaced: its source, which has that number, will not be copied. */
lvl_status lvl_repairing_replace(lvl_repairing *m, uint32_t source);
/* Attached files: keeps the readable part of broken ones, and drops those without one. */
lvl_status lvl_repair_files(lvl_repairing *m);
/* Drops the spelling of parts that were replaced. Returns `status`, or that of a failure. */
lvl_status lvl_repairing_end(lvl_repairing *m, lvl_status status);

#endif
