/*
 * tools/diff.c: compares two documents by their tables; differences as text or JSON.
 */
#include "tools/diff.h"

#include "base/text.h"
#include "base/buffer.h"
#include "codec/json.h"
#include "tools/path.h"
#include "tools/json_write.h"
#include "base/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct differ {
    lvl_emit a, b; /* how values of each side are written */
    lvl_where wa, wb; /* the current path in each */
    bool json, summary;
    lvl_buffer *out;
    bool in_line; /* changes of a small record go on one line, with commas, */
    lvl_buffer *block; /* and changed lines of texts into a block below it */
    bool forms; /* the documents have different forms, or different formats that share their table */
    bool formats; /* different formats */
    char prefix[200]; /* of member names: "move_rect." */
    unsigned indent;
    uint32_t plain; /* fields that differ outside of lists and grids */
    bool different;
    lvl_status status;
} differ;

static void compare_fields(differ *d, const void *a, const void *b, const lvl_table *table);

static void fail(differ *d, lvl_status status)
{
    if (d->status == LVL_OK)
        d->status = status;
}

static void indent(const differ *d)
{
    lvl_buffer_fill(d->out, ' ', (size_t)d->indent * 2);
}

static void set_out(differ *d, lvl_buffer *out)
{
    d->out = d->a.out = d->b.out = out;
}

