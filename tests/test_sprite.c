/*
 * test_sprite.c: scenes without layers: things by their corner, parts of pictures, effects, texts, boxes; and
 * extreme numbers.
 */
#include "scene/scene.h"

#include <lvl/render.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static lvl_image sheet; /* 4 x 3, each pixel in a different colour: red 10 * x + 100, green 20 * y, blue 50 */

static lvl_scene_effect plain(void)
{
    return lvl_scene_effect_sane(NULL);
}

/* A scene of one thing, in bounds of 16 x 12 from -4, -2. */
static lvl_image draw(const lvl_scene_thing *things, uint32_t count, const lvl_render_options *options)
{
    lvl_scene *scene = lvl_scene_new(&ctx);
    lvl_render_options o;
    lvl_image image;

    assert_non_null(scene);
    scene->things = lvl_scene_alloc(scene, count, sizeof *things);
    memcpy(scene->things, things, count * sizeof *things);
    scene->thing_count = count;
    scene->has_bounds = true;
    scene->bounds = (lvl_rect){-4, -2, 11, 9};
    scene->has_art = true;
    assert_int_equal(lvl_scene_arrange(scene, true), LVL_OK);
    lvl_render_options_init(&o);
    o.transparent = true;
    assert_int_equal(lvl_render_image(scene, options ? options : &o, &image), LVL_OK);
    if (!options) {
        assert_int_equal(image.width, 16);
        assert_int_equal(image.height, 12);
    }
    lvl_scene_free(scene);
    return image;
}

static const uint8_t *at(const lvl_image *image, int x, int y)
{
    return image->pixels + ((size_t)(y + 2) * image->width + (size_t)(x + 4)) * 4;
}

static void assert_pixel(const lvl_image *image, int x, int y, int r, int g, int b, int a)
{
    const uint8_t *p = at(image, x, y);

    if (p[3] != a || (a && (p[0] != r || p[1] != g || p[2] != b)))
        fail_msg("at %d, %d: %d %d %d %d, not %d %d %d %d", x, y, p[0], p[1], p[2], p[3], r, g, b, a);
}

/* That of the sheet, or nothing. */
static void assert_sheet(const lvl_image *image, int x, int y, int u, int v)
{
    const bool in = u >= 0 && u < 4 && v >= 0 && v < 3;

    assert_pixel(image, x, y, 100 + 10 * u, 20 * v, 50, in ? 255 : 0);
}

static lvl_scene_thing thing_at(int x, int y)
{
    return (lvl_scene_thing){
        .kind = LVL_THING_SCENERY, .flags = LVL_THING_CORNER, .x = x, .y = y, .image = &sheet};
}

static void bounds_and_corners(void **state)
{
    const lvl_scene_thing things[] = {thing_at(-4, -2), thing_at(8, 7)};
    lvl_image image = draw(things, 2, NULL);

    (void)state;
    assert_sheet(&image, -4, -2, 0, 0);
    assert_sheet(&image, -1, 0, 3, 2);
    assert_sheet(&image, 0, 0, -1, 0);
    assert_sheet(&image, 11, 9, 3, 2);
    lvl_image_clear(&image);
}

static void parts(void **state)
{
    lvl_scene_thing t = thing_at(0, 0);

    (void)state;
    t.has_part = true;
    t.part = (lvl_rect){1, 1, 2, 2};
    lvl_image image = draw(&t, 1, NULL);
    for (int y = -1; y < 4; y++) {
        for (int x = -1; x < 4; x++)
            assert_sheet(&image, x, y, x >= 0 && x < 2 ? x + 1 : -1, y >= 0 && y < 2 ? y + 1 : -1);
    }
    lvl_image_clear(&image);
    /* Beyond the sheet there is nothing, also where left is right. */
    t.part = (lvl_rect){-1, 2, 5, 4};
    for (int turn = 0; turn < 4; turn++) {
        t.flags = LVL_THING_CORNER | (turn & 1 ? LVL_THING_MIRROR : 0u) | (turn & 2 ? LVL_THING_FLIP : 0u);
        image = draw(&t, 1, NULL);
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 7; x++)
                assert_sheet(&image, x, y, -1 + (turn & 1 ? 6 - x : x), 2 + (turn & 2 ? 2 - y : y));
        }
        lvl_image_clear(&image);
    }
    t.part = (lvl_rect){40, 40, 41, 41};
    image = draw(&t, 1, NULL);
    assert_sheet(&image, 0, 0, -1, 0);
    lvl_image_clear(&image);
}

