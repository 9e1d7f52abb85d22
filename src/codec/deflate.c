/*
 * codec/deflate.c: see codec/deflate.h. New streams are libdeflate's. zlib is here only to find out that it
 * made a stream, and to make it again.
 */
#include "codec/deflate.h"

#include "base/buffer.h"

#include <libdeflate.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

enum {
    GZIP_HEAD = 10,
    ZLIB_MEMORY = 8 /* deflateInit's own */
};

/* No name, no time, unknown system. */
static const uint8_t gzip_head[GZIP_HEAD] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF};

/* ---- one stream, by either library ------------------------------------------------------------------- */

static lvl_status add_libdeflate(lvl_wrap wrap, lvl_bytes in, int level, lvl_buffer *out)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);

    if (!c)
        return LVL_ERR_MEMORY;
    const size_t bound = wrap == LVL_WRAP_ZLIB ? libdeflate_zlib_compress_bound(c, in.len)
                                               : libdeflate_deflate_compress_bound(c, in.len);
    if (lvl_buffer_reserve(out, bound)) {
        uint8_t *to = out->data + out->len;
        out->len += wrap == LVL_WRAP_ZLIB ? libdeflate_zlib_compress(c, in.ptr, in.len, to, bound)
                                          : libdeflate_deflate_compress(c, in.ptr, in.len, to, bound);
    }
    libdeflate_free_compressor(c);
    return out->status;
}

static lvl_status add_zlib(lvl_wrap wrap, lvl_bytes in, int level, lvl_buffer *out)
{
    z_stream z = {0};
    int done = Z_OK;

    if (deflateInit2(&z, level, Z_DEFLATED, wrap == LVL_WRAP_ZLIB ? MAX_WBITS : -MAX_WBITS, ZLIB_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return LVL_ERR_MEMORY;
    z.next_in = (Bytef *)(uintptr_t)in.ptr;
    while (done == Z_OK && lvl_buffer_reserve(out, 1)) {
        if (!z.avail_in) {
            z.avail_in = in.len < UINT_MAX ? (uInt)in.len : UINT_MAX;
            in.len -= z.avail_in;
        }
        const size_t left = out->cap - out->len;
        z.next_out = out->data + out->len;
        z.avail_out = left < UINT_MAX ? (uInt)left : UINT_MAX;
        const uInt before = z.avail_out;
        done = deflate(&z, in.len ? Z_NO_FLUSH : Z_FINISH);
        out->len += before - z.avail_out;
    }
    deflateEnd(&z);
    return out->status;
}

static lvl_status add_stream(lvl_wrap wrap, lvl_bytes in, lvl_deflate_library library, int level,
                             lvl_buffer *out)
{
    const uint8_t nothing = 0;

    if (wrap == LVL_WRAP_GZIP)
        lvl_buffer_add(out, gzip_head, GZIP_HEAD);
    if (!in.len)
        in.ptr = &nothing; /* neither library takes NULL */
    const lvl_status status =
        library == LVL_DEFLATE_ZLIB ? add_zlib(wrap, in, level, out) : add_libdeflate(wrap, in, level, out);
    if (status == LVL_OK && wrap == LVL_WRAP_GZIP) {
        lvl_buffer_u32le(out, lvl_crc32(in));
        lvl_buffer_u32le(out, (uint32_t)in.len);
    }
    return status == LVL_OK ? out->status : status;
}

/* ---- streams ----------------------------------------------------------------------------------------- */

lvl_status lvl_deflate(lvl_wrap wrap, lvl_bytes in, lvl_buffer *out)
{
    return add_stream(wrap, in, LVL_DEFLATE_LIBDEFLATE, LVL_DEFLATE_LEVEL, out);
}

/* Whether a stream may be of that level, by what is before its data. */
static bool may_be(lvl_wrap wrap, lvl_bytes stream, int level)
{
    if (wrap == LVL_WRAP_GZIP)
        return stream.len > GZIP_HEAD && !memcmp(stream.ptr, gzip_head, GZIP_HEAD);
    /* the level in the header of RFC 1950 */
    return wrap == LVL_WRAP_RAW || (stream.len > 2 && stream.ptr[0] == 0x78 &&
                                    stream.ptr[1] == (level == LVL_DEFLATE_BEST ? 0xDA : 0x9C));
}

lvl_status lvl_deflate_find_maker(lvl_wrap wrap, lvl_bytes in, lvl_bytes stream, lvl_deflate_maker *maker)
{
    static const lvl_deflate_maker makers[] = {{LVL_DEFLATE_LIBDEFLATE, LVL_DEFLATE_LEVEL, 0},
                                               {LVL_DEFLATE_ZLIB, LVL_DEFLATE_LEVEL, 0},
                                               {LVL_DEFLATE_ZLIB, LVL_DEFLATE_BEST, 0}};
    lvl_status status = LVL_OK;
    lvl_buffer made = {0};

    *maker = (lvl_deflate_maker){0};
    for (size_t i = 0; i < sizeof makers / sizeof *makers && status == LVL_OK && !maker->library; i++) {
        if (!may_be(wrap, stream, makers[i].level))
            continue;
        made.len = 0;
        status = add_stream(wrap, in, makers[i].library, makers[i].level, &made);
        if (status == LVL_OK && made.len == stream.len && !memcmp(made.data, stream.ptr, made.len)) {
            *maker = makers[i];
            maker->crc = lvl_crc32(stream);
        }
    }
    lvl_buffer_free(&made);
    return status;
}

lvl_status lvl_deflate_as(lvl_wrap wrap, lvl_bytes in, const lvl_deflate_maker *maker, lvl_buffer *out,
                          bool *same)
{
    const size_t from = out->len;

    *same = false;
    if (!maker->library || maker->level < 1 || maker->level > LVL_DEFLATE_BEST)
        return LVL_ERR_ARG;
    const lvl_status status = add_stream(wrap, in, maker->library, maker->level, out);
    *same = status == LVL_OK && lvl_crc32((lvl_bytes){out->data + from, out->len - from}) == maker->crc;
    if (!*same)
        out->len = from;
    return status;
}

/* ---- checksum ---------------------------------------------------------------------------------------- */

uint32_t lvl_crc32(lvl_bytes in)
{
    return in.len ? libdeflate_crc32(0, in.ptr, in.len) : 0;
}
