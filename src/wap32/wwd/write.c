/*
 * wap32/wwd/write.c: writes a file.
 *
 * The main block is made from the records: first the gaps, then the parts in the usual order, with correct
 * counts and offsets. The file's own block is written instead if it has the same bytes or, in a file with
 * other counts, offsets, order or damage, if reading it gives the same records.
 */
#include "base/cursor.h"
#include "base/disk.h"
#include "base/work.h"
#include "codec/deflate.h"
#include "wap32/wwd/stream.h"

#include <stdlib.h>

struct writer {
    const lvl_doc *doc;
    const lvl_wwd *wwd;
    lvl_wwd head; /* the header to write, with copies of the planes' headers */
    bool as_in_doc; /* derived numbers are those of the document, even if they are wrong */
    uint8_t *block;
    uint64_t size;
    lvl_buffer trailer;
    lvl_doc *source; /* for what is read of the source */
};

/* ---- headers ------------------------------------------------------------------------------------------- */

static bool is_of(const lvl_field *field, const lvl_table *table)
{
    const uintptr_t at = (uintptr_t)field, from = (uintptr_t)table->fields;

    return at >= from && at < from + table->field_count * sizeof *field;
}

/* Sets a derived number in the copies of the headers. Those in objects and WapMap's trailer are set when
 * these are written. */
static void set_derived(void *user, void *record, const lvl_field *field, int64_t computed)
{
    struct writer *w = user;
    void *copy = &w->head;
    bool as_in_doc = w->as_in_doc;

    if (is_of(field, &lvl_wwd_plane_table)) {
        copy = &w->head.planes[(const lvl_wwd_plane *)record - w->wwd->planes];
        /* no program reads these two, so a wrong value is kept */
        as_in_doc = field->offset == offsetof(lvl_wwd_plane, width_px) ||
                    field->offset == offsetof(lvl_wwd_plane, height_px);
    } else if (is_of(field, &lvl_wwd_tile_header_table)) {
        copy = &w->head.tile_header;
        as_in_doc = false;
    } else if (!is_of(field, &lvl_wwd_table) || field->offset == offsetof(lvl_wwd, checksum)) {
        return;
    }
    lvl_put_int(copy, field, as_in_doc ? lvl_doc_derived(w->doc, record, field, computed) : computed);
}

static lvl_status make_headers(struct writer *w, bool as_in_doc)
{
    lvl_wwd_plane *planes = w->head.planes;

    w->as_in_doc = as_in_doc;
    w->head = *w->wwd;
    w->head.planes = planes;
    if (w->wwd->plane_count)
        memcpy(planes, w->wwd->planes, w->wwd->plane_count * sizeof *planes);
    return lvl_wwd_derive((lvl_doc *)(uintptr_t)w->doc, set_derived, w);
}

/* ---- parts --------------------------------------------------------------------------------------------- */

static void write_planes(const struct writer *w, uint8_t *to)
{
    for (uint32_t i = 0; i < w->wwd->plane_count; i++, to += LVL_WWD_PLANE_SIZE)
        lvl_disk_store(&w->head.planes[i], &lvl_wwd_plane_table, to, LVL_WWD_PLANE_SIZE);
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

static void write_objects(const lvl_wwd_plane *plane, uint8_t *to)
{
    for (uint32_t i = 0; i < plane->object_count; i++) {
        const lvl_wwd_object *o = &plane->objects[i];
        lvl_disk_store(o, &lvl_wwd_object_table, to, LVL_WWD_OBJECT_SIZE);
        for (size_t k = 0; k < LVL_WWD_OBJECT_TEXTS; k++)
            lvl_store_u32le(to + LVL_WWD_SIZE_AT(k), (uint32_t)lvl_wwd_object_text(o, k).len);
        to += LVL_WWD_OBJECT_SIZE;
        for (size_t k = 0; k < LVL_WWD_OBJECT_TEXTS; k++)
            to = put_text(to, lvl_wwd_object_text(o, k));
    }
}

static uint8_t *write_property(const lvl_wwd_tile_property *t, uint8_t *to)
{
    const uint32_t fixed = lvl_wwd_property_fixed(t->type);
    const lvl_cells *mask = &t->mask;
    lvl_wwd_tile_property head = *t;

    if (t->type == LVL_WWD_TILE_MASK && mask->ptr) {
        head.width = mask->width;
        head.height = mask->height;
    } else if (t->type == LVL_WWD_TILE_MASK && t->width) {
        head.height = 0; /* no cells follow */
    }
    lvl_disk_store(&head, &lvl_wwd_tile_property_table, to, fixed);
    to += fixed;
    if (t->type != LVL_WWD_TILE_MASK || !mask->ptr)
        return to;
    const size_t cells = (size_t)mask->width * mask->height;
    if (mask->size == 1) {
        memcpy(to, mask->ptr, cells);
        return to + cells;
    }
    for (uint32_t y = 0; y < mask->height; y++) {
        for (uint32_t x = 0; x < mask->width; x++)
            *to++ = (uint8_t)lvl_cell(mask, x, y);
    }
    return to;
}

static void write_properties(const struct writer *w, uint8_t *to)
{
    lvl_disk_store(&w->head.tile_header, &lvl_wwd_tile_header_table, to, LVL_WWD_TILE_HEADER_SIZE);
    to += LVL_WWD_TILE_HEADER_SIZE;
    for (uint32_t i = 0; i < w->wwd->tile_property_count; i++)
        to = write_property(&w->wwd->tile_properties[i], to);
}

/* ---- the block ----------------------------------------------------------------------------------------- */

static void write_part(void *user, const lvl_wwd_region *r)
{
    const struct writer *w = user;
    uint8_t *to = w->block + (r->offset - LVL_WWD_HEADER_SIZE);

    switch (r->part) {
    case LVL_WWD_PART_PLANES: write_planes(w, to); break;
    case LVL_WWD_PART_TILES: write_tiles(&r->plane->tiles, to); break;
    case LVL_WWD_PART_IMAGE_SETS: write_image_sets(r->plane, to); break;
    case LVL_WWD_PART_OBJECTS: write_objects(r->plane, to); break;
    default:
        if (r->size)
            write_properties(w, to);
    }
}

static lvl_status make_block(struct writer *w)
{
    uint8_t *to = w->block = malloc((size_t)w->size + 1);

    if (!to)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < w->wwd->gap_count; i++) {
        const lvl_bytes gap = w->wwd->gaps[i].bytes;
        to = put_text(to, (lvl_text){(const char *)gap.ptr, gap.len});
    }
    lvl_wwd_layout(w->wwd, write_part, w);
    return LVL_OK;
}

