/*
 * base/image.c: allocates and frees pictures.
 */
#include "base/arena.h"
#include "base/work.h"

#include <lvl/image.h>

#include <stdlib.h>
#include <string.h>

lvl_status lvl_image_init(lvl_image *out, const lvl_ctx *ctx, lvl_pixels format, uint32_t width,
                          uint32_t height, bool masked)
{
    const uint64_t most_cells = lvl_limits_of(ctx).cells;
    const uint64_t most_bytes = lvl_limits_of(ctx).memory_bytes / 2;
    const uint64_t cells = (uint64_t)width * height;

    memset(out, 0, sizeof *out);
    if (width == 0 || height == 0)
        return LVL_ERR_ARG;
    /* at most five bytes per pixel, so that nothing below overflows 64 bits */
    if (cells > most_cells || cells > SIZE_MAX / 8)
        return lvl_refuse(ctx, LVL_LIMIT_CELLS, most_cells, cells);
    const uint64_t pixels = format == LVL_PIXELS_RGBA8 ? cells * 4 : cells;
    const uint64_t bytes = pixels + (masked ? cells : 0);
    if (bytes > most_bytes)
        return lvl_refuse(ctx, LVL_LIMIT_MEMORY, most_bytes, bytes);
    out->pixels = calloc((size_t)pixels, 1);
    if (masked)
        out->mask = calloc((size_t)cells, 1);
    if (!out->pixels || (masked && !out->mask)) {
        lvl_image_clear(out);
        return LVL_ERR_MEMORY;
    }
    out->format = format;
    out->width = width;
    out->height = height;
    return LVL_OK;
}

void lvl_image_clear(lvl_image *image)
{
    free(image->pixels);
    free(image->mask);
    free(image->palette);
    free(image->rest);
    memset(image, 0, sizeof *image);
}
