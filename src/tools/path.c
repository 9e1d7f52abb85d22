/*
 * tools/path.c: parses paths and binds them to the tables. tools/path_eval.c evaluates them.
 */
#include "tools/region.h"

#include "base/text.h"
#include "codec/json.h"
#include "tools/json_read.h"
#include "tools/json_write.h"

#include <stdlib.h>
#include <string.h>

/* ---- parsing ----------------------------------------------------------------------------------------- */

typedef struct parser {
    lvl_path *path;
    const char *p, *end;
    lvl_findings *findings;
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

/* "x,y", each of which may be "a..b". */
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

/* Adds a condition to a step; NULL: too many, which is reported. */
static lvl_condition *add_condition(parser *s, lvl_path_step *step)
{
    lvl_path *path = s->path;

    if (path->condition_count == LVL_PATH_CONDITIONS) {
        (void)fail(s, "too many conditions");
        return NULL;
    }
    if (!step->count++)
        step->first = path->condition_count;
    return &path->conditions[path->condition_count++];
}

/* Selects items by their label. */
static lvl_status parse_key(parser *s, lvl_path_step *step, lvl_text label)
{
    lvl_condition *c = add_condition(s, step);

    if (c)
        *c = (lvl_condition){.value = label, .compare = LVL_IS};
    step->select = LVL_SELECT_KEY;
    return c ? LVL_OK : LVL_ERR_ARG;
}

/* Whether "name OP" follows; otherwise a | is part of the value (flags). */
static bool is_condition(const parser *s)
{
    const char *p = s->p;

    while (p < s->end && (is_word(*p) || *p == '.' || *p == ' '))
        p++;
    return p > s->p && p < s->end && strchr("=!<>~", *p);
}

static bool read_comparison(parser *s, lvl_compare *out)
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

/* [not] name OP value */
static lvl_status read_condition(parser *s, lvl_path_step *step, bool alternative)
{
    lvl_condition c = {.negated = accept(s, "not "), .alternative = alternative};

    skip_blanks(s);
    c.name.ptr = s->p;
    while (is_word(next_char(s)) || next_char(s) == '.')
        s->p++;
    c.name.len = (size_t)(s->p - c.name.ptr);
    skip_blanks(s);
    if (!c.name.len || !read_comparison(s, &c.compare))
        return fail(s, "expected an index, or a condition with = != ~ < <= > or >=, like logic=Rat");
    skip_blanks(s);
    if (next_char(s) == '"') {
        lvl_status status = quoted(s, &c.value);
        if (status != LVL_OK)
            return status;
        skip_blanks(s);
    } else {
        c.value.ptr = s->p;
        for (; s->p < s->end && *s->p != ',' && *s->p != ']'; s->p++) {
            const parser behind = {s->path, s->p + 1, s->end, s->findings};
            if (*s->p == '|' && is_condition(&behind))
                break;
        }
        c.value.len = (size_t)(s->p - c.value.ptr);
        while (c.value.len && c.value.ptr[c.value.len - 1] == ' ')
            c.value.len--;
    }
    lvl_condition *to = add_condition(s, step);
    if (to)
        *to = c;
    return to ? LVL_OK : LVL_ERR_ARG;
}

/* Conditions: a comma means "and", a | separates alternatives. */
static lvl_status filter(parser *s, lvl_path_step *step)
{
    lvl_status status = read_condition(s, step, false);

    step->select = LVL_SELECT_FILTER;
    while (status == LVL_OK && (next_char(s) == ',' || next_char(s) == '|')) {
        const bool alternative = *s->p++ == '|';
        skip_blanks(s);
        status = read_condition(s, step, alternative);
    }
    return status;
}

/* [from:to], either of which may be omitted; s->p is behind the colon. */
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
    if (len < rest.len && rest.ptr[len] != ']')
        return filter(s, step);
    if (!len)
        return fail(s, "expected an index or a condition between the brackets");
    s->p += len;
    return parse_key(s, step, (lvl_text){rest.ptr, len});
}

/* Parses a selector up to its ]; s->p is behind the [. */
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
    parser s = {path, text.ptr, text.ptr + text.len, findings};

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

static lvl_status unknown_name(const lvl_table *table, lvl_text name, lvl_findings *findings)
{
    lvl_buffer deeper = {0};
    char buf[80];
    const char *near = lvl_nearest_field(table, name);

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

static lvl_status misuse(const lvl_path_step *step, lvl_findings *findings, const char *what)
{
    char buf[80];

    return lvl_fault_add(findings, LVL_FAULT_PATH, "%s %s", lvl_show(buf, step->name), what);
}

/* Finds the condition's field below the item's table: a, or a.b.c through records. */
static lvl_status bind_name(const lvl_path_step *step, lvl_condition *c, lvl_findings *findings)
{
    const lvl_table *table = step->field->table;
    lvl_text rest = c->name;

    for (;;) {
        lvl_text name = rest;
        const char *dot = rest.len ? memchr(rest.ptr, '.', rest.len) : NULL;
        if (dot)
            name.len = (size_t)(dot - rest.ptr);
        const lvl_field *f = lvl_table_find(table, name);
        if (!f)
            return unknown_name(table, name, findings);
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

static lvl_status bind_condition(const lvl_path_step *step, lvl_condition *c, const lvl_doc *doc,
                                 lvl_findings *findings)
{
    char buf[80];
    uint32_t bad;

    lvl_kind kind = c->field ? c->field->kind : LVL_TEXT;
    if (kind == LVL_TEXT) {
        if (!lvl_text_from_utf8(&c->text, doc->codepage, c->value, &bad)) {
            return lvl_fault_add(findings, LVL_FAULT_CHARACTER, "%s does not have all characters of \"%s\"",
                                 lvl_codepage_name(doc->codepage), lvl_show(buf, c->value));
        }
        return c->text.status;
    }
    if (kind == LVL_REAL) {
        if (!lvl_real_parse(c->value, &c->real))
            return misuse(step, findings, "can only be compared with a number");
        return LVL_OK;
    }
    if (kind != LVL_INT)
        return misuse(step, findings, "can only be found by numbers, names and texts");
    if (!lvl_int_parse(c->field, c->value, &c->number)) {
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
    for (uint32_t i = 0; i < step->count; i++) {
        lvl_condition *c = &path->conditions[step->first + i];
        lvl_status status = LVL_OK;
        if (f->item == LVL_RECORD) {
            if (step->select == LVL_SELECT_KEY)
                c->name = lvl_text_of(f->table->label);
            status = bind_name(step, c, findings);
        }
        if (status == LVL_OK)
            status = bind_condition(step, c, doc, findings);
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
            return unknown_name(table, step->name, findings);
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
