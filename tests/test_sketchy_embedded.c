/*
 * test_sketchy_embedded.c: the part of a drawing that its PNG keeps: a drawing, its PNG and the drawing made from
 * that are equal, even if a paint program renumbered the colours; painted and erased pixels stay so; damaged
 * content is refused.
 */
#include "base/format.h"
#include "sketchy_draw.h"
#include "codec/png.h"
#include "tools/picture/pictures.h"

#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = LVL_DRAW_SIZE };

static void put(uint8_t *cells, int x, int y, uint16_t index)
{
    cells[(y * SIZE + x) * 2] = (uint8_t)index;
    cells[(y * SIZE + x) * 2 + 1] = (uint8_t)(index >> 8);
}

/* What the chunks of a file are called. */
static void name_chunks(lvl_doc *doc)
{
    lvl_sketchy *d = lvl_doc_root(doc);
    char key[32];

    for (uint32_t l = 0; l < d->layer_count; l++) {
        for (uint32_t i = 0; i < d->layers[l].chunk_count; i++) {
            lvl_sketchy_chunk *c = &d->layers[l].chunks[i];
            snprintf(key, sizeof key, "%d,%d", c->x, c->y);
            c->key = lvl_doc_text(doc, lvl_text_of(key));
        }
    }
}

/* A drawing with swatches that look alike, one that is not a colour and one that is seen through; px of them
 * all, of no swatch, and chunks left of 0. */
static lvl_doc *drawing(uint8_t kind)
{
    lvl_doc *doc = lvl_draw_new(kind, kind == LVL_SKETCHY_LEVEL ? 3 : 1);
    lvl_sketchy *d = lvl_doc_root(doc);

    d->title = lvl_text_of("Kept");
    d->author = lvl_text_of("me");
    lvl_draw_swatch(doc, "#ff0000", "");
    lvl_draw_swatch(doc, "#00ff00", "")->solid = 1;
    lvl_draw_swatch(doc, "#ff0000", "")->fire = 1;
    lvl_draw_swatch(doc, "no colour", "");
    uint8_t *cells = lvl_draw_chunk(doc, 0, 0, 0, 0, LVL_SKETCHY_NONE);
    for (uint16_t i = 0; i < 6; i++)
        put(cells, i % SIZE, i / SIZE, i); /* 4 and 5 are no swatches */
    put(cells, 3, 3, 2);
    if (kind == LVL_SKETCHY_LEVEL) {
        d->page_type = LVL_SKETCHY_UNBOUNDED;
        lvl_draw_chunk(doc, 0, 1, -1, 0, 1);
        lvl_draw_chunk(doc, 0, 2, 2, 1, 3); /* nothing that is seen */
        d->actors = lvl_draw_take(doc, 1, sizeof *d->actors);
        d->actor_count = 1;
        lvl_draw_actor(doc, 0, "id", "box.doodad", 7, 8);
    } else {
        lvl_sketchy_layer *layers = lvl_draw_take(doc, 2, sizeof *layers);
        layers[0] = d->layers[0];
        layers[0].name = lvl_text_of("one");
        layers[1] = (lvl_sketchy_layer){.name = lvl_text_of("two"),
                                        .size = SIZE,
                                        .chunks = lvl_draw_take(doc, 1, sizeof *layers[1].chunks),
                                        .chunk_count = 1};
        d->layers = layers;
        d->layer_count = 2;
        lvl_draw_chunk(doc, 1, 0, 0, 0, 1);
        d->size = (lvl_sketchy_rect){0, 0, SIZE, SIZE - 1}; /* a row of the chunk is outside */
        d->script = lvl_text_of("function main() {}");
    }
    name_chunks(doc);
    return doc;
}

