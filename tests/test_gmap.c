/*
 * test_gmap.c: world maps: rows and keys, unusual spelling byte for byte, edits that change nothing else,
 * findings and repairs, limits, and every real file.
 */
#include "base/buffer.h"
#include "expect.h"
#include "gmap_seeds.h"
#include "measure.h"

#include "base/format.h"

#include <lvl/gmap.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *gmap_format;

static lvl_doc *read_map(lvl_bytes bytes, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, gmap_format, bytes, NULL, 0, findings), LVL_OK);
    return doc;
}

static void test_read(void **state)
{
    lvl_doc *doc = read_map(lvl_gmap_seed(LVL_GMAP_SEED_FULL), NULL);
    const lvl_gmap *map = lvl_doc_croot(doc);

    (void)state;
    assert_int_equal(map->version, LVL_GRMAP001);
    assert_int_equal(map->width, 3);
    assert_int_equal(map->height, 2);
    assert_int_equal(map->row_count, 2);
    assert_true(lvl_text_is(map->rows[0].names[1], "b \"b\".nw"));
    assert_int_equal(map->rows[1].names[1].len, 0);
    assert_true(lvl_text_is(map->rows[1].names[2], "e.nw"));
    assert_true(lvl_text_is(map->map_image, "world.png"));
    assert_true(lvl_text_is(map->tileset, "pics2.png"));
    assert_int_equal(map->no_auto_mapping, 1);
    assert_int_equal(map->load_full_map, 0);
    assert_int_equal(map->load_count, 2);
    assert_true(lvl_text_is(map->load_at_start[1].names[1], "e.nw"));
    /* generated ground is kept line by line */
    assert_int_equal(map->other_count, 10);
    assert_true(lvl_text_is(map->others[0], "LEVHEIGHT 0.5"));
    assert_true(lvl_text_is(map->others[9], "SOMETHING else"));
    lvl_doc_free(doc);
}

/* What servers read otherwise than clients: sizes behind the names, empty names before others. */
static void test_servers(void **state)
{
    static const struct {
        const char *text, *id;
        size_t found;
    } cases[] = {
        {"GRMAP001\nWIDTH 2\nHEIGHT 1\nLEVELNAMES\n\"a.nw\",\"b.nw\"\nLEVELNAMESEND\n", "gmap.size.late", 0},
        {"GRMAP001\nWIDTH 2\nLEVELNAMES\n\"a.nw\",\"b.nw\"\nLEVELNAMESEND\nHEIGHT 1\n", "gmap.size.late", 1},
        {"GRMAP001\nLEVELNAMES\n\"a.nw\"\nLEVELNAMESEND\nHEIGHT 1\nWIDTH 1\n", "gmap.size.late", 2},
        {"GRMAP001\nWIDTH 2\nHEIGHT 1\nLEVELNAMES\n\"\",\"b.nw\"\nLEVELNAMESEND\n", "gmap.row.hole", 1},
        {"GRMAP001\nWIDTH 2\nHEIGHT 1\nLEVELNAMES\n\"a.nw\",\"\"\nLEVELNAMESEND\n", "gmap.row.hole", 0},
        {"\"a.nw\",\"\",\"b.nw\"\n", "gmap.row.hole", 0},
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_doc *doc = read_map((lvl_bytes){(const uint8_t *)cases[i].text, strlen(cases[i].text)}, findings);
        const lvl_check_request request = {.findings = findings};
        assert_int_equal(gmap_format->calls->check(doc, &request), LVL_OK);
        if (lvl_count_id(findings, cases[i].id) != cases[i].found)
            fail_msg("%s", cases[i].text);
        lvl_findings_free(findings);
        lvl_doc_free(doc);
    }
}

