/*
 * Damaged levels: truncated at every length, every bit flipped, every count, length and offset wrong. What is
 * read is written back with the same bytes, the records that the damage did not touch are found, and a
 * repaired level has no error left of those that repair corrects.
 */
#include "expect.h"
#include "base/buffer.h"
#include "base/format.h"
#include "corpus.h"
#include "wap32/wwd/recover.h"
#include "wap32/wwd/internal.h"
#include "wwd_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

static lvl_ctx ctx;

struct outcome {
    size_t tried, read, exact, repaired, changed;
};

static const char *not_repaired(const lvl_findings *found)
{
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        const char *number = strstr(f->text, "up to number ");
        /* there are at most 65536 tile properties */
        if (number && strtoul(number + strlen("up to number "), NULL, 10) > 0xFFFF)
            continue;
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
    lvl_buffer same = {0}, repaired = {0};
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
    status = lvl_repair(doc, NULL, changes, &repaired);
    if (status != LVL_OK) {
        wrong = "repair fails";
        goto out;
    }
    o->repaired++;
    o->changed += lvl_findings_count(changes) != 0;
    if (lvl_read(&again, &ctx, format, (lvl_bytes){repaired.data, repaired.len}, NULL, LVL_READ_BORROW,
                 left) != LVL_OK) {
        wrong = "repaired to something unreadable";
        goto out;
    }
    const lvl_check_request request = {.findings = left};
    format->calls->check(again, &request);
    if (not_repaired(left))
        wrong = not_repaired(left);
out:
    if (wrong)
        fprintf(stderr, "%s %zu: %s\n", what, place, wrong);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_buffer_free(&same);
    lvl_buffer_free(&repaired);
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

/* The level is written exactly; repaired, it has `planes` sound planes; the only finding, apart from the
 * checksum, is `id` with this text. */
static void one_finding(const lvl_buffer *bytes, const char *id, const char *text, uint32_t planes)
{
    struct outcome o = {0};
    lvl_buffer repaired = {0};
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
            assert_memory_equal(f->text, text, strlen(text)); /* and what it means to players */
    }
    assert_int_equal(n, 1);
    assert_int_equal(lvl_repair(doc, &(lvl_repair_options){.normalize = true}, NULL, &repaired), LVL_OK);
    assert_int_equal(
        lvl_read(&again, &ctx, NULL, (lvl_bytes){repaired.data, repaired.len}, NULL, LVL_READ_BORROW, left),
        LVL_OK);
    assert_int_equal(lvl_findings_of(left, LVL_ERROR) + lvl_findings_of(left, LVL_WARNING), 0);
    assert_int_equal(lvl_wwd_of(again)->plane_count, planes);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_findings_free(found);
    lvl_findings_free(left);
    lvl_buffer_free(&repaired);
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
            snprintf(text, sizeof text, "header declares %lu planes, found 3", (unsigned long)wild[i]);
            one_finding(&bytes, "wwd.planes.cut", text, 3);
            lvl_buffer_free(&bytes);
        }
    }
    for (size_t i = 1; i < sizeof wild / sizeof wild[0]; i++) {
        assert_true(wwd_make_bytes(1, &bytes));
        const uint32_t objects = get_u32(bytes.data, MAIN + offsetof(lvl_wwd_plane, objects_declared));
        assert_in_range(objects, 1, 5);
        set_u32(bytes.data, MAIN + offsetof(lvl_wwd_plane, objects_declared), wild[i] + 1);
        snprintf(text, sizeof text, "header declares %lu objects, found %lu",
                 (unsigned long)(uint32_t)(wild[i] + 1), (unsigned long)objects);
        if (wild[i] + 1)
            one_finding(&bytes, "wwd.objects.cut", text, 3);
        lvl_buffer_free(&bytes);
        assert_true(wwd_make_bytes(1, &bytes));
        const uint32_t sets = get_u32(bytes.data, MAIN + offsetof(lvl_wwd_plane, image_sets_declared));
        set_u32(bytes.data, MAIN + offsetof(lvl_wwd_plane, image_sets_declared), wild[i]);
        snprintf(text, sizeof text, "header declares %lu image sets, found %lu", (unsigned long)wild[i],
                 (unsigned long)sets);
        one_finding(&bytes, "wwd.image_sets.cut", text, 3);
        lvl_buffer_free(&bytes);
        assert_true(wwd_make_bytes(1, &bytes));
        const uint32_t at = get_u32(bytes.data, offsetof(lvl_wwd, tile_properties_offset));
        const uint32_t properties = get_u32(bytes.data, at + 8);
        set_u32(bytes.data, at + 8, properties + wild[i]);
        snprintf(text, sizeof text, "header declares %lu tile properties, found %lu",
                 (unsigned long)(uint32_t)(properties + wild[i]), (unsigned long)properties);
        if (properties + wild[i] > properties)
            one_finding(&bytes, "wwd.tile_properties.cut", text, 3);
        lvl_buffer_free(&bytes);
    }
}

