/*
 * catalogue/likeness.h: a sketch of a set of tokens (pieces of a level), so that two sketches show how much
 * two sets have in common: one-permutation minhash. Any thread; no errors.
 */
#ifndef LVL_CATALOGUE_LIKENESS_H
#define LVL_CATALOGUE_LIKENESS_H

#include <lvl/base.h>

enum { CAT_SLOTS = 128, CAT_SIGNATURE = CAT_SLOTS };

typedef struct cat_sketch {
    uint64_t least[CAT_SLOTS]; /* the least hash of each slot; UINT64_MAX: none */
    uint64_t tokens;
} cat_sketch;

void cat_sketch_init(cat_sketch *sketch);
/* Adds a token by its hash, whose bits are all random. */
static inline void cat_sketch_add(cat_sketch *sketch, uint64_t hash)
{
    uint64_t *least = &sketch->least[hash >> 57];

    hash &= UINT64_MAX >> 7;
    if (hash < *least)
        *least = hash;
    sketch->tokens++;
}
/* The signature of the set; false: too few tokens for one. */
bool cat_sketch_signature(const cat_sketch *sketch, uint8_t out[CAT_SIGNATURE]);
/* How much two sets have in common, from 0 to 100; 0 for bytes that are no signatures. */
unsigned cat_likeness(lvl_bytes a, lvl_bytes b);

#endif
