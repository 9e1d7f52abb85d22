/*
 * tools/explain/explain.c: the bytes of a file as lines: the record or field of each range, and its value.
 * Spans come from reading the file again. Here the span of a fixed record is divided by its table, and the
 * spans of a record in a text format are joined to one line.
 */
#include "tools/explain/explain.h"
#include "tools/dump/dump.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- spans ------------------------------------------------------------------------------------------- */

static lvl_explain_line line_of(const lvl_explainer *e, const lvl_span *s, char *path, size_t size)
{
    lvl_explain_line l = {
        .span = *s, .path = path, .table = s->table, .field = s->field, .index = LVL_NO_INDEX};
    const lvl_table *table;
    const lvl_field *field;
    uint32_t index;

    lvl_where_text(&s->where, path, size);
    l.record = lvl_where_record(e->doc, &s->where, &table, &field, &index);
    if (!l.record)
        return l;
    if (s->table && table != s->table)
        l.record = NULL; /* not the table of the path's record */
    if (!s->table && field) {
        l.field = field;
        l.index = index;
    } else if (!s->table && s->field && lvl_field_named(table, s->field->name) == s->field) {
        l.field = s->field; /* the path is that of the record */
        size_t at = strlen(path);
        snprintf(path + at, size - at, "%s%s", at ? "." : "", s->field->name);
    } else if (!s->table) {
        l.record = NULL;
    }
    return l;
}

typedef bool (*wanted_fn)(const void *user, uint64_t from, uint64_t to, const lvl_where *where);

/* Writes the fields of a fixed record, a line each; only those that are `wanted` (NULL: all). */
static void divide(lvl_explainer *e, const lvl_span *s, const void *record, const lvl_table *table,
                   const lvl_where *where, uint64_t bit, wanted_fn wanted, const void *user)
{
    uint64_t end = s->bit + s->bits;
    char path[400];

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        uint64_t from = bit + (uint64_t)f->disk * 8,
                 bits = (uint64_t)(f->disk_size ? f->disk_size : f->size) * 8;
        if (f->disk == LVL_NO_PLACE || from >= end || (record && !lvl_field_present(record, f)))
            continue;
        const lvl_where at = lvl_where_to(*where, f, LVL_NO_INDEX);
        if (f->kind == LVL_RECORD) {
            divide(e, s, record ? lvl_get_record(record, f) : NULL, f->table, &at, from, wanted, user);
        } else if (!wanted || wanted(user, from, from + bits, &at)) {
            lvl_where_text(&at, path, sizeof path);
            const lvl_explain_line l = {.span = {.space = s->space,
                                                 .bit = from,
                                                 .bits = from + bits > end ? end - from : bits,
                                                 .role = f->role == LVL_DERIVED ? LVL_SPAN_DERIVED : s->role},
                                        .path = path,
                                        .record = record,
                                        .field = f,
                                        .index = LVL_NO_INDEX};
            lvl_explain_put(e, &l, true);
        }
    }
}

