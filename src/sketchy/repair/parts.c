/*
 * sketchy/repair/parts.c: see sketchy/repair/parts.h.
 *
 * The document was recovered on reading, so a repair only decides what of the file may still be copied:
 *
 *   1. The document is read again as it would be written. What the reader finds is logged; bytes that belong
 *      to no part are attached as files, and a damaged zip keeps only the order of its members.
 *   2. Repairs replace parts of the document, and name the sources of these.
 *   3. Such sources are dropped from the members and from the JSON text, values of the wrong kind are
 *      replaced in that text, and the writer makes the rest.
 */
#include "sketchy/repair/parts.h"

#include "base/buffer.h"
#include "base/text.h"
#include "codec/tokens.h"
#include "sketchy/zip/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80 };

static const lvl_bytes no_bytes = {NULL, 0};

/* ---- findings of the reader -------------------------------------------------------------------------- */

static lvl_status reread(lvl_repairing *m)
{
    lvl_ctx ctx;
    lvl_findings *found;
    const lvl_status status = lvl_doc_reread_findings(m->doc, &ctx, &found, NULL);

    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (f->def < lvl_sketchy_findings || f->def >= lvl_sketchy_findings + LVL_SKETCHY_F_COUNT)
            continue;
        const size_t id = (size_t)(f->def - lvl_sketchy_findings);
        if (id == LVL_SKETCHY_F_CHUNK_KEY)
            continue;
        m->found[id] = true;
        if (f->def->repair)
            lvl_findings_add(m->repairs->log, f->def, &f->where, &f->position, "%s: %s", f->text,
                             f->def->repair);
    }
    lvl_findings_free(found);
    return status;
}

static bool is_zip_damaged(const lvl_repairing *m)
{
    return m->found[LVL_SKETCHY_F_ZIP_DIRECTORY] || m->found[LVL_SKETCHY_F_ZIP_MEMBER] ||
           m->found[LVL_SKETCHY_F_ZIP_LOST] || m->found[LVL_SKETCHY_F_ZIP_DOUBLE] ||
           m->found[LVL_SKETCHY_F_ZIP_PREFIX];
}

static bool has_trailing(const lvl_repairing *m)
{
    return m->found[LVL_SKETCHY_F_REFUSED] || m->found[LVL_SKETCHY_F_TRAILING];
}

static bool is_text_damaged(const lvl_repairing *m)
{
    return m->found[LVL_SKETCHY_F_JSON] || m->found[LVL_SKETCHY_F_TYPE];
}

/* Whether any of these findings changes how the file is written. */
static bool changes_file(const lvl_repairing *m)
{
    return is_zip_damaged(m) || is_text_damaged(m) || has_trailing(m) || m->found[LVL_SKETCHY_F_LAYERS] ||
           m->found[LVL_SKETCHY_F_NO_DOCUMENT] || m->found[LVL_SKETCHY_F_LEAD] ||
           m->found[LVL_SKETCHY_F_GZIP_CUT] || m->found[LVL_SKETCHY_F_GZIP_BAD];
}

/* ---- bytes that belong to no part -------------------------------------------------------------------- */

/* Attaches bytes as a file, so that they are not lost. */
static lvl_status attach(lvl_repairing *m, lvl_bytes bytes)
{
    const lvl_file_list *files = &m->parts.files;
    char path[48];

    if (lvl_sketchy_is_padding(bytes))
        return LVL_OK;
    const lvl_status status = lvl_list_insert(m->doc, m->doc->root, files->field, *files->count, 1);
    if (status != LVL_OK)
        return status;
    snprintf(path, sizeof path, m->attached ? "%strailing-%lu" : "%strailing", LVL_RECOVERED_FOLDER,
             m->attached + 1);
    m->attached++;
    lvl_sketchy_file *file = &(*files->items)[*files->count - 1];
    file->path = lvl_doc_text(m->doc, lvl_text_of(path)); /* lvl_repair_names makes it unique */
    file->data = bytes;
    return file->path.ptr ? LVL_OK : LVL_ERR_MEMORY;
}

/* Drops bytes of a zip that belong to no member, and attaches them unless they are left of a directory. */
static lvl_status drop_unowned(lvl_repairing *m, lvl_bytes *from)
{
    const lvl_bytes bytes = *from;

    *from = no_bytes;
    return lvl_sketchy_is_unowned(bytes) ? attach(m, bytes) : LVL_OK;
}

/* Drops the bytes after a zip, but for its comment, which is kept with the end record before it. */
static lvl_status drop_after_zip(lvl_repairing *m, lvl_bytes *after)
{
    enum { END_SIZE = 22 };
    const bool comment = after->len >= END_SIZE && !memcmp(after->ptr, "PK\5\6", 4);
    const size_t end = comment ? END_SIZE + (size_t)(after->ptr[20] | after->ptr[21] << 8) : 0;

    if (end >= after->len)
        return LVL_OK;
    lvl_bytes rest = {after->ptr + end, after->len - end};
    *after = comment ? (lvl_bytes){after->ptr, end} : no_bytes;
    return drop_unowned(m, &rest);
}

