/*
 * tools/diff/lines.c: a line diff. Equal lines get the same number. Lines that occur once on each side, in
 * the same order, are anchors (as in patience diff); the lines between anchors are compared by Myers'
 * algorithm in linear space, with a limit on its steps.
 */
#include "tools/diff/lines.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/search.h"

#include "tools/tools.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 1 << 24 }; /* of Myers' algorithm, for one pair of texts */

typedef struct comparer {
    const uint32_t *a, *b; /* the lines as numbers, the same for equal lines */
    uint8_t *a_gone, *b_new; /* by line: it has no counterpart on the other side */
    ptrdiff_t *ahead, *behind; /* furthest reaching paths by diagonal, from the start and from the end */
    ptrdiff_t zero; /* index of diagonal 0 in these */
    int64_t steps; /* left */
} comparer;

/* ---- Myers ------------------------------------------------------------------------------------------- */

typedef struct box {
    ptrdiff_t a0, a1, b0, b1;
} box;

static void mark(const comparer *c, const box *r)
{
    memset(c->a_gone + r->a0, 1, (size_t)(r->a1 - r->a0));
    memset(c->b_new + r->b0, 1, (size_t)(r->b1 - r->b0));
}

static void trim(const comparer *c, box *r)
{
    while (r->a0 < r->a1 && r->b0 < r->b1 && c->a[r->a0] == c->b[r->b0]) {
        r->a0++;
        r->b0++;
    }
    while (r->a0 < r->a1 && r->b0 < r->b1 && c->a[r->a1 - 1] == c->b[r->b1 - 1]) {
        r->a1--;
        r->b1--;
    }
}

/* A point in the middle of a shortest edit path through the box, which has lines on both sides and is
 * trimmed; false: no steps are left. */
static bool find_middle(comparer *c, const box *r, ptrdiff_t *x_out, ptrdiff_t *y_out)
{
    const ptrdiff_t least = r->a0 - r->b1, most = r->a1 - r->b0;
    const ptrdiff_t start = r->a0 - r->b0, end = r->a1 - r->b1;
    const bool odd = ((start - end) & 1) != 0;
    ptrdiff_t *f = c->ahead + c->zero, *g = c->behind + c->zero;
    ptrdiff_t f_lo = start, f_hi = start, g_lo = end, g_hi = end;

    f[start] = r->a0;
    g[end] = r->a1;
    for (;;) {
        if (f_lo > least)
            f[--f_lo - 1] = -1;
        else
            f_lo++;
        if (f_hi < most)
            f[++f_hi + 1] = -1;
        else
            f_hi--;
        for (ptrdiff_t d = f_hi; d >= f_lo; d -= 2) {
            ptrdiff_t x = f[d - 1] < f[d + 1] ? f[d + 1] : f[d - 1] + 1, from = x;
            while (x < r->a1 && x - d < r->b1 && c->a[x] == c->b[x - d])
                x++;
            f[d] = x;
            c->steps -= x - from + 1;
            if (odd && g_lo <= d && d <= g_hi && g[d] <= x) {
                *x_out = x;
                *y_out = x - d;
                return true;
            }
        }
        if (g_lo > least)
            g[--g_lo - 1] = PTRDIFF_MAX;
        else
            g_lo++;
        if (g_hi < most)
            g[++g_hi + 1] = PTRDIFF_MAX;
        else
            g_hi--;
        for (ptrdiff_t d = g_hi; d >= g_lo; d -= 2) {
            ptrdiff_t x = g[d - 1] < g[d + 1] ? g[d - 1] : g[d + 1] - 1, from = x;
            while (x > r->a0 && x - d > r->b0 && c->a[x - 1] == c->b[x - d - 1])
                x--;
            g[d] = x;
            c->steps -= from - x + 1;
            if (!odd && f_lo <= d && d <= f_hi && x <= f[d]) {
                *x_out = x;
                *y_out = x - d;
                return true;
            }
        }
        if (c->steps < 0)
            return false;
    }
}

/* Each recursion halves the differences, so that the depth stays small. */
static void compare(comparer *c, box r) /* NOLINT(misc-no-recursion) */
{
    ptrdiff_t x, y;

    trim(c, &r);
    if (r.a0 == r.a1 || r.b0 == r.b1 || !find_middle(c, &r, &x, &y)) {
        mark(c, &r);
        return;
    }
    compare(c, (box){r.a0, x, r.b0, y});
    compare(c, (box){x, r.a1, y, r.b1});
}

/* ---- anchors ----------------------------------------------------------------------------------------- */

