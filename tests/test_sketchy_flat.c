/*
 * Drawings to pictures in plain colours and back, pixel for pixel: our own, and every small level and doodad
 * of the corpus. Also the options of the way back: reducing colours, half-transparent pixels, a background
 * colour, palettes from other files.
 */
#include "base/format.h"
#include "corpus.h"
#include "sketchy_make.h"

#include <lvl/image.h>
#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *format;

static lvl_text text(const char *s)
{
    return (lvl_text){s, strlen(s)};
}

/* Through PNG, as by way of a paint program that changes nothing. */
static void through_png(lvl_image *image)
{
    lvl_buffer png = {0};

    assert_int_equal(lvl_png_write_buffer(&ctx, image, NULL, &png), LVL_OK);
    lvl_image_clear(image);
    assert_int_equal(lvl_picture_read(&ctx, (lvl_bytes){png.data, png.len}, false, image), LVL_OK);
    lvl_buffer_free(&png);
}

static void assert_same_picture(const lvl_image *a, const lvl_image *b)
{
    assert_int_equal(a->format, b->format);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->offset_x, b->offset_x);
    assert_int_equal(a->offset_y, b->offset_y);
    const size_t count = (size_t)a->width * a->height;
    if (a->format == LVL_PIXELS_RGBA8) {
        assert_memory_equal(a->pixels, b->pixels, count * 4);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const bool there = !a->mask || a->mask[i];
        assert_int_equal(there, !b->mask || b->mask[i]);
        if (there)
            assert_int_equal(a->pixels[i], b->pixels[i]);
    }
}

static lvl_doc *draw(const lvl_image *image, const lvl_draw_options *draw_options, size_t losses)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_doc_new(&doc, &ctx, format), LVL_OK);
    assert_int_equal(format->calls->draw(doc, image, draw_options, found), LVL_OK);
    assert_int_equal(lvl_findings_count(found), losses);
    lvl_findings_free(found);
    return doc;
}

/* Each layer out, through PNG, in with the drawing as palette, out again. Number of px. */
static uint64_t goes_round(const lvl_doc *doc)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);
    const lvl_draw_options draw_options = {.palette = doc,
                                           .ending = d->kind == LVL_SKETCHY_DOODAD ? "doodad" : "level"};
    uint64_t pixels = 0;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        lvl_image first, second;
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        assert_int_equal(format->calls->to_image(doc, number, &first), LVL_OK);
        pixels += (uint64_t)first.width * first.height;
        lvl_image picture = first;
        memset(&first, 0, sizeof first);
        assert_int_equal(format->calls->to_image(doc, number, &first), LVL_OK);
        through_png(&picture);
        lvl_doc *made = draw(&picture, &draw_options, 0);
        assert_int_equal(format->calls->to_image(made, NULL, &second), LVL_OK);
        assert_same_picture(&first, &second);
        lvl_doc_free(made);
        lvl_image_clear(&picture);
        lvl_image_clear(&first);
        lvl_image_clear(&second);
    }
    return pixels;
}

static void test_made(void **state)
{
    lvl_image image;

    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *level = lvl_make_sketch(&ctx, g), *doodad = lvl_make_doodad(&ctx, g);
        assert_non_null(level);
        assert_non_null(doodad);
        assert_true(goes_round(level) > 100);
        assert_true(goes_round(doodad) > 1);
        assert_int_equal(format->calls->to_image(level, "nowhere", &image), LVL_ERR_MISSING);
        assert_int_equal(format->calls->to_image(level, "1", &image), LVL_ERR_MISSING);
        assert_int_equal(format->calls->to_image(level, "99999999999999999999", &image), LVL_ERR_MISSING);
        assert_null(image.pixels);
        lvl_doc_free(level);
        lvl_doc_free(doodad);
    }
}

/* Swatches that look alike stay apart; one that is seen through keeps its alpha; px left of and above 0, 0
 * keep their places. */
static void test_odd(void **state)
{
    (void)state;
    for (unsigned through = 0; through < 2; through++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);
        lvl_image image;
        assert_non_null(doc);
        lvl_sketchy *d = lvl_doc_root(doc);
        assert_true(d->swatch_count > 2);
        d->swatches[0].color = d->swatches[1].color = text("#123456");
        d->swatches[2].color = text(through ? "#abcdef80" : "#abcdef");
        assert_int_equal(format->calls->to_image(doc, NULL, &image), LVL_OK);
        assert_int_equal(image.format, through ? LVL_PIXELS_RGBA8 : LVL_PIXELS_INDEX8);
        assert_true(image.offset_x < 0);
        lvl_image_clear(&image);
        assert_true(goes_round(doc) > 100);
        /* a level that spans more than the limits allow is refused before memory is taken */
        const lvl_ctx small = {.limits = {.cells = 100}};
        lvl_doc *far = NULL;
        assert_int_equal(lvl_doc_new(&far, &small, format), LVL_OK);
        lvl_sketchy *f = lvl_doc_root(far);
        *f = *d;
        assert_int_equal(format->calls->to_image(far, NULL, &image), LVL_ERR_LIMIT);
        assert_null(image.pixels);
        memset(f, 0, sizeof *f);
        lvl_doc_free(far);
        lvl_doc_free(doc);
    }
}

