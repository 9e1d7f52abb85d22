/*
 * tiled/decode.c: decodes the cells of a layer: CSV, or base64 of uncompressed, zlib, gzip or zstd data.
 */
#include "base/text.h"
#include "base/cursor.h"
#include "codec/inflate.h"
#include "base/work.h"
#include "codec/json.h"
#include "tiled/map.h"

#include <stdlib.h>

#ifdef LVL_HAVE_ZSTD
#include <zstd.h>
#endif

static lvl_status report_bad(lvl_findings *findings, const char *text)
{
    lvl_fault_add(findings, LVL_FAULT_MAP, "cells of a layer: %s", text);
    return LVL_ERR_FORMAT;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Allocates the cells, at most `most`, the number that the text can hold. */
static lvl_status allocate_cells(tiled_map *map, tiled_block *block, uint64_t most, lvl_findings *findings)
{
    const uint64_t count = (uint64_t)block->width * block->height;

    if (count > most)
        return report_bad(findings, "there are fewer than width and height say");
    if (count > lvl_limits_of(map->ctx).cells)
        return lvl_refuse(map->ctx, LVL_LIMIT_CELLS, lvl_limits_of(map->ctx).cells, count);
    block->cells = lvl_arena_array(&map->arena, (size_t)count, sizeof *block->cells);
    return block->cells ? LVL_OK : LVL_ERR_MEMORY;
}

static lvl_status decode_csv(tiled_map *map, tiled_block *block, lvl_text text, lvl_findings *findings)
{
    lvl_status status = allocate_cells(map, block, text.len / 2 + 1, findings);
    const size_t count = (size_t)block->width * block->height;
    const char *p = text.ptr, *end = text.ptr + text.len;

    while (p < end && is_blank(*p))
        p++;
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        uint64_t v = 0;
        const char *from = p;
        for (; p < end && *p >= '0' && *p <= '9' && v <= UINT32_MAX; p++)
            v = v * 10 + (uint64_t)(*p - '0');
        if (p == from || v > UINT32_MAX)
            return report_bad(findings,
                              "expected numbers with commas between them, as many as width and height say");
        block->cells[i] = (uint32_t)v;
        while (p < end && (is_blank(*p) || *p == ','))
            p++;
    }
    return status != LVL_OK || p == end ? status
                                        : report_bad(findings, "there are more than width and height say");
}

static lvl_status inflate_zstd(lvl_bytes in, uint8_t *out, size_t size, lvl_findings *findings)
{
#ifdef LVL_HAVE_ZSTD
    const size_t got = ZSTD_decompress(out, size, in.ptr, in.len);
    return got == size ? LVL_OK : report_bad(findings, "broken zstd data");
#else
    (void)in;
    (void)out;
    (void)size;
    return report_bad(findings, "this lvl was built without zstd; choose another tile layer format in Tiled "
                                "(Map > Map Properties)");
#endif
}

static lvl_status inflate(tiled_map *map, tiled_block *block, lvl_bytes in, lvl_text compression,
                          lvl_findings *findings)
{
    const uint64_t size = (uint64_t)block->width * block->height * 4;
    const bool zstd = lvl_text_is(compression, "zstd");
    size_t used = 0, got = 0;
    lvl_work work = lvl_work_begin(map->ctx);
    lvl_status status;

    if (!zstd && lvl_inflate_impossible(in.len, size, LVL_INFLATE_MAX_RATIO))
        return report_bad(findings, "there are fewer than width and height say");
#ifdef LVL_HAVE_ZSTD
    if (zstd) { /* a frame has the size of its content, unless it was written as a stream */
        const unsigned long long held = ZSTD_getFrameContentSize(in.ptr, in.len);
        if (held == ZSTD_CONTENTSIZE_ERROR || (held != ZSTD_CONTENTSIZE_UNKNOWN && held != size))
            return report_bad(findings, "broken zstd data, or not as many as width and height say");
    }
#endif
    status = allocate_cells(map, block, UINT64_MAX, findings);
    if (status != LVL_OK)
        return status;
    uint8_t *out = (uint8_t *)block->cells;
    if (zstd)
        return inflate_zstd(in, out, (size_t)size, findings);
    if (lvl_text_is(compression, "zlib") || lvl_text_is(compression, "gzip")) {
        const lvl_wrap wrap = lvl_text_is(compression, "zlib") ? LVL_WRAP_ZLIB : LVL_WRAP_GZIP;
        status = lvl_inflate_wrapped(&work, wrap, in, out, (size_t)size, &used, &got);
        if (status == LVL_ERR_MEMORY || work.status != LVL_OK)
            return status;
        return status == LVL_OK && got == size ? LVL_OK : report_bad(findings, "broken compressed data");
    }
    return report_bad(findings, "unknown compression");
}

static lvl_status decode_base64(tiled_map *map, tiled_block *block, lvl_text text, lvl_text compression,
                                lvl_findings *findings)
{
    const uint64_t count = (uint64_t)block->width * block->height;
    lvl_status status = LVL_OK;
    size_t size = 0;

    while (text.len && is_blank(*text.ptr)) {
        text.ptr++;
        text.len--;
    }
    while (text.len && is_blank(text.ptr[text.len - 1]))
        text.len--;
    if (!lvl_base64_size(text, &size))
        return report_bad(findings, "invalid base64");
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        return LVL_ERR_MEMORY;
    if (!lvl_base64_decode(text, bytes)) {
        status = report_bad(findings, "invalid base64");
    } else if (compression.len) {
        status = inflate(map, block, (lvl_bytes){bytes, size}, compression, findings);
    } else if (size != count * 4) {
        status = report_bad(findings, "there are not as many as width and height say");
    } else {
        status = allocate_cells(map, block, size / 4, findings);
        if (status == LVL_OK && size)
            memcpy(block->cells, bytes, size);
    }
    for (uint64_t i = 0; i < count && status == LVL_OK; i++) {
        const uint8_t *p = (const uint8_t *)(block->cells + i);
        block->cells[i] = lvl_load_u32le(p);
    }
    free(bytes);
    return status;
}

lvl_status tiled_decode(tiled_map *map, tiled_block *block, lvl_text text, lvl_text encoding,
                        lvl_text compression, lvl_findings *findings)
{
    lvl_status status = lvl_charge(map->ctx, text.len);

    if (status != LVL_OK)
        return status;
    if (!text.len)
        text.ptr = "";
    if (lvl_text_is(encoding, "csv"))
        return decode_csv(map, block, text, findings);
    if (lvl_text_is(encoding, "base64"))
        return decode_base64(map, block, text, compression, findings);
    return report_bad(findings, "unknown encoding; expected csv or base64");
}
