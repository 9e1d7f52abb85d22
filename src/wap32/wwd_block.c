/*
 * wap32/wwd_block.c: reads a main block: planes, their tiles, image sets and objects, and the tile
 * properties.
 *
 *     planes_offset            plane headers, 160 bytes each
 *     plane.tiles_offset       tiles_wide * tiles_high u32
 *     plane.image_sets_offset  NUL-ended names
 *     plane.objects_offset     each 284 bytes and four texts without terminators
 *     tile_properties_offset   32 bytes, then each 20 (single), 40 (double) or 16 + width * height (mask)
 *
 * It is read by the offsets. If that leaves gaps, overlaps or truncated parts, the block is damaged. If the
 * parts then fit to the last byte in the order in which editors write them, the offsets are assumed to be
 * wrong. Otherwise the counts and lengths are assumed to be wrong: each part extends to the next one, and its
 * records are counted (wwd_recover.c). Bytes that belong to no part are gaps. No real file needs any of this.
 */
#include "base/cursor.h"
#include "base/disk.h"
#include "base/search.h"
#include "base/work.h"
#include "wap32/wwd_recover.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
    SMALLEST_RECORD = 20, /* a tile property */
    LONGEST_NAME = 255 /* of an image set; longer ones are tiles */
};

/* Bytes that belong to a part; from the block's start. */
typedef struct claim {
    uint64_t at, len;
} claim;

/* How a block is read. */
typedef enum mode {
    BY_OFFSET, /* the parts are where the offsets say */
    IN_ORDER, /* the offsets are wrong: each part follows the one before, in the usual order */
    RECOVER /* the counts and lengths are wrong: each part extends to the next one */
} mode;

struct parser {
    lvl_doc *doc;
    lvl_wwd *wwd;
    lvl_bytes block;
    bool packed;
    lvl_sink *sink;
    lvl_findings *findings;
    mode mode;
    uint64_t next; /* where the last part ended */
    uint64_t budget; /* bytes that parts may still have, overlapping ones counted each time */
    lvl_work work; /* RECOVER: one step per byte examined */
    claim *claims;
    uint32_t claim_count;
    lvl_buffer gaps; /* of lvl_wwd_gap */
    uint64_t *starts; /* where parts begin by their offsets, from the block's start, sorted */
    uint32_t start_count;
    uint32_t problems; /* incomplete parts, gaps and overlaps */
    uint64_t end; /* where the last part ends */
    uint64_t properties_end;
    uint64_t cut_at; /* the end of a part that is cut off; UINT64_MAX: there is none */
    lvl_status status;
};

/* ---- reporting ----------------------------------------------------------------------------------------- */

static void emit_span(const struct parser *p, lvl_where where, const lvl_table *table, const lvl_field *field,
                      uint64_t at, uint64_t len)
{
    lvl_emit_span(p->sink, LVL_WWD_HEADER_SIZE + at, len,
                  (lvl_span){.space = p->packed, .where = where, .table = table, .field = field});
}

static void report(const struct parser *p, lvl_wwd_finding what, lvl_where where, uint64_t at, uint64_t len,
                   const char *fmt, ...) LVL_PRINTF(6, 7);

/* A finding about `len` bytes from `at` on, from the block's start. */
static void report(const struct parser *p, lvl_wwd_finding what, lvl_where where, uint64_t at, uint64_t len,
                   const char *fmt, ...)
{
    const uint64_t outer = p->packed ? LVL_WWD_HEADER_SIZE : 0;
    const lvl_position pos = {p->packed, (LVL_WWD_HEADER_SIZE + at) * 8, len * 8, outer, true};
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(p->findings, &lvl_wwd_findings[what], where.depth ? &where : NULL, &pos, fmt, args);
    va_end(args);
}

static bool is_zero(const uint8_t *s, size_t len)
{
    return !len || (!s[0] && !memcmp(s, s + 1, len - 1));
}

/* Emits bytes that belong to no record. */
static void emit_rest(const struct parser *p, uint64_t at, uint64_t len, const char *note)
{
    const bool padding = p->sink && is_zero(p->block.ptr + at, (size_t)len);
    const lvl_span span = {
        .space = p->packed, .role = padding ? LVL_SPAN_PADDING : LVL_SPAN_RESIDUE, .note = note};

    lvl_emit_span(p->sink, LVL_WWD_HEADER_SIZE + at, len, span);
}

