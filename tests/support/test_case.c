/*
 * support/test_case.c: LVL_TEST_CASE names the cases of a test program that run, with * and ?; all others are
 * left out. Linked into each of them as an object, so that no main has to ask for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void choose_cases(void)
{
    const char *pattern = getenv("LVL_TEST_CASE");

    if (pattern && *pattern)
        cmocka_set_test_filter(pattern);
}
