/*
 * test_gani_scene.c: animations of Graal as scenes, with records and art made here, in a temporary folder.
 * Each cell of 4 px of a sheet has one colour, so a pixel shows which sprite it belongs to.
 */
#include "os/file.h"
#include "base/format.h"
#include "graal/gani/gani_scene.h"
#include "codec/png.h"
#include "growth.h"

#include <lvl/gani.h>
#include <lvl/render.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELL = 4, MAX_PIECES = 8 };

static lvl_ctx ctx;
static char top[200];
static const lvl_format toy = {
    .id = "toy",
    .table = &lvl_gani_table,
    .calls =
        &(const lvl_format_calls){
            .scene = lvl_gani_scene,
            .play = lvl_gani_animation,
        },
};

/* ---- art --------------------------------------------------------------------------------------------- */

static void save(const char *name, const lvl_image *image)
{
    lvl_buffer buf = {0};
    char path[512], folder[512];

    snprintf(path, sizeof path, "%s/%s", top, name);
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = 0;
    assert_int_equal(lvl_folder_make(folder, NULL), LVL_OK);
    assert_int_equal(lvl_png_write_buffer(&ctx, image, NULL, &buf), LVL_OK);
    assert_int_equal(lvl_file_save(path, (lvl_bytes){buf.data, buf.len}, LVL_SAVE_REPLACE, NULL), LVL_OK);
    lvl_buffer_free(&buf);
}

/* 8 x 8 cells; cell column, row is the colour `red`, 10 + column, 10 + row. */
static void save_sheet(const char *name, uint8_t red)
{
    lvl_image image;

    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 32, 32, false), LVL_OK);
    for (uint32_t i = 0; i < 32 * 32; i++) {
        const uint8_t rgba[4] = {red, (uint8_t)(10 + i % 32 / CELL), (uint8_t)(10 + i / 32 / CELL), 255};
        memcpy(image.pixels + (size_t)i * 4, rgba, 4);
    }
    save(name, &image);
    lvl_image_clear(&image);
}

/* Cells of the colours that clothes have, then one that is none, in a palette. */
static void save_body(const char *name, bool indexed)
{
    static const uint8_t rgb[6][3] = {{0xFF, 0xAD, 0x6B}, {0xFF, 0xFF, 0xFF}, {0xFF, 0, 0},
                                      {0xCE, 0x18, 0x29}, {0, 0, 0xFF},       {1, 2, 3}};
    lvl_palette palette = {0};
    lvl_image image;

    for (int i = 0; i < 6; i++)
        memcpy(palette.rgb[i], rgb[i], 3);
    assert_int_equal(
        lvl_image_init(&image, &ctx, indexed ? LVL_PIXELS_INDEX8 : LVL_PIXELS_RGBA8, 24, 4, false), LVL_OK);
    for (size_t i = 0; i < (size_t)24 * 4; i++) {
        const uint8_t index = (uint8_t)(i % 24 / CELL);
        if (indexed) {
            image.pixels[i] = index;
        } else {
            memcpy(image.pixels + i * 4, rgb[index], 3);
            image.pixels[i * 4 + 3] = 255;
        }
    }
    image.palette = indexed ? &palette : NULL;
    save(name, &image);
    image.palette = NULL;
    lvl_image_clear(&image);
}

/* ---- animations -------------------------------------------------------------------------------------- */

static lvl_gani_sprite sprite(int32_t id, const char *source, int column, int row)
{
    return (lvl_gani_sprite){.id = id,
                             .source = lvl_text_of(source),
                             .x = column * CELL,
                             .y = row * CELL,
                             .width = CELL,
                             .height = CELL};
}

typedef struct piece_of {
    int32_t id;
    double dx, dy;
} piece_of;

/* One frame in one direction. */
typedef struct still {
    lvl_gani_piece pieces[MAX_PIECES];
    lvl_gani_direction direction;
    lvl_gani_frame frame;
} still;

static void still_of(still *s, const piece_of *pieces, uint32_t count)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < count; i++)
        s->pieces[i] = (lvl_gani_piece){.sprite = pieces[i].id, .dx = pieces[i].dx, .dy = pieces[i].dy};
    s->direction = (lvl_gani_direction){.pieces = s->pieces, .piece_count = count};
    s->frame = (lvl_gani_frame){.directions = &s->direction, .direction_count = 1};
}

typedef struct showing {
    lvl_doc *doc;
    lvl_art *art;
    lvl_animation *play;
    lvl_scene *scene;
    lvl_image image;
    lvl_scene_request request;
} showing;

static lvl_status show_status(showing *s, const lvl_gani *gani, const lvl_scene_request *request, bool art)
{
    lvl_render_options o;

    memset(s, 0, sizeof *s);
    assert_int_equal(lvl_doc_new(&s->doc, &ctx, &toy), LVL_OK);
    *(lvl_gani *)lvl_doc_root(s->doc) = *gani;
    s->art = lvl_art_new(&ctx);
    assert_int_equal(lvl_art_add(s->art, top), LVL_OK);
    if (request)
        s->request = *request;
    s->request.art = art ? s->art : NULL;
    lvl_status status = lvl_doc_play(s->doc, &s->request, &s->play);
    if (status != LVL_OK)
        return status;
    assert_int_equal(lvl_doc_scene(s->doc, &s->request, &s->scene), LVL_OK);
    assert_memory_equal(&s->scene->bounds, &s->play->bounds, sizeof s->play->bounds);
    assert_true(s->scene->has_art == s->play->has_art);
    lvl_render_options_init(&o);
    o.transparent = true;
    assert_int_equal(lvl_render_image(s->scene, &o, &s->image), LVL_OK);
    return LVL_OK;
}

