/*
 * test_world.c: worlds: a map with the levels beside it as one scene, its checks and repairs, and names that
 * are never opened.
 */
#include "corpus.h"
#include "expect.h"
#include "world_make.h"

#include "os/file.h"
#include "base/format.h"
#include "scene/scene.h"

#include <lvl/gmap.h>
#include <lvl/graal.h>
#include <lvl/render.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static char folder[500];

typedef struct opened {
    lvl_buffer bytes;
    lvl_doc *doc;
    lvl_art *art;
    lvl_scene *scene;
} opened;

static lvl_status open_world(opened *o, const char *name)
{
    char path[600];

    memset(o, 0, sizeof *o);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(lvl_file_read(&o->bytes, path, 0, NULL), LVL_OK);
    assert_int_equal(
        lvl_read(&o->doc, &ctx, NULL, (lvl_bytes){o->bytes.data, o->bytes.len}, name, LVL_READ_BORROW, NULL),
        LVL_OK);
    o->art = lvl_art_new(&ctx);
    assert_non_null(o->art);
    assert_int_equal(lvl_art_level(o->art, path), LVL_OK);
    return lvl_doc_scene(o->doc, &(lvl_scene_request){.art = o->art}, &o->scene);
}

static void close_world(opened *o)
{
    lvl_scene_free(o->scene);
    lvl_art_free(o->art);
    lvl_doc_free(o->doc);
    lvl_buffer_free(&o->bytes);
}

static uint32_t tile_at(const opened *o, uint32_t x, uint32_t y, lvl_scene_tile *tile)
{
    const lvl_scene_layer *layer = &o->scene->layers[0];
    uint32_t value;

    layer->cells(layer, x, y, 1, &value);
    layer->tile(layer, value, tile);
    return value & 0xFFFF;
}

static void test_scene(void **state)
{
    uint32_t row[192];
    lvl_scene_tile tile;
    opened o;

    (void)state;
    assert_int_equal(open_world(&o, "map.gmap"), LVL_OK);
    assert_int_equal(o.scene->layer_count, 1);
    assert_int_equal(o.scene->layers[0].columns, 192);
    assert_int_equal(o.scene->layers[0].rows, 128);
    assert_int_equal(tile_at(&o, 0, 0, &tile), 1);
    assert_false(tile.empty);
    assert_int_equal(tile_at(&o, 64, 63, &tile), 2); /* a file whose name differs in case */
    assert_int_equal(tile_at(&o, 63, 64, &tile), 3);
    tile_at(&o, 128, 0, &tile);
    assert_true(tile.filled); /* not there */
    tile_at(&o, 64, 64, &tile);
    assert_true(tile.filled); /* there, but elsewhere */
    tile_at(&o, 191, 127, &tile);
    assert_true(tile.filled); /* no level */
    /* a row across levels is the same as its cells */
    o.scene->layers[0].cells(&o.scene->layers[0], 0, 70, 192, row);
    for (uint32_t x = 0; x < 192; x++)
        assert_int_equal(row[x] & 0xFFFF, tile_at(&o, x, 70, &tile));
    close_world(&o);
}

static const lvl_scene_thing *labelled(const lvl_scene *scene, const char *label, size_t *count)
{
    const lvl_scene_thing *found = NULL;

    *count = 0;
    for (uint32_t i = 0; i < scene->thing_count; i++) {
        if (lvl_text_is(scene->things[i].label, label)) {
            found = &scene->things[i];
            ++*count;
        }
    }
    return found;
}

static void test_things(void **state)
{
    const lvl_scene_thing *thing;
    lvl_rect rect;
    size_t count;
    opened o;

    (void)state;
    assert_int_equal(open_world(&o, "map.gmap"), LVL_OK);
    thing = labelled(o.scene, "gone.nw", &count);
    assert_int_equal(count, 1);
    assert_true(thing->flags & LVL_THING_TEXT);
    assert_true(lvl_scene_thing_rect(thing, &rect));
    assert_int_equal(rect.left, 2048);
    assert_int_equal(rect.right, 3071);
    assert_int_equal(rect.bottom, 1023);
    labelled(o.scene, "broken.nw", &count);
    assert_int_equal(count, 1);
    thing = labelled(o.scene, "hello", &count);
    assert_int_equal(count, 1);
    assert_int_equal(thing->kind, LVL_THING_SIGN);
    assert_int_equal(thing->x, 11 * 16);
    /* b.nw's link to x.nw, moved by a level */
    thing = labelled(o.scene, "x.nw", &count);
    assert_int_equal(count, 1);
    assert_int_equal(thing->x, 1024 + 512);
    assert_int_equal(thing->boxes[0].rect.left, 1024);
    assert_int_equal(thing->boxes[0].rect.bottom, 1023);
    /* the only link that isn't over an edge has an arrow, to the middle of c.nw */
    assert_int_equal(o.scene->link_count, 1);
    assert_int_equal(o.scene->links[0].x0, 1024 + 21 * 16);
    assert_int_equal(o.scene->links[0].x1, 32 * 16);
    assert_int_equal(o.scene->links[0].y1, 1024 + 34 * 16);
    close_world(&o);
}