static bool is_silent(const differ *d)
{
    return !d->out;
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void json_head(differ *d, const char *change, const lvl_where *where)
{
    char path[400];

    lvl_where_text(where, path, sizeof path);
    lvl_buffer_str(d->out, "{\"change\":\"");
    lvl_buffer_str(d->out, change);
    lvl_buffer_str(d->out, "\",\"path\":");
    lvl_json_string(d->out, lvl_text_of(path));
}

static void put_name(const differ *d, const lvl_field *f)
{
    if (!d->in_line)
        indent(d);
    else if (d->out->len)
        lvl_buffer_str(d->out, ", ");
    lvl_buffer_printf(d->out, "%s%s%s ", d->prefix, f->name, d->in_line ? "" : ":");
}

/* Reports changed lines of a text; false: it has one line and is reported like any other value. */
static bool report_lines(differ *d, const void *a, const void *b, const lvl_field *f)
{
    unsigned long gone = 0, come = 0;
    lvl_lines lines;

    lvl_status status = lvl_lines_find(&lines, lvl_get_text(a, f), lvl_get_text(b, f));
    const bool reported = lines.a_count > 1 || lines.b_count > 1 || status != LVL_OK;
    if (status != LVL_OK) {
        fail(d, status);
    } else if (reported && d->json) {
        json_head(d, "lines", &d->wb);
        lvl_buffer_str(d->out, ",\"hunks\":");
        lvl_lines_json(&lines, &d->a, &d->b, d->out);
        lvl_buffer_str(d->out, "}\n");
    } else if (reported) {
        for (size_t i = 0; i < lines.hunk_count; i++) {
            gone += lines.hunks[i].a_count;
            come += lines.hunks[i].b_count;
        }
        put_name(d, f);
        lvl_buffer_printf(d->out, "-%lu +%lu lines", gone, come);
        if (!d->in_line)
            lvl_buffer_u8(d->out, '\n');
        lvl_lines_text(&lines, &d->a, &d->b, d->indent * 2 + 2, d->in_line ? d->block : d->out);
    }
    lvl_lines_free(&lines);
    return reported;
}

/* The differing numbers or texts of two lists of the same length. */
static void put_items(differ *d, const void *a, const void *b, const lvl_field *f)
{
    enum { MAX_SHOWN = 8 };
    const lvl_field item = lvl_item_field(f);
    uint32_t changed = 0;

    for (uint32_t i = 0; i < lvl_list_count(a, f); i++) {
        const void *x = lvl_list_item(a, f, i), *y = lvl_list_item(b, f, i);
        if (lvl_member_equal(x, y, &item) || changed++ >= MAX_SHOWN)
            continue;
        lvl_buffer_printf(d->out, "%s[%lu] ", changed > 1 ? ", " : "", (unsigned long)i);
        lvl_write_short(&d->a, x, &item);
        lvl_buffer_str(d->out, " -> ");
        lvl_write_short(&d->b, y, &item);
    }
    if (changed > MAX_SHOWN)
        lvl_buffer_printf(d->out, " and %lu more", (unsigned long)changed - MAX_SHOWN);
}

/* One side of a change. */
static void put_side(const differ *d, const lvl_emit *side, const void *record, const lvl_field *f)
{
    if (!record)
        lvl_buffer_str(d->out, d->json ? "null" : "(none)");
    else if (d->json)
        lvl_write_value(side, record, f, 0);
    else
        lvl_write_short(side, record, f);
}

static bool in_no_list(const lvl_where *where)
{
    for (uint32_t i = 0; i < where->depth; i++) {
        if (where->steps[i].index != LVL_NO_INDEX)
            return false;
    }
    return true;
}

/* Reports a member that differs; a side is NULL where the member is not present. */
static void report_value(differ *d, const void *a, const void *b, const lvl_field *f)
{
    d->different = true;
    d->plain += in_no_list(&d->wb);
    if (is_silent(d) || d->summary)
        return;
    if (f->kind == LVL_TEXT && (f->flags & LVL_F_LINES) && a && b && report_lines(d, a, b, f))
        return;
    if (d->json) {
        json_head(d, "set", &d->wb);
        lvl_buffer_str(d->out, ",\"old\":");
        put_side(d, &d->a, a, f);
        lvl_buffer_str(d->out, ",\"new\":");
        put_side(d, &d->b, b, f);
        lvl_buffer_str(d->out, "}\n");
        return;
    }
    put_name(d, f);
    if (a && b && f->kind == LVL_LIST && lvl_list_count(a, f) == lvl_list_count(b, f)) {
        put_items(d, a, b, f);
    } else {
        put_side(d, &d->a, a, f);
        lvl_buffer_str(d->out, " -> ");
        put_side(d, &d->b, b, f);
    }
    if (!d->in_line)
        lvl_buffer_u8(d->out, '\n');
}

/* ---- grids ------------------------------------------------------------------------------------------- */

static void json_region(differ *d, const lvl_field *f, const lvl_cells *a, const lvl_cells *b,
                        const lvl_region *r)
{
    const uint32_t box[4] = {r->x0, r->y0, r->x1, r->y1};

    json_head(d, "cells", &d->wb);
    lvl_buffer_printf(d->out, ",\"x\":%lu,\"y\":%lu,\"width\":%lu,\"height\":%lu,\"cells\":%lu,\"old\":",
                      (unsigned long)r->x0, (unsigned long)r->y0, (unsigned long)r->x1 - r->x0 + 1,
                      (unsigned long)r->y1 - r->y0 + 1, (unsigned long)r->cells);
    lvl_write_cells(&d->a, a, f, box, 0);
    lvl_buffer_str(d->out, ",\"new\":");
    lvl_write_cells(&d->b, b, f, box, 0);
    lvl_buffer_str(d->out, "}\n");
}

static void text_regions(differ *d, const lvl_field *f, const lvl_cells *a, const lvl_cells *b,
                         const lvl_region *regions, size_t count, uint64_t cells)
{
    enum { MAX_SHOWN = 20 };

    indent(d);
    lvl_buffer_printf(d->out, "%s%s: %llu cell%s changed in %zu region%s\n", d->prefix, f->name,
                      (unsigned long long)cells, cells == 1 ? "" : "s", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count && !d->summary; i++) {
        const lvl_region *r = &regions[i];
        lvl_buffer_fill(d->out, ' ', (size_t)d->indent * 2 + 2);
        if (i == MAX_SHOWN) {
            lvl_buffer_printf(d->out, "... and %zu more\n", count - i);
            break;
        }
        if (r->x0 == r->x1 && r->y0 == r->y1) {
            lvl_buffer_printf(d->out, "[%lu,%lu] ", (unsigned long)r->x0, (unsigned long)r->y0);
            lvl_write_cell(d->out, f->cell_names, lvl_cell(a, r->x0, r->y0));
            lvl_buffer_str(d->out, " -> ");
            lvl_write_cell(d->out, f->cell_names, lvl_cell(b, r->x0, r->y0));
        } else {
            lvl_buffer_printf(d->out, "[%lu,%lu %lu,%lu] %lu cells", (unsigned long)r->x0,
                              (unsigned long)r->y0, (unsigned long)r->x1, (unsigned long)r->y1,
                              (unsigned long)r->cells);
        }
        lvl_buffer_u8(d->out, '\n');
    }
}

static void compare_cells(differ *d, const void *ra, const void *rb, const lvl_field *f)
{
    const lvl_cells *a = lvl_get_cells(ra, f), *b = lvl_get_cells(rb, f);
    lvl_region *regions = NULL;
    size_t count = 0;
    uint64_t cells = 0;

    if (a->width != b->width || a->height != b->height || !a->ptr != !b->ptr) {
        d->different = true;
        if (!is_silent(d) && d->json) {
            json_head(d, "size", &d->wb);
            lvl_buffer_printf(
                d->out, ",\"old\":{\"width\":%lu,\"height\":%lu},\"new\":{\"width\":%lu,\"height\":%lu}}\n",
                (unsigned long)a->width, (unsigned long)a->height, (unsigned long)b->width,
                (unsigned long)b->height);
        } else if (!is_silent(d)) {
            indent(d);
            lvl_buffer_printf(d->out, "%s%s: %lu x %lu%s -> %lu x %lu%s\n", d->prefix, f->name,
                              (unsigned long)a->width, (unsigned long)a->height, a->ptr ? "" : " (absent)",
                              (unsigned long)b->width, (unsigned long)b->height, b->ptr ? "" : " (absent)");
        }
    }
    lvl_status status = lvl_regions_find(a, b, &regions, &count);
    if (status != LVL_OK)
        fail(d, status);
    for (size_t i = 0; i < count; i++) {
        const lvl_region *r = &regions[i];
        cells += r->cells;
        if (!is_silent(d) && d->json && !d->summary)
            json_region(d, f, a, b, r);
    }
    if (count) {
        d->different = true;
        if (!is_silent(d) && d->json && d->summary) {
            json_head(d, "cells", &d->wb);
            lvl_buffer_printf(d->out, ",\"regions\":%zu,\"cells\":%llu}\n", count, (unsigned long long)cells);
        } else if (!is_silent(d) && !d->json) {
            text_regions(d, f, a, b, regions, count, cells);
        }
    }
    free(regions);
}

/* ---- lists ------------------------------------------------------------------------------------------- */

typedef struct tally {
    uint32_t added, removed, moved, changed;
} tally;

static void set_index(lvl_where *w, uint32_t index)
{
    if (w->depth)
        w->steps[w->depth - 1].index = index;
}

/* Reports an item that only one side has. */
static void report_item(differ *d, const lvl_emit *side, const void *item, const lvl_field *list,
                        uint32_t index, bool added)
{
    enum { MEMBERS = 5 };

    d->different = true;
    if (is_silent(d) || d->summary)
        return;
    if (d->json) {
        json_head(d, added ? "insert" : "remove", added ? &d->wb : &d->wa);
        lvl_buffer_str(d->out, added ? ",\"new\":" : ",\"old\":");
        lvl_write_record(side, item, list->table, 0);
        lvl_buffer_str(d->out, "}\n");
        return;
    }
    lvl_buffer_fill(d->out, ' ', (size_t)d->indent * 2 + 2);
    lvl_buffer_printf(d->out, "%c [%lu] ", added ? '+' : '-', (unsigned long)index);
    lvl_write_summary(side, item, list->table, MEMBERS);
    lvl_buffer_u8(d->out, '\n');
}

/* Reports the changes of an item that both have: on one line if it is small, else on lines below the item's.
 * Returns whether its content changed. */
static bool compare_item(differ *d, const void *a, const void *b, const lvl_field *list, uint32_t i,
                         uint32_t j, bool moved)
{
    const bool large = lvl_table_is_large(list->table), was_different = d->different;
    lvl_buffer body = {0}, block = {0}, *out = d->out, *outer = d->block;
    char prefix[sizeof d->prefix];
    bool in_line = d->in_line;
    unsigned depth = d->indent;

    d->different = false;
    if (d->json || is_silent(d)) {
        compare_fields(d, a, b, list->table);
    } else {
        memcpy(prefix, d->prefix, sizeof prefix);
        d->prefix[0] = 0;
        set_out(d, &body);
        d->block = &block;
        d->in_line = !large;
        d->indent += 2;
        compare_fields(d, a, b, list->table);
        memcpy(d->prefix, prefix, sizeof prefix);
        set_out(d, out);
        d->block = outer;
        d->in_line = in_line;
        d->indent = depth;
    }
    bool changed = d->different;
    d->different |= was_different;
    if (changed || moved)
        d->different = true;
    if (moved && d->json && !is_silent(d) && !d->summary) {
        char from[400];
        lvl_where_text(&d->wa, from, sizeof from);
        json_head(d, "move", &d->wb);
        lvl_json_put_string(d->out, "from", from);
        lvl_buffer_str(d->out, "}\n");
    }
    if ((changed || moved) && !d->json && !is_silent(d) && (!d->summary || large)) {
        lvl_buffer_fill(d->out, ' ', (size_t)d->indent * 2 + 2);
        lvl_buffer_printf(d->out, "%c [%lu] ", changed ? '~' : '=', (unsigned long)j);
        lvl_write_summary(&d->b, b, list->table, 0);
        if (moved)
            lvl_buffer_printf(d->out, " (moved from %lu)", (unsigned long)i);
        if (body.len)
            lvl_buffer_str(d->out, large ? "\n" : ": ");
        lvl_buffer_add(d->out, body.data, body.len);
        if (!large || !body.len)
            lvl_buffer_u8(d->out, '\n');
        lvl_buffer_add(d->out, block.data, block.len);
    }
    if (body.status != LVL_OK || block.status != LVL_OK)
        fail(d, body.status != LVL_OK ? body.status : block.status);
    lvl_buffer_free(&body);
    lvl_buffer_free(&block);
    return changed;
}

static void list_head(differ *d, const lvl_field *f, const tally *t)
{
    const struct {
        uint32_t n;
        const char *word;
    } parts[] = {{t->added, "added"}, {t->removed, "removed"}, {t->changed, "changed"}, {t->moved, "moved"}};
    bool any = false;

    indent(d);
    lvl_buffer_printf(d->out, "%s%s: ", d->prefix, f->name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].n)
            continue;
        lvl_buffer_printf(d->out, "%s%lu %s", any ? ", " : "", (unsigned long)parts[i].n, parts[i].word);
        any = true;
    }
    lvl_buffer_u8(d->out, '\n');
}

