/*
 * base/stamp.h: whether a file was written or replaced since it was last looked at.
 */
#ifndef LVL_BASE_STAMP_H
#define LVL_BASE_STAMP_H

#include <lvl/base.h>

typedef struct lvl_file_stamp {
    uint64_t size, id;
    int64_t seconds; /* of the last change, since 1970 UTC */
    uint32_t nanoseconds; /* in steps of some ms, on most systems; 0 where there are none */
} lvl_file_stamp;

/* All 0 if there is no such file. Any thread. */
lvl_file_stamp lvl_file_stamp_of(const char *path);
bool lvl_file_stamps_equal(const lvl_file_stamp *a, const lvl_file_stamp *b);

#endif
