/*
 * Reading and writing levels: exactness, edits and what follows from them, unusual layouts, gaps, trailers,
 * checksums.
 */
#include "base/cursor.h"
#include "base/format.h"
#include "codec/deflate.h"
#include "measure.h"
#include "wap32/wwd/internal.h"
#include "wwd_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

enum { STORED = LVL_WWD_USE_Z, PACKED = LVL_WWD_USE_Z | LVL_WWD_COMPRESS };

static lvl_doc *read_bytes(const lvl_buffer *b, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){b->data, b->len}, "a.wwd", LVL_READ_BORROW, findings), LVL_OK);
    assert_non_null(lvl_wwd_of(doc));
    return doc;
}

static bool writes(const lvl_doc *doc, const lvl_buffer *want)
{
    lvl_buffer got = {0};

    assert_int_equal(lvl_doc_write(doc, &got), LVL_OK);
    bool same = got.len == want->len && memcmp(got.data, want->data, got.len) == 0;
    lvl_buffer_free(&got);
    return same;
}

static bool exact(const lvl_buffer *b)
{
    lvl_doc *doc = read_bytes(b, NULL);
    bool same = writes(doc, b);

    lvl_doc_free(doc);
    return same;
}

static bool has(const lvl_findings *list, const char *id)
{
    for (size_t i = 0; i < lvl_findings_count(list); i++) {
        if (!strcmp(lvl_findings_at(list, i)->def->id, id))
            return true;
    }
    return false;
}

/* Clearing the flag stores the level; setting it compresses it. */
static void the_flag_decides_how_it_is_stored(void **state)
{
    const uint32_t flags[] = {PACKED, STORED};
    lvl_buffer bytes, got = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        assert_true(wwd_make_bytes(flags[i], &bytes));
        lvl_doc *doc = read_bytes(&bytes, NULL);
        lvl_wwd_of(doc)->flags = flags[1 - i];
        assert_int_equal(lvl_doc_write(doc, &got), LVL_OK);
        lvl_doc_free(doc);
        doc = read_bytes(&got, findings);
        assert_int_equal(lvl_findings_count(findings), 0);
        assert_int_equal(lvl_wwd_of(doc)->stream.len != 0, i == 1);
        assert_true(exact(&got));
        lvl_doc_free(doc);
        lvl_findings_free(findings);
        lvl_buffer_free(&bytes);
        lvl_buffer_free(&got);
    }
}

static void records_come_back(void **state)
{
    lvl_buffer bytes;

    (void)state;
    for (uint32_t flags = STORED; flags <= PACKED; flags += LVL_WWD_COMPRESS) {
        assert_true(wwd_make_bytes(flags, &bytes));
        lvl_findings *found = lvl_findings_new(&ctx);
        lvl_doc *made = wwd_make(&ctx, flags), *doc = read_bytes(&bytes, found);
        assert_int_equal(lvl_findings_count(found), 0);
        assert_true(lvl_record_equal(lvl_doc_croot(made), lvl_doc_croot(doc), &lvl_wwd_table));
        assert_true(writes(doc, &bytes));
        const lvl_wwd *wwd = lvl_wwd_cof(doc);
        assert_int_equal(wwd->planes[1].objects[3].x, 202);
        assert_int_equal(wwd->planes[1].objects[2].name.len, 10);
        assert_int_equal(lvl_wwd_base_level(wwd), 3);
        assert_int_equal(lvl_wwd_game_of(wwd), LVL_WWD_CLAW);
        assert_int_equal(wwd->stream.len != 0, flags == PACKED);
        lvl_doc_free(made);
        lvl_doc_free(doc);
        lvl_findings_free(found);
        lvl_buffer_free(&bytes);
    }
}

static void nothing_is_unclaimed(void **state)
{
    lvl_measure m = {0};
    lvl_buffer bytes;

    (void)state;
    for (uint32_t flags = STORED; flags <= PACKED; flags += LVL_WWD_COMPRESS) {
        assert_true(wwd_make_bytes(flags, &bytes));
        assert_true(lvl_measure_bytes(&m, NULL, (lvl_bytes){bytes.data, bytes.len}, "a.wwd"));
        lvl_buffer_free(&bytes);
    }
    assert_int_equal(m.exact, 2);
    assert_int_equal(m.residue_bits, 0);
    assert_int_equal(m.overlap_bits, 0);
}

