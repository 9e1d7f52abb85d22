/*
 * Animations treated badly; see support/hostile.h.
 */
#include "gani_seeds.h"
#include "hostile.h"
#include "starve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void treat(int seed)
{
    const lvl_hostile hostile = {.name = lvl_gani_seed_name(seed),
                                 .format = lvl_format_find("gani"),
                                 .sample = lvl_gani_seed(seed),
                                 .full = lvl_hostile_wants_full()};
    lvl_hostile_report report;

    const bool good = lvl_hostile_run(&hostile, &report);
    lvl_hostile_print(&hostile, &report);
    assert_true(good);
    /* whatever it is, it is written back bit for bit */
    assert_int_equal(report.exact, report.read);
    assert_true(report.starved > 5 || !lvl_starve_works());
}

static void editor(void **state)
{
    (void)state;
    treat(LVL_GANI_SEED_EDITOR);
}

static void single(void **state)
{
    (void)state;
    treat(LVL_GANI_SEED_SINGLE);
}

static void movie(void **state)
{
    (void)state;
    treat(LVL_GANI_SEED_MOVIE);
}

static void odd(void **state)
{
    (void)state;
    treat(LVL_GANI_SEED_ODD);
}

static void mark(void **state)
{
    (void)state;
    treat(LVL_GANI_SEED_MARK);
}

static void cut(void **state)
{
    (void)state;
    treat(LVL_GANI_SEED_CUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(editor), cmocka_unit_test(single), cmocka_unit_test(movie),
        cmocka_unit_test(odd),    cmocka_unit_test(mark),   cmocka_unit_test(cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
