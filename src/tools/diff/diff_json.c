/*
 * tools/diff/diff_json.c: a list of changes as JSON, one object per line: {"change":KIND,"path":PATH, …}.
 */
#include "tools/diff/changes.h"

#include "base/buffer.h"
#include "base/text.h"

typedef struct printer {
    const lvl_changes *list;
    lvl_emit a, b; /* how values of each side are written */
    lvl_buffer *out;
    bool summary;
    lvl_status status;
} printer;

static void put_path(printer *p, const char *key, const lvl_change *c, bool second)
{
    const lvl_where where = lvl_change_where(p->list, c, second);
    char path[400];

    lvl_where_text(&where, path, sizeof path);
    lvl_json_put_string(p->out, key, path);
}

/* Appends the item of a list that a change is in or of, as the text names it: object "Soldier". */
static void put_item(printer *p, const lvl_change *c)
{
    lvl_buffer label = {0};
    lvl_emit w = p->b;

    while (c->kind != LVL_CHANGE_ITEM && c->kind != LVL_CHANGE_INSERT && c->kind != LVL_CHANGE_REMOVE) {
        if (c->parent == UINT32_MAX)
            return;
        c = &p->list->items[c->parent];
    }
    if (!c->now)
        w = p->a;
    w.out = &label;
    lvl_write_summary(&w, c->now ? c->now : c->old, c->field->table, 0);
    if (label.status == LVL_OK)
        lvl_json_put_text(p->out, "item", lvl_buffer_text(&label));
    else
        p->status = label.status;
    lvl_buffer_free(&label);
}

static void begin_change(printer *p, const char *change, const lvl_change *c)
{
    lvl_buffer_u8(p->out, '{');
    lvl_json_put_string(p->out, "change", change);
    put_path(p, "path", c, c->kind != LVL_CHANGE_REMOVE);
    put_item(p, c);
}

static void end_change(printer *p)
{
    lvl_buffer_str(p->out, "}\n");
}

/* Changed lines of a text; false: it has one line, and is printed like any other value. */
static bool print_lines(printer *p, const lvl_change *c)
{
    lvl_lines lines;

    if (!lvl_change_has_lines(c))
        return false;
    p->status = lvl_lines_find(&lines, lvl_get_text(c->old, c->field), lvl_get_text(c->now, c->field));
    const bool printed = lines.a_count > 1 || lines.b_count > 1 || p->status != LVL_OK;
    if (printed && p->status == LVL_OK) {
        begin_change(p, "lines", c);
        lvl_json_key(p->out, "hunks");
        lvl_lines_json(&lines, &p->a, &p->b, p->out);
        end_change(p);
    }
    lvl_lines_free(&lines);
    return printed;
}

static void put_side(const lvl_emit *side, const char *key, const void *record, const lvl_field *f)
{
    lvl_json_key(side->out, key);
    if (record)
        lvl_write_value(side, record, f, 0);
    else
        lvl_buffer_str(side->out, "null");
}

static void print_value(printer *p, const lvl_change *c)
{
    if (p->summary || print_lines(p, c))
        return;
    begin_change(p, "set", c);
    put_side(&p->a, "old", c->old, c->field);
    put_side(&p->b, "new", c->now, c->field);
    end_change(p);
}

static void put_size(printer *p, const char *key, const void *record, const lvl_field *f)
{
    const lvl_cells *cells = lvl_get_cells(record, f);

    lvl_json_open(p->out, key, '{');
    lvl_json_put_uint(p->out, "width", cells->width);
    lvl_json_put_uint(p->out, "height", cells->height);
    lvl_buffer_u8(p->out, '}');
}

static void print_size(printer *p, const lvl_change *c)
{
    begin_change(p, "size", c);
    put_size(p, "old", c->old, c->field);
    put_size(p, "new", c->now, c->field);
    end_change(p);
}

