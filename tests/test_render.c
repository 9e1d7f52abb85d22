/*
 * test_render.c: scenes made by hand, drawn in every way, compared pixel by pixel with a slow and simple
 * implementation.
 */
#include "render/diff.h"
#include "render/options.h"
#include "render/reduce.h"
#include "scene/scene.h"
#include "base/text.h"
#include "codec/png.h"

#include <lvl/render.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TILE = 8, TILES = 6 };

static lvl_ctx ctx;
static lvl_palette palette;
static lvl_image tiles[TILES], sprite, coloured;

typedef struct grid {
    uint32_t values[64];
} grid;

static void grid_cells(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    assert_true(y < layer->rows && x + count <= layer->columns);
    memcpy(out, ((const grid *)layer->user)->values + (size_t)y * layer->columns + x, count * sizeof *out);
}

/* 0 nothing, 1 filled, 2 … pictures; looks go round. */
static void grid_tile(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    (void)layer;
    memset(out, 0, sizeof *out);
    out->empty = value == 0;
    out->filled = value == 1;
    if (value >= 2 && value < 2 + TILES)
        out->image = &tiles[value - 2];
    out->look = (lvl_tile_class)(1 + value % (LVL_LOOK_COUNT - 1));
    if (value == 5) {
        out->has_inner = true;
        out->inner = (lvl_rect){2, 3, 40, 5};
        out->inner_look = LVL_LOOK_SOLID;
    }
}

static lvl_scene_layer layer_of(const grid *g, uint32_t columns, uint32_t rows, int move, bool wrap)
{
    return (lvl_scene_layer){.columns = columns,
                             .rows = rows,
                             .cell_width = TILE,
                             .cell_height = TILE,
                             .move_x = move,
                             .move_y = move,
                             .wrap_x = wrap,
                             .wrap_y = wrap,
                             .fill_index = 77,
                             .fill_rgb = {palette.rgb[77][0], palette.rgb[77][1], palette.rgb[77][2]},
                             .user = g,
                             .cells = grid_cells,
                             .tile = grid_tile};
}

static grid back = {{2, 3, 4, 5, 3, 2, 5, 4, 7}};
static grid action = {{0,       0, 2, 0, 0, 4,       0, 0, 0, 0, /* */ 2, 5, 1, 0, 0,
                       7,       0, 0, 1, 2, /* */ 0, 0, 0, 6, 0, 0,       6, 0, 0, 2,
                       /* */ 3, 3, 3, 3, 3, 3,       3, 4, 5, 6}};
static grid front = {{0, 0, 0, 6, 0, 0, 0, 0}};

/* Three layers and five things, of which one is hidden and one mirrored. */
static lvl_scene *make(void)
{
    static const lvl_scene_box boxes[] = {{LVL_BOX_RANGE, {10, 4, 70, 12}}, {LVL_BOX_HIT, {1, 2, 9, 20}}};
    lvl_scene *s = lvl_scene_new(&ctx);

    assert_non_null(s);
    s->layers = lvl_scene_alloc(s, 3, sizeof *s->layers);
    s->things = lvl_scene_alloc(s, 5, sizeof *s->things);
    s->links = lvl_scene_alloc(s, 1, sizeof *s->links);
    assert_true(s->layers && s->things && s->links);
    s->layer_count = 3;
    s->layers[0] = layer_of(&back, 3, 3, 50, true);
    s->layers[1] = layer_of(&action, 10, 4, 100, false);
    s->layers[1].main = true;
    s->layers[2] = layer_of(&front, 4, 2, 150, false);
    s->layers[0].z = -10;
    s->layers[2].z = 10;
    s->main_layer = 1;
    s->palette = &palette;
    s->has_art = true;
    s->thing_count = 5;
    s->things[0] = (lvl_scene_thing){
        .x = 12, .y = 10, .z = -5, .image = &sprite, .kind = LVL_THING_ENEMY, .label = lvl_text_of("Rat")};
    s->things[1] = (lvl_scene_thing){.x = 30,
                                     .y = 16,
                                     .z = 5,
                                     .image = &sprite,
                                     .flags = LVL_THING_MIRROR,
                                     .kind = LVL_THING_ITEM,
                                     .label = lvl_text_of("Potion"),
                                     .boxes = boxes,
                                     .box_count = 2};
    s->things[2] = (lvl_scene_thing){
        .x = 40, .y = 8, .z = 6, .image = &sprite, .flags = LVL_THING_HIDDEN, .kind = LVL_THING_SOUND};
    s->things[3] = (lvl_scene_thing){.x = 78,
                                     .y = 30,
                                     .z = 15,
                                     .image = &sprite,
                                     .flags = LVL_THING_FLIP,
                                     .kind = LVL_THING_WARP,
                                     .label = lvl_text_of("Warp")};
    s->things[4] =
        (lvl_scene_thing){.x = 60, .y = 20, .z = 16, .kind = LVL_THING_BOSS, .label = lvl_text_of("Raux")};
    s->links[0] = (lvl_scene_link){LVL_THING_WARP, 78, 30, 3, 5};
    s->link_count = 1;
    assert_int_equal(lvl_scene_arrange(s, true), LVL_OK);
    return s;
}

