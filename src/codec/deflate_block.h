/*
 * codec/deflate_block.h: one deflate block (RFC 1951) from a list of symbols: Huffman codes, the choice
 * between stored, fixed and dynamic, and the bits. Inner header of codec/deflate.c. All choices that RFC 1951
 * leaves open are those of zlib (the order in which equal nodes leave the heap, how long codes are shortened,
 * ties between block types), since streams are reproduced bit for bit.
 */
#ifndef LVL_CODEC_DEFLATE_BLOCK_H
#define LVL_CODEC_DEFLATE_BLOCK_H

#include "base/cursor.h"

#include <lvl/doc.h>

enum {
    LVL_DEFLATE_SYMBOLS = 16383, /* most that a block holds: zlib's memLevel 8, less one */
    LVL_DEFLATE_LITLENS = 286,
    LVL_DEFLATE_DISTS = 30,
    LVL_DEFLATE_CODES = 19, /* symbols that a dynamic block describes its lengths with */
    LVL_DEFLATE_END = 256 /* the symbol that ends a block */
};

/* Output of bits, lowest first. */
typedef struct lvl_bitsink {
    lvl_buffer *out;
    uint64_t bits;
    unsigned count; /* always below 8 between calls of the block writer */
} lvl_bitsink;

typedef struct lvl_deflate_block {
    uint32_t symbols[LVL_DEFLATE_SYMBOLS +
                     1]; /* distance << 16 | literal, or length - 3 where there's a distance */
    uint32_t count;
    uint32_t matches;
    uint16_t litlen_freq[LVL_DEFLATE_LITLENS];
    uint16_t dist_freq[LVL_DEFLATE_DISTS];
} lvl_deflate_block;

/* Tables from length - 3 and distance to their codes; see lvl_deflate_dist_code. */
extern const uint8_t lvl_deflate_length_codes[256];
extern const uint8_t lvl_deflate_dist_codes[512];
extern const uint8_t lvl_deflate_dist_extra[LVL_DEFLATE_DISTS];
/* What a code stands for: the lowest length - 3 and distance, and how many bits are added. */
extern const uint8_t lvl_deflate_length_extra[29];
extern const uint8_t lvl_deflate_length_base[29];
extern const uint16_t lvl_deflate_dist_base[LVL_DEFLATE_DISTS];
/* The order in which a dynamic block lists the lengths of its length codes. */
extern const uint8_t lvl_deflate_code_order[LVL_DEFLATE_CODES];

/* The code (0 to 29) of a distance from 1 to 32768. */
static inline unsigned lvl_deflate_dist_code(uint32_t distance)
{
    uint32_t d = distance - 1;

    return d < 256 ? lvl_deflate_dist_codes[d] : lvl_deflate_dist_codes[256 + (d >> 7)];
}

/* Empties the block. */
void lvl_deflate_block_start(lvl_deflate_block *block);
/* Writes the block; `stored` are the bytes that it encodes, ptr NULL if they cannot be stored (zlib no longer
 * has them in its window). */
void lvl_deflate_block_write(lvl_deflate_block *block, lvl_bitsink *sink, lvl_bytes stored, size_t stored_len,
                             bool last);
/* Pads with zero bits to a whole byte. */
void lvl_bitsink_align(lvl_bitsink *sink);

/* Adds bits, at most 63 with those that wait. */
static inline void lvl_bitsink_put(lvl_bitsink *sink, uint64_t value, unsigned count)
{
    sink->bits |= value << sink->count;
    sink->count += count;
}

/* Writes whole bytes; room for 8 bytes was reserved by the caller. */
static inline void lvl_bitsink_drain(lvl_bitsink *sink)
{
    const unsigned bytes = sink->count >> 3;

    lvl_store_u64le(sink->out->data + sink->out->len, sink->bits);
    sink->out->len += bytes;
    sink->bits >>= bytes * 8;
    sink->count &= 7;
}

#endif
