/*
 * tools/path.c: parsing paths and holding them against the tables. Following them is tools/path_eval.c.
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

    lvl_findings_add(s->findings, &lvl_faults[LVL_FAULT_PATH], NULL, NULL, "%s, in \"%s\" at character %zu",
                     what, lvl_show(buf, s->path->source), (size_t)(s->p - s->path->source.ptr) + 1);
    return LVL_ERR_ARG;
}

static void blanks(parser *s)
{
    while (s->p < s->end && *s->p == ' ')
        s->p++;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A quoted text into the path's strings. */
static lvl_status quoted(parser *s, lvl_text *out)
{
    char *to = s->path->strings + s->path->used;

    out->ptr = to;
    for (s->p++; s->p < s->end && *s->p != '"'; s->p++) {
        if (*s->p == '\\' && s->p + 1 < s->end && (s->p[1] == '"' || s->p[1] == '\\'))
            s->p++;
        *to++ = *s->p;
    }
    if (s->p == s->end)
        return fail(s, "a closing quote is missing");
    s->p++;
    out->len = (size_t)(to - out->ptr);
    s->path->used += out->len;
    return LVL_OK;
}

static bool number(parser *s, int64_t *out)
{
    const char *p = s->p;
    bool neg = p < s->end && *p == '-';
    int64_t v = 0;

    p += neg;
    if (p == s->end || *p < '0' || *p > '9')
        return false;
    for (; p < s->end && *p >= '0' && *p <= '9'; p++) {
        if (v > INT32_MAX)
            return false;
        v = v * 10 + (*p - '0');
    }
    *out = neg ? -v : v;
    s->p = p;
    return true;
}

/* "x" or "x..y" */
static bool span_of(parser *s, int64_t *from, int64_t *to)
{
    int64_t a, b;

    if (!number(s, &a))
        return false;
    b = a;
    if (s->end - s->p > 2 && s->p[0] == '.' && s->p[1] == '.') {
        s->p += 2;
        if (!number(s, &b))
            return false;
    }
    *from = a;
    *to = b;
    return a <= b;
}

static lvl_status cells(parser *s, lvl_path_step *step)
{
    int64_t *r = step->region, more[4];

    if (!span_of(s, &r[0], &r[2]) || s->p == s->end || *s->p++ != ',' || !span_of(s, &r[1], &r[3]))
        return fail(s, "cells are written [x,y], [x0,y0 x1,y1] or [x0..x1,y0..y1]");
    blanks(s);
    if (s->p < s->end && *s->p != ']') {
        if (!span_of(s, &more[0], &more[2]) || s->p == s->end || *s->p++ != ',' ||
            !span_of(s, &more[1], &more[3]) || more[2] < r[0] || more[3] < r[1])
            return fail(s, "cells are written [x,y], [x0,y0 x1,y1] or [x0..x1,y0..y1]");
        r[2] = more[2];
        r[3] = more[3];
    }
    step->select = LVL_SELECT_CELLS;
    return LVL_OK;
}

static lvl_status add_condition(parser *s, lvl_path_step *step, lvl_text name, lvl_compare compare,
                                lvl_text value)
{
    lvl_path *path = s->path;

    if (path->condition_count == LVL_PATH_CONDITIONS)
        return fail(s, "too many conditions");
    if (!step->count)
        step->first = path->condition_count;
    lvl_condition *c = &path->conditions[path->condition_count++];
    memset(c, 0, sizeof *c);
    c->name = name;
    c->compare = compare;
    c->value = value;
    step->count++;
    return LVL_OK;
}

/* Whether "name OP" follows: what stands behind a | in a value may be a flag. */
static bool is_condition(const parser *s)
{
    const char *p = s->p;

    while (p < s->end && (is_word(*p) || *p == '.' || *p == ' '))
        p++;
    return p > s->p && p < s->end && strchr("=!<>~", *p);
}

