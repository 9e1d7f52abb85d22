/*
 * test_filled.c: the fields that cat_filled_fields finds in a record, beside a look at each field, for all
 * tables of all formats: with defaults, and with each byte changed.
 */
#include "base/format.h"
#include "base/record.h"
#include "catalogue/filled.h"

#include <lvl/doc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_TABLES = 400 };

static const lvl_table *tables[MOST_TABLES];
static size_t table_count;

static void add_table(const lvl_table *table)
{
    for (size_t i = 0; i < table_count; i++) {
        if (tables[i] == table)
            return;
    }
    assert_true(table_count < MOST_TABLES);
    tables[table_count++] = table;
    for (uint32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].table)
            add_table(table->fields[i].table);
    }
}

/* Whether the member has content, other than its default. */
static bool has_content(const void *record, const lvl_field *f)
{
    if (f->kind == LVL_INT)
        return ((uint64_t)lvl_get_int(record, f) ^ (uint64_t)f->def) & ~f->stored;
    if (f->kind != LVL_RECORD)
        return !lvl_field_is_default(record, f);
    for (uint32_t i = 0; i < f->table->field_count; i++) {
        const lvl_field *inner = &f->table->fields[i];
        if (cat_may_be_content(inner) && has_content(lvl_get_record(record, f), inner))
            return true;
    }
    return false;
}

/* None that has content may be left out. */
static void compare(const cat_filled *filled, const lvl_table *table, const void *record)
{
    const uint64_t found = cat_filled_fields(filled, record);
    unsigned n = 0;

    for (uint32_t i = 0; i < table->field_count; i++) {
        if (!cat_may_be_content(&table->fields[i]))
            continue;
        if (has_content(record, &table->fields[i]) && !(found >> n & 1))
            fail_msg("%s.%s has content", table->name, table->fields[i].name);
        n++;
    }
}

static void finds_what_differs(void **state)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xFF};
    size_t with_masks = 0;

    (void)state;
    for (size_t i = 0; lvl_format_at(i); i++)
        add_table(lvl_format_at(i)->table);
    for (size_t t = 0; t < table_count; t++) {
        const lvl_table *table = tables[t];
        cat_filled filled = {0};
        uint8_t *record = calloc(1, table->struct_size);
        assert_non_null(record);
        lvl_record_init(record, table);
        if (cat_filled_make(&filled, table)) {
            /* nothing differs: only what always has to be looked at */
            assert_int_equal(cat_filled_fields(&filled, record), filled.always);
            with_masks += filled.count != 0;
            for (uint32_t at = 0; at < table->struct_size; at++) {
                for (size_t k = 0; k < sizeof changes; k++) {
                    record[at] ^= changes[k];
                    compare(&filled, table, record);
                    record[at] ^= changes[k];
                }
            }
        }
        cat_filled_free(&filled);
        free(record);
    }
    assert_true(with_masks > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_differs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
