/*
 * tools/merge_list.c: three-way merge of lists of records. Items are paired as in a diff; the order is that
 * of OURS, with the items that THEIRS added or moved behind the item that precedes them there.
 */
#include "tools/merge_list.h"

#include "tools/item_ids.h"

#include <stdlib.h>
#include <string.h>

static bool is_like_base(const lvl_list_merge *l, uint32_t base, const void *item)
{
    return lvl_record_equal(lvl_base_item(l, base), item, l->field->table);
}

static bool is_new_in_ours(const lvl_list_merge *l, uint32_t index)
{
    return index < l->ours.count && l->ours.pairs.b[index] == LVL_UNPAIRED;
}

/* Whether an item of a side that BASE lacks was not found in the other side either. */
static bool is_only_in(const lvl_list_merge *l, const lvl_list_side *side, uint32_t index)
{
    return side == &l->ours ? !l->taken[index] : l->node_of[index] == LVL_UNPAIRED;
}

/* Item t of THEIRS is item o of OURS. */
static void unite(lvl_list_merge *l, uint32_t o, uint32_t t)
{
    l->node_of[t] = o;
    l->taken[o] = 1;
}

/* Item t of THEIRS becomes an item of the merged list. */
static void add_theirs(lvl_list_merge *l, uint32_t t)
{
    l->node_of[t] = l->ours.count + t;
}

/* ---- items that both sides added --------------------------------------------------------------------- */

/* Whether two added items are the same one: they are equal, or have the same key. Two objects at one place
 * are two. */
static bool is_same_thing(const lvl_list_merge *l, const void *a, const void *b)
{
    const lvl_table *table = l->field->table;
    const lvl_identity *key = table->identity_count ? table->identities : NULL;

    return lvl_record_equal(a, b, table) || (key && key->count == 1 && lvl_identity_equal(a, b, table, key));
}

static void merge_added(lvl_list_merge *l)
{
    lvl_merger *m = l->m;
    lvl_pairs both;

    lvl_merge_fail(m, lvl_pairs_find(&both, m->ours->ctx, l->record, l->theirs.record, l->field));
    for (uint32_t t = 0; t < l->theirs.count && lvl_merge_ok(m); t++) {
        const uint32_t o = both.b[t];
        if (l->theirs.pairs.b[t] != LVL_UNPAIRED || o == LVL_UNPAIRED || !is_new_in_ours(l, o) ||
            !is_same_thing(l, lvl_ours_item(l, o), lvl_theirs_item(l, t)))
            continue;
        unite(l, o, t);
        lvl_merge_set_index(l, o);
        m->record(m, lvl_ours_item(l, o), NULL, lvl_theirs_item(l, t), l->field->table);
    }
    lvl_pairs_free(&both);
}

/* ---- items of BASE ----------------------------------------------------------------------------------- */

/* The items of both sides that are changed versions of an item of BASE, of which one is not paired. */
static bool find_versions(const lvl_list_merge *l, uint32_t base, uint32_t *o, uint32_t *t)
{
    const uint32_t in_ours = l->ours.pairs.a[base], in_theirs = l->theirs.pairs.a[base];

    *o = in_ours != LVL_UNPAIRED ? in_ours : l->ours.replaced[base];
    *t = in_theirs != LVL_UNPAIRED ? in_theirs : l->theirs.replaced[base];
    if (*o == LVL_UNPAIRED || *t == LVL_UNPAIRED || (*o == in_ours && *t == in_theirs))
        return false;
    if (!is_only_in(l, &l->ours, *o) || !is_only_in(l, &l->theirs, *t)) /* both may have added the same */
        return false;
    return !(*o == in_ours && is_like_base(l, base, lvl_ours_item(l, *o))) &&
           !(*t == in_theirs && is_like_base(l, base, lvl_theirs_item(l, *t)));
}

/* Both sides changed item `base` of BASE, at least one of them so much that it is not paired: `o` and `t`
 * are one item, not two. The result has that of the preferred side. */