/* Compares the numbers of records declared and found in a part, whose records are `len` bytes at `at`. */
static void check_count(struct parser *p, lvl_wwd_finding missing, lvl_where where, uint64_t at, uint64_t len,
                        uint64_t declared, uint64_t found, const char *records)
{
    const uint64_t end = at + len < p->block.len ? at + len : p->block.len;
    const bool hides = found > declared;

    if (declared == found)
        return;
    p->problems++;
    if (!hides)
        p->cut_at = at + len;
    report(p, hides ? LVL_WWD_F_COUNT_HIDES : missing, where, hides ? at : end, hides ? len : 0,
           "header declares %llu %s, found %llu", (unsigned long long)declared, records,
           (unsigned long long)found);
}

/* ---- places -------------------------------------------------------------------------------------------- */

/* Sets *at to where a part begins, from the block's start; false if that is outside of the block. */
static bool place(const struct parser *p, uint32_t offset, uint64_t *at)
{
    *at = (uint64_t)offset - LVL_WWD_HEADER_SIZE;
    const bool inside = offset >= LVL_WWD_HEADER_SIZE && *at <= p->block.len;
    if (p->mode == IN_ORDER || (p->mode == RECOVER && !inside)) {
        *at = p->next;
        return true;
    }
    return inside;
}

/* Adds a claim; false if parts overlap more than a few times, which only happens in hostile files. */
static bool claim_bytes(struct parser *p, uint64_t at, uint64_t len)
{
    if (len > p->budget)
        return false;
    /* of an empty part, `at` may be anywhere */
    if (!len)
        return true;
    p->budget -= len;
    p->claims[p->claim_count++] = (claim){at, len};
    if (at + len > p->end)
        p->end = at + len;
    p->next = at + len;
    return true;
}

/* ---- starts of parts ----------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void add_start(struct parser *p, uint32_t offset, bool used)
{
    uint64_t at = (uint64_t)offset - LVL_WWD_HEADER_SIZE;

    if ((used || p->mode == RECOVER) && offset >= LVL_WWD_HEADER_SIZE && at < p->block.len)
        p->starts[p->start_count++] = at;
}

static void add_starts(struct parser *p, const lvl_wwd_plane *plane)
{
    add_start(p, plane->tiles_offset, plane->tiles_wide > 0 && plane->tiles_high > 0);
    add_start(p, plane->image_sets_offset, plane->image_sets_declared != 0);
    add_start(p, plane->objects_offset, plane->objects_declared != 0);
}

/* The index of the first start after `at`. */
static uint32_t start_after(const struct parser *p, uint64_t at)
{
    size_t next;

    LVL_LOWER_BOUND(next, p->start_count, p->starts[next] <= at);
    return (uint32_t)next;
}

/* Whether another part begins at `at`, besides the part with this offset. */
static bool is_of_another(const struct parser *p, uint32_t offset, uint64_t at)
{
    const uint32_t next = start_after(p, at), own = offset == LVL_WWD_HEADER_SIZE + at;

    return next > own && p->starts[next - 1 - own] == at;
}

/* Where the part at `at` ends at the latest: where the next part begins, or at the end of the block. IN_ORDER
 * the starts of parts are not known. */
static uint64_t end_of_part(const struct parser *p, uint64_t at)
{
    const uint32_t next = start_after(p, at);

    return p->mode != IN_ORDER && next < p->start_count ? p->starts[next] : p->block.len;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

/* RECOVER: changes the columns and rows if those of the header do not fill the bytes up to the next part and
 * others do. */
static void correct_shape(struct parser *p, uint32_t index, uint64_t at, uint64_t *wide, uint64_t *high)
{
    const lvl_wwd_plane *plane = &p->wwd->planes[index];
    const uint64_t end = end_of_part(p, at), len = end - at;

    if (end == p->block.len || is_of_another(p, plane->tiles_offset, at) || len % 4 ||
        *wide * *high == len / 4 || !lvl_wwd_tiles_shape(plane, len / 4, wide, high))
        return;
    p->problems++;
    report(p, LVL_WWD_F_TILES_SHAPE, LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, tiles), at, len,
           "header declares %d by %d tiles, found %llu by %llu", plane->tiles_wide, plane->tiles_high,
           (unsigned long long)*wide, (unsigned long long)*high);
}