/* Levels twice, rows of unequal length, and many: a level's things and tiles are in each of its places. */
static void test_doubled(void **state)
{
    lvl_scene_tile tile;
    size_t count;
    opened o;

    (void)state;
    assert_true(world_save(folder, "twice.txt", "\"a.nw\"\n\"\",\"A.NW\",\"\",\"c.nw\"\n"));
    assert_int_equal(open_world(&o, "twice.txt"), LVL_OK);
    assert_int_equal(o.scene->layers[0].columns, 256);
    assert_int_equal(tile_at(&o, 3, 3, &tile), 1);
    assert_int_equal(tile_at(&o, 67, 67, &tile), 1);
    tile_at(&o, 67, 3, &tile);
    assert_true(tile.empty && !tile.filled);
    labelled(o.scene, "hello", &count);
    assert_int_equal(count, 2);
    close_world(&o);
}

static void test_picture(void **state)
{
    lvl_render_options options;
    lvl_image image;
    opened o;

    (void)state;
    assert_int_equal(open_world(&o, "map.gmap"), LVL_OK);
    lvl_render_options_init(&options);
    options.scale_down = 16;
    options.band_bytes = 1; /* a row at a time */
    assert_int_equal(lvl_render_image(o.scene, &options, &image), LVL_OK);
    assert_int_equal(image.width, 192);
    assert_int_equal(image.height, 128);
    /* a level, and the place of one that isn't there */
    const uint8_t *there = image.pixels + (30 * 192 + 30) * 4, *gone = image.pixels + (3 * 192 + 130) * 4;
    assert_true(memcmp(there, gone, 3) != 0);
    lvl_image_clear(&image);
    close_world(&o);
}

/* A character made of a body and a head stays valid after its level is freed. */
static void test_people(void **state)
{
    const char *samples = getenv("LVL_SAMPLES");
    lvl_render_options options;
    lvl_image image, without;
    char path[600];
    size_t count;
    opened o;

    (void)state;
    snprintf(path, sizeof path, "%s/graal", samples ? samples : "samples");
    assert_true(
        world_level(folder, "people.nw", "AB", "NPC - 20 30\nif (created) {\nshowcharacter;\n}\nNPCEND\n"));
    assert_true(world_save(folder, "people.txt", "\"people.nw\",\"people.nw\"\n"));
    assert_int_equal(open_world(&o, "people.txt"), LVL_OK);
    lvl_scene_free(o.scene);
    assert_int_equal(lvl_art_add(o.art, path), LVL_OK);
    assert_int_equal(lvl_doc_scene(o.doc, &(lvl_scene_request){.art = o.art}, &o.scene), LVL_OK);
    const lvl_scene_thing *person = labelled(o.scene, "character", &count);
    assert_int_equal(count, 2);
    assert_non_null(person->image);
    assert_int_equal(person->image->format, LVL_PIXELS_RGBA8);
    lvl_render_options_init(&options);
    assert_int_equal(lvl_render_image(o.scene, &options, &image), LVL_OK);
    o.scene->step_count = 1; /* the board alone */
    assert_int_equal(lvl_render_image(o.scene, &options, &without), LVL_OK);
    assert_true(memcmp(image.pixels, without.pixels, (size_t)image.width * image.height * 4) != 0);
    lvl_image_clear(&image);
    lvl_image_clear(&without);
    close_world(&o);
}

static void test_large(void **state)
{
    opened o;

    (void)state;
    assert_true(world_save(folder, "huge.gmap",
                           "GRMAP001\nWIDTH 1000000000\nHEIGHT 1000000000\nGENERATED a_aa-01.nw\n"));
    /* names of levels are not generated: a map without rows shows nothing */
    assert_int_equal(open_world(&o, "huge.gmap"), LVL_OK);
    assert_int_equal(o.scene->layers[0].columns, 0);
    close_world(&o);
    assert_true(world_save(folder, "none.gmap", "GRMAP001\nWIDTH 1000000000\nHEIGHT 3\n"));
    assert_int_equal(open_world(&o, "none.gmap"), LVL_OK);
    assert_int_equal(o.scene->layers[0].columns, 0);
    close_world(&o);
}

