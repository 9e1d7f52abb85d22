/*
 * wap32/rez/moved.c: archives in which bytes before the root directory are missing or duplicated.
 */
#include "wap32/formats.h"
#include "wap32/rez/read.h"

#include "base/arena.h"
#include "base/work.h"

#include <stdlib.h>

lvl_status lvl_rez_find_root(lvl_rez_reader *r)
{
    lvl_rez *rez = r->doc->root;
    const size_t len = r->doc->input.len;

    if (lvl_rez_is_body(r, rez->root_pos, rez->root_size) || rez->root_size > len || len > UINT32_MAX ||
        !lvl_rez_is_body(r, (int64_t)(len - rez->root_size), rez->root_size))
        return LVL_OK;
    r->doc->state = lvl_arena_copy(&r->doc->arena, &rez->root_pos, sizeof rez->root_pos);
    r->shift = (int64_t)(len - rez->root_size) - rez->root_pos;
    rez->root_pos = (uint32_t)(len - rez->root_size);
    return r->doc->state ? LVL_OK : LVL_ERR_MEMORY;
}

/* A file whose payload may have moved. */
typedef struct moved_file {
    uint32_t dir, index; /* directory and index of its entry */
    uint32_t pos;
    /* 1: bytes of the kind that its name says are found at the moved position; -1: at the position in its
     * entry */
    int8_t gain;
} moved_file;

static int by_pos(const void *a, const void *b)
{
    const moved_file *x = a, *y = b;

    return x->pos != y->pos ? (x->pos < y->pos ? -1 : 1) : 0;
}

/* Whether the bytes at that position are of the kind that the entry's extension says. */
static bool is_of_kind(const lvl_rez_reader *r, const lvl_rez_entry *e, int64_t pos)
{
    const lvl_bytes in = r->doc->input;
    char name[8] = "x.";

    if (pos < LVL_REZ_HEADER_SIZE || (uint64_t)pos >= in.len)
        return false;
    memcpy(name + 2, e->type.ptr, e->type.len);
    const uint64_t left = in.len - (uint64_t)pos;
    const lvl_bytes bytes = {in.ptr + pos, (size_t)(e->size < left ? e->size : left)};
    const lvl_format *format = lvl_formats_probe_file(r->doc->ctx, bytes, name, NULL);
    return format && lvl_format_has_extension(format, e->type);
}

/* The first moved file, in a list sorted by position: from this file on, most files have bytes of their kind
 * at the moved position; before it, most at the position in their entries. */
static size_t find_break(const moved_file *files, size_t count)
{
    int64_t gain = 0, best = 0;
    size_t first = count;

    for (size_t i = count; i-- > 0;) {
        gain += files[i].gain;
        if (gain > best) {
            best = gain;
            first = i;
        }
    }
    return first;
}

/* Lists the files of all directories. NULL: out of memory. */
static moved_file *list_files(const lvl_rez_reader *r, size_t *count)
{
    moved_file *files = malloc(((size_t)r->items + 1) * sizeof *files);

    *count = 0;
    for (uint32_t k = 0; files && k < r->dir_count; k++) {
        const lvl_rez_dir dir = lvl_rez_dir_at(r, k);
        for (uint32_t i = 0; i < *dir.count; i++) {
            const lvl_rez_entry *e = &(*dir.entries)[i];
            if (e->kind != LVL_REZ_DIR)
                files[(*count)++] = (moved_file){k, i, e->pos, 0};
        }
    }
    if (*count)
        qsort(files, *count, sizeof *files, by_pos);
    return files;
}

lvl_status lvl_rez_read_moved(lvl_rez_reader *r)
{
    enum { PROBE = 8192 /* steps of work for two probes */ };
    size_t count;
    moved_file *files = list_files(r, &count);
    lvl_status status = files ? lvl_charge(r->doc->ctx, (uint64_t)count * PROBE) : LVL_ERR_MEMORY;

    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_rez_entry *e = &(*lvl_rez_dir_at(r, files[i].dir).entries)[files[i].index];
        files[i].gain = (int8_t)(is_of_kind(r, e, e->pos + r->shift) - is_of_kind(r, e, e->pos));
    }
    const size_t first = status == LVL_OK ? find_break(files, count) : 0;
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_rez_dir dir = lvl_rez_dir_at(r, files[i].dir);
        lvl_rez_entry *e = &(*dir.entries)[files[i].index];
        if (i >= first)
            e->pos = (uint32_t)(e->pos + r->shift);
        status = lvl_rez_read_payload(
            r, e, lvl_where_to(lvl_rez_where_of(r, files[i].dir), dir.list, files[i].index));
    }
    free(files);
    if (status == LVL_OK) {
        const lvl_rez *rez = r->doc->root;
        const uint32_t *declared = r->doc->state;
        lvl_report_at(r->findings, &lvl_rez_findings[LVL_REZ_ROOT_MOVED],
                      lvl_where_member(lvl_where_root(), &lvl_rez_table, offsetof(lvl_rez, root_pos)),
                      "expected at 0x%lx, found at 0x%lx; %zu of %zu files moved, too",
                      (unsigned long)*declared, (unsigned long)rez->root_pos, count - first, count);
    }
    return status;
}

lvl_status lvl_rez_keep_declared(lvl_doc *doc)
{
    const lvl_bytes in = doc->input;
    lvl_rez *rez = doc->root;
    lvl_rez_layout l;

    lvl_status status = lvl_rez_layout_make(doc, false, &l);
    if (status != LVL_OK)
        return status;
    uint32_t *declared = lvl_arena_array(&doc->arena, l.count, sizeof *declared);
    if (declared) {
        declared[0] = *(const uint32_t *)doc->state;
        rez->declared = declared;
        rez->declared_count = (uint32_t)l.count;
    }
    for (size_t i = 0; declared && i < l.count; i++) {
        const lvl_rez_node *node = &l.nodes[i];
        const uint32_t pos = node->entry ? node->entry->pos : rez->root_pos;
        const lvl_rez_dir dir = node->entry ? lvl_rez_dir_of(node->entry) : l.root;
        lvl_rez_raw_entry raw;
        if (!lvl_rez_is_dir(node) || pos > in.len)
            continue;
        lvl_cursor c = lvl_cursor_of((lvl_bytes){in.ptr + pos, in.len - pos});
        for (uint32_t k = 0; k < *dir.count && lvl_rez_take_entry(&c, &raw); k++)
            declared[node->first + k] = lvl_load_u32le(raw.fixed + LVL_FIELD(lvl_rez_entry, pos)->disk);
    }
    lvl_rez_layout_free(&l);
    return declared ? LVL_OK : LVL_ERR_MEMORY;
}
