/*
 * base/clone.c: copies records from one document into another, by their tables.
 */
#include "base/format.h"

#include <string.h>

static lvl_status copy_bytes(lvl_doc *to, void *dst, const lvl_field *f, const void *data, size_t len)
{
    const lvl_bytes copy = {len ? lvl_arena_copy(&to->arena, data, len) : NULL, len};

    if (len && !copy.ptr)
        return LVL_ERR_MEMORY;
    memcpy((uint8_t *)dst + f->offset, &copy, sizeof copy); /* a lvl_text has the same layout */
    return LVL_OK;
}

static lvl_status copy_cells(lvl_doc *to, void *dst, const lvl_doc *from, const void *src, const lvl_field *f)
{
    lvl_buffer storage = {0};
    lvl_cells cells;
    lvl_status status = lvl_doc_cells(from, src, f, &storage, &cells);

    if (status == LVL_ERR_FORMAT)
        status = LVL_OK; /* a damaged grid: what could be decoded is copied */
    if (status == LVL_OK && cells.ptr) {
        cells.ptr = lvl_arena_copy(&to->arena, cells.ptr, (size_t)cells.width * cells.height * cells.size);
        status = cells.ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK)
        memcpy((uint8_t *)dst + f->offset, &cells, sizeof cells);
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status copy_late_bytes(lvl_doc *to, void *dst, const lvl_doc *from, const void *src,
                                  const lvl_field *f)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    lvl_status status = lvl_doc_bytes(from, src, f, &storage, &bytes);

    if (status == LVL_ERR_FORMAT || status == LVL_OK)
        status = copy_bytes(to, dst, f, bytes.ptr, bytes.len);
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status copy_list(lvl_doc *to, void *dst, const lvl_doc *from, const void *src, const lvl_field *f)
{
    const uint32_t count = lvl_list_count(src, f);
    uint8_t *items = lvl_arena_array(&to->arena, (size_t)count + 1, f->item_size);
    lvl_status status = LVL_OK;

    if (!items)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const void *item = lvl_list_item(src, f, i);
        uint8_t *copy = items + (size_t)i * f->item_size;
        if (f->item == LVL_RECORD) {
            status = lvl_record_copy(to, copy, from, item, f->table);
        } else if (f->item == LVL_TEXT) {
            const lvl_field text = {.kind = LVL_TEXT, .size = sizeof(lvl_text)};
            const lvl_text *t = item;
            status = copy_bytes(to, copy, &text, t->ptr, t->len);
        } else {
            memcpy(copy, item, f->item_size);
        }
    }
    memcpy((uint8_t *)dst + f->offset, &items, sizeof items);
    memcpy((uint8_t *)dst + f->count_offset, &count, sizeof count);
    return status;
}

lvl_status lvl_record_copy(lvl_doc *to, void *dst, const lvl_doc *from, const void *src,
                           const lvl_table *table)
{
    lvl_status status = LVL_OK;

    lvl_record_init(dst, table);
    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_KEPT)
            continue;
        if (f->kind == LVL_RECORD) {
            status = lvl_record_copy(to, (uint8_t *)dst + f->offset, from, lvl_get_record(src, f), f->table);
        } else if (f->kind == LVL_LIST) {
            status = copy_list(to, dst, from, src, f);
        } else if (f->kind == LVL_CELLS) {
            status = copy_cells(to, dst, from, src, f);
        } else if ((f->kind == LVL_TEXT || f->kind == LVL_BYTES) && !(f->flags & LVL_F_SLOT)) {
            const lvl_bytes b = lvl_get_bytes(src, f);
            status = f->flags & LVL_F_LATE ? copy_late_bytes(to, dst, from, src, f)
                                           : copy_bytes(to, dst, f, b.ptr, b.len);
        } else {
            memcpy((uint8_t *)dst + f->offset, (const uint8_t *)src + f->offset, f->size);
        }
    }
    return status;
}
