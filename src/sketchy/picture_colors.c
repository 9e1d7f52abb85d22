/*
 * sketchy/picture_colors.c: colours of pictures become swatches. Up to 256 they stay as they are; more are
 * brought together by median cut: the box of colours that is worst (its widest side, squared, times its
 * pixels) is cut at the middle of its pixels until there are enough, and a box becomes the colour that most
 * of it is, or its average. So what a drawing is mostly made of keeps its exact colour, and photographs look
 * like themselves.
 */
#include "sketchy/picture_colors.h"

#include "base/text.h"
#include "sketchy/paint.h"
#include "sketchy/sketchy_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef lvl_picture_color color;

/* ---- counting ---------------------------------------------------------------------------------------- */

/* Its index; UINT32_MAX: it is not there. */
static uint32_t index_of(const lvl_picture_colors *c, uint32_t rgba)
{
    lvl_hash_at at = lvl_hash_first(&c->table, lvl_hash_u64(&c->table.seed, rgba));

    while (at.found && c->list[at.index].rgba != rgba)
        at = lvl_hash_next(&c->table, at);
    return at.found ? at.index : UINT32_MAX;
}

static lvl_status add(lvl_picture_colors *c, uint32_t rgba)
{
    if (c->count == c->room) {
        const uint32_t room = c->room ? c->room * 2 : 512;
        color *list = room <= UINT32_MAX / 4 ? realloc(c->list, (size_t)room * sizeof *list) : NULL;
        if (!list)
            return LVL_ERR_MEMORY;
        c->list = list;
        c->room = room;
    }
    if (!c->count)
        lvl_hash_init(&c->table);
    const lvl_status status = lvl_hash_add(&c->table, lvl_hash_u64(&c->table.seed, rgba), c->count);
    if (status == LVL_OK) {
        c->list[c->count] = (color){rgba, 0, c->count, 0};
        c->count++;
    }
    return status;
}

/* Once the list was put into another order. */
static lvl_status find_again(lvl_picture_colors *c)
{
    lvl_status status = LVL_OK;

    lvl_hash_clear(&c->table);
    for (uint32_t i = 0; i < c->count && status == LVL_OK; i++)
        status = lvl_hash_add(&c->table, lvl_hash_u64(&c->table.seed, c->list[i].rgba), i);
    return status;
}

static uint32_t pack(const uint8_t *rgb, uint32_t alpha)
{
    return rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16 | alpha << 24;
}

bool lvl_picture_pixel(const lvl_image *image, const lvl_draw_options *draw_options, size_t at,
                       uint32_t *rgba)
{
    uint8_t grey[3], mixed[3];
    const uint8_t *rgb = grey;
    uint32_t alpha = 255;

    if (image->format == LVL_PIXELS_RGBA8) {
        rgb = image->pixels + at * 4;
        alpha = rgb[3];
    } else {
        const uint8_t index = image->pixels[at];
        alpha = image->mask ? image->mask[at] : 255;
        if (image->palette)
            rgb = image->palette->rgb[index];
        else
            memset(grey, index, sizeof grey);
    }
    if (!alpha || (draw_options->has_key && memcmp(rgb, draw_options->key, 3) == 0))
        return false;
    if (alpha < 255 && draw_options->alpha == LVL_ALPHA_CUT) {
        if (alpha < 128)
            return false;
        alpha = 255;
    } else if (alpha < 255 && draw_options->alpha == LVL_ALPHA_OVER) {
        for (int k = 0; k < 3; k++)
            mixed[k] = (uint8_t)((rgb[k] * alpha + draw_options->over[k] * (255 - alpha) + 127) / 255);
        rgb = mixed;
        alpha = 255;
    }
    *rgba = pack(rgb, alpha);
    return true;
}

lvl_status lvl_picture_colors_count(lvl_picture_colors *c, const lvl_image *image,
                                    const lvl_draw_options *draw_options)
{
    const size_t count = (size_t)image->width * image->height;
    uint32_t rgba, at = UINT32_MAX;

    for (size_t i = 0; i < count; i++) {
        if (!lvl_picture_pixel(image, draw_options, i, &rgba))
            continue;
        if (at == UINT32_MAX || c->list[at].rgba != rgba)
            at = index_of(c, rgba);
        if (at == UINT32_MAX) {
            const lvl_status status = add(c, rgba);
            if (status != LVL_OK)
                return status;
            at = c->count - 1;
        }
        c->list[at].pixels++;
    }
    return LVL_OK;
}

void lvl_picture_colors_free(lvl_picture_colors *c)
{
    free(c->list);
    lvl_hash_free(&c->table);
    memset(c, 0, sizeof *c);
}

