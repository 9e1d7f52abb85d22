/*
 * sketchy/zip/members.c: reads the zips of drawings and packs: what is kept of members and of the archive
 * around them, findings and spans, and the member that is the document; see members.h.
 */
#include "sketchy/zip/members.h"

#include "base/cursor.h"
#include "base/text.h"
#include "sketchy/text/document.h"
#include "sketchy/model/findings.h"

#include <string.h>

size_t lvl_sketchy_member_size(const lvl_zip_member *member)
{
    static const uint8_t empty[] = {1, 0, 0, 0xFF, 0xFF}; /* Go's empty stream; others write 3, 0 */
    const lvl_bytes p = member->packed;

    if (!member->size)
        return (p.len == sizeof empty && !memcmp(p.ptr, empty, sizeof empty)) ||
                       (p.len == 2 && p.ptr[0] == 3 && !p.ptr[1])
                   ? 0
                   : p.len;
    return member->size < SIZE_MAX ? (size_t)member->size : SIZE_MAX;
}

static lvl_status keep_members(lvl_doc *doc, const lvl_zip *zip, lvl_zip_spelling **out, uint32_t *count)
{
    lvl_zip_spelling *list = lvl_arena_array(&doc->arena, (size_t)zip->count + 1, sizeof *list);

    if (!list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < zip->count; i++) {
        const lvl_zip_member *m = &zip->members[i];
        list[i].name = m->name;
        list[i].packed = m->packed;
        list[i].crc = m->crc;
        list[i].size = m->size;
        list[i].before = m->before;
        if (!m->plain_local)
            list[i].local = m->local;
        if (!m->plain_after)
            list[i].after = m->after;
        if (!m->plain_central)
            list[i].central = m->central;
    }
    *out = list;
    *count = zip->count;
    return LVL_OK;
}

static lvl_bytes zip_after(const lvl_zip *zip)
{
    if (zip->end.len > 22 && zip->plain_end) /* with a comment; the bytes after it follow directly */
        return (lvl_bytes){zip->end.ptr, zip->end.len + zip->after.len};
    return zip->after;
}

/* Whether the kept members do not describe the archive completely; *damaged: because it is damaged. */
static bool is_odd(const lvl_zip *zip, bool *damaged)
{
    bool odd = !zip->in_order || !zip->plain_end;

    *damaged = zip->salvaged;
    for (uint32_t i = 0; i < zip->count && !*damaged; i++) {
        const lvl_zip_member *m = &zip->members[i];
        *damaged = m->faults || m->local.len < 30;
        if (*damaged)
            break;
        if ((lvl_load_u16le(m->local.ptr + 6) & 8) && !m->after.len)
            odd = true; /* its descriptor is missing */
        if (!m->crc && !m->size && lvl_sketchy_member_size(m))
            odd = true; /* in a dump, zeros mean those of its content */
        if (m->central.len >= 46 && lvl_load_u32le(m->central.ptr + 42) == UINT32_MAX)
            odd = true; /* its offset is in a zip64 field */
    }
    return odd || *damaged;
}

bool lvl_sketchy_is_unowned(lvl_bytes b)
{
    const bool directory = b.len >= 4 && b.ptr[0] == 'P' && b.ptr[1] == 'K' &&
                           (b.ptr[2] == 1 || (b.ptr[2] >= 5 && b.ptr[2] <= 8));

    return b.len && !directory && !lvl_sketchy_is_padding(b);
}

static void report_unowned(lvl_bytes bytes, uint64_t at, const char *place, lvl_findings *findings)
{
    const lvl_position pos = {0, at * 8, (uint64_t)bytes.len * 8, 0, true};

    if (lvl_sketchy_is_unowned(bytes))
        lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_TRAILING], NULL, &pos,
                         "%zu bytes %s belong to no member: the game does not read them", bytes.len, place);
}

static void report_all_unowned(const lvl_zip *zip, lvl_findings *findings)
{
    for (uint32_t i = 1; i < zip->count; i++) {
        const lvl_zip_member *m = &zip->members[i];
        if (!(m->faults & LVL_ZIP_NO_LOCAL))
            report_unowned(m->before, m->at - m->before.len, "between members of the zip", findings);
    }
    if (zip->salvaged)
        return;
    report_unowned(zip->gap, zip->directory_at - zip->gap.len, "in front of the zip's directory", findings);
    report_unowned(zip->after, zip->directory_at + zip->directory.len + zip->end.len, "after the zip",
                   findings);
}

