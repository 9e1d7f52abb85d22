/*
 * tools/explain.c: a file's bytes as lines: which record or field each range is, and what it says. Spans come from reading again; a fixed
 * record's span is divided here by its table.
 */
#include "base/text.h"
#include "codec/json.h"
#include "tools/path.h"
#include "tools/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct explainer {
    lvl_trace trace;
    const lvl_doc *doc;
    const lvl_explain_options *options;
    lvl_emit emit;
    lvl_buffer *out;
    lvl_buffer text; /* scratch */
    bool any;
} explainer;

/* One line of the answer. */
typedef struct line {
    uint32_t space;
    uint64_t bit, bits;
    lvl_span_role role;
    const char *path;       /* "" for the document */
    const lvl_table *table; /* a whole record … */
    const void *record;
    const lvl_field *field; /* … or one field of it, or an item */
    uint32_t index;
    const char *note;
    const char *json; /* a value that is neither of these, or NULL */
} line;

static const char *role_name(lvl_span_role role)
{
    static const char *const names[] = {"field", "derived", "spelling", "container", "padding", "residue"};
    return names[role];
}

/* ---- values -------------------------------------------------------------------------------------------------------------------------- */

static const void *item_of(const line *l, lvl_field *field)
{
    if (l->index == LVL_NO_INDEX) {
        *field = *l->field;
        return l->record;
    }
    *field = lvl_item_field(l->field);
    return lvl_list_item(l->record, l->field, l->index);
}

/* ---- lines --------------------------------------------------------------------------------------------------------------------------- */

static lvl_bytes raw_of(const explainer *e, const line *l)
{
    const lvl_trace_space *s = lvl_trace_find(&e->trace, l->space);
    lvl_bytes b = {NULL, 0};

    if (!s || l->bit / 8 < s->space.base || l->bit / 8 - s->space.base >= s->space.bytes.len)
        return b;
    size_t from = (size_t)(l->bit / 8 - s->space.base), left = s->space.bytes.len - from;
    uint64_t want = (l->bit % 8 + l->bits + 7) / 8;
    b.ptr = s->space.bytes.ptr + from;
    b.len = want < left ? (size_t)want : left;
    return b;
}

static lvl_emit scratch_of(explainer *e)
{
    lvl_emit scratch = e->emit;

    scratch.out = &e->text;
    return scratch;
}

enum { MEMBERS = 6 }; /* shown of a record */

static void json_line(explainer *e, const line *l)
{
    const lvl_emit scratch = scratch_of(e);
    enum { RAW = 32 };
    lvl_buffer *out = e->out;
    const lvl_trace_space *s = lvl_trace_find(&e->trace, l->space);
    lvl_bytes raw = raw_of(e, l);
    lvl_field field;

    lvl_buffer_str(out, "{\"offset\":");
    lvl_json_uint(out, l->bit / 8);
    lvl_buffer_str(out, ",\"length\":");
    lvl_json_uint(out, (l->bit % 8 + l->bits + 7) / 8);
    if (e->options->bits) {
        lvl_buffer_str(out, ",\"bit\":");
        lvl_json_uint(out, l->bit);
        lvl_buffer_str(out, ",\"bits\":");
        lvl_json_uint(out, l->bits);
    }
    if (s && s->space.id) {
        char outer[100];
        lvl_trace_position(&e->trace, s->space.parent, s->space.parent_bit, false, outer, sizeof outer);
        lvl_buffer_str(out, ",\"outer\":");
        if (s->space.parent)
            lvl_json_string(out, lvl_text_of(outer));
        else
            lvl_json_uint(out, s->space.parent_bit / 8);
    }
    lvl_buffer_str(out, ",\"role\":");
    lvl_json_string(out, lvl_text_of(role_name(l->role)));
    lvl_buffer_str(out, ",\"path\":");
    lvl_json_string(out, lvl_text_of(l->path));
    lvl_buffer_str(out, ",\"name\":");
    lvl_json_string(out, lvl_text_of(l->field   ? l->field->name
                                     : l->table ? l->table->name
                                     : l->note  ? l->note
                                                : ""));
    if (l->record && (l->field || l->table)) {
        lvl_buffer_str(out, ",\"value\":");
        e->text.len = 0;
        if (!l->field) {
            lvl_write_summary(&scratch, l->record, l->table, MEMBERS);
        } else {
            const void *record = item_of(l, &field);
            if (field.kind == LVL_CELLS || field.kind == LVL_LIST ||
                (field.kind == LVL_BYTES && lvl_get_bytes(record, &field).len > RAW)) {
                lvl_write_short(&scratch, record, &field);
            } else {
                lvl_emit emit = e->emit;
                lvl_write_value(&emit, record, &field, 0);
            }
        }
        if (e->text.len) {
            lvl_text t = {(const char *)e->text.data, e->text.len};
            lvl_json_string(out, t);
        }
    }
    if (l->json) {
        lvl_buffer_str(out, ",\"value\":");
        lvl_buffer_str(out, l->json);
    }
    lvl_buffer_str(out, ",\"raw\":\"");
    raw.len = raw.len > RAW ? RAW : raw.len;
    lvl_json_hex(out, raw);
    lvl_buffer_u8(out, '"');
    if (l->field && l->field->unit) {
        lvl_buffer_str(out, ",\"unit\":");
        lvl_json_string(out, lvl_text_of(l->field->unit));
    }
    if (l->field && l->field->prose) {
        lvl_buffer_str(out, ",\"prose\":");
        lvl_json_string(out, lvl_text_of(l->field->prose));
    }
    lvl_buffer_str(out, "}\n");
}

