/*
 * sketchy/rest.h: what the picture of a layer doesn't show of its drawing, kept in the picture, and the
 * drawing put together again of both.
 */
#ifndef LVL_SKETCHY_REST_H
#define LVL_SKETCHY_REST_H

#include "sketchy/drawing.h"

#include <lvl/image.h>

/* format's `rest`. */
lvl_status lvl_sketchy_rest(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                            lvl_findings *losses);

/* The rest that a picture came with. */
typedef struct lvl_sketchy_kept {
    lvl_doc *doc; /* the drawing without what the picture shows; NULL: the picture keeps nothing of use */
    unsigned generation;
    uint32_t layer;    /* that the picture shows */
    bool same;         /* the swatches stay what they were, and so do the other layers */
    bool replaced;     /* several pictures replace all layers */
    lvl_image *layers; /* else: the other layers as pictures, to be drawn with new swatches */
} lvl_sketchy_kept;

/* Opens what the picture keeps and fits `options` to it: the swatches, the size of chunks, the other
 * layers. A rest that can't be used is a loss. Closed afterwards, whatever the status. */
lvl_status lvl_sketchy_kept_open(lvl_sketchy_kept *kept, const lvl_doc *doc, const lvl_image *image,
                                 lvl_draw_options *draw_options, lvl_findings *losses);
/* Puts the rest into the drawing that was made of the picture with those options. */
lvl_status lvl_sketchy_kept_join(const lvl_sketchy_kept *kept, lvl_doc *doc, const lvl_image *image,
                                 uint32_t chunk_size, lvl_findings *losses);
void lvl_sketchy_kept_close(lvl_sketchy_kept *kept);

#endif
