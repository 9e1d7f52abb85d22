/*
 * Every real and generated drawing and pack: each is read, written byte for byte, dumped and undumped to the
 * same bytes, each bit has a span, and each is converted to every generation without losing a pixel or text.
 * Of large ones some are tried, unless LVL_ALL is set.
 */
#include "base/format.h"
#include "corpus.h"
#include "measure.h"
#include "sketchy_same.h"

#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BIG = 48 << 10 };

static lvl_ctx ctx;
static lvl_paths paths;
static const lvl_format *drawings, *packs;

typedef void (*file_fn)(void *user, lvl_bytes file, const char *path, const lvl_doc *doc,
                        const lvl_findings *found);

/* Calls the function for each drawing and pack; of those above BIG bytes, for each n-th. Returns their
 * number. */
static size_t each_file(file_fn fn, void *user, size_t step)
{
    size_t count = 0, big = 0;

    for (size_t i = 0; i < paths.count; i++) {
        lvl_bytes file = {NULL, 0};
        lvl_doc *doc = NULL;
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        assert_non_null(data);
        file.ptr = data;
        if (file.len <= BIG || big++ % step == 0) {
            lvl_findings *found = lvl_findings_new(&ctx);
            const lvl_status status =
                lvl_read(&doc, &ctx, NULL, file, lvl_path_name(paths.items[i]), LVL_READ_BORROW, found);
            count += status != LVL_ERR_FOREIGN; /* what the game, too, doesn't take for a drawing */
            if (status == LVL_OK)
                fn(user, file, paths.items[i], doc, found);
            else
                printf("%s: %s\n", lvl_path_name(paths.items[i]), lvl_status_text(status));
            lvl_findings_free(found);
            lvl_doc_free(doc);
        }
        free(data);
    }
    assert_true(count > 0);
    return count;
}

/* ---- exact ------------------------------------------------------------------------------------------- */

enum { PACKS = LVL_SKETCHY_GENERATIONS, KINDS };

static const char *kind_name(size_t kind)
{
    return kind == PACKS ? "packs" : lvl_sketchy_generation_name((unsigned)kind);
}

static size_t kind_of(const lvl_doc *doc)
{
    return doc->format == packs ? PACKS : ((const lvl_sketchy *)doc->root)->generation;
}

struct exactness {
    size_t files[KINDS], exact[KINDS], dumped[KINDS], through[KINDS];
    uint64_t kept[KINDS], residue;
};

static void measure(void *user, lvl_bytes file, const char *path, const lvl_doc *doc,
                    const lvl_findings *found)
{
    struct exactness *e = user;
    const size_t kind = kind_of(doc);
    lvl_measure m = {0};

    (void)found;
    assert_true(lvl_measure_bytes(&m, doc->format, file, path));
    e->files[kind]++;
    e->exact[kind] += m.exact;
    e->kept[kind] += m.kept;
    e->residue += m.residue_bits;
}

static void every_file_is_exact(void **state)
{
    struct exactness e = {.residue = 0};
    size_t exact = 0;

    (void)state;
    const size_t files = each_file(measure, &e, 1);
    for (size_t k = 0; k < KINDS; k++) {
        if (e.files[k])
            printf("%-5s %3zu files, %3zu exact\n", kind_name(k), e.files[k], e.exact[k]);
        exact += e.exact[k];
    }
    printf("%llu bits residue\n", (unsigned long long)e.residue);
    assert_int_equal(exact, files);
    assert_int_equal(e.residue, 0);
}

static void dump(void *user, lvl_bytes file, const char *path, const lvl_doc *doc, const lvl_findings *found)
{
    struct exactness *e = user;
    const size_t kind = kind_of(doc);
    const lvl_dump_options options = {.compact = true};
    lvl_buffer json = {0}, out = {0};
    lvl_doc *again = NULL;

    (void)found;
    const bool same =
        lvl_dump(doc, &options, &json, NULL) == LVL_OK &&
        lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL) == LVL_OK &&
        lvl_doc_write(again, &out) == LVL_OK && out.len == file.len && !memcmp(out.data, file.ptr, file.len);
    if (!same)
        fprintf(stderr, "not exact through a dump: %s\n", path);
    e->dumped[kind]++;
    e->through[kind] += same;
    lvl_doc_free(again);
    lvl_buffer_free(&json);
    lvl_buffer_free(&out);
}

static void dumps_are_exact(void **state)
{
    struct exactness e = {.residue = 0};
    size_t through = 0;

    (void)state;
    const size_t files = each_file(dump, &e, getenv("LVL_ALL") ? 1 : 8);
    for (size_t k = 0; k < KINDS; k++) {
        if (e.dumped[k])
            printf("%-5s %3zu of %3zu files exact through dump\n", kind_name(k), e.through[k], e.dumped[k]);
        through += e.through[k];
    }
    assert_int_equal(through, files);
}

/* ---- from any generation to any ---------------------------------------------------------------------- */

static uint64_t picture_of(const lvl_doc *doc, uint64_t *pixels)
{
    uint64_t picture;

    assert_true(lvl_sketchy_picture(doc, &picture, pixels));
    return picture;
}

static bool same_words(const lvl_doc *a, const lvl_doc *b)
{
    return ((const lvl_sketchy *)a->root)->file_count == ((const lvl_sketchy *)b->root)->file_count &&
           lvl_sketchy_same_words(a, b);
}

