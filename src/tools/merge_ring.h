/*
 * tools/merge_ring.h: the order of a merged list: nodes, which are numbers, in a doubly linked ring. Node
 * `end` is before the first and after the last.
 */
#ifndef LVL_TOOLS_MERGE_RING_H
#define LVL_TOOLS_MERGE_RING_H

#include "base/arena.h"

typedef struct lvl_ring {
    uint32_t *next, *prev;
    uint8_t *linked; /* by node: it is in the ring */
    uint32_t end;
} lvl_ring;

/* An empty ring for nodes 0 ... end - 1. Without memory the arena has failed. */
static inline void lvl_ring_init(lvl_ring *r, lvl_arena *arena, uint32_t end)
{
    const size_t n = (size_t)end + 1;

    r->end = end;
    r->next = lvl_arena_array(arena, n, sizeof *r->next);
    r->prev = lvl_arena_array(arena, n, sizeof *r->prev);
    r->linked = lvl_arena_array(arena, n, 1);
    if (!arena->failed)
        r->next[end] = r->prev[end] = end;
}

static inline void lvl_ring_link(lvl_ring *r, uint32_t node, uint32_t after)
{
    const uint32_t next = r->next[after];

    r->next[after] = node;
    r->prev[node] = after;
    r->next[node] = next;
    r->prev[next] = node;
    r->linked[node] = 1;
}

static inline void lvl_ring_unlink(lvl_ring *r, uint32_t node)
{
    r->next[r->prev[node]] = r->next[node];
    r->prev[r->next[node]] = r->prev[node];
    r->linked[node] = 0;
}

/* Sets the position of each node (`none`: it is not in the ring), and the node at each position; returns how
 * many there are. */
static inline uint32_t lvl_ring_number(const lvl_ring *r, uint32_t none, uint32_t *numbers, uint32_t *order)
{
    uint32_t n = 0;

    for (uint32_t node = 0; node <= r->end; node++)
        numbers[node] = none;
    for (uint32_t node = r->next[r->end]; node != r->end; node = r->next[node]) {
        order[n] = node;
        numbers[node] = n++;
    }
    return n;
}

#endif
