/*
 * container/archive.c: zips and, with libarchive, tars as containers: whole, cut at every length, with
 * flipped bits, as bombs.
 */
#include "base/archive_kinds.h"
#include "container/container.h"
#include "container/zip.h"

#include <lvl/lvl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *path, *content;
} members[] = {{"a.txt", "first"}, {"folder/b.txt", "second, second, second, second"}, {"../c.txt", ""}};
/* Of the cuts and bits that are tried, one in so many: under Wine, each archive that is opened takes 20 ms
 * for memory. */
enum {
    MEMBERS = sizeof members / sizeof members[0],
#ifdef _WIN32
    STRIDE = 37
#else
    STRIDE = 1
#endif
};

static void make_zip(const lvl_ctx *ctx, lvl_buffer *out)
{
    lvl_zip_writer writer;

    lvl_zip_begin(&writer, ctx, out);
    for (size_t i = 0; i < MEMBERS; i++)
        lvl_zip_put_new(&writer, lvl_text_of(members[i].path),
                        (lvl_bytes){(const uint8_t *)members[i].content, strlen(members[i].content)});
    assert_int_equal(lvl_zip_end(&writer, NULL), LVL_OK);
}

static void make_tar(const lvl_ctx *ctx, lvl_buffer *out)
{
    (void)ctx;
    for (size_t i = 0; i < MEMBERS; i++) {
        char head[512] = "";
        unsigned sum = 0;
        const size_t len = strlen(members[i].content);
        snprintf(head, 100, "%s", members[i].path);
        memcpy(head + 100, "0000644", 8);
        memcpy(head + 108, "0000000", 8);
        memcpy(head + 116, "0000000", 8);
        snprintf(head + 124, 12, "%011o", (unsigned)len);
        memcpy(head + 136, "00000000000", 12);
        memset(head + 148, ' ', 8);
        head[156] = '0';
        memcpy(head + 257, "ustar\00000", 8);
        for (size_t k = 0; k < sizeof head; k++)
            sum += (unsigned char)head[k];
        snprintf(head + 148, 8, "%06o", sum);
        lvl_buffer_add(out, head, sizeof head);
        lvl_buffer_add(out, members[i].content, len);
        for (size_t k = len; k % 512; k++)
            lvl_buffer_u8(out, 0);
    }
    for (size_t k = 0; k < 1024; k++)
        lvl_buffer_u8(out, 0);
}

/* Reads every member; returns how many are whole. */
static size_t read_all(const lvl_container *box)
{
    lvl_buffer storage = {0};
    size_t whole = 0;

    for (size_t i = 0; i < lvl_container_count(box); i++) {
        const lvl_entry *entry = lvl_container_at(box, i);
        lvl_bytes view;
        if (!entry->is_dir)
            whole += lvl_container_read(box, entry, &view, &storage, NULL) == LVL_OK;
    }
    lvl_buffer_free(&storage);
    return whole;
}

/* An exact copy, so that a sanitizer sees each byte too many. */
static lvl_status open_copy(const lvl_ctx *ctx, const uint8_t *bytes, size_t len, uint8_t **copy,
                            lvl_container **box)
{
    *copy = malloc(len + !len);
    assert_non_null(*copy);
    if (len)
        memcpy(*copy, bytes, len);
    return lvl_container_archive(ctx, (lvl_bytes){*copy, len}, NULL, box);
}

static void one_kind(void (*make)(const lvl_ctx *, lvl_buffer *), const char *kind)
{
    lvl_buffer file = {0}, storage = {0};
    lvl_container *box = NULL;
    lvl_bytes view;
    uint8_t *copy;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    make(&ctx, &file);
    assert_int_equal(file.status, LVL_OK);
    assert_string_equal(lvl_archive_kind((lvl_bytes){file.data, file.len}), kind);
    const lvl_status status = open_copy(&ctx, file.data, file.len, &copy, &box);
    if (status == LVL_ERR_UNSUPPORTED && strcmp(kind, "zip") != 0) {
        print_message("skipped: built without libarchive\n");
        free(copy);
        lvl_buffer_free(&file);
        return;
    }
    assert_int_equal(status, LVL_OK);
    assert_int_equal(lvl_container_status(box), LVL_OK);
    assert_int_equal(lvl_container_count(box), MEMBERS);
    for (size_t i = 0; i < MEMBERS; i++) {
        const lvl_entry *entry = lvl_container_at(box, i);
        assert_string_equal(entry->path, members[i].path);
        assert_int_equal(entry->safe, i != 2);
        assert_int_equal(lvl_container_read(box, entry, &view, &storage, NULL), LVL_OK);
        assert_int_equal(view.len, strlen(members[i].content));
        assert_true(!view.len || !memcmp(view.ptr, members[i].content, view.len));
    }
    assert_ptr_equal(lvl_container_find(box, "FOLDER\\b.txt"), lvl_container_at(box, 1));
    assert_int_equal(lvl_container_put(box, "a.txt", view, 0), LVL_ERR_UNSUPPORTED);
    lvl_container_close(box);
    free(copy);
    for (size_t cut = 0; cut < file.len; cut += STRIDE) {
        if (open_copy(&ctx, file.data, cut, &copy, &box) == LVL_OK) {
            const size_t whole = read_all(box);
            assert_true(whole <= MEMBERS);
            if (whole < MEMBERS && strcmp(kind, "zip") == 0)
                assert_int_equal(lvl_container_status(box), LVL_ERR_LOSS);
            lvl_container_close(box);
        }
        free(copy);
    }
    const size_t bits = file.len > 1000 ? 7 * STRIDE : STRIDE;
    for (size_t bit = 0; bit < file.len * 8; bit += bits) {
        file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (open_copy(&ctx, file.data, file.len, &copy, &box) == LVL_OK) {
            read_all(box);
            lvl_container_close(box);
        }
        free(copy);
        file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    /* limits: of items, and of memory */
    ctx.limits.items = 2;
    assert_int_equal(open_copy(&ctx, file.data, file.len, &copy, &box), LVL_ERR_LIMIT);
    free(copy);
    ctx.limits.items = 0;
    ctx.limits.memory_bytes = 60;
    const lvl_status small = open_copy(&ctx, file.data, file.len, &copy, &box);
    assert_true(small == LVL_ERR_LIMIT || small == LVL_ERR_MEMORY);
    free(copy);
    lvl_buffer_free(&file);
    lvl_buffer_free(&storage);
}

static void test_zip(void **state)
{
    (void)state;
    one_kind(make_zip, "zip");
}

static void test_tar(void **state)
{
    (void)state;
    one_kind(make_tar, "tar");
}

static void test_kinds(void **state)
{
    lvl_container *box;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_null(lvl_archive_kind((lvl_bytes){NULL, 0}));
    assert_null(lvl_archive_kind((lvl_bytes){(const uint8_t *)"PK\3", 3}));
    assert_string_equal(lvl_archive_kind((lvl_bytes){(const uint8_t *)"MSCF", 4}), "cab");
    assert_true(lvl_archive_named("x.ZIP") && lvl_archive_named("a.tar.gz") && !lvl_archive_named(".zip") &&
                !lvl_archive_named("zip") && !lvl_archive_named("x.wwd"));
    assert_int_equal(lvl_container_archive(&ctx, (lvl_bytes){NULL, 0}, NULL, &box), LVL_ERR_UNSUPPORTED);
    assert_int_equal(lvl_container_archive(&ctx, (lvl_bytes){(const uint8_t *)"no archive", 10}, NULL, &box),
                     LVL_ERR_UNSUPPORTED);
    assert_null(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zip),
        cmocka_unit_test(test_tar),
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
