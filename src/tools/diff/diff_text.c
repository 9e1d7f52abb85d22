/*
 * tools/diff/diff_text.c: a list of changes as text for people:
 *
 *     title: "Old" -> "New"
 *     objects: 1 added, 1 changed
 *       + [4] gem, x 10, y 20
 *       ~ [7] Crazy Hook: x 3 -> 5, script -1 +2 lines
 *         @@ …
 *
 * The changes of a small item are on its line, and changed lines of its texts in a block below; those of a
 * large one (with grids or lists) have a line each.
 */
#include "tools/paths/meaning.h"
#include "tools/diff/changes.h"

#include "base/buffer.h"

typedef struct printer {
    const lvl_changes *list;
    lvl_emit a, b; /* how values of each side are written */
    lvl_buffer *out;
    lvl_buffer *block; /* what is written below the current line; NULL: each change has a line */
    bool first; /* nothing is on the current line */
    bool summary;
    unsigned indent;
    lvl_status status;
} printer;

static void print_inside(printer *p, const lvl_change *c);

static void put_indent(const printer *p, unsigned more)
{
    lvl_buffer_fill(p->out, ' ', (size_t)p->indent * 2 + more);
}

/* The names of the records around a member in its item: "move_rect.". */
static void put_prefix(const printer *p, const lvl_change *c)
{
    const lvl_change *outer = c->parent == UINT32_MAX ? NULL : &p->list->items[c->parent];

    if (!outer || outer->kind != LVL_CHANGE_RECORD)
        return;
    put_prefix(p, outer);
    lvl_buffer_printf(p->out, "%s.", outer->field->name);
}

/* Begins a change: on a line of its own, or after a comma. */
static void put_name(printer *p, const lvl_change *c)
{
    if (!p->block)
        put_indent(p, 0);
    else if (!p->first)
        lvl_buffer_str(p->out, ", ");
    p->first = false;
    put_prefix(p, c);
    lvl_buffer_printf(p->out, "%s%s ", c->field->name, p->block ? "" : ":");
}

