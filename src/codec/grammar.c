/*
 * codec/grammar.c: reads a text by the rules of its grammar. First the text is cut into parts, then lists
 * are taken at their size and filled. Parts stay in doc->state, so that the writer can copy them.
 */
#include "codec/grammar.h"

#include "base/text.h"
#include "base/work.h"

#include <stdlib.h>

typedef struct reader {
    const lvl_grammar *grammar;
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    lvl_lines_text text;
    lvl_words_room room;
    lvl_rule_forms forms;
    lvl_text_part_list parts;
    uint32_t rows;            /* the rule whose block is open; LVL_RULES: none */
    uint32_t other;           /* the rule of lines that no other rule takes; LVL_RULES: none */
    bool first;               /* no line but blank ones came yet */
    uint32_t last[LVL_RULES]; /* the last part of a SINGLE, plus 1 */
} reader;

/* ---- rules --------------------------------------------------------------------------------------- */

/* The table of the record that the rule's members are in. */
static const lvl_table *table_of(const lvl_rule_forms *forms, uint32_t rule)
{
    const lvl_rule *r = &forms->grammar->rules[rule];

    return r->kind == LVL_RULE_ITEM || r->kind == LVL_RULE_ROWS ? lvl_table_at(forms->table, r->list)->table
                                                                : forms->table;
}

const lvl_line_form *lvl_rule_form(lvl_rule_forms *forms, uint32_t rule)
{
    if (!forms->ready[rule]) {
        lvl_line_form_of(forms->grammar->rules[rule].words, table_of(forms, rule), &forms->form[rule]);
        forms->ready[rule] = true;
    }
    return &forms->form[rule];
}

unsigned lvl_rule_body(const lvl_rule_forms *forms, uint32_t rule, const lvl_field *out[LVL_MEMBERS])
{
    const lvl_table *table = table_of(forms, rule);
    unsigned count = 0;

    for (const char *p = forms->grammar->rules[rule].body; p && *p && count < LVL_MEMBERS; count++) {
        const size_t len = strcspn(p, " ");
        out[count] = lvl_table_find(table, (lvl_text){p, len});
        p += len + strspn(p + len, " ");
    }
    return count;
}

void *lvl_rule_record(const lvl_rule_forms *forms, void *root, const lvl_text_part *part)
{
    const lvl_rule *r = &forms->grammar->rules[part->rule];

    if (part->kind != LVL_PART_OTHER && r->kind != LVL_RULE_ITEM && part->kind != LVL_PART_ROW)
        return root;
    const lvl_field *list = lvl_table_at(forms->table, r->list);
    return (void *)(uintptr_t)lvl_list_item(root, list, part->index);
}

/* ---- parts --------------------------------------------------------------------------------------- */

void lvl_text_part_list_init(lvl_text_part_list *list)
{
    list->items = list->few;
    list->count = 0;
    list->cap = LVL_COUNT_OF(list->few);
}

void lvl_text_part_list_free(lvl_text_part_list *list)
{
    if (list->items != list->few)
        free(list->items);
    lvl_text_part_list_init(list);
}

lvl_status lvl_text_part_list_add(lvl_text_part_list *list, const lvl_text_part *part, const lvl_ctx *ctx)
{
    const uint64_t items = ctx ? lvl_limits_of(ctx).items : UINT32_MAX;
    const uint64_t most = items < UINT32_MAX ? items : UINT32_MAX;

    if (list->count >= most)
        return lvl_refuse(ctx, LVL_LIMIT_ITEMS, most, (uint64_t)list->count + 1);
    if (list->count == list->cap) {
        const bool inside = list->items == list->few;
        const uint32_t cap = list->cap > UINT32_MAX / 2 ? UINT32_MAX : list->cap * 2;
        lvl_text_part *more = realloc(inside ? NULL : list->items, (size_t)cap * sizeof *more);
        if (!more)
            return LVL_ERR_MEMORY;
        if (inside)
            memcpy(more, list->few, sizeof list->few);
        list->items = more;
        list->cap = cap;
    }
    list->items[list->count++] = *part;
    return LVL_OK;
}

/* ---- findings ------------------------------------------------------------------------------------ */

