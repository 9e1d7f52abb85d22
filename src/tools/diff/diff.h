/*
 * tools/diff/diff.h: the parts of a diff: regions in which two grids differ, changed lines of texts.
 */
#ifndef LVL_TOOLS_DIFF_H
#define LVL_TOOLS_DIFF_H

#include "tools/diff/align.h"
#include "tools/diff/lines.h"
#include "tools/tools.h"
#include "tools/values/json_write.h"

/* A rectangle with changed cells; both corners are in it. */
typedef struct lvl_region {
    uint32_t x0, y0, x1, y1;
    uint32_t cells; /* that differ */
} lvl_region;

/* The regions in which the common part of two grids differs, ordered by their upper edges; free(*out). */
lvl_status lvl_regions_find(const lvl_cells *a, const lvl_cells *b, lvl_region **out, size_t *count);

/* Changed lines as a unified diff, indented by `indent` blanks; a and b have the code page of each side. */
void lvl_lines_text(const lvl_lines *lines, const lvl_emit *a, const lvl_emit *b, unsigned indent,
                    lvl_buffer *out);
/* The same as a JSON array of {"old_line","old","new_line","new"}. */
void lvl_lines_json(const lvl_lines *lines, const lvl_emit *a, const lvl_emit *b, lvl_buffer *out);

#endif
