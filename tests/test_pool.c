/*
 * The work pool: every job runs once, results come in the order of the input for any number of threads, a
 * bounded number waits, and a run can stop early.
 */
#include "os/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { JOBS = 2000 };

typedef struct run {
    atomic_int worked[JOBS];
    atomic_int started;
    int ahead; /* most jobs started but not handed over, as seen at a hand-over */
    size_t handed;
    size_t stop_at;
    bool in_order;
} run;

static void *work(void *user, size_t index)
{
    run *r = user;

    atomic_fetch_add(&r->started, 1);
    atomic_fetch_add(&r->worked[index], 1);
    /* uneven work, so that threads overtake each other */
    volatile unsigned x = 0;
    for (unsigned i = 0; i < (unsigned)(index * 7919 % 1000) * 20; i++)
        x += i;
    (void)x;
    return (void *)(uintptr_t)(index + 1); /* NOLINT(performance-no-int-to-ptr) */
}

static bool done(void *user, size_t index, void *result)
{
    run *r = user;

    r->in_order = r->in_order && index == r->handed && (uintptr_t)result == index + 1;
    r->handed++;
    int ahead = atomic_load(&r->started) - (int)index;
    if (ahead > r->ahead)
        r->ahead = ahead;
    return index + 1 != r->stop_at;
}

static void each_job_once_in_order(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 9; threads += 3) {
        run *r = calloc(1, sizeof *r);
        assert_non_null(r);
        r->in_order = true;
        lvl_pool_run(threads, JOBS, work, done, NULL, r);
        assert_true(r->in_order);
        assert_int_equal(r->handed, JOBS);
        for (size_t i = 0; i < JOBS; i++)
            assert_int_equal(r->worked[i], 1);
        if (threads)
            assert_true(r->ahead <= (int)threads * 5);
        free(r);
    }
}

static void stopping_hands_over_what_was_worked_on(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        run *r = calloc(1, sizeof *r);
        assert_non_null(r);
        r->in_order = true;
        r->stop_at = 100;
        lvl_pool_run(threads, JOBS, work, done, NULL, r);
        assert_true(r->in_order);
        assert_true(r->handed >= 100 && r->handed <= 100 + (size_t)threads * 5);
        assert_int_equal(r->handed, r->started);
        free(r);
    }
}

static size_t heavy(void *user, const void *result)
{
    (void)user, (void)result;
    return (size_t)16 << 20;
}

static size_t light(void *user, const void *result)
{
    (void)user, (void)result;
    return 100;
}

/* Small results may wait in numbers, large ones only a few. */
static void run_ahead_by_weight(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        run *r = calloc(1, sizeof *r);
        assert_non_null(r);
        r->in_order = true;
        lvl_pool_run(3, JOBS, work, done, large ? heavy : light, r);
        assert_true(r->in_order);
        assert_int_equal(r->handed, JOBS);
        assert_true(r->ahead <= (large ? 15 : 195));
        free(r);
    }
}

static void nothing_to_do(void **state)
{
    (void)state;
    run *r = calloc(1, sizeof *r);
    assert_non_null(r);
    lvl_pool_run(4, 0, work, done, NULL, r);
    assert_int_equal(r->handed, 0);
    free(r);
    assert_true(lvl_pool_cores() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_once_in_order),
        cmocka_unit_test(stopping_hands_over_what_was_worked_on),
        cmocka_unit_test(run_ahead_by_weight),
        cmocka_unit_test(nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
