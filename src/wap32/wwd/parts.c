/*
 * wap32/wwd/parts.c: see wap32/wwd/parts.h.
 *
 * Each part is read in the same steps: find its position; count the records that are there, up to the
 * declared number or, BY_CONTENT, up to the next part; claim their bytes; compare their number with the
 * declared one; load them.
 */
#include "wap32/wwd/parts.h"

#include "base/cursor.h"
#include "base/disk.h"
#include "wap32/wwd/recover.h"

enum { MAX_NAME = 255 /* longest name of an image set; longer ones are tiles */ };

/* Compares the declared and the found number of records in a part; the records found are `len` bytes at
 * `at`. */
static void check_count(lvl_wwd_parser *p, lvl_wwd_finding missing, lvl_where where, uint64_t at,
                        uint64_t len, uint64_t declared, uint64_t found, const char *records)
{
    const uint64_t end = at + len < p->block.len ? at + len : p->block.len;
    const bool hides = found > declared;

    if (declared == found)
        return;
    p->problems++;
    if (!hides)
        p->cut_at = at + len;
    lvl_wwd_report_part(p, hides ? LVL_WWD_F_COUNT_HIDES : missing, where, hides ? at : end, hides ? len : 0,
                        "header declares %llu %s, found %llu: %s", (unsigned long long)declared, records,
                        (unsigned long long)found,
                        hides ? "games ignore the others"
                        : missing == LVL_WWD_F_PROPERTY_TYPE
                            ? "the game does not load the level"
                            : "the others are missing, or the number is wrong");
}

static void refuse(lvl_wwd_parser *p, lvl_limit limit, uint64_t allowed, uint64_t wanted)
{
    p->status = lvl_refuse(p->doc->ctx, limit, allowed, wanted);
}

/* Allocates records of a part in the document's memory, not cleared; NULL: see p->status. */
static void *reserve_records(lvl_wwd_parser *p, uint64_t count, size_t size)
{
    void *records = lvl_arena_raw(&p->doc->arena, (size_t)count * size);

    if (!records)
        p->status = LVL_ERR_MEMORY;
    return records;
}

/* ---- planes -------------------------------------------------------------------------------------------- */

/* The first of the parts of a plane that begin after `at`; UINT64_MAX: there is none. */
static uint64_t first_start(lvl_wwd_parser *p, const lvl_wwd_plane *plane, uint64_t at)
{
    uint64_t first = UINT64_MAX;

    p->start_count = 0;
    lvl_wwd_add_starts(p, plane);
    for (uint32_t i = 0; i < p->start_count; i++) {
        if (p->starts[i] > at && p->starts[i] < first)
            first = p->starts[i];
    }
    return first;
}

/* The number of plane headers among the n records at `at`, which may be fewer than declared. They end before
 * a record that neither begins with the size of a plane header nor ends before the first part that an earlier
 * plane points to. Planes beyond the declared number must meet both conditions. */
static uint32_t count_planes(lvl_wwd_parser *p, uint64_t at, uint32_t n)
{
    const uint32_t declared = p->wwd->planes_declared;
    uint64_t first_part = UINT64_MAX, next = at;
    lvl_wwd_plane plane;

    for (uint32_t i = 0; i < n; i++, next += LVL_WWD_PLANE_SIZE) {
        const uint8_t *s = p->block.ptr + next;
        const bool is_header = lvl_load_u32le(s) == LVL_WWD_PLANE_SIZE;
        const bool fits = next + LVL_WWD_PLANE_SIZE <= first_part;
        if (i < declared ? !is_header && !fits : !is_header || !fits)
            return i;
        lvl_disk_load(&plane, &lvl_wwd_plane_table, s, LVL_WWD_PLANE_SIZE);
        const uint64_t first = first_start(p, &plane, at);
        first_part = first < first_part ? first : first_part;
    }
    return n;
}

