/*
 * os/stamp.h: detects whether a file was written or replaced since the last time.
 */
#ifndef LVL_OS_STAMP_H
#define LVL_OS_STAMP_H

#include <lvl/base.h>

typedef struct lvl_file_stamp {
    uint64_t size, id;
    int64_t seconds; /* of the last change, since 1970 UTC */
    uint32_t nanoseconds; /* in steps of some ms on most systems; 0 if the system has none */
} lvl_file_stamp;

/* All 0 if the file does not exist. Any thread. */
lvl_file_stamp lvl_file_stamp_of(const char *path);
/* Whether the file changed so shortly ago that it may change again and keep its stamp. Any thread. */
bool lvl_file_stamp_is_young(const lvl_file_stamp *stamp);
bool lvl_file_stamps_equal(const lvl_file_stamp *a, const lvl_file_stamp *b);

#endif