static int setup(void **state)
{
    (void)state;
    lvl_ctx_init(&ctx);
    for (int i = 0; i < 256; i++) {
        palette.rgb[i][0] = (uint8_t)(i * 5);
        palette.rgb[i][1] = (uint8_t)(255 - i);
        palette.rgb[i][2] = (uint8_t)(i ^ 0x5A);
    }
    memset(palette.rgb[9], 0, 3); /* the darkest is not the first */
    for (int t = 0; t < TILES; t++) {
        assert_int_equal(lvl_image_init(&tiles[t], &ctx, LVL_PIXELS_INDEX8, TILE, TILE, t >= 4), LVL_OK);
        for (int i = 0; i < TILE * TILE; i++) {
            tiles[t].pixels[i] = (uint8_t)(20 + t * 30 + i % 29);
            if (t >= 4)
                tiles[t].mask[i] = (i * 7 / 3) % 2 ? 255 : 0;
        }
    }
    assert_int_equal(lvl_image_init(&sprite, &ctx, LVL_PIXELS_INDEX8, 7, 9, true), LVL_OK);
    sprite.offset_x = 2;
    sprite.offset_y = -1;
    for (int i = 0; i < 63; i++) {
        sprite.pixels[i] = (uint8_t)(180 + i);
        sprite.mask[i] = i % 4 ? 255 : 0;
    }
    assert_int_equal(lvl_image_init(&coloured, &ctx, LVL_PIXELS_RGBA8, 5, 5, false), LVL_OK);
    for (int i = 0; i < 100; i++)
        coloured.pixels[i] = (uint8_t)(i % 4 == 3 ? i * 2 : i * 9);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int t = 0; t < TILES; t++)
        lvl_image_clear(&tiles[t]);
    lvl_image_clear(&sprite);
    lvl_image_clear(&coloured);
    return 0;
}

/* ---- the plain drawing ------------------------------------------------------------------------------- */

static void plot(uint8_t *rgb, const lvl_image *image, int64_t sx, int64_t sy, unsigned flags)
{
    if (sx < 0 || sy < 0 || sx >= image->width || sy >= image->height)
        return;
    if (flags & LVL_THING_MIRROR)
        sx = image->width - 1 - sx;
    if (flags & LVL_THING_FLIP)
        sy = image->height - 1 - sy;
    const size_t at = (size_t)(sy * image->width + sx);
    if (!image->mask || image->mask[at])
        memcpy(rgb, palette.rgb[image->pixels[at]], 3);
}

/* One pixel of a layer at its own coordinates. */
static void plain_layer(uint8_t *rgb, const lvl_scene_layer *l, int64_t x, int64_t y)
{
    const int64_t w = (int64_t)l->columns * TILE, h = (int64_t)l->rows * TILE;

    if (l->wrap_x)
        x = (x % w + w) % w;
    if (l->wrap_y)
        y = (y % h + h) % h;
    if (x < 0 || y < 0 || x >= w || y >= h)
        return;
    const uint32_t v = ((const grid *)l->user)->values[y / TILE * l->columns + x / TILE];
    if (v == 1)
        memcpy(rgb, palette.rgb[77], 3);
    else if (v >= 2)
        plot(rgb, &tiles[v - 2], x % TILE, y % TILE, 0);
}

static void plain_thing(uint8_t *rgb, const lvl_scene_thing *t, int64_t x, int64_t y)
{
    lvl_rect r;

    if (!(t->flags & LVL_THING_HIDDEN) && lvl_scene_thing_rect(t, &r))
        plot(rgb, t->image, x - r.left, y - r.top, t->flags);
}

/* The pixel of the whole picture; the background is at bx, by, and the front at fx, fy if requested. */
static void plain(uint8_t *rgb, const lvl_scene *s, int64_t x, int64_t y, int64_t bx, int64_t by,
                  bool with_front, int64_t fx, int64_t fy)
{
    memset(rgb, 0, 3);
    plain_layer(rgb, &s->layers[0], x + bx, y + by);
    plain_thing(rgb, &s->things[0], x, y);
    plain_layer(rgb, &s->layers[1], x, y);
    plain_thing(rgb, &s->things[1], x, y);
    if (with_front)
        plain_layer(rgb, &s->layers[2], x + fx, y + fy);
    plain_thing(rgb, &s->things[3], x, y);
}

static void assert_rgb(const lvl_image *image, uint32_t x, uint32_t y, const uint8_t rgb[3])
{
    const uint8_t *p = image->pixels + ((size_t)y * image->width + x) * 4;

    if (memcmp(p, rgb, 3) != 0)
        fail_msg("pixel %u,%u is %u,%u,%u and not %u,%u,%u", x, y, p[0], p[1], p[2], rgb[0], rgb[1], rgb[2]);
}

static lvl_image draw(const lvl_scene *s, const lvl_render_options *o)
{
    lvl_image image;

    assert_int_equal(lvl_render_image(s, o, &image), LVL_OK);
    return image;
}

/* ---- tests ------------------------------------------------------------------------------------------- */

