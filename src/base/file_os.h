/*
 * base/file_os.h: the system calls of files, each with one name for all systems. For the files of base/ that
 * use them only.
 */
#ifndef LVL_BASE_FILE_OS_H
#define LVL_BASE_FILE_OS_H

/* Include this file first, before any system header. XOPEN for S_IFMT; offsets of 64 bits where a long has
 * 32. */
#ifndef _WIN32
#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64
#endif

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Stores errno in `why` and returns the status for it. */
lvl_status lvl_file_fail(lvl_file_error *why, const char *step);

/* The largest single read or write: Linux stops at 2 GiB, Windows takes an unsigned int. */
#define MAX_IO ((size_t)1 << 30)

#ifdef _WIN32

#include <io.h>
#include <windows.h>

#include <direct.h>

#define OS_OPEN_FLAGS (_O_BINARY | _O_NOINHERIT)

typedef struct __stat64 os_stat;

static inline bool os_is_slash(char c)
{
    return c == '/' || c == '\\';
}
/* A path as Windows stores it, to be freed; NULL with errno. Paths are UTF-8; what is not, is in the
 * program's code page. Long ones are written in full behind "\\\\?\\", the form that has no limit of 260
 * characters. */
static inline wchar_t *os_wide(const char *path)
{
    enum { MAX_PLAIN = 240, PREFIX = 8 };
    UINT page = CP_UTF8;
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);

    if (!n) {
        page = CP_ACP;
        n = MultiByteToWideChar(CP_ACP, 0, path, -1, NULL, 0);
    }
    wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof *wide) : NULL;
    errno = n > 0 ? ENOMEM : EINVAL;
    if (!wide || !MultiByteToWideChar(page, 0, path, -1, wide, n)) {
        free(wide);
        return NULL;
    }
    if (wcsncmp(wide, L"\\\\?\\", 4) == 0 || wcsncmp(wide, L"\\\\.\\", 4) == 0)
        return wide;
    const DWORD size = GetFullPathNameW(wide, 0, NULL, NULL);
    if (size < MAX_PLAIN)
        return wide;
    wchar_t *full = size ? malloc((size + PREFIX) * sizeof *full) : NULL;
    wchar_t *at = full ? full + PREFIX : NULL;
    if (!full || !GetFullPathNameW(wide, size, at, NULL)) {
        free(full);
        return wide;
    }
    free(wide);
    /* //server/share becomes //?/UNC/server/share, with backslashes */
    const bool share = wcsncmp(at, L"\\\\", 2) == 0;
    const wchar_t *prefix = share ? L"\\\\?\\UNC" : L"\\\\?\\";
    const size_t len = wcslen(prefix);
    at += share; /* one of its two backslashes ends the prefix */
    memcpy(full, prefix, len * sizeof *prefix);
    memmove(full + len, at, (wcslen(at) + 1) * sizeof *at);
    return full;
}
static inline int os_stat_wide(const char *path, os_stat *st)
{
    wchar_t *wide = os_wide(path);
    const int result = wide ? _wstat64(wide, st) : -1;
    const int code = errno;

    free(wide);
    errno = code;
    return result;
}
static inline int os_stat_path(const char *path, os_stat *st)
{
    size_t len = strlen(path);

    if (len < 2 || !os_is_slash(path[len - 1]) || path[len - 2] == ':')
        return os_stat_wide(path, st);
    /* _stat64 does not accept "folder/"; and "file/" must fail unless it is a folder */
    while (len > 1 && os_is_slash(path[len - 1]) && path[len - 2] != ':')
        len--;
    char *bare = malloc(len + 1);
    if (!bare)
        return -1;
    memcpy(bare, path, len);
    bare[len] = 0;
    int result = os_stat_wide(bare, st);
    free(bare);
    if (result == 0 && (st->st_mode & S_IFMT) != S_IFDIR) {
        errno = ENOTDIR;
        result = -1;
    }
    return result;
}
static inline int os_fstat(int fd, os_stat *st)
{
    return _fstat64(fd, st);
}
/* A file that another program has open is EBUSY, of which the C library makes EACCES. */
static inline int os_open(const char *path, int flags, int mode)
{
    wchar_t *wide = os_wide(path);
    const int fd = wide ? _wopen(wide, flags, mode ? _S_IREAD | _S_IWRITE : 0) : -1;
    const DWORD error = fd < 0 ? GetLastError() : 0;
    const int code =
        wide && (error == ERROR_SHARING_VIOLATION || error == ERROR_LOCK_VIOLATION) ? EBUSY : errno;

    free(wide);
    errno = code;
    return fd;
}
static inline int os_close(int fd)
{
    return _close(fd);
}
static inline long os_read(int fd, void *buf, size_t size)
{
    return _read(fd, buf, (unsigned)size);
}
static inline long os_write(int fd, const void *buf, size_t size)
{
    return _write(fd, buf, (unsigned)size);
}
static inline long os_read_at(int fd, void *buf, size_t size, uint64_t offset)
{
    OVERLAPPED at = {0};
    DWORD got = 0;

    at.Offset = (DWORD)offset;
    at.OffsetHigh = (DWORD)(offset >> 32);
    if (!ReadFile((HANDLE)_get_osfhandle(fd), buf, (DWORD)size, &got, &at) &&
        GetLastError() != ERROR_HANDLE_EOF) {
        errno = EIO;
        return -1;
    }
    return (long)got;
}
static inline int os_mkdir(const char *path)
{
    wchar_t *wide = os_wide(path);
    const int result = wide ? _wmkdir(wide) : -1;
    const int code = errno;

    free(wide);
    errno = code;
    return result;
}
static inline int os_flush(int fd)
{
    return _commit(fd);
}
static inline int os_unlink(const char *path)
{
    wchar_t *wide = os_wide(path);
    const int result = wide ? _wunlink(wide) : -1;
    const int code = errno;

    free(wide);
    errno = code;
    return result;
}
/* Whether another program has the file open so that it cannot be replaced. Windows calls that a denied
 * access. */