static void compare_records(differ *d, const void *a, const void *b, const lvl_field *f)
{
    lvl_buffer body = {0}, *out = d->out;
    lvl_pairs pairs;
    tally t = {0, 0, 0, 0};

    lvl_status status = lvl_pairs_find(&pairs, d->a.doc->ctx, a, b, f);
    if (status != LVL_OK)
        fail(d, status);
    if (out && !d->json)
        set_out(d, &body);
    /* in the order of b, removed items at their former place */
    uint32_t i = 0;
    for (uint32_t j = 0; j <= pairs.count_b && d->status == LVL_OK; j++) {
        for (; i < pairs.count_a && (pairs.a[i] == LVL_UNPAIRED || j == pairs.count_b || pairs.a[i] < j);
             i++) {
            if (pairs.a[i] != LVL_UNPAIRED)
                continue;
            set_index(&d->wa, i);
            set_index(&d->wb, LVL_NO_INDEX);
            report_item(d, &d->a, lvl_list_item(a, f, i), f, i, false);
            t.removed++;
        }
        if (j == pairs.count_b)
            break;
        set_index(&d->wb, j);
        set_index(&d->wa, pairs.b[j] == LVL_UNPAIRED ? LVL_NO_INDEX : pairs.b[j]);
        const void *y = lvl_list_item(b, f, j);
        if (pairs.b[j] == LVL_UNPAIRED) {
            report_item(d, &d->b, y, f, j, true);
            t.added++;
            continue;
        }
        t.changed += compare_item(d, lvl_list_item(a, f, pairs.b[j]), y, f, pairs.b[j], j, pairs.moved[j]);
        t.moved += pairs.moved[j];
    }
    set_index(&d->wa, LVL_NO_INDEX);
    set_index(&d->wb, LVL_NO_INDEX);
    set_out(d, out);
    if (out && !d->json && (t.added || t.removed || t.moved || t.changed)) {
        list_head(d, f, &t);
        lvl_buffer_add(out, body.data, body.len);
    } else if (out && d->json && d->summary && (t.added || t.removed || t.moved || t.changed)) {
        json_head(d, "items", &d->wb);
        lvl_buffer_printf(out, ",\"added\":%lu,\"removed\":%lu,\"changed\":%lu,\"moved\":%lu}\n",
                          (unsigned long)t.added, (unsigned long)t.removed, (unsigned long)t.changed,
                          (unsigned long)t.moved);
    }
    if (body.status != LVL_OK)
        fail(d, body.status);
    lvl_buffer_free(&body);
    lvl_pairs_free(&pairs);
}

