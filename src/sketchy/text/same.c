/*
 * sketchy/text/same.c: whether records have the same content: exactly, for which pixels are decoded, and by
 * hashes, for which nothing is.
 */
#include "sketchy/text/source.h"

#include "base/buffer.h"
#include "base/record.h"

#include <string.h>

/* ---- late members ------------------------------------------------------------------------------------ */

/* The source of a late member, or NULL if its content is in memory. */
static const lvl_source *find_undecoded(const lvl_doc *doc, const void *record, const lvl_field *field)
{
    if (field->kind == LVL_CELLS) {
        const lvl_sketchy_chunk *chunk = record;
        return chunk->pixels.ptr ? NULL : lvl_sketchy_source(doc, chunk->source);
    }
    const lvl_sketchy_file *file = record;
    return file->data.ptr ? NULL : lvl_sketchy_source(doc, file->source);
}

bool lvl_sketchy_same_stored(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                             const lvl_field *field)
{
    const lvl_source *x = find_undecoded(a, ra, field), *y = find_undecoded(b, rb, field);

    if (!x || !y || x->kind != y->kind || x->encoding != y->encoding || x->x != y->x || x->y != y->y ||
        x->cut || y->cut)
        return false;
    if (field->kind == LVL_CELLS &&
        ((const lvl_sketchy_chunk *)ra)->pixels.width != ((const lvl_sketchy_chunk *)rb)->pixels.width)
        return false;
    if (x->kind != LVL_SOURCE_MEMBER)
        return x->text.len == y->text.len && (x->text.ptr == y->text.ptr || lvl_text_equal(x->text, y->text));
    const lvl_zip_member *m = &x->member, *n = &y->member;
    return m->method == n->method && m->crc == n->crc && m->size == n->size && m->faults == n->faults &&
           m->packed.len == n->packed.len &&
           (!m->packed.len || memcmp(m->packed.ptr, n->packed.ptr, m->packed.len) == 0);
}

/* Decodes a late member; empty if that fails. *cells: the sides of a grid, 0 for bytes. */
static lvl_status open_late(const lvl_doc *doc, const void *record, const lvl_field *field,
                            lvl_buffer *storage, lvl_cells *cells, lvl_bytes *out)
{
    lvl_status status;

    *cells = (lvl_cells){0};
    if (field->kind == LVL_CELLS) {
        status = lvl_doc_cells(doc, record, field, storage, cells);
        *out = (lvl_bytes){cells->ptr, cells->ptr ? (size_t)cells->width * cells->height * cells->size : 0};
    } else {
        status = lvl_doc_bytes(doc, record, field, storage, out);
    }
    return status == LVL_ERR_FORMAT ? LVL_OK : status;
}

static lvl_status same_late(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                            const lvl_field *field, bool *same)
{
    lvl_buffer sa = {0}, sb = {0};
    lvl_cells ca, cb;
    lvl_bytes ba, bb;

    *same = lvl_sketchy_same_stored(a, ra, b, rb, field);
    if (*same)
        return LVL_OK;
    lvl_status status = open_late(a, ra, field, &sa, &ca, &ba);
    if (status == LVL_OK)
        status = open_late(b, rb, field, &sb, &cb, &bb);
    if (status == LVL_OK)
        *same = ca.width == cb.width && ca.height == cb.height && ca.size == cb.size && ba.len == bb.len &&
                (!ba.len || !memcmp(ba.ptr, bb.ptr, ba.len));
    lvl_buffer_free(&sa);
    lvl_buffer_free(&sb);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

/* ---- records ----------------------------------------------------------------------------------------- */

bool lvl_sketchy_is_member(const lvl_table *table, const void *item)
{
    return table == &lvl_sketchy_file_table ||
           (table == &lvl_sketchy_chunk_table && lvl_sketchy_has_place(item));
}

static lvl_status same_items(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                             const lvl_field *list, bool *same)
{
    const uint32_t count = lvl_list_count(ra, list);
    lvl_status status = LVL_OK;

    *same = count == lvl_list_count(rb, list);
    for (uint32_t i = 0; i < count && *same && status == LVL_OK; i++)
        status =
            lvl_sketchy_same(a, lvl_list_item(ra, list, i), b, lvl_list_item(rb, list, i), list->table, same);
    return status;
}

lvl_status lvl_sketchy_same(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                            const lvl_table *table, bool *same)
{
    lvl_status status = LVL_OK;

    *same = true;
    for (uint32_t i = 0; i < table->field_count && *same && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        const lvl_table one = {
            .name = table->name, .struct_size = table->struct_size, .fields = f, .field_count = 1};
        if (f->role == LVL_KEPT || f->role == LVL_DERIVED || !lvl_field_present(ra, f) ||
            !lvl_field_present(rb, f))
            continue;
        if (f->flags & LVL_F_LATE)
            status = same_late(a, ra, b, rb, f, same);
        else if (f->kind == LVL_LIST && f->item == LVL_RECORD)
            status = same_items(a, ra, b, rb, f, same);
        else
            *same = lvl_record_equal(ra, rb, &one);
    }
    return status;
}

/* ---- hashes of content ------------------------------------------------------------------------------- */

static uint64_t hash_late(const lvl_doc *doc, const lvl_hash_seed *seed, uint64_t hash, const void *record,
                          const lvl_field *field)
{
    const lvl_source *s = find_undecoded(doc, record, field);
    const bool decoded = field->kind == LVL_CELLS ? ((const lvl_sketchy_chunk *)record)->pixels.ptr != NULL
                                                  : ((const lvl_sketchy_file *)record)->data.ptr != NULL;

    if (!s)
        return lvl_hash_mix(seed, hash, decoded);
    const void *bytes = s->kind == LVL_SOURCE_MEMBER ? (const void *)s->member.packed.ptr : s->text.ptr;
    hash = lvl_hash_mix(seed, hash, (uintptr_t)bytes);
    return lvl_hash_mix(seed, hash, s->text.len);
}

static uint64_t hash_items(const lvl_doc *doc, const lvl_hash_seed *seed, uint64_t hash, const void *record,
                           const lvl_field *list, bool outside)
{
    const uint32_t count = lvl_list_count(record, list);
    uint32_t here = 0;

    for (uint32_t i = 0; i < count; i++) {
        const void *item = lvl_list_item(record, list, i);
        if (outside && lvl_sketchy_is_member(list->table, item))
            continue;
        hash = lvl_hash_mix(seed, hash, lvl_sketchy_hash(doc, seed, item, list->table, outside));
        here++;
    }
    return lvl_hash_mix(seed, hash, here);
}

uint64_t lvl_sketchy_hash(const lvl_doc *doc, const lvl_hash_seed *seed, const void *record,
                          const lvl_table *table, bool outside)
{
    uint64_t hash = seed->start;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_KEPT || f->role == LVL_DERIVED)
            continue;
        if (f->flags & LVL_F_LATE)
            hash = hash_late(doc, seed, hash, record, f);
        else if (f->kind == LVL_LIST && f->item == LVL_RECORD)
            hash = hash_items(doc, seed, hash, record, f, outside);
        else
            hash = lvl_member_hash(seed, hash, record, f);
    }
    return hash;
}
