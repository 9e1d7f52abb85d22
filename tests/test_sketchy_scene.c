/*
 * test_sketchy_scene.c: drawings of Sketchy Maze as scenes and pictures: patterns, see-through colours, paper and page types, actors and their order,
 * a doodad's frames, how pixels behave, and levels that claim nonsense. All art is made here; test_sketchy_pictures.c compares with the game.
 */
#define _DEFAULT_SOURCE
#include "base/file.h"
#include "base/format.h"

#include <lvl/render.h>
#include <lvl/sketchy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIZE = 4, CELLS = SIZE * SIZE };

static lvl_ctx ctx;
static char top[200];
static lvl_art *art;

/* ---- drawings made here ------------------------------------------------------------------------------------------------------------ */

static void *take(lvl_doc *doc, size_t count, size_t size)
{
    void *p = lvl_doc_alloc(doc, count * size);

    assert_non_null(p);
    return p;
}

static lvl_doc *drawing(uint8_t kind, uint32_t chunks)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("sketchy")), LVL_OK);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->kind = kind;
    d->page_type = LVL_SKETCHY_NO_NEGATIVE_SPACE;
    d->wallpaper = lvl_text_of("white.png"); /* the only one of ours that is plain */
    d->layers = take(doc, 1, sizeof *d->layers);
    d->layer_count = 1;
    d->layers[0].size = SIZE;
    d->layers[0].chunks = take(doc, chunks, sizeof *d->layers[0].chunks);
    d->layers[0].chunk_count = chunks;
    return doc;
}

/* Chunk x, y full of one colour; its cells, to be changed. */
static uint8_t *chunk(lvl_doc *doc, uint32_t layer, uint32_t index, int32_t x, int32_t y, uint16_t color)
{
    lvl_sketchy *d = lvl_doc_root(doc);
    const uint32_t size = d->layers[layer].size;
    uint8_t *cells = take(doc, (size_t)size * size, 2);
    char key[32];

    snprintf(key, sizeof key, "%d,%d", x, y);
    for (size_t i = 0; i < (size_t)size * size; i++) {
        cells[i * 2] = (uint8_t)color;
        cells[i * 2 + 1] = (uint8_t)(color >> 8);
    }
    d->layers[layer].chunks[index] = (lvl_sketchy_chunk){.key = lvl_doc_text(doc, lvl_text_of(key)),
                                                         .x = x,
                                                         .y = y,
                                                         .encoding = LVL_SKETCHY_CHUNK_MAP,
                                                         .pixels = {cells, size, size, 2}};
    return cells;
}

static lvl_sketchy_swatch *swatch(lvl_doc *doc, const char *color, const char *pattern)
{
    lvl_sketchy *d = lvl_doc_root(doc);

    if (!d->swatches)
        d->swatches = take(doc, 16, sizeof *d->swatches);
    assert_true(d->swatch_count < 16);
    lvl_sketchy_swatch *s = &d->swatches[d->swatch_count++];
    *s = (lvl_sketchy_swatch){
        .name = lvl_text_of(color), .color = lvl_text_of(color), .pattern = lvl_text_of(pattern)};
    return s;
}

/* ---- pictures -------------------------------------------------------------------------------------------------------------------- */

static void picture(lvl_doc *doc, const lvl_art *with, uint32_t frame, unsigned overlays, lvl_image *out,
                    uint32_t *missing)
{
    const lvl_scene_request request = {.art = with, .frame = frame};
    lvl_render_options options;
    lvl_scene *scene = NULL;

    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    lvl_render_options_init(&options);
    options.overlays = overlays;
    options.transparent = true;
    assert_int_equal(lvl_render_image(scene, &options, out), LVL_OK);
    if (missing)
        *missing = scene->missing_things;
    lvl_scene_free(scene);
}