static lvl_where where_of(const reader *r, const lvl_text_part *part)
{
    const lvl_rule *rule = &r->grammar->rules[part->rule];
    const bool item =
        part->kind == LVL_PART_ROW || part->kind == LVL_PART_OTHER || rule->kind == LVL_RULE_ITEM;

    return item ? lvl_where_to(lvl_where_root(), lvl_table_at(r->forms.table, rule->list), part->index)
                : lvl_where_root();
}

static void report(const reader *r, lvl_line_problem problem, const lvl_text_part *part, lvl_text at,
                   const char *what)
{
    const lvl_finding_def *def = r->grammar->findings[problem];
    char shown[80];

    if (!r->findings || !def)
        return;
    const lvl_where where = part ? where_of(r, part) : lvl_where_root();
    const lvl_position pos = {
        .bit = (uint64_t)(at.ptr - r->text.ptr) * 8, .bits = (uint64_t)at.len * 8, .known = true};
    lvl_text_show(shown, sizeof shown, r->doc->codepage, at);
    lvl_findings_add(r->findings, def, where.depth ? &where : NULL, &pos, "%s%s%s", what, at.len ? ": " : "",
                     shown);
}

static lvl_text line_of(const reader *r, const lvl_text_part *part)
{
    return lvl_line_at(&r->text, r->text.ptr + part->head).text;
}

static void report_words(const reader *r, const lvl_text_part *part, unsigned problems)
{
    const lvl_text line = line_of(r, part);

    if (problems & LVL_WORDS_NUMBER)
        report(r, LVL_LINE_NUMBER, part, line, "expected a number in this line");
    if (problems & LVL_WORDS_NAME)
        report(r, LVL_LINE_NAME, part, line, "a name in this line is not known");
    if (problems & LVL_WORDS_MORE)
        report(r, LVL_LINE_WORDS, part, line, "expected fewer words in this line");
    if (problems & LVL_WORDS_QUOTE)
        report(r, LVL_LINE_QUOTE, part, line, "expected a quote at the end of a name");
}

/* ---- which rule a line is of --------------------------------------------------------------------- */

/* Whether the line is that word, but for blanks behind it. */
static bool is_word(lvl_text line, const char *word)
{
    return lvl_line_has_word(line, word) &&
           !lvl_text_trim((lvl_text){line.ptr + strlen(word), line.len - strlen(word)}).len;
}

static bool is_first(const lvl_rule *rule, lvl_text line)
{
    return line.len >= strlen(rule->word) &&
           memcmp(line.ptr, rule->word, strcspn(rule->word, "0123456789")) == 0;
}

static lvl_text behind_word(const lvl_rule *rule, lvl_text line)
{
    const size_t len = rule->word ? strlen(rule->word) : 0;

    return (lvl_text){line.ptr + len, line.len - len};
}

/* The rule of a line outside of blocks of rows; LVL_RULES: none. *near_miss: a command, but its words do
 * not do. */
static uint32_t rule_of(reader *r, lvl_text line, bool *near_miss)
{
    *near_miss = false;
    for (uint32_t k = 0; k < r->grammar->rule_count; k++) {
        const lvl_rule *rule = &r->grammar->rules[k];
        if (!rule->word)
            continue;
        if (rule->kind == LVL_RULE_FIRST) {
            if (r->first && is_first(rule, line))
                return k;
            continue;
        }
        if (!lvl_line_has_word(line, rule->word))
            continue;
        const lvl_text rest = behind_word(rule, line);
        if (rule->kind == LVL_RULE_ROWS
                ? !lvl_text_trim(rest).len
                : lvl_line_fits(lvl_rule_form(&r->forms, k), rest, rule->flags & LVL_RULE_STRICT))
            return k;
        *near_miss = true;
    }
    return LVL_RULES;
}

static void find_end(const reader *r, const char *word, lvl_text_part *part)
{
    lvl_line_view line;

    for (const char *p = r->text.ptr + part->body; p < r->text.end; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if (*p != *word || !is_word(line.text, word))
            continue;
        part->close = (size_t)(p - r->text.ptr);
        part->end = (size_t)(line.next - r->text.ptr);
        return;
    }
    part->closed = false;
    part->close = part->end = (size_t)(r->text.end - r->text.ptr);
}

