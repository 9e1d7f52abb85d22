/*
 * test_sketchy_scene.c: drawings of Sketchy Maze as scenes and pictures: patterns, transparent colours, paper
 * and page types, frames of a doodad, behaviour of pixels, and levels with extreme values. All art is made
 * here; test_sketchy_actors.c has the actors, test_sketchy_pictures.c compares with the game.
 */
#include "base/format.h"
#include "sketchy_draw.h"
#include "codec/png.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = LVL_DRAW_SIZE };

static const lvl_art *art;

/* ---- colours ----------------------------------------------------------------------------------------- */

static void patterns_are_mirrored_about_zero(void **state)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 4);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_image image;

    (void)state;
    d->page_type = LVL_SKETCHY_UNBOUNDED;
    lvl_draw_swatch(doc, "#c86432", "noise.png");
    for (uint32_t i = 0; i < 4; i++)
        lvl_draw_chunk(doc, 0, i, (int32_t)(i & 1) - 1, (int32_t)(i >> 1) - 1, 0);
    lvl_draw_picture(doc, &(lvl_draw_how){.art = art}, &image, NULL);
    assert_int_equal(image.width, 2 * SIZE - 1);
    assert_int_equal(image.height, 2 * SIZE - 1);
    for (int y = -SIZE; y < SIZE - 1; y++) {
        for (int x = -SIZE; x < SIZE - 1; x++) {
            uint8_t g[4];
            lvl_draw_noise((uint32_t)abs(x) % 3, (uint32_t)abs(y) % 2, g);
            const uint32_t want = (uint32_t)(200 * g[0] / 255) << 16 | (uint32_t)(100 * g[1] / 255) << 8 |
                                  (uint32_t)(50 * g[2] / 255);
            assert_int_equal(lvl_draw_at(&image, (uint32_t)(x + SIZE), (uint32_t)(y + SIZE)), want);
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
        {"#ffffff", "", 0xFFFFFE}, /* as the game has it */
        {"#40000080", "", 0xBF7F7F}, /* half of the paper, and 0x40 on it */
        {"#ff8040", "unheard", 0xFF8040},
        {"#ff8040", "perlin.png", 0xFF8040},
        {"#ff8040", "noise", 0xFF8040}, /* not without its ending */
        {"#ff804", "", 0xFFFFFF}, /* no colour: nothing is drawn */
        {"", "", 0xFFFFFF},
        {"#gggggg", "", 0xFFFFFF},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
        lvl_image image;
        lvl_draw_swatch(doc, cases[i].color, cases[i].pattern);
        lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
        lvl_draw_picture(doc, &(lvl_draw_how){0}, &image, NULL);
        if (lvl_draw_at(&image, 1, 1) != cases[i].rgb)
            fail_msg("%s: %06x", cases[i].color, lvl_draw_at(&image, 1, 1));
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* The game's patterns have one name each, and others none: a file of that name changes nothing. */
static void names_of_patterns(void **state)
{
    static const char *const plain[] = {"noise", "Noise.png", "own.png", "../pattern/noise.png"};

    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
        lvl_image image;
        lvl_draw_swatch(doc, "#ff8040", plain[i]);
        lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
        lvl_draw_picture(doc, &(lvl_draw_how){.art = art}, &image, NULL);
        assert_int_equal(lvl_draw_at(&image, 1, 1), 0xFF8040);
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* White is made blue 254 before its pattern comes to it, half of white isn't white. */
static void whites(void **state)
{
    static const struct {
        const char *color, *pattern;
        uint32_t rgb;
    } cases[] = {
        {"#fff", "", 0xFFFFFE},
        {"#ffffffff", "", 0xFFFFFE},
        {"#ffffff80", "", 0x7F7F7F}, /* more than 8 bits hold: it comes round */
        {"#ffffff", "noise.png", 0x6EC8EA}, /* 254 * 235 / 255 */
        {"#ffffff00", "", 0xFFFFFF},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
        lvl_image image;
        lvl_draw_swatch(doc, cases[i].color, cases[i].pattern);
        lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
        ((lvl_sketchy *)lvl_doc_root(doc))->wallpaper = lvl_text_of("white.png");
        lvl_draw_picture(doc, &(lvl_draw_how){.art = cases[i].pattern[0] ? art : NULL}, &image, NULL);
        if (lvl_draw_at(&image, 1, 1) != cases[i].rgb)
            fail_msg("%s %s: %06x", cases[i].color, cases[i].pattern, lvl_draw_at(&image, 1, 1));
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* A px of no swatch shows the paper, one where its pattern has a hole nearly so. */
static void nothing_and_holes(void **state)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
    lvl_image image;

    (void)state;
    lvl_draw_swatch(doc, "#ff8040", "bars.png");
    ((lvl_sketchy *)lvl_doc_root(doc))->wallpaper = lvl_text_of("own.png");
    uint8_t *cells = lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
    cells[2] = 7; /* beyond the palette */
    cells[SIZE * 2 + 2] = cells[SIZE * 2 + 3] = 0xFF;
    lvl_draw_picture(doc, &(lvl_draw_how){.art = art}, &image, NULL);
    assert_int_equal(lvl_draw_at(&image, 1, 0), CORNER);
    assert_int_equal(lvl_draw_at(&image, 1, 1), CORNER);
    assert_int_equal(lvl_draw_at(&image, 1, 2), 0xFF8040);
    assert_int_equal(lvl_draw_at(&image, 0, 0), 0x0B0908); /* 1 of 255 of red over it */
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

/* ---- pages ------------------------------------------------------------------------------------------- */

static void pages(void **state)
{
    static const struct {
        int64_t type;
        int32_t x, y; /* of a chunk next to 0, 0 */
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
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_image image;
        d->page_type = cases[i].type;
        d->bounded_width = 20;
        d->bounded_height = 9;
        d->wallpaper = lvl_text_of("own.png");
        lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
        lvl_draw_chunk(doc, 0, 1, cases[i].x, cases[i].y, LVL_SKETCHY_NONE);
        lvl_draw_picture(doc, &(lvl_draw_how){.art = art}, &image, NULL);
        assert_int_equal(image.width, cases[i].width);
        assert_int_equal(image.height, cases[i].height);
        assert_int_equal(lvl_draw_at(&image, 1, 1), cases[i].corner);
        assert_int_equal(lvl_draw_at(&image, 3, 0), cases[i].above);
        assert_int_equal(lvl_draw_at(&image, 0, 2), cases[i].left);
        assert_int_equal(lvl_draw_at(&image, 4, 2), REPEAT);
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* Negative places are shown where the page has them, and by the camera anyway: a page of the kind that begins
 * at 0 may have been drawn beyond. */
static void negative_places(void **state)
{
    for (int64_t type = LVL_SKETCHY_UNBOUNDED; type <= LVL_SKETCHY_BORDERED; type++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_image image;
        (void)state;
        d->page_type = type;
        d->bounded_width = d->bounded_height = 8;
        lvl_draw_swatch(doc, "#ff0000", "");
        lvl_draw_swatch(doc, "#0000ff", "");
        lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
        lvl_draw_chunk(doc, 0, 1, -2, -1, 1);
        const bool open = type == LVL_SKETCHY_UNBOUNDED;
        lvl_draw_picture(doc, &(lvl_draw_how){0}, &image, NULL);
        assert_int_equal(lvl_draw_at(&image, 1, 1), open ? 0x0000FF : 0xFF0000);
        lvl_image_clear(&image);
        /* world -6, -3 in the corner */
        lvl_draw_picture(doc,
                         &(lvl_draw_how){.x = open ? 2 : -6, .y = open ? 1 : -3, .width = 12, .height = 8},
                         &image, NULL);
        assert_int_equal(lvl_draw_at(&image, 0, 0), 0x0000FF);
        assert_int_equal(lvl_draw_at(&image, 1, 2), 0x0000FF);
        assert_int_equal(lvl_draw_at(&image, 2, 2), 0xFFFFFF);
        assert_int_equal(lvl_draw_at(&image, 6, 3), 0xFF0000);
        assert_int_equal(lvl_draw_at(&image, 5, 3), 0xFFFFFF);
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* Behind a view's corner the paper's edges run on for as many sheets as fill the view, though they begin
 * before it. What is seen through shows the same paper. */
static void edges_end_before_the_view(void **state)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_image image;

    (void)state;
    d->wallpaper = lvl_text_of("own.png"); /* quarters of 2 by 2 */
    lvl_draw_swatch(doc, "#00000001", "");
    uint8_t *cells = lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    lvl_draw_picture(doc, &(lvl_draw_how){.art = art, .x = 1, .y = 1, .width = 4, .height = 2}, &image, NULL);
    assert_int_equal(lvl_draw_at(&image, 0, 0), CORNER);
    assert_int_equal(lvl_draw_at(&image, 2, 0), ROW_ABOVE);
    assert_int_equal(lvl_draw_at(&image, 3, 0), REPEAT);
    assert_int_equal(lvl_draw_at(&image, 0, 1),
                     REPEAT); /* one sheet down, of which one row is before the view */
    lvl_image_clear(&image);
    cells[SIZE * 2 * 2 + 2] = cells[SIZE * 2 * 2 + 3] = 0; /* at 1, 2 */
    lvl_draw_picture(doc, &(lvl_draw_how){.art = art, .x = 1, .y = 1, .width = 4, .height = 2}, &image, NULL);
    assert_int_equal(lvl_draw_at(&image, 0, 1), REPEAT - 0x010100 - 0x000001);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

/* ---- papers ------------------------------------------------------------------------------------------ */

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
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
        lvl_image image;
        ((lvl_sketchy *)lvl_doc_root(doc))->wallpaper = lvl_text_of(cases[i].wallpaper);
        lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
        lvl_draw_picture(doc, &(lvl_draw_how){0}, &image, NULL);
        seen[i] = lvl_draw_at(&image, 1, 1);
        assert_int_equal((seen[i] >> 8 & 255) < 128, cases[i].dark);
        assert_int_not_equal(lvl_draw_at(&image, 0, 1), seen[i]); /* it is squared */
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
    assert_int_equal(seen[0], seen[1]);
    assert_int_not_equal(seen[1], seen[2]);
}

/* Quarters that are seen through let those below them show, and white below all. */
static void wallpapers_seen_through(void **state)
{
    lvl_image picture, image;
    lvl_buffer png = {0};

    (void)state;
    for (int edges = 0; edges < 2; edges++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
        lvl_sketchy *d = lvl_doc_root(doc);
        d->page_type = edges ? LVL_SKETCHY_NO_NEGATIVE_SPACE : LVL_SKETCHY_UNBOUNDED;
        assert_int_equal(lvl_image_init(&picture, &lvl_drawing.ctx, LVL_PIXELS_RGBA8, 4, 4, false), LVL_OK);
        for (uint32_t i = 0; i < 16; i++) {
            const unsigned quarter = (i % 4 >= 2 ? 1 : 0) + (i >= 8 ? 2 : 0);
            const uint8_t light = quarter ? 100 : 200;
            const uint8_t v[4] = {light, light, light,
                                  (uint8_t)(quarter == 0   ? 128
                                            : quarter == 3 ? 255
                                                           : 0)};
            memcpy(picture.pixels + (size_t)i * 4, v, 4);
        }
        assert_int_equal(lvl_png_write_buffer(&lvl_drawing.ctx, &picture, NULL, &png), LVL_OK);
        d->wallpaper = lvl_text_of("through.png");
        d->files = lvl_draw_take(doc, 1, sizeof *d->files);
        d->file_count = 1;
        d->files[0] = (lvl_sketchy_file){.path = lvl_text_of("assets/wallpapers/through.png"),
                                         .data = {png.data, png.len}};
        lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
        lvl_draw_picture(doc, &(lvl_draw_how){.art = art}, &image, NULL);
        assert_int_equal(lvl_draw_at(&image, 0, 0), edges ? 0x969696 : 0x646464);
        assert_int_equal(lvl_draw_at(&image, 2, 0), 0x646464);
        assert_int_equal(lvl_draw_at(&image, 0, 2), 0x646464);
        assert_int_equal(lvl_draw_at(&image, 2, 2), 0x646464);
        lvl_image_clear(&image);
        lvl_image_clear(&picture);
        lvl_doc_free(doc);
        lvl_buffer_free(&png);
    }
}

/* A wallpaper that the level brings along, in any kind of picture, as base64 with or without line breaks, or
 * as it is. */
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
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_image image;
        d->wallpaper = lvl_text_of("own.gif");
        d->files = lvl_draw_take(doc, 1, sizeof *d->files);
        d->file_count = 1;
        d->files[0] = (lvl_sketchy_file){.path = lvl_text_of("assets/wallpapers/own.gif"), .data = files[i]};
        lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
        lvl_draw_chunk(doc, 0, 1, 3, 3, LVL_SKETCHY_NONE);
        lvl_draw_picture(doc, &(lvl_draw_how){.art = art}, &image, NULL);
        assert_int_equal(lvl_draw_at(&image, 1, 1), 0xC80A0A);
        assert_int_equal(lvl_draw_at(&image, 3, 1), 0x0AC80A);
        assert_int_equal(lvl_draw_at(&image, 1, 2), 0x0A0AC8);
        assert_int_equal(lvl_draw_at(&image, 5, 6), 0xF0F064);
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

/* The game then uses its notebook, whichever other file has the name. */
static void attached_wallpapers_may_be_broken(void **state)
{
    static const char *const attached[] = {"assets/wallpapers/red.png", "assets/wallpapers/other.png"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_image image;
        d->files = lvl_draw_take(doc, 1, sizeof *d->files);
        d->file_count = 1;
        d->files[0] =
            (lvl_sketchy_file){.path = lvl_text_of(attached[i]), .data = {(const uint8_t *)"no picture", 10}};
        lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
        d->wallpaper = lvl_text_of("red.png");
        lvl_draw_picture(doc, &(lvl_draw_how){.art = art}, &image, NULL);
        assert_int_equal(lvl_draw_at(&image, 0, 0), i ? 0xFF0000 : CORNER);
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

static void doodads_have_frames(void **state)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_DOODAD, 1);
    lvl_sketchy *d = lvl_doc_root(doc);
    const lvl_scene_request request = {.art = NULL};
    lvl_sketchy_layer *layers = lvl_draw_take(doc, 3, sizeof *layers);
    lvl_animation *play = NULL;

    (void)state;
    static const char *const wanted[] = {"#ff0000", "#00ff00", "#0000ff"};
    d->layers = layers;
    d->layer_count = 3;
    d->size = (lvl_sketchy_rect){0, 0, 3, 2};
    for (uint32_t i = 0; i < 3; i++) {
        layers[i] = (lvl_sketchy_layer){
            .size = SIZE, .chunks = lvl_draw_take(doc, 1, sizeof *layers[i].chunks), .chunk_count = 1};
        lvl_draw_swatch(doc, wanted[i], "");
        lvl_draw_chunk(doc, i, 0, 0, 0, (uint16_t)i);
    }
    assert_int_equal(lvl_doc_play(doc, &request, &play), LVL_OK);
    assert_int_equal(play->frames, 3);
    assert_int_equal(play->directions, 1);
    assert_true(play->durations[2] > 0);
    lvl_animation_free(&lvl_drawing.ctx, play);
    for (uint32_t i = 0; i < 5; i++) { /* past the end: the last one */
        lvl_image image;
        lvl_draw_picture(doc, &(lvl_draw_how){.frame = i}, &image, NULL);
        assert_int_equal(image.width, 3);
        assert_int_equal(image.height, 2);
        assert_int_equal(lvl_draw_at(&image, 2, 1), 0xFF0000u >> (i > 2 ? 16 : i * 8));
        lvl_image_clear(&image);
    }
    lvl_doc_free(doc);
    doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
    lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    assert_int_equal(lvl_doc_play(doc, &request, &play), LVL_ERR_UNSUPPORTED);
    lvl_doc_free(doc);
}

/* ---- what changed ------------------------------------------------------------------------------------ */

static lvl_scene *scene_of(const lvl_doc *doc)
{
    const lvl_scene_request request = {.art = NULL};
    lvl_scene *scene = NULL;

    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    return scene;
}

/* A level of two chunks of SIZE px, side by side from x = 0 on; in a file they are in any order. */
static lvl_doc *two_chunks(bool swapped, uint8_t **left, uint8_t **right)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 3);

    ((lvl_sketchy *)lvl_doc_root(doc))->page_type = LVL_SKETCHY_UNBOUNDED;
    lvl_draw_swatch(doc, "#ff0000", "");
    lvl_draw_swatch(doc, "#00ff00", "");
    lvl_draw_swatch(doc, "#ff0000", "")->fire = true;
    *left = lvl_draw_chunk(doc, 0, swapped, 0, 0, 0);
    *right = lvl_draw_chunk(doc, 0, !swapped, 1, 0, LVL_SKETCHY_NONE);
    return doc;
}

static void put(uint8_t *cells, int x, int y, uint16_t index)
{
    cells[(y * SIZE + x) * 2] = (uint8_t)index;
    cells[(y * SIZE + x) * 2 + 1] = (uint8_t)(index >> 8);
}

typedef struct expected_change {
    lvl_change_kind kind;
    lvl_rect rect;
} expected_change;

static void expect_changes(const lvl_doc *before, const lvl_doc *after, const expected_change *want, size_t n)
{
    lvl_scene *a = scene_of(before), *b = scene_of(after);
    lvl_scene_change *changes = NULL;
    size_t count = 0;

    assert_int_equal(lvl_scene_compare(a, b, &changes, &count), LVL_OK);
    assert_int_equal(count, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(changes[i].kind, want[i].kind);
        assert_memory_equal(&changes[i].rect, &want[i].rect, sizeof want[i].rect);
        assert_false(changes[i].thing);
    }
    lvl_scene_changes_free(a, changes);
    lvl_scene_free(a);
    lvl_scene_free(b);
}

static void changed_pixels_are_found(void **state)
{
    uint8_t *left, *right;
    lvl_doc *before = two_chunks(false, &left, &right), *after = two_chunks(true, &left, &right);

    (void)state;
    expect_changes(before, after, NULL, 0); /* the order of chunks means nothing */
    put(left, 1, 1, 1);
    put(left, 2, 1, 1);
    put(left, 1, 2, 1);
    put(left, 2, 2, 1);
    put(left, 0, 3, LVL_SKETCHY_NONE);
    put(left, 3, 3, 2); /* the same colour, and it burns */
    put(right, 3, 0, 0);
    const expected_change want[] = {{LVL_CHANGE_ADDED, {7, 0, 7, 0}},
                                    {LVL_CHANGE_CHANGED, {1, 1, 2, 2}},
                                    {LVL_CHANGE_REMOVED, {0, 3, 0, 3}},
                                    {LVL_CHANGE_CHANGED, {3, 3, 3, 3}}};
    expect_changes(before, after, want, 4);
    lvl_draw_chunk(after, 0, 2, -1, 0,
                   1); /* the corner of the level moves; the rest of it stays where it is */
    const expected_change moved[] = {{LVL_CHANGE_ADDED, {11, 0, 11, 0}},
                                     {LVL_CHANGE_ADDED, {0, 0, 3, 3}},
                                     {LVL_CHANGE_CHANGED, {5, 1, 6, 2}},
                                     {LVL_CHANGE_REMOVED, {4, 3, 4, 3}},
                                     {LVL_CHANGE_CHANGED, {7, 3, 7, 3}}};
    lvl_scene *a = scene_of(before), *b = scene_of(after);
    lvl_scene_change *changes = NULL;
    size_t count = 0, found = 0;
    assert_int_equal(lvl_scene_compare(a, b, &changes, &count), LVL_OK);
    assert_int_equal(count, 5);
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < count; k++)
            found += changes[k].kind == moved[i].kind &&
                     !memcmp(&changes[k].rect, &moved[i].rect, sizeof(lvl_rect));
    }
    assert_int_equal(found, 5);
    lvl_scene_changes_free(a, changes);
    lvl_scene_free(a);
    lvl_scene_free(b);
    lvl_doc_free(before);
    lvl_doc_free(after);
}

typedef struct picture_writer {
    lvl_writer writer;
    lvl_buffer buf;
} picture_writer;

static lvl_status write_picture(lvl_writer *writer, const void *data, size_t len)
{
    picture_writer *p = (picture_writer *)(void *)writer;

    lvl_buffer_add(&p->buf, data, len);
    return p->buf.status;
}

/* Small drawings are enlarged, and changed pixels marked in the third panel. */
static void changed_pixels_are_marked(void **state)
{
    enum { UP = 640 / (2 * SIZE), PANEL = UP * 2 * SIZE, GAP = 8, HEAD = 24 };
    uint8_t *left, *right;
    lvl_doc *before = two_chunks(false, &left, &right), *after = two_chunks(false, &left, &right);
    picture_writer p = {.writer.write = write_picture};
    lvl_image image;

    (void)state;
    put(left, 1, 1, 1);
    put(left, 0, 3, LVL_SKETCHY_NONE);
    put(right, 3, 0, 0);
    lvl_scene *a = scene_of(before), *b = scene_of(after);
    assert_int_equal(lvl_render_diff(a, b, NULL, 0, NULL, &p.writer), LVL_OK);
    assert_int_equal(lvl_png_read(&lvl_drawing.ctx, (lvl_bytes){p.buf.data, p.buf.len}, &image), LVL_OK);
    const uint32_t middle = UP / 2, third = GAP + 2 * (PANEL + GAP), second = GAP + PANEL + GAP;
    const uint32_t at = UP + middle;
    assert_int_equal(image.width, GAP + 3 * (PANEL + GAP));
    assert_int_equal(lvl_draw_at(&image, GAP + at, HEAD + at), 0xFF0000);
    assert_int_equal(lvl_draw_at(&image, second + at, HEAD + at), 0x00FF00);
    const uint32_t changed = lvl_draw_at(&image, third + at, HEAD + at);
    const uint32_t removed = lvl_draw_at(&image, third + middle, HEAD + 3 * UP + middle);
    const uint32_t added = lvl_draw_at(&image, third + 7 * UP + middle, HEAD + middle);
    const uint32_t same = lvl_draw_at(&image, third + middle, HEAD + middle);
    assert_true((changed >> 16 & 255) > 130 && (changed >> 8 & 255) > 130 && (changed & 255) < 130);
    assert_true((removed >> 16 & 255) > 130 && (removed >> 8 & 255) < 130);
    assert_true((added >> 8 & 255) > 130 && (added >> 16 & 255) < 130);
    assert_true((same >> 16 & 255) < 130);
    lvl_image_clear(&image);
    lvl_buffer_free(&p.buf);
    lvl_scene_free(a);
    lvl_scene_free(b);
    lvl_doc_free(before);
    lvl_doc_free(after);
}

/* ---- how pixels behave ------------------------------------------------------------------------------- */

static void overlays_show_what_pixels_do(void **state)
{
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
    const lvl_scene_request request = {.art = NULL};
    static const lvl_tile_class looks[] = {LVL_LOOK_CLEAR, LVL_LOOK_SOLID, LVL_LOOK_DEATH,
                                           LVL_LOOK_WATER, LVL_LOOK_OTHER, LVL_LOOK_GROUND};
    lvl_image plain, tinted;
    lvl_scene_tile tile;
    lvl_scene *scene;
    uint32_t value;

    (void)state;
    lvl_draw_swatch(doc, "#808080", "");
    lvl_draw_swatch(doc, "#808080", "")->solid = 1;
    lvl_sketchy_swatch *fire = lvl_draw_swatch(doc, "#808080", "");
    fire->fire = fire->solid = 1; /* what kills counts first */
    lvl_draw_swatch(doc, "#808080", "")->water = 1;
    lvl_sketchy_swatch *ice = lvl_draw_swatch(doc, "#808080", "");
    ice->slippery = ice->solid = 1; /* slippery has priority over solid */
    lvl_draw_swatch(doc, "#808080", "")->semisolid = 1;
    uint8_t *cells = lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
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

    lvl_draw_picture(doc, &(lvl_draw_how){0}, &plain, NULL);
    lvl_draw_picture(doc, &(lvl_draw_how){.overlays = LVL_OVERLAY_TILES}, &tinted, NULL);
    for (uint32_t i = 0; i < 6; i++) { /* each in a different colour; without attributes pale */
        assert_int_not_equal(lvl_draw_at(&plain, i % 3, i / 3), lvl_draw_at(&tinted, i % 3, i / 3));
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(lvl_draw_at(&tinted, k % 3, k / 3), lvl_draw_at(&tinted, i % 3, i / 3));
    }
    assert_int_equal(lvl_draw_at(&plain, 1, 2), lvl_draw_at(&tinted, 1, 2)); /* nothing is there */
    lvl_image_clear(&plain);
    lvl_image_clear(&tinted);
    lvl_doc_free(doc);
}

/* ---- nonsense ---------------------------------------------------------------------------------------- */

/* Scene and picture return a status, and a picture is not larger than allowed. */
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
            lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
            ((lvl_sketchy *)lvl_doc_root(doc))->page_type = type;
            lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
            lvl_draw_chunk(doc, 0, 1, far[i], far[i], 0);
            const lvl_status status = tried(doc);
            assert_true(status == LVL_ERR_LIMIT || (type && far[i] < 0));
            lvl_doc_free(doc);
        }
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
        lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
        ((lvl_sketchy *)lvl_doc_root(doc))->layers[0].size = sizes[i];
        assert_int_equal(tried(doc), LVL_ERR_UNSUPPORTED);
        lvl_doc_free(doc);
    }
    /* no layer, a layer without chunks, cells of another size than they should be */
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
    d->layers[0].size = 7;
    assert_int_equal(tried(doc), LVL_OK);
    d->layers[0].chunk_count = 0;
    assert_int_equal(tried(doc), LVL_OK);
    d->layer_count = 0;
    assert_int_equal(tried(doc), LVL_ERR_UNSUPPORTED);
    lvl_doc_free(doc);
}

/* A chunk far beyond the page's edge does not prevent drawing the page, and takes no memory for the space
 * between. */
static void strays_cost_nothing(void **state)
{
    static const int32_t far[] = {-3, -12000, INT32_MIN};
    const lvl_scene_request request = {0};

    (void)state;
    lvl_drawing.ctx.limits.memory_bytes = 16 << 20;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
        lvl_scene *scene = NULL;
        lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
        lvl_draw_chunk(doc, 0, 1, far[i], far[i], 0);
        assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
        assert_int_equal(scene->bounds.right, (far[i] == INT32_MIN ? 1 : 1 - far[i]) * SIZE - 2);
        lvl_scene_free(scene);
        lvl_doc_free(doc);
    }
    lvl_drawing.ctx.limits.memory_bytes = 0;
}

