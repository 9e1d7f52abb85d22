/*
 * container/zip_directory.c: see container/zip_directory.h.
 *
 * An entry has the name and sizes of a member and the offset of its local header, which repeats them. If the
 * two disagree, the bytes decide: sizes are right if something valid follows the data.
 */
#include "container/zip_directory.h"

#include "base/cursor.h"
#include "codec/deflate.h"
#include "container/zip_parts.h"

#include <string.h>

enum {
    END_SIZE = 22,
    END64_SIZE = 56,
    END64_LOCATOR_SIZE = 20,
    COMMENT_MAX = 65535,
    CENTRAL_MAGIC = 0x02014B50,
    END_MAGIC = 0x06054B50,
    END64_MAGIC = 0x06064B50,
    END64_LOCATOR_MAGIC = 0x07064B50,
    ZIP64_EXTRA = 1
};

/* The archive whose directory is read. */
typedef struct reader {
    lvl_zip_search search;
    lvl_bytes in;
    uint64_t shift; /* number of bytes before the archive, not included in offsets */
    uint64_t limit; /* start of the directory, before which members end */
} reader;

/* Values of an entry that are not in lvl_zip_member. */
typedef struct entry {
    size_t name; /* length of the name */
    uint64_t packed;
    uint64_t at; /* offset of the local header */
} entry;

/* ---- entries ----------------------------------------------------------------------------------------- */

static uint64_t load_u64(const uint8_t *p)
{
    return lvl_load_u32le(p) | (uint64_t)lvl_load_u32le(p + 4) << 32;
}

/* Takes a 64-bit value from a zip64 extra field if the 32-bit one is all ones. */
static void take_zip64_value(uint64_t *value, const uint8_t **extra, size_t *left)
{
    if (*value != UINT32_MAX || *left < 8)
        return;
    *value = load_u64(*extra);
    *extra += 8;
    *left -= 8;
}

/* Reads the zip64 extra field, if any: it has the values that need it, in this order. */
static void take_zip64_values(const uint8_t *extra, size_t left, uint64_t *size, uint64_t *packed,
                              uint64_t *at)
{
    while (left >= 4) {
        size_t len = lvl_load_u16le(extra + 2);
        if (len > left - 4)
            break;
        if (lvl_load_u16le(extra) == ZIP64_EXTRA) {
            const uint8_t *v = extra + 4;
            size_t n = len;
            take_zip64_value(size, &v, &n);
            take_zip64_value(packed, &v, &n);
            take_zip64_value(at, &v, &n);
        }
        extra += 4 + len;
        left -= 4 + len;
    }
}

static bool is_plain_central(const lvl_bytes e)
{
    static const uint8_t like[4] = {20, 0, 20, 0};
    const size_t name = lvl_load_u16le(e.ptr + 28);

    return memcmp(e.ptr + 4, like, 4) == 0 && e.len == LVL_ZIP_CENTRAL_SIZE + name &&
           lvl_load_u16le(e.ptr + 8) ==
               lvl_zip_plain_flags((lvl_text){(const char *)e.ptr + LVL_ZIP_CENTRAL_SIZE, name}) &&
           lvl_load_u16le(e.ptr + 10) == 8 && lvl_load_u32le(e.ptr + 12) == 0 &&
           lvl_load_u32le(e.ptr + 30) == 0 && lvl_load_u32le(e.ptr + 34) == 0 &&
           lvl_load_u32le(e.ptr + 38) == 0;
}