static void merge_versions(lvl_list_merge *l, uint32_t base, uint32_t o, uint32_t t)
{
    enum { MEMBERS = 3 };
    lvl_merger *m = l->m;
    const lvl_doc *winner = lvl_merge_winner(m);
    const lvl_field item = lvl_item_field(l->field);
    lvl_buffer text = {0};
    const lvl_emit was = lvl_emit_of(m->base, &text), is = lvl_emit_of(m->theirs, &text);

    lvl_buffer_str(&text, "both sides changed it; theirs is ");
    lvl_write_summary(&is, lvl_theirs_item(l, t), l->field->table, MEMBERS);
    lvl_buffer_str(&text, "; base is ");
    lvl_write_summary(&was, lvl_base_item(l, base), l->field->table, MEMBERS);
    lvl_merge_set_index(l, o);
    lvl_merge_conflict_item(m, m->ours, lvl_ours_item(l, o), l->field->table, &text);
    unite(l, o, t);
    if (winner)
        lvl_merge_take(m, lvl_ours_item(l, o), winner,
                       winner == m->base ? lvl_base_item(l, base) : lvl_theirs_item(l, t), &item);
}

/* Reports that one side removed item `base` of BASE, and the other, `doc`, changed it to `item`. */
static void report_removed(lvl_merger *m, const lvl_list_merge *l, uint32_t base, const lvl_doc *doc,
                           const void *item)
{
    lvl_buffer text = {0};
    const lvl_emit old = lvl_emit_of(m->base, &text), now = lvl_emit_of(doc, &text);

    lvl_buffer_str(&text,
                   doc == m->ours ? "theirs removed it, ours changed" : "ours removed it, theirs changed");
    lvl_merge_put_changes(&old, lvl_base_item(l, base), &now, item, l->field->table);
    lvl_merge_conflict_item(m, m->base, lvl_base_item(l, base), l->field->table, &text);
}

/* Item `base` is item `o` of OURS, and THEIRS removed it. A changed one is a conflict: it stays or goes as in
 * the preferred side; with BASE it stays as it was there. */
static void merge_removed_by_theirs(lvl_list_merge *l, uint32_t base, uint32_t o)
{
    lvl_merger *m = l->m;
    const lvl_doc *winner = lvl_merge_winner(m);
    const lvl_field item = lvl_item_field(l->field);

    if (!is_like_base(l, base, lvl_ours_item(l, o))) {
        report_removed(m, l, base, m->ours, lvl_ours_item(l, o));
        if (winner == m->theirs)
            lvl_ring_unlink(&l->ring, o);
        else if (winner == m->base)
            lvl_merge_take(m, lvl_ours_item(l, o), winner, lvl_base_item(l, base), &item);
    } else if (l->ours.used && l->ours.used[o]) {
        l->doomed[o] = LVL_REMOVED_BY_THEIRS;
    } else {
        lvl_ring_unlink(&l->ring, o);
    }
}

/* Item `base` is item `t` of THEIRS, and OURS removed it: the same. */
static void merge_removed_by_ours(lvl_list_merge *l, uint32_t base, uint32_t t)
{
    lvl_merger *m = l->m;
    const lvl_doc *winner = lvl_merge_winner(m);

    if (!is_like_base(l, base, lvl_theirs_item(l, t))) {
        report_removed(m, l, base, m->theirs, lvl_theirs_item(l, t));
        if (winner)
            add_theirs(l, t);
        l->as_base[t] = winner == m->base;
    } else if (l->theirs.used && l->theirs.used[t]) {
        add_theirs(l, t);
        l->doomed[l->node_of[t]] = LVL_REMOVED_BY_OURS;
    }
}

/* The items of a side from one place on that BASE lacks, and whether the other side lacks one, too. */
typedef struct place {
    uint32_t gap;
    bool has_others;
} place;

/* Whether a side has new items at the place of item `base` of BASE, which the other side does not have.
 * `last` keeps the result for the next item with the same place. */
static bool has_others(const lvl_list_merge *l, const lvl_list_side *side, uint32_t base, place *last)
{
    const uint32_t replaced = side->replaced[base], gap = side->gap[base];
    const lvl_pairs *p = &side->pairs;

    if (replaced != LVL_UNPAIRED)
        return is_only_in(l, side, replaced);
    if (!gap || last->gap == gap)
        return gap && last->has_others;
    last->gap = gap;
    last->has_others = false;
    for (uint32_t i = gap - 1; i < p->count_b && p->b[i] == LVL_UNPAIRED && !last->has_others; i++)
        last->has_others = !p->copy[i] && is_only_in(l, side, i);
    return last->has_others;
}

