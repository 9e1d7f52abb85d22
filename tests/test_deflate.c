/*
 * Our deflate encoder: its output inflates to the input, on data of every kind; it reproduces the streams of
 * real editors byte for byte, and today's zlib at levels 6 and 9; what it takes over from a stream of the
 * bytes before an edit changes nothing.
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

/* Whether one of the styles turns `image` into exactly `stream`, and which. */
static bool reproduces(lvl_bytes stream, lvl_bytes image, lvl_deflate_style *style)
{
    lvl_buffer out = {0};
    bool same = false;

    for (int i = LVL_DEFLATE_CLASSIC6; i <= LVL_DEFLATE_LEVEL9 && !same; i++) {
        out.len = 0;
        *style = (lvl_deflate_style)i;
        assert_int_equal(lvl_deflate_zlib(image, *style, &out), LVL_OK);
        same = out.len == stream.len && memcmp(out.data, stream.ptr, stream.len) == 0;
    }
    lvl_buffer_free(&out);
    return same;
}

static void try_one(const uint8_t *data, size_t len, lvl_deflate_style style, lvl_buffer *packed,
                    uint8_t *back)
{
    size_t used, got;
    lvl_deflate_style found;

    packed->len = 0;
    assert_int_equal(lvl_deflate_zlib((lvl_bytes){data, len}, style, packed), LVL_OK);
    assert_int_equal(lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, (lvl_bytes){packed->data, packed->len},
                                      back, len, &used, &got),
                     LVL_OK);
    assert_int_equal(used, packed->len);
    assert_int_equal(got, len);
    if (len)
        assert_memory_equal(back, data, len);
    assert_true(reproduces((lvl_bytes){packed->data, packed->len}, (lvl_bytes){data, len}, &found));
    packed->data[packed->len / 2] ^= 1;
    assert_false(reproduces((lvl_bytes){packed->data, packed->len}, (lvl_bytes){data, len}, &found));
    packed->data[packed->len / 2] ^= 1;
}

static void test_round_trip(void **state)
{
    static const size_t sizes[] = {0,   1,   2,    3,     4,     5,     257,   258,   259,
                                   262, 263, 4096, 32768, 65273, 65274, 65275, 65536, 300000};
    enum { LARGEST = 300000 };
    uint8_t *data = malloc(LARGEST), *back = malloc(LARGEST), *rival = malloc(LARGEST + 1000);
    lvl_buffer packed = {0};
    unsigned tried = 0, as_zlib = 0;

    (void)state;
    assert_non_null(data);
    assert_non_null(back);
    assert_non_null(rival);
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            fill(data, sizes[i], kind);
            for (int style = LVL_DEFLATE_CLASSIC6; style <= LVL_DEFLATE_LEVEL9; style++) {
                try_one(data, sizes[i], style, &packed, back);
                if (style == LVL_DEFLATE_CLASSIC6)
                    continue;
                uLongf len = LARGEST + 1000;
                assert_int_equal(
                    compress2(rival, &len, data, (uLong)sizes[i], style == LVL_DEFLATE_LEVEL9 ? 9 : 6), Z_OK);
                tried++;
                as_zlib += len == packed.len && !memcmp(rival, packed.data, len);
            }
        }
    }
    /* Not asserted to be all: the system's zlib may be another (zlib-ng) or changed; but Debian's is the one
     * that we follow. */
    print_message("as the system's zlib %s: %u of %u\n", zlibVersion(), as_zlib, tried);
    if (!strstr(zlibVersion(), "ng"))
        assert_int_equal(as_zlib, tried);
    lvl_buffer_free(&packed);
    free(data);
    free(back);
    free(rival);
}

/* Changes some bytes, removes some or inserts some; `*len` bytes, and room for 40,000 more. */
static void edit(uint8_t *data, size_t *len)
{
    const size_t at = *len ? next_random() % (next_random() % 3 ? *len : *len < 2000 ? *len : 2000) : 0;
    size_t n = (next_random() % 40 + 1) * (next_random() % 8 ? 1 : 997);

    switch (next_random() % 3) {
    case 0: n = n < *len - at ? n : *len - at; break;
    case 1:
        n = n < *len - at ? n : *len - at;
        memmove(data + at, data + at + n, *len - at - n);
        *len -= n;
        return;
    default: memmove(data + at + n, data + at, *len - at); *len += n;
    }
    for (size_t i = 0; i < n; i++)
        data[at + i] = (uint8_t)next_random();
}

