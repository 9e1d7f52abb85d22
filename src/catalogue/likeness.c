/*
 * catalogue/likeness.c: see likeness.h. A slot that no token fell into takes the value of another one that
 * its number selects (optimal densification), so that small sets can be compared, too.
 */
#include "catalogue/likeness.h"

#include <string.h>

enum { FEWEST = 8 };

void cat_sketch_init(cat_sketch *sketch)
{
    memset(sketch->least, 0xFF, sizeof sketch->least);
    sketch->tokens = 0;
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

unsigned cat_likeness(lvl_bytes a, lvl_bytes b)
{
    unsigned same = 0;

    if (a.len != CAT_SIGNATURE || b.len != CAT_SIGNATURE)
        return 0;
    for (unsigned i = 0; i < CAT_SIGNATURE; i++)
        same += a.ptr[i] == b.ptr[i];
    return same * 100 / CAT_SLOTS;
}