/* Reads the entry at the start of `rest`. False: there is none. */
static bool read_fields(lvl_bytes rest, lvl_zip_member *m, entry *out)
{
    if (rest.len < LVL_ZIP_CENTRAL_SIZE || lvl_load_u32le(rest.ptr) != CENTRAL_MAGIC)
        return false;
    const uint8_t *e = rest.ptr;
    const size_t name = lvl_load_u16le(e + 28), extra = lvl_load_u16le(e + 30),
                 comment = lvl_load_u16le(e + 32);
    if (LVL_ZIP_CENTRAL_SIZE + name + extra + comment > rest.len)
        return false;
    *out = (entry){name, lvl_load_u32le(e + 20), lvl_load_u32le(e + 42)};
    m->central = lvl_zip_cut(rest, 0, LVL_ZIP_CENTRAL_SIZE + name + extra + comment);
    m->name = (lvl_text){(const char *)e + LVL_ZIP_CENTRAL_SIZE, name};
    m->method = lvl_load_u16le(e + 10);
    m->crc = lvl_load_u32le(e + 16);
    m->size = lvl_load_u32le(e + 24);
    take_zip64_values(e + LVL_ZIP_CENTRAL_SIZE + name, extra, &m->size, &out->packed, &out->at);
    if (lvl_load_u16le(e + 8) & LVL_ZIP_ENCRYPTED || (m->method != 0 && m->method != 8))
        m->faults |= LVL_ZIP_UNKNOWN;
    return true;
}

/* ---- the member of an entry -------------------------------------------------------------------------- */

/* Whether a member can end at `stop`: its descriptor, the next member, or the directory follows. */
static bool is_valid_end(const reader *r, uint64_t stop, const lvl_zip_member *m, uint64_t packed)
{
    if (stop >= r->limit)
        return stop == r->limit;
    const lvl_bytes next = lvl_zip_cut(r->in, stop, 4);
    return (next.len == 4 && lvl_load_u32le(next.ptr) == LVL_ZIP_LOCAL_MAGIC) ||
           lvl_zip_find_descriptor(lvl_zip_cut(r->in, 0, r->limit), stop, m->crc, packed).len;
}

/* Chooses a possible header size with which the declared size of the data is followed by something valid. */
static bool fit_declared(const reader *r, const uint64_t tries[3], uint64_t packed, uint64_t *header,
                         lvl_zip_member *m)
{
    const uint64_t most = r->limit - m->at;

    for (size_t i = 0; i < 3; i++) {
        if (tries[i] > most || packed > most - tries[i] ||
            !is_valid_end(r, m->at + tries[i] + packed, m, packed))
            continue;
        m->faults |= tries[i] == tries[0] ? 0u : (unsigned)LVL_ZIP_DIFFERS;
        *header = tries[i];
        return true;
    }
    return false;
}

/* Finds the sizes of the local header and the data of a listed member. Those of its local header and the
 * directory are used if something valid follows the data; otherwise header sizes computed from the directory
 * are tried, and then the end of the stream. */
static lvl_status fit_member(reader *r, const entry *e, uint64_t *header, uint64_t *packed, lvl_zip_member *m)
{
    const uint8_t *h = r->in.ptr + (size_t)m->at;
    const uint64_t by_name = LVL_ZIP_LOCAL_SIZE + (uint64_t)e->name, most = r->limit - m->at;
    const uint64_t tries[3] = {lvl_zip_header_size(h), by_name, by_name + lvl_load_u16le(h + 28)};

    *header = tries[0];
    if (fit_declared(r, tries, *packed, header, m))
        return LVL_OK;
    for (size_t i = 0; i < 2 && !(m->faults & LVL_ZIP_UNKNOWN) && r->search.left; i++) {
        uint64_t used;
        bool cut;
        if (tries[i] >= most || (i && tries[i] == tries[0]))
            continue;
        const lvl_status status =
            lvl_zip_measure(&r->search, r->in, r->limit, m->at + tries[i], m->method, &used, &cut);
        if (status != LVL_OK)
            return status;
        r->search.left = used < r->search.left ? r->search.left - used : 0;
        if (cut || !is_valid_end(r, m->at + tries[i] + used, m, used))
            continue;
        m->faults |= i == 0 && used == *packed ? 0u : (unsigned)LVL_ZIP_DIFFERS;
        *header = tries[i];
        *packed = used;
        return LVL_OK;
    }
    return LVL_OK;
}

/* Whether a member's data are where they would follow a local header without extra field, although the header
 * itself is destroyed. */
