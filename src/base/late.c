/*
 * base/late.c: decodes late members (LVL_F_LATE), which stay encoded until they are needed, into the caller's
 * memory or permanently into the document.
 */
#include "base/cursor.h"
#include "base/format.h"

/* Whether a status ends the whole operation. Other errors only mean that a member could not be decoded. */
static bool is_final(lvl_status status)
{
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || status == LVL_ERR_STOPPED;
}

static lvl_cells cells_of(const void *record, const lvl_field *field)
{
    return field->kind == LVL_CELLS ? *lvl_get_cells(record, field) : (lvl_cells){0};
}

/* Decodes a late member that is not decoded yet; for any other, `storage` stays empty. `cells`: the grid in
 * the record; NULL for bytes. LVL_ERR_LOSS: only a part could be decoded, and is in `storage`. */
static lvl_status decode(const lvl_doc *doc, const void *record, const lvl_field *field, lvl_buffer *storage,
                         lvl_cells *cells)
{
    storage->len = 0;
    storage->status = LVL_OK;
    if (!(field->flags & LVL_F_LATE) || !doc->format->calls->decode ||
        (cells ? cells->ptr : lvl_get_bytes(record, field).ptr))
        return LVL_OK;
    const lvl_status status = doc->format->calls->decode(doc, record, field, storage, cells);
    return status == LVL_OK ? storage->status : status;
}

lvl_status lvl_doc_cells(const lvl_doc *doc, const void *record, const lvl_field *field, lvl_buffer *storage,
                         lvl_cells *out)
{
    *out = cells_of(record, field);
    const lvl_status status = decode(doc, record, field, storage, out);
    if (storage->len)
        out->ptr = storage->data;
    return status == LVL_ERR_LOSS ? LVL_OK : status;
}

lvl_status lvl_doc_bytes(const lvl_doc *doc, const void *record, const lvl_field *field, lvl_buffer *storage,
                         lvl_bytes *out)
{
    const lvl_status status = decode(doc, record, field, storage, NULL);

    *out = lvl_get_bytes(record, field);
    if (!out->ptr)
        *out = (lvl_bytes){storage->data, storage->len};
    return status == LVL_ERR_LOSS ? LVL_OK : status;
}

lvl_status lvl_doc_decodes(const lvl_doc *doc, const void *record, const lvl_field *field, bool *whole)
{
    const bool grid = field->kind == LVL_CELLS;
    lvl_cells cells = cells_of(record, field);
    lvl_buffer storage = {0};
    const lvl_status status = decode(doc, record, field, &storage, grid ? &cells : NULL);

    lvl_buffer_free(&storage);
    *whole = status == LVL_OK;
    return is_final(status) ? status : LVL_OK;
}

/* ---- into the document ------------------------------------------------------------------------------- */

/* Which members are decoded into the document, in addition to those that decode completely. */
typedef enum opening {
    OPEN_PARTS, /* members that can only be decoded in part */
    OPEN_WHOLE, /* none */
    OPEN_DAMAGED /* these parts, and a grid without an intact part, as far as the decoder gets */
} opening;

/* Decodes a late member into the document's memory; bytes that are equal to `known` become these. If that
 * fails, the member is unchanged. */
