/*
 * test_info.c: summaries: fields by what their table says of them, computed facts between them; the tables
 * of all formats mark only what can be shown.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "base/map_layout.h"
#include "base/record.h"
#include "tools/values/schema.h"
#include "tools/tools.h"
#include "toy.h"

#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static const char *summary(const lvl_doc *doc, bool json, lvl_buffer *out)
{
    const lvl_info_options options = {.file = "a.toy", .json = json};

    out->len = 0;
    assert_int_equal(lvl_info_write(doc, &options, out), LVL_OK);
    lvl_buffer_u8(out, 0);
    return (const char *)out->data;
}

static void test_fields(void **state)
{
    lvl_doc *doc = toy_doc(&ctx, 2);
    toy_level *t = lvl_doc_root(doc);
    lvl_buffer out = {0};

    (void)state;
    memset(t->name, 0, sizeof t->name);
    t->flags = 5;
    t->mood = 7;
    t->kind = 1;
    t->box_size = 9;
    t->lives = 0;
    const char *json = strstr(summary(doc, true, &out), "\"mood\"");
    assert_non_null(json);
    assert_string_equal(
        json, "\"mood\":\"unknown\",\"lives\":0,\"box_size\":9,\"size\":\"12 x 5 cells\",\"width\":12,"
              "\"height\":5,\"twice\":4,\"thing_count\":2,\"things\":[{\"name\":\"thing "
              "0\",\"type\":\"coin\"},{\"name\":\"thing 1\",\"type\":\"rat\"}],\"flags\":\"main|draw\"}\n");
    const char *text = strchr(summary(doc, false, &out), '\n');
    assert_non_null(text);
    assert_string_equal(
        text, "\n  mood      unknown\n  side      9\n  size      12 x 5 cells\n  things\n    thing 0, coin\n"
              "    thing 1, rat\n  switches  main|draw\n");
    /* a name before all other fields, up to a NUL, without the blanks that fill it up; a field that its
     * `when` excludes, and one that the format shows itself */
    memcpy(t->name, "Hut  \0x", 7);
    t->kind = 2;
    t->mood = -1;
    t->lives = 3;
    t->thing_count = 0;
    text = strchr(summary(doc, false, &out), '\n');
    assert_string_equal(text, "\n  called    Hut\n  mood      sad\n  lives     3\n  size      12 x 5 cells\n "
                              " switches  main|draw\n");
    assert_non_null(
        strstr(summary(doc, true, &out), ",\"title\":\"Hut\",\"mood\":\"sad\",\"lives\":3,\"size\""));
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
}

/* Fields are marked that can be shown, each under a key of its own. */
static void check_table(const lvl_table *table, unsigned depth)
{
    for (uint32_t i = 0; i < table->field_count && depth < 8; i++) {
        const lvl_field *f = &table->fields[i];
        const lvl_summary *s = &f->summary;
        if (f->table && f->table != table)
            check_table(f->table, depth + 1);
        if (s->show == LVL_SHOW_NOT) {
            assert_true(!s->label && !s->key && !s->items && !s->order);
            continue;
        }
        assert_true(f->kind != LVL_REAL && f->kind != LVL_RECORD);
        assert_true(s->show != LVL_SHOW_MANY || f->kind == LVL_LIST);
        assert_true(!s->items || (f->kind == LVL_LIST && f->item == LVL_RECORD));
        assert_true(s->show != LVL_SHOW_MANY || f->kind == LVL_LIST);
        assert_true(!s->items || (s->key && strcmp(s->key, f->name) != 0)); /* the key of their number */
        for (uint32_t k = 0; k < i; k++) {
            const lvl_summary *o = &table->fields[k].summary;
            if (o->show != LVL_SHOW_NOT &&
                strcmp(s->key ? s->key : f->name, o->key ? o->key : table->fields[k].name) == 0)
                fail_msg("%s: two fields of a summary have the key %s", table->name,
                         s->key ? s->key : f->name);
        }
    }
}

static void test_tables(void **state)
{
    size_t marked = 0;

    (void)state;
    for (size_t i = 0; lvl_format_at(i); i++) {
        const lvl_table *table = lvl_format_at(i)->table;
        check_table(table, 0);
        for (uint32_t k = 0; k < table->field_count; k++)
            marked += table->fields[k].summary.show != LVL_SHOW_NOT;
    }
    assert_true(marked > 0);
}

