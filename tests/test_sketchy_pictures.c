/*
 * Levels of Sketchy Maze beside the game's own pictures of them, pixel for pixel: whole levels as the game's renderer drew them, the screenshots that
 * the editor put into levels, and two made levels with every pattern about world 0, 0. Needs the corpus, and the game's art in it.
 */
#include "corpus.h"

#include <lvl/render.h>
#include <lvl/sketchy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW 1
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

static lvl_ctx ctx;
static lvl_art *art;
static char folder[700];

/* A file below the corpus' folder; freed by the caller. */
static lvl_bytes slurp(const char *name, uint8_t **data)
{
    lvl_bytes bytes = {NULL, 0};
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    *data = lvl_slurp(path, &bytes.len);
    if (!*data)
        fail_msg("%s isn't there", path);
    bytes.ptr = *data;
    return bytes;
}

/* ---- comparing as rows come ------------------------------------------------------------------------------------------------------------ */

typedef struct compare {
    lvl_rows base;
    const lvl_image *with; /* any format */
    uint32_t channels, width, y;
    uint32_t columns; /* that count, from the left */
    bool part;        /* ours may be smaller, and what isn't opaque in it doesn't count */
    uint64_t compared;
    const lvl_palette *palette;
    bool sized;
    uint64_t different;
    uint32_t first_x, first_y;
} compare;

static lvl_status begin(lvl_rows *rows, const lvl_picture *picture)
{
    compare *c = (compare *)rows;

    c->channels = picture->channels;
    c->palette = picture->palette;
    c->width = picture->width;
    c->sized = c->part ? picture->width <= c->with->width && picture->height <= c->with->height
                       : picture->width == c->with->width && picture->height == c->with->height;
    return c->sized ? LVL_OK : LVL_ERR_ARG;
}

static const uint8_t *rgb_of(const lvl_image *image, uint32_t x, uint32_t y)
{
    const size_t at = (size_t)y * image->width + x;

    return image->format == LVL_PIXELS_RGBA8 ? image->pixels + at * 4
                                             : image->palette->rgb[image->pixels[at]];
}

static lvl_status some(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    compare *c = (compare *)rows;

    for (uint32_t k = 0; k < count; k++, c->y++) {
        for (uint32_t x = 0; x < c->width; x++, pixels += c->channels) {
            const uint8_t *ours = c->channels == 1 ? c->palette->rgb[*pixels] : pixels;
            if (x >= c->columns || (c->channels == 4 && pixels[3] != 255))
                continue;
            c->compared++;
            if (!memcmp(ours, rgb_of(c->with, x, c->y), 3))
                continue;
            if (!c->different++) {
                c->first_x = x;
                c->first_y = c->y;
            }
        }
    }
    return LVL_OK;
}

static lvl_status end(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

/* How a picture of a level is to be compared. */
typedef struct way {
    const lvl_rect *region; /* world px of what the picture shows; NULL: all that there is */
    uint32_t columns;       /* only these count; 0: all */
    bool pixels; /* the level's pixels alone count, not paper, and the picture shows more than there is */
} way;

/* World px of the scene's left and top. */
static int32_t origin_of(const lvl_sketchy *d, bool y)
{
    int32_t low = 0;

    for (uint32_t i = 0; d->page_type == LVL_SKETCHY_UNBOUNDED && i < d->layers[0].chunk_count; i++) {
        const int32_t at = y ? d->layers[0].chunks[i].y : d->layers[0].chunks[i].x;
        low = at < low ? at : low;
    }
    return low * (int32_t)d->layers[0].size;
}

/* How many px of the level's picture aren't those of the PNG. */
static uint64_t differing(lvl_doc *doc, lvl_bytes png, const way *w, const char *name)
{
    static const signed char chunks_alone[] = {0, 1};
    const lvl_scene_request request = {.art = art};
    const int32_t left = origin_of(lvl_doc_croot(doc), false), top = origin_of(lvl_doc_croot(doc), true);
    lvl_render_options options;
    lvl_scene *scene;
    lvl_image image;

    assert_int_equal(lvl_png_read(&ctx, png, &image), LVL_OK);
    compare c = {.base = {begin, some, end},
                 .with = &image,
                 .columns = w->columns ? w->columns : UINT32_MAX,
                 .part = w->pixels};
    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    lvl_render_options_init(&options);
    options.region_given = w->region != NULL;
    if (w->region)
        options.region = (lvl_rect){w->region->left - left, w->region->top - top, w->region->right - left,
                                    w->region->bottom - top};
    if (w->pixels) {
        options.transparent = true;
        options.layers = chunks_alone;
        options.layer_count = 2;
    }
    const lvl_status status = lvl_render(scene, &options, &c.base);
    if (!c.sized)
        fail_msg("%s: not of the size of the game's", name);
    assert_int_equal(status, LVL_OK);
    assert_true(w->pixels || c.y == image.height);
    assert_true(c.compared > 50000);
    if (c.different)
        printf("%s: %llu px of %llu differ, the first at %u, %u\n", name, (unsigned long long)c.different,
               (unsigned long long)c.compared, c.first_x, c.first_y);
    assert_true(w->pixels || scene->missing_things == 0);
    assert_int_equal(scene->missing_tiles, 0);
    lvl_scene_free(scene);
    lvl_image_clear(&image);
    return c.different;
}

static lvl_doc *open_level(const char *name, uint8_t **data)
{
    lvl_doc *doc = NULL;
    const lvl_bytes bytes = slurp(name, data);

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, name, LVL_READ_BORROW, NULL), LVL_OK);
    return doc;
}

