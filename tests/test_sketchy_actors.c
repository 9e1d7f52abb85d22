/*
 * test_sketchy_actors.c: the actors of Sketchy Maze levels in pictures: their order, transparency, what the
 * game's screenshots leave out, and the marks of actors without a doodad. All art is made here.
 */
#include "base/format.h"
#include "sketchy_draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = LVL_DRAW_SIZE };

static const lvl_art *art;

static void actors_lie_in_the_order_of_their_ids(void **state)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_image image;
    uint32_t missing;

    (void)state;
    lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    lvl_draw_chunk(doc, 0, 1, 3, 3, LVL_SKETCHY_NONE);
    d->files = lvl_draw_take(doc, 2, sizeof *d->files);
    d->file_count = 2;
    lvl_draw_embed(doc, 0, "assets/doodads/red.doodad", lvl_draw_doodad("#ff0000"));
    lvl_draw_embed(doc, 1, "assets/doodads/blue.doodad", lvl_draw_doodad("#0000ff"));
    d->actors = lvl_draw_take(doc, 4, sizeof *d->actors);
    d->actor_count = 4;
    d->actors[0] =
        (lvl_sketchy_actor){.id = lvl_text_of("b"), .filename = lvl_text_of("red.doodad"), .point = {4, 4}};
    d->actors[1] =
        (lvl_sketchy_actor){.id = lvl_text_of("a"), .filename = lvl_text_of("blue.doodad"), .point = {2, 2}};
    d->actors[2] = (lvl_sketchy_actor){
        .id = lvl_text_of("ab"), .filename = lvl_text_of("blue.doodad"), .point = {-2, 8}};
    d->actors[3] =
        (lvl_sketchy_actor){.id = lvl_text_of("c"), .filename = lvl_text_of("none.doodad"), .point = {2, 2}};
    lvl_draw_picture(doc, &(lvl_draw_how){0}, &image, &missing);
    assert_int_equal(missing, 1);
    assert_int_equal(lvl_draw_at(&image, 2, 2), 0x0000FF);
    assert_int_equal(lvl_draw_at(&image, 5, 5), 0xFF0000); /* both are there */
    assert_int_equal(lvl_draw_at(&image, 1, 9), 0x0000FF);
    assert_int_equal(lvl_draw_at(&image, 2, 9), 0xFFFFFF);
    lvl_image_clear(&image);
    /* the other way round */
    d->actors[0].id = lvl_text_of("A");
    lvl_draw_picture(doc, &(lvl_draw_how){0}, &image, &missing);
    assert_int_equal(lvl_draw_at(&image, 5, 5), 0x0000FF);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

/* A level of 16 by 16 px with that doodad at 2, 1. */
static lvl_doc *level_with(lvl_doc *doodad)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
    lvl_sketchy *d = lvl_doc_root(doc);

    d->files = lvl_draw_take(doc, 1, sizeof *d->files);
    d->file_count = 1;
    lvl_draw_embed(doc, 0, "assets/doodads/it.doodad", doodad);
    lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    lvl_draw_chunk(doc, 0, 1, 3, 3, LVL_SKETCHY_NONE);
    d->actors = lvl_draw_take(doc, 1, sizeof *d->actors);
    d->actor_count = 1;
    lvl_draw_actor(doc, 0, "a", "it.doodad", 2, 1);
    return doc;
}

static const lvl_draw_how whole = {0}, shot = {.width = 16, .height = 16};

/* One of several chunks is whole, as the game shows it while one plays, but for what is beyond its size, and
 * cut to its first chunk in what the camera shows, as in the game's screenshots. The same scene is drawn
 * either way in turn. */