/* As `edit`, but few bytes, as by `lvl set`; some are those of another place. */
static void edit_little(uint8_t *data, size_t *len)
{
    const size_t at = next_random() % *len, from = next_random() % *len;
    size_t n = next_random() % 12 + 1;

    switch (next_random() % 6) {
    case 0:
        n = n < *len - at ? n : *len - at;
        memmove(data + at, data + at + n, *len - at - n);
        *len -= n;
        return;
    case 1:
        memmove(data + at + n, data + at, *len - at);
        *len += n;
        for (size_t i = 0; i < n; i++)
            data[at + i] = data[from];
        return;
    default: break;
    }
    for (size_t i = 0; i < n && at + i < *len && from + i < *len; i++)
        data[at + i] = next_random() % 4 ? data[from + i] : (uint8_t)next_random();
}

/* `stream`, damaged, is no better or worse than none: what is made inflates to what was given. */
static void edit_with_damaged(lvl_bytes now, lvl_deflate_style style, lvl_bytes stream, lvl_bytes was,
                              uint8_t *back)
{
    uint8_t *damaged = malloc(stream.len);
    const size_t len = next_random() % 3 ? stream.len : next_random() % stream.len;
    lvl_buffer out = {0};
    size_t used, got;

    assert_non_null(damaged);
    memcpy(damaged, stream.ptr, stream.len);
    for (int i = 0; i < 3; i++)
        damaged[next_random() % stream.len] ^= (uint8_t)(1u << next_random() % 8);
    assert_int_equal(lvl_deflate_zlib_edited(now, style, (lvl_bytes){damaged, len}, was, &out), LVL_OK);
    assert_int_equal(lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, (lvl_bytes){out.data, out.len}, back,
                                      now.len, &used, &got),
                     LVL_OK);
    assert_int_equal(got, now.len);
    if (now.len)
        assert_memory_equal(back, now.ptr, now.len);
    lvl_buffer_free(&out);
    free(damaged);
}

/* The stream made of `stream`, which the encoder made of `was`, is the one that it makes of `now`. */
static void assert_edits(lvl_bytes now, lvl_deflate_style style, lvl_bytes stream, lvl_bytes was)
{
    lvl_buffer whole = {0}, edited = {0};

    assert_int_equal(lvl_deflate_zlib(now, style, &whole), LVL_OK);
    assert_int_equal(lvl_deflate_zlib_edited(now, style, stream, was, &edited), LVL_OK);
    assert_int_equal(edited.len, whole.len);
    assert_memory_equal(edited.data, whole.data, whole.len);
    lvl_buffer_free(&whole);
    lvl_buffer_free(&edited);
}

/* An edited stream is the one that the encoder makes of the edited bytes, however many times they are
 * edited. */
static void edit_one(lvl_bytes was, lvl_deflate_style style, unsigned times)
{
    uint8_t *now = malloc(was.len + 200000), *back = malloc(was.len + 200000);
    lvl_buffer stream = {0};

    assert_true(now && back);
    assert_int_equal(lvl_deflate_zlib(was, style, &stream), LVL_OK);
    for (unsigned k = 0; k < times; k++) {
        size_t len = was.len;
        if (len)
            memcpy(now, was.ptr, len);
        for (unsigned n = next_random() % 4, little = next_random() % 2; n && len; n--) {
            if (little)
                edit_little(now, &len);
            else
                edit(now, &len);
        }
        const lvl_bytes bytes = {now, len};
        assert_edits(bytes, style, (lvl_bytes){stream.data, stream.len}, was);
        edit_with_damaged(bytes, style, (lvl_bytes){stream.data, stream.len}, was, back);
    }
    lvl_buffer_free(&stream);
    free(now);
    free(back);
}

