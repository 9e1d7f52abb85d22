/*
 * tools/paths/path.c: parses paths and binds them to the tables. tools/paths/eval.c evaluates them.
 */
#include "tools/paths/region.h"

#include "base/text.h"
#include "codec/json.h"
#include "tools/values/json_read.h"
#include "tools/values/json_write.h"
#include "tools/paths/meaning.h"
#include "tools/paths/path.h"

#include <stdlib.h>
#include <string.h>

/* ---- parsing ----------------------------------------------------------------------------------------- */

typedef struct parser {
    lvl_path *path;
    const char *p, *end;
    lvl_findings *findings;
    unsigned inside; /* parentheses of conditions */
} parser;

static lvl_status fail(const parser *s, const char *what)
{
    char buf[80];

    lvl_fault_add(s->findings, LVL_FAULT_PATH, "%s, in \"%s\" at character %zu", what,
                  lvl_show(buf, s->path->source), (size_t)(s->p - s->path->source.ptr) + 1);
    return LVL_ERR_ARG; /* not the value above, so that clang-tidy sees it */
}

/* The character here; 0 at the end. */
static char next_char(const parser *s)
{
    return s->p < s->end ? *s->p : 0;
}

static bool accept(parser *s, const char *text)
{
    const size_t len = strlen(text);
    const bool is = (size_t)(s->end - s->p) >= len && memcmp(s->p, text, len) == 0;

    s->p += is ? len : 0;
    return is;
}

static void skip_blanks(parser *s)
{
    while (accept(s, " "))
        ;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || lvl_is_digit(c) || c == '_';
}

/* Parses a quoted text into the path's strings. */
static lvl_status quoted(parser *s, lvl_text *out)
{
    char *to = s->path->strings + s->path->used;

    out->ptr = to;
    for (s->p++; s->p < s->end && *s->p != '"'; s->p++) {
        if (*s->p == '\\' && s->p + 1 < s->end && (s->p[1] == '"' || s->p[1] == '\\'))
            s->p++;
        *to++ = *s->p;
    }
    if (!accept(s, "\""))
        return fail(s, "a closing quote is missing");
    out->len = (size_t)(to - out->ptr);
    s->path->used += out->len;
    return LVL_OK;
}

static bool parse_number(parser *s, int64_t *out)
{
    const char *from = s->p;
    const bool negative = accept(s, "-");
    bool good = lvl_is_digit(next_char(s));
    int64_t v = 0;

    for (; good && lvl_is_digit(next_char(s)); s->p++) {
        good = v <= INT32_MAX;
        v = v * 10 + (*s->p - '0');
    }
    if (good)
        *out = negative ? -v : v;
    else
        s->p = from;
    return good;
}

/* "x" or "x..y" */
static bool span_of(parser *s, int64_t *from, int64_t *to)
{
    if (!parse_number(s, from))
        return false;
    *to = *from;
    return (!accept(s, "..") || parse_number(s, to)) && *from <= *to;
}

/* "x,y", where each may be "a..b". */
static bool read_corner(parser *s, int64_t region[4])
{
    return span_of(s, &region[0], &region[2]) && accept(s, ",") && span_of(s, &region[1], &region[3]);
}

static lvl_status cells(parser *s, lvl_path_step *step)
{
    int64_t *r = step->region, last[4];
    bool good = read_corner(s, r);

    if (good)
        skip_blanks(s);
    if (good && s->p < s->end && *s->p != ']') {
        good = read_corner(s, last) && last[2] >= r[0] && last[3] >= r[1];
        r[2] = good ? last[2] : r[2];
        r[3] = good ? last[3] : r[3];
    }
    step->select = LVL_SELECT_CELLS;
    return good ? LVL_OK : fail(s, "cells are written [x,y], [x0,y0 x1,y1] or [x0..x1,y0..y1]");
}

/* Adds a condition; NULL: too many, which is reported. */
static lvl_condition *add_condition(parser *s)
{
    lvl_path *path = s->path;

    if (path->condition_count == LVL_PATH_CONDITIONS) {
        (void)fail(s, "too many conditions");
        return NULL;
    }
    lvl_condition *c = &path->conditions[path->condition_count++];
    *c = (lvl_condition){.end = path->condition_count};
    return c;
}

