/*
 * codec/gif.h: GIF in.
 */
#ifndef LVL_CODEC_GIF_H
#define LVL_CODEC_GIF_H

#include <lvl/image.h>

/* The first frame of a GIF, as INDEX8 with its palette, as large as the screen that the file declares; with a
 * mask if it has a transparent colour or does not fill that screen. LVL_ERR_FORMAT if it is broken or no
 * GIF, LVL_ERR_LIMIT if it is larger than the context allows. */
lvl_status lvl_gif_read(const lvl_ctx *ctx, lvl_bytes gif, lvl_image *out);
/* Whether bytes begin like a GIF, whatever the file is called. */
bool lvl_gif_probe(lvl_bytes bytes);

#endif
