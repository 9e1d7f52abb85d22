/*
 * Dump and undump: every kind of field comes back with the same bytes; errors name their place; limits.
 */
#include "base/format.h"
#include "expect.h"
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"
#include "tools/tools.h"
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

static lvl_text text_of(const lvl_buffer *b)
{
    lvl_text t = {(const char *)b->data, b->len};
    return t;
}

static void dump_of(const lvl_doc *doc, const lvl_dump_options *options, lvl_buffer *out)
{
    memset(out, 0, sizeof *out);
    assert_int_equal(lvl_dump(doc, options, out, NULL), LVL_OK);
    lvl_buffer_u8(out, 0);
    out->len--;
}

/* dump, undump, write: `same`: the bytes must be those of the document. */
static void round_trip(const lvl_doc *doc, const lvl_dump_options *options, bool same)
{
    lvl_buffer json, a = {0}, b = {0};
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_doc *again;

    dump_of(doc, options, &json);
    if (lvl_undump_as(&again, &ctx, &toy_format, text_of(&json), findings) != LVL_OK)
        fail_msg("%s\n%s", lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : "?",
                 (char *)json.data);
    assert_int_equal(lvl_doc_write(doc, &a), LVL_OK);
    assert_int_equal(lvl_doc_write(again, &b), LVL_OK);
    if (same) {
        assert_int_equal(a.len, b.len);
        assert_memory_equal(a.data, b.data, a.len);
    }
    assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(again), lvl_doc_table(doc)));
    lvl_doc_free(again);
    lvl_findings_free(findings);
    lvl_buffer_free(&json);
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
}

static void there_and_back(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 9; n += 4) {
        lvl_doc *doc = toy_doc(&ctx, n);
        lvl_dump_options compact = {.compact = true}, no_kept = {.no_kept = true};
        round_trip(doc, NULL, true);
        round_trip(doc, &compact, true);
        round_trip(doc, &no_kept, false);
        lvl_doc_free(doc);
    }
}

static void looks_as_designed(void **state)
{
    lvl_doc *doc = toy_doc(&ctx, 2);
    lvl_buffer json;
    (void)state;

    dump_of(doc, NULL, &json);
    const char *want = "{\"lvl\":1,\"format\":\"toy\",\"encoding\":\"windows-1252\",\n"
                       "\"doc\": {\n"
                       "  \"flags\": \"main|draw|0x20\",\n"
                       "  \"mood\": \"sad\",\n"
                       "  \"kind\": \"box\",\n"
                       "  \"lives\": 5,\n"
                       "  \"start\": {\"x\":-7,\"y\":123456},\n"
                       "  \"name\": \"Caf\xc3\xa9 \\u0000x\",\n"
                       "  \"key\": {\"base64\":\"AQID/w==\"},\n"
                       "  \"box_size\": 99,\n"
                       "  \"unknown_57\": {\"base64\":\"AIAA\"},\n"
                       "  \"gravity\": -9.81,\n"
                       "  \"cells\": {\"width\":12,\"height\":5,\"rows\":[\n"
                       "    \".*12\",\n"
                       "    \".*8 2 3*3\",\n"
                       "    \"3*3 # 4*7 5\",\n"
                       "    \"5*3 # 5*2 6*6\",\n"
                       "    \"6 7*2 # 7*4 8*4\"\n"
                       "  ]},\n"
                       "  \"things\": [\n"
                       "    {\"y\":5,\"name\":\"thing 0\"},\n"
                       "    {\"type\":\"rat\",\"x\":10,\"y\":4,\"name\":\"thing 1\",\"tags\":[1]}\n"
                       "  ],\n"
                       "  \"titles\": [\"Level\",\"Niveau \xc3\xa9\\n\"],\n"
                       "  \"~\": {\n"
                       "    \"tail\": {\"base64\":\"ICAg\"}\n"
                       "  }\n"
                       "}}\n";
    assert_string_equal((char *)json.data, want);
    lvl_buffer_free(&json);
    lvl_doc_free(doc);
}

