/*
 * lines/read.c: reads a text by the rules of its grammar, line by line. Of one that is read for an edit, the
 * list of lines stays in doc->state, so that the writer can copy them.
 */
#include "lines/reader.h"

#include "base/record.h"
#include "base/text.h"

#include <stdlib.h>

/* ---- lines of no rule ------------------------------------------------------------------------------ */

/* Whether a line looks like a row of a block. */
static bool is_row(const lvl_grammar *grammar, lvl_text line)
{
    bool any = *line.ptr == '"';

    for (uint32_t k = 0; k < grammar->rule_count; k++)
        any |= grammar->rules[k].rows && grammar->rules[k].rows->is_row(line);
    return any;
}

/* A line that matches no rule; `at`: of the list of such lines, or NULL. */
static void report_other(lvl_line_reader *r, const lvl_line *at, lvl_text line)
{
    const lvl_grammar *grammar = r->rules.grammar;
    bool end = false;

    if (!r->findings || lvl_line_is_comment(grammar, line))
        return;
    const lvl_line_problem why = lvl_rules_match(&r->rules, line).why;
    for (uint32_t k = 0; k < grammar->rule_count; k++)
        end |= grammar->rules[k].end && lvl_line_ends_block(grammar, grammar->rules[k].end, line);
    if (end)
        lvl_reader_report_line(r, LVL_LINE_END, at, line,
                               "this line ends a block that does not begin: its first line may be damaged");
    else if (why == LVL_LINE_INCOMPLETE)
        lvl_reader_report_line(r, why, at, line,
                               "the words of this line do not fit its command: games skip it");
    else if (why == LVL_LINE_SECOND)
        lvl_reader_report_line(r, why, at, line, "a second block: games read only the first");
    else if (is_row(grammar, line))
        lvl_reader_report_line(r, LVL_LINE_OUTSIDE, at, line,
                               "this row is outside of its block: games ignore it");
    else
        lvl_reader_report_line(r, LVL_LINE_UNKNOWN, at, line, "a command that is not known: games skip it");
}

static bool is_blank_line(lvl_text line)
{
    return !line.len || (*line.ptr <= ' ' && !lvl_text_trim(line).len);
}

/* Reports and emits the lines since the last one of a rule. */
static void pass_lead(lvl_line_reader *r, const char *to)
{
    lvl_line_view line;

    for (const char *p = r->lead; r->findings && p < to; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if (is_blank_line(line.text))
            continue;
        if (r->other == LVL_RULES || r->rules.grammar->rules[r->other].words)
            report_other(r, NULL, line.text);
        else if (!lvl_line_is_comment(r->rules.grammar, line.text))
            lvl_reader_report(r, LVL_LINE_BETWEEN, NULL, line.text, "expected a line of this block");
    }
    if (r->sink) {
        const lvl_where root = lvl_where_root();
        lvl_reader_emit(r, LVL_SPAN_SPELLING, &root, NULL, LVL_NO_INDEX, to, "lines that are not commands");
    }
}

/* ---- bodies -------------------------------------------------------------------------------------- */

/* The lines of a body, joined by LF. */
static lvl_status read_lines(lvl_line_reader *r, const char *from, const char *to, lvl_text *out)
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

/* Commands in a body, which may mean that the line that ends it is missing. */
static void report_inside(lvl_line_reader *r, const lvl_line *body)
{
    const char *close = r->text.ptr + body->end;
    lvl_line_view line;

    for (const char *p = r->text.ptr + body->at; p < close; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if (lvl_rules_match_inside(&r->rules, line.text))
            lvl_reader_report_line(
                r, LVL_LINE_INSIDE, body, line.text,
                "a line of this text is a whole command: an end line may be missing before it");
    }
}

