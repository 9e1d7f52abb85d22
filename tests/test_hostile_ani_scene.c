/*
 * test_hostile_ani_scene.c: animations of WAP32 drawn: how steps choose frames, where the pictures are found,
 * damaged animations, and failing allocations.
 */
#include "starve.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/format.h"

#include <lvl/ani.h>
#include <lvl/render.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* ---- files: folders of pictures whose red is their number ---------------------------------------------- */

static const char *const pictures[] = {
    "game/LEVEL/CRAB/1.png",         "game/LEVEL/CRAB/2.png",
    "game/LEVEL/CRAB/40.png",        "game/IMAGES/WALK/10.png",
    "game/IMAGES/WALK/11.png",       "game/DIVE/21.png",
    "game/LEVEL1/IMAGES/OGRE/5.png", "given/30.png",
};

static lvl_file_kind kind_of(void *user, const char *path)
{
    const size_t len = strlen(path);

    (void)user;
    for (size_t i = 0; i < LVL_COUNT_OF(pictures); i++) {
        if (strcmp(pictures[i], path) == 0)
            return LVL_FILE_REGULAR;
        if (strncmp(pictures[i], path, len) == 0 && pictures[i][len] == '/')
            return LVL_FILE_FOLDER;
    }
    return LVL_FILE_NONE;
}

static lvl_status read_file(void *user, const char *path, lvl_buffer *out)
{
    const char *name = strrchr(path, '/');
    lvl_image image;

    (void)user;
    if (kind_of(NULL, path) != LVL_FILE_REGULAR)
        return LVL_ERR_MISSING;
    lvl_status status = lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 2, 2, false);
    for (size_t i = 0; i < 4 && status == LVL_OK; i++) {
        const uint8_t rgba[4] = {(uint8_t)strtol(name + 1, NULL, 10), 0, 0, 255};
        memcpy(image.pixels + i * 4, rgba, 4);
    }
    if (status == LVL_OK)
        status = lvl_png_write_buffer(&ctx, &image, NULL, out);
    lvl_image_clear(&image);
    return status;
}

static lvl_status list_folder(void *user, const char *path, lvl_buffer *names)
{
    const size_t len = strlen(path);

    (void)user;
    for (size_t i = 0; i < LVL_COUNT_OF(pictures); i++) {
        if (strncmp(pictures[i], path, len) != 0 || pictures[i][len] != '/')
            continue;
        const char *name = pictures[i] + len + 1;
        const size_t n = strcspn(name, "/");
        if (!i || strncmp(pictures[i - 1], pictures[i], len + 1 + n) != 0)
            lvl_buffer_add(names, name, n), lvl_buffer_u8(names, 0);
    }
    return names->status;
}

static const lvl_files files = {.kind = kind_of, .read = read_file, .list = list_folder};

/* ---- animations ---------------------------------------------------------------------------------------- */

typedef struct step {
    int16_t mode, param, ms, loop;
} step;

static void make(lvl_buffer *out, const char *name, const step *steps, uint32_t count)
{
    uint8_t head[32] = {0};

    lvl_store_u32le(head, 32);
    lvl_store_u32le(head + 12, count);
    lvl_store_u32le(head + 16, (uint32_t)strlen(name));
    lvl_buffer_add(out, head, sizeof head);
    lvl_buffer_add(out, name, strlen(name));
    for (uint32_t i = 0; i < count; i++) {
        uint8_t p[20] = {0};
        lvl_store_u16le(p + 2, (uint16_t)steps[i].mode);
        lvl_store_u16le(p + 4, (uint16_t)steps[i].loop);
        lvl_store_u16le(p + 8, (uint16_t)steps[i].param);
        lvl_store_u16le(p + 10, (uint16_t)steps[i].ms);
        lvl_buffer_add(out, p, sizeof p);
    }
}

static lvl_status read_ani(lvl_doc **doc, lvl_bytes bytes)
{
    return lvl_read(doc, &ctx, lvl_format_find("ani"), bytes, NULL, 0, NULL);
}

