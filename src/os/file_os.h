/*
 * os/file_os.h: system calls for files under one name for all systems; used only inside os/, implemented
 * in file_posix.c and file_windows.c. Paths are UTF-8. Failures return -1, NULL or false, with errno as in
 * POSIX.
 */
#ifndef LVL_OS_FILE_OS_H
#define LVL_OS_FILE_OS_H

/* Include this file first, before any system header. XOPEN for S_IFMT; 64-bit offsets where a long has 32
 * bits. */
#ifndef _WIN32
#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64
#endif

#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* The largest single read or write: Linux stops at 2 GiB, Windows takes an unsigned int. */
#define MAX_IO ((size_t)1 << 30)

/* os_version: identifies a file and its last change. */
#ifdef _WIN32

#include <io.h>
#include <windows.h>

#define OS_OPEN_FLAGS (_O_BINARY | _O_NOINHERIT)

typedef struct __stat64 os_stat;
typedef BY_HANDLE_FILE_INFORMATION os_version;

/* A path in UTF-16, to be freed. If it is not UTF-8 it is taken to be in the program's code page. Long paths
 * are made absolute with the prefix "\\\\?\\", which lifts the limit of 260 characters. */
wchar_t *lvl_os_wide(const char *path);
/* The canonical path of an existing file or folder, without links or short names, in the long form; to be
 * freed. */
wchar_t *lvl_os_real_wide(const char *path);
/* Whether the path itself is a link (of a file or folder). */
bool lvl_os_is_link(const char *path);

#else

#include <unistd.h>

#define OS_OPEN_FLAGS O_CLOEXEC
/* Opens a folder in order to access names in it; where the system allows, this needs no permission to list
 * it. */
#if defined O_PATH && !defined __wasm__
#define OS_SEARCH (O_PATH | O_DIRECTORY)
#else
#define OS_SEARCH (O_RDONLY | O_DIRECTORY)
#endif

typedef struct stat os_stat;
typedef os_stat os_version;

#ifndef __wasm__
#define OS_HAS_LOCKS 1
/* Locks the open file for this process, or fails at once. */
int lvl_os_lock(int fd);
/* Another descriptor of the open file, with which it stays open and locked. */
int lvl_os_dup(int fd);
#endif

#endif

static inline bool os_is_slash(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

/* An open file. */
struct lvl_file {
    int fd;
    uint64_t size;
};

/* Stores errno in `why` and returns the status for it. */
lvl_status lvl_file_fail(lvl_file_error *why, const char *step);

/* ---- files ---------------------------------------------------------------------------------------- */

int lvl_os_stat_path(const char *path, os_stat *st);
int lvl_os_fstat(int fd, os_stat *st);
/* EBUSY on Windows if another program has the file open. */
int lvl_os_open(const char *path, int flags, int mode);
int lvl_os_close(int fd);
/* Up to MAX_IO bytes. */
long lvl_os_read(int fd, void *buf, size_t size);
long lvl_os_write(int fd, const void *buf, size_t size);
long lvl_os_read_at(int fd, void *buf, size_t size, uint64_t offset);
/* Flushes to the disk. */
int lvl_os_flush(int fd);
/* Switches off the conversion of line endings. */
void lvl_os_binary(int fd);

/* ---- names ---------------------------------------------------------------------------------------- */

int lvl_os_mkdir(const char *path);
int lvl_os_rmdir(const char *path);
int lvl_os_unlink(const char *path);
/* Renames `from` to `to`, which may exist. */
int lvl_os_replace(const char *from, const char *to);
/* Renames `from` to `to`, unless that exists (EEXIST). */
int lvl_os_place(const char *from, const char *to);
/* Opens a file without a name in that folder, which vanishes with the process; -1 if the system does not
 * support that, or could not name it later. */
#ifdef __linux__
int lvl_os_open_nameless(const char *folder);
/* Gives such a file the name `to`, unless that exists (EEXIST). */
int lvl_os_name(int fd, const char *to);
#else
static inline int lvl_os_open_nameless(const char *folder)
{
    (void)folder;
    return -1;
}
static inline int lvl_os_name(int fd, const char *to)
{
    (void)fd;
    (void)to;
    return -1;
}
#endif

bool lvl_os_find_version(const char *path, os_version *version);
/* The same of an open file. */
bool lvl_os_version_of(int fd, os_version *version);
bool lvl_os_is_same_file(const os_version *a, const os_version *b);
bool lvl_os_is_unchanged(const os_version *was, const os_version *now);
/* Whether the path itself is a regular file of this user, and the time of its last change. */
bool lvl_os_is_own(const char *path, int64_t *time);

/* ---- processes ------------------------------------------------------------------------------------ */

/* Whether a process with that number may exist. */
bool lvl_os_is_alive(unsigned long process);
void lvl_os_sleep(unsigned milliseconds);
/* A number that other users cannot guess. */
bool lvl_os_random(uint64_t *number);

#endif
