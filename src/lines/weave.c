/*
 * lines/weave.c: puts a document into its source. The lines of the source are gone through: one whose
 * content has the hash that it was read with is copied; a changed one is written with the words of the
 * source that still have the same values; a removed one is left out. What is between lines of rules is
 * copied. Text that no member has is never dropped: then weaving fails with LVL_ERR_LOSS.
 *
 * New lines follow the line that precedes them in the document. Three kinds do not, and are put right before
 * the next line that the source has: rows before the end of their block; items before the next one of their
 * list, if the source has that elsewhere; and lines that begin a section, after blank lines in front of it.
 *
 * In all of this `a` is the number of a line of the document, `b` of one of the source.
 */
#include "lines/writer.h"

#include "base/buffer.h"
#include "base/record.h"

static const lvl_line *now_line(const lvl_weave *m, uint32_t a)
{
    return &m->w->list.lines[a];
}

static const lvl_rule *rule_of(const lvl_weave *m, const lvl_line *line)
{
    return &m->w->rules.grammar->rules[line->rule];
}

static bool is_new(const lvl_weave *m, uint32_t a)
{
    return m->pairs.old_of[a] == LVL_NO_LINE;
}

static bool is_blank(const lvl_weave *m, size_t from, size_t to)
{
    while (from < to && memchr(" \t\r\n", m->file.ptr[from], 4))
        from++;
    return from >= to;
}

/* Whether a line ends a body; or a block of rows. */
static bool ends_body(const lvl_weave *m, const lvl_line *line)
{
    return line->place == LVL_PLACE_END && rule_of(m, line)->kind != LVL_RULE_ROWS;
}

static bool is_end_of_rows(const lvl_weave *m, const lvl_line *line)
{
    return line->place == LVL_PLACE_END && rule_of(m, line)->kind == LVL_RULE_ROWS;
}

/* ---- text ---------------------------------------------------------------------------------------- */

/* Appends lines of the source; the last one gets a line end. */
static void copy_lines(const lvl_weave *m, size_t from, size_t to)
{
    if (from == to)
        return;
    lvl_buffer_add(m->out, m->file.ptr + from, to - from);
    if (m->file.ptr[to - 1] != '\n')
        lvl_writer_end_line(m->w, m->out);
}

static void put_plain(const lvl_weave *m, uint32_t a, lvl_buffer *out)
{
    const lvl_line *line = now_line(m, a);

    lvl_writer_put_line(m->w, line, lvl_rules_record(&m->w->rules, m->w->root, line), out);
}

