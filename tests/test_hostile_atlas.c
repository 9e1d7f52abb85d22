/*
 * render/atlas.c: tile maps of layers: what a grid and its picture hold, limits, and each allocation
 * failing in turn.
 */
#include "starve.h"

#include <lvl/lvl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_doc *doc;
static lvl_ctx ctx;

/* A level of Claw with a plane of 6 x 4 tiles, of which five draw something: three different ones. */
static lvl_scene *setup(void)
{
    const lvl_new_options options = {.width = 6, .height = 4};
    static const char *const assignments[] = {"planes[0].tiles[0,0]=7", "planes[0].tiles[1,0]=9",
                                              "planes[0].tiles[5,3]=7", "planes[0].tiles[2,2]=8",
                                              "planes[0].tiles[2,3]=7"};
    lvl_scene *scene = NULL;
    size_t changed = 0;

    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_new(&doc, &ctx, lvl_format_find("wwd"), &options, NULL), LVL_OK);
    for (size_t i = 0; i < sizeof assignments / sizeof assignments[0]; i++) {
        if (lvl_set(doc, &assignments[i], 1, &changed, NULL) != LVL_OK)
            fail_msg("%s", assignments[i]);
    }
    assert_int_equal(lvl_doc_scene(doc, NULL, &scene), LVL_OK);
    return scene;
}

static void teardown(lvl_scene *scene)
{
    lvl_scene_free(scene);
    lvl_doc_free(doc);
}

static void test_numbers(void **state)
{
    lvl_atlas atlas;
    lvl_scene *scene = setup();

    (void)state;
    assert_int_equal(lvl_render_atlas(scene, 0, false, &atlas), LVL_OK);
    assert_int_equal(atlas.columns, 6);
    assert_int_equal(atlas.rows, 4);
    assert_int_equal(atlas.cells[0], atlas.cells[5 + 3 * 6]);
    assert_int_equal(atlas.cells[0], atlas.cells[2 + 3 * 6]);
    assert_int_not_equal(atlas.cells[0], 0);
    assert_int_not_equal(atlas.cells[0], atlas.cells[1]);
    assert_int_not_equal(atlas.cells[1], atlas.cells[2 + 2 * 6]);
    assert_true(atlas.across * atlas.across >= atlas.tile_count);
    assert_int_equal(atlas.image.width, atlas.across * atlas.cell_width);
    assert_int_equal(atlas.image.height,
                     (atlas.tile_count + atlas.across - 1) / atlas.across * atlas.cell_height);
    for (uint32_t i = 0; i < 24; i++)
        assert_true(atlas.cells[i] <= atlas.tile_count);
    lvl_atlas_clear(&atlas);
    lvl_atlas_clear(&atlas);
    assert_int_equal(lvl_render_atlas(scene, scene->layer_count, false, &atlas), LVL_ERR_ARG);
    lvl_atlas_clear(&atlas);
    ctx.limits.cells = 23;
    assert_int_equal(lvl_render_atlas(scene, 0, false, &atlas), LVL_ERR_LIMIT);
    teardown(scene);
}

static void test_memory_runs_out(void **state)
{
    uint64_t calls = 0;
    lvl_atlas atlas;
    lvl_scene *scene;

    (void)state;
    if (!lvl_starve_works())
        skip();
    for (int on = 0; on < 2; on++) {
        for (uint64_t n = 0; n <= calls; n++) {
            scene = setup();
            const uint64_t before = lvl_starve_blocks();
            lvl_starve_from(n, on);
            const lvl_status status = lvl_render_atlas(scene, 0, false, &atlas);
            if (!n)
                calls = lvl_starve_calls();
            lvl_starve_from(0, false);
            if (status != LVL_OK && (!n || status != LVL_ERR_MEMORY))
                fail_msg("call %llu refused: status %d", (unsigned long long)n, status);
            if (status == LVL_OK)
                lvl_atlas_clear(&atlas);
            if (lvl_starve_blocks() > before)
                fail_msg("call %llu refused: memory is lost", (unsigned long long)n);
            teardown(scene);
        }
    }
    assert_true(calls > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_memory_runs_out)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
