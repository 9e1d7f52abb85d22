/*
 * container/zip.c: reads zip archives: by their directory, or without one by the local headers of members.
 * Their content is read in zip_content.c.
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
#include "base/work.h"
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    END64_LOCATOR_SIZE = 20,
    COMMENT_MAX = 65535,
    LOCAL_MAGIC = 0x04034B50,
    CENTRAL_MAGIC = 0x02014B50,
    END_MAGIC = 0x06054B50,
    END64_MAGIC = 0x06064B50,
    END64_LOCATOR_MAGIC = 0x07064B50,
    DESCRIPTOR_MAGIC = 0x08074B50,
    FLAG_ENCRYPTED = 1,
    FLAG_DESCRIPTOR = 8,
    ZIP64_EXTRA = 1
};

bool lvl_zip_probe(lvl_bytes head)
{
    return head.len >= 4 && lvl_load_u32le(head.ptr) == LOCAL_MAGIC;
}

static lvl_bytes cut_part(lvl_bytes in, uint64_t at, uint64_t len)
{
    if (at > in.len)
        at = in.len;
    if (len > in.len - at)
        len = in.len - at;
    return (lvl_bytes){in.ptr + (size_t)at, (size_t)len};
}

/* ---- one member -------------------------------------------------------------------------------------- */

/* Whether a local header is plain: see zip.h. */
static bool is_plain_local(const uint8_t *h, size_t len)
{
    static const uint8_t like[26] = {'P', 'K', 3, 4, 20, 0, 8, 0, 8};
    const unsigned flags = lvl_load_u16le(h + 6);

    if (lvl_load_u16le(h + 28) || len != LOCAL_SIZE + (size_t)lvl_load_u16le(h + 26))
        return false;
    if (memcmp(h, like, 6) != 0 || memcmp(h + 8, like + 8, 18) != 0)
        return false;
    return flags == lvl_zip_plain_flags((lvl_text){(const char *)h + LOCAL_SIZE, len - LOCAL_SIZE});
}

/* The data descriptor behind the data, if any: with its signature, or without if it matches; with sizes of 8
 * bytes, as in zip64, or of 4. */
static lvl_bytes find_descriptor(lvl_bytes in, uint64_t at, uint32_t crc, uint64_t packed)
{
    const lvl_bytes rest = cut_part(in, at, 24);
    const size_t mark = rest.len >= 4 && lvl_load_u32le(rest.ptr) == DESCRIPTOR_MAGIC ? 4 : 0;
    const uint8_t *p = rest.ptr + mark;

    if (rest.len < mark + 12)
        return cut_part(in, at, 0);
    const bool fits = lvl_load_u32le(p + 4) == (uint32_t)packed;
    if (!mark && (lvl_load_u32le(p) != crc || !fits))
        return cut_part(in, at, 0);
    const bool wide =
        rest.len >= mark + 20 && fits && packed && lvl_load_u32le(p + 8) == 0 && lvl_load_u32le(p + 16) == 0;
    return cut_part(in, at, mark + (wide ? 20 : 12));
}

/* The length of a local header, as it declares. */
static uint64_t header_size(const uint8_t *h)
{
    return LOCAL_SIZE + (uint64_t)lvl_load_u16le(h + 26) + lvl_load_u16le(h + 28);
}

/* Fills in the bytes of a member whose header and sizes are known; `limit` is where they must end. */
static void cut_member(lvl_bytes in, uint64_t limit, uint64_t header, uint64_t packed, lvl_zip_member *m)
{
    const uint8_t *h = in.ptr + (size_t)m->at;

    if (header > limit - m->at) {
        m->faults |= LVL_ZIP_CUT;
        m->local = cut_part(in, m->at, limit - m->at);
        m->packed = m->behind = cut_part(in, limit, 0);
        return;
    }
    m->local = cut_part(in, m->at, header);
    if (packed > limit - m->at - header) {
        m->faults |= LVL_ZIP_CUT;
        packed = limit - m->at - header;
    }
    m->packed = cut_part(in, m->at + header, packed);
    m->behind = cut_part(in, m->at + header + packed, 0);
    if (lvl_load_u16le(h + 6) & FLAG_DESCRIPTOR)
        m->behind = find_descriptor(cut_part(in, 0, limit), m->at + header + packed, m->crc, packed);
    m->plain_local = is_plain_local(h, (size_t)header);
    m->plain_behind = m->behind.len == 16 && lvl_load_u32le(m->behind.ptr + 4) == m->crc &&
                      lvl_load_u32le(m->behind.ptr + 8) == packed &&
                      lvl_load_u32le(m->behind.ptr + 12) == m->size;
}

