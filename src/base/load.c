/*
 * base/load.c: loads documents from files, for programs that link the library.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "base/load.h"

#include <errno.h>
#include <string.h>

lvl_status lvl_file_errno(lvl_status status, const lvl_file_error *why)
{
    if (status != LVL_OK)
        errno = why->step ? why->code : 0;
    return status;
}

lvl_status lvl_load(lvl_doc **out, const lvl_ctx *ctx, const char *path, lvl_findings *findings)
{
    /* the document takes over the file's bytes, unless it has its own allocator */
    const unsigned flags = ctx->allocator.alloc ? 0 : LVL_READ_BORROW;
    lvl_file_error why = {0};
    lvl_buffer file = {0};

    const uint64_t most = lvl_limits_of(ctx).input_bytes;
    lvl_file_seen *seen;
    lvl_status status = lvl_file_seen_new(&seen, path);
    if (status == LVL_OK)
        status = lvl_file_read(&file, path, most, &why);
    *out = NULL;
    if (status == LVL_OK)
        status = lvl_read(out, ctx, NULL, lvl_buffer_bytes(&file), lvl_file_name(path), flags, findings);
    else if (status == LVL_ERR_LIMIT) {
        const lvl_usage used = {.limit = LVL_LIMIT_INPUT, .allowed = most};
        lvl_usage_report(&used, ctx, findings);
    }
    if (status == LVL_OK && flags && (*out)->input.ptr == file.data)
        (*out)->input_owned = file.data;
    else
        lvl_buffer_free(&file);
    if (status == LVL_OK)
        (*out)->seen = seen;
    else
        lvl_file_seen_free(seen);
    return lvl_file_errno(status, &why);
}

typedef struct file_writer {
    lvl_writer writer;
    lvl_status (*write)(void *user, lvl_writer *out);
    void *user;
    lvl_new_file *save;
    lvl_file_error *why;
} file_writer;

static lvl_status write_to_file(lvl_writer *writer, const void *data, size_t len)
{
    file_writer *file = (file_writer *)(void *)writer;

    return lvl_save_write(file->save, data, len, file->why);
}

static lvl_status write_by(void *user, lvl_new_file *save, lvl_file_error *why)
{
    file_writer *file = user;

    file->save = save;
    file->why = why;
    return file->write(file->user, &file->writer);
}

lvl_status lvl_file_put_by(const char *path, lvl_status (*write)(void *user, lvl_writer *out), void *user)
{
    file_writer file = {.writer = {write_to_file}, .write = write, .user = user};
    lvl_file_error why = {0};

    return lvl_file_errno(lvl_save_by(path, 0, LVL_SAVE_REPLACE, NULL, write_by, &file, &why), &why);
}
