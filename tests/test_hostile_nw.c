/*
 * Hostile text levels; see support/hostile.h. LVL_HOSTILE=full tries everything, otherwise a part that takes
 * a minute.
 */
#include "hostile.h"
#include "nw_seeds.h"
#include "starve.h"
#include "growth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void treat(int seed)
{
    lvl_buffer file = {0};

    assert_int_equal(lvl_nw_seed(seed, &file), LVL_OK);
    const lvl_hostile hostile = {
        .name = lvl_nw_seed_name(seed), .format = lvl_format_find("nw"), .sample = {file.data, file.len}};
    /* damaged as it may be, it is written back bit for bit */
    const bool stands = lvl_hostile_stands(&hostile, 1000);
    lvl_buffer_free(&file);
    assert_true(stands);
}

/* One byte of the signature is wrong: read as if it were right, with any allocation failing. */
static void header(void **state)
{
    lvl_buffer file = {0};

    (void)state;
    assert_int_equal(lvl_nw_seed(LVL_NW_SEED_BEFORE, &file), LVL_OK);
    file.data[7] = '!';
    const lvl_hostile hostile = {
        .name = "header.nw", .format = lvl_format_find("nw"), .sample = {file.data, file.len}};
    const bool stands = lvl_hostile_stands(&hostile, 200);
    lvl_buffer_free(&file);
    assert_true(stands);
}

static void official(void **state)
{
    (void)state;
    treat(LVL_NW_SEED_OFFICIAL);
}

static void before(void **state)
{
    (void)state;
    treat(LVL_NW_SEED_BEFORE);
}

static void after(void **state)
{
    (void)state;
    treat(LVL_NW_SEED_AFTER);
}

static void extended(void **state)
{
    (void)state;
    treat(LVL_NW_SEED_EXTENDED);
}

static void full(void **state)
{
    (void)state;
    treat(LVL_NW_SEED_FULL);
}

/* The odd level has errors, so it is no sample; but every cut and flip of it must be handled, too. */
static void odd(void **state)
{
    lvl_buffer file = {0};

    (void)state;
    assert_int_equal(lvl_nw_seed(LVL_NW_SEED_ODD, &file), LVL_OK);
    for (size_t len = 0; len <= file.len; len++)
        assert_true(
            lvl_hostile_try(lvl_format_find("nw"), (lvl_bytes){file.data, len}, len % 16 == 0, false));
    for (size_t bit = 0; bit < file.len * 8; bit++) {
        file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_true(
            lvl_hostile_try(lvl_format_find("nw"), (lvl_bytes){file.data, file.len}, bit % 64 == 0, false));
        file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    lvl_buffer_free(&file);
}

/* A hundred thousand of everything: nothing may take time that grows with the square of them. */
static void many(void **state)
{
    static const char *const lines[] = {"NPC - 1 2\n",
                                        "LINK  a 1 2 3 4 5 6\n",
                                        "stray\n",
                                        "BOARD 0 0 1 9 AA\n",
                                        "SIGN 1 2\nSIGNEND\nCHEST 1 2 x 0\n",
                                        "NPC - 01 2\nNPCEND\n"};
    enum { TIMES = 100000, MAX_SECONDS = 20 };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        lvl_buffer file = {0};
        lvl_buffer_str(&file, "GLEVNW01\n");
        for (int k = 0; k < TIMES; k++)
            lvl_buffer_str(&file, lines[i]);
        const double start = lvl_cpu_seconds();
        assert_true(lvl_hostile_try(lvl_format_find("nw"), (lvl_bytes){file.data, file.len}, false, false));
        double seconds = lvl_cpu_seconds() - start;
        print_message("%d times %.12s…: %.2f s\n", TIMES, lines[i], seconds);
        assert_true(seconds < MAX_SECONDS);
        lvl_buffer_free(&file);
    }
}

static int leave_seeds(void **state)
{
    (void)state;
    for (int seed = 0; seed < LVL_NW_SEED_COUNT; seed++) {
        lvl_buffer file = {0};
        char name[100];
        snprintf(name, sizeof name, "%s.nw", lvl_nw_seed_name(seed));
        if (lvl_nw_seed(seed, &file) == LVL_OK)
            lvl_hostile_leave(name, (lvl_bytes){file.data, file.len});
        lvl_buffer_free(&file);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header), cmocka_unit_test(official), cmocka_unit_test(before),
        cmocka_unit_test(after),  cmocka_unit_test(extended), cmocka_unit_test(full),
        cmocka_unit_test(odd),    cmocka_unit_test(many),
    };

    return cmocka_run_group_tests(tests, leave_seeds, NULL);
}
