/*
 * Levels of the Graal family as pictures: from a document in memory to a PNG of 1024 x 1024, with the tileset
 * of the corpus, without any, and with all overlays. The tileset is decoded before the measurement.
 */
#include "bench.h"
#include "world.h"
#include "scene/art.h"

#include <lvl/render.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS = 400, ROUNDS = 3 };

typedef struct job {
    lvl_doc *docs[LEVELS];
    char *names[LEVELS];
    size_t count, from, to;
    const lvl_art *art;
    lvl_render_options options;
    uint64_t bytes;
    bool wrong;
    size_t with_palette; /* pictures with a palette, one byte a pixel */
} job;

/* Counts bytes, and keeps the head: byte 25 is 3 if the PNG has a palette. */
typedef struct counter {
    bench_counter base;
    uint8_t head[26];
} counter;

static lvl_status count_bytes(lvl_writer *writer, const void *data, size_t len)
{
    counter *c = (counter *)writer;

    if (c->base.bytes < sizeof c->head) {
        const size_t room = sizeof c->head - (size_t)c->base.bytes;
        memcpy(c->head + c->base.bytes, data, len < room ? len : room);
    }
    c->base.bytes += len;
    return LVL_OK;
}

static void draw(void *user)
{
    job *j = user;

    j->bytes = 0;
    j->with_palette = 0;
    for (size_t i = j->from; i < j->to; i++) {
        const lvl_scene_request request = {.art = j->art};
        counter out = {.base = {{count_bytes}, 0}};
        lvl_scene *scene;
        if (lvl_doc_scene(j->docs[i], &request, &scene) != LVL_OK) {
            j->wrong = true;
            continue;
        }
        j->wrong |= lvl_render_png(scene, &j->options, &out.base.writer) != LVL_OK;
        j->bytes += out.base.bytes;
        j->with_palette += out.head[25] == 3;
        lvl_scene_free(scene);
    }
}

/* Returns the seconds for one level. */
static double measure(job *j, const char *stage)
{
    char note[96];
    const double seconds = bench_best_cpu(draw, j, ROUNDS) / (double)j->count;

    snprintf(note, sizeof note, "a level, of %zu; PNG of %.0f KB; %zu with a palette", j->count,
             (double)j->bytes / 1e3 / (double)j->count, j->with_palette);
    bench_time(stage, seconds, note);
    return seconds;
}

/* The level that takes longest. */
static void slowest(job *j, const char *stage)
{
    double most = 0;
    size_t which = 0;

    for (size_t i = 0; i < j->count; i++) {
        j->from = i;
        j->to = i + 1;
        const double seconds = bench_best_cpu(draw, j, 3);
        if (seconds > most) {
            most = seconds;
            which = i;
        }
    }
    j->from = 0;
    j->to = j->count;
    bench_time(stage, most, j->names[which]);
}

int main(void)
{
    bench_files levels = {0}, sheets = {0};
    lvl_ctx ctx;
    static job j;

    lvl_ctx_init(&ctx);
    lvl_art *art = lvl_art_new(&ctx);
    if (!art || !bench_load(&levels, "nw graal zelda"))
        return 0;
    /* A picture that is called pics1 and has the size of the game's. */
    bench_load(&sheets, "png");
    for (size_t i = 0; i < sheets.count; i++) {
        const size_t len = strlen(sheets.items[i].path);
        if (len > 9 && strcmp(sheets.items[i].path + len - 9, "pics1.png") == 0 &&
            lvl_art_add(art, sheets.items[i].path) == LVL_OK)
            break;
    }
    const size_t step = levels.count / LEVELS + 1;
    for (size_t i = 0; i < levels.count && j.count < LEVELS; i += step) {
        const bench_file *f = &levels.items[i];
        if (lvl_read(&j.docs[j.count], &ctx, NULL, (lvl_bytes){f->data, f->len}, f->path, LVL_READ_BORROW,
                     NULL) == LVL_OK) {
            char *slash = strrchr(f->path, '/');
            j.names[j.count++] = slash ? slash + 1 : f->path;
        }
    }
    j.to = j.count;
    lvl_render_options_init(&j.options);
    j.art = art;
    bench_fact("a tileset", lvl_art_lone(art, 0, NULL) != NULL || !sheets.corpus, "found");
    const double picture = measure(&j, "picture of 1024 x 1024 with PNG");
    bench_ratio("picture of 1024 x 1024 with PNG", picture, "memcpy of its pixels as RGBA",
                bench_copy((size_t)4 << 20), 40);
    slowest(&j, "the slowest of them");
    j.options.overlays =
        LVL_OVERLAY_GRID | LVL_OVERLAY_TILES | LVL_OVERLAY_THINGS | LVL_OVERLAY_RANGES | LVL_OVERLAY_LEGEND;
    measure(&j, "with everything laid over, in RGB");
    j.options.overlays = 0;
    j.options.size = 256;
    measure(&j, "as a thumbnail of 256");
    j.options.size = 0;
    j.art = NULL;
    measure(&j, "without a tileset, in RGB");
    bench_fact("pictures", !j.wrong, "all drawn");
    for (size_t i = 0; i < j.count; i++)
        lvl_doc_free(j.docs[i]);
    lvl_art_free(art);
    bench_free(&sheets);
    bench_free(&levels);
    return bench_failed();
}
