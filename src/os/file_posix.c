/*
 * os/file_posix.c: see file_os.h.
 */
#ifdef __linux__
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "os/file_os.h"

#ifndef _WIN32

#include <limits.h>
#include <signal.h>
#include <time.h>
#ifdef OS_HAS_LOCKS
#include <sys/file.h>
#endif

#ifdef __APPLE__
#define OS_MTIME st_mtimespec
#else
#define OS_MTIME st_mtim
#endif

int lvl_os_stat_path(const char *path, os_stat *st)
{
    return stat(path, st);
}

int lvl_os_fstat(int fd, os_stat *st)
{
    return fstat(fd, st);
}

int lvl_os_open(const char *path, int flags, int mode)
{
    return open(path, flags, (mode_t)mode);
}

int lvl_os_close(int fd)
{
    return close(fd);
}

long lvl_os_read(int fd, void *buf, size_t size)
{
    return (long)read(fd, buf, size);
}

long lvl_os_write(int fd, const void *buf, size_t size)
{
    return (long)write(fd, buf, size);
}

long lvl_os_read_at(int fd, void *buf, size_t size, uint64_t offset)
{
    if (offset > INT64_MAX) {
        errno = EINVAL;
        return -1;
    }
    return (long)pread(fd, buf, size, (off_t)offset);
}

int lvl_os_mkdir(const char *path)
{
    return mkdir(path, 0777);
}

int lvl_os_rmdir(const char *path)
{
    return rmdir(path);
}

int lvl_os_flush(int fd)
{
    /* a file system without fsync (EINVAL) has nothing to flush */
    return fsync(fd) == 0 || errno == EINVAL ? 0 : -1;
}

int lvl_os_unlink(const char *path)
{
    return unlink(path);
}

int lvl_os_replace(const char *from, const char *to)
{
    return rename(from, to);
}

int lvl_os_place(const char *from, const char *to)
{
    os_stat st;

    if (link(from, to) == 0)
        return unlink(from);
    if (errno == EEXIST)
        return -1;
    /* a file system without hard links: test, then rename; the race between the two cannot be avoided */
    if (lstat(to, &st) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

void lvl_os_binary(int fd)
{
    (void)fd;
}

bool lvl_os_find_version(const char *path, os_version *version)
{
    return lvl_os_stat_path(path, version) == 0;
}

bool lvl_os_version_of(int fd, os_version *version)
{
    return lvl_os_fstat(fd, version) == 0;
}

bool lvl_os_is_same_file(const os_version *a, const os_version *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool lvl_os_is_unchanged(const os_version *was, const os_version *now)
{
    return lvl_os_is_same_file(was, now) && was->st_size == now->st_size &&
           memcmp(&was->OS_MTIME, &now->OS_MTIME, sizeof now->OS_MTIME) == 0;
}

bool lvl_os_is_alive(unsigned long process)
{
    return process > INT_MAX || kill((pid_t)process, 0) == 0 || errno != ESRCH;
}

void lvl_os_sleep(unsigned milliseconds)
{
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};

    nanosleep(&time, NULL);
}

bool lvl_os_random(uint64_t *number)
{
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    const bool got = fd >= 0 && read(fd, number, sizeof *number) == (ssize_t)sizeof *number;

    if (fd >= 0)
        close(fd);
    return got;
}

bool lvl_os_is_own(const char *path, int64_t *time)
{
    os_stat st;

    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid())
        return false;
    *time = (int64_t)st.st_mtime;
    return true;
}

#ifdef __linux__
int lvl_os_open_nameless(const char *folder)
{
    char self[40];
    os_stat st;
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, (mode_t)0666);

    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    if (fd >= 0 && lstat(self, &st) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

int lvl_os_name(int fd, const char *to)
{
    char self[40];

    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}
#endif

#ifdef OS_HAS_LOCKS
int lvl_os_lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB);
}

int lvl_os_dup(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}
#endif

#endif
