/*
 * test_scene_bounds.c: scenes with numbers that no level has: cells of 2^31 px, parallax of 2^31 percent,
 * hundreds of thousands of columns. Each is drawn, and takes at most a fixed multiple of the time of one of
 * half the size.
 */
#include "scene/scene.h"
#include "growth.h"

#include <lvl/scene.h>
#include <lvl/render.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* What the one layer of a scene is made of. */
typedef struct kind {
    lvl_tile_class look;
    bool mask, colour, every_other, none;
} kind;

static uint64_t cells_read;

static const uint8_t mask_bytes[4] = {1, 0, 1, 1};

static void cells_of(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const kind *k = layer->user;

    (void)y;
    cells_read += count;
    for (uint32_t i = 0; i < count; i++)
        out[i] = k->every_other ? (x + i) % 2 : 1;
}

static void tile_of(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    const kind *k = layer->user;

    memset(out, 0, sizeof *out);
    out->empty = value == 0 || k->none;
    out->filled = true;
    out->look = k->look;
    out->has_rgb = k->colour;
    if (k->mask) {
        out->mask = mask_bytes;
        out->mask_width = out->mask_height = 2;
    }
}

static lvl_scene *make(const kind *k, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height)
{
    lvl_scene *s = lvl_scene_new(&ctx);

    assert_non_null(s);
    s->layers = lvl_scene_alloc(s, 1, sizeof *s->layers);
    assert_non_null(s->layers);
    s->layer_count = 1;
    s->layers[0] = (lvl_scene_layer){.main = true,
                                     .columns = columns,
                                     .rows = rows,
                                     .cell_width = width,
                                     .cell_height = height,
                                     .move_x = 100,
                                     .move_y = 100,
                                     .fill_rgb = {40, 142, 40},
                                     .user = k,
                                     .cells = cells_of,
                                     .tile = tile_of};
    assert_int_equal(lvl_scene_arrange(s, false), LVL_OK);
    return s;
}

static double seconds(void)
{
    return lvl_cpu_seconds(); /* of this process: others don't count */
}

/* What is too short to be measured is short enough. Each is measured again only if it seems too slow: others
 * are at work on the machine. */
static void assert_linear(const char *what, double (*run)(uint32_t n), uint32_t n)
{
    double once = 0, twice = 0;

    for (int round = 0; round < 5; round++) {
        const double a = run(n), b = run(n * 2);
        once = round == 0 || a < once ? a : once;
        twice = round == 0 || b < twice ? b : twice;
        if (twice <= 0.1 || twice <= once * 2.5 || twice > 5)
            break;
    }
    if (twice > 0.001)
        print_message("%s: %.1f ms, doubled %.1f ms\n", what, once * 1000, twice * 1000);
    if (twice > 0.1 && twice > once * 2.5)
        fail_msg("%s: doubling the input takes %.1f times as long", what, twice / once);
}

static double draw(lvl_scene *scene, const lvl_render_options *o)
{
    lvl_image image;
    const double start = seconds();

    assert_int_equal(lvl_render_image(scene, o, &image), LVL_OK);
    const double took = seconds() - start;
    lvl_image_clear(&image);
    lvl_scene_free(scene);
    return took;
}

/* ---- what is drawn of one large cell ----------------------------------------------------------------- */

static kind cell_kind;

static double draw_cell(uint32_t n)
{
    lvl_render_options o;
    lvl_scene *s = make(&cell_kind, 4, 4, n, n);

    lvl_render_options_init(&o);
    o.schematic = true;
    o.view = LVL_VIEW_CAMERA;
    o.view_width = o.view_height = 64;
    o.camera_given = true;
    o.camera_x = o.camera_y = 20000;
    return draw(s, &o);
}

static void large_cells(void **state)
{
    (void)state;
    for (int look = 1; look < LVL_LOOK_COUNT; look++) {
        for (int how = 0; how < 3; how++) {
            char what[40];
            snprintf(what, sizeof what, "look %d%s", look,
                     how == 1   ? ", mask"
                     : how == 2 ? ", coloured"
                                : "");
            cell_kind = (kind){.look = (lvl_tile_class)look, .mask = how == 1, .colour = how == 2};
            assert_linear(what, draw_cell, 1 << 15);
            assert_true(draw_cell(INT32_MAX) < 1);
        }
    }
}

