/*
 * sketchy/drawing_read.c: drawings of every generation into records; see lvl/sketchy.h. JSON and gzip are
 * read here, zips in drawing_zip.c.
 *
 * v1:   {"version":1, …, "chunks":{"size":128,"chunks":{"0,0":{…}, …}}, …}
 * v2:   1F 8B …, gzip of the same
 * v3+:  PK 03 04 …, a zip: chunks/<layer>/<column>,<row>.json or .bin, assets/…, level.json or doodad.json
 * (last, as the game writes it)
 *
 * Known liars: a gzip that was cut loads as an empty level in the game; doodads may hold chunks of layers
 * that they don't have; archives repaired by other tools have members in any order.
 */
#include "sketchy/drawing_read.h"

#include "base/cursor.h"
#include "base/work.h"
#include "codec/inflate.h"
#include "codec/tokens.h"
#include "sketchy/recover.h"
#include "sketchy/sketchy_findings.h"
#include "sketchy/sketchy_probe.h"

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

/* ---- level or doodad --------------------------------------------------------------------------------- */

static bool is_one_of(const lvl_token *key, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lvl_token_is_nocase(key, keys[i]))
            return true;
    }
    return false;
}

/* So that a level's chunks needn't be passed over, the first key that only one of them has decides. Some keys
 * of doodads are words that anybody might add to a level: they count only where nothing else does. */
uint8_t lvl_sketchy_kind_of(lvl_text json)
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

void lvl_sketchy_new_layer(const lvl_doc *doc, lvl_sketchy_layer *layer)
{
    lvl_record_init(layer, &lvl_sketchy_layer_table);
    if (lvl_sketchy_is_broken(doc) || !((const lvl_sketchy *)doc->root)->json.len)
        layer->size = 0;
}

lvl_status lvl_sketchy_sort_layers(lvl_doc *doc)
{
    lvl_sketchy *d = doc->root;

    if (d->kind == LVL_SKETCHY_LEVEL && !d->layer_count) {
        d->layers = lvl_arena_alloc(&doc->arena, sizeof *d->layers);
        if (!d->layers)
            return LVL_ERR_MEMORY;
        lvl_sketchy_new_layer(doc, d->layers);
        d->layer_count = 1;
    }
    for (uint32_t i = 0; i < d->layer_count; i++) {
        lvl_sketchy_layer *layer = &d->layers[i];
        for (uint32_t k = 0; k < layer->chunk_count; k++)
            layer->chunks[k].pixels = (lvl_cells){NULL, layer->size, layer->size, 2};
    }
    return LVL_OK;
}

/* ---- JSON and gzip ----------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* What is whole of a document that breaks off, into the root as it was before; `*json` is a text that says
 * it. */
static lvl_status read_recovered(lvl_json_reading *reading, lvl_text text, const void *before, lvl_text *json)
{
    lvl_doc *doc = reading->doc;
    lvl_json_reading again = {.doc = doc, .recovered = true};
    lvl_buffer repaired = {0};

    lvl_status status = lvl_sketchy_recover_json(text, lvl_sketchy_shape(doc), &repaired, NULL);
    if (status == LVL_OK) {
        json->ptr = lvl_arena_copy(&doc->arena, repaired.data, repaired.len);
        json->len = repaired.len;
        status = json->ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&repaired);
    if (status != LVL_OK)
        return status;
    memcpy(doc->root, before, doc->format->table->struct_size);
    status = lvl_sketchy_read_json(&again, *json, lvl_sketchy_shape(doc));
    reading->said = again.said;
    return status;
}

bool lvl_sketchy_is_padding(lvl_bytes bytes)
{
    size_t i = 0;

    while (i < bytes.len && (!bytes.ptr[i] || is_space((char)bytes.ptr[i])))
        i++;
    return i == bytes.len;
}

