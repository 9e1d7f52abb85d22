/*
 * sketchy/images/embedded.c: a picture of a layer has the colours of its pixels and no other content of the
 * drawing. The rest is stored in the picture: eight bytes ("lvl", 1, the drawing's generation, 0, the layer's
 * number in 16 bits, little-endian), and the drawing as a v4 file. There that layer has only the pixels that
 * the picture doesn't show, or shows in a colour that several swatches have.
 */
#include "sketchy/images/embedded.h"

#include "base/cursor.h"
#include "base/format.h"
#include "base/text.h"
#include "base/work.h"
#include "sketchy/look/flat.h"
#include "sketchy/chunks/paint.h"
#include "sketchy/drawing/convert.h"
#include "sketchy/model/findings.h"
#include "sketchy/images/image.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 8, REST_VERSION = 1 };

/* ---- swatches ------------------------------------------------------------------------------------------ */

typedef struct swatch_color {
    uint32_t rgba;
    bool seen; /* its pixels are visible */
    bool alone; /* no swatch before it has the same colour */
} swatch_color;

typedef struct shade {
    uint32_t rgba, index;
} shade;

static int by_shade(const void *a, const void *b)
{
    const shade *p = a, *q = b;

    return p->rgba != q->rgba ? (p->rgba > q->rgba) - (p->rgba < q->rgba)
                              : (p->index > q->index) - (p->index < q->index);
}

static swatch_color *colors_of(const lvl_sketchy *d)
{
    swatch_color *colors = calloc((size_t)d->swatch_count + 1, sizeof *colors);
    shade *shades = calloc((size_t)d->swatch_count + 1, sizeof *shades);
    uint32_t count = 0;

    for (uint32_t i = 0; colors && shades && i < d->swatch_count; i++) {
        uint8_t rgba[4];
        colors[i].seen = lvl_sketchy_color(d->swatches[i].color, rgba) && rgba[3];
        colors[i].rgba = colors[i].seen ? lvl_load_u32le(rgba) : 0;
        if (colors[i].seen)
            shades[count++] = (shade){colors[i].rgba, i};
    }
    if (count)
        qsort(shades, count, sizeof *shades, by_shade);
    for (uint32_t i = 0; i < count; i++)
        colors[shades[i].index].alone = i == 0 || shades[i - 1].rgba != shades[i].rgba;
    if (!shades) {
        free(colors);
        colors = NULL;
    }
    free(shades);
    return colors;
}

static bool is_seen(const swatch_color *colors, uint32_t count, uint32_t index)
{
    return index < count && colors[index].seen;
}

/* Whether the other palette begins with the colours of the drawing's swatches. */
static bool same_swatches(const lvl_sketchy *d, const lvl_sketchy *other)
{
    bool same = other->swatch_count >= d->swatch_count;

    for (uint32_t i = 0; i < d->swatch_count && same; i++)
        same = lvl_text_equal(d->swatches[i].color, other->swatches[i].color);
    return same;
}

/* ---- storing the rest ---------------------------------------------------------------------------------- */

/* Whether a cell of the chunk is inside of the picture. */
static bool is_inside(const lvl_image *image, const lvl_sketchy_chunk *c, size_t cell)
{
    const int64_t x = (int64_t)c->x * c->pixels.width + (int64_t)(cell % c->pixels.width) - image->offset_x;
    const int64_t y = (int64_t)c->y * c->pixels.height + (int64_t)(cell / c->pixels.width) - image->offset_y;

    return x >= 0 && y >= 0 && x < image->width && y < image->height;
}

/* Removes the pixels that the picture shows from a chunk; false: it had pixels, and none are left. */
static bool strip_chunk(lvl_sketchy_chunk *c, const lvl_image *image, const swatch_color *colors,
                        uint32_t swatches)
{
    uint8_t *cells = (uint8_t *)(uintptr_t)c->pixels.ptr;
    bool had = false, left = false;

    for (size_t i = 0; i < (size_t)c->pixels.width * c->pixels.height; i++) {
        const uint32_t index = lvl_load_u16le(cells + i * 2);
        had = had || index != LVL_SKETCHY_NONE;
        if (is_inside(image, c, i) && is_seen(colors, swatches, index) && colors[index].alone)
            memset(cells + i * 2, 0xFF, 2);
        else
            left = left || index != LVL_SKETCHY_NONE;
    }
    return left || !had;
}

static lvl_status strip_layer(lvl_sketchy *d, lvl_sketchy_layer *layer, const lvl_image *image)
{
    swatch_color *colors = colors_of(d);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < layer->chunk_count && colors; i++) {
        if (!layer->chunks[i].pixels.ptr || strip_chunk(&layer->chunks[i], image, colors, d->swatch_count))
            layer->chunks[kept++] = layer->chunks[i];
    }
    layer->chunk_count = colors ? kept : layer->chunk_count;
    free(colors);
    return colors ? LVL_OK : LVL_ERR_MEMORY;
}

