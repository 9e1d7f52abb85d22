/*
 * tools/lines.h: what changed between two texts of lines.
 */
#ifndef LVL_TOOLS_LINES_H
#define LVL_TOOLS_LINES_H

#include <lvl/base.h>

/* Lines a … a + a_count of one text became lines b … b + b_count of the other; counted from 0, one of the
 * counts may be 0. */
typedef struct lvl_hunk {
    uint32_t a, a_count, b, b_count;
} lvl_hunk;

/* Two texts cut at their '\n' (an empty text has no line), and the hunks between them in order, none of which
 * touch. The lines are views of the texts. */
typedef struct lvl_lines {
    lvl_text *a, *b;
    uint32_t a_count, b_count;
    lvl_hunk *hunks;
    size_t hunk_count;
} lvl_lines;

/* Free in any case. Takes time in proportion to the texts and, up to a bound, to how much differs; what is
 * beyond it is one large hunk. */
lvl_status lvl_lines_find(lvl_lines *out, lvl_text a, lvl_text b);
void lvl_lines_free(lvl_lines *lines);

#endif