static void the_whole_level_is_drawn(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;
    uint8_t rgb[3];

    (void)state;
    lvl_render_options_init(&o);
    /* A view of 20 x 10 centred at 30, 16: the level scrolls to 20, 11, the background to 15 - 10 = 5 and 8
     * - 5 = 3. */
    o.camera_given = true;
    o.camera_x = 30;
    o.camera_y = 16;
    o.view_width = 20;
    o.view_height = 10;
    lvl_image image = draw(s, &o);
    assert_int_equal(image.width, 80);
    assert_int_equal(image.height, 32);
    for (uint32_t y = 0; y < 32; y++) {
        for (uint32_t x = 0; x < 80; x++) {
            plain(rgb, s, x, y, 5 - 20, 3 - 11, false, 0, 0);
            assert_rgb(&image, x, y, rgb);
        }
    }
    lvl_image_clear(&image);
    /* A region is a part of the same. */
    o.region_given = true;
    o.region = (lvl_rect){17, 9, 63, 30};
    image = draw(s, &o);
    assert_int_equal(image.width, 47);
    assert_int_equal(image.height, 22);
    for (uint32_t y = 0; y < 22; y++) {
        for (uint32_t x = 0; x < 47; x++) {
            plain(rgb, s, x + 17, y + 9, 5 - 20, 3 - 11, false, 0, 0);
            assert_rgb(&image, x, y, rgb);
        }
    }
    lvl_image_clear(&image);
    lvl_scene_free(s);
}

/* Parts of a picture put together are the picture, labels included. */
static void adjoining_parts_are_the_whole(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;
    uint32_t moved = 0;
    (void)state;

    lvl_render_options_init(&o);
    o.overlays = LVL_OVERLAY_THINGS;
    const lvl_image whole = draw(s, &o);
    o.region_given = true;
    for (int adjoining = 0; adjoining < 2; adjoining++) {
        o.adjoining = adjoining;
        for (uint32_t y = 0; y < whole.height; y += 16) {
            for (uint32_t x = 0; x < whole.width; x += 40) {
                o.region = (lvl_rect){(int32_t)x, (int32_t)y, (int32_t)x + 40, (int32_t)y + 16};
                lvl_image part = draw(s, &o);
                for (uint32_t row = 0; row < part.height; row++) {
                    const size_t at = ((size_t)(y + row) * whole.width + x) * 4;
                    const bool same = memcmp(part.pixels + (size_t)row * part.width * 4, whole.pixels + at,
                                             (size_t)part.width * 4) == 0;
                    moved += !same;
                    assert_true(same || !adjoining);
                }
                lvl_image_clear(&part);
            }
        }
    }
    assert_true(moved > 0); /* there are labels, which a part alone has at other places */
    lvl_image copy = whole;
    lvl_image_clear(&copy);
    lvl_scene_free(s);
}

static void the_camera_sees_what_the_game_shows(void **state)
{
    static const int32_t at[][2] = {{30, 16}, {0, 0}, {79, 31}, {41, 15}, {-500, 900}};
    lvl_scene *s = make();
    lvl_render_options o;
    uint8_t rgb[3];

    (void)state;
    lvl_render_options_init(&o);
    o.view = LVL_VIEW_CAMERA;
    o.camera_given = true;
    o.view_width = 20;
    o.view_height = 10;
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        o.camera_x = at[i][0];
        o.camera_y = at[i][1];
        /* The level's scroll position, kept inside. */
        int64_t mx = at[i][0] - 10, my = at[i][1] - 5;
        mx = mx < 0 ? 0 : mx > 60 ? 60 : mx;
        my = my < 0 ? 0 : my > 22 ? 22 : my;
        const int64_t bx = (mx + 10) / 2 - 10, by = (my + 5) / 2 - 5;
        int64_t fx = (mx + 10) * 3 / 2 - 10, fy = (my + 5) * 3 / 2 - 5;
        fx = fx < 0 ? 0 : fx > 12 ? 12 : fx;
        fy = fy < 0 ? 0 : fy > 6 ? 6 : fy;
        lvl_image image = draw(s, &o);
        assert_int_equal(image.width, 20);
        assert_int_equal(image.height, 10);
        for (uint32_t y = 0; y < 10; y++) {
            for (uint32_t x = 0; x < 20; x++) {
                plain(rgb, s, x + mx, y + my, bx - mx, by - my, true, fx - mx, fy - my);
                assert_rgb(&image, x, y, rgb);
            }
        }
        lvl_image_clear(&image);
    }
    lvl_scene_free(s);
}

static void one_layer_is_drawn_alone(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    o.view = LVL_VIEW_LAYER;
    for (o.layer = 0; o.layer < 3; o.layer++) {
        lvl_image image = draw(s, &o);
        assert_int_equal(image.width, s->layers[o.layer].columns * TILE);
        for (uint32_t y = 0; y < image.height; y++) {
            for (uint32_t x = 0; x < image.width; x++) {
                uint8_t rgb[3] = {0, 0, 0};
                if (o.layer == 1)
                    plain_thing(rgb, &s->things[0], x, y);
                plain_layer(rgb, &s->layers[o.layer], x, y);
                if (o.layer == 1) {
                    plain_thing(rgb, &s->things[1], x, y);
                    plain_thing(rgb, &s->things[3], x, y);
                }
                assert_rgb(&image, x, y, rgb);
            }
        }
        lvl_image_clear(&image);
    }
    lvl_image image;
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_ERR_ARG);
    lvl_scene_free(s);
}

static void layers_go_on_and_off(void **state)
{
    const signed char layers[3] = {0, LVL_LAYER_DEFAULT, 1};
    lvl_scene *s = make();
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    o.layers = layers;
    o.layer_count = 3;
    o.no_things = true;
    o.camera_given = true;
    o.view_width = 1;
    o.view_height = 1;
    s->layers[1].hidden = false;
    lvl_image image = draw(s, &o);
    for (uint32_t y = 0; y < 32; y++) {
        for (uint32_t x = 0; x < 80; x++) {
            uint8_t rgb[3] = {0, 0, 0};
            plain_layer(rgb, &s->layers[1], x, y);
            plain_layer(rgb, &s->layers[2], x, y);
            assert_rgb(&image, x, y, rgb);
        }
    }
    lvl_image_clear(&image);
    lvl_scene_free(s);
}

