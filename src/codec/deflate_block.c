/*
 * codec/deflate_block.c: see codec/deflate_block.h.
 */
#include "codec/deflate_block.h"
#include "base/buffer.h"

#include <string.h>

enum {
    BL_CODES = LVL_DEFLATE_CODES,
    MAX_SYMBOLS = LVL_DEFLATE_LITLENS,
    MAX_NODES = 2 * MAX_SYMBOLS + 1,
    MAX_BITS = 15
};

const uint8_t lvl_deflate_length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                              2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
const uint8_t lvl_deflate_length_base[29] = {0,  1,  2,  3,  4,  5,  6,  7,  8,   10,  12,  14,  16,  20, 24,
                                             28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 255};
const uint8_t lvl_deflate_dist_extra[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                            6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
const uint16_t lvl_deflate_dist_base[30] = {0,    1,    2,    3,    4,    6,    8,    12,    16,    24,
                                            32,   48,   64,   96,   128,  192,  256,  384,   512,   768,
                                            1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576};
static const uint8_t bl_extra[BL_CODES] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 7};
/* The order in which a dynamic block lists the lengths of its length codes. */
const uint8_t lvl_deflate_code_order[LVL_DEFLATE_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                           11, 4,  12, 3, 13, 2, 14, 1, 15};

const uint8_t lvl_deflate_length_codes[256] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  8,  9,  9,  10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14,
    14, 14, 15, 15, 15, 15, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 17, 17, 17, 18, 18, 18, 18,
    18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19, 19, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
    20, 20, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 22, 22,
    22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 24, 24,
    24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24,
    24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25,
    25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
    26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 28,
};
/* Distances less one up to 255, then all of them divided by 128. */
const uint8_t lvl_deflate_dist_codes[512] = {
    0,  1,  2,  3,  4,  4,  5,  5,  6,  6,  6,  6,  7,  7,  7,  7,  8,  8,  8,  8,  8,  8,  8,  8,  9,  9,
    9,  9,  9,  9,  9,  9,  10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 11, 11, 11, 11,
    11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 14, 14,
    14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14,
    14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14,
    14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 0,  0,  16, 17,
    18, 18, 19, 19, 20, 20, 20, 20, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23,
    23, 23, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 25,
    25, 25, 25, 25, 25, 25, 25, 25, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
    26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29,
    29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29,
    29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29,
};

/* A Huffman code and the state to build it. */
struct tree {
    uint16_t freq[MAX_NODES];
    uint16_t dad[MAX_NODES];
    uint16_t len[MAX_NODES + 1];
    uint16_t code[MAX_SYMBOLS]; /* bits reversed, ready to send */
    uint8_t depth[MAX_NODES];
    int max_code; /* highest symbol that has a code */
};

struct shape {
    int elems, base, max_len;
    const uint8_t *extra;
};

static const struct shape litlen_shape = {LVL_DEFLATE_LITLENS, 257, MAX_BITS, lvl_deflate_length_extra};
static const struct shape dist_shape = {LVL_DEFLATE_DISTS, 0, MAX_BITS, lvl_deflate_dist_extra};
static const struct shape bl_shape = {BL_CODES, 0, 7, bl_extra};

struct heap {
    int nodes[MAX_NODES + 1];
    int len; /* nodes[1 .. len] is the heap */
    int max; /* nodes[max .. MAX_NODES] are the ones taken out, by falling frequency */
};

/* ---- codes ------------------------------------------------------------------------------------------- */

static bool is_lighter(const struct tree *t, int a, int b)
{
    return t->freq[a] < t->freq[b] || (t->freq[a] == t->freq[b] && t->depth[a] <= t->depth[b]);
}

static void sift_down(const struct tree *t, struct heap *heap, int at)
{
    int node = heap->nodes[at];

    for (int kid = at * 2; kid <= heap->len; kid *= 2) {
        if (kid < heap->len && is_lighter(t, heap->nodes[kid + 1], heap->nodes[kid]))
            kid++;
        if (is_lighter(t, node, heap->nodes[kid]))
            break;
        heap->nodes[at] = heap->nodes[kid];
        at = kid;
    }
    heap->nodes[at] = node;
}

