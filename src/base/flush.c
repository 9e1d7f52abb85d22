/*
 * base/flush.c: many new files brought to the disk at once. A flush of each waits for the disk each time, which for thousands of small files is nearly all of the time that they take.
 */
#ifdef __linux__
#define _GNU_SOURCE /* syncfs */
#elif !defined(_WIN32)
#define _XOPEN_SOURCE 700 /* sync */
#endif

#include "base/file.h"

#include "base/file_os.h"

void lvl_folder_flush(const char *path)
{
#ifdef __linux__
    const int fd = os_open(path, O_RDONLY | OS_OPEN_FLAGS, 0);

    if (fd >= 0) {
        (void)syncfs(fd);
        os_close(fd);
    }
#elif defined(_WIN32)
    (void)path; /* there each file is flushed by itself */
#else
    (void)path;
    sync();
#endif
}
