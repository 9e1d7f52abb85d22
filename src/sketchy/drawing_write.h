/*
 * sketchy/drawing_write.h: writing of zips that drawings and packs share.
 */
#ifndef LVL_SKETCHY_DRAWING_WRITE_H
#define LVL_SKETCHY_DRAWING_WRITE_H

#include "sketchy/drawing.h"

/* A member that the archive gets: a chunk, a file, or (neither) the document. */
typedef struct lvl_want {
    lvl_text name;
    const lvl_sketchy_chunk *chunk;
    uint32_t size;    /* of the chunk's layer */
    uint8_t encoding; /* that the chunk is written in */
    const lvl_sketchy_file *file;
    lvl_text json;                    /* the document as it was */
    const lvl_zip_spelling *spelling; /* set while writing */
    uint32_t matched;                 /* while writing: members of this name, counted at the first want */
    bool done;
} lvl_want;

lvl_status lvl_sketchy_write(const lvl_doc *doc, lvl_buffer *out);
/* Appends a zip of these members, the document last among `wants`: those that `members` tell of in that order
 * and with the bytes given there as long as these say the content, the rest in front of the document. Two of
 * one name are both written, as they were. LVL_ERR_ARG: a grid that hasn't its layer's size. */
lvl_status lvl_sketchy_write_zip(const lvl_doc *doc, lvl_want *wants, uint32_t count,
                                 const lvl_zip_spelling *members, uint32_t member_count, lvl_bytes gap,
                                 lvl_bytes after, lvl_buffer *out);
/* Appends the file that is kept whole, where reading that gives what the document holds: *done. */
lvl_status lvl_sketchy_write_kept(const lvl_doc *doc, lvl_buffer *out, bool *done);

#endif
