/*
 * sketchy/drawing/read.h: reading of drawings, and of the JSON documents of drawings and packs.
 */
#ifndef LVL_SKETCHY_DRAWING_READ_H
#define LVL_SKETCHY_DRAWING_READ_H

#include "sketchy/text/source.h"

lvl_status lvl_sketchy_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);

/* ---- documents (document.c) --------------------------------------------------------------------------- */

/* Reads a JSON text into the root, recovering what it can of a broken one. `json` gets the document with the
 * white space after it, `rest` what follows. */
lvl_status lvl_sketchy_read_document(lvl_json_reading *reading, lvl_text text, lvl_text *json,
                                     lvl_text *rest);

/* Reports bytes that follow a part of the file as the finding `what`; blanks and zeros that do not follow
 * plain JSON as padding. */
void lvl_sketchy_report_trailing(lvl_findings *findings, unsigned what, const lvl_position *pos,
                                 lvl_bytes bytes, const char *part);

/* Reads a drawing that is a zip. */
lvl_status lvl_sketchy_read_zip(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
/* Removes a byte order mark from the front of a document's text, and from `plain` JSON also blanks and other
 * bytes: the game refuses them. True: something was removed. */
bool lvl_sketchy_take_lead(lvl_text *text, uint32_t space, bool plain, lvl_sink *sink,
                           lvl_findings *findings);

#endif