static inline bool os_is_busy(const wchar_t *path)
{
    const HANDLE file = CreateFileW(path, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);

    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_SHARING_VIOLATION;
}
/* Renames. The new file has the attributes of the one that it replaces; a read-only one is replaced like any
 * other, as elsewhere. Virus scanners, indexers and other runs of lvl open a file for a moment, so a busy one
 * is tried again, and a denied one, too: it may not be busy any more when that is asked, or be shared. */
static inline int os_move(const char *from, const char *to, DWORD flags)
{
    enum { TRIES = 6, FIRST_WAIT_MS = 10 };
    const DWORD kept = FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM;
    wchar_t *wide_from = os_wide(from), *wide_to = os_wide(to);
    const DWORD was =
        wide_to && flags & MOVEFILE_REPLACE_EXISTING ? GetFileAttributesW(wide_to) : INVALID_FILE_ATTRIBUTES;
    const bool marked = was != INVALID_FILE_ATTRIBUTES && was & kept;
    bool done = false, busy = false, again = true;
    DWORD error = ERROR_NOT_ENOUGH_MEMORY;

    if (marked && was & FILE_ATTRIBUTE_READONLY)
        SetFileAttributesW(wide_to, was & ~(DWORD)FILE_ATTRIBUTE_READONLY);
    for (unsigned i = 0; i < TRIES && wide_from && wide_to && !done && again; i++) {
        if (i)
            Sleep(FIRST_WAIT_MS << (i - 1));
        done = MoveFileExW(wide_from, wide_to, flags | MOVEFILE_WRITE_THROUGH);
        error = GetLastError();
        again = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
        busy = !done && again &&
               (error == ERROR_SHARING_VIOLATION || os_is_busy(wide_to) || os_is_busy(wide_from));
    }
    if (marked)
        SetFileAttributesW(wide_to, was);
    const bool memory = !wide_from || !wide_to;
    free(wide_from);
    free(wide_to);
    if (done)
        return 0;
    errno = memory                                                           ? ENOMEM
            : busy                                                           ? EBUSY
            : error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS    ? EEXIST
            : error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? ENOENT
            : error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL    ? ENOSPC
                                                                             : EACCES;
    return -1;
}
/* Renames `from` to `to`, which may exist. */
static inline int os_replace(const char *from, const char *to)
{
    return os_move(from, to, MOVEFILE_REPLACE_EXISTING);
}
/* Renames `from` to `to`, unless that exists (EEXIST). */
static inline int os_place(const char *from, const char *to)
{
    return os_move(from, to, 0);
}
static inline void os_binary(int fd)
{
    _setmode(fd, _O_BINARY);
}
/* What the disk knows the file or folder by, whatever its path is (as long as it likes, in any case, by a
 * link), its size and its times in steps of 100 ns. */
