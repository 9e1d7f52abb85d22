/*
 * sketchy/drawing/drawing_write.c: writes drawings in their generation. Members that were not opened or
 * changed are copied; see lvl/sketchy.h.
 */
#include "sketchy/drawing/drawing_write.h"

#include "base/cursor.h"
#include "base/work.h"
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "sketchy/pixels/chunk_codec.h"
#include "sketchy/drawing/members.h"
#include "base/buffer.h"
#include "base/search.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- members ----------------------------------------------------------------------------------------- */

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

/* Inflates the packed bytes of a spelling by the method in its header. */
static lvl_status unpack(const lvl_doc *doc, const lvl_zip_spelling *sp, size_t hint, lvl_buffer *storage,
                         lvl_bytes *out, bool *sound)
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

static bool same_bytes(lvl_bytes a, lvl_bytes b)
{
    return a.len == b.len && (!a.len || memcmp(a.ptr, b.ptr, a.len) == 0);
}

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

/* The content of a part: a view, or in `storage`. `was` (NULL: none) is its old content, which a chunk keeps
 * while it decodes to the same grid. */
static lvl_status content_of(const lvl_doc *doc, const lvl_output_member *want, const lvl_bytes *was,
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

static lvl_status put_want(const lvl_doc *doc, lvl_zip_writer *zip, const lvl_output_member *want,
                           const lvl_zip_spelling *sp)
{
    const lvl_zip_spelling nothing = {0};
    const lvl_bytes none = {NULL, 0};
    const lvl_zip_member *old = find_unopened(doc, want);
    lvl_buffer storage = {0}, was = {0};
    lvl_bytes content = none, before = none;
    lvl_status status = LVL_OK;
    bool sound = false;

    if (!sp)
        sp = &nothing;
    if (old && sp->packed.ptr == old->packed.ptr && sp->packed.len == old->packed.len) {
        if (!old->central.len && old->method != 8) { /* no directory entry: only its header has the method */
            lvl_zip_put_member(zip, old);
            return LVL_OK;
        }
        lvl_zip_put_parts(zip, want->name, old->packed, old->crc, old->size, sp->local, sp->behind,
                          sp->central);
        return LVL_OK;
    }
    if (old && !sp->packed.len && old->method == 8) { /* copied from another document, or renamed */
        lvl_zip_put_parts(zip, want->name, old->packed, old->crc, old->size, none, none, none);
        return LVL_OK;
    }
    /* a size hint matters: some unusual streams can only be inflated with the size known */
    const bool declared = sp->crc || sp->size, document = !want->file && !want->chunk;
    const bool existed = sp->packed.len || sp->local.len; /* a folder's entry has no packed bytes */
    if (document)
        status = content_of(doc, want, NULL, &storage, &content);
    if (existed && status == LVL_OK) {
        const size_t hint = document     ? content.len
                            : sp->size   ? (size_t)sp->size
                            : want->file ? want->file->data.len
                                         : 0;
        status = unpack(doc, sp, hint, &was, &before, &sound);
    }
    if (status == LVL_OK && !document)
        status = content_of(doc, want, sound ? &before : NULL, &storage, &content);
    if (status == LVL_OK && sound && same_bytes(content, before))
        lvl_zip_put_parts(zip, want->name, sp->packed, declared ? sp->crc : lvl_crc32(content),
                          declared ? sp->size : content.len, sp->local, sp->behind, sp->central);
    else if (status == LVL_OK)
        lvl_zip_put_new(zip, want->name, content);
    lvl_buffer_free(&was);
    lvl_buffer_free(&storage);
    return status;
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
static uint32_t drop_hidden(lvl_output_member **sorted, uint32_t count)
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

lvl_status lvl_sketchy_write_zip(const lvl_doc *doc, lvl_output_member *wants, uint32_t count,
                                 const lvl_zip_spelling *members, uint32_t member_count, lvl_bytes gap,
                                 lvl_bytes after, lvl_buffer *out)
{
    lvl_output_member **sorted = malloc(((size_t)count + 1) * sizeof *sorted), **matches = NULL;
    lvl_zip around = {.gap = gap, .after = after};
    lvl_status status = LVL_OK;
    lvl_zip_writer zip;

    if (!sorted)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &wants[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    const uint32_t kept = drop_hidden(sorted, count);
    matches = match_members(sorted, kept, members, member_count);
    free(sorted);
    if (!matches)
        return LVL_ERR_MEMORY;
    if (after.len >= 22 && !memcmp(after.ptr, "PK\5\6", 4)) { /* an end record with its comment */
        const size_t len = 22 + (size_t)lvl_load_u16le(after.ptr + 20);
        around.end = (lvl_bytes){after.ptr, len < after.len ? len : after.len};
        around.after = (lvl_bytes){after.ptr + around.end.len, after.len - around.end.len};
    }
    lvl_zip_begin(&zip, doc->ctx, out);
    for (uint32_t i = 0; i < member_count && status == LVL_OK; i++) {
        lvl_output_member *w = matches[i];
        if (!w)
            continue;
        /* new parts go before the document, which the game writes last */
        for (uint32_t k = 0; w == &wants[count - 1] && k + 1 < count && status == LVL_OK; k++) {
            if (!wants[k].spelling && !wants[k].done) {
                wants[k].done = true;
                status = put_want(doc, &zip, &wants[k], NULL);
            }
        }
        w->done = true;
        lvl_zip_spelling spelling = *w->spelling;
        /* the archive must stay recognizable by its first bytes */
        if (out->len == zip.start && lvl_zip_probe(doc->input)) {
            if (!lvl_zip_probe(spelling.before))
                spelling.before = (lvl_bytes){NULL, 0};
            if (!lvl_zip_probe(spelling.local))
                spelling.local = (lvl_bytes){NULL, 0};
        }
        lvl_zip_put_raw(&zip, spelling.before);
        if (status == LVL_OK)
            status = put_want(doc, &zip, w, &spelling);
    }
    for (uint32_t k = 0; k < count && status == LVL_OK; k++) {
        if (!wants[k].done)
            status = put_want(doc, &zip, &wants[k], NULL);
    }
    const lvl_status ended = lvl_zip_end(&zip, &around);
    free(matches);
    return status == LVL_OK ? ended : status;
}

/* ---- the kept file ----------------------------------------------------------------------------------- */

lvl_status lvl_sketchy_write_kept(const lvl_doc *doc, lvl_buffer *out, bool *done)
{
    const lvl_bytes file = *lvl_sketchy_archive(doc).file;
    lvl_doc *again = NULL;

    *done = false;
    if (!file.len)
        return LVL_OK;
    lvl_status status = lvl_read(&again, doc->ctx, doc->format, file, NULL, LVL_READ_BORROW, NULL);
    *done = status == LVL_OK;
    if (status == LVL_OK)
        status = lvl_sketchy_same(again, again->root, doc, doc->root, doc->format->table, false, done);
    lvl_doc_free(again);
    if (status == LVL_ERR_MEMORY)
        return status;
    if (*done)
        lvl_buffer_add(out, file.ptr, file.len);
    return *done ? out->status : LVL_OK;
}

/* ---- drawings ---------------------------------------------------------------------------------------- */

/* The encoding of a chunk in the drawing's generation: its own if that is possible there. */
static uint8_t encoding_in(const lvl_sketchy *d, uint8_t encoding)
{
    switch (d->generation) {
    case LVL_SKETCHY_V1:
    case LVL_SKETCHY_V2:
    case LVL_SKETCHY_V3: return encoding <= LVL_SKETCHY_CHUNK_BASE64 ? encoding : LVL_SKETCHY_CHUNK_JSON;
    case LVL_SKETCHY_V3_1: return encoding == LVL_SKETCHY_CHUNK_RUNS ? LVL_SKETCHY_CHUNK_MAP : encoding;
    default: return encoding;
    }
}

void lvl_sketchy_settle(lvl_doc *doc)
{
    const lvl_sketchy *d = doc->root;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            lvl_sketchy_chunk *c = &d->layers[i].chunks[k];
            c->encoding = encoding_in(d, c->encoding);
        }
    }
}

static lvl_text chunk_name(lvl_arena *arena, uint32_t layer, lvl_text key, uint8_t encoding)
{
    const char *ending = encoding <= LVL_SKETCHY_CHUNK_BASE64 ? "json" : "bin";
    const size_t size = key.len + 40;
    char *name = lvl_arena_raw(arena, size);

    if (!name)
        return (lvl_text){NULL, 0};
    const int n = snprintf(name, size, "chunks/%lu/%.*s.%s", (unsigned long)layer, (int)key.len,
                           key.ptr ? key.ptr : "", ending);
    return (lvl_text){name, n > 0 ? (size_t)n : 0};
}

/* A zip without chunks may be of any generation: its comment says which. Appends an end record with that
 * comment, then the drawing's `after`. */
static lvl_status mark_generation(const lvl_sketchy *d, lvl_buffer *after)
{
    uint8_t end[LVL_SKETCHY_END_SIZE] = {'P', 'K', 5, 6};
    const lvl_text mark = lvl_sketchy_generation_mark(d->generation);

    lvl_store_u16le(end + sizeof end - 2, (uint16_t)mark.len);
    lvl_buffer_add(after, end, sizeof end);
    lvl_buffer_add(after, mark.ptr, mark.len);
    lvl_buffer_add(after, d->after.ptr, d->after.len);
    return after->status;
}

static lvl_status write_zip(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_sketchy *d = doc->root;
    size_t count = (size_t)d->file_count + 1;
    lvl_bytes after = d->after;
    lvl_buffer marked = {0};
    uint32_t n = 0;
    lvl_arena arena;

    for (uint32_t i = 0; i < d->layer_count; i++)
        count += d->layers[i].chunk_count;
    if (count > UINT16_MAX)
        return lvl_refuse_fixed(doc->ctx, "members of a zip archive", UINT16_MAX, count);
    lvl_output_member *wants = calloc(count, sizeof *wants);
    if (!wants)
        return LVL_ERR_MEMORY;
    lvl_arena_init(&arena, doc->ctx);
    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            const lvl_sketchy_chunk *c = &d->layers[i].chunks[k];
            if (!lvl_sketchy_has_place(c)) /* written in the document */
                continue;
            lvl_output_member *w = &wants[n++];
            w->chunk = c;
            w->size = d->layers[i].size;
            w->encoding = encoding_in(d, c->encoding);
            w->name = chunk_name(&arena, i, c->key, w->encoding);
        }
    }
    for (uint32_t i = 0; i < d->file_count; i++) {
        wants[n].file = &d->files[i];
        wants[n++].name = d->files[i].path;
    }
    wants[n].json = d->json;
    wants[n++].name = lvl_text_of(lvl_sketchy_document_name(d->kind));
    lvl_status status = arena.failed ? LVL_ERR_MEMORY : LVL_OK;
    const bool empty = n == d->file_count + 1, ends = after.len >= 4 && !memcmp(after.ptr, "PK\5\6", 4);
    if (status == LVL_OK && empty && !ends && d->generation != LVL_SKETCHY_V3_1) {
        status = mark_generation(d, &marked);
        after = (lvl_bytes){marked.data, marked.len};
    }
    if (status == LVL_OK)
        status = lvl_sketchy_write_zip(doc, wants, n, d->members, d->member_count, d->gap, after, out);
    lvl_buffer_free(&marked);
    lvl_arena_free(&arena);
    free(wants);
    return status;
}

