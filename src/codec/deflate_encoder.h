/*
 * codec/deflate_encoder.h: what the matchers (codec/deflate.c, codec/deflate_quick.c) and the reuse of
 * another stream's symbols (codec/deflate_reuse.c) share: chains of positions with one hash, and the symbols
 * of the block that is being filled. Inner header of codec/deflate.c.
 */
#ifndef LVL_CODEC_DEFLATE_ENCODER_H
#define LVL_CODEC_DEFLATE_ENCODER_H

#include "codec/deflate_block.h"

#include <string.h>

enum {
    LVL_DEFLATE_WINDOW = 32768,
    LVL_DEFLATE_MIN_MATCH = 3,
    LVL_DEFLATE_MAX_MATCH = 258,
    LVL_DEFLATE_LOOKAHEAD =
        LVL_DEFLATE_MAX_MATCH + LVL_DEFLATE_MIN_MATCH + 1, /* bytes that zlib reads ahead */
    LVL_DEFLATE_MAX_DISTANCE = LVL_DEFLATE_WINDOW - LVL_DEFLATE_LOOKAHEAD,
    LVL_DEFLATE_TOO_FAR = 4096, /* a match of three isn't worth a longer distance */
    LVL_DEFLATE_CLASSIC_PERIOD = 4096 /* symbols after which zlib before 1.1 asked whether to end the block */
};

/* How hard a style searches. */
typedef struct lvl_deflate_level {
    unsigned good; /* a previous match this long: search a quarter as hard */
    unsigned lazy; /* a previous match this long: don't search at all */
    unsigned nice; /* long enough: stop searching */
    unsigned chain; /* candidates that a search looks at */
    uint8_t flags; /* second byte of the header */
} lvl_deflate_level;

typedef struct lvl_deflate_encoder {
    lvl_deflate_block block;
    lvl_bitsink sink;
    const lvl_deflate_level *level;
    bool classic;
    const uint8_t *data;
    size_t len;
    size_t block_start;
    size_t base; /* start of zlib's window: bytes before it cannot be stored */
    /* by hash: the last position, 0 for none; of the quick style the last two */
    uint32_t head[LVL_DEFLATE_WINDOW];
    uint32_t prev[LVL_DEFLATE_WINDOW]; /* by position: the one before it with the same hash */
} lvl_deflate_encoder;

/* ---- matching ---------------------------------------------------------------------------------------- */

/* The hash of three bytes. */
static inline uint32_t lvl_deflate_hash(const uint8_t *p)
{
    return ((uint32_t)p[0] << 10 ^ (uint32_t)p[1] << 5 ^ p[2]) & (LVL_DEFLATE_WINDOW - 1);
}

/* Makes `pos` a candidate for later matches; returns the last one with its hash, 0 for none. */
static inline uint32_t lvl_deflate_insert(lvl_deflate_encoder *e, size_t pos)
{
    uint32_t h = lvl_deflate_hash(e->data + pos), before = e->head[h];

    e->prev[pos & (LVL_DEFLATE_WINDOW - 1)] = before;
    e->head[h] = (uint32_t)pos;
    return before;
}

/* Inserts the positions that a match covers, from `from` up to but excluding `to`; the first `run` bytes are
 * equal. */
void lvl_deflate_insert_range(lvl_deflate_encoder *e, size_t from, size_t to, size_t run);

static inline unsigned lvl_deflate_common_length(const uint8_t *a, const uint8_t *b, unsigned max)
{
    unsigned n = 0;

    while (n + 8 <= max && !memcmp(a + n, b + n, 8))
        n += 8;
    while (n < max && a[n] == b[n])
        n++;
    return n;
}

/* ---- symbols and blocks ------------------------------------------------------------------------------ */

/* Whether zlib before 1.1 ended the block at `pos`, where it asked. */
bool lvl_deflate_is_classic_end(const lvl_deflate_encoder *e, size_t pos);
/* Writes the block, which stands for the bytes up to `pos`. False: the output failed. */
bool lvl_deflate_end_block(lvl_deflate_encoder *e, size_t pos, bool last);

/* True if the block must end. `pos` is the position of the matcher, which the classic rule needs. */
static inline bool lvl_deflate_is_full(const lvl_deflate_encoder *e, size_t pos)
{
    if (e->classic && e->block.count % LVL_DEFLATE_CLASSIC_PERIOD == 0 && lvl_deflate_is_classic_end(e, pos))
        return true;
    return e->block.count == LVL_DEFLATE_SYMBOLS;
}

/* Adds a literal to the block; true if that must end. */
static inline bool lvl_deflate_add_literal(lvl_deflate_encoder *e, uint8_t byte, size_t pos)
{
    e->block.symbols[e->block.count++] = byte;
    e->block.litlen_freq[byte]++;
    return lvl_deflate_is_full(e, pos);
}

/* Adds a match to the block; true if that must end. */
static inline bool lvl_deflate_add_match(lvl_deflate_encoder *e, size_t distance, unsigned length, size_t pos)
{
    unsigned lc = length - LVL_DEFLATE_MIN_MATCH;

    e->block.symbols[e->block.count++] = (uint32_t)(distance << 16) | lc;
    e->block.matches++;
    e->block.litlen_freq[257 + lvl_deflate_length_codes[lc]]++;
    e->block.dist_freq[lvl_deflate_dist_code((uint32_t)distance)]++;
    return lvl_deflate_is_full(e, pos);
}

/* Moves the start of the window as zlib does: when fewer than 262 bytes of it are left. Only stored blocks
 * depend on it. */
static inline void lvl_deflate_move_window(lvl_deflate_encoder *e, size_t pos)
{
    const size_t at = pos - e->base, end = LVL_DEFLATE_WINDOW + LVL_DEFLATE_MAX_DISTANCE;

    if (at >= end && (at > end || e->len - pos < LVL_DEFLATE_LOOKAHEAD))
        e->base += LVL_DEFLATE_WINDOW;
}

/* Writes a literal or a match at `at`, when the matcher is one byte further. False: the output failed. */
static inline bool lvl_deflate_put_literal(lvl_deflate_encoder *e, size_t at)
{
    lvl_deflate_move_window(e, at + 1);
    return !lvl_deflate_add_literal(e, e->data[at], at + 1) || lvl_deflate_end_block(e, at + 1, false);
}

static inline bool lvl_deflate_put_match(lvl_deflate_encoder *e, size_t at, size_t distance, unsigned length)
{
    lvl_deflate_move_window(e, at + 1);
    return !lvl_deflate_add_match(e, distance, length, at + 1) ||
           lvl_deflate_end_block(e, at + length, false);
}

#endif
