/*
 * Probing never accepts a foreign file: every file below /usr (LVL_PROBE_ROOTS: other folders,
 * blank-separated), of which only the ends are read. It recognizes each file of the corpus and the samples.
 *
 * Above 40000 files only every n-th is tried, unless LVL_HOSTILE is set.
 */
#include "base/text.h"
#include "corpus.h"
#include "base/format.h"

#include <lvl/doc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { END = 4096, ENOUGH = 40000 };

struct ends {
    uint8_t head[END], tail[END];
    size_t head_len, tail_len;
    uint64_t size;
};

static const lvl_format *probe_file(const char *path, struct ends *e, bool *readable)
{
    *readable = lvl_slurp_ends(path, e->head, &e->head_len, e->tail, &e->tail_len, END, &e->size);
    if (!*readable)
        return NULL;
    return lvl_probe((lvl_bytes){e->head, e->head_len}, (lvl_bytes){e->tail, e->tail_len}, e->size,
                     lvl_path_name(path), NULL);
}

/* The format whose signature the file has; NULL: none. */
static const lvl_format *signed_by(const struct ends *e)
{
    for (size_t i = 0; i < lvl_format_count(); i++) {
        if (lvl_format_signature(lvl_format_at(i), (lvl_bytes){e->head, e->head_len}))
            return lvl_format_at(i);
    }
    return NULL;
}

/* Real files of our formats: a system's /usr has none, but a user may have added some. */
static bool ends_like_ours(const char *path)
{
    return strstr(path, "/share/lvl/") != NULL;
}

/* A BMP or MNG is one, whoever made it. */
static bool is_common(const lvl_format *format, const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot && (strcmp(format->id, "bmp") == 0 || strcmp(format->id, "mng") == 0) &&
           lvl_text_equal_nocase(lvl_text_of(dot + 1), lvl_text_of(format->id));
}

static void no_foreign_file_is_claimed(void **state)
{
    static struct ends ends;
    const char *roots = getenv("LVL_PROBE_ROOTS");
    size_t looked = 0, claimed = 0, there = 0;

    (void)state;
    if (!roots || !*roots)
        roots = "/usr";
    while (*roots) {
        char root[512];
        size_t n = strcspn(roots, " ");
        lvl_paths paths;
        assert_true(n < sizeof root);
        memcpy(root, roots, n);
        root[n] = 0;
        roots += n + strspn(roots + n, " ");
        assert_true(lvl_paths_below(&paths, root, NULL));
        size_t step = paths.count > ENOUGH && !getenv("LVL_HOSTILE") ? paths.count / ENOUGH + 1 : 1;
        there += paths.count;
        for (size_t i = 0; i < paths.count; i += step) {
            bool readable;
            const lvl_format *f = probe_file(paths.items[i], &ends, &readable);
            looked += readable;
            if (f && !ends_like_ours(paths.items[i]) && !is_common(f, paths.items[i])) {
                claimed++;
                if (claimed <= 20)
                    print_message("%s is claimed to be %s\n", paths.items[i], f->id);
            }
            f = readable ? signed_by(&ends) : NULL;
            if (f && !ends_like_ours(paths.items[i]) && !is_common(f, paths.items[i])) {
                claimed++;
                print_message("%s has the signature of %s\n", paths.items[i], f->id);
            }
        }
        lvl_paths_free(&paths);
    }
    print_message("foreign files probed: %zu of %zu, claimed: %zu\n", looked, there, claimed);
    if (!looked)
        skip();
    assert_int_equal(claimed, 0);
}

static bool has_ending(const lvl_format *format, const char *path)
{
    const char *dot = strrchr(path, '.'), *e = format->extensions;

    for (size_t n; dot && *e; e += n + strspn(e + n, " ")) {
        size_t same = 0;
        n = strcspn(e, " ");
        while (same < n && (dot[1 + same] | 0x20) == (e[same] | 0x20))
            same++;
        if (same == n && !dot[1 + n])
            return true;
    }
    return false;
}

/* All files below a folder whose ending is some format's. */
static void probe_ours(const char *dir, const char *what)
{
    static struct ends ends;
    lvl_paths paths;
    size_t right = 0, wrong = 0, unknown = 0, signs = 0, with = 0;

    assert_true(lvl_paths_below(&paths, dir, NULL));
    for (size_t i = 0; i < paths.count; i++) {
        bool readable, ours = false;
        for (size_t k = 0; k < lvl_format_count(); k++)
            ours = ours || has_ending(lvl_format_at(k), paths.items[i]);
        /* damaged twins are there to be seen as damaged, not to be known by every byte */
        if (!ours || strstr(paths.items[i], "damaged"))
            continue;
        const lvl_format *f = probe_file(paths.items[i], &ends, &readable);
        /* what other programs go by (file(1), desktops, archives) must be what we go by */
        const lvl_format *same = readable ? signed_by(&ends) : NULL;
        if (same && same != f && ++wrong <= 20)
            print_message("%s has the signature of %s, but is %s\n", paths.items[i], same->id,
                          f ? f->id : "not known");
        signs += f && f->signatures;
        with += same != NULL;
        if (f && has_ending(f, paths.items[i]))
            right++;
        else if (f && ++wrong <= 20)
            print_message("%s is claimed to be %s\n", paths.items[i], f->id);
        else if (!f && ++unknown <= 20)
            print_message("%s is not known\n", paths.items[i]);
    }
    print_message("%s: %zu known, %zu taken for another, %zu not known\n", what, right, wrong, unknown);
    print_message("%zu of %zu files of formats with signatures have one\n", with, signs);
    lvl_paths_free(&paths);
    assert_int_equal(wrong, 0);
    assert_int_equal(unknown, 0);
    assert_true(with * 10 > signs * 8); /* some are gzips, headerless, or damaged */
}

static void the_corpus_is_known(void **state)
{
    const char *dir = lvl_corpus_dir();
    char path[1024];

    (void)state;
    if (!dir)
        skip();
    snprintf(path, sizeof path, "%s/wwd", dir);
    probe_ours(path, "corpus");
}

static void the_samples_are_known(void **state)
{
    const char *dir = lvl_samples_dir();

    (void)state;
    if (!dir)
        skip();
    probe_ours(dir, "samples");
}

static void nothing_and_noise_are_foreign(void **state)
{
    uint8_t noise[8192];
    uint32_t seed = 12345;

    (void)state;
    assert_null(lvl_probe((lvl_bytes){NULL, 0}, (lvl_bytes){NULL, 0}, 0, NULL, NULL));
    assert_null(lvl_probe((lvl_bytes){NULL, 0}, (lvl_bytes){NULL, 0}, 0, "empty.wwd", NULL));
    for (int round = 0; round < 2000; round++) {
        size_t n = (size_t)round < sizeof noise ? (size_t)round * 3 : sizeof noise;
        int bits = -1;
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = round % 3 == 0   ? 0
                       : round % 3 == 1 ? 0xff
                                        : (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
        n = n < END ? n : END;
        assert_null(lvl_probe((lvl_bytes){noise, n}, (lvl_bytes){noise, n}, n, NULL, &bits));
        assert_int_equal(bits, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_foreign_file_is_claimed),
        cmocka_unit_test(the_corpus_is_known),
        cmocka_unit_test(the_samples_are_known),
        cmocka_unit_test(nothing_and_noise_are_foreign),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