static lvl_status find_without_header(reader *r, const entry *e, const lvl_zip_member *m, bool *found)
{
    const uint64_t header = LVL_ZIP_LOCAL_SIZE + (uint64_t)e->name, most = r->limit - m->at;

    *found = false;
    if (header > most || e->packed > most - header || m->faults & LVL_ZIP_UNKNOWN ||
        e->packed > r->search.left)
        return LVL_OK;
    r->search.left -= e->packed;
    const lvl_bytes data = lvl_zip_cut(r->in, m->at + header, e->packed);
    if (m->method == 0) {
        *found = e->packed && m->size == e->packed && lvl_crc32(data) == m->crc;
        return LVL_OK;
    }
    const uint64_t from = m->at + header;
    uint64_t used;
    bool cut;
    const lvl_status status =
        lvl_zip_measure(&r->search, r->in, from + e->packed, from, m->method, &used, &cut);
    *found = status == LVL_OK && !cut && used == e->packed;
    return status;
}

/* Whether there is a local header: by its magic number, or at least by its name. */
static bool has_header(const reader *r, const entry *e, const lvl_zip_member *m)
{
    const uint8_t *h = r->in.ptr + (size_t)m->at;

    if (lvl_load_u32le(h) == LVL_ZIP_LOCAL_MAGIC)
        return true;
    return r->limit - m->at - LVL_ZIP_LOCAL_SIZE >= e->name && e->name &&
           memcmp(h + LVL_ZIP_LOCAL_SIZE, m->name.ptr, e->name) == 0;
}

/* Uses the method of the local header if the entry's is unknown or contradicts its sizes. */
static void choose_method(const uint8_t *header, const entry *e, lvl_zip_member *m)
{
    const uint16_t method = lvl_load_u16le(header + 8);
    const bool readable = !(lvl_load_u16le(header + 6) & LVL_ZIP_ENCRYPTED) && (method == 0 || method == 8);

    if (readable &&
        (m->faults & LVL_ZIP_UNKNOWN || (m->method == 0 && method == 8 && e->packed != m->size))) {
        m->faults = (m->faults & ~(unsigned)LVL_ZIP_UNKNOWN) | LVL_ZIP_DIFFERS;
        m->method = method;
    }
}

/* Records where local header and entry disagree. */
static void compare_header(const reader *r, const entry *e, uint64_t packed, lvl_zip_member *m)
{
    const uint8_t *h = r->in.ptr + (size_t)m->at;
    const size_t name = lvl_load_u16le(h + 26), head = LVL_ZIP_LOCAL_SIZE + name;
    const bool sizes_behind = lvl_load_u16le(h + 6) & LVL_ZIP_DESCRIPTOR;
    uint64_t size = lvl_load_u32le(h + 22), local_packed = lvl_load_u32le(h + 18), nowhere = 0;

    m->plain_central = is_plain_central(m->central) && r->shift == 0;
    if (m->local.len > head)
        take_zip64_values(h + head, m->local.len - head, &size, &local_packed, &nowhere);
    if (lvl_load_u32le(h) != LVL_ZIP_LOCAL_MAGIC || m->faults & LVL_ZIP_DIFFERS || name != e->name ||
        m->local.len < head || memcmp(h + LVL_ZIP_LOCAL_SIZE, m->name.ptr, name) != 0 ||
        lvl_load_u16le(h + 8) != m->method ||
        (!sizes_behind && (lvl_load_u32le(h + 14) != m->crc || local_packed != packed))) {
        m->faults |= LVL_ZIP_DIFFERS;
        m->plain_local = m->plain_central = false; /* neither can be regenerated from the other */
    }
}

