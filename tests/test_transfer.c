/*
 * base/transfer.c: files that were transferred as text, so that each LF became CR LF.
 */
#include "base/transfer.h"

#include "base/arena.h"
#include "base/format.h"
#include "support/corpus.h"

#include <lvl/lvl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Undone and repeated: the same bytes, for any that each have a CR before each LF. */
static void test_undo_redo(void **state)
{
    static const char *const texts[] = {"\r\n",        "a\r\n", "\r\nb", "\r\r\n\r\n", "a\r\nb\rc\r\r\n\r",
                                        "\r\n\r\n\r\n"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const lvl_bytes bytes = {(const uint8_t *)texts[i], strlen(texts[i])};
        lvl_buffer again = {0};
        lvl_ctx ctx;
        lvl_ctx_init(&ctx);
        const size_t lines = lvl_transfer_lines(bytes);
        assert_true(lines > 0);
        uint8_t *before = lvl_transfer_undo(&ctx, bytes, lines);
        assert_non_null(before);
        lvl_buffer_str(&again, "x\n");
        lvl_buffer_add(&again, before, bytes.len - lines);
        lvl_transfer_redo(&again, 2);
        assert_int_equal(again.status, LVL_OK);
        assert_int_equal(again.len, bytes.len + 2);
        assert_memory_equal(again.data, "x\n", 2);
        assert_memory_equal(again.data + 2, bytes.ptr, bytes.len);
        lvl_mem_free(&ctx, before);
        lvl_buffer_free(&again);
    }
}

static void test_not_transferred(void **state)
{
    static const char *const texts[] = {"", "a", "\r", "\n", "a\nb\r\n", "\r\nb\n", "\n\r\n", "\r\n\n"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(lvl_transfer_lines((lvl_bytes){(const uint8_t *)texts[i], strlen(texts[i])}), 0);
    assert_int_equal(lvl_transfer_lines((lvl_bytes){NULL, 0}), 0);
}

/* Each sample, transferred: read like the sample, written like the transferred file, repaired like the
 * sample. Cut at any length, it is still read without a crash, and written as it was. */
static void one_sample(const char *name, const char *id)
{
    lvl_findings *findings, *changes;
    lvl_buffer sent = {0}, out = {0}, json = {0};
    lvl_doc *doc = NULL, *again = NULL;
    char path[1024];
    size_t len;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), name);
    uint8_t *sample = lvl_slurp(path, &len);
    assert_non_null(sample);
    lvl_buffer_add(&sent, sample, len);
    lvl_transfer_redo(&sent, 0);
    assert_true(sent.len > len);
    findings = lvl_findings_new(&ctx);
    changes = lvl_findings_new(&ctx);
    const lvl_format *format = lvl_format_find(id);
    assert_int_equal(lvl_read(&doc, &ctx, format, (lvl_bytes){sent.data, sent.len}, NULL, 0, findings),
                     LVL_OK);
    assert_string_equal(lvl_findings_at(findings, 0)->def->id, "lvl.file.transferred");
    assert_int_equal(lvl_findings_worst(findings), LVL_ERROR);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.len, sent.len);
    assert_memory_equal(out.data, sent.data, sent.len);
    /* a dump keeps it */
    assert_int_equal(lvl_dump(doc, NULL, &json, NULL), LVL_OK);
    assert_int_equal(lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL), LVL_OK);
    out.len = 0;
    assert_int_equal(lvl_doc_write(again, &out), LVL_OK);
    assert_int_equal(out.len, sent.len);
    assert_memory_equal(out.data, sent.data, sent.len);
    out.len = 0;
    assert_int_equal(lvl_repair(doc, NULL, changes, &out), LVL_OK);
    assert_int_equal(lvl_findings_count(changes), 1);
    assert_int_equal(out.len, len);
    assert_memory_equal(out.data, sample, len);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    for (size_t cut = 0; cut < sent.len; cut += 1 + sent.len / 200) {
        uint8_t *exact = malloc(cut + !cut);
        memcpy(exact, sent.data, cut);
        if (lvl_read(&doc, &ctx, format, (lvl_bytes){exact, cut}, NULL, 0, NULL) == LVL_OK) {
            out.len = 0;
            assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
            assert_int_equal(out.len, cut);
            assert_true(!cut || !memcmp(out.data, exact, cut));
            lvl_doc_free(doc);
        }
        free(exact);
    }
    lvl_findings_free(findings);
    lvl_findings_free(changes);
    lvl_buffer_free(&sent);
    lvl_buffer_free(&out);
    lvl_buffer_free(&json);
    free(sample);
}

static void test_samples(void **state)
{
    (void)state;
    one_sample("wwd/cliffs.wwd", "wwd");
    one_sample("graal/versions/gr-v1.03.graal", "graal");
    one_sample("sketchy/hill-v4.level", "sketchy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undo_redo),
        cmocka_unit_test(test_not_transferred),
        cmocka_unit_test(test_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