/* Texts of every byte, full slots, wild numbers, disagreeing derived members, absent grids. */
static void odd_values(void **state)
{
    char all[256];
    (void)state;

    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    for (int page = 0; page < LVL_CP_COUNT; page++) {
        lvl_doc *doc = toy_doc(&ctx, 3);
        toy_level *t = lvl_doc_root(doc);
        doc->codepage = (lvl_codepage)page;
        memset(t->name, 0xE9, sizeof t->name);
        t->flags = 0xFFFFFFFF;
        t->mood = 77;
        t->kind = 200;
        t->gravity = -0.0;
        lvl_text every = {all, sizeof all};
        t->things[1].name = every;
        t->things[0].tags[0] = UINT32_MAX;
        t->cells.ptr = NULL;
        lvl_doc_recompute_derived(doc);
        round_trip(doc, NULL, true);
        t->cells.width = 0;
        t->gravity = 1e300;
        lvl_doc_recompute_derived(doc);
        round_trip(doc, NULL, true);
        const uint64_t nan = 0x7ff8000000001234;
        memcpy(&t->gravity, &nan, 8);
        lvl_doc_recompute_derived(doc);
        round_trip(doc, NULL, true);
        lvl_doc_free(doc);
    }
}

static void wrong_checksum_stays(void **state)
{
    lvl_buffer file = {0}, json;
    lvl_doc *doc;
    (void)state;

    toy_file(&file, 3);
    file.data[24] ^= 0x55;
    lvl_bytes bytes = {file.data, file.len};
    assert_int_equal(lvl_read(&doc, &ctx, &toy_format, bytes, NULL, 0, NULL), LVL_OK);
    dump_of(doc, NULL, &json);
    lvl_expect_in(json.data, "\"checksum\": ");
    lvl_expect_not_in(json.data, "thing_count");
    round_trip(doc, NULL, true);
    lvl_buffer_free(&json);
    lvl_dump_options no_kept = {.no_kept = true};
    dump_of(doc, &no_kept, &json);
    lvl_expect_not_in(json.data, "checksum");
    lvl_buffer_free(&json);
    lvl_buffer_free(&file);
    lvl_doc_free(doc);
}

static void dump_of_a_part(void **state)
{
    lvl_doc *doc = toy_doc(&ctx, 3), *none;
    lvl_buffer json;
    lvl_dump_options options = {.path = "things[1]", .compact = true};
    (void)state;

    dump_of(doc, &options, &json);
    assert_string_equal(
        (char *)json.data,
        "{\"lvl\":1,\"format\":\"toy\",\"encoding\":\"windows-1252\",\"path\":\"things[1]\",\"value\":"
        "{\"type\":\"rat\",\"x\":10,\"y\":4,\"name\":\"thing 1\",\"tags\":[1]}}\n");
    assert_int_equal(lvl_undump_as(&none, &ctx, &toy_format, text_of(&json), NULL), LVL_ERR_FORMAT);
    lvl_buffer_free(&json);
    options.path = "thingz[1]";
    assert_int_equal(lvl_dump(doc, &options, &json, NULL), LVL_ERR_ARG);
    lvl_doc_free(doc);
}

