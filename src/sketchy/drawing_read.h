/*
 * sketchy/drawing_read.h: reading of drawings, and of documents of JSON as drawings and packs have them.
 */
#ifndef LVL_SKETCHY_DRAWING_READ_H
#define LVL_SKETCHY_DRAWING_READ_H

#include "sketchy/drawing.h"

lvl_status lvl_sketchy_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);

/* ---- documents (document.c) --------------------------------------------------------------------------- */

/* Reads a JSON text into the root; `json` gets the document with the white space behind it, `rest` what
 * follows. */
lvl_status lvl_sketchy_read_document(lvl_json_reading *reading, lvl_text text, lvl_text *json,
                                     lvl_text *rest);

/* Reports bytes behind a part of the file as the finding `what`; as padding if it is nothing else and not
 * behind plain JSON. */
void lvl_sketchy_report_behind(lvl_findings *findings, unsigned what, const lvl_position *pos,
                               lvl_bytes bytes, const char *behind);

/* Reads a drawing that is a zip; else as lvl_sketchy_read. */
lvl_status lvl_sketchy_read_zip(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
/* Takes a byte order mark from the front of a document's text, and of `plain` JSON blanks: the game refuses
 * both. True: there was one. */
bool lvl_sketchy_take_lead(lvl_text *text, uint32_t space, bool plain, lvl_sink *sink,
                           lvl_findings *findings);

#endif