/* [not] name OP value */
static lvl_status condition(parser *s, lvl_path_step *step, bool alternative)
{
    bool negated = false;
    lvl_text name, value;
    lvl_compare compare;

    if (s->end - s->p > 4 && memcmp(s->p, "not ", 4) == 0) {
        negated = true;
        s->p += 4;
        blanks(s);
    }
    name = (lvl_text){s->p, 0};
    while (s->p < s->end && (is_word(*s->p) || *s->p == '.'))
        s->p++;
    name.len = (size_t)(s->p - name.ptr);
    blanks(s);
    char c = s->p < s->end ? *s->p : 0, next = s->end - s->p > 1 ? s->p[1] : 0;
    if (!name.len || !c || !strchr("=!<>~", c) || (c == '!' && next != '='))
        return fail(s, "expected an index, or a condition with = != ~ < <= > or >=, like logic=Rat");
    s->p++;
    switch (c) {
    case '=':
        compare = LVL_IS;
        s->p += next == '=';
        break;
    case '!':
        compare = LVL_IS_NOT;
        s->p++;
        break;
    case '~': compare = LVL_HAS; break;
    case '<':
        compare = next == '=' ? LVL_AT_MOST : LVL_LESS;
        s->p += next == '=';
        break;
    default: compare = next == '=' ? LVL_AT_LEAST : LVL_MORE; s->p += next == '=';
    }
    blanks(s);
    if (s->p < s->end && *s->p == '"') {
        lvl_status status = quoted(s, &value);
        if (status != LVL_OK)
            return status;
        blanks(s);
    } else {
        value.ptr = s->p;
        for (; s->p < s->end && *s->p != ',' && *s->p != ']'; s->p++) {
            const parser behind = {s->path, s->p + 1, s->end, s->findings};
            if (*s->p == '|' && is_condition(&behind))
                break;
        }
        value.len = (size_t)(s->p - value.ptr);
        while (value.len && value.ptr[value.len - 1] == ' ')
            value.len--;
    }
    const lvl_status status = add_condition(s, step, name, compare, value);
    if (status == LVL_OK) {
        s->path->conditions[s->path->condition_count - 1].negated = negated;
        s->path->conditions[s->path->condition_count - 1].alternative = alternative;
    }
    return status;
}

/* Conditions with a comma between those that hold together, and a | between alternatives. */
static lvl_status filter(parser *s, lvl_path_step *step)
{
    bool alternative = false;

    step->select = LVL_SELECT_FILTER;
    for (;;) {
        lvl_status status = condition(s, step, alternative);
        if (status != LVL_OK)
            return status;
        if (s->p == s->end || (*s->p != ',' && *s->p != '|'))
            return LVL_OK;
        alternative = *s->p == '|';
        s->p++;
        blanks(s);
    }
}

/* [from:to], either of which may be missing; s->p is behind the colon. */
static void slice(parser *s, lvl_path_step *step, int64_t from)
{
    step->select = LVL_SELECT_SLICE;
    step->index = from;
    step->end = INT64_MAX;
    (void)number(s, &step->end);
}

/* [=value] of a grid; s->p is behind the = */
static void cells_of_value(parser *s, lvl_path_step *step)
{
    step->select = LVL_SELECT_VALUE;
    step->value.ptr = s->p;
    while (s->p < s->end && *s->p != ']')
        s->p++;
    step->value.len = (size_t)(s->p - step->value.ptr);
}

/* "fill " before the cell that a fill starts from */
static bool is_fill(const parser *s)
{
    const size_t len = 5;

    return (size_t)(s->end - s->p) > len && memcmp(s->p, "fill ", len) == 0 &&
           strchr("-0123456789", s->p[len]);
}

/* [fill x,y]; s->p is before the x. */
static lvl_status fill(parser *s, lvl_path_step *step)
{
    int64_t *r = step->region;

    step->select = LVL_SELECT_FILL;
    if (!number(s, &r[0]) || s->p == s->end || *s->p++ != ',' || !number(s, &r[1]))
        return fail(s, "a fill is written [fill x,y]");
    return LVL_OK;
}

