/*
 * container/zip.c: reads zip archives by their directory (zip_directory.c) or, if there is none, by the local
 * headers of members (zip_salvage.c). Content is read in zip_content.c.
 *
 * Layout: members, each a local header (30 bytes, name, extra field), data, and with flag bit 3 a data
 * descriptor (12 or 16 bytes); then the directory, an entry (46 bytes, name, extra field, comment) for each
 * member; then the end record (22 bytes, comment). Little-endian. Known wrong values: Go leaves sizes and
 * checksum of the local header 0 (bit 3); archives cut by a broken transfer have no directory; a directory
 * may list a member twice, or one that does not exist.
 */
#include "container/zip.h"

#include "base/cursor.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "container/zip_directory.h"
#include "container/zip_parts.h"
#include "container/zip_salvage.h"

#include <stdlib.h>
#include <string.h>

bool lvl_zip_probe(lvl_bytes head)
{
    return head.len >= 4 && lvl_load_u32le(head.ptr) == LVL_ZIP_LOCAL_MAGIC;
}

bool lvl_zip_holds(lvl_bytes in)
{
    lvl_work work = lvl_work_begin(NULL);

    for (const uint8_t *p = in.ptr;
         (p = lvl_zip_find_magic(&work, in, (uint64_t)(p - in.ptr), LVL_ZIP_LOCAL_MAGIC)); p += 4) {
        const uint64_t rest = in.len - (uint64_t)(p - in.ptr);
        if (rest > LVL_ZIP_LOCAL_SIZE && lvl_zip_header_size(p) <= rest && lvl_load_u16le(p + 4) <= 63 &&
            (lvl_load_u16le(p + 8) == 0 || lvl_load_u16le(p + 8) == 8))
            return true;
    }
    return false;
}

/* ---- the order of members ---------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b)
{
    const lvl_zip_member *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->listed > y->listed) - (x->listed < y->listed);
}

static int by_name(const void *a, const void *b)
{
    const lvl_zip_member *x = *(const lvl_zip_member *const *)a, *y = *(const lvl_zip_member *const *)b;
    const int d = lvl_text_compare(x->name, y->name);

    return d ? d : (x > y) - (x < y);
}

/* The members sorted by name; NULL: out of memory. */
static const lvl_zip_member **sort_names(const lvl_zip_member *members, uint32_t count)
{
    const lvl_zip_member **names = malloc(((size_t)count + 1) * sizeof *names);

    for (uint32_t i = 0; names && i < count; i++)
        names[i] = &members[i];
    if (names)
        qsort(names, count, sizeof *names, by_name);
    return names;
}

/* Sorts the members, and finds the bytes between them, overlaps and duplicate names. */
static lvl_status sort_members(lvl_zip *zip, lvl_bytes in, uint64_t end)
{
    uint64_t at = 0, shared = 0;

    qsort(zip->members, zip->count, sizeof *zip->members, by_offset);
    zip->in_order = true;
    for (uint32_t i = 0; i < zip->count; i++) {
        lvl_zip_member *m = &zip->members[i];
        if (m->listed != i)
            zip->in_order = false;
        if (m->faults & LVL_ZIP_NO_LOCAL)
            continue;
        if (m->at < at) {
            m->faults |= LVL_ZIP_OVERLAPS;
            shared += m->packed.len;
            /* otherwise a small file could take very long to inflate */
            if (shared > in.len)
                m->faults |= LVL_ZIP_SHARED;
        } else {
            m->before = lvl_zip_cut(in, at, m->at - at);
        }
        const uint64_t stop = m->at + m->local.len + m->packed.len + m->after.len;
        at = stop > at ? stop : at;
    }
    zip->gap = lvl_zip_cut(in, at, end > at ? end - at : 0);
    const lvl_zip_member **names = sort_names(zip->members, zip->count);
    if (!names)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 1; i < zip->count; i++) {
        if (lvl_text_equal(names[i]->name, names[i - 1]->name))
            zip->members[names[i] - zip->members].faults |= LVL_ZIP_DOUBLE;
    }
    free(names);
    return LVL_OK;
}

/* ---- members that the directory does not reach ------------------------------------------------------- */

/* The first member with that name in a list sorted by_name; NULL: none. */
static const lvl_zip_member *find_name(const lvl_zip_member *const *names, uint32_t count, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, count, lvl_text_compare(names[at]->name, name) < 0);
    return at < count && lvl_text_compare(names[at]->name, name) == 0 ? names[at] : NULL;
}

/* Whether the bytes between members begin with a member that the directory does not list. */
static bool begins_member(lvl_bytes piece)
{
    return piece.len > LVL_ZIP_LOCAL_SIZE && lvl_load_u32le(piece.ptr) == LVL_ZIP_LOCAL_MAGIC;
}

