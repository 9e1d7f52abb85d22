/*
 * sketchy/repair_parts.c: see repair_parts.h.
 */
#include "sketchy/repair_parts.h"

#include "base/text.h"
#include "codec/tokens.h"
#include "sketchy/drawing_read.h"
#include "sketchy/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the reader says ---------------------------------------------------------------------------- */

static lvl_status listen(lvl_repairing *m)
{
    lvl_ctx ctx;
    lvl_findings *reread;
    const lvl_status status = lvl_doc_reread_findings(m->doc, &ctx, &reread, NULL);

    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(reread); i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
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
    lvl_findings_free(reread);
    return status;
}

/* A path that no file has: "assets/strays/trailing", then with "-2". */
static lvl_text stray_path(lvl_repairing *m)
{
    char path[48] = "assets/strays/trailing";

    for (uint32_t i = 0, number = 1; i < *m->parts.files.count;) {
        if (lvl_text_is((*m->parts.files.items)[i++].path, path)) {
            snprintf(path, sizeof path, "assets/strays/trailing-%lu", (unsigned long)++number);
            i = 0;
        }
    }
    return lvl_doc_text(m->doc, lvl_text_of(path));
}

/* Attaches bytes that belong nowhere as a file, so that they are not lost. */
static lvl_status attach(lvl_repairing *m, lvl_bytes bytes)
{
    const uint32_t count = *m->parts.files.count;

    if (lvl_sketchy_is_padding(bytes))
        return LVL_OK;
    lvl_sketchy_file *list = lvl_arena_array(&m->doc->arena, (size_t)count + 1, sizeof *list);
    if (!list)
        return LVL_ERR_MEMORY;
    if (count)
        memcpy(list, *m->parts.files.items, count * sizeof *list);
    lvl_record_init(&list[count], m->parts.files.field->table);
    list[count].path = stray_path(m);
    if (!list[count].path.ptr)
        return LVL_ERR_MEMORY;
    list[count].data = bytes;
    *m->parts.files.items = list;
    *m->parts.files.count = count + 1;
    return LVL_OK;
}

static bool is_gzip(const lvl_doc *doc)
{
    return doc->format->table == &lvl_sketchy_table &&
           ((const lvl_sketchy *)doc->root)->generation == LVL_SKETCHY_V2;
}

/* Bytes behind a JSON document stay with its text, until they are cut off here. */
static lvl_status cut_trailing(lvl_repairing *m)
{
    lvl_text *json = m->parts.json;
    lvl_tokens t;

    lvl_tokens_init(&t, *json, LVL_TOKENS_DEPTH);
    const lvl_token first = lvl_tokens_next(&t);
    const lvl_text whole = lvl_tokens_skip(&t, &first);
    size_t used = lvl_tokens_offset(&t);
    if (!whole.ptr)
        return LVL_OK;
    while (used < json->len && memchr(" \t\r\n", json->ptr[used], 4))
        used++;
    const lvl_bytes rest = {(const uint8_t *)json->ptr + used, json->len - used};
    json->len = used;
    return attach(m, rest);
}

/* Bytes of the file that belong to no member, and those behind a gzip stream; a
 * zip's comment stays. */
static lvl_status attach_strays(lvl_repairing *m)
{
    enum { END_SIZE = 22 };
    const lvl_bytes none = {NULL, 0};
    lvl_bytes *after = m->parts.after, behind = *after;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < *m->parts.member_count && status == LVL_OK; i++) {
        lvl_bytes *before = &(*m->parts.members)[i].before;
        status = lvl_sketchy_is_stray(*before) ? attach(m, *before) : LVL_OK;
        *before = none;
    }
    if (status == LVL_OK && lvl_sketchy_is_stray(*m->parts.gap))
        status = attach(m, *m->parts.gap);
    *m->parts.gap = none;
    *after = none;
    if (!is_gzip(m->doc) && behind.len >= END_SIZE && !memcmp(behind.ptr, "PK\5\6", 4)) {
        const size_t end = END_SIZE + (size_t)(behind.ptr[20] | behind.ptr[21] << 8);
        *after = (lvl_bytes){behind.ptr, end < behind.len ? end : behind.len};
        behind = (lvl_bytes){behind.ptr + after->len, behind.len - after->len};
    }
    if (status == LVL_OK && (is_gzip(m->doc) || lvl_sketchy_is_stray(behind)))
        status = attach(m, behind);
    return status;
}

