/*
 * support/nw_seeds.h: text levels of Graal, in each style and with every command, for tests, hostile tests
 * and the fuzzer.
 */
#ifndef LVL_TEST_NW_SEEDS_H
#define LVL_TEST_NW_SEEDS_H

#include "hostile.h"

enum {
    LVL_NW_SEED_OFFICIAL, /* no blank lines, LF, a part of the board */
    LVL_NW_SEED_BEFORE, /* a blank line before each sign, baddy and NPC, CRLF */
    LVL_NW_SEED_AFTER, /* a blank line after the board and each sign, baddy and NPC, kinds mixed, a tileset
                             last */
    LVL_NW_SEED_EXTENDED, /* layers, heights, tilesets, layer words, named and numbered types, names with
                             blanks */
    LVL_NW_SEED_ODD, /* everything that must be kept: byte order mark, unknown lines, unusual numbers,
                       * rows out of order, mixed line ends, no last line end */
    LVL_NW_SEED_FULL, /* 64 rows, more than 8 KiB */
    LVL_NW_SEED_COUNT
};

const char *lvl_nw_seed_name(int seed);
/* Appends the file. */
lvl_status lvl_nw_seed(int seed, lvl_buffer *out);

/* How editors separate blocks: not at all, by a blank line before each, or after each. */
enum { LVL_NW_OFFICIAL, LVL_NW_BLANK_BEFORE, LVL_NW_BLANK_AFTER, LVL_NW_STYLES };

/* The official level in a style with these line ends. */
lvl_status lvl_nw_styled(unsigned style, bool crlf, lvl_buffer *out);

#endif
