/*
 * Drawings made from pictures, and restructured drawings: other chunk sizes, trimmed palettes. The pixels are
 * always the same.
 */
#include "base/format.h"
#include "codec/png.h"
#include "growth.h"
#include "tools/picture/pictures.h"

#include <lvl/image.h>
#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *format;

/* Generated pictures: stripes in `colors` colours, with transparent places. */
static void make_picture(lvl_image *image, uint32_t width, uint32_t height, uint32_t colors)
{
    assert_int_equal(lvl_image_init(image, &ctx, LVL_PIXELS_RGBA8, width, height, false), LVL_OK);
    for (uint32_t i = 0; i < width * height; i++) {
        const uint32_t c = i * 7 % (colors + 1);
        if (!c)
            continue;
        image->pixels[(size_t)i * 4] = (uint8_t)c;
        image->pixels[(size_t)i * 4 + 1] = (uint8_t)(c >> 8);
        image->pixels[(size_t)i * 4 + 2] = 77;
        image->pixels[(size_t)i * 4 + 3] = c == 1 ? 128 : 255;
    }
}

static lvl_doc *draw(const lvl_image *image, const char *ending, const lvl_doc *palette, lvl_findings *losses,
                     lvl_status expected)
{
    const lvl_draw_options draw_options = {.ending = ending, .palette = palette};
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_doc_new(&doc, &ctx, format), LVL_OK);
    assert_int_equal(format->calls->draw(doc, image, &draw_options, losses), expected);
    return doc;
}

/* Written and read again: what a user gets. */
static lvl_doc *again(lvl_doc *doc)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_buffer file = {0};
    lvl_doc *back = NULL;

    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    assert_int_equal(lvl_read(&back, &ctx, NULL, (lvl_bytes){file.data, file.len}, NULL, 0, found), LVL_OK);
    assert_int_equal(lvl_findings_count(found), 0);
    lvl_findings_free(found);
    lvl_buffer_free(&file);
    lvl_doc_free(doc);
    return back;
}

/* The swatch of the world's px in a layer, by its index; LVL_SKETCHY_NONE: nothing. */
static unsigned px_at(const lvl_doc *doc, uint32_t layer, int64_t x, int64_t y)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy_layer *l = &d->layers[layer];
    unsigned found = LVL_SKETCHY_NONE;

    for (uint32_t i = 0; i < l->chunk_count; i++) {
        const int64_t left = x - (int64_t)l->chunks[i].x * l->size,
                      top = y - (int64_t)l->chunks[i].y * l->size;
        lvl_buffer storage = {0};
        lvl_cells cells;
        if (left < 0 || top < 0 || left >= l->size || top >= l->size)
            continue;
        assert_int_equal(lvl_doc_cells(doc, &l->chunks[i], field, &storage, &cells), LVL_OK);
        const uint8_t *p = cells.ptr + ((size_t)top * cells.width + (size_t)left) * 2;
        found = p[0] | (unsigned)p[1] << 8;
        lvl_buffer_free(&storage);
    }
    return found;
}

static void assert_shows(const lvl_doc *doc, const lvl_image *image)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);

    for (uint32_t i = 0; i < image->width * image->height; i += 3) {
        const uint8_t *p = image->pixels + (size_t)i * 4;
        const unsigned index = px_at(doc, 0, i % image->width, i / image->width);
        char text[16];
        if (!p[3]) {
            assert_int_equal(index, LVL_SKETCHY_NONE);
            continue;
        }
        assert_true(index < d->swatch_count);
        snprintf(text, sizeof text, p[3] == 255 ? "#%02x%02x%02x" : "#%02x%02x%02x%02x", p[0], p[1], p[2],
                 p[3]);
        assert_true(lvl_text_equal(d->swatches[index].color, (lvl_text){text, strlen(text)}));
    }
}

