/*
 * The first calls of a program that links the library: documents from files and to files, a drawing's pixels
 * read and painted, from sound and damaged files.
 */
#include "base/format.h"
#include "corpus.h"
#include "sketchy_make.h"
#include "tools/picture/pictures.h"

#include <lvl/image.h>
#include <lvl/sketchy.h>
#include <lvl/tools.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const char target[] = "test_load.made";

static void save_as(const lvl_buffer *bytes)
{
    FILE *file = fopen(target, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes->data, 1, bytes->len, file), bytes->len);
    assert_int_equal(fclose(file), 0);
}

/* Saving and loading, and their errors. */
static void test_files(void **state)
{
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V4), *again = doc;
    lvl_buffer before = {0}, after = {0};

    (void)state;
    remove(target);
    assert_int_equal(lvl_load(&again, &ctx, target, NULL), LVL_ERR_MISSING);
    assert_int_equal(errno, ENOENT);
    assert_null(again);
    again = doc;
    assert_int_equal(lvl_load(&again, &ctx, ".", NULL), LVL_ERR_IO);
    assert_null(again);
    assert_int_equal(lvl_save(doc, "no-such-folder/x.level", NULL), LVL_ERR_MISSING);
    assert_int_equal(errno, ENOENT);
    for (int round = 0; round < 2; round++) { /* made, then replaced */
        assert_int_equal(lvl_save(doc, target, NULL), LVL_OK);
        assert_int_equal(lvl_load(&again, &ctx, target, NULL), LVL_OK);
        before.len = after.len = 0;
        assert_int_equal(lvl_doc_write(doc, &before), LVL_OK);
        assert_int_equal(lvl_doc_write(again, &after), LVL_OK);
        assert_int_equal(before.len, after.len);
        assert_memory_equal(before.data, after.data, after.len);
        lvl_doc_free(again);
        lvl_sketchy_of(doc)->title = lvl_text_of("The second time");
    }
    /* no bound is the default one */
    lvl_ctx none = ctx;
    memset(&none.limits, 0, sizeof none.limits);
    assert_int_equal(lvl_load(&again, &none, target, NULL), LVL_OK);
    lvl_sketchy *drawing = lvl_sketchy_of(again);
    const lvl_field *actors = lvl_table_find(&lvl_sketchy_table, lvl_text_of("actors"));
    const uint32_t more = ((uint32_t)1 << 24) - drawing->actor_count + 1;
    assert_int_equal(lvl_list_insert(again, drawing, actors, 0, more), LVL_ERR_LIMIT);
    assert_null(lvl_doc_alloc(again, ((size_t)1 << 30) + 1));
    lvl_doc_free(again);
    none.limits.input_bytes = 16;
    lvl_findings *why = lvl_findings_new(&none);
    assert_int_equal(lvl_load(&again, &none, target, why), LVL_ERR_LIMIT);
    assert_null(again);
    assert_int_equal(lvl_findings_count(why), 1);
    assert_string_equal(lvl_findings_at(why, 0)->def->id, "lvl.limit.input");
    lvl_findings_free(why);
    lvl_doc_free(doc);
    lvl_buffer_free(&before);
    lvl_buffer_free(&after);
    remove(target);
}

/* Of two layers of a level a file holds one, of two chunks with one key, too: that is no success. */
static void test_verified(void **state)
{
    (void)state;
    for (int chunk = 0; chunk < 2; chunk++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V4), *again = NULL;
        lvl_sketchy *drawing = lvl_sketchy_of(doc);
        lvl_findings *findings = lvl_findings_new(&ctx);
        assert_int_equal(lvl_save(doc, target, NULL), LVL_OK);
        if (chunk) {
            lvl_sketchy_layer *layer = &drawing->layers[0];
            assert_int_equal(lvl_list_insert(doc, layer, LVL_FIELD(lvl_sketchy_layer, chunks), 0, 1), LVL_OK);
            layer->chunks[0].key = layer->chunks[1].key;
        } else {
            assert_int_equal(lvl_list_insert(doc, drawing, LVL_FIELD(lvl_sketchy, layers), 1, 1), LVL_OK);
        }
        assert_int_equal(lvl_save(doc, target, &(lvl_save_options){.findings = findings}), LVL_ERR_LOSS);
        assert_int_equal(lvl_findings_count(findings), 1);
        assert_string_equal(lvl_findings_at(findings, 0)->def->id, "lvl.write.lost");
        assert_int_equal(lvl_load(&again, &ctx, target, NULL), LVL_OK); /* the file that was there */
        assert_int_equal(lvl_sketchy_of(again)->layer_count, 1);
        lvl_doc_free(again);
        lvl_doc_free(doc);
        doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V4);
        assert_int_equal(lvl_save(doc, "no-such-folder/x.level", NULL), LVL_ERR_MISSING);
        assert_int_equal(errno, ENOENT);
        lvl_findings_free(findings);
        lvl_doc_free(doc);
    }
    remove(target);
}