/* A line inside of a block of rows; false if it ends the block without being its end. */
static bool take_row(reader *r, lvl_text line, lvl_text_part *part)
{
    const lvl_rule *rule = &r->grammar->rules[r->rows];
    const bool is_list = memchr(line.ptr, '"', line.len) || memchr(line.ptr, ',', line.len);
    bool near_miss;

    part->rule = (uint8_t)r->rows;
    part->kind = LVL_PART_ROW;
    if (rule->end && is_word(line, rule->end)) {
        part->kind = LVL_PART_END;
        r->rows = LVL_RULES;
    } else if (rule->end && !is_list && rule_of(r, line, &near_miss) != LVL_RULES) {
        report(r, LVL_LINE_OPEN, NULL, line, "expected the end of the block before this line");
        r->rows = LVL_RULES;
        return false;
    }
    return true;
}

/* False: the line belongs to no part. */
static bool take_line(reader *r, lvl_text line, lvl_text_part *part)
{
    bool near_miss;

    if (r->rows != LVL_RULES && take_row(r, line, part))
        return true;
    const uint32_t k = rule_of(r, line, &near_miss);
    if (k == LVL_RULES) {
        part->rule = (uint8_t)r->other;
        part->kind = LVL_PART_OTHER;
        return r->other != LVL_RULES;
    }
    const lvl_rule *rule = &r->grammar->rules[k];
    part->rule = (uint8_t)k;
    part->kind = rule->kind == LVL_RULE_ROWS ? LVL_PART_BEGIN : LVL_PART_BLOCK;
    if (rule->kind == LVL_RULE_ROWS)
        r->rows = k;
    else if (rule->end)
        find_end(r, rule->end, part);
    return true;
}

static lvl_status find_parts(reader *r, const char *from)
{
    size_t lead = 0;

    for (const char *p = from; p < r->text.end;) {
        const lvl_line_view line = lvl_line_at(&r->text, p);
        const size_t next = (size_t)(line.next - r->text.ptr);
        lvl_text_part part = {.lead = lead,
                              .head = (size_t)(p - r->text.ptr),
                              .body = next,
                              .close = next,
                              .end = next,
                              .closed = true};
        p = line.next;
        if (!lvl_text_trim(line.text).len || !take_line(r, line.text, &part))
            continue;
        r->first = false;
        const lvl_status status = lvl_text_part_list_add(&r->parts, &part, r->doc->ctx);
        if (status != LVL_OK)
            return status;
        if (r->grammar->rules[part.rule].kind == LVL_RULE_SINGLE && part.kind == LVL_PART_BLOCK) {
            if (r->last[part.rule])
                r->parts.items[r->last[part.rule] - 1].twice = true;
            r->last[part.rule] = r->parts.count;
        }
        lead = part.end;
        p = r->text.ptr + part.end;
    }
    if (r->rows != LVL_RULES && r->grammar->rules[r->rows].end)
        report(r, LVL_LINE_OPEN, NULL, (lvl_text){r->text.end, 0},
               "expected the end of the block before the end of the file");
    return LVL_OK;
}

/* Gives each part its place in a list, and takes memory for the lists. */
static lvl_status make_lists(reader *r)
{
    uint32_t counts[LVL_RULES] = {0}; /* by the first rule that has the list */
    uint32_t owner[LVL_RULES];
    const lvl_grammar *g = r->grammar;

    for (uint32_t k = 0; k < g->rule_count; k++) {
        for (owner[k] = 0; owner[k] < k && g->rules[owner[k]].list != g->rules[k].list;)
            owner[k]++;
    }
    for (uint32_t i = 0; i < r->parts.count; i++) {
        lvl_text_part *part = &r->parts.items[i];
        if (part->twice && r->other != LVL_RULES) {
            report(r, LVL_LINE_TWICE, NULL, line_of(r, part), "a later line counts instead of");
            part->kind = LVL_PART_OTHER;
            part->rule = (uint8_t)r->other;
        }
        const lvl_rule_kind kind = g->rules[part->rule].kind;
        if (kind == LVL_RULE_ITEM || part->kind == LVL_PART_ROW || part->kind == LVL_PART_OTHER)
            part->index = counts[owner[part->rule]]++;
    }
    for (uint32_t k = 0; k < g->rule_count; k++) {
        if (!counts[k])
            continue;
        const lvl_field *list = lvl_table_at(r->forms.table, g->rules[k].list);
        uint8_t *root = r->doc->root, *items = lvl_arena_array(&r->doc->arena, counts[k], list->item_size);
        if (!items)
            return LVL_ERR_MEMORY;
        memcpy(root + list->offset, &items, sizeof items);
        memcpy(root + list->count_offset, &counts[k], sizeof counts[k]);
    }
    return LVL_OK;
}