static lvl_status open_member(lvl_doc *doc, void *record, const lvl_field *field, lvl_bytes known,
                              opening which)
{
    const bool grid = field->kind == LVL_CELLS;
    lvl_buffer storage = {0};
    lvl_cells cells = cells_of(record, field);
    lvl_status status = decode(doc, record, field, &storage, grid ? &cells : NULL);

    if ((status == LVL_ERR_LOSS && which != OPEN_WHOLE) ||
        (status == LVL_ERR_FORMAT && which == OPEN_DAMAGED))
        status = LVL_OK;
    if (status == LVL_OK && storage.len) {
        const bool same =
            !grid && known.len == storage.len && memcmp(known.ptr, storage.data, known.len) == 0;
        const lvl_bytes bytes = {same ? known.ptr : lvl_arena_copy(&doc->arena, storage.data, storage.len),
                                 storage.len};
        cells.ptr = bytes.ptr;
        if (!bytes.ptr)
            status = LVL_ERR_MEMORY;
        else if (grid)
            memcpy((uint8_t *)record + field->offset, &cells, sizeof cells);
        else
            memcpy((uint8_t *)record + field->offset, &bytes, sizeof bytes);
    }
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status open_record(lvl_doc *doc, void *record, const lvl_table *table, opening which);

/* Decodes a member and the members below it. Returns an error only if it ends the operation. `known`: see
 * open_member. */
static lvl_status open_below(lvl_doc *doc, void *record, const lvl_field *f, lvl_bytes known, opening which)
{
    lvl_status status = LVL_OK;

    if (!lvl_field_present(record, f))
        return LVL_OK;
    if (f->flags & LVL_F_LATE)
        status = open_member(doc, record, f, known, which);
    else if (f->kind == LVL_RECORD)
        status = open_record(doc, (uint8_t *)record + f->offset, f->table, which);
    else if (f->kind == LVL_LIST && f->item == LVL_RECORD)
        for (uint32_t k = 0; k < lvl_list_count(record, f) && status == LVL_OK; k++)
            status = open_record(doc, lvl_item_at(record, f, k), f->table, which);
    status = lvl_arena_status(&doc->arena, status);
    return is_final(status) ? status : LVL_OK;
}

static lvl_status open_record(lvl_doc *doc, void *record, const lvl_table *table, opening which)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++)
        status = open_below(doc, record, &table->fields[i], (lvl_bytes){0}, which);
    return status;
}

static lvl_status open_all(lvl_doc *doc, opening which)
{
    return doc->format->calls->decode ? open_record(doc, doc->root, doc->format->table, which) : LVL_OK;
}

lvl_status lvl_doc_open(lvl_doc *doc)
{
    return open_all(doc, OPEN_PARTS);
}

/* Gives the grid memory that may be changed: *grid. */
static lvl_status edit_grid(lvl_doc *doc, void *record, const lvl_field *field, uint8_t **grid)
{
    lvl_cells *cells = (lvl_cells *)(void *)((uint8_t *)record + field->offset);
    size_t total;

    *grid = NULL;
    if (!lvl_mul_size((size_t)cells->width * cells->size, cells->height, &total))
        return LVL_ERR_LIMIT;
    if (!cells->ptr && (field->flags & LVL_F_LATE)) {
        const lvl_status status = open_member(doc, record, field, (lvl_bytes){0}, OPEN_DAMAGED);
        if (is_final(status) || cells->ptr) {
            lvl_list_note_grid(doc, cells->ptr);
            *grid = (uint8_t *)(uintptr_t)cells->ptr;
            return cells->ptr ? LVL_OK : status;
        }
    }
    uint8_t *copy =
        cells->ptr ? lvl_arena_copy(&doc->arena, cells->ptr, total) : lvl_arena_alloc(&doc->arena, total);
    if (copy)
        cells->ptr = copy;
    lvl_list_note_grid(doc, copy);
    *grid = copy;
    return copy ? LVL_OK : lvl_arena_status(&doc->arena, LVL_ERR_MEMORY);
}

uint8_t *lvl_cells_edit(lvl_doc *doc, void *record, const lvl_field *field)
{
    uint8_t *grid;

    (void)edit_grid(doc, record, field, &grid);
    return grid;
}

