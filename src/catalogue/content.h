/*
 * catalogue/content.h: hashes of content: two halves of 64 bits, the same on every machine; and tokens, the
 * pieces of a level that measure likeness.
 */
#ifndef LVL_CATALOGUE_CONTENT_H
#define LVL_CATALOGUE_CONTENT_H

#include "base/cursor.h"

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

/* 1 to 7 bytes, the first the lowest. Larger loads may overlap: they agree. */
static inline uint64_t cat_load_few(const uint8_t *p, size_t len)
{
    const size_t half = len / 2, end = len - 1;

    if (len >= 4)
        return lvl_load_u32le(p) | (uint64_t)lvl_load_u32le(p + len - 4) << 8 * (len - 4);
    return p[0] | (uint64_t)p[half] << 8 * half | (uint64_t)p[end] << 8 * end;
}

static inline void cat_mix_bytes(cat_pair *h, const void *data, size_t len)
{
    const uint8_t *p = data;

    cat_mix(h, len);
    for (; len >= 8; len -= 8, p += 8)
        cat_mix(h, lvl_load_u64le(p));
    if (len)
        cat_mix(h, cat_load_few(p, len));
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
