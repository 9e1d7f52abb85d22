/*
 * tiled/export.h: shared by the files that make a map from a document.
 *
 * export.c makes the map and its layers; export_files.c the files beside it; export_sheets.c the tilesets of
 * grids; export_cells.c their cells; export_objects.c the objects; export_sprites.c the tiles that show them.
 */
#ifndef LVL_TILED_EXPORT_H
#define LVL_TILED_EXPORT_H

#include "tiled/pictures.h"

#include "base/buffer.h"
#include "base/hash.h"
#include "scene/scene.h"

enum {
    EXPORT_SHEET_COLUMNS = 16, /* columns of sheets without a layout of their own */
    EXPORT_CHUNK = 16 /* width and height of a chunk of an infinite layer, in cells */
};

typedef struct export_files {
    lvl_tiled_files files; /* must be first: the public part */
    lvl_arena arena;
    const lvl_ctx *ctx;
    lvl_buffer map; /* the text of the first file */
    uint32_t cap;
} export_files;

typedef struct export_sprite {
    const lvl_image *image;
    const lvl_scene_effect *effect;
    lvl_rect part;
    int32_t left, top; /* of the picture, relative to the object's position */
    bool centered;
    lvl_text type, picture; /* of the first object that it shows */
    int64_t number; /* number of the picture among those with that name */
    uint32_t id, width, height;
} export_sprite;

/* A cell value that no tile of a sheet shows. */
typedef struct export_special {
    uint32_t value;
    bool filled; /* it shows a layer's fill colour: one tile per colour */
    uint8_t rgb[3];
} export_special;

/* A sheet that is drawn once for all layers of the same tiles. */
typedef struct export_sheet {
    lvl_text art; /* what its tiles show, as a property; empty: no tile has a picture */
    bool main; /* tiles of the main layer may be drawn as their classes */
    uint32_t width, height, tiles; /* size of a tile in px, and number of tiles; 0: only `drawn` is known */
    uint32_t drawn; /* one more than the highest tile that has a picture */
    lvl_text image; /* file name */
} export_sheet;

typedef struct exporter {
    const lvl_doc *doc;
    const lvl_tiled_options *options;
    lvl_findings *findings;
    lvl_status status; /* the first error */
    tiled_map *map;
    tiled_plan plan;
    lvl_scene *scene;
    lvl_doc *stock; /* objects that can be placed; or NULL */
    lvl_scene *stock_scene;
    export_files *list;
    uint32_t *sheets; /* index of each grid's tileset */
    export_sheet *drawn;
    size_t drawn_count, drawn_cap;
    lvl_hash drawn_index;
    uint32_t special_first; /* gid of the first special value, which no tile shows */
    export_special *specials;
    size_t special_count, special_cap;
    lvl_hash special_index, sprite_index;
    export_sprite *sprites;
    size_t sprite_count, sprite_cap;
    tiled_set sprite_sets[2]; /* sprites aligned by their top left corner, and by their centre; see
                                 export_add_sprite_sets */
} exporter;

static inline bool export_is_ok(const exporter *e)
{
    return e->status == LVL_OK;
}

static inline void export_status(exporter *e, lvl_status status)
{
    if (export_is_ok(e))
        e->status = status;
}

/* Appends a zeroed item to a list of the map; NULL without memory. */
#define EXPORT_PUSH(e, list) export_pushed(e, TILED_PUSH(&(e)->map->arena, list))
static inline void *export_pushed(exporter *e, void *item)
{
    if (!item)
        export_status(e, LVL_ERR_MEMORY);
    return item;
}

/* ---- export_files.c ---------------------------------------------------------------------------------- */

/* NULL without memory. */
export_files *export_files_new(const lvl_ctx *ctx);
void export_add_file(exporter *e, const char *name, lvl_bytes bytes);
/* Adds a picture to the files, unless it is already there; returns its name in the map. */
lvl_text export_add_picture(exporter *e, const char *stem, const lvl_buffer *png);

/* ---- export_sheets.c --------------------------------------------------------------------------------- */

/* The first gid that no set uses. */
uint32_t export_next_gid(const tiled_map *map);
/* `mark`: the property by which import.c recognizes the set. */
tiled_set *export_add_set(exporter *e, lvl_text name, const char *mark);
tiled_tile *export_add_tile(exporter *e, tiled_set *set, uint32_t id);
/* Sets the sizes of a sheet of `tiles` tiles. */
void export_size_sheet(tiled_set *set, uint32_t tiles, uint32_t columns, uint32_t width, uint32_t height);
/* Draws a sheet of single-coloured tiles. */
void export_draw_colors(exporter *e, tiled_set *set, const char *stem, const tiled_color *colors,
                        uint32_t count);
/* Adds the fields in the document's list of tiles as properties of the set's tiles. */
void export_add_tiles(exporter *e, tiled_set *set);
void export_add_sheets(exporter *e);
uint32_t export_cell_width(const exporter *e, const plan_grid *g);
uint32_t export_cell_height(const exporter *e, const plan_grid *g);
/* The cells of a grid, as far as they can be decoded, in `storage`, which the caller frees. */
lvl_cells export_cells(exporter *e, const plan_grid *g, lvl_buffer *storage);
uint32_t export_cell_at(const lvl_cells *cells, size_t index);

/* ---- export_cells.c ---------------------------------------------------------------------------------- */

/* The id of a special value of a grid. Ids are given in the order of their use. */
uint32_t export_special_id(exporter *e, uint32_t grid, uint32_t value);
void export_add_special_set(exporter *e);
/* Adds a sheet with the colours of tiles that no grid shows. */
void export_add_palette(exporter *e);
/* Sets the gids of a grid's cells. */
void export_put_cells(exporter *e, const plan_grid *g, tiled_layer *layer);
/* Puts squares as the cells of an infinite layer; if several are at one position, only the first. */
void export_put_squares(exporter *e, const plan_grid *g, tiled_layer *layer);

/* ---- export_sprites.c -------------------------------------------------------------------------------- */

/* In the gid of an object, until export_add_sprite_sets knows where the sets of sprites begin. */
#define EXPORT_CENTERED 0x20000000u

/* The sprite for a thing whose object is at x, y; NULL: it cannot be shown. */
const export_sprite *export_sprite_of(exporter *e, const plan_list *l, const void *record, lvl_text type,
                                      const lvl_scene_thing *t, int64_t x, int64_t y);
lvl_text export_type_of(const tiled_plan *plan, const plan_objects *p, const void *record);
/* Adds a sprite for each picture that an object could show, so that users can place it. */
void export_add_stock(exporter *e);
/* Adds the sets of sprites, and sets the final gids of objects. */
void export_add_sprite_sets(exporter *e);

/* ---- export_objects.c -------------------------------------------------------------------------------- */

/* Sets the layer's objects from the items of a list. */
void export_put_objects(exporter *e, plan_list *l, tiled_layer *layer);
/* Adds the player's start position, if it is not an item of a list. */
void export_put_start(exporter *e, tiled_layer *layer);

#endif
