/*
 * Streams of deflate: they inflate to the input, on data of every kind and in every wrapper; how a stream was
 * made is found out, and makes the same bytes; another stream is not taken for one.
 */
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

static uint32_t seed = 7;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

enum { KINDS = 8 };

static void fill(uint8_t *data, size_t len, int kind)
{
    for (size_t i = 0; i < len;) {
        size_t n = next_random() % 700 + 1, back = next_random() % 40000 + 1;
        uint32_t sort = kind == 7 ? next_random() % 6 : (uint32_t)kind;
        for (; n && i < len; n--, i++) {
            switch (sort) {
            case 0: /* noise: stored blocks */ data[i] = (uint8_t)next_random(); break;
            case 1: /* one byte for ever */ data[i] = 0xee; break;
            case 2: /* few symbols: short codes */ data[i] = (uint8_t) "aaab"[next_random() & 3]; break;
            case 3: /* tiles: dwords that change seldom */
                data[i] = i < 4 || next_random() % 97 == 0 ? (uint8_t)next_random() : data[i - 4];
                break;
            case 4: /* far repeats, at the edge of the window */
                data[i] = i >= back ? data[i - back] : (uint8_t)next_random();
                break;
            case 5: /* skewed: lengths beyond 15 bits have to be cut */
                data[i] = (uint8_t)(__builtin_ctz(next_random() | 1u << 23) * 3);
                break;
            default: /* text of runs with a little noise */
                data[i] = (uint8_t)(n % 200 ? n >> 4 : next_random());
            }
        }
    }
}

static const lvl_wrap wraps[] = {LVL_WRAP_ZLIB, LVL_WRAP_GZIP, LVL_WRAP_RAW};
enum { WRAPS = sizeof wraps / sizeof *wraps, LARGEST = 300000 };

static void assert_inflates(lvl_wrap wrap, lvl_bytes stream, lvl_bytes content, uint8_t *back)
{
    size_t used, got;

    assert_int_equal(
        lvl_inflate_wrapped(&(lvl_work){.left = UINT64_MAX}, wrap, stream, back, content.len, &used, &got),
        LVL_OK);
    assert_int_equal(used, stream.len);
    assert_int_equal(got, content.len);
    if (content.len)
        assert_memory_equal(back, content.ptr, content.len);
}

/* The maker makes the stream again; of another content, or by another CRC-32, it makes nothing. */
static void assert_made_again(lvl_wrap wrap, lvl_bytes content, lvl_bytes stream,
                              const lvl_deflate_maker *maker)
{
    lvl_deflate_maker wrong = *maker;
    lvl_buffer again = {0};
    bool same;

    lvl_buffer_str(&again, "before");
    assert_int_equal(lvl_deflate_as(wrap, content, maker, &again, &same), LVL_OK);
    assert_true(same);
    assert_int_equal(again.len, 6 + stream.len);
    assert_memory_equal(again.data + 6, stream.ptr, stream.len);
    again.len = 6;
    wrong.crc ^= 1;
    assert_int_equal(lvl_deflate_as(wrap, content, &wrong, &again, &same), LVL_OK);
    assert_false(same);
    assert_int_equal(again.len, 6);
    if (content.len) {
        content.len--;
        assert_int_equal(lvl_deflate_as(wrap, content, maker, &again, &same), LVL_OK);
        assert_false(same);
    }
    lvl_buffer_free(&again);
}

static void test_new_streams(void **state)
{
    static const size_t sizes[] = {0,   1,   2,    3,     4,     5,     257,   258,   259,
                                   262, 263, 4096, 32768, 65273, 65274, 65275, 65536, LARGEST};
    uint8_t *data = malloc(LARGEST), *back = malloc(LARGEST);
    lvl_deflate_maker maker;
    lvl_buffer made = {0};

    (void)state;
    assert_true(data && back);
    for (int i = 0; i < KINDS * WRAPS; i++) {
        const lvl_wrap wrap = wraps[i % WRAPS];
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const lvl_bytes content = {data, sizes[k]};
            fill(data, sizes[k], i / WRAPS);
            made.len = 0;
            assert_int_equal(lvl_deflate(wrap, content, &made), LVL_OK);
            const lvl_bytes stream = {made.data, made.len};
            assert_inflates(wrap, stream, content, back);
            assert_int_equal(lvl_deflate_find_maker(wrap, content, stream, &maker), LVL_OK);
            assert_int_equal(maker.library, LVL_DEFLATE_LIBDEFLATE);
            assert_int_equal(maker.level, LVL_DEFLATE_LEVEL);
            assert_int_equal(maker.crc, lvl_crc32(stream));
            assert_made_again(wrap, content, stream, &maker);
            made.data[made.len / 2] ^= 1;
            assert_int_equal(lvl_deflate_find_maker(wrap, content, stream, &maker), LVL_OK);
            assert_int_equal(maker.library, LVL_DEFLATE_UNKNOWN);
        }
    }
    lvl_buffer_free(&made);
    free(data);
    free(back);
}