static void read_tiles(struct parser *p, uint32_t index)
{
    const lvl_where where = LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, tiles);
    lvl_wwd_plane *plane = &p->wwd->planes[index];
    uint64_t at, wide = 0, high = 0, rows = 0;

    plane->tiles.size = 4;
    if (plane->tiles_wide > 0 && plane->tiles_high > 0) {
        wide = (uint64_t)plane->tiles_wide;
        high = (uint64_t)plane->tiles_high;
    }
    bool inside = place(p, plane->tiles_offset, &at);
    if (p->mode == RECOVER)
        correct_shape(p, index, at, &wide, &high);
    if (!wide)
        return;
    if (inside)
        rows = (p->block.len - at) / (wide * 4);
    if (rows > high)
        rows = high;
    const uint64_t limit = lvl_limits_of(p->doc->ctx).cells;
    if (wide * rows > limit) {
        p->status = lvl_refuse(p->doc->ctx, LVL_LIMIT_CELLS, limit, wide * rows);
        return;
    }
    if (rows && !claim_bytes(p, at, rows * wide * 4))
        rows = 0;
    check_count(p, LVL_WWD_F_TILES_CUT, where, inside ? at : p->block.len, rows * wide * 4, high, rows,
                "rows");
    if (!rows)
        return;
    plane->tiles.ptr = p->block.ptr + at;
    plane->tiles.width = (uint32_t)wide;
    plane->tiles.height = (uint32_t)rows;
    emit_span(p, where, NULL, LVL_FIELD(lvl_wwd_plane, tiles), at, rows * wide * 4);
}

static bool is_printable(const uint8_t *s, const uint8_t *end)
{
    while (s < end && *s >= 0x20)
        s++;
    return s == end;
}

static void read_image_sets(struct parser *p, uint32_t index)
{
    const lvl_field *field = LVL_FIELD(lvl_wwd_plane, image_sets);
    lvl_wwd_plane *plane = &p->wwd->planes[index];
    uint64_t at;
    uint32_t n = 0;

    bool inside = place(p, plane->image_sets_offset, &at);
    const uint64_t part_end = inside ? end_of_part(p, at) : 0;
    const bool all = p->mode == RECOVER && inside && part_end < p->block.len &&
                     (plane->image_sets_declared || !is_of_another(p, plane->image_sets_offset, at));
    if (!plane->image_sets_declared && !all)
        return;
    const uint8_t *from = p->block.ptr + (inside ? at : 0), *s = from, *end = p->block.ptr + part_end;
    while (inside && (n < plane->image_sets_declared || all) && s < end) {
        const uint8_t *nul = memchr(s, 0, (size_t)(end - s));
        if (!nul || (n >= plane->image_sets_declared && !is_printable(s, nul)) ||
            (p->mode == IN_ORDER && nul - s > LONGEST_NAME))
            break;
        s = nul + 1;
        n++;
    }
    /* too few names, and they belong to another plane: this one has none */
    if (p->mode == RECOVER && n < plane->image_sets_declared &&
        is_of_another(p, plane->image_sets_offset, at))
        n = 0;
    if (n && !claim_bytes(p, at, (uint64_t)(s - from)))
        n = 0;
    check_count(p, LVL_WWD_F_IMAGE_SETS_CUT, LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, image_sets), at,
                n ? (uint64_t)(s - from) : 0, plane->image_sets_declared, n, "image sets");
    if (!n)
        return;
    plane->image_sets = lvl_arena_raw(&p->doc->arena, (size_t)n * sizeof *plane->image_sets);
    if (!plane->image_sets) {
        p->status = LVL_ERR_MEMORY;
        return;
    }
    plane->image_set_count = n;
    s = from;
    for (uint32_t i = 0; i < n; i++) {
        lvl_text *t = &plane->image_sets[i];
        t->ptr = (const char *)s;
        t->len = strlen(t->ptr);
        if (p->sink)
            emit_span(p, lvl_where_to(lvl_wwd_at_plane(index), field, i), NULL, field,
                      (uint64_t)(s - p->block.ptr), t->len + 1);
        s += t->len + 1;
    }
}

static void emit_object(const struct parser *p, const lvl_wwd_object *o, uint32_t plane, uint32_t index,
                        uint64_t at)
{
    const lvl_where where = lvl_wwd_at_object(plane, index);

    emit_span(p, where, &lvl_wwd_object_table, NULL, at, LVL_WWD_OBJECT_SIZE);
    at += LVL_WWD_OBJECT_SIZE;
    for (size_t i = 0; i < LVL_WWD_OBJECT_TEXTS; i++) {
        const lvl_field *f = lvl_table_at(&lvl_wwd_object_table, LVL_WWD_TEXT_AT(i));
        const size_t len = lvl_wwd_object_text(o, i).len;
        emit_span(p, lvl_where_to(where, f, LVL_NO_INDEX), NULL, f, at, len);
        at += len;
    }
}

/* Loads the object at s, whose texts have these lengths; returns its end. */
static const uint8_t *load_object(lvl_wwd_object *o, const uint8_t *s, const uint32_t len[4])
{
    lvl_disk_load(o, &lvl_wwd_object_table, s, LVL_WWD_OBJECT_SIZE);
    s += LVL_WWD_OBJECT_SIZE;
    for (size_t i = 0; i < LVL_WWD_OBJECT_TEXTS; i++) {
        *(lvl_text *)(void *)((uint8_t *)o + LVL_WWD_TEXT_AT(i)) = (lvl_text){(const char *)s, len[i]};
        s += len[i];
    }
    return s;
}