/* A grid that is asked for first and then painted on is the same one with that dot. */
static void test_pixels(void **state)
{
    (void)state;
    for (unsigned generation = 0; generation < LVL_SKETCHY_GENERATIONS; generation++) {
        lvl_buffer file = {0}, first = {0}, second = {0};
        lvl_cells was, is;
        lvl_doc *doc;
        assert_true(lvl_make_file(lvl_make_sketch(&ctx, generation), &file));
        save_as(&file);
        assert_int_equal(lvl_load(&doc, &ctx, target, NULL), LVL_OK);
        lvl_sketchy_chunk *chunk = lvl_sketchy_of(doc)->layers[0].chunks;
        assert_int_equal(lvl_sketchy_pixels(doc, chunk, &first, &was), LVL_OK);
        uint8_t *pixels = lvl_sketchy_pixels_edit(doc, chunk);
        assert_non_null(pixels);
        assert_memory_equal(pixels, was.ptr, (size_t)was.width * was.height * 2);
        pixels[0] = 2;
        pixels[1] = 0;
        assert_int_equal(lvl_save(doc, target, NULL), LVL_OK);
        lvl_doc_free(doc);
        assert_int_equal(lvl_load(&doc, &ctx, target, NULL), LVL_OK);
        assert_int_equal(lvl_sketchy_pixels(doc, lvl_sketchy_of(doc)->layers[0].chunks, &second, &is),
                         LVL_OK);
        assert_int_equal(lvl_cell(&is, 0, 0), 2);
        assert_memory_equal(is.ptr + 2, was.ptr + 2, (size_t)was.width * was.height * 2 - 2);
        lvl_doc_free(doc);
        lvl_buffer_free(&first);
        lvl_buffer_free(&second);
        lvl_buffer_free(&file);
    }
    remove(target);
}

/* Chunks of a size that can't be give nothing to loop over; one that can't be decoded is painted on as
 * nothing, not as the first swatch. */
static void test_damaged(void **state)
{
    static const char text[] =
        "{\"version\":1,\"title\":\"\",\"palette\":{\"swatches\":[{\"name\":\"a\",\"color\":\"#000000\"}]},"
        "\"chunks\":{\"size\":%u,\"chunks\":{\"0,0\":{\"type\":%u,\"data\":{\"1,1\":0}}}}}";
    char json[512];
    lvl_buffer storage = {0};
    lvl_cells cells;
    lvl_doc *doc;

    (void)state;
    for (unsigned size = 0; size <= 300; size += 300) {
        snprintf(json, sizeof json, text, size, 0U);
        const lvl_bytes bytes = {(const uint8_t *)json, strlen(json)};
        assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, "x.level", 0, NULL), LVL_OK);
        lvl_sketchy *level = lvl_sketchy_of(doc);
        for (uint32_t i = 0; i < level->layers[0].chunk_count; i++) {
            assert_int_equal(lvl_sketchy_pixels(doc, &level->layers[0].chunks[i], &storage, &cells),
                             LVL_ERR_FORMAT);
            assert_null(cells.ptr);
            assert_int_equal(cells.width + cells.height, 0);
            assert_null(lvl_sketchy_pixels_edit(doc, &level->layers[0].chunks[i]));
        }
        lvl_doc_free(doc);
    }
    snprintf(json, sizeof json, text, 16U, 9U);
    const lvl_bytes bytes = {(const uint8_t *)json, strlen(json)};
    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, "x.level", 0, NULL), LVL_OK);
    lvl_sketchy_chunk *chunk = lvl_sketchy_of(doc)->layers[0].chunks;
    const lvl_status status = lvl_sketchy_pixels(doc, chunk, &storage, &cells);
    const uint8_t *pixels = lvl_sketchy_pixels_edit(doc, chunk);
    assert_non_null(pixels);
    assert_true(status == LVL_OK || status == LVL_ERR_FORMAT);
    assert_memory_equal(pixels, cells.ptr, (size_t)16 * 16 * 2);
    assert_int_equal(pixels[0] | pixels[1] << 8, LVL_SKETCHY_NONE);
    lvl_doc_free(doc);
    lvl_buffer_free(&storage);
}

