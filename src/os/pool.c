/*
 * os/pool.c: a work pool over POSIX or Windows threads. Workers take the next index under one lock and put
 * the result into a ring buffer; the caller's thread takes results out in order, and works like the others
 * while the next result is not ready. A worker that is a whole ring ahead waits. Jobs may be as short as 50
 * us, so a thread is woken only when there is work.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif

#include "os/pool.h"

#include <stdlib.h>

#ifdef _WIN32

#include <windows.h>

typedef SRWLOCK pool_lock;
typedef CONDITION_VARIABLE pool_cond;
typedef HANDLE pool_thread;

static void lock_init(pool_lock *lock, pool_cond *a, pool_cond *b)
{
    InitializeSRWLock(lock);
    InitializeConditionVariable(a);
    InitializeConditionVariable(b);
}
static void lock_free(pool_lock *lock, pool_cond *a, pool_cond *b)
{
    (void)lock, (void)a, (void)b;
}
static void lock_take(pool_lock *lock)
{
    AcquireSRWLockExclusive(lock);
}
static void lock_give(pool_lock *lock)
{
    ReleaseSRWLockExclusive(lock);
}
static void cond_wait(pool_cond *cond, pool_lock *lock)
{
    SleepConditionVariableSRW(cond, lock, INFINITE, 0);
}
static void cond_wake(pool_cond *cond)
{
    WakeAllConditionVariable(cond);
}

unsigned lvl_pool_cores(void)
{
    SYSTEM_INFO info;

    GetSystemInfo(&info);
    return info.dwNumberOfProcessors ? info.dwNumberOfProcessors : 1;
}

#else

#include <pthread.h>
#include <unistd.h>

typedef pthread_mutex_t pool_lock;
typedef pthread_cond_t pool_cond;
typedef pthread_t pool_thread;

static void lock_init(pool_lock *lock, pool_cond *a, pool_cond *b)
{
    pthread_mutex_init(lock, NULL);
    pthread_cond_init(a, NULL);
    pthread_cond_init(b, NULL);
}
static void lock_free(pool_lock *lock, pool_cond *a, pool_cond *b)
{
    pthread_mutex_destroy(lock);
    pthread_cond_destroy(a);
    pthread_cond_destroy(b);
}
static void lock_take(pool_lock *lock)
{
    pthread_mutex_lock(lock);
}
static void lock_give(pool_lock *lock)
{
    pthread_mutex_unlock(lock);
}
static void cond_wait(pool_cond *cond, pool_lock *lock)
{
    pthread_cond_wait(cond, lock);
}
static void cond_wake(pool_cond *cond)
{
    pthread_cond_broadcast(cond);
}

unsigned lvl_pool_cores(void)
{
#ifdef _SC_NPROCESSORS_ONLN
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n < 4096 ? (unsigned)n : 1;
#else
    return 1;
#endif
}

#endif

/* How many results may wait, per thread: enough that one slow file does not stop the others at once, few
 * enough to bound memory; more while they are known to be small. */
enum { AHEAD = 4, FAR_AHEAD = 64, MAX_BYTES = 16 << 20, MAX_THREADS = 256 };

typedef struct pool_slot {
    void *result;
    size_t bytes;
    bool ready;
} pool_slot;

typedef struct pool {
    pool_lock lock;
    pool_cond space; /* a slot was emptied, or stop */
    pool_cond ready; /* a slot was filled */
    lvl_pool_work work;
    lvl_pool_weigh weigh; /* or NULL */
    void *user;
    size_t near_count; /* number of results that may wait, whatever their size */
    size_t bytes; /* bytes of all waiting results */
    pool_slot *slots;
    size_t slot_count;
    size_t count;
    size_t next; /* index that the next worker takes */
    size_t taken; /* results handed over */
    unsigned waiting; /* workers that wait for space */
    bool caller_waits; /* for the result of index `taken` */
    bool stop;
} pool;

/* Whether an index may be taken now. */
static bool has_job(const pool *p)
{
    const size_t ahead = p->next - p->taken;

    return !p->stop && p->next < p->count && ahead < p->slot_count &&
           (ahead < p->near_count || p->bytes < MAX_BYTES);
}

