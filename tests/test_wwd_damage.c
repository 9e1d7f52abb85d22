/*
 * Damaged levels: cut at every length, every bit flipped. What is read writes back the same bytes, repair mends it once and for all, and the
 * result has no error left that repair says it mends.
 */
#include "base/format.h"
#include "corpus.h"
#include "wwd/wwd_parts.h"
#include "wwd_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

struct outcome {
    size_t tried, read, exact, repaired, changed;
};

static const char *unmended(const lvl_findings *found)
{
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (f->def->repair && f->severity >= LVL_ERROR)
            return f->def->id;
    }
    return NULL;
}

/* False, and a line on stderr, for anything that must not be. */
static bool try_bytes(const uint8_t *data, size_t len, struct outcome *o, const char *what, size_t place)
{
    const lvl_format *format = lvl_format_find("wwd");
    lvl_doc *doc = NULL, *again = NULL;
    lvl_buffer same = {0}, mended = {0};
    lvl_findings *changes = lvl_findings_new(&ctx), *left = lvl_findings_new(&ctx);
    const char *wrong = NULL;

    o->tried++;
    lvl_status status = lvl_read(&doc, &ctx, format, (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL);
    if (status != LVL_OK) {
        wrong = status == LVL_ERR_FORMAT && len < LVL_WWD_HEADER_SIZE ? NULL : lvl_status_text(status);
        goto out;
    }
    o->read++;
    if (lvl_doc_write(doc, &same) != LVL_OK) {
        wrong = "can't be written";
        goto out;
    }
    if (same.len == len && !memcmp(same.data, data, len))
        o->exact++;
    else
        wrong = "not exact";
    status = lvl_repair(doc, NULL, changes, &mended);
    if (status != LVL_OK) {
        wrong = "repair fails";
        goto out;
    }
    o->repaired++;
    o->changed += lvl_findings_count(changes) != 0;
    if (lvl_read(&again, &ctx, format, (lvl_bytes){mended.data, mended.len}, NULL, LVL_READ_BORROW, left) !=
        LVL_OK) {
        wrong = "repaired to something unreadable";
        goto out;
    }
    const lvl_check_request request = {left, NULL};
    format->check(again, &request);
    if (unmended(left))
        wrong = unmended(left);
out:
    if (wrong)
        fprintf(stderr, "%s %zu: %s\n", what, place, wrong);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_buffer_free(&same);
    lvl_buffer_free(&mended);
    lvl_findings_free(changes);
    lvl_findings_free(left);
    return wrong == NULL;
}

static void cut_everywhere(const uint8_t *data, size_t len, size_t step, struct outcome *o)
{
    size_t bad = 0;

    for (size_t n = 0; n < len && bad < 10; n += step) {
        uint8_t *part = malloc(n ? n : 1);
        assert_non_null(part);
        memcpy(part, data, n);
        bad += !try_bytes(part, n, o, "cut to", n);
        free(part);
    }
    assert_int_equal(bad, 0);
}

static void flip_everywhere(uint8_t *data, size_t len, size_t step, struct outcome *o)
{
    size_t bad = 0;

    for (size_t bit = 0; bit < len * 8 && bad < 10; bit += step) {
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        bad += !try_bytes(data, len, o, "flipped bit", bit);
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_int_equal(bad, 0);
}

static void print(const char *what, const struct outcome *o)
{
    printf("%s: %zu tried, %zu read, %zu exact, %zu repaired, %zu of them changed\n", what, o->tried, o->read,
           o->exact, o->repaired, o->changed);
}

static void small_levels(void **state)
{
    struct outcome cut = {0}, flipped = {0};
    lvl_buffer bytes;

    (void)state;
    for (uint32_t flags = 1; flags <= 3; flags += 2) {
        assert_true(wwd_make_bytes(flags, &bytes));
        cut_everywhere(bytes.data, bytes.len, 1, &cut);
        flip_everywhere(bytes.data, bytes.len, 7, &flipped);
        lvl_buffer_free(&bytes);
    }
    print("small, cut", &cut);
    print("small, flipped", &flipped);
}

static void real_levels(void **state)
{
    const char *corpus = lvl_corpus_dir();
    struct outcome cut = {0}, flipped = {0};
    char folder[1024];
    lvl_paths paths;

    (void)state;
    if (!corpus)
        skip();
    snprintf(folder, sizeof folder, "%s/wwd/wwd", corpus);
    assert_true(lvl_paths_below(&paths, folder, "wwd"));
    for (size_t i = 0; i < paths.count; i += 40) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        cut_everywhere(data, len, len / 6 + 1, &cut);
        flip_everywhere(data, len, len * 8 / 6 + 1, &flipped);
        free(data);
    }
    lvl_paths_free(&paths);
    print("real, cut", &cut);
    print("real, flipped", &flipped);
}

static void set_u32(uint8_t *data, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        data[at + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get_u32(const uint8_t *data, size_t at)
{
    return data[at] | (uint32_t)data[at + 1] << 8 | (uint32_t)data[at + 2] << 16 |
           (uint32_t)data[at + 3] << 24;
}

/* The level is exact, mended to `planes` planes that are sound, and all that is said of it, checksum apart, is `id` with this text. */
static void one_finding(const lvl_buffer *bytes, const char *id, const char *text, uint32_t planes)
{
    struct outcome o = {0};
    lvl_buffer mended = {0};
    lvl_doc *doc = NULL, *again = NULL;
    lvl_findings *found = lvl_findings_new(&ctx), *left = lvl_findings_new(&ctx);
    size_t n = 0;

    assert_true(try_bytes(bytes->data, bytes->len, &o, id, 0));
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes->data, bytes->len}, NULL, LVL_READ_BORROW, found),
        LVL_OK);
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (!strncmp(f->def->id, "wwd.checksum", 12))
            continue;
        n++;
        assert_string_equal(f->def->id, id);
        if (text)
            assert_string_equal(f->text, text);
    }
    assert_int_equal(n, 1);
    assert_int_equal(lvl_repair(doc, NULL, NULL, &mended), LVL_OK);
    assert_int_equal(
        lvl_read(&again, &ctx, NULL, (lvl_bytes){mended.data, mended.len}, NULL, LVL_READ_BORROW, left),
        LVL_OK);
    assert_int_equal(lvl_findings_of(left, LVL_ERROR) + lvl_findings_of(left, LVL_WARNING), 0);
    assert_int_equal(lvl_wwd_of(again)->plane_count, planes);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_findings_free(found);
    lvl_findings_free(left);
    lvl_buffer_free(&mended);
}

