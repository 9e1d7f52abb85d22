/*
 * support/sketchy_same.h: compares the content of two drawings, whatever their generation and layout.
 */
#ifndef LVL_TEST_SKETCHY_SAME_H
#define LVL_TEST_SKETCHY_SAME_H

#include <lvl/sketchy.h>

/* The appearance of a drawing, independent of the order of its chunks; chunks without pixels do not count.
 * `*pixels`: their number. False: a chunk cannot be read (a broken one counts as empty). */
bool lvl_sketchy_picture(const lvl_doc *doc, uint64_t *picture, uint64_t *pixels);
/* Everything except pixels, attached files and how they are stored. */
bool lvl_sketchy_same_words(const lvl_doc *a, const lvl_doc *b);

#endif
