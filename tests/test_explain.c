/*
 * Explain: each byte of a toy level has its line, in every mode; residue is found; check sets the verdict and
 * measures; a second repair changes nothing.
 */
#include "expect.h"
#include "tools/explain/coverage.h"
#include "tools/check/reports.h"
#include "tools/tools.h"
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

static char *explain(const lvl_doc *doc, lvl_explain_options options, lvl_status want)
{
    lvl_buffer out = {0};

    lvl_status status = lvl_explain(doc, &options, &out, NULL);
    if (status != want)
        fail_msg("mode %d: status %d", options.mode, status);
    lvl_buffer_u8(&out, 0);
    assert_int_equal(out.status, LVL_OK);
    return (char *)out.data;
}

static void contains(const lvl_doc *doc, lvl_explain_options options, const char *want)
{
    char *text = explain(doc, options, LVL_OK);

    if (!strstr(text, want))
        fail_msg("\"%s\" isn't in:\n%s", want, text);
    free(text);
}

static size_t lines_of(const lvl_doc *doc, lvl_explain_options options)
{
    char *text = explain(doc, options, LVL_OK);
    size_t n = 0;

    for (const char *p = text; *p; p++)
        n += *p == '\n';
    free(text);
    return n;
}

static void every_mode(void **state)
{
    lvl_doc *doc = toy_doc(&ctx, 8);
    lvl_explain_options records = {0}, all = {.mode = LVL_EXPLAIN_ALL},
                        at = {.mode = LVL_EXPLAIN_AT, .at = "0x10"};
    lvl_explain_options path = {.mode = LVL_EXPLAIN_PATH, .path = "things[1]"};
    (void)state;

    contains(doc, records, "things[5]  thing \"a\\\"b\\\\5\": type=rat (1), x=50");
    contains(doc, records, "cells = 12 x 5 cells");
    contains(doc, records, "signature");
    size_t full = lines_of(doc, records);
    records.depth = 1;
    assert_int_equal(lines_of(doc, records), full);
    contains(doc, all, "things[0].type = coin (0)  ; what it is\n");
    contains(doc, all, "things[1].type = rat (1)\n"); /* once is enough */
    contains(doc, all, "start.y = 123456 px");
    contains(doc, all, "flags = main|draw|0x20");
    contains(doc, at, "0x10                    4  40e20100          start.y = 123456 px  ; from the top\n");
    at.at = "8";
    contains(doc, at, "mood = sad (-1)");
    at.at = "4";
    at.bits = true;
    contains(doc, at, "32b");
    at.json = true;
    contains(doc, at,
             "{\"offset\":4,\"length\":4,\"bit\":32,\"bits\":32,\"role\":\"field\",\"path\":\"flags\","
             "\"name\":\"flags\","
             "\"value\":\"main|draw|0x20\",\"raw\":\"25000000\",\"prose\":\"switches\"}\n");
    contains(doc, path, "things[1].x = 10 px");
    contains(doc, path, "things[1].name = \"thing 1\"");
    assert_int_equal(lines_of(doc, path), 6);
    path.path = "things[1].x";
    assert_int_equal(lines_of(doc, path), 1);
    path.path = "start";
    assert_int_equal(lines_of(doc, path), 2);
    path.path = "cells[1,2 3,3]";
    assert_int_equal(lines_of(doc, path), 2);
    contains(doc, path, "0x76                    6  03000300eeee      cells[1,2 3,2] = {");
    lvl_explain_options residue = {.mode = LVL_EXPLAIN_RESIDUE};
    assert_int_equal(lines_of(doc, residue), 0);
    lvl_doc_free(doc);
}

static void wrong_offsets(void **state)
{
    static const char *const cases[] = {"",     "x", "0x", "0x10/3", "1000000", "99999999999999999999999",
                                        "0x1g", "-1"};
    lvl_doc *doc = toy_doc(&ctx, 1);
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_explain_options at = {.mode = LVL_EXPLAIN_AT, .at = cases[i]};
        free(explain(doc, at, LVL_ERR_ARG));
    }
    lvl_explain_options path = {.mode = LVL_EXPLAIN_PATH, .path = "nothing"};
    free(explain(doc, path, LVL_ERR_ARG));
    lvl_doc_free(doc);
    assert_int_equal(lvl_doc_new(&doc, &ctx, &toy_format), LVL_OK);
    lvl_explain_options records = {0};
    free(explain(doc, records, LVL_ERR_MISSING));
    lvl_doc_free(doc);
}

