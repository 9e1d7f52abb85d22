/*
 * libFuzzer target: GIF pictures. A picture that is read has pixels, and a mask of 0 and 255. All frames of
 * an animation that is read are counted, have one size and a palette or colours.
 */
#include "codec/gif.h"
#include "tools/picture/frames.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const lvl_image *image)
{
    if (!image->pixels || (image->format == LVL_PIXELS_INDEX8 && !image->palette))
        abort();
    for (size_t i = 0; image->mask && i < (size_t)image->width * image->height; i++) {
        if (image->mask[i] != 0 && image->mask[i] != 255)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lvl_usage usage = {0};
    const lvl_ctx ctx = {.limits = {.cells = 1 << 20, .memory_bytes = 1 << 26, .work = 1 << 24},
                         .usage = &usage};
    const lvl_bytes gif = {data, size};
    lvl_image image;
    lvl_frames frames;

    if (lvl_gif_read(&ctx, gif, &image) == LVL_OK)
        check(&image);
    lvl_image_clear(&image);
    if (lvl_frames_gif(&frames, &ctx, gif, (lvl_text){"a", 1}) == LVL_OK) {
        uint32_t count;
        if (lvl_frames_count(gif, &count) != LVL_OK || !frames.count || frames.count != count)
            abort();
        for (uint32_t i = 0; i < frames.count; i++) {
            if (frames.items[i].width != frames.items[0].width)
                abort();
            check(&frames.items[i].image);
        }
    }
    lvl_frames_free(&frames);
    return 0;
}
