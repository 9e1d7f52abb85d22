/*
 * sketchy/zip/recover.h: recovery of drawings whose document is broken or missing: lost values are inferred
 * from the chunks or get their defaults.
 */
#ifndef LVL_SKETCHY_RECOVER_H
#define LVL_SKETCHY_RECOVER_H

#include "sketchy/text/source.h"

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
