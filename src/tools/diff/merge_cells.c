/*
 * tools/diff/merge_cells.c: three-way merge of grids, cell by cell, also if a side resized its grid, or
 * inserted or deleted columns or rows in it; and of worlds, whose rows of names are a grid.
 */
#include "tools/diff/merge.h"

#include "base/arena.h"
#include "base/map_layout.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/values/json_write.h"

#include <stdio.h>
#include <string.h>

enum { BASE, OURS, THEIRS, SIDES };

/* Cells that both sides changed, or that one side changed and the other cut off. */
typedef struct clash {
    uint64_t count;
    lvl_region box;
} clash;

typedef struct grids {
    lvl_merger *m;
    const lvl_field *field;
    const lvl_cells *side[SIDES];
    lvl_axis columns, rows;
    uint8_t *out;
    uint32_t size;
    uint32_t blank; /* what new cells of a larger grid are filled with */
    bool added; /* BASE does not have the grid: cells that a file leaves out are blank, too */
    clash both; /* in the merged grid */
    uint32_t first[SIDES]; /* the values of its first cell */
    uint32_t first_x, first_y; /* its place in the merged grid */
    clash cut[SIDES]; /* changes by OURS and THEIRS outside of the merged grid; in the grid of that side */
} grids;

/* The value of a cell of a side, by what it means in the result. */
static uint32_t value_at(const grids *g, int side, uint32_t x, uint32_t y)
{
    const lvl_merger *m = g->m;
    const uint32_t v = lvl_cell(g->side[side], x, y);

    return side == OURS ? v : lvl_merge_cell(m, g->field, side == BASE ? m->base : m->theirs, v);
}

static void add_clash(clash *c, uint32_t x, uint32_t y)
{
    lvl_region *r = &c->box;

    if (!c->count++)
        *r = (lvl_region){x, y, x, y, 0};
    r->x0 = x < r->x0 ? x : r->x0;
    r->x1 = x > r->x1 ? x : r->x1;
    r->y0 = y < r->y0 ? y : r->y0;
    r->y1 = y > r->y1 ? y : r->y1;
}

/* The value of a cell of the result on one side; `other` where that side does not have the cell. */
static uint32_t merged_value(const grids *g, int side, uint32_t x, uint32_t y, uint32_t other)
{
    const uint32_t sx = g->columns.in[side][x], sy = g->rows.in[side][y];

    return sx == LVL_NO_LINE || sy == LVL_NO_LINE ? other : value_at(g, side, sx, sy);
}

/* Whether a cell has the value of BASE. */
static bool is_as_base(const grids *g, uint32_t value, uint32_t base)
{
    return value == base || (g->added && value == lvl_empty_cell(g->field));
}

/* Whether a side has no value there only because it removed the item of BASE's value. */
static bool is_dropped(const grids *g, int side, uint32_t base, uint32_t value)
{
    return lvl_merge_is_dropped(g->m, g->field, side == OURS ? g->m->ours : g->m->theirs, base, value);
}

/* Merges a cell of the result. One that BASE does not have was blank. */
static void merge_cell(grids *g, uint32_t x, uint32_t y)
{
    const uint32_t b = merged_value(g, BASE, x, y, g->blank);
    const uint32_t o = merged_value(g, OURS, x, y, b), t = merged_value(g, THEIRS, x, y, b);
    const bool both = o != t && o != b && t != b;
    const bool ours_same = is_as_base(g, o, b) || (both && is_dropped(g, OURS, b, o)),
               theirs_same = is_as_base(g, t, b) || (both && is_dropped(g, THEIRS, b, t));
    uint32_t v = ours_same && !theirs_same ? t : o;

    if (!ours_same && !theirs_same && o != t) {
        const lvl_doc *winner = lvl_merge_winner(g->m);
        if (!g->both.count) {
            g->first[BASE] = b;
            g->first[OURS] = o;
            g->first[THEIRS] = t;
            g->first_x = x;
            g->first_y = y;
        }
        add_clash(&g->both, x, y);
        v = winner == g->m->theirs ? t : winner == g->m->base ? b : o;
    }
    lvl_put_cell(g->out + ((size_t)y * g->columns.merged + x) * g->size, g->size, v);
}

