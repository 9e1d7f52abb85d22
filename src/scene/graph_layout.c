/*
 * scene/graph_layout.c: the positions of a graph's levels. Links over edges place two levels side by side,
 * maps do so with more weight. Levels are joined to blocks, the strongest links first; a link that would put
 * one level over another becomes an arrow. Blocks that are connected by doors make a part: the largest block
 * is placed first, each other one as near as possible to the level that it is connected to. Parts are packed
 * in rows.
 */
#include "scene/graph_internal.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = LVL_GRAPH_UNIT,
    GAP = 6, /* units */
    PART_GAP = 14,
    STEP = UNIT + GAP, /* of a grid on which the blocks of a part are placed */
    MAX_NEAR = 4000, /* blocks of a part that are placed near each other: the time grows with the square */
    MAX_LOOKS = 1 << 25 /* lookups of cells in all; beyond, blocks are not joined, and are packed in rows */
};

/* Node b lies dx, dy cells from a. */
typedef struct tie {
    uint32_t a, b;
    int32_t dx, dy;
    uint32_t weight; /* 3: from a map, 2: links in both directions, 1: in one */
    uint32_t order;
} tie;

/* A cell that a block covers. The cells of a block that was joined to another stay in the table: nothing
 * looks them up again. */
typedef struct taken {
    uint32_t block;
    int32_t x, y;
} taken;

typedef struct layout {
    lvl_graph *graph;
    tie *ties;
    size_t tie_count, tie_cap;
    uint32_t *block; /* of each node: its first node */
    uint32_t *next, *last; /* the block's next node; of its first node, the last one */
    uint32_t *size;
    int32_t *x, *y; /* cells, in the block */
    taken *cells;
    size_t cell_count, cell_cap;
    lvl_hash table; /* of those cells */
    lvl_work looks; /* at cells, see MAX_LOOKS */
    uint32_t *part; /* union-find of connected nodes */
    uint32_t *first, *ends; /* edges at each node: ends[first[n]] … are the other nodes */
    uint32_t *box; /* of each block's first node: its box */
} layout;

static const int way_dx[] = {0, -1, 0, 1, 0, 0}, way_dy[] = {0, 0, -1, 0, 1, 0};

/* ---- ties -------------------------------------------------------------------------------------------- */

static lvl_status add_tie(layout *l, uint32_t a, uint32_t b, int32_t dx, int32_t dy, uint32_t weight)
{
    if (a == b)
        return LVL_OK;
    if (!lvl_grow(&l->ties, &l->tie_cap, l->tie_count + 1, sizeof *l->ties))
        return LVL_ERR_MEMORY;
    l->ties[l->tie_count] = (tie){a, b, dx, dy, weight, (uint32_t)l->tie_count};
    l->tie_count++;
    return LVL_OK;
}

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_row(const void *a, const void *b)
{
    const lvl_graph_link *p = *(const lvl_graph_link *const *)a, *q = *(const lvl_graph_link *const *)b;

    if (p->file != q->file)
        return p->file < q->file ? -1 : 1;
    return p->row != q->row ? compare(p->row, q->row) : compare(p->column, q->column);
}

static int by_column(const void *a, const void *b)
{
    const lvl_graph_link *p = *(const lvl_graph_link *const *)a, *q = *(const lvl_graph_link *const *)b;

    if (p->file != q->file)
        return p->file < q->file ? -1 : 1;
    return p->column != q->column ? compare(p->column, q->column) : compare(p->row, q->row);
}

/* A map ties each level to the next one in its row and in its column, over empty cells too. */
static lvl_status tie_maps(layout *l)
{
    const lvl_graph *graph = l->graph;
    lvl_status status = LVL_OK;
    size_t count = 0;

    const lvl_graph_link **places = malloc((graph->link_count + 1) * sizeof *places);
    if (!places)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < graph->link_count; i++) {
        if (graph->links[i].way == LVL_WAY_PLACE && graph->links[i].column < INT16_MAX &&
            graph->links[i].row < INT16_MAX)
            places[count++] = &graph->links[i];
    }
    for (int down = 0; down < 2; down++) {
        if (count)
            qsort(places, count, sizeof *places, down ? by_column : by_row);
        for (size_t i = 1; i < count && status == LVL_OK; i++) {
            const lvl_graph_link *p = places[i - 1], *q = places[i];
            if (p->file == q->file && (down ? p->column == q->column : p->row == q->row))
                status =
                    add_tie(l, p->b, q->b, (int32_t)(q->column - p->column), (int32_t)(q->row - p->row), 3);
        }
    }
    free(places);
    return status;
}

