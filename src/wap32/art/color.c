/*
 * wap32/art/color.c: the table of a colour, conversion of palettes to and from lists of colours, palettes of
 * pictures.
 */
#include "wap32/art/color.h"

#include "wap32/formats.h"

#include "base/cursor.h"
#include "base/work.h"
#include "codec/colors.h"
#include "scene/art.h"

#include <lvl/pal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const lvl_field color_fields[] = {
    LVL_ROW_UINT(lvl_color, red, "red", 0, .prose = "red, 0 to 255"),
    LVL_ROW_UINT(lvl_color, green, "green", 1, .prose = "green, 0 to 255"),
    LVL_ROW_UINT(lvl_color, blue, "blue", 2, .prose = "blue, 0 to 255"),
};
/* clang-format on */

const lvl_table lvl_color_table = {
    .name = "color",
    .prose = "A colour of a palette, three bytes.",
    LVL_TABLE_AS_ON_DISK(lvl_color, color_fields, 3),
};

_Static_assert(sizeof(lvl_color) == 3 && sizeof((lvl_palette *)0)->rgb == sizeof(lvl_color) * LVL_PAL_COLORS,
               "colours are the bytes of a palette");

lvl_status lvl_pixels_allowed(const lvl_ctx *ctx, uint64_t total, uint32_t size)
{
    const uint64_t cells = lvl_limits_of(ctx).cells, share = lvl_memory_share(ctx);

    if (total > cells)
        return lvl_refuse(ctx, LVL_LIMIT_CELLS, cells, total);
    return total > share / size ? lvl_refuse(ctx, LVL_LIMIT_MEMORY, share, total * size) : LVL_OK;
}

void lvl_pixels_check(const lvl_cells *cells, uint32_t most, const lvl_finding_def *def, lvl_where where,
                      lvl_findings *findings)
{
    for (uint32_t y = 0; cells->ptr && y < cells->height; y++) {
        for (uint32_t x = 0; x < cells->width; x++) {
            const uint32_t value = lvl_cell(cells, x, y);
            if (value > most) {
                lvl_report_at(findings, def, where, "pixel %u,%u is 0x%x", x, y, value);
                return;
            }
        }
    }
}

lvl_status lvl_pixels_to_image(const lvl_ctx *ctx, const lvl_cells *cells, bool rgb, bool hole,
                               lvl_image *out)
{
    size_t at = 0;

    if (!cells->ptr)
        return LVL_ERR_FORMAT;
    const lvl_status status = lvl_image_init(out, ctx, rgb ? LVL_PIXELS_RGBA8 : LVL_PIXELS_INDEX8,
                                             cells->width, cells->height, hole);
    if (status != LVL_OK)
        return status;
    for (uint32_t y = 0; y < cells->height; y++) {
        for (uint32_t x = 0; x < cells->width; x++, at++) {
            const uint32_t v = lvl_cell(cells, x, y);
            if (rgb) {
                const uint8_t rgba[4] = {(uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v, 255};
                memcpy(out->pixels + at * 4, rgba, 4);
            } else {
                out->pixels[at] = (uint8_t)v;
            }
            if (out->mask)
                out->mask[at] = v ? 255 : 0;
        }
    }
    return LVL_OK;
}

bool lvl_image_is_opaque(const lvl_image *image)
{
    const size_t total = (size_t)image->width * image->height;
    size_t at = 0;

    while (at < total && lvl_pixel_alpha(image, at) == 255)
        at++;
    return at == total;
}

lvl_status lvl_pixels_from_image(lvl_doc *doc, const lvl_image *image, lvl_cells *out)
{
    const uint32_t size = image->format == LVL_PIXELS_RGBA8 ? 4 : 1;
    const lvl_status status = lvl_pixels_allowed(doc->ctx, (uint64_t)image->width * image->height, 4);

    if (status != LVL_OK)
        return status;
    const size_t total = (size_t)image->width * image->height;
    uint8_t *cells = lvl_arena_array(&doc->arena, total, size);
    if (!cells)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < total; i++) {
        const uint8_t *p = image->pixels + i * size;
        if (size == 4)
            lvl_store_u32le(cells + i * 4, (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]);
        else
            cells[i] = p[0];
    }
    *out = (lvl_cells){cells, image->width, image->height, size};
    return LVL_OK;
}