static void load_planes(lvl_wwd_parser *p, uint64_t at)
{
    p->start_count = 0;
    for (uint32_t i = 0; i < p->wwd->plane_count; i++, at += LVL_WWD_PLANE_SIZE) {
        lvl_wwd_plane *plane = &p->wwd->planes[i];
        lvl_disk_load(plane, &lvl_wwd_plane_table, p->block.ptr + at, LVL_WWD_PLANE_SIZE);
        lvl_wwd_add_starts(p, plane);
        if (p->sink)
            lvl_wwd_emit_part(p, lvl_wwd_at_plane(i), &lvl_wwd_plane_table, NULL, at, LVL_WWD_PLANE_SIZE);
    }
    lvl_wwd_sort_starts(p);
}

void lvl_wwd_read_planes(lvl_wwd_parser *p)
{
    lvl_wwd *wwd = p->wwd;
    uint64_t at;

    const bool inside = lvl_wwd_place(p, wwd->planes_offset, &at);
    const uint64_t fit = inside ? (p->block.len - at) / LVL_WWD_PLANE_SIZE : 0;
    const bool all = wwd->planes_declared > fit || p->mode == LVL_WWD_BY_CONTENT;
    uint32_t n = all ? (uint32_t)fit : wwd->planes_declared;
    if (!lvl_wwd_reserve_places(p, n))
        return;
    n = count_planes(p, at, n);
    wwd->planes = lvl_arena_array(&p->doc->arena, n, sizeof *wwd->planes);
    if (!wwd->planes) {
        p->status = LVL_ERR_MEMORY;
        return;
    }
    wwd->plane_count = n;
    const uint64_t size = (uint64_t)n * LVL_WWD_PLANE_SIZE;
    lvl_wwd_claim_bytes(p, at, size);
    check_count(p, LVL_WWD_F_PLANES_CUT, LVL_AT_ROOT(lvl_wwd, planes), fit ? at : p->block.len, size,
                wwd->planes_declared, n, "planes");
    load_planes(p, at);
}

/* ---- tiles --------------------------------------------------------------------------------------------- */

typedef struct shape {
    uint64_t wide, high;
} shape;

/* The declared shape or, BY_CONTENT, another one if that fills the bytes up to the next part and the declared
 * one does not. */
static shape shape_of_tiles(lvl_wwd_parser *p, uint32_t index, uint64_t at)
{
    const lvl_wwd_plane *plane = &p->wwd->planes[index];
    const bool any = plane->tiles_wide > 0 && plane->tiles_high > 0;
    shape s = any ? (shape){(uint64_t)plane->tiles_wide, (uint64_t)plane->tiles_high} : (shape){0, 0};

    if (p->mode != LVL_WWD_BY_CONTENT)
        return s;
    const uint64_t end = lvl_wwd_part_limit(p, at), len = end - at;
    if (end == p->block.len || lvl_wwd_is_shared(p, plane->tiles_offset, at) || len % 4 ||
        s.wide * s.high == len / 4 || !lvl_wwd_tiles_shape(plane, len / 4, &s.wide, &s.high))
        return s;
    p->problems++;
    lvl_wwd_report_part(
        p, LVL_WWD_F_TILES_SHAPE, LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, tiles), at, len,
        "header declares %d by %d tiles, found %llu by %llu: games read other bytes as tiles",
        plane->tiles_wide, plane->tiles_high, (unsigned long long)s.wide, (unsigned long long)s.high);
    return s;
}

void lvl_wwd_read_tiles(lvl_wwd_parser *p, uint32_t index)
{
    const lvl_where where = LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, tiles);
    const uint64_t limit = lvl_limits_of(p->doc->ctx).cells;
    lvl_wwd_plane *plane = &p->wwd->planes[index];
    uint64_t at;

    plane->tiles.size = 4;
    const bool inside = lvl_wwd_place(p, plane->tiles_offset, &at);
    const shape s = shape_of_tiles(p, index, at);
    if (!s.wide)
        return;
    const uint64_t fit = inside ? (p->block.len - at) / (s.wide * 4) : 0;
    uint64_t rows = fit < s.high ? fit : s.high;
    if (s.wide * rows > limit) {
        refuse(p, LVL_LIMIT_CELLS, limit, s.wide * rows);
        return;
    }
    if (!lvl_wwd_claim_bytes(p, at, rows * s.wide * 4))
        rows = 0;
    check_count(p, LVL_WWD_F_TILES_CUT, where, inside ? at : p->block.len, rows * s.wide * 4, s.high, rows,
                "rows");
    if (!rows)
        return;
    plane->tiles.ptr = p->block.ptr + at;
    plane->tiles.width = (uint32_t)s.wide;
    plane->tiles.height = (uint32_t)rows;
    lvl_wwd_emit_part(p, where, NULL, LVL_FIELD(lvl_wwd_plane, tiles), at, rows * s.wide * 4);
}