/* Lengths from the tree; codes longer than the limit are shortened, which makes shorter ones longer. */
static void set_lengths(struct tree *t, struct heap *heap, const struct shape *shape,
                        uint16_t counts[MAX_BITS + 1])
{
    int overflow = 0, at;

    memset(counts, 0, (MAX_BITS + 1) * sizeof *counts);
    t->len[heap->nodes[heap->max]] = 0;
    for (at = heap->max + 1; at <= MAX_NODES; at++) {
        int node = heap->nodes[at];
        int bits = t->len[t->dad[node]] + 1;
        if (bits > shape->max_len) {
            bits = shape->max_len;
            overflow++;
        }
        t->len[node] = (uint16_t)bits;
        if (node <= t->max_code)
            counts[bits]++;
    }
    if (!overflow)
        return;
    do {
        int bits = shape->max_len - 1;
        while (!counts[bits])
            bits--;
        counts[bits]--;
        counts[bits + 1] = (uint16_t)(counts[bits + 1] + 2);
        counts[shape->max_len]--;
        overflow -= 2;
    } while (overflow > 0);
    for (int bits = shape->max_len; bits; bits--) {
        for (int n = counts[bits]; n;) {
            int node = heap->nodes[--at];
            if (node > t->max_code)
                continue;
            t->len[node] = (uint16_t)bits;
            n--;
        }
    }
}

static void set_codes(struct tree *t, const uint16_t counts[MAX_BITS + 1])
{
    unsigned next[MAX_BITS + 1] = {0}, code = 0;

    for (int bits = 1; bits <= MAX_BITS; bits++) {
        code = (code + (bits > 1 ? counts[bits - 1] : 0u)) << 1;
        next[bits] = code;
    }
    for (int n = 0; n <= t->max_code; n++) {
        unsigned c, reversed = 0;
        if (!t->len[n])
            continue;
        c = next[t->len[n]]++;
        for (int i = 0; i < t->len[n]; i++, c >>= 1)
            reversed = reversed << 1 | (c & 1);
        t->code[n] = (uint16_t)reversed;
    }
}

/* Frequencies to lengths and codes. A code has at least two symbols, as old decoders need. */
static void build_tree(struct tree *t, const struct shape *shape)
{
    struct heap heap;
    uint16_t counts[MAX_BITS + 1];
    int node = shape->elems;

    heap.len = 0;
    heap.max = MAX_NODES + 1;
    t->max_code = -1;
    for (int n = 0; n < shape->elems; n++) {
        t->len[n] = 0;
        t->depth[n] = 0;
        if (t->freq[n])
            heap.nodes[++heap.len] = t->max_code = n;
    }
    while (heap.len < 2) {
        int forced = t->max_code < 2 ? ++t->max_code : 0;
        heap.nodes[++heap.len] = forced;
        t->freq[forced] = 1;
    }
    for (int n = heap.len / 2; n; n--)
        sift_down(t, &heap, n);
    do {
        int a = heap.nodes[1];
        heap.nodes[1] = heap.nodes[heap.len--];
        sift_down(t, &heap, 1);
        int b = heap.nodes[1];
        heap.nodes[--heap.max] = a;
        heap.nodes[--heap.max] = b;
        t->freq[node] = (uint16_t)(t->freq[a] + t->freq[b]);
        t->depth[node] = (uint8_t)((t->depth[a] > t->depth[b] ? t->depth[a] : t->depth[b]) + 1);
        t->dad[a] = t->dad[b] = (uint16_t)node;
        heap.nodes[1] = node++;
        sift_down(t, &heap, 1);
    } while (heap.len >= 2);
    heap.nodes[--heap.max] = heap.nodes[1];
    set_lengths(t, &heap, shape, counts);
    set_codes(t, counts);
}

/* ---- run lengths of the code lengths ----------------------------------------------------------------- */

struct lengths {
    uint16_t items[LVL_DEFLATE_LITLENS + LVL_DEFLATE_DISTS]; /* symbol | extra value << 8 */
    int count;
};

static void add_length(struct lengths *l, struct tree *bl, int symbol, int value)
{
    l->items[l->count++] = (uint16_t)(symbol | value << 8);
    bl->freq[symbol]++;
}

