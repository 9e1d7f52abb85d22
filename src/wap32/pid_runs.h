/*
 * wap32/pid_runs.h: the two run encodings of PID pixels, read run by run and written; pictures of PID.
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
#include "base/format.h"

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

/* ---- pictures (pid_image.c) ------------------------------------------------------------------------ */

/* INDEX8 with a mask where pixels are left out (skip runs, or index 0 with flag transparent). LVL_ERR_FORMAT:
 * there is no picture. */
lvl_status lvl_pid_to_image(const lvl_doc *doc, const char *layer, lvl_image *out);

/* Takes over the picture; what it does not say stays as it is in the document (see lvl_draw_options.like).
 * Colours are fitted to image->palette where it has one, the document's own palette next; RGBA without either
 * gets a palette of its own, embedded (flag palette). Pixels of less than half opacity are left out. The
 * flags that a fresh document gets: none for a picture without holes, skip_runs and system_memory (as Claw's
 * sprites have) for one with; flags that are set stay, as long as they can say the picture. */
lvl_status lvl_pid_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                        lvl_findings *losses);

#endif
