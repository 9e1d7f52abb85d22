/*
 * sketchy/look/flat.c: a layer as a picture in the colours of its swatches, for paint programs. Converted
 * back to a drawing (with the original as palette) it has the same pixels at the same positions. The game's
 * own tool cuts off pixels at negative positions and makes empty pixels white.
 */
#include "sketchy/look/flat.h"

#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"
#include "sketchy/chunks/paint.h"

#include <stdlib.h>
#include <string.h>

typedef struct swatch_color {
    uint8_t rgba[4];
    bool good;
} swatch_color;

static bool is_number(const char *text, uint32_t *out)
{
    uint64_t n = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || n > UINT32_MAX)
            return false;
        n = n * 10 + (uint64_t)(*text - '0');
    }
    *out = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    return true;
}

/* Names are compared first, since the name of a layer may be a number. */
const lvl_sketchy_layer *lvl_sketchy_find_layer(const lvl_sketchy *d, const char *layer)
{
    uint32_t number = 0;

    for (uint32_t i = 0; layer && i < d->layer_count; i++) {
        if (lvl_text_is(d->layers[i].name, layer))
            return &d->layers[i];
    }
    if (layer && !is_number(layer, &number))
        return NULL;
    return number < d->layer_count ? &d->layers[number] : NULL;
}

/* The area of the picture, world px; right and bottom are exclusive. */
typedef struct extent {
    int64_t left, top, right, bottom;
} extent;

static extent extent_of(const lvl_sketchy *d, const lvl_sketchy_layer *layer)
{
    extent e = {0, 0, d->size.width, d->size.height};

    if (d->kind == LVL_SKETCHY_DOODAD) {
        if (e.right <= 0 || e.bottom <= 0)
            e.right = e.bottom = layer->size;
        return e;
    }
    e.right = e.bottom = 1;
    for (uint32_t i = 0; i < layer->chunk_count; i++) {
        const int64_t x = (int64_t)layer->chunks[i].x * layer->size;
        const int64_t y = (int64_t)layer->chunks[i].y * layer->size;
        e.left = x < e.left ? x : e.left;
        e.top = y < e.top ? y : e.top;
        e.right = x + layer->size > e.right ? x + layer->size : e.right;
        e.bottom = y + layer->size > e.bottom ? y + layer->size : e.bottom;
    }
    return e;
}

static void put_px(lvl_image *out, size_t at, uint32_t index, const swatch_color *l)
{
    if (out->format == LVL_PIXELS_INDEX8) {
        out->pixels[at] = (uint8_t)index;
        out->mask[at] = 255;
    } else {
        memcpy(out->pixels + at * 4, l->rgba, 4);
    }
}

static void put_chunk(lvl_image *out, const extent *e, const lvl_cells *cells, int64_t left, int64_t top,
                      const swatch_color *colors, uint32_t count)
{
    for (uint32_t y = 0; y < cells->height; y++) {
        const int64_t to_y = top + y - e->top;
        if (to_y < 0 || to_y >= out->height)
            continue;
        for (uint32_t x = 0; x < cells->width; x++) {
            const int64_t to_x = left + x - e->left;
            const uint32_t index = lvl_cell(cells, x, y);
            if (to_x >= 0 && to_x < out->width && index < count && colors[index].good)
                put_px(out, (size_t)to_y * out->width + (size_t)to_x, index, &colors[index]);
        }
    }
}

/* The colours of swatches; *plain: a palette of opaque colours can hold them. */
static swatch_color *make_colors(const lvl_sketchy *d, bool *plain)
{
    swatch_color *colors = calloc((size_t)d->swatch_count + 1, sizeof *colors);

    *plain = d->swatch_count <= 256;
    for (uint32_t i = 0; colors && i < d->swatch_count; i++) {
        colors[i].good = lvl_sketchy_color(d->swatches[i].color, colors[i].rgba);
        *plain = *plain && (!colors[i].good || colors[i].rgba[3] == 255);
    }
    return colors;
}

static lvl_status put_palette(lvl_image *out, const swatch_color *colors, uint32_t count)
{
    out->palette = calloc(1, sizeof *out->palette);
    for (uint32_t i = 0; out->palette && i < count && i < 256; i++)
        memcpy(out->palette->rgb[i], colors[i].rgba, 3);
    return out->palette ? LVL_OK : LVL_ERR_MEMORY;
}

