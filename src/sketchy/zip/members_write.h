/*
 * sketchy/zip/members_write.h: writes the zips of drawings and packs, member by member.
 */
#ifndef LVL_SKETCHY_MEMBERS_WRITE_H
#define LVL_SKETCHY_MEMBERS_WRITE_H

#include "sketchy/text/source.h"

/* A member of the archive to be written: a chunk, a file, or (neither) the document. */
typedef struct lvl_output_member {
    lvl_text name;
    const lvl_sketchy_chunk *chunk;
    uint32_t size; /* of the chunk's layer */
    uint8_t encoding; /* of the chunk in the new archive */
    const lvl_sketchy_file *file;
    lvl_text json; /* the document's source text */
    const lvl_zip_spelling *spelling; /* set while writing */
    uint32_t matched; /* while writing, at the first want of a name: members matched so far */
    bool done;
} lvl_output_member;

/* Appends a zip of these members; the document is the last of `wants`. Members that `members` lists are
 * written in that order, and with the bytes given there while those have the same content; the others are
 * written before the document. Two of one name are both written. LVL_ERR_ARG: a grid without its layer's
 * size. */
lvl_status lvl_sketchy_write_zip(const lvl_doc *doc, lvl_output_member *wants, uint32_t count,
                                 const lvl_zip_spelling *members, uint32_t member_count, lvl_bytes gap,
                                 lvl_bytes after, lvl_buffer *out);
/* Calls visit for the data of each member in `members` that `wants` has, with its content. */
lvl_status lvl_sketchy_zip_streams(const lvl_doc *doc, lvl_output_member *wants, uint32_t count,
                                   const lvl_zip_spelling *members, uint32_t member_count,
                                   lvl_stream_fn visit, void *user);

#endif
