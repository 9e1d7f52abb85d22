/*
 * wwd/wwd_write.c: writes a file.
 *
 * The main block is made from the records in the usual order. Where the file that was read had another one (offsets that disagree, gaps, parts
 * that were cut off), the block is made with those, and read back: that spelling holds if it gives the very records. The same rule decides on the
 * zlib stream: it is written again if it inflates, as far as it can, to the block; else the block is packed anew.
 */
#include "base/cursor.h"
#include "codec/deflate.h"
#include "wwd/wwd_block.h"
#include "wwd/wwd_stream.h"

#include <stdlib.h>

/* How the block is made. */
typedef enum mode {
    PLAIN,   /* as editors do it: usual places, true counts */
    SPELLED, /* places, counts and gaps as the file had them */
    LYING    /* usual places, but offsets and counts as the file had them */
} mode;

/* A part, where editors put it and where it is put. */
typedef struct piece {
    lvl_wwd_region region;
    uint32_t offset; /* to be written: the file's own or the usual one */
} piece;

struct writer {
    const lvl_doc *doc;
    const lvl_wwd *wwd;
    mode mode;
    uint32_t base;
    uint32_t planes_offset, properties_offset; /* to be written into the header */
    piece *pieces;
    uint32_t piece_count;
    uint64_t usual_size; /* of the block as editors make it */
    uint8_t *block;
    uint64_t size;
    lvl_buffer trailer;
};

/* ---- values -------------------------------------------------------------------------------------------------------------------- */

/* What to write into a derived member. */
static uint32_t derived(const struct writer *w, const void *record, const lvl_table *table, size_t member,
                        uint64_t computed)
{
    const lvl_field *field = lvl_table_at(table, member);

    return w->mode == PLAIN ? (uint32_t)computed
                            : (uint32_t)lvl_doc_derived(w->doc, record, field, (int64_t)computed);
}

/* The plane that a part belongs to; parts of the whole level have an empty one. */
static const lvl_wwd_plane *plane_of(const struct writer *w, const lvl_wwd_region *r)
{
    static const lvl_wwd_plane none;

    return r->plane < w->wwd->plane_count ? &w->wwd->planes[r->plane] : &none;
}

/* The offset to write for a part. */
static uint32_t offset_of(const struct writer *w, const lvl_wwd_region *r)
{
    const lvl_wwd_plane *plane = plane_of(w, r);
    const lvl_table *t = &lvl_wwd_plane_table;

    switch (r->part) {
    case LVL_WWD_PART_PLANES: {
        /* as derive computes it; what is written without an override is the base, which that header size or that offset has made */
        const uint32_t size = w->wwd->header_size;
        bool legal = size >= offsetof(lvl_wwd, launch_app) && size <= LVL_WWD_HEADER_SIZE;
        const uint32_t computed = legal ? size : LVL_WWD_HEADER_SIZE;
        uint32_t value = derived(w, w->wwd, &lvl_wwd_table, offsetof(lvl_wwd, planes_offset), computed);
        return value == computed ? w->base : value;
    }
    case LVL_WWD_PART_TILES: return derived(w, plane, t, offsetof(lvl_wwd_plane, tiles_offset), r->offset);
    case LVL_WWD_PART_IMAGE_SETS:
        return derived(w, plane, t, offsetof(lvl_wwd_plane, image_sets_offset), r->offset);
    case LVL_WWD_PART_OBJECTS:
        return derived(w, plane, t, offsetof(lvl_wwd_plane, objects_offset),
                       plane->object_count ? r->offset : 0);
    case LVL_WWD_PART_PROPERTIES: break;
    }
    return derived(w, w->wwd, &lvl_wwd_table, offsetof(lvl_wwd, tile_properties_offset), r->offset);
}

/* ---- parts --------------------------------------------------------------------------------------------------------------------- */

/* The pieces of a plane follow those of the plane headers: all tiles, all image sets, all objects. */
static const piece *piece_of(const struct writer *w, lvl_wwd_part part, uint32_t plane)
{
    return &w->pieces[1 + (size_t)(part - LVL_WWD_PART_TILES) * w->wwd->plane_count + plane];
}