static const struct {
    const char *doc;
    lvl_status status;
    const char *id, *text, *path;
} bad[] = {
    {"{\"flogs\":1}", LVL_ERR_FORMAT, "lvl.dump.key", "did you mean flags?", ""},
    {"{\"flags\":1,\"flags\":1}", LVL_ERR_FORMAT, "lvl.dump.key", "twice", ""},
    {"{\"flags\":\"mian\"}", LVL_ERR_FORMAT, "lvl.value.range", "did you mean main?", "flags"},
    {"{\"flags\":4294967296}", LVL_ERR_FORMAT, "lvl.value.range", "does not fit", "flags"},
    {"{\"flags\":-1}", LVL_ERR_FORMAT, "lvl.value.range", "does not fit", "flags"},
    {"{\"mood\":40000}", LVL_ERR_FORMAT, "lvl.value.range", "does not fit", "mood"},
    {"{\"lives\":1.5}", LVL_ERR_FORMAT, "lvl.value.kind", "whole number", "lives"},
    {"{\"lives\":\"3\"}", LVL_ERR_FORMAT, "lvl.value.kind", "number", "lives"},
    {"{\"start\":{\"x\":1,\"z\":2}}", LVL_ERR_FORMAT, "lvl.dump.key", "point has no field", "start"},
    {"{\"start\":[]}", LVL_ERR_FORMAT, "lvl.value.kind", "object", "start"},
    {"{\"name\":\"12345678901234567\"}", LVL_ERR_FORMAT, "lvl.value.range", "17 bytes", "name"},
    {"{\"name\":\"\xc5\x81\"}", LVL_ERR_FORMAT, "lvl.value.character", "windows-1250 has it", "name"},
    {"{\"name\":7}", LVL_ERR_FORMAT, "lvl.value.kind", "a text", "name"},
    {"{\"key\":{\"base64\":\"AAA\"}}", LVL_ERR_FORMAT, "lvl.value.range", "multiple of 4", "key"},
    {"{\"key\":{\"base64\":\"A=AA\"}}", LVL_ERR_FORMAT, "lvl.value.range", "character", "key"},
    {"{\"key\":{\"base64\":\"AAAAAAAAAAAA\"}}", LVL_ERR_FORMAT, "lvl.value.range", "fit", "key"},
    {"{\"kind\":\"round\",\"box_size\":1}", LVL_ERR_FORMAT, "lvl.value.absent", "only while kind is box", ""},
    {"{\"tail\":{\"base64\":\"\"}}", LVL_ERR_FORMAT, "lvl.dump.key", "under \"~\"", "tail"},
    {"{\"~\":{\"flags\":1}}", LVL_ERR_FORMAT, "lvl.dump.key", "does not belong", "flags"},
    {"{\"things\":[{},{\"nam\":1}]}", LVL_ERR_FORMAT, "lvl.dump.key", "name?", "things[1]"},
    {"{\"things\":[{},{\"tags\":[1,\"x\"]}]}", LVL_ERR_FORMAT, "lvl.value.kind", "", "things[1].tags[1]"},
    {"{\"things\":{}}", LVL_ERR_FORMAT, "lvl.value.kind", "array", "things"},
    {"{\"titles\":[{}]}", LVL_ERR_FORMAT, "lvl.value.kind", "base64", "titles[0]"},
    {"{\"cells\":{\"width\":2,\"height\":1,\"size\":2,\"rows\":[\"1 2 3\"]}}", LVL_ERR_FORMAT,
     "lvl.value.range", "row 0", "cells"},
    {"{\"cells\":{\"width\":2,\"height\":1,\"size\":2,\"rows\":[\"1*0 2\"]}}", LVL_ERR_FORMAT,
     "lvl.value.range", "row 0", "cells"},
    {"{\"cells\":{\"width\":2,\"height\":1,\"size\":2,\"rows\":[\"1 65536\"]}}", LVL_ERR_FORMAT,
     "lvl.value.range", "row 0", "cells"},
    {"{\"cells\":{\"width\":2,\"height\":1,\"size\":2,\"rows\":[\"1 \"]}}", LVL_ERR_FORMAT, "lvl.value.range",
     "row 0", "cells"},
    {"{\"cells\":{\"width\":2,\"height\":1,\"size\":2,\"rows\":[\".*4000000000\"]}}", LVL_ERR_FORMAT,
     "lvl.value.range", "row 0", "cells"},
    {"{\"cells\":{\"width\":2,\"height\":2,\"size\":2,\"rows\":[\"1*2\"]}}", LVL_ERR_FORMAT,
     "lvl.value.range", "1 rows", "cells"},
    {"{\"cells\":{\"width\":4000000000,\"height\":1,\"size\":2,\"rows\":[\".*4000000000\"]}}", LVL_ERR_LIMIT,
     "lvl.limit.cells", "--limit cells=N", "cells"},
    {"{\"cells\":{\"width\":0,\"height\":2147483648,\"size\":2,\"rows\":[]}}", LVL_ERR_LIMIT,
     "lvl.limit.cells", "--limit cells=N", "cells"},
    {"{\"cells\":{\"width\":2147483648,\"height\":0,\"size\":2,\"rows\":[]}}", LVL_ERR_LIMIT,
     "lvl.limit.cells", "--limit cells=N", "cells"},
    {"{\"cells\":{\"width\":4,\"height\":1,\"size\":3,\"rows\":[\".*4\"]}}", LVL_ERR_FORMAT,
     "lvl.value.range", "3 bytes", "cells"},
    {"{\"cells\":{\"width\":4,\"rows\":[\".*4\"]}}", LVL_ERR_FORMAT, "lvl.value.kind", "missing", "cells"},
    {"{\"cells\":[]}", LVL_ERR_FORMAT, "lvl.value.kind", "width", "cells"},
    {"[]", LVL_ERR_FORMAT, "lvl.value.kind", "object", ""},
};

