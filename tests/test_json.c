/*
 * Numbers in our text formats: one grammar, one bounded parser.
 */
#include "base/buffer.h"
#include "codec/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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

/* Bytes from an allocator that counts. */
typedef struct counted {
    size_t now, most;
} counted;

typedef union counted_head {
    size_t size;
    max_align_t align;
} counted_head;

static void *counted_alloc(void *user, size_t size)
{
    counted *c = user;
    counted_head *head = malloc(sizeof *head + size);

    assert_non_null(head);
    head->size = size;
    c->now += size;
    c->most = c->now > c->most ? c->now : c->most;
    return head + 1;
}

static void counted_release(void *user, void *ptr)
{
    counted *c = user;
    counted_head *head = (counted_head *)ptr - 1;

    c->now -= head->size;
    free(head);
}

static void *counted_resize(void *user, void *ptr, size_t old_size, size_t size)
{
    void *moved = counted_alloc(user, size);

    memcpy(moved, ptr, old_size < size ? old_size : size);
    counted_release(user, ptr);
    return moved;
}

/* Trees of any text: within half of the memory, or refused with the limit's name; nothing stays behind. */
static void trees_stay_within_the_memory(void **state)
{
    static const char *const items[] = {"{}", "[[]]", "1", "\"text\"", "{\"a\":[1,2],\"b\":null}"};
    enum { LIMIT = 1 << 20 };
    unsigned refused = 0, read = 0;

    (void)state;
    for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
        for (uint32_t n = 16; n <= 1 << 16; n *= 4) {
            for (int broken = 0; broken < 2; broken++) {
                counted c = {0, 0};
                lvl_usage usage = {.limit = LVL_LIMIT_NONE};
                lvl_json_error error;
                lvl_buffer text = {0};
                lvl_ctx ctx;
                lvl_ctx_init(&ctx);
                ctx.limits.memory_bytes = LIMIT;
                ctx.usage = &usage;
                ctx.allocator = (lvl_allocator){counted_alloc, counted_resize, counted_release, &c};
                lvl_buffer_str(&text, "[");
                for (uint32_t i = 0; i < n; i++)
                    lvl_buffer_printf(&text, "%s%s", i ? "," : "", items[k]);
                lvl_buffer_str(&text, broken ? "[" : "]");
                yyjson_doc *tree = lvl_json_read(&ctx, lvl_buffer_text(&text), &error);
                if (tree) {
                    assert_false(broken);
                    assert_int_equal(yyjson_arr_size(yyjson_doc_get_root(tree)), n);
                    read++;
                } else if (error.status == LVL_ERR_LIMIT) {
                    assert_int_equal(usage.limit, LVL_LIMIT_MEMORY);
                    assert_true(usage.wanted > LIMIT / 2);
                    refused++;
                } else {
                    assert_int_equal(error.status, LVL_ERR_FORMAT);
                    assert_true(broken);
                }
                yyjson_doc_free(tree);
                lvl_buffer_free(&text);
                assert_true(c.most <= LIMIT / 2 + 4096);
                assert_int_equal(c.now, 0);
            }
        }
    }
    assert_true(refused > 4 && read > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_of_the_grammar),
        cmocka_unit_test(everything_else_is_refused),
        cmocka_unit_test(hostile_reals_stay_within_bounds),
        cmocka_unit_test(trees_stay_within_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
