/*
 * wap32/wwd/repair.c: repairs without guessing: sizes, offsets, counts, the checksum, a stream that is
 * truncated or damaged, tiles without properties. The reader finds the errors, so the document is first
 * written and read again.
 */
#include "base/cursor.h"
#include "wap32/wwd/check.h"
#include "wap32/wwd/stream.h"

#include <stdio.h>
#include <string.h>

struct repair {
    lvl_doc *doc;
    lvl_wwd *wwd;
    const lvl_repairs *repairs;
    lvl_findings *log;
    bool found[LVL_WWD_F_COUNT];
    uint64_t allowed; /* bytes of empty tiles that may still be added */
    bool *cut_planes; /* planes that have lost tiles */
};

static void log_change(const struct repair *r, lvl_wwd_finding what, const lvl_where *where, const char *text)
{
    lvl_findings_add(r->log, &lvl_wwd_findings[what], where, NULL, "%s", text);
}

/* Reads the document as it is now, collects the kinds of findings, and logs those that are repaired. */
static lvl_status reread(struct repair *r)
{
    lvl_ctx ctx;
    lvl_findings *reread;
    const lvl_status status = lvl_doc_reread_findings(r->doc, &ctx, &reread, NULL);

    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(reread); i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        if (f->def < lvl_wwd_findings || f->def >= lvl_wwd_findings + LVL_WWD_F_COUNT)
            continue;
        const bool checksum = f->def == &lvl_wwd_findings[LVL_WWD_F_CHECKSUM_MISMATCH];
        /* a changed level gets a correct checksum, too */
        if (!checksum && !lvl_repairs_wants(r->repairs, r->doc->ctx, f->def))
            continue;
        r->found[f->def - lvl_wwd_findings] = true;
        if (f->def == &lvl_wwd_findings[LVL_WWD_F_TILES_CUT] && f->where.steps[0].index < r->wwd->plane_count)
            r->cut_planes[f->where.steps[0].index] = true;
        if (f->def->repair)
            lvl_findings_add(r->log, f->def, &f->where, &f->position, "%s: %s", f->text, f->def->repair);
    }
    lvl_findings_free(reread);
    return status;
}

/* ---- derived members --------------------------------------------------------------------------------- */

/* Restores the computed value of a member of the root. */
static void drop_override(const struct repair *r, const lvl_field *field)
{
    for (uint32_t i = 0; i < r->doc->override_count; i++) {
        lvl_override *o = &r->doc->overrides[i];
        if (o->field == field)
            o->record = NULL;
    }
    lvl_doc_index_overrides(r->doc);
}

/* A hostile file may have very many overrides, so this is one loop over all of them. */
static void repair_pixel_sizes(const struct repair *r)
{
    const lvl_field *width = LVL_FIELD(lvl_wwd_plane, width_px);
    const lvl_field *height = LVL_FIELD(lvl_wwd_plane, height_px);

    for (uint32_t i = 0; i < r->doc->override_count; i++) {
        lvl_override *o = &r->doc->overrides[i];
        if (!o->record || (o->field != width && o->field != height))
            continue;
        const size_t at = (size_t)((const uint8_t *)o->record - (const uint8_t *)r->wwd->planes);
        const uint32_t plane = (uint32_t)(at / sizeof *r->wwd->planes);
        lvl_where w = lvl_where_to(lvl_wwd_at_plane(plane), o->field, LVL_NO_INDEX);
        log_change(r, LVL_WWD_F_PIXEL_SIZE, &w, "set to what the tiles make");
        o->record = NULL;
    }
    lvl_doc_index_overrides(r->doc);
}

/* ---- tiles ------------------------------------------------------------------------------------------- */

/* Adds empty rows for those that the header declares but the file does not have. */
static lvl_status restore_rows(struct repair *r, lvl_wwd_plane *p)
{
    const int64_t wide = p->tiles_wide, high = p->tiles_high;
    const size_t have = (size_t)p->tiles.width * p->tiles.height * 4;

    if (wide <= 0 || high <= (int64_t)p->tiles.height ||
        (p->tiles.ptr && (p->tiles.width != wide || p->tiles.size != 4)))
        return LVL_OK;
    /* if the file can never have had that many tiles, the declared size is wrong */
    const uint64_t cells = (uint64_t)wide * (uint64_t)high, limit = lvl_limits_of(r->doc->ctx).cells;
    if (cells * 4 - have > r->allowed || cells > limit)
        return LVL_OK;
    r->allowed -= cells * 4 - have;
    uint8_t *grid = lvl_arena_raw(&r->doc->arena, (size_t)cells * 4);
    if (!grid)
        return LVL_ERR_MEMORY;
    if (have && p->tiles.ptr)
        memcpy(grid, p->tiles.ptr, have);
    memset(grid + have, 0xFF, (size_t)cells * 4 - have);
    p->tiles.ptr = grid;
    p->tiles.width = (uint32_t)wide;
    p->tiles.height = (uint32_t)high;
    p->tiles.size = 4;
    return LVL_OK;
}