static void report_others(lvl_merger *m, const lvl_list_merge *l, uint32_t base)
{
    lvl_buffer text = {0};

    lvl_buffer_str(&text, "both sides changed or replaced it; the result has what both have there");
    lvl_merge_conflict_item(m, m->base, lvl_base_item(l, base), l->field->table, &text);
}

/* Merges an item of BASE that at least one side has. False: neither has. */
static bool merge_item(lvl_list_merge *l, uint32_t base)
{
    const uint32_t o = l->ours.pairs.a[base], t = l->theirs.pairs.a[base];
    uint32_t changed_o, changed_t;

    lvl_merge_set_index(l, o == LVL_UNPAIRED ? LVL_NO_INDEX : o);
    if (find_versions(l, base, &changed_o, &changed_t)) {
        merge_versions(l, base, changed_o, changed_t);
    } else if (o != LVL_UNPAIRED && t != LVL_UNPAIRED) {
        l->node_of[t] = o;
        l->m->record(l->m, lvl_ours_item(l, o), lvl_base_item(l, base), lvl_theirs_item(l, t),
                     l->field->table);
    } else if (o != LVL_UNPAIRED) {
        merge_removed_by_theirs(l, base, o);
    } else if (t != LVL_UNPAIRED) {
        merge_removed_by_ours(l, base, t);
    } else {
        return false;
    }
    return true;
}

/* Merges the items of BASE, then adds what THEIRS alone has. */
static void merge_items(lvl_list_merge *l)
{
    place in_ours = {0, false}, in_theirs = {0, false};
    bool reported = false; /* for the item before */

    for (uint32_t i = 0; i < l->base_count && lvl_merge_ok(l->m); i++) {
        /* each side may have changed it so much, and added others there */
        const bool unclear = !merge_item(l, i) && has_others(l, &l->ours, i, &in_ours) &&
                             has_others(l, &l->theirs, i, &in_theirs);
        if (unclear && !reported)
            report_others(l->m, l, i);
        reported = unclear;
    }
    for (uint32_t t = 0; t < l->theirs.count; t++) {
        if (l->theirs.pairs.b[t] == LVL_UNPAIRED && l->node_of[t] == LVL_UNPAIRED)
            add_theirs(l, t);
    }
}

/* ---- the order --------------------------------------------------------------------------------------- */

/* Whether only THEIRS moved the item. */
static bool is_moved_by_theirs(const lvl_list_merge *l, uint32_t t, uint32_t o)
{
    return l->theirs.pairs.moved[t] && !l->ours.pairs.moved[o] && l->ours.pairs.b[o] != LVL_UNPAIRED &&
           l->ring.linked[o];
}

/* The last of the items behind `node` that OURS alone added there; `node` if there are none. */
static uint32_t skip_added_by_ours(const lvl_list_merge *l, uint32_t node)
{
    while (node < l->ring.end && is_new_in_ours(l, l->ring.next[node]) && !l->taken[l->ring.next[node]])
        node = l->ring.next[node];
    return node;
}

/* Links the items that THEIRS added or moved behind their predecessors there, and behind what OURS added at
 * the same place. */
static void place_theirs(lvl_list_merge *l)
{
    uint32_t last = l->ring.end;

    for (uint32_t t = 0; t < l->theirs.count; t++) {
        const uint32_t node = l->node_of[t];
        if (node == LVL_UNPAIRED)
            continue;
        const bool is_added = node >= l->ours.count;
        const bool is_moved = !is_added && is_moved_by_theirs(l, t, node);
        if (is_moved)
            lvl_ring_unlink(&l->ring, node);
        if (is_added || is_moved) {
            last = skip_added_by_ours(l, last);
            lvl_ring_link(&l->ring, node, last);
        }
        if (l->ring.linked[node])
            last = node;
    }
}

/* ---- the merged list --------------------------------------------------------------------------------- */