/* Whether there may be members that the directory does not reach. */
static bool may_hide_members(const lvl_zip *zip)
{
    bool some = begins_member(zip->gap);

    for (uint32_t i = 0; i < zip->count && !some; i++)
        some = begins_member(zip->members[i].before) || (zip->members[i].faults & LVL_ZIP_NO_LOCAL);
    return some;
}

/* Assigns the bytes of a found member to a listed member without a header. */
static void relocate(lvl_zip_member *listed, const lvl_zip_member *found)
{
    const lvl_zip_member was = *listed;

    *listed = *found;
    listed->name = was.name;
    listed->crc = was.crc;
    listed->size = was.size;
    listed->central = was.central;
    listed->listed = was.listed;
    listed->faults =
        (was.faults & ~(unsigned)LVL_ZIP_NO_LOCAL) | LVL_ZIP_DIFFERS | (found->faults & LVL_ZIP_CUT);
    listed->plain_local = listed->plain_after = false;
}

/* Whether a found member lies completely between the listed ones. */
static bool lies_between(lvl_bytes in, lvl_bytes piece, const lvl_zip_member *m)
{
    if (!piece.len || m->faults != LVL_ZIP_NO_ENTRY || !m->name.len)
        return false;
    const uint64_t from = (uint64_t)(piece.ptr - in.ptr);
    const uint64_t stop = m->at + m->local.len + m->packed.len + m->after.len;
    return m->at >= from && stop <= from + piece.len;
}

/* Adds members that were found by their headers: listed members with a wrong offset, and complete unlisted
 * members between them. An unlisted member with the name of a listed one is an older version, which some
 * writers leave in the file; it is not added. */
static lvl_status add_hidden(lvl_arena *arena, lvl_bytes in, const lvl_zip *found, lvl_zip *zip)
{
    const uint32_t listed = zip->count;
    const lvl_zip_member *before = zip->members;
    const lvl_zip_member **names = sort_names(before, listed);
    lvl_zip_member *list = lvl_arena_array(arena, (size_t)listed + found->count + 1, sizeof *list);
    uint32_t at = 0;

    if (!names || !list) {
        free(names);
        return LVL_ERR_MEMORY;
    }
    if (listed)
        memcpy(list, before, (size_t)listed * sizeof *list);
    zip->members = list;
    for (uint32_t i = 0; i < found->count; i++) {
        const lvl_zip_member *m = &found->members[i], *same = find_name(names, listed, m->name);
        while (at < listed && (before[at].at == UINT64_MAX || before[at].at < m->at))
            at++;
        if (same && list[same - before].faults & LVL_ZIP_NO_LOCAL) {
            relocate(&list[same - before], m);
        } else if (!same && lies_between(in, at < listed ? before[at].before : zip->gap, m)) {
            list[zip->count] = *m;
            list[zip->count].before = (lvl_bytes){NULL, 0};
            list[zip->count].listed = zip->count;
            zip->count++;
        }
    }
    free(names);
    return LVL_OK;
}

/* ---- the archive ------------------------------------------------------------------------------------- */

static lvl_status salvage(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip)
{
    const lvl_status status = lvl_zip_list_locals(arena, ctx, in, zip);

    return status == LVL_OK ? sort_members(zip, in, in.len) : status;
}

/* Reads an archive by its directory. LVL_ERR_MISSING: there is no usable one. */
static lvl_status read_listed(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip)
{
    lvl_zip found = {0};

    lvl_status status = lvl_zip_read_directory(arena, ctx, in, zip);
    if (status == LVL_OK)
        status = sort_members(zip, in, zip->directory_at);
    if (status != LVL_OK || !may_hide_members(zip))
        return status;
    status = salvage(arena, ctx, lvl_zip_cut(in, 0, zip->directory_at), &found);
    if (status == LVL_ERR_FORMAT || status == LVL_ERR_MISSING) /* no directory was found */
        return LVL_OK;
    if (status == LVL_OK)
        status = add_hidden(arena, in, &found, zip);
    return status == LVL_OK ? sort_members(zip, in, zip->directory_at) : status;
}

lvl_status lvl_zip_read(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *out)
{
    memset(out, 0, sizeof *out);
    lvl_status status = read_listed(arena, ctx, in, out);
    if (status != LVL_ERR_MISSING)
        return status;
    memset(out, 0, sizeof *out);
    return salvage(arena, ctx, in, out);
}

const lvl_zip_member *lvl_zip_find(const lvl_zip *zip, lvl_text name)
{
    for (uint32_t i = zip->count; i-- > 0;) {
        if (lvl_text_equal(zip->members[i].name, name))
            return &zip->members[i];
    }
    return NULL;
}
