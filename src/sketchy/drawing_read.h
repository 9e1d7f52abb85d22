/*
 * sketchy/drawing_read.h: reading of drawings, and of documents of JSON as drawings and packs have them.
 */
#ifndef LVL_SKETCHY_DRAWING_READ_H
#define LVL_SKETCHY_DRAWING_READ_H

#include "sketchy/drawing.h"

lvl_status lvl_sketchy_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);

/* Whether a gzip member begins here. */
bool lvl_sketchy_is_gzip(lvl_bytes in);
/* Reads a JSON text into the root; `json` gets the document with the white space behind it, `rest` what
 * follows. */
lvl_status lvl_sketchy_read_document(lvl_json_reading *reading, lvl_text text, lvl_text *json,
                                     lvl_text *rest);

/* Whether there is nothing but blanks and zeros. */
bool lvl_sketchy_is_padding(lvl_bytes bytes);
/* Reports bytes behind a part of the file as the finding `what`; as padding if it is nothing else and not
 * behind plain JSON. */
void lvl_sketchy_report_behind(lvl_findings *findings, unsigned what, const lvl_position *pos,
                               lvl_bytes bytes, const char *behind);

/* ---- what drawing_read.c, drawing_zip.c and members.c share ------------------------------------------ */

/* Reads a drawing that is a zip; else as lvl_sketchy_read. */
lvl_status lvl_sketchy_read_zip(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
/* A layer that no document describes; its size is to be inferred (0) where the document is broken or gone. */
void lvl_sketchy_new_layer(const lvl_doc *doc, lvl_sketchy_layer *layer);
/* A level has its one layer whatever the file says; grids have the size of their layer's chunks.
 * LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_sort_layers(lvl_doc *doc);
/* Takes a byte order mark from the front of a document's text, and of `plain` JSON blanks: the game refuses
 * both. True: there was one. */
bool lvl_sketchy_take_lead(lvl_text *text, uint32_t space, bool plain, lvl_sink *sink,
                           lvl_findings *findings);
/* The root's field at that offset of its struct. */
const lvl_field *lvl_sketchy_root_field(const lvl_doc *doc, size_t offset);
/* Tells the sink (may be NULL) of bytes of the file that wrap something. */
void lvl_sketchy_emit_span(lvl_sink *sink, uint64_t at, uint64_t len, const char *note);
/* Tells the sink (may be NULL) of bytes of a space that are in a field of the root, or where `field` is NULL
 * wrap something. */
void lvl_sketchy_emit_rest(lvl_sink *sink, uint32_t space, uint64_t at, size_t len, lvl_span_role role,
                           const lvl_field *field);

#endif