/* Run-length encodes the lengths of one code as zlib does: no run spans both codes. */
static void pack_lengths(struct lengths *l, struct tree *bl, const struct tree *t)
{
    int before = -1, count = 0;

    for (int n = 0; n <= t->max_code; n++) {
        int len = t->len[n];
        bool more = n < t->max_code && t->len[n + 1] == len;
        int most = !len ? 138 : len == before ? 6 : 7;
        int least = len && len != before ? 4 : 3;
        if (++count < most && more)
            continue;
        if (count < least) {
            for (int i = 0; i < count; i++)
                add_length(l, bl, len, 0);
        } else if (len) {
            if (len != before) {
                add_length(l, bl, len, 0);
                count--;
            }
            add_length(l, bl, 16, count - 3);
        } else if (count <= 10) {
            add_length(l, bl, 17, count - 3);
        } else {
            add_length(l, bl, 18, count - 11);
        }
        count = 0;
        /* A run that was split at the maximum continues as one with a known length. */
        before = len;
    }
}

/* ---- bits -------------------------------------------------------------------------------------------- */

void lvl_bitsink_align(lvl_bitsink *s)
{
    if (s->count && lvl_buffer_reserve(s->out, 1)) {
        s->out->data[s->out->len++] = (uint8_t)s->bits;
        s->bits = 0;
        s->count = 0;
    }
}

static void put_symbols(lvl_bitsink *s, const lvl_deflate_block *block, const struct tree *ll,
                        const struct tree *d)
{
    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t lc = block->symbols[i] & 0xffff, distance = block->symbols[i] >> 16;
        if (!distance) {
            lvl_bitsink_put(s, ll->code[lc], ll->len[lc]);
        } else {
            unsigned c = lvl_deflate_length_codes[lc];
            lvl_bitsink_put(s, ll->code[257 + c], ll->len[257 + c]);
            lvl_bitsink_put(s, lc - lvl_deflate_length_base[c], lvl_deflate_length_extra[c]);
            c = lvl_deflate_dist_code(distance);
            lvl_bitsink_put(s, d->code[c], d->len[c]);
            lvl_bitsink_put(s, distance - 1 - lvl_deflate_dist_base[c], lvl_deflate_dist_extra[c]);
        }
        lvl_bitsink_drain(s);
    }
    lvl_bitsink_put(s, ll->code[LVL_DEFLATE_END], ll->len[LVL_DEFLATE_END]);
    lvl_bitsink_drain(s);
}

static void put_stored(lvl_bitsink *s, lvl_bytes stored, bool last)
{
    uint8_t head[4] = {(uint8_t)stored.len, (uint8_t)(stored.len >> 8), (uint8_t)~stored.len,
                       (uint8_t)(~stored.len >> 8)};

    lvl_bitsink_put(s, last, 3);
    lvl_bitsink_drain(s);
    lvl_bitsink_align(s);
    lvl_buffer_add(s->out, head, 4);
    lvl_buffer_add(s->out, stored.ptr, stored.len);
}

