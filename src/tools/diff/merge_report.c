/*
 * tools/diff/merge_report.c: reports the conflicts of a merge, with the item and the values they are about.
 */
#include "base/buffer.h"
#include "tools/diff/merge.h"

#include <stdarg.h>
#include <stdio.h>

/* What a conflict is about, for the finding and for the caller's function. NULL: not known, or absent. */
typedef struct report {
    const char *item;
    const char *values[3]; /* BASE, OURS, THEIRS */
    bool has_values;
} report;

/* The text of a buffer, NUL-ended; "" without memory. */
static const char *ended(lvl_buffer *out)
{
    lvl_buffer_u8(out, 0);
    return out->status == LVL_OK ? (const char *)out->data : "";
}

static void add_conflict(lvl_merger *m, const report *r, const char *text)
{
    m->conflicts++;
    if (m->member)
        lvl_findings_add(m->findings, &lvl_faults[LVL_FAULT_CONFLICT], &m->where, NULL, "%s: %s", m->member,
                         text);
    else
        lvl_findings_add(m->findings, &lvl_faults[LVL_FAULT_CONFLICT], &m->where, NULL, "%s", text);
    if (!m->options->report)
        return;
    const lvl_conflict c = {.where = &m->where,
                            .member = m->member,
                            .item = r->item,
                            .has_values = r->has_values,
                            .base = r->values[0],
                            .ours = r->values[1],
                            .theirs = r->values[2],
                            .text = text};
    m->options->report(m->options->user, &c);
}

/* The item of a list in OURS that the current path leads into, as `lvl diff' names it; "": there is none. */
static const char *item_of(const lvl_merger *m, lvl_buffer *out)
{
    const lvl_emit w = lvl_emit_of(m->ours, out);

    lvl_write_item_of(&w, m->ours, &m->where, m->where.depth ? m->where.depth - 1 : 0, 0);
    return ended(out);
}

void lvl_merge_conflict(lvl_merger *m, const char *fmt, ...)
{
    lvl_buffer item = {0};
    const char *name = item_of(m, &item);
    const report r = {.item = *name ? name : NULL};
    lvl_buffer text = {0};
    char sentence[600];
    va_list args;

    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args); /* NOLINT(cert-err33-c): a message may be cut */
    va_end(args);
    lvl_buffer_printf(&text, "%s%s%s", name, *name ? ": " : "", sentence);
    add_conflict(m, &r, ended(&text));
    lvl_merge_fail(m, text.status);
    lvl_buffer_free(&item);
    lvl_buffer_free(&text);
}

/* The value of a member on one line; NULL: absent. */
static const char *shown_value(const lvl_doc *doc, const void *record, const lvl_field *f, lvl_buffer *out)
{
    if (!record || !lvl_field_present(record, f))
        return NULL;
    lvl_emit w = lvl_emit_of(doc, out);
    w.names_alone = true;
    lvl_write_short(&w, record, f);
    return ended(out);
}

static const char *or_absent(const char *value)
{
    return value ? value : "(absent)";
}

void lvl_merge_conflict_values(lvl_merger *m, const char *place, const void *base, const void *ours,
                               const void *theirs, const lvl_field *f, const char *more)
{
    lvl_buffer values[3] = {{0}}, item = {0}, text = {0};
    const char *name = item_of(m, &item);
    const report r = {.item = *name ? name : NULL,
                      .values = {shown_value(m->base, m->no_base ? NULL : base, f, &values[0]),
                                 shown_value(m->ours, ours, f, &values[1]),
                                 shown_value(m->theirs, theirs, f, &values[2])},
                      .has_values = true};

    lvl_buffer_printf(&text, "%s%s%sbase %s, ours %s, theirs %s%s", name, *name ? ": " : "", place,
                      or_absent(r.values[0]), or_absent(r.values[1]), or_absent(r.values[2]), more);
    add_conflict(m, &r, ended(&text));
    lvl_merge_fail(m, text.status);
    for (int i = 0; i < 3; i++)
        lvl_buffer_free(&values[i]);
    lvl_buffer_free(&item);
    lvl_buffer_free(&text);
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

/* ---- items ------------------------------------------------------------------------------------------- */

/* Whether no two items of a list of that table have the same label. */
static bool label_is_key(const lvl_table *table)
{
    const lvl_field *label = lvl_label_of(table);
    const lvl_identity *key = table->identity_count ? table->identities : NULL;

    return label && key && key->count == 1 && lvl_table_at(table, key->offsets[0]) == label;
}

/* Whether a value fits into a line with others. */
static bool is_short(const lvl_field *f)
{
    return f->kind != LVL_RECORD && f->kind != LVL_LIST && f->kind != LVL_CELLS && f->kind != LVL_BYTES &&
           !(f->flags & LVL_F_LINES);
}

/* Writes how an item of BASE was changed, " x 3 -> 5, script". */
static void put_changes(const lvl_merger *m, const void *base, const lvl_doc *doc, const void *item,
                        const lvl_table *table, lvl_buffer *out)
{
    enum { MAX_SHOWN = 3 };
    const lvl_emit old = lvl_emit_of(m->base, out), now = lvl_emit_of(doc, out);
    unsigned shown = 0;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT)
            continue;
        const bool was = lvl_field_present(base, f), is = lvl_field_present(item, f);
        if (was == is && (!was || lvl_merge_same_member(m, base, doc, item, f)))
            continue;
        lvl_buffer_str(out, shown ? ", " : " ");
        if (shown++ == MAX_SHOWN) {
            lvl_buffer_str(out, "...");
            return;
        }
        lvl_buffer_str(out, f->name);
        if (!is_short(f) || !was || !is)
            continue;
        lvl_buffer_u8(out, ' ');
        lvl_write_short(&old, base, f);
        lvl_buffer_str(out, " -> ");
        lvl_write_short(&now, item, f);
    }
}

void lvl_merge_conflict_item(lvl_merger *m, const void *base, const void *ours, const void *theirs,
                             const lvl_table *table, const char *sentence)
{
    enum { MEMBERS = 2, VALUE_MEMBERS = 3 };
    const lvl_doc *const docs[3] = {m->base, m->ours, m->theirs};
    const void *const items[3] = {base, ours, theirs};
    const unsigned members = label_is_key(table) ? 0 : MEMBERS;
    lvl_buffer shown[3] = {{0}}, name = {0}, text = {0};
    report r = {.has_values = true};

    for (int i = 0; i < 3; i++) {
        const lvl_emit w = lvl_emit_of(docs[i], &shown[i]);
        if (!items[i])
            continue;
        lvl_write_summary(&w, items[i], table, VALUE_MEMBERS);
        r.values[i] = ended(&shown[i]);
    }
    const int of = ours && theirs ? 1 : base ? 0 : ours ? 1 : 2;
    const lvl_emit w = lvl_emit_of(docs[of], &name);
    lvl_write_summary(&w, items[of], table, members);
    r.item = ended(&name);
    lvl_buffer_printf(&text, "%s: %s", r.item, sentence);
    if (base && ours && !theirs)
        put_changes(m, base, m->ours, ours, table, &text);
    else if (base && theirs && !ours)
        put_changes(m, base, m->theirs, theirs, table, &text);
    else if (ours && theirs)
        lvl_buffer_printf(&text, "; theirs is %s; base is %s", r.values[2], or_absent(r.values[0]));
    add_conflict(m, &r, ended(&text));
    lvl_merge_fail(m, text.status);
    for (int i = 0; i < 3; i++)
        lvl_buffer_free(&shown[i]);
    lvl_buffer_free(&name);
    lvl_buffer_free(&text);
}