static void wild_counts(void **state)
{
    static const uint32_t wild[] = {4, 5, 200, 100000, 0x7FFFFFFF, 0xFFFFFFFF};
    enum { MAIN = LVL_WWD_HEADER_SIZE + LVL_WWD_PLANE_SIZE };
    lvl_buffer bytes;
    char text[80];

    (void)state;
    for (uint32_t flags = 1; flags <= 3; flags += 2) {
        for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
            assert_true(wwd_make_bytes(flags, &bytes));
            assert_int_equal(get_u32(bytes.data, offsetof(lvl_wwd, planes_declared)), 3);
            set_u32(bytes.data, offsetof(lvl_wwd, planes_declared), wild[i]);
            snprintf(text, sizeof text, "%lu planes are counted, 3 are there", (unsigned long)wild[i]);
            one_finding(&bytes, "wwd.planes.cut", text, 3);
            lvl_buffer_free(&bytes);
        }
    }
    for (size_t i = 1; i < sizeof wild / sizeof wild[0]; i++) {
        assert_true(wwd_make_bytes(1, &bytes));
        const uint32_t objects = get_u32(bytes.data, MAIN + offsetof(lvl_wwd_plane, objects_declared));
        assert_in_range(objects, 1, 5);
        set_u32(bytes.data, MAIN + offsetof(lvl_wwd_plane, objects_declared), wild[i] + 1);
        snprintf(text, sizeof text, "%lu objects are counted, %lu are there",
                 (unsigned long)(uint32_t)(wild[i] + 1), (unsigned long)objects);
        if (wild[i] + 1)
            one_finding(&bytes, "wwd.objects.cut", text, 3);
        lvl_buffer_free(&bytes);
        assert_true(wwd_make_bytes(1, &bytes));
        const uint32_t sets = get_u32(bytes.data, MAIN + offsetof(lvl_wwd_plane, image_sets_declared));
        set_u32(bytes.data, MAIN + offsetof(lvl_wwd_plane, image_sets_declared), wild[i]);
        snprintf(text, sizeof text, "%lu image sets are counted, %lu are there", (unsigned long)wild[i],
                 (unsigned long)sets);
        one_finding(&bytes, "wwd.image_sets.cut", text, 3);
        lvl_buffer_free(&bytes);
        assert_true(wwd_make_bytes(1, &bytes));
        const uint32_t at = get_u32(bytes.data, offsetof(lvl_wwd, tile_properties_offset));
        const uint32_t properties = get_u32(bytes.data, at + 8);
        set_u32(bytes.data, at + 8, properties + wild[i]);
        snprintf(text, sizeof text, "%lu tile properties are counted, %lu are there",
                 (unsigned long)(uint32_t)(properties + wild[i]), (unsigned long)properties);
        if (properties + wild[i] > properties)
            one_finding(&bytes, "wwd.tile_properties.cut", text, 3);
        lvl_buffer_free(&bytes);
    }
}