static uint32_t at(const lvl_image *image, uint32_t x, uint32_t y)
{
    assert_true(x < image->width && y < image->height);
    const uint8_t *p = image->pixels + ((size_t)y * image->width + x) * 4;
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static void save_picture(const char *folder, const char *name, uint32_t width, uint32_t height,
                         void (*color)(uint32_t x, uint32_t y, uint8_t rgba[4]))
{
    lvl_buffer png = {0};
    lvl_image image;
    char path[512];

    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, width, height, false), LVL_OK);
    for (uint32_t i = 0; i < width * height; i++)
        color(i % width, i / width, image.pixels + (size_t)i * 4);
    snprintf(path, sizeof path, "%s/%s", top, folder);
    assert_int_equal(lvl_folder_make(path, NULL), LVL_OK);
    snprintf(path, sizeof path, "%s/%s/%s", top, folder, name);
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, NULL, &png), LVL_OK);
    assert_int_equal(lvl_file_save(path, (lvl_bytes){png.data, png.len}, LVL_SAVE_REPLACE, NULL), LVL_OK);
    lvl_buffer_free(&png);
    lvl_image_clear(&image);
}

/* 3 by 2, each px its own */
static void noise(uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint8_t v[4] = {(uint8_t)(50 + x * 60), (uint8_t)(100 + y * 100), (uint8_t)(255 - x * 20), 255};

    memcpy(rgba, v, 4);
}

/* one column of holes */
static void bars(uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint8_t v[4] = {255, 255, 255, (uint8_t)(x ? 255 : 0)};

    (void)y;
    memcpy(rgba, v, 4);
}

/* 4 by 4: each quarter is its number */
static void paper(uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint8_t v[4] = {(uint8_t)(10 * (1 + x / 2)), (uint8_t)(10 * (1 + y / 2)), 9, 255};

    memcpy(rgba, v, 4);
}

enum { CORNER = 0x0A0A09, ROW_ABOVE = 0x140A09, LEFT_COLUMN = 0x0A1409, REPEAT = 0x141409 };

/* ---- colours --------------------------------------------------------------------------------------------------------------------- */

static void patterns_are_mirrored_about_zero(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 4);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_image image;

    (void)state;
    d->page_type = LVL_SKETCHY_UNBOUNDED;
    swatch(doc, "#c86432", "noise.png");
    for (uint32_t i = 0; i < 4; i++)
        chunk(doc, 0, i, (int32_t)(i & 1) - 1, (int32_t)(i >> 1) - 1, 0);
    picture(doc, art, 0, 0, &image, NULL);
    assert_int_equal(image.width, 2 * SIZE - 1);
    assert_int_equal(image.height, 2 * SIZE - 1);
    for (int y = -SIZE; y < SIZE - 1; y++) {
        for (int x = -SIZE; x < SIZE - 1; x++) {
            uint8_t g[4];
            noise((uint32_t)abs(x) % 3, (uint32_t)abs(y) % 2, g);
            const uint32_t want = (uint32_t)(200 * g[0] / 255) << 16 | (uint32_t)(100 * g[1] / 255) << 8 |
                                  (uint32_t)(50 * g[2] / 255);
            assert_int_equal(at(&image, (uint32_t)(x + SIZE), (uint32_t)(y + SIZE)), want);
        }
    }
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

