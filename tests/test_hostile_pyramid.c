/*
 * Maps of tiles: those of the highest zoom are the picture that render draws, each other one is the mean of
 * the four below it, and all come once, after what they are made of. Without memory there is a correct
 * status, and nothing leaks.
 */
#include "corpus.h"
#include "render/pyramid.h"
#include "starve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = LVL_PYRAMID_TILE, ZOOMS = 6 };

/* The whole picture of each zoom, as it is put together from the tiles. */
typedef struct wall {
    lvl_pyramid pyramid;
    lvl_image whole; /* as render draws it */
    uint8_t *zooms[ZOOMS];
    uint32_t columns[ZOOMS], rows[ZOOMS];
    uint8_t *seen[ZOOMS];
    uint64_t tiles;
    uint64_t stop; /* after so many tiles; 0: never */
} wall;

static lvl_ctx ctx;

static lvl_status hang(void *user, unsigned zoom, uint32_t x, uint32_t y, const lvl_image *tile)
{
    wall *w = user;
    const size_t pitch = (size_t)w->columns[zoom] * SIDE * 4;

    assert_true(zoom <= w->pyramid.zooms && x < w->columns[zoom] && y < w->rows[zoom]);
    assert_int_equal(tile->width, SIDE);
    assert_int_equal(tile->height, SIDE);
    assert_false(w->seen[zoom][(size_t)y * w->columns[zoom] + x]);
    w->seen[zoom][(size_t)y * w->columns[zoom] + x] = 1;
    for (uint32_t i = 0; i < 4 && zoom < w->pyramid.zooms; i++) {
        const uint32_t right = x * 2 + (i & 1), down = y * 2 + (i >> 1);
        if (right < w->columns[zoom + 1] && down < w->rows[zoom + 1])
            assert_true(w->seen[zoom + 1][(size_t)down * w->columns[zoom + 1] + right]);
    }
    for (uint32_t row = 0; row < SIDE; row++)
        memcpy(w->zooms[zoom] + ((size_t)y * SIDE + row) * pitch + (size_t)x * SIDE * 4,
               tile->pixels + (size_t)row * SIDE * 4, (size_t)SIDE * 4);
    return ++w->tiles == w->stop ? LVL_ERR_IO : LVL_OK;
}

static void build(wall *w, const lvl_scene *scene, const lvl_render_options *options)
{
    lvl_render_options o = *options;

    memset(w, 0, sizeof *w);
    assert_int_equal(lvl_pyramid_of(scene, options, &w->pyramid), LVL_OK);
    assert_true(w->pyramid.zooms < ZOOMS);
    o.transparent = true;
    assert_int_equal(lvl_render_image(scene, &o, &w->whole), LVL_OK);
    assert_int_equal(w->whole.width, w->pyramid.width);
    assert_int_equal(w->whole.height, w->pyramid.height);
    uint64_t tiles = 0;
    for (unsigned z = 0; z <= w->pyramid.zooms; z++) {
        const uint32_t px = (uint32_t)SIDE << (w->pyramid.zooms - z);
        w->columns[z] = (w->pyramid.width + px - 1) / px;
        w->rows[z] = (w->pyramid.height + px - 1) / px;
        w->zooms[z] = calloc((size_t)w->columns[z] * w->rows[z], (size_t)SIDE * SIDE * 4);
        w->seen[z] = calloc(w->columns[z], w->rows[z]);
        assert_non_null(w->zooms[z]);
        assert_non_null(w->seen[z]);
        tiles += (uint64_t)w->columns[z] * w->rows[z];
    }
    assert_int_equal(w->columns[0], 1);
    assert_int_equal(w->rows[0], 1);
    assert_int_equal(tiles, w->pyramid.tiles);
}

static void take_down(wall *w)
{
    for (unsigned z = 0; z < ZOOMS; z++) {
        free(w->zooms[z]);
        free(w->seen[z]);
    }
    lvl_image_clear(&w->whole);
}

/* A pixel of the wall; NULL beyond it. */
static const uint8_t *at(const wall *w, unsigned z, uint32_t x, uint32_t y)
{
    return x < w->columns[z] * SIDE && y < w->rows[z] * SIDE
               ? w->zooms[z] + ((size_t)y * w->columns[z] * SIDE + x) * 4
               : NULL;
}

