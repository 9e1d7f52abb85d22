/*
 * sketchy/pack.h: packs of levels, and the files of packs and drawings as a container.
 */
#ifndef LVL_SKETCHY_PACK_H
#define LVL_SKETCHY_PACK_H

#include "sketchy/drawing.h"

lvl_status lvl_levelpack_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_levelpack_write(const lvl_doc *doc, lvl_buffer *out);

/* The list of files of either root record. */
typedef struct lvl_file_list {
    lvl_sketchy_file **items;
    uint32_t *count;
    const lvl_field *field;
} lvl_file_list;
lvl_file_list lvl_sketchy_files(const lvl_doc *doc);

/* format's open_container. */
lvl_status lvl_sketchy_open_container(lvl_doc *doc, struct lvl_container **out);

#endif
