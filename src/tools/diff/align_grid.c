/*
 * tools/diff/align_grid.c: see align_grid.h. Lines are compared by hashes of their cells: rows under a guess
 * of the columns (all; those of the left half; those of the right half), then columns under these rows, then
 * rows again. Other guesses are that only columns or only rows changed. The guess with the most equal cells
 * is taken, or the grid enlarged or cropped at its edges if that has more.
 */
#include "tools/diff/align_grid.h"

#include "base/work.h"
#include "tools/diff/lines.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_GAP = 1 << 22 /* cells that are compared to align lines that differ */
};

typedef struct grids {
    const lvl_cells *a, *b;
    uint32_t *columns, *rows; /* by column and row of a: the one of b, or LVL_NO_LINE */
    lvl_arena *arena;
} grids;

/* One direction: how lines and the cells in them are found. */
typedef struct direction {
    const grids *g;
    bool rows; /* lines are rows; else columns */
    uint32_t lines_a, lines_b, cells_a, cells_b;
    const uint32_t *across; /* by cell of a line of a: the one in a line of b */
} direction;

static direction direction_of(const grids *g, bool rows)
{
    direction d = {.g = g, .rows = rows, .across = rows ? g->columns : g->rows};

    d.lines_a = rows ? g->a->height : g->a->width;
    d.lines_b = rows ? g->b->height : g->b->width;
    d.cells_a = rows ? g->a->width : g->a->height;
    d.cells_b = rows ? g->b->width : g->b->height;
    return d;
}

static uint32_t cell_of(const direction *d, const lvl_cells *c, uint32_t line, uint32_t i)
{
    return d->rows ? lvl_cell(c, i, line) : lvl_cell(c, line, i);
}

static uint32_t *lines(lvl_arena *arena, uint32_t count)
{
    uint32_t *out = lvl_arena_array(arena, (size_t)count + 1, sizeof *out);

    if (out)
        memset(out, 0xFF, ((size_t)count + 1) * sizeof *out);
    return out;
}

/* ---- edges ------------------------------------------------------------------------------------------- */

static void shift_lines(uint32_t *map, uint32_t count, uint32_t others, int64_t by)
{
    for (uint32_t i = 0; i < count; i++) {
        const int64_t at = (int64_t)i + by;
        map[i] = at >= 0 && at < others ? (uint32_t)at : LVL_NO_LINE; /* NOLINT: the arena did not fail */
    }
}

/* How many cells of a are the same in b. */
static uint64_t count_same(const grids *g)
{
    uint64_t same = 0;

    for (uint32_t y = 0; y < g->a->height; y++) {
        if (g->rows[y] == LVL_NO_LINE)
            continue;
        for (uint32_t x = 0; x < g->a->width; x++)
            same += g->columns[x] != LVL_NO_LINE &&
                    lvl_cell(g->a, x, y) == lvl_cell(g->b, g->columns[x], g->rows[y]);
    }
    return same;
}

/* The shift with the most equal cells, of those that keep an edge of the grid or its middle. Where cells
 * repeat, others may fit as well, or better if the side changed some: the objects on the grid decide. */
static uint64_t align_edges(grids *g, const lvl_grid_hint *hint)
{
    const int64_t across = (int64_t)g->b->width - g->a->width, down = (int64_t)g->b->height - g->a->height;
    const int64_t xs[3] = {0, across, across / 2}, ys[3] = {0, down, down / 2};
    const int tried = across || down ? 9 : 1;
    uint64_t same[9], most = 0;
    int best = 0;

    for (int i = 0; i < tried; i++) {
        shift_lines(g->columns, g->a->width, g->b->width, xs[i % 3]);
        shift_lines(g->rows, g->a->height, g->b->height, ys[i / 3]);
        same[i] = count_same(g);
        if (same[i] > most) {
            most = same[i];
            best = i;
        }
    }
    for (int i = 0; hint && hint->known && i < tried; i++) {
        if (same[i] >= most - most / 4 && xs[i % 3] == hint->dx && ys[i / 3] == hint->dy)
            best = i;
    }
    shift_lines(g->columns, g->a->width, g->b->width, xs[best % 3]);
    shift_lines(g->rows, g->a->height, g->b->height, ys[best / 3]);
    return same[best];
}

/* ---- lines inside ------------------------------------------------------------------------------------ */

/* Which cells of a line count. */
typedef enum part { PART_ALL, PART_FRONT, PART_BACK } part;

/* The hash of a line: of the cells that both grids have under the guess, or of one half of the line, counted
 * from its beginning or its end. */