/* The members of a body: one that has all lines, or one for each. */
static lvl_status read_members(lvl_line_reader *r, const lvl_line *head, lvl_line *body, uint8_t *record)
{
    const lvl_line_form *form = &lvl_rules_form(&r->rules, body->rule)->body;
    const char *at = r->text.ptr + body->at, *close = r->text.ptr + body->end;
    const lvl_where where = lvl_rules_where(&r->rules, body);
    lvl_status status = LVL_OK;

    for (unsigned i = 0; i < form->count && at < close && status == LVL_OK; i++) {
        const char *next = form->count == 1 ? close : lvl_line_at(&r->text, at).next;
        const lvl_field *field = form->member[i].field;
        unsigned problems = 0;
        if (field->kind == LVL_LIST)
            status = lvl_list_read(&r->store, (lvl_text){at, (size_t)(next - at)}, record, field, &problems);
        else
            status = read_lines(r, at, next, (lvl_text *)(void *)(record + field->offset));
        if (problems)
            body->marks |= LVL_MARK_MISREAD;
        lvl_reader_report_words(r, &where, lvl_reader_line(r, head), problems);
        lvl_reader_emit(r, LVL_SPAN_FIELD, &where, field, LVL_NO_INDEX, next, NULL);
        at = next;
    }
    if (at < close && status == LVL_OK) {
        body->marks |= LVL_MARK_MORE;
        lvl_reader_report_line(r, LVL_LINE_BODY, body, lvl_reader_line(r, head),
                               "expected fewer lines in this block");
    }
    lvl_reader_emit(r, LVL_SPAN_SPELLING, &where, NULL, LVL_NO_INDEX, close, "further lines");
    return status;
}

/* ---- lines of a rule ------------------------------------------------------------------------------- */

/* The words of a line that are members. */
static inline lvl_status read_words(lvl_line_reader *r, const lvl_line_form *form, const lvl_line *line,
                                    void *record, unsigned *problems, lvl_text found[LVL_MEMBERS])
{
    lvl_text words = lvl_reader_line(r, line);

    if (line->place != LVL_PLACE_ROW)
        words = lvl_rules_words(&r->rules, line->rule, words);
    return lvl_line_read(form, &r->store, words, record, problems, found);
}

/* A line whose words are members. */
static lvl_status read_command(lvl_line_reader *r, const lvl_rule_form *form, lvl_line *line, void *record)
{
    lvl_text found[LVL_MEMBERS];
    unsigned problems;

    const lvl_status status = read_words(r, &form->line, line, record, &problems, found);
    if (status != LVL_OK || !(problems || r->sink))
        return status;
    const lvl_where where = lvl_rules_where(&r->rules, line);
    if (problems & LVL_WORDS_MORE)
        line->marks |= LVL_MARK_MORE;
    if (problems & (LVL_WORDS_NUMBER | LVL_WORDS_NAME))
        line->marks |= LVL_MARK_MISREAD;
    lvl_reader_report_words(r, &where, lvl_reader_line(r, line), problems);
    lvl_reader_emit_line(r, &where, &form->line, found, r->text.ptr + line->end,
                         r->rules.grammar->rules[line->rule].word);
    return LVL_OK;
}

/* The first line of a file, or one that begins or ends a block of rows. */
static void read_fixed_line(lvl_line_reader *r, lvl_line *line)
{
    const lvl_rule *rule = &r->rules.grammar->rules[line->rule];
    const lvl_text text = lvl_text_trim(lvl_reader_line(r, line));
    const char *word = line->place == LVL_PLACE_END ? rule->end : rule->word, *p = text.ptr;

    if (rule->kind == LVL_RULE_FIRST) {
        const char *name = lvl_rules_first_line(&r->rules, line->rule, r->doc->root);
        if (text.len > strlen(name ? name : word))
            line->marks |= LVL_MARK_MORE;
    }
    if (!r->sink)
        return;
    const lvl_where root = lvl_where_root();
    while (rule->words && p < text.ptr + text.len && !lvl_is_blank(*p))
        p++;
    if (rule->kind == LVL_RULE_FIRST && rule->words)
        lvl_reader_emit(r, LVL_SPAN_FIELD, &root, lvl_rules_form(&r->rules, line->rule)->line.member[0].field,
                        LVL_NO_INDEX, p, NULL);
    lvl_reader_emit(r, LVL_SPAN_CONTAINER, &root, NULL, LVL_NO_INDEX, r->text.ptr + line->end, word);
}

static lvl_status read_row(lvl_line_reader *r, lvl_line *line, void *item)
{
    bool more = false;
    const lvl_row_reader row = {.text = {r->text.ptr + line->at, r->text.ptr + line->end, r->text.crlf},
                                .kind = line->row,
                                .store = r->store,
                                .where = lvl_rules_where(&r->rules, line),
                                .shows = r->sink != NULL,
                                .reader = r,
                                .more = &more};
    const lvl_status status = r->rules.grammar->rules[line->rule].rows->read(&row, item);

    if (more)
        line->marks |= LVL_MARK_MORE;
    return status;
}