static void write_planes(const struct writer *w, uint8_t *to)
{
    const lvl_table *t = &lvl_wwd_plane_table;

    for (uint32_t i = 0; i < w->wwd->plane_count; i++, to += LVL_WWD_PLANE_SIZE) {
        const lvl_wwd_plane *p = &w->wwd->planes[i];
        const uint32_t wide = p->tiles.width, high = p->tiles.height;
        lvl_wwd_plane out = *p;
        out.tiles_wide = (int32_t)derived(w, p, t, offsetof(lvl_wwd_plane, tiles_wide), wide);
        out.tiles_high = (int32_t)derived(w, p, t, offsetof(lvl_wwd_plane, tiles_high), high);
        out.width_px = (int32_t)derived(w, p, t, offsetof(lvl_wwd_plane, width_px),
                                        (uint64_t)(int32_t)(wide * (uint32_t)p->tile_width));
        out.height_px = (int32_t)derived(w, p, t, offsetof(lvl_wwd_plane, height_px),
                                         (uint64_t)(int32_t)(high * (uint32_t)p->tile_height));
        out.image_sets_declared =
            derived(w, p, t, offsetof(lvl_wwd_plane, image_sets_declared), p->image_set_count);
        out.objects_declared = derived(w, p, t, offsetof(lvl_wwd_plane, objects_declared), p->object_count);
        out.tiles_offset = piece_of(w, LVL_WWD_PART_TILES, i)->offset;
        out.image_sets_offset = piece_of(w, LVL_WWD_PART_IMAGE_SETS, i)->offset;
        out.objects_offset = piece_of(w, LVL_WWD_PART_OBJECTS, i)->offset;
        lvl_wwd_store(&out, t, to, LVL_WWD_PLANE_SIZE);
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

static void write_objects(const lvl_wwd_plane *plane, uint8_t *to)
{
    for (uint32_t i = 0; i < plane->object_count; i++) {
        const lvl_wwd_object *o = &plane->objects[i];
        lvl_wwd_store(o, &lvl_wwd_object_table, to, LVL_WWD_OBJECT_SIZE);
        lvl_store_u32le(to + offsetof(lvl_wwd_object, name_size), (uint32_t)o->name.len);
        lvl_store_u32le(to + offsetof(lvl_wwd_object, logic_size), (uint32_t)o->logic.len);
        lvl_store_u32le(to + offsetof(lvl_wwd_object, image_set_size), (uint32_t)o->image_set.len);
        lvl_store_u32le(to + offsetof(lvl_wwd_object, animation_size), (uint32_t)o->animation.len);
        to = put_text(to + LVL_WWD_OBJECT_SIZE, o->name);
        to = put_text(to, o->logic);
        to = put_text(to, o->image_set);
        to = put_text(to, o->animation);
    }
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

    head.declared = derived(w, &w->wwd->tile_header, &lvl_wwd_tile_header_table,
                            offsetof(lvl_wwd_tile_header, declared), w->wwd->tile_property_count);
    lvl_wwd_store(&head, &lvl_wwd_tile_header_table, to, LVL_WWD_TILE_HEADER_SIZE);
    to += LVL_WWD_TILE_HEADER_SIZE;
    for (uint32_t i = 0; i < w->wwd->tile_property_count; i++)
        to = write_property(&w->wwd->tile_properties[i], to);
}

/* ---- the block ----------------------------------------------------------------------------------------------------------------- */

static void add_piece(void *user, const lvl_wwd_region *r)
{
    struct writer *w = user;

    w->pieces[w->piece_count++].region = *r;
}

/* The part's place, from the block's start. */
static uint64_t place_of(const struct writer *w, const piece *p)
{
    return (w->mode == SPELLED ? p->offset : p->region.offset) - (uint64_t)w->base;
}

/* Gives each piece its offset and the block its size; false when it can't be made this way: a part lies before the block, or holes stay. */
static bool place_pieces(struct writer *w)
{
    const lvl_wwd *wwd = w->wwd;
    uint64_t end = 0, covered = 0;

    for (uint32_t i = 0; w->mode == SPELLED && i < wwd->gap_count; i++) {
        const lvl_wwd_gap *g = &wwd->gaps[i];
        if (g->offset < w->base)
            return false;
        covered += g->bytes.len;
        if (g->offset - w->base + (uint64_t)g->bytes.len > end)
            end = g->offset - w->base + (uint64_t)g->bytes.len;
    }
    for (uint32_t i = 0; i < w->piece_count; i++) {
        piece *p = &w->pieces[i];
        p->offset = offset_of(w, &p->region);
        if (!p->region.size)
            continue;
        if (w->mode == SPELLED && p->offset < w->base)
            return false;
        covered += p->region.size;
        if (place_of(w, p) + p->region.size > end)
            end = place_of(w, p) + p->region.size;
    }
    w->planes_offset = w->pieces[0].offset;
    w->properties_offset = w->pieces[w->piece_count - 1].offset;
    w->size = end;
    return end <= covered && end <= UINT32_MAX;
}

static void write_piece(const struct writer *w, const piece *p)
{
    uint8_t *to = w->block + place_of(w, p);
    const lvl_wwd_plane *plane = plane_of(w, &p->region);

    switch (p->region.part) {
    case LVL_WWD_PART_PLANES: write_planes(w, to); break;
    case LVL_WWD_PART_TILES: write_tiles(&plane->tiles, to); break;
    case LVL_WWD_PART_IMAGE_SETS: write_image_sets(plane, to); break;
    case LVL_WWD_PART_OBJECTS: write_objects(plane, to); break;
    case LVL_WWD_PART_PROPERTIES: write_properties(w, to); break;
    }
}

/* Whether parts and gaps leave no byte of the block out. */
static lvl_status is_covered(const struct writer *w, bool *covered)
{
    uint8_t *taken = calloc(1, (size_t)w->size + 1);

    if (!taken)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < w->piece_count; i++) {
        const piece *p = &w->pieces[i];
        if (p->region.size)
            memset(taken + place_of(w, p), 1, (size_t)p->region.size);
    }
    for (uint32_t i = 0; i < w->wwd->gap_count; i++)
        memset(taken + (w->wwd->gaps[i].offset - w->base), 1, w->wwd->gaps[i].bytes.len);
    *covered = !w->size || memchr(taken, 0, (size_t)w->size) == NULL;
    free(taken);
    return LVL_OK;
}

/* The header as it is to be written, as far as it doesn't depend on the stream. */
static void make_header(const struct writer *w, lvl_wwd *head)
{
    const lvl_wwd *wwd = w->wwd;
    uint64_t size = w->usual_size;

    /* as derive computes it */
    for (uint32_t i = 0; w->mode != PLAIN && i < wwd->gap_count; i++)
        size += wwd->gaps[i].bytes.len;
    if (!(wwd->flags & LVL_WWD_COMPRESS))
        size = 0;
    *head = *wwd;
    head->planes_offset = w->planes_offset;
    head->tile_properties_offset = w->properties_offset;
    head->planes_declared =
        derived(w, wwd, &lvl_wwd_table, offsetof(lvl_wwd, planes_declared), wwd->plane_count);
    head->inflated_size = derived(w, wwd, &lvl_wwd_table, offsetof(lvl_wwd, inflated_size), (uint32_t)size);
}

/* Whether the block goes into the file as it is. It also does where the flag says otherwise but the file had neither a stream nor the size of one. */
static bool is_stored(const struct writer *w, const lvl_wwd *head)
{
    if (!(w->wwd->flags & LVL_WWD_COMPRESS))
        return true;
    return !w->size || (w->mode != PLAIN && !w->wwd->stream.len && !head->inflated_size);
}

/* Whether the block, read again, gives the records that it was made from. */
static lvl_status reads_the_same(const struct writer *w, bool *same)
{
    lvl_block_source src = {{w->block, (size_t)w->size}, w->base, 0, 0, false};
    lvl_block_result result;
    lvl_doc *again;

    lvl_status status = lvl_doc_new(&again, w->doc->ctx, w->doc->format);
    if (status != LVL_OK)
        return status;
    make_header(w, again->root);
    if (is_stored(w, again->root) && !w->wwd->stream.len) {
        /* nothing but the reader finds out where it ends and the trailer begins */
        src.open_end = true;
        src.block.len += w->trailer.len;
    }
    status = lvl_wwd_block_read(again, &src, NULL, NULL, &result);
    *same = status == LVL_OK && result.end == w->size &&
            lvl_record_equal(w->wwd, again->root, w->doc->format->table);
    lvl_doc_free(again);
    return status;
}

/* Makes the block in w->mode; `*good` false: it can't be made that way. */
static lvl_status make_block(struct writer *w, bool *good)
{
    lvl_status status = LVL_OK;

    free(w->block);
    w->block = NULL;
    *good = place_pieces(w);
    if (!*good)
        return LVL_OK;
    if (w->mode == SPELLED) {
        status = is_covered(w, good);
        if (status != LVL_OK || !*good)
            return status;
    }
    w->block = malloc((size_t)w->size + w->trailer.len + 1);
    if (!w->block)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < w->piece_count; i++) {
        if (w->pieces[i].region.size)
            write_piece(w, &w->pieces[i]);
    }
    for (uint32_t i = 0; w->mode == SPELLED && i < w->wwd->gap_count; i++) {
        const lvl_wwd_gap *g = &w->wwd->gaps[i];
        if (g->bytes.len)
            memcpy(w->block + (g->offset - w->base), g->bytes.ptr, g->bytes.len);
    }
    if (w->trailer.len)
        memcpy(w->block + w->size, w->trailer.data, w->trailer.len);
    return w->mode == PLAIN ? LVL_OK : reads_the_same(w, good);
}

