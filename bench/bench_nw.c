/*
 * Text levels: each stage compared with its lower limit, in one run: copying the files' bytes, base64
 * decoding of their BOARD lines alone, finding the line ends, parsing from memory, the same with findings,
 * and writing.
 */
#include "bench.h"

#include "base/format.h"
#include "graal/level/nw_internal.h"

#include <lvl/graal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, CELLS = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE };

struct job {
    bench_job b;
    uint8_t *room; /* for the largest file */
    size_t lines;
};

static void copy(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->b.files->count; i++)
        memcpy(job->room, job->b.files->items[i].data, job->b.files->items[i].len);
}

/* Allocates and frees the memory that a parsed level needs: a part of every parse. */
static void take_memory(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->b.files->count; i++) {
        lvl_doc *doc = NULL;
        job->b.wrong |=
            lvl_doc_new(&doc, &job->b.ctx, job->b.format) != LVL_OK || !lvl_doc_alloc(doc, (size_t)CELLS * 2);
        lvl_doc_free(doc);
    }
}

static void decode(void *user)
{
    struct job *job = user;
    uint8_t cells[LVL_GRAAL_SIDE * 2];

    for (size_t i = 0; i < job->b.files->count; i++) {
        const bench_file *f = &job->b.files->items[i];
        const char *p = (const char *)f->data, *end = p + f->len;
        for (int y = 0; y < LVL_GRAAL_SIDE && (size_t)(end - p) > 160; y++, p += 145) {
            while (end - p > 160 && memcmp(p, "BOARD 0 ", 8) != 0) {
                const char *nl = memchr(p, '\n', (size_t)(end - p));
                p = nl ? nl + 1 : end;
            }
            if (end - p > 160)
                lvl_nw_decode(p + 16, LVL_GRAAL_SIDE, cells);
        }
    }
}

static void find_lines(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->b.files->count; i++) {
        const bench_file *f = &job->b.files->items[i];
        const char *p = (const char *)f->data, *end = p + f->len;
        while (p && p < end) {
            p = memchr(p, '\n', (size_t)(end - p));
            p += p != NULL;
            job->lines++;
        }
    }
}

int main(void)
{
    bench_files files;
    struct job job;
    size_t largest = 1;

    memset(&job, 0, sizeof job);
    lvl_ctx_init(&job.b.ctx);
    job.b.files = &files;
    job.b.format = lvl_format_find("nw");
    if (!job.b.format || !bench_load(&files, "nw"))
        return 0;
    for (size_t i = 0; i < files.count; i++)
        largest = files.items[i].len > largest ? files.items[i].len : largest;
    job.room = malloc(largest);
    if (!job.room) {
        bench_free(&files);
        return 1;
    }
    const double count = (double)files.count;
    const double copying = bench_best_cpu(copy, &job, ROUNDS),
                 decoding = bench_best_cpu(decode, &job, ROUNDS);
    const double finding = bench_best_cpu(find_lines, &job, ROUNDS),
                 taking = bench_best_cpu(take_memory, &job, ROUNDS);
    double parsing = bench_best_cpu(bench_parse, &job, ROUNDS);
    const double written = bench_best_cpu(bench_read_and_write, &job, ROUNDS);
    const double again = bench_best_cpu(bench_parse, &job, ROUNDS);
    parsing = again < parsing ? again : parsing;
    printf("%.1f KB a file\n", (double)files.bytes / 1e3 / count);
    bench_ratio("whole parse", parsing, "memcpy", copying, 0);
    bench_ratio("whole parse", parsing, "tiles alone", decoding, files.corpus ? 5 : 0);
    bench_ratio("whole parse", parsing, "line ends alone", finding, 0);
    bench_ratio("whole parse", parsing, "memory alone", taking, 0);
    bench_value("whole parse, a file", parsing / count * 1e6, "us");
    bench_value("… of which tiles at least", decoding / count * 1e6, "us");
    bench_value("… and line ends", finding / count * 1e6, "us");
    bench_value("… and memory", taking / count * 1e6, "us");
    bench_ratio("parse, findings gathered", bench_best_cpu(bench_parse_with_findings, &job, ROUNDS),
                "whole parse", parsing, 0);
    bench_ratio("parse and write, nothing changed", written, "whole parse", parsing, 0);
    bench_fact("every level written bit for bit", !job.b.wrong, "");
    free(job.room);
    bench_free(&files);
    return bench_failed();
}
