/*
 * support/hostile.h: a harness that treats a format badly. Given a sound sample it makes damaged ones in
 * every way listed below, sends each through reading, writing, checking, dumping, explaining and repairing,
 * and expects: no crash, no leak, no hang, memory within bounds, and
 *
 * - what can be read can be written, and what was written reads again and writes the same bytes;
 * - a dump of it undumps to a document that writes the same bytes, and no difference is seen between the two;
 * - when memory runs out, the answer is a status, never a wrong result.
 *
 * Ways of damage: cut at each length; each bit flipped; each number that the reader's sink tells of (counts,
 * offsets and sizes above all) set to 0, 1, n-1, n+1, and the edges of integers, alone and in pairs; random
 * havoc; all of that also inside a compressed part, which a hook of the format's family unwraps and wraps
 * again with its checksums repaired; malloc failing at every call. Everything is seeded: two runs do the
 * same.
 */
#ifndef LVL_TEST_HOSTILE_H
#define LVL_TEST_HOSTILE_H

#include <lvl/doc.h>

/* Reaches inside a sample: what a compressed stream holds, say. */
typedef struct lvl_hostile_hook {
    /* Appends the inner bytes; false if this file has none. */
    bool (*unwrap)(lvl_bytes file, lvl_buffer *inner);
    /* Appends a file like `file` that holds `inner`, sizes and checksums repaired; false if that can't be. */
    bool (*wrap)(lvl_bytes file, lvl_bytes inner, lvl_buffer *out);
} lvl_hostile_hook;

typedef struct lvl_hostile {
    const char *name; /* for messages */
    const lvl_format *format;
    lvl_bytes sample;             /* sound: reads without an error and writes the same bytes */
    const lvl_hostile_hook *hook; /* or NULL */
    bool loose; /* damaged, the format need not write the same twice: two parts may claim one place */
    bool full;  /* everything, however long it takes; else a part that fits into every run of the tests */
} lvl_hostile;

typedef struct lvl_hostile_report {
    uint64_t cuts, flips, numbers, havoc, memory_failed; /* inputs tried */
    uint64_t inner;                                      /* of those, made inside the compressed part */
    uint64_t thorough;                                   /* of those, sent through everything */
    uint64_t read;                                       /* could be read */
    uint64_t exact;                                      /* and were written back bit for bit */
    uint64_t peak;                                       /* most memory out for one input, bytes */
    unsigned slowest_ms;                                 /* of one input */
    double seconds;                                      /* of processor time, all in all */
    unsigned failures;
} lvl_hostile_report;

/* LVL_HOSTILE=full asks for everything. */
bool lvl_hostile_wants_full(void);
/* Does it all; false if something was not as it should be, told on stderr with a number that finds the input
 * again. With LVL_HOSTILE_OUT (a folder) such inputs are left there, and those that could be read but weren't
 * written back bit for bit. */
bool lvl_hostile_run(const lvl_hostile *hostile, lvl_hostile_report *report);
/* The same in full if LVL_HOSTILE asks for that, with the line of numbers; false as well if nothing could be
 * read, if malloc wasn't made to fail where it can be, or if fewer than `exact` of 1000 damaged files that
 * could be read were written back bit for bit. What tests call. */
bool lvl_hostile_stands(const lvl_hostile *hostile, unsigned exact);
/* With LVL_SEEDS_OUT (a folder), leaves a seed there under that name: what fuzz/seeds was made by. */
void lvl_hostile_leave(const char *name, lvl_bytes seed);
/* A line of numbers to stdout. */
void lvl_hostile_print(const lvl_hostile *hostile, const lvl_hostile_report *report);

/* One input through everything, as fuzzers want it; false and a message on stderr if it isn't as it should
 * be. */
bool lvl_hostile_try(const lvl_format *format, lvl_bytes input, bool thorough, bool loose);

#endif
