/*
 * tools/diff/align_grid.h: which columns and rows of three grids are the same, so that one that was inserted
 * or deleted inside is one change.
 */
#ifndef LVL_TOOLS_ALIGN_GRID_H
#define LVL_TOOLS_ALIGN_GRID_H

#include "base/arena.h"
#include "base/record.h"

#define LVL_NO_LINE UINT32_MAX

/* One direction of a grid on the sides of a merge: its lines are columns, or rows. */
typedef struct lvl_axis {
    uint32_t count[3]; /* lines of BASE, OURS, THEIRS */
    uint32_t *to_side[3]; /* by line of BASE: the same one in OURS and THEIRS, or LVL_NO_LINE; [0] NULL */
    uint32_t merged; /* lines of the result */
    uint32_t *from[3]; /* by line of BASE, OURS, THEIRS: the same one of the result, or LVL_NO_LINE */
    uint32_t *in[3]; /* by line of the result: the same one in BASE, OURS, THEIRS, or LVL_NO_LINE */
    bool changed[3]; /* OURS, THEIRS inserted or deleted lines; [0] false */
    bool clash; /* both did so at an edge, but not in the same way */
} lvl_axis;

/* How many lines each side's first line is after the place where it was in BASE, if its grid was enlarged or
 * cropped at edges only; what else is known of it. */
typedef struct lvl_grid_hint {
    bool known;
    int64_t dx, dy; /* cells by which the objects on the grid moved */
} lvl_grid_hint;

/* Finds the columns and rows of BASE in a grid of OURS (`side` 1) or THEIRS (2): sets count[side] and
 * to_side[side] of both axes. `inside`: also those between which lines were inserted or deleted. Memory is of
 * the arena. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_grid_align(lvl_axis *columns, lvl_axis *rows, int side, const lvl_cells *base,
                          const lvl_cells *grid, const lvl_grid_hint *hint, bool inside, const lvl_ctx *ctx,
                          lvl_arena *arena);
/* Makes the axis of the result once both sides are aligned: lines that both inserted at the same place are
 * one. LVL_ERR_MEMORY. */
lvl_status lvl_axis_merge(lvl_axis *axis, lvl_arena *arena);
/* Makes the result's lines those of one side alone. */
lvl_status lvl_axis_take(lvl_axis *axis, int side, lvl_arena *arena);

#endif
