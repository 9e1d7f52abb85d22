/*
 * wwd/rez.h: what the parts of the REZ format share: reading and checking (rez.c), layout and writing (rez_write.c), the container (rez_box.c).
 */
#ifndef LVL_WWD_REZ_H
#define LVL_WWD_REZ_H

#include "base/format.h"

#include <lvl/rez.h>

enum { LVL_REZ_HEADER_SIZE = 0xA8, LVL_REZ_DIR_FIXED = 16, LVL_REZ_FILE_FIXED = 28 };

/* Where the writer puts one payload or one directory's body. */
typedef struct lvl_rez_place {
    lvl_rez_entry *entry; /* NULL: the root directory */
    uint32_t pos;
    uint32_t size;
    bool is_dir;
    bool placed;
} lvl_rez_place;

typedef struct lvl_rez_layout {
    lvl_rez_place
        *places; /* payloads in the tree's order, then directories, the inner ones first, the root last */
    size_t count;
    uint32_t payload_end; /* where the payloads end */
    uint32_t end;         /* where everything ends */
    bool
        mixed; /* some have their kept places and some don't: numbers that point past what is there would point elsewhere now */
} lvl_rez_layout;

/* Finds a place for all: kept ones where nothing contradicts, the rest behind. `canonical`: no kept place counts. */
lvl_status lvl_rez_layout_make(const lvl_doc *doc, bool canonical, lvl_rez_layout *out);
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
