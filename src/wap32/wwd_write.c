/*
 * wap32/wwd_write.c: writes a file.
 *
 * The main block is made from the records in the usual order, with the gaps between them, and with counts and
 * offsets that fit. The zlib stream of the file is written again if it inflates to that block. The main block
 * of a file with other counts, offsets, order or damage is written again as a whole while it reads as the
 * records do.
 */
#include "base/cursor.h"
#include "base/work.h"
#include "codec/deflate.h"
#include "wap32/wwd_block.h"
#include "wap32/wwd_stream.h"

#include <stdlib.h>

struct writer {
    const lvl_doc *doc;
    const lvl_wwd *wwd;
    uint32_t base;
    lvl_wwd_region *parts;
    uint32_t part_count;
    uint8_t *block;
    uint64_t size;
    lvl_buffer trailer;
};

/* ---- parts --------------------------------------------------------------------------------------------- */

/* The plane that a part belongs to; parts of the whole level have an empty one. */
static const lvl_wwd_plane *plane_of(const struct writer *w, const lvl_wwd_region *r)
{
    static const lvl_wwd_plane none;

    return r->plane < w->wwd->plane_count ? &w->wwd->planes[r->plane] : &none;
}

/* Where a part of a plane begins. They follow the plane headers: all tiles, all image sets, all objects. */
static uint32_t offset_of(const struct writer *w, lvl_wwd_part part, uint32_t plane)
{
    return (uint32_t)w->parts[1 + (size_t)(part - LVL_WWD_PART_TILES) * w->wwd->plane_count + plane].offset;
}

/* A plane's width or height in pixels, which nothing reads: as the file has it. */
static int32_t pixels(const struct writer *w, const lvl_wwd_plane *plane, size_t member, uint32_t tiles,
                      int32_t tile)
{
    const lvl_field *f = lvl_table_at(&lvl_wwd_plane_table, member);

    return (int32_t)lvl_doc_derived(w->doc, plane, f, (int32_t)(tiles * (uint32_t)tile));
}

static void write_planes(const struct writer *w, uint8_t *to)
{
    for (uint32_t i = 0; i < w->wwd->plane_count; i++, to += LVL_WWD_PLANE_SIZE) {
        const lvl_wwd_plane *plane = &w->wwd->planes[i];
        lvl_wwd_plane p = *plane;
        p.tiles_wide = (int32_t)p.tiles.width;
        p.tiles_high = (int32_t)p.tiles.height;
        p.width_px = pixels(w, plane, offsetof(lvl_wwd_plane, width_px), p.tiles.width, p.tile_width);
        p.height_px = pixels(w, plane, offsetof(lvl_wwd_plane, height_px), p.tiles.height, p.tile_height);
        p.image_sets_declared = p.image_set_count;
        p.objects_declared = p.object_count;
        p.tiles_offset = offset_of(w, LVL_WWD_PART_TILES, i);
        p.image_sets_offset = offset_of(w, LVL_WWD_PART_IMAGE_SETS, i);
        p.objects_offset = p.object_count ? offset_of(w, LVL_WWD_PART_OBJECTS, i) : 0;
        lvl_wwd_store(&p, &lvl_wwd_plane_table, to, LVL_WWD_PLANE_SIZE);
    }
}

static void write_tiles(const lvl_cells *cells, uint8_t *to)
{
    const size_t n = (size_t)cells->width * cells->height;

    if (!cells->ptr) {
        memset(to, 0xFF, n * 4);
        return;
    }
    if (cells->size == 4) {
        memcpy(to, cells->ptr, n * 4);
        return;
    }
    for (uint32_t y = 0; y < cells->height; y++) {
        for (uint32_t x = 0; x < cells->width; x++, to += 4)
            lvl_store_u32le(to, lvl_cell(cells, x, y));
    }
}

static uint8_t *put_text(uint8_t *to, lvl_text text)
{
    if (text.len)
        memcpy(to, text.ptr, text.len);
    return to + text.len;
}

static void write_image_sets(const lvl_wwd_plane *plane, uint8_t *to)
{
    for (uint32_t i = 0; i < plane->image_set_count; i++) {
        to = put_text(to, plane->image_sets[i]);
        *to++ = 0;
    }
}

