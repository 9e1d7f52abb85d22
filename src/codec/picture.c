/*
 * codec/picture.c: pictures of any kind, recognised by their first bytes.
 */
#include "codec/gif.h"
#include "codec/jpeg.h"
#include "codec/png.h"

#include <string.h>

const char *lvl_picture_kind(lvl_bytes bytes)
{
    if (bytes.len >= sizeof lvl_png_signature &&
        memcmp(bytes.ptr, lvl_png_signature, sizeof lvl_png_signature) == 0)
        return "PNG";
    return lvl_gif_probe(bytes) ? "GIF" : lvl_jpeg_probe(bytes) ? "JPEG" : NULL;
}

lvl_status lvl_picture_read(const lvl_ctx *ctx, lvl_bytes bytes, bool indices, lvl_image *out)
{
    if (lvl_gif_probe(bytes))
        return lvl_gif_read(ctx, bytes, out);
    if (lvl_jpeg_probe(bytes))
        return lvl_jpeg_read(ctx, bytes, out);
    return lvl_png_read_as(ctx, bytes, indices, out);
}
