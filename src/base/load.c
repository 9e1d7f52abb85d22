/*
 * base/load.c: documents from files and into files, for programs that link the library.
 */
#include "base/buffer.h"
#include "base/file.h"
#include "base/format.h"

#include <errno.h>
#include <string.h>

/* The system's error number is the reason. */
static lvl_status reported(lvl_status status, const lvl_file_error *why)
{
    if (status != LVL_OK && why->step)
        errno = why->code;
    return status;
}

static const char *last_part(const char *path)
{
    const char *last = path;

    for (const char *p = path; *p; p++) {
#ifdef _WIN32
        if (*p == '/' || *p == '\\' || *p == ':')
#else
        if (*p == '/')
#endif
            last = p + 1;
    }
    return last;
}

lvl_status lvl_load(lvl_doc **out, const lvl_ctx *ctx, const char *path, lvl_findings *findings)
{
    lvl_file_error why = {0};
    lvl_buffer file = {0};

    const uint64_t most = lvl_limits_of(ctx).input_bytes;
    lvl_status status = reported(lvl_file_read(&file, path, most, &why), &why);
    *out = NULL;
    if (status == LVL_OK)
        status = lvl_read(out, ctx, NULL, lvl_buffer_bytes(&file), last_part(path), 0, findings);
    else if (status == LVL_ERR_LIMIT) {
        const lvl_usage used = {.limit = LVL_LIMIT_INPUT, .allowed = most};
        lvl_usage_report(&used, ctx, findings);
    }
    lvl_buffer_free(&file);
    return status;
}

lvl_status lvl_doc_save(const lvl_doc *doc, const char *path, lvl_findings *findings)
{
    lvl_file_error why = {0};
    lvl_buffer file = {0};

    lvl_status status = lvl_doc_write_with_findings(doc, &file, findings);
    if (status == LVL_OK)
        status = reported(lvl_file_save(path, lvl_buffer_bytes(&file), LVL_SAVE_REPLACE, &why), &why);
    lvl_buffer_free(&file);
    return status;
}