static lvl_status restore_tiles(struct repair *r)
{
    enum { MAX_BYTES = 256 << 20 };
    lvl_status status = LVL_OK;

    r->allowed = (uint64_t)r->doc->input.len * LVL_INFLATE_MAX_RATIO + (1 << 20);
    if (r->allowed > MAX_BYTES)
        r->allowed = MAX_BYTES;
    for (uint32_t i = 0; i < r->wwd->plane_count && status == LVL_OK; i++) {
        if (r->cut_planes[i])
            status = restore_rows(r, &r->wwd->planes[i]);
    }
    return status;
}

/* ---- tile properties --------------------------------------------------------------------------------- */

/* 1 + the highest tile number of the main plane; tiles of other image sets are ignored. */
static uint32_t tiles_in_use(const lvl_wwd *wwd)
{
    const lvl_wwd_plane *p = lvl_wwd_main_plane(wwd, NULL);
    uint32_t n = 0;

    for (uint32_t y = 0; p && p->tiles.ptr && y < p->tiles.height; y++) {
        for (uint32_t x = 0; x < p->tiles.width; x++) {
            uint32_t id = lvl_cell(&p->tiles, x, y);
            if (id >= n && id <= 0xFFFF)
                n = id + 1;
        }
    }
    return n;
}

static lvl_status add_properties(const struct repair *r, bool cut)
{
    lvl_wwd *wwd = r->wwd;
    const lvl_wwd_plane *main = lvl_wwd_main_plane(wwd, NULL);
    const lvl_field *f = LVL_FIELD(lvl_wwd, tile_properties);
    const uint32_t have = wwd->tile_property_count;
    const uint32_t used = tiles_in_use(wwd);
    uint32_t need = used;
    char text[256];

    /* a truncated table gets its declared size, if that is plausible */
    if (cut && wwd->tile_header.declared > need && wwd->tile_header.declared <= 0x10000)
        need = wwd->tile_header.declared;
    if (need <= have)
        return LVL_OK;
    lvl_status status = lvl_list_insert(r->doc, wwd, f, have, need - have);
    if (status != LVL_OK)
        return status;
    for (uint32_t i = have; i < need; i++) {
        lvl_wwd_tile_property *t = &wwd->tile_properties[i];
        if (have) {
            t->width = wwd->tile_properties[have - 1].width;
            t->height = wwd->tile_properties[have - 1].height;
        } else if (main && main->tile_width > 0 && main->tile_height > 0) {
            t->width = (uint32_t)main->tile_width;
            t->height = (uint32_t)main->tile_height;
        }
    }
    if (used > have) {
        lvl_where w = lvl_where_to(lvl_where_root(), f, have);
        snprintf(
            text, sizeof text,
            "%u tile properties added, single and clear: players fall through these tiles. `lvl copy OTHER "
            "tile_properties FILE -i' copies those of a level with the same tiles",
            (need - have));
        log_change(r, LVL_WWD_F_TILE_WITHOUT_PROPERTY, &w, text);
    }
    return LVL_OK;
}

/* ---- header ------------------------------------------------------------------------------------------ */

static void repair_sizes(const struct repair *r)
{
    lvl_wwd *wwd = r->wwd;
    lvl_where w;

    if (r->found[LVL_WWD_F_HEADER_SIZE])
        wwd->header_size = LVL_WWD_HEADER_SIZE;
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        if (wwd->planes[i].header_size == LVL_WWD_PLANE_SIZE)
            continue;
        wwd->planes[i].header_size = LVL_WWD_PLANE_SIZE;
        w = LVL_AT(lvl_wwd_at_plane(i), lvl_wwd_plane, header_size);
        log_change(r, LVL_WWD_F_PLANE_SIZE, &w, "set to 160");
    }
    if (wwd->tile_header.header_size != LVL_WWD_TILE_HEADER_SIZE) {
        wwd->tile_header.header_size = LVL_WWD_TILE_HEADER_SIZE;
        w = LVL_AT(LVL_AT_ROOT(lvl_wwd, tile_header), lvl_wwd_tile_header, header_size);
        if (!r->found[LVL_WWD_F_PROPERTIES_CUT])
            log_change(r, LVL_WWD_F_PROPERTIES_HEADER, &w, "set to 32");
    }
}

