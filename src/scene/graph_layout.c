/*
 * scene/graph_layout.c: the positions of a graph's levels. Levels that lie side by side are joined to blocks
 * (graph_blocks.c); a link over an edge that is none becomes an arrow. Blocks that are connected by doors
 * make a part, whose blocks are placed near each other (graph_near.c). Parts are packed in rows
 * (graph_pack.c).
 */
#include "scene/graph_layout.h"

#include "base/arena.h"

#include <stdlib.h>

enum { UNIT = LVL_GRAPH_UNIT, PART_GAP = 14 /* units */ };

typedef struct layout {
    lvl_graph *graph;
    lvl_graph_blocks blocks;
    lvl_graph_cells cells;
    uint32_t *part; /* union-find of connected nodes */
    lvl_graph_near near;
    lvl_graph_box *boxes; /* of blocks, those of a part one after another */
    size_t box_count;
    lvl_graph_box *parts;
    size_t part_count;
} layout;

/* ---- parts ------------------------------------------------------------------------------------------- */

static uint32_t part_of(const layout *l, uint32_t node)
{
    while (l->part[node] != node) {
        l->part[node] = l->part[l->part[node]];
        node = l->part[node];
    }
    return node;
}

static void join_nodes(const layout *l, uint32_t a, uint32_t b)
{
    a = part_of(l, a);
    b = part_of(l, b);
    /* the lower one is kept, so that the order of joining makes no difference */
    if (a < b)
        l->part[b] = a;
    else
        l->part[a] = b;
}

static void find_parts(const layout *l)
{
    const lvl_graph *graph = l->graph;

    for (uint32_t i = 0; i < graph->node_count; i++)
        l->part[i] = i;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        join_nodes(l, graph->edges[i].from, graph->edges[i].to);
    for (uint32_t i = 0; i < graph->node_count; i++)
        join_nodes(l, i, l->blocks.block[i]);
}

/* Edges by node, both ways. */
static lvl_status list_ends(layout *l)
{
    lvl_graph *graph = l->graph;
    uint32_t *first = lvl_arena_array(&graph->arena, (size_t)graph->node_count + 2, sizeof *first);
    uint32_t *ends = lvl_arena_array(&graph->arena, (size_t)graph->edge_count * 2 + 1, sizeof *ends);

    if (!first || !ends)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        first[graph->edges[i].from + 2]++;
        first[graph->edges[i].to + 2]++;
    }
    for (uint32_t n = 2; n < graph->node_count + 2; n++)
        first[n] += first[n - 1];
    /* first[n + 1] is where those of n begin; filling moves it to where they end */
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        ends[first[graph->edges[i].from + 1]++] = graph->edges[i].to;
        ends[first[graph->edges[i].to + 1]++] = graph->edges[i].from;
    }
    l->near.first = first;
    l->near.ends = ends;
    return LVL_OK;
}

/* ---- boxes ------------------------------------------------------------------------------------------- */

static int by_part(const void *a, const void *b)
{
    const lvl_graph_box *p = a, *q = b;

    return p->part != q->part ? lvl_graph_compare_numbers(p->part, q->part) : lvl_graph_by_height(a, b);
}

static lvl_graph_box box_of_block(const layout *l, uint32_t block)
{
    const lvl_graph_blocks *blocks = &l->blocks;
    lvl_graph_box b = {
        .id = block, .part = part_of(l, block), .min_x = blocks->x[block], .min_y = blocks->y[block]};
    int32_t max_x = b.min_x, max_y = b.min_y;
    uint32_t n = block;

    for (uint32_t k = 0; k < blocks->size[block]; k++, n = blocks->next[n]) {
        b.min_x = blocks->x[n] < b.min_x ? blocks->x[n] : b.min_x;
        b.min_y = blocks->y[n] < b.min_y ? blocks->y[n] : b.min_y;
        max_x = blocks->x[n] > max_x ? blocks->x[n] : max_x;
        max_y = blocks->y[n] > max_y ? blocks->y[n] : max_y;
    }
    b.width = ((int64_t)max_x - b.min_x + 1) * UNIT;
    b.height = ((int64_t)max_y - b.min_y + 1) * UNIT;
    return b;
}

static void make_boxes(layout *l)
{
    for (uint32_t i = 0; i < l->graph->node_count; i++) {
        if (l->blocks.block[i] == i)
            l->boxes[l->box_count++] = box_of_block(l, i);
    }
    if (l->box_count)
        qsort(l->boxes, l->box_count, sizeof *l->boxes, by_part);
}

/* Places the blocks of a part, and sets its size. */
static lvl_status lay_out_part(layout *l, lvl_graph_box *part)
{
    lvl_graph_box *boxes = l->boxes + part->id;
    const size_t count = part->part - part->id;
    /* grids of parts have numbers beyond those of the blocks */
    const uint32_t grid = l->graph->node_count + (uint32_t)(part - l->parts);

    if (lvl_graph_can_place_near(&l->near, boxes, count)) {
        const lvl_status status = lvl_graph_place_near(&l->near, boxes, count, grid, part);
        if (status != LVL_ERR_LIMIT)
            return status;
    }
    lvl_graph_pack(boxes, count, LVL_GRAPH_GAP, &part->width, &part->height);
    return LVL_OK;
}