/* Appends what line `b` is read as, by the rules alone. */
static void put_as_read(const lvl_weave *m, uint32_t b, lvl_buffer *out)
{
    const lvl_line *old = &m->old->lines[b];
    const lvl_field *list = lvl_rules_list(&m->w->rules, old);
    const lvl_table *table = list ? list->table : m->w->rules.table;

    if (rule_of(m, old)->kind == LVL_RULE_FIRST) { /* its word */
        const lvl_text line = lvl_text_trim((lvl_text){m->file.ptr + old->at, old->end - old->at});
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
    lvl_writer_fail(m->w, lvl_reader_again(m->reader, old, record));
    lvl_writer_put_line(m->w, old, record, out);
}

/* Appends line `a` with those words of line `b` that have the same values. */
static void put_with_old_words(const lvl_weave *m, uint32_t a, uint32_t b)
{
    const lvl_line *old = &m->old->lines[b];
    lvl_buffer was = {0}, now = {0};

    put_as_read(m, b, &was);
    put_plain(m, a, &now);
    lvl_writer_fail(m->w, was.status != LVL_OK ? was.status : now.status);
    if (m->w->status == LVL_OK)
        lvl_words_patch((lvl_text){m->file.ptr + old->at, old->end - old->at},
                        (lvl_text){(const char *)was.data, was.len},
                        (lvl_text){(const char *)now.data, now.len}, m->out);
    if (m->out->status == LVL_OK && m->out->len && m->out->data[m->out->len - 1] != '\n')
        lvl_writer_end_line(m->w, m->out);
    lvl_buffer_free(&was);
    lvl_buffer_free(&now);
}

/* Appends line `a`, spelled as line `b` (LVL_NO_LINE: by the rules alone). */
static void put_line(const lvl_weave *m, uint32_t a, uint32_t b)
{
    const lvl_line *line = now_line(m, a);
    const bool words = line->place != LVL_PLACE_BODY && rule_of(m, line)->kind != LVL_RULE_GRID;

    if (m->respell && words && b != LVL_NO_LINE && !(m->old->lines[b].marks & LVL_MARK_DEFAULT))
        put_with_old_words(m, a, b);
    else
        put_plain(m, a, m->out);
}

/* ---- lines of the source ------------------------------------------------------------------------- */

/* Whether the line that ends the body of line `b` is missing. */
static bool is_open(const lvl_weave *m, uint32_t b)
{
    const uint32_t head = lvl_line_head(m->old, b), after = lvl_line_after(m->old, head);

    return after > head + 1 && m->old->lines[after - 1].place != LVL_PLACE_END;
}

/* Whether a line that nothing corresponds to stays, since it had no content before: its members have their
 * defaults, or it is of a block without rows. */
static bool stays(const lvl_weave *m, uint32_t b)
{
    return m->pairs.now_of[b] == LVL_NO_LINE && m->old->lines[b].marks & LVL_MARK_DEFAULT && !is_open(m, b);
}

/* Whether the source of line `a` is not copied, since a repair writes it again. */
static bool is_anew(const lvl_weave *m, uint32_t a)
{
    return (now_line(m, a)->marks & LVL_MARK_ANEW) != 0;
}

/* Whether line `b` is copied for line `a`. */
static bool is_copied(const lvl_weave *m, uint32_t a, uint32_t b)
{
    const lvl_line *old = &m->old->lines[b];

    if (old->marks & LVL_MARK_REPLACED)
        return true;
    if (ends_body(m, old))
        return old->rule == now_line(m, a)->rule;
    if (old->place == LVL_PLACE_BODY && old->marks & LVL_MARK_MORE)
        return lvl_line_same(now_line(m, a), old);
    return !is_anew(m, a) &&
           (old->place == LVL_PLACE_BEGIN || is_end_of_rows(m, old) || lvl_line_same(now_line(m, a), old));
}

/* Line `b` of the source, as it is now. */
static void put_old_line(const lvl_weave *m, uint32_t b)
{
    const lvl_line *old = &m->old->lines[b];
    const uint32_t a = m->pairs.now_of[b];

    if (a == LVL_NO_LINE) {
        if (stays(m, b))
            copy_lines(m, old->at, old->end);
        else if (rule_of(m, old)->kind == LVL_RULE_GRID && old->marks & LVL_MARK_MORE)
            lvl_writer_fail(m->w, LVL_ERR_LOSS);
    } else if (old->marks & LVL_MARK_REPLACED && is_anew(m, a) && rule_of(m, old)->end) {
        return; /* repair removes a block that is not read, and the errors in it */
    } else if (is_copied(m, a, b)) {
        copy_lines(m, old->at, old->end);
    } else if (old->marks & LVL_MARK_MORE ||
               (old->place == LVL_PLACE_BODY && old->marks & LVL_MARK_MISREAD && !is_anew(m, a))) {
        lvl_writer_fail(m->w,
                        LVL_ERR_LOSS); /* words of a body are not paired: those that are no numbers, too */
    } else if (m->pairs.old_of[a] == b) {
        put_line(m, a, is_anew(m, a) ? LVL_NO_LINE : b);
    }
}

/* ---- places of new lines ------------------------------------------------------------------------- */

/* The place in the source after the line that precedes the new lines before line `a`. */
static uint32_t place_behind(const lvl_weave *m, uint32_t a)
{
    while (a && is_new(m, a - 1))
        a--;
    return a ? m->pairs.old_of[a - 1] + 1 : 0;
}

/* The new items before an item of the same list. */
static uint32_t first_item(const lvl_weave *m, uint32_t a)
{
    const lvl_field *list = lvl_rules_list(&m->w->rules, now_line(m, a));

    while (a && is_new(m, a - 1) && lvl_rules_list(&m->w->rules, now_line(m, a - 1)) == list)
        a--;
    return a;
}

/* The new rows before the line that ends their block. */
static uint32_t first_row(const lvl_weave *m, uint32_t a)
{
    while (a && is_new(m, a - 1) && now_line(m, a - 1)->place == LVL_PLACE_ROW)
        a--;
    return a;
}

/* The first new line at the start of the section of line `a`; `a` if other lines of the section precede
 * them. */
static uint32_t first_of_section(const lvl_weave *m, uint32_t a, unsigned section)
{
    uint32_t first = a;

    while (first && is_new(m, first - 1) && rule_of(m, now_line(m, first - 1))->section == section)
        first--;
    if (first && rule_of(m, now_line(m, first - 1))->section == section)
        return a;
    return m->pairs.old_of[a] == place_behind(m, first) ? first : a;
}

/* Of the new lines in front of line `a`, which the source has, the first one that goes right before it, and
 * not after the line that precedes it in the document; `a`: none. */
static uint32_t first_before(const lvl_weave *m, uint32_t a)
{
    if (!a || !is_new(m, a - 1))
        return a;

    const lvl_line *now = now_line(m, a), *old = &m->old->lines[m->pairs.old_of[a]];
    const lvl_rule *rule = rule_of(m, now);
    if (lvl_rules_list(&m->w->rules, now) && m->pairs.old_of[a] < place_behind(m, a))
        return first_item(m, a);
    if (is_end_of_rows(m, now))
        return rule->rows ? a : first_row(m, a);
    const bool blank_before = old->lead < old->at && is_blank(m, old->lead, old->at);
    return now->place == LVL_PLACE_LINE && rule->section && blank_before
               ? first_of_section(m, a, rule->section)
               : a;
}

/* ---- new lines ----------------------------------------------------------------------------------- */

/* Whether a new line is written, of those up to `to`: of lines that are always written only where missing
 * lines are added; of lines around rows if there are rows, and the source has no such block; the missing end
 * of a body, which the source ends in, if another line follows it. */
static bool is_written(const lvl_weave *m, uint32_t a, uint32_t to)
{
    const lvl_line *line = now_line(m, a);
    const lvl_rule *rule = rule_of(m, line);

    if (line->place == LVL_PLACE_BEGIN || is_end_of_rows(m, line)) {
        const uint32_t rows = lvl_list_count(m->w->root, lvl_rules_form(&m->w->rules, line->rule)->list);
        return rows && is_new(m, line->place == LVL_PLACE_BEGIN ? a : a - rows - 1);
    }
    if (ends_body(m, line) && !is_new(m, a - 1)) {
        bool followed = is_anew(m, a);
        for (uint32_t k = a + 1; k < to && !followed; k++)
            followed = is_written(m, k, to);
        return followed;
    }
    return rule->kind != LVL_RULE_SINGLE || !(rule->flags & LVL_RULE_ALWAYS) || m->add_missing;
}

/* Whether new line `a` is spelled as line `b`: an item of the same list, whose lines have columns by the
 * rules, as not all files have them. */
static bool is_spelled_as(const lvl_weave *m, uint32_t a, uint32_t b)
{
    const lvl_line *line = now_line(m, a);
    const lvl_field *list = lvl_rules_list(&m->w->rules, line);
    const lvl_line_form *form = &lvl_rules_form(&m->w->rules, line->rule)->line;
    const bool item = line->place == LVL_PLACE_LINE || line->place == LVL_PLACE_ROW;
    bool columns = rule_of(m, line)->rows != NULL;

    for (unsigned i = 0; i < form->count; i++)
        columns |= form->member[i].columns != 0;
    return columns && item && list && b != LVL_NO_LINE &&
           lvl_rules_list(&m->w->rules, &m->old->lines[b]) == list;
}

/* The blank lines before new line `a`: those before line `b`, if it is of the same kind. */
static void put_blank_lines(const lvl_weave *m, uint32_t a, uint32_t b)
{
    const lvl_line *line = now_line(m, a), *old = b == LVL_NO_LINE ? NULL : &m->old->lines[b];
    const bool alike = old && old->place == line->place && old->rule == line->rule;

    if (alike && b && old[-1].place != LVL_PLACE_BEGIN && is_blank(m, old->lead, old->at))
        copy_lines(m, old->lead, old->at);
    else if (line->marks & LVL_MARK_APART)
        lvl_writer_end_line(m->w, m->out);
}

/* New lines from `from` up to `to`, spelled as line `like` of the source if they are of its kind. `apart`:
 * with the blank lines before them. */
static void put_new_lines(const lvl_weave *m, uint32_t from, uint32_t to, uint32_t like, bool apart)
{
    const uint32_t b = like == LVL_NO_LINE ? like : lvl_line_head(m->old, like);

    for (uint32_t a = from; a < to; a++) {
        if (!is_written(m, a, to))
            continue;
        if (apart)
            put_blank_lines(m, a, b);
        put_line(m, a, is_spelled_as(m, a, b) ? b : LVL_NO_LINE);
    }
}

/* New lines from `from` on, up to those right before the next line that the source has. */
static void put_new_behind(const lvl_weave *m, uint32_t from, uint32_t like)
{
    uint32_t to = from;

    while (to < m->w->list.count && is_new(m, to))
        to++;
    put_new_lines(m, from, to < m->w->list.count ? first_before(m, to) : to, like, true);
}

/* The new lines right before line `a`: rows before the end of their block are like the row before them. */
static void put_new_before(const lvl_weave *m, uint32_t a, uint32_t b)
{
    const bool end = is_end_of_rows(m, &m->old->lines[b]);
    const uint32_t first = first_before(m, a);
    const uint32_t like = !end ? b : first ? m->pairs.old_of[first - 1] : LVL_NO_LINE;

    put_new_lines(m, first, a, like, end);
}

/* ---- the text ------------------------------------------------------------------------------------ */

/* The line that ends a block of rows, where it is missing after line `b` and is to be added; or NULL. */
static const char *missing_end(const lvl_weave *m, uint32_t b)
{
    const lvl_line *line = &m->old->lines[b], *next = b + 1 < m->old->count ? line + 1 : NULL;
    const bool rows = line->place == LVL_PLACE_BEGIN || line->place == LVL_PLACE_ROW,
               goes_on = next && next->rule == line->rule && next->place >= LVL_PLACE_ROW;

    return m->add_missing && rows && !goes_on ? rule_of(m, line)->end : NULL;
}

void lvl_weave_put(lvl_weave *m)
{
    const lvl_text file = m->file;
    const char *end = NULL;
    size_t after = file.len - lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len}).len;

    lvl_buffer_add(m->out, file.ptr, after); /* a byte order mark */
    put_new_behind(m, 0, LVL_NO_LINE);
    for (uint32_t b = 0; b < m->old->count && m->out->status == LVL_OK; b++) {
        const lvl_line *line = &m->old->lines[b];
        const uint32_t a = m->pairs.now_of[b];
        const bool placed = a != LVL_NO_LINE && m->pairs.old_of[a] == b;
        if (a != LVL_NO_LINE || stays(m, b) || !is_blank(m, line->lead, line->at))
            copy_lines(m, line->lead, line->at);
        if (end)
            lvl_writer_put_word(m->w, end, m->out);
        if (placed)
            put_new_before(m, a, b);
        put_old_line(m, b);
        if (placed)
            put_new_behind(m, a + 1, b);
        end = missing_end(m, b);
        after = line->end;
    }
    copy_lines(m, after, file.len);
    if (end)
        lvl_writer_put_word(m->w, end, m->out);
}
