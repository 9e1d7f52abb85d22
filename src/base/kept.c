/*
 * base/kept.c: drops the spelling (members of role LVL_KEPT) from a document, wherever its tables have some.
 */
#include "base/format.h"

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