struct crossings {
    size_t files[KINDS], tried[KINDS][KINDS], same[KINDS][KINDS], lossy[KINDS], broken;
    uint64_t pixels[KINDS];
};

static void cross(void *user, lvl_bytes file, const char *path, const lvl_doc *doc, const lvl_findings *found)
{
    struct crossings *t = user;
    const size_t kind = kind_of(doc);
    uint64_t pixels, now;

    (void)file;
    (void)found;
    if (kind == PACKS)
        return;
    const uint64_t picture = picture_of(doc, &pixels);
    t->files[kind]++;
    t->pixels[kind] += pixels;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_findings *losses = lvl_findings_new(&ctx);
        lvl_doc *to = NULL, *again = NULL;
        lvl_buffer out = {0};
        bool same = lvl_convert(doc, lvl_sketchy_generation_name(g), true, losses, &to) == LVL_OK &&
                    lvl_doc_write(to, &out) == LVL_OK &&
                    lvl_read(&again, &ctx, NULL, (lvl_bytes){out.data, out.len}, path, LVL_READ_BORROW,
                             NULL) == LVL_OK;
        same = same && kind_of(again) == g && picture_of(again, &now) == picture && now == pixels &&
               same_words(doc, again);
        const bool lossy = lvl_findings_worst(losses) >= LVL_ERROR;
        if (!same && !lossy)
            fprintf(stderr, "not the same in %s: %s\n", lvl_sketchy_generation_name(g), path);
        t->tried[kind][g]++;
        t->same[kind][g] += same;
        t->lossy[kind] += lossy && g == kind;
        t->broken += !same && !lossy;
        lvl_findings_free(losses);
        lvl_doc_free(to);
        lvl_doc_free(again);
        lvl_buffer_free(&out);
    }
}

static void conversions_keep_every_pixel(void **state)
{
    struct crossings t;

    (void)state;
    memset(&t, 0, sizeof t);
    each_file(cross, &t, getenv("LVL_ALL") ? 1 : 8);
    for (size_t k = 0; k < PACKS; k++) {
        if (!t.files[k])
            continue;
        printf("%-5s %3zu files, %llu pixels; the same in", kind_name(k), t.files[k],
               (unsigned long long)t.pixels[k]);
        for (size_t g = 0; g < PACKS; g++)
            printf(" %s %zu/%zu", kind_name(g), t.same[k][g], t.tried[k][g]);
        printf("; %zu with chunks that can't be read\n", t.lossy[k]);
    }
    assert_int_equal(t.broken, 0);
}

/* ---- rules ------------------------------------------------------------------------------------------- */

enum { MOST = 128 };

struct tally {
    size_t counts[MOST], files[MOST], last[MOST], file, damaged, wrong;
};

static void judge(void *user, lvl_bytes file, const char *path, const lvl_doc *doc, const lvl_findings *found)
{
    lvl_findings *more = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = more};
    struct tally *t = user;
    bool damaged = false;

    (void)file;
    if (doc->format->calls->check)
        assert_int_equal(doc->format->calls->check(doc, &request), LVL_OK);
    t->file++;
    for (int part = 0; part < 2; part++) {
        const lvl_findings *list = part ? more : found;
        for (size_t i = 0; i < lvl_findings_count(list); i++) {
            const lvl_finding *f = lvl_findings_at(list, i);
            const size_t id = (size_t)(f->def - drawings->findings);
            if (id >= drawings->finding_count || &drawings->findings[id] != f->def) {
                damaged = damaged || f->severity >= LVL_ERROR; /* a rule of the game book */
                continue;
            }
            assert_true(id < MOST);
            t->counts[id]++;
            t->files[id] += t->last[id] != t->file;
            t->last[id] = t->file;
            damaged = damaged || f->severity >= LVL_ERROR;
        }
    }
    t->damaged += damaged;
    if (damaged && !strstr(path, "malformed")) {
        fprintf(stderr, "called damaged: %s\n", path);
        t->wrong++;
    }
    lvl_findings_free(more);
}

static void nothing_sound_is_called_damaged(void **state)
{
    struct tally t;

    (void)state;
    memset(&t, 0, sizeof t);
    const size_t files = each_file(judge, &t, getenv("LVL_ALL") ? 1 : 3);
    for (size_t k = 0; k < MOST; k++) {
        if (t.counts[k])
            printf("%6zu in %3zu files  %-8s %s\n", t.counts[k], t.files[k],
                   lvl_severity_name(drawings->findings[k].severity[LVL_PROFILE_GAME]),
                   drawings->findings[k].id);
    }
    printf("%zu of %zu files with errors\n", t.damaged, files);
    assert_int_equal(t.wrong, 0);
    assert_true(t.damaged > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_sound_is_called_damaged),
        cmocka_unit_test(every_file_is_exact),
        cmocka_unit_test(dumps_are_exact),
        cmocka_unit_test(conversions_keep_every_pixel),
    };
    const char *corpus = lvl_corpus_dir();
    char folder[1024];

    if (!corpus)
        return 77;
    lvl_ctx_init(&ctx);
    drawings = lvl_format_find("sketchy");
    packs = lvl_format_find("levelpack");
    snprintf(folder, sizeof folder, "%s/sketchy", corpus);
    const bool fine = drawings && packs && lvl_paths_below(&paths, folder, "level doodad levelpack");
    const int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    lvl_paths_free(&paths);
    return failed;
}
