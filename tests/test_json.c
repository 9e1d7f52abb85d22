/*
 * Numbers in our text formats: one grammar, one bounded parser.
 */
#include "codec/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* In an allocation of exactly its size, so that a sanitizer sees reads beyond it. */
static bool parse(const char *text, size_t len, double *out)
{
    char *own = malloc(len ? len : 1);

    assert_non_null(own);
    memcpy(own, text, len);
    const bool good = lvl_real_parse((lvl_text){own, len}, out);
    free(own);
    return good;
}

static void reals_of_the_grammar(void **state)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0},
        {"7", 7},
        {"-7", -7},
        {"+7", 7},
        {"007", 7},
        {"-007.5", -7.5},
        {"00", 0},
        {"00.5", 0.5},
        {".5", 0.5},
        {"-.5", -0.5},
        {"+.5", 0.5},
        {"5.", 5},
        {"-5.", -5},
        {"5.e1", 50},
        {".5e1", 5},
        {"1e3", 1000},
        {"1E3", 1000},
        {"1e+3", 1000},
        {"1e-3", 0.001},
        {"1e0003", 1000},
        {"1.5e-2", 0.015},
        {"4294967296", 4294967296.0},
        {"0.1", 0.1},
        {"1e308", 1e308},
        {"9007199254740993", 9007199254740992.0},
        {"1e-400", 0},
    };
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        value = 99;
        if (!parse(good[i].text, strlen(good[i].text), &value))
            fail_msg("%s is refused", good[i].text);
        assert_memory_equal(&value, &good[i].value, sizeof value);
    }
    const double minus = -0.0;
    for (size_t i = 0; i < 3; i++) {
        static const char *const zeros[] = {"-0", "-.0", "-0.e5"};
        assert_true(parse(zeros[i], strlen(zeros[i]), &value));
        assert_memory_equal(&value, &minus, sizeof value);
    }
}

static void everything_else_is_refused(void **state)
{
    static const char *const bad[] = {
        "",     "-",     "+",        ".",     "-.",  "+.",   "..",   "5..", "..5", "1.2.3", "-.5-.5",
        ".5.5", "+-5",   "-+5",      "--5",   "++5", "e5",   ".e5",  "5e",  "5e+", "5e-",   "5ee5",
        "5e.5", "5e5.5", "5e5e5",    " 5",    "5 ",  "5\n",  "0x10", "1_0", "1,5", "nan",   "inf",
        "-inf", "NaN",   "Infinity", "1e309", "5f",  "\xB2", "5d",   "0b1", "/",   ":",
    };
    double value = 99;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (parse(bad[i], strlen(bad[i]), &value))
            fail_msg("%s is taken for %g", bad[i], value);
    }
    assert_false(parse("5\0", 2, &value));
    assert_false(parse("\0", 1, &value));
}

/* Every piece that ever made the text longer, repeated up to and beyond the bound. */
static void hostile_reals_stay_within_bounds(void **state)
{
    static const char *const pieces[] = {"-.5", ".5", ".",   "-", "+",  "0",   "00.",
                                         "1.",  "e",  "e.5", "5", "-.", "+.5e"};
    char text[2000];
    double value;

    (void)state;
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        const size_t step = strlen(pieces[p]);
        for (size_t len = 0; len + step < sizeof text; len += step) {
            memcpy(text + len, pieces[p], step);
            (void)parse(text, len + step, &value);
        }
    }
    for (size_t len = 398; len <= 402; len++) {
        memset(text, '0', len);
        assert_int_equal(parse(text, len, &value), len <= 400);
        memset(text, '1', len);
        text[0] = '.';
        assert_int_equal(parse(text, len, &value), len <= 400);
        memset(text, '0', len);
        text[0] = '-';
        text[1] = '.';
        assert_int_equal(parse(text, len, &value), len <= 400);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_of_the_grammar),
        cmocka_unit_test(everything_else_is_refused),
        cmocka_unit_test(hostile_reals_stay_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