static void put_lengths(lvl_bitsink *s, const struct lengths *l, const struct tree *bl, const struct tree *ll,
                        const struct tree *d, int bl_count)
{
    lvl_bitsink_put(s, (unsigned)ll->max_code - 256, 5);
    lvl_bitsink_put(s, (unsigned)d->max_code, 5);
    lvl_bitsink_put(s, (unsigned)bl_count - 4, 4);
    lvl_bitsink_drain(s);
    for (int i = 0; i < bl_count; i++) {
        lvl_bitsink_put(s, bl->len[lvl_deflate_code_order[i]], 3);
        lvl_bitsink_drain(s);
    }
    for (int i = 0; i < l->count; i++) {
        int symbol = l->items[i] & 0xff;
        lvl_bitsink_put(s, bl->code[symbol], bl->len[symbol]);
        lvl_bitsink_put(s, l->items[i] >> 8, bl_extra[symbol]);
        lvl_bitsink_drain(s);
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

static unsigned fixed_length(int symbol)
{
    return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
}

static void fixed_trees(struct tree *ll, struct tree *d)
{
    uint16_t counts[MAX_BITS + 1] = {0};

    /* 288 symbols make the code complete; the last two are never used, and theirs are the last codes of
     * their length. */
    counts[7] = 24;
    counts[8] = 152;
    counts[9] = 112;
    ll->max_code = LVL_DEFLATE_LITLENS - 1;
    for (int n = 0; n < LVL_DEFLATE_LITLENS; n++)
        ll->len[n] = (uint16_t)fixed_length(n);
    set_codes(ll, counts);
    memset(counts, 0, sizeof counts);
    counts[5] = 32;
    d->max_code = LVL_DEFLATE_DISTS - 1;
    for (int n = 0; n < LVL_DEFLATE_DISTS; n++)
        d->len[n] = 5;
    set_codes(d, counts);
}

/* The size in bits of the block's symbols, with the fixed code (`t` NULL: its lengths are in `fixed`) or the
 * dynamic one. */
static uint64_t symbol_bits(const uint16_t *freq, const struct shape *shape, const struct tree *t, bool dist)
{
    uint64_t bits = 0;

    for (int n = 0; n < shape->elems; n++) {
        unsigned extra = n >= shape->base ? shape->extra[n - shape->base] : 0;
        unsigned len = t ? t->len[n] : dist ? 5 : fixed_length(n);
        bits += (uint64_t)freq[n] * (len + extra);
    }
    return bits;
}

void lvl_deflate_block_start(lvl_deflate_block *block)
{
    block->count = 0;
    block->matches = 0;
    memset(block->litlen_freq, 0, sizeof block->litlen_freq);
    memset(block->dist_freq, 0, sizeof block->dist_freq);
    block->litlen_freq[LVL_DEFLATE_END] = 1;
}

void lvl_deflate_block_write(lvl_deflate_block *block, lvl_bitsink *sink, lvl_bytes stored, size_t stored_len,
                             bool last)
{
    struct tree ll, d, bl;
    struct lengths lengths;
    int bl_count;

    memcpy(ll.freq, block->litlen_freq, sizeof block->litlen_freq);
    memcpy(d.freq, block->dist_freq, sizeof block->dist_freq);
    memset(bl.freq, 0, BL_CODES * sizeof *bl.freq);
    build_tree(&ll, &litlen_shape);
    build_tree(&d, &dist_shape);
    lengths.count = 0;
    pack_lengths(&lengths, &bl, &ll);
    pack_lengths(&lengths, &bl, &d);
    uint16_t bl_freq[BL_CODES];
    memcpy(bl_freq, bl.freq, sizeof bl_freq);
    build_tree(&bl, &bl_shape);
    for (bl_count = BL_CODES; bl_count > 4 && !bl.len[lvl_deflate_code_order[bl_count - 1]];)
        bl_count--;

    uint64_t dynamic_bits = symbol_bits(block->litlen_freq, &litlen_shape, &ll, false) +
                            symbol_bits(block->dist_freq, &dist_shape, &d, true) +
                            symbol_bits(bl_freq, &bl_shape, &bl, false) + 3 * (unsigned long)bl_count + 14;
    uint64_t fixed_bits = symbol_bits(block->litlen_freq, &litlen_shape, NULL, false) +
                          symbol_bits(block->dist_freq, &dist_shape, NULL, true);
    uint64_t dynamic_bytes = (dynamic_bits + 3 + 7) >> 3, fixed_bytes = (fixed_bits + 3 + 7) >> 3;
    uint64_t best = fixed_bytes <= dynamic_bytes ? fixed_bytes : dynamic_bytes;

    if (!lvl_buffer_reserve(sink->out, (size_t)(best > stored_len ? best : stored_len) + 64))
        return;
    if ((uint64_t)stored_len + 4 <= best && stored.ptr && stored_len <= 0xffff) {
        put_stored(sink, stored, last);
    } else if (fixed_bytes == best) {
        fixed_trees(&ll, &d);
        lvl_bitsink_put(sink, 2u + last, 3);
        put_symbols(sink, block, &ll, &d);
    } else {
        lvl_bitsink_put(sink, 4u + last, 3);
        put_lengths(sink, &lengths, &bl, &ll, &d, bl_count);
        put_symbols(sink, block, &ll, &d);
    }
    lvl_deflate_block_start(block);
}
