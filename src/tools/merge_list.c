/*
 * tools/merge_list.c: three-way merge of lists of records. Items are paired as in a diff; the order is that
 * of OURS, with the items that THEIRS added or moved behind the item that precedes them there.
 */
#include "tools/merge.h"

#include "tools/edit_list.h"
#include "tools/item_ids.h"
#include "tools/json_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One list on three sides, merged as a doubly linked ring. Nodes are the items of OURS, 0 … ours_count - 1,
 * and after them those of THEIRS; node `end` is before the first and after the last. */
typedef struct list {
    lvl_merger *m;
    void *record; /* of OURS */
    const void *base_record, *theirs_record;
    const lvl_field *field;
    lvl_pairs to_ours, to_theirs; /* from BASE */
    uint32_t ours_count, theirs_count, end;
    uint32_t *node_of; /* by item of THEIRS: its node in the merged list, or LVL_UNPAIRED */
    uint8_t *as_base; /* by item of THEIRS: it is added as it is in BASE */
    uint32_t *next, *prev;
    uint8_t *taken; /* by item of OURS: THEIRS added the same item */
    uint8_t *linked; /* by node: it is in the ring */
    uint8_t *doomed; /* by node: one side removed it, and the other may refer to it; a lvl_remover */
    uint8_t *used_by_ours, *used_by_theirs; /* by item of that side: it refers to it; NULL: nothing can */
    const lvl_field *row; /* a list in each item that is equally long in all items of each side */
    uint32_t *for_ours,
        *for_theirs; /* by item of BASE: the item at its place, which it is not paired with; */
    uint32_t *gap_ours,
        *gap_theirs; /* or one more than the first at its place, if it cannot be said which it is */
} list;

/* A place in a side where items of BASE were, and whether it has others that the other side lacks. */
typedef struct place {
    uint32_t gap;
    bool others;
} place;

static const void *theirs_item(const list *l, uint32_t index)
{
    return lvl_list_item(l->theirs_record, l->field, index);
}

static void *ours_item(const list *l, uint32_t index)
{
    return lvl_item_at(l->record, l->field, index);
}

static void set_index(const list *l, uint32_t index)
{
    l->m->where.steps[l->m->where.depth - 1].index = index;
}

/* ---- the ring ---------------------------------------------------------------------------------------- */

static void link_after(list *l, uint32_t node, uint32_t after)
{
    const uint32_t next = l->next[after];

    l->next[after] = node;
    l->prev[node] = after;
    l->next[node] = next;
    l->prev[next] = node;
    l->linked[node] = 1;
}

static void unlink_node(list *l, uint32_t node)
{
    l->next[l->prev[node]] = l->next[node];
    l->prev[l->next[node]] = l->prev[node];
    l->linked[node] = 0;
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

/* Whether two records differ in their label only. */
static bool is_renamed(const void *a, const void *b, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (strcmp(f->name, table->label) != 0 && !lvl_member_equal(a, b, f))
            return false;
    }
    return true;
}

/* For a diff, an item with another name may be another item. Here it is the same one if it is between the
 * same items and differs in nothing else, so that changes by the other side are kept. */
static void pair_renamed(lvl_pairs *p, const void *base, const void *side, const lvl_field *field)
{
    for (uint32_t i = 0; i < p->count_a && field->table->label; i++) {
        const uint32_t j = !i ? 0 : p->a[i - 1] == LVL_UNPAIRED ? LVL_UNPAIRED : p->a[i - 1] + 1;
        if (p->a[i] != LVL_UNPAIRED || j >= p->count_b || p->b[j] != LVL_UNPAIRED)
            continue;
        const bool last = i + 1 == p->count_a || j + 1 == p->count_b;
        if ((last ? p->count_a - i == p->count_b - j : p->a[i + 1] == j + 1) &&
            is_renamed(lvl_list_item(base, field, i), lvl_list_item(side, field, j), field->table)) {
            p->a[i] = j;
            p->b[j] = i;
        }
    }
}

/* Finds what replaced items of BASE: as many items, between the same two, that are not paired either;
 * copies of others do not count. An item that was changed so much is another one for a diff. `gap`: by
 * item of BASE, one more than the first item in its place if they are not as many. */
