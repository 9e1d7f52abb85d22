/*
 * libFuzzer target: JPEG pictures. A picture that is read is opaque RGBA.
 */
#include "codec/jpeg.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const lvl_ctx ctx = {.limits = {.cells = 1 << 20}};
    lvl_image image;

    if (lvl_jpeg_read(&ctx, (lvl_bytes){data, size}, &image) == LVL_OK) {
        if (!image.pixels || image.format != LVL_PIXELS_RGBA8)
            abort();
        for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
            if (image.pixels[i * 4 + 3] != 255)
                abort();
        }
    } else if (image.pixels) {
        abort();
    }
    lvl_image_clear(&image);
    return 0;
}
