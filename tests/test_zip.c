/*
 * test_zip.c: zip archives: what is read is written back byte for byte, edits change nothing else, members
 * are found without their directory, damage of every kind, and the real archives of the corpus.
 */
#include "corpus.h"
#include "expect.h"

#include "container/zip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* Three members, the second of a few kilobytes. */
static void make(lvl_buffer *out)
{
    lvl_zip_writer w;
    char long_text[5000];

    for (size_t i = 0; i < sizeof long_text; i++)
        long_text[i] = (char)('a' + i * i / 7 % 26);
    lvl_zip_begin(&w, NULL, out);
    lvl_zip_put_new(&w, lvl_text_of("chunks/0/0,0.bin"), lvl_bytes_of("one"));
    lvl_zip_put_new(&w, lvl_text_of("assets/long"), (lvl_bytes){(uint8_t *)long_text, sizeof long_text});
    lvl_zip_put_new(&w, lvl_text_of("level.json"), lvl_bytes_of("{\"version\":1}\n"));
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
}

/* Writes what was read, member by member. */
static lvl_status rewrite(const lvl_zip *zip, lvl_buffer *out)
{
    lvl_zip_writer w;

    lvl_zip_begin(&w, NULL, out);
    for (uint32_t i = 0; i < zip->count; i++) {
        lvl_zip_put_raw(&w, zip->members[i].before);
        lvl_zip_put_member(&w, &zip->members[i]);
    }
    return lvl_zip_end(&w, zip);
}

static bool same(const lvl_buffer *a, lvl_bytes b)
{
    return a->len == b.len && memcmp(a->data, b.ptr, b.len) == 0;
}

static void test_round_trip(void **state)
{
    lvl_buffer zip_bytes = {0}, again = {0}, storage = {0};
    lvl_arena arena;
    lvl_bytes content;
    lvl_zip zip;
    bool sound;
    (void)state;

    make(&zip_bytes);
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&zip_bytes), &zip), LVL_OK);
    assert_int_equal(zip.count, 3);
    assert_true(zip.in_order && zip.plain_end && !zip.salvaged);
    for (uint32_t i = 0; i < zip.count; i++) {
        assert_int_equal(zip.members[i].faults, 0);
        assert_true(zip.members[i].plain_local && zip.members[i].plain_after && zip.members[i].plain_central);
    }
    const lvl_zip_member *m = lvl_zip_find(&zip, lvl_text_of("level.json"));
    assert_non_null(m);
    assert_null(lvl_zip_find(&zip, lvl_text_of("LEVEL.JSON")));
    assert_int_equal(lvl_zip_inflate(&ctx, m, &storage, &content, &sound), LVL_OK);
    assert_true(sound);
    assert_int_equal(content.len, 14);
    assert_int_equal(rewrite(&zip, &again), LVL_OK);
    assert_true(same(&again, lvl_bytes_in(&zip_bytes)));
    lvl_buffer_free(&zip_bytes);
    lvl_buffer_free(&again);
    lvl_buffer_free(&storage);
    lvl_arena_free(&arena);
}

/* Bytes before, between and after the members stay, also the comment; a directory in another order is
 * detected. */