static void report_early_end(const lvl_json_reading *reading, size_t used, size_t len)
{
    const lvl_position pos = {reading->space, (reading->base + used) * 8, (uint64_t)len * 8, 0, true};

    lvl_findings_add(reading->findings, &lvl_sketchy_findings[LVL_SKETCHY_F_JSON], NULL, &pos,
                     "the document ends here, but %zu bytes with more keys follow", len);
    lvl_sketchy_emit_rest(reading->sink, reading->space, reading->base + used, len, LVL_SPAN_CONTAINER, NULL);
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
    while (used < text.len && is_space(text.ptr[used]))
        used++;
    if (reading->broken ||
        !lvl_sketchy_is_padding((lvl_bytes){(const uint8_t *)text.ptr + used, text.len - used})) {
        lvl_text whole;
        const lvl_status repaired = read_recovered(reading, text, &before, &whole);
        if (repaired != LVL_OK && repaired != LVL_ERR_MISSING)
            return repaired;
        if (repaired == LVL_OK) {
            if (!reading->broken)
                report_early_end(reading, used, text.len - used);
            reading->broken = true;
            *json = whole;
            *rest = (lvl_text){text.ptr + text.len, 0};
            return lvl_sketchy_note_broken(reading->doc, reading->said);
        }
    }
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

void lvl_sketchy_emit_span(lvl_sink *sink, uint64_t at, uint64_t len, const char *note)
{
    const lvl_span span = {.bit = at * 8, .bits = len * 8, .role = LVL_SPAN_CONTAINER, .note = note};

    if (sink && len)
        sink->span(sink, &span);
}

void lvl_sketchy_emit_rest(lvl_sink *sink, uint32_t space, uint64_t at, size_t len, lvl_span_role role,
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

const lvl_field *lvl_sketchy_root_field(const lvl_doc *doc, size_t offset)
{
    return lvl_table_at(doc->format->table, offset);
}

bool lvl_sketchy_take_lead(lvl_text *text, uint32_t space, bool plain, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_bytes in = {(const uint8_t *)text->ptr, text->len};
    bool mark, other = false;
    size_t lead = lvl_sketchy_lead(in, &mark);
    if (plain && lead < in.len && in.ptr[lead] != '{') {
        const size_t from = lvl_sketchy_find_json(in);
        other = from > 0;
        lead = other ? from : lead;
    }
    const lvl_position pos = {space, 0, (uint64_t)lead * 8, 0, !space};

    if (!lead || (!mark && !plain))
        return false;
    lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_LEAD], NULL, pos.known ? &pos : NULL,
                     other  ? "there are other bytes before the document"
                     : mark ? "there is a byte order mark before the document"
                            : "there are blanks before the document");
    lvl_sketchy_emit_rest(sink, space, 0, lead, LVL_SPAN_SPELLING, NULL);
    text->ptr += lead;
    text->len -= lead;
    return true;
}

void lvl_sketchy_report_behind(lvl_findings *findings, unsigned what, const lvl_position *pos,
                               lvl_bytes bytes, const char *behind)
{
    const bool padding = what == LVL_SKETCHY_F_TRAILING && lvl_sketchy_is_padding(bytes);

    lvl_findings_add(findings, &lvl_sketchy_findings[padding ? LVL_SKETCHY_F_PADDING : what], NULL, pos,
                     "%zu %sbytes follow the %s", bytes.len, padding ? "blank " : "", behind);
}

static lvl_status read_text(lvl_doc *doc, lvl_text text, uint32_t space, lvl_sink *sink,
                            lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    lvl_json_reading reading = {.doc = doc, .sink = sink, .findings = findings, .space = space};
    const size_t all = text.len;
    lvl_text rest;

    lvl_status status = lvl_sketchy_take_lead(&text, space, !space, sink, findings)
                            ? lvl_sketchy_keep_file(doc, &d->file, false)
                            : LVL_OK;
    if (status != LVL_OK)
        return status;
    reading.base = all - text.len;
    d->kind = lvl_sketchy_kind_of(text);
    status = lvl_sketchy_read_document(&reading, text, &d->json, &rest);
    if (status != LVL_OK)
        return status;
    if (reading.broken || reading.doubled)
        status = lvl_sketchy_keep_file(doc, &d->file, reading.broken);
    if (status == LVL_OK && reading.broken)
        status = lvl_sketchy_sort_layers(doc);
    if (status == LVL_OK && reading.broken)
        status = lvl_sketchy_recover_lost(doc, findings);
    if (status != LVL_OK)
        return status;
    if (rest.len) {
        const lvl_position pos = {space, (uint64_t)(all - rest.len) * 8, (uint64_t)rest.len * 8, 0, true};
        lvl_sketchy_report_behind(findings, space ? LVL_SKETCHY_F_TRAILING : LVL_SKETCHY_F_REFUSED, &pos,
                                  (lvl_bytes){(const uint8_t *)rest.ptr, rest.len}, "document");
        d->json.len += rest.len; /* they stay with the text */
        lvl_sketchy_emit_rest(sink, space, all - rest.len, rest.len, LVL_SPAN_SPELLING,
                              lvl_sketchy_root_field(doc, offsetof(lvl_sketchy, json)));
    }
    return lvl_sketchy_sort_layers(doc);
}

