/*
 * Thumbnails of real levels, by family, and of three generated ones: 16 gigapixel of tiles without art, 4
 * million tiles of a pixel, and a million NPCs. In one run, real ones are compared with reading the same levels, and with thumbnails of
 * half the size; generated ones with a level that has a quarter of the tiles or NPCs: work of the same
 * kind, so that load on the machine slows both.
 */
#include "base/format.h"
#include "bench.h"
#include "world.h"

#include "wwd_make.h"

#include <lvl/wwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, MOST_FILES = 24, SIZE = 48, SIDE = 2000, NPCS = 1000000 };

typedef struct job {
    lvl_ctx ctx;
    const bench_file *files;
    size_t count, step;
    uint32_t size; /* 0: only read */
    size_t failed;
} job;

static void draw(job *j, const lvl_doc *doc, const char *path)
{
    lvl_art *art = lvl_art_new(&j->ctx);
    bench_counter out = {{bench_count}, 0};
    lvl_scene *scene = NULL;
    lvl_render_options options;

    lvl_render_options_init(&options);
    options.size = j->size;
    j->failed += !art || lvl_art_level(art, path) != LVL_OK ||
                 lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene) != LVL_OK ||
                 lvl_render_png(scene, &options, &out.writer) != LVL_OK || !out.bytes;
    lvl_scene_free(scene);
    lvl_art_free(art);
}

static void run(void *user)
{
    job *j = user;

    j->failed = 0;
    for (size_t i = 0; i < j->count; i += j->step) {
        const bench_file *f = &j->files[i];
        lvl_doc *doc = NULL;
        if (lvl_read(&doc, &j->ctx, NULL, (lvl_bytes){f->data, f->len}, f->path, LVL_READ_BORROW, NULL) !=
            LVL_OK)
            j->failed++;
        else if (j->size)
            draw(j, doc, f->path);
        lvl_doc_free(doc);
    }
}

/* Thumbnails beside reading, and beside those of half the size, with its limit. */
static void measure(const char *what, const bench_file *files, size_t count)
{
    job j = {.files = files, .count = count, .step = count / MOST_FILES + 1};
    char stage[64];

    lvl_ctx_init(&j.ctx);
    const double read = bench_best_cpu(run, &j, ROUNDS);
    j.size = SIZE / 2;
    const double smaller = bench_best_cpu(run, &j, ROUNDS);
    j.size = SIZE;
    const double took = bench_best_cpu(run, &j, ROUNDS);
    snprintf(stage, sizeof stage, "%s, read and drawn", what);
    bench_ratio(stage, took, "reading", read, 0);
    bench_ratio(stage, took, "half the size", smaller, 3);
    const size_t tried = (count + j.step - 1) / j.step;
    bench_value("of each", took * 1000 / (double)tried, "ms");
    snprintf(stage, sizeof stage, "%zu of %zu not drawn", j.failed, tried);
    bench_fact(what, j.failed * 8 <= tried, stage); /* the corpus has malformed ones */
}

static double draw_made(char *name, const lvl_buffer *level)
{
    const bench_file file = {.path = name, .data = level->data, .len = level->len};
    job j = {.files = &file, .count = 1, .step = 1, .size = SIZE};

    lvl_ctx_init(&j.ctx);
    j.ctx.limits.memory_bytes = (uint64_t)2 << 30; /* a million NPCs need more than the default limit */
    const double took = bench_best_cpu(run, &j, ROUNDS);
    bench_fact(name, j.failed == 0, j.failed ? "not drawn" : "drawn");
    return took;
}

/* The limit: four times the work is at most six times the time. */
static void measure_growth(const char *what, char *name, const lvl_buffer *level, const lvl_buffer *quarter)
{
    const double part = draw_made(name, quarter), took = draw_made(name, level);

    bench_ratio(what, took, "a quarter", part, 6);
    bench_value(what, took * 1000, "ms");
}

