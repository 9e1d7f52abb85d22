/*
 * test_graal_scene.c: levels of the Graal family as scenes: the sheet of a level, the class of a tile, the
 * pictures of NPCs and built-in objects, and the picture without art. Art is made here, in a temporary
 * folder; the tables of tile types are compared with the corpus.
 */
#include "os/file.h"
#include "base/format.h"
#include "corpus.h"
#include "graal/script/script_commands.h"
#include "graal/tiles/graal_tileset.h"
#include "scene/scene.h"

#include <lvl/render.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static char top[200];

static const char *at(const char *path)
{
    static char buf[4][512];
    static int turn;
    char *p = buf[turn++ % 4];

    snprintf(p, sizeof buf[0], "%s/%s", top, path);
    return p;
}

static void save(const char *path, const void *data, size_t len)
{
    char folder[512];

    snprintf(folder, sizeof folder, "%s", at(path));
    *strrchr(folder, '/') = 0;
    assert_int_equal(lvl_folder_make(folder, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(at(path), (lvl_bytes){data, len}, LVL_SAVE_REPLACE, NULL), LVL_OK);
}

/* A PNG of one palette index; colour i of the palette is i, i + 1, `blue`. */
static void put(const char *path, uint32_t width, uint32_t height, uint8_t value, uint8_t blue)
{
    lvl_palette palette;
    lvl_buffer buf = {0};
    lvl_image image;

    for (size_t i = 0; i < 256; i++) {
        palette.rgb[i][0] = (uint8_t)i;
        palette.rgb[i][1] = (uint8_t)(i + 1);
        palette.rgb[i][2] = blue;
    }
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_INDEX8, width, height, false), LVL_OK);
    memset(image.pixels, value, (size_t)width * height);
    image.pixels[0] = (uint8_t)(value + 1); /* so that scale can be seen */
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, &palette, &buf), LVL_OK);
    save(path, buf.data, buf.len);
    lvl_image_clear(&image);
    lvl_buffer_free(&buf);
}

static int setup(void **state)
{
    static const char defs[] =
        "wide.png,snow,0,0,0\r\nother.png,snowy_,1,0,0\nsecond.png,snow,0\n"
        "gone.png,snowy_house,0,0,0\nstamp.png,snowy_,4,32,16\n\nbad line\nfree.png,air,5,0,0";
    const char *tmp = getenv("TMPDIR");

    (void)state;
    lvl_ctx_init(&ctx);
    /* The same folder for every run: the test leaves only the same few files. */
    snprintf(top, sizeof top, "%s/lvl-test-graal-scene/a/b/c", tmp && *tmp ? tmp : "/tmp");
    put("game/pics1.png", 2048, 512, 10, 1);
    put("game/wide.png", 2048, 512, 20, 1);
    put("game/other.png", 1856, 512, 30, 1);
    put("game/second.png", 2048, 512, 40, 1);
    put("game/free.png", 2048, 512, 45, 1);
    put("game/stamp.png", 16, 16, 50, 1);
    put("game/deep/door.png", 32, 48, 60, 1);
    put("game/night.png", 1, 1, 0, 200);
    put("small/pics1.png", 512, 256, 70, 1);
    put("sheet.png", 1024, 512, 80, 1);
    save("game/tiledefsTest.txt", defs, sizeof defs - 1);
    save("levels/x.txt", "x", 1);
    return 0;
}

/* A level of one board, all of it `tile`. */
static lvl_doc *level(uint16_t tile, uint32_t layers)
{
    lvl_doc *doc;

    assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("nw")), LVL_OK);
    lvl_graal *g = lvl_doc_root(doc);
    g->version = LVL_GLEVNW01;
    g->layers = lvl_doc_alloc(doc, sizeof *g->layers * (layers + 1));
    assert_non_null(g->layers);
    g->layer_count = layers;
    for (uint32_t l = 0; l < layers; l++) {
        uint8_t *cells = lvl_doc_alloc(doc, 64 * 64 * 2);
        assert_non_null(cells);
        for (size_t i = 0; i < 64 * 64; i++) {
            cells[i * 2] = (uint8_t)(l ? 0xFF : tile);
            cells[i * 2 + 1] = (uint8_t)(l ? 0x0F : tile >> 8);
        }
        g->layers[l].number = l;
        g->layers[l].tiles = (lvl_cells){cells, 64, 64, 2};
    }
    return doc;
}