/* Loads the objects from `at` to the end of the part, at most n; returns their number, and *used gets their
 * size. */
static uint32_t load_objects(struct parser *p, lvl_wwd_object *objects, uint32_t n, uint64_t at,
                             uint64_t part_end, uint64_t *used)
{
    const uint8_t *s = p->block.ptr + at, *end = p->block.ptr + part_end;
    uint32_t len[4], i;

    for (i = 0; i < n && lvl_wwd_record_size(s, (uint64_t)(end - s), len); i++)
        s = load_object(&objects[i], s, len);
    *used = (uint64_t)(s - p->block.ptr) - at;
    return i;
}

static void report_lengths(struct parser *p, const lvl_wwd_object *o, uint32_t plane, uint32_t index,
                           uint64_t at, uint64_t size)
{
    const lvl_where where = lvl_wwd_at_object(plane, index);

    p->problems++;
    report(p, LVL_WWD_F_OBJECT_LENGTH, where, at, size,
           "lengths are %u, %u, %u and %u; expected %u, %u, %u and %u by the next object", o->name_size,
           o->logic_size, o->image_set_size, o->animation_size, (unsigned)o->name.len, (unsigned)o->logic.len,
           (unsigned)o->image_set.len, (unsigned)o->animation.len);
}

static void add_gap(struct parser *p, uint64_t at, uint64_t len)
{
    const lvl_wwd_gap gap = {{p->block.ptr + at, (size_t)len}};

    lvl_buffer_add(&p->gaps, &gap, sizeof gap);
}

/* Skips bytes before object `index` that are not an object. */
static void skip_bytes(struct parser *p, uint32_t plane, uint32_t index, uint64_t at, uint64_t len)
{
    const lvl_where where = lvl_wwd_at_object(plane, index);

    p->problems++;
    add_gap(p, at, len);
    report(p, LVL_WWD_F_OBJECTS_SKIPPED, where, at, len, "%llu bytes are not an object; skipped",
           (unsigned long long)len);
    emit_rest(p, at, len, "no object");
}

/* RECOVER: the same for objects with wrong lengths and other bytes between them. */
static uint32_t recover_objects(struct parser *p, uint32_t plane, lvl_wwd_object *objects, uint32_t n,
                                uint64_t at, uint64_t part_end, uint64_t *used)
{
    const lvl_wwd_scan scan = {p->block.ptr, part_end, part_end < p->block.len, &p->work};
    const uint64_t from = at;
    lvl_wwd_found found;
    uint32_t i = 0;

    for (; i < n && lvl_wwd_next_object(&scan, at, &found); at += found.size) {
        if (found.kind == LVL_WWD_FOUND_JUNK) {
            if (at + found.size == part_end && i >= p->wwd->planes[plane].objects_declared)
                break; /* a gap after the last object */
            skip_bytes(p, plane, i, at, found.size);
            continue;
        }
        load_object(&objects[i], p->block.ptr + at, found.text);
        if (found.kind == LVL_WWD_FOUND_LENGTHS)
            report_lengths(p, &objects[i], plane, i, at, found.size);
        i++;
    }
    *used = at - from;
    return i;
}

/* RECOVER: whether objects begin where the header declares none. */
static bool has_objects(struct parser *p, const lvl_wwd_plane *plane, uint64_t at, uint64_t end)
{
    if (is_of_another(p, plane->objects_offset, at))
        return false;
    const lvl_wwd_scan scan = {p->block.ptr, end, end < p->block.len, &p->work};

    return lvl_wwd_begins_objects(&scan, at);
}