static void read_other(lvl_line_reader *r, const lvl_line *line, void *item)
{
    const lvl_text text = lvl_reader_line(r, line);

    memcpy(item, &text, sizeof text);
    if (r->sink) {
        const lvl_where root = lvl_where_root();
        lvl_reader_emit(r, LVL_SPAN_FIELD, &root, lvl_rules_form(&r->rules, line->rule)->list, line->item,
                        r->text.ptr + line->end, NULL);
    }
    report_other(r, line, text);
}

/* A line of a rule whose last line counts: the one before it is replaced. */
static void replace_single(lvl_line_reader *r, const lvl_line *line)
{
    lvl_text *const text = &r->single[line->rule];
    const uint32_t last = r->rules.last[line->rule];

    if (last) {
        const uint32_t after = lvl_line_after(&r->list, last - 1);
        for (uint32_t i = last - 1; i < after; i++)
            r->list.lines[i].marks |= LVL_MARK_REPLACED;
    }
    if (last)
        lvl_reader_report(r, LVL_LINE_TWICE, NULL, *text, "a later line counts instead of");
    *text = lvl_reader_line(r, line);
}

/* Reads a line of a rule, and adds it to the list. */
static lvl_status add_line(lvl_line_reader *r, lvl_line *line)
{
    const lvl_rule *rule = &r->rules.grammar->rules[line->rule];
    const lvl_rule_form *form = lvl_rules_form(&r->rules, line->rule);
    lvl_status status = LVL_OK;
    void *record = r->doc->root;

    line->lead = (size_t)(r->lead - r->text.ptr);
    if (line->lead < line->at)
        pass_lead(r, r->text.ptr + line->at);
    if (rule->kind == LVL_RULE_SINGLE)
        replace_single(r, line);
    r->rules.any = true;
    r->rules.last[line->rule] = r->list.count + 1;
    const lvl_field *list = rule->kind == LVL_RULE_GRID ? NULL : lvl_rules_list(&r->rules, line);
    if (list)
        record = lvl_rules_add_item(form, r->doc, &line->item);
    if (!record)
        return LVL_ERR_MEMORY;
    if (rule->kind == LVL_RULE_OTHER && !rule->words)
        read_other(r, line, record);
    else if (rule->kind == LVL_RULE_GRID)
        status = lvl_reader_grid_line(r, line);
    else if (line->place == LVL_PLACE_ROW && rule->rows)
        status = read_row(r, line, record);
    else if (line->place == LVL_PLACE_ROW || list || rule->kind == LVL_RULE_SINGLE)
        status = read_command(r, form, line, record);
    else
        read_fixed_line(r, line);
    r->lead = r->text.ptr + line->end;
    return status == LVL_OK ? lvl_line_list_add(&r->list, r->doc->ctx, line) : status;
}

static lvl_line line_from(const lvl_line_reader *r, const char *from, const char *to)
{
    return (lvl_line){.at = (size_t)(from - r->text.ptr), .end = (size_t)(to - r->text.ptr)};
}

/* The line that ends a body which begins at `p`; the end of the text: it is missing. */
static lvl_line_view find_end(const lvl_line_reader *r, const char *word, const char *p)
{
    const lvl_grammar *grammar = r->rules.grammar;
    lvl_line_view line;

    for (; p < r->text.end; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if ((*p == *word || grammar->lenient) && lvl_line_ends_block(grammar, word, line.text))
            return line;
    }
    return (lvl_line_view){{r->text.end, 0}, r->text.end};
}

