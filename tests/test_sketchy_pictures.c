/*
 * Levels of Sketchy Maze compared with the game's own pictures of them, pixel for pixel: whole levels as the
 * game's renderer drew them, two generated levels with every pattern around 0, 0, and the four sizes of the
 * screenshots in levels (test_sketchy_shots compares the largest with new ones). Needs the corpus, and the
 * game's art in it.
 */
#include "base/format.h"
#include "corpus.h"
#include "codec/png.h"

#include <lvl/render.h>
#include <lvl/sketchy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW 1
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

static lvl_ctx ctx;
static lvl_art *art;
static char folder[700];

/* A file below the corpus' folder; freed by the caller. */
static lvl_bytes slurp(const char *name, uint8_t **data)
{
    lvl_bytes bytes = {NULL, 0};
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    *data = lvl_slurp(path, &bytes.len);
    if (!*data)
        fail_msg("%s isn't there", path);
    bytes.ptr = *data;
    return bytes;
}

/* ---- comparing as rows come -------------------------------------------------------------------------- */

typedef struct compare {
    lvl_rows base;
    const lvl_image *with; /* any format */
    uint32_t channels, width, y;
    uint64_t compared;
    const lvl_palette *palette;
    bool sized;
    uint64_t different;
    uint32_t first_x, first_y;
} compare;

static lvl_status begin(lvl_rows *rows, const lvl_picture *picture)
{
    compare *c = (compare *)rows;

    c->channels = picture->channels;
    c->palette = picture->palette;
    c->width = picture->width;
    c->sized = picture->width == c->with->width && picture->height == c->with->height;
    return c->sized ? LVL_OK : LVL_ERR_ARG;
}

static const uint8_t *rgb_of(const lvl_image *image, uint32_t x, uint32_t y)
{
    const size_t at = (size_t)y * image->width + x;

    return image->format == LVL_PIXELS_RGBA8 ? image->pixels + at * 4
                                             : image->palette->rgb[image->pixels[at]];
}

static lvl_status some(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    compare *c = (compare *)rows;

    for (uint32_t k = 0; k < count; k++, c->y++) {
        for (uint32_t x = 0; x < c->width; x++, pixels += c->channels) {
            const uint8_t *ours = c->channels == 1 ? c->palette->rgb[*pixels] : pixels;
            c->compared++;
            if (!memcmp(ours, rgb_of(c->with, x, c->y), 3))
                continue;
            if (!c->different++) {
                c->first_x = x;
                c->first_y = c->y;
            }
        }
    }
    return LVL_OK;
}

static lvl_status end(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

/* How a picture of a level is to be compared. */
typedef struct way {
    const lvl_rect *region; /* world px of what the picture shows; NULL: all that there is */
    bool lacking; /* the level names doodads that aren't there, nor were when the game drew it */
} way;

/* World px of the scene's left and top. */
static int32_t origin_of(const lvl_sketchy *d, bool y)
{
    int32_t low = 0;

    for (uint32_t i = 0; d->page_type == LVL_SKETCHY_UNBOUNDED && i < d->layers[0].chunk_count; i++) {
        const int32_t at = y ? d->layers[0].chunks[i].y : d->layers[0].chunks[i].x;
        low = at < low ? at : low;
    }
    return low * (int32_t)d->layers[0].size;
}

/* How many px of the level's picture aren't those of the PNG. */
static uint64_t differing(lvl_doc *doc, lvl_bytes png, const way *w, const char *name)
{
    const lvl_scene_request request = {.art = art};
    const int32_t left = origin_of(lvl_doc_croot(doc), false), top = origin_of(lvl_doc_croot(doc), true);
    lvl_render_options options;
    lvl_scene *scene;
    lvl_image image;

    assert_int_equal(lvl_png_read(&ctx, png, &image), LVL_OK);
    compare c = {.base = {begin, some, end}, .with = &image};
    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    lvl_render_options_init(&options);
    if (w->region) {
        options.view = LVL_VIEW_CAMERA;
        options.view_width = (uint32_t)(w->region->right - w->region->left + 1);
        options.view_height = (uint32_t)(w->region->bottom - w->region->top + 1);
        options.camera_given = true;
        options.camera_x = w->region->left - left + (int32_t)options.view_width / 2;
        options.camera_y = w->region->top - top + (int32_t)options.view_height / 2;
    }
    const lvl_status status = lvl_render(scene, &options, &c.base);
    if (!c.sized)
        fail_msg("%s: not of the size of the game's", name);
    assert_int_equal(status, LVL_OK);
    assert_int_equal(c.y, image.height);
    assert_true(c.compared > 50000);
    if (c.different)
        printf("%s: %llu px of %llu differ, the first at %u, %u\n", name, (unsigned long long)c.different,
               (unsigned long long)c.compared, c.first_x, c.first_y);
    assert_true(w->lacking || scene->missing_things == 0);
    assert_int_equal(scene->missing_tiles, 0);
    lvl_scene_free(scene);
    lvl_image_clear(&image);
    return c.different;
}

static lvl_doc *open_level(const char *name, uint8_t **data)
{
    lvl_doc *doc = NULL;
    const lvl_bytes bytes = slurp(name, data);

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, name, LVL_READ_BORROW, NULL), LVL_OK);
    return doc;
}

