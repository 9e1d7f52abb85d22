/*
 * test_chunks.c: pixels of Sketchy Maze's chunks: decoding and encoding of each form, unusual spellings in
 * real files, damage, and the real chunks of the corpus.
 */
#include "corpus.h"
#include "expect.h"

#include "base/cursor.h"
#include "container/zip.h"
#include "sketchy/chunks/codec.h"
#include "sketchy/zip/members.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE_MOST = 255 };

static lvl_ctx ctx;
static const lvl_buffer none;
static uint8_t grid[SIDE_MOST * SIDE_MOST * 2], back[SIDE_MOST * SIDE_MOST * 2 + 1];

/* Something with runs, gaps, indices of one byte and of two. */
static void scribble(uint32_t size, uint32_t seed)
{
    for (uint32_t i = 0; i < size * size;) {
        seed = seed * 1664525 + 1013904223;
        const uint16_t index = seed >> 30 == 0 ? LVL_SKETCHY_NONE : (uint16_t)((seed >> 16) % 300);
        for (uint32_t n = 1 + (seed >> 8) % 40; n && i < size * size; n--, i++)
            lvl_store_u16le(grid + (size_t)i * 2, index);
    }
}

static void test_round_trip(void **state)
{
    static const uint32_t sizes[] = {1, 2, 64, 128, 255};
    lvl_buffer out = {0};
    (void)state;

    for (unsigned encoding = 0; encoding < 4; encoding++) {
        for (size_t i = 0; i < 5; i++) {
            const lvl_chunk_place place = {(int32_t)i * 3 - 5, -2, sizes[i]};
            lvl_chunk_report report;
            scribble(sizes[i], 77 + (uint32_t)i);
            out.len = 0;
            assert_int_equal(lvl_chunk_encode(encoding, grid, &place, &none, &out), LVL_OK);
            assert_int_equal(lvl_chunk_encoding(lvl_bytes_in(&out)), encoding);
            memset(back, 0x55, sizeof back);
            assert_int_equal(lvl_chunk_decode(encoding, lvl_bytes_in(&out), &place, back, &report), LVL_OK);
            assert_memory_equal(grid, back, (size_t)sizes[i] * sizes[i] * 2);
            assert_int_equal(report.outside + report.doubled + report.wide + report.broken + report.partial,
                             0);
            assert_int_equal(back[(size_t)sizes[i] * sizes[i] * 2], 0x55);
        }
    }
    lvl_buffer_free(&out);
}

static lvl_status decode(unsigned encoding, const char *bytes, size_t len, lvl_chunk_report *report)
{
    const lvl_chunk_place place = {0, 0, 4};

    return lvl_chunk_decode(encoding, (lvl_bytes){(const uint8_t *)bytes, len}, &place, grid, report);
}

static unsigned cell(unsigned x, unsigned y)
{
    return lvl_load_u16le(grid + ((size_t)y * 4 + x) * 2);
}

