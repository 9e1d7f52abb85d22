/*
 * test_hostile_graal_scene.c: a level of the Graal family with every part of a scene, made and drawn while
 * each allocation fails in turn; and records that no reader makes: grids of unusual sizes, extreme
 * coordinates.
 */
#include "os/file.h"
#include "base/format.h"
#include "starve.h"

#include <lvl/graal.h>
#include <lvl/render.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static char top[200];

static const char level_text[] =
    "GLEVNW01\nBOARD 0 0 4 0 AAABACAD\nBOARD 2 1 2 1 AA//\nLINK there.nw 63 0 1 64 0 playery\nLINK here.nw 5 "
    "5 2 2 "
    "30 30\nSIGN 4 4\nHello #h\nSIGNEND\nCHEST 8 8 heart -1\nBADDY 9 9 0\nBADDYEND\n"
    "NPC door.png 3 3\nsetimgpart door.png,1,1,8,8;\ndrawaslight;\nNPCEND\n"
    "NPC - 10 3\naddtiledef2 door.png,#L,64,64;\nsetbackpal door.png;\nNPCEND\nNPC gone.png 1 1\nNPCEND\n";

static lvl_status count(lvl_writer *writer, const void *data, size_t len)
{
    (void)writer, (void)data, (void)len;
    return LVL_OK;
}

static void save(const char *name, const void *data, size_t len)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", top, name);
    assert_int_equal(lvl_file_save(path, (lvl_bytes){data, len}, LVL_SAVE_REPLACE, NULL), LVL_OK);
}

static void put(const char *name, uint32_t width, uint32_t height)
{
    lvl_buffer buf = {0};
    lvl_palette palette;
    lvl_image image;

    memset(&palette, 90, sizeof palette);
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_INDEX8, width, height, false), LVL_OK);
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, &palette, &buf), LVL_OK);
    save(name, buf.data, buf.len);
    lvl_image_clear(&image);
    lvl_buffer_free(&buf);
}

static int setup(void **state)
{
    static const char defs[] = "small.png,he,0\ndoor.png,here,4,0,0\n";
    const char *tmp = getenv("TMPDIR");

    (void)state;
    lvl_ctx_init(&ctx);
    snprintf(top, sizeof top, "%s/lvl-test-hostile-graal-scene", tmp && *tmp ? tmp : "/tmp");
    assert_int_equal(lvl_folder_make(top, NULL), LVL_OK);
    put("small.png", 256, 256); /* doubled */
    put("door.png", 24, 24);
    save("tiledefs.txt", defs, sizeof defs - 1);
    return 0;
}

static lvl_status all(const lvl_doc *doc, bool art_too, const lvl_render_options *options)
{
    lvl_writer writer = {count};
    lvl_scene *scene = NULL;
    char path[300];
    lvl_art *art = art_too ? lvl_art_new(&ctx) : NULL;
    lvl_status status = art || !art_too ? LVL_OK : LVL_ERR_MEMORY;

    if (art) {
        status = lvl_art_add(art, top);
        snprintf(path, sizeof path, "%s/here.nw", top);
        if (status == LVL_OK)
            status = lvl_art_level(art, path);
    }
    if (status == LVL_OK)
        status = lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene);
    if (status == LVL_OK)
        status = lvl_render_png(scene, options, &writer);
    lvl_scene_free(scene);
    lvl_art_free(art);
    return status;
}

static void starving_is_answered(void **state)
{
    lvl_render_options options;
    uint64_t tried = 0, refused = 0;
    lvl_doc *doc;

    (void)state;
    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("nw"),
                              (lvl_bytes){(const uint8_t *)level_text, sizeof level_text - 1}, "here.nw",
                              LVL_READ_BORROW, NULL),
                     LVL_OK);
    lvl_render_options_init(&options);
    options.region_given = true;
    options.region = (lvl_rect){0, 0, 127, 127};
    for (int how = 0; how < 3; how++) {
        options.overlays = how == 1 ? 31 : 0;
        lvl_starve_from(0, false);
        assert_int_equal(all(doc, how < 2, &options), LVL_OK);
        const uint64_t calls = lvl_starve_calls();
        for (uint64_t call = 1; call <= calls; call += 1 + calls / 60) {
            for (int on = 0; on < 2; on++) {
                const uint64_t blocks = lvl_starve_blocks();
                lvl_starve_from(call, on);
                const lvl_status status = all(doc, how < 2, &options);
                lvl_starve_from(0, false);
                /* Art that could not be opened is missing; every other failure is reported. */
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
}

static void odd_records_are_drawn(void **state)
{
    static const uint8_t cells[3 * 5 * 4] = {0xFF, 0xFF, 1, 2, 3, 0x10, 0xFE};
    const lvl_cells grids[] = {
        {cells, 3, 5, 2}, {cells, 3, 5, 4}, {cells, 3, 5, 1}, {NULL, 64, 64, 2}, {cells, 0, 5, 2}};
    const double places[] = {0, -1e308, 1e308, NAN, INFINITY, 4294967296.0, -0.01};
    lvl_render_options options;

    (void)state;
    lvl_render_options_init(&options);
    options.overlays = 31;
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            lvl_graal_layer layers[] = {{.number = UINT32_MAX, .tiles = grids[g]}, {.tiles = grids[g]}};
            lvl_graal_link link = {.level = lvl_text_of("here.nw"),
                                   .x = places[p],
                                   .width = places[p],
                                   .height = -places[p],
                                   .dest_x = lvl_text_of("99999999999999999999999999"),
                                   .dest_y = lvl_text_of("-3")};
            lvl_graal_npc npc = {
                .x = places[p],
                .y = -places[p],
                .script = lvl_text_of("setimgpart door.png,-99999999999999999999,0,99999999999999999999,1;"
                                      "setzoomeffect 99999999999999999999999999999;setshape 1,1e9,2;")};
            lvl_graal_sign sign = {.x = INT32_MIN, .y = INT32_MAX};
            lvl_graal_chest chest = {.x = INT32_MAX, .y = INT32_MIN, .item = INT32_MIN};
            lvl_graal_baddy baddy = {.x = INT32_MIN, .y = INT32_MIN, .type = INT32_MAX};
            lvl_doc *doc;

            assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("nw")), LVL_OK);
            lvl_graal *level = lvl_doc_root(doc);
            *level = (lvl_graal){.version = LVL_GLEVNW01,
                                 .layers = layers,
                                 .layer_count = 2,
                                 .links = &link,
                                 .link_count = 1,
                                 .npcs = &npc,
                                 .npc_count = 1,
                                 .signs = &sign,
                                 .sign_count = 1,
                                 .chests = &chest,
                                 .chest_count = 1,
                                 .baddies = &baddy,
                                 .baddy_count = 1};
            const lvl_status with = all(doc, true, &options), without = all(doc, false, &options);
            assert_true(with == LVL_OK || with == LVL_ERR_ARG);
            assert_int_equal(with, without);
            lvl_doc_free(doc);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starving_is_answered),
        cmocka_unit_test(odd_records_are_drawn),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
