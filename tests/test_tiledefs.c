/*
 * test_tiledefs.c: lists of tile definitions: columns and their unusual spelling, edits that change
 * nothing else, findings, what those who draw levels read, and every real file. Hostile input is in
 * test_hostile_gmap.c.
 */
#include "base/buffer.h"
#include "corpus.h"
#include "expect.h"
#include "measure.h"

#include "base/format.h"
#include "graal/tiles/tiledefs.h"

#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char plain[] =
    "pics4.png,,0,0,0\r\npics4_winter.png,snow_,2,0,0\r\nice.png,snow_7.nw,4,64,-400\r\n";
static const char odd[] =
    "\n a.png , b c ,1, 2 ,3\n\nx.png,,4\n#comment\n,foo,0,0,0\nq.png,lev,12,1.5,99999999999,5\na.png";

static lvl_ctx ctx;

static lvl_bytes bytes_of(const char *text)
{
    return (lvl_bytes){(const uint8_t *)text, strlen(text)};
}

static lvl_doc *read_text(const char *text, const char *name, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes_of(text), name, 0, findings), LVL_OK);
    assert_string_equal(lvl_doc_format(doc)->id, "tiledefs");
    return doc;
}

static void test_read(void **state)
{
    lvl_doc *doc = read_text(plain, "dir/MyTileDefsWorld.TXT", NULL);
    const lvl_tiledefs *t = lvl_doc_croot(doc);

    (void)state;
    assert_int_equal(t->line_end, LVL_TILEDEFS_CRLF);
    assert_int_equal(t->def_count, 3);
    assert_true(lvl_text_is(t->defs[1].image, "pics4_winter.png"));
    assert_true(lvl_text_is(t->defs[1].level_start, "snow_"));
    assert_int_equal(t->defs[1].type, LVL_TILEDEF_NEW_WORLD_2);
    assert_int_equal(t->defs[2].x, 64);
    assert_int_equal(t->defs[2].y, -400);
    lvl_expect_written(doc, bytes_of(plain));
    lvl_doc_free(doc);
}

static void test_odd(void **state)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_doc *doc = read_text(odd, "tiledefs.txt", findings);
    const lvl_tiledefs *t = lvl_doc_croot(doc);

    (void)state;
    assert_int_equal(t->def_count, 6);
    assert_true(lvl_text_is(t->defs[0].level_start, "b c"));
    assert_int_equal(t->defs[0].x, 2);
    assert_int_equal(t->defs[4].type, 12);
    assert_int_equal(t->defs[4].x, 1);
    assert_int_equal(t->defs[4].y, INT32_MAX);
    assert_int_equal(lvl_count_id(findings, "tiledefs.line.short"), 3);
    assert_int_equal(lvl_count_id(findings, "tiledefs.line.more"), 1);
    assert_int_equal(lvl_count_id(findings, "tiledefs.number"), 1);
    assert_int_equal(lvl_count_id(findings, "tiledefs.type"), 1);
    lvl_expect_written(doc, bytes_of(odd));
    lvl_doc_free(doc);
    lvl_findings_free(findings);
}