/* What the made level's objects begin with does not matter: a count of 0 hides none. */
static void objects_without_logic_are_found(void **state)
{
    enum { COUNT = LVL_WWD_HEADER_SIZE + LVL_WWD_PLANE_SIZE + offsetof(lvl_wwd_plane, objects_declared) };
    lvl_doc *doc = wwd_make(&ctx, 1);
    lvl_buffer bytes = {0};

    (void)state;
    assert_non_null(doc);
    for (uint32_t i = 0; i < 2; i++)
        lvl_wwd_of(doc)->planes[1].objects[i].logic.len = 0;
    assert_int_equal(lvl_doc_write(doc, &bytes), LVL_OK);
    assert_int_equal(get_u32(bytes.data, COUNT), 5);
    set_u32(bytes.data, COUNT, 0);
    one_finding(&bytes, "wwd.count.hides", "header declares 0 objects, found 5", 3);
    lvl_buffer_free(&bytes);
    lvl_doc_free(doc);
}

/* Two wrong bytes before the compressed block hide nothing of it. */
static void stream_header_is_not_needed(void **state)
{
    lvl_doc *doc = wwd_make(&ctx, 1), *again = NULL;
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_buffer bytes = {0};

    (void)state;
    lvl_wwd_of(doc)->flags |= LVL_WWD_COMPRESS;
    assert_int_equal(lvl_doc_write(doc, &bytes), LVL_OK);
    assert_int_equal(bytes.data[LVL_WWD_HEADER_SIZE], 0x78);
    bytes.data[LVL_WWD_HEADER_SIZE] = 0;
    bytes.data[LVL_WWD_HEADER_SIZE + 1] = 0xFF;
    const lvl_bytes file = {bytes.data, bytes.len};
    assert_int_equal(lvl_read(&again, &ctx, lvl_format_find("wwd"), file, NULL, LVL_READ_BORROW, found),
                     LVL_OK);
    assert_true(lvl_count_id(found, "wwd.stream.corrupt") > 0);
    assert_int_equal(lvl_wwd_cof(again)->plane_count, lvl_wwd_cof(doc)->plane_count);
    assert_int_equal(lvl_wwd_cof(again)->planes[1].object_count, 5);
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_findings_free(found);
    lvl_buffer_free(&bytes);
}

/* A text length that is too small in the last object: the remaining letters belong to the object. Zeros
 * after the objects are a gap. */
static void last_text_too_short(void **state)
{
    static const char key[] = "GAME_LASTOFALL";
    lvl_doc *doc = wwd_make(&ctx, 1);
    lvl_wwd_object *last = &lvl_wwd_of(doc)->planes[1].objects[4];
    lvl_buffer bytes = {0};

    (void)state;
    last->image_set = lvl_text_of(key);
    last->animation.len = 0;
    assert_int_equal(lvl_doc_write(doc, &bytes), LVL_OK);
    uint8_t *text = bytes.data;
    while (memcmp(text, key, sizeof key - 1) != 0)
        text++;
    const size_t length = (size_t)(text - bytes.data) - last->logic.len - last->name.len -
                          LVL_WWD_OBJECT_SIZE + offsetof(lvl_wwd_object, image_set_size);
    assert_int_equal(get_u32(bytes.data, length), sizeof key - 1);
    set_u32(bytes.data, length, sizeof key - 4);
    one_finding(&bytes, "wwd.object.length", NULL, 3);
    memset(text + sizeof key - 4, 0, 3);
    one_finding(&bytes, "wwd.gap", "3 bytes that nothing refers to", 3);
    lvl_buffer_free(&bytes);
    lvl_doc_free(doc);
}

/* Truncated within its header it is recognized by the part that is left, and reported as unreadable. */
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

/* The tile properties before the planes, an unusual order. */
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

/* Bytes between the header and the planes to which nothing refers: an error. Repair of a wrong count after
 * them leaves them and the planes in place. */