/* Reads the body of a line, and the line that ends it. */
static lvl_status read_body(lvl_line_reader *r, const lvl_line *head, const char **at)
{
    const lvl_rule *rule = &r->rules.grammar->rules[head->rule];
    const lvl_line_form *form = &lvl_rules_form(&r->rules, head->rule)->body;
    const lvl_field *last = form->count ? form->member[form->count - 1].field : NULL;
    const lvl_line_view end = find_end(r, rule->end, *at);
    const lvl_where where = lvl_rules_where(&r->rules, head);
    lvl_line body = *head, close;

    body.place = LVL_PLACE_BODY;
    body.marks = 0;
    body.lead = body.at = head->end;
    body.end = (size_t)(end.text.ptr - r->text.ptr);
    close = body;
    close.place = LVL_PLACE_END;
    close.lead = close.at = body.end;
    close.end = (size_t)(end.next - r->text.ptr);
    if (close.at == close.end)
        lvl_reader_report_line(
            r, LVL_LINE_OPEN, head, lvl_reader_line(r, head),
            "this block is not ended: the file may be cut off, and what followed is missing");
    lvl_status status = read_members(r, head, &body, lvl_rules_record(&r->rules, r->doc->root, head));
    lvl_reader_emit(r, LVL_SPAN_CONTAINER, &where, last, LVL_NO_INDEX, end.next, rule->end);
    if (r->findings && r->rules.grammar->findings[LVL_LINE_INSIDE])
        report_inside(r, &body);
    if (status == LVL_OK)
        status = lvl_line_list_add(&r->list, r->doc->ctx, &body);
    if (status == LVL_OK && close.at < close.end)
        status = lvl_line_list_add(&r->list, r->doc->ctx, &close);
    *at = r->lead = end.next;
    return status;
}

void lvl_row_found(lvl_row_finder *finder, const char *from, const char *to, uint32_t kind)
{
    lvl_line line = line_from(finder->reader, from, to);

    line.rule = finder->rule;
    line.place = LVL_PLACE_ROW;
    line.row = kind;
    if (finder->status == LVL_OK)
        finder->status = add_line(finder->reader, &line);
}

static void report_open_rows(lvl_line_reader *r)
{
    lvl_reader_report(r, LVL_LINE_OPEN, NULL, (lvl_text){r->text.end, 0},
                      "this block is not ended: the file may be cut off, and what followed is missing");
}

/* Rows of several lines, and the line that ends their block. */
static lvl_status read_rows(lvl_line_reader *r, uint8_t rule, const char **at)
{
    lvl_row_finder finder = {.text = r->text, .root = r->doc->root, .reader = r, .rule = rule};
    const char *end = r->rules.grammar->rules[rule].rows->find(&finder, *at);

    *at = end;
    if (finder.status != LVL_OK)
        return finder.status;
    if (end == r->text.end) {
        report_open_rows(r);
        return LVL_OK;
    }
    *at = lvl_line_at(&r->text, end).next;
    lvl_line line = line_from(r, end, *at);
    line.rule = rule;
    line.place = LVL_PLACE_END;
    return add_line(r, &line);
}

/* ---- finding lines ------------------------------------------------------------------------------- */

/* A line in a block of one-line rows; false: the block has ended before it. */
static bool match_row(lvl_line_reader *r, lvl_text text, lvl_line *line)
{
    const lvl_rule *rule = &r->rules.grammar->rules[r->block];
    const bool is_list = memchr(text.ptr, '"', text.len) || memchr(text.ptr, ',', text.len);

    line->rule = (uint8_t)r->block;
    line->place = LVL_PLACE_ROW;
    if (rule->end && lvl_line_is_word(text, rule->end)) {
        line->place = LVL_PLACE_END;
        r->block = LVL_RULES;
    } else if (rule->end && !is_list && lvl_rules_match(&r->rules, text).rule != LVL_RULES) {
        lvl_reader_report(r, LVL_LINE_OPEN, NULL, text,
                          "the block is not ended before this line, so this line may be lost");
        r->block = LVL_RULES;
        return false;
    }
    return true;
}

/* Finds the rule of a line; false: it has none. */
static bool match_line(lvl_line_reader *r, lvl_text text, lvl_line *line)
{
    if (is_blank_line(text))
        return false;
    if (r->block != LVL_RULES && match_row(r, text, line))
        return true;
    line->place = LVL_PLACE_LINE;
    const uint32_t k = lvl_rules_match(&r->rules, text).rule;
    line->rule = (uint8_t)(k == LVL_RULES ? r->other : k);
    if (k == LVL_RULES)
        return r->other != LVL_RULES &&
               lvl_line_fits(&lvl_rules_form(&r->rules, r->other)->line, text, false) &&
               !(r->rules.grammar->lenient && lvl_line_is_comment(r->rules.grammar, text));
    const lvl_rule *rule = &r->rules.grammar->rules[k];
    if (rule->kind == LVL_RULE_ROWS)
        line->place = LVL_PLACE_BEGIN;
    if (rule->kind == LVL_RULE_ROWS && !rule->rows)
        r->block = k;
    return true;
}