static void find_replaced(const lvl_pairs *p, const lvl_field *field, uint32_t *by, uint32_t *gap)
{
    uint32_t from, to;

    memset(by, 0xFF, (size_t)p->count_a * sizeof *by);
    for (uint32_t i = 0; i < p->count_a && !(field->flags & LVL_F_UNORDERED); i++) {
        if (p->a[i] != LVL_UNPAIRED)
            continue;
        const uint32_t end = lvl_pairs_gap(p, i, &from, &to);
        uint32_t fresh = 0;
        for (uint32_t j = from; j < to; j++)
            fresh += !p->copy[j];
        for (uint32_t k = i, j = from; k < end; k++) {
            gap[k] = fresh && fresh != end - i ? from + 1 : 0;
            while (fresh == end - i && p->copy[j])
                j++;
            if (fresh == end - i)
                by[k] = j++;
        }
        i = end;
    }
}

static bool is_new_in_ours(const list *l, uint32_t index)
{
    return index < l->ours_count && l->to_ours.b[index] == LVL_UNPAIRED;
}

/* Whether two added items are the same one: they are equal, or have the same key. Two objects at one place
 * are two. */
static bool same_thing(const list *l, const void *a, const void *b)
{
    const lvl_table *table = l->field->table;
    const lvl_identity *key = table->identity_count ? table->identities : NULL;

    return lvl_record_equal(a, b, table) || (key && key->count == 1 && lvl_identity_equal(a, b, table, key));
}

/* Pairs the items that both sides added. */
static void pair_added(list *l)
{
    lvl_pairs both;

    lvl_merge_fail(l->m, lvl_pairs_find(&both, l->m->ours->ctx, l->record, l->theirs_record, l->field));
    for (uint32_t j = 0; j < l->theirs_count && lvl_merge_ok(l->m); j++) {
        const uint32_t o = both.b[j];
        if (l->to_theirs.b[j] != LVL_UNPAIRED || o == LVL_UNPAIRED || !is_new_in_ours(l, o) ||
            !same_thing(l, ours_item(l, o), theirs_item(l, j)))
            continue;
        l->node_of[j] = o;
        l->taken[o] = 1;
        set_index(l, o);
        l->m->record(l->m, ours_item(l, o), NULL, theirs_item(l, j), l->field->table);
    }
    lvl_pairs_free(&both);
}

/* Whether no two items of a list of that table have the same label. */
static bool label_is_key(const lvl_table *table)
{
    const lvl_field *label = lvl_label_of(table);
    const lvl_identity *key = table->identity_count ? table->identities : NULL;

    return label && key && key->count == 1 && lvl_table_at(table, key->offsets[0]) == label;
}

/* Writes an item with as much as it takes to know which one it is. */
static void put_item(const lvl_emit *w, const void *item, const lvl_table *table)
{
    enum { MEMBERS = 2 };

    lvl_write_summary(w, item, table, label_is_key(table) ? 0 : MEMBERS);
}

/* Reports a conflict about an item of `doc`: an index alone says little. `text` is emptied. */
static void item_conflict(lvl_merger *m, const lvl_doc *doc, const void *item, const lvl_table *table,
                          lvl_buffer *text)
{
    lvl_buffer shown = {0};
    const lvl_emit w = lvl_emit_of(doc, &shown);

    put_item(&w, item, table);
    lvl_buffer_u8(&shown, 0);
    lvl_buffer_u8(text, 0);
    if (shown.status == LVL_OK && text->status == LVL_OK)
        lvl_merge_conflict(m, "%s: %s", (const char *)shown.data, (const char *)text->data);
    else
        lvl_merge_fail(m, shown.status != LVL_OK ? shown.status : text->status);
    lvl_buffer_free(&shown);
    lvl_buffer_free(text);
}

/* Writes how an item of BASE was changed, "x 3 -> 5, script". */
static void put_changes(const lvl_emit *old, const void *base, const lvl_emit *now, const void *item,
                        const lvl_table *table)
{
    enum { MOST = 3 };
    unsigned shown = 0;

    for (uint32_t i = 0; i < table->field_count && shown <= MOST; i++) {
        const lvl_field *f = &table->fields[i];
        const bool was = lvl_field_present(base, f), is = lvl_field_present(item, f);
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT || (!was && !is) ||
            (was && is && lvl_member_equal(base, item, f)))
            continue;
        lvl_buffer_str(now->out, shown ? ", " : " ");
        if (shown++ == MOST) {
            lvl_buffer_str(now->out, "...");
            break;
        }
        lvl_buffer_str(now->out, f->name);
        if (!was || !is || f->kind == LVL_RECORD || f->kind == LVL_LIST || f->kind == LVL_CELLS ||
            f->kind == LVL_BYTES || f->flags & LVL_F_LINES)
            continue;
        lvl_buffer_u8(now->out, ' ');
        lvl_write_short(old, base, f);
        lvl_buffer_str(now->out, " -> ");
        lvl_write_short(now, item, f);
    }
}

