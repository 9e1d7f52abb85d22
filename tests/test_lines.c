/*
 * The line diff: its hunks always lead from one text to the other, with few hunks for few changes, and in
 * bounded time.
 */
#include "tools/diff/lines.h"
#include "growth.h"

#include <lvl/doc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* Checks that the hunks are in order, do not touch, and that the lines between them are equal; returns the
 * number of changed lines. */
static size_t sound(const lvl_lines *l)
{
    uint32_t i = 0, j = 0;
    size_t changed = 0;

    for (size_t k = 0; k <= l->hunk_count; k++) {
        const lvl_hunk end = {l->a_count, 0, l->b_count, 0};
        const lvl_hunk h = k < l->hunk_count ? l->hunks[k] : end;
        assert_true(h.a >= i && h.a - i == h.b - j);
        assert_true(k == 0 || k == l->hunk_count || h.a > i);
        for (; i < h.a; i++, j++)
            assert_true(lvl_text_equal(l->a[i], l->b[j]));
        assert_true(k == l->hunk_count || h.a_count || h.b_count);
        i += h.a_count;
        j += h.b_count;
        assert_true(i <= l->a_count && j <= l->b_count);
        changed += h.a_count + h.b_count;
    }
    assert_int_equal(i, l->a_count);
    assert_int_equal(j, l->b_count);
    return changed;
}

static size_t changes(const char *a, const char *b, size_t *hunks)
{
    lvl_lines l;

    assert_int_equal(lvl_lines_find(&l, lvl_text_of(a), lvl_text_of(b)), LVL_OK);
    size_t n = sound(&l);
    if (hunks)
        *hunks = l.hunk_count;
    lvl_lines_free(&l);
    return n;
}

static void small(void **state)
{
    size_t hunks;
    (void)state;

    assert_int_equal(changes("", "", NULL), 0);
    assert_int_equal(changes("a", "a", NULL), 0);
    assert_int_equal(changes("", "a", NULL), 1);
    assert_int_equal(changes("a\nb", "", NULL), 2);
    assert_int_equal(changes("a", "a\n", NULL), 1);
    assert_int_equal(changes("a\nb\nc", "a\nx\nc", NULL), 2);
    assert_int_equal(changes("a\nb\nc\nd", "d\na\nb\nc", NULL), 2);
    assert_int_equal(changes("a\n\nb\n\nc", "a\n\nc", NULL), 2);
    /* a block that is put in is one hunk, its last brace its own */
    assert_int_equal(changes("f {\n}\ng {\n}", "f {\n}\nnew {\n}\ng {\n}", &hunks), 2);
    assert_int_equal(hunks, 1);
}

static void put_random(lvl_buffer *out, uint32_t lines, uint32_t kinds)
{
    for (uint32_t i = 0; i < lines; i++)
        lvl_buffer_printf(out, "%s%lu", i ? "\n" : "", (unsigned long)any(kinds));
}

/* The minimum, computed with a table of all pairs. */
static size_t least(const lvl_lines *l)
{
    uint16_t *row = calloc((size_t)l->b_count + 1, sizeof *row);
    assert_non_null(row);

    for (uint32_t j = 0; j <= l->b_count; j++)
        row[j] = (uint16_t)j;
    for (uint32_t i = 1; i <= l->a_count; i++) {
        uint16_t diagonal = row[0];
        row[0] = (uint16_t)i;
        for (uint32_t j = 1; j <= l->b_count; j++) {
            uint16_t up = row[j], best = (uint16_t)((up < row[j - 1] ? up : row[j - 1]) + 1);
            if (lvl_text_equal(l->a[i - 1], l->b[j - 1]))
                best = diagonal;
            diagonal = up;
            row[j] = best;
        }
    }
    size_t n = row[l->b_count];
    free(row);
    return n;
}

static void random_texts(void **state)
{
    size_t ours = 0, best = 0;
    (void)state;

    for (int round = 0; round < 3000; round++) {
        lvl_buffer a = {0}, b = {0};
        lvl_lines l;
        uint32_t kinds = 1 + any(12);
        put_random(&a, any(30), kinds);
        put_random(&b, any(30), kinds);
        lvl_text ta = {(const char *)a.data, a.len}, tb = {(const char *)b.data, b.len};
        assert_int_equal(lvl_lines_find(&l, ta, tb), LVL_OK);
        ours += sound(&l);
        best += least(&l);
        lvl_lines_free(&l);
        lvl_buffer_free(&a);
        lvl_buffer_free(&b);
    }
    assert_true(ours >= best);
    assert_true(ours - best < best / 20); /* lines that occur once may add a few */
}

/* Hundreds of thousands of lines with nothing in common in order: reported quickly as one large change. */
static void bounded(void **state)
{
    lvl_buffer a = {0}, b = {0};
    lvl_lines l;
    (void)state;

    put_random(&a, 200000, 40000);
    put_random(&b, 200000, 40000);
    lvl_text ta = {(const char *)a.data, a.len}, tb = {(const char *)b.data, b.len};
    const double start = lvl_cpu_seconds();
    assert_int_equal(lvl_lines_find(&l, ta, tb), LVL_OK);
    double took = lvl_cpu_seconds() - start;
    sound(&l);
    assert_true(took < 10); /* a tenth of a second, and much more under the sanitizers */
    lvl_lines_free(&l);
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small),
        cmocka_unit_test(random_texts),
        cmocka_unit_test(bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