static void errors_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_buffer json = {0};
        lvl_doc *doc;
        char path[100];

        lvl_buffer_printf(&json, "{\"lvl\":1,\"format\":\"toy\",\"doc\":%s}", bad[i].doc);
        lvl_status status = lvl_undump_as(&doc, &ctx, &toy_format, text_of(&json), findings);
        const lvl_finding *f = lvl_findings_at(findings, 0);
        if (!f)
            fail_msg("no finding for %s", bad[i].doc);
        lvl_where_text(&f->where, path, sizeof path);
        if (status != bad[i].status || strcmp(f->def->id, bad[i].id) != 0 || !strstr(f->text, bad[i].text) ||
            strcmp(path, bad[i].path) != 0)
            fail_msg("%s: %d %s at %s: %s", bad[i].doc, status, f->def->id, path, f->text);
        lvl_buffer_free(&json);
        lvl_findings_free(findings);
    }
}

static void heads(void **state)
{
    static const struct {
        const char *json;
        lvl_status status;
        const char *text;
    } heads[] = {
        {"", LVL_ERR_FORMAT, "line 1"},
        {"{\n\"lvl\":1,\n  oops}", LVL_ERR_FORMAT, "line 3, column 3"},
        {"{}", LVL_ERR_FOREIGN, "is not a dump"},
        {"[1]", LVL_ERR_FOREIGN, "is not a dump"},
        {"{\"lvl\":2,\"format\":\"toy\",\"doc\":{}}", LVL_ERR_FOREIGN, "version"},
        {"{\"lvl\":1,\"format\":\"joy\",\"doc\":{}}", LVL_ERR_FOREIGN, "joy"},
        {"{\"lvl\":1,\"format\":\"toy\"}", LVL_ERR_FORMAT, "\"doc\" is missing"},
        {"{\"lvl\":1,\"format\":\"toy\",\"encoding\":\"klingon\",\"doc\":{}}", LVL_ERR_FORMAT, "klingon"},
        {"{\"lvl\":1,\"format\":\"toy\",\"dog\":{},\"doc\":{}}", LVL_ERR_FORMAT, "dog"},
        {"\xef\xbb\xbf{\"lvl\":1,\"format\":\"toy\",\"encoding\":\"cp1251\",\"doc\":{\"name\":\"\xd0\x96\"}}",
         LVL_OK, ""},
    };
    (void)state;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_doc *doc;
        lvl_status status = lvl_undump_as(&doc, &ctx, &toy_format, lvl_text_of(heads[i].json), findings);
        const lvl_finding *f = lvl_findings_at(findings, 0);
        if (status != heads[i].status || (status != LVL_OK && (!f || !strstr(f->text, heads[i].text))))
            fail_msg("%s: %d %s", heads[i].json, status, f ? f->text : "no finding");
        if (status == LVL_OK)
            assert_int_equal((uint8_t)((toy_level *)lvl_doc_root(doc))->name[0], 0xC6);
        lvl_doc_free(doc);
        lvl_findings_free(findings);
    }
}