static void test_runs(void **state)
{
    lvl_chunk_report r;
    (void)state;

    assert_int_equal(decode(LVL_SKETCHY_CHUNK_RUNS, "\x01\x05\x10", 3, &r), LVL_OK); /* one colour */
    assert_int_equal(r.pixels, 16);
    assert_int_equal(r.most, 5);
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_RUNS, "\x01\xff\xff\x03\x0f", 5, &r),
                     LVL_OK); /* one short: the last is nothing */
    assert_int_equal(r.total, 15);
    assert_int_equal(cell(3, 3), LVL_SKETCHY_NONE);
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_RUNS, "\x01\x02\x05\x81\x01\x7f", 6, &r),
                     LVL_OK); /* over row ends; too many */
    assert_int_equal(cell(0, 1), 2);
    assert_int_equal(cell(1, 1), 129);
    assert_int_equal(r.total, 132);
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_RUNS, "\x01\x02\x00\x03\x02\x04", 6, &r),
                     LVL_OK); /* none of one; half an entry */
    assert_int_equal(cell(0, 0), 3);
    assert_int_equal(cell(2, 0), LVL_SKETCHY_NONE);
    assert_true(r.partial);
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_RUNS, "\x00", 1, &r), LVL_ERR_FORMAT);
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_RUNS, "", 0, &r), LVL_ERR_FORMAT);
    assert_int_equal(lvl_chunk_encoding((lvl_bytes){(const uint8_t *)"\x02", 1}), -1);
    assert_int_equal(
        decode(LVL_SKETCHY_CHUNK_RUNS, "\x01\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, &r), LVL_OK);
    assert_int_equal(r.pixels, 16); /* a count of 2^64 - 1 */
}

static void test_maps(void **state)
{
    lvl_chunk_report r;
    (void)state;

    assert_int_equal(decode(LVL_SKETCHY_CHUNK_MAP, "\x00\x02\x04\x07\x02\x04\x08\x01\x00\x03\x06", 11, &r),
                     LVL_OK);
    assert_int_equal(cell(1, 2), 8);
    assert_int_equal(r.doubled, 1);
    assert_int_equal(r.outside, 1); /* -1, 0 */
    assert_int_equal(r.outside_x, -1);
    assert_true(r.partial);
}

static void test_json(void **state)
{
    static const char *const good[] = {
        "{\"type\":0,\"data\":{\"1,2\":7}}",
        "{ \"data\" : { \"1,2\" : 3 , \"+1,2\" : 7 } }\n",
        "{\"data\":{\"1\\u002c2\":7},\"x\":[{}]}",
        "{\"type\":9,\"data\":\"AgQH\"}",
        "{\"data\":{\"0,0\":1},\"data\":{\"1,2\":7}}", /* the last one counts */
        "{\"type\":0,\"data\":{\"0,0\":1},\"data\":{\"1,2\":7}}",
    };
    lvl_chunk_report r;
    (void)state;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(decode(LVL_SKETCHY_CHUNK_JSON, good[i], strlen(good[i]), &r), LVL_OK);
        assert_int_equal(cell(1, 2), 7);
        assert_int_equal(r.pixels, 1);
    }
    const char *odd =
        "{\"type\":0,\"data\":{\"1,2\":7,\"x,1\":3,\"1\":2,\"0,0\":-1,\"0,1\":1.5,\"0,2\":65535,\"9,9\":0}}";
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_JSON, odd, strlen(odd), &r), LVL_OK);
    assert_int_equal(r.pixels, 1);
    assert_int_equal(r.broken, 4);
    assert_int_equal(r.wide, 1);
    assert_int_equal(r.outside, 1);
    const char *cut = "{\"type\":0,\"data\":{\"1,2\":7,\"3,";
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_JSON, cut, strlen(cut), &r), LVL_OK);
    assert_int_equal(cell(1, 2), 7);
    assert_true(r.partial);
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_JSON, "{}", 2, &r), LVL_ERR_FORMAT);
    assert_int_equal(decode(LVL_SKETCHY_CHUNK_JSON, "{\"data\":\"A\"}", 12, &r), LVL_ERR_FORMAT);
}

/* The character after '9' is no digit for the next row. */
static void test_column_end(void **state)
{
    const char *text = "{\"type\":0,\"data\":{\"1,7\":5,\"1,8\":5,\"1,9\":5,\"1,:\":5,\"1,10\":5,\"1,11\":5,"
                       "\"1,12\":5,\"1,13\":5,\"1,14\":5,\"1,15\":5}}";
    const lvl_chunk_place place = {0, 0, 64};
    lvl_chunk_report r;
    (void)state;

    assert_int_equal(lvl_chunk_decode(LVL_SKETCHY_CHUNK_JSON,
                                      (lvl_bytes){(const uint8_t *)text, strlen(text)}, &place, grid, &r),
                     LVL_OK);
    assert_int_equal(r.broken, 1);
    assert_int_equal(r.pixels, 9);
}

/* The fast way for pixels as all writers put them and the careful one, which a blank asks for, see the same
 * in whatever odd text. */
