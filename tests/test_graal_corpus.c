/*
 * All real binary levels: each is read, written byte for byte, dumped and undumped to the same bytes, and
 * each bit has a span. Counts records by version, and findings. Files with the name of a level but another
 * header are left out.
 */
#include "base/format.h"
#include "corpus.h"
#include "measure.h"
#include "graal/level/graal_names.h"

#include <lvl/graal.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *format;
static lvl_paths folders[2];

typedef void (*level_fn)(void *user, lvl_bytes file, const char *name, const lvl_doc *doc,
                         const lvl_findings *found);

/* Calls the function for each level of the corpus, or for each n-th; returns their number. */
static size_t each_level(level_fn fn, void *user, size_t step)
{
    size_t levels = 0, seen = 0;

    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < folders[k].count; i++) {
            const char *name = lvl_path_name(folders[k].items[i]);
            lvl_bytes file = {NULL, 0};
            lvl_doc *doc = NULL;
            uint8_t *data = lvl_slurp(folders[k].items[i], &file.len);
            assert_non_null(data);
            file.ptr = data;
            if (lvl_probe(file, file, file.len, name, NULL) == format && seen++ % step == 0) {
                lvl_findings *found = lvl_findings_new(&ctx);
                levels++;
                if (lvl_read(&doc, &ctx, NULL, file, name, LVL_READ_BORROW, found) != LVL_OK)
                    fail_msg("%s can't be read", name);
                fn(user, file, name, doc, found);
                lvl_findings_free(found);
                lvl_doc_free(doc);
            }
            free(data);
        }
    }
    assert_true(levels > 0);
    return levels;
}

static void measure(void *user, lvl_bytes file, const char *name, const lvl_doc *doc,
                    const lvl_findings *found)
{
    (void)doc;
    (void)found;
    assert_true(lvl_measure_bytes(user, format, file, name));
}

static void every_level_is_exact(void **state)
{
    lvl_measure m = {0};

    (void)state;
    size_t levels = each_level(measure, &m, 1);
    printf("%zu levels, %zu exact, %llu bytes kept, %llu bits residue, %llu bits claimed twice\n", levels,
           m.exact, (unsigned long long)m.kept, (unsigned long long)m.residue_bits,
           (unsigned long long)m.overlap_bits);
    assert_int_equal(m.exact, levels);
    assert_int_equal(m.residue_bits, 0);
    assert_int_equal(m.overlap_bits, 0);
    /* exact by understanding, not by keeping */
    assert_true(m.kept <= levels * 2);
}

struct dumps {
    size_t exact, same;
};

/* Dumped with everything, and without what is kept: the first gives the file, the second the same level. */
static void dump(void *user, lvl_bytes file, const char *name, const lvl_doc *doc, const lvl_findings *found)
{
    struct dumps *d = user;

    (void)found;
    for (int kept = 0; kept < 2; kept++) {
        const lvl_dump_options options = {.no_kept = !kept};
        lvl_buffer json = {0}, out = {0};
        lvl_doc *again = NULL, *third = NULL;
        bool fine = lvl_dump(doc, &options, &json, NULL) == LVL_OK &&
                    lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL) == LVL_OK &&
                    lvl_doc_write(again, &out) == LVL_OK;
        if (fine && kept)
            fine = out.len == file.len && memcmp(out.data, file.ptr, file.len) == 0;
        else if (fine)
            fine = lvl_read(&third, &ctx, NULL, (lvl_bytes){out.data, out.len}, NULL, LVL_READ_BORROW,
                            NULL) == LVL_OK &&
                   lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(third), &lvl_graal_table);
        if (!fine)
            fprintf(stderr, "not %s through a dump: %s\n", kept ? "exact" : "the same", name);
        *(kept ? &d->exact : &d->same) += fine;
        lvl_doc_free(again);
        lvl_doc_free(third);
        lvl_buffer_free(&json);
        lvl_buffer_free(&out);
    }
}

static void dumps_are_exact(void **state)
{
    struct dumps d = {0, 0};

    (void)state;
    size_t levels = each_level(dump, &d, getenv("LVL_ALL") ? 1 : 5);
    printf("%zu of %zu levels exact through dump, %zu the same level without what is kept\n", d.exact, levels,
           d.same);
    assert_int_equal(d.exact, levels);
    assert_int_equal(d.same, levels);
}

enum { MOST = 256 };

struct tally {
    struct {
        size_t files, links, baddies, npcs, chests, signs, kept;
    } versions[LVL_GRAAL_VERSIONS];
    size_t counts[MOST], files[MOST], last[MOST];
    size_t level, errors;
};

static void count(void *user, lvl_bytes file, const char *name, const lvl_doc *doc, const lvl_findings *found)
{
    const lvl_finding_def *defs = format->findings;
    const lvl_graal *g = lvl_doc_croot(doc);
    struct tally *t = user;

    (void)file;
    t->level++;
    t->versions[g->version].files++;
    t->versions[g->version].links += g->link_count;
    t->versions[g->version].baddies += g->baddy_count;
    t->versions[g->version].npcs += g->npc_count;
    t->versions[g->version].chests += g->chest_count;
    t->versions[g->version].signs += g->sign_count;
    t->versions[g->version].kept += lvl_kept_bytes(doc) != 0;
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const size_t id = (size_t)(lvl_findings_at(found, i)->def - defs);
        assert_true(id < MOST);
        t->counts[id]++;
        t->files[id] += t->last[id] != t->level;
        t->last[id] = t->level;
    }
    if (lvl_findings_worst(found) >= LVL_ERROR) {
        t->errors++;
        fprintf(stderr, "error in %s\n", name);
    }
}

static void what_is_in_them(void **state)
{
    struct tally t;

    (void)state;
    memset(&t, 0, sizeof t);
    size_t levels = each_level(count, &t, 1);
    for (unsigned v = 0; v < LVL_GRAAL_VERSIONS; v++) {
        if (t.versions[v].files)
            printf("%s %5zu levels, %5zu links, %5zu baddies, %5zu npcs, %4zu chests, %5zu signs; %zu with "
                   "kept bytes\n",
                   lvl_graal_version_name(v), t.versions[v].files, t.versions[v].links, t.versions[v].baddies,
                   t.versions[v].npcs, t.versions[v].chests, t.versions[v].signs, t.versions[v].kept);
    }
    for (size_t k = 0; k < MOST; k++) {
        if (t.counts[k])
            printf("%6zu in %4zu levels  %-8s %s\n", t.counts[k], t.files[k],
                   lvl_severity_name(format->findings[k].severity[LVL_PROFILE_GAME]), format->findings[k].id);
    }
    printf("%zu of %zu levels with errors\n", t.errors, levels);
    /* what real levels are, stale lines and all, is no fault of the format */
    assert_true(t.errors * 100 <= levels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_is_exact),
        cmocka_unit_test(dumps_are_exact),
        cmocka_unit_test(what_is_in_them),
    };
    const char *corpus = lvl_corpus_dir();
    char folder[1024];

    if (!corpus)
        return 77;
    lvl_ctx_init(&ctx);
    format = lvl_format_find("graal");
    snprintf(folder, sizeof folder, "%s/graal/graal", corpus);
    bool fine = lvl_paths_below(&folders[0], folder, NULL);
    snprintf(folder, sizeof folder, "%s/graal/zelda", corpus);
    fine = fine && lvl_paths_below(&folders[1], folder, NULL);
    int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    lvl_paths_free(&folders[0]);
    lvl_paths_free(&folders[1]);
    return failed;
}
