/*
 * tools/diff/merge_apply.c: merges records and lists into OURS. A member that only THEIRS changed is copied;
 * one that both changed is merged if it has parts (flags, lines, cells, items), else it is a conflict. Of a
 * list, align.c says which items are the same, merge_rules.c what becomes of each; here the result is made
 * of them.
 */
#include "tools/diff/merge.h"

#include "base/arena.h"
#include "base/map_layout.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/diff/merge_rules.h"
#include "tools/edit/item_ids.h"
#include "tools/edit/script_refs.h"
#include "tools/tools.h"

#include <stdlib.h>
#include <string.h>

static void merge_list(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f);
static void merge_members(lvl_merger *m, void *ours, const void *base, const void *theirs,
                          const lvl_table *table, bool referenced);

/* ---- members ----------------------------------------------------------------------------------------- */

static void conflict(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const lvl_doc *winner = lvl_merge_winner(m);

    lvl_merge_conflict_values(m, "", base, ours, theirs, f, "");
    const void *from = winner == m->base ? base : theirs;
    if (winner && from && lvl_field_present(from, f) && lvl_field_present(ours, f))
        lvl_merge_take(m, ours, winner, from, f);
}

/* Flags are merged bit by bit: if both sides changed a bit, they changed it to the same value. */
static void merge_flags(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const int64_t b = lvl_get_int(base, f), o = lvl_get_int(ours, f), t = lvl_get_int(theirs, f);

    if (lvl_editor_note_member(&m->edit, ours, f))
        lvl_put_int(ours, f, b ^ ((b ^ o) | (b ^ t)));
}

/* Bytes that may be documents (a level in a pack) are merged later, as such. */
static void note_inner(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (!lvl_grow(&m->inner, &m->inner_cap, m->inner_count + 1, sizeof *m->inner)) {
        lvl_merge_fail(m, LVL_ERR_MEMORY);
        return;
    }
    m->inner[m->inner_count++] = (lvl_inner){ours, base, theirs, f, m->where};
}

/* Merges a member that both sides changed, to different values. */
static void merge_both(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (f->kind == LVL_INT && (f->flags & LVL_F_FLAGS))
        merge_flags(m, ours, base, theirs, f);
    else if (f->kind == LVL_TEXT && (f->flags & LVL_F_LINES) && lvl_merge_lines(m, ours, base, theirs, f))
        return;
    else if (f->kind == LVL_BYTES && !(f->flags & LVL_F_SLOT) && !m->no_base)
        note_inner(m, ours, base, theirs, f);
    else
        conflict(m, ours, base, theirs, f);
}

/* Merges a member that is compared as a whole. */
static void merge_value(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (f->kind == LVL_INT) {
        const int64_t b = lvl_merge_int(m, m->base, base, f), o = lvl_get_int(ours, f),
                      t = lvl_merge_int(m, m->theirs, theirs, f);
        if (t == o || t == b)
            return;
        if (o == b || lvl_merge_is_dropped(m, f, m->ours, b, o))
            lvl_merge_take(m, ours, m->theirs, theirs, f);
        else if (!lvl_merge_is_dropped(m, f, m->theirs, b, t))
            merge_both(m, ours, base, theirs, f);
        return;
    }
    if (lvl_member_equal(ours, theirs, f) || lvl_member_equal(base, theirs, f))
        return;
    if (lvl_member_equal(base, ours, f))
        lvl_merge_take(m, ours, m->theirs, theirs, f);
    else
        merge_both(m, ours, base, theirs, f);
}

/* Merges a member that is not present in BASE. */
static void merge_new(lvl_merger *m, void *ours, const void *theirs, const lvl_field *f)
{
    if (lvl_field_is_default(theirs, f) || lvl_member_equal(ours, theirs, f))
        return;
    if (lvl_field_is_default(ours, f))
        lvl_merge_take(m, ours, m->theirs, theirs, f);
    else
        conflict(m, ours, NULL, theirs, f);
}

/* ---- damaged members --------------------------------------------------------------------------------- */

/* Whether a late member cannot be decoded as a whole. The documents are open, so a decoded grid has cells;
 * bytes may be empty. */
static bool is_damaged(lvl_merger *m, const lvl_doc *doc, const void *record, const lvl_field *f)
{
    bool whole;

    if (f->kind == LVL_CELLS)
        return !lvl_get_cells(record, f)->ptr;
    lvl_merge_fail(m, lvl_doc_decodes(doc, record, f, &whole));
    return !whole;
}

/* The list whose item has the member at m->where; NULL: it is in no list. */
static const lvl_field *list_around(const lvl_merger *m)
{
    return m->where.depth > 1 ? m->where.steps[m->where.depth - 2].field : NULL;
}

/* Replaces a damaged item of a list by that of THEIRS, as a new item, since the damaged one may have bytes
 * beyond its members that would have to be kept. False: OURS changed the item. */
static bool take_repaired(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const lvl_field *list = list_around(m);

    if (!list || !m->ours->format->calls->same_stored(m->ours, ours, m->base, base, f) ||
        !lvl_record_equal(ours, base, list->table))
        return false;
    const lvl_field item = lvl_item_field(list);
    lvl_merge_take(m, ours, m->theirs, theirs, &item);
    return true;
}

/* Handles a late member that OURS cannot decode as a whole, while BASE and THEIRS can: a conflict. Returns
 * whether it is such a member. */