static uint64_t bytes_taken;

static void *counted_alloc(void *user, size_t size)
{
    (void)user;
    bytes_taken += size;
    return size > (size_t)256 << 20 ? NULL : malloc(size);
}

static void *counted_resize(void *user, void *ptr, size_t old_size, size_t size)
{
    (void)user;
    bytes_taken += size > old_size ? size - old_size : 0;
    return size > (size_t)256 << 20 ? NULL : realloc(ptr, size);
}

static void counted_release(void *user, void *ptr)
{
    (void)user;
    free(ptr);
}

/* Two chunks far apart on an unbounded page: neither the scene nor the refusal to draw it takes memory for
 * the space between. */
static void far_chunks_cost_nothing(void **state)
{
    const lvl_scene_request request = {0};
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_scene *scene = NULL;
    lvl_render_options options;
    lvl_image image;

    (void)state;
    lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
    lvl_draw_chunk(doc, 0, 1, 16000, 16000, 0);
    d->page_type = LVL_SKETCHY_UNBOUNDED;
    lvl_drawing.ctx.allocator =
        (lvl_allocator){.alloc = counted_alloc, .resize = counted_resize, .release = counted_release};
    bytes_taken = 0;
    lvl_status status = lvl_doc_scene(doc, &request, &scene);
    if (status == LVL_OK) {
        lvl_render_options_init(&options);
        options.size = 64;
        status = lvl_render_image(scene, &options, &image);
        if (status == LVL_OK)
            lvl_image_clear(&image);
    }
    print_message("%.1f KiB taken\n", (double)bytes_taken / 1024);
    assert_true(status == LVL_OK || status == LVL_ERR_LIMIT);
    assert_true(bytes_taken < 4 << 20);
    lvl_scene_free(scene);
    lvl_drawing.ctx.allocator = (lvl_allocator){0};
    lvl_doc_free(doc);
}

