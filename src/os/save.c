/*
 * os/save.c: atomic saving. The new bytes go to a file beside the target (on the same file system, so that
 * the rename is atomic), are flushed to the disk, and the file takes the target's name; then the folder is
 * flushed, so that the name survives a power cut, too. Where the system supports files without a name, the
 * new file has none until its bytes are on the disk, so that a killed process leaves no file.
 */
#include "os/save.h"

#ifdef _WIN32
#include <process.h>
#endif

struct lvl_new_file {
    int fd;
    unsigned flags;
    bool direct; /* a device or pipe: written without a temporary file */
    bool exists; /* the target existed at the start */
    int folder; /* the target's folder, if it must stay below a root; else -1 */
    const lvl_file_lock *lock; /* of the target, which must still be as it was then; or NULL */
    char *target; /* after links */
    char *temp; /* NULL: the new file has no name yet */
};

void lvl_save_flush_folder(const char *target)
{
#ifdef _WIN32
    (void)target;
#else
    char *dir = lvl_save_folder_of(target);
    int fd = dir ? lvl_os_open(dir, O_RDONLY | OS_OPEN_FLAGS, 0) : -1;

    if (fd >= 0) {
        (void)lvl_os_flush(fd);
        lvl_os_close(fd);
    }
    free(dir);
#endif
}

/* How many bytes of a file's name are used in the name of its temporary file: names have at most 255 bytes,
 * and characters are not split. */
static int prefix_len(const char *name)
{
    size_t len = strlen(name);

    if (len > 200) {
        len = 200;
        while (len && ((unsigned char)name[len] & 0xC0) == 0x80)
            len--;
    }
    return (int)len;
}

/* Finds a free name beside the target that folder walks skip (it begins with a dot) and creates a file with
 * that name, or gives it to the open file `fd`, if that isn't -1. Returns the file, or -1. */
static int take_temp_name(lvl_new_file *save, int fd)
{
    size_t dir = lvl_save_folder_len(save->target), size = strlen(save->target) + 48;

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
        const int taken = fd < 0 ? lvl_os_open(save->temp, O_WRONLY | O_CREAT | O_EXCL | OS_OPEN_FLAGS, 0666)
                          : lvl_os_name(fd, save->temp) == 0 ? fd
                                                             : -1;
        if (taken >= 0)
            return taken;
        if (errno != EEXIST)
            break;
    }
    int code = errno;
    free(save->temp); /* no file got that name */
    save->temp = NULL;
    errno = code;
    return -1;
}

static int open_new(lvl_new_file *save)
{
    char *dir = lvl_save_folder_of(save->target);
    const int fd = dir ? lvl_os_open_nameless(dir) : -1;

    free(dir);
    return fd >= 0 ? fd : take_temp_name(save, -1);
}

/* Gives the new file, which has no name yet, the target's name if that is free, else a temporary one. */
static bool name_new(lvl_new_file *save, bool *placed)
{
    *placed = lvl_os_name(save->fd, save->target) == 0;
    if (*placed)
        return true;
    return errno == EEXIST && save->flags & LVL_SAVE_REPLACE && take_temp_name(save, save->fd) >= 0;
}

/* Opens the target, if it is written directly, or a new file. `st`: of the target, if it exists. */
static lvl_status open_file(lvl_new_file *save, const os_stat *st, lvl_file_error *why)
{
    const unsigned type = save->exists ? st->st_mode & S_IFMT : 0;

    save->direct = save->exists && type != S_IFREG;
    if (type == S_IFDIR || (type == S_IFREG && !(save->flags & LVL_SAVE_REPLACE))) {
        errno = type == S_IFDIR ? EISDIR : EEXIST;
        return lvl_file_fail(why, "write");
    }
    save->fd = save->direct ? lvl_os_open(save->target, O_WRONLY | OS_OPEN_FLAGS, 0) : open_new(save);
    return save->fd >= 0 ? LVL_OK : lvl_file_fail(why, "create");
}

/* Gives the new file the mode of the file that it replaces, and its owner where that is allowed. */
static lvl_status keep_mode(const lvl_new_file *save, const os_stat *st, lvl_file_error *why)
{
#ifdef _WIN32
    (void)save;
    (void)st;
    (void)why;
#else
    os_stat now;

    if (!save->exists || save->direct)
        return LVL_OK;
    /* owner first, since chown clears bits of the mode */
    if (lvl_os_fstat(save->fd, &now) == 0 && (now.st_uid != st->st_uid || now.st_gid != st->st_gid) &&
        fchown(save->fd, st->st_uid, st->st_gid) != 0)
        errno = 0;
    if (fchmod(save->fd, st->st_mode & 07777) != 0)
        return lvl_file_fail(why, "keep the mode");
#endif
    return LVL_OK;
}