/* Cut within its header it is known as what it was, by as much as is left; and said to be unreadable. */
static void cut_headers_are_known(void **state)
{
    lvl_buffer bytes;

    (void)state;
    assert_true(wwd_make_bytes(3, &bytes));
    for (size_t n = 16; n < LVL_WWD_HEADER_SIZE; n++) {
        lvl_findings *found = lvl_findings_new(&ctx);
        lvl_doc *doc = NULL;
        assert_ptr_equal(lvl_probe((lvl_bytes){bytes.data, n}, (lvl_bytes){bytes.data, n}, n, NULL, NULL),
                         lvl_format_find("wwd"));
        assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes.data, n}, NULL, LVL_READ_BORROW, found),
                         LVL_ERR_FORMAT);
        assert_int_equal(lvl_findings_count(found), 1);
        assert_int_equal(lvl_findings_worst(found), LVL_FATAL);
        lvl_findings_free(found);
    }
    /* of a larger file the same bytes are no level; nor if anything in them is odd */
    assert_null(lvl_probe((lvl_bytes){bytes.data, 300}, (lvl_bytes){bytes.data, 300}, 5000, NULL, NULL));
    bytes.data[0x4F] = 1;
    assert_null(lvl_probe((lvl_bytes){bytes.data, 300}, (lvl_bytes){bytes.data, 300}, 300, NULL, NULL));
    lvl_buffer_free(&bytes);
}

/* The tile properties before the planes, so that these stand where nobody puts them. */
static void planes_elsewhere_are_known(void **state)
{
    lvl_buffer bytes, moved = {0};

    (void)state;
    assert_true(wwd_make_bytes(1, &bytes));
    const uint32_t at = get_u32(bytes.data, offsetof(lvl_wwd, tile_properties_offset));
    const uint32_t by = (uint32_t)bytes.len - at;
    assert_non_null(moved.data = malloc(bytes.len));
    moved.len = bytes.len;
    memcpy(moved.data, bytes.data, LVL_WWD_HEADER_SIZE);
    memcpy(moved.data + LVL_WWD_HEADER_SIZE, bytes.data + at, by);
    memcpy(moved.data + LVL_WWD_HEADER_SIZE + by, bytes.data + LVL_WWD_HEADER_SIZE, at - LVL_WWD_HEADER_SIZE);
    set_u32(moved.data, offsetof(lvl_wwd, planes_offset), LVL_WWD_HEADER_SIZE + by);
    set_u32(moved.data, offsetof(lvl_wwd, tile_properties_offset), LVL_WWD_HEADER_SIZE);
    for (size_t i = 0; i < 3; i++) {
        static const size_t offsets[] = {offsetof(lvl_wwd_plane, tiles_offset),
                                         offsetof(lvl_wwd_plane, image_sets_offset),
                                         offsetof(lvl_wwd_plane, objects_offset)};
        for (size_t k = 0; k < 3; k++) {
            const size_t place = LVL_WWD_HEADER_SIZE + by + i * LVL_WWD_PLANE_SIZE + offsets[k];
            if (get_u32(moved.data, place))
                set_u32(moved.data, place, get_u32(moved.data, place) + by);
        }
    }
    one_finding(&moved, "wwd.offset.order", NULL, 3);
    lvl_buffer_free(&bytes);
    free(moved.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_levels),
        cmocka_unit_test(real_levels),
        cmocka_unit_test(wild_counts),
        cmocka_unit_test(cut_headers_are_known),
        cmocka_unit_test(planes_elsewhere_are_known),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