static void an_effect_that_does_nothing(void **state)
{
    const lvl_scene_effect effect = plain();
    lvl_scene_thing t = thing_at(0, 0);

    (void)state;
    for (int turn = 0; turn < 8; turn++) {
        t.has_part = turn >= 4;
        t.part = (lvl_rect){-1, 1, 4, 2};
        t.flags = LVL_THING_CORNER | (turn & 1 ? LVL_THING_MIRROR : 0u) | (turn & 2 ? LVL_THING_FLIP : 0u);
        t.effect = NULL;
        lvl_image without = draw(&t, 1, NULL);
        t.effect = &effect;
        lvl_image with = draw(&t, 1, NULL);
        assert_memory_equal(with.pixels, without.pixels, (size_t)16 * 12 * 4);
        lvl_image_clear(&with);
        lvl_image_clear(&without);
    }
}

static void scaled_about_the_centre(void **state)
{
    lvl_scene_effect effect = plain();
    lvl_scene_thing t = thing_at(2, 2);
    lvl_rect rect;

    (void)state;
    effect.scale_x = 2;
    effect.scale_y = 3;
    t.effect = &effect;
    assert_true(lvl_scene_thing_rect(&t, &rect));
    assert_int_equal(rect.left, 0); /* 4 wide at 2: about 4, so from 0 to 8 */
    assert_int_equal(rect.right, 7);
    assert_int_equal(rect.top, -1); /* 3 high at 2: about 3.5, so from -1 to 8 */
    assert_int_equal(rect.bottom, 7);
    lvl_image image = draw(&t, 1, NULL);
    for (int y = -2; y < 9; y++) {
        for (int x = -1; x < 9; x++)
            assert_sheet(&image, x, y, x < 0 ? -1 : x / 2, y < -1 ? -1 : (y + 1) / 3);
    }
    lvl_image_clear(&image);
}

static void turned_clockwise(void **state)
{
    lvl_scene_effect effect = plain();
    lvl_scene_thing t = thing_at(2, 2);
    lvl_rect rect;

    (void)state;
    t.has_part = true;
    t.part = (lvl_rect){0, 0, 2, 2};
    t.effect = &effect;
    effect.angle = acos(-1) / 2;
    assert_true(lvl_scene_thing_rect(&t, &rect));
    assert_int_equal(rect.left, 2);
    assert_int_equal(rect.right, 4);
    lvl_image image = draw(&t, 1, NULL);
    /* What was at the top left comes to the top right. */
    for (int v = 0; v < 3; v++) {
        for (int u = 0; u < 3; u++)
            assert_sheet(&image, 2 + 2 - v, 2 + u, u, v);
    }
    lvl_image_clear(&image);
}

static void coloured_and_blended(void **state)
{
    lvl_scene_effect effect = plain();
    lvl_scene_thing things[2] = {thing_at(0, 0), thing_at(0, 0)};

    (void)state;
    things[1].effect = &effect;
    effect.color[0] = 0.5;
    effect.color[1] = 0;
    effect.color[3] = 0.5;
    lvl_image image = draw(&things[1], 1, NULL);
    assert_pixel(&image, 1, 1, 55, 0, 50, 128);
    lvl_image_clear(&image);
    image = draw(things, 2, NULL); /* half of 55, 0, 50 and half of 110, 20, 50 */
    assert_pixel(&image, 1, 1, 83, 10, 50, 255);
    lvl_image_clear(&image);
    effect = plain();
    effect.blend = LVL_BLEND_ADD;
    image = draw(things, 2, NULL);
    assert_pixel(&image, 3, 2, 255, 80, 100, 255);
    lvl_image_clear(&image);
    effect.blend = LVL_BLEND_SUBTRACT;
    effect.color[0] = 0.5;
    image = draw(things, 2, NULL);
    assert_pixel(&image, 2, 1, 60, 0, 0, 255);
    lvl_image_clear(&image);
    effect.color[3] = 0;
    image = draw(&things[1], 1, NULL);
    assert_pixel(&image, 1, 1, 0, 0, 0, 0);
    lvl_image_clear(&image);
}