/* More than a test that everybody waits for should draw thrice. */
static bool is_large(const lvl_doc *doc)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);
    int32_t right = 0, bottom = 0;

    for (uint32_t i = 0; d->layer_count && i < d->layers[0].chunk_count; i++) {
        right = d->layers[0].chunks[i].x > right ? d->layers[0].chunks[i].x : right;
        bottom = d->layers[0].chunks[i].y > bottom ? d->layers[0].chunks[i].y : bottom;
    }
    return (int64_t)right * bottom > 250;
}

static void test_corpus(void **state)
{
    const char *dir = lvl_corpus_dir();
    lvl_paths paths = {0};
    unsigned files = 0, skipped = 0;
    uint64_t pixels = 0;
    char folder[700];

    (void)state;
    if (!dir)
        skip();
    snprintf(folder, sizeof folder, "%s/sketchy", dir);
    if (!lvl_paths_below(&paths, folder, "level doodad"))
        skip();
    for (size_t i = 0; i < paths.count; i++) {
        size_t len = 0;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        lvl_doc *doc = NULL;
        assert_non_null(data);
        if (len > 200000 || strstr(paths.items[i], "malformed") ||
            lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL) != LVL_OK) {
            skipped++;
        } else if (is_large(doc)) {
            skipped++;
        } else {
            pixels += goes_round(doc);
            files++;
        }
        lvl_doc_free(doc);
        free(data);
    }
    lvl_paths_free(&paths);
    printf("%u drawings to pictures and back, %llu px (%u large or malformed ones left out)\n", files,
           (unsigned long long)pixels, skipped);
    assert_true(files > 0);
}

/* ---- on the way in ----------------------------------------------------------------------------------- */

static void test_colors(void **state)
{
    lvl_draw_options draw_options = {.ending = "level", .colors = 16};
    lvl_image image, back;

    (void)state;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 100, 100, false), LVL_OK);
    for (uint32_t i = 0; i < 10000; i++) {
        uint8_t *p = image.pixels + (size_t)i * 4;
        p[0] = (uint8_t)(i % 100 < 60 ? 40 : i % 251); /* most of it is one colour */
        p[1] = (uint8_t)(i % 100 < 60 ? 50 : i % 199);
        p[2] = (uint8_t)(i % 100 < 60 ? 60 : i / 50);
        p[3] = 255;
    }
    lvl_doc *doc = draw(&image, &draw_options, 0);
    assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->swatch_count, 16);
    assert_int_equal(format->calls->to_image(doc, NULL, &back), LVL_OK);
    assert_int_equal(back.width, 100);
    assert_int_equal(back.height, 100);
    uint64_t off = 0, exact = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        const uint8_t *p = image.pixels + (size_t)i * 4, *q = back.palette->rgb[back.pixels[i]];
        for (int k = 0; k < 3; k++)
            off += (uint64_t)abs(p[k] - q[k]);
        exact += memcmp(p, q, 3) == 0;
    }
    assert_true(exact >= 6000); /* the commonest colour stays as it is */
    assert_true(off / (4000 * 3) < 32); /* the rest comes near */
    lvl_image_clear(&back);
    lvl_doc_free(doc);
    draw_options.colors = 0; /* too many, and no reduction was requested */
    doc = draw(&image, &draw_options, 1);
    assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->swatch_count, LVL_SKETCHY_COLORS);
    lvl_doc_free(doc);
    draw_options.colors = 1;
    doc = draw(&image, &draw_options, 0);
    assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->swatch_count, 1);
    assert_true(lvl_text_is(((const lvl_sketchy *)lvl_doc_croot(doc))->swatches[0].color, "#28323c"));
    lvl_doc_free(doc);
    lvl_image_clear(&image);
}

static void assert_swatches(const lvl_doc *doc, const char *const *colors, uint32_t count)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);

    assert_int_equal(d->swatch_count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_true(lvl_text_is(d->swatches[i].color, colors[i]));
}