/* What stands between [ and ]; s->p is behind the [. */
static lvl_status selector(parser *s, lvl_path_step *step)
{
    const lvl_text label = {NULL, 0};
    lvl_status status;
    lvl_text key;

    blanks(s);
    const char *from = s->p;
    char c = s->p < s->end ? *s->p : ']';
    if (c == '*' || c == '+') {
        step->select = c == '*' ? LVL_SELECT_ALL : LVL_SELECT_APPEND;
        step->index = -1; /* behind the last one */
        s->p++;
        if (c == '+' && s->p < s->end && *s->p >= '0' && *s->p <= '9')
            number(s, &step->index);
    } else if (c == '"') {
        if ((status = quoted(s, &key)) != LVL_OK ||
            (status = add_condition(s, step, label, LVL_IS, key)) != LVL_OK)
            return status;
        step->select = LVL_SELECT_KEY;
    } else if (c == '=') {
        s->p++;
        cells_of_value(s, step);
    } else if (c == ':') {
        s->p++;
        slice(s, step, 0);
    } else if (is_fill(s)) {
        s->p += 5;
        if ((status = fill(s, step)) != LVL_OK)
            return status;
    } else if (number(s, &step->index)) {
        step->select = LVL_SELECT_INDEX;
        if (s->p < s->end && *s->p == ':') {
            s->p++;
            slice(s, step, step->index);
        } else if (s->p < s->end && (*s->p == ',' || *s->p == '.')) {
            s->p = from;
            if ((status = cells(s, step)) != LVL_OK)
                return status;
        }
    } else {
        const char *p = s->p;
        while (p < s->end && !strchr("=!<>~]", *p))
            p++;
        if (p < s->end && *p != ']') {
            if ((status = filter(s, step)) != LVL_OK)
                return status;
        } else { /* a bare word is a key */
            key.ptr = s->p;
            key.len = (size_t)(p - s->p);
            if (!key.len)
                return fail(s, "expected an index or a condition between the brackets");
            s->p = p;
            if ((status = add_condition(s, step, label, LVL_IS, key)) != LVL_OK)
                return status;
            step->select = LVL_SELECT_KEY;
        }
    }
    blanks(s);
    if (s->p == s->end || *s->p != ']')
        return fail(s, "a ] is missing");
    s->p++;
    return LVL_OK;
}

/* "=", "+=", "-=", "*=" or "@=" */
static bool is_assignment(const char *p, const char *end)
{
    return p < end && (*p == '=' || (end - p > 1 && p[1] == '=' && strchr("+-*@", *p)));
}

static lvl_status no_dot(parser *s, bool assigned)
{
    const char *p = s->p;

    while (p < s->end && *p == ' ')
        p++;
    if (assigned && is_assignment(p, s->end))
        return fail(s, "write no blank before the =");
    if (p < s->end && *p == '[')
        return fail(s, "expected one [ ] for a list; separate conditions by commas");
    return fail(s, "a . is missing");
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
        while (s.p < s.end && is_word(*s.p))
            s.p++;
        step->name.len = (size_t)(s.p - step->name.ptr);
        if (!step->name.len)
            return fail(&s, "a field's name is missing");
        path->depth++;
        if (s.p < s.end && *s.p == '[') {
            s.p++;
            lvl_status status = selector(&s, step);
            if (status != LVL_OK)
                return status;
        }
    }
    if (end)
        *end = (size_t)(s.p - text.ptr);
    return LVL_OK;
}

lvl_status lvl_path_no_value(lvl_text text, lvl_findings *findings)
{
    char buf[80];

    lvl_findings_add(findings, &lvl_faults[LVL_FAULT_PATH], NULL, NULL,
                     "expected PATH=VALUE, without blanks around the =, got \"%s\"", lvl_show(buf, text));
    return LVL_ERR_ARG;
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

/* Looks for a field of that name further down, and writes the way to it ("planes[0].objects"). */
static bool find_deeper(const lvl_table *table, lvl_text name, unsigned depth, lvl_buffer *way)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        size_t len = way->len;
        if (len)
            lvl_buffer_u8(way, '.');
        lvl_buffer_str(way, f->name);
        if (len && lvl_text_is(name, f->name))
            return true;
        if (f->table && depth) {
            if (f->kind == LVL_LIST)
                lvl_buffer_str(way, "[0]");
            if (find_deeper(f->table, name, depth - 1, way))
                return true;
        }
        way->len = len;
    }
    return false;
}

