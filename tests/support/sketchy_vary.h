/*
 * support/sketchy_vary.h: the same drawing as another program might have written it: JSON with other blanks,
 * order, case, escapes and keys of its own; chunks in another order with longer varints and other runs; gzips
 * and zips of every make. What it means to the game stays.
 */
#ifndef LVL_TEST_SKETCHY_VARY_H
#define LVL_TEST_SKETCHY_VARY_H

#include <lvl/doc.h>

/* How often each liberty is taken, drawn anew for each variant; `state` is the generator's. */
typedef struct lvl_vary {
    uint64_t state;
    unsigned blanks; /* 0 none, 1 some, 2 tabs and lines, 3 the same with CR LF */
    unsigned cases, order, escapes,
        extra;       /* in 256: keys in another case, objects shuffled, letters escaped, unknown keys */
    unsigned chunks; /* in 256: streams of pixels spelled otherwise */
} lvl_vary;

/* Draws the liberties from a seed. */
void lvl_vary_begin(lvl_vary *v, uint64_t seed);
unsigned lvl_vary_below(lvl_vary *v, unsigned n);

/* Appends a variant of a drawing's file, whatever its generation is. False: it can't be taken apart, or no
 * memory. */
bool lvl_vary_drawing(lvl_vary *v, const lvl_ctx *ctx, lvl_bytes file, lvl_buffer *out);
/* Appends a zip with the same members, whose contents stay, put together in another way. */
bool lvl_vary_zip(lvl_vary *v, const lvl_ctx *ctx, lvl_bytes file, lvl_buffer *out);

#endif
