/*
 * container/zip_content.c: the content of zip members: all of it, the part that can be decoded, or the first
 * bytes.
 */
#include "container/zip.h"

#include "base/work.h"
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "base/buffer.h"

#include <string.h>

lvl_status lvl_zip_inflate(const lvl_ctx *ctx, const lvl_zip_member *member, lvl_buffer *storage,
                           lvl_bytes *content, bool *sound)
{
    const uint64_t most = lvl_memory_share(ctx);
    const uint64_t ratio = lvl_limits_of(ctx).inflate_ratio;
    lvl_work work = lvl_work_begin(ctx);

    storage->len = 0;
    storage->status = LVL_OK;
    *content = (lvl_bytes){NULL, 0};
    if (sound)
        *sound = false;
    if (member->faults & (LVL_ZIP_UNKNOWN | LVL_ZIP_SHARED))
        return LVL_ERR_UNSUPPORTED;
    if (member->faults & LVL_ZIP_NO_LOCAL)
        return LVL_ERR_MISSING;
    if (member->method == 0) {
        if (sound && !lvl_work_charge(&work, member->packed.len / 16)) /* the checksum */
            return work.status;
        *content = member->packed;
        if (sound)
            *sound = member->size == member->packed.len && lvl_crc32(member->packed) == member->crc;
        return LVL_OK;
    }
    const bool lies = lvl_inflate_impossible(member->packed.len, member->size, (uint32_t)ratio);
    if (member->size > most && !lies)
        return lvl_refuse(ctx, LVL_LIMIT_MEMORY, most, member->size);
    if (member->size < SIZE_MAX && !lies && lvl_buffer_reserve(storage, (size_t)member->size + 1)) {
        size_t len = 0, used = 0;
        const lvl_status status = lvl_inflate_wrapped(&work, LVL_WRAP_RAW, member->packed, storage->data,
                                                      (size_t)member->size, &used, &len);
        if (status == LVL_ERR_MEMORY || work.status != LVL_OK)
            return status;
        if (status == LVL_OK && len == member->size) {
            storage->len = len;
            *content = (lvl_bytes){storage->data, len};
            if (sound)
                *sound = used == member->packed.len && lvl_crc32(*content) == member->crc;
            return LVL_OK;
        }
    }
    if (storage->status != LVL_OK)
        return storage->status;
    /* broken, or the declared size is wrong: decode what is possible, up to the maximum ratio of deflate */
    uint64_t bound = member->packed.len < most / ratio ? (member->packed.len + 1) * ratio : most;
    lvl_inflate_report report;
    const lvl_status status = lvl_inflate_salvage(&work, LVL_WRAP_RAW, member->packed, storage,
                                                  bound < SIZE_MAX ? (size_t)bound : SIZE_MAX, &report);
    if (status != LVL_OK)
        return status;
    *content = (lvl_bytes){storage->data, storage->len};
    return report.end == LVL_INFLATE_FULL ? lvl_refuse(ctx, LVL_LIMIT_MEMORY, bound, 0) : LVL_OK;
}

size_t lvl_zip_head(const lvl_ctx *ctx, const lvl_zip_member *member, uint8_t *out, size_t size,
                    lvl_status *status)
{
    lvl_work work = lvl_work_begin(ctx);
    lvl_inflate_report report;

    if (member->faults & (LVL_ZIP_UNKNOWN | LVL_ZIP_NO_LOCAL | LVL_ZIP_SHARED))
        return 0;
    if (member->method == 0) {
        const size_t n = member->packed.len < size ? member->packed.len : size;
        if (n)
            memcpy(out, member->packed.ptr, n);
        return n;
    }
    const lvl_status done = lvl_inflate_salvage_into(&work, LVL_WRAP_RAW, member->packed, out, size, &report);
    if (done != LVL_OK) {
        *status = done;
        return 0;
    }
    return report.out_len;
}
