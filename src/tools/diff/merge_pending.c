/*
 * tools/diff/merge_pending.c: items that one side removed while the other has references to them. They stay
 * in the merged list until all is merged; then those that nothing refers to are removed, the others are
 * conflicts.
 */
#include "tools/diff/merge.h"
#include "tools/edit/script_refs.h"

#include <stdlib.h>
#include <string.h>

void lvl_merge_keep_pending(lvl_merger *m, const lvl_field *list, const uint8_t *by, uint32_t count)
{
    lvl_pending_list *c = &m->pending[m->pending_count];
    bool any = false;

    for (uint32_t i = 0; i < count; i++)
        any = any || by[i];
    if (!any || !lvl_merge_ok(m))
        return;
    if (m->pending_count == LVL_MERGE_LISTS) {
        lvl_merge_fail(m, LVL_ERR_LIMIT);
        return;
    }
    *c = (lvl_pending_list){.list = list, .by = malloc((size_t)count + 1), .count = count};
    if (!c->by) {
        lvl_merge_fail(m, LVL_ERR_MEMORY);
        return;
    }
    memcpy(c->by, by, count);
    m->pending_count++;
}

/* What becomes of a list: the old index of each item that stays, and the new index of each item. */
typedef struct selection {
    uint8_t *used, *named; /* by item: something refers to it; a script names it */
    uint32_t *order, *numbers;
    uint32_t kept;
} selection;

/* Chooses the items that stay, and reports pending ones among them. */
static void select_items(lvl_merger *m, const lvl_pending_list *c, selection *s)
{
    for (uint32_t i = 0; i < c->count && lvl_merge_ok(m); i++) {
        s->numbers[i] = LVL_NO_INDEX;
        if (c->by[i] && !s->used[i] && !(c->by[i] & LVL_REMOVED_NAMED && s->named[i]))
            continue;
        m->where = lvl_where_to(lvl_where_root(), c->list, s->kept);
        s->numbers[i] = s->kept;
        s->order[s->kept++] = i;
        const bool theirs = (c->by[i] & LVL_REMOVED_BY) == LVL_REMOVED_BY_THEIRS;
        const void *item = lvl_list_item(m->ours->root, c->list, i);
        if (c->by[i])
            lvl_merge_conflict_item(
                m, NULL, theirs ? item : NULL, theirs ? NULL : item, c->list->table,
                theirs ? "theirs removed it, but ours uses it at a place where theirs does not"
                       : "ours removed it, but theirs uses it at a place where ours does not");
    }
}

static void remove_unused(lvl_merger *m, const lvl_pending_list *c, selection *s)
{
    lvl_doc *doc = m->ours;
    const lvl_where where = lvl_where_to(lvl_where_root(), c->list, LVL_NO_INDEX);
    const lvl_match at = {.where = where, .record = doc->root, .field = c->list};

    lvl_editor_mark_used(&m->edit, c->list->name, s->used, c->count, doc->root, doc->format->table);
    lvl_scripts_mark_used(doc, c->list->name, s->named, c->count);
    select_items(m, c, s);
    m->where = where;
    if (s->kept == c->count || !lvl_merge_ok(m) || !lvl_editor_note_member(&m->edit, doc->root, c->list))
        return;
    lvl_merge_fail(m, lvl_list_arrange(doc, doc->root, c->list, s->order, s->kept));
    if (lvl_merge_ok(m))
        lvl_editor_follow(&m->edit, &at, s->numbers, c->count);
}

void lvl_merge_remove_pending(lvl_merger *m)
{
    for (uint32_t i = 0; i < m->pending_count && lvl_merge_ok(m); i++) {
        const size_t n = (size_t)m->pending[i].count + 1;
        selection s = {.used = calloc(n, 1),
                       .named = calloc(n, 1),
                       .order = calloc(n, sizeof *s.order),
                       .numbers = calloc(n, sizeof *s.numbers)};
        if (s.used && s.named && s.order && s.numbers)
            remove_unused(m, &m->pending[i], &s);
        else
            lvl_merge_fail(m, LVL_ERR_MEMORY);
        free(s.used);
        free(s.named);
        free(s.order);
        free(s.numbers);
    }
    m->where = lvl_where_root();
}
