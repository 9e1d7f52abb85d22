/*
 * container/container.c: the public functions of containers, and packing.
 */
#include "container/container.h"

#include "base/findings.h"
#include "base/text.h"
#include "base/work.h"

#include <stdlib.h>
#include <string.h>

lvl_status lvl_container_open(lvl_container **out, lvl_doc *doc)
{
    *out = NULL;
    return doc->format->calls->open_container ? doc->format->calls->open_container(doc, out)
                                              : LVL_ERR_UNSUPPORTED;
}

void lvl_container_close(lvl_container *container)
{
    if (!container)
        return;
    lvl_container_owned owned = container->owned;
    container->ops->close(container);
    lvl_doc_free(owned.doc);
    lvl_buffer_free(&owned.bytes);
    lvl_container_close(owned.outer);
}

lvl_doc *lvl_container_doc(const lvl_container *container)
{
    return container->ops->count == lvl_tree_count ? ((const lvl_tree *)(const void *)container)->doc : NULL;
}

lvl_status lvl_container_status(const lvl_container *container)
{
    return container->ops->status ? container->ops->status(container) : LVL_OK;
}

const char *lvl_container_unlisted(const lvl_container *container)
{
    return container->ops->unlisted ? container->ops->unlisted(container) : NULL;
}

size_t lvl_container_count(const lvl_container *container)
{
    return container->ops->count(container);
}

const lvl_entry *lvl_container_at(const lvl_container *container, size_t index)
{
    return container->ops->at(container, index);
}

const lvl_entry *lvl_container_find(const lvl_container *container, const char *path)
{
    return container->ops->find(container, path);
}

void lvl_container_list(const lvl_container *container, const char *dir, bool deep, lvl_entry_fn visit,
                        void *user)
{
    container->ops->list(container, dir, deep, visit, user);
}

lvl_status lvl_container_read(const lvl_container *container, const lvl_entry *entry, lvl_bytes *view,
                              lvl_buffer *storage, lvl_findings *findings)
{
    view->ptr = NULL;
    view->len = 0;
    storage->len = 0;
    storage->status = LVL_OK;
    if (entry->is_dir)
        return LVL_ERR_ARG;
    const lvl_status status = container->ops->read(container, entry, view, storage);
    const unsigned long long found = view->len, declared = entry->size;
    if (status == LVL_ERR_UNSUPPORTED) {
        const char *obstacle = container->ops->obstacle ? container->ops->obstacle(container, entry) : NULL;
        lvl_findings_add(findings, &lvl_doc_member_damaged, NULL, NULL, "\"%s\": %s", entry->path,
                         obstacle ? obstacle
                                  : "it is encrypted, or packed in a way that lvl does not know; unpack it "
                                    "with the program that made it");
        return LVL_ERR_FORMAT;
    }
    if (status == LVL_ERR_FORMAT || (status == LVL_ERR_LOSS && !found)) {
        lvl_findings_add(findings, &lvl_doc_member_damaged, NULL, NULL, "\"%s\": nothing of it could be read",
                         entry->path);
        return LVL_ERR_FORMAT;
    }
    if (status == LVL_ERR_LOSS && found < declared)
        lvl_findings_add(findings, &lvl_doc_member_damaged, NULL, NULL,
                         "\"%s\": only %llu of its %llu bytes could be read", entry->path, found, declared);
    else if (status == LVL_ERR_LOSS)
        lvl_findings_add(
            findings, &lvl_doc_member_damaged, NULL, NULL,
            "\"%s\": %llu bytes could be read; its end is missing, or its compressed stream or its "
            "checksum is wrong",
            entry->path, found);
    return status;
}

lvl_status lvl_container_put(lvl_container *container, const char *path, lvl_bytes bytes, int64_t time)
{
    return container->ops->put ? container->ops->put(container, path, bytes, time) : LVL_ERR_UNSUPPORTED;
}

lvl_status lvl_container_remove(lvl_container *container, const char *path)
{
    size_t at = 0;

    return container->ops->remove_all ? container->ops->remove_all(container, &path, 1, &at)
                                      : LVL_ERR_UNSUPPORTED;
}

lvl_status lvl_container_write(const lvl_container *c, lvl_buffer *out, lvl_findings *findings)
{
    const size_t before = out->len;
    const lvl_status status = c->ops->write ? c->ops->write(c, out) : LVL_ERR_UNSUPPORTED;

    if (status != LVL_OK || !lvl_container_doc(c))
        return status;
    return lvl_doc_report_signature(lvl_container_doc(c),
                                    (lvl_bytes){before ? out->data + before : out->data, out->len - before},
                                    findings);
}

/* ---- packing ----------------------------------------------------------------------------------------- */

static int by_path(const void *a, const void *b)
{
    const lvl_pack_item *x = a, *y = b;
    int d = lvl_path_compare(x->path, y->path);

    return d ? d : strcmp(x->path, y->path);
}

lvl_status lvl_container_pack(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                              const lvl_pack_item *items, size_t count)
{
    lvl_container *container = NULL;
    lvl_pack_item *sorted = NULL;
    lvl_doc *doc = NULL;
    lvl_status status;

    *out = NULL;
    if (!format->calls->open_container)
        return LVL_ERR_UNSUPPORTED;
    if (count > SIZE_MAX / sizeof *sorted || count > lvl_limits_of(ctx).items)
        return lvl_refuse(ctx, LVL_LIMIT_ITEMS, lvl_limits_of(ctx).items, count);
    status = lvl_doc_new(&doc, ctx, format);
    if (status == LVL_OK)
        status = format->calls->open_container(doc, &container);
    if (status != LVL_OK)
        goto out;
    status = LVL_ERR_MEMORY;
    sorted = malloc(count ? count * sizeof *sorted : 1);
    if (!sorted)
        goto out;
    if (count)
        memcpy(sorted, items, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_path);
    status = container->ops->pack ? LVL_OK : LVL_ERR_UNSUPPORTED;
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        if (!lvl_path_safe(sorted[i].path) ||
            (i && lvl_path_compare(sorted[i - 1].path, sorted[i].path) == 0))
            status = LVL_ERR_ARG;
    }
    if (status == LVL_OK)
        status = container->ops->pack(container, sorted, count);
    if (status == LVL_OK)
        status = lvl_doc_recompute_derived(doc);
out:
    free(sorted);
    lvl_container_close(container);
    if (status != LVL_OK)
        lvl_doc_free(doc);
    else
        *out = doc;
    return status;
}
