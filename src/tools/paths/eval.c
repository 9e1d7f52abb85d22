/*
 * tools/paths/eval.c: evaluates a bound path in a document.
 */
#include "tools/paths/region.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct follower {
    const lvl_path *path;
    const lvl_doc *doc;
    lvl_findings *findings;
    lvl_match *items;
    size_t count, cap;
    lvl_status status;
    lvl_where where;
    void *grid_record; /* of a fill */
} follower;

/* Number of comparisons for an item of a list. */
static uint32_t conditions_of(const lvl_path *path, const lvl_path_step *step)
{
    const bool some = step->select == LVL_SELECT_KEY || step->select == LVL_SELECT_FILTER;

    return some ? path->conditions[step->condition].end - step->condition : 0;
}

static void add_match(follower *s, void *record, const lvl_field *field, uint32_t index,
                      const lvl_path_step *step)
{
    if (s->status != LVL_OK)
        return;
    if (!lvl_grow(&s->items, &s->cap, s->count + 1, sizeof *s->items)) {
        s->status = LVL_ERR_MEMORY;
        return;
    }
    lvl_match *m = &s->items[s->count++];
    memset(m, 0, sizeof *m);
    m->where = s->where;
    m->record = record;
    m->field = field;
    m->index = index;
    m->append = step && step->select == LVL_SELECT_APPEND;
    m->has_region = step && step->select == LVL_SELECT_CELLS;
    if (m->has_region)
        memcpy(m->region, step->region, sizeof m->region);
}

/* `missing`: what the path names in the member at `where`, "[9]"; NULL: nothing in particular. */
static void report_missing(lvl_findings *findings, const lvl_where *where, const char *missing,
                           const char *what)
{
    char path[400];

    lvl_where_text(where, path, sizeof path);
    if (missing)
        lvl_fault_add(findings, LVL_FAULT_NOTHING, "there is no %s%s: %s has %s", path, missing, path, what);
    else
        lvl_fault_add(findings, LVL_FAULT_NOTHING, "%s has %s", path, what);
}

/* Ends the search: cells are missing that the path names. */
static void fail_missing(follower *s, const char *missing, const char *what)
{
    if (s->status != LVL_OK)
        return;
    s->status = LVL_ERR_MISSING;
    report_missing(s->findings, &s->where, missing, what);
}

static void follow(follower *s, void *record, uint32_t at);

static void follow_item(follower *s, void *record, const lvl_path_step *step, uint32_t index, uint32_t at)
{
    s->where.steps[s->where.depth - 1].index = index;
    if (at + 1 == s->path->depth)
        add_match(s, record, step->field, index, step);
    else
        follow(s, lvl_item_at(record, step->field, index), at + 1);
}

/* Adds a run of cells in a row as a region. */
static bool found_run(void *user, int64_t x0, int64_t x1, int64_t y)
{
    follower *s = user;
    const lvl_path_step run = {.select = LVL_SELECT_CELLS, .region = {x0, y, x1, y}};

    add_match(s, s->grid_record, s->where.steps[s->where.depth - 1].field, LVL_NO_INDEX, &run);
    return s->status == LVL_OK;
}

/* Finds the cells that are connected to a cell and have its value. */
static void find_fill(follower *s, void *record, const lvl_path_step *step)
{
    const lvl_match grid = {.where = s->where, .record = record, .field = step->field, .index = LVL_NO_INDEX};

    s->grid_record = record;
    const lvl_status status = lvl_region_fill(s->doc, &grid, step->region[0], step->region[1], found_run, s);
    if (s->status == LVL_OK)
        s->status = status;
    if (s->status == LVL_OK && !s->count)
        fail_missing(s, NULL, "no squares around that cell");
}

