/*
 * wwd/wwd_block.c: reads a main block: planes, their tiles, image sets and objects, and the tile properties.
 *
 *     planes_offset            plane headers, 160 bytes each
 *     plane.tiles_offset       tiles_wide * tiles_high u32
 *     plane.image_sets_offset  NUL-ended names
 *     plane.objects_offset     284 bytes and four texts without ends, each
 *     tile_properties_offset   32 bytes, then 20 (single), 40 (double) or 16 + width * height bytes (mask) each
 *
 * It is read where the offsets say. If that leaves holes, overlaps or cut parts, while the usual order without any offsets fits to the last byte,
 * then the offsets are what is damaged, and the usual order is right (no real file needs it; a flipped bit does).
 */
#include "base/cursor.h"
#include "wwd/wwd_block.h"

#include <stdio.h>
#include <stdlib.h>

/* A stretch of the block that something takes; from the block's start. */
typedef struct claim {
    uint64_t at, len;
} claim;

struct parser {
    lvl_doc *doc;
    lvl_wwd *wwd;
    lvl_block_source src;
    lvl_sink *sink;
    lvl_findings *findings;
    bool sequential; /* by the usual order instead of the offsets */
    uint64_t next;   /* sequential: where the next part begins */
    uint64_t budget; /* bytes that parts may still take, overlapping ones counted each time */
    claim *claims;
    uint32_t claim_count;
    uint64_t *starts; /* where parts begin by their offsets, from the block's start, in order */
    uint32_t start_count;
    uint32_t problems; /* parts that aren't whole, holes and overlaps */
    uint64_t end;      /* where the last part ends */
    lvl_status status;
    const lvl_field *planes, *tiles, *image_sets, *objects, *properties;
};

/* ---- telling ------------------------------------------------------------------------------------------------------------------- */

static void tell(const struct parser *p, const lvl_where *where, const lvl_table *table,
                 const lvl_field *field, uint64_t at, uint64_t len)
{
    lvl_span span = {0};

    if (!len)
        return;
    span.space = p->src.space;
    span.bit = (p->src.base + at) * 8;
    span.bits = len * 8;
    span.where = *where;
    span.table = table;
    span.field = field;
    p->sink->span(p->sink, &span);
}

static void find(const struct parser *p, lvl_wwd_finding what, const lvl_where *where, uint64_t at,
                 uint64_t len, const char *text)
{
    lvl_position pos = {p->src.space, (p->src.base + at) * 8, len * 8, p->src.outer, true};

    if (p->findings)
        lvl_findings_add(p->findings, &lvl_wwd_findings[what], where, &pos, "%s", text);
}

static lvl_where plane_where(const struct parser *p, uint32_t plane)
{
    return lvl_where_to(lvl_where_root(), p->planes, plane);
}

/* A part that should hold `want` things and holds `got`. */
static void cut(struct parser *p, lvl_wwd_finding what, uint32_t plane, const lvl_field *field, uint64_t at,
                uint32_t want, uint32_t got, const char *things)
{
    char text[128];
    lvl_where where = lvl_where_root();

    p->problems++;
    if (!p->findings)
        return;
    if (plane != LVL_NO_INDEX)
        where = plane_where(p, plane);
    where = lvl_where_to(where, field, LVL_NO_INDEX);
    snprintf(text, sizeof text, "%lu %s are counted, %lu are there", (unsigned long)want, things,
             (unsigned long)got);
    find(p, what, &where, at < p->src.block.len ? at : p->src.block.len, 0, text);
}

/* ---- places -------------------------------------------------------------------------------------------------------------------- */

/* Where a part begins, from the block's start; false if that is outside of the block. */
static bool place(const struct parser *p, uint32_t offset, uint64_t *at)
{
    if (p->sequential) {
        *at = p->next;
        return true;
    }
    *at = (uint64_t)offset - p->src.base;
    return offset >= p->src.base && *at <= p->src.block.len;
}

