/*
 * sketchy/drawing_read.c: drawings of every generation into records; see lvl/sketchy.h.
 *
 * v1:   {"version":1, …, "chunks":{"size":128,"chunks":{"0,0":{…}, …}}, …}
 * v2:   1F 8B …, gzip of the same
 * v3+:  PK 03 04 …, a zip: chunks/<layer>/<column>,<row>.json or .bin, assets/…, level.json or doodad.json (last, as the game writes it)
 *
 * Known liars: a gzip that was cut loads as an empty level in the game; doodads may hold chunks of layers that they don't have; archives repaired by
 * other tools have members in any order.
 */
#include "sketchy/drawing.h"

#include "base/cursor.h"
#include "codec/inflate.h"
#include "codec/tokens.h"
#include "sketchy/chunk_codec.h"
#include "sketchy/drawing_read.h"
#include "sketchy/json_mend.h"
#include "sketchy/sketchy_findings.h"

#include <stdlib.h>
#include <string.h>

bool lvl_sketchy_key(lvl_text key, int32_t *x, int32_t *y)
{
    int64_t v[2] = {0, 0};
    size_t i = 0;

    for (int n = 0; n < 2; n++) {
        bool negative = false;
        if (i < key.len && (key.ptr[i] == '-' || key.ptr[i] == '+'))
            negative = key.ptr[i++] == '-';
        const size_t first = i;
        while (i < key.len && key.ptr[i] >= '0' && key.ptr[i] <= '9' && i - first < 10)
            v[n] = v[n] * 10 + (key.ptr[i++] - '0');
        if (i == first || v[n] > INT32_MAX)
            return false;
        v[n] = negative ? -v[n] : v[n];
        if (n == 0 && (i == key.len || key.ptr[i++] != ','))
            return false;
    }
    *x = (int32_t)v[0];
    *y = (int32_t)v[1];
    return i == key.len;
}

const lvl_shape *lvl_sketchy_shape(const lvl_doc *doc)
{
    if (doc->format->table == &lvl_levelpack_table)
        return lvl_pack_shape;
    return ((const lvl_sketchy *)doc->root)->kind == LVL_SKETCHY_DOODAD ? lvl_doodad_shape : lvl_level_shape;
}

/* ---- level or doodad ----------------------------------------------------------------------------------------------------------------- */

static bool is_one_of(const lvl_token *key, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lvl_token_is_nocase(key, keys[i]))
            return true;
    }
    return false;
}

/* The first key that only one of them has decides, so that a level's chunks needn't be passed over. Some keys of doodads are words that anybody might add to
 * a level: they count only where nothing else does. */
static uint8_t kind_of(lvl_text json)
{
    static const char *const level[] = {"passwd",      "chunks",       "rules",         "actors",
                                        "pageType",    "wallpaper",    "boundedHeight", "scroll",
                                        "saveDoodads", "saveBuiltins", "boundedWidth",  "pixels"};
    static const char *const doodad[] = {"layers"};
    static const char *const perhaps[] = {"script", "hitbox", "hidden", "data"};
    static const char *const early[] = {"palette", "size"}; /* a level has its palette behind what decides */
    uint8_t kind = LVL_SKETCHY_LEVEL;
    bool seen = false;
    lvl_tokens t;

    lvl_tokens_init(&t, json, LVL_TOKENS_DEPTH);
    if (lvl_tokens_next(&t).kind != LVL_TOKEN_OBJECT)
        return LVL_SKETCHY_LEVEL;
    for (lvl_token key; (key = lvl_tokens_next(&t)).kind == LVL_TOKEN_KEY;) {
        if (is_one_of(&key, doodad, sizeof doodad / sizeof *doodad))
            return LVL_SKETCHY_DOODAD;
        if (is_one_of(&key, level, sizeof level / sizeof *level))
            return LVL_SKETCHY_LEVEL;
        if (is_one_of(&key, perhaps, sizeof perhaps / sizeof *perhaps))
            kind = LVL_SKETCHY_DOODAD;
        seen = seen || is_one_of(&key, early, sizeof early / sizeof *early);
        const lvl_token value = lvl_tokens_next(&t);
        lvl_tokens_skip(&t, &value);
    }
    return t.error && seen ? LVL_SKETCHY_DOODAD : kind;
}

/* A level has its one layer whatever the file says; grids have the size of their layer's chunks. */
static lvl_status settle_layers(lvl_doc *doc)
{
    lvl_sketchy *d = doc->root;

    if (d->kind == LVL_SKETCHY_LEVEL && !d->layer_count) {
        d->layers = lvl_arena_alloc(&doc->arena, sizeof *d->layers);
        if (!d->layers)
            return LVL_ERR_MEMORY;
        lvl_record_init(d->layers, &lvl_sketchy_layer_table);
        d->layer_count = 1;
    }
    for (uint32_t i = 0; i < d->layer_count; i++) {
        lvl_sketchy_layer *layer = &d->layers[i];
        for (uint32_t k = 0; k < layer->chunk_count; k++)
            layer->chunks[k].pixels = (lvl_cells){NULL, layer->size, layer->size, 2};
    }
    return LVL_OK;
}

