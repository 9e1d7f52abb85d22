/*
 * Records through their tables, list edits, and derived members with wrong values, on a toy format of two
 * records.
 */
#include "base/cursor.h"
#include "base/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a toy: u32 count, u32 sum, then count items of a byte ------------------------------------------- */

typedef struct toy_item {
    uint8_t kind;
    int8_t level;
    int64_t wide;
    uint32_t checked; /* derived: kind + level */
    lvl_text name;
} toy_item;

typedef struct toy {
    char title[8];
    uint32_t count; /* derived: item_count */
    uint16_t flags;
    toy_item *items;
    uint32_t item_count;
    lvl_cells tiles;
    toy_item boss;
} toy;

static const lvl_name kind_names[] = {{0, "none", NULL}, {3, "rat", NULL}, {0, NULL, NULL}};
static const lvl_name flag_names[] = {
    {0, "nothing", NULL}, {1, "main", NULL}, {2, "wrap_x", NULL}, {6, "wrap_both", NULL}, {0, NULL, NULL}};

static const lvl_field item_fields[] = {
    LVL_ROW_UINT(toy_item, kind, "kind", LVL_NO_PLACE, .prose = "Kind.", .names = kind_names),
    LVL_ROW_INT(toy_item, level, "level", LVL_NO_PLACE, .prose = "Level.", .def = -1),
    LVL_ROW_INT(toy_item, wide, "wide", LVL_NO_PLACE, .prose = "Wide.",
                .when = {offsetof(toy_item, kind), 1, (uint64_t)1 << 3}),
    LVL_ROW_UINT(toy_item, checked, "checked", LVL_NO_PLACE, .prose = "Sum.", .role = LVL_DERIVED),
    LVL_ROW_TEXT(toy_item, name, "name", .prose = "Name."),
};
static const lvl_table item_table = {.name = "item",
                                     .struct_size = sizeof(toy_item),
                                     .fields = item_fields,
                                     .field_count = LVL_COUNT_OF(item_fields)};

static const lvl_field toy_fields[] = {
    LVL_ROW_SLOT(toy, title, "title", LVL_NO_PLACE, .prose = "Title."),
    LVL_ROW_UINT(toy, count, "count", LVL_NO_PLACE, .prose = "Count.", .role = LVL_DERIVED),
    LVL_ROW_FLAGS(toy, flags, "flags", LVL_NO_PLACE, flag_names, .prose = "Flags."),
    LVL_ROW_LIST(toy, items, item_count, "items", &item_table, toy_item, .prose = "Items."),
    LVL_ROW_CELLS(toy, tiles, "tiles", NULL, .prose = "Tiles."),
    LVL_ROW_RECORD(toy, boss, "boss", LVL_NO_PLACE, &item_table, .prose = "Boss."),
};
static const lvl_table toy_table = {
    .name = "toy", .struct_size = sizeof(toy), .fields = toy_fields, .field_count = LVL_COUNT_OF(toy_fields)};

static int toy_probe(const lvl_probe_input *in)
{
    (void)in;
    return 0;
}

static lvl_status toy_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    toy *t = doc->root;
    lvl_cursor c = lvl_cursor_of(doc->input);

    (void)sink;
    (void)findings;
    t->count = lvl_cursor_u32le(&c);
    t->item_count = (uint32_t)(lvl_cursor_left(&c) / 2);
    t->items = lvl_arena_array(&doc->arena, t->item_count, sizeof *t->items);
    if (!t->items)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < t->item_count; i++) {
        t->items[i].kind = lvl_cursor_u8(&c);
        t->items[i].checked = lvl_cursor_u8(&c);
    }
    return LVL_OK;
}

static lvl_status toy_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    toy *t = doc->root;

    visit(user, t, lvl_table_at(&toy_table, offsetof(toy, count)), t->item_count);
    for (uint32_t i = 0; i < t->item_count; i++)
        visit(user, &t->items[i], lvl_table_at(&item_table, offsetof(toy_item, checked)),
              t->items[i].kind + t->items[i].level);
    return LVL_OK;
}

static const lvl_format toy_format = {
    .id = "toy",
    .family = "toy",
    .title = "Toy",
    .extensions = "toy",
    .table = &toy_table,
    .calls =
        &(const lvl_format_calls){
            .probe = toy_probe,
            .read = toy_read,
            .derive = toy_derive,
        },
};

static lvl_ctx ctx;

static const lvl_field *item_field(const char *name)
{
    return lvl_table_find(&item_table, lvl_text_of(name));
}

