/*
 * codec/deflate_symbols.h: the literals and matches of a deflated stream (RFC 1951), one by one, without the
 * bytes that they stand for. Inner header of codec/deflate.c, which takes over the matches that another
 * encoding of nearly the same bytes has found. The stream need not be sound: reading it ends where it is
 * broken.
 */
#ifndef LVL_CODEC_DEFLATE_SYMBOLS_H
#define LVL_CODEC_DEFLATE_SYMBOLS_H

#include "codec/deflate_block.h"

enum { LVL_DEFLATE_FAST_BITS = 10 };

/* A Huffman code as a decoder needs it. */
typedef struct lvl_deflate_code {
    uint16_t fast[1 << LVL_DEFLATE_FAST_BITS]; /* by the next bits: symbol << 4 | length; 0: a longer code */
    uint16_t count[16]; /* codes of each length */
    uint16_t symbols[LVL_DEFLATE_LITLENS + 2]; /* in the order of their codes */
} lvl_deflate_code;

typedef struct lvl_deflate_symbols {
    lvl_bytes in;
    size_t at; /* in `in`; behind its end zeros follow */
    uint64_t bits; /* lowest first */
    unsigned bit_count;
    size_t stored; /* bytes of a stored block that are left */
    bool in_block, last;
    lvl_deflate_code litlen, dist;
} lvl_deflate_symbols;

typedef struct lvl_deflate_symbol {
    uint32_t distance; /* 0: literals */
    uint32_t length; /* of the match; how many literals, one unless the block is stored; 0: the end */
} lvl_deflate_symbol;

/* `stream` without a wrapper. */
void lvl_deflate_symbols_begin(lvl_deflate_symbols *s, lvl_bytes stream);
/* The next symbol; length 0 at the end, and where the stream is broken. */
lvl_deflate_symbol lvl_deflate_symbols_next(lvl_deflate_symbols *s);

#endif
