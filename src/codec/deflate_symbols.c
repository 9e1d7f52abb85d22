/*
 * codec/deflate_symbols.c: see codec/deflate_symbols.h.
 */
#include "codec/deflate_symbols.h"
#include "base/cursor.h"

#include <string.h>

enum { FAST_BITS = LVL_DEFLATE_FAST_BITS, MAX_BITS = LVL_DEFLATE_MAX_BITS, MIN_MATCH = 3 };

static const lvl_deflate_symbol stream_end = {0, 0};

/* What was read. After BROKEN nothing may be read. */
typedef enum step {
    BROKEN,
    BLOCK, /* the start of a block with codes */
    STORED, /* a whole stored block; the symbol has the number of its bytes, perhaps none */
    SYMBOL,
    BLOCK_END, /* the symbol that ends a block with codes */
    STREAM_END /* nothing was read: no block follows */
} step;

/* ---- bits -------------------------------------------------------------------------------------------- */

/* At least 56 bits are there afterwards. */
static inline void refill(lvl_bitsource *b)
{
    if (b->at + 8 <= b->in.len) {
        b->bits |= lvl_load_u64le(b->in.ptr + b->at) << b->count;
        b->at += (63 - b->count) >> 3;
        b->count |= 56;
        return;
    }
    for (; b->count <= 56; b->count += 8, b->at++)
        b->bits |= (uint64_t)(b->at < b->in.len ? b->in.ptr[b->at] : 0) << b->count;
}

static inline unsigned take_bits(lvl_bitsource *b, unsigned count)
{
    const unsigned value = (unsigned)(b->bits & (((uint64_t)1 << count) - 1));

    b->bits >>= count;
    b->count -= count;
    return value;
}

/* Whether bits were taken that the stream does not have. */
static bool is_beyond(const lvl_bitsource *b)
{
    return b->at > b->in.len + b->count / 8;
}

/* ---- codes ------------------------------------------------------------------------------------------- */

/* The lowest 15 bits in reverse order. */
static inline unsigned reverse15(unsigned v)
{
    v = (v & 0x5555) << 1 | (v >> 1 & 0x5555);
    v = (v & 0x3333) << 2 | (v >> 2 & 0x3333);
    v = (v & 0x0f0f) << 4 | (v >> 4 & 0x0f0f);
    v = (v & 0x00ff) << 8 | (v >> 8 & 0x00ff);
    return v >> 1;
}

/* False: there are more codes of a length than fit. */
static bool make_code(lvl_deflate_code *code, const uint8_t *lengths, unsigned count)
{
    unsigned counts[MAX_BITS + 1] = {0}, place[MAX_BITS + 2] = {0}, next[MAX_BITS + 2] = {0};

    memset(code->fast, 0, sizeof code->fast);
    for (unsigned i = 0; i < count; i++)
        counts[lengths[i]]++;
    counts[0] = 0;
    for (unsigned bits = 1, end = 0; bits <= MAX_BITS; bits++) {
        next[bits] = end << 1;
        end = next[bits] + counts[bits];
        if (end > 1u << bits)
            return false;
        code->limit[bits] = (uint16_t)(end << (MAX_BITS - bits));
        code->base[bits] = (uint16_t)(next[bits] - place[bits]);
        place[bits + 1] = place[bits] + counts[bits];
    }
    for (unsigned i = 0; i < count; i++) {
        const unsigned bits = lengths[i];
        if (!bits)
            continue;
        code->symbols[place[bits]++] = (uint16_t)i;
        const unsigned reversed = reverse15(next[bits]++ << (MAX_BITS - bits));
        for (unsigned at = reversed; at < 1 << FAST_BITS && bits <= FAST_BITS; at += 1u << bits)
            code->fast[at] = (uint16_t)(i << 4 | bits);
    }
    return true;
}

/* The symbol of a code that is longer than those of `fast`, << 4 | length; 0: none has these bits. */
static unsigned decode_long(const lvl_deflate_code *code, uint64_t bits)
{
    const unsigned value = reverse15((unsigned)bits & 0x7fff);

    for (unsigned n = FAST_BITS + 1; n <= MAX_BITS; n++) {
        if (value < code->limit[n])
            return (unsigned)code->symbols[(uint16_t)((value >> (MAX_BITS - n)) - code->base[n])] << 4 | n;
    }
    return 0;
}

