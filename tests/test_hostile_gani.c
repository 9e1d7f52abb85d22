/*
 * Hostile animations; see support/hostile.h.
 */
#include "gani_seeds.h"
#include "hostile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void treat(int seed)
{
    const lvl_hostile hostile = {
        .name = lvl_gani_seed_name(seed), .format = lvl_format_find("gani"), .sample = lvl_gani_seed(seed)};

    /* whatever it is, it is written back bit for bit */
    assert_true(lvl_hostile_stands(&hostile, 1000));
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
