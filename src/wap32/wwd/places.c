/*
 * wap32/wwd/places.c: see wap32/wwd/places.h.
 */
#include "wap32/wwd/places.h"

#include "base/cursor.h"
#include "base/search.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>

enum { SMALLEST_RECORD = 20 /* a tile property */ };

/* ---- reporting ----------------------------------------------------------------------------------------- */

void lvl_wwd_emit_part(const lvl_wwd_parser *p, lvl_where where, const lvl_table *table,
                       const lvl_field *field, uint64_t at, uint64_t len)
{
    lvl_emit_span(p->sink, LVL_WWD_HEADER_SIZE + at, len,
                  (lvl_span){.space = p->packed, .where = where, .table = table, .field = field});
}

void lvl_wwd_report_part(const lvl_wwd_parser *p, lvl_wwd_finding what, lvl_where where, uint64_t at,
                         uint64_t len, const char *fmt, ...)
{
    const uint64_t outer = p->packed ? LVL_WWD_HEADER_SIZE : 0;
    const lvl_position pos = {p->packed, (LVL_WWD_HEADER_SIZE + at) * 8, len * 8, outer, true};
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(p->findings, &lvl_wwd_findings[what], where.depth ? &where : NULL, &pos, fmt, args);
    va_end(args);
}

/* ---- where a part is ----------------------------------------------------------------------------------- */

bool lvl_wwd_place(const lvl_wwd_parser *p, uint32_t offset, uint64_t *at)
{
    *at = (uint64_t)offset - LVL_WWD_HEADER_SIZE;
    const bool inside = offset >= LVL_WWD_HEADER_SIZE && *at <= p->block.len;
    if (p->mode == LVL_WWD_IN_ORDER || (p->mode == LVL_WWD_BY_CONTENT && !inside)) {
        *at = p->next;
        return true;
    }
    return inside;
}

bool lvl_wwd_reserve_places(lvl_wwd_parser *p, uint32_t planes)
{
    enum {
        PARTS = 3 /* parts per plane: tiles, image sets, objects; likewise plane headers and tile
                        properties */
    };
    const size_t count = ((size_t)planes + 1) * PARTS;

    p->starts = lvl_mem_alloc(p->doc->ctx, count * sizeof *p->starts);
    p->claims = lvl_mem_alloc(p->doc->ctx, count * sizeof *p->claims);
    if (!p->starts || !p->claims)
        p->status = LVL_ERR_MEMORY;
    return p->status == LVL_OK;
}

/* Adds the start of a part; one without records has none. BY_CONTENT, the count is not trusted. */
static void add_start(lvl_wwd_parser *p, uint32_t offset, bool used)
{
    const uint64_t at = (uint64_t)offset - LVL_WWD_HEADER_SIZE;

    if ((used || p->mode == LVL_WWD_BY_CONTENT) && offset >= LVL_WWD_HEADER_SIZE && at < p->block.len)
        p->starts[p->start_count++] = at;
}