static void test_alpha(void **state)
{
    static const uint8_t pixels[] = {255, 0, 0, 255, 255, 0, 0, 128, 0, 0, 255, 127, 9, 9, 9, 0};
    static const char *const kept[] = {"#ff0000", "#ff000080", "#0000ff7f"};
    static const char *const cut[] = {"#ff0000"};
    static const char *const over[] = {"#ff0000", "#ff7f7f", "#8080ff"};
    lvl_image image;

    (void)state;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 4, 1, false), LVL_OK);
    memcpy(image.pixels, pixels, sizeof pixels);
    lvl_doc *doc = draw(&image, &(lvl_draw_options){.ending = "level"}, 0);
    assert_swatches(doc, kept, 3);
    lvl_doc_free(doc);
    doc = draw(&image, &(lvl_draw_options){.ending = "level", .alpha = LVL_ALPHA_CUT}, 0);
    assert_swatches(doc, cut, 1);
    lvl_doc_free(doc);
    doc = draw(&image,
               &(lvl_draw_options){.ending = "level", .alpha = LVL_ALPHA_OVER, .over = {255, 255, 255}}, 0);
    assert_swatches(doc, over, 3);
    lvl_doc_free(doc);
    doc = draw(&image, &(lvl_draw_options){.ending = "level", .has_key = true, .key = {255, 0, 0}}, 0);
    assert_swatches(doc, kept + 2, 1);
    lvl_doc_free(doc);
    lvl_image_clear(&image);
}

static lvl_status palette(const char *file, lvl_doc **out)
{
    assert_int_equal(lvl_doc_new(out, &ctx, format), LVL_OK);
    return format->calls->read_palette(*out, (lvl_bytes){(const uint8_t *)file, strlen(file)});
}

static void test_palettes(void **state)
{
    static const char *const same[] = {
        "[{\"name\":\"grass\",\"color\":\"#00FF00\",\"semisolid\":true},{\"name\":\"b\",\"color\":\"00f\"}]",
        (" {\"swatches\":[{\"name\":\"grass\",\"color\":\"#00FF00\",\"semisolid\":1},{\"name\":\"b\","
         "\"color\":\"00f\"}]}"),
        "{\"#00FF00\":{\"name\":\"grass\",\"semisolid\":true},\"00f\":{\"name\":\"b\"}}",
        "GIMP Palette\r\nName: two\r\nColumns: 2\r\n#\r\n  0 255   0\tgrass\r\n0 0 255 b\r\n",
    };
    static const char *const bad[] = {
        "", "RIFF", "[1]", "{\"mauve\":{}}", "{\"#fff\":3}", "[{\"name\":\"x\"}]", "[{"};
    static const uint8_t pixels[] = {0, 255, 0, 255, 0, 0, 255, 255, 255, 0, 0, 255};
    lvl_image image;
    lvl_doc *doc;

    (void)state;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 3, 1, false), LVL_OK);
    memcpy(image.pixels, pixels, sizeof pixels);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_int_equal(palette(same[i], &doc), LVL_OK);
        const lvl_sketchy *d = lvl_doc_croot(doc);
        assert_int_equal(d->swatch_count, 2);
        assert_true(lvl_text_is(d->swatches[0].name, "grass"));
        assert_int_equal(d->swatches[0].semisolid, i < 3);
        assert_true(lvl_text_is(d->swatches[1].name, "b"));
        lvl_doc *made = draw(&image, &(lvl_draw_options){.palette = doc}, 1); /* no red there */
        assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(made))->swatch_count, 2);
        lvl_doc_free(made);
        made = draw(&image, &(lvl_draw_options){.palette = doc, .more_colors = true}, 0);
        const lvl_sketchy *m = lvl_doc_croot(made);
        assert_int_equal(m->swatch_count, 3);
        assert_int_equal(m->swatches[0].semisolid, i < 3);
        assert_true(lvl_text_is(m->swatches[2].color, "#ff0000"));
        lvl_doc_free(made);
        lvl_doc_free(doc);
        /* truncated anywhere: any status is valid */
        for (size_t len = 0; len < strlen(same[i]); len++) {
            uint8_t *part = malloc(len + 1);
            assert_non_null(part);
            memcpy(part, same[i], len);
            assert_int_equal(lvl_doc_new(&doc, &ctx, format), LVL_OK);
            (void)format->calls->read_palette(doc, (lvl_bytes){part, len});
            lvl_doc_free(doc);
            free(part);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(palette(bad[i], &doc), LVL_OK);
        lvl_doc_free(doc);
    }
    lvl_image_clear(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made),   cmocka_unit_test(test_odd),   cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_colors), cmocka_unit_test(test_alpha), cmocka_unit_test(test_palettes),
    };

    lvl_ctx_init(&ctx);
    format = lvl_format_find("sketchy");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
