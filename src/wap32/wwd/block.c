/*
 * wap32/wwd/block.c: reads a main block: planes, their tiles, image sets and objects, and the tile
 * properties.
 *
 *     planes_offset            plane headers, 160 bytes each
 *     plane.tiles_offset       tiles_wide * tiles_high u32
 *     plane.image_sets_offset  NUL-ended names
 *     plane.objects_offset     each 284 bytes and four texts without terminators
 *     tile_properties_offset   32 bytes, then each 20 (single), 40 (double) or 16 + width * height (mask)
 *
 * An intact block is read once, by its offsets (lvl_wwd_mode). If that leaves gaps, overlaps or parts that
 * are cut off, either offsets or counts are wrong:
 *
 *   1. In the order in which editors write them, the parts may fit to the last byte: offsets are wrong.
 *   2. Otherwise each part extends to the next one, and its records are counted (wap32/wwd/recover.c): counts
 *      and lengths are wrong.
 *   3. If both are possible, the reading with fewer errors is used.
 *
 * Bytes that belong to no part are gaps.
 */
#include "wap32/wwd/parts.h"

/* ---- offsets ------------------------------------------------------------------------------------------- */

struct offsets {
    const lvl_wwd_parser *p;
    uint32_t unusual;
};

static void compare_region(void *user, const lvl_wwd_region *region)
{
    struct offsets *o = user;
    const uint64_t value = (uint64_t)lvl_get_int(region->record, region->field);

    if (value == region->usual)
        return;
    o->unusual++;
    if (o->p->mode != LVL_WWD_IN_ORDER || !o->p->findings)
        return;
    const lvl_where where =
        region->plane ? lvl_wwd_at_plane((uint32_t)(region->plane - o->p->wwd->planes)) : lvl_where_root();
    lvl_wwd_report(o->p->findings, LVL_WWD_F_OFFSET_WRONG, lvl_where_to(where, region->field, LVL_NO_INDEX),
                   "found 0x%llx, expected 0x%llx, where the data is: games read other bytes",
                   (unsigned long long)value, (unsigned long long)region->usual);
}

/* The number of offsets that differ from those that editors write. Reports each wrong offset, and an unusual
 * order once. */
static uint32_t compare_offsets(const lvl_wwd_parser *p)
{
    struct offsets o = {p, 0};

    lvl_wwd_layout(p->wwd, compare_region, &o);
    if (o.unusual && p->findings && p->mode == LVL_WWD_BY_OFFSET && !p->problems)
        lvl_findings_add(p->findings, &lvl_wwd_findings[LVL_WWD_F_LAYOUT], NULL, NULL,
                         "%u offsets differ from those that editors write", o.unusual);
    return o.unusual;
}

/* ---- one reading --------------------------------------------------------------------------------------- */

static void begin_reading(lvl_wwd_parser *p)
{
    const uint64_t len = p->block.len;
    lvl_wwd *wwd = p->wwd;

    p->budget = len * 4 + 4096;
    p->work = lvl_work_begin(p->doc->ctx);
    p->work.left = p->work.left < len * 16 + 4096 ? p->work.left : len * 16 + 4096;
    p->next = p->end = p->properties_end = 0;
    p->cut_at = UINT64_MAX;
    p->problems = p->claim_count = p->start_count = 0;
    p->status = LVL_OK;
    wwd->plane_count = wwd->tile_property_count = wwd->gap_count = 0;
    wwd->planes = NULL;
    wwd->tile_properties = NULL;
    wwd->gaps = NULL;
}

static void end_reading(lvl_wwd_parser *p)
{
    if (p->status == LVL_OK && p->work.status == LVL_ERR_STOPPED)
        p->status = LVL_ERR_STOPPED;
    lvl_mem_free(p->doc->ctx, p->claims);
    lvl_mem_free(p->doc->ctx, p->starts);
    lvl_buffer_free(&p->gaps);
    p->claims = NULL;
    p->starts = NULL;
}

/* Reads the block in one of the modes, and counts p->problems. */
static lvl_status read_block(lvl_wwd_parser *p, lvl_wwd_mode mode, lvl_sink *sink, lvl_findings *findings)
{
    static void (*const of_plane[])(lvl_wwd_parser * p, uint32_t plane) = {
        lvl_wwd_read_tiles, lvl_wwd_read_image_sets, lvl_wwd_read_objects};

    p->mode = mode;
    p->sink = sink;
    p->findings = findings;
    begin_reading(p);
    lvl_wwd_read_planes(p);
    for (size_t k = 0; k < LVL_COUNT_OF(of_plane); k++) {
        for (uint32_t i = 0; i < p->wwd->plane_count && p->status == LVL_OK; i++)
            of_plane[k](p, i);
    }
    if (p->status == LVL_OK)
        lvl_wwd_read_properties(p);
    if (p->status == LVL_OK)
        lvl_wwd_find_gaps(p);
    end_reading(p);
    return p->status;
}

/* ---- choosing a reading -------------------------------------------------------------------------------- */

/* Whether a reading IN_ORDER ended with the block, or with a trailer after a stored block. */
static bool parser_fits(const lvl_wwd_parser *p)
{
    return !p->problems && p->wwd->tile_header.header_size == LVL_WWD_TILE_HEADER_SIZE &&
           lvl_wwd_is_trailer(p->block.ptr + p->end, p->block.len - p->end);
}

/* Sets *mode to the mode with the fewest errors; the last reading may have been in another mode. */
static lvl_status choose_mode(lvl_wwd_parser *p, lvl_wwd_mode *mode)
{
    *mode = LVL_WWD_BY_OFFSET;
    lvl_status status = read_block(p, LVL_WWD_BY_OFFSET, NULL, NULL);
    if (status != LVL_OK || !p->problems)
        return status;
    *mode = LVL_WWD_IN_ORDER;
    status = read_block(p, LVL_WWD_IN_ORDER, NULL, NULL);
    if (status != LVL_OK)
        return status;
    const uint32_t wrong_offsets = parser_fits(p) ? compare_offsets(p) : UINT32_MAX;
    if (wrong_offsets <= 1)
        return LVL_OK;
    status = read_block(p, LVL_WWD_BY_CONTENT, NULL, NULL);
    *mode = p->problems < wrong_offsets ? LVL_WWD_BY_CONTENT : LVL_WWD_IN_ORDER;
    return status;
}

lvl_status lvl_wwd_block_read(lvl_doc *doc, lvl_bytes block, bool packed, lvl_sink *sink,
                              lvl_findings *findings, lvl_block_result *result)
{
    lvl_wwd_parser p = {.doc = doc, .wwd = doc->root, .block = block, .packed = packed};
    lvl_wwd_mode mode;

    lvl_status status = choose_mode(&p, &mode);
    /* read once more, with findings */
    if (status == LVL_OK && (sink || mode != LVL_WWD_BY_OFFSET))
        status = read_block(&p, mode, sink, findings);
    if (status != LVL_OK)
        return status;
    p.findings = findings;
    result->end = p.end;
    result->usual = (findings || !packed) && !compare_offsets(&p) && !p.problems;
    return LVL_OK;
}
