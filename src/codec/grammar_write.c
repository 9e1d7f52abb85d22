/*
 * codec/grammar_write.c: writes a document with the unchanged parts of its source. Two lists of parts are
 * compared:
 *
 *     now    of the document
 *     old    of the source
 *
 * A part of the source is copied if the hash of its content is the same now as it was (base/piece.h). Only
 * the others are written in their canonical form, and of these, what the source has is read again. The result
 * is re-read: a text that would be read as something else is not written.
 */
#include "codec/grammar_internal.h"

#include "base/piece.h"
#include "base/record.h"
#include "base/search.h"
#include "base/work.h"

#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct merge {
    lvl_line_writer *w;
    const lvl_parts *now, *old;
    lvl_text file; /* the text of `old` */
    lvl_line_reader *reader; /* of single parts of it */
    uint32_t *old_of; /* by part of `now`: the part of the source with its place; NONE: it is new */
    uint32_t *now_of; /* by part of `old`: what became of it; NONE: it was removed */
    bool missing; /* missing lines are added */
    bool patch; /* unchanged words of changed lines are copied */
    lvl_buffer *out;
} merge;

/* Whether part `a` of the document has in its first line, or row, what part `b` of the source has. */
static bool same_head(const merge *m, uint32_t a, uint32_t b)
{
    return !(m->old->items[b].flags & LVL_PART_DEFAULT) &&
           m->now->items[a].head_hash == m->old->items[b].head_hash;
}

static bool same_body(const merge *m, uint32_t a, uint32_t b)
{
    return !(m->old->items[b].flags & LVL_PART_DEFAULT) &&
           m->now->items[a].body_hash == m->old->items[b].body_hash;
}

static const lvl_rule *rule_of(const merge *m, const lvl_part *part)
{
    return &m->w->rules.grammar->rules[part->rule];
}

/* ---- which parts correspond ----------------------------------------------------------------------- */

/* Of parts that a document has once: their number; SIZE_MAX: an item of a list. */
static size_t slot_of(merge *m, const lvl_part *part)
{
    if (rule_of(m, part)->kind == LVL_RULE_GRID)
        return 2 * LVL_RULES + part->row;
    return lvl_rules_list(&m->w->rules, part) ? SIZE_MAX : 2U * part->rule + (part->place == LVL_PART_END);
}

static size_t count_slots(merge *m, const lvl_parts *parts, size_t count)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        const size_t slot = slot_of(m, &parts->items[i]);
        count = slot != SIZE_MAX && slot >= count ? slot + 1 : count;
    }
    return count;
}

/* The source may have several lines or blocks of what a document has once. A row of a grid, or a block, has
 * the place of the first one; of other lines the last one counts. */
static bool pair_slots(merge *m)
{
    const size_t count = count_slots(m, m->now, count_slots(m, m->old, 1));
    uint32_t *now = lvl_arena_array(&m->w->arena, count, sizeof *now);
    if (!now)
        return false;
    memset(now, 0xFF, count * sizeof *now);
    for (uint32_t a = 0; a < m->now->count; a++) {
        const size_t slot = slot_of(m, &m->now->items[a]);
        if (slot != SIZE_MAX)
            now[slot] = a;
    }
    for (uint32_t b = 0; b < m->old->count; b++) {
        const size_t slot = slot_of(m, &m->old->items[b]);
        if (slot == SIZE_MAX)
            continue;
        const uint32_t a = m->now_of[b] = now[slot];
        const bool first = m->old->items[b].place == LVL_PART_BEGIN || slot >= 2 * LVL_RULES;
        if (a != NONE && (!first || m->old_of[a] == NONE))
            m->old_of[a] = b;
    }
    return true;
}

static uint32_t gather_items(merge *m, const lvl_parts *parts, const lvl_field *list, uint32_t *out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < parts->count; i++) {
        const lvl_part *part = &parts->items[i];
        if (lvl_rules_list(&m->w->rules, part) == list && slot_of(m, part) == SIZE_MAX)
            out[count++] = i;
    }
    return count;
}

static bool same_part(const merge *m, uint32_t a, uint32_t b)
{
    return same_head(m, a, b) && same_body(m, a, b);
}

