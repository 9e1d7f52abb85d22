/*
 * Drawings and packs in the spelling of other programs (support/sketchy_vary.h): each variant of each sample
 * is recognized without its name, read as the same drawing without an error, written byte for byte, also
 * through a dump, each bit has a span, and it is converted without a loss. LVL_SEED and LVL_ROUNDS try
 * others, and more of them.
 */
#include "base/format.h"
#include "corpus.h"
#include "measure.h"
#include "sketchy_same.h"
#include "sketchy_vary.h"

#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static uint64_t first_seed, rounds;

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : otherwise;
}

static lvl_doc *open_bytes(lvl_bytes bytes, const char *name, lvl_findings *found)
{
    lvl_doc *doc = NULL;

    return lvl_read(&doc, &ctx, NULL, bytes, name, LVL_READ_BORROW, found) == LVL_OK ? doc : NULL;
}

/* The number of errors of reading and checking, which are printed. */
static bool has_errors(const lvl_doc *doc, lvl_findings *found)
{
    const lvl_check_request request = {.findings = found};
    bool errors = false;

    if (doc->format->calls->check && doc->format->calls->check(doc, &request) != LVL_OK)
        return true;
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (f->severity < LVL_ERROR)
            continue;
        fprintf(stderr, "  %s: %s\n", f->def->id, f->text);
        errors = true;
    }
    return errors;
}

static bool is_exact(const lvl_doc *doc, lvl_bytes file)
{
    const lvl_dump_options options = {.compact = true};
    lvl_buffer json = {0}, out = {0};
    lvl_measure m = {0};
    lvl_doc *again = NULL;

    bool good = lvl_measure_bytes(&m, doc->format, file, "variant") && m.exact == 1 && m.residue_bits == 0;
    if (!good)
        fprintf(stderr, "  %zu exact, %llu bits residue\n", m.exact, (unsigned long long)m.residue_bits);
    good = good && lvl_dump(doc, &options, &json, NULL) == LVL_OK &&
           lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL) == LVL_OK &&
           lvl_doc_write(again, &out) == LVL_OK;
    if (good && (out.len != file.len || memcmp(out.data, file.ptr, file.len) != 0)) {
        fprintf(stderr, "  another file through a dump: %zu bytes, was %zu\n", out.len, file.len);
        good = false;
    }
    lvl_doc_free(again);
    lvl_buffer_free(&json);
    lvl_buffer_free(&out);
    return good;
}

static bool is_same(const lvl_doc *a, const lvl_doc *b)
{
    uint64_t picture, pixels, other, others;

    return lvl_sketchy_picture(a, &picture, &pixels) && lvl_sketchy_picture(b, &other, &others) &&
           picture == other && pixels == others && lvl_sketchy_same_words(a, b);
}

static bool converts(const lvl_doc *doc, const lvl_doc *like, unsigned generation)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *to = NULL, *again = NULL;
    lvl_buffer out = {0};

    bool good = lvl_convert(doc, lvl_sketchy_generation_name(generation), false, losses, &to) == LVL_OK &&
                lvl_findings_count(losses) == 0 && lvl_doc_write(to, &out) == LVL_OK;
    again = good ? open_bytes((lvl_bytes){out.data, out.len}, "a.level", NULL) : NULL;
    good = again && ((const lvl_sketchy *)again->root)->generation == generation && is_same(again, like);
    if (!good)
        fprintf(stderr, "  not the same as %s; %zu losses\n", lvl_sketchy_generation_name(generation),
                lvl_findings_count(losses));
    lvl_findings_free(losses);
    lvl_doc_free(to);
    lvl_doc_free(again);
    lvl_buffer_free(&out);
    return good;
}

static bool drawing_stays(lvl_vary *v, const lvl_doc *like, lvl_bytes file)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    /* where keys may come in any order a long one may hide all others */
    lvl_doc *doc = open_bytes(file, v->order ? "a.level" : NULL, found);

    bool good = doc && doc->format == like->format;
    if (!good)
        fprintf(stderr, "  isn't known, or can't be read\n");
    if (good && !is_same(doc, like)) {
        fprintf(stderr, "  says something else\n");
        good = false;
    }
    good = good && !has_errors(doc, found) && is_exact(doc, file) &&
           converts(doc, like, lvl_vary_below(v, LVL_SKETCHY_GENERATIONS));
    lvl_findings_free(found);
    lvl_doc_free(doc);
    return good;
}

static bool pack_stays(const lvl_doc *like, lvl_bytes file)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_doc *doc = open_bytes(file, NULL, found);
    bool good = doc && doc->format == like->format;

    if (good) {
        lvl_levelpack a = *(const lvl_levelpack *)like->root, b = *(const lvl_levelpack *)doc->root;
        a.file_count = b.file_count = 0;
        good =
            lvl_record_equal(&a, &b, &lvl_levelpack_table) && !has_errors(doc, found) && is_exact(doc, file);
    }
    lvl_findings_free(found);
    lvl_doc_free(doc);
    return good;
}

static void keep_failure(const char *path, uint64_t seed, lvl_bytes file)
{
    const char *folder = getenv("LVL_KEEP");
    char name[1024];

    fprintf(stderr, "%s, seed %llu\n", lvl_path_name(path), (unsigned long long)seed);
    if (!folder)
        return;
    snprintf(name, sizeof name, "%s/%llu-%s", folder, (unsigned long long)seed, lvl_path_name(path));
    FILE *f = fopen(name, "wb");
    if (f) {
        fwrite(file.ptr, 1, file.len, f);
        fclose(f);
    }
}

static void vary_samples(const char *endings)
{
    const char *samples = lvl_samples_dir();
    size_t tried = 0, failed = 0;
    char folder[1024];
    lvl_paths paths;

    if (!samples)
        skip();
    snprintf(folder, sizeof folder, "%s/sketchy", samples);
    assert_true(lvl_paths_below(&paths, folder, endings));
    for (size_t i = 0; i < paths.count; i++) {
        lvl_bytes file = {NULL, 0};
        if (strstr(paths.items[i], "damaged"))
            continue;
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        file.ptr = data;
        lvl_doc *like = data ? open_bytes(file, paths.items[i], NULL) : NULL;
        assert_non_null(like);
        const bool pack = like->format->table == &lvl_levelpack_table;
        for (uint64_t seed = first_seed; seed < first_seed + rounds; seed++) {
            lvl_buffer out = {0};
            lvl_vary v;
            lvl_vary_begin(&v, seed);
            assert_true(pack ? lvl_vary_zip(&v, &ctx, file, &out) : lvl_vary_drawing(&v, &ctx, file, &out));
            const lvl_bytes variant = {out.data, out.len};
            if (!(pack ? pack_stays(like, variant) : drawing_stays(&v, like, variant))) {
                keep_failure(paths.items[i], seed, variant);
                failed++;
            }
            tried++;
            lvl_buffer_free(&out);
        }
        lvl_doc_free(like);
        free(data);
    }
    lvl_paths_free(&paths);
    printf("%zu variants, %zu not the same\n", tried, failed);
    assert_true(tried > 0);
    assert_int_equal(failed, 0);
}

static void drawings_of_other_hands_are_the_same(void **state)
{
    (void)state;
    vary_samples("level doodad");
}

static void packs_of_other_hands_are_the_same(void **state)
{
    (void)state;
    vary_samples("levelpack");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawings_of_other_hands_are_the_same),
        cmocka_unit_test(packs_of_other_hands_are_the_same),
    };

    lvl_ctx_init(&ctx);
    first_seed = number_of("LVL_SEED", 1);
    rounds = number_of("LVL_ROUNDS", 24);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