static lvl_graal_npc *npc(lvl_doc *doc, double x, double y, const char *image, const char *script)
{
    lvl_graal *g = lvl_doc_root(doc);
    lvl_graal_npc *npcs = lvl_doc_alloc(doc, sizeof *npcs * (g->npc_count + 1));

    assert_non_null(npcs);
    if (g->npc_count)
        memcpy(npcs, g->npcs, sizeof *npcs * g->npc_count);
    g->npcs = npcs;
    npcs[g->npc_count] =
        (lvl_graal_npc){.x = x, .y = y, .image = lvl_text_of(image), .script = lvl_text_of(script)};
    return &npcs[g->npc_count++];
}

static lvl_scene *scene_of(const lvl_doc *doc, const lvl_art *art)
{
    const lvl_scene_request request = {.art = art};
    lvl_scene *scene;

    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    return scene;
}

static lvl_art *art_of(const char *root, const char *name)
{
    lvl_art *art = lvl_art_new(&ctx);
    char path[64];

    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, at(root)), LVL_OK);
    if (name) {
        snprintf(path, sizeof path, "levels/%s", name);
        assert_int_equal(lvl_art_level(art, at(path)), LVL_OK);
    }
    return art;
}

static lvl_scene_tile tile_of(const lvl_scene *scene, uint32_t layer, uint32_t value)
{
    lvl_scene_tile tile;

    scene->layers[layer].tile(&scene->layers[layer], value, &tile);
    return tile;
}

/* The colour that shows at a place of the picture. */
static void assert_pixel(const lvl_scene *scene, int x, int y, int red, int green, int blue)
{
    lvl_render_options options;
    lvl_image image;

    lvl_render_options_init(&options);
    assert_int_equal(lvl_render_image(scene, &options, &image), LVL_OK);
    assert_int_equal(image.width, 1024);
    assert_int_equal(image.height, 1024);
    const uint8_t *p = image.pixels + ((size_t)y * 1024 + (size_t)x) * 4;
    assert_int_equal(p[0], red);
    assert_int_equal(p[1], green);
    assert_int_equal(p[2], blue);
    lvl_image_clear(&image);
}

/* The red of a level's sheet, away from its corner and from what is pasted. */
static int sheet_red(const char *root, const char *name, const char *script)
{
    lvl_art *art = art_of(root, name);
    lvl_doc *doc = level(0x200, 1);
    int red = -1;

    if (script)
        npc(doc, 1, 1, "", script);
    lvl_scene *scene = scene_of(doc, art);
    const lvl_scene_tile tile = tile_of(scene, 0, 0x2FF);
    if (tile.image) {
        const size_t place = (size_t)(tile.image_y + 5) * tile.image->width + (size_t)tile.image_x + 5;
        red = tile.image->format == LVL_PIXELS_RGBA8 ? tile.image->pixels[place * 4]
                                                     : tile.image->palette->rgb[tile.image->pixels[place]][0];
    }
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
    return red;
}

/* ---- sheets ------------------------------------------------------------------------------------------ */

static void tiles_are_cut_from_the_sheet(void **state)
{
    lvl_art *art = art_of("game", "a.nw");
    lvl_doc *doc = level(0x213, 2);
    lvl_scene *scene = scene_of(doc, art);

    (void)state;
    assert_true(scene->has_art);
    assert_int_equal(scene->missing_tiles, 0);
    assert_int_equal(scene->layer_count, 2);
    const lvl_scene_tile tile = tile_of(scene, 0, 0x213); /* second block, second row, fourth column */
    assert_int_equal(tile.image_x, (16 + 3) * 16);
    assert_int_equal(tile.image_y, 16);
    assert_false(tile.empty);
    assert_true(tile_of(scene, 0, LVL_GRAAL_ABSENT).empty);
    assert_false(tile_of(scene, 0, 4095).empty);
    assert_true(tile_of(scene, 1, 4095).empty);
    assert_pixel(scene, 500, 500, 10, 11, 1);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
}