/* Items of a list: as many as before correspond by their number. Otherwise equal ones at the start and at the
 * end do, and those between them in their order. */
static void pair_items(merge *m, const lvl_field *list, uint32_t *now, uint32_t *old)
{
    const uint32_t n = gather_items(m, m->now, list, now), count = gather_items(m, m->old, list, old),
                   least = n < count ? n : count;
    uint32_t front = n == count ? n : 0, back = 0;

    while (front < least && same_part(m, now[front], old[front]))
        front++;
    while (back < least - front && same_part(m, now[n - 1 - back], old[count - 1 - back]))
        back++;
    for (uint32_t i = 0; i < least; i++) {
        const bool at_end = i >= least - back;
        const uint32_t a = now[at_end ? n - least + i : i], b = old[at_end ? count - least + i : i];
        m->old_of[a] = b;
        m->now_of[b] = a;
    }
}

static bool pair_parts(merge *m)
{
    const lvl_grammar *grammar = m->w->rules.grammar;
    const size_t n = m->now->count + (size_t)1, count = m->old->count + (size_t)1;
    uint32_t *all = lvl_arena_array(&m->w->arena, (n + count) * 2, sizeof *all);

    if (!all)
        return false;
    memset(all, 0xFF, (n + count) * sizeof *all);
    m->old_of = all;
    m->now_of = all + n;
    uint32_t *room = m->now_of + count;
    if (!pair_slots(m))
        return false;
    for (uint32_t k = 0; k < grammar->rule_count; k++) {
        const lvl_rule *rule = &grammar->rules[k];
        bool first =
            rule->kind == LVL_RULE_ITEM || rule->kind == LVL_RULE_ROWS || rule->kind == LVL_RULE_OTHER;
        for (uint32_t i = 0; i < k && first; i++)
            first = grammar->rules[i].kind != rule->kind || grammar->rules[i].list != rule->list;
        if (first)
            pair_items(m, lvl_rules_form(&m->w->rules, k)->list, room, room + n);
    }
    return true;
}

/* ---- lines --------------------------------------------------------------------------------------- */

/* Appends lines of the source; the last one gets a line end. */
static void copy_lines(const merge *m, size_t from, size_t to)
{
    if (from == to)
        return;
    lvl_buffer_add(m->out, m->file.ptr + from, to - from);
    if (m->file.ptr[to - 1] != '\n')
        lvl_writer_end_line(m->w, m->out);
}

static bool is_blank(const merge *m, size_t from, size_t to)
{
    for (; from < to; from++) {
        if (!memchr(" \t\r\n", m->file.ptr[from], 4))
            return false;
    }
    return true;
}

/* The canonical form of what the first line or row of part `b` of the source is read as. */
static void put_was(merge *m, uint32_t b, lvl_buffer *out)
{
    const lvl_part *old = &m->old->items[b];
    const lvl_field *list = lvl_rules_list(&m->w->rules, old);

    if (rule_of(m, old)->kind == LVL_RULE_FIRST) { /* its word */
        const lvl_text line = lvl_text_trim((lvl_text){m->file.ptr + old->head, old->body - old->head});
        lvl_buffer_add(out, line.ptr, line.len);
        lvl_writer_end_line(m->w, out);
        return;
    }
    void *record = lvl_arena_alloc(&m->w->arena, list ? list->item_size : m->w->rules.table->struct_size);
    if (!record) {
        lvl_writer_fail(m->w, LVL_ERR_MEMORY);
        return;
    }
    if (!list || list->table)
        lvl_record_init(record, list ? list->table : m->w->rules.table);
    lvl_writer_fail(m->w, lvl_reader_head(m->reader, old, record));
    lvl_writer_put_head(m->w, old, record, out);
}

