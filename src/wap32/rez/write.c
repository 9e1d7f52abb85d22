/*
 * wap32/rez/write.c: writes and repairs a REZ. An unchanged archive is copied from its file.
 */
#include "wap32/rez/rez.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/disk.h"
#include "base/text.h"
#include "base/work.h"

/* ---- derived members ----------------------------------------------------------------------------------- */

static void raise_to(uint32_t *most, uint64_t value)
{
    *most = value > *most ? (uint32_t)value : *most;
}

/* The header with the numbers derived from the layout. */
static lvl_rez header_of(const lvl_doc *doc, const lvl_rez_layout *l)
{
    lvl_rez head = *(const lvl_rez *)doc->root;

    head.root_size = (uint32_t)l->nodes[0].size;
    head.next_write = (uint32_t)l->payload_end;
    head.largest_keys = head.largest_dir = head.largest_file = head.largest_comment = 0;
    for (size_t i = 1; i < l->count; i++) {
        const lvl_rez_entry *e = l->nodes[i].entry;
        const bool is_dir = lvl_rez_is_dir(&l->nodes[i]);
        raise_to(is_dir ? &head.largest_dir : &head.largest_file, e->name.len + 1);
        if (!is_dir)
            raise_to(&head.largest_keys, e->key_count);
        if (!is_dir && e->comment.len)
            raise_to(&head.largest_comment, e->comment.len + 1);
    }
    return head;
}

lvl_status lvl_rez_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    const lvl_field *size = LVL_FIELD(lvl_rez_entry, size);
    lvl_rez_layout l;

    const lvl_status status = lvl_rez_layout_make(doc, false, &l);
    if (status != LVL_OK)
        return status;
    const lvl_rez head = header_of(doc, &l);
    for (uint32_t i = 0; i < lvl_rez_table.field_count; i++) {
        const lvl_field *f = &lvl_rez_table.fields[i];
        if (f->role == LVL_DERIVED)
            visit(user, doc->root, f, lvl_get_int(&head, f));
    }
    for (size_t i = 1; i < l.count; i++)
        visit(user, l.nodes[i].entry, size, (uint32_t)l.nodes[i].size);
    lvl_rez_layout_free(&l);
    return LVL_OK;
}

/* The size to write for a directory or payload. A dump must reproduce its file, so a wrong size in a
 * dump is written. In an archive that was read and changed, only parts that could not be read at all
 * keep their size. */