static void colors(void **state)
{
    static const struct {
        const char *color, *pattern;
        uint32_t rgb; /* over white */
    } cases[] = {
        {"#ff8040", "", 0xFF8040},
        {"ff8040", "", 0xFF8040},
        {"#FA0", "", 0xFFAA00},
        {"#ffffff", "", 0xFFFFFE},   /* as the game has it */
        {"#40000080", "", 0xBF7F7F}, /* half of the paper, and 0x40 on it */
        {"#ff8040", "unheard", 0xFF8040},
        {"#ff8040", "perlin.png", 0xFF8040},
        {"#ff8040", "noise", 0xFF8040}, /* not without its ending */
        {"#ff804", "", 0xFFFFFF},       /* no colour: nothing is drawn */
        {"", "", 0xFFFFFF},
        {"#gggggg", "", 0xFFFFFF},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 1);
        lvl_image image;
        swatch(doc, cases[i].color, cases[i].pattern);
        chunk(doc, 0, 0, 0, 0, 0);
        picture(doc, NULL, 0, 0, &image, NULL);
        if (at(&image, 1, 1) != cases[i].rgb)
            fail_msg("%s: %06x", cases[i].color, at(&image, 1, 1));
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* A px of no swatch shows the paper, one where its pattern has a hole nearly so. */
static void nothing_and_holes(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 1);
    lvl_image image;

    (void)state;
    swatch(doc, "#ff8040", "bars.png");
    ((lvl_sketchy *)lvl_doc_root(doc))->wallpaper = lvl_text_of("own.png");
    uint8_t *cells = chunk(doc, 0, 0, 0, 0, 0);
    cells[2] = 7; /* beyond the palette */
    cells[SIZE * 2 + 2] = cells[SIZE * 2 + 3] = 0xFF;
    picture(doc, art, 0, 0, &image, NULL);
    assert_int_equal(at(&image, 1, 0), CORNER);
    assert_int_equal(at(&image, 1, 1), CORNER);
    assert_int_equal(at(&image, 1, 2), 0xFF8040);
    assert_int_equal(at(&image, 0, 0), 0x0B0908); /* 1 of 255 of red over it */
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

/* ---- pages ----------------------------------------------------------------------------------------------------------------------- */

static void pages(void **state)
{
    static const struct {
        int64_t type;
        int32_t x, y; /* of a chunk beside 0, 0 */
        uint32_t width, height;
        uint32_t corner, above, left;
    } cases[] = {
        {LVL_SKETCHY_NO_NEGATIVE_SPACE, 1, 0, 7, 3, CORNER, ROW_ABOVE, LEFT_COLUMN},
        {LVL_SKETCHY_NO_NEGATIVE_SPACE, -1, 0, 7, 3, CORNER, ROW_ABOVE, LEFT_COLUMN},
        {LVL_SKETCHY_UNBOUNDED, 1, 1, 7, 7, REPEAT, REPEAT, REPEAT},
        {LVL_SKETCHY_UNBOUNDED, -1, -2, 7, 11, REPEAT, REPEAT, REPEAT},
        {LVL_SKETCHY_BOUNDED, 1, 1, 20, 9, CORNER, ROW_ABOVE, LEFT_COLUMN},
        {LVL_SKETCHY_BORDERED, 1, 1, 20, 9, CORNER, ROW_ABOVE, LEFT_COLUMN},
        {17, 1, 1, 7, 7, CORNER, ROW_ABOVE, LEFT_COLUMN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 2);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_image image;
        d->page_type = cases[i].type;
        d->bounded_width = 20;
        d->bounded_height = 9;
        d->wallpaper = lvl_text_of("own.png");
        chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
        chunk(doc, 0, 1, cases[i].x, cases[i].y, LVL_SKETCHY_NONE);
        picture(doc, art, 0, 0, &image, NULL);
        assert_int_equal(image.width, cases[i].width);
        assert_int_equal(image.height, cases[i].height);
        assert_int_equal(at(&image, 1, 1), cases[i].corner);
        assert_int_equal(at(&image, 3, 0), cases[i].above);
        assert_int_equal(at(&image, 0, 2), cases[i].left);
        assert_int_equal(at(&image, 4, 2), REPEAT);
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* ---- actors ---------------------------------------------------------------------------------------------------------------------- */

/* Without art there is a paper of our own, dark where the game's is. */
static void own_papers(void **state)
{
    static const struct {
        const char *wallpaper;
        bool dark;
    } cases[] = {{"", false},
                 {"notebook.png", false},
                 {"legal.png", false},
                 {"blueprint.png", true},
                 {"dots-dark.png", true}};
    uint32_t seen[5];

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 1);
        lvl_image image;
        ((lvl_sketchy *)lvl_doc_root(doc))->wallpaper = lvl_text_of(cases[i].wallpaper);
        chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
        picture(doc, NULL, 0, 0, &image, NULL);
        seen[i] = at(&image, 1, 1);
        assert_int_equal((seen[i] >> 8 & 255) < 128, cases[i].dark);
        assert_int_not_equal(at(&image, 0, 1), seen[i]); /* it is squared */
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
    assert_int_equal(seen[0], seen[1]);
    assert_int_not_equal(seen[1], seen[2]);
}

/* A wallpaper that the level brings along, in any kind of picture, as base64 with or without line breaks, or as it is. */
static void attached_wallpapers(void **state)
{
    static const char gif[] = "R0lGODlhBAAEAIEAAMgKCgrICgoKyPDwZCwAAAAABAAEAAACCgSYEGBCiRslbgUAOw==";
    static const char broken[] =
        "R0lGODlhBAAEAIEAAMgKCgrICgoKyPDwZCwA\r\nAAAABAAEAAACCgSY\nEGBCiRslbgUAOw==\n";
    static const uint8_t bare[] = {'G',  'I',  'F',  '8',  '9',  'a',  4,    0,  4,   0,   0x81, 0,   0,
                                   200,  10,   10,   10,   200,  10,   10,   10, 200, 240, 240,  100, ',',
                                   0,    0,    0,    0,    4,    0,    4,    0,  0,   2,   10,   4,   0x98,
                                   0x10, 0x60, 0x42, 0x89, 0x1B, 0x25, 0x6E, 5,  0,   ';'};
    const lvl_bytes files[] = {{(const uint8_t *)gif, sizeof gif - 1},
                               {(const uint8_t *)broken, sizeof broken - 1},
                               {bare, sizeof bare}};

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 2);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_image image;
        d->wallpaper = lvl_text_of("own.gif");
        d->files = take(doc, 1, sizeof *d->files);
        d->file_count = 1;
        d->files[0] = (lvl_sketchy_file){.path = lvl_text_of("assets/wallpapers/own.gif"), .data = files[i]};
        chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
        chunk(doc, 0, 1, 3, 3, LVL_SKETCHY_NONE);
        picture(doc, art, 0, 0, &image, NULL);
        assert_int_equal(at(&image, 1, 1), 0xC80A0A);
        assert_int_equal(at(&image, 3, 1), 0x0AC80A);
        assert_int_equal(at(&image, 1, 2), 0x0A0AC8);
        assert_int_equal(at(&image, 5, 6), 0xF0F064);
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* A doodad of one colour, as a file in the level. */
static void embed(lvl_doc *level, uint32_t index, const char *path, const char *color)
{
    lvl_sketchy *d = lvl_doc_root(level);
    lvl_doc *doodad = drawing(LVL_SKETCHY_DOODAD, 1);
    lvl_buffer out = {0};

    swatch(doodad, color, "");
    chunk(doodad, 0, 0, 0, 0, 0);
    assert_int_equal(lvl_doc_write(doodad, &out), LVL_OK);
    uint8_t *bytes = take(level, out.len, 1);
    memcpy(bytes, out.data, out.len);
    d->files[index] = (lvl_sketchy_file){.path = lvl_text_of(path), .data = {bytes, out.len}};
    lvl_buffer_free(&out);
    lvl_doc_free(doodad);
}

static void actors_lie_in_the_order_of_their_ids(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 2);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_image image;
    uint32_t missing;

    (void)state;
    chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    chunk(doc, 0, 1, 3, 3, LVL_SKETCHY_NONE);
    d->files = take(doc, 2, sizeof *d->files);
    d->file_count = 2;
    embed(doc, 0, "assets/doodads/red.doodad", "#ff0000");
    embed(doc, 1, "assets/doodads/blue.doodad", "#0000ff");
    d->actors = take(doc, 4, sizeof *d->actors);
    d->actor_count = 4;
    d->actors[0] =
        (lvl_sketchy_actor){.id = lvl_text_of("b"), .filename = lvl_text_of("red.doodad"), .point = {4, 4}};
    d->actors[1] =
        (lvl_sketchy_actor){.id = lvl_text_of("a"), .filename = lvl_text_of("blue.doodad"), .point = {2, 2}};
    d->actors[2] = (lvl_sketchy_actor){
        .id = lvl_text_of("ab"), .filename = lvl_text_of("blue.doodad"), .point = {-2, 8}};
    d->actors[3] =
        (lvl_sketchy_actor){.id = lvl_text_of("c"), .filename = lvl_text_of("none.doodad"), .point = {2, 2}};
    picture(doc, NULL, 0, 0, &image, &missing);
    assert_int_equal(missing, 1);
    assert_int_equal(at(&image, 2, 2), 0x0000FF);
    assert_int_equal(at(&image, 5, 5), 0xFF0000); /* both are there */
    assert_int_equal(at(&image, 1, 9), 0x0000FF);
    assert_int_equal(at(&image, 2, 9), 0xFFFFFF);
    lvl_image_clear(&image);
    /* the other way round */
    d->actors[0].id = lvl_text_of("A");
    picture(doc, NULL, 0, 0, &image, &missing);
    assert_int_equal(at(&image, 5, 5), 0x0000FF);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

/* One of several chunks is drawn whole, as the game shows it while one plays, and not cut to its first as in the game's own screenshots. */
static void large_doodads(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 2), *doodad = drawing(LVL_SKETCHY_DOODAD, 3);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_buffer out = {0};
    lvl_image image;

    (void)state;
    swatch(doodad, "#ff0000", "");
    swatch(doodad, "#0000ff", "");
    chunk(doodad, 0, 0, 0, 0, 0);
    chunk(doodad, 0, 1, 1, 1, 1);
    chunk(doodad, 0, 2, -1, 0, 1); /* beyond its canvas */
    assert_int_equal(lvl_doc_write(doodad, &out), LVL_OK);
    d->files = take(doc, 1, sizeof *d->files);
    d->file_count = 1;
    d->files[0] =
        (lvl_sketchy_file){.path = lvl_text_of("assets/doodads/two.doodad"), .data = {out.data, out.len}};
    chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    chunk(doc, 0, 1, 3, 3, LVL_SKETCHY_NONE);
    d->actors = take(doc, 1, sizeof *d->actors);
    d->actor_count = 1;
    d->actors[0] =
        (lvl_sketchy_actor){.id = lvl_text_of("a"), .filename = lvl_text_of("two.doodad"), .point = {2, 1}};
    picture(doc, NULL, 0, 0, &image, NULL);
    assert_int_equal(at(&image, 2, 1), 0xFF0000);
    assert_int_equal(at(&image, 2 + SIZE, 1 + SIZE), 0x0000FF);
    assert_int_equal(at(&image, 2 + SIZE, 1), 0xFFFFFF);
    assert_int_equal(at(&image, 1, 1), 0xFFFFFF);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
    lvl_doc_free(doodad);
    lvl_buffer_free(&out);
}

static void doodads_have_frames(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_DOODAD, 1);
    lvl_sketchy *d = lvl_doc_root(doc);
    const lvl_scene_request request = {.art = NULL};
    lvl_sketchy_layer *layers = take(doc, 3, sizeof *layers);
    lvl_play *play = NULL;

    (void)state;
    static const char *const wanted[] = {"#ff0000", "#00ff00", "#0000ff"};
    d->layers = layers;
    d->layer_count = 3;
    d->size = (lvl_sketchy_rect){0, 0, 3, 2};
    for (uint32_t i = 0; i < 3; i++) {
        layers[i] = (lvl_sketchy_layer){
            .size = SIZE, .chunks = take(doc, 1, sizeof *layers[i].chunks), .chunk_count = 1};
        swatch(doc, wanted[i], "");
        chunk(doc, i, 0, 0, 0, (uint16_t)i);
    }
    assert_int_equal(lvl_doc_play(doc, &request, &play), LVL_OK);
    assert_int_equal(play->frames, 3);
    assert_int_equal(play->directions, 1);
    assert_true(play->durations[2] > 0);
    lvl_play_free(&ctx, play);
    for (uint32_t i = 0; i < 5; i++) { /* past the end: the last one */
        lvl_image image;
        picture(doc, NULL, i, 0, &image, NULL);
        assert_int_equal(image.width, 3);
        assert_int_equal(image.height, 2);
        assert_int_equal(at(&image, 2, 1), 0xFF0000u >> (i > 2 ? 16 : i * 8));
        lvl_image_clear(&image);
    }
    lvl_doc_free(doc);
    doc = drawing(LVL_SKETCHY_LEVEL, 1);
    chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    assert_int_equal(lvl_doc_play(doc, &request, &play), LVL_ERR_UNSUPPORTED);
    lvl_doc_free(doc);
}