static void bytes_before_planes_stay(void **state)
{
    enum { HOLE = 50 };
    static const size_t offsets[] = {offsetof(lvl_wwd_plane, tiles_offset),
                                     offsetof(lvl_wwd_plane, image_sets_offset),
                                     offsetof(lvl_wwd_plane, objects_offset)};
    lvl_buffer bytes, holed = {0}, repaired = {0};
    lvl_findings *found = lvl_findings_new(&ctx), *left = lvl_findings_new(&ctx);
    lvl_doc *doc, *again;

    (void)state;
    assert_true(wwd_make_bytes(1, &bytes));
    lvl_buffer_add(&holed, bytes.data, LVL_WWD_HEADER_SIZE);
    lvl_buffer_fill(&holed, 'x', HOLE);
    lvl_buffer_add(&holed, bytes.data + LVL_WWD_HEADER_SIZE, bytes.len - LVL_WWD_HEADER_SIZE);
    set_u32(holed.data, offsetof(lvl_wwd, planes_offset), LVL_WWD_HEADER_SIZE + HOLE);
    set_u32(holed.data, offsetof(lvl_wwd, tile_properties_offset),
            get_u32(bytes.data, offsetof(lvl_wwd, tile_properties_offset)) + HOLE);
    for (size_t i = 0; i < 3; i++) {
        const size_t plane = LVL_WWD_HEADER_SIZE + HOLE + i * LVL_WWD_PLANE_SIZE;
        for (size_t k = 0; k < 3; k++) {
            const uint32_t was = get_u32(holed.data, plane + offsets[k]);
            set_u32(holed.data, plane + offsets[k], was ? was + HOLE : 0);
        }
    }
    const size_t count =
        LVL_WWD_HEADER_SIZE + HOLE + LVL_WWD_PLANE_SIZE + offsetof(lvl_wwd_plane, objects_declared);
    const uint32_t objects = get_u32(holed.data, count);
    set_u32(holed.data, count, 1);
    assert_true(objects > 1);
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){holed.data, holed.len}, NULL, LVL_READ_BORROW, found), LVL_OK);
    assert_string_equal(lvl_findings_at(found, 0)->def->id, "wwd.count.hides");
    assert_string_equal(lvl_findings_at(found, 1)->def->id, "wwd.gap.content");
    assert_int_equal(lvl_repair(doc, &(lvl_repair_options){.normalize = true}, NULL, &repaired), LVL_OK);
    assert_int_equal(
        lvl_read(&again, &ctx, NULL, (lvl_bytes){repaired.data, repaired.len}, NULL, LVL_READ_BORROW, left),
        LVL_OK);
    const lvl_wwd *wwd = lvl_wwd_cof(again);
    assert_int_equal(wwd->plane_count, 3);
    assert_int_equal(wwd->planes_offset, LVL_WWD_HEADER_SIZE + HOLE);
    assert_int_equal(wwd->planes[1].object_count, objects);
    assert_int_equal(wwd->gap_count, 1);
    assert_int_equal(wwd->gaps[0].bytes.len, HOLE);
    assert_int_equal(lvl_findings_of(left, LVL_ERROR), 1);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_findings_free(found);
    lvl_findings_free(left);
    lvl_buffer_free(&repaired);
    lvl_buffer_free(&holed);
    lvl_buffer_free(&bytes);
}

/* Any bytes can be searched for objects: the search moves on, stays inside, and stops where its work is
 * used up. */
static void any_bytes_are_searched(void **state)
{
    enum { ROUNDS = 3000 };
    lvl_buffer bytes;
    uint32_t random = 1;
    size_t objects = 0;

    (void)state;
    assert_true(wwd_make_bytes(1, &bytes));
    for (int round = 0; round < ROUNDS; round++) {
        const size_t from = (random = random * 1664525u + 1013904223u) >> 8;
        const size_t len = from % bytes.len, start = round % 2 ? 0 : from % (bytes.len - len);
        uint8_t *block = malloc(len + 1);
        assert_non_null(block);
        memcpy(block, bytes.data + start, len);
        for (size_t i = 0; i < len && round % 4 > 1; i += 1 + (random >> 28))
            block[i] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
        lvl_work work = {NULL, round % 5 ? (uint64_t)len * 16 : len / 8, LVL_OK};
        const lvl_wwd_scan scan = {block, len, round % 3 == 0, &work};
        lvl_wwd_found found;
        uint64_t at = 0;
        while (lvl_wwd_next_object(&scan, at, &found)) {
            assert_in_range(found.size, 1, len - at);
            uint64_t size = LVL_WWD_OBJECT_SIZE;
            for (size_t i = 0; i < 4; i++)
                size += found.text[i];
            if (found.kind != LVL_WWD_FOUND_JUNK)
                assert_int_equal(size, found.size);
            objects += found.kind != LVL_WWD_FOUND_JUNK;
            at += found.size;
        }
        free(block);
    }
    assert_true(objects > 0);
    lvl_buffer_free(&bytes);
}