/* The next symbol of that code; -1: none has these bits. At least 15 bits must be there. */
static inline int decode(lvl_bitsource *b, const lvl_deflate_code *code)
{
    unsigned entry = code->fast[b->bits & ((1 << FAST_BITS) - 1)];

    if (!entry && !(entry = decode_long(code, b->bits)))
        return -1;
    take_bits(b, entry & 15);
    return (int)(entry >> 4);
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

static void begin_fixed(lvl_deflate_symbols *s)
{
    uint8_t lengths[288];

    if (s->fixed)
        return;
    s->fixed = true;
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
        refill(&s->bits);
        const int symbol = decode(&s->bits, &s->litlen);
        unsigned repeat = 1;
        uint8_t length = 0;
        if (symbol < 0 || (symbol == 16 && !n))
            return false;
        if (symbol < 16)
            length = (uint8_t)symbol;
        else if (symbol == 16)
            length = lengths[n - 1];
        if (symbol >= 16)
            repeat = symbol == 16   ? 3 + take_bits(&s->bits, 2)
                     : symbol == 17 ? 3 + take_bits(&s->bits, 3)
                                    : 11 + take_bits(&s->bits, 7);
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
    const unsigned litlens = 257 + take_bits(&s->bits, 5), dists = 1 + take_bits(&s->bits, 5),
                   codes = 4 + take_bits(&s->bits, 4);

    s->fixed = false;
    if (litlens > LVL_DEFLATE_LITLENS || dists > LVL_DEFLATE_DISTS)
        return false;
    for (unsigned i = 0; i < codes; i++) {
        refill(&s->bits);
        lengths[lvl_deflate_code_order[i]] = (uint8_t)take_bits(&s->bits, 3);
    }
    if (!make_code(&s->litlen, lengths, LVL_DEFLATE_CODES))
        return false;
    memset(lengths, 0, LVL_DEFLATE_CODES);
    return read_lengths(s, lengths, litlens + dists) && make_code(&s->litlen, lengths, litlens) &&
           make_code(&s->dist, lengths + litlens, dists);
}

/* A stored block is read with its bytes, of which some may have been taken as bits. */
static step read_stored(lvl_deflate_symbols *s, lvl_deflate_symbol *symbol)
{
    take_bits(&s->bits, s->bits.count & 7);
    refill(&s->bits);
    const unsigned size = take_bits(&s->bits, 16);
    if (take_bits(&s->bits, 16) != (~size & 0xffff))
        return BROKEN;
    *symbol = (lvl_deflate_symbol){0, size};
    s->bits.at = s->bits.at - s->bits.count / 8 + size;
    s->bits.bits = 0;
    s->bits.count = 0;
    return is_beyond(&s->bits) ? BROKEN : STORED;
}

static step begin_block(lvl_deflate_symbols *s, lvl_deflate_symbol *symbol)
{
    refill(&s->bits);
    s->last = take_bits(&s->bits, 1);
    const unsigned kind = take_bits(&s->bits, 2);
    if (kind == 0)
        return read_stored(s, symbol);
    s->in_block = true;
    if (kind == 1)
        begin_fixed(s);
    else if (kind != 2 || !begin_dynamic(s))
        return BROKEN;
    return is_beyond(&s->bits) ? BROKEN : BLOCK;
}

void lvl_deflate_symbols_begin(lvl_deflate_symbols *s, lvl_bytes stream)
{
    s->bits = (lvl_bitsource){.in = stream};
    s->in_block = s->last = s->fixed = false;
}

/* The rest of a match behind its length code. False: it is broken. */
static inline bool take_match(lvl_bitsource *b, const lvl_deflate_code *dists, unsigned length_code,
                              lvl_deflate_symbol *symbol)
{
    if (length_code >= LVL_COUNT_OF(lvl_deflate_length_base))
        return false;
    symbol->length = MIN_MATCH + lvl_deflate_length_base[length_code] +
                     take_bits(b, lvl_deflate_length_extra[length_code]);
    const int dist = decode(b, dists);
    if (dist < 0)
        return false;
    symbol->distance = lvl_deflate_dist_base[dist] + 1u + take_bits(b, lvl_deflate_dist_extra[dist]);
    return true;
}

/* Whether the bytes of a match are those `distance` before. */
static inline bool is_match(lvl_bytes data, size_t at, const lvl_deflate_symbol *m)
{
    return m->length <= data.len - at && m->distance <= at &&
           memcmp(data.ptr + at, data.ptr + at - m->distance, m->length) == 0;
}

size_t lvl_deflate_symbols_copy(lvl_deflate_symbols *s, lvl_deflate_block *block, uint32_t count,
                                lvl_bytes data, size_t at, size_t *last)
{
    lvl_bitsource b = s->bits; /* a copy, which stays in registers */
    uint32_t n = block->count;

    while (s->in_block && n < count && at < data.len && b.at + 8 <= b.in.len) {
        lvl_deflate_symbol m;
        refill(&b);
        const uint64_t bits = b.bits;
        const unsigned bit_count = b.count;
        const int code = decode(&b, &s->litlen);
        const bool literal = code < LVL_DEFLATE_END;
        if (literal ? code != data.ptr[at]
                    : code == LVL_DEFLATE_END ||
                          !take_match(&b, &s->dist, (unsigned)code - LVL_DEFLATE_END - 1, &m) ||
                          !is_match(data, at, &m)) {
            b.bits = bits;
            b.count = bit_count;
            break;
        }
        block->litlen_freq[code]++;
        *last = at;
        if (literal) {
            block->symbols[n++] = (uint32_t)code;
            at++;
            continue;
        }
        block->symbols[n++] = m.distance << 16 | (m.length - MIN_MATCH);
        block->dist_freq[lvl_deflate_dist_code(m.distance)]++;
        block->matches++;
        at += m.length;
    }
    block->count = n;
    s->bits = b;
    return at;
}

static step next_step(lvl_deflate_symbols *s, lvl_deflate_symbol *symbol)
{
    if (!s->in_block)
        return s->last ? STREAM_END : begin_block(s, symbol);
    refill(&s->bits);
    const int code = decode(&s->bits, &s->litlen);
    *symbol = (lvl_deflate_symbol){0, 1};
    if (code < 0 ||
        (code > LVL_DEFLATE_END &&
         !take_match(&s->bits, &s->dist, (unsigned)code - LVL_DEFLATE_END - 1, symbol)) ||
        is_beyond(&s->bits))
        return BROKEN;
    s->in_block = code != LVL_DEFLATE_END;
    return s->in_block ? SYMBOL : BLOCK_END;
}

lvl_deflate_symbol lvl_deflate_symbols_next(lvl_deflate_symbols *s)
{
    lvl_deflate_symbol symbol;

    for (;;) {
        switch (next_step(s, &symbol)) {
        case SYMBOL: return symbol;
        case STORED:
            if (symbol.length)
                return symbol;
            break;
        case BROKEN:
        case STREAM_END:
            s->last = true;
            s->in_block = false;
            return stream_end;
        default: break;
        }
    }
}