static void a_narrow_sheet_draws_nothing_beyond(void **state)
{
    lvl_art *art = art_of("game", "snowy_1.nw"); /* 116 columns */
    lvl_doc *doc = level(3583 + 4, 1);
    lvl_scene *scene = scene_of(doc, art);

    (void)state;
    assert_non_null(tile_of(scene, 0, 3584 + 3).image);
    assert_null(tile_of(scene, 0, 3584 + 4).image);
    assert_false(tile_of(scene, 0, 3584 + 4).empty);
    assert_int_equal(scene->missing_tiles, 0);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    doc = level(3584 + 9, 1);
    scene = scene_of(doc, art);
    assert_int_equal(scene->missing_tiles, 1);
    assert_pixel(scene, 500, 500, 0, 0, 0);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
}

static void the_first_game_s_sheet_is_doubled(void **state)
{
    lvl_art *art = art_of("small", "a.zelda");
    lvl_doc *doc = level(0, 1);
    lvl_scene *scene = scene_of(doc, art);

    (void)state;
    assert_int_equal(tile_of(scene, 0, 0).image->width, 1024);
    assert_int_equal(tile_of(scene, 0, 0).image->height, 512);
    assert_null(tile_of(scene, 0, 2048).image);
    assert_pixel(scene, 1, 1, 71, 72, 1); /* the corner's one pixel is two by two */
    assert_pixel(scene, 2, 1, 70, 71, 1);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
}

static void definitions_choose_the_sheet(void **state)
{
    (void)state;
    assert_int_equal(sheet_red("game", "plain.nw", NULL), 10);
    assert_int_equal(sheet_red("game", "snow.nw", NULL), 20); /* of equals the first */
    assert_int_equal(sheet_red("game", "SNOWY.nw", NULL), 20);
    assert_int_equal(sheet_red("game", "snowy_1.nw", NULL), 30); /* the longest */
    assert_int_equal(sheet_red("game", "snowy_house.nw", NULL), 30); /* of those whose picture is there */
    assert_int_equal(sheet_red("game", "plain.nw", "addtiledef wide.png,pla,0;"), 20);
    assert_int_equal(sheet_red("game", "plain.nw", "addtiledef wide.png,plain_,0;"), 10);
    assert_int_equal(sheet_red("game", "snow.nw", "addtiledef second.png,snow,0;"), 40);
    assert_int_equal(sheet_red("game", "snowy_1.nw", "addtiledef second.png,snow,0;"), 30);
    assert_int_equal(sheet_red("game", "snowy_1.nw", "removetiledefs;addtiledef second.png,snow,0;"), 40);
    assert_int_equal(sheet_red("game", "plain.nw", "if (created) { addtiledef wide,#L,0; }"), 20);
    assert_int_equal(sheet_red("game", "plain.nw", "if (client.snow=1) { addtiledef wide.png,plain,0; }"),
                     10);
    assert_int_equal(
        sheet_red("game", "plain.nw", "function onCreated() {\n addtiledef(\"wide.png\", \"plain\", 0);\n}"),
        20);
    assert_int_equal(sheet_red("levels", "plain.nw", NULL), -1);
    assert_int_equal(sheet_red("sheet.png", "plain.nw", NULL), 80);
}

static void pictures_are_pasted(void **state)
{
    lvl_art *art = art_of("game", "snowy_1.nw");
    lvl_doc *doc = level(0x12, 1); /* column 2, row 1: where tiledefsTest pastes */
    lvl_scene *scene = scene_of(doc, art);

    (void)state;
    assert_pixel(scene, 40, 40, 50, 51, 1);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    assert_int_equal(lvl_art_level(art, at("levels/plain.nw")), LVL_OK);
    doc = level(0, 1);
    npc(doc, 0, 0, "", "addtiledef2 stamp.png,#L,8.5,-4;\naddtiledef2 stamp.png,#L,99999999,-1e9;");
    scene = scene_of(doc, art);
    assert_pixel(scene, 7, 3, 10, 11, 1);
    assert_pixel(scene, 8, 3, 50, 51, 1);
    assert_pixel(scene, 8, 12, 10, 11, 1);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
}

