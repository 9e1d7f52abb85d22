/*
 * base/doc.c: documents: created, read, written and read again through their format.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "base/header.h"
#include "base/transfer.h"
#include "base/work.h"

#include <stdlib.h>

const lvl_finding_def lvl_doc_signature_void = {
    "lvl.signature.void",
    "The document is signed and was changed: the signature is kept, but no longer valid. Games that check "
    "it treat the file as unsigned or forged; `lvl set FILE signature=` removes it.",
    {LVL_WARNING, LVL_WARNING, LVL_WARNING},
    NULL,
};

const lvl_finding_def lvl_doc_art_absent = {
    "lvl.art.absent",
    "The file names pictures or other files, and none of them was found beside or above it, so they were "
    "not checked; use --art FOLDER.",
    {LVL_NOTE, LVL_NOTE, LVL_NONE},
    NULL,
};

const lvl_finding_def lvl_doc_art_missing = {
    "lvl.art.missing",
    "A picture that was drawn lacks one that objects or tiles name, which was not found in the art: they are "
    "marked, or left out.",
    {LVL_NOTE, LVL_NOTE, LVL_NOTE},
    NULL,
};

const lvl_finding_def lvl_doc_member_damaged = {
    "lvl.member.damaged",
    "A file in an archive cannot be read in full: its bytes end too early, or its compressed stream or its "
    "checksum is wrong. What could be read of it is used, but an edit does not replace it by that.",
    {LVL_ERROR, LVL_ERROR, LVL_ERROR},
    NULL,
};

const lvl_finding_def lvl_doc_transferred = {
    "lvl.file.transferred",
    "The file was transferred as text, which put a carriage return before each of its line feeds; no program "
    "can "
    "read it so. lvl reads what it was before, and positions count in that. `lvl repair` restores it byte "
    "for "
    "byte.",
    {LVL_ERROR, LVL_ERROR, LVL_ERROR},
    NULL,
};

const lvl_finding_def lvl_doc_header = {
    "lvl.file.header",
    "One or two of the bytes by which programs know such a file are wrong, so no program opens it. lvl "
    "reads it as if they were right. `lvl repair` writes the right ones.",
    {LVL_ERROR, LVL_ERROR, LVL_ERROR},
    NULL,
};

const lvl_finding_def lvl_doc_counterpart = {
    "lvl.convert.counterpart",
    "A level was drawn as a level of another game, which has nothing like this: it is left out, or only its "
    "picture is kept.",
    {LVL_WARNING, LVL_WARNING, LVL_WARNING},
    NULL,
};

lvl_status lvl_doc_new(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format)
{
    *out = NULL;
    lvl_doc *doc = lvl_mem_alloc(ctx, sizeof *doc);
    if (!doc)
        return LVL_ERR_MEMORY;
    memset(doc, 0, sizeof *doc);
    doc->ctx = ctx;
    doc->format = format;
    doc->codepage = ctx->codepage_given ? ctx->codepage : format->codepage;
    lvl_arena_init(&doc->arena, ctx);
    doc->root = lvl_arena_alloc(&doc->arena, format->table->struct_size);
    if (!doc->root) {
        lvl_doc_free(doc);
        return LVL_ERR_MEMORY;
    }
    lvl_record_init(doc->root, format->table);
    *out = doc;
    return LVL_OK;
}

void lvl_doc_free(lvl_doc *doc)
{
    if (!doc)
        return;
    const lvl_ctx *ctx = doc->ctx;
    lvl_arena_free(&doc->arena);
    lvl_mem_free(ctx, doc->input_owned);
    free(doc->overrides);
    lvl_hash_free(&doc->override_index);
    free(doc->grown);
    lvl_hash_free(&doc->grown_index);
    lvl_mem_free(ctx, doc);
}

void lvl_doc_swap(lvl_doc *a, lvl_doc *b)
{
    const lvl_doc was = *a;

    *a = *b;
    *b = was;
}

/* Adds a finding for the limit that ended reading, unless there is a fatal finding already. */
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

/* Reads, and counts in doc->cuts the findings that mean missing content. */
static lvl_status read_counted(lvl_doc *doc, lvl_findings *findings)
{
    lvl_findings *list = findings ? findings : lvl_findings_new_counter(doc->ctx);

    if (!list)
        return LVL_ERR_MEMORY;
    const lvl_findings_watch outer =
        lvl_findings_set_watch(list, (lvl_findings_watch){doc->format->calls->cuts, 0});
    const lvl_status status = doc->format->calls->read(doc, NULL, list);
    doc->cuts += lvl_findings_set_watch(list, outer).count; /* besides those that the reader itself counts */
    if (!findings)
        lvl_findings_free(list);
    return status;
}

