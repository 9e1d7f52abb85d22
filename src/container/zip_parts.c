/*
 * container/zip_parts.c: see container/zip_parts.h.
 */
#include "container/zip_parts.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/work.h"
#include "codec/inflate.h"

#include <string.h>

/* ---- one member -------------------------------------------------------------------------------------- */

lvl_bytes lvl_zip_cut(lvl_bytes in, uint64_t at, uint64_t len)
{
    if (at > in.len)
        at = in.len;
    if (len > in.len - at)
        len = in.len - at;
    return (lvl_bytes){in.ptr + (size_t)at, (size_t)len};
}

uint64_t lvl_zip_header_size(const uint8_t *h)
{
    return LVL_ZIP_LOCAL_SIZE + (uint64_t)lvl_load_u16le(h + 26) + lvl_load_u16le(h + 28);
}

/* Whether a local header is plain: see zip.h. */
static bool is_plain_local(const uint8_t *h, size_t len)
{
    static const uint8_t like[26] = {'P', 'K', 3, 4, 20, 0, 8, 0, 8};
    const unsigned flags = lvl_load_u16le(h + 6);

    if (lvl_load_u16le(h + 28) || len != LVL_ZIP_LOCAL_SIZE + (size_t)lvl_load_u16le(h + 26))
        return false;
    if (memcmp(h, like, 6) != 0 || memcmp(h + 8, like + 8, 18) != 0)
        return false;
    return flags ==
           lvl_zip_plain_flags((lvl_text){(const char *)h + LVL_ZIP_LOCAL_SIZE, len - LVL_ZIP_LOCAL_SIZE});
}

lvl_bytes lvl_zip_find_descriptor(lvl_bytes in, uint64_t at, uint32_t crc, uint64_t packed)
{
    const lvl_bytes rest = lvl_zip_cut(in, at, 24);
    const size_t mark = rest.len >= 4 && lvl_load_u32le(rest.ptr) == LVL_ZIP_DESCRIPTOR_MAGIC ? 4 : 0;
    const uint8_t *p = rest.ptr + mark;

    if (rest.len < mark + 12)
        return lvl_zip_cut(in, at, 0);
    const bool fits = lvl_load_u32le(p + 4) == (uint32_t)packed;
    if (!mark && (lvl_load_u32le(p) != crc || !fits))
        return lvl_zip_cut(in, at, 0);
    const bool wide =
        rest.len >= mark + 20 && fits && packed && lvl_load_u32le(p + 8) == 0 && lvl_load_u32le(p + 16) == 0;
    return lvl_zip_cut(in, at, mark + (wide ? 20 : 12));
}

void lvl_zip_cut_member(lvl_bytes in, uint64_t limit, uint64_t header, uint64_t packed, lvl_zip_member *m)
{
    const uint8_t *h = in.ptr + (size_t)m->at;

    if (header > limit - m->at) {
        m->faults |= LVL_ZIP_CUT;
        m->local = lvl_zip_cut(in, m->at, limit - m->at);
        m->packed = m->after = lvl_zip_cut(in, limit, 0);
        return;
    }
    m->local = lvl_zip_cut(in, m->at, header);
    if (packed > limit - m->at - header) {
        m->faults |= LVL_ZIP_CUT;
        packed = limit - m->at - header;
    }
    m->packed = lvl_zip_cut(in, m->at + header, packed);
    m->after = lvl_zip_cut(in, m->at + header + packed, 0);
    if (lvl_load_u16le(h + 6) & LVL_ZIP_DESCRIPTOR)
        m->after =
            lvl_zip_find_descriptor(lvl_zip_cut(in, 0, limit), m->at + header + packed, m->crc, packed);
    m->plain_local = is_plain_local(h, (size_t)header);
    m->plain_after = m->after.len == 16 && lvl_load_u32le(m->after.ptr + 4) == m->crc &&
                     lvl_load_u32le(m->after.ptr + 8) == packed &&
                     lvl_load_u32le(m->after.ptr + 12) == m->size;
}

/* ---- where data ends --------------------------------------------------------------------------------- */

const uint8_t *lvl_zip_find_magic(lvl_work *work, lvl_bytes in, uint64_t from, uint32_t magic)
{
    const uint64_t start = from;
    const uint8_t *found = NULL;

    while (from + 4 <= in.len && !found) {
        const uint8_t *p = memchr(in.ptr + (size_t)from, 'P', in.len - (size_t)from - 3);
        if (p && lvl_load_u32le(p) == magic)
            found = p;
        from = p ? (uint64_t)(p - in.ptr) + 1 : in.len;
    }
    return lvl_work_charge(work, (from - start) / 4 + 1) ? found : NULL;
}

lvl_zip_search lvl_zip_search_begin(const lvl_ctx *ctx, lvl_bytes in)
{
    return (lvl_zip_search){.work = lvl_work_begin(ctx), .left = in.len};
}

lvl_status lvl_zip_measure(lvl_zip_search *s, lvl_bytes in, uint64_t limit, uint64_t at, uint16_t method,
                           uint64_t *packed, bool *cut)
{
    const lvl_bytes before = lvl_zip_cut(in, 0, limit);

    if (method == 8) {
        lvl_inflate_report report;
        lvl_buffer out = {0};
        const uint64_t most = lvl_memory_share(s->work.ctx);
        const lvl_status status =
            lvl_inflate_salvage(&s->work, LVL_WRAP_RAW, lvl_zip_cut(before, at, before.len), &out,
                                most < SIZE_MAX ? (size_t)most : SIZE_MAX, &report);
        lvl_buffer_free(&out);
        *packed = report.in_used;
        *cut = report.end != LVL_INFLATE_DONE;
        return status;
    }
    const uint8_t *next = lvl_zip_find_magic(&s->work, before, at, LVL_ZIP_LOCAL_MAGIC);
    *packed = next ? (uint64_t)(next - in.ptr) - at : before.len - at;
    *cut = true;
    return s->work.status;
}
