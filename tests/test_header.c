/*
 * base/header.c: files with one or two wrong bytes in the signature, by which programs know them.
 */
#include "base/format.h"
#include "base/header.h"

#include "support/corpus.h"

#include <lvl/lvl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t count_of(const lvl_findings *findings, const char *id)
{
    size_t n = 0;

    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        n += !strcmp(lvl_findings_at(findings, i)->def->id, id);
    return n;
}

static uint8_t *slurp_sample(const char *name, size_t *len)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), name);
    uint8_t *bytes = lvl_slurp(path, len);
    assert_non_null(bytes);
    return bytes;
}

static lvl_text json_of(const lvl_buffer *json)
{
    return (lvl_text){(const char *)json->data, json->len};
}

/* The sample with wrong bytes in its header is known by its name, has an error, is written byte for byte,
 * also from a dump, and repaired. `exact`: the repaired file is the sample; otherwise another version may
 * fit. */
static void one_damage(const lvl_ctx *ctx, const lvl_format *format, const char *name, lvl_bytes bad,
                       lvl_bytes sample, bool exact)
{
    lvl_findings *findings = lvl_findings_new(ctx), *changes = lvl_findings_new(ctx);
    lvl_buffer out = {0}, json = {0};
    lvl_doc *doc = NULL, *again = NULL;

    assert_ptr_equal(lvl_formats_probe_file(ctx, bad, name, NULL), format);
    assert_int_equal(lvl_read(&doc, ctx, NULL, bad, name, 0, findings), LVL_OK);
    assert_true(lvl_findings_worst(findings) >= LVL_ERROR);
    assert_int_equal(count_of(findings, "lvl.file.header"), 1);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.len, bad.len);
    assert_memory_equal(out.data, bad.ptr, bad.len);
    assert_int_equal(lvl_dump(doc, NULL, &json, NULL), LVL_OK);
    assert_int_equal(lvl_undump(&again, ctx, json_of(&json), NULL), LVL_OK);
    out.len = 0;
    assert_int_equal(lvl_doc_write(again, &out), LVL_OK);
    assert_int_equal(out.len, bad.len);
    assert_memory_equal(out.data, bad.ptr, bad.len);
    out.len = 0;
    assert_int_equal(lvl_repair(doc, NULL, changes, &out), LVL_OK);
    assert_int_equal(count_of(changes, "lvl.file.header"), 1);
    assert_non_null(lvl_format_signature(format, (lvl_bytes){out.data, out.len}));
    if (exact) {
        assert_int_equal(out.len, sample.len);
        assert_memory_equal(out.data, sample.ptr, sample.len);
    }
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_findings_free(findings);
    lvl_findings_free(changes);
    lvl_buffer_free(&out);
    lvl_buffer_free(&json);
}

static void one_sample(const char *sample, const char *name, const char *id, bool versions)
{
    const lvl_format *format = lvl_format_find(id);
    size_t len, damages = 0;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    uint8_t *bytes = slurp_sample(sample, &len), *bad = malloc(len);
    const lvl_signature *s = lvl_format_signature(format, (lvl_bytes){bytes, len});
    assert_non_null(s);
    for (uint32_t i = 0; i < s->parts[0].len; i++) {
        for (unsigned flip = 1; flip < 256; flip = flip * 5 + 1) {
            memcpy(bad, bytes, len);
            bad[i] ^= (uint8_t)flip;
            lvl_header_match match[16];
            if (!lvl_header_near(format, (lvl_bytes){bad, len}, match, 16))
                continue; /* another version */
            if (bad[i] >= '0' && bad[i] <= '9' && i >= 4)
                continue; /* a later version */
            damages++;
            one_damage(&ctx, format, name, (lvl_bytes){bad, len}, (lvl_bytes){bytes, len},
                       !versions || i < s->parts[0].len - 1);
        }
    }
    assert_true(damages >= 8);
    free(bad);
    free(bytes);
}

static void test_samples(void **state)
{
    (void)state;
    one_sample("graal/lakeside/lake_village.nw", "x.nw", "nw", false);
    one_sample("graal/versions/gr-v1.03.graal", "x.GRAAL", "graal", true);
    one_sample("graal/versions/z3-v1.04.zelda", "x.zelda", "graal", true);
}

/* Two wrong bytes are corrected, three are none of the format. Without the format's ending a file is foreign,
 * unless the format is given. A version with other digits is a later one. */