/* Reads the line at *at, which moves after it and its body. */
static lvl_status read_next(lvl_line_reader *r, const char **at)
{
    const lvl_line_view view = lvl_line_at(&r->text, *at);
    lvl_line line = line_from(r, *at, view.next);

    *at = view.next;
    if (!match_line(r, view.text, &line))
        return LVL_OK;
    const lvl_rule *rule = &r->rules.grammar->rules[line.rule];
    lvl_status status = add_line(r, &line);
    if (status == LVL_OK && line.place == LVL_PLACE_LINE && rule->end)
        status = read_body(r, &line, at);
    else if (status == LVL_OK && line.place == LVL_PLACE_BEGIN && rule->rows)
        status = read_rows(r, line.rule, at);
    return status;
}

/* Fast path: rows of a grid in their usual spelling. */
static lvl_status read_grid_rows(lvl_line_reader *r, const char **at)
{
    lvl_status status = LVL_OK;

    for (bool more = true; more && status == LVL_OK;) {
        const char *from = *at;
        lvl_line line = {0};
        status = lvl_reader_grid_row(r, at, &line);
        more = *at != from;
        if (more && status == LVL_OK) {
            pass_lead(r, from);
            line.lead = (size_t)(r->lead - r->text.ptr);
            line.at = (size_t)(from - r->text.ptr);
            line.end = (size_t)(*at - r->text.ptr);
            r->lead = *at;
            status = lvl_line_list_add(&r->list, r->doc->ctx, &line);
        }
    }
    return status;
}

static lvl_status read_text(lvl_line_reader *r)
{
    const char *from = lvl_lines_of_file(r->doc->input).ptr, *p = from;
    const lvl_where root = lvl_where_root();
    lvl_status status = LVL_OK;

    lvl_reader_emit(r, LVL_SPAN_SPELLING, &root, NULL, LVL_NO_INDEX, from, "byte order mark");
    r->lead = from;
    while (p < r->text.end && status == LVL_OK) {
        if (r->grid != LVL_RULES && r->rules.any && !r->sink)
            status = read_grid_rows(r, &p);
        if (p < r->text.end && status == LVL_OK)
            status = read_next(r, &p);
    }
    if (status != LVL_OK)
        return status;
    pass_lead(r, r->text.end);
    if (r->block != LVL_RULES && r->rules.grammar->rules[r->block].end)
        report_open_rows(r);
    return LVL_OK;
}

static void open_reader(lvl_line_reader *r, lvl_doc *doc, lvl_text file)
{
    const lvl_grammar *grammar = doc->format->calls->grammar(doc);

    lvl_rules_init(&r->rules, grammar, doc->format->table);
    r->doc = doc;
    r->sink = NULL;
    r->findings = NULL;
    r->text = (lvl_lines_text){file.ptr, file.ptr + file.len, lvl_lines_are_crlf(file)};
    r->store = (lvl_line_store){&doc->arena, lvl_limits_of(doc->ctx).items};
    r->lead = r->shown = file.ptr;
    r->block = r->other = r->grid = LVL_RULES;
    r->next_row = 0;
    r->board = NULL;
    for (uint32_t k = 0; k < grammar->rule_count; k++) {
        if (grammar->rules[k].kind == LVL_RULE_OTHER)
            r->other = k;
        if (grammar->rules[k].kind == LVL_RULE_GRID)
            r->grid = k;
        if (grammar->rules[k].kind == LVL_RULE_ROWS && !grammar->rules[k].word)
            r->block = k;
    }
    if (r->grid != LVL_RULES)
        memset(r->grid_of, 0, sizeof r->grid_of);
    r->list = (lvl_line_list){.grammar = grammar, .most = r->store.items};
}

void lvl_reader_open(lvl_line_reader *r, lvl_doc *doc, lvl_text file, lvl_arena *arena)
{
    open_reader(r, doc, file);
    r->store.arena = arena;
}

lvl_status lvl_reader_again(lvl_line_reader *r, const lvl_line *line, void *record)
{
    const lvl_rule *rule = &r->rules.grammar->rules[line->rule];
    lvl_text found[LVL_MEMBERS];
    lvl_line again = *line;
    unsigned problems;

    if (line->place == LVL_PLACE_ROW && rule->rows)
        return read_row(r, &again, record);
    if (rule->kind != LVL_RULE_OTHER || rule->words)
        return read_words(r, &lvl_rules_form(&r->rules, line->rule)->line, line, record, &problems, found);
    read_other(r, line, record);
    return LVL_OK;
}

