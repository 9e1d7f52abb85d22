/*
 * os/pool.h: the command's work pool: runs many jobs on several threads and delivers results in input
 * order. Only the command uses it; the library starts no threads.
 */
#ifndef LVL_OS_POOL_H
#define LVL_OS_POOL_H

#include <lvl/base.h>

/* Does job `index`, on any thread, including the caller's. The result, which may be NULL, goes to `done`. */
typedef void *(*lvl_pool_work)(void *user, size_t index);
/* Receives the result of job `index` on the caller's thread, strictly in order 0, 1, 2, …; false: start no
 * further jobs. */
typedef bool (*lvl_pool_done)(void *user, size_t index, void *result);

/* The size in bytes of a result that waits for its turn; called on the thread that did the job. */
typedef size_t (*lvl_pool_weigh)(void *user, const void *result);

/* Number of processors, at least 1. */
unsigned lvl_pool_cores(void);
/* Runs jobs 0 to count-1 on `threads` threads (0: one for each core). With one thread, or if no thread can be
 * started, everything runs on the caller's. Every result is passed to `done`, even after `done` returned
 * false. Only a few results per thread may wait for their turn, so that memory stays bounded for any number
 * of jobs. With `weigh` (may be NULL) more may wait while they are small, about 16 MiB in all, so that one
 * slow job, or a thread that gets no processor time, does not stop the others. */
void lvl_pool_run(unsigned threads, size_t count, lvl_pool_work work, lvl_pool_done done,
                  lvl_pool_weigh weigh, void *user);

#endif
