/*
 * What text formats need of the tools: reals and lists of reals, spelling kept in nested records, members
 * without a default, with the tale format.
 */
#include "base/format.h"
#include "expect.h"
#include "tools/explain/coverage.h"
#include "tools/world/reference.h"
#include "tools/values/schema.h"
#include "tools/tools.h"
#include "tale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

static const char sample[] = "TALE 1\n"
                             "HEIGHTS 1.5 -0.1 30 1e+22 -0.0\n"
                             "ACTOR 3.5 -1 old_door\n"
                             "|if (playerenters) {\n"
                             "|  open;\n"
                             "|}\n"
                             "\n"
                             "\n"
                             "ACTOR 007 8.250 Zo\xEB\n"
                             "SIGN 7 8\n"
                             "|Hello!\n";

/* The output as a string; valid until the next call. */
static const char *str(lvl_buffer *b)
{
    lvl_buffer_u8(b, 0);
    b->len--;
    assert_int_equal(b->status, LVL_OK);
    return (const char *)b->data;
}

static void dumps(void **state)
{
    const char *want =
        "{\"lvl\":1,\"format\":\"tale\",\"encoding\":\"windows-1252\",\n"
        "\"doc\": {\n"
        "  \"version\": 1,\n"
        "  \"actors\": [\n"
        "    {\n"
        "      \"x\": 3.5,\n"
        "      \"y\": -1,\n"
        "      \"name\": \"old_door\",\n"
        "      \"script\": [\n"
        "        \"if (playerenters) {\",\n"
        "        \"  open;\",\n"
        "        \"}\"\n"
        "      ]\n"
        "    },\n"
        "    {\"x\":7,\"y\":8.25,\"name\":\"Zo\xC3\xAB\",\"~\":{\"gap\":\"two\",\"line\":\"ACTOR 007 8.250 "
        "Zo\xC3\xAB\"}}\n"
        "  ],\n"
        "  \"signs\": [\n"
        "    {\"x\":7,\"y\":8,\"text\":\"Hello!\"}\n"
        "  ],\n"
        "  \"heights\": [1.5,-0.1,30,1e+22,-0.0]\n"
        "}}\n";
    lvl_doc *doc = tale_doc(&ctx, sample), *again;
    lvl_buffer json = {0}, file = {0};
    (void)state;

    assert_int_equal(lvl_dump(doc, NULL, &json, NULL), LVL_OK);
    assert_string_equal(str(&json), want);
    lvl_text t = {(const char *)json.data, json.len};
    assert_int_equal(lvl_undump_as(&again, &ctx, &tale_format, t, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(again, &file), LVL_OK);
    assert_string_equal(str(&file), sample);
    lvl_doc_free(again);
    json.len = file.len = 0;
    const lvl_dump_options bare = {.no_kept = true};
    assert_int_equal(lvl_dump(doc, &bare, &json, NULL), LVL_OK);
    lvl_expect_not_in(str(&json), "~");
    lvl_doc_free(doc);
    lvl_buffer_free(&json);
    lvl_buffer_free(&file);
}

static void undumps_only_what_is_there(void **state)
{
    static const struct {
        const char *doc;
        const char *says;
    } bad[] = {
        {"{\"heights\":[1]}", "version has no default"},
        {"{\"version\":0,\"actors\":[{}]}", "actors exists only"},
        {"{\"version\":1,\"heights\":[1,\"2\"]}", "expected a number, found a text"},
        {"{\"version\":1,\"heights\":[1e999]}", "infinity"},
        {"{\"version\":1,\"actors\":[{\"line\":\"x\"}]}", "line belongs under"},
        {"{\"version\":1,\"actors\":[{\"~\":{\"x\":1}}]}", "x does not belong under"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        char json[200];
        lvl_doc *doc;
        snprintf(json, sizeof json, "{\"lvl\":1,\"format\":\"tale\",\"doc\":%s}", bad[i].doc);
        assert_int_equal(lvl_undump_as(&doc, &ctx, &tale_format, lvl_text_of(json), findings),
                         LVL_ERR_FORMAT);
        assert_true(lvl_findings_count(findings) > 0);
        if (!strstr(lvl_findings_at(findings, 0)->text, bad[i].says))
            fail_msg("%s: %s", bad[i].doc, lvl_findings_at(findings, 0)->text);
        lvl_findings_free(findings);
    }
}

static void gets_and_sets(void **state)
{
    static const char *const good[] = {"heights[0]=+.5",
                                       "heights[+]=1e3",
                                       "heights[2]=5.",
                                       "actors[0].x=-.25",
                                       "actors[x<0,y>=-1.0].name=gate",
                                       "actors[1].y=9"};
    static const char *const bad[] = {"heights[0]=nan",    "heights[0]=1e999",  "heights[0]=-inf",
                                      "heights[0]=",       "heights[0]=.",      "heights[0]=1 ",
                                      "actors[0].x=0x10",  "actors[0].x=1.2.3", "actors[0].line=ACTOR",
                                      "actors[x=foo].y=1", "heights[\"1\"]=2"};
    lvl_doc *doc = tale_doc(&ctx, sample);
    lvl_buffer out = {0};
    size_t n;
    (void)state;

    assert_int_equal(lvl_get(doc, "heights[*]", NULL, &out, &n, NULL), LVL_OK);
    assert_string_equal(str(&out), "1.5\n-0.1\n30\n1e+22\n-0.0\n");
    out.len = 0;
    assert_int_equal(lvl_get(doc, "actors[1].gap", NULL, &out, &n, NULL), LVL_OK);
    assert_string_equal(str(&out), "two\n");
    out.len = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (lvl_set(doc, &bad[i], 1, &n, NULL) != LVL_ERR_ARG)
            fail_msg("%s", bad[i]);
    }
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_string_equal(str(&out), sample);
    assert_int_equal(lvl_set(doc, good, sizeof good / sizeof *good, &n, NULL), LVL_OK);
    assert_int_equal(n, 6);
    out.len = 0;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_string_equal(str(&out),
                        "TALE 1\nHEIGHTS 0.5 -0.1 5 1e+22 -0.0 1000\nACTOR -0.25 -1 gate\n"
                        "|if (playerenters) {\n|  open;\n|}\n\n\nACTOR 7 9 Zo\xEB\nSIGN 7 8\n|Hello!\n");
    const char *const unset[] = {"heights[1]", "actors[1].gap", "actors[0].x"};
    assert_int_equal(lvl_unset(doc, unset, 3, &n, NULL), LVL_OK);
    out.len = 0;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_string_equal(str(&out),
                        "TALE 1\nHEIGHTS 0.5 5 1e+22 -0.0 1000\nACTOR 0 -1 gate\n"
                        "|if (playerenters) {\n|  open;\n|}\nACTOR 7 9 Zo\xEB\nSIGN 7 8\n|Hello!\n");
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

static void describes(void **state)
{
    lvl_buffer out = {0};
    (void)state;

    assert_int_equal(lvl_schema(&tale_format, &out), LVL_OK);
    assert_non_null(
        strstr(str(&out), "\"heights\":{\"type\":\"array\",\"items\":{\"anyOf\":[{\"type\":\"number\"}"));
    lvl_expect_in(str(&out), "\"required\":[\"version\"]");
    lvl_expect_not_in(str(&out), "\"default\":-1");
    lvl_expect_in(str(&out), "\"~\":{\"type\":\"object\"");
    out.len = 0;
    assert_int_equal(lvl_reference(&tale_format, &out), LVL_OK);
    lvl_expect_in(str(&out), "| `heights` | list of numbers |");
    lvl_expect_not_in(str(&out), "Default: -1");
    lvl_buffer_free(&out);
}

static void compares_reals(void **state)
{
    lvl_doc *a = tale_doc(&ctx, sample), *b = tale_doc(&ctx, sample);
    const char *const edit = "heights[1]=0.1";
    bool different;
    lvl_buffer out = {0};
    (void)state;

    assert_int_equal(lvl_diff(a, b, NULL, &different, &out), LVL_OK);
    assert_false(different);
    assert_int_equal(lvl_set(b, &edit, 1, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_diff(a, b, NULL, &different, &out), LVL_OK);
    assert_true(different);
    assert_string_equal(str(&out), "heights: [1] -0.1 -> 0.1\n");
    lvl_doc_free(a);
    lvl_doc_free(b);
    lvl_buffer_free(&out);
}

/* Edits b by one assignment and compares the two. */
static void compare_after(lvl_doc *a, lvl_doc *b, const char *edit, const lvl_diff_options *options,
                          const char *want)
{
    bool different = false;
    lvl_buffer out = {0};

    assert_int_equal(lvl_set(b, &edit, 1, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_diff(a, b, options, &different, &out), LVL_OK);
    assert_true(different);
    assert_string_equal(str(&out), want);
    lvl_buffer_free(&out);
}

static void compares_lines(void **state)
{
    const lvl_diff_options json = {.json = true}, summary = {.summary = true};
    lvl_doc *a = tale_doc(&ctx, sample), *b = tale_doc(&ctx, sample);
    (void)state;

    compare_after(a, b, "actors[0].script=if (playerenters) {\n  open;\n\tsay \x1b;\n}", NULL,
                  "actors: 1 changed\n"
                  "  ~ [0] actor \"old_door\": script -0 +1 lines\n"
                  "      @@ -1,3 +1,4 @@\n"
                  "       if (playerenters) {\n"
                  "         open;\n"
                  "      +\tsay \\x1b;\n"
                  "       }\n");
    compare_after(
        a, b, "actors[0].x=4", &json,
        "{\"change\":\"set\",\"path\":\"actors[0].x\",\"item\":\"actor \\\"old_door\\\"\",\"old\":3.5,"
        "\"new\":4}\n"
        "{\"change\":\"lines\",\"path\":\"actors[0].script\",\"item\":\"actor \\\"old_door\\\"\","
        "\"hunks\":[{\"old_line\":3,\"old\":[],"
        "\"new_line\":3,\"new\":[\"\\tsay \\u001b;\"]}]}\n");
    compare_after(a, b, "actors[0].script=", NULL,
                  "actors: 1 changed\n"
                  "  ~ [0] actor \"old_door\": x 3.5 -> 4, script -3 +0 lines\n"
                  "      @@ -1,3 +0,0 @@\n"
                  "      -if (playerenters) {\n"
                  "      -  open;\n"
                  "      -}\n");
    compare_after(a, b, "signs[0].text=Hi!", &summary, "actors: 1 changed\nsigns: 1 changed\n");
    const char *const unset = "actors[0]";
    assert_int_equal(lvl_unset(b, &unset, 1, NULL, NULL), LVL_OK);
    compare_after(a, b, "signs[0].text=Hey!", NULL,
                  "actors: 1 removed\n"
                  "  - [0] actor \"old_door\": x=3.5, y=-1, script=\"if (playerenters) {\\n  open;\\n}\"\n"
                  "signs: 1 changed\n"
                  "  ~ [0] sign \"Hey!\": text \"Hello!\" -> \"Hey!\"\n");
    lvl_doc_free(a);
    lvl_doc_free(b);
}

/* Two formats with one table: their form is no difference, their content is. */
static void compares_forms(void **state)
{
    static const char old[] = "TALE 0\nSIGN 1 2\n|x\n", new[] = "TALE 1\nSIGN 1 2\n|x\n";
    const lvl_bytes bytes = {(const uint8_t *)new, sizeof new - 1};
    lvl_doc *a = tale_doc(&ctx, old), *b, *c = tale_doc(&ctx, new);
    bool different;
    (void)state;

    assert_int_equal(lvl_read(&b, &ctx, &saga_format, bytes, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_diff(a, b, NULL, &different, NULL), LVL_OK);
    assert_false(different);
    assert_int_equal(lvl_diff(a, c, NULL, &different, NULL), LVL_OK);
    assert_true(different);
    const char *const edit = "actors[+]={}";
    assert_int_equal(lvl_set(b, &edit, 1, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_diff(a, b, NULL, &different, NULL), LVL_OK);
    assert_true(different);
    lvl_doc_free(a);
    lvl_doc_free(b);
    lvl_doc_free(c);
}

static void explain_gives(const lvl_doc *doc, const lvl_explain_options *options, const char *want)
{
    lvl_buffer out = {0};

    assert_int_equal(lvl_explain(doc, options, &out, NULL), LVL_OK);
    assert_string_equal(str(&out), want);
    lvl_buffer_free(&out);
}

/* A line for each record of text; a part of a field only where it is asked for. */
static void explains(void **state)
{
    lvl_doc *doc = tale_doc(&ctx, "TALE 1\r\nDOTS ab\r\nACTOR 1 2 x\r\n|go;\r\n\r\nSIGN 3 4\r\n|a\r\n|b\r\n");
    lvl_explain_options o = {0};
    uint64_t bits, overlap;
    (void)state;

    assert_int_equal(lvl_residue(doc, &bits, &overlap), LVL_OK);
    assert_int_equal(bits, 0);
    assert_int_equal(overlap, 0);
    explain_gives(doc, &o,
                  "file, 56 bytes\n"
                  "0x0                     6  version = 1\n"
                  "0x6                     2  line_end = crlf (1)\n"
                  "0x8                     5  command\n"
                  "0xd                     4  dots = \"ab\"\n"
                  "0x11                   21  actors[0]  actor \"x\": x=1, y=2, script=\"go;\"\n"
                  "0x26                   18  signs[0]  sign \"a\\nb\": x=3, y=4\n");
    o.mode = LVL_EXPLAIN_PATH;
    o.path = "dots";
    explain_gives(doc, &o, "0xd                     2  6162              dots = \"ab\"  ; numbers in bits\n");
    o.bits = true;
    explain_gives(doc, &o,
                  "0xd                     5b  61                dots  dot = 1\n"
                  "0xd.5                   5b  6162              dots  dot = 19\n"
                  "0xe.2                   6b  62                dots  dot = 24\n");
    o.bits = false;
    o.mode = LVL_EXPLAIN_AT;
    o.at = "0xd.6";
    explain_gives(doc, &o, "0xd.5                   5b  6162              dots  dot = 19\n");
    o.json = true;
    explain_gives(
        doc, &o,
        "{\"offset\":13,\"length\":2,\"bit\":109,\"bits\":5,\"role\":\"field\",\"path\":\"dots\",\"name\":"
        "\"dot\",\"value\":19,\"raw\":\"6162\",\"prose\":\"numbers in bits\"}\n");
    o.json = false;
    o.at = "0x12";
    explain_gives(doc, &o,
                  "0x11                   21  actors[0]  actor \"x\": x=1, y=2, script=\"go;\"\n"
                  "0x11                   13  4143544f522031..  actors[0]  place and name\n");
    lvl_doc_free(doc);
}

static void converts(void **state)
{
    lvl_doc *doc = tale_doc(&ctx, sample), *made;
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_buffer out = {0};
    (void)state;

    assert_int_equal(lvl_convert(doc, "tale-2", false, losses, &made), LVL_ERR_ARG);
    /* the format's id means its first form; nothing is lost */
    assert_int_equal(lvl_convert(doc, "tale", false, losses, &made), LVL_OK);
    assert_int_equal(lvl_findings_count(losses), 0);
    lvl_doc_free(made);
    assert_int_equal(lvl_convert(doc, "TALE-0", false, losses, &made), LVL_ERR_LOSS);
    assert_null(made);
    assert_int_equal(lvl_findings_count(losses), 2);
    assert_true(lvl_findings_at(losses, 0)->position.known); /* where it is in the source */
    assert_int_equal(lvl_findings_at(losses, 0)->position.bit, 38 * 8);
    lvl_findings_clear(losses);
    assert_int_equal(lvl_convert(doc, "tale-0", true, losses, &made), LVL_OK);
    assert_int_equal(lvl_findings_count(losses), 2);
    assert_int_equal(lvl_doc_write(made, &out), LVL_OK);
    assert_string_equal(str(&out), "TALE 0\n");
    lvl_doc_free(made);
    /* a document that has the form already is copied, spelling and all */
    doc->version = 1;
    out.len = 0;
    assert_int_equal(lvl_convert(doc, "tale-1", false, losses, &made), LVL_OK);
    assert_int_equal(lvl_doc_write(made, &out), LVL_OK);
    assert_string_equal(str(&out), sample);
    lvl_doc_free(made);
    lvl_doc_free(doc);
    lvl_findings_free(losses);
    lvl_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumps),          cmocka_unit_test(undumps_only_what_is_there),
        cmocka_unit_test(gets_and_sets),  cmocka_unit_test(describes),
        cmocka_unit_test(compares_reals), cmocka_unit_test(compares_lines),
        cmocka_unit_test(compares_forms), cmocka_unit_test(explains),
        cmocka_unit_test(converts),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