static uint64_t hash_line(const direction *d, const lvl_hash_seed *seed, bool of_a, uint32_t line, part which)
{
    const uint32_t least = d->cells_a < d->cells_b ? d->cells_a : d->cells_b, half = least / 2;
    const lvl_cells *c = of_a ? d->g->a : d->g->b;
    const uint32_t cells = of_a ? d->cells_a : d->cells_b;
    uint64_t h = seed->start;

    if (which == PART_FRONT) {
        for (uint32_t i = 0; i < half; i++)
            h = lvl_hash_mix(seed, h, cell_of(d, c, line, i));
    } else if (which == PART_BACK) {
        for (uint32_t i = cells - half; i < cells; i++)
            h = lvl_hash_mix(seed, h, cell_of(d, c, line, i));
    } else {
        for (uint32_t i = 0; i < d->cells_a; i++) {
            if (d->across[i] != LVL_NO_LINE)
                h = lvl_hash_mix(seed, h, cell_of(d, c, line, of_a ? i : d->across[i]));
        }
    }
    return h;
}

/* How many cells of two lines are the same. */
static uint32_t same_in_lines(const direction *d, uint32_t a, uint32_t b)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < d->cells_a; i++)
        same +=
            d->across[i] != LVL_NO_LINE && cell_of(d, d->g->a, a, i) == cell_of(d, d->g->b, b, d->across[i]);
    return same;
}

/* Aligns lines a0 … a1 - 1 with b0 … b1 - 1, no two of them equal: most cells are the same. */
static bool align_gap(const direction *d, uint32_t *map, uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1)
{
    const size_t n = a1 - a0, m = b1 - b0, width = m + 1;
    uint32_t *best = NULL;

    if (!n || !m)
        return true;
    if (n == m || n * m > MAX_GAP / ((size_t)d->cells_a + 1)) {
        for (size_t i = 0; i < n && i < m; i++)
            map[a0 + i] = b0 + (uint32_t)i;
        return true;
    }
    best = calloc((n + 1) * width, sizeof *best); /* equal cells from line i, j on */
    if (!best)
        return false;
    for (size_t i = n; i-- > 0;) {
        for (size_t j = m; j-- > 0;) {
            const uint32_t pair =
                best[(i + 1) * width + j + 1] + same_in_lines(d, a0 + (uint32_t)i, b0 + (uint32_t)j) + 1;
            const uint32_t skip_a = best[(i + 1) * width + j], skip_b = best[i * width + j + 1];
            const uint32_t skip = skip_a > skip_b ? skip_a : skip_b;
            best[i * width + j] = pair > skip ? pair : skip;
        }
    }
    for (size_t i = 0, j = 0; i < n && j < m;) {
        const uint32_t now = best[i * width + j];
        if (now == best[i * width + j + 1]) {
            j++;
        } else if (now == best[(i + 1) * width + j]) {
            i++;
        } else {
            map[a0 + i++] = b0 + (uint32_t)j++;
        }
    }
    free(best);
    return true;
}

/* Numbers the hashes of the lines of both grids, equal ones alike. */
static lvl_status number_lines(const direction *d, part which, uint32_t *ids, uint32_t *count)
{
    const uint32_t n = d->lines_a + d->lines_b;
    uint64_t *hashes = malloc(((size_t)n + 1) * sizeof *hashes);
    lvl_status status = hashes ? LVL_OK : LVL_ERR_MEMORY;
    lvl_hash first;

    lvl_hash_init(&first);
    *count = 0;
    for (uint32_t i = 0; i < n && status == LVL_OK; i++) {
        const bool of_a = i < d->lines_a;
        hashes[i] = hash_line(d, &first.seed, of_a, of_a ? i : i - d->lines_a, which);
        lvl_hash_at at = lvl_hash_first(&first, hashes[i]);
        while (at.found && hashes[at.index] != hashes[i])
            at = lvl_hash_next(&first, at);
        ids[i] = at.found ? ids[at.index] : (*count)++;
        if (!at.found)
            status = lvl_hash_add(&first, hashes[i], i);
    }
    lvl_hash_free(&first);
    free(hashes);
    return status;
}