static bool merge_newly_damaged(lvl_merger *m, void *ours, const void *base, const void *theirs,
                                const lvl_field *f)
{
    const lvl_field *list = list_around(m);

    if (m->ours->format->calls->same_stored(m->ours, ours, m->base, base, f) ||
        !is_damaged(m, m->ours, ours, f) || is_damaged(m, m->base, base, f) ||
        is_damaged(m, m->theirs, theirs, f))
        return false;
    const bool taken = list && lvl_merge_next_side(m) != LVL_MERGE_OURS;
    lvl_merge_conflict(m,
                       "ours cannot be decoded, or only in part, and base and theirs can; see `lvl check'");
    if (taken) {
        const lvl_field item = lvl_item_field(list);
        lvl_merge_take(m, ours, m->theirs, theirs, &item);
    }
    return true;
}

/* Handles a late member that a side cannot decode as a whole: content that is missing there was not deleted.
 * OURS stays, unless THEIRS repaired it; any other change by THEIRS is a conflict. Returns whether it is such
 * a member. */
static bool merge_damaged(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (!(f->flags & LVL_F_LATE) || m->no_base)
        return false;
    const bool changed = !lvl_member_equal(base, theirs, f) && !lvl_member_equal(ours, theirs, f);
    if (!changed && merge_newly_damaged(m, ours, base, theirs, f))
        return true;
    if (f->kind == LVL_BYTES && !changed)
        return false;
    const char *side = is_damaged(m, m->theirs, theirs, f) ? "theirs"
                       : is_damaged(m, m->ours, ours, f)   ? "ours"
                       : is_damaged(m, m->base, base, f)   ? "base"
                                                           : NULL;
    if (side && changed && (strcmp(side, "ours") != 0 || !take_repaired(m, ours, base, theirs, f)))
        lvl_merge_conflict(m, "%s cannot be decoded, or only in part; see `lvl check'", side);
    return side != NULL;
}

/* ---- records ----------------------------------------------------------------------------------------- */

/* The list of names in each row of a world; NULL: the list is not that of its rows. */
static const lvl_field *names_of_world(const lvl_merger *m, const lvl_field *list)
{
    return m->where.depth == 1 && lvl_map_world(m->ours->format) == list
               ? lvl_field_with_role(list->table, LVL_ROLE_LEVELS, NULL)
               : NULL;
}

static void merge_member(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (!lvl_field_present(theirs, f))
        return;
    if (!lvl_field_present(ours, f)) {
        if (!lvl_field_present(base, f) || !lvl_member_equal(base, theirs, f))
            conflict(m, ours, base, theirs, f);
        return;
    }
    if (!lvl_field_present(base, f)) {
        merge_new(m, ours, theirs, f);
        return;
    }
    if (merge_damaged(m, ours, base, theirs, f))
        return;
    const lvl_field *names = f->kind == LVL_LIST ? names_of_world(m, f) : NULL;
    if (f->kind == LVL_RECORD)
        merge_members(m, (uint8_t *)ours + f->offset, lvl_get_record(base, f), lvl_get_record(theirs, f),
                      f->table, false);
    else if (f->kind == LVL_CELLS && m->no_base && lvl_merge_new_cells(m, ours, theirs, f))
        return;
    else if (f->kind == LVL_CELLS)
        lvl_merge_cells(m, ours, base, theirs, f);
    else if (names)
        lvl_merge_world(m, ours, base, theirs, f, names);
    else if (f->kind == LVL_LIST)
        merge_list(m, ours, base, theirs, f);
    else
        merge_value(m, ours, base, theirs, f);
}

/* Reports a member that OURS changed and that THEIRS no longer has, because of another tag: with that tag the
 * result does not have it either. */
static void report_orphan(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (!lvl_field_present(theirs, f) && lvl_field_present(base, f) && lvl_field_present(ours, f) &&
        !lvl_member_equal(base, ours, f))
        conflict(m, ours, base, theirs, f);
}

/* Members of the root are merged in two rounds. */
static bool is_merged_now(const lvl_where *where, const lvl_table *table, const lvl_field *f, bool referenced)
{
    return f->role != LVL_DERIVED && f->role != LVL_KEPT &&
           (where->depth || referenced == (f->kind == LVL_LIST && lvl_list_is_referenced(table, f->name)));
}

/* Merges the members of a record; of the root, those lists that are `referenced`, or all others. */
static void merge_members(lvl_merger *m, void *ours, const void *base, const void *theirs,
                          const lvl_table *table, bool referenced)
{
    const lvl_where where = m->where;
    const lvl_axis *const columns = m->columns, *const rows = m->rows;

    m->columns = m->rows = NULL;
    for (uint32_t i = 0; i < table->field_count && lvl_merge_ok(m); i++) {
        m->where = lvl_where_to(where, &table->fields[i], LVL_NO_INDEX);
        if (is_merged_now(&where, table, &table->fields[i], referenced))
            report_orphan(m, ours, base, theirs, &table->fields[i]);
    }
    for (uint32_t i = 0; i < table->field_count && lvl_merge_ok(m); i++) {
        const lvl_field *f = &table->fields[i];
        m->where = lvl_where_to(where, f, LVL_NO_INDEX);
        if (is_merged_now(&where, table, f, referenced))
            merge_member(m, ours, base, theirs, f);
    }
    m->columns = columns;
    m->rows = rows;
    m->where = where;
}