/* ---- whole levels ------------------------------------------------------------------------------------ */

static void whole_levels(void **state)
{
    static const struct {
        const char *picture, *level;
        bool large;
        uint64_t differ;
    } pairs[] = {
        {"Tutorial1", "level-v3.1-bin/Tutorial_1.c35a985.level", false, 0},
        {"Tutorial2", "level-v3.1-bin/Tutorial_2.c35a985.level", false, 0},
        {"Tutorial3", "made/level-v4/Tutorial_3.c35a985.v4.level", false,
         2}, /* lost when the game saved it */
        {"Tutorial4", "made/level-v4/Tutorial_4.c35a985.v4.level", false, 0},
        {"Tutorial5", "level-v3.1-bin/Tutorial_5.c35a985.level", false, 0},
        {"Zoo", "level-v3.1-bin/Zoo.c35a985.level", false, 0},
        {"AzulianTag-Night", "level-v3.1-bin/AzulianTag-Night.c35a985.level", false, 0},
        {"AzulianTag-Tutorial", "level-v3.1-bin/AzulianTag-Tutorial.c35a985.level", false, 0},
        {"Desert-2of2", "level-v3.1-bin/Desert-2of2.c35a985.level", false, 0},
        {"Thief1", "made/level-v4/Thief_1.c35a985.v4.level", false, 0},
        {"Boat", "made/level-v4/Boat.1eb144d.v4.level", true, 0},
        {"Castle", "made/level-v4/Castle.1eb144d.v4.level", true, 0},
    };
    size_t drawn = 0;

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char name[200];
        uint8_t *level, *png;
        if (SLOW && pairs[i].large)
            continue;
        snprintf(name, sizeof name, "made/renders/%s.giant.png", pairs[i].picture);
        const lvl_bytes picture = slurp(name, &png);
        lvl_doc *doc = open_level(pairs[i].level, &level);
        assert_int_equal(differing(doc, picture, &(way){0}, pairs[i].picture), pairs[i].differ);
        lvl_doc_free(doc);
        free(level);
        free(png);
        drawn++;
    }
    printf("%zu whole levels of %zu as the game draws them\n", drawn, sizeof pairs / sizeof *pairs);
}

/* ---- patterns ---------------------------------------------------------------------------------------- */

/* Every pattern on both sides of 0, one swatch that is seen through, and the paper, which the game lays
 * elsewhere left of and above 0. */
static void patterns(void **state)
{
    static const struct {
        const char *level, *picture;
        int32_t x, y;
    } made[] = {{"made/render-tests/pat0.level", "made/render-tests/pat0.at_-200_-170.png", -200, -170},
                {"made/render-tests/pat1.level", "made/render-tests/pat1.at_13_40.png", 13, 40}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        uint8_t *level, *data;
        const lvl_bytes png = slurp(made[i].picture, &data);
        lvl_doc *doc = open_level(made[i].level, &level);
        const lvl_rect region = {made[i].x, made[i].y, made[i].x + 1279, made[i].y + 719};
        assert_int_equal(differing(doc, png, &(way){.region = &region, .lacking = true}, made[i].level), 0);
        lvl_doc_free(doc);
        free(level);
        free(data);
    }
}

/* ---- four sizes -------------------------------------------------------------------------------------- */

