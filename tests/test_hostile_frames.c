/*
 * test_hostile_frames.c: frames in one picture with a list of them, and out of it again: what was put in
 * comes out; lists that other programs write; damaged and hostile lists; failing allocations.
 */
#include "starve.h"
#include "tools/picture/frames.h"

#include "base/buffer.h"
#include "base/format.h"
#include "base/text.h"

#include <lvl/scene.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_usage usage;
static const lvl_ctx ctx = {.limits = {.cells = 1 << 22}, .usage = &usage};

/* ---- frames -------------------------------------------------------------------------------------------- */

/* What a set is made of: whether its pictures have indices or colours, holes, palettes. */
typedef struct kind {
    bool rgba, holes, palette, palettes, offsets;
} kind;

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

static lvl_status make_frame(lvl_frames *frames, const kind *k, uint32_t i, uint32_t *state)
{
    const uint32_t width = next_number(state) % 40 + 1, height = next_number(state) % 30 + 1;
    char name[32];
    lvl_image image;
    lvl_frame *f;

    lvl_status status = lvl_image_init(&image, &ctx, k->rgba ? LVL_PIXELS_RGBA8 : LVL_PIXELS_INDEX8, width,
                                       height, k->holes && !k->rgba);
    for (size_t at = 0; status == LVL_OK && at < (size_t)width * height; at++) {
        const uint8_t value = (uint8_t)(next_number(state) % 200 + 1);
        const bool hole = k->holes && next_number(state) % 3 == 0;
        if (k->rgba)
            memcpy(image.pixels + at * 4, (uint8_t[]){value, 7, 9, 255}, hole ? 0 : 4);
        else
            image.pixels[at] = hole ? 0 : value;
        if (image.mask)
            image.mask[at] = hole ? 0 : 255;
    }
    if (status == LVL_OK && k->palette) {
        image.palette = calloc(1, sizeof *image.palette);
        status = image.palette ? LVL_OK : LVL_ERR_MEMORY;
        for (unsigned c = 0; image.palette && c < 256; c++)
            memcpy(image.palette->rgb[c], (uint8_t[]){(uint8_t)c, (uint8_t)(k->palettes ? i : 3), 9}, 3);
    }
    if (status == LVL_OK && k->offsets) {
        image.offset_x = (int32_t)(next_number(state) % 50) - 25;
        image.offset_y = (int32_t)(next_number(state) % 50) - 25;
    }
    snprintf(name, sizeof name, "walk \"%lu\".pid", (unsigned long)i);
    if (status == LVL_OK)
        return lvl_frames_add_image(frames, &ctx, lvl_text_of(name), &image, &f);
    lvl_image_clear(&image);
    return status;
}

static lvl_status make_frames(lvl_frames *frames, const kind *k, uint32_t count)
{
    uint32_t state = 5;
    lvl_status status = LVL_OK;

    *frames = (lvl_frames){0};
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = make_frame(frames, k, i, &state);
    if (status == LVL_OK)
        status = lvl_frames_add_tag(frames, lvl_text_of("all"), 0, count - 1);
    return status;
}

/* The colour of a pixel, whatever the form of its picture. */
static uint32_t color_at(const lvl_image *image, size_t at)
{
    const uint8_t *p = image->pixels + at * 4;

    if (image->format == LVL_PIXELS_RGBA8)
        return p[3] ? p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | 255u << 24 : 0;
    if (image->mask && !image->mask[at])
        return 0;
    const uint8_t index = image->pixels[at];
    const uint8_t grey[3] = {index, index, index};
    p = image->palette ? image->palette->rgb[index] : grey;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | 255u << 24;
}

static void same_frame(const lvl_frame *a, const lvl_frame *b, bool indices)
{
    int32_t ax, ay, bx, by;

    assert_string_equal(a->name, b->name);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->ms, b->ms);
    lvl_frame_offset(a, &ax, &ay);
    lvl_frame_offset(b, &bx, &by);
    assert_int_equal(ax, bx);
    assert_int_equal(ay, by);
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        assert_int_equal(color_at(&a->image, i), color_at(&b->image, i));
        if (indices && color_at(&a->image, i))
            assert_int_equal(a->image.pixels[i], b->image.pixels[i]);
    }
}