/* In a stored level, one number changes itself and the checksum. */
static void an_edit_changes_what_it_must(void **state)
{
    lvl_buffer bytes, after = {0};

    (void)state;
    assert_true(wwd_make_bytes(STORED, &bytes));
    lvl_doc *doc = read_bytes(&bytes, NULL);
    lvl_wwd_of(doc)->planes[1].objects[1].x = 0x01020304;
    assert_int_equal(lvl_doc_write(doc, &after), LVL_OK);
    assert_int_equal(after.len, bytes.len);
    size_t header = 0, block = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        if (bytes.data[i] == after.data[i])
            continue;
        if (i >= 0x2EC && i < 0x2F0)
            header++;
        else
            block++;
    }
    assert_true(header > 0);
    assert_int_equal(block, 4);
    assert_true(exact(&after));
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
    lvl_buffer_free(&after);
}

/* The kept stream is dropped when the records change, without a call. */
static void a_stream_holds_while_it_gives_the_records(void **state)
{
    lvl_buffer bytes, after = {0};

    (void)state;
    assert_true(wwd_make_bytes(PACKED, &bytes));
    lvl_doc *doc = read_bytes(&bytes, NULL);
    lvl_wwd *wwd = lvl_wwd_of(doc);
    int32_t was = wwd->planes[1].objects[1].x;
    wwd->planes[1].objects[1].x = 77;
    assert_int_equal(lvl_doc_write(doc, &after), LVL_OK);
    lvl_doc *again = read_bytes(&after, NULL);
    assert_int_equal(lvl_wwd_of(again)->planes[1].objects[1].x, 77);
    assert_int_equal(lvl_wwd_of(again)->checksum_rule, LVL_WWD_CHECKSUM_GAME);
    wwd->planes[1].objects[1].x = was;
    assert_true(writes(doc, &bytes));
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
    lvl_buffer_free(&after);
}

static void set_u32(lvl_buffer *b, size_t at, uint32_t v)
{
    lvl_store_u32le(b->data + at, v);
}

static uint32_t get_u32(const lvl_buffer *b, size_t at)
{
    return lvl_load_u32le(b->data + at);
}

/* The tiles of two planes change places, and a gap opens before the tile properties. */
static void another_layout_is_read_by_its_offsets(void **state)
{
    enum { BACK = 0x5F4 + 0x84, ACTION = 0x5F4 + 160 + 0x84, FRONT = 0x5F4 + 320 + 0x84 };
    lvl_buffer plain, bytes = {0};

    (void)state;
    assert_true(wwd_make_bytes(STORED, &plain));
    const size_t back = get_u32(&plain, BACK), action = get_u32(&plain, ACTION),
                 front = get_u32(&plain, FRONT);
    const size_t properties = get_u32(&plain, 0x2E4);
    lvl_buffer_add(&bytes, plain.data, back);
    lvl_buffer_add(&bytes, plain.data + action, front - action);
    lvl_buffer_add(&bytes, plain.data + back, action - back);
    lvl_buffer_add(&bytes, plain.data + front, properties - front);
    lvl_buffer_str(&bytes, "a gap");
    lvl_buffer_add(&bytes, plain.data + properties, plain.len - properties);
    set_u32(&bytes, ACTION, (uint32_t)back);
    set_u32(&bytes, BACK, (uint32_t)(back + (front - action)));
    set_u32(&bytes, 0x2E4, (uint32_t)properties + 5);

    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_doc *made = wwd_make(&ctx, STORED), *doc = read_bytes(&bytes, found);
    lvl_wwd *wwd = lvl_wwd_of(doc);
    assert_true(has(found, "wwd.gap"));
    assert_int_equal(wwd->gap_count, 1);
    assert_true(lvl_record_equal(&lvl_wwd_of(made)->planes[0], &wwd->planes[0], &lvl_wwd_plane_table));
    assert_true(lvl_record_equal(&lvl_wwd_of(made)->planes[1], &wwd->planes[1], &lvl_wwd_plane_table));
    assert_int_equal(wwd->checksum_rule, LVL_WWD_CHECKSUM_OTHER);
    assert_true(writes(doc, &bytes));

    /* an edit puts the parts in the usual order, after the gap */
    static const char *const logics[] = {"Soldier", "Soldiers"};
    for (size_t i = 0; i < 2; i++) {
        lvl_buffer after = {0};
        wwd->planes[1].objects[0].x++;
        wwd->planes[1].objects[0].logic = lvl_text_of(logics[i]);
        assert_int_equal(lvl_doc_write(doc, &after), LVL_OK);
        assert_int_equal(after.len, bytes.len + i);
        assert_memory_equal(after.data + LVL_WWD_HEADER_SIZE, "a gap", 5);
        assert_int_equal(get_u32(&after, 0x2E0), LVL_WWD_HEADER_SIZE + 5);
        assert_int_equal(get_u32(&after, BACK + 5), back + 5);
        assert_int_equal(get_u32(&after, 0x2E4), properties + 5 + i);
        lvl_doc *again = read_bytes(&after, NULL);
        assert_int_equal(lvl_wwd_of(again)->gap_count, 1);
        assert_true(lvl_record_equal(wwd->planes, lvl_wwd_of(again)->planes, &lvl_wwd_plane_table));
        lvl_doc_free(again);
        lvl_buffer_free(&after);
    }

    lvl_doc_free(made);
    lvl_doc_free(doc);
    lvl_findings_free(found);
    lvl_buffer_free(&plain);
    lvl_buffer_free(&bytes);
}

