/*
 * support/sketchy_same.h: whether two drawings are the same, whatever generation they are stored in and
 * however they are put together.
 */
#ifndef LVL_TEST_SKETCHY_SAME_H
#define LVL_TEST_SKETCHY_SAME_H

#include <lvl/sketchy.h>

/* What a drawing looks like, in whatever order its chunks are; chunks without pixels don't count. `*pixels`:
 * how many there are. False: a chunk can't be asked for (one that is broken is empty). */
bool lvl_sketchy_picture(const lvl_doc *doc, uint64_t *picture, uint64_t *pixels);
/* All but pixels, attached files and how they are stored. */
bool lvl_sketchy_same_words(const lvl_doc *a, const lvl_doc *b);

#endif