/* The pattern doesn't depend on what part of a cell is in view. */
static void patterns_stay(void **state)
{
    (void)state;
    for (int look = 1; look < LVL_LOOK_COUNT; look++) {
        for (int how = 0; how < 2; how++) {
            const kind k = {.look = (lvl_tile_class)look, .mask = how == 1};
            lvl_scene *s = make(&k, 2, 2, 50, 70);
            lvl_image whole, part;
            lvl_render_options o;

            lvl_render_options_init(&o);
            o.schematic = true;
            assert_int_equal(lvl_render_image(s, &o, &whole), LVL_OK);
            o.region_given = true;
            o.band_bytes = 1;
            for (int at = 0; at < 60; at += 7) {
                o.region = (lvl_rect){at, at, at + 30, at + 40};
                assert_int_equal(lvl_render_image(s, &o, &part), LVL_OK);
                for (uint32_t y = 0; y < part.height; y++)
                    assert_memory_equal(part.pixels + (size_t)y * part.width * 4,
                                        whole.pixels +
                                            ((size_t)(y + (uint32_t)at) * whole.width + (size_t)at) * 4,
                                        (size_t)part.width * 4);
                lvl_image_clear(&part);
            }
            lvl_image_clear(&whole);
            lvl_scene_free(s);
        }
    }
}

/* ---- many cells -------------------------------------------------------------------------------------- */

static const kind ground = {.look = LVL_LOOK_GROUND};

static double draw_grid(uint32_t n)
{
    static const kind none = {.none = true};
    lvl_render_options o;
    lvl_scene *s = make(&none, n, 1000, 4, 4);

    s->has_art = true;
    lvl_render_options_init(&o);
    o.size = 64;
    o.overlays = LVL_OVERLAY_GRID;
    return draw(s, &o);
}

static void small_grid(void **state)
{
    (void)state;
    assert_linear("grid", draw_grid, 200);
}

static double find_changes(uint32_t n)
{
    static const kind every_other = {.look = LVL_LOOK_SOLID, .every_other = true};
    lvl_scene *a = make(&ground, n, 1, 1, 1), *b = make(&every_other, n, 1, 1, 1);
    lvl_scene_change *changes;
    size_t count;
    const double start = seconds();

    assert_int_equal(lvl_scene_compare(a, b, &changes, &count), LVL_OK);
    const double took = seconds() - start;
    assert_int_equal(count, n / 2);
    lvl_scene_changes_free(a, changes);
    lvl_scene_free(a);
    lvl_scene_free(b);
    return took;
}