/* ---- image sets ---------------------------------------------------------------------------------------- */

static bool is_printable(const uint8_t *s, const uint8_t *end)
{
    while (s < end && *s >= 0x20)
        s++;
    return s == end;
}

/* The number of names from `at` to `limit`: at most the declared number or, with `all`, more if these are
 * printable. *size gets their size. */
static uint32_t count_names(const lvl_wwd_parser *p, uint64_t at, uint64_t limit, uint32_t declared, bool all,
                            uint64_t *size)
{
    const uint8_t *const from = p->block.ptr + at, *const end = p->block.ptr + limit, *s = from;
    uint32_t n = 0;

    while (s < end && (n < declared || all)) {
        const uint8_t *nul = memchr(s, 0, (size_t)(end - s));
        if (!nul || (n >= declared && !is_printable(s, nul)) ||
            (p->mode == LVL_WWD_IN_ORDER && nul - s > MAX_NAME))
            break;
        s = nul + 1;
        n++;
    }
    *size = (uint64_t)(s - from);
    return n;
}

static void load_names(lvl_wwd_parser *p, uint32_t index, uint64_t at, uint32_t n)
{
    const lvl_field *field = LVL_FIELD(lvl_wwd_plane, image_sets);
    lvl_wwd_plane *plane = &p->wwd->planes[index];

    plane->image_sets = reserve_records(p, n, sizeof *plane->image_sets);
    if (!plane->image_sets)
        return;
    plane->image_set_count = n;
    for (uint32_t i = 0; i < n; i++) {
        const lvl_text name = lvl_text_of((const char *)p->block.ptr + at);
        plane->image_sets[i] = name;
        if (p->sink)
            lvl_wwd_emit_part(p, lvl_where_to(lvl_wwd_at_plane(index), field, i), NULL, field, at,
                              name.len + 1);
        at += name.len + 1;
    }
}

void lvl_wwd_read_image_sets(lvl_wwd_parser *p, uint32_t index)
{
    const lvl_wwd_plane *plane = &p->wwd->planes[index];
    const uint32_t declared = plane->image_sets_declared;
    uint64_t at, size = 0;
    uint32_t n = 0;

    const bool inside = lvl_wwd_place(p, plane->image_sets_offset, &at);
    const uint64_t limit = inside ? lvl_wwd_part_limit(p, at) : 0;
    const bool shared = lvl_wwd_is_shared(p, plane->image_sets_offset, at);
    const bool all = p->mode == LVL_WWD_BY_CONTENT && inside && limit < p->block.len && (declared || !shared);
    if (!declared && !all)
        return;
    if (inside)
        n = count_names(p, at, limit, declared, all, &size);
    /* too few names, which belong to another plane: this one has none */
    if (p->mode == LVL_WWD_BY_CONTENT && n < declared && shared)
        n = 0;
    if (n && !lvl_wwd_claim_bytes(p, at, size))
        n = 0;
    check_count(p, LVL_WWD_F_IMAGE_SETS_CUT, LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, image_sets), at,
                n ? size : 0, declared, n, "image sets");
    if (n)
        load_names(p, index, at, n);
}

/* ---- objects ------------------------------------------------------------------------------------------- */

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

/* Loads at most n objects from `at` to the end of the part; returns their number; *used gets their size. */
static uint32_t load_objects(lvl_wwd_parser *p, lvl_wwd_object *objects, uint32_t n, uint64_t at,
                             uint64_t limit, uint64_t *used)
{
    const uint8_t *s = p->block.ptr + at, *end = p->block.ptr + limit;
    uint32_t len[4], i;

    for (i = 0; i < n && lvl_wwd_record_size(s, (uint64_t)(end - s), len); i++)
        s = load_object(&objects[i], s, len);
    *used = (uint64_t)(s - p->block.ptr) - at;
    return i;
}

