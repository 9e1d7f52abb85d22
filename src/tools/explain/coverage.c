/*
 * tools/explain/coverage.c: collects spans and finds the gaps between them.
 */
#include "tools/explain/coverage.h"

#include "base/arena.h"
#include "base/search.h"
#include "tools/values/json_write.h"
#include "base/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARES = 3 }; /* the spans may take this many lvl_memory_share */

static void add_claim(lvl_trace *t, uint32_t space, uint64_t from, uint64_t to)
{
    if (from >= to || t->status != LVL_OK)
        return;
    if (t->claim_count && t->claims[t->claim_count - 1].space == space &&
        t->claims[t->claim_count - 1].to == from) {
        t->claims[t->claim_count - 1].to = to; /* most spans are adjacent */
        return;
    }
    if (!lvl_grow(&t->claims, &t->claim_cap, t->claim_count + 1, sizeof *t->claims)) {
        t->status = LVL_ERR_MEMORY;
        return;
    }
    lvl_claim c = {space, from, to};
    t->claims[t->claim_count++] = c;
}

static void on_space(lvl_sink *sink, const lvl_space *space)
{
    lvl_trace *t = (lvl_trace *)(void *)sink;

    if (t->status != LVL_OK)
        return;
    if (!lvl_grow(&t->spaces, &t->space_cap, t->space_count + 1, sizeof *t->spaces)) {
        t->status = LVL_ERR_MEMORY;
        return;
    }
    lvl_trace_space *s = &t->spaces[t->space_count++];
    memset(s, 0, sizeof *s);
    s->space = *space;
    s->size = space->bytes.len;
    if (space->id == 0 || !t->keep || !space->bytes.len) {
        if (space->id != 0)
            s->space.bytes.len = 0;
        return;
    }
    const uint64_t left = lvl_memory_share(t->doc->ctx) - t->kept;
    s->owned = space->bytes.len <= left ? malloc(space->bytes.len) : NULL;
    if (!s->owned) {
        t->status = space->bytes.len <= left
                        ? LVL_ERR_MEMORY
                        : lvl_refuse(t->doc->ctx, LVL_LIMIT_MEMORY, left, space->bytes.len);
        s->space.bytes.len = 0;
        return;
    }
    memcpy(s->owned, space->bytes.ptr, space->bytes.len);
    t->kept += space->bytes.len;
    s->space.bytes.ptr = s->owned;
}

static uint32_t disk_size(const lvl_field *f)
{
    return f->disk_size ? f->disk_size : f->size;
}

/* How many leading bytes of a fixed record its fields cover without a gap. */
static uint64_t count_covered(const lvl_table *table)
{
    uint64_t end = 0;
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t i = 0; i < table->field_count; i++) {
            const lvl_field *f = &table->fields[i];
            if (f->disk == LVL_NO_PLACE || f->disk > end || (uint64_t)f->disk + disk_size(f) <= end)
                continue;
            uint64_t inner = f->kind == LVL_RECORD ? count_covered(f->table) : disk_size(f);
            if (f->disk + inner > end) {
                end = f->disk + inner;
                more = true;
            }
        }
    }
    return end;
}

/* A span with a path, in a third of its memory. */
struct lvl_trace_place {
    uint64_t bit, bits;
    const lvl_table *table;
    uint32_t space, depth;
    size_t step; /* the first of its path */
};

/* Keeps where a span with a path is, for findings; if there are more than fit, none is used. */
static void record_place(lvl_trace *t, const lvl_span *span)
{
    enum { MOST = 1 << 17 };
    const uint32_t depth = span->where.depth;

    if (t->full || !depth)
        return;
    t->full = t->place_count == MOST ||
              !lvl_grow(&t->places, &t->place_cap, t->place_count + 1, sizeof *t->places) ||
              !lvl_grow(&t->steps, &t->step_cap, t->step_count + depth, sizeof *t->steps);
    if (t->full)
        return;
    t->places[t->place_count++] =
        (struct lvl_trace_place){span->bit, span->bits, span->table, span->space, depth, t->step_count};
    memcpy(t->steps + t->step_count, span->where.steps, depth * sizeof *t->steps);
    t->step_count += depth;
}

