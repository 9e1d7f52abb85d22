/*
 * wwd/quantize.c: median cut over the picture's different colours, weighted by how often they occur; and nearest colours, each looked for
 * once.
 */
#include "wwd/color.h"
#include "wwd/quantize.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLORS = 255 };

/* Open addressing over 24-bit colours; a slot is empty while its count is 0. */
typedef struct shade {
    uint32_t rgb;
    uint32_t count;
    uint32_t index;
} shade;

typedef struct shades {
    shade *slots;
    size_t size, used;
} shades;

static shade *find_shade(const shades *set, uint32_t rgb)
{
    size_t i = (rgb * 2654435761u >> 8) & (set->size - 1);

    while (set->slots[i].count && set->slots[i].rgb != rgb)
        i = (i + 1) & (set->size - 1);
    return &set->slots[i];
}

static bool grow(shades *set)
{
    shades bigger = {calloc(set->size * 2, sizeof(shade)), set->size * 2, set->used};

    if (!bigger.slots)
        return false;
    for (size_t i = 0; i < set->size; i++) {
        if (set->slots[i].count)
            *find_shade(&bigger, set->slots[i].rgb) = set->slots[i];
    }
    free(set->slots);
    *set = bigger;
    return true;
}

/* Counts the colours that are seen; frees nothing of the caller's on failure but its own slots. */
static bool count_shades(const lvl_image *image, shades *set)
{
    const size_t total = (size_t)image->width * image->height;

    set->size = 1024;
    set->used = 0;
    set->slots = calloc(set->size, sizeof(shade));
    for (size_t i = 0; set->slots && i < total; i++) {
        const uint8_t *p = image->pixels + i * 4;
        if (p[3] < 128)
            continue;
        uint32_t rgb = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        shade *s = find_shade(set, rgb);
        if (!s->count) {
            s->rgb = rgb;
            set->used++;
        }
        if (s->count < UINT32_MAX)
            s->count++;
        if (set->used * 2 > set->size && !grow(set)) {
            free(set->slots);
            set->slots = NULL;
        }
    }
    return set->slots != NULL;
}

static unsigned channel(uint32_t rgb, unsigned which)
{
    return rgb >> (16 - 8 * which) & 0xFF;
}

/* By `index`, where cut puts the channel that it sorts by, then by colour so that the order is always the same. */
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
    size_t count = 1, n = 0;
    shades set;

    memset(out, 0, sizeof *out);
    if (!count_shades(image, &set))
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < set.size; i++) {
        if (set.slots[i].count)
            set.slots[n++] = set.slots[i];
    }
    boxes[0].first = set.slots;
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
    free(set.slots);
    return LVL_OK;
}

lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, unsigned first,
                            uint8_t *indices)
{
    const size_t total = (size_t)image->width * image->height;
    shades set;

    if (!count_shades(image, &set))
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < set.size; i++) {
        shade *s = &set.slots[i];
        const uint8_t rgb[3] = {(uint8_t)channel(s->rgb, 0), (uint8_t)channel(s->rgb, 1),
                                (uint8_t)channel(s->rgb, 2)};
        if (s->count)
            s->index = lvl_palette_nearest(palette, first, rgb);
    }
    for (size_t i = 0; i < total; i++) {
        const uint8_t *p = image->pixels + i * 4;
        indices[i] =
            p[3] < 128 ? 0
                       : (uint8_t)find_shade(&set, (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2])->index;
    }
    free(set.slots);
    return LVL_OK;
}
