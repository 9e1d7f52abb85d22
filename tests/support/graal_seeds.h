/*
 * support/graal_seeds.h: binary levels of Graal, one of each version and unusual ones, for tests, hostile
 * tests and the fuzzer. They are built byte by byte, without the library's writer.
 */
#ifndef LVL_TEST_GRAAL_SEEDS_H
#define LVL_TEST_GRAAL_SEEDS_H

#include <lvl/graal.h>

enum {
    /* up to here: a level of each version with everything that it can store; seed = version */
    LVL_GRAAL_SEED_ODD =
        LVL_GLEVNW01, /* GR-V1.03: spelling that must be kept: unusual packets, lines that are no
                             * records */
    LVL_GRAAL_SEED_LITERAL, /* GR-V1.03: tiles without runs, as other editors write them */
    LVL_GRAAL_SEED_OPEN, /* GR-V1.05: the file ends inside its sections */
    LVL_GRAAL_SEED_COUNT
};

const char *lvl_graal_seed_name(int seed);
/* Appends the file. */
lvl_status lvl_graal_seed(int seed, lvl_buffer *out);

/* Packets of `bits` bits, as in a tile block. */
typedef struct lvl_bit_writer {
    lvl_buffer *out;
    unsigned bits;
    uint64_t held;
    unsigned have;
} lvl_bit_writer;

void lvl_put_packet(lvl_bit_writer *w, unsigned packet);
/* The head of a run: its count, and whether it is of pairs. */
void lvl_put_control(lvl_bit_writer *w, unsigned count, bool pairs);
/* `tiles` tiles in runs of up to 64. */
void lvl_put_plain(lvl_bit_writer *w, unsigned tiles, unsigned tile);
/* Fills the last byte. */
void lvl_put_spare(lvl_bit_writer *w);

#endif