/* What a frame shows: the number of its picture, 0: none. */
static lvl_status shown(const lvl_doc *doc, const lvl_scene_request *request, unsigned *number)
{
    lvl_render_options options;
    lvl_scene *scene;
    lvl_image image;

    *number = 0;
    lvl_status status = lvl_doc_scene(doc, request, &scene);
    if (status != LVL_OK)
        return status;
    lvl_render_options_init(&options);
    options.transparent = true;
    const lvl_image *drawn = scene->thing_count ? scene->things[0].image : NULL;
    if (drawn)
        status = lvl_render_image(scene, &options, &image);
    if (drawn && status == LVL_OK) {
        *number = image.pixels[0];
        lvl_image_clear(&image);
    }
    lvl_scene_free(scene);
    return status;
}

static lvl_art *make_art(const char *path, const char *given)
{
    lvl_art *art = lvl_art_new(&ctx);

    assert_non_null(art);
    lvl_art_set_files(art, &files);
    if (given)
        assert_int_equal(lvl_art_add(art, given), LVL_OK);
    assert_int_equal(lvl_art_level(art, path), LVL_OK);
    return art;
}

typedef struct trial {
    const char *path, *given, *name, *images;
    step steps[4];
    uint32_t step_count;
    const char *expected; /* "10 11 !": these pictures, and it does not loop */
} trial;

static void run(const trial *t)
{
    const lvl_scene_choice choice = {lvl_text_of("IMAGES"), lvl_text_of(t->images ? t->images : "")};
    lvl_buffer file = {0}, got = {0};
    lvl_animation *play;
    lvl_doc *doc;

    make(&file, t->name, t->steps, t->step_count);
    assert_int_equal(read_ani(&doc, lvl_buffer_bytes(&file)), LVL_OK);
    lvl_art *art = make_art(t->path, t->given);
    lvl_scene_request request = {.art = art, .choices = &choice, .choice_count = t->images != NULL};
    assert_int_equal(lvl_doc_play(doc, &request, &play), LVL_OK);
    for (uint32_t i = 0; i < play->frames; i++) {
        unsigned number;
        request.frame = i;
        request.play = i % 2 ? play : NULL; /* the same with and without */
        assert_int_equal(shown(doc, &request, &number), LVL_OK);
        lvl_buffer_printf(&got, "%s%u", i ? " " : "", number);
        assert_int_equal(play->durations[i],
                         t->steps[i % t->step_count].ms ? t->steps[i % t->step_count].ms : 1);
    }
    if (!play->loops)
        lvl_buffer_printf(&got, " !");
    lvl_buffer_u8(&got, 0);
    assert_string_equal((const char *)got.data, t->expected);
    lvl_animation_free(&ctx, play);
    lvl_art_free(art);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    lvl_buffer_free(&got);
}

static void steps_choose_frames(void **state)
{
    const char *path = "game/LEVEL/CRAB/X.ANI";
    const trial trials[] = {
        {path, NULL, "", NULL, {{3, 2, 50, 0}, {3, 1, 60, 0}}, 2, "2 1"},
        {path, NULL, "", NULL, {{3, 2, 50, 0}, {3, 1, 0, 9}}, 2, "2 1 !"},
        {path, NULL, "", NULL, {{3, 2, 50, 9}, {3, 1, 50, 0}}, 2, "2 !"},
        {path, NULL, "", NULL, {{1, 0, 100, 0}}, 1, "1 2 40"},
        {path, NULL, "", NULL, {{2, 0, 100, 0}}, 1, "40 2 1"},
        {path, NULL, "", NULL, {{4, 0, 9, 0}, {5, 0, 9, 0}, {0, 0, 9, 0}}, 3, "1 40 40"},
        {path, NULL, "", NULL, {{1, 0, 7, 0}, {3, 2, 7, 0}}, 2, "1 2 40 2"},
        {path, NULL, "", NULL, {{0, 0, 7, 0}, {1, 0, 7, 0}}, 2, "1 2 2 40 40 1"},
        {path, NULL, "", NULL, {{3, 7, 7, 0}, {3, 1, 7, 0}}, 2, "0 1"}, /* there is no 7 */
        {path, NULL, "", NULL, {{3, -7, 7, 0}, {3, 1, 7, 0}}, 2, "0 1"},
        {path, NULL, "", NULL, {{77, 0, 7, 0}, {3, 1, 7, 0}}, 2, "1 1"}, /* an unknown mode holds */
        {"game/X.ANI", NULL, "", NULL, {{1, 0, 7, 0}, {2, 0, 7, 0}}, 2, "0 0"}, /* nothing is known */
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(trials); i++)
        run(&trials[i]);
}