/* The first line or row of part `a`, spelled as part `b` of the source (NONE: in its canonical form). */
static void put_head(merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *part = &m->now->items[a], *old = b == NONE ? NULL : &m->old->items[b];
    const void *record = lvl_rules_record(&m->w->rules, m->w->root, part);
    lvl_buffer was = {0}, now = {0};

    if (!m->patch || !old || old->flags & LVL_PART_DEFAULT || rule_of(m, part)->kind == LVL_RULE_GRID) {
        lvl_writer_put_head(m->w, part, record, m->out);
        return;
    }
    put_was(m, b, &was);
    lvl_writer_put_head(m->w, part, record, &now);
    lvl_writer_fail(m->w, was.status != LVL_OK ? was.status : now.status);
    if (m->w->status == LVL_OK)
        lvl_words_patch((lvl_text){m->file.ptr + old->head, old->body - old->head},
                        (lvl_text){(const char *)was.data, was.len},
                        (lvl_text){(const char *)now.data, now.len}, m->out);
    if (m->out->status == LVL_OK && m->out->len && m->out->data[m->out->len - 1] != '\n')
        lvl_writer_end_line(m->w, m->out);
    lvl_buffer_free(&was);
    lvl_buffer_free(&now);
}

/* ---- parts of the source ------------------------------------------------------------------------- */

static bool is_open(const merge *m, const lvl_part *old)
{
    return old->place == LVL_PART_ALONE && rule_of(m, old)->end && old->close == old->end;
}

/* Whether a part that no part corresponds to stays, since it had no content before: a line whose members have
 * their defaults, a block without rows. */
static bool is_default_part(const merge *m, uint32_t b)
{
    const lvl_part *old = &m->old->items[b];

    return m->now_of[b] == NONE && old->flags & LVL_PART_DEFAULT && !is_open(m, old);
}

static void put_body(merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *now = &m->now->items[a], *old = &m->old->items[b];
    const bool anew = (now->flags & LVL_PART_ANEW) != 0, same = same_body(m, a, b);
    const bool last = b + 1 == m->old->count && a + 1 == m->now->count;

    if (same && (!anew || old->flags & LVL_PART_MORE_LINES))
        copy_lines(m, old->body, old->close);
    else if (old->flags & LVL_PART_MORE_LINES)
        lvl_writer_fail(m->w, LVL_ERR_LOSS);
    else
        lvl_writer_put_body(m->w, now, m->out);
    if (!is_open(m, old) || (last && !anew))
        copy_lines(m, old->close, old->end);
    else
        lvl_writer_put_close(m->w, now, m->out);
}

/* Part `b` of the source, as it is now. */
static void put_old(merge *m, uint32_t b)
{
    const lvl_part *old = &m->old->items[b];
    const uint32_t a = m->now_of[b];

    if (a == NONE) {
        if (is_default_part(m, b))
            copy_lines(m, old->head, old->end);
        else if (rule_of(m, old)->kind == LVL_RULE_GRID && old->flags & LVL_PART_MORE)
            lvl_writer_fail(m->w, LVL_ERR_LOSS);
        return;
    }
    const bool anew = (m->now->items[a].flags & LVL_PART_ANEW) != 0;
    const bool same = old->place == LVL_PART_BEGIN || old->place == LVL_PART_END || same_head(m, a, b);
    if (old->flags & LVL_PART_REPLACED) {
        if (!anew ||
            !rule_of(m, old)->end) /* repair removes a block that is not read, and the errors in it */
            copy_lines(m, old->head, old->end);
        return;
    }
    if (same && !anew)
        copy_lines(m, old->head, old->body);
    else if (old->flags & LVL_PART_MORE)
        lvl_writer_fail(m->w, LVL_ERR_LOSS);
    else if (m->old_of[a] == b)
        put_head(m, a, anew ? NONE : b);
    if (rule_of(m, old)->end && old->place == LVL_PART_ALONE)
        put_body(m, a, b);
}

/* ---- new parts ----------------------------------------------------------------------------------- */

/* Whether a new part is written: of lines that are always written only where missing lines are added; of
 * lines around rows if there are rows, and the source has no such block. */
static bool is_written(merge *m, uint32_t a)
{
    const lvl_part *part = &m->now->items[a];
    const lvl_rule *rule = rule_of(m, part);

    if (part->place == LVL_PART_BEGIN || part->place == LVL_PART_END) {
        const uint32_t rows = lvl_list_count(m->w->root, lvl_rules_form(&m->w->rules, part->rule)->list),
                       begin = part->place == LVL_PART_BEGIN ? a : a - rows - 1;
        return rows && m->old_of[begin] == NONE;
    }
    return rule->kind != LVL_RULE_SINGLE || !(rule->flags & LVL_RULE_ALWAYS) || m->missing;
}