/* Both sides changed item `base` of BASE, at least one of them so much that it is not paired: `o` and `t`
 * are one item, not two. The result has that of the preferred side. */
static void merge_replaced(list *l, uint32_t base, uint32_t o, uint32_t t)
{
    lvl_merger *m = l->m;
    const lvl_doc *winner = lvl_merge_winner(m);
    const lvl_field item = lvl_item_field(l->field);
    lvl_buffer text = {0};

    const lvl_emit was = lvl_emit_of(m->base, &text), is = lvl_emit_of(m->theirs, &text);
    lvl_buffer_str(&text, "both sides changed it; theirs is ");
    lvl_write_summary(&is, theirs_item(l, t), l->field->table, 3);
    lvl_buffer_str(&text, "; base is ");
    lvl_write_summary(&was, lvl_list_item(l->base_record, l->field, base), l->field->table, 3);
    set_index(l, o);
    item_conflict(m, m->ours, ours_item(l, o), l->field->table, &text);
    l->node_of[t] = o;
    l->taken[o] = 1;
    if (winner)
        lvl_merge_take(m, ours_item(l, o), winner,
                       winner == m->base ? lvl_list_item(l->base_record, l->field, base) : theirs_item(l, t),
                       &item);
}

/* Reports a conflict about item `base` of BASE, which one side changed, as its item `index`, and the other
 * removed. It stays, or goes, as in the preferred side; with BASE it stays as it was there. */
static void keep_changed(list *l, uint32_t base, uint32_t index, bool removed_by_theirs)
{
    lvl_merger *m = l->m;
    const lvl_doc *winner = lvl_merge_winner(m);
    const lvl_field item = lvl_item_field(l->field);
    const void *was = lvl_list_item(l->base_record, l->field, base);
    lvl_buffer text = {0};
    const lvl_emit old = lvl_emit_of(m->base, &text),
                   now = lvl_emit_of(removed_by_theirs ? m->ours : m->theirs, &text);

    lvl_buffer_str(&text,
                   removed_by_theirs ? "theirs removed it, ours changed" : "ours removed it, theirs changed");
    put_changes(&old, was, &now, removed_by_theirs ? ours_item(l, index) : theirs_item(l, index),
                l->field->table);
    item_conflict(m, m->base, was, l->field->table, &text);
    if (!removed_by_theirs) {
        if (winner)
            l->node_of[index] = l->ours_count + index; /* `rebuild` copies it */
        l->as_base[index] = winner == l->m->base;
    } else if (winner == l->m->theirs) {
        unlink_node(l, index);
    } else if (winner == l->m->base) {
        lvl_merge_take(m, ours_item(l, index), winner, was, &item);
    }
}

/* The items of both sides that are changed versions of an item of BASE, of which one is not paired. */
static bool find_versions(const list *l, uint32_t base, uint32_t *o, uint32_t *t)
{
    const void *item = lvl_list_item(l->base_record, l->field, base);
    const bool in_ours = l->to_ours.a[base] != LVL_UNPAIRED, in_theirs = l->to_theirs.a[base] != LVL_UNPAIRED;

    *o = in_ours ? l->to_ours.a[base] : l->for_ours[base];
    *t = in_theirs ? l->to_theirs.a[base] : l->for_theirs[base];
    return *o != LVL_UNPAIRED && *t != LVL_UNPAIRED && !(in_ours && in_theirs) &&
           l->node_of[*t] == LVL_UNPAIRED && !l->taken[*o] && /* both sides may have added the same */
           !(in_ours && lvl_record_equal(item, ours_item(l, *o), l->field->table)) &&
           !(in_theirs && lvl_record_equal(item, theirs_item(l, *t), l->field->table));
}

/* Whether a side has new items at the place of item `base` of BASE, which the other side does not have.
 * `last` keeps the result for the next item with the same place. */