static lvl_status drop_after_gzip(lvl_repairing *m, lvl_bytes *after)
{
    const lvl_bytes bytes = *after;

    *after = no_bytes;
    return attach(m, bytes);
}

static bool is_gzip(const lvl_doc *doc)
{
    return doc->format->table == &lvl_sketchy_table &&
           ((const lvl_sketchy *)doc->root)->generation == LVL_SKETCHY_V2;
}

static lvl_status drop_outside(lvl_repairing *m)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < *m->parts.member_count && status == LVL_OK; i++)
        status = drop_unowned(m, &(*m->parts.members)[i].before);
    if (status == LVL_OK)
        status = drop_unowned(m, m->parts.gap);
    if (status != LVL_OK)
        return status;
    return is_gzip(m->doc) ? drop_after_gzip(m, m->parts.after) : drop_after_zip(m, m->parts.after);
}

/* Cuts bytes after the JSON document off its text, and attaches them. */
static lvl_status cut_trailing(lvl_repairing *m)
{
    lvl_text *json = m->parts.json;
    size_t used;

    if (!lvl_tokens_whole(*json, &used))
        return LVL_OK;
    while (used < json->len && memchr(" \t\r\n", json->ptr[used], 4))
        used++;
    const lvl_bytes rest = {(const uint8_t *)json->ptr + used, json->len - used};
    json->len = used;
    return attach(m, rest);
}

/* ---- the beginning ----------------------------------------------------------------------------------- */

/* Drops the spelling of a zip's members, but for their order. */
static lvl_status keep_order_only(lvl_repairing *m)
{
    const uint32_t count = *m->parts.member_count;
    lvl_zip_spelling *list = lvl_arena_array(&m->doc->arena, (size_t)count + 1, sizeof *list);

    if (!list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        list[i].name = (*m->parts.members)[i].name;
    *m->parts.members = list;
    return LVL_OK;
}

lvl_status lvl_repairing_begin(lvl_repairing *m, lvl_doc *doc, lvl_repairs *repairs)
{
    memset(m, 0, sizeof *m);
    m->doc = doc;
    m->parts = lvl_sketchy_archive(doc);
    m->repairs = repairs;
    lvl_status status = reread(m);
    if (status == LVL_OK && has_trailing(m))
        status = cut_trailing(m);
    if (status == LVL_OK && (has_trailing(m) || is_zip_damaged(m)))
        status = drop_outside(m);
    if (status == LVL_OK && is_zip_damaged(m))
        status = keep_order_only(m);
    if (m->found[LVL_SKETCHY_F_NO_DOCUMENT])
        *m->parts.json = (lvl_text){NULL, 0};
    m->changed = changes_file(m);
    return status;
}

/* ---- replaced parts ---------------------------------------------------------------------------------- */

lvl_status lvl_repairing_replace(lvl_repairing *m, uint32_t source)
{
    const lvl_source *s = lvl_sketchy_source(m->doc, source);

    m->changed = true;
    if (!s || s->kind == LVL_SOURCE_BASE64)
        return LVL_OK;
    const lvl_bytes piece = s->kind == LVL_SOURCE_MEMBER
                                ? s->member.packed
                                : (lvl_bytes){(const uint8_t *)s->text.ptr, s->text.len};
    lvl_buffer_add(&m->replaced, &piece, sizeof piece);
    return m->replaced.status;
}

static int by_address(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const lvl_bytes *)a)->ptr, y = (uintptr_t)((const lvl_bytes *)b)->ptr;

    return (x > y) - (x < y);
}

static size_t replaced_count(const lvl_repairing *m)
{
    return m->replaced.len / sizeof(lvl_bytes);
}

static bool is_replaced(const lvl_repairing *m, const lvl_bytes *packed)
{
    return packed->ptr &&
           bsearch(packed, m->replaced.data, replaced_count(m), sizeof *packed, by_address) != NULL;
}

/* Drops the bytes of replaced members. */
static void drop_members(lvl_repairing *m)
{
    const uint32_t count = *m->parts.member_count;

    for (uint32_t i = 0; i < count; i++) {
        lvl_zip_spelling *sp = &(*m->parts.members)[i];
        if (!is_replaced(m, &sp->packed))
            continue;
        sp->packed = sp->local = sp->after = sp->central = no_bytes;
        if (i + 1 < count) /* with a wrong size the rest of a member precedes the next one */
            sp[1].before = no_bytes;
    }
}

/* Sets the JSON text to a copy of what is in the buffer. */
static lvl_status set_json(lvl_repairing *m, const lvl_buffer *from)
{
    const lvl_text text =
        from->status == LVL_OK ? lvl_doc_text(m->doc, lvl_buffer_text(from)) : (lvl_text){NULL, 0};

    if (!text.ptr)
        return from->status == LVL_OK ? LVL_ERR_MEMORY : from->status;
    *m->parts.json = text;
    return LVL_OK;
}

