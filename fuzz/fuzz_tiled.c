/*
 * libFuzzer target: maps of Tiled, of any kind and format. What a map gives can be written, and made a map
 * again, which gives the same level.
 */
#include "fuzz_format.h"

#include <lvl/tiled.h>
#include <stdlib.h>
#include <string.h>

static void fail_unless(bool good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"wwd", "nw", "graal", "sketchy"};
    const lvl_tiled_options options = {.no_pictures = true, .json = size % 2 != 0};
    lvl_doc *doc = NULL, *again = NULL;
    lvl_tiled_files *files = NULL;
    lvl_buffer out = {0}, second = {0};
    bool changed = false;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 64 << 20;
    ctx.limits.cells = 1 << 20;
    ctx.limits.items = 1 << 16;
    const lvl_tiled_read_options read = {.format = lvl_format_find(formats[size % 4])};
    if (lvl_tiled_read(&doc, &ctx, (lvl_bytes){data, size}, &read, &changed, NULL) == LVL_OK &&
        lvl_doc_write(doc, &out) == LVL_OK && lvl_tiled_write(doc, &options, &files, NULL) == LVL_OK) {
        const lvl_bytes map = lvl_tiled_files_at(files, 0)->bytes;
        if (lvl_tiled_read(&again, &ctx, map, NULL, &changed, NULL) == LVL_OK) {
            fail_unless(!changed);
            fail_unless(lvl_doc_write(again, &second) == LVL_OK);
            fail_unless(second.len == out.len && (!out.len || !memcmp(second.data, out.data, out.len)));
        }
    }
    lvl_tiled_files_free(files);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_buffer_free(&out);
    lvl_buffer_free(&second);
    return 0;
}