/* Merges a record that both sides added: against one without content. */
static void merge_added(lvl_merger *m, void *ours, const void *theirs, const lvl_table *table)
{
    const bool no_base = m->no_base;
    void *none = lvl_arena_array(&m->arena, 1, table->struct_size);

    if (!none) {
        lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
        return;
    }
    lvl_record_init(none, table);
    m->no_base = true;
    merge_members(m, ours, none, theirs, table, false);
    m->no_base = no_base;
}

/* ---- lists: what becomes of each item ---------------------------------------------------------------- */

/* A row of the result. */
enum { GONE = UINT32_MAX };

typedef struct list_merge {
    lvl_merger *m;
    const lvl_field *field;
    lvl_field item; /* of the list, as a field */
    void *ours;
    const void *base, *theirs;
    lvl_item_rows rows;
    uint8_t *kept; /* by row: the result has it, */
    uint8_t *as_base; /* as it is in BASE, where only THEIRS has it; */
    uint8_t *erased; /* as THEIRS painted it, where OURS erased its pixels; */
    uint8_t *by_theirs; /* at the place where it is in THEIRS; */
    uint8_t *removed; /* only if something refers to it: a lvl_remover */
    uint32_t *numbers; /* by row: its index in the result, or GONE */
    uint32_t *order; /* the row of each index of the result */
    uint32_t count; /* of the result */
    uint8_t *used[2]; /* by item of OURS, THEIRS: that side refers to it; NULL: nothing can */
} list_merge;

static const void *base_item(const list_merge *l, const lvl_item_row *r)
{
    return r->base == LVL_UNPAIRED ? NULL : lvl_list_item(l->base, l->field, r->base);
}
static void *ours_item(const list_merge *l, const lvl_item_row *r)
{
    return r->ours == LVL_UNPAIRED ? NULL : lvl_item_at(l->ours, l->field, r->ours);
}
static const void *theirs_item(const list_merge *l, const lvl_item_row *r)
{
    return r->theirs == LVL_UNPAIRED ? NULL : lvl_list_item(l->theirs, l->field, r->theirs);
}

/* Conflicts are reported at the item with that index in OURS. */
static void set_index(const list_merge *l, uint32_t index)
{
    l->m->where.steps[l->m->where.depth - 1].index = index;
}

static bool same_item(const list_merge *l, const void *base, const lvl_doc *doc, const void *item)
{
    return l->field->item == LVL_RECORD ? lvl_merge_same_record(l->m, base, doc, item, l->field->table)
                                        : lvl_member_equal(base, item, &l->item);
}

static lvl_item_state state_of(const list_merge *l, const lvl_item_row *r, bool ours)
{
    const void *item = ours ? ours_item(l, r) : theirs_item(l, r);
    const bool moved = ours ? r->ours_moved : r->theirs_moved;

    if (!item)
        return LVL_STATE_DELETED;
    if (same_item(l, base_item(l, r), ours ? l->m->ours : l->m->theirs, item))
        return moved ? LVL_STATE_MOVED : LVL_STATE_SAME;
    if (ours ? r->ours_replaced : r->theirs_replaced)
        return LVL_STATE_REPLACED;
    return moved ? LVL_STATE_MOVED_CHANGED : LVL_STATE_CHANGED;
}

/* Reports a conflict about a whole item. */
static void report_item(const list_merge *l, const lvl_item_row *r, const char *sentence)
{
    lvl_merger *m = l->m;

    if (l->field->item == LVL_RECORD) {
        lvl_merge_conflict_item(m, base_item(l, r), ours_item(l, r), theirs_item(l, r), l->field->table,
                                sentence);
        return;
    }
    const bool no_base = m->no_base;
    m->no_base = r->base == LVL_UNPAIRED;
    lvl_merge_conflict_values(m, "", base_item(l, r), ours_item(l, r), theirs_item(l, r), &l->item,
                              r->split ? "; each side replaced it, and the result has what both have there"
                                       : "");
    m->no_base = no_base;
}

/* Both sides replaced an item, or changed it so much that its members cannot be combined, or one side removed
 * it: the result has that of the preferred side. */
static void merge_conflict(list_merge *l, uint32_t row)
{
    const lvl_item_row *r = &l->rows.items[row];
    lvl_merger *m = l->m;
    const lvl_doc *winner = lvl_merge_winner(m);
    const bool in_ours = r->ours != LVL_UNPAIRED, in_theirs = r->theirs != LVL_UNPAIRED;

    if (r->split) {
        set_index(l, LVL_NO_INDEX);
        report_item(
            l, &(lvl_item_row){.base = r->base, .ours = LVL_UNPAIRED, .theirs = LVL_UNPAIRED, .split = true},
            "both sides changed or replaced it; the result has what both have there");
        l->kept[row] = true;
        return;
    }
    report_item(l, r,
                in_ours && in_theirs ? "both sides changed it"
                : in_ours            ? "theirs removed it, ours changed"
                                     : "ours removed it, theirs changed");
    l->kept[row] = winner == m->theirs ? in_theirs : winner == m->base ? r->base != LVL_UNPAIRED : in_ours;
    l->as_base[row] = winner == m->base;
    if (!winner || !l->kept[row] || !in_ours)
        return;
    lvl_merge_take(m, ours_item(l, r), winner, winner == m->base ? base_item(l, r) : theirs_item(l, r),
                   &l->item);
}