/* Reads one entry of the directory and finds its member. LVL_ERR_MISSING: no entry. */
static lvl_status read_entry(reader *r, lvl_bytes rest, lvl_zip_member *m)
{
    lvl_status status = LVL_OK;
    bool found = true;
    entry e;

    if (!read_fields(rest, m, &e))
        return LVL_ERR_MISSING;
    m->at = UINT64_MAX;
    if (e.at > r->limit || r->shift > r->limit - e.at || r->limit - e.at - r->shift < LVL_ZIP_LOCAL_SIZE) {
        m->faults |= LVL_ZIP_NO_LOCAL;
        return LVL_OK;
    }
    m->at = e.at + r->shift;
    uint64_t header = LVL_ZIP_LOCAL_SIZE + (uint64_t)e.name, packed = e.packed;
    if (has_header(r, &e, m)) {
        choose_method(r->in.ptr + (size_t)m->at, &e, m);
        status = fit_member(r, &e, &header, &packed, m);
    } else {
        status = find_without_header(r, &e, m, &found);
    }
    if (!found) {
        m->faults |= LVL_ZIP_NO_LOCAL;
        m->at = UINT64_MAX;
    }
    if (status != LVL_OK || !found)
        return status;
    lvl_zip_cut_member(r->in, r->limit, header, packed, m);
    if (m->local.len >= LVL_ZIP_LOCAL_SIZE)
        compare_header(r, &e, packed, m);
    return LVL_OK;
}

/* ---- the end record ---------------------------------------------------------------------------------- */

/* The end record: the last one whose comment fits. NULL: none. */
static const uint8_t *find_end(lvl_bytes in)
{
    if (in.len < END_SIZE)
        return NULL;
    const size_t lowest =
        in.len > END_SIZE + COMMENT_MAX + 65536u ? in.len - END_SIZE - COMMENT_MAX - 65536u : 0;
    for (size_t at = in.len - END_SIZE + 1; at-- > lowest;) {
        const uint8_t *p = in.ptr + at;
        if (p[0] == 'P' && lvl_load_u32le(p) == END_MAGIC &&
            END_SIZE + (size_t)lvl_load_u16le(p + 20) <= in.len - at)
            return p;
    }
    return NULL;
}

/* The position of the directory according to the end record. */
typedef struct ending {
    uint64_t at, size; /* as declared; `at` may not include bytes before the archive */
    uint64_t stop; /* where it must end: at the first end record */
    uint64_t count;
    uint64_t end; /* end of the last record */
    bool is64;
} ending;

/* False: there is no end record. Zip64 archives have a longer one and a pointer to it before the usual one;
 * some writers always add it. */
static bool find_ending(lvl_bytes in, ending *out)
{
    const uint8_t *end = find_end(in);

    if (!end)
        return false;
    const uint64_t at = (uint64_t)(end - in.ptr);
    *out =
        (ending){lvl_load_u32le(end + 16), lvl_load_u32le(end + 12), at, lvl_load_u16le(end + 10), at, false};
    if (at < END64_LOCATOR_SIZE + END64_SIZE)
        return true;
    const uint64_t locator = at - END64_LOCATOR_SIZE, usual = locator - END64_SIZE;
    if (lvl_load_u32le(in.ptr + (size_t)locator) != END64_LOCATOR_MAGIC)
        return true;
    uint64_t at64 = load_u64(in.ptr + (size_t)locator + 8);
    if (at64 > usual || lvl_load_u32le(in.ptr + (size_t)at64) != END64_MAGIC)
        at64 = usual; /* other bytes precede the archive */
    const uint8_t *p = in.ptr + (size_t)at64;
    if (lvl_load_u32le(p) == END64_MAGIC)
        *out = (ending){load_u64(p + 48), load_u64(p + 40), at64, load_u64(p + 32), at, true};
    return true;
}

bool lvl_zip_ends(lvl_bytes in)
{
    ending e;

    return find_ending(in, &e) && e.size >= LVL_ZIP_CENTRAL_SIZE && e.size <= e.stop &&
           lvl_load_u32le(in.ptr + (size_t)(e.stop - e.size)) == CENTRAL_MAGIC;
}

/* Whether an offset is in the data of a member, found by going from local header to local header from the
 * start of the file. Then a directory there belongs to an archive inside the archive. */