/* The file that takes longest, and how many take more than 50 ms, which users notice. */
static void find_slowest(const bench_files *files)
{
    double slowest = 0, reading = 0;
    const char *name = "";
    size_t slow = 0;

    for (size_t i = 0; i < files->count; i++) {
        job j = {.files = &files->items[i], .count = 1, .step = 1, .size = SIZE};
        lvl_ctx_init(&j.ctx);
        const double took = bench_best_cpu(run, &j, ROUNDS);
        slow += took > 0.05;
        if (took > slowest) {
            slowest = took;
            name = strrchr(files->items[i].path, '/') + 1;
            j.size = 0;
            reading = bench_best_cpu(run, &j, ROUNDS);
        }
    }
    printf("  the slowest: %s\n", name);
    bench_ratio("the slowest", slowest, "reading it", reading, 0);
    bench_value("over 50 ms", (double)slow, "files");
}

static void measure_files(const char *endings)
{
    bench_files files;

    if (bench_load(&files, endings))
        measure(endings, files.items, files.count);
    if (files.count < 500)
        find_slowest(&files);
    bench_free(&files);
}

/* A level of side x side tiles of that many px each way, with a floor every ten rows. */
static bool make_wwd(lvl_buffer *out, const lvl_ctx *ctx, uint32_t side, int32_t tile)
{
    lvl_doc *doc = wwd_make(ctx, LVL_WWD_COMPRESS);
    bool good = doc != NULL;

    if (good) {
        lvl_wwd_plane *plane = &((lvl_wwd *)lvl_doc_root(doc))->planes[1];
        uint8_t *cells = lvl_doc_alloc(doc, (size_t)side * side * 4);
        good = cells != NULL;
        for (size_t i = 0; good && i < (size_t)side * side; i++)
            memset(cells + i * 4, i / side % 10 ? 255 : 0, 4); /* LVL_WWD_TILE_NONE, tile 0 */
        plane->tile_width = plane->tile_height = tile;
        plane->tiles.ptr = cells;
        plane->tiles.width = plane->tiles.height = side;
    }
    good = good && lvl_doc_write(doc, out) == LVL_OK;
    lvl_doc_free(doc);
    return good;
}

static bool make_nw(lvl_buffer *out, uint32_t npcs)
{
    lvl_buffer_str(out, "GLEVNW01\n");
    for (uint32_t i = 0; i < npcs; i++)
        lvl_buffer_printf(out, "NPC block.png %u %u\nNPCEND\n", i * 7 % 64, i * 13 / 64 % 64);
    return out->status == LVL_OK;
}

int main(void)
{
    lvl_ctx ctx;
    lvl_buffer wwd = {0}, part_wwd = {0}, dots = {0}, part_dots = {0}, nw = {0}, part_nw = {0};

    lvl_ctx_init(&ctx);
    measure_files("wwd");
    measure_files("level");
    measure_files("nw");
    measure_files("graal zelda");
    measure_files("gmap");
    if (!make_wwd(&wwd, &ctx, SIDE, 64) || !make_wwd(&part_wwd, &ctx, SIDE / 2, 64) ||
        !make_wwd(&dots, &ctx, SIDE, 1) || !make_wwd(&part_dots, &ctx, SIDE / 2, 1) || !make_nw(&nw, NPCS) ||
        !make_nw(&part_nw, NPCS / 4)) {
        puts("out of memory");
        return 1;
    }
    measure_growth("16 gigapixel", (char[]){"made.wwd"}, &wwd, &part_wwd);
    measure_growth("4 million tiles of 1 px", (char[]){"dots.wwd"}, &dots, &part_dots);
    measure_growth("a million NPCs", (char[]){"made.nw"}, &nw, &part_nw);
    lvl_buffer_free(&wwd);
    lvl_buffer_free(&part_wwd);
    lvl_buffer_free(&dots);
    lvl_buffer_free(&part_dots);
    lvl_buffer_free(&nw);
    lvl_buffer_free(&part_nw);
    return bench_failed();
}
