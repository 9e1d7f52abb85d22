/*
 * libFuzzer target: GIF pictures. A picture that is read has pixels, and a mask of 0 and 255.
 */
#include "codec/gif.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const lvl_ctx ctx = {.limits = {.cells = 1 << 22}};
    lvl_image image;

    if (lvl_gif_read(&ctx, (lvl_bytes){data, size}, &image) == LVL_OK) {
        if (!image.pixels || !image.palette)
            abort();
        for (size_t i = 0; image.mask && i < (size_t)image.width * image.height; i++) {
            if (image.mask[i] != 0 && image.mask[i] != 255)
                abort();
        }
    }
    lvl_image_clear(&image);
    return 0;
}