static void pictures_are_found(void **state)
{
    const trial trials[] = {
        {"game/ANIS/WALK/X.ANI", NULL, "", NULL, {{1, 0, 7, 0}}, 1, "10 11"},
        {"game/WALK/X.ANI", NULL, "", NULL, {{1, 0, 7, 0}}, 1, "10 11"},
        {"game/DIVE.ANI", NULL, "", NULL, {{1, 0, 7, 0}}, 1, "21"},
        {"game/X.ANI", NULL, "LEVEL1_IMAGES_OGRE", NULL, {{3, 5, 7, 0}}, 1, "5"},
        {"game/X.ANI", NULL, "LEVEL_OGRE", NULL, {{3, 5, 7, 0}}, 1, "5"},
        {"game/X.ANI", NULL, "LEVEL1_IMAGES_OGRE", NULL, {{3, 6, 7, 0}}, 1, "0"},
        {"game/X.ANI", "given", "", NULL, {{1, 0, 7, 0}}, 1, "30"},
        /* a folder that has the frames is preferred */
        {"game/LEVEL/CRAB/X.ANI", "given", "", NULL, {{3, 40, 7, 0}}, 1, "40"},
        {"game/LEVEL/CRAB/X.ANI", NULL, "CUSTOM_WALK", NULL, {{3, 1, 7, 0}, {3, 10, 7, 0}}, 2, "1 0"},
        {"game/X.ANI", NULL, "", "IMAGES/WALK", {{1, 0, 7, 0}}, 1, "10 11"},
        {"game/X.ANI", NULL, "", "CUSTOM_WALK", {{1, 0, 7, 0}}, 1, "10 11"},
        {"game/LEVEL/CRAB/X.ANI", NULL, "", "NOTHING", {{1, 0, 7, 0}}, 1, "0"},
        {"game/LEVEL/CRAB/X.ANI", NULL, "", "../given", {{1, 0, 7, 0}}, 1, "0"},
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(trials); i++)
        run(&trials[i]);
}

static void many_steps_are_refused(void **state)
{
    enum { MOST = 4096 };
    step *steps = calloc(MOST + 1, sizeof *steps);
    lvl_art *art = make_art("game/LEVEL/CRAB/X.ANI", NULL);
    const lvl_scene_request request = {.art = art};

    (void)state;
    assert_non_null(steps);
    for (uint32_t i = 0; i <= MOST; i++)
        steps[i] = (step){.mode = LVL_ANI_NEXT, .ms = 1};
    for (uint32_t more = 0; more < 2; more++) {
        lvl_buffer file = {0};
        lvl_animation *play;
        lvl_scene *scene;
        lvl_doc *doc;
        make(&file, "", steps, MOST + more);
        assert_int_equal(read_ani(&doc, lvl_buffer_bytes(&file)), LVL_OK);
        assert_int_equal(lvl_doc_play(doc, &request, &play), more ? LVL_ERR_LIMIT : LVL_OK);
        assert_int_equal(lvl_doc_scene(doc, &request, &scene), more ? LVL_ERR_LIMIT : LVL_OK);
        if (!more)
            assert_int_equal(play->frames, MOST);
        lvl_scene_free(scene);
        lvl_animation_free(&ctx, play);
        lvl_doc_free(doc);
        lvl_buffer_free(&file);
    }
    lvl_art_free(art);
    free(steps);
}

