/*
 * base/search.h: searching a sorted list.
 */
#ifndef LVL_BASE_SEARCH_H
#define LVL_BASE_SEARCH_H

#include <stddef.h>

/* Sets `at`, a size_t, to the first index below `count` for which `before` is false, or to `count` if there
 * is none. `before` is an expression in `at`: the item there comes before the one that is looked for. The
 * list is sorted, so that it is true for all items up to some index. */
#define LVL_LOWER_BOUND(at, count, before)                       \
    do {                                                         \
        size_t low_ = 0, high_ = (count);                        \
        while ((at) = low_ + (high_ - low_) / 2, low_ < high_) { \
            if (before)                                          \
                low_ = (at) + 1;                                 \
            else                                                 \
                high_ = (at);                                    \
        }                                                        \
    } while (0)

#endif
