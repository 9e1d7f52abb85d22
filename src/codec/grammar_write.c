/*
 * codec/grammar_write.c: writes a document with the unchanged parts of its source. Three texts are compared:
 *
 *     now    the canonical form of the document
 *     old    the source
 *     was    the canonical form of what the source is read as
 *
 * A part of the source is copied if its canonical form is the same now as it was. The result is re-read: a
 * text that would be read as something else is not written.
 */
#include "codec/grammar_internal.h"

#include "base/search.h"
#include "base/work.h"

#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct side {
    const lvl_part *parts;
    uint32_t count;
    const char *text;
    size_t len;
} side;

typedef struct merge {
    lvl_line_writer *w;
    side now, old, was;
    uint32_t *old_of; /* by part of `now`: the part of the source with its place; NONE: it is new */
    uint32_t *now_of; /* by part of `old`: what became of it; NONE: it was removed */
    uint32_t *was_of; /* by part of `old`: its canonical form; NONE: it has none, since it has no content */
    bool missing; /* missing lines are added */
    bool patch; /* unchanged words of changed lines are copied */
    lvl_buffer *out;
} merge;

static lvl_text head_of(const side *s, uint32_t i)
{
    return (lvl_text){s->text + s->parts[i].head, s->parts[i].body - s->parts[i].head};
}

static lvl_text body_of(const side *s, uint32_t i)
{
    return (lvl_text){s->text + s->parts[i].body, s->parts[i].end - s->parts[i].body};
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

static void fill_slots(merge *m, const side *s, uint32_t *slots)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const size_t slot = slot_of(m, &s->parts[i]);
        if (slot != SIZE_MAX)
            slots[slot] = i;
    }
}

/* The source may have several lines or blocks of what a document has once. A row of a grid, or a block, has
 * the place of the first one; of other lines the last one counts. */
static bool pair_slots(merge *m)
{
    size_t count = 2 * LVL_RULES;

    for (uint32_t k = 0; k < m->w->rules.grammar->rule_count; k++) {
        const lvl_line_grid *grid = m->w->rules.grammar->rules[k].grid;
        count += grid ? (size_t)LVL_GRIDS * grid->side : 0;
    }
    uint32_t *now = lvl_arena_array(&m->w->arena, count * 2, sizeof *now);
    if (!now)
        return false;
    uint32_t *was = now + count;
    memset(now, 0xFF, count * 2 * sizeof *now);
    fill_slots(m, &m->now, now);
    fill_slots(m, &m->was, was);
    for (uint32_t b = 0; b < m->old.count; b++) {
        const size_t slot = slot_of(m, &m->old.parts[b]);
        if (slot == SIZE_MAX)
            continue;
        const uint32_t a = m->now_of[b] = now[slot];
        m->was_of[b] = was[slot];
        const bool first = m->old.parts[b].place == LVL_PART_BEGIN || slot >= 2 * LVL_RULES;
        if (a != NONE && (!first || m->old_of[a] == NONE))
            m->old_of[a] = b;
    }
    return true;
}

static uint32_t gather_items(merge *m, const side *s, const lvl_field *list, uint32_t *out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        if (lvl_rules_list(&m->w->rules, &s->parts[i]) == list && slot_of(m, &s->parts[i]) == SIZE_MAX)
            out[count++] = i;
    }
    return count;
}

static bool same_part(const merge *m, uint32_t a, uint32_t c)
{
    return lvl_text_equal(head_of(&m->now, a), head_of(&m->was, c)) &&
           lvl_text_equal(body_of(&m->now, a), body_of(&m->was, c));
}

/* Items of a list: as many as before correspond by their number. Otherwise equal ones at the start and at the
 * end do, and those between them in their order. */
