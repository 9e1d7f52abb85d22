/*
 * base/files.c: files that a program holds in place of the system's.
 */
#include "base/file.h"

#include <string.h>

lvl_file_kind lvl_files_kind(const lvl_files *files, const char *path)
{
    return files ? files->kind(files->user, path) : lvl_file_kind_of(path);
}

lvl_status lvl_files_read(const lvl_files *files, lvl_buffer *out, const char *path, uint64_t max)
{
    const size_t before = out->len;

    if (!files)
        return lvl_file_read(out, path, max, NULL);
    lvl_status status = files->read(files->user, path, out);
    if (status == LVL_OK)
        status = out->status;
    return status == LVL_OK && max && out->len - before > max ? LVL_ERR_LIMIT : status;
}

lvl_status lvl_files_list(const lvl_files *files, lvl_file_list *out, const char *path)
{
    lvl_buffer names = {0};

    if (!files)
        return lvl_folder_list(out, path, NULL);
    memset(out, 0, sizeof *out);
    lvl_status status = files->list(files->user, path, &names);
    lvl_buffer_u8(&names, 0); /* where the last name was not ended */
    if (status == LVL_OK)
        status = names.status;
    for (size_t at = 0; status == LVL_OK && at < names.len;) {
        const char *name = (const char *)names.data + at;
        const size_t size = strlen(name) + 1;
        at += size;
        if (size == 1 || *name == '.' || strchr(name, '/'))
            continue;
        if (!lvl_file_list_add(out, name))
            status = LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&names);
    return lvl_file_list_end(out, status);
}