static const char *const sizes[] = {"large", "medium", "small", "tiny"};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* The picture of that size that a level holds; false: none. */
static bool held(const lvl_doc *doc, const char *size, lvl_image *out)
{
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    const lvl_sketchy *d = lvl_doc_croot(doc);
    lvl_buffer storage = {0};
    lvl_bytes png;
    char path[64];

    snprintf(path, sizeof path, "assets/screenshots/%s.png", size);
    for (uint32_t i = 0; i < d->file_count; i++) {
        if (!lvl_text_is(d->files[i].path, path))
            continue;
        assert_int_equal(lvl_doc_bytes(doc, &d->files[i], data, &storage, &png), LVL_OK);
        assert_int_equal(lvl_png_read(&ctx, png, out), LVL_OK);
        lvl_buffer_free(&storage);
        return true;
    }
    return false;
}

static bool same_picture(const lvl_image *a, const lvl_image *b)
{
    if (a->width != b->width || a->height != b->height)
        return false;
    for (uint32_t i = 0; i < a->width * a->height; i++) {
        if (memcmp(rgb_of(a, i % a->width, i / a->width), rgb_of(b, i % a->width, i / a->width), 3) != 0)
            return false;
    }
    return true;
}

static void shot_of(const lvl_doc *doc, lvl_image *out)
{
    const lvl_scene_request request = {.art = art};
    lvl_render_options options;
    lvl_scene *scene;

    lvl_render_options_init(&options);
    options.view = LVL_VIEW_CAMERA;
    options.view_width = 1280;
    options.view_height = 720;
    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    assert_int_equal(lvl_render_image(scene, &options, out), LVL_OK);
    lvl_scene_free(scene);
}

/* All levels that hold pictures of themselves: the smaller ones out of the large one, and all of them out of
 * the level where nothing was changed since. */
static void four_sizes(void **state)
{
    const lvl_format *format = lvl_format_find("sketchy");
    unsigned levels = 0, as_now = 0, same[SIZES] = {0}, from_level[SIZES] = {0};
    lvl_paths paths = {0};

    (void)state;
    if (SLOW)
        skip();
    assert_true(lvl_paths_below(&paths, folder, "level"));
    for (size_t i = 0; i < paths.count; i++) {
        lvl_image old[SIZES] = {0}, now = {0}, large = {0};
        lvl_doc *doc = NULL;
        size_t len = 0;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        bool all =
            data && lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL) == LVL_OK;
        for (size_t k = 0; k < SIZES && all; k++)
            all = held(doc, sizes[k], &old[k]);
        if (all) {
            levels++;
            shot_of(doc, &now);
            const bool identical = same_picture(&now, &old[0]);
            as_now += identical;
            assert_int_equal(format->calls->embed_screenshot(doc, identical ? &now : &old[0], NULL), LVL_OK);
            for (size_t k = 0; k < SIZES; k++) {
                assert_true(held(doc, sizes[k], &large));
                const bool good = same_picture(&large, &old[k]);
                same[k] += good;
                from_level[k] += good && identical;
                if (!good)
                    printf("%s: %s differs\n", lvl_path_name(paths.items[i]), sizes[k]);
                lvl_image_clear(&large);
            }
        }
        for (size_t k = 0; k < SIZES; k++)
            lvl_image_clear(&old[k]);
        lvl_image_clear(&now);
        lvl_doc_free(doc);
        free(data);
    }
    lvl_paths_free(&paths);
    printf("%u levels with four pictures; shrunk as the game does it: medium %u, small %u, tiny %u; drawn "
           "anew with the same large one %u: "
           "medium %u, small %u, tiny %u\n",
           levels, same[1], same[2], same[3], as_now, from_level[1], from_level[2], from_level[3]);
    for (size_t k = 1; k < SIZES; k++)
        assert_int_equal(same[k], levels);
    assert_true(as_now > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_levels),
        cmocka_unit_test(patterns),
        cmocka_unit_test(four_sizes),
    };
    const char *corpus = lvl_corpus_dir();
    char path[1024];

    if (!corpus)
        return 77;
    lvl_ctx_init(&ctx);
    snprintf(folder, sizeof folder, "%s/sketchy", corpus);
    art = lvl_art_new(&ctx);
    if (!art)
        return 1;
    snprintf(path, sizeof path, "%s/assets", folder);
    bool fine = lvl_art_add(art, path) == LVL_OK;
    snprintf(path, sizeof path, "%s/made/doodads-v3.1", folder);
    fine = fine && lvl_art_add(art, path) == LVL_OK;
    if (!fine)
        printf("no art of the game in the corpus\n");
    const int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
    lvl_art_free(art);
    return failed;
}