/* ---- JSON and gzip ------------------------------------------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* What is whole of a document that breaks off, into the root as it was before; `*json` is a text that says it. */
static lvl_status read_mended(const lvl_json_reading *reading, lvl_text text, const void *before,
                              lvl_text *json)
{
    lvl_doc *doc = reading->doc;
    lvl_json_reading again = {.doc = doc};
    lvl_buffer mended = {0};

    lvl_status status = lvl_sketchy_mend_json(text, lvl_sketchy_shape(doc), &mended, NULL);
    if (status == LVL_OK) {
        json->ptr = lvl_arena_copy(&doc->arena, mended.data, mended.len);
        json->len = mended.len;
        status = json->ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&mended);
    if (status != LVL_OK)
        return status;
    memcpy(doc->root, before, doc->format->table->struct_size);
    return lvl_sketchy_read_json(&again, *json, lvl_sketchy_shape(doc));
}

lvl_status lvl_sketchy_read_document(lvl_json_reading *reading, lvl_text text, lvl_text *json, lvl_text *rest)
{
    union {
        lvl_sketchy drawing;
        lvl_levelpack pack;
    } before;

    memcpy(&before, reading->doc->root, reading->doc->format->table->struct_size);
    const lvl_status status = lvl_sketchy_read_json(reading, text, lvl_sketchy_shape(reading->doc));
    size_t used = reading->used;

    if (status != LVL_OK)
        return status;
    if (reading->broken) {
        lvl_text whole;
        const lvl_status mended = read_mended(reading, text, &before, &whole);
        if (mended != LVL_OK)
            return mended;
        *json = whole;
        *rest = (lvl_text){text.ptr + text.len, 0};
        return LVL_OK;
    }
    while (used < text.len && is_space(text.ptr[used]))
        used++;
    *json = (lvl_text){text.ptr, used};
    *rest = (lvl_text){text.ptr + used, text.len - used};
    if (reading->sink && used > reading->used) {
        const lvl_span span = {.space = reading->space,
                               .bit = (reading->base + reading->used) * 8,
                               .bits = (uint64_t)(used - reading->used) * 8,
                               .role = LVL_SPAN_CONTAINER,
                               .note = "JSON"};
        reading->sink->span(reading->sink, &span);
    }
    return LVL_OK;
}

/* Bytes of the file that wrap something. */
static void tell_span(lvl_sink *sink, uint64_t at, uint64_t len, const char *note)
{
    const lvl_span span = {.bit = at * 8, .bits = len * 8, .role = LVL_SPAN_CONTAINER, .note = note};

    if (sink && len)
        sink->span(sink, &span);
}

static void tell_rest(lvl_sink *sink, uint32_t space, uint64_t at, size_t len, lvl_span_role role,
                      const lvl_field *field)
{
    lvl_span span = {.space = space, .bit = at * 8, .bits = (uint64_t)len * 8, .role = role, .field = field};

    if (!sink || !len)
        return;
    if (field)
        span.where = lvl_where_to(lvl_where_root(), field, LVL_NO_INDEX);
    else
        span.note = "container";
    sink->span(sink, &span);
}

static const lvl_field *root_field(const lvl_doc *doc, size_t offset)
{
    return lvl_table_at(doc->format->table, offset);
}

static lvl_status read_text(lvl_doc *doc, lvl_text text, uint32_t space, lvl_sink *sink,
                            lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    lvl_json_reading reading = {.doc = doc, .sink = sink, .findings = findings, .space = space};
    lvl_text rest;

    d->kind = kind_of(text);
    lvl_status status = lvl_sketchy_read_document(&reading, text, &d->json, &rest);
    if (status != LVL_OK)
        return status;
    if (reading.broken || reading.doubled)
        status = lvl_sketchy_keep_file(doc, &d->file, reading.broken);
    if (status != LVL_OK)
        return status;
    if (rest.len) {
        const lvl_position pos = {space, (uint64_t)(text.len - rest.len) * 8, (uint64_t)rest.len * 8, 0,
                                  true};
        const unsigned id = space ? LVL_SKETCHY_F_TRAILING : LVL_SKETCHY_F_REFUSED;
        lvl_findings_add(findings, &lvl_sketchy_findings[id], NULL, &pos, "%zu bytes follow the document",
                         rest.len);
        d->json.len += rest.len; /* they stay with the text */
        tell_rest(sink, space, text.len - rest.len, rest.len, LVL_SPAN_SPELLING,
                  root_field(doc, offsetof(lvl_sketchy, json)));
    }
    return settle_layers(doc);
}

