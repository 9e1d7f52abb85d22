/*
 * bench/world.c: see world.h. Random numbers come from a fixed seed, so every run draws the same.
 */
#include "world.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

static uint32_t seed = 12345;

static uint32_t next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void cells(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const bench_world *w = layer->user;
    const uint32_t columns = w->scene->layers[1].columns;

    for (uint32_t i = 0; i < count; i++)
        out[i] = layer->main ? w->grid[(size_t)y * columns + x + i] : (x + i + y * 5) % 16 + 32;
}

static void tile(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    const bench_world *w = layer->user;

    memset(out, 0, sizeof *out);
    out->empty = value >= 48;
    out->image = value < 48 ? &w->tiles[value] : NULL;
    out->look = value < 24 ? LVL_LOOK_SOLID : LVL_LOOK_CLEAR;
}

/* Bricks: runs of a few shades, as in tiles, so that a compressor finds some matches and misses others. */
static bool brick(bench_world *w, lvl_image *image, uint32_t width, uint32_t height, bool masked)
{
    if (lvl_image_init(image, &w->ctx, LVL_PIXELS_INDEX8, width, height, masked) != LVL_OK)
        return false;
    const uint8_t base = (uint8_t)(next() % 200);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const size_t i = (size_t)y * width + x;
            image->pixels[i] =
                (uint8_t)(base + (y % 16 == 0 || x % 32 == y / 16 % 2 * 16 ? 0 : 8 + next() % 12));
            if (masked)
                image->mask[i] =
                    (x * 2 - width) * (x * 2 - width) + (y * 2 - height) * (y * 2 - height) < width * height
                        ? 255
                        : 0;
        }
    }
    return true;
}

static bool fill_scene(bench_world *w, uint32_t columns, uint32_t rows, uint32_t things)
{
    lvl_scene *s = w->scene;

    s->layers = lvl_scene_alloc(s, 2, sizeof *s->layers);
    s->things = lvl_scene_alloc(s, things, sizeof *s->things);
    if (!s->layers || !s->things)
        return false;
    s->layer_count = 2;
    for (int i = 0; i < 2; i++)
        s->layers[i] =
            (lvl_scene_layer){.cell_width = 64, .cell_height = 64, .user = w, .cells = cells, .tile = tile};
    s->layers[0].z = -1000;
    s->layers[0].columns = s->layers[0].rows = 24;
    s->layers[0].wrap_x = s->layers[0].wrap_y = true;
    s->layers[0].move_x = s->layers[0].move_y = 50;
    s->layers[1].columns = columns;
    s->layers[1].rows = rows;
    s->layers[1].main = true;
    s->layers[1].move_x = s->layers[1].move_y = 100;
    s->main_layer = 1;
    s->palette = &w->palette;
    s->has_art = true;
    s->thing_count = things;
    for (uint32_t i = 0; i < things; i++)
        s->things[i] = (lvl_scene_thing){.kind = (lvl_thing_kind)(next() % LVL_THING_COUNT),
                                         .x = (int32_t)(next() % (columns * 64)),
                                         .y = (int32_t)(next() % (rows * 64)),
                                         .z = (int32_t)(next() % 8000),
                                         .flags = next() % 2 ? LVL_THING_MIRROR : 0,
                                         .image = &w->sprites[next() % 8],
                                         .label = lvl_text_of("Something")};
    return lvl_scene_arrange(s, true) == LVL_OK;
}

bool bench_world_make(bench_world *out, uint32_t columns, uint32_t rows, uint32_t things)
{
    memset(out, 0, sizeof *out);
    lvl_ctx_init(&out->ctx);
    for (int i = 0; i < 256; i++) {
        out->palette.rgb[i][0] = (uint8_t)(i * 3 / 4);
        out->palette.rgb[i][1] = (uint8_t)(i / 2);
        out->palette.rgb[i][2] = (uint8_t)(i ^ 0x30);
    }
    for (int i = 0; i < 48; i++) {
        if (!brick(out, &out->tiles[i], 64, 64, i >= 20 && i < 28))
            return false;
    }
    for (int i = 0; i < 8; i++) {
        if (!brick(out, &out->sprites[i], 40 + (uint32_t)i * 16, 60, true))
            return false;
    }
    out->grid = malloc((size_t)columns * rows * sizeof *out->grid);
    out->scene = lvl_scene_new(&out->ctx);
    if (!out->grid || !out->scene)
        return false;
    /* Half of it solid, a third empty, the rest with holes, in patches. */
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < columns; x++) {
            const uint32_t patch = (x / 9 * 7 + y / 5 * 3) % 6;
            out->grid[(size_t)y * columns + x] = patch < 3 ? next() % 20 : patch < 5 ? 99 : 20 + next() % 8;
        }
    }
    return fill_scene(out, columns, rows, things);
}

void bench_world_free(bench_world *world)
{
    for (int i = 0; i < 48; i++)
        lvl_image_clear(&world->tiles[i]);
    for (int i = 0; i < 8; i++)
        lvl_image_clear(&world->sprites[i]);
    free(world->grid);
    lvl_scene_free(world->scene);
}

lvl_status bench_count(lvl_writer *writer, const void *data, size_t len)
{
    (void)data;
    ((bench_counter *)writer)->bytes += len;
    return LVL_OK;
}
