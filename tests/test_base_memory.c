/*
 * Memory in base/: arena, growable buffer, cursor, findings, with an allocator that fails.
 */
#include "base/arena.h"
#include "base/cursor.h"
#include "base/buffer.h"
#include "base/findings.h"

#include <lvl/record.h>

#include <lvl/doc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An allocator that counts and refuses the call number `refuse`. */
struct counting {
    unsigned calls, live, refuse;
};

static void *count_alloc(void *user, size_t size)
{
    struct counting *c = user;

    if (++c->calls == c->refuse)
        return NULL;
    void *p = malloc(size);
    c->live += p != NULL;
    return p;
}

static void *count_resize(void *user, void *ptr, size_t old_size, size_t size)
{
    struct counting *c = user;

    (void)old_size;
    if (++c->calls == c->refuse)
        return NULL;
    return realloc(ptr, size);
}

static void count_release(void *user, void *ptr)
{
    struct counting *c = user;

    c->live -= ptr != NULL;
    free(ptr);
}

static void arena_gives_aligned_zeroed_apart(void **state)
{
    lvl_ctx ctx;
    lvl_arena arena;
    uint8_t *items[300];

    (void)state;
    lvl_ctx_init(&ctx);
    lvl_arena_init(&arena, &ctx);
    for (unsigned i = 0; i < 300; i++) {
        size_t size = (size_t)i * i % 5000;
        items[i] = lvl_arena_alloc(&arena, size);
        assert_non_null(items[i]);
        assert_int_equal((uintptr_t)items[i] % sizeof(double), 0);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(items[i][k], 0);
        memset(items[i], (int)i, size);
    }
    for (unsigned i = 0; i < 300; i++) {
        size_t size = (size_t)i * i % 5000;
        for (size_t k = 0; k < size; k++)
            assert_int_equal(items[i][k], (uint8_t)i);
    }
    const char *copy = lvl_arena_copy(&arena, "claw", 5);
    assert_string_equal(copy, "claw");
    assert_false(arena.failed);
    assert_null(lvl_arena_array(&arena, SIZE_MAX / 2, 3));
    assert_true(arena.failed);
    assert_null(lvl_arena_raw(&arena, SIZE_MAX));
    lvl_arena_free(&arena);
}

static void arena_keeps_its_bound(void **state)
{
    lvl_ctx ctx;
    lvl_arena arena;
    uint64_t got = 0;

    (void)state;
    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 600000; /* of which an arena takes a sixth */
    lvl_arena_init(&arena, &ctx);
    while (lvl_arena_raw(&arena, 777))
        got += 777;
    assert_true(arena.failed);
    assert_true(got <= 100000 && got > 90000);
    assert_null(lvl_arena_raw(&arena, 50000));
    lvl_arena_free(&arena);
}

static void arena_survives_refusal(void **state)
{
    struct counting counting = {0};
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    ctx.allocator = (lvl_allocator){count_alloc, count_resize, count_release, &counting};
    for (unsigned refuse = 1; refuse < 8; refuse++) {
        lvl_arena arena;
        unsigned good = 0;
        counting.calls = 0;
        counting.refuse = refuse;
        lvl_arena_init(&arena, &ctx);
        for (unsigned i = 0; i < 200; i++)
            good += lvl_arena_alloc(&arena, 1000) != NULL;
        assert_int_equal(good < 200, arena.failed);
        lvl_arena_free(&arena);
        assert_int_equal(counting.live, 0);
    }
}

static void buffer_grows_and_sticks(void **state)
{
    lvl_buffer b = {0};

    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        lvl_buffer_printf(&b, "%u,", i);
    lvl_buffer_u32le(&b, 0x01020304);
    lvl_buffer_fill(&b, 'x', 3);
    lvl_buffer_str(&b, "end");
    assert_int_equal(b.status, LVL_OK);
    assert_int_equal(b.len, 10 * 2 + 90 * 3 + 900 * 4 + 4 + 3 + 3);
    assert_memory_equal(b.data + b.len - 10, "\4\3\2\1xxxend", 10);
    size_t len = b.len;
    b.max = len + 5;
    lvl_buffer_add(&b, "12345", 5);
    assert_int_equal(b.status, LVL_OK);
    lvl_buffer_u8(&b, '6');
    assert_int_equal(b.status, LVL_ERR_LIMIT);
    assert_int_equal(b.len, len + 5);
    b.max = 0;
    lvl_buffer_u8(&b, '6'); /* sticky */
    lvl_buffer_printf(&b, "%d", 1);
    assert_int_equal(b.len, len + 5);
    lvl_buffer_free(&b);
    assert_null(b.data);
    lvl_buffer_u8(&b, 1);
    assert_false(lvl_buffer_reserve(&b, SIZE_MAX));
    assert_int_equal(b.status, LVL_ERR_MEMORY);
    lvl_buffer_free(&b);
    lvl_buffer_free(NULL);
}

static void cursor_is_sticky(void **state)
{
    const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7};
    lvl_cursor c = lvl_cursor_of((lvl_bytes){data, sizeof data});
    size_t n;

    (void)state;
    assert_int_equal(lvl_cursor_u32le(&c), 0x04030201);
    assert_int_equal(lvl_cursor_u16le(&c), 0x0605);
    assert_int_equal(lvl_cursor_left(&c), 1);
    assert_int_equal(lvl_cursor_u16le(&c), 0);
    assert_true(c.failed);
    assert_int_equal(lvl_cursor_u8(&c), 0); /* though a byte is there */
    c = lvl_cursor_of((lvl_bytes){data, sizeof data});
    assert_true(lvl_cursor_seek(&c, sizeof data));
    assert_false(lvl_cursor_seek(&c, sizeof data + 1));
    assert_null(lvl_cursor_take(&c, SIZE_MAX));
    c = lvl_cursor_of((lvl_bytes){NULL, 0});
    assert_int_equal(lvl_cursor_u8(&c), 0);
    assert_true(c.failed);
    assert_true(lvl_mul_size(SIZE_MAX / 8, 8, &n));
    assert_false(lvl_mul_size(SIZE_MAX / 8 + 1, 8, &n));
    assert_true(lvl_add_size(SIZE_MAX - 1, 1, &n));
    assert_false(lvl_add_size(SIZE_MAX, 1, &n));
}