static void fields_of(lvl_explainer *e, const lvl_span *s, wanted_fn wanted, const void *user)
{
    char path[400];
    lvl_explain_line l = line_of(e, s, path, sizeof path);

    if (s->table)
        divide(e, s, l.record, s->table, &s->where, s->bit, wanted, user);
    else if (!wanted || wanted(user, s->bit, s->bit + s->bits, &s->where))
        lvl_explain_put(e, &l, true);
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

/* Whether span b is a further part of the record of span a, such as its strings. */
static bool span_continues(const lvl_span *a, const lvl_span *b)
{
    return a->space == b->space && a->bit + a->bits == b->bit && a->where.depth && !b->table &&
           b->where.depth > a->where.depth && lvl_where_above(&a->where, &b->where) &&
           a->where.steps[a->where.depth - 1].index != LVL_NO_INDEX;
}

/* The list of a span whose path is deeper than `depth`, cut at that depth. */
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

/* Whether a span is a part of a field, or not whole bytes. */
static bool is_fine(const lvl_span *s)
{
    return s->has_value || s->bit % 8 || s->bits % 8;
}

static bool span_follows(const lvl_span *a, const lvl_span *b)
{
    return a->space == b->space && a->bit + a->bits == b->bit;
}

/* Sets *owner to the path of the record that a span of a text format belongs to: a record without a fixed
 * part, whose members follow each other with words and blanks between them; if that is the root, to the
 * root's field. False: the span is of no such record. */
static bool text_record(const lvl_explainer *e, const lvl_span *s, lvl_where *owner)
{
    const lvl_table *table = e->doc->format->table;
    uint32_t depth = 0;

    for (uint32_t i = 0; i < s->where.depth; i++) {
        const lvl_step *step = &s->where.steps[i];
        if (step->field->kind == LVL_LIST && step->field->item == LVL_RECORD && step->index != LVL_NO_INDEX) {
            table = step->field->table;
            depth = i + 1;
        }
    }
    if (s->table || table->disk_size || !s->where.depth)
        return false;
    *owner = s->where;
    owner->depth = depth ? depth : 1;
    if (!depth)
        owner->steps[0].index = LVL_NO_INDEX;
    return true;
}

/* Whether a span is a line end or blank that belongs to no record. */
static bool is_separator(const lvl_span *s)
{
    return s->role == LVL_SPAN_SPELLING && !s->field && !s->where.depth && s->bits <= 16;
}

/* Writes one line for the spans from `at` on that are one record in a text format; returns how many, 0: it is
 * no such record. */
static size_t put_text_record(lvl_explainer *e, size_t at)
{
    const lvl_span *spans = e->trace.spans, *first = &spans[at];
    lvl_where owner, next;
    bool one_place = true;
    char path[400];
    size_t k = at + 1;

    if ((e->options->bits && is_fine(first)) || !text_record(e, first, &owner))
        return 0;
    for (; k < e->trace.span_count && span_follows(&spans[k - 1], &spans[k]); k++) {
        if (is_separator(&spans[k]))
            continue;
        if ((e->options->bits && is_fine(&spans[k])) || !text_record(e, &spans[k], &next) ||
            !same_where(&owner, &next))
            break;
        one_place = one_place && same_where(&first->where, &spans[k].where);
    }
    lvl_span all = *first;
    all.bits = spans[k - 1].bit + spans[k - 1].bits - first->bit;
    if (k > at + 1) {
        all.note = NULL;
        all.has_value = false;
    }
    if (!one_place) {
        all.where = owner;
        all.field = NULL;
        all.role = LVL_SPAN_FIELD;
    }
    lvl_explain_line l = line_of(e, &all, path, sizeof path);
    const lvl_table *table;
    const lvl_field *field;
    uint32_t index;
    const void *record = lvl_where_record(e->doc, &all.where, &table, &field, &index);
    if (record && !field && all.where.depth && !l.record) { /* a whole item */
        l.record = record;
        l.table = table;
        l.field = NULL;
    }
    lvl_explain_put(e, &l, false);
    return k - at;
}

static void explain_records(lvl_explainer *e)
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
            lvl_explain_space(e, s.space);
        const size_t taken = deep ? 0 : put_text_record(e, i);
        if (taken) {
            i += taken;
            continue;
        }
        for (; k < n && spans[k].space == s.space; k++) {
            lvl_where next = cut_at(&spans[k].where, depth);
            bool more = deep ? same_where(&cut, &next) && spans[k].where.depth > depth
                             : span_continues(&s, &spans[k]);
            if (!more && !(span_follows(&s, &spans[k]) && is_separator(&spans[k])))
                break;
            records += deep && spans[k].table;
            s.bits = spans[k].bit + spans[k].bits - s.bit;
        }
        lvl_explain_line l = line_of(e, &s, path, sizeof path);
        if (deep && k > first + 1) {
            lvl_where_text(&cut, path, sizeof path);
            snprintf(tail, sizeof tail, "%zu record%s", records, records == 1 ? "" : "s");
            l.record = NULL;
            l.field = NULL;
            l.span.note = tail;
        }
        lvl_explain_put(e, &l, false);
        i = k;
    }
}

/* Without --bits, packets of bits are one field: joins those from `next` on to the span, and returns how many
 * they were. */