lvl_status lvl_set_cell(lvl_doc *doc, void *record, const lvl_field *field, uint32_t x, uint32_t y,
                        uint32_t value)
{
    if (!field || field->kind != LVL_CELLS)
        return LVL_ERR_ARG;
    const lvl_cells *cells = lvl_get_cells(record, field);
    if (x >= cells->width || y >= cells->height || (cells->size < 4 && value >> 8 * cells->size))
        return LVL_ERR_ARG;
    uint8_t *grid = (uint8_t *)(uintptr_t)cells->ptr;
    const lvl_status status =
        lvl_list_has_grid(doc, cells->ptr) ? LVL_OK : edit_grid(doc, record, field, &grid);
    if (status != LVL_OK)
        return status;
    uint8_t *at = grid + ((size_t)y * cells->width + x) * cells->size;
    for (uint32_t i = 0; i < cells->size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
    return LVL_OK;
}

/* ---- documents that are compared --------------------------------------------------------------------- */

typedef struct opener {
    lvl_doc *const *docs;
    uint32_t count;
    opening which;
} opener;

/* Whether the list that a member's cells index (LVL_F_FOLLOWS) is the same in all documents. */
static bool same_meaning(const opener *o, const lvl_field *field)
{
    const lvl_table *table = o->docs[0]->format->table;
    const lvl_field *list = field->flags & LVL_F_FOLLOWS ? lvl_field_named(table, field->ref) : NULL;
    const lvl_table one = {.fields = list, .field_count = list != NULL};

    for (uint32_t i = 1; i < o->count; i++) {
        if (!lvl_record_equal(o->docs[0]->root, o->docs[i]->root, &one))
            return false;
    }
    return true;
}

static bool same_late(const opener *o, void *const *records, const lvl_field *field)
{
    for (uint32_t i = 1; i < o->count; i++) {
        if (!o->docs[0]->format->calls->same_stored(o->docs[0], records[0], o->docs[i], records[i], field))
            return false;
    }
    return same_meaning(o, field);
}

/* Whether the items of a list have the same names in the same order in all documents, so that only items with
 * the same index are compared with each other. */
static bool same_names(const opener *o, void *const *records, const lvl_field *list)
{
    const lvl_field *label = lvl_field_named(list->table, list->table->label);
    const lvl_table one = {.fields = label, .field_count = label != NULL};
    const uint32_t n = lvl_list_count(records[0], list);
    bool same = label != NULL;

    for (uint32_t i = 1; same && i < o->count; i++) {
        same = lvl_list_count(records[i], list) == n;
        for (uint32_t k = 0; same && k < n; k++)
            same = lvl_record_equal(lvl_list_item(records[0], list, k), lvl_list_item(records[i], list, k),
                                    &one);
    }
    return same;
}

static bool all_have(const opener *o, void *const *records, const lvl_field *field)
{
    bool all = true;

    for (uint32_t i = 0; i < o->count; i++)
        all = all && lvl_field_present(records[i], field);
    return all;
}

static lvl_status open_different(const opener *o, void *const *records, const lvl_table *table)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        const bool items = f->kind == LVL_LIST && f->item == LVL_RECORD, all = all_have(o, records, f);
        if (f->flags & LVL_F_LATE && all && same_late(o, records, f))
            continue;
        if (items && all && same_names(o, records, f)) {
            for (uint32_t k = 0; k < lvl_list_count(records[0], f) && status == LVL_OK; k++) {
                void *item[LVL_OPENED] = {lvl_item_at(records[0], f, k)};
                for (uint32_t d = 1; d < o->count; d++)
                    item[d] = lvl_item_at(records[d], f, k);
                status = open_different(o, item, f->table);
            }
            continue;
        }
        for (uint32_t d = 0; d < o->count && status == LVL_OK; d++) {
            const bool may_share = d && all && o->which == OPEN_PARTS && f->kind == LVL_BYTES;
            const lvl_bytes known = may_share ? lvl_get_bytes(records[0], f) : (lvl_bytes){0};
            status = open_below(o->docs[d], records[d], f, known, o->which);
        }
    }
    return status;
}

lvl_status lvl_doc_open_different(lvl_doc *const *docs, uint32_t count, bool whole)
{
    const opener o = {docs, count, whole ? OPEN_WHOLE : OPEN_PARTS};
    void *roots[LVL_OPENED] = {docs[0]->root};
    lvl_status status = LVL_OK;

    if (docs[0]->format->calls->same_stored) {
        for (uint32_t i = 1; i < count; i++)
            roots[i] = docs[i]->root;
        return open_different(&o, roots, docs[0]->format->table);
    }
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = open_all(docs[i], o.which);
    return status;
}