/* Into one picture and a list, and out of them. */
static lvl_status turn(const kind *k, uint32_t count, bool hash, lvl_frames *before, lvl_frames *after,
                       lvl_buffer *list)
{
    char error[LVL_FRAMES_ERROR];
    lvl_image sheet = {0};

    *after = (lvl_frames){0};
    lvl_status status = make_frames(before, k, count);
    if (status == LVL_OK)
        status = lvl_frames_unite(before, &ctx, false);
    if (status == LVL_OK)
        status = lvl_frames_pack(before, &ctx, &sheet);
    if (status == LVL_OK)
        status = lvl_frames_json(before, &sheet, "s.png", sheet.format == LVL_PIXELS_INDEX8, hash, list);
    if (status == LVL_OK)
        status = lvl_frames_read(after, &ctx, (lvl_text){(const char *)list->data, list->len}, error);
    if (status == LVL_OK)
        status = lvl_frames_cut(after, &ctx, &sheet, error);
    lvl_image_clear(&sheet);
    return status;
}

static void test_turns(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 64; bits++) {
        const kind k = {bits & 1, bits & 2, bits & 4, bits & 8, bits & 16};
        lvl_frames before, after;
        lvl_buffer list = {0};
        if (k.rgba && k.palette)
            continue;
        assert_int_equal(turn(&k, 23, bits & 32, &before, &after, &list), LVL_OK);
        assert_true(lvl_frames_probe((lvl_text){(const char *)list.data, list.len}));
        assert_int_equal(after.count, before.count);
        assert_string_equal(after.picture, "s.png");
        assert_int_equal(after.tag_count, 1);
        assert_int_equal(after.tags[0].to, 22);
        const bool indices = !k.rgba && !(k.palette && k.palettes);
        assert_int_equal(after.has_colors, indices);
        for (uint32_t i = 0; i < after.count; i++) {
            same_frame(&before.items[i], &after.items[i], indices);
            /* frames with offsets are parts of one canvas, others their own */
            assert_int_equal(after.items[i].canvas_width,
                             k.offsets ? after.items[0].canvas_width : after.items[i].width);
        }
        /* with what is around them, and without that again */
        assert_int_equal(lvl_frames_untrim(&after, &ctx), LVL_OK);
        for (uint32_t i = 0; i < after.count; i++)
            assert_int_equal(after.items[i].width, after.items[i].canvas_width);
        assert_int_equal(lvl_frames_trim(&after, &ctx), LVL_OK);
        assert_int_equal(lvl_frames_trim(&before, &ctx), LVL_OK);
        for (uint32_t i = 0; i < after.count; i++)
            same_frame(&before.items[i], &after.items[i], indices);
        lvl_frames_free(&before);
        lvl_frames_free(&after);
        lvl_buffer_free(&list);
    }
}

/* ---- lists of others ----------------------------------------------------------------------------------- */

static lvl_status read_text(lvl_frames *out, const char *json, char *error)
{
    usage = (lvl_usage){0};
    return lvl_frames_read(out, &ctx, lvl_text_of(json), error);
}

static void test_others(void **state)
{
    char error[LVL_FRAMES_ERROR];
    lvl_frames f;
    int32_t x, y;

    (void)state;
    /* Aseprite 1.3, --sheet-type packed --trim --inner-padding 1, with a slice that has a pivot */
    assert_int_equal(
        read_text(
            &f,
            "{ \"frames\": { \"hero 0.aseprite\": { \"frame\": { \"x\": 0, \"y\": 0, \"w\": 10, \"h\": 12 }, "
            "\"rotated\": false, \"trimmed\": true, \"spriteSourceSize\": { \"x\": 3, \"y\": 2, \"w\": 8, "
            "\"h\": 10 }, \"sourceSize\": { \"w\": 16, \"h\": 16 }, \"duration\": 75 } }, \"meta\": { "
            "\"app\": \"https://www.aseprite.org/\", \"version\": \"1.3\", \"image\": "
            "\"C:\\\\art\\\\hero.png\", \"format\": \"RGBA8888\", \"size\": { \"w\": 10, \"h\": 12 }, "
            "\"scale\": \"1\", \"frameTags\": [ { \"name\": \"idle\", \"from\": 0, \"to\": 0, "
            "\"direction\": \"pingpong\" } ], \"slices\": [ { \"name\": \"hit\", \"keys\": [ { \"frame\": 0, "
            "\"bounds\": {\"x\": 1, \"y\": 1, \"w\": 9, \"h\": 9 }, \"pivot\": {\"x\": 4, \"y\": 13 } } ] } "
            "] } }",
            error),
        LVL_OK);
    assert_string_equal(f.picture, "hero.png");
    assert_int_equal(f.items[0].ms, 75);
    assert_int_equal(f.items[0].left, 2); /* of what is in the sheet, with its padding */
    assert_int_equal(f.items[0].top, 1);
    lvl_frame_offset(&f.items[0], &x, &y);
    assert_int_equal(x, 2 + 5 - 5);
    assert_int_equal(y, 1 + 6 - 14);
    lvl_frames_free(&f);
    /* a packer: no times, a pivot in each frame, a number with a fraction */
    assert_int_equal(
        read_text(&f,
                  "{\"frames\":[{\"filename\":\"a/b.png\",\"frame\":{\"x\":2.0,\"y\":2,\"w\":32,\"h\":64},"
                  "\"rotated\":false,\"trimmed\":false,\"pivot\":{\"x\":0.5,\"y\":1}}],\"meta\":{}}",
                  error),
        LVL_OK);
    assert_null(f.picture);
    assert_int_equal(f.items[0].ms, LVL_FRAME_MS);
    assert_int_equal(f.items[0].point_x, 16);
    assert_int_equal(f.items[0].point_y, 64);
    lvl_frames_free(&f);
}

