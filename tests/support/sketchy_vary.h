/*
 * support/sketchy_vary.h: the same drawing in the spelling of another program: JSON with other blanks, order,
 * case, escapes and additional keys; chunks in another order with longer varints and other runs; gzips and
 * zips of every kind. The meaning for the game stays the same.
 */
#ifndef LVL_TEST_SKETCHY_VARY_H
#define LVL_TEST_SKETCHY_VARY_H

#include <lvl/doc.h>

/* How often each variation is made, chosen again for each variant; `state` is that of the random generator. */
typedef struct lvl_vary {
    uint64_t state;
    unsigned blanks; /* 0 none, 1 some, 2 tabs and lines, 3 the same with CR LF */
    unsigned cases, order, escapes,
        extra; /* in 256: keys in another case, objects shuffled, letters escaped, unknown keys */
    unsigned chunks; /* in 256: pixels encoded differently */
} lvl_vary;

/* Chooses the variations from a seed. */
void lvl_vary_begin(lvl_vary *v, uint64_t seed);
unsigned lvl_vary_below(lvl_vary *v, unsigned n);

/* Appends a variant of a drawing's file, of any generation. False: it cannot be parsed, or no memory. */
bool lvl_vary_drawing(lvl_vary *v, const lvl_ctx *ctx, lvl_bytes file, lvl_buffer *out);
/* Appends a zip with the same members and contents in another layout. */
bool lvl_vary_zip(lvl_vary *v, const lvl_ctx *ctx, lvl_bytes file, lvl_buffer *out);

#endif