static lvl_status lay_out_parts(layout *l)
{
    lvl_status status = LVL_OK;

    for (size_t i = 0, end; i < l->box_count && status == LVL_OK; i = end) {
        for (end = i; end < l->box_count && l->boxes[end].part == l->boxes[i].part; end++)
            ;
        lvl_graph_box *part = &l->parts[l->part_count++];
        *part = (lvl_graph_box){.id = (uint32_t)i, .part = (uint32_t)end};
        status = lay_out_part(l, part);
    }
    return status;
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

static void place_nodes(const layout *l, const lvl_graph_box *b, int64_t x, int64_t y)
{
    const lvl_graph_blocks *blocks = &l->blocks;
    uint32_t n = b->id;

    for (uint32_t k = 0; k < blocks->size[b->id]; k++, n = blocks->next[n]) {
        lvl_graph_node *node = &l->graph->nodes[n];
        node->x = (int32_t)(x + b->x + ((int64_t)blocks->x[n] - b->min_x) * UNIT);
        node->y = (int32_t)(y + b->y + ((int64_t)blocks->y[n] - b->min_y) * UNIT);
        node->block = b->id;
    }
}

/* Packs the parts, which gives each node its place. */
static lvl_status pack_parts(const layout *l)
{
    int64_t width = 0, height = 0;

    if (l->part_count)
        qsort(l->parts, l->part_count, sizeof *l->parts, lvl_graph_by_height);
    lvl_graph_pack(l->parts, l->part_count, PART_GAP, &width, &height);
    if (width > INT32_MAX / 2 || height > INT32_MAX / 2)
        return lvl_refuse_fixed(l->graph->ctx, "units across the picture", INT32_MAX / 2,
                                (uint64_t)(width > height ? width : height));
    for (size_t p = 0; p < l->part_count; p++) {
        for (uint32_t i = l->parts[p].id; i < l->parts[p].part; i++)
            place_nodes(l, &l->boxes[i], l->parts[p].x, l->parts[p].y);
    }
    l->graph->width = (int32_t)width;
    l->graph->height = (int32_t)height;
    return LVL_OK;
}

/* Notes which links lead to a level that lies beside theirs. */
static void mark_beside(const lvl_graph *graph)
{
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        lvl_graph_edge *e = &graph->edges[i];
        const lvl_graph_node *a = &graph->nodes[e->from], *b = &graph->nodes[e->to];
        e->beside = e->way != LVL_WAY_DOOR && a->block == b->block &&
                    b->x - a->x == lvl_graph_way_dx[e->way] * UNIT &&
                    b->y - a->y == lvl_graph_way_dy[e->way] * UNIT;
    }
}

/* ---- all of it --------------------------------------------------------------------------------------- */

/* Divides `memory`, 9 numbers for each node. */
static void divide_memory(layout *l, uint32_t *memory)
{
    const size_t count = l->graph->node_count;

    l->blocks.block = memory;
    l->blocks.next = memory + count;
    l->blocks.last = memory + count * 2;
    l->blocks.size = memory + count * 3;
    l->blocks.x = (int32_t *)(memory + count * 4);
    l->blocks.y = (int32_t *)(memory + count * 5);
    l->part = memory + count * 6;
    l->near.box = memory + count * 7;
    l->near.queue = memory + count * 8;
}

static lvl_status lay_out(layout *l)
{
    lvl_status status = lvl_graph_make_blocks(l->graph, &l->blocks, &l->cells);

    if (status == LVL_OK)
        status = list_ends(l);
    if (status != LVL_OK)
        return status;
    find_parts(l);
    make_boxes(l);
    status = lay_out_parts(l);
    if (status == LVL_OK)
        status = pack_parts(l);
    if (status == LVL_OK && l->cells.looks.status == LVL_ERR_STOPPED)
        status = LVL_ERR_STOPPED;
    if (status == LVL_OK)
        mark_beside(l->graph);
    return status;
}

lvl_status lvl_graph_lay_out(lvl_graph *graph)
{
    const size_t count = graph->node_count;
    uint32_t *memory = calloc(count * 9 + 1, sizeof *memory);
    layout l = {.graph = graph,
                .boxes = malloc((count + 1) * sizeof *l.boxes),
                .parts = malloc((count + 1) * sizeof *l.parts)};
    lvl_status status = LVL_ERR_MEMORY;

    lvl_graph_cells_init(&l.cells, graph->ctx);
    l.near.blocks = &l.blocks;
    l.near.cells = &l.cells;
    if (memory && l.boxes && l.parts) {
        divide_memory(&l, memory);
        status = lay_out(&l);
    }
    free(memory);
    free(l.boxes);
    free(l.parts);
    lvl_graph_cells_free(&l.cells);
    return status;
}
