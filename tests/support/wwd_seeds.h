/*
 * support/wwd_seeds.h: WWD files for hostile tests and fuzzers, and the hook for the content of a compressed
 * one.
 */
#ifndef LVL_TEST_WWD_SEEDS_H
#define LVL_TEST_WWD_SEEDS_H

#include "hostile.h"

enum {
    LVL_WWD_SEED_TINY, /* stored, one plane of four tiles */
    LVL_WWD_SEED_STORED, /* stored, three planes, objects, every kind of tile property */
    LVL_WWD_SEED_COMPRESSED, /* the same, compressed as editors do */
    LVL_WWD_SEED_WAPMAP, /* compressed as WapMap does, with its trailer and checksum */
    LVL_WWD_SEED_ODD, /* several image sets and none, unusual flags, objects on two planes, other trailing
                       * bytes */
    LVL_WWD_SEED_LARGE, /* compressed, more than 8 KiB in the file */
    LVL_WWD_SEED_COUNT
};

const char *lvl_wwd_seed_name(int seed);
/* Appends the file. */
lvl_status lvl_wwd_seed(int seed, lvl_buffer *out);

/* Unwraps and wraps the main block of a compressed file. */
extern const lvl_hostile_hook lvl_wwd_hook;

#endif
