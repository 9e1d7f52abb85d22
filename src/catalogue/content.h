/*
 * catalogue/content.h: hashes of content: two halves of 64 bits, the same on every machine; and tokens, the
 * pieces of a level by which likeness is measured.
 */
#ifndef LVL_CATALOGUE_CONTENT_H
#define LVL_CATALOGUE_CONTENT_H

#include <stddef.h>
#include <stdint.h>

typedef struct cat_pair {
    uint64_t a, b;
} cat_pair;

static const cat_pair cat_start = {UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xC2B2AE3D27D4EB4F)};

static inline void cat_mix(cat_pair *h, uint64_t value)
{
    h->a = (h->a ^ value) * UINT64_C(0xFF51AFD7ED558CCD);
    h->a ^= h->a >> 32;
    h->b = ((h->b << 23 | h->b >> 41) ^ value) * UINT64_C(0xC4CEB9FE1A85EC53);
    h->b ^= h->b >> 29;
}

static inline uint64_t cat_load(const uint8_t *p)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static inline void cat_mix_bytes(cat_pair *h, const void *data, size_t len)
{
    const uint8_t *p = data;
    uint64_t last = 0;

    cat_mix(h, len);
    for (; len >= 8; len -= 8, p += 8)
        cat_mix(h, cat_load(p));
    for (size_t i = 0; i < len; i++)
        last |= (uint64_t)p[i] << 8 * i;
    if (len)
        cat_mix(h, last);
}

static inline void cat_mix_pair(cat_pair *h, cat_pair inner)
{
    cat_mix(h, inner.a);
    cat_mix(h, inner.b);
}

/* All bits of the result depend on all bits of both. */
static inline uint64_t cat_token(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b << 31 | b >> 33)) * UINT64_C(0x9FB21C651E98DF25);

    x ^= x >> 35;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

#endif