/* Gives the items that THEIRS added, the last ones, other numbers where OURS gave theirs to new items. */
static void number_added(const lvl_list_merge *l)
{
    const lvl_merger *m = l->m;
    const lvl_field *id = lvl_field_with_role(l->field->table, LVL_ROLE_ID, NULL);
    const uint32_t count = lvl_list_count(l->record, l->field);
    lvl_status status = LVL_OK;
    int64_t greatest = 0;
    lvl_item_ids ids;

    if (!id || id->kind != LVL_INT)
        return;
    lvl_item_ids_init(&ids, m->ours->ctx, id);
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const int64_t number = lvl_get_int(lvl_ours_item(l, i), id);
        greatest = number > greatest ? number : greatest;
        if (is_new_in_ours(l, i))
            status = lvl_item_ids_add(&ids, lvl_ours_item(l, i), i);
    }
    ids.greatest = greatest;
    for (uint32_t i = l->ours.count; i < count && status == LVL_OK; i++) {
        if (lvl_get_int(lvl_ours_item(l, i), id) != id->def)
            status = lvl_item_ids_make_unique(&ids, m->ours, lvl_ours_item(l, i), i, (lvl_text){NULL, 0});
    }
    lvl_item_ids_free(&ids);
    lvl_merge_fail(l->m, status);
}

/* Copies an item of THEIRS to the item `index` of the list. One of BASE is here because OURS removed it and
 * THEIRS changed it. */
static void copy_theirs(const lvl_list_merge *l, uint32_t t, uint32_t index)
{
    lvl_merger *m = l->m;
    const lvl_field item = lvl_item_field(l->field);
    const uint32_t base = l->theirs.pairs.b[t];
    const bool as_base = base != LVL_UNPAIRED && l->as_base[t];

    lvl_merge_set_index(l, index);
    lvl_merge_take(m, lvl_ours_item(l, index), as_base ? m->base : m->theirs,
                   as_base ? lvl_base_item(l, base) : lvl_theirs_item(l, t), &item);
}

/* Appends the items from THEIRS and puts all items in order. */
static void rebuild(const lvl_list_merge *l, uint32_t count)
{
    lvl_merger *m = l->m;
    uint32_t added = 0;

    for (uint32_t i = 0; i < count; i++)
        added += l->order[i] >= l->ours.count;
    if (!lvl_editor_note_member(&m->edit, l->record, l->field))
        return;
    lvl_merge_fail(m, lvl_list_insert(m->ours, l->record, l->field, l->ours.count, added));
    for (uint32_t i = 0, index = l->ours.count; i < count && lvl_merge_ok(m); i++) {
        if (l->order[i] < l->ours.count)
            continue;
        copy_theirs(l, l->order[i] - l->ours.count, index);
        l->order[i] = index++;
    }
    lvl_merge_set_index(l, LVL_NO_INDEX);
    if (lvl_merge_ok(m) && added)
        number_added(l);
    if (lvl_merge_ok(m))
        lvl_merge_fail(m, lvl_list_arrange(m->ours, l->record, l->field, l->order, count));
}

static bool is_identity(const uint32_t *map, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (map[i] != i)
            return false;
    }
    return true;
}

/* Makes the list that the ring describes; references in OURS follow. False: not possible, or failed. */
static bool arrange(const lvl_list_merge *l, uint32_t count)
{
    lvl_merger *m = l->m;

    if (count == l->ours.count && is_identity(l->order, count))
        return true;
    if (l->field->flags & LVL_F_FIXED) {
        lvl_merge_conflict(m, "the number of items is fixed, and both sides changed it");
        return false;
    }
    rebuild(l, count);
    const lvl_match at = {.where = m->where, .record = l->record, .field = l->field};
    lvl_editor_follow(&m->edit, &at, l->numbers, l->ours.count);
    return true;
}

/* The new index of an item of BASE or THEIRS. */
static uint32_t number_of_theirs(const lvl_list_merge *l, uint32_t t)
{
    return l->node_of[t] == LVL_UNPAIRED ? LVL_NO_INDEX : l->numbers[l->node_of[t]];
}

static uint32_t number_of_base(const lvl_list_merge *l, uint32_t base)
{
    const uint32_t o = l->ours.pairs.a[base], t = l->theirs.pairs.a[base];

    if (o != LVL_UNPAIRED)
        return l->numbers[o];
    return t != LVL_UNPAIRED ? number_of_theirs(l, t) : LVL_NO_INDEX;
}

