/*
 * tools/diff/similar.h: when members are equal, and how similar two items of lists are.
 */
#ifndef LVL_TOOLS_SIMILAR_H
#define LVL_TOOLS_SIMILAR_H

#include "base/record.h"

/* Whether one member of two records has the same content. */
static inline bool lvl_member_equal(const void *a, const void *b, const lvl_field *field)
{
    const lvl_table one = {.fields = field, .field_count = 1};

    return lvl_record_equal(a, b, &one);
}

enum { LVL_SIMILAR_ALL = 1000 }; /* of equal items */

/* 0 to LVL_SIMILAR_ALL: the share of the content that is equal, of the members that are not default on both
 * sides. Of texts their common beginning and end count, of grids the cells, of lists the items; of numbers
 * that differ a little their distance: of several items, the nearest is the most similar. */
unsigned lvl_similarity(const void *a, const void *b, const lvl_field *list);

#endif
