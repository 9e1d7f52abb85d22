/*
 * libFuzzer target: maps of Tiled, of any kind and format, and levels. A level made from a map can be
 * written; a map made from it gives the same level again. In an input, the files to which a map refers follow
 * it, each after a NUL.
 */
#include "base/format.h"
#include "fuzz_docs.h"
#include "fuzz_format.h"

#include <lvl/tiled.h>
#include <stdlib.h>
#include <string.h>

static void fail_unless(bool good)
{
    if (!good)
        abort();
}

/* Every name refers to one of the files after the map. */
static lvl_status fetch(void *user, const char *name, lvl_buffer *out)
{
    lvl_bytes rest = *(const lvl_bytes *)user;

    for (uint32_t skip = lvl_fuzz_hash((const uint8_t *)name, strlen(name)) % 3;; skip--) {
        const uint8_t *end = rest.len ? memchr(rest.ptr, 0, rest.len) : NULL;
        if (!rest.len)
            return LVL_ERR_MISSING;
        const size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        if (!skip || !end) {
            lvl_buffer_add(out, rest.ptr, len);
            return out->status;
        }
        rest = (lvl_bytes){end + 1, rest.len - len - 1};
    }
}

/* The map of a document, converted back, gives the document. */
static void turn(const lvl_doc *doc, const lvl_ctx *ctx, uint32_t choice)
{
    const lvl_tiled_options options = {.no_pictures = choice % 4 != 0, .json = choice / 4 % 2 != 0};
    lvl_buffer out = {0}, second = {0};
    lvl_tiled_files *files = NULL;
    lvl_doc *again = NULL;
    bool changed = true;

    if (lvl_doc_write(doc, &out) == LVL_OK && lvl_tiled_write(doc, &options, &files, NULL) == LVL_OK) {
        const lvl_bytes map = files->items[0].bytes;
        const lvl_status status = lvl_tiled_read(&again, ctx, map, NULL, &changed, NULL);
        fail_unless(status == LVL_OK || status == LVL_ERR_LIMIT || status == LVL_ERR_MEMORY);
        if (status == LVL_OK) {
            fail_unless(!changed);
            fail_unless(lvl_doc_write(again, &second) == LVL_OK);
            fail_unless(second.len == out.len && (!out.len || !memcmp(second.data, out.data, out.len)));
        }
    }
    lvl_tiled_files_free(files);
    lvl_doc_free(again);
    lvl_buffer_free(&out);
    lvl_buffer_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"wwd", "nw", "graal", "sketchy"};
    const uint32_t choice = lvl_fuzz_hash(data, size);
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    const lvl_bytes all = {data, size}, map = {data, end ? (size_t)(end - data) : size};
    lvl_bytes files = {end ? end + 1 : NULL, end ? size - map.len - 1 : 0};
    lvl_doc *doc = NULL;
    bool changed;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 64 << 20;
    ctx.limits.cells = 1 << 20;
    ctx.limits.items = 1 << 16;
    const lvl_tiled_read_options read = {.format = lvl_format_find(formats[choice / 8 % 4]),
                                         .fetch = fetch,
                                         .user = &files,
                                         .tileset_is = choice / 32 % 2 ? "pics1.png" : NULL,
                                         .allow_loss = choice / 64 % 2,
                                         .has_empty_is = choice / 128 % 2};
    const lvl_status status = lvl_tiled_is_map(map) ? lvl_tiled_read(&doc, &ctx, map, &read, &changed, NULL)
                                                    : lvl_read(&doc, &ctx, NULL, all, NULL, 0, NULL);
    if (status == LVL_OK)
        turn(doc, &ctx, choice);
    lvl_doc_free(doc);
    return 0;
}
