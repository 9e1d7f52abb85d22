/*
 * sketchy/chunks/paint.h: colours of pixels as the game draws them: swatches with their patterns, and the
 * paper under them. The rules were compared with the game's own pictures, pixel for pixel.
 */
#ifndef LVL_SKETCHY_PAINT_H
#define LVL_SKETCHY_PAINT_H

#include "base/format.h"

#include <lvl/sketchy.h>

#include <lvl/scene.h>

/* A swatch ready to be drawn with. */
typedef struct lvl_paint {
    uint8_t rgba[4]; /* of the swatch, straight */
    bool good; /* its colour is valid */
    const lvl_image *pattern; /* or NULL: plain */
    uint8_t lut[3][256]; /* with a pattern: the swatch's channel by the pattern's */
    uint8_t *colors; /* the result for each px of the pattern, 4 bytes; NULL: a large pattern */
    lvl_tile_class look;
} lvl_paint;

typedef struct lvl_paints {
    lvl_paint *list;
    uint32_t count;
    uint32_t missing; /* patterns that the art does not have */
} lvl_paints;

/* The paper of a level: four quarters of a picture, in the corner, along the top, down the left side,
 * everywhere else. */
typedef struct lvl_paper {
    const lvl_image *image; /* or NULL: plain white */
    uint32_t width, height; /* of a quarter */
    bool edges; /* corner, top and left are drawn, */
    uint32_t edge_columns, edge_rows; /* for that many sheets */
} lvl_paper;

/* Makes the paints of a palette, in the scene's memory. `art` may be NULL: plain colours. */
lvl_status lvl_paints_make(lvl_scene *scene, const lvl_sketchy_swatch *swatches, uint32_t count,
                           const lvl_art *art, lvl_paints *out);
/* A picture of the game's assets by its file name: in its folder there ("pattern", "wallpapers"), or by the
 * name alone. NULL: not found. */
const lvl_image *lvl_paint_asset(const lvl_art *art, const char *folder, lvl_text name);
/* "#rgb", "#rrggbb", "#rrggbbaa", with or without '#'. */
bool lvl_sketchy_color(lvl_text text, uint8_t rgba[4]);
/* Whether the game has a pattern of that name; swatches with other names are drawn plain. */
bool lvl_paint_is_pattern(lvl_text name);
/* A picture's px, premultiplied as Go does. */
void lvl_paint_sample(const lvl_image *image, uint32_t x, uint32_t y, uint8_t rgba[4]);
/* Draws `src` over `dst` as Go's image/draw does in 8 bits; both premultiplied. */
void lvl_paint_over(uint8_t dst[4], const uint8_t src[4]);
/* Writes the colours of a grid's px to `out`, size × size × 4 bytes, which the game treats as premultiplied;
 * empty px are transparent. left, top: the world px of the grid's corner, for patterns. Px that aren't opaque
 * are drawn over `paper` (NULL: stay as they are) with the game's compositing. origin: the world px of the
 * paper's corner. */
void lvl_paint_grid(const lvl_paints *paints, const lvl_cells *grid, int64_t left, int64_t top,
                    const lvl_paper *paper, int64_t origin_x, int64_t origin_y, uint8_t *out);

#endif