/* ---- how pixels behave ------------------------------------------------------------------------------------------------------------ */

static void overlays_show_what_pixels_do(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 1);
    const lvl_scene_request request = {.art = NULL};
    static const lvl_look looks[] = {LVL_LOOK_CLEAR, LVL_LOOK_SOLID, LVL_LOOK_DEATH,
                                     LVL_LOOK_WATER, LVL_LOOK_OTHER, LVL_LOOK_GROUND};
    lvl_image plain, tinted;
    lvl_scene_tile tile;
    lvl_scene *scene;
    uint32_t value;

    (void)state;
    swatch(doc, "#808080", "");
    swatch(doc, "#808080", "")->solid = 1;
    lvl_sketchy_swatch *fire = swatch(doc, "#808080", "");
    fire->fire = fire->solid = 1; /* what kills counts first */
    swatch(doc, "#808080", "")->water = 1;
    lvl_sketchy_swatch *ice = swatch(doc, "#808080", "");
    ice->slippery = ice->solid = 1; /* that one slips says more than that one stands */
    swatch(doc, "#808080", "")->semisolid = 1;
    uint8_t *cells = chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    for (size_t i = 0; i < 6; i++) {
        const size_t place = i / 3 * SIZE + i % 3; /* the last column and row aren't in pictures */
        cells[place * 2] = (uint8_t)i;
        cells[place * 2 + 1] = 0;
    }
    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    assert_string_equal(scene->look_names[LVL_LOOK_DEATH], "fire");
    assert_null(scene->look_names[LVL_LOOK_SOLID]);
    const lvl_scene_layer *layer = &scene->layers[scene->main_layer];
    layer->cells(layer, 0, 0, 1, &value);
    layer->tile(layer, value, &tile);
    assert_non_null(tile.mask);
    assert_int_equal(tile.mask_width, SIZE);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(tile.mask[i / 3 * SIZE + i % 3], looks[i]);
    lvl_scene_free(scene);

    picture(doc, NULL, 0, 0, &plain, NULL);
    picture(doc, NULL, 0, LVL_OVERLAY_TILES, &tinted, NULL);
    for (uint32_t i = 0; i < 6; i++) { /* each in a colour of its own; what does nothing is pale */
        assert_int_not_equal(at(&plain, i % 3, i / 3), at(&tinted, i % 3, i / 3));
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(at(&tinted, k % 3, k / 3), at(&tinted, i % 3, i / 3));
    }
    assert_int_equal(at(&plain, 1, 2), at(&tinted, 1, 2)); /* nothing is there */
    lvl_image_clear(&plain);
    lvl_image_clear(&tinted);
    lvl_doc_free(doc);
}