/* The gaps of a region from `*next` on that stand before the object `index`. */
static uint8_t *write_gaps(const struct writer *w, const lvl_wwd_region *r, uint32_t *next, uint32_t index,
                           uint8_t *to)
{
    for (; *next < r->gap_count; ++*next) {
        const lvl_wwd_gap *g = &w->wwd->gaps[r->first_gap + *next];
        if (!lvl_wwd_gap_inside(r, g))
            continue;
        if ((uint32_t)g->index > index)
            break;
        if (g->bytes.len)
            memcpy(to, g->bytes.ptr, g->bytes.len);
        to += g->bytes.len;
    }
    return to;
}

static void write_objects(const struct writer *w, const lvl_wwd_region *r, const lvl_wwd_plane *plane,
                          uint8_t *to)
{
    uint32_t gap = 0;

    for (uint32_t i = 0; i < plane->object_count; i++) {
        const lvl_wwd_object *o = &plane->objects[i];
        to = write_gaps(w, r, &gap, i, to);
        lvl_wwd_store(o, &lvl_wwd_object_table, to, LVL_WWD_OBJECT_SIZE);
        for (size_t k = 0; k < LVL_WWD_OBJECT_TEXTS; k++)
            lvl_store_u32le(to + LVL_WWD_SIZE_AT(k), (uint32_t)lvl_wwd_object_text(o, k).len);
        to += LVL_WWD_OBJECT_SIZE;
        for (size_t k = 0; k < LVL_WWD_OBJECT_TEXTS; k++)
            to = put_text(to, lvl_wwd_object_text(o, k));
    }
    write_gaps(w, r, &gap, UINT32_MAX, to);
}

static uint8_t *write_property(const lvl_wwd_tile_property *t, uint8_t *to)
{
    lvl_wwd_store(t, &lvl_wwd_tile_property_table, to, 16);
    switch (t->type) {
    case LVL_WWD_TILE_SINGLE: lvl_store_u32le(to + 16, (uint32_t)t->attribute); return to + 20;
    case LVL_WWD_TILE_DOUBLE:
        lvl_store_u32le(to + 16, (uint32_t)t->outside);
        lvl_store_u32le(to + 20, (uint32_t)t->inside);
        lvl_wwd_store(&t->rect, &lvl_wwd_rect_table, to + 24, 16);
        return to + 40;
    case LVL_WWD_TILE_MASK: break;
    default: return to + 16;
    }
    const lvl_cells *mask = &t->mask;
    to += 16;
    if (!mask->ptr) {
        if (t->width && t->height)
            lvl_store_u32le(to - 8, 0); /* no cells: the size follows */
        return to;
    }
    lvl_store_u32le(to - 8, mask->width);
    lvl_store_u32le(to - 4, mask->height);
    for (uint32_t y = 0; y < mask->height; y++) {
        for (uint32_t x = 0; x < mask->width; x++)
            *to++ = (uint8_t)lvl_cell(mask, x, y);
    }
    return to;
}

static void write_properties(const struct writer *w, uint8_t *to)
{
    lvl_wwd_tile_header head = w->wwd->tile_header;

    head.declared = w->wwd->tile_property_count;
    lvl_wwd_store(&head, &lvl_wwd_tile_header_table, to, LVL_WWD_TILE_HEADER_SIZE);
    to += LVL_WWD_TILE_HEADER_SIZE;
    for (uint32_t i = 0; i < w->wwd->tile_property_count; i++)
        to = write_property(&w->wwd->tile_properties[i], to);
}

/* ---- the block ----------------------------------------------------------------------------------------- */

static void write_part(const struct writer *w, const lvl_wwd_region *r)
{
    const lvl_wwd_plane *plane = plane_of(w, r);
    uint8_t *to = w->block + (r->offset - w->base), *before = to;

    for (uint32_t i = r->gap_count; i-- > 0;) {
        const lvl_wwd_gap *g = &w->wwd->gaps[r->first_gap + i];
        if (lvl_wwd_gap_inside(r, g) || !g->bytes.len)
            continue;
        before -= g->bytes.len;
        memcpy(before, g->bytes.ptr, g->bytes.len);
    }
    if (!r->size)
        return;
    switch (r->part) {
    case LVL_WWD_PART_PLANES: write_planes(w, to); break;
    case LVL_WWD_PART_TILES: write_tiles(&plane->tiles, to); break;
    case LVL_WWD_PART_IMAGE_SETS: write_image_sets(plane, to); break;
    case LVL_WWD_PART_OBJECTS: write_objects(w, r, plane, to); break;
    case LVL_WWD_PART_PROPERTIES: write_properties(w, to); break;
    case LVL_WWD_PART_END: break;
    }
}