static void put_length(explainer *e, const line *l)
{
    if (e->options->bits)
        lvl_buffer_printf(e->out, " %8llub  ", (unsigned long long)l->bits);
    else
        lvl_buffer_printf(e->out, " %8llu  ", (unsigned long long)((l->bit % 8 + l->bits + 7) / 8));
}

static void text_line(explainer *e, const line *l, bool raw)
{
    const lvl_emit scratch = scratch_of(e);
    enum { RAW = 8 };
    char position[100];
    lvl_bytes bytes = raw_of(e, l);
    lvl_field field;

    lvl_trace_position(&e->trace, l->space, l->bit, e->options->bits, position, sizeof position);
    lvl_buffer_printf(e->out, "%-16s", position);
    put_length(e, l);
    if (raw) {
        char hex[RAW * 2 + 4] = "";
        size_t n = bytes.len < RAW ? bytes.len : RAW;
        for (size_t i = 0; i < n; i++)
            snprintf(hex + i * 2, 3, "%02x", bytes.ptr[i]);
        if (bytes.len > RAW)
            memcpy(hex + RAW * 2 - 2, "..", 3);
        lvl_buffer_printf(e->out, "%-17s ", hex);
    }
    e->text.len = 0;
    if (l->json) {
        lvl_buffer_str(&e->text, l->json);
    } else if (l->record && l->field) {
        const void *record = item_of(l, &field);
        lvl_write_short(&scratch, record, &field);
    } else if (l->record && l->table) {
        lvl_write_summary(&scratch, l->record, l->table, MEMBERS);
    } else if (l->note) {
        lvl_buffer_str(&e->text, l->note);
    } else if (l->role != LVL_SPAN_FIELD) {
        lvl_buffer_str(&e->text, role_name(l->role));
    }
    lvl_buffer_str(e->out, l->path);
    if ((l->field && l->record) || l->json)
        lvl_buffer_str(e->out, " = ");
    else if (*l->path)
        lvl_buffer_str(e->out, "  ");
    lvl_buffer_add(e->out, e->text.data, e->text.len);
    if (l->field && l->field->unit)
        lvl_buffer_printf(e->out, " %s", l->field->unit);
    if (l->field && l->record && l->note)
        lvl_buffer_printf(e->out, " (%s)", l->note);
    if (raw && l->field && l->field->prose)
        lvl_buffer_printf(e->out, "  ; %s", l->field->prose);
    lvl_buffer_u8(e->out, '\n');
}

static void put_line(explainer *e, const line *l, bool raw)
{
    e->any = true;
    if (e->options->json)
        json_line(e, l);
    else
        text_line(e, l, raw);
    if (e->text.status != LVL_OK && e->out->status == LVL_OK)
        e->out->status = e->text.status;
}

/* ---- spans --------------------------------------------------------------------------------------------------------------------------- */

static line line_of(const explainer *e, const lvl_span *s, char *path, size_t size)
{
    line l = {s->space, s->bit,   s->bits,      s->role, path, s->table,
              NULL,     s->field, LVL_NO_INDEX, s->note, NULL};
    const lvl_table *table;
    const lvl_field *field;
    uint32_t index;

    lvl_where_text(&s->where, path, size);
    l.record = lvl_where_record(e->doc, &s->where, &table, &field, &index);
    if (!l.record)
        return l;
    if (s->table && table != s->table)
        l.record = NULL; /* a table of something else than the path's record */
    if (!s->table && field) {
        l.field = field;
        l.index = index;
    } else if (!s->table && s->field && lvl_table_find(table, lvl_text_of(s->field->name)) == s->field) {
        l.field = s->field; /* the path is the record's, the field one of its own */
        size_t at = strlen(path);
        snprintf(path + at, size - at, "%s%s", at ? "." : "", s->field->name);
    } else if (!s->table) {
        l.record = NULL;
    }
    return l;
}