static void test_oddities(void **state)
{
    lvl_buffer plain = {0}, odd = {0}, again = {0};
    lvl_zip_writer w;
    lvl_arena arena;
    lvl_zip zip;
    (void)state;

    make(&plain);
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&plain), &zip), LVL_OK);
    lvl_zip_begin(&w, NULL, &odd);
    for (uint32_t i = 0; i < zip.count; i++) {
        lvl_zip_put_raw(&w, lvl_bytes_of("<gap>"));
        lvl_zip_put_member(&w, &zip.members[i]);
    }
    static const uint8_t end[] = {'P', 'K', 5, 6, 0, 0, 0, 0, 0, 0, 0,   0,
                                  0,   0,   0, 0, 0, 0, 0, 0, 2, 0, 'h', 'i'};
    zip.gap = lvl_bytes_of("gap before the directory");
    zip.end = (lvl_bytes){end, sizeof end};
    zip.after = lvl_bytes_of("behind");
    assert_int_equal(lvl_zip_end(&w, &zip), LVL_OK);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&odd), &zip), LVL_OK);
    assert_true(zip.in_order && !zip.salvaged);
    assert_true(zip.plain_end);
    assert_int_equal(zip.members[1].before.len, 5);
    assert_int_equal(zip.after.len, 6);
    assert_int_equal(rewrite(&zip, &again), LVL_OK);
    assert_true(same(&again, lvl_bytes_in(&odd)));
    /* the first entry after the others */
    const size_t first = zip.members[0].central.len;
    uint8_t *directory = odd.data + zip.directory_at;
    memmove(directory, directory + first, zip.directory.len - first);
    memcpy(directory + zip.directory.len - first, again.data + zip.directory_at, first);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&odd), &zip), LVL_OK);
    assert_false(zip.in_order || zip.salvaged);
    assert_int_equal(zip.members[0].listed, 2);
    lvl_buffer_free(&plain);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&again);
    lvl_arena_free(&arena);
}

/* Cut anywhere: the members before the cut are found, with their content. */
static void test_cut(void **state)
{
    lvl_buffer zip_bytes = {0}, storage = {0};
    lvl_bytes content;
    lvl_zip whole, zip;
    lvl_arena arena;
    bool sound;
    (void)state;

    make(&zip_bytes);
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&zip_bytes), &whole), LVL_OK);
    for (size_t len = 0; len < zip_bytes.len; len++) {
        uint8_t *cut = malloc(len + 1); /* exactly this size, so that a sanitizer sees reads beyond it */
        assert_non_null(cut);
        memcpy(cut, zip_bytes.data, len);
        const lvl_status status = lvl_zip_read(&arena, &ctx, (lvl_bytes){cut, len}, &zip);
        uint32_t there = 0;
        for (uint32_t i = 0; i < whole.count; i++)
            there += whole.members[i].at + whole.members[i].local.len + whole.members[i].packed.len <= len;
        assert_true(status == LVL_OK || (status == LVL_ERR_FORMAT && !there));
        if (status == LVL_OK) {
            assert_true(zip.salvaged && zip.count >= there);
            for (uint32_t i = 0; i < there; i++) {
                lvl_status read = lvl_zip_inflate(&ctx, &zip.members[i], &storage, &content, &sound);
                assert_int_equal(read, LVL_OK);
                assert_true(i == 1 ? content.len == 5000 : content.len > 0);
            }
        }
        free(cut);
    }
    lvl_buffer_free(&zip_bytes);
    lvl_buffer_free(&storage);
    lvl_arena_free(&arena);
}

/* Without a directory, a member whose extra field declares more than the file: its name, data and the next
 * members are found, and are the same after writing. */
static void test_extra_field(void **state)
{
    lvl_buffer bytes = {0}, again = {0}, storage = {0};
    lvl_zip whole, zip, read;
    lvl_bytes content;
    lvl_arena arena;
    bool sound;
    (void)state;

    make(&bytes);
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&bytes), &whole), LVL_OK);
    bytes.data[whole.members[1].at + 29] = 0xF0;
    const lvl_bytes cut = {bytes.data, (size_t)whole.directory_at};
    assert_int_equal(lvl_zip_read(&arena, &ctx, cut, &zip), LVL_OK);
    assert_true(zip.salvaged);
    assert_int_equal(rewrite(&zip, &again), LVL_OK);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&again), &read), LVL_OK);
    assert_int_equal(zip.count, 3);
    assert_int_equal(read.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(lvl_text_equal(zip.members[i].name, whole.members[i].name));
        assert_true(lvl_text_equal(read.members[i].name, whole.members[i].name));
        assert_int_equal(lvl_zip_inflate(&ctx, &zip.members[i], &storage, &content, &sound), LVL_OK);
        assert_int_equal(content.len, whole.members[i].size);
        assert_int_equal(lvl_zip_inflate(&ctx, &read.members[i], &storage, &content, &sound), LVL_OK);
        assert_int_equal(content.len, whole.members[i].size);
    }
    /* one whose name declares more than the file is no member: its bytes stay in place */
    bytes.data[whole.members[1].at + 27] = 0xF0;
    again.len = 0;
    assert_int_equal(lvl_zip_read(&arena, &ctx, cut, &zip), LVL_OK);
    assert_int_equal(zip.count, 2);
    assert_int_equal(rewrite(&zip, &again), LVL_OK);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&again), &read), LVL_OK);
    assert_int_equal(read.count, 2);
    assert_true(again.len > cut.len && !memcmp(again.data, cut.ptr, cut.len));
    lvl_buffer_free(&bytes);
    lvl_buffer_free(&again);
    lvl_buffer_free(&storage);
    lvl_arena_free(&arena);
}

