/*
 * tools/merge.c: three-way merge of documents by their tables. A member that only THEIRS changed is copied to
 * OURS; one that both changed is merged if it has parts (flags, lines, cells, items), else it is a conflict.
 */
#include "tools/merge.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/tools.h"
#include "tools/unread.h"

#include <stdlib.h>
#include <string.h>

static lvl_status merge_documents(lvl_doc *ours, lvl_doc *base, lvl_doc *theirs,
                                  const lvl_merge_options *options, unsigned depth, uint64_t first,
                                  uint64_t *conflicts, lvl_findings *findings);
static void merge_record(lvl_merger *m, void *ours, const void *base, const void *theirs,
                         const lvl_table *table);

enum { MAX_DEPTH = 4 }; /* of documents in documents: a doodad in a level in a pack */

/* ---- conflicts --------------------------------------------------------------------------------------- */

static void conflict(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const lvl_doc *winner = lvl_merge_winner(m);

    lvl_merge_conflict_values(m, "", base, ours, theirs, f, "");
    const void *from = winner == m->base ? base : theirs;
    if (winner && from && lvl_field_present(from, f) && lvl_field_present(ours, f))
        lvl_merge_take(m, ours, winner, from, f);
}

/* ---- members ----------------------------------------------------------------------------------------- */

/* Flags are merged bit by bit: if both sides changed a bit, they changed it to the same value. */
static void merge_flags(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const int64_t b = lvl_get_int(base, f), o = lvl_get_int(ours, f), t = lvl_get_int(theirs, f);

    if (lvl_editor_note_member(&m->edit, ours, f))
        lvl_put_int(ours, f, b ^ ((b ^ o) | (b ^ t)));
}

/* Merges bytes as documents if they are documents of one format on all sides (a level in a pack). */
static bool merge_inner(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const void *records[3] = {ours, base, theirs};
    lvl_doc *docs[3] = {NULL, NULL, NULL};
    lvl_buffer out = {0};
    uint64_t conflicts = 0;
    bool good = m->depth < MAX_DEPTH;

    for (int i = 0; good && i < 3; i++) {
        const lvl_bytes bytes = lvl_get_bytes(records[i], f);
        const lvl_format *format =
            bytes.ptr && bytes.len ? lvl_formats_probe_file(m->ours->ctx, bytes, NULL, NULL) : NULL;
        good =
            format && lvl_read(&docs[i], m->ours->ctx, format, bytes, NULL, LVL_READ_BORROW, NULL) == LVL_OK;
    }
    good = good && docs[0]->format == docs[1]->format && docs[0]->format == docs[2]->format &&
           merge_documents(docs[0], docs[1], docs[2], m->options, m->depth + 1, m->first + m->conflicts,
                           &conflicts, m->findings) == LVL_OK &&
           lvl_doc_write_verified(docs[0], &out, NULL) == LVL_OK && lvl_editor_note_member(&m->edit, ours, f);
    if (good) {
        const lvl_bytes copy = {lvl_arena_copy(&m->ours->arena, out.data, out.len), out.len};
        if (copy.ptr)
            memcpy((uint8_t *)ours + f->offset, &copy, sizeof copy);
        else
            lvl_merge_fail(m, LVL_ERR_MEMORY);
        m->conflicts += conflicts;
    }
    for (int i = 0; i < 3; i++)
        lvl_doc_free(docs[i]);
    lvl_buffer_free(&out);
    return good;
}

