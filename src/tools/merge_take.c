/*
 * tools/merge_take.c: for all parts of a merge: copies members from another document, with the references in
 * them.
 */
#include "tools/merge.h"

#include <string.h>

void lvl_merge_fail(lvl_merger *m, lvl_status status)
{
    if (lvl_merge_ok(m))
        m->edit.load.status = status;
}

static const lvl_merged_list *list_of(const lvl_merger *m, const lvl_field *f)
{
    for (uint32_t i = 0; (f->flags & LVL_F_FOLLOWS) && f->ref && i < m->list_count; i++) {
        if (strcmp(m->lists[i].list, f->ref) == 0)
            return &m->lists[i];
    }
    return NULL;
}

uint32_t lvl_merge_index(const lvl_merger *m, const lvl_field *field, const lvl_doc *doc, uint32_t index)
{
    const lvl_merged_list *list = list_of(m, field);

    if (!list)
        return index;
    if (doc == m->base)
        return index < list->base_count ? list->base[index] : index;
    return index < list->theirs_count ? list->theirs[index] : index;
}

int64_t lvl_merge_int(const lvl_merger *m, const lvl_doc *doc, const void *record, const lvl_field *f)
{
    const int64_t v = lvl_get_int(record, f);

    if (doc == m->ours || !list_of(m, f) || v < 0 || v >= UINT32_MAX)
        return v;
    const uint32_t index = lvl_merge_index(m, f, doc, (uint32_t)v);
    return index == LVL_NO_INDEX ? f->def : index;
}

/* Translates the references in a copied record from its document to the merged lists. */
static void translate(lvl_merger *m, void *record, const lvl_table *table, const lvl_doc *doc)
{
    for (uint32_t i = 0; i < m->list_count && lvl_merge_ok(m); i++) {
        const lvl_merged_list *l = &m->lists[i];
        const bool base = doc == m->base;
        lvl_editor_follow_in(&m->edit, l->list, base ? l->base : l->theirs,
                             base ? l->base_count : l->theirs_count, record, table);
    }
}

void lvl_merge_take(lvl_merger *m, void *ours, const lvl_doc *doc, const void *from, const lvl_field *field)
{
    const lvl_table one = {.fields = field, .field_count = 1};

    if (!lvl_merge_ok(m))
        return;
    if (field->kind == LVL_INT) {
        if (lvl_editor_note_member(&m->edit, ours, field))
            lvl_put_int(ours, field, lvl_merge_int(m, doc, from, field));
        return;
    }
    m->edit.load.where = m->where;
    lvl_editor_take(&m->edit, ours, field, doc, from, field);
    if (lvl_merge_ok(m))
        translate(m, ours, &one, doc);
}
