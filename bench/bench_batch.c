/*
 * A thousand small files of several formats, as in an archivist's collection, checked completely. Each stage
 * is compared with reading the files alone, which is the lower limit, on one thread and on two.
 */
#include "bench.h"

#include "os/file.h"
#include "os/pool.h"

#include <lvl/tools.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, FILES = 1000 };

struct job {
    const bench_file **files;
    size_t count;
    lvl_ctx ctx;
    unsigned threads;
    bool roundtrip;
    bool wrong;
    size_t findings;
};

static void read_files(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->count; i++) {
        lvl_buffer b = {0};
        job->wrong |= lvl_file_read(&b, job->files[i]->path, 0, NULL) != LVL_OK;
        lvl_buffer_free(&b);
    }
}

static const char *name_of(const bench_file *file)
{
    const char *slash = strrchr(file->path, '/');

    return slash ? slash + 1 : file->path;
}

/* One file, from the bytes to the verdict; returns the number of findings. */
static size_t check_bytes(const struct job *job, const bench_file *file, lvl_bytes bytes)
{
    const lvl_check_options options = {.roundtrip = job->roundtrip};
    lvl_findings *findings = lvl_findings_new(&job->ctx);
    lvl_check_result result;
    size_t n = SIZE_MAX;

    if (findings &&
        lvl_check(&job->ctx, NULL, bytes, name_of(file), &options, findings, &result, NULL) == LVL_OK)
        n = lvl_findings_count(findings);
    lvl_findings_free(findings);
    return n;
}

static void parse(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->count; i++) {
        const bench_file *f = job->files[i];
        lvl_doc *doc = NULL;
        (void)lvl_read(&doc, &job->ctx, NULL, (lvl_bytes){f->data, f->len}, name_of(f), LVL_READ_BORROW,
                       NULL);
        lvl_doc_free(doc);
    }
}

static void check_in_memory(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->count; i++)
        job->wrong |=
            check_bytes(job, job->files[i], (lvl_bytes){job->files[i]->data, job->files[i]->len}) == SIZE_MAX;
}

static void *work(void *user, size_t index)
{
    const struct job *job = user;
    lvl_buffer b = {0};
    size_t n = SIZE_MAX;

    if (lvl_file_read(&b, job->files[index]->path, 0, NULL) == LVL_OK)
        n = check_bytes(job, job->files[index], (lvl_bytes){b.data, b.len});
    lvl_buffer_free(&b);
    return (void *)(uintptr_t)n;
}

static bool done(void *user, size_t index, void *result)
{
    struct job *job = user;

    (void)index;
    job->wrong |= (uintptr_t)result == SIZE_MAX;
    job->findings += (uintptr_t)result;
    return true;
}

static void check_files(void *user)
{
    struct job *job = user;

    job->findings = 0;
    lvl_pool_run(job->threads, job->count, work, done, NULL, job);
}

static void dump(void *user)
{
    struct job *job = user;
    lvl_buffer out = {0};

    for (size_t i = 0; i < job->count; i++) {
        const bench_file *f = job->files[i];
        lvl_doc *doc = NULL, *again = NULL;
        out.len = 0;
        if (lvl_read(&doc, &job->ctx, NULL, (lvl_bytes){f->data, f->len}, name_of(f), LVL_READ_BORROW,
                     NULL) == LVL_OK) {
            job->wrong |= lvl_dump(doc, NULL, &out, NULL) != LVL_OK;
            job->wrong |=
                lvl_undump(&again, &job->ctx, (lvl_text){(const char *)out.data, out.len}, NULL) != LVL_OK;
        }
        lvl_doc_free(doc);
        lvl_doc_free(again);
    }
    lvl_buffer_free(&out);
}

int main(void)
{
    const bench_file *some[FILES];
    struct job job = {.files = some};
    bench_files files;
    size_t found[2];

    lvl_ctx_init(&job.ctx);
    if (!bench_load(&files, "graal zelda nw gani gmap"))
        return 0;
    /* spread evenly, so that every format has its share */
    for (size_t i = 0; i < FILES; i++)
        some[job.count++] = &files.items[i * files.count / FILES];
    double reading = bench_best(read_files, &job, ROUNDS), parsing = bench_best(parse, &job, ROUNDS);
    double checking = bench_best(check_in_memory, &job, ROUNDS);
    bench_ratio("1000 files parsed", parsing, "reading them", reading, 0);
    bench_ratio("1000 files checked", checking, "parsing them", parsing, 0);
    job.threads = 1;
    double one = bench_best(check_files, &job, ROUNDS);
    found[0] = job.findings;
    bench_ratio("read and checked, one thread", one, "reading them", reading, 60);
    job.threads = 2;
    double two = bench_best(check_files, &job, ROUNDS);
    found[1] = job.findings;
    bench_ratio("read and checked, two threads", two, "one thread", one, 0);
    bench_value("", (double)FILES / two, "files a second");
    job.roundtrip = true;
    bench_ratio("with roundtrip, two threads", bench_best(check_files, &job, ROUNDS), "without", two, 0);
    bench_ratio("parse, dump and undump", bench_best(dump, &job, ROUNDS), "parsing them", parsing, 0);
    bench_fact("the same findings on one and two", found[0] == found[1], "");
    bench_fact("nothing went wrong", !job.wrong, "");
    bench_free(&files);
    return bench_failed();
}
