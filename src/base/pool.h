/*
 * base/pool.h: the command's work pool: many jobs on several threads, results handed over in the order of the
 * input. Only the command uses it; the library starts no threads of its own.
 */
#ifndef LVL_BASE_POOL_H
#define LVL_BASE_POOL_H

#include <lvl/base.h>

/* Does job `index`, on any thread, the caller's included; returns what `done` gets (may be NULL). */
typedef void *(*lvl_pool_work)(void *user, size_t index);
/* Takes the result of job `index`, on the caller's thread, strictly in order 0, 1, 2, …; false: start no
 * further jobs. */
typedef bool (*lvl_pool_done)(void *user, size_t index, void *result);

/* How many bytes a result holds while it waits for its turn; on the thread that did the job. */
typedef size_t (*lvl_pool_weigh)(void *user, const void *result);

/* Number of processors, at least 1. */
unsigned lvl_pool_cores(void);
/* Runs jobs 0 to count-1 on `threads` threads (0: one for each core). At most a few results for each thread
 * wait for their turn, so that memory stays bounded however many jobs there are. With one thread, or if no
 * thread can be started, everything runs on the caller's. Every job that was worked on is handed to `done`,
 * even after `done` has said stop. */
void lvl_pool_run(unsigned threads, size_t count, lvl_pool_work work, lvl_pool_done done, void *user);
/* The same, with more results waiting while they are small, all together at most some 16 MiB and a few for
 * each thread: so that one slow job, or a thread that the system gives no time, doesn't stop the others.
 * `weigh` may be NULL. */
void lvl_pool_run_weighed(unsigned threads, size_t count, lvl_pool_work work, lvl_pool_done done,
                          lvl_pool_weigh weigh, void *user);

#endif
