/*
 * sketchy/sketchy_image.c: drawings made of pictures. Each colour becomes a swatch, or is looked up among the swatches of another drawing, so that what
 * one draws in any paint program blocks, burns and floats as that drawing's colours do. What is wholly transparent is nothing.
 */
#include "sketchy/sketchy_image.h"

#include "base/text.h"
#include "sketchy/paint.h"
#include "sketchy/sketchy_convert.h"
#include "sketchy/sketchy_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- colours of a picture -------------------------------------------------------------------------------------------------------------- */

typedef struct color {
    uint32_t rgba; /* red in the lowest byte */
    uint32_t pixels;
    uint32_t rank;   /* by first appearance */
    uint16_t swatch; /* that it is drawn with */
} color;

/* By their values: a table of slots, index + 1. */
typedef struct colors {
    color *list;
    uint32_t count, room;
    uint32_t *slots;
    uint32_t slot_count; /* a power of two, more than twice the count */
} colors;

static uint32_t slot_of(const colors *c, uint32_t rgba)
{
    uint32_t at = (rgba * 2654435761u) >> 7 & (c->slot_count - 1);

    while (c->slots[at] && c->list[c->slots[at] - 1].rgba != rgba)
        at = (at + 1) & (c->slot_count - 1);
    return at;
}

static bool grow(colors *c)
{
    const uint32_t room = c->room ? c->room * 2 : 512;
    color *list = realloc(c->list, (size_t)room * sizeof *list);

    if (!list)
        return false;
    c->list = list;
    uint32_t *slots = calloc((size_t)room * 4, sizeof *slots);
    if (!slots)
        return false;
    free(c->slots);
    c->slots = slots;
    c->slot_count = room * 4;
    c->room = room;
    for (uint32_t i = 0; i < c->count; i++)
        c->slots[slot_of(c, c->list[i].rgba)] = i + 1;
    return true;
}

/* The colour of a px; false: nothing is there. */
static bool pixel(const lvl_image *image, size_t at, uint32_t *out)
{
    if (image->format == LVL_PIXELS_RGBA8) {
        const uint8_t *p = image->pixels + at * 4;
        *out = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        return p[3] != 0;
    }
    const uint8_t index = image->pixels[at], alpha = image->mask ? image->mask[at] : 255;
    const uint8_t grey[3] = {index, index, index}, *p = image->palette ? image->palette->rgb[index] : grey;
    *out = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)alpha << 24;
    return alpha != 0;
}

static lvl_status count_colors(const lvl_image *image, colors *out)
{
    const size_t count = (size_t)image->width * image->height;
    uint32_t rgba, slot = 0;

    if (!grow(out))
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        if (!pixel(image, i, &rgba))
            continue;
        if (!out->slots[slot] || out->list[out->slots[slot] - 1].rgba != rgba)
            slot = slot_of(out, rgba);
        if (!out->slots[slot]) {
            if (out->count == out->room) {
                if (!grow(out))
                    return LVL_ERR_MEMORY;
                slot = slot_of(out, rgba);
            }
            out->list[out->count] = (color){rgba, 0, out->count, 0};
            out->slots[slot] = ++out->count;
        }
        out->list[out->slots[slot] - 1].pixels++;
    }
    return LVL_OK;
}

/* ---- swatches -------------------------------------------------------------------------------------------------------------------------- */

static uint32_t distance(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;

    for (int k = 0; k < 32; k += 8) {
        const int32_t d = (int32_t)(a >> k & 255) - (int32_t)(b >> k & 255);
        sum += (uint32_t)(d * d);
    }
    return sum;
}

/* The nearest of the swatches' colours; the first of several. *exact: it is the same. */
static uint16_t nearest(const uint32_t *swatches, uint32_t count, uint32_t rgba, bool *exact)
{
    uint32_t best = UINT32_MAX;
    uint16_t at = LVL_SKETCHY_NONE;

    for (uint32_t i = 0; i < count && best; i++) {
        const uint32_t d = distance(swatches[i], rgba);
        if (d < best) {
            best = d;
            at = (uint16_t)i;
        }
    }
    *exact = best == 0;
    return at;
}

static void lose_colors(lvl_findings *losses, uint32_t count, uint64_t pixels, const char *why)
{
    lvl_findings_add(losses, &lvl_sketchy_findings[LVL_SKETCHY_F_LOSS_COLOR], NULL, NULL,
                     "%lu colour%s (%llu pixel%s) %s: the nearest instead", (unsigned long)count,
                     count == 1 ? "" : "s", (unsigned long long)pixels, pixels == 1 ? "" : "s", why);
}

