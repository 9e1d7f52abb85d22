/*
 * Tables in CSV: what is written is read back and changes nothing; each wrong table is refused, with its line
 * and column, and changes nothing; cells are replaced by their old values; memory may run out at any call.
 */
#include "base/format.h"
#include "starve.h"
#include "tools/edit/cell_map.h"
#include "tools/picture/sheet.h"
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

/* Sets a table in a document of three things. The result is "" or "line: column: reason", in `why`. */
static lvl_status set_table(lvl_doc *doc, const char *csv, size_t len, char *why, size_t size)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_sheet_place place;
    lvl_sheet sheet;
    size_t changed = 0;

    if (!findings)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_sheet_read(&sheet, (lvl_text){csv, len}, &place, findings);
    if (status == LVL_OK)
        status = lvl_sheet_set(doc, &sheet, "a.toy", &changed, &place, findings);
    const char *text = lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : "";
    snprintf(why, size, "%zu: %s: %s", place.line, place.column, status == LVL_OK ? "" : text);
    if (status == LVL_OK)
        snprintf(why, size, "%zu changed", changed);
    lvl_sheet_free(&sheet);
    lvl_findings_free(findings);
    return status;
}

static void get_table(const lvl_doc *doc, const char *const *paths, size_t count, lvl_buffer *out)
{
    lvl_buffer rows = {0};
    size_t found;

    assert_int_equal(lvl_sheet_get(doc, paths, count, NULL, out, &rows, &found, NULL), LVL_OK);
    lvl_buffer_add(out, rows.data, rows.len);
    lvl_buffer_u8(out, 0);
    lvl_buffer_free(&rows);
    assert_int_equal(out->status, LVL_OK);
}

static void tables_are_written(void **state)
{
    static const char *const things[] = {"things[*]", "name", "x"}, *const root[] = {"lives", "start.y"};
    lvl_doc *doc = toy_doc(&ctx, 3);
    lvl_buffer out = {0};
    char why[400];
    (void)state;

    get_table(doc, things, 3, &out);
    assert_string_equal((char *)out.data, "path,name,x\r\nthings[0],thing 0,0\r\nthings[1],thing 1,10\r\n"
                                          "things[2],\"a\"\"b\\2\",20\r\n");
    out.len = 0;
    get_table(doc, root, 2, &out);
    assert_string_equal((char *)out.data, "path,lives,start.y\r\n,5,123456\r\n");
    /* all fields with one value; what is written changes nothing */
    for (int all = 0; all < 2; all++) {
        static const char *const each[] = {"things[*]"}, *const document[] = {""};
        out.len = 0;
        get_table(doc, all ? document : each, 1, &out);
        assert_int_equal(set_table(doc, (char *)out.data, out.len - 1, why, sizeof why), LVL_OK);
        assert_string_equal(why, "0 changed");
    }
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
}

static void values_are_set(void **state)
{
    static const char table[] = "\xEF\xBB\xBFx;path;name\r\n7;things[1];\"=A1+\"\"b\"\"; c\"\r\n\r\n"
                                "20;things[-1];\"a\"\"b\\2\"\r\n";
    lvl_doc *doc = toy_doc(&ctx, 3);
    char why[400];
    (void)state;

    assert_int_equal(set_table(doc, table, sizeof table - 1, why, sizeof why), LVL_OK);
    assert_string_equal(why, "2 changed");
    const toy_level *t = lvl_doc_root(doc);
    assert_int_equal(t->things[1].x, 7);
    assert_int_equal(t->things[1].name.len, 10);
    assert_memory_equal(t->things[1].name.ptr, "=A1+\"b\"; c", 10);
    assert_int_equal(set_table(doc, "file,lives\na.toy,7\nb.toy,9\n", 27, why, sizeof why), LVL_OK);
    assert_int_equal(t->lives, 7);
    assert_int_equal(set_table(doc, "file\tlives\nb.toy\t9\n", 19, why, sizeof why), LVL_OK);
    assert_string_equal(why, "0 changed");
    lvl_doc_free(doc);
}