static void the_palette_is_swapped(void **state)
{
    lvl_art *art = art_of("game", "plain.nw");
    lvl_doc *doc = level(1, 1);

    (void)state;
    npc(doc, 0, 0, "", "if (playerenters) setbackpal night.png;");
    lvl_scene *scene = scene_of(doc, art);
    assert_pixel(scene, 20, 20, 10, 11, 200);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
}

static void a_level_names_its_tileset(void **state)
{
    lvl_art *art = art_of("game", "plain.nw");
    lvl_doc *doc = level(1, 1);
    lvl_graal *g = lvl_doc_root(doc);
    lvl_graal_tileset line = {.name = lvl_text_of("second.png")};

    (void)state;
    g->tilesets = &line;
    g->tileset_count = 1;
    lvl_scene *scene = scene_of(doc, art);
    assert_pixel(scene, 20, 20, 40, 41, 1);
    lvl_scene_free(scene);
    g->tilesets = NULL;
    g->tileset_count = 0;
    lvl_doc_free(doc);
    lvl_art_free(art);
}

static void levels_share_sheets(void **state)
{
    lvl_art *art = art_of("game", NULL);
    lvl_scene *scene = lvl_scene_new(&ctx);
    lvl_doc *a = level(1, 1), *b = level(2, 1);
    const lvl_graal_sheet *one, *two, *three, *four;
    lvl_graal_sheets *sheets;

    (void)state;
    assert_non_null(scene);
    npc(b, 0, 0, "", "addtiledef2 stamp.png,#L,0,0;");
    assert_int_equal(lvl_graal_sheets_new(&sheets, scene, art), LVL_OK);
    assert_int_equal(lvl_graal_sheet_of(sheets, lvl_doc_root(a), lvl_text_of("p1.nw"), &one), LVL_OK);
    assert_int_equal(lvl_graal_sheet_of(sheets, lvl_doc_root(b), lvl_text_of("p2.nw"), &two), LVL_OK);
    assert_int_equal(lvl_graal_sheet_of(sheets, lvl_doc_root(a), lvl_text_of("maps/p3.nw"), &three), LVL_OK);
    assert_int_equal(lvl_graal_sheet_of(sheets, lvl_doc_root(b), lvl_text_of("p4.nw"), &four), LVL_OK);
    assert_ptr_equal(one, three);
    assert_ptr_equal(two, four);
    assert_ptr_not_equal(one, two);
    assert_int_equal(lvl_graal_sheet_of(sheets, lvl_doc_root(a), lvl_text_of("maps/air.nw"), &three), LVL_OK);
    assert_int_equal(three->rules, LVL_GRAAL_NO_RULES);
    assert_int_equal(lvl_graal_sheet_of(sheets, lvl_doc_root(a), lvl_text_of("snowy_.nw"), &three), LVL_OK);
    assert_int_equal(three->rules, LVL_GRAAL_NEW_WORLD);
    lvl_doc_free(a);
    lvl_doc_free(b);
    lvl_scene_free(scene);
    lvl_art_free(art);
}

/* ---- things ------------------------------------------------------------------------------------------ */

static const lvl_scene_thing *thing_at(const lvl_scene *scene, lvl_thing_kind kind, uint32_t index)
{
    for (uint32_t i = 0; i < scene->thing_count; i++) {
        if (scene->things[i].kind == kind && scene->things[i].index == index)
            return &scene->things[i];
    }
    fail_msg("no %s %u", lvl_thing_kind_name(kind), index);
    return NULL;
}

