/*
 * base/kept.c: spelling (members of role LVL_KEPT) wherever a document's tables say that there is some: how
 * many bytes of it there are, and letting go of it. Members that are numbers (how lines end, how a block is
 * set apart) are no bytes, and are let go of with the rest.
 */
#include "base/format.h"

typedef uint64_t (*member_fn)(void *record, const lvl_field *field);

static uint64_t length(void *record, const lvl_field *field)
{
    return field->kind == LVL_TEXT    ? lvl_get_text(record, field).len
           : field->kind == LVL_BYTES ? lvl_get_bytes(record, field).len
                                      : 0;
}

static uint64_t drop(void *record, const lvl_field *field)
{
    lvl_field_reset(record, field);
    return 0;
}

static uint64_t each_kept(void *record, const lvl_table *table, member_fn fn)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_KEPT)
            sum += fn(record, f);
        else if (f->kind == LVL_RECORD)
            sum += each_kept((uint8_t *)record + f->offset, f->table, fn);
        else if (f->kind == LVL_LIST && f->item == LVL_RECORD)
            for (uint32_t k = 0; k < lvl_list_count(record, f); k++)
                sum += each_kept(lvl_item_at(record, f, k), f->table, fn);
    }
    return sum;
}

lvl_status lvl_doc_kept_members(const lvl_doc *doc, uint64_t *bytes)
{
    *bytes = each_kept(doc->root, doc->format->table, length);
    return LVL_OK;
}

void lvl_doc_drop_kept_members(lvl_doc *doc)
{
    each_kept(doc->root, doc->format->table, drop);
}
