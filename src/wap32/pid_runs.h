/*
 * wap32/pid_runs.h: the two run encodings of PID pixels, read run by run and written.
 *
 *     A (like PCX)   11nnnnnn v    n pixels of v (n = 0 hangs the game)
 *                    v             one pixel of v, v < 0xC0
 *     B (skip runs)  1nnnnnnn      n pixels that aren't drawn
 *                    0nnnnnnn v…   n pixels as they are
 *
 * No run crosses the end of a row in any of 10 736 real files. Two encoders made the files of grammar A, one
 * sparing with runs of one (all values below 0xC0 stand for themselves), one eager (only those below 0x40
 * do); runs go up to 63. Grammar B skips at most 126 at once and copies at most 127. Both spellings together
 * give all 1805 corpus files bit for bit.
 */
#ifndef LVL_WWD_PID_RUNS_H
#define LVL_WWD_PID_RUNS_H

#include "base/cursor.h"

#include <lvl/pid.h>

typedef struct lvl_pid_run {
    uint32_t count;
    uint32_t value;          /* of each pixel (LVL_PID_SKIPPED in a skip run) unless there are literals */
    const uint8_t *literals; /* `count` pixels, or NULL */
} lvl_pid_run;

/* The next run; false at the end of the bytes. Literals that are cut off come with the count that is there.
 */
bool lvl_pid_run_next(lvl_cursor *c, bool skip_runs, lvl_pid_run *run);

/* Encodes the cells, whatever their size; LVL_ERR_ARG if the grammar can't say a cell's value. */
lvl_status lvl_pid_encode(const lvl_cells *cells, bool skip_runs, uint32_t spelling, lvl_buffer *out);

/* Whether decoding the bytes gives the cells, all of the bytes being used; pixels that the bytes don't reach
 * must be 0. */
bool lvl_pid_decodes_to(lvl_bytes encoded, bool skip_runs, const lvl_cells *cells);

#endif
