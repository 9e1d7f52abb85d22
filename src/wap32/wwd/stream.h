/*
 * wap32/wwd/stream.h: the compressed main block.
 */
#ifndef LVL_WWD_STREAM_H
#define LVL_WWD_STREAM_H

#include "codec/inflate.h"
#include "wap32/wwd/internal.h"

/* The state of a document that was read for an edit, if its stream is intact: the stream and its inflated
 * content. Both are constant, like all memory filled by a reader. */
typedef struct lvl_wwd_source {
    lvl_bytes stream, block;
} lvl_wwd_source;

/* Whether the bytes begin like a zlib stream. */
bool lvl_wwd_is_zlib(lvl_bytes bytes);
/* Whether the bytes after this header are read as a zlib stream: by the flag, unless the bytes show that it
 * is wrong. */
bool lvl_wwd_is_packed(const lvl_wwd *header, lvl_bytes bytes);
/* Inflates a main block into the document's memory; `declared` bytes are expected. A broken stream gives the
 * bytes before the break; a damaged header is ignored. Takes no more memory than the stream can inflate to.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_wwd_inflate_block(lvl_doc *doc, lvl_bytes stream, uint32_t declared, lvl_bytes *block,
                                 lvl_inflate_report *report);

#endif
