/*
 * wap32/wwd/stream.c: inflates the main block, damaged or not.
 */
#include "wap32/wwd/stream.h"

#include "base/cursor.h"
#include "base/work.h"

#include <string.h>

bool lvl_wwd_is_zlib(lvl_bytes bytes)
{
    return bytes.len >= 2 && (bytes.ptr[0] & 0x8F) == 0x08 && !(bytes.ptr[1] & 0x20) &&
           (bytes.ptr[0] << 8 | bytes.ptr[1]) % 31 == 0;
}

bool lvl_wwd_is_packed(const lvl_wwd *header, lvl_bytes bytes)
{
    const bool flag = (header->flags & LVL_WWD_COMPRESS) != 0, zlib = lvl_wwd_is_zlib(bytes);
    const bool stored = bytes.len >= LVL_WWD_PLANE_SIZE && lvl_load_u32le(bytes.ptr) == LVL_WWD_PLANE_SIZE;

    if (flag == zlib || zlib == stored)
        return flag;
    /* all known writers set the size */
    return zlib && header->inflated_size;
}

/* Inflates as much as possible of a stream that libdeflate rejects, or whose size is unknown. Its two header
 * bytes are ignored. */
static lvl_status salvage(lvl_work *work, lvl_bytes stream, lvl_buffer *out, size_t max,
                          lvl_inflate_report *report)
{
    lvl_status status = lvl_inflate_salvage(work, LVL_WRAP_ZLIB, stream, out, max, report);

    if (status != LVL_OK || report->end != LVL_INFLATE_BAD_HEADER || stream.len < 2)
        return status;
    const lvl_bytes data = {stream.ptr + 2, stream.len - 2};
    status = lvl_inflate_salvage(work, LVL_WRAP_RAW, data, out, max, report);
    report->in_used += 2;
    if (report->end == LVL_INFLATE_DONE)
        report->end = LVL_INFLATE_BAD_HEADER;
    return status;
}

lvl_status lvl_wwd_inflate_block(lvl_doc *doc, lvl_bytes stream, uint32_t declared, lvl_bytes *block,
                                 lvl_inflate_report *report)
{
    const lvl_limits limits = lvl_limits_of(doc->ctx);
    lvl_work work = lvl_work_begin(doc->ctx);
    lvl_buffer grown = {0};

    memset(report, 0, sizeof *report);
    if (declared && !lvl_inflate_impossible(stream.len, declared, limits.inflate_ratio)) {
        uint8_t *out = lvl_arena_raw(&doc->arena, declared);
        if (!out)
            return lvl_arena_status(&doc->arena, LVL_ERR_MEMORY);
        lvl_status status =
            lvl_inflate_zlib(&work, stream, out, declared, &report->in_used, &report->out_len);
        if (status == LVL_OK) {
            block->ptr = out;
            block->len = report->out_len;
        }
        if (status == LVL_OK || status == LVL_ERR_MEMORY || work.status != LVL_OK)
            return status;
    }
    lvl_status status = salvage(&work, stream, &grown, lvl_memory_share(doc->ctx), report);
    if (status == LVL_OK) {
        block->ptr = lvl_arena_copy(&doc->arena, grown.data, grown.len);
        block->len = grown.len;
        if (!block->ptr)
            status = lvl_arena_status(&doc->arena, LVL_ERR_MEMORY);
        else if (report->end == LVL_INFLATE_FULL)
            status = lvl_refuse(doc->ctx, LVL_LIMIT_MEMORY, lvl_memory_share(doc->ctx), 0);
    }
    lvl_buffer_free(&grown);
    return status;
}