static const lvl_finding_def def_note = {"t.note", "", {LVL_NONE, LVL_NOTE, LVL_NOTE}, NULL, 0};
static const lvl_finding_def def_bad = {"t.bad", "", {LVL_ERROR, LVL_WARNING, LVL_NONE}, NULL, 0};

static void findings_follow_profile_and_limit(void **state)
{
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    ctx.limits.findings = 3;
    lvl_findings *list = lvl_findings_new(&ctx);
    assert_int_equal(lvl_findings_worst(list), LVL_NONE);
    for (int i = 0; i < 5; i++)
        lvl_findings_add(list, &def_note, NULL, NULL, "number %d", i);
    lvl_findings_add(list, &def_bad, NULL, NULL, "bad");
    lvl_findings_add(list, &def_bad, NULL, NULL, "bad again");
    /* a full list still takes the first of each kind */
    assert_int_equal(lvl_findings_count(list), 4);
    assert_string_equal(lvl_findings_at(list, 2)->text, "number 2");
    assert_string_equal(lvl_findings_at(list, 3)->text, "bad");
    assert_null(lvl_findings_at(list, 4));
    assert_int_equal(lvl_findings_of(list, LVL_NOTE), 5);
    assert_int_equal(lvl_findings_of(list, LVL_WARNING), 2);
    assert_int_equal(lvl_findings_worst(list), LVL_WARNING);
    lvl_findings_clear(list);
    assert_int_equal(lvl_findings_count(list), 0);
    lvl_findings_free(list);

    ctx.profile = LVL_PROFILE_STRICT;
    list = lvl_findings_new(&ctx);
    lvl_position pos = {1, 0x1a3 * 8, 8, 0x5f4, true};
    lvl_findings_add(list, &def_note, NULL, NULL, "none");
    lvl_findings_add(list, &def_bad, NULL, &pos, "%s", "here");
    assert_int_equal(lvl_findings_count(list), 1);
    assert_int_equal(lvl_findings_at(list, 0)->severity, LVL_ERROR);
    char buf[32];
    assert_int_equal(lvl_position_text(&lvl_findings_at(list, 0)->position, buf, sizeof buf), 11);
    assert_string_equal(buf, "0x5f4/0x1a3");
    assert_int_equal(lvl_position_text(&pos, buf, 4), 11);
    assert_string_equal(buf, "0x5");
    lvl_findings_free(list);
    lvl_findings_free(NULL);
    lvl_findings_add(NULL, &def_bad, NULL, NULL, "nobody listens");
}

/* A name from a file may be as long as the file; a message about it may not. */
static void findings_cut_long_texts(void **state)
{
    lvl_ctx ctx;
    char name[5001];

    (void)state;
    lvl_ctx_init(&ctx);
    lvl_findings *list = lvl_findings_new(&ctx);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    lvl_findings_add(list, &def_bad, NULL, NULL, "%.1000s", name);
    lvl_findings_add(list, &def_bad, NULL, NULL, "%s", name);
    for (size_t i = 994; i < 998; i += 2) /* two characters of two bytes, one of them where the cut falls */
        memcpy(name + i, "\xC3\xA9", 2);
    lvl_findings_add(list, &def_bad, NULL, NULL, "%s", name);
    assert_int_equal(strlen(lvl_findings_at(list, 0)->text), 1000);
    assert_null(strchr(lvl_findings_at(list, 0)->text, '.'));
    assert_int_equal(strlen(lvl_findings_at(list, 1)->text), 1000);
    assert_string_equal(lvl_findings_at(list, 1)->text + 996, "x...");
    assert_string_equal(lvl_findings_at(list, 2)->text + 993, "x\xC3\xA9...");
    lvl_findings_free(list);
}

static void contexts_parse_their_words(void **state)
{
    lvl_profile profile;
    lvl_codepage page;

    (void)state;
    for (int i = 0; i < LVL_PROFILE_COUNT; i++) {
        assert_true(lvl_profile_parse(lvl_profile_name((lvl_profile)i), &profile));
        assert_int_equal(profile, i);
    }
    assert_false(lvl_profile_parse("careless", &profile));
    for (int i = 0; i < LVL_CP_COUNT; i++) {
        assert_true(lvl_codepage_parse(lvl_codepage_name((lvl_codepage)i), &page));
        assert_int_equal(page, i);
    }
    assert_true(lvl_codepage_parse("cp1250", &page));
    assert_int_equal(page, LVL_CP_1250);
    assert_false(lvl_codepage_parse("ebcdic", &page));
    for (int i = LVL_OK; i <= LVL_ERR_UNSUPPORTED; i++)
        assert_true(strlen(lvl_status_text((lvl_status)i)) > 0);
    assert_string_equal(lvl_version(), LVL_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_aligned_zeroed_apart),
        cmocka_unit_test(arena_keeps_its_bound),
        cmocka_unit_test(arena_survives_refusal),
        cmocka_unit_test(buffer_grows_and_sticks),
        cmocka_unit_test(cursor_is_sticky),
        cmocka_unit_test(findings_follow_profile_and_limit),
        cmocka_unit_test(findings_cut_long_texts),
        cmocka_unit_test(contexts_parse_their_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
