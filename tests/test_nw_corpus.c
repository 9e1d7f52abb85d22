/*
 * All real text levels: each is read, written byte for byte, dumped and undumped to the same bytes, and each
 * bit has a span. Counts the kept spelling by member, and the findings.
 */
#include "base/format.h"
#include "corpus.h"
#include "measure.h"

#include <lvl/graal.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[1024];
static lvl_ctx ctx;

static void every_level_is_exact(void **state)
{
    (void)state;
    assert_true(lvl_measure_exact(lvl_format_find("nw"), folder, 0));
}

/* Dumped without what is kept, it is the same level. */
static bool same_without_kept(const lvl_doc *doc)
{
    const lvl_dump_options options = {.no_kept = true};
    lvl_doc *again = NULL, *third = NULL;
    lvl_buffer json = {0}, out = {0};

    const bool fine =
        lvl_dump(doc, &options, &json, NULL) == LVL_OK &&
        lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL) == LVL_OK &&
        lvl_doc_write(again, &out) == LVL_OK &&
        lvl_read(&third, &ctx, NULL, (lvl_bytes){out.data, out.len}, NULL, LVL_READ_BORROW, NULL) == LVL_OK &&
        lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(third), &lvl_graal_table);
    lvl_doc_free(again);
    lvl_doc_free(third);
    lvl_buffer_free(&json);
    lvl_buffer_free(&out);
    return fine;
}

static void dumps_are_exact(void **state)
{
    size_t exact = 0, readable = 0, tried = 0;
    const size_t step = getenv("LVL_ALL") ? 1 : 5;
    lvl_paths paths;

    (void)state;
    assert_true(lvl_paths_below(&paths, folder, NULL));
    for (size_t i = 0; i < paths.count; i += step, tried++) {
        lvl_bytes file = {NULL, 0};
        lvl_doc *doc;
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        file.ptr = data;
        assert_non_null(data);
        assert_int_equal(lvl_read(&doc, &ctx, NULL, file, NULL, LVL_READ_BORROW, NULL), LVL_OK);
        if (lvl_exact_by_dump(doc, file))
            exact++;
        else
            fprintf(stderr, "not exact through dump: %s\n", lvl_path_name(paths.items[i]));
        if (same_without_kept(doc))
            readable++;
        else
            fprintf(stderr, "another level without what is kept: %s\n", lvl_path_name(paths.items[i]));
        lvl_doc_free(doc);
        free(data);
    }
    printf("%zu of %zu levels exact through dump, %zu the same level without what is kept\n", exact, tried,
           readable);
    assert_int_equal(exact, tried);
    assert_int_equal(readable, tried);
    lvl_paths_free(&paths);
}

/* ---- what is kept ------------------------------------------------------------------------------------ */

enum { MAX_KINDS = 40 };

struct tally {
    struct {
        const lvl_field *field;
        const char *table;
        size_t files, times;
        bool here;
    } kinds[MAX_KINDS];
    size_t count;
};

static void count_kept(struct tally *t, const void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_LIST && f->item == LVL_RECORD) {
            for (uint32_t k = 0; k < lvl_list_count(record, f); k++)
                count_kept(t, lvl_list_item(record, f, k), f->table);
            continue;
        }
        if (f->role != LVL_KEPT || lvl_field_is_default(record, f))
            continue;
        size_t k = 0;
        while (k < t->count && t->kinds[k].field != f)
            k++;
        if (k == t->count) {
            assert_true(t->count < MAX_KINDS);
            t->kinds[t->count++].field = f;
            t->kinds[k].table = table->name;
        }
        t->kinds[k].times++;
        t->kinds[k].files += !t->kinds[k].here;
        t->kinds[k].here = true;
    }
}

static void kept_members_are_counted(void **state)
{
    struct tally t = {0};
    size_t any = 0;
    lvl_paths paths;

    (void)state;
    assert_true(lvl_paths_below(&paths, folder, NULL));
    for (size_t i = 0; i < paths.count; i++) {
        lvl_bytes file = {NULL, 0};
        lvl_doc *doc;
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        file.ptr = data;
        assert_non_null(data);
        assert_int_equal(lvl_read(&doc, &ctx, NULL, file, NULL, LVL_READ_BORROW, NULL), LVL_OK);
        for (size_t k = 0; k < t.count; k++)
            t.kinds[k].here = false;
        count_kept(&t, lvl_doc_croot(doc), &lvl_graal_table);
        any += lvl_kept_bytes(doc) != 0;
        lvl_doc_free(doc);
        free(data);
    }
    for (size_t k = 0; k < t.count; k++)
        printf("%6zu in %4zu levels  %s.%s\n", t.kinds[k].times, t.kinds[k].files, t.kinds[k].table,
               t.kinds[k].field->name);
    printf("%zu of %zu levels have kept bytes\n", any, paths.count);
    assert_true(any * 20 <= paths.count);
    lvl_paths_free(&paths);
}

static void findings_are_counted(void **state)
{
    size_t files = 0;

    (void)state;
    const size_t errors = lvl_count_findings(lvl_format_find("nw"), folder, false, &files);
    assert_true(errors != SIZE_MAX && errors * 100 <= files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_is_exact),
        cmocka_unit_test(dumps_are_exact),
        cmocka_unit_test(kept_members_are_counted),
        cmocka_unit_test(findings_are_counted),
    };
    const char *corpus = lvl_corpus_dir();

    if (!corpus)
        return 77;
    lvl_ctx_init(&ctx);
    snprintf(folder, sizeof folder, "%s/graal/nw", corpus);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