/* Takes `len` bytes of the block for a part; false when parts lie over each other more than a few times, which only an attack does. */
static bool claim_bytes(struct parser *p, uint64_t at, uint64_t len)
{
    if (len > p->budget)
        return false;
    /* where nothing is there's no place: `at` may lie anywhere */
    if (!len)
        return true;
    p->budget -= len;
    p->claims[p->claim_count].at = at;
    p->claims[p->claim_count++].len = len;
    if (at + len > p->end)
        p->end = at + len;
    p->next = at + len;
    return true;
}

/* ---- where other parts begin ------------------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void add_start(struct parser *p, uint32_t offset, bool used)
{
    uint64_t at = (uint64_t)offset - p->src.base;

    if (used && offset >= p->src.base && at < p->src.block.len)
        p->starts[p->start_count++] = at;
}

static void add_starts(struct parser *p, const lvl_wwd_plane *plane)
{
    add_start(p, plane->tiles_offset, plane->tiles_wide > 0 && plane->tiles_high > 0);
    add_start(p, plane->image_sets_offset, plane->image_sets_declared != 0);
    add_start(p, plane->objects_offset, plane->objects_declared != 0);
}

/* The end of what may belong to the part at `at`: where the next part begins, or the block's end. By the usual order nothing is known of that. */
static uint64_t end_of_part(const struct parser *p, uint64_t at)
{
    uint32_t low = 0, high = p->sequential ? 0 : p->start_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (p->starts[mid] > at)
            high = mid;
        else
            low = mid + 1;
    }
    return !p->sequential && low < p->start_count ? p->starts[low] : p->src.block.len;
}

/* ---- parts --------------------------------------------------------------------------------------------------------------------- */

static void read_tiles(struct parser *p, uint32_t index)
{
    lvl_wwd_plane *plane = &p->wwd->planes[index];
    uint64_t at, wide = 0, high = 0, rows = 0;

    plane->tiles.size = 4;
    if (plane->tiles_wide > 0 && plane->tiles_high > 0) {
        wide = (uint64_t)plane->tiles_wide;
        high = (uint64_t)plane->tiles_high;
    }
    bool inside = place(p, plane->tiles_offset, &at);
    if (!wide)
        return;
    uint64_t limit = lvl_limits_of(p->doc->ctx).cells;
    if (wide * high > limit) {
        lvl_where w = lvl_where_to(plane_where(p, index), p->tiles, LVL_NO_INDEX);
        find(p, LVL_WWD_F_LIMIT, &w, inside ? at : 0, 0, "more tiles than the limit of cells allows");
        p->problems++;
        return;
    }
    if (inside)
        rows = (p->src.block.len - at) / (wide * 4);
    if (rows > high)
        rows = high;
    if (rows && !claim_bytes(p, at, rows * wide * 4))
        rows = 0;
    if (rows < high)
        cut(p, LVL_WWD_F_TILES_CUT, index, p->tiles, inside ? at + rows * wide * 4 : p->src.block.len,
            (uint32_t)high, (uint32_t)rows, "rows");
    if (!rows)
        return;
    plane->tiles.ptr = p->src.block.ptr + at;
    plane->tiles.width = (uint32_t)wide;
    plane->tiles.height = (uint32_t)rows;
    if (p->sink) {
        lvl_where w = lvl_where_to(plane_where(p, index), p->tiles, LVL_NO_INDEX);
        tell(p, &w, NULL, p->tiles, at, rows * wide * 4);
    }
}

static void read_image_sets(struct parser *p, uint32_t index)
{
    lvl_wwd_plane *plane = &p->wwd->planes[index];
    uint64_t at;
    uint32_t n = 0;

    bool inside = place(p, plane->image_sets_offset, &at);
    if (!plane->image_sets_declared)
        return;
    const uint8_t *from = p->src.block.ptr + (inside ? at : 0), *s = from,
                  *end = p->src.block.ptr + (inside ? end_of_part(p, at) : 0);
    while (inside && n < plane->image_sets_declared && s < end) {
        const uint8_t *nul = memchr(s, 0, (size_t)(end - s));
        if (!nul)
            break;
        s = nul + 1;
        n++;
    }
    if (n && !claim_bytes(p, at, (uint64_t)(s - from)))
        n = 0;
    if (n < plane->image_sets_declared)
        cut(p, LVL_WWD_F_IMAGE_SETS_CUT, index, p->image_sets, n ? at + (uint64_t)(s - from) : at,
            plane->image_sets_declared, n, "image sets");
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
        if (p->sink) {
            lvl_where w = lvl_where_to(plane_where(p, index), p->image_sets, i);
            tell(p, &w, NULL, p->image_sets, (uint64_t)(s - p->src.block.ptr), t->len + 1);
        }
        s += t->len + 1;
    }
}

