/*
 * sketchy/chunks/codec.c: pixels of a chunk, decoded and encoded.
 *
 *     runs      01, then index, count, …: row by row from the chunk's top left px, across row ends; 65535 is
 *               an empty px; px missing at the end are empty
 *     map       00, then x, y, index, …: x and y zig-zag, of the world
 *     base64    {"type":0,"data":"…"}: the entries of a map, without the 00
 *     json      {"type":0,"data":{"x,y":index,…}}
 *
 * Known wrong values: the game's run writer omits a last run of one px; its base64 reader adds px 0,0 to
 * every chunk ("phantom"), which a later save as a map writes to the file.
 */
#include "sketchy/chunks/parts.h"

#include "base/text.h"

#include <stdlib.h>

int lvl_chunk_encoding(lvl_bytes stream)
{
    if (!stream.len)
        return -1;
    switch (stream.ptr[0]) {
    case LVL_CHUNK_TYPE_MAP: return LVL_SKETCHY_CHUNK_MAP;
    case LVL_CHUNK_TYPE_RUNS: return LVL_SKETCHY_CHUNK_RUNS;
    case '{': break;
    default: return -1;
    }
    return lvl_chunk_has_base64(stream) ? LVL_SKETCHY_CHUNK_BASE64 : LVL_SKETCHY_CHUNK_JSON;
}

static lvl_status decode(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                         lvl_chunk_report *report, lvl_buffer *foreign)
{
    lvl_chunk_report own;
    lvl_chunk_canvas c = {grid,        (int64_t)place->x * place->size, (int64_t)place->y * place->size,
                          place->size, report ? report : &own,          foreign};
    lvl_status status = LVL_OK;

    lvl_chunk_clear_report(c.report);
    if (encoding == LVL_SKETCHY_CHUNK_RUNS && stream.len && stream.ptr[0] == LVL_CHUNK_TYPE_RUNS) {
        lvl_chunk_decode_runs(&c, (lvl_bytes){stream.ptr + 1, stream.len - 1});
        return LVL_OK;
    }
    lvl_chunk_fill(grid, LVL_SKETCHY_NONE, (size_t)place->size * place->size);
    if (encoding == LVL_SKETCHY_CHUNK_MAP && stream.len && stream.ptr[0] == LVL_CHUNK_TYPE_MAP)
        lvl_chunk_decode_map(&c, (lvl_bytes){stream.ptr + 1, stream.len - 1});
    else if (encoding == LVL_SKETCHY_CHUNK_JSON || encoding == LVL_SKETCHY_CHUNK_BASE64)
        status = lvl_chunk_decode_json(&c, stream);
    else
        status = LVL_ERR_FORMAT;
    c.report->bad = status == LVL_ERR_FORMAT;
    return status;
}

lvl_status lvl_chunk_decode(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                            lvl_chunk_report *report)
{
    return decode(encoding, stream, place, grid, report, NULL);
}

lvl_status lvl_chunk_foreign(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                             lvl_chunk_report *report, lvl_buffer *out)
{
    const lvl_status status = decode(encoding, stream, place, grid, report, out);

    return status == LVL_OK ? out->status : status;
}

lvl_status lvl_chunk_describe(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place,
                              const uint8_t *grid, bool *out)
{
    const size_t size = (size_t)place->size * place->size * 2;
    const bool text = lvl_chunk_is_text(encoding);
    int is = lvl_chunk_encoding(stream);

    *out = false;
    if (is >= 0 && lvl_chunk_is_text((unsigned)is) != text) /* a member's name decides which of the two */
        is = text ? LVL_SKETCHY_CHUNK_JSON : LVL_SKETCHY_CHUNK_MAP;
    if (is >= 0 && is != (int)encoding)
        return LVL_OK;
    uint8_t *decoded = malloc(size + 1);
    if (!decoded)
        return LVL_ERR_MEMORY;
    const lvl_status status = lvl_chunk_decode(encoding, stream, place, decoded, NULL);
    if (status == LVL_ERR_FORMAT)
        lvl_chunk_fill(decoded, LVL_SKETCHY_NONE, size / 2);
    *out = status != LVL_ERR_MEMORY && !memcmp(decoded, grid, size);
    free(decoded);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

lvl_status lvl_chunk_encode(unsigned encoding, const uint8_t *grid, const lvl_chunk_place *place,
                            const lvl_buffer *foreign, lvl_buffer *out)
{
    lvl_buffer entries = {0};

    if (!place->size || place->size > LVL_CHUNK_MAX_SIZE)
        return LVL_ERR_ARG;
    if (encoding == LVL_SKETCHY_CHUNK_RUNS && foreign->len)
        return LVL_ERR_LOSS;
    switch (encoding) {
    case LVL_SKETCHY_CHUNK_RUNS: lvl_chunk_encode_runs(grid, place->size, out); break;
    case LVL_SKETCHY_CHUNK_JSON: lvl_chunk_encode_json(grid, place, foreign, out); break;
    case LVL_SKETCHY_CHUNK_MAP:
        lvl_buffer_u8(out, LVL_CHUNK_TYPE_MAP);
        lvl_chunk_encode_map(grid, place, foreign, out);
        break;
    case LVL_SKETCHY_CHUNK_BASE64:
        lvl_chunk_encode_map(grid, place, foreign, &entries);
        lvl_buffer_str(out, "{\"type\":0,\"data\":\"");
        if (entries.status == LVL_OK)
            lvl_base64_encode(out, (lvl_bytes){entries.data, entries.len});
        lvl_buffer_str(out, "\"}");
        if (entries.status != LVL_OK && out->status == LVL_OK)
            out->status = entries.status;
        lvl_buffer_free(&entries);
        break;
    default: return LVL_ERR_ARG;
    }
    return out->status;
}