/* The next place of the magic number; NULL: none, or work->status. Charges what it passes. */
static const uint8_t *find_magic(lvl_work *work, lvl_bytes in, uint64_t from, uint32_t magic)
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

/* ---- where data ends ----------------------------------------------------------------------------------- */

/* The search for where members really are and end, in the whole of an archive. */
typedef struct search {
    lvl_work work;
    uint64_t left; /* packed bytes that may still be examined to correct the directory */
} search;

static search search_begin(const lvl_ctx *ctx, lvl_bytes in)
{
    return (search){.work = lvl_work_begin(ctx), .left = in.len};
}

/* The size of a member's data if its header does not have it: up to the end of its stream. The end of stored
 * data is not known, so it extends to the next member, all before `limit`. */
static lvl_status measure(search *s, lvl_bytes in, uint64_t limit, uint64_t at, uint16_t method,
                          uint64_t *packed, bool *cut)
{
    const lvl_bytes before = cut_part(in, 0, limit);

    if (method == 8) {
        lvl_inflate_report report;
        lvl_buffer out = {0};
        const uint64_t most = lvl_memory_share(s->work.ctx);
        const lvl_status status =
            lvl_inflate_salvage(&s->work, LVL_WRAP_RAW, cut_part(before, at, before.len), &out,
                                most < SIZE_MAX ? (size_t)most : SIZE_MAX, &report);
        lvl_buffer_free(&out);
        *packed = report.in_used;
        *cut = report.end != LVL_INFLATE_DONE;
        return status;
    }
    const uint8_t *next = find_magic(&s->work, before, at, LOCAL_MAGIC);
    *packed = next ? (uint64_t)(next - in.ptr) - at : before.len - at;
    *cut = true;
    return s->work.status;
}

/* ---- where the directory and the local headers contradict each other --------------------------------- */

/* Whether a member can end there: its descriptor, the next member, or the directory follows. */
static bool is_valid_end(lvl_bytes in, uint64_t limit, uint64_t stop, const lvl_zip_member *m,
                         uint64_t packed)
{
    if (stop >= limit)
        return stop == limit;
    const lvl_bytes next = cut_part(in, stop, 4);
    return (next.len == 4 && lvl_load_u32le(next.ptr) == LOCAL_MAGIC) ||
           find_descriptor(cut_part(in, 0, limit), stop, m->crc, packed).len;
}

/* The sizes of the local header and the data of a member that the directory lists. Those of its local header
 * and the directory are used if something valid follows the data; otherwise sizes of the header by the
 * directory are tried, and then the end of the stream. */
static lvl_status fit_member(search *s, lvl_bytes in, uint64_t limit, size_t name, uint64_t *header,
                             uint64_t *packed, lvl_zip_member *m)
{
    const uint8_t *h = in.ptr + (size_t)m->at;
    const uint64_t declared = header_size(h), most = limit - m->at;
    const uint64_t tries[] = {declared, LOCAL_SIZE + (uint64_t)name,
                              LOCAL_SIZE + (uint64_t)name + lvl_load_u16le(h + 28)};

    *header = declared;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        if (tries[i] > most || *packed > most - tries[i] ||
            !is_valid_end(in, limit, m->at + tries[i] + *packed, m, *packed))
            continue;
        m->faults |= tries[i] == declared ? 0u : (unsigned)LVL_ZIP_DIFFERS;
        *header = tries[i];
        return LVL_OK;
    }
    for (size_t i = 0; i < 2 && !(m->faults & LVL_ZIP_UNKNOWN) && s->left; i++) {
        uint64_t used;
        bool cut;
        if (tries[i] >= most || (i && tries[i] == declared))
            continue;
        const lvl_status status = measure(s, in, limit, m->at + tries[i], m->method, &used, &cut);
        if (status != LVL_OK)
            return status;
        s->left = used < s->left ? s->left - used : 0;
        if (cut || !is_valid_end(in, limit, m->at + tries[i] + used, m, used))
            continue;
        m->faults |= tries[i] == declared && used == *packed ? 0u : (unsigned)LVL_ZIP_DIFFERS;
        *header = tries[i];
        *packed = used;
        return LVL_OK;
    }
    return LVL_OK;
}

