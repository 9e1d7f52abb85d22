/*
 * test_program.c: other programs, run without a shell: their output and exit code, the folder, a program that is
 * not there, and one that takes too long.
 */
#define _DEFAULT_SOURCE /* mkdtemp, setenv, strdup */

#include "cli/shared/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <cmocka.h>

static int run(const char *const *words, cli_program how, lvl_buffer *out)
{
    how.words = words;
    how.out = out;
    return cli_program_run(&how);
}

static void expect_text(lvl_buffer *out, const char *text)
{
    assert_int_equal(out->status, LVL_OK);
    lvl_buffer_u8(out, 0);
    assert_string_equal((const char *)out->data, text);
    lvl_buffer_free(out);
}

#ifndef _WIN32

static void test_words(void **state)
{
    static const char *const words[] = {"printf", "%s|", "a b", "$(id)", "'\"", "-n", NULL};
    lvl_buffer out = {0};

    (void)state;
    assert_int_equal(run(words, (cli_program){0}, &out), 0);
    expect_text(&out, "a b|$(id)|'\"|-n|");
    assert_int_equal(run(words, (cli_program){0}, NULL), 0); /* the output is dropped */
}

static void test_code_and_messages(void **state)
{
    static const char *const words[] = {"sh", "-c", "pwd; echo wrong >&2; exit 7", NULL};
    lvl_buffer out = {0};

    (void)state;
    assert_int_equal(run(words, (cli_program){.folder = "/", .messages = true}, &out), 7);
    expect_text(&out, "/\nwrong\n");
}

/* A program in a relative folder of PATH may be somebody else's, as in the folder of temporary files. */
static void test_relative_folders(void **state)
{
    static const char *const words[] = {"lvl-other", NULL};
    char folder[] = "/tmp/lvl-program-XXXXXX", path[64], *before = getenv("PATH");
    lvl_buffer out = {0};

    (void)state;
    before = before ? strdup(before) : NULL;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lvl-other", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("#!/bin/sh\necho other\n", file);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
    setenv("PATH", ".::/bin:", 1);
    assert_int_equal(run(words, (cli_program){.folder = folder}, &out), CLI_PROGRAM_MISSING);
    setenv("PATH", folder, 1);
    assert_int_equal(run(words, (cli_program){0}, &out), 0);
    expect_text(&out, "other\n");
    if (before)
        setenv("PATH", before, 1);
    free(before);
    unlink(path);
    rmdir(folder);
}

static void test_late(void **state)
{
    static const char *const words[] = {"sleep", "60", NULL};
    const time_t start = time(NULL);
    lvl_buffer out = {0};

    (void)state;
    assert_int_equal(run(words, (cli_program){.seconds = 1}, &out), CLI_PROGRAM_LATE);
    assert_true(time(NULL) - start < 30);
    lvl_buffer_free(&out);
}

/* The limit is of the program, not of its output. */
static void test_late_after_output(void **state)
{
    static const char *const words[] = {"sh", "-c", "exec >&- 2>&-; exec sleep 20", NULL},
                             *const soon[] = {"sh", "-c", "exec >&- 2>&-; sleep 0.3; exit 5", NULL};
    const time_t start = time(NULL);
    lvl_buffer out = {0};

    (void)state;
    assert_int_equal(run(words, (cli_program){.messages = true, .seconds = 1}, &out), CLI_PROGRAM_LATE);
    assert_int_equal(run(soon, (cli_program){.messages = true, .seconds = 60}, &out), 5);
    assert_true(time(NULL) - start < 15);
    lvl_buffer_free(&out);
}

/* Output beyond what the caller wants to keep is no failure of the program. */
static void test_much_output(void **state)
{
    static const char *const words[] = {"sh", "-c", "yes | head -c 100000; exit 3", NULL};
    lvl_buffer out = {.max = 1 << 16};

    (void)state;
    assert_int_equal(run(words, (cli_program){0}, &out), 3);
    assert_int_not_equal(out.status, LVL_OK);
    lvl_buffer_free(&out);
}

#endif

static void test_missing(void **state)
{
    static const char *const words[] = {"lvl-no-such-program", NULL};
    lvl_buffer out = {0};

    (void)state;
    assert_int_equal(run(words, (cli_program){0}, &out), CLI_PROGRAM_MISSING);
    lvl_buffer_free(&out);
    (void)expect_text;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifndef _WIN32
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_code_and_messages),
        cmocka_unit_test(test_relative_folders),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_late_after_output),
        cmocka_unit_test(test_much_output),
#endif
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
