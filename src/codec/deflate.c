/*
 * codec/deflate.c: zlib streams written as zlib itself would, and checksums.
 *
 * Why not zlib: a dump can leave out a level's stream only if it can be reproduced. The zlib of the nineties
 * ended blocks early by a rule that was removed in 1998, and the zlib of today differs from system to system.
 * So this is zlib's lazy matcher at the levels that editors use, with that rule as an option. It is optimized
 * for levels: long runs of one byte are encoded at copying speed.
 *
 * What determines the bits, besides the block writer: a window of 32 KiB; a hash of three bytes (15 bits);
 * distances up to 32768 - 262; the first byte is never matched (its position means "none"); matches of three
 * bytes at distances up to 4096; chains limited by the level's four numbers; blocks of 16383 symbols.
 */
#include "codec/deflate.h"

#include "codec/deflate_block.h"
#include "base/buffer.h"
#include "base/cursor.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 32768,
    MASK = WINDOW - 1,
    MIN_MATCH = 3,
    MAX_MATCH = 258,
    MIN_LOOKAHEAD = MAX_MATCH + MIN_MATCH + 1,
    MAX_DISTANCE = WINDOW - MIN_LOOKAHEAD,
    TOO_FAR = 4096, /* a match of three isn't worth a longer distance */
    CLASSIC_PERIOD = 4096
};

struct level {
    unsigned good; /* a previous match this long: search a quarter as hard */
    unsigned lazy; /* a previous match this long: don't search at all */
    unsigned nice; /* long enough: stop searching */
    unsigned chain;
    uint8_t flags; /* second byte of the header */
};

static const struct level level6 = {8, 16, 128, 128, 0x9c};
static const struct level level9 = {32, 258, 258, 4096, 0xda};

struct encoder {
    lvl_deflate_block block;
    lvl_bitsink sink;
    const struct level *level;
    bool classic;
    const uint8_t *data;
    size_t len;
    size_t block_start;
    size_t base; /* start of zlib's window: bytes before it cannot be stored */
    uint32_t head[WINDOW]; /* by hash: the last position, 0 for none; of the quick style the last two */
    uint32_t prev[WINDOW]; /* by position: the one before it with the same hash */
};

/* ---- matching ---------------------------------------------------------------------------------------- */

static inline uint32_t hash3(const uint8_t *p)
{
    return ((uint32_t)p[0] << 10 ^ (uint32_t)p[1] << 5 ^ p[2]) & MASK;
}

static inline uint32_t insert(struct encoder *e, size_t pos)
{
    uint32_t h = hash3(e->data + pos), before = e->head[h];

    e->prev[pos & MASK] = before;
    e->head[h] = (uint32_t)pos;
    return before;
}

/* Inserts the positions that a match covers, from `from` up to but excluding `to`; the first `run` bytes are
 * equal. */
static void insert_range(struct encoder *e, size_t from, size_t to, size_t run)
{
    if (run > 2 && run <= to - from) {
        /* In a run all positions have one hash, and each follows the one before. */
        insert(e, from);
        for (size_t pos = from + 1; pos < from + run;) {
            size_t slot = pos & MASK;
            size_t n = from + run - pos < WINDOW - slot ? from + run - pos : WINDOW - slot;
            for (size_t i = 0; i < n; i++)
                e->prev[slot + i] = (uint32_t)(pos + i - 1);
            pos += n;
        }
        from += run;
        e->head[hash3(e->data + from - 1)] = (uint32_t)(from - 1);
    }
    for (; from < to; from++)
        insert(e, from);
}

static inline unsigned common_length(const uint8_t *a, const uint8_t *b, unsigned max)
{
    unsigned n = 0;

    while (n + 8 <= max && !memcmp(a + n, b + n, 8))
        n += 8;
    while (n < max && a[n] == b[n])
        n++;
    return n;
}

/* The longest match for `pos` that is longer than `best`, starting with the candidate `at`; without one,
 * `best`, at most what remains. */
static unsigned longest_match(const struct encoder *e, size_t pos, uint32_t at, unsigned best, size_t *match)
{
    const uint8_t *scan = e->data + pos;
    size_t left = e->len - pos;
    unsigned max = left < MAX_MATCH ? (unsigned)left : MAX_MATCH;
    unsigned nice = e->level->nice < max ? e->level->nice : max;
    unsigned chain = best >= e->level->good ? e->level->chain >> 2 : e->level->chain;
    uint32_t limit = pos > MAX_DISTANCE ? (uint32_t)(pos - MAX_DISTANCE) : 0;

    if (best >= max)
        return max;
    do {
        const uint8_t *cand = e->data + at;
        if (cand[best] != scan[best] || cand[best - 1] != scan[best - 1] || cand[0] != scan[0])
            continue;
        unsigned n = common_length(cand, scan, max);
        if (n > best) {
            *match = at;
            best = n;
            if (n >= nice)
                break;
        }
    } while ((at = e->prev[at & MASK]) > limit && --chain);
    return best;
}

