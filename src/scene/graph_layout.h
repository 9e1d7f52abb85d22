/*
 * scene/graph_layout.h: what the files that place a graph's levels share (graph_layout.c says how).
 */
#ifndef LVL_SCENE_GRAPH_LAYOUT_H
#define LVL_SCENE_GRAPH_LAYOUT_H

#include "scene/graph_internal.h"

#include "base/hash.h"
#include "base/work.h"

/* ---- cells that are taken (graph_cells.c) ------------------------------------------------------------ */

/* A cell of a grid: that of a block, or the one on which blocks are placed. */
typedef struct lvl_graph_cell {
    uint32_t grid;
    int32_t x, y;
} lvl_graph_cell;

typedef struct lvl_graph_cells {
    lvl_graph_cell *items;
    size_t count, cap;
    lvl_hash table;
    lvl_work looks; /* how many more lookups are allowed */
} lvl_graph_cells;

void lvl_graph_cells_init(lvl_graph_cells *cells, const lvl_ctx *ctx);
void lvl_graph_cells_free(lvl_graph_cells *cells);
/* True, too, when no more lookups are allowed. */
bool lvl_graph_is_taken(lvl_graph_cells *cells, uint32_t grid, int32_t x, int32_t y);
lvl_status lvl_graph_take_cell(lvl_graph_cells *cells, uint32_t grid, int32_t x, int32_t y);

/* ---- blocks (graph_blocks.c) ------------------------------------------------------------------------- */

/* Blocks of levels that lie side by side. A block is known by one of its nodes, from which `next` leads to
 * the others. All by node. */
typedef struct lvl_graph_blocks {
    uint32_t *block; /* the block */
    uint32_t *next, *last; /* the block's next node; of a block, the last one */
    uint32_t *size;
    int32_t *x, *y; /* cells, in the block */
} lvl_graph_blocks;

/* The cells by which the target of a link lies from its level. */
extern const int lvl_graph_way_dx[], lvl_graph_way_dy[];

/* Joins the nodes to blocks. The grids of its cells have the numbers of the nodes. */
lvl_status lvl_graph_make_blocks(const lvl_graph *graph, lvl_graph_blocks *blocks, lvl_graph_cells *cells);

/* ---- boxes (graph_pack.c, graph_near.c) -------------------------------------------------------------- */

/* A rectangle to be placed: a block, or a part, which are blocks that are connected. */
typedef struct lvl_graph_box {
    uint32_t id; /* of a block; of a part, the index of its first block, */
    uint32_t part; /* of a block, its part; of a part, the index behind its last block */
    int64_t width, height; /* units */
    int64_t x, y;
    int32_t min_x, min_y; /* of a block, cells */
    bool placed;
} lvl_graph_box;

enum { LVL_GRAPH_GAP = 6 /* units between blocks of a part */ };

int lvl_graph_compare_numbers(int64_t a, int64_t b);
/* Order of boxes for qsort: the highest first. */
int lvl_graph_by_height(const void *a, const void *b);
/* Packs boxes, sorted by height, in rows of columns; the result is a little wider than high. */
void lvl_graph_pack(lvl_graph_box *boxes, size_t count, int64_t gap, int64_t *width, int64_t *height);

/* What is needed to place blocks near those that they are connected to. */
typedef struct lvl_graph_near {
    const lvl_graph_blocks *blocks;
    lvl_graph_cells *cells;
    const uint32_t *first, *ends; /* edges at node n: ends[first[n]] ... ends[first[n + 1] - 1] */
    uint32_t *box; /* by block: index of its box */
    uint32_t *queue; /* has room for all boxes */
} lvl_graph_near;

/* Whether so few blocks can be placed in that way. */
bool lvl_graph_can_place_near(const lvl_graph_near *near, const lvl_graph_box *boxes, size_t count);
/* Places the largest block of a part, and each other one as near as possible to the level that it is
 * connected to. `grid`: a number for its cells. LVL_ERR_LIMIT: too many lookups. */
lvl_status lvl_graph_place_near(const lvl_graph_near *near, lvl_graph_box *boxes, size_t count, uint32_t grid,
                                lvl_graph_box *part);

#endif
