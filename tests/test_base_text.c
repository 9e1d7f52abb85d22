/*
 * Code pages are bijections of 256 bytes; broken UTF-8 is detected; printed text cannot control a terminal.
 */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void pages_are_bijections(void **state)
{
    char all[256];

    (void)state;
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    for (int page = LVL_CP_1252; page < LVL_CP_UTF8; page++) {
        lvl_buffer utf8 = {0}, back = {0};
        uint32_t bad = 0;
        lvl_text_to_utf8(&utf8, (lvl_codepage)page, (lvl_text){all, sizeof all});
        lvl_text shown = {(const char *)utf8.data, utf8.len};
        assert_true(lvl_utf8_valid(shown));
        assert_true(lvl_text_from_utf8(&back, (lvl_codepage)page, shown, &bad));
        assert_int_equal(back.len, 256);
        assert_memory_equal(back.data, all, 256);
        lvl_buffer_free(&utf8);
        lvl_buffer_free(&back);
        /* One at a time as well: every byte is one character. */
        for (int i = 0; i < 256; i++) {
            lvl_text_to_utf8(&utf8, (lvl_codepage)page, (lvl_text){all + i, 1});
            assert_true(utf8.len >= 1 && utf8.len <= 3);
            lvl_buffer_free(&utf8);
        }
    }
}

static void pages_know_their_letters(void **state)
{
    static const struct {
        lvl_codepage page;
        uint8_t byte;
        const char *utf8;
    } cases[] = {
        {LVL_CP_1252, 0x80, "\xe2\x82\xac"}, {LVL_CP_1252, 0xe9, "\xc3\xa9"}, {LVL_CP_1252, 0x81, "\xc2\x81"},
        {LVL_CP_1250, 0xb3, "\xc5\x82"},     {LVL_CP_1250, 0xf1, "\xc5\x84"}, {LVL_CP_1251, 0xe6, "\xd0\xb6"},
    };
    uint32_t bad = 0;
    lvl_buffer b = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        b.len = 0;
        lvl_text_to_utf8(&b, cases[i].page, (lvl_text){(const char *)&cases[i].byte, 1});
        assert_int_equal(b.len, strlen(cases[i].utf8));
        assert_memory_equal(b.data, cases[i].utf8, b.len);
    }
    b.len = 0;
    assert_false(lvl_text_from_utf8(&b, LVL_CP_1252, lvl_text_of("a\xc5\x82"), &bad)); /* l with stroke */
    assert_int_equal(bad, 0x142);
    assert_false(lvl_text_from_utf8(&b, LVL_CP_1252, lvl_text_of("a\xff"), &bad));
    assert_int_equal(bad, 0xFFFD);
    lvl_buffer_free(&b);
}

static void broken_utf8_is_seen(void **state)
{
    static const char *const broken[] = {"\x80",
                                         "\xc0\x80",
                                         "\xc1\xbf",
                                         "\xe0\x80\x80",
                                         "\xed\xa0\x80",
                                         "\xf0\x80\x80\x80",
                                         "\xf4\x90\x80\x80",
                                         "\xf8\x88\x80\x80\x80",
                                         "\xe2\x82",
                                         "a\xc3"};
    static const char *const whole[] = {
        "", "plain", "\xc2\x80", "\xe2\x82\xac", "\xf0\x9f\x8f\xb4", "\xf4\x8f\xbf\xbf"};

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        assert_false(lvl_utf8_valid(lvl_text_of(broken[i])));
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        assert_true(lvl_utf8_valid(lvl_text_of(whole[i])));
}

static void shown_text_is_tame(void **state)
{
    char all[256], buf[4096], cut[7];

    (void)state;
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    for (int page = LVL_CP_1252; page < LVL_CP_COUNT; page++) {
        const char *shown = lvl_text_show(buf, sizeof buf, (lvl_codepage)page, (lvl_text){all, sizeof all});
        for (const uint8_t *p = (const uint8_t *)shown; *p; p++) {
            assert_true(*p >= 0x20 && *p != 0x7f);
            assert_false(p[0] == 0xc2 && p[1] < 0xa0); /* C1 */
        }
        assert_true(lvl_utf8_valid(lvl_text_of(shown)));
        for (size_t size = 1; size <= sizeof cut; size++) {
            shown = lvl_text_show(cut, size, (lvl_codepage)page, lvl_text_of("\xe9\xe9\x1b[2J"));
            assert_true(strlen(shown) < size);
            assert_true(lvl_utf8_valid(lvl_text_of(shown)));
        }
    }
}

static void escaped(lvl_codepage page, const char *text, size_t len, bool lines, const char *want)
{
    lvl_buffer out = {0};

    lvl_text_escape(&out, page, (lvl_text){text, len}, lines);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((char *)out.data, want);
    lvl_buffer_free(&out);
}

static void what_drives_or_turns_is_escaped(void **state)
{
    char buf[80];

    (void)state;
    escaped(LVL_CP_UTF8, "a\tb\r\n\x1b[2J\0c", 11, false, "a\\x09b\\x0d\\x0a\\x1b[2J\\x00c");
    escaped(LVL_CP_UTF8, "a\tb\r\nc", 6, true, "a\tb\\x0d\nc");
    escaped(LVL_CP_UTF8, "\xe2\x80\xaexe.\xe2\x81\xa6", 9, true, "\\u202exe.\\u2066");
    escaped(LVL_CP_UTF8, "\xd8\x9c\xe2\x80\x8f\xe2\x80\xa8", 8, true, "\\u061c\\u200f\\u2028");
    escaped(LVL_CP_UTF8, "\xc2\x9b\xc3\xa9", 4, true, "\\x9b\xc3\xa9");
    escaped(LVL_CP_UTF8, "\xff\xe2\x80", 3, true, "\\xff\\xe2\\x80");
    escaped(LVL_CP_1252, "\x9d\xe9", 2, true, "\\x9d\xc3\xa9");
    escaped(LVL_CP_1252, NULL, 0, true, "");
    assert_string_equal(lvl_text_show(buf, sizeof buf, LVL_CP_UTF8, lvl_text_of("\xe2\x80\xaex\xc2\x9b")),
                        "\\u202ex\\x9b");
}

