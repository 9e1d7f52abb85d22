/*
 * wap32/wwd/internal.h: shared by the files of the WWD format.
 */
#ifndef LVL_WAP32_WWD_INTERNAL_H
#define LVL_WAP32_WWD_INTERNAL_H

#include "base/format.h"
#include "wap32/wwd/findings.h"

#include <lvl/wwd.h>

/* Paths in a document: of a plane, an object, a tile property. */
static inline lvl_where lvl_wwd_at_plane(uint32_t plane)
{
    return lvl_where_item(lvl_where_root(), &lvl_wwd_table, offsetof(lvl_wwd, planes), plane);
}

static inline lvl_where lvl_wwd_at_object(uint32_t plane, uint32_t object)
{
    return lvl_where_item(lvl_wwd_at_plane(plane), &lvl_wwd_plane_table, offsetof(lvl_wwd_plane, objects),
                          object);
}

static inline lvl_where lvl_wwd_at_property(uint32_t index)
{
    return lvl_where_item(lvl_where_root(), &lvl_wwd_table, offsetof(lvl_wwd, tile_properties), index);
}

/* ---- layout (wap32/wwd/layout.c) ----------------------------------------------------------------------- */

/* Size of the fixed part of a tile property of that type, and of a whole tile property. */
uint32_t lvl_wwd_property_fixed(uint32_t type);
uint64_t lvl_wwd_property_size(const lvl_wwd_tile_property *property);

/* The parts of a main block, in the order in which editors write them; tiles, image sets and objects once for
 * each plane. */
typedef enum lvl_wwd_part {
    LVL_WWD_PART_PLANES, /* plane headers */
    LVL_WWD_PART_TILES,
    LVL_WWD_PART_IMAGE_SETS,
    LVL_WWD_PART_OBJECTS,
    LVL_WWD_PART_PROPERTIES, /* header and tile properties */
    LVL_WWD_PARTS
} lvl_wwd_part;

typedef struct lvl_wwd_region {
    lvl_wwd_part part;
    lvl_wwd_plane *plane; /* NULL: the part belongs to the level */
    uint64_t offset; /* its usual offset, after the gaps */
    uint64_t size;
    void *record; /* the record and field with the offset of the part */
    const lvl_field *field;
    uint64_t usual; /* the value that editors write there */
} lvl_wwd_region;

/* Calls `fn` (may be NULL) for each part in the usual order. Returns the size of the main block. */
uint64_t lvl_wwd_layout(const lvl_wwd *wwd, void (*fn)(void *user, const lvl_wwd_region *region), void *user);
lvl_status lvl_wwd_derive(lvl_doc *doc, lvl_derived_fn visit, void *user);
/* Makes a new level (wap32/wwd/fresh.c). */
struct lvl_map_new;
lvl_status lvl_wwd_make_level(lvl_doc *doc, const struct lvl_map_new *what);
/* The four texts of an object and their sizes, which are consecutive in the file and in the struct. */
enum { LVL_WWD_OBJECT_TEXTS = 4 };
#define LVL_WWD_TEXT_AT(i) (offsetof(lvl_wwd_object, name) + (size_t)(i) * sizeof(lvl_text))
#define LVL_WWD_SIZE_AT(i) (offsetof(lvl_wwd_object, name_size) + (size_t)(i) * sizeof(uint32_t))
_Static_assert(LVL_WWD_TEXT_AT(3) == offsetof(lvl_wwd_object, animation), "texts one after the other");
_Static_assert(LVL_WWD_SIZE_AT(3) == offsetof(lvl_wwd_object, animation_size), "sizes one after the other");

static inline lvl_text lvl_wwd_object_text(const lvl_wwd_object *object, size_t i)
{
    return *(const lvl_text *)(const void *)((const uint8_t *)object + LVL_WWD_TEXT_AT(i));
}

static inline uint32_t lvl_wwd_object_text_size(const lvl_wwd_object *object, size_t i)
{
    return *(const uint32_t *)(const void *)((const uint8_t *)object + LVL_WWD_SIZE_AT(i));
}

/* Size of an object in the file. */
static inline uint64_t lvl_wwd_object_size(const lvl_wwd_object *object)
{
    uint64_t size = LVL_WWD_OBJECT_SIZE;

    for (size_t i = 0; i < LVL_WWD_OBJECT_TEXTS; i++)
        size += lvl_wwd_object_text(object, i).len;
    return size;
}

/* ---- reading a main block (wap32/wwd/block.c) ---------------------------------------------------------- */

typedef struct lvl_block_result {
    uint64_t end; /* end of the block, from its start */
    bool usual; /* for a stored block: it is complete, without gaps, and all parts are in the usual order */
} lvl_block_result;

/* Reads the planes, tile properties and gaps into the root, whose header has been read. Texts and cells point
 * into the block. `packed`: the block was inflated, so it consists of all the bytes; a stored block ends with
 * its last part. sink and findings may be NULL. LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED. */
lvl_status lvl_wwd_block_read(lvl_doc *doc, lvl_bytes block, bool packed, lvl_sink *sink,
                              lvl_findings *findings, lvl_block_result *result);

/* ---- checksum (wap32/wwd/checksum.c) ------------------------------------------------------------------- */

/* `stored`: the main block as in the file, without a trailer; `inflated`: the inflated block (ptr NULL: the
 * block is stored). 0 for LVL_WWD_CHECKSUM_OTHER. */
uint32_t lvl_wwd_checksum(uint32_t rule, lvl_bytes stored, lvl_bytes inflated);
/* The rule that gives `checksum`. */
uint32_t lvl_wwd_checksum_rule(uint32_t checksum, lvl_bytes stored, lvl_bytes inflated);

/* ---- WapMap's trailer (wap32/wwd/trailer.c) ------------------------------------------------------------ */

/* Reads the bytes after the main block, at `offset` in the file, into wwd->wapmap and wwd->trailing. sink may
 * be NULL. */
lvl_status lvl_wwd_trailer_read(lvl_doc *doc, lvl_bytes bytes, uint64_t offset, lvl_sink *sink);
lvl_status lvl_wwd_trailer_write(const lvl_wwd *wwd, lvl_buffer *out);
/* The written size of the blocks with their tags; 0 if there are no blocks. */
lvl_status lvl_wwd_trailer_size(const lvl_wwd *wwd, uint32_t *size);

/* ---- the format ---------------------------------------------------------------------------------------- */

lvl_status lvl_wwd_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_wwd_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_wwd_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_wwd_repair(lvl_doc *doc, lvl_repairs *repairs);
lvl_status lvl_wwd_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);
uint32_t lvl_wwd_file_places(const lvl_doc *doc, lvl_use use, lvl_text key,
                             lvl_file_place out[LVL_FILE_PLACES]);
lvl_status lvl_wwd_scene(const lvl_doc *doc, const struct lvl_scene_request *request, struct lvl_scene **out);
lvl_status lvl_wwd_streams(const lvl_doc *doc, lvl_stream_fn visit, void *user);
void lvl_wwd_drop_spelling(lvl_doc *doc);
/* How a level appears in a map editor (wap32/wwd/map.c). */
extern const struct lvl_map_layout lvl_wwd_map_layout;
/* lvl_map_layout.stock (wap32/wwd/stock.c). */
lvl_status lvl_wwd_stock(const lvl_doc *doc, const struct lvl_art *art, lvl_doc **out);

#endif