/* A background that moves slower than the level and does not wrap downwards (or not at all) repeats its
 * ends: above and below, a row with a majority repeats that cell alone. The picture is that of a
 * background with the repeated cells in its own grid. */
static void a_background_repeats_its_ends(void **state)
{
    static const struct {
        bool wrap_x;
        grid is, shows; /* `shows` has one row more at the top and at the bottom */
    } cases[] = {
        {true, {{2, 3, 3, 5, 3, 2, 5, 4, 7}}, {{3, 3, 3, 2, 3, 3, 5, 3, 2, 5, 4, 7, 5, 4, 7}}},
        {true, {{2, 3, 4, 5, 3, 2, 6, 4, 6}}, {{2, 3, 4, 2, 3, 4, 5, 3, 2, 6, 4, 6, 6, 6, 6}}},
        /* clang-format off */
        {false, {{2, 3, 3, 5, 3, 2, 5, 4, 7}}, /* two columns more on the left, and five on the right */
         {{3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
           2, 2, 2, 3, 3, 3, 3, 3, 3, 3,
           5, 5, 5, 3, 2, 2, 2, 2, 2, 2,
           5, 5, 5, 4, 7, 7, 7, 7, 7, 7,
           5, 5, 5, 4, 7, 7, 7, 7, 7, 7}}},
        /* clang-format on */
    };
    lvl_render_options o;
    uint8_t rgb[3];

    (void)state;
    lvl_render_options_init(&o);
    o.camera_given = true;
    o.camera_x = 30;
    o.view_width = 20;
    o.view_height = 10;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lvl_scene *s = make(), *wanted = make();
        const bool wrap = cases[i].wrap_x;

        s->layers[0] = layer_of(&cases[i].is, 3, 3, 50, wrap);
        wanted->layers[0] = layer_of(&cases[i].shows, wrap ? 3 : 10, 5, 50, wrap);
        s->layers[0].wrap_y = wanted->layers[0].wrap_y = false;
        for (int below = 0; below < 2; below++) {
            /* Across, the level scrolls to 20 and the background to 5, or without wrapping to its end, 4.
             * With the camera at 16 the level is at 11, and the background at 3: its first row is 8 px
             * below the level's. With the camera at the top both are at 0, and 8 px of the level are below
             * its last. */
            o.camera_y = below ? 5 : 16;
            const int64_t bx = wrap ? 5 - 20 : 4 - 20 + 2 * TILE, by = (below ? 0 : 3 - 11) + TILE;
            lvl_image image = draw(s, &o);
            for (uint32_t y = 0; y < 32; y++) {
                for (uint32_t x = 0; x < 80; x++) {
                    plain(rgb, wanted, x, y, bx, by, false, 0, 0);
                    assert_rgb(&image, x, y, rgb);
                }
            }
            lvl_image_clear(&image);
        }
        lvl_scene_free(s);
        lvl_scene_free(wanted);
    }
}

/* Every way of cutting into bands, and both kinds of canvas, give the same picture. */
static void bands_do_not_show(void **state)
{
    static const unsigned overlays[] = {
        0, LVL_OVERLAY_GRID, LVL_OVERLAY_TILES, LVL_OVERLAY_THINGS, LVL_OVERLAY_RANGES, 31};
    lvl_scene *s = make();

    (void)state;
    for (int schematic = 0; schematic < 2; schematic++) {
        for (size_t v = 0; v < sizeof overlays / sizeof overlays[0]; v++) {
            for (uint32_t size = 0; size < 50; size += 37) {
                lvl_render_options o;
                lvl_render_options_init(&o);
                o.schematic = schematic != 0;
                o.overlays = overlays[v];
                o.size = size;
                lvl_image whole = draw(s, &o);
                for (uint32_t bytes = 1; bytes < 4000; bytes = bytes * 3 + 80) {
                    o.band_bytes = bytes;
                    lvl_image banded = draw(s, &o);
                    assert_int_equal(banded.width, whole.width);
                    assert_memory_equal(banded.pixels, whole.pixels, (size_t)whole.width * whole.height * 4);
                    lvl_image_clear(&banded);
                }
                lvl_image_clear(&whole);
            }
        }
    }
    lvl_scene_free(s);
}

/* Takes the first rows and asks to stop. */
typedef struct stopper {
    lvl_rows rows;
    volatile int stop;
    uint32_t taken;
    bool ended;
} stopper;

static lvl_status stopper_begin(lvl_rows *rows, const lvl_picture *picture)
{
    (void)rows;
    (void)picture;
    return LVL_OK;
}

static lvl_status stopper_rows(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    stopper *s = (stopper *)rows;

    (void)pixels;
    s->taken += count;
    s->stop = 1;
    return LVL_OK;
}

static lvl_status stopper_end(lvl_rows *rows)
{
    ((stopper *)rows)->ended = true;
    return LVL_OK;
}