static void compare(const wall *w)
{
    static const uint8_t nothing[4];
    const unsigned top = w->pyramid.zooms;
    size_t drawn = 0;

    for (uint32_t y = 0; y < w->rows[top] * SIDE; y++) {
        for (uint32_t x = 0; x < w->columns[top] * SIDE; x++) {
            const bool in = x < w->whole.width && y < w->whole.height;
            const uint8_t *want = in ? w->whole.pixels + ((size_t)y * w->whole.width + x) * 4 : nothing;
            if (memcmp(at(w, top, x, y), want, 4) != 0)
                fail_msg("the pixel %u, %u differs", x, y);
            drawn += want[3] != 0;
        }
    }
    assert_true(drawn > 1000);
    for (unsigned z = 0; z < top; z++) {
        for (uint32_t y = 0; y < w->rows[z] * SIDE; y++) {
            for (uint32_t x = 0; x < w->columns[z] * SIDE; x++) {
                double sum[3] = {0}, alpha = 0;
                for (uint32_t i = 0; i < 4; i++) {
                    const uint8_t *p = at(w, z + 1, x * 2 + (i & 1), y * 2 + (i >> 1));
                    p = p ? p : nothing;
                    alpha += p[3];
                    for (int k = 0; k < 3; k++)
                        sum[k] += (double)p[k] * p[3];
                }
                const uint8_t *got = at(w, z, x, y);
                const bool close = got[3] + .51 > alpha / 4 && got[3] - .51 < alpha / 4;
                bool same = close;
                for (int k = 0; k < 3 && alpha > 0; k++)
                    same = same && got[k] + .51 > sum[k] / alpha && got[k] - .51 < sum[k] / alpha;
                if (!same)
                    fail_msg("zoom %u, pixel %u, %u is not the mean", z, x, y);
            }
        }
    }
}

typedef struct drawing {
    lvl_doc *doc;
    lvl_art *art;
    lvl_scene *scene;
} drawing;

static void begin(drawing *d, const char *name)
{
    char path[1024], art[1024];

    snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), name);
    snprintf(art, sizeof art, "%s/%.*s", lvl_samples_dir(), (int)strcspn(name, "/"), name);
    assert_int_equal(lvl_load(&d->doc, &ctx, path, NULL), LVL_OK);
    d->art = lvl_art_new(&ctx);
    assert_non_null(d->art);
    assert_int_equal(lvl_art_add(d->art, art), LVL_OK);
    assert_int_equal(lvl_art_level(d->art, path), LVL_OK);
    assert_int_equal(lvl_doc_scene(d->doc, &(lvl_scene_request){.art = d->art}, &d->scene), LVL_OK);
}

static void end(drawing *d)
{
    lvl_scene_free(d->scene);
    lvl_art_free(d->art);
    lvl_doc_free(d->doc);
}

static void test_tiles(void **state)
{
    static const char *const names[] = {
        "graal/lakeside/lakeside.gmap",  "graal/lakeside/lake_mill.nw", "wwd/cliffs.wwd",
        "wwd/garden/keepers-garden.wwd", "sketchy/hill-v1.level",       "small/small.wwd"};
    static const lvl_render_options options[] = {
        {0}, {.no_things = true}, {.schematic = true}, {.overlays = LVL_OVERLAY_GRID | LVL_OVERLAY_THINGS}};
    (void)state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        drawing d;
        begin(&d, names[i]);
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            wall w;
            if (options[k].overlays & LVL_OVERLAY_THINGS && i) /* slow for all */
                continue;
            build(&w, d.scene, &options[k]);
            assert_int_equal(lvl_pyramid_draw(d.scene, &options[k], &w.pyramid, hang, &w), LVL_OK);
            assert_int_equal(w.tiles, w.pyramid.tiles);
            compare(&w);
            take_down(&w);
        }
        end(&d);
    }
}

/* It ends with the first status that is not LVL_OK. */
static void test_stop(void **state)
{
    const lvl_render_options options = {0};
    drawing d;
    wall w;
    (void)state;

    begin(&d, "graal/lakeside/lakeside.gmap");
    build(&w, d.scene, &options);
    w.stop = 7;
    assert_int_equal(lvl_pyramid_draw(d.scene, &options, &w.pyramid, hang, &w), LVL_ERR_IO);
    assert_int_equal(w.tiles, 7);
    take_down(&w);
    end(&d);
}

static void test_memory(void **state)
{
    const lvl_render_options options = {.schematic = true};
    drawing d;
    (void)state;

    begin(&d, "small/small.wwd");
    for (uint64_t call = 1; lvl_starve_works(); call++) {
        wall w;
        build(&w, d.scene, &options);
        const uint64_t before = lvl_starve_blocks();
        lvl_starve_from(call, false);
        const lvl_status status = lvl_pyramid_draw(d.scene, &options, &w.pyramid, hang, &w);
        const bool all = lvl_starve_calls() < call;
        lvl_starve_from(0, false);
        assert_int_equal(lvl_starve_blocks(), before);
        take_down(&w);
        if (all) {
            assert_int_equal(status, LVL_OK);
            break;
        }
        assert_true(status == LVL_ERR_MEMORY || status == LVL_OK); /* some caches do without */
    }
    end(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_memory),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