bool lvl_sketchy_is_gzip(lvl_bytes in)
{
    return in.len > 2 && in.ptr[0] == 0x1F && in.ptr[1] == 0x8B && in.ptr[2] == 8;
}

/* What all members of a gzip say, one behind the other: a file may be of several, and Go reads them as one. Appends to `text`; reports how the last one ended. */
static lvl_status inflate_members(lvl_bytes in, size_t most, lvl_buffer *text, size_t *used, bool *several,
                                  lvl_inflate_report *report)
{
    lvl_status status = LVL_OK;

    *used = 0;
    do {
        *several = *used > 0;
        const lvl_bytes rest = {in.ptr + *used, in.len - *used};
        status = lvl_inflate_wrapped_salvage(LVL_WRAP_GZIP, rest, text, most - text->len, report);
        *used = report->end == LVL_INFLATE_DONE ? *used + report->in_used : in.len;
    } while (status == LVL_OK && report->end == LVL_INFLATE_DONE &&
             lvl_sketchy_is_gzip((lvl_bytes){in.ptr + *used, in.len - *used}));
    return status;
}

static lvl_status read_gzip(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_bytes in = doc->input;
    const uint64_t most = doc->ctx->limits.memory_bytes ? doc->ctx->limits.memory_bytes : (uint64_t)1 << 30;
    lvl_sketchy *d = doc->root;
    lvl_buffer text = {0};
    size_t used = 0, len = 0;
    lvl_status status = LVL_ERR_FORMAT;
    char *plain = NULL;

    /* the size that the stream tells at its end, if it can be */
    const uint32_t size = in.len > 18 ? lvl_load_u32le(in.ptr + in.len - 4) : 0;
    if (size && size <= most && !lvl_inflate_impossible(in.len, size, doc->ctx->limits.inflate_ratio)) {
        plain = lvl_arena_raw(&doc->arena, size);
        if (!plain)
            return LVL_ERR_MEMORY;
        status = lvl_inflate_wrapped(LVL_WRAP_GZIP, in, (uint8_t *)plain, size, &used, &len);
        if (status == LVL_ERR_MEMORY)
            return status;
    }
    if (status != LVL_OK || lvl_sketchy_is_gzip((lvl_bytes){in.ptr + used, in.len - used})) {
        lvl_inflate_report report;
        bool several;
        status =
            inflate_members(in, most < SIZE_MAX ? (size_t)most : SIZE_MAX, &text, &used, &several, &report);
        if (status == LVL_OK && report.end == LVL_INFLATE_FULL)
            status = LVL_ERR_LIMIT;
        if (status == LVL_OK) {
            plain = lvl_arena_copy(&doc->arena, text.data, text.len);
            len = text.len;
            status = plain ? LVL_OK : LVL_ERR_MEMORY;
        }
        lvl_buffer_free(&text);
        if (status != LVL_OK)
            return status;
        const lvl_position pos = {0, 0, (uint64_t)used * 8, 0, true};
        if (report.end != LVL_INFLATE_DONE || several) /* no stream of ours would be the same */
            status = lvl_sketchy_keep_file(doc, &d->file, report.end != LVL_INFLATE_DONE);
        if (status != LVL_OK)
            return status;
        if (report.end == LVL_INFLATE_TRUNCATED)
            lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_GZIP_CUT], NULL, &pos,
                             "the stream ends before its end; %zu bytes of text came out", len);
        else if (report.end != LVL_INFLATE_DONE)
            lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_GZIP_BAD], NULL, &pos,
                             "the stream is broken (%s); %zu bytes of text came out",
                             lvl_inflate_end_text(report.end), len);
    }
    d->gzip = (lvl_bytes){in.ptr, used};
    d->after = (lvl_bytes){in.ptr + used, in.len - used};
    if (sink) {
        const lvl_space space = {.id = 1,
                                 .parent = 0,
                                 .parent_bit = 0,
                                 .parent_bits = (uint64_t)used * 8,
                                 .bytes = {(const uint8_t *)plain, len},
                                 .name = "inflated JSON"};
        tell_span(sink, 0, used, "gzip stream");
        tell_rest(sink, 0, used, in.len - used, LVL_SPAN_SPELLING,
                  root_field(doc, offsetof(lvl_sketchy, after)));
        sink->space(sink, &space);
    }
    if (d->after.len) {
        const lvl_position pos = {0, (uint64_t)used * 8, (uint64_t)d->after.len * 8, 0, true};
        lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_TRAILING], NULL, &pos,
                         "%zu bytes follow the gzip stream", d->after.len);
    }
    return read_text(doc, (lvl_text){plain, len}, 1, sink, findings);
}

/* ---- zip ----------------------------------------------------------------------------------------------------------------------------- */