/* Selects items by their label. */
static lvl_status parse_key(parser *s, lvl_path_step *step, lvl_text label)
{
    step->condition = s->path->condition_count;
    lvl_condition *c = add_condition(s);
    if (c)
        c->value = label;
    step->select = LVL_SELECT_KEY;
    return c ? LVL_OK : LVL_ERR_ARG;
}

/* Whether a condition follows; otherwise a | is part of the value (flags). */
static bool is_condition(const parser *s)
{
    const char *p = s->p;

    while (p < s->end && (is_word(*p) || *p == '.' || *p == ' ' || *p == '('))
        p++;
    return p > s->p && p < s->end && strchr("=!<>~", *p);
}

static bool read_operator(parser *s, lvl_compare *out)
{
    static const struct {
        const char *text;
        lvl_compare compare;
    } known[] = {{"==", LVL_IS}, {"!=", LVL_IS_NOT}, {"<=", LVL_AT_MOST}, {">=", LVL_AT_LEAST},
                 {"=", LVL_IS},  {"~", LVL_HAS},     {"<", LVL_LESS},     {">", LVL_MORE}};

    for (size_t i = 0; i < LVL_COUNT_OF(known); i++) {
        if (accept(s, known[i].text)) {
            *out = known[i].compare;
            return true;
        }
    }
    return false;
}

/* An unquoted value. Parentheses in it are pairs. */
static void read_value(parser *s, lvl_text *out)
{
    unsigned open = 0;

    out->ptr = s->p;
    for (; s->p < s->end && *s->p != ',' && *s->p != ']' && (open || !s->inside || *s->p != ')'); s->p++) {
        const parser after = {.p = s->p + 1, .end = s->end};
        if (*s->p == '|' && is_condition(&after))
            break;
        open += *s->p == '(';
        open -= open && *s->p == ')';
    }
    out->len = (size_t)(s->p - out->ptr);
    while (out->len && out->ptr[out->len - 1] == ' ')
        out->len--;
}

/* name OP value */
static lvl_status read_comparison(parser *s, lvl_condition *c)
{
    c->name.ptr = s->p;
    while (is_word(next_char(s)) || next_char(s) == '.')
        s->p++;
    c->name.len = (size_t)(s->p - c->name.ptr);
    skip_blanks(s);
    if (!c->name.len || !read_operator(s, &c->compare))
        return fail(s, "expected an index, or a condition with = != ~ < <= > or >=, like logic=Rat");
    skip_blanks(s);
    if (next_char(s) == '"')
        return quoted(s, &c->value);
    read_value(s, &c->value);
    return LVL_OK;
}

/* Appends the conditions of a group as they are read if `first` (',' or '|') binds more tightly. */
static void put_reading(lvl_buffer *out, const lvl_path *path, uint32_t group, const char *signs, char first)
{
    const lvl_condition *all = path->conditions;
    const uint32_t end = path->condition_count;
    size_t k = 0;

    for (uint32_t i = group + 1; i < end; i = all[i].end, k++) {
        const bool before = k && signs[k - 1] == first, after = all[i].end < end && signs[k] == first;
        if (k)
            lvl_buffer_u8(out, (uint8_t)signs[k - 1]);
        if (after && !before)
            lvl_buffer_u8(out, '(');
        lvl_buffer_add(out, all[i].source.ptr, all[i].source.len);
        if (before && !after)
            lvl_buffer_u8(out, ')');
    }
}

/* Refuses "," beside "|": which of them binds more tightly differs from program to program. */
static lvl_status fail_mixture(const parser *s, uint32_t group, const char *signs)
{
    lvl_buffer text = {0};

    lvl_buffer_str(&text, "a comma means and, a | means or; beside each other they need parentheses: [");
    put_reading(&text, s->path, group, signs, '|');
    lvl_buffer_str(&text, "] or [");
    put_reading(&text, s->path, group, signs, ',');
    lvl_buffer_str(&text, "]");
    if (text.status == LVL_OK)
        lvl_fault_add(s->findings, LVL_FAULT_PATH, "%.*s", (int)text.len, (const char *)text.data);
    lvl_buffer_free(&text);
    return text.status == LVL_OK ? LVL_ERR_ARG : LVL_ERR_MEMORY;
}

