/*
 * sketchy/picture_colors.h: the colours of a picture, and which swatch each is drawn with.
 */
#ifndef LVL_SKETCHY_PICTURE_COLORS_H
#define LVL_SKETCHY_PICTURE_COLORS_H

#include "base/hash.h"
#include "sketchy/drawing.h"

#include <lvl/image.h>

typedef struct lvl_picture_color {
    uint32_t rgba; /* red in the lowest byte */
    uint32_t pixels;
    uint32_t rank;   /* by first appearance */
    uint16_t swatch; /* that it is drawn with */
} lvl_picture_color;

/* Each colour once. Zeroed: none yet. */
typedef struct lvl_picture_colors {
    lvl_picture_color *list;
    uint32_t count, room;
    lvl_hash table; /* of indices into `list` */
} lvl_picture_colors;

/* The colour of a px as wished: see lvl_draw_options.alpha and .key. False: nothing is there. */
bool lvl_picture_pixel(const lvl_image *image, const lvl_draw_options *draw_options, size_t at,
                       uint32_t *rgba);
/* Adds a picture's colours. */
lvl_status lvl_picture_colors_count(lvl_picture_colors *c, const lvl_image *image,
                                    const lvl_draw_options *draw_options);
void lvl_picture_colors_free(lvl_picture_colors *c);
/* That colour, which must be among them. */
const lvl_picture_color *lvl_picture_colors_find(const lvl_picture_colors *c, uint32_t rgba);

/* Makes the document's palette of them, in the order in which they appear, or of options->palette; says for
 * each colour which swatch it gets. What becomes another colour without being wished for is told in `losses`.
 * LVL_ERR_ARG: the palette has no colours. */
lvl_status lvl_picture_colors_assign(lvl_picture_colors *c, lvl_doc *doc,
                                     const lvl_draw_options *draw_options, lvl_findings *losses);

#endif