bool lvl_sketchy_chunk_name(lvl_text name, uint32_t *layer, lvl_text *key, bool *binary)
{
    static const char folder[] = "chunks/";
    const size_t head = sizeof folder - 1;
    size_t i = head;
    uint64_t n = 0;

    if (name.len < head + 8 || memcmp(name.ptr, folder, head) != 0)
        return false;
    while (i < name.len && name.ptr[i] >= '0' && name.ptr[i] <= '9' && i - head < 9)
        n = n * 10 + (uint64_t)(name.ptr[i++] - '0');
    if (i == head || i == name.len || name.ptr[i] != '/' || (name.ptr[head] == '0' && i > head + 1))
        return false;
    const lvl_text rest = {name.ptr + i + 1, name.len - i - 1};
    size_t dot = rest.len;
    while (dot > 0 && rest.ptr[dot - 1] != '.')
        dot--;
    if (!dot)
        return false;
    const lvl_text ending = {rest.ptr + dot, rest.len - dot};
    *binary = lvl_text_is(ending, "bin");
    if (!*binary && !lvl_text_is(ending, "json"))
        return false;
    *layer = (uint32_t)n;
    *key = (lvl_text){rest.ptr, dot - 1};
    int32_t x, y;
    return lvl_sketchy_key(*key, &x, &y);
}

size_t lvl_sketchy_member_size(const lvl_zip_member *member)
{
    static const uint8_t empty[] = {1, 0, 0, 0xFF, 0xFF}; /* as Go packs nothing; others write 3, 0 */
    const lvl_bytes p = member->packed;

    if (!member->size)
        return (p.len == sizeof empty && !memcmp(p.ptr, empty, sizeof empty)) ||
                       (p.len == 2 && p.ptr[0] == 3 && !p.ptr[1])
                   ? 0
                   : p.len;
    return member->size < SIZE_MAX ? (size_t)member->size : SIZE_MAX;
}

lvl_status lvl_sketchy_keep_members(lvl_doc *doc, const lvl_zip *zip, lvl_zip_spelling **out, uint32_t *count)
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
        if (!m->plain_behind)
            list[i].behind = m->behind;
        if (!m->plain_central)
            list[i].central = m->central;
    }
    *out = list;
    *count = zip->count;
    return LVL_OK;
}

lvl_bytes lvl_sketchy_zip_after(const lvl_zip *zip)
{
    if (zip->end.len > 22 && zip->plain_end) /* with a comment; what follows it lies behind it */
        return (lvl_bytes){zip->end.ptr, zip->end.len + zip->after.len};
    return zip->after;
}

bool lvl_sketchy_zip_is_damaged(const lvl_zip *zip)
{
    bool damaged = zip->salvaged;

    for (uint32_t i = 0; i < zip->count && !damaged; i++)
        damaged = zip->members[i].faults || zip->members[i].local.len < 30;
    return damaged;
}

bool lvl_sketchy_zip_is_odd(const lvl_zip *zip)
{
    if (zip->salvaged || !zip->in_order || !zip->plain_end)
        return true;
    for (uint32_t i = 0; i < zip->count; i++) {
        if (zip->members[i].faults || zip->members[i].local.len < 30)
            return true;
        if ((lvl_load_u16le(zip->members[i].local.ptr + 6) & 8) && !zip->members[i].behind.len)
            return true; /* a descriptor that should be there */
        if (zip->members[i].central.len >= 46 &&
            lvl_load_u32le(zip->members[i].central.ptr + 42) == UINT32_MAX)
            return true; /* where it is, is said in a field for big archives */
    }
    return false;
}

void lvl_sketchy_zip_findings(const lvl_zip *zip, lvl_findings *findings)
{
    if (zip->salvaged)
        lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_DIRECTORY], NULL, NULL,
                         "no directory; %lu members were found by their headers", (unsigned long)zip->count);
    for (uint32_t i = 0; i < zip->count; i++) {
        const lvl_zip_member *m = &zip->members[i];
        const unsigned bad = m->faults & (LVL_ZIP_NO_LOCAL | LVL_ZIP_CUT | LVL_ZIP_OVERLAPS |
                                          LVL_ZIP_UNKNOWN | LVL_ZIP_DIFFERS);
        const lvl_position pos = {0, m->at * 8, (uint64_t)(m->local.len + m->packed.len) * 8, 0,
                                  m->at != UINT64_MAX};
        const lvl_text name = m->name;
        if (bad)
            lvl_findings_add(
                findings, &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_MEMBER], NULL, pos.known ? &pos : NULL,
                "member \"%.*s\" %s", (int)(name.len < 200 ? name.len : 200), name.ptr ? name.ptr : "",
                bad & LVL_ZIP_NO_LOCAL   ? "isn't where the directory says"
                : bad & LVL_ZIP_CUT      ? "is cut off"
                : bad & LVL_ZIP_OVERLAPS ? "overlaps another"
                : bad & LVL_ZIP_UNKNOWN  ? "is encrypted or packed in a way that nobody here knows"
                                         : "isn't what the directory says");
        if (m->faults & LVL_ZIP_DOUBLE)
            lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_DOUBLE], NULL,
                             pos.known ? &pos : NULL, "a second member \"%.*s\"",
                             (int)(name.len < 200 ? name.len : 200), name.ptr ? name.ptr : "");
    }
}