static bool accept_not(parser *s)
{
    if (accept(s, "not("))
        s->p--;
    else if (!accept(s, "not "))
        return false;
    return true;
}

static lvl_status read_group(parser *s, uint32_t *group);

/* [not] name OP value, or conditions in parentheses */
static lvl_status read_condition(parser *s)
{
    const char *from = s->p;
    uint32_t at = s->path->condition_count;
    const bool negated = accept_not(s);
    lvl_status status;

    skip_blanks(s);
    if (accept(s, "(")) {
        s->inside++;
        status = read_group(s, &at);
        s->inside--;
        if (status == LVL_OK && !accept(s, ")"))
            return fail(s, "a ) is missing");
    } else {
        lvl_condition *c = add_condition(s);
        status = c ? read_comparison(s, c) : LVL_ERR_ARG;
    }
    if (status != LVL_OK)
        return status;
    lvl_condition *c = &s->path->conditions[at];
    c->negated = negated != c->negated;
    c->source = (lvl_text){from, (size_t)(s->p - from)};
    while (c->source.len && c->source.ptr[c->source.len - 1] == ' ')
        c->source.len--;
    skip_blanks(s);
    return LVL_OK;
}

/* Conditions with commas ("and") or | ("or") between them. */
static lvl_status read_group(parser *s, uint32_t *group)
{
    char signs[LVL_PATH_CONDITIONS + 1] = "";
    size_t n = 0;

    *group = s->path->condition_count;
    lvl_condition *c = add_condition(s);
    if (!c)
        return LVL_ERR_ARG;
    c->group = true;
    skip_blanks(s);
    lvl_status status = read_condition(s);
    while (status == LVL_OK && (next_char(s) == ',' || next_char(s) == '|')) {
        signs[n++] = *s->p++;
        skip_blanks(s);
        status = read_condition(s);
    }
    if (status != LVL_OK)
        return status;
    c->any = n && signs[0] == '|';
    c->end = s->path->condition_count;
    return memchr(signs, ',', n) && memchr(signs, '|', n) ? fail_mixture(s, *group, signs) : LVL_OK;
}

/* [from:to], where either may be omitted; s->p is after the colon. */
static void parse_slice(parser *s, lvl_path_step *step, int64_t from)
{
    step->select = LVL_SELECT_SLICE;
    step->index = from;
    step->end = INT64_MAX;
    (void)parse_number(s, &step->end);
}

/* Accepts "fill " before a cell; otherwise it is a label. */
static bool accept_fill(parser *s)
{
    const char *from = s->p;

    if (accept(s, "fill ") && (lvl_is_digit(next_char(s)) || next_char(s) == '-'))
        return true;
    s->p = from;
    return false;
}

/* Text without an operator is a label. */
static lvl_status filter_or_key(parser *s, lvl_path_step *step)
{
    const lvl_text rest = {s->p, (size_t)(s->end - s->p)};
    size_t len = 0;

    while (len < rest.len && !strchr("=!<>~]", rest.ptr[len]))
        len++;
    if (len < rest.len && rest.ptr[len] != ']') {
        step->select = LVL_SELECT_FILTER;
        return read_group(s, &step->condition);
    }
    if (!len)
        return fail(s, "expected an index or a condition between the brackets");
    s->p += len;
    return parse_key(s, step, (lvl_text){rest.ptr, len});
}

/* Parses a selector up to its ]; s->p is after the [. */
static lvl_status selector(parser *s, lvl_path_step *step)
{
    lvl_status status = LVL_OK;
    lvl_text label;

    skip_blanks(s);
    const char *from = s->p;
    if (accept(s, "*")) {
        step->select = LVL_SELECT_ALL;
    } else if (accept(s, "+")) {
        step->select = LVL_SELECT_APPEND;
        step->index = -1; /* after the last item */
        if (lvl_is_digit(next_char(s)))
            parse_number(s, &step->index);
    } else if (next_char(s) == '"') {
        status = quoted(s, &label);
        if (status == LVL_OK)
            status = parse_key(s, step, label);
    } else if (accept(s, "=")) {
        step->select = LVL_SELECT_VALUE;
        step->value.ptr = s->p;
        while (s->p < s->end && *s->p != ']')
            s->p++;
        step->value.len = (size_t)(s->p - step->value.ptr);
    } else if (accept(s, ":")) {
        parse_slice(s, step, 0);
    } else if (accept_fill(s)) {
        step->select = LVL_SELECT_FILL;
        if (!parse_number(s, &step->region[0]) || !accept(s, ",") || !parse_number(s, &step->region[1]))
            status = fail(s, "a fill is written [fill x,y]");
    } else if (parse_number(s, &step->index)) {
        step->select = LVL_SELECT_INDEX;
        if (accept(s, ":")) {
            parse_slice(s, step, step->index);
        } else if (next_char(s) == ',' || next_char(s) == '.') {
            s->p = from;
            status = cells(s, step);
        }
    } else {
        status = filter_or_key(s, step);
    }
    if (status != LVL_OK)
        return status;
    skip_blanks(s);
    return accept(s, "]") ? LVL_OK : fail(s, "a ] is missing");
}