static void tell_object(const struct parser *p, const lvl_wwd_object *o, uint32_t plane, uint32_t index,
                        uint64_t at)
{
    static const size_t members[] = {offsetof(lvl_wwd_object, name), offsetof(lvl_wwd_object, logic),
                                     offsetof(lvl_wwd_object, image_set),
                                     offsetof(lvl_wwd_object, animation)};
    const lvl_text texts[] = {o->name, o->logic, o->image_set, o->animation};
    const lvl_where where = lvl_where_to(plane_where(p, plane), p->objects, index);

    tell(p, &where, &lvl_wwd_object_table, NULL, at, LVL_WWD_OBJECT_SIZE);
    at += LVL_WWD_OBJECT_SIZE;
    for (size_t i = 0; i < 4; i++) {
        const lvl_field *f = lvl_table_at(&lvl_wwd_object_table, members[i]);
        lvl_where w = lvl_where_to(where, f, LVL_NO_INDEX);
        tell(p, &w, NULL, f, at, texts[i].len);
        at += texts[i].len;
    }
}

/* Objects from `at` on, at most n and none that reaches beyond the part's end; `*used` gets the bytes they take. Each is at least 284 bytes,
 * so memory follows what is there. */
static uint32_t load_objects(struct parser *p, lvl_wwd_object *objects, uint32_t n, uint64_t at,
                             uint64_t part_end, uint64_t *used)
{
    const uint8_t *s = p->src.block.ptr + at, *end = p->src.block.ptr + part_end;
    uint32_t i;

    for (i = 0; i < n; i++) {
        lvl_wwd_object *o = &objects[i];
        if ((size_t)(end - s) < LVL_WWD_OBJECT_SIZE)
            break;
        lvl_wwd_load(o, &lvl_wwd_object_table, s, LVL_WWD_OBJECT_SIZE);
        uint64_t sizes = (uint64_t)o->name_size + o->logic_size + o->image_set_size + o->animation_size;
        if (sizes > (uint64_t)(end - s) - LVL_WWD_OBJECT_SIZE)
            break;
        s += LVL_WWD_OBJECT_SIZE;
        o->name.ptr = (const char *)s;
        o->name.len = o->name_size;
        s += o->name_size;
        o->logic.ptr = (const char *)s;
        o->logic.len = o->logic_size;
        s += o->logic_size;
        o->image_set.ptr = (const char *)s;
        o->image_set.len = o->image_set_size;
        s += o->image_set_size;
        o->animation.ptr = (const char *)s;
        o->animation.len = o->animation_size;
        s += o->animation_size;
    }
    *used = (uint64_t)(s - p->src.block.ptr) - at;
    return i;
}

static void read_objects(struct parser *p, uint32_t index)
{
    lvl_wwd_plane *plane = &p->wwd->planes[index];
    const uint32_t want = plane->objects_declared;
    uint64_t at, used = 0, limit = lvl_limits_of(p->doc->ctx).items;
    uint32_t n = want;

    bool inside = place(p, plane->objects_offset, &at);
    if (!want)
        return;
    /* a wild count doesn't make objects of the parts behind */
    const uint64_t end = inside ? end_of_part(p, at) : 0;
    uint64_t room = inside ? (end - at) / LVL_WWD_OBJECT_SIZE : 0;
    if (n > room)
        n = (uint32_t)room;
    if (n > limit)
        n = (uint32_t)limit;
    /* the table of objects is paid for before it is taken */
    if ((uint64_t)n * LVL_WWD_OBJECT_SIZE > p->budget)
        n = 0;
    if (n) {
        plane->objects = lvl_arena_raw(&p->doc->arena, (size_t)n * sizeof *plane->objects);
        if (!plane->objects) {
            p->status = LVL_ERR_MEMORY;
            return;
        }
        uint32_t got = load_objects(p, plane->objects, n, at, end, &used);
        uint64_t paid = (uint64_t)(n - got) * LVL_WWD_OBJECT_SIZE;
        n = claim_bytes(p, at, used) ? got : 0;
        p->budget -= paid < p->budget ? paid : p->budget;
        plane->object_count = n;
    }
    if (n < want)
        cut(p, LVL_WWD_F_OBJECTS_CUT, index, p->objects, at + used, want, n, "objects");
    for (uint32_t i = 0; p->sink && i < n; i++) {
        tell_object(p, &plane->objects[i], index, i, at);
        at += lvl_wwd_object_size(&plane->objects[i]);
    }
}