/* Merges what both sides have of an item of BASE. */
static void merge_items(const list_merge *l, const lvl_item_row *r)
{
    lvl_merger *m = l->m;

    if (l->field->item == LVL_RECORD)
        merge_members(m, ours_item(l, r), base_item(l, r), theirs_item(l, r), l->field->table, false);
    else
        merge_value(m, ours_item(l, r), base_item(l, r), theirs_item(l, r), &l->item);
}

/* The pixels of the items, if the list has the squares of a drawing. */
static const lvl_field *pixels_of(const list_merge *l)
{
    const lvl_merger *m = l->m;
    const lvl_field *layers = lvl_map_layers(m->ours->format);

    if (!layers || m->where.depth != 2 || m->where.steps[0].field != layers)
        return NULL;
    const lvl_map_cells cells = lvl_map_cells_of(layers->table);
    return cells.squares == l->field ? cells.pixels : NULL;
}

/* A grid of the same size without content. */
static bool make_blank(lvl_merger *m, lvl_cells *out, const lvl_cells *like, const lvl_field *pixels,
                       lvl_arena *arena)
{
    const size_t count = (size_t)like->width * like->height;
    uint8_t *data = lvl_arena_array(arena, count + 1, like->size);

    if (!data) {
        lvl_merge_fail(m, lvl_arena_status(arena, LVL_ERR_MEMORY));
        return false;
    }
    lvl_fill_cells(data, like->size, lvl_empty_cell(pixels), count);
    *out = (lvl_cells){data, like->width, like->height, like->size};
    return true;
}

/* Merges the pixels of a square with one that OURS (theirs not NULL) or THEIRS erased. */
static void merge_with_blank(const list_merge *l, void *ours, const void *base, const void *theirs,
                             const lvl_field *pixels)
{
    const lvl_where where = l->m->where;
    void *blank = lvl_arena_array(&l->m->arena, 1, l->field->table->struct_size);
    lvl_merger *m = l->m;
    lvl_cells cells;

    if (!blank)
        lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
    if (!lvl_merge_ok(m) ||
        !make_blank(m, &cells, lvl_get_cells(base, pixels), pixels, theirs ? &m->ours->arena : &m->arena))
        return;
    void *erased = theirs ? ours : blank;
    memcpy((uint8_t *)erased + pixels->offset, &cells, sizeof cells);
    m->where = lvl_where_to(where, pixels, LVL_NO_INDEX);
    lvl_merge_cells(m, ours, base, theirs ? theirs : blank, pixels);
    m->where = where;
}

/* Whether a side only erased pixels of the square. */
static bool only_erased(const list_merge *l, const lvl_cells *base, const lvl_doc *doc, const lvl_cells *side,
                        const lvl_field *pixels)
{
    const uint32_t blank = lvl_empty_cell(pixels);
    bool only = true;

    for (uint32_t y = 0; only && y < side->height; y++) {
        for (uint32_t x = 0; only && x < side->width; x++) {
            const uint32_t v = lvl_merge_cell(l->m, pixels, doc, lvl_cell(side, x, y));
            only = v == blank || v == lvl_merge_cell(l->m, pixels, l->m->base, lvl_cell(base, x, y));
        }
    }
    return only;
}

/* A square that one side deleted, which erased its pixels, and the other changed: pixel by pixel. Returns
 * whether it is one. */
static bool merge_erased(list_merge *l, uint32_t row)
{
    const lvl_item_row *r = &l->rows.items[row];
    const lvl_field *pixels = pixels_of(l);
    const bool in_ours = r->ours != LVL_UNPAIRED;
    lvl_merger *m = l->m;

    if (!pixels || in_ours == (r->theirs != LVL_UNPAIRED))
        return false;
    const lvl_cells *base = lvl_get_cells(base_item(l, r), pixels);
    const lvl_cells *side = lvl_get_cells(in_ours ? ours_item(l, r) : theirs_item(l, r), pixels);
    if (!base->ptr || !side->ptr || base->width != side->width || base->height != side->height)
        return false;
    if (only_erased(l, base, in_ours ? m->ours : m->theirs, side, pixels))
        return true;
    l->kept[row] = true;
    l->erased[row] = !in_ours; /* merged when OURS has it */
    if (in_ours)
        merge_with_blank(l, ours_item(l, r), base_item(l, r), NULL, pixels);
    return true;
}

/* One side deleted an item that the other did not change; it may use it more than before. */
static void merge_deleted(list_merge *l, uint32_t row)
{
    const lvl_item_row *r = &l->rows.items[row];
    const bool by_theirs = r->ours != LVL_UNPAIRED;
    const uint8_t *used = by_theirs ? l->used[0] : l->used[1];
    const uint32_t index = by_theirs ? r->ours : r->theirs;

    if (index == LVL_UNPAIRED || !used || !used[index])
        return;
    l->kept[row] = true;
    l->removed[row] =
        (by_theirs ? LVL_REMOVED_BY_THEIRS : LVL_REMOVED_BY_OURS) | (used[index] & LVL_REMOVED_NAMED);
}

/* Whether one side deleted an item, of which the other only changed references to what that one removed. */
static bool is_only_dropped(list_merge *l, const lvl_item_row *r)
{
    lvl_merger *m = l->m;
    const bool in_ours = r->ours != LVL_UNPAIRED;

    if (in_ours == (r->theirs != LVL_UNPAIRED))
        return false;
    m->ignore_dropped = true;
    const bool same = same_item(l, base_item(l, r), in_ours ? m->ours : m->theirs,
                                in_ours ? ours_item(l, r) : theirs_item(l, r));
    m->ignore_dropped = false;
    return same;
}