/* A reading of a document, with its findings in a list of their own. */
typedef struct reading {
    lvl_doc *doc;
    lvl_findings *findings;
    lvl_status status;
} reading;

static reading read_apart(lvl_doc *doc)
{
    reading r = {doc, lvl_findings_new(doc->ctx), LVL_ERR_MEMORY};

    r.status = r.findings ? read_counted(doc, r.findings) : LVL_ERR_MEMORY;
    if (r.status == LVL_OK)
        r.status = lvl_findings_status(r.findings);
    return r;
}

/* Reads other bytes, memory of the context that the reading owns from now on, as `doc` is read. `bytes` NULL:
 * no memory. */
static reading read_instead(const lvl_doc *doc, uint8_t *bytes, size_t len)
{
    reading r = {NULL, NULL, bytes ? lvl_charge(doc->ctx, len / 4) : LVL_ERR_MEMORY};

    if (r.status == LVL_OK)
        r.status = lvl_doc_new(&r.doc, doc->ctx, doc->format);
    if (r.status != LVL_OK) {
        lvl_mem_free(doc->ctx, bytes);
        return r;
    }
    r.doc->input = (lvl_bytes){bytes, len};
    r.doc->input_owned = bytes;
    r.doc->show = doc->show;
    r.doc->edit = doc->edit;
    return read_apart(r.doc);
}

static void free_reading(reading *r)
{
    lvl_doc_free(r->doc);
    lvl_findings_free(r->findings);
    *r = (reading){NULL, NULL, LVL_OK};
}

/* How many findings are errors; a reading that failed has more than any other. */
static size_t errors_of(const reading *r)
{
    size_t errors = 0;

    if (r->status != LVL_OK)
        return SIZE_MAX;
    for (size_t i = 0; i < lvl_findings_count(r->findings); i++)
        errors += lvl_findings_at(r->findings, i)->severity >= LVL_ERROR;
    return errors;
}

/* A reading that ended for want of memory or time: no other one is tried. */
static bool is_stopped(lvl_status status)
{
    return status != LVL_OK && status != LVL_ERR_FORMAT;
}

/* From so many line feeds on, it is no accident that each follows a carriage return. */
enum { SURE = 8 };
/* Reads a file in which each LF, `lines` of them, follows a CR: as it is, and, if that finds errors, as it
 * was before a transfer as text. The reading with fewer errors is used; with few lines, the second one only
 * if it has none. */
static lvl_status read_transferred(lvl_doc *doc, size_t lines, lvl_findings *findings)
{
    reading plain = read_apart(doc), undone = {NULL, NULL, LVL_OK};
    lvl_status status = plain.status;
    const lvl_findings *used = plain.findings;

    if (errors_of(&plain) && !is_stopped(status)) {
        undone = read_instead(doc, lvl_transfer_undo(doc->ctx, doc->input, lines), doc->input.len - lines);
        if (undone.status == LVL_ERR_MEMORY) {
            status = undone.status;
        } else if (undone.doc && errors_of(&undone) < errors_of(&plain) &&
                   (lines >= SURE || !errors_of(&undone))) {
            lvl_doc_swap(doc, undone.doc);
            doc->transferred = true;
            used = undone.findings;
            status = undone.status;
            lvl_findings_add(
                findings, &lvl_doc_transferred, NULL, NULL,
                "each of its %zu line feeds follows a carriage return: it was transferred as text; lvl reads "
                "it without them, and `lvl repair` writes it so",
                lines);
        }
    }
    lvl_findings_add_all(findings, used);
    plain.doc = NULL;
    free_reading(&plain);
    free_reading(&undone);
    return status;
}

/* Reads doc->input as it is, or as it was before a transfer as text. */
static lvl_status read_input(lvl_doc *doc, lvl_findings *findings)
{
    /* text may have any line ends */
    const size_t lines = doc->format->calls->grammar ? 0 : lvl_transfer_lines(doc->input);

    return lines ? read_transferred(doc, lines, findings) : read_counted(doc, findings);
}

/* Whether the first of two readings, of a file with the right header, is better than the second. */
static bool is_better(const reading *a, const reading *b)
{
    const size_t cuts_a = a->status == LVL_OK ? a->doc->cuts : 0,
                 cuts_b = b->status == LVL_OK ? b->doc->cuts : 0;

    return cuts_a != cuts_b && a->status == b->status ? cuts_a < cuts_b : errors_of(a) < errors_of(b);
}