static const lvl_field *toy_field(const char *name)
{
    return lvl_table_find(&toy_table, lvl_text_of(name));
}

static lvl_doc *toy_of(const uint8_t *data, size_t len)
{
    lvl_doc *doc = NULL;

    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_read(&doc, &ctx, &toy_format, (lvl_bytes){data, len}, NULL, 0, NULL), LVL_OK);
    return doc;
}

/* ---- tests ------------------------------------------------------------------------------------------- */

static void integers_of_every_size(void **state)
{
    toy_item item;
    int64_t value = 0;

    (void)state;
    memset(&item, 0, sizeof item);
    lvl_record_init(&item, &item_table);
    assert_int_equal(item.level, -1);
    assert_true(lvl_field_is_default(&item, item_field("level")));
    lvl_put_int(&item, item_field("level"), -128);
    assert_int_equal(lvl_get_int(&item, item_field("level")), -128);
    lvl_put_int(&item, item_field("kind"), 0x1ff); /* cut */
    assert_int_equal(lvl_get_int(&item, item_field("kind")), 0xff);
    lvl_put_int(&item, item_field("wide"), INT64_MIN);
    assert_true(lvl_get_int(&item, item_field("wide")) == INT64_MIN);
    assert_true(lvl_int_fits(item_field("level"), 127));
    assert_false(lvl_int_fits(item_field("level"), 128));
    assert_false(lvl_int_fits(item_field("kind"), -1));
    assert_true(lvl_int_fits(item_field("wide"), INT64_MAX));

    assert_true(lvl_int_parse(item_field("kind"), lvl_text_of("rat"), &value));
    assert_int_equal(value, 3);
    assert_true(lvl_int_parse(item_field("kind"), lvl_text_of("0xFF"), &value));
    assert_int_equal(value, 255);
    assert_true(
        lvl_int_parse(item_field("level"), lvl_text_of("0xFF"), &value)); /* the sign bit in hexadecimal */
    assert_int_equal(value, -1);
    assert_true(lvl_int_parse(item_field("level"), lvl_text_of("-128"), &value));
    assert_false(lvl_int_parse(item_field("level"), lvl_text_of("255"), &value)); /* not -1 */
    assert_false(lvl_int_parse(item_field("level"), lvl_text_of("128"), &value));
    static const char *const bad[] = {"",   "-", "0x", "cat", "256", "1e3", "12 ", "99999999999999999999",
                                      "--1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(lvl_int_parse(item_field("kind"), lvl_text_of(bad[i]), &value));
}

static void presence_hangs_on_the_tag(void **state)
{
    toy_item a = {0}, b = {0};

    (void)state;
    a.wide = 5;
    assert_false(lvl_field_present(&a, item_field("wide")));
    assert_true(lvl_record_equal(&a, &b, &item_table)); /* an absent member doesn't count */
    a.kind = b.kind = 3;
    assert_true(lvl_field_present(&a, item_field("wide")));
    assert_false(lvl_record_equal(&a, &b, &item_table));
    b.wide = 5;
    b.checked = 77; /* nor does a derived one */
    assert_true(lvl_record_equal(&a, &b, &item_table));
    a.kind = b.kind = 200; /* a tag beyond 63 has nothing */
    assert_false(lvl_field_present(&a, item_field("wide")));
}

static void flags_to_text_and_back(void **state)
{
    const lvl_field *f = toy_field("flags");
    char buf[64];
    int64_t value;

    (void)state;
    for (int64_t v = 0; v < 0x10000; v += v < 64 ? 1 : 331) {
        lvl_flags_text(f, v, buf, sizeof buf);
        assert_true(lvl_int_parse(f, lvl_text_of(buf), &value));
        assert_int_equal(value, v);
    }
    lvl_flags_text(f, 3, buf, sizeof buf);
    assert_string_equal(buf, "main|wrap_x");
    assert_int_equal(lvl_flags_text(f, 0x21, buf, 4), strlen("main|0x20"));
    assert_string_equal(buf, "mai");
    assert_true(lvl_int_parse(f, lvl_text_of("main+0x20"), &value));
    assert_int_equal(value, 0x21);
    assert_false(lvl_int_parse(f, lvl_text_of("main|"), &value));
}

static void lists_grow_and_shrink(void **state)
{
    lvl_doc *doc = toy_of((const uint8_t *)"\3\0\0\0\1\0\2\1\3\2", 10);
    toy *t = lvl_doc_root(doc);
    const lvl_field *f = toy_field("items");

    (void)state;
    assert_int_equal(t->item_count, 3);
    assert_int_equal(lvl_list_insert(doc, t, f, 1, 2), LVL_OK);
    assert_int_equal(t->item_count, 5);
    assert_int_equal(t->items[0].kind, 1);
    assert_int_equal(t->items[1].level, -1); /* a fresh item has its defaults */
    assert_int_equal(t->items[2].kind, 0);
    assert_int_equal(t->items[3].kind, 2);
    assert_int_equal(t->items[4].kind, 3);
    assert_int_equal(lvl_list_insert(doc, t, f, 6, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_list_insert(doc, t, f, 0, UINT32_MAX), LVL_ERR_LIMIT);
    assert_int_equal(lvl_list_remove(doc, t, f, 4, 2), LVL_ERR_ARG);
    assert_int_equal(lvl_list_remove(doc, t, f, 0, 4), LVL_OK);
    assert_int_equal(t->item_count, 1);
    assert_int_equal(t->items[0].kind, 3);
    assert_int_equal(lvl_list_remove(doc, t, f, 0, 1), LVL_OK);
    assert_int_equal(t->item_count, 0);
    assert_int_equal(lvl_list_insert(doc, t, f, 0, 1), LVL_OK);
    assert_int_equal(t->item_count, 1);
    lvl_doc_free(doc);
}

/* However many lists grow in turns, none is copied for each item. */
static void lists_grow_in_turns(void **state)
{
    enum { LISTS = 40, ITEMS = 300 };
    lvl_doc *doc = toy_of((const uint8_t *)"\0\0\0\0", 4);
    const lvl_field *f = toy_field("items");
    toy *toys = lvl_doc_alloc(doc, LISTS * sizeof *toys);

    (void)state;
    assert_non_null(toys);
    for (uint32_t n = 0; n < ITEMS; n++) {
        for (uint32_t k = 0; k < LISTS; k++) {
            assert_int_equal(lvl_list_insert(doc, &toys[k], f, n, 1), LVL_OK);
            assert_int_equal(toys[k].items[n].level, -1);
            toys[k].items[n].wide = n * LISTS + k;
        }
    }
    for (uint32_t i = 0; i < LISTS * ITEMS; i++)
        assert_int_equal(toys[i % LISTS].items[i / LISTS].wide, i);
    assert_true(doc->arena.used < 6 * LISTS * ITEMS * sizeof(toy_item));
    lvl_doc_free(doc);
}

static void disagreements_hold_until_the_content_changes(void **state)
{
    /* declares 9 items and has 3; the second item's sum is right, the others are wrong */
    lvl_doc *doc = toy_of((const uint8_t *)"\x9\0\0\0\1\x50\2\2\3\x70", 10);
    toy *t = lvl_doc_root(doc);
    const lvl_field *count = toy_field("count"), *checked = item_field("checked"),
                    *items = toy_field("items");

    (void)state;
    assert_true(lvl_doc_disagrees(doc, t, count));
    assert_int_equal(lvl_doc_derived(doc, t, count, 3), 9);
    assert_int_equal(lvl_doc_derived(doc, t, count, 4), 4); /* another content: lets go */
    assert_true(lvl_doc_disagrees(doc, &t->items[0], checked));
    assert_false(lvl_doc_disagrees(doc, &t->items[1], checked));
    assert_int_equal(t->items[0].checked, 0x50);

    /* An insertion moves the items: their disagreements go along. */
    assert_int_equal(lvl_list_insert(doc, t, items, 0, 4), LVL_OK);
    assert_true(lvl_doc_disagrees(doc, &t->items[4], checked));
    assert_false(lvl_doc_disagrees(doc, &t->items[5], checked));
    assert_true(lvl_doc_disagrees(doc, &t->items[6], checked));
    assert_int_equal(lvl_doc_recompute_derived(doc), LVL_OK);
    assert_int_equal(t->count, 7); /* follows, since there are others now */
    assert_int_equal(t->items[4].checked, 0x50);
    assert_int_equal(t->items[5].checked, 2);

    /* The item leaves, and so does what was noted about it. */
    assert_int_equal(lvl_list_remove(doc, t, items, 4, 1), LVL_OK);
    for (uint32_t i = 0; i < t->item_count; i++)
        assert_int_equal(lvl_doc_disagrees(doc, &t->items[i], checked), i == 5);
    t->items[5].kind = 100; /* a plain assignment */
    assert_int_equal(lvl_doc_recompute_derived(doc), LVL_OK);
    assert_int_equal(t->items[5].checked, 100);
    lvl_doc_free(doc);

    /* As undump gives them: settled against what is computed then. */
    doc = toy_of((const uint8_t *)"\3\0\0\0\1\1\2\2\3\3", 10);
    t = lvl_doc_root(doc);
    assert_int_equal(lvl_doc_restore_derived(doc, t, count, 50), LVL_OK);
    assert_int_equal(lvl_doc_restore_derived(doc, &t->items[0], checked, 1),
                     LVL_OK); /* no disagreement at all */
    assert_int_equal(lvl_doc_recompute_derived(doc), LVL_OK);
    assert_int_equal(t->count, 50);
    assert_int_equal(lvl_doc_derived(doc, t, count, 3), 50);
    assert_int_equal(lvl_doc_derived(doc, &t->items[0], checked, 1), 1);
    lvl_doc_drop_overrides(doc);
    assert_int_equal(lvl_doc_derived(doc, t, count, 3), 3);
    lvl_doc_free(doc);
}

static void texts_and_cells_are_copied(void **state)
{
    lvl_doc *doc = toy_of((const uint8_t *)"\0\0\0\0", 4);
    toy *t = lvl_doc_root(doc);
    char text[] = "Claw\0x";
    static const uint8_t grid[6] = {1, 2, 3, 4, 5, 6};

    (void)state;
    assert_int_equal(lvl_put_text(doc, t, toy_field("title"), lvl_text_of("1234567")), LVL_OK);
    assert_string_equal(t->title, "1234567");
    assert_int_equal(lvl_put_text(doc, t, toy_field("title"), lvl_text_of("12345678")), LVL_ERR_ARG);
    assert_int_equal(lvl_put_text(doc, t, toy_field("title"), lvl_text_of("ab")), LVL_OK);
    assert_memory_equal(t->title, "ab\0\0\0\0\0\0", 8);
    assert_int_equal(lvl_put_text(doc, &t->boss, item_field("name"), (lvl_text){text, 6}), LVL_OK);
    text[0] = '?';
    assert_int_equal(t->boss.name.len, 6);
    assert_memory_equal(t->boss.name.ptr, "Claw\0x", 6);

    t->tiles = (lvl_cells){grid, 3, 2, 1};
    assert_int_equal(lvl_cell(&t->tiles, 2, 1), 6);
    uint8_t *own = lvl_cells_edit(doc, t, toy_field("tiles"));
    assert_non_null(own);
    own[5] = 9;
    assert_int_equal(lvl_cell(&t->tiles, 2, 1), 9);
    assert_int_equal(grid[5], 6);
    t->tiles = (lvl_cells){NULL, 3, 2, 4};
    own = lvl_cells_edit(doc, t, toy_field("tiles"));
    assert_non_null(own);
    assert_int_equal(lvl_cell(&t->tiles, 2, 1), 0);
    t->tiles = (lvl_cells){NULL, UINT32_MAX, UINT32_MAX, 4}; /* 64 EiB */
    assert_null(lvl_cells_edit(doc, t, toy_field("tiles")));
    lvl_doc_free(doc);
    lvl_doc_free(NULL);
}

static void limits_of_input(void **state)
{
    lvl_doc *doc = NULL;

    (void)state;
    lvl_ctx_init(&ctx);
    ctx.limits.input_bytes = 5;
    lvl_findings *list = lvl_findings_new(&ctx);
    assert_int_equal(
        lvl_read(&doc, &ctx, &toy_format, (lvl_bytes){(const uint8_t *)"123456", 6}, NULL, 0, list),
        LVL_ERR_LIMIT);
    assert_null(doc);
    assert_int_equal(lvl_findings_worst(list), LVL_FATAL);
    lvl_findings_free(list);
    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 600; /* the root fits, the items don't */
    static const uint8_t many[200];
    assert_int_not_equal(lvl_read(&doc, &ctx, &toy_format, (lvl_bytes){many, sizeof many}, NULL, 0, NULL),
                         LVL_OK);
    assert_null(doc);
    lvl_ctx_init(&ctx);
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){(const uint8_t *)"not a level", 11}, "a.txt", 0, NULL),
        LVL_ERR_FOREIGN);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){NULL, 0}, NULL, 0, NULL), LVL_ERR_FOREIGN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_of_every_size),
        cmocka_unit_test(presence_hangs_on_the_tag),
        cmocka_unit_test(flags_to_text_and_back),
        cmocka_unit_test(lists_grow_and_shrink),
        cmocka_unit_test(lists_grow_in_turns),
        cmocka_unit_test(disagreements_hold_until_the_content_changes),
        cmocka_unit_test(texts_and_cells_are_copied),
        cmocka_unit_test(limits_of_input),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
