/*
 * WWD levels: each stage compared with its lower limit, in one run: reading the files, inflating alone
 * (libdeflate, with memory allocated for each level, as in parsing), parsing, the checksum, info, writing,
 * dumping the largest level, and `lvl check` of a thousand levels on one thread and on two.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include "os/file.h"
#include "base/format.h"
#include "codec/inflate.h"
#include "wap32/wwd/internal.h"

#include <libdeflate.h>
#include <lvl/tools.h>
#include <lvl/wwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, LEVELS = 1000, INFLATED_AT = 0x2E8 };

struct job {
    bench_job b;
    const bench_file *largest;
    uint64_t inflated, largest_size, written;
    lvl_doc *doc;
    lvl_buffer dump;
};

static uint64_t inflated_size(const bench_file *f)
{
    const uint8_t *p = f->data + INFLATED_AT;

    if (f->len < LVL_WWD_HEADER_SIZE + 8 || f->data[LVL_WWD_HEADER_SIZE] != 0x78)
        return 0;
    uint64_t size = p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
    return lvl_inflate_impossible(f->len, size, 0) ? 0 : size;
}

/* ---- stages ------------------------------------------------------------------------------------------ */

static void inflate_alone(void *user)
{
    struct job *job = user;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();

    for (size_t i = 0; d && i < job->b.files->count; i++) {
        const bench_file *f = &job->b.files->items[i];
        uint64_t size = inflated_size(f);
        size_t used, len;
        uint8_t *out = size ? malloc((size_t)size) : NULL;
        if (out)
            libdeflate_zlib_decompress_ex(d, f->data + LVL_WWD_HEADER_SIZE, f->len - LVL_WWD_HEADER_SIZE, out,
                                          (size_t)size, &used, &len);
        free(out);
    }
    libdeflate_free_decompressor(d);
}

static void checksum(void *user)
{
    struct job *job = user;
    static volatile uint32_t sink;

    for (size_t i = 0; i < job->b.files->count; i++) {
        const bench_file *f = &job->b.files->items[i];
        if (f->len > LVL_WWD_HEADER_SIZE)
            sink = lvl_wwd_checksum(LVL_WWD_CHECKSUM_GAME,
                                    (lvl_bytes){f->data + LVL_WWD_HEADER_SIZE, f->len - LVL_WWD_HEADER_SIZE},
                                    (lvl_bytes){NULL, 0});
    }
    (void)sink;
}

static void dump(void *user)
{
    struct job *job = user;

    job->dump.len = 0;
    job->b.wrong |= lvl_dump(job->doc, NULL, &job->dump, NULL) != LVL_OK;
}

static void undump(void *user)
{
    struct job *job = user;
    lvl_doc *doc = NULL;

    job->b.wrong |= lvl_undump(&doc, &job->b.ctx, (lvl_text){(const char *)job->dump.data, job->dump.len},
                               NULL) != LVL_OK;
    lvl_doc_free(doc);
}

/* ---- the command ------------------------------------------------------------------------------------- */

#ifndef _WIN32
/* Runs `lvl check` over the list on that many threads; returns the hash and length of the output, and the
 * time. */
static bool run_check(const char *command, const char *list, int threads, uint64_t *hash, size_t *len,
                      double *seconds)
{
    char line[2048], buf[65536];

    snprintf(line, sizeof line, "xargs -0 %s check --json -j%d <%s 2>/dev/null", command, threads, list);
    double start = bench_now();
    FILE *p = popen(line, "r");
    if (!p)
        return false;
    *hash = 1469598103934665603u;
    *len = 0;
    for (size_t n; (n = fread(buf, 1, sizeof buf, p)) > 0; *len += n) {
        for (size_t i = 0; i < n; i++)
            *hash = (*hash ^ (uint8_t)buf[i]) * 1099511628211u;
    }
    int status = pclose(p);
    *seconds = bench_now() - start;
    /* xargs returns 123 if the command found damage, which is a valid result */
    return status != -1 && *len > 0;
}

