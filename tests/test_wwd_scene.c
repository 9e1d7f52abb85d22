/*
 * test_wwd_scene.c: real levels as scenes: the camera views compared with reference pictures from another
 * program's renderer, and all levels of the corpus, each of which must give a picture.
 *
 * All five references are reproduced pixel for pixel. Two rules were found this way: a picture without a
 * number in its name (SKULL.PID) is frame 0 of its set, and objects of equal z are drawn in file order.
 */
#include "os/file.h"
#include "codec/png.h"
#include "corpus.h"

#include <lvl/render.h>
#include <lvl/wwd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static lvl_art *art;
static char corpus[300];

static lvl_status read_doc(const char *path, lvl_buffer *bytes, lvl_doc **doc)
{
    lvl_status status = lvl_file_read(bytes, path, 0, NULL);

    *doc = NULL;
    return status == LVL_OK
               ? lvl_read(doc, &ctx, NULL, (lvl_bytes){bytes->data, bytes->len}, path, LVL_READ_BORROW, NULL)
               : status;
}

/* The level whose file name, less its ending, begins the reference's name. */
static bool level_of(const char *reference, char *path, size_t size)
{
    const char *at = strrchr(reference, '@');
    lvl_file_list list = {0};
    char folder[400];
    bool found = false;

    snprintf(folder, sizeof folder, "%s/wwd/wwd", corpus);
    assert_int_equal(lvl_folder_list(&list, folder, NULL), LVL_OK);
    for (size_t i = 0; i < list.count && at && !found; i++) {
        const char *dot = strrchr(list.names[i], '.');
        const size_t len = dot ? (size_t)(dot - list.names[i]) : 0;
        found = len == (size_t)(at - reference) && memcmp(list.names[i], reference, len) == 0;
        if (found)
            snprintf(path, size, "%s/%s", folder, list.names[i]);
    }
    lvl_file_list_free(&list);
    return found;
}

static size_t compare(const char *reference_path, const char *level_path, int32_t x, int32_t y)
{
    lvl_buffer bytes = {0}, png = {0};
    lvl_render_options o;
    lvl_image wanted, got;
    lvl_scene *scene;
    lvl_doc *doc;
    size_t differ = 0;

    assert_int_equal(read_doc(level_path, &bytes, &doc), LVL_OK);
    assert_int_equal(lvl_file_read(&png, reference_path, 0, NULL), LVL_OK);
    assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){png.data, png.len}, &wanted), LVL_OK);
    assert_int_equal(lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene), LVL_OK);
    lvl_render_options_init(&o);
    o.view = LVL_VIEW_CAMERA;
    o.camera_given = true;
    o.camera_x = x;
    o.camera_y = y;
    assert_int_equal(lvl_render_image(scene, &o, &got), LVL_OK);
    assert_int_equal(got.width, wanted.width);
    assert_int_equal(got.height, wanted.height);
    for (size_t i = 0; i < (size_t)got.width * got.height; i++) {
        const uint8_t *w = wanted.format == LVL_PIXELS_INDEX8 ? wanted.palette->rgb[wanted.pixels[i]]
                                                              : wanted.pixels + i * 4;
        differ += memcmp(got.pixels + i * 4, w, 3) != 0;
    }
    lvl_image_clear(&wanted);
    lvl_image_clear(&got);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
    lvl_buffer_free(&png);
    return differ;
}

static void camera_views_are_those_of_the_references(void **state)
{
    lvl_file_list list = {0};
    char folder[400], path[700], level[700];
    size_t compared = 0;

    (void)state;
    snprintf(folder, sizeof folder, "%s/wwd/reference", corpus);
    assert_int_equal(lvl_folder_list(&list, folder, NULL), LVL_OK);
    for (size_t i = 0; i < list.count; i++) {
        const char *at = strrchr(list.names[i], '@');
        int32_t x, y;
        char *comma;
        if (!at || !level_of(list.names[i], level, sizeof level))
            continue;
        x = (int32_t)strtol(at + 1, &comma, 10);
        y = (int32_t)strtol(comma + 1, NULL, 10);
        snprintf(path, sizeof path, "%s/%s", folder, list.names[i]);
        const size_t differ = compare(path, level, x, y);
        if (differ)
            print_message("%s: %zu pixels differ\n", list.names[i], differ);
        assert_int_equal(differ, 0);
        compared++;
    }
    print_message("%zu reference pictures compared\n", compared);
    assert_int_equal(compared, 5);
    lvl_file_list_free(&list);
}

static void every_level_gives_a_picture(void **state)
{
    lvl_file_list list = {0};
    char folder[400], path[700];
    size_t with_art = 0, drawn = 0;

    (void)state;
    snprintf(folder, sizeof folder, "%s/wwd/wwd", corpus);
    assert_int_equal(lvl_folder_list(&list, folder, NULL), LVL_OK);
    /* Every fourth is enough here; what differs from level to level is in the reader. */
    for (size_t i = 0; i < list.count; i += 4) {
        lvl_buffer bytes = {0};
        lvl_render_options o;
        lvl_scene *scene;
        lvl_image image;
        lvl_doc *doc;

        snprintf(path, sizeof path, "%s/%s", folder, list.names[i]);
        assert_int_equal(read_doc(path, &bytes, &doc), LVL_OK);
        assert_int_equal(lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene), LVL_OK);
        lvl_render_options_init(&o);
        o.view = LVL_VIEW_CAMERA;
        o.overlays = i % 8 ? 31 : 0;
        assert_int_equal(lvl_render_image(scene, &o, &image), LVL_OK);
        lvl_image_clear(&image);
        with_art += scene->has_art;
        drawn++;
        lvl_scene_free(scene);
        lvl_doc_free(doc);
        lvl_buffer_free(&bytes);
    }
    print_message("%zu levels drawn, %zu of them with art\n", drawn, with_art);
    assert_true(with_art > 0 && with_art < drawn);
    lvl_file_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camera_views_are_those_of_the_references),
        cmocka_unit_test(every_level_gives_a_picture),
    };
    const char *root = lvl_corpus_dir();
    char assets[400];

    if (!root)
        return 77;
    snprintf(corpus, sizeof corpus, "%s", root);
    snprintf(assets, sizeof assets, "%s/wwd/assets", corpus);
    lvl_ctx_init(&ctx);
    art = lvl_art_new(&ctx);
    if (!art || lvl_art_add(art, assets) != LVL_OK) {
        printf("no corpus at %s: 2 tests skipped\n", corpus);
        lvl_art_free(art);
        return 77;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    lvl_art_free(art);
    return failed;
}
