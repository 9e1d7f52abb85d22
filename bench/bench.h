/*
 * bench/bench.h: measuring and comparing. Each row of a bench's table is a stage, its time, the reference
 * measured in the same run, and their ratio with its limit. The best of several rounds counts, since other
 * load on the machine can only make a round slower.
 */
#ifndef LVL_BENCH_H
#define LVL_BENCH_H

#include <lvl/doc.h>

/* Seconds since some point in time, from a clock that does not jump. */
double bench_now(void);

/* The shortest time in seconds of `rounds` calls, after one call that warms up. */
double bench_best(void (*fn)(void *user), void *user, int rounds);

/* The shortest time in seconds of copying that many bytes with memcpy, in processor time of this thread:
 * the reference for a picture or file of that size. */
double bench_copy(size_t bytes);

/* The same as bench_best in processor time of this thread, on which other processes have less effect: for
 * stages that use one thread and wait for nothing. Without a clock that is fine enough, as bench_best. */
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
    bool corpus; /* false: the files are from samples/ */
} bench_files;

/* Loads all files with these extensions (blank-separated) from the corpus; without a corpus, or without
 * such files in it, those from samples/, with a message. False, with a message, if there are none at all. */
bool bench_load(bench_files *out, const char *endings);
void bench_free(bench_files *files);

/* ---- stages that many benches have ------------------------------------------------------------------- */

/* The first member of a bench's own job, which is passed to these functions as `user`. */
typedef struct bench_job {
    const bench_files *files;
    lvl_ctx ctx;
    const lvl_format *format;
    bool wrong; /* a result was wrong */
} bench_job;

/* For all files: reading the bytes from the disk; parsing them as that format; the same with findings; the
 * same with info; parsing and writing, where different bytes are a failure. */
void bench_read_files(void *user);
void bench_parse(void *user);
void bench_parse_with_findings(void *user);
void bench_info(void *user);
void bench_read_and_write(void *user);

/* ---- the table --------------------------------------------------------------------------------------- */

/* "stage   12.3 ms   beside   10.0 ms   1.23x   limit 1.60x   ok". Above the limit, bench_failed is
 * increased. limit 0: none. */
void bench_ratio(const char *stage, double seconds, const char *beside, double beside_seconds, double limit);
/* A time without a limit, since it depends on the machine; use bench_ratio for limits. `note` may be NULL. */
void bench_time(const char *stage, double seconds, const char *note);
/* A time that was measured elsewhere, for comparison by eye: "the game's tool, on another machine   2210.0
 * ms". */
void bench_elsewhere(const char *what, double seconds);
/* A rate or a time for each file, without a limit. */
void bench_value(const char *stage, double value, const char *unit);
/* Memory in MiB with an upper limit, which is the same on every machine. */
void bench_memory(const char *stage, double mebibytes, double limit);
/* A condition that must be true. */
void bench_fact(const char *stage, bool holds, const char *note);
/* What main returns: 0, or 1 if anything was over its limit. */
int bench_failed(void);

/* The most memory that this process has used, in bytes; 0 if the system does not report it. */
uint64_t bench_peak(void);

#endif