/* "=", "+=", "-=", "*=" or "@=" */
static bool is_assignment(const char *p, const char *end)
{
    return p < end && (*p == '=' || (end - p > 1 && p[1] == '=' && strchr("+-*@", *p)));
}

static lvl_status no_dot(const parser *s, bool assigned)
{
    parser next = *s;

    skip_blanks(&next);
    return fail(s, assigned && is_assignment(next.p, s->end) ? "write no blank before the ="
                   : next_char(&next) == '[' ? "expected one [ ] for a list; separate conditions by commas"
                                             : "a . is missing");
}

lvl_status lvl_path_parse(lvl_path *path, lvl_text text, size_t *end, lvl_findings *findings)
{
    parser s = {.path = path, .p = text.ptr, .end = text.ptr + text.len, .findings = findings};

    memset(path, 0, sizeof *path);
    path->source = text;
    path->strings = malloc(text.len + 1);
    if (!path->strings)
        return LVL_ERR_MEMORY;
    while (s.p < s.end && !(end && is_assignment(s.p, s.end))) {
        if (path->depth == LVL_PATH_DEPTH)
            return fail(&s, "the path is too deep");
        lvl_path_step *step = &path->steps[path->depth];
        if (path->depth && *s.p != '.')
            return no_dot(&s, end != NULL);
        s.p += path->depth != 0;
        step->name.ptr = s.p;
        while (is_word(next_char(&s)))
            s.p++;
        step->name.len = (size_t)(s.p - step->name.ptr);
        if (!step->name.len)
            return fail(&s, "a field's name is missing");
        path->depth++;
        const lvl_status status = accept(&s, "[") ? selector(&s, step) : LVL_OK;
        if (status != LVL_OK)
            return status;
    }
    if (end)
        *end = (size_t)(s.p - text.ptr);
    return LVL_OK;
}

lvl_status lvl_path_no_value(lvl_text text, lvl_findings *findings)
{
    char buf[80];

    return lvl_fault_add(findings, LVL_FAULT_PATH,
                         "expected PATH=VALUE, without blanks around the =, got \"%s\"", lvl_show(buf, text));
}

lvl_status lvl_path_check(const char *path, bool assignment, lvl_findings *findings)
{
    const lvl_text all = lvl_text_of(path);
    lvl_path parsed;
    size_t end;

    lvl_status status = lvl_path_parse(&parsed, all, assignment ? &end : NULL, findings);
    if (status == LVL_OK && assignment && end == all.len)
        status = lvl_path_no_value(all, findings);
    lvl_path_free(&parsed);
    return status;
}

void lvl_path_free(lvl_path *path)
{
    for (uint32_t i = 0; i < path->condition_count; i++)
        lvl_buffer_free(&path->conditions[i].text);
    free(path->strings);
    path->strings = NULL;
    path->condition_count = 0;
}

/* ---- binding to tables ------------------------------------------------------------------------------- */

/* Searches a field of that name below the table, and writes the path to it ("planes[0].objects"). */
static bool find_deeper(const lvl_table *table, lvl_text name, unsigned depth, lvl_buffer *path_to)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        size_t len = path_to->len;
        if (len)
            lvl_buffer_u8(path_to, '.');
        lvl_buffer_str(path_to, f->name);
        if (len && lvl_text_is(name, f->name))
            return true;
        if (f->table && depth) {
            if (f->kind == LVL_LIST)
                lvl_buffer_str(path_to, "[*]");
            if (find_deeper(f->table, name, depth - 1, path_to))
                return true;
        }
        path_to->len = len;
    }
    return false;
}