/* Stores the new indices of the items of a list of the root, if there are references to them. */
static void keep_numbers(const lvl_list_merge *l)
{
    lvl_merger *m = l->m;

    if (m->where.depth != 1 || m->list_count == LVL_MERGE_LISTS ||
        !lvl_list_is_referenced(m->ours->format->table, l->field->name))
        return;
    lvl_merged_list *kept = &m->lists[m->list_count++];
    kept->list = l->field->name;
    kept->base = malloc(((size_t)l->base_count + 1) * sizeof *kept->base);
    kept->theirs = malloc(((size_t)l->theirs.count + 1) * sizeof *kept->theirs);
    if (!kept->base || !kept->theirs) {
        lvl_merge_fail(m, LVL_ERR_MEMORY);
        return;
    }
    kept->base_count = l->base_count;
    kept->theirs_count = l->theirs.count;
    for (uint32_t i = 0; i < l->base_count; i++)
        kept->base[i] = number_of_base(l, i);
    for (uint32_t t = 0; t < l->theirs.count; t++)
        kept->theirs[t] = number_of_theirs(l, t);
    if (!is_identity(kept->base, kept->base_count) || !is_identity(kept->theirs, kept->theirs_count))
        return;
    free(kept->base);
    free(kept->theirs);
    memset(kept, 0, sizeof *kept);
    m->list_count--;
}

/* ---- rows: a list in each item that is equally long in all items of each side -------------------------- */

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

static const lvl_field *find_row(const lvl_list_merge *l)
{
    const lvl_table *table = l->field->table;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_LIST && f->item != LVL_RECORD && !f->when.tag_size &&
            row_length(l->base_record, l->field, f) != LVL_UNPAIRED &&
            row_length(l->record, l->field, f) != LVL_UNPAIRED &&
            row_length(l->theirs.record, l->field, f) != LVL_UNPAIRED)
            return f;
    }
    return NULL;
}

/* One side added a row, the other a column: rows of several lengths are nothing that either side made.
 * `before`: how long they were in OURS. */
