/*
 * support/starve.h: malloc that can be told to fail, and that counts what is out. Works where the linker has
 * --wrap (programs called test_hostile… are linked with it); elsewhere nothing fails and nothing is counted,
 * and lvl_starve_works says so.
 *
 * With glibc all calls count, those of shared libraries too, though only the blocks of our own code are
 * counted. Elsewhere, and under sanitizers, only calls made by our own code count, and libdeflate's, zlib's
 * and yyjson's taking of memory as one call each. Not for threads. With LVL_STARVE_SHOW, a build with the
 * address sanitizer shows on stderr where each call that fails was made.
 */
#ifndef LVL_TEST_STARVE_H
#define LVL_TEST_STARVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shared libraries' calls of malloc are seen, too (starve_libraries.c). A sanitizer needs malloc for itself.
 */
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
/* Counts a call, and whether it shall fail: for stand-ins of functions that take memory. */
bool lvl_starve_refused(void);
/* Starts counting calls from 0. Call number `from` (the first is 1) fails, and with `on` all after it; 0:
 * none fails. */
void lvl_starve_from(uint64_t from, bool on);
/* Called for each refusal, so that a debugger can stop there. */
void lvl_starve_refusing(void);
/* Calls since then. */
uint64_t lvl_starve_calls(void);

/* Blocks that are out now, bytes that are, and the most bytes that were since lvl_starve_mark. */
uint64_t lvl_starve_blocks(void);
uint64_t lvl_starve_bytes(void);
uint64_t lvl_starve_peak(void);
void lvl_starve_mark(void);

#endif