static void npcs_show_their_pictures(void **state)
{
    lvl_art *art = art_of("game", "a.nw");
    lvl_doc *doc = level(1, 1);
    lvl_rect rect;

    (void)state;
    npc(doc, 2.5, 3, "door.png", "");
    npc(doc, 2, 3, "DOOR.gif", "if (playertouchsme) { hide; }");
    npc(doc, 2, 3, "", "setimgpart door,8,16,24,32; if (playerenters || timeout) { hide; }");
    npc(doc, 20, 3, "door.png", "drawaslight;setcoloreffect 1,0.5,1,0.9;setzoomeffect 2;drawoverplayer;");
    npc(doc, 2, 3, "nowhere.png", "");
    npc(doc, 2, 3, "", "setshape 1,48,16;");
    npc(doc, 1e300, -1e300, "", "");
    lvl_scene *scene = scene_of(doc, art);
    assert_int_equal(scene->thing_count, 7);
    assert_int_equal(scene->missing_things, 1);
    const lvl_scene_thing *t = thing_at(scene, LVL_THING_SCENERY, 0);
    assert_non_null(t->image);
    assert_true(lvl_scene_thing_rect(t, &rect));
    assert_int_equal(rect.left, 40);
    assert_int_equal(rect.top, 48);
    assert_int_equal(rect.right, 71);
    assert_int_equal(rect.bottom, 95);
    t = thing_at(scene, LVL_THING_SCENERY, 1);
    assert_non_null(t->image);
    assert_false(t->flags & LVL_THING_HIDDEN);
    t = thing_at(scene, LVL_THING_SCENERY, 2);
    assert_true(t->flags & LVL_THING_HIDDEN);
    assert_true(t->has_part);
    assert_int_equal(t->part.left, 8);
    assert_int_equal(t->part.bottom, 47);
    t = thing_at(scene, LVL_THING_SCENERY, 3);
    assert_int_equal(t->effect->blend, LVL_BLEND_ADD);
    assert_true(t->effect->color[1] == 0.5 && t->effect->scale_x == 2);
    assert_ptr_equal(t, &scene->things[scene->thing_count - 1]); /* over all others */
    assert_true(thing_at(scene, LVL_THING_SCENERY, 4)->flags & LVL_THING_MISSING);
    t = thing_at(scene, LVL_THING_TRIGGER, 5);
    assert_int_equal(t->boxes[0].rect.right - t->boxes[0].rect.left, 47);
    assert_int_equal(t->x, 32 + 24);
    assert_pixel(scene, 45, 90, 60, 61, 1);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
}

static void people_are_put_together(void **state)
{
    lvl_art *art = art_of("game", "a.nw");
    lvl_doc *doc = level(1, 1);
    lvl_rect rect;

    (void)state;
    put("game/deep/head0.png", 32, 560, 90, 1);
    put("game/deep/body.png", 128, 720, 100, 1);
    put("game/deep/head7.png", 32, 560, 110, 1);
    npc(doc, 10, 10, "",
        "if (playerenters) {showcharacter; setcharprop #3,head7.png; setcharprop #8,gone.png; dir = 1;}");
    npc(doc, 20, 10, "door.png",
        "showcharacter; setcharani away,; setcharprop #C9,red; setcharprop #3,#3(2);");
    npc(doc, 30, 10, "",
        "function onCreated() { showcharacter(); this.head = \"head7.png\"; bodyimg = \"gone.png\";\n"
        "  this.dir = 1; colors[ = \"red\"; colors[0] = \"black\"; ani = \"idle\"; head = player.head;\n"
        "  attr[99999999999999999999] = \"x\"; shield = \"a\" @ \"b\"; }");
    npc(doc, 40, 10, "", "setshape2(2,3,{0,0,22,22,22,22});");
    npc(doc, 50, 10, "",
        "function onCreated() { npc.showcharacter(); npc.head = \"head7.png\"; self.dir = 1; }");
    lvl_scene *scene = scene_of(doc, art);
    const lvl_scene_thing *t = thing_at(scene, LVL_THING_TRIGGER, 3);
    assert_int_equal(t->boxes[0].rect.right - t->boxes[0].rect.left, 31);
    assert_int_equal(t->boxes[0].rect.bottom - t->boxes[0].rect.top, 47);
    assert_pixel(scene, 495, 165, 110, 111, 1); /* as the first */
    assert_pixel(scene, 495, 205, 100, 101, 1);
    assert_pixel(scene, 815, 165, 110, 111, 1);
    t = thing_at(scene, LVL_THING_SCENERY, 0);
    assert_non_null(t->image);
    assert_true(lvl_text_is(t->label, "character"));
    assert_true(lvl_scene_thing_rect(t, &rect));
    assert_int_equal(rect.left, 160 + 12);
    assert_int_equal(rect.top, 160 + 2);
    assert_int_equal(rect.bottom, 160 + 47);
    assert_pixel(scene, 175, 165, 110, 111, 1);
    assert_pixel(scene, 175, 205, 100, 101, 1);
    assert_pixel(scene, 335, 165, 90, 91, 1);
    assert_true(thing_at(scene, LVL_THING_SCENERY, 1)->z > 0);
    lvl_scene_free(scene);
    scene = scene_of(doc, NULL);
    t = thing_at(scene, LVL_THING_SCENERY, 0);
    assert_null(t->image);
    assert_int_equal(t->x, 160 + 24);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
}