/* ---- symbols and blocks ------------------------------------------------------------------------------ */

/* zlib before 1.1: every 4096 symbols, end the block if it packs to less than half and most symbols are
 * literals. */
static bool classic_end(const struct encoder *e, size_t pos)
{
    const lvl_deflate_block *b = &e->block;
    uint64_t bits = (uint64_t)b->count * 8;

    for (int i = 0; i < LVL_DEFLATE_DISTS; i++)
        bits += (uint64_t)b->dist_freq[i] * (5u + lvl_deflate_dist_extra[i]);
    return b->matches < b->count / 2 && bits >> 3 < (pos - e->block_start) / 2;
}

/* True if the block must end. `pos` is the position of the matcher, which the classic rule needs. */
static inline bool tally_end(const struct encoder *e, size_t pos)
{
    if (e->classic && e->block.count % CLASSIC_PERIOD == 0 && classic_end(e, pos))
        return true;
    return e->block.count == LVL_DEFLATE_SYMBOLS;
}

static inline bool tally_literal(struct encoder *e, uint8_t byte, size_t pos)
{
    e->block.symbols[e->block.count++] = byte;
    e->block.litlen_freq[byte]++;
    return tally_end(e, pos);
}

static inline bool tally_match(struct encoder *e, size_t distance, unsigned length, size_t pos)
{
    unsigned lc = length - MIN_MATCH;

    e->block.symbols[e->block.count++] = (uint32_t)(distance << 16) | lc;
    e->block.matches++;
    e->block.litlen_freq[257 + lvl_deflate_length_codes[lc]]++;
    e->block.dist_freq[lvl_deflate_dist_code((uint32_t)distance)]++;
    return tally_end(e, pos);
}

/* False: the output failed. */
static bool end_block(struct encoder *e, size_t pos, bool last)
{
    lvl_bytes stored = {e->block_start >= e->base ? e->data + e->block_start : NULL, pos - e->block_start};

    lvl_deflate_block_write(&e->block, &e->sink, stored, stored.len, last);
    e->block_start = pos;
    return e->sink.out->status == LVL_OK;
}

/* Moves the start of the window as zlib does: when fewer than 262 bytes of it are left. Only stored blocks
 * depend on it. */
static inline void move_window(struct encoder *e, size_t pos)
{
    size_t at = pos - e->base;

    if (at >= WINDOW + MAX_DISTANCE && (at > WINDOW + MAX_DISTANCE || e->len - pos < MIN_LOOKAHEAD))
        e->base += WINDOW;
}

static void encode(struct encoder *e)
{
    const uint8_t *data = e->data;
    size_t len = e->len, pos = 0, match = 0;
    unsigned length = MIN_MATCH - 1;
    bool waiting = false; /* the byte before pos is not written yet: a longer match may start here */

    lvl_deflate_block_start(&e->block);
    while (pos < len) {
        uint32_t candidate = len - pos >= MIN_MATCH ? insert(e, pos) : 0;
        unsigned before = length;
        size_t before_match = match;
        bool full = false;

        move_window(e, pos);
        length = MIN_MATCH - 1;
        if (candidate && before < e->level->lazy && pos - candidate <= MAX_DISTANCE) {
            length = longest_match(e, pos, candidate, before, &match);
            if (length == MIN_MATCH && pos - match > TOO_FAR)
                length = MIN_MATCH - 1;
        }
        if (before >= MIN_MATCH && length <= before) {
            size_t distance = pos - 1 - before_match;
            size_t end = pos + before - 1;
            full = tally_match(e, distance, before, pos);
            /* Positions with less than three bytes left are not inserted. */
            size_t to = end < len - 2 ? end : len - 2;
            if (pos + 1 < to)
                insert_range(e, pos + 1, to, distance == 1 && before > 5 ? before - 4 : 0);
            pos = end;
            waiting = false;
            length = MIN_MATCH - 1;
            if (full && !end_block(e, pos, false))
                return;
        } else if (waiting) {
            full = tally_literal(e, data[pos - 1], pos);
            if (full && !end_block(e, pos, false))
                return;
            pos++;
        } else {
            waiting = true;
            pos++;
        }
    }
    move_window(e, pos);
    if (waiting)
        (void)tally_literal(e, data[pos - 1], pos);
    if (end_block(e, pos, true))
        lvl_bitsink_align(&e->sink);
}

