/*
 * The tools on real levels: a dump, undumped, is written byte for byte; no byte is without a span; get
 * returns what was set, and nothing else differs; a dump without kept spelling gives a sound file. Each
 * eighth file; LVL_SWEEP=1: every one.
 */
#include "base/format.h"
#include "corpus.h"
#include "tools/tools.h"
#include "tools/values/json_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;
static lvl_paths paths;

static size_t step(void)
{
    return getenv("LVL_SWEEP") ? 1 : 8;
}

/* A path to some whole number of the document that may be set: the k-th there is, items of lists included. */
static const lvl_field *pick(const void *record, const lvl_table *table, unsigned *k, lvl_where *where,
                             const void **holder)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        const lvl_where before = *where;
        const lvl_field *found = NULL;
        if (f->role != LVL_VALUE || !lvl_field_present(record, f))
            continue;
        if (f->kind == LVL_INT && !f->names && (*k)-- == 0) {
            *where = lvl_where_to(before, f, LVL_NO_INDEX);
            *holder = record;
            return f;
        }
        if (f->kind == LVL_RECORD) {
            *where = lvl_where_to(before, f, LVL_NO_INDEX);
            found = pick(lvl_get_record(record, f), f->table, k, where, holder);
        } else if (f->kind == LVL_LIST && f->item == LVL_RECORD) {
            uint32_t n = lvl_list_count(record, f);
            for (uint32_t j = 0; j < n && !found; j += n > 8 ? n / 8 : 1) {
                *where = lvl_where_to(before, f, j);
                found = pick(lvl_list_item(record, f, j), f->table, k, where, holder);
            }
        }
        if (found)
            return found;
        *where = before;
    }
    return NULL;
}

static void set_and_get(lvl_bytes bytes, const char *name, unsigned seed)
{
    lvl_doc *a, *b, *c;
    lvl_where where = lvl_where_root();
    lvl_buffer got = {0}, file = {0}, changes = {0};
    const void *holder;
    char path[400], assignment[500], want[50];
    const char *all[] = {assignment};
    bool different;
    size_t lines = 0;
    unsigned k = seed % 97;

    assert_int_equal(lvl_read(&a, &ctx, NULL, bytes, name, LVL_READ_BORROW, NULL), LVL_OK);
    assert_int_equal(lvl_read(&b, &ctx, NULL, bytes, name, LVL_READ_BORROW, NULL), LVL_OK);
    const lvl_field *f = pick(lvl_doc_croot(a), lvl_doc_table(a), &k, &where, &holder);
    if (f) {
        /* one that fits and is new; header sizes decide how the rest is read, so a small step from what is
         * there */
        int64_t value = lvl_get_int(holder, f) ^ 1;
        lvl_where_text(&where, path, sizeof path);
        snprintf(assignment, sizeof assignment, "%s=%lld", path, (long long)value);
        snprintf(want, sizeof want, "%lld\n", (long long)value);
        assert_int_equal(lvl_set(b, all, 1, NULL, NULL), LVL_OK);
        assert_int_equal(lvl_get(b, path, NULL, &got, NULL, NULL), LVL_OK);
        lvl_buffer_u8(&got, 0);
        assert_string_equal((char *)got.data, want);
        const lvl_diff_options options = {.json = true};
        assert_int_equal(lvl_diff(a, b, &options, &different, &changes), LVL_OK);
        for (size_t i = 0; i < changes.len; i++)
            lines += changes.data[i] == '\n';
        if (!different || lines != 1)
            fail_msg("%s: %s: %zu changes\n%.*s", name, assignment, lines, (int)changes.len,
                     (char *)changes.data);
        if (!strstr(path, "header_size")) {
            assert_int_equal(lvl_doc_write(b, &file), LVL_OK);
            lvl_bytes written = {file.data, file.len};
            assert_int_equal(lvl_read(&c, &ctx, NULL, written, name, LVL_READ_BORROW, NULL), LVL_OK);
            if (!lvl_record_equal(lvl_doc_croot(b), lvl_doc_croot(c), lvl_doc_table(b)))
                fail_msg("%s: %s isn't what is read again", name, assignment);
            lvl_doc_free(c);
        }
    }
    lvl_buffer_free(&got);
    lvl_buffer_free(&file);
    lvl_buffer_free(&changes);
    lvl_doc_free(a);
    lvl_doc_free(b);
}

static void without_kept(const lvl_doc *doc, const char *name)
{
    const lvl_dump_options options = {.no_kept = true};
    lvl_buffer json = {0}, file = {0};
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_check_result r;
    lvl_doc *again;

    assert_int_equal(lvl_dump(doc, &options, &json, NULL), LVL_OK);
    lvl_text text = {(const char *)json.data, json.len};
    assert_int_equal(lvl_undump(&again, &ctx, text, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(again, &file), LVL_OK);
    assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(again), lvl_doc_table(doc)));
    lvl_bytes bytes = {file.data, file.len};
    assert_int_equal(lvl_check(&ctx, NULL, bytes, name, NULL, findings, &r, NULL), LVL_OK);
    assert_true(r.verdict != LVL_UNREADABLE && r.verdict != LVL_FOREIGN);
    assert_int_equal(r.residue, 0);
    lvl_doc_free(again);
    lvl_findings_free(findings);
    lvl_buffer_free(&json);
    lvl_buffer_free(&file);
}

static void every_level(void **state)
{
    size_t files = 0, exact = 0;
    (void)state;

    for (size_t i = 0; i < paths.count; i += step()) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        const lvl_check_options options = {.roundtrip = true};
        lvl_check_result r;
        lvl_doc *doc;
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        lvl_bytes bytes = {data, len};
        assert_int_equal(
            lvl_check(&ctx, NULL, bytes, lvl_path_name(paths.items[i]), &options, findings, &r, &doc),
            LVL_OK);
        if (!r.roundtrip || r.residue)
            fail_msg("%s: exact %d, residue %llu", paths.items[i], r.roundtrip,
                     (unsigned long long)r.residue);
        files++;
        exact += r.roundtrip;
        without_kept(doc, lvl_path_name(paths.items[i]));
        set_and_get(bytes, lvl_path_name(paths.items[i]), (unsigned)i * 7);
        lvl_doc_free(doc);
        lvl_findings_free(findings);
        free(data);
    }
    printf("%zu levels, %zu exact through dump and undump\n", files, exact);
    assert_true(files > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_level)};
    const char *corpus = lvl_corpus_dir();
    char dir[1024];

    if (!corpus) {
        printf("0 levels: there is no corpus\n");
        return 77;
    }
    lvl_ctx_init(&ctx);
    snprintf(dir, sizeof dir, "%s/wwd/wwd", corpus);
    if (!lvl_paths_below(&paths, dir, "wwd") || !paths.count) {
        printf("0 levels: nothing in the corpus\n");
        return 77;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    lvl_paths_free(&paths);
    return failed;
}