static void test_odd(void **state)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_doc *doc = read_map(lvl_gmap_seed(LVL_GMAP_SEED_ODD), findings);
    const lvl_gmap *map = lvl_doc_croot(doc);

    (void)state;
    assert_int_equal(map->line_end, LVL_GMAP_CRLF);
    assert_int_equal(map->width, 4);
    assert_int_equal(map->height, 3);
    /* a comma at the end of a row begins no cell */
    assert_int_equal(map->rows[0].name_count, 2);
    assert_int_equal(map->rows[1].name_count, 4);
    assert_true(lvl_text_is(map->rows[1].names[3], "e"));
    assert_true(lvl_text_is(map->map_image, "a.png"));
    assert_int_equal(lvl_count_id(findings, "gmap.key.doubled"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.key.value"), 1);
    assert_true(lvl_count_id(findings, "gmap.quote.open") >= 1);
    lvl_expect_written(doc, lvl_gmap_seed(LVL_GMAP_SEED_ODD));
    lvl_doc_free(doc);
    lvl_findings_free(findings);
}

/* Each seed, and every prefix of it, is written as it was read, also through a dump, and each byte has
 * exactly one span. */
static void test_exact(void **state)
{
    (void)state;
    for (int seed = 0; seed < LVL_GMAP_SEED_COUNT; seed++)
        assert_true(lvl_exact_all(lvl_format_find("gmap"), lvl_gmap_seed(seed)));
}

/* An edit changes the field and the sizes that follow from it; unusual lines stay. */
static void test_edit(void **state)
{
    static const char *const from =
        "GRMAP001\n\nWIDTH  1\nHEIGHT 01\nLEVELNAMES\n\"a.nw\" \n\nLEVELNAMESEND\nFOO\n\n";
    static const char *const to = "GRMAP001\n\nWIDTH  2\nHEIGHT 2\nMAPIMG map.png\nLEVELNAMES\n\"a.nw\" \n\n"
                                  "\"b.nw\",\"c.nw\"\nLEVELNAMESEND\nFOO\n\n";
    static const char *const assignments[] = {"rows[+]={\"names\":[\"b.nw\",\"c.nw\"]}", "map_image=map.png"};
    lvl_doc *doc = read_map(lvl_bytes_of(from), NULL);

    (void)state;
    assert_int_equal(lvl_set(doc, assignments, 2, NULL, NULL), LVL_OK);
    lvl_expect_written(doc, lvl_bytes_of(to));
    lvl_gmap *map = lvl_doc_root(doc);
    assert_int_equal(map->width, 2);
    map->rows[0].names[0] = lvl_text_of("A.nw");
    map->row_count = 1;
    map->map_image.len = 0;
    lvl_expect_written(
        doc,
        lvl_bytes_of("GRMAP001\n\nWIDTH  1\nHEIGHT 01\nLEVELNAMES\n\"A.nw\" \n\nLEVELNAMESEND\nFOO\n\n"));
    lvl_doc_free(doc);
}

/* A map without rows has the size in its file. */
static void test_generated(void **state)
{
    lvl_doc *doc = read_map(lvl_gmap_seed(LVL_GMAP_SEED_GENERATED), NULL);
    const lvl_gmap *map = lvl_doc_croot(doc);

    (void)state;
    assert_int_equal(map->width, 30);
    assert_int_equal(map->height, 12);
    assert_true(lvl_text_is(map->generated, "world_aa-01.nw"));
    assert_int_equal(map->row_count, 0);
    lvl_doc_free(doc);
}

static void test_check(void **state)
{
    static const char *const file =
        "GRMAP001\nHEIGHT 7\nLEVELNAMES\n\"a.nw\",\"B.nw\"\n\"b.NW\"\n\"../c.nw\",\"d.txt\"\n";
    static const char *const repaired =
        "GRMAP001\nWIDTH 2\nHEIGHT 3\nLEVELNAMES\n\"a.nw\",\"B.nw\"\n\"b.NW\",\"\"\n"
        "\"../c.nw\",\"d.txt\"\nLEVELNAMESEND\n";
    lvl_findings *findings = lvl_findings_new(&ctx), *log = lvl_findings_new(&ctx);
    lvl_doc *doc = read_map(lvl_bytes_of(file), findings);
    lvl_check_request request = {.findings = findings};
    lvl_repairs repairs = {.log = log, .normalize = true};

    (void)state;
    assert_int_equal(gmap_format->calls->check(doc, &request), LVL_OK);
    assert_int_equal(lvl_count_id(findings, "gmap.size.missing"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.size.wrong"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.row.short"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.level.doubled"), 1);
    assert_int_equal(lvl_count_id(findings, "gmap.level.name"), 2);
    assert_int_equal(lvl_count_id(findings, "gmap.block.open"), 1);
    assert_int_equal(lvl_findings_count(findings), 7);
    lvl_expect_written(doc, lvl_bytes_of(file));
    assert_int_equal(gmap_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_findings_count(log), 4);
    lvl_expect_written(doc, lvl_bytes_of(repaired));
    assert_int_equal(gmap_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_findings_count(log), 4);
    lvl_doc_free(doc);
    lvl_findings_free(log);
    lvl_findings_free(findings);
}

/* Rows outside the block are an error; repair moves them into it if HEIGHT then fits. */
static void test_outside(void **state)
{
    static const char *const whole =
        "GRMAP001\nWIDTH 1\nHEIGHT 3\nLEVELNAMES\n\"a.nw\"\n\"b.nw\"\n\"c.nw\"\nLEVELNAMESEND\n";
    static const struct {
        const char *file;
        bool certain;
    } cases[] = {
        {"GRMAP001\nWIDTH 1\nHEIGHT 3\nLEVELNAMES\n\"a.nw\"\nLEVELNAMESEND\n\"b.nw\"\n\"c.nw\"\n", true},
        {"GRMAP001\nWIDTH 1\nHEIGHT 3\n\"a.nw\"\nLEVELNAMES\n\"b.nw\"\nLEVELNAMESEND\n\"c.nw\"\n", true},
        {"GRMAP001\nWIDTH 1\nHEIGHT 3\nLEVELNAMES\n\"a.nw\"\nLEVELNAMESEND\n\"b.nw\"\n\"c.nw\"", true},
        {"GRMAP001\nWIDTH 1\nHEIGHT 2\nLEVELNAMES\n\"a.nw\"\nLEVELNAMESEND\n\"b.nw\"\n\"c.nw\"\n", false},
        {"GRMAP001\nWIDTH 1\nHEIGHT 3\nLEVELNAMES\n\"a.nw\"\nLEVELNAMESEND\n\"b.nw\"\nFOO\n\"c.nw\"\n",
         false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx), *log = lvl_findings_new(&ctx);
        lvl_doc *doc = read_map(lvl_bytes_of(cases[i].file), findings);
        lvl_repairs repairs = {.log = log, .normalize = true};
        assert_true(lvl_count_id(findings, "gmap.row.outside") > 0);
        assert_int_equal(lvl_findings_worst(findings), LVL_ERROR);
        assert_int_equal(gmap_format->calls->repair(doc, &repairs), LVL_OK);
        assert_int_equal(lvl_count_id(log, "gmap.row.outside"), cases[i].certain);
        if (cases[i].certain)
            lvl_expect_written(doc, lvl_bytes_of(whole));
        else
            assert_true(((const lvl_gmap *)lvl_doc_croot(doc))->other_count > 1);
        lvl_doc_free(doc);
        lvl_findings_free(log);
        lvl_findings_free(findings);
    }
}

/* A file that breaks off within a name. */
static void test_cut(void **state)
{
    lvl_findings *log = lvl_findings_new(&ctx);
    lvl_repairs repairs = {.log = log, .normalize = true};
    lvl_doc *doc = read_map(lvl_bytes_of("GRMAP001\nWIDTH 1\nHEIGHT 2\nLEVELNAMES\n\"a.nw\"\n\"b.nw"), NULL);

    (void)state;
    assert_int_equal(gmap_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_count_id(log, "gmap.quote.open"), 1);
    assert_int_equal(lvl_count_id(log, "gmap.block.open"), 1);
    lvl_expect_written(doc, lvl_bytes_of("GRMAP001\nWIDTH 1\nHEIGHT 2\nLEVELNAMES\n\"a.nw\"\n\"b.nw\"\n"
                                         "LEVELNAMESEND\n"));
    lvl_doc_free(doc);
    lvl_findings_free(log);
}

static void test_probe(void **state)
{
    static const lvl_probe_case cases[] = {
        {"GRMAP001\n", NULL, true},
        {"GRMAP002\n", "a.gmap", true},
        {"GRMAP002\n", "a.txt", false},
        {"\"a.nw\",\"b.nw\"\n", "map.TXT", true},
        {"\"a.nw\",\"b.nw\"\n", "map.csv", false},
        {"\"a.nw\",\"b.nw\"\n", NULL, false},
        {"\"a.nw\",\"\"\r\n\r\n\"\",\"c.graal\"", "map.txt", true},
        {"\"a.nw\",\"b.n", "map.txt", true}, /* cut */
        {"a.nw,b.nw\n", "map.txt", false},
        {"\"a.nw\",\"b.png\"\n", "map.txt", false},
        {"\"a.nw\" is a level\nand \"b.nw\" is one\n", "readme.txt", false},
        {"\n\n", "map.txt", false},
        {"", "map.txt", false},
    };
    (void)state;
    lvl_expect_probed(gmap_format, cases, sizeof cases / sizeof *cases);
}

static void test_convert(void **state)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *doc = read_map(lvl_gmap_seed(LVL_GMAP_SEED_PLAIN), NULL), *big = NULL, *back = NULL;

    (void)state;
    assert_int_equal(lvl_convert(doc, "bigmap", false, losses, &big), LVL_OK);
    lvl_expect_written(big, lvl_bytes_of("\"a.nw\",\"b.nw\"\n\"c.nw\",\"d.nw\"\n"));
    assert_int_equal(lvl_convert(big, "gmap", false, losses, &back), LVL_OK);
    lvl_expect_written(back, lvl_gmap_seed(LVL_GMAP_SEED_PLAIN));
    lvl_doc_free(back);
    lvl_doc_free(big);
    lvl_doc_free(doc);
    doc = read_map(lvl_gmap_seed(LVL_GMAP_SEED_FULL), NULL);
    big = back = NULL;
    assert_int_equal(lvl_convert(doc, "bigmap", false, losses, &big), LVL_ERR_LOSS);
    assert_int_equal(lvl_count_id(losses, "gmap.loss.key"), 6);
    lvl_doc_free(big);
    big = NULL;
    assert_int_equal(lvl_convert(doc, "bigmap", true, losses, &big), LVL_OK);
    lvl_expect_written(big, lvl_bytes_of("\"a.nw\",\"b \"\"b\"\".nw\",\"\"\n\"c.nw\",\"\",\"e.nw\"\n"));
    lvl_doc_free(big);
    lvl_doc_free(doc);
    lvl_findings_free(losses);
}

/* Numbers beyond sense and rows beyond measure cost what the file is long, no more. */
static void test_large(void **state)
{
    enum { COMMAS = 1000000 };
    lvl_buffer file = {0};
    lvl_ctx tight = ctx;
    lvl_doc *doc = NULL;

    (void)state;
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_check_request request = {.findings = findings};
    lvl_buffer_str(&file, "GRMAP001\nWIDTH 99999999999\nHEIGHT 2\nLEVELNAMES\n");
    lvl_buffer_fill(&file, ',', COMMAS);
    lvl_buffer_str(&file, "\n\"a.nw\"\nLEVELNAMESEND\n");
    const lvl_bytes bytes = {file.data, file.len};
    doc = read_map(bytes, findings);
    const lvl_gmap *map = lvl_doc_croot(doc);
    assert_int_equal(lvl_count_id(findings, "gmap.key.value"), 1);
    assert_int_equal(map->width, COMMAS);
    assert_int_equal(map->rows[0].name_count, COMMAS);
    lvl_expect_written(doc, bytes);
    assert_int_equal(gmap_format->calls->check(doc, &request), LVL_OK);
    lvl_doc_free(doc);
    tight.limits.items = 1000;
    doc = NULL;
    assert_int_equal(lvl_read(&doc, &tight, gmap_format, bytes, NULL, 0, NULL), LVL_ERR_LIMIT);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&file);
}

/* A map without rows is written as an empty file, and read from one, which may have no memory at all. */
static void test_empty(void **state)
{
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(lvl_doc_new(&doc, &ctx, gmap_format), LVL_OK);
    ((lvl_gmap *)lvl_doc_root(doc))->version = LVL_BIGMAP;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.len, 0);
    lvl_findings *log = lvl_findings_new(&ctx);
    assert_int_equal(gmap_format->calls->repair(doc, &(lvl_repairs){.log = log, .normalize = true}), LVL_OK);
    assert_int_equal(lvl_findings_count(log), 0);
    lvl_findings_free(log);
    lvl_doc_free(doc);
    assert_null(lvl_probe((lvl_bytes){NULL, 0}, (lvl_bytes){NULL, 0}, 0, "a.gmap", NULL));
    lvl_buffer_free(&out);
}