static void numbers_beyond_sense(void **state)
{
    static const double odd[] = {0, -1, 1e9, -1e9, 1e300, 1e-300, INFINITY, -INFINITY, NAN};
    lvl_scene_thing t = thing_at(0, 0);

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        for (int member = 0; member < 7; member++) {
            lvl_scene_effect effect = plain();
            if (member < 4)
                effect.color[member] = odd[i];
            else
                *(member == 4 ? &effect.scale_x : member == 5 ? &effect.scale_y : &effect.angle) = odd[i];
            t.effect = &effect;
            for (int far = 0; far < 3; far++) {
                t.x = far == 0 ? 0 : far == 1 ? INT32_MAX : INT32_MIN;
                t.has_part = far == 2;
                t.part = (lvl_rect){INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX};
                lvl_image image = draw(&t, 1, NULL);
                lvl_image_clear(&image);
            }
        }
    }
}

static uint32_t seen_of(const lvl_image *image)
{
    uint32_t seen = 0;

    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        seen += image->pixels[i * 4 + 3] != 0;
    return seen;
}

static void boxes_without_pictures(void **state)
{
    lvl_scene_thing t = thing_at(0, 0);
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    o.transparent = true;
    o.schematic = true;
    t.image = NULL;
    t.has_part = true;
    t.part = (lvl_rect){7, 7, 12, 10};
    lvl_image image = draw(&t, 1, &o);
    assert_int_equal(seen_of(&image), 6 * 4);
    assert_int_equal(at(&image, 0, 0)[3], 255);
    assert_int_equal(at(&image, 5, 3)[3], 255);
    assert_true(at(&image, 1, 1)[3] > 0 && at(&image, 1, 1)[3] < 255); /* what is below is seen */
    lvl_image_clear(&image);
    image = draw(&t, 1, NULL); /* with art there is nothing to draw */
    assert_int_equal(seen_of(&image), 0);
    lvl_image_clear(&image);
}

static void texts(void **state)
{
    lvl_scene_thing t = {.flags = LVL_THING_TEXT, .x = 4, .y = 9, .label = lvl_text_of("I")};
    lvl_rect rect;

    (void)state;
    assert_true(lvl_scene_thing_rect(&t, &rect));
    assert_int_equal(rect.bottom, 9);
    lvl_image image = draw(&t, 1, NULL);
    assert_true(seen_of(&image) > 7);
    lvl_image_clear(&image);
    t.label.len = 0;
    image = draw(&t, 1, NULL);
    assert_int_equal(seen_of(&image), 0);
    lvl_image_clear(&image);
}

static void bounds_that_are_too_large(void **state)
{
    lvl_scene *scene = lvl_scene_new(&ctx);
    lvl_render_options o;
    uint32_t w, h;

    (void)state;
    lvl_render_options_init(&o);
    assert_int_equal(lvl_render_size(scene, &o, &w, &h), LVL_ERR_ARG);
    scene->has_bounds = true;
    scene->bounds = (lvl_rect){INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX};
    assert_int_equal(lvl_render_size(scene, &o, &w, &h), LVL_ERR_LIMIT);
    scene->bounds = (lvl_rect){5, 5, 4, 9};
    assert_int_equal(lvl_render_size(scene, &o, &w, &h), LVL_ERR_ARG);
    lvl_scene_free(scene);
}

static int setup(void **state)
{
    (void)state;
    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_image_init(&sheet, &ctx, LVL_PIXELS_RGBA8, 4, 3, false), LVL_OK);
    for (uint32_t i = 0; i < 12; i++) {
        const uint8_t rgba[4] = {(uint8_t)(100 + 10 * (i % 4)), (uint8_t)(20 * (i / 4)), 50, 255};
        memcpy(sheet.pixels + (size_t)i * 4, rgba, 4);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    lvl_image_clear(&sheet);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_and_corners),
        cmocka_unit_test(parts),
        cmocka_unit_test(an_effect_that_does_nothing),
        cmocka_unit_test(scaled_about_the_centre),
        cmocka_unit_test(turned_clockwise),
        cmocka_unit_test(coloured_and_blended),
        cmocka_unit_test(numbers_beyond_sense),
        cmocka_unit_test(boxes_without_pictures),
        cmocka_unit_test(texts),
        cmocka_unit_test(bounds_that_are_too_large),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
