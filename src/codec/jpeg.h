/*
 * codec/jpeg.h: JPEG in.
 */
#ifndef LVL_CODEC_JPEG_H
#define LVL_CODEC_JPEG_H

#include <lvl/image.h>

/* A JPEG as RGBA8, opaque; also from grey and CMYK. LVL_ERR_FORMAT if it is damaged, truncated or no JPEG,
 * LVL_ERR_LIMIT if it is larger than the context allows, LVL_ERR_UNSUPPORTED where lvl was built without
 * libjpeg. */
lvl_status lvl_jpeg_read(const lvl_ctx *ctx, lvl_bytes jpeg, lvl_image *out);
/* Whether bytes begin like a JPEG, whatever the file is called. */
bool lvl_jpeg_probe(lvl_bytes bytes);

#endif