static void merge_base_row(list_merge *l, uint32_t row)
{
    const lvl_item_row *r = &l->rows.items[row];
    const lvl_item_state o = state_of(l, r, true), t = state_of(l, r, false);
    const lvl_merge_rule rule = lvl_merge_rule_of(o, t);
    lvl_merger *m = l->m;

    if (o != LVL_STATE_DELETED && t != LVL_STATE_DELETED && rule == LVL_RULE_CONFLICT &&
        lvl_member_equal(ours_item(l, r), theirs_item(l, r), &l->item)) {
        l->kept[row] = true; /* both sides changed it alike */
        return;
    }
    switch (rule) {
    case LVL_RULE_OURS:
    case LVL_RULE_MEMBERS:
        l->kept[row] = true;
        merge_items(l, r); /* for OURS, too: members may be damaged, or inside of moved ones */
        break;
    case LVL_RULE_THEIRS:
        l->kept[row] = true;
        lvl_merge_take(m, ours_item(l, r), m->theirs, theirs_item(l, r), &l->item);
        break;
    case LVL_RULE_DELETE: merge_deleted(l, row); break;
    case LVL_RULE_CONFLICT:
    case LVL_RULE_COUNT:
        if (is_only_dropped(l, r))
            merge_deleted(l, row);
        else if (!merge_erased(l, row))
            merge_conflict(l, row);
        break;
    }
}

/* An item that BASE does not have. */
static void merge_added_row(list_merge *l, uint32_t row)
{
    const lvl_item_row *r = &l->rows.items[row];

    l->kept[row] = true;
    if (r->ours == LVL_UNPAIRED || r->theirs == LVL_UNPAIRED ||
        lvl_member_equal(ours_item(l, r), theirs_item(l, r), &l->item))
        return;
    if (l->field->flags & LVL_F_INDEXED || l->field->item != LVL_RECORD)
        merge_conflict(l, row);
    else
        merge_added(l->m, ours_item(l, r), theirs_item(l, r), l->field->table);
}

/* An item of a list by index that one side cut off stays if the result has items after it. */
static void keep_before_others(list_merge *l)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < l->rows.count; i++) {
        const lvl_item_row *r = &l->rows.items[i];
        const uint32_t index = r->base != LVL_UNPAIRED   ? r->base
                               : r->ours != LVL_UNPAIRED ? r->ours
                                                         : r->theirs;
        last = l->kept[i] && index >= last ? index + 1 : last;
    }
    for (uint32_t i = 0; i < l->rows.base_count; i++) {
        const lvl_item_row *r = &l->rows.items[i];
        if (l->kept[i] || i >= last || (r->ours == LVL_UNPAIRED && r->theirs == LVL_UNPAIRED))
            continue;
        set_index(l, r->ours == LVL_UNPAIRED ? LVL_NO_INDEX : r->ours);
        report_item(l, r,
                    r->ours == LVL_UNPAIRED ? "ours removed it, theirs added others after it"
                                            : "theirs removed it, ours added others after it");
        l->kept[i] = true;
    }
}

static void merge_rows(list_merge *l)
{
    for (uint32_t i = 0; i < l->rows.count && lvl_merge_ok(l->m); i++) {
        const lvl_item_row *r = &l->rows.items[i];
        set_index(l, r->ours == LVL_UNPAIRED ? LVL_NO_INDEX : r->ours);
        if (r->base != LVL_UNPAIRED)
            merge_base_row(l, i);
        else if (r->ours != LVL_UNPAIRED || r->theirs != LVL_UNPAIRED)
            merge_added_row(l, i);
    }
    if (l->field->flags & LVL_F_INDEXED)
        keep_before_others(l);
}

/* ---- lists: the order -------------------------------------------------------------------------------- */

/* Whether both sides moved an item, to other neighbours. */
static bool moved_apart(const list_merge *l, const lvl_item_row *r)
{
    const uint32_t *o = l->rows.of_ours, *t = l->rows.of_theirs;

    if (!r->ours_moved || !r->theirs_moved || r->base == LVL_UNPAIRED || r->ours == LVL_UNPAIRED ||
        r->theirs == LVL_UNPAIRED)
        return false;
    const uint32_t before_o = r->ours ? o[r->ours - 1] : GONE, before_t = r->theirs ? t[r->theirs - 1] : GONE;
    const bool last_o = r->ours + 1 == l->rows.ours_count, last_t = r->theirs + 1 == l->rows.theirs_count;
    const uint32_t after_o = last_o ? GONE : o[r->ours + 1], after_t = last_t ? GONE : t[r->theirs + 1];
    return before_o != before_t && after_o != after_t;
}

/* Decides for each item which side's place it has. */
static void find_places(list_merge *l)
{
    lvl_merger *m = l->m;

    for (uint32_t i = 0; i < l->rows.count && lvl_merge_ok(m); i++) {
        const lvl_item_row *r = &l->rows.items[i];
        if (!l->kept[i])
            continue;
        l->by_theirs[i] = r->ours == LVL_UNPAIRED || (r->theirs_moved && !r->ours_moved);
        if (!moved_apart(l, r) || l->field->item != LVL_RECORD)
            continue;
        const bool theirs = lvl_merge_next_side(m) == LVL_MERGE_THEIRS;
        set_index(l, r->ours);
        lvl_merge_conflict(m, "both sides moved it: ours from %lu to %lu, theirs to %lu",
                           (unsigned long)r->base, (unsigned long)r->ours, (unsigned long)r->theirs);
        l->by_theirs[i] = theirs;
    }
}