static lvl_status tie_edges(layout *l)
{
    const lvl_graph *graph = l->graph;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < graph->edge_count && status == LVL_OK; i++) {
        const lvl_graph_edge *e = &graph->edges[i];
        if (e->way != LVL_WAY_DOOR)
            status = add_tie(l, e->from, e->to, way_dx[e->way], way_dy[e->way], e->back ? 2 : 1);
    }
    return status;
}

static int by_weight(const void *a, const void *b)
{
    const tie *p = a, *q = b;

    return p->weight != q->weight ? compare(q->weight, p->weight) : compare(p->order, q->order);
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

static uint64_t hash_of(const layout *l, uint32_t block, int32_t x, int32_t y)
{
    const uint64_t h = lvl_hash_u64(&l->table.seed, block);

    return lvl_hash_mix(&l->table.seed, h, (uint64_t)(uint32_t)x << 32 | (uint32_t)y);
}

/* True, too, when no more lookups are allowed. */
static bool is_taken(layout *l, uint32_t block, int32_t x, int32_t y)
{
    if (!lvl_work_charge(&l->looks, 1))
        return true;
    const uint64_t hash = hash_of(l, block, x, y);
    for (lvl_hash_at at = lvl_hash_first(&l->table, hash); at.found; at = lvl_hash_next(&l->table, at)) {
        const taken *t = &l->cells[at.index];
        if (t->block == block && t->x == x && t->y == y)
            return true;
    }
    return false;
}

static lvl_status take_cell(layout *l, uint32_t block, int32_t x, int32_t y)
{
    if (l->cell_count == UINT32_MAX ||
        !lvl_grow(&l->cells, &l->cell_cap, l->cell_count + 1, sizeof *l->cells))
        return LVL_ERR_MEMORY;
    l->cells[l->cell_count] = (taken){block, x, y};
    return lvl_hash_add(&l->table, hash_of(l, block, x, y), (uint32_t)l->cell_count++);
}

/* Joins the smaller of two blocks to the other, placed as in the tie, unless they would overlap. */
static lvl_status grow(layout *l, const tie *t)
{
    uint32_t to = l->block[t->a], from = l->block[t->b];
    int32_t dx = l->x[t->a] + t->dx - l->x[t->b], dy = l->y[t->a] + t->dy - l->y[t->b];

    if (to == from)
        return LVL_OK;
    if (l->size[from] > l->size[to]) {
        const uint32_t swap = to;
        to = from;
        from = swap;
        dx = -dx;
        dy = -dy;
    }
    uint32_t n = from;
    for (uint32_t i = 0; i < l->size[from]; i++, n = l->next[n]) {
        if (is_taken(l, to, l->x[n] + dx, l->y[n] + dy))
            return LVL_OK;
    }
    n = from;
    for (uint32_t i = 0; i < l->size[from]; i++, n = l->next[n]) {
        l->x[n] += dx;
        l->y[n] += dy;
        l->block[n] = to;
        const lvl_status status = take_cell(l, to, l->x[n], l->y[n]);
        if (status != LVL_OK)
            return status;
    }
    l->next[l->last[to]] = from;
    l->last[to] = l->last[from];
    l->size[to] += l->size[from];
    return LVL_OK;
}

static lvl_status make_blocks(layout *l)
{
    const uint32_t count = l->graph->node_count;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        l->block[i] = l->last[i] = l->next[i] = l->part[i] = i;
        l->size[i] = 1;
        status = take_cell(l, i, 0, 0);
    }
    if (status == LVL_OK)
        status = tie_maps(l);
    if (status == LVL_OK)
        status = tie_edges(l);
    if (l->tie_count)
        qsort(l->ties, l->tie_count, sizeof *l->ties, by_weight);
    for (size_t i = 0; i < l->tie_count && status == LVL_OK; i++)
        status = grow(l, &l->ties[i]);
    return status;
}

/* ---- packing ----------------------------------------------------------------------------------------- */

/* A rectangle to be packed: a block, or a part of blocks. */
typedef struct box {
    uint32_t id, part;
    int64_t width, height; /* units */
    int64_t x, y;
    int32_t min_x, min_y; /* of a block, cells */
    bool placed;
} box;

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

/* The highest first. */
static int by_height(const void *a, const void *b)
{
    const box *p = a, *q = b;

    if (p->height != q->height)
        return compare(q->height, p->height);
    return p->width != q->width ? compare(q->width, p->width) : compare(p->id, q->id);
}

