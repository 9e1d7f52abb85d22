/*
 * Binary levels of Zelda Online and Graal Online: each stage beside what it can't be faster than, in one run. The limit of a parse is memory: the
 * file's bytes taken over once and its tiles laid out as cells (eight times as many bits as they have in the file).
 */
#include "bench.h"

#include "base/file.h"
#include "base/format.h"

#include <lvl/graal.h>
#include <lvl/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, FEW_ROUNDS = 5, BOARD = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE * 2 };

struct job {
    const bench_files *files;
    lvl_ctx ctx;
    const lvl_format *format;
    size_t levels;
    bool wrong; /* something didn't come out as it should */
};

static bool is_level(const struct job *job, const bench_file *f)
{
    lvl_bytes all = {f->data, f->len};

    return lvl_probe(all, all, f->len, NULL, NULL) == job->format;
}

static void read_files(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        lvl_buffer b = {0};
        job->wrong |= lvl_file_read(&b, job->files->items[i].path, 0, NULL) != LVL_OK;
        lvl_buffer_free(&b);
    }
}

static void memory_alone(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        /* through these no compiler sees that nothing comes of it */
        uint8_t *volatile copy = malloc(f->len);
        uint8_t *volatile board = malloc(BOARD);
        if (copy && board) {
            memcpy(copy, f->data, f->len);
            memset(board, copy[f->len / 2], BOARD);
        }
        free(copy);
        free(board);
    }
}

static void parse_with(struct job *job, lvl_findings *findings)
{
    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        lvl_doc *doc = NULL;
        if (findings)
            lvl_findings_clear(findings);
        job->wrong |= lvl_read(&doc, &job->ctx, job->format, (lvl_bytes){f->data, f->len}, NULL,
                               LVL_READ_BORROW, findings) != LVL_OK;
        lvl_doc_free(doc);
    }
}

static void parse(void *user)
{
    parse_with(user, NULL);
}

static void parse_with_findings(void *user)
{
    struct job *job = user;
    lvl_findings *findings = lvl_findings_new(&job->ctx);

    parse_with(job, findings);
    lvl_findings_free(findings);
}

static void info(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        lvl_doc *doc = NULL;
        lvl_info *facts = lvl_info_new(&job->ctx);
        if (facts && lvl_read(&doc, &job->ctx, job->format, (lvl_bytes){f->data, f->len}, NULL,
                              LVL_READ_BORROW, NULL) == LVL_OK)
            job->wrong |= job->format->info(doc, facts, NULL) != LVL_OK;
        lvl_info_free(facts);
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
        job->wrong |= lvl_read(&doc, &job->ctx, job->format, (lvl_bytes){f->data, f->len}, NULL,
                               LVL_READ_BORROW, NULL) != LVL_OK ||
                      lvl_doc_write(doc, &out) != LVL_OK || out.len != f->len ||
                      memcmp(out.data, f->data, f->len) != 0;
        lvl_buffer_free(&out);
        lvl_doc_free(doc);
    }
}

static void dump_and_undump(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->files->count; i++) {
        const bench_file *f = &job->files->items[i];
        lvl_buffer json = {0};
        lvl_doc *doc = NULL, *again = NULL;
        job->wrong |=
            lvl_read(&doc, &job->ctx, job->format, (lvl_bytes){f->data, f->len}, NULL, LVL_READ_BORROW,
                     NULL) != LVL_OK ||
            lvl_dump(doc, NULL, &json, NULL) != LVL_OK ||
            lvl_undump(&again, &job->ctx, (lvl_text){(const char *)json.data, json.len}, NULL) != LVL_OK;
        lvl_buffer_free(&json);
        lvl_doc_free(doc);
        lvl_doc_free(again);
    }
}

/* "parse, a file" and how long that is. */
static void each(const struct job *job, const char *stage, double seconds, double limit)
{
    bench_value(stage, seconds / (double)job->levels * 1e6, "us a level", limit);
}

int main(void)
{
    bench_files files;
    struct job job;
    size_t kept = 0;

    memset(&job, 0, sizeof job);
    lvl_ctx_init(&job.ctx);
    job.files = &files;
    job.format = lvl_format_find("graal");
    if (!job.format || !bench_load(&files, "graal zelda"))
        return 0;
    /* what only has the name of a level is left out */
    for (size_t i = 0; i < files.count; i++) {
        bench_file f = files.items[i];
        if (!is_level(&job, &f))
            continue;
        files.items[i] = files.items[kept];
        files.items[kept++] = f;
    }
    const size_t all = files.count;
    files.count = job.levels = kept;
    if (kept) {
        double reading = bench_best(read_files, &job, FEW_ROUNDS),
               memory = bench_best(memory_alone, &job, ROUNDS), parsing = bench_best(parse, &job, ROUNDS);
        each(&job, "parse", parsing, files.corpus ? 5 : 0);
        bench_ratio("parse", parsing, "memory alone (copy, and a board)", memory, 0);
        bench_ratio("parse", parsing, "reading the files", reading, 0);
        bench_ratio("parse, findings gathered", bench_best(parse_with_findings, &job, FEW_ROUNDS), "parse",
                    parsing, 0);
        if (job.format->info)
            bench_ratio("info, parse included", bench_best(info, &job, FEW_ROUNDS), "parse", parsing, 0);
        bench_ratio("parse and write", bench_best(read_and_write, &job, FEW_ROUNDS), "parse", parsing, 0);
        bench_fact("every level written bit for bit", !job.wrong, "");
        each(&job, "parse, dump and undump", bench_best(dump_and_undump, &job, 2), 0);
    }
    bench_fact("nothing went wrong", !job.wrong, "");
    files.count = all;
    bench_free(&files);
    return bench_failed();
}
