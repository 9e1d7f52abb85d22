/*
 * wap32/quantize.c: median cut over the picture's different colours, weighted by how often they occur; and
 * nearest colours, each looked for once.
 */
#include "base/hash.h"
#include "wap32/color.h"
#include "wap32/quantize.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLORS = 255 };

typedef struct shade {
    uint32_t rgb;
    uint32_t count; /* pixels */
    uint32_t index;
} shade;

/* Each colour once, in the order of the picture. */
typedef struct shades {
    shade *list;
    uint32_t count;
    size_t room;
    lvl_hash table;
} shades;

static void free_shades(shades *set)
{
    free(set->list);
    lvl_hash_free(&set->table);
}

static shade *find_shade(const shades *set, uint32_t rgb)
{
    lvl_hash_at at = lvl_hash_first(&set->table, lvl_hash_u64(&set->table.seed, rgb));

    while (at.found && set->list[at.index].rgb != rgb)
        at = lvl_hash_next(&set->table, at);
    return at.found ? &set->list[at.index] : NULL;
}

static shade *add_shade(shades *set, uint32_t rgb)
{
    /* there are 2^24 colours at most */
    if (!lvl_grow(&set->list, &set->room, (size_t)set->count + 1, sizeof *set->list))
        return NULL;
    if (lvl_hash_add(&set->table, lvl_hash_u64(&set->table.seed, rgb), set->count) != LVL_OK)
        return NULL;
    set->list[set->count] = (shade){rgb, 0, 0};
    return &set->list[set->count++];
}

static uint32_t rgb_at(const lvl_image *image, size_t at)
{
    const uint8_t *p = image->pixels + at * 4;

    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static bool is_seen(const lvl_image *image, size_t at)
{
    return image->pixels[at * 4 + 3] >= 128;
}

/* Counts the colours that are seen. `set` is to be freed whatever the result; false: out of memory. */
static bool count_shades(const lvl_image *image, shades *set)
{
    const size_t total = (size_t)image->width * image->height;

    memset(set, 0, sizeof *set);
    lvl_hash_init(&set->table);
    for (size_t i = 0; i < total; i++) {
        if (!is_seen(image, i))
            continue;
        const uint32_t rgb = rgb_at(image, i);
        shade *s = find_shade(set, rgb);
        if (!s)
            s = add_shade(set, rgb);
        if (!s)
            return false;
        if (s->count < UINT32_MAX)
            s->count++;
    }
    return true;
}

static unsigned channel(uint32_t rgb, unsigned which)
{
    return rgb >> (16 - 8 * which) & 0xFF;
}

/* By `index`, where cut puts the channel that it sorts by, then by colour so that the order is always the
 * same. */
static int by_index(const void *a, const void *b)
{
    const shade *x = a, *y = b;

    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return (x->rgb > y->rgb) - (x->rgb < y->rgb);
}

typedef struct box {
    shade *first;
    size_t count;
    unsigned widest, range;
} box;

static void measure(box *b)
{
    b->range = 0;
    b->widest = 0;
    for (unsigned c = 0; c < 3; c++) {
        unsigned low = 255, high = 0;
        for (size_t i = 0; i < b->count; i++) {
            unsigned v = channel(b->first[i].rgb, c);
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
        if (b->count && high - low > b->range) {
            b->range = high - low;
            b->widest = c;
        }
    }
}

/* Cuts the box in two of about equal pixels across its widest channel. */
static void cut(box *b, box *upper)
{
    uint64_t all = 0, half = 0;
    size_t n = 0;

    for (size_t i = 0; i < b->count; i++) {
        b->first[i].index = channel(b->first[i].rgb, b->widest);
        all += b->first[i].count;
    }
    qsort(b->first, b->count, sizeof *b->first, by_index);
    while (n < b->count - 1 && (n == 0 || half < all / 2))
        half += b->first[n++].count;
    upper->first = b->first + n;
    upper->count = b->count - n;
    b->count = n;
    measure(b);
    measure(upper);
}

static void average(const box *b, uint8_t rgb[3])
{
    uint64_t sum[3] = {0, 0, 0}, all = 0;

    for (size_t i = 0; i < b->count; i++) {
        all += b->first[i].count;
        for (unsigned c = 0; c < 3; c++)
            sum[c] += (uint64_t)channel(b->first[i].rgb, c) * b->first[i].count;
    }
    for (unsigned c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(all ? (sum[c] + all / 2) / all : 0);
}

lvl_status lvl_quantize(const lvl_image *image, lvl_palette *out)
{
    box boxes[MOST_COLORS];
    size_t count = 1;
    shades set;

    memset(out, 0, sizeof *out);
    if (!count_shades(image, &set)) {
        free_shades(&set);
        return LVL_ERR_MEMORY;
    }
    const size_t n = set.count;
    boxes[0].first = set.list;
    boxes[0].count = n;
    measure(&boxes[0]);
    while (n && count < MOST_COLORS) {
        size_t widest = 0;
        for (size_t i = 1; i < count; i++) {
            if (boxes[i].range > boxes[widest].range)
                widest = i;
        }
        if (boxes[widest].range == 0)
            break;
        cut(&boxes[widest], &boxes[count]);
        count++;
    }
    for (size_t i = 0; n && i < count; i++)
        average(&boxes[i], out->rgb[i + 1]);
    free_shades(&set);
    return LVL_OK;
}

lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, unsigned first,
                            uint8_t *indices)
{
    const size_t total = (size_t)image->width * image->height;
    shades set;

    if (!count_shades(image, &set)) {
        free_shades(&set);
        return LVL_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < set.count; i++) {
        shade *s = &set.list[i];
        const uint8_t rgb[3] = {(uint8_t)channel(s->rgb, 0), (uint8_t)channel(s->rgb, 1),
                                (uint8_t)channel(s->rgb, 2)};
        s->index = lvl_palette_nearest(palette, first, rgb);
    }
    for (size_t i = 0; i < total; i++)
        indices[i] = is_seen(image, i) ? (uint8_t)find_shade(&set, rgb_at(image, i))->index : 0;
    free_shades(&set);
    return LVL_OK;
}
