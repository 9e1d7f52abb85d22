/*
 * tools/check/check.c: reads a file, checks it, measures its residue and round trip; findings as text and
 * JSON.
 */
#include "base/format.h"
#include "base/text.h"
#include "base/hash.h"
#include "codec/json.h"
#include "tools/values/streams.h"
#include "tools/explain/coverage.h"
#include "tools/check/reports.h"
#include "tools/check/rules.h"

#include <lvl/scene.h>
#include <string.h>

const char *lvl_verdict_name(lvl_verdict verdict)
{
    static const char *const names[] = {"sound", "damaged", "unreadable", "foreign", "faulty"};
    return names[verdict];
}

/* Whether writing gives the input. `status` is set without memory. */
static bool writes_input(const lvl_doc *doc, lvl_bytes input, lvl_status *status)
{
    lvl_buffer out = {0};

    lvl_status written = lvl_doc_write(doc, &out);
    if (written == LVL_ERR_MEMORY)
        *status = written;
    bool same =
        written == LVL_OK && out.len == input.len && (!out.len || memcmp(out.data, input.ptr, out.len) == 0);
    lvl_buffer_free(&out);
    return same;
}

/* Whether the input is written byte for byte, directly and after a dump. */
static bool round_trips(const lvl_doc *doc, lvl_bytes input, lvl_status *status)
{
    lvl_buffer json = {0};
    lvl_doc *again = NULL;
    const lvl_dump_options options = {.compact = true};

    if (!writes_input(doc, input, status))
        return false;
    lvl_status done = lvl_dump(doc, &options, &json, NULL);
    if (done == LVL_OK) {
        lvl_text text = {(const char *)json.data, json.len};
        done = lvl_undump_as(&again, doc->ctx, doc->format, text, NULL);
    }
    lvl_buffer_free(&json);
    if (done == LVL_ERR_MEMORY)
        *status = done;
    bool same = done == LVL_OK && writes_input(again, input, status);
    lvl_doc_free(again);
    return same;
}

/* Does not count streams that a library makes again. */
static lvl_status subtract_streams(const lvl_doc *doc, lvl_check_result *result)
{
    lvl_streams streams;
    const lvl_status status = lvl_streams_find(doc, &streams);

    for (size_t i = 0; i < streams.count; i++) {
        const size_t len = lvl_get_bytes(streams.items[i].record, streams.items[i].field).len;
        result->kept -= len < result->kept ? len : result->kept;
    }
    lvl_streams_free(&streams);
    return status;
}

/* Counts the bits that nothing claims, and gives findings their positions. `trace`: of the document's
 * reading; NULL: it is read again. */
static lvl_status find_residue(const lvl_doc *doc, lvl_trace *trace, lvl_findings *findings, uint64_t *bits)
{
    if (!trace)
        return lvl_residue_located(doc, findings, bits, NULL);
    const lvl_status status = lvl_trace_residue(trace, doc, bits);
    return status == LVL_OK ? lvl_trace_locate(trace, doc, findings) : status;
}

enum {
    TILES = 0x10000,
    ROW = 256,
    MOST_ROWS = 1 << 16 /* of ROW cells; the paper of a hostile drawing has any number */
};

/* Asks the art for the pictures of all cells of a layer. */
static void read_tiles(const lvl_scene_layer *layer, uint8_t *asked)
{
    uint32_t values[ROW], rows = 0;
    lvl_scene_tile tile;

    memset(asked, 0, TILES / 8);
    for (uint32_t y = 0; y < layer->rows && rows < MOST_ROWS; y++) {
        for (uint32_t x = 0; x < layer->columns && rows < MOST_ROWS; x += ROW, rows++) {
            const uint32_t count = layer->columns - x < ROW ? layer->columns - x : ROW;
            layer->cells(layer, x, y, count, values);
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t value = values[i];
                if (value >= TILES || asked[value / 8] & 1u << value % 8)
                    continue;
                asked[value / 8] |= (uint8_t)(1u << value % 8);
                layer->tile(layer, value, &tile);
            }
        }
    }
}