/* The picture of the first layer, by way of a PNG. */
static void picture_of(lvl_doc *doc, lvl_image *out)
{
    const lvl_ctx *ctx = lvl_doc_ctx(doc);
    lvl_findings *losses = lvl_findings_new(ctx);
    lvl_buffer png = {0};
    lvl_image image;

    assert_int_equal(lvl_doc_picture(doc, "0", &image), LVL_OK);
    assert_int_equal(lvl_doc_picture_rest(doc, "0", true, &image, losses), LVL_OK);
    assert_int_equal(lvl_findings_count(losses), 0);
    assert_int_equal(lvl_png_write_buffer(ctx, &image, NULL, &png), LVL_OK);
    lvl_image_clear(&image);
    assert_int_equal(lvl_png_read(ctx, (lvl_bytes){png.data, png.len}, out), LVL_OK);
    assert_true(out->rest_len > 0);
    lvl_buffer_free(&png);
    lvl_findings_free(losses);
}

/* As a paint program without palettes saves it. */
static void lose_numbers(lvl_image *image)
{
    const size_t count = (size_t)image->width * image->height;
    uint8_t *rgba = calloc(count, 4);

    if (!rgba || image->format != LVL_PIXELS_INDEX8) {
        free(rgba);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (image->mask && !image->mask[i])
            continue;
        memcpy(rgba + i * 4, image->palette->rgb[image->pixels[i]], 3);
        rgba[i * 4 + 3] = 255;
    }
    free(image->pixels);
    free(image->mask);
    free(image->palette);
    image->format = LVL_PIXELS_RGBA8;
    image->pixels = rgba;
    image->mask = NULL;
    image->palette = NULL;
}

static lvl_doc *drawn(const lvl_doc *as, const lvl_image *image, lvl_draw_options draw_options,
                      size_t losses_expected)
{
    const lvl_ctx *ctx = lvl_doc_ctx(as);
    lvl_findings *losses = lvl_findings_new(ctx);
    lvl_doc *made = NULL;

    draw_options.ending = ((const lvl_sketchy *)as->root)->kind == LVL_SKETCHY_DOODAD ? "doodad" : "level";
    assert_int_equal(lvl_doc_draw(&made, ctx, lvl_doc_format(as), image, &draw_options, losses), LVL_OK);
    for (size_t i = losses_expected; i < lvl_findings_count(losses); i++)
        print_message("%s\n", lvl_findings_at(losses, i)->text);
    assert_int_equal(lvl_findings_count(losses), losses_expected);
    lvl_findings_free(losses);
    return made;
}

static void same_content(const lvl_doc *a, const lvl_doc *b)
{
    const lvl_dump_options plain = {.no_kept = true};
    lvl_buffer x = {0}, y = {0};

    assert_int_equal(lvl_dump(a, &plain, &x, NULL), LVL_OK);
    assert_int_equal(lvl_dump(b, &plain, &y, NULL), LVL_OK);
    assert_int_equal(x.len, y.len);
    assert_memory_equal(x.data, y.data, x.len);
    lvl_buffer_free(&x);
    lvl_buffer_free(&y);
}

static void nothing_is_lost(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        lvl_doc *doc = drawing(how & 1 ? LVL_SKETCHY_DOODAD : LVL_SKETCHY_LEVEL);
        ((lvl_sketchy *)lvl_doc_root(doc))->generation = LVL_SKETCHY_V4;
        for (uint32_t l = 0; l < ((lvl_sketchy *)lvl_doc_root(doc))->layer_count; l++) {
            lvl_sketchy_layer *layer = &((lvl_sketchy *)lvl_doc_root(doc))->layers[l];
            for (uint32_t i = 0; i < layer->chunk_count; i++)
                layer->chunks[i].encoding = LVL_SKETCHY_CHUNK_RUNS;
        }
        lvl_image image;
        picture_of(doc, &image);
        if (how & 2)
            lose_numbers(&image);
        lvl_doc *made = drawn(doc, &image, (lvl_draw_options){0}, 0);
        same_content(doc, made);
        lvl_doc_free(made);
        lvl_image_clear(&image);
        lvl_doc_free(doc);
    }
}

