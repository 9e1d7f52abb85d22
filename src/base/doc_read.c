/*
 * base/doc_read.c: reads files as documents, and reads documents again.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "base/work.h"

#include <string.h>

/* Adds a finding for the limit that ended the reading, unless there is already a fatal finding. */
static lvl_status report_limit(const lvl_ctx *ctx, const lvl_arena *arena, lvl_status status,
                               lvl_findings *findings)
{
    lvl_usage used = {.limit = LVL_LIMIT_NONE};

    if (arena) {
        status = lvl_arena_status(arena, status);
        if (arena->refused == LVL_ERR_LIMIT)
            used = (lvl_usage){.limit = LVL_LIMIT_MEMORY, .allowed = arena->max};
    }
    if (ctx->usage)
        used = *ctx->usage;
    if (status == LVL_ERR_LIMIT && findings && lvl_findings_worst(findings) < LVL_FATAL)
        lvl_usage_report(&used, ctx, findings);
    return status;
}

lvl_status lvl_read(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input,
                    const char *name, unsigned flags, lvl_findings *findings)
{
    bool traced;

    return lvl_read_traced(out, ctx, format, input, name, flags, findings, NULL, &traced);
}

lvl_status lvl_read_traced(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input,
                           const char *name, unsigned flags, lvl_findings *findings, lvl_sink *sink,
                           bool *traced)
{
    lvl_status status;
    lvl_doc *doc;

    *out = NULL;
    *traced = false;
    const uint64_t most = lvl_limits_of(ctx).input_bytes;
    if (input.len > most) {
        const lvl_usage used = {.limit = LVL_LIMIT_INPUT, .allowed = most, .wanted = input.len};
        lvl_usage_report(&used, ctx, findings);
        return lvl_refuse(ctx, used.limit, used.allowed, used.wanted);
    }
    status = lvl_charge(ctx, input.len / 4);
    if (status != LVL_OK)
        return report_limit(ctx, NULL, status, findings);
    if (!format) {
        format = lvl_formats_probe_file(ctx, input, name, NULL);
        if (!format)
            return LVL_ERR_FOREIGN;
    }
    status = lvl_doc_new(&doc, ctx, format);
    if (status != LVL_OK)
        return status;
    if (!(flags & LVL_READ_BORROW) && input.len) {
        doc->input_owned = lvl_mem_alloc(ctx, input.len);
        if (!doc->input_owned) {
            lvl_doc_free(doc);
            return LVL_ERR_MEMORY;
        }
        memcpy(doc->input_owned, input.ptr, input.len);
        input.ptr = doc->input_owned;
    }
    doc->input = input;
    doc->show = flags & LVL_READ_SHOW;
    doc->edit = flags & LVL_READ_EDIT;
    doc->sink = sink;
    status = lvl_doc_read_input(doc, findings);
    *traced = doc->sink != NULL; /* not that of another reading, which replaced it */
    doc->sink = NULL;
    if (status == LVL_OK)
        status = lvl_doc_note_derived(doc);
    if (status == LVL_OK)
        doc->signature = lvl_doc_signature(doc);
    if (status == LVL_OK && doc->edit && format->calls->note_pieces)
        status = format->calls->note_pieces(doc);
    if (status == LVL_OK && findings)
        status = lvl_findings_status(findings);
    status = report_limit(ctx, &doc->arena, status, findings);
    if (status != LVL_OK) {
        lvl_doc_free(doc);
        return status;
    }
    *out = doc;
    return LVL_OK;
}

/* ---- reading again with a sink ----------------------------------------------------------------------- */

lvl_status lvl_doc_trace(const lvl_doc *doc, lvl_sink *sink)
{
    lvl_doc *again;
    lvl_status status = lvl_doc_new(&again, doc->ctx, doc->format);

    if (status != LVL_OK)
        return status;
    again->input = doc->input;
    status = lvl_charge(doc->ctx, doc->input.len / 4);
    if (status == LVL_OK)
        status = lvl_arena_status(&again->arena, doc->format->calls->read(again, sink, NULL));
    lvl_doc_free(again);
    return status;
}

lvl_status lvl_doc_reread(lvl_doc *doc, lvl_bytes bytes)
{
    const lvl_bytes input = doc->input;
    const uint8_t *copy = lvl_arena_copy(&doc->arena, bytes.ptr, bytes.len);

    if (!copy)
        return LVL_ERR_MEMORY;
    memset(doc->root, 0, doc->format->table->struct_size);
    lvl_record_init(doc->root, doc->format->table);
    doc->input = (lvl_bytes){copy, bytes.len};
    const lvl_status status = doc->format->calls->read(doc, NULL, NULL);
    doc->input = input;
    return status;
}

/* Memory of a finding with its text. */
enum { FINDING_BYTES = 512 };

lvl_status lvl_doc_reread_findings(const lvl_doc *doc, lvl_ctx *ctx, lvl_findings **reread, uint64_t *size)
{
    lvl_buffer bytes = {0};
    lvl_doc *again = NULL;

    *ctx = *doc->ctx;
    ctx->profile = LVL_PROFILE_STRICT;
    /* a repair handles every finding, so the limit made for people does not apply here */
    const uint64_t most = lvl_memory_share(ctx) / FINDING_BYTES;
    if (most > lvl_limits_of(ctx).findings)
        ctx->limits.findings = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    *reread = lvl_findings_new(ctx);
    lvl_status status = *reread ? lvl_doc_write(doc, &bytes) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_read(&again, ctx, doc->format, lvl_buffer_bytes(&bytes), NULL, LVL_READ_BORROW, *reread);
    if (status == LVL_OK)
        status = lvl_findings_status(*reread);
    if (size)
        *size = bytes.len;
    lvl_doc_free(again);
    lvl_buffer_free(&bytes);
    if (status != LVL_OK) {
        lvl_findings_free(*reread);
        *reread = NULL;
    }
    return status;
}
