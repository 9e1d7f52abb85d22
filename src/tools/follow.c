/*
 * tools/follow.c: following a bound path through a document to the places it finds.
 */
#include "tools/path.h"

#include "base/text.h"

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
} follower;

static bool holds(lvl_compare compare, int order)
{
    switch (compare) {
    case LVL_IS: return order == 0;
    case LVL_IS_NOT: return order != 0;
    case LVL_LESS: return order < 0;
    case LVL_MORE: return order > 0;
    case LVL_AT_MOST: return order <= 0;
    case LVL_AT_LEAST: return order >= 0;
    case LVL_HAS: return false;
    }
    return false;
}

static bool contains(lvl_text text, lvl_text part)
{
    for (size_t i = 0; i + part.len <= text.len; i++) {
        lvl_text at = {text.ptr + i, part.len};
        if (lvl_text_equal_nocase(at, part))
            return true;
    }
    return false;
}

static bool text_holds(const lvl_condition *c, lvl_text text)
{
    lvl_text want = {(const char *)c->text.data, c->text.len};
    size_t least = text.len < want.len ? text.len : want.len;

    if (c->compare == LVL_HAS)
        return contains(text, want);
    int order = least ? memcmp(text.ptr, want.ptr, least) : 0;
    return holds(c->compare, order ? order : (text.len > want.len) - (text.len < want.len));
}

static bool record_holds(const lvl_condition *c, const void *item)
{
    const void *record = (const uint8_t *)item + c->offset;

    if (!lvl_field_present(record, c->field))
        return false;
    if (c->field->kind == LVL_TEXT)
        return text_holds(c, lvl_get_text(record, c->field));
    if (c->field->kind == LVL_REAL) {
        double v = lvl_get_real(record, c->field);
        return holds(c->compare, (v > c->real) - (v < c->real));
    }
    int64_t v = lvl_get_int(record, c->field);
    if (c->compare == LVL_HAS)
        return (v & c->number) == c->number;
    return holds(c->compare, (v > c->number) - (v < c->number));
}

static bool selected(const follower *s, const lvl_path_step *step, const void *item)
{
    for (uint32_t i = 0; i < step->count; i++) {
        const lvl_condition *c = &s->path->conditions[step->first + i];
        if (c->field ? !record_holds(c, item) : !text_holds(c, *(const lvl_text *)item))
            return false;
    }
    return true;
}