/* A map whose version was edited: its text is still that of the other kind. */
static void test_converted_after_an_edit(void **state)
{
    static const char text[] =
        "GRMAP001\nWIDTH 1\nHEIGHT 1\nSOMETHING else\nLEVELNAMES\n\"a.nw\"\nLEVELNAMESEND\n";
    static const uint8_t versions[] = {LVL_BIGMAP, LVL_GRMAP001};
    static const char *const forms[] = {"gmap", "bigmap"};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        lvl_findings *losses = lvl_findings_new(&ctx);
        lvl_doc *doc = NULL, *made = NULL;
        const lvl_bytes input = {(const uint8_t *)(i < 2 ? text : "\"a.nw\",\"b.nw\" more\n// text\n"),
                                 i < 2 ? sizeof text - 1 : 27};
        assert_int_equal(lvl_read(&doc, &ctx, gmap_format, input, "a.gmap", 0, NULL), LVL_OK);
        ((lvl_gmap *)lvl_doc_root(doc))->version = versions[i / 2];
        const lvl_status status = lvl_convert(doc, forms[i % 2], true, losses, &made);
        assert_true(status == LVL_OK || status == LVL_ERR_ARG);
        lvl_doc_free(made);
        lvl_doc_free(doc);
        lvl_findings_free(losses);
    }
}

static void test_corpus(void **state)
{
    const lvl_measure m = lvl_expect_corpus_exact("graal/gmap", "gmap");

    (void)state;
    /* the source of the one map that lvl would write differently: it ends with a blank line */
    assert_true(m.kept < 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),    cmocka_unit_test(test_odd),
        cmocka_unit_test(test_servers), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_edit),    cmocka_unit_test(test_check),
        cmocka_unit_test(test_outside), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_probe),   cmocka_unit_test(test_generated),
        cmocka_unit_test(test_convert), cmocka_unit_test(test_large),
        cmocka_unit_test(test_empty),   cmocka_unit_test(test_converted_after_an_edit),
        cmocka_unit_test(test_corpus),
    };
    lvl_ctx_init(&ctx);
    gmap_format = lvl_format_find("gmap");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