static void a_render_ends_when_asked_to(void **state)
{
    stopper s = {.rows = {stopper_begin, stopper_rows, stopper_end}};
    lvl_scene *scene = make();
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    o.band_bytes = 1;
    ctx.stop = &s.stop;
    assert_int_equal(lvl_render(scene, &o, &s.rows), LVL_ERR_STOPPED);
    ctx.stop = NULL;
    assert_int_equal(s.taken, 1);
    assert_false(s.ended);
    lvl_scene_free(scene);
}

static void indices_and_colours_agree(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    lvl_image indexed = draw(s, &o);
    o.transparent = true;
    lvl_image rgba = draw(s, &o);
    for (size_t i = 0; i < (size_t)80 * 32; i++) {
        if (rgba.pixels[i * 4 + 3])
            assert_memory_equal(rgba.pixels + i * 4, indexed.pixels + i * 4, 4);
        else
            assert_memory_equal(indexed.pixels + i * 4, ((uint8_t[]){0, 0, 0}), 3);
    }
    lvl_image_clear(&rgba);
    /* One picture in full colour makes all of it so. */
    o.transparent = false;
    s->things[4].image = &coloured;
    lvl_image full = draw(s, &o);
    size_t same = 0;
    for (size_t i = 0; i < (size_t)80 * 32; i++)
        same += memcmp(full.pixels + i * 4, indexed.pixels + i * 4, 4) == 0;
    assert_true(same >= 80 * 32 - 25 && same < 80 * 32);
    lvl_image_clear(&full);
    lvl_image_clear(&indexed);
    lvl_scene_free(s);
}

static void enlarging_repeats_pixels(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    lvl_image plain_one = draw(s, &o);
    o.scale_up = 3;
    lvl_image large = draw(s, &o);
    assert_int_equal(large.width, 240);
    assert_int_equal(large.height, 96);
    for (size_t y = 0; y < 96; y++) {
        for (size_t x = 0; x < 240; x++)
            assert_memory_equal(large.pixels + (y * 240 + x) * 4, plain_one.pixels + (y / 3 * 80 + x / 3) * 4,
                                4);
    }
    lvl_image_clear(&large);
    lvl_image_clear(&plain_one);
    lvl_scene_free(s);
}

static void shrinking_averages(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    lvl_image one = draw(s, &o);
    /* Sides that divide and sides that don't. */
    for (uint32_t size = 1; size <= 80; size++) {
        o.size = size;
        lvl_image small = draw(s, &o);
        uint32_t w, h;
        assert_int_equal(lvl_render_size(s, &o, &w, &h), LVL_OK);
        assert_int_equal(small.width, size);
        assert_int_equal(small.width, w);
        assert_int_equal(small.height, h);
        for (uint32_t y = 0; y < h; y++) {
            for (uint32_t x = 0; x < w; x++) {
                const double x0 = x * 80.0 / w, x1 = (x + 1) * 80.0 / w, y0 = y * 32.0 / h,
                             y1 = (y + 1) * 32.0 / h;
                double sum[3] = {0, 0, 0};
                for (uint32_t sy = (uint32_t)y0; sy < y1 && sy < 32; sy++) {
                    for (uint32_t sx = (uint32_t)x0; sx < x1 && sx < 80; sx++) {
                        const double cx = (x1 < sx + 1 ? x1 : sx + 1) - (x0 > sx ? x0 : sx);
                        const double cy = (y1 < sy + 1 ? y1 : sy + 1) - (y0 > sy ? y0 : sy);
                        for (int c = 0; c < 3; c++)
                            sum[c] += one.pixels[((size_t)sy * 80 + sx) * 4 + (size_t)c] * cx * cy;
                    }
                }
                for (int c = 0; c < 3; c++) {
                    const double mean = sum[c] / ((x1 - x0) * (y1 - y0));
                    const double got = small.pixels[((size_t)y * w + x) * 4 + (size_t)c];
                    assert_true(got - mean < 2.5 && mean - got < 2.5);
                }
            }
        }
        lvl_image_clear(&small);
    }
    o.size = 0;
    o.scale_down = 4;
    lvl_image quarter = draw(s, &o);
    assert_int_equal(quarter.width, 20);
    assert_int_equal(quarter.height, 8);
    lvl_image_clear(&quarter);
    o.scale_down = 1000; /* never less than a pixel */
    quarter = draw(s, &o);
    assert_int_equal(quarter.width, 1);
    lvl_image_clear(&quarter);
    lvl_image_clear(&one);
    lvl_scene_free(s);
}

/* Parts of opaque and of transparent pixels are summed in a shorter way; it gives the means of the other way, which
 * is used if `from` holds more than the picture. */
static void shrinking_opaque_parts_is_exact(void **state)
{
    enum { SIDE = 64 };
    static uint8_t pixels[(SIDE + 1) * SIDE * 4], quick[SIDE * SIDE * 4], slow[SIDE * SIDE * 4];
    static const lvl_area whole = {0, 0, SIDE, SIDE}, more = {0, 0, SIDE, SIDE + 1};
    uint32_t random = 1;

    (void)state;
    for (unsigned alphas = 0; alphas < 4; alphas++) { /* 0, 255, both by blocks, any */
        for (size_t i = 0; i < sizeof pixels / 4; i++) {
            const size_t block = i / SIDE / 8 + i % SIDE / 8;
            for (size_t c = 0; c < 3; c++)
                pixels[i * 4 + c] = (uint8_t)((random = random * 1103515245u + 12345u) >> 16);
            if (i % 3 == 0)
                memset(pixels + i * 4, 255, 3); /* the largest sums */
            pixels[i * 4 + 3] = (uint8_t)(alphas == 0   ? 0
                                          : alphas == 1 ? 255
                                          : alphas == 2 ? 255 * (block & 1)
                                                        : random >> 24);
        }
        for (uint32_t width = 1; width <= SIDE; width++) {
            for (uint32_t height = 1; height <= SIDE; height += width % 4 + 1) {
                lvl_image a = {.width = width, .height = height, .pixels = quick}, b = a;
                b.pixels = slow;
                const bool seen = lvl_shrink(pixels, &whole, SIDE, SIDE, &a);
                assert_int_equal(seen, lvl_shrink(pixels, &more, SIDE, SIDE, &b));
                assert_memory_equal(quick, slow, (size_t)width * height * 4);
            }
        }
    }
}