static void test_level(void **state)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_image image;

    (void)state;
    make_picture(&image, 131, 70, 5);
    lvl_doc *doc = again(draw(&image, "level", NULL, losses, LVL_OK));
    const lvl_sketchy *d = lvl_doc_croot(doc);
    assert_int_equal(d->kind, LVL_SKETCHY_LEVEL);
    assert_int_equal(d->generation, LVL_SKETCHY_V3_1);
    assert_int_equal(d->swatch_count, 5);
    assert_int_equal(d->layer_count, 1);
    assert_int_equal(d->layers[0].size, 128);
    assert_int_equal(d->layers[0].chunk_count, 2);
    assert_shows(doc, &image);
    assert_int_equal(lvl_findings_count(losses), 0);
    lvl_doc_free(doc);
    lvl_image_clear(&image);
    lvl_findings_free(losses);
}

static void test_doodad(void **state)
{
    static const struct {
        uint32_t width, height, size;
    } cases[] = {{33, 20, 33}, {20, 255, 255}, {256, 3, 128}, {1, 1, 1}};
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_image image;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_picture(&image, cases[i].width, cases[i].height, 3);
        image.pixels[3] = 255;
        lvl_doc *doc = again(draw(&image, "doodad", NULL, losses, LVL_OK));
        const lvl_sketchy *d = lvl_doc_croot(doc);
        assert_int_equal(d->kind, LVL_SKETCHY_DOODAD);
        assert_int_equal(d->layers[0].size, cases[i].size);
        assert_int_equal(d->size.width, cases[i].width);
        assert_int_equal(d->size.height, cases[i].height);
        assert_int_equal(d->hitbox.width, cases[i].width);
        assert_shows(doc, &image);
        lvl_doc_free(doc);
        lvl_image_clear(&image);
    }
    lvl_findings_free(losses);
}

static void test_too_many_colors(void **state)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_image image;

    (void)state;
    make_picture(&image, 64, 64, 256);
    lvl_doc *doc = draw(&image, "level", NULL, losses, LVL_OK);
    assert_int_equal(lvl_findings_count(losses), 0);
    assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->swatch_count, 256);
    lvl_doc_free(doc);
    lvl_image_clear(&image);
    make_picture(&image, 64, 64, 310);
    doc = draw(&image, "level", NULL, losses, LVL_OK);
    assert_int_equal(lvl_findings_count(losses), 1);
    assert_string_equal(lvl_findings_at(losses, 0)->def->id, "sketchy.loss.color");
    assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->swatch_count, 256);
    lvl_doc_free(again(doc));
    lvl_image_clear(&image);
    lvl_findings_free(losses);
}

static lvl_text text(const char *s)
{
    return (lvl_text){s, strlen(s)};
}

/* A drawing whose palette has attributes. */
static lvl_doc *make_palette(void)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_doc_new(&doc, &ctx, format), LVL_OK);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->swatches = lvl_doc_alloc(doc, 3 * sizeof *d->swatches);
    assert_non_null(d->swatches);
    d->swatch_count = 3;
    d->swatches[0] = (lvl_sketchy_swatch){.name = text("lava"), .color = text("f00"), .fire = 1};
    d->swatches[1] = (lvl_sketchy_swatch){
        .name = text("wall"), .color = text("#000000"), .pattern = text("ink.png"), .solid = 1};
    d->swatches[2] = (lvl_sketchy_swatch){.name = text("odd"), .color = text("mauve")};
    return doc;
}

static void test_palette(void **state)
{
    static const uint8_t pixels[] = {255, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 0, 250, 3, 3, 255};
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *palette = make_palette();
    lvl_image image;

    (void)state;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 4, 1, false), LVL_OK);
    memcpy(image.pixels, pixels, sizeof pixels);
    lvl_doc *doc = again(draw(&image, "doodad", palette, losses, LVL_OK));
    const lvl_sketchy *d = lvl_doc_croot(doc);
    assert_int_equal(d->swatch_count, 3);
    assert_int_equal(d->swatches[0].fire, 1);
    assert_int_equal(d->swatches[1].solid, 1);
    assert_true(lvl_text_equal(d->swatches[1].pattern, text("ink.png")));
    assert_int_equal(px_at(doc, 0, 0, 0), 0);
    assert_int_equal(px_at(doc, 0, 1, 0), 1);
    assert_int_equal(px_at(doc, 0, 2, 0), LVL_SKETCHY_NONE);
    assert_int_equal(px_at(doc, 0, 3, 0), 0); /* the nearest, with a finding */
    assert_int_equal(lvl_findings_count(losses), 1);
    assert_string_equal(lvl_findings_at(losses, 0)->def->id, "sketchy.loss.color");
    lvl_doc_free(doc);
    /* a palette of nothing can't be drawn with */
    ((lvl_sketchy *)lvl_doc_root(palette))->swatch_count = 0;
    lvl_doc_free(draw(&image, "doodad", palette, losses, LVL_ERR_ARG));
    lvl_doc_free(palette);
    lvl_image_clear(&image);
    lvl_findings_free(losses);
}

