/*
 * bench/bench.c: see bench/bench.h.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/info.h"
#include "bench.h"

#include "os/file.h"
#include "base/format.h"
#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef _WIN32
#include <sys/resource.h>
#endif

static int failures;

double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double cpu_now(void)
{
#if defined CLOCK_THREAD_CPUTIME_ID && !defined _WIN32
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#else
    return bench_now();
#endif
}

static double best(double (*now)(void), void (*fn)(void *user), void *user, int rounds)
{
    double least = 0;

    fn(user);
    for (int i = 0; i < rounds; i++) {
        double start = now();
        fn(user);
        double took = now() - start;
        least = i == 0 || took < least ? took : least;
    }
    return least;
}

double bench_best(void (*fn)(void *user), void *user, int rounds)
{
    return best(bench_now, fn, user, rounds);
}

double bench_best_cpu(void (*fn)(void *user), void *user, int rounds)
{
    return best(cpu_now, fn, user, rounds);
}

struct copy {
    uint8_t *from, *to;
    size_t size;
};

static void copy_once(void *user)
{
    struct copy *c = user;

    memcpy(c->to, c->from, c->size);
    c->from[c->to[c->size / 2]]++; /* so that no copy is left out */
}

double bench_copy(size_t bytes)
{
    struct copy c = {calloc(bytes + 256, 1), malloc(bytes + 256), bytes};
    double seconds = 0;

    if (c.from && c.to)
        seconds = bench_best_cpu(copy_once, &c, 9);
    free(c.from);
    free(c.to);
    return seconds;
}

static bool load_below(bench_files *out, const char *dir, const char *endings)
{
    lvl_paths paths;

    if (!dir || !lvl_paths_below(&paths, dir, endings))
        return false;
    out->items = calloc(paths.count ? paths.count : 1, sizeof *out->items);
    for (size_t i = 0; out->items && i < paths.count; i++) {
        bench_file *f = &out->items[out->count];
        /* damaged copies of samples would measure something else */
        if (strstr(paths.items[i], "/damaged"))
            continue;
        f->data = lvl_slurp(paths.items[i], &f->len);
        if (!f->data)
            continue;
        f->path = paths.items[i];
        paths.items[i] = NULL;
        out->bytes += f->len;
        out->count++;
    }
    lvl_paths_free(&paths);
    return out->count > 0;
}

bool bench_load(bench_files *out, const char *endings)
{
    memset(out, 0, sizeof *out);
    out->corpus = load_below(out, lvl_corpus_dir(), endings);
    if (!out->corpus) {
        bench_free(out);
        if (!load_below(out, lvl_samples_dir(), endings)) {
            printf("no files to measure on (%s)\n", endings);
            return false;
        }
    }
    printf("%zu files of %s, %.1f MB (%s)\n", out->count, endings, (double)out->bytes / 1e6,
           out->corpus ? "corpus" : "samples of our own: the numbers mean little");
    return true;
}

void bench_free(bench_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].data);
    }
    free(files->items);
    memset(files, 0, sizeof *files);
}

void bench_read_files(void *user)
{
    bench_job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        lvl_buffer b = {0};
        job->wrong |= lvl_file_read(&b, job->files->items[i].path, 0, NULL) != LVL_OK;
        lvl_buffer_free(&b);
    }
}

static lvl_doc *read_one(bench_job *job, const bench_file *f, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    job->wrong |= lvl_read(&doc, &job->ctx, job->format, (lvl_bytes){f->data, f->len}, NULL, LVL_READ_BORROW,
                           findings) != LVL_OK;
    return doc;
}

static void parse_with(bench_job *job, lvl_findings *findings)
{
    for (size_t i = 0; i < job->files->count; i++) {
        if (findings)
            lvl_findings_clear(findings);
        lvl_doc_free(read_one(job, &job->files->items[i], findings));
    }
}

void bench_parse(void *user)
{
    parse_with(user, NULL);
}

void bench_parse_with_findings(void *user)
{
    bench_job *job = user;
    lvl_findings *findings = lvl_findings_new(&job->ctx);

    parse_with(job, findings);
    lvl_findings_free(findings);
}

void bench_info(void *user)
{
    bench_job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        lvl_info *facts = NULL;
        lvl_doc *doc = read_one(job, &job->files->items[i], NULL);
        job->wrong |= !doc || lvl_doc_info(doc, NULL, false, &facts) != LVL_OK;
        lvl_info_free(facts);
        lvl_doc_free(doc);
    }
}

void bench_read_and_write(void *user)
{
    bench_job *job = user;
    lvl_buffer out = {0};

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        lvl_doc *doc = read_one(job, f, NULL);
        out.len = 0;
        job->wrong |= !doc || lvl_doc_write(doc, &out) != LVL_OK || out.len != f->len ||
                      memcmp(out.data, f->data, f->len) != 0;
        lvl_doc_free(doc);
    }
    lvl_buffer_free(&out);
}

static const char *judge(bool ok)
{
    failures += !ok;
    return ok ? "ok" : "OVER";
}

static void show_seconds(char *buf, size_t size, double seconds)
{
    if (seconds < 1e-3)
        snprintf(buf, size, "%.1f us", seconds * 1e6);
    else if (seconds < 10)
        snprintf(buf, size, "%.1f ms", seconds * 1e3);
    else
        snprintf(buf, size, "%.1f s", seconds);
}

void bench_ratio(const char *stage, double seconds, const char *beside, double beside_seconds, double limit)
{
    char a[32], b[32];
    double ratio = beside_seconds > 0 ? seconds / beside_seconds : 0;

    show_seconds(a, sizeof a, seconds);
    show_seconds(b, sizeof b, beside_seconds);
    printf("  %-34s %10s   %-30s %10s   %6.3fx", stage, a, beside, b, ratio);
    if (limit > 0)
        printf("   limit %.3fx   %s", limit, judge(ratio <= limit));
    printf("\n");
}

void bench_time(const char *stage, double seconds, const char *note)
{
    char a[32];

    show_seconds(a, sizeof a, seconds);
    printf("  %-34s %10s   %s\n", stage, a, note ? note : "");
}

void bench_elsewhere(const char *what, double seconds)
{
    char a[32];

    show_seconds(a, sizeof a, seconds);
    printf("  %-34s %10s   measured on another machine, not judged\n", what, a);
}

void bench_value(const char *stage, double value, const char *unit)
{
    printf("  %-34s %10.1f %s\n", stage, value, unit);
}

void bench_memory(const char *stage, double mebibytes, double limit)
{
    printf("  %-34s %10.1f MiB   limit %.1f MiB   %s\n", stage, mebibytes, limit, judge(mebibytes <= limit));
}

void bench_fact(const char *stage, bool holds, const char *note)
{
    printf("  %-34s %s   %s\n", stage, note ? note : "", judge(holds));
}

int bench_failed(void)
{
    return failures ? 1 : 0;
}

uint64_t bench_peak(void)
{
#ifdef _WIN32
    return 0;
#else
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage))
        return 0;
#ifdef __APPLE__
    return (uint64_t)usage.ru_maxrss;
#else
    return (uint64_t)usage.ru_maxrss * 1024;
#endif
#endif
}