/* Also those that have no bytes at all, into a buffer that has no memory yet. */
static void new_documents_are_written(void **state)
{
    size_t empty = 0;

    (void)state;
    for (size_t i = 0; lvl_format_at(i); i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_buffer out = {0};
        lvl_doc *doc;
        assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_at(i)), LVL_OK);
        empty += lvl_doc_write_with_findings(doc, &out, findings) == LVL_OK && !out.len;
        lvl_doc_free(doc);
        lvl_findings_free(findings);
        lvl_buffer_free(&out);
    }
    assert_true(empty > 0);
}

static void deep_nesting_is_harmless(void **state)
{
    lvl_buffer json = {0};
    lvl_doc *doc;
    (void)state;

    lvl_buffer_str(&json, "{\"lvl\":1,\"format\":\"toy\",\"doc\":{\"things\":");
    lvl_buffer_fill(&json, '[', 1000000);
    lvl_buffer_fill(&json, ']', 1000000);
    lvl_buffer_str(&json, "}}");
    assert_int_equal(lvl_undump_as(&doc, &ctx, &toy_format, text_of(&json), NULL), LVL_ERR_FORMAT);
    lvl_buffer_free(&json);
}

static void json_helpers(void **state)
{
    lvl_buffer out = {0};
    const double reals[] = {0.1, 1, -3, 1e-300, 5e-324, 123456789.125, 1e22};
    (void)state;

    lvl_json_string(&out, lvl_text_of("a\"\\\n\x01\x7f\xc2\x9b\xff"));
    lvl_buffer_u8(&out, 0);
    assert_string_equal((char *)out.data, "\"a\\\"\\\\\\n\\u0001\\u007f\\u009b\xef\xbf\xbd\"");
    out.len = 0;
    lvl_json_int(&out, INT64_MIN);
    lvl_buffer_u8(&out, ' ');
    lvl_json_int(&out, INT64_MAX);
    lvl_buffer_u8(&out, ' ');
    lvl_json_int(&out, 0);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((char *)out.data, "-9223372036854775808 9223372036854775807 0");
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        out.len = 0;
        lvl_json_real(&out, reals[i]);
        lvl_buffer_u8(&out, 0);
        double back = strtod((char *)out.data, NULL);
        assert_memory_equal(&back, &reals[i], sizeof back);
    }
    for (size_t n = 0; n < 20; n++) {
        uint8_t bytes[20], back[20];
        size_t size;
        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)(i * 37 + n);
        out.len = 0;
        lvl_bytes b = {bytes, n};
        lvl_json_base64(&out, b);
        lvl_text t = {(char *)out.data + 11, out.len - 13};
        assert_true(lvl_base64_size(t, &size));
        assert_int_equal(size, n);
        assert_true(lvl_base64_decode(t, back));
        assert_memory_equal(bytes, back, n);
    }
    lvl_buffer_free(&out);
}

/* The dump of what a dump's text makes; empty where it makes nothing. */
static lvl_buffer dump_again(const char *json)
{
    lvl_buffer out = {0};
    lvl_doc *doc;

    if (lvl_undump(&doc, &ctx, lvl_text_of(json), NULL) == LVL_OK) {
        dump_of(doc, NULL, &out);
        lvl_doc_free(doc);
    }
    return out;
}

/* Each text, list of lines and bytes of the table written as empty, in a document with `before` and
 * `behind` around the record: the same as if absent. */