static bool lies_inside(lvl_bytes in, uint64_t place)
{
    for (uint64_t at = 0; at < place && in.len - at >= LVL_ZIP_LOCAL_SIZE;) {
        const uint8_t *h = in.ptr + (size_t)at;
        if (lvl_load_u32le(h) != LVL_ZIP_LOCAL_MAGIC || lvl_load_u16le(h + 6) & LVL_ZIP_DESCRIPTOR)
            return false;
        const uint64_t data = at + lvl_zip_header_size(h), next = data + lvl_load_u32le(h + 18);
        if (place >= data && place < next)
            return true;
        at = next;
    }
    return false;
}

/* ---- the directory ----------------------------------------------------------------------------------- */

/* Counts the entries from offset `at`. LVL_ERR_MISSING: they do not fill the directory. */
static lvl_status count_entries(const lvl_ctx *ctx, lvl_bytes in, uint64_t at, const ending *e,
                                uint32_t *count)
{
    const uint64_t most = lvl_limits_of(ctx).items;

    for (*count = 0; e->stop - at >= LVL_ZIP_CENTRAL_SIZE; ++*count) {
        const uint8_t *c = in.ptr + (size_t)at;
        const uint64_t len = LVL_ZIP_CENTRAL_SIZE + (uint64_t)lvl_load_u16le(c + 28) +
                             lvl_load_u16le(c + 30) + lvl_load_u16le(c + 32);
        if (lvl_load_u32le(c) != CENTRAL_MAGIC || len > e->stop - at)
            return LVL_ERR_MISSING;
        at += len;
        if (*count >= most)
            return lvl_refuse(ctx, LVL_LIMIT_ITEMS, most, *count + 1);
    }
    return *count || !e->count ? LVL_OK : LVL_ERR_MISSING;
}

static lvl_status read_entries(reader *r, lvl_bytes rest, uint32_t count, lvl_zip *zip)
{
    while (zip->count < count) {
        lvl_zip_member *m = &zip->members[zip->count];
        const lvl_status status =
            lvl_work_charge(&r->search.work, 64) ? read_entry(r, rest, m) : r->search.work.status;
        if (status != LVL_OK)
            return status;
        m->listed = zip->count++;
        rest = lvl_zip_cut(rest, m->central.len, rest.len);
    }
    return rest.len ? LVL_ERR_MISSING : LVL_OK;
}

/* Records the directory, the end record and what follows it. */
static void keep_end(lvl_bytes in, uint64_t start, const ending *e, uint32_t count, lvl_zip *zip)
{
    const uint8_t *end = in.ptr + (size_t)e->end;
    const uint32_t declared = lvl_load_u16le(end + 10);
    const uint64_t comment = lvl_load_u16le(end + 20);
    const bool counted = declared == count % 65536;

    zip->directory_at = start;
    zip->directory = lvl_zip_cut(in, start, e->size);
    zip->end = lvl_zip_cut(in, e->stop, e->end - e->stop + END_SIZE + comment);
    zip->after = lvl_zip_cut(in, e->end + END_SIZE + comment, in.len);
    zip->ended = e->is64 || counted ? count : declared;
    zip->plain_end = !e->is64 && start == e->at && counted && lvl_load_u16le(end + 8) == declared &&
                     lvl_load_u32le(end + 4) == 0;
}

lvl_status lvl_zip_read_directory(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip)
{
    uint32_t count;
    ending e;

    if (!find_ending(in, &e) || e.size > e.stop)
        return LVL_ERR_MISSING;
    const uint64_t start = e.stop - e.size; /* offsets may not count bytes before the archive */
    if (e.at > start || (e.at < start && lies_inside(in, start - e.at)))
        return LVL_ERR_MISSING;
    lvl_status status = count_entries(ctx, in, start, &e, &count);
    if (status != LVL_OK)
        return status;
    zip->members = lvl_arena_array(arena, (size_t)count + 1, sizeof *zip->members);
    if (!zip->members)
        return LVL_ERR_MEMORY;
    reader r = {.search = lvl_zip_search_begin(ctx, in), .in = in, .shift = start - e.at, .limit = start};
    status = read_entries(&r, lvl_zip_cut(in, start, e.size), count, zip);
    if (status == LVL_OK)
        keep_end(in, start, &e, count, zip);
    return status;
}
