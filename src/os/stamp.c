/*
 * os/stamp.c: see stamp.h.
 */
#include "os/file_os.h"
#include "os/stamp.h"

#include <time.h>

lvl_file_stamp lvl_file_stamp_of(const char *path)
{
    lvl_file_stamp stamp = {0};
    os_stat st;

    if (lvl_os_stat_path(path, &st) != 0)
        return stamp;
    stamp.size = st.st_size > 0 ? (uint64_t)st.st_size : 0;
    stamp.id = (uint64_t)st.st_ino;
    stamp.seconds = (int64_t)st.st_mtime;
#ifdef __APPLE__
    stamp.nanoseconds = (uint32_t)st.st_mtimespec.tv_nsec;
#elif !defined _WIN32
    stamp.nanoseconds = (uint32_t)st.st_mtim.tv_nsec;
#endif
    return stamp;
}

bool lvl_file_stamps_equal(const lvl_file_stamp *a, const lvl_file_stamp *b)
{
    return a->size == b->size && a->id == b->id && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds;
}

bool lvl_file_stamp_is_young(const lvl_file_stamp *stamp)
{
    enum { STEP = 50 * 1000 * 1000, WHOLE_SECONDS = 3 }; /* ns, s; far above the steps of file systems */
#ifdef _WIN32
    return (int64_t)time(NULL) - stamp->seconds < WHOLE_SECONDS;
#else
    struct timespec now;

    if (timespec_get(&now, TIME_UTC) != TIME_UTC)
        return true;
    const int64_t seconds = (int64_t)now.tv_sec - stamp->seconds;
    if (!stamp->nanoseconds)
        return seconds < WHOLE_SECONDS;
    return seconds < 2 && seconds * 1000000000 + now.tv_nsec - stamp->nanoseconds < STEP;
#endif
}