static void report_zip(const lvl_zip *zip, lvl_findings *findings)
{
    unsigned long unlisted = 0, lost = 0;

    report_all_unowned(zip, findings);

    for (uint32_t i = 0; i < zip->count; i++) {
        unlisted += (zip->members[i].faults & LVL_ZIP_NO_ENTRY) != 0;
        lost += (zip->members[i].faults & LVL_ZIP_NO_LOCAL) != 0;
    }
    if (lost)
        lvl_sketchy_report(
            findings, LVL_SKETCHY_F_ZIP_LOST, NULL,
            "%lu of the %lu members that the zip's directory lists are gone: nothing of them can be "
            "read",
            lost, (unsigned long)zip->count - unlisted);
    if (zip->salvaged)
        lvl_sketchy_report(
            findings, LVL_SKETCHY_F_ZIP_DIRECTORY, NULL,
            "the zip has no directory: the game cannot open it. %lu members were found by their headers",
            (unsigned long)zip->count);
    else if (unlisted)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_ZIP_DIRECTORY, NULL,
                           "the zip's directory lists %lu of %lu members: the game does not see the others",
                           (unsigned long)zip->count - unlisted, (unsigned long)zip->count);
    else if (zip->ended != zip->count)
        lvl_sketchy_report(
            findings, LVL_SKETCHY_F_ZIP_DIRECTORY, NULL,
            "the zip's directory declares %lu members, but lists %lu: the game may refuse the file",
            (unsigned long)zip->ended, (unsigned long)zip->count);
    for (uint32_t i = 0; i < zip->count; i++) {
        const lvl_zip_member *m = &zip->members[i];
        const unsigned bad = m->faults & (LVL_ZIP_NO_LOCAL | LVL_ZIP_CUT | LVL_ZIP_OVERLAPS |
                                          LVL_ZIP_UNKNOWN | LVL_ZIP_DIFFERS);
        const lvl_position pos = {0, m->at * 8, (uint64_t)(m->local.len + m->packed.len) * 8, 0,
                                  m->at != UINT64_MAX};
        const lvl_text name = m->name;
        lvl_findings_set_member(findings, name);
        if (bad)
            lvl_findings_add(findings,
                             &lvl_sketchy_findings[bad & LVL_ZIP_NO_LOCAL ? LVL_SKETCHY_F_ZIP_LOST
                                                                          : LVL_SKETCHY_F_ZIP_MEMBER],
                             NULL, pos.known ? &pos : NULL, "member \"%.*s\" %s",
                             (int)(name.len < 200 ? name.len : 200), name.ptr ? name.ptr : "",
                             bad & LVL_ZIP_NO_LOCAL
                                 ? "is not where the zip's directory says: the game cannot read it"
                             : bad & LVL_ZIP_CUT      ? "is cut off: the game cannot read it"
                             : bad & LVL_ZIP_OVERLAPS ? "overlaps another one: one of them is damaged"
                             : bad & LVL_ZIP_UNKNOWN
                                 ? "is encrypted, or compressed by an unknown method: the game cannot read it"
                                 : "differs from what the zip's directory says about it: it may be damaged");
        if (m->faults & LVL_ZIP_DOUBLE)
            lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_DOUBLE], NULL,
                             pos.known ? &pos : NULL,
                             "a second member \"%.*s\": the game cannot open such a file",
                             (int)(name.len < 200 ? name.len : 200), name.ptr ? name.ptr : "");
    }
    lvl_findings_set_member(findings, (lvl_text){NULL, 0});
}

static void report_prefix(const lvl_zip *zip, unsigned what, lvl_findings *findings)
{
    const lvl_zip_member *first = zip->count ? &zip->members[0] : NULL;

    if (!first || !first->before.len || first->at != first->before.len || lvl_zip_probe(first->before))
        return;
    for (uint32_t i = 0; i < zip->count; i++) {
        if (zip->members[i].faults & LVL_ZIP_NO_LOCAL)
            return; /* the bytes were a member */
    }
    const lvl_position pos = {0, 0, (uint64_t)first->before.len * 8, 0, true};
    lvl_findings_add(
        findings, &lvl_sketchy_findings[what], NULL, &pos, "%zu bytes before the zip%s", first->before.len,
        what == LVL_SKETCHY_F_ZIP_PREFIX ? ": the game does not load the file" : ", which the game skips");
}

