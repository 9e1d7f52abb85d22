/*
 * codec/deflate_symbols.c: see codec/deflate_symbols.h.
 */
#include "codec/deflate_symbols.h"
#include "base/cursor.h"

#include <string.h>

enum { FAST_BITS = LVL_DEFLATE_FAST_BITS, MAX_BITS = 15, MIN_MATCH = 3 };

static const lvl_deflate_symbol stream_end = {0, 0};

/* ---- bits -------------------------------------------------------------------------------------------- */

/* At least 56 bits are there afterwards. */
static inline void refill(lvl_deflate_symbols *s)
{
    if (s->at + 8 <= s->in.len) {
        s->bits |= lvl_load_u64le(s->in.ptr + s->at) << s->bit_count;
        s->at += (63 - s->bit_count) >> 3;
        s->bit_count |= 56;
        return;
    }
    for (; s->bit_count <= 56; s->bit_count += 8, s->at++)
        s->bits |= (uint64_t)(s->at < s->in.len ? s->in.ptr[s->at] : 0) << s->bit_count;
}

static inline unsigned take_bits(lvl_deflate_symbols *s, unsigned count)
{
    const unsigned value = (unsigned)(s->bits & (((uint64_t)1 << count) - 1));

    s->bits >>= count;
    s->bit_count -= count;
    return value;
}

/* Whether bits were taken that the stream does not have. */
static bool is_beyond(const lvl_deflate_symbols *s)
{
    return s->at > s->in.len + s->bit_count / 8;
}

/* ---- codes ------------------------------------------------------------------------------------------- */

/* False: there are more codes of a length than fit. */
static bool make_code(lvl_deflate_code *code, const uint8_t *lengths, unsigned count)
{
    unsigned first[MAX_BITS + 2] = {0}, next = 0, room = 1;

    memset(code, 0, sizeof *code);
    for (unsigned i = 0; i < count; i++)
        code->count[lengths[i]]++;
    code->count[0] = 0;
    for (unsigned bits = 1; bits <= MAX_BITS; bits++) {
        room <<= 1;
        if (code->count[bits] > room)
            return false;
        room -= code->count[bits];
        first[bits + 1] = first[bits] + code->count[bits];
    }
    for (unsigned i = 0; i < count; i++) {
        if (lengths[i])
            code->symbols[first[lengths[i]]++] = (uint16_t)i;
    }
    for (unsigned bits = 1, at = 0; bits <= FAST_BITS; bits++, next <<= 1) {
        for (unsigned i = 0; i < code->count[bits]; i++, next++) {
            unsigned reversed = 0;
            for (unsigned k = 0; k < bits; k++)
                reversed |= (next >> k & 1) << (bits - 1 - k);
            for (; reversed < 1 << FAST_BITS; reversed += 1u << bits)
                code->fast[reversed] = (uint16_t)(code->symbols[at] << 4 | bits);
            at++;
        }
    }
    return true;
}

