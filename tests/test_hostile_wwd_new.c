/*
 * New levels of Claw for each base level: they are sound at every size, without memory nothing leaks, and
 * most real levels of that base say the same of each tile.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "corpus.h"
#include "games/book.h"
#include "starve.h"
#include "wap32/wwd/internal.h"

#include <lvl/lvl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_doc *make(uint32_t base, uint32_t width, uint32_t height)
{
    const lvl_new_options o = {.base = base, .width = width, .height = height};
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_new(&doc, &ctx, lvl_format_find("wwd"), &o, NULL), LVL_OK);
    return doc;
}

static void every_base_at_every_size_is_sound(void **state)
{
    static const uint32_t sizes[][2] = {{0, 0}, {1, 1}, {2, 3}, {9, 1}, {1, 50}, {300, 40}};

    (void)state;
    assert_int_equal(lvl_book_claw.base_count, 14);
    for (uint32_t base = 1; base <= lvl_book_claw.base_count; base++) {
        for (size_t i = 0; i < LVL_COUNT_OF(sizes); i++) {
            lvl_findings *found = lvl_findings_new(&ctx);
            lvl_check_result result = {0};
            lvl_buffer bytes = {0};
            lvl_doc *doc = make(base, sizes[i][0], sizes[i][1]);
            const lvl_wwd *wwd = lvl_doc_root(doc);
            assert_int_equal(lvl_wwd_base_level(wwd), base);
            assert_int_equal(lvl_wwd_game_of(wwd), LVL_WWD_CLAW);
            assert_int_equal(lvl_write(doc, &bytes, NULL), LVL_OK);
            assert_int_equal(
                lvl_check(&ctx, NULL, lvl_buffer_bytes(&bytes), "new.wwd", NULL, found, &result, NULL),
                LVL_OK);
            /* also no warning: it has an exit, and Claw stands on something */
            assert_true(lvl_findings_worst(found) <= LVL_NOTE);
            lvl_buffer_free(&bytes);
            lvl_findings_free(found);
            lvl_doc_free(doc);
        }
    }
}

static void what_cannot_be_made_is_said(void **state)
{
    static const struct {
        const char *format;
        uint32_t base;
        bool like;
    } cases[] = {{"wwd", 15, false},    {"wwd", UINT32_MAX, false}, {"nw", 1, false},
                 {"sketchy", 1, false}, {"gmap", 1, false},         {"wwd", 1, true}};
    lvl_doc *like = make(2, 0, 0), *doc;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        const lvl_new_options o = {.base = cases[i].base, .like = cases[i].like ? like : NULL};
        lvl_findings *found = lvl_findings_new(&ctx);
        assert_int_equal(lvl_new(&doc, &ctx, lvl_format_find(cases[i].format), &o, found), LVL_ERR_ARG);
        assert_null(doc);
        assert_int_equal(lvl_findings_count(found), 1);
        lvl_findings_free(found);
    }
    lvl_doc_free(like);
}

static void no_memory_is_an_error(void **state)
{
    const lvl_new_options o = {.base = 3, .width = 20, .height = 10};
    lvl_status status = LVL_ERR_MEMORY;

    (void)state;
    for (uint64_t n = 1; status != LVL_OK && lvl_starve_works(); n++) {
        lvl_doc *doc = NULL;
        const uint64_t before = lvl_starve_blocks();
        lvl_starve_from(n, true);
        status = lvl_new(&doc, &ctx, lvl_format_find("wwd"), &o, NULL);
        lvl_starve_from(0, false);
        assert_true(status == LVL_OK || (status == LVL_ERR_MEMORY && !doc));
        lvl_doc_free(doc);
        assert_int_equal(lvl_starve_blocks(), before);
    }
}

static bool same_property(const lvl_wwd_tile_property *a, const lvl_wwd_tile_property *b)
{
    if (a->type != b->type || a->type == LVL_WWD_TILE_MASK)
        return false;
    return a->type == LVL_WWD_TILE_SINGLE ? a->attribute == b->attribute
                                          : a->outside == b->outside && a->inside == b->inside &&
                                                memcmp(&a->rect, &b->rect, sizeof a->rect) == 0;
}

enum { BASES = 14, TILES = 1024 };
static uint32_t agree[BASES + 1][TILES], seen[BASES + 1][TILES];

static void most_real_levels_agree_on_each_tile(void **state)
{
    const char *corpus = lvl_corpus_dir();
    lvl_doc *mine[BASES + 1] = {NULL};
    uint64_t same = 0, all = 0;
    lvl_paths paths;
    char folder[1024];

    (void)state;
    if (!corpus)
        skip();
    for (uint32_t base = 1; base <= BASES; base++)
        mine[base] = make(base, 0, 0);
    snprintf(folder, sizeof folder, "%s/wwd/wwd", corpus);
    assert_true(lvl_paths_below(&paths, folder, NULL));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        lvl_doc *doc = NULL;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_int_equal(
            lvl_read(&doc, &ctx, lvl_format_find("wwd"), (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL),
            LVL_OK);
        const lvl_wwd *wwd = lvl_doc_root(doc);
        const unsigned base = lvl_wwd_game_of(wwd) == LVL_WWD_CLAW ? lvl_wwd_base_level(wwd) : 0;
        const lvl_wwd *ours = base && base <= BASES ? lvl_doc_root(mine[base]) : NULL;
        for (uint32_t k = 0; ours && k < ours->tile_property_count && k < wwd->tile_property_count; k++) {
            seen[base][k]++;
            agree[base][k] += same_property(&ours->tile_properties[k], &wwd->tile_properties[k]);
        }
        lvl_doc_free(doc);
        free(data);
    }
    for (uint32_t base = 1; base <= BASES; base++) {
        for (uint32_t k = 0; k < TILES; k++) {
            same += agree[base][k];
            all += seen[base][k];
            assert_true(!seen[base][k] || 2 * agree[base][k] > seen[base][k]);
        }
        lvl_doc_free(mine[base]);
    }
    printf("%llu of %llu tile properties of %zu levels are those of the book\n", (unsigned long long)same,
           (unsigned long long)all, paths.count);
    lvl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_base_at_every_size_is_sound),
        cmocka_unit_test(what_cannot_be_made_is_said),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(most_real_levels_agree_on_each_tile),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