/* The member's name if it is in the input, since spans may only refer to that; else empty. */
static lvl_text name_of_member(const lvl_doc *doc, const lvl_zip_member *m)
{
    const char *start = (const char *)doc->input.ptr;
    const bool inside = m->name.len && m->name.ptr >= start && m->name.len <= doc->input.len &&
                        m->name.ptr <= start + doc->input.len - m->name.len;

    return inside ? m->name : (lvl_text){NULL, 0};
}

/* Emits container bytes of a member, without the part that was emitted already. */
static void emit_wrapping(lvl_sink *sink, uint64_t from, uint64_t len, uint64_t *reported, const char *note,
                          lvl_text name)
{
    const uint64_t to = from + len;

    from = from < *reported ? *reported : from;
    if (to <= from)
        return;
    lvl_emit_span(sink, from, to - from,
                  (lvl_span){.role = LVL_SPAN_CONTAINER, .note = note, .called = name});
    *reported = to;
}

/* Emits bytes that belong to no member; `member`: the field of the root that keeps them. */
static void emit_unowned(lvl_sink *sink, const lvl_doc *doc, lvl_bytes bytes, const char *member)
{
    if (bytes.len)
        lvl_sketchy_emit_rest(sink, 0, (uint64_t)(bytes.ptr - doc->input.ptr), bytes.len, LVL_SPAN_SPELLING,
                              lvl_table_find(doc->format->table, lvl_text_of(member)));
}

static void emit_zip(lvl_sink *sink, const lvl_doc *doc, const lvl_zip *zip)
{
    const uint8_t *start = doc->input.ptr;
    uint64_t reported = 0;

    if (!sink)
        return;
    for (uint32_t i = 0; i < zip->count; i++) {
        const lvl_zip_member *m = &zip->members[i];
        if (m->faults & LVL_ZIP_NO_LOCAL)
            continue;
        const uint64_t packed = m->at + m->local.len, after = packed + m->packed.len;
        emit_unowned(sink, doc, m->before, "members");
        const lvl_text name = name_of_member(doc, m);
        emit_wrapping(sink, m->at, m->local.len, &reported, "header of a member", name);
        emit_wrapping(sink, packed, m->packed.len, &reported, m->method ? "packed member" : "stored member",
                      name);
        emit_wrapping(sink, after, m->after.len, &reported, "size and checksum of a member", name);
    }
    emit_unowned(sink, doc, zip->gap, "gap");
    if (zip->directory.len)
        lvl_sketchy_emit_span(sink, (uint64_t)(zip->directory.ptr - start), zip->directory.len,
                              "directory of the zip");
    if (zip->end.len)
        lvl_sketchy_emit_span(sink, (uint64_t)(zip->end.ptr - start), zip->end.len, "end of the zip");
    emit_unowned(sink, doc, zip->after, "after");
}

lvl_status lvl_sketchy_emit_member(lvl_sink *sink, const lvl_doc *doc, const lvl_zip_member *m,
                                   uint32_t *space, const lvl_where *where, const lvl_field *field)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes = {NULL, 0};

    if (!sink || !m->packed.len)
        return LVL_OK;
    const lvl_status status = lvl_zip_inflate(doc->ctx, m, &storage, &bytes, NULL);
    if (status == LVL_OK && bytes.len) {
        const lvl_space s = {.id = ++*space,
                             .parent = 0,
                             .parent_bit = (uint64_t)(m->packed.ptr - doc->input.ptr) * 8,
                             .parent_bits = (uint64_t)m->packed.len * 8,
                             .bytes = bytes,
                             .name = "member of the zip",
                             .called = name_of_member(doc, m)};
        sink->space(sink, &s);
        lvl_emit_span(sink, 0, bytes.len,
                      (lvl_span){.space = s.id,
                                 .role = LVL_SPAN_FIELD,
                                 .where = lvl_where_to(*where, field, LVL_NO_INDEX),
                                 .field = field});
    }
    lvl_buffer_free(&storage);
    /* a member that can't be unpacked has no span; a finding reports it */
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