/* Items that both sides have and neither moved keep their order in the result. */
static bool is_stable(const list_merge *l, uint32_t row)
{
    const lvl_item_row *r = &l->rows.items[row];

    return l->kept[row] && r->base != LVL_UNPAIRED && r->ours != LVL_UNPAIRED && r->theirs != LVL_UNPAIRED &&
           !r->ours_moved && !r->theirs_moved;
}

static void put_row(list_merge *l, uint32_t row)
{
    l->numbers[row] = l->count;
    l->order[l->count++] = row;
}

/* Between two stable items, first what has its place in OURS, then what has it in THEIRS. */
static void make_order(list_merge *l)
{
    const lvl_item_rows *rows = &l->rows;
    uint32_t t = 0;

    for (uint32_t i = 0; i < rows->count; i++)
        l->numbers[i] = GONE;
    for (uint32_t o = 0; o <= rows->ours_count; o++) {
        const uint32_t row = o < rows->ours_count ? rows->of_ours[o] : GONE;
        if (row != GONE && !is_stable(l, row)) {
            if (l->kept[row] && !l->by_theirs[row])
                put_row(l, row);
            continue;
        }
        for (; t < rows->theirs_count && !is_stable(l, rows->of_theirs[t]); t++) {
            const uint32_t other = rows->of_theirs[t];
            if (l->kept[other] && l->by_theirs[other])
                put_row(l, other);
        }
        t += row != GONE;
        if (row != GONE)
            put_row(l, row);
    }
}

/* ---- lists: the result ------------------------------------------------------------------------------- */

/* Gives the items that THEIRS added, the last ones, other numbers where OURS gave theirs to new items. */
static void number_added(const list_merge *l, uint32_t added)
{
    const lvl_field *id =
        l->field->item == LVL_RECORD ? lvl_field_with_role(l->field->table, LVL_ROLE_ID, NULL) : NULL;
    const uint32_t count = lvl_list_count(l->ours, l->field);
    lvl_merger *m = l->m;
    lvl_status status = LVL_OK;
    int64_t greatest = 0;
    lvl_item_ids ids;

    if (!id || id->kind != LVL_INT)
        return;
    lvl_item_ids_init(&ids, m->ours->ctx, id);
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const void *item = lvl_item_at(l->ours, l->field, i);
        const int64_t number = lvl_get_int(item, id);
        greatest = number > greatest ? number : greatest;
        if (i < l->rows.ours_count && l->rows.items[l->rows.of_ours[i]].base == LVL_UNPAIRED)
            status = lvl_item_ids_add(&ids, item, i);
    }
    ids.greatest = greatest;
    for (uint32_t i = count - added; i < count && status == LVL_OK; i++) {
        void *item = lvl_item_at(l->ours, l->field, i);
        if (lvl_get_int(item, id) != id->def)
            status = lvl_item_ids_make_unique(&ids, m->ours, item, i, (lvl_text){NULL, 0});
    }
    lvl_item_ids_free(&ids);
    lvl_merge_fail(m, status);
}

/* Copies an item of THEIRS to the item `index` of the list. One of BASE is here because OURS removed it and
 * THEIRS changed it. */
static void copy_theirs(const list_merge *l, uint32_t row, uint32_t index)
{
    const lvl_item_row *r = &l->rows.items[row];
    const bool as_base = l->as_base[row] && r->base != LVL_UNPAIRED;
    lvl_merger *m = l->m;

    set_index(l, index);
    lvl_merge_take(m, lvl_item_at(l->ours, l->field, index), as_base ? m->base : m->theirs,
                   as_base ? base_item(l, r) : theirs_item(l, r), &l->item);
}

/* Noted documents in items follow them. */
static void move_inner(const list_merge *l, const uint8_t *was, uint32_t count)
{
    const size_t size = l->field->item_size;

    for (size_t i = 0; i < l->m->inner_count; i++) {
        lvl_inner *inner = &l->m->inner[i];
        const uintptr_t at = (uintptr_t)inner->ours - (uintptr_t)was;
        if (!was || at >= (uintptr_t)count * size)
            continue;
        const uint32_t number = l->numbers[l->rows.of_ours[at / size]];
        inner->ours = (uint8_t *)lvl_item_at(l->ours, l->field, number) + at % size;
        inner->where.steps[l->m->where.depth - 1].index = number;
    }
}

