/*
 * bench/bench.h: measuring side by side. Each row of a bench's table is a stage, its time, what it is held
 * against in the same run, and the ratio beside its limit. A bench takes the best of several rounds, since
 * everything else on the machine only ever adds.
 */
#ifndef LVL_BENCH_H
#define LVL_BENCH_H

#include <lvl/doc.h>

/* Seconds since some point, from a clock that doesn't jump. */
double bench_now(void);

/* The least time in seconds of `rounds` calls, after one that warms up. */
double bench_best(void (*fn)(void *user), void *user, int rounds);

/* The least time in seconds of copying that many bytes with memcpy, of this thread's processor time: what a
 * picture or file of that size is held against. */
double bench_copy(size_t bytes);

/* The same as bench_best of this thread's processor time, which others at work on the machine don't lengthen
 * as much: for stages that are one thread's and wait for nothing. Where no such clock is fine enough, as
 * bench_best. */
double bench_best_cpu(void (*fn)(void *user), void *user, int rounds);

/* ---- files to measure on ----------------------------------------------------------------------------- */

typedef struct bench_file {
    char *path;
    uint8_t *data;
    size_t len;
} bench_file;

typedef struct bench_files {
    bench_file *items;
    size_t count;
    uint64_t bytes;
    bool corpus; /* false: samples of our own stand in */
} bench_files;

/* All files of these endings (blank-separated) in the corpus, in memory; without a corpus, or without such
 * files in it, those in samples/, and a line that says so. False (and a line) when there are none at all. */
bool bench_load(bench_files *out, const char *endings);
void bench_free(bench_files *files);

/* ---- stages that many benches have ------------------------------------------------------------------- */

/* The first member of a bench's own job, which is handed to these as `user`. */
typedef struct bench_job {
    const bench_files *files;
    lvl_ctx ctx;
    const lvl_format *format;
    bool wrong; /* something didn't come out as it should */
} bench_job;

/* Of all files: the bytes from the disk; reading them as that format, and that with the findings gathered;
 * reading and summing up; reading and writing, where anything but the same bytes is wrong. */
void bench_read_files(void *user);
void bench_parse(void *user);
void bench_parse_with_findings(void *user);
void bench_info(void *user);
void bench_read_and_write(void *user);

/* ---- the table --------------------------------------------------------------------------------------- */

/* "stage   12.3 ms   beside   10.0 ms   1.23x   limit 1.60x   ok". Over the limit, bench_failed counts. limit
 * 0: none. */
void bench_ratio(const char *stage, double seconds, const char *beside, double beside_seconds, double limit);
/* A time by itself. It has no limit, since another machine, or a busy one, has others: bench_ratio is for
 * those. `note` may be NULL. */
void bench_time(const char *stage, double seconds, const char *note);
/* A figure that was measured elsewhere, for comparison by eye: "the game's tool, on another machine   2210.0
 * ms". */
void bench_elsewhere(const char *what, double seconds);
/* A rate or a time for each file, without a limit. */
void bench_value(const char *stage, double value, const char *unit);
/* Memory in MiB with an upper limit; that is the same on every machine. */
void bench_memory(const char *stage, double mebibytes, double limit);
/* A fact that has to hold. */
void bench_fact(const char *stage, bool holds, const char *note);
/* What main returns: 0, or 1 if anything was over its limit. */
int bench_failed(void);

/* Most memory that this process has had, bytes; 0 where the system doesn't tell. */
uint64_t bench_peak(void);

#endif