/* ---- records ----------------------------------------------------------------------------------------- */

static void compare_inner(differ *d, const void *a, const void *b, const lvl_field *f)
{
    size_t len = strlen(d->prefix);

    snprintf(d->prefix + len, sizeof d->prefix - len, "%s.", f->name);
    compare_fields(d, lvl_get_record(a, f), lvl_get_record(b, f), f->table);
    d->prefix[len] = 0;
}

static void compare_fields(differ *d, const void *a, const void *b, const lvl_table *table)
{
    fail(d, lvl_charge(d->a.doc->ctx, 8 * (uint64_t)table->field_count));
    for (uint32_t i = 0; i < table->field_count && d->status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        bool in_a = lvl_field_present(a, f), in_b = lvl_field_present(b, f);
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT || (!in_a && !in_b) ||
            (d->forms && (f->flags & LVL_F_FORM) && (d->formats || d->wb.depth)))
            continue;
        /* a member that one side cannot have is no difference while it has its default on the other */
        if (d->forms && in_a != in_b && lvl_field_is_default(in_a ? a : b, f))
            continue;
        const lvl_where wa = d->wa, wb = d->wb;
        d->wa = lvl_where_to(wa, f, LVL_NO_INDEX);
        d->wb = lvl_where_to(wb, f, LVL_NO_INDEX);
        if (in_a != in_b)
            report_value(d, in_a ? a : NULL, in_b ? b : NULL, f);
        else if (f->kind == LVL_RECORD)
            compare_inner(d, a, b, f);
        else if (f->kind == LVL_CELLS)
            compare_cells(d, a, b, f);
        else if (f->kind == LVL_LIST && f->item == LVL_RECORD)
            compare_records(d, a, b, f);
        else if (!lvl_member_equal(a, b, f))
            report_value(d, a, b, f);
        d->wa = wa;
        d->wb = wb;
    }
}