static void follow_list(follower *s, void *record, const lvl_path_step *step, uint32_t at)
{
    const uint32_t n = lvl_list_count(record, step->field);

    switch (step->select) {
    case LVL_SELECT_NONE:
    case LVL_SELECT_VALUE:
    case LVL_SELECT_CELLS: add_match(s, record, step->field, LVL_NO_INDEX, step); break;
    case LVL_SELECT_FILL: find_fill(s, record, step); break;
    case LVL_SELECT_APPEND:
        if (step->index <= n)
            add_match(s, record, step->field, step->index < 0 ? n : (uint32_t)step->index, step);
        break;
    case LVL_SELECT_INDEX: {
        int64_t i = step->index < 0 ? step->index + n : step->index;
        /* a list that is too short has no match; report_nothing reports it if nothing else matches */
        if (i >= 0 && i < n)
            follow_item(s, record, step, (uint32_t)i, at);
        break;
    }
    case LVL_SELECT_SLICE: {
        const int64_t from = step->index < 0 ? step->index + n : step->index;
        const int64_t to = step->end < 0 ? step->end + n : step->end < n ? step->end : n;
        for (int64_t i = from < 0 ? 0 : from; i < to && s->status == LVL_OK; i++)
            follow_item(s, record, step, (uint32_t)i, at);
        break;
    }
    default:
        if (s->status == LVL_OK)
            s->status = lvl_charge(s->doc->ctx, 8 * (uint64_t)n * (1 + conditions_of(s->path, step)));
        for (uint32_t i = 0; i < n && s->status == LVL_OK; i++) {
            if (step->select == LVL_SELECT_ALL ||
                lvl_condition_holds(s->path, step->condition, lvl_list_item(record, step->field, i)))
                follow_item(s, record, step, i, at);
        }
    }
}

/* Finds the cells with a value; each is a region. */
static void find_cells(follower *s, void *record, const lvl_path_step *step)
{
    lvl_path_step one = {.select = LVL_SELECT_CELLS};
    lvl_buffer storage = {0};
    lvl_cells cells;

    const lvl_status status = lvl_doc_cells(s->doc, record, step->field, &storage, &cells);
    if (status != LVL_OK && status != LVL_ERR_FORMAT)
        s->status = status;
    for (uint32_t y = 0; s->status == LVL_OK && cells.ptr && y < cells.height; y++) {
        s->status = lvl_charge(s->doc->ctx, cells.width);
        for (uint32_t x = 0; x < cells.width; x++) {
            const int64_t region[4] = {x, y, x, y};
            if (lvl_cell(&cells, x, y) != step->cell)
                continue;
            memcpy(one.region, region, sizeof region);
            add_match(s, record, step->field, LVL_NO_INDEX, &one);
        }
    }
    lvl_buffer_free(&storage);
}

static void follow(follower *s, void *record, uint32_t at)
{
    const lvl_path_step *step = &s->path->steps[at];
    const lvl_field *f = step->field;
    uint32_t depth = s->where.depth;

    s->where.steps[depth].field = f;
    s->where.steps[depth].index = LVL_NO_INDEX;
    s->where.depth = depth + 1;
    if (f->kind == LVL_LIST) {
        follow_list(s, record, step, at);
    } else if (at + 1 < s->path->depth) {
        if (lvl_field_present(record, f))
            follow(s, (uint8_t *)record + f->offset, at + 1);
    } else if (step->select == LVL_SELECT_VALUE) {
        find_cells(s, record, step);
    } else if (step->select == LVL_SELECT_CELLS || step->select == LVL_SELECT_FILL) {
        const lvl_cells *c = lvl_get_cells(record, f);
        const int64_t *last = step->region + (step->select == LVL_SELECT_CELLS ? 2 : 0);
        const bool there = c->ptr || (f->flags & LVL_F_LATE);
        if (!there || last[0] >= c->width || last[1] >= c->height) {
            char text[80] = "no cells in this file", cell[60];
            if (there)
                snprintf(text, sizeof text, "only %lu columns and %lu rows", (unsigned long)c->width,
                         (unsigned long)c->height);
            snprintf(cell, sizeof cell, "[%lld,%lld]", (long long)last[0], (long long)last[1]);
            fail_missing(s, there ? cell : NULL, text);
        } else if (step->select == LVL_SELECT_FILL) {
            find_fill(s, record, step);
        } else {
            add_match(s, record, f, LVL_NO_INDEX, step);
        }
    } else {
        add_match(s, record, f, LVL_NO_INDEX, step);
    }
    s->where.depth = depth;
}

/* All matches of a path, which may be none; free(*out) in any case. */
static lvl_status find_all(const lvl_path *path, const lvl_doc *doc, lvl_findings *findings, lvl_match **out,
                           size_t *count)
{
    follower s = {.path = path, .doc = doc, .findings = findings};

    if (path->depth)
        follow(&s, doc->root, 0);
    else
        add_match(&s, doc->root, NULL, LVL_NO_INDEX, NULL);
    *out = s.items;
    *count = s.count;
    return s.status;
}

/* ---- why nothing was found --------------------------------------------------------------------------- */

/* The value of an item that a condition compares; false: the item does not have it. */
static bool value_of(const lvl_match *m, const lvl_condition *c, lvl_field *field, const void **record)
{
    const void *item = lvl_list_item(m->record, m->field, m->index);

    *record = (const uint8_t *)item + c->offset;
    *field = c->field ? *c->field : lvl_item_field(m->field);
    return lvl_field_present(*record, field);
}