#define FRAME(rest) "{\"frames\":{\"a\":{\"frame\":{\"x\":0,\"y\":0,\"w\":1,\"h\":1}," rest "}}}"

static void test_refused(void **state)
{
    static const struct {
        const char *json, *error;
    } cases[] = {
        {"", "line 1"},
        {"[]", "\"frames\""},
        {"{}", "\"frames\""},
        {"{\"frames\":3}", "\"frames\""},
        {"{\"frames\":[]}", "no frames"},
        {"{\"frames\":[3]}", "filename"},
        {"{\"frames\":[{\"filename\":\"a\\u0000b\"}]}", "NUL"},
        {"{\"frames\":[{\"filename\":\"a\"}]}", "`a': expected \"frame\""},
        {"{\"frames\":{\"a\":{\"frame\":{\"x\":0,\"y\":0,\"w\":0,\"h\":1}}}}", "\"frame\""},
        {"{\"frames\":{\"a\":{\"frame\":{\"x\":-1,\"y\":0,\"w\":1,\"h\":1}}}}", "\"frame\""},
        {"{\"frames\":{\"a\":{\"frame\":{\"x\":0.5,\"y\":0,\"w\":1,\"h\":1}}}}", "\"frame\""},
        {"{\"frames\":{\"a\":{\"frame\":{\"x\":1e300,\"y\":0,\"w\":1,\"h\":1}}}}", "\"frame\""},
        {"{\"frames\":{\"a\":{\"frame\":{\"x\":18446744073709551615,\"y\":0,\"w\":1,\"h\":1}}}}",
         "\"frame\""},
        {FRAME("\"rotated\":true"), "rotated"},
        {FRAME("\"duration\":-1"), "duration"},
        {FRAME("\"duration\":\"long\""), "duration"},
        {FRAME("\"sourceSize\":{\"w\":0,\"h\":4}"), "sourceSize"},
        {FRAME("\"spriteSourceSize\":{\"x\":-99999999,\"y\":0,\"w\":1,\"h\":1}"), "spriteSourceSize"},
    };
    char error[LVL_FRAMES_ERROR];
    lvl_frames f;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        assert_int_equal(read_text(&f, cases[i].json, error), LVL_ERR_FORMAT);
        assert_non_null(strstr(error, cases[i].error));
        lvl_frames_free(&f);
    }
    /* dumps, tables of other programs */
    assert_false(lvl_frames_probe(lvl_text_of("{\"lvl\":1,\"format\":\"gani\",\"frames\":[]}")));
    assert_false(lvl_frames_probe(lvl_text_of("{\"frames\":3}")));
    assert_false(lvl_frames_probe(lvl_text_of("[{\"frames\":[]}]")));
}

