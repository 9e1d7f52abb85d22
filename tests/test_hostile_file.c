/*
 * Reading files with failing system calls: reads that return one byte, are interrupted, or fail at any call;
 * and saving when memory runs out, which must leave the old file or the new one and nothing else.
 */
#define _DEFAULT_SOURCE
#include "os/file.h"
#include "starve.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIZE = 20000 };

static uint8_t content[SIZE];
static char dir[64], path[128];

/* Replacements for read and pread, which are used before the system's. */
static struct {
    bool on, short_ones, interrupted;
    unsigned calls, fail_at;
} unkind;

static bool refuses(size_t *size)
{
    if (!unkind.on)
        return false;
    unkind.calls++;
    if (unkind.calls == unkind.fail_at) {
        errno = EIO;
        return true;
    }
    if (unkind.interrupted && unkind.calls % 2) {
        errno = EINTR;
        return true;
    }
    if (unkind.short_ones && *size > 777)
        *size = unkind.calls % 3 ? 777 : 1;
    return false;
}

ssize_t read(int fd, void *buf, size_t size)
{
    return refuses(&size) ? -1 : (ssize_t)syscall(SYS_read, fd, buf, size);
}

ssize_t pread(int fd, void *buf, size_t size, off_t offset)
{
    return refuses(&size) ? -1 : (ssize_t)syscall(SYS_pread64, fd, buf, size, offset);
}

static void be_unkind(bool short_ones, bool interrupted, unsigned fail_at)
{
    memset(&unkind, 0, sizeof unkind);
    unkind.on = true;
    unkind.short_ones = short_ones;
    unkind.interrupted = interrupted;
    unkind.fail_at = fail_at;
}

static int make_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZE; i++)
        content[i] = (uint8_t)(i * 31 >> 3);
    snprintf(dir, sizeof dir, "/tmp/lvl-hostile-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof path, "%s/a.bin", dir);
    return lvl_file_save(path, (lvl_bytes){content, SIZE}, 0, NULL) == LVL_OK ? 0 : -1;
}

static int drop_file(void **state)
{
    (void)state;
    unkind.on = false;
    remove(path);
    return rmdir(dir); /* fails if a save left another file */
}

static bool is_content(const lvl_buffer *b)
{
    return b->len == SIZE && !memcmp(b->data, content, SIZE);
}

static void short_and_interrupted_reads_are_gone_on_with(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        lvl_buffer b = {0};
        lvl_file_ends ends;
        lvl_file *file = NULL;
        uint8_t piece[5000];
        size_t got = 0;
        be_unkind(how & 1, how & 2, 0);
        assert_int_equal(lvl_file_read(&b, path, 0, NULL), LVL_OK);
        assert_true(is_content(&b));
        lvl_buffer_free(&b);
        assert_int_equal(lvl_file_read_ends(&ends, path, NULL), LVL_OK);
        assert_int_equal(ends.size, SIZE);
        assert_int_equal(ends.head_len, LVL_FILE_END);
        assert_int_equal(ends.tail_len, LVL_FILE_END);
        assert_memory_equal(ends.head, content, LVL_FILE_END);
        assert_memory_equal(ends.tail, content + SIZE - LVL_FILE_END, LVL_FILE_END);
        assert_int_equal(lvl_file_open(&file, path, NULL), LVL_OK);
        assert_int_equal(lvl_file_at(file, SIZE - 3000, piece, sizeof piece, &got, NULL), LVL_OK);
        assert_int_equal(got, 3000);
        assert_memory_equal(piece, content + SIZE - 3000, 3000);
        lvl_file_close(file);
        assert_true(unkind.calls > 0);
        unkind.on = false;
    }
}

static void a_read_that_fails_is_told(void **state)
{
    unsigned failed = 0;

    (void)state;
    for (unsigned at = 1; at < 60; at++) {
        lvl_buffer b = {0};
        lvl_file_error why = {NULL, 0};
        be_unkind(true, false, at);
        lvl_status status = lvl_file_read(&b, path, 0, &why);
        bool hit = unkind.calls >= at;
        unkind.on = false;
        assert_int_equal(status, hit ? LVL_ERR_IO : LVL_OK);
        if (hit)
            assert_int_equal(why.code, EIO);
        else
            assert_true(is_content(&b));
        failed += hit;
        lvl_buffer_free(&b);
    }
    assert_true(failed > 20);
}

static void saving_while_memory_runs_out(void **state)
{
    static const uint8_t other[] = "another content";
    unsigned refused = 0;

    (void)state;
    if (!lvl_starve_works())
        skip();
    for (unsigned at = 1; at < 40; at++) {
        lvl_buffer b = {0};
        lvl_starve_from(at, at % 2);
        lvl_status status = lvl_file_save(path, (lvl_bytes){other, sizeof other}, LVL_SAVE_REPLACE, NULL);
        bool memory_failed = lvl_starve_calls() >= at;
        lvl_starve_from(0, false);
        assert_int_equal(lvl_file_read(&b, path, 0, NULL), LVL_OK);
        if (status == LVL_OK)
            assert_true(b.len == sizeof other && !memcmp(b.data, other, b.len));
        else
            assert_true(is_content(&b));
        refused += status != LVL_OK && memory_failed;
        lvl_buffer_free(&b);
        assert_int_equal(lvl_file_save(path, (lvl_bytes){content, SIZE}, LVL_SAVE_REPLACE, NULL), LVL_OK);
    }
    assert_true(refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_and_interrupted_reads_are_gone_on_with),
        cmocka_unit_test(a_read_that_fails_is_told),
        cmocka_unit_test(saving_while_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, make_file, drop_file);
}