/* The line of BASE that each line of a side is. */
static uint32_t *lines_of_base(const lvl_axis *axis, int side, lvl_arena *arena)
{
    uint32_t *out = lvl_arena_array(arena, (size_t)axis->count[side] + 1, sizeof *out);

    for (uint32_t i = 0; out && i < axis->count[side]; i++)
        out[i] = LVL_NO_LINE;
    for (uint32_t i = 0; out && i < axis->count[BASE]; i++) {
        if (axis->to_side[side][i] != LVL_NO_LINE)
            out[axis->to_side[side][i]] = i;
    }
    return out;
}

/* Whether the other side deleted a line of BASE inside of its grid: all cells of the line are to go, also
 * those of a column or row that this side inserted. */
static bool is_deleted_inside(const lvl_axis *axis, int side, uint32_t line)
{
    const uint32_t *other = axis->to_side[side == OURS ? THEIRS : OURS];
    uint32_t before = line, after = line + 1;

    if (line == LVL_NO_LINE || other[line] != LVL_NO_LINE)
        return false;
    while (before > 0 && other[before - 1] == LVL_NO_LINE)
        before--;
    while (after < axis->count[BASE] && other[after] == LVL_NO_LINE)
        after++;
    return before > 0 && after < axis->count[BASE];
}

/* Finds the cells that a side changed and the result does not have. */
static void find_cut(grids *g, int side)
{
    const uint32_t *columns = lines_of_base(&g->columns, side, &g->m->arena);
    const uint32_t *rows = lines_of_base(&g->rows, side, &g->m->arena);

    if (!columns || !rows) {
        lvl_merge_fail(g->m, lvl_arena_status(&g->m->arena, LVL_ERR_MEMORY));
        return;
    }
    for (uint32_t y = 0; y < g->rows.count[side]; y++) {
        for (uint32_t x = 0; x < g->columns.count[side]; x++) {
            if (g->columns.from[side][x] != LVL_NO_LINE && g->rows.from[side][y] != LVL_NO_LINE)
                continue;
            const bool in_base = columns[x] != LVL_NO_LINE && rows[y] != LVL_NO_LINE;
            const uint32_t b = in_base ? value_at(g, BASE, columns[x], rows[y]) : g->blank;
            if (!in_base && (is_deleted_inside(&g->columns, side, columns[x]) ||
                             is_deleted_inside(&g->rows, side, rows[y])))
                continue;
            if (value_at(g, side, x, y) != b)
                add_clash(&g->cut[side], x, y);
        }
    }
}

static bool same_size(const lvl_cells *a, const lvl_cells *b)
{
    return a->width == b->width && a->height == b->height && !a->ptr == !b->ptr;
}

static void size_conflict(const grids *g)
{
    lvl_merge_conflict(g->m, "base %lu x %lu cells, ours %lu x %lu, theirs %lu x %lu",
                       (unsigned long)g->side[BASE]->width, (unsigned long)g->side[BASE]->height,
                       (unsigned long)g->side[OURS]->width, (unsigned long)g->side[OURS]->height,
                       (unsigned long)g->side[THEIRS]->width, (unsigned long)g->side[THEIRS]->height);
}

/* Where a side has the first of BASE's lines that it has. */
static long moved_by(const lvl_axis *axis, int side)
{
    for (uint32_t i = 0; i < axis->count[BASE]; i++) {
        if (axis->to_side[side][i] != LVL_NO_LINE)
            return (long)axis->to_side[side][i] - (long)i;
    }
    return 0;
}

/* Both sides changed the size at edges, in different ways; or the result would have another size than all
 * grids of the format. */
static void report_sizes(const grids *g)
{
    if (!same_size(g->side[OURS], g->side[THEIRS])) {
        size_conflict(g);
        return;
    }
    lvl_merge_conflict(g->m,
                       "both sides resized it, but ours moved the content by %ld,%ld cells, theirs by "
                       "%ld,%ld; check the places of the objects",
                       moved_by(&g->columns, OURS), moved_by(&g->rows, OURS), moved_by(&g->columns, THEIRS),
                       moved_by(&g->rows, THEIRS));
}

static void report_clash(const grids *g, const clash *c, const char *who, const char *how)
{
    const lvl_region *r = &c->box;

    if (c->count)
        lvl_merge_conflict(g->m, "%s changed %llu cell%s in [%lu,%lu %lu,%lu]%s", who,
                           (unsigned long long)c->count, c->count == 1 ? "" : "s", (unsigned long)r->x0,
                           (unsigned long)r->y0, (unsigned long)r->x1, (unsigned long)r->y1, how);
}

