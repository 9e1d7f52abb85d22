/*
 * codec/deflate_encoder.c: see codec/deflate_encoder.h.
 */
#include "codec/deflate_encoder.h"

void lvl_deflate_insert_range(lvl_deflate_encoder *e, size_t from, size_t to, size_t run)
{
    if (run > 2 && run <= to - from) {
        /* In a run all positions have one hash, and each follows the one before. */
        lvl_deflate_insert(e, from);
        for (size_t pos = from + 1; pos < from + run;) {
            const size_t slot = pos & (LVL_DEFLATE_WINDOW - 1), room = LVL_DEFLATE_WINDOW - slot;
            const size_t n = from + run - pos < room ? from + run - pos : room;
            for (size_t i = 0; i < n; i++)
                e->prev[slot + i] = (uint32_t)(pos + i - 1);
            pos += n;
        }
        from += run;
        e->head[lvl_deflate_hash(e->data + from - 1)] = (uint32_t)(from - 1);
    }
    for (; from < to; from++)
        lvl_deflate_insert(e, from);
}

/* It ended a block that packs to less than half and of which most symbols are literals. */
bool lvl_deflate_is_classic_end(const lvl_deflate_encoder *e, size_t pos)
{
    const lvl_deflate_block *b = &e->block;
    uint64_t bits = (uint64_t)b->count * 8;

    for (int i = 0; i < LVL_DEFLATE_DISTS; i++)
        bits += (uint64_t)b->dist_freq[i] * (5u + lvl_deflate_dist_extra[i]);
    return b->matches < b->count / 2 && bits >> 3 < (pos - e->block_start) / 2;
}

bool lvl_deflate_end_block(lvl_deflate_encoder *e, size_t pos, bool last)
{
    lvl_bytes stored = {e->block_start >= e->base ? e->data + e->block_start : NULL, pos - e->block_start};

    lvl_deflate_block_write(&e->block, &e->sink, stored, stored.len, last);
    e->block_start = pos;
    return e->sink.out->status == LVL_OK;
}
