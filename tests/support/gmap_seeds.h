/*
 * support/gmap_seeds.h: world maps for tests, hostile ones too.
 */
#ifndef LVL_TEST_GMAP_SEEDS_H
#define LVL_TEST_GMAP_SEEDS_H

#include <lvl/base.h>

enum {
    LVL_GMAP_SEED_PLAIN,
    LVL_GMAP_SEED_BIGMAP,
    LVL_GMAP_SEED_FULL, /* every key and block, in the usual order except for a blank line */
    LVL_GMAP_SEED_ODD, /* unusual spelling, duplicate keys, blocks without ends, CRLF, no last line end */
    LVL_GMAP_SEED_GENERATED, /* names that are not listed */
    LVL_GMAP_SEED_COUNT
};

const char *lvl_gmap_seed_name(int seed);
/* Static storage. */
lvl_bytes lvl_gmap_seed(int seed);

#endif