/* Gives each colour from `first` on the nearest of the swatches' colours, and tells of those that are another. */
static void map_colors(colors *c, uint32_t first, const uint32_t *swatches, uint32_t count, const char *why,
                       lvl_findings *losses)
{
    uint32_t other = 0;
    uint64_t pixels = 0;
    bool exact;

    for (uint32_t i = first; i < c->count; i++) {
        c->list[i].swatch = nearest(swatches, count, c->list[i].rgba, &exact);
        other += !exact;
        pixels += exact ? 0 : c->list[i].pixels;
    }
    if (other)
        lose_colors(losses, other, pixels, why);
}

static int by_use(const void *a, const void *b)
{
    const color *x = a, *y = b;

    return x->pixels != y->pixels ? (x->pixels < y->pixels) - (x->pixels > y->pixels)
                                  : (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_rank(const void *a, const void *b)
{
    const color *x = a, *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The picture's own colours, in the order in which they appear; of too many, the commonest. */
static lvl_status own_palette(lvl_doc *doc, colors *c, lvl_findings *losses)
{
    lvl_sketchy *d = doc->root;
    uint32_t values[LVL_SKETCHY_COLORS];
    uint32_t count = c->count;
    char text[16];

    if (count > LVL_SKETCHY_COLORS) {
        count = LVL_SKETCHY_COLORS;
        qsort(c->list, c->count, sizeof *c->list, by_use);
        qsort(c->list, count, sizeof *c->list, by_rank);
    }
    d->swatches = lvl_arena_array(&doc->arena, (size_t)count + 1, sizeof *d->swatches);
    if (!d->swatches)
        return LVL_ERR_MEMORY;
    d->swatch_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = values[i] = c->list[i].rgba;
        c->list[i].swatch = (uint16_t)i;
        snprintf(text, sizeof text, "#%02x%02x%02x", (unsigned)(v & 255), (unsigned)(v >> 8 & 255),
                 (unsigned)(v >> 16 & 255));
        if (v >> 24 != 255)
            snprintf(text + 7, sizeof text - 7, "%02x", (unsigned)(v >> 24));
        d->swatches[i].name = d->swatches[i].color = lvl_doc_text(doc, lvl_text_of(text));
        if (!d->swatches[i].name.ptr)
            return LVL_ERR_MEMORY;
    }
    map_colors(c, count, values, count, "more than the 256 that a palette holds", losses);
    memset(c->slots, 0, (size_t)c->slot_count * sizeof *c->slots);
    for (uint32_t i = 0; i < c->count; i++) /* they may have changed places */
        c->slots[slot_of(c, c->list[i].rgba)] = i + 1;
    return LVL_OK;
}

/* The swatches of another drawing, as they are. */
static lvl_status other_palette(lvl_doc *doc, const lvl_doc *from, colors *c, lvl_findings *losses)
{
    const lvl_sketchy *s = from->root;
    lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;
    uint8_t rgba[4];

    if (!s->swatch_count)
        return LVL_ERR_ARG;
    uint32_t *values = malloc((size_t)s->swatch_count * sizeof *values);
    d->swatches = lvl_arena_array(&doc->arena, s->swatch_count, sizeof *d->swatches);
    if (!values || !d->swatches) {
        free(values);
        return LVL_ERR_MEMORY;
    }
    d->swatch_count = s->swatch_count;
    for (uint32_t i = 0; i < s->swatch_count && status == LVL_OK; i++) {
        status = lvl_record_copy(doc, &d->swatches[i], from, &s->swatches[i], &lvl_sketchy_swatch_table);
        if (!lvl_sketchy_color(s->swatches[i].color, rgba))
            memset(rgba, 0, sizeof rgba);
        values[i] = rgba[0] | (uint32_t)rgba[1] << 8 | (uint32_t)rgba[2] << 16 | (uint32_t)rgba[3] << 24;
    }
    if (status == LVL_OK)
        map_colors(c, 0, values, s->swatch_count < 65535 ? s->swatch_count : 65535,
                   "that the palette doesn't have", losses);
    free(values);
    return status;
}

/* ---- pixels ------------------------------------------------------------------------------------------------------------------------------ */

lvl_status lvl_sketchy_make_chunk(lvl_doc *doc, uint32_t size, int32_t x, int32_t y, lvl_sketchy_chunk *out,
                                  uint8_t **cells)
{
    const lvl_sketchy *d = doc->root;
    char key[32];

    snprintf(key, sizeof key, "%ld,%ld", (long)x, (long)y);
    uint8_t *grid = lvl_arena_raw(&doc->arena, (size_t)size * size * 2);
    *out = (lvl_sketchy_chunk){.key = lvl_doc_text(doc, lvl_text_of(key)),
                               .x = x,
                               .y = y,
                               .encoding = lvl_sketchy_encoding(d->generation),
                               .pixels = {grid, size, size, 2}};
    if (!grid || !out->key.ptr)
        return LVL_ERR_MEMORY;
    memset(grid, 0xFF, (size_t)size * size * 2);
    *cells = grid;
    return LVL_OK;
}

/* The part of the picture that a chunk holds; no chunk is made of nothing. */
static lvl_status draw_chunk(lvl_doc *doc, lvl_sketchy_layer *layer, const lvl_image *image, const colors *c,
                             uint32_t cx, uint32_t cy)
{
    const uint32_t size = layer->size, left = cx * size, top = cy * size;
    const uint32_t width = image->width - left < size ? image->width - left : size;
    const uint32_t height = image->height - top < size ? image->height - top : size;
    lvl_sketchy_chunk *chunk = NULL;
    uint8_t *grid = NULL;
    uint32_t rgba, last = 0;
    const color *found = NULL;

    for (uint32_t y = 0; y < height; y++) {
        const size_t row = (size_t)(top + y) * image->width + left;
        for (uint32_t x = 0; x < width; x++) {
            if (!pixel(image, row + x, &rgba))
                continue;
            if (!found || rgba != last)
                found = &c->list[c->slots[slot_of(c, rgba)] - 1];
            last = rgba;
            if (!chunk) {
                chunk = &layer->chunks[layer->chunk_count];
                if (lvl_sketchy_make_chunk(doc, size, (int32_t)cx, (int32_t)cy, chunk, &grid) != LVL_OK)
                    return LVL_ERR_MEMORY;
                layer->chunk_count++;
            }
            grid[((size_t)y * size + x) * 2] = (uint8_t)found->swatch;
            grid[((size_t)y * size + x) * 2 + 1] = (uint8_t)(found->swatch >> 8);
        }
    }
    return LVL_OK;
}

static lvl_status draw_layer(lvl_doc *doc, uint32_t size, const lvl_image *image, const colors *c)
{
    const uint32_t columns = (image->width + size - 1) / size, rows = (image->height + size - 1) / size;
    lvl_sketchy *d = doc->root;
    lvl_sketchy_layer *layer = lvl_arena_array(&doc->arena, 1, sizeof *layer);
    lvl_status status = LVL_OK;

    if (!layer)
        return LVL_ERR_MEMORY;
    layer->size = size;
    layer->chunks = lvl_arena_array(&doc->arena, (size_t)columns * rows, sizeof *layer->chunks);
    if (d->kind == LVL_SKETCHY_DOODAD)
        layer->name = lvl_doc_text(doc, lvl_text_of("main"));
    if (!layer->chunks || (d->kind == LVL_SKETCHY_DOODAD && !layer->name.ptr))
        return LVL_ERR_MEMORY;
    for (uint32_t cy = 0; cy < rows && status == LVL_OK; cy++) {
        for (uint32_t cx = 0; cx < columns && status == LVL_OK; cx++)
            status = draw_chunk(doc, layer, image, c, cx, cy);
    }
    d->layers = layer;
    d->layer_count = 1;
    return status;
}

lvl_status lvl_sketchy_draw(lvl_doc *doc, const lvl_image *image, const lvl_wishes *wishes,
                            lvl_findings *losses)
{
    lvl_sketchy *d = doc->root;
    colors c = {0};

    if (wishes->palette && wishes->palette->format != doc->format)
        return LVL_ERR_ARG;
    if (wishes->chunk_size > LVL_SKETCHY_CHUNK_SIZE_MAX || image->width > INT32_MAX ||
        image->height > INT32_MAX)
        return LVL_ERR_ARG;
    d->kind =
        wishes->ending && strcmp(wishes->ending, "doodad") == 0 ? LVL_SKETCHY_DOODAD : LVL_SKETCHY_LEVEL;
    d->generation = LVL_SKETCHY_V3_1;
    d->version = 1;
    uint32_t size = LVL_SKETCHY_CHUNK_SIZE;
    if (d->kind == LVL_SKETCHY_DOODAD) {
        const uint32_t side = image->width > image->height ? image->width : image->height;
        if (side <= LVL_SKETCHY_CHUNK_SIZE_MAX)
            size = side;
        d->size = d->hitbox = (lvl_sketchy_rect){0, 0, image->width, image->height};
    }
    if (wishes->chunk_size)
        size = wishes->chunk_size;
    lvl_status status = count_colors(image, &c);
    if (status == LVL_OK)
        status =
            wishes->palette ? other_palette(doc, wishes->palette, &c, losses) : own_palette(doc, &c, losses);
    if (status == LVL_OK)
        status = draw_layer(doc, size, image, &c);
    free(c.list);
    free(c.slots);
    return status;
}