static void check_file(lvl_buffer *file, lvl_profile profile, lvl_check_result *result,
                       lvl_findings **findings)
{
    lvl_bytes bytes = {file->data, file->len};
    const lvl_check_options options = {.roundtrip = true};

    ctx.profile = profile;
    *findings = lvl_findings_new(&ctx);
    assert_int_equal(lvl_check(&ctx, &toy_format, bytes, NULL, &options, *findings, result, NULL), LVL_OK);
    ctx.profile = LVL_PROFILE_GAME;
}

static void json_is(const lvl_check_result *r, const lvl_findings *findings, const char *want)
{
    lvl_buffer out = {0};

    assert_int_equal(lvl_check_json(r, findings, "a\"b.toy", &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((char *)out.data, want);
    lvl_buffer_free(&out);
}

static void checking(void **state)
{
    lvl_findings *findings;
    lvl_check_result r;
    lvl_buffer file = {0}, out = {0};
    (void)state;

    toy_file(&file, 3);
    check_file(&file, LVL_PROFILE_GAME, &r, &findings);
    json_is(&r, findings,
            "{\"file\":\"a\\\"b.toy\",\"format\":\"toy\",\"verdict\":\"sound\",\"residue\":0,\"kept\":3,"
            "\"roundtrip\":true,"
            "\"findings\":[]}\n");
    lvl_findings_free(findings);

    lvl_buffer_str(&file, "abc"); /* the writer does not recompute these */
    file.data[24] ^= 1;
    check_file(&file, LVL_PROFILE_GAME, &r, &findings);
    assert_int_equal(r.residue, 3);
    assert_false(r.roundtrip);
    assert_int_equal(r.verdict, LVL_FAULTY);
    assert_int_equal(lvl_findings_text(findings, "x\x1b.toy", LVL_NOTE, 0, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    const char *line = strstr((char *)out.data, "x\\x1b.toy:0x18: error: toy.checksum: checksum is 0x");
    assert_non_null(line);
    lvl_expect_in(line, " (checksum)\n");
    const lvl_finding *one = lvl_findings_at(findings, 0);
    for (int i = 0; i < 8; i++)
        lvl_findings_add(findings, one->def, NULL, NULL, "again %d", i / 3);
    out.len = 0;
    assert_int_equal(lvl_findings_text(findings, "x", LVL_NOTE, LVL_FINDINGS_FEW, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    /* the first of all, two more that differ, and how many there are besides */
    const char *again = strstr((char *)out.data, "again 0");
    assert_non_null(again);
    lvl_expect_not_in(again + 1, "again 0");
    lvl_expect_in(out.data, "again 1");
    lvl_expect_not_in(out.data, "again 2");
    lvl_expect_in(out.data, "x: error: toy.checksum: 6 more of these; -v lists all\n");
    out.len = 0;
    assert_int_equal(lvl_findings_text(findings, "x", LVL_NOTE, 0, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    lvl_expect_in(out.data, "again 2");
    lvl_expect_not_in(out.data, "more of these");
    lvl_findings_free(findings);
    check_file(&file, LVL_PROFILE_SALVAGE, &r, &findings);
    assert_int_equal(r.verdict, LVL_SOUND);
    lvl_findings_free(findings);

    file.len = 90;
    check_file(&file, LVL_PROFILE_GAME, &r, &findings);
    assert_int_equal(r.verdict, LVL_UNREADABLE);
    json_is(&r, findings,
            "{\"file\":\"a\\\"b.toy\",\"format\":\"toy\",\"verdict\":\"unreadable\",\"residue\":0,\"kept\":0,"
            "\"roundtrip\":false,"
            "\"findings\":[{\"id\":\"toy.short\",\"severity\":\"fatal\",\"offset\":null,\"length\":null,"
            "\"path\":\"\",\"text\":"
            "\"the file ends inside of its lists\"}]}\n");
    lvl_findings_free(findings);

    findings = lvl_findings_new(&ctx);
    lvl_bytes foreign = {(const uint8_t *)"hello", 5};
    assert_int_equal(lvl_check(&ctx, NULL, foreign, "x.txt", NULL, findings, &r, NULL), LVL_OK);
    json_is(&r, findings,
            "{\"file\":\"a\\\"b.toy\",\"format\":null,\"verdict\":\"foreign\",\"residue\":0,\"kept\":0,"
            "\"findings\":[]}\n");
    lvl_findings_free(findings);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
}

static unsigned reads;

static lvl_status count_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    reads++;
    return toy_format.calls->read(doc, sink, findings);
}

/* Residue and the positions of findings are known from the one reading. */
static void a_check_reads_once(void **state)
{
    lvl_format_calls calls = *toy_format.calls;
    lvl_format format = toy_format;
    lvl_buffer file = {0};
    (void)state;

    calls.read = count_read;
    format.calls = &calls;
    toy_file(&file, 3);
    lvl_buffer_str(&file, "xyz");
    for (int damaged = 0; damaged < 2; damaged++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_check_result r;
        file.data[24] ^= (uint8_t)damaged; /* the checksum differs */
        reads = 0;
        assert_int_equal(
            lvl_check(&ctx, &format, (lvl_bytes){file.data, file.len}, NULL, NULL, findings, &r, NULL),
            LVL_OK);
        assert_int_equal(reads, 1);
        assert_int_equal(r.residue, 3);
        assert_int_equal(lvl_findings_count(findings) > 0, damaged);
        for (size_t i = 0; i < lvl_findings_count(findings); i++)
            assert_true(lvl_findings_at(findings, i)->position.known);
        lvl_findings_free(findings);
    }
    lvl_buffer_free(&file);
}

static void residue_is_shown(void **state)
{
    lvl_buffer file = {0};
    lvl_doc *doc;
    uint64_t bits, overlap;
    (void)state;

    toy_file(&file, 2);
    lvl_buffer_str(&file, "xyz");
    lvl_bytes bytes = {file.data, file.len};
    assert_int_equal(lvl_read(&doc, &ctx, &toy_format, bytes, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_residue(doc, &bits, &overlap), LVL_OK);
    assert_int_equal(bits, 24);
    assert_int_equal(overlap, 0);
    lvl_explain_options residue = {.mode = LVL_EXPLAIN_RESIDUE};
    assert_int_equal(lines_of(doc, residue), 1);
    contains(doc, residue, "3  78797a ");
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

/* A record of 12 bytes whose table has no field for the bytes 4 to 7. */
static lvl_status read_with_gap(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    static const lvl_field fields[] = {LVL_ROW_INT(toy_point, x, "x", 0, .prose = "from the left"),
                                       LVL_ROW_INT(toy_point, y, "y", 8, .prose = "from the top")};
    static const lvl_table table = {.name = "point",
                                    .prose = "A place.",
                                    .struct_size = sizeof(toy_point),
                                    .disk_size = 12,
                                    .fields = fields,
                                    .field_count = LVL_COUNT_OF(fields)};

    (void)doc;
    (void)findings;
    lvl_emit_span(sink, 0, 12, (lvl_span){.where = lvl_where_root(), .table = &table});
    return LVL_OK;
}

/* A table that leaves bytes of its record out is noticed by its residue: from the first such byte on. */
static void a_gap_in_a_table_is_residue(void **state)
{
    static const uint8_t bytes[12];
    lvl_format_calls calls = *toy_format.calls;
    lvl_format format = toy_format;
    lvl_doc *doc;
    uint64_t bits, overlap;
    (void)state;

    calls.read = read_with_gap;
    format.calls = &calls;
    assert_int_equal(lvl_read(&doc, &ctx, &format, (lvl_bytes){bytes, sizeof bytes}, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_residue(doc, &bits, &overlap), LVL_OK);
    assert_int_equal(bits, 8 * 8);
    assert_int_equal(overlap, 0);
    lvl_doc_free(doc);
}

static void repairing(void **state)
{
    lvl_buffer file = {0}, first = {0}, second = {0};
    lvl_findings *changes = lvl_findings_new(&ctx);
    lvl_doc *doc;
    (void)state;

    toy_file(&file, 3);
    file.data[24] ^= 0x40;
    lvl_bytes bytes = {file.data, file.len};
    assert_int_equal(lvl_read(&doc, &ctx, &toy_format, bytes, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_repair(doc, NULL, changes, &first), LVL_OK);
    assert_int_equal(lvl_findings_count(changes), 1);
    lvl_doc_free(doc);
    lvl_bytes again = {first.data, first.len};
    lvl_findings_clear(changes);
    assert_int_equal(lvl_read(&doc, &ctx, &toy_format, again, NULL, 0, NULL), LVL_OK);
    assert_int_equal(lvl_repair(doc, NULL, changes, &second), LVL_OK);
    assert_int_equal(lvl_findings_count(changes), 0);
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.data, second.data, first.len);
    file.data[24] ^= 0x40;
    assert_memory_equal(first.data, file.data, first.len);
    lvl_doc_free(doc);
    lvl_findings_free(changes);
    lvl_buffer_free(&file);
    lvl_buffer_free(&first);
    lvl_buffer_free(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode),       cmocka_unit_test(wrong_offsets),
        cmocka_unit_test(checking),         cmocka_unit_test(a_check_reads_once),
        cmocka_unit_test(residue_is_shown), cmocka_unit_test(a_gap_in_a_table_is_residue),
        cmocka_unit_test(repairing),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
