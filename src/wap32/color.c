/*
 * wap32/color.c: the table of a colour, palettes to and from lists of colours, palettes of pictures.
 */
#include "wap32/color.h"

#include "wap32/formats.h"

#include "base/work.h"
#include "codec/colors.h"

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

lvl_status lvl_colors_read(lvl_doc *doc, lvl_bytes bytes, uint64_t at, const lvl_field *field, lvl_sink *sink,
                           lvl_color **colors, uint32_t *count)
{
    size_t n = bytes.len / 3;

    n = n < 256 ? n : 256;
    *count = 0;
    *colors = lvl_arena_array(&doc->arena, n, sizeof(lvl_color));
    if (!*colors)
        return doc->arena.failed ? LVL_ERR_MEMORY : LVL_OK;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *p = bytes.ptr + i * 3;
        const lvl_color c = {p[0], p[1], p[2]};
        (*colors)[i] = c;
    }
    *count = (uint32_t)n;
    for (size_t i = 0; sink && i < n; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), field, (uint32_t)i);
        lvl_emit_span(sink, at + i * 3, 3, (lvl_span){.where = where, .table = &lvl_color_table});
    }
    return LVL_OK;
}

void lvl_colors_write(const lvl_color *colors, uint32_t count, lvl_buffer *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t rgb[3] = {colors[i].red, colors[i].green, colors[i].blue};
        lvl_buffer_add(out, rgb, sizeof rgb);
    }
}

void lvl_colors_to_palette(const lvl_color *colors, uint32_t count, lvl_palette *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < count && i < 256; i++) {
        out->rgb[i][0] = colors[i].red;
        out->rgb[i][1] = colors[i].green;
        out->rgb[i][2] = colors[i].blue;
    }
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
    lvl_color *c = lvl_arena_array(&doc->arena, 256, sizeof *c);

    if (!c)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < 256; i++) {
        c[i].red = palette->rgb[i][0];
        c[i].green = palette->rgb[i][1];
        c[i].blue = palette->rgb[i][2];
    }
    *colors = c;
    *count = 256;
    return LVL_OK;
}

/* ---- true colour to 256 colours ------------------------------------------------------------------------ */

/* The index, from 1 on, of the nearest colour. */
static uint8_t nearest(const lvl_palette *palette, const uint8_t rgb[3])
{
    unsigned best = 1;
    int least = INT32_MAX;

    for (unsigned i = 1; i < 256; i++) {
        int r = palette->rgb[i][0] - rgb[0], g = palette->rgb[i][1] - rgb[1], b = palette->rgb[i][2] - rgb[2];
        int d = r * r * 2 + g * g * 4 + b * b * 3; /* roughly as the eye weights them */
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return (uint8_t)best;
}

enum { MOST_COLORS = 255 };

static uint32_t color_at(const lvl_image *image, size_t at)
{
    const uint8_t *p = image->pixels + at * 4;

    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

static bool is_visible(const lvl_image *image, size_t at)
{
    return image->pixels[at * 4 + 3] >= 128;
}

/* The caller frees `colors`, whatever the result. */
static lvl_status count_colors(const lvl_image *image, lvl_used_colors *colors)
{
    const size_t total = (size_t)image->width * image->height;
    lvl_status status = LVL_OK;

    for (size_t i = 0; i < total && status == LVL_OK; i++)
        status = is_visible(image, i) ? lvl_used_colors_add(colors, color_at(image, i)) : LVL_OK;
    return status;
}

static void split(uint32_t color, uint8_t rgb[3])
{
    for (unsigned c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(color >> c * 8);
}

lvl_status lvl_quantize(const lvl_image *image, lvl_palette *out)
{
    uint32_t values[MOST_COLORS];
    lvl_used_colors colors = {0};

    memset(out, 0, sizeof *out);
    const lvl_status status = count_colors(image, &colors);
    const uint32_t count =
        status == LVL_OK ? lvl_used_colors_cut(colors.list, colors.count, MOST_COLORS, 1, values) : 0;
    for (uint32_t i = 0; i < count; i++)
        split(values[i], out->rgb[i + 1]);
    lvl_used_colors_free(&colors);
    return status;
}

lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, uint8_t *indices)
{
    const size_t total = (size_t)image->width * image->height;
    lvl_used_colors colors = {0};
    uint8_t rgb[3];

    const lvl_status status = count_colors(image, &colors);
    for (uint32_t i = 0; i < colors.count; i++) {
        split(colors.list[i].rgba, rgb);
        colors.list[i].index = nearest(palette, rgb);
    }
    for (size_t i = 0; i < total && status == LVL_OK; i++)
        indices[i] =
            is_visible(image, i) ? (uint8_t)lvl_used_colors_find(&colors, color_at(image, i))->index : 0;
    lvl_used_colors_free(&colors);
    return status;
}
