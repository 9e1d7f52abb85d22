/*
 * support/growth.h: whether the time that something takes grows with its input and no faster, for tests
 * against quadratic work. Measured as processor time of this process, so that other processes count little;
 * the best of several rounds counts.
 */
#ifndef LVL_TEST_GROWTH_H
#define LVL_TEST_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

/* Processor seconds that this process has used. */
double lvl_cpu_seconds(void);

/* The processor seconds that the work takes for an input of `n` units; making the input need not count. */
typedef double (*lvl_timed_fn)(const void *user, uint32_t n);

/* True if twice the input takes at most 2.5 times as long, or less than 50 ms; on a busy machine also if four
 * times the input takes at most 8 times as long (quadratic work takes 16). Repeats until that is so, and
 * prints a line. Under sanitizers the work is done once and not judged: their allocator has costs of its own.
 */
bool lvl_grows_linearly(const char *what, lvl_timed_fn work, const void *user, uint32_t n);

#endif
