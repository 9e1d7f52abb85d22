/*
 * base/save_files.c: replaces several files and renames one, all or nothing.
 */
#include "base/save.h"

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
    return status == LVL_OK ? lvl_save_finish(p->save, false, NULL, why) : status;
}

static lvl_status rename_file(const char *from, const char *to, lvl_file_error *why)
{
    if ((lvl_file_same(from, to) ? lvl_os_replace(from, to) : lvl_os_place(from, to)) != 0)
        return lvl_file_fail(why, "rename");
    lvl_save_flush_folder(to);
    return LVL_OK;
}

/* Gives files that were replaced their old content back. LVL_ERR_LOSS if that fails: *at and `why` are of the
 * first file that it fails for. */
static lvl_status restore(const prepared *files, const lvl_file_change *changes, size_t count,
                          lvl_status status, const char **at, lvl_file_error *why)
{
    for (size_t i = 0; i < count; i++) {
        const lvl_bytes old = {files[i].old.data, files[i].old.len};
        lvl_file_error failure = {0};
        const lvl_status restored =
            lvl_file_save_below(changes[i].path, changes[i].root, old, LVL_SAVE_REPLACE, &failure);
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
        status = lvl_save_commit(files[done].save, why);
        files[done].save = NULL;
    }
    if (status == LVL_OK && from) {
        at = from;
        status = rename_file(from, to, why);
    }
    if (status != LVL_OK)
        status = restore(files, changes, done, status, &at, why);
    for (size_t i = 0; i < count && files; i++) {
        lvl_save_abort(files[i].save);
        lvl_buffer_free(&files[i].old);
    }
    free(files);
    if (failed)
        *failed = status == LVL_OK ? NULL : at;
    return status;
}