/* zlib's own streams, by its own function. */
static void test_zlib_streams(void **state)
{
    static uint8_t data[100000], packed[101000];
    lvl_deflate_maker maker;

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        fill(data, sizeof data, kind);
        for (int level = 1; level <= 9; level++) {
            uLongf len = sizeof packed;
            assert_int_equal(compress2(packed, &len, data, sizeof data, level), Z_OK);
            const lvl_bytes content = {data, sizeof data}, stream = {packed, len};
            assert_int_equal(lvl_deflate_find_maker(LVL_WRAP_ZLIB, content, stream, &maker), LVL_OK);
            if (level == 6 || level == 9)
                assert_int_not_equal(maker.library, LVL_DEFLATE_UNKNOWN);
            if (!maker.library)
                continue;
            assert_made_again(LVL_WRAP_ZLIB, content, stream, &maker);
            /* the same without its wrapper, as in a zip */
            const lvl_bytes raw = {packed + 2, len - 6};
            assert_int_equal(lvl_deflate_find_maker(LVL_WRAP_RAW, content, raw, &maker), LVL_OK);
            assert_int_not_equal(maker.library, LVL_DEFLATE_UNKNOWN);
            assert_made_again(LVL_WRAP_RAW, content, raw, &maker);
        }
    }
}

static void test_impossible(void **state)
{
    static const uint8_t text[] = "an actor, an actor, an actor";
    const lvl_bytes content = {text, sizeof text};
    const lvl_deflate_maker wrong[] = {{LVL_DEFLATE_UNKNOWN, 6, 0},
                                       {LVL_DEFLATE_ZLIB, 0, 0},
                                       {LVL_DEFLATE_ZLIB, 10, 0},
                                       {LVL_DEFLATE_LIBDEFLATE, -1, 0}};
    lvl_buffer out = {0};
    bool same = true;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(lvl_deflate_as(LVL_WRAP_ZLIB, content, &wrong[i], &out, &same), LVL_ERR_ARG);
        assert_false(same);
        assert_int_equal(out.len, 0);
    }
    out.max = 8; /* a bound of the caller */
    assert_int_equal(lvl_deflate(LVL_WRAP_GZIP, content, &out), LVL_ERR_LIMIT);
    lvl_buffer_free(&out);
}

/* Real levels: the compressed block starts at 0x5F4, its inflated size is at 0x2E8. Most are zlib's. */
static void test_real_streams(void **state)
{
    enum { HEADER = 0x5F4, SIZE_AT = 0x2E8 };
    const char *dir = lvl_corpus_dir();
    unsigned tried = 0, found = 0;
    lvl_paths paths;

    (void)state;
    if (!dir)
        skip();
    assert_true(lvl_paths_below(&paths, dir, "wwd"));
    for (size_t i = 0; i < paths.count; i++) {
        lvl_deflate_maker maker;
        size_t len = 0, used, got;
        uint8_t *file = lvl_slurp(paths.items[i], &len);
        assert_non_null(file);
        if (len > HEADER + 8 && file[HEADER] == 0x78) {
            const size_t size = file[SIZE_AT] | (size_t)file[SIZE_AT + 1] << 8 |
                                (size_t)file[SIZE_AT + 2] << 16 | (size_t)file[SIZE_AT + 3] << 24;
            uint8_t *image = malloc(size + 1);
            lvl_bytes stream = {file + HEADER, len - HEADER};
            if (image && lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, stream, image, size, &used,
                                          &got) == LVL_OK) {
                stream.len = used;
                tried++;
                assert_int_equal(
                    lvl_deflate_find_maker(LVL_WRAP_ZLIB, (lvl_bytes){image, got}, stream, &maker), LVL_OK);
                if (maker.library) {
                    found++;
                    assert_made_again(LVL_WRAP_ZLIB, (lvl_bytes){image, got}, stream, &maker);
                }
            }
            free(image);
        }
        free(file);
    }
    lvl_paths_free(&paths);
    print_message("made by a known library: %u of %u\n", found, tried);
    assert_true(tried > 0);
    assert_true(found * 4 >= tried * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_streams),
        cmocka_unit_test(test_zlib_streams),
        cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_real_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