static int by_part(const void *a, const void *b)
{
    const box *p = a, *q = b;

    return p->part != q->part ? compare(p->part, q->part) : by_height(a, b);
}

/* Fills a column below its first box, of index `i`, with rows of boxes among the next ones. */
static void fill_column(box *boxes, size_t count, size_t i, int64_t gap, int64_t bottom)
{
    enum { SOON = 256 };
    const size_t end = count - i < SOON ? count : i + SOON;
    const int64_t right = boxes[i].x + boxes[i].width;
    int64_t y = boxes[i].y + boxes[i].height + gap;

    for (bool placed = true; placed;) {
        int64_t x = boxes[i].x, row = 0;
        placed = false;
        for (size_t k = i + 1; k < end; k++) {
            if (boxes[k].placed || x + boxes[k].width > right || y + boxes[k].height > bottom)
                continue;
            boxes[k].placed = placed = true;
            boxes[k].x = x;
            boxes[k].y = y;
            x += boxes[k].width + gap;
            row = boxes[k].height > row ? boxes[k].height : row;
        }
        y += row + gap;
    }
}

/* Packs boxes, sorted by height, in rows of columns; the result is a little wider than high. */
static void pack(box *boxes, size_t count, int64_t gap, int64_t *width, int64_t *height)
{
    int64_t x = 0, y = 0, row = 0, widest = 0;
    double area = 0;

    for (size_t i = 0; i < count; i++) {
        area += (double)(boxes[i].width + gap) * (double)(boxes[i].height + gap);
        widest = boxes[i].width > widest ? boxes[i].width : widest;
        boxes[i].placed = false;
    }
    const double side = sqrt(area * 1.4);
    const int64_t wide = side > (double)widest ? (int64_t)side : widest;
    *width = *height = 0;
    for (size_t i = 0; i < count; i++) {
        if (boxes[i].placed)
            continue;
        if (x && x + boxes[i].width > wide) {
            x = 0;
            y += row + gap;
            row = 0;
        }
        boxes[i].placed = true;
        boxes[i].x = x;
        boxes[i].y = y;
        row = boxes[i].height > row ? boxes[i].height : row;
        x += boxes[i].width + gap;
        *width = x - gap > *width ? x - gap : *width;
        *height = y + row > *height ? y + row : *height;
        fill_column(boxes, count, i, gap, y + row);
    }
}

static size_t make_boxes(const layout *l, box *boxes)
{
    size_t count = 0;

    for (uint32_t i = 0; i < l->graph->node_count; i++) {
        if (l->block[i] != i)
            continue;
        int32_t max_x = l->x[i], max_y = l->y[i];
        box b = {.id = i, .part = part_of(l, i), .min_x = l->x[i], .min_y = l->y[i]};
        uint32_t n = i;
        for (uint32_t k = 0; k < l->size[i]; k++, n = l->next[n]) {
            b.min_x = l->x[n] < b.min_x ? l->x[n] : b.min_x;
            b.min_y = l->y[n] < b.min_y ? l->y[n] : b.min_y;
            max_x = l->x[n] > max_x ? l->x[n] : max_x;
            max_y = l->y[n] > max_y ? l->y[n] : max_y;
        }
        b.width = ((int64_t)max_x - b.min_x + 1) * UNIT;
        b.height = ((int64_t)max_y - b.min_y + 1) * UNIT;
        boxes[count++] = b;
    }
    return count;
}

static void place_nodes(const layout *l, const box *b, int64_t x, int64_t y)
{
    uint32_t n = b->id;

    for (uint32_t k = 0; k < l->size[b->id]; k++, n = l->next[n]) {
        lvl_graph_node *node = &l->graph->nodes[n];
        node->x = (int32_t)(x + b->x + ((int64_t)l->x[n] - b->min_x) * UNIT);
        node->y = (int32_t)(y + b->y + ((int64_t)l->y[n] - b->min_y) * UNIT);
        node->block = b->id;
    }
}

/* Edges by node, both ways. */
static lvl_status list_ends(layout *l)
{
    const lvl_graph *graph = l->graph;

    l->first = lvl_arena_array(&l->graph->arena, (size_t)graph->node_count + 2, sizeof *l->first);
    l->ends = lvl_arena_array(&l->graph->arena, (size_t)graph->edge_count * 2 + 1, sizeof *l->ends);
    if (!l->first || !l->ends)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        l->first[graph->edges[i].from + 2]++;
        l->first[graph->edges[i].to + 2]++;
    }
    for (uint32_t n = 2; n < graph->node_count + 2; n++)
        l->first[n] += l->first[n - 1];
    /* first[n + 1] is where those of n begin; filling moves it to where they end */
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        l->ends[l->first[graph->edges[i].from + 1]++] = graph->edges[i].to;
        l->ends[l->first[graph->edges[i].to + 1]++] = graph->edges[i].from;
    }
    return LVL_OK;
}

