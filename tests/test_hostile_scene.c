/*
 * test_hostile_scene.c: searching art, making a scene and drawing it in each way while each allocation fails
 * in turn: no crash, no leak, and a correct status. Also pictures of every damaged sample.
 */
#include "os/file.h"
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

/* Ways to draw. Those from LARGE on are thumbnails of the level with so much empty room around it that it is
 * drawn at a part of its size (render/reduce.c). */
enum { WHOLE, THUMBNAIL, OVERLAYS, SCHEMATIC, ENLARGED, DIFFERENCE, LARGE, HUGE, LARGE_SCHEMATIC, WAYS };

static uint64_t hash_of(const lvl_image *image)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < (size_t)image->width * image->height * 4; i++)
        hash = (hash ^ image->pixels[i]) * 1099511628211u;
    return hash;
}

static lvl_status draw_large(lvl_scene *scene, int how, uint64_t *pixels)
{
    const int32_t side = how == HUGE ? 1 << 14 : 1 << 12;
    lvl_render_options o;
    lvl_image image;

    lvl_render_options_init(&o);
    o.size = 64;
    o.schematic = how == LARGE_SCHEMATIC;
    scene->has_bounds = true;
    scene->bounds = (lvl_rect){0, 0, side - 1, side - 1};
    const lvl_status status = lvl_render_image(scene, &o, &image);
    if (status == LVL_OK) {
        *pixels = hash_of(&image);
        lvl_image_clear(&image);
    }
    return status;
}

/* Everything from the search path to the PNG. *pixels: from LARGE on, a hash of them. */
static lvl_status all(const lvl_doc *doc, const char *path, int how, bool *missing, uint64_t *pixels)
{
    lvl_writer writer = {count};
    lvl_render_options o;
    lvl_scene *scene = NULL;
    lvl_art *art = lvl_art_new(&ctx);
    lvl_status status = art ? lvl_art_level(art, path) : LVL_ERR_MEMORY;

    lvl_render_options_init(&o);
    o.size = how == THUMBNAIL ? 64 : 0;
    o.overlays = how == OVERLAYS ? 31 : 0;
    o.schematic = how == SCHEMATIC;
    o.scale_up = how == ENLARGED ? 2 : 0;
    o.region_given = true;
    o.region = (lvl_rect){0, 0, 255, 255};
    if (status == LVL_OK)
        status = lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene);
    if (status == LVL_OK)
        *missing = !scene->has_art;
    if (status == LVL_OK)
        status = how >= LARGE        ? draw_large(scene, how, pixels)
                 : how == DIFFERENCE ? lvl_render_diff(scene, scene, NULL, 0, NULL, &writer)
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
    uint64_t tried = 0, refused = 0, expected = 0, pixels = 0;
    bool missing = true;

    (void)state;
    snprintf(path, sizeof path, "%s/wwd/garden/keepers-garden.wwd", samples);
    if (lvl_file_read(&bytes, path, 0, NULL) != LVL_OK)
        skip();
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes.data, bytes.len}, path, LVL_READ_BORROW, NULL), LVL_OK);
    for (int how = 0; how < WAYS; how++) {
        lvl_starve_from(0, false);
        assert_int_equal(all(doc, path, how, &missing, &expected), LVL_OK);
        assert_false(missing);
        const uint64_t calls = lvl_starve_calls();
        const uint64_t step = calls / 30 + 1;
        for (uint64_t call = 1; call <= calls; call += step) {
            for (int on = 0; on < 2; on++) {
                const uint64_t blocks = lvl_starve_blocks();
                lvl_starve_from(call, on);
                const lvl_status status = all(doc, path, how, &missing, &pixels);
                lvl_starve_from(0, false);
                /* Art that could not be opened is missing; every other failure is reported. */
                assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
                assert_int_equal(lvl_starve_blocks(), blocks);
                if (how >= LARGE && status == LVL_OK && !missing)
                    assert_int_equal(pixels, expected);
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
        uint64_t pixels;
        bool missing;

        snprintf(path, sizeof path, "%s/%s", folder, list.names[i]);
        if (lvl_file_read(&bytes, path, 0, NULL) == LVL_OK &&
            lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes.data, bytes.len}, path, LVL_READ_BORROW, NULL) ==
                LVL_OK) {
            for (int how = 0; how < WAYS; how++) {
                if (how == DIFFERENCE)
                    continue;
                const lvl_status status = all(doc, path, how, &missing, &pixels);
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
