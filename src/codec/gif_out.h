/*
 * codec/gif_out.h: animated GIF out.
 */
#ifndef LVL_CODEC_GIF_OUT_H
#define LVL_CODEC_GIF_OUT_H

#include <lvl/image.h>

/* A GIF of frames of one size. Each has a palette of its own: its colours, or if it has more than 255, that
 * many that are near. Pixels with less than half opacity are transparent, others are opaque. One thread at a
 * time. */
typedef struct lvl_gif_out lvl_gif_out;

/* `loops`: it is shown without end, else once. NULL without memory. */
lvl_gif_out *lvl_gif_out_new(const lvl_ctx *ctx, bool loops, lvl_writer *out);
void lvl_gif_out_free(lvl_gif_out *gif);
/* Adds a frame, RGBA8 and as large as the first; `ms` how long it is shown: in the file hundredths of a
 * second, of which the sum is kept, at least 2 (viewers take less for a tenth of a second). LVL_ERR_ARG for
 * another format or size, LVL_ERR_LIMIT for sides above 65,535, LVL_ERR_MEMORY, or what `out` returned. */
lvl_status lvl_gif_out_frame(lvl_gif_out *gif, const lvl_image *frame, uint32_t ms);
/* Ends the file. LVL_ERR_ARG without a frame. */
lvl_status lvl_gif_out_end(lvl_gif_out *gif);

#endif