static void test_evidence(void **state)
{
    static const struct {
        const char *first, *name;
        bool known, near; /* not near: the line is lost */
    } rows[] = {
        {"GLEVNW0!", "x.nw", true, true},    {"GLEVMW0!", "x.nw", true, true},
        {"GLEXMW0!", "x.nw", false, false},  {"GLEVNW0!", "x.txt", false, true},
        {"GLEVNW0!", NULL, false, true},     {"GLEVNW0!", ".nw", false, true},
        {"GLEVNW02", "x.nw", false, true},   {"GLEVNW0!", "x.graal", false, true},
        {"LEVNW01\n", "x.nw", false, false}, {"notes on", "x.nw", false, false},
    };
    const lvl_format *nw = lvl_format_find("nw");
    size_t len;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    uint8_t *bytes = slurp_sample("graal/lakeside/lake_village.nw", &len);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lvl_doc *doc = NULL;
        memcpy(bytes, rows[i].first, 8);
        const lvl_format *format = lvl_formats_probe_file(&ctx, (lvl_bytes){bytes, len}, rows[i].name, NULL);
        assert_ptr_equal(format, rows[i].known ? nw : NULL);
        lvl_findings *list = lvl_findings_new(&ctx);
        assert_int_equal(lvl_read(&doc, &ctx, nw, (lvl_bytes){bytes, len}, rows[i].name, 0, list), LVL_OK);
        assert_int_equal(count_of(list, "lvl.file.header"), rows[i].near);
        assert_int_equal(count_of(list, "graal.nw.header"), !rows[i].near);
        lvl_findings_free(list);
        lvl_doc_free(doc);
        /* nothing of a level after that line: the caller's word is not enough */
        const lvl_bytes alone = {(const uint8_t *)rows[i].first, 8};
        assert_int_equal(lvl_read(&doc, &ctx, nw, alone, rows[i].name, 0, NULL),
                         rows[i].near ? LVL_OK : LVL_ERR_FORMAT);
        lvl_doc_free(doc);
    }
    free(bytes);
}

/* The version that reads with the fewest errors is used; what fits as well is named. */
static void test_version(void **state)
{
    lvl_findings *findings;
    lvl_doc *doc = NULL;
    size_t len;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    findings = lvl_findings_new(&ctx);
    uint8_t *bytes = slurp_sample("graal/versions/gr-v1.03.graal", &len);
    bytes[7] = 0x13;
    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes, len}, "x.graal", 0, findings), LVL_OK);
    assert_memory_equal(lvl_doc_input(doc).ptr, "GR-V1.03", 8);
    assert_non_null(strstr(lvl_findings_at(findings, 0)->text, "expected GR-V1.03, found GR-V1.0\\x13"));
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    free(bytes);
}

/* What a dump says about the header is checked. */
static void test_undump(void **state)
{
    static const char three[] =
        "[{\"at\":1,\"expected\":49,\"found\":33},{\"at\":2,\"expected\":49,\"found\":33},"
        "{\"at\":3,\"expected\":49,\"found\":33}]";
    static const char *const wrong[] = {
        "7",
        "[]",
        "[7]",
        "[{\"at\":7}]",
        "[{\"at\":7,\"expected\":49,\"found\":256}]",
        "[{\"at\":-7,\"expected\":49,\"found\":33}]",
        "[{\"at\":7,\"expected\":49,\"found\":33,\"more\":1}]",
        three,
    };
    char json[256];
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lvl_doc *doc = NULL;
        snprintf(json, sizeof json, "{\"lvl\":1,\"format\":\"nw\",\"header\":%s,\"doc\":{}}", wrong[i]);
        assert_int_equal(lvl_undump(&doc, &ctx, lvl_text_of(json), NULL), LVL_ERR_FORMAT);
    }
}

/* A place beyond the file, in a made dump, is no reason to write there. */
static void test_beyond(void **state)
{
    static const char json[] = "{\"lvl\":1,\"format\":\"nw\",\"header\":[{\"at\":4294967295,\"expected\":10,"
                               "\"found\":33}],\"doc\":{\"version\":\"GLEVNW01\"}}";
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_undump(&doc, &ctx, lvl_text_of(json), NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_true(out.len >= 8 && !memcmp(out.data, "GLEVNW01", 8));
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

/* Files of zeros and of text, with the names of all formats, stay foreign. */
static void test_foreign(void **state)
{
    static const char text[] = "This is a text about levels.\nIt has some lines,\r\nand no level in it.\n";
    uint8_t zeros[2048] = {0}, words[2048];
    char name[40];
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof words; i++)
        words[i] = (uint8_t)text[i % (sizeof text - 1)];
    for (size_t i = 0; i < lvl_format_count(); i++) {
        const char *endings = lvl_format_at(i)->extensions;
        for (const char *e = endings; *e; e += strspn(e, " ")) {
            const size_t n = strcspn(e, " ");
            snprintf(name, sizeof name, "x.%.*s", (int)n, e);
            e += n;
            const lvl_probe_input in = {{zeros, sizeof zeros}, {zeros, sizeof zeros}, sizeof zeros, name},
                                  say = {{words, sizeof words}, {words, sizeof words}, sizeof words, name};
            assert_false(lvl_header_probe(lvl_format_at(i), &in));
            assert_false(lvl_header_probe(lvl_format_at(i), &say));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples), cmocka_unit_test(test_evidence), cmocka_unit_test(test_version),
        cmocka_unit_test(test_undump),  cmocka_unit_test(test_beyond),   cmocka_unit_test(test_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