static uint32_t first_cell(const lvl_doc *doc, const char *key)
{
    const lvl_sketchy_layer *layer = &((const lvl_sketchy *)doc->root)->layers[0];

    for (uint32_t i = 0; i < layer->chunk_count; i++) {
        if (lvl_text_is(layer->chunks[i].key, key))
            return lvl_cell(&layer->chunks[i].pixels, 0, 0);
    }
    return LVL_SKETCHY_NONE;
}

/* A chunk whose key is no position is not mixed up with the chunk at 0, 0, nor with another such chunk. */
static void chunks_without_position(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL);
    lvl_sketchy_layer *layer = ((lvl_sketchy *)lvl_doc_root(doc))->layers;
    lvl_image image;

    (void)state;
    lvl_draw_chunk(doc, 0, 0, 0, 0, 3); /* all hidden */
    lvl_draw_chunk(doc, 0, 1, 0, 0, 4);
    lvl_draw_chunk(doc, 0, 2, 0, 0, 5);
    layer->chunks[0].key = lvl_text_of("nowhere");
    layer->chunks[1].key = lvl_text_of("elsewhere");
    layer->chunks[2].key = lvl_text_of("0,0");
    picture_of(doc, &image);
    lvl_doc *made = drawn(doc, &image, (lvl_draw_options){0}, 0);
    assert_int_equal(((const lvl_sketchy *)made->root)->layers[0].chunk_count, 3);
    assert_int_equal(first_cell(made, "nowhere"), 3);
    assert_int_equal(first_cell(made, "elsewhere"), 4);
    assert_int_equal(first_cell(made, "0,0"), 5);
    lvl_doc_free(made);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

static uint32_t pixel(const lvl_doc *doc, uint32_t layer, int32_t x, int32_t y)
{
    const lvl_sketchy *d = doc->root;
    const lvl_sketchy_layer *l = &d->layers[layer];

    for (uint32_t i = 0; i < l->chunk_count; i++) {
        const lvl_sketchy_chunk *c = &l->chunks[i];
        const int32_t left = c->x * (int32_t)l->size, top = c->y * (int32_t)l->size;
        if (x >= left && y >= top && x < left + (int32_t)l->size && y < top + (int32_t)l->size)
            return lvl_cell(&c->pixels, (uint32_t)(x - left), (uint32_t)(y - top));
    }
    return LVL_SKETCHY_NONE;
}

static void what_was_painted_counts(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL);
    lvl_image image;

    (void)state;
    picture_of(doc, &image);
    lose_numbers(&image);
    const size_t row = image.width, zero = (size_t)-image.offset_x - (size_t)image.offset_y * row;
    static const uint8_t green[4] = {0, 255, 0, 255};
    memset(image.pixels + zero * 4, 0, 4); /* 0,0 rubbed out: it was red */
    memcpy(image.pixels + (zero + 2) * 4, green, 4); /* 2,0 was the red that burns */
    memcpy(image.pixels + (zero + 3) * 4, green, 4); /* 3,0 was of a swatch that isn't seen */
    memcpy(image.pixels + (zero + row + 3) * 4, green, 4); /* 3,1 was nothing */
    lvl_doc *made = drawn(doc, &image, (lvl_draw_options){0}, 0);
    assert_int_equal(pixel(made, 0, 0, 0), LVL_SKETCHY_NONE);
    assert_int_equal(pixel(made, 0, 1, 0), 1);
    assert_int_equal(pixel(made, 0, 2, 0), 1);
    assert_int_equal(pixel(made, 0, 3, 0), 1);
    assert_int_equal(pixel(made, 0, 0, 1), 4); /* hidden, and still there */
    assert_int_equal(pixel(made, 0, 1, 1), 5);
    assert_int_equal(pixel(made, 0, 3, 1), 1);
    assert_int_equal(pixel(made, 0, 3, 3), 2); /* the red that burns, by what was kept */
    assert_int_equal(pixel(made, 0, 2 * SIZE, SIZE), 3);
    assert_int_equal(((const lvl_sketchy *)made->root)->actor_count, 1);
    lvl_doc_free(made);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

