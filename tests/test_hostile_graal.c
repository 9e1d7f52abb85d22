/*
 * Hostile binary levels; see support/hostile.h. LVL_HOSTILE=full tries everything, otherwise a part that
 * takes a minute.
 */
#include "graal_seeds.h"
#include "hostile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void treat(int seed)
{
    lvl_buffer file = {0};

    assert_int_equal(lvl_graal_seed(seed, &file), LVL_OK);
    const lvl_hostile hostile = {.name = lvl_graal_seed_name(seed),
                                 .format = lvl_format_find("graal"),
                                 .sample = {file.data, file.len}};
    /* damaged as it may be, it is written back bit for bit */
    const bool stands = lvl_hostile_stands(&hostile, 1000);
    lvl_buffer_free(&file);
    assert_true(stands);
}

static void oldest(void **state)
{
    (void)state;
    treat(LVL_Z3_V1_02);
}

static void first_verses(void **state)
{
    (void)state;
    treat(LVL_Z3_V1_04);
}

static void common(void **state)
{
    (void)state;
    treat(LVL_GR_V1_03);
}

static void newest(void **state)
{
    (void)state;
    treat(LVL_GR_V1_05);
}

static void odd(void **state)
{
    (void)state;
    treat(LVL_GRAAL_SEED_ODD);
}

static void literal(void **state)
{
    (void)state;
    treat(LVL_GRAAL_SEED_LITERAL);
}

static void open_end(void **state)
{
    (void)state;
    treat(LVL_GRAAL_SEED_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oldest),   cmocka_unit_test(first_verses), cmocka_unit_test(common),
        cmocka_unit_test(newest),   cmocka_unit_test(odd),          cmocka_unit_test(literal),
        cmocka_unit_test(open_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
