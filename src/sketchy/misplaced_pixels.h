/*
 * sketchy/misplaced_pixels.h: pixels that a chunk lists but another one owns, brought there. The game neither
 * draws them nor lets anybody stand on them; programs that reckon chunks of negative coordinates otherwise
 * make them, and names of chunks that were damaged.
 */
#ifndef LVL_SKETCHY_OUTSIDE_H
#define LVL_SKETCHY_OUTSIDE_H

#include "sketchy/repair_parts.h"

typedef struct lvl_outside {
    lvl_buffer moves;   /* of the layer at hand */
    lvl_buffer origins; /* chunks that they come from */
    int64_t left, top, right,
        bottom; /* where the layer's chunks are, in chunks: what is far from there isn't brought */
} lvl_outside;

/* A layer begins. */
void lvl_outside_begin(lvl_outside *o, const lvl_sketchy_layer *layer);
/* Notes what that chunk, still encoded, lists of other chunks' px; those that the palette lacks are left out.
 * `keyless`: its key is none, so that all of its px belong elsewhere. `grid`: scratch. LVL_ERR_MEMORY,
 * LVL_ERR_LIMIT. */
lvl_status lvl_outside_add(lvl_outside *o, const lvl_doc *doc, uint32_t source, uint32_t size,
                           uint32_t swatches, const lvl_where *where, bool keyless, uint8_t *grid);
/* Puts the px noted where nothing is drawn, into chunks that are there or new ones, and says so for each
 * chunk that they came from. `remap` as in the repair, or NULL. */
lvl_status lvl_outside_place(lvl_outside *o, lvl_repairing *m, uint32_t layer, const uint16_t *remap,
                             uint8_t *grid);
void lvl_outside_free(lvl_outside *o);

#endif
