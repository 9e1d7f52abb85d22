/*
 * tiled/pictures.c: a sheet is drawn as a layer whose cells are all tiles in order, a thing alone over an
 * empty layer, each as a scene by `render/`. So they look the same as in `lvl render`.
 */
#include "base/work.h"
#include "scene/scene.h"
#include "tiled/pictures.h"

#include <lvl/render.h>

#include <stdlib.h>

#define NO_TILE (UINT32_MAX - 1) /* an empty cell; no format uses the value */

static void cells_of(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const tiled_sheet *s = layer->user;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = y * s->columns + x + i;
        out[i] = place >= s->tiles ? NO_TILE : s->grid ? tiled_value_of_tile(s->grid, place) : place + 1;
    }
}

static void tile_of(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    const tiled_sheet *s = layer->user;

    if (value != NO_TILE) {
        s->layer->tile(s->layer, value, out);
        return;
    }
    memset(out, 0, sizeof *out);
    out->empty = true;
}

/* A scene of one layer and at most one thing, with the colours and palette of another scene. */
static lvl_status scene_of(const lvl_scene *from, const lvl_scene_layer *layer, const lvl_scene_thing *thing,
                           lvl_scene **out)
{
    lvl_scene *scene = lvl_scene_new(from->ctx);

    if (!scene)
        return LVL_ERR_MEMORY;
    scene->codepage = from->codepage;
    scene->has_art = from->has_art;
    scene->palette = from->palette;
    scene->has_colours = from->has_colours;
    scene->possible_classes = from->possible_classes;
    scene->layers = lvl_scene_alloc(scene, 1, sizeof *scene->layers);
    scene->things = lvl_scene_alloc(scene, 1, sizeof *scene->things);
    if (!scene->layers || !scene->things)
        return lvl_scene_fail(scene, LVL_ERR_MEMORY);
    scene->layers[0] = *layer;
    scene->layer_count = 1;
    if (thing) {
        scene->things[0] = *thing;
        scene->thing_count = 1;
        scene->has_art = true;
    }
    const lvl_status status = lvl_scene_arrange(scene, false);
    if (status != LVL_OK)
        return lvl_scene_fail(scene, status);
    *out = scene;
    return LVL_OK;
}

/* A hostile level may have any number of planes and kinds of things, each with a picture, so pictures are
 * charged. */
static lvl_status write_picture(const lvl_ctx *ctx, const lvl_image *image, lvl_buffer *out)
{
    const lvl_status status = lvl_charge(ctx, 30000 + (uint64_t)image->width * image->height * 4);

    return status == LVL_OK ? lvl_png_write_buffer(ctx, image, NULL, out) : status;
}

/* Frees the scene. */
static lvl_status draw_scene(lvl_scene *scene, lvl_image *out)
{
    lvl_render_options options;

    lvl_render_options_init(&options);
    options.transparent = true;
    const lvl_status status = lvl_render_image(scene, &options, out);
    lvl_scene_free(scene);
    return status;
}

lvl_status tiled_count_drawn(const lvl_ctx *ctx, const lvl_scene_layer *layer, const lvl_map_grid *grid,
                             uint32_t *count)
{
    const lvl_status status = lvl_charge(ctx, grid->values);

    *count = 0;
    for (uint32_t i = 0; i < grid->values && status == LVL_OK; i++) {
        lvl_scene_tile tile = {0};
        layer->tile(layer, tiled_value_of_tile(grid, i), &tile);
        if (tile.image && !tile.memory_failed)
            *count = i + 1;
    }
    return status;
}

lvl_status tiled_sheet_image(const lvl_scene *scene, const tiled_sheet *sheet, lvl_image *out)
{
    lvl_scene_layer one = *sheet->layer;
    lvl_scene *own = NULL;

    one.main = true;
    one.hidden = one.wrap_x = one.wrap_y = false;
    one.move_x = one.move_y = 100;
    one.shift_x = one.shift_y = 0;
    one.columns = sheet->columns;
    one.rows = (sheet->tiles + sheet->columns - 1) / sheet->columns;
    one.cell_width = sheet->tile_width;
    one.cell_height = sheet->tile_height;
    one.user = sheet;
    one.cells = cells_of;
    one.tile = tile_of;
    const lvl_status status = scene_of(scene, &one, NULL, &own);
    return status == LVL_OK ? draw_scene(own, out) : status;
}

lvl_status tiled_draw_sheet(const lvl_ctx *ctx, const lvl_scene *scene, uint32_t layer, const tiled_set *set,
                            const lvl_map_grid *grid, uint32_t tiles, bool squares, lvl_buffer *out)
{
    if (!scene || layer >= scene->layer_count || !tiles)
        return tiled_draw_colors(ctx, set, NULL, 0, out);
    const tiled_sheet sheet = {&scene->layers[layer], squares ? NULL : grid, set->columns, tiles,
                               set->tile_width,       set->tile_height};
    lvl_image image = {0};
    lvl_status status = tiled_sheet_image(scene, &sheet, &image);
    if (status == LVL_OK)
        status = write_picture(ctx, &image, out);
    lvl_image_clear(&image);
    return status;
}

lvl_status tiled_draw_thing(const lvl_scene *scene, const lvl_scene_thing *thing, uint32_t width,
                            uint32_t height, int32_t x, int32_t y, lvl_buffer *out)
{
    const tiled_sheet empty = {.columns = 1};
    const lvl_scene_layer layer = {.main = true,
                                   .columns = 1,
                                   .rows = 1,
                                   .cell_width = width,
                                   .cell_height = height,
                                   .move_x = 100,
                                   .move_y = 100,
                                   .user = &empty,
                                   .cells = cells_of,
                                   .tile = tile_of};
    lvl_scene_thing one = *thing;
    lvl_scene *own = NULL;

    one.flags &= LVL_THING_CORNER | LVL_THING_OVER;
    one.x = x;
    one.y = y;
    lvl_image image = {0};
    lvl_status status = scene_of(scene, &layer, &one, &own);
    if (status == LVL_OK)
        status = draw_scene(own, &image);
    if (status == LVL_OK)
        status = write_picture(scene->ctx, &image, out);
    lvl_image_clear(&image);
    return status;
}

lvl_status tiled_draw_colors(const lvl_ctx *ctx, const tiled_set *set, const tiled_color *colors,
                             uint32_t count, lvl_buffer *out)
{
    lvl_image image = {.format = LVL_PIXELS_RGBA8, .width = set->width, .height = set->height};
    const uint32_t w = set->tile_width, h = set->tile_height;

    image.pixels = calloc((size_t)set->width * set->height * 4 + 1, 1);
    if (!image.pixels)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t y = 0; y < h; y++) {
            uint8_t *p =
                image.pixels +
                (((size_t)(i / set->columns) * h + y) * set->width + (size_t)(i % set->columns) * w) * 4;
            for (uint32_t x = 0; x < w; x++, p += 4) {
                const bool edge = colors[i].edge && (x == 0 || y == 0 || x + 1 == w || y + 1 == h);
                for (int k = 0; k < 3; k++)
                    p[k] = edge ? colors[i].rgb[k] / 2 : colors[i].rgb[k];
                p[3] = 255;
            }
        }
    }
    const lvl_status status = write_picture(ctx, &image, out);
    free(image.pixels);
    return status;
}
