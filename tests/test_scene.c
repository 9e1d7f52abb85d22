/*
 * test_scene.c: the drawing order, the places of things, the differences between two scenes, bare scenes.
 */
#include "scene/scene.h"
#include "corpus.h"

#include <lvl/doc.h>
#include <lvl/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static void grid_cells(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const uint32_t *grid = layer->user;

    memcpy(out, grid + (size_t)y * layer->columns + x, count * sizeof *out);
}

static void grid_tile(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    (void)layer;
    memset(out, 0, sizeof *out);
    out->empty = value == 0;
    out->look = value == 1 ? LVL_LOOK_SOLID : LVL_LOOK_CLEAR;
}

static lvl_scene *make(uint32_t layers, uint32_t things)
{
    lvl_scene *scene = lvl_scene_new(&ctx);

    assert_non_null(scene);
    scene->layers = lvl_scene_alloc(scene, layers, sizeof *scene->layers);
    scene->things = lvl_scene_alloc(scene, things, sizeof *scene->things);
    assert_true(scene->layers && scene->things);
    scene->layer_count = layers;
    scene->thing_count = things;
    scene->main_layer = layers;
    for (uint32_t i = 0; i < things; i++)
        scene->things[i].index = i;
    return scene;
}

static void grid_layer(lvl_scene *scene, uint32_t index, const uint32_t *grid, uint32_t columns,
                       uint32_t rows)
{
    scene->layers[index] = (lvl_scene_layer){.columns = columns,
                                             .rows = rows,
                                             .cell_width = 16,
                                             .cell_height = 8,
                                             .move_x = 100,
                                             .move_y = 100,
                                             .main = true,
                                             .user = grid,
                                             .cells = grid_cells,
                                             .tile = grid_tile};
    scene->main_layer = index;
}

/* The steps as text: "L0 T0+2 L1 …". */
static const char *steps_of(const lvl_scene *scene, char *buf, size_t size)
{
    size_t n = 0;

    buf[0] = 0;
    for (uint32_t i = 0; i < scene->step_count; i++) {
        const lvl_scene_step *s = &scene->steps[i];
        n += (size_t)(s->things ? snprintf(buf + n, size - n, "T%u+%u ", s->first, s->count)
                                : snprintf(buf + n, size - n, "L%u ", s->first));
    }
    return buf;
}

static void things_go_between_layers_by_z(void **state)
{
    lvl_scene *scene = make(3, 5);
    static const int32_t z[5] = {9500, 0, -10, 500, 0};
    char buf[100];

    (void)state;
    scene->layers[0].z = -999;
    scene->layers[1].z = 0;
    scene->layers[2].z = 9000;
    scene->main_layer = 1;
    for (int i = 0; i < 5; i++)
        scene->things[i].z = z[i];
    assert_int_equal(lvl_scene_arrange(scene, true), LVL_OK);
    assert_string_equal(steps_of(scene, buf, sizeof buf), "L0 T0+1 L1 T1+3 L2 T4+1 ");
    /* Those of one z keep their order. */
    assert_int_equal(scene->things[1].index, 1);
    assert_int_equal(scene->things[2].index, 4);
    assert_int_equal(scene->things[3].index, 3);
    lvl_scene_free(scene);
}

static void layers_keep_the_files_order(void **state)
{
    lvl_scene *scene = make(3, 3);
    char buf[100];

    (void)state;
    /* Not sorted by z: what the third would hide was drawn with the second. */
    scene->layers[0].z = 100;
    scene->layers[1].z = 50;
    scene->layers[2].z = 20;
    scene->main_layer = 0;
    scene->things[0].z = 10;
    scene->things[1].z = 60;
    scene->things[2].z = 30;
    assert_int_equal(lvl_scene_arrange(scene, true), LVL_OK);
    assert_string_equal(steps_of(scene, buf, sizeof buf), "L0 T0+2 L1 L2 T2+1 ");
    lvl_scene_free(scene);
}

static void without_z_things_follow_the_main_layer(void **state)
{
    lvl_scene *scene = make(3, 4);
    char buf[100];

    (void)state;
    scene->main_layer = 1;
    scene->things[2].z = -50000;
    assert_int_equal(lvl_scene_arrange(scene, false), LVL_OK);
    assert_string_equal(steps_of(scene, buf, sizeof buf), "L0 L1 T0+4 L2 ");
    scene->main_layer = 3;
    assert_int_equal(lvl_scene_arrange(scene, false), LVL_OK);
    assert_string_equal(steps_of(scene, buf, sizeof buf), "L0 L1 L2 T0+4 ");
    lvl_scene_free(scene);
}

