/*
 * tiled/pictures.h: pictures of tiles and things for a map, drawn by render/ from a scene.
 */
#ifndef LVL_TILED_PICTURES_H
#define LVL_TILED_PICTURES_H

#include "tiled/mapping.h"

#include <lvl/scene.h>

enum {
    PICTURE_SIDE = 32767, /* longest side that Qt draws */
    PICTURE_CELLS = 1 << 26 /* px of the largest sheet */
};

/* The colour of a tile. */
typedef struct tiled_color {
    uint8_t rgb[3];
    bool edge; /* it has a darker edge */
} tiled_color;

/* A sheet of tiles as a scene's layer draws them. */
typedef struct tiled_sheet {
    const lvl_scene_layer *layer; /* its `tile` draws them */
    const lvl_map_grid *grid; /* gives the value at a place of the sheet; NULL: the place is the value */
    uint32_t columns, tiles, tile_width, tile_height; /* px */
} tiled_sheet;

/* 1 + the highest tile of the layer that has a picture; LVL_ERR_LIMIT. */
lvl_status tiled_count_drawn(const lvl_ctx *ctx, const lvl_scene_layer *layer, const lvl_map_grid *grid,
                             uint32_t *count);
/* Draws the sheet as RGBA8, with the scene's palette; the caller clears *out. */
lvl_status tiled_sheet_image(const lvl_scene *scene, const tiled_sheet *sheet, lvl_image *out);
/* Appends the tiles of a layer as a PNG of the set's size to `out`. Tile i shows the value that `grid` gives
 * it, or, with `squares`, i + 1. `scene` may be NULL: the picture is transparent. */
lvl_status tiled_draw_sheet(const lvl_ctx *ctx, const lvl_scene *scene, uint32_t layer, const tiled_set *set,
                            const lvl_map_grid *grid, uint32_t tiles, bool squares, lvl_buffer *out);
/* Draws a single thing in a picture of that size; `x`, `y`: the thing's position in the picture. */
lvl_status tiled_draw_thing(const lvl_scene *scene, const lvl_scene_thing *thing, uint32_t width,
                            uint32_t height, int32_t x, int32_t y, lvl_buffer *out);
/* Draws the first `count` tiles of the set in one colour each; the others are transparent. */
lvl_status tiled_draw_colors(const lvl_ctx *ctx, const tiled_set *set, const tiled_color *colors,
                             uint32_t count, lvl_buffer *out);

#endif
