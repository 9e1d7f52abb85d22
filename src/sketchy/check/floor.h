/*
 * sketchy/check/floor.h: where the pixels of a level are solid.
 */
#ifndef LVL_SKETCHY_FLOOR_H
#define LVL_SKETCHY_FLOOR_H

#include <lvl/sketchy.h>

typedef struct lvl_floor {
    const lvl_doc *doc;
    const lvl_sketchy *d;
    struct lvl_floor_chunk *chunks; /* sorted by place */
    uint32_t count;
    lvl_buffer storage;
    lvl_cells cells; /* of the chunk that was decoded last: */
    uint32_t open; /* its index in the layer; LVL_NO_INDEX: none */
    uint32_t decoded;
} lvl_floor;

/* The caller frees it, whatever is returned. LVL_ERR_MEMORY. */
lvl_status lvl_floor_of(lvl_floor *floor, const lvl_doc *doc);
/* Whether a pixel from x0, y0 to x1, y1 (inclusive; px of the world) is solid or semisolid; true as well if
 * that is not known: a chunk cannot be decoded, or more were asked for than a level has. LVL_ERR_MEMORY,
 * LVL_ERR_LIMIT. */
lvl_status lvl_floor_has(lvl_floor *floor, int64_t x0, int64_t y0, int64_t x1, int64_t y1, bool *solid);
void lvl_floor_free(lvl_floor *floor);

#endif
