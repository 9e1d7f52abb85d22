/*
 * Scanning into a catalogue beside checking the same files, from memory: a scan checks each file, and its
 * rows, hashes and index come in addition. Then searches in that catalogue.
 *
 * With thumbnails it is beside rendering them as `lvl render --size 256 -o DIR` does: reading the file,
 * drawing the picture without art, animations transparent, compressing it as PNG, and saving it, since the
 * catalogue keeps its pictures, too. Both draw by the same code into the same bytes. The row after it leaves
 * the saving of the pictures out.
 */
#define _POSIX_C_SOURCE 200809L
#include "catalogue/scan.h"
#include "bench.h"
#include "world.h"

#include "base/buffer.h"
#include "os/file.h"
#include "mkdtemp.h"

#include <lvl/render.h>
#include <lvl/tools.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 3, THUMBNAIL = 256 };

struct job {
    bench_files files;
    lvl_ctx ctx;
    char path[64];
    bool sha256, wrong;
    uint32_t thumbnail; /* of a scan; 0: none */
    char folder[ROUNDS + 1][32]; /* a new one each time that the pictures are saved */
    size_t folder_count;
    bool save;
    const char *words[2];
    size_t word_count, hits;
    lvl_catalogue *catalogue;
};

static void check(void *user)
{
    struct job *job = user;
    const lvl_check_options options = {.sha256 = job->sha256};

    for (size_t i = 0; i < job->files.count; i++) {
        const bench_file *f = &job->files.items[i];
        lvl_findings *findings = lvl_findings_new(&job->ctx);
        lvl_check_result result;
        job->wrong |= !findings || lvl_check(&job->ctx, NULL, (lvl_bytes){f->data, f->len}, f->path, &options,
                                             findings, &result, NULL) != LVL_OK;
        lvl_findings_free(findings);
    }
}

static void remove_files(const struct job *job)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[80];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(path, sizeof path, "%s%s", job->path, ends[i]);
        unlink(path);
    }
}

static void name_picture(const struct job *job, size_t folder, size_t file, char out[64])
{
    snprintf(out, 64, "%s/%zu.png", job->folder[folder], file);
}