/* Appends the document as text. A broken one may have lost all keys that decide whether it is a level or a
 * doodad: then the missing keys are added. */
static lvl_status write_text(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_sketchy *d = doc->root;
    const size_t from = out->len;

    const lvl_status status = lvl_sketchy_write_json(doc, d->json, false, out);
    if (status != LVL_OK ||
        lvl_sketchy_kind_of((lvl_text){(const char *)out->data + from, out->len - from}) == d->kind)
        return status;
    out->len = from;
    return lvl_sketchy_write_repaired(doc, d->json, false, true, out);
}

/* Writes v1: a text of at most twice a document's share of memory. */
static lvl_status write_plain(const lvl_doc *doc, lvl_buffer *out)
{
    const size_t max = out->max, share = lvl_memory_share(doc->ctx);
    const size_t most = share < (SIZE_MAX - out->len) / 2 ? out->len + share * 2 : SIZE_MAX;

    out->max = max && max < most ? max : most;
    const lvl_status status = write_text(doc, out);
    out->max = max;
    return status == LVL_ERR_LIMIT ? lvl_refuse(doc->ctx, LVL_LIMIT_MEMORY, most, 0) : status;
}

/* Whether size and checksum at the end of a gzip show that it holds another text, so that it need not be
 * inflated. False if it may have several members, each with its own end. */
