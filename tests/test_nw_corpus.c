/*
 * All real text levels: each is read, written byte for byte, dumped and undumped to the same bytes, and told of to the last bit; what had to be kept of
 * them, counted by member, and what is found in them, counted by finding.
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
    lvl_measure m = {0};

    (void)state;
    assert_true(lvl_measure_folder(&m, lvl_format_find("nw"), folder, NULL));
    printf("%zu levels, %zu exact, %llu bytes kept, %llu bits residue, %llu bits claimed twice\n", m.files,
           m.exact, (unsigned long long)m.kept, (unsigned long long)m.residue_bits,
           (unsigned long long)m.overlap_bits);
    assert_true(m.files > 0);
    assert_int_equal(m.exact, m.files);
    assert_int_equal(m.residue_bits, 0);
    assert_int_equal(m.overlap_bits, 0);
    /* exact by understanding, not by keeping */
    assert_true(m.kept <= m.files * 2);
}

/* Dumped with everything, and without what is kept: the first gives the file, the second the same level. */
static bool survives_dump(const lvl_doc *doc, lvl_bytes file, bool kept)
{
    const lvl_dump_options options = {.no_kept = !kept};
    lvl_doc *again = NULL, *third = NULL;
    lvl_buffer json = {0}, out = {0};

    bool fine = lvl_dump(doc, &options, &json, NULL) == LVL_OK &&
                lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL) == LVL_OK &&
                lvl_doc_write(again, &out) == LVL_OK;
    if (fine && kept)
        fine = out.len == file.len && memcmp(out.data, file.ptr, file.len) == 0;
    else if (fine)
        fine = lvl_read(&third, &ctx, NULL, (lvl_bytes){out.data, out.len}, NULL, LVL_READ_BORROW, NULL) ==
                   LVL_OK &&
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
        if (survives_dump(doc, file, true))
            exact++;
        else
            fprintf(stderr, "not exact through dump: %s\n", lvl_path_name(paths.items[i]));
        if (survives_dump(doc, file, false))
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

/* ---- what is kept ---------------------------------------------------------------------------------------------------------------- */

enum { MOST_KINDS = 40 };

struct tally {
    struct {
        const lvl_field *field;
        const char *table;
        size_t files, times;
        bool here;
    } kinds[MOST_KINDS];
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
            assert_true(t->count < MOST_KINDS);
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
        any += lvl_doc_kept(doc) != 0;
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
    const lvl_format *format = lvl_format_find("nw");
    size_t n, errors = 0;
    lvl_paths paths;

    (void)state;
    const lvl_finding_def *defs = lvl_format_findings(format, &n);
    size_t *counts = calloc(n, sizeof *counts), *files = calloc(n, sizeof *files),
           *last = calloc(n, sizeof *last);
    assert_true(counts && files && last);
    assert_true(lvl_paths_below(&paths, folder, NULL));
    for (size_t i = 0; i < paths.count; i++) {
        lvl_findings *found = lvl_findings_new(&ctx);
        lvl_bytes file = {NULL, 0};
        lvl_doc *doc;
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        file.ptr = data;
        assert_non_null(data);
        assert_int_equal(lvl_read(&doc, &ctx, format, file, NULL, LVL_READ_BORROW, found), LVL_OK);
        for (size_t k = 0; k < lvl_findings_count(found); k++) {
            const size_t id = (size_t)(lvl_findings_at(found, k)->def - defs);
            assert_true(id < n);
            counts[id]++;
            files[id] += last[id] != i + 1;
            last[id] = i + 1;
        }
        if (lvl_findings_worst(found) >= LVL_ERROR) {
            errors++;
            fprintf(stderr, "error in %s\n", lvl_path_name(paths.items[i]));
        }
        lvl_findings_free(found);
        lvl_doc_free(doc);
        free(data);
    }
    for (size_t k = 0; k < n; k++) {
        if (counts[k])
            printf("%6zu in %4zu levels  %-8s %s\n", counts[k], files[k],
                   lvl_severity_name(defs[k].severity[LVL_PROFILE_GAME]), defs[k].id);
    }
    printf("%zu of %zu levels with errors\n", errors, paths.count);
    assert_true(errors * 100 <= paths.count);
    free(counts);
    free(files);
    free(last);
    lvl_paths_free(&paths);
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
