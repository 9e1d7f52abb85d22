/*
 * catalogue/likeness.c: see likeness.h. A slot that no token fell into takes the value of another one that
 * its number selects (optimal densification), so that small sets can be compared, too.
 */
#include "catalogue/likeness.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 8 };

void cat_sketch_init(cat_sketch *sketch)
{
    memset(sketch->least, 0xFF, sizeof sketch->least);
}

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 27;
    x *= UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

bool cat_sketch_signature(const cat_sketch *sketch, uint8_t out[CAT_SIGNATURE])
{
    unsigned filled = 0;

    for (unsigned i = 0; i < CAT_SLOTS; i++)
        filled += sketch->least[i] != UINT64_MAX;
    if (filled < FEWEST)
        return false;
    for (unsigned i = 0; i < CAT_SLOTS; i++) {
        unsigned from = i;
        for (uint64_t attempt = 1; sketch->least[from] == UINT64_MAX; attempt++)
            from = (unsigned)(mixed(i << 16 | attempt) % CAT_SLOTS);
        out[i] = (uint8_t)mixed(sketch->least[from]);
    }
    return true;
}

/* ---- what is rare ------------------------------------------------------------------------------------- */

enum { PRIOR = 128, FEW = 4 }; /* files that are assumed in addition, with other numbers each */

static struct cat_rarity_format *format_of(const cat_rarity *rarity, int64_t format)
{
    for (size_t i = 0; i < rarity->count; i++) {
        if (rarity->formats[i]->format == format)
            return rarity->formats[i];
    }
    return NULL;
}

bool cat_rarity_add(cat_rarity *rarity, int64_t format, const uint8_t signature[CAT_SIGNATURE])
{
    struct cat_rarity_format *f = format_of(rarity, format);

    if (!f) {
        if (!lvl_grow(&rarity->formats, &rarity->cap, rarity->count + 1, sizeof *rarity->formats))
            return false;
        f = calloc(1, sizeof *f);
        if (!f)
            return false;
        f->format = format;
        rarity->formats[rarity->count++] = f;
    }
    f->files++;
    for (unsigned i = 0; i < CAT_SLOTS; i++)
        f->counts[i][signature[i]]++;
    return true;
}

void cat_rarity_free(cat_rarity *rarity)
{
    for (size_t i = 0; i < rarity->count; i++)
        free(rarity->formats[i]);
    free(rarity->formats);
    memset(rarity, 0, sizeof *rarity);
}

void cat_rarity_weights(const cat_rarity *rarity, int64_t format, const uint8_t signature[CAT_SIGNATURE],
                        float out[CAT_SLOTS])
{
    const struct cat_rarity_format *f = format_of(rarity, format);

    for (unsigned i = 0; i < CAT_SLOTS; i++) {
        const double with = f && f->counts[i][signature[i]] > FEW ? f->counts[i][signature[i]] : FEW;
        const double rare = log(((f ? f->files : 0) + PRIOR) / with);
        out[i] = (float)(rare * rare * rare * rare);
    }
}

unsigned cat_likeness(const uint8_t a[CAT_SIGNATURE], const float weights_a[CAT_SLOTS],
                      const uint8_t b[CAT_SIGNATURE], const float weights_b[CAT_SLOTS])
{
    double same = 0, all = 0;

    for (unsigned i = 0; i < CAT_SLOTS; i++) {
        if (a[i] == b[i])
            same += weights_a[i] < weights_b[i] ? weights_a[i] : weights_b[i];
        all += weights_a[i] + weights_b[i];
    }
    return all > 0 ? (unsigned)(200 * same / all + 1e-6) : 0;
}
