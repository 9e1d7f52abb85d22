/*
 * scene/graph_blocks.c: joins levels to blocks. Links over edges tie two levels side by side, maps do so with
 * more weight; the strongest ties come first, and one that would put a level over another is left out.
 */
#include "scene/graph_layout.h"

#include "base/arena.h"

#include <stdlib.h>

/* Node b lies dx, dy cells from a. */
typedef struct tie {
    uint32_t a, b;
    int32_t dx, dy;
    uint32_t weight; /* 3: from a map, 2: links in both directions, 1: in one */
    uint32_t order;
} tie;

typedef struct tie_list {
    tie *items;
    size_t count, cap;
} tie_list;

const int lvl_graph_way_dx[] = {0, -1, 0, 1, 0, 0}, lvl_graph_way_dy[] = {0, 0, -1, 0, 1, 0};

/* ---- ties -------------------------------------------------------------------------------------------- */

static lvl_status add_tie(tie_list *ties, uint32_t a, uint32_t b, int32_t dx, int32_t dy, uint32_t weight)
{
    if (a == b)
        return LVL_OK;
    if (!lvl_grow(&ties->items, &ties->cap, ties->count + 1, sizeof *ties->items))
        return LVL_ERR_MEMORY;
    ties->items[ties->count] = (tie){a, b, dx, dy, weight, (uint32_t)ties->count};
    ties->count++;
    return LVL_OK;
}

static int by_row(const void *a, const void *b)
{
    const lvl_graph_link *p = *(const lvl_graph_link *const *)a, *q = *(const lvl_graph_link *const *)b;

    if (p->file != q->file)
        return p->file < q->file ? -1 : 1;
    return p->row != q->row ? lvl_graph_compare_numbers(p->row, q->row)
                            : lvl_graph_compare_numbers(p->column, q->column);
}

static int by_column(const void *a, const void *b)
{
    const lvl_graph_link *p = *(const lvl_graph_link *const *)a, *q = *(const lvl_graph_link *const *)b;

    if (p->file != q->file)
        return p->file < q->file ? -1 : 1;
    return p->column != q->column ? lvl_graph_compare_numbers(p->column, q->column)
                                  : lvl_graph_compare_numbers(p->row, q->row);
}

/* The places of levels on maps, to be freed; NULL: no memory. */
static const lvl_graph_link **list_places(const lvl_graph *graph, size_t *count)
{
    const lvl_graph_link **places = malloc((graph->link_count + 1) * sizeof *places);

    *count = 0;
    for (size_t i = 0; places && i < graph->link_count; i++) {
        const lvl_graph_link *link = &graph->links[i];
        if (link->way == LVL_WAY_PLACE && link->column < INT16_MAX && link->row < INT16_MAX)
            places[(*count)++] = link;
    }
    return places;
}

/* A map ties each level to the next one in its row and in its column, over empty cells too. */
static lvl_status tie_maps(const lvl_graph *graph, tie_list *ties)
{
    lvl_status status = LVL_OK;
    size_t count;
    const lvl_graph_link **places = list_places(graph, &count);

    if (!places)
        return LVL_ERR_MEMORY;
    for (int down = 0; down < 2; down++) {
        if (count)
            qsort(places, count, sizeof *places, down ? by_column : by_row);
        for (size_t i = 1; i < count && status == LVL_OK; i++) {
            const lvl_graph_link *p = places[i - 1], *q = places[i];
            if (p->file == q->file && (down ? p->column == q->column : p->row == q->row))
                status = add_tie(ties, p->b, q->b, (int32_t)(q->column - p->column),
                                 (int32_t)(q->row - p->row), 3);
        }
    }
    free(places);
    return status;
}

static lvl_status tie_edges(const lvl_graph *graph, tie_list *ties)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < graph->edge_count && status == LVL_OK; i++) {
        const lvl_graph_edge *e = &graph->edges[i];
        if (e->way != LVL_WAY_DOOR)
            status = add_tie(ties, e->from, e->to, lvl_graph_way_dx[e->way], lvl_graph_way_dy[e->way],
                             e->back ? 2 : 1);
    }
    return status;
}

static int by_weight(const void *a, const void *b)
{
    const tie *p = a, *q = b;

    return p->weight != q->weight ? lvl_graph_compare_numbers(q->weight, p->weight)
                                  : lvl_graph_compare_numbers(p->order, q->order);
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

/* Whether block `from`, moved by dx, dy cells, covers none of the cells of block `to`. */
static bool has_room(const lvl_graph_blocks *b, lvl_graph_cells *cells, uint32_t from, uint32_t to,
                     int32_t dx, int32_t dy)
{
    uint32_t n = from;

    for (uint32_t i = 0; i < b->size[from]; i++, n = b->next[n]) {
        if (lvl_graph_is_taken(cells, to, b->x[n] + dx, b->y[n] + dy))
            return false;
    }
    return true;
}

/* Moves block `from` by dx, dy cells, and makes it a part of block `to`. */
static lvl_status move_block(const lvl_graph_blocks *b, lvl_graph_cells *cells, uint32_t from, uint32_t to,
                             int32_t dx, int32_t dy)
{
    uint32_t n = from;

    for (uint32_t i = 0; i < b->size[from]; i++, n = b->next[n]) {
        b->x[n] += dx;
        b->y[n] += dy;
        b->block[n] = to;
        const lvl_status status = lvl_graph_take_cell(cells, to, b->x[n], b->y[n]);
        if (status != LVL_OK)
            return status;
    }
    b->next[b->last[to]] = from;
    b->last[to] = b->last[from];
    b->size[to] += b->size[from];
    return LVL_OK;
}

/* Joins the smaller of two blocks to the other, placed as in the tie, unless they would overlap. */
static lvl_status join_blocks(const lvl_graph_blocks *b, lvl_graph_cells *cells, const tie *t)
{
    const uint32_t first = b->block[t->a], second = b->block[t->b];
    const int32_t dx = b->x[t->a] + t->dx - b->x[t->b], dy = b->y[t->a] + t->dy - b->y[t->b];

    if (first == second)
        return LVL_OK;
    if (b->size[second] > b->size[first])
        return has_room(b, cells, first, second, -dx, -dy) ? move_block(b, cells, first, second, -dx, -dy)
                                                           : LVL_OK;
    return has_room(b, cells, second, first, dx, dy) ? move_block(b, cells, second, first, dx, dy) : LVL_OK;
}

/* Each node is a block. */
static lvl_status begin_blocks(const lvl_graph *graph, const lvl_graph_blocks *b, lvl_graph_cells *cells)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < graph->node_count && status == LVL_OK; i++) {
        b->block[i] = b->last[i] = b->next[i] = i;
        b->size[i] = 1;
        status = lvl_graph_take_cell(cells, i, 0, 0);
    }
    return status;
}

lvl_status lvl_graph_make_blocks(const lvl_graph *graph, lvl_graph_blocks *blocks, lvl_graph_cells *cells)
{
    tie_list ties = {0};

    lvl_status status = begin_blocks(graph, blocks, cells);
    if (status == LVL_OK)
        status = tie_maps(graph, &ties);
    if (status == LVL_OK)
        status = tie_edges(graph, &ties);
    if (ties.count)
        qsort(ties.items, ties.count, sizeof *ties.items, by_weight);
    for (size_t i = 0; i < ties.count && status == LVL_OK; i++)
        status = join_blocks(blocks, cells, &ties.items[i]);
    free(ties.items);
    return status;
}
