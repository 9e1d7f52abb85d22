/*
 * sketchy/recover.h: what can be had of a drawing that is cut or damaged: JSON that breaks off is closed, a
 * broken entry is dropped, and what is lost is inferred from the chunks or gets its default.
 */
#ifndef LVL_SKETCHY_RECOVER_H
#define LVL_SKETCHY_RECOVER_H

#include "sketchy/drawing.h"

/* Puts the text as sound JSON into `out`, which is empty: all of it that is whole stays as it is spelled, in
 * its place. A broken entry is dropped, and what is open at the end is closed, where text that was cut means
 * something (a script, packed data) with the part that is there. `shapes`: of the root, by whose keys nesting
 * that went wrong is found again. *breaks (may be NULL): in how many places. Takes time in proportion to the
 * text. Of a whole document behind which something stands, what stands there becomes part of it.
 * LVL_ERR_FORMAT: not an object at all; LVL_ERR_MISSING: the document is whole, and what stands behind it is
 * something else, or another document; LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_recover_json(lvl_text text, const lvl_shapes *shapes, lvl_buffer *out, size_t *breaks);

/* The size that most of a layer's chunks can be of, by what they hold: `size` stays as it is where none fits
 * better, unless it is invalid. *sure: a chunk shows that it isn't the size that it was. LVL_ERR_MEMORY,
 * LVL_ERR_LIMIT. */
lvl_status lvl_sketchy_infer_size(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t *size,
                                  bool *sure);

/* For a drawing whose document breaks off, or is gone (`d->json` is empty), and whose parts are read: infers
 * the size of chunks where it is 0 and the page's bounds, and reports what is lost. LVL_ERR_MEMORY,
 * LVL_ERR_LIMIT. */
lvl_status lvl_sketchy_recover_lost(lvl_doc *doc, lvl_findings *findings);

#endif
