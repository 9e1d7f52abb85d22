/*
 * codec/colors.h: the colours of a picture: each counted once, and many brought together to few.
 */
#ifndef LVL_CODEC_COLORS_H
#define LVL_CODEC_COLORS_H

#include "base/hash.h"

typedef struct lvl_used_color {
    uint32_t rgba;   /* red in the lowest byte */
    uint32_t pixels; /* of it */
    uint32_t rank;   /* by first appearance */
    uint16_t index;  /* for the caller, and set by lvl_used_colors_cut */
} lvl_used_color;

/* Each colour once. Zeroed: none yet. */
typedef struct lvl_used_colors {
    lvl_used_color *list;
    uint32_t count, last; /* last: the one that was added last */
    size_t room;
    lvl_hash table; /* of indices into `list` */
} lvl_used_colors;

enum { LVL_CUT_MOST = 256 };

/* Adds a pixel of that colour. LVL_ERR_MEMORY. */
lvl_status lvl_used_colors_add(lvl_used_colors *c, uint32_t rgba);
/* NULL: it is not among them. Only while the list is in the order in which it was added, or was indexed. */
lvl_used_color *lvl_used_colors_find(const lvl_used_colors *c, uint32_t rgba);
/* Once the list was put into another order: finds colours again. LVL_ERR_MEMORY. */
lvl_status lvl_used_colors_sorted(lvl_used_colors *c);
/* Brings `n` colours together to `most` (at most LVL_CUT_MOST) values, which get indices from `base` on, in
 * the order in which they appear; how many there are. Puts the list into another order. */
uint32_t lvl_used_colors_cut(lvl_used_color *list, uint32_t n, uint32_t most, uint16_t base,
                             uint32_t *values);
void lvl_used_colors_free(lvl_used_colors *c);

#endif
