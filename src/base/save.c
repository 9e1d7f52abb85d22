/*
 * base/save.c: atomic saving. The new bytes go to a file beside the target (the same file system, so that a
 * rename is one step), are flushed to the disk, and take the target's name; then the folder is flushed, so
 * that the name survives a power cut as well. Where the system has files without a name, the new one is such
 * a file until its bytes are on the disk, so that a killed process leaves nothing behind.
 */
#ifdef __linux__
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "base/file_os.h"

#include "base/hash.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <process.h>
#endif

struct lvl_save {
    int fd;
    unsigned flags;
    bool direct; /* a device or pipe: written without a temporary file */
    bool exists; /* the target existed at the start */
    int folder; /* of the target, if it must stay below a root; else -1 */
    char *target; /* after links */
    char *temp; /* NULL: the new file has no name yet */
};

static char *copy_of(const char *str, size_t len)
{
    char *copy = malloc(len + 1);

    if (copy) {
        memcpy(copy, str, len);
        copy[len] = 0;
    }
    return copy;
}

/* Length of the folder part with its slash; 0 when the path is a bare name. */
static size_t folder_len(const char *path)
{
    size_t len = strlen(path);

    while (len && !os_is_slash(path[len - 1]))
        len--;
    return len;
}

static char *folder_of(const char *path)
{
    const size_t len = folder_len(path);

    return len ? copy_of(path, len) : copy_of(".", 1);
}

#ifdef _WIN32

static char *narrow_text(const wchar_t *wide)
{
    const int n = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *path = n > 0 ? malloc((size_t)n) : NULL;

    if (!path || !WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, n, NULL, NULL)) {
        free(path);
        errno = ENOMEM;
        return NULL;
    }
    return path;
}

/* The path that a link leads to; NULL with errno set. A link to what does not exist stays as it is. */
static char *resolve_links(const char *path)
{
    wchar_t *real = os_is_link(path) ? os_real_wide(path) : NULL;
    char *at = real ? narrow_text(real) : copy_of(path, strlen(path));

    free(real);
    if (!at)
        errno = ENOMEM;
    return at;
}

/* The folder in which a save to `target` writes, without links; of one that does not exist yet, the last
 * folder around it that does. NULL with errno set. */
static wchar_t *real_folder(const char *target)
{
    char *folder = folder_of(target);
    wchar_t *real = NULL;

    errno = ENOMEM;
    while (folder && !(real = os_real_wide(folder)) && errno == ENOENT) {
        size_t len = strlen(folder);
        while (len && os_is_slash(folder[len - 1]))
            len--;
        while (len && !os_is_slash(folder[len - 1]))
            len--;
        if (len) {
            folder[len] = 0;
        } else if (strcmp(folder, ".") != 0) {
            free(folder);
            folder = copy_of(".", 1);
        } else {
            break;
        }
    }
    const int code = errno;
    free(folder);
    errno = code;
    return real;
}

/* As lvl_file_stays_below, also of a path without links. */
static bool leads_below(const char *target, const char *path, size_t root)
{
    char *named = copy_of(path, root);
    wchar_t *outer = named ? os_real_wide(named) : NULL;
    const bool missing = named && !outer && errno == ENOENT; /* the folder will be created */
    wchar_t *inner = outer ? real_folder(target) : NULL;
    const bool unknown = !missing && !inner && errno == ENOMEM;
    size_t len = outer ? wcslen(outer) : 0;

    while (len && os_is_slash((char)outer[len - 1])) /* of a drive */
        len--;
    const bool below = missing || unknown ||
                       (inner && wcslen(inner) >= len && _wcsnicmp(inner, outer, len) == 0 &&
                        (!inner[len] || os_is_slash((char)inner[len])));
    free(named);
    free(outer);
    free(inner);
    return below;
}

/* As resolve_links, for a file that must stay below a folder. Windows cannot open a file by its folder, so
 * that a link that is made meanwhile is followed. */
static char *resolve_below(const char *path, size_t root, bool hold, int *folder)
{
    char *target = resolve_links(path);

    (void)hold;
    (void)folder;
    if (target && !leads_below(target, path, root)) {
        free(target);
        target = NULL;
        errno = EPERM;
    }
    return target;
}

#else

