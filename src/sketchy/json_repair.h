/*
 * sketchy/json_repair.h: JSON that breaks off, or is broken inside, made whole.
 */
#ifndef LVL_SKETCHY_JSON_MEND_H
#define LVL_SKETCHY_JSON_MEND_H

#include "sketchy/shape.h"

/* Puts the text as sound JSON into `out`, which is empty: all of it that is whole stays as it is spelled, in
 * its place. Of what is broken the least is left out, an entry mostly; single characters that are plainly
 * wrong (a bracket, quote, comma or colon turned into something else) are put right; what is open at the end
 * is closed, where text that was cut means something (a script, packed data) with the part that is there.
 * `shape`: of the root, by whose keys nesting that went wrong is found again. *breaks (may be NULL): in how
 * many places. Takes time in proportion to the text. Of a whole document behind which something stands, what
 * stands there becomes part of it. LVL_ERR_FORMAT: not an object at all; LVL_ERR_MISSING: the document is
 * whole, and what stands behind it is something else, or another document; LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_repair_json(lvl_text text, const lvl_shape *shape, lvl_buffer *out, size_t *breaks);

#endif