/* Reports each field that the picture does not contain. */
static void lose_all(const lvl_doc *doc, uint32_t layer, lvl_findings *losses)
{
    static const size_t shown[] = {offsetof(lvl_sketchy, kind),    offsetof(lvl_sketchy, generation),
                                   offsetof(lvl_sketchy, version), offsetof(lvl_sketchy, swatches),
                                   offsetof(lvl_sketchy, layers),  offsetof(lvl_sketchy, size)};
    const lvl_finding_def *def = &lvl_sketchy_findings[LVL_SKETCHY_F_LOSS_REST];
    const lvl_table *table = doc->format->table;
    const lvl_sketchy *d = doc->root;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        bool reported = f->role != LVL_VALUE || !lvl_field_present(d, f) || lvl_field_is_default(d, f);
        for (size_t k = 0; k < sizeof shown / sizeof *shown && !reported; k++)
            reported = f->offset == shown[k];
        if (reported)
            continue;
        const lvl_where where = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        if (f->kind == LVL_LIST)
            lvl_findings_add(losses, def, &where, NULL, "%lu %s", (unsigned long)lvl_list_count(d, f),
                             f->name);
        else
            lvl_findings_add(losses, def, &where, NULL, "the %s", f->name);
    }
    if (d->layer_count > 1)
        lvl_findings_add(losses, def, NULL, NULL, "%lu layers: the picture is of layer %lu",
                         (unsigned long)d->layer_count, (unsigned long)layer);
}

lvl_status lvl_sketchy_embedded(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                                lvl_findings *losses)
{
    const lvl_sketchy *d = doc->root;
    const lvl_sketchy_layer *shown = lvl_sketchy_find_layer(d, layer);
    const lvl_form v4 = {.version = LVL_SKETCHY_V4};
    lvl_buffer file = {0};
    lvl_doc *made = NULL;

    if (!shown)
        return LVL_ERR_MISSING;
    const uint32_t number = (uint32_t)(shown - d->layers);
    if (!keep) {
        lose_all(doc, number, losses);
        return LVL_OK;
    }
    if (number > UINT16_MAX)
        return lvl_refuse_fixed(doc->ctx, "layers", UINT16_MAX, number);
    lvl_status status = lvl_doc_new(&made, doc->ctx, doc->format);
    if (status == LVL_OK) {
        made->codepage = doc->codepage;
        status = lvl_arena_status(&made->arena, lvl_sketchy_convert(doc, &v4, made, losses));
    }
    if (status == LVL_OK)
        status = strip_layer(made->root, &((lvl_sketchy *)made->root)->layers[number], image);
    if (status == LVL_OK) {
        const uint8_t head[HEAD] = {
            'l', 'v', 'l', REST_VERSION, d->generation, 0, (uint8_t)number, (uint8_t)(number >> 8)};
        lvl_buffer_add(&file, head, sizeof head);
        status = lvl_doc_write(made, &file);
    }
    lvl_doc_free(made);
    if (status == LVL_OK && !(image->rest = malloc(file.len)))
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        memcpy(image->rest, file.data, file.len);
        image->rest_len = file.len;
    }
    lvl_buffer_free(&file);
    return status;
}

/* ---- reading it ---------------------------------------------------------------------------------------- */

static lvl_status drop_unusable(lvl_sketchy_kept *kept, const char *why, lvl_findings *losses)
{
    lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_REST, NULL,
                       "the picture keeps a whole drawing, %s (--no-kept uses the pixels alone)", why);
    lvl_doc_free(kept->doc);
    kept->doc = NULL;
    return LVL_OK;
}

/* Several pictures replace all layers: reports the drawing's layers whose name no picture has. */
static void lose_layers(const lvl_sketchy_kept *kept, const lvl_draw_options *draw_options,
                        lvl_findings *losses)
{
    const lvl_sketchy *d = kept->doc->root;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        bool there = i == kept->layer;
        for (uint32_t k = 1; k <= draw_options->layer_count && draw_options->layer_names && !there; k++)
            there = lvl_text_is(d->layers[i].name, draw_options->layer_names[k]);
        if (!there)
            lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_REST, NULL,
                               "layer %lu of the drawing in the picture: no picture has its name",
                               (unsigned long)i);
    }
}