static void report_header(const lvl_header_match *used, const lvl_header_match *other, lvl_findings *findings)
{
    const lvl_header *header = &used->header;
    const uint32_t at = header->wrong[0].at, end = header->wrong[header->count - 1].at + 1;
    const lvl_position pos = {.bit = (uint64_t)at * 8, .bits = (uint64_t)(end - at) * 8, .known = true};
    char text[256], more[256];

    lvl_header_text(used, text, sizeof text);
    lvl_findings_add(findings, &lvl_doc_header, NULL, &pos,
                     "the header is damaged: %s; lvl reads the file as if it were right, and `lvl repair` "
                     "writes it so%s%s",
                     text, other ? "; as likely: " : "",
                     other ? lvl_header_text(other, more, sizeof more) : "");
}

/* Reads a file whose signature is nearly right: as it is, and with each signature that is as near. One of
 * those is used if it has fewer errors, the wrong header included, or misses less. */
static lvl_status read_corrected(lvl_doc *doc, const lvl_header_match *match, size_t count,
                                 lvl_findings *findings)
{
    reading plain = {doc, lvl_findings_new(doc->ctx), LVL_ERR_MEMORY}, best = {NULL, NULL, LVL_ERR_FORMAT};
    const lvl_header_match *used = NULL, *other = NULL;

    if (plain.findings)
        plain.status = read_input(doc, plain.findings);
    lvl_status status = plain.status;

    for (size_t i = 0; i < count && errors_of(&plain) && !is_stopped(status); i++) {
        uint8_t *bytes = lvl_mem_alloc(doc->ctx, doc->input.len);
        if (bytes) {
            memcpy(bytes, doc->input.ptr, doc->input.len);
            lvl_header_correct(&match[i].header, bytes);
        }
        reading r = read_instead(doc, bytes, doc->input.len);
        if (is_stopped(r.status))
            status = r.status;
        const bool better = r.status == LVL_OK && (!used || is_better(&r, &best)),
                   same = r.status == LVL_OK && used && !better && !is_better(&best, &r);
        if (better || (same && match[i].bits <= used->bits)) {
            other = same ? used : NULL;
            used = &match[i];
            const reading worse = best;
            best = r;
            r = worse;
        } else if (same) {
            other = &match[i];
        }
        free_reading(&r);
    }
    const bool plain_is_read = plain.status == LVL_OK;
    if (used && best.doc && !is_stopped(status) &&
        (!plain_is_read || best.doc->cuts < doc->cuts || errors_of(&best) + 1 < errors_of(&plain))) {
        lvl_doc_swap(doc, best.doc);
        doc->header = used->header;
        status = LVL_OK;
        report_header(used, other, findings);
        lvl_findings_add_all(findings, best.findings);
    } else {
        lvl_findings_add_all(findings, plain.findings);
    }
    plain.doc = NULL;
    free_reading(&plain);
    free_reading(&best);
    return status;
}

lvl_status lvl_read(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input,
                    const char *name, unsigned flags, lvl_findings *findings)
{
    enum { MATCHES = 16 };
    lvl_status status;
    lvl_doc *doc;

    *out = NULL;
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
    lvl_header_match match[MATCHES];
    const size_t near = lvl_header_near(format, input, match, MATCHES);
    status = near ? read_corrected(doc, match, near, findings) : read_input(doc, findings);
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

const lvl_format *lvl_doc_format(const lvl_doc *doc)
{
    return doc->format;
}

lvl_codepage lvl_doc_codepage(const lvl_doc *doc)
{
    return doc->codepage;
}

size_t lvl_doc_cuts(const lvl_doc *doc)
{
    return doc->cuts;
}

const lvl_ctx *lvl_doc_ctx(const lvl_doc *doc)
{
    return doc->ctx;
}

void *lvl_doc_root(lvl_doc *doc)
{
    return doc->root;
}

const void *lvl_doc_croot(const lvl_doc *doc)
{
    return doc->root;
}

const lvl_table *lvl_doc_table(const lvl_doc *doc)
{
    return doc->format->table;
}

lvl_bytes lvl_doc_input(const lvl_doc *doc)
{
    return doc->input;
}

lvl_status lvl_doc_kept(const lvl_doc *doc, uint64_t *bytes)
{
    *bytes = 0;
    return doc->format->calls->kept ? doc->format->calls->kept(doc, bytes) : LVL_OK;
}

/* lvl_doc_write; if the writer reads what it wrote, `*again` (may be NULL) becomes that document. */
static lvl_status write_again(const lvl_doc *doc, lvl_buffer *out, lvl_findings *found, lvl_doc **again)
{
    const lvl_format_calls *calls = doc->format->calls;

    if (!calls->write)
        return LVL_ERR_UNSUPPORTED;
    const size_t before = out->len;
    lvl_status status =
        again && calls->write_read ? calls->write_read(doc, out, found, again) : calls->write(doc, out);
    if (status == LVL_OK && doc->transferred)
        lvl_transfer_redo(out, before);
    if (status == LVL_OK)
        status = out->status;
    if (status == LVL_OK && doc->header.count)
        lvl_header_restore(&doc->header, out->data + before, out->len - before);
    return status == LVL_OK ? lvl_charge(doc->ctx, (out->len - before) / 4) : status;
}

lvl_status lvl_doc_write(const lvl_doc *doc, lvl_buffer *out)
{
    return write_again(doc, out, NULL, NULL);
}

lvl_text lvl_doc_signature(const lvl_doc *doc)
{
    const lvl_table *table = doc->format->table;
    lvl_text text = {NULL, 0};

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if ((f->flags & LVL_F_SIGNATURE) && lvl_field_present(doc->root, f))
            memcpy(&text, (const uint8_t *)doc->root + f->offset, sizeof text);
    }
    return text;
}