static void read_objects(struct parser *p, uint32_t index)
{
    lvl_wwd_plane *plane = &p->wwd->planes[index];
    const uint32_t want = plane->objects_declared;
    uint64_t at, used = 0, limit = lvl_limits_of(p->doc->ctx).items;

    bool inside = place(p, plane->objects_offset, &at);
    /* if the count is too high, the parts that follow are not read as objects */
    const uint64_t end = inside ? end_of_part(p, at) : 0;
    if (!want && !(p->mode == RECOVER && inside && has_objects(p, plane, at, end)))
        return;
    const uint64_t room = inside ? (end - at) / LVL_WWD_OBJECT_SIZE : 0;
    uint64_t n = p->mode != RECOVER && want < room ? want : room;
    if (n > limit) /* one more than the limit is enough to be refused */
        n = limit + 1;
    /* the budget bounds the memory of all objects */
    if (n * LVL_WWD_OBJECT_SIZE > p->budget || n > UINT32_MAX)
        n = 0;
    if (n) {
        plane->objects = lvl_arena_raw(&p->doc->arena, (size_t)n * sizeof *plane->objects);
        if (!plane->objects) {
            p->status = LVL_ERR_MEMORY;
            return;
        }
        const uint32_t got = p->mode == RECOVER
                                 ? recover_objects(p, index, plane->objects, (uint32_t)n, at, end, &used)
                                 : load_objects(p, plane->objects, (uint32_t)n, at, end, &used);
        const uint64_t unused = (n - got) * LVL_WWD_OBJECT_SIZE;
        n = claim_bytes(p, at, used) ? got : 0;
        p->budget -= unused < p->budget ? unused : p->budget;
        plane->object_count = (uint32_t)n;
    }
    if (n > limit) {
        p->status = lvl_refuse(p->doc->ctx, LVL_LIMIT_ITEMS, limit, 0);
        return;
    }
    check_count(p, LVL_WWD_F_OBJECTS_CUT, LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, objects), at, used,
                want, n, "objects");
    for (uint32_t i = 0; p->sink && i < n; i++) {
        const lvl_wwd_object *o = &plane->objects[i];
        emit_object(p, o, index, i,
                    (uint64_t)((const uint8_t *)o->name.ptr - p->block.ptr) - LVL_WWD_OBJECT_SIZE);
    }
}

/* Bytes of the tile property at s, 0 if it is cut off or of an unknown type. */
static uint64_t property_size(const uint8_t *s, uint64_t left)
{
    const uint32_t type = left < 16 ? 0 : lvl_load_u32le(s);
    uint64_t size = lvl_wwd_property_fixed(type);

    if (type == LVL_WWD_TILE_MASK)
        size += (uint64_t)lvl_load_u32le(s + 8) * lvl_load_u32le(s + 12);
    return type >= LVL_WWD_TILE_SINGLE && type <= LVL_WWD_TILE_MASK && size <= left ? size : 0;
}

static void load_property(lvl_wwd_tile_property *t, const uint8_t *s)
{
    memset(t, 0, sizeof *t);
    lvl_disk_load(t, &lvl_wwd_tile_property_table, s, lvl_wwd_property_fixed(lvl_load_u32le(s)));
    if (t->type != LVL_WWD_TILE_MASK)
        return;
    t->mask.size = 1;
    if (t->width && t->height)
        t->mask = (lvl_cells){s + 16, t->width, t->height, 1};
}

static void emit_property(const struct parser *p, const lvl_wwd_tile_property *t, uint32_t index, uint64_t at)
{
    const lvl_where where = lvl_wwd_at_property(index);
    const lvl_field *mask = LVL_FIELD(lvl_wwd_tile_property, mask);
    const uint64_t size = lvl_wwd_property_size(t), fixed = lvl_wwd_property_fixed(t->type);

    emit_span(p, where, &lvl_wwd_tile_property_table, NULL, at, fixed);
    emit_span(p, lvl_where_to(where, mask, LVL_NO_INDEX), NULL, mask, at + fixed, size - fixed);
}

/* Whether the table of tile properties begins at `at`. If that is not where its offset says, its header must
 * be correct. */
static bool is_property_header(const struct parser *p, uint64_t at)
{
    const uint32_t size = lvl_load_u32le(p->block.ptr + at);
    const bool by_offset = p->mode != RECOVER || at + LVL_WWD_HEADER_SIZE == p->wwd->tile_properties_offset;

    return by_offset ? size != 0 : size == LVL_WWD_TILE_HEADER_SIZE;
}

/* Whether these bytes after a stored block may be no part of it: there are none, a line end or WapMap's
 * trailer. */
static bool is_trailer(const uint8_t *s, uint64_t len)
{
    static const char wapmap[] = "<wm_meta>";
    const size_t n = sizeof wapmap - 1;

    return len <= 2 || (len > n && !memcmp(s, wapmap, n));
}

/* RECOVER: the number of properties that follow the declared ones up to the end of the block, and their size.
 * 0 if other bytes follow. */
static uint32_t more_properties(const struct parser *p, const uint8_t *s, uint64_t left, uint64_t *size)
{
    uint64_t one;
    uint32_t n = 0;

    *size = 0;
    while (n < UINT32_MAX / 2 && (one = property_size(s + *size, left - *size)) != 0) {
        *size += one;
        n++;
    }
    if (!p->packed ? is_trailer(s + *size, left - *size) : *size == left)
        return n;
    *size = 0;
    return 0;
}