/* Roles of lists; the others are of values. */
enum {
    OF_LISTS = LVL_ROLE_LINKS | LVL_ROLE_LAYERS | LVL_ROLE_OBJECTS | LVL_ROLE_FILES | LVL_ROLE_LEVELS |
               LVL_ROLE_PROPERTY,
    OF_SEVERAL = LVL_ROLE_OBJECTS | LVL_ROLE_PROPERTY,
    OF_NUMBERS = LVL_ROLE_X | LVL_ROLE_Y | LVL_ROLE_WIDTH | LVL_ROLE_HEIGHT | LVL_ROLE_ORDER | LVL_ROLE_LEFT |
                 LVL_ROLE_TOP | LVL_ROLE_RIGHT | LVL_ROLE_BOTTOM | LVL_ROLE_CELL_WIDTH |
                 LVL_ROLE_CELL_HEIGHT | LVL_ROLE_PARALLAX_X | LVL_ROLE_PARALLAX_Y | LVL_ROLE_START_X |
                 LVL_ROLE_START_Y | LVL_ROLE_BOUNDS | LVL_ROLE_NUMBER | LVL_ROLE_FLIP
};

/* Each role of one record is that of one field, and fits its kind. */
static void check_roles(const lvl_table *table)
{
    unsigned seen = 0;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        assert_int_equal(seen & f->roles, 0);
        seen |= f->roles & ~(unsigned)OF_SEVERAL;
        if (f->roles & OF_LISTS)
            assert_int_equal(f->kind, LVL_LIST);
        if (f->roles & OF_NUMBERS)
            assert_true(f->kind == LVL_INT || f->kind == LVL_REAL);
    }
}

/* Items that stand in a level have a place; each layer has cells; a layout describes lists that there are. */
static void test_roles(void **state)
{
    size_t lists = 0, layered = 0;

    (void)state;
    for (size_t i = 0; lvl_format_at(i); i++) {
        const lvl_format *format = lvl_format_at(i);
        const lvl_map_layout *layout = lvl_map_layout_of(format);
        const lvl_field *layers = lvl_map_layers(format);
        const lvl_table *tables[LVL_MAX_TABLES];
        lvl_map_objects objects[LVL_MAP_LISTS];
        const uint32_t count = lvl_map_objects_of(format, objects);
        const lvl_field *outer;

        for (uint32_t k = lvl_tables_below(format->table, tables, NULL, NULL); k-- > 0;)
            check_roles(tables[k]);
        if (layers) {
            const lvl_map_cells c = lvl_map_cells_of(layers->table);
            assert_true(!c.cells != !c.squares);
            assert_int_equal(!c.squares, !c.pixels);
            layered++;
        }
        assert_true(count < LVL_MAP_LISTS);
        for (uint32_t k = 0; k < count; k++, lists++) {
            const lvl_table *item = objects[k].list->table;
            assert_non_null(lvl_field_with_role(item, LVL_ROLE_X, &outer));
            assert_non_null(lvl_field_with_role(item, LVL_ROLE_Y, &outer));
        }
        for (uint32_t k = 0; k < layout->list_count; k++)
            assert_true(k < count && objects[k].how == &layout->lists[k]);
    }
    assert_true(lists > 0 && layered > 0);
}

static size_t bits_of(unsigned roles)
{
    return roles ? 1 + bits_of(roles & (roles - 1)) : 0;
}

/* Each role has a word in the description of a format. */
static void test_words_of_roles(void **state)
{
    (void)state;
    for (size_t i = 0; lvl_format_at(i); i++) {
        const lvl_format *format = lvl_format_at(i);
        const lvl_table *tables[LVL_MAX_TABLES];
        size_t roles = 0, words = 0;
        lvl_buffer json = {0};

        for (uint32_t k = lvl_tables_below(format->table, tables, NULL, NULL); k-- > 0;) {
            for (uint32_t f = 0; f < tables[k]->field_count; f++)
                roles += bits_of(tables[k]->fields[f].roles);
        }
        assert_int_equal(lvl_format_json(format, true, &json), LVL_OK);
        lvl_buffer_u8(&json, 0);
        static const char key[] = "\"roles\":[";
        for (const char *p = (const char *)json.data; (p = strstr(p, key)) != NULL; p++) {
            for (const char *q = p + sizeof key - 1; *q != ']'; q++)
                words += *q == '"';
        }
        assert_int_equal(words, 2 * roles);
        lvl_buffer_free(&json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_words_of_roles),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