static size_t merge_fine(const lvl_explainer *e, lvl_span *s, size_t next)
{
    const lvl_span *spans = e->trace.spans;
    size_t k = next;

    if (e->options->bits || !is_fine(s))
        return 0;
    while (k < e->trace.span_count && is_fine(&spans[k]) && span_follows(&spans[k - 1], &spans[k]) &&
           same_where(&s->where, &spans[k].where))
        k++;
    if (k > next) {
        s->bits = spans[k - 1].bit + spans[k - 1].bits - s->bit;
        s->has_value = false;
        s->note = NULL;
        s->role = LVL_SPAN_FIELD;
    }
    return k - next;
}

static void explain_all(lvl_explainer *e)
{
    const lvl_span *spans = e->trace.spans;
    const size_t n = e->trace.span_count;

    e->prose_once = true;
    for (size_t i = 0; i < n && e->out->status == LVL_OK;) {
        lvl_span s = spans[i];
        if (!i || spans[i - 1].space != s.space)
            lvl_explain_space(e, s.space);
        i++;
        i += merge_fine(e, &s, i);
        fields_of(e, &s, NULL, NULL);
    }
}

static void put_gap(void *user, const lvl_claim *gap)
{
    lvl_explainer *e = user;
    const lvl_explain_line l = {.span = {.space = gap->space,
                                         .bit = gap->from,
                                         .bits = gap->to - gap->from,
                                         .role = LVL_SPAN_RESIDUE,
                                         .note = "no field covers these bytes"},
                                .path = "",
                                .index = LVL_NO_INDEX};

    lvl_explain_put(e, &l, true);
}

/* ---- one offset or path ------------------------------------------------------------------------------ */

/* The byte or the bit to explain. */
typedef struct place_bits {
    uint64_t bit, bits;
} place_bits;

static bool parse_offset(const char **p, uint64_t *out)
{
    static const lvl_field offset = {.kind = LVL_INT, .size = sizeof(int64_t)};
    const size_t len = strcspn(*p, "/.");
    int64_t v;

    if (!lvl_int_parse(&offset, (lvl_text){*p, len}, &v) || v < 0 || v > INT64_MAX / 16)
        return false;
    *p += len;
    *out = (uint64_t)v;
    return true;
}

/* Parses "0x5f4/0x697": each offset but the last is the start of a stream, and the next one is an offset in
 * it; "0x8.5" is one bit. */
static lvl_status find_offset(lvl_explainer *e, uint32_t *space, place_bits *place, lvl_findings *findings)
{
    const char *p = e->options->at ? e->options->at : "";
    const lvl_trace_space *s = lvl_trace_find(&e->trace, 0);
    const char *why = "is not an offset; expected one like 0x1a3, or 0x5f4/0x697 in a stream";
    uint64_t v;
    char buf[80];

    for (;;) {
        if (!parse_offset(&p, &v))
            break;
        const bool one_bit = p[0] == '.' && p[1] >= '0' && p[1] <= '7' && !p[2];
        const unsigned in_byte = one_bit ? (unsigned)(p[1] - '0') : 0;
        p += one_bit ? 2 : 0;
        if (*p && *p != '/')
            break;
        if (!*p) {
            if (!s || v < s->space.base || v - s->space.base >= s->size) {
                why = "is outside of the file or stream";
                break;
            }
            *space = s->space.id;
            place->bit = v * 8 + in_byte;
            place->bits = one_bit ? 1 : 8;
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
            why = "is not the start of a stream";
            break;
        }
    }
    return lvl_fault_add(findings, LVL_FAULT_OFFSET, "\"%s\" %s", lvl_show(buf, lvl_text_of(e->options->at)),
                         why);
}

static bool holds_bit(const void *user, uint64_t from, uint64_t to, const lvl_where *where)
{
    const place_bits *place = user;

    (void)where;
    return from < place->bit + place->bits && to > place->bit;
}

/* Writes the text record that a span is a part of, from its first adjacent span. */
static void put_around(lvl_explainer *e, size_t at)
{
    const lvl_span *spans = e->trace.spans;
    lvl_where owner, before;
    size_t first = at;

    if (!text_record(e, &spans[at], &owner) || owner.steps[owner.depth - 1].index == LVL_NO_INDEX)
        return;
    while (first && span_follows(&spans[first - 1], &spans[first]) &&
           text_record(e, &spans[first - 1], &before) && same_where(&owner, &before))
        first--;
    (void)put_text_record(e, first);
}