/* Whether lines of a rule have columns in their canonical form, as not all files have them. */
static bool has_columns(merge *m, uint32_t rule)
{
    const lvl_line_form *line = &lvl_rules_form(&m->w->rules, rule)->line;
    bool any = m->w->rules.grammar->rules[rule].rows != NULL;

    for (unsigned i = 0; i < line->count; i++)
        any |= line->member[i].columns != 0;
    return any;
}

/* New parts from `from` up to `to`, spelled as part `like` of the source if they are of its kind. `apart`:
 * with the blank lines before them. */
static void put_new(merge *m, uint32_t from, uint32_t to, uint32_t like, bool apart)
{
    const lvl_part *old = like == NONE ? NULL : &m->old->items[like];

    for (uint32_t i = from; i < to; i++) {
        const lvl_part *part = &m->now->items[i];
        if (!is_written(m, i))
            continue;
        const bool alike = old && old->place == part->place && old->rule == part->rule;
        if (apart && alike && like && old[-1].place != LVL_PART_BEGIN && is_blank(m, old->lead, old->head))
            copy_lines(m, old->lead, old->head);
        else if (apart && part->flags & LVL_PART_APART)
            lvl_writer_end_line(m->w, m->out);
        const lvl_field *list = lvl_rules_list(&m->w->rules, part);
        const bool spelled =
            list && old && lvl_rules_list(&m->w->rules, old) == list && has_columns(m, part->rule);
        put_head(m, i, spelled ? like : NONE);
        lvl_writer_put_body(m->w, part, m->out);
        lvl_writer_put_close(m->w, part, m->out);
    }
}

/* The place in the source behind the part that precedes the new parts before part `n`. */
static uint32_t place_behind(const merge *m, uint32_t n)
{
    while (n && m->old_of[n - 1] == NONE)
        n--;
    return n ? m->old_of[n - 1] + 1 : 0;
}

/* New parts go behind the part that precedes them, but some right before part `n`, which the source has: rows
 * before the end of their block; items before the next one of their list, if the source has that one before
 * the part that precedes them; and parts that begin its section, behind the blank lines in front of it.
 * Returns the first of these, or n. */
static uint32_t first_before(const merge *m, uint32_t n)
{
    if (!n || m->old_of[n - 1] != NONE) /* nothing is new before it */
        return n;

    const lvl_part *now = m->now->items, *old = &m->old->items[m->old_of[n]];
    const lvl_field *list = lvl_rules_list(&m->w->rules, &now[n]);
    const unsigned section = now[n].place == LVL_PART_ALONE ? rule_of(m, &now[n])->section : 0;
    uint32_t first = n;

    if (list && m->old_of[n] < place_behind(m, n)) {
        while (first && m->old_of[first - 1] == NONE && lvl_rules_list(&m->w->rules, &now[first - 1]) == list)
            first--;
        return first;
    }
    while (now[n].place == LVL_PART_END && !rule_of(m, &now[n])->rows && first &&
           m->old_of[first - 1] == NONE && now[first - 1].place == LVL_PART_ROW)
        first--;
    if (!section || old->lead == old->head || !is_blank(m, old->lead, old->head))
        return first;
    while (first && m->old_of[first - 1] == NONE && rule_of(m, &now[first - 1])->section == section)
        first--;
    if (first && rule_of(m, &now[first - 1])->section == section)
        return n; /* behind a part of the section */
    return m->old_of[n] == place_behind(m, first) ? first : n;
}

/* New parts from `from` on, up to those right before the next part that the source has. */
static void put_new_behind(merge *m, uint32_t from, uint32_t like)
{
    uint32_t to = from;

    while (to < m->now->count && m->old_of[to] == NONE)
        to++;
    put_new(m, from, to < m->now->count ? first_before(m, to) : to, like, true);
}

/* ---- the text ------------------------------------------------------------------------------------ */

/* The line that ends a block of rows, where it is missing behind a part of the source; or NULL. */
static const char *missing_end(const merge *m, uint32_t b)
{
    const lvl_part *part = &m->old->items[b], *next = b + 1 < m->old->count ? part + 1 : NULL;
    const bool rows = part->place == LVL_PART_BEGIN || part->place == LVL_PART_ROW,
               goes_on = next && next->rule == part->rule && next->place >= LVL_PART_ROW;

    return m->missing && rows && !goes_on ? rule_of(m, part)->end : NULL;
}

