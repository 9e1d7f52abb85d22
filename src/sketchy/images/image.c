/*
 * sketchy/images/image.c: makes drawings of pictures. Each colour becomes a swatch, or is looked up
 * among the swatches of another drawing, so that pixels from any paint program behave as that drawing's.
 * Transparent pixels are empty.
 */
#include "sketchy/images/image.h"

#include "base/sha.h"
#include "base/text.h"
#include "base/work.h"
#include "sketchy/chunks/paint.h"
#include "sketchy/images/picture_colors.h"
#include "sketchy/images/embedded.h"
#include "sketchy/drawing/convert.h"
#include "sketchy/model/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The picture and the options. */
typedef struct work {
    const lvl_image *image;
    const lvl_draw_options *draw_options;
    const lvl_used_colors *colors;
    bool same[256]; /* whether an index of the picture's palette is the number of its swatch */
    int64_t left, top; /* world px of the picture's corner */
} work;

/* ---- pixels ------------------------------------------------------------------------------------------ */

/* The swatch of a px; false: the px is empty. */
static bool swatch_at(const work *w, size_t at, const lvl_used_color **found, uint16_t *swatch)
{
    uint32_t rgba;

    if (!lvl_picture_pixel(w->image, w->draw_options, at, &rgba))
        return false;
    if (w->image->format == LVL_PIXELS_INDEX8 && w->same[w->image->pixels[at]]) {
        *swatch = w->image->pixels[at];
        return true;
    }
    if (!*found || (*found)->rgba != rgba)
        *found = lvl_used_colors_find(w->colors, rgba);
    *swatch = (*found)->index;
    return true;
}

/* Draws the part of the picture in one chunk, which is only added if it is not empty. */
static lvl_status draw_chunk(lvl_doc *doc, lvl_sketchy_layer *layer, const work *w, int64_t cx, int64_t cy)
{
    const int64_t size = layer->size, left = cx * size - w->left, top = cy * size - w->top;
    const int64_t right = left + size < w->image->width ? left + size : w->image->width;
    const int64_t bottom = top + size < w->image->height ? top + size : w->image->height;
    const lvl_used_color *found = NULL;
    lvl_sketchy_chunk *chunk = NULL;
    uint8_t *grid = NULL;
    uint16_t swatch;

    for (int64_t y = top < 0 ? 0 : top; y < bottom; y++) {
        for (int64_t x = left < 0 ? 0 : left; x < right; x++) {
            if (!swatch_at(w, (size_t)y * w->image->width + (size_t)x, &found, &swatch))
                continue;
            if (!chunk) {
                chunk = &layer->chunks[layer->chunk_count];
                if (lvl_sketchy_make_chunk(doc, layer->size, (int32_t)cx, (int32_t)cy, chunk, &grid) !=
                    LVL_OK)
                    return LVL_ERR_MEMORY;
                layer->chunk_count++;
            }
            uint8_t *cell = grid + ((size_t)(y - top) * layer->size + (size_t)(x - left)) * 2;
            cell[0] = (uint8_t)swatch;
            cell[1] = (uint8_t)(swatch >> 8);
        }
    }
    return LVL_OK;
}

static lvl_status draw_layer(lvl_doc *doc, lvl_sketchy_layer *layer, const char *name, uint32_t size,
                             const work *w)
{
    const int64_t first_x = lvl_sketchy_chunk_of(w->left, size), first_y = lvl_sketchy_chunk_of(w->top, size);
    const int64_t end_x = lvl_sketchy_chunk_of(w->left + w->image->width - 1, size) + 1;
    const int64_t end_y = lvl_sketchy_chunk_of(w->top + w->image->height - 1, size) + 1;
    const lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;

    layer->size = size;
    layer->chunks = lvl_arena_array(&doc->arena, (size_t)(end_x - first_x) * (size_t)(end_y - first_y),
                                    sizeof *layer->chunks);
    if (d->kind == LVL_SKETCHY_DOODAD)
        layer->name = lvl_doc_text(doc, lvl_text_of(name ? name : "main"));
    if (!layer->chunks || (d->kind == LVL_SKETCHY_DOODAD && !layer->name.ptr))
        return LVL_ERR_MEMORY;
    for (int64_t cy = first_y; cy < end_y && status == LVL_OK; cy++) {
        for (int64_t cx = first_x; cx < end_x && status == LVL_OK; cx++)
            status = draw_chunk(doc, layer, w, cx, cy);
    }
    return status;
}

