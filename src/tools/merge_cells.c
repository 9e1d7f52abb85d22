/*
 * tools/merge_cells.c: three-way merge of grids, cell by cell, even if a side resized or shifted its grid;
 * and of texts, line by line.
 */
#include "base/buffer.h"
#include "tools/merge.h"

#include "base/arena.h"
#include "base/work.h"
#include "tools/edit_list.h"

#include <stdio.h>
#include <string.h>

/* ---- grids ------------------------------------------------------------------------------------------- */

/* The position of the cells of BASE in another grid: cell x, y is at x + dx, y + dy. */
typedef struct shift {
    int64_t dx, dy;
} shift;

static bool is_inside(const lvl_cells *c, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < c->width && y < c->height;
}

static uint64_t count_agreement(const lvl_cells *base, const lvl_cells *other, shift s)
{
    uint64_t same = 0;

    for (uint32_t y = 0; y < base->height; y++) {
        for (uint32_t x = 0; x < base->width; x++) {
            if (is_inside(other, x + s.dx, y + s.dy))
                same += lvl_cell(base, x, y) == lvl_cell(other, (uint32_t)(x + s.dx), (uint32_t)(y + s.dy));
        }
    }
    return same;
}

/* Cells that both sides changed, or that one side changed and the other cut off. */
typedef struct clash {
    uint64_t count;
    lvl_region box;
} clash;

typedef struct grids {
    lvl_merger *m;
    const lvl_field *field;
    const lvl_cells *base, *ours, *theirs;
    shift to_ours, to_theirs, to_merged; /* from BASE */
    uint8_t *out;
    uint32_t width, height, size;
    uint32_t blank; /* what new cells of a larger grid are filled with */
    clash both; /* in the merged grid */
    uint32_t first[3]; /* the values of its first cell: in BASE, OURS, THEIRS */
    clash cut_of_ours, cut_of_theirs; /* changes outside of the merged grid; in the grid of that side */
} grids;

static uint32_t base_cell(const grids *g, uint32_t x, uint32_t y)
{
    return lvl_merge_index(g->m, g->field, g->m->base, lvl_cell(g->base, x, y));
}

static uint32_t theirs_cell(const grids *g, int64_t x, int64_t y)
{
    return lvl_merge_index(g->m, g->field, g->m->theirs, lvl_cell(g->theirs, (uint32_t)x, (uint32_t)y));
}

static void put_cell(const grids *g, int64_t x, int64_t y, uint32_t value)
{
    lvl_put_cell(g->out + ((size_t)y * g->width + (size_t)x) * g->size, g->size, value);
}

static void add_clash(clash *c, int64_t at_x, int64_t at_y)
{
    const uint32_t x = (uint32_t)at_x, y = (uint32_t)at_y;
    lvl_region *r = &c->box;

    if (!c->count++)
        *r = (lvl_region){x, y, x, y, 0};
    r->x0 = x < r->x0 ? x : r->x0;
    r->x1 = x > r->x1 ? x : r->x1;
    r->y0 = y < r->y0 ? y : r->y0;
    r->y1 = y > r->y1 ? y : r->y1;
}

/* Merges the cell that is at x, y of BASE, or would be there if BASE were larger. A cell that BASE lacks was
 * blank. */
static void merge_cell(grids *g, int64_t x, int64_t y)
{
    const int64_t ox = x + g->to_ours.dx, oy = y + g->to_ours.dy;
    const int64_t tx = x + g->to_theirs.dx, ty = y + g->to_theirs.dy;
    const int64_t mx = x + g->to_merged.dx, my = y + g->to_merged.dy;
    const uint32_t b = is_inside(g->base, x, y) ? base_cell(g, (uint32_t)x, (uint32_t)y) : g->blank;
    const uint32_t o = is_inside(g->ours, ox, oy) ? lvl_cell(g->ours, (uint32_t)ox, (uint32_t)oy) : b;
    const uint32_t t = is_inside(g->theirs, tx, ty) ? theirs_cell(g, tx, ty) : b;

    if (mx < 0 || my < 0 || mx >= g->width || my >= g->height) {
        if (o != b)
            add_clash(&g->cut_of_ours, ox, oy);
        if (t != b)
            add_clash(&g->cut_of_theirs, tx, ty);
        return;
    }
    uint32_t v = o == b ? t : o;
    if (o != b && t != b && o != t) {
        const lvl_doc *winner = lvl_merge_winner(g->m);
        if (!g->both.count) {
            g->first[0] = b;
            g->first[1] = o;
            g->first[2] = t;
        }
        add_clash(&g->both, mx, my);
        v = winner == g->m->theirs ? t : winner == g->m->base ? b : o;
    }
    put_cell(g, mx, my, v);
}

