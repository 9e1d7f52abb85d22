/*
 * libFuzzer target: animations drawn: their timing, and the first frames of one direction as pictures.
 */
#include "base/format.h"
#include "fuzz_docs.h"

#include <lvl/render.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lvl_render_options options;
    lvl_doc *doc = NULL;
    lvl_animation *play = NULL;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = (uint64_t)64 << 20;
    lvl_render_options_init(&options);
    options.size = 32;
    if (lvl_read(&doc, &ctx, lvl_format_find("gani"), (lvl_bytes){data, size}, "x.gani", LVL_READ_BORROW,
                 NULL) == LVL_OK &&
        lvl_doc_play(doc, NULL, &play) == LVL_OK) {
        const uint32_t direction = lvl_fuzz_hash(data, size) % play->directions;
        for (uint32_t i = 0; i < 2; i++) {
            const lvl_scene_request request = {.frame = i, .direction = direction};
            lvl_scene *scene = NULL;
            lvl_image image;
            if (lvl_doc_scene(doc, &request, &scene) == LVL_OK) {
                if (scene->bounds.left != play->bounds.left || scene->bounds.bottom != play->bounds.bottom)
                    abort();
                if (lvl_render_image(scene, &options, &image) == LVL_OK)
                    lvl_image_clear(&image);
            }
            lvl_scene_free(scene);
        }
    }
    lvl_animation_free(&ctx, play);
    lvl_doc_free(doc);
    return 0;
}
