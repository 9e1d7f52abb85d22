/*
 * codec/deflate_symbols.h: the literals and matches of a deflated stream (RFC 1951), one by one, without the
 * bytes that they stand for. Inner header of codec/deflate.c, which takes over what another encoding of
 * nearly the same bytes has found. The stream need not be sound: reading it ends where it is broken.
 */
#ifndef LVL_CODEC_DEFLATE_SYMBOLS_H
#define LVL_CODEC_DEFLATE_SYMBOLS_H

#include "codec/deflate_block.h"

enum { LVL_DEFLATE_FAST_BITS = 10, LVL_DEFLATE_MAX_BITS = 15 };

/* A Huffman code as a decoder needs it. */
typedef struct lvl_deflate_code {
    uint16_t fast[1 << LVL_DEFLATE_FAST_BITS]; /* by the next bits: symbol << 4 | length; 0: a longer code */
    uint16_t limit[LVL_DEFLATE_MAX_BITS + 1]; /* by length: codes of 15 bits from here on are longer */
    uint16_t base[LVL_DEFLATE_MAX_BITS + 1]; /* by length: its first code, less its place in `symbols` */
    uint16_t symbols[LVL_DEFLATE_LITLENS + 2]; /* in the order of their codes */
} lvl_deflate_code;

/* Input of bits, lowest first. */
typedef struct lvl_bitsource {
    lvl_bytes in;
    size_t at; /* in `in`; behind its end zeros follow */
    uint64_t bits;
    unsigned count;
} lvl_bitsource;

typedef struct lvl_deflate_symbols {
    lvl_bitsource bits;
    bool in_block, last;
    bool fixed; /* `litlen` and `dist` are the fixed codes: a block may have few bits, so they are kept */
    lvl_deflate_code litlen, dist; /* of the block */
} lvl_deflate_symbols;

typedef struct lvl_deflate_symbol {
    uint32_t distance; /* 0: literals */
    uint32_t length; /* of the match; how many literals, one unless the block is stored; 0: the end */
} lvl_deflate_symbol;

/* `stream` without a wrapper. */
void lvl_deflate_symbols_begin(lvl_deflate_symbols *s, lvl_bytes stream);
/* Copies symbols to `block`, of which the first one stands for data[at], until that has `count` of them.
 * Stops before a symbol that does not stand for the data or ends behind its end, at the end of a block, and
 * near the end of the stream. Returns the end of their bytes; *last gets where those of the last begin. */
size_t lvl_deflate_symbols_copy(lvl_deflate_symbols *s, lvl_deflate_block *block, uint32_t count,
                                lvl_bytes data, size_t at, size_t *last);
/* The next symbol; length 0 at the end, and where the stream is broken. */
lvl_deflate_symbol lvl_deflate_symbols_next(lvl_deflate_symbols *s);

#endif
