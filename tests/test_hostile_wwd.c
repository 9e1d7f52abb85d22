/*
 * Hostile WWD files; see support/hostile.h. LVL_HOSTILE=full tries everything, otherwise a part that takes a
 * minute.
 */
#include "base/cursor.h"
#include "hostile.h"
#include "starve.h"
#include "wwd_seeds.h"
#include "growth.h"

#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void treat(int seed)
{
    lvl_buffer file = {0};

    assert_int_equal(lvl_wwd_seed(seed, &file), LVL_OK);
    const lvl_hostile hostile = {.name = lvl_wwd_seed_name(seed),
                                 .format = lvl_format_find("wwd"),
                                 .sample = {file.data, file.len},
                                 .hook = &lvl_wwd_hook};
    /* damaged as it may be, it is written back bit for bit */
    const bool stands = lvl_hostile_stands(&hostile, 999);
    lvl_buffer_free(&file);
    assert_true(stands);
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

/* Twenty thousand planes, each wrong in every number: nothing may take time that grows with the square of
 * them. */
static void many_lies(void **state)
{
    enum { PLANES = 20000, DECLARED_AT = 0x2DC, MAX_SECONDS = 60 };
    lvl_buffer file = {0}, inner = {0}, many = {0};
    uint8_t plane[LVL_WWD_PLANE_SIZE] = {LVL_WWD_PLANE_SIZE};

    (void)state;
    for (int at = 0x50; at < 0x90; at += 4)
        lvl_store_u32le(plane + at, 0x01020304u * (unsigned)at);
    for (int i = 0; i < PLANES; i++)
        lvl_buffer_add(&inner, plane, sizeof plane);
    assert_int_equal(lvl_wwd_seed(LVL_WWD_SEED_COMPRESSED, &file), LVL_OK);
    lvl_store_u32le(file.data + DECLARED_AT, PLANES);
    assert_true(
        lvl_wwd_hook.wrap((lvl_bytes){file.data, file.len}, (lvl_bytes){inner.data, inner.len}, &many));
    const double start = lvl_cpu_seconds();
    assert_true(lvl_hostile_try(lvl_format_find("wwd"), (lvl_bytes){many.data, many.len}, true, true));
    double seconds = lvl_cpu_seconds() - start;
    print_message("%d lying planes in %zu bytes: %.1f s\n", PLANES, many.len, seconds);
    assert_true(seconds < MAX_SECONDS);
    lvl_buffer_free(&file);
    lvl_buffer_free(&inner);
    lvl_buffer_free(&many);
}

static int leave_seeds(void **state)
{
    (void)state;
    for (int seed = 0; seed < LVL_WWD_SEED_COUNT; seed++) {
        lvl_buffer file = {0};
        char name[100];
        snprintf(name, sizeof name, "%s.wwd", lvl_wwd_seed_name(seed));
        if (lvl_wwd_seed(seed, &file) == LVL_OK)
            lvl_hostile_leave(name, (lvl_bytes){file.data, file.len});
        lvl_buffer_free(&file);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny),      cmocka_unit_test(stored), cmocka_unit_test(compressed),
        cmocka_unit_test(wapmap),    cmocka_unit_test(odd),    cmocka_unit_test(large),
        cmocka_unit_test(many_lies),
    };

    return cmocka_run_group_tests(tests, leave_seeds, NULL);
}
