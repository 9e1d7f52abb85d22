/*
 * graal/graal_packets.h: the tile block of binary levels, and the original encoder of it.
 *
 * A block is a stream of packets of 11, 12 or 13 bits, lowest bit first. A packet without its top bit is a
 * tile. One with it is a control: the low 8 bits are a count, bit 8 marks pairs. The tile after it, or the
 * two tiles after it, then stand for `count` of them in a row. The block ends with the byte that tile 4096
 * ends in; the bits left over are 0.
 *
 * What no real file has, and what is made of it here, in keeping with the first loader where that is known: a
 * count of 0 gives nothing (its tile is read and dropped), a count of 1 gives its tile or pair once, what
 * runs past the last tile is dropped, a control where a tile should be takes the place of the control before
 * it, other bits of a control say nothing.
 */
#ifndef LVL_GRAAL_PACKETS_H
#define LVL_GRAAL_PACKETS_H

#include <lvl/graal.h>

enum { LVL_TILES = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE };

/* Bits of a version's packets. */
unsigned lvl_packet_bits(unsigned version);

/* What a block had that others have not. */
enum {
    LVL_PACKETS_COUNT = 1,     /* a count of 0 or 1 */
    LVL_PACKETS_OVERSHOOT = 2, /* a run past the last tile */
    LVL_PACKETS_CONTROL = 4,   /* a control where a tile should be */
    LVL_PACKETS_BITS = 8,      /* unknown bits of a control, or spare bits at the end that aren't 0 */
    LVL_PACKETS_CUT = 16       /* the bytes end before tile 4096 */
};

typedef struct lvl_packets_result {
    size_t used;    /* bytes of the block */
    uint32_t tiles; /* how many were given; the cells after them are LVL_GRAAL_ABSENT */
    unsigned odd;   /* LVL_PACKETS_… */
} lvl_packets_result;

enum { LVL_PACKETS_SLACK = 64 }; /* cells that `tiles` needs beyond LVL_TILES */

/* Reads a block from the start of `in` to `tiles`, LVL_TILES cells and LVL_PACKETS_SLACK for its own use. */
void lvl_packets_decode(lvl_bytes in, unsigned bits, uint16_t *tiles, lvl_packets_result *result);

typedef struct lvl_packet {
    uint64_t bit;  /* from the start of the block */
    unsigned bits; /* of one packet */
    bool control;  /* `value` is a control, else a tile */
    unsigned value;
    uint32_t tile; /* number of the first tile that it is about */
} lvl_packet;

/* Tells of each packet of the block, in order, as lvl_packets_decode reads it; the spare bits at its end are
 * a packet of fewer bits, neither control nor tile. */
void lvl_packets_emit(lvl_bytes in, unsigned bits, void (*emit)(void *user, const lvl_packet *packet),
                      void *user);

/* Appends the block that the original encoder makes of `count` tiles (little-endian, perhaps unaligned), all
 * below 2 to the power of bits - 1. Less than LVL_TILES make a block that is cut. */
void lvl_packets_encode(lvl_buffer *out, const uint8_t *tiles, uint32_t count, unsigned bits);

#endif