/* New swatches: the other layers use them too; hidden ones are reported. */
static void other_swatches_reach_all_layers(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_DOODAD), *palette = lvl_draw_new(LVL_SKETCHY_DOODAD, 1);
    lvl_image image;

    (void)state;
    lvl_draw_swatch(palette, "#00ff00", "");
    lvl_draw_swatch(palette, "#ff0000", "");
    picture_of(doc, &image);
    lvl_doc *made = drawn(doc, &image, (lvl_draw_options){.palette = palette}, 1);
    const lvl_sketchy *d = made->root;
    assert_int_equal(d->layer_count, 2);
    assert_int_equal(d->swatch_count, 2);
    assert_int_equal(pixel(made, 0, 0, 0), 1);
    assert_int_equal(pixel(made, 0, 1, 0), 0);
    assert_int_equal(pixel(made, 1, 1, 1), 0);
    assert_true(lvl_text_equal(d->layers[1].name, lvl_text_of("two")));
    assert_true(lvl_text_equal(d->script, lvl_text_of("function main() {}")));
    lvl_doc_free(made);
    lvl_image_clear(&image);
    lvl_doc_free(palette);
    lvl_doc_free(doc);
}

static void without_it_the_losses_are_told(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_DOODAD);
    lvl_findings *losses = lvl_findings_new(lvl_doc_ctx(doc));
    lvl_image image = {0};

    (void)state;
    assert_int_equal(lvl_doc_picture_rest(doc, NULL, false, &image, losses), LVL_OK);
    assert_null(image.rest);
    bool title = false, script = false, layers = false;
    for (size_t i = 0; i < lvl_findings_count(losses); i++) {
        const char *text = lvl_findings_at(losses, i)->text;
        title |= strcmp(text, "the title") == 0;
        script |= strcmp(text, "the script") == 0;
        layers |= strncmp(text, "2 layers", 8) == 0;
    }
    assert_true(title && script && layers);
    assert_int_equal(lvl_doc_picture_rest(doc, "nowhere", true, &image, losses), LVL_ERR_MISSING);
    lvl_findings_free(losses);
    lvl_doc_free(doc);
}

/* Whatever the bytes are, there is a drawing of the pixels at least, or a reason. */
static void damage_is_refused(void **state)
{
    lvl_doc *doc = drawing(LVL_SKETCHY_LEVEL);
    const lvl_ctx *ctx = lvl_doc_ctx(doc);
    const lvl_draw_options draw_options = {.ending = "level"};
    lvl_image image;

    (void)state;
    picture_of(doc, &image);
    const size_t len = image.rest_len;
    for (size_t i = 0; i < 2 * len; i++) {
        lvl_findings *losses = lvl_findings_new(ctx);
        lvl_doc *made = NULL;
        uint8_t *rest = image.rest, *hurt = malloc(len);
        assert_non_null(hurt);
        memcpy(hurt, rest, len);
        hurt[i % len] ^= i < len ? 0xFF : 0;
        image.rest = hurt;
        image.rest_len = i < len ? len : i - len; /* cut */
        const lvl_status status =
            lvl_doc_draw(&made, ctx, lvl_doc_format(doc), &image, &draw_options, losses);
        assert_true(status == LVL_OK ? made != NULL : made == NULL);
        lvl_doc_free(made);
        lvl_findings_free(losses);
        free(hurt);
        image.rest = rest;
        image.rest_len = len;
    }
    lvl_image_clear(&image);
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(chunks_without_position),
        cmocka_unit_test(what_was_painted_counts),
        cmocka_unit_test(other_swatches_reach_all_layers),
        cmocka_unit_test(without_it_the_losses_are_told),
        cmocka_unit_test(damage_is_refused),
    };

    const bool fine = lvl_draw_open();
    const int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    lvl_draw_close();
    return failed;
}
