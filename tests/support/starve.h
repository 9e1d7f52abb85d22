/*
 * support/starve.h: malloc that can be made to fail, and that counts allocated memory. Works where the linker
 * has --wrap (programs called test_hostile… are linked with it); elsewhere nothing fails and nothing is
 * counted, and lvl_starve_works returns false.
 *
 * With glibc all calls count, also those of shared libraries, but only blocks of our own code are counted.
 * Elsewhere, and under sanitizers, only calls from our own code count; an allocation in libdeflate, zlib or
 * yyjson counts as one call. Not for threads. With LVL_STARVE_SHOW, a build with the address sanitizer prints
 * the stack of each failing call to stderr.
 */
#ifndef LVL_TEST_STARVE_H
#define LVL_TEST_STARVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls of malloc in shared libraries are seen, too (starve_libraries.c). Not with a sanitizer, which
 * replaces malloc itself. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LVL_STARVE_SANITIZED
#endif
#endif
#if defined(__GLIBC__) && !defined(LVL_STARVE_SANITIZED) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define LVL_STARVE_LIBRARIES
#endif

bool lvl_starve_works(void);
/* Counts a call and returns whether it must fail: for replacements of functions that allocate. */
bool lvl_starve_refused(void);
/* Starts to count calls from 0. Call number `from` (the first is 1) fails, and with `on` all calls after
 * it; 0: none fails. */
void lvl_starve_from(uint64_t from, bool on);
/* Called for each failure, for a debugger's breakpoint. */
void lvl_starve_refusing(void);
/* Calls since then. */
uint64_t lvl_starve_calls(void);

/* Blocks and bytes that are allocated now, and the most bytes since lvl_starve_mark. */
uint64_t lvl_starve_blocks(void);
uint64_t lvl_starve_bytes(void);
uint64_t lvl_starve_peak(void);
void lvl_starve_mark(void);

#endif
