/*
 * catalogue/likeness.h: a sketch of a set of tokens (pieces of a level): two sketches show how much two sets
 * have in common (one-permutation minhash). Any thread; no errors.
 */
#ifndef LVL_CATALOGUE_LIKENESS_H
#define LVL_CATALOGUE_LIKENESS_H

#include <lvl/base.h>

enum { CAT_SLOTS = 128, CAT_SIGNATURE = CAT_SLOTS };

typedef struct cat_sketch {
    uint64_t least[CAT_SLOTS]; /* the least hash of each slot; UINT64_MAX: none */
} cat_sketch;

void cat_sketch_init(cat_sketch *sketch);
/* Adds a token by its hash, whose bits are all random. One that was added before changes nothing. */
static inline void cat_sketch_add(cat_sketch *sketch, uint64_t hash)
{
    uint64_t *least = &sketch->least[hash >> 57];

    hash &= UINT64_MAX >> 7;
    if (hash < *least)
        *least = hash;
}
/* The signature of the set; false: too few tokens for one. */
bool cat_sketch_signature(const cat_sketch *sketch, uint8_t out[CAT_SIGNATURE]);

/*
 * How often the numbers of signatures occur among the files of a format. What many files share (a template,
 * the default parts of an animation) shows no kinship, so in a comparison a number counts by how rare it is:
 * the fourth power of the logarithm, which was found by measuring. Up to FEW files count as few, so that in a
 * small catalogue all numbers count the same.
 */
typedef struct cat_rarity {
    struct cat_rarity_format {
        int64_t format; /* any number that stands for it */
        uint32_t files;
        uint32_t counts[CAT_SLOTS][256];
    } * *formats;
    size_t count, cap;
} cat_rarity;

/* Counts a signature. False: no memory. */
bool cat_rarity_add(cat_rarity *rarity, int64_t format, const uint8_t signature[CAT_SIGNATURE]);
void cat_rarity_free(cat_rarity *rarity);
/* What each number of a signature counts. */
void cat_rarity_weights(const cat_rarity *rarity, int64_t format, const uint8_t signature[CAT_SIGNATURE],
                        float out[CAT_SLOTS]);
/* How much two sets have in common, from 0 to 100, by the weights of both. */
unsigned cat_likeness(const uint8_t a[CAT_SIGNATURE], const float weights_a[CAT_SLOTS],
                      const uint8_t b[CAT_SIGNATURE], const float weights_b[CAT_SLOTS]);

#endif