static void show(showing *s, const lvl_gani *gani, const lvl_scene_request *request)
{
    assert_int_equal(show_status(s, gani, request, true), LVL_OK);
}

static void done(showing *s)
{
    lvl_image_clear(&s->image);
    lvl_scene_free(s->scene);
    lvl_animation_free(&ctx, s->play);
    lvl_art_free(s->art);
    lvl_doc_free(s->doc);
}

/* Pixel x, y of the character's place. */
static void assert_pixel(const showing *s, int x, int y, int r, int g, int b, int a)
{
    const lvl_rect *bounds = &s->play->bounds;
    static const uint8_t nothing[4];
    const uint8_t *p = nothing;

    if (x >= bounds->left && x <= bounds->right && y >= bounds->top && y <= bounds->bottom)
        p = s->image.pixels + ((size_t)(y - bounds->top) * s->image.width + (size_t)(x - bounds->left)) * 4;
    if (p[3] != a || (a && (p[0] != r || p[1] != g || p[2] != b)))
        fail_msg("at %d, %d: %d %d %d %d, not %d %d %d %d", x, y, p[0], p[1], p[2], p[3], r, g, b, a);
}

static void assert_cell(const showing *s, int x, int y, int red, int column, int row)
{
    assert_pixel(s, x, y, red, 10 + column, 10 + row, 255);
}

static void assert_nothing(const showing *s, int x, int y)
{
    assert_pixel(s, x, y, 0, 0, 0, 0);
}

static void pieces_lie_in_order(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}, {2, 2, 1.6}, {99, 0, 0}};
    lvl_gani_sprite sprites[] = {sprite(2, "HEAD", 3, 2), sprite(1, "SPRITES", 7, 7),
                                 sprite(1, "SPRITES", 5, 6)};
    still st;
    showing s;

    (void)state;
    still_of(&st, pieces, 3);
    const lvl_gani gani = {
        .single_direction = 1, .sprites = sprites, .sprite_count = 3, .frames = &st.frame, .frame_count = 1};
    show(&s, &gani, NULL);
    assert_true(s.scene->has_art);
    assert_int_equal(s.scene->thing_count, 2); /* no sprite 99 */
    assert_int_equal(s.play->bounds.right, 5);
    assert_int_equal(s.play->bounds.bottom, 5);
    assert_cell(&s, 0, 0, 100, 5, 6); /* the last sprite 1 counts */
    assert_cell(&s, 2, 2, 50, 3, 2); /* over it */
    assert_cell(&s, 2, 1, 100, 5, 6);
    assert_cell(&s, 5, 5, 50, 3, 2);
    assert_nothing(&s, 5, 0);
    done(&s);
}

static void directions_and_frames(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}};
    lvl_gani_sprite sprites[] = {sprite(1, "SPRITES", 1, 0), sprite(2, "SPRITES", 2, 0),
                                 sprite(3, "SPRITES", 3, 0), sprite(4, "SPRITES", 4, 0),
                                 sprite(5, "SPRITES", 5, 0)};
    lvl_gani_direction directions[2][4];
    still st[8];
    lvl_gani_frame frames[2];
    lvl_scene_request request = {0};
    showing s;

    (void)state;
    for (int i = 0; i < 8; i++) {
        still_of(&st[i], pieces, 1);
        st[i].pieces[0].sprite = i < 4 ? i + 1 : 5;
        st[i].pieces[0].dx = i < 4 ? 0 : (i - 4) * 10;
        directions[i / 4][i % 4] = st[i].direction;
    }
    for (int f = 0; f < 2; f++)
        frames[f] =
            (lvl_gani_frame){.directions = directions[f], .direction_count = f ? 3 : 4, .wait = f ? 14 : 0};
    const lvl_gani gani = {
        .loop = 1, .sprites = sprites, .sprite_count = 5, .frames = frames, .frame_count = 2};
    for (uint32_t d = 0; d < 4; d++) {
        request.direction = d;
        request.frame = 0;
        show(&s, &gani, &request);
        assert_int_equal(s.play->directions, 4);
        assert_string_equal(s.play->names[2], "down");
        assert_int_equal(s.play->frames, 2);
        assert_int_equal(s.play->durations[0], 50);
        assert_int_equal(s.play->durations[1], 750);
        assert_true(s.play->loops);
        assert_int_equal(s.play->bounds.right,
                         23); /* of all frames and directions; the last frame lacks a line */
        assert_cell(&s, 0, 0, 100, (int)d + 1, 0);
        done(&s);
        request.frame = 77; /* the last one */
        show(&s, &gani, &request);
        if (d < 3)
            assert_cell(&s, (int)d * 10, 0, 100, 5, 0);
        else
            assert_int_equal(s.scene->thing_count, 0);
        done(&s);
    }
}