static void pages_beyond_sense(void **state)
{
    static const int64_t sides[] = {INT64_MIN, -1, 0, 1, 1 << 20, INT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 1);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_draw_chunk(doc, 0, 0, 0, 0, 0);
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
    lvl_doc *doc = lvl_draw_new(LVL_SKETCHY_LEVEL, 2);
    lvl_sketchy *d = lvl_doc_root(doc);

    (void)state;
    lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    lvl_draw_chunk(doc, 0, 1, 100, 100, LVL_SKETCHY_NONE);
    d->files = lvl_draw_take(doc, 1, sizeof *d->files);
    d->file_count = 1;
    lvl_draw_embed(doc, 0, "assets/doodads/red.doodad", lvl_draw_doodad("#ff0000"));
    d->actors = lvl_draw_take(doc, MANY, sizeof *d->actors);
    d->actor_count = MANY;
    for (uint32_t i = 0; i < MANY; i++) { /* shared ids, links to missing ids and to itself */
        lvl_sketchy_actor *a = &d->actors[i];
        a->id = lvl_text_of(i & 1 ? "x" : "y");
        a->filename = lvl_text_of(i & 2 ? "red.doodad" : i & 4 ? "" : "a/b.doodad");
        a->point = (lvl_sketchy_point){i % 397, i % 391};
        a->links = lvl_draw_take(doc, 2, sizeof *a->links);
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
        cmocka_unit_test(names_of_patterns),
        cmocka_unit_test(whites),
        cmocka_unit_test(nothing_and_holes),
        cmocka_unit_test(pages),
        cmocka_unit_test(negative_places),
        cmocka_unit_test(edges_end_before_the_view),
        cmocka_unit_test(own_papers),
        cmocka_unit_test(wallpapers_seen_through),
        cmocka_unit_test(attached_wallpapers),
        cmocka_unit_test(attached_wallpapers_may_be_broken),
        cmocka_unit_test(doodads_have_frames),
        cmocka_unit_test(changed_pixels_are_found),
        cmocka_unit_test(changed_pixels_are_marked),
        cmocka_unit_test(overlays_show_what_pixels_do),
        cmocka_unit_test(nonsense_is_borne),
        cmocka_unit_test(strays_cost_nothing),
        cmocka_unit_test(far_chunks_cost_nothing),
        cmocka_unit_test(pages_beyond_sense),
        cmocka_unit_test(crowds),
    };

    const bool fine = lvl_draw_open();
    art = lvl_drawing.art;
    const int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    lvl_draw_close();
    return failed;
}