/* The block as the file had it if that gives the records, else as editors make it. */
static lvl_status make_any_block(struct writer *w)
{
    bool good = false;
    lvl_status status = LVL_OK;

    w->base = lvl_wwd_base(w->wwd);
    w->pieces = calloc((size_t)w->wwd->plane_count * 3 + 2, sizeof *w->pieces);
    if (!w->pieces)
        return LVL_ERR_MEMORY;
    w->usual_size = lvl_wwd_layout(w->wwd, add_piece, w);
    if (w->doc->override_count || w->wwd->gap_count) {
        w->mode = SPELLED;
        status = make_block(w, &good);
        if (status == LVL_OK && !good && !w->wwd->gap_count) {
            w->mode = LYING;
            status = make_block(w, &good);
        }
    }
    if (status == LVL_OK && !good) {
        w->mode = PLAIN;
        status = make_block(w, &good);
        if (status == LVL_OK && !good)
            status = LVL_ERR_LIMIT; /* 4 GiB is all that offsets can say */
    }
    return status;
}

/* ---- the stream ---------------------------------------------------------------------------------------------------------------- */

/* Whether the file's stream still says what the records do. */
static lvl_status stream_holds(const struct writer *w, const lvl_wwd *head, bool *holds)
{
    const lvl_bytes stream = w->wwd->stream;
    lvl_inflate_report report;

    *holds = false;
    /* a flag that says stored is a lie, and kept, only beside the size of a stream: who takes the flag away wants none */
    if (!stream.len ||
        (!(w->wwd->flags & LVL_WWD_COMPRESS) && (!lvl_wwd_is_zlib(stream) || !head->inflated_size)))
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

/* ---- the file ------------------------------------------------------------------------------------------------------------------ */

static lvl_deflate_style zlib_style(const lvl_wwd *wwd)
{
    return wwd->compression == LVL_WWD_ZLIB_BEST ? LVL_DEFLATE_LEVEL9 : LVL_DEFLATE_CLASSIC6;
}

static lvl_status write_file(struct writer *w, lvl_buffer *out)
{
    const lvl_wwd *wwd = w->wwd;
    const lvl_bytes block = {w->block, (size_t)w->size};
    lvl_bytes body = block, inflated = {NULL, 0};
    uint8_t bytes[LVL_WWD_HEADER_SIZE];
    lvl_buffer packed = {0};
    lvl_wwd head;
    bool holds;

    make_header(w, &head);
    lvl_status status = stream_holds(w, &head, &holds);
    if (status != LVL_OK)
        return status;
    if (holds) {
        body = wwd->stream;
        inflated = block;
    } else if (!is_stored(w, &head)) {
        status = lvl_deflate_zlib(block, zlib_style(wwd), &packed);
        if (status != LVL_OK)
            goto out;
        body.ptr = packed.data;
        body.len = packed.len;
        inflated = block;
    }
    if (wwd->checksum_rule < LVL_WWD_CHECKSUM_OTHER)
        head.checksum = lvl_wwd_checksum(wwd->checksum_rule, body, inflated);
    lvl_wwd_store(&head, &lvl_wwd_table, bytes, w->base);
    lvl_buffer_add(out, bytes, w->base);
    lvl_buffer_add(out, body.ptr, body.len);
    lvl_buffer_add(out, w->trailer.data, w->trailer.len);
    status = out->status;
out:
    lvl_buffer_free(&packed);
    return status;
}

lvl_status lvl_wwd_write(const lvl_doc *doc, lvl_buffer *out)
{
    struct writer w = {0};

    w.doc = doc;
    w.wwd = doc->root;
    lvl_wwd_trailer_write(w.wwd, &w.trailer);
    lvl_status status = w.trailer.status;
    if (status == LVL_OK)
        status = make_any_block(&w);
    if (status == LVL_OK)
        status = write_file(&w, out);
    lvl_buffer_free(&w.trailer);
    free(w.pieces);
    free(w.block);
    return status;
}

uint64_t lvl_wwd_kept(const lvl_doc *doc)
{
    const lvl_wwd *wwd = doc->root;
    uint64_t kept = wwd->stream.len;

    for (uint32_t i = 0; i < wwd->gap_count; i++)
        kept += wwd->gaps[i].bytes.len;
    return kept;
}

lvl_status lvl_wwd_makes(const lvl_doc *doc, const lvl_field *field, bool *out)
{
    const lvl_wwd *wwd = doc->root;
    const size_t size = wwd->inflated_size;
    lvl_deflate_style style = LVL_DEFLATE_LEVEL6;
    size_t used = 0, len = 0;
    bool same = false;

    *out = false;
    if (field->offset != offsetof(lvl_wwd, stream) || !(wwd->flags & LVL_WWD_COMPRESS) || !size ||
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
    }
    free(block);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

void lvl_wwd_forget(lvl_doc *doc)
{
    lvl_wwd *wwd = doc->root;

    wwd->stream.ptr = NULL;
    wwd->stream.len = 0;
    wwd->gaps = NULL;
    wwd->gap_count = 0;
    lvl_doc_forget_overrides(doc);
}