static void end_change(printer *p)
{
    if (!p->block)
        lvl_buffer_u8(p->out, '\n');
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* Changed lines of a text; false: it has one line, and is printed like any other value. */
static bool print_lines(printer *p, const lvl_change *c)
{
    unsigned long gone = 0, come = 0;
    lvl_lines lines;

    if (!lvl_change_has_lines(c))
        return false;
    p->status = lvl_lines_find(&lines, lvl_get_text(c->old, c->field), lvl_get_text(c->now, c->field));
    const bool printed = lines.a_count > 1 || lines.b_count > 1 || p->status != LVL_OK;
    if (printed && p->status == LVL_OK) {
        for (size_t i = 0; i < lines.hunk_count; i++) {
            gone += lines.hunks[i].a_count;
            come += lines.hunks[i].b_count;
        }
        put_name(p, c);
        lvl_buffer_printf(p->out, "-%lu +%lu lines", gone, come);
        end_change(p);
        lvl_lines_text(&lines, &p->a, &p->b, p->indent * 2 + 2, p->block ? p->block : p->out);
    }
    lvl_lines_free(&lines);
    return printed;
}

/* The differing numbers or texts of two lists of the same length. */
static void put_items(printer *p, const lvl_change *c)
{
    enum { MAX_SHOWN = 8 };
    const lvl_field item = lvl_item_field(c->field);
    uint32_t changed = 0;

    for (uint32_t i = 0; i < lvl_list_count(c->old, c->field); i++) {
        const void *x = lvl_list_item(c->old, c->field, i), *y = lvl_list_item(c->now, c->field, i);
        if (lvl_member_equal(x, y, &item) || changed++ >= MAX_SHOWN)
            continue;
        lvl_buffer_printf(p->out, "%s[%lu] ", changed > 1 ? ", " : "", (unsigned long)i);
        lvl_write_short(&p->a, x, &item);
        lvl_buffer_str(p->out, " -> ");
        lvl_write_short(&p->b, y, &item);
    }
    if (changed > MAX_SHOWN)
        lvl_buffer_printf(p->out, " and %lu more", (unsigned long)changed - MAX_SHOWN);
}

/* The value of a side, with the name that the game has for it in this item. */
static void put_side(const printer *p, const lvl_change *c, bool second)
{
    const lvl_where where = lvl_change_where(p->list, c, second);
    const lvl_emit *side = second ? &p->b : &p->a;
    const void *record = second ? c->now : c->old;
    lvl_field field = *c->field;

    if (!record) {
        lvl_buffer_str(side->out, "(none)");
        return;
    }
    const lvl_name *names = LVL_MEANING ? lvl_meaning_names(side->doc, &where, record, &field) : NULL;
    field.names = names ? names : field.names;
    lvl_write_short(side, record, &field);
}

static void print_value(printer *p, const lvl_change *c)
{
    if (p->summary || print_lines(p, c))
        return;
    put_name(p, c);
    if (c->old && c->now && c->field->kind == LVL_LIST &&
        lvl_list_count(c->old, c->field) == lvl_list_count(c->now, c->field)) {
        put_items(p, c);
    } else {
        put_side(p, c, false);
        lvl_buffer_str(p->out, " -> ");
        put_side(p, c, true);
    }
    end_change(p);
}

/* ---- grids ------------------------------------------------------------------------------------------- */

static void print_size(printer *p, const lvl_change *c)
{
    const lvl_cells *a = lvl_get_cells(c->old, c->field), *b = lvl_get_cells(c->now, c->field);

    put_indent(p, 0);
    put_prefix(p, c);
    lvl_buffer_printf(p->out, "%s: %lu x %lu%s -> %lu x %lu%s\n", c->field->name, (unsigned long)a->width,
                      (unsigned long)a->height, a->ptr ? "" : " (absent)", (unsigned long)b->width,
                      (unsigned long)b->height, b->ptr ? "" : " (absent)");
}

static void print_region(printer *p, const lvl_change *c, const lvl_region *r)
{
    const lvl_cells *a = lvl_get_cells(c->old, c->field), *b = lvl_get_cells(c->now, c->field);

    if (r->x0 == r->x1 && r->y0 == r->y1) {
        lvl_buffer_printf(p->out, "[%lu,%lu] ", (unsigned long)r->x0, (unsigned long)r->y0);
        lvl_write_cell(p->out, c->field->cell_names, lvl_cell(a, r->x0, r->y0));
        lvl_buffer_str(p->out, " -> ");
        lvl_write_cell(p->out, c->field->cell_names, lvl_cell(b, r->x0, r->y0));
    } else {
        lvl_buffer_printf(p->out, "[%lu,%lu %lu,%lu] %lu cells", (unsigned long)r->x0, (unsigned long)r->y0,
                          (unsigned long)r->x1, (unsigned long)r->y1, (unsigned long)r->cells);
    }
    lvl_buffer_u8(p->out, '\n');
}

static void print_cells(printer *p, const lvl_change *c)
{
    enum { MAX_SHOWN = 20 };
    const uint32_t count = c->u.regions.count;
    const uint64_t cells = lvl_change_cells(c);

    put_indent(p, 0);
    put_prefix(p, c);
    lvl_buffer_printf(p->out, "%s: %llu cell%s changed in %lu region%s\n", c->field->name,
                      (unsigned long long)cells, cells == 1 ? "" : "s", (unsigned long)count,
                      count == 1 ? "" : "s");
    for (uint32_t i = 0; i < count && !p->summary; i++) {
        put_indent(p, 2);
        if (i == MAX_SHOWN) {
            lvl_buffer_printf(p->out, "... and %lu more\n", (unsigned long)count - i);
            break;
        }
        print_region(p, c, &c->u.regions.items[i]);
    }
}

/* ---- lists ------------------------------------------------------------------------------------------- */

/* An item that only one side has. */
static void print_single(printer *p, const lvl_change *c)
{
    enum { MEMBERS = 5 };
    const bool added = c->kind == LVL_CHANGE_INSERT;

    if (p->summary)
        return;
    put_indent(p, 2);
    lvl_buffer_printf(p->out, "%c [%lu] ", added ? '+' : '-', (unsigned long)(added ? c->b : c->a));
    lvl_write_summary(added ? &p->b : &p->a, added ? c->now : c->old, c->field->table, MEMBERS);
    lvl_buffer_u8(p->out, '\n');
}

/* The changes of an item on its line, and a block below it. */
static void print_small(printer *p, const lvl_change *c)
{
    lvl_buffer block = {0};

    p->block = &block;
    p->first = true;
    lvl_buffer_str(p->out, c->end > (uint32_t)(c - p->list->items) + 1 ? ": " : "");
    print_inside(p, c);
    p->block = NULL;
    lvl_buffer_u8(p->out, '\n');
    lvl_buffer_add(p->out, block.data, block.len);
    if (block.status != LVL_OK)
        p->status = block.status;
    lvl_buffer_free(&block);
}

static void print_item(printer *p, const lvl_change *c)
{
    const bool large = lvl_table_is_large(c->field->table);

    if (p->summary && !large)
        return;
    put_indent(p, 2);
    lvl_buffer_printf(p->out, "%c [%lu] ", c->u.tally.changed ? '~' : '=', (unsigned long)c->b);
    lvl_write_summary(&p->b, c->now, c->field->table, 0);
    if (c->u.tally.moved)
        lvl_buffer_printf(p->out, " (moved from %lu)", (unsigned long)c->a);
    p->indent += 2;
    if (large) {
        lvl_buffer_u8(p->out, '\n');
        print_inside(p, c);
    } else {
        print_small(p, c);
    }
    p->indent -= 2;
}

static void print_list(printer *p, const lvl_change *c)
{
    const struct {
        uint32_t n;
        const char *word;
    } parts[] = {{c->u.tally.added, "added"},
                 {c->u.tally.removed, "removed"},
                 {c->u.tally.changed, "changed"},
                 {c->u.tally.moved, "moved"}};
    bool any = false;

    put_indent(p, 0);
    put_prefix(p, c);
    lvl_buffer_printf(p->out, "%s: ", c->field->name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].n)
            continue;
        lvl_buffer_printf(p->out, "%s%lu %s", any ? ", " : "", (unsigned long)parts[i].n, parts[i].word);
        any = true;
    }
    lvl_buffer_u8(p->out, '\n');
    print_inside(p, c);
}

