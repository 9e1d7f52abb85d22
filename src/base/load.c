/*
 * base/load.c: loads documents from files and saves them, for programs that link the library.
 */
#include "base/buffer.h"
#include "base/file.h"
#include "base/format.h"

#include <errno.h>
#include <string.h>

/* Sets errno to the error number of the step that failed. */
static lvl_status with_errno(lvl_status status, const lvl_file_error *why)
{
    if (status != LVL_OK && why->step)
        errno = why->code;
    return status;
}

lvl_status lvl_load(lvl_doc **out, const lvl_ctx *ctx, const char *path, lvl_findings *findings)
{
    /* the document keeps the file's bytes, unless it takes its memory from elsewhere */
    const unsigned flags = ctx->allocator.alloc ? 0 : LVL_READ_BORROW;
    lvl_file_error why = {0};
    lvl_buffer file = {0};

    const uint64_t most = lvl_limits_of(ctx).input_bytes;
    lvl_status status = with_errno(lvl_file_read(&file, path, most, &why), &why);
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
    return status;
}

lvl_status lvl_file_put(const char *path, lvl_bytes bytes)
{
    lvl_file_error why = {0};

    return with_errno(lvl_file_save(path, bytes, LVL_SAVE_REPLACE, &why), &why);
}

lvl_status lvl_doc_save(const lvl_doc *doc, const char *path, lvl_findings *findings)
{
    lvl_buffer file = {0};

    lvl_status status = lvl_doc_write_with_findings(doc, &file, findings);
    if (status == LVL_OK)
        status = lvl_file_put(path, lvl_buffer_bytes(&file));
    lvl_buffer_free(&file);
    return status;
}