static void attachments(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}};
    lvl_gani_sprite sprites[] = {sprite(1, "SPRITES", 1, 0), sprite(2, "SPRITES", 2, 0),
                                 sprite(3, "SPRITES", 3, 0), sprite(4, "SPRITES", 4, 0),
                                 sprite(5, "SPRITES", 5, 0), sprite(6, "SPRITES", 6, 0)};
    lvl_gani_attachment att[] = {
        {.parent = 4, .child = 5, .dx = 4}, /* three deep */
        {.parent = 5, .child = 6, .dx = 4}, /* four deep: not any more */
        {.parent = 1, .child = 2, .dx = 2, .dy = 2}, /* over */
        {.parent = 1, .child = 3, .dx = -2, .under = 1}, /* under */
        {.parent = 2, .child = 4, .dx = 4},
        {.parent = 77, .child = 1, .dx = 100}, /* without an owner */
        {.parent = 1, .child = 78, .dx = 100}, /* nobody */
    };
    still st;
    showing s;

    (void)state;
    still_of(&st, pieces, 1);
    lvl_gani gani = {.single_direction = 1,
                     .sprites = sprites,
                     .sprite_count = 6,
                     .attachments = att,
                     .attachment_count = 7,
                     .frames = &st.frame,
                     .frame_count = 1};
    show(&s, &gani, NULL);
    assert_int_equal(s.scene->thing_count, 5);
    assert_cell(&s, -2, 0, 100, 3, 0);
    assert_cell(&s, 0, 0, 100, 1, 0);
    assert_cell(&s, 2, 2, 100, 2, 0);
    assert_cell(&s, 6, 2, 100, 4, 0);
    assert_cell(&s, 10, 2, 100, 5, 0);
    assert_nothing(&s, 14, 2);
    done(&s);
    /* In a circle, and each with itself. */
    for (int i = 0; i < 7; i++)
        att[i] = (lvl_gani_attachment){.parent = 1 + i % 2, .child = 2 - i % 2, .dx = i};
    show(&s, &gani, NULL);
    assert_int_equal(s.scene->thing_count, 1 + 4 + 12 + 48);
    done(&s);
}

static void effects_and_layers(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}, {2, 0, 0}, {3, 10, 0}};
    lvl_gani_sprite sprites[] = {sprite(1, "SPRITES", 1, 0), sprite(2, "SPRITES", 2, 0),
                                 sprite(3, "SPRITES", 3, 0)};
    lvl_gani_effect effects[] = {
        {.kind = LVL_GANI_LAYER, .sprite = 1, .value = 3},
        {.kind = LVL_GANI_COLOR, .sprite = 3, .red = 0.5, .green = 1, .blue = 0, .alpha = 1},
        {.kind = LVL_GANI_ZOOM, .sprite = 3, .value = 2},
        {.kind = LVL_GANI_STRETCH_Y, .sprite = 3, .value = 0.5},
        {.kind = LVL_GANI_COLOR, .sprite = 99, .red = 0},
    };
    still st;
    showing s;

    (void)state;
    still_of(&st, pieces, 3);
    lvl_gani gani = {.single_direction = 1,
                     .sprites = sprites,
                     .sprite_count = 3,
                     .effects = effects,
                     .effect_count = 5,
                     .frames = &st.frame,
                     .frame_count = 1};
    show(&s, &gani, NULL);
    assert_cell(&s, 0, 0, 100, 1, 0); /* though the second comes after it */
    assert_pixel(&s, 8, 0, 50, 13, 0, 255); /* twice as wide, as high as it was */
    assert_pixel(&s, 15, 3, 50, 13, 0, 255);
    assert_nothing(&s, 16, 0);
    assert_nothing(&s, 7, 0);
    done(&s);
    /* The whole animation, twice as large about the middle of the place, 24, 24. */
    effects[0] = (lvl_gani_effect){.kind = LVL_GANI_ZOOM, .sprite = LVL_GANI_WHOLE, .value = 2};
    effects[1] = (lvl_gani_effect){
        .kind = LVL_GANI_COLOR, .sprite = LVL_GANI_WHOLE, .red = 1, .green = 1, .blue = 0, .alpha = 1};
    gani.effect_count = 2;
    show(&s, &gani, NULL);
    assert_int_equal(s.play->bounds.left, -24);
    assert_int_equal(s.play->bounds.right, -24 + 28 - 1);
    assert_pixel(&s, -24, -24, 100, 12, 0, 255);
    assert_pixel(&s, -4, -17, 100, 13, 0, 255);
    assert_nothing(&s, -5, -17);
    done(&s);
}

static lvl_scene_choice choice(const char *name, const char *value)
{
    return (lvl_scene_choice){lvl_text_of(name), lvl_text_of(value)};
}

