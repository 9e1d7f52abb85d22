/*
 * abi/records.c: descriptions of records for bindings, and members that are not assigned in place.
 */
#include "abi/abi.h"
#include "base/text.h"
#include "tools/tools.h"
#include "tools/values/schema.h"
#include "tools/world/reference.h"

#include <stdlib.h>
#include <string.h>

lvl_abi_result *lvl_abi_formats(void)
{
    abi_call *call = abi_begin(NULL);
    lvl_status status = LVL_OK;
    const lvl_format *format;

    if (!call)
        return NULL;
    lvl_buffer_u8(&call->out, '[');
    for (size_t i = 0; (format = lvl_format_at(i)) != NULL && status == LVL_OK; i++) {
        lvl_buffer_str(&call->out, i ? "," : "");
        status = lvl_format_json(format, true, &call->out);
    }
    lvl_buffer_u8(&call->out, ']');
    return abi_end(call, status);
}

static void put_layout(lvl_buffer *out, const lvl_table *t)
{
    lvl_buffer_printf(out, "\"%s\":{\"size\":%lu,\"fields\":{", t->name, (unsigned long)t->struct_size);
    for (uint32_t i = 0; i < t->field_count; i++) {
        const lvl_field *f = &t->fields[i];
        lvl_buffer_printf(out, "%s\"%s\":[%d,%lu,%lu,%lu,%lu,%d,%lu,", i ? "," : "", f->name, (int)f->kind,
                          (unsigned long)f->offset, (unsigned long)f->size, (unsigned long)f->flags,
                          (unsigned long)f->count_offset, (int)f->item, (unsigned long)f->item_size);
        if (f->table)
            lvl_buffer_printf(out, "\"%s\",%d]", f->table->name, (int)f->role);
        else
            lvl_buffer_printf(out, "null,%d]", (int)f->role);
    }
    lvl_buffer_str(out, "}}");
}

lvl_abi_result *lvl_abi_layout(const char *format)
{
    abi_call *call = abi_begin(NULL);
    const lvl_format *f = format ? lvl_format_find(format) : NULL;
    const lvl_table *tables[LVL_MAX_TABLES];

    if (!call)
        return NULL;
    if (!f) {
        abi_set_message(call, "there is no format '%.60s'", format ? format : "");
        return abi_end(call, LVL_ERR_MISSING);
    }
    const uint32_t count = lvl_tables_below(f->table, tables, NULL, NULL);
    lvl_buffer_printf(&call->out, "{\"root\":\"%s\",\"pointer\":%u,\"tables\":{", f->table->name,
                      (unsigned)sizeof(void *));
    for (uint32_t i = 0; i < count; i++) {
        lvl_buffer_str(&call->out, i ? "," : "");
        put_layout(&call->out, tables[i]);
    }
    lvl_buffer_str(&call->out, "}}");
    return abi_end(call, LVL_OK);
}

const lvl_field *lvl_abi_field(const char *format, const char *table, const char *field)
{
    const lvl_format *f = format ? lvl_format_find(format) : NULL;
    const lvl_table *tables[LVL_MAX_TABLES];

    if (!f || !table || !field)
        return NULL;
    const uint32_t count = lvl_tables_below(f->table, tables, NULL, NULL);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(tables[i]->name, table) == 0)
            return lvl_table_find(tables[i], lvl_text_of(field));
    }
    return NULL;
}

lvl_abi_result *lvl_abi_findings(const char *id)
{
    abi_call *call = abi_begin(NULL);

    if (!call)
        return NULL;
    return abi_end(call, lvl_findings_reference(call->ctx, NULL, id, true, &call->out));
}

lvl_abi_result *lvl_abi_schema(const char *format)
{
    abi_call *call = abi_begin(NULL);
    const lvl_format *f = format ? lvl_format_find(format) : NULL;

    if (!call)
        return NULL;
    if (!f) {
        abi_set_message(call, "there is no format '%.60s'", format ? format : "");
        return abi_end(call, LVL_ERR_MISSING);
    }
    return abi_end(call, lvl_schema(f, &call->out));
}

void *lvl_abi_root(lvl_abi_doc *d)
{
    if (!d)
        return NULL;
    d->handed = true;
    abi_forget(d);
    return lvl_doc_root(d->doc);
}

const char *lvl_abi_format(const lvl_abi_doc *d)
{
    return d ? lvl_doc_format(d->doc)->id : NULL;
}