/* One damaged offset: the data is found where it must be, the file is still written as it is, and repair sets
 * the offset. */
static void a_wrong_offset_is_seen_through(void **state)
{
    static const size_t places[] = {
        0x2E0, 0x2E4, 0x5F4 + 0x84, 0x5F4 + 160 + 0x84, 0x5F4 + 160 + 0x88, 0x5F4 + 160 + 0x8C};
    lvl_buffer plain;

    (void)state;
    assert_true(wwd_make_bytes(STORED, &plain));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (unsigned bit = 0; bit < 32; bit += 3) {
            lvl_buffer bytes = {0};
            lvl_buffer_add(&bytes, plain.data, plain.len);
            set_u32(&bytes, places[i], get_u32(&plain, places[i]) ^ 1u << bit);
            lvl_findings *found = lvl_findings_new(&ctx);
            lvl_doc *doc = read_bytes(&bytes, found);
            assert_true(has(found, "wwd.offset.wrong"));
            assert_int_equal(lvl_wwd_of(doc)->planes[1].object_count, 5);
            assert_true(writes(doc, &bytes));
            lvl_repairs repairs = {.log = found};
            assert_int_equal(doc->format->calls->repair(doc, &repairs), LVL_OK);
            assert_true(writes(doc, &plain));
            lvl_doc_free(doc);
            lvl_findings_free(found);
            lvl_buffer_free(&bytes);
        }
    }
    lvl_buffer_free(&plain);
}

static void trailers_are_kept_or_understood(void **state)
{
    /* 102 bytes; the size is in the first block and in the last */
    static const uint8_t wapmap[] = "<wm_meta>\0\4\0\0\0\x66\0\0\0"
                                    "\2\x1A\0\0\0\x1E\0\0\0MAINDEV\0\1\0\0\0"
                                    "1.0\0hello\0"
                                    "\3\x09\0\0\0\1\0\0\0\1\x40\0\0\0"
                                    "\4\x0F\0\0\0\1\0\0\0he\0\5\0\0\0\6\0\0\0"
                                    "\1\4\0\0\0\x66\0\0\0</wm_meta>";
    lvl_buffer bytes;

    (void)state;
    for (uint32_t flags = STORED; flags <= PACKED; flags += LVL_WWD_COMPRESS) {
        assert_true(wwd_make_bytes(flags, &bytes));
        size_t plain = bytes.len;
        lvl_buffer_str(&bytes, "\r\n");
        lvl_doc *doc = read_bytes(&bytes, NULL);
        assert_int_equal(lvl_wwd_of(doc)->trailing.len, 2);
        assert_int_equal(lvl_wwd_of(doc)->checksum_rule, LVL_WWD_CHECKSUM_GAME);
        assert_true(writes(doc, &bytes));
        lvl_doc_free(doc);

        bytes.len = plain;
        lvl_buffer_add(&bytes, wapmap, sizeof wapmap - 1);
        doc = read_bytes(&bytes, NULL);
        const lvl_wwd *wwd = lvl_wwd_cof(doc);
        assert_int_equal(wwd->wapmap_count, 5);
        assert_int_equal(wwd->trailing.len, 0);
        assert_int_equal(wwd->wapmap[1].build, 30);
        assert_true(lvl_text_is(wwd->wapmap[1].version, "MAINDEV"));
        assert_true(lvl_text_is(wwd->wapmap[1].description, "hello"));
        assert_int_equal(wwd->wapmap[2].guides[0].position, 64);
        assert_true(lvl_text_is(wwd->wapmap[3].favourites[0].name, "he"));
        assert_int_equal(wwd->wapmap[3].favourites[0].y, 6);
        assert_true(writes(doc, &bytes));
        lvl_doc_free(doc);
        lvl_measure m = {0};
        assert_true(lvl_measure_bytes(&m, NULL, (lvl_bytes){bytes.data, bytes.len}, "a.wwd"));
        assert_int_equal(m.residue_bits + m.overlap_bits, 0);
        lvl_buffer_free(&bytes);
    }
}

