/*
 * World maps treated badly; see support/hostile.h.
 */
#include "gmap_seeds.h"
#include "hostile.h"
#include "starve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void treat(int seed)
{
    const lvl_hostile hostile = {.name = lvl_gmap_seed_name(seed),
                                 .format = lvl_format_find("gmap"),
                                 .sample = lvl_gmap_seed(seed),
                                 .full = lvl_hostile_wants_full()};
    lvl_hostile_report report;

    const bool good = lvl_hostile_run(&hostile, &report);
    lvl_hostile_print(&hostile, &report);
    assert_true(good);
    /* whatever it is, it is written back bit for bit */
    assert_int_equal(report.exact, report.read);
    assert_true(report.starved > 5 || !lvl_starve_works());
}

static void plain(void **state)
{
    (void)state;
    treat(LVL_GMAP_SEED_PLAIN);
}

static void bigmap(void **state)
{
    (void)state;
    treat(LVL_GMAP_SEED_BIGMAP);
}

static void full(void **state)
{
    (void)state;
    treat(LVL_GMAP_SEED_FULL);
}

static void odd(void **state)
{
    (void)state;
    treat(LVL_GMAP_SEED_ODD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(bigmap),
        cmocka_unit_test(full),
        cmocka_unit_test(odd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