static void report_lengths(lvl_wwd_parser *p, const lvl_wwd_object *o, uint32_t plane, uint32_t index,
                           uint64_t at, uint64_t size)
{
    p->problems++;
    lvl_wwd_report_part(p, LVL_WWD_F_OBJECT_LENGTH, lvl_wwd_at_object(plane, index), at, size,
                        "lengths are %u, %u, %u and %u; expected %u, %u, %u and %u by the next object: games "
                        "read this one and all after it as others",
                        o->name_size, o->logic_size, o->image_set_size, o->animation_size,
                        (unsigned)o->name.len, (unsigned)o->logic.len, (unsigned)o->image_set.len,
                        (unsigned)o->animation.len);
}

/* Skips bytes before object `index` that are not an object. */
static void skip_bytes(lvl_wwd_parser *p, uint32_t plane, uint32_t index, uint64_t at, uint64_t len)
{
    p->problems++;
    lvl_wwd_report_part(p, LVL_WWD_F_OBJECTS_SKIPPED, lvl_wwd_at_object(plane, index), at, len,
                        "%llu bytes are not an object; skipped", (unsigned long long)len);
    lvl_wwd_add_gap(p, at, len, "no object");
}

static lvl_wwd_scan scan_until(lvl_wwd_parser *p, uint64_t limit)
{
    return (lvl_wwd_scan){p->block.ptr, limit, limit < p->block.len, &p->work};
}

