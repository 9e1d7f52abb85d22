/*
 * Binary levels of Zelda Online and Graal Online: each stage compared with its lower limit, in one run. The
 * limit of a parse is memory: copying the file's bytes and writing its tiles as cells (eight times as many
 * bits as in the file).
 */
#include "bench.h"

#include "os/file.h"
#include "base/format.h"

#include <lvl/graal.h>
#include <lvl/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, FEW_ROUNDS = 5, BOARD = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE * 2 };

struct job {
    bench_job b;
    size_t levels;
};

static bool is_level(const struct job *job, const bench_file *f)
{
    lvl_bytes all = {f->data, f->len};

    return lvl_probe(all, all, f->len, NULL, NULL) == job->b.format;
}

static void memory_alone(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->b.files->count; i++) {
        const bench_file *f = &job->b.files->items[i];
        /* volatile, so that the compiler does not remove the calls */
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

static void dump_and_undump(void *user)
{
    struct job *job = user;

    for (size_t i = 0; i < job->b.files->count; i++) {
        const bench_file *f = &job->b.files->items[i];
        lvl_buffer json = {0};
        lvl_doc *doc = NULL, *again = NULL;
        job->b.wrong |=
            lvl_read(&doc, &job->b.ctx, job->b.format, (lvl_bytes){f->data, f->len}, NULL, LVL_READ_BORROW,
                     NULL) != LVL_OK ||
            lvl_dump(doc, NULL, &json, NULL) != LVL_OK ||
            lvl_undump(&again, &job->b.ctx, (lvl_text){(const char *)json.data, json.len}, NULL) != LVL_OK;
        lvl_buffer_free(&json);
        lvl_doc_free(doc);
        lvl_doc_free(again);
    }
}

/* "parse, a file" and its time. */
static void each(const struct job *job, const char *stage, double seconds)
{
    bench_value(stage, seconds / (double)job->levels * 1e6, "us a level");
}

int main(void)
{
    bench_files files;
    struct job job;
    size_t kept = 0;

    memset(&job, 0, sizeof job);
    lvl_ctx_init(&job.b.ctx);
    job.b.files = &files;
    job.b.format = lvl_format_find("graal");
    if (!job.b.format || !bench_load(&files, "graal zelda"))
        return 0;
    /* files with the name of a level but other content are left out */
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
        double reading = bench_best(bench_read_files, &job, FEW_ROUNDS),
               memory = bench_best_cpu(memory_alone, &job, ROUNDS),
               parsing = bench_best_cpu(bench_parse, &job, ROUNDS);
        each(&job, "parse", parsing);
        bench_ratio("parse", parsing, "memory alone (copy, and a board)", memory, files.corpus ? 40 : 0);
        bench_ratio("parse", parsing, "reading the files", reading, 0);
        bench_ratio("parse, findings gathered", bench_best_cpu(bench_parse_with_findings, &job, FEW_ROUNDS),
                    "parse", parsing, 0);
        if (job.b.format->calls->info)
            bench_ratio("info, parse included", bench_best_cpu(bench_info, &job, FEW_ROUNDS), "parse",
                        parsing, 0);
        bench_ratio("parse and write", bench_best_cpu(bench_read_and_write, &job, FEW_ROUNDS), "parse",
                    parsing, 0);
        bench_fact("every level written bit for bit", !job.b.wrong, "");
        each(&job, "parse, dump and undump", bench_best_cpu(dump_and_undump, &job, 2));
    }
    bench_fact("nothing went wrong", !job.b.wrong, "");
    files.count = all;
    bench_free(&files);
    return bench_failed();
}