/* A search for records ends when the caller asks for that. */
static void a_search_is_stopped(void **state)
{
    const volatile int stop = 1;
    lvl_ctx stopped = ctx;
    lvl_buffer bytes;
    lvl_doc *doc;

    (void)state;
    stopped.stop = &stop;
    assert_true(wwd_make_bytes(1, &bytes));
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes.data, bytes.len}, NULL, LVL_READ_BORROW, NULL), LVL_OK);
    for (uint32_t i = 0; i < lvl_wwd_cof(doc)->plane_count; i++) {
        if (lvl_wwd_cof(doc)->planes[i].object_count > 1)
            set_u32(bytes.data,
                    LVL_WWD_HEADER_SIZE + i * LVL_WWD_PLANE_SIZE + offsetof(lvl_wwd_plane, objects_declared),
                    1);
    }
    lvl_doc_free(doc);
    assert_int_equal(
        lvl_read(&doc, &stopped, NULL, (lvl_bytes){bytes.data, bytes.len}, NULL, LVL_READ_BORROW, NULL),
        LVL_ERR_STOPPED);
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
}

/* ---- recovery of records ----------------------------------------------------------------------------- */

/* A real level, and its header and main block as they would be stored. */
struct image {
    lvl_doc *doc;
    const lvl_wwd *wwd;
    uint8_t *bytes;
    size_t len;
    uint32_t main; /* the plane with the objects */
    uint32_t random;
};

static uint32_t roll(struct image *im, uint32_t below)
{
    im->random = im->random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(im->random >> 4) * below >> 28);
}

#define PLANE_AT(im, plane, member) \
    ((im)->wwd->planes_offset + (size_t)(plane)*LVL_WWD_PLANE_SIZE + offsetof(lvl_wwd_plane, member))

enum change { LOWER, HIGHER, ZERO };

/* Changes a count; false if it can't be changed that way. */
static bool change_count(struct image *im, uint8_t *data, size_t at, enum change change)
{
    const uint32_t was = get_u32(data, at);

    if (change == LOWER && was < 2)
        return false;
    if (change == ZERO && !was)
        return false;
    set_u32(data, at,
            change == ZERO    ? 0
            : change == LOWER ? 1 + roll(im, was - 1)
                              : was + 1 + roll(im, was + 9));
    return true;
}

/* The offset of the main plane's object in the image. */
static size_t object_at(const struct image *im, uint32_t index)
{
    const lvl_wwd_plane *plane = &im->wwd->planes[im->main];
    size_t at = plane->objects_offset;

    for (uint32_t i = 0; i < index; i++)
        at += (size_t)lvl_wwd_object_size(&plane->objects[i]);
    return at;
}

enum damage {
    PLANES,
    OBJECTS = PLANES + 3,
    PROPERTIES = OBJECTS + 3,
    IMAGE_SETS = PROPERTIES + 3,
    COLUMNS = IMAGE_SETS + 3,
    ROWS = COLUMNS + 3,
    ALL_COUNTS = ROWS + 3, /* of the main plane's header, at once */
    TEXT_SHORT = ALL_COUNTS + 3,
    TEXT_LONG,
    NOISE,
    OFFSET_OF_PLANES,
    OFFSET_OF_PROPERTIES,
    OFFSET_OF_TILES,
    OFFSET_OF_IMAGE_SETS,
    OFFSET_OF_OBJECTS,
    DAMAGES
};

static const char *damage_name(int damage, char *buf, size_t size)
{
    static const char *const counts[] = {"planes",  "objects", "tile properties", "image sets",
                                         "columns", "rows",    "all of a plane"};
    static const char *const changes[] = {"too low", "too high", "0"};
    static const char *const others[] = {
        "a text length too low",     "a text length too high", "an object's bytes",    "offset of planes",
        "offset of tile properties", "offset of tiles",        "offset of image sets", "offset of objects"};

    if (damage < TEXT_SHORT)
        snprintf(buf, size, "count of %s %s", counts[damage / 3], changes[damage % 3]);
    else
        snprintf(buf, size, "%s", others[damage - TEXT_SHORT]);
    return buf;
}

