/*
 * test_mng.c: MNG: frames and their times, the first one as a picture, odd files, damage.
 */
#include "measure.h"

#include "base/buffer.h"
#include "base/format.h"
#include "codec/deflate.h"
#include "codec/png.h"

#include <lvl/mng.h>
#include <lvl/scene.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *mng_format;

static void add_u32(lvl_buffer *b, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        lvl_buffer_u8(b, (uint8_t)(v >> shift));
}

static void add_chunk(lvl_buffer *b, const char *type, const char *data, size_t len)
{
    const size_t from = b->len + 4;

    add_u32(b, (uint32_t)len);
    lvl_buffer_add(b, type, 4);
    lvl_buffer_add(b, data, len);
    add_u32(b, lvl_crc32((lvl_bytes){b->data + from, b->len - from}));
}

/* The chunks of a PNG of one colour. */
static void add_png(lvl_buffer *b, uint32_t width, uint8_t red)
{
    lvl_image image;
    lvl_buffer png = {0};

    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, width, 2, false), LVL_OK);
    for (uint32_t i = 0; i < width * 2; i++) {
        const uint8_t rgba[4] = {red, 0, 0, 255};
        memcpy(image.pixels + (size_t)i * 4, rgba, 4);
    }
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, NULL, &png), LVL_OK);
    lvl_buffer_add(b, png.data + LVL_PNG_SIGNATURE_SIZE, png.len - LVL_PNG_SIGNATURE_SIZE);
    lvl_buffer_free(&png);
    lvl_image_clear(&image);
}

static const char head[] =
    "\0\0\0\4\0\0\0\2\0\0\0\x64\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1"; /* 100 ticks a second */

static void begin(lvl_buffer *b)
{
    lvl_buffer_add(b, "\x8AMNG\r\n\x1A\n", 8);
    add_chunk(b, "MHDR", head, 28);
}

static lvl_doc *read_all(const lvl_buffer *b, lvl_findings *findings)
{
    lvl_doc *doc;
    lvl_measure m = {0};

    assert_true(lvl_measure_bytes(&m, NULL, lvl_buffer_bytes(b), "made"));
    assert_int_equal(m.exact, 1);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, lvl_buffer_bytes(b), NULL, 0, findings), LVL_OK);
    assert_ptr_equal(lvl_doc_format(doc), mng_format);
    return doc;
}

/* The red of the only pixel colour of a frame. */
static unsigned red_of(const lvl_doc *doc, uint32_t frame)
{
    const lvl_scene_request request = {.frame = frame};
    lvl_scene *scene;

    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    assert_int_equal(scene->thing_count, 1);
    const lvl_image *image = scene->things[0].image;
    const unsigned red = image->palette ? image->palette->rgb[image->pixels[0]][0] : image->pixels[0];
    lvl_scene_free(scene);
    return red;
}

static void test_frames(void **state)
{
    static const uint32_t expected[] = {10, 350, 350, 1};
    lvl_buffer b = {0};
    lvl_animation *play;
    lvl_image image;

    (void)state;
    begin(&b);
    add_chunk(&b, "TERM", "\3\0\0\0\0\0\x7F\xFF\xFF\xFF", 10);
    add_png(&b, 4, 10); /* without FRAM: one tick */
    add_chunk(&b, "FRAM", "\1name\0\2\0\0\0\0\0\0\x23", 14);
    add_png(&b, 4, 20);
    add_chunk(&b, "FRAM", "\1", 1); /* changes nothing */
    add_png(&b, 2, 30);
    add_chunk(&b, "FRAM", "\1\0\2\0\0\0\0\0\0\0", 10); /* no time at all */
    add_png(&b, 4, 40);
    add_chunk(&b, "MEND", "", 0);
    lvl_doc *doc = read_all(&b, NULL);
    assert_int_equal(lvl_doc_play(doc, NULL, &play), LVL_OK);
    assert_int_equal(play->frames, 4);
    assert_true(play->loops);
    assert_int_equal(play->bounds.right, 3);
    assert_int_equal(play->bounds.bottom, 1);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(play->durations[i], expected[i]);
        assert_int_equal(red_of(doc, i), (i + 1) * 10);
    }
    assert_int_equal(red_of(doc, 9), 40); /* past the end: the last */
    lvl_animation_free(&ctx, play);
    assert_int_equal(lvl_doc_picture(doc, NULL, &image), LVL_OK);
    assert_int_equal(image.width, 4);
    assert_int_equal(image.palette ? image.palette->rgb[image.pixels[0]][0] : image.pixels[0], 10);
    lvl_image_clear(&image);
    lvl_doc_free(doc);
    lvl_buffer_free(&b);
}

/* How often reading and checking report a finding. */
static size_t found(const lvl_buffer *b, const char *id)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    size_t count = 0;

    lvl_doc *doc = read_all(b, findings);
    const lvl_check_request request = {.findings = findings};
    assert_int_equal(mng_format->calls->check(doc, &request), LVL_OK);
    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        count += strcmp(lvl_findings_at(findings, i)->def->id, id) == 0;
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    return count;
}

static void test_odd(void **state)
{
    lvl_buffer b = {0};

    (void)state;
    begin(&b);
    assert_int_equal(found(&b, "mng.chunk.cut"), 1); /* no MEND */
    add_chunk(&b, "MEND", "", 0);
    assert_int_equal(found(&b, "mng.no_frame"), 1);
    assert_int_equal(found(&b, "mng.chunk.cut"), 0);
    b.data[30] ^= 1;
    assert_int_equal(found(&b, "mng.chunk.checksum"), 1);
    lvl_buffer_u8(&b, 7);
    assert_int_equal(found(&b, "mng.rest"), 1);
    b.len = 0;
    begin(&b);
    /* loops are counted once, however often they say */
    add_chunk(&b, "LOOP", "\0\x7F\xFF\xFF\xFF", 5);
    add_png(&b, 3, 9);
    add_chunk(&b, "ENDL", "\0", 1);
    add_chunk(&b, "IHDR", "\0\0\0\2\0\0\0\2\x08\6\0\0\0", 13);
    add_chunk(&b, "IEND", "", 0);
    add_chunk(&b, "MEND", "", 0);
    assert_int_equal(found(&b, "mng.not_drawn"), 1);
    assert_int_equal(found(&b, "mng.frame.broken"), 1);
    lvl_buffer_free(&b);
}

static void test_hostile(void **state)
{
    lvl_buffer b = {0};

    (void)state;
    begin(&b);
    add_chunk(&b, "FRAM", "\1\0\2\0\0\0\0\0\0\5", 10);
    add_png(&b, 3, 9);
    add_png(&b, 2, 8);
    add_chunk(&b, "MEND", "", 0);
    assert_true(lvl_survives_all(mng_format, lvl_buffer_bytes(&b), 3000));
    lvl_buffer_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_odd),
        cmocka_unit_test(test_hostile),
    };

    lvl_ctx_init(&ctx);
    mng_format = lvl_format_find("mng");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