static bool same_size(const lvl_cells *a, const lvl_cells *b)
{
    return a->width == b->width && a->height == b->height && !a->ptr == !b->ptr;
}

static void size_conflict(const grids *g)
{
    lvl_merge_conflict(g->m, "base %lu x %lu cells, ours %lu x %lu, theirs %lu x %lu",
                       (unsigned long)g->base->width, (unsigned long)g->base->height,
                       (unsigned long)g->ours->width, (unsigned long)g->ours->height,
                       (unsigned long)g->theirs->width, (unsigned long)g->theirs->height);
}

static void shift_conflict(const grids *g)
{
    lvl_merge_conflict(g->m,
                       "both sides resized it, but ours moved the content by %lld,%lld cells, theirs by "
                       "%lld,%lld; check the places of the objects",
                       (long long)g->to_ours.dx, (long long)g->to_ours.dy, (long long)g->to_theirs.dx,
                       (long long)g->to_theirs.dy);
}

static void report_clash(const grids *g, const clash *c, const char *who, const char *how)
{
    const lvl_region *r = &c->box;

    if (c->count)
        lvl_merge_conflict(g->m, "%s changed %llu cell%s in [%lu,%lu %lu,%lu]%s", who,
                           (unsigned long long)c->count, c->count == 1 ? "" : "s", (unsigned long)r->x0,
                           (unsigned long)r->y0, (unsigned long)r->x1, (unsigned long)r->y1, how);
}

/* Sets from and to to the smallest and largest coordinate, of BASE, of a side. */
static void extend_range(int64_t *from, int64_t *to, int64_t shifted, uint32_t count)
{
    if (-shifted < *from)
        *from = -shifted;
    if ((int64_t)count - shifted > *to)
        *to = (int64_t)count - shifted;
}

/* Merges all cells of the three grids into one with the size of `from`, in which cell x, y of BASE is at
 * x + place.dx, y + place.dy. */
static void merge_grids(grids *g, void *ours, const lvl_cells *from, shift place)
{
    int64_t x0 = 0, y0 = 0, x1 = g->base->width, y1 = g->base->height;
    char values[96];

    extend_range(&x0, &x1, g->to_ours.dx, g->ours->width);
    extend_range(&y0, &y1, g->to_ours.dy, g->ours->height);
    extend_range(&x0, &x1, g->to_theirs.dx, g->theirs->width);
    extend_range(&y0, &y1, g->to_theirs.dy, g->theirs->height);
    const uint64_t cells = (uint64_t)from->width * from->height;
    g->width = from->width;
    g->height = from->height;
    g->size = g->ours->size;
    g->to_merged = place;
    lvl_merge_fail(g->m,
                   lvl_charge(g->m->ours->ctx, 4 * (cells + (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0))));
    if (!lvl_merge_ok(g->m) || !lvl_editor_note_member(&g->m->edit, ours, g->field))
        return;
    g->out = lvl_arena_array(&g->m->ours->arena, (size_t)cells, g->size);
    if (!g->out) {
        lvl_merge_fail(g->m, LVL_ERR_MEMORY);
        return;
    }
    lvl_fill_cells(g->out, g->size, g->blank, (size_t)cells);
    for (int64_t y = y0; y < y1; y++) {
        for (int64_t x = x0; x < x1; x++)
            merge_cell(g, x, y);
    }
    const lvl_cells merged = {g->out, g->width, g->height, g->size};
    memcpy((uint8_t *)ours + g->field->offset, &merged, sizeof merged);
    snprintf(values, sizeof values, ": %sbase %lu, ours %lu, theirs %lu",
             g->both.count > 1 ? "the first: " : "", (unsigned long)g->first[0], (unsigned long)g->first[1],
             (unsigned long)g->first[2]);
    report_clash(g, &g->both, "both sides", values);
    report_clash(g, &g->cut_of_ours, "ours", ", which the merged size cuts off");
    report_clash(g, &g->cut_of_theirs, "theirs", ", which the merged size cuts off");
}