static bool damage_object(struct image *im, uint8_t *data, int damage, uint32_t *touched)
{
    const lvl_wwd_plane *plane = &im->wwd->planes[im->main];

    if (!plane->object_count)
        return false;
    *touched = roll(im, plane->object_count);
    const size_t at = object_at(im, *touched);
    if (damage == NOISE) {
        for (size_t i = 0; i < lvl_wwd_object_size(&plane->objects[*touched]); i++)
            data[at + i] = (uint8_t)roll(im, 256);
        return true;
    }
    size_t length = at + offsetof(lvl_wwd_object, name_size) + roll(im, 4) * 4;
    if (damage == TEXT_SHORT && !get_u32(data, length))
        length = at + offsetof(lvl_wwd_object, logic_size);
    const uint32_t was = get_u32(data, length);
    if (damage == TEXT_SHORT && !was)
        return false;
    set_u32(data, length,
            damage == TEXT_SHORT ? roll(im, was) : was + 1 + roll(im, (uint32_t)1 << roll(im, 31)));
    return true;
}

/* Damages the image; false if the level has no such part. */
static bool damage_image(struct image *im, uint8_t *data, int damage, uint32_t *touched)
{
    const uint32_t plane = roll(im, im->wwd->plane_count);
    const enum change change = (enum change)(damage % 3);
    const uint32_t offset = roll(im, 5) ? roll(im, (uint32_t)im->len * 2) : 0;
    size_t at;

    *touched = UINT32_MAX;
    if (damage >= TEXT_SHORT && damage <= NOISE)
        return damage_object(im, data, damage, touched);
    /* what a plane does not have has no count or offset that matters */
    const lvl_wwd_plane *p = &im->wwd->planes[plane];
    if ((!p->tiles.ptr && (damage == OFFSET_OF_TILES || (damage >= COLUMNS && damage < ALL_COUNTS))) ||
        (!p->image_set_count && damage == OFFSET_OF_IMAGE_SETS) ||
        (!im->wwd->planes[im->main].object_count && damage == OFFSET_OF_OBJECTS))
        return false;
    switch (damage < TEXT_SHORT ? damage - damage % 3 : damage) {
    case PLANES: return change_count(im, data, offsetof(lvl_wwd, planes_declared), change);
    case OBJECTS: return change_count(im, data, PLANE_AT(im, im->main, objects_declared), change);
    case PROPERTIES: return change_count(im, data, im->wwd->tile_properties_offset + 8, change);
    case IMAGE_SETS: return change_count(im, data, PLANE_AT(im, plane, image_sets_declared), change);
    case COLUMNS: return change_count(im, data, PLANE_AT(im, plane, tiles_wide), change);
    case ROWS: return change_count(im, data, PLANE_AT(im, plane, tiles_high), change);
    case ALL_COUNTS:
        change_count(im, data, PLANE_AT(im, im->main, image_sets_declared), change);
        change_count(im, data, PLANE_AT(im, im->main, tiles_wide), change);
        change_count(im, data, PLANE_AT(im, im->main, tiles_high), change);
        return change_count(im, data, PLANE_AT(im, im->main, objects_declared), change);
    case OFFSET_OF_PLANES: at = offsetof(lvl_wwd, planes_offset); break;
    case OFFSET_OF_PROPERTIES: at = offsetof(lvl_wwd, tile_properties_offset); break;
    case OFFSET_OF_TILES: at = PLANE_AT(im, plane, tiles_offset); break;
    case OFFSET_OF_IMAGE_SETS: at = PLANE_AT(im, plane, image_sets_offset); break;
    default: at = PLANE_AT(im, im->main, objects_offset); break;
    }
    if (get_u32(data, at) == offset)
        return false;
    set_u32(data, at, offset);
    return true;
}

struct row {
    size_t files, untouched, recovered, others, repairs, sound;
};