static void read_properties(struct parser *p)
{
    lvl_wwd *wwd = p->wwd;
    lvl_wwd_tile_header *head = &wwd->tile_header;
    uint64_t at, left, size;
    uint32_t n = 0;

    /* header_size 0 means that there is no table, so a header with that number is not read */
    memset(head, 0, sizeof *head);
    if (!place(p, wwd->tile_properties_offset, &at) || p->block.len - at < LVL_WWD_TILE_HEADER_SIZE ||
        !is_property_header(p, at) || !claim_bytes(p, at, LVL_WWD_TILE_HEADER_SIZE)) {
        p->problems++;
        report(p, LVL_WWD_F_PROPERTIES_CUT, LVL_AT_ROOT(lvl_wwd, tile_properties), p->block.len, 0,
               "the table of tile properties is missing");
        return;
    }
    lvl_disk_load(head, &lvl_wwd_tile_header_table, p->block.ptr + at, LVL_WWD_TILE_HEADER_SIZE);
    emit_span(p, LVL_AT_ROOT(lvl_wwd, tile_header), &lvl_wwd_tile_header_table, NULL, at,
              LVL_WWD_TILE_HEADER_SIZE);
    at += LVL_WWD_TILE_HEADER_SIZE;
    const uint8_t *from = p->block.ptr + at, *s = from;
    left = p->block.len - at;
    for (; n < head->declared && (size = property_size(s, left)) != 0; n++) {
        s += size;
        left -= size;
    }
    if (n == head->declared && p->mode == RECOVER) {
        n += more_properties(p, s, left, &size);
        s += size;
        left -= size;
    }
    uint64_t limit = lvl_limits_of(p->doc->ctx).items;
    if (!claim_bytes(p, at, (uint64_t)(s - from)))
        n = 0;
    p->properties_end = at + (uint64_t)(s - from);
    if (n > limit) {
        p->status = lvl_refuse(p->doc->ctx, LVL_LIMIT_ITEMS, limit, n);
        return;
    }
    const bool unknown = left >= 16 && lvl_load_u32le(s) - 1 > 2;
    check_count(p, unknown ? LVL_WWD_F_PROPERTY_TYPE : LVL_WWD_F_PROPERTIES_CUT,
                LVL_AT_ROOT(lvl_wwd, tile_properties), at, (uint64_t)(s - from), head->declared, n,
                "tile properties");
    wwd->tile_properties = lvl_arena_raw(&p->doc->arena, (size_t)n * sizeof *wwd->tile_properties);
    if (!wwd->tile_properties) {
        p->status = LVL_ERR_MEMORY;
        return;
    }
    wwd->tile_property_count = n;
    s = from;
    for (uint32_t i = 0; i < n; i++) {
        lvl_wwd_tile_property *t = &wwd->tile_properties[i];
        load_property(t, s);
        if (p->sink)
            emit_property(p, t, i, (uint64_t)(s - p->block.ptr));
        s += lvl_wwd_property_size(t);
    }
}

/* The number of plane headers among the n records from `at` on, of which the header may declare too many.
 * They end before a record that neither begins with the size of a plane header nor ends before the first part
 * that an earlier plane points to. Planes beyond the declared ones must meet both conditions. */
static uint32_t count_planes(struct parser *p, uint64_t at, uint32_t n)
{
    const uint32_t declared = p->wwd->planes_declared;
    uint64_t first_part = UINT64_MAX, next = at;
    lvl_wwd_plane plane;

    for (uint32_t i = 0; i < n; i++, next += LVL_WWD_PLANE_SIZE) {
        const uint8_t *s = p->block.ptr + next;
        const bool is_header = lvl_load_u32le(s) == LVL_WWD_PLANE_SIZE;
        if (next + LVL_WWD_PLANE_SIZE > first_part && (!is_header || i >= declared))
            return i;
        if (i >= declared && !is_header)
            return i;
        lvl_disk_load(&plane, &lvl_wwd_plane_table, s, LVL_WWD_PLANE_SIZE);
        p->start_count = 0;
        add_starts(p, &plane);
        for (uint32_t j = 0; j < p->start_count; j++) {
            if (p->starts[j] > at && p->starts[j] < first_part)
                first_part = p->starts[j];
        }
    }
    return n;
}