static bool holds_other(lvl_bytes gzip, const lvl_buffer *text)
{
    const uint8_t *end = gzip.ptr + gzip.len - 8;

    if (gzip.len < 8 || (lvl_load_u32le(end + 4) == (uint32_t)text->len &&
                         lvl_load_u32le(end) == lvl_crc32((lvl_bytes){text->data, text->len})))
        return false;
    for (const uint8_t *p = gzip.ptr + 1; (p = memchr(p, 0x1F, (size_t)(end - p))) != NULL; p++) {
        if (p[1] == 0x8B && p[2] == 8)
            return false;
    }
    return true;
}

/* Writes v2: the gzip stream of the source while it inflates to the same text. */
static lvl_status write_gzip(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_sketchy *d = doc->root;
    /* a larger text could not be read again */
    lvl_buffer json = {.max = lvl_memory_share(doc->ctx)}, was = {0};
    bool holds = false;

    lvl_status status = write_text(doc, &json);
    if (status == LVL_ERR_LIMIT)
        status = lvl_refuse(doc->ctx, LVL_LIMIT_MEMORY, json.max, 0);
    if (status == LVL_OK && d->gzip.len && !holds_other(d->gzip, &json)) {
        if (!lvl_buffer_reserve(&was, json.len + 1)) {
            status = was.status;
        } else {
            size_t len = 0;
            lvl_work work = lvl_work_begin(doc->ctx);
            const lvl_status read =
                lvl_inflate_wrapped(&work, LVL_WRAP_GZIP, d->gzip, was.data, json.len, NULL, &len);
            holds = read == LVL_OK && len == json.len && !memcmp(was.data, json.data, len);
            status = read == LVL_ERR_MEMORY ? read : work.status;
        }
    }
    if (status == LVL_OK && holds)
        lvl_buffer_add(out, d->gzip.ptr, d->gzip.len);
    else if (status == LVL_OK)
        status = lvl_deflate_gzip((lvl_bytes){json.data, json.len}, out);
    if (status == LVL_OK)
        lvl_buffer_add(out, d->after.ptr, d->after.len);
    lvl_buffer_free(&json);
    lvl_buffer_free(&was);
    return status == LVL_OK ? out->status : status;
}

lvl_status lvl_sketchy_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_sketchy *d = doc->root;

    bool done;
    const lvl_status kept = lvl_sketchy_write_kept(doc, out, &done);
    if (kept != LVL_OK || done)
        return kept;
    switch (d->generation) {
    case LVL_SKETCHY_V1: return write_plain(doc, out);
    case LVL_SKETCHY_V2: return write_gzip(doc, out);
    default: return write_zip(doc, out);
    }
}