/* Appends the items from THEIRS and puts all items in order. */
static void rebuild(const list_merge *l)
{
    const uint8_t *was = l->rows.ours_count ? lvl_list_item(l->ours, l->field, 0) : NULL;
    uint32_t *order = lvl_arena_array(&l->m->arena, (size_t)l->count + 1, sizeof *order), added = 0;
    lvl_merger *m = l->m;

    if (!order) {
        lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
        return;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        const lvl_item_row *r = &l->rows.items[l->order[i]];
        order[i] = r->ours != LVL_UNPAIRED ? r->ours : l->rows.ours_count + added++;
    }
    if (!lvl_editor_note_member(&m->edit, l->ours, l->field))
        return;
    lvl_merge_fail(m, lvl_list_insert(m->ours, l->ours, l->field, l->rows.ours_count, added));
    for (uint32_t i = 0; i < l->count && lvl_merge_ok(m); i++) {
        if (order[i] >= l->rows.ours_count)
            copy_theirs(l, l->order[i], order[i]);
    }
    set_index(l, LVL_NO_INDEX);
    if (lvl_merge_ok(m) && added)
        number_added(l, added);
    if (lvl_merge_ok(m))
        lvl_merge_fail(m, lvl_list_arrange(m->ours, l->ours, l->field, order, l->count));
    if (lvl_merge_ok(m))
        move_inner(l, was, l->rows.ours_count);
    for (uint32_t i = 0; i < l->rows.count && lvl_merge_ok(m); i++) {
        const lvl_item_row *r = &l->rows.items[i];
        if (!l->erased[i])
            continue;
        set_index(l, l->numbers[i]);
        merge_with_blank(l, lvl_item_at(l->ours, l->field, l->numbers[i]), base_item(l, r), theirs_item(l, r),
                         pixels_of(l));
    }
    set_index(l, LVL_NO_INDEX);
}

/* Makes the list in OURS; references in OURS follow. False: not possible, or failed. */
static bool arrange(const list_merge *l)
{
    lvl_merger *m = l->m;
    bool same = l->count == l->rows.ours_count;

    for (uint32_t i = 0; same && i < l->count; i++)
        same = l->rows.items[l->order[i]].ours == i;
    if (same)
        return true;
    if (l->field->flags & LVL_F_FIXED) {
        lvl_merge_conflict(m, "the number of items is fixed, and both sides changed it");
        return false;
    }
    rebuild(l);
    uint32_t *map = lvl_arena_array(&m->arena, (size_t)l->rows.ours_count + 1, sizeof *map);
    if (!map) {
        lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
        return false;
    }
    for (uint32_t i = 0; i < l->rows.ours_count; i++) {
        const uint32_t number = l->numbers[l->rows.of_ours[i]];
        map[i] = number == GONE ? LVL_NO_INDEX : number;
    }
    const lvl_match at = {.where = m->where, .record = l->ours, .field = l->field};
    lvl_editor_follow(&m->edit, &at, map, l->rows.ours_count);
    return lvl_merge_ok(m);
}

static bool is_identity(const uint32_t *map, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (map[i] != i)
            return false;
    }
    return true;
}

/* Stores the new indices of the items of a list of the root, for references to them. */
static void keep_numbers(const list_merge *l)
{
    const lvl_item_rows *rows = &l->rows;
    lvl_merger *m = l->m;

    if (m->list_count == LVL_MERGE_LISTS) {
        lvl_merge_fail(m, LVL_ERR_LIMIT);
        return;
    }
    uint32_t *base = lvl_arena_array(&m->arena, (size_t)rows->base_count + 1, sizeof *base);
    uint32_t *theirs = lvl_arena_array(&m->arena, (size_t)rows->theirs_count + 1, sizeof *theirs);
    if (!base || !theirs) {
        lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
        return;
    }
    for (uint32_t i = 0; i < rows->base_count; i++)
        base[i] = l->numbers[i] == GONE ? LVL_NO_INDEX : l->numbers[i];
    for (uint32_t t = 0; t < rows->theirs_count; t++) {
        const uint32_t number = l->numbers[rows->of_theirs[t]];
        theirs[t] = number == GONE ? LVL_NO_INDEX : number;
    }
    if (!is_identity(base, rows->base_count) || !is_identity(theirs, rows->theirs_count))
        m->lists[m->list_count++] =
            (lvl_merged_list){l->field->name, base, theirs, rows->base_count, rows->theirs_count};
}

/* Items that stay only while something refers to them. */
static void keep_pending(const list_merge *l)
{
    uint8_t *by = lvl_arena_array(&l->m->arena, (size_t)l->count + 1, 1);

    for (uint32_t i = 0; by && i < l->count; i++)
        by[i] = l->removed[l->order[i]];
    if (by)
        lvl_merge_keep_pending(l->m, l->field, by, l->count);
    else
        lvl_merge_fail(l->m, lvl_arena_status(&l->m->arena, LVL_ERR_MEMORY));
}

/* ---- lists: all of it -------------------------------------------------------------------------------- */

/* Marks the items that scripts of a side name by number, and those of BASE do not. */
static void mark_named(list_merge *l, const lvl_doc *side, bool ours, uint8_t *used, uint32_t count)
{
    lvl_merger *m = l->m;
    const char *list = l->field->name;
    uint8_t *before = lvl_arena_array(&m->arena, (size_t)l->rows.base_count + 1, 1),
            *now = lvl_arena_array(&m->arena, (size_t)count + 1, 1);

    if (!before || !now) {
        lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
        return;
    }
    lvl_scripts_mark_used(m->base, list, before, l->rows.base_count);
    lvl_scripts_mark_used(side, list, now, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t base = l->rows.items[(ours ? l->rows.of_ours : l->rows.of_theirs)[i]].base;
        if (now[i] && (base == LVL_UNPAIRED || !before[base]))
            used[i] |= LVL_REMOVED_NAMED;
    }
}