static void read_planes(struct parser *p)
{
    lvl_wwd *wwd = p->wwd;
    uint64_t at, n = wwd->planes_declared, room = 0;

    if (place(p, wwd->planes_offset, &at))
        room = (p->block.len - at) / LVL_WWD_PLANE_SIZE;
    if (n > room || p->mode == RECOVER)
        n = room;
    /* n is bounded by the size of the block */
    p->starts = lvl_mem_alloc(p->doc->ctx, ((size_t)n * 3 + 3) * sizeof *p->starts);
    if (!p->starts) {
        p->status = LVL_ERR_MEMORY;
        return;
    }
    n = count_planes(p, at, (uint32_t)n);
    wwd->planes = lvl_arena_array(&p->doc->arena, (size_t)n, sizeof *wwd->planes);
    p->claims = lvl_mem_alloc(p->doc->ctx, ((size_t)n * 3 + 3) * sizeof *p->claims);
    if (!wwd->planes || !p->claims) {
        p->status = LVL_ERR_MEMORY;
        return;
    }
    wwd->plane_count = (uint32_t)n;
    claim_bytes(p, at, n * LVL_WWD_PLANE_SIZE);
    check_count(p, LVL_WWD_F_PLANES_CUT, LVL_AT_ROOT(lvl_wwd, planes), room ? at : p->block.len,
                n * LVL_WWD_PLANE_SIZE, wwd->planes_declared, n, "planes");
    p->start_count = 0;
    for (uint32_t i = 0; i < n; i++) {
        lvl_disk_load(&wwd->planes[i], &lvl_wwd_plane_table, p->block.ptr + at, LVL_WWD_PLANE_SIZE);
        add_starts(p, &wwd->planes[i]);
        if (p->sink)
            emit_span(p, lvl_wwd_at_plane(i), &lvl_wwd_plane_table, NULL, at, LVL_WWD_PLANE_SIZE);
        at += LVL_WWD_PLANE_SIZE;
    }
    add_start(p, wwd->tile_properties_offset, true);
    qsort(p->starts, p->start_count, sizeof *p->starts, by_number);
}

/* ---- gaps ---------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const claim *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->len < y->len ? -1 : x->len > y->len;
}

static void note_gap(struct parser *p, uint64_t at, uint64_t len)
{
    const bool has_content =
        len >= SMALLEST_RECORD && at != p->cut_at && !is_zero(p->block.ptr + at, (size_t)len);

    add_gap(p, at, len);
    report(p, has_content ? LVL_WWD_F_GAP_CONTENT : LVL_WWD_F_GAP, lvl_where_root(), at, len,
           "%llu bytes that nothing refers to", (unsigned long long)len);
    emit_rest(p, at, len, "unreferenced bytes");
}

static int by_address(const void *a, const void *b)
{
    const lvl_wwd_gap *x = a, *y = b;

    return x->bytes.ptr < y->bytes.ptr ? -1 : x->bytes.ptr > y->bytes.ptr;
}

/* Makes a list of the gaps between the parts. A complete stored block ends with its last part; the trailer
 * follows. */
static void find_gaps(struct parser *p)
{
    uint64_t pos = 0, len = p->block.len;
    const size_t skipped = p->gaps.len;
    uint32_t overlaps = 0;

    qsort(p->claims, p->claim_count, sizeof *p->claims, by_place);
    const bool clean = is_trailer(p->block.ptr + p->end, len - p->end);
    if (!p->packed && (!p->problems || clean))
        len = p->end;
    /* perhaps more tile properties than declared */
    if (!p->packed && !clean && p->mode == BY_OFFSET && p->claim_count && p->properties_end == p->end)
        p->problems++;
    for (uint32_t i = 0; i < p->claim_count; i++) {
        const claim *c = &p->claims[i];
        if (c->at > pos)
            note_gap(p, pos, c->at - pos);
        overlaps += c->at < pos;
        if (c->at + c->len > pos)
            pos = c->at + c->len;
    }
    if (pos < len)
        note_gap(p, pos, len - pos);
    if (overlaps)
        report(p, LVL_WWD_F_OVERLAP, lvl_where_root(), 0, 0, "%u parts overlap others", overlaps);
    p->problems += (uint32_t)((p->gaps.len - skipped) / sizeof(lvl_wwd_gap)) + overlaps;
    p->end = len;
    if (p->gaps.status != LVL_OK) {
        p->status = p->gaps.status;
        return;
    }
    if (!p->gaps.len)
        return;
    p->wwd->gaps = lvl_arena_raw(&p->doc->arena, p->gaps.len);
    if (!p->wwd->gaps) {
        p->status = LVL_ERR_MEMORY;
        return;
    }
    memcpy(p->wwd->gaps, p->gaps.data, p->gaps.len);
    p->wwd->gap_count = (uint32_t)(p->gaps.len / sizeof(lvl_wwd_gap));
    qsort(p->wwd->gaps, p->wwd->gap_count, sizeof *p->wwd->gaps, by_address);
}

/* ---- offsets ------------------------------------------------------------------------------------------- */

struct offsets {
    struct parser *p;
    uint32_t unusual;
};