/* Indexed pictures: their palette's colours, and their mask. */
static void test_indexed(void **state)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_image image;
    lvl_palette palette = {{{0}}};

    (void)state;
    palette.rgb[7][1] = 200;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_INDEX8, 2, 2, true), LVL_OK);
    image.pixels[1] = image.pixels[3] = 7;
    image.mask[1] = image.mask[2] = 255;
    image.palette = &palette;
    lvl_doc *doc = again(draw(&image, "level", NULL, losses, LVL_OK));
    const lvl_sketchy *d = lvl_doc_croot(doc);
    assert_int_equal(d->swatch_count, 2);
    assert_true(lvl_text_equal(d->swatches[0].color, text("#00c800")));
    assert_int_equal(px_at(doc, 0, 0, 0), LVL_SKETCHY_NONE);
    assert_int_equal(px_at(doc, 0, 1, 0), 0);
    assert_int_equal(px_at(doc, 0, 0, 1), 1);
    assert_int_equal(px_at(doc, 0, 1, 1), LVL_SKETCHY_NONE);
    lvl_doc_free(doc);
    image.palette = NULL;
    lvl_image_clear(&image);
    lvl_findings_free(losses);
}

static void test_rechunk(void **state)
{
    static const uint32_t sizes[] = {1, 7, 128, 255, 64};
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_image image;

    (void)state;
    make_picture(&image, 150, 9, 4);
    for (unsigned generation = 0; generation < LVL_SKETCHY_GENERATIONS; generation++) {
        lvl_doc *first = draw(&image, "doodad", NULL, losses, LVL_OK), *doc = NULL;
        /* half of it where coordinates are negative */
        lvl_sketchy *d = lvl_doc_root(first);
        for (uint32_t i = 0; i < d->layers[0].chunk_count; i++) {
            d->layers[0].chunks[i].x--;
            d->layers[0].chunks[i].key = text("-1,0");
        }
        assert_int_equal(d->layers[0].chunk_count, 1);
        assert_int_equal(lvl_convert(first, lvl_sketchy_generation_name(generation), true, losses, &doc),
                         LVL_OK);
        lvl_doc_free(first);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const lvl_draw_options draw_options = {.chunk_size = sizes[i]};
            assert_int_equal(format->calls->restructure(doc, &draw_options, losses), LVL_OK);
            doc = again(doc);
            d = lvl_doc_root(doc);
            assert_int_equal(d->generation, generation);
            assert_int_equal(d->layers[0].size, sizes[i]);
            assert_int_equal(d->size.width, 150);
            for (int x = 0; x < 150; x += sizes[i] == 1 ? 37 : 5) {
                const uint8_t *p = image.pixels + ((size_t)3 * 150 + (unsigned)x) * 4;
                const unsigned index = px_at(doc, 0, x - 150, 3);
                assert_int_equal(index == LVL_SKETCHY_NONE, p[3] == 0);
            }
        }
        const lvl_draw_options back = {.chunk_size = 150};
        assert_int_equal(format->calls->restructure(doc, &back, losses), LVL_OK);
        d = lvl_doc_root(doc);
        assert_int_equal(d->layers[0].chunk_count, 1);
        d->layers[0].chunks[0].x = 0;
        assert_shows(doc, &image);
        for (uint32_t bad = 256; bad < 70000; bad += 60000) {
            const lvl_draw_options wrong = {.chunk_size = bad};
            assert_int_equal(lvl_findings_count(losses), 0);
            assert_int_equal(format->calls->restructure(doc, &wrong, losses), LVL_ERR_ARG);
            assert_string_equal(lvl_findings_at(losses, 0)->def->id, "sketchy.convert_option");
            lvl_findings_clear(losses);
        }
        lvl_doc_free(doc);
    }
    assert_int_equal(lvl_findings_count(losses), 0);
    lvl_image_clear(&image);
    lvl_findings_free(losses);
}

