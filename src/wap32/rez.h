/*
 * wap32/rez.h: what the parts of the REZ format share: tables (rez.c), reading (rez_read.c), checking
 * (rez_check.c), layout and writing (rez_write.c), the container (rez_box.c).
 */
#ifndef LVL_WWD_REZ_H
#define LVL_WWD_REZ_H

#include "base/format.h"

#include <lvl/rez.h>

enum { LVL_REZ_HEADER_SIZE = 0xA8, LVL_REZ_DIR_FIXED = 16, LVL_REZ_FILE_FIXED = 28 };

enum {
    LVL_REZ_HEADER_SHORT,
    LVL_REZ_HEADER_MARK,
    LVL_REZ_VERSION_UNKNOWN,
    LVL_REZ_ROOT_OUTSIDE,
    LVL_REZ_DIR_OUTSIDE,
    LVL_REZ_DIR_LOOP,
    LVL_REZ_DIR_DEEP,
    LVL_REZ_DIR_DAMAGED,
    LVL_REZ_DIR_HIDES,
    LVL_REZ_ENTRY_OUTSIDE,
    LVL_REZ_ENTRY_OVERLAP,
    LVL_REZ_ENTRY_MANY,
    LVL_REZ_ENTRY_DOUBLE,
    LVL_REZ_NAME_UNSAFE,
    LVL_REZ_NAME_UNSAYABLE,
    LVL_REZ_GAP,
    LVL_REZ_FINDINGS
};
extern const lvl_finding_def lvl_rez_findings[LVL_REZ_FINDINGS];
extern const lvl_table lvl_rez_gap_table;

lvl_status lvl_rez_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_rez_check(const lvl_doc *doc, const lvl_check_request *request);

/* Where the writer puts one payload or one directory's body. */
typedef struct lvl_rez_place {
    lvl_rez_entry *entry; /* NULL: the root directory */
    uint32_t pos;
    uint32_t size;
    bool is_dir;
    bool placed;
} lvl_rez_place;

typedef struct lvl_rez_layout {
    /* payloads in the tree's order, then directories, the inner ones first, the root last */
    lvl_rez_place *places;
    size_t count;
    uint32_t payload_end; /* where the payloads end */
    uint32_t end;         /* where everything ends */
    bool moved;           /* something isn't at a kept place */
    bool face; /* all is where its record says, overlaps and all: it must be seen whether it says the same */
} lvl_rez_layout;

typedef enum lvl_rez_plan {
    LVL_REZ_CANONICAL, /* no kept place counts */
    LVL_REZ_APART,     /* kept places where nothing contradicts, the rest behind */
    LVL_REZ_KEPT       /* the same, but an archive that was read with overlaps is taken as its records say */
} lvl_rez_plan;

/* Finds a place for all. */
lvl_status lvl_rez_layout_make(const lvl_doc *doc, lvl_rez_plan plan, lvl_rez_layout *out);
void lvl_rez_layout_free(lvl_rez_layout *layout);
/* Bytes of a directory's body. */
uint64_t lvl_rez_body_size(const lvl_rez_entry *entries, uint32_t count, lvl_bytes rest);

lvl_status lvl_rez_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_rez_derive(lvl_doc *doc, lvl_derived_fn visit, void *user);
/* Lets go of all places and gaps. */
void lvl_rez_forget(lvl_doc *doc);
uint64_t lvl_rez_kept(const lvl_doc *doc);

lvl_status lvl_rez_open_container(lvl_doc *doc, struct lvl_container **out);

#endif