/* The candidates for `pos`, which is inserted: the last two positions with the same hash of four bytes. */
static inline uint32_t insert_quick(struct encoder *e, size_t pos, uint32_t *second)
{
    uint32_t *const last = e->head + 2 * (lvl_load_u32le(e->data + pos) * 0x9E3779B1u >> 18);
    const uint32_t first = last[0];

    *second = last[1];
    last[1] = first;
    last[0] = (uint32_t)pos;
    return first;
}

/* Takes the longer match of two candidates at once. */
static void encode_quick(struct encoder *e)
{
    const uint8_t *data = e->data;
    const size_t len = e->len, last = len < 4 ? 0 : len - 3; /* behind the last position with four bytes */
    bool full = false;

    lvl_deflate_block_start(&e->block);
    for (size_t pos = 0; pos < len;) {
        const unsigned max = len - pos < MAX_MATCH ? (unsigned)(len - pos) : MAX_MATCH;
        uint32_t candidate[2] = {0, 0}, match = 0;
        unsigned length = MIN_MATCH;
        if (pos < last)
            candidate[0] = insert_quick(e, pos, &candidate[1]);
        for (int i = 0; i < 2 && candidate[i] && pos - candidate[i] <= MAX_DISTANCE; i++) {
            const uint8_t *at = data + candidate[i];
            if (length >= max || at[length] != data[pos + length] || memcmp(at, data + pos, 4) != 0)
                continue;
            const unsigned n = common_length(at, data + pos, max);
            if (n > length) {
                length = n;
                match = candidate[i];
            }
        }
        if (match) {
            full = tally_match(e, pos - match, length, pos);
            const size_t end = pos + length, to = end < last ? end : last;
            for (size_t k = pos + 1; k < to; k++)
                (void)insert_quick(e, k, &candidate[1]);
            pos = end;
        } else {
            full = tally_literal(e, data[pos], pos);
            pos++;
        }
        move_window(e, pos);
        if (full && !end_block(e, pos, false))
            return;
    }
    if (end_block(e, len, true))
        lvl_bitsink_align(&e->sink);
}

lvl_status lvl_deflate_zlib(lvl_bytes in, lvl_deflate_style style, lvl_buffer *out)
{
    const struct level *level = style == LVL_DEFLATE_LEVEL9 ? &level9 : &level6;
    struct encoder *e;
    uint32_t adler = lvl_adler32(in);
    const uint8_t tail[4] = {(uint8_t)(adler >> 24), (uint8_t)(adler >> 16), (uint8_t)(adler >> 8),
                             (uint8_t)adler};

    if (in.len > UINT32_MAX - MIN_LOOKAHEAD)
        return LVL_ERR_LIMIT;
    e = calloc(1, sizeof *e);
    if (!e)
        return LVL_ERR_MEMORY;
    e->sink.out = out;
    e->level = level;
    e->classic = style == LVL_DEFLATE_CLASSIC6;
    e->data = in.ptr ? in.ptr : (const uint8_t *)""; /* arithmetic on NULL is undefined */
    e->len = in.len;
    lvl_buffer_u8(out, 0x78);
    lvl_buffer_u8(out, level->flags);
    if (style == LVL_DEFLATE_QUICK)
        encode_quick(e);
    else
        encode(e);
    lvl_buffer_add(out, tail, sizeof tail);
    free(e);
    return out->status;
}

lvl_status lvl_deflate_raw(lvl_bytes in, lvl_buffer *out)
{
    const size_t at = out->len;
    const bool large = in.len > (size_t)64 << 10;
    const lvl_status status = lvl_deflate_zlib(in, large ? LVL_DEFLATE_QUICK : LVL_DEFLATE_LEVEL6, out);

    if (status != LVL_OK)
        return status;
    memmove(out->data + at, out->data + at + 2,
            out->len - at - 6); /* without the header of two bytes and the checksum */
    out->len -= 6;
    return LVL_OK;
}

lvl_status lvl_deflate_gzip(lvl_bytes in, lvl_buffer *out)
{
    static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF};

    lvl_buffer_add(out, head, sizeof head);
    if (out->status != LVL_OK)
        return out->status;
    const lvl_status status = lvl_deflate_raw(in, out);
    if (status != LVL_OK)
        return status;
    lvl_buffer_u32le(out, lvl_crc32(in));
    lvl_buffer_u32le(out, (uint32_t)in.len);
    return out->status;
}

uint32_t lvl_adler32(lvl_bytes in)
{
    return in.len ? libdeflate_adler32(1, in.ptr, in.len) : 1;
}

uint32_t lvl_crc32(lvl_bytes in)
{
    return in.len ? libdeflate_crc32(0, in.ptr, in.len) : 0;
}
