/*
 * sketchy/salvage.h: what a damaged drawing has lost and something else still tells, or a default has to
 * stand for: the size of its chunks, the page's type.
 */
#ifndef LVL_SKETCHY_SALVAGE_H
#define LVL_SKETCHY_SALVAGE_H

#include "sketchy/drawing.h"

/* For a drawing whose document breaks off, or is gone (`d->json` is empty), and whose parts are read: settles
 * what the text doesn't say any more, and tells it. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_sketchy_salvage(lvl_doc *doc, lvl_findings *findings);

/* The size that most of a layer's chunks can be of, by what they hold: `size` stays as it is where none fits
 * better, unless it can't be. *sure: a chunk shows that it isn't the size that it was. LVL_ERR_MEMORY,
 * LVL_ERR_LIMIT. */
lvl_status lvl_sketchy_vote_size(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t *size,
                                 bool *sure);

#endif