lvl_status lvl_rising_run(const uint32_t *values, uint32_t count, uint8_t *in_run)
{
    /* by length of a run: index of the smallest value that ends such a run; by index: the value before it */
    uint32_t *ends = malloc(((size_t)count + 1) * sizeof *ends);
    uint32_t *before = malloc(((size_t)count + 1) * sizeof *before);
    uint32_t longest = 0;
    const bool good = ends && before;

    for (uint32_t i = 0; good && i < count; i++) {
        size_t at;
        in_run[i] = 0;
        if (values[i] == UINT32_MAX)
            continue;
        LVL_LOWER_BOUND(at, longest, values[ends[at]] < values[i]);
        before[i] = at ? ends[at - 1] : UINT32_MAX;
        ends[at] = i;
        longest += at == longest;
    }
    for (uint32_t i = good && longest ? ends[longest - 1] : UINT32_MAX; i != UINT32_MAX; i = before[i])
        in_run[i] = 1;
    free(ends);
    free(before);
    return good ? LVL_OK : LVL_ERR_MEMORY;
}

/* Compares the boxes between the anchors: lines that occur once on each side, in the same order. `ids`: how
 * many different lines there are. */
static lvl_status compare_anchored(comparer *c, box all, uint32_t ids)
{
    lvl_status status = LVL_ERR_MEMORY;
    uint32_t count = 0;

    trim(c, &all);
    const size_t n = (size_t)(all.a1 - all.a0);
    uint8_t *seen_a = calloc((size_t)ids + 1, 1), *seen_b = calloc((size_t)ids + 1, 1);
    uint32_t *place_b = malloc(((size_t)ids + 1) * sizeof *place_b);
    uint32_t *at_a = calloc(n + 1, sizeof *at_a), *at_b = calloc(n + 1, sizeof *at_b);
    uint8_t *is_anchor = calloc(n + 1, 1);
    if (!seen_a || !seen_b || !place_b || !at_a || !at_b || !is_anchor)
        goto out;
    for (ptrdiff_t i = all.a0; i < all.a1; i++)
        seen_a[c->a[i]] = seen_a[c->a[i]] ? 2 : 1;
    for (ptrdiff_t j = all.b0; j < all.b1; j++) {
        seen_b[c->b[j]] = seen_b[c->b[j]] ? 2 : 1;
        place_b[c->b[j]] = (uint32_t)j;
    }
    for (ptrdiff_t i = all.a0; i < all.a1; i++) {
        if (seen_a[c->a[i]] != 1 || seen_b[c->a[i]] != 1)
            continue;
        at_a[count] = (uint32_t)i;
        at_b[count++] = place_b[c->a[i]];
    }
    status = lvl_rising_run(at_b, count, is_anchor);
    if (status != LVL_OK)
        goto out;
    box gap = all;
    for (uint32_t i = count; i-- > 0;) { /* from the last one back */
        if (!is_anchor[i])
            continue;
        gap.a0 = (ptrdiff_t)at_a[i] + 1;
        gap.b0 = (ptrdiff_t)at_b[i] + 1;
        compare(c, gap);
        gap.a1 = at_a[i];
        gap.b1 = at_b[i];
    }
    gap.a0 = all.a0;
    gap.b0 = all.b0;
    compare(c, gap);
out:
    free(seen_a);
    free(seen_b);
    free(place_b);
    free(at_a);
    free(at_b);
    free(is_anchor);
    return status;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static lvl_status split(lvl_text text, lvl_text **out, uint32_t *count)
{
    size_t n = text.len != 0, at = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    if (n > UINT32_MAX / 4)
        return LVL_ERR_MEMORY;
    *out = calloc(n + 1, sizeof **out);
    if (!*out)
        return LVL_ERR_MEMORY;
    for (size_t k = 0; k < n; k++) {
        const char *p = text.ptr + at, *nl = text.len > at ? memchr(p, '\n', text.len - at) : NULL;
        (*out)[k].ptr = p;
        (*out)[k].len = nl ? (size_t)(nl - p) : text.len - at;
        at += (*out)[k].len + 1;
    }
    *count = (uint32_t)n;
    return LVL_OK;
}

/* Numbers the lines of both texts, equal lines alike; *count is how many different lines there are. */
static lvl_status number_lines(const lvl_lines *l, uint32_t *ids, uint32_t *count)
{
    lvl_status status = LVL_OK;
    lvl_hash first; /* the first line with each number */

    lvl_hash_init(&first);
    *count = 0;
    for (uint32_t i = 0; i < l->a_count + l->b_count && status == LVL_OK; i++) {
        const lvl_text line = i < l->a_count ? l->a[i] : l->b[i - l->a_count];
        const uint64_t hash = lvl_hash_bytes(&first.seed, line.ptr, line.len);
        lvl_hash_at at = lvl_hash_first(&first, hash);
        while (at.found &&
               !lvl_text_equal(line, at.index < l->a_count ? l->a[at.index] : l->b[at.index - l->a_count]))
            at = lvl_hash_next(&first, at);
        ids[i] = at.found ? ids[at.index] : (*count)++;
        if (!at.found)
            status = lvl_hash_add(&first, hash, i);
    }
    lvl_hash_free(&first);
    return status;
}

static lvl_status gather_hunks(lvl_lines *l, const uint8_t *a_gone, const uint8_t *b_new)
{
    size_t cap = 0;
    uint32_t i = 0, j = 0;

    while (i < l->a_count || j < l->b_count) {
        lvl_hunk h = {i, 0, j, 0};
        while (i < l->a_count && a_gone[i])
            i++;
        while (j < l->b_count && b_new[j])
            j++;
        h.a_count = i - h.a;
        h.b_count = j - h.b;
        if (!h.a_count && !h.b_count) {
            i++;
            j++;
            continue;
        }
        lvl_hunk *last = l->hunk_count ? &l->hunks[l->hunk_count - 1] : NULL;
        if (last && last->a + last->a_count == h.a && last->b + last->b_count == h.b) {
            last->a_count += h.a_count;
            last->b_count += h.b_count;
            continue;
        }
        if (!lvl_grow(&l->hunks, &cap, l->hunk_count + 1, sizeof *l->hunks))
            return LVL_ERR_MEMORY;
        l->hunks[l->hunk_count++] = h;
    }
    return LVL_OK;
}

/* An insertion or removal that fits further down as well is moved there, where people expect it. */
static void slide_down(const comparer *c, uint32_t a_count, uint32_t b_count)
{
    uint32_t i = 0, j = 0;

    while (i < a_count || j < b_count) {
        uint32_t a = i, b = j;
        while (i < a_count && c->a_gone[i])
            i++;
        while (j < b_count && c->b_new[j])
            j++;
        const bool added = a == i && b < j, removed = b == j && a < i;
        while ((added || removed) && i < a_count && !c->a_gone[i] && j < b_count && !c->b_new[j] &&
               (added ? c->b[b] == c->b[j] : c->a[a] == c->a[i])) {
            if (added) {
                c->b_new[b++] = 0;
                c->b_new[j] = 1;
            } else {
                c->a_gone[a++] = 0;
                c->a_gone[i] = 1;
            }
            i++;
            j++;
        }
        if (i < a_count && !c->a_gone[i] && j < b_count && !c->b_new[j]) {
            i++;
            j++;
        }
    }
}

lvl_status lvl_sequence_compare(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
                                uint32_t ids, uint8_t *a_gone, uint8_t *b_new)
{
    const size_t n = (size_t)a_count + b_count;
    comparer c = {
        .a = a, .b = b, .a_gone = a_gone, .b_new = b_new, .zero = (ptrdiff_t)b_count + 1, .steps = MAX_STEPS};

    c.ahead = malloc((n + 3) * 2 * sizeof *c.ahead);
    if (!c.ahead)
        return LVL_ERR_MEMORY;
    c.behind = c.ahead + n + 3;
    const lvl_status status = compare_anchored(&c, (box){0, a_count, 0, b_count}, ids);
    if (status == LVL_OK)
        slide_down(&c, a_count, b_count);
    free(c.ahead);
    return status;
}

lvl_status lvl_lines_find(lvl_lines *l, lvl_text a, lvl_text b)
{
    memset(l, 0, sizeof *l);
    lvl_status status = split(a, &l->a, &l->a_count);
    if (status == LVL_OK)
        status = split(b, &l->b, &l->b_count);
    if (status != LVL_OK)
        return status;
    const size_t n = (size_t)l->a_count + l->b_count;
    uint32_t *ids = calloc(n + 1, sizeof *ids), count = 0;
    uint8_t *a_gone = calloc(n + 2, 1);
    status = ids && a_gone ? number_lines(l, ids, &count) : LVL_ERR_MEMORY;
    uint8_t *b_new = a_gone ? a_gone + l->a_count + 1 : NULL;
    if (status == LVL_OK)
        status = lvl_sequence_compare(ids, l->a_count, ids + l->a_count, l->b_count, count, a_gone, b_new);
    if (status == LVL_OK)
        status = gather_hunks(l, a_gone, b_new);
    free(ids);
    free(a_gone);
    return status;
}

void lvl_lines_free(lvl_lines *l)
{
    free(l->a);
    free(l->b);
    free(l->hunks);
    memset(l, 0, sizeof *l);
}