static void built_in_things_are_marked(void **state)
{
    lvl_art *art = art_of("game", "here.nw");
    lvl_doc *doc = level(1, 1);
    lvl_graal *g = lvl_doc_root(doc);
    lvl_graal_link links[] = {
        {.level = lvl_text_of("there.nw"), .x = 63, .y = 10, .width = 1, .height = 5},
        {.level = lvl_text_of("Here.nw"),
         .x = 2,
         .y = 2,
         .width = 2,
         .height = 2,
         .dest_x = lvl_text_of("30"),
         .dest_y = lvl_text_of("40.5")},
        {.level = lvl_text_of("here.nw"), .dest_x = lvl_text_of("playerx"), .dest_y = lvl_text_of("2")}};
    lvl_graal_sign signs[] = {{.text = lvl_text_of("parked")},
                              {.x = 4, .y = 5, .text = lvl_text_of("Hello\nyou")}};
    lvl_graal_chest chest = {.x = 7, .y = 8, .item = 5, .sign = -1};
    lvl_graal_baddy baddies[] = {{.x = 9, .y = 9, .type = 6}, {.x = 9, .y = 9, .type = -1}};

    (void)state;
    g->links = links;
    g->link_count = 3;
    g->signs = signs;
    g->sign_count = 2;
    g->chests = &chest;
    g->chest_count = 1;
    g->baddies = baddies;
    g->baddy_count = 2;
    lvl_scene *scene = scene_of(doc, art);
    assert_int_equal(scene->thing_count, 3 + 1 + 1 + 2);
    const lvl_scene_thing *t = thing_at(scene, LVL_THING_WARP, 0);
    assert_int_equal(t->boxes[0].kind, LVL_BOX_AREA);
    assert_int_equal(t->boxes[0].rect.left, 1008);
    assert_int_equal(t->boxes[0].rect.bottom, 239);
    assert_true(lvl_text_is(t->label, "there.nw"));
    assert_int_equal(scene->link_count, 1);
    assert_int_equal(scene->links[0].x0, 48);
    assert_int_equal(scene->links[0].x1, 504);
    t = thing_at(scene, LVL_THING_SIGN, 1);
    assert_true(lvl_text_is(t->label, "Hello"));
    assert_int_equal(t->x, 80);
    t = thing_at(scene, LVL_THING_CONTAINER, 0);
    assert_true(lvl_text_is(t->label, "heart"));
    assert_int_equal(t->part.left, 56 * 16); /* a closed chest, which the game puts on the board */
    assert_int_equal(t->part.top, 15 * 16);
    assert_ptr_equal(t->image, tile_of(scene, 0, 1).image);
    assert_true(lvl_text_is(thing_at(scene, LVL_THING_ENEMY, 0)->label, "octopus"));
    assert_true(lvl_text_is(thing_at(scene, LVL_THING_ENEMY, 1)->label, "baddy"));
    assert_pixel(scene, 160, 160, 10, 11, 1); /* none of the others shows unless it is asked for */
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
}

/* ---- without art ------------------------------------------------------------------------------------- */