/* Aligns the lines of one direction. */
static lvl_status align_lines(const grids *g, bool rows, part which)
{
    const direction d = direction_of(g, rows);
    uint32_t *map = rows ? g->rows : g->columns, count = 0;
    const size_t n = (size_t)d.lines_a + d.lines_b;
    uint32_t *ids = malloc((n + 1) * sizeof *ids);
    uint8_t *gone = calloc(n + 2, 1);

    lvl_status status = ids && gone ? number_lines(&d, which, ids, &count) : LVL_ERR_MEMORY;
    uint8_t *fresh = gone ? gone + d.lines_a + 1 : NULL;
    if (status == LVL_OK)
        status = lvl_sequence_compare(ids, d.lines_a, ids + d.lines_a, d.lines_b, count, gone, fresh);
    for (uint32_t i = 0, j = 0; status == LVL_OK && (i < d.lines_a || j < d.lines_b);) {
        uint32_t end_a = i, end_b = j;
        while (end_a < d.lines_a && gone[end_a])
            map[end_a++] = LVL_NO_LINE;
        while (end_b < d.lines_b && fresh[end_b])
            end_b++;
        if (!align_gap(&d, map, i, end_a, j, end_b))
            status = LVL_ERR_MEMORY;
        if (end_a < d.lines_a)
            map[end_a++] = end_b++;
        i = end_a;
        j = end_b;
    }
    free(ids);
    free(gone);
    return status;
}

/* What the rows and columns of a grid are found by. */
typedef enum guess { BY_ALL, BY_FRONT, BY_BACK, ONLY_COLUMNS, ONLY_ROWS, GUESSES } guess;

/* Columns and rows between which others were inserted or deleted. False: the guess is not possible. */
static bool align_inside(grids *g, guess by, lvl_status *status)
{
    static const part parts[GUESSES] = {[BY_FRONT] = PART_FRONT, [BY_BACK] = PART_BACK};

    if ((by == ONLY_COLUMNS && g->a->height != g->b->height) ||
        (by == ONLY_ROWS && g->a->width != g->b->width))
        return false;
    shift_lines(g->columns, g->a->width, g->b->width, 0);
    shift_lines(g->rows, g->a->height, g->b->height, 0);
    *status = by == ONLY_COLUMNS ? LVL_OK : align_lines(g, true, parts[by]);
    if (*status == LVL_OK && by != ONLY_ROWS)
        *status = align_lines(g, false, PART_ALL);
    if (*status == LVL_OK && by < ONLY_COLUMNS)
        *status = align_lines(g, true, PART_ALL);
    return *status == LVL_OK;
}

/* Whether a guess explains a side so much better than its edges do that lines were inserted or deleted. */
static bool is_better(const grids *g, uint64_t same, uint64_t at_edges)
{
    const uint64_t all = (uint64_t)g->a->width * g->a->height;

    if (g->a->width != g->b->width || g->a->height != g->b->height)
        return same > at_edges;
    return all - same < (all - at_edges) / 2; /* else cells were painted */
}

lvl_status lvl_grid_align(lvl_axis *columns, lvl_axis *rows, int side, const lvl_cells *base,
                          const lvl_cells *grid, const lvl_grid_hint *hint, bool inside, const lvl_ctx *ctx,
                          lvl_arena *arena)
{
    const uint64_t cells = (uint64_t)base->width * base->height + (uint64_t)grid->width * grid->height;
    grids g = {.a = base, .b = grid, .arena = arena};
    grids best = g;

    columns->count[0] = base->width;
    rows->count[0] = base->height;
    columns->count[side] = grid->width;
    rows->count[side] = grid->height;
    lvl_status status = lvl_charge(ctx, 36 * cells);
    best.columns = columns->to_side[side] = lines(arena, base->width);
    best.rows = rows->to_side[side] = lines(arena, base->height);
    g.columns = inside ? lines(arena, base->width) : NULL;
    g.rows = inside ? lines(arena, base->height) : NULL;
    if (status == LVL_OK && arena->failed)
        status = lvl_arena_status(arena, LVL_ERR_MEMORY);
    if (status != LVL_OK)
        return status;
    const uint64_t at_edges = align_edges(&best, hint);
    const bool same = base->width == grid->width && base->height == grid->height;
    if (!inside || at_edges == (uint64_t)base->width * base->height ||
        (same && (uint64_t)base->width * base->height - at_edges < 4))
        return LVL_OK;
    uint64_t most = at_edges;
    for (int by = BY_ALL; by < GUESSES && status == LVL_OK; by++) {
        const uint64_t now = align_inside(&g, (guess)by, &status) ? count_same(&g) : 0;
        if (!is_better(&g, now, at_edges) || now <= most)
            continue;
        most = now;
        memcpy(best.columns, g.columns, (size_t)base->width * sizeof *g.columns);
        memcpy(best.rows, g.rows, (size_t)base->height * sizeof *g.rows);
    }
    return status;
}

/* ---- the result -------------------------------------------------------------------------------------- */

/* The lines that a side inserted before each line of BASE, and at the end. */
static void count_inserted(const lvl_axis *axis, int side, uint32_t *inserted)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i <= axis->count[0]; i++) {
        const uint32_t at = i < axis->count[0] ? axis->to_side[side][i] : axis->count[side];
        inserted[i] = at == LVL_NO_LINE ? 0 : at - next;
        next = at == LVL_NO_LINE ? next : at + 1;
    }
}