/* No field is anything like it: all that there are. */
static void report_fields(const lvl_table *table, lvl_text name, lvl_findings *findings)
{
    lvl_buffer all = {0};
    char buf[80];

    for (uint32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].role != LVL_KEPT)
            lvl_buffer_printf(&all, "%s%s", all.len ? ", " : "", table->fields[i].name);
    }
    lvl_findings_add(findings, &lvl_faults[LVL_FAULT_NAME], NULL, NULL, "%s has no field \"%s\"%s%.*s",
                     table->name, lvl_show(buf, name), all.len && all.status == LVL_OK ? "; it has " : "",
                     all.status == LVL_OK ? (int)all.len : 0, all.data ? (const char *)all.data : "");
    lvl_buffer_free(&all);
}

static lvl_status unknown_name(const lvl_path *path, const lvl_table *table, lvl_text name,
                               lvl_findings *findings)
{
    lvl_buffer way = {0};
    char buf[80];
    const char *near = lvl_nearest_field(table, name);

    if (near)
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_NAME], NULL, NULL,
                         "%s has no field \"%s\"; did you mean %s?", table->name, lvl_show(buf, name), near);
    else if (find_deeper(table, name, 3, &way) && way.status == LVL_OK)
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_NAME], NULL, NULL,
                         "%s has no field \"%s\"; did you mean %.*s?", table->name, lvl_show(buf, name),
                         (int)way.len, (const char *)way.data);
    else
        report_fields(table, name, findings);
    lvl_buffer_free(&way);
    (void)path;
    return LVL_ERR_ARG;
}

static lvl_status misuse(const lvl_path_step *step, lvl_findings *findings, const char *what)
{
    char buf[80];

    lvl_findings_add(findings, &lvl_faults[LVL_FAULT_PATH], NULL, NULL, "%s %s", lvl_show(buf, step->name),
                     what);
    return LVL_ERR_ARG;
}

/* Finds the condition's field below the item's table: a, or a.b.c through records. */
static lvl_status bind_name(const lvl_path *path, const lvl_path_step *step, lvl_condition *c,
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
        if (!f)
            return unknown_name(path, table, name, findings);
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

static lvl_status bind_condition(const lvl_path *path, const lvl_path_step *step, lvl_condition *c,
                                 const lvl_doc *doc, lvl_findings *findings)
{
    char buf[80];
    uint32_t bad;

    lvl_kind kind = c->field ? c->field->kind : LVL_TEXT;
    if (kind == LVL_TEXT) {
        if (!lvl_text_from_utf8(&c->text, doc->codepage, c->value, &bad)) {
            lvl_findings_add(findings, &lvl_faults[LVL_FAULT_CHARACTER], NULL, NULL,
                             "%s does not have all characters of \"%s\"", lvl_codepage_name(doc->codepage),
                             lvl_show(buf, c->value));
            return LVL_ERR_ARG;
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
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_VALUE], NULL, NULL, "%s has no value \"%s\"%s%s%s",
                         c->field->name, lvl_show(buf, c->value), near ? ": did you mean " : "",
                         near ? near : "", near ? "?" : "");
        return LVL_ERR_ARG;
    }
    (void)path;
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
            status = bind_name(path, step, c, findings);
        }
        if (status == LVL_OK)
            status = bind_condition(path, step, c, doc, findings);
        if (status != LVL_OK)
            return status;
    }
    return LVL_OK;
}

/* The field of that name. What a document is called goes by "title" and "name" alike, whichever its format
 * uses. */
static const lvl_field *field_of(const lvl_table *table, lvl_text name, bool root)
{
    const lvl_field *f = lvl_table_find(table, name);

    if (!f && root && table->label && (lvl_text_is(name, "title") || lvl_text_is(name, "name")))
        f = lvl_table_find(table, lvl_text_of(table->label));
    return f;
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
            return unknown_name(path, table, step->name, findings);
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