typedef BY_HANDLE_FILE_INFORMATION os_version;
static inline HANDLE os_open_place(const char *path)
{
    wchar_t *wide = os_wide(path);
    const HANDLE file = wide ? CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                           NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
                             : INVALID_HANDLE_VALUE;

    free(wide);
    return file;
}
static inline bool os_find_version(const char *path, os_version *version)
{
    const HANDLE file = os_open_place(path);
    const bool found = file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, version);

    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return found;
}
static inline bool os_is_same_file(const os_version *a, const os_version *b)
{
    return a->dwVolumeSerialNumber == b->dwVolumeSerialNumber && a->nFileIndexHigh == b->nFileIndexHigh &&
           a->nFileIndexLow == b->nFileIndexLow;
}
static inline bool os_is_unchanged(const os_version *was, const os_version *now)
{
    return os_is_same_file(was, now) && was->nFileSizeLow == now->nFileSizeLow &&
           was->nFileSizeHigh == now->nFileSizeHigh &&
           CompareFileTime(&was->ftLastWriteTime, &now->ftLastWriteTime) == 0;
}
/* The path of what exists, without links, short names and other spellings, in the long form; to be freed.
 * NULL with errno. */
static inline wchar_t *os_real_wide(const char *path)
{
    const HANDLE file = os_open_place(path);
    const bool missing = file == INVALID_HANDLE_VALUE &&
                         (GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND);
    const DWORD size = file == INVALID_HANDLE_VALUE ? 0 : GetFinalPathNameByHandleW(file, NULL, 0, 0);
    wchar_t *real = size ? malloc(((size_t)size + 1) * sizeof *real) : NULL;

    errno = missing ? ENOENT : size ? ENOMEM : EACCES;
    if (real && !GetFinalPathNameByHandleW(file, real, size + 1, 0)) {
        free(real);
        real = NULL;
        errno = EACCES;
    }
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return real;
}
/* Whether the path itself is a link (of a file or folder). */
static inline bool os_is_link(const char *path)
{
    WIN32_FIND_DATAW entry;
    wchar_t *wide = os_wide(path);
    const HANDLE find = wide ? FindFirstFileW(wide, &entry) : INVALID_HANDLE_VALUE;

    free(wide);
    if (find == INVALID_HANDLE_VALUE)
        return false;
    FindClose(find);
    return entry.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT &&
           (entry.dwReserved0 == IO_REPARSE_TAG_SYMLINK || entry.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}
static inline void os_sleep(unsigned milliseconds)
{
    Sleep(milliseconds);
}
/* A number that other users cannot guess: on Windows the folder of temporary files is the user's own. */
static inline bool os_random(uint64_t *number)
{
    LARGE_INTEGER ticks;

    QueryPerformanceCounter(&ticks);
    *number = (uint64_t)ticks.QuadPart ^ ((uint64_t)GetCurrentProcessId() << 40);
    return true;
}
static inline bool os_is_alive(unsigned long process)
{
    HANDLE handle = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)process);

    if (!handle)
        return GetLastError() != ERROR_INVALID_PARAMETER;
    CloseHandle(handle);
    return true;
}
/* Whether the path itself is a regular file of this user, and the time of its last change. */
static inline bool os_is_own(const char *path, int64_t *time)
{
    os_stat st;

    if (os_stat_path(path, &st) != 0 || (st.st_mode & S_IFMT) != S_IFREG)
        return false;
    *time = (int64_t)st.st_mtime;
    return true;
}

