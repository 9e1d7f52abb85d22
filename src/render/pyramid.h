/*
 * render/pyramid.h: a picture as square tiles of several sizes, for maps that are zoomed: at the highest zoom
 * the picture as it is, at each lower one half as wide and high, at zoom 0 all of it in one tile.
 */
#ifndef LVL_RENDER_PYRAMID_H
#define LVL_RENDER_PYRAMID_H

#include <lvl/render.h>

enum { LVL_PYRAMID_TILE = 256 }; /* px of a tile's sides */

/* Receives a tile of LVL_PYRAMID_TILE by LVL_PYRAMID_TILE px, RGBA8; beyond the picture it is transparent.
 * The image is valid during the call. Any status but LVL_OK ends the drawing. */
typedef lvl_status (*lvl_pyramid_fn)(void *user, unsigned zoom, uint32_t x, uint32_t y,
                                     const lvl_image *tile);

typedef struct lvl_pyramid {
    int32_t left, top; /* px of the main layer in the picture's corner */
    uint32_t width, height; /* px of the picture */
    unsigned zooms; /* the highest zoom */
    uint64_t tiles; /* of all zooms */
} lvl_pyramid;

/* The sizes. `options` are those of the picture; its size, region and scale are ignored. LVL_ERR_ARG:
 * there is nothing to draw; LVL_ERR_LIMIT: as lvl_render_size. */
lvl_status lvl_pyramid_of(const lvl_scene *scene, const lvl_render_options *options, lvl_pyramid *out);
/* Draws all tiles, each part of the scene once: a tile of a lower zoom is made of the four below it, which
 * come before it. Memory does not depend on the size of the picture. */
lvl_status lvl_pyramid_draw(const lvl_scene *scene, const lvl_render_options *options,
                            const lvl_pyramid *pyramid, lvl_pyramid_fn tile, void *user);

#endif