/* The text among the items' values that is most similar to the one of a condition; empty: none is similar. */
static lvl_text nearest_value(const lvl_match *items, size_t count, const lvl_condition *c)
{
    const lvl_text wanted = lvl_buffer_text(&c->text);
    unsigned best = lvl_typo_limit(wanted) + 1;
    lvl_text near = {NULL, 0};
    const void *record;
    lvl_field field;

    for (size_t i = 0; i < count && c->compare == LVL_IS; i++) {
        if (!value_of(&items[i], c, &field, &record) || field.kind != LVL_TEXT)
            continue;
        const lvl_text value = lvl_get_text(record, &field);
        const unsigned d = lvl_text_distance(wanted, value, best);
        if (d < best) {
            best = d;
            near = value;
        }
    }
    return near;
}

/* The first few different values of the items, as "Rat, Officer, ...". */
static void list_values(const lvl_doc *doc, const lvl_match *items, size_t count, const lvl_condition *c,
                        lvl_buffer *out)
{
    enum { MAX_LISTED = 8 };
    struct {
        size_t from, len;
    } listed[MAX_LISTED];
    size_t n = 0;
    const void *record;
    lvl_field field;

    lvl_emit w = lvl_emit_of(doc, out);
    w.names_alone = true;
    for (size_t i = 0; i < count && out->status == LVL_OK; i++) {
        size_t known = 0;
        if (!value_of(&items[i], c, &field, &record))
            continue;
        const size_t before = out->len;
        lvl_buffer_str(out, n ? ", " : "");
        const size_t from = out->len;
        if (field.kind == LVL_TEXT) {
            char shown[60];
            lvl_buffer_str(out,
                           lvl_text_show(shown, sizeof shown, doc->codepage, lvl_get_text(record, &field)));
        } else {
            lvl_write_short(&w, record, &field);
        }
        const size_t len = out->len - from;
        while (known < n && (listed[known].len != len ||
                             memcmp(out->data + listed[known].from, out->data + from, len) != 0))
            known++;
        if (known < n || !len) {
            out->len = before;
        } else if (n == MAX_LISTED) {
            out->len = from;
            lvl_buffer_str(out, "...");
            return;
        } else {
            listed[n].from = from;
            listed[n++].len = len;
        }
    }
}

/* The first comparison in condition `at` that no item meets; NULL: items meet all of it, or each part. */
static const lvl_condition *find_unmet(const lvl_path *path, uint32_t at, const lvl_match *items,
                                       size_t count)
{
    const lvl_condition *c = &path->conditions[at], *unmet = NULL;

    for (size_t i = 0; i < count; i++) {
        if (lvl_condition_holds(path, at, lvl_list_item(items[i].record, items[i].field, items[i].index)))
            return NULL;
    }
    for (uint32_t i = at + 1; c->group && i < c->end && !unmet; i = path->conditions[i].end)
        unmet = find_unmet(path, i, items, count);
    return c->group ? unmet : c;
}

/* Writes what the last step of a path could find: "; logic is one of: Rat, Officer" or ": did you mean
 * ...?". */
static void report_others(const lvl_doc *doc, const lvl_path *path, lvl_buffer *out)
{
    lvl_path all = *path;
    lvl_path_step *step = &all.steps[all.depth - 1];
    lvl_match *items;
    char shown[80];
    size_t count;

    const lvl_field *list = step->field;
    step->select = LVL_SELECT_ALL;
    if (find_all(&all, doc, NULL, &items, &count) != LVL_OK) {
        free(items);
        return;
    }
    const lvl_condition *c = conditions_of(path, &path->steps[all.depth - 1])
                                 ? find_unmet(path, step->condition, items, count)
                                 : NULL;
    const bool meant = c && (c->word || c->named);
    const bool words = c && !meant && (!c->field || c->field->kind == LVL_TEXT || c->field->names);
    const lvl_text near = c && !meant ? nearest_value(items, count, c) : (lvl_text){NULL, 0};
    if (near.len) {
        lvl_buffer_printf(out, ": did you mean \"%s\"?",
                          lvl_text_show(shown, sizeof shown, doc->codepage, near));
    } else if (!count) {
        lvl_buffer_printf(out, ": %s has no items", list->name);
    } else if (words) {
        const size_t from = out->len;
        if (c->field && path->steps[all.depth - 1].select == LVL_SELECT_FILTER)
            lvl_buffer_printf(out, "; %.*s is one of: ", (int)c->name.len, c->name.ptr);
        else
            lvl_buffer_printf(out, "; %s: ", list->name);
        const size_t at = out->len;
        list_values(doc, items, count, c, out);
        if (out->len == at)
            out->len = from;
    } else if (!c) {
        lvl_buffer_str(out, ": no item matches all conditions");
    }
    free(items);
}