/* Sets options->layers to pictures of the other layers, in their order. */
static lvl_status other_layers(lvl_sketchy_kept *kept, lvl_draw_options *draw_options)
{
    const lvl_sketchy *d = kept->doc->root;
    lvl_arena *arena = &kept->doc->arena;

    kept->layers = lvl_arena_array(arena, d->layer_count, sizeof *kept->layers);
    const char **names = lvl_arena_array(arena, d->layer_count, sizeof *names);
    if (!kept->layers || !names)
        return LVL_ERR_MEMORY;
    draw_options->layers = kept->layers;
    draw_options->layer_names = names;
    for (uint32_t i = 0, to = 1; i < d->layer_count; i++) {
        const lvl_sketchy_layer *l = &d->layers[i];
        const bool first = i == kept->layer;
        char *name = lvl_arena_alloc(arena, l->name.len + 1);
        if (!name)
            return LVL_ERR_MEMORY;
        if (l->name.len)
            memcpy(name, l->name.ptr, l->name.len);
        names[first ? 0 : to] = name;
        if (first)
            continue;
        const lvl_status status = lvl_sketchy_picture_of(kept->doc, l, &kept->layers[to++ - 1]);
        if (status != LVL_OK)
            return status;
        draw_options->layer_count++;
    }
    return LVL_OK;
}

lvl_status lvl_sketchy_kept_open(lvl_sketchy_kept *kept, const lvl_doc *doc, const lvl_image *image,
                                 lvl_draw_options *draw_options, lvl_findings *losses)
{
    const lvl_sketchy *d = doc->root;

    *kept = (lvl_sketchy_kept){0};
    if (image->rest_len < HEAD || memcmp(image->rest, "lvl", 3) != 0)
        return LVL_OK; /* another family's */
    kept->generation = image->rest[4];
    kept->layer = image->rest[6] | (uint32_t)image->rest[7] << 8;
    lvl_status status = image->rest[3] == REST_VERSION && kept->generation < LVL_SKETCHY_GENERATIONS
                            ? lvl_read(&kept->doc, doc->ctx, doc->format,
                                       (lvl_bytes){image->rest + HEAD, image->rest_len - HEAD}, NULL, 0, NULL)
                            : LVL_ERR_FORMAT;
    if (status == LVL_ERR_FORMAT || status == LVL_ERR_FOREIGN)
        return drop_unusable(kept, "which cannot be read", losses);
    if (status != LVL_OK)
        return status;
    const lvl_sketchy *k = kept->doc->root;
    if (kept->layer >= k->layer_count)
        return drop_unusable(kept, "which cannot be read", losses);
    if (k->kind != d->kind)
        return drop_unusable(kept, k->kind == LVL_SKETCHY_DOODAD ? "a doodad" : "a level", losses);
    if (draw_options->layer_count)
        lose_layers(kept, draw_options, losses);
    const bool recolored =
        draw_options->colors || draw_options->has_key || draw_options->alpha != LVL_ALPHA_KEEP;
    kept->same = draw_options->palette ? same_swatches(k, draw_options->palette->root) : !recolored;
    if (!draw_options->palette && !recolored && k->swatch_count)
        draw_options->palette = kept->doc;
    const uint32_t size = k->layers[kept->layer].size;
    if (size >= 1 && size <= LVL_SKETCHY_CHUNK_SIZE_MAX && (!draw_options->chunk_size || kept->same))
        draw_options->chunk_size = size; /* only equal sizes can be joined; the requested one is set later */
    kept->replaced = draw_options->layer_count != 0;
    return kept->same || kept->replaced || k->layer_count < 2 ? LVL_OK : other_layers(kept, draw_options);
}

void lvl_sketchy_kept_close(lvl_sketchy_kept *kept)
{
    const lvl_sketchy *k = kept->doc ? kept->doc->root : NULL;

    for (uint32_t i = 0; k && kept->layers && i < k->layer_count; i++)
        lvl_image_clear(&kept->layers[i]);
    lvl_doc_free(kept->doc);
}

/* ---- joining ------------------------------------------------------------------------------------------- */

/* Copies the hidden pixels of one chunk to the cells of the drawn one at its position. */
static void join_cells(const lvl_sketchy_chunk *hidden, uint8_t *cells, const lvl_image *image,
                       const swatch_color *colors, uint32_t swatches)
{
    const size_t count = (size_t)hidden->pixels.width * hidden->pixels.height;

    for (size_t i = 0; i < count; i++) {
        const uint32_t h = lvl_load_u16le(hidden->pixels.ptr + i * 2), v = lvl_load_u16le(cells + i * 2);
        const bool seen = is_seen(colors, swatches, h) && is_inside(image, hidden, i);
        const bool alike = seen && is_seen(colors, swatches, v) && colors[v].rgba == colors[h].rgba;
        /* a visible pixel that is empty now was erased; one with another colour was painted over */
        if (h != LVL_SKETCHY_NONE && (v == LVL_SKETCHY_NONE ? !seen : alike))
            memcpy(cells + i * 2, hidden->pixels.ptr + i * 2, 2);
    }
}