/* Reports an unknown name with a list of all fields. */
static void report_fields(const lvl_table *table, lvl_text name, lvl_findings *findings)
{
    lvl_buffer all = {0};
    char buf[80];

    for (uint32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].role != LVL_KEPT)
            lvl_buffer_printf(&all, "%s%s", all.len ? ", " : "", table->fields[i].name);
    }
    lvl_fault_add(findings, LVL_FAULT_NAME, "%s has no field \"%s\"%s%.*s", table->name, lvl_show(buf, name),
                  all.len && all.status == LVL_OK ? "; it has " : "", all.status == LVL_OK ? (int)all.len : 0,
                  all.data ? (const char *)all.data : "");
    lvl_buffer_free(&all);
}

/* `word`: a word of conditions that resembles the name, or NULL. */
static lvl_status unknown_name(const lvl_table *table, lvl_text name, const char *word,
                               lvl_findings *findings)
{
    lvl_buffer deeper = {0};
    char buf[80];
    const char *near = word ? word : lvl_nearest_field(table, name);

    if (near)
        lvl_fault_add(findings, LVL_FAULT_NAME, "%s has no field \"%s\"; did you mean %s?", table->name,
                      lvl_show(buf, name), near);
    else if (find_deeper(table, name, 3, &deeper) && deeper.status == LVL_OK)
        lvl_fault_add(findings, LVL_FAULT_NAME, "%s has no field \"%s\"; did you mean %.*s?", table->name,
                      lvl_show(buf, name), (int)deeper.len, (const char *)deeper.data);
    else
        report_fields(table, name, findings);
    lvl_buffer_free(&deeper);
    return LVL_ERR_ARG;
}

lvl_status lvl_path_unknown_name(const lvl_table *table, lvl_text name, lvl_findings *findings)
{
    return unknown_name(table, name, NULL, findings);
}

static lvl_status misuse(const lvl_path_step *step, lvl_findings *findings, const char *what)
{
    char buf[80];

    return lvl_fault_add(findings, LVL_FAULT_PATH, "%s %s", lvl_show(buf, step->name), what);
}

/* The book of the game that has the items of a list; NULL: none. */
static const lvl_book *book_of(const lvl_doc *doc, const lvl_field *list)
{
    lvl_book_item item;
    const bool has = LVL_MEANING && doc->format->calls->describe && list->item == LVL_RECORD &&
                     doc->format->calls->describe(doc, list->table, NULL, &item);

    return has ? item.book : NULL;
}

/* Finds the condition's field below the item's table: a, or a.b.c through records; or else a word of the
 * game's book. */
static lvl_status bind_name(const lvl_path_step *step, lvl_condition *c, const lvl_book *book,
                            lvl_findings *findings)
{
    const lvl_table *table = step->field->table;
    lvl_text rest = c->name;

    for (;;) {
        lvl_text name = rest;
        const char *dot = rest.len ? memchr(rest.ptr, '.', rest.len) : NULL;
        if (dot)
            name.len = (size_t)(dot - rest.ptr);
        const lvl_field *f = lvl_table_find(table, name);
        const bool may_be_word = LVL_MEANING && !f && book && table == step->field->table;
        c->word = may_be_word ? lvl_meaning_word(book, c->name) : 0;
        if (c->word)
            return LVL_OK;
        if (!f)
            return unknown_name(table, name, may_be_word ? lvl_meaning_near_word(book, name) : NULL,
                                findings);
        if (!dot) {
            c->field = f;
            return LVL_OK;
        }
        if (f->kind != LVL_RECORD)
            return misuse(step, findings, "cannot be compared by something that is not a field of a record");
        c->offset += f->offset;
        table = f->table;
        rest.ptr = dot + 1;
        rest.len -= name.len + 1;
    }
}

static lvl_status bind_text(lvl_condition *c, const lvl_doc *doc, lvl_findings *findings)
{
    char buf[80];
    uint32_t bad;

    if (!lvl_text_from_utf8(&c->text, doc->codepage, c->value, &bad)) {
        return lvl_fault_add(findings, LVL_FAULT_CHARACTER, "%s does not have all characters of \"%s\"",
                             lvl_codepage_name(doc->codepage), lvl_show(buf, c->value));
    }
    return c->text.status;
}

