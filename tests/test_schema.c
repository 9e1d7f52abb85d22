/*
 * Schema and reference: every field of every table of every format is in both, and dumps have only what the
 * schema allows.
 */
#include "expect.h"
#include "codec/json.h"
#include "tools/world/reference.h"
#include "tools/values/schema.h"
#include "tools/tools.h"
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

static yyjson_val *definition(yyjson_doc *schema, const char *name)
{
    return yyjson_obj_get(yyjson_obj_get(yyjson_doc_get_root(schema), "$defs"), name);
}

static void has_fields(yyjson_doc *schema, const lvl_table *table, const char *page, unsigned depth)
{
    yyjson_val *def = definition(schema, table->name), *props = yyjson_obj_get(def, "properties");

    if (!props)
        fail_msg("no definition of %s", table->name);
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        yyjson_val *where = props;
        char name[100];
        if (f->role == LVL_KEPT)
            where = yyjson_obj_get(yyjson_obj_get(props, "~"), "properties");
        if (!yyjson_obj_get(where, f->name))
            fail_msg("%s.%s isn't in the schema", table->name, f->name);
        snprintf(name, sizeof name, "`%s`", f->name);
        if (!strstr(page, name))
            fail_msg("%s.%s isn't in the reference", table->name, f->name);
        if (f->table && depth)
            has_fields(schema, f->table, page, depth - 1);
    }
}

/* The pages of all formats that use this table; each has the fields of its own form. */
static void put_pages(const lvl_format *format, lvl_buffer *pages)
{
    const lvl_table *table = format->table;

    assert_int_equal(lvl_reference(format, pages), LVL_OK);
    for (size_t i = 0; i < lvl_format_count(); i++) {
        if (lvl_format_at(i) != format && lvl_format_at(i)->table == table)
            assert_int_equal(lvl_reference(lvl_format_at(i), pages), LVL_OK);
    }
    lvl_buffer_u8(pages, 0);
}

static void look_at(const lvl_format *format)
{
    lvl_buffer schema = {0}, page = {0};
    lvl_json_error error;

    assert_int_equal(lvl_schema(format, &schema), LVL_OK);
    put_pages(format, &page);
    lvl_text text = {(const char *)schema.data, schema.len};
    yyjson_doc *tree = lvl_json_read(NULL, text, &error);
    if (!tree)
        fail_msg("%s: line %zu, column %zu: %s", format->id, error.line, error.column, error.text);
    has_fields(tree, format->table, (const char *)page.data, 6);
    if (format->finding_count)
        lvl_expect_in(page.data, "](../findings.md#");
    yyjson_doc_free(tree);
    lvl_buffer_free(&schema);
    lvl_buffer_free(&page);
}

static void every_format(void **state)
{
    (void)state;
    look_at(&toy_format);
    for (size_t i = 0; i < lvl_format_count(); i++)
        look_at(lvl_format_at(i));
}

/* Formats that share a table have pages of their own. */
static void only_its_form(void **state)
{
    static const struct {
        const char *format, *has[4], *lacks[5];
    } pages[] = {
        {"graal",
         {"| `file` |", "`GR-V1.05` |", "| `baddies` |", "--findings graal`"},
         {"| `tilesets` |", "`GLEVNW01` |", "| `dest_layer` |", "--findings nw`", "### tileset"}},
        {"nw",
         {"| `tilesets` |", "`GLEVNW01` |", "| `dest_layer` |", "--findings nw`"},
         {"| `file` |", "`GR-V1.05` |", "--findings graal`", "| meaning | severity |", "Only while version"}},
    };
    (void)state;

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        lvl_buffer page = {0};
        assert_int_equal(lvl_reference(lvl_format_find(pages[i].format), &page), LVL_OK);
        lvl_buffer_u8(&page, 0);
        for (size_t k = 0; k < 4; k++) {
            if (!strstr((const char *)page.data, pages[i].has[k]))
                fail_msg("%s: no %s", pages[i].format, pages[i].has[k]);
        }
        for (size_t k = 0; k < 5; k++) {
            if (strstr((const char *)page.data, pages[i].lacks[k]))
                fail_msg("%s: has %s", pages[i].format, pages[i].lacks[k]);
        }
        lvl_buffer_free(&page);
    }
}

static void conditions(void **state)
{
    lvl_buffer schema = {0};
    (void)state;

    assert_int_equal(lvl_schema(&toy_format, &schema), LVL_OK);
    lvl_buffer_u8(&schema, 0);
    lvl_expect_in(schema.data,
                  "{\"if\":{\"required\":[\"radius\"]},\"then\":{\"properties\":{\"kind\":{\"enum\":"
                  "[\"round\",2]}},\"required\":[\"kind\"]}}");
    lvl_expect_in(schema.data, "\"pattern\":\"^(main|wrap|draw|0x[0-9a-f]+|[0-9]+)(\\\\|(main|wrap|draw|");
    lvl_buffer_free(&schema);
}

static void all_findings(void **state)
{
    lvl_buffer json = {0}, text = {0};
    size_t lines = 0, want = LVL_FAULT_COUNT;
    (void)state;

    assert_int_equal(lvl_findings_reference(&ctx, NULL, NULL, true, &json), LVL_OK);
    assert_int_equal(lvl_findings_reference(&ctx, &toy_format, NULL, false, &text), LVL_OK);
    lvl_buffer_u8(&text, 0);
    lvl_expect_in(text.data, "toy.checksum\n    The checksum doesn't fit.\n    error; salvage: warning\n"
                             "    repair: recomputes it\n");
    for (size_t from = 0, i = 0; i < json.len; i++) {
        lvl_json_error error;
        if (json.data[i] != '\n')
            continue;
        lvl_text line = {(const char *)json.data + from, i - from};
        yyjson_doc *tree = lvl_json_read(NULL, line, &error);
        assert_non_null(tree);
        yyjson_doc_free(tree);
        from = i + 1;
        lines++;
    }
    assert_true(lines > want);
    lvl_buffer_free(&json);
    lvl_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_format), cmocka_unit_test(only_its_form),
                                       cmocka_unit_test(conditions), cmocka_unit_test(all_findings)};
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