/* ---- the file's own block ------------------------------------------------------------------------------ */

/* Whether reading the block gives the records of the document, including derived numbers. */
static lvl_status reads_the_same(const struct writer *w, lvl_doc *again, lvl_bytes block, bool packed,
                                 bool *same)
{
    lvl_buffer stored = {0};
    lvl_block_result result;

    if (!packed) { /* the reader has to find its end */
        lvl_buffer_add(&stored, block.ptr, block.len);
        lvl_buffer_add(&stored, w->trailer.data, w->trailer.len);
        if (stored.status != LVL_OK)
            return stored.status;
        block = (lvl_bytes){stored.data, stored.len};
    }
    const lvl_status status = lvl_wwd_block_read(again, block, packed, NULL, NULL, &result);
    *same = status == LVL_OK && (packed || result.end + w->trailer.len == block.len) &&
            lvl_record_identical(w->wwd, again->root, w->doc->format->table);
    lvl_buffer_free(&stored);
    return status;
}

/* Makes the document that the source is read into. */
static lvl_status open_source(struct writer *w)
{
    lvl_status status = w->source ? LVL_OK : lvl_doc_new(&w->source, w->doc->ctx, w->doc->format);

    if (status == LVL_OK)
        *(lvl_wwd *)w->source->root = w->head;
    return status;
}

/* Inflates the stream, or uses the content that the reader has kept if the document was read from it. */
static lvl_status inflate_source(struct writer *w, lvl_bytes *block, lvl_inflate_report *report)
{
    const lvl_bytes stream = w->wwd->stream;
    const lvl_wwd_source *const known = w->doc->state;

    if (known && known->stream.ptr == stream.ptr && known->stream.len == stream.len) {
        *block = known->block;
        return LVL_OK;
    }
    const lvl_status status = open_source(w);
    return status == LVL_OK ? lvl_wwd_inflate_block(w->source, stream, w->head.inflated_size, block, report)
                            : status;
}

/* Whether the file's own block, stored or compressed, has the content of the document. If so, it replaces the
 * new block. */