/* Whether two documents have different forms (LVL_F_FORM). */
static bool forms_differ(const lvl_doc *a, const lvl_doc *b)
{
    const lvl_table *table = a->format->table;
    bool differs = false;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        differs = differs || ((f->flags & LVL_F_FORM) && !lvl_member_equal(a->root, b->root, f));
    }
    return differs;
}

static lvl_status compare(differ *d, const lvl_doc *a, const lvl_doc *b)
{
    if (a->format->table != b->format->table)
        return LVL_ERR_ARG;
    d->formats = a->format != b->format;
    d->forms = d->formats || forms_differ(a, b);
    d->a = lvl_emit_of(a, d->out);
    d->b = lvl_emit_of(b, d->out);
    d->a.names_alone = d->b.names_alone = true; /* the number beside a name is redundant here */
    d->a.compact = d->b.compact = true;
    d->a.no_kept = d->b.no_kept = true;
    compare_fields(d, a->root, b->root, a->format->table);
    return d->status;
}

lvl_status lvl_diff(const lvl_doc *a, const lvl_doc *b, const lvl_diff_options *options, bool *different,
                    lvl_buffer *out)
{
    lvl_buffer body = {0};
    differ d;

    memset(&d, 0, sizeof d);
    d.json = options && options->json;
    d.summary = options && options->summary;
    d.out = out ? &body : NULL;
    lvl_status status = compare(&d, a, b);
    if (different)
        *different = d.different;
    if (status == LVL_OK && out) {
        if (!d.json && d.different && options && options->a && options->b)
            lvl_buffer_printf(out, "--- %s\n+++ %s\n", options->a, options->b);
        if (d.summary && d.plain && d.json)
            lvl_buffer_printf(out, "{\"change\":\"fields\",\"path\":\"\",\"changed\":%lu}\n",
                              (unsigned long)d.plain);
        else if (d.summary && d.plain)
            lvl_buffer_printf(out, "fields: %lu changed\n", (unsigned long)d.plain);
        lvl_buffer_add(out, body.data, body.len);
        status = body.status != LVL_OK ? body.status : out->status;
    }
    lvl_buffer_free(&body);
    return status;
}