/* Bytes of the zip itself, from where nothing is told yet. */
static void tell_wrapping(lvl_sink *sink, uint64_t from, uint64_t len, uint64_t *told, const char *note)
{
    const uint64_t to = from + len;

    from = from < *told ? *told : from;
    if (to <= from)
        return;
    tell_span(sink, from, to - from, note);
    *told = to;
}

void lvl_sketchy_tell_zip(lvl_sink *sink, const lvl_doc *doc, const lvl_zip *zip, const lvl_field *before,
                          const lvl_field *gap, const lvl_field *after)
{
    const uint8_t *start = doc->input.ptr;
    uint64_t told = 0;

    if (!sink)
        return;
    for (uint32_t i = 0; i < zip->count; i++) {
        const lvl_zip_member *m = &zip->members[i];
        if (m->faults & LVL_ZIP_NO_LOCAL)
            continue;
        const uint64_t packed = m->at + m->local.len, behind = packed + m->packed.len;
        tell_rest(sink, 0, m->at - m->before.len, m->before.len, LVL_SPAN_SPELLING, before);
        tell_wrapping(sink, m->at, m->local.len, &told, "header of a member");
        tell_wrapping(sink, packed, m->packed.len, &told, m->method ? "packed member" : "stored member");
        tell_wrapping(sink, behind, m->behind.len, &told, "size and checksum of a member");
    }
    if (zip->gap.len)
        tell_rest(sink, 0, (uint64_t)(zip->gap.ptr - start), zip->gap.len, LVL_SPAN_SPELLING, gap);
    if (zip->directory.len)
        tell_span(sink, (uint64_t)(zip->directory.ptr - start), zip->directory.len, "directory of the zip");
    if (zip->end.len)
        tell_span(sink, (uint64_t)(zip->end.ptr - start), zip->end.len, "end of the zip");
    if (zip->after.len)
        tell_rest(sink, 0, (uint64_t)(zip->after.ptr - start), zip->after.len, LVL_SPAN_SPELLING, after);
}

/* What a member turned out to be. */
typedef struct part {
    uint32_t member;
    uint32_t layer; /* chunks; UINT32_MAX: a file */
    lvl_sketchy_chunk chunk;
} part;

static int by_place(const void *a, const void *b)
{
    const part *x = a, *y = b;

    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    if (x->layer != UINT32_MAX && x->chunk.y != y->chunk.y)
        return x->chunk.y < y->chunk.y ? -1 : 1;
    if (x->layer != UINT32_MAX && x->chunk.x != y->chunk.x)
        return x->chunk.x < y->chunk.x ? -1 : 1;
    if (x->layer != UINT32_MAX && x->chunk.encoding != y->chunk.encoding) /* .bin goes before .json */
        return x->chunk.encoding > y->chunk.encoding ? -1 : 1;
    if (x->layer != UINT32_MAX) /* of two of one name the last, as archive readers take it */
        return x->member > y->member ? -1 : x->member < y->member;
    return x->member < y->member ? -1 : x->member > y->member;
}

static lvl_status note_member(lvl_doc *doc, const lvl_zip_member *m, const lvl_sketchy_chunk *chunk,
                              uint32_t *source)
{
    lvl_source s = {.kind = LVL_SOURCE_MEMBER, .member = *m};

    if (chunk) {
        s.encoding = chunk->encoding;
        s.x = chunk->x;
        s.y = chunk->y;
    }
    *source = lvl_sketchy_add_source(doc, &s);
    return *source ? LVL_OK : LVL_ERR_MEMORY;
}

lvl_status lvl_sketchy_tell_member(lvl_sink *sink, const lvl_doc *doc, const lvl_zip_member *m,
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
                             .name = "member of the zip"};
        sink->space(sink, &s);
        const lvl_span span = {.space = s.id,
                               .bit = 0,
                               .bits = (uint64_t)bytes.len * 8,
                               .role = LVL_SPAN_FIELD,
                               .where = lvl_where_to(*where, field, LVL_NO_INDEX),
                               .field = field};
        sink->span(sink, &span);
    }
    lvl_buffer_free(&storage);
    /* what can't be unpacked isn't told, and that is said elsewhere */
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static int by_square(const void *a, const void *b)
{
    const lvl_sketchy_chunk *x = *(const lvl_sketchy_chunk *const *)a,
                            *y = *(const lvl_sketchy_chunk *const *)b;

    if (x->y != y->y)
        return x->y < y->y ? -1 : 1;
    return x->x < y->x ? -1 : x->x > y->x;
}