/* A canvas without a size has the size of a chunk, and must keep it. */
/* A place that a hash of two multiplications puts into slot 0 of 2^18. */
static int32_t colliding(uint32_t n)
{
    uint32_t v = n << 17, inverse = 1;

    for (unsigned bit = 17; bit-- > 0;)
        v |= (bit + 15 < 32 ? v >> (bit + 15) & 1 : 0) << bit;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - 2654435761u * inverse;
    return (int32_t)(v * inverse);
}

static double seconds_to_rechunk(bool crafted, uint32_t count)
{
    const lvl_draw_options draw_options = {.chunk_size = 2};
    lvl_buffer text = {0};
    lvl_doc *doc;

    lvl_buffer_str(&text, "{\"version\":1,\"title\":\"t\",\"palette\":{\"swatches\":[{\"name\":\"a\"}]},"
                          "\"chunks\":{\"size\":1,\"chunks\":{");
    for (uint32_t i = 0, n = 0; n < count; i++) {
        const int32_t x = crafted ? colliding(i & 0x7FFF) : (int32_t)i;
        const uint32_t y = crafted ? i >> 15 : 0;
        if (x > INT32_MAX / 2 || x < INT32_MIN / 2)
            continue;
        lvl_buffer_printf(&text, "%s\"%d,%u\":{\"type\":0,\"data\":{\"%d,%u\":0}}", n++ ? "," : "",
                          (int)x * 2, (unsigned)y * 2, (int)x * 2, (unsigned)y * 2);
    }
    lvl_buffer_str(&text, "}}}");
    assert_int_equal(text.status, LVL_OK);
    assert_int_equal(lvl_read(&doc, &ctx, format, (lvl_bytes){text.data, text.len}, NULL, 0, NULL), LVL_OK);
    const double start = lvl_cpu_seconds();
    assert_int_equal(lvl_doc_restructure(doc, &draw_options, NULL), LVL_OK);
    const double seconds = lvl_cpu_seconds() - start;
    assert_int_equal(((const lvl_sketchy *)lvl_doc_root(doc))->layers[0].chunk_count, count);
    lvl_doc_free(doc);
    lvl_buffer_free(&text);
    return seconds;
}

/* Places chosen to collide in a table take no longer than others. */
static void test_colliding_chunks(void **state)
{
    enum { COUNT = 12000 };
    double plain = 1e9, crafted = 1e9;

    (void)state;
    for (int round = 0; round < 5 && (!round || crafted > plain * 3 + 0.02); round++) {
        const double a = seconds_to_rechunk(false, COUNT), b = seconds_to_rechunk(true, COUNT);
        plain = a < plain ? a : plain;
        crafted = b < crafted ? b : crafted;
    }
    print_message("chunks: %.4f s, colliding ones %.4f s\n", plain, crafted);
    assert_true(crafted <= plain * 3 + 0.02);
}

static void test_canvas(void **state)
{
    const lvl_draw_options draw_options = {.chunk_size = 16};
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_image image;

    (void)state;
    make_picture(&image, 40, 30, 2);
    lvl_doc *doc = draw(&image, "doodad", NULL, losses, LVL_OK);
    lvl_sketchy *d = lvl_doc_root(doc);
    memset(&d->size, 0, sizeof d->size);
    assert_int_equal(format->calls->restructure(doc, &draw_options, losses), LVL_OK);
    assert_int_equal(d->size.width, 40);
    assert_int_equal(d->size.height, 40);
    lvl_doc_free(doc);
    lvl_image_clear(&image);
    lvl_findings_free(losses);
}

/* malloc that fails once, at that call from now on. */
typedef struct meter {
    long fail_at;
} meter;

static bool fails(meter *m)
{
    return m->fail_at >= 0 && m->fail_at-- == 0;
}

static void *meter_alloc(void *user, size_t size)
{
    return fails(user) ? NULL : malloc(size);
}

