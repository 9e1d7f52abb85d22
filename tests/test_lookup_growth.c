/*
 * test_lookup_growth.c: keys chosen to be slow: colours that shared a slot of former hash tables, and names
 * of absent images. The time grows linearly with their number.
 */
#include "growth.h"
#include "sketchy/images/picture_colors.h"
#include "tools/archive.h"
#include "wap32/art/color.h"
#include "scene/art.h"

#include <lvl/lvl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* An opaque picture of n different colours; `shift` 0: any, else those whose product gave the same slots of a
 * table of 2^17. */
static lvl_image colors(uint32_t n, unsigned shift)
{
    lvl_image image = {.width = n, .height = 1, .format = LVL_PIXELS_RGBA8};
    uint32_t rgb = 0, found = 0;

    image.pixels = malloc((size_t)n * 4);
    assert_non_null(image.pixels);
    for (; found < n && rgb < 1u << 24; rgb++) {
        const uint32_t key = shift == 7 ? rgb | 0xFF000000 : rgb;
        if (shift && ((key * 2654435761u >> shift) & 0x1FFFF) >= 512)
            continue;
        const uint8_t px[4] = {(uint8_t)(shift == 8 ? rgb >> 16 : rgb), (uint8_t)(rgb >> 8),
                               (uint8_t)(shift == 8 ? rgb : rgb >> 16), 255};
        memcpy(image.pixels + (size_t)found++ * 4, px, 4);
    }
    assert_int_equal(found, n);
    return image;
}

static void quantize(uint32_t n, unsigned shift)
{
    lvl_image image = colors(n, shift);
    static lvl_palette palette;

    assert_int_equal(lvl_quantize(&image, &palette), LVL_OK);
    free(image.pixels);
}

static void swatches(uint32_t n, unsigned shift)
{
    lvl_image image = colors(n, shift);
    const lvl_draw_options draw_options = {0};
    lvl_used_colors c = {0};

    assert_int_equal(lvl_picture_colors_count(&c, &image, &draw_options), LVL_OK);
    assert_int_equal(c.count, n);
    lvl_used_colors_free(&c);
    free(image.pixels);
}

static void absent_names(uint32_t n, unsigned shift)
{
    lvl_art *art = lvl_art_new(&ctx);
    char name[32];

    (void)shift;
    assert_non_null(art);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < n; i++) {
            snprintf(name, sizeof name, "m%u.png", i);
            assert_null(lvl_art_picture(art, name));
        }
    }
    lvl_art_free(art);
}

/* n items are copied to the list that has them; each needs an id of its own. */
static void copy_all(lvl_doc *doc, const char *items, const char *list, uint32_t n)
{
    size_t copied = 0;

    assert_int_equal(lvl_copy(doc, list, doc, items, &copied, NULL), LVL_OK);
    assert_int_equal(copied, n);
    lvl_doc_free(doc);
}

static void copied_objects(uint32_t n, unsigned shift)
{
    lvl_doc *doc = NULL;

    (void)shift;
    assert_int_equal(lvl_new(&doc, &ctx, lvl_format_find("wwd"), NULL, NULL), LVL_OK);
    lvl_wwd_plane *plane = lvl_wwd_of(doc)->planes;
    for (uint32_t i = 0; i < n; i++)
        assert_non_null(lvl_wwd_add_object(doc, plane));
    for (uint32_t i = 0; i < n; i++)
        plane->objects[i].id = (int32_t)i + 1;
    copy_all(doc, "planes[0].objects[*]", "planes[0].objects", n);
}

/* Actors with a link to the next one. */
static void copied_actors(uint32_t n, unsigned shift)
{
    const lvl_field *list = lvl_table_find(&lvl_sketchy_table, lvl_text_of("actors"));
    lvl_doc *doc = NULL;
    char id[32];

    (void)shift;
    assert_int_equal(lvl_new(&doc, &ctx, lvl_format_find("sketchy"), NULL, NULL), LVL_OK);
    lvl_sketchy *level = lvl_sketchy_of(doc);
    assert_int_equal(lvl_list_insert(doc, level, list, 0, n), LVL_OK);
    lvl_text *links = calloc(n, sizeof *links);
    assert_non_null(links);
    for (uint32_t i = 0; i < n; i++) {
        snprintf(id, sizeof id, "actor-%u", i);
        level->actors[i].id = links[i] = lvl_doc_text(doc, lvl_text_of(id));
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        level->actors[i].links = &links[i + 1];
        level->actors[i].link_count = 1;
    }
    copy_all(doc, "actors[*]", "actors", n);
    free(links);
}

/* n files are put into an archive, which has n others. */
static void put_files(uint32_t n, const char *format)
{
    lvl_pack_item *items = calloc(n, sizeof *items);
    char(*paths)[40] = calloc(n, sizeof *paths);
    lvl_container *box = NULL;
    lvl_doc *doc = NULL;
    size_t done = 0;

    assert_non_null(items);
    assert_non_null(paths);
    for (uint32_t i = 0; i < n; i++)
        items[i] = (lvl_pack_item){paths[i], {(const uint8_t *)"x", 1}, 0, false};
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < n; i++)
            snprintf(paths[i], sizeof paths[i], "%s%u.level", round ? "assets/" : "", i);
        if (!round)
            assert_int_equal(lvl_container_pack(&doc, &ctx, lvl_format_find(format), items, n), LVL_OK);
    }
    assert_int_equal(lvl_container_open(&box, doc), LVL_OK);
    const size_t before = lvl_container_count(box);
    for (int round = 0; round < 2; round++) /* the second one replaces what the first one has added */
        assert_int_equal(lvl_container_put_all(box, items, n, &done), LVL_OK);
    assert_int_equal(done, n);
    assert_int_equal(lvl_container_count(box), before + n + 1); /* and their folder */
    lvl_container_close(box);
    lvl_doc_free(doc);
    free(items);
    free(paths);
}

static void put_into_rez(uint32_t n, unsigned shift)
{
    (void)shift;
    put_files(n, "rez");
}

static void put_into_pack(uint32_t n, unsigned shift)
{
    (void)shift;
    put_files(n, "levelpack");
}

typedef struct growing {
    const char *what;
    void (*run)(uint32_t, unsigned);
    uint32_t n;
    unsigned shift;
} growing;

static double seconds_of(const void *user, uint32_t n)
{
    const growing *g = user;
    const double from = lvl_cpu_seconds();

    g->run(n, g->shift);
    return lvl_cpu_seconds() - from;
}

static void doubling(void **state)
{
    static const growing cases[] = {
        {"any colours, quantized", quantize, 60000, 0},
        {"colliding colours, quantized", quantize, 30000, 8},
        {"any colours for swatches", swatches, 100000, 0},
        {"colliding colours for swatches", swatches, 30000, 7},
        {"names of absent pictures", absent_names, 32000, 0},
        {"objects that are copied", copied_objects, 20000, 0},
        {"actors that are copied with their links", copied_actors, 20000, 0},
        {"files that are put into a REZ", put_into_rez, 20000, 0},
        {"files that are put into a levelpack", put_into_pack, 10000, 0},
    };
    int failed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        failed += !lvl_grows_linearly(cases[i].what, seconds_of, &cases[i], cases[i].n);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(doubling)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
