/*
 * sketchy/zip/recover.h: recovery of drawings that are truncated or damaged: broken entries of the JSON
 * are dropped, open brackets are closed, and lost values are inferred from the chunks or get their defaults.
 */
#ifndef LVL_SKETCHY_RECOVER_H
#define LVL_SKETCHY_RECOVER_H

#include "sketchy/text/source.h"

/* Writes the text as sound JSON to `out`, which is empty. Complete entries are copied with their spelling;
 * broken ones are dropped; at the end brackets are closed, and of a truncated string whose beginning is
 * useful (a script, base64) that part is kept. `shapes`: of the root; keys whose depth is known correct wrong
 * nesting. *breaks (may be NULL): the number of places that were changed. Runs in linear time. Members that
 * follow the end of the document become part of it. LVL_ERR_FORMAT: not an object; LVL_ERR_MISSING: the
 * document is sound, and the bytes after it are not members that it does not have (another document, say);
 * LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_recover_json(lvl_text text, const lvl_shapes *shapes, lvl_buffer *out, size_t *breaks);

/* Infers the size of a layer's chunks from their content: *size becomes the size that fits most chunks, and
 * is unchanged if it is valid and none fits better. *sure: the content contradicts the old size.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_sketchy_infer_size(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t *size,
                                  bool *sure);

/* For a drawing whose document is broken or missing (`d->json` is empty), after its chunks and files were
 * read: infers sizes of chunks that are 0 and the page's bounds, and reports lost keys. LVL_ERR_MEMORY,
 * LVL_ERR_LIMIT. */
lvl_status lvl_sketchy_recover_lost(lvl_doc *doc, lvl_findings *findings);

#endif
