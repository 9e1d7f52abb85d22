/*
 * lines/weave.c: appends a document as its source spells it. The source is gone through part by part:
 * one whose content has the hash that it was read with is copied; of a changed one, the first line is written
 * with the words of the source that still have the same values, the lines after it from the record; a removed
 * one is left out. New parts are put where place.c says. What is between parts is copied. Text that
 * no member has is never dropped: then the merge fails with LVL_ERR_LOSS.
 */
#include "lines/weave.h"

#include "base/buffer.h"
#include "base/record.h"

/* ---- lines --------------------------------------------------------------------------------------- */

/* Appends lines of the source; the last one gets a line end. */
static void copy_lines(const lvl_merge *m, size_t from, size_t to)
{
    if (from == to)
        return;
    lvl_buffer_add(m->out, m->file.ptr + from, to - from);
    if (m->file.ptr[to - 1] != '\n')
        lvl_writer_end_line(m->w, m->out);
}

static void put_line(const lvl_merge *m, const char *word)
{
    lvl_buffer_str(m->out, word);
    lvl_writer_end_line(m->w, m->out);
}

/* Appends the canonical form of what the head of part `b` is read as. */
static void put_old_head(const lvl_merge *m, uint32_t b, lvl_buffer *out)
{
    const lvl_part *old = &m->old->items[b];
    const lvl_field *list = lvl_rules_list(&m->w->rules, old);
    const lvl_table *table = list ? list->table : m->w->rules.table;

    if (lvl_merge_rule(m, old)->kind == LVL_RULE_FIRST) { /* its word */
        const lvl_text line = lvl_text_trim((lvl_text){m->file.ptr + old->head, old->body - old->head});
        lvl_buffer_add(out, line.ptr, line.len);
        lvl_writer_end_line(m->w, out);
        return;
    }
    void *record = lvl_arena_alloc(&m->w->arena, list ? list->item_size : table->struct_size);
    if (!record) {
        lvl_writer_fail(m->w, LVL_ERR_MEMORY);
        return;
    }
    if (table)
        lvl_record_init(record, table);
    lvl_writer_fail(m->w, lvl_reader_head(m->reader, old, record));
    lvl_writer_put_head(m->w, old, record, out);
}