static void print_change(printer *p, const lvl_change *c)
{
    switch (c->kind) {
    case LVL_CHANGE_SET: print_value(p, c); break;
    case LVL_CHANGE_SIZE: print_size(p, c); break;
    case LVL_CHANGE_CELLS: print_cells(p, c); break;
    case LVL_CHANGE_RECORD: print_inside(p, c); break;
    case LVL_CHANGE_LIST: print_list(p, c); break;
    case LVL_CHANGE_INSERT:
    case LVL_CHANGE_REMOVE: print_single(p, c); break;
    case LVL_CHANGE_ITEM: print_item(p, c); break;
    }
}

static void print_inside(printer *p, const lvl_change *c)
{
    const uint32_t from = (uint32_t)(c - p->list->items) + 1;

    for (uint32_t i = from; i < c->end && p->status == LVL_OK; i = p->list->items[i].end)
        print_change(p, &p->list->items[i]);
}

lvl_status lvl_changes_text(const lvl_changes *changes, const lvl_emit *a, const lvl_emit *b, bool summary,
                            lvl_buffer *out)
{
    printer p = {.list = changes, .a = *a, .b = *b, .out = out, .summary = summary};

    if (summary && changes->plain)
        lvl_buffer_printf(out, "fields: %lu changed\n", (unsigned long)changes->plain);
    for (uint32_t i = 0; i < changes->count && p.status == LVL_OK; i = changes->items[i].end)
        print_change(&p, &changes->items[i]);
    return p.status != LVL_OK ? p.status : out->status;
}