/* ---- by the directory -------------------------------------------------------------------------------- */

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

/* The zip64 field among the extra fields, if any: the values that need it, in this order. */
static void widen_all(const uint8_t *extra, size_t left, uint64_t *size, uint64_t *packed, uint64_t *at)
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

    return memcmp(e.ptr + 4, like, 4) == 0 && e.len == CENTRAL_SIZE + name &&
           lvl_load_u16le(e.ptr + 8) ==
               lvl_zip_plain_flags((lvl_text){(const char *)e.ptr + CENTRAL_SIZE, name}) &&
           lvl_load_u16le(e.ptr + 10) == 8 && lvl_load_u32le(e.ptr + 12) == 0 &&
           lvl_load_u32le(e.ptr + 30) == 0 && lvl_load_u32le(e.ptr + 34) == 0 &&
           lvl_load_u32le(e.ptr + 38) == 0;
}

/* Whether a member's data follow a local header without extra field, although that header is destroyed. */
static lvl_status find_without_header(search *s, lvl_bytes in, uint64_t limit, size_t name, uint64_t packed,
                                      const lvl_zip_member *m, bool *found)
{
    const uint64_t header = LOCAL_SIZE + (uint64_t)name, most = limit - m->at;

    *found = false;
    if (header > most || packed > most - header || m->faults & LVL_ZIP_UNKNOWN || packed > s->left)
        return LVL_OK;
    s->left -= packed;
    const lvl_bytes data = cut_part(in, m->at + header, packed);
    if (m->method == 0) {
        *found = packed && m->size == packed && lvl_crc32(data) == m->crc;
        return LVL_OK;
    }
    uint64_t used;
    bool cut;
    const lvl_status status = measure(s, in, m->at + header + packed, m->at + header, m->method, &used, &cut);
    *found = status == LVL_OK && !cut && used == packed;
    return status;
}

/* Reads one entry of the directory. `shift`: bytes before the archive, which its offsets do not count.
 * LVL_ERR_MISSING: no entry. */