/* Appends the head of part `a` with those words of the head of part `b` that have the same values. */
static void put_with_old_words(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *part = &m->now->items[a], *old = &m->old->items[b];
    lvl_buffer was = {0}, now = {0};

    put_old_head(m, b, &was);
    lvl_writer_put_head(m->w, part, lvl_rules_record(&m->w->rules, m->w->root, part), &now);
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

/* Appends the head of part `a`, spelled as part `b` (LVL_NO_PART: in its canonical form). */
static void put_head(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *part = &m->now->items[a];
    const bool grid = lvl_merge_rule(m, part)->kind == LVL_RULE_GRID;

    if (m->respell && !grid && b != LVL_NO_PART && !(m->old->items[b].flags & LVL_PART_DEFAULT))
        put_with_old_words(m, a, b);
    else
        lvl_writer_put_head(m->w, part, lvl_rules_record(&m->w->rules, m->w->root, part), m->out);
}

/* ---- parts of the source ------------------------------------------------------------------------- */

static bool is_block(const lvl_merge *m, const lvl_part *old)
{
    return old->place == LVL_PART_ALONE && lvl_merge_rule(m, old)->end;
}

/* Whether the line that ends a block is missing. */
static bool is_open(const lvl_merge *m, const lvl_part *old)
{
    return is_block(m, old) && old->close == old->end;
}

/* Whether a part that no part corresponds to stays, since it had no content before: a line whose members have
 * their defaults, a block without rows. */
static bool is_default_part(const lvl_merge *m, uint32_t b)
{
    const lvl_part *old = &m->old->items[b];

    return m->now_of[b] == LVL_NO_PART && old->flags & LVL_PART_DEFAULT && !is_open(m, old);
}

/* Whether the source of part `a` is not copied, since a repair writes it again. */
static bool is_rewritten(const lvl_merge *m, uint32_t a)
{
    return (m->now->items[a].flags & LVL_PART_ANEW) != 0;
}

static void put_removed_part(const lvl_merge *m, uint32_t b)
{
    const lvl_part *old = &m->old->items[b];

    if (is_default_part(m, b))
        copy_lines(m, old->head, old->end);
    else if (lvl_merge_rule(m, old)->kind == LVL_RULE_GRID && old->flags & LVL_PART_MORE)
        lvl_writer_fail(m->w, LVL_ERR_LOSS);
}

static void put_old_lines(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *old = &m->old->items[b];
    const bool line_of_rows = old->place == LVL_PART_BEGIN || old->place == LVL_PART_END;

    if (!is_rewritten(m, a) && (line_of_rows || lvl_merge_same_head(m, a, b)))
        copy_lines(m, old->head, old->body);
    else if (old->flags & LVL_PART_MORE)
        lvl_writer_fail(m->w, LVL_ERR_LOSS);
    else if (m->old_of[a] == b)
        put_head(m, a, is_rewritten(m, a) ? LVL_NO_PART : b);
}

static void put_old_body(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *now = &m->now->items[a], *old = &m->old->items[b];
    const bool more = (old->flags & LVL_PART_MORE_LINES) != 0;
    const bool last = b + 1 == m->old->count && a + 1 == m->now->count;

    if (lvl_merge_same_body(m, a, b) && (!is_rewritten(m, a) || more))
        copy_lines(m, old->body, old->close);
    else if (more)
        lvl_writer_fail(m->w, LVL_ERR_LOSS);
    else
        lvl_writer_put_body(m->w, now, m->out);
    if (!is_open(m, old) || (last && !is_rewritten(m, a)))
        copy_lines(m, old->close, old->end);
    else
        lvl_writer_put_close(m->w, now, m->out);
}

/* Part `b` of the source, as it is now. */
static void put_old_part(const lvl_merge *m, uint32_t b)
{
    const lvl_part *old = &m->old->items[b];
    const uint32_t a = m->now_of[b];

    if (a == LVL_NO_PART) {
        put_removed_part(m, b);
    } else if (old->flags & LVL_PART_REPLACED) {
        /* repair removes a block that is not read, and the errors in it */
        if (!is_rewritten(m, a) || !lvl_merge_rule(m, old)->end)
            copy_lines(m, old->head, old->end);
    } else {
        put_old_lines(m, a, b);
        if (is_block(m, old))
            put_old_body(m, a, b);
    }
}

/* ---- new parts ----------------------------------------------------------------------------------- */

/* Whether a new part is written: of lines that are always written only where missing lines are added; of
 * lines around rows if there are rows, and the source has no such block. */
static bool is_written(const lvl_merge *m, uint32_t a)
{
    const lvl_part *part = &m->now->items[a];
    const lvl_rule *rule = lvl_merge_rule(m, part);

    if (part->place == LVL_PART_BEGIN || part->place == LVL_PART_END) {
        const uint32_t rows = lvl_list_count(m->w->root, lvl_rules_form(&m->w->rules, part->rule)->list);
        return rows && lvl_merge_is_new(m, part->place == LVL_PART_BEGIN ? a : a - rows - 1);
    }
    return rule->kind != LVL_RULE_SINGLE || !(rule->flags & LVL_RULE_ALWAYS) || m->add_missing;
}

/* Whether lines of a rule have columns in their canonical form, as not all files have them. */
static bool has_columns(const lvl_merge *m, uint32_t rule)
{
    const lvl_line_form *line = &lvl_rules_form(&m->w->rules, rule)->line;
    bool any = m->w->rules.grammar->rules[rule].rows != NULL;

    for (unsigned i = 0; i < line->count; i++)
        any |= line->member[i].columns != 0;
    return any;
}

/* Whether new part `a` is spelled as part `b`: an item of the same list, whose lines may have columns. */
static bool is_spelled_as(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *part = &m->now->items[a];
    const lvl_field *list = lvl_rules_list(&m->w->rules, part);

    return list && b != LVL_NO_PART && lvl_rules_list(&m->w->rules, &m->old->items[b]) == list &&
           has_columns(m, part->rule);
}

/* The blank lines before new part `a`: those before part `b`, if it is of the same kind. */
static void put_blank_lines(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *part = &m->now->items[a], *old = b == LVL_NO_PART ? NULL : &m->old->items[b];
    const bool alike = old && old->place == part->place && old->rule == part->rule;

    if (alike && b && old[-1].place != LVL_PART_BEGIN && lvl_merge_is_blank(m, old->lead, old->head))
        copy_lines(m, old->lead, old->head);
    else if (part->flags & LVL_PART_APART)
        lvl_writer_end_line(m->w, m->out);
}

/* New parts from `from` up to `to`, spelled as part `like` of the source if they are of its kind. `apart`:
 * with the blank lines before them. */
static void put_new_parts(const lvl_merge *m, uint32_t from, uint32_t to, uint32_t like, bool apart)
{
    for (uint32_t a = from; a < to; a++) {
        if (!is_written(m, a))
            continue;
        if (apart)
            put_blank_lines(m, a, like);
        put_head(m, a, is_spelled_as(m, a, like) ? like : LVL_NO_PART);
        lvl_writer_put_body(m->w, &m->now->items[a], m->out);
        lvl_writer_put_close(m->w, &m->now->items[a], m->out);
    }
}

/* New parts from `from` on, up to those right before the next part that the source has. */
static void put_new_behind(const lvl_merge *m, uint32_t from, uint32_t like)
{
    uint32_t to = from;

    while (to < m->now->count && lvl_merge_is_new(m, to))
        to++;
    put_new_parts(m, from, to < m->now->count ? lvl_merge_first_before(m, to) : to, like, true);
}

/* The new parts right before part `a`: rows before the end of their block are like the row before them. */
static void put_new_before(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const bool end = m->old->items[b].place == LVL_PART_END;
    const uint32_t first = lvl_merge_first_before(m, a);
    const uint32_t like = !end ? b : first ? m->old_of[first - 1] : LVL_NO_PART;

    put_new_parts(m, first, a, like, end);
}

/* ---- the text ------------------------------------------------------------------------------------ */

/* The line that ends a block of rows, where it is missing after part `b` and is to be added; or NULL. */
static const char *missing_end(const lvl_merge *m, uint32_t b)
{
    const lvl_part *part = &m->old->items[b], *next = b + 1 < m->old->count ? part + 1 : NULL;
    const bool rows = part->place == LVL_PART_BEGIN || part->place == LVL_PART_ROW,
               goes_on = next && next->rule == part->rule && next->place >= LVL_PART_ROW;

    return m->add_missing && rows && !goes_on ? lvl_merge_rule(m, part)->end : NULL;
}

void lvl_merge_put(lvl_merge *m)
{
    const lvl_text file = m->file;
    const size_t mark = file.len - lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len}).len;
    const char *end = NULL;
    size_t after = mark;

    lvl_buffer_add(m->out, file.ptr, mark);
    put_new_behind(m, 0, LVL_NO_PART);
    for (uint32_t b = 0; b < m->old->count && m->out->status == LVL_OK; b++) {
        const lvl_part *part = &m->old->items[b];
        const uint32_t a = m->now_of[b];
        const bool placed = a != LVL_NO_PART && m->old_of[a] == b;
        if (a != LVL_NO_PART || is_default_part(m, b) || !lvl_merge_is_blank(m, part->lead, part->head))
            copy_lines(m, part->lead, part->head);
        if (end)
            put_line(m, end);
        if (placed)
            put_new_before(m, a, b);
        put_old_part(m, b);
        if (placed)
            put_new_behind(m, a + 1, b);
        end = missing_end(m, b);
        after = part->end;
    }
    copy_lines(m, after, file.len);
    if (end)
        put_line(m, end);
}