/* A frame that is not within its picture; more pixels than memory; more frames than are counted. */
static void test_sizes(void **state)
{
    char error[LVL_FRAMES_ERROR] = "";
    const lvl_ctx small = {.limits = {.memory_bytes = 1 << 20}, .usage = &usage};
    lvl_frames f = {0};
    lvl_image sheet;
    lvl_frame *one;

    (void)state;
    assert_int_equal(lvl_image_init(&sheet, &ctx, LVL_PIXELS_RGBA8, 300, 300, false), LVL_OK);
    assert_int_equal(lvl_frames_add(&f, &ctx, lvl_text_of("a"), 300, 1, &one), LVL_OK);
    one->x = 1;
    assert_int_equal(lvl_frames_cut(&f, &ctx, &sheet, error), LVL_ERR_FORMAT);
    assert_non_null(strstr(error, "`a'"));
    one->x = UINT32_MAX;
    assert_int_equal(lvl_frames_cut(&f, &ctx, &sheet, error), LVL_ERR_FORMAT);
    lvl_frames_free(&f);
    for (int i = 0; i < 40; i++)
        assert_int_equal(lvl_frames_add(&f, &ctx, lvl_text_of("a"), 300, 300, &one), LVL_OK);
    usage = (lvl_usage){0};
    assert_int_equal(lvl_frames_cut(&f, &small, &sheet, error), LVL_ERR_LIMIT);
    assert_int_equal(usage.limit, LVL_LIMIT_MEMORY);
    assert_int_equal(lvl_frames_cut(&f, &ctx, &sheet, error), LVL_OK);
    f.items[3].canvas_width = f.items[3].canvas_height = INT32_MAX;
    usage = (lvl_usage){0};
    assert_int_equal(lvl_frames_untrim(&f, &ctx), LVL_ERR_LIMIT);
    lvl_frames_free(&f);
    /* what is refused needs more than is allowed, and what is allowed is not refused */
    assert_int_equal(lvl_frames_add(&f, &ctx, lvl_text_of("a"), 1, 1, &one), LVL_OK);
    assert_int_equal(lvl_frames_cut(&f, &ctx, &sheet, error), LVL_OK);
    for (uint32_t side = 100; side < 1000; side += 100) {
        usage = (lvl_usage){0};
        one->canvas_width = one->canvas_height = side;
        const lvl_status status = lvl_frames_untrim(&f, &small);
        assert_int_equal(status, side > 200 ? LVL_ERR_LIMIT : LVL_OK);
        assert_true(status == LVL_OK || usage.wanted > usage.allowed);
    }
    lvl_frames_free(&f);
    usage = (lvl_usage){0};
    assert_int_equal(lvl_frames_slice(&f, &ctx, &sheet, 1, 1, lvl_text_of("a")), LVL_ERR_LIMIT);
    lvl_frames_free(&f);
    assert_int_equal(lvl_frames_slice(&f, &ctx, &sheet, 301, 1, lvl_text_of("a")), LVL_ERR_ARG);
    sheet.pixels[4 * 150 + 3] = 255; /* the cell at the right, above */
    assert_int_equal(lvl_frames_slice(&f, &ctx, &sheet, 150, 100, lvl_text_of("a")), LVL_OK);
    assert_int_equal(f.count, 2);
    assert_string_equal(f.items[1].name, "a002");
    lvl_frames_free(&f);
    lvl_image_clear(&sheet);
    /* offsets as far apart as numbers can be */
    lvl_frames far = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lvl_image_init(&sheet, &ctx, LVL_PIXELS_INDEX8, 3, 3, false), LVL_OK);
        sheet.offset_x = i ? INT32_MAX : INT32_MIN;
        assert_int_equal(lvl_frames_add_image(&far, &ctx, lvl_text_of("a"), &sheet, &one), LVL_OK);
    }
    assert_int_equal(lvl_frames_unite(&far, &ctx, false), LVL_ERR_LIMIT);
    lvl_frames_free(&far);
}

static void test_damaged(void **state)
{
    const kind k = {.holes = true, .palette = true, .offsets = true};
    lvl_frames before, after;
    lvl_buffer list = {0};
    char error[LVL_FRAMES_ERROR];

    (void)state;
    assert_int_equal(turn(&k, 4, false, &before, &after, &list), LVL_OK);
    lvl_frames_free(&after);
    for (size_t len = 0; len < list.len; len++) {
        char *copy = malloc(len + 1); /* a separate allocation, so that a sanitizer sees reads beyond it */
        assert_non_null(copy);
        memcpy(copy, list.data, len);
        lvl_frames_probe((lvl_text){copy, len});
        usage = (lvl_usage){0};
        const lvl_status status = lvl_frames_read(&after, &ctx, (lvl_text){copy, len}, error);
        assert_true(status == LVL_ERR_FORMAT || len + 1 == list.len);
        lvl_frames_free(&after);
        free(copy);
    }
    for (size_t at = 0; at < list.len; at++) {
        const uint8_t was = list.data[at];
        list.data[at] = (uint8_t)(was ^ (1u << at % 7));
        usage = (lvl_usage){0};
        lvl_frames_read(&after, &ctx, (lvl_text){(const char *)list.data, list.len}, error);
        lvl_frames_free(&after);
        list.data[at] = was;
    }
    lvl_frames_free(&before);
    lvl_buffer_free(&list);
}