/* Does the next job. The lock is held on entry and on return. */
static void do_job(pool *p)
{
    size_t index = p->next++;

    lock_give(&p->lock);
    void *result = p->work(p->user, index);
    const size_t bytes = p->weigh ? p->weigh(p->user, result) : 0;
    lock_take(&p->lock);
    pool_slot *slot = &p->slots[index % p->slot_count];
    slot->result = result;
    slot->bytes = bytes;
    p->bytes += bytes;
    slot->ready = true;
    /* the caller waits for exactly this result */
    if (index == p->taken && p->caller_waits)
        cond_wake(&p->ready);
}

static void run_worker(pool *p)
{
    lock_take(&p->lock);
    while (!p->stop && p->next < p->count) {
        if (has_job(p)) {
            do_job(p);
            continue;
        }
        p->waiting++;
        cond_wait(&p->space, &p->lock);
        p->waiting--;
    }
    lock_give(&p->lock);
}

#ifdef _WIN32

static DWORD WINAPI thread_main(LPVOID arg)
{
    run_worker(arg);
    return 0;
}
static bool thread_start(pool_thread *thread, pool *p)
{
    *thread = CreateThread(NULL, 0, thread_main, p, 0, NULL);
    return *thread != NULL;
}
static void thread_join(pool_thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

#else

static void *thread_main(void *arg)
{
    run_worker(arg);
    return NULL;
}
static bool thread_start(pool_thread *thread, pool *p)
{
    return pthread_create(thread, NULL, thread_main, p) == 0;
}
static void thread_join(pool_thread thread)
{
    pthread_join(thread, NULL);
}

#endif

static void run_alone(size_t count, lvl_pool_work work, lvl_pool_done done, void *user)
{
    for (size_t i = 0; i < count; i++) {
        if (!done(user, i, work(user, i)))
            return;
    }
}

/* The caller's part: passes all results to `done` in order (once stopped, only those of jobs already begun),
 * and does jobs itself while the next result is not ready. */
static void hand_over(pool *p, lvl_pool_done done)
{
    lock_take(&p->lock);
    while (p->taken < (p->stop ? p->next : p->count)) {
        pool_slot *slot = &p->slots[p->taken % p->slot_count];
        if (!slot->ready) {
            if (has_job(p)) {
                do_job(p);
            } else {
                p->caller_waits = true;
                cond_wait(&p->ready, &p->lock);
                p->caller_waits = false;
            }
            continue;
        }
        void *result = slot->result;
        slot->ready = false;
        size_t index = p->taken;
        lock_give(&p->lock);
        bool on = done(p->user, index, result);
        lock_take(&p->lock);
        /* the slot is free for another index from here on */
        p->bytes -= slot->bytes;
        p->taken++;
        p->stop = p->stop || !on;
        /* wake waiting threads only when there is enough work, not for a single job */
        const size_t ahead = p->next - p->taken;
        if (p->waiting && (p->stop || ahead <= p->near_count / 2 ||
                           (ahead <= p->slot_count / 2 && p->bytes < MAX_BYTES / 2)))
            cond_wake(&p->space);
    }
    /* no job is left: threads that still wait must end */
    cond_wake(&p->space);
    lock_give(&p->lock);
}

void lvl_pool_run(unsigned threads, size_t count, lvl_pool_work work, lvl_pool_done done,
                  lvl_pool_weigh weigh, void *user)
{
    pool_thread *handles = NULL;
    unsigned started = 0;
    pool p = {0};

    if (!threads)
        threads = lvl_pool_cores();
    if (threads > MAX_THREADS)
        threads = MAX_THREADS;
    if (threads > count)
        threads = (unsigned)count;
    if (threads < 2) {
        run_alone(count, work, done, user);
        return;
    }
    p.work = work;
    p.user = user;
    p.count = count;
    p.weigh = weigh;
    p.near_count = (size_t)threads * AHEAD;
    p.slot_count = weigh ? (size_t)threads * FAR_AHEAD : p.near_count;
    p.slots = calloc(p.slot_count, sizeof *p.slots);
    handles = calloc(threads, sizeof(pool_thread));
    if (!p.slots || !handles) {
        run_alone(count, work, done, user);
        goto out;
    }
    lock_init(&p.lock, &p.space, &p.ready);
    while (started + 1 < threads && thread_start(&handles[started], &p)) /* the caller is one of them */
        started++;
    if (started)
        hand_over(&p, done);
    else
        run_alone(count, work, done, user);
    for (unsigned i = 0; i < started; i++)
        thread_join(handles[i]);
    lock_free(&p.lock, &p.space, &p.ready);
out:
    free(handles);
    free(p.slots);
}