/* Puts an empty chunk into the JSON text for each replaced piece of it; the writer writes its content. */
static lvl_status blank_pieces(lvl_repairing *m)
{
    const lvl_text json = *m->parts.json;
    const uintptr_t start = (uintptr_t)json.ptr, end = start + json.len;
    const lvl_bytes *pieces = (const lvl_bytes *)(const void *)m->replaced.data;
    lvl_status status = LVL_OK;
    lvl_buffer out = {0};
    uintptr_t at = start;

    for (size_t i = 0; i < replaced_count(m); i++) {
        const uintptr_t from = (uintptr_t)pieces[i].ptr, to = from + pieces[i].len;
        if (from < at || to > end)
            continue;
        lvl_buffer_add(&out, json.ptr + (at - start), from - at);
        lvl_buffer_str(&out, "{\"type\":0,\"data\":{}}");
        at = to;
    }
    if (at != start) {
        lvl_buffer_add(&out, json.ptr + (at - start), end - at);
        status = set_json(m, &out);
    }
    lvl_buffer_free(&out);
    return status;
}

/* ---- the end ----------------------------------------------------------------------------------------- */

/* Replaces values of the wrong kind in the JSON text. */
static lvl_status replace_wrong_kinds(lvl_repairing *m)
{
    const bool drawing = m->doc->format->table == &lvl_sketchy_table;
    const bool outside = !drawing || ((const lvl_sketchy *)m->doc->root)->generation >= LVL_SKETCHY_V3;
    lvl_buffer out = {0};

    lvl_status status =
        lvl_sketchy_write_repaired(m->doc, *m->parts.json, outside, m->found[LVL_SKETCHY_F_JSON], &out);
    if (status == LVL_OK)
        status = set_json(m, &out);
    lvl_buffer_free(&out);
    return status;
}

static lvl_status drop_replaced(lvl_repairing *m)
{
    if (!m->replaced.len)
        return LVL_OK;
    qsort(m->replaced.data, replaced_count(m), sizeof(lvl_bytes), by_address);
    drop_members(m);
    return m->parts.json->len ? blank_pieces(m) : LVL_OK;
}

lvl_status lvl_repairing_end(lvl_repairing *m, lvl_status status)
{
    if (status == LVL_OK && m->changed)
        *m->parts.file = no_bytes;
    if (status == LVL_OK)
        status = drop_replaced(m);
    if (status == LVL_OK && m->parts.json->len && is_text_damaged(m))
        status = replace_wrong_kinds(m);
    lvl_buffer_free(&m->replaced);
    return status;
}

/* ---- attached files ---------------------------------------------------------------------------------- */

/* Drops a file that cannot be read at all. */
static lvl_status drop_file(lvl_repairing *m, lvl_sketchy_file *f, const lvl_where *where, uint8_t *drop)
{
    char shown[SHOWN];

    lvl_sketchy_report(m->repairs->log, LVL_SKETCHY_F_FILE_BAD, where, "\"%s\" cannot be read: removed",
                       lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, f->path));
    *drop = 1;
    return lvl_repairing_replace(m, f->source);
}

/* Keeps what can be read of a file as its content. */
static lvl_status keep_readable(lvl_repairing *m, lvl_sketchy_file *f, const lvl_where *where, lvl_bytes part)
{
    const uint32_t was = f->source;
    char shown[SHOWN];

    lvl_sketchy_report(
        m->repairs->log, LVL_SKETCHY_F_FILE_BAD, where, "\"%s\": kept the %llu bytes that could be read",
        lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, f->path), (unsigned long long)part.len);
    const uint8_t *copy = lvl_arena_copy(&m->doc->arena, part.ptr, part.len);
    if (!copy)
        return LVL_ERR_MEMORY;
    f->data = (lvl_bytes){copy, part.len};
    f->source = 0;
    return lvl_repairing_replace(m, was);
}

static lvl_status repair_file(lvl_repairing *m, uint32_t index, lvl_buffer *storage, uint8_t *drop)
{
    lvl_sketchy_file *f = &(*m->parts.files.items)[index];
    const lvl_source *source = lvl_sketchy_source(m->doc, f->source);
    const lvl_where where = lvl_where_to(lvl_where_root(), m->parts.files.field, index);
    lvl_bytes bytes;
    bool sound = true;

    if (f->data.ptr || !source)
        return LVL_OK;
    const lvl_status status = lvl_sketchy_source_bytes(m->doc, source, storage, &bytes, &sound);
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT)
        return status;
    if (status != LVL_OK || (!sound && !bytes.len))
        return drop_file(m, f, &where, drop);
    return sound ? LVL_OK : keep_readable(m, f, &where, bytes);
}

lvl_status lvl_repair_files(lvl_repairing *m)
{
    const uint32_t count = *m->parts.files.count;
    uint8_t *drop = calloc((size_t)count + 1, 1);
    lvl_buffer storage = {0};

    lvl_status status = drop ? LVL_OK : LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = repair_file(m, i, &storage, &drop[i]);
    if (status == LVL_OK && memchr(drop, 1, count))
        status = lvl_list_drop(m->doc, m->doc->root, m->parts.files.field, drop);
    lvl_buffer_free(&storage);
    free(drop);
    return status;
}