static void many_changes(void **state)
{
    (void)state;
    assert_linear("changes", find_changes, 200000);
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

/* Whatever numbers a file holds, nothing overflows on the way to a picture (seen with UBSan), and the picture
 * is one. */
static void any_numbers(void **state)
{
    static const int32_t ends[] = {INT32_MIN, -1, 0, 1, INT32_MAX};
    lvl_render_options o;

    (void)state;
    for (size_t m = 0; m < 5; m++) {
        for (int wrap = 0; wrap < 2; wrap++) {
            for (size_t at = 0; at < 5; at++) {
                lvl_scene *s = make(&ground, UINT32_MAX, UINT32_MAX, INT32_MAX, UINT32_MAX);
                lvl_scene_layer *l = &s->layers[0];

                l->move_x = l->move_y = ends[m];
                l->wrap_x = l->wrap_y = wrap;
                s->start_x = s->start_y = ends[at];
                s->free_camera = at == 1;
                assert_int_equal(lvl_scene_arrange(s, false), LVL_OK);
                assert_true((uint64_t)l->columns * l->cell_width <= INT32_MAX && l->cell_width <= 1 << 16);
                assert_true((uint64_t)l->rows * l->cell_height <= INT32_MAX && l->cell_height <= 1 << 16);
                assert_true(l->move_x >= -10000 && l->move_x <= 10000);
                lvl_render_options_init(&o);
                o.view = LVL_VIEW_CAMERA;
                o.view_width = o.view_height = 16;
                o.overlays = LVL_OVERLAY_GRID;
                draw(s, &o);
            }
        }
    }
}

/* One pixel of very many, with alpha and without. */
static void mean_of_many(void **state)
{
    static const uint8_t want[4] = {40, 142, 40, 255};
    lvl_render_options o;
    lvl_image image;

    (void)state;
    for (int transparent = 0; transparent < 2; transparent++) {
        for (int long_side = 0; long_side < 2; long_side++) {
            lvl_scene *s = long_side ? make(&ground, 3, 700000, 1, 2) : make(&ground, 700000, 3, 2, 1);

            s->has_art = true;
            lvl_render_options_init(&o);
            o.size = 1;
            o.transparent = transparent;
            assert_int_equal(lvl_render_image(s, &o, &image), LVL_OK);
            assert_memory_equal(image.pixels, want, 4);
            lvl_image_clear(&image);
            lvl_scene_free(s);
        }
    }
}

/* A thumbnail of a large level is drawn at a part of its size, and shows the same as one drawn at full size
 * and shrunk: of 25 px from cells of at least a pixel drawn, of 5 px from their means. */
static void thumbnails(void **state)
{
    static const kind kinds[] = {{.look = LVL_LOOK_GROUND, .every_other = true},
                                 {.look = LVL_LOOK_CLIMB},
                                 {.look = LVL_LOOK_SOLID, .colour = true}};
    double quick = 0, slow = 0;

    (void)state;
    for (int way = 0; way < 12; way++) {
        const kind *k = &kinds[way % 3];
        const uint32_t size = way % 2 ? 25 : 5;
        lvl_scene *s = make(k, 100, 50, 64, 64);
        lvl_render_options o;
        lvl_image small, exact;

        s->has_art = way >= 6;
        s->has_colours = k->colour;
        lvl_render_options_init(&o);
        o.size = size;
        const double start = seconds();
        assert_int_equal(lvl_render_image(s, &o, &small), LVL_OK);
        const double middle = seconds();
        o.size = 0;
        o.scale_down = 6400 / size;
        assert_int_equal(lvl_render_image(s, &o, &exact), LVL_OK);
        quick += middle - start;
        slow += seconds() - middle;
        /* of an odd number of rows the thumbnail has one more, which holds the half that is left */
        assert_int_equal(small.width, exact.width);
        assert_true(small.height - exact.height <= 1);
        for (size_t i = 0; i < (size_t)exact.width * exact.height * 4; i++)
            assert_true(abs((int)small.pixels[i] - (int)exact.pixels[i]) <= 3);
        lvl_image_clear(&small);
        lvl_image_clear(&exact);
        lvl_scene_free(s);
    }
    print_message("thumbnails %.1f ms, at full size %.1f ms\n", quick * 1000, slow * 1000);
    assert_true(quick < slow / 4);
}

/* However many cells a level has, its thumbnail looks at about as many as it has pixels, and has their mean
 * colour: where every other cell is empty, half of that. */
static void many_cells(void **state)
{
    static const struct {
        uint32_t columns, rows, width, height;
        bool wraps; /* a small layer that is repeated over the level */
    } sizes[] = {
        {4000, 2500, 64, 64, false}, {2000, 2000, 1, 1, false},  {40000, 25000, 1, 1, false},
        {200000, 50, 64, 64, false}, {30000, 400, 1, 64, false}, {400, 30000, 64, 1, false},
        {16, 16, 1, 1, true},
    };
    static const kind half = {.look = LVL_LOOK_GROUND, .every_other = true};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        lvl_scene *s = make(&half, sizes[i].columns, sizes[i].rows, sizes[i].width, sizes[i].height);
        lvl_render_options o;
        lvl_image image;
        uint64_t sum = 0;

        s->has_art = true;
        if (sizes[i].wraps) {
            s->layers[0].wrap_x = s->layers[0].wrap_y = true;
            s->layers[0].main = false;
            s->main_layer = 1;
            s->has_bounds = true;
            s->bounds = (lvl_rect){0, 0, 99999, 49999};
        }
        lvl_render_options_init(&o);
        o.size = 256;
        cells_read = 0;
        assert_int_equal(lvl_render_image(s, &o, &image), LVL_OK);
        const size_t pixels = (size_t)image.width * image.height;
        for (size_t at = 0; at < pixels; at++)
            sum += image.pixels[at * 4 + 1];
        const double mean = (double)sum / (double)pixels;
        print_message("%ux%u cells of %ux%u px: %llu read, mean %.1f\n", sizes[i].columns, sizes[i].rows,
                      sizes[i].width, sizes[i].height, (unsigned long long)cells_read, mean);
        assert_int_equal(image.width > image.height ? image.width : image.height, 256);
        assert_true(cells_read < (uint64_t)1 << 22);
        assert_true(mean > 66 && mean < 76); /* the fill's green is 142 */
        lvl_image_clear(&image);
        lvl_scene_free(s);
    }
}