/* Finds the kind of things that a condition compares with. */
static lvl_status bind_kind(lvl_condition *c, lvl_findings *findings)
{
    lvl_name kinds[LVL_KIND_COUNT + 1] = {{0}};
    lvl_buffer all = {0};
    char buf[80];

    for (int i = 0; i < LVL_KIND_COUNT; i++) {
        kinds[i] = (lvl_name){i, lvl_book_kinds[i], NULL};
        lvl_buffer_printf(&all, "%s%s", i ? ", " : "", lvl_book_kinds[i]);
        if (lvl_text_is(c->value, lvl_book_kinds[i])) {
            c->number = i;
            lvl_buffer_free(&all);
            return LVL_OK;
        }
    }
    const char *near = lvl_nearest_name(kinds, c->value);
    lvl_fault_add(findings, LVL_FAULT_VALUE, "there is no kind \"%s\"%s%s%s%.*s", lvl_show(buf, c->value),
                  near ? "; did you mean " : "; kinds are ", near ? near : "", near ? "?" : "",
                  near || all.status != LVL_OK ? 0 : (int)all.len, all.data ? (const char *)all.data : "");
    lvl_buffer_free(&all);
    return LVL_ERR_ARG;
}

/* The value of a condition on what members mean: a name that the book has for one of them, a number, or a
 * text if one of them is a text. */
static lvl_status bind_meaning(lvl_condition *c, const lvl_doc *doc, const lvl_book *book,
                               lvl_findings *findings)
{
    static const lvl_field number = {.kind = LVL_INT, .flags = LVL_F_SIGNED, .size = sizeof(int64_t)};
    const lvl_meaning_scope scope = {book, c->word, c->field ? c->offset + c->field->offset : 0};
    const char *name = c->field ? c->field->name : NULL;
    char near[160] = "", buf[80];

    c->doc = doc;
    if (!name)
        name = c->word == LVL_WORD_KIND ? "kind" : book->words[c->word - LVL_WORD_USES];
    c->named = c->word != LVL_WORD_KIND && lvl_meaning_known(&scope, c->value, near, sizeof near);
    if ((c->named || c->word == LVL_WORD_KIND) && c->compare != LVL_IS && c->compare != LVL_IS_NOT)
        return lvl_fault_add(findings, LVL_FAULT_PATH,
                             "%s can only be compared with a name by = or !=", name);
    if (c->word == LVL_WORD_KIND)
        return bind_kind(c, findings);
    if (c->named)
        return LVL_OK;
    if (c->word && lvl_meaning_is_text(&scope))
        return bind_text(c, doc, findings);
    if (c->word && c->compare != LVL_HAS && lvl_int_parse(&number, c->value, &c->number))
        return LVL_OK;
    return lvl_fault_add(findings, LVL_FAULT_VALUE, "%s has no value \"%s\"%s%s%s", name,
                         lvl_show(buf, c->value), near[0] ? "; did you mean " : "; expected a number", near,
                         near[0] ? "?" : "");
}

static lvl_status bind_condition(const lvl_path_step *step, lvl_condition *c, const lvl_doc *doc,
                                 const lvl_book *book, lvl_findings *findings)
{
    char buf[80];

    lvl_kind kind = c->field ? c->field->kind : LVL_TEXT;
    if (LVL_MEANING && c->word)
        return bind_meaning(c, doc, book, findings);
    if (kind == LVL_TEXT)
        return bind_text(c, doc, findings);
    if (kind == LVL_REAL) {
        if (!lvl_real_parse(c->value, &c->real))
            return misuse(step, findings, "can only be compared with a number");
        return LVL_OK;
    }
    if (kind != LVL_INT)
        return misuse(step, findings, "can only be found by numbers, names and texts");
    if (!lvl_int_parse(c->field, c->value, &c->number)) {
        if (LVL_MEANING && book && !c->field->names)
            return bind_meaning(c, doc, book, findings);
        const char *near = lvl_nearest_name(c->field->names, c->value);
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "%s has no value \"%s\"%s%s%s", c->field->name,
                             lvl_show(buf, c->value), near ? ": did you mean " : "", near ? near : "",
                             near ? "?" : "");
    }
    return LVL_OK;
}