/* Merges a list of numbers or texts item by item, if it has the same length on all sides. */
static bool merge_items(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const uint32_t n = lvl_list_count(base, f);
    const lvl_field item = lvl_item_field(f);
    const lvl_where where = m->where;
    uint8_t *items;

    if (n != lvl_list_count(ours, f) || n != lvl_list_count(theirs, f))
        return false;
    items = lvl_arena_copy(&m->ours->arena, lvl_list_item(ours, f, 0), (size_t)n * f->item_size);
    if (!items || !lvl_editor_note_member(&m->edit, ours, f)) {
        lvl_merge_fail(m, LVL_ERR_MEMORY);
        return true;
    }
    memcpy((uint8_t *)ours + f->offset, &items, sizeof items);
    for (uint32_t i = 0; i < n && lvl_merge_ok(m); i++) {
        void *o = items + (size_t)i * f->item_size;
        const void *b = lvl_list_item(base, f, i), *t = lvl_list_item(theirs, f, i);
        if (lvl_member_equal(b, t, &item) || lvl_member_equal(o, t, &item))
            continue;
        m->where.steps[m->where.depth - 1].index = i;
        if (lvl_member_equal(b, o, &item))
            lvl_merge_take(m, o, m->theirs, t, &item);
        else
            conflict(m, o, b, t, &item);
    }
    m->where = where;
    return true;
}

/* Adds the texts of a list to a table of its items. */
static void index_texts(lvl_merger *m, lvl_hash *all, const void *record, const lvl_field *f)
{
    const lvl_field item = lvl_item_field(f);

    lvl_hash_init(all);
    for (uint32_t i = 0; i < lvl_list_count(record, f) && lvl_merge_ok(m); i++) {
        const lvl_text text = lvl_get_text(lvl_list_item(record, f, i), &item);
        if (lvl_hash_add(all, lvl_hash_bytes(&all->seed, text.ptr, text.len), i) != LVL_OK)
            lvl_merge_fail(m, LVL_ERR_MEMORY);
    }
}

static bool has_text(const lvl_hash *all, const void *record, const lvl_field *f, lvl_text text)
{
    const lvl_field item = lvl_item_field(f);
    lvl_hash_at at = lvl_hash_first(all, lvl_hash_bytes(&all->seed, text.ptr, text.len));

    while (at.found && !lvl_text_equal(lvl_get_text(lvl_list_item(record, f, at.index), &item), text))
        at = lvl_hash_next(all, at);
    return at.found;
}

/* Merges a set: what THEIRS removed is removed, what it added is added. */
static void merge_set(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    const lvl_field item = lvl_item_field(f);
    const uint32_t was = lvl_list_count(ours, f), more = lvl_list_count(theirs, f);
    lvl_hash in_base, in_ours, in_theirs;
    uint8_t *drop = calloc((size_t)was + more + 1, 1);
    uint32_t count = was;

    if (!drop) {
        lvl_merge_fail(m, LVL_ERR_MEMORY);
        return;
    }
    index_texts(m, &in_base, base, f);
    index_texts(m, &in_ours, ours, f);
    index_texts(m, &in_theirs, theirs, f);
    if (!lvl_editor_note_member(&m->edit, ours, f))
        lvl_merge_fail(m, LVL_ERR_MEMORY);
    for (uint32_t i = 0; i < was && lvl_merge_ok(m); i++) {
        const lvl_text text = lvl_get_text(lvl_list_item(ours, f, i), &item);
        drop[i] = has_text(&in_base, base, f, text) && !has_text(&in_theirs, theirs, f, text);
    }
    for (uint32_t i = 0; i < more && lvl_merge_ok(m); i++) {
        const lvl_text text = lvl_get_text(lvl_list_item(theirs, f, i), &item);
        if (has_text(&in_base, base, f, text) || has_text(&in_ours, ours, f, text))
            continue;
        lvl_merge_fail(m, lvl_list_insert(m->ours, ours, f, count, 1));
        if (lvl_merge_ok(m))
            lvl_merge_fail(m, lvl_put_text(m->ours, lvl_item_at(ours, f, count++), &item, text));
    }
    if (lvl_merge_ok(m))
        lvl_merge_fail(m, lvl_list_drop(m->ours, ours, f, drop));
    lvl_hash_free(&in_base);
    lvl_hash_free(&in_ours);
    lvl_hash_free(&in_theirs);
    free(drop);
}