/* Adds the hidden pixels of `rest` to `drawn`, if both have chunks of the same size. */
static lvl_status join_layer(lvl_doc *doc, lvl_sketchy_layer *drawn, const lvl_sketchy_layer *rest,
                             const lvl_image *image)
{
    const lvl_sketchy *d = doc->root;
    lvl_hash index;

    if (drawn->size != rest->size)
        return LVL_OK;
    swatch_color *colors = colors_of(d);
    lvl_status status = lvl_sketchy_index_chunks(&index, drawn);
    if (!colors)
        status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < rest->chunk_count && status == LVL_OK; i++) {
        const lvl_sketchy_chunk *hidden = &rest->chunks[i];
        const bool placed = lvl_sketchy_has_place(hidden);
        const uint32_t at =
            placed ? lvl_sketchy_find_chunk(&index, drawn, hidden->x, hidden->y) : LVL_NO_INDEX;
        uint8_t *cells = NULL;
        if (!hidden->pixels.ptr)
            continue;
        if (at == LVL_NO_INDEX)
            status = lvl_sketchy_add_chunk(doc, placed ? &index : NULL, drawn, hidden->x, hidden->y, &cells);
        else
            cells = (uint8_t *)(uintptr_t)drawn->chunks[at].pixels.ptr;
        if (cells)
            join_cells(hidden, cells, image, colors, d->swatch_count);
        if (cells && at == LVL_NO_INDEX)
            drawn->chunks[drawn->chunk_count - 1].key = hidden->key; /* as it was spelled */
    }
    lvl_hash_free(&index);
    free(colors);
    return status;
}

static uint32_t find_named(const lvl_sketchy_layer *layers, uint32_t count, lvl_text name)
{
    uint32_t i = 0;

    while (i < count && !lvl_text_equal(layers[i].name, name))
        i++;
    return i;
}

/* Moves the first layer to index `to`. */
static void move_first(lvl_sketchy_layer *layers, uint32_t to)
{
    const lvl_sketchy_layer first = layers[0];

    memmove(layers, layers + 1, to * sizeof *layers);
    layers[to] = first;
}

/* Reports hidden pixels, which are lost if the swatches change. */
static void lose_hidden(const lvl_sketchy_kept *kept, lvl_findings *losses)
{
    const lvl_sketchy *k = kept->doc->root;
    const lvl_sketchy_layer *layer = &k->layers[kept->layer];

    if (layer->chunk_count)
        lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_REST, NULL,
                           "pixels in %lu chunks: not drawn, or one of several swatches of their colour",
                           (unsigned long)layer->chunk_count);
}

lvl_status lvl_sketchy_kept_join(const lvl_sketchy_kept *kept, lvl_doc *doc, const lvl_image *image,
                                 uint32_t chunk_size, lvl_findings *losses)
{
    const lvl_sketchy *k = kept->doc->root;
    const lvl_form form = {.version = kept->generation};
    lvl_sketchy *d = doc->root, drawn = *d;

    lvl_status status = lvl_sketchy_convert(kept->doc, &form, doc, losses);
    if (status != LVL_OK)
        return status;
    d->swatches = drawn.swatches;
    d->swatch_count = drawn.swatch_count;
    if (d->kind == LVL_SKETCHY_DOODAD &&
        (k->size.width != (int64_t)image->width || k->size.height != (int64_t)image->height) &&
        (k->size.width > 0 || k->layers[kept->layer].size != image->width ||
         k->layers[kept->layer].size != image->height))
        d->size = drawn.size;
    if (!kept->same)
        lose_hidden(kept, losses);
    const lvl_sketchy_layer *was = d->layers;
    const uint32_t was_count = d->layer_count;
    if (kept->same && !kept->replaced) {
        drawn.layers[0].name = was[kept->layer].name;
        status = join_layer(doc, &drawn.layers[0], &was[kept->layer], image);
        d->layers[kept->layer] = drawn.layers[0];
    } else {
        d->layers = drawn.layers;
        d->layer_count = drawn.layer_count;
        if (!kept->replaced)
            move_first(d->layers, kept->layer);
        for (uint32_t i = 0; i < d->layer_count && kept->same && status == LVL_OK; i++) {
            const uint32_t from = i ? find_named(was, was_count, d->layers[i].name) : kept->layer;
            if (from < was_count)
                status = join_layer(doc, &d->layers[i], &was[from], image);
        }
    }
    for (uint32_t i = 0; i < d->layer_count && status == LVL_OK; i++) {
        for (uint32_t c = 0; c < d->layers[i].chunk_count; c++)
            d->layers[i].chunks[c].encoding = lvl_sketchy_encoding(d->generation);
    }
    if (status == LVL_OK && chunk_size)
        status = lvl_sketchy_rechunk(doc, chunk_size, losses);
    return lvl_arena_status(&doc->arena, status);
}