bool lvl_sketchy_is_gzip(lvl_bytes in)
{
    return in.len > 2 && in.ptr[0] == 0x1F && in.ptr[1] == 0x8B && in.ptr[2] == 8;
}

/* What all members of a gzip say, one behind the other: a file may be of several, and Go reads them as one.
 * Appends to `text`; reports how the last one ended. */
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
    const size_t at =
        status == LVL_OK && !text->len && report->end != LVL_INFLATE_DONE ? lvl_sketchy_find_deflated(in) : 0;
    if (at) {
        status = lvl_inflate_wrapped_salvage(LVL_WRAP_RAW, (lvl_bytes){in.ptr + at, in.len - at}, text, most,
                                             report);
        if (report->end == LVL_INFLATE_DONE)
            report->end = LVL_INFLATE_BAD_HEADER;
        *used = in.len;
    }
    return status;
}

static lvl_status read_gzip(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_bytes in = doc->input;
    const uint64_t most = lvl_memory_share(doc->ctx);
    lvl_sketchy *d = doc->root;
    lvl_buffer text = {0};
    size_t used = 0, len = 0;
    lvl_status status = LVL_ERR_FORMAT;
    char *plain = NULL;

    /* the size that the stream tells at its end, if it can be */
    const uint32_t size = in.len > 18 ? lvl_load_u32le(in.ptr + in.len - 4) : 0;
    if (size && size <= most &&
        !lvl_inflate_impossible(in.len, size, lvl_limits_of(doc->ctx).inflate_ratio)) {
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
            status = lvl_refuse(doc->ctx, LVL_LIMIT_MEMORY, most, 0);
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
                             "the stream is truncated; it gave %zu bytes of text", len);
        else if (report.end != LVL_INFLATE_DONE)
            lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_GZIP_BAD], NULL, &pos,
                             "the stream is broken (%s); it gave %zu bytes of text",
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
        lvl_sketchy_emit_span(sink, 0, used, "gzip stream");
        lvl_sketchy_emit_rest(sink, 0, used, in.len - used, LVL_SPAN_SPELLING,
                              lvl_sketchy_root_field(doc, offsetof(lvl_sketchy, after)));
        sink->space(sink, &space);
    }
    if (d->after.len) {
        const lvl_position pos = {0, (uint64_t)used * 8, (uint64_t)d->after.len * 8, 0, true};
        lvl_sketchy_report_behind(findings, LVL_SKETCHY_F_TRAILING, &pos, d->after, "gzip stream");
    }
    return read_text(doc, (lvl_text){plain, len}, 1, sink, findings);
}

/* ---- the face ---------------------------------------------------------------------------------------- */

lvl_status lvl_sketchy_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_bytes in = doc->input;
    lvl_sketchy *d = doc->root;
    bool mark;

    if (in.len >= 2 && in.ptr[0] == 0x1F && in.ptr[1] == 0x8B) {
        d->generation = LVL_SKETCHY_V2;
        return read_gzip(doc, sink, findings);
    }
    if (lvl_zip_probe(in))
        return lvl_sketchy_read_zip(doc, sink, findings);
    const size_t lead = lvl_sketchy_lead(in, &mark);
    if (lead == in.len || in.ptr[lead] != '{') { /* its first bytes are damaged, perhaps */
        if (lvl_zip_ends(in))
            return lvl_sketchy_read_zip(doc, sink, findings);
        d->generation = LVL_SKETCHY_V2;
        if (lvl_sketchy_find_deflated(in))
            return read_gzip(doc, sink, findings);
        if (lvl_zip_holds(in))
            return lvl_sketchy_read_zip(doc, sink, findings);
    }
    d->generation = LVL_SKETCHY_V1;
    return read_text(doc, (lvl_text){(const char *)in.ptr, in.len}, 0, sink, findings);
}