/* ---- spans --------------------------------------------------------------------------------------- */

static void span(const reader *r, lvl_span_role role, lvl_where where, const char *from, const char *to,
                 const lvl_field *field, uint32_t index, const char *note)
{
    const lvl_span s = {.bit = (uint64_t)(from - r->text.ptr) * 8,
                        .bits = (uint64_t)(to - from) * 8,
                        .role = role,
                        .where = field ? lvl_where_to(where, field, index) : where,
                        .field = role == LVL_SPAN_CONTAINER ? NULL : field,
                        .note = note};

    if (to > from)
        r->sink->span(r->sink, &s);
}

static void emit_list(const reader *r, lvl_where where, const lvl_field *field, const char *from,
                      const char *to)
{
    const lvl_text text = {from, (size_t)(to - from)};
    lvl_list_item_view item;
    size_t at = 0, begin = 0;
    uint32_t i = 0;

    for (uint32_t n = 0; lvl_list_next(text, &at, &item); n++)
        i = n;
    at = 0;
    for (uint32_t n = 0; lvl_list_next(text, &at, &item); begin = at, n++)
        span(r, LVL_SPAN_FIELD, where, from + begin, n == i ? to : from + at, field, n, NULL);
}

/* The words of a line: `found` is each member's. The keyword, blanks and the line end hold them together. */
static void emit_line(const reader *r, const lvl_text_part *part, const lvl_line_form *form,
                      const lvl_text *found)
{
    const char *at = r->text.ptr + part->head, *end = r->text.ptr + part->body;
    const char *note = r->grammar->rules[part->rule].word;
    const lvl_where where = where_of(r, part);
    const lvl_field *before = NULL;

    if (form->list) {
        emit_list(r, where, form->member[0].field, at, end);
        return;
    }
    for (unsigned i = 0; i < form->count; i++) {
        const lvl_field *field = form->member[i].field;
        if (form->member[i].form == LVL_WORD_SWITCH && form->count == 1) {
            span(r, LVL_SPAN_FIELD, where, at, end, field, LVL_NO_INDEX, NULL);
            return;
        }
        if (!found[i].ptr)
            continue;
        span(r, LVL_SPAN_CONTAINER, where, at, found[i].ptr, before, LVL_NO_INDEX, note);
        at = found[i].ptr + found[i].len;
        span(r, LVL_SPAN_FIELD, where, found[i].ptr, at, field, LVL_NO_INDEX, NULL);
        before = field;
        note = "blank";
    }
    span(r, LVL_SPAN_CONTAINER, where, at, end, before, LVL_NO_INDEX, "line end");
}

static void emit_body(const reader *r, const lvl_text_part *part, const lvl_field *const *body,
                      unsigned count)
{
    const char *at = r->text.ptr + part->body, *close = r->text.ptr + part->close;
    const lvl_where where = where_of(r, part);

    for (unsigned i = 0; i < count && at < close; i++) {
        const char *next = count == 1 ? close : lvl_line_at(&r->text, at).next;
        span(r, LVL_SPAN_FIELD, where, at, next, body[i], LVL_NO_INDEX, NULL);
        at = next;
    }
    span(r, LVL_SPAN_SPELLING, where, at, close, NULL, LVL_NO_INDEX, "further lines");
    span(r, LVL_SPAN_CONTAINER, where, close, r->text.ptr + part->end, count ? body[count - 1] : NULL,
         LVL_NO_INDEX, r->grammar->rules[part->rule].end);
}

static void emit_between(const reader *r, size_t from, size_t to)
{
    span(r, LVL_SPAN_SPELLING, lvl_where_root(), r->text.ptr + from, r->text.ptr + to, NULL, LVL_NO_INDEX,
         "lines that are no command");
}

/* ---- filling ------------------------------------------------------------------------------------- */

/* The lines of a body, joined by LF. */
static lvl_status read_lines(const reader *r, const char *from, const char *to, lvl_text *out)
{
    char *copy = NULL;

    *out = (lvl_text){from, (size_t)(to - from)};
    if (r->text.crlf && from < to) {
        copy = lvl_arena_raw(&r->doc->arena, out->len);
        if (!copy)
            return LVL_ERR_MEMORY;
        *out = (lvl_text){copy, 0};
        for (lvl_line_view line; from < to; from = line.next) {
            line = lvl_line_at(&(lvl_lines_text){from, to, true}, from);
            memcpy(copy + out->len, line.text.ptr, line.text.len);
            out->len += line.text.len;
            if (line.next[-1] == '\n')
                copy[out->len++] = '\n';
        }
    }
    out->len -= out->len && out->ptr[out->len - 1] == '\n';
    return LVL_OK;
}