static void test_no_memory(void **state)
{
    const kind k = {.holes = true, .palette = true, .offsets = true};
    bool done = false;

    (void)state;
    for (uint64_t call = 1; !done; call++) {
        const uint64_t blocks = lvl_starve_blocks();
        lvl_frames before, after;
        lvl_buffer list = {0};
        usage = (lvl_usage){0};
        lvl_starve_from(call, call % 2);
        lvl_status status = turn(&k, 5, call % 3 == 0, &before, &after, &list);
        if (status == LVL_OK)
            status = lvl_frames_trim(&after, &ctx);
        if (status == LVL_OK)
            status = lvl_frames_untrim(&after, &ctx);
        lvl_starve_from(0, false);
        done = status == LVL_OK;
        assert_true(done || status == LVL_ERR_MEMORY);
        lvl_frames_free(&before);
        lvl_frames_free(&after);
        lvl_buffer_free(&list);
        assert_int_equal(lvl_starve_blocks(), blocks);
        assert_true(!done || call > 1 || !lvl_starve_works());
    }
}

/* ---- animations ---------------------------------------------------------------------------------------- */

static lvl_status animate(const lvl_frames *frames, const lvl_ctx *with, const lvl_format *format,
                          lvl_buffer *out)
{
    lvl_findings *losses = lvl_findings_new(with);
    lvl_doc *made = NULL;

    lvl_status status =
        losses ? lvl_frames_animate(frames, with, format, "s.png", &made, losses) : LVL_ERR_MEMORY;
    assert_int_equal(status == LVL_OK, made != NULL);
    if (status == LVL_OK)
        status = lvl_write(made, out, NULL);
    lvl_doc_free(made);
    lvl_findings_free(losses);
    return status;
}

/* Every format that is made of frames: as many as there are, also without memory. */
static void test_animations(void **state)
{
    static const char *const names[] = {"up", "left", "down", "right"};
    const lvl_format *format;
    lvl_ctx with;
    lvl_frames f = {0};
    lvl_frame *one;
    size_t tried = 0;

    (void)state;
    lvl_ctx_init(&with);
    with.usage = &usage;
    for (uint32_t i = 0; i < 12; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%lu.png", (unsigned long)i);
        assert_int_equal(lvl_frames_add(&f, &with, lvl_text_of(name), 5, 6, &one), LVL_OK);
        one->x = i * 5;
        one->ms = 50 * (i % 3 + 1);
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(lvl_frames_add_tag(&f, lvl_text_of(names[i]), i * 3, i * 3 + 2), LVL_OK);
    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        lvl_animation *play = NULL;
        lvl_buffer out = {0};
        lvl_doc *read = NULL;
        if (!format->calls->animate)
            continue;
        tried++;
        usage = (lvl_usage){0};
        assert_int_equal(animate(&f, &with, format, &out), LVL_OK);
        assert_int_equal(lvl_read(&read, &with, format, lvl_buffer_bytes(&out), NULL, 0, NULL), LVL_OK);
        assert_int_equal(lvl_doc_play(read, NULL, &play), LVL_OK);
        assert_int_equal(play->frames, 3);
        for (uint32_t k = 0; k < 3; k++)
            assert_int_equal(play->durations[k], 50 * (k + 1));
        lvl_animation_free(&with, play);
        lvl_doc_free(read);
        lvl_buffer_free(&out);
        bool done = false;
        for (uint64_t call = 1; !done; call++) {
            const uint64_t blocks = lvl_starve_blocks();
            usage = (lvl_usage){0};
            lvl_starve_from(call, call % 2);
            const lvl_status status = animate(&f, &with, format, &out);
            lvl_starve_from(0, false);
            done = status == LVL_OK;
            assert_true(done || status == LVL_ERR_MEMORY);
            lvl_buffer_free(&out);
            assert_int_equal(lvl_starve_blocks(), blocks);
        }
    }
    assert_true(tried > 1);
    lvl_frames_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),      cmocka_unit_test(test_others),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sizes),      cmocka_unit_test(test_damaged), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_animations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