static void found(follower *s, void *record, const lvl_field *field, uint32_t index,
                  const lvl_path_step *step)
{
    if (s->status != LVL_OK)
        return;
    if (!lvl_grow((void **)&s->items, &s->cap, s->count + 1, sizeof *s->items)) {
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

static void tell_missing(follower *s, const char *what)
{
    char path[400];

    if (s->status != LVL_OK)
        return;
    s->status = LVL_ERR_MISSING;
    lvl_where_text(&s->where, path, sizeof path);
    lvl_findings_add(s->findings, &lvl_faults[LVL_FAULT_NOTHING], &s->where, NULL, "%s has %s", path, what);
}

static void follow(follower *s, void *record, uint32_t at);

static void follow_item(follower *s, void *record, const lvl_path_step *step, uint32_t index, uint32_t at)
{
    s->where.steps[s->where.depth - 1].index = index;
    if (at + 1 == s->path->depth)
        found(s, record, step->field, index, step);
    else
        follow(s, (void *)(uintptr_t)lvl_list_item(record, step->field, index), at + 1);
}

static void follow_list(follower *s, void *record, const lvl_path_step *step, uint32_t at)
{
    const uint32_t n = lvl_list_count(record, step->field);

    switch (step->select) {
    case LVL_SELECT_NONE:
    case LVL_SELECT_CELLS: found(s, record, step->field, LVL_NO_INDEX, step); break;
    case LVL_SELECT_APPEND:
        if (step->index <= n)
            found(s, record, step->field, step->index < 0 ? n : (uint32_t)step->index, step);
        break;
    case LVL_SELECT_INDEX: {
        int64_t i = step->index < 0 ? step->index + n : step->index;
        /* where other items are looked through, one that is too short just has no such item */
        if (i >= 0 && i < n)
            follow_item(s, record, step, (uint32_t)i, at);
        break;
    }
    default:
        for (uint32_t i = 0; i < n && s->status == LVL_OK; i++) {
            if (step->select == LVL_SELECT_ALL || selected(s, step, lvl_list_item(record, step->field, i)))
                follow_item(s, record, step, i, at);
        }
    }
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
    } else if (step->select == LVL_SELECT_CELLS) {
        const lvl_cells *c = lvl_get_cells(record, f);
        const bool there = c->ptr || (f->flags & LVL_F_LATE);
        if (!there || step->region[2] >= c->width || step->region[3] >= c->height) {
            char text[80] = "no cells in this file";
            if (there)
                snprintf(text, sizeof text, "only %lu columns and %lu rows", (unsigned long)c->width,
                         (unsigned long)c->height);
            tell_missing(s, text);
        } else {
            found(s, record, f, LVL_NO_INDEX, step);
        }
    } else {
        found(s, record, f, LVL_NO_INDEX, step);
    }
    s->where.depth = depth;
}

/* The label in the list that is most like the one that was looked for, if any is like it. */
static lvl_text nearest_label(const void *record, const lvl_field *list, const lvl_condition *key)
{
    const lvl_text wanted = {(const char *)key->text.data, key->text.len};
    unsigned best = wanted.len < 3 ? 2 : (unsigned)(wanted.len > 11 ? 4 : wanted.len / 3) + 1;
    lvl_text near = {NULL, 0};

    for (uint32_t i = 0; i < lvl_list_count(record, list) && key->field->kind == LVL_TEXT; i++) {
        const lvl_text label = lvl_get_text(lvl_list_item(record, list, i), key->field);
        const unsigned d = lvl_text_distance(wanted, label, best);
        if (!d)
            return (lvl_text){NULL, 0}; /* it's there: something below it isn't */
        if (d < best) {
            best = d;
            near = label;
        }
    }
    return near;
}

/* Why nothing was found: the first list with an index that is too high, if that is it. */
static void tell_nothing(follower *s)
{
    const lvl_path *path = s->path;
    void *record = s->doc->root;
    char buf[80];

    s->where.depth = 0;
    for (uint32_t i = 0; i < path->depth; i++) {
        const lvl_path_step *step = &path->steps[i];
        s->where.steps[i].field = step->field;
        s->where.steps[i].index = LVL_NO_INDEX;
        s->where.depth = i + 1;
        if (step->field->kind == LVL_RECORD) {
            record = (uint8_t *)record + step->field->offset;
        } else if (step->select == LVL_SELECT_INDEX ||
                   (step->select == LVL_SELECT_APPEND && step->index >= 0)) {
            uint32_t n = lvl_list_count(record, step->field);
            int64_t k = step->index < 0 ? step->index + n : step->index;
            if (k < 0 || k >= n) {
                char text[40];
                snprintf(text, sizeof text, "only %lu item%s", (unsigned long)n, n == 1 ? "" : "s");
                tell_missing(s, text);
                return;
            }
            s->where.steps[i].index = (uint32_t)k;
            record = (void *)(uintptr_t)lvl_list_item(record, step->field, (uint32_t)k);
        } else {
            break;
        }
    }
    s->status = LVL_ERR_MISSING;
    const lvl_path_step *last = s->where.depth ? &path->steps[s->where.depth - 1] : NULL;
    lvl_text near = {NULL, 0};
    if (last && last->select == LVL_SELECT_KEY && last->count)
        near = nearest_label(record, last->field, &path->conditions[last->first]);
    if (near.len) {
        char meant[80];
        lvl_text_show(meant, sizeof meant, s->doc->codepage, near);
        lvl_findings_add(s->findings, &lvl_faults[LVL_FAULT_NOTHING], NULL, NULL,
                         "\"%s\" finds nothing in this file: did you mean \"%s\"?",
                         lvl_show(buf, path->source), meant);
        return;
    }
    lvl_findings_add(s->findings, &lvl_faults[LVL_FAULT_NOTHING], NULL, NULL,
                     "\"%s\" finds nothing in this file", lvl_show(buf, path->source));
}

lvl_status lvl_path_find(const lvl_path *path, const lvl_doc *doc, lvl_match **out, size_t *count,
                         lvl_findings *findings)
{
    follower s;

    memset(&s, 0, sizeof s);
    s.path = path;
    s.doc = doc;
    s.findings = findings;
    if (path->depth)
        follow(&s, doc->root, 0);
    else
        found(&s, doc->root, NULL, LVL_NO_INDEX, NULL);
    if (s.status == LVL_OK && !s.count)
        tell_nothing(&s);
    if (s.status != LVL_OK) {
        free(s.items);
        s.items = NULL;
        s.count = 0;
    }
    *out = s.items;
    *count = s.count;
    return s.status;
}

lvl_status lvl_path_matches(const lvl_doc *doc, lvl_text text, lvl_match **out, size_t *count,
                            lvl_findings *findings)
{
    lvl_path path;

    *out = NULL;
    *count = 0;
    lvl_status status = lvl_path_parse(&path, text, NULL, findings);
    if (status == LVL_OK)
        status = lvl_path_bind(&path, doc, findings);
    if (status == LVL_OK)
        status = lvl_path_find(&path, doc, out, count, findings);
    lvl_path_free(&path);
    return status;
}

const char *lvl_match_text(const lvl_match *match, char *buf, size_t size)
{
    size_t at = lvl_where_text(&match->where, buf, size);
    const uint32_t *r = match->region;

    if (match->has_region && at < size) {
        if (r[0] == r[2] && r[1] == r[3])
            snprintf(buf + at, size - at, "[%lu,%lu]", (unsigned long)r[0], (unsigned long)r[1]);
        else
            snprintf(buf + at, size - at, "[%lu,%lu %lu,%lu]", (unsigned long)r[0], (unsigned long)r[1],
                     (unsigned long)r[2], (unsigned long)r[3]);
    }
    return buf;
}