/* Reports damaged pictures that the document uses. Files that a document is made of are checked by
 * themselves, and a drawing has its pixels in the file. */
static lvl_status check_pictures(const lvl_doc *doc, const lvl_art *art, lvl_findings *findings)
{
    lvl_scene_request request = {.art = art, .bare = true};
    uint8_t asked[TILES / 8];
    lvl_scene *scene = NULL;
    const char *path;
    bool in_part;

    lvl_status status = lvl_doc_scene(doc, &request, &scene);
    const bool drawn = status == LVL_OK && !scene->files && !scene->has_colours;
    if (drawn) {
        lvl_scene_free(scene);
        scene = NULL;
        request.bare = false;
        status = lvl_doc_scene(doc, &request, &scene);
    }
    for (uint32_t i = 0; drawn && status == LVL_OK && i < scene->layer_count; i++) {
        if (!scene->layers[i].drawn) /* else its pixels are the document's */
            read_tiles(&scene->layers[i], asked);
    }
    lvl_scene_free(scene);
    for (size_t i = 0; (path = lvl_art_damaged(art, i, &in_part)); i++)
        lvl_findings_add(findings, &lvl_doc_art_unreadable, NULL, NULL, "%s is damaged: %s", path,
                         in_part ? "a part of it is drawn" : "it cannot be read");
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

/* Fills in the result for a document that could be read. */
static lvl_status examine(const lvl_doc *doc, lvl_bytes input, const lvl_check_options *options,
                          const lvl_check_request *request, lvl_trace *trace, lvl_check_result *result)
{
    lvl_findings *findings = request->findings;
    uint64_t bits = 0;
    lvl_status status = LVL_OK;

    if (doc->format->calls->check)
        status = doc->format->calls->check(doc, request);
#ifndef LVL_WITHOUT_NAMES /* no page reads a file of rules */
    for (const lvl_rules *const *rules = options->rules; status == LVL_OK && rules && *rules; rules++)
        status = lvl_rules_check(*rules, doc, findings);
#endif
    if (status == LVL_OK && options->art && !options->verdict_only)
        status = check_pictures(doc, options->art, findings);
    if (status == LVL_OK && options->art)
        status = lvl_art_status(options->art);
    if (options->verdict_only)
        return status == LVL_OK ? lvl_findings_status(findings) : status;
    if (status == LVL_OK)
        status = find_residue(doc, trace, findings, &bits);
    result->residue = (bits + 7) / 8;
    if (status == LVL_OK && (options->roundtrip || !options->no_kept))
        status = lvl_doc_kept(doc, &result->kept);
    if (status == LVL_OK && options->roundtrip)
        result->roundtrip = round_trips(doc, input, &status);
    const lvl_field *made = NULL;
    if (status == LVL_OK && result->roundtrip && options->roundtrip)
        status = lvl_made_member(doc, &made);
    const uint64_t usual = !made                    ? 0
                           : made->kind == LVL_TEXT ? lvl_get_text(doc->root, made).len
                                                    : lvl_get_bytes(doc->root, made).len;
    if (result->kept >= usual) /* the writer makes these bytes without spelling */
        result->kept -= usual;
    if (status == LVL_OK && options->roundtrip && result->kept)
        status = subtract_streams(doc, result);
    return status == LVL_OK ? lvl_findings_status(findings) : status;
}

lvl_status lvl_check_marks(const lvl_doc *doc, const lvl_art *art, lvl_render_options *options,
                           lvl_findings **found)
{
    *found = NULL;
    if (!(options->overlays & LVL_OVERLAY_FINDINGS))
        return LVL_OK;
    lvl_findings *findings = lvl_findings_new(doc->ctx);
    if (!findings)
        return LVL_ERR_MEMORY;
    *found = findings;
    options->findings = findings;
    const lvl_check_request request = {.findings = findings, .art = art, .each = true};
    const lvl_status status = doc->format->calls->check ? doc->format->calls->check(doc, &request) : LVL_OK;
    return status == LVL_OK ? lvl_findings_status(findings) : status;
}

static lvl_verdict verdict_of(const lvl_findings *findings)
{
    lvl_severity worst = lvl_findings_worst(findings);

    return worst == LVL_FATAL              ? LVL_UNREADABLE
           : lvl_findings_damage(findings) ? LVL_DAMAGED
           : worst == LVL_ERROR            ? LVL_FAULTY
                                           : LVL_SOUND;
}

lvl_status lvl_check(const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input, const char *name,
                     const lvl_check_options *options, lvl_findings *findings, lvl_check_result *result,
                     lvl_doc **out)
{
    const lvl_check_options none = {0};
    const lvl_check_options *o = options ? options : &none;
    const bool show = (o->no_kept || (o->verdict_only && !out)) && !o->roundtrip;
    const unsigned flags = show ? LVL_READ_BORROW | LVL_READ_SHOW : LVL_READ_BORROW;
    lvl_status status = LVL_OK;
    lvl_doc *doc = NULL;
    bool traced = false;
    lvl_trace trace;

    lvl_trace_begin(&trace);
    memset(result, 0, sizeof *result);
    if (out)
        *out = NULL;
    result->roundtrip_asked = o->roundtrip;
    if (o->sha256)
        lvl_sha256_hex(input, result->sha256);
    result->format = format ? format : lvl_formats_probe_file(ctx, input, name, NULL);
    result->status = result->format ? lvl_read_traced(&doc, ctx, result->format, input, name, flags, findings,
                                                      o->verdict_only ? NULL : &trace.sink, &traced)
                                    : LVL_ERR_FOREIGN;
    if (result->status == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    else if (result->status == LVL_ERR_FOREIGN)
        result->verdict = LVL_FOREIGN;
    else if (result->status != LVL_OK)
        result->verdict = LVL_UNREADABLE;
    else
        status = examine(doc, input, o, &(lvl_check_request){.findings = findings, .art = o->art},
                         traced ? &trace : NULL, result);
    lvl_trace_free(&trace);
    if (status == LVL_OK && doc)
        result->verdict = verdict_of(findings);
    if (status != LVL_OK || !out)
        lvl_doc_free(doc);
    else
        *out = doc;
    return status;
}

/* ---- findings ---------------------------------------------------------------------------------------- */

static void write_finding(const lvl_finding *f, lvl_buffer *out)
{
    char path[400];

    lvl_buffer_u8(out, '{');
    lvl_json_put_string(out, "id", f->def->id);
    lvl_json_put_string(out, "severity", lvl_severity_name(f->severity));
    if (f->position.known) {
        lvl_json_put_uint(out, "offset", f->position.bit / 8);
        lvl_json_put_uint(out, "length", (f->position.bit % 8 + f->position.bits + 7) / 8);
        if (f->position.space)
            lvl_json_put_uint(out, "outer", f->position.outer);
    } else {
        lvl_buffer_str(out, ",\"offset\":null,\"length\":null");
    }
    lvl_where_text(&f->where, path, sizeof path);
    lvl_json_put_string(out, "path", path);
    if (f->member)
        lvl_json_put_string(out, "member", f->member);
    lvl_json_put_string(out, "text", f->text);
    lvl_buffer_u8(out, '}');
}

lvl_status lvl_findings_json(const lvl_findings *findings, lvl_buffer *out)
{
    lvl_buffer_u8(out, '[');
    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        lvl_json_next(out);
        write_finding(lvl_findings_at(findings, i), out);
    }
    lvl_buffer_u8(out, ']');
    return out->status;
}

lvl_status lvl_check_json(const lvl_check_result *result, const lvl_findings *findings, const char *file,
                          lvl_buffer *out)
{
    lvl_buffer_u8(out, '{');
    lvl_json_put_string(out, "file", file);
    if (result->format)
        lvl_json_put_string(out, "format", result->format->id);
    else
        lvl_buffer_str(out, ",\"format\":null");
    lvl_json_put_string(out, "sha256", *result->sha256 ? result->sha256 : NULL);
    lvl_json_put_string(out, "verdict", lvl_verdict_name(result->verdict));
    lvl_json_put_uint(out, "residue", result->residue);
    lvl_json_put_uint(out, "kept", result->kept);
    if (result->roundtrip_asked)
        lvl_json_put_bool(out, "roundtrip", result->roundtrip);
    lvl_json_key(out, "findings");
    lvl_findings_json(findings, out);
    lvl_buffer_str(out, "}\n");
    return out->status;
}

/* For terminals: controls are escaped. */
static void put_shown(lvl_buffer *out, const char *text)
{
    char buf[600];

    lvl_buffer_str(out, lvl_text_show(buf, sizeof buf, LVL_CP_UTF8, lvl_text_of(text)));
}

static void put_finding(lvl_buffer *out, const lvl_finding *f, const char *file)
{
    char text[400];

    put_shown(out, file);
    lvl_buffer_u8(out, ':');
    if (lvl_position_text(&f->position, text, sizeof text))
        lvl_buffer_printf(out, "%s:", text);
    lvl_buffer_printf(out, " %s: %s: ", lvl_severity_name(f->severity), f->def->id);
    put_shown(out, f->text);
    if (lvl_where_text(&f->where, text, sizeof text))
        lvl_buffer_printf(out, " (%s)", text);
    lvl_buffer_u8(out, '\n');
}

/* Findings of one id. */
struct finding_kind {
    const lvl_finding_def *def;
    lvl_severity severity;
    size_t count, shown;
    const char *texts[LVL_FINDINGS_MANY]; /* of those shown */
};

/* Whether a finding deserves a line: its text is new, and its kind has few lines. */
static bool worth_a_line(const struct finding_kind *kind, const char *text, size_t few)
{
    for (size_t i = 0; i < kind->shown; i++) {
        if (strcmp(kind->texts[i], text) == 0)
            return false;
    }
    return kind->shown < few && kind->shown < LVL_FINDINGS_MANY;
}

void lvl_findings_few(const lvl_findings *findings, lvl_severity least, size_t few,
                      const lvl_few_lines *lines)
{
    struct finding_kind kinds[64]; /* further ids are listed in full */
    size_t n = 0;

    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        size_t k = 0;
        if (f->severity < least)
            continue;
        while (k < n && kinds[k].def != f->def)
            k++;
        if (k == LVL_COUNT_OF(kinds)) {
            lines->one(lines->user, f);
            continue;
        }
        if (k == n)
            kinds[n++] = (struct finding_kind){.def = f->def, .severity = f->severity};
        kinds[k].count++;
        if (worth_a_line(&kinds[k], f->text, few)) {
            kinds[k].texts[kinds[k].shown++] = f->text;
            lines->one(lines->user, f);
        }
    }
    for (size_t k = 0; k < n; k++) {
        if (kinds[k].count > kinds[k].shown)
            lines->more(lines->user, kinds[k].def, kinds[k].severity, kinds[k].count - kinds[k].shown);
    }
}

/* Where lines of findings go. */
struct finding_lines {
    lvl_buffer *out;
    const char *file;
};

static void put_one(void *user, const lvl_finding *f)
{
    const struct finding_lines *l = user;

    put_finding(l->out, f, l->file);
}

static void put_more(void *user, const lvl_finding_def *def, lvl_severity severity, size_t count)
{
    const struct finding_lines *l = user;

    put_shown(l->out, l->file);
    lvl_buffer_printf(l->out, ": %s: %s: %zu more of these; -v lists all\n", lvl_severity_name(severity),
                      def->id, count);
}

lvl_status lvl_findings_text(const lvl_findings *findings, const char *file, lvl_severity least, size_t few,
                             lvl_buffer *out)
{
    if (few) {
        struct finding_lines to = {out, file};
        const lvl_few_lines lines = {put_one, put_more, &to};
        lvl_findings_few(findings, least, few, &lines);
        return out->status;
    }
    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        if (lvl_findings_at(findings, i)->severity >= least)
            put_finding(out, lvl_findings_at(findings, i), file);
    }
    return out->status;
}