static void *take(void *user, size_t size)
{
    ++*(size_t *)user;
    return malloc(size);
}

static void give_back(void *user, void *ptr)
{
    --*(size_t *)user;
    free(ptr);
}

/* A document is read from the file's bytes, from a copy of them, or from what they were before a transfer as
 * text; and it is written as the file is. */
static void test_whose_bytes(void **state)
{
    char path[4096];
    size_t len, blocks = 0;
    lvl_buffer changed = {0};

    (void)state;
    snprintf(path, sizeof path, "%s/wwd/cliffs.wwd", lvl_samples_dir());
    uint8_t *bytes = lvl_slurp(path, &len);
    assert_non_null(bytes);
    for (int transferred = 0; transferred < 2; transferred++) {
        lvl_ctx mine = ctx;
        mine.allocator = (lvl_allocator){.alloc = take, .release = give_back, .user = &blocks};
        const lvl_ctx *const both[] = {&ctx, &mine};
        changed.len = 0;
        for (size_t i = 0; i < len; i++) {
            if (transferred && bytes[i] == '\n')
                lvl_buffer_u8(&changed, '\r');
            lvl_buffer_u8(&changed, bytes[i]);
        }
        save_as(&changed);
        for (size_t i = 0; i < 2; i++) {
            lvl_buffer out = {0};
            lvl_doc *doc;
            assert_int_equal(lvl_load(&doc, both[i], target, NULL), LVL_OK);
            assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
            assert_int_equal(out.len, changed.len);
            assert_memory_equal(out.data, changed.data, out.len);
            lvl_buffer_free(&out);
            lvl_doc_free(doc);
        }
    }
    assert_int_equal(blocks, 0);
    free(bytes);
    lvl_buffer_free(&changed);
    remove(target);
}

/* A picture that becomes a drawing, is drawn again, and what can't be of it. */
static void test_drawing(void **state)
{
    const lvl_format *format = lvl_format_find("sketchy");
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_draw_options draw_options = {.ending = "doodad", .chunk_size = 300};
    lvl_image image = {0}, again = {0};
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 5, 3, false), LVL_OK);
    for (uint32_t i = 0; i < 15; i++) {
        const uint8_t px[4] = {(uint8_t)(i * 17), 40, 90, 255};
        memcpy(image.pixels + (size_t)i * 4, px, 4);
    }
    assert_int_equal(lvl_doc_draw(&doc, &ctx, format, &image, &draw_options, losses), LVL_ERR_ARG);
    assert_null(doc);
    assert_int_equal(lvl_findings_count(losses), 1);
    assert_int_equal(lvl_doc_draw(&doc, &ctx, format, &image, NULL, NULL), LVL_OK);
    draw_options.chunk_size = 2;
    assert_int_equal(lvl_doc_restructure(doc, &draw_options, NULL), LVL_OK);
    assert_int_equal(lvl_sketchy_of(doc)->layers[0].size, 2);
    assert_int_equal(lvl_doc_picture(doc, "9", &again), LVL_ERR_MISSING);
    assert_int_equal(lvl_doc_picture(doc, NULL, &again), LVL_OK);
    assert_int_equal(again.format, LVL_PIXELS_INDEX8);
    for (uint32_t i = 0; i < 15; i++)
        assert_memory_equal(again.palette->rgb[again.pixels[i]], image.pixels + (size_t)i * 4, 3);
    lvl_image_clear(&again);
    lvl_doc_free(doc);
    assert_int_equal(lvl_doc_draw(&doc, &ctx, lvl_format_find("rez"), &image, NULL, NULL),
                     LVL_ERR_UNSUPPORTED);
    assert_null(doc);
    lvl_image_clear(&image);
    lvl_findings_free(losses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),   cmocka_unit_test(test_verified), cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_damaged), cmocka_unit_test(test_drawing),  cmocka_unit_test(test_whose_bytes),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
