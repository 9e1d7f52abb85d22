/*
 * wap32/wwd_stream.h: the compressed main block.
 */
#ifndef LVL_WWD_STREAM_H
#define LVL_WWD_STREAM_H

#include "codec/inflate.h"
#include "wap32/wwd_internal.h"

/* Whether the bytes begin as a zlib stream does. */
bool lvl_wwd_is_zlib(lvl_bytes bytes);
/* Whether a reader takes what follows this header for a zlib stream: by the flag, unless the bytes deny
 * it. */
bool lvl_wwd_is_packed(const lvl_wwd *header, lvl_bytes bytes);
/* The level that the stream's first bytes name. */
static inline uint8_t lvl_wwd_compression_of(lvl_bytes stream)
{
    return stream.len >= 2 && stream.ptr[1] >> 6 == 3 ? LVL_WWD_ZLIB_BEST : LVL_WWD_ZLIB_EDITOR;
}
/* The main block of a document: `declared` bytes are expected. A broken stream gives what stands before its
 * break, and one whose two bytes of head are broken is read as if they weren't. Memory is the document's and
 * follows what the stream can possibly hold. LVL_ERR_MEMORY, or LVL_ERR_LIMIT when the limits of the context
 * don't allow what it holds. */
lvl_status lvl_wwd_inflate_block(lvl_doc *doc, lvl_bytes stream, uint32_t declared, lvl_bytes *block,
                                 lvl_inflate_report *report);

#endif