static void test_edited(void **state)
{
    static const size_t sizes[] = {0, 1, 3, 300, 33000, 70000, 200000};
    enum { LARGEST = 200000 };
    uint8_t *data = malloc(LARGEST);

    (void)state;
    assert_non_null(data);
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            fill(data, sizes[i], kind);
            for (int style = LVL_DEFLATE_CLASSIC6; style <= LVL_DEFLATE_LEVEL9; style++)
                edit_one((lvl_bytes){data, sizes[i]}, (lvl_deflate_style)style, 3);
        }
    }
    free(data);
}

/* Bytes of which hardly any three are the same; the same ones each time. */
static void fill_rare(uint8_t *data, size_t len)
{
    uint32_t state = 1;

    for (size_t i = 0; i < len; i++) {
        state = state * 1664525 + 1013904223;
        data[i] = (uint8_t)(state >> 24 | 0x80);
    }
}

/* A text whose last bytes match some in its middle, with `near` and `far` behind and before those, `gap`
 * bytes away, and then `count` shorter matches. Returns its length. */
static size_t fill_chain(uint8_t *text, const char *far, const char *near, size_t gap, unsigned count)
{
    static const char match[] = "abcdefghijklmnop";
    enum { LEN = 16, EDGE = 50, SHORT = 3, STEP = 7 };
    size_t at = EDGE;

    fill_rare(text, SHORT * (EDGE + LEN) + 2 * gap + (size_t)count * STEP);
    memcpy(text + at, far, SHORT);
    at += SHORT + gap;
    memcpy(text + at, match, LEN);
    at += LEN + gap;
    memcpy(text + at, near, SHORT);
    at += SHORT + EDGE;
    for (unsigned i = 0; i < count; i++, at += STEP)
        memcpy(text + at, match, SHORT);
    memcpy(text + at, match, LEN);
    return at + LEN + EDGE;
}

/* A candidate comes on one side of the match, and one goes on the other: all in all a search has as many as
 * before, but the match becomes the last one that it looks at, or ceases to be. */
static void edit_chain(size_t gap, unsigned count, bool comes_near)
{
    /* `came` has the same hash as `went`, but no other bytes match it; `none` is nowhere else */
    static const char went[] = "abc", came[] = "Abc", none[] = "\x01\x02\x03";
    uint8_t was[4000], now[4000];
    lvl_buffer stream = {0};
    size_t len;

    if (comes_near) {
        len = fill_chain(was, went, none, gap, count);
        fill_chain(now, none, came, gap, count);
    } else {
        len = fill_chain(was, none, went, gap, count);
        fill_chain(now, came, none, gap, count);
    }
    assert_true(len <= sizeof was);
    assert_int_equal(lvl_deflate_zlib((lvl_bytes){was, len}, LVL_DEFLATE_LEVEL6, &stream), LVL_OK);
    assert_edits((lvl_bytes){now, len}, LVL_DEFLATE_LEVEL6, (lvl_bytes){stream.data, stream.len},
                 (lvl_bytes){was, len});
    lvl_buffer_free(&stream);
}

static void test_edited_last(void **state)
{
    enum { CHAIN = 128 /* candidates that a search looks at */ };
    static const size_t gaps[] = {0, 4, 300, 600};

    (void)state;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        for (unsigned count = CHAIN - 8; count < CHAIN + 8; count++) {
            edit_chain(gaps[i], count, false);
            edit_chain(gaps[i], count, true);
        }
    }
}

static bool inflates_to(lvl_bytes stream, lvl_bytes bytes)
{
    uint8_t *back = malloc(bytes.len + 1);
    size_t used = 0, got = 0;

    assert_non_null(back);
    const lvl_status status =
        lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, stream, back, bytes.len, &used, &got);
    const bool same =
        status == LVL_OK && used == stream.len && got == bytes.len && !memcmp(back, bytes.ptr, got);
    free(back);
    return same;
}

/* As zlib packs at any level, with any strategy, flushed where it likes: blocks of all kinds, empty ones
 * too. */