static void on_span(lvl_sink *sink, const lvl_span *span)
{
    lvl_trace *t = (lvl_trace *)(void *)sink;

    if (t->status != LVL_OK || !span->bits)
        return;
    if (t->keep) {
        const uint64_t most = (uint64_t)lvl_memory_share(t->doc->ctx) * SHARES / sizeof *t->spans;
        if (t->span_count >= most) {
            t->status = lvl_refuse(t->doc->ctx, LVL_LIMIT_MEMORY, most * sizeof *t->spans, 0);
            return;
        }
        if (!lvl_grow(&t->spans, &t->span_cap, t->span_count + 1, sizeof *t->spans)) {
            t->status = LVL_ERR_MEMORY;
            return;
        }
        t->spans[t->span_count++] = *span;
        t->status = lvl_charge(t->doc->ctx, 64);
    }
    if (t->record)
        record_place(t, span);
    if (span->role == LVL_SPAN_RESIDUE)
        return;
    if (span->table && span->table != t->last_table) {
        t->last_table = span->table;
        t->last_covered = count_covered(span->table);
    }
    /* what follows a gap in the table is residue, so that no table can leave bytes out unnoticed */
    const uint64_t described = span->table ? t->last_covered * 8 : UINT64_MAX;
    add_claim(t, span->space, span->bit, span->bit + (described < span->bits ? described : span->bits));
}

void lvl_trace_begin(lvl_trace *t)
{
    memset(t, 0, sizeof *t);
    t->sink.space = on_space;
    t->sink.span = on_span;
    t->record = true;
}

/* Completes the spaces after a reading. */
static lvl_status end_reading(lvl_trace *t, const lvl_doc *doc)
{
    if (t->status == LVL_OK && !lvl_trace_find(t, 0)) {
        /* a reader without streams need not emit the file as a space */
        const lvl_space file = {.bytes = doc->input, .name = "file"};
        on_space(&t->sink, &file);
    }
    return t->status;
}

lvl_status lvl_trace_read(lvl_trace *t, const lvl_doc *doc, bool keep, lvl_findings *findings)
{
    lvl_trace_begin(t);
    t->record = false;
    t->sink.fine = keep;
    t->doc = doc;
    t->keep = keep;
    const lvl_status status =
        findings ? lvl_doc_locate_and_trace(doc, findings, &t->sink) : lvl_doc_trace(doc, &t->sink);
    return t->status == LVL_OK && status != LVL_OK ? status : end_reading(t, doc);
}

void lvl_trace_free(lvl_trace *t)
{
    for (size_t i = 0; i < t->space_count; i++)
        free(t->spaces[i].owned);
    free(t->spaces);
    free(t->spans);
    free(t->claims);
    free(t->places);
    free(t->steps);
    memset(t, 0, sizeof *t);
}