static void checksums_are_told_apart(void **state)
{
    lvl_buffer bytes;

    (void)state;
    assert_true(wwd_make_bytes(PACKED, &bytes));
    for (uint32_t rule = 0; rule < LVL_WWD_CHECKSUM_OTHER; rule++) {
        lvl_buffer out = {0};
        lvl_doc *doc = read_bytes(&bytes, NULL);
        lvl_wwd_of(doc)->checksum_rule = rule;
        assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
        lvl_doc *again = read_bytes(&out, NULL);
        assert_int_equal(lvl_wwd_of(again)->checksum_rule, rule);
        assert_true(writes(again, &out));
        lvl_doc_free(again);
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
    }
    /* the three, counted by hand: s = 160, 2, 3 */
    static const uint8_t s[] = {160, 2, 3}, inflated[] = {9, 8, 7, 6};
    const lvl_bytes stored = {s, 3}, none = {NULL, 0}, big = {inflated, 4};
    assert_int_equal(lvl_wwd_checksum(LVL_WWD_CHECKSUM_GAME, stored, none), (uint32_t)(-3 + 1 + 1));
    assert_int_equal(lvl_wwd_checksum(LVL_WWD_CHECKSUM_GAME, stored, big), (uint32_t)(-3 + 1 + 1 + 6));
    assert_int_equal(lvl_wwd_checksum(LVL_WWD_CHECKSUM_WAPMAP, stored, big), (uint32_t)(-160 + 165 - 6));
    assert_int_equal(lvl_wwd_checksum(LVL_WWD_CHECKSUM_LIBWAP32, stored, big), (uint32_t)(-4 + 7 + 5 + 3));
    lvl_buffer_free(&bytes);
}

/* A declared size that the stream can't have costs no memory, and what the stream has is read. */
static void an_impossible_size_is_refused(void **state)
{
    lvl_buffer bytes;

    (void)state;
    assert_true(wwd_make_bytes(PACKED, &bytes));
    set_u32(&bytes, 0x2E8, 0x7FFFFFFF);
    lvl_ctx small = ctx;
    small.limits.memory_bytes = 1 << 20;
    lvl_findings *found = lvl_findings_new(&small);
    lvl_doc *doc = NULL;
    assert_int_equal(lvl_read(&doc, &small, NULL, (lvl_bytes){bytes.data, bytes.len}, NULL, 0, found),
                     LVL_OK);
    assert_true(has(found, "wwd.header.inflate_ratio"));
    assert_int_equal(lvl_wwd_of(doc)->planes[1].object_count, 5);
    assert_true(writes(doc, &bytes));
    lvl_doc_free(doc);
    lvl_findings_free(found);
    lvl_buffer_free(&bytes);
}

static int set_up(void **state)
{
    (void)state;
    lvl_ctx_init(&ctx);
    return 0;
}

