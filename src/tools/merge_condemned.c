/*
 * tools/merge_condemned.c: items that one side removed while the other has references to them. They stay in
 * the merged list until all is merged; then those that nothing refers to are removed, the others are
 * conflicts.
 */
#include "tools/merge_list.h"

#include <stdlib.h>

static bool is_condemned(const lvl_list_merge *l, uint32_t node)
{
    return l->doomed[node] && l->numbers[node] != LVL_NO_INDEX;
}

static bool has_condemned(const lvl_list_merge *l)
{
    for (uint32_t node = 0; node < l->ring.end; node++) {
        if (is_condemned(l, node))
            return true;
    }
    return false;
}

void lvl_merge_condemn(const lvl_list_merge *l)
{
    lvl_merger *m = l->m;

    if (!has_condemned(l))
        return;
    if (m->condemned_count == LVL_MERGE_LISTS) {
        lvl_merge_fail(m, LVL_ERR_LIMIT);
        return;
    }
    lvl_condemned *c = &m->condemned[m->condemned_count];
    c->list = l->field;
    c->count = lvl_list_count(l->record, l->field);
    c->by = calloc((size_t)c->count + 1, 1);
    if (!c->by) {
        lvl_merge_fail(m, LVL_ERR_MEMORY);
        return;
    }
    m->condemned_count++;
    for (uint32_t node = 0; node < l->ring.end; node++) {
        if (is_condemned(l, node) && l->numbers[node] < c->count)
            c->by[l->numbers[node]] = l->doomed[node];
    }
}

/* ---- at the end of the merge ------------------------------------------------------------------------- */

/* What becomes of a list: the old index of each item that stays, and the new index of each item. */
typedef struct selection {
    uint8_t *used; /* by item: something refers to it */
    uint32_t *order, *numbers;
    uint32_t kept;
} selection;

static void report_used(lvl_merger *m, const lvl_condemned *c, uint32_t index)
{
    lvl_buffer text = {0};

    lvl_buffer_str(&text, c->by[index] == LVL_REMOVED_BY_THEIRS
                              ? "theirs removed it, but ours uses it at a place where theirs does not"
                              : "ours removed it, but theirs uses it at a place where ours does not");
    lvl_merge_conflict_item(m, m->ours, lvl_list_item(m->ours->root, c->list, index), c->list->table, &text);
}

/* Chooses the items that stay, and reports condemned ones among them. */
static void select_items(lvl_merger *m, const lvl_condemned *c, selection *s)
{
    for (uint32_t i = 0; i < c->count; i++) {
        s->numbers[i] = LVL_NO_INDEX;
        if (c->by[i] && !s->used[i])
            continue;
        m->where = lvl_where_to(lvl_where_root(), c->list, s->kept);
        s->numbers[i] = s->kept;
        s->order[s->kept++] = i;
        if (c->by[i])
            report_used(m, c, i);
    }
}

static void remove_condemned(lvl_merger *m, const lvl_condemned *c, selection *s)
{
    lvl_doc *doc = m->ours;
    const lvl_where where = lvl_where_to(lvl_where_root(), c->list, LVL_NO_INDEX);
    const lvl_match at = {.where = where, .record = doc->root, .field = c->list};

    lvl_editor_mark_used(&m->edit, c->list->name, s->used, c->count, doc->root, doc->format->table);
    select_items(m, c, s);
    m->where = where;
    if (s->kept == c->count || !lvl_merge_ok(m) || !lvl_editor_note_member(&m->edit, doc->root, c->list))
        return;
    lvl_merge_fail(m, lvl_list_arrange(doc, doc->root, c->list, s->order, s->kept));
    if (lvl_merge_ok(m))
        lvl_editor_follow(&m->edit, &at, s->numbers, c->count);
}

void lvl_merge_condemned(lvl_merger *m)
{
    for (uint32_t i = 0; i < m->condemned_count && lvl_merge_ok(m); i++) {
        const size_t n = (size_t)m->condemned[i].count + 1;
        selection s = {.used = calloc(n, 1),
                       .order = calloc(n, sizeof *s.order),
                       .numbers = calloc(n, sizeof *s.numbers)};
        if (s.used && s.order && s.numbers)
            remove_condemned(m, &m->condemned[i], &s);
        else
            lvl_merge_fail(m, LVL_ERR_MEMORY);
        free(s.used);
        free(s.order);
        free(s.numbers);
    }
    m->where = lvl_where_root();
}
