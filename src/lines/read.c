/*
 * lines/read.c: reads a text by the rules of its grammar, line by line. Of one that is read for an
 * edit, the parts stay in doc->state, so that the writer can copy them.
 */
#include "lines/list.h"

#include "base/record.h"
#include "base/text.h"

#include <stdlib.h>

/* ---- lines that are not parts ---------------------------------------------------------------------- */

/* Whether a line looks like a row of a block. */
static bool is_row(const lvl_grammar *grammar, lvl_text line)
{
    bool any = *line.ptr == '"';

    for (uint32_t k = 0; k < grammar->rule_count; k++)
        any |= grammar->rules[k].rows && grammar->rules[k].rows->is_row(line);
    return any;
}

/* A line that matches no rule; `part`: of the list of such lines, or NULL. */
static void report_other(lvl_line_reader *r, const lvl_part *part, lvl_text line)
{
    const lvl_grammar *grammar = r->rules.grammar;
    bool end = false;

    if (!r->findings || lvl_line_is_comment(grammar, line))
        return;
    const lvl_line_problem why = lvl_rules_match(&r->rules, line).why;
    for (uint32_t k = 0; k < grammar->rule_count; k++)
        end |= grammar->rules[k].end && lvl_line_ends_block(grammar, grammar->rules[k].end, line);
    if (end)
        lvl_reader_report_part(r, LVL_LINE_END, part, line,
                               "this line ends a block that does not begin: its first line may be damaged");
    else if (why == LVL_LINE_INCOMPLETE)
        lvl_reader_report_part(r, why, part, line,
                               "the words of this line do not fit its command: games skip it");
    else if (why == LVL_LINE_SECOND)
        lvl_reader_report_part(r, why, part, line, "a second block: games read only the first");
    else if (is_row(grammar, line))
        lvl_reader_report_part(r, LVL_LINE_OUTSIDE, part, line,
                               "this row is outside of its block: games ignore it");
    else
        lvl_reader_report_part(r, LVL_LINE_UNKNOWN, part, line, "a command that is not known: games skip it");
}

static bool is_blank_line(lvl_text line)
{
    return !line.len || (*line.ptr <= ' ' && !lvl_text_trim(line).len);
}