static lvl_status read_entry(search *s, lvl_bytes in, lvl_bytes rest, uint64_t shift, uint64_t limit,
                             lvl_zip_member *m)
{
    if (rest.len < CENTRAL_SIZE || lvl_load_u32le(rest.ptr) != CENTRAL_MAGIC)
        return LVL_ERR_MISSING;
    const uint8_t *e = rest.ptr;
    const size_t name = lvl_load_u16le(e + 28), extra = lvl_load_u16le(e + 30),
                 comment = lvl_load_u16le(e + 32);
    if (CENTRAL_SIZE + name + extra + comment > rest.len)
        return LVL_ERR_MISSING;
    uint64_t packed = lvl_load_u32le(e + 20), at = lvl_load_u32le(e + 42);
    m->central = cut_part(rest, 0, CENTRAL_SIZE + name + extra + comment);
    m->name = (lvl_text){(const char *)e + CENTRAL_SIZE, name};
    m->method = lvl_load_u16le(e + 10);
    m->crc = lvl_load_u32le(e + 16);
    m->size = lvl_load_u32le(e + 24);
    widen_all(e + CENTRAL_SIZE + name, extra, &m->size, &packed, &at);
    if (lvl_load_u16le(e + 8) & FLAG_ENCRYPTED || (m->method != 0 && m->method != 8))
        m->faults |= LVL_ZIP_UNKNOWN;
    m->at = UINT64_MAX;
    if (at > limit || shift > limit - at || limit - at - shift < LOCAL_SIZE) {
        m->faults |= LVL_ZIP_NO_LOCAL;
        return LVL_OK;
    }
    m->at = at + shift;
    const uint8_t *h = in.ptr + (size_t)m->at;
    const bool marked = lvl_load_u32le(h) == LOCAL_MAGIC;
    const bool blind = !marked && (limit - m->at - LOCAL_SIZE < name || !name ||
                                   memcmp(h + LOCAL_SIZE, m->name.ptr, name) != 0);
    bool found = true;
    lvl_status status = blind ? find_without_header(s, in, limit, name, packed, m, &found) : LVL_OK;
    if (!found) {
        m->faults |= LVL_ZIP_NO_LOCAL;
        m->at = UINT64_MAX;
    }
    if (status != LVL_OK || !found)
        return status;
    const uint16_t method = lvl_load_u16le(h + 8);
    const bool readable = !(lvl_load_u16le(h + 6) & FLAG_ENCRYPTED) && (method == 0 || method == 8);
    if (!blind && readable &&
        (m->faults & LVL_ZIP_UNKNOWN || (m->method == 0 && method == 8 && packed != m->size))) {
        m->faults = (m->faults & ~(unsigned)LVL_ZIP_UNKNOWN) | LVL_ZIP_DIFFERS;
        m->method = method;
    }
    uint64_t header = LOCAL_SIZE + (uint64_t)name;
    if (!blind)
        status = fit_member(s, in, limit, name, &header, &packed, m);
    if (status != LVL_OK)
        return status;
    cut_member(in, limit, header, packed, m);
    if (m->local.len < LOCAL_SIZE)
        return LVL_OK;
    const uint16_t flags = lvl_load_u16le(h + 6);
    m->plain_central = is_plain_central(m->central) && shift == 0;
    uint64_t local_size = lvl_load_u32le(h + 22), local_packed = lvl_load_u32le(h + 18), nowhere = 0;
    const size_t local_name = lvl_load_u16le(h + 26), head = LOCAL_SIZE + local_name;
    if (m->local.len > head)
        widen_all(h + head, m->local.len - head, &local_size, &local_packed, &nowhere);
    if (!marked || m->faults & LVL_ZIP_DIFFERS || local_name != name || m->local.len < LOCAL_SIZE + name ||
        memcmp(h + LOCAL_SIZE, m->name.ptr, name) != 0 || lvl_load_u16le(h + 8) != m->method ||
        (!(flags & FLAG_DESCRIPTOR) && (lvl_load_u32le(h + 14) != m->crc || local_packed != packed))) {
        m->faults |= LVL_ZIP_DIFFERS;
        m->plain_local = m->plain_central = false; /* neither can be regenerated from the other */
    }
    return LVL_OK;
}

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

/* The members by their names; NULL without memory. */
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
            /* otherwise a small file could take any time to inflate */
            if (shared > in.len)
                m->faults |= LVL_ZIP_SHARED;
        } else {
            m->before = cut_part(in, at, m->at - at);
        }
        const uint64_t stop = m->at + m->local.len + m->packed.len + m->behind.len;
        at = stop > at ? stop : at;
    }
    zip->gap = cut_part(in, at, end > at ? end - at : 0);
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

/* The position of the directory, as an end record declares it. */
typedef struct ending {
    uint64_t at, size; /* as declared: perhaps without the bytes before the archive */
    uint64_t stop; /* where it must end: the first end record */
    uint64_t count;
    uint64_t end; /* of the last record */
    bool is64;
} ending;

/* False: there is no end record. Archives of zip64 have a longer one and a pointer to it before the usual
 * one; some writers always add it. */
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

static lvl_status salvage(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip);

