/*
 * test_hostile_scene.c: art looked for, a scene made and drawn in each way while every call of malloc fails
 * in its turn: no crash, no leak, and an honest answer. And real pictures of every damaged sample.
 */
#include "base/file.h"
#include "starve.h"

#include <lvl/render.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const char *samples;

static lvl_status count(lvl_writer *writer, const void *data, size_t len)
{
    (void)writer, (void)data, (void)len;
    return LVL_OK;
}

/* Everything from the search path to the PNG; how: 0 whole, 1 thumbnail, 2 overlays, 3 schematic, 4
 * enlarged, 5 difference. */
static lvl_status all(const lvl_doc *doc, const char *path, int how, bool *missing)
{
    lvl_writer writer = {count};
    lvl_render_options o;
    lvl_scene *scene = NULL;
    lvl_art *art = lvl_art_new(&ctx);
    lvl_status status = art ? lvl_art_level(art, path) : LVL_ERR_MEMORY;

    lvl_render_options_init(&o);
    o.size = how == 1 ? 64 : 0;
    o.overlays = how == 2 ? 31 : 0;
    o.schematic = how == 3;
    o.scale_up = how == 4 ? 2 : 0;
    o.region_given = true;
    o.region = (lvl_rect){0, 0, 255, 255};
    if (status == LVL_OK)
        status = lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene);
    if (status == LVL_OK)
        *missing = !scene->has_art;
    if (status == LVL_OK)
        status = how == 5 ? lvl_render_diff(scene, scene, NULL, 0, NULL, &writer)
                          : lvl_render_png(scene, &o, &writer);
    lvl_scene_free(scene);
    lvl_art_free(art);
    return status;
}

static void starving_is_answered(void **state)
{
    lvl_buffer bytes = {0};
    char path[500];
    lvl_doc *doc;
    uint64_t tried = 0, refused = 0;
    bool missing = true;

    (void)state;
    snprintf(path, sizeof path, "%s/wwd/garden/keepers-garden.wwd", samples);
    if (lvl_file_read(&bytes, path, 0, NULL) != LVL_OK)
        skip();
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes.data, bytes.len}, path, LVL_READ_BORROW, NULL), LVL_OK);
    for (int how = 0; how < 6; how++) {
        lvl_starve_from(0, false);
        assert_int_equal(all(doc, path, how, &missing), LVL_OK);
        assert_false(missing);
        const uint64_t calls = lvl_starve_calls();
        const uint64_t step = calls / 30 + 1;
        for (uint64_t call = 1; call <= calls; call += step) {
            for (int on = 0; on < 2; on++) {
                const uint64_t blocks = lvl_starve_blocks();
                lvl_starve_from(call, on);
                const lvl_status status = all(doc, path, how, &missing);
                lvl_starve_from(0, false);
                /* Art that couldn't be opened is missing; everything else is told. */
                assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
                assert_int_equal(lvl_starve_blocks(), blocks);
                refused += status != LVL_OK;
                tried++;
            }
        }
    }
    print_message("%llu runs with failing malloc, %llu refused\n", (unsigned long long)tried,
                  (unsigned long long)refused);
    assert_true(refused > 0 || !lvl_starve_works());
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
}

static void damaged_samples_are_drawn(void **state)
{
    lvl_file_list list = {0};
    char folder[400], path[700];
    size_t drawn = 0;

    (void)state;
    snprintf(folder, sizeof folder, "%s/wwd/damaged", samples);
    if (lvl_folder_list(&list, folder, NULL) != LVL_OK)
        skip();
    for (size_t i = 0; i < list.count; i++) {
        lvl_buffer bytes = {0};
        lvl_doc *doc = NULL;
        bool missing;

        snprintf(path, sizeof path, "%s/%s", folder, list.names[i]);
        if (lvl_file_read(&bytes, path, 0, NULL) == LVL_OK &&
            lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes.data, bytes.len}, path, LVL_READ_BORROW, NULL) ==
                LVL_OK) {
            for (int how = 0; how < 5; how++) {
                const lvl_status status = all(doc, path, how, &missing);
                assert_true(status == LVL_OK || status == LVL_ERR_ARG || status == LVL_ERR_LIMIT);
                drawn += status == LVL_OK;
            }
        }
        lvl_doc_free(doc);
        lvl_buffer_free(&bytes);
    }
    assert_true(drawn > list.count);
    lvl_file_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starving_is_answered),
        cmocka_unit_test(damaged_samples_are_drawn),
    };

    lvl_ctx_init(&ctx);
    samples = getenv("LVL_SAMPLES");
    if (!samples)
        samples = "samples";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
