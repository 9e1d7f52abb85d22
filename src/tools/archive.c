/*
 * tools/archive.c: paths of members, "ARCHIVE//MEMBER", and opening the archives in them; many files of an
 * archive at once.
 */
#include "base/archive_kinds.h"
#include "base/buffer.h"
#include "base/load.h"
#include "base/text.h"
#include "container/container.h"
#include "tools/archive.h"

#include <lvl/container.h>

#include <stdlib.h>
#include <string.h>

lvl_status lvl_archive_open(lvl_container **out, lvl_doc **doc, const lvl_ctx *ctx, lvl_bytes bytes,
                            const char *name, bool *foreign, lvl_findings *findings)
{
    *out = NULL;
    *doc = NULL;
    lvl_status status = lvl_archive_is_foreign(bytes)
                            ? LVL_ERR_FOREIGN
                            : lvl_read(doc, ctx, NULL, bytes, name, LVL_READ_BORROW, findings);
    *foreign = status == LVL_ERR_FOREIGN;
    if (*foreign)
        return lvl_container_archive(ctx, bytes, name, out);
    if (status == LVL_OK)
        status = lvl_container_open(out, *doc);
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
static bool has_folder(const lvl_container *container, const char *path)
{
    bool found = false;

    lvl_container_list(container, path, true, note_entry, &found);
    return found;
}

/* Finds the member that a path begins with and "//" follows: *next. The name of a member may have "//", too.
 * *entry NULL: there is none. */
static lvl_status find_first(const lvl_container *container, const char *path, const char **next,
                             const lvl_entry **entry)
{
    *entry = NULL;
    for (*next = strstr(path, "//"); *next; *next = strstr(*next + 1, "//")) {
        char *part = lvl_text_copy((lvl_text){path, (size_t)(*next - path)});
        if (!part)
            return LVL_ERR_MEMORY;
        *entry = lvl_container_find(container, part);
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
        out->container = NULL;
        lvl_status status = part ? open(user, part, entry, &out->container) : LVL_ERR_MEMORY;
        free(part);
        if (status != LVL_OK)
            return status;
        out->rest = path + out->len;
        while (*out->rest == '/')
            out->rest++;
        out->entry = *out->rest ? lvl_container_find(out->container, out->rest) : NULL;
        if (out->entry || !*out->rest)
            return LVL_OK;
        const char *next;
        status = find_first(out->container, out->rest, &next, &entry);
        if (status != LVL_OK)
            return status;
        if (!entry) {
            *missing = !has_folder(out->container, out->rest);
            return *missing ? LVL_ERR_MISSING : LVL_OK;
        }
        out->len = (size_t)(next - path);
    }
}

/* ---- containers that own what they are made of ------------------------------------------------------- */

lvl_status lvl_container_from(lvl_container **out, const lvl_ctx *ctx, lvl_bytes bytes, const char *name,
                              lvl_findings *findings)
{
    bool foreign;
    lvl_doc *doc;
    const lvl_status status = lvl_archive_open(out, &doc, ctx, bytes, name, &foreign, findings);

    if (status == LVL_OK)
        (*out)->owned.doc = doc;
    return status;
}

typedef struct loading {
    const lvl_ctx *ctx;
    lvl_findings *findings;
    lvl_file_error why;
    lvl_container *last; /* the innermost, which owns those around it */
} loading;

/* Opens a file on disk, or an entry of the last archive. */
static lvl_status load_one(loading *l, const char *name, const lvl_entry *entry)
{
    lvl_buffer file = {0};
    lvl_bytes bytes = {NULL, 0};
    lvl_container *container = NULL;
    lvl_status status;

    if (entry) {
        status = lvl_container_read(l->last, entry, &bytes, &file, l->findings);
    } else {
        status = lvl_file_read(&file, name, lvl_limits_of(l->ctx).input_bytes, &l->why);
        bytes = lvl_buffer_bytes(&file);
    }
    if (status == LVL_OK)
        status = lvl_container_from(&container, l->ctx, bytes, lvl_file_name(name), l->findings);
    if (status != LVL_OK) {
        lvl_buffer_free(&file);
        return status;
    }
    container->owned.bytes = file;
    container->owned.outer = l->last;
    l->last = container;
    return LVL_OK;
}

static lvl_status load_part(void *user, const char *name, const lvl_entry *entry, const lvl_container **out)
{
    loading *l = user;
    const lvl_status status = load_one(l, name, entry);

    *out = l->last;
    return status;
}

lvl_status lvl_container_load(lvl_container **out, const lvl_ctx *ctx, const char *path,
                              lvl_findings *findings)
{
    loading l = {.ctx = ctx, .findings = findings};
    lvl_archive_place place;
    bool missing;
    size_t len;

    *out = NULL;
    if (lvl_file_kind_of(path) == LVL_FILE_FOLDER)
        return lvl_container_folder(ctx, path, out);
    lvl_status status = lvl_archive_part(path, &len);
    if (status == LVL_OK && !len)
        status = load_one(&l, path, NULL);
    else if (status == LVL_OK)
        status = lvl_archive_walk(path, len, load_part, &l, &place, &missing);
    if (status == LVL_OK && len && *place.rest)
        status = place.entry && !place.entry->is_dir ? load_one(&l, path, place.entry) : LVL_ERR_UNSUPPORTED;
    if (status == LVL_OK)
        *out = l.last;
    else
        lvl_container_close(l.last);
    return lvl_file_errno(status, &l.why);
}

/* ---- many files at once ------------------------------------------------------------------------------ */

lvl_status lvl_container_put_all(lvl_container *container, const lvl_pack_item *items, size_t count,
                                 size_t *done)
{
    lvl_status status = container->ops->put ? LVL_OK : LVL_ERR_UNSUPPORTED;
    size_t i = 0;

    if (container->ops->put_all) {
        status = container->ops->put_all(container, items, count, &i);
    } else {
        for (; i < count && status == LVL_OK; i += status == LVL_OK) {
            if (!items[i].is_dir)
                status = container->ops->put(container, items[i].path, items[i].bytes, items[i].time);
        }
    }
    if (done)
        *done = i;
    return status;
}

lvl_status lvl_container_remove_all(lvl_container *container, const char *const *paths, size_t count,
                                    size_t *failed)
{
    size_t at = 0;
    const lvl_status status = !container->ops->remove_all ? LVL_ERR_UNSUPPORTED
                              : count ? container->ops->remove_all(container, paths, count, &at)
                                      : LVL_OK;

    if (failed)
        *failed = at;
    return status;
}

lvl_status lvl_container_place(const lvl_container *container, const char *path, lvl_bytes bytes,
                               lvl_buffer *out)
{
    if (container->ops->place)
        return container->ops->place(container, path, bytes, out);
    const lvl_entry *entry = container->ops->find(container, path);
    lvl_buffer_str(out, entry ? entry->path : path);
    lvl_buffer_u8(out, 0);
    return out->status;
}

lvl_status lvl_container_dedupe(lvl_container *container, lvl_findings *log)
{
    return container->ops->dedupe ? container->ops->dedupe(container, log) : LVL_ERR_UNSUPPORTED;
}