static bool has_others(const list *l, bool ours, uint32_t base, place *last)
{
    const lvl_pairs *p = ours ? &l->to_ours : &l->to_theirs;
    const uint32_t one = (ours ? l->for_ours : l->for_theirs)[base];
    const uint32_t gap = (ours ? l->gap_ours : l->gap_theirs)[base];

    if (one != LVL_UNPAIRED)
        return ours ? !l->taken[one] : l->node_of[one] == LVL_UNPAIRED;
    if (gap && last->gap != gap) {
        last->gap = gap;
        last->others = false;
        for (uint32_t j = gap - 1; j < p->count_b && p->b[j] == LVL_UNPAIRED && !last->others; j++)
            last->others = !p->copy[j] && (ours ? !l->taken[j] : l->node_of[j] == LVL_UNPAIRED);
    }
    return gap && last->others;
}

/* Merges each item of BASE, or removes it. */
static void merge_items(list *l)
{
    place in_ours = {0, false}, in_theirs = {0, false};
    bool reported = false; /* the item before was such a conflict, too */

    for (uint32_t i = 0; i < l->to_ours.count_a && lvl_merge_ok(l->m); i++) {
        const uint32_t o = l->to_ours.a[i], t = l->to_theirs.a[i];
        const void *base = lvl_list_item(l->base_record, l->field, i);
        uint32_t ours, theirs;
        set_index(l, o == LVL_UNPAIRED ? LVL_NO_INDEX : o);
        if (find_versions(l, i, &ours, &theirs)) {
            merge_replaced(l, i, ours, theirs);
        } else if (o != LVL_UNPAIRED && t != LVL_UNPAIRED) {
            l->node_of[t] = o;
            l->m->record(l->m, ours_item(l, o), base, theirs_item(l, t), l->field->table);
        } else if (o != LVL_UNPAIRED) {
            if (!lvl_record_equal(base, ours_item(l, o), l->field->table))
                keep_changed(l, i, o, true);
            else if (l->used_by_ours && l->used_by_ours[o])
                l->doomed[o] = LVL_REMOVED_BY_THEIRS;
            else
                unlink_node(l, o);
        } else if (t != LVL_UNPAIRED) {
            if (!lvl_record_equal(base, theirs_item(l, t), l->field->table)) {
                keep_changed(l, i, t, false);
            } else if (l->used_by_theirs && l->used_by_theirs[t]) {
                l->node_of[t] = l->ours_count + t;
                l->doomed[l->node_of[t]] = LVL_REMOVED_BY_OURS;
            }
        } else if (has_others(l, true, i, &in_ours) && has_others(l, false, i, &in_theirs)) {
            /* each side may have changed it so much, and added others there */
            lvl_buffer text = {0};
            lvl_buffer_str(&text, "both sides changed or replaced it; the result has what both have there");
            if (!reported)
                item_conflict(l->m, l->m->base, base, l->field->table, &text);
            lvl_buffer_free(&text);
            reported = true;
            continue;
        }
        reported = false;
    }
    for (uint32_t j = 0; j < l->theirs_count; j++) {
        if (l->to_theirs.b[j] == LVL_UNPAIRED && l->node_of[j] == LVL_UNPAIRED)
            l->node_of[j] = l->ours_count + j;
    }
}

/* Links the items that THEIRS added or moved behind their predecessors there, and behind what OURS added at
 * the same place. */
static void place_theirs(list *l)
{
    uint32_t last = l->end;

    for (uint32_t j = 0; j < l->theirs_count; j++) {
        const uint32_t node = l->node_of[j];
        if (node == LVL_UNPAIRED)
            continue;
        const bool ours = node < l->ours_count;
        const bool moved = ours && l->to_theirs.moved[j] && l->linked[node] && !l->to_ours.moved[node] &&
                           l->to_ours.b[node] != LVL_UNPAIRED;
        if (moved)
            unlink_node(l, node);
        if (!ours || moved) {
            while (last < l->ours_count + l->theirs_count && is_new_in_ours(l, l->next[last]) &&
                   !l->taken[l->next[last]])
                last = l->next[last];
            link_after(l, node, last);
        }
        if (l->linked[node])
            last = node;
    }
}

/* ---- the merged list --------------------------------------------------------------------------------- */

/* Sets the index of each node in the merged list, and the node of each index; returns how many items it
 * has. */
static uint32_t number_nodes(const list *l, uint32_t *numbers, uint32_t *order)
{
    uint32_t n = 0;

    memset(numbers, 0xFF, ((size_t)l->end + 1) * sizeof *numbers);
    for (uint32_t node = l->next[l->end]; node != l->end; node = l->next[node]) {
        order[n] = node;
        numbers[node] = n++;
    }
    return n;
}

