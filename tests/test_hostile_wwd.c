/*
 * WWD files treated badly; see support/hostile.h. LVL_HOSTILE=full does everything, else what fits into a minute.
 */
#include "corpus.h"
#include "hostile.h"
#include "starve.h"
#include "wwd_seeds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void treat(int seed)
{
    lvl_buffer file = {0};
    lvl_hostile hostile = {
        lvl_wwd_seed_name(seed), lvl_format_find("wwd"), {NULL, 0}, &lvl_wwd_hook, lvl_hostile_wants_full()};
    lvl_hostile_report report;

    assert_non_null(hostile.format);
    assert_int_equal(lvl_wwd_seed(seed, &file), LVL_OK);
    hostile.sample.ptr = file.data;
    hostile.sample.len = file.len;
    bool good = lvl_hostile_run(&hostile, &report);
    lvl_hostile_print(&hostile, &report);
    lvl_buffer_free(&file);
    assert_true(good);
    assert_true(report.read > 0);
    /* Damaged in ways that lie about themselves, a file in a thousand isn't written back bit for bit. */
    assert_true(report.exact * 100 >= report.read * 99);
    assert_true(report.starved > 5 || !lvl_starve_works());
}

static void tiny(void **state)
{
    (void)state;
    treat(LVL_WWD_SEED_TINY);
}

static void stored(void **state)
{
    (void)state;
    treat(LVL_WWD_SEED_STORED);
}

static void compressed(void **state)
{
    (void)state;
    treat(LVL_WWD_SEED_COMPRESSED);
}

static void wapmap(void **state)
{
    (void)state;
    treat(LVL_WWD_SEED_WAPMAP);
}

static void odd(void **state)
{
    (void)state;
    treat(LVL_WWD_SEED_ODD);
}

static void large(void **state)
{
    (void)state;
    treat(LVL_WWD_SEED_LARGE);
}

/* With LVL_SEEDS_OUT, leaves the seeds in that folder: what fuzz/seeds/wwd was made by. */
static int leave_seeds(void **state)
{
    const char *dir = getenv("LVL_SEEDS_OUT");

    (void)state;
    for (int seed = 0; dir && *dir && seed < LVL_WWD_SEED_COUNT; seed++) {
        lvl_buffer file = {0};
        char path[600];
        snprintf(path, sizeof path, "%s/%s.wwd", dir, lvl_wwd_seed_name(seed));
        FILE *f = lvl_wwd_seed(seed, &file) == LVL_OK ? fopen(path, "wb") : NULL;
        if (f) {
            fwrite(file.data, 1, file.len, f);
            fclose(f);
        }
        lvl_buffer_free(&file);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny),   cmocka_unit_test(stored), cmocka_unit_test(compressed),
        cmocka_unit_test(wapmap), cmocka_unit_test(odd),    cmocka_unit_test(large),
    };

    return cmocka_run_group_tests(tests, leave_seeds, NULL);
}