/* A chunk that the document holds itself is the one that the game takes; the zip's of the same place is a file that nobody asks for. */
static lvl_status shade_parts(const lvl_sketchy *d, part *parts, uint32_t count)
{
    for (uint32_t l = 0; l < d->layer_count; l++) {
        const lvl_sketchy_layer *layer = &d->layers[l];
        if (!layer->chunk_count)
            continue;
        const lvl_sketchy_chunk **own = malloc(layer->chunk_count * sizeof *own);
        if (!own)
            return LVL_ERR_MEMORY;
        for (uint32_t k = 0; k < layer->chunk_count; k++)
            own[k] = &layer->chunks[k];
        qsort(own, layer->chunk_count, sizeof *own, by_square);
        for (uint32_t i = 0; i < count; i++) {
            const lvl_sketchy_chunk *chunk = &parts[i].chunk;
            if (parts[i].layer == l && bsearch(&chunk, own, layer->chunk_count, sizeof *own, by_square))
                parts[i].layer = UINT32_MAX;
        }
        free(own);
    }
    return LVL_OK;
}

/* Gives each layer its chunks and the drawing its files, from parts in their order; a chunk that is there twice stays a file the second time. */
static lvl_status place_parts(lvl_doc *doc, const lvl_zip *zip, part *parts, uint32_t count, lvl_sink *sink,
                              uint32_t *space)
{
    lvl_sketchy *d = doc->root;
    const lvl_field *layers = root_field(doc, offsetof(lvl_sketchy, layers)),
                    *files = root_field(doc, offsetof(lvl_sketchy, files));
    const lvl_field *chunks = lvl_table_at(&lvl_sketchy_layer_table, offsetof(lvl_sketchy_layer, chunks));
    const lvl_field *pixels = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    uint32_t first_file = 0;
    lvl_status status;

    status = shade_parts(d, parts, count);
    if (status != LVL_OK)
        return status;
    qsort(parts, count, sizeof *parts, by_place);
    for (uint32_t i = 1; i < count; i++) {
        if (parts[i].layer != UINT32_MAX && parts[i].layer == parts[i - 1].layer &&
            parts[i].chunk.x == parts[i - 1].chunk.x && parts[i].chunk.y == parts[i - 1].chunk.y)
            parts[i].member |= 0x80000000; /* a double */
    }
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].member & 0x80000000) {
            parts[i].member &= 0x7FFFFFFF;
            parts[i].layer = UINT32_MAX;
        }
    }
    qsort(parts, count, sizeof *parts, by_place);
    for (uint32_t i = 0; i < count && parts[i].layer != UINT32_MAX;) {
        const uint32_t l = parts[i].layer;
        uint32_t n = 0;
        while (i + n < count && parts[i + n].layer == l)
            n++;
        lvl_sketchy_layer *layer = &d->layers[l];
        lvl_sketchy_chunk *list = lvl_arena_array(&doc->arena, (size_t)layer->chunk_count + n, sizeof *list);
        if (!list)
            return LVL_ERR_MEMORY;
        if (layer->chunk_count) /* zips with chunks in the JSON, too: the game reads both */
            memcpy(list, layer->chunks, layer->chunk_count * sizeof *list);
        for (uint32_t k = 0; k < n; k++) {
            const lvl_where where =
                lvl_where_to(lvl_where_to(lvl_where_root(), layers, l), chunks, layer->chunk_count + k);
            const lvl_zip_member *m = &zip->members[parts[i + k].member];
            status = note_member(doc, m, &parts[i + k].chunk, &parts[i + k].chunk.source);
            if (status == LVL_OK)
                status = lvl_sketchy_tell_member(sink, doc, m, space, &where, pixels);
            if (status != LVL_OK)
                return status;
            list[layer->chunk_count + k] = parts[i + k].chunk;
        }
        layer->chunks = list;
        layer->chunk_count += n;
        i += n;
        first_file = i;
    }
    const uint32_t n = count - first_file;
    lvl_sketchy_file *list = lvl_arena_array(&doc->arena, (size_t)d->file_count + n + 1, sizeof *list);
    if (!list)
        return LVL_ERR_MEMORY;
    if (d->file_count)
        memcpy(list, d->files, d->file_count * sizeof *list);
    for (uint32_t k = 0; k < n; k++) {
        const lvl_zip_member *m = &zip->members[parts[first_file + k].member];
        lvl_sketchy_file *f = &list[d->file_count + k];
        const lvl_where where = lvl_where_to(lvl_where_root(), files, d->file_count + k);
        f->path = m->name;
        f->data.len = lvl_sketchy_member_size(m); /* for people; late */
        status = note_member(doc, m, NULL, &f->source);
        if (status == LVL_OK)
            status = lvl_sketchy_tell_member(sink, doc, m, space, &where, data);
        if (status != LVL_OK)
            return status;
    }
    d->files = list;
    d->file_count += n;
    return LVL_OK;
}

