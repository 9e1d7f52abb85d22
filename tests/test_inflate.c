/*
 * The interfaces of inflate and deflate: sound streams, and the bytes before every possible break.
 */
#include "codec/deflate.h"
#include "codec/inflate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t seed = 1;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Bytes with runs, repeats and noise in them. */
static void fill(uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t n = next_random() % 60 + 1;
        uint32_t kind = next_random() % 3;
        for (size_t k = 0; k < n && i < len; k++, i++)
            data[i] = (uint8_t)(kind == 0 ? next_random() : kind == 1 ? n : i > 200 ? data[i - 200] : 7);
    }
}

static void test_sound(void **state)
{
    static uint8_t data[70000], back[70000];
    lvl_buffer packed = {0};
    size_t used, len;

    (void)state;
    fill(data, sizeof data);
    assert_int_equal(lvl_deflate(LVL_WRAP_ZLIB, (lvl_bytes){data, sizeof data}, &packed), LVL_OK);
    assert_int_equal(packed.data[1], 0x9c); /* level 6 */
    size_t stream = packed.len;
    lvl_buffer_str(&packed, "behind");
    assert_int_equal(lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, (lvl_bytes){packed.data, packed.len},
                                      back, sizeof back, &used, &len),
                     LVL_OK);
    assert_int_equal(used, stream);
    assert_int_equal(len, sizeof data);
    assert_memory_equal(back, data, sizeof data);
    assert_int_equal(lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, (lvl_bytes){packed.data, stream}, back,
                                      sizeof back - 1, NULL, NULL),
                     LVL_ERR_LIMIT);

    lvl_inflate_report r;
    lvl_buffer grown = {0};
    assert_int_equal(lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_ZLIB,
                                         (lvl_bytes){packed.data, packed.len}, &grown, sizeof back, &r),
                     LVL_OK);
    assert_int_equal(r.end, LVL_INFLATE_DONE);
    assert_int_equal(r.in_used, stream);
    assert_int_equal(r.out_len, sizeof data);
    assert_memory_equal(grown.data, data, sizeof data);
    grown.len = 0;
    assert_int_equal(lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_ZLIB,
                                         (lvl_bytes){packed.data, stream}, &grown, 500, &r),
                     LVL_OK);
    assert_int_equal(r.end, LVL_INFLATE_FULL);
    assert_int_equal(r.out_len, 500);
    assert_int_equal(lvl_inflate_zlib_grow(&(lvl_work){.left = UINT64_MAX}, (lvl_bytes){packed.data, stream},
                                           &grown, 500, NULL),
                     LVL_ERR_LIMIT);
    lvl_buffer_free(&grown);
    lvl_buffer_free(&packed);
}

static void test_every_truncation(void **state)
{
    uint8_t data[3000], back[3000];
    lvl_buffer packed = {0};
    size_t before = 0;

    (void)state;
    fill(data, sizeof data);
    assert_int_equal(lvl_deflate(LVL_WRAP_ZLIB, (lvl_bytes){data, sizeof data}, &packed), LVL_OK);
    for (size_t n = 0; n < packed.len; n++) {
        lvl_inflate_report r;
        uint8_t *exact = n ? malloc(n) : NULL; /* exact memory, so that a read beyond is seen */
        if (n)
            memcpy(exact, packed.data, n);
        assert_int_not_equal(lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, (lvl_bytes){exact, n}, back,
                                              sizeof back, NULL, NULL),
                             LVL_OK);
        assert_int_equal(lvl_inflate_salvage_into(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_ZLIB,
                                                  (lvl_bytes){exact, n}, back, sizeof back, &r),
                         LVL_OK);
        assert_int_equal(r.end, LVL_INFLATE_TRUNCATED);
        assert_int_equal(r.in_used, n);
        assert_true(r.out_len >= before);
        before = r.out_len;
        assert_memory_equal(back, data, r.out_len);
        free(exact);
    }
    assert_int_equal(before, sizeof data); /* only the checksum was missing */
    lvl_buffer_free(&packed);
}