static lvl_status explain_at(lvl_explainer *e, lvl_findings *findings)
{
    const lvl_explain_options *options = e->options;
    place_bits place = {0, 0};
    bool around = false;
    uint32_t space = 0;
    char path[400];

    lvl_status status = find_offset(e, &space, &place, findings);
    if (status != LVL_OK)
        return status;
    for (size_t i = 0; i < e->trace.span_count; i++) {
        const lvl_span *s = &e->trace.spans[i];
        if (s->space != space || !holds_bit(&place, s->bit, s->bit + s->bits, NULL))
            continue;
        if (s->table && !options->json) {
            lvl_explain_line l = line_of(e, s, path, sizeof path);
            lvl_explain_put(e, &l, false);
        } else if (!around && !options->json) {
            lvl_explain_options whole = *options; /* packets of bits belong to the record here */
            whole.bits = false;
            e->options = &whole;
            put_around(e, i);
            e->options = options;
            around = true;
        }
        fields_of(e, s, holds_bit, &place);
    }
    if (!e->any) {
        lvl_claim gap = {space, place.bit, place.bit + place.bits};
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

/* Explains the bytes of cells, row by row, if the grid has the same layout in the file and in memory. */
static bool explain_cells(lvl_explainer *e, const lvl_span *s, const lvl_match *m)
{
    const lvl_cells *c = lvl_get_cells(m->record, m->field);
    const int64_t *r = m->region;
    char path[460];

    if (m->field->kind != LVL_CELLS || s->bits != (uint64_t)c->width * c->height * c->size * 8)
        return false;
    for (int64_t y = r[1]; y <= r[3] && e->out->status == LVL_OK; y++) {
        lvl_match row = *m;
        row.region[1] = row.region[3] = y;
        lvl_match_text(&row, path, sizeof path);
        uint64_t from = s->bit + ((uint64_t)y * c->width + (uint64_t)r[0]) * c->size * 8;
        lvl_buffer value = {0};
        lvl_emit emit = e->emit;
        emit.out = &value;
        emit.compact = true;
        lvl_write_match(&emit, &row, 0);
        lvl_buffer_u8(&value, 0);
        const lvl_explain_line l = {.span = {.space = s->space,
                                             .bit = from,
                                             .bits = (uint64_t)(r[2] - r[0] + 1) * c->size * 8,
                                             .role = s->role,
                                             .note = "cells"},
                                    .path = path,
                                    .index = LVL_NO_INDEX,
                                    .json = value.status == LVL_OK ? (const char *)value.data : NULL};
        lvl_explain_put(e, &l, true);
        lvl_buffer_free(&value);
    }
    return true;
}

static lvl_status explain_path(lvl_explainer *e, lvl_findings *findings)
{
    lvl_match *matches;
    size_t count;

    lvl_status status = lvl_path_matches(e->doc, lvl_text_of(e->options->path ? e->options->path : ""),
                                         &matches, &count, findings);
    for (size_t i = 0; i < count; i++) {
        lvl_where where = matches[i].where;
        if (matches[i].index != LVL_NO_INDEX && where.depth)
            where.steps[where.depth - 1].index = matches[i].index;
        for (size_t k = 0; k < e->trace.span_count && e->out->status == LVL_OK;) {
            lvl_span s = e->trace.spans[k++];
            lvl_where here = s.where;
            if (!s.table && s.field && (!here.depth || here.steps[here.depth - 1].field != s.field))
                here = lvl_where_to(here, s.field, LVL_NO_INDEX);
            if (!lvl_where_above(&where, &here) && !(s.table && lvl_where_above(&s.where, &where)))
                continue;
            if (s.table) {
                fields_of(e, &s, is_below, &where);
                continue;
            }
            /* single cells, unless the file has them packed */
            if (matches[i].has_region && (explain_cells(e, &s, &matches[i]) || !is_fine(&s)))
                continue;
            k += merge_fine(e, &s, k);
            fields_of(e, &s, NULL, NULL);
        }
    }
    free(matches);
    return status;
}

lvl_status lvl_explain(const lvl_doc *doc, const lvl_explain_options *options, lvl_buffer *out,
                       lvl_findings *findings)
{
    const lvl_explain_options none = {0};
    lvl_explainer e;

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
