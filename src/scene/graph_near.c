/*
 * scene/graph_near.c: places the blocks of a part, each near the level that it is connected to.
 */
#include "scene/graph_layout.h"

enum {
    UNIT = LVL_GRAPH_UNIT,
    STEP = UNIT + LVL_GRAPH_GAP, /* of the grid on which the blocks are placed */
    MAX_NEAR =
        4000 /* blocks of a part, and of their steps 16 times as many: the time grows with the square */
};

/* Where a place is not known yet. */
#define UNPLACED INT64_MIN

static int64_t steps_of_units(int64_t units)
{
    return (units + LVL_GRAPH_GAP + STEP - 1) / STEP;
}

bool lvl_graph_can_place_near(const lvl_graph_near *near, const lvl_graph_box *boxes, size_t count)
{
    int64_t steps = 0;

    for (size_t i = 0; i < count; i++)
        steps += steps_of_units(boxes[i].width) * steps_of_units(boxes[i].height);
    return count > 1 && count <= MAX_NEAR && steps < (int64_t)MAX_NEAR * 16 &&
           near->cells->looks.status == LVL_OK;
}

/* ---- one box ----------------------------------------------------------------------------------------- */

static bool is_free(const lvl_graph_near *near, uint32_t grid, int64_t x, int64_t y, const lvl_graph_box *b)
{
    for (int64_t dy = 0; dy < steps_of_units(b->height); dy++) {
        for (int64_t dx = 0; dx < steps_of_units(b->width); dx++) {
            if (lvl_graph_is_taken(near->cells, grid, (int32_t)(x + dx), (int32_t)(y + dy)))
                return false;
        }
    }
    return true;
}

static lvl_status place_box(const lvl_graph_near *near, uint32_t grid, int64_t x, int64_t y, lvl_graph_box *b)
{
    lvl_status status = LVL_OK;

    b->x = x * STEP;
    b->y = y * STEP;
    for (int64_t dy = 0; dy < steps_of_units(b->height); dy++) {
        for (int64_t dx = 0; dx < steps_of_units(b->width) && status == LVL_OK; dx++)
            status = lvl_graph_take_cell(near->cells, grid, (int32_t)(x + dx), (int32_t)(y + dy));
    }
    return status;
}

/* Finds the free place of a box on the ring with that radius around *x, *y that is nearest to its centre. */
static bool find_on_ring(const lvl_graph_near *near, uint32_t grid, int64_t radius, const lvl_graph_box *b,
                         int64_t *x, int64_t *y)
{
    const int64_t left = *x, top = *y;
    int64_t best = INT64_MAX;

    for (int64_t dy = -radius; dy <= radius; dy++) {
        const bool whole_row = dy == -radius || dy == radius;
        for (int64_t dx = -radius; dx <= radius; dx += whole_row ? 1 : 2 * radius) {
            const int64_t far = dx * dx + dy * dy;
            if (far < best && is_free(near, grid, left + dx, top + dy, b)) {
                best = far;
                *x = left + dx;
                *y = top + dy;
            }
        }
    }
    return best < INT64_MAX;
}

/* Puts a box on the free place nearest to a point, tried ring by ring. LVL_ERR_LIMIT: too many lookups. */
static lvl_status place_box_near(const lvl_graph_near *near, uint32_t grid, int64_t x, int64_t y,
                                 lvl_graph_box *b)
{
    x -= steps_of_units(b->width) / 2;
    y -= steps_of_units(b->height) / 2;
    for (int64_t radius = 0; near->cells->looks.status == LVL_OK; radius++) {
        if (find_on_ring(near, grid, radius, b, &x, &y))
            return place_box(near, grid, x, y, b);
    }
    return LVL_ERR_LIMIT;
}

/* ---- the part ---------------------------------------------------------------------------------------- */

/* Notes the index of each box, and returns that of the largest. */
static uint32_t begin_boxes(const lvl_graph_near *near, lvl_graph_box *boxes, size_t count)
{
    uint32_t largest = 0;

    for (uint32_t i = 0; i < count; i++) {
        near->box[boxes[i].id] = i;
        boxes[i].x = UNPLACED;
        if (boxes[i].width * boxes[i].height > boxes[largest].width * boxes[largest].height)
            largest = i;
    }
    return largest;
}

/* Places the boxes that are connected to a node at x, y, and queues them. */
static lvl_status place_neighbours(const lvl_graph_near *near, lvl_graph_box *boxes, uint32_t node, int64_t x,
                                   int64_t y, uint32_t grid, size_t *tail)
{
    lvl_status status = LVL_OK;

    for (uint32_t e = near->first[node]; e < near->first[node + 1] && status == LVL_OK; e++) {
        const uint32_t index = near->box[near->blocks->block[near->ends[e]]];
        if (boxes[index].x != UNPLACED)
            continue;
        status = place_box_near(near, grid, x / STEP, y / STEP, &boxes[index]);
        near->queue[(*tail)++] = index;
    }
    return status;
}

/* Moves the boxes so that the part begins at 0, 0, and sets its size. */
static void measure_part(lvl_graph_box *boxes, size_t count, lvl_graph_box *part)
{
    int64_t min_x = 0, min_y = 0, max_x = 0, max_y = 0;

    for (size_t i = 0; i < count; i++) {
        const lvl_graph_box *b = &boxes[i];
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
}

lvl_status lvl_graph_place_near(const lvl_graph_near *near, lvl_graph_box *boxes, size_t count, uint32_t grid,
                                lvl_graph_box *part)
{
    const lvl_graph_blocks *blocks = near->blocks;
    const uint32_t largest = begin_boxes(near, boxes, count);
    size_t head = 0, tail = 0;

    lvl_status status = place_box(near, grid, 0, 0, &boxes[largest]);
    near->queue[tail++] = largest;
    while (head < tail && status == LVL_OK) {
        const lvl_graph_box *b = &boxes[near->queue[head++]];
        uint32_t n = b->id;
        for (uint32_t k = 0; k < blocks->size[b->id] && status == LVL_OK; k++, n = blocks->next[n]) {
            const int64_t x = b->x + ((int64_t)blocks->x[n] - b->min_x) * UNIT;
            const int64_t y = b->y + ((int64_t)blocks->y[n] - b->min_y) * UNIT;
            status = place_neighbours(near, boxes, n, x, y, grid, &tail);
        }
    }
    if (status == LVL_OK)
        measure_part(boxes, count, part);
    return status;
}