lvl_status lvl_doc_report_signature(const lvl_doc *doc, lvl_bytes written, lvl_findings *findings)
{
    const lvl_text now = lvl_doc_signature(doc);

    if (!now.len || !doc->input.len || !findings ||
        (written.len == doc->input.len && !memcmp(written.ptr, doc->input.ptr, written.len)))
        return LVL_OK;
    if (lvl_text_equal(now, doc->signature))
        lvl_findings_add(findings, &lvl_doc_signature_void, NULL, NULL,
                         "it is signed, and the signature is no longer valid");
    return LVL_OK;
}

lvl_status lvl_doc_write_with_findings(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings)
{
    return lvl_doc_write_again(doc, out, findings, NULL, NULL);
}

lvl_status lvl_doc_write_again(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings,
                               lvl_findings *found, lvl_doc **again)
{
    const size_t before = out->len;
    lvl_status status = write_again(doc, out, found, again);

    if (status == LVL_OK)
        return lvl_doc_report_signature(
            doc, (lvl_bytes){before ? out->data + before : out->data, out->len - before}, findings);
    if (status != LVL_ERR_LOSS || !findings || !doc->format->calls->check_writable)
        return status;
    lvl_status reported = doc->format->calls->check_writable(doc, findings);
    return reported == LVL_ERR_MEMORY ? reported : status;
}

/* ---- editing ----------------------------------------------------------------------------------------- */

void *lvl_doc_alloc(lvl_doc *doc, size_t size)
{
    return lvl_arena_alloc(&doc->arena, size);
}

lvl_text lvl_doc_text(lvl_doc *doc, lvl_text text)
{
    lvl_text copy = {lvl_arena_copy(&doc->arena, text.ptr, text.len), text.len};

    if (!copy.ptr)
        copy.len = 0;
    return copy;
}

lvl_status lvl_put_text(lvl_doc *doc, void *record, const lvl_field *field, lvl_text text)
{
    uint8_t *p = (uint8_t *)record + field->offset;

    if (field->flags & LVL_F_SLOT) {
        if (text.len >= field->size)
            return LVL_ERR_ARG;
        memset(p, 0, field->size);
        if (text.len)
            memcpy(p, text.ptr, text.len);
        return LVL_OK;
    }
    lvl_text copy = lvl_doc_text(doc, text);
    if (!copy.ptr)
        return LVL_ERR_MEMORY;
    memcpy(p, &copy, sizeof copy);
    return LVL_OK;
}

static void drop_kept(void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_KEPT)
            lvl_field_reset(record, f);
        else if (f->kind == LVL_RECORD)
            drop_kept((uint8_t *)record + f->offset, f->table);
        else if (f->kind == LVL_LIST && f->item == LVL_RECORD)
            for (uint32_t k = 0; k < lvl_list_count(record, f); k++)
                drop_kept(lvl_item_at(record, f, k), f->table);
    }
}

void lvl_doc_drop_kept_members(lvl_doc *doc)
{
    drop_kept(doc->root, doc->format->table);
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

/* Memory that a finding takes with its text. */
enum { FINDING_ROOM = 512 };

lvl_status lvl_doc_reread_findings(const lvl_doc *doc, lvl_ctx *ctx, lvl_findings **reread, uint64_t *size)
{
    lvl_buffer bytes = {0};
    lvl_doc *again = NULL;

    *ctx = *doc->ctx;
    ctx->profile = LVL_PROFILE_STRICT;
    /* a repair handles each of them, so what is enough for a person is not enough here */
    const uint64_t most = lvl_memory_share(ctx) / FINDING_ROOM;
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
