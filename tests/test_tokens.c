/*
 * test_tokens.c: the JSON tokenizer: what it accepts and refuses, positions, strings in both directions,
 * depth, and agreement with yyjson on damaged texts.
 */
#include "codec/json.h"
#include "codec/tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Reads a whole text; the tokens as letters, '!' for an error. */
static const char *shape(const char *text, size_t len, char *buf, size_t size)
{
    static const char letters[] = ".!{}[]ksntfz";
    lvl_tokens t;
    size_t n = 0;

    lvl_tokens_init(&t, (lvl_text){text, len}, 64);
    for (;;) {
        const lvl_token token = lvl_tokens_next(&t);
        if (n + 1 < size)
            buf[n++] = letters[token.kind];
        if (token.kind == LVL_TOKEN_END || token.kind == LVL_TOKEN_ERROR)
            break;
    }
    buf[n] = 0;
    return buf;
}

static void assert_shape(const char *text, const char *expected)
{
    char buf[256];

    assert_string_equal(shape(text, strlen(text), buf, sizeof buf), expected);
}

static void test_shapes(void **state)
{
    (void)state;
    assert_shape("{}", "{}.");
    assert_shape(" [ ] ", "[].");
    assert_shape("{\"a\":1,\"b\":[true,false,null,\"x\"]}\n", "{knk[tfzs]}.");
    assert_shape("-0.5e+3", "n.");
    assert_shape("", "!");
    assert_shape("{", "{!");
    assert_shape("{\"a\"}", "{k!");
    assert_shape("{\"a\":}", "{k!");
    assert_shape("{\"a\":1,}", "{kn!");
    assert_shape("[1,]", "[n!");
    assert_shape("[1 2]", "[n!");
    assert_shape("[1}", "[n!");
    assert_shape("01", "n!");
    assert_shape("1.", "!");
    assert_shape("+1", "!");
    assert_shape("nul", "!");
    assert_shape("\"a", "!");
    assert_shape("\"\\x\"", "!");
    assert_shape("\"\\u12g4\"", "!");
    assert_shape("\"\t\"", "!");
    assert_shape("{} x", "{}!");
    assert_shape("'a'", "!");
    assert_shape("{1:2}", "{!");
}

static void test_depth(void **state)
{
    char deep[2200], buf[2400];
    (void)state;

    memset(deep, '[', 64);
    memset(deep + 64, ']', 64);
    assert_non_null(strchr(shape(deep, 128, buf, sizeof buf), '.'));
    memset(deep, '[', 65);
    assert_null(strchr(shape(deep, 130, buf, sizeof buf), '.'));
    memset(deep, '[', sizeof deep); /* far beyond any stack */
    assert_int_equal(strlen(shape(deep, sizeof deep, buf, sizeof buf)), 65);
}

static void test_positions(void **state)
{
    const lvl_text text = lvl_text_of("{\"a\": {\"b\":[1, 2]}, \"c\":\"x\\n\"} tail");
    lvl_tokens t;
    (void)state;

    lvl_tokens_init(&t, text, 0);
    lvl_token token = lvl_tokens_next(&t);
    token = lvl_tokens_next(&t);
    assert_true(lvl_token_is(&token, "a"));
    assert_int_equal(token.at, 1);
    token = lvl_tokens_next(&t);
    assert_true(lvl_text_is(lvl_tokens_skip(&t, &token), "{\"b\":[1, 2]}"));
    token = lvl_tokens_next(&t);
    assert_true(lvl_token_is(&token, "c"));
    token = lvl_tokens_next(&t);
    assert_true(token.escaped && lvl_token_is(&token, "x\n"));
    assert_int_equal(token.at, 24);
    assert_true(lvl_text_is(lvl_tokens_skip(&t, &token), "\"x\\n\""));
    token = lvl_tokens_next(&t);
    assert_int_equal(token.kind, LVL_TOKEN_OBJECT_END);
    assert_int_equal(lvl_tokens_offset(&t), 30);
    token = lvl_tokens_next(&t);
    assert_int_equal(token.kind, LVL_TOKEN_ERROR);
    assert_int_equal(t.at, 31);
}

static void test_strings(void **state)
{
    static const char *const pairs[][2] = {
        {"plain", "\"plain\""},
        {"a<b>&c", "\"a\\u003cb\\u003e\\u0026c\""},
        {"q\"b\\", "\"q\\\"b\\\\\""},
        {"\n\r\t\x01", "\"\\n\\r\\t\\u0001\""},
        {"\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\""},
        {"\xe2\x80\xa8", "\"\\u2028\""},
    };
    lvl_buffer out = {0};
    (void)state;

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        out.len = 0;
        lvl_token_quote(&out, lvl_text_of(pairs[i][0]));
        assert_true(lvl_text_is((lvl_text){(char *)out.data, out.len}, pairs[i][1]));
        lvl_buffer back = {0};
        lvl_token_unescape(&back, (lvl_text){(char *)out.data + 1, out.len - 2});
        assert_true(lvl_text_is((lvl_text){(char *)back.data, back.len}, pairs[i][0]));
        lvl_buffer_free(&back);
    }
    out.len = 0;
    lvl_token_unescape(&out, lvl_text_of("\\ud83d\\ude00 \\ud83d x \\/ \\b"));
    assert_true(lvl_text_is((lvl_text){(char *)out.data, out.len}, "\xf0\x9f\x98\x80 \xef\xbf\xbd x / \b"));
    out.len = 0;
    lvl_token_quote(&out, (lvl_text){"a\xff\xc3", 3});
    assert_true(lvl_text_is((lvl_text){(char *)out.data, out.len}, "\"a\xff\xc3\""));
    lvl_buffer_free(&out);
}