/* The largest block that was asked for. */
static size_t largest_block;

static void *counted_alloc(void *user, size_t size)
{
    (void)user;
    largest_block = size > largest_block ? size : largest_block;
    return size > (size_t)64 << 20 ? NULL : malloc(size);
}

static void *counted_resize(void *user, void *ptr, size_t old_size, size_t size)
{
    (void)user, (void)old_size;
    largest_block = size > largest_block ? size : largest_block;
    return size > (size_t)64 << 20 ? NULL : realloc(ptr, size);
}

static void counted_release(void *user, void *ptr)
{
    (void)user;
    free(ptr);
}

/* Things as large as the level don't take the memory of a picture of it, nor does a level without cells. */
static void large_things(void **state)
{
    (void)state;
    ctx.allocator =
        (lvl_allocator){.alloc = counted_alloc, .resize = counted_resize, .release = counted_release};
    for (int way = 0; way < 4; way++) {
        lvl_scene *s = make(&ground, 2000, 2000, 64, 64);
        lvl_render_options o;
        lvl_image image;
        uint8_t dot[4] = {255, 0, 0, 255};
        const lvl_image picture = {.format = LVL_PIXELS_RGBA8, .width = 1, .height = 1, .pixels = dot};

        s->things = lvl_scene_alloc(s, 1, sizeof *s->things);
        assert_non_null(s->things);
        s->thing_count = 1;
        s->things[0] = (lvl_scene_thing){.flags = LVL_THING_CORNER, .label = lvl_text_of("large")};
        s->things[0].has_part = way < 3;
        s->things[0].part = (lvl_rect){0, 0, 127999, 127999};
        s->things[0].flags |= way == 1 ? LVL_THING_TEXT : 0;
        s->things[0].flags |= way == 2 ? LVL_THING_HIDDEN : 0;
        if (way == 3) {
            s->things[0].image = &picture;
            s->layer_count = 0;
            s->has_art = true;
            s->has_bounds = true;
            s->bounds = (lvl_rect){0, 0, 127999, 127999};
        }
        assert_int_equal(lvl_scene_arrange(s, false), LVL_OK);
        lvl_render_options_init(&o);
        o.size = way == 3 ? 1 : 48;
        largest_block = 0;
        assert_int_equal(lvl_render_image(s, &o, &image), LVL_OK);
        print_message("large thing %d: at most %zu KiB at once\n", way, largest_block >> 10);
        lvl_image_clear(&image);
        lvl_scene_free(s);
    }
    ctx.allocator = (lvl_allocator){0};
}

/* A thumbnail stops when it is asked to, and its work has a bound. */
static void thumbnails_stop(void **state)
{
    const lvl_limits limits = ctx.limits;
    volatile int stop = 1;
    lvl_render_options o;
    lvl_image image;

    (void)state;
    for (int way = 0; way < 2; way++) {
        lvl_scene *s = make(&ground, 2000, 2000, 64, 64);
        lvl_render_options_init(&o);
        o.size = 48;
        ctx.stop = way ? NULL : &stop;
        ctx.limits.work = way ? 10000 : 0;
        assert_int_equal(lvl_render_image(s, &o, &image), way ? LVL_ERR_LIMIT : LVL_ERR_STOPPED);
        ctx.stop = NULL;
        ctx.limits = limits;
        lvl_scene_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_cells),  cmocka_unit_test(patterns_stay), cmocka_unit_test(small_grid),
        cmocka_unit_test(many_changes), cmocka_unit_test(any_numbers),   cmocka_unit_test(mean_of_many),
        cmocka_unit_test(thumbnails),   cmocka_unit_test(large_things),  cmocka_unit_test(thumbnails_stop),
        cmocka_unit_test(many_cells),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
