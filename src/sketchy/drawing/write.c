/*
 * sketchy/drawing/write.c: writes drawings in their generation: v1 a text, v2 a gzip of it, v3 and
 * later a zip (members_write.c). What was not changed keeps the bytes of its source; see lvl/sketchy.h.
 */
#include "sketchy/drawing/write.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "sketchy/zip/members.h"
#include "sketchy/zip/members_write.h"
#include "sketchy/model/member_names.h"

#include <stdlib.h>
#include <string.h>

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
        status = lvl_sketchy_same(again, again->root, doc, doc->root, doc->format->table, done);
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
    case LVL_SKETCHY_V3: return lvl_chunk_is_text(encoding) ? encoding : LVL_SKETCHY_CHUNK_JSON;
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

/* `name`: memory for it. */
static lvl_text chunk_name(lvl_arena *arena, lvl_buffer *name, uint32_t layer, const lvl_output_member *w)
{
    name->len = 0;
    lvl_sketchy_put_chunk_name(name, layer, w->chunk->key, w->encoding > LVL_SKETCHY_CHUNK_BASE64);
    const char *kept = name->status == LVL_OK ? lvl_arena_copy(arena, name->data, name->len) : NULL;
    return (lvl_text){kept, kept ? name->len : 0};
}

/* A zip without chunks may be of any generation: its comment has it. Appends an end record with that
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

/* What the archive has, the document last; the names are in `arena`. `name`: memory for one. Returns
 * how many. */
static uint32_t list_members(const lvl_sketchy *d, lvl_arena *arena, lvl_buffer *name,
                             lvl_output_member *wants)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            const lvl_sketchy_chunk *c = &d->layers[i].chunks[k];
            if (!lvl_sketchy_has_place(c)) /* written in the document */
                continue;
            lvl_output_member *w = &wants[n++];
            w->chunk = c;
            w->size = d->layers[i].size;
            w->encoding = encoding_in(d, c->encoding);
            w->name = chunk_name(arena, name, i, w);
        }
    }
    for (uint32_t i = 0; i < d->file_count; i++) {
        wants[n].file = &d->files[i];
        wants[n++].name = d->files[i].path;
    }
    wants[n].json = d->json;
    wants[n++].name = lvl_text_of(lvl_sketchy_document_name(d->kind));
    return n;
}

/* Whether the archive does not show the drawing's generation; `n`: the number of its members. */
static bool needs_mark(const lvl_sketchy *d, uint32_t n)
{
    const bool no_chunks = n == d->file_count + 1;
    const bool has_end = d->after.len >= 4 && !memcmp(d->after.ptr, "PK\5\6", 4);

    return no_chunks && !has_end && d->generation != LVL_SKETCHY_V3_1;
}

/* The members that v3 and later have; *wants is freed by the caller. LVL_ERR_LIMIT: more than a zip has. */
static lvl_status want_members(const lvl_doc *doc, lvl_arena *arena, lvl_output_member **wants,
                               uint32_t *count)
{
    const lvl_sketchy *d = doc->root;
    size_t most = (size_t)d->file_count + 1;
    lvl_buffer name = {0};

    for (uint32_t i = 0; i < d->layer_count; i++)
        most += d->layers[i].chunk_count;
    if (most > UINT16_MAX)
        return lvl_refuse_fixed(doc->ctx, "members of a zip archive", UINT16_MAX, most);
    *wants = calloc(most, sizeof **wants);
    if (!*wants)
        return LVL_ERR_MEMORY;
    *count = list_members(d, arena, &name, *wants);
    const lvl_status status = arena->failed ? LVL_ERR_MEMORY : name.status;
    lvl_buffer_free(&name);
    return status;
}

/* Writes v3 and later. */
static lvl_status write_zip(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_sketchy *d = doc->root;
    lvl_output_member *wants = NULL;
    lvl_bytes after = d->after;
    lvl_buffer marked = {0};
    uint32_t n = 0;
    lvl_arena arena;

    lvl_arena_init(&arena, doc->ctx);
    lvl_status status = want_members(doc, &arena, &wants, &n);
    if (status == LVL_OK && needs_mark(d, n)) {
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
static bool is_other_text(lvl_bytes gzip, const lvl_buffer *text)
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

/* *holds: the gzip inflates to this text. */
static lvl_status compare_gzip(const lvl_doc *doc, lvl_bytes gzip, const lvl_buffer *text, bool *holds)
{
    lvl_work work = lvl_work_begin(doc->ctx);
    lvl_buffer was = {0};
    size_t len = 0;

    *holds = false;
    if (!gzip.len || is_other_text(gzip, text))
        return LVL_OK;
    if (!lvl_buffer_reserve(&was, text->len + 1))
        return was.status;
    const lvl_status read = lvl_inflate_wrapped(&work, LVL_WRAP_GZIP, gzip, was.data, text->len, NULL, &len);
    *holds = read == LVL_OK && len == text->len && !memcmp(was.data, text->data, len);
    lvl_buffer_free(&was);
    return read == LVL_ERR_MEMORY ? read : work.status;
}

/* Writes v2: the gzip stream of the source while it inflates to the same text. */
static lvl_status write_gzip(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_sketchy *d = doc->root;
    lvl_buffer json = {.max = lvl_memory_share(doc->ctx)}; /* a larger text could not be read again */
    bool holds = false;

    lvl_status status = write_text(doc, &json);
    if (status == LVL_ERR_LIMIT)
        status = lvl_refuse(doc->ctx, LVL_LIMIT_MEMORY, json.max, 0);
    if (status == LVL_OK)
        status = compare_gzip(doc, d->gzip, &json, &holds);
    if (status == LVL_OK && holds)
        lvl_buffer_add(out, d->gzip.ptr, d->gzip.len);
    else if (status == LVL_OK)
        status = lvl_deflate(LVL_WRAP_GZIP, lvl_buffer_bytes(&json), out);
    if (status == LVL_OK)
        lvl_buffer_add(out, d->after.ptr, d->after.len);
    lvl_buffer_free(&json);
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

/* ---- streams ----------------------------------------------------------------------------------------- */

static lvl_status visit_gzip(const lvl_doc *doc, lvl_stream_fn visit, void *user)
{
    lvl_buffer json = {.max = lvl_memory_share(doc->ctx)};

    lvl_status status = write_text(doc, &json);
    if (status == LVL_OK)
        status = visit(user, doc->root, LVL_FIELD(lvl_sketchy, gzip), LVL_WRAP_GZIP, lvl_buffer_bytes(&json));
    lvl_buffer_free(&json);
    return status;
}

lvl_status lvl_sketchy_streams(const lvl_doc *doc, lvl_stream_fn visit, void *user)
{
    const lvl_sketchy *d = doc->root;
    lvl_output_member *wants = NULL;
    lvl_status status = LVL_OK;
    lvl_arena arena;
    uint32_t n = 0;

    if (d->generation == LVL_SKETCHY_V2) {
        status = visit_gzip(doc, visit, user);
    } else if (d->generation > LVL_SKETCHY_V2 && d->member_count) {
        lvl_arena_init(&arena, doc->ctx);
        status = want_members(doc, &arena, &wants, &n);
        if (status == LVL_OK)
            status = lvl_sketchy_zip_streams(doc, wants, n, d->members, d->member_count, visit, user);
        lvl_arena_free(&arena);
        free(wants);
    }
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}
