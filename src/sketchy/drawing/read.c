/*
 * sketchy/drawing/read.c: reads drawings of every generation; see lvl/sketchy.h. JSON and gzip are
 * read here, zips in drawing_zip.c.
 *
 * v1:   {"version":1, …, "chunks":{"size":128,"chunks":{"0,0":{…}, …}}, …}
 * v2:   1F 8B …, gzip of the same
 * v3+:  PK 03 04 …, a zip: chunks/<layer>/<column>,<row>.json or .bin, assets/…, level.json or doodad.json
 * (last, as the game writes it)
 *
 * Known wrong values: a truncated gzip loads as an empty level in the game; doodads may have chunks of layers
 * that their document does not have; archives repaired by other tools have members in any order.
 */
#include "sketchy/drawing/read.h"

#include "base/cursor.h"
#include "base/work.h"
#include "codec/inflate.h"
#include "sketchy/zip/recover.h"
#include "sketchy/model/findings.h"
#include "sketchy/model/probe.h"
#include "sketchy/text/document.h"
#include "sketchy/zip/members.h"

#include <string.h>

/* ---- JSON and gzip ----------------------------------------------------------------------------------- */

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
    reading.guessed = true;
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
        lvl_sketchy_report_trailing(findings, space ? LVL_SKETCHY_F_TRAILING : LVL_SKETCHY_F_REFUSED, &pos,
                                    (lvl_bytes){(const uint8_t *)rest.ptr, rest.len}, "document");
        d->json.len += rest.len; /* kept with the text */
        lvl_sketchy_emit_rest(sink, space, all - rest.len, rest.len, LVL_SPAN_SPELLING,
                              LVL_FIELD(lvl_sketchy, json));
    }
    return lvl_sketchy_sort_layers(doc);
}

/* Inflates all members of a gzip into `text`: a file may have several, and Go reads them as one. `report`: of
 * the last one. */
static lvl_status inflate_members(lvl_work *work, lvl_bytes in, size_t most, lvl_buffer *text, size_t *used,
                                  bool *several, lvl_inflate_report *report)
{
    lvl_status status = LVL_OK;

    *used = 0;
    do {
        *several = *used > 0;
        const lvl_bytes rest = {in.ptr + *used, in.len - *used};
        status = lvl_inflate_salvage(work, LVL_WRAP_GZIP, rest, text, most - text->len, report);
        *used = report->end == LVL_INFLATE_DONE ? *used + report->in_used : in.len;
    } while (status == LVL_OK && report->end == LVL_INFLATE_DONE &&
             lvl_sketchy_is_gzip((lvl_bytes){in.ptr + *used, in.len - *used}));
    const size_t at =
        status == LVL_OK && !text->len && report->end != LVL_INFLATE_DONE ? lvl_sketchy_find_deflated(in) : 0;
    if (at) {
        status = lvl_inflate_salvage(work, LVL_WRAP_RAW, (lvl_bytes){in.ptr + at, in.len - at}, text, most,
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
    lvl_work work = lvl_work_begin(doc->ctx);
    lvl_status status = LVL_ERR_FORMAT;
    char *plain = NULL;

    /* the size at the end of the stream, if it is possible */
    const uint32_t size = in.len > 18 ? lvl_load_u32le(in.ptr + in.len - 4) : 0;
    if (size && size <= most &&
        !lvl_inflate_impossible(in.len, size, lvl_limits_of(doc->ctx).inflate_ratio)) {
        plain = lvl_arena_raw(&doc->arena, size);
        if (!plain)
            return LVL_ERR_MEMORY;
        status = lvl_inflate_wrapped(&work, LVL_WRAP_GZIP, in, (uint8_t *)plain, size, &used, &len);
        if (status == LVL_ERR_MEMORY || work.status != LVL_OK)
            return status;
    }
    if (status != LVL_OK || lvl_sketchy_is_gzip((lvl_bytes){in.ptr + used, in.len - used})) {
        lvl_inflate_report report;
        bool several;
        status = inflate_members(&work, in, most < SIZE_MAX ? (size_t)most : SIZE_MAX, &text, &used, &several,
                                 &report);
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
        if (report.end != LVL_INFLATE_DONE || several) /* our encoder would write another stream */
            status = lvl_sketchy_keep_file(doc, &d->file, report.end != LVL_INFLATE_DONE);
        if (status != LVL_OK)
            return status;
        if (report.end == LVL_INFLATE_TRUNCATED)
            lvl_findings_add(findings, &lvl_sketchy_findings[LVL_SKETCHY_F_GZIP_CUT], NULL, &pos,
                             "the file is cut off inside its compressed data: the game loads an empty level, "
                             "without a warning. %zu bytes of its text can be read",
                             len);
        else if (report.end != LVL_INFLATE_DONE)
            lvl_findings_add(
                findings, &lvl_sketchy_findings[LVL_SKETCHY_F_GZIP_BAD], NULL, &pos,
                "the compressed data is broken (%s): the game may load an empty level. %zu bytes of "
                "its text can be read",
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
        lvl_sketchy_emit_rest(sink, 0, used, in.len - used, LVL_SPAN_SPELLING, LVL_FIELD(lvl_sketchy, after));
        sink->space(sink, &space);
    }
    if (d->after.len) {
        const lvl_position pos = {0, (uint64_t)used * 8, (uint64_t)d->after.len * 8, 0, true};
        lvl_sketchy_report_trailing(findings, LVL_SKETCHY_F_TRAILING, &pos, d->after, "gzip stream");
    }
    return read_text(doc, (lvl_text){plain, len}, 1, sink, findings);
}

/* ---- any generation ---------------------------------------------------------------------------------- */

static lvl_status read_drawing(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
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
    if (lead == in.len || in.ptr[lead] != '{') { /* perhaps its first bytes are damaged */
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

lvl_status lvl_sketchy_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_status status = read_drawing(doc, sink, findings);

    return status == LVL_OK && doc->edit ? lvl_sketchy_note_palette(doc) : status;
}