static void draw_damaged(lvl_art *art, lvl_bytes bytes)
{
    lvl_scene_request request = {.art = art};
    lvl_animation *play;
    lvl_doc *doc;
    unsigned number;

    if (read_ani(&doc, bytes) != LVL_OK)
        return;
    const lvl_status status = lvl_doc_play(doc, &request, &play);
    assert_true(status == LVL_OK || status == LVL_ERR_LIMIT);
    request.frame = play ? play->frames : 0; /* past the end */
    assert_int_equal(shown(doc, &request, &number), status);
    lvl_animation_free(&ctx, play);
    lvl_doc_free(doc);
}

static const step sample[] = {{3, 1, 50, 0}, {1, 0, 60, 0}, {2, 0, 70, 0}, {5, 0, 80, 9}};

static void damage_is_drawn(void **state)
{
    lvl_art *art = make_art("game/LEVEL/CRAB/X.ANI", NULL);
    lvl_buffer file = {0};

    (void)state;
    make(&file, "LEVEL1_IMAGES_OGRE", sample, LVL_COUNT_OF(sample));
    for (size_t len = 0; len <= file.len; len++) {
        uint8_t *exact = malloc(len ? len : 1); /* so that reading beyond it is seen */
        assert_non_null(exact);
        memcpy(exact, file.data, len);
        draw_damaged(art, (lvl_bytes){exact, len});
        free(exact);
    }
    for (size_t bit = 0; bit < file.len * 8; bit++) {
        file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        draw_damaged(art, lvl_buffer_bytes(&file));
        file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    lvl_buffer_free(&file);
    lvl_art_free(art);
}

/* Everything, from the search path to the picture. */
static lvl_status all(lvl_bytes bytes, unsigned *number)
{
    lvl_art *art = lvl_art_new(&ctx);
    lvl_scene_request request = {.art = art, .frame = 1};
    lvl_animation *play = NULL;
    lvl_doc *doc = NULL;
    lvl_status status = LVL_ERR_MEMORY;

    *number = 0;
    if (art) {
        lvl_art_set_files(art, &files);
        status = lvl_art_level(art, "game/LEVEL/CRAB/X.ANI");
    }
    if (status == LVL_OK)
        status = read_ani(&doc, bytes);
    if (status == LVL_OK)
        status = lvl_doc_play(doc, &request, &play);
    request.play = play;
    if (status == LVL_OK)
        status = shown(doc, &request, number);
    lvl_animation_free(&ctx, play);
    lvl_doc_free(doc);
    lvl_art_free(art);
    return status;
}

static void starving_is_answered(void **state)
{
    lvl_buffer file = {0};
    unsigned number, refused = 0;

    (void)state;
    make(&file, "LEVEL1_IMAGES_OGRE", sample, LVL_COUNT_OF(sample));
    lvl_starve_from(0, false);
    assert_int_equal(all(lvl_buffer_bytes(&file), &number), LVL_OK);
    assert_int_equal(number, 2);
    const uint64_t calls = lvl_starve_calls();
    for (uint64_t call = 1; call <= calls; call++) {
        for (int on = 0; on < 2; on++) {
            const uint64_t blocks = lvl_starve_blocks();
            lvl_starve_from(call, on);
            const lvl_status status = all(lvl_buffer_bytes(&file), &number);
            lvl_starve_from(0, false);
            assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
            assert_true(status != LVL_OK || number == 2);
            assert_int_equal(lvl_starve_blocks(), blocks);
            refused += status != LVL_OK;
        }
    }
    assert_true(!lvl_starve_works() || refused > 10);
    lvl_buffer_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_choose_frames),    cmocka_unit_test(pictures_are_found),
        cmocka_unit_test(many_steps_are_refused), cmocka_unit_test(damage_is_drawn),
        cmocka_unit_test(starving_is_answered),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
