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

#include "codec/deflate_encoder.h"
#include "codec/deflate_quick.h"
#include "codec/deflate_reuse.h"
#include "base/buffer.h"

#include <libdeflate.h>
#include <stdlib.h>

enum {
    HEADER = 2, /* bytes of a zlib stream */
    CHECKSUM = 4
};

static const lvl_deflate_level level6 = {8, 16, 128, 128, 0x9c};
static const lvl_deflate_level level9 = {32, 258, 258, 4096, 0xda};

static const lvl_deflate_level *level_of(lvl_deflate_style style)
{
    return style == LVL_DEFLATE_LEVEL9 ? &level9 : &level6;
}

/* ---- the lazy matcher -------------------------------------------------------------------------------- */

/* The length of the longest match for `pos` that is longer than `best`, starting with the candidate `at`;
 * *match gets where it begins. Without one, `best`, at most what remains. */
static unsigned find_longest(const lvl_deflate_encoder *e, size_t pos, uint32_t at, unsigned best,
                             size_t *match)
{
    const uint8_t *scan = e->data + pos;
    size_t left = e->len - pos;
    unsigned max = left < LVL_DEFLATE_MAX_MATCH ? (unsigned)left : LVL_DEFLATE_MAX_MATCH;
    unsigned nice = e->level->nice < max ? e->level->nice : max;
    unsigned chain = best >= e->level->good ? e->level->chain >> 2 : e->level->chain;
    uint32_t limit = pos > LVL_DEFLATE_MAX_DISTANCE ? (uint32_t)(pos - LVL_DEFLATE_MAX_DISTANCE) : 0;

    if (best >= max)
        return max;
    do {
        const uint8_t *cand = e->data + at;
        if (cand[best] != scan[best] || cand[best - 1] != scan[best - 1] || cand[0] != scan[0])
            continue;
        unsigned n = lvl_deflate_common_length(cand, scan, max);
        if (n > best) {
            *match = at;
            best = n;
            if (n >= nice)
                break;
        }
    } while ((at = e->prev[at & (LVL_DEFLATE_WINDOW - 1)]) > limit && --chain);
    return best;
}

/* The same for a lazy search, of which the one at the byte before found `before`; MIN_MATCH - 1: none is
 * worth it. */
static inline unsigned search_lazily(const lvl_deflate_encoder *e, size_t pos, uint32_t candidate,
                                     unsigned before, size_t *match)
{
    if (!candidate || before >= e->level->lazy || pos - candidate > LVL_DEFLATE_MAX_DISTANCE)
        return LVL_DEFLATE_MIN_MATCH - 1;
    const unsigned length = find_longest(e, pos, candidate, before, match);
    return length == LVL_DEFLATE_MIN_MATCH && pos - *match > LVL_DEFLATE_TOO_FAR ? length - 1 : length;
}

/* Encodes all data into blocks, with the symbols of the source (NULL: none) where it has the same. */
static void encode(lvl_deflate_encoder *e, lvl_deflate_source *source)
{
    const size_t len = e->len;
    size_t pos = 0, match = 0;
    unsigned length = LVL_DEFLATE_MIN_MATCH - 1;
    bool waiting = false; /* the byte before pos is not written yet: a longer match may start here */

    lvl_deflate_block_start(&e->block);
    while (pos < len) {
        if (!waiting && source && !source->ended) {
            pos = lvl_deflate_reuse(source, e, pos, &waiting);
            if (pos == len || e->sink.out->status != LVL_OK)
                break;
        }
        const uint32_t candidate = len - pos >= LVL_DEFLATE_MIN_MATCH ? lvl_deflate_insert(e, pos) : 0;
        const unsigned before = length;
        const size_t before_match = match;

        length = search_lazily(e, pos, candidate, before, &match);
        if (before >= LVL_DEFLATE_MIN_MATCH && length <= before) {
            const size_t distance = pos - 1 - before_match, end = pos + before - 1;
            if (!lvl_deflate_put_match(e, pos - 1, distance, before))
                return;
            /* Positions with less than three bytes left are not inserted. */
            const size_t to = end < len - 2 ? end : len - 2;
            if (pos + 1 < to)
                lvl_deflate_insert_range(e, pos + 1, to, distance == 1 && before > 5 ? before - 4 : 0);
            pos = end;
            waiting = false;
            length = LVL_DEFLATE_MIN_MATCH - 1;
        } else {
            if (waiting && !lvl_deflate_put_literal(e, pos - 1))
                return;
            waiting = true;
            pos++;
        }
    }
    lvl_deflate_move_window(e, pos);
    if (waiting)
        (void)lvl_deflate_add_literal(e, e->data[pos - 1], pos);
    if (lvl_deflate_end_block(e, pos, true))
        lvl_bitsink_align(&e->sink);
}

/* ---- streams ----------------------------------------------------------------------------------------- */

static lvl_status deflate(lvl_bytes in, lvl_deflate_style style, lvl_deflate_source *source, lvl_buffer *out)
{
    lvl_deflate_encoder *e;
    uint32_t adler = lvl_adler32(in);
    const uint8_t tail[CHECKSUM] = {(uint8_t)(adler >> 24), (uint8_t)(adler >> 16), (uint8_t)(adler >> 8),
                                    (uint8_t)adler};

    if (in.len > UINT32_MAX - LVL_DEFLATE_LOOKAHEAD)
        return LVL_ERR_LIMIT;
    e = calloc(1, sizeof *e);
    if (!e)
        return LVL_ERR_MEMORY;
    e->sink.out = out;
    e->level = level_of(style);
    e->classic = style == LVL_DEFLATE_CLASSIC6;
    e->data = in.ptr ? in.ptr : (const uint8_t *)""; /* arithmetic on NULL is undefined */
    e->len = in.len;
    lvl_buffer_u8(out, 0x78);
    lvl_buffer_u8(out, e->level->flags);
    if (style == LVL_DEFLATE_QUICK)
        lvl_deflate_encode_quick(e);
    else
        encode(e, source);
    lvl_buffer_add(out, tail, sizeof tail);
    free(e);
    return out->status;
}

lvl_status lvl_deflate_zlib(lvl_bytes in, lvl_deflate_style style, lvl_buffer *out)
{
    return deflate(in, style, NULL, out);
}

lvl_status lvl_deflate_zlib_edited(lvl_bytes in, lvl_deflate_style style, lvl_bytes stream, lvl_bytes was,
                                   lvl_buffer *out)
{
    if (!in.len || !was.len || stream.len < HEADER)
        return deflate(in, style, NULL, out);
    lvl_deflate_source *source = calloc(1, sizeof *source);
    if (!source)
        return LVL_ERR_MEMORY;
    const lvl_bytes symbols = {stream.ptr + HEADER, stream.len - HEADER};
    lvl_deflate_source_begin(source, in, was, symbols, level_of(style));
    const lvl_status status = deflate(in, style, source, out);
    free(source);
    return status;
}

lvl_status lvl_deflate_raw(lvl_bytes in, lvl_buffer *out)
{
    const size_t at = out->len;
    const bool large = in.len > (size_t)64 << 10;
    const lvl_status status = lvl_deflate_zlib(in, large ? LVL_DEFLATE_QUICK : LVL_DEFLATE_LEVEL6, out);

    if (status != LVL_OK)
        return status;
    out->len -= HEADER + CHECKSUM;
    memmove(out->data + at, out->data + at + HEADER, out->len - at);
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
