/*
 * libFuzzer target: pictures (PNG, GIF, JPEG, PCX, BMP, PID) as art: decoded, drawn as a sprite, and converted to
 * every document that can be made from a picture.
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "scene/scene.h"
#include "base/format.h"
#include "codec/png.h"

#include <lvl/render.h>
#include <lvl/tools.h>
#include <stdlib.h>

static lvl_status decode(lvl_bytes file, lvl_image *out)
{
    const size_t end = file.len < 4096 ? file.len : 4096;
    const lvl_ctx *ctx = lvl_fuzz_ctx();
    lvl_doc *doc = NULL;

    if (lvl_picture_kind(file))
        return lvl_picture_read(ctx, file, false, out);
    const lvl_format *format = lvl_probe((lvl_bytes){file.ptr, end},
                                         (lvl_bytes){file.ptr + file.len - end, end}, file.len, NULL, NULL);
    if (!format || !(lvl_format_can(format) & LVL_CAN_IMAGE))
        return LVL_ERR_FOREIGN;
    lvl_status status = lvl_read(&doc, ctx, format, file, NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_doc_picture(doc, NULL, out);
    lvl_doc_free(doc);
    return status;
}

static void draw(lvl_image *image, uint32_t choice)
{
    lvl_render_options options;
    lvl_image out = {0};

    lvl_scene *scene = lvl_scene_new(lvl_fuzz_ctx());
    lvl_scene_thing *thing = scene ? lvl_scene_alloc(scene, 1, sizeof *thing) : NULL;
    if (thing) {
        thing->image = image;
        thing->flags = choice & 0xff;
        scene->things = thing;
        scene->thing_count = 1;
        scene->bounds = (lvl_rect){-20, -20, 60, 50};
        scene->has_art = true;
        lvl_render_options_init(&options);
        options.size = choice & 0x100 ? 24 : 0;
        options.transparent = choice & 0x200;
        options.overlays = choice >> 10 & 31;
        if (lvl_scene_arrange(scene, false) == LVL_OK && lvl_render_image(scene, &options, &out) == LVL_OK)
            lvl_image_clear(&out);
    }
    lvl_scene_free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t choice = lvl_fuzz_hash(data, size);
    lvl_image image = {0}, again = {0};
    lvl_buffer png = {0}, file = {0};
    lvl_doc *doc = NULL;

    if (decode((lvl_bytes){data, size}, &image) != LVL_OK)
        return 0;
    if (!image.pixels || !image.width || !image.height)
        abort();
    draw(&image, choice);
    if (lvl_png_write_buffer(lvl_fuzz_ctx(), &image, NULL, &png) == LVL_OK) {
        if (lvl_png_read(lvl_fuzz_ctx(), (lvl_bytes){png.data, png.len}, &again) != LVL_OK ||
            again.width != image.width || again.height != image.height)
            abort();
        lvl_image_clear(&again);
    }
    const lvl_draw_options draw_options = {.chunk_size = choice >> 8 & 1 ? 32 : 0,
                                           .colors = choice >> 9 & 1 ? 5 : 0,
                                           .alpha = (lvl_alpha_choice)((choice >> 10) % 3),
                                           .has_key = choice >> 12 & 1,
                                           .ending = choice >> 13 & 1 ? "doodad" : NULL};
    if (lvl_doc_draw(&doc, lvl_fuzz_ctx(), lvl_format_at(choice % lvl_format_count()), &image, &draw_options,
                     NULL) == LVL_OK)
        (void)lvl_doc_write(doc, &file);
    lvl_doc_free(doc);
    lvl_buffer_free(&png);
    lvl_buffer_free(&file);
    lvl_image_clear(&image);
    return 0;
}
