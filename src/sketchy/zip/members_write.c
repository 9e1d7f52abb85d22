/*
 * sketchy/zip/members_write.c: see sketchy/zip/members_write.h.
 *
 * A member keeps as much of its source as its content allows: one that was not opened is copied; one whose
 * new content is what its packed bytes hold keeps these, with its headers; any other is compressed again, at
 * its place. No hashes are noted (base/piece.h): that would inflate every member on reading.
 */
#include "sketchy/zip/members_write.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/search.h"
#include "base/text.h"
#include "codec/deflate.h"
#include "sketchy/zip/members.h"
#include "sketchy/chunks/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which members there are ------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const lvl_output_member *x = *(const lvl_output_member *const *)a,
                            *y = *(const lvl_output_member *const *)b;
    const int d = lvl_text_compare(x->name, y->name);

    return d ? d : (x > y) - (x < y);
}

/* The first of that name, or NULL. */
static lvl_output_member *const *find_want(lvl_output_member *const *sorted, uint32_t count, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, count, lvl_text_compare(sorted[at]->name, name) < 0);
    return at < count && lvl_text_equal(sorted[at]->name, name) ? &sorted[at] : NULL;
}

/* The want for each member of the source, or NULL for a removed one; several of one name match in order.
 * Returns NULL without memory. */
static lvl_output_member **match_members(lvl_output_member *const *sorted, uint32_t count,
                                         const lvl_zip_spelling *members, uint32_t member_count)
{
    lvl_output_member **matches = calloc((size_t)member_count + 1, sizeof *matches);

    for (uint32_t i = 0; matches && i < member_count; i++) {
        lvl_output_member *const *first = find_want(sorted, count, members[i].name);
        const uint32_t next = first ? (*first)->matched : 0;
        if (!first || next >= count - (size_t)(first - sorted) ||
            !lvl_text_equal(first[next]->name, members[i].name))
            continue;
        (*first)->matched++;
        matches[i] = first[next];
        matches[i]->spelling = &members[i];
    }
    return matches;
}

/* Whether a file is the .bin of a chunk that is written as .json: readers would take the .bin. */
static bool is_hidden_binary(lvl_output_member *const *sorted, uint32_t count, const lvl_output_member *want)
{
    static const char head[] = "chunks/";
    const lvl_text name = want->name;
    char json[64];

    if (!want->file || name.len < 12 || name.len + 2 > sizeof json ||
        memcmp(name.ptr, head, sizeof head - 1) != 0 || memcmp(name.ptr + name.len - 4, ".bin", 4) != 0)
        return false;
    const int n = snprintf(json, sizeof json, "%.*s.json", (int)name.len - 4, name.ptr);
    lvl_output_member *const *other = find_want(sorted, count, (lvl_text){json, (size_t)n});
    return other && (*other)->chunk;
}

/* Drops files with the name of a chunk: they were second forms of it, which the game drops, too. Returns how
 * many wants are left in `sorted`. */
static uint32_t drop_hidden_files(lvl_output_member **sorted, uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++)
        sorted[i]->done = is_hidden_binary(sorted, count, sorted[i]);
    for (uint32_t from = 0, to; from < count; from = to) {
        bool chunk = false;
        for (to = from; to < count && lvl_text_equal(sorted[to]->name, sorted[from]->name); to++)
            chunk = chunk || sorted[to]->chunk;
        for (uint32_t i = from; i < to; i++) {
            sorted[i]->done = sorted[i]->done || (chunk && sorted[i]->file);
            if (!sorted[i]->done)
                sorted[kept++] = sorted[i];
        }
    }
    return kept;
}