/* Gives the items that THEIRS added, the last ones, other numbers where OURS gave theirs to new items. */
static void number_added(const list *l)
{
    const lvl_merger *m = l->m;
    const lvl_field *id = lvl_field_with_role(l->field->table, LVL_ROLE_ID, NULL);
    const uint32_t count = lvl_list_count(l->record, l->field);
    lvl_status status = LVL_OK;
    lvl_item_ids ids;

    if (!id || id->kind != LVL_INT)
        return;
    lvl_item_ids_init(&ids, m->ours->ctx, id);
    int64_t greatest = 0;
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const int64_t number = lvl_get_int(ours_item(l, i), id);
        greatest = number > greatest ? number : greatest;
        if (is_new_in_ours(l, i))
            status = lvl_item_ids_add(&ids, ours_item(l, i), i);
    }
    ids.greatest = greatest;
    for (uint32_t i = l->ours_count; i < count && status == LVL_OK; i++) {
        if (lvl_get_int(ours_item(l, i), id) != id->def)
            status = lvl_item_ids_make_unique(&ids, m->ours, ours_item(l, i), i, (lvl_text){NULL, 0});
    }
    lvl_item_ids_free(&ids);
    lvl_merge_fail(l->m, status);
}

/* Appends the items from THEIRS and puts all items in order. */
static void rebuild(list *l, uint32_t *order, uint32_t count)
{
    lvl_merger *m = l->m;
    const lvl_field item = lvl_item_field(l->field);
    uint32_t added = 0;

    for (uint32_t i = 0; i < count; i++)
        added += order[i] >= l->ours_count;
    if (!lvl_editor_note_member(&m->edit, l->record, l->field))
        return;
    lvl_merge_fail(m, lvl_list_insert(m->ours, l->record, l->field, l->ours_count, added));
    added = 0;
    for (uint32_t i = 0; i < count && lvl_merge_ok(m); i++) {
        if (order[i] < l->ours_count)
            continue;
        /* an item of BASE is here because OURS removed it and THEIRS changed it */
        const uint32_t t = order[i] - l->ours_count, b = l->to_theirs.b[t];
        const bool from_base = b != LVL_UNPAIRED && l->as_base[t];
        set_index(l, l->ours_count + added);
        lvl_merge_take(m, ours_item(l, l->ours_count + added), from_base ? m->base : m->theirs,
                       from_base ? lvl_list_item(l->base_record, l->field, b) : theirs_item(l, t), &item);
        order[i] = l->ours_count + added++;
    }
    set_index(l, LVL_NO_INDEX);
    if (lvl_merge_ok(m) && added)
        number_added(l);
    if (lvl_merge_ok(m))
        lvl_merge_fail(m, lvl_list_arrange(m->ours, l->record, l->field, order, count));
}

static bool is_identity(const uint32_t *map, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (map[i] != i)
            return false;
    }
    return true;
}

/* Stores the new indices of the items of a list of the root, if there are references to them. */
static void keep_numbers(list *l, const uint32_t *numbers)
{
    lvl_merger *m = l->m;
    const uint32_t n = l->to_ours.count_a;

    if (m->where.depth != 1 || m->list_count == LVL_MERGE_LISTS ||
        !lvl_list_is_referenced(m->ours->format->table, l->field->name))
        return;
    lvl_merged_list *kept = &m->lists[m->list_count++];
    kept->list = l->field->name;
    kept->base = malloc(((size_t)n + 1) * sizeof *kept->base);
    kept->theirs = malloc(((size_t)l->theirs_count + 1) * sizeof *kept->theirs);
    if (!kept->base || !kept->theirs) {
        lvl_merge_fail(m, LVL_ERR_MEMORY);
        return;
    }
    kept->base_count = n;
    kept->theirs_count = l->theirs_count;
    for (uint32_t j = 0; j < l->theirs_count; j++)
        kept->theirs[j] = l->node_of[j] == LVL_UNPAIRED ? LVL_NO_INDEX : numbers[l->node_of[j]];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t o = l->to_ours.a[i], t = l->to_theirs.a[i];
        kept->base[i] = o != LVL_UNPAIRED ? numbers[o] : t != LVL_UNPAIRED ? kept->theirs[t] : LVL_NO_INDEX;
    }
    if (!is_identity(kept->base, n) || !is_identity(kept->theirs, l->theirs_count))
        return;
    free(kept->base);
    free(kept->theirs);
    memset(kept, 0, sizeof *kept);
    m->list_count--;
}