/* The header as it is to be written, as far as it doesn't depend on the stream. `faithful`: with the
 * numbers that the file had, where they are not those that fit. */
static void make_header(const struct writer *w, bool faithful, lvl_wwd *head)
{
    const lvl_wwd *wwd = w->wwd;
    const uint64_t size = wwd->flags & LVL_WWD_COMPRESS ? w->size : 0;
    const struct {
        size_t member;
        uint64_t computed;
    } numbers[] = {
        {offsetof(lvl_wwd, planes_offset), lvl_wwd_planes_offset(wwd, &w->parts[0])},
        {offsetof(lvl_wwd, tile_properties_offset), w->parts[w->part_count - 2].offset},
        {offsetof(lvl_wwd, planes_declared), wwd->plane_count},
        {offsetof(lvl_wwd, inflated_size), size},
    };

    *head = *wwd;
    for (size_t i = 0; i < LVL_COUNT_OF(numbers); i++) {
        const lvl_field *f = lvl_table_at(&lvl_wwd_table, numbers[i].member);
        const int64_t computed = (uint32_t)numbers[i].computed;
        lvl_put_int(head, f, faithful ? lvl_doc_derived(w->doc, wwd, f, computed) : computed);
    }
    /* which that header size, or that offset, makes the place of the planes */
    if (head->planes_offset == lvl_wwd_planes_offset(wwd, &w->parts[0]))
        head->planes_offset = (uint32_t)w->parts[0].offset;
}

static lvl_status make_block(struct writer *w)
{
    w->block = malloc((size_t)w->size + 1);
    if (!w->block)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < w->part_count; i++)
        write_part(w, &w->parts[i]);
    return LVL_OK;
}

static void add_value(void *user, void *record, const lvl_field *field, int64_t computed)
{
    const int64_t value = lvl_get_int(record, field);

    (void)computed;
    lvl_buffer_add(user, &value, sizeof value);
}

/* Whether a block that is read gives the records and the computed members that the document has. */
static lvl_status reads_the_same(const struct writer *w, lvl_doc *again, const lvl_block_source *src,
                                 bool *same)
{
    lvl_buffer here = {0}, there = {0};
    lvl_block_result result;
    lvl_doc was = *w->doc;

    lvl_status status = lvl_wwd_block_read(again, src, NULL, NULL, &result);
    *same = status == LVL_OK && (!src->open_end || result.end + w->trailer.len == src->block.len) &&
            lvl_record_equal(w->wwd, again->root, w->doc->format->table);
    if (*same) {
        status = lvl_wwd_derive(&was, add_value, &here);
        if (status == LVL_OK)
            status = lvl_wwd_derive(again, add_value, &there);
        if (status == LVL_OK && (here.status != LVL_OK || there.status != LVL_OK))
            status = LVL_ERR_MEMORY;
        *same = status == LVL_OK && here.len == there.len && !memcmp(here.data, there.data, here.len);
    }
    lvl_buffer_free(&here);
    lvl_buffer_free(&there);
    return status;
}

/* ---- the stream ---------------------------------------------------------------------------------------- */

/* Whether the file's zlib stream inflates to the block that was made. */
static lvl_status stream_holds(const struct writer *w, const lvl_wwd *head, bool *holds)
{
    const lvl_bytes stream = w->wwd->stream;
    lvl_inflate_report report;

    *holds = false;
    if (!stream.len || !lvl_wwd_is_packed(head, stream))
        return LVL_OK;
    if (lvl_inflate_impossible(stream.len, w->size, LVL_INFLATE_MAX_RATIO))
        return LVL_OK;
    uint8_t *out = malloc((size_t)w->size + 1);
    if (!out)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_wwd_inflate(stream, out, (size_t)w->size, &report);
    if (status == LVL_OK && report.end != LVL_INFLATE_FULL && report.out_len == w->size)
        *holds = !w->size || memcmp(out, w->block, (size_t)w->size) == 0;
    free(out);
    /* its end must be where a reader finds it: what is broken takes everything behind it along */
    if (report.end == LVL_INFLATE_DONE || report.end == LVL_INFLATE_BAD_CHECKSUM)
        *holds &= report.in_used == stream.len;
    else
        *holds &= !w->trailer.len;
    return status;
}