static void test_both_ways(void **state)
{
    static const char junk[] = "{}[],:\"\\00123456789--.+eEtn u/\x01\xff";
    static const char *const odd[] = {
        "-0,5",
        "5,-0",
        "+5,6",
        "5,+6",
        "--5,6",
        "5,--6",
        "007,008",
        "00000007,8",
        "7,0000000008",
        "5,6,7",
        "5",
        "5,",
        ",6",
        "5 ,6",
        "5, 6",
        "",
        "0,0",
        "123456789,1",
        "1,123456789",
        "12345678901234567890,1",
        "1,12345678901234567890",
        "5.0,6",
        "5\\u002c6",
        "-64,-64",
        "63,63",
    };
    static const char *const values[] = {"0",    "00",   "01",    "-0",    "-1",    "1.0",
                                         "1e1",  "9999", "10000", "65534", "65535", "65536",
                                         "true", "null", "\"1\"", "[1]",   "{}",    "12345678901234567890"};
    static uint8_t careful[SIDE_MOST * SIDE_MOST * 2];
    const size_t most = 4000, odds = sizeof odd / sizeof *odd, kinds = sizeof values / sizeof *values;
    char *text = malloc(most), *spaced = malloc(most + 1);
    uint32_t seed = 11, whole = 0;
    (void)state;

    assert_non_null(text);
    assert_non_null(spaced);
    for (uint32_t round = 0; round < 60000; round++) {
        static const char head[] = "{\"type\":0,\"data\":{";
        const lvl_chunk_place place = {(int32_t)(round % 3) - 1, (int32_t)(round / 3 % 3) - 1, 64};
        size_t len = (size_t)snprintf(text, most, "%s", head);
        int x = 0, y = 0;
        char index[16];
        for (int i = 0; i < 20; i++) {
            const char *value = i == 9 && round % 7 == 0 ? values[seed / 512 % kinds] : NULL;
            seed = seed * 1664525 + 1013904223;
            if (i && round % 4 > 1 && seed >> 29) { /* continues in a column, possibly out of the chunk */
                y += y < 0 || (!y && place.y < 0) ? -1 : 1;
            } else {
                x = place.x * 64 + (int)(seed >> 28) / 3 * 5;
                y = place.y * 64 + (int)(seed >> 20) % 64;
                snprintf(index, sizeof index, "%u", seed >> 8 & 8 ? seed >> 12 & 7 : seed >> 12 & 0x3FFF);
            }
            if (i == (round % 2 ? 7 : 0) && round % 5 == 0)
                len += (size_t)snprintf(text + len, most - len, "\"%s\":%s,", odd[seed / 256 % odds],
                                        value ? value : index);
            len += (size_t)snprintf(text + len, most - len, "%s\"%d,%d\":%s", i ? "," : "", x, y,
                                    value ? value : index);
        }
        len += (size_t)snprintf(text + len, most - len, "}}");
        assert_true(len < most);
        for (uint32_t k = 0; k < round / 1000 % 3; k++) {
            seed = seed * 1664525 + 1013904223;
            text[sizeof head - 1 + seed / 65536 % (len - sizeof head + 1)] =
                junk[(seed >> 8) % (sizeof junk - 1)];
        }
        if (round % 11 == 0)
            len = sizeof head + seed / 7 % (len - sizeof head);
        memcpy(spaced, text, sizeof head - 1);
        spaced[sizeof head - 1] = ' ';
        memcpy(spaced + sizeof head, text + sizeof head - 1, len - (sizeof head - 1));
        uint8_t *exact = malloc(len);
        lvl_chunk_report a, b;
        assert_non_null(exact);
        memcpy(exact, text, len);
        const lvl_status first =
            lvl_chunk_decode(LVL_SKETCHY_CHUNK_JSON, (lvl_bytes){exact, len}, &place, grid, &a);
        const lvl_status second = lvl_chunk_decode(
            LVL_SKETCHY_CHUNK_JSON, (lvl_bytes){(const uint8_t *)spaced, len + 1}, &place, careful, &b);
        free(exact);
        assert_int_equal(first, second);
        assert_memory_equal(grid, careful, 64 * 64 * 2);
        assert_int_equal(a.pixels, b.pixels);
        assert_int_equal(a.outside, b.outside);
        assert_int_equal(a.doubled, b.doubled);
        assert_int_equal(a.wide, b.wide);
        assert_int_equal(a.broken, b.broken);
        assert_int_equal(a.most, b.most);
        assert_int_equal(a.phantom, b.phantom);
        assert_int_equal(a.partial, b.partial);
        assert_int_equal(a.outside_x, b.outside_x);
        assert_int_equal(a.outside_y, b.outside_y);
        whole += first == LVL_OK && !a.broken && !a.partial;
    }
    assert_true(whole > 10000 && whole < 58000);
    free(text);
    free(spaced);
}