/* The path at the end of a chain of symbolic links, which need not exist; NULL with errno set. */
static char *resolve_links(const char *path)
{
    char *at = copy_of(path, strlen(path));
    char link_to[4096];

    for (int hops = 0; at; hops++) {
        ssize_t n = readlink(at, link_to, sizeof link_to);
        if (n < 0)
            return at; /* not a link, or it does not exist */
        if (n == (ssize_t)sizeof link_to || hops == 40) {
            free(at);
            errno = ELOOP;
            return NULL;
        }
        size_t dir = link_to[0] == '/' ? 0 : folder_len(at);
        char *next = malloc(dir + (size_t)n + 1);
        if (next) {
            memcpy(next, at, dir);
            memcpy(next + dir, link_to, (size_t)n);
            next[dir + (size_t)n] = 0;
        }
        free(at);
        at = next;
    }
    errno = ENOMEM;
    return NULL;
}

/* A path without links, to be freed; NULL with errno set. */
static char *real_path(const char *path)
{
    char real[PATH_MAX];

    return realpath(path, real) ? copy_of(real, strlen(real)) : NULL;
}

/* The rest of the folder `inner` below the folder `root`, both without links: "" or "a/b"; NULL: it is not
 * below it. */
static const char *rest_below(const char *inner, const char *root)
{
    const size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);

    if (strncmp(inner, root, len) != 0 || (inner[len] && inner[len] != '/'))
        return NULL;
    return inner + len + (inner[len] == '/');
}

/* The folder in which a save to `path` writes, without links; of one that does not exist yet, the last
 * folder around it that does. NULL with errno set. */
static char *real_folder(const char *target)
{
    enum { MAX_STEPS = 4096 };
    char *folder = folder_of(target);

    for (int steps = 0; folder && steps < MAX_STEPS; steps++) {
        char *real = real_path(folder);
        if (real || (errno != ENOENT && errno != ENOTDIR)) {
            free(folder);
            return real;
        }
        size_t len = strlen(folder);
        while (len > 1 && folder[len - 1] == '/')
            folder[--len] = 0;
        char *place = resolve_links(folder); /* a link to what does not exist leads there, too */
        char *parent = place ? folder_of(place) : NULL;
        free(place);
        free(folder);
        folder = parent;
    }
    errno = folder ? ELOOP : ENOMEM;
    free(folder);
    return NULL;
}

/* As lvl_file_stays_below, also of a path without links. */
static bool leads_below(const char *target, const char *path, size_t root)
{
    char *named = copy_of(path, root), *outer = named ? real_path(named) : NULL;
    const bool missing = named && !outer && errno == ENOENT; /* the folder will be created */
    char *inner = outer ? real_folder(target) : NULL;
    /* without memory it cannot be known here: the save reports that */
    const bool unknown = !missing && !inner && errno == ENOMEM;
    const bool below = missing || unknown || (inner && rest_below(inner, outer));

    free(named);
    free(outer);
    free(inner);
    return below;
}

/* Opens the folder `inner` below `root`, whose paths have no links; if a part of it has become a link
 * meanwhile, that is an error. -1 with errno set. */