static void pack_oddly(lvl_bytes in, lvl_buffer *out)
{
    static const int flushes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_PARTIAL_FLUSH, Z_BLOCK};
    uint8_t piece[4096];
    z_stream z = {0};
    int code = Z_OK;

    assert_int_equal(deflateInit2(&z, (int)(next_random() % 10), Z_DEFLATED, 15, 1 + (int)(next_random() % 9),
                                  (int)(next_random() % 5)),
                     Z_OK);
    for (size_t at = 0; code != Z_STREAM_END;) {
        const size_t left = in.len - at,
                     n = next_random() % 30000 < left ? next_random() % 30000 % (left + 1) : left;
        z.next_in = (Bytef *)(uintptr_t)(in.ptr + at);
        z.avail_in = (uInt)n;
        at += n;
        const int flush = at == in.len ? Z_FINISH : flushes[next_random() % 5];
        do {
            z.next_out = piece;
            z.avail_out = sizeof piece;
            code = deflate(&z, flush);
            assert_int_not_equal(code, Z_STREAM_ERROR);
            lvl_buffer_add(out, piece, sizeof piece - z.avail_out);
        } while (!z.avail_out);
    }
    deflateEnd(&z);
}

/* Streams of other encoders, sound and damaged: what is made of them inflates to the edited bytes, and takes
 * about as many bytes. */
static void test_edited_others(void **state)
{
    enum { SIZE = 60000, ROUNDS = 120 };
    uint8_t *data = malloc(SIZE), *now = malloc(SIZE + 200000), *back = malloc(SIZE + 200000);
    lvl_buffer stream = {0}, edited = {0};

    (void)state;
    assert_true(data && now && back);
    for (int round = 0; round < ROUNDS; round++) {
        const lvl_deflate_style style = (lvl_deflate_style)(round % 3);
        const lvl_bytes was = {data, SIZE};
        size_t len = SIZE;
        fill(data, SIZE, round % KINDS);
        stream.len = edited.len = 0;
        pack_oddly(was, &stream);
        const lvl_bytes source = {stream.data, stream.len};
        memcpy(now, data, SIZE);
        for (unsigned n = next_random() % 4; n && len; n--)
            edit_little(now, &len);
        const lvl_bytes bytes = {now, len};
        assert_int_equal(lvl_deflate_zlib_edited(bytes, style, source, was, &edited), LVL_OK);
        assert_true(inflates_to((lvl_bytes){edited.data, edited.len}, bytes));
        edit_with_damaged(bytes, style, source, was, back);
    }
    lvl_buffer_free(&stream);
    lvl_buffer_free(&edited);
    free(data);
    free(now);
    free(back);
}

/* Four million empty blocks of ten bits each, and a million empty stored ones, take no longer than others. */
static void test_edited_blocks(void **state)
{
    enum { BYTES = 5000000 };
    const uint8_t data[4] = {1, 2, 3, 4}, now[4] = {1, 2, 9, 4};
    uint8_t *stream = calloc(1, BYTES + 6);
    lvl_buffer out = {0};

    (void)state;
    assert_non_null(stream);
    memcpy(stream, "\x78\x9c", 2);
    for (size_t bit = 0; bit + 10 <= (size_t)BYTES * 8; bit += 10) /* 0, fixed (1, 0), seven times 0 */
        stream[2 + (bit + 1) / 8] |= (uint8_t)(1u << (bit + 1) % 8);
    for (int stored = 0; stored < 2; stored++) {
        out.len = 0;
        assert_int_equal(lvl_deflate_zlib_edited((lvl_bytes){now, 4}, LVL_DEFLATE_LEVEL6,
                                                 (lvl_bytes){stream, BYTES + 6}, (lvl_bytes){data, 4}, &out),
                         LVL_OK);
        assert_true(inflates_to((lvl_bytes){out.data, out.len}, (lvl_bytes){now, 4}));
        for (size_t i = 0; i + 5 <= BYTES; i += 5)
            memcpy(stream + 2 + i, "\0\0\0\xff\xff", 5);
    }
    lvl_buffer_free(&out);
    free(stream);
}