/* Whether the record that is merged is a layer of the level, with objects on its grid. */
static bool is_in_layer(const lvl_merger *m)
{
    const lvl_field *layers = lvl_map_layers(m->ours->format);

    return layers && m->where.depth == 2 && m->where.steps[0].field == layers;
}

/* The shift with the most equal cells: of those that keep an edge of the grid, or its middle. Where cells
 * repeat, others may fit as well, or better if the side changed some: the objects on the grid decide. */
static shift find_shift(const grids *g, const lvl_cells *other, const void *base, const void *side)
{
    const int64_t across = (int64_t)other->width - g->base->width;
    const int64_t down = (int64_t)other->height - g->base->height;
    const int64_t xs[3] = {0, across, across / 2}, ys[3] = {0, down, down / 2};
    uint64_t same[9], most = 0;
    int64_t px[2], by[2];
    shift all[9], best = {0, 0};

    if (!across && !down)
        return best;
    for (int i = 0; i < 9; i++) {
        all[i] = (shift){xs[i % 3], ys[i / 3]};
        same[i] = count_agreement(g->base, other, all[i]);
        if (same[i] > most) {
            most = same[i];
            best = all[i];
        }
    }
    if (!is_in_layer(g->m) || !lvl_merge_distance(g->m, base, side, by) || (!by[0] && !by[1]))
        return best;
    lvl_cell_px(lvl_map_grid_of(g->m->ours->format), g->m->where.steps[0].field->table, side, px);
    for (int i = 0; i < 9; i++) {
        if (same[i] >= most - most / 4 && all[i].dx * px[0] == by[0] && all[i].dy * px[1] == by[1])
            best = all[i];
    }
    return best;
}

static void find_shifts(grids *g, const void *ours, const void *base, const void *theirs)
{
    lvl_merge_fail(g->m, lvl_charge(g->m->ours->ctx, 20 * (uint64_t)g->base->width * g->base->height));
    if (!lvl_merge_ok(g->m))
        return;
    g->to_ours = find_shift(g, g->ours, base, ours);
    g->to_theirs = find_shift(g, g->theirs, base, theirs);
}

static bool same_shift(shift a, shift b)
{
    return a.dx == b.dx && a.dy == b.dy;
}

/* Stores by how many px one side moved the content of the grid, for the objects on it. */
static void note_moved(const grids *g, void *record, bool by_ours)
{
    lvl_merger *m = g->m;
    const shift s = by_ours ? g->to_ours : g->to_theirs;

    if (!is_in_layer(m))
        return;
    int64_t px[2];
    lvl_cell_px(lvl_map_grid_of(m->ours->format), m->where.steps[0].field->table, record, px);
    m->moved = by_ours ? m->ours : m->theirs;
    m->moved_x = s.dx * px[0];
    m->moved_y = s.dy * px[1];
}

/* What the new cells of a larger grid are filled with, as by lvl_resize. */
static uint32_t blank_cell(const grids *g, const void *record)
{
    const lvl_map_grid *grid = lvl_map_grid_of(g->m->ours->format);

    if (grid && is_in_layer(g->m))
        return lvl_map_empty(grid, record, g->field);
    return lvl_empty_cell(g->field);
}

void lvl_merge_cells(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field)
{
    grids g = {.m = m, .field = field};

    g.base = lvl_get_cells(base, field);
    g.ours = lvl_get_cells(ours, field);
    g.theirs = lvl_get_cells(theirs, field);
    const bool all = g.base->ptr && g.ours->ptr && g.theirs->ptr;
    const bool ours_resized = all && !same_size(g.base, g.ours);
    const bool theirs_resized = all && !same_size(g.base, g.theirs);
    if (ours_resized || theirs_resized)
        find_shifts(&g, ours, base, theirs);
    const bool same_place = same_shift(g.to_ours, g.to_theirs);
    if (ours_resized != theirs_resized && !same_place)
        note_moved(&g, ours, ours_resized);
    if (!(field->flags & LVL_F_FOLLOWS) || !m->list_count) {
        if (lvl_member_equal(base, theirs, field) || lvl_member_equal(ours, theirs, field))
            return;
        if (lvl_member_equal(base, ours, field)) {
            lvl_merge_take(m, ours, m->theirs, theirs, field);
            return;
        }
    }
    if (!all) {
        if (lvl_member_equal(base, theirs, field) || lvl_member_equal(ours, theirs, field))
            return;
        const lvl_doc *winner = lvl_merge_winner(m);
        size_conflict(&g);
        if (winner)
            lvl_merge_take(m, ours, winner, winner == m->base ? base : theirs, field);
        return;
    }
    g.blank = blank_cell(&g, ours);
    const lvl_cells *from = theirs_resized && !ours_resized ? g.theirs : g.ours;
    if (ours_resized && theirs_resized && !(same_size(g.ours, g.theirs) && same_place)) {
        const lvl_doc *winner = lvl_merge_winner(m);
        if (same_size(g.ours, g.theirs))
            shift_conflict(&g);
        else
            size_conflict(&g);
        from = winner == m->theirs ? g.theirs : winner == m->base ? g.base : g.ours;
    }
    merge_grids(&g, ours, from, from == g.theirs ? g.to_theirs : from == g.base ? (shift){0, 0} : g.to_ours);
}

