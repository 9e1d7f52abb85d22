/*
 * wap32/art/pid_runs.h: the two run encodings of PID pixels, and conversion of PIDs to pictures and back.
 *
 *     A (like PCX)   11nnnnnn v    n pixels of v (with n = 0 the game hangs)
 *                    v             one pixel of v, v < 0xC0
 *     B (skip runs)  1nnnnnnn      n pixels that aren't drawn
 *                    0nnnnnnn v…   n pixels as they are
 *
 * No run crosses the end of a row in any of 10 736 real files. Two encoders made the files of grammar A:
 * "sparing" writes values below 0xC0 without a run, "eager" only those below 0x40. Runs have at most 63
 * pixels. In grammar B a run skips at most 126 pixels and has at most 127 literals. With these rules all 1805
 * corpus files are reproduced byte for byte.
 */
#ifndef LVL_WWD_PID_RUNS_H
#define LVL_WWD_PID_RUNS_H

#include "base/cursor.h"
#include "base/format.h"

#include <lvl/pid.h>

typedef struct lvl_pid_run {
    uint32_t count;
    uint32_t value; /* value of each pixel (LVL_PID_SKIPPED in a skip run), unless there are literals */
    const uint8_t *literals; /* `count` pixels, or NULL */
} lvl_pid_run;

/* Reads the next run; false at the end of the bytes. If literals are cut off, `count` is the number that is
 * left. */
bool lvl_pid_run_next(lvl_cursor *c, bool skip_runs, lvl_pid_run *run);

/* Encodes cells of any item size; LVL_ERR_ARG if a cell's value cannot be encoded. */
lvl_status lvl_pid_encode(const lvl_cells *cells, bool skip_runs, uint32_t spelling, lvl_buffer *out);

/* Whether the bytes decode to the cells; cells after the end of the bytes must be 0. */
bool lvl_pid_decodes_to(lvl_bytes encoded, bool skip_runs, const lvl_cells *cells);

/* ---- pictures (pid_image.c) ------------------------------------------------------------------------ */

/* Converts to INDEX8 with a mask of the pixels that are not drawn (skip runs, or index 0 with flag
 * transparent). LVL_ERR_FORMAT: the document has no pixels. */
lvl_status lvl_pid_to_image(const lvl_doc *doc, const char *layer, lvl_image *out);

/* Replaces the pixels by the picture; other members keep their values (see lvl_draw_options.like). RGBA is
 * converted to the colours of image->palette, else of the document's palette, else of a new embedded palette
 * (flag palette). Pixels with less than half opacity are not drawn. Flags that are set remain if the picture
 * can be encoded with them. A document without flags gets none or, if the picture has holes, skip_runs and
 * system_memory, like Claw's sprites. *missing: how many colours a given palette does not have. */
lvl_status lvl_pid_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                        uint32_t *missing);

#endif