static void put_end(merge *m, const char *word)
{
    if (word) {
        lvl_buffer_str(m->out, word);
        lvl_writer_end_line(m->w, m->out);
    }
}

static void put_merged(merge *m)
{
    const lvl_text file = m->file;
    const size_t mark = file.len - lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len}).len;
    const char *end = NULL;
    size_t after = mark;

    lvl_buffer_add(m->out, file.ptr, mark);
    put_new_behind(m, 0, NONE);
    for (uint32_t b = 0; b < m->old->count && m->out->status == LVL_OK; b++) {
        const lvl_part *part = &m->old->items[b];
        const uint32_t a = m->now_of[b];
        const bool placed = a != NONE && m->old_of[a] == b;
        if (a != NONE || is_default_part(m, b) || !is_blank(m, part->lead, part->head))
            copy_lines(m, part->lead, part->head);
        put_end(m, end);
        if (placed) {
            const bool rows = part->place == LVL_PART_END;
            const uint32_t first = first_before(m, a);
            put_new(m, first, a, !rows ? b : first ? m->old_of[first - 1] : NONE, rows);
        }
        put_old(m, b);
        if (placed)
            put_new_behind(m, a + 1, b);
        end = missing_end(m, b);
        after = part->end;
    }
    copy_lines(m, after, file.len);
    put_end(m, end);
}

/* Drops the end of the last line, since that of the source has none. */
static void drop_last_end(const lvl_line_writer *w, size_t start, lvl_buffer *out)
{
    out->len -= out->len > start && out->data[out->len - 1] == '\n';
    out->len -= w->crlf && out->len > start && out->data[out->len - 1] == '\r';
}

/* An item whose source is not copied. */
typedef struct fresh_item {
    const lvl_field *list;
    uint32_t index;
} fresh_item;

static int by_item(const void *a, const void *b)
{
    const fresh_item *x = a, *y = b;

    if (x->list != y->list)
        return (uintptr_t)x->list < (uintptr_t)y->list ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Marks the parts whose source is not copied. */
static lvl_status mark_anew(lvl_line_writer *w, const lvl_where *anew, size_t count)
{
    fresh_item *items = lvl_mem_alloc(w->doc->ctx, (count + 1) * sizeof *items);
    bool root = false;
    size_t used = 0;

    if (!items)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        root = root || !anew[i].depth;
        if (anew[i].depth)
            items[used++] = (fresh_item){anew[i].steps[0].field, anew[i].steps[0].index};
    }
    const lvl_status status = lvl_charge(w->doc->ctx, (used + w->parts.count) * (uint64_t)16);
    if (used && status == LVL_OK)
        qsort(items, used, sizeof *items, by_item);
    for (uint32_t i = 0; i < w->parts.count && count && status == LVL_OK; i++) {
        lvl_part *part = &w->parts.items[i];
        const lvl_field *list = lvl_rules_list(&w->rules, part);
        const fresh_item item = {list, part->index};
        size_t at;
        LVL_LOWER_BOUND(at, used, by_item(&items[at], &item) < 0);
        if (list ? at < used && !by_item(&items[at], &item)
                 : root && w->rules.grammar->rules[part->rule].kind == LVL_RULE_SINGLE)
            part->flags |= LVL_PART_ANEW;
    }
    lvl_mem_free(w->doc->ctx, items);
    return status;
}