static void check_rows(const lvl_list_merge *l, const lvl_field *row, uint32_t before)
{
    if (lvl_merge_ok(l->m) && lvl_list_count(l->record, l->field) &&
        row_length(l->record, l->field, row) == LVL_UNPAIRED)
        lvl_merge_conflict(l->m, "ours has %lu %s in each %s, theirs %lu; the result has some of each",
                           (unsigned long)before, row->name, l->field->table->name,
                           (unsigned long)row_length(l->theirs.record, l->field, row));
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void merge_sides(lvl_list_merge *l)
{
    lvl_merger *m = l->m;

    for (uint32_t i = 0; i < l->ours.count; i++)
        lvl_ring_link(&l->ring, i, i ? i - 1 : l->ring.end);
    for (uint32_t t = 0; t < l->theirs.count; t++)
        l->node_of[t] = LVL_UNPAIRED;
    merge_added(l);
    merge_items(l);
    place_theirs(l);
    const uint32_t count = lvl_ring_number(&l->ring, LVL_NO_INDEX, l->numbers, l->order);
    lvl_merge_set_index(l, LVL_NO_INDEX);
    if (!lvl_merge_ok(m) || !arrange(l, count))
        return;
    if (lvl_merge_ok(m))
        lvl_merge_report_unmoved(l, count);
    keep_numbers(l);
    lvl_merge_condemn(l);
}

static void merge_with_rows(lvl_list_merge *l)
{
    const lvl_field *row = find_row(l);
    const uint32_t length = row ? row_length(l->record, l->field, row) : 0;

    merge_sides(l);
    if (row)
        check_rows(l, row, length);
}

/* Finds the items that each side refers to. A side that is like BASE uses nothing anew. */
static void mark_used(const lvl_list_merge *l)
{
    lvl_merger *m = l->m;
    const lvl_table *table = m->ours->format->table;
    lvl_editor theirs = {.load.doc = m->theirs};

    if (!lvl_record_equal(m->base->root, m->ours->root, table))
        lvl_editor_mark_used(&m->edit, l->field->name, l->ours.used, l->ours.count, m->ours->root, table);
    if (!lvl_record_equal(m->base->root, m->theirs->root, table))
        lvl_editor_mark_used(&theirs, l->field->name, l->theirs.used, l->theirs.count, m->theirs->root,
                             table);
    lvl_merge_fail(m, theirs.load.status);
}

static void alloc_side(lvl_list_side *side, lvl_arena *arena, uint32_t base_count, bool is_referenced)
{
    side->replaced = lvl_arena_array(arena, (size_t)base_count + 1, sizeof *side->replaced);
    side->gap = lvl_arena_array(arena, (size_t)base_count + 1, sizeof *side->gap);
    if (is_referenced)
        side->used = lvl_arena_array(arena, (size_t)side->count + 1, 1);
}

/* Allocates what the merge needs for each item. */
static lvl_status prepare(lvl_list_merge *l, lvl_arena *arena, bool is_referenced)
{
    if (l->ours.count >= UINT32_MAX / 2 || l->theirs.count >= UINT32_MAX / 2)
        return LVL_ERR_LIMIT;
    const uint32_t nodes = l->ours.count + l->theirs.count;
    const size_t n = (size_t)nodes + 1;
    alloc_side(&l->ours, arena, l->base_count, is_referenced);
    alloc_side(&l->theirs, arena, l->base_count, is_referenced);
    lvl_ring_init(&l->ring, arena, nodes);
    l->taken = lvl_arena_array(arena, n, 1);
    l->node_of = lvl_arena_array(arena, n, sizeof *l->node_of);
    l->as_base = lvl_arena_array(arena, n, 1);
    l->doomed = lvl_arena_array(arena, n, 1);
    l->numbers = lvl_arena_array(arena, n, sizeof *l->numbers);
    l->order = lvl_arena_array(arena, n, sizeof *l->order);
    return arena->failed ? lvl_arena_status(arena, LVL_ERR_MEMORY) : LVL_OK;
}

/* Whether records of the table, or those in their lists, have late members, which OURS may have damaged. */
static bool has_late(const lvl_table *table, unsigned depth)
{
    bool late = false;

    for (uint32_t i = 0; depth && i < table->field_count && !late; i++) {
        const lvl_field *f = &table->fields[i];
        late = (f->flags & LVL_F_LATE) ||
               (f->kind == LVL_LIST && f->item == LVL_RECORD && has_late(f->table, depth - 1));
    }
    return late;
}

void lvl_merge_list(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field)
{
    const lvl_ctx *ctx = m->ours->ctx;
    const bool is_referenced = lvl_list_is_referenced(m->ours->format->table, field->name);
    const bool decodes = m->ours->format->calls->decode != NULL;
    lvl_list_merge l = {.m = m,
                        .field = field,
                        .record = ours,
                        .base_record = base,
                        .base_count = lvl_list_count(base, field),
                        .ours = {.record = ours, .count = lvl_list_count(ours, field)},
                        .theirs = {.record = theirs, .count = lvl_list_count(theirs, field)}};
    lvl_arena arena;

    /* no change by THEIRS, unless references of the items changed, or the items have to be moved, or OURS may
     * have damaged one */
    if (!m->list_count && !m->moved && !is_referenced && !(decodes && has_late(field->table, 2)) &&
        lvl_member_equal(base, theirs, field))
        return;
    lvl_arena_init(&arena, ctx);
    lvl_status status = prepare(&l, &arena, is_referenced && m->where.depth == 1);
    if (status == LVL_OK)
        status = lvl_list_side_pair(&l.ours, ctx, base, field);
    if (status == LVL_OK)
        status = lvl_list_side_pair(&l.theirs, ctx, base, field);
    if (status == LVL_OK)
        status = lvl_merge_move_others(&l, &arena);
    lvl_merge_fail(m, status);
    if (status == LVL_OK && l.ours.used)
        mark_used(&l);
    if (status == LVL_OK)
        merge_with_rows(&l);
    lvl_merge_move_back(&l);
    lvl_pairs_free(&l.ours.pairs);
    lvl_pairs_free(&l.theirs.pairs);
    lvl_arena_free(&arena);
}
