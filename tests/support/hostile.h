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

/* Gives access to the content of a sample, for example of its compressed stream. */
typedef struct lvl_hostile_hook {
    /* Appends the inner bytes; false if this file has none. */
    bool (*unwrap)(lvl_bytes file, lvl_buffer *inner);
    /* Appends a file like `file` with `inner` as content, sizes and checksums corrected; false if that is
     * impossible. */
    bool (*wrap)(lvl_bytes file, lvl_bytes inner, lvl_buffer *out);
} lvl_hostile_hook;

typedef struct lvl_hostile {
    const char *name; /* for messages */
    const lvl_format *format;
    lvl_bytes sample; /* sound: reads without an error and writes the same bytes */
    const lvl_hostile_hook *hook; /* or NULL */
    bool loose; /* a damaged file may be written differently the second time: two parts may overlap */
    bool full; /* everything, which may take hours; otherwise a part that is fast enough for every test
                 * run */
} lvl_hostile;

typedef struct lvl_hostile_report {
    uint64_t cuts, flips, numbers, havoc, memory_failed; /* inputs tried */
    uint64_t inner; /* of those, made inside the compressed part */
    uint64_t thorough; /* of those, with every tool */
    uint64_t read; /* could be read */
    uint64_t exact; /* and were written back byte for byte */
    uint64_t peak; /* most memory allocated for one input, in bytes */
    unsigned slowest_ms; /* of one input */
    double seconds; /* of processor time, in total */
    unsigned failures;
} lvl_hostile_report;

/* True if LVL_HOSTILE=full requests everything. */
bool lvl_hostile_wants_full(void);
/* Runs everything; false on a failure, with a message on stderr that has the number of the input. With
 * LVL_HOSTILE_OUT (a folder) such inputs are written there, and those that could be read but were not
 * written back byte for byte. */
bool lvl_hostile_run(const lvl_hostile *hostile, lvl_hostile_report *report);
/* What tests call: the same, in full if LVL_HOSTILE requests that, with the line of numbers. Also false if
 * nothing could be read, if no allocation failed where that is supported, or if fewer than `exact` of 1000
 * damaged files that could be read were written back byte for byte. */
bool lvl_hostile_stands(const lvl_hostile *hostile, unsigned exact);
/* With LVL_SEEDS_OUT (a folder), writes a seed there under that name: fuzz/seeds was made this way. */
void lvl_hostile_leave(const char *name, lvl_bytes seed);
/* Prints a line of numbers to stdout. */
void lvl_hostile_print(const lvl_hostile *hostile, const lvl_hostile_report *report);

/* Runs every operation on one input, for fuzzers; false with a message on stderr on a failure. */
bool lvl_hostile_try(const lvl_format *format, lvl_bytes input, bool thorough, bool loose);

#endif