/* Little output takes its memory from the stack, and is the same. */
static void test_heads(void **state)
{
    static const size_t sizes[] = {1, 64, 4095, 4096, 4097};
    uint8_t data[9000], back[4097];
    lvl_buffer packed = {0};

    (void)state;
    fill(data, sizeof data);
    memcpy(data + 4000, data, 4000); /* copies from as far back as there is */
    assert_int_equal(lvl_deflate(LVL_WRAP_GZIP, (lvl_bytes){data, sizeof data}, &packed), LVL_OK);
    for (size_t cut = 0; cut < packed.len; cut += packed.len / 7 + 1) {
        const lvl_bytes in = {packed.data, packed.len - cut};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            lvl_inflate_report r, same;
            lvl_buffer out = {0};
            assert_int_equal(lvl_inflate_salvage_into(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_GZIP, in,
                                                      back, sizes[i], &r),
                             LVL_OK);
            assert_int_equal(lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_GZIP, in, &out,
                                                 sizes[i], &same),
                             LVL_OK);
            assert_int_equal(r.end, same.end);
            assert_int_equal(r.out_len, same.out_len);
            assert_memory_equal(back, data, r.out_len);
            lvl_buffer_free(&out);
        }
    }
    lvl_buffer_free(&packed);
}

static void test_breaks(void **state)
{
    uint8_t data[4000], back[4000];
    lvl_buffer packed = {0};
    lvl_inflate_report r;

    (void)state;
    fill(data, sizeof data);
    assert_int_equal(lvl_deflate(LVL_WRAP_ZLIB, (lvl_bytes){data, sizeof data}, &packed), LVL_OK);
    lvl_bytes in = {packed.data, packed.len};
    packed.data[packed.len - 1] ^= 1;
    assert_int_equal(
        lvl_inflate_salvage_into(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_ZLIB, in, back, sizeof back, &r),
        LVL_OK);
    assert_int_equal(r.end, LVL_INFLATE_BAD_CHECKSUM);
    assert_int_equal(r.out_len, sizeof data);
    assert_memory_equal(back, data, sizeof data);
    packed.data[packed.len - 1] ^= 1;

    packed.data[0] = 0x79;
    assert_int_equal(
        lvl_inflate_salvage_into(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_ZLIB, in, back, sizeof back, &r),
        LVL_OK);
    assert_int_equal(r.end, LVL_INFLATE_BAD_HEADER);
    packed.data[0] = 0x78;
    packed.data[1] = 0xbb;
    assert_int_equal(
        lvl_inflate_salvage_into(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_ZLIB, in, back, sizeof back, &r),
        LVL_OK);
    assert_int_equal(r.end, LVL_INFLATE_NEED_DICT);
    packed.data[1] = 0x9c;

    /* Noise in the middle: what came before it is right. */
    memset(packed.data + packed.len / 2, 0xff, packed.len / 4);
    assert_int_equal(
        lvl_inflate_salvage_into(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_ZLIB, in, back, sizeof back, &r),
        LVL_OK);
    assert_true(r.end == LVL_INFLATE_BAD_DATA || r.end == LVL_INFLATE_FULL ||
                r.end == LVL_INFLATE_BAD_CHECKSUM);
    assert_true(r.out_len > 1000);
    assert_memory_equal(back, data, 1000);
    lvl_buffer_free(&packed);
}

static void test_small_faces(void **state)
{
    (void)state;
    assert_int_equal(lvl_crc32((lvl_bytes){(const uint8_t *)"123456789", 9}), 0xCBF43926);
    assert_false(lvl_inflate_impossible(10, 10320, 0));
    assert_true(lvl_inflate_impossible(10, 11352, 0));
    assert_true(lvl_inflate_impossible(1, 100, 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),  cmocka_unit_test(test_every_truncation), cmocka_unit_test(test_heads),
        cmocka_unit_test(test_breaks), cmocka_unit_test(test_small_faces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