static void *meter_resize(void *user, void *ptr, size_t old_size, size_t size)
{
    (void)old_size;
    return fails(user) ? NULL : realloc(ptr, size);
}

static void meter_release(void *user, void *ptr)
{
    (void)user;
    free(ptr);
}

/* A grid that was not read for lack of memory is not an empty one. */
static void test_edit_starved(void **state)
{
    meter m = {-1};
    lvl_ctx memory_failed = ctx;
    lvl_buffer file = {0};
    lvl_image image;
    bool had = false;

    (void)state;
    memory_failed.allocator = (lvl_allocator){meter_alloc, meter_resize, meter_release, &m};
    make_picture(&image, 120, 120, 3);
    lvl_doc *doc = draw(&image, "doodad", NULL, NULL, LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    lvl_doc_free(doc);
    for (long at = 0; at < 20 && !had; at++) {
        assert_int_equal(
            lvl_read(&doc, &memory_failed, NULL, (lvl_bytes){file.data, file.len}, NULL, 0, NULL), LVL_OK);
        m.fail_at = at;
        lvl_sketchy_chunk *chunk = &((lvl_sketchy *)lvl_doc_root(doc))->layers[0].chunks[0];
        const uint8_t *grid = lvl_sketchy_pixels_edit(doc, chunk);
        had = m.fail_at >= 0;
        m.fail_at = -1;
        if (!grid)
            assert_false(had);
        else /* px 1,0 is of swatch 2 - 1, and there are others than the first */
            assert_int_not_equal(grid[2] | grid[4] | grid[6], 0);
        lvl_doc_free(doc);
    }
    assert_true(had);
    lvl_buffer_free(&file);
    lvl_image_clear(&image);
}

static void test_trim(void **state)
{
    const lvl_draw_options draw_options = {.trim_palette = true};
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_image image;

    (void)state;
    make_picture(&image, 40, 30, 2);
    lvl_doc *doc = again(draw(&image, "doodad", NULL, losses, LVL_OK));
    lvl_sketchy *d = lvl_doc_root(doc);
    d->generation = LVL_SKETCHY_V2; /* if no swatch depends on a missing flag */
    const lvl_sketchy_swatch a = d->swatches[0], b = d->swatches[1];
    d->swatches = lvl_doc_alloc(doc, 6 * sizeof *d->swatches);
    assert_non_null(d->swatches);
    /* unused, then each color twice */
    const lvl_sketchy_swatch list[] = {{.name = text("none"), .color = text("#123456")}, b, a, a, b, a};
    memcpy(d->swatches, list, sizeof list);
    d->swatch_count = 6;
    d->swatches[5].solid = 1; /* not the same */
    const lvl_field *pixels = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    uint8_t *grid = lvl_cells_edit(doc, &d->layers[0].chunks[0], pixels);
    assert_non_null(grid);
    unsigned n = 0;
    for (size_t i = 0; i < (size_t)40 * 40; i++) {
        static const uint8_t to[2][3] = {{2, 3, 5}, {1, 4, 4}};
        if (grid[i * 2 + 1] == 0)
            grid[i * 2] = to[grid[i * 2]][n++ % 3];
    }
    grid[0] = 9; /* beyond the palette: stays so */
    grid[1] = 0;
    doc = again(doc);
    assert_int_equal(format->calls->restructure(doc, &draw_options, losses), LVL_OK);
    doc = again(doc);
    d = lvl_doc_root(doc);
    assert_int_equal(d->swatch_count, 3); /* b, a, and a that is solid */
    assert_int_equal(d->swatches[2].solid, 1);
    assert_int_equal(px_at(doc, 0, 0, 0), 9);
    image.pixels[0] = image.pixels[1] = image.pixels[2] = image.pixels[3] = 0;
    for (uint32_t i = 1; i < 40u * 30; i++) {
        const uint8_t *p = image.pixels + (size_t)i * 4;
        const unsigned index = px_at(doc, 0, i % 40, i / 40);
        if (!p[3])
            assert_int_equal(index, LVL_SKETCHY_NONE);
        else /* the translucent one is colour 1 */
            assert_int_equal(d->swatches[index].color.len, p[3] == 255 ? 7 : 9);
    }
    /* nothing more to do: nothing changes */
    lvl_buffer before = {0}, after = {0};
    assert_int_equal(lvl_doc_write(doc, &before), LVL_OK);
    assert_int_equal(format->calls->restructure(doc, &draw_options, losses), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &after), LVL_OK);
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.data, after.data, after.len);
    assert_int_equal(lvl_findings_count(losses), 0);
    lvl_buffer_free(&before);
    lvl_buffer_free(&after);
    lvl_doc_free(doc);
    lvl_image_clear(&image);
    lvl_findings_free(losses);
}

