/*
 * support/sketchy_turns.h: every conversion of a drawing or pack in the library: to each generation, to
 * another chunk size, with another title, repaired, drawn, its members replaced. For any input, each pixel
 * that changes must be listed as a loss, and the output must be readable.
 */
#ifndef LVL_TEST_SKETCHY_TURNS_H
#define LVL_TEST_SKETCHY_TURNS_H

#include <lvl/doc.h>

/* False, with a message on stderr, on a failure. `turn` chooses the conversion; any value is valid. */
bool lvl_sketchy_turn(lvl_bytes input, unsigned turn);
/* Values of `turn` from 0 to this number cover everything. */
enum { LVL_SKETCHY_TURNS = 24 };

#endif
