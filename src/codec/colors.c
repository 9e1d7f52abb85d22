/*
 * codec/colors.c: see colors.h. Too many colours are reduced by median cut: the worst box of colours (widest
 * side, squared, times its pixels) is split at its median until there are enough boxes, and a box becomes its
 * most frequent colour, or its average. So the main colours of a picture stay exact, and photographs keep
 * their look.
 */
#include "codec/colors.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

typedef lvl_used_color color;

/* ---- counting ---------------------------------------------------------------------------------------- */

lvl_used_color *lvl_used_colors_find(const lvl_used_colors *c, uint32_t rgba)
{
    lvl_hash_at at = lvl_hash_first(&c->table, lvl_hash_u64(&c->table.seed, rgba));

    while (at.found && c->list[at.index].rgba != rgba)
        at = lvl_hash_next(&c->table, at);
    return at.found ? &c->list[at.index] : NULL;
}

lvl_status lvl_used_colors_add(lvl_used_colors *c, uint32_t rgba)
{
    if (!c->count || c->list[c->last].rgba != rgba) {
        const color *known = c->count ? lvl_used_colors_find(c, rgba) : NULL;
        if (!known) {
            if (!lvl_grow(&c->list, &c->cap, (size_t)c->count + 1, sizeof *c->list))
                return LVL_ERR_MEMORY;
            if (!c->count)
                lvl_hash_init(&c->table);
            const lvl_status status = lvl_hash_add(&c->table, lvl_hash_u64(&c->table.seed, rgba), c->count);
            if (status != LVL_OK)
                return status;
            c->list[c->count] = (color){rgba, 0, c->count, 0};
            known = &c->list[c->count++];
        }
        c->last = (uint32_t)(known - c->list);
    }
    if (c->list[c->last].pixels < UINT32_MAX)
        c->list[c->last].pixels++;
    return LVL_OK;
}

lvl_status lvl_used_colors_sorted(lvl_used_colors *c)
{
    lvl_status status = LVL_OK;

    lvl_hash_clear(&c->table);
    for (uint32_t i = 0; i < c->count && status == LVL_OK; i++)
        status = lvl_hash_add(&c->table, lvl_hash_u64(&c->table.seed, c->list[i].rgba), i);
    return status;
}

void lvl_used_colors_free(lvl_used_colors *c)
{
    free(c->list);
    lvl_hash_free(&c->table);
    memset(c, 0, sizeof *c);
}

/* ---- median cut -------------------------------------------------------------------------------------- */

/* list[first .. end). */
typedef struct box {
    uint32_t first, end;
    int channel; /* the widest, as a shift */
    double badness;
    uint32_t rank, value;
} box;

static int compare_channel(const void *a, const void *b, int shift)
{
    const uint32_t x = ((const color *)a)->rgba, y = ((const color *)b)->rgba;
    const int d = (int)(x >> shift & 255) - (int)(y >> shift & 255);

    return d ? d : (x > y) - (x < y);
}

static int by_red(const void *a, const void *b)
{
    return compare_channel(a, b, 0);
}

static int by_green(const void *a, const void *b)
{
    return compare_channel(a, b, 8);
}

static int by_blue(const void *a, const void *b)
{
    return compare_channel(a, b, 16);
}

static int by_alpha(const void *a, const void *b)
{
    return compare_channel(a, b, 24);
}

static int by_rank(const void *a, const void *b)
{
    const color *x = a, *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_box_rank(const void *a, const void *b)
{
    const box *x = a, *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Computes the widest side of a box, and the colour that replaces it. */
static void measure(const color *list, box *b)
{
    uint32_t low[4] = {255, 255, 255, 255}, high[4] = {0, 0, 0, 0};
    uint64_t sum[4] = {0, 0, 0, 0}, pixels = 0;
    const color *commonest = &list[b->first];
    uint32_t widest = 0;

    b->rank = UINT32_MAX;
    for (uint32_t i = b->first; i < b->end; i++) {
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t v = list[i].rgba >> k * 8 & 255;
            low[k] = v < low[k] ? v : low[k];
            high[k] = v > high[k] ? v : high[k];
            sum[k] += (uint64_t)v * list[i].pixels;
        }
        pixels += list[i].pixels;
        b->rank = list[i].rank < b->rank ? list[i].rank : b->rank;
        if (list[i].pixels > commonest->pixels ||
            (list[i].pixels == commonest->pixels && list[i].rank < commonest->rank))
            commonest = &list[i];
    }
    b->channel = 0;
    for (int k = 0; k < 4; k++) {
        if (high[k] - low[k] > widest) {
            widest = high[k] - low[k];
            b->channel = k * 8;
        }
    }
    b->badness = b->end - b->first > 1 ? (double)widest * widest * (double)pixels : 0;
    b->value = commonest->rgba;
    for (unsigned k = 0; (uint64_t)commonest->pixels * 2 <= pixels && k < 4; k++)
        b->value = (b->value & ~(255u << k * 8)) | (uint32_t)((sum[k] + pixels / 2) / pixels) << k * 8;
}

uint32_t lvl_used_colors_cut(lvl_used_color *list, uint32_t n, uint32_t most, uint16_t base, uint32_t *values)
{
    static int (*const by[])(const void *, const void *) = {by_red, by_green, by_blue, by_alpha};
    box boxes[LVL_MAX_CUT_COLORS];
    uint32_t count = 1;

    if (!n || !most)
        return 0;
    if (n <= most) {
        qsort(list, n, sizeof *list, by_rank);
        for (uint32_t i = 0; i < n; i++) {
            values[i] = list[i].rgba;
            list[i].index = (uint16_t)(base + i);
        }
        return n;
    }
    boxes[0] = (box){.first = 0, .end = n};
    measure(list, &boxes[0]);
    while (count < most) {
        box *worst = &boxes[0];
        uint64_t pixels = 0, half = 0;
        for (uint32_t i = 1; i < count; i++)
            worst = boxes[i].badness > worst->badness ? &boxes[i] : worst;
        if (worst->badness <= 0)
            break;
        qsort(list + worst->first, worst->end - worst->first, sizeof *list, by[worst->channel / 8]);
        for (uint32_t i = worst->first; i < worst->end; i++)
            pixels += list[i].pixels;
        uint32_t at = worst->first;
        while (at < worst->end - 1 && (at == worst->first || (half + list[at].pixels) * 2 <= pixels))
            half += list[at++].pixels;
        box *other = &boxes[count++];
        *other = (box){.first = at, .end = worst->end};
        worst->end = at;
        measure(list, worst);
        measure(list, other);
    }
    qsort(boxes, count, sizeof *boxes, by_box_rank);
    for (uint32_t b = 0; b < count; b++) {
        values[b] = boxes[b].value;
        for (uint32_t i = boxes[b].first; i < boxes[b].end; i++)
            list[i].index = (uint16_t)(base + b);
    }
    return count;
}