/* Merges all cells into the grid that the axes describe. False: no memory, or too much work. */
static bool merge_grids(grids *g)
{
    const size_t cells = (size_t)g->columns.merged * g->rows.merged;

    g->size = g->side[OURS]->size;
    lvl_merge_fail(g->m, lvl_charge(g->m->ours->ctx, 8 * (uint64_t)cells));
    g->out = lvl_merge_ok(g->m) ? lvl_arena_array(&g->m->ours->arena, cells, g->size) : NULL;
    if (lvl_merge_ok(g->m) && !g->out)
        lvl_merge_fail(g->m, lvl_arena_status(&g->m->ours->arena, LVL_ERR_MEMORY));
    if (!lvl_merge_ok(g->m))
        return false;
    for (uint32_t y = 0; y < g->rows.merged; y++) {
        for (uint32_t x = 0; x < g->columns.merged; x++)
            merge_cell(g, x, y);
    }
    find_cut(g, OURS);
    find_cut(g, THEIRS);
    return lvl_merge_ok(g->m);
}

static void report_cells(const grids *g)
{
    static const char *const names[SIDES] = {"base", "ours", "theirs"};
    lvl_buffer values = {0};

    lvl_buffer_str(&values, g->both.count > 1 ? ": the first:" : ":");
    for (int side = BASE; side < SIDES; side++) {
        lvl_buffer_printf(&values, "%s %s ", side ? "," : "", names[side]);
        lvl_write_cell(&values, g->field->cell_names, g->first[side]);
    }
    lvl_buffer_u8(&values, 0);
    lvl_merge_fail(g->m, values.status);
    if (values.status == LVL_OK)
        report_clash(g, &g->both, "both sides", (const char *)values.data);
    lvl_buffer_free(&values);
    report_clash(g, &g->cut[OURS], "ours", ", which the merged size cuts off");
    report_clash(g, &g->cut[THEIRS], "theirs", ", which the merged size cuts off");
}

/* Whether the record that is merged is a layer of the level, with objects on its grid. */
static bool is_in_layer(const lvl_merger *m)
{
    const lvl_field *layers = lvl_map_layers(m->ours->format);

    return layers && m->where.depth == 2 && m->where.steps[0].field == layers;
}

/* What the new cells of a larger grid are filled with, as by lvl_resize. */
static uint32_t blank_cell(const grids *g, const void *record)
{
    const lvl_map_grid *grid = lvl_map_grid_of(g->m->ours->format);

    if (grid && is_in_layer(g->m))
        return lvl_map_empty(grid, record, g->field);
    return lvl_empty_cell(g->field);
}

/* Aligns the columns and rows of all sides. `hints` (may be NULL): of OURS and THEIRS. */
static void align(grids *g, const lvl_grid_hint *hints, bool inside)
{
    const lvl_ctx *ctx = g->m->ours->ctx;
    lvl_arena *arena = &g->m->arena;
    lvl_status status = LVL_OK;

    for (int side = OURS; side < SIDES && status == LVL_OK; side++)
        status = lvl_grid_align(&g->columns, &g->rows, side, g->side[BASE], g->side[side],
                                hints ? &hints[side] : NULL, inside, ctx, arena);
    if (status == LVL_OK)
        status = lvl_axis_merge(&g->columns, arena);
    if (status == LVL_OK)
        status = lvl_axis_merge(&g->rows, arena);
    lvl_merge_fail(g->m, status);
}

/* Makes the result's columns and rows those of the side that wins a conflict. */
static void take_size(grids *g)
{
    const lvl_doc *winner = lvl_merge_winner(g->m);
    const int side = winner == g->m->theirs ? THEIRS : winner == g->m->base ? BASE : OURS;

    lvl_status status = lvl_axis_take(&g->columns, side, &g->m->arena);
    if (status == LVL_OK)
        status = lvl_axis_take(&g->rows, side, &g->m->arena);
    lvl_merge_fail(g->m, status);
}

/* Whether the merged size is one that neither side may have meant. */
static bool has_size_conflict(const grids *g)
{
    const lvl_map_grid *grid = is_in_layer(g->m) ? lvl_map_grid_of(g->m->ours->format) : NULL;
    const bool fixed = grid && grid->fixed_width;
    const lvl_axis *const axes[2] = {&g->columns, &g->rows};
    bool conflict = false;

    for (int i = 0; i < 2; i++) {
        const uint32_t base = axes[i]->count[BASE];
        conflict = conflict || (is_in_layer(g->m) && axes[i]->clash) ||
                   (fixed && axes[i]->merged != base && axes[i]->count[OURS] == base &&
                    axes[i]->count[THEIRS] == base);
    }
    return conflict;
}

