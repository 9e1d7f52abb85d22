/*
 * tools/picture/frames_film.c: frames as an animated picture.
 */
#include "tools/picture/frames.h"

#include "base/work.h"
#include "codec/apng.h"
#include "codec/gif_out.h"

/* Passes each frame on its canvas to one of the writers: `pass` 0 only counts colours. */
static lvl_status put_frames(const lvl_frames *frames, const lvl_ctx *ctx, lvl_gif_out *gif, lvl_apng *apng,
                             int pass)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < frames->count && status == LVL_OK; i++) {
        const lvl_frame *f = &frames->items[i];
        lvl_image image = {0};
        status = lvl_charge(ctx, 2 * (uint64_t)f->canvas_width * f->canvas_height);
        if (status == LVL_OK)
            status = lvl_frame_on_canvas(f, ctx, &image);
        if (status == LVL_OK)
            status = gif    ? lvl_gif_out_frame(gif, &image, f->ms)
                     : pass ? lvl_apng_frame(apng, &image, f->ms)
                            : lvl_apng_survey(apng, &image);
        lvl_image_clear(&image);
    }
    return status;
}

lvl_status lvl_frames_film(lvl_frames *frames, const lvl_ctx *ctx, bool gif, lvl_writer *out)
{
    lvl_gif_out *film = NULL;
    lvl_apng *apng = NULL;

    if (!frames->count)
        return LVL_ERR_ARG;
    lvl_status status = lvl_frames_unite(frames, ctx, true);
    if (status != LVL_OK)
        return status;
    if (gif)
        film = lvl_gif_out_new(ctx, frames->loops, out);
    else
        apng = lvl_apng_new(ctx, frames->count, frames->loops ? 0 : 1, out);
    status = film || apng ? LVL_OK : LVL_ERR_MEMORY;
    for (int pass = gif; pass <= 1 && status == LVL_OK; pass++)
        status = put_frames(frames, ctx, film, apng, pass);
    if (status == LVL_OK)
        status = gif ? lvl_gif_out_end(film) : lvl_apng_end(apng);
    lvl_gif_out_free(film);
    lvl_apng_free(apng);
    return status;
}
