/*
 * os/lock.c: advisory locks of folders and files.
 */
#include "os/save.h"

struct lvl_folder_lock {
    int fd;
};

/* Whether errno says that no more files can be opened: the file may well exist, and it is not locked. */
static bool is_out_of_files(void)
{
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM;
}

lvl_status lvl_folder_lock_take(lvl_folder_lock **out, const char *path, lvl_file_error *why)
{
    *out = NULL;
#ifdef OS_HAS_LOCKS
    lvl_folder_lock *lock = malloc(sizeof *lock);
    if (!lock)
        return LVL_ERR_MEMORY;
    lock->fd = lvl_os_open(path, O_RDONLY | OS_OPEN_FLAGS, 0);
    if (lock->fd >= 0 && lvl_os_lock(lock->fd) == 0) {
        *out = lock;
        return LVL_OK;
    }
    const bool refused = lock->fd >= 0 ? errno == EWOULDBLOCK : is_out_of_files();
    if (refused)
        (void)lvl_file_fail(why, "lock");
    if (lock->fd >= 0)
        lvl_os_close(lock->fd);
    free(lock);
    return refused ? LVL_ERR_IO : LVL_OK; /* no folder, or a file system without locks */
#else
    (void)path;
    (void)why;
    return LVL_OK;
#endif
}

void lvl_folder_lock_free(lvl_folder_lock *lock)
{
    if (!lock)
        return;
    lvl_os_close(lock->fd);
    free(lock);
}

struct lvl_file_lock {
#ifdef _WIN32
    HANDLE held;
#else
    int fd; /* -1: the system has no locks, or it was eased */
#endif
    os_version was;
    bool eased; /* by lvl_file_lock_ease */
};

enum { LOCK_STEP = 10 /* milliseconds between two tries */ };

#ifdef _WIN32

/* The real path that `path` leads to, in lower case, to be freed. The file may not exist for a moment while
 * it is replaced. NULL with errno. */
static wchar_t *lock_path(const char *path)
{
    char *target = lvl_save_follow(path), *folder = target ? lvl_save_folder_of(target) : NULL;
    wchar_t *real = folder ? lvl_os_real_wide(folder) : NULL;
    wchar_t *name = real ? lvl_os_wide(target + lvl_save_folder_len(target)) : NULL;
    const size_t size = name ? wcslen(real) + wcslen(name) + 2 : 0;
    wchar_t *whole = name ? malloc(size * sizeof *whole) : NULL;

    if (whole) {
        swprintf(whole, size, L"%ls\\%ls", real, name);
        CharLowerW(whole);
    }
    const int code = errno;
    free(target);
    free(folder);
    free(real);
    free(name);
    errno = code;
    return whole;
}

/* Not every Windows can replace a file that is open, so the lock is a kernel object whose name is made from
 * the real path. The process that creates it holds the lock until it ends. */
static bool hold(lvl_file_lock *lock, const wchar_t *path)
{
    uint64_t hash = 0xCBF29CE484222325; /* FNV-1a: two files with one name would only wait for each other */
    char name[40];

    for (const wchar_t *c = path; *c; c++)
        hash = (hash ^ *c) * 0x100000001B3;
    snprintf(name, sizeof name, "Global\\lvl-%016llx", (unsigned long long)hash);
    lock->held = CreateMutexA(NULL, FALSE, name);
    const DWORD error = GetLastError();
    /* an object of another user cannot be opened */
    errno = error == ERROR_ALREADY_EXISTS || error == ERROR_ACCESS_DENIED ? EWOULDBLOCK : EACCES;
    if (lock->held && error != ERROR_ALREADY_EXISTS)
        return true;
    if (lock->held)
        CloseHandle(lock->held);
    return false;
}

/* Waits for the lock. False with errno: EWOULDBLOCK, or locks are not possible here. */
static bool take_lock(lvl_file_lock *lock, const char *path, unsigned milliseconds)
{
    wchar_t *real = lock_path(path);
    unsigned waited = 0;
    bool held = false;

    while (real && !(held = hold(lock, real)) && errno == EWOULDBLOCK && waited < milliseconds) {
        lvl_os_sleep(LOCK_STEP);
        waited += LOCK_STEP;
    }
    const int code = errno;
    free(real);
    errno = code;
    if (!held)
        return false;
    if (lvl_os_find_version(path, &lock->was))
        return true;
    CloseHandle(lock->held);
    errno = ENOENT;
    return false;
}