/* Cut and flipped: an exact copy of the stream each time, so that a sanitizer sees a step beyond it. */
static void test_damage(void **state)
{
    const lvl_chunk_place place = {-1, 2, 16};
    lvl_chunk_report report;
    (void)state;

    for (unsigned encoding = 0; encoding < 4; encoding++) {
        lvl_buffer out = {0};
        scribble(16, 5 + encoding);
        assert_int_equal(lvl_chunk_encode(encoding, grid, &place, &none, &out), LVL_OK);
        for (size_t len = 0; len <= out.len; len++) {
            uint8_t *copy = malloc(len + 1);
            assert_non_null(copy);
            memcpy(copy, out.data, len);
            lvl_chunk_decode(encoding, (lvl_bytes){copy, len}, &place, back, &report);
            assert_true(report.pixels <= 256);
            free(copy);
        }
        for (size_t bit = 0; bit < out.len * 8; bit++) {
            out.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            lvl_chunk_decode(encoding, lvl_bytes_in(&out), &place, back, &report);
            out.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        lvl_buffer_free(&out);
    }
}

/* Every real chunk decodes without a finding; runs and JSON are written again byte for byte (lists have no
 * order of their own). */
static void test_corpus(void **state)
{
    const char *dir = lvl_corpus_dir();
    unsigned seen[4] = {0}, exact[4] = {0}, odd = 0;
    lvl_paths paths = {0};
    char path[1024];
    (void)state;

    if (!dir)
        skip();
    snprintf(path, sizeof path, "%s/sketchy", dir);
    assert_true(lvl_paths_below(&paths, path, "level doodad"));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        lvl_buffer storage = {0}, out = {0};
        lvl_arena arena;
        lvl_zip zip;
        lvl_arena_init(&arena, &ctx);
        const bool is_zip = data && !strstr(paths.items[i], "malformed") &&
                            lvl_zip_probe((lvl_bytes){data, len}) &&
                            lvl_zip_read(&arena, &ctx, (lvl_bytes){data, len}, &zip) == LVL_OK;
        for (uint32_t k = 0; is_zip && k < zip.count; k++) {
            lvl_chunk_place place = {0, 0, 128};
            lvl_chunk_report report;
            lvl_bytes stream;
            lvl_text key;
            uint32_t layer;
            bool binary;
            if (!lvl_sketchy_chunk_name(zip.members[k].name, &layer, &key, &binary) ||
                strstr(paths.items[i], "doodad"))
                continue;
            assert_true(lvl_sketchy_key(key, &place.x, &place.y));
            assert_int_equal(lvl_zip_inflate(&ctx, &zip.members[k], &storage, &stream, NULL), LVL_OK);
            const int encoding = lvl_chunk_encoding(stream);
            assert_in_range(encoding, 0, 3);
            assert_int_equal(lvl_chunk_decode((unsigned)encoding, stream, &place, grid, &report), LVL_OK);
            odd += report.outside || report.doubled || report.wide || report.broken || report.partial;
            seen[encoding]++;
            out.len = 0;
            assert_int_equal(lvl_chunk_encode((unsigned)encoding, grid, &place, &none, &out), LVL_OK);
            exact[encoding] += out.len == stream.len && !memcmp(out.data, stream.ptr, stream.len);
        }
        lvl_buffer_free(&storage);
        lvl_buffer_free(&out);
        lvl_arena_free(&arena);
        free(data);
    }
    for (unsigned e = 0; e < 4; e++)
        printf("form %u: %u chunks, %u written alike\n", e, seen[e], exact[e]);
    printf("%u odd\n", odd);
    assert_int_equal(seen[LVL_SKETCHY_CHUNK_JSON], exact[LVL_SKETCHY_CHUNK_JSON]);
    lvl_paths_free(&paths);
}

/* A stream that cannot be read gives an empty grid, whatever its first byte is. */
static void test_unreadable(void **state)
{
    static const uint8_t streams[][6] = {{0, 1, 2, '"', '}', ':'}, {1, 9, 9, '"', '}', ':'}, {' ', ':', '{'}};
    const lvl_chunk_place place = {0, 0, 16};
    bool holds = false;
    (void)state;

    memset(grid, 0xFF, (size_t)16 * 16 * 2);
    for (size_t i = 0; i < 3; i++) {
        const lvl_bytes stream = {streams[i], sizeof streams[i]};
        assert_int_equal(lvl_chunk_describe(LVL_SKETCHY_CHUNK_JSON, stream, &place, grid, &holds), LVL_OK);
        assert_true(holds);
    }
    grid[0] = 0;
    assert_int_equal(
        lvl_chunk_describe(LVL_SKETCHY_CHUNK_JSON, (lvl_bytes){streams[0], 6}, &place, grid, &holds), LVL_OK);
    assert_false(holds);
    /* a .bin with runs is no list */
    assert_int_equal(
        lvl_chunk_describe(LVL_SKETCHY_CHUNK_MAP, (lvl_bytes){streams[1], 6}, &place, grid, &holds), LVL_OK);
    assert_false(holds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unreadable), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_runs),       cmocka_unit_test(test_maps),
        cmocka_unit_test(test_json),       cmocka_unit_test(test_damage),
        cmocka_unit_test(test_both_ways),  cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_column_end),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