static void wrong_tables_change_nothing(void **state)
{
    static const char *const cases[][2] = {
        {"", "1: : expected a table, found an empty file"},
        {"path,x,x\n", "1: x: the column is there twice"},
        {"path,,x\n", "1: : column 2 has no name"},
        {"path,size\nthings[0],1\n", "1: size: thing has no field \"size\""},
        {"path,x\nthings[0],1\nthings[7],2\n", "3: path: "},
        {"path,x\nthings[0],1\nthings[0],2\n", "3: : the row is there twice, first in line 2"},
        {"path,x\nthings[0],1\n\"things[\"\"thing 0\"\"]\",2\n", "3: path: an earlier row has the same path"},
        {"path,x\nthings[0],1\nthings[1],40000\n", "3: x: expected a 16-bit integer, got \"40000\""},
        {"path,x\nthings[0],1\nthings[1],=2+3\n", "3: x: expected a 16-bit integer, got \"=2+3\""},
        {"path,x\nthings[0],1\nthings[1],\n", "3: x: expected a 16-bit integer, got \"\""},
        {"path,x\nthings[0],1\nthings[1]\n", "3: : expected 2 columns, found 1"},
        {"path,x\nthings[0],1\nthings[1],2,3\n", "3: : expected 2 columns, found 3"},
        {"path,x\nthings[0],1\nthings[*],2\n", "3: path: expected the path of one record"},
        {"path,x\nthings[0],1\nlives,2\n", "3: path: expected the path of one record"},
        {"path,x\nthings[0],1\nthings[+],2\n", "3: path: expected the path of one record"},
        {"path,x\nthings[0],1\nthings[,2\n", "3: path: "},
        {"path,x\nthings[0],1\n\"things[1],2\n", "3: : a closing quote is missing"},
        {"path,x\nthings[0],1\n\"things[1]\"2,2\n", "3: : expected the end of the field after its closing"},
        {"path,name\nthings[0],\"a\nb\"\nthings[1],\xFF\n", "4: : expected UTF-8"},
        {"path,name_size\nthings[0],1\n", "2: name_size: "},
        {"path,tags.x\nthings[0],1\n", "1: tags.x: "},
    };
    lvl_doc *doc = toy_doc(&ctx, 3);
    lvl_buffer before = {0}, after = {0};
    char why[400];
    (void)state;

    assert_int_equal(lvl_doc_write(doc, &before), LVL_OK);
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        const lvl_status status = set_table(doc, cases[i][0], strlen(cases[i][0]), why, sizeof why);
        if (status != LVL_ERR_ARG || strncmp(why, cases[i][1], strlen(cases[i][1])) != 0)
            fail_msg("%s: status %d, \"%s\", want \"%s\"", cases[i][0], status, why, cases[i][1]);
        after.len = 0;
        assert_int_equal(lvl_doc_write(doc, &after), LVL_OK);
        assert_int_equal(before.len, after.len);
        assert_memory_equal(before.data, after.data, before.len);
    }
    lvl_buffer_free(&before);
    lvl_buffer_free(&after);
    lvl_doc_free(doc);
}

static lvl_status map_cells(lvl_doc *doc, const char *path, const char *csv, char *why, size_t size)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_cell_map map;
    uint64_t counts[8] = {0};
    size_t line = 0, changed = 0;

    if (!findings)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_cell_map_read(&map, lvl_text_of(csv), &line, findings);
    if (status == LVL_OK)
        status = lvl_cell_map_apply(doc, path, &map, counts, &changed, &line, findings);
    if (status == LVL_OK)
        snprintf(why, size, "%llu %llu", (unsigned long long)counts[0], (unsigned long long)counts[1]);
    else
        snprintf(why, size, "%zu: %s", line,
                 lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : "");
    lvl_cell_map_free(&map);
    lvl_findings_free(findings);
    return status;
}