/* The first of that name in a list that is sorted by_name; NULL: none. */
static const lvl_zip_member *find_name(const lvl_zip_member *const *names, uint32_t count, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, count, lvl_text_compare(names[at]->name, name) < 0);
    return at < count && lvl_text_compare(names[at]->name, name) == 0 ? names[at] : NULL;
}

bool lvl_zip_ends(lvl_bytes in)
{
    ending e;

    return find_ending(in, &e) && e.size >= CENTRAL_SIZE && e.size <= e.stop &&
           lvl_load_u32le(in.ptr + (size_t)(e.stop - e.size)) == CENTRAL_MAGIC;
}

bool lvl_zip_holds(lvl_bytes in)
{
    lvl_work work = lvl_work_begin(NULL);

    for (const uint8_t *p = in.ptr; (p = find_magic(&work, in, (uint64_t)(p - in.ptr), LOCAL_MAGIC));
         p += 4) {
        const uint64_t rest = in.len - (uint64_t)(p - in.ptr);
        if (rest > LOCAL_SIZE && header_size(p) <= rest && lvl_load_u16le(p + 4) <= 63 &&
            (lvl_load_u16le(p + 8) == 0 || lvl_load_u16le(p + 8) == 8))
            return true;
    }
    return false;
}

/* Whether an offset is in the data of a member, going from local header to local header from the start of the
 * file: then an archive at that offset is inside the archive. */
static bool lies_inside(lvl_bytes in, uint64_t place)
{
    for (uint64_t at = 0; at < place && in.len - at >= LOCAL_SIZE;) {
        const uint8_t *h = in.ptr + (size_t)at;
        if (lvl_load_u32le(h) != LOCAL_MAGIC || lvl_load_u16le(h + 6) & FLAG_DESCRIPTOR)
            return false;
        const uint64_t data = at + header_size(h), next = data + lvl_load_u32le(h + 18);
        if (place >= data && place < next)
            return true;
        at = next;
    }
    return false;
}

/* Whether the bytes between members begin with a member that the directory does not list. */
static bool begins_member(lvl_bytes piece)
{
    return piece.len > LOCAL_SIZE && lvl_load_u32le(piece.ptr) == LOCAL_MAGIC;
}

/* Finds by their headers members that the directory does not lead to: listed ones at a wrong offset, and
 * whole ones between the listed ones. One of those with the name of a listed one is an older version of it,
 * which some writers leave in the file. LVL_ERR_MISSING: none found. */
static lvl_status find_hidden(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip)
{
    const uint32_t listed = zip->count;
    const lvl_zip_member *before = zip->members;
    bool some = begins_member(zip->gap);
    lvl_zip all = {0};
    uint32_t at = 0;

    for (uint32_t i = 0; i < listed && !some; i++)
        some = begins_member(before[i].before) || (before[i].faults & LVL_ZIP_NO_LOCAL);
    lvl_status status =
        some ? salvage(arena, ctx, cut_part(in, 0, zip->directory_at), &all) : LVL_ERR_MISSING;
    if (status != LVL_OK)
        return status == LVL_ERR_FORMAT ? LVL_ERR_MISSING : status;
    const lvl_zip_member **names = sort_names(before, listed);
    lvl_zip_member *list = lvl_arena_array(arena, (size_t)listed + all.count + 1, sizeof *list);
    if (!names || !list) {
        free(names);
        return LVL_ERR_MEMORY;
    }
    if (listed)
        memcpy(list, before, (size_t)listed * sizeof *list);
    zip->members = list;
    for (uint32_t i = 0; i < all.count; i++) {
        const lvl_zip_member *m = &all.members[i], *same = find_name(names, listed, m->name);
        const uint64_t stop = m->at + m->local.len + m->packed.len + m->behind.len;
        while (at < listed && (before[at].at == UINT64_MAX || before[at].at < m->at))
            at++;
        const lvl_bytes piece = at < listed ? before[at].before : zip->gap;
        const uint64_t from = (uint64_t)(piece.ptr - in.ptr);
        if (same && list[same - before].faults & LVL_ZIP_NO_LOCAL) {
            lvl_zip_member *lost = &list[same - before];
            const lvl_zip_member was = *lost;
            *lost = *m;
            lost->name = was.name;
            lost->crc = was.crc;
            lost->size = was.size;
            lost->central = was.central;
            lost->listed = was.listed;
            lost->faults =
                (was.faults & ~(unsigned)LVL_ZIP_NO_LOCAL) | LVL_ZIP_DIFFERS | (m->faults & LVL_ZIP_CUT);
            lost->plain_local = lost->plain_behind = false;
        } else if (!same && piece.len && m->at >= from && stop <= from + piece.len &&
                   m->faults == LVL_ZIP_NO_ENTRY && m->name.len) {
            list[zip->count] = *m;
            list[zip->count].before = (lvl_bytes){NULL, 0};
            list[zip->count].listed = zip->count;
            zip->count++;
        }
    }
    free(names);
    return LVL_OK;
}