static void test_check(void **state)
{
    opened o;
    lvl_findings *findings = lvl_findings_new(&ctx);

    (void)state;
    assert_int_equal(open_world(&o, "map.gmap"), LVL_OK);
    const lvl_format *format = lvl_doc_format(o.doc);
    const lvl_check_request request = {.findings = findings, .art = o.art};
    assert_int_equal(format->calls->check(o.doc, &request), LVL_OK);
    assert_int_equal(lvl_count_id(findings, "gmap.level.missing"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.level.case"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.level.unreadable"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.level.name"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.image.missing"), 1);
    /* b.nw links down to x.nw, and "../map/a.nw" is there; c.nw links right to b.nw, which is there, too;
     * a.nw links down to c.nw, which does not link back */
    assert_int_equal(lvl_count_id(findings, "gmap.link.elsewhere"), 2);
    assert_int_equal(lvl_count_id(findings, "gmap.link.one_way"), 1);
    assert_int_equal(lvl_findings_count(findings), 8);
    lvl_findings_clear(findings);
    lvl_repairs repairs = {.log = findings, .art = o.art, .normalize = true};
    assert_int_equal(format->calls->repair(o.doc, &repairs), LVL_OK);
    assert_int_equal(lvl_findings_count(findings), 1);
    const lvl_gmap *map = lvl_doc_croot(o.doc);
    assert_true(lvl_text_is(map->rows[0].names[1], "B.nw"));
    lvl_findings_free(findings);
    close_world(&o);
}

/* All real text levels as one world, thirty-two across: each is found, by one art path, and each of its tiles
 * is where it belongs. */
static void test_corpus(void **state)
{
    enum { WIDE = 32 };
    const char *dir = lvl_corpus_dir();
    char path[600];
    lvl_buffer map = {0};
    lvl_paths paths;
    lvl_scene *scene = NULL;
    lvl_doc *doc = NULL;
    size_t gone = 0;

    (void)state;
    if (!dir)
        skip();
    snprintf(path, sizeof path, "%s/graal/nw", dir);
    assert_true(lvl_paths_below(&paths, path, "nw"));
    for (size_t i = 0; i < paths.count; i++)
        lvl_buffer_printf(&map, "%s\"%s\"", i % WIDE ? "," : i ? "\n" : "", lvl_path_name(paths.items[i]));
    lvl_art *art = lvl_art_new(&ctx);
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, path), LVL_OK);
    assert_int_equal(
        lvl_read(&doc, &ctx, lvl_format_find("gmap"), (lvl_bytes){map.data, map.len}, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene), LVL_OK);
    assert_int_equal(scene->layers[0].columns, paths.count < WIDE ? paths.count * 64 : WIDE * 64);
    for (uint32_t i = 0; i < scene->thing_count; i++)
        gone += (scene->things[i].flags & LVL_THING_TEXT) != 0;
    print_message("%zu levels in one world, %zu of them not there, %u things, %u arrows\n", paths.count, gone,
                  scene->thing_count, scene->link_count);
    assert_int_equal(gone, 0);
    for (size_t i = 0; i < paths.count; i += 97) {
        uint32_t value;
        size_t len;
        lvl_doc *level = NULL;
        uint8_t *bytes = lvl_slurp(paths.items[i], &len);
        assert_int_equal(lvl_read(&level, &ctx, NULL, (lvl_bytes){bytes, len}, paths.items[i], 0, NULL),
                         LVL_OK);
        const lvl_graal *g = lvl_doc_croot(level);
        for (uint32_t k = 0; g->layer_count && g->layers[0].tiles.ptr && k < 64; k++) {
            scene->layers[0].cells(&scene->layers[0], (uint32_t)(i % WIDE * 64 + k),
                                   (uint32_t)(i / WIDE * 64 + k), 1, &value);
            assert_int_equal(value & 0xFFFF, lvl_cell(&g->layers[0].tiles, k, k));
        }
        lvl_doc_free(level);
        free(bytes);
    }
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
    lvl_paths_free(&paths);
    lvl_buffer_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scene),   cmocka_unit_test(test_things), cmocka_unit_test(test_doubled),
        cmocka_unit_test(test_picture), cmocka_unit_test(test_people), cmocka_unit_test(test_large),
        cmocka_unit_test(test_check),   cmocka_unit_test(test_corpus),
    };
    lvl_ctx_init(&ctx);
    if (!world_folder(folder, sizeof folder, "world") || !world_make(folder))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