static void many_things_are_sorted_stably(void **state)
{
    enum { COUNT = 4099 };
    lvl_scene *scene = make(1, COUNT);
    uint32_t seed = 7;

    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        scene->things[i].z = (int32_t)(seed >> 24) - 128;
    }
    assert_int_equal(lvl_scene_arrange(scene, true), LVL_OK);
    for (uint32_t i = 1; i < COUNT; i++) {
        const lvl_scene_thing *a = &scene->things[i - 1], *b = &scene->things[i];
        assert_true(a->z < b->z || (a->z == b->z && a->index < b->index));
    }
    lvl_scene_free(scene);
}

static void sprites_are_centred_and_offset(void **state)
{
    lvl_image image = {.width = 11, .height = 6, .offset_x = 4, .offset_y = -3};
    lvl_scene_thing thing = {.x = 100, .y = 200, .image = &image};
    lvl_rect r;

    (void)state;
    assert_true(lvl_scene_thing_rect(&thing, &r));
    assert_int_equal(r.left, 100 - 5 + 4);
    assert_int_equal(r.top, 200 - 3 - 3);
    assert_int_equal(r.right, r.left + 10);
    assert_int_equal(r.bottom, r.top + 5);
    thing.flags = LVL_THING_MIRROR;
    assert_true(lvl_scene_thing_rect(&thing, &r));
    assert_int_equal(r.left, 100 - 5 - 4);
    assert_int_equal(r.top, 200 - 3 - 3);
    thing.flags = LVL_THING_FLIP;
    assert_true(lvl_scene_thing_rect(&thing, &r));
    assert_int_equal(r.left, 100 - 5 + 4);
    assert_int_equal(r.top, 200 - 3 + 3);
    /* Numbers of a hostile level stay within 32 bits. */
    thing.x = INT32_MAX;
    image.offset_x = INT32_MIN;
    thing.flags = LVL_THING_MIRROR;
    assert_true(lvl_scene_thing_rect(&thing, &r));
    assert_int_equal(r.left, INT32_MAX);
    thing.image = NULL;
    assert_false(lvl_scene_thing_rect(&thing, &r));
}

static void changes_are_found(void **state)
{
    static const uint32_t before[12] = {1, 1, 0, 0, /* */ 1, 1, 0, 2, /* */ 0, 0, 0, 2};
    static const uint32_t after[12] = {3, 3, 0, 0, /* */ 3, 3, 0, 0, /* */ 0, 5, 0, 0};
    lvl_scene *a = make(1, 3), *b = make(1, 3);
    lvl_scene_change *changes;
    size_t count;

    (void)state;
    grid_layer(a, 0, before, 4, 3);
    grid_layer(b, 0, after, 4, 3);
    a->things[0] = (lvl_scene_thing){.x = 5, .y = 5, .label = lvl_text_of("Rat")};
    a->things[1] =
        (lvl_scene_thing){.x = 9, .y = 9, .label = lvl_text_of("Coin"), .picture = lvl_text_of("GOLD")};
    a->things[2] = (lvl_scene_thing){.x = 50, .y = 9, .label = lvl_text_of("Same")};
    b->things[0] = (lvl_scene_thing){.x = 50, .y = 9, .label = lvl_text_of("Same")};
    b->things[1] = (lvl_scene_thing){.x = 6, .y = 5, .label = lvl_text_of("Rat")};
    b->things[2] =
        (lvl_scene_thing){.x = 9, .y = 9, .label = lvl_text_of("Coin"), .picture = lvl_text_of("SILVER")};
    assert_int_equal(lvl_scene_compare(a, b, &changes, &count), LVL_OK);
    assert_int_equal(count, 6);
    /* The two rows of changed tiles are one rectangle, in px. */
    assert_int_equal(changes[0].kind, LVL_CHANGE_CHANGED);
    assert_memory_equal(&changes[0].rect, (&(lvl_rect){0, 0, 31, 15}), sizeof(lvl_rect));
    assert_int_equal(changes[1].kind, LVL_CHANGE_REMOVED);
    assert_memory_equal(&changes[1].rect, (&(lvl_rect){48, 8, 63, 23}), sizeof(lvl_rect));
    assert_int_equal(changes[2].kind, LVL_CHANGE_ADDED);
    assert_memory_equal(&changes[2].rect, (&(lvl_rect){16, 16, 31, 23}), sizeof(lvl_rect));
    assert_int_equal(changes[3].kind, LVL_CHANGE_CHANGED); /* the coin */
    assert_int_equal(changes[4].kind, LVL_CHANGE_REMOVED); /* the rat moved */
    assert_int_equal(changes[5].kind, LVL_CHANGE_ADDED);
    assert_true(changes[3].thing && !changes[2].thing);
    lvl_scene_changes_free(a, changes);
    assert_int_equal(lvl_scene_compare(a, a, &changes, &count), LVL_OK);
    assert_int_equal(count, 0);
    lvl_scene_changes_free(a, changes);
    lvl_scene_free(a);
    lvl_scene_free(b);
}