static bool is_drawn(const lvl_image *image, size_t at)
{
    return image->format == LVL_PIXELS_INDEX8 ? image->mask[at] : image->pixels[at * 4 + 3];
}

/* Crops edges without pixels, so that the picture's size does not depend on the size of chunks; world 0, 0
 * stays in it. */
static void crop(lvl_image *image, extent *e)
{
    const uint32_t size = image->format == LVL_PIXELS_INDEX8 ? 1 : 4, width = image->width;
    extent drawn = {0, 0, 1, 1};

    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            if (!is_drawn(image, (size_t)y * width + x))
                continue;
            const int64_t at_x = e->left + x, at_y = e->top + y;
            drawn.left = at_x < drawn.left ? at_x : drawn.left;
            drawn.right = at_x >= drawn.right ? at_x + 1 : drawn.right;
            drawn.top = at_y < drawn.top ? at_y : drawn.top;
            drawn.bottom = at_y >= drawn.bottom ? at_y + 1 : drawn.bottom;
        }
    }
    image->width = (uint32_t)(drawn.right - drawn.left);
    image->height = (uint32_t)(drawn.bottom - drawn.top);
    for (uint32_t y = 0; y < image->height; y++) {
        const size_t from = (size_t)(drawn.top - e->top + y) * width + (size_t)(drawn.left - e->left);
        const size_t to = (size_t)y * image->width;
        memmove(image->pixels + to * size, image->pixels + from * size, (size_t)image->width * size);
        if (image->mask)
            memmove(image->mask + to, image->mask + from, image->width);
    }
    *e = drawn;
}

lvl_status lvl_sketchy_layer_image(const lvl_doc *doc, const char *layer, lvl_image *out)
{
    const lvl_sketchy_layer *l = lvl_sketchy_find_layer(doc->root, layer);

    memset(out, 0, sizeof *out);
    return l ? lvl_sketchy_picture_of(doc, l, out) : LVL_ERR_MISSING;
}

lvl_status lvl_sketchy_picture_of(const lvl_doc *doc, const lvl_sketchy_layer *l, lvl_image *out)
{
    const lvl_field *field = LVL_FIELD(lvl_sketchy_chunk, pixels);
    const lvl_sketchy *d = doc->root;
    bool plain;

    memset(out, 0, sizeof *out);
    if (l->size < 1 || l->size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return LVL_ERR_FORMAT;
    extent e = extent_of(d, l);
    if (e.right - e.left > INT32_MAX || e.bottom - e.top > INT32_MAX || e.left < INT32_MIN ||
        e.top < INT32_MIN)
        return lvl_refuse_fixed(
            doc->ctx, "pixels across", INT32_MAX,
            (uint64_t)(e.right - e.left > e.bottom - e.top ? e.right - e.left : e.bottom - e.top));
    swatch_color *colors = make_colors(d, &plain);
    lvl_status status =
        colors ? lvl_image_init(out, doc->ctx, plain ? LVL_PIXELS_INDEX8 : LVL_PIXELS_RGBA8,
                                (uint32_t)(e.right - e.left), (uint32_t)(e.bottom - e.top), plain)
               : LVL_ERR_MEMORY;
    if (status == LVL_OK && plain)
        status = put_palette(out, colors, d->swatch_count);
    /* the first of several chunks at one position counts, so it is drawn last */
    for (uint32_t i = l->chunk_count; i-- > 0 && status == LVL_OK;) {
        const lvl_sketchy_chunk *c = &l->chunks[i];
        lvl_buffer storage = {0};
        lvl_cells cells = {NULL, 0, 0, 0};
        status = lvl_doc_cells(doc, c, field, &storage, &cells);
        if (status == LVL_ERR_FORMAT)
            status = LVL_OK; /* its readable part */
        if (status == LVL_OK && cells.ptr)
            put_chunk(out, &e, &cells, (int64_t)c->x * l->size, (int64_t)c->y * l->size, colors,
                      d->swatch_count);
        lvl_buffer_free(&storage);
    }
    if (status == LVL_OK) {
        if (d->kind == LVL_SKETCHY_LEVEL)
            crop(out, &e);
        out->offset_x = (int32_t)e.left;
        out->offset_y = (int32_t)e.top;
    } else {
        lvl_image_clear(out);
    }
    free(colors);
    return status;
}
