/*
 * wap32/art/pid_image.c: converts PIDs to pictures and back.
 */
#include "wap32/art/color.h"
#include "wap32/art/pid_runs.h"

#include "base/cursor.h"
#include "base/work.h"

#include <lvl/pid.h>

lvl_status lvl_pid_to_image(const lvl_doc *doc, const char *layer, lvl_image *out)
{
    const lvl_pid *pid = doc->root;
    const lvl_cells *cells = &pid->pixels;
    const uint8_t fill = pid->flags & LVL_PID_FILL ? (uint8_t)pid->fill : 0;
    const uint32_t hole = pid->flags & LVL_PID_SKIP_RUNS     ? LVL_PID_SKIPPED
                          : pid->flags & LVL_PID_TRANSPARENT ? 0
                                                             : UINT32_MAX;

    (void)layer;
    if (!cells->ptr)
        return LVL_ERR_FORMAT;
    lvl_status status =
        lvl_image_init(out, doc->ctx, LVL_PIXELS_INDEX8, cells->width, cells->height, hole != UINT32_MAX);
    if (status != LVL_OK)
        return status;
    out->offset_x = pid->offset_x;
    out->offset_y = pid->offset_y;
    size_t at = 0;
    for (uint32_t y = 0; y < cells->height; y++) {
        for (uint32_t x = 0; x < cells->width; x++, at++) {
            uint32_t v = lvl_cell(cells, x, y);
            out->pixels[at] = v == LVL_PID_SKIPPED ? fill : (uint8_t)v;
            if (out->mask)
                out->mask[at] = v == hole ? 0 : 255;
        }
    }
    return lvl_colors_to_image(pid->colors, pid->color_count, out);
}

static bool is_hole(const lvl_image *image, size_t at)
{
    return lvl_pixel_alpha(image, at) < 128;
}

/* The flags, changed as far as needed to encode the picture. */
static uint32_t flags_for(uint32_t flags, bool holes, bool opaque_zero)
{
    if (holes && !flags)
        return LVL_PID_SKIP_RUNS | LVL_PID_SYSTEM_MEMORY;
    if (holes && !(flags & LVL_PID_SKIP_RUNS) && (!(flags & LVL_PID_TRANSPARENT) || opaque_zero))
        return (flags & ~(uint32_t)LVL_PID_TRANSPARENT) | LVL_PID_SKIP_RUNS;
    if (!holes && opaque_zero && !(flags & LVL_PID_SKIP_RUNS))
        return flags & ~(uint32_t)LVL_PID_TRANSPARENT;
    return flags;
}

lvl_status lvl_pid_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                        uint32_t *missing)
{
    lvl_pid *pid = doc->root;
    const uint64_t total64 = (uint64_t)image->width * image->height;
    bool holes = false, opaque_zero = false, made;
    lvl_status status;

    (void)draw_options;
    if (!image->width || !image->height || image->width > INT32_MAX || image->height > INT32_MAX)
        return LVL_ERR_ARG;
    status = lvl_pixels_allowed(doc->ctx, total64, 2);
    if (status != LVL_OK)
        return status;
    const size_t total = (size_t)total64;
    uint8_t *indices = lvl_arena_raw(&doc->arena, total);
    if (!indices)
        return LVL_ERR_MEMORY;
    status = lvl_draw_indices(doc, image, indices, &pid->colors, &pid->color_count, missing, &made);
    if (status != LVL_OK)
        return status;
    if (made)
        *missing = 0;
    for (size_t i = 0; i < total; i++) {
        if (is_hole(image, i))
            holes = true;
        else if (indices[i] == 0)
            opaque_zero = true;
    }
    pid->flags = flags_for(pid->flags & ~(uint32_t)LVL_PID_PALETTE, holes, opaque_zero) |
                 (pid->color_count ? LVL_PID_PALETTE : 0);
    const bool skips = (pid->flags & LVL_PID_SKIP_RUNS) != 0;
    uint8_t *cells = indices;
    if (skips) {
        cells = lvl_arena_array(&doc->arena, total, 2);
        if (!cells)
            return LVL_ERR_MEMORY;
        for (size_t i = 0; i < total; i++)
            lvl_store_u16le(cells + i * 2, is_hole(image, i) ? (uint16_t)LVL_PID_SKIPPED : indices[i]);
    } else if (holes) {
        for (size_t i = 0; i < total; i++) {
            if (is_hole(image, i))
                indices[i] = 0;
        }
    }
    pid->pixels.ptr = cells;
    pid->pixels.size = skips ? 2 : 1;
    pid->pixels.width = image->width;
    pid->pixels.height = image->height;
    if (image->offset_x || image->offset_y) {
        pid->offset_x = image->offset_x;
        pid->offset_y = image->offset_y;
    }
    if (pid->encoded.len && !lvl_pid_decodes_to(pid->encoded, skips, &pid->pixels))
        pid->encoded = (lvl_bytes){NULL, 0};
    return lvl_doc_recompute_derived(doc);
}