/* ---- whole levels ------------------------------------------------------------------------------------------------------------------------- */

static void whole_levels(void **state)
{
    static const struct {
        const char *picture, *level;
        bool large;
        uint64_t differ;
    } pairs[] = {
        {"Tutorial1", "level-v3.1-bin/Tutorial_1.c35a985.level", false, 0},
        {"Tutorial2", "level-v3.1-bin/Tutorial_2.c35a985.level", false, 0},
        {"Tutorial3", "made/level-v4/Tutorial_3.c35a985.v4.level", false,
         2}, /* lost when the game saved it */
        {"Tutorial4", "made/level-v4/Tutorial_4.c35a985.v4.level", false, 0},
        {"Tutorial5", "level-v3.1-bin/Tutorial_5.c35a985.level", false, 0},
        {"Zoo", "level-v3.1-bin/Zoo.c35a985.level", false, 0},
        {"AzulianTag-Night", "level-v3.1-bin/AzulianTag-Night.c35a985.level", false, 0},
        {"AzulianTag-Tutorial", "level-v3.1-bin/AzulianTag-Tutorial.c35a985.level", false, 0},
        {"Desert-2of2", "level-v3.1-bin/Desert-2of2.c35a985.level", false, 0},
        {"Thief1", "made/level-v4/Thief_1.c35a985.v4.level", false, 0},
        {"Boat", "made/level-v4/Boat.1eb144d.v4.level", true, 0},
        {"Castle", "made/level-v4/Castle.1eb144d.v4.level", true, 0},
    };
    size_t drawn = 0;

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char name[200];
        uint8_t *level, *png;
        if (SLOW && pairs[i].large)
            continue;
        snprintf(name, sizeof name, "made/renders/%s.giant.png", pairs[i].picture);
        const lvl_bytes picture = slurp(name, &png);
        lvl_doc *doc = open_level(pairs[i].level, &level);
        assert_int_equal(differing(doc, picture, &(way){0}, pairs[i].picture), pairs[i].differ);
        lvl_doc_free(doc);
        free(level);
        free(png);
        drawn++;
    }
    printf("%zu whole levels of %zu as the game draws them\n", drawn, sizeof pairs / sizeof *pairs);
}

/* ---- screenshots -------------------------------------------------------------------------------------------------------------------------- */

