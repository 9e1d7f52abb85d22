/*
 * Every tool on every seed of the fuzzers, so that bugs found by fuzzing stay fixed: each such input is one
 * of the seeds. Small drawings and packs are also converted to everything that can be made from them
 * (support/sketchy_turns.h).
 */
#include "os/file.h"
#include "hostile.h"
#include "sketchy_seeds.h"
#include "sketchy_turns.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void seeds(void **state)
{
    size_t tried = 0, failed = 0;

    (void)state;
    for (size_t i = 0; lvl_format_at(i); i++) {
        const lvl_format *format = lvl_format_at(i);
        lvl_file_list names = {0};
        char dir[200], path[500];
        snprintf(dir, sizeof dir, "fuzz/seeds/%s", format->id);
        if (lvl_folder_list(&names, dir, NULL) != LVL_OK)
            continue;
        for (size_t k = 0; k < names.count; k++) {
            lvl_buffer file = {0};
            snprintf(path, sizeof path, "%s/%s", dir, names.names[k]);
            assert_int_equal(lvl_file_read(&file, path, 0, NULL), LVL_OK);
            const bool loose = !strcmp(format->id, "rez");
            if (!lvl_hostile_try(format, (lvl_bytes){file.data, file.len}, true, loose)) {
                print_error("%s\n", path);
                failed++;
            }
            tried++;
            lvl_buffer_free(&file);
        }
        lvl_file_list_free(&names);
    }
    print_message("%zu seeds of the fuzzers\n", tried);
    if (!tried)
        skip();
    assert_int_equal(failed, 0);
}

/* Each turn of each; with LVL_HOSTILE=full, damaged in a thousand ways as well. */
static void turns(void **state)
{
    const unsigned damaged = lvl_hostile_wants_full() ? 4000 : 40;
    uint32_t seed = 7;
    size_t tried = 0;

    (void)state;
    for (int s = 0; s < LVL_SKETCHY_SEED_COUNT; s++) {
        lvl_buffer file = {0};
        assert_true(lvl_sketchy_seed(s, &file));
        for (unsigned t = 0; t < LVL_SKETCHY_TURNS; t++, tried++)
            assert_true(lvl_sketchy_turn((lvl_bytes){file.data, file.len}, t));
        for (unsigned i = 0; i < damaged; i++, tried++) {
            lvl_buffer inner = {0}, out = {0};
            const lvl_hostile_hook *hook = i % 2 ? &lvl_sketchy_document_hook : &lvl_sketchy_chunk_hook;
            const bool has = hook->unwrap((lvl_bytes){file.data, file.len}, &inner) && inner.len;
            if (!has)
                lvl_buffer_add(&inner, file.data, file.len);
            for (unsigned n = 0; n < 1 + i % 3; n++) {
                seed = seed * 1664525u + 1013904223u;
                inner.data[(seed >> 8) % inner.len] ^= (uint8_t)(1u << (seed >> 29));
            }
            const lvl_bytes changed = {inner.data, inner.len};
            if (has)
                assert_true(hook->wrap((lvl_bytes){file.data, file.len}, changed, &out));
            if (!lvl_sketchy_turn(has ? (lvl_bytes){out.data, out.len} : changed, i))
                fail_msg("%s, damaged %u", lvl_sketchy_seed_name(s), i);
            lvl_buffer_free(&inner);
            lvl_buffer_free(&out);
        }
        lvl_buffer_free(&file);
    }
    print_message("%zu turns\n", tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(seeds), cmocka_unit_test(turns)};

    return cmocka_run_group_tests_name("hostile_seeds", tests, NULL, NULL);
}
