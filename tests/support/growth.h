/*
 * support/growth.h: checks that the time of an operation grows linearly with its input, for tests against
 * quadratic work. Measured as processor time of this process, on which other processes have little effect;
 * the best of several rounds counts.
 */
#ifndef LVL_TEST_GROWTH_H
#define LVL_TEST_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

/* Processor seconds of this process. */
double lvl_cpu_seconds(void);

/* False under sanitizers, whose allocator changes the costs: then times mean nothing. */
bool lvl_can_time(void);

/* Returns the processor seconds of the operation for an input of `n` units; making the input need not be
 * counted. */
typedef double (*lvl_timed_fn)(const void *user, uint32_t n);

/* True if twice the input takes less than 50 ms, or at most 2.5 times as long; on a busy machine also if
 * four times the input takes at most 8 times as long (quadratic work takes 16). Repeats until that is the
 * case, and prints a line if `what` is not NULL. Under sanitizers the operation runs once without a
 * judgement, since their allocator changes the costs. */
bool lvl_grows_linearly(const char *what, lvl_timed_fn work, const void *user, uint32_t n);

#endif