/* Finds the items that each side refers to. A side that is equal to BASE does not use more than it. */
static void mark_used(list_merge *l)
{
    lvl_merger *m = l->m;
    const lvl_table *table = m->ours->format->table;
    lvl_doc *const docs[2] = {m->ours, m->theirs};
    const uint32_t counts[2] = {l->rows.ours_count, l->rows.theirs_count};

    for (int i = 0; i < 2; i++) {
        lvl_editor scratch = {.load.doc = docs[i]};
        l->used[i] = lvl_arena_array(&m->arena, (size_t)counts[i] + 1, 1);
        if (!l->used[i])
            lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
        else if (!lvl_record_equal(m->base->root, docs[i]->root, table))
            lvl_editor_mark_used(&scratch, l->field->name, l->used[i], counts[i], docs[i]->root, table);
        lvl_merge_fail(m, scratch.load.status);
        if (lvl_merge_ok(m) && lvl_scripts_name(m->ours, l->field->name))
            mark_named(l, docs[i], i == 0, l->used[i], counts[i]);
    }
}

/* One side moved the grid but not the objects on it: the place of what the other side added is unclear. */
static void report_unclear(const list_merge *l)
{
    lvl_merger *m = l->m;
    const bool by_ours = m->columns->changed[1] || m->rows->changed[1];

    for (uint32_t i = 0; i < l->count && lvl_merge_ok(m); i++) {
        const lvl_item_row *r = &l->rows.items[l->order[i]];
        const bool only = by_ours ? r->ours == LVL_UNPAIRED : r->theirs == LVL_UNPAIRED;
        if (!only)
            continue;
        set_index(l, i);
        lvl_merge_conflict(m, "%s added it, and %s moved the cells, but not the objects: check its place",
                           by_ours ? "theirs" : "ours", by_ours ? "ours" : "theirs");
    }
    set_index(l, LVL_NO_INDEX);
}

static lvl_status prepare(list_merge *l, lvl_arena *arena)
{
    const lvl_ctx *ctx = l->m->ours->ctx;
    const lvl_status status = lvl_item_rows_find(&l->rows, arena, ctx, l->base, l->ours, l->theirs, l->field);
    const size_t n = (size_t)l->rows.count + 1;

    if (status != LVL_OK)
        return status;
    l->kept = lvl_arena_array(arena, n, 1);
    l->as_base = lvl_arena_array(arena, n, 1);
    l->erased = lvl_arena_array(arena, n, 1);
    l->by_theirs = lvl_arena_array(arena, n, 1);
    l->removed = lvl_arena_array(arena, n, 1);
    l->numbers = lvl_arena_array(arena, n, sizeof *l->numbers);
    l->order = lvl_arena_array(arena, n, sizeof *l->order);
    return arena->failed ? lvl_arena_status(arena, LVL_ERR_MEMORY) : LVL_OK;
}

/* Whether records of the table, or those in their lists, have late members, which OURS may have damaged. */
static bool has_late(const lvl_table *table, unsigned depth)
{
    bool late = false;

    for (uint32_t i = 0; table && depth && i < table->field_count && !late; i++) {
        const lvl_field *f = &table->fields[i];
        late = (f->flags & LVL_F_LATE) ||
               (f->kind == LVL_LIST && f->item == LVL_RECORD && has_late(f->table, depth - 1));
    }
    return late;
}

/* Whether THEIRS has nothing for a list: it is as in BASE, and neither references of its items nor their
 * places changed, nor may OURS have damaged one. */
static bool is_untouched(const lvl_merger *m, const void *base, const void *theirs, const lvl_field *f)
{
    const bool decodes = m->ours->format->calls->decode != NULL;

    return !m->list_count && !m->columns && !lvl_list_is_referenced(m->ours->format->table, f->name) &&
           !(decodes && has_late(f->table, 2)) && lvl_member_equal(base, theirs, f);
}

static void merge_list(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const bool referenced = m->where.depth == 1 && lvl_list_is_referenced(m->ours->format->table, f->name);
    list_merge l = {
        .m = m, .field = f, .item = lvl_item_field(f), .ours = ours, .base = base, .theirs = theirs};
    lvl_moved_objects moved;
    lvl_arena arena;

    if (is_untouched(m, base, theirs, f))
        return;
    lvl_arena_init(&arena, m->ours->ctx);
    lvl_merge_move_objects(m, &moved, ours, base, theirs, f, &arena);
    if (lvl_merge_ok(m))
        lvl_merge_fail(m, prepare(&l, &arena));
    if (lvl_merge_ok(m) && referenced)
        mark_used(&l);
    if (lvl_merge_ok(m))
        merge_rows(&l);
    if (lvl_merge_ok(m))
        find_places(&l);
    set_index(&l, LVL_NO_INDEX);
    if (lvl_merge_ok(m))
        make_order(&l);
    if (lvl_merge_ok(m) && arrange(&l)) {
        if (moved.unclear)
            report_unclear(&l);
        if (referenced)
            keep_numbers(&l);
        if (referenced)
            keep_pending(&l);
    }
    lvl_merge_move_back(&moved, base, theirs, f);
    lvl_arena_free(&arena);
}

void lvl_merge_root(lvl_merger *m)
{
    const lvl_table *table = m->ours->format->table;

    lvl_merge_number_added(m);
    /* lists with references to them first, so that references can be translated */
    if (lvl_merge_ok(m))
        merge_members(m, m->ours->root, m->base->root, m->theirs->root, table, true);
    if (lvl_merge_ok(m))
        lvl_merge_translate_scripts(m);
    if (lvl_merge_ok(m))
        merge_members(m, m->ours->root, m->base->root, m->theirs->root, table, false);
    lvl_merge_restore(m);
    if (lvl_merge_ok(m))
        lvl_merge_remove_pending(m);
}
