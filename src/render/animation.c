/*
 * render/animation.c: the frames of an animation as a sheet, an APNG or a GIF. Each frame is a scene that is
 * made, drawn and freed.
 */
#include <lvl/render.h>

#include "base/arena.h"
#include "base/work.h"
#include "codec/png.h"
#include "codec/apng.h"
#include "codec/gif_out.h"

#include <string.h>

static lvl_status draw_frame(const lvl_render_play *play, uint32_t frame, uint32_t direction, lvl_image *out)
{
    lvl_scene_request request = play->request;
    lvl_scene *scene = NULL;

    memset(out, 0, sizeof *out);
    request.frame = frame;
    request.direction = direction;
    request.play = play->play;
    lvl_status status = lvl_doc_scene(play->doc, &request, &scene);
    if (status == LVL_OK)
        status = lvl_render_image(scene, play->options, out);
    lvl_scene_free(scene);
    return status;
}

static uint32_t direction_of(const lvl_render_play *play)
{
    const uint32_t direction = play->request.direction;

    return direction < play->play->directions ? direction : play->play->directions - 1;
}

/* ---- sheet ------------------------------------------------------------------------------------------- */

/* Draws all frames of one row of the sheet. */
static lvl_status draw_row(const lvl_render_play *play, uint32_t direction, lvl_rows *rows, uint8_t *pixels,
                           const lvl_picture *picture, uint32_t width, uint32_t height)
{
    const size_t stride = (size_t)picture->width * picture->channels;

    for (uint32_t f = 0; f < play->play->frames; f++) {
        lvl_image image;
        lvl_status status = draw_frame(play, f, direction, &image);

        if (status == LVL_OK && (image.width != width || image.height != height))
            status = LVL_ERR_ARG;
        for (uint32_t y = 0; y < height && status == LVL_OK; y++)
            memcpy(pixels + y * stride + (size_t)f * width * 4, image.pixels + (size_t)y * width * 4,
                   (size_t)width * 4);
        lvl_image_clear(&image);
        if (status != LVL_OK)
            return status;
    }
    return rows->rows(rows, pixels, height);
}

lvl_status lvl_render_sheet(const lvl_render_play *play, bool one_direction, lvl_writer *out)
{
    const lvl_ctx *ctx = lvl_doc_ctx(play->doc);
    const uint64_t most = lvl_memory_share(ctx);
    const uint32_t first = one_direction ? direction_of(play) : 0;
    const uint32_t count = one_direction ? 1 : play->play->directions;
    lvl_picture picture = {.channels = 4};
    lvl_rows *rows = NULL;
    uint8_t *pixels = NULL;
    lvl_image cell;

    lvl_status status = draw_frame(play, 0, first, &cell); /* only for its size */
    const uint32_t width = cell.width, height = cell.height;
    lvl_image_clear(&cell);
    if (status != LVL_OK)
        return status;
    const uint64_t full_width = (uint64_t)width * play->play->frames, full_height = (uint64_t)height * count;
    if (full_width > INT32_MAX / 8)
        return lvl_refuse_fixed(ctx, "pixels across", INT32_MAX / 8, full_width);
    if (full_height > INT32_MAX)
        return lvl_refuse_fixed(ctx, "rows of pixels", INT32_MAX, full_height);
    if (full_width * 4 > most / height)
        return lvl_refuse(ctx, LVL_LIMIT_MEMORY, most, full_width * 4 * height);
    picture.width = (uint32_t)full_width;
    picture.height = (uint32_t)full_height;
    status = LVL_ERR_MEMORY;
    pixels = lvl_mem_alloc(ctx, (size_t)full_width * 4 * height);
    rows = lvl_png_rows_new(ctx, out, LVL_PNG_AUTO);
    if (!pixels || !rows)
        goto out;
    status = rows->begin(rows, &picture);
    for (uint32_t d = first; d < first + count && status == LVL_OK; d++)
        status = draw_row(play, d, rows, pixels, &picture, width, height);
    if (status == LVL_OK)
        status = rows->end(rows);
out:
    lvl_png_rows_free(rows);
    lvl_mem_free(ctx, pixels);
    return status;
}

/* ---- APNG -------------------------------------------------------------------------------------------- */

lvl_status lvl_render_apng(const lvl_render_play *play, lvl_writer *out)
{
    const uint32_t frames = play->play->frames, direction = direction_of(play);
    lvl_work work = lvl_work_begin(lvl_doc_ctx(play->doc));
    lvl_apng *apng = lvl_apng_new(lvl_doc_ctx(play->doc), frames, play->play->loops ? 0 : 1, out);
    lvl_status status = apng ? LVL_OK : LVL_ERR_MEMORY;

    /* Everything is drawn twice, since the palette precedes the first frame. */
    for (int writing = 0; writing <= 1; writing++) {
        for (uint32_t f = 0; f < frames && status == LVL_OK; f++) {
            lvl_image image;
            status = draw_frame(play, f, direction, &image);
            if (status == LVL_OK && !writing && !f) /* all have the same size */
                status = lvl_work_charge(&work, 2 * (uint64_t)frames * image.width * image.height)
                             ? LVL_OK
                             : work.status;
            if (status == LVL_OK)
                status = writing ? lvl_apng_frame(apng, &image, play->play->durations[f])
                                 : lvl_apng_survey(apng, &image);
            lvl_image_clear(&image);
        }
    }
    if (status == LVL_OK)
        status = lvl_apng_end(apng);
    lvl_apng_free(apng);
    return status;
}

/* ---- GIF --------------------------------------------------------------------------------------------- */

lvl_status lvl_render_gif(const lvl_render_play *play, lvl_writer *out)
{
    const uint32_t frames = play->play->frames, direction = direction_of(play);
    lvl_work work = lvl_work_begin(lvl_doc_ctx(play->doc));
    lvl_gif_out *gif = lvl_gif_out_new(lvl_doc_ctx(play->doc), play->play->loops, out);
    lvl_status status = gif ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t f = 0; f < frames && status == LVL_OK; f++) {
        lvl_image image;
        status = draw_frame(play, f, direction, &image);
        if (status == LVL_OK && !f &&
            !lvl_work_charge(&work, 2 * (uint64_t)frames * image.width * image.height))
            status = work.status; /* all have the same size */
        if (status == LVL_OK)
            status = lvl_gif_out_frame(gif, &image, play->play->durations[f]);
        lvl_image_clear(&image);
    }
    if (status == LVL_OK)
        status = lvl_gif_out_end(gif);
    lvl_gif_out_free(gif);
    return status;
}