static bool pair_items(merge *m, const lvl_field *list, uint32_t *now, uint32_t *old, uint32_t *was)
{
    const uint32_t n = gather_items(m, &m->now, list, now), count = gather_items(m, &m->old, list, old),
                   least = n < count ? n : count;
    uint32_t front = n == count ? n : 0, back = 0;

    if (gather_items(m, &m->was, list, was) != count)
        return false;
    while (front < least && same_part(m, now[front], was[front]))
        front++;
    while (back < least - front && same_part(m, now[n - 1 - back], was[count - 1 - back]))
        back++;
    for (uint32_t i = 0; i < count; i++)
        m->was_of[old[i]] = was[i];
    for (uint32_t i = 0; i < least; i++) {
        const bool at_end = i >= least - back;
        const uint32_t a = now[at_end ? n - least + i : i], b = old[at_end ? count - least + i : i];
        m->old_of[a] = b;
        m->now_of[b] = a;
    }
    return true;
}

static bool pair_parts(merge *m)
{
    const lvl_grammar *grammar = m->w->rules.grammar;
    const size_t n = m->now.count + (size_t)1, count = m->old.count + (size_t)1;
    uint32_t *all = lvl_arena_array(&m->w->arena, n * 2 + count * 3 + m->was.count, sizeof *all);

    if (!all)
        return false;
    memset(all, 0xFF, (n + count * 2) * sizeof *all);
    m->old_of = all;
    m->now_of = all + n;
    m->was_of = m->now_of + count;
    uint32_t *room = m->was_of + count;
    bool good = pair_slots(m);
    for (uint32_t k = 0; k < grammar->rule_count && good; k++) {
        const lvl_rule *rule = &grammar->rules[k];
        bool first =
            rule->kind == LVL_RULE_ITEM || rule->kind == LVL_RULE_ROWS || rule->kind == LVL_RULE_OTHER;
        for (uint32_t i = 0; i < k; i++)
            first = first && (grammar->rules[i].kind != rule->kind || grammar->rules[i].list != rule->list);
        if (first)
            good = pair_items(m, lvl_rules_form(&m->w->rules, k)->list, room, room + n, room + n + count);
    }
    return good;
}

/* ---- lines --------------------------------------------------------------------------------------- */

/* Appends lines; the last one gets a line end. */
static void put_lines(const merge *m, const side *s, size_t from, size_t to)
{
    lvl_buffer_add(m->out, s->text + from, to - from);
    if (to > from && s->text[to - 1] != '\n')
        lvl_writer_end_line(m->w, m->out);
}

static bool is_blank(const side *s, size_t from, size_t to)
{
    for (; from < to; from++) {
        if (!memchr(" \t\r\n", s->text[from], 4))
            return false;
    }
    return true;
}

/* The first line or row of part `a`, spelled as part `b` of the source (NONE: in its canonical form). */
static void put_head(merge *m, uint32_t a, uint32_t b)
{
    const lvl_text now = head_of(&m->now, a);
    const uint32_t c = b == NONE ? NONE : m->was_of[b];

    if (!m->patch || c == NONE || m->old.parts[b].flags & LVL_PART_MISREAD ||
        rule_of(m, &m->now.parts[a])->kind == LVL_RULE_GRID) {
        lvl_buffer_add(m->out, now.ptr, now.len);
        return;
    }
    lvl_words_patch(head_of(&m->old, b), head_of(&m->was, c), now, m->out);
    if (m->out->status == LVL_OK && m->out->len && m->out->data[m->out->len - 1] != '\n')
        lvl_writer_end_line(m->w, m->out);
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
    return m->now_of[b] == NONE && m->was_of[b] == NONE && !is_open(m, &m->old.parts[b]);
}

static void put_body(merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *new = &m->now.parts[a], *old = &m->old.parts[b];
    const uint32_t c = m->was_of[b];
    const bool anew = new->flags &LVL_PART_ANEW, last = b + 1 == m->old.count &&a + 1 == m->now.count,
               same = c != NONE &&lvl_text_equal(body_of(&m->now, a), body_of(&m->was, c));

    if (same && (!anew || old->flags & LVL_PART_MORE_LINES))
        put_lines(m, &m->old, old->body, old->close);
    else if (old->flags & LVL_PART_MORE_LINES)
        lvl_writer_fail(m->w, LVL_ERR_LOSS);
    else
        put_lines(m, &m->now, new->body, new->close);
    if (!is_open(m, old) || (last && !anew))
        put_lines(m, &m->old, old->close, old->end);
    else
        put_lines(m, &m->now, new->close, new->end);
}

