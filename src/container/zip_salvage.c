/*
 * container/zip_salvage.c: see container/zip_salvage.h. Archives cut off by a broken transfer have no
 * directory; their members are found by the magic number of local headers.
 */
#include "container/zip_salvage.h"

#include "base/cursor.h"
#include "container/zip_parts.h"

#include <string.h>

enum { MAX_VERSION = 63 /* the last "version needed" in the zip specification */ };

/* Reserves space for one more member. */
static lvl_status grow_members(lvl_arena *arena, const lvl_ctx *ctx, lvl_zip *zip, uint32_t *cap)
{
    const uint64_t most = lvl_limits_of(ctx).items;

    if (zip->count == *cap) {
        const uint32_t more = *cap ? *cap * 2 : 64;
        lvl_zip_member *bigger = lvl_arena_array(arena, more, sizeof *bigger);
        if (!bigger)
            return LVL_ERR_MEMORY;
        if (*cap)
            memcpy(bigger, zip->members, (size_t)*cap * sizeof *bigger);
        zip->members = bigger;
        *cap = more;
    }
    return zip->count < most ? LVL_OK : lvl_refuse(ctx, LVL_LIMIT_ITEMS, most, (uint64_t)zip->count + 1);
}

/* Reads the local header at `m->at`, where the magic number is. False: these bytes are part of other data. */
static bool read_header(lvl_bytes in, lvl_zip_member *m, uint64_t *header, uint64_t *packed)
{
    const uint8_t *h = in.ptr + (size_t)m->at;
    const uint64_t left = in.len - m->at;

    *header = lvl_zip_header_size(h);
    /* an extra field that does not fit is ignored: it would hide the data and everything after it */
    if (*header > left)
        *header = LVL_ZIP_LOCAL_SIZE + (uint64_t)lvl_load_u16le(h + 26);
    if (*header > left) /* the name does not fit either */
        return false;
    *packed = lvl_load_u32le(h + 18);
    m->faults = LVL_ZIP_NO_ENTRY;
    m->method = lvl_load_u16le(h + 8);
    m->crc = lvl_load_u32le(h + 14);
    m->size = lvl_load_u32le(h + 22);
    m->name = (lvl_text){(const char *)h + LVL_ZIP_LOCAL_SIZE, lvl_load_u16le(h + 26)};
    if (lvl_load_u16le(h + 6) & LVL_ZIP_ENCRYPTED || (m->method != 0 && m->method != 8)) {
        m->faults |= LVL_ZIP_UNKNOWN;
        return lvl_load_u16le(h + 4) <= MAX_VERSION;
    }
    return true;
}

/* Whether the size of the data is only in the descriptor after them. */
static bool has_no_size(lvl_bytes in, const lvl_zip_member *m, uint64_t header, uint64_t packed)
{
    const uint16_t flags = lvl_load_u16le(in.ptr + (size_t)m->at + 6);

    return header < in.len - m->at && (flags & LVL_ZIP_DESCRIPTOR) && !packed &&
           !(m->faults & LVL_ZIP_UNKNOWN);
}

/* Finds the end of the data, and reads the descriptor after it. */
static lvl_status find_size(lvl_zip_search *s, lvl_bytes in, lvl_zip_member *m, uint64_t header,
                            uint64_t *packed)
{
    bool cut;

    const lvl_status status = lvl_zip_measure(s, in, in.len, m->at + header, m->method, packed, &cut);
    if (status != LVL_OK)
        return status;
    m->faults |= cut ? (unsigned)LVL_ZIP_CUT : 0;
    const lvl_bytes d = lvl_zip_cut(in, m->at + header + *packed, 16);
    if (!cut && d.len == 16 && lvl_load_u32le(d.ptr) == LVL_ZIP_DESCRIPTOR_MAGIC) {
        m->crc = lvl_load_u32le(d.ptr + 4);
        m->size = lvl_load_u32le(d.ptr + 12);
    }
    return LVL_OK;
}

lvl_status lvl_zip_list_locals(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip)
{
    lvl_zip_search s = lvl_zip_search_begin(ctx, in);
    uint32_t cap = 0;
    uint64_t at = 0;

    zip->salvaged = true;
    for (const uint8_t *p; (p = lvl_zip_find_magic(&s.work, in, at, LVL_ZIP_LOCAL_MAGIC));) {
        const uint64_t here = (uint64_t)(p - in.ptr);
        uint64_t header, packed;
        if (in.len - here < LVL_ZIP_LOCAL_SIZE)
            break;
        lvl_status status = grow_members(arena, ctx, zip, &cap);
        if (status != LVL_OK)
            return status;
        lvl_zip_member *m = &zip->members[zip->count];
        *m = (lvl_zip_member){.listed = zip->count, .at = here};
        if (!read_header(in, m, &header, &packed)) {
            at = here + 4;
            continue;
        }
        if (has_no_size(in, m, header, packed))
            status = find_size(&s, in, m, header, &packed);
        if (status != LVL_OK)
            return status;
        lvl_zip_cut_member(in, in.len, header, packed, m);
        at = here + m->local.len + m->packed.len + m->after.len;
        zip->count++;
        if (!lvl_work_charge(&s.work, (at - here) / 8 + 32))
            return s.work.status;
    }
    if (s.work.status != LVL_OK)
        return s.work.status;
    return zip->count ? LVL_OK : LVL_ERR_FORMAT;
}