lvl_status lvl_colors_read(lvl_doc *doc, lvl_bytes bytes, uint64_t at, const lvl_field *field, lvl_sink *sink,
                           lvl_color **colors, uint32_t *count)
{
    const size_t whole = bytes.len / sizeof **colors, n = whole < LVL_PAL_COLORS ? whole : LVL_PAL_COLORS;

    *count = 0;
    *colors = lvl_arena_copy(&doc->arena, bytes.ptr, n * sizeof **colors);
    if (!*colors)
        return LVL_ERR_MEMORY;
    *count = (uint32_t)n;
    for (size_t i = 0; sink && i < n; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), field, (uint32_t)i);
        lvl_emit_span(sink, at + i * sizeof **colors, sizeof **colors,
                      (lvl_span){.where = where, .table = &lvl_color_table});
    }
    return LVL_OK;
}

void lvl_colors_write(const lvl_color *colors, uint32_t count, lvl_buffer *out)
{
    lvl_buffer_add(out, colors, count * sizeof *colors);
}

void lvl_colors_to_palette(const lvl_color *colors, uint32_t count, lvl_palette *out)
{
    memset(out, 0, sizeof *out);
    if (count)
        memcpy(out->rgb, colors, (count < LVL_PAL_COLORS ? count : LVL_PAL_COLORS) * sizeof *colors);
}

lvl_status lvl_colors_to_image(const lvl_color *colors, uint32_t count, lvl_image *image)
{
    if (!count)
        return LVL_OK;
    image->palette = malloc(sizeof *image->palette);
    if (!image->palette) {
        lvl_image_clear(image);
        return LVL_ERR_MEMORY;
    }
    lvl_colors_to_palette(colors, count, image->palette);
    return LVL_OK;
}

lvl_status lvl_colors_from_palette(lvl_doc *doc, const lvl_palette *palette, lvl_color **colors,
                                   uint32_t *count)
{
    lvl_color *copy = lvl_arena_copy(&doc->arena, palette->rgb, sizeof palette->rgb);

    if (!copy)
        return LVL_ERR_MEMORY;
    *colors = copy;
    *count = LVL_PAL_COLORS;
    return LVL_OK;
}

/* ---- true colour to 256 colours ------------------------------------------------------------------------ */

/* The index, from 1 on, of the nearest colour; *exact: it is the same. */
static uint8_t nearest_index(const lvl_palette *palette, const uint8_t rgb[3], bool *exact)
{
    unsigned best = 1;
    int least = INT32_MAX;

    for (unsigned i = 1; i < 256; i++) {
        int r = palette->rgb[i][0] - rgb[0], g = palette->rgb[i][1] - rgb[1], b = palette->rgb[i][2] - rgb[2];
        int d = r * r * 2 + g * g * 4 + b * b * 3; /* weighted roughly as the eye does */
        if (d < least) {
            least = d;
            best = i;
        }
    }
    *exact = !least;
    return (uint8_t)best;
}