bool lvl_merge_new_cells(lvl_merger *m, void *ours, const void *theirs, const lvl_field *field)
{
    static const lvl_cells none = {NULL, 0, 0, 4};
    grids g = {.m = m, .field = field, .base = &none};

    g.ours = lvl_get_cells(ours, field);
    g.theirs = lvl_get_cells(theirs, field);
    if (!g.ours->ptr || !g.theirs->ptr || !same_size(g.ours, g.theirs))
        return false;
    g.blank = blank_cell(&g, ours);
    merge_grids(&g, ours, g.ours, (shift){0, 0});
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

typedef struct texts {
    lvl_merger *m;
    lvl_lines ours, theirs; /* from BASE */
    lvl_buffer out;
    bool first;
    uint32_t conflicts;
    uint32_t first_line; /* of BASE in the first conflict, from 1 */
    lvl_buffer shown[3]; /* its lines in BASE, OURS, THEIRS */
} texts;

static void put_lines(texts *x, const lvl_text *lines, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        if (!x->first)
            lvl_buffer_u8(&x->out, '\n');
        x->first = false;
        lvl_buffer_add(&x->out, lines[i].ptr, lines[i].len);
    }
}

/* A message shows the beginning of lines only. */
static void add_lines(lvl_buffer *out, const lvl_text *lines, uint32_t from, uint32_t to)
{
    enum { ENOUGH = 400 };

    for (uint32_t i = from; i < to && out->len < ENOUGH; i++) {
        if (i > from)
            lvl_buffer_u8(out, '\n');
        lvl_buffer_add(out, lines[i].ptr, lines[i].len);
    }
    if (to > from)
        lvl_buffer_reserve(out, 1); /* an empty line is not the absence of lines */
}

static void report_lines(texts *x)
{
    static const lvl_field lines = {.name = "lines", .kind = LVL_TEXT, .size = sizeof(lvl_text)};
    const uint32_t more = x->conflicts - 1;
    lvl_text values[3];
    const lvl_text *sides[3];
    char place[40], rest[60] = "";

    for (int i = 0; i < 3; i++) {
        values[i] = lvl_buffer_text(&x->shown[i]);
        sides[i] = values[i].ptr ? &values[i] : NULL;
        lvl_merge_fail(x->m, x->shown[i].status);
    }
    snprintf(place, sizeof place, "line %u: ", x->first_line);
    if (more)
        snprintf(rest, sizeof rest, "; %u more place%s in this text", more, more == 1 ? "" : "s");
    lvl_merge_conflict_values(x->m, place, sides[0], sides[1], sides[2], &lines, rest);
}

static void put_marker(texts *x, const char *text)
{
    const lvl_text line = lvl_text_of(text);

    put_lines(x, &line, 0, 1);
}

static bool same_lines(const lvl_text *a, uint32_t a_count, const lvl_text *b, uint32_t b_count)
{
    bool same = a_count == b_count;

    for (uint32_t i = 0; same && i < a_count; i++)
        same = lvl_text_equal(a[i], b[i]);
    return same;
}