/* Drops the gaps of a block that was cut off or had wrong offsets: they are pieces of its parts. */
static void drop_gaps(const struct repair *r)
{
    const lvl_field *list = LVL_FIELD(lvl_wwd, gaps);
    char text[96];

    for (uint32_t i = 0; i < r->wwd->gap_count; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), list, i);
        snprintf(text, sizeof text, "%llu bytes that nothing refers to removed",
                 (unsigned long long)r->wwd->gaps[i].bytes.len);
        log_change(r, LVL_WWD_F_GAP, &where, text);
    }
    r->wwd->gaps = NULL;
    r->wwd->gap_count = 0;
}

/* Kinds of damage. */
enum { BROKEN = 1, CUT = 2, MISPLACED = 4, MISCOUNTED = 8, SIZE = 16 };
static const uint8_t damages[LVL_WWD_F_COUNT] = {
    [LVL_WWD_F_STREAM_TRUNCATED] = BROKEN,
    [LVL_WWD_F_STREAM_CORRUPT] = BROKEN,
    [LVL_WWD_F_STREAM_CHECKSUM] = BROKEN,
    [LVL_WWD_F_PLANES_CUT] = CUT,
    [LVL_WWD_F_TILES_CUT] = CUT,
    [LVL_WWD_F_IMAGE_SETS_CUT] = CUT,
    [LVL_WWD_F_OBJECTS_CUT] = CUT,
    [LVL_WWD_F_PROPERTIES_CUT] = CUT,
    [LVL_WWD_F_PROPERTY_TYPE] = CUT,
    [LVL_WWD_F_OFFSET_WRONG] = MISPLACED,
    [LVL_WWD_F_OVERLAP] = MISPLACED,
    [LVL_WWD_F_OBJECTS_SKIPPED] = MISPLACED,
    [LVL_WWD_F_COUNT_HIDES] = MISCOUNTED,
    [LVL_WWD_F_TILES_SHAPE] = MISCOUNTED,
    [LVL_WWD_F_OBJECT_LENGTH] = MISCOUNTED,
    [LVL_WWD_F_INFLATED_SIZE] = SIZE,
    [LVL_WWD_F_INFLATE_RATIO] = SIZE,
    [LVL_WWD_F_COMPRESS_FLAG] = SIZE,
};

lvl_status lvl_wwd_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    struct repair r = {doc, doc->root, repairs, repairs->log, {false}, 0, NULL};
    lvl_wwd *wwd = r.wwd;
    unsigned damage = 0;

    r.cut_planes = lvl_arena_array(&doc->arena, wwd->plane_count, sizeof *r.cut_planes);
    lvl_status status = r.cut_planes ? reread(&r) : LVL_ERR_MEMORY;
    if (status != LVL_OK)
        return status;
    for (size_t i = 0; i < LVL_WWD_F_COUNT; i++)
        damage |= r.found[i] ? damages[i] : 0u;
    if (damage & CUT)
        status = restore_tiles(&r);
    if (status == LVL_OK)
        status = add_properties(&r, damage & CUT && (damage & BROKEN || !(wwd->flags & LVL_WWD_COMPRESS)));
    if (status != LVL_OK)
        return status;
    if (r.found[LVL_WWD_F_COMPRESS_FLAG])
        wwd->flags ^= LVL_WWD_COMPRESS;
    if (damage & BROKEN)
        wwd->stream = (lvl_bytes){NULL, 0};
    repair_sizes(&r);
    if (damage & (BROKEN | CUT | MISPLACED))
        drop_gaps(&r);
    if (damage & (BROKEN | CUT | MISPLACED | MISCOUNTED)) {
        lvl_doc_drop_overrides(doc);
    } else {
        if (lvl_repairs_wants(repairs, doc->ctx, &lvl_wwd_findings[LVL_WWD_F_PIXEL_SIZE]))
            repair_pixel_sizes(&r);
        if (damage & SIZE)
            drop_override(&r, LVL_FIELD(lvl_wwd, inflated_size));
        if (r.found[LVL_WWD_F_HEADER_SIZE])
            drop_override(&r, LVL_FIELD(lvl_wwd, planes_offset));
    }
    if (r.found[LVL_WWD_F_CHECKSUM_MISMATCH]) {
        wwd->checksum_rule = LVL_WWD_CHECKSUM_GAME;
        drop_override(&r, LVL_FIELD(lvl_wwd, checksum));
    }
    return LVL_OK;
}
