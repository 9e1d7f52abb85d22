/*
 * tools/merge_take.c: for all parts of a merge: copies members from another document, reports conflicts.
 */
#include "tools/merge.h"

#include <stdarg.h>
#include <string.h>

void lvl_merge_fail(lvl_merger *m, lvl_status status)
{
    if (lvl_merge_ok(m))
        m->edit.load.status = status;
}

/* ---- conflicts --------------------------------------------------------------------------------------- */

void lvl_merge_conflict(lvl_merger *m, const char *fmt, ...)
{
    va_list args;

    m->conflicts++;
    va_start(args, fmt);
    lvl_findings_addv(m->findings, &lvl_faults[LVL_FAULT_CONFLICT], &m->where, NULL, fmt, args);
    va_end(args);
}

/* The value of a member on one line, NUL-ended. */
static const char *show(const lvl_doc *doc, const void *record, const lvl_field *f, lvl_buffer *out)
{
    if (!record || !lvl_field_present(record, f))
        return "(absent)";
    lvl_emit w = lvl_emit_of(doc, out);
    w.names_alone = true;
    lvl_write_short(&w, record, f);
    lvl_buffer_u8(out, 0);
    return out->status == LVL_OK ? (const char *)out->data : "";
}

/* The item of a list in OURS that the current path leads into, as `lvl diff' names it, and ": "; "" if
 * there is none. */
static const char *item_of(const lvl_merger *m, lvl_buffer *out)
{
    const lvl_emit w = lvl_emit_of(m->ours, out);

    lvl_write_item_of(&w, m->ours, &m->where, m->where.depth ? m->where.depth - 1 : 0, 0);
    lvl_buffer_str(out, out->len ? ": " : "");
    lvl_buffer_u8(out, 0);
    return out->status == LVL_OK ? (const char *)out->data : "";
}

void lvl_merge_conflict_values(lvl_merger *m, const char *place, const void *base, const void *ours,
                               const void *theirs, const lvl_field *f, const char *more)
{
    lvl_buffer b = {0}, o = {0}, t = {0}, item = {0};

    lvl_merge_conflict(m, "%s%sbase %s, ours %s, theirs %s%s", item_of(m, &item), place,
                       show(m->base, base, f, &b), show(m->ours, ours, f, &o), show(m->theirs, theirs, f, &t),
                       more);
    lvl_buffer_free(&b);
    lvl_buffer_free(&o);
    lvl_buffer_free(&t);
    lvl_buffer_free(&item);
}

lvl_merge_side lvl_merge_next_side(const lvl_merger *m)
{
    const uint64_t next = m->first + m->conflicts;

    return m->options->choices && next < m->options->choice_count ? m->options->choices[next]
                                                                  : m->options->prefer;
}

const lvl_doc *lvl_merge_winner(const lvl_merger *m)
{
    switch (lvl_merge_next_side(m)) {
    case LVL_MERGE_THEIRS: return m->theirs;
    case LVL_MERGE_BASE: return m->base;
    case LVL_MERGE_OURS: break;
    }
    return NULL;
}

/* ---- copying ----------------------------------------------------------------------------------------- */

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