/* Draws a file, if there is something to draw. */
static void draw_file(struct job *job, size_t at)
{
    const bench_file *f = &job->files.items[at];
    lvl_buffer png = {0};
    lvl_buffer_writer out = lvl_buffer_writer_to(&png);
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_doc *doc = NULL;
    char path[64];

    lvl_render_options_init(&options);
    options.size = THUMBNAIL;
    lvl_status status =
        lvl_read(&doc, &job->ctx, NULL, (lvl_bytes){f->data, f->len}, f->path, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_doc_scene(doc, NULL, &scene);
    if (status == LVL_OK) {
        options.transparent = (lvl_format_can(lvl_doc_format(doc)) & LVL_CAN_PLAY) != 0;
        status = lvl_render_png(scene, &options, &out.writer);
    }
    if (status == LVL_OK && job->save) {
        name_picture(job, job->folder_count - 1, at, path);
        job->wrong |= lvl_file_save(path, lvl_buffer_bytes(&png), LVL_SAVE_TOGETHER, NULL) != LVL_OK;
    }
    lvl_buffer_free(&png);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
}

static void draw(void *user)
{
    struct job *job = user;

    if (job->save) {
        char *folder = job->folder[job->folder_count++];
        snprintf(folder, sizeof *job->folder, "/tmp/lvl-bench-XXXXXX");
        job->wrong |= mkdtemp(folder) == NULL;
    }
    for (size_t i = 0; i < job->files.count; i++)
        draw_file(job, i);
}

static void remove_pictures(const struct job *job)
{
    char path[64];

    for (size_t folder = 0; folder < job->folder_count; folder++) {
        for (size_t i = 0; i < job->files.count; i++) {
            name_picture(job, folder, i, path);
            unlink(path);
        }
        rmdir(job->folder[folder]);
    }
}

/* Into a new file. */
static void scan(void *user)
{
    struct job *job = user;
    const lvl_scan_options options = {.thumbnail = job->thumbnail};
    lvl_catalogue *catalogue = NULL;

    remove_files(job);
    bool good = lvl_catalogue_open(&catalogue, &job->ctx, job->path, LVL_CATALOGUE_WRITE, NULL) == LVL_OK &&
                lvl_scan_begin(catalogue, job->thumbnail) == LVL_OK;
    for (size_t i = 0; i < job->files.count && good; i++) {
        const bench_file *f = &job->files.items[i];
        const lvl_bytes bytes = {f->data, f->len};
        const lvl_scan_file file = {.path = f->path, .size = f->len, .time = 1};
        const size_t end = f->len < 4096 ? f->len : 4096;
        const lvl_format *format = lvl_probe((lvl_bytes){f->data, end},
                                             (lvl_bytes){f->data + f->len - end, end}, f->len, f->path, NULL);
        lvl_scan_result result;
        lvl_buffer rows = {0};
        good =
            lvl_scan_read(catalogue, &job->ctx, &file, format, bytes, &options, &rows, &result) == LVL_OK &&
            lvl_scan_add(catalogue, &file, (lvl_bytes){rows.data, rows.len}) == LVL_OK;
        lvl_buffer_free(&rows);
    }
    good = good && lvl_scan_end(catalogue, NULL, 0, NULL) == LVL_OK;
    lvl_catalogue_close(catalogue);
    job->wrong |= !good;
}

static bool count_hit(void *user, const lvl_catalogue_value *values, size_t count)
{
    struct job *job = user;

    (void)values;
    (void)count;
    job->hits++;
    return true;
}

static void find(void *user)
{
    struct job *job = user;
    const lvl_find_options options = {
        .mode = LVL_FIND_WORDS, .words = job->words, .word_count = job->word_count};

    job->hits = 0;
    job->wrong |= lvl_catalogue_find(job->catalogue, &options, count_hit, job, NULL) != LVL_OK;
}

int main(void)
{
    struct job job = {.words = {"castle", "format:graal"}};
    FILE *file;

    lvl_ctx_init(&job.ctx);
    if (!lvl_catalogue_supported() || !bench_load(&job.files, "graal zelda nw gani gmap level doodad wwd"))
        return 0;
    snprintf(job.path, sizeof job.path, "/tmp/lvl-bench-%ld.db", (long)getpid());
    const double checking = bench_best_cpu(check, &job, ROUNDS);
    job.sha256 = true;
    const double hashing = bench_best_cpu(check, &job, ROUNDS);
    job.thumbnail = THUMBNAIL;
    const double picturing = bench_best_cpu(scan, &job, 1);
    const double drawing = bench_best_cpu(draw, &job, 1);
    job.save = true;
    const double rendering = bench_best_cpu(draw, &job, 1);
    job.thumbnail = 0;
    const double scanning = bench_best_cpu(scan, &job, ROUNDS);
    bench_ratio("scanned", scanning, "checked, with SHA-256", hashing, 1.5);
    bench_ratio("scanned", scanning, "checked", checking, 0);
    bench_ratio("scanned, with thumbnails", picturing, "rendered to files", rendering, 1.2);
    bench_ratio("scanned, with thumbnails", picturing, "rendered, not saved", drawing, 0);
    bench_value("", (double)job.files.count / scanning, "files a second");
    file = fopen(job.path, "rb");
    if (file && fseek(file, 0, SEEK_END) == 0)
        bench_value("", (double)ftell(file) / (double)job.files.count, "bytes a file");
    if (file)
        fclose(file);
    if (lvl_catalogue_open(&job.catalogue, &job.ctx, job.path, LVL_CATALOGUE_READ, NULL) == LVL_OK) {
        job.word_count = 1;
        const double one = bench_best(find, &job, ROUNDS);
        bench_value("a word", one * 1000, "ms");
        bench_value("", (double)job.hits, "hits");
        job.word_count = 2;
        bench_value("a word and a facet", bench_best(find, &job, ROUNDS) * 1000, "ms");
    }
    lvl_catalogue_close(job.catalogue);
    remove_files(&job);
    remove_pictures(&job);
    bench_fact("nothing went wrong", !job.wrong, "");
    bench_free(&job.files);
    return bench_failed();
}
