/*
 * support/starve.h: malloc that can be told to fail, and that counts what is out. Works where the linker has --wrap (programs called test_hostile…
 * are linked with it); elsewhere nothing fails and nothing is counted, and lvl_starve_works says so.
 *
 * Calls made by our own code count, and libdeflate's and zlib's and yyjson's taking of memory as one call each, since those live in
 * shared libraries. Not for threads. With LVL_STARVE_SHOW, a build with the address sanitizer shows on stderr where each call that fails was made.
 */
#ifndef LVL_TEST_STARVE_H
#define LVL_TEST_STARVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool lvl_starve_works(void);
/* Starts counting calls from 0. Call number `from` (the first is 1) fails, and with `on` all after it; 0: none fails. */
void lvl_starve_from(uint64_t from, bool on);
/* Calls since then. */
uint64_t lvl_starve_calls(void);

/* Blocks that are out now, bytes that are, and the most bytes that were since lvl_starve_mark. */
uint64_t lvl_starve_blocks(void);
uint64_t lvl_starve_bytes(void);
uint64_t lvl_starve_peak(void);
void lvl_starve_mark(void);

#endif
