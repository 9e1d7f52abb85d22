/*
 * support/gani_seeds.h: animations for tests, hostile ones too.
 */
#ifndef LVL_TEST_GANI_SEEDS_H
#define LVL_TEST_GANI_SEEDS_H

#include <lvl/base.h>

enum {
    LVL_GANI_SEED_EDITOR, /* as the editor writes it: in columns, four directions, attachments, sounds, no
                           * header */
    LVL_GANI_SEED_SINGLE, /* separated by one blank, one direction, a script, effects, sprites by parameter */
    LVL_GANI_SEED_ODD, /* unusual spelling: lines in any order, some CRLF, empty lines as directions */
    LVL_GANI_SEED_MOVIE,
    LVL_GANI_SEED_MARK, /* a byte order mark, CRLF except in one line, and spelling that depends on the
                         * whole file */
    LVL_GANI_SEED_CUT, /* truncated */
    LVL_GANI_SEED_COUNT
};

const char *lvl_gani_seed_name(int seed);
/* Static storage. */
lvl_bytes lvl_gani_seed(int seed);

#endif
