/*
 * container/path.c: paths of members, "ARCHIVE//MEMBER", and opening the archives in them.
 */
#include "base/file.h"
#include "base/text.h"

#include <lvl/container.h>

#include <stdlib.h>
#include <string.h>

lvl_status lvl_archive_open(const lvl_ctx *ctx, lvl_bytes bytes, const char *name, lvl_doc **doc,
                            lvl_container **out, bool *foreign)
{
    *out = NULL;
    lvl_status status = lvl_archive_is_foreign(bytes)
                            ? LVL_ERR_FOREIGN
                            : lvl_read(doc, ctx, NULL, bytes, name, LVL_READ_BORROW, NULL);
    *foreign = status == LVL_ERR_FOREIGN;
    if (*foreign)
        return lvl_container_archive(ctx, bytes, out);
    if (status == LVL_OK)
        status = lvl_container_open(*doc, out);
    if (status != LVL_OK) {
        lvl_doc_free(*doc);
        *doc = NULL;
    }
    return status;
}

lvl_status lvl_archive_part(const char *path, size_t *len)
{
    *len = 0;
    if (!strstr(path, "//"))
        return LVL_OK;
    char *part = lvl_text_copy(lvl_text_of(path));
    if (!part)
        return LVL_ERR_MEMORY;
    for (char *at = strstr(part, "//"); at && !*len; at = strstr(at + 1, "//")) {
        *at = 0;
        if (at > part && lvl_file_kind_of(part) == LVL_FILE_REGULAR)
            *len = (size_t)(at - part);
        *at = '/';
    }
    free(part);
    return LVL_OK;
}

static bool note_entry(void *user, const lvl_entry *entry)
{
    (void)entry;
    *(bool *)user = true;
    return false;
}

/* Whether there is anything below a folder, which an archive need not list by itself. */
static bool has_folder(const lvl_container *box, const char *path)
{
    bool found = false;

    lvl_container_list(box, path, true, note_entry, &found);
    return found;
}

/* Finds the member that a path begins with and "//" follows: *next. The name of a member may have "//", too.
 * *entry NULL: there is none. */
static lvl_status find_first(const lvl_container *box, const char *path, const char **next,
                             const lvl_entry **entry)
{
    *entry = NULL;
    for (*next = strstr(path, "//"); *next; *next = strstr(*next + 1, "//")) {
        char *part = lvl_text_copy((lvl_text){path, (size_t)(*next - path)});
        if (!part)
            return LVL_ERR_MEMORY;
        *entry = lvl_container_find(box, part);
        free(part);
        if (*entry && !(*entry)->is_dir)
            return LVL_OK;
    }
    *entry = NULL;
    return LVL_OK;
}

lvl_status lvl_archive_walk(const char *path, size_t len, lvl_archive_open_fn open, void *user,
                            lvl_archive_place *out, bool *missing)
{
    const lvl_entry *entry = NULL;

    *out = (lvl_archive_place){.len = len, .rest = path + len};
    *missing = false;
    for (;;) {
        char *part = lvl_text_copy((lvl_text){path, out->len});
        out->box = NULL;
        lvl_status status = part ? open(user, part, entry, &out->box) : LVL_ERR_MEMORY;
        free(part);
        if (status != LVL_OK)
            return status;
        out->rest = path + out->len;
        while (*out->rest == '/')
            out->rest++;
        out->entry = *out->rest ? lvl_container_find(out->box, out->rest) : NULL;
        if (out->entry || !*out->rest)
            return LVL_OK;
        const char *next;
        status = find_first(out->box, out->rest, &next, &entry);
        if (status != LVL_OK)
            return status;
        if (!entry) {
            *missing = !has_folder(out->box, out->rest);
            return *missing ? LVL_ERR_MISSING : LVL_OK;
        }
        out->len = (size_t)(next - path);
    }
}