typedef bool (*wanted_fn)(const void *user, uint64_t from, uint64_t to, const lvl_where *where);

/* The fields of a fixed record, each on a line, if `wanted` (NULL: all). */
static void divide(explainer *e, const lvl_span *s, const void *record, const lvl_table *table,
                   lvl_where *where, uint64_t bit, wanted_fn wanted, const void *user)
{
    uint64_t end = s->bit + s->bits;
    char path[400];

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        uint64_t from = bit + (uint64_t)f->disk * 8,
                 bits = (uint64_t)(f->disk_size ? f->disk_size : f->size) * 8;
        if (f->disk == LVL_NO_PLACE || from >= end || (record && !lvl_field_present(record, f)))
            continue;
        uint32_t depth = where->depth;
        if (depth < LVL_PATH_DEPTH) {
            where->steps[depth].field = f;
            where->steps[depth].index = LVL_NO_INDEX;
            where->depth++;
        }
        if (f->kind == LVL_RECORD) {
            divide(e, s, record ? lvl_get_record(record, f) : NULL, f->table, where, from, wanted, user);
        } else if (!wanted || wanted(user, from, from + bits, where)) {
            lvl_where_text(where, path, sizeof path);
            line l = {s->space,
                      from,
                      from + bits > end ? end - from : bits,
                      f->role == LVL_DERIVED ? LVL_SPAN_DERIVED : s->role,
                      path,
                      NULL,
                      record,
                      f,
                      LVL_NO_INDEX,
                      NULL,
                      NULL};
            put_line(e, &l, true);
        }
        where->depth = depth;
    }
}

static void fields_of(explainer *e, const lvl_span *s, wanted_fn wanted, const void *user)
{
    lvl_where where = s->where;
    char path[400];
    line l = line_of(e, s, path, sizeof path);

    if (s->table)
        divide(e, s, l.record, s->table, &where, s->bit, wanted, user);
    else if (!wanted || wanted(user, s->bit, s->bit + s->bits, &s->where))
        put_line(e, &l, true);
}

static int by_bit(const void *a, const void *b)
{
    const lvl_span *x = a, *y = b;

    if (x->space != y->space)
        return x->space < y->space ? -1 : 1;
    if (x->bit != y->bit)
        return x->bit < y->bit ? -1 : 1;
    return (x->bits < y->bits) - (x->bits > y->bits);
}

static void space_head(explainer *e, uint32_t id)
{
    const lvl_trace_space *s = lvl_trace_find(&e->trace, id);
    char position[100] = "";

    if (e->options->json || !s)
        return;
    if (id)
        lvl_trace_position(&e->trace, s->space.parent, s->space.parent_bit, false, position, sizeof position);
    lvl_buffer_printf(e->out, "%s%s%s%s, %llu bytes\n", e->any ? "\n" : "", position, id ? ": " : "",
                      s->space.name ? s->space.name : "file", (unsigned long long)s->size);
}

/* Whether b is a further part of the record that span a is: its strings behind it, say. */
static bool continues(const lvl_span *a, const lvl_span *b)
{
    return a->space == b->space && a->bit + a->bits == b->bit && a->where.depth && !b->table &&
           b->where.depth > a->where.depth && lvl_where_above(&a->where, &b->where) &&
           a->where.steps[a->where.depth - 1].index != LVL_NO_INDEX;
}

/* The list, deeper than wanted, that a span belongs to. */
static lvl_where cut_at(const lvl_where *where, unsigned depth)
{
    lvl_where cut = *where;

    if (depth && cut.depth > depth) {
        cut.depth = depth + 1;
        cut.steps[depth].index = LVL_NO_INDEX;
    }
    return cut;
}

static bool same_where(const lvl_where *a, const lvl_where *b)
{
    return a->depth == b->depth && lvl_where_above(a, b) && lvl_where_above(b, a);
}