static bool is_cells(const lvl_path_step *step)
{
    return step->select == LVL_SELECT_CELLS || step->select == LVL_SELECT_FILL;
}

static lvl_status bind_list(lvl_path *path, lvl_path_step *step, const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_field *f = step->field;

    if (step->select == LVL_SELECT_VALUE || is_cells(step))
        return misuse(step, findings, "is a list: [3], [*], [+] or [field=value]");
    if (step->select == LVL_SELECT_KEY && f->item == LVL_RECORD && !f->table->label)
        return misuse(step, findings, "has no labels: name a field, as in [id=17]");
    if ((step->select == LVL_SELECT_KEY && (f->item == LVL_INT || f->item == LVL_REAL)) ||
        (step->select == LVL_SELECT_FILTER && f->item != LVL_RECORD))
        return misuse(step, findings, "has no records to select by fields");
    if (step->select != LVL_SELECT_KEY && step->select != LVL_SELECT_FILTER)
        return LVL_OK;
    const lvl_book *book = book_of(doc, f);
    for (uint32_t i = step->condition; i < path->conditions[step->condition].end; i++) {
        lvl_condition *c = &path->conditions[i];
        lvl_status status = LVL_OK;
        if (c->group)
            continue;
        c->table = f->table;
        if (f->item == LVL_RECORD) {
            if (step->select == LVL_SELECT_KEY)
                c->name = lvl_text_of(f->table->label);
            status = bind_name(step, c, book, findings);
        }
        if (status == LVL_OK)
            status = bind_condition(step, c, doc, book, findings);
        if (status != LVL_OK)
            return status;
    }
    return LVL_OK;
}

/* The field of that name. Of a root, "title" and "name" both mean the field with the document's name. */
static const lvl_field *field_of(const lvl_table *table, lvl_text name, bool root)
{
    const lvl_field *f = lvl_table_find(table, name);

    return !f && root && (lvl_text_is(name, "title") || lvl_text_is(name, "name")) ? lvl_label_of(table) : f;
}

lvl_status lvl_path_bind(lvl_path *path, const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_table *table = doc->format->table;
    lvl_squares squares;

    for (uint32_t i = 0; i < path->depth; i++) {
        lvl_path_step *step = &path->steps[i];
        bool last = i + 1 == path->depth;
        step->field = field_of(table, step->name, i == 0);
        const lvl_field *f = step->field;
        if (!f)
            return lvl_path_unknown_name(table, step->name, findings);
        if (f->kind == LVL_LIST && is_cells(step) && i == 1 && lvl_squares_find(&squares, doc, f)) {
            if (!last)
                return misuse(step, findings, "is a region of cells here, which has no fields");
        } else if (f->kind == LVL_LIST) {
            lvl_status status = bind_list(path, step, doc, findings);
            if (status != LVL_OK)
                return status;
        } else if (f->kind == LVL_CELLS) {
            if (step->select != LVL_SELECT_NONE && step->select != LVL_SELECT_VALUE && !is_cells(step))
                return misuse(step, findings,
                              "is a grid: [x,y] is a cell of it, [x0,y0 x1,y1] a region, [=4] all cells of "
                              "a value, [fill x,y] the like cells around one");
            if (is_cells(step) && (step->region[0] < 0 || step->region[1] < 0))
                return misuse(step, findings, "has columns and rows from 0 on");
            if (step->select == LVL_SELECT_VALUE &&
                !lvl_cell_parse(f->cell_names, step->value, lvl_cell_size(f), &step->cell))
                return misuse(step, findings, "has cells that are found by a number or a symbol, as in [=4]");
        } else if (step->select != LVL_SELECT_NONE) {
            return misuse(step, findings, "is not a list");
        }
        if (last)
            return LVL_OK;
        if (step->select == LVL_SELECT_APPEND)
            return misuse(step, findings, "[+] ends a path; the new item's fields are given as JSON");
        if (f->kind == LVL_LIST && step->select == LVL_SELECT_NONE)
            return misuse(step, findings, "is a list: [0] is its first item, [*] are all");
        if (f->kind != LVL_RECORD && (f->kind != LVL_LIST || f->item != LVL_RECORD))
            return misuse(step, findings, "has no fields below it");
        table = f->table;
    }
    return LVL_OK;
}