static void sheets_by_choice_and_default(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}, {2, 10, 0}, {3, 20, 0}, {4, 30, 0}, {5, 40, 0}};
    lvl_gani_sprite sprites[] = {sprite(1, "HEAD", 1, 0), sprite(2, "ATTR2", 2, 0),
                                 sprite(3, "odd.png", 3, 0), sprite(4, "HAIR", 4, 0),
                                 sprite(5, "gone.mng", 5, 0)};
    lvl_gani_default defaults[] = {{.layer = lvl_text_of("head"), .value = lvl_text_of("head19.png")},
                                   {.layer = lvl_text_of("HAIR"), .value = lvl_text_of("hair/long.gif")}};
    const lvl_scene_choice choices[] = {choice("head", "head7.png"), choice("Attr2", "odd.png"),
                                        choice("HAIR", "")};
    const lvl_scene_choice gone[] = {choice("head", "head8.png")};
    lvl_scene_request request = {0};
    still st;
    showing s;

    (void)state;
    still_of(&st, pieces, 5);
    const lvl_gani gani = {.single_direction = 1,
                           .sprites = sprites,
                           .sprite_count = 5,
                           .defaults = defaults,
                           .default_count = 2,
                           .frames = &st.frame,
                           .frame_count = 1};
    show(&s, &gani, NULL);
    assert_cell(&s, 0, 0, 50, 1, 0); /* head0 where head19 isn't there */
    assert_nothing(&s, 10, 0); /* an empty attribute */
    assert_cell(&s, 20, 0, 60, 3, 0);
    assert_cell(&s, 30, 0, 80, 4, 0); /* a PNG for the GIF, from its folder */
    assert_nothing(&s, 40, 0);
    assert_int_equal(s.scene->missing_things, 1); /* gone.mng */
    done(&s);
    request.choices = choices;
    request.choice_count = 3;
    show(&s, &gani, &request);
    assert_cell(&s, 0, 0, 70, 1, 0); /* in a folder that games keep heads in */
    assert_cell(&s, 10, 0, 60, 2, 0);
    assert_nothing(&s, 30, 0);
    done(&s);
    request.choices = gone;
    request.choice_count = 1;
    show(&s, &gani, &request);
    assert_nothing(&s, 0, 0); /* what was asked for, and nothing like it */
    assert_int_equal(s.scene->missing_things, 2);
    done(&s);
}

static void params_name_sprites(void **state)
{
    static const piece_of pieces[] = {{0, 0, 0}, {0, 10, 0}, {0, 20, 0}};
    lvl_gani_sprite sprites[] = {sprite(1, "SPRITES", 1, 0), sprite(-2, "SPRITES", 2, 0)};
    lvl_gani_default defaults[] = {{.layer = lvl_text_of("PARAM1"), .value = lvl_text_of("-2")},
                                   {.layer = lvl_text_of("PARAM2"), .value = lvl_text_of("boom.wav")}};
    const lvl_scene_choice choices[] = {choice("param1", "1")};
    const lvl_scene_request request = {.choices = choices, .choice_count = 1};
    still st;
    showing s;

    (void)state;
    still_of(&st, pieces, 3);
    for (int i = 0; i < 3; i++)
        st.pieces[i].param = lvl_text_of(i == 0 ? "PARAM1" : i == 1 ? "PARAM2" : "PARAM3");
    const lvl_gani gani = {.single_direction = 1,
                           .sprites = sprites,
                           .sprite_count = 2,
                           .defaults = defaults,
                           .default_count = 2,
                           .frames = &st.frame,
                           .frame_count = 1};
    show(&s, &gani, NULL);
    assert_int_equal(s.scene->thing_count, 1);
    assert_cell(&s, 0, 0, 100, 2, 0);
    done(&s);
    show(&s, &gani, &request);
    assert_cell(&s, 0, 0, 100, 1, 0);
    done(&s);
}

static void clothes_are_dyed(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}};
    lvl_gani_sprite sprites[] = {{.id = 1, .source = lvl_text_of("BODY"), .width = 24, .height = 4}};
    const lvl_scene_choice choices[] = {choice("skin", "#102030"), choice("Coat", "DarkBlue"),
                                        choice("color2", "transparent"), choice("belt", "gray"),
                                        choice("body", "")};
    const lvl_scene_choice wrong[] = {choice("coat", "plaid")};
    lvl_scene_request request = {.choices = choices};
    still st;
    showing s;

    (void)state;
    still_of(&st, pieces, 1);
    const lvl_gani gani = {
        .single_direction = 1, .sprites = sprites, .sprite_count = 1, .frames = &st.frame, .frame_count = 1};
    for (int rgba = 0; rgba < 2; rgba++) {
        lvl_scene_choice own[5];
        memcpy(own, choices, sizeof own);
        own[4].value = lvl_text_of(rgba ? "body2.png" : "body.png");
        request.choices = own;
        request.choice_count = 5;
        show(&s, &gani, &request);
        assert_pixel(&s, 0, 0, 0x10, 0x20, 0x30, 255);
        assert_pixel(&s, 4, 0, 0, 0, 139, 255);
        assert_nothing(&s, 8, 0);
        assert_pixel(&s, 12, 0, 0xCE, 0x18, 0x29, 255); /* shoes stay */
        assert_pixel(&s, 16, 0, 128, 128, 128, 255);
        assert_pixel(&s, 20, 0, 1, 2, 3, 255);
        done(&s);
    }
    show(&s, &gani, NULL);
    assert_pixel(&s, 0, 0, 0xFF, 0xAD, 0x6B, 255); /* as the sheet has them */
    done(&s);
    request.choices = wrong;
    request.choice_count = 1;
    assert_int_equal(show_status(&s, &gani, &request, true), LVL_ERR_ARG);
    done(&s);
}