static void explain_records(explainer *e)
{
    const lvl_span *spans = e->trace.spans;
    const size_t n = e->trace.span_count;
    const unsigned depth = e->options->depth;
    char path[400], tail[60];

    for (size_t i = 0; i < n && e->out->status == LVL_OK;) {
        lvl_span s = spans[i];
        lvl_where cut = cut_at(&s.where, depth);
        bool deep = depth && s.where.depth > depth;
        const size_t first = i;
        size_t k = i + 1, records = 1;
        if (!i || spans[i - 1].space != s.space)
            space_head(e, s.space);
        for (; k < n && spans[k].space == s.space; k++) {
            lvl_where next = cut_at(&spans[k].where, depth);
            if (deep ? !same_where(&cut, &next) || spans[k].where.depth <= depth : !continues(&s, &spans[k]))
                break;
            records += deep && spans[k].table;
            s.bits = spans[k].bit + spans[k].bits - s.bit;
        }
        line l = line_of(e, &s, path, sizeof path);
        if (deep && k > first + 1) {
            lvl_where_text(&cut, path, sizeof path);
            snprintf(tail, sizeof tail, "%zu record%s", records, records == 1 ? "" : "s");
            l.record = NULL;
            l.field = NULL;
            l.note = tail;
        }
        put_line(e, &l, false);
        i = k;
    }
}

static void explain_all(explainer *e)
{
    for (size_t i = 0; i < e->trace.span_count && e->out->status == LVL_OK; i++) {
        if (!i || e->trace.spans[i - 1].space != e->trace.spans[i].space)
            space_head(e, e->trace.spans[i].space);
        fields_of(e, &e->trace.spans[i], NULL, NULL);
    }
}

static void put_gap(void *user, const lvl_claim *gap)
{
    explainer *e = user;
    line l = {gap->space,
              gap->from,
              gap->to - gap->from,
              LVL_SPAN_RESIDUE,
              "",
              NULL,
              NULL,
              NULL,
              LVL_NO_INDEX,
              "nothing claims these bytes",
              NULL};

    put_line(e, &l, true);
}

/* ---- one place ----------------------------------------------------------------------------------------------------------------------- */

static bool parse_offset(const char **p, uint64_t *out)
{
    uint64_t v = 0;
    unsigned base = 10;
    const char *from;

    if ((*p)[0] == '0' && ((*p)[1] == 'x' || (*p)[1] == 'X')) {
        base = 16;
        *p += 2;
    }
    for (from = *p;; (*p)++) {
        char c = lvl_lower(**p);
        unsigned d = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                            : 99;
        if (d >= base) {
            *out = v;
            return *p > from;
        }
        if (v > (UINT64_MAX / 16 - d) / base)
            return false;
        v = v * base + d;
    }
}

/* "0x5f4/0x697": each but the last names the stream whose inside is meant. */
static lvl_status find_offset(explainer *e, uint32_t *space, uint64_t *bit, lvl_findings *findings)
{
    const char *p = e->options->at ? e->options->at : "";
    const lvl_trace_space *s = lvl_trace_find(&e->trace, 0);
    const char *why = "is no offset: 0x1a3, or 0x5f4/0x697 in a stream";
    uint64_t v;
    char buf[80];

    for (;;) {
        if (!parse_offset(&p, &v) || (*p && *p != '/'))
            break;
        if (!*p) {
            if (!s || v < s->space.base || v - s->space.base >= s->size) {
                why = "lies outside of the file, or of the stream";
                break;
            }
            *space = s->space.id;
            *bit = v * 8;
            return LVL_OK;
        }
        p++;
        uint32_t parent = s ? s->space.id : 0;
        s = NULL;
        for (size_t i = 0; i < e->trace.space_count && !s; i++) {
            const lvl_trace_space *c = &e->trace.spaces[i];
            if (c->space.id && c->space.parent == parent && c->space.parent_bit / 8 == v)
                s = c;
        }
        if (!s) {
            why = "names no stream";
            break;
        }
    }
    lvl_findings_add(findings, &lvl_faults[LVL_FAULT_OFFSET], NULL, NULL, "\"%s\" %s",
                     lvl_show(buf, lvl_text_of(e->options->at)), why);
    return LVL_ERR_ARG;
}

static bool holds_bit(const void *user, uint64_t from, uint64_t to, const lvl_where *where)
{
    uint64_t bit = *(const uint64_t *)user;

    (void)where;
    return from < bit + 8 && to > bit; /* any part of the byte */
}

static lvl_status explain_at(explainer *e, lvl_findings *findings)
{
    uint32_t space;
    uint64_t bit;
    char path[400];

    lvl_status status = find_offset(e, &space, &bit, findings);
    if (status != LVL_OK)
        return status;
    for (size_t i = 0; i < e->trace.span_count; i++) {
        const lvl_span *s = &e->trace.spans[i];
        if (s->space != space || !holds_bit(&bit, s->bit, s->bit + s->bits, NULL))
            continue;
        if (s->table && !e->options->json) {
            line l = line_of(e, s, path, sizeof path);
            put_line(e, &l, false);
        }
        fields_of(e, s, holds_bit, &bit);
    }
    if (!e->any) {
        lvl_claim gap = {space, bit, bit + 8};
        put_gap(e, &gap);
    }
    return LVL_OK;
}

