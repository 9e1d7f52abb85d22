/*
 * lvl/image.h: a picture in memory, as art decoders give it and renderers take it. Plain data: one thread writes, any number read.
 */
#ifndef LVL_IMAGE_H
#define LVL_IMAGE_H

#include <lvl/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lvl_pixels {
    LVL_PIXELS_INDEX8, /* one palette index a pixel */
    LVL_PIXELS_RGBA8   /* red, green, blue, alpha; alpha is straight, not premultiplied */
} lvl_pixels;

typedef struct lvl_palette {
    uint8_t rgb[256][3];
} lvl_palette;

typedef struct lvl_image {
    lvl_pixels format;
    uint32_t width, height;
    int32_t offset_x,
        offset_y;    /* where the sprite is drawn, in px from its object's point (added to the centring) */
    uint8_t *pixels; /* rows without padding */
    uint8_t *mask;   /* INDEX8: one byte a pixel, 0 not drawn, 255 drawn; NULL: every pixel is drawn */
    lvl_palette *palette; /* INDEX8: the image's own palette, or NULL (the level's is used) */
} lvl_image;

/* Takes memory for pixels (and a mask if `masked`), zeroed; width and height at least 1, the limits of ctx count. */
LVL_API lvl_status lvl_image_init(lvl_image *out, const lvl_ctx *ctx, lvl_pixels format, uint32_t width,
                                  uint32_t height, bool masked);
/* Frees what the image owns, not the struct. */
LVL_API void lvl_image_clear(lvl_image *image);

#ifdef __cplusplus
}
#endif

#endif
