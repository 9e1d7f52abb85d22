/*
 * libFuzzer target: lists of the frames in a sheet. Frames that are read can be cut out of a picture, or are
 * not within it, and the list that is written of them reads back as the same.
 */
#include "tools/picture/frames.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare(const lvl_frames *a, const lvl_frames *b)
{
    if (a->count != b->count)
        abort();
    for (uint32_t i = 0; i < a->count; i++) {
        const lvl_frame *f = &a->items[i], *g = &b->items[i];
        if (f->x != g->x || f->y != g->y || f->left != g->left || f->top != g->top || f->ms != g->ms ||
            f->point_x != g->point_x || f->point_y != g->point_y || f->width != g->width ||
            f->canvas_width != g->canvas_width || f->rest_len != g->rest_len || strcmp(f->name, g->name) != 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const lvl_ctx ctx = {.limits = {.cells = 1 << 20, .memory_bytes = 1 << 24}};
    const lvl_text text = {(const char *)data, size};
    char error[LVL_FRAMES_ERROR];
    lvl_image sheet = {0};
    lvl_frames frames, again;
    lvl_buffer list = {0};

    lvl_frames_probe(text);
    lvl_status status = lvl_frames_read(&frames, &ctx, text, error);
    if (status == LVL_OK)
        status = lvl_image_init(&sheet, &ctx, LVL_PIXELS_INDEX8, 64, 64, true);
    if (status == LVL_OK && lvl_frames_json(&frames, &sheet, "s.png", true, false, &list) == LVL_OK) {
        if (lvl_frames_read(&again, &ctx, (lvl_text){(const char *)list.data, list.len}, error) != LVL_OK)
            abort();
        compare(&frames, &again);
        lvl_frames_free(&again);
    }
    if (status == LVL_OK && lvl_frames_cut(&frames, &ctx, &sheet, error) == LVL_OK &&
        lvl_frames_untrim(&frames, &ctx) == LVL_OK)
        lvl_frames_trim(&frames, &ctx);
    lvl_buffer_free(&list);
    lvl_image_clear(&sheet);
    lvl_frames_free(&frames);
    return 0;
}