static int open_below(const char *root, const char *rest)
{
    int fd = open(root, OS_SEARCH | O_CLOEXEC);

    while (fd >= 0 && *rest) {
        char part[NAME_MAX + 1];
        const size_t len = strcspn(rest, "/");
        if (len > NAME_MAX) {
            os_close(fd);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(part, rest, len);
        part[len] = 0;
        const int next = openat(fd, part, OS_SEARCH | O_NOFOLLOW | O_CLOEXEC);
        os_close(fd);
        fd = next;
        rest += len + (rest[len] == '/');
    }
    return fd;
}

/* As resolve_links, for a file that must stay below a folder. With `hold`, *folder is the folder of the
 * result, which names the file by it where the system can, so that a link that is made meanwhile leads
 * nowhere. */
static char *resolve_below(const char *path, size_t root, bool hold, int *folder)
{
    char self[40];
    os_stat st;
    char *named = copy_of(path, root), *outer = named ? real_path(named) : NULL;
    char *target = outer ? resolve_links(path) : NULL, *dir = target ? folder_of(target) : NULL;
    char *inner = dir ? real_path(dir) : NULL; /* the first that fails sets errno */
    const char *rest = inner ? rest_below(inner, outer) : NULL;
    char *result = NULL;

    if (inner && !rest)
        errno = EPERM;
    if (rest)
        *folder = open_below(outer, rest);
    if (*folder >= 0) {
        const char *name = target + folder_len(target);
        snprintf(self, sizeof self, "/proc/self/fd/%d", *folder);
        const char *place = hold && stat(self, &st) == 0 ? self : inner;
        const size_t size = strlen(place) + strlen(name) + 2;
        result = malloc(size);
        if (result)
            snprintf(result, size, "%s/%s", place, name);
    }
    if (*folder >= 0 && !hold) {
        os_close(*folder);
        *folder = -1;
    }
    const int code = errno;
    free(target);
    free(named);
    free(dir);
    free(outer);
    free(inner);
    errno = code;
    return result;
}

#endif

bool lvl_file_stays_below(const char *path, size_t root)
{
    char *target = root ? resolve_links(path) : NULL;
    const bool below = !root || (target ? leads_below(target, path, root) : errno == ENOMEM);

    free(target);
    return below;
}

/* Flushes the folder that holds the target, as far as the system can. */
static void flush_folder(const char *target)
{
#ifdef _WIN32
    (void)target;
#else
    char *dir = folder_of(target);
    int fd = dir ? os_open(dir, O_RDONLY | OS_OPEN_FLAGS, 0) : -1;

    if (fd >= 0) {
        (void)os_flush(fd);
        os_close(fd);
    }
    free(dir);
#endif
}

/* How many bytes of a file's name go into the name of its temporary file: names have at most 255 bytes, and a
 * character is not split. */
static int prefix_len(const char *name)
{
    return (int)lvl_text_cut(lvl_text_of(name), 200).len;
}

/* Takes a name beside the target that folder walks skip (it begins with a dot): creates a file of that name,
 * or gives the name to the open file `fd`, if that isn't -1. Returns the file, or -1. */
static int take_temp_name(lvl_save *save, int fd)
{
    size_t dir = folder_len(save->target), size = strlen(save->target) + 48;

    save->temp = malloc(size);
    if (!save->temp) {
        errno = ENOMEM;
        return -1;
    }
#ifdef _WIN32
    unsigned long id = (unsigned long)_getpid();
#else
    unsigned long id = (unsigned long)getpid();
#endif
    /* O_EXCL decides; the numbers only make it likely that the name is free */
    for (unsigned i = 0; i < 10000; i++) {
        snprintf(save->temp, size, "%.*s.%.*s.lvl%lx-%x", (int)dir, save->target,
                 prefix_len(save->target + dir), save->target + dir, id, i);
        const int taken = fd < 0 ? os_open(save->temp, O_WRONLY | O_CREAT | O_EXCL | OS_OPEN_FLAGS, 0666)
                          : os_name(fd, save->temp) == 0 ? fd
                                                         : -1;
        if (taken >= 0)
            return taken;
        if (errno != EEXIST)
            break;
    }
    int code = errno;
    free(save->temp); /* no file has that name */
    save->temp = NULL;
    errno = code;
    return -1;
}

static int open_new(lvl_save *save)
{
    char *dir = folder_of(save->target);
    const int fd = dir ? os_open_nameless(dir) : -1;

    free(dir);
    return fd >= 0 ? fd : take_temp_name(save, -1);
}

/* Gives the new file, which has no name yet, the target's name if that is free, else a temporary one. */
static bool name_new(lvl_save *save, bool *placed)
{
    *placed = os_name(save->fd, save->target) == 0;
    if (*placed)
        return true;
    return errno == EEXIST && save->flags & LVL_SAVE_REPLACE && take_temp_name(save, save->fd) >= 0;
}

lvl_status lvl_save_open(lvl_save **out, const char *path, size_t root, unsigned flags, lvl_file_error *why)
{
    lvl_status status;
    os_stat st;

    *out = NULL;
    lvl_save *save = calloc(1, sizeof *save);
    if (!save)
        return LVL_ERR_MEMORY;
    save->fd = -1;
    save->flags = flags;
    save->folder = -1;
    save->target =
        root ? resolve_below(path, root, !(flags & LVL_SAVE_MANY), &save->folder) : resolve_links(path);
    if (!save->target) {
        status = lvl_file_fail(why, errno == EPERM ? "follow the link out of the folder" : "follow the link");
        goto out;
    }
    save->exists = os_stat_path(save->target, &st) == 0;
    if (save->exists && (st.st_mode & S_IFMT) == S_IFDIR) {
        errno = EISDIR;
        status = lvl_file_fail(why, "write");
        goto out;
    }
    save->direct = save->exists && (st.st_mode & S_IFMT) != S_IFREG;
    if (save->direct) {
        save->fd = os_open(save->target, O_WRONLY | OS_OPEN_FLAGS, 0);
    } else if (save->exists && !(flags & LVL_SAVE_REPLACE)) {
        errno = EEXIST;
        status = lvl_file_fail(why, "write");
        goto out;
    } else {
        save->fd = open_new(save);
    }
    if (save->fd < 0) {
        status = lvl_file_fail(why, "create");
        goto out;
    }
#ifndef _WIN32
    if (save->exists && !save->direct) {
        os_stat now;
        /* the owner too, where that is allowed; before the mode, since chown clears bits of it */
        if (os_fstat(save->fd, &now) == 0 && (now.st_uid != st.st_uid || now.st_gid != st.st_gid) &&
            fchown(save->fd, st.st_uid, st.st_gid) != 0)
            errno = 0;
        if (fchmod(save->fd, st.st_mode & 07777) != 0) {
            status = lvl_file_fail(why, "keep the mode");
            goto out;
        }
    }
#endif
    *out = save;
    return LVL_OK;
out:
    lvl_save_abort(save);
    return status;
}

lvl_status lvl_save_write(lvl_save *save, const void *data, size_t len, lvl_file_error *why)
{
    const uint8_t *p = data;

    while (len) {
        long n = os_write(save->fd, p, len < MAX_IO ? len : MAX_IO);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = ENOSPC;
        if (n <= 0)
            return lvl_file_fail(why, "write");
        p += n;
        len -= (size_t)n;
    }
    return LVL_OK;
}

/* Flushes (unless `later`), names and closes the new file. It may get the target's name at once, which sets
 * *placed; `placed` NULL: only a temporary one. */
static lvl_status finish_temp(lvl_save *save, bool later, bool *placed, lvl_file_error *why)
{
    lvl_status status = LVL_OK;

    if (!save->direct && !later && os_flush(save->fd) != 0)
        status = lvl_file_fail(why, "flush");
    if (status == LVL_OK && !save->direct && !save->temp &&
        !(placed ? name_new(save, placed) : take_temp_name(save, save->fd) >= 0))
        status = lvl_file_fail(why, "write");
    /* network file systems report errors at closing */
    if (os_close(save->fd) != 0 && status == LVL_OK) {
        status = lvl_file_fail(why, "close");
        if (placed && *placed)
            os_unlink(save->target);
    }
    save->fd = -1;
    return status;
}

lvl_status lvl_save_commit(lvl_save *save, lvl_file_error *why)
{
    lvl_status status = LVL_OK;
#ifdef _WIN32
    const bool later = false;
#else
    os_stat st; /* the target may have been created meanwhile */
    const bool later =
        (save->flags & LVL_SAVE_TOGETHER) && !save->exists && os_stat_path(save->target, &st) != 0;
#endif

    bool placed = false;

    if (save->fd >= 0)
        status = finish_temp(save, later, &placed, why);
    if (status == LVL_OK && save->temp) { /* else it has the target's name already, or is written directly */
        bool replace = save->flags & LVL_SAVE_REPLACE;
        int failed = replace ? os_replace(save->temp, save->target) : os_place(save->temp, save->target);
        if (failed) {
            status = lvl_file_fail(why, "write");
        } else {
            free(save->temp);
            save->temp = NULL;
        }
    }
    if (status == LVL_OK && !save->direct && !later)
        flush_folder(save->target);
    lvl_save_abort(save);
    return status;
}

/* One file of several: its new content, written but without its name, and its old content. */
typedef struct prepared {
    lvl_save *save;
    lvl_buffer old;
} prepared;

static lvl_status prepare(prepared *p, const lvl_file_change *change, lvl_file_error *why)
{
    lvl_status status = lvl_file_read(&p->old, change->path, 0, why);

    if (status == LVL_OK && change->was.ptr &&
        (p->old.len != change->was.len || memcmp(p->old.data, change->was.ptr, p->old.len) != 0))
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK)
        status = lvl_save_open(&p->save, change->path, change->root, LVL_SAVE_REPLACE | LVL_SAVE_MANY, why);
    if (!p->save)
        return status;
    status = lvl_save_write(p->save, change->bytes.ptr, change->bytes.len, why);
    return status == LVL_OK ? finish_temp(p->save, false, NULL, why) : status;
}

