/*
 * wap32/rez_write.c: writing a REZ, and repair. An archive that still is what was read is written as it was.
 */
#include "wap32/rez.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/disk.h"
#include "base/text.h"
#include "base/work.h"

#include <stdlib.h>

/* ---- derived members ----------------------------------------------------------------------------------- */

static void raise_to(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

/* The header's derived numbers, in the order of the fields below. */
enum { ROOT_SIZE, NEXT_WRITE, LARGEST_KEYS, LARGEST_DIR, LARGEST_FILE, LARGEST_COMMENT, ROOT_DERIVED };
static const size_t root_derived[ROOT_DERIVED] = {
    offsetof(lvl_rez, root_size),   offsetof(lvl_rez, next_write),   offsetof(lvl_rez, largest_keys),
    offsetof(lvl_rez, largest_dir), offsetof(lvl_rez, largest_file), offsetof(lvl_rez, largest_comment),
};

static void compute_root(const lvl_rez_layout *l, uint64_t values[ROOT_DERIVED])
{
    memset(values, 0, ROOT_DERIVED * sizeof *values);
    values[ROOT_SIZE] = l->nodes[0].size;
    values[NEXT_WRITE] = l->payload_end;
    for (size_t i = 1; i < l->count; i++) {
        const lvl_rez_entry *e = l->nodes[i].entry;
        raise_to(&values[lvl_rez_is_dir(&l->nodes[i]) ? LARGEST_DIR : LARGEST_FILE], e->name.len + 1);
        if (!lvl_rez_is_dir(&l->nodes[i]))
            raise_to(&values[LARGEST_KEYS], e->key_count);
        if (!lvl_rez_is_dir(&l->nodes[i]) && e->comment.len)
            raise_to(&values[LARGEST_COMMENT], e->comment.len + 1);
    }
}

lvl_status lvl_rez_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    const lvl_field *size = LVL_FIELD(lvl_rez_entry, size);
    uint64_t values[ROOT_DERIVED];
    lvl_rez_layout l;

    const lvl_status status = lvl_rez_layout_make(doc, false, &l);
    if (status != LVL_OK)
        return status;
    compute_root(&l, values);
    for (size_t i = 0; i < ROOT_DERIVED; i++)
        visit(user, doc->root, lvl_table_at(&lvl_rez_table, root_derived[i]), (uint32_t)values[i]);
    for (size_t i = 1; i < l.count; i++)
        visit(user, l.nodes[i].entry, size, (uint32_t)l.nodes[i].size);
    lvl_rez_layout_free(&l);
    return LVL_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static uint32_t type_number(lvl_text type)
{
    uint32_t v = 0;

    for (size_t i = 0; i < type.len && i < 4; i++)
        v = v << 8 | (uint8_t)type.ptr[i];
    return v;
}

static uint8_t *put_text(uint8_t *p, lvl_text text)
{
    if (text.len)
        memcpy(p, text.ptr, text.len);
    p[text.len] = 0;
    return p + text.len + 1;
}

/* Whether the sizes that a document declares are written where they differ from what there is: those of a
 * dump, which gives back its file. Where a file was read and changed, only what couldn't be read at all keeps
 * its size. */
static bool keeps_sizes(const lvl_doc *doc)
{
    return !doc->input.len;
}

static uint32_t size_to_write(const lvl_doc *doc, const lvl_rez_node *node)
{
    const lvl_field *size = LVL_FIELD(lvl_rez_entry, size);

    return node->size && !keeps_sizes(doc)
               ? (uint32_t)node->size
               : (uint32_t)lvl_doc_derived(doc, node->entry, size, (uint32_t)node->size);
}

static void write_body(const lvl_doc *doc, const lvl_rez_layout *l, const lvl_rez_node *node, uint8_t *p)
{
    const lvl_rez_dir dir = node->entry ? lvl_rez_dir_of(node->entry) : lvl_rez_root(doc->root);

    for (uint32_t i = 0; i < *dir.count; i++) {
        const lvl_rez_entry *e = &(*dir.entries)[i];
        const bool file = e->kind != LVL_REZ_DIR;
        lvl_store_u32le(p, e->kind);
        lvl_store_u32le(p + 4, (uint32_t)l->nodes[node->first + i].pos);
        lvl_store_u32le(p + 8, size_to_write(doc, &l->nodes[node->first + i]));
        lvl_store_u32le(p + 12, e->time);
        if (file) {
            lvl_store_u32le(p + 16, e->id);
            lvl_store_u32le(p + 20, type_number(e->type));
            lvl_store_u32le(p + 24, e->key_count);
        }
        p = put_text(p + (file ? LVL_REZ_FILE_FIXED : LVL_REZ_DIR_FIXED), e->name);
        if (file)
            p = put_text(p, e->comment);
        for (uint32_t k = 0; file && k < e->key_count; k++, p += 4)
            lvl_store_u32le(p, e->keys[k]);
    }
    if (dir.rest->len)
        memcpy(p, dir.rest->ptr, dir.rest->len);
}

static void write_header(const lvl_doc *doc, const lvl_rez_layout *l, uint8_t *p)
{
    uint64_t values[ROOT_DERIVED];

    compute_root(l, values);
    lvl_disk_store(doc->root, &lvl_rez_table, p, LVL_REZ_HEADER_SIZE);
    for (size_t i = 0; i < ROOT_DERIVED; i++) {
        const lvl_field *f = lvl_table_at(&lvl_rez_table, root_derived[i]);
        const bool kept = i != ROOT_SIZE || !values[i] || keeps_sizes(doc);
        lvl_store_u32le(p + f->disk, (uint32_t)(kept ? lvl_doc_derived(doc, doc->root, f, (uint32_t)values[i])
                                                     : (int64_t)values[i]));
    }
    lvl_store_u32le(p + LVL_FIELD(lvl_rez, root_pos)->disk, (uint32_t)l->nodes[0].pos);
}

/* The bytes that nothing is placed at can be most of a file whose parts are far apart. */
static lvl_status check_size(const lvl_doc *doc, const lvl_rez_layout *l)
{
    const lvl_rez *rez = doc->root;
    const uint64_t share = lvl_memory_share(doc->ctx), most = share > doc->input.len ? share : doc->input.len;
    const uint64_t limit = lvl_limits_of(doc->ctx).input_bytes,
                   whole = limit < UINT32_MAX ? limit : UINT32_MAX;
    uint64_t filled = LVL_REZ_HEADER_SIZE;

    for (uint32_t i = 0; i < rez->gap_count; i++)
        filled += rez->gaps[i].data.len;
    for (size_t i = 0; i < l->count; i++)
        filled += l->nodes[i].size;
    if (l->end > whole)
        return lvl_refuse(doc->ctx, LVL_LIMIT_INPUT, whole, l->end);
    return l->end > filled && l->end - filled > most
               ? lvl_refuse(doc->ctx, LVL_LIMIT_MEMORY, most, l->end - filled)
               : LVL_OK;
}

static lvl_status write_layout(const lvl_doc *doc, const lvl_rez_layout *l, lvl_buffer *out)
{
    const lvl_rez *rez = doc->root;
    const size_t start = out->len;

    const lvl_status status = check_size(doc, l);
    if (status != LVL_OK)
        return status;
    lvl_buffer_fill(out, 0, (size_t)l->end);
    if (out->status != LVL_OK)
        return out->status;
    uint8_t *p = out->data + start;
    for (uint32_t i = 0; i < rez->gap_count; i++) {
        if (rez->gaps[i].data.len)
            memcpy(p + rez->gaps[i].pos, rez->gaps[i].data.ptr, rez->gaps[i].data.len);
    }
    for (size_t i = 0; i < l->count; i++) {
        const lvl_rez_node *node = &l->nodes[i];
        if (lvl_rez_is_dir(node))
            write_body(doc, l, node, p + node->pos);
        else if (node->size)
            memcpy(p + node->pos, node->entry->data.ptr, node->size);
    }
    write_header(doc, l, p);
    return LVL_OK;
}

/* Whether the document says just what its file does. */
static lvl_status is_unchanged(const lvl_doc *doc, bool *out)
{
    lvl_doc *again = NULL;

    *out = false;
    if (!doc->input.len)
        return LVL_OK;
    lvl_status status = lvl_doc_new(&again, doc->ctx, doc->format);
    if (status != LVL_OK)
        return status;
    again->input = doc->input;
    status = lvl_rez_read(again, NULL, NULL);
    *out = status == LVL_OK && lvl_record_identical(doc->root, again->root, &lvl_rez_table);
    lvl_doc_free(again);
    return status;
}

lvl_status lvl_rez_write(const lvl_doc *doc, lvl_buffer *out)
{
    lvl_rez_layout layout;
    bool unchanged = false;

    lvl_status status = is_unchanged(doc, &unchanged);
    if (status == LVL_OK && unchanged) {
        lvl_buffer_add(out, doc->input.ptr, doc->input.len);
        return out->status;
    }
    if (status == LVL_OK)
        status = lvl_rez_check_writable(doc, NULL);
    if (status == LVL_OK)
        status = lvl_rez_layout_make(doc, false, &layout);
    if (status != LVL_OK)
        return status;
    status = write_layout(doc, &layout, out);
    lvl_rez_layout_free(&layout);
    return status;
}

/* ---- repair -------------------------------------------------------------------------------------------- */

/* Sets the sizes of directories to what was found of them. */
lvl_status lvl_rez_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    const lvl_field *root_size = LVL_FIELD(lvl_rez, root_size), *size = LVL_FIELD(lvl_rez_entry, size);
    char shown[80] = "";

    for (uint32_t i = 0; i < doc->override_count; i++) {
        lvl_override *o = &doc->overrides[i];
        const lvl_rez_entry *e = o->field == size ? o->record : NULL;
        if (!o->expected || !(o->field == root_size || (e && e->kind == LVL_REZ_DIR)))
            continue;
        lvl_findings_add(repairs->log,
                         &lvl_rez_findings[o->value < o->expected ? LVL_REZ_DIR_HIDES
                                           : e                    ? LVL_REZ_DIR_OUTSIDE
                                                                  : LVL_REZ_ROOT_OUTSIDE],
                         NULL, NULL, "the size of directory \"%s\" was %lld, is %lld",
                         e ? lvl_text_show(shown, sizeof shown, doc->codepage, e->name) : "",
                         (long long)o->value, (long long)o->expected);
        o->record = NULL;
    }
    lvl_doc_index_overrides(doc);
    return LVL_OK;
}