/* LVL_ERR_MISSING: no usable directory. */
static lvl_status read_directory(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip)
{
    ending e;

    if (!find_ending(in, &e) || e.size > e.stop)
        return LVL_ERR_MISSING;
    const uint8_t *end = in.ptr + (size_t)e.end;
    const uint32_t declared = lvl_load_u16le(end + 10);
    const uint64_t comment = lvl_load_u16le(end + 20);
    const uint64_t start = e.stop - e.size; /* offsets may not count bytes before the archive */
    if (e.at > start)
        return LVL_ERR_MISSING;
    const uint64_t shift = start - e.at;
    if (shift && lies_inside(in, shift))
        return LVL_ERR_MISSING;
    uint32_t count = 0;
    const uint64_t most = lvl_limits_of(ctx).items;
    for (uint64_t p = start; e.stop - p >= CENTRAL_SIZE; count++) {
        const uint8_t *c = in.ptr + (size_t)p;
        const uint64_t len =
            CENTRAL_SIZE + (uint64_t)lvl_load_u16le(c + 28) + lvl_load_u16le(c + 30) + lvl_load_u16le(c + 32);
        if (lvl_load_u32le(c) != CENTRAL_MAGIC || len > e.stop - p)
            return LVL_ERR_MISSING;
        p += len;
        if (count >= most)
            return lvl_refuse(ctx, LVL_LIMIT_ITEMS, most, count + 1);
    }
    if (!count && e.count)
        return LVL_ERR_MISSING;
    zip->members = lvl_arena_array(arena, (size_t)count + 1, sizeof *zip->members);
    if (!zip->members)
        return LVL_ERR_MEMORY;
    lvl_bytes rest = cut_part(in, start, e.size);
    search s = search_begin(ctx, in);
    lvl_status status = LVL_OK;
    while (zip->count < count && status == LVL_OK) {
        lvl_zip_member *m = &zip->members[zip->count];
        status = lvl_work_charge(&s.work, 64) ? read_entry(&s, in, rest, shift, start, m) : s.work.status;
        if (status != LVL_OK)
            break;
        m->listed = zip->count++;
        rest = cut_part(rest, m->central.len, rest.len);
    }
    if (status != LVL_OK)
        return status;
    if (rest.len || zip->count != count)
        return LVL_ERR_MISSING;
    zip->directory_at = start;
    zip->directory = cut_part(in, start, e.size);
    zip->end = cut_part(in, e.stop, e.end - e.stop + END_SIZE + comment);
    zip->after = cut_part(in, e.end + END_SIZE + comment, in.len);
    zip->ended = e.is64 || declared == count % 65536 ? count : declared;
    zip->plain_end = !e.is64 && !shift && (declared == count % 65536) &&
                     lvl_load_u16le(end + 8) == declared && lvl_load_u32le(end + 4) == 0;
    status = sort_members(zip, in, start);
    if (status != LVL_OK)
        return status;
    const lvl_status hidden = find_hidden(arena, ctx, in, zip);
    return hidden == LVL_OK ? sort_members(zip, in, start) : hidden == LVL_ERR_MISSING ? LVL_OK : hidden;
}