lvl_status lvl_sketchy_read_member(lvl_doc *doc, const lvl_zip_member *member, uint32_t *space,
                                   lvl_sink *sink, lvl_findings *findings, lvl_text *json, bool *odd,
                                   bool *damaged)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    bool sound;
    lvl_status status = lvl_zip_inflate(doc->ctx, member, &storage, &bytes, &sound);

    if (status == LVL_OK && bytes.ptr == storage.data) { /* the text must live as long as the document */
        uint8_t *copy = lvl_arena_copy(&doc->arena, bytes.ptr, bytes.len);
        bytes.ptr = copy;
        status = copy ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&storage);
    if (status != LVL_OK)
        return status == LVL_ERR_UNSUPPORTED || status == LVL_ERR_MISSING ? LVL_ERR_FORMAT : status;
    if (!sound) {
        const lvl_position pos = {0, member->at * 8, (uint64_t)(member->local.len + member->packed.len) * 8,
                                  0, true};
        lvl_findings_add(
            findings, &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_MEMBER], NULL, &pos,
            "the document's compressed data is broken: the game cannot open the file. %zu bytes can be read",
            bytes.len);
    }
    const lvl_space s = {.id = ++*space,
                         .parent = 0,
                         .parent_bit = (uint64_t)(member->packed.ptr - doc->input.ptr) * 8,
                         .parent_bits = (uint64_t)member->packed.len * 8,
                         .bytes = bytes,
                         .name = "the document",
                         .called = name_of_member(doc, member)};
    if (sink)
        sink->space(sink, &s);
    lvl_json_reading reading = {.doc = doc, .sink = sink, .findings = findings, .space = s.id};
    reading.outer = s.parent_bit / 8;
    reading.inherits = doc->format->table == &lvl_sketchy_table &&
                       ((const lvl_sketchy *)doc->root)->kind == LVL_SKETCHY_DOODAD;
    lvl_text rest;
    lvl_text text = {(const char *)bytes.ptr, bytes.len};
    if (lvl_sketchy_take_lead(&text, s.id, false, sink, findings)) {
        *odd = true;
        reading.base = bytes.len - text.len;
    }
    status = lvl_sketchy_read_document(&reading, text, json, &rest);
    *odd = *odd || reading.doubled;
    *damaged = *damaged || status != LVL_OK || reading.broken || !sound;
    if (status == LVL_OK && rest.len) {
        lvl_sketchy_report_trailing(findings, LVL_SKETCHY_F_TRAILING, NULL,
                                    (lvl_bytes){(const uint8_t *)rest.ptr, rest.len},
                                    "document in its member");
        json->len += rest.len;
        lvl_sketchy_emit_rest(sink, s.id, bytes.len - rest.len, rest.len, LVL_SPAN_SPELLING, NULL);
    }
    return status;
}

static bool is_known_name(lvl_text name)
{
    uint32_t layer;
    lvl_text key;
    bool binary;

    return lvl_sketchy_chunk_name(name, &layer, &key, &binary) || lvl_sketchy_is_document(name) ||
           lvl_text_begins(name, "assets/");
}

/* Where directory and local header have different names, a name that the game knows counts. */
static void choose_names(lvl_zip *zip)
{
    enum { MAX_SEARCHED = 64, LOCAL = 30 }; /* each is searched among all members */

    for (uint32_t i = 0, n = 0; i < zip->count && n < MAX_SEARCHED; i++) {
        lvl_zip_member *m = &zip->members[i];
        if (!(m->faults & LVL_ZIP_DIFFERS) || m->local.len < LOCAL || is_known_name(m->name))
            continue;
        const lvl_text other = {(const char *)m->local.ptr + LOCAL, lvl_load_u16le(m->local.ptr + 26)};
        if (other.len > m->local.len - LOCAL || !is_known_name(other))
            continue;
        n++;
        if (!lvl_zip_find(zip, other))
            m->name = other;
    }
}

lvl_status lvl_sketchy_read_archive(lvl_doc *doc, unsigned prefix, lvl_sink *sink, lvl_findings *findings,
                                    lvl_zip *zip, bool *odd, bool *damaged)
{
    const lvl_archive parts = lvl_sketchy_archive(doc);

    lvl_status status = lvl_zip_read(&doc->arena, doc->ctx, doc->input, zip);
    if (status == LVL_ERR_FORMAT)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_ZIP_DIRECTORY, NULL,
                           "the game cannot open the zip, and no member of it can be read");
    if (status != LVL_OK)
        return status;
    choose_names(zip);
    report_zip(zip, findings);
    report_prefix(zip, prefix, findings);
    emit_zip(sink, doc, zip);
    *odd = is_odd(zip, damaged);
    *parts.gap = zip->gap;
    *parts.after = zip_after(zip);
    return keep_members(doc, zip, parts.members, parts.member_count);
}