/* Whether a side has other columns or rows than BASE. */
static bool is_aligned_otherwise(const grids *g, int side)
{
    return g->columns.changed[side] || g->rows.changed[side];
}

/* Keeps the axes for the objects on the grid. */
static void keep_axes(grids *g)
{
    lvl_axis *axes = lvl_arena_array(&g->m->arena, 2, sizeof *axes);

    if (!axes) {
        lvl_merge_fail(g->m, lvl_arena_status(&g->m->arena, LVL_ERR_MEMORY));
        return;
    }
    axes[0] = g->columns;
    axes[1] = g->rows;
    g->m->columns = &axes[0];
    g->m->rows = &axes[1];
}

static void store(const grids *g, void *ours)
{
    const lvl_cells merged = {g->out, g->columns.merged, g->rows.merged, g->size};

    if (lvl_editor_note_member(&g->m->edit, ours, g->field))
        memcpy((uint8_t *)ours + g->field->offset, &merged, sizeof merged);
}

/* Merges a grid that a side does not have decoded, as a whole. */
static void merge_whole(grids *g, void *ours, const void *base, const void *theirs)
{
    const lvl_doc *winner = lvl_merge_winner(g->m);

    if (lvl_member_equal(base, theirs, g->field) || lvl_member_equal(ours, theirs, g->field))
        return;
    if (lvl_member_equal(base, ours, g->field)) {
        lvl_merge_take(g->m, ours, g->m->theirs, theirs, g->field);
        return;
    }
    size_conflict(g);
    if (winner)
        lvl_merge_take(g->m, ours, winner, winner == g->m->base ? base : theirs, g->field);
}

void lvl_merge_cells(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field)
{
    grids g = {
        .m = m,
        .field = field,
        .side = {lvl_get_cells(base, field), lvl_get_cells(ours, field), lvl_get_cells(theirs, field)}};
    const bool by_number = (field->flags & LVL_F_FOLLOWS) != 0;
    lvl_grid_hint hints[SIDES] = {{false, 0, 0}};

    if (!g.side[BASE]->ptr || !g.side[OURS]->ptr || !g.side[THEIRS]->ptr) {
        merge_whole(&g, ours, base, theirs);
        return;
    }
    const bool ours_same = lvl_merge_same_member(m, base, m->ours, ours, field);
    const bool theirs_same = lvl_merge_same_member(m, base, m->theirs, theirs, field);
    if (theirs_same && (ours_same || !is_in_layer(m)))
        return;
    const bool resized = !same_size(g.side[BASE], g.side[OURS]) || !same_size(g.side[BASE], g.side[THEIRS]);
    if (resized && is_in_layer(m)) {
        hints[OURS] = lvl_merge_hint(m, base, ours);
        hints[THEIRS] = lvl_merge_hint(m, base, theirs);
    }
    align(&g, hints, !by_number);
    if (!lvl_merge_ok(m))
        return;
    const bool aligned = is_aligned_otherwise(&g, OURS) || is_aligned_otherwise(&g, THEIRS);
    if (has_size_conflict(&g) && !lvl_member_equal(ours, theirs, field)) {
        take_size(&g);
        report_sizes(&g);
    }
    if (aligned && is_in_layer(m))
        keep_axes(&g);
    if (theirs_same || lvl_member_equal(ours, theirs, field))
        return;
    if (ours_same && (!by_number || !m->list_count)) {
        lvl_merge_take(m, ours, m->theirs, theirs, field);
        return;
    }
    g.blank = blank_cell(&g, ours);
    if (!lvl_merge_ok(m) || !merge_grids(&g))
        return;
    store(&g, ours);
    report_cells(&g);
}

bool lvl_merge_new_cells(lvl_merger *m, void *ours, const void *theirs, const lvl_field *field)
{
    static const lvl_cells none = {NULL, 0, 0, 4};
    grids g = {.m = m,
               .field = field,
               .added = true,
               .side = {&none, lvl_get_cells(ours, field), lvl_get_cells(theirs, field)}};

    if (!g.side[OURS]->ptr || !g.side[THEIRS]->ptr || !same_size(g.side[OURS], g.side[THEIRS]))
        return false;
    align(&g, NULL, false);
    g.blank = blank_cell(&g, ours);
    if (lvl_merge_ok(m) && merge_grids(&g)) {
        store(&g, ours);
        report_cells(&g);
    }
    return true;
}

/* ---- worlds ------------------------------------------------------------------------------------------ */