/* ---- nonsense -------------------------------------------------------------------------------------------------------------------- */

/* Scene and picture answer something, and if there is a picture it isn't larger than it may be. */
static lvl_status tried(lvl_doc *doc)
{
    const lvl_scene_request request = {.art = art};
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_image image = {0};

    lvl_render_options_init(&options);
    lvl_status status = lvl_doc_scene(doc, &request, &scene);
    if (status != LVL_OK)
        return status;
    options.region_given = true;
    options.region = (lvl_rect){0, 0, 63, 63};
    status = lvl_render_image(scene, &options, &image);
    lvl_image_clear(&image);
    lvl_scene_free(scene);
    return status;
}

static void nonsense_is_borne(void **state)
{
    static const int32_t far[] = {INT32_MAX, INT32_MIN, INT32_MAX / SIZE, INT32_MIN / SIZE, 1 << 20};
    static const uint32_t sizes[] = {0, 256, 65536, UINT32_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        for (int64_t type = 0; type < 3; type++) {
            lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 2);
            ((lvl_sketchy *)lvl_doc_root(doc))->page_type = type;
            chunk(doc, 0, 0, 0, 0, 0);
            chunk(doc, 0, 1, far[i], far[i], 0);
            const lvl_status status = tried(doc);
            assert_true(status == LVL_ERR_LIMIT || (type && far[i] < 0));
            lvl_doc_free(doc);
        }
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 1);
        chunk(doc, 0, 0, 0, 0, 0);
        ((lvl_sketchy *)lvl_doc_root(doc))->layers[0].size = sizes[i];
        assert_int_equal(tried(doc), LVL_ERR_UNSUPPORTED);
        lvl_doc_free(doc);
    }
    /* no layer, a layer without chunks, cells of another size than they should be */
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 1);
    lvl_sketchy *d = lvl_doc_root(doc);
    chunk(doc, 0, 0, 0, 0, 0);
    d->layers[0].size = 7;
    assert_int_equal(tried(doc), LVL_OK);
    d->layers[0].chunk_count = 0;
    assert_int_equal(tried(doc), LVL_OK);
    d->layer_count = 0;
    assert_int_equal(tried(doc), LVL_ERR_UNSUPPORTED);
    lvl_doc_free(doc);
}