static int64_t steps_of_units(int64_t units)
{
    return (units + GAP + STEP - 1) / STEP;
}

static bool is_free(layout *l, uint32_t grid, int64_t x, int64_t y, const box *b)
{
    for (int64_t dy = 0; dy < steps_of_units(b->height); dy++) {
        for (int64_t dx = 0; dx < steps_of_units(b->width); dx++) {
            if (is_taken(l, grid, (int32_t)(x + dx), (int32_t)(y + dy)))
                return false;
        }
    }
    return true;
}

static lvl_status put_box(layout *l, uint32_t grid, int64_t x, int64_t y, box *b)
{
    lvl_status status = LVL_OK;

    b->x = x * STEP;
    b->y = y * STEP;
    for (int64_t dy = 0; dy < steps_of_units(b->height); dy++) {
        for (int64_t dx = 0; dx < steps_of_units(b->width) && status == LVL_OK; dx++)
            status = take_cell(l, grid, (int32_t)(x + dx), (int32_t)(y + dy));
    }
    return status;
}

/* Puts a box on the free place nearest to a point, tried ring by ring. LVL_ERR_LIMIT: too many lookups. */
static lvl_status put_near(layout *l, uint32_t grid, int64_t x, int64_t y, box *b)
{
    const int64_t left = x - steps_of_units(b->width) / 2, top = y - steps_of_units(b->height) / 2;

    for (int64_t r = 0; l->looks.status == LVL_OK; r++) {
        int64_t best = INT64_MAX, best_x = 0, best_y = 0;
        for (int64_t dy = -r; dy <= r; dy++) {
            const int64_t across = dy == -r || dy == r || r == 0 ? 1 : 2 * r;
            for (int64_t dx = -r; dx <= r; dx += across) {
                const int64_t far = dx * dx + dy * dy;
                if (far < best && is_free(l, grid, left + dx, top + dy, b)) {
                    best = far;
                    best_x = left + dx;
                    best_y = top + dy;
                }
            }
        }
        if (best < INT64_MAX)
            return put_box(l, grid, best_x, best_y, b);
    }
    return LVL_ERR_LIMIT;
}

/* Places the largest block of a part, and each other one near the block that it is connected to. `queue`
 * has room for all. */
static lvl_status lay_near(layout *l, box *boxes, size_t count, uint32_t grid, uint32_t *queue, box *part)
{
    int64_t min_x = 0, min_y = 0, max_x = 0, max_y = 0;
    size_t head = 0, tail = 0, largest = 0;
    lvl_status status;

    for (size_t i = 0; i < count; i++) {
        l->box[boxes[i].id] = (uint32_t)i;
        boxes[i].x = INT64_MIN;
        if (boxes[i].width * boxes[i].height > boxes[largest].width * boxes[largest].height)
            largest = i;
    }
    status = put_box(l, grid, 0, 0, &boxes[largest]);
    queue[tail++] = (uint32_t)largest;
    while (head < tail && status == LVL_OK) {
        const box *b = &boxes[queue[head++]];
        uint32_t n = b->id;
        for (uint32_t k = 0; k < l->size[b->id] && status == LVL_OK; k++, n = l->next[n]) {
            const int64_t x = b->x + ((int64_t)l->x[n] - b->min_x) * UNIT,
                          y = b->y + ((int64_t)l->y[n] - b->min_y) * UNIT;
            for (uint32_t e = l->first[n]; e < l->first[n + 1] && status == LVL_OK; e++) {
                const uint32_t index = l->box[l->block[l->ends[e]]];
                if (boxes[index].x != INT64_MIN)
                    continue;
                status = put_near(l, grid, x / STEP, y / STEP, &boxes[index]);
                queue[tail++] = index;
            }
        }
    }
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const box *b = &boxes[i];
        min_x = b->x < min_x ? b->x : min_x;
        min_y = b->y < min_y ? b->y : min_y;
        max_x = b->x + b->width > max_x ? b->x + b->width : max_x;
        max_y = b->y + b->height > max_y ? b->y + b->height : max_y;
    }
    for (size_t i = 0; i < count; i++) {
        boxes[i].x -= min_x;
        boxes[i].y -= min_y;
    }
    part->width = max_x - min_x;
    part->height = max_y - min_y;
    return status;
}

