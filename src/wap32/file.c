/*
 * wap32/file.c: shared by the readers and writers of formats with a fixed header.
 */
#include "wap32/formats.h"

#include "base/cursor.h"
#include "base/disk.h"

enum { MAX_HEADER = 256 };

lvl_status lvl_read_header(lvl_doc *doc, const lvl_table *table, lvl_sink *sink,
                           const lvl_finding_def *too_short, lvl_findings *findings)
{
    const lvl_bytes in = doc->input;

    if (in.len < table->disk_size) {
        lvl_findings_add(findings, too_short, NULL, NULL, "%llu bytes", (unsigned long long)in.len);
        return LVL_ERR_FORMAT;
    }
    lvl_disk_load(doc->root, table, in.ptr, table->disk_size);
    lvl_emit_span(sink, 0, table->disk_size, (lvl_span){.table = table});
    return LVL_OK;
}

struct header {
    const lvl_doc *doc;
    const lvl_table *table;
    uint8_t bytes[MAX_HEADER];
};

static void store_derived(void *user, void *record, const lvl_field *field, int64_t computed)
{
    struct header *h = user;
    const uint64_t value = (uint64_t)lvl_doc_derived(h->doc, record, field, computed);
    const lvl_field *f = record == h->doc->root ? lvl_table_at(h->table, field->offset) : NULL;

    for (uint32_t i = 0; f && i < (f->disk_size ? f->disk_size : f->size); i++)
        h->bytes[f->disk + i] = (uint8_t)(value >> 8 * i);
}

lvl_status lvl_write_header(const lvl_doc *doc, const lvl_table *table, lvl_buffer *out)
{
    struct header h = {.doc = doc, .table = table};

    lvl_disk_store(doc->root, table, h.bytes, table->disk_size);
    const lvl_status status = doc->format->calls->derive((lvl_doc *)(uintptr_t)doc, store_derived, &h);
    if (status != LVL_OK)
        return status;
    lvl_buffer_add(out, h.bytes, table->disk_size);
    return out->status;
}

void lvl_read_rest(lvl_doc *doc, const lvl_field *field, lvl_bytes rest, lvl_sink *sink,
                   const lvl_finding_def *def, lvl_findings *findings)
{
    const lvl_where where = lvl_where_to(lvl_where_root(), field, LVL_NO_INDEX);
    const uint64_t at = rest.len ? (uint64_t)(rest.ptr - doc->input.ptr) : 0;
    const lvl_position pos = {.bit = at * 8, .bits = (uint64_t)rest.len * 8, .known = true};

    if (!rest.len)
        return;
    memcpy((uint8_t *)doc->root + field->offset, &rest, sizeof rest);
    lvl_findings_add(findings, def, &where, &pos, "%llu bytes", (unsigned long long)rest.len);
    lvl_emit_field(sink, lvl_where_root(), field, at, rest.len, LVL_SPAN_RESIDUE);
}

bool lvl_cursor_text(lvl_cursor *c, lvl_text *text)
{
    const size_t left = lvl_cursor_left(c);
    const uint8_t *from = c->data + c->pos, *nul = left ? memchr(from, 0, left) : NULL;

    if (!nul)
        return false;
    *text = (lvl_text){(const char *)from, (size_t)(nul - from)};
    c->pos += text->len + 1;
    return true;
}