static void a_thumbnail_never_grows(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;
    uint32_t w, h;

    (void)state;
    lvl_render_options_init(&o);
    o.size = 500;
    assert_int_equal(lvl_render_size(s, &o, &w, &h), LVL_OK);
    assert_int_equal(w, 80);
    assert_int_equal(h, 32);
    lvl_scene_free(s);
}

/* Colours that a picture has. */
static size_t colours_of(const lvl_image *image, uint32_t *list, size_t most)
{
    size_t count = 0;

    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *p = image->pixels + i * 4;
        const uint32_t c = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        size_t k = 0;
        while (k < count && list[k] != c)
            k++;
        if (k == count && count < most)
            list[count++] = c;
    }
    return count;
}

static void without_art_it_is_schematic(void **state)
{
    lvl_scene *s = make();
    uint32_t colours[256];
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    o.schematic = true;
    lvl_image asked = draw(s, &o);
    s->has_art = false;
    o.schematic = false;
    lvl_image must = draw(s, &o);
    assert_memory_equal(asked.pixels, must.pixels, (size_t)80 * 32 * 4);
    const size_t count = colours_of(&must, colours, 256);
    assert_in_range(count, 8, 40);
    lvl_image_clear(&asked);
    lvl_image_clear(&must);
    lvl_scene_free(s);
}

/* 0 nothing, 1 a mask, 2 what blocks and 3 ground, both of a flat colour. */
static void flat_tile(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    static const uint8_t mask[4] = {1, 0, 1, 1};

    (void)layer;
    memset(out, 0, sizeof *out);
    out->empty = value == 0;
    if (value == 1) {
        out->mask = mask;
        out->mask_width = out->mask_height = 2;
    }
    out->has_rgb = value > 1;
    out->rgb[0] = (uint8_t)(value * 80);
    out->look = value == 2 ? LVL_LOOK_SOLID : LVL_LOOK_GROUND;
}

static lvl_scene *make_flat(uint32_t cell_size)
{
    static const grid cells = {{1, 0, 2, 3, 1, 3}};
    lvl_scene *s = lvl_scene_new(&ctx);

    assert_non_null(s);
    s->layers = lvl_scene_alloc(s, 1, sizeof *s->layers);
    assert_non_null(s->layers);
    s->layer_count = 1;
    s->layers[0] = layer_of(&cells, 3, 2, 100, false);
    s->layers[0].main = true;
    s->layers[0].cell_width = s->layers[0].cell_height = cell_size;
    s->layers[0].tile = flat_tile;
    s->has_colours = true;
    assert_int_equal(lvl_scene_arrange(s, true), LVL_OK);
    return s;
}

/* Cells that are still large in the thumbnail: eight times as large and shrunk to an eighth, they are the
 * same picture. */
static void large_schematic_cells_are_shrunk(void **state)
{
    enum { CELL = 256, EDGE = CELL / 8 };
    lvl_scene *small = make_flat(CELL), *large = make_flat(8 * CELL);
    lvl_render_options o;
    uint32_t colours[256];

    (void)state;
    lvl_render_options_init(&o);
    o.schematic = true;
    lvl_image wanted = draw(small, &o);
    o.size = 3 * CELL;
    lvl_image got = draw(large, &o);
    assert_int_equal(got.width, wanted.width);
    assert_int_equal(got.height, wanted.height);
    assert_int_equal(colours_of(&wanted, colours, 256), 6); /* the mask's two, and the ground in shadow */
    for (uint32_t y = 0; y < wanted.height; y++) {
        /* the edge of what blocks, and its shadow, are a pixel thicker than an eighth of the cell */
        const size_t row = (size_t)y * wanted.width * 4;
        if (y % CELL < EDGE || y % CELL > EDGE)
            assert_memory_equal(got.pixels + row, wanted.pixels + row, (size_t)wanted.width * 4);
    }
    lvl_image_clear(&wanted);
    lvl_image_clear(&got);
    lvl_scene_free(small);
    lvl_scene_free(large);
}