/* Bytes of the property at s, 0 if it isn't one or is cut. */
static uint64_t property_size(const uint8_t *s, uint64_t left)
{
    if (left < 16)
        return 0;
    uint64_t size = 0;
    switch (lvl_load_u32le(s)) {
    case LVL_WWD_TILE_SINGLE: size = 20; break;
    case LVL_WWD_TILE_DOUBLE: size = 40; break;
    case LVL_WWD_TILE_MASK: {
        uint64_t cells = (uint64_t)lvl_load_u32le(s + 8) * lvl_load_u32le(s + 12);
        size = cells < left ? 16 + cells : 0;
        break;
    }
    default: break;
    }
    return size <= left ? size : 0;
}

static void load_property(lvl_wwd_tile_property *t, const uint8_t *s)
{
    memset(t, 0, sizeof *t);
    lvl_wwd_load(t, &lvl_wwd_tile_property_table, s, 16);
    switch (t->type) {
    case LVL_WWD_TILE_SINGLE: t->attribute = (int32_t)lvl_load_u32le(s + 16); break;
    case LVL_WWD_TILE_DOUBLE:
        t->outside = (int32_t)lvl_load_u32le(s + 16);
        t->inside = (int32_t)lvl_load_u32le(s + 20);
        lvl_wwd_load(&t->rect, &lvl_wwd_rect_table, s + 24, 16);
        break;
    default:
        t->mask.size = 1;
        if (t->width && t->height) {
            t->mask.ptr = s + 16;
            t->mask.width = t->width;
            t->mask.height = t->height;
        }
    }
}

static void tell_property(const struct parser *p, const lvl_wwd_tile_property *t, uint32_t index, uint64_t at)
{
    const lvl_where where = lvl_where_to(lvl_where_root(), p->properties, index);
    const uint64_t size = lvl_wwd_property_size(t);

    if (t->type == LVL_WWD_TILE_MASK) {
        const lvl_field *f =
            lvl_table_at(&lvl_wwd_tile_property_table, offsetof(lvl_wwd_tile_property, mask));
        lvl_where w = lvl_where_to(where, f, LVL_NO_INDEX);
        tell(p, &where, &lvl_wwd_tile_property_table, NULL, at, 16);
        tell(p, &w, NULL, f, at + 16, size - 16);
    } else {
        tell(p, &where, &lvl_wwd_tile_property_table, NULL, at, size);
    }
}