/* A zipped doodad of swatches "0", "1" … with these px, one a swatch that is used. */
static lvl_doc *doodad_of(const char *swatches, const unsigned *used, size_t count)
{
    lvl_image image = {0};
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *made, *doc = NULL;

    make_picture(&image, 8, 1, 1);
    made = draw(&image, "doodad", NULL, losses, LVL_OK);
    const lvl_field *pixels = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    uint8_t *grid = lvl_cells_edit(made, &((lvl_sketchy *)lvl_doc_root(made))->layers[0].chunks[0], pixels);
    assert_non_null(grid);
    for (size_t i = 0; i < 8; i++) {
        grid[i * 2] = (uint8_t)(i < count ? used[i] : 0xFF);
        grid[i * 2 + 1] = i < count ? 0 : 0xFF;
    }
    const char *const set[] = {swatches};
    assert_int_equal(lvl_set(made, set, 1, NULL, NULL), LVL_OK);
    doc = again(made);
    lvl_image_clear(&image);
    lvl_findings_free(losses);
    return doc;
}

/* Swatch names, and what each is to the game. */
static void played(lvl_doc *doc, char *out)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);

    for (uint32_t i = 0; i < d->swatch_count; i++) {
        const lvl_sketchy_swatch *s = &d->swatches[i];
        out += sprintf(out, "%s%.*s%s%s%s", i ? " " : "", (int)s->name.len, s->name.ptr, s->solid ? "s" : "",
                       s->fire ? "f" : "", s->water ? "w" : "");
    }
}

static void test_trim_inherited(void **state)
{
    static const char six[] =
        "swatches=[{\"name\":\"a\",\"color\":\"#100000\"},{\"name\":\"b\",\"color\":\"#200000\"},"
        "{\"name\":\"c\",\"color\":\"#300000\"},{\"name\":\"d\",\"color\":\"#400000\"},"
        "{\"name\":\"e\",\"color\":\"#500000\"},{\"name\":\"f\",\"color\":\"#600000\",\"solid\":1}]";
    static const char twins[] =
        "swatches=[{\"name\":\"a\",\"color\":\"#100000\"},{\"name\":\"b\",\"color\":\"#200000\"},"
        "{\"name\":\"b\",\"color\":\"#200000\"},{\"name\":\"b\",\"color\":\"#200000\"},"
        "{\"name\":\"b\",\"color\":\"#200000\"},{\"name\":\"a\",\"color\":\"#100000\",\"solid\":1}]";
    static const struct {
        const char *swatches;
        unsigned used[6];
        size_t count;
        const char *before, *after;
    } cases[] = {
        {six, {0, 1, 2, 3, 4, 5}, 6, "a b c d e fs", "a b c d e fs"},
        {six, {0, 1, 2, 3, 5}, 5, "a b c d e fs", "a b c d fs"},
        {six, {0}, 1, "a b c d e fs", "a"},
        {six, {2, 3}, 2, "a b c d e fs", "c d"},
        {six, {4}, 1, "a b c d e fs", "e"},
        {six, {5}, 1, "a b c d e fs", "fs"},
        {six, {0, 3}, 2, "a b c d e fs", "a d"},
        {twins, {0, 1, 2, 3, 4, 5}, 6, "a b b b b as", "a b as"}, /* the first has no flag solid */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lvl_draw_options draw_options = {.trim_palette = true};
        lvl_findings *losses = lvl_findings_new(&ctx);
        lvl_doc *doc = doodad_of(cases[i].swatches, cases[i].used, cases[i].count);
        char says[100], was[8][8];
        const lvl_sketchy *d = lvl_doc_croot(doc);
        played(doc, says);
        assert_string_equal(says, cases[i].before);
        for (size_t k = 0; k < cases[i].count; k++)
            snprintf(was[k], sizeof was[k], "%.7s", d->swatches[cases[i].used[k]].name.ptr);
        assert_int_equal(format->calls->restructure(doc, &draw_options, losses), LVL_OK);
        doc = again(doc);
        d = lvl_doc_croot(doc);
        played(doc, says);
        assert_string_equal(says, cases[i].after);
        for (uint32_t k = 0; k < cases[i].count; k++)
            assert_int_equal(d->swatches[px_at(doc, 0, k, 0)].name.ptr[0], was[k][0]);
        assert_int_equal(lvl_findings_count(losses), 0);
        lvl_doc_free(doc);
        lvl_findings_free(losses);
    }
}