/* Each bit flipped: no crash, and what can be read can be written. */
static void test_flips(void **state)
{
    lvl_buffer zip_bytes = {0}, storage = {0}, again = {0};
    lvl_bytes content;
    uint32_t sound_ones = 0, flips = 0;
    lvl_zip zip;
    (void)state;

    make(&zip_bytes);
    for (size_t bit = 0; bit < zip_bytes.len * 8; bit++) {
        lvl_arena arena;
        lvl_arena_init(&arena, &ctx);
        zip_bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (lvl_zip_read(&arena, &ctx, lvl_bytes_in(&zip_bytes), &zip) == LVL_OK) {
            for (uint32_t i = 0; i < zip.count; i++) {
                bool sound = false;
                lvl_zip_inflate(&ctx, &zip.members[i], &storage, &content, &sound);
                sound_ones += sound;
            }
            again.len = 0;
            assert_int_equal(rewrite(&zip, &again), LVL_OK);
        }
        flips++;
        zip_bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        lvl_arena_free(&arena);
    }
    /* a flip harms one member's data at most, or the directory, without which all are found */
    assert_true(sound_ones >= flips * 2 && sound_ones < flips * 3);
    lvl_buffer_free(&zip_bytes);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&again);
}

/* A member that claims to be huge, and one that is: neither takes memory beyond the limit. */
static void test_bombs(void **state)
{
    lvl_buffer zip_bytes = {0}, storage = {0};
    lvl_ctx small = ctx;
    lvl_zip_writer w;
    lvl_arena arena;
    lvl_bytes content;
    lvl_zip zip;
    uint8_t *zeros = calloc(1, 4 << 20);
    (void)state;

    assert_non_null(zeros);
    small.limits.memory_bytes = 1 << 20;
    lvl_zip_begin(&w, NULL, &zip_bytes);
    lvl_zip_put_new(&w, lvl_text_of("bomb"), (lvl_bytes){zeros, 4 << 20});
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    lvl_arena_init(&arena, &small);
    assert_int_equal(lvl_zip_read(&arena, &small, lvl_bytes_in(&zip_bytes), &zip), LVL_OK);
    assert_int_equal(lvl_zip_inflate(&small, &zip.members[0], &storage, &content, NULL), LVL_ERR_LIMIT);
    zip.members[0].size = 5; /* a wrong value */
    assert_int_equal(lvl_zip_inflate(&small, &zip.members[0], &storage, &content, NULL), LVL_ERR_LIMIT);
    assert_true(storage.cap <= 4 << 20);
    free(zeros);
    lvl_buffer_free(&zip_bytes);
    lvl_buffer_free(&storage);
    lvl_arena_free(&arena);
}