/* Merges a member that both sides changed, to different values. */
static void merge_both(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (base && f->kind == LVL_INT && (f->flags & LVL_F_FLAGS))
        merge_flags(m, ours, base, theirs, f);
    else if (base && f->kind == LVL_TEXT && (f->flags & LVL_F_LINES) &&
             lvl_merge_lines(m, ours, base, theirs, f))
        return;
    else if (base && f->kind == LVL_BYTES && !(f->flags & LVL_F_SLOT) &&
             merge_inner(m, ours, base, theirs, f))
        return;
    else if (base && f->flags & LVL_F_SET)
        merge_set(m, ours, base, theirs, f);
    else if (base && f->kind == LVL_LIST && merge_items(m, ours, base, theirs, f))
        return;
    else
        conflict(m, ours, base, theirs, f);
}

/* Merges a member that is compared as a whole. `base` NULL: BASE does not have it. */
static void merge_value(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (f->kind == LVL_INT) {
        const int64_t t = lvl_merge_int(m, m->theirs, theirs, f), o = lvl_get_int(ours, f);
        if (t == o || (base && t == lvl_merge_int(m, m->base, base, f)))
            return;
        if (base && o == lvl_merge_int(m, m->base, base, f))
            lvl_merge_take(m, ours, m->theirs, theirs, f);
        else
            merge_both(m, ours, base, theirs, f);
        return;
    }
    if (lvl_member_equal(ours, theirs, f) || (base && lvl_member_equal(base, theirs, f)))
        return;
    if (base && lvl_member_equal(base, ours, f))
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
    if (!(f->flags & LVL_F_LATE))
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

static void merge_member(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *f)
{
    if (!lvl_field_present(theirs, f))
        return;
    if (!lvl_field_present(ours, f)) {
        if (!base || !lvl_field_present(base, f) || !lvl_member_equal(base, theirs, f))
            conflict(m, ours, base, theirs, f);
        return;
    }
    if (base && lvl_field_present(base, f) && merge_damaged(m, ours, base, theirs, f))
        return;
    if (base && !lvl_field_present(base, f))
        merge_new(m, ours, theirs, f);
    else if (base && f->kind == LVL_RECORD)
        merge_record(m, (uint8_t *)ours + f->offset, lvl_get_record(base, f), lvl_get_record(theirs, f),
                     f->table);
    else if (base && f->kind == LVL_CELLS)
        lvl_merge_cells(m, ours, base, theirs, f);
    else if (!base && f->kind == LVL_CELLS && lvl_merge_new_cells(m, ours, theirs, f))
        return;
    else if (base && f->kind == LVL_LIST && f->item == LVL_RECORD)
        lvl_merge_list(m, ours, base, theirs, f);
    else
        merge_value(m, ours, base, theirs, f);
}

/* Reports a member that OURS changed and THEIRS do not have any more, since another tag is there: with that
 * tag the result does not have it either. */
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

static void merge_members(lvl_merger *m, void *ours, const void *base, const void *theirs,
                          const lvl_table *table, bool referenced)
{
    const lvl_where where = m->where;
    const lvl_doc *moved = m->moved;

    m->moved = NULL;
    lvl_merge_fail(m, lvl_charge(m->ours->ctx, 8 * (uint64_t)table->field_count));
    for (uint32_t i = 0; base && i < table->field_count && lvl_merge_ok(m); i++) {
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
    m->moved = moved;
    m->where = where;
}

static void merge_record(lvl_merger *m, void *ours, const void *base, const void *theirs,
                         const lvl_table *table)
{
    merge_members(m, ours, base, theirs, table, false);
}

/* ---- damaged sides ----------------------------------------------------------------------------------- */

/* Replaces all content of OURS by that of THEIRS. */
static void take_theirs(lvl_merger *m)
{
    const lvl_table *table = m->ours->format->table;

    for (uint32_t i = 0; i < table->field_count && lvl_merge_ok(m); i++) {
        const lvl_field *f = &table->fields[i];
        m->where = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        if (f->role != LVL_DERIVED && lvl_field_present(m->theirs->root, f) &&
            lvl_field_present(m->ours->root, f))
            lvl_merge_take(m, m->ours->root, m->theirs, m->theirs->root, f);
    }
    m->where = lvl_where_root();
}

/* A side with cuts that BASE does not have lacks content, and nobody can say what of it: what it lacks was
 * not deleted. The merge is a conflict, and the result is the sound side. Returns whether that was done. */
static bool merge_with_damage(lvl_merger *m, const size_t cuts[3])
{
    const bool ours = cuts[0] > cuts[1], theirs = cuts[2] > cuts[1];

    if (!ours && !theirs)
        return false;
    lvl_merge_conflict(m, "%s damaged (see `lvl check', `lvl repair'), and base is not: %s",
                       ours && theirs ? "ours and theirs are"
                       : ours         ? "ours is"
                                      : "theirs is",
                       ours && !theirs ? "the result is theirs" : "the result is ours");
    if (ours && !theirs)
        take_theirs(m);
    return true;
}

/* ---- content that no member has ---------------------------------------------------------------------- */

/* A merge compares members, so what THEIRS has beside them does not get into the result: that is a
 * conflict. */
static lvl_status report_unread(lvl_merger *m, const lvl_doc *ours, const lvl_doc *base,
                                const lvl_doc *theirs)
{
    lvl_unread u;
    const lvl_unread_line *first = NULL;
    unsigned long more = 0;
    char shown[120];

    if (!theirs->format->calls->unread)
        return LVL_OK;
    lvl_unread_init(&u, ours->ctx, false);
    lvl_status status = lvl_unread_add(&u, base, LVL_MERGE_BASE);
    if (status == LVL_OK)
        status = lvl_unread_add(&u, theirs, LVL_MERGE_THEIRS);
    if (status == LVL_OK)
        status = lvl_unread_add(&u, ours, LVL_MERGE_OURS);
    for (size_t i = 0; i < u.count && status == LVL_OK; i++) {
        const lvl_unread_line *line = &u.lines[i];
        const uint32_t n = line->count[LVL_MERGE_THEIRS];
        if (n <= line->count[LVL_MERGE_BASE] || n <= line->count[LVL_MERGE_OURS])
            continue;
        more += first != NULL;
        first = first ? first : line;
    }
    if (first && more)
        lvl_merge_conflict(
            m,
            "theirs added content that lvl does not know, and that is not in the result: %s (and %lu more)",
            lvl_text_show(shown, sizeof shown, theirs->codepage, first->text), more);
    else if (first)
        lvl_merge_conflict(m,
                           "theirs added content that lvl does not know, and that is not in the result: %s",
                           lvl_text_show(shown, sizeof shown, theirs->codepage, first->text));
    lvl_unread_free(&u);
    return status;
}

/* ---- content of one form ----------------------------------------------------------------------------- */

/* Merges documents of one form, with chunks of one size. */
static lvl_status merge_content(lvl_merger *m, const size_t cuts[3])
{
    const lvl_table *table = m->ours->format->table;
    lvl_doc *const docs[] = {m->ours, m->base, m->theirs};

    m->where = lvl_where_root();
    lvl_status status = lvl_doc_open_different(docs, 3, true);
    if (status != LVL_OK)
        return status;
    status = lvl_editor_begin(&m->edit, m->ours, m->findings);
    m->edit.load.status = status;
    const bool damaged = status == LVL_OK && merge_with_damage(m, cuts);
    /* lists with references to them first, so that references can be translated */
    if (status == LVL_OK && !damaged)
        merge_members(m, m->ours->root, m->base->root, m->theirs->root, table, true);
    if (lvl_merge_ok(m) && !damaged)
        merge_members(m, m->ours->root, m->base->root, m->theirs->root, table, false);
    if (lvl_merge_ok(m))
        lvl_merge_condemned(m);
    if (m->findings) /* a conflict that could not be reported */
        lvl_merge_fail(m, lvl_findings_status(m->findings));
    status = lvl_editor_finish(&m->edit, m->edit.load.status, NULL);
    if (status == LVL_OK && m->ours->format->calls->settle)
        m->ours->format->calls->settle(m->ours);
    for (uint32_t i = 0; i < m->condemned_count; i++)
        free(m->condemned[i].by);
    for (uint32_t i = 0; i < m->list_count; i++) {
        free(m->lists[i].base);
        free(m->lists[i].theirs);
    }
    return status;
}

/* ---- documents --------------------------------------------------------------------------------------- */

/* Merges a copy of OURS, whose shape changes, so that OURS is unchanged after an error. */
static lvl_status merge_reshaped(lvl_merger *m, const size_t cuts[3], const lvl_merge_shape *wanted)
{
    lvl_doc *const ours = m->ours;
    lvl_doc *copy = NULL;

    lvl_status status = lvl_merge_copy_document(ours, &copy);
    if (status != LVL_OK)
        return status;
    m->ours = copy;
    status = merge_content(m, cuts);
    if (status == LVL_OK)
        status = lvl_merge_reshape(m, &copy, wanted);
    if (status == LVL_OK && m->findings)
        status = lvl_findings_status(m->findings);
    if (status == LVL_OK)
        lvl_doc_swap(ours, copy);
    m->ours = ours;
    lvl_doc_free(copy);
    return status;
}

static lvl_status merge_documents(lvl_doc *ours, lvl_doc *base, lvl_doc *theirs,
                                  const lvl_merge_options *options, unsigned depth, uint64_t first,
                                  uint64_t *conflicts, lvl_findings *findings)
{
    const size_t cuts[3] = {ours->cuts, base->cuts, theirs->cuts};
    const bool damaged = cuts[0] > cuts[1] || cuts[2] > cuts[1];
    lvl_merger m = {.record = merge_record,
                    .ours = ours,
                    .options = options,
                    .findings = findings,
                    .depth = depth,
                    .first = first,
                    .where = lvl_where_root()};
    lvl_doc *base_made = NULL, *theirs_made = NULL;
    lvl_merge_shape wanted = {NULL, 0};

    lvl_status status = lvl_merge_in_form_of(ours, base, findings, &base_made, &m.base);
    if (status == LVL_OK)
        status = lvl_merge_in_form_of(ours, theirs, findings, &theirs_made, &m.theirs);
    if (status == LVL_OK && !damaged)
        status = report_unread(&m, ours, base, theirs);
    if (status == LVL_OK && !damaged) {
        wanted = lvl_merge_shape_of(&m, theirs, base);
        status = lvl_merge_in_chunks_of(ours, m.base, m.theirs, findings);
    }
    if (status == LVL_OK)
        status = wanted.form || wanted.chunks ? merge_reshaped(&m, cuts, &wanted) : merge_content(&m, cuts);
    *conflicts = m.conflicts;
    lvl_doc_free(base_made);
    lvl_doc_free(theirs_made);
    return status;
}

lvl_status lvl_merge(lvl_doc *ours, lvl_doc *base, lvl_doc *theirs, const lvl_merge_options *options,
                     uint64_t *conflicts, lvl_findings *findings)
{
    static const lvl_merge_options usual = {0};
    lvl_findings *own = findings ? NULL : lvl_findings_new(ours->ctx), *all = findings ? findings : own;
    uint64_t count = 0;

    const lvl_status status =
        all ? merge_documents(ours, base, theirs, options ? options : &usual, 0, 0, &count, all)
            : LVL_ERR_MEMORY;
    if (conflicts)
        *conflicts = count;
    lvl_findings_free(own);
    return status;
}