static void without_art_there_are_boxes(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}, {2, 30, 0}, {3, 60, 0}};
    lvl_gani_sprite sprites[] = {sprite(1, "HEAD", 1, 0), sprite(2, "x.png", 2, 0), sprite(3, "ATTR9", 2, 0)};
    still st;
    showing s;

    (void)state;
    still_of(&st, pieces, 3);
    const lvl_gani gani = {
        .single_direction = 1, .sprites = sprites, .sprite_count = 3, .frames = &st.frame, .frame_count = 1};
    assert_int_equal(show_status(&s, &gani, NULL, false), LVL_OK);
    assert_false(s.scene->has_art);
    assert_int_equal(s.play->bounds.right, 33); /* an empty attribute is not drawn */
    assert_true(s.image.pixels[3] != 0);
    done(&s);
}

static void nothing_at_all(void **state)
{
    const lvl_gani gani = {.version = LVL_GANI0001};
    lvl_scene_request request = {.frame = 5, .direction = 9};
    showing s;

    (void)state;
    show(&s, &gani, &request);
    assert_int_equal(s.play->frames, 1);
    assert_int_equal(s.image.width, 48);
    done(&s);
}

/* ---- movies ------------------------------------------------------------------------------------------ */

static void movies_move(void **state)
{
    lvl_gani_sprite sprites[] = {sprite(20, "SPRITES", 1, 0), sprite(21, "SPRITES", 2, 0)};
    lvl_gani_value v0[] = {{lvl_text_of("dx"), lvl_text_of("-8")},
                           {lvl_text_of("dy"), lvl_text_of("4.5")},
                           {lvl_text_of("sprite #"), lvl_text_of("20")},
                           {lvl_text_of("visible"), lvl_text_of("true")}};
    lvl_gani_value v1[] = {{lvl_text_of("sprite #"), lvl_text_of("21")}};
    lvl_gani_value v2[] = {{lvl_text_of("dx"), lvl_text_of("32")},
                           {lvl_text_of("visible"), lvl_text_of("false")}};
    lvl_gani_keyframe keys[] = {{.tick = 10, .values = v0, .value_count = 4},
                                {.tick = 15, .values = v1, .value_count = 1},
                                {.tick = 30, .values = v2, .value_count = 2}};
    lvl_gani_value t0[] = {{lvl_text_of("text"), lvl_text_of("hello")},
                           {lvl_text_of("dy"), lvl_text_of("-50")}};
    lvl_gani_keyframe words[] = {{.tick = 0, .values = t0, .value_count = 2}};
    lvl_gani_value c0[] = {{lvl_text_of("ani"), lvl_text_of("nowhere")},
                           {lvl_text_of("chat"), lvl_text_of("help")}};
    lvl_gani_keyframe chars[] = {{.tick = 35, .values = c0, .value_count = 2}};
    lvl_gani_actor actors[] = {
        {.kind = lvl_text_of("SPRITE"), .name = lvl_text_of("ball"), .keyframes = keys, .keyframe_count = 3},
        {.kind = lvl_text_of("TEXT"), .name = lvl_text_of("t"), .keyframes = words, .keyframe_count = 1},
        {.kind = lvl_text_of("CHAR"), .name = lvl_text_of("c"), .keyframes = chars, .keyframe_count = 1},
        {.kind = lvl_text_of("SOUND"), .name = lvl_text_of("s"), .keyframes = words, .keyframe_count = 1}};
    const lvl_gani gani = {.version = LVL_GANI0002,
                           .length = 40,
                           .sprites = sprites,
                           .sprite_count = 2,
                           .actors = actors,
                           .actor_count = 4};
    static const struct {
        uint32_t tick;
        int x, column, things;
    } at[] = {{0, 0, 0, 1},   {9, 0, 0, 1},  {10, -8, 1, 2}, {14, 0, 1, 2}, {15, 2, 2, 2},
              {29, 30, 2, 2}, {30, 0, 0, 1}, {39, 0, 0, 3},  {500, 0, 0, 3}};
    lvl_scene_request request = {0};
    showing s;

    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        request.frame = at[i].tick;
        show(&s, &gani, &request);
        assert_int_equal(s.play->frames, 40);
        assert_int_equal(s.play->directions, 1);
        assert_int_equal(s.play->durations[39], 50);
        assert_int_equal(s.scene->thing_count, at[i].things);
        assert_true(s.play->bounds.left <= -8 && s.play->bounds.right >= 35 && s.play->bounds.bottom >= 8);
        if (at[i].column)
            assert_cell(&s, at[i].x + 3, 8, 100, at[i].column, 0);
        done(&s);
    }
}

/* ---- read from text ---------------------------------------------------------------------------------- */