const lvl_picture_color *lvl_picture_colors_find(const lvl_picture_colors *c, uint32_t rgba)
{
    return &c->list[index_of(c, rgba)];
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

/* How wide it is and where, and which colour it stands for. */
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

/* Brings `n` colours together to `most` values, which get numbers from `base` on, in the order in which they
 * appear; how many there are. */
static uint32_t cut(color *list, uint32_t n, uint32_t most, uint16_t base, uint32_t *values)
{
    static int (*const by[])(const void *, const void *) = {by_red, by_green, by_blue, by_alpha};
    box boxes[LVL_SKETCHY_COLORS];
    uint32_t count = 1;

    if (!n || !most)
        return 0;
    if (n <= most) {
        qsort(list, n, sizeof *list, by_rank);
        for (uint32_t i = 0; i < n; i++) {
            values[i] = list[i].rgba;
            list[i].swatch = (uint16_t)(base + i);
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
            list[i].swatch = (uint16_t)(base + b);
    }
    return count;
}

/* ---- palettes ---------------------------------------------------------------------------------------- */

/* What swatches look like. */
typedef struct look {
    uint32_t rgba;
    bool good;
} look;

static uint32_t distance(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;

    for (int k = 0; k < 32; k += 8) {
        const int32_t d = (int32_t)(a >> k & 255) - (int32_t)(b >> k & 255);
        sum += (uint32_t)(d * d);
    }
    return sum;
}

/* The nearest of the swatches' colours, the first of several. *off: how far it is. */
static uint16_t nearest(const look *looks, uint32_t count, uint32_t rgba, uint32_t *off)
{
    uint16_t at = 0;

    *off = UINT32_MAX;
    for (uint32_t i = 0; i < count && *off; i++) {
        const uint32_t d = distance(looks[i].rgba, rgba);
        if (looks[i].good && d < *off) {
            *off = d;
            at = (uint16_t)i;
        }
    }
    return at;
}

/* Tells of colours that become another. */
static void report_loss(lvl_findings *losses, const lvl_picture_colors *c, const look *looks, const char *why)
{
    uint64_t pixels = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        if (looks[c->list[i].swatch].rgba != c->list[i].rgba) {
            count++;
            pixels += c->list[i].pixels;
        }
    }
    if (count)
        lvl_findings_add(losses, &lvl_sketchy_findings[LVL_SKETCHY_F_LOSS_COLOR], NULL, NULL,
                         "%lu colour%s (%llu pixel%s) %s", (unsigned long)count, count == 1 ? "" : "s",
                         (unsigned long long)pixels, pixels == 1 ? "" : "s", why);
}

/* Puts swatches of these colours behind those that there are. */
static lvl_status append(lvl_doc *doc, look *looks, const uint32_t *values, uint32_t count)
{
    lvl_sketchy *d = doc->root;
    char text[16];

    for (uint32_t i = 0; i < count; i++) {
        lvl_sketchy_swatch *s = &d->swatches[d->swatch_count];
        const uint32_t v = values[i];
        snprintf(text, sizeof text, "#%02x%02x%02x", (unsigned)(v & 255), (unsigned)(v >> 8 & 255),
                 (unsigned)(v >> 16 & 255));
        if (v >> 24 != 255)
            snprintf(text + 7, sizeof text - 7, "%02x", (unsigned)(v >> 24));
        looks[d->swatch_count] = (look){v, true};
        s->name = s->color = lvl_doc_text(doc, lvl_text_of(text));
        if (!s->name.ptr)
            return LVL_ERR_MEMORY;
        d->swatch_count++;
    }
    return LVL_OK;
}

/* The swatches of another drawing, as they are. *any: some have colours that can be read. */
static lvl_status take_over(lvl_doc *doc, const lvl_doc *of, look *looks, bool *any)
{
    const lvl_sketchy *from = of->root;
    lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;
    uint8_t rgba[4];

    for (uint32_t i = 0; i < from->swatch_count && status == LVL_OK; i++) {
        status = lvl_record_copy(doc, &d->swatches[i], of, &from->swatches[i], &lvl_sketchy_swatch_table);
        looks[i].good = lvl_sketchy_color(from->swatches[i].color, rgba);
        looks[i].rgba = looks[i].good ? pack(rgba, rgba[3]) : 0;
        *any |= looks[i].good;
    }
    d->swatch_count = from->swatch_count;
    return status;
}

static lvl_status no_colors(lvl_findings *losses)
{
    lvl_findings_add(losses, &lvl_sketchy_findings[LVL_SKETCHY_F_WISH], NULL, NULL,
                     "the palette has no colour, or too many");
    return LVL_ERR_ARG;
}

lvl_status lvl_picture_colors_assign(lvl_picture_colors *c, lvl_doc *doc,
                                     const lvl_draw_options *draw_options, lvl_findings *losses)
{
    const lvl_sketchy *from = draw_options->palette ? draw_options->palette->root : NULL;
    const uint32_t given = from ? from->swatch_count : 0;
    const uint32_t most = draw_options->colors && draw_options->colors < LVL_SKETCHY_COLORS
                              ? draw_options->colors
                              : LVL_SKETCHY_COLORS;
    const uint32_t more = !from || draw_options->more_colors ? (most > given ? most - given : 0) : 0;
    lvl_sketchy *d = doc->root;
    uint32_t values[LVL_SKETCHY_COLORS], known = 0, off;
    bool any = false;

    if (given > LVL_SKETCHY_NONE || (from && !given && !more))
        return no_colors(losses);
    look *looks = calloc((size_t)given + more + 1, sizeof *looks);
    d->swatches = lvl_arena_array(&doc->arena, (size_t)given + more + 1, sizeof *d->swatches);
    lvl_status status = looks && d->swatches ? LVL_OK : LVL_ERR_MEMORY;
    if (status == LVL_OK && from)
        status = take_over(doc, draw_options->palette, looks, &any);
    if (status == LVL_OK && !any && !more)
        status = no_colors(losses);
    /* those that the palette has, first */
    for (uint32_t i = 0; i < c->count && status == LVL_OK && given; i++) {
        c->list[i].swatch = nearest(looks, given, c->list[i].rgba, &off);
        if (off && more)
            continue;
        const color found = c->list[i];
        c->list[i] = c->list[known];
        c->list[known++] = found;
    }
    if (status == LVL_OK && more && known < c->count) {
        const uint32_t n = cut(c->list + known, c->count - known, more, (uint16_t)given, values);
        status = append(doc, looks, values, n);
    }
    if (status == LVL_OK && !more && given)
        report_loss(losses, c, looks, "that are not in the palette: the nearest is used");
    else if (status == LVL_OK && !draw_options->colors)
        report_loss(losses, c, looks, "merged, since a palette holds 256; to accept that, use --colors N");
    if (status == LVL_OK)
        status = find_again(c);
    free(looks);
    return status;
}