/* If the picture was made of the drawing that the palette is from, its indices are swatch numbers: swatches
 * of one colour stay distinct. */
static void find_same(work *w, const lvl_sketchy *d)
{
    uint8_t rgba[4];

    memset(w->same, 0, sizeof w->same);
    if (w->image->format != LVL_PIXELS_INDEX8 || !w->image->palette || !w->draw_options->palette)
        return;
    for (uint32_t i = 0; i < 256 && i < d->swatch_count; i++)
        w->same[i] = lvl_sketchy_color(d->swatches[i].color, rgba) && rgba[3] == 255 &&
                     memcmp(rgba, w->image->palette->rgb[i], 3) == 0;
}

/* Sets the picture's position, and the page or canvas around it. */
static void place(lvl_sketchy *d, work *w)
{
    const int64_t width = w->image->width, height = w->image->height;

    if (d->kind == LVL_SKETCHY_DOODAD) {
        d->size = d->hitbox = (lvl_sketchy_rect){0, 0, width, height};
        return;
    }
    w->left = w->image->offset_x;
    w->top = w->image->offset_y;
    d->page_type = w->left < 0 || w->top < 0 ? LVL_SKETCHY_UNBOUNDED : LVL_SKETCHY_BOUNDED;
    if (d->page_type == LVL_SKETCHY_BOUNDED) {
        d->bounded_width = w->left + width;
        d->bounded_height = w->top + height;
    }
}

/* Draws the picture and options->layers, each as a layer. */
static lvl_status draw_layers(lvl_doc *doc, uint32_t size, work *w)
{
    const lvl_draw_options *draw_options = w->draw_options;
    const lvl_image *first = w->image;
    lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;

    d->layers = lvl_arena_array(&doc->arena, (size_t)draw_options->layer_count + 1, sizeof *d->layers);
    if (!d->layers)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i <= draw_options->layer_count && status == LVL_OK; i++) {
        w->image = i ? &draw_options->layers[i - 1] : first;
        find_same(w, d);
        status = draw_layer(doc, &d->layers[i],
                            draw_options->layer_names ? draw_options->layer_names[i] : NULL, size, w);
        d->layer_count = i + 1;
    }
    return status;
}

/* Makes a drawing of the picture's pixels alone. */
static lvl_status draw_pixels(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                              lvl_findings *losses)
{
    lvl_used_colors colors = {0};
    work w = {.image = image, .draw_options = draw_options, .colors = &colors};
    const lvl_finding_def *choice = &lvl_sketchy_findings[LVL_SKETCHY_F_CONVERT_OPTION];
    lvl_sketchy *d = doc->root;

    for (uint32_t i = 0; i < draw_options->layer_count; i++) {
        const lvl_image *other = &draw_options->layers[i];
        if (d->kind == LVL_SKETCHY_DOODAD && other->width == image->width && other->height == image->height)
            continue;
        if (d->kind != LVL_SKETCHY_DOODAD)
            lvl_findings_add(losses, choice, NULL, NULL,
                             "a level has one layer; for several pictures, make a doodad");
        else
            lvl_findings_add(losses, choice, NULL, NULL,
                             "%s is %lu by %lu px, the first picture %lu by %lu: layers are of one size",
                             draw_options->layer_names && draw_options->layer_names[i + 1]
                                 ? draw_options->layer_names[i + 1]
                                 : "a further picture",
                             (unsigned long)other->width, (unsigned long)other->height,
                             (unsigned long)image->width, (unsigned long)image->height);
        return LVL_ERR_ARG;
    }
    d->generation = LVL_SKETCHY_V3_1;
    d->version = 1;
    uint32_t size = LVL_SKETCHY_CHUNK_SIZE;
    if (d->kind == LVL_SKETCHY_DOODAD) {
        const uint32_t side = image->width > image->height ? image->width : image->height;
        if (side <= LVL_SKETCHY_CHUNK_SIZE_MAX)
            size = side;
    }
    place(d, &w);
    if (draw_options->chunk_size)
        size = draw_options->chunk_size;
    lvl_status status = lvl_picture_colors_count(&colors, image, draw_options);
    for (uint32_t i = 0; i < draw_options->layer_count && status == LVL_OK; i++)
        status = lvl_picture_colors_count(&colors, &draw_options->layers[i], draw_options);
    if (status == LVL_OK)
        status = lvl_picture_colors_assign(&colors, doc, draw_options, losses);
    if (status == LVL_OK)
        status = draw_layers(doc, size, &w);
    lvl_used_colors_free(&colors);
    return status;
}

