/*
 * codec/colors.h: the colours of a picture: a list of them with their pixels, and its reduction to fewer.
 */
#ifndef LVL_CODEC_COLORS_H
#define LVL_CODEC_COLORS_H

#include "base/hash.h"

typedef struct lvl_used_color {
    uint32_t rgba; /* red in the lowest byte */
    uint32_t pixels; /* of it */
    uint32_t rank; /* by first appearance */
    uint16_t index; /* for the caller, and set by lvl_used_colors_cut */
} lvl_used_color;

/* Each colour once. Zeroed: empty. */
typedef struct lvl_used_colors {
    lvl_used_color *list;
    uint32_t count, last; /* last: the one that was added last */
    size_t cap;
    lvl_hash table; /* of indices into `list` */
} lvl_used_colors;

enum { LVL_MAX_CUT_COLORS = 256 };

/* Adds a pixel of that colour. LVL_ERR_MEMORY. */
lvl_status lvl_used_colors_add(lvl_used_colors *c, uint32_t rgba);
/* NULL: not in the list. Valid while the list has the order in which colours were added, or was indexed
 * since. */
lvl_used_color *lvl_used_colors_find(const lvl_used_colors *c, uint32_t rgba);
/* Rebuilds the lookup after the list was reordered. LVL_ERR_MEMORY. */
lvl_status lvl_used_colors_sorted(lvl_used_colors *c);
/* Reduces `n` colours to at most `most` (up to LVL_MAX_CUT_COLORS) values, which get indices from `base` on,
 * in order of appearance; returns how many. Reorders the list. */
uint32_t lvl_used_colors_cut(lvl_used_color *list, uint32_t n, uint32_t most, uint16_t base,
                             uint32_t *values);
void lvl_used_colors_free(lvl_used_colors *c);

#endif