static uint32_t size_to_write(const lvl_doc *doc, const void *record, const lvl_field *field, uint64_t size)
{
    return size && doc->input.len ? (uint32_t)size
                                  : (uint32_t)lvl_doc_derived(doc, record, field, (uint32_t)size);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The file to write. All parts are copied into it and then compared with it, since overlapping parts may
 * overwrite each other. */
struct image {
    uint8_t *bytes;
    bool compare; /* second pass */
    bool same; /* no part compared so far was overwritten */
};

static void put_bytes(struct image *image, uint64_t at, const void *bytes, size_t len)
{
    if (!len)
        return;
    if (!image->compare)
        memcpy(image->bytes + at, bytes, len);
    else if (memcmp(image->bytes + at, bytes, len) != 0)
        image->same = false;
}

static uint32_t type_number(lvl_text type)
{
    uint32_t v = 0;

    for (size_t i = 0; i < type.len && i < 4; i++)
        v = v << 8 | (uint8_t)type.ptr[i];
    return v;
}

static void add_text(lvl_buffer *out, lvl_text text)
{
    lvl_buffer_add(out, text.ptr, text.len);
    lvl_buffer_u8(out, 0);
}

/* The position to write for a node. An archive whose parts moved keeps the wrong positions until a repair, or
 * until a part gets a new position, so that it does not appear to be intact. */
static uint32_t position_to_write(const lvl_rez *rez, const lvl_rez_layout *l, const lvl_rez_node *node)
{
    return rez->declared_count == l->count && !l->fresh ? rez->declared[node - l->nodes]
                                                        : (uint32_t)node->pos;
}

static void add_entry(const lvl_doc *doc, const lvl_rez_layout *l, const lvl_rez_node *node, lvl_buffer *out)
{
    const bool file = !lvl_rez_is_dir(node);
    uint8_t fixed[LVL_REZ_FILE_FIXED];
    lvl_rez_entry e = *node->entry;

    e.pos = position_to_write(doc->root, l, node);
    e.size = size_to_write(doc, node->entry, LVL_FIELD(lvl_rez_entry, size), node->size);
    lvl_disk_store(&e, &lvl_rez_entry_table, fixed, sizeof fixed);
    lvl_store_u32le(fixed + LVL_FIELD(lvl_rez_entry, type)->disk, type_number(e.type));
    lvl_buffer_add(out, fixed, file ? LVL_REZ_FILE_FIXED : LVL_REZ_DIR_FIXED);
    add_text(out, e.name);
    if (file)
        add_text(out, e.comment);
    for (uint32_t k = 0; file && k < e.key_count; k++)
        lvl_buffer_u32le(out, e.keys[k]);
}

/* Appends the body of a directory. */
static void add_body(const lvl_doc *doc, const lvl_rez_layout *l, const lvl_rez_node *node, lvl_buffer *out)
{
    const lvl_rez_dir dir = node->entry ? lvl_rez_dir_of(node->entry) : l->root;

    for (uint32_t i = 0; i < *dir.count; i++)
        add_entry(doc, l, &l->nodes[node->first + i], out);
    lvl_buffer_add(out, dir.rest->ptr, dir.rest->len);
}

static void put_header(const lvl_doc *doc, const lvl_rez_layout *l, struct image *image)
{
    const lvl_field *root_size = LVL_FIELD(lvl_rez, root_size);
    uint8_t bytes[LVL_REZ_HEADER_SIZE] = {0};
    lvl_rez head = header_of(doc, l);

    head.root_size = size_to_write(doc, doc->root, root_size, head.root_size);
    head.root_pos = position_to_write(doc->root, l, &l->nodes[0]);
    for (uint32_t i = 0; i < lvl_rez_table.field_count; i++) {
        const lvl_field *f = &lvl_rez_table.fields[i];
        if (f->role == LVL_DERIVED && f != root_size)
            lvl_put_int(&head, f, lvl_doc_derived(doc, doc->root, f, lvl_get_int(&head, f)));
    }
    lvl_disk_store(&head, &lvl_rez_table, bytes, sizeof bytes);
    put_bytes(image, 0, bytes, sizeof bytes);
}

static lvl_status put_all(const lvl_doc *doc, const lvl_rez_layout *l, struct image *image)
{
    const lvl_rez *rez = doc->root;
    lvl_buffer body = {0};

    for (uint32_t i = 0; i < rez->gap_count; i++)
        put_bytes(image, rez->gaps[i].pos, rez->gaps[i].data.ptr, rez->gaps[i].data.len);
    for (size_t i = 0; i < l->count && body.status == LVL_OK; i++) {
        const lvl_rez_node *node = &l->nodes[i];
        if (!lvl_rez_is_dir(node)) {
            put_bytes(image, node->pos, node->entry->data.ptr, node->entry->data.len);
            continue;
        }
        body.len = 0;
        add_body(doc, l, node, &body);
        if (body.status == LVL_OK)
            put_bytes(image, node->pos, body.data, body.len);
    }
    const lvl_status status = body.status;
    lvl_buffer_free(&body);
    if (status == LVL_OK)
        put_header(doc, l, image);
    return status;
}

/* Limits the size of the file and the bytes between parts, which may be far apart. */
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

/* Writes the archive; *same: no part overwrote another. */
static lvl_status write_layout(const lvl_doc *doc, bool fresh, lvl_buffer *out, bool *same)
{
    const size_t start = out->len;
    lvl_rez_layout l;

    lvl_status status = lvl_rez_layout_make(doc, fresh, &l);
    if (status != LVL_OK)
        return status;
    status = check_size(doc, &l);
    if (status == LVL_OK) {
        lvl_buffer_fill(out, 0, (size_t)l.end);
        status = out->status;
    }
    if (status == LVL_OK) {
        struct image image = {.bytes = out->data + start, .same = true};
        status = put_all(doc, &l, &image);
        image.compare = true;
        if (status == LVL_OK)
            status = put_all(doc, &l, &image);
        *same = image.same;
    }
    lvl_rez_layout_free(&l);
    return status;
}

/* Whether the document still has the content of its file. */
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
    const size_t start = out->len;
    bool unchanged = false, same = false;

    lvl_status status = is_unchanged(doc, &unchanged);
    if (status == LVL_OK && unchanged) {
        lvl_buffer_add(out, doc->input.ptr, doc->input.len);
        return out->status;
    }
    if (status == LVL_OK)
        status = lvl_rez_check_writable(doc, NULL);
    if (status == LVL_OK)
        status = write_layout(doc, false, out, &same);
    if (status == LVL_OK && !same) {
        out->len = start;
        status = write_layout(doc, true, out, &same);
    }
    return status;
}

/* ---- repair -------------------------------------------------------------------------------------------- */

/* Drops the positions of an archive whose root is not where its header says, so that the writer chooses new
 * ones. */
static void repair_positions(lvl_doc *doc, lvl_findings *log)
{
    const lvl_rez *rez = doc->root;
    size_t left = 0;

    if (!rez->declared_count)
        return;
    for (uint32_t i = 0; i < rez->gap_count; i++)
        left += rez->gaps[i].data.len;
    lvl_findings_add(
        log, &lvl_rez_findings[LVL_REZ_ROOT_MOVED], NULL, NULL,
        "wrote all positions again: the root directory is not at 0x%lx; %zu bytes that no entry has "
        "were left out",
        (unsigned long)rez->declared[0], left);
    lvl_doc_drop_kept_members(doc);
}

/* Sets the sizes of directories to those of their entries. */
lvl_status lvl_rez_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    const lvl_field *root_size = LVL_FIELD(lvl_rez, root_size), *size = LVL_FIELD(lvl_rez_entry, size);
    char shown[80] = "";

    repair_positions(doc, repairs->log);
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
