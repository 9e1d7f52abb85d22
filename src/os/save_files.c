/*
 * os/save_files.c: replaces several files and renames one, all or nothing.
 */
#include "os/save.h"

/* One of several files: its new content, in a file that does not have its final name yet, and its old
 * content. */
typedef struct prepared {
    lvl_new_file *save;
    lvl_buffer old;
} prepared;

static lvl_status prepare(prepared *p, const lvl_file_change *change, lvl_file_error *why)
{
    lvl_status status = lvl_file_read(&p->old, change->path, 0, why);

    if (status == LVL_OK && !lvl_file_unchanged(change->lock, change->path))
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK)
        status = lvl_save_open(&p->save, change->path, change->root, LVL_SAVE_REPLACE | LVL_SAVE_MANY, why);
    if (!p->save)
        return status;
    lvl_save_guard(p->save, change->lock);
    status = lvl_save_write(p->save, change->bytes.ptr, change->bytes.len, why);
    return status == LVL_OK ? lvl_save_finish(p->save, false, NULL, why) : status;
}

/* Puts the new file in the place of the old one. */
static lvl_status commit(prepared *file, const lvl_file_change *change, lvl_file_error *why)
{
    lvl_file_lock *lock = NULL;

    lvl_status status = lvl_file_lock_is_eased(change->lock)
                            ? lvl_file_lock_take(&lock, change->path, LVL_LOCK_WAIT, why)
                            : LVL_OK;
    if (status == LVL_OK) {
        status = lvl_save_commit(file->save, why);
        file->save = NULL;
    }
    lvl_file_lock_free(lock);
    return status;
}

static lvl_status rename_file(const char *from, const char *to, lvl_file_error *why)
{
    if ((lvl_file_same(from, to) ? lvl_os_replace(from, to) : lvl_os_place(from, to)) != 0)
        return lvl_file_fail(why, "rename");
    lvl_save_flush_folder(to);
    return LVL_OK;
}

/* Locks a file with its new content. The caller's lock is of the old one. On Windows it is of the path: it
 * still excludes other programs, and a second lock in this one would wait for it. */
static lvl_status lock_new(lvl_file_lock **lock, const lvl_file_change *change, lvl_file_error *why)
{
#ifdef _WIN32
    if (change->lock && !lvl_file_lock_is_eased(change->lock))
        return lvl_file_lock_none(lock, change->path);
#endif
    return lvl_file_lock_take(lock, change->path, LVL_LOCK_WAIT, why);
}

/* Gives a file its old content back, unless another program has changed the new one. */
static lvl_status restore_one(const prepared *file, const lvl_file_change *change, lvl_file_error *why)
{
    const lvl_bytes old = {file->old.data, file->old.len};
    lvl_file_lock *lock = NULL;
    lvl_buffer now = {0};

    lvl_status status = lock_new(&lock, change, why);
    if (status == LVL_OK)
        status = lvl_file_read(&now, change->path, 0, why);
    if (status == LVL_OK &&
        (now.len != change->bytes.len || (now.len && memcmp(now.data, change->bytes.ptr, now.len) != 0)))
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK)
        status = lvl_file_save_below(change->path, change->root, old, LVL_SAVE_REPLACE, lock, why);
    lvl_file_lock_free(lock);
    free(now.data);
    return status;
}

/* Restores the old content of replaced files. LVL_ERR_LOSS if that fails: *at and `why` are those of the
 * first file that could not be restored. */
static lvl_status restore(const prepared *files, const lvl_file_change *changes, size_t count,
                          lvl_status status, const char **at, lvl_file_error *why)
{
    for (size_t i = 0; i < count; i++) {
        lvl_file_error failure = {0};
        const lvl_status restored = restore_one(&files[i], &changes[i], &failure);
        if (restored == LVL_OK || status == LVL_ERR_LOSS)
            continue;
        status = LVL_ERR_LOSS;
        *at = changes[i].path;
        if (why)
            *why = failure;
    }
    return status;
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
        status = commit(&files[done], &changes[done], why);
    }
    if (status == LVL_OK && from) {
        at = from;
        status = rename_file(from, to, why);
    }
    if (status != LVL_OK)
        status = restore(files, changes, done, status, &at, why);
    for (size_t i = 0; i < count && files; i++) {
        lvl_save_abort(files[i].save);
        free(files[i].old.data);
    }
    free(files);
    if (failed)
        *failed = status == LVL_OK ? NULL : at;
    return status;
}
