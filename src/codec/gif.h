/*
 * codec/gif.h: what else there is to know of GIF; reading it is in lvl/image.h.
 */
#ifndef LVL_CODEC_GIF_H
#define LVL_CODEC_GIF_H

#include <lvl/image.h>

/* Whether bytes begin like a GIF, whatever the file is called. */
bool lvl_gif_probe(lvl_bytes bytes);

#endif