static const char walk[] = "GANI0001\n"
                           "SPRITE 1 BODY 0 0 4 4 a\n"
                           "SPRITE 2 SPRITES 0 0 4 4 b\n"
                           "SPRITE 3 HEAD 4 4 4 4 c\n"
                           "ATTACHSPRITE 1 2 4 0\n"
                           "ATTACHSPRITE2 1 3 -4 0\n"
                           "COLOREFFECT 2 1 0.5 1 0.9\n"
                           "ROTATEEFFECT 3 0.785\n"
                           "SETBACKTO stand\n"
                           "DEFAULTHEAD head19.png\n"
                           "ANI\n"
                           " 1 0 0\n 1 0 0\n 1 0 0\n 1 0 0\n\n"
                           " 1 8 0\n 1 8 0, 2 3 4\n 1 8 0\n 1 8 0\nWAIT 1\n"
                           "ANIEND\n";
static const char stand[] = "SPRITE 1 SPRITES 28 28 4 4 z\nSINGLEDIRECTION\nANI\n 1 0 20\nANIEND\n";
static const char play_of_one[] =
    "GANI0002\n"
    "SPRITE 7 SPRITES 4 0 4 4 ball\n\n"
    "FRAMES 12\n\n"
    "MOVIE\n"
    "  ACTOR CHAR Bob\n"
    "    FRAME 2 ani=walk,body=body9.png,color0=black,dir=1,dx=100,dy=50,visible=true\n"
    "    FRAME 9 dx=107\n"
    "  ACTOREND\n"
    "  ACTOR SPRITE s\n"
    "    FRAME 0 dx=60,dy=50,sprite #=7,visible=true\n"
    "  ACTOREND\n"
    "MOVIEEND\n";

static void save_text(const char *name, const char *text)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", top, name);
    assert_int_equal(
        lvl_file_save(path, (lvl_bytes){(const uint8_t *)text, strlen(text)}, LVL_SAVE_REPLACE, NULL),
        LVL_OK);
}

static lvl_doc *read_text(const char *text, size_t len)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("gani"), (lvl_bytes){(const uint8_t *)text, len},
                              "x.gani", 0, NULL),
                     LVL_OK);
    return doc;
}

/* Bob walks in the colours of the movie, and stays in the last frame. */
static void actors_play_their_animations(void **state)
{
    lvl_doc *doc = read_text(play_of_one, strlen(play_of_one));
    lvl_gani gani = *(lvl_gani *)lvl_doc_root(doc);
    lvl_scene_request request = {0};
    showing s;

    (void)state;
    for (uint32_t tick = 1; tick < 12; tick++) {
        request.frame = tick;
        show(&s, &gani, &request);
        assert_true(s.scene->has_art);
        assert_cell(&s, 60, 50, 100, 1, 0);
        assert_int_equal(s.scene->thing_count, tick < 2 ? 1 : 2);
        if (tick >= 2) {
            const int x = 100 + (tick < 9 ? (int)tick - 2 : 7) + (tick > 2 ? 8 : 0);
            assert_pixel(&s, x, 50, 20, 20, 20, 255); /* body9 isn't there, body is; its skin is black */
            assert_cell(&s, x + 4, 50, 100, 0, 0); /* what hangs on it */
        }
        done(&s);
    }
    lvl_doc_free(doc);
}

static uint32_t dice(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* For any text, frames can be requested and stay within bounds. */
static void damaged_texts_are_drawn(void **state)
{
    static const char *const texts[] = {walk, play_of_one};
    static const char *const words[] = {"-1",  "99999999999", "1e9", "nan", "-", "PARAM1",
                                        "ANI", "MOVIE",       "\n",  " ",   ",", "0.00001"};
    lvl_art *art = lvl_art_new(&ctx);
    uint32_t seed = 5;
    size_t drawn = 0;

    (void)state;
    assert_int_equal(lvl_art_add(art, top), LVL_OK);
    for (int round = 0; round < 600; round++) {
        char text[2048];
        lvl_animation *play = NULL;
        size_t len = strlen(texts[round % 2]);
        memcpy(text, texts[round % 2], len);
        for (uint32_t i = dice(&seed) % 6; i > 0; i--) {
            const char *word = words[dice(&seed) % (sizeof words / sizeof *words)];
            const size_t at = dice(&seed) % len, cut = dice(&seed) % 4, n = strlen(word);
            if (at + cut > len || len + n > sizeof text)
                continue;
            memmove(text + at + n, text + at + cut, len - at - cut);
            memcpy(text + at, word, n);
            len += n - cut;
        }
        lvl_doc *doc = read_text(text, len);
        lvl_scene_request request = {.art = round % 3 ? art : NULL};
        assert_int_equal(lvl_doc_play(doc, &request, &play), LVL_OK);
        for (uint32_t f = 0; f < 4; f++) {
            lvl_scene *scene = NULL;
            lvl_render_options o;
            lvl_image image;
            request.frame = f * (1 + play->frames / 3);
            request.direction = f;
            request.play = f % 2 ? play : NULL;
            assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
            assert_memory_equal(&scene->bounds, &play->bounds, sizeof play->bounds);
            lvl_render_options_init(&o);
            o.transparent = true;
            o.size = 64;
            assert_int_equal(lvl_render_image(scene, &o, &image), LVL_OK);
            drawn += image.width > 0;
            lvl_image_clear(&image);
            lvl_scene_free(scene);
        }
        lvl_animation_free(&ctx, play);
        lvl_doc_free(doc);
    }
    assert_int_equal(drawn, 600 * 4);
    lvl_art_free(art);
}

/* ---- hostile ----------------------------------------------------------------------------------------- */

static double seconds(void)
{
    return lvl_cpu_seconds();
}

static void beyond_sense(void **state)
{
    static const double odd[] = {1e9, -1e9, 1e300, INFINITY, -INFINITY, NAN, 0, -0.5};
    static const piece_of pieces[] = {{1, 0, 0}, {1, 5, 5}};
    lvl_gani_sprite sprites[] = {sprite(1, "SPRITES", 1, 0)};
    still st;
    showing s;

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        for (int kind = 0; kind < LVL_GANI_EFFECTS + 2; kind++) {
            lvl_gani_effect effect = {.kind = (uint8_t)kind,
                                      .sprite = i % 2 ? 1 : LVL_GANI_WHOLE,
                                      .value = odd[i],
                                      .red = odd[i],
                                      .alpha = odd[i]};
            still_of(&st, pieces, 2);
            if (kind >= LVL_GANI_EFFECTS) {
                st.pieces[0].dx = odd[i];
                st.pieces[1].dy = odd[i];
                st.frame.wait = odd[i];
                sprites[0].width = kind > LVL_GANI_EFFECTS ? INT32_MAX : CELL;
                sprites[0].x = kind > LVL_GANI_EFFECTS ? INT32_MIN : CELL;
            }
            const lvl_gani gani = {.single_direction = 1,
                                   .sprites = sprites,
                                   .sprite_count = 1,
                                   .effects = &effect,
                                   .effect_count = kind < LVL_GANI_EFFECTS,
                                   .frames = &st.frame,
                                   .frame_count = 1};
            show(&s, &gani, NULL);
            assert_true(s.image.width <= 4096 && s.image.height <= 4096);
            done(&s);
        }
    }
}

