/*
 * tiled/map.h: a Tiled map in memory, between documents and the files of Tiled (TMX, TMJ). Everything is
 * allocated from one arena; texts are UTF-8.
 */
#ifndef LVL_TILED_MAP_H
#define LVL_TILED_MAP_H

#include "base/arena.h"
#include "base/format.h"
#include "tools/tools.h"

#include <lvl/tiled.h>

#include <yyjson.h>

/* Flips are the upper bits of a gid. */
#define TILED_FLIP_X 0x80000000u
#define TILED_FLIP_Y 0x40000000u
#define TILED_FLIPS  0xF0000000u

/* A list that grows in the map's arena, with TILED_PUSH. */
#define TILED_LIST(type)     \
    struct {                 \
        type *items;         \
        uint32_t count, cap; \
    }

typedef struct tiled_property {
    lvl_text name, type, value; /* type empty: a text */
    const char *names; /* the property type that names its values; NULL: none; written only */
} tiled_property;

typedef TILED_LIST(tiled_property) tiled_properties;

typedef struct tiled_tile {
    uint32_t id;
    tiled_properties properties;
    lvl_text type; /* class of objects that are placed with it */
    lvl_text image; /* picture of a tile in a collection */
    uint32_t width, height;
    lvl_text unused; /* as in tiled_layer */
} tiled_tile;

typedef struct tiled_set {
    uint32_t first; /* gid of its tile 0 */
    lvl_text source; /* file name of an external set that is missing; else empty */
    lvl_text name, alignment;
    uint32_t tile_width, tile_height, columns, tile_count;
    uint32_t margin, spacing; /* px around and between the tiles of a sheet; read only */
    lvl_text image; /* picture of a sheet; empty: a collection */
    uint32_t width, height;
    tiled_properties properties;
    lvl_text unused; /* as in tiled_layer */
    TILED_LIST(tiled_tile) tiles;
} tiled_set;

typedef struct tiled_object {
    uint32_t id, gid;
    lvl_text name, type, source; /* `source`: file name of its template, if that is missing; else empty */
    double x, y, width, height, rotation;
    bool point, shape, text; /* `shape`: a polygon, polyline or ellipse */
    lvl_text unused; /* as in tiled_layer */
    tiled_properties properties;
} tiled_object;

/* Cells of a layer: all of them, or one chunk of an infinite layer. */
typedef struct tiled_block {
    int32_t x, y;
    uint32_t width, height;
    uint32_t *cells; /* gids */
} tiled_block;

typedef enum tiled_kind { TILED_TILES, TILED_OBJECTS, TILED_IMAGE } tiled_kind;

typedef struct tiled_layer {
    tiled_kind kind;
    uint32_t id;
    lvl_text name;
    uint32_t width, height;
    lvl_text unused; /* names of further attributes that are not read, for messages: "opacity, class"; or
                        empty */
    bool hidden; /* or in a hidden group; read only */
    bool by_index; /* objects are drawn in the order of the list, not from top to bottom */
    double parallax_x, parallax_y;
    lvl_text color; /* colour of objects without a picture, "#rrggbb" or empty; written only */
    tiled_properties properties;
    TILED_LIST(tiled_block) blocks;
    TILED_LIST(tiled_object) objects;
} tiled_layer;

typedef struct tiled_group {
    lvl_text name, unused; /* `unused` as in tiled_layer */
} tiled_group;

/* A file that objects are instances of. */
typedef struct tiled_template {
    lvl_text source;
    bool found;
    tiled_object object;
} tiled_template;

typedef struct tiled_map {
    lvl_arena arena;
    const lvl_ctx *ctx;
    lvl_text orientation, background; /* `background` is written only */
    uint32_t width, height, tile_width, tile_height;
    double parallax_x, parallax_y; /* px: centre of the view at which layers are not shifted; written only */
    bool infinite;
    uint32_t next_layer, next_object;
    tiled_properties properties;
    lvl_text unused; /* as in tiled_layer */
    TILED_LIST(tiled_set) sets;
    TILED_LIST(tiled_layer) layers;
    TILED_LIST(tiled_group) groups; /* their layers are in `layers` */
    TILED_LIST(tiled_template) templates;
} tiled_map;

tiled_map *tiled_map_new(const lvl_ctx *ctx);
void tiled_map_free(tiled_map *map);

/* The functions below leave out what they cannot allocate; the arena records the failure, and the caller
 * checks it at the end. LVL_OK, LVL_ERR_MEMORY, or the arena's reason. */
static inline lvl_status tiled_arena_status(const lvl_arena *arena, lvl_status status)
{
    return lvl_arena_status(arena, arena->failed ? LVL_ERR_MEMORY : status);
}
/* Appends a zeroed item; NULL without memory. */
#define TILED_PUSH(arena, list) \
    tiled_push(arena, &(list)->items, &(list)->count, &(list)->cap, sizeof *(list)->items)
void *tiled_push(lvl_arena *arena, void *items, uint32_t *count, uint32_t *cap, size_t size);
/* A text in the arena, NUL-terminated; "" without memory. */
lvl_text tiled_copy(lvl_arena *arena, lvl_text text);
lvl_text tiled_printf(lvl_arena *arena, const char *fmt, ...) LVL_PRINTF(2, 3);
/* The last property of that name, as Tiled keeps the last of equal names; NULL: none. */
const tiled_property *tiled_find(const tiled_properties *properties, lvl_text name);
/* Appends a property and returns it; its texts are borrowed. NULL without memory. */
tiled_property *tiled_add(lvl_arena *arena, tiled_properties *to, lvl_text name, const char *type,
                          lvl_text value);
/* Formats a whole number at the end of `buf`; snprintf is too slow for hundreds of thousands of cells. */
enum { TILED_DIGITS = 24 };
const char *tiled_digits(char buf[TILED_DIGITS], int64_t value);
/* A number as Tiled writes coordinates: six significant digits. */
const char *tiled_number(char buf[32], double value);

/* ---- files of Tiled ---------------------------------------------------------------------------------- */

/* Appends the map as Tiled would save it: TMX or, with `json`, TMJ. */
lvl_status tiled_write(const tiled_map *map, bool json, lvl_buffer *out);
/* Reads a map of either kind, and the tilesets and templates that it names with options->fetch. */
lvl_status tiled_read(tiled_map **out, const lvl_ctx *ctx, lvl_bytes bytes,
                      const lvl_tiled_read_options *options, lvl_findings *findings);
/* Converts a map, tileset or template from XML to the tree of its JSON form, with three differences: all
 * values are texts, each object has its line number (TILED_LINE), and a template's parts are lists. `root`:
 * the expected root element ("map"). *out is freed with yyjson_doc_free. */
#define TILED_LINE "~line"
lvl_status tiled_xml_tree(yyjson_doc **out, const lvl_ctx *ctx, const char *root, lvl_bytes bytes,
                          lvl_findings *findings);
/* Decodes the cells of a block of known size. `encoding` and `compression` as TMX names them. */
lvl_status tiled_decode(tiled_map *map, tiled_block *block, lvl_text text, lvl_text encoding,
                        lvl_text compression, lvl_findings *findings);

#endif
