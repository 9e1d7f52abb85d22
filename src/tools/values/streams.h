/*
 * tools/values/streams.h: the compressed streams of a document in its dump: how each was made, instead of its
 * bytes.
 */
#ifndef LVL_TOOLS_VALUES_STREAMS_H
#define LVL_TOOLS_VALUES_STREAMS_H

#include "base/format.h"
#include "codec/deflate.h"

/* A stream that was made by a known library. */
typedef struct lvl_stream {
    const void *record;
    const lvl_field *field;
    lvl_deflate_maker maker;
    lvl_where where;
} lvl_stream;

/* All zero: an empty list. */
typedef struct lvl_streams {
    lvl_stream *items;
    size_t count, cap;
} lvl_streams;

/* The key of a library in a dump. */
const char *lvl_stream_library_name(lvl_deflate_library library);
/* Lists the streams of the document that its writer and a known library would make again. The caller frees
 * them in any case. */
lvl_status lvl_streams_find(const lvl_doc *doc, lvl_streams *out);
/* How that member was made; NULL: its bytes are needed. */
const lvl_deflate_maker *lvl_streams_maker(const lvl_streams *streams, const void *record,
                                           const lvl_field *field);
/* Adds a stream that a dump names; lvl_streams_make puts its bytes into the document. */
lvl_status lvl_streams_add(lvl_streams *streams, const lvl_stream *stream);
/* Makes the bytes of all streams in the list, for a document that is complete otherwise. One with another
 * CRC-32 is left empty, so that the writer makes a new one, and reported. */
lvl_status lvl_streams_make(lvl_doc *doc, lvl_streams *streams, lvl_findings *findings);
/* Copies the streams of a document with the same content, so that they are written instead of new ones. */
lvl_status lvl_streams_take(lvl_doc *to, const lvl_doc *from);
void lvl_streams_free(lvl_streams *streams);

#endif