/* Only a file with the name and the lines is one. */
static void test_recognition(void **state)
{
    static const struct {
        const char *name, *text;
        bool known;
    } all[] = {
        {"tiledefs.txt", "a.png,,0\n", true},
        {"\xEF\xBB\xBF.txt", "a.png,,0,0,0\n", false},
        {"old_tiledefs1.txt", "\xEF\xBB\xBF\n\na.png,x,4,1,2\n", true},
        {"tiledefs/list.txt", "a.png,,0,0,0\n", false},
        {"tiledefs.csv", "a.png,,0,0,0\n", false},
        {"tiledefs.txt", "image,start,type,x,y\n", false},
        {"tiledefs.txt", "a.png,,0,0,0,0\n", false},
        {"tiledefs.txt", "a.png,x\n", false},
        {"tiledefs.txt", "\n\n", false},
        {"tiledefs.txt", "", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        lvl_doc *doc = NULL;
        const lvl_status status = lvl_read(&doc, &ctx, NULL, bytes_of(all[i].text), all[i].name, 0, NULL);
        if ((status == LVL_OK) != all[i].known)
            fail_msg("%s with '%s': %d", all[i].name, all[i].text, (int)status);
        lvl_doc_free(doc);
    }
}

static void expect_edit(const char *text, const char *edit, const char *want)
{
    lvl_doc *doc = read_text(text, "tiledefs.txt", NULL);

    assert_int_equal(lvl_set(doc, &edit, 1, NULL, NULL), LVL_OK);
    lvl_expect_written(doc, bytes_of(want));
    lvl_doc_free(doc);
}

static void test_edits(void **state)
{
    (void)state;
    expect_edit("a.png , b c ,1, 2 ,3\nx.png , ,0,0,0\n", "defs[0].y=7", "a.png,b c,1,2,7\nx.png , ,0,0,0\n");
    expect_edit("a.png,b,1,2,3\r\nx.png,,4\r\n", "defs[0].type=paste", "a.png,b,4,2,3\r\nx.png,,4\r\n");
    expect_edit("a.png,b,1,2,3\nx.png,,4", "defs[1].x=9", "a.png,b,1,2,3\nx.png,,4,9,0");
    expect_edit("a.png,b,0,0,0\n", "defs[+]={\"image\":\"c.png\",\"type\":\"none\"}",
                "a.png,b,0,0,0\nc.png,,5,0,0\n");
    expect_edit("a.png,b,0,0,0\n", "defs[0].level_start=", "a.png,,0,0,0\n");
}

/* What a line cannot hold is refused by the name of the field. */
static void test_unwritable(void **state)
{
    lvl_doc *doc = read_text("a.png,b,0,0,0\n", "tiledefs.txt", NULL);
    lvl_tiledefs *t = lvl_doc_root(doc);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_buffer out = {0};

    (void)state;
    t->defs[0].image = lvl_text_of("a,b.png");
    assert_int_equal(lvl_doc_write_with_findings(doc, &out, findings), LVL_ERR_LOSS);
    assert_int_equal(lvl_count_id(findings, "tiledefs.text"), 1);
    lvl_findings_free(findings);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
}

static lvl_status count_def(void *user, const lvl_tiledef *def)
{
    uint32_t *counts = user;

    counts[0]++;
    counts[1] += (uint32_t)def->type;
    return counts[0] == 4 ? LVL_ERR_LIMIT : LVL_OK;
}

/* Those who draw levels get the lines that define something. */
static void test_visit(void **state)
{
    uint32_t counts[2] = {0, 0};

    (void)state;
    assert_int_equal(lvl_graal_tiledefs_visit(bytes_of(odd), count_def, counts), LVL_OK);
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[1], 1 + 4 + 12);
    assert_int_equal(lvl_graal_tiledefs_visit((lvl_bytes){NULL, 0}, count_def, counts), LVL_OK);
    assert_int_equal(lvl_graal_tiledefs_visit(bytes_of(plain), count_def, counts), LVL_ERR_LIMIT);
}

static void test_corpus(void **state)
{
    const char *corpus = lvl_corpus_dir();
    char folder[1024];
    lvl_paths paths;
    lvl_measure m = {0};

    (void)state;
    if (!corpus)
        skip();
    snprintf(folder, sizeof folder, "%s/graal", corpus);
    assert_true(lvl_paths_below(&paths, folder, "txt"));
    for (size_t i = 0; i < paths.count; i++) {
        const char *name = lvl_path_name(paths.items[i]);
        lvl_bytes file = {NULL, 0};
        if (!strstr(name, "tiledefs"))
            continue;
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        file.ptr = data;
        assert_true(lvl_measure_bytes(&m, lvl_format_find("tiledefs"), file, name));
        free(data);
    }
    lvl_paths_free(&paths);
    print_message("%zu lists, %zu exact, %llu bits residue\n", m.files, m.exact,
                  (unsigned long long)m.residue_bits);
    assert_int_equal(m.exact, m.files);
    assert_int_equal(m.residue_bits + m.overlap_bits + m.kept, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),   cmocka_unit_test(test_odd),        cmocka_unit_test(test_recognition),
        cmocka_unit_test(test_edits),  cmocka_unit_test(test_unwritable), cmocka_unit_test(test_visit),
        cmocka_unit_test(test_corpus),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