/* Part `b` of the source, as it is now. */
static void put_old(merge *m, uint32_t b)
{
    const lvl_part *old = &m->old.parts[b];
    const uint32_t a = m->now_of[b], c = m->was_of[b];

    if (a == NONE) {
        if (is_default_part(m, b))
            put_lines(m, &m->old, old->head, old->end);
        else if (rule_of(m, old)->kind == LVL_RULE_GRID && old->flags & LVL_PART_MORE)
            lvl_writer_fail(m->w, LVL_ERR_LOSS);
        return;
    }
    const bool anew = m->now.parts[a].flags & LVL_PART_ANEW,
               same = old->place == LVL_PART_BEGIN || old->place == LVL_PART_END ||
                      (c != NONE && lvl_text_equal(head_of(&m->now, a), head_of(&m->was, c)));
    if (old->flags & LVL_PART_REPLACED) {
        if (!anew ||
            !rule_of(m, old)->end) /* repair removes a block that is not read, and the errors in it */
            put_lines(m, &m->old, old->head, old->end);
        return;
    }
    if (same && !anew)
        put_lines(m, &m->old, old->head, old->body);
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
    const lvl_part *part = &m->now.parts[a];
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
    const lvl_part *old = like == NONE ? NULL : &m->old.parts[like];

    for (uint32_t i = from; i < to; i++) {
        const lvl_part *part = &m->now.parts[i];
        if (!is_written(m, i))
            continue;
        const bool alike = old && old->place == part->place && old->rule == part->rule;
        if (apart && alike && like && old[-1].place != LVL_PART_BEGIN &&
            is_blank(&m->old, old->lead, old->head))
            put_lines(m, &m->old, old->lead, old->head);
        else if (apart)
            put_lines(m, &m->now, part->lead, part->head);
        const lvl_field *list = lvl_rules_list(&m->w->rules, part);
        const bool spelled =
            list && old && lvl_rules_list(&m->w->rules, old) == list && has_columns(m, part->rule);
        put_head(m, i, spelled ? like : NONE);
        put_lines(m, &m->now, part->body, part->end);
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
    const lvl_part *now = m->now.parts, *old = &m->old.parts[m->old_of[n]];
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
    if (!section || old->lead == old->head || !is_blank(&m->old, old->lead, old->head))
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

    while (to < m->now.count && m->old_of[to] == NONE)
        to++;
    put_new(m, from, to < m->now.count ? first_before(m, to) : to, like, true);
}

/* ---- the text ------------------------------------------------------------------------------------ */

/* The line that ends a block of rows, where it is missing behind a part of the source; or NULL. */
static const char *missing_end(const merge *m, uint32_t b)
{
    const lvl_part *part = &m->old.parts[b], *next = b + 1 < m->old.count ? part + 1 : NULL;
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
    const lvl_text file = {m->old.text, m->old.len};
    const size_t mark = m->old.len - lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len}).len;
    const char *end = NULL;
    size_t after = mark;

    lvl_buffer_add(m->out, file.ptr, mark);
    put_new_behind(m, 0, NONE);
    for (uint32_t b = 0; b < m->old.count && m->out->status == LVL_OK; b++) {
        const lvl_part *part = &m->old.parts[b];
        const uint32_t a = m->now_of[b];
        const bool placed = a != NONE && m->old_of[a] == b;
        if (a != NONE || is_default_part(m, b) || !is_blank(&m->old, part->lead, part->head))
            put_lines(m, &m->old, part->lead, part->head);
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
    put_lines(m, &m->old, after, m->old.len);
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

/* Appends the document; false: its parts cannot be put into the source, which was read as `parts` and whose
 * canonical form is `was`. */
static bool merge_source(lvl_line_writer *w, side was, const lvl_parts *parts, const lvl_where *anew,
                         size_t count, lvl_buffer *out)
{
    const lvl_text file = lvl_writer_source(w);
    const size_t start = out->len;
    bool done = false;

    lvl_writer_put(w);
    /* unchanged; of an odd source the parts alone would not give all of its bytes */
    if (w->status == LVL_OK && !count && w->text.len == was.len &&
        (!was.len || !memcmp(w->text.data, was.text, was.len))) {
        lvl_buffer_add(out, file.ptr, file.len);
        lvl_writer_fail(w, out->status);
        done = w->status == LVL_OK && lvl_writer_verify(w, out, start);
        if (done || w->status != LVL_OK)
            return done;
    }
    if (w->status == LVL_OK)
        lvl_writer_fail(w, mark_anew(w, anew, count));
    if (w->status != LVL_OK)
        return false;
    merge m = {.w = w,
               .now = {w->parts.items, w->parts.count, (const char *)w->text.data, w->text.len},
               .old = {parts->items, parts->count, file.ptr, file.len},
               .was = was,
               .patch = true,
               .out = out};
    for (size_t i = 0; i < count; i++)
        m.missing |= !anew[i].depth;
    if (!pair_parts(&m)) {
        lvl_writer_fail(w, LVL_ERR_MEMORY);
        return false;
    }
    for (int pass = 0; pass < 2 && !done && w->status == LVL_OK; pass++, m.patch = false) {
        out->len = start;
        put_merged(&m);
        lvl_writer_fail(w, out->status);
        if (!count && file.ptr[file.len - 1] != '\n' && out->status == LVL_OK)
            drop_last_end(w, start, out);
        done = w->status == LVL_OK && lvl_writer_verify(w, out, start);
    }
    for (uint32_t i = 0; i < parts->count && !done; i++) {
        if (parts->items[i].flags & (LVL_PART_MORE | LVL_PART_MORE_LINES))
            lvl_writer_fail(w, LVL_ERR_LOSS);
    }
    return done;
}

/* Reads the source again, for a document that was not read for an edit, and merges. */
static bool merge_reread(lvl_line_writer *w, const lvl_where *anew, size_t count, lvl_buffer *out)
{
    const lvl_text file = lvl_writer_source(w);
    lvl_doc *source = NULL;
    bool done = false;

    const lvl_status status = lvl_writer_reread(w, file, NULL, &source);
    const lvl_parts *parts = status == LVL_OK ? source->state : NULL;
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        lvl_writer_fail(w, status);
    if (status == LVL_OK && !count && lvl_writer_same(w, source)) {
        lvl_buffer_add(out, file.ptr, file.len);
        done = true;
    } else if (parts && parts->grammar == w->rules.grammar) {
        lvl_line_writer was;
        lvl_writer_open(&was, source, false);
        was.crlf = w->crlf;
        lvl_writer_put(&was);
        lvl_writer_fail(w, was.status);
        if (w->status == LVL_OK)
            done = merge_source(
                w, (side){was.parts.items, was.parts.count, (const char *)was.text.data, was.text.len}, parts,
                anew, count, out);
        lvl_writer_close(&was);
    }
    lvl_doc_free(source);
    return done;
}

bool lvl_writer_put_sourced(lvl_line_writer *w, const lvl_where *anew, size_t count, lvl_buffer *out)
{
    const lvl_bytes input = w->doc->input;
    const lvl_text file = lvl_writer_source(w);
    const lvl_parts *parts = w->doc->state;
    const size_t start = out->len;
    bool done;

    if (!file.len || w->status != LVL_OK)
        return false;
    if (parts && parts->was && parts->grammar == w->rules.grammar && parts->was_crlf == w->crlf &&
        file.ptr == (const char *)input.ptr && file.len == input.len)
        done = merge_source(
            w, (side){parts->was->items, parts->was->count, parts->was_text.ptr, parts->was_text.len}, parts,
            anew, count, out);
    else
        done = merge_reread(w, anew, count, out);
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
        lvl_writer_put(&w);
        lvl_buffer_add(out, file.ptr,
                       file.len - lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len}).len);
        lvl_buffer_add(out, w.text.data, w.text.len);
        lvl_writer_fail(&w, out->status);
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
