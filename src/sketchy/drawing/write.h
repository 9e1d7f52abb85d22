/*
 * sketchy/drawing/write.h: writing of drawings, and of the files that drawings and packs keep whole.
 */
#ifndef LVL_SKETCHY_DRAWING_WRITE_H
#define LVL_SKETCHY_DRAWING_WRITE_H

#include "sketchy/text/source.h"

lvl_status lvl_sketchy_write(const lvl_doc *doc, lvl_buffer *out);
/* See lvl_format_calls.streams. */
lvl_status lvl_sketchy_streams(const lvl_doc *doc, lvl_stream_fn visit, void *user);
/* Gives chunks that another generation brought an encoding that the drawing's own has. */
void lvl_sketchy_settle(lvl_doc *doc);
/* *done: reading the file that is kept whole gives the document's content, and it was appended. Hashes of
 * what was read (base/piece.h) would not do: pixels that were decoded have the same content. */
lvl_status lvl_sketchy_write_kept(const lvl_doc *doc, lvl_buffer *out, bool *done);

#endif