/* How many of the main plane's objects, but for one, are found again in the same order. */
static size_t count_recovered(const struct image *im, const lvl_wwd *read, uint32_t touched)
{
    const lvl_wwd_plane *was = &im->wwd->planes[im->main];
    size_t found = 0;

    if (im->main >= read->plane_count)
        return 0;
    const lvl_wwd_plane *is = &read->planes[im->main];
    for (uint32_t i = 0, next = 0; i < was->object_count; i++) {
        for (uint32_t k = next; i != touched && k < is->object_count; k++) {
            if (!lvl_record_equal(&was->objects[i], &is->objects[k], &lvl_wwd_object_table))
                continue;
            next = k + 1;
            found++;
            break;
        }
    }
    return found;
}

/* Whether all but the objects is as it was. */
static bool others_are_equal(const lvl_wwd *was, const lvl_wwd *is)
{
    lvl_wwd a = *was, b = *is;

    if (was->plane_count != is->plane_count)
        return false;
    for (uint32_t i = 0; i < was->plane_count; i++) {
        lvl_wwd_plane x = was->planes[i], y = is->planes[i];
        x.object_count = y.object_count = 0;
        if (!lvl_record_equal(&x, &y, &lvl_wwd_plane_table))
            return false;
    }
    a.plane_count = b.plane_count = 0;
    b.checksum_rule = a.checksum_rule; /* every change makes the checksum wrong */
    return lvl_record_equal(&a, &b, &lvl_wwd_table);
}

/* A file with the image's header and a stream of stored blocks. */
static void pack(const uint8_t *image, size_t len, lvl_buffer *out)
{
    uLongf size = compressBound((uLong)len) + len / 1000 + 64;
    uint8_t *stream = malloc(size);

    assert_non_null(stream);
    assert_int_equal(
        compress2(stream, &size, image + LVL_WWD_HEADER_SIZE, (uLong)(len - LVL_WWD_HEADER_SIZE), 0), Z_OK);
    out->len = 0;
    lvl_buffer_add(out, image, LVL_WWD_HEADER_SIZE);
    lvl_buffer_add(out, stream, size);
    assert_int_equal(out->status, LVL_OK);
    free(stream);
}

/* Reads the damaged level, and counts what is there; an edit of the title keeps that, and repair leaves no
 * error. */
static void try_damage(struct image *im, uint8_t *data, int damage, bool deep, struct row *row)
{
    lvl_buffer file = {0}, edited = {0}, repaired = {0};
    lvl_findings *found = lvl_findings_new(&ctx), *left = lvl_findings_new(&ctx);
    lvl_doc *doc = NULL, *again = NULL;
    uint32_t touched;
    char name[64];

    memcpy(data, im->bytes, im->len);
    if (!damage_image(im, data, damage, &touched))
        goto out;
    pack(data, im->len, &file);
    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("wwd"), (lvl_bytes){file.data, file.len}, NULL,
                              LVL_READ_BORROW, found),
                     LVL_OK);
    row->files++;
    row->untouched += im->wwd->planes[im->main].object_count - (touched != UINT32_MAX);
    row->recovered += count_recovered(im, lvl_wwd_cof(doc), touched);
    row->others += others_are_equal(im->wwd, lvl_wwd_cof(doc));
    if (lvl_findings_worst(found) < LVL_ERROR)
        fprintf(stderr, "%s: no error\n", damage_name(damage, name, sizeof name));
    assert_true(lvl_findings_worst(found) >= LVL_ERROR);
    if (!deep)
        goto out;
    assert_int_equal(lvl_doc_write(doc, &edited), LVL_OK);
    assert_int_equal(edited.len, file.len);
    assert_memory_equal(edited.data, file.data, file.len);
    edited.len = 0;
    lvl_wwd_of(doc)->start_x++;
    assert_int_equal(lvl_doc_write(doc, &edited), LVL_OK);
    assert_int_equal(
        lvl_read(&again, &ctx, NULL, (lvl_bytes){edited.data, edited.len}, NULL, LVL_READ_BORROW, NULL),
        LVL_OK);
    assert_true(lvl_record_equal(doc->root, again->root, &lvl_wwd_table));
    assert_int_equal(lvl_wwd_of(doc)->gap_count, lvl_wwd_of(again)->gap_count);
    lvl_doc_free(again);
    again = NULL;
    row->repairs++;
    assert_int_equal(lvl_repair(doc, &(lvl_repair_options){.normalize = true}, NULL, &repaired), LVL_OK);
    assert_int_equal(
        lvl_read(&again, &ctx, NULL, (lvl_bytes){repaired.data, repaired.len}, NULL, LVL_READ_BORROW, left),
        LVL_OK);
    row->sound += !lvl_findings_of(left, LVL_ERROR) && !lvl_findings_of(left, LVL_FATAL);
