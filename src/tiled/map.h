/*
 * tiled/map.h: a Tiled map in memory, between documents and the files of Tiled (TMX, TMJ). All of it lives in
 * one arena; texts are UTF-8.
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

typedef struct tiled_property {
    lvl_text name, type, value; /* type empty: a text */
    const char *names;          /* the property type that names its values; NULL: none; written only */
} tiled_property;

typedef struct tiled_properties {
    tiled_property *items;
    uint32_t count, cap;
} tiled_properties;

typedef struct tiled_tile {
    uint32_t id;
    tiled_properties properties;
    lvl_text image; /* of a collection */
    uint32_t width, height;
} tiled_tile;

typedef struct tiled_set {
    uint32_t first;  /* gid of its tile 0 */
    lvl_text source; /* an external set that could not be had; else empty */
    lvl_text name, alignment;
    uint32_t tile_width, tile_height, columns, tile_count;
    lvl_text image; /* of a sheet; empty: a collection */
    uint32_t width, height;
    tiled_properties properties;
    tiled_tile *tiles;
    uint32_t count, cap;
} tiled_set;

typedef struct tiled_object {
    uint32_t id, gid;
    lvl_text name, type, source; /* `source`: a template that could not be had; else empty */
    double x, y, width, height, rotation;
    bool point, shape; /* `shape`: a polygon or ellipse */
    tiled_properties properties;
} tiled_object;

/* Cells of a layer: all of them, or a part of an infinite one. */
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
    bool has_offset;
    double parallax_x, parallax_y;
    lvl_text color; /* of objects without a picture, "#rrggbb" or empty; written only */
    tiled_properties properties;
    tiled_block *blocks;
    uint32_t block_count, block_cap;
    tiled_object *objects;
    uint32_t object_count, object_cap;
} tiled_layer;

/* A file that objects are instances of. */
typedef struct tiled_template {
    lvl_text source;
    bool found;
    tiled_object object;
} tiled_template;

typedef struct tiled_map {
    lvl_arena arena;
    const lvl_ctx *ctx;
    lvl_text orientation, background; /* the second is written only */
    uint32_t width, height, tile_width, tile_height;
    double parallax_x,
        parallax_y; /* px: the centre of the view where all layers are in place; written only */
    bool infinite;
    uint32_t next_layer, next_object;
    tiled_properties properties;
    tiled_set *sets;
    uint32_t set_count, set_cap;
    tiled_layer *layers;
    uint32_t layer_count, layer_cap;
    tiled_template *templates;
    uint32_t template_count, template_cap;
} tiled_map;

tiled_map *tiled_map_new(const lvl_ctx *ctx);
void tiled_map_free(tiled_map *map);
/* A zeroed item behind the last one of a list in the arena; NULL without memory. */
void *tiled_push(lvl_arena *arena, void *items, uint32_t *count, uint32_t *cap, size_t size);
/* A copy with a NUL behind it; `ptr` NULL without memory. */
lvl_text tiled_copy(lvl_arena *arena, lvl_text text);
/* The property of that name, the last of several; NULL: none. */
const tiled_property *tiled_find(const tiled_properties *properties, const char *name);
const tiled_property *tiled_find_text(const tiled_properties *properties, lvl_text name);
/* Adds one whose texts live as long as the arena; false without memory. */
bool tiled_add(lvl_arena *arena, tiled_properties *to, lvl_text name, const char *type, lvl_text value);
/* A whole number in decimal, at the end of `buf`. By hand, since there are hundreds of thousands. */
enum { TILED_DIGITS = 24 };
const char *tiled_digits(char buf[TILED_DIGITS], int64_t value);
/* A number as Tiled writes places: six digits. */
const char *tiled_number(char buf[32], double value);

/* ---- files of Tiled ---------------------------------------------------------------------------------- */

/* As Tiled itself would save it: TMX or, with `json`, TMJ. */
lvl_status tiled_write(const tiled_map *map, bool json, lvl_buffer *out);
/* Reads a map of either kind, and the tilesets and templates that it names. `options` may be NULL: these are
 * then missing. */
lvl_status tiled_read(tiled_map **out, const lvl_ctx *ctx, lvl_bytes bytes,
                      const lvl_tiled_read_options *options, lvl_findings *findings);
/* A map ("map"), tileset or template that is XML, as the tree that its JSON would have, but for these: values
 * are texts, objects have their line, and what a template holds are lists. `root`: the element that is
 * expected. For yyjson_doc_free. */
#define TILED_LINE "~line"
lvl_status tiled_xml_tree(yyjson_doc **out, const lvl_ctx *ctx, const char *root, lvl_bytes bytes,
                          lvl_findings *findings);
/* The cells of a block from the text of a file. `encoding` and `compression` as TMX names them. */
lvl_status tiled_decode(tiled_map *map, tiled_block *block, lvl_text text, lvl_text encoding,
                        lvl_text compression, lvl_findings *findings);

#endif