/* The rows of names of the three sides as grids of numbers, equal names alike. */
typedef struct world {
    lvl_merger *m;
    const lvl_field *rows, *names;
    const void *record[SIDES];
    lvl_cells grid[SIDES];
    lvl_text *texts; /* by number; 0: no name, after the end of a row */
    uint32_t text_count;
    size_t text_cap;
    lvl_hash known;
} world;

enum { NO_NAME = 0, FIRST_NAME = 1 };

static uint32_t number_of(world *w, lvl_text name)
{
    const uint64_t hash = lvl_hash_bytes(&w->known.seed, name.ptr, name.len);

    for (lvl_hash_at at = lvl_hash_first(&w->known, hash); at.found; at = lvl_hash_next(&w->known, at)) {
        if (lvl_text_equal(w->texts[at.index], name))
            return at.index;
    }
    if (w->text_count >= w->text_cap || lvl_hash_add(&w->known, hash, w->text_count) != LVL_OK) {
        lvl_merge_fail(w->m, LVL_ERR_MEMORY);
        return NO_NAME;
    }
    w->texts[w->text_count] = name;
    return w->text_count++;
}

static const void *row_of(const world *w, int side, uint32_t y)
{
    return lvl_list_item(w->record[side], w->rows, y);
}

static lvl_text name_at(const world *w, int side, uint32_t x, uint32_t y)
{
    const lvl_field item = lvl_item_field(w->names);

    return lvl_get_text(lvl_list_item(row_of(w, side, y), w->names, x), &item);
}

static bool make_grid(world *w, int side)
{
    lvl_cells *c = &w->grid[side];

    for (uint32_t y = 0; y < c->height; y++) {
        const uint32_t count = lvl_list_count(row_of(w, side, y), w->names);
        uint8_t *cells = (uint8_t *)(uintptr_t)c->ptr + (size_t)y * c->width * c->size;
        for (uint32_t x = 0; x < c->width && lvl_merge_ok(w->m); x++)
            lvl_put_cell(cells + (size_t)x * c->size, c->size,
                         x < count ? number_of(w, name_at(w, side, x, y)) : NO_NAME);
    }
    return lvl_merge_ok(w->m);
}

/* Makes the three grids. False: too large, or no memory. */
static bool make_grids(world *w)
{
    uint64_t cells = 0;

    for (int side = BASE; side < SIDES; side++) {
        lvl_cells *c = &w->grid[side];
        c->size = sizeof(uint32_t);
        c->height = lvl_list_count(w->record[side], w->rows);
        for (uint32_t y = 0; y < c->height; y++) {
            const uint32_t count = lvl_list_count(row_of(w, side, y), w->names);
            c->width = count > c->width ? count : c->width;
        }
        cells += (uint64_t)c->width * c->height;
    }
    lvl_merge_fail(w->m, lvl_charge(w->m->ours->ctx, 8 * cells));
    if (!lvl_merge_ok(w->m))
        return false;
    w->text_cap = (size_t)cells + FIRST_NAME;
    w->texts = lvl_arena_array(&w->m->arena, w->text_cap, sizeof *w->texts);
    w->text_count = FIRST_NAME;
    for (int side = BASE; side < SIDES; side++)
        w->grid[side].ptr = lvl_arena_array(
            &w->m->arena, (size_t)w->grid[side].width * w->grid[side].height + 1, sizeof(uint32_t));
    if (w->m->arena.failed)
        lvl_merge_fail(w->m, lvl_arena_status(&w->m->arena, LVL_ERR_MEMORY));
    return lvl_merge_ok(w->m) && make_grid(w, BASE) && make_grid(w, OURS) && make_grid(w, THEIRS);
}