static void release(lvl_file_lock *lock)
{
    if (lock->held)
        CloseHandle(lock->held);
}

#elif defined OS_HAS_LOCKS

/* Opens and locks the file that has the path at the time the lock is taken: a save by the previous holder
 * replaces the file. */
static bool take_lock(lvl_file_lock *lock, const char *path, unsigned milliseconds)
{
    os_version now;

    for (unsigned waited = 0;;) {
        const int fd = lvl_os_open(path, O_RDONLY | O_NONBLOCK | OS_OPEN_FLAGS, 0);
        if (fd < 0)
            return false;
        const bool taken = lvl_os_lock(fd) == 0;
        const int code = errno;
        lock->fd = fd;
        if (lvl_os_fstat(fd, &lock->was) == 0 && lvl_os_find_version(path, &now) &&
            lvl_os_is_same_file(&now, &lock->was) && (taken || code != EWOULDBLOCK))
            return true;
        lvl_os_close(fd);
        lock->fd = -1;
        if (!taken && waited >= milliseconds) {
            errno = EWOULDBLOCK;
            return false;
        }
        if (!taken) {
            lvl_os_sleep(LOCK_STEP);
            waited += LOCK_STEP;
        }
    }
}

static void release(lvl_file_lock *lock)
{
    if (lock->fd >= 0)
        lvl_os_close(lock->fd);
}

#else

static bool take_lock(lvl_file_lock *lock, const char *path, unsigned milliseconds)
{
    (void)milliseconds;
    lock->fd = -1;
    errno = ENOENT;
    return lvl_os_find_version(path, &lock->was);
}

static void release(lvl_file_lock *lock)
{
    (void)lock;
}

#endif

lvl_status lvl_file_lock_take(lvl_file_lock **out, const char *path, unsigned milliseconds,
                              lvl_file_error *why)
{
    *out = NULL;
    const lvl_file_kind kind = lvl_file_kind_of(path);
    if (kind != LVL_FILE_REGULAR && kind != LVL_FILE_NONE) /* it may be missing while it is replaced */
        return LVL_OK;
    lvl_file_lock *lock = calloc(1, sizeof *lock);
    if (!lock)
        return LVL_ERR_MEMORY;
    if (!take_lock(lock, path, milliseconds)) {
        const bool refused = errno == EWOULDBLOCK || is_out_of_files();
        const int code = errno;
        free(lock);
        errno = code;
        return refused ? lvl_file_fail(why, "lock") : LVL_OK;
    }
    *out = lock;
    return LVL_OK;
}

lvl_status lvl_file_lock_open(lvl_file_lock **out, const lvl_file *file, const char *path)
{
    *out = NULL;
#ifdef OS_HAS_LOCKS
    lvl_file_lock *lock = calloc(1, sizeof *lock);
    if (!lock)
        return LVL_ERR_MEMORY;
    lock->fd = lvl_os_dup(file->fd);
    if (lock->fd >= 0 && lvl_os_lock(lock->fd) == 0 && lvl_os_fstat(lock->fd, &lock->was) == 0 &&
        lvl_file_is_at(file, path)) {
        *out = lock;
        return LVL_OK;
    }
    lvl_file_lock_free(lock);
#else
    (void)file;
    (void)path;
#endif
    return LVL_OK;
}

void lvl_file_lock_ease(lvl_file_lock *lock)
{
    release(lock);
#ifdef _WIN32
    lock->held = NULL;
#else
    lock->fd = -1;
#endif
    lock->eased = true;
}

bool lvl_file_lock_is_eased(const lvl_file_lock *lock)
{
    return lock && lock->eased;
}

lvl_status lvl_file_lock_none(lvl_file_lock **out, const char *path)
{
    lvl_file_lock *lock = calloc(1, sizeof *lock);

    *out = NULL;
    if (!lock)
        return LVL_ERR_MEMORY;
#ifndef _WIN32
    lock->fd = -1;
#endif
    if (lvl_os_find_version(path, &lock->was))
        *out = lock;
    else
        free(lock);
    return LVL_OK;
}

bool lvl_file_unchanged(const lvl_file_lock *lock, const char *path)
{
    os_version now;

    return !lock || (lvl_os_find_version(path, &now) && lvl_os_is_unchanged(&lock->was, &now));
}

void lvl_file_lock_free(lvl_file_lock *lock)
{
    if (lock)
        release(lock);
    free(lock);
}