static bool is_below(const void *user, uint64_t from, uint64_t to, const lvl_where *where)
{
    (void)from;
    (void)to;
    return lvl_where_above(user, where);
}

/* A cell's own bytes, where the grid lies in the file as it does in memory. */
static void explain_cells(explainer *e, const lvl_span *s, const lvl_match *m)
{
    const lvl_cells *c = lvl_get_cells(m->record, m->field);
    const uint32_t *r = m->region;
    char path[460];

    if (s->bits != (uint64_t)c->width * c->height * c->size * 8)
        return;
    for (uint32_t y = r[1]; y <= r[3] && e->out->status == LVL_OK; y++) {
        lvl_match row = *m;
        row.region[1] = row.region[3] = y;
        lvl_match_text(&row, path, sizeof path);
        uint64_t from = s->bit + ((uint64_t)y * c->width + r[0]) * c->size * 8;
        lvl_buffer value = {0};
        lvl_emit emit = e->emit;
        emit.out = &value;
        emit.compact = true;
        lvl_write_match(&emit, &row, 0);
        lvl_buffer_u8(&value, 0);
        line l = {s->space,
                  from,
                  (uint64_t)(r[2] - r[0] + 1) * c->size * 8,
                  s->role,
                  path,
                  NULL,
                  NULL,
                  NULL,
                  LVL_NO_INDEX,
                  "cells",
                  value.status == LVL_OK ? (const char *)value.data : NULL};
        put_line(e, &l, true);
        lvl_buffer_free(&value);
    }
}

static lvl_status explain_path(explainer *e, lvl_findings *findings)
{
    lvl_match *matches;
    size_t count;

    lvl_status status = lvl_path_matches(e->doc, lvl_text_of(e->options->path ? e->options->path : ""),
                                         &matches, &count, findings);
    for (size_t i = 0; i < count; i++) {
        lvl_where where = matches[i].where;
        if (matches[i].index != LVL_NO_INDEX && where.depth)
            where.steps[where.depth - 1].index = matches[i].index;
        for (size_t k = 0; k < e->trace.span_count && e->out->status == LVL_OK; k++) {
            const lvl_span *s = &e->trace.spans[k];
            lvl_where here = s->where;
            if (!s->table && s->field && (!here.depth || here.steps[here.depth - 1].field != s->field))
                here = lvl_where_to(here, s->field, LVL_NO_INDEX);
            if (!lvl_where_above(&where, &here) && !(s->table && lvl_where_above(&s->where, &where)))
                continue;
            if (matches[i].has_region && !s->table)
                explain_cells(e, s, &matches[i]);
            else if (s->table)
                fields_of(e, s, is_below, &where);
            else
                fields_of(e, s, NULL, NULL);
        }
    }
    free(matches);
    return status;
}

lvl_status lvl_explain(const lvl_doc *doc, const lvl_explain_options *options, lvl_buffer *out,
                       lvl_findings *findings)
{
    const lvl_explain_options none = {0};
    explainer e;

    memset(&e, 0, sizeof e);
    e.doc = doc;
    e.options = options ? options : &none;
    e.emit = lvl_emit_of(doc, out);
    e.emit.compact = true;
    e.out = out;
    if (!doc->input.len)
        return LVL_ERR_MISSING;
    lvl_status status = lvl_trace_read(&e.trace, doc, true, NULL);
    if (status == LVL_OK) {
        if (e.trace.span_count)
            qsort(e.trace.spans, e.trace.span_count, sizeof *e.trace.spans, by_bit);
        switch (e.options->mode) {
        case LVL_EXPLAIN_RECORDS: explain_records(&e); break;
        case LVL_EXPLAIN_AT: status = explain_at(&e, findings); break;
        case LVL_EXPLAIN_PATH: status = explain_path(&e, findings); break;
        case LVL_EXPLAIN_ALL: explain_all(&e); break;
        case LVL_EXPLAIN_RESIDUE: break;
        }
        if (e.options->mode == LVL_EXPLAIN_RESIDUE || e.options->mode == LVL_EXPLAIN_ALL)
            lvl_trace_gaps(&e.trace, put_gap, &e, NULL);
    }
    lvl_buffer_free(&e.text);
    lvl_trace_free(&e.trace);
    return status != LVL_OK ? status : out->status;
}