/* Stores row y of the result, whose names end with the last cell that has one. */
static void store_row(world *w, const grids *g, void *row, uint32_t y)
{
    const lvl_cells merged = {g->out, g->columns.merged, g->rows.merged, g->size};
    const lvl_field item = lvl_item_field(w->names);
    lvl_merger *m = w->m;
    uint32_t count = merged.width;

    while (count && lvl_cell(&merged, count - 1, y) == NO_NAME)
        count--;
    count += !count; /* a row is a line with at least one name */
    const uint32_t old = lvl_list_count(row, w->names);
    bool same = old == count;
    for (uint32_t x = 0; same && x < count; x++) {
        const uint32_t v = lvl_cell(&merged, x, y);
        same = lvl_text_equal(lvl_get_text(lvl_list_item(row, w->names, x), &item),
                              v == NO_NAME ? (lvl_text){NULL, 0} : w->texts[v]);
    }
    if (same || !lvl_editor_note_member(&m->edit, row, w->names))
        return;
    lvl_text *names = lvl_arena_array(&m->ours->arena, (size_t)count + 1, sizeof *names);
    if (!names) {
        lvl_merge_fail(m, lvl_arena_status(&m->ours->arena, LVL_ERR_MEMORY));
        return;
    }
    for (uint32_t x = 0; x < count && lvl_merge_ok(m); x++) {
        const uint32_t v = lvl_cell(&merged, x, y);
        lvl_merge_fail(m,
                       lvl_put_text(m->ours, &names[x], &item, v == NO_NAME ? lvl_text_of("") : w->texts[v]));
    }
    memcpy((uint8_t *)row + w->names->offset, &names, sizeof names);
    memcpy((uint8_t *)row + w->names->count_offset, &count, sizeof count);
}

/* Makes the rows of OURS those of the result: each has the row of OURS, or is new. */
static void store_world(world *w, const grids *g, void *ours)
{
    const uint32_t had = w->grid[OURS].height, count = g->columns.merged ? g->rows.merged : 0;
    uint32_t *order = lvl_arena_array(&w->m->arena, (size_t)count + 1, sizeof *order), added = 0;
    lvl_merger *m = w->m;

    if (!order) {
        lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
        return;
    }
    bool same = had == count;
    for (uint32_t y = 0; y < count; y++) {
        const uint32_t row = g->rows.in[OURS][y];
        order[y] = row != LVL_NO_LINE ? row : had + added++;
        same = same && order[y] == y;
    }
    if (!same && lvl_editor_note_member(&m->edit, ours, w->rows)) {
        lvl_merge_fail(m, lvl_list_insert(m->ours, ours, w->rows, had, added));
        if (lvl_merge_ok(m))
            lvl_merge_fail(m, lvl_list_arrange(m->ours, ours, w->rows, order, count));
    }
    for (uint32_t y = 0; y < count && lvl_merge_ok(m); y++)
        store_row(w, g, lvl_item_at(ours, w->rows, y), y);
}

/* A conflict of a name is reported at its place, with the three names. */
static void report_names(world *w, const grids *g)
{
    static const char *const sides[] = {"base", "ours", "theirs"};
    char shown[SIDES][80], more[100] = "";
    lvl_merger *m = w->m;

    if (g->both.count > 1)
        snprintf(more, sizeof more, "; %llu names in [%lu,%lu %lu,%lu]", (unsigned long long)g->both.count,
                 (unsigned long)g->both.box.x0, (unsigned long)g->both.box.y0, (unsigned long)g->both.box.x1,
                 (unsigned long)g->both.box.y1);
    for (int side = BASE; side < SIDES; side++) {
        const uint32_t v = g->first[side];
        if (v == NO_NAME || v >= w->text_count)
            snprintf(shown[side], sizeof shown[side], "(absent)");
        else
            lvl_text_show(shown[side], sizeof shown[side], m->ours->codepage, w->texts[v]);
    }
    if (g->both.count) {
        const lvl_where where = m->where;
        m->where.steps[m->where.depth - 1].index = g->first_y;
        m->where = lvl_where_to(m->where, w->names, g->first_x);
        lvl_merge_conflict(m, "%s %s, %s %s, %s %s%s", sides[BASE], shown[BASE], sides[OURS], shown[OURS],
                           sides[THEIRS], shown[THEIRS], more);
        m->where = where;
    }
    report_clash(g, &g->cut[OURS], "ours", ", which theirs removed");
    report_clash(g, &g->cut[THEIRS], "theirs", ", which ours removed");
}

void lvl_merge_world(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *rows,
                     const lvl_field *names)
{
    world w = {.m = m, .rows = rows, .names = names, .record = {base, ours, theirs}};
    grids g = {.m = m, .field = rows, .blank = NO_NAME};

    lvl_hash_init(&w.known);
    if (!lvl_member_equal(base, theirs, rows) && !lvl_member_equal(ours, theirs, rows) && make_grids(&w)) {
        for (int side = BASE; side < SIDES; side++)
            g.side[side] = &w.grid[side];
        align(&g, NULL, true);
        if (lvl_merge_ok(m) && merge_grids(&g)) {
            store_world(&w, &g, ours);
            report_names(&w, &g);
        }
    }
    lvl_hash_free(&w.known);
}
