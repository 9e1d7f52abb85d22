/*
 * wap32/rez/rez.h: shared by the files of the REZ format: tables (wap32/rez/tables.c), layout
 * (wap32/rez/layout.c), reading (wap32/rez/read.h), checks (wap32/rez/check.c), writing and repair
 * (wap32/rez/write.c), the container (wap32/rez/container.c).
 */
#ifndef LVL_WAP32_REZ_REZ_H
#define LVL_WAP32_REZ_REZ_H

#include "base/format.h"

#include <lvl/rez.h>

enum { LVL_REZ_HEADER_SIZE = 0xA8, LVL_REZ_DIR_FIXED = 16, LVL_REZ_FILE_FIXED = 28 };

enum {
    LVL_REZ_HEADER_SHORT,
    LVL_REZ_HEADER_MARK,
    LVL_REZ_VERSION_UNKNOWN,
    LVL_REZ_ROOT_OUTSIDE,
    LVL_REZ_ROOT_MOVED,
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
    LVL_REZ_NAME_UNWRITABLE,
    LVL_REZ_GAP,
    LVL_REZ_GAP_OVERLAP,
    LVL_REZ_FINDINGS
};
extern const lvl_finding_def lvl_rez_findings[LVL_REZ_FINDINGS];
extern const lvl_table lvl_rez_gap_table;

/* A directory: the root record, or an entry of kind LVL_REZ_DIR. */
typedef struct lvl_rez_dir {
    void *record;
    const lvl_field *list, *rest_field; /* fields of its entries and of the bytes after them */
    lvl_rez_entry **entries;
    uint32_t *count;
    lvl_bytes *rest;
} lvl_rez_dir;

lvl_rez_dir lvl_rez_root(lvl_rez *rez);
lvl_rez_dir lvl_rez_dir_of(lvl_rez_entry *entry);

/* A payload or directory body, and its position in the written file. */
typedef struct lvl_rez_node {
    lvl_rez_entry *entry; /* NULL: the root directory */
    size_t first; /* for a directory: index of its first entry's node; the other entries follow */
    uint64_t pos, size;
} lvl_rez_node;

static inline bool lvl_rez_is_dir(const lvl_rez_node *node)
{
    return !node->entry || node->entry->kind == LVL_REZ_DIR;
}

typedef struct lvl_rez_layout {
    lvl_rez_node *nodes; /* the root first */
    size_t count;
    bool fresh; /* positions are new instead of those in the records */
    lvl_rez_dir root;
    uint64_t payload_end; /* where the payloads end */
    uint64_t end; /* size of the file */
} lvl_rez_layout;

/* Computes the position of everything. `fresh`: as in a new archive, ignoring the positions in the
 * records. */
lvl_status lvl_rez_layout_make(const lvl_doc *doc, bool fresh, lvl_rez_layout *out);
void lvl_rez_layout_free(lvl_rez_layout *layout);

lvl_status lvl_rez_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_rez_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_rez_check_writable(const lvl_doc *doc, lvl_findings *findings);
lvl_status lvl_rez_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_rez_derive(lvl_doc *doc, lvl_derived_fn visit, void *user);
lvl_status lvl_rez_repair(lvl_doc *doc, lvl_repairs *repairs);
lvl_status lvl_rez_open_container(lvl_doc *doc, struct lvl_container **out);

#endif
