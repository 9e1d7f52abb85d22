/*
 * codec/jpeg.h: what else there is to know of JPEG; reading it is in lvl/image.h.
 */
#ifndef LVL_CODEC_JPEG_H
#define LVL_CODEC_JPEG_H

#include <lvl/image.h>

/* Whether bytes begin like a JPEG, whatever the file is called. */
bool lvl_jpeg_probe(lvl_bytes bytes);

#endif