/* v3 while all chunks are JSON, v4 once there are runs, else v3.1. Of a binary chunk its first byte tells, for which it must be inflated: one is enough. */
static lvl_status find_encodings(const lvl_doc *doc, const lvl_zip *zip, part *parts, uint32_t count,
                                 uint8_t *generation)
{
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;
    bool json = false, map = false, runs = false;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        if (parts[i].layer == UINT32_MAX)
            continue;
        uint8_t first;
        const lvl_zip_member *m = &zip->members[parts[i].member];
        if (parts[i].chunk.encoding == LVL_SKETCHY_CHUNK_JSON) { /* by its name, so far */
            lvl_bytes bytes = {NULL, 0};
            json = true;
            uint8_t head[24];
            size_t len = lvl_zip_head(doc->ctx, m, head, sizeof head, &status);
            if (len > 17 && !memcmp(head, "{\"type\":0,\"data\":{", 18))
                continue;
            status = lvl_zip_inflate(doc->ctx, m, &storage, &bytes, NULL);
            if (status == LVL_OK && lvl_chunk_encoding(bytes) == LVL_SKETCHY_CHUNK_BASE64)
                parts[i].chunk.encoding = LVL_SKETCHY_CHUNK_BASE64;
            if (status != LVL_ERR_MEMORY)
                status = LVL_OK;
        } else if (lvl_zip_head(doc->ctx, m, &first, 1, &status) == 1) {
            parts[i].chunk.encoding = first == 1 ? LVL_SKETCHY_CHUNK_RUNS : LVL_SKETCHY_CHUNK_MAP;
            runs = runs || first == 1;
            map = map || first != 1;
        }
    }
    lvl_buffer_free(&storage);
    *generation = runs ? LVL_SKETCHY_V4 : map || !json ? LVL_SKETCHY_V3_1 : LVL_SKETCHY_V3;
    return status;
}

/* Layers that chunks speak of, where the document doesn't any more. */
static lvl_status add_layers(lvl_doc *doc, const lvl_zip *zip)
{
    enum { MOST = 1024 };
    lvl_sketchy *d = doc->root;
    uint32_t count = d->layer_count;

    for (uint32_t i = 0; i < zip->count; i++) {
        uint32_t layer;
        lvl_text key;
        bool binary;
        if (lvl_sketchy_chunk_name(zip->members[i].name, &layer, &key, &binary) && layer < MOST &&
            layer >= count)
            count = layer + 1;
    }
    if (count == d->layer_count || (count == 1 && d->kind == LVL_SKETCHY_LEVEL))
        return LVL_OK;
    d->kind = LVL_SKETCHY_DOODAD; /* levels have one */
    d->layers = lvl_arena_array(&doc->arena, count, sizeof *d->layers);
    if (!d->layers)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        lvl_record_init(&d->layers[i], &lvl_sketchy_layer_table);
    d->layer_count = count;
    return LVL_OK;
}

static bool is_known_name(lvl_text name)
{
    static const char assets[] = "assets/";
    uint32_t layer;
    lvl_text key;
    bool binary;

    return lvl_sketchy_chunk_name(name, &layer, &key, &binary) || lvl_text_is(name, "level.json") ||
           lvl_text_is(name, "doodad.json") ||
           (name.len >= sizeof assets - 1 && !memcmp(name.ptr, assets, sizeof assets - 1));
}