/* Keeps the lines with the document. */
static lvl_status keep_lines(lvl_doc *doc, const lvl_line_list *from)
{
    lvl_line_list *list = lvl_arena_copy(&doc->arena, from, sizeof *from);

    if (!list)
        return LVL_ERR_MEMORY;
    list->lines = lvl_arena_copy(&doc->arena, from->lines, from->count * sizeof *from->lines);
    doc->state = list;
    return list->lines ? LVL_OK : LVL_ERR_MEMORY;
}

/* Whether the last line has no line end and is not an end line of a block: the file may be cut off in it. All
 * programs end a file with a line end, or with an end line. */
static bool is_broken_off(const lvl_line_reader *r)
{
    const lvl_grammar *grammar = r->rules.grammar;
    const char *from = r->text.end;

    while (from > r->text.ptr && from[-1] != '\n' && from[-1] != '\r')
        from--;
    const lvl_text last = lvl_text_trim((lvl_text){from, (size_t)(r->text.end - from)});
    for (uint32_t i = 0; i < grammar->rule_count && last.len; i++) {
        if (grammar->rules[i].end && lvl_line_ends_block(grammar, grammar->rules[i].end, last))
            return false;
    }
    return last.len > 0 && !grammar->by_hand;
}

bool lvl_grammar_has_end(const lvl_grammar *grammar, const char *word, lvl_bytes file)
{
    const lvl_text lines = lvl_lines_of_file(file);
    const lvl_lines_text text = {lines.ptr, lines.ptr + lines.len, false};
    lvl_line_view line = {{NULL, 0}, text.ptr};

    while (line.next < text.end) {
        line = lvl_line_at(&text, line.next);
        if (lvl_line_ends_block(grammar, word, line.text))
            return true;
    }
    return false;
}

lvl_status lvl_grammar_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_text file = {(const char *)doc->input.ptr, doc->input.len};
    uint8_t *root = doc->root;
    lvl_line_reader r;

    if (!file.len)
        return LVL_OK;
    open_reader(&r, doc, file);
    r.sink = sink;
    r.findings = findings;
    memcpy(root + r.rules.grammar->source, &file, sizeof file);
    root[r.rules.grammar->line_end] = r.text.crlf;
    if (is_broken_off(&r))
        lvl_doc_report_cut(
            doc, findings,
            "the last line has no line end: the file may be cut off in it, and what followed is missing");
    lvl_status status = read_text(&r);
    if (status == LVL_OK && doc->edit)
        status = keep_lines(doc, &r.list);
    free(r.list.lines);
    return status;
}

/* ---- what readers of rows use -------------------------------------------------------------------- */

void lvl_row_report(const lvl_row_reader *row, lvl_line_problem problem, const lvl_where *where,
                    lvl_text line, const char *what)
{
    lvl_reader_report(row->reader, problem, where, line, what);
}

void lvl_row_emit(const lvl_row_reader *row, lvl_span_role role, const lvl_where *where, const char *to,
                  const char *note)
{
    lvl_reader_emit(row->reader, role, where, NULL, LVL_NO_INDEX, to, note);
}

lvl_status lvl_row_line(const lvl_row_reader *row, const lvl_line_form *form, const lvl_where *where,
                        const lvl_line_view *line, lvl_text words, void *record)
{
    lvl_text found[LVL_MEMBERS];
    unsigned problems;
    const lvl_status status = lvl_line_read(form, &row->store, words, record, &problems, found);

    if (status != LVL_OK)
        return status;
    *row->more |= (problems & LVL_WORDS_MORE) != 0;
    lvl_reader_report_words(row->reader, where, line->text, problems);
    lvl_reader_emit_line(row->reader, where, form, found, line->next, "keyword");
    return LVL_OK;
}

void lvl_row_other(const lvl_row_reader *row, const lvl_where *where, const lvl_line_view *line)
{
    const bool blank = !lvl_text_trim(line->text).len;

    *row->more |= !blank;
    lvl_row_emit(row, LVL_SPAN_SPELLING, where, line->next, "a line that is not a command");
    if (!blank && !lvl_line_is_comment(row->reader->rules.grammar, line->text))
        lvl_row_report(row, LVL_LINE_BETWEEN, where, line->text, "expected a line of this block");
}