static void screenshots(void **state)
{
    static const struct {
        const char *level;
        int32_t x, y;     /* where the game stood; -1: where the level says */
        uint32_t columns; /* the rest was left out by a bug of the game; 0: all */
        bool unbounded;   /* as its author had it at that moment */
        uint64_t differ;
    } shots[] = {
        {"level-v3.1-bin/Tutorial_1.c35a985.level", -1, -1, 0, false, 0},
        {"level-v3.1-bin/Tutorial_2.c35a985.level", -1, -1, 0, false, 0},
        {"made/level-v4/Tutorial_3.c35a985.v4.level", -1, -1, 1262, true, 2},
        {"made/level-v4/Tutorial_4.c35a985.v4.level", -1, -1, 0, false, 0},
        {"level-v3.1-bin/Tutorial_5.c35a985.level", -1, -1, 0, false, 0},
        {"level-v3.1-bin/Desert-2of2.c35a985.level", -1, -1, 0, false, 0},
        {"made/level-v4/Thief_1.c35a985.v4.level", -1, -1, 0, false, 0},
        {"level-v3.1-bin/AzulianTag-Tutorial.c35a985.level", 1866, 1251, 0, false, 0},
        {"level-v3.1-bin/AzulianTag-Night.c35a985.level", 513, 2586, 1279, false, 0},
        {"level-v3.1-bin/Zoo.c35a985.level", -1, -1, 0, false,
         392}, /* its author's doodad lay a few px off */
    };
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));

    (void)state;
    for (size_t i = 0; i < sizeof shots / sizeof *shots; i++) {
        uint8_t *level;
        lvl_doc *doc = open_level(shots[i].level, &level);
        lvl_sketchy *d = lvl_doc_root(doc);
        const int32_t x = shots[i].x < 0 ? (int32_t)-d->scroll.x : shots[i].x;
        const int32_t y = shots[i].y < 0 ? (int32_t)-d->scroll.y : shots[i].y;
        const lvl_rect region = {x, y, x + 1279, y + 719};
        lvl_buffer storage = {0};
        lvl_bytes png = {NULL, 0};
        for (uint32_t k = 0; k < d->file_count && !png.ptr; k++) {
            if (lvl_text_is(d->files[k].path, "assets/screenshots/large.png"))
                assert_int_equal(lvl_doc_bytes(doc, &d->files[k], data, &storage, &png), LVL_OK);
        }
        assert_non_null(png.ptr);
        if (shots[i].unbounded)
            d->page_type = LVL_SKETCHY_UNBOUNDED;
        if (d->bounded_height < region.bottom + 1)
            d->bounded_height = region.bottom + 1; /* it was unbounded, too, but is far from any edge */
        const way w = {.region = &region, .columns = shots[i].columns};
        assert_int_equal(differing(doc, png, &w, shots[i].level), shots[i].differ);
        lvl_buffer_free(&storage);
        lvl_doc_free(doc);
        free(level);
    }
    printf("%zu screenshots\n", sizeof shots / sizeof *shots);
}

/* ---- patterns ----------------------------------------------------------------------------------------------------------------------------- */

/* Every pattern on both sides of 0. The pictures are larger than the levels, and the game's cut shows its paper somewhere else. */
static void patterns(void **state)
{
    static const struct {
        const char *level, *picture;
        int32_t x, y;
    } made[] = {{"made/render-tests/pat0.level", "made/render-tests/pat0.at_-200_-170.png", -200, -170},
                {"made/render-tests/pat1.level", "made/render-tests/pat1.at_13_40.png", 13, 40}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        uint8_t *level, *data;
        const lvl_bytes png = slurp(made[i].picture, &data);
        lvl_doc *doc = open_level(made[i].level, &level);
        const lvl_rect region = {made[i].x, made[i].y, made[i].x + 1279, made[i].y + 719};
        lvl_sketchy *d = lvl_doc_root(doc);
        for (uint32_t k = 0; k < d->swatch_count; k++) { /* paper shows through these */
            static const char *const holes[] = {"circles.png", "grid.png", "bubbles.png"};
            bool through = lvl_text_is(d->swatches[k].name, "semi");
            for (size_t h = 0; h < 3; h++)
                through |= lvl_text_is(d->swatches[k].pattern, holes[h]);
            if (through)
                d->swatches[k].color = lvl_text_of("none");
        }
        assert_int_equal(differing(doc, png, &(way){.region = &region, .pixels = true}, made[i].level), 0);
        lvl_doc_free(doc);
        free(level);
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_levels),
        cmocka_unit_test(screenshots),
        cmocka_unit_test(patterns),
    };
    const char *corpus = lvl_corpus_dir();
    char path[1024];

    if (!corpus)
        return 77;
    lvl_ctx_init(&ctx);
    snprintf(folder, sizeof folder, "%s/sketchy", corpus);
    art = lvl_art_new(&ctx);
    if (!art)
        return 1;
    snprintf(path, sizeof path, "%s/assets", folder);
    bool fine = lvl_art_add(art, path) == LVL_OK;
    snprintf(path, sizeof path, "%s/made/doodads-v3.1", folder);
    fine = fine && lvl_art_add(art, path) == LVL_OK;
    if (!fine)
        printf("no art of the game in the corpus\n");
    const int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
    lvl_art_free(art);
    return failed;
}