static void a_larger_level_is_compared_too(void **state)
{
    static const uint32_t small[4] = {1, 1, 1, 1}, large[9] = {1, 1, 7, 1, 1, 0, 0, 0, 7};
    lvl_scene *a = make(1, 0), *b = make(1, 0);
    lvl_scene_change *changes;
    size_t count;

    (void)state;
    grid_layer(a, 0, small, 2, 2);
    grid_layer(b, 0, large, 3, 3);
    assert_int_equal(lvl_scene_compare(a, b, &changes, &count), LVL_OK);
    assert_int_equal(count, 2);
    assert_int_equal(changes[0].kind, LVL_CHANGE_ADDED);
    lvl_scene_changes_free(a, changes);
    assert_int_equal(lvl_scene_compare(b, a, &changes, &count), LVL_OK);
    assert_int_equal(count, 2);
    assert_int_equal(changes[0].kind, LVL_CHANGE_REMOVED);
    lvl_scene_changes_free(a, changes);
    lvl_scene_free(a);
    lvl_scene_free(b);
}

/* A sprite whose part of the sheet, or whose effect, is another one looks otherwise, in the same place. */
static void another_part_of_a_picture_is_a_change(void **state)
{
    static const lvl_scene_effect red = {{1, 0, 0, 1}, 1, 1, 0, LVL_BLEND_ALPHA},
                                  turned = {{1, 0, 0, 1}, 1, 1, 0.5, LVL_BLEND_ALPHA};
    lvl_scene_change *changes;
    size_t count;

    (void)state;
    for (int how = 0; how < 4; how++) {
        lvl_scene *a = make(0, 1), *b = make(0, 1);
        a->things[0].has_part = b->things[0].has_part = how != 1;
        a->things[0].part = b->things[0].part = (lvl_rect){0, 0, 15, 15};
        a->things[0].effect = b->things[0].effect = &red;
        if (how == 1)
            b->things[0].has_part = true;
        else if (how == 2)
            b->things[0].part.left = 8;
        else if (how == 3)
            b->things[0].effect = &turned;
        assert_int_equal(lvl_scene_compare(a, b, &changes, &count), LVL_OK);
        assert_int_equal(count, how != 0);
        if (count)
            assert_int_equal(changes[0].kind, LVL_CHANGE_CHANGED);
        lvl_scene_changes_free(a, changes);
        lvl_scene_free(a);
        lvl_scene_free(b);
    }
}

/* A bare scene has the numbers of the whole one. */
static void bare_scenes_of_all_samples(void **state)
{
    lvl_paths paths = {0};
    size_t seen = 0;

    (void)state;
    assert_true(
        lvl_paths_below(&paths, lvl_samples_dir(), "wwd graal zelda nw gani gmap level doodad levelpack"));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        lvl_scene *whole = NULL, *bare = NULL;
        lvl_doc *doc = NULL;
        assert_non_null(data);
        if (lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, paths.items[i], LVL_READ_BORROW, NULL) ==
            LVL_OK) {
            const lvl_status status = lvl_doc_scene(doc, NULL, &whole);
            assert_int_equal(lvl_doc_scene(doc, &(lvl_scene_request){.bare = true}, &bare), status);
            if (status == LVL_OK) {
                assert_int_equal(bare->thing_count, whole->thing_count);
                assert_int_equal(bare->layer_count, whole->layer_count);
                assert_int_equal(bare->main_layer, whole->main_layer);
                assert_int_equal(bare->has_bounds, whole->has_bounds);
                assert_memory_equal(&bare->bounds, &whole->bounds, sizeof bare->bounds);
                assert_int_equal(bare->start_x, whole->start_x);
                assert_int_equal(bare->start_y, whole->start_y);
                for (uint32_t l = 0; l < bare->layer_count; l++) {
                    assert_int_equal(bare->layers[l].columns, whole->layers[l].columns);
                    assert_int_equal(bare->layers[l].rows, whole->layers[l].rows);
                }
                seen++;
            }
        }
        lvl_scene_free(whole);
        lvl_scene_free(bare);
        lvl_doc_free(doc);
        free(data);
    }
    assert_true(seen > 20);
    lvl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_part_of_a_picture_is_a_change),
        cmocka_unit_test(things_go_between_layers_by_z),
        cmocka_unit_test(layers_keep_the_files_order),
        cmocka_unit_test(without_z_things_follow_the_main_layer),
        cmocka_unit_test(many_things_are_sorted_stably),
        cmocka_unit_test(sprites_are_centred_and_offset),
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(a_larger_level_is_compared_too),
        cmocka_unit_test(bare_scenes_of_all_samples),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
