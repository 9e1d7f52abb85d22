/*
 * render/pyramid.c: see pyramid.h. The tiles are the leaves and nodes of a tree, which is walked in depth: a
 * node draws its four parts, passes them on, and is then made of them. The deepest parts are drawn together,
 * a block of tiles at a time, since each drawing looks for the things that are in it.
 */
#include "render/pyramid.h"

#include "base/work.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE = LVL_PYRAMID_TILE,
    BLOCK_ZOOMS = 2, /* a block has 4 by 4 tiles of the highest zoom */
    MOST_ZOOMS = 24, /* 256 px << 24 is more than a picture can have */
    BYTES = TILE * TILE * 4
};

typedef struct walk {
    const lvl_scene *scene;
    lvl_render_options options;
    const lvl_pyramid *pyramid;
    lvl_pyramid_fn tile;
    void *user;
    lvl_image block; /* what is drawn of the scene; no pixels: nothing */
    uint32_t block_x, block_y; /* its place, in px */
    uint8_t *tiles[MOST_ZOOMS + 1]; /* of each zoom, the one that is made */
} walk;

lvl_status lvl_pyramid_of(const lvl_scene *scene, const lvl_render_options *options, lvl_pyramid *out)
{
    lvl_render_options whole = *options;

    *out = (lvl_pyramid){0};
    whole.size = whole.scale_up = whole.scale_down = 0;
    whole.region_given = false;
    const lvl_status status = lvl_render_size(scene, &whole, &out->width, &out->height);
    if (status != LVL_OK)
        return status;
    if (scene->has_bounds && whole.view == LVL_VIEW_WHOLE) {
        out->left = scene->bounds.left;
        out->top = scene->bounds.top;
    }
    const uint32_t side = out->width > out->height ? out->width : out->height;
    while (((uint64_t)TILE << out->zooms) < side)
        out->zooms++;
    for (unsigned z = 0; z <= out->zooms; z++) {
        const uint64_t px = (uint64_t)TILE << (out->zooms - z);
        out->tiles += ((out->width + px - 1) / px) * ((out->height + px - 1) / px);
    }
    return LVL_OK;
}

/* Draws the block with that corner. */
static lvl_status draw_block(walk *w, uint32_t x, uint32_t y, uint32_t side)
{
    lvl_render_options *o = &w->options;

    lvl_image_clear(&w->block);
    w->block_x = x;
    w->block_y = y;
    o->region_given = true;
    const uint32_t width = w->pyramid->width - x < side ? w->pyramid->width - x : side,
                   height = w->pyramid->height - y < side ? w->pyramid->height - y : side;
    o->region.left = w->pyramid->left + (int32_t)x;
    o->region.top = w->pyramid->top + (int32_t)y;
    o->region.right = o->region.left + (int32_t)width - 1;
    o->region.bottom = o->region.top + (int32_t)height - 1;
    return lvl_render_image(w->scene, o, &w->block);
}

/* Cuts a tile of the highest zoom out of the block. */
static void cut_tile(const walk *w, uint32_t x, uint32_t y, uint8_t *out)
{
    const uint32_t left = x - w->block_x, top = y - w->block_y;

    memset(out, 0, BYTES);
    for (uint32_t row = 0; row < TILE && top + row < w->block.height && left < w->block.width; row++) {
        const uint32_t width = w->block.width - left < TILE ? w->block.width - left : TILE;
        memcpy(out + (size_t)row * TILE * 4,
               w->block.pixels + ((size_t)(top + row) * w->block.width + left) * 4, (size_t)width * 4);
    }
}

/* Puts a tile into a quarter of the one above it, half as large: each pixel is the mean of four, in which
 * transparent ones have no colour. */
static void put_quarter(const uint8_t *from, unsigned right, unsigned down, uint8_t *to)
{
    for (uint32_t y = 0; y < TILE / 2; y++) {
        uint8_t *out = to + (((size_t)down * (TILE / 2) + y) * TILE + (size_t)right * (TILE / 2)) * 4;
        for (uint32_t x = 0; x < TILE / 2; x++, out += 4) {
            const uint8_t *p = from + ((size_t)y * 2 * TILE + (size_t)x * 2) * 4;
            const uint8_t *px[4] = {p, p + 4, p + (size_t)TILE * 4, p + (size_t)TILE * 4 + 4};
            unsigned alpha = 0, sum[3] = {0};
            for (int i = 0; i < 4; i++) {
                alpha += px[i][3];
                for (int k = 0; k < 3; k++)
                    sum[k] += (unsigned)px[i][k] * px[i][3];
            }
            for (int k = 0; k < 3; k++)
                out[k] = (uint8_t)(alpha ? (sum[k] + alpha / 2) / alpha : 0);
            out[3] = (uint8_t)((alpha + 2) / 4);
        }
    }
}

/* Makes a tile, after those that it is made of. */
static lvl_status make_tile(walk *w, unsigned zoom, uint32_t x, uint32_t y) /* NOLINT(misc-no-recursion) */
{
    const lvl_pyramid *p = w->pyramid;
    const uint32_t side = (uint32_t)TILE << (p->zooms - zoom);
    uint8_t *own = w->tiles[zoom];
    lvl_status status = lvl_charge(w->scene->ctx, TILE * TILE);

    if (status == LVL_OK && (zoom + BLOCK_ZOOMS == p->zooms || (!zoom && p->zooms < BLOCK_ZOOMS)))
        status = draw_block(w, x * side, y * side, side);
    if (status == LVL_OK && zoom == p->zooms) {
        cut_tile(w, x * side, y * side, own);
    } else if (status == LVL_OK) {
        memset(own, 0, BYTES);
        for (unsigned i = 0; i < 4 && status == LVL_OK; i++) {
            const uint32_t right = x * 2 + (i & 1), down = y * 2 + (i >> 1);
            if ((uint64_t)right * (side / 2) >= p->width || (uint64_t)down * (side / 2) >= p->height)
                continue;
            status = make_tile(w, zoom + 1, right, down);
            if (status == LVL_OK)
                put_quarter(w->tiles[zoom + 1], i & 1, i >> 1, own);
        }
    }
    const lvl_image image = {.format = LVL_PIXELS_RGBA8, .width = TILE, .height = TILE, .pixels = own};
    return status == LVL_OK ? w->tile(w->user, zoom, x, y, &image) : status;
}

lvl_status lvl_pyramid_draw(const lvl_scene *scene, const lvl_render_options *options,
                            const lvl_pyramid *pyramid, lvl_pyramid_fn tile, void *user)
{
    walk w = {.scene = scene, .options = *options, .pyramid = pyramid, .tile = tile, .user = user};
    lvl_status status = LVL_OK;

    w.options.size = w.options.scale_up = w.options.scale_down = 0;
    w.options.adjoining = true;
    w.options.transparent = true;
    for (unsigned z = 0; z <= pyramid->zooms && status == LVL_OK; z++) {
        w.tiles[z] = malloc(BYTES);
        status = w.tiles[z] ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK)
        status = make_tile(&w, 0, 0, 0);
    lvl_image_clear(&w.block);
    for (unsigned z = 0; z <= pyramid->zooms; z++)
        free(w.tiles[z]);
    return status;
}