static void compare_region(void *user, const lvl_wwd_region *region)
{
    struct offsets *o = user;
    const uint64_t value = (uint64_t)lvl_get_int(region->record, region->field);

    if (value == region->usual)
        return;
    o->unusual++;
    if (o->p->mode == IN_ORDER && o->p->findings) {
        const lvl_where where = region->plane
                                    ? lvl_wwd_at_plane((uint32_t)(region->plane - o->p->wwd->planes))
                                    : lvl_where_root();
        const lvl_where w = lvl_where_to(where, region->field, LVL_NO_INDEX);
        lvl_findings_add(o->p->findings, &lvl_wwd_findings[LVL_WWD_F_OFFSET_WRONG], &w, NULL,
                         "found 0x%llx, expected 0x%llx, where the data is", (unsigned long long)value,
                         (unsigned long long)region->usual);
    }
}

/* The number of offsets that differ from those that editors write. Reports each wrong one, an unusual order
 * once. */
static uint32_t compare_offsets(struct parser *p)
{
    struct offsets o = {p, 0};

    lvl_wwd_layout(p->wwd, compare_region, &o);
    if (o.unusual && p->findings && p->mode == BY_OFFSET && !p->problems)
        lvl_findings_add(p->findings, &lvl_wwd_findings[LVL_WWD_F_LAYOUT], NULL, NULL,
                         "%u offsets differ from those that editors write", o.unusual);
    return o.unusual;
}

/* Whether the usual order fits to the end of the block, or to a trailer after a stored one. */
static bool fits(const struct parser *p)
{
    return !p->problems && p->wwd->tile_header.header_size == LVL_WWD_TILE_HEADER_SIZE &&
           is_trailer(p->block.ptr + p->end, p->block.len - p->end);
}

/* ---- the block ----------------------------------------------------------------------------------------- */

/* Reads the block in one of the modes, and counts p->problems. */
static lvl_status parse(struct parser *p, mode how, lvl_sink *sink, lvl_findings *findings)
{
    lvl_wwd *wwd = p->wwd;

    p->mode = how;
    p->sink = sink;
    p->findings = findings;
    p->next = p->end = p->properties_end = 0;
    p->cut_at = UINT64_MAX;
    p->problems = 0;
    p->claim_count = 0;
    p->status = LVL_OK;
    p->budget = (uint64_t)p->block.len * 4 + 4096;
    p->work = lvl_work_begin(p->doc->ctx);
    const uint64_t most = (uint64_t)p->block.len * 16 + 4096;
    if (p->work.left > most)
        p->work.left = most;
    wwd->plane_count = wwd->tile_property_count = wwd->gap_count = 0;
    wwd->planes = NULL;
    wwd->tile_properties = NULL;
    wwd->gaps = NULL;
    read_planes(p);
    for (uint32_t i = 0; i < wwd->plane_count && p->status == LVL_OK; i++)
        read_tiles(p, i);
    for (uint32_t i = 0; i < wwd->plane_count && p->status == LVL_OK; i++)
        read_image_sets(p, i);
    for (uint32_t i = 0; i < wwd->plane_count && p->status == LVL_OK; i++)
        read_objects(p, i);
    if (p->status == LVL_OK)
        read_properties(p);
    if (p->status == LVL_OK)
        find_gaps(p);
    if (p->status == LVL_OK && p->work.status == LVL_ERR_STOPPED)
        p->status = LVL_ERR_STOPPED;
    lvl_mem_free(p->doc->ctx, p->claims);
    lvl_mem_free(p->doc->ctx, p->starts);
    lvl_buffer_free(&p->gaps);
    p->claims = NULL;
    p->starts = NULL;
    return p->status;
}

lvl_status lvl_wwd_block_read(lvl_doc *doc, lvl_bytes block, bool packed, lvl_sink *sink,
                              lvl_findings *findings, lvl_block_result *result)
{
    struct parser p = {.doc = doc, .wwd = doc->root, .block = block, .packed = packed};

    mode how = BY_OFFSET;
    uint32_t offsets = UINT32_MAX;
    lvl_status status = parse(&p, how, NULL, NULL);
    if (status == LVL_OK && p.problems) {
        status = parse(&p, IN_ORDER, NULL, NULL);
        if (status == LVL_OK && fits(&p))
            offsets = compare_offsets(&p);
        /* the mode with fewer errors */
        if (status == LVL_OK && offsets > 1)
            status = parse(&p, RECOVER, NULL, NULL);
        how = offsets > 1 && p.problems < offsets ? RECOVER : IN_ORDER;
    }
    /* once more, with findings */
    if (status == LVL_OK && (sink || how != BY_OFFSET))
        status = parse(&p, how, sink, findings);
    if (status != LVL_OK)
        return status;
    p.findings = findings;
    result->end = p.end;
    result->usual = (findings || !packed) && !compare_offsets(&p) && !p.problems;
    return LVL_OK;
}
