/*
 * Animations as pictures: from a document in memory to a PNG of all frames in all directions, and to an
 * animated PNG, with the sheets of the corpus if it has them. The sheets are decoded before the measurement.
 */
#include "bench.h"
#include "world.h"

#include <lvl/render.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 400, ROUNDS = 3, CHOICES = 5 };

typedef struct job {
    lvl_doc *docs[MOST];
    size_t count;
    lvl_scene_request request;
    lvl_render_options options;
    bool apng, wrong;
    uint64_t bytes, frames;
} job;

static void draw(void *user)
{
    job *j = user;

    j->bytes = 0;
    j->frames = 0;
    for (size_t i = 0; i < j->count; i++) {
        bench_counter out = {{bench_count}, 0};
        lvl_animation *play = NULL;
        if (lvl_doc_play(j->docs[i], &j->request, &play) != LVL_OK) {
            j->wrong = true;
            continue;
        }
        const lvl_render_play how = {
            .doc = j->docs[i], .request = j->request, .play = play, .options = &j->options};
        /* Movies would take hours: only animations are measured. */
        if (play->frames <= 100) {
            const lvl_status status =
                j->apng ? lvl_render_apng(&how, &out.writer) : lvl_render_sheet(&how, false, &out.writer);
            j->wrong |= status != LVL_OK;
            j->bytes += out.bytes;
            j->frames += (uint64_t)play->frames * (j->apng ? 1 : play->directions);
        }
        lvl_animation_free(lvl_doc_ctx(j->docs[i]), play);
    }
}

static void measure(job *j, const char *stage)
{
    char note[96];
    const double seconds = bench_best(draw, j, ROUNDS);

    snprintf(note, sizeof note, "%llu frames of %zu animations, %.0f KB; %.1f us a frame",
             (unsigned long long)j->frames, j->count, (double)j->bytes / 1e3,
             seconds * 1e6 / (double)(j->frames ? j->frames : 1));
    bench_time(stage, seconds, note);
}

int main(void)
{
    static const char *const layers[CHOICES] = {"sprites", "head", "body", "sword", "shield"};
    static const char *const files[CHOICES] = {"sprites.png", "head0.png", "body.png", "sword1.png",
                                               "shield1.png"};
    lvl_scene_choice choices[CHOICES];
    bench_files ganis = {0}, sheets = {0};
    uint32_t count = 0;
    lvl_ctx ctx;
    static job j;

    lvl_ctx_init(&ctx);
    lvl_art *art = lvl_art_new(&ctx);
    if (!art || !bench_load(&ganis, "gani"))
        return 0;
    bench_load(&sheets, "png");
    for (size_t i = 0; i < CHOICES; i++) {
        for (size_t f = 0; f < sheets.count; f++) {
            const char *slash = strrchr(sheets.items[f].path, '/');
            const char *name = slash ? slash + 1 : sheets.items[f].path;
            const char *own = strchr(name, '_');
            if (strcmp(own ? own + 1 : name, files[i]) != 0 ||
                lvl_art_add(art, sheets.items[f].path) != LVL_OK)
                continue;
            choices[count++] = (lvl_scene_choice){lvl_text_of(layers[i]), lvl_text_of(name)};
            break;
        }
    }
    for (size_t i = 0; i < ganis.count && j.count < MOST; i++) {
        const bench_file *f = &ganis.items[i];
        if (lvl_read(&j.docs[j.count], &ctx, NULL, (lvl_bytes){f->data, f->len}, "x.gani", LVL_READ_BORROW,
                     NULL) == LVL_OK)
            j.count++;
    }
    lvl_render_options_init(&j.options);
    j.options.transparent = true;
    j.request.art = art;
    j.request.choices = choices;
    j.request.choice_count = count;
    bench_fact("sheets", count > 0 || !sheets.corpus, "found");
    measure(&j, "sheets of all frames, with PNG");
    j.apng = true;
    j.request.direction = 2;
    measure(&j, "animated PNGs, one direction");
    bench_fact("pictures", !j.wrong, "all drawn");
    for (size_t i = 0; i < j.count; i++)
        lvl_doc_free(j.docs[i]);
    lvl_art_free(art);
    bench_free(&sheets);
    bench_free(&ganis);
    return bench_failed();
}