static uint32_t color_at(const lvl_image *image, size_t at)
{
    const uint8_t *p = image->pixels + at * 4;

    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

/* The caller frees `colors`, even after an error. */
static lvl_status count_colors(const lvl_image *image, lvl_used_colors *colors)
{
    const size_t total = (size_t)image->width * image->height;
    lvl_status status = LVL_OK;

    for (size_t i = 0; i < total && status == LVL_OK; i++)
        status = lvl_pixel_alpha(image, i) >= 128 ? lvl_used_colors_add(colors, color_at(image, i)) : LVL_OK;
    return status;
}

static void split(uint32_t color, uint8_t rgb[3])
{
    for (unsigned c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(color >> c * 8);
}

/* `may_fill`: index 0 may be a colour, if all are needed; *counted: how many the picture has. */
static lvl_status quantize(const lvl_image *image, bool may_fill, lvl_palette *out, uint32_t *counted)
{
    uint32_t values[LVL_PAL_COLORS];
    lvl_used_colors colors = {0};

    memset(out, 0, sizeof *out);
    const lvl_status status = count_colors(image, &colors);
    *counted = colors.count;
    const uint16_t first = may_fill && colors.count == LVL_PAL_COLORS && lvl_image_is_opaque(image) ? 0 : 1;
    const uint32_t count = status == LVL_OK ? lvl_used_colors_cut(colors.list, colors.count,
                                                                  LVL_PAL_COLORS - first, first, values)
                                            : 0;
    for (uint32_t i = 0; i < count; i++)
        split(values[i], out->rgb[i + first]);
    lvl_used_colors_free(&colors);
    return status;
}

lvl_status lvl_quantize(const lvl_image *image, lvl_palette *out)
{
    uint32_t count;

    return quantize(image, false, out, &count);
}

lvl_status lvl_palette_of_image(const lvl_image *image, lvl_palette *out, uint32_t *count)
{
    *count = 0;
    if (image->format == LVL_PIXELS_RGBA8)
        return quantize(image, true, out, count);
    if (!image->palette)
        return LVL_ERR_UNSUPPORTED;
    *out = *image->palette;
    return LVL_OK;
}

lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, uint8_t *indices,
                            uint32_t *missing)
{
    const size_t total = (size_t)image->width * image->height;
    lvl_used_colors colors = {0};
    uint8_t rgb[3];
    bool exact;

    const lvl_status status = count_colors(image, &colors);
    *missing = 0;
    for (uint32_t i = 0; i < colors.count; i++) {
        split(colors.list[i].rgba, rgb);
        colors.list[i].index = nearest_index(palette, rgb, &exact);
        *missing += !exact;
    }
    for (size_t i = 0; i < total && status == LVL_OK; i++)
        indices[i] = lvl_pixel_alpha(image, i) >= 128
                         ? (uint8_t)lvl_used_colors_find(&colors, color_at(image, i))->index
                         : 0;
    lvl_used_colors_free(&colors);
    return status;
}

lvl_status lvl_draw_indices(lvl_doc *doc, const lvl_image *image, uint8_t *indices, lvl_color **colors,
                            uint32_t *count, uint32_t *missing, bool *made)
{
    lvl_palette palette;
    lvl_status status = LVL_OK;

    *missing = 0;
    *made = image->format == LVL_PIXELS_RGBA8 && !image->palette && !*count;
    if (image->format == LVL_PIXELS_INDEX8) {
        memcpy(indices, image->pixels, (size_t)image->width * image->height);
        return image->palette ? lvl_colors_from_palette(doc, image->palette, colors, count) : LVL_OK;
    }
    if (image->palette)
        palette = *image->palette;
    else if (*count)
        lvl_colors_to_palette(*colors, *count, &palette);
    else
        status = lvl_quantize(image, &palette);
    if (status == LVL_OK && *made)
        status = lvl_colors_from_palette(doc, &palette, colors, count);
    return status == LVL_OK ? lvl_quantize_map(image, &palette, indices, missing) : status;
}

/* ---- the palette of a picture without its own ---------------------------------------------------------- */

/* The palette in the folder that the first `len` bytes of the path name. */
static const lvl_palette *palette_in(const lvl_art *art, const char *folder, size_t len)
{
    static const char *const names[] = {"PALETTES/MAIN.PAL", "PALETTEZ/MAIN.PAL", "PALETTES/MAIN.ACT",
                                        "PALETTES/MAIN.TXT"};
    const lvl_palette *palette = NULL;
    char path[256];

    for (size_t i = 0; i < LVL_COUNT_OF(names) && len < sizeof path - 20 && !palette; i++) {
        snprintf(path, sizeof path, "%.*s%s", (int)len, folder, names[i]);
        palette = lvl_art_palette(art, path);
    }
    return palette;
}

const lvl_palette *lvl_wap32_find_palette(const lvl_art *art, const char *path)
{
    static const char *const banks[] = {"LEVEL", "AREA", "DUNGEON"};
    enum { BANKS = 14 };
    const lvl_palette *palette = NULL;
    char folder[32];

    /* LEVEL1/IMAGES/CRAB/001.PID: LEVEL1/PALETTES; in a folder of extracted files the path begins earlier */
    for (const char *from = path; from && !palette; from = strchr(from, '/') ? strchr(from, '/') + 1 : NULL) {
        for (size_t len = strlen(from); len && !palette; len--) {
            if (from[len - 1] == '/')
                palette = palette_in(art, from, len);
        }
    }
    if (!palette)
        palette = palette_in(art, "", 0);
    /* what all levels share is drawn in the colours of the level that is played: the first */
    for (unsigned n = 1; n <= BANKS && !palette; n++) {
        for (size_t i = 0; i < LVL_COUNT_OF(banks) && !palette; i++) {
            const int len = snprintf(folder, sizeof folder, "%s%u/", banks[i], n);
            palette = palette_in(art, folder, (size_t)len);
        }
    }
    return palette;
}