/* A plane of more tiles than the limits allow: the limit is named, and nothing is read. */
static void a_limit_is_reported(void **state)
{
    lvl_findings *found;
    lvl_buffer bytes;
    lvl_usage usage = {0};
    lvl_ctx small;
    lvl_doc *doc;

    (void)state;
    lvl_ctx_init(&small);
    small.limits.cells = 1;
    small.usage = &usage;
    found = lvl_findings_new(&small);
    assert_true(wwd_make_bytes(PACKED, &bytes));
    assert_int_equal(
        lvl_read(&doc, &small, NULL, (lvl_bytes){bytes.data, bytes.len}, NULL, LVL_READ_BORROW, found),
        LVL_ERR_LIMIT);
    assert_true(has(found, "lvl.limit.cells"));
    assert_null(doc);
    lvl_findings_free(found);
    lvl_buffer_free(&bytes);
}

static void adds_an_object(void **state)
{
    lvl_buffer out = {0};
    lvl_doc *doc, *again;

    (void)state;
    assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("wwd")), LVL_OK);
    const lvl_field *planes = lvl_table_find(&lvl_wwd_table, lvl_text_of("planes"));
    assert_null(lvl_wwd_edit_main_plane(lvl_wwd_of(doc)));
    assert_int_equal(lvl_list_insert(doc, lvl_wwd_of(doc), planes, 0, 1), LVL_OK);
    lvl_wwd_of(doc)->planes[0].flags |= LVL_WWD_PLANE_MAIN;
    lvl_wwd_plane *plane = lvl_wwd_edit_main_plane(lvl_wwd_of(doc));
    assert_non_null(plane);
    lvl_wwd_object *object = lvl_wwd_add_object(doc, plane);
    assert_non_null(object);
    object->x = 7;
    assert_int_equal(plane->object_count, 1);
    assert_false(lvl_list_append(doc, plane, &lvl_wwd_plane_table, "nothing", 0));
    assert_false(lvl_list_append(doc, plane, &lvl_wwd_plane_table, "name", 0));
    assert_false(lvl_list_append(doc, plane, &lvl_wwd_plane_table, "objects", 2));
    assert_int_equal(plane->object_count, 1);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(lvl_read(&again, &ctx, NULL, (lvl_bytes){out.data, out.len}, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_wwd_of(again)->planes[0].objects[0].x, 7);
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

/* Adding one by one takes memory and time in proportion; what was there stays, also in a list that shares its
 * items. */
static void adds_many_objects(void **state)
{
    enum { MANY = 20000 };
    lvl_doc *doc;

    (void)state;
    assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("wwd")), LVL_OK);
    const lvl_field *planes = lvl_table_find(&lvl_wwd_table, lvl_text_of("planes"));
    assert_int_equal(lvl_list_insert(doc, lvl_wwd_of(doc), planes, 0, 1), LVL_OK);
    lvl_wwd_plane *plane = &lvl_wwd_of(doc)->planes[0];
    for (int32_t i = 0; i < MANY; i++) {
        lvl_wwd_object *object = lvl_wwd_add_object(doc, plane);
        assert_non_null(object);
        assert_int_equal(object->x, 0);
        object->x = i + 1;
    }
    lvl_wwd_plane other = *plane;
    assert_non_null(lvl_wwd_add_object(doc, plane));
    plane->objects[MANY].x = -1;
    assert_non_null(lvl_wwd_add_object(doc, &other));
    other.objects[MANY].x = -2;
    assert_int_equal(plane->objects[MANY].x, -1);
    for (int32_t i = 0; i < MANY; i++) {
        assert_int_equal(plane->objects[i].x, i + 1);
        assert_int_equal(other.objects[i].x, i + 1);
    }
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_an_object),
        cmocka_unit_test(adds_many_objects),
        cmocka_unit_test(the_flag_decides_how_it_is_stored),
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(nothing_is_unclaimed),
        cmocka_unit_test(an_edit_changes_what_it_must),
        cmocka_unit_test(a_stream_holds_while_it_gives_the_records),
        cmocka_unit_test(another_layout_is_read_by_its_offsets),
        cmocka_unit_test(a_wrong_offset_is_seen_through),
        cmocka_unit_test(trailers_are_kept_or_understood),
        cmocka_unit_test(checksums_are_told_apart),
        cmocka_unit_test(an_impossible_size_is_refused),
        cmocka_unit_test(a_limit_is_reported),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