/* What no option raises is named too: a directory counts its members in 16 bits. */
static void test_too_many(void **state)
{
    const lvl_bytes none = {NULL, 0};
    static const lvl_text name = {"a", 1};
    lvl_usage usage = {0};
    lvl_ctx own = ctx;
    lvl_zip_writer w;
    (void)state;

    own.usage = &usage;
    for (uint32_t count = UINT16_MAX; count <= UINT16_MAX + 1u; count++) {
        lvl_buffer out = {0};
        lvl_zip_begin(&w, &own, &out);
        for (uint32_t i = 0; i < count; i++)
            lvl_zip_put_parts(&w, name, lvl_bytes_of(""), 0, 0, none, none, none);
        const lvl_status status = lvl_zip_end(&w, NULL);
        assert_int_equal(status, count > UINT16_MAX ? LVL_ERR_LIMIT : LVL_OK);
        assert_int_equal(usage.limit, count > UINT16_MAX ? LVL_LIMIT_FIXED : LVL_LIMIT_NONE);
        lvl_buffer_free(&out);
    }
    lvl_findings *findings = lvl_findings_new(&own);
    lvl_usage_report(&usage, &own, findings);
    assert_string_equal(lvl_findings_at(findings, 0)->def->id, "lvl.limit.fixed");
    assert_string_equal(lvl_findings_at(findings, 0)->text,
                        "it needs 65536 members of a zip archive, but 65535 are the most that fit");
    lvl_findings_free(findings);
}

static void test_corpus(void **state)
{
    const char *dir = lvl_corpus_dir();
    uint32_t zips = 0, members = 0, plain = 0;
    lvl_paths paths = {0};
    char path[1024];
    (void)state;

    if (!dir)
        skip();
    snprintf(path, sizeof path, "%s/sketchy", dir);
    assert_true(lvl_paths_below(&paths, path, "level doodad levelpack"));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        lvl_buffer again = {0}, storage = {0};
        lvl_arena arena;
        lvl_zip zip;
        assert_non_null(data);
        lvl_arena_init(&arena, &ctx);
        if (lvl_zip_probe((lvl_bytes){data, len})) {
            assert_int_equal(lvl_zip_read(&arena, &ctx, (lvl_bytes){data, len}, &zip), LVL_OK);
            assert_false(zip.salvaged);
            zips++;
            for (uint32_t k = 0; k < zip.count; k++) {
                const lvl_zip_member *m = &zip.members[k];
                lvl_bytes content;
                bool sound;
                assert_int_equal(lvl_zip_inflate(&ctx, m, &storage, &content, &sound), LVL_OK);
                assert_true(sound);
                members++;
                plain += m->plain_local && m->plain_after && m->plain_central;
            }
            assert_int_equal(rewrite(&zip, &again), LVL_OK);
            assert_true(same(&again, (lvl_bytes){data, len}));
        }
        lvl_arena_free(&arena);
        lvl_buffer_free(&again);
        lvl_buffer_free(&storage);
        free(data);
    }
    printf("%u zips of %zu files, %u members, %u plain\n", zips, paths.count, members, plain);
    lvl_paths_free(&paths);
}

/* The search for members charges what it passes, also after the last one: a member and then nothing but
 * the first bytes of signatures. */
static void test_search_is_charged(void **state)
{
    static const uint8_t header[30] = {'P', 'K', 3, 4, 20, 0};
    enum { LEN = 1 << 20 };
    uint8_t *data = malloc(LEN);
    lvl_ctx small = ctx;
    lvl_arena arena;
    lvl_zip zip;

    (void)state;
    assert_non_null(data);
    memset(data, 'P', LEN);
    memcpy(data, header, sizeof header);
    small.limits.work = LEN / 8;
    lvl_arena_init(&arena, &small);
    assert_int_equal(lvl_zip_read(&arena, &small, (lvl_bytes){data, LEN}, &zip), LVL_ERR_LIMIT);
    lvl_arena_free(&arena);
    small.limits.work = LEN;
    lvl_arena_init(&arena, &small);
    assert_int_equal(lvl_zip_read(&arena, &small, (lvl_bytes){data, LEN}, &zip), LVL_OK);
    assert_int_equal(zip.count, 1);
    lvl_arena_free(&arena);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_oddities),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_flips),
        cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_extra_field),
        cmocka_unit_test(test_search_is_charged),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