/* The digest of a row's colours, whatever the form of the picture. */
static void row_digest(const lvl_image *image, uint32_t y, uint8_t *rgba, uint8_t out[32])
{
    for (uint32_t x = 0; x < image->width; x++) {
        const size_t at = (size_t)y * image->width + x;
        const uint8_t *px = image->pixels + at * (image->format == LVL_PIXELS_RGBA8 ? 4 : 1);
        const uint8_t alpha = image->format == LVL_PIXELS_RGBA8 ? px[3] : image->mask ? image->mask[at] : 255;
        for (unsigned c = 0; c < 3; c++)
            rgba[x * 4 + c] = !alpha                              ? 0
                              : image->format == LVL_PIXELS_RGBA8 ? px[c]
                              : image->palette                    ? image->palette->rgb[*px][c]
                                                                  : *px;
        rgba[x * 4 + 3] = alpha;
    }
    lvl_sha256((lvl_bytes){rgba, (size_t)image->width * 4}, out);
}

/* An id by the picture's content (a UUID of version 8), so that the same picture gives the same level. */
static lvl_status give_uuid(lvl_doc *doc, const lvl_image *image)
{
    lvl_sketchy *d = doc->root;
    uint8_t *rgba = malloc((size_t)image->width * 4 + 1), *rows = malloc((size_t)image->height * 32 + 1),
            sum[32];
    char text[40];

    if (rgba && rows) {
        for (uint32_t y = 0; y < image->height; y++)
            row_digest(image, y, rgba, rows + (size_t)y * 32);
        lvl_sha256((lvl_bytes){rows, (size_t)image->height * 32}, sum);
        sum[6] = (uint8_t)((sum[6] & 0x0F) | 0x80);
        sum[8] = (uint8_t)((sum[8] & 0x3F) | 0x80);
        for (size_t i = 0, at = 0; i < 16; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%02x",
                                   i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", sum[i]);
        d->uuid = lvl_doc_text(doc, lvl_text_of(text));
    }
    const bool good = rgba && rows && d->uuid.ptr;
    free(rgba);
    free(rows);
    return good ? LVL_OK : LVL_ERR_MEMORY;
}

lvl_status lvl_sketchy_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                            lvl_findings *losses)
{
    lvl_sketchy *d = doc->root;
    lvl_draw_options with_rest = *draw_options;
    lvl_sketchy_kept kept;

    if (draw_options->palette && draw_options->palette->format != doc->format)
        return LVL_ERR_ARG;
    if (image->width > INT32_MAX || image->height > INT32_MAX)
        return lvl_refuse_fixed(doc->ctx, "pixels across", INT32_MAX,
                                image->width > image->height ? image->width : image->height);
    if (draw_options->chunk_size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return lvl_sketchy_no_chunks(draw_options->chunk_size, losses);
    d->kind = draw_options->ending && strcmp(draw_options->ending, "doodad") == 0 ? LVL_SKETCHY_DOODAD
                                                                                  : LVL_SKETCHY_LEVEL;
    lvl_status status = lvl_sketchy_kept_open(&kept, doc, image, &with_rest, losses);
    if (status == LVL_OK)
        status = draw_pixels(doc, image, &with_rest, losses);
    if (status == LVL_OK && kept.doc)
        status = lvl_sketchy_kept_join(&kept, doc, image, draw_options->chunk_size, losses);
    else if (status == LVL_OK && d->kind == LVL_SKETCHY_LEVEL)
        status = give_uuid(doc, image);
    lvl_sketchy_kept_close(&kept);
    return status;
}