static void cells_are_replaced(void **state)
{
    static const char *const wrong[][2] = {
        {"3,4\n5,6\n0x3,7\n", "3: 3 is replaced twice, first in line 1"},
        {"3,4\n5\n", "2: expected two columns, found 1"},
        {"3,4\n5,65536\n", "2: expected a cell of 2 bytes, got \"65536\""},
        {"from,to\n", "1: the table is empty"},
        {"", "1: the table is empty"},
        {"3,4\nfrom,to\n", "2: expected a cell"},
        {"3,\"4\n", "1: a closing quote is missing"},
    };
    lvl_doc *doc = toy_doc(&ctx, 3);
    const toy_level *t = lvl_doc_root(doc);
    lvl_buffer before = {0}, after = {0};
    char why[400];
    (void)state;

    assert_int_equal(lvl_doc_write(doc, &before), LVL_OK);
    for (size_t i = 0; i < LVL_COUNT_OF(wrong); i++) {
        const lvl_status status = map_cells(doc, "cells", wrong[i][0], why, sizeof why);
        if (status != LVL_ERR_ARG || strncmp(why, wrong[i][1], strlen(wrong[i][1])) != 0)
            fail_msg("%s: status %d, \"%s\", want \"%s\"", wrong[i][0], status, why, wrong[i][1]);
    }
    assert_int_equal(map_cells(doc, "things", "3,4\n", why, sizeof why), LVL_ERR_ARG);
    assert_int_equal(map_cells(doc, "things[+]", "3,4\n", why, sizeof why), LVL_ERR_ARG);
    assert_int_equal(map_cells(doc, "cells[99,99]", "3,4\n", why, sizeof why), LVL_ERR_MISSING);
    /* a swap is no chain */
    const uint32_t a = lvl_cell(&t->cells, 2, 2), b = lvl_cell(&t->cells, 4, 2);
    char swap[60];
    snprintf(swap, sizeof swap, "from,to\n%u,%u\n%u,%u\n", (unsigned)a, (unsigned)b, (unsigned)b,
             (unsigned)a);
    assert_int_equal(map_cells(doc, "cells", swap, why, sizeof why), LVL_OK);
    assert_int_equal(lvl_cell(&t->cells, 2, 2), b);
    assert_int_equal(lvl_cell(&t->cells, 4, 2), a);
    assert_int_equal(map_cells(doc, "cells", swap, why, sizeof why), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &after), LVL_OK);
    assert_memory_equal(before.data, after.data, before.len);
    assert_int_equal(map_cells(doc, "cells[2,2]", swap, why, sizeof why), LVL_OK);
    assert_string_equal(why, "1 0");
    lvl_buffer_free(&before);
    lvl_buffer_free(&after);
    lvl_doc_free(doc);
}

static void memory_runs_out(void **state)
{
    static const char table[] = "file,path,x,name\na.toy,things[0],9,other\na.toy,things[1],8,more\n";
    static const char *const things[] = {"things[*]", "name", "x"};
    char why[400];
    (void)state;

    if (!lvl_starve_works())
        skip();
    for (int what = 0; what < 3; what++) {
        bool done = false;
        for (uint64_t from = 1; !done; from++) {
            lvl_buffer head = {0}, rows = {0};
            size_t found;
            lvl_doc *doc = toy_doc(&ctx, 3);
            lvl_starve_from(from, true);
            const lvl_status status =
                what == 0   ? set_table(doc, table, sizeof table - 1, why, sizeof why)
                : what == 1 ? map_cells(doc, "cells", "3,4\n4,3\n", why, sizeof why)
                            : lvl_sheet_get(doc, things, 3, "a.toy", &head, &rows, &found, NULL);
            done = lvl_starve_calls() < from;
            lvl_starve_from(0, false);
            if (!done && status != LVL_ERR_MEMORY && status != LVL_OK)
                fail_msg("call %llu of %d: status %d", (unsigned long long)from, what, status);
            if (done)
                assert_int_equal(status, LVL_OK);
            lvl_buffer_free(&head);
            lvl_buffer_free(&rows);
            lvl_doc_free(doc);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_written),
        cmocka_unit_test(values_are_set),
        cmocka_unit_test(wrong_tables_change_nothing),
        cmocka_unit_test(cells_are_replaced),
        cmocka_unit_test(memory_runs_out),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
