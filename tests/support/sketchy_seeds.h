/*
 * support/sketchy_seeds.h: small drawings of every generation and a pack, for hostile tests, and hooks for
 * their content: the JSON of a gzip, a member of a zip.
 */
#ifndef LVL_TEST_SKETCHY_SEEDS_H
#define LVL_TEST_SKETCHY_SEEDS_H

#include "hostile.h"

enum {
    LVL_SKETCHY_SEED_V1,
    LVL_SKETCHY_SEED_V2,
    LVL_SKETCHY_SEED_V3,
    LVL_SKETCHY_SEED_V3_1,
    LVL_SKETCHY_SEED_V4,
    LVL_SKETCHY_SEED_BASE64, /* v1 with chunks in base64 */
    LVL_SKETCHY_SEED_DOODAD, /* v3.1 */
    LVL_SKETCHY_SEED_PACK,
    LVL_SKETCHY_SEED_COUNT
};

const char *lvl_sketchy_seed_name(int seed);
/* Appends the seed's file. */
bool lvl_sketchy_seed(int seed, lvl_buffer *out);
/* For the JSON document of gzips and zips. */
extern const lvl_hostile_hook lvl_sketchy_document_hook;
/* For the first member of a zip, a chunk. */
extern const lvl_hostile_hook lvl_sketchy_chunk_hook;

#endif