static void tiles_have_colours_of_their_own(void **state)
{
    lvl_doc *doc = level(0, 1);
    lvl_scene *scene = scene_of(doc, NULL);
    uint8_t rgb[3];

    (void)state;
    assert_false(scene->has_art);
    lvl_graal_tile_colour(0, rgb);
    assert_true(rgb[1] > rgb[0] && rgb[1] > rgb[2]); /* grass */
    assert_pixel(scene, 500, 500, rgb[0], rgb[1], rgb[2]);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    doc = level(0, 0); /* no tiles at all */
    scene = scene_of(doc, NULL);
    assert_int_equal(scene->layer_count, 1);
    assert_true(scene->layers[0].columns == 64 && scene->layers[0].rows == 64);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_graal_tile_colour(LVL_GRAAL_ABSENT, rgb);
    assert_int_equal(rgb[0] + rgb[1] + rgb[2], 0);
}

static void types_are_those_of_the_tables(void **state)
{
    static const struct {
        const char *name;
        lvl_graal_rules rules;
    } tables[] = {{"tiletypes1.dat", LVL_GRAAL_CLASSIC}, {"tiletypesnw.dat", LVL_GRAAL_NEW_WORLD}};
    const char *corpus = lvl_corpus_dir();
    unsigned blocks = 0, compared = 0;
    lvl_paths paths = {0};

    (void)state;
    for (uint32_t i = 0; i < LVL_GRAAL_TILES; i++)
        blocks += lvl_graal_tile_type(LVL_GRAAL_CLASSIC, i) == LVL_GRAAL_TYPE_BLOCK;
    assert_int_equal(blocks, 2914);
    assert_int_equal(lvl_graal_type_class(LVL_GRAAL_TYPE_BLOCK), LVL_LOOK_SOLID);
    assert_int_equal(lvl_graal_tile_type(LVL_GRAAL_CLASSIC, LVL_GRAAL_TILES), 0);
    assert_int_equal(lvl_graal_tile_type(LVL_GRAAL_NO_RULES, 6), 0);
    assert_true(lvl_graal_classes() & 1u << LVL_LOOK_WATER);
    if (!corpus || !lvl_paths_below(&paths, corpus, "dat"))
        skip();
    for (size_t p = 0; p < paths.count; p++) {
        for (size_t t = 0; t < 2; t++) {
            const size_t len = strlen(paths.items[p]), tail = strlen(tables[t].name);
            size_t size;
            if (len < tail || strcmp(paths.items[p] + len - tail, tables[t].name) != 0)
                continue;
            uint8_t *data = lvl_slurp(paths.items[p], &size);
            assert_non_null(data);
            assert_int_equal(size, LVL_GRAAL_TILES);
            for (uint32_t i = 0; i < LVL_GRAAL_TILES; i++)
                assert_int_equal(lvl_graal_tile_type(tables[t].rules, i), data[i]);
            free(data);
            compared++;
        }
    }
    lvl_paths_free(&paths);
    if (!compared)
        skip();
    assert_int_equal(compared, 2);
}

/* ---- scripts ----------------------------------------------------------------------------------------- */

static void note(void *user, lvl_text word, lvl_text args)
{
    lvl_buffer *out = user;

    lvl_buffer_printf(out, "%.*s(%.*s)", (int)word.len, word.ptr, (int)args.len, args.ptr ? args.ptr : "");
}

static void assert_orders(const char *script, const char *expected)
{
    lvl_buffer out = {0};

    lvl_graal_script_commands(lvl_text_of(script), note, &out);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((const char *)out.data, expected);
    lvl_buffer_free(&out);
}

