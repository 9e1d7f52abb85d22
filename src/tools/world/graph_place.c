/*
 * tools/world/graph_place.c: places levels edge to edge. Each level begins as a block of its own; a link over
 * an edge joins two blocks, unless levels would then lie on each other. Links in both directions come first.
 */
#include "tools/world/graph_internal.h"

#include "base/hash.h"
#include "base/work.h"

#include <stdlib.h>

enum { MAX_LOOKUPS = 1 << 25 }; /* of cells, in all; after that no blocks are joined */

/* The cells by which the target of a link lies from its level. */
static const int8_t steps[][2] = {
    [LVL_WAY_LEFT] = {-1, 0}, [LVL_WAY_UP] = {0, -1}, [LVL_WAY_RIGHT] = {1, 0}, [LVL_WAY_DOWN] = {0, 1}};

typedef struct cell {
    uint32_t block;
    int32_t x, y;
} cell;

/* A block is known by one of its nodes, from which `next` leads to the others. */
typedef struct placing {
    lvl_graph_node *nodes;
    uint32_t *next, *last, *size; /* by node; `last` and `size` of blocks */
    /* Cells that blocks cover. Those of a block that was joined to another stay: nothing looks them up. */
    cell *cells;
    size_t cell_count, cell_cap;
    lvl_hash table;
    lvl_work lookups;
} placing;

static uint64_t hash_of(const placing *p, uint32_t block, int32_t x, int32_t y)
{
    const uint64_t h = lvl_hash_u64(&p->table.seed, block);

    return lvl_hash_mix(&p->table.seed, h, (uint64_t)(uint32_t)x << 32 | (uint32_t)y);
}

/* True, too, if no more lookups are allowed. */
static bool is_taken(placing *p, uint32_t block, int32_t x, int32_t y)
{
    if (!lvl_work_charge(&p->lookups, 1))
        return true;
    const uint64_t hash = hash_of(p, block, x, y);
    for (lvl_hash_at at = lvl_hash_first(&p->table, hash); at.found; at = lvl_hash_next(&p->table, at)) {
        const cell *c = &p->cells[at.index];
        if (c->block == block && c->x == x && c->y == y)
            return true;
    }
    return false;
}

static lvl_status take_cell(placing *p, const lvl_graph_node *node)
{
    if (p->cell_count == UINT32_MAX ||
        !lvl_grow(&p->cells, &p->cell_cap, p->cell_count + 1, sizeof *p->cells))
        return LVL_ERR_MEMORY;
    p->cells[p->cell_count] = (cell){node->block, node->x, node->y};
    return lvl_hash_add(&p->table, hash_of(p, node->block, node->x, node->y), (uint32_t)p->cell_count++);
}

/* Moves block `from` by dx, dy cells and makes it a part of block `to`, if all of its cells are free
 * there. */
static lvl_status join(placing *p, uint32_t from, uint32_t to, int32_t dx, int32_t dy)
{
    lvl_status status = LVL_OK;
    uint32_t n = from;

    for (uint32_t i = 0; i < p->size[from]; i++, n = p->next[n]) {
        if (is_taken(p, to, p->nodes[n].x + dx, p->nodes[n].y + dy))
            return LVL_OK;
    }
    n = from;
    for (uint32_t i = 0; i < p->size[from] && status == LVL_OK; i++, n = p->next[n]) {
        p->nodes[n].x += dx;
        p->nodes[n].y += dy;
        p->nodes[n].block = to;
        status = take_cell(p, &p->nodes[n]);
    }
    p->next[p->last[to]] = from;
    p->last[to] = p->last[from];
    p->size[to] += p->size[from];
    return status;
}

/* Joins the smaller of the blocks of both levels to the other. */
static lvl_status join_by_edge(placing *p, const lvl_graph_edge *e)
{
    const lvl_graph_node *a = &p->nodes[e->from], *b = &p->nodes[e->to];
    const int32_t dx = a->x + steps[e->way][0] - b->x, dy = a->y + steps[e->way][1] - b->y;

    if (a->block == b->block)
        return LVL_OK;
    return p->size[b->block] > p->size[a->block] ? join(p, a->block, b->block, -dx, -dy)
                                                 : join(p, b->block, a->block, dx, dy);
}

static lvl_status place(placing *p, const lvl_graph *graph)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < graph->node_count && status == LVL_OK; i++) {
        p->last[i] = p->next[i] = i;
        p->size[i] = 1;
        p->nodes[i].block = i;
        p->nodes[i].x = p->nodes[i].y = 0;
        status = take_cell(p, &p->nodes[i]);
    }
    for (int back = 1; back >= 0; back--) {
        for (uint32_t i = 0; i < graph->edge_count && status == LVL_OK; i++) {
            const lvl_graph_edge *e = &graph->edges[i];
            if (e->way >= LVL_WAY_LEFT && e->way <= LVL_WAY_DOWN && e->back == back)
                status = join_by_edge(p, e);
        }
    }
    return status == LVL_OK && p->lookups.status == LVL_ERR_STOPPED ? LVL_ERR_STOPPED : status;
}

lvl_status lvl_graph_place(lvl_graph *graph)
{
    const size_t count = graph->node_count;
    uint32_t *memory = calloc(count * 3 + 1, sizeof *memory);
    placing p = {.nodes = graph->nodes,
                 .next = memory,
                 .last = memory ? memory + count : NULL,
                 .size = memory ? memory + count * 2 : NULL,
                 .lookups = lvl_work_begin(graph->ctx)};

    if (p.lookups.left > MAX_LOOKUPS)
        p.lookups.left = MAX_LOOKUPS;
    lvl_hash_init(&p.table);
    const lvl_status status = memory ? place(&p, graph) : LVL_ERR_MEMORY;
    free(memory);
    free(p.cells);
    lvl_hash_free(&p.table);
    return status;
}