struct lvl_folder_lock {
    int fd;
};

lvl_status lvl_folder_lock_take(lvl_folder_lock **out, const char *path, lvl_file_error *why)
{
    *out = NULL;
#ifdef OS_HAS_LOCKS
    lvl_folder_lock *lock = malloc(sizeof *lock);
    if (!lock)
        return LVL_ERR_MEMORY;
    lock->fd = os_open(path, O_RDONLY | OS_OPEN_FLAGS, 0);
    if (lock->fd >= 0 && os_lock(lock->fd) == 0) {
        *out = lock;
        return LVL_OK;
    }
    const bool taken = lock->fd >= 0 && errno == EWOULDBLOCK;
    if (taken)
        (void)lvl_file_fail(why, "lock");
    if (lock->fd >= 0)
        os_close(lock->fd);
    free(lock);
    return taken ? LVL_ERR_IO : LVL_OK; /* no folder, or a file system without locks */
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
    os_close(lock->fd);
    free(lock);
}

struct lvl_file_lock {
#ifdef _WIN32
    HANDLE held;
#else
    int fd; /* -1: the system has no locks */
#endif
    os_version was;
};

enum { LOCK_STEP = 10 /* milliseconds between two tries */ };

#ifdef _WIN32

/* The real path of what `path` leads to, in lower case, also while the file does not exist, since it is
 * replaced; to be freed. NULL with errno. */