/* A hundred thousand pieces, each as large as can be; and attachments that multiply. */
static void too_much_of_it(void **state)
{
    enum { MANY = 100000 };
    lvl_gani_piece *pieces = calloc(MANY, sizeof *pieces);
    lvl_gani_attachment *att = calloc(MANY, sizeof *att);
    lvl_gani_sprite sprites[] = {sprite(1, "SPRITES", 1, 0)};
    lvl_gani_effect effect = {.kind = LVL_GANI_ZOOM, .sprite = 1, .value = 1e9};
    lvl_gani_direction direction = {.pieces = pieces, .piece_count = MANY};
    lvl_gani_frame frame = {.directions = &direction, .direction_count = 1};
    lvl_gani gani = {.single_direction = 1,
                     .sprites = sprites,
                     .sprite_count = 1,
                     .effects = &effect,
                     .effect_count = 1,
                     .frames = &frame,
                     .frame_count = 1,
                     .attachments = att};
    const double start = seconds();
    showing s;

    (void)state;
    for (int i = 0; i < MANY; i++) {
        pieces[i].sprite = att[i].parent = att[i].child = 1;
        pieces[i].dx = i % 7;
    }
    show(&s, &gani, NULL);
    done(&s);
    gani.attachment_count = MANY;
    gani.effect_count = 0;
    show(&s, &gani, NULL);
    assert_true(s.scene->thing_count <= 1 << 14);
    done(&s);
    if (seconds() - start > 60)
        fail_msg("took %.1f s", seconds() - start);
    free(pieces);
    free(att);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

typedef struct meter {
    lvl_allocator allocator;
    uint64_t calls, fails_at;
    int64_t out;
} meter;

static void *meter_alloc(void *user, size_t size)
{
    meter *m = user;

    if (++m->calls == m->fails_at)
        return NULL;
    m->out++;
    return malloc(size ? size : 1);
}

static void *meter_resize(void *user, void *ptr, size_t old_size, size_t size)
{
    meter *m = user;

    (void)old_size;
    if (++m->calls == m->fails_at)
        return NULL;
    m->out += !ptr;
    return realloc(ptr, size ? size : 1);
}

static void meter_release(void *user, void *ptr)
{
    ((meter *)user)->out -= ptr != NULL;
    free(ptr);
}

static void memory_may_run_out(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}, {2, 2, 2}};
    lvl_gani_sprite sprites[] = {sprite(1, "BODY", 0, 0), sprite(2, "SPRITES", 2, 0)};
    lvl_gani_effect effect = {.kind = LVL_GANI_ZOOM, .sprite = 1, .value = 2};
    const lvl_scene_choice choices[] = {choice("skin", "transparent")};
    still st;
    bool whole = false;

    (void)state;
    still_of(&st, pieces, 2);
    const lvl_gani gani = {.single_direction = 1,
                           .sprites = sprites,
                           .sprite_count = 2,
                           .effects = &effect,
                           .effect_count = 1,
                           .frames = &st.frame,
                           .frame_count = 1};
    lvl_art *art = lvl_art_new(&ctx);
    assert_int_equal(lvl_art_add(art, top), LVL_OK);
    const lvl_scene_request request = {.art = art, .choices = choices, .choice_count = 1};
    for (uint64_t at = 1; !whole; at++) {
        meter m = {.fails_at = at};
        lvl_ctx poor = ctx;
        poor.allocator = (lvl_allocator){meter_alloc, meter_resize, meter_release, &m};
        lvl_doc *doc = NULL;
        lvl_animation *play = NULL;
        lvl_scene *scene = NULL;
        lvl_image image;

        lvl_status status = lvl_doc_new(&doc, &poor, &toy);
        if (status == LVL_OK) {
            *(lvl_gani *)lvl_doc_root(doc) = gani;
            status = lvl_doc_play(doc, &request, &play);
        }
        if (status == LVL_OK)
            status = lvl_doc_scene(doc, &request, &scene);
        if (status == LVL_OK) {
            lvl_render_options o;
            lvl_render_options_init(&o);
            status = lvl_render_image(scene, &o, &image);
            lvl_image_clear(&image);
        }
        whole = status == LVL_OK;
        assert_true(whole || status == LVL_ERR_MEMORY);
        lvl_scene_free(scene);
        lvl_animation_free(&poor, play);
        lvl_doc_free(doc);
        assert_int_equal(m.out, 0);
    }
    lvl_art_free(art);
}