/* Merges the lines from … to - 1 of BASE, which are o0 … o1 - 1 of OURS and t0 … t1 - 1 of THEIRS. */
static void merge_hunk(texts *x, uint32_t from, uint32_t to, uint32_t o0, uint32_t o1, uint32_t t0,
                       uint32_t t1)
{
    const lvl_text *base = x->ours.a, *ours = x->ours.b, *theirs = x->theirs.b;
    const lvl_doc *winner = lvl_merge_winner(x->m);

    if (same_lines(base + from, to - from, theirs + t0, t1 - t0) ||
        same_lines(ours + o0, o1 - o0, theirs + t0, t1 - t0)) {
        put_lines(x, ours, o0, o1);
        return;
    }
    if (same_lines(base + from, to - from, ours + o0, o1 - o0)) {
        put_lines(x, theirs, t0, t1);
        return;
    }
    if (x->conflicts++ == 0) {
        x->first_line = from + 1;
        add_lines(&x->shown[0], base, from, to);
        add_lines(&x->shown[1], ours, o0, o1);
        add_lines(&x->shown[2], theirs, t0, t1);
    }
    if (x->m->options->markers) {
        put_marker(x, "<<<<<<< ours");
        put_lines(x, ours, o0, o1);
        put_marker(x, "=======");
        put_lines(x, theirs, t0, t1);
        put_marker(x, ">>>>>>> theirs");
    } else if (winner == x->m->theirs) {
        put_lines(x, theirs, t0, t1);
    } else if (winner == x->m->base) {
        put_lines(x, base, from, to);
    } else {
        put_lines(x, ours, o0, o1);
    }
}

/* Merges the hunks of both sides; hunks that touch in BASE are merged as one. */
static void merge_texts(texts *x)
{
    const lvl_lines *o = &x->ours, *t = &x->theirs;
    uint32_t at = 0;
    int64_t to_ours = 0, to_theirs = 0; /* offset from a line of BASE to the same line of each side */

    for (size_t i = 0, j = 0; i < o->hunk_count || j < t->hunk_count;) {
        const uint32_t next_ours = i < o->hunk_count ? o->hunks[i].a : UINT32_MAX;
        const uint32_t next_theirs = j < t->hunk_count ? t->hunks[j].a : UINT32_MAX;
        const uint32_t from = next_ours < next_theirs ? next_ours : next_theirs;
        const uint32_t o0 = (uint32_t)(from + to_ours), t0 = (uint32_t)(from + to_theirs);
        uint32_t to = from;
        for (bool more = true; more;) {
            more = false;
            for (; i < o->hunk_count && o->hunks[i].a <= to; i++, more = true) {
                to = o->hunks[i].a + o->hunks[i].a_count > to ? o->hunks[i].a + o->hunks[i].a_count : to;
                to_ours += (int64_t)o->hunks[i].b_count - o->hunks[i].a_count;
            }
            for (; j < t->hunk_count && t->hunks[j].a <= to; j++, more = true) {
                to = t->hunks[j].a + t->hunks[j].a_count > to ? t->hunks[j].a + t->hunks[j].a_count : to;
                to_theirs += (int64_t)t->hunks[j].b_count - t->hunks[j].a_count;
            }
        }
        put_lines(x, o->a, at, from);
        merge_hunk(x, from, to, o0, (uint32_t)(to + to_ours), t0, (uint32_t)(to + to_theirs));
        at = to;
    }
    put_lines(x, o->a, at, o->a_count);
}

bool lvl_merge_lines(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field)
{
    texts x = {.m = m, .first = true};
    const lvl_text b = lvl_get_text(base, field);

    lvl_status status = lvl_lines_find(&x.ours, b, lvl_get_text(ours, field));
    if (status == LVL_OK)
        status = lvl_lines_find(&x.theirs, b, lvl_get_text(theirs, field));
    const bool lines = status == LVL_OK && (x.ours.a_count > 1 || x.ours.b_count > 1 || x.theirs.b_count > 1);
    if (lines) {
        merge_texts(&x);
        status = x.out.status;
    }
    if (lines && status == LVL_OK && lvl_editor_note_member(&m->edit, ours, field)) {
        status = lvl_put_text(m->ours, ours, field, lvl_buffer_text(&x.out));
        if (x.conflicts)
            report_lines(&x);
    }
    lvl_merge_fail(m, status);
    lvl_lines_free(&x.ours);
    lvl_lines_free(&x.theirs);
    lvl_buffer_free(&x.out);
    for (int i = 0; i < 3; i++)
        lvl_buffer_free(&x.shown[i]);
    return lines;
}
