/*
 * render/reduce.h: what the files that draw a picture at a part of its size share (reduce.c says how).
 *
 * The level's pixels are those of lvl_plan.area; drawn pixels, from 0, 0 on, cover `1 << shift` of them each
 * way.
 */
#ifndef LVL_RENDER_REDUCE_H
#define LVL_RENDER_REDUCE_H

#include "render/plan.h"

#include "base/hash.h"
#include "base/work.h"

enum {
    LVL_MAX_PIECE = 1 << 22, /* px of a thing */
    LVL_RECENT_SMALL = 1024
};

/* A cell's or an image's picture, in drawn pixels. */
typedef struct lvl_small {
    uint64_t key; /* of a cell: its value, and what lies above it; the address of an image */
    uint32_t layer; /* of an image: LVL_SMALL_IMAGES and its flags */
    bool empty, opaque;
    lvl_image image;
} lvl_small;

static const uint32_t LVL_SMALL_IMAGES = (uint32_t)1 << 31; /* no layer has such an index */

/* Of the cells smaller than a drawn pixel: the sum of their colours times alpha, of their alpha, and their
 * number. */
typedef struct lvl_mean {
    uint64_t color[3], alpha, count;
} lvl_mean;

struct lvl_reduction {
    /* small pictures that are kept (reduce_small.c) */
    lvl_small *small;
    uint32_t count;
    size_t cap;
    uint64_t bytes; /* of their pixels */
    lvl_hash table;
    uint32_t recent[LVL_RECENT_SMALL]; /* of cells: index + 1 */
    uint8_t *piece; /* pixels of a cell or thing at full size */
    size_t piece_size;
    /* a row of drawn pixels (reduce_layer.c) */
    lvl_mean *means;
    uint8_t *mean_pixels;
    uint8_t *hidden; /* of each thing: its mark can't be seen; NULL: not known (reduce_thing.c) */
    lvl_work work;
    bool failed; /* memory ran out, or the work's bound was reached */
};

/* ---- places ------------------------------------------------------------------------------------------ */

static inline int64_t lvl_reduced_unit(const lvl_plan *plan)
{
    return (int64_t)1 << plan->shift;
}

/* Where an area of the level is drawn. */
static inline lvl_area lvl_reduced_area(const lvl_plan *plan, lvl_area area)
{
    const int64_t left = plan->area.left, top = plan->area.top;

    return (lvl_area){(area.left - left) >> plan->shift, (area.top - top) >> plan->shift,
                      (area.right - left) >> plan->shift, (area.bottom - top) >> plan->shift};
}

/* What an area of drawn pixels covers of the level. */
static inline lvl_area lvl_covered_area(const lvl_plan *plan, lvl_area drawn)
{
    const int64_t left = plan->area.left, top = plan->area.top, unit = lvl_reduced_unit(plan);

    return (lvl_area){left + drawn.left * unit, top + drawn.top * unit, left + drawn.right * unit,
                      top + drawn.bottom * unit};
}

/* ---- reduce_small.c ---------------------------------------------------------------------------------- */

/* A transparent canvas of that area of a level's pixels, until the next piece; `pixels` is NULL without
 * memory, or if the bound of work was reached. */
lvl_canvas lvl_reduction_piece(const lvl_plan *plan, lvl_area area);
/* The mean of each part of a picture of at most 2^16 px across, of which `from` holds the area `at`; around
 * that, nothing is seen. Returns whether something is seen. `to` may be `from`, if that holds all. */
bool lvl_shrink(const uint8_t *from, const lvl_area *at, uint32_t width, uint32_t height, lvl_image *to);
/* The small picture of that key if it was made; else room for it, and *made is false: then lvl_small_made
 * must follow. NULL: no memory. Valid until the next call. */
lvl_small *lvl_small_kept(const lvl_plan *plan, uint64_t key, uint32_t layer, bool *made);
/* Counts the memory of a small picture that is complete. */
void lvl_small_made(const lvl_plan *plan, const lvl_small *small);
/* Allocates the pixels of a small picture; false without memory. */
bool lvl_small_alloc(const lvl_plan *plan, lvl_small *small, uint32_t width, uint32_t height);
void lvl_reduction_clear_small(const lvl_plan *plan);

/* ---- reduce_thing.c ---------------------------------------------------------------------------------- */

/* Finds the marks that a later one of the same kind covers, since it lies on the same pixel: of a million
 * most are such. */
lvl_status lvl_reduction_hide_marks(const lvl_plan *plan);

#endif