/* Stores which items of the merged list are condemned. Node order[i] was item i; `rebuild` has renumbered
 * it. */
static void keep_condemned(list *l, const uint32_t *numbers)
{
    lvl_merger *m = l->m;
    uint32_t count = 0;

    for (uint32_t node = 0; node < l->end; node++)
        count += l->doomed[node] && numbers[node] != LVL_NO_INDEX;
    if (!count)
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
    for (uint32_t node = 0; node < l->end; node++) {
        if (l->doomed[node] && numbers[node] < c->count)
            c->by[numbers[node]] = l->doomed[node];
    }
}

/* Removes the condemned items of a list that are not used; the others are conflicts. */
static void remove_condemned(lvl_merger *m, const lvl_condemned *c, uint8_t *used, uint32_t *order,
                             uint32_t *numbers)
{
    lvl_doc *doc = m->ours;
    const lvl_where where = lvl_where_to(lvl_where_root(), c->list, LVL_NO_INDEX);
    uint32_t kept = 0;

    lvl_editor_mark_used(&m->edit, c->list->name, used, c->count, doc->root, doc->format->table);
    for (uint32_t i = 0; i < c->count; i++) {
        numbers[i] = LVL_NO_INDEX;
        if (c->by[i] && !used[i])
            continue;
        numbers[i] = kept;
        order[kept] = i;
        m->where = lvl_where_to(lvl_where_root(), c->list, kept++);
        if (!c->by[i])
            continue;
        lvl_buffer text = {0};
        lvl_buffer_str(&text, c->by[i] == LVL_REMOVED_BY_THEIRS
                                  ? "theirs removed it, but ours uses it at a place where theirs does not"
                                  : "ours removed it, but theirs uses it at a place where ours does not");
        item_conflict(m, doc, lvl_list_item(doc->root, c->list, i), c->list->table, &text);
    }
    m->where = where;
    if (kept == c->count || !lvl_merge_ok(m))
        return;
    if (!lvl_editor_note_member(&m->edit, doc->root, c->list))
        return;
    lvl_merge_fail(m, lvl_list_arrange(doc, doc->root, c->list, order, kept));
    const lvl_match at = {.where = where, .record = doc->root, .field = c->list};
    if (lvl_merge_ok(m))
        lvl_editor_follow(&m->edit, &at, numbers, c->count);
}

void lvl_merge_condemned(lvl_merger *m)
{
    for (uint32_t i = 0; i < m->condemned_count && lvl_merge_ok(m); i++) {
        const size_t n = (size_t)m->condemned[i].count + 1;
        uint8_t *used = calloc(n, 1);
        uint32_t *order = calloc(n, sizeof *order), *numbers = calloc(n, sizeof *numbers);
        if (used && order && numbers)
            remove_condemned(m, &m->condemned[i], used, order, numbers);
        else
            lvl_merge_fail(m, LVL_ERR_MEMORY);
        free(used);
        free(order);
        free(numbers);
    }
    m->where = lvl_where_root();
}

/* Whether the side that moved the content of the grid moved the objects on it, too: more of the objects that
 * it kept moved by the same distance than stayed, or there are none. */
static bool objects_moved(const list *l, const lvl_map_list *how)
{
    const lvl_merger *m = l->m;
    const lvl_table *table = l->field->table;
    const bool by_ours = m->moved == m->ours;
    const lvl_pairs *pairs = by_ours ? &l->to_ours : &l->to_theirs;
    const void *side = by_ours ? l->record : l->theirs_record;
    const double unit = how->unit ? how->unit : 1;
    uint32_t moved = 0, stayed = 0;

    for (uint32_t i = 0; i < pairs->count_a; i++) {
        if (pairs->a[i] == LVL_UNPAIRED)
            continue;
        void *was = lvl_item_at(l->base_record, l->field, i);
        void *now = lvl_item_at(side, l->field, pairs->a[i]);
        const double dx =
            (lvl_place_of(table, LVL_ROLE_X, now) - lvl_place_of(table, LVL_ROLE_X, was)) * unit;
        const double dy =
            (lvl_place_of(table, LVL_ROLE_Y, now) - lvl_place_of(table, LVL_ROLE_Y, was)) * unit;
        moved += fabs(dx - (double)m->moved_x) < 1 && fabs(dy - (double)m->moved_y) < 1;
        stayed += fabs(dx) < 1 && fabs(dy) < 1;
    }
    return moved >= stayed;
}