/* The first step that finds nothing, and what exists there instead. */
static void report_nothing(const lvl_path *path, const lvl_doc *doc, lvl_findings *findings)
{
    lvl_path part = *path;
    lvl_match *items = NULL;
    lvl_buffer others = {0};
    char buf[80];
    size_t count = 1;

    for (part.depth = 1; part.depth < path->depth; part.depth++) {
        const bool good = find_all(&part, doc, NULL, &items, &count) == LVL_OK;
        free(items);
        if (!good || !count)
            break;
    }
    lvl_path_step *step = &part.steps[part.depth - 1];
    const lvl_select select = step->select;
    if (select == LVL_SELECT_INDEX || select == LVL_SELECT_APPEND) {
        step->select = LVL_SELECT_NONE; /* the lists as such */
        const bool one = find_all(&part, doc, NULL, &items, &count) == LVL_OK && count == 1;
        if (one) {
            const unsigned long n = lvl_list_count(items->record, items->field);
            const bool place = select == LVL_SELECT_APPEND; /* of n items, [+n] is one, too */
            const char *plus = place ? "+" : "";
            char missing[40];
            int at = snprintf(buf, sizeof buf, "only %lu item%s", n, n == 1 ? "" : "s");
            if (n + place > 1)
                snprintf(buf + at, sizeof buf - (size_t)at, ", [%s0] to [%s%lu]", plus, plus, n - !place);
            else if (n + place)
                snprintf(buf + at, sizeof buf - (size_t)at, ", [%s0]", plus);
            snprintf(missing, sizeof missing, "[%s%lld]", plus, (long long)step->index);
            report_missing(findings, &items->where, missing, buf);
        }
        free(items);
        if (one)
            return;
    } else if (select == LVL_SELECT_KEY || select == LVL_SELECT_FILTER || select == LVL_SELECT_ALL) {
        report_others(doc, &part, &others);
    }
    lvl_fault_add(findings, select == LVL_SELECT_VALUE ? LVL_FAULT_NO_CELL : LVL_FAULT_NOTHING,
                  "\"%s\" finds nothing in this file%.*s", lvl_show(buf, path->source),
                  others.status == LVL_OK ? (int)others.len : 0,
                  others.data ? (const char *)others.data : "");
    lvl_buffer_free(&others);
}

lvl_status lvl_path_find(lvl_path *path, const lvl_doc *doc, lvl_match **out, size_t *count,
                         lvl_findings *findings)
{
    *out = NULL;
    *count = 0;
    lvl_status status = lvl_path_bind(path, doc, findings);
    if (status == LVL_OK)
        status = find_all(path, doc, findings, out, count);
    if (status == LVL_OK && !*count) {
        status = LVL_ERR_MISSING;
        if (findings)
            report_nothing(path, doc, findings);
    }
    if (status != LVL_OK) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}

lvl_status lvl_path_matches(const lvl_doc *doc, lvl_text text, lvl_match **out, size_t *count,
                            lvl_findings *findings)
{
    lvl_path path;

    *out = NULL;
    *count = 0;
    lvl_status status = lvl_path_parse(&path, text, NULL, findings);
    if (status == LVL_OK)
        status = lvl_path_find(&path, doc, out, count, findings);
    lvl_path_free(&path);
    return status;
}

void *lvl_match_member(const lvl_match *match, lvl_field *field)
{
    const bool item = match->index != LVL_NO_INDEX;

    *field = item ? lvl_item_field(match->field) : *match->field;
    return item ? lvl_item_at(match->record, match->field, match->index) : match->record;
}

const char *lvl_match_text(const lvl_match *match, char *buf, size_t size)
{
    size_t at = lvl_where_text(&match->where, buf, size);
    const int64_t *r = match->region;

    if (match->has_region && at < size) {
        if (r[0] == r[2] && r[1] == r[3])
            snprintf(buf + at, size - at, "[%lld,%lld]", (long long)r[0], (long long)r[1]);
        else
            snprintf(buf + at, size - at, "[%lld,%lld %lld,%lld]", (long long)r[0], (long long)r[1],
                     (long long)r[2], (long long)r[3]);
    }
    return buf;
}