/* Appends the document; false: its parts cannot be put into the source, which was read as `parts`. */
static bool merge_source(lvl_line_writer *w, const lvl_parts *parts, const lvl_hash_seed *seed,
                         const lvl_where *anew, size_t count, lvl_buffer *out)
{
    merge m = {.w = w, .now = &w->parts, .old = parts, .file = lvl_writer_source(w), .out = out};
    lvl_line_reader reader;
    const size_t start = out->len;
    const bool unchanged = lvl_writer_hash(w, seed) == parts->hash;
    bool done = false;

    /* unchanged; of an odd source the parts alone would not give all of its bytes */
    if (w->status == LVL_OK && !count && unchanged) {
        lvl_buffer_add(out, m.file.ptr, m.file.len);
        lvl_writer_fail(w, out->status);
        done = w->status == LVL_OK && lvl_writer_verify(w, out, start);
        if (done || w->status != LVL_OK)
            return done;
    }
    if (w->status == LVL_OK)
        lvl_writer_fail(w, mark_anew(w, anew, count));
    if (w->status != LVL_OK)
        return false;
    for (size_t i = 0; i < count; i++)
        m.missing |= !anew[i].depth;
    if (!pair_parts(&m)) {
        lvl_writer_fail(w, LVL_ERR_MEMORY);
        return false;
    }
    lvl_reader_open(&reader, (lvl_doc *)(uintptr_t)w->doc, m.file, &w->arena);
    m.reader = &reader;
    m.patch = true;
    for (int pass = 0; pass < 2 && !done && w->status == LVL_OK; pass++, m.patch = false) {
        out->len = start;
        put_merged(&m);
        lvl_writer_fail(w, out->status);
        if (!count && m.file.ptr[m.file.len - 1] != '\n' && out->status == LVL_OK)
            drop_last_end(w, start, out);
        done = w->status == LVL_OK && lvl_writer_verify(w, out, start);
    }
    for (uint32_t i = 0; i < parts->count && !done; i++) {
        if (parts->items[i].flags & (LVL_PART_MORE | LVL_PART_MORE_LINES))
            lvl_writer_fail(w, LVL_ERR_LOSS);
    }
    return done;
}

bool lvl_writer_put_sourced(lvl_line_writer *w, const lvl_where *anew, size_t count, lvl_buffer *out)
{
    const lvl_text file = lvl_writer_source(w);
    const size_t start = out->len;
    lvl_doc *again = NULL;
    bool done = false;
    lvl_status status;

    if (!file.len || w->status != LVL_OK)
        return false;
    const lvl_doc *source =
        lvl_pieces_of(w->doc, (lvl_bytes){(const uint8_t *)file.ptr, file.len}, &again, &status);
    const lvl_parts *parts = source ? source->state : NULL;
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        lvl_writer_fail(w, status);
    if (again && !count && lvl_writer_same(w, again)) {
        lvl_buffer_add(out, file.ptr, file.len);
        done = true;
    } else if (parts && parts->noted && parts->grammar == w->rules.grammar) {
        done = merge_source(w, parts, &source->pieces->seed, anew, count, out);
    }
    lvl_doc_free(again);
    if (!done && out->status == LVL_OK)
        out->len = start;
    return done;
}

static lvl_status rewrite(const lvl_doc *doc, const lvl_where *anew, size_t count, lvl_buffer *out,
                          lvl_findings *found, lvl_doc **again)
{
    const size_t start = out->len;
    lvl_line_writer w;

    if (!doc->format->calls->grammar(doc))
        return LVL_ERR_LOSS;
    lvl_writer_open(&w, doc, true);
    w.found = found;
    w.keeps = again != NULL;
    if (!lvl_writer_put_sourced(&w, anew, count, out) && w.status == LVL_OK) {
        const lvl_text file = lvl_writer_source(&w);
        lvl_buffer_add(out, file.ptr,
                       file.len - lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len}).len);
        lvl_writer_put(&w, out);
        if (w.status == LVL_OK && !lvl_writer_verify(&w, out, start))
            lvl_writer_fail(&w, LVL_ERR_LOSS);
    }
    if (w.status != LVL_OK && out->status == LVL_OK)
        out->len = start;
    lvl_writer_close(&w);
    if (w.status != LVL_OK || !again)
        lvl_doc_free(w.again);
    else
        *again = w.again;
    return w.status;
}

lvl_status lvl_grammar_rewrite(const lvl_doc *doc, const lvl_where *anew, size_t count, lvl_buffer *out)
{
    return rewrite(doc, anew, count, out, NULL, NULL);
}

lvl_status lvl_grammar_write(const lvl_doc *doc, lvl_buffer *out)
{
    return rewrite(doc, NULL, 0, out, NULL, NULL);
}

lvl_status lvl_grammar_write_read(const lvl_doc *doc, lvl_buffer *out, lvl_findings *found, lvl_doc **again)
{
    return rewrite(doc, NULL, 0, out, found, again);
}