static void check_levels(const bench_files *files, const char *self)
{
    const char *slash = strrchr(self, '/'), *env = getenv("LVL");
    char command[1024], list[] = "/tmp/lvl-bench-XXXXXX";
    uint64_t hash[2];
    size_t len[2];
    double seconds[2];

    snprintf(command, sizeof command, "%.*slvl", slash ? (int)(slash - self + 1) : 0, self);
    if (env && *env)
        snprintf(command, sizeof command, "%s", env);
    int fd = mkstemp(list);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f)
        return;
    for (size_t i = 0; i < LEVELS; i++)
        fprintf(f, "%s%c", files->items[i % files->count].path, 0);
    fclose(f);
    if (run_check(command, list, 1, &hash[0], &len[0], &seconds[0]) &&
        run_check(command, list, 2, &hash[1], &len[1], &seconds[1])) {
        bench_ratio("check of 1000 levels, -j2", seconds[1], "-j1", seconds[0], 0);
        bench_value("", LEVELS / seconds[1], "levels/s");
        bench_fact("the same output for both", hash[0] == hash[1] && len[0] == len[1], "");
    } else {
        printf("  check of 1000 levels: no command at %s\n", command);
    }
    remove(list);
}
#endif

static void largest_level(struct job *job)
{
    lvl_bytes input = {job->largest->data, job->largest->len};

    if (lvl_read(&job->doc, &job->b.ctx, job->b.format, input, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return;
    double down = bench_best_cpu(dump, job, ROUNDS), up = bench_best_cpu(undump, job, ROUNDS);
    printf("largest level: %s, %.1f MB inflated, %.2f MB of JSON\n", job->largest->path,
           (double)job->largest_size / 1e6, (double)job->dump.len / 1e6);
    const double copying = bench_copy((size_t)job->largest_size);
    bench_ratio("dump", down, "memcpy of the inflated level", copying, 15);
    bench_ratio("undump", up, "memcpy of the inflated level", copying, 30);
    lvl_doc_free(job->doc);
    lvl_buffer_free(&job->dump);
}

int main(int argc, char **argv)
{
    bench_files files;
    struct job job;

    memset(&job, 0, sizeof job);
    lvl_ctx_init(&job.b.ctx);
    job.b.files = &files;
    job.b.format = lvl_format_find("wwd");
    if (!job.b.format || !bench_load(&files, "wwd"))
        return 0;
    job.largest = &files.items[0];
    for (size_t i = 0; i < files.count; i++) {
        uint64_t size = inflated_size(&files.items[i]);
        job.inflated += size;
        if (size > job.largest_size) {
            job.largest_size = size;
            job.largest = &files.items[i];
        }
    }
    printf("%.1f MB inflated\n", (double)job.inflated / 1e6);
    double reading = bench_best(bench_read_files, &job, ROUNDS),
           inflating = bench_best(inflate_alone, &job, ROUNDS);
    double parsing = bench_best(bench_parse, &job, ROUNDS);
    /* Both are measured twice, and the shorter time counts, since the load of the machine changes. */
    double again = bench_best(inflate_alone, &job, ROUNDS),
           parsing_again = bench_best(bench_parse, &job, ROUNDS);
    inflating = again < inflating ? again : inflating;
    parsing = parsing_again < parsing ? parsing_again : parsing;
    bench_ratio("whole parse", parsing, "inflate alone (libdeflate)", inflating, files.corpus ? 1.6 : 0);
    bench_ratio("whole parse", parsing, "reading the files", reading, 0);
    bench_ratio("parse, findings gathered", bench_best(bench_parse_with_findings, &job, ROUNDS),
                "whole parse", parsing, 0);
    bench_ratio("checksum", bench_best(checksum, &job, ROUNDS), "inflate alone (libdeflate)", inflating,
                0.05);
    /* It counts objects by kind, so it needs the parse and each object's logic again, but no tiles:
     * printed without a limit. */
    if (job.b.format->calls->info)
        bench_ratio("info, parse included", bench_best(bench_info, &job, ROUNDS), "whole parse", parsing, 0);
    bench_ratio("parse and write, nothing changed", bench_best(bench_read_and_write, &job, ROUNDS),
                "whole parse", parsing, 0);
    bench_fact("every level written bit for bit", !job.b.wrong, "");
    largest_level(&job);
#ifndef _WIN32
    if (argc > 0)
        check_levels(&files, argv[0]);
#else
    (void)argc;
    (void)argv;
#endif
    bench_fact("nothing went wrong", !job.b.wrong, "");
    bench_free(&files);
    return bench_failed();
}