#else

#include <limits.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#ifndef __wasm__
#include <sys/file.h>

#define OS_HAS_LOCKS 1
static inline int os_lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB);
}
#endif

#define OS_OPEN_FLAGS O_CLOEXEC
#ifdef __APPLE__
#define OS_MTIME st_mtimespec
#else
#define OS_MTIME st_mtim
#endif
/* Opens a folder for the names in it, which needs no permission to list it, where the system has that. */
#if defined O_PATH && !defined __wasm__
#define OS_SEARCH (O_PATH | O_DIRECTORY)
#else
#define OS_SEARCH (O_RDONLY | O_DIRECTORY)
#endif

typedef struct stat os_stat;

static inline int os_stat_path(const char *path, os_stat *st)
{
    return stat(path, st);
}
static inline int os_fstat(int fd, os_stat *st)
{
    return fstat(fd, st);
}
static inline int os_open(const char *path, int flags, int mode)
{
    return open(path, flags, (mode_t)mode);
}
static inline int os_close(int fd)
{
    return close(fd);
}
static inline long os_read(int fd, void *buf, size_t size)
{
    return (long)read(fd, buf, size);
}
static inline long os_write(int fd, const void *buf, size_t size)
{
    return (long)write(fd, buf, size);
}
static inline long os_read_at(int fd, void *buf, size_t size, uint64_t offset)
{
    if (offset > INT64_MAX) {
        errno = EINVAL;
        return -1;
    }
    return (long)pread(fd, buf, size, (off_t)offset);
}
static inline int os_mkdir(const char *path)
{
    return mkdir(path, 0777);
}
static inline int os_flush(int fd)
{
    /* a file system without fsync (EINVAL) has nothing to flush */
    return fsync(fd) == 0 || errno == EINVAL ? 0 : -1;
}
static inline int os_unlink(const char *path)
{
    return unlink(path);
}
static inline int os_replace(const char *from, const char *to)
{
    return rename(from, to);
}
#if defined __linux__ && defined O_TMPFILE
/* Opens a file without a name in that folder, which vanishes with the process; -1 if the system has none, or
 * could not name it later. */
static inline int os_open_nameless(const char *folder)
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
/* Gives the file the name `to`, unless that exists (EEXIST). */
static inline int os_name(int fd, const char *to)
{
    char self[40];

    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}
#define OS_HAS_NAMELESS 1
#endif
static inline int os_place(const char *from, const char *to)
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
static inline void os_binary(int fd)
{
    (void)fd;
}
/* What tells whether it is the same file, which nobody has written. */
typedef os_stat os_version;
static inline bool os_find_version(const char *path, os_version *version)
{
    return os_stat_path(path, version) == 0;
}
static inline bool os_is_same_file(const os_version *a, const os_version *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}
static inline bool os_is_unchanged(const os_version *was, const os_version *now)
{
    return os_is_same_file(was, now) && was->st_size == now->st_size &&
           memcmp(&was->OS_MTIME, &now->OS_MTIME, sizeof now->OS_MTIME) == 0;
}
/* Whether a process of that number may exist. */
static inline bool os_is_alive(unsigned long process)
{
    return process > INT_MAX || kill((pid_t)process, 0) == 0 || errno != ESRCH;
}
static inline void os_sleep(unsigned milliseconds)
{
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};

    nanosleep(&time, NULL);
}
static inline bool os_random(uint64_t *number)
{
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    const bool got = fd >= 0 && read(fd, number, sizeof *number) == (ssize_t)sizeof *number;

    if (fd >= 0)
        close(fd);
    return got;
}
static inline bool os_is_own(const char *path, int64_t *time)
{
    os_stat st;

    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid())
        return false;
    *time = (int64_t)st.st_mtime;
    return true;
}
static inline bool os_is_slash(char c)
{
    return c == '/';
}

#endif

#ifndef OS_HAS_NAMELESS
static inline int os_open_nameless(const char *folder)
{
    (void)folder;
    return -1;
}
static inline int os_name(int fd, const char *to)
{
    (void)fd;
    (void)to;
    return -1;
}
#endif

#endif