lvl_status lvl_repairing_begin(lvl_repairing *m, lvl_doc *doc, const lvl_repaired_parts *parts,
                               lvl_repairs *repairs)
{
    const lvl_text no_text = {NULL, 0};

    memset(m, 0, sizeof *m);
    m->doc = doc;
    m->parts = *parts;
    m->repairs = repairs;
    lvl_status status = listen(m);
    if (status != LVL_OK)
        return status;
    const bool zip = m->found[LVL_SKETCHY_F_ZIP_DIRECTORY] || m->found[LVL_SKETCHY_F_ZIP_MEMBER] ||
                     m->found[LVL_SKETCHY_F_ZIP_DOUBLE] || m->found[LVL_SKETCHY_F_ZIP_PREFIX];
    const bool text = m->found[LVL_SKETCHY_F_JSON] || m->found[LVL_SKETCHY_F_TYPE];
    const bool trailing = m->found[LVL_SKETCHY_F_REFUSED] || m->found[LVL_SKETCHY_F_TRAILING];
    if (trailing)
        status = cut_trailing(m);
    if (status == LVL_OK && (trailing || zip))
        status = attach_strays(m);
    if (status != LVL_OK)
        return status;
    if (m->found[LVL_SKETCHY_F_NO_DOCUMENT])
        *parts->json = no_text; /* one that breaks off was made whole on reading */
    if (zip) {                  /* the order stays, and what is packed; all else is made anew */
        lvl_zip_spelling *list = lvl_arena_array(&doc->arena, (size_t)*parts->member_count + 1, sizeof *list);
        if (!list)
            return LVL_ERR_MEMORY;
        for (uint32_t i = 0; i < *parts->member_count; i++)
            list[i].name = (*parts->members)[i].name;
        *parts->members = list;
    }
    m->changed = zip || text || m->found[LVL_SKETCHY_F_LAYERS] || m->found[LVL_SKETCHY_F_NO_DOCUMENT] ||
                 trailing || m->found[LVL_SKETCHY_F_LEAD] || m->found[LVL_SKETCHY_F_GZIP_CUT] ||
                 m->found[LVL_SKETCHY_F_GZIP_BAD];
    return LVL_OK;
}

/* ---- letting go -------------------------------------------------------------------------------------- */

lvl_status lvl_repairing_respell(lvl_repairing *m, uint32_t source)
{
    const lvl_source *s = lvl_sketchy_source(m->doc, source);

    m->changed = true;
    if (!s || s->kind == LVL_SOURCE_BASE64)
        return LVL_OK;
    const lvl_bytes piece = s->kind == LVL_SOURCE_MEMBER
                                ? s->member.packed
                                : (lvl_bytes){(const uint8_t *)s->text.ptr, s->text.len};
    lvl_buffer_add(&m->respelled, &piece, sizeof piece);
    return m->respelled.status;
}

static int by_address(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const lvl_bytes *)a)->ptr, y = (uintptr_t)((const lvl_bytes *)b)->ptr;

    return (x > y) - (x < y);
}

/* The buffer's text, in the document's memory. */
static lvl_status take_text(lvl_repairing *m, const lvl_buffer *from, lvl_text *to)
{
    if (from->status != LVL_OK)
        return from->status;
    const lvl_text text = lvl_doc_text(m->doc, (lvl_text){(const char *)from->data, from->len});
    if (!text.ptr)
        return LVL_ERR_MEMORY;
    *to = text;
    return LVL_OK;
}

/* The JSON text with an empty chunk for each piece that mustn't be taken over: where that isn't right the
 * writer writes its own. */