/* ---- without a directory ----------------------------------------------------------------------------- */

/* Lists the members that have local headers. */
static lvl_status list_locals(lvl_arena *arena, search *s, lvl_bytes in, lvl_zip *zip)
{
    const lvl_ctx *ctx = s->work.ctx;
    const uint64_t most = lvl_limits_of(ctx).items;
    uint32_t room = 0;
    uint64_t at = 0;

    zip->salvaged = true;
    for (const uint8_t *p; (p = find_magic(&s->work, in, at, LOCAL_MAGIC));) {
        const uint64_t here = (uint64_t)(p - in.ptr);
        if (in.len - here < LOCAL_SIZE)
            break;
        if (zip->count == room) {
            const uint32_t more = room ? room * 2 : 64;
            lvl_zip_member *bigger = lvl_arena_array(arena, more, sizeof *bigger);
            if (!bigger)
                return LVL_ERR_MEMORY;
            if (room)
                memcpy(bigger, zip->members, (size_t)room * sizeof *bigger);
            zip->members = bigger;
            room = more;
        }
        if (zip->count >= most)
            return lvl_refuse(ctx, LVL_LIMIT_ITEMS, most, (uint64_t)zip->count + 1);
        const uint16_t flags = lvl_load_u16le(p + 6);
        uint64_t header = header_size(p);
        /* an extra field that does not fit is ignored: it would hide the data, and all that follows */
        if (header > in.len - here)
            header = LOCAL_SIZE + (uint64_t)lvl_load_u16le(p + 26);
        if (header > in.len - here) { /* nor does the name fit: no member */
            at = here + 4;
            continue;
        }
        lvl_zip_member *m = &zip->members[zip->count];
        memset(m, 0, sizeof *m);
        m->listed = zip->count;
        m->at = here;
        m->faults = LVL_ZIP_NO_ENTRY;
        m->method = lvl_load_u16le(p + 8);
        m->crc = lvl_load_u32le(p + 14);
        m->size = lvl_load_u32le(p + 22);
        uint64_t packed = lvl_load_u32le(p + 18);
        if (flags & FLAG_ENCRYPTED || (m->method != 0 && m->method != 8)) {
            if (lvl_load_u16le(p + 4) > 63) { /* these bytes are part of some data */
                at = here + 4;
                continue;
            }
            m->faults |= LVL_ZIP_UNKNOWN;
        }
        m->name = (lvl_text){(const char *)p + LOCAL_SIZE, lvl_load_u16le(p + 26)};
        if (header < in.len - here && (flags & FLAG_DESCRIPTOR) && !packed &&
            !(m->faults & LVL_ZIP_UNKNOWN)) {
            bool cut;
            const lvl_status status = measure(s, in, in.len, here + header, m->method, &packed, &cut);
            if (status != LVL_OK)
                return status;
            m->faults |= cut ? (unsigned)LVL_ZIP_CUT : 0;
            const lvl_bytes d = cut_part(in, here + header + packed, 16);
            if (!cut && d.len == 16 && lvl_load_u32le(d.ptr) == DESCRIPTOR_MAGIC) {
                m->crc = lvl_load_u32le(d.ptr + 4);
                m->size = lvl_load_u32le(d.ptr + 12);
            }
        }
        cut_member(in, in.len, header, packed, m);
        at = here + m->local.len + m->packed.len + m->behind.len;
        zip->count++;
        if (!lvl_work_charge(&s->work, (at - here) / 8 + 32))
            return s->work.status;
    }
    if (s->work.status != LVL_OK)
        return s->work.status;
    if (!zip->count)
        return LVL_ERR_FORMAT;
    return sort_members(zip, in, in.len);
}

static lvl_status salvage(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip)
{
    search s = search_begin(ctx, in);

    return list_locals(arena, &s, in, zip);
}

/* ---- the archive ------------------------------------------------------------------------------------- */

lvl_status lvl_zip_read(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *out)
{
    memset(out, 0, sizeof *out);
    lvl_status status = read_directory(arena, ctx, in, out);
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