out:
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_findings_free(found);
    lvl_findings_free(left);
    lvl_buffer_free(&file);
    lvl_buffer_free(&edited);
    lvl_buffer_free(&repaired);
}

static void damage_level(const char *path, struct row rows[DAMAGES])
{
    enum { DEEP = 1 << 20 }; /* repair packs the block several times */
    struct image im = {0};
    lvl_buffer stored = {0};
    size_t len;

    uint8_t *data = lvl_slurp(path, &len);
    assert_non_null(data);
    assert_int_equal(
        lvl_read(&im.doc, &ctx, lvl_format_find("wwd"), (lvl_bytes){data, len}, NULL, LVL_READ_BORROW, NULL),
        LVL_OK);
    im.wwd = lvl_wwd_cof(im.doc);
    im.random = (uint32_t)len;
    if (im.wwd->header_size == LVL_WWD_HEADER_SIZE && (im.wwd->flags & LVL_WWD_COMPRESS) &&
        lvl_wwd_main_plane(im.wwd, &im.main)) {
        lvl_wwd *wwd = lvl_wwd_of(im.doc);
        const uint32_t size = wwd->inflated_size;
        wwd->flags ^= LVL_WWD_COMPRESS;
        wwd->trailing = (lvl_bytes){NULL, 0}; /* which damage leaves alone */
        wwd->wapmap_count = 0;
        assert_int_equal(lvl_doc_write(im.doc, &stored), LVL_OK);
        wwd->flags ^= LVL_WWD_COMPRESS;
        im.bytes = stored.data;
        im.len = stored.len;
        set_u32(im.bytes, offsetof(lvl_wwd, flags), wwd->flags);
        set_u32(im.bytes, offsetof(lvl_wwd, inflated_size), size);
        assert_int_equal(im.len - LVL_WWD_HEADER_SIZE, size);
        uint8_t *copy = malloc(im.len);
        assert_non_null(copy);
        for (int i = 0; i < DAMAGES; i++)
            try_damage(&im, copy, i, size < DEEP, &rows[i]);
        free(copy);
    }
    lvl_buffer_free(&stored);
    lvl_doc_free(im.doc);
    free(data);
}

static void records_are_recovered(void **state)
{
    const char *corpus = lvl_corpus_dir();
    struct row rows[DAMAGES] = {{0}};
    char folder[1024], name[64];
    bool enough = true;
    lvl_paths paths;

    (void)state;
    if (!corpus) {
        printf("no corpus: 0 levels damaged\n");
        skip();
    }
    snprintf(folder, sizeof folder, "%s/wwd/wwd", corpus);
    assert_true(lvl_paths_below(&paths, folder, "wwd"));
    for (size_t i = 0; i < paths.count; i += getenv("LVL_ALL") ? 1 : 20)
        damage_level(paths.items[i], rows);
    lvl_paths_free(&paths);
    printf("%-32s %5s %10s %10s %8s %11s %16s\n", "damage", "files", "untouched", "recovered", "percent",
           "rest equal", "repaired, sound");
    for (int i = 0; i < DAMAGES; i++) {
        const struct row *r = &rows[i];
        printf("%-32s %5zu %10zu %10zu %8.3f %11zu %7zu of %5zu\n", damage_name(i, name, sizeof name),
               r->files, r->untouched, r->recovered,
               r->untouched ? 100.0 * (double)r->recovered / (double)r->untouched : 100.0, r->others,
               r->sound, r->repairs);
        enough &= r->recovered * 100 >= r->untouched * 99 && r->others * 100 >= r->files * 99 &&
                  r->sound == r->repairs;
    }
    assert_true(enough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_levels),
        cmocka_unit_test(real_levels),
        cmocka_unit_test(wild_counts),
        cmocka_unit_test(objects_without_logic_are_found),
        cmocka_unit_test(stream_header_is_not_needed),
        cmocka_unit_test(last_text_too_short),
        cmocka_unit_test(cut_headers_are_known),
        cmocka_unit_test(planes_elsewhere_are_known),
        cmocka_unit_test(bytes_before_planes_stay),
        cmocka_unit_test(any_bytes_are_searched),
        cmocka_unit_test(a_search_is_stopped),
        cmocka_unit_test(records_are_recovered),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