static void hostile_sizes_are_refused(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;
    lvl_image image;
    uint32_t w, h;

    (void)state;
    lvl_render_options_init(&o);
    s->layers[1].cell_width = UINT32_MAX;
    assert_int_equal(lvl_render_size(s, &o, &w, &h), LVL_ERR_LIMIT);
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_ERR_LIMIT);
    s->layers[1].cell_width = TILE;
    s->layers[1].cell_height = 0;
    assert_int_not_equal(lvl_render_image(s, &o, &image), LVL_OK);
    s->layers[1].cell_height = TILE;
    o.region_given = true;
    o.region = (lvl_rect){500, 500, 600, 600};
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_ERR_ARG);
    o.region = (lvl_rect){10, 10, 5, 5};
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_ERR_ARG);
    o.region = (lvl_rect){INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX};
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_OK);
    assert_int_equal(image.width, 80);
    lvl_image_clear(&image);
    o.region_given = false;
    o.scale_up = UINT32_MAX;
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_ERR_LIMIT);
    o.scale_up = 0;
    o.view = LVL_VIEW_CAMERA;
    o.view_width = UINT32_MAX;
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_ERR_LIMIT);
    /* Things and cameras at the end of the world. */
    o.view_width = 16;
    o.view_height = 16;
    o.camera_given = true;
    o.camera_x = INT32_MIN;
    o.camera_y = INT32_MAX;
    o.overlays = 31;
    s->layers[0].move_x = INT32_MIN;
    s->layers[0].move_y = INT32_MAX;
    s->things[0].x = INT32_MAX;
    s->things[1].y = INT32_MIN;
    s->links[0].x1 = INT32_MIN;
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_OK);
    lvl_image_clear(&image);
    o.schematic = true;
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_OK);
    lvl_image_clear(&image);
    lvl_scene_free(s);
}

static void nothing_gives_no_picture(void **state)
{
    lvl_scene *s = lvl_scene_new(&ctx);
    lvl_render_options o;
    lvl_image image;

    (void)state;
    assert_non_null(s);
    lvl_render_options_init(&o);
    assert_int_equal(lvl_scene_arrange(s, true), LVL_OK);
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_ERR_ARG);
    o.view = LVL_VIEW_CAMERA;
    assert_int_equal(lvl_render_image(s, &o, &image), LVL_OK); /* a dark screen */
    lvl_image_clear(&image);
    lvl_scene_free(s);
}

typedef struct memory {
    lvl_writer writer;
    lvl_buffer buf;
} memory;

static lvl_status write_memory(lvl_writer *writer, const void *data, size_t len)
{
    memory *m = (memory *)writer;

    lvl_buffer_add(&m->buf, data, len);
    return m->buf.status;
}

static void the_png_is_the_picture(void **state)
{
    lvl_scene *s = make();
    lvl_render_options o;

    (void)state;
    lvl_render_options_init(&o);
    for (int how = 0; how < 4; how++) {
        memory m = {.writer.write = write_memory};
        lvl_image back_image, image;
        o.overlays = how == 1 ? LVL_OVERLAY_GRID : 0;
        o.schematic = how == 2;
        o.transparent = how == 3;
        assert_int_equal(lvl_render_png(s, &o, &m.writer), LVL_OK);
        image = draw(s, &o);
        assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){m.buf.data, m.buf.len}, &back_image), LVL_OK);
        assert_int_equal(back_image.format, how % 2 ? LVL_PIXELS_RGBA8 : LVL_PIXELS_INDEX8);
        for (size_t i = 0; i < (size_t)80 * 32; i++) {
            const uint8_t *p = back_image.format == LVL_PIXELS_INDEX8
                                   ? back_image.palette->rgb[back_image.pixels[i]]
                                   : back_image.pixels + i * 4;
            assert_memory_equal(p, image.pixels + i * 4, 3);
        }
        lvl_image_clear(&back_image);
        lvl_image_clear(&image);
        lvl_buffer_free(&m.buf);
    }
    lvl_scene_free(s);
}

static void a_diff_is_three_panels(void **state)
{
    lvl_scene *a = make(), *b = make();
    memory m = {.writer.write = write_memory};
    grid changed = action;
    lvl_image image;

    (void)state;
    changed.values[13] = 2;
    b->layers[1].user = &changed;
    b->things[1].x += 20;
    assert_int_equal(lvl_render_diff(a, b, NULL, 0, NULL, &m.writer), LVL_OK);
    assert_int_equal(lvl_png_read(&ctx, (lvl_bytes){m.buf.data, m.buf.len}, &image), LVL_OK);
    assert_int_equal(image.width, 80 * 3 + 8 * 4);
    assert_int_equal(image.height, 32 + 24 + 8);
    /* The changed cell (3, 1) differs between the panels, its neighbour to the left doesn't. */
    const uint8_t *row = image.pixels + (size_t)(24 + TILE + 2) * image.width * 4;
    assert_memory_not_equal(row + (8 + 3 * TILE) * 4, row + (8 + 88 + 3 * TILE) * 4, 4);
    assert_memory_equal(row + (8 + TILE) * 4, row + (8 + 88 + TILE) * 4, 4);
    lvl_image_clear(&image);
    /* two rows of cells are as many as they are, not one place */
    changed = action;
    changed.values[12] = changed.values[13] = changed.values[22] = changed.values[23] = 7;
    b->things[1].x -= 20;
    grid behind = back;
    behind.values[1] = behind.values[4] = 7;
    for (int kind = 0; kind < 4; kind++) {
        static const char *const counted[] = {"4 cells", "4 cells, 2 cells of other layers",
                                              "2 cells of other layers", "no change in this picture"};
        const bool same = kind > 2;
        b->layers[0].user = kind == 1 || kind == 2 ? &behind : &back;
        b->layers[1].user = kind < 2 ? &changed : &action;
        memory is = {.writer.write = write_memory}, named = {.writer.write = write_memory};
        lvl_render_options o;
        lvl_render_options_init(&o);
        assert_int_equal(lvl_render_diff(a, same ? a : b, NULL, 0, NULL, &is.writer), LVL_OK);
        o.captions[2] = counted[kind];
        assert_int_equal(lvl_render_diff(a, same ? a : b, NULL, 0, &o, &named.writer), LVL_OK);
        assert_int_equal(is.buf.len, named.buf.len);
        assert_memory_equal(is.buf.data, named.buf.data, is.buf.len);
        lvl_buffer_free(&is.buf);
        lvl_buffer_free(&named.buf);
    }
    lvl_buffer_free(&m.buf);
    lvl_scene_free(a);
    lvl_scene_free(b);
}

