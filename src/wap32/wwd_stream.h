/*
 * wap32/wwd_stream.h: the compressed main block.
 */
#ifndef LVL_WWD_STREAM_H
#define LVL_WWD_STREAM_H

#include "codec/inflate.h"
#include "wap32/wwd_internal.h"

/* The state of a document that was read for an edit, if its stream is sound: the stream, and what it inflates
 * to. Both are constant, as all memory that a reader fills. */
typedef struct lvl_wwd_source {
    lvl_bytes stream, block;
} lvl_wwd_source;

/* Whether the bytes begin as a zlib stream does. */
bool lvl_wwd_is_zlib(lvl_bytes bytes);
/* Whether the bytes after this header are read as a zlib stream: by the flag, unless the bytes show that it
 * is wrong. */
bool lvl_wwd_is_packed(const lvl_wwd *header, lvl_bytes bytes);
/* The compression level in the stream's header. */
static inline uint8_t lvl_wwd_compression_of(lvl_bytes stream)
{
    return stream.len >= 2 && stream.ptr[1] >> 6 == 3 ? LVL_WWD_ZLIB_BEST : LVL_WWD_ZLIB_EDITOR;
}
/* Inflates a main block into the document's memory; `declared` bytes are expected. A broken stream gives the
 * bytes before its break; one with a damaged header is read all the same. Takes no more memory than the
 * stream can inflate to. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_wwd_inflate_block(lvl_doc *doc, lvl_bytes stream, uint32_t declared, lvl_bytes *block,
                                 lvl_inflate_report *report);

#endif