/* How many lines of BASE are missing at an edge of a side. */
static uint32_t count_cut(const lvl_axis *axis, int side, bool front)
{
    const uint32_t n = axis->count[0];
    uint32_t cut = 0;

    while (cut < n && axis->to_side[side][front ? cut : n - 1 - cut] == LVL_NO_LINE)
        cut++;
    return cut;
}

/* Notes which sides changed the axis, and whether both did so at edges in different ways. */
static void note_changes(lvl_axis *axis, const uint32_t *ours, const uint32_t *theirs)
{
    const uint32_t *const inserted[3] = {NULL, ours, theirs};
    const uint32_t n = axis->count[0];
    int64_t at_edge[3][2] = {{0}};

    for (int side = 1; side < 3; side++) {
        axis->changed[side] = axis->count[side] != n;
        for (uint32_t i = 0; i < n; i++)
            axis->changed[side] = axis->changed[side] || axis->to_side[side][i] != i;
        /* NOLINTNEXTLINE: the arena did not fail */
        at_edge[side][0] = (int64_t)inserted[side][0] - count_cut(axis, side, true);
        at_edge[side][1] = (int64_t)inserted[side][n] - count_cut(axis, side, false);
    }
    const bool both = (at_edge[1][0] || at_edge[1][1]) && (at_edge[2][0] || at_edge[2][1]);
    axis->clash = both && (at_edge[1][0] != at_edge[2][0] || at_edge[1][1] != at_edge[2][1]);
}

/* Sets `in` by `from`. */
static bool invert(lvl_axis *axis, lvl_arena *arena)
{
    for (int side = 0; side < 3; side++) {
        axis->in[side] = lines(arena, axis->merged);
        for (uint32_t i = 0; axis->in[side] && i < axis->count[side]; i++) {
            if (axis->from[side][i] != LVL_NO_LINE)
                axis->in[side][axis->from[side][i]] = i;
        }
    }
    return !arena->failed;
}

lvl_status lvl_axis_merge(lvl_axis *axis, lvl_arena *arena)
{
    const uint32_t n = axis->count[0];
    uint32_t *ours = lines(arena, n + 1), *theirs = lines(arena, n + 1), o = 0, t = 0, at = 0;

    for (int side = 0; side < 3; side++)
        axis->from[side] = lines(arena, axis->count[side]);
    if (arena->failed)
        return lvl_arena_status(arena, LVL_ERR_MEMORY);
    count_inserted(axis, 1, ours);
    count_inserted(axis, 2, theirs);
    note_changes(axis, ours, theirs);
    for (uint32_t i = 0; i <= n; i++) {
        const uint32_t more = ours[i] > theirs[i] ? ours[i] : theirs[i];
        /* before the first line they are counted from that one */
        const uint32_t skip_o = i ? 0 : more - ours[i], skip_t = i ? 0 : more - theirs[i];
        for (uint32_t k = 0; k < ours[i]; k++)
            axis->from[1][o++] = at + skip_o + k;
        for (uint32_t k = 0; k < theirs[i]; k++)
            axis->from[2][t++] = at + skip_t + k;
        at += more;
        if (i == n)
            break;
        const bool in_ours = axis->to_side[1][i] != LVL_NO_LINE,
                   in_theirs = axis->to_side[2][i] != LVL_NO_LINE;
        const uint32_t line = in_ours && in_theirs ? at++ : LVL_NO_LINE;
        axis->from[0][i] = line;
        if (in_ours)
            axis->from[1][o++] = line;
        if (in_theirs)
            axis->from[2][t++] = line;
    }
    axis->merged = at;
    return invert(axis, arena) ? LVL_OK : lvl_arena_status(arena, LVL_ERR_MEMORY);
}

lvl_status lvl_axis_take(lvl_axis *axis, int side, lvl_arena *arena)
{
    const uint32_t n = axis->count[0];

    for (int k = 0; k < 3; k++)
        memset(axis->from[k], 0xFF, (size_t)axis->count[k] * sizeof *axis->from[k]);
    for (uint32_t i = 0; i < axis->count[side]; i++)
        axis->from[side][i] = i;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t line = side ? axis->to_side[side][i] : i;
        axis->from[0][i] = line;
        for (int k = 1; k < 3; k++) {
            if (k != side && axis->to_side[k][i] != LVL_NO_LINE)
                axis->from[k][axis->to_side[k][i]] = line;
        }
    }
    axis->merged = axis->count[side];
    return invert(axis, arena) ? LVL_OK : lvl_arena_status(arena, LVL_ERR_MEMORY);
}