static unsigned empty_in(const lvl_table *table, const char *before, const char *behind, unsigned depth)
{
    static const char *const empty[] = {"\"\"", "{\"base64\":\"\"}", "[]"};
    char json[600];
    unsigned tried = 0;

    snprintf(json, sizeof json, "%s\"~\":{}%s", before, behind);
    lvl_buffer absent = dump_again(json);
    for (uint32_t i = 0; absent.len && i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        const bool list = f->kind == LVL_LIST && f->item == LVL_RECORD;
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT)
            continue;
        for (unsigned form = 0; form < 3; form++) {
            if (f->kind == LVL_TEXT ? form == 2 && !(f->flags & LVL_F_LINES)
                                    : f->kind != LVL_BYTES || form != 1)
                continue;
            snprintf(json, sizeof json, "%s\"%s\":%s,\"~\":{}%s", before, f->name, empty[form], behind);
            lvl_buffer said = dump_again(json);
            if (!said.len && f->when.tag_size) /* not in such a record */
                continue;
            if (said.len != absent.len || memcmp(said.data, absent.data, said.len) != 0)
                fail_msg("%s: %s instead of %s", json, said.data ? (char *)said.data : "no document",
                         (char *)absent.data);
            lvl_buffer_free(&said);
            tried++;
        }
        if ((f->kind != LVL_RECORD && !list) || depth > 3)
            continue;
        lvl_buffer head = {0}, tail = {0};
        lvl_buffer_printf(&head, "%s\"%s\":%s{", before, f->name, list ? "[" : "");
        lvl_buffer_printf(&tail, "}%s%s", list ? "]" : "", behind);
        lvl_buffer_u8(&head, 0);
        lvl_buffer_u8(&tail, 0);
        assert_true(head.status == LVL_OK && tail.status == LVL_OK);
        tried += empty_in(f->table, (char *)head.data, (char *)tail.data, depth + 1);
        lvl_buffer_free(&head);
        lvl_buffer_free(&tail);
    }
    lvl_buffer_free(&absent);
    return tried;
}

static void empty_is_absent(void **state)
{
    (void)state;
    for (size_t i = 0; lvl_format_at(i); i++) {
        const lvl_format *format = lvl_format_at(i);
        char head[100];
        const char *version = !strcmp(format->id, "graal") ? "\"version\":\"GR-V1.03\"," : "";
        version = !strcmp(format->id, "nw") ? "\"version\":\"GLEVNW01\"," : version;
        snprintf(head, sizeof head, "{\"lvl\":1,\"format\":\"%s\",\"doc\":{%s", format->id, version);
        const unsigned tried = empty_in(format->table, head, "}}", 0);
        printf("%s: %u texts and bytes\n", format->id, tried);
        assert_true(tried > 0);
    }
}

/* An attached file whose bytes cannot be decoded, however many there seem to be, has none. */
static void broken_is_empty(void **state)
{
    static const char *const data[] = {"", "!!!!", "QQ", "QUJD!"};
    lvl_buffer first = {0};

    (void)state;
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        lvl_buffer json;
        lvl_doc *doc;
        char file[100];
        const int n = snprintf(file, sizeof file,
                               "{\"version\":1,\"files\":{\"x\":{\"data\":\"%s\"}},\"chunks\":{}}", data[i]);
        assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("sketchy"),
                                  (lvl_bytes){(uint8_t *)file, (size_t)n}, NULL, 0, NULL),
                         LVL_OK);
        const lvl_dump_options content = {.no_kept = true};
        dump_of(doc, &content, &json);
        if (i)
            assert_string_equal((char *)json.data, (char *)first.data);
        else
            first = json;
        if (i)
            lvl_buffer_free(&json);
        lvl_doc_free(doc);
    }
    lvl_buffer_free(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(looks_as_designed),
        cmocka_unit_test(odd_values),
        cmocka_unit_test(wrong_checksum_stays),
        cmocka_unit_test(dump_of_a_part),
        cmocka_unit_test(errors_are_told),
        cmocka_unit_test(heads),
        cmocka_unit_test(new_documents_are_written),
        cmocka_unit_test(deep_nesting_is_harmless),
        cmocka_unit_test(json_helpers),
        cmocka_unit_test(empty_is_absent),
        cmocka_unit_test(broken_is_empty),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