/* Whether only the side that did not move the content of the grid has the item: it added it, or changed it
 * while the other side removed it. */
static bool is_unmoved(const list *l, uint32_t node)
{
    if (l->m->moved == l->m->ours)
        return node >= l->ours_count;
    if (node >= l->ours_count)
        return false;
    const uint32_t base = l->to_ours.b[node];
    return base == LVL_UNPAIRED ? !l->taken[node] : l->to_theirs.a[base] == LVL_UNPAIRED;
}

/* Moves the objects that one side added, if the other side moved the content of the grid and all its objects.
 * If that side did not move its objects, their place is a conflict. Node order[i] is item i of the merged
 * list. */
static void move_added(const list *l, const uint32_t *order, uint32_t count)
{
    lvl_merger *m = l->m;
    const lvl_map_list *how = m->moved ? lvl_map_list_at(m->ours, &m->where) : NULL;

    if (!how)
        return;
    const bool moved = objects_moved(l, how);
    for (uint32_t i = 0; i < count && lvl_merge_ok(m); i++) {
        if (!is_unmoved(l, order[i]))
            continue;
        set_index(l, i);
        if (moved)
            lvl_item_move(&m->edit, l->field->table, how, ours_item(l, i), m->moved_x, m->moved_y);
        else
            lvl_merge_conflict(m, "%s added it, and %s moved the cells, but not the objects: check its place",
                               m->moved == m->ours ? "theirs" : "ours",
                               m->moved == m->ours ? "ours" : "theirs");
    }
    set_index(l, LVL_NO_INDEX);
}

static void merge(list *l, uint32_t *numbers, uint32_t *order)
{
    for (uint32_t i = 0; i <= l->end; i++)
        l->next[i] = l->prev[i] = l->end;
    for (uint32_t i = 0; i < l->ours_count; i++)
        link_after(l, i, i ? i - 1 : l->end);
    for (uint32_t j = 0; j < l->theirs_count; j++)
        l->node_of[j] = LVL_UNPAIRED;
    pair_added(l);
    merge_items(l);
    place_theirs(l);
    const uint32_t count = number_nodes(l, numbers, order);
    set_index(l, LVL_NO_INDEX);
    if (!lvl_merge_ok(l->m))
        return;
    if (count != l->ours_count || !is_identity(order, count)) {
        if (l->field->flags & LVL_F_FIXED) {
            lvl_merge_conflict(l->m, "the number of items is fixed, and both sides changed it");
            return;
        }
        rebuild(l, order, count);
        set_index(l, LVL_NO_INDEX);
        const lvl_match at = {.where = l->m->where, .record = l->record, .field = l->field};
        lvl_editor_follow(&l->m->edit, &at, numbers, l->ours_count);
    }
    if (lvl_merge_ok(l->m))
        move_added(l, order, count);
    keep_numbers(l, numbers);
    keep_condemned(l, numbers);
}

/* Finds the items that each side refers to. A side that is like BASE uses nothing anew. */
static void mark_used(list *l)
{
    lvl_merger *m = l->m;
    const lvl_table *table = m->ours->format->table;
    lvl_editor theirs = {.load.doc = m->theirs};

    if (!lvl_record_equal(m->base->root, m->ours->root, table))
        lvl_editor_mark_used(&m->edit, l->field->name, l->used_by_ours, l->ours_count, m->ours->root, table);
    if (!lvl_record_equal(m->base->root, m->theirs->root, table))
        lvl_editor_mark_used(&theirs, l->field->name, l->used_by_theirs, l->theirs_count, m->theirs->root,
                             table);
    lvl_merge_fail(m, theirs.load.status);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* How long a list of values is in all items of a list; LVL_UNPAIRED: the items differ, or there are none. */
static uint32_t row_length(const void *record, const lvl_field *field, const lvl_field *row)
{
    const uint32_t n = lvl_list_count(record, field);
    const uint32_t length = n ? lvl_list_count(lvl_list_item(record, field, 0), row) : LVL_UNPAIRED;

    for (uint32_t i = 1; i < n; i++) {
        if (lvl_list_count(lvl_list_item(record, field, i), row) != length)
            return LVL_UNPAIRED;
    }
    return length;
}

static const lvl_field *find_row(const list *l)
{
    const lvl_table *table = l->field->table;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_LIST && f->item != LVL_RECORD && !f->when.tag_size &&
            row_length(l->base_record, l->field, f) != LVL_UNPAIRED &&
            row_length(l->record, l->field, f) != LVL_UNPAIRED &&
            row_length(l->theirs_record, l->field, f) != LVL_UNPAIRED)
            return f;
    }
    return NULL;
}