/* The four pictures of itself that a level holds: made, then made again in their places. */
static void test_screenshots(void **state)
{
    static const struct {
        const char *path;
        uint32_t width, height;
    } sizes[] = {{"assets/screenshots/large.png", 1280, 720},
                 {"assets/screenshots/medium.png", 640, 360},
                 {"assets/screenshots/small.png", 320, 180},
                 {"assets/screenshots/tiny.png", 224, 126}};
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_image shot, small;

    (void)state;
    make_picture(&small, 5, 5, 2);
    lvl_doc *doc = draw(&small, "level", NULL, losses, LVL_OK);
    assert_int_equal(format->calls->embed_screenshot(doc, &small, losses), LVL_ERR_ARG);
    make_picture(&shot, format->shot_width, format->shot_height, 2);
    for (size_t i = 0; i < (size_t)shot.width * shot.height; i++) {
        shot.pixels[i * 4] = i % 2 ? 255 : 0; /* columns, so that halves are between them */
        shot.pixels[i * 4 + 3] = 255;
    }
    for (int round = 0; round < 2; round++) {
        assert_int_equal(format->calls->embed_screenshot(doc, &shot, losses), LVL_OK);
        doc = again(doc);
        const lvl_sketchy *d = lvl_doc_croot(doc);
        assert_int_equal(d->file_count, 4);
        for (uint32_t i = 0; i < 4; i++) {
            lvl_buffer storage = {0};
            lvl_bytes png;
            lvl_image image;
            assert_true(lvl_text_equal(d->files[i].path, text(sizes[i].path)));
            assert_int_equal(lvl_doc_bytes(doc, &d->files[i], data, &storage, &png), LVL_OK);
            assert_int_equal(lvl_png_read(&ctx, png, &image), LVL_OK);
            assert_int_equal(image.width, sizes[i].width);
            assert_int_equal(image.height, sizes[i].height);
            const size_t at = (size_t)100 * image.width + 100;
            const unsigned red = image.format == LVL_PIXELS_RGBA8 ? image.pixels[at * 4]
                                                                  : image.palette->rgb[image.pixels[at]][0];
            if (i == 1)
                assert_int_equal(red, 127); /* between a column of 0 and one of 255, cut */
            lvl_image_clear(&image);
            lvl_buffer_free(&storage);
        }
    }
    lvl_doc_free(doc);
    doc = draw(&small, "doodad", NULL, losses, LVL_OK);
    assert_int_equal(format->calls->embed_screenshot(doc, &shot, losses), LVL_ERR_UNSUPPORTED);
    lvl_doc_free(doc);
    assert_int_equal(lvl_findings_count(losses), 0);
    lvl_image_clear(&small);
    lvl_image_clear(&shot);
    lvl_findings_free(losses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level),           cmocka_unit_test(test_doodad),
        cmocka_unit_test(test_too_many_colors), cmocka_unit_test(test_palette),
        cmocka_unit_test(test_indexed),         cmocka_unit_test(test_rechunk),
        cmocka_unit_test(test_canvas),          cmocka_unit_test(test_trim),
        cmocka_unit_test(test_edit_starved),    cmocka_unit_test(test_trim_inherited),
        cmocka_unit_test(test_screenshots),     cmocka_unit_test(test_colliding_chunks),
    };

    lvl_ctx_init(&ctx);
    format = lvl_format_find("sketchy");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
