/*
 * graal/level/graal_packets.h: the tile block of binary levels: a decoder, and an encoder that works like the
 * original editor's.
 *
 * A block is a stream of packets of 11, 12 or 13 bits, lowest bit first. A packet whose top bit is 0 is a
 * tile. Otherwise it is a control: bits 0 to 7 are a count, bit 8 marks pairs. The tile after it, or the two
 * tiles after it, are repeated `count` times. The block ends with the byte that contains the end of tile
 * 4096; the remaining bits are 0.
 *
 * Cases that no real file has are decoded like the first loader does, if that is known: a count of 0 gives no
 * tile (the tile after it is skipped), a count of 1 gives its tile or pair once, tiles beyond the last are
 * dropped, a control in place of a tile replaces the control before it, other bits of a control are ignored.
 */
#ifndef LVL_GRAAL_PACKETS_H
#define LVL_GRAAL_PACKETS_H

#include <lvl/graal.h>

enum { LVL_TILES = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE };

/* The size of a version's packets in bits. */
unsigned lvl_packet_bits(unsigned version);

/* Deviations that no real file has. */
enum {
    LVL_PACKETS_COUNT = 1, /* a count of 0 or 1 */
    LVL_PACKETS_OVERSHOOT = 2, /* a run beyond the last tile */
    LVL_PACKETS_CONTROL = 4, /* a control in place of a tile */
    LVL_PACKETS_BITS = 8, /* unknown bits of a control, or remaining bits that are not 0 */
    LVL_PACKETS_CUT = 16 /* the bytes end before tile 4096 */
};

typedef struct lvl_packets_result {
    size_t used; /* bytes of the block */
    uint32_t tiles; /* number of tiles; the cells after them are LVL_GRAAL_ABSENT */
    unsigned odd; /* LVL_PACKETS_… */
} lvl_packets_result;

enum { LVL_PACKETS_SLACK = 64 }; /* cells after the last tile that the decoder may write to */

/* Decodes a block at the start of `in`. `tiles` has LVL_TILES + LVL_PACKETS_SLACK cells. */
void lvl_packets_decode(lvl_bytes in, unsigned bits, uint16_t *tiles, lvl_packets_result *result);

typedef struct lvl_packet {
    uint64_t bit; /* from the start of the block */
    unsigned bits; /* bits of a packet */
    bool control; /* `value` is a control, else a tile */
    unsigned value;
    uint32_t tile; /* index of its first tile */
} lvl_packet;

/* Calls `emit` for each packet of a block, in order, as lvl_packets_decode reads it. The remaining bits are a
 * shorter packet whose `tile` is LVL_TILES. */
void lvl_packets_emit(lvl_bytes in, unsigned bits, void (*emit)(void *user, const lvl_packet *packet),
                      void *user);

/* Appends the block that the original encoder makes from `count` tiles (little-endian, possibly unaligned),
 * all below 2^(bits - 1). Fewer than LVL_TILES tiles give a truncated block. */
void lvl_packets_encode(lvl_buffer *out, const uint8_t *tiles, uint32_t count, unsigned bits);

#endif
