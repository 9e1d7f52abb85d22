/*
 * codec/deflate_same.h: which bytes of an edited text are those of the text before. Inner header of
 * codec/deflate.c.
 */
#ifndef LVL_CODEC_DEFLATE_SAME_H
#define LVL_CODEC_DEFLATE_SAME_H

#include <lvl/base.h>

/* Bytes from `tail` on correspond to those that have `shift` less before them in the text before, and are the
 * same; bytes before it correspond to those at the same place. Positions are those of the edited text. */
typedef struct lvl_deflate_same {
    lvl_bytes now, was;
    size_t tail; /* now.len if the length is the same */
    int64_t shift;
    size_t from, to; /* a range of equal bytes; from == now.len: there are no more */
} lvl_deflate_same;

/* Begins before the first range. Both texts have bytes. */
void lvl_deflate_same_begin(lvl_deflate_same *same, lvl_bytes now, lvl_bytes was);
/* Finds the next range of equal bytes. */
void lvl_deflate_same_next(lvl_deflate_same *same);

#endif