static void pages_beyond_sense(void **state)
{
    static const int64_t sides[] = {INT64_MIN, -1, 0, 1, 1 << 20, INT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 1);
        lvl_sketchy *d = lvl_doc_root(doc);
        chunk(doc, 0, 0, 0, 0, 0);
        d->page_type = LVL_SKETCHY_BOUNDED;
        d->bounded_width = sides[i];
        d->bounded_height = sides[sizeof sides / sizeof *sides - 1 - i];
        d->scroll = (lvl_sketchy_point){INT64_MIN + 1, INT64_MAX};
        const lvl_status status = tried(doc);
        assert_true(status == LVL_OK || status == LVL_ERR_LIMIT || status == LVL_ERR_ARG);
        lvl_doc_free(doc);
    }
}

static void crowds(void **state)
{
    enum { MANY = 20000 };
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL, 2);
    lvl_sketchy *d = lvl_doc_root(doc);

    (void)state;
    chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    chunk(doc, 0, 1, 100, 100, LVL_SKETCHY_NONE);
    d->files = take(doc, 1, sizeof *d->files);
    d->file_count = 1;
    embed(doc, 0, "assets/doodads/red.doodad", "#ff0000");
    d->actors = take(doc, MANY, sizeof *d->actors);
    d->actor_count = MANY;
    for (uint32_t i = 0; i < MANY; i++) { /* ids that many share, links to nobody and to oneself */
        lvl_sketchy_actor *a = &d->actors[i];
        a->id = lvl_text_of(i & 1 ? "x" : "y");
        a->filename = lvl_text_of(i & 2 ? "red.doodad" : i & 4 ? "" : "a/b.doodad");
        a->point = (lvl_sketchy_point){i % 397, i % 391};
        a->links = take(doc, 2, sizeof *a->links);
        a->link_count = 2;
        a->links[0] = lvl_text_of("nobody");
        a->links[1] = a->id;
    }
    d->actors[7].point = (lvl_sketchy_point){INT64_MAX, INT64_MIN + 1};
    assert_int_equal(tried(doc), LVL_OK);
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_are_mirrored_about_zero),
        cmocka_unit_test(colors),
        cmocka_unit_test(nothing_and_holes),
        cmocka_unit_test(pages),
        cmocka_unit_test(actors_lie_in_the_order_of_their_ids),
        cmocka_unit_test(doodads_have_frames),
        cmocka_unit_test(large_doodads),
        cmocka_unit_test(own_papers),
        cmocka_unit_test(attached_wallpapers),
        cmocka_unit_test(overlays_show_what_pixels_do),
        cmocka_unit_test(nonsense_is_borne),
        cmocka_unit_test(pages_beyond_sense),
        cmocka_unit_test(crowds),
    };
    static const char *const made[] = {"pattern/noise.png", "pattern/bars.png", "wallpapers/own.png",
                                       "wallpapers/notebook.png"};
    char path[512];

    lvl_ctx_init(&ctx);
    snprintf(top, sizeof top, "/tmp/lvl-sketchy-XXXXXX");
    if (!mkdtemp(top))
        return 1;
    save_picture("pattern", "noise.png", 3, 2, noise);
    save_picture("pattern", "bars.png", 2, 2, bars);
    save_picture("wallpapers", "own.png", 4, 4, paper);
    save_picture("wallpapers", "notebook.png", 4, 4, paper);
    art = lvl_art_new(&ctx);
    const bool fine = art && lvl_art_add(art, top) == LVL_OK;
    const int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    lvl_art_free(art);
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", top, made[i]);
        remove(path);
    }
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", top, i ? "pattern" : "wallpapers");
        rmdir(path);
    }
    rmdir(top);
    return failed;
}