static void only_sure_commands_are_told(void **state)
{
    lvl_text args = lvl_text_of(" (\"a b.png\", 12.5 ,,-3,0x1)"), word;
    double number;

    (void)state;
    assert_orders("", "");
    assert_orders("hide", "hide()");
    assert_orders("hide;;show;", "hide()show()");
    assert_orders("// hide;\n/* show; */ setimg a;/*", "setimg(a)");
    assert_orders("if (created) hide; show;", "hide()show()");
    assert_orders("if (x==1) hide; show;", "show()");
    assert_orders("if (x==1) hide; else show; a;", "a()");
    assert_orders("if (x==1) { hide; } else { show; } a;", "a()");
    assert_orders("if (playerenters||timeout) { hide; if (z) {b;} c }", "hide()c()");
    assert_orders("if ((created)||y) a;", "a()");
    assert_orders("if (created&&y) a;", "");
    assert_orders("for (i=0;i<3;i++) { a; } b;", "b()");
    assert_orders("while (true) a; b;", "b()");
    assert_orders("function f() { a; } function onCreated() { b; }", "b()");
    assert_orders("say2 \"a;b\";c;", "say2(\"a;b\")c()");
    assert_orders("say it\"s; c;", "say(it\"s)c()");
    assert_orders("}}}a;{b;}", "a()b()");
    assert_orders("if (((created a;", "");
    assert_true(lvl_graal_command_arg(&args, &word));
    assert_true(lvl_text_is(word, "a b.png"));
    assert_true(lvl_graal_command_number(&args, &number) && number == 12.5);
    assert_false(lvl_graal_command_number(&args, &number));
    assert_true(lvl_graal_command_number(&args, &number) && number == -3);
    assert_false(lvl_graal_command_number(&args, &number));
    assert_false(lvl_graal_command_arg(&args, &word));
}

/* Blocks within blocks beyond all sense. */
static void deep_scripts_are_walked(void **state)
{
    enum { DEEP = 100000 };
    char *script = malloc(DEEP * 2 + 8);
    lvl_buffer out = {0};

    (void)state;
    assert_non_null(script);
    memset(script, '{', DEEP);
    memset(script + DEEP, '}', DEEP);
    memcpy(script + (size_t)DEEP * 2, "a;", 3);
    lvl_graal_script_commands(lvl_text_of(script), note, &out);
    assert_int_equal(out.len, 3);
    lvl_buffer_free(&out);
    free(script);
}

/* ---- real files -------------------------------------------------------------------------------------- */

static void real_levels_are_drawn(void **state)
{
    const char *corpus = lvl_corpus_dir();
    lvl_render_options options;
    lvl_paths paths = {0};
    size_t drawn = 0, refused = 0;

    (void)state;
    if (!corpus || !lvl_paths_below(&paths, corpus, "nw graal zelda"))
        skip();
    lvl_render_options_init(&options);
    options.size = 64;
    for (size_t i = 0; i < paths.count; i += 40) {
        lvl_doc *doc = NULL;
        size_t len;
        lvl_image image;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        if (lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL) == LVL_OK) {
            lvl_scene *scene = scene_of(doc, NULL);
            assert_int_equal(lvl_render_image(scene, &options, &image), LVL_OK);
            assert_int_equal(image.width, 64);
            lvl_image_clear(&image);
            lvl_scene_free(scene);
            drawn++;
        } else {
            refused++;
        }
        lvl_doc_free(doc);
        free(data);
    }
    lvl_paths_free(&paths);
    print_message("%zu real levels drawn, %zu not read\n", drawn, refused);
    assert_true(drawn > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_cut_from_the_sheet),
        cmocka_unit_test(a_narrow_sheet_draws_nothing_beyond),
        cmocka_unit_test(the_first_game_s_sheet_is_doubled),
        cmocka_unit_test(definitions_choose_the_sheet),
        cmocka_unit_test(pictures_are_pasted),
        cmocka_unit_test(the_palette_is_swapped),
        cmocka_unit_test(a_level_names_its_tileset),
        cmocka_unit_test(levels_share_sheets),
        cmocka_unit_test(npcs_show_their_pictures),
        cmocka_unit_test(people_are_put_together),
        cmocka_unit_test(built_in_things_are_marked),
        cmocka_unit_test(tiles_have_colours_of_their_own),
        cmocka_unit_test(types_are_those_of_the_tables),
        cmocka_unit_test(only_sure_commands_are_told),
        cmocka_unit_test(deep_scripts_are_walked),
        cmocka_unit_test(real_levels_are_drawn),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