int32_t lvl_abi_codepage(const lvl_abi_doc *d)
{
    return d ? (int32_t)lvl_doc_codepage(d->doc) : (int32_t)LVL_CP_1252;
}

/* ---- members ----------------------------------------------------------------------------------------- */

/* A copy in the document's memory; `ptr` of an empty one is not NULL, so that a late member counts as
 * assigned. */
static bool copy_in(const lvl_abi_doc *d, const void *bytes, size_t len, void **out)
{
    *out = lvl_doc_alloc(d->doc, len ? len : 1);
    if (*out && len)
        memcpy(*out, bytes, len);
    return *out != NULL;
}

int32_t lvl_abi_put(lvl_abi_doc *d, void *record, const lvl_field *field, const void *bytes, size_t len)
{
    void *copy;

    if (!d || !record || !field || (!bytes && len))
        return LVL_ERR_ARG;
    if (field->kind == LVL_TEXT)
        return (int32_t)lvl_put_text(d->doc, record, field, (lvl_text){bytes, len});
    if (field->kind != LVL_BYTES)
        return LVL_ERR_ARG;
    uint8_t *member = (uint8_t *)record + field->offset;
    if (field->flags & LVL_F_SLOT) {
        if (len > field->size)
            return LVL_ERR_ARG;
        memset(member, 0, field->size);
        if (len)
            memcpy(member, bytes, len);
        return LVL_OK;
    }
    if (!copy_in(d, bytes, len, &copy))
        return LVL_ERR_MEMORY;
    const lvl_bytes value = {copy, len};
    memcpy(member, &value, sizeof value);
    return LVL_OK;
}

int32_t lvl_abi_put_item(lvl_abi_doc *d, void *record, const lvl_field *field, uint32_t index,
                         const void *bytes, size_t len)
{
    void *copy;

    if (!d || !record || !field || (!bytes && len) || field->kind != LVL_LIST || field->item != LVL_TEXT ||
        index >= lvl_list_count(record, field))
        return LVL_ERR_ARG;
    if (!copy_in(d, bytes, len, &copy))
        return LVL_ERR_MEMORY;
    const lvl_text value = {copy, len};
    uint8_t *items;
    memcpy(&items, (const uint8_t *)record + field->offset, sizeof items);
    memcpy(items + (size_t)index * field->item_size, &value, sizeof value);
    return LVL_OK;
}

int32_t lvl_abi_insert(lvl_abi_doc *d, void *record, const lvl_field *field, uint32_t index, uint32_t count)
{
    return (int32_t)(d && record ? lvl_list_insert(d->doc, record, field, index, count) : LVL_ERR_ARG);
}

int32_t lvl_abi_remove(lvl_abi_doc *d, void *record, const lvl_field *field, uint32_t index, uint32_t count)
{
    return (int32_t)(d && record ? lvl_list_remove(d->doc, record, field, index, count) : LVL_ERR_ARG);
}

uint8_t *lvl_abi_cells(lvl_abi_doc *d, void *record, const lvl_field *field)
{
    return d && record && field && field->kind == LVL_CELLS ? lvl_cells_edit(d->doc, record, field) : NULL;
}

lvl_abi_result *lvl_abi_content(lvl_abi_doc *d, const void *record, const lvl_field *field)
{
    abi_call *call = abi_begin(d);
    lvl_buffer storage = {0};
    lvl_cells cells;
    lvl_bytes bytes;
    lvl_status status = LVL_ERR_ARG;

    if (!call)
        return NULL;
    if (d && record && field && field->kind == LVL_BYTES) {
        status = lvl_doc_bytes(d->doc, record, field, &storage, &bytes);
        if (status == LVL_OK)
            lvl_buffer_add(&call->out, bytes.ptr, bytes.len);
    } else if (d && record && field && field->kind == LVL_CELLS) {
        status = lvl_doc_cells(d->doc, record, field, &storage, &cells);
        if (status == LVL_OK) {
            call->result.width = cells.width;
            call->result.height = cells.height;
            call->result.count = cells.size;
            if (cells.ptr)
                lvl_buffer_add(&call->out, cells.ptr, (size_t)cells.width * cells.height * cells.size);
        }
    } else {
        abi_set_message(call, "expected a record and its field of kind bytes or cells");
    }
    lvl_buffer_free(&storage);
    return abi_end(call, status);
}