static void test_ints(void **state)
{
    static const struct {
        const char *text;
        bool fits;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"-1", true, -1},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"99999999999999999999", false, 0},
        {"1.0", false, 0},
        {"1e3", false, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lvl_token token = {LVL_TOKEN_NUMBER, lvl_text_of(cases[i].text), false, 0};
        int64_t v = 0;
        assert_int_equal(lvl_token_int(&token, &v), cases[i].fits);
        assert_true(v == cases[i].value);
    }
}

/* Damaged texts are taken or refused as by yyjson, which is strict as well (broken UTF-8 aside, which isn't
 * made here). */
static void test_like_yyjson(void **state)
{
    static const char text[] =
        "{\"a\":[1,-2.5e3,{\"k\\u0041\":\"\\\"v\\\\\"},null],\"b\":{},\"c\":[[],[true,false]]}";
    static const char junk[] = "{}[],:\"\\0-.eEtn u";
    char copy[sizeof text], buf[256];
    uint32_t seed = 7, agreed = 0, good = 0;
    (void)state;

    for (int round = 0; round < 200000; round++) {
        size_t len = sizeof text - 1;
        memcpy(copy, text, sizeof text);
        for (int k = 0; k < 1 + round % 3; k++) {
            seed = seed * 1664525 + 1013904223;
            copy[seed / 65536 % len] = junk[(seed >> 8) % (sizeof junk - 1)];
        }
        if (round % 5 == 0)
            len = seed / 7 % len;
        const bool ours = strchr(shape(copy, len, buf, sizeof buf), '.') != NULL;
        yyjson_doc *doc = yyjson_read(copy, len, YYJSON_READ_BIGNUM_AS_RAW);
        agreed += ours == (doc != NULL);
        good += ours;
        yyjson_doc_free(doc);
    }
    assert_int_equal(agreed, 200000);
    assert_true(good > 1000);
}

/* Where a value ends, or what is wrong with it, token by token. */
static lvl_text step_over(lvl_tokens *t, const lvl_token *first)
{
    const uint32_t depth = t->depth;

    do {
        if (lvl_tokens_next(t).kind == LVL_TOKEN_ERROR)
            return (lvl_text){NULL, 0};
    } while (t->depth >= depth);
    return (lvl_text){t->start + first->at, (size_t)(t->p - t->start) - first->at};
}

/* Passing over pixels in a hurry finds the same ends and the same faults at the same places. */
static void test_hurry(void **state)
{
    static const char junk[] = "{}[],:\"\\0-.+eEtn u/\x01\xff";
    char text[700];
    uint32_t seed = 3, whole = 0;
    size_t all = 0;
    (void)state;

    all += (size_t)snprintf(text, sizeof text, "{\"a\":{");
    for (int i = 0; i < 36; i++)
        all += (size_t)snprintf(text + all, sizeof text - all, "\"%d,%d\":%d,", i * i * 37 - 600, 90 + i,
                                i % 7 ? i % 9 : i * 41);
    all += (size_t)snprintf(text + all, sizeof text - all, "\"x\":[1]},\"b\":2}");
    assert_true(all < sizeof text - 1);
    for (int round = 0; round < 200000; round++) {
        const size_t len = round % 5 ? all : seed / 7 % all;
        char *copy = malloc(len + 1);
        lvl_tokens a, b;
        assert_non_null(copy);
        memcpy(copy, text, len);
        for (int k = 0; len && k < round % 4; k++) {
            seed = seed * 1664525 + 1013904223;
            copy[seed / 65536 % len] = junk[(seed >> 8) % (sizeof junk - 1)];
        }
        seed = seed * 1664525 + 1013904223;
        lvl_tokens_init(&a, (lvl_text){copy, len}, 8);
        lvl_tokens_init(&b, (lvl_text){copy, len}, 8);
        const lvl_token first = lvl_tokens_next(&a);
        lvl_tokens_next(&b);
        if (first.kind == LVL_TOKEN_OBJECT) {
            const lvl_text x = lvl_tokens_skip(&a, &first), y = step_over(&b, &first);
            assert_ptr_equal(x.ptr, y.ptr);
            assert_int_equal(x.len, y.len);
            assert_ptr_equal(a.error, b.error);
            assert_int_equal(a.at, b.at);
            assert_int_equal(a.depth, b.depth);
            whole += x.ptr != NULL;
        }
        free(copy);
    }
    assert_true(whole > 40000 && whole < 160000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_depth), cmocka_unit_test(test_positions),
        cmocka_unit_test(test_strings), cmocka_unit_test(test_ints),  cmocka_unit_test(test_like_yyjson),
        cmocka_unit_test(test_hurry),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
