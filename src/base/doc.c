/*
 * base/doc.c: documents: created, written and edited through their format. Reading is in doc_read.c.
 */
#include "os/file.h"
#include "base/buffer.h"
#include "base/format.h"
#include "base/header.h"
#include "base/transfer.h"
#include "base/work.h"

#include <stdlib.h>

const lvl_finding_def lvl_doc_signature_void = {
    "lvl.signature.void",
    "The document is signed and was changed: the signature is kept, but is no longer valid. Games that check "
    "it treat the file as unsigned or forged; `lvl set FILE signature=` removes it.",
    {LVL_WARNING, LVL_WARNING, LVL_WARNING},
    NULL,
    LVL_ABOUT_OTHER,
};

const lvl_finding_def lvl_doc_art_absent = {
    "lvl.art.absent",
    "The file refers to pictures or other files, but none was found beside or above it, so the references "
    "were not checked; use --art FOLDER.",
    {LVL_NOTE, LVL_NOTE, LVL_NONE},
    NULL,
    LVL_ABOUT_OTHER,
};

const lvl_finding_def lvl_doc_art_missing = {
    "lvl.art.missing",
    "Objects or tiles use a picture that was not found in the art: they are drawn as marks, or not at all.",
    {LVL_NOTE, LVL_NOTE, LVL_NOTE},
    NULL,
    LVL_ABOUT_OTHER,
};

const lvl_finding_def lvl_doc_art_unreadable = {
    "lvl.art.unreadable",
    "A picture that the file uses was found in the art, and is damaged: nothing of it, or only a part, is "
    "drawn. "
    "The game may crash, or show something else. Check the picture itself, and replace it.",
    {LVL_WARNING, LVL_WARNING, LVL_NOTE},
    NULL,
    LVL_ABOUT_OTHER,
};

const lvl_finding_def lvl_doc_cut_off = {
    "lvl.file.cut",
    "The file ends too early: it may be cut off, and what followed is missing. Games load the part that is "
    "left.",
    {LVL_ERROR, LVL_ERROR, LVL_ERROR},
    NULL,
    LVL_ABOUT_OTHER,
};

const lvl_finding_def lvl_doc_member_damaged = {
    "lvl.member.damaged",
    "A file in an archive cannot be read completely: it ends too early, or its compressed stream or checksum "
    "is wrong. The part that can be read is used, but an edit does not overwrite the file with it.",
    {LVL_ERROR, LVL_ERROR, LVL_ERROR},
    NULL,
    LVL_ABOUT_OTHER,
};

const lvl_finding_def lvl_doc_level_unlinked = {
    "lvl.level.unlinked",
    "In a folder that is checked as a whole, no map, link, script or other file names this level: players do "
    "not get there, unless they start in it.",
    {LVL_NOTE, LVL_NOTE, LVL_NONE},
    NULL,
    LVL_ABOUT_UNLINKED,
};

const lvl_finding_def lvl_doc_file_unnamed = {
    "lvl.file.unnamed",
    "In a folder that is checked as a whole, no level, animation, script or other file names this file. "
    "Names that scripts put together, and files that the game itself asks for, are not known.",
    {LVL_NOTE, LVL_NOTE, LVL_NONE},
    NULL,
    LVL_ABOUT_UNNAMED,
};

const lvl_finding_def lvl_doc_file_case = {
    "lvl.file.case",
    "In a folder that is checked as a whole, a file is named in another case than its own: servers on Linux "
    "do not find it.",
    {LVL_NOTE, LVL_NOTE, LVL_NONE},
    NULL,
    LVL_ABOUT_CASE,
};

const lvl_finding_def lvl_doc_counterpart = {
    "lvl.convert.counterpart",
    "A level was converted to a level of another game, which has nothing like this: it is left out, or only "
    "its picture is kept.",
    {LVL_WARNING, LVL_WARNING, LVL_WARNING},
    NULL,
    LVL_ABOUT_OTHER,
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
    lvl_file_seen_free(doc->seen);
    lvl_mem_free(ctx, doc);
}

void lvl_doc_swap(lvl_doc *a, lvl_doc *b)
{
    const lvl_doc was = *a;

    *a = *b;
    *b = was;
    /* the content moves; the files do not */
    b->seen = a->seen;
    a->seen = was.seen;
}

const lvl_format *lvl_doc_format(const lvl_doc *doc)
{
    return doc->format;
}

lvl_codepage lvl_doc_codepage(const lvl_doc *doc)
{
    return doc->codepage;
}

bool lvl_repairs_wants(const lvl_repairs *repairs, const lvl_ctx *ctx, const lvl_finding_def *def)
{
    return repairs->normalize || lvl_severity_for(ctx, def) >= LVL_ERROR;
}

void lvl_doc_report_cut(lvl_doc *doc, lvl_findings *findings, const char *text)
{
    const lvl_position end = {.bit = (uint64_t)doc->input.len * 8, .known = true};

    doc->cut_off = true;
    if (!doc->cuts++)
        lvl_findings_add(findings, &lvl_doc_cut_off, NULL, &end, "%s", text);
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

/* The bytes in members of a record. */
static uint64_t count_bytes(const void *record, const lvl_table *table)
{
    uint64_t sum = 0;

    for (const lvl_field *f = table->fields; f < table->fields + table->field_count; f++)
        sum += f->kind == LVL_BYTES ? lvl_get_bytes(record, f).len : 0;
    return sum;
}

/* The bytes in kept members of the root, and in records of its kept lists. A member that is the whole file
 * counts alone. */
static uint64_t count_kept(const lvl_doc *doc)
{
    const lvl_table *table = doc->format->table;
    uint64_t sum = 0;

    for (const lvl_field *f = table->fields; f < table->fields + table->field_count; f++) {
        if (f->role != LVL_KEPT)
            continue;
        const lvl_bytes bytes = f->kind == LVL_BYTES ? lvl_get_bytes(doc->root, f) : (lvl_bytes){NULL, 0};
        if (bytes.len && bytes.ptr == doc->input.ptr && bytes.len == doc->input.len)
            return bytes.len;
        sum += bytes.len;
        for (uint32_t i = 0; f->kind == LVL_LIST && f->item == LVL_RECORD && i < lvl_list_count(doc->root, f);
             i++)
            sum += count_bytes(lvl_list_item(doc->root, f, i), f->table);
    }
    return sum;
}

lvl_status lvl_doc_kept(const lvl_doc *doc, uint64_t *bytes)
{
    const lvl_format_calls *calls = doc->format->calls;

    *bytes = calls->kept ? 0 : count_kept(doc);
    return calls->kept ? calls->kept(doc, bytes) : LVL_OK;
}

/* Restores the wrong bytes of the header, if what is written then is still recognized: after an edit the rest
 * of the signature may be another one. */
static void restore_header(const lvl_doc *doc, uint8_t *bytes, size_t len)
{
    lvl_header_match match;
    uint8_t head[LVL_HEADER_SIZE];
    const size_t size = len < sizeof head ? len : sizeof head;

    memcpy(head, bytes, size);
    lvl_header_restore(&doc->header, head, size);
    if (lvl_header_near(doc->format, (lvl_bytes){head, size}, &match, 1))
        lvl_header_restore(&doc->header, bytes, len);
}

/* lvl_doc_write; if the writer verifies by reading its output, that document goes to `*again` (may be
 * NULL). */
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
    if (status == LVL_OK && doc->header.count && out->len > before)
        restore_header(doc, out->data + before, out->len - before);
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