static lvl_status read_body(const reader *r, const lvl_text_part *part, void *record)
{
    const char *at = r->text.ptr + part->body, *close = r->text.ptr + part->close;
    const lvl_field *body[LVL_MEMBERS];
    const unsigned count = lvl_rule_body(&r->forms, part->rule, body);
    lvl_status status = LVL_OK;
    unsigned problems = 0;

    if (r->sink)
        emit_body(r, part, body, count);
    if (!part->closed)
        report(r, LVL_LINE_OPEN, part, line_of(r, part),
               "expected the line that ends this block before the end of the file");
    if (count == 1 && body[0]->kind == LVL_LIST) {
        status = lvl_list_read(&r->room, (lvl_text){at, (size_t)(close - at)}, record, body[0], &problems);
        report_words(r, part, problems);
        return status;
    }
    for (unsigned i = 0; i < count && at < close && status == LVL_OK; i++) {
        const char *next = count == 1 ? close : lvl_line_at(&r->text, at).next;
        status = read_lines(r, at, next, (lvl_text *)(void *)((uint8_t *)record + body[i]->offset));
        at = next;
    }
    if (at < close && status == LVL_OK)
        report(r, LVL_LINE_BODY, part, line_of(r, part), "expected fewer lines in this block");
    return status;
}

static lvl_status fill_line(reader *r, lvl_text_part *part)
{
    const lvl_rule *rule = &r->grammar->rules[part->rule];
    const lvl_line_form *form = lvl_rule_form(&r->forms, part->rule);
    void *record = lvl_rule_record(&r->forms, r->doc->root, part);
    lvl_text found[LVL_MEMBERS], line = line_of(r, part);
    unsigned problems;

    if (record != r->doc->root)
        lvl_record_init(record, form->table);
    if (part->kind == LVL_PART_BLOCK)
        line = behind_word(rule, line);
    const lvl_status status = lvl_line_read(form, &r->room, line, record, &problems, found);
    if (status != LVL_OK)
        return status;
    part->more = (problems & LVL_WORDS_MORE) != 0;
    if (problems)
        report_words(r, part, problems);
    if (r->sink)
        emit_line(r, part, form, found);
    return rule->end && part->kind == LVL_PART_BLOCK ? read_body(r, part, record) : LVL_OK;
}

/* A line that no rule takes. */
static void report_other(reader *r, const lvl_text_part *part, lvl_text line)
{
    bool near_miss, end = false;

    rule_of(r, line, &near_miss);
    for (uint32_t k = 0; k < r->grammar->rule_count; k++)
        end |= r->grammar->rules[k].end && is_word(line, r->grammar->rules[k].end);
    if (end)
        report(r, LVL_LINE_END, part, line, "expected a block that this line ends");
    else if (near_miss)
        report(r, LVL_LINE_INCOMPLETE, part, line, "expected other words in this line");
    else if (*line.ptr == '"')
        report(r, LVL_LINE_OUTSIDE, part, line, "expected this row inside of its block");
    else
        report(r, LVL_LINE_UNKNOWN, part, line, "expected a command that is known");
}

/* Lines between parts, where the grammar has no list for them. */
static void report_between(reader *r, size_t from, size_t to)
{
    lvl_line_view line;

    for (const char *p = r->text.ptr + from; p < r->text.ptr + to; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if (lvl_text_trim(line.text).len)
            report_other(r, NULL, line.text);
    }
}

static lvl_status fill_part(reader *r, lvl_text_part *part)
{
    const lvl_rule *rule = &r->grammar->rules[part->rule];
    const char *head = r->text.ptr + part->head, *end = r->text.ptr + part->end;

    if (part->kind == LVL_PART_OTHER) {
        const lvl_text line = line_of(r, part);
        *(lvl_text *)lvl_rule_record(&r->forms, r->doc->root, part) = line;
        if (r->sink)
            span(r, LVL_SPAN_FIELD, lvl_where_root(), head, end, lvl_table_at(r->forms.table, rule->list),
                 part->index, NULL);
        if (!part->twice && r->findings)
            report_other(r, part, line);
        return LVL_OK;
    }
    if (part->kind != LVL_PART_ROW && (part->kind != LVL_PART_BLOCK || rule->kind == LVL_RULE_FIRST)) {
        if (r->sink)
            span(r, LVL_SPAN_CONTAINER, lvl_where_root(), head, end, NULL, LVL_NO_INDEX,
                 part->kind == LVL_PART_END ? rule->end : rule->word);
        return LVL_OK;
    }
    return fill_line(r, part);
}

