/*
 * support/sketchy_turns.h: a drawing or pack turned in every way that the library has: into each generation,
 * re-chunked, with another title, repaired, drawn, its members put back. Whatever the input is, no pixel may
 * change that isn't named as a loss, and what is written must read.
 */
#ifndef LVL_TEST_SKETCHY_TURNS_H
#define LVL_TEST_SKETCHY_TURNS_H

#include <lvl/doc.h>

/* False, with a message on stderr, if something isn't as it should be. `turn` chooses what is done; every
 * value is good. */
bool lvl_sketchy_turn(lvl_bytes input, unsigned turn);
/* So many values of `turn` do all that there is. */
enum { LVL_SKETCHY_TURNS = 24 };

#endif
