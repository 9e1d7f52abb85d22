/*
 * tools/edit/parts.h: texts that are best edited in separate files: scripts, signs. The tables name the
 * fields that are such parts, and their group. A part's file is UTF-8 (unless the document's text is broken
 * UTF-8), its lines end with '\n', and a text of lines gets one '\n' more at its end; bytes are written as
 * they are. Its name begins with the part's place, "npc-003" or "layer-0-npc-003", which alone decides where
 * it is put back; the rest ("-door", from the item's label) is for people and may be changed, and so may the
 * ending (".txt", or that of the script's language).
 */
#ifndef LVL_TOOLS_EDIT_PARTS_H
#define LVL_TOOLS_EDIT_PARTS_H

#include <lvl/tools.h>

/* The group at `index` of those that documents of the format have ("scripts"), NULL past the end. Static
 * storage. */
const char *lvl_format_parts(const lvl_format *format, size_t index);

typedef struct lvl_part {
    const char *group;
    const char *name; /* of its file: ASCII without '/', unique in the document */
    lvl_where where; /* the field */
    lvl_bytes bytes; /* of its file */
} lvl_part;

typedef struct lvl_parts {
    lvl_part *items;
    size_t count;
} lvl_parts;

/* The parts of those groups (a list ended by NULL; NULL: all groups) that are not empty, in document order.
 * They are copies and do not point into the document. Free the list with lvl_parts_free, which accepts
 * NULL. */
lvl_status lvl_parts_new(const lvl_doc *doc, const char *const *groups, lvl_parts **out);
/* Frees the list with the bytes of its parts. NULL: nothing happens. */
void lvl_parts_free(lvl_parts *parts);

typedef struct lvl_part_file {
    const char *name; /* without folder */
    lvl_bytes bytes;
} lvl_part_file;

/* Sets means[i] to whether a file called names[i] (without folder) is for a part that the document has.
 * LVL_ERR_MEMORY. */
lvl_status lvl_parts_which(const lvl_doc *doc, const char *const *names, size_t count, bool *means);
/* Stores such files in their parts, all or none. Parts without a file, or with one of the same content, are
 * unchanged. Windows line ends, a byte order mark and a missing last line end are ignored. `changed` (may be
 * NULL) gets the number of parts that changed. LVL_ERR_ARG, with a finding for each such file: it names no
 * part of the document, or the same as another file, or has content that the part can't have. */
lvl_status lvl_parts_put(lvl_doc *doc, const lvl_part_file *files, size_t count, size_t *changed,
                         lvl_findings *findings);

#endif
