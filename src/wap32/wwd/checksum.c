/*
 * wap32/wwd/checksum.c: the checksum in the header, by its three rules: docs/formats/wwd.md, "Checksum". The
 * editor adds one byte too many, for a compressed block a byte of the inflated block. For stored blocks,
 * which begin with 160, the rules game and wapmap give the same sum.
 */
#include "wap32/wwd/internal.h"

/* -n + sum of s[i] - i for i = 1 … n-1. The sum of the positions has a closed form. */
static uint32_t base_sum(lvl_bytes s)
{
    uint64_t n = s.len, sum = 0;

    if (!n)
        return 0;
    for (size_t i = 1; i < s.len;) {
        /* sums of 32 bits, which compilers vectorize */
        size_t end = s.len - i < 65536 ? s.len : i + 65536;
        uint32_t part = 0;
        for (; i < end; i++)
            part += s.ptr[i];
        sum += part;
    }
    uint64_t positions = n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1);
    return (uint32_t)(sum - positions - n);
}

uint32_t lvl_wwd_checksum(uint32_t rule, lvl_bytes stored, lvl_bytes inflated)
{
    switch (rule) {
    case LVL_WWD_CHECKSUM_GAME: {
        uint32_t beyond = inflated.ptr && stored.len < inflated.len ? inflated.ptr[stored.len] : 0;
        return base_sum(stored) + beyond;
    }
    case LVL_WWD_CHECKSUM_WAPMAP: return base_sum(stored) + (stored.len ? stored.ptr[0] : 0u) - 160;
    case LVL_WWD_CHECKSUM_LIBWAP32: return base_sum(inflated.ptr ? inflated : stored);
    default: return 0;
    }
}

uint32_t lvl_wwd_checksum_rule(uint32_t checksum, lvl_bytes stored, lvl_bytes inflated)
{
    for (uint32_t rule = LVL_WWD_CHECKSUM_GAME; rule < LVL_WWD_CHECKSUM_OTHER; rule++) {
        if (lvl_wwd_checksum(rule, stored, inflated) == checksum)
            return rule;
    }
    return LVL_WWD_CHECKSUM_OTHER;
}
