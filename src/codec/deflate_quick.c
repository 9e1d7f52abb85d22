/*
 * codec/deflate_quick.c: large data that need not be reproduced. Looks at two candidates, and takes the
 * longer match at once.
 */
#include "codec/deflate_quick.h"

enum { MIN_QUICK = 4 /* bytes that are hashed: shorter matches are not found */ };

/* The candidates for `pos`, which is inserted: the last two positions with the same hash of four bytes. */
static inline uint32_t insert_quick(lvl_deflate_encoder *e, size_t pos, uint32_t *second)
{
    uint32_t *const last = e->head + 2 * (lvl_load_u32le(e->data + pos) * 0x9E3779B1u >> 18);
    const uint32_t first = last[0];

    *second = last[1];
    last[1] = first;
    last[0] = (uint32_t)pos;
    return first;
}

/* The length of the longer match; *match gets where it begins, or stays if there is none. */
static inline unsigned choose_longer(const lvl_deflate_encoder *e, size_t pos, const uint32_t candidates[2],
                                     uint32_t *match)
{
    const uint8_t *const scan = e->data + pos;
    const unsigned max =
        e->len - pos < LVL_DEFLATE_MAX_MATCH ? (unsigned)(e->len - pos) : LVL_DEFLATE_MAX_MATCH;
    unsigned length = MIN_QUICK - 1;

    for (int i = 0; i < 2 && candidates[i] && pos - candidates[i] <= LVL_DEFLATE_MAX_DISTANCE; i++) {
        const uint8_t *at = e->data + candidates[i];
        if (length >= max || at[length] != scan[length] || memcmp(at, scan, MIN_QUICK) != 0)
            continue;
        const unsigned n = lvl_deflate_common_length(at, scan, max);
        if (n > length) {
            length = n;
            *match = candidates[i];
        }
    }
    return length;
}

void lvl_deflate_encode_quick(lvl_deflate_encoder *e)
{
    const size_t len = e->len;
    const size_t last = len < MIN_QUICK ? 0 : len - MIN_QUICK + 1; /* behind the last that can be hashed */
    bool full = false;

    lvl_deflate_block_start(&e->block);
    for (size_t pos = 0; pos < len;) {
        uint32_t candidates[2] = {0, 0}, match = 0;
        if (pos < last)
            candidates[0] = insert_quick(e, pos, &candidates[1]);
        const unsigned length = choose_longer(e, pos, candidates, &match);
        if (match) {
            full = lvl_deflate_add_match(e, pos - match, length, pos);
            const size_t end = pos + length, to = end < last ? end : last;
            for (size_t k = pos + 1; k < to; k++)
                (void)insert_quick(e, k, &candidates[1]);
            pos = end;
        } else {
            full = lvl_deflate_add_literal(e, e->data[pos], pos);
            pos++;
        }
        lvl_deflate_move_window(e, pos);
        if (full && !lvl_deflate_end_block(e, pos, false))
            return;
    }
    if (lvl_deflate_end_block(e, len, true))
        lvl_bitsink_align(&e->sink);
}