/* The next symbol of that code; -1: none has these bits. At least 15 bits must be there. */
static inline int decode(lvl_deflate_symbols *s, const lvl_deflate_code *code)
{
    const unsigned entry = code->fast[s->bits & ((1 << FAST_BITS) - 1)];
    unsigned value = 0, first = 0, at = 0;

    if (entry) {
        take_bits(s, entry & 15);
        return (int)(entry >> 4);
    }
    for (unsigned bits = 1; bits <= MAX_BITS; bits++) {
        value |= take_bits(s, 1);
        if (value - first < code->count[bits])
            return code->symbols[at + value - first];
        at += code->count[bits];
        first = (first + code->count[bits]) << 1;
        value <<= 1;
    }
    return -1;
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

static bool begin_stored(lvl_deflate_symbols *s)
{
    take_bits(s, s->bit_count & 7);
    refill(s);
    s->stored = take_bits(s, 16);
    return take_bits(s, 16) == (~s->stored & 0xffff);
}

static void begin_fixed(lvl_deflate_symbols *s)
{
    uint8_t lengths[288];

    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    make_code(&s->litlen, lengths, 288);
    memset(lengths, 5, LVL_DEFLATE_DISTS);
    make_code(&s->dist, lengths, LVL_DEFLATE_DISTS);
}

/* The lengths of both codes, which are themselves coded. */
static bool read_lengths(lvl_deflate_symbols *s, uint8_t *lengths, unsigned count)
{
    unsigned n = 0;

    while (n < count) {
        refill(s);
        const int symbol = decode(s, &s->litlen);
        unsigned repeat = 1;
        uint8_t length = 0;
        if (symbol < 0 || (symbol == 16 && !n))
            return false;
        if (symbol < 16)
            length = (uint8_t)symbol;
        else if (symbol == 16)
            length = lengths[n - 1];
        if (symbol >= 16)
            repeat = symbol == 16   ? 3 + take_bits(s, 2)
                     : symbol == 17 ? 3 + take_bits(s, 3)
                                    : 11 + take_bits(s, 7);
        if (repeat > count - n)
            return false;
        memset(lengths + n, length, repeat);
        n += repeat;
    }
    return true;
}

static bool begin_dynamic(lvl_deflate_symbols *s)
{
    uint8_t lengths[LVL_DEFLATE_LITLENS + 32] = {0};
    const unsigned litlens = 257 + take_bits(s, 5), dists = 1 + take_bits(s, 5), codes = 4 + take_bits(s, 4);

    if (litlens > LVL_DEFLATE_LITLENS || dists > LVL_DEFLATE_DISTS)
        return false;
    for (unsigned i = 0; i < codes; i++) {
        refill(s);
        lengths[lvl_deflate_code_order[i]] = (uint8_t)take_bits(s, 3);
    }
    if (!make_code(&s->litlen, lengths, LVL_DEFLATE_CODES))
        return false;
    memset(lengths, 0, LVL_DEFLATE_CODES);
    return read_lengths(s, lengths, litlens + dists) && make_code(&s->litlen, lengths, litlens) &&
           make_code(&s->dist, lengths + litlens, dists);
}

/* A stored block is left with its bytes in `stored`, since no codes follow. */
static bool begin_block(lvl_deflate_symbols *s)
{
    refill(s);
    s->last = take_bits(s, 1);
    const unsigned kind = take_bits(s, 2);
    s->in_block = kind != 0;
    switch (kind) {
    case 0: return begin_stored(s);
    case 1: begin_fixed(s); return true;
    case 2: return begin_dynamic(s);
    default: return false;
    }
}

void lvl_deflate_symbols_begin(lvl_deflate_symbols *s, lvl_bytes stream)
{
    s->in = stream;
    s->at = 0;
    s->bits = 0;
    s->bit_count = 0;
    s->stored = 0;
    s->in_block = s->last = false;
}

/* The bytes of a stored block, of which some may have been taken as bits. */
static lvl_deflate_symbol take_stored(lvl_deflate_symbols *s)
{
    const lvl_deflate_symbol literals = {0, (uint32_t)s->stored};

    s->at = s->at - s->bit_count / 8 + s->stored;
    s->bits = 0;
    s->bit_count = 0;
    s->stored = 0;
    return is_beyond(s) ? stream_end : literals;
}

static lvl_deflate_symbol take_match(lvl_deflate_symbols *s, unsigned length_code)
{
    if (length_code >= LVL_COUNT_OF(lvl_deflate_length_base))
        return stream_end;
    const uint32_t length = MIN_MATCH + lvl_deflate_length_base[length_code] +
                            take_bits(s, lvl_deflate_length_extra[length_code]);
    const int dist = decode(s, &s->dist);
    if (dist < 0 || is_beyond(s))
        return stream_end;
    return (lvl_deflate_symbol){lvl_deflate_dist_base[dist] + 1u + take_bits(s, lvl_deflate_dist_extra[dist]),
                                length};
}

static lvl_deflate_symbol next_symbol(lvl_deflate_symbols *s)
{
    for (;;) {
        if (!s->in_block) {
            if (s->last || !begin_block(s))
                return stream_end;
            if (s->stored)
                return take_stored(s);
            continue;
        }
        refill(s);
        const int symbol = decode(s, &s->litlen);
        if (symbol < 0 || is_beyond(s))
            return stream_end;
        if (symbol > LVL_DEFLATE_END)
            return take_match(s, (unsigned)symbol - LVL_DEFLATE_END - 1);
        if (symbol < LVL_DEFLATE_END)
            return (lvl_deflate_symbol){0, 1};
        s->in_block = false;
    }
}

lvl_deflate_symbol lvl_deflate_symbols_next(lvl_deflate_symbols *s)
{
    const lvl_deflate_symbol symbol = next_symbol(s);

    if (!symbol.length) {
        s->last = true;
        s->in_block = false;
    }
    return symbol;
}
