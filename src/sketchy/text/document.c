/*
 * sketchy/text/document.c: the JSON document of a drawing or pack, sound or broken; and whether it is a
 * level or a doodad.
 */
#include "sketchy/text/document.h"

#include "codec/tokens.h"
#include "sketchy/model/findings.h"
#include "sketchy/model/probe.h"

#include <string.h>

/* ---- level or doodad --------------------------------------------------------------------------------- */

static bool is_one_of(const lvl_token *key, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lvl_token_is_nocase(key, keys[i]))
            return true;
    }
    return false;
}

/* The first key that only levels or only doodads have decides, so that a level's chunks need not be scanned.
 * Some keys of doodads are common words that anybody might add to a level: they only count without others. */
uint8_t lvl_sketchy_kind_of(lvl_text json)
{
    static const char *const level[] = {"passwd",      "chunks",       "rules",         "actors",
                                        "pageType",    "wallpaper",    "boundedHeight", "scroll",
                                        "saveDoodads", "saveBuiltins", "boundedWidth",  "pixels"};
    static const char *const doodad[] = {"layers"};
    static const char *const perhaps[] = {"script", "hitbox", "hidden", "data"};
    static const char *const early[] = {"palette", "size"}; /* a level's palette follows keys that decide */
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

/* ---- reading ----------------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Reads a recovered text of a broken document, `*json`, into the root as it was `before`. Keys after the
 * break may show that it is of the other kind. */
static lvl_status read_recovered(lvl_json_reading *reading, lvl_text text, const void *before, lvl_text *json)
{
    lvl_doc *doc = reading->doc;
    lvl_json_reading again = {.doc = doc, .inherits = reading->inherits, .recovered = true};
    lvl_sketchy *d = reading->guessed ? doc->root : NULL;
    lvl_buffer repaired = {0};
    lvl_shapes shapes;
    uint8_t kind = d ? d->kind : 0;

    lvl_sketchy_shapes(&shapes, doc);
    lvl_status status = lvl_sketchy_recover_json(text, &shapes, &repaired, NULL);
    const lvl_text found = {(const char *)repaired.data, repaired.len};
    if (status == LVL_OK && d && lvl_sketchy_kind_of(found) != kind) {
        d->kind = kind = lvl_sketchy_kind_of(found);
        repaired.len = 0;
        lvl_sketchy_shapes(&shapes, doc);
        status = lvl_sketchy_recover_json(text, &shapes, &repaired, NULL);
    }
    if (status == LVL_OK) {
        json->ptr = lvl_arena_copy(&doc->arena, repaired.data, repaired.len);
        json->len = repaired.len;
        status = json->ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&repaired);
    if (status != LVL_OK)
        return status;
    memcpy(doc->root, before, doc->format->table->struct_size);
    if (d)
        d->kind = kind;
    status = lvl_sketchy_read_json(&again, *json);
    reading->present = again.present;
    return status;
}

static void report_early_end(const lvl_json_reading *reading, size_t used, size_t len)
{
    const lvl_position pos = {reading->space, (reading->base + used) * 8, (uint64_t)len * 8, 0, true};

    lvl_findings_add(
        reading->findings, &lvl_sketchy_findings[LVL_SKETCHY_F_JSON], NULL, &pos,
        "the document ends here, but %zu bytes with more keys follow: the game does not read them", len);
    lvl_sketchy_emit_rest(reading->sink, reading->space, reading->base + used, len, LVL_SPAN_CONTAINER, NULL);
}

lvl_status lvl_sketchy_read_document(lvl_json_reading *reading, lvl_text text, lvl_text *json, lvl_text *rest)
{
    union {
        lvl_sketchy drawing;
        lvl_levelpack pack;
    } before;

    memcpy(&before, reading->doc->root, reading->doc->format->table->struct_size);
    const lvl_status status = lvl_sketchy_read_json(reading, text);
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
            return lvl_sketchy_note_broken(reading->doc, reading->present);
        }
    }
    *json = (lvl_text){text.ptr, used};
    *rest = (lvl_text){text.ptr + used, text.len - used};
    lvl_emit_span(reading->sink, reading->base + reading->used, used - reading->used,
                  (lvl_span){.space = reading->space, .role = LVL_SPAN_CONTAINER, .note = "JSON"});
    return LVL_OK;
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
                     "there %s before the document: %s",
                     other  ? "are other bytes"
                     : mark ? "is a byte order mark"
                            : "are blanks",
                     plain ? "the game does not load the file" : "the game loads an empty level");
    lvl_sketchy_emit_rest(sink, space, 0, lead, LVL_SPAN_SPELLING, NULL);
    text->ptr += lead;
    text->len -= lead;
    return true;
}

void lvl_sketchy_report_trailing(lvl_findings *findings, unsigned what, const lvl_position *pos,
                                 lvl_bytes bytes, const char *part)
{
    const bool padding = what == LVL_SKETCHY_F_TRAILING && lvl_sketchy_is_padding(bytes);

    lvl_findings_add(findings, &lvl_sketchy_findings[padding ? LVL_SKETCHY_F_PADDING : what], NULL, pos,
                     "%zu %sbytes follow the %s%s", bytes.len, padding ? "blank " : "", part,
                     padding                         ? ", which does no harm"
                     : what == LVL_SKETCHY_F_REFUSED ? ": the game does not load the file"
                                                     : ": the game does not read them");
}
