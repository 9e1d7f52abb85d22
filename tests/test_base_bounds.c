/*
 * Bounds in base/: limits and their defaults, the work budget with its request to stop, and the hash table.
 */
#include "base/hash.h"
#include "base/work.h"
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void zero_means_the_default(void **state)
{
    lvl_ctx init, zero, own;

    (void)state;
    lvl_ctx_init(&init);
    memset(&zero, 0, sizeof zero);
    const lvl_limits none = lvl_limits_of(NULL), of_zero = lvl_limits_of(&zero),
                     of_init = lvl_limits_of(&init);
    const lvl_limits *all[] = {&none, &of_zero, &of_init, &init.limits};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(all[i]->input_bytes, 1 << 30);
        assert_int_equal(all[i]->memory_bytes, none.memory_bytes);
        assert_int_equal(all[i]->cells, 1 << 28);
        assert_int_equal(all[i]->items, 1 << 24);
        assert_int_equal(all[i]->depth, 64);
        assert_int_equal(all[i]->inflate_ratio, 1032);
        assert_int_equal(all[i]->findings, 10000);
        assert_int_equal(all[i]->work, (uint64_t)1 << 31);
    }
    memset(&own, 0, sizeof own);
    own.limits.items = 7;
    assert_int_equal(lvl_limits_of(&own).items, 7);
    assert_int_equal(lvl_limits_of(&own).cells, 1 << 28);
}

static void work_ends_at_its_limit(void **state)
{
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    ctx.limits.work = 100;
    lvl_work work = lvl_work_begin(&ctx);
    for (int i = 0; i < 10; i++)
        assert_true(lvl_work_charge(&work, 10));
    assert_true(lvl_work_charge(&work, 0));
    assert_false(lvl_work_charge(&work, 1));
    assert_int_equal(work.status, LVL_ERR_LIMIT);
    assert_false(lvl_work_charge(&work, 0)); /* and stays there */

    work = lvl_work_begin(&ctx);
    assert_true(lvl_work_charge(&work, 99));
    assert_false(lvl_work_charge(&work, UINT64_MAX));
    assert_int_equal(work.status, LVL_ERR_LIMIT);

    work = lvl_work_begin(NULL);
    assert_true(lvl_work_charge(&work, (uint64_t)1 << 31));
    assert_false(lvl_work_charge(&work, 1));
}

static void work_ends_when_asked_to(void **state)
{
    volatile int stop = 0;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_false(lvl_stopped(&ctx));
    assert_false(lvl_stopped(NULL));
    ctx.stop = &stop;
    lvl_work work = lvl_work_begin(&ctx);
    assert_true(lvl_work_charge(&work, 1));
    stop = 15;
    assert_true(lvl_stopped(&ctx));
    assert_false(lvl_work_charge(&work, 1));
    assert_int_equal(work.status, LVL_ERR_STOPPED);
    stop = 0;
    assert_false(lvl_work_charge(&work, 1));
    assert_int_equal(work.status, LVL_ERR_STOPPED);
    assert_string_equal(lvl_status_text(LVL_ERR_STOPPED), "stopped");
}

/* The index that belongs to the key, or UINT32_MAX. Keys are numbers, entry i has the key i * factor. */
static uint32_t find(const lvl_hash *table, uint64_t key, uint64_t factor, uint32_t *looked)
{
    for (lvl_hash_at at = lvl_hash_first(table, lvl_hash_u64(&table->seed, key)); at.found;
         at = lvl_hash_next(table, at)) {
        ++*looked;
        if (at.index * factor == key)
            return at.index;
    }
    return UINT32_MAX;
}

static void hash_finds_what_was_added(void **state)
{
    enum { N = 100000 };
    static const uint64_t factors[] = {1, 2, 512, 4096, UINT64_C(1) << 32, 2654435761u, 0x9E3779B97F4A7C15u};
    lvl_hash table;

    (void)state;
    lvl_hash_init(&table);
    uint32_t looked = 0;
    assert_int_equal(find(&table, 3, 1, &looked), UINT32_MAX);
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(lvl_hash_add(&table, lvl_hash_u64(&table.seed, i * factors[f]), i), LVL_OK);
        assert_int_equal(table.count, N);
        looked = 0;
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(find(&table, i * factors[f], factors[f], &looked), i);
        assert_int_equal(find(&table, N * factors[f], factors[f], &looked), UINT32_MAX);
        assert_in_range(looked, N, N + N / 100); /* regular keys don't share their hashes */
        lvl_hash_clear(&table);
        assert_int_equal(find(&table, factors[f], factors[f], &looked), UINT32_MAX);
    }
    lvl_hash_free(&table);
    assert_int_equal(find(&table, 0, 1, &looked), UINT32_MAX);
}

static void hash_keeps_equal_keys_apart(void **state)
{
    bool seen[40] = {false};
    lvl_hash table;
    size_t n = 0;

    (void)state;
    lvl_hash_init(&table);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(lvl_hash_add(&table, 77, i), LVL_OK);
    for (lvl_hash_at at = lvl_hash_first(&table, 77); at.found; at = lvl_hash_next(&table, at), n++) {
        assert_in_range(at.index, 0, 39);
        assert_false(seen[at.index]);
        seen[at.index] = true;
    }
    assert_int_equal(n, 40);
    lvl_hash_free(&table);
}

static void hash_of_bytes_is_of_all_bytes(void **state)
{
    const lvl_hash_seed seed = lvl_hash_seed_new(), other = lvl_hash_seed_new();
    uint8_t bytes[40];
    uint64_t seen[41 * 2];
    size_t n = 0;

    (void)state;
    assert_true(seed.start != other.start && seed.factor != other.factor);
    memset(bytes, 0, sizeof bytes);
    /* zeros of each length, and one other byte at each place of the longest */
    for (size_t len = 0; len <= 40; len++)
        seen[n++] = lvl_hash_bytes(&seed, len ? bytes : NULL, len);
    for (size_t i = 0; i < 40; i++) {
        bytes[i] = 1;
        seen[n++] = lvl_hash_bytes(&seed, bytes, 40);
        bytes[i] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            assert_true(seen[i] != seen[k]);
    }
    assert_true(lvl_hash_bytes(&seed, "level", 5) == lvl_hash_bytes(&seed, "level", 5));
    assert_true(lvl_hash_bytes(&seed, "level", 5) != lvl_hash_bytes(&other, "level", 5));
    assert_true(lvl_hash_nocase(&seed, lvl_text_of("Some/Folder/Level.NW")) ==
                lvl_hash_nocase(&seed, lvl_text_of("sOME/fOLDER/lEVEL.nw")));
    assert_true(lvl_hash_nocase(&seed, lvl_text_of("a")) != lvl_hash_nocase(&seed, lvl_text_of("b")));
    assert_true(lvl_hash_nocase(&seed, lvl_text_of("")) != lvl_hash_nocase(&seed, (lvl_text){"\0", 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_means_the_default),      cmocka_unit_test(work_ends_at_its_limit),
        cmocka_unit_test(work_ends_when_asked_to),     cmocka_unit_test(hash_finds_what_was_added),
        cmocka_unit_test(hash_keeps_equal_keys_apart), cmocka_unit_test(hash_of_bytes_is_of_all_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
