/*
 * tools/merge_conflict.c: reports the conflicts of a merge, with the item and the values they are about.
 */
#include "tools/merge.h"

#include <stdarg.h>

void lvl_merge_conflict(lvl_merger *m, const char *fmt, ...)
{
    va_list args;

    m->conflicts++;
    va_start(args, fmt);
    lvl_findings_addv(m->findings, &lvl_faults[LVL_FAULT_CONFLICT], &m->where, NULL, fmt, args);
    va_end(args);
}

/* The value of a member on one line, NUL-ended. */
static const char *shown_value(const lvl_doc *doc, const void *record, const lvl_field *f, lvl_buffer *out)
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
                       shown_value(m->base, base, f, &b), shown_value(m->ours, ours, f, &o),
                       shown_value(m->theirs, theirs, f, &t), more);
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

/* Whether no two items of a list of that table have the same label. */
static bool label_is_key(const lvl_table *table)
{
    const lvl_field *label = lvl_label_of(table);
    const lvl_identity *key = table->identity_count ? table->identities : NULL;

    return label && key && key->count == 1 && lvl_table_at(table, key->offsets[0]) == label;
}

void lvl_merge_conflict_item(lvl_merger *m, const lvl_doc *doc, const void *item, const lvl_table *table,
                             lvl_buffer *text)
{
    enum { MEMBERS = 2 };
    const unsigned members = label_is_key(table) ? 0 : MEMBERS;
    lvl_buffer shown = {0};
    const lvl_emit w = lvl_emit_of(doc, &shown);

    lvl_write_summary(&w, item, table, members);
    lvl_buffer_u8(&shown, 0);
    lvl_buffer_u8(text, 0);
    if (shown.status == LVL_OK && text->status == LVL_OK)
        lvl_merge_conflict(m, "%s: %s", (const char *)shown.data, (const char *)text->data);
    else
        lvl_merge_fail(m, shown.status != LVL_OK ? shown.status : text->status);
    lvl_buffer_free(&shown);
    lvl_buffer_free(text);
}

static bool is_changed(const void *base, const void *item, const lvl_field *f)
{
    const bool was = lvl_field_present(base, f), is = lvl_field_present(item, f);

    if (f->role == LVL_DERIVED || f->role == LVL_KEPT)
        return false;
    return was != is || (was && !lvl_member_equal(base, item, f));
}

/* Whether a value fits into a line with others. */
static bool is_short(const lvl_field *f)
{
    return f->kind != LVL_RECORD && f->kind != LVL_LIST && f->kind != LVL_CELLS && f->kind != LVL_BYTES &&
           !(f->flags & LVL_F_LINES);
}

void lvl_merge_put_changes(const lvl_emit *old, const void *base, const lvl_emit *now, const void *item,
                           const lvl_table *table)
{
    enum { MAX_SHOWN = 3 };
    unsigned shown = 0;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (!is_changed(base, item, f))
            continue;
        lvl_buffer_str(now->out, shown ? ", " : " ");
        if (shown++ == MAX_SHOWN) {
            lvl_buffer_str(now->out, "...");
            return;
        }
        lvl_buffer_str(now->out, f->name);
        if (!is_short(f) || !lvl_field_present(base, f) || !lvl_field_present(item, f))
            continue;
        lvl_buffer_u8(now->out, ' ');
        lvl_write_short(old, base, f);
        lvl_buffer_str(now->out, " -> ");
        lvl_write_short(now, item, f);
    }
}