static void large_doodads(void **state)
{
    lvl_doc *doodad = lvl_draw_new(LVL_SKETCHY_DOODAD, 3);
    lvl_image image;

    (void)state;
    lvl_draw_swatch(doodad, "#ff0000", "");
    lvl_draw_swatch(doodad, "#0000ff", "");
    lvl_draw_chunk(doodad, 0, 0, 0, 0, 0);
    lvl_draw_chunk(doodad, 0, 1, 1, 1, 1);
    lvl_draw_chunk(doodad, 0, 2, -1, 0, 1); /* beyond its canvas */
    ((lvl_sketchy *)lvl_doc_root(doodad))->size = (lvl_sketchy_rect){0, 0, 2 * SIZE - 1, 2 * SIZE};
    lvl_doc *doc = level_with(doodad);
    lvl_draw_picture(doc, &whole, &image, NULL);
    assert_int_equal(lvl_draw_at(&image, 2, 1), 0xFF0000);
    assert_int_equal(lvl_draw_at(&image, 2 + SIZE, 1 + SIZE), 0x0000FF);
    assert_int_equal(lvl_draw_at(&image, 2 + SIZE + 2, 1 + SIZE), 0x0000FF);
    assert_int_equal(lvl_draw_at(&image, 2 + SIZE + 3, 1 + SIZE), 0xFFFFFF);
    assert_int_equal(lvl_draw_at(&image, 2 + SIZE, 1 + SIZE + 3), 0x0000FF);
    assert_int_equal(lvl_draw_at(&image, 2 + SIZE, 1), 0xFFFFFF);
    assert_int_equal(lvl_draw_at(&image, 1, 1), 0xFFFFFF);
    lvl_image_clear(&image);
    lvl_draw_picture(doc, &shot, &image, NULL);
    assert_int_equal(lvl_draw_at(&image, 2, 1), 0xFF0000);
    assert_int_equal(lvl_draw_at(&image, 1 + SIZE, SIZE), 0xFF0000);
    assert_int_equal(lvl_draw_at(&image, 2 + SIZE, 1 + SIZE), 0xFFFFFF);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
    /* a small one is whole even beyond its size, there too */
    doodad = lvl_draw_doodad("#ff0000");
    ((lvl_sketchy *)lvl_doc_root(doodad))->size = (lvl_sketchy_rect){0, 0, 1, 1};
    doc = level_with(doodad);
    for (int k = 0; k < 2; k++) {
        lvl_draw_picture(doc, k ? &shot : &whole, &image, NULL);
        assert_int_equal(lvl_draw_at(&image, 1 + SIZE, SIZE), 0xFF0000);
        lvl_image_clear(&image);
    }
    lvl_doc_free(doc);
}

/* The game's screenshots leave a doodad out whose first chunk isn't there. */
static void doodads_without_a_first_chunk(void **state)
{
    lvl_doc *doodad = lvl_draw_new(LVL_SKETCHY_DOODAD, 1);
    const lvl_scene_request request = {.art = NULL};
    lvl_render_options options;
    lvl_image image;
    lvl_scene *scene;

    (void)state;
    lvl_draw_swatch(doodad, "#ff0000", "");
    lvl_draw_chunk(doodad, 0, 0, 1, 0, 0);
    lvl_doc *doc = level_with(doodad);
    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    lvl_render_options_init(&options);
    options.view_width = options.view_height = 16;
    options.camera_given = true;
    options.camera_x = options.camera_y = 8;
    for (int k = 0; k < 4; k++) { /* the same scene, again and again */
        options.view = k & 1 ? LVL_VIEW_CAMERA : LVL_VIEW_WHOLE;
        assert_int_equal(lvl_render_image(scene, &options, &image), LVL_OK);
        assert_int_equal(lvl_draw_at(&image, 2 + SIZE, 1), k & 1 ? 0xFFFFFF : 0xFF0000);
        lvl_image_clear(&image);
    }
    lvl_scene_free(scene);
    lvl_doc_free(doc);
}

/* Transparent colours of doodads are blended as Go does, one by one, as premultiplied colours although
 * they are not. */