void lvl_wwd_add_starts(lvl_wwd_parser *p, const lvl_wwd_plane *plane)
{
    add_start(p, plane->tiles_offset, plane->tiles_wide > 0 && plane->tiles_high > 0);
    add_start(p, plane->image_sets_offset, plane->image_sets_declared != 0);
    add_start(p, plane->objects_offset, plane->objects_declared != 0);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

void lvl_wwd_sort_starts(lvl_wwd_parser *p)
{
    add_start(p, p->wwd->tile_properties_offset, true);
    qsort(p->starts, p->start_count, sizeof *p->starts, by_number);
}

/* The index of the first start after `at`. */
static uint32_t start_after(const lvl_wwd_parser *p, uint64_t at)
{
    size_t next;

    LVL_LOWER_BOUND(next, p->start_count, p->starts[next] <= at);
    return (uint32_t)next;
}

uint64_t lvl_wwd_part_limit(const lvl_wwd_parser *p, uint64_t at)
{
    const uint32_t next = start_after(p, at);

    /* IN_ORDER, the starts are wrong */
    return p->mode != LVL_WWD_IN_ORDER && next < p->start_count ? p->starts[next] : p->block.len;
}

bool lvl_wwd_is_shared(const lvl_wwd_parser *p, uint32_t offset, uint64_t at)
{
    const uint32_t next = start_after(p, at), own = offset == LVL_WWD_HEADER_SIZE + at;

    return next > own && p->starts[next - 1 - own] == at;
}

/* ---- claims and gaps ----------------------------------------------------------------------------------- */

bool lvl_wwd_claim_bytes(lvl_wwd_parser *p, uint64_t at, uint64_t len)
{
    if (len > p->budget)
        return false;
    /* `at` of an empty part may be anywhere */
    if (!len)
        return true;
    p->budget -= len;
    p->claims[p->claim_count++] = (lvl_wwd_claim){at, len};
    p->next = at + len;
    p->end = p->next > p->end ? p->next : p->end;
    return true;
}

void lvl_wwd_add_gap(lvl_wwd_parser *p, uint64_t at, uint64_t len, const char *note)
{
    const lvl_wwd_gap gap = {{p->block.ptr + at, (size_t)len}};
    const bool padding = p->sink && lvl_is_zero(gap.bytes.ptr, gap.bytes.len);

    lvl_buffer_add(&p->gaps, &gap, sizeof gap);
    lvl_emit_span(
        p->sink, LVL_WWD_HEADER_SIZE + at, len,
        (lvl_span){.space = p->packed, .role = padding ? LVL_SPAN_PADDING : LVL_SPAN_RESIDUE, .note = note});
}

/* Reports a gap between parts. After a part that is cut off, it may be a piece of a record, so it is not
 * content. */
static void report_gap(lvl_wwd_parser *p, uint64_t at, uint64_t len)
{
    const bool has_content =
        len >= SMALLEST_RECORD && at != p->cut_at && !lvl_is_zero(p->block.ptr + at, (size_t)len);

    p->problems++;
    lvl_wwd_report_part(p, has_content ? LVL_WWD_F_GAP_CONTENT : LVL_WWD_F_GAP, lvl_where_root(), at, len,
                        "%llu bytes that nothing refers to", (unsigned long long)len);
    lvl_wwd_add_gap(p, at, len, "unreferenced bytes");
}

bool lvl_wwd_is_trailer(const uint8_t *s, uint64_t len)
{
    static const char wapmap[] = "<wm_meta>";
    const size_t n = sizeof wapmap - 1;

    return len <= 2 || (len > n && !memcmp(s, wapmap, n));
}

/* The end of the block: of an inflated block, the last byte; of a stored one, the end of its last part. If
 * there are problems, bytes after a stored block belong to it unless they are a trailer. */
static uint64_t end_of_block(lvl_wwd_parser *p)
{
    if (p->packed)
        return p->block.len;
    const bool is_trailer = lvl_wwd_is_trailer(p->block.ptr + p->end, p->block.len - p->end);
    const uint64_t end = !p->problems || is_trailer ? p->end : p->block.len;
    /* there may be more tile properties than declared */
    if (!is_trailer && p->mode == LVL_WWD_BY_OFFSET && p->claim_count && p->properties_end == p->end)
        p->problems++;
    return end;
}

static int by_place(const void *a, const void *b)
{
    const lvl_wwd_claim *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->len < y->len ? -1 : x->len > y->len;
}

static int by_address(const void *a, const void *b)
{
    const lvl_wwd_gap *x = a, *y = b;

    return x->bytes.ptr < y->bytes.ptr ? -1 : x->bytes.ptr > y->bytes.ptr;
}

static void keep_gaps(lvl_wwd_parser *p)
{
    lvl_wwd *wwd = p->wwd;

    if (p->gaps.status != LVL_OK || !p->gaps.len) {
        p->status = p->gaps.status;
        return;
    }
    wwd->gaps = lvl_arena_copy(&p->doc->arena, p->gaps.data, p->gaps.len);
    if (!wwd->gaps) {
        p->status = LVL_ERR_MEMORY;
        return;
    }
    wwd->gap_count = (uint32_t)(p->gaps.len / sizeof *wwd->gaps);
    qsort(wwd->gaps, wwd->gap_count, sizeof *wwd->gaps, by_address);
}

void lvl_wwd_find_gaps(lvl_wwd_parser *p)
{
    const uint64_t end = end_of_block(p);
    uint32_t overlaps = 0;
    uint64_t at = 0;

    qsort(p->claims, p->claim_count, sizeof *p->claims, by_place);
    for (uint32_t i = 0; i < p->claim_count; i++) {
        const lvl_wwd_claim *c = &p->claims[i];
        if (c->at > at)
            report_gap(p, at, c->at - at);
        overlaps += c->at < at;
        at = c->at + c->len > at ? c->at + c->len : at;
    }
    if (at < end)
        report_gap(p, at, end - at);
    if (overlaps)
        lvl_wwd_report_part(p, LVL_WWD_F_OVERLAP, lvl_where_root(), 0, 0,
                            "%u parts overlap others: an edit of one changes the other", overlaps);
    p->problems += overlaps;
    p->end = end;
    keep_gaps(p);
}