/* ---- sheets and films -------------------------------------------------------------------------------- */

typedef struct memory {
    lvl_writer writer;
    lvl_buffer buf;
} memory;

static lvl_status remember(lvl_writer *writer, const void *data, size_t len)
{
    memory *m = (memory *)writer;

    lvl_buffer_add(&m->buf, data, len);
    return m->buf.status;
}

static void sheets_hold_all_frames(void **state)
{
    static const piece_of pieces[] = {{1, 0, 0}};
    lvl_gani_sprite sprites[8];
    lvl_gani_direction directions[2][4];
    lvl_gani_frame frames[2];
    still st[8];
    lvl_render_options o;
    lvl_image sheet;
    showing s;

    (void)state;
    for (int i = 0; i < 8; i++) {
        sprites[i] = sprite(i, "SPRITES", i, 0);
        still_of(&st[i], pieces, 1);
        st[i].pieces[0].sprite = i;
        directions[i / 4][i % 4] = st[i].direction;
    }
    for (int f = 0; f < 2; f++)
        frames[f] = (lvl_gani_frame){.directions = directions[f], .direction_count = 4};
    const lvl_gani gani = {.sprites = sprites, .sprite_count = 8, .frames = frames, .frame_count = 2};
    show(&s, &gani, NULL);
    lvl_render_options_init(&o);
    o.transparent = true;
    o.scale_up = 2;
    for (int one = 0; one < 2; one++) {
        memory m = {{remember}, {0}};
        lvl_render_play play = {.doc = s.doc, .request = s.request, .play = s.play, .options = &o};
        play.request.direction = 1;
        assert_int_equal(lvl_render_sheet(&play, one != 0, &m.writer), LVL_OK);
        assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){m.buf.data, m.buf.len}, &sheet), LVL_OK);
        assert_int_equal(sheet.width, 2 * CELL * 2);
        assert_int_equal(sheet.height, (one ? 1 : 4) * CELL * 2);
        for (uint32_t y = 0; y < sheet.height; y++) {
            for (uint32_t x = 0; x < sheet.width; x++) {
                const uint8_t *p = sheet.pixels + ((size_t)y * sheet.width + x) * 4;
                const uint32_t frame = x / (2 * CELL), direction = one ? 1 : y / (2 * CELL);
                assert_int_equal(p[1], 10 + frame * 4 + direction);
            }
        }
        lvl_image_clear(&sheet);
        lvl_buffer_free(&m.buf);
        memory film = {{remember}, {0}};
        assert_int_equal(lvl_render_apng(&play, &film.writer), LVL_OK);
        assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){film.buf.data, film.buf.len}, &sheet), LVL_OK);
        assert_int_equal(sheet.width, 2 * CELL);
        lvl_image_clear(&sheet);
        lvl_buffer_free(&film.buf);
    }
    done(&s);
}

static int setup(void **state)
{
    const char *tmp = getenv("TMPDIR");

    (void)state;
    lvl_ctx_init(&ctx);
    /* The same folder for every run: the test leaves only the same few files. */
    snprintf(top, sizeof top, "%s/lvl-test-gani-scene", tmp && *tmp ? tmp : "/tmp");
    save_sheet("sprites.png", 100);
    save_sheet("head0.png", 50);
    save_sheet("odd.png", 60);
    save_sheet("heads/head7.png", 70);
    save_sheet("hair/long.png", 80);
    save_body("body.png", true);
    save_body("body2.png", false);
    save_text("walk.gani", walk);
    save_text("stand.gani", stand);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_lie_in_order),
        cmocka_unit_test(directions_and_frames),
        cmocka_unit_test(attachments),
        cmocka_unit_test(effects_and_layers),
        cmocka_unit_test(sheets_by_choice_and_default),
        cmocka_unit_test(params_name_sprites),
        cmocka_unit_test(clothes_are_dyed),
        cmocka_unit_test(without_art_there_are_boxes),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(movies_move),
        cmocka_unit_test(actors_play_their_animations),
        cmocka_unit_test(damaged_texts_are_drawn),
        cmocka_unit_test(sheets_hold_all_frames),
        cmocka_unit_test(beyond_sense),
        cmocka_unit_test(too_much_of_it),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