static void distances(void **state)
{
    (void)state;
    assert_int_equal(lvl_text_distance(lvl_text_of("Segull"), lvl_text_of("Seagull"), 3), 1);
    assert_int_equal(lvl_text_distance(lvl_text_of("rat"), lvl_text_of("Rat"), 3), 0);
    assert_int_equal(lvl_text_distance(lvl_text_of("Rat"), lvl_text_of("Tra"), 3), 2);
    assert_int_equal(lvl_text_distance(lvl_text_of("Powderkeg"), lvl_text_of("Pwoderkeg"), 3), 1);
    assert_int_equal(lvl_text_distance(lvl_text_of("abc"), lvl_text_of("xyzw"), 2), 3);
    assert_int_equal(lvl_text_distance(lvl_text_of(""), lvl_text_of("ab"), 5), 2);
    assert_true(lvl_text_equal_nocase(lvl_text_of("LEVEL_x"), lvl_text_of("level_X")));
    assert_false(lvl_text_equal_nocase(lvl_text_of("a"), lvl_text_of("ab")));
    assert_true(lvl_text_equal(lvl_text_of(NULL), lvl_text_of("")));
    assert_int_equal(lvl_text_slot("ab\0c\0\0", 6).len, 4);
    assert_int_equal(lvl_text_slot("\0\0", 2).len, 0);
}

static void beginnings_and_endings(void **state)
{
    const lvl_text nothing = {NULL, 0}, name = lvl_text_of("Chunks/a.BIN");

    (void)state;
    assert_true(lvl_text_begins(name, "Chunks/"));
    assert_false(lvl_text_begins(name, "chunks/"));
    assert_true(lvl_text_begins(name, "Chunks/a.BIN"));
    assert_false(lvl_text_begins(name, "Chunks/a.BIN2"));
    assert_true(lvl_text_begins_nocase(name, "chunks/A.b"));
    assert_false(lvl_text_begins_nocase(name, "chunks/b"));
    assert_true(lvl_text_has_ending(name, ".bin"));
    assert_false(lvl_text_has_ending(name, "x.bin"));
    assert_false(lvl_text_has_ending(lvl_text_of(".bin"), ".bin"));
    assert_true(lvl_text_begins(nothing, "") && lvl_text_begins_nocase(nothing, ""));
    assert_false(lvl_text_begins(nothing, "a") || lvl_text_has_ending(nothing, ".a") ||
                 lvl_text_has_ending(nothing, ""));
}

static void cuts_are_between_characters(void **state)
{
    static const struct {
        const char *text;
        size_t most, len;
    } cases[] = {
        {"abc", 3, 3},
        {"abc", 2, 2},
        {"abc", 0, 0},
        {"", 0, 0},
        {"a\xc3\xa9", 2, 1},
        {"a\xc3\xa9", 3, 3},
        {"\xe2\x82\xac", 2, 0},
        {"x\xf0\x9f\x98\x80y", 4, 1},
        {"x\xf0\x9f\x98\x80y", 5, 5},
        {"\x80\x80\x80\x80\x80\x80\x80", 5, 5}, /* no UTF-8 */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lvl_text cut = lvl_text_cut(lvl_text_of(cases[i].text), cases[i].most);
        assert_ptr_equal(cut.ptr, cases[i].text);
        assert_int_equal(cut.len, cases[i].len);
    }
}

static void json_has_its_commas(void **state)
{
    static const char wanted[] = "{\"file\":\"a\\\"b\",\"n\":-3,\"big\":18446744073709551615,\"ok\":true,"
                                 "\"list\":[1,\"x\",{\"no\":false},\n[2]],\"o\":{}}";
    lvl_buffer out = {0};

    (void)state;
    lvl_json_open(&out, NULL, '{');
    lvl_json_put_string(&out, "file", "a\"b");
    lvl_json_put_string(&out, "absent", NULL);
    lvl_json_put_int(&out, "n", -3);
    lvl_json_put_uint(&out, "big", UINT64_MAX);
    lvl_json_put_bool(&out, "ok", true);
    lvl_json_open(&out, "list", '[');
    lvl_json_put_int(&out, NULL, 1);
    lvl_json_put_text(&out, NULL, lvl_text_of("x"));
    lvl_json_open(&out, NULL, '{');
    lvl_json_put_bool(&out, "no", false);
    lvl_buffer_u8(&out, '}');
    lvl_json_next(&out);
    lvl_buffer_u8(&out, '\n');
    lvl_json_open(&out, NULL, '[');
    lvl_json_put_int(&out, NULL, 2);
    lvl_buffer_str(&out, "]]");
    lvl_json_open(&out, "o", '{');
    lvl_buffer_str(&out, "}}");
    assert_int_equal(out.status, LVL_OK);
    assert_int_equal(out.len, strlen(wanted));
    assert_memory_equal(out.data, wanted, out.len);
    lvl_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_bijections),
        cmocka_unit_test(pages_know_their_letters),
        cmocka_unit_test(broken_utf8_is_seen),
        cmocka_unit_test(shown_text_is_tame),
        cmocka_unit_test(what_drives_or_turns_is_escaped),
        cmocka_unit_test(distances),
        cmocka_unit_test(beginnings_and_endings),
        cmocka_unit_test(cuts_are_between_characters),
        cmocka_unit_test(json_has_its_commas),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
