/*
 * os/flush.c: flushes many new files at once. When thousands of small files are written, flushing each one
 * would take nearly all of the time, since each flush waits for the disk.
 */
#ifdef __linux__
#define _GNU_SOURCE /* syncfs */
#elif !defined(_WIN32)
#define _XOPEN_SOURCE 700 /* sync */
#endif

#include "os/file_os.h"

lvl_status lvl_folder_flush(const char *path, lvl_file_error *why)
{
    lvl_status status = LVL_OK;

#ifdef __linux__
    const int fd = lvl_os_open(path, O_RDONLY | OS_OPEN_FLAGS, 0);

    if (fd < 0) {
        sync(); /* a folder with write and without read permission */
        return LVL_OK;
    }
    /* since Linux 5.8 it reports write errors that occurred after write() returned */
    if (syncfs(fd) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
        status = lvl_file_fail(why, "flush");
    lvl_os_close(fd);
#else
    (void)path;
    (void)why;
#if !defined(_WIN32) && !defined(__wasm__) /* on Windows each file is flushed separately */
    sync();
#endif
#endif
    return status;
}