/* Real levels: the compressed block starts at 0x5F4, its inflated size is at 0x2E8. */
static void test_real_streams(void **state)
{
    enum { HEADER = 0x5F4, SIZE_AT = 0x2E8, LARGEST = 600000 };
    const char *dir = lvl_corpus_dir();
    unsigned tried = 0, made = 0, large = 0, styles[3] = {0};
    lvl_paths paths;

    (void)state;
    if (!dir)
        skip();
    assert_true(lvl_paths_below(&paths, dir, "wwd"));
    bool all = getenv("LVL_HOSTILE") != NULL;
    for (size_t i = 0; i < paths.count; i++) {
        size_t len = 0, used, got;
        lvl_deflate_style style;
        uint8_t *file = lvl_slurp(paths.items[i], &len);
        assert_non_null(file);
        if (len > HEADER + 8 && file[HEADER] == 0x78) {
            size_t size = file[SIZE_AT] | (size_t)file[SIZE_AT + 1] << 8 | (size_t)file[SIZE_AT + 2] << 16 |
                          (size_t)file[SIZE_AT + 3] << 24;
            uint8_t *image = size <= LARGEST || all ? malloc(size + 1) : NULL;
            lvl_bytes stream = {file + HEADER, len - HEADER};
            if (image && lvl_inflate_zlib(&(lvl_work){.left = UINT64_MAX}, stream, image, size, &used,
                                          &got) == LVL_OK) {
                stream.len = used;
                const bool same = reproduces(stream, (lvl_bytes){image, got}, &style);
                tried++;
                made += same;
                if (same)
                    styles[style]++;
                if (same && (all || got < 400000))
                    edit_one((lvl_bytes){image, got}, style, 1);
            } else {
                large++;
            }
            free(image);
        }
        free(file);
    }
    print_message(
        "streams made again: %u of %u (classic 6: %u, level 6: %u, level 9: %u; %u larger ones left out)\n",
        made, tried, styles[0], styles[1], styles[2], large);
    assert_true(tried > 0);
    assert_int_equal(made, tried);
    lvl_paths_free(&paths);
}

/* Where each pixel of a picture is, as drawings list them: many short matches. Large streams of ours get the
 * short search (bench_deflate measures its time), which must not cost much size. */
static void test_large_list(void **state)
{
    enum { SIDE = 700, ENTRY = 5 };
    const size_t len = (size_t)SIDE * SIDE * ENTRY;
    uint8_t *list = malloc(len), *back = malloc(len), *to = list;
    lvl_buffer slow = {0}, quick = {0}, as_quick = {0};
    size_t used, got;

    (void)state;
    assert_true(list && back);
    for (unsigned y = 0; y < SIDE; y++) {
        for (unsigned x = 0; x < SIDE; x++) {
            const uint8_t entry[ENTRY] = {(uint8_t)(x * 2 | 0x80), (uint8_t)(x >> 6), (uint8_t)(y * 2 | 0x80),
                                          (uint8_t)(y >> 6), (uint8_t)((x + y) / 250 % 3)};
            memcpy(to, entry, ENTRY);
            to += ENTRY;
        }
    }
    assert_int_equal(lvl_deflate_zlib((lvl_bytes){list, len}, LVL_DEFLATE_LEVEL6, &slow), LVL_OK);
    assert_int_equal(lvl_deflate_raw((lvl_bytes){list, len}, &quick), LVL_OK);
    print_message("a list of %zu bytes: %zu bytes at level 6, %zu with the short search\n", len, slow.len,
                  quick.len);
    assert_true(quick.len * 4 < slow.len * 5);
    assert_int_equal(lvl_deflate_zlib((lvl_bytes){list, len}, LVL_DEFLATE_QUICK, &as_quick), LVL_OK);
    assert_int_equal(quick.len, as_quick.len - 6); /* without zlib's two bytes before and four bytes after */
    assert_memory_equal(quick.data, as_quick.data + 2, quick.len);
    assert_int_equal(lvl_inflate_wrapped(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_RAW,
                                         (lvl_bytes){quick.data, quick.len}, back, len, &used, &got),
                     LVL_OK);
    assert_int_equal(got, len);
    assert_memory_equal(back, list, len);
    lvl_buffer_free(&slow);
    lvl_buffer_free(&quick);
    lvl_buffer_free(&as_quick);
    free(list);
    free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_edited),
        cmocka_unit_test(test_edited_last),   cmocka_unit_test(test_edited_others),
        cmocka_unit_test(test_edited_blocks), cmocka_unit_test(test_real_streams),
        cmocka_unit_test(test_large_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
