/*
 * Animations: reading from memory compared with finding the line ends alone, info, and writing, in one run.
 */
#include "bench.h"

#include "base/format.h"

#include <lvl/tools.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 9 };

struct job {
    const bench_files *files;
    lvl_ctx ctx;
    const lvl_format *format;
    bool wrong; /* a result was wrong */
};

static void find_lines(void *user)
{
    const struct job *job = user;
    static volatile size_t sink;

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        size_t lines = 0;
        for (const uint8_t *p = f->data, *end = p + f->len; p && p < end; lines++) {
            p = memchr(p, '\n', (size_t)(end - p));
            p = p ? p + 1 : end;
        }
        sink = lines;
    }
    (void)sink;
}

static void parse(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        lvl_doc *doc = NULL;
        job->wrong |= lvl_read(&doc, &job->ctx, job->format, (lvl_bytes){f->data, f->len}, NULL,
                               LVL_READ_BORROW, NULL) != LVL_OK;
        lvl_doc_free(doc);
    }
}

static void probe_and_parse(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        lvl_doc *doc = NULL;
        job->wrong |= lvl_read(&doc, &job->ctx, NULL, (lvl_bytes){f->data, f->len}, f->path, LVL_READ_BORROW,
                               NULL) != LVL_OK;
        lvl_doc_free(doc);
    }
}

static void read_and_write(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        lvl_buffer out = {0};
        lvl_doc *doc = NULL;
        if (lvl_read(&doc, &job->ctx, job->format, (lvl_bytes){f->data, f->len}, NULL, LVL_READ_BORROW,
                     NULL) == LVL_OK)
            job->wrong |= lvl_doc_write(doc, &out) != LVL_OK || out.len != f->len ||
                          memcmp(out.data, f->data, f->len) != 0;
        lvl_buffer_free(&out);
        lvl_doc_free(doc);
    }
}

static void check(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        lvl_findings *findings = lvl_findings_new(&job->ctx);
        lvl_doc *doc = NULL;
        if (findings && lvl_read(&doc, &job->ctx, job->format, (lvl_bytes){f->data, f->len}, NULL,
                                 LVL_READ_BORROW, findings) == LVL_OK) {
            const lvl_check_request request = {.findings = findings};
            job->wrong |= job->format->calls->check(doc, &request) != LVL_OK;
        }
        lvl_doc_free(doc);
        lvl_findings_free(findings);
    }
}

int main(void)
{
    bench_files files;
    struct job job;

    memset(&job, 0, sizeof job);
    lvl_ctx_init(&job.ctx);
    job.files = &files;
    job.format = lvl_format_find("gani");
    if (!job.format || !bench_load(&files, "gani"))
        return 0;
    const double lines = bench_best_cpu(find_lines, &job, ROUNDS),
                 parsing = bench_best_cpu(parse, &job, ROUNDS);
    const double count = files.count ? (double)files.count : 1;
    printf("%.1f KB a file, %.0f MB/s\n", (double)files.bytes / count / 1e3,
           (double)files.bytes / parsing / 1e6);
    bench_value("parse, each file", parsing / count * 1e6, "us");
    bench_ratio("whole parse", parsing, "finding line ends", lines, files.corpus ? 40 : 0);
    bench_ratio("probe and parse", bench_best_cpu(probe_and_parse, &job, ROUNDS), "whole parse", parsing, 2);
    bench_ratio("parse and write", bench_best_cpu(read_and_write, &job, ROUNDS), "whole parse", parsing, 0);
    bench_ratio("parse and check", bench_best_cpu(check, &job, ROUNDS), "whole parse", parsing, 0);
    bench_fact("every file written bit for bit", !job.wrong, "");
    bench_free(&files);
    return bench_failed();
}