static void print_region(printer *p, const lvl_change *c, const lvl_region *r)
{
    const uint32_t box[4] = {r->x0, r->y0, r->x1, r->y1};

    begin_change(p, "cells", c);
    lvl_json_put_uint(p->out, "x", r->x0);
    lvl_json_put_uint(p->out, "y", r->y0);
    lvl_json_put_uint(p->out, "width", (uint64_t)r->x1 - r->x0 + 1);
    lvl_json_put_uint(p->out, "height", (uint64_t)r->y1 - r->y0 + 1);
    lvl_json_put_uint(p->out, "cells", r->cells);
    lvl_json_key(p->out, "old");
    lvl_write_cells(&p->a, lvl_get_cells(c->old, c->field), c->field, box, 0);
    lvl_json_key(p->out, "new");
    lvl_write_cells(&p->b, lvl_get_cells(c->now, c->field), c->field, box, 0);
    end_change(p);
}

static void print_cells(printer *p, const lvl_change *c)
{
    for (uint32_t i = 0; i < c->u.regions.count && !p->summary; i++)
        print_region(p, c, &c->u.regions.items[i]);
    if (!p->summary)
        return;
    begin_change(p, "cells", c);
    lvl_json_put_uint(p->out, "regions", c->u.regions.count);
    lvl_json_put_uint(p->out, "cells", lvl_change_cells(c));
    end_change(p);
}

/* An item that only one side has. */
static void print_single(printer *p, const lvl_change *c)
{
    const bool added = c->kind == LVL_CHANGE_INSERT;

    if (p->summary)
        return;
    begin_change(p, added ? "insert" : "remove", c);
    lvl_json_key(p->out, added ? "new" : "old");
    lvl_write_record(added ? &p->b : &p->a, added ? c->now : c->old, c->field->table, 0);
    end_change(p);
}

/* What is in a list or an item was printed before. */
static void print_move(printer *p, const lvl_change *c)
{
    if (p->summary || !c->u.tally.moved)
        return;
    begin_change(p, "move", c);
    put_path(p, "from", c, false);
    end_change(p);
}

static void print_counts(printer *p, const lvl_change *c)
{
    if (!p->summary)
        return;
    begin_change(p, "items", c);
    lvl_json_put_uint(p->out, "added", c->u.tally.added);
    lvl_json_put_uint(p->out, "removed", c->u.tally.removed);
    lvl_json_put_uint(p->out, "changed", c->u.tally.changed);
    lvl_json_put_uint(p->out, "moved", c->u.tally.moved);
    end_change(p);
}

static void print_changes(printer *p, uint32_t from, uint32_t end)
{
    for (uint32_t i = from, next; i < end && p->status == LVL_OK; i = next) {
        const lvl_change *c = &p->list->items[i];
        next = c->end;
        print_changes(p, i + 1, next);
        switch (c->kind) {
        case LVL_CHANGE_SET: print_value(p, c); break;
        case LVL_CHANGE_SIZE: print_size(p, c); break;
        case LVL_CHANGE_CELLS: print_cells(p, c); break;
        case LVL_CHANGE_RECORD: break;
        case LVL_CHANGE_LIST: print_counts(p, c); break;
        case LVL_CHANGE_INSERT:
        case LVL_CHANGE_REMOVE: print_single(p, c); break;
        case LVL_CHANGE_ITEM: print_move(p, c); break;
        }
    }
}

lvl_status lvl_changes_json(const lvl_changes *changes, const lvl_emit *a, const lvl_emit *b, bool summary,
                            lvl_buffer *out)
{
    printer p = {.list = changes, .a = *a, .b = *b, .out = out, .summary = summary};

    if (summary && changes->plain)
        lvl_buffer_printf(out, "{\"change\":\"fields\",\"path\":\"\",\"changed\":%lu}\n",
                          (unsigned long)changes->plain);
    print_changes(&p, 0, changes->count);
    return p.status != LVL_OK ? p.status : out->status;
}