static void read_properties(struct parser *p)
{
    lvl_wwd *wwd = p->wwd;
    lvl_wwd_tile_header *head = &wwd->tile_header;
    uint64_t at, left;
    uint32_t n = 0;

    /* header_size 0 stands for a table that isn't there, so that a header that says so is none */
    memset(head, 0, sizeof *head);
    if (!place(p, wwd->tile_properties_offset, &at) || p->src.block.len - at < LVL_WWD_TILE_HEADER_SIZE ||
        !lvl_load_u32le(p->src.block.ptr + at) || !claim_bytes(p, at, LVL_WWD_TILE_HEADER_SIZE)) {
        lvl_where w = lvl_where_to(lvl_where_root(), p->properties, LVL_NO_INDEX);
        p->problems++;
        find(p, LVL_WWD_F_PROPERTIES_CUT, &w, p->src.block.len, 0,
             "the table of tile properties isn't there");
        return;
    }
    lvl_wwd_load(head, &lvl_wwd_tile_header_table, p->src.block.ptr + at, LVL_WWD_TILE_HEADER_SIZE);
    if (p->sink) {
        const lvl_field *f = lvl_table_at(&lvl_wwd_table, offsetof(lvl_wwd, tile_header));
        lvl_where w = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        tell(p, &w, &lvl_wwd_tile_header_table, NULL, at, LVL_WWD_TILE_HEADER_SIZE);
    }
    at += LVL_WWD_TILE_HEADER_SIZE;
    const uint8_t *from = p->src.block.ptr + at, *s = from;
    left = p->src.block.len - at;
    for (uint64_t size; n < head->declared && (size = property_size(s, left)) != 0; n++) {
        s += size;
        left -= size;
    }
    uint64_t limit = lvl_limits_of(p->doc->ctx).items;
    if (!claim_bytes(p, at, (uint64_t)(s - from)) || n > limit)
        n = 0;
    if (n < head->declared) {
        bool strange = left >= 16 && lvl_load_u32le(s) - 1 > 2;
        cut(p, strange ? LVL_WWD_F_PROPERTY_TYPE : LVL_WWD_F_PROPERTIES_CUT, LVL_NO_INDEX, p->properties,
            at + (uint64_t)(s - from), head->declared, n, "tile properties");
    }
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
            tell_property(p, t, i, (uint64_t)(s - p->src.block.ptr));
        s += lvl_wwd_property_size(t);
    }
}

/* How many of n records from `at` on are plane headers. A wild count makes planes of what follows them: the first record that neither begins
 * with a plane header's size nor ends before the parts that the planes before it point to is none, and ends the planes. */
