/*
 * tools/diff/lines.h: the differences between two texts, line by line.
 */
#ifndef LVL_TOOLS_LINES_H
#define LVL_TOOLS_LINES_H

#include <lvl/base.h>

/* Lines a … a + a_count - 1 of one text became lines b … b + b_count - 1 of the other, from line 0; one
 * of the counts may be 0. */
typedef struct lvl_hunk {
    uint32_t a, a_count, b, b_count;
} lvl_hunk;

/* Two texts split at '\n' (an empty text has no line), and the hunks in order, with equal lines between them.
 * The lines are views of the texts. */
typedef struct lvl_lines {
    lvl_text *a, *b;
    uint32_t a_count, b_count;
    lvl_hunk *hunks;
    size_t hunk_count;
} lvl_lines;

/* Free in any case. The time grows with the texts and, up to a limit, with the number of differences; beyond
 * the limit the rest is one large hunk. */
lvl_status lvl_lines_find(lvl_lines *out, lvl_text a, lvl_text b);
void lvl_lines_free(lvl_lines *lines);

/* Compares two sequences of numbers below `ids`: sets a_gone[i] and b_new[j] of those that are not in a
 * common subsequence, which is the longest one unless that takes too long. Both have space for one more byte
 * than their items and are zeroed. LVL_ERR_MEMORY. */
lvl_status lvl_sequence_compare(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
                                uint32_t ids, uint8_t *a_gone, uint8_t *b_new);
/* Sets in_run[i] for the values that are in a longest strictly rising run of the `count` values, where
 * UINT32_MAX is not a value; else to 0. LVL_ERR_MEMORY. */
lvl_status lvl_rising_run(const uint32_t *values, uint32_t count, uint8_t *in_run);

#endif