/* Where directory and local header disagree about a name, the one that means something counts. */
static void settle_names(lvl_zip *zip)
{
    enum { MOST = 64, LOCAL = 30 }; /* each is looked for among all */

    for (uint32_t i = 0, n = 0; i < zip->count && n < MOST; i++) {
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

static lvl_status read_zip(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    uint32_t space = 0, count = 0;
    part *parts = NULL;
    lvl_zip zip;

    lvl_status status = lvl_zip_read(&doc->arena, doc->ctx, doc->input, &zip);
    if (status != LVL_OK)
        return status;
    settle_names(&zip);
    lvl_sketchy_zip_findings(&zip, findings);
    lvl_sketchy_tell_zip(sink, doc, &zip, root_field(doc, offsetof(lvl_sketchy, members)),
                         root_field(doc, offsetof(lvl_sketchy, gap)),
                         root_field(doc, offsetof(lvl_sketchy, after)));
    status = lvl_sketchy_keep_members(doc, &zip, &d->members, &d->member_count);
    if (status != LVL_OK)
        return status;
    d->gap = zip.gap;
    d->after = lvl_sketchy_zip_after(&zip);
    bool odd = lvl_sketchy_zip_is_odd(&zip), damaged = lvl_sketchy_zip_is_damaged(&zip);
    const lvl_zip_member *json = lvl_zip_find(&zip, lvl_text_of("level.json"));
    if (!json) {
        json = lvl_zip_find(&zip, lvl_text_of("doodad.json"));
        d->kind = json ? LVL_SKETCHY_DOODAD : LVL_SKETCHY_LEVEL;
    }
    if (json) {
        status = lvl_sketchy_read_member(doc, json, &space, sink, findings, &d->json, &odd, &damaged);
        if (status != LVL_OK && status != LVL_ERR_FORMAT)
            return status;
    } else {
        lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_NO_DOCUMENT], NULL, NULL,
                         "neither level.json nor doodad.json");
    }
    status = (damaged || !json) && !d->layer_count && (!json || d->kind == LVL_SKETCHY_DOODAD)
                 ? add_layers(doc, &zip)
                 : LVL_OK;
    if (status == LVL_OK)
        status = settle_layers(doc);
    if (status == LVL_OK && !(parts = calloc((size_t)zip.count + 1, sizeof *parts)))
        status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < zip.count && status == LVL_OK; i++) {
        part *p = &parts[count];
        bool binary;
        if (&zip.members[i] == json || (zip.members[i].faults & LVL_ZIP_NO_LOCAL))
            continue;
        *p = (part){.member = i, .layer = UINT32_MAX};
        if (lvl_sketchy_chunk_name(zip.members[i].name, &p->layer, &p->chunk.key, &binary) &&
            p->layer < d->layer_count) {
            lvl_sketchy_key(p->chunk.key, &p->chunk.x, &p->chunk.y);
            p->chunk.encoding = binary ? LVL_SKETCHY_CHUNK_MAP : LVL_SKETCHY_CHUNK_JSON;
        } else {
            p->layer = UINT32_MAX;
        }
        count++;
    }
    /* which of them are in the document itself, no record says */
    for (uint32_t i = 0; i < d->layer_count && !odd; i++)
        odd = d->layers[i].chunk_count > 0;
    if (status == LVL_OK && (odd || damaged || !json || d->file_count))
        status = lvl_sketchy_keep_file(doc, &d->file, damaged || !json);
    if (status == LVL_OK)
        status = find_encodings(doc, &zip, parts, count, &d->generation);
    if (status == LVL_OK)
        status = place_parts(doc, &zip, parts, count, sink, &space);
    free(parts);
    return status == LVL_OK ? settle_layers(doc) : status;
}

lvl_status lvl_sketchy_read_member(lvl_doc *doc, const lvl_zip_member *member, uint32_t *space,
                                   lvl_sink *sink, lvl_findings *findings, lvl_text *json, bool *odd,
                                   bool *damaged)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    bool sound;
    lvl_status status = lvl_zip_inflate(doc->ctx, member, &storage, &bytes, &sound);

    if (status == LVL_OK && bytes.ptr == storage.data) { /* it must live as long as the document */
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
        lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_MEMBER], NULL, &pos,
                         "the document's stream or checksum is broken; %zu bytes of it came out", bytes.len);
    }
    const lvl_space s = {.id = ++*space,
                         .parent = 0,
                         .parent_bit = (uint64_t)(member->packed.ptr - doc->input.ptr) * 8,
                         .parent_bits = (uint64_t)member->packed.len * 8,
                         .bytes = bytes,
                         .name = "the document"};
    if (sink)
        sink->space(sink, &s);
    lvl_json_reading reading = {.doc = doc, .sink = sink, .findings = findings, .space = s.id};
    reading.outer = s.parent_bit / 8;
    lvl_text rest;
    const lvl_text text = {(const char *)bytes.ptr, bytes.len};
    status = lvl_sketchy_read_document(&reading, text, json, &rest);
    *odd = *odd || reading.doubled;
    *damaged = *damaged || status != LVL_OK || reading.broken || !sound;
    if (status == LVL_OK && rest.len) {
        lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_TRAILING], NULL, NULL,
                         "%zu bytes follow the document in its member", rest.len);
        json->len += rest.len;
        tell_rest(sink, s.id, bytes.len - rest.len, rest.len, LVL_SPAN_SPELLING, NULL);
    }
    return status;
}

/* ---- the face ------------------------------------------------------------------------------------------------------------------------ */

lvl_status lvl_sketchy_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_bytes in = doc->input;
    lvl_sketchy *d = doc->root;

    if (in.len >= 2 && in.ptr[0] == 0x1F && in.ptr[1] == 0x8B) {
        d->generation = LVL_SKETCHY_V2;
        return read_gzip(doc, sink, findings);
    }
    if (lvl_zip_probe(in))
        return read_zip(doc, sink, findings);
    d->generation = LVL_SKETCHY_V1;
    return read_text(doc, (lvl_text){(const char *)in.ptr, in.len}, 0, sink, findings);
}