/* One side added a row, the other a column: rows of several lengths are nothing that either side made. */
static void check_rows(const list *l, uint32_t ours)
{
    lvl_merger *m = l->m;

    if (l->row && lvl_merge_ok(m) && lvl_list_count(l->record, l->field) &&
        row_length(l->record, l->field, l->row) == LVL_UNPAIRED)
        lvl_merge_conflict(m, "ours has %lu %s in each %s, theirs %lu; the result has some of each",
                           (unsigned long)ours, l->row->name, l->field->table->name,
                           (unsigned long)row_length(l->theirs_record, l->field, l->row));
}

void lvl_merge_list(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field)
{
    list l = {.m = m, .record = ours, .base_record = base, .theirs_record = theirs, .field = field};
    lvl_arena arena;

    /* no change by THEIRS, unless references of the items changed, or the items have to be moved */
    if (!m->list_count && !m->moved && !lvl_list_is_referenced(m->ours->format->table, field->name) &&
        lvl_member_equal(base, theirs, field))
        return;
    l.ours_count = lvl_list_count(ours, field);
    l.theirs_count = lvl_list_count(theirs, field);
    lvl_status status =
        l.ours_count < UINT32_MAX / 2 && l.theirs_count < UINT32_MAX / 2 ? LVL_OK : LVL_ERR_LIMIT;
    l.end = l.ours_count + l.theirs_count;
    const size_t n = (size_t)l.end + 1;
    lvl_arena_init(&arena, m->ours->ctx);
    l.node_of = lvl_arena_array(&arena, n, sizeof *l.node_of);
    l.as_base = lvl_arena_array(&arena, n, sizeof *l.as_base);
    l.next = lvl_arena_array(&arena, n, sizeof *l.next);
    l.prev = lvl_arena_array(&arena, n, sizeof *l.prev);
    l.taken = lvl_arena_array(&arena, n, 1);
    l.linked = lvl_arena_array(&arena, n, 1);
    l.doomed = lvl_arena_array(&arena, n, 1);
    const size_t base_count = (size_t)lvl_list_count(base, field) + 1;
    l.for_ours = lvl_arena_array(&arena, base_count, sizeof *l.for_ours);
    l.for_theirs = lvl_arena_array(&arena, base_count, sizeof *l.for_theirs);
    l.gap_ours = lvl_arena_array(&arena, base_count, sizeof *l.gap_ours);
    l.gap_theirs = lvl_arena_array(&arena, base_count, sizeof *l.gap_theirs);
    if (m->where.depth == 1 && lvl_list_is_referenced(m->ours->format->table, field->name)) {
        l.used_by_ours = lvl_arena_array(&arena, n, 1);
        l.used_by_theirs = lvl_arena_array(&arena, n, 1);
    }
    uint32_t *numbers = lvl_arena_array(&arena, n, sizeof *numbers);
    uint32_t *order = lvl_arena_array(&arena, n, sizeof *order);
    if (status == LVL_OK && arena.failed)
        status = lvl_arena_status(&arena, LVL_ERR_MEMORY);
    if (status == LVL_OK)
        status = lvl_pairs_find(&l.to_ours, m->ours->ctx, base, ours, field);
    if (status == LVL_OK)
        status = lvl_pairs_find(&l.to_theirs, m->ours->ctx, base, theirs, field);
    lvl_merge_fail(m, status);
    if (status == LVL_OK && l.used_by_ours)
        mark_used(&l);
    if (status == LVL_OK) {
        pair_renamed(&l.to_ours, base, ours, field);
        pair_renamed(&l.to_theirs, base, theirs, field);
        find_replaced(&l.to_ours, field, l.for_ours, l.gap_ours);
        find_replaced(&l.to_theirs, field, l.for_theirs, l.gap_theirs);
        l.row = find_row(&l);
        const uint32_t length = l.row ? row_length(l.record, l.field, l.row) : 0;
        merge(&l, numbers, order);
        check_rows(&l, length);
    }
    lvl_pairs_free(&l.to_ours);
    lvl_pairs_free(&l.to_theirs);
    lvl_arena_free(&arena);
}
