/*
 * sketchy/text/document.h: reading of the JSON documents of drawings and packs, broken ones too: broken
 * entries are dropped, and open brackets are closed.
 */
#ifndef LVL_SKETCHY_DOCUMENT_H
#define LVL_SKETCHY_DOCUMENT_H

#include "sketchy/text/source.h"

/* Reads a JSON text into the root, recovering what it can of a broken one. `json` gets the document with the
 * white space after it, `rest` what follows. */
lvl_status lvl_sketchy_read_document(lvl_json_reading *reading, lvl_text text, lvl_text *json,
                                     lvl_text *rest);

/* Reports bytes that follow a part of the file as the finding `what`; blanks and zeros that do not follow
 * plain JSON as padding. */
void lvl_sketchy_report_trailing(lvl_findings *findings, unsigned what, const lvl_position *pos,
                                 lvl_bytes bytes, const char *part);
/* Removes a byte order mark from the front of a document's text, and from `plain` JSON also blanks and other
 * bytes: the game refuses them. True: something was removed. */
bool lvl_sketchy_take_lead(lvl_text *text, uint32_t space, bool plain, lvl_sink *sink,
                           lvl_findings *findings);
/* Writes the text as sound JSON to `out`, which is empty. Complete entries are copied with their spelling;
 * broken ones are dropped; at the end brackets are closed, and of a truncated string whose beginning is
 * useful (a script, base64) that part is kept. `shapes`: of the root; keys whose depth is known correct wrong
 * nesting. *breaks (may be NULL): the number of places that were changed. Runs in linear time. Members that
 * follow the end of the document become part of it. LVL_ERR_FORMAT: not an object; LVL_ERR_MISSING: the
 * document is sound, and the bytes after it are not members that it does not have (another document, say);
 * LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_recover_json(lvl_text text, const lvl_shapes *shapes, lvl_buffer *out, size_t *breaks);

#endif
