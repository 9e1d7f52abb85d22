/*
 * codec/deflate.c: zlib streams written, and checksums.
 */
#include "codec/deflate.h"

#include <libdeflate.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

lvl_status lvl_deflate_zlib(lvl_bytes in, lvl_deflate_style style, lvl_buffer *out)
{
    z_stream z;
    size_t given = 0;
    int code = Z_OK;

    memset(&z, 0, sizeof z);
    if (deflateInit(&z, style == LVL_DEFLATE_LEVEL9 ? 9 : 6) != Z_OK)
        return LVL_ERR_MEMORY;
    while (code != Z_STREAM_END) {
        if (!lvl_buffer_reserve(out, 4096))
            break;
        if (!z.avail_in) {
            size_t next = in.len - given < INT_MAX ? in.len - given : INT_MAX;
            z.next_in = next ? (z_const Bytef *)(uintptr_t)(in.ptr + given) : NULL;
            z.avail_in = (uInt)next;
            given += next;
        }
        size_t room = out->cap - out->len < INT_MAX ? out->cap - out->len : INT_MAX;
        z.next_out = out->data + out->len;
        z.avail_out = (uInt)room;
        code = deflate(&z, given == in.len ? Z_FINISH : Z_NO_FLUSH);
        out->len += room - z.avail_out;
    }
    deflateEnd(&z);
    return out->status;
}

uint32_t lvl_adler32(lvl_bytes in)
{
    return in.len ? libdeflate_adler32(1, in.ptr, in.len) : 1;
}

uint32_t lvl_crc32(lvl_bytes in)
{
    return in.len ? libdeflate_crc32(0, in.ptr, in.len) : 0;
}
