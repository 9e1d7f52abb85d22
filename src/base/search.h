/*
 * base/search.h: binary search.
 */
#ifndef LVL_BASE_SEARCH_H
#define LVL_BASE_SEARCH_H

#include <stddef.h>

/* Sets `at`, a size_t, to the first index below `count` for which `before` is false, or to `count`. `before`
 * is an expression in `at`: whether the item at that index in a sorted list comes before the wanted one. */
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