static lvl_status fill(reader *r)
{
    lvl_status status = LVL_OK;
    size_t after = 0;

    for (uint32_t i = 0; i < r->parts.count && status == LVL_OK; i++) {
        lvl_text_part *part = &r->parts.items[i];
        if (r->sink)
            emit_between(r, part->lead, part->head);
        if (r->findings && r->other == LVL_RULES)
            report_between(r, part->lead, part->head);
        status = fill_part(r, part);
        after = part->end;
    }
    const size_t end = (size_t)(r->text.end - r->text.ptr);
    if (r->sink)
        emit_between(r, after, end);
    if (r->findings && r->other == LVL_RULES)
        report_between(r, after, end);
    return status;
}

/* ---- the text ------------------------------------------------------------------------------------ */

bool lvl_lines_are_crlf(lvl_text text)
{
    const char *p = text.ptr, *end = p + text.len, *nl = text.len ? memchr(p, '\n', text.len) : NULL;
    bool others = false;

    if (!nl)
        return false;
    const bool first = nl > p && nl[-1] == '\r';
    /* in nearly all files the second line ends as the first does */
    for (p = nl + 1; p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL; p = nl + 1) {
        if ((nl > p && nl[-1] == '\r') == first)
            return first;
        others = true;
    }
    return others ? !first : first;
}

/* The parts stay with the document. */
static lvl_status keep_parts(reader *r)
{
    lvl_text_parts *parts = lvl_arena_raw(&r->doc->arena, sizeof *parts);
    lvl_text_part *items = lvl_arena_copy(&r->doc->arena, r->parts.items, r->parts.count * sizeof *items);

    if (!parts || !items)
        return LVL_ERR_MEMORY;
    *parts = (lvl_text_parts){r->grammar, items, r->parts.count};
    r->doc->state = parts;
    return LVL_OK;
}

lvl_status lvl_grammar_read(const lvl_grammar *grammar, lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_text file = {(const char *)doc->input.ptr, doc->input.len};
    uint8_t *root = doc->root;
    reader r;

    if (!file.len)
        return LVL_OK;
    r.grammar = r.forms.grammar = grammar;
    r.forms.table = doc->format->table;
    memset(r.forms.ready, 0, sizeof r.forms.ready);
    memset(r.last, 0, sizeof r.last);
    r.doc = doc;
    r.sink = sink;
    r.findings = findings;
    r.text = (lvl_lines_text){file.ptr, file.ptr + file.len, lvl_lines_are_crlf(file)};
    r.rows = r.other = LVL_RULES;
    r.first = true;
    r.room = (lvl_words_room){&doc->arena, lvl_limits_of(doc->ctx).items};
    for (uint32_t k = 0; k < grammar->rule_count; k++) {
        if (grammar->rules[k].kind == LVL_RULE_OTHER)
            r.other = k;
        if (grammar->rules[k].kind == LVL_RULE_ROWS && !grammar->rules[k].word)
            r.rows = k;
    }
    lvl_text_part_list_init(&r.parts);
    memcpy(root + grammar->source, &file, sizeof file);
    root[grammar->line_end] = r.text.crlf;
    const bool mark = file.len >= 3 && memcmp(file.ptr, "\xEF\xBB\xBF", 3) == 0;
    lvl_status status = find_parts(&r, file.ptr + (mark ? 3 : 0));
    if (status == LVL_OK)
        status = make_lists(&r);
    if (status == LVL_OK)
        status = fill(&r);
    if (status == LVL_OK)
        status = keep_parts(&r);
    lvl_text_part_list_free(&r.parts);
    return status;
}

bool lvl_grammar_has(const lvl_doc *doc, uint32_t rule)
{
    const lvl_text_parts *parts = doc->state;

    for (uint32_t i = 0; parts && i < parts->count; i++) {
        if (parts->items[i].rule == rule)
            return true;
    }
    return false;
}