/* load_objects for objects with wrong lengths and other bytes between them. */
static uint32_t recover_objects(lvl_wwd_parser *p, uint32_t plane, lvl_wwd_object *objects, uint32_t n,
                                uint64_t at, uint64_t limit, uint64_t *used)
{
    const lvl_wwd_scan scan = scan_until(p, limit);
    const uint64_t from = at;
    lvl_wwd_found found;
    uint32_t i = 0;

    for (; i < n && lvl_wwd_next_object(&scan, at, &found); at += found.size) {
        if (found.kind == LVL_WWD_FOUND_JUNK) {
            if (at + found.size == limit && i >= p->wwd->planes[plane].objects_declared)
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

/* BY_CONTENT: whether objects begin where the header declares none. */
static bool hides_objects(lvl_wwd_parser *p, const lvl_wwd_plane *plane, uint64_t at, uint64_t limit)
{
    const lvl_wwd_scan scan = scan_until(p, limit);

    return p->mode == LVL_WWD_BY_CONTENT && !lvl_wwd_is_shared(p, plane->objects_offset, at) &&
           lvl_wwd_begins_objects(&scan, at);
}

/* The most objects that a part can have. One more than the limit is enough to be refused; objects beyond the
 * budget, which bounds the memory of all objects, are not read. */
static uint32_t most_objects(const lvl_wwd_parser *p, uint32_t declared, uint64_t size)
{
    const uint64_t fit = size / LVL_WWD_OBJECT_SIZE, limit = lvl_limits_of(p->doc->ctx).items;
    uint64_t n = p->mode != LVL_WWD_BY_CONTENT && declared < fit ? declared : fit;

    n = n > limit ? limit + 1 : n;
    return n * LVL_WWD_OBJECT_SIZE > p->budget || n > UINT32_MAX ? 0 : (uint32_t)n;
}

/* Reads at most n objects; *used gets their size. */
static void take_objects(lvl_wwd_parser *p, uint32_t index, uint32_t n, uint64_t at, uint64_t limit,
                         uint64_t *used)
{
    lvl_wwd_plane *plane = &p->wwd->planes[index];

    plane->objects = reserve_records(p, n, sizeof *plane->objects);
    if (!plane->objects)
        return;
    const uint32_t got = p->mode == LVL_WWD_BY_CONTENT
                             ? recover_objects(p, index, plane->objects, n, at, limit, used)
                             : load_objects(p, plane->objects, n, at, limit, used);
    plane->object_count = lvl_wwd_claim_bytes(p, at, *used) ? got : 0;
    const uint64_t unused = (uint64_t)(n - got) * LVL_WWD_OBJECT_SIZE;
    p->budget -= unused < p->budget ? unused : p->budget;
}

static void emit_object(const lvl_wwd_parser *p, const lvl_wwd_object *o, uint32_t plane, uint32_t index)
{
    const lvl_where where = lvl_wwd_at_object(plane, index);
    uint64_t at = (uint64_t)((const uint8_t *)o->name.ptr - p->block.ptr);

    lvl_wwd_emit_part(p, where, &lvl_wwd_object_table, NULL, at - LVL_WWD_OBJECT_SIZE, LVL_WWD_OBJECT_SIZE);
    for (size_t i = 0; i < LVL_WWD_OBJECT_TEXTS; i++) {
        const lvl_field *f = lvl_table_at(&lvl_wwd_object_table, LVL_WWD_TEXT_AT(i));
        const size_t len = lvl_wwd_object_text(o, i).len;
        lvl_wwd_emit_part(p, lvl_where_to(where, f, LVL_NO_INDEX), NULL, f, at, len);
        at += len;
    }
}

void lvl_wwd_read_objects(lvl_wwd_parser *p, uint32_t index)
{
    const uint64_t limit = lvl_limits_of(p->doc->ctx).items;
    lvl_wwd_plane *plane = &p->wwd->planes[index];
    const uint32_t declared = plane->objects_declared;
    uint64_t at, used = 0;

    const bool inside = lvl_wwd_place(p, plane->objects_offset, &at);
    /* if the count is too high, the parts that follow are not read as objects */
    const uint64_t end = inside ? lvl_wwd_part_limit(p, at) : 0;
    if (!declared && !(inside && hides_objects(p, plane, at, end)))
        return;
    const uint32_t most = inside ? most_objects(p, declared, end - at) : 0;
    if (most)
        take_objects(p, index, most, at, end, &used);
    if (plane->object_count > limit)
        refuse(p, LVL_LIMIT_ITEMS, limit, 0);
    if (p->status != LVL_OK)
        return;
    check_count(p, LVL_WWD_F_OBJECTS_CUT, LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, objects), at, used,
                declared, plane->object_count, "objects");
    for (uint32_t i = 0; p->sink && i < plane->object_count; i++)
        emit_object(p, &plane->objects[i], index, i);
}

/* ---- tile properties ----------------------------------------------------------------------------------- */

/* The size of the tile property at s; 0 if it is cut off or of an unknown type. */
static uint64_t property_size(const uint8_t *s, uint64_t left)
{
    const uint32_t type = left < 16 ? 0 : lvl_load_u32le(s);
    uint64_t size = lvl_wwd_property_fixed(type);

    if (type == LVL_WWD_TILE_MASK)
        size += (uint64_t)lvl_load_u32le(s + 8) * lvl_load_u32le(s + 12);
    return type >= LVL_WWD_TILE_SINGLE && type <= LVL_WWD_TILE_MASK && size <= left ? size : 0;
}

/* The number of properties at s, at most `most`; *size gets their size. */
static uint32_t count_properties(const uint8_t *s, uint64_t left, uint32_t most, uint64_t *size)
{
    uint64_t one;
    uint32_t n = 0;

    *size = 0;
    while (n < most && (one = property_size(s + *size, left - *size)) != 0) {
        *size += one;
        n++;
    }
    return n;
}

/* count_properties for the declared properties and, BY_CONTENT, those that follow, unless something else
 * follows. */
static uint32_t find_properties(const lvl_wwd_parser *p, const uint8_t *s, uint64_t left, uint64_t *size)
{
    const uint32_t declared = p->wwd->tile_header.declared;
    const uint32_t n = count_properties(s, left, declared, size);

    if (n < declared || p->mode != LVL_WWD_BY_CONTENT)
        return n;
    uint64_t more;
    s += *size;
    left -= *size;
    const uint32_t hidden = count_properties(s, left, UINT32_MAX / 2, &more);
    if (p->packed ? more != left : !lvl_wwd_is_trailer(s + more, left - more))
        return n;
    *size += more;
    return n + hidden;
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

static void emit_property(const lvl_wwd_parser *p, const lvl_wwd_tile_property *t, uint32_t index,
                          uint64_t at)
{
    const lvl_where where = lvl_wwd_at_property(index);
    const lvl_field *mask = LVL_FIELD(lvl_wwd_tile_property, mask);
    const uint64_t size = lvl_wwd_property_size(t), fixed = lvl_wwd_property_fixed(t->type);

    lvl_wwd_emit_part(p, where, &lvl_wwd_tile_property_table, NULL, at, fixed);
    lvl_wwd_emit_part(p, lvl_where_to(where, mask, LVL_NO_INDEX), NULL, mask, at + fixed, size - fixed);
}

static void load_properties(lvl_wwd_parser *p, uint64_t at, uint32_t n)
{
    lvl_wwd *wwd = p->wwd;

    wwd->tile_properties = reserve_records(p, n, sizeof *wwd->tile_properties);
    if (!wwd->tile_properties)
        return;
    wwd->tile_property_count = n;
    for (uint32_t i = 0; i < n; i++) {
        lvl_wwd_tile_property *t = &wwd->tile_properties[i];
        load_property(t, p->block.ptr + at);
        if (p->sink)
            emit_property(p, t, i, at);
        at += lvl_wwd_property_size(t);
    }
}

/* Whether the table of tile properties begins at `at`. If its offset points elsewhere, its header must be
 * correct. */
static bool is_property_header(const lvl_wwd_parser *p, uint64_t at)
{
    const uint32_t size = lvl_load_u32le(p->block.ptr + at);
    const bool by_offset =
        p->mode != LVL_WWD_BY_CONTENT || at + LVL_WWD_HEADER_SIZE == p->wwd->tile_properties_offset;

    return by_offset ? size != 0 : size == LVL_WWD_TILE_HEADER_SIZE;
}

/* Reads the header of the table; *at gets its position. False: it is missing. */
static bool read_property_header(lvl_wwd_parser *p, uint64_t *at)
{
    lvl_wwd_tile_header *head = &p->wwd->tile_header;

    /* header_size 0 means that there is no table, so a header with that number is not read */
    memset(head, 0, sizeof *head);
    if (!lvl_wwd_place(p, p->wwd->tile_properties_offset, at) ||
        p->block.len - *at < LVL_WWD_TILE_HEADER_SIZE || !is_property_header(p, *at) ||
        !lvl_wwd_claim_bytes(p, *at, LVL_WWD_TILE_HEADER_SIZE)) {
        p->problems++;
        lvl_wwd_report_part(p, LVL_WWD_F_PROPERTIES_CUT, LVL_AT_ROOT(lvl_wwd, tile_properties), p->block.len,
                            0, "the table of tile properties is missing");
        return false;
    }
    lvl_disk_load(head, &lvl_wwd_tile_header_table, p->block.ptr + *at, LVL_WWD_TILE_HEADER_SIZE);
    lvl_wwd_emit_part(p, LVL_AT_ROOT(lvl_wwd, tile_header), &lvl_wwd_tile_header_table, NULL, *at,
                      LVL_WWD_TILE_HEADER_SIZE);
    return true;
}

void lvl_wwd_read_properties(lvl_wwd_parser *p)
{
    const uint64_t limit = lvl_limits_of(p->doc->ctx).items;
    uint64_t at, size;

    if (!read_property_header(p, &at))
        return;
    at += LVL_WWD_TILE_HEADER_SIZE;
    const uint8_t *from = p->block.ptr + at;
    uint32_t n = find_properties(p, from, p->block.len - at, &size);
    const uint64_t left = p->block.len - at - size;
    const bool unknown = left >= 16 && property_size(from + size, UINT64_MAX) == 0;
    if (!lvl_wwd_claim_bytes(p, at, size))
        n = 0;
    p->properties_end = at + size;
    if (n > limit) {
        refuse(p, LVL_LIMIT_ITEMS, limit, n);
        return;
    }
    check_count(p, unknown ? LVL_WWD_F_PROPERTY_TYPE : LVL_WWD_F_PROPERTIES_CUT,
                LVL_AT_ROOT(lvl_wwd, tile_properties), at, size, p->wwd->tile_header.declared, n,
                "tile properties");
    load_properties(p, at, n);
}