static uint32_t count_planes(struct parser *p, uint64_t at, uint32_t n)
{
    uint64_t first_part = UINT64_MAX, next = at;
    lvl_wwd_plane plane;

    for (uint32_t i = 0; i < n; i++, next += LVL_WWD_PLANE_SIZE) {
        const uint8_t *s = p->src.block.ptr + next;
        if (next + LVL_WWD_PLANE_SIZE > first_part && lvl_load_u32le(s) != LVL_WWD_PLANE_SIZE)
            return i;
        lvl_wwd_load(&plane, &lvl_wwd_plane_table, s, LVL_WWD_PLANE_SIZE);
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
        room = (p->src.block.len - at) / LVL_WWD_PLANE_SIZE;
    if (n > room)
        n = room;
    /* the block's size bounds n */
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
    if (n < wwd->planes_declared)
        cut(p, LVL_WWD_F_PLANES_CUT, LVL_NO_INDEX, p->planes,
            room ? at + n * LVL_WWD_PLANE_SIZE : p->src.block.len, wwd->planes_declared, (uint32_t)n,
            "planes");
    p->start_count = 0;
    for (uint32_t i = 0; i < n; i++) {
        lvl_wwd_load(&wwd->planes[i], &lvl_wwd_plane_table, p->src.block.ptr + at, LVL_WWD_PLANE_SIZE);
        add_starts(p, &wwd->planes[i]);
        if (p->sink) {
            lvl_where w = plane_where(p, i);
            tell(p, &w, &lvl_wwd_plane_table, NULL, at, LVL_WWD_PLANE_SIZE);
        }
        at += LVL_WWD_PLANE_SIZE;
    }
    add_start(p, wwd->tile_properties_offset, true);
    qsort(p->starts, p->start_count, sizeof *p->starts, by_number);
}

/* ---- what nobody takes --------------------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const claim *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->len < y->len ? -1 : x->len > y->len;
}

static void note_gap(struct parser *p, uint64_t at, uint64_t len, uint32_t index)
{
    lvl_wwd_gap *gap = &p->wwd->gaps[index];
    char text[64];

    gap->offset = (uint32_t)(p->src.base + at);
    gap->bytes.ptr = p->src.block.ptr + at;
    gap->bytes.len = (size_t)len;
    snprintf(text, sizeof text, "%llu bytes belong to nothing", (unsigned long long)len);
    find(p, LVL_WWD_F_GAP, NULL, at, len, text);
    if (p->sink) {
        lvl_span span = {0};
        bool zero = true;
        for (uint64_t i = 0; i < len && zero; i++)
            zero = !gap->bytes.ptr[i];
        span.space = p->src.space;
        span.bit = (p->src.base + at) * 8;
        span.bits = len * 8;
        span.role = zero ? LVL_SPAN_PADDING : LVL_SPAN_RESIDUE;
        span.note = "belongs to nothing";
        p->sink->span(p->sink, &span);
    }
}

/* Holes between the parts become gaps. What follows the last part of a stored block that is whole is a trailer, and not for here. */
static void find_gaps(struct parser *p)
{
    uint64_t pos = 0, len = p->src.block.len;
    uint32_t n = 0, overlaps = 0;

    if (p->src.open_end && !p->problems)
        len = p->end;
    qsort(p->claims, p->claim_count, sizeof *p->claims, by_place);
    for (uint32_t i = 0; i < p->claim_count; i++) {
        const claim *c = &p->claims[i];
        n += c->at > pos;
        overlaps += c->at < pos;
        if (c->at + c->len > pos)
            pos = c->at + c->len;
    }
    n += pos < len;
    if (overlaps) {
        char text[64];
        snprintf(text, sizeof text, "%lu parts lie over others", (unsigned long)overlaps);
        find(p, LVL_WWD_F_OVERLAP, NULL, 0, 0, text);
    }
    p->problems += n + overlaps;
    p->end = len;
    if (!n)
        return;
    p->wwd->gaps = lvl_arena_array(&p->doc->arena, n, sizeof *p->wwd->gaps);
    if (!p->wwd->gaps) {
        p->status = LVL_ERR_MEMORY;
        return;
    }
    pos = 0;
    for (uint32_t i = 0; i < p->claim_count; i++) {
        const claim *c = &p->claims[i];
        if (c->at > pos)
            note_gap(p, pos, c->at - pos, p->wwd->gap_count++);
        if (c->at + c->len > pos)
            pos = c->at + c->len;
    }
    if (pos < len)
        note_gap(p, pos, len - pos, p->wwd->gap_count++);
}

/* ---- offsets ------------------------------------------------------------------------------------------------------------------- */

struct offsets {
    struct parser *p;
    uint32_t unusual;
};

static void compare_offset(struct offsets *o, const lvl_where *where, const void *record,
                           const lvl_table *table, size_t member, uint64_t usual)
{
    const lvl_field *f = lvl_table_at(table, member);
    const uint64_t value = (uint64_t)lvl_get_int(record, f);

    if (value == usual)
        return;
    o->unusual++;
    if (o->p->sequential && o->p->findings) {
        lvl_where w = lvl_where_to(*where, f, LVL_NO_INDEX);
        lvl_findings_add(o->p->findings, &lvl_wwd_findings[LVL_WWD_F_OFFSET_WRONG], &w, NULL,
                         "says 0x%llx, the data stands at 0x%llx", (unsigned long long)value,
                         (unsigned long long)usual);
    }
}

static void compare_region(void *user, const lvl_wwd_region *r)
{
    struct offsets *o = user;
    const lvl_wwd *wwd = o->p->wwd;
    const lvl_where root = lvl_where_root();

    if (r->part == LVL_WWD_PART_PLANES) {
        compare_offset(o, &root, wwd, &lvl_wwd_table, offsetof(lvl_wwd, planes_offset), r->offset);
        return;
    }
    if (r->part == LVL_WWD_PART_PROPERTIES) {
        compare_offset(o, &root, wwd, &lvl_wwd_table, offsetof(lvl_wwd, tile_properties_offset), r->offset);
        return;
    }
    const lvl_wwd_plane *plane = &wwd->planes[r->plane];
    const lvl_where where = plane_where(o->p, r->plane);
    const lvl_table *t = &lvl_wwd_plane_table;
    if (r->part == LVL_WWD_PART_TILES)
        compare_offset(o, &where, plane, t, offsetof(lvl_wwd_plane, tiles_offset), r->offset);
    else if (r->part == LVL_WWD_PART_IMAGE_SETS)
        compare_offset(o, &where, plane, t, offsetof(lvl_wwd_plane, image_sets_offset), r->offset);
    else
        compare_offset(o, &where, plane, t, offsetof(lvl_wwd_plane, objects_offset),
                       plane->object_count ? r->offset : 0);
}

/* Only offsets that disagree are worth a word: the wrong ones each, an odd order once. */
static void compare_offsets(struct parser *p)
{
    struct offsets o = {p, 0};

    if (!p->findings)
        return;
    lvl_wwd_layout(p->wwd, compare_region, &o);
    if (o.unusual && !p->sequential && !p->problems)
        lvl_findings_add(p->findings, &lvl_wwd_findings[LVL_WWD_F_LAYOUT], NULL, NULL,
                         "%lu offsets are not where editors put them", (unsigned long)o.unusual);
}

/* The usual order counts only if it fits to the end; behind a stored block there may be what follows real ones. */
static bool fits(const struct parser *p)
{
    static const char wapmap[] = "<wm_meta>";
    const uint64_t rest = p->src.block.len - p->end;
    const size_t n = sizeof wapmap - 1;

    return !p->problems && p->wwd->tile_header.header_size == LVL_WWD_TILE_HEADER_SIZE &&
           (rest <= 2 || (rest > n && !memcmp(p->src.block.ptr + p->end, wapmap, n)));
}

/* ---- the block ----------------------------------------------------------------------------------------------------------------- */

/* One round. Afterwards p->problems tells whether all was whole. */
static lvl_status parse(struct parser *p, bool sequential, lvl_sink *sink, lvl_findings *findings)
{
    lvl_wwd *wwd = p->wwd;
    uint64_t sum;

    p->sequential = sequential;
    p->sink = sink;
    p->findings = findings;
    p->next = p->end = 0;
    p->problems = 0;
    p->claim_count = 0;
    p->status = LVL_OK;
    sum = (uint64_t)p->src.block.len * 4 + 4096;
    p->budget = sum;
    wwd->plane_count = wwd->tile_property_count = wwd->gap_count = 0;
    wwd->planes = NULL;
    wwd->tile_properties = NULL;
    wwd->gaps = NULL;
    read_planes(p);
    for (uint32_t i = 0; i < wwd->plane_count; i++)
        read_tiles(p, i);
    for (uint32_t i = 0; i < wwd->plane_count; i++)
        read_image_sets(p, i);
    for (uint32_t i = 0; i < wwd->plane_count && p->status == LVL_OK; i++)
        read_objects(p, i);
    if (p->status == LVL_OK)
        read_properties(p);
    if (p->status == LVL_OK)
        find_gaps(p);
    lvl_mem_free(p->doc->ctx, p->claims);
    lvl_mem_free(p->doc->ctx, p->starts);
    p->claims = NULL;
    p->starts = NULL;
    return p->status;
}

lvl_status lvl_wwd_block_read(lvl_doc *doc, const lvl_block_source *src, lvl_sink *sink,
                              lvl_findings *findings, lvl_block_result *result)
{
    struct parser p = {0};
    bool sequential = false;

    p.doc = doc;
    p.wwd = doc->root;
    p.src = *src;
    p.planes = lvl_table_at(&lvl_wwd_table, offsetof(lvl_wwd, planes));
    p.properties = lvl_table_at(&lvl_wwd_table, offsetof(lvl_wwd, tile_properties));
    p.tiles = lvl_table_at(&lvl_wwd_plane_table, offsetof(lvl_wwd_plane, tiles));
    p.image_sets = lvl_table_at(&lvl_wwd_plane_table, offsetof(lvl_wwd_plane, image_sets));
    p.objects = lvl_table_at(&lvl_wwd_plane_table, offsetof(lvl_wwd_plane, objects));
    lvl_status status = parse(&p, false, NULL, NULL);
    if (status == LVL_OK && p.problems) {
        status = parse(&p, true, NULL, NULL);
        sequential = status == LVL_OK && fits(&p);
    }
    /* again, and aloud; what is sound has nothing to say unless somebody wants to hear of every byte */
    if (status == LVL_OK && (sink || p.problems || (p.sequential && !sequential)))
        status = parse(&p, sequential, sink, findings);
    if (status != LVL_OK)
        return status;
    p.findings = findings;
    compare_offsets(&p);
    result->end = p.end;
    result->whole = !p.problems;
    return LVL_OK;
}