/* Reports and emits the lines since the last part. */
static void pass_lead(lvl_line_reader *r, const char *to)
{
    lvl_line_view line;

    for (const char *p = r->lead; r->findings && p < to; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if (is_blank_line(line.text))
            continue;
        if (r->other == LVL_RULES)
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
static void report_inside(lvl_line_reader *r, const lvl_part *part)
{
    const char *close = r->text.ptr + part->close;
    lvl_line_view line;

    for (const char *p = r->text.ptr + part->body; p < close; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if (lvl_rules_match_inside(&r->rules, line.text))
            lvl_reader_report_part(
                r, LVL_LINE_INSIDE, part, line.text,
                "a line of this text is a whole command: an end line may be missing before it");
    }
}

static lvl_status read_body(lvl_line_reader *r, lvl_part *part, uint8_t *record, const lvl_where *where)
{
    const lvl_line_form *body = &lvl_rules_form(&r->rules, part->rule)->body;
    const char *at = r->text.ptr + part->body, *close = r->text.ptr + part->close;
    const lvl_field *field = NULL;
    lvl_status status = LVL_OK;

    if (part->close == part->end)
        lvl_reader_report_part(
            r, LVL_LINE_OPEN, part, lvl_reader_line(r, part),
            "this block is not ended: the file may be cut off, and what followed is missing");
    for (unsigned i = 0; i < body->count && at < close && status == LVL_OK; i++) {
        const char *next = body->count == 1 ? close : lvl_line_at(&r->text, at).next;
        unsigned problems = 0;
        field = body->member[i].field;
        if (field->kind == LVL_LIST)
            status = lvl_list_read(&r->store, (lvl_text){at, (size_t)(next - at)}, record, field, &problems);
        else
            status = read_lines(r, at, next, (lvl_text *)(void *)(record + field->offset));
        lvl_reader_report_words(r, where, lvl_reader_line(r, part), problems);
        lvl_reader_emit(r, LVL_SPAN_FIELD, where, field, LVL_NO_INDEX, next, NULL);
        at = next;
    }
    if (at < close && status == LVL_OK) {
        part->flags |= LVL_PART_MORE_LINES;
        lvl_reader_report_part(r, LVL_LINE_BODY, part, lvl_reader_line(r, part),
                               "expected fewer lines in this block");
    }
    lvl_reader_emit(r, LVL_SPAN_SPELLING, where, NULL, LVL_NO_INDEX, close, "further lines");
    field = body->count ? body->member[body->count - 1].field : NULL;
    lvl_reader_emit(r, LVL_SPAN_CONTAINER, where, field, LVL_NO_INDEX, r->text.ptr + part->end,
                    r->rules.grammar->rules[part->rule].end);
    if (r->findings && r->rules.grammar->findings[LVL_LINE_INSIDE])
        report_inside(r, part);
    return status;
}

/* ---- parts --------------------------------------------------------------------------------------- */

/* The words of a line that are members. */
static inline lvl_status read_words(lvl_line_reader *r, const lvl_line_form *form, const lvl_part *part,
                                    void *record, unsigned *problems, lvl_text found[LVL_MEMBERS])
{
    lvl_text words = lvl_reader_line(r, part);

    if (part->keyword)
        words = (lvl_text){words.ptr + part->keyword, words.len - part->keyword};
    else if (part->place != LVL_PART_ROW)
        words = lvl_rules_words(&r->rules, part->rule, words);
    return lvl_line_read(form, &r->store, words, record, problems, found);
}

/* A line whose words are members, and its body. */
static lvl_status read_command(lvl_line_reader *r, const lvl_rule_form *form, lvl_part *part, void *record)
{
    const lvl_rule *rule = &r->rules.grammar->rules[part->rule];
    const bool body = rule->end && part->place == LVL_PART_ALONE;
    lvl_text found[LVL_MEMBERS];
    unsigned problems;

    const lvl_status status = read_words(r, &form->line, part, record, &problems, found);
    if (status != LVL_OK || !(problems || body || r->sink))
        return status;
    const lvl_where where = lvl_rules_where(&r->rules, part);
    if (problems & LVL_WORDS_MORE)
        part->flags |= LVL_PART_MORE;
    if (problems & (LVL_WORDS_NUMBER | LVL_WORDS_NAME))
        part->flags |= LVL_PART_MISREAD;
    lvl_reader_report_words(r, &where, lvl_reader_line(r, part), problems);
    lvl_reader_emit_line(r, &where, &form->line, found, r->text.ptr + part->body, rule->word);
    return body ? read_body(r, part, record, &where) : LVL_OK;
}

/* The first line of a file, or one that begins or ends a block of rows. */
static void read_fixed_line(lvl_line_reader *r, lvl_part *part)
{
    const lvl_rule *rule = &r->rules.grammar->rules[part->rule];
    const lvl_text line = lvl_text_trim(lvl_reader_line(r, part));
    const char *word = part->place == LVL_PART_END ? rule->end : rule->word, *p = line.ptr;

    if (rule->kind == LVL_RULE_FIRST) {
        const char *name = lvl_rules_first_line(&r->rules, part->rule, r->doc->root);
        if (line.len > strlen(name ? name : word))
            part->flags |= LVL_PART_MORE;
    }
    if (!r->sink)
        return;
    const lvl_where root = lvl_where_root();
    while (rule->words && p < line.ptr + line.len && !lvl_is_blank(*p))
        p++;
    if (rule->kind == LVL_RULE_FIRST && rule->words)
        lvl_reader_emit(r, LVL_SPAN_FIELD, &root, lvl_rules_form(&r->rules, part->rule)->line.member[0].field,
                        LVL_NO_INDEX, p, NULL);
    lvl_reader_emit(r, LVL_SPAN_CONTAINER, &root, NULL, LVL_NO_INDEX, r->text.ptr + part->end, word);
}

static lvl_status read_row(lvl_line_reader *r, lvl_part *part, void *item)
{
    bool more = false;
    const lvl_row_reader row = {.text = {r->text.ptr + part->head, r->text.ptr + part->end, r->text.crlf},
                                .kind = part->row,
                                .store = r->store,
                                .where = lvl_rules_where(&r->rules, part),
                                .shows = r->sink != NULL,
                                .reader = r,
                                .more = &more};
    const lvl_status status = r->rules.grammar->rules[part->rule].rows->read(&row, item);

    if (more)
        part->flags |= LVL_PART_MORE;
    return status;
}

static void read_other(lvl_line_reader *r, const lvl_part *part, void *item)
{
    const lvl_text line = lvl_reader_line(r, part);

    memcpy(item, &line, sizeof line);
    if (r->sink) {
        const lvl_where root = lvl_where_root();
        lvl_reader_emit(r, LVL_SPAN_FIELD, &root, lvl_rules_form(&r->rules, part->rule)->list, part->index,
                        r->text.ptr + part->end, NULL);
    }
    report_other(r, part, line);
}

/* A line of a rule whose last line counts: the one before it is replaced. */
static void replace_single(lvl_line_reader *r, const lvl_part *part)
{
    lvl_text *const line = &r->single[part->rule];
    const uint32_t last = r->rules.last[part->rule];

    if (last && r->parts.items)
        r->parts.items[last - 1].flags |= LVL_PART_REPLACED;
    if (last)
        lvl_reader_report(r, LVL_LINE_TWICE, NULL, *line, "a later line counts instead of");
    *line = lvl_reader_line(r, part);
}

/* Reads a part that was found, and adds it. */
static lvl_status add_part(lvl_line_reader *r, lvl_part *part)
{
    const lvl_rule *rule = &r->rules.grammar->rules[part->rule];
    lvl_status status = LVL_OK;
    void *record = r->doc->root;

    const lvl_rule_form *form = lvl_rules_form(&r->rules, part->rule);

    part->lead = (size_t)(r->lead - r->text.ptr);
    if (part->lead < part->head)
        pass_lead(r, r->text.ptr + part->head);
    if (rule->kind == LVL_RULE_SINGLE)
        replace_single(r, part);
    r->rules.any = true;
    r->rules.last[part->rule] = r->parts.count + 1;
    const lvl_field *list = rule->kind == LVL_RULE_GRID ? NULL : lvl_part_list(part, form);
    if (list)
        record = lvl_reader_add_item(r, form, &part->index);
    if (!record)
        return LVL_ERR_MEMORY;
    if (rule->kind == LVL_RULE_OTHER)
        read_other(r, part, record);
    else if (rule->kind == LVL_RULE_GRID)
        status = lvl_reader_grid_line(r, part);
    else if (part->place == LVL_PART_ROW && rule->rows)
        status = read_row(r, part, record);
    else if (part->place == LVL_PART_ROW || (list || rule->kind == LVL_RULE_SINGLE))
        status = read_command(r, form, part, record);
    else
        read_fixed_line(r, part);
    r->lead = r->text.ptr + part->end;
    return status == LVL_OK ? lvl_parts_add(&r->parts, r->doc->ctx, part) : status;
}

static lvl_part line_part(const lvl_line_reader *r, const char *from, const char *to)
{
    const size_t head = (size_t)(from - r->text.ptr), next = (size_t)(to - r->text.ptr);

    return (lvl_part){.head = head, .body = next, .close = next, .end = next};
}

void lvl_row_found(lvl_row_finder *finder, const char *from, const char *to, uint32_t kind)
{
    lvl_part part = line_part(finder->reader, from, to);

    part.rule = finder->rule;
    part.place = LVL_PART_ROW;
    part.row = kind;
    if (finder->status == LVL_OK)
        finder->status = add_part(finder->reader, &part);
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
    lvl_part part = line_part(r, end, *at);
    part.rule = rule;
    part.place = LVL_PART_END;
    return add_part(r, &part);
}

/* ---- finding parts ------------------------------------------------------------------------------- */

static void find_end(const lvl_line_reader *r, const char *word, lvl_part *part)
{
    const lvl_grammar *grammar = r->rules.grammar;
    lvl_line_view line;

    for (const char *p = r->text.ptr + part->body; p < r->text.end; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if ((*p != *word && !grammar->lenient) || !lvl_line_ends_block(grammar, word, line.text))
            continue;
        part->close = (size_t)(p - r->text.ptr);
        part->end = (size_t)(line.next - r->text.ptr);
        return;
    }
    part->close = part->end = (size_t)(r->text.end - r->text.ptr);
}

/* A line in a block of one-line rows; false: the block has ended before it. */
static bool match_row(lvl_line_reader *r, lvl_text line, lvl_part *part)
{
    const lvl_rule *rule = &r->rules.grammar->rules[r->block];
    const bool is_list = memchr(line.ptr, '"', line.len) || memchr(line.ptr, ',', line.len);

    part->rule = (uint8_t)r->block;
    part->place = LVL_PART_ROW;
    if (rule->end && lvl_line_is_word(line, rule->end)) {
        part->place = LVL_PART_END;
        r->block = LVL_RULES;
    } else if (rule->end && !is_list && lvl_rules_match(&r->rules, line).rule != LVL_RULES) {
        lvl_reader_report(r, LVL_LINE_OPEN, NULL, line,
                          "the block is not ended before this line, so this line may be lost");
        r->block = LVL_RULES;
        return false;
    }
    return true;
}

/* False: the line is not a part. */
static bool match_line(lvl_line_reader *r, lvl_text line, lvl_part *part)
{
    if (is_blank_line(line))
        return false;
    if (r->block != LVL_RULES && match_row(r, line, part))
        return true;
    /* fast path: many lines in a row are of one command */
    if (r->same.len && line.len > r->same.len && memcmp(line.ptr, r->same.ptr, r->same.len) == 0) {
        part->rule = r->same_rule;
        part->place = LVL_PART_ALONE;
        part->keyword = (uint8_t)(r->same.len - 1);
        return true;
    }
    const lvl_rule_match match = lvl_rules_match(&r->rules, line);
    const uint32_t k = match.rule;
    part->rule = (uint8_t)(k == LVL_RULES ? r->other : k);
    part->place = LVL_PART_ALONE;
    part->keyword = (uint8_t)(match.keyword <= UINT8_MAX ? match.keyword : 0);
    if (k == LVL_RULES)
        return r->other != LVL_RULES &&
               !(r->rules.grammar->lenient && lvl_line_is_comment(r->rules.grammar, line));
    const lvl_rule *rule = &r->rules.grammar->rules[k];
    if (rule->kind == LVL_RULE_ROWS)
        part->place = LVL_PART_BEGIN;
    else if (rule->end)
        find_end(r, rule->end, part);
    if (rule->kind == LVL_RULE_ROWS && !rule->rows)
        r->block = k;
    if (match.always && part->keyword && part->keyword < line.len && lvl_is_blank(line.ptr[part->keyword])) {
        r->same = (lvl_text){line.ptr, part->keyword + 1U};
        r->same_rule = (uint8_t)k;
    }
    return true;
}

/* Reads the part at *at, which moves after it; or a line that is none. */
static lvl_status read_next(lvl_line_reader *r, const char **at)
{
    const lvl_line_view line = lvl_line_at(&r->text, *at);
    lvl_part part = line_part(r, *at, line.next);

    *at = line.next;
    if (!match_line(r, line.text, &part))
        return LVL_OK;
    *at = r->text.ptr + part.end;
    const lvl_status status = add_part(r, &part);
    return status == LVL_OK && part.place == LVL_PART_BEGIN && r->rules.grammar->rules[part.rule].rows
               ? read_rows(r, part.rule, at)
               : status;
}

/* Fast path: rows of a grid in their usual spelling. */
static lvl_status read_grid_rows(lvl_line_reader *r, const char **at)
{
    lvl_status status = LVL_OK;

    for (bool more = true; more && status == LVL_OK;) {
        const char *from = *at;
        lvl_part part = {0};
        status = lvl_reader_grid_row(r, at, &part);
        more = *at != from;
        if (more && status == LVL_OK) {
            pass_lead(r, from);
            part.lead = (size_t)(r->lead - r->text.ptr);
            part.head = (size_t)(from - r->text.ptr);
            part.body = part.close = part.end = (size_t)(*at - r->text.ptr);
            r->lead = *at;
            status = lvl_parts_add(&r->parts, r->doc->ctx, &part);
        }
    }
    return status;
}

static lvl_status read_text(lvl_line_reader *r)
{
    const char *from = lvl_lines_of_file(r->doc->input).ptr, *p = from;
    const lvl_where root = lvl_where_root();
    lvl_status status = LVL_OK;

    /* most parts are lines of 40 characters and more */
    if (!r->parts.only_counted &&
        !lvl_grow(&r->parts.items, &r->parts.cap, r->doc->input.len / 64, sizeof *r->parts.items))
        return LVL_ERR_MEMORY;
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
    r->same = (lvl_text){NULL, 0};
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
    r->parts = (lvl_parts){.grammar = grammar, .most = r->store.items};
}

void lvl_reader_open(lvl_line_reader *r, lvl_doc *doc, lvl_text file, lvl_arena *arena)
{
    open_reader(r, doc, file);
    r->store.arena = arena;
}

lvl_status lvl_reader_head(lvl_line_reader *r, const lvl_part *part, void *record)
{
    const lvl_rule *rule = &r->rules.grammar->rules[part->rule];
    lvl_text found[LVL_MEMBERS];
    lvl_part again = *part;
    unsigned problems;

    if (part->place == LVL_PART_ROW && rule->rows)
        return read_row(r, &again, record);
    if (rule->kind != LVL_RULE_OTHER)
        return read_words(r, &lvl_rules_form(&r->rules, part->rule)->line, part, record, &problems, found);
    read_other(r, part, record);
    return LVL_OK;
}

/* Keeps the parts with the document. */
static lvl_status keep_parts(lvl_doc *doc, const lvl_parts *from)
{
    lvl_parts *parts = lvl_arena_copy(&doc->arena, from, sizeof *from);

    if (!parts)
        return LVL_ERR_MEMORY;
    parts->items = lvl_arena_copy(&doc->arena, from->items, from->count * sizeof *from->items);
    doc->state = parts;
    return parts->items ? LVL_OK : LVL_ERR_MEMORY;
}

/* Whether the last line has no line end and is not an end line of a block: the file may be cut off in it. All
 * writers end a file with a line end, or with an end line. */
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
    return last.len > 0;
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
    r.parts.only_counted = !doc->edit;
    memcpy(root + r.rules.grammar->source, &file, sizeof file);
    root[r.rules.grammar->line_end] = r.text.crlf;
    if (is_broken_off(&r))
        lvl_doc_report_cut(
            doc, findings,
            "the last line has no line end: the file may be cut off in it, and what followed is missing");
    lvl_status status = read_text(&r);
    if (status == LVL_OK && !r.parts.only_counted)
        status = keep_parts(doc, &r.parts);
    free(r.parts.items);
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