static lvl_status use_source(struct writer *w, bool *holds)
{
    const lvl_bytes stream = w->wwd->stream;
    const bool packed = lvl_wwd_is_packed(&w->head, stream);
    lvl_inflate_report report = {.end = LVL_INFLATE_DONE, .in_used = stream.len};
    lvl_bytes block = stream;
    lvl_status status = LVL_OK;
    bool same = false;

    *holds = false;
    if (!stream.len || (!packed && w->head.flags & LVL_WWD_COMPRESS && w->head.inflated_size))
        return LVL_OK;
    if (packed)
        status = inflate_source(w, &block, &report);
    if (status == LVL_OK) {
        same = block.len == w->size && (!w->size || !memcmp(block.ptr, w->block, (size_t)w->size));
        *holds = same;
        if (!same && (w->doc->override_count || w->wwd->gap_count)) {
            status = open_source(w);
            if (status == LVL_OK)
                status = reads_the_same(w, w->source, block, packed, holds);
        }
    }
    /* a reader must find the same end: a broken stream extends to the end of the file */
    if (report.end == LVL_INFLATE_DONE || report.end == LVL_INFLATE_BAD_CHECKSUM)
        *holds &= report.in_used == stream.len;
    else
        *holds &= !w->trailer.len;
    if (*holds && !same) {
        free(w->block);
        w->size = block.len;
        w->block = malloc((size_t)w->size + 1);
        if (!w->block)
            status = LVL_ERR_MEMORY;
        else if (w->size)
            memcpy(w->block, block.ptr, (size_t)w->size);
    }
    return status == LVL_ERR_LIMIT ? LVL_OK : status;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* Appends the whole file, with `body` as the main block. */
static lvl_status put_file(struct writer *w, lvl_bytes body, bool packed, lvl_buffer *out)
{
    const lvl_bytes none = {NULL, 0}, block = {w->block, (size_t)w->size};
    uint8_t bytes[LVL_WWD_HEADER_SIZE];

    if (w->wwd->checksum_rule < LVL_WWD_CHECKSUM_OTHER)
        w->head.checksum = lvl_wwd_checksum(w->wwd->checksum_rule, body, packed ? block : none);
    lvl_disk_store(&w->head, &lvl_wwd_table, bytes, sizeof bytes);
    lvl_buffer_add(out, bytes, sizeof bytes);
    lvl_buffer_add(out, body.ptr, body.len);
    lvl_buffer_add(out, w->trailer.data, w->trailer.len);
    return out->status;
}

/* Makes the block and the headers. */
static lvl_status start_writing(struct writer *w, const lvl_doc *doc)
{
    w->doc = doc;
    w->wwd = doc->root;
    lvl_status status = lvl_wwd_trailer_write(w->wwd, &w->trailer);
    if (status != LVL_OK)
        return status;
    w->head.planes = calloc((size_t)w->wwd->plane_count + 1, sizeof *w->head.planes);
    if (!w->head.planes)
        return LVL_ERR_MEMORY;
    w->size = lvl_wwd_layout(w->wwd, NULL, NULL);
    if (w->size > UINT32_MAX)
        return lvl_refuse_fixed(doc->ctx, "bytes in the main block of a WWD", UINT32_MAX, w->size);
    status = make_headers(w, true);
    return status == LVL_OK ? make_block(w) : status;
}

static void finish(struct writer *w)
{
    lvl_buffer_free(&w->trailer);
    lvl_doc_free(w->source);
    free(w->head.planes);
    free(w->block);
}

static lvl_status write_file(struct writer *w, lvl_buffer *out)
{
    const lvl_bytes stream = w->wwd->stream;
    lvl_buffer repacked = {0};
    lvl_bytes body = stream;
    bool holds, packed = lvl_wwd_is_packed(&w->head, stream);

    lvl_status status = use_source(w, &holds);
    if (status == LVL_OK && !holds) {
        packed = w->wwd->flags & LVL_WWD_COMPRESS && w->size;
        body = (lvl_bytes){w->block, (size_t)w->size};
        /* without a source, the document is from a dump, which must reproduce its file */
        if (stream.len)
            status = make_headers(w, false);
    }
    if (status == LVL_OK && packed && !holds) {
        status = lvl_deflate(LVL_WRAP_ZLIB, body, &repacked);
        body = (lvl_bytes){repacked.data, repacked.len};
    }
    if (status == LVL_OK)
        status = put_file(w, body, packed, out);
    lvl_buffer_free(&repacked);
    return status;
}

lvl_status lvl_wwd_write(const lvl_doc *doc, lvl_buffer *out)
{
    struct writer w = {0};

    lvl_status status = start_writing(&w, doc);
    if (status == LVL_OK)
        status = write_file(&w, out);
    finish(&w);
    return status;
}

lvl_status lvl_wwd_streams(const lvl_doc *doc, lvl_stream_fn visit, void *user)
{
    struct writer w = {0};

    lvl_status status = start_writing(&w, doc);
    if (status == LVL_OK && w.wwd->flags & LVL_WWD_COMPRESS && w.size)
        status = visit(user, w.wwd, LVL_FIELD(lvl_wwd, stream), LVL_WRAP_ZLIB,
                       (lvl_bytes){w.block, (size_t)w.size});
    finish(&w);
    return status == LVL_ERR_LIMIT ? LVL_OK : status;
}

void lvl_wwd_drop_spelling(lvl_doc *doc)
{
    lvl_wwd *wwd = doc->root;

    wwd->stream = (lvl_bytes){NULL, 0};
    wwd->gaps = NULL;
    wwd->gap_count = 0;
    lvl_doc_drop_overrides(doc);
}