static wchar_t *lock_path(const char *path)
{
    char *target = resolve_links(path), *folder = target ? folder_of(target) : NULL;
    wchar_t *real = folder ? os_real_wide(folder) : NULL;
    wchar_t *name = real ? os_wide(target + folder_len(target)) : NULL;
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

/* A file that is open cannot be replaced on every Windows, so the lock is an object of the system whose name
 * is made from the real path. It is taken by the process that creates it, and ends with it. */
static bool hold(lvl_file_lock *lock, const wchar_t *path)
{
    char hash[65], name[80];

    lvl_sha256_hex((lvl_bytes){(const uint8_t *)path, wcslen(path) * sizeof *path}, hash);
    snprintf(name, sizeof name, "Global\\lvl-%s", hash);
    lock->held = CreateMutexA(NULL, FALSE, name);
    const DWORD error = GetLastError();
    /* that of another user cannot be opened */
    errno = error == ERROR_ALREADY_EXISTS || error == ERROR_ACCESS_DENIED ? EWOULDBLOCK : EACCES;
    if (lock->held && error != ERROR_ALREADY_EXISTS)
        return true;
    if (lock->held)
        CloseHandle(lock->held);
    return false;
}

/* Waits for the lock. False with errno: EWOULDBLOCK, or no lock is possible. */
static bool take_lock(lvl_file_lock *lock, const char *path, unsigned milliseconds)
{
    wchar_t *real = lock_path(path);
    unsigned waited = 0;
    bool held = false;

    while (real && !(held = hold(lock, real)) && errno == EWOULDBLOCK && waited < milliseconds) {
        os_sleep(LOCK_STEP);
        waited += LOCK_STEP;
    }
    const int code = errno;
    free(real);
    errno = code;
    if (!held)
        return false;
    if (os_find_version(path, &lock->was))
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

/* Opens and locks the file that has the path when that succeeds: a save by the process that held the lock
 * before gives the path to another file. */
static bool take_lock(lvl_file_lock *lock, const char *path, unsigned milliseconds)
{
    os_version now;

    for (unsigned waited = 0;;) {
        const int fd = os_open(path, O_RDONLY | O_NONBLOCK | OS_OPEN_FLAGS, 0);
        if (fd < 0)
            return false;
        const bool taken = os_lock(fd) == 0;
        const int code = errno;
        lock->fd = fd;
        if (os_fstat(fd, &lock->was) == 0 && os_find_version(path, &now) &&
            os_is_same_file(&now, &lock->was) && (taken || code != EWOULDBLOCK))
            return true;
        os_close(fd);
        lock->fd = -1;
        if (!taken && waited >= milliseconds) {
            errno = EWOULDBLOCK;
            return false;
        }
        if (!taken) {
            os_sleep(LOCK_STEP);
            waited += LOCK_STEP;
        }
    }
}

static void release(lvl_file_lock *lock)
{
    if (lock->fd >= 0)
        os_close(lock->fd);
}

#else

static bool take_lock(lvl_file_lock *lock, const char *path, unsigned milliseconds)
{
    (void)milliseconds;
    lock->fd = -1;
    errno = ENOENT;
    return os_find_version(path, &lock->was);
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
    lvl_file_lock *lock = malloc(sizeof *lock);
    if (!lock)
        return LVL_ERR_MEMORY;
    if (!take_lock(lock, path, milliseconds)) {
        const bool held = errno == EWOULDBLOCK;
        free(lock);
        return held ? lvl_file_fail(why, "lock") : LVL_OK;
    }
    *out = lock;
    return LVL_OK;
}

bool lvl_file_unchanged(const lvl_file_lock *lock, const char *path)
{
    os_version now;

    return !lock || (os_find_version(path, &now) && os_is_unchanged(&lock->was, &now));
}

void lvl_file_lock_free(lvl_file_lock *lock)
{
    if (lock)
        release(lock);
    free(lock);
}

static lvl_status rename_file(const char *from, const char *to, lvl_file_error *why)
{
    if ((lvl_file_same(from, to) ? os_replace(from, to) : os_place(from, to)) != 0)
        return lvl_file_fail(why, "rename");
    flush_folder(to);
    return LVL_OK;
}

lvl_status lvl_files_save(const lvl_file_change *changes, size_t count, const char *from, const char *to,
                          const char **failed, lvl_file_error *why)
{
    prepared *files = calloc(count + 1, sizeof *files);
    const char *at = from;
    lvl_status status = files ? LVL_OK : LVL_ERR_MEMORY;
    size_t done = 0;

    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        at = changes[i].path;
        status = prepare(&files[i], &changes[i], why);
    }
    for (; done < count && status == LVL_OK && files[done].save; done += status == LVL_OK) {
        at = changes[done].path;
        status = lvl_save_commit(files[done].save, why);
        files[done].save = NULL;
    }
    if (status == LVL_OK && from) {
        at = from;
        status = rename_file(from, to, why);
    }
    for (size_t i = 0; i < done && status != LVL_OK; i++) {
        const lvl_bytes old = {files[i].old.data, files[i].old.len};
        lvl_file_error failure = {0};
        if (lvl_file_save_below(changes[i].path, changes[i].root, old, LVL_SAVE_REPLACE, &failure) ==
                LVL_OK ||
            status == LVL_ERR_LOSS)
            continue;
        status = LVL_ERR_LOSS;
        at = changes[i].path;
        if (why)
            *why = failure;
    }
    for (size_t i = 0; i < count && files; i++) {
        lvl_save_abort(files[i].save);
        lvl_buffer_free(&files[i].old);
    }
    free(files);
    if (failed)
        *failed = status == LVL_OK ? NULL : at;
    return status;
}

void lvl_save_abort(lvl_save *save)
{
    if (!save)
        return;
    if (save->fd >= 0)
        os_close(save->fd);
    if (save->temp)
        os_unlink(save->temp);
    if (save->folder >= 0)
        os_close(save->folder);
    free(save->temp);
    free(save->target);
    free(save);
}

lvl_status lvl_file_save(const char *path, lvl_bytes bytes, unsigned flags, lvl_file_error *why)
{
    return lvl_file_save_below(path, 0, bytes, flags, why);
}

lvl_status lvl_file_save_below(const char *path, size_t root, lvl_bytes bytes, unsigned flags,
                               lvl_file_error *why)
{
    lvl_save *save;
    lvl_status status = lvl_save_open(&save, path, root, flags, why);

    if (!save)
        return status;
    status = lvl_save_write(save, bytes.ptr, bytes.len, why);
    if (status == LVL_OK)
        return lvl_save_commit(save, why);
    lvl_save_abort(save);
    return status;
}