/* Whether the file's own block reads as the records do. It takes the place of the one that was made. */
static lvl_status source_holds(struct writer *w, bool *holds)
{
    const lvl_wwd *wwd = w->wwd;
    lvl_block_source src = {wwd->stream, w->base, 0, 0, false};
    lvl_buffer stored = {0};
    lvl_inflate_report report;
    lvl_doc *again;

    *holds = false;
    const bool packed = lvl_wwd_is_packed(wwd, wwd->stream);
    if (!wwd->stream.len || (!packed && wwd->flags & LVL_WWD_COMPRESS && wwd->inflated_size))
        return LVL_OK;
    lvl_status status = lvl_doc_new(&again, w->doc->ctx, w->doc->format);
    if (status != LVL_OK)
        return status;
    *(lvl_wwd *)again->root = *wwd;
    if (packed) {
        status = lvl_wwd_inflate_block(again, wwd->stream, wwd->inflated_size, &src.block, &report);
    } else {
        lvl_buffer_add(&stored, wwd->stream.ptr, wwd->stream.len);
        lvl_buffer_add(&stored, w->trailer.data, w->trailer.len);
        status = stored.status;
        src.block = (lvl_bytes){stored.data, stored.len};
        src.open_end = true;
    }
    if (status == LVL_OK)
        status = reads_the_same(w, again, &src, holds);
    if (*holds) {
        free(w->block);
        w->size = packed ? src.block.len : wwd->stream.len;
        w->block = malloc((size_t)w->size + 1);
        if (!w->block)
            status = LVL_ERR_MEMORY;
        else
            memcpy(w->block, src.block.ptr, (size_t)w->size);
    }
    lvl_buffer_free(&stored);
    lvl_doc_free(again);
    return status == LVL_ERR_LIMIT ? LVL_OK : status;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static lvl_deflate_style zlib_style(const lvl_wwd *wwd)
{
    return wwd->compression == LVL_WWD_ZLIB_BEST ? LVL_DEFLATE_LEVEL9 : LVL_DEFLATE_CLASSIC6;
}

/* The whole file, whose main block goes into it as `body`. */
static lvl_status put_file(const struct writer *w, lvl_wwd *head, lvl_bytes body, bool stored,
                           lvl_buffer *out)
{
    const lvl_bytes none = {NULL, 0}, block = {w->block, (size_t)w->size};
    uint8_t bytes[LVL_WWD_HEADER_SIZE];

    if (w->wwd->checksum_rule < LVL_WWD_CHECKSUM_OTHER)
        head->checksum = lvl_wwd_checksum(w->wwd->checksum_rule, body, stored ? none : block);
    lvl_wwd_store(head, &lvl_wwd_table, bytes, w->base);
    lvl_buffer_add(out, bytes, w->base);
    lvl_buffer_add(out, body.ptr, body.len);
    lvl_buffer_add(out, w->trailer.data, w->trailer.len);
    return out->status;
}

/* Packs the block again. */
static lvl_status put_packed(const struct writer *w, lvl_wwd *head, lvl_buffer *out)
{
    const lvl_bytes block = {w->block, (size_t)w->size};
    lvl_buffer packed = {0};

    lvl_status status = lvl_deflate_zlib(block, zlib_style(w->wwd), &packed);
    if (status == LVL_OK)
        status = put_file(w, head, (lvl_bytes){packed.data, packed.len}, false, out);
    lvl_buffer_free(&packed);
    return status;
}

static void add_part(void *user, const lvl_wwd_region *r)
{
    struct writer *w = user;

    w->parts[w->part_count++] = *r;
}

static lvl_status start(struct writer *w, const lvl_doc *doc)
{
    w->doc = doc;
    w->wwd = doc->root;
    lvl_wwd_trailer_write(w->wwd, &w->trailer);
    if (w->trailer.status != LVL_OK)
        return w->trailer.status;
    w->base = lvl_wwd_base(w->wwd);
    w->parts = calloc((size_t)w->wwd->plane_count * 3 + 3, sizeof *w->parts);
    if (!w->parts)
        return LVL_ERR_MEMORY;
    w->size = lvl_wwd_layout(w->wwd, add_part, w);
    return w->size <= UINT32_MAX
               ? make_block(w)
               : lvl_refuse_fixed(doc->ctx, "bytes in the main block of a WWD", UINT32_MAX, w->size);
}

static void finish(struct writer *w)
{
    lvl_buffer_free(&w->trailer);
    free(w->parts);
    free(w->block);
}

static lvl_status write_file(struct writer *w, lvl_buffer *out)
{
    const lvl_bytes stream = w->wwd->stream;
    const bool stored = !(w->wwd->flags & LVL_WWD_COMPRESS) || !w->size;
    bool holds = false;
    lvl_wwd head;

    make_header(w, true, &head);
    lvl_status status = stream_holds(w, &head, &holds);
    /* an edit may ask for another compression than the file's */
    const bool packed = lvl_wwd_is_packed(&head, stream);
    const bool level = !packed || lvl_wwd_compression_of(stream) == w->wwd->compression;
    if (status == LVL_OK && holds)
        return level ? put_file(w, &head, stream, false, out) : put_packed(w, &head, out);
    if (status == LVL_OK && (w->doc->override_count || w->wwd->gap_count))
        status = source_holds(w, &holds);
    if (status == LVL_OK && holds) {
        head = *w->wwd;
        return level ? put_file(w, &head, stream, !lvl_wwd_is_packed(&head, stream), out)
                     : put_packed(w, &head, out);
    }
    if (status != LVL_OK)
        return status;
    make_header(w, !stream.len, &head);
    return stored ? put_file(w, &head, (lvl_bytes){w->block, (size_t)w->size}, true, out)
                  : put_packed(w, &head, out);
}

lvl_status lvl_wwd_write(const lvl_doc *doc, lvl_buffer *out)
{
    struct writer w = {0};

    lvl_status status = start(&w, doc);
    if (status == LVL_OK)
        status = write_file(&w, out);
    finish(&w);
    return status;
}

lvl_status lvl_wwd_kept(const lvl_doc *doc, uint64_t *bytes)
{
    const lvl_wwd *wwd = doc->root;

    *bytes = wwd->stream.len;
    for (uint32_t i = 0; i < wwd->gap_count; i++)
        *bytes += wwd->gaps[i].bytes.len;
    return LVL_OK;
}

/* Whether the document gives this block without the file's stream. */
static lvl_status makes_block(const lvl_doc *doc, lvl_bytes block, bool *makes)
{
    struct writer w = {0};

    lvl_status status = start(&w, doc);
    if (status == LVL_OK)
        *makes = w.size == block.len && !memcmp(w.block, block.ptr, block.len);
    finish(&w);
    return status;
}

lvl_status lvl_wwd_can_regenerate(const lvl_doc *doc, const lvl_field *field, bool *out)
{
    const lvl_wwd *wwd = doc->root;
    const size_t size = wwd->inflated_size;
    lvl_deflate_style style = LVL_DEFLATE_LEVEL6;
    size_t used = 0, len = 0;
    bool same = false;

    *out = false;
    if (field->offset != offsetof(lvl_wwd, stream))
        return LVL_OK;
    if (!lvl_wwd_is_packed(wwd, wwd->stream))
        return wwd->flags & LVL_WWD_COMPRESS ? LVL_OK : makes_block(doc, wwd->stream, out);
    if (!(wwd->flags & LVL_WWD_COMPRESS) || !size ||
        lvl_inflate_impossible(wwd->stream.len, size, LVL_INFLATE_MAX_RATIO))
        return LVL_OK;
    uint8_t *block = malloc(size);
    if (!block)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_inflate_zlib(wwd->stream, block, size, &used, &len);
    if (status == LVL_OK && used == wwd->stream.len && len == size) {
        const lvl_bytes image = {block, size};
        status = lvl_deflate_reproduces(wwd->stream, image, &same, &style);
        *out = same && style == zlib_style(wwd);
        if (status == LVL_OK && *out && (doc->override_count || wwd->gap_count))
            status = makes_block(doc, image, out);
    }
    free(block);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

void lvl_wwd_drop_spelling(lvl_doc *doc)
{
    lvl_wwd *wwd = doc->root;

    wwd->stream.ptr = NULL;
    wwd->stream.len = 0;
    wwd->gaps = NULL;
    wwd->gap_count = 0;
    lvl_doc_drop_overrides(doc);
}