static int by_place(const void *a, const void *b)
{
    const lvl_claim *x = a, *y = b;

    if (x->space != y->space)
        return x->space < y->space ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* The first of the sorted claims in a space, or in a later one. */
static size_t first_claim(const lvl_trace *t, uint32_t space)
{
    size_t at;

    LVL_LOWER_BOUND(at, t->claim_count, t->claims[at].space < space);
    return at;
}

void lvl_trace_gaps(lvl_trace *t, void (*gap)(void *user, const lvl_claim *gap), void *user,
                    uint64_t *overlap)
{
    if (t->claim_count)
        qsort(t->claims, t->claim_count, sizeof *t->claims, by_place);
    for (size_t i = 0; i < t->space_count; i++) {
        const lvl_trace_space *s = &t->spaces[i];
        uint64_t at = s->space.base * 8, end = at + s->size * 8;
        for (size_t k = first_claim(t, s->space.id); k < t->claim_count && t->claims[k].space == s->space.id;
             k++) {
            const lvl_claim *c = &t->claims[k];
            if (c->from > at && at < end) {
                lvl_claim g = {c->space, at, c->from < end ? c->from : end};
                gap(user, &g);
            } else if (c->from < at && overlap) {
                *overlap += (c->to < at ? c->to : at) - c->from;
            }
            at = c->to > at ? c->to : at;
        }
        if (at < end) {
            lvl_claim g = {s->space.id, at, end};
            gap(user, &g);
        }
    }
}

const lvl_trace_space *lvl_trace_find(const lvl_trace *t, uint32_t id)
{
    /* spaces are numbered in the order in which readers emit them, with the file first or last */
    for (size_t i = id ? id - 1 : 0; i <= id && i < t->space_count; i++) {
        if (t->spaces[i].space.id == id)
            return &t->spaces[i];
    }
    if (t->space_count && t->spaces[t->space_count - 1].space.id == id)
        return &t->spaces[t->space_count - 1];
    for (size_t i = 0; i < t->space_count; i++) {
        if (t->spaces[i].space.id == id)
            return &t->spaces[i];
    }
    return NULL;
}

const char *lvl_trace_position(const lvl_trace *t, uint32_t space, uint64_t bit, bool bits, char *buf,
                               size_t size)
{
    uint64_t chain[8] = {bit};
    unsigned n = 1;
    size_t at = 0;

    for (const lvl_trace_space *s = lvl_trace_find(t, space); s && s->space.id && n < 8;
         s = lvl_trace_find(t, s->space.parent))
        chain[n++] = s->space.parent_bit;
    buf[0] = 0;
    while (n-- && at < size) {
        int len = snprintf(buf + at, size - at, "0x%llx%s", (unsigned long long)(chain[n] / 8), n ? "/" : "");
        at += len < 0 ? 0 : (size_t)len;
    }
    if (bits && bit % 8 && at < size)
        snprintf(buf + at, size - at, ".%u", (unsigned)(bit % 8));
    return buf;
}

const void *lvl_where_record(const lvl_doc *doc, const lvl_where *where, const lvl_table **table,
                             const lvl_field **field, uint32_t *index)
{
    const uint8_t *record = doc->root;

    *table = doc->format->table;
    *field = NULL;
    *index = LVL_NO_INDEX;
    for (uint32_t i = 0; i < where->depth; i++) {
        const lvl_step *s = &where->steps[i];
        if (*field) /* a path below a member without records */
            return NULL;
        if (s->field < (*table)->fields || s->field >= (*table)->fields + (*table)->field_count)
            return NULL;
        if (s->field->kind == LVL_LIST && s->index != LVL_NO_INDEX) {
            if (s->index >= lvl_list_count(record, s->field))
                return NULL;
            if (s->field->item == LVL_RECORD) {
                record = lvl_list_item(record, s->field, s->index);
                *table = s->field->table;
            } else {
                *field = s->field;
                *index = s->index;
            }
        } else if (s->field->kind == LVL_RECORD) {
            record += s->field->offset;
            *table = s->field->table;
        } else {
            *field = s->field;
        }
    }
    return record;
}

bool lvl_where_above(const lvl_where *a, const lvl_where *b)
{
    if (a->depth > b->depth)
        return false;
    for (uint32_t i = 0; i < a->depth; i++) {
        if (a->steps[i].field != b->steps[i].field ||
            (a->steps[i].index != b->steps[i].index &&
             !(i + 1 == a->depth && a->steps[i].index == LVL_NO_INDEX)))
            return false;
    }
    return true;
}

static void add_gap(void *user, const lvl_claim *gap)
{
    *(uint64_t *)user += gap->to - gap->from;
}

lvl_status lvl_trace_residue(lvl_trace *trace, const lvl_doc *doc, uint64_t *bits)
{
    const lvl_status status = end_reading(trace, doc);

    *bits = 0;
    if (status == LVL_OK)
        lvl_trace_gaps(trace, add_gap, bits, NULL);
    return status;
}

/* Only the places of spaces are known, not their bytes. */
static lvl_status replay(const void *user, lvl_sink *sink)
{
    const lvl_trace *t = user;

    for (size_t i = 0; i < t->space_count; i++)
        sink->space(sink, &t->spaces[i].space);
    for (size_t i = 0; i < t->place_count; i++) {
        const struct lvl_trace_place *p = &t->places[i];
        lvl_span span = {.space = p->space, .bit = p->bit, .bits = p->bits, .table = p->table};
        span.where.depth = p->depth;
        memcpy(span.where.steps, t->steps + p->step, p->depth * sizeof *t->steps);
        sink->span(sink, &span);
    }
    return LVL_OK;
}

lvl_status lvl_trace_locate(const lvl_trace *trace, const lvl_doc *doc, lvl_findings *findings)
{
    return trace->full ? lvl_doc_locate(doc, findings) : lvl_doc_locate_in(doc, findings, replay, trace);
}

lvl_status lvl_residue_located(const lvl_doc *doc, lvl_findings *findings, uint64_t *bits, uint64_t *overlap)
{
    lvl_trace trace;

    *bits = 0;
    if (overlap)
        *overlap = 0;
    lvl_status status = lvl_trace_read(&trace, doc, false, findings);
    if (status == LVL_OK)
        lvl_trace_gaps(&trace, add_gap, bits, overlap);
    lvl_trace_free(&trace);
    return status;
}

lvl_status lvl_residue(const lvl_doc *doc, uint64_t *bits, uint64_t *overlap)
{
    return lvl_residue_located(doc, NULL, bits, overlap);
}
