/*
 * Our deflate compared with zlib's, on the main blocks of real levels: how fast it reproduces the streams of
 * editors, and how many of them.
 */
#include "bench.h"

#include "codec/deflate.h"
#include "codec/inflate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HEADER = 0x5F4, SIZE_AT = 0x2E8, BUDGET = 60000000 };

struct stream {
    lvl_bytes packed, image;
    uint8_t *memory;
};

struct job {
    struct stream *streams;
    size_t count, same;
    uint64_t bytes;
};

static void run_zlib(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->count; i++) {
        struct stream *s = &job->streams[i];
        uLongf len = compressBound((uLong)s->image.len);
        uint8_t *out = malloc(len);
        if (out)
            compress2(out, &len, s->image.ptr, (uLong)s->image.len, s->packed.ptr[1] == 0xda ? 9 : 6);
        free(out);
    }
}

static void run_ours(void *user)
{
    struct job *job = user;

    job->same = 0;
    for (size_t i = 0; i < job->count; i++) {
        struct stream *s = &job->streams[i];
        lvl_buffer out = {0};
        const lvl_status status = lvl_deflate_zlib(
            s->image, s->packed.ptr[1] == 0xda ? LVL_DEFLATE_LEVEL9 : LVL_DEFLATE_CLASSIC6, &out);
        job->same +=
            status == LVL_OK && out.len == s->packed.len && memcmp(out.data, s->packed.ptr, out.len) == 0;
        lvl_buffer_free(&out);
    }
}

static bool add_stream(struct job *job, const bench_file *file)
{
    struct stream *s = &job->streams[job->count];
    size_t used, len;

    if (file->len < HEADER + 8 || file->data[HEADER] != 0x78)
        return false;
    size_t size = file->data[SIZE_AT] | (size_t)file->data[SIZE_AT + 1] << 8 |
                  (size_t)file->data[SIZE_AT + 2] << 16 | (size_t)file->data[SIZE_AT + 3] << 24;
    lvl_bytes packed = {file->data + HEADER, file->len - HEADER};
    if (lvl_inflate_impossible(packed.len, size, 0) || !(s->memory = malloc(size + 1)))
        return false;
    if (lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, packed, s->memory, size, &used, &len) != LVL_OK) {
        free(s->memory);
        return false;
    }
    s->packed.ptr = packed.ptr;
    s->packed.len = used;
    s->image.ptr = s->memory;
    s->image.len = len;
    job->bytes += len;
    job->count++;
    return true;
}

/* ---- a large list of pixels ---------------------------------------------------------------------------- */

struct list {
    uint8_t *data;
    size_t len;
};

static void run_level6(void *user)
{
    const struct list *l = user;
    lvl_buffer out = {0};

    (void)lvl_deflate_zlib((lvl_bytes){l->data, l->len}, LVL_DEFLATE_LEVEL6, &out);
    lvl_buffer_free(&out);
}

static void run_raw(void *user)
{
    const struct list *l = user;
    lvl_buffer out = {0};

    (void)lvl_deflate_raw((lvl_bytes){l->data, l->len}, &out);
    lvl_buffer_free(&out);
}

/* The positions of all pixels of a picture, as drawings list them: many short matches, all of which the
 * search of level 6 tries. */
static void measure_list(void)
{
    enum { SIDE = 700, ENTRY = 5 };
    struct list l = {malloc((size_t)SIDE * SIDE * ENTRY), (size_t)SIDE * SIDE * ENTRY};
    uint8_t *to = l.data;

    if (!l.data)
        return;
    for (unsigned y = 0; y < SIDE; y++) {
        for (unsigned x = 0; x < SIDE; x++) {
            const uint8_t entry[ENTRY] = {(uint8_t)(x * 2 | 0x80), (uint8_t)(x >> 6), (uint8_t)(y * 2 | 0x80),
                                          (uint8_t)(y >> 6), (uint8_t)((x + y) / 250 % 3)};
            memcpy(to, entry, ENTRY);
            to += ENTRY;
        }
    }
    bench_ratio("deflate, a list of 490,000 pixels", bench_best_cpu(run_raw, &l, 2), "level 6",
                bench_best_cpu(run_level6, &l, 2), 0.5);
    free(l.data);
}

int main(void)
{
    bench_files files;
    struct job job;
    char note[100];

    memset(&job, 0, sizeof job);
    measure_list();
    if (!bench_load(&files, "wwd"))
        return bench_failed();
    job.streams = calloc(files.count, sizeof *job.streams);
    for (size_t i = 0; job.streams && i < files.count && job.bytes < BUDGET; i++)
        (void)add_stream(&job, &files.items[i]);
    if (job.count) {
        double ours = bench_best(run_ours, &job, 3), zlib = bench_best(run_zlib, &job, 3);
        bench_ratio("deflate, levels' own streams", ours, "zlib at the same levels", zlib, 1.0);
        bench_value("", (double)job.bytes / 1e6 / ours, "MB/s");
        snprintf(note, sizeof note, "%zu of %zu", job.same, job.count);
        bench_fact("streams made again bit for bit", job.same == job.count, note);
    }
    for (size_t i = 0; i < job.count; i++)
        free(job.streams[i].memory);
    free(job.streams);
    bench_free(&files);
    return bench_failed();
}
