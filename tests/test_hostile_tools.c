/*
 * The tools with hostile input: each allocation fails in turn, dumps are truncated and flipped at each byte,
 * paths and assignments of all kinds. Nothing crashes, leaks, or leaves a document half changed.
 */
#include "base/format.h"
#include "starve.h"
#include "tools/check/reports.h"
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
static lvl_buffer file, dump;

typedef lvl_status (*job)(lvl_doc *doc, lvl_findings *findings);

static lvl_status do_dump(lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};
    lvl_dump_options part = {.path = "things[type=rat]"};
    lvl_status status = lvl_dump(doc, NULL, &out, findings);
    if (status == LVL_OK)
        status = lvl_dump(doc, &part, &out, findings);
    lvl_buffer_free(&out);
    return status;
}

static lvl_status do_undump(lvl_doc *doc, lvl_findings *findings)
{
    lvl_text text = {(const char *)dump.data, dump.len};
    lvl_doc *again;
    (void)doc;

    lvl_status status = lvl_undump_as(&again, &ctx, &toy_format, text, findings);
    lvl_doc_free(again);
    return status;
}

static lvl_status do_get(lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};
    lvl_status status = lvl_get(doc, "things[name=\"thing 1\",x>3].name", NULL, &out, NULL, findings);
    lvl_buffer_free(&out);
    return status;
}

static lvl_status do_set(lvl_doc *doc, lvl_findings *findings)
{
    const char *all[] = {"lives=1",
                         "things[*].x=1",
                         "things[+]={\"name\":\"n\\u00e9\",\"tags\":[1,2]}",
                         "cells[0,0 3,3]=1",
                         "name=\xc3\xa9",
                         "titles[+]=\xc3\xa9t",
                         "start={}",
                         "things[0].name=somewhat longer",
                         "cells={\"width\":2,\"height\":1,\"rows\":[\"1 2\"]}"};
    return lvl_set(doc, all, sizeof all / sizeof *all, NULL, findings);
}

static lvl_status do_unset(lvl_doc *doc, lvl_findings *findings)
{
    const char *all[] = {"things[type=rat]", "lives", "titles", "tail", "name"};
    return lvl_unset(doc, all, sizeof all / sizeof *all, NULL, findings);
}

static lvl_status do_explain(lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};
    lvl_status status = LVL_OK;

    for (int mode = LVL_EXPLAIN_RECORDS; mode <= LVL_EXPLAIN_ALL && status == LVL_OK; mode++) {
        lvl_explain_options options = {
            .mode = (lvl_explain_mode)mode, .at = "0x20", .path = "cells[1,1 3,2]", .json = mode & 1};
        status = lvl_explain(doc, &options, &out, findings);
    }
    lvl_buffer_free(&out);
    return status;
}

static lvl_status do_check(lvl_doc *doc, lvl_findings *findings)
{
    lvl_check_options options = {.roundtrip = true};
    lvl_bytes bytes = {file.data, file.len};
    lvl_buffer out = {0};
    lvl_check_result r;
    (void)doc;

    lvl_status status = lvl_check(&ctx, &toy_format, bytes, NULL, &options, findings, &r, NULL);
    if (status == LVL_OK)
        status = lvl_check_json(&r, findings, "x", &out);
    if (status == LVL_OK && !r.roundtrip)
        status = LVL_ERR_FORMAT;
    lvl_buffer_free(&out);
    return status;
}

static lvl_status do_repair(lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};
    lvl_status status = lvl_repair(doc, NULL, findings, &out);
    lvl_buffer_free(&out);
    return status;
}

