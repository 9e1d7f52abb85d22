/*
 * tiled/read.c: maps and tilesets, whichever kind of file they come in.
 */
#include "tiled/map.h"

static bool is_json(lvl_bytes bytes)
{
    size_t i = 0;

    while (i < bytes.len &&
           (bytes.ptr[i] == ' ' || bytes.ptr[i] == '\n' || bytes.ptr[i] == '\r' || bytes.ptr[i] == '\t'))
        i++;
    return i < bytes.len && bytes.ptr[i] == '{';
}

static bool has(lvl_bytes bytes, const char *word)
{
    const size_t len = strlen(word);

    for (size_t i = 0; i + len <= bytes.len; i++) {
        if (bytes.ptr[i] == (uint8_t)word[0] && memcmp(bytes.ptr + i, word, len) == 0)
            return true;
    }
    return false;
}

bool lvl_tiled_is_map(lvl_bytes bytes)
{
    enum { HEAD = 4096 };
    const lvl_bytes head = {bytes.ptr, bytes.len < HEAD ? bytes.len : HEAD};

    if (!is_json(bytes))
        return has(head, "<map ") && has(head, "orientation=");
    /* Tiled sorts keys: what says so may come at the end */
    const lvl_bytes tail = {bytes.ptr + (bytes.len - head.len), head.len};
    return !has(head, "\"lvl\":") && (has(head, "\"type\":\"map\"") || has(tail, "\"type\":\"map\"") ||
                                      (has(head, "\"tilewidth\"") && has(head, "\"layers\"")));
}

lvl_status tiled_read_set(tiled_map *map, tiled_set *set, const lvl_tiled_read_options *options,
                          lvl_findings *findings)
{
    lvl_buffer file = {.max = lvl_memory_share(map->ctx)};
    lvl_status status = LVL_ERR_MISSING;

    if (options && options->fetch)
        status = options->fetch(options->user, set->source.ptr, &file);
    if (status == LVL_OK)
        status = file.status;
    const lvl_bytes bytes = {file.data, file.len};
    if (status == LVL_OK)
        status = is_json(bytes) ? tiled_read_tsj(map, set, bytes, findings)
                                : tiled_read_tsx(map, set, bytes, findings);
    lvl_buffer_free(&file);
    /* only a cell or object that uses it makes a missing set an error */
    return status == LVL_ERR_MISSING || status == LVL_ERR_IO ? LVL_OK : status;
}

lvl_status tiled_read(tiled_map **out, const lvl_ctx *ctx, lvl_bytes bytes,
                      const lvl_tiled_read_options *options, lvl_findings *findings)
{
    tiled_map *map = tiled_map_new(ctx);

    *out = NULL;
    if (!map)
        return LVL_ERR_MEMORY;
    const lvl_status status = is_json(bytes) ? tiled_read_tmj(map, bytes, options, findings)
                                             : tiled_read_tmx(map, bytes, options, findings);
    if (status != LVL_OK) {
        tiled_map_free(map);
        return status;
    }
    *out = map;
    return LVL_OK;
}
