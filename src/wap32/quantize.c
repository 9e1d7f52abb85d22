/*
 * wap32/quantize.c: palettes of pictures, and nearest colours, each looked for once.
 */
#include "wap32/quantize.h"

#include "codec/colors.h"
#include "wap32/color.h"

#include <string.h>

enum { MOST_COLORS = 255 };

static uint32_t color_at(const lvl_image *image, size_t at)
{
    const uint8_t *p = image->pixels + at * 4;

    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

static bool is_seen(const lvl_image *image, size_t at)
{
    return image->pixels[at * 4 + 3] >= 128;
}

/* `colors` is to be freed whatever the result. */
static lvl_status count_colors(const lvl_image *image, lvl_used_colors *colors)
{
    const size_t total = (size_t)image->width * image->height;
    lvl_status status = LVL_OK;

    for (size_t i = 0; i < total && status == LVL_OK; i++)
        status = is_seen(image, i) ? lvl_used_colors_add(colors, color_at(image, i)) : LVL_OK;
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

lvl_status lvl_quantize_map(const lvl_image *image, const lvl_palette *palette, unsigned first,
                            uint8_t *indices)
{
    const size_t total = (size_t)image->width * image->height;
    lvl_used_colors colors = {0};
    uint8_t rgb[3];

    const lvl_status status = count_colors(image, &colors);
    for (uint32_t i = 0; i < colors.count; i++) {
        split(colors.list[i].rgba, rgb);
        colors.list[i].index = lvl_palette_nearest(palette, first, rgb);
    }
    for (size_t i = 0; i < total && status == LVL_OK; i++)
        indices[i] =
            is_seen(image, i) ? (uint8_t)lvl_used_colors_find(&colors, color_at(image, i))->index : 0;
    lvl_used_colors_free(&colors);
    return status;
}