static void doodads_seen_through(void **state)
{
    static const struct {
        const char *color, *pattern;
        uint32_t rgb; /* over 0xC86432 */
    } cases[] = {
        {"#40000080", "", 0xA43118},          {"#00000001", "", 0xC76331},
        {"#ff8040", "bars.png", 0xC86331}, /* a hole, which is red 1 of alpha 1 */
        {"#10101000", "", 0xD87442}, /* light */
        {"#40000080", "noise.png", 0x0C0000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_doc *doodad = lvl_draw_new(LVL_SKETCHY_DOODAD, 1);
        lvl_image image;
        lvl_draw_swatch(doodad, cases[i].color, cases[i].pattern);
        lvl_draw_chunk(doodad, 0, 0, 0, 0, 0);
        lvl_doc *doc = level_with(doodad);
        lvl_draw_swatch(doc, "#c86432", "");
        for (size_t k = 0; k < 2; k++)
            lvl_draw_chunk(doc, 0, (uint32_t)k, (int32_t)k, 0, 0);
        lvl_draw_picture(doc, &(lvl_draw_how){.art = art}, &image, NULL);
        if (lvl_draw_at(&image, 2, 1) != cases[i].rgb) /* the doodad's own 0, 0 */
            fail_msg("%s %s: %06x", cases[i].color, cases[i].pattern, lvl_draw_at(&image, 2, 1));
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* By itself a doodad is what makes the same of white paper as in a level. */
static void doodads_by_themselves(void **state)
{
    static const struct {
        const char *color;
        uint8_t rgba[4];
    } cases[] = {{"#40000080", {127, 0, 0, 128}},
                 {"#804020", {128, 64, 32, 255}},
                 {"#ffffff80", {255, 255, 255, 128}},
                 {"#10101000", {0, 0, 0, 0}}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_doc *doodad = lvl_draw_doodad(cases[i].color);
        lvl_image image;
        lvl_draw_picture(doodad, &whole, &image, NULL);
        assert_memory_equal(image.pixels, cases[i].rgba, 4);
        lvl_image_clear(&image);
        lvl_doc_free(doodad);
    }
}

/* Without any art there are marks and names where actors are; with some of it nothing is where the game would
 * draw nothing. */
static void marks_for_who_is_missing(void **state)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_image image;
    uint32_t missing;

    (void)state;
    lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    lvl_draw_chunk(doc, 0, 1, 24, 24, LVL_SKETCHY_NONE);
    d->actors = lvl_draw_take(doc, 2, sizeof *d->actors);
    d->actor_count = 2;
    lvl_draw_actor(doc, 0, "a", "key-blue.doodad", 20, 20);
    lvl_draw_actor(doc, 1, "b", "of-mine.doodad", 60, 20);
    for (int k = 0; k < 3; k++) {
        if (k == 2) { /* one of them is there, and so would be the other */
            d->files = lvl_draw_take(doc, 1, sizeof *d->files);
            d->file_count = 1;
            lvl_draw_embed(doc, 0, "assets/doodads/of-mine.doodad", lvl_draw_doodad("#ff0000"));
        }
        lvl_draw_picture(doc, &(lvl_draw_how){.art = k == 1 ? art : NULL}, &image, &missing);
        assert_int_equal(missing, k == 2 ? 1 : 2);
        assert_int_equal(lvl_draw_at(&image, 36, 36) != lvl_draw_at(&image, 3, 3), k == 0);
        assert_int_equal(lvl_draw_at(&image, 76, 36) != lvl_draw_at(&image, 3, 3), k == 0);
        if (k == 0)
            assert_int_not_equal(lvl_draw_at(&image, 36, 36), lvl_draw_at(&image, 76, 36)); /* a key is one */
        lvl_image_clear(&image);
    }
    lvl_doc_free(doc);
}

/* Arrows go from the middle of what is drawn to the other's. */
static void links_join_middles(void **state)
{
    lvl_doc *doodad = lvl_draw_doodad("#ff0000");
    const lvl_scene_request request = {.art = NULL};
    lvl_scene *scene;

    (void)state;
    uint8_t *cells = lvl_draw_chunk(doodad, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    memset(cells + (size_t)2 * SIZE * 2, 0, 4); /* two px in the third row */
    lvl_doc *doc = level_with(doodad);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->actors = lvl_draw_take(doc, 2, sizeof *d->actors);
    d->actor_count = 2;
    lvl_draw_actor(doc, 0, "a", "it.doodad", 2, 1);
    lvl_draw_actor(doc, 1, "b", "gone.doodad", 9, 9);
    for (uint32_t i = 0; i < 2; i++) {
        d->actors[i].links = lvl_draw_take(doc, 1, sizeof *d->actors[i].links);
        d->actors[i].links[0] = d->actors[1 - i].id;
        d->actors[i].link_count = 1;
    }
    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    assert_int_equal(scene->link_count, 1);
    assert_int_equal(scene->links[0].x0, 2 + 1);
    assert_int_equal(scene->links[0].y0, 1 + 2);
    assert_int_equal(scene->links[0].x1, 9 + 16); /* as if it were 32 by 32 */
    assert_int_equal(scene->links[0].y1, 9 + 16);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actors_lie_in_the_order_of_their_ids),
        cmocka_unit_test(large_doodads),
        cmocka_unit_test(doodads_without_a_first_chunk),
        cmocka_unit_test(doodads_seen_through),
        cmocka_unit_test(doodads_by_themselves),
        cmocka_unit_test(marks_for_who_is_missing),
        cmocka_unit_test(links_join_middles),
    };

    const bool fine = lvl_draw_open();
    art = lvl_drawing.art;
    const int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    lvl_draw_close();
    return failed;
}