static lvl_status blank_pieces(lvl_repairing *m)
{
    lvl_text *json = m->parts.json;
    const uintptr_t start = (uintptr_t)json->ptr, end = start + json->len;
    const lvl_bytes *pieces = (const lvl_bytes *)(const void *)m->respelled.data;
    lvl_buffer out = {0};
    uintptr_t at = start;

    for (size_t i = 0; i < m->respelled.len / sizeof *pieces; i++) {
        const uintptr_t p = (uintptr_t)pieces[i].ptr, q = p + pieces[i].len;
        if (p < at || q > end)
            continue;
        lvl_buffer_add(&out, json->ptr + (at - start), p - at);
        lvl_buffer_str(&out, "{\"type\":0,\"data\":{}}");
        at = q;
    }
    lvl_status status = out.status;
    if (status == LVL_OK && at != start) {
        lvl_buffer_add(&out, json->ptr + (at - start), end - at);
        status = take_text(m, &out, json);
    }
    lvl_buffer_free(&out);
    return status;
}

static void blank_members(lvl_repairing *m)
{
    const lvl_bytes none = {NULL, 0};

    for (uint32_t i = 0; i < *m->parts.member_count; i++) {
        lvl_zip_spelling *sp = &(*m->parts.members)[i];
        if (sp->packed.ptr && bsearch(&sp->packed, m->respelled.data, m->respelled.len / sizeof(lvl_bytes),
                                      sizeof(lvl_bytes), by_address))
            sp->packed = sp->local = sp->behind = sp->central = none;
        else
            continue;
        if (i + 1 <
            *m->parts.member_count) /* a wrong size leaves the rest of a member in front of the next */
            sp[1].before = none;
    }
}

/* Puts the values in the JSON text that are of the wrong kind right. */
static lvl_status retype(lvl_repairing *m)
{
    const bool drawing = m->doc->format->table == &lvl_sketchy_table;
    const bool outside = !drawing || ((const lvl_sketchy *)m->doc->root)->generation >= LVL_SKETCHY_V3;
    lvl_buffer out = {0};

    lvl_status status =
        lvl_sketchy_write_repaired(m->doc, *m->parts.json, outside, m->found[LVL_SKETCHY_F_JSON], &out);
    if (status == LVL_OK)
        status = take_text(m, &out, m->parts.json);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_repairing_end(lvl_repairing *m, lvl_status status)
{
    const lvl_bytes none = {NULL, 0};

    if (status == LVL_OK && m->changed)
        *m->parts.file = none;
    if (status == LVL_OK && m->respelled.len) {
        qsort(m->respelled.data, m->respelled.len / sizeof(lvl_bytes), sizeof(lvl_bytes), by_address);
        blank_members(m);
        if (m->parts.json->len)
            status = blank_pieces(m);
    }
    if (status == LVL_OK && m->parts.json->len &&
        (m->found[LVL_SKETCHY_F_TYPE] || m->found[LVL_SKETCHY_F_JSON]))
        status = retype(m);
    lvl_buffer_free(&m->respelled);
    return status;
}

/* ---- attached files ---------------------------------------------------------------------------------- */

static lvl_status repair_file(lvl_repairing *m, uint32_t index, lvl_buffer *storage, uint8_t *drop)
{
    lvl_sketchy_file *f = &(*m->parts.files.items)[index];
    const lvl_source *source = lvl_sketchy_source(m->doc, f->source);
    const lvl_where where = lvl_where_to(lvl_where_root(), m->parts.files.field, index);
    char shown[80];
    lvl_bytes bytes;
    bool sound = true;

    if (f->data.ptr || !source || *drop)
        return LVL_OK;
    const lvl_status status = lvl_sketchy_source_bytes(m->doc, source, storage, &bytes, &sound);
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT)
        return status;
    if (status == LVL_OK && sound)
        return LVL_OK;
    lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, f->path);
    if (status != LVL_OK || !bytes.len) {
        lvl_sketchy_report(m->repairs->log, LVL_SKETCHY_F_FILE_BAD, &where, "\"%s\" cannot be read: removed",
                           shown);
        *drop = 1;
        return lvl_repairing_respell(m, f->source);
    }
    lvl_sketchy_report(m->repairs->log, LVL_SKETCHY_F_FILE_BAD, &where,
                       "\"%s\": kept the %llu bytes that could be read", shown,
                       (unsigned long long)bytes.len);
    const uint8_t *copy = lvl_arena_copy(&m->doc->arena, bytes.ptr, bytes.len);
    if (!copy)
        return LVL_ERR_MEMORY;
    const uint32_t was = f->source;
    f->data = (lvl_bytes){copy, bytes.len};
    f->source = 0;
    return lvl_repairing_respell(m, was);
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
