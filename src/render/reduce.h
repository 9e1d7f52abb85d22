/*
 * render/reduce.h: shared by the files that draw a picture at reduced size (explained in reduce.c).
 *
 * The level's pixels are those of lvl_plan.area; drawn pixels start at 0, 0 and cover `1 << shift` of them in
 * each direction.
 */
#ifndef LVL_RENDER_REDUCE_H
#define LVL_RENDER_REDUCE_H

#include "render/plan.h"

#include "base/hash.h"
#include "base/work.h"

enum {
    LVL_MAX_PIECE = 1 << 22, /* largest area of a thing, in px */
    LVL_RECENT_SMALL = 1024,
    /* A layer with more cells than this is sampled, as are cells smaller than a drawn pixel in only one
     * direction. */
    LVL_MANY_CELLS = 1 << 20
};

/* A cell's or an image's picture, in drawn pixels. */
typedef struct lvl_small {
    uint64_t key; /* for a cell: its value and the class above it; for an image: its address */
    uint32_t layer; /* for an image: LVL_SMALL_IMAGES and its flags */
    bool empty, opaque;
    lvl_image image;
} lvl_small;

static const uint32_t LVL_SMALL_IMAGES = (uint32_t)1 << 31; /* no layer has such an index */

/* For the cells in a drawn pixel: the sums of colour times alpha and of alpha, and the number of cells. */
typedef struct lvl_mean {
    uint64_t color[3], alpha, count;
} lvl_mean;

struct lvl_reduction {
    /* small pictures that are kept (reduce_small.c) */
    lvl_small *small;
    uint32_t count;
    size_t cap;
    uint64_t bytes; /* size of their pixels */
    lvl_hash table;
    uint32_t recent[LVL_RECENT_SMALL]; /* recently used cells: index + 1 */
    uint8_t *piece; /* pixels of a cell or thing at full size */
    size_t piece_size;
    /* a row of drawn pixels (reduce_layer.c) */
    lvl_mean *means;
    uint8_t *mean_pixels;
    unsigned samples; /* cells sampled per drawn pixel, in layers with MANY_CELLS */
    uint8_t *hidden; /* for each thing: its mark isn't visible; NULL: unknown (reduce_thing.c) */
    lvl_work work;
    bool failed; /* memory ran out, or the limit on work was reached */
};

/* ---- places ------------------------------------------------------------------------------------------ */

static inline int64_t lvl_reduced_unit(const lvl_plan *plan)
{
    return (int64_t)1 << plan->shift;
}

/* The drawn pixels of an area of the level. */
static inline lvl_area lvl_reduced_area(const lvl_plan *plan, lvl_area area)
{
    const int64_t left = plan->area.left, top = plan->area.top;

    return (lvl_area){(area.left - left) >> plan->shift, (area.top - top) >> plan->shift,
                      (area.right - left) >> plan->shift, (area.bottom - top) >> plan->shift};
}

/* The area of the level covered by drawn pixels. */
static inline lvl_area lvl_covered_area(const lvl_plan *plan, lvl_area drawn)
{
    const int64_t left = plan->area.left, top = plan->area.top, unit = lvl_reduced_unit(plan);

    return (lvl_area){left + drawn.left * unit, top + drawn.top * unit, left + drawn.right * unit,
                      top + drawn.bottom * unit};
}

/* ---- reduce_small.c ---------------------------------------------------------------------------------- */

/* A transparent canvas for an area of the level's pixels, valid until the next piece; `pixels` is NULL if out
 * of memory or the limit on work was reached. */
lvl_canvas lvl_reduction_piece(const lvl_plan *plan, lvl_area area);
/* Shrinks a picture of at most 2^16 px in width to the mean of each part. `from` holds its area `at`; the
 * rest is transparent. Returns whether anything is visible. `to` may use the memory of `from` if that holds
 * the whole picture. */
bool lvl_shrink(const uint8_t *from, const lvl_area *at, uint32_t width, uint32_t height, lvl_image *to);
/* The small picture with that key. If there is none yet, *made is false: the caller makes it and calls
 * lvl_small_made. NULL: out of memory. Valid until the next call. */
lvl_small *lvl_small_kept(const lvl_plan *plan, uint64_t key, uint32_t layer, bool *made);
/* Counts the memory of a small picture that is complete. */
void lvl_small_made(const lvl_plan *plan, const lvl_small *small);
/* Allocates the pixels of a small picture; false without memory. */
bool lvl_small_alloc(const lvl_plan *plan, lvl_small *small, uint32_t width, uint32_t height);
void lvl_reduction_clear_small(const lvl_plan *plan);

/* ---- reduce_thing.c ---------------------------------------------------------------------------------- */

/* Finds the marks that are covered by a later mark of the same kind on the same pixel, as most of a million
 * marks are. */
lvl_status lvl_reduction_hide_marks(const lvl_plan *plan);

#endif