lvl_status lvl_save_open(lvl_new_file **out, const char *path, size_t root, unsigned flags,
                         lvl_file_error *why)
{
    lvl_status status;
    os_stat st;

    *out = NULL;
    lvl_new_file *save = calloc(1, sizeof *save);
    if (!save)
        return LVL_ERR_MEMORY;
    *save = (lvl_new_file){.fd = -1, .flags = flags, .folder = -1};
    save->target = root ? lvl_save_follow_below(path, root, !(flags & LVL_SAVE_MANY), &save->folder)
                        : lvl_save_follow(path);
    if (save->target) {
        save->exists = lvl_os_stat_path(save->target, &st) == 0;
        status = open_file(save, &st, why);
        if (status == LVL_OK)
            status = keep_mode(save, &st, why);
    } else {
        status = lvl_file_fail(why, errno == EPERM ? "follow the link out of the folder" : "follow the link");
    }
    if (status == LVL_OK)
        *out = save;
    else
        lvl_save_abort(save);
    return status;
}

lvl_status lvl_save_write(lvl_new_file *save, const void *data, size_t len, lvl_file_error *why)
{
    const uint8_t *p = data;

    while (len) {
        long n = lvl_os_write(save->fd, p, len < MAX_IO ? len : MAX_IO);
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

void lvl_save_guard(lvl_new_file *save, const lvl_file_lock *lock)
{
    save->lock = lock;
}

static bool is_stale(const lvl_new_file *save)
{
    return !lvl_file_unchanged(save->lock, save->target);
}

lvl_status lvl_save_finish(lvl_new_file *save, bool later, bool *placed, lvl_file_error *why)
{
    lvl_status status = LVL_OK;

    if (!save->direct && !later && lvl_os_flush(save->fd) != 0)
        status = lvl_file_fail(why, "flush");
    if (status == LVL_OK && placed && is_stale(save))
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK && !save->direct && !save->temp &&
        !(placed ? name_new(save, placed) : take_temp_name(save, save->fd) >= 0))
        status = lvl_file_fail(why, "write");
    /* network file systems report errors on close */
    if (lvl_os_close(save->fd) != 0 && status == LVL_OK) {
        status = lvl_file_fail(why, "close");
        if (placed && *placed)
            lvl_os_unlink(save->target);
    }
    save->fd = -1;
    return status;
}

/* Whether the file is one of many new files that are flushed together. Another program may have created the
 * target meanwhile. */
static bool is_flushed_later(const lvl_new_file *save)
{
#ifdef _WIN32
    (void)save;
    return false;
#else
    os_stat st;

    return (save->flags & LVL_SAVE_TOGETHER) && !save->exists && lvl_os_stat_path(save->target, &st) != 0;
#endif
}

lvl_status lvl_save_commit(lvl_new_file *save, lvl_file_error *why)
{
    const bool later = is_flushed_later(save);
    lvl_status status = LVL_OK;
    bool placed = false;

    if (save->fd >= 0)
        status = lvl_save_finish(save, later, &placed, why);
    if (status == LVL_OK && save->temp) { /* else it already has the target's name, or is written directly */
        const bool replace = save->flags & LVL_SAVE_REPLACE;
        if (is_stale(save)) {
            status = LVL_ERR_FORMAT;
        } else if ((replace ? lvl_os_replace(save->temp, save->target)
                            : lvl_os_place(save->temp, save->target)) != 0) {
            status = lvl_file_fail(why, "write");
        } else {
            free(save->temp);
            save->temp = NULL;
        }
    }
    if (status == LVL_OK && !save->direct && !later)
        lvl_save_flush_folder(save->target);
    lvl_save_abort(save);
    return status;
}

void lvl_save_abort(lvl_new_file *save)
{
    if (!save)
        return;
    if (save->fd >= 0)
        lvl_os_close(save->fd);
    if (save->temp)
        lvl_os_unlink(save->temp);
    if (save->folder >= 0)
        lvl_os_close(save->folder);
    free(save->temp);
    free(save->target);
    free(save);
}

lvl_status lvl_file_save(const char *path, lvl_bytes bytes, unsigned flags, lvl_file_error *why)
{
    return lvl_file_save_below(path, 0, bytes, flags, NULL, why);
}

lvl_status lvl_save_by(const char *path, size_t root, unsigned flags, const lvl_file_lock *lock,
                       lvl_save_fn *write, void *user, lvl_file_error *why)
{
    lvl_file_lock *own = NULL;
    lvl_new_file *save = NULL;
    lvl_status status = LVL_OK;

    if (!lock && flags & LVL_SAVE_REPLACE)
        status = lvl_file_lock_take(&own, path, LVL_LOCK_WAIT, why);
    if (status == LVL_OK)
        status = lvl_save_open(&save, path, root, flags, why);
    if (save) {
        lvl_save_guard(save, lock ? lock : own);
        status = write(user, save, why);
        if (status == LVL_OK)
            status = lvl_save_commit(save, why);
        else
            lvl_save_abort(save);
    }
    lvl_file_lock_free(own);
    return status;
}

static lvl_status write_bytes(void *user, lvl_new_file *save, lvl_file_error *why)
{
    const lvl_bytes *bytes = user;

    return lvl_save_write(save, bytes->ptr, bytes->len, why);
}

lvl_status lvl_file_save_below(const char *path, size_t root, lvl_bytes bytes, unsigned flags,
                               const lvl_file_lock *lock, lvl_file_error *why)
{
    return lvl_save_by(path, root, flags, lock, write_bytes, &bytes, why);
}