/* Finds the want for each member of the source; see match_members. */
static lvl_status plan_members(lvl_output_member *wants, uint32_t count, const lvl_zip_spelling *members,
                               uint32_t member_count, lvl_output_member ***matches)
{
    lvl_output_member **sorted = malloc(((size_t)count + 1) * sizeof *sorted);

    if (!sorted)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &wants[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    const uint32_t kept = drop_hidden_files(sorted, count);
    *matches = match_members(sorted, kept, members, member_count);
    free(sorted);
    return *matches ? LVL_OK : LVL_ERR_MEMORY;
}

/* ---- members that were not opened -------------------------------------------------------------------- */

/* The member of the input that a wanted part comes from unchanged; NULL: it must be encoded. */
static const lvl_zip_member *find_unopened(const lvl_doc *doc, const lvl_output_member *want)
{
    uint32_t source = 0;

    if (want->chunk && !want->chunk->pixels.ptr)
        source = want->chunk->source;
    else if (want->file && !want->file->data.ptr)
        source = want->file->source;
    const lvl_source *s = lvl_sketchy_source(doc, source);
    if (!s || s->kind != LVL_SOURCE_MEMBER || (s->member.faults & (LVL_ZIP_UNKNOWN | LVL_ZIP_NO_LOCAL)))
        return NULL;
    if (want->chunk && (s->encoding != want->encoding || want->chunk->x != s->x || want->chunk->y != s->y ||
                        want->chunk->pixels.width != want->size))
        return NULL;
    return &s->member;
}

/* Appends a member that was not opened. False: it was, or its packed bytes cannot be copied. */
static bool copy_unopened(const lvl_doc *doc, lvl_zip_writer *zip, const lvl_output_member *want,
                          const lvl_zip_spelling *sp)
{
    const lvl_zip_member *old = find_unopened(doc, want);
    const lvl_bytes none = {NULL, 0};

    if (!old)
        return false;
    const bool in_place = sp->packed.ptr == old->packed.ptr && sp->packed.len == old->packed.len;
    if (in_place && !old->central.len && old->method != 8) /* only its header has the method */
        lvl_zip_put_member(zip, old);
    else if (in_place)
        lvl_zip_put_parts(zip, want->name, old->packed, old->crc, old->size, sp->local, sp->after,
                          sp->central);
    else if (!sp->packed.len && old->method == 8) /* of another document, or renamed */
        lvl_zip_put_parts(zip, want->name, old->packed, old->crc, old->size, none, none, none);
    else
        return false;
    return true;
}

/* ---- members that were opened ------------------------------------------------------------------------ */

/* Inflates the packed bytes of a spelling by the method in its header. `hint`: the size that is expected;
 * some unusual streams can only be inflated with the size known. */
static lvl_status inflate_source(const lvl_doc *doc, const lvl_zip_spelling *sp, size_t hint,
                                 lvl_buffer *storage, lvl_bytes *out, bool *sound)
{
    lvl_zip_member m = {.name = sp->name,
                        .packed = sp->packed,
                        .size = hint,
                        .method = sp->local.len >= 30 ? lvl_load_u16le(sp->local.ptr + 8) : 8};

    *sound = false;
    if (m.method != 0 && m.method != 8)
        return LVL_OK;
    lvl_status status = lvl_zip_inflate(doc->ctx, &m, storage, out, NULL);
    m.size = 0; /* a size beyond the limits may be wrong */
    if (status == LVL_ERR_LIMIT && hint)
        status = lvl_zip_inflate(doc->ctx, &m, storage, out, NULL);
    *sound = status == LVL_OK;
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static bool is_same(lvl_bytes a, lvl_bytes b)
{
    return a.len == b.len && (!a.len || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* The content of a part: a view, or in `storage`. `was` (NULL: none) is its old content, which a chunk keeps
 * while it decodes to the same grid. */
static lvl_status encode_content(const lvl_doc *doc, const lvl_output_member *want, const lvl_bytes *was,
                                 lvl_buffer *storage, lvl_bytes *out)
{
    lvl_status status;

    if (want->file) {
        status = lvl_sketchy_file_data(doc, want->file, storage, out);
        return status == LVL_ERR_FORMAT ? LVL_OK : status;
    }
    storage->len = 0;
    status = want->chunk ? lvl_sketchy_put_chunk(doc, want->chunk, want->size, want->encoding, was, storage)
                         : lvl_sketchy_write_json(doc, want->json, true, storage);
    *out = (lvl_bytes){storage->data, storage->len};
    return status == LVL_OK ? storage->status : status;
}

/* The inflated size of a member's old bytes: as declared, or else what it probably still is; 0: not known. */
static size_t expected_size(const lvl_output_member *want, const lvl_zip_spelling *sp)
{
    if (sp->size)
        return (size_t)sp->size;
    return want->file ? want->file->data.len : 0;
}

/* Appends a member: the packed bytes of its source while they hold its content, otherwise compressed
 * again. */
static lvl_status put_opened(const lvl_doc *doc, lvl_zip_writer *zip, const lvl_output_member *want,
                             const lvl_zip_spelling *sp)
{
    const bool declared = sp->crc || sp->size, document = !want->file && !want->chunk;
    const bool existed = sp->packed.len || sp->local.len; /* a folder's entry has no packed bytes */
    lvl_buffer storage = {0}, was = {0};
    lvl_bytes content = {NULL, 0}, before = content;
    lvl_status status = LVL_OK;
    bool sound = false;

    if (document) /* first, since inflating its old bytes needs the size of its text */
        status = encode_content(doc, want, NULL, &storage, &content);
    if (existed && status == LVL_OK)
        status =
            inflate_source(doc, sp, document ? content.len : expected_size(want, sp), &was, &before, &sound);
    if (!document && status == LVL_OK)
        status = encode_content(doc, want, sound ? &before : NULL, &storage, &content);
    if (status == LVL_OK && sound && is_same(content, before))
        lvl_zip_put_parts(zip, want->name, sp->packed, declared ? sp->crc : lvl_crc32(content),
                          declared ? sp->size : content.len, sp->local, sp->after, sp->central);
    else if (status == LVL_OK)
        lvl_zip_put_new(zip, want->name, content);
    lvl_buffer_free(&was);
    lvl_buffer_free(&storage);
    return status;
}

/* ---- the archive ------------------------------------------------------------------------------------- */

/* `sp`: of the member of the source at this place. */
static lvl_status put_member(const lvl_doc *doc, lvl_zip_writer *zip, lvl_output_member *want,
                             const lvl_zip_spelling *sp)
{
    want->done = true;
    return copy_unopened(doc, zip, want, sp) ? LVL_OK : put_opened(doc, zip, want, sp);
}

/* Appends the members that the source does not have. */
static lvl_status put_new_members(const lvl_doc *doc, lvl_zip_writer *zip, lvl_output_member *wants,
                                  uint32_t count)
{
    const lvl_zip_spelling nothing = {0};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        if (!wants[i].spelling && !wants[i].done)
            status = put_member(doc, zip, &wants[i], &nothing);
    }
    return status;
}

/* Leaves out bytes of the first member with which the archive would not be recognized by its first bytes. */
static void keep_recognizable(lvl_zip_spelling *first)
{
    if (!lvl_zip_probe(first->before))
        first->before = (lvl_bytes){NULL, 0};
    if (!lvl_zip_probe(first->local))
        first->local = (lvl_bytes){NULL, 0};
}

/* Separates an end record with its comment from the bytes after it. */
static void split_end(lvl_bytes after, lvl_zip *around)
{
    around->after = after;
    if (after.len < LVL_SKETCHY_END_SIZE || memcmp(after.ptr, "PK\5\6", 4) != 0)
        return;
    const size_t len = LVL_SKETCHY_END_SIZE + (size_t)lvl_load_u16le(after.ptr + LVL_SKETCHY_END_SIZE - 2);
    around->end = (lvl_bytes){after.ptr, len < after.len ? len : after.len};
    around->after = (lvl_bytes){after.ptr + around->end.len, after.len - around->end.len};
}

lvl_status lvl_sketchy_write_zip(const lvl_doc *doc, lvl_output_member *wants, uint32_t count,
                                 const lvl_zip_spelling *members, uint32_t member_count, lvl_bytes gap,
                                 lvl_bytes after, lvl_buffer *out)
{
    const lvl_output_member *const document = &wants[count - 1];
    lvl_output_member **matches;
    lvl_zip around = {.gap = gap};
    lvl_zip_writer zip;

    lvl_status status = plan_members(wants, count, members, member_count, &matches);
    if (status != LVL_OK)
        return status;
    split_end(after, &around);
    lvl_zip_begin(&zip, doc->ctx, out);
    for (uint32_t i = 0; i < member_count && status == LVL_OK; i++) {
        lvl_output_member *w = matches[i];
        if (!w)
            continue;
        if (w == document) /* the game writes it last */
            status = put_new_members(doc, &zip, wants, count - 1);
        lvl_zip_spelling spelling = *w->spelling;
        if (out->len == zip.start && lvl_zip_probe(doc->input))
            keep_recognizable(&spelling);
        lvl_zip_put_raw(&zip, spelling.before);
        if (status == LVL_OK)
            status = put_member(doc, &zip, w, &spelling);
    }
    if (status == LVL_OK)
        status = put_new_members(doc, &zip, wants, count);
    const lvl_status ended = lvl_zip_end(&zip, &around);
    free(matches);
    return status == LVL_OK ? ended : status;
}

/* The same for a member whose source is not there, as of a dump: a chunk then is the pixels alone. */
static lvl_status encode_without_source(const lvl_doc *doc, const lvl_output_member *want,
                                        lvl_buffer *storage, lvl_bytes *out)
{
    lvl_output_member alone = *want;
    lvl_buffer grid = {0};
    lvl_sketchy_chunk chunk;
    lvl_status status = LVL_OK;

    if (want->chunk) {
        chunk = *want->chunk;
        alone.chunk = &chunk;
        status = lvl_doc_cells(doc, want->chunk, LVL_FIELD(lvl_sketchy_chunk, pixels), &grid, &chunk.pixels);
        chunk.source = 0;
    }
    if (status == LVL_OK)
        status = encode_content(doc, &alone, NULL, storage, out);
    lvl_buffer_free(&grid);
    return status;
}

lvl_status lvl_sketchy_zip_streams(const lvl_doc *doc, lvl_output_member *wants, uint32_t count,
                                   const lvl_zip_spelling *members, uint32_t member_count,
                                   lvl_stream_fn visit, void *user)
{
    const lvl_table *const table = LVL_FIELD(lvl_sketchy, members)->table;
    const lvl_field *const packed = lvl_table_at(table, offsetof(lvl_zip_spelling, packed));
    lvl_output_member **matches;
    lvl_buffer storage = {0};

    lvl_status status = plan_members(wants, count, members, member_count, &matches);
    if (status != LVL_OK)
        return status;
    for (uint32_t i = 0; i < member_count && status == LVL_OK; i++) {
        const lvl_zip_spelling *sp = &members[i];
        lvl_bytes content = {NULL, 0};
        if (!matches[i] || (sp->local.len >= 30 && lvl_load_u16le(sp->local.ptr + 8) != 8))
            continue;
        storage.status = LVL_OK;
        const lvl_status encoded = encode_without_source(doc, matches[i], &storage, &content);
        if (encoded == LVL_OK)
            status = visit(user, sp, packed, LVL_WRAP_RAW, content);
        else if (encoded == LVL_ERR_MEMORY)
            status = encoded;
    }
    lvl_buffer_free(&storage);
    free(matches);
    return status;
}