static lvl_status pack_part(layout *l, box *boxes, size_t count, uint32_t grid, uint32_t *queue, box *part)
{
    int64_t cells = 0;

    for (size_t i = 0; i < count; i++)
        cells += steps_of_units(boxes[i].width) * steps_of_units(boxes[i].height);
    if (count > 1 && count <= MAX_NEAR && cells < (int64_t)MAX_NEAR * 16 && l->looks.status == LVL_OK) {
        const lvl_status status = lay_near(l, boxes, count, grid, queue, part);
        if (status != LVL_ERR_LIMIT)
            return status;
    }
    pack(boxes, count, GAP, &part->width, &part->height);
    return LVL_OK;
}

static lvl_status pack_all(layout *l)
{
    lvl_graph *graph = l->graph;
    const size_t most = (size_t)graph->node_count + 1;
    box *boxes = malloc(most * 2 * sizeof *boxes), *parts = boxes ? boxes + most : NULL;
    uint32_t *queue = malloc(most * sizeof *queue);
    int64_t width = 0, height = 0;
    size_t part_count = 0, count = 0;
    lvl_status status = boxes && queue ? list_ends(l) : LVL_ERR_MEMORY;

    if (status != LVL_OK)
        goto out;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        join_nodes(l, graph->edges[i].from, graph->edges[i].to);
    for (uint32_t i = 0; i < graph->node_count; i++)
        join_nodes(l, i, l->block[i]);
    count = make_boxes(l, boxes);
    if (count)
        qsort(boxes, count, sizeof *boxes, by_part);
    for (size_t i = 0, end; i < count && status == LVL_OK; i = end) {
        for (end = i; end < count && boxes[end].part == boxes[i].part; end++)
            ;
        box *part = &parts[part_count];
        *part = (box){.id = (uint32_t)i, .part = (uint32_t)end};
        /* grids have numbers beyond those of the blocks */
        status = pack_part(l, boxes + i, end - i, graph->node_count + (uint32_t)part_count, queue, part);
        part_count++;
    }
    if (status != LVL_OK)
        goto out;
    if (part_count)
        qsort(parts, part_count, sizeof *parts, by_height);
    pack(parts, part_count, PART_GAP, &width, &height);
    if (width > INT32_MAX / 2 || height > INT32_MAX / 2) {
        status = lvl_refuse_fixed(l->looks.ctx, "units across the picture", INT32_MAX / 2,
                                  (uint64_t)(width > height ? width : height));
        goto out;
    }
    for (size_t p = 0; p < part_count; p++) {
        for (uint32_t i = parts[p].id; i < parts[p].part; i++)
            place_nodes(l, &boxes[i], parts[p].x, parts[p].y);
    }
    graph->width = (int32_t)width;
    graph->height = (int32_t)height;
out:
    free(boxes);
    free(queue);
    return status;
}

lvl_status lvl_graph_lay_out(lvl_graph *graph)
{
    const size_t count = graph->node_count;
    layout l = {.graph = graph, .looks = lvl_work_begin(graph->ctx)};

    uint32_t *memory = calloc(count * 8 + 1, sizeof *memory);
    if (!memory)
        return LVL_ERR_MEMORY;
    if (l.looks.left > MAX_LOOKS)
        l.looks.left = MAX_LOOKS;
    lvl_hash_init(&l.table);
    l.block = memory;
    l.next = memory + count;
    l.last = memory + count * 2;
    l.size = memory + count * 3;
    l.part = memory + count * 4;
    l.x = (int32_t *)(memory + count * 5);
    l.y = (int32_t *)(memory + count * 6);
    l.box = memory + count * 7;
    lvl_status status = make_blocks(&l);
    if (status == LVL_OK)
        status = pack_all(&l);
    if (status == LVL_OK && l.looks.status == LVL_ERR_STOPPED)
        status = LVL_ERR_STOPPED;
    for (uint32_t i = 0; i < graph->edge_count && status == LVL_OK; i++) {
        lvl_graph_edge *e = &graph->edges[i];
        const lvl_graph_node *a = &graph->nodes[e->from], *b = &graph->nodes[e->to];
        e->beside = e->way != LVL_WAY_DOOR && a->block == b->block && b->x - a->x == way_dx[e->way] * UNIT &&
                    b->y - a->y == way_dy[e->way] * UNIT;
    }
    free(memory);
    free(l.ties);
    free(l.cells);
    lvl_hash_free(&l.table);
    return status;
}
