/*
 * support/gani_seeds.h: animations of our own for tests, hostile ones too.
 */
#ifndef LVL_TEST_GANI_SEEDS_H
#define LVL_TEST_GANI_SEEDS_H

#include <lvl/base.h>

enum {
    LVL_GANI_SEED_EDITOR, /* in columns, four directions, attachments, sounds, no header: as the editor writes
                             it */
    LVL_GANI_SEED_SINGLE, /* one blank, one direction, a script, effects, sprites by parameter */
    LVL_GANI_SEED_ODD,    /* spelled as nobody would: lines in any order, CRLF here and there, empty lines as
                             directions */
    LVL_GANI_SEED_MOVIE,
    LVL_GANI_SEED_MARK, /* a byte order mark, CRLF but for one line, and what only the whole file can tell */
    LVL_GANI_SEED_CUT,  /* ends in the middle */
    LVL_GANI_SEED_COUNT
};

const char *lvl_gani_seed_name(int seed);
/* Static storage. */
lvl_bytes lvl_gani_seed(int seed);

#endif