/* Each group of changes is a separate part, and is enlarged as far as it fits. */
static void parts_of_a_diff(void **state)
{
    lvl_scene *a = make(), *b = make();
    const lvl_scene_change changes[] = {
        {LVL_CHANGE_CHANGED, {0, 0, 3, 3}, false},
        {LVL_CHANGE_CHANGED, {4, 2, 6, 5}, false},
        {LVL_CHANGE_ADDED, {70, 20, 75, 25}, true},
        {LVL_CHANGE_REMOVED, {-50, -50, -40, -40}, false}, /* beyond the level */
    };
    lvl_rect areas[8];
    lvl_diff_part part;
    lvl_render_options o;
    size_t count;

    (void)state;
    assert_int_equal(lvl_render_diff_areas(a, b, changes, 4, areas, 8, &count), LVL_OK);
    assert_int_equal(count, 3);
    assert_int_equal(areas[0].right, 79);
    assert_int_equal(areas[1].left, 0);
    assert_true(areas[1].right < areas[2].right || areas[1].left < areas[2].left || areas[1].right == 79);
    assert_int_equal(lvl_render_diff_areas(a, b, changes, 4, areas, 2, &count), LVL_OK);
    assert_int_equal(count, 2);
    assert_int_equal(lvl_render_diff_areas(a, b, changes, 4, areas, 0, &count), LVL_OK);
    assert_int_equal(count, 0);
    lvl_render_options_init(&o);
    o.size = 100;
    o.scale_up = 3;
    const lvl_rect area = {8, 4, 27, 13}, none = {8, 4, 7, 13}, far = {1000, 1000, 1019, 1009};
    assert_int_equal(lvl_render_diff_part(a, b, changes, 4, &area, &o, &part), LVL_OK);
    assert_int_equal(part.scale_up, 3);
    assert_int_equal(part.before.width, 60);
    assert_int_equal(part.marked.height, 30);
    assert_memory_equal(part.before.pixels, part.after.pixels, 60 * 30 * 4);
    lvl_diff_part_clear(&part);
    o.scale_up = 100;
    assert_int_equal(lvl_render_diff_part(a, b, changes, 4, &area, &o, &part), LVL_OK);
    assert_int_equal(part.scale_up, 5);
    lvl_diff_part_clear(&part);
    assert_int_equal(lvl_render_diff_part(a, b, changes, 4, &none, &o, &part), LVL_ERR_ARG);
    assert_int_equal(lvl_render_diff_part(a, b, changes, 4, &far, &o, &part), LVL_OK);
    lvl_diff_part_clear(&part);
    lvl_scene_free(a);
    lvl_scene_free(b);
}

/* Appended behind what the storage has; one that the code page lacks stays as it is. */
static void choices_are_converted(void **state)
{
    (void)state;
    const char *const texts[] = {"head=ab\xE4\xBA\xBA.png", "body=\xC3\xA4.png"};
    lvl_buffer storage = {0};
    lvl_scene_choice choices[2];

    lvl_buffer_str(&storage, "x=y");
    lvl_buffer_u8(&storage, 0);
    assert_int_equal(lvl_render_choices(LVL_CP_1252, texts, 2, choices, &storage), LVL_OK);
    assert_true(lvl_text_is(choices[0].name, "head"));
    assert_true(lvl_text_is(choices[0].value, "ab\xE4\xBA\xBA.png"));
    assert_true(lvl_text_is(choices[1].name, "body"));
    assert_true(lvl_text_is(choices[1].value, "\xE4.png"));
    lvl_buffer_free(&storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_level_is_drawn),
        cmocka_unit_test(adjoining_parts_are_the_whole),
        cmocka_unit_test(the_camera_sees_what_the_game_shows),
        cmocka_unit_test(one_layer_is_drawn_alone),
        cmocka_unit_test(layers_go_on_and_off),
        cmocka_unit_test(a_background_repeats_its_ends),
        cmocka_unit_test(bands_do_not_show),
        cmocka_unit_test(indices_and_colours_agree),
        cmocka_unit_test(a_render_ends_when_asked_to),
        cmocka_unit_test(enlarging_repeats_pixels),
        cmocka_unit_test(shrinking_averages),
        cmocka_unit_test(shrinking_opaque_parts_is_exact),
        cmocka_unit_test(a_thumbnail_never_grows),
        cmocka_unit_test(without_art_it_is_schematic),
        cmocka_unit_test(large_schematic_cells_are_shrunk),
        cmocka_unit_test(hostile_sizes_are_refused),
        cmocka_unit_test(nothing_gives_no_picture),
        cmocka_unit_test(the_png_is_the_picture),
        cmocka_unit_test(a_diff_is_three_panels),
        cmocka_unit_test(parts_of_a_diff),
        cmocka_unit_test(choices_are_converted),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
