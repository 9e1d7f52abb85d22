/*
 * Drawing: a map of 300 Mpixel to a PNG, time and memory; the same as a thumbnail and as a schematic; a
 * screen of 1024 x 1024.
 */
#include "bench.h"
#include "world.h"

#include <stdio.h>

typedef struct job {
    const lvl_scene *scene;
    lvl_render_options options;
    bench_counter out;
    lvl_status status;
} job;

static void run(void *user)
{
    job *j = user;

    j->out = (bench_counter){{bench_count}, 0};
    j->status = lvl_render_png(j->scene, &j->options, &j->out.writer);
}

/* Returns the seconds. */
static double measure(job *j, const char *stage, int rounds)
{
    char note[64];
    const double seconds = bench_best_cpu(run, j, rounds);

    snprintf(note, sizeof note, "PNG of %.1f MB", (double)j->out.bytes / 1e6);
    bench_time(stage, seconds, note);
    bench_fact(stage, j->status == LVL_OK && j->out.bytes > 0, "drawn");
    return seconds;
}

int main(void)
{
    bench_world world;
    job j = {0};

    if (!bench_world_make(&world, 500, 150, 12000)) {
        puts("out of memory");
        return 1;
    }
    j.scene = world.scene;
    lvl_render_options_init(&j.options);
    measure(&j, "32000 x 9600, tiles and 12000 sprites", 2);
    bench_memory("most memory of the process", (double)bench_peak() / (1 << 20), 64);
    j.options.size = 512;
    measure(&j, "the same as a thumbnail of 512", 2);
    j.options.size = 0;
    j.options.schematic = true;
    measure(&j, "the same, schematic", 2);
    j.options.schematic = false;
    j.options.overlays = LVL_OVERLAY_GRID | LVL_OVERLAY_TILES | LVL_OVERLAY_THINGS;
    measure(&j, "the same with overlays, in RGB", 1);
    bench_memory("most memory of the process", (double)bench_peak() / (1 << 20), 64);
    j.options.overlays = 0;
    j.options.view = LVL_VIEW_CAMERA;
    j.options.camera_given = true;
    j.options.camera_x = 16000;
    j.options.camera_y = 4800;
    j.options.view_width = 1024;
    j.options.view_height = 1024;
    const double screen = measure(&j, "a screen of 1024 x 1024", 20);
    bench_ratio("a screen of 1024 x 1024", screen, "memcpy of its pixels as RGBA",
                bench_copy((size_t)4 << 20), 40);
    bench_world_free(&world);
    return bench_failed();
}
