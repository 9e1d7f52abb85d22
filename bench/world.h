/*
 * bench/world.h: a generated level with the size and density of large real ones: textured tiles and sprites,
 * three layers, thousands of things.
 */
#ifndef LVL_BENCH_WORLD_H
#define LVL_BENCH_WORLD_H

#include <lvl/render.h>

typedef struct bench_world {
    lvl_ctx ctx;
    lvl_palette palette;
    lvl_image tiles[48], sprites[8];
    uint32_t *grid;
    lvl_scene *scene;
} bench_world;

/* Cells of 64 px. False without memory. */
bool bench_world_make(bench_world *out, uint32_t columns, uint32_t rows, uint32_t things);
void bench_world_free(bench_world *world);

/* A writer that only counts. */
typedef struct bench_counter {
    lvl_writer writer;
    uint64_t bytes;
} bench_counter;
lvl_status bench_count(lvl_writer *writer, const void *data, size_t len);

#endif
