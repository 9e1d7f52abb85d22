/*
 * Command lines of Windows: quotes, backslashes, and wildcards, which are expanded to files of samples/.
 */
#include "cli/cli.h"
#include "expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The arguments after the program's name, each in brackets. */
static void assert_arguments(const char *line, const char *expected)
{
    lvl_file_list got;
    lvl_buffer text = {0};

    assert_true(cli_split_command_line(line, &got));
    assert_null(got.names[got.count]);
    for (size_t i = 1; i < got.count; i++)
        lvl_buffer_printf(&text, "[%s]", got.names[i]);
    lvl_buffer_u8(&text, 0);
    assert_int_equal(text.status, LVL_OK);
    assert_string_equal((const char *)text.data, expected);
    lvl_buffer_free(&text);
    lvl_file_list_free(&got);
}

/* The examples of Microsoft's description of the rules, and those of a program's name. */
static void splits_as_windows_does(void **state)
{
    lvl_file_list got;

    (void)state;
    assert_arguments("lvl", "");
    assert_arguments("lvl  info\t a.wwd ", "[info][a.wwd]");
    assert_arguments("\"C:\\Program Files\\lvl\\lvl.exe\" info", "[info]");
    assert_arguments("lvl \"a b c\" d e", "[a b c][d][e]");
    assert_arguments("lvl \"ab\\\"c\" \"\\\\\" d", "[ab\"c][\\][d]");
    assert_arguments("lvl a\\\\\\b d\"e f\"g h", "[a\\\\\\b][de fg][h]");
    assert_arguments("lvl a\\\\\\\"b c d", "[a\\\"b][c][d]");
    assert_arguments("lvl a\\\\\\\\\"b c\" d e", "[a\\\\b c][d][e]");
    assert_arguments("lvl \"a\"\"b\" \"\" \"C:\\new levels\\\\\"", "[a\"b][][C:\\new levels\\]");
    assert_arguments("lvl \"not closed ", "[not closed ]");
    assert_arguments("lvl \xC3\xA4.wwd \xE6\xB4\x9E.nw", "[\xC3\xA4.wwd][\xE6\xB4\x9E.nw]");
    assert_true(cli_split_command_line("\"C:\\my lvl\\\"x a", &got)); /* no escapes in a program's name */
    assert_string_equal(got.names[0], "C:\\my lvl\\x");
    lvl_file_list_free(&got);
    assert_true(cli_split_command_line("", &got));
    assert_int_equal(got.count, 1);
    lvl_file_list_free(&got);
}

static void assert_slashes(const char *path, const char *expected)
{
    char text[64];

    snprintf(text, sizeof text, "%s", path);
    cli_plain_slashes(text);
    assert_string_equal(text, expected);
}

/* A path is printed in one form, whichever slashes were typed; two are never joined, or made, before a
 * member of an archive. */
static void has_one_form_of_a_path(void **state)
{
    (void)state;
    assert_slashes("a\\b\\c.nw", "a/b/c.nw");
    assert_slashes("levels\\sub/a.nw", "levels/sub/a.nw");
    assert_slashes("C:\\a.nw", "C:/a.nw");
    assert_slashes("a\\\\b\\/c/\\d\\", "a/b/c/d/");
    assert_slashes("a\\b.zip//in\\c.nw", "a/b.zip//in/c.nw");
    assert_slashes("b.zip//\\c.nw", "b.zip//c.nw");
    assert_slashes("\\\\server\\share\\a.nw", "//server/share/a.nw");
    assert_slashes("//server/a.nw", "//server/a.nw");
    assert_slashes("\\\\?\\C:\\a.nw", "\\\\?\\C:\\a.nw");
    assert_slashes("\\\\.\\pipe\\a", "\\\\.\\pipe\\a");
    assert_slashes("\\a", "/a");
    assert_slashes("", "");
}

static void expands_wildcards(void **state)
{
    (void)state;
    assert_arguments("lvl info samples/wwd/CLIFFS-*.wwd -q",
                     "[info][samples/wwd/cliffs-libwap32.wwd][samples/wwd/cliffs-stored.wwd]"
                     "[samples/wwd/cliffs-wapmap.wwd][-q]");
    assert_arguments("lvl samples/sketchy/hill-v?.lev??",
                     "[samples/sketchy/hill-v1.level][samples/sketchy/hill-v2.level]"
                     "[samples/sketchy/hill-v3.level][samples/sketchy/hill-v4.level]");
    assert_arguments("lvl READM?.* LIC*", "[README.md][LICENSE]");
    /* what matches nothing, and what is no name of a file, stays */
    assert_arguments("lvl x*.none no-folder/*.wwd", "[x*.none][no-folder/*.wwd]");
    assert_arguments("lvl get a.nw npcs[*].image --where=READM*",
                     "[get][a.nw][npcs[*].image][--where=READM*]");
    assert_arguments("lvl sampl*/README.md", "[sampl*/README.md]");
    assert_arguments("lvl \"READM?.*\" READM\"?\".*", "[READM?.*][READM?.*]");
    assert_arguments("LICEN*", "");
}

static void matches_patterns(void **state)
{
    (void)state;
    assert_true(cli_matches_pattern("levels/a.level", "*.level", false));
    assert_true(cli_matches_pattern("", "**", false));
    assert_true(cli_matches_pattern("abcabd", "*ab?", false));
    assert_true(cli_matches_pattern("H\xC3\xB6hle.nw", "h?hle.nw", true));
    assert_false(cli_matches_pattern("H\xC3\xB6hle.nw", "h?hle.nw", false));
    assert_false(cli_matches_pattern("a.level", "*.lev", true));
    assert_false(cli_matches_pattern("a", "a?", true));
    assert_false(cli_matches_pattern("", "?", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_as_windows_does),
        cmocka_unit_test(has_one_form_of_a_path),
        cmocka_unit_test(expands_wildcards),
        cmocka_unit_test(matches_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