static lvl_status do_diff(lvl_doc *doc, lvl_findings *findings)
{
    lvl_diff_options json = {.json = true};
    lvl_bytes bytes = {file.data, file.len};
    lvl_buffer out = {0};
    lvl_doc *other = NULL;
    bool different;

    lvl_status status = lvl_read(&other, &ctx, &toy_format, bytes, NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = do_set(other, findings);
    if (status == LVL_OK)
        status = lvl_diff(doc, other, NULL, &different, &out);
    if (status == LVL_OK)
        status = lvl_diff(doc, other, &json, &different, &out);
    lvl_buffer_free(&out);
    lvl_doc_free(other);
    return status;
}

/* The toy's changes of do_set and do_unset, made on two sides. */
static lvl_status do_merge(lvl_doc *doc, lvl_findings *findings)
{
    const lvl_bytes bytes = {file.data, file.len};
    lvl_doc *base = NULL, *theirs = NULL;

    lvl_status status = lvl_read(&base, &ctx, &toy_format, bytes, NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_read(&theirs, &ctx, &toy_format, bytes, NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = do_set(theirs, findings);
    if (status == LVL_OK)
        status = do_unset(theirs, findings);
    if (status == LVL_OK)
        status = lvl_merge(doc, base, theirs, NULL, NULL, findings);
    lvl_doc_free(base);
    lvl_doc_free(theirs);
    return status;
}

static lvl_status do_describe(lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};
    (void)doc, (void)findings;

    lvl_status status = lvl_schema(&toy_format, &out);
    if (status == LVL_OK)
        status = lvl_reference(&toy_format, &out);
    if (status == LVL_OK)
        status = lvl_findings_reference(&ctx, NULL, NULL, true, &out);
    lvl_buffer_free(&out);
    return status;
}

static void starve(const char *name, job work)
{
    uint64_t calls = 0;

    for (int on = 0; on < 2; on++) {
        for (uint64_t n = 0; n <= calls; n++) {
            lvl_bytes bytes = {file.data, file.len};
            lvl_buffer before = {0}, after = {0};
            lvl_doc *doc;
            uint64_t out = lvl_starve_blocks();
            lvl_findings *findings = lvl_findings_new(&ctx);

            assert_int_equal(lvl_read(&doc, &ctx, &toy_format, bytes, NULL, LVL_READ_BORROW, NULL), LVL_OK);
            assert_int_equal(lvl_doc_write(doc, &before), LVL_OK);
            lvl_starve_from(n, on);
            lvl_status status = work(doc, findings);
            if (!n)
                calls = lvl_starve_calls();
            lvl_starve_from(0, false);
            if (n == 0 && status != LVL_OK)
                fail_msg("%s: status %d with all memory", name, status);
            if (status != LVL_OK && status != LVL_ERR_MEMORY)
                fail_msg("%s: call %llu refused: status %d", name, (unsigned long long)n, status);
            assert_int_equal(lvl_doc_write(doc, &after), LVL_OK);
            bool edits = work == do_set || work == do_unset || work == do_merge;
            if (work != do_repair && (status != LVL_OK || !edits) &&
                (before.len != after.len || memcmp(before.data, after.data, before.len) != 0))
                fail_msg("%s: call %llu refused: the document changed by halves", name,
                         (unsigned long long)n);
            lvl_buffer_free(&before);
            lvl_buffer_free(&after);
            lvl_doc_free(doc);
            lvl_findings_free(findings);
            if (lvl_starve_blocks() != out)
                fail_msg("%s: call %llu refused: memory is lost", name, (unsigned long long)n);
        }
    }
    printf("%s: %llu allocations refused, once and from then on\n", name, (unsigned long long)calls);
}

static void without_memory(void **state)
{
    (void)state;
    if (!lvl_starve_works())
        skip();
    starve("dump", do_dump);
    starve("undump", do_undump);
    starve("get", do_get);
    starve("set", do_set);
    starve("unset", do_unset);
    starve("explain", do_explain);
    starve("check", do_check);
    starve("repair", do_repair);
    starve("diff", do_diff);
    starve("merge", do_merge);
    starve("describe", do_describe);
}

/* A copy that fails for lack of memory reports that, not that its source is damaged. */
static void copy_without_memory(void **state)
{
    static const char from[] = "{\"version\":1,\"gameVersion\":\"0.10.0\",\"title\":\"a\",\"files\":"
                               "{\"assets/a.png\":{\"data\":\"AgQB\"}}}\n",
                      to[] = "{\"version\":1,\"gameVersion\":\"0.10.0\",\"title\":\"a\"}\n";
    const lvl_format *format = lvl_format_find("sketchy");
    uint64_t calls = 0;

    (void)state;
    if (!lvl_starve_works())
        skip();
    for (uint64_t n = 0; n <= calls; n++) {
        const lvl_bytes a = {(const uint8_t *)from, sizeof from - 1},
                        b = {(const uint8_t *)to, sizeof to - 1};
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_doc *source, *target;

        assert_int_equal(lvl_read(&source, &ctx, format, a, NULL, 0, NULL), LVL_OK);
        assert_int_equal(lvl_read(&target, &ctx, format, b, NULL, 0, NULL), LVL_OK);
        lvl_starve_from(n, false);
        const lvl_status status = lvl_copy(target, NULL, source, "files[0]", NULL, findings);
        if (!n)
            calls = lvl_starve_calls();
        lvl_starve_from(0, false);
        assert_int_equal(status, n && status != LVL_OK ? LVL_ERR_MEMORY : LVL_OK);
        for (size_t i = 0; i < lvl_findings_count(findings); i++)
            assert_string_not_equal(lvl_findings_at(findings, i)->def->id, "lvl.copy.damaged");
        lvl_doc_free(source);
        lvl_doc_free(target);
        lvl_findings_free(findings);
    }
}

/* If a dump is accepted, what it gives can be written, dumped and undumped again. */
static bool try_dump(const char *text, size_t len)
{
    lvl_text json = {text, len};
    lvl_buffer out = {0}, again = {0};
    lvl_doc *doc, *second;

    if (lvl_undump_as(&doc, &ctx, &toy_format, json, NULL) != LVL_OK)
        return false;
    assert_int_equal(lvl_dump(doc, NULL, &out, NULL), LVL_OK);
    lvl_text t = {(const char *)out.data, out.len};
    assert_int_equal(lvl_undump_as(&second, &ctx, &toy_format, t, NULL), LVL_OK);
    assert_int_equal(lvl_dump(second, NULL, &again, NULL), LVL_OK);
    assert_int_equal(out.len, again.len);
    assert_memory_equal(out.data, again.data, out.len);
    lvl_doc_free(doc);
    lvl_doc_free(second);
    lvl_buffer_free(&out);
    lvl_buffer_free(&again);
    return true;
}

static void broken_dumps(void **state)
{
    static const char swaps[] = "0919-\"{}[],:.*#~eé\\ \n";
    char *text = malloc(dump.len + 1);
    size_t tried = 0, accepted = 0;
    (void)state;

    assert_non_null(text);
    for (size_t i = 0; i < dump.len; i++) {
        memcpy(text, dump.data, dump.len);
        accepted += try_dump(text, i);
        tried++;
        for (size_t k = 0; k + 1 < sizeof swaps; k++, tried++) {
            text[i] = swaps[k];
            accepted += try_dump(text, dump.len);
        }
        for (int bit = 0; bit < 8; bit++, tried++) {
            text[i] = (char)(dump.data[i] ^ 1 << bit);
            accepted += try_dump(text, dump.len);
        }
    }
    printf("%zu broken dumps, %zu of them still dumps\n", tried, accepted);
    free(text);
}

static void odd_paths(void **state)
{
    static const char *const parts[] = {"things", "cells", "name",       "[",   "]",  "*",  "+",
                                        "-1",     "0",     "=",          "\"",  ".",  ",",  "!",
                                        "~",      "x",     "type",       "rat", "<",  "9",  "{}",
                                        "[]",     "\xff",  "4294967296", " ",   "\\", "..", "start"};
    const size_t n = sizeof parts / sizeof *parts;
    size_t good = 0, tried = 0;
    (void)state;

    srand(5);
    for (int round = 0; round < 20000; round++, tried++) {
        char path[200] = "";
        lvl_buffer out = {0};
        for (int k = rand() % 9; k >= 0; k--)
            strcat(path, parts[(size_t)rand() % n]);
        lvl_doc *doc;
        lvl_bytes bytes = {file.data, file.len};
        const char *one = path;
        assert_int_equal(lvl_read(&doc, &ctx, &toy_format, bytes, NULL, LVL_READ_BORROW, NULL), LVL_OK);
        good += lvl_get(doc, path, NULL, &out, NULL, NULL) == LVL_OK;
        good += lvl_set(doc, &one, 1, NULL, NULL) == LVL_OK;
        good += lvl_unset(doc, &one, 1, NULL, NULL) == LVL_OK;
        assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
    }
    printf("%zu paths, %zu made sense\n", tried, good);
    assert_true(good > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_memory),
                                       cmocka_unit_test(copy_without_memory), cmocka_unit_test(broken_dumps),
                                       cmocka_unit_test(odd_paths)};

    lvl_ctx_init(&ctx);
    toy_file(&file, 6);
    file.data[24] ^= 1; /* a checksum for repair, and an override to carry */
    lvl_bytes bytes = {file.data, file.len};
    lvl_doc *doc;
    if (lvl_read(&doc, &ctx, &toy_format, bytes, NULL, 0, NULL) != LVL_OK ||
        lvl_dump(doc, NULL, &dump, NULL) != LVL_OK)
        return 1;
    lvl_doc_free(doc);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    lvl_buffer_free(&file);
    lvl_buffer_free(&dump);
    return failed;
}
