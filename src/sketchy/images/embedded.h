/*
 * sketchy/images/embedded.h: the content of a drawing that the picture of a layer doesn't show is kept in the
 * picture, so that the drawing can be restored from it.
 */
#ifndef LVL_SKETCHY_EMBEDDED_H
#define LVL_SKETCHY_EMBEDDED_H

#include "sketchy/text/source.h"

#include <lvl/image.h>

/* format's `rest`. */
lvl_status lvl_sketchy_embedded(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                                lvl_findings *losses);

/* The rest that a picture contains. */
typedef struct lvl_sketchy_kept {
    lvl_doc *doc; /* the drawing without the pixels that the picture shows; NULL: no usable rest */
    unsigned generation;
    uint32_t layer; /* that the picture shows */
    bool same; /* the swatches are unchanged, and so are the other layers */
    bool replaced; /* several pictures replace all layers */
    lvl_image *layers; /* otherwise: the other layers as pictures, to be drawn with the new swatches */
} lvl_sketchy_kept;

/* Reads the rest in a picture and adapts the options to it: the swatches, the size of chunks, the other
 * layers. A rest that can't be used is a loss. The caller closes it, whatever is returned. */
lvl_status lvl_sketchy_kept_open(lvl_sketchy_kept *kept, const lvl_doc *doc, const lvl_image *image,
                                 lvl_draw_options *draw_options, lvl_findings *losses);
/* Joins the rest with the drawing that was made of the picture with those options. */
lvl_status lvl_sketchy_kept_join(const lvl_sketchy_kept *kept, lvl_doc *doc, const lvl_image *image,
                                 uint32_t chunk_size, lvl_findings *losses);
void lvl_sketchy_kept_close(lvl_sketchy_kept *kept);

#endif
