/*
 * tiled/import.h: shared by the parts of the import, listed by file. import.c calls them.
 */
#ifndef LVL_TILED_IMPORT_H
#define LVL_TILED_IMPORT_H

#include "base/hash.h"
#include "tiled/mapping.h"
#include "tools/edit/list.h"

/* What a tileset is for, by its property "lvl.set". */
typedef enum set_kind { SET_FOREIGN, SET_TILES, SET_SPECIAL, SET_SPRITES, SET_LIST } set_kind;

typedef struct set_info {
    set_kind kind;
    uint32_t grid; /* SET_TILES: the layer */
} set_info;

/* An item of a list in the map. */
typedef struct entry {
    uint32_t old; /* index in the origin; LVL_NO_INDEX: new */
    const tiled_object *object;
    const tiled_layer *layer; /* its layer in the map */
    bool moved; /* new in this list, but an item of another list in the origin, */
    int64_t number; /* whose number it keeps */
} entry;

typedef TILED_LIST(entry) entries;

typedef struct importer {
    lvl_doc *doc;
    tiled_map *map;
    tiled_plan plan;
    lvl_editor edit;
    lvl_findings *findings;
    const lvl_tiled_read_options *options;
    bool fresh; /* the map has no origin */
    bool foreign; /* nor anything else of lvl */
    bool left_out; /* the present object cannot be stored */
    lvl_text new_art; /* foreign: what the tiles of a new level's main layer show; or empty */
    lvl_status status;
    bool changed;
    lvl_hash layers; /* the map's layers: by kind and id; for a new level, by kind and name */
    uint32_t *tile_layers; /* indices of the map's tile layers, in order, */
    uint32_t tile_layer_count;
    set_info *sets;
    entries *lists; /* one for each list of the plan */
    char what[256]; /* the layer or object named in messages: see import_what() */
    const tiled_object *object;
    const tiled_layer *layer;
    const lvl_book_thing *was; /* what the object was before the map changed its class; or NULL */
    uint32_t made; /* number of names made for new items */
    int64_t shift_x, shift_y; /* px by which Tiled moved everything when the map was resized with an offset */
    tiled_properties scratch; /* the properties that an export of a record would write */
    char sha[65];
} importer;

/* ---- import_value.c ---------------------------------------------------------------------------------- */

/* Keeps the first status that isn't LVL_OK. */
void import_stop(importer *im, lvl_status status);
void import_fail(importer *im, lvl_fault fault, const char *fmt, ...) LVL_PRINTF(3, 4);
void import_warn(importer *im, const char *fmt, ...) LVL_PRINTF(2, 3);
/* An object that cannot be stored: fails or, in a map that lvl did not write, warns and sets im->left_out. */
void import_refuse(importer *im, const char *fmt, ...) LVL_PRINTF(2, 3);
/* Sets the layer or object named in messages. */
void import_name_layer(importer *im, const tiled_layer *layer);
void import_name_object(importer *im, const tiled_layer *layer, const tiled_object *o);
const char *import_what(importer *im);
/* Index of the item that an object shows; LVL_NO_INDEX: none. */
uint32_t import_index_of_id(const plan_list *list, uint32_t id);
/* Sets a field of a record from its property if that was changed; returns whether it was. `clear`: flags that
 * the map shows in another way. */
bool import_field(importer *im, void *record, const plan_field *f, const tiled_properties *from,
                  int64_t clear);
/* Sets a field from its text in a map. `as`: its name in messages. */
void import_put(importer *im, void *record, const plan_field *f, lvl_text shown, const char *as);
/* Sets all fields of a record from properties. Reports other properties, except those of objects of the kind
 * `also` and those whose names begin with `prefix`; both may be NULL. */
void import_fields(importer *im, void *record, const plan_fields *fields, const tiled_properties *from,
                   const plan_objects *also, const char *prefix);
/* Sets a name or class if its text in the map, `wanted`, differs from the exported one: `shown` or, in the
 * second function, the field's text. */
void import_text(importer *im, void *record, const plan_field *f, lvl_text shown, lvl_text wanted,
                 const char *as);
void import_shown_text(importer *im, void *record, const plan_field *f, lvl_text wanted, const char *as);
/* Sets a coordinate or size; `value` is the number in the map, `unit` times the field. */
void import_number(importer *im, void *record, const plan_field *f, double unit, double value,
                   const char *as);

/* ---- import_index.c ------------------------------------------------------------------------------------ */

/* Fills im->layers and im->tile_layers, for import_layer and import_grid_layer. */
void import_index_layers(importer *im);
/* Fills im->sets. */
void import_find_sets(importer *im);
/* The set of a gid without flips; NULL: there is none. */
const tiled_set *import_set_of(const importer *im, uint32_t gid);
/* The tile with that number; NULL: the set does not describe it. */
const tiled_tile *import_tile_of(const tiled_set *set, uint32_t id);
/* The sprite that a gid shows; NULL: it is not a sprite, or has neither properties nor a class. */
const tiled_tile *import_sprite(const importer *im, uint32_t gid);
/* The map's layer with that id or, for a new level, that name. NULL: there is none. */
const tiled_layer *import_layer(const importer *im, tiled_kind kind, uint32_t id, lvl_text name);
/* The tile layer of a grid; for a new level, the layer at the same position. */
const tiled_layer *import_grid_layer(const importer *im, const plan_grid *g);
/* The first cell with a tile; NULL: there is none. */
const uint32_t *import_first_cell(const tiled_layer *layer, int64_t *x, int64_t *y);
/* The set of the layer's first tile; NULL: it has none. */
const tiled_set *import_set_of_layer(const importer *im, const tiled_layer *layer);

/* ---- import_cells.c ------------------------------------------------------------------------------------ */

/* The value, of `size` bytes, for a cell with that gid; with squares, the index of the square. False: the
 * level cannot have that tile, which is reported. */
bool import_take_cell(importer *im, const plan_grid *g, int64_t x, int64_t y, uint32_t gid, uint32_t size,
                      uint32_t *out);
/* Sets the cells of a grid from a layer. */
void import_take_cells(importer *im, const plan_grid *g, const tiled_layer *layer);

/* ---- import_foreign.c ---------------------------------------------------------------------------------- */

/* Whether lvl has written neither the map nor its tilesets. */
bool import_is_foreign(const tiled_map *map);
/* Leaves out hidden tile layers and pictures, and gives each tile layer one block of cells in a size that the
 * format can have. To be called before the map's layers are counted. */
void import_settle_foreign(importer *im, const lvl_format *format);

/* ---- import_match.c ------------------------------------------------------------------------------------ */

/* Makes the cells of tile layers refer to the level's own tiles: a tileset is the level's sheet, or its tiles
 * are compared with the level's. */
void import_match_foreign(importer *im);

/* ---- import_squares.c ---------------------------------------------------------------------------------- */

/* Removes squares that a layer no longer shows, and adds squares at new positions. */
void import_take_squares(importer *im, const plan_grid *g, const tiled_layer *layer);

/* ---- import_grids.c ------------------------------------------------------------------------------------ */

/* Takes the properties and name of a grid's layer; the second takes the whole layer. */
void import_grid_fields(importer *im, const plan_grid *g, const tiled_layer *layer);
void import_grid(importer *im, const plan_grid *g);
/* Adds tile layers that the level does not have yet; empty ones are left out. */
void import_new_grids(importer *im);

/* ---- import_tiles.c ------------------------------------------------------------------------------------ */

/* Sets the fields of the document's list of tiles from the properties of tiles. */
void import_tiles(importer *im);

/* ---- import_place.c ---------------------------------------------------------------------------------- */

/* How an object is rotated and flipped. */
typedef struct turn {
    unsigned quarters; /* clockwise, about its x, y */
    bool exact; /* it is rotated by a multiple of 90 degrees */
    bool flip_x, flip_y;
} turn;

turn import_turn_of(const tiled_object *o);
/* The position and size for the object's record, in px. For a sprite of lvl, the position is the point that
 * its tileset aligns; for other objects, their middle or upper left corner. */
void import_place_of(const importer *im, const plan_list *l, const tiled_object *o, double box[4]);
void import_take_flips(importer *im, const plan_list *l, void *record, const tiled_object *o);

/* ---- import_picture.c -------------------------------------------------------------------------------- */

/* The class of an object; a new object without a class gets its sprite's, as Tiled shows it. */
lvl_text import_class_of(const importer *im, const tiled_object *o, bool is_new);
/* The object completed from its sprite: a new object gets the sprite's class and picture, unless it has its
 * own; an existing object gets the picture if its sprite was replaced in Tiled. */
tiled_object import_complete_object(importer *im, const plan_objects *p, const void *record, const entry *e);

/* ---- import_order.c ---------------------------------------------------------------------------------- */

/* The list of the plan that the object with that id was exported from; LVL_NO_INDEX: none. */
uint32_t import_list_by_id(const importer *im, uint32_t id);
/* Whether two words are the same; in a map that lvl did not write, in any case. */
bool import_same_word(const importer *im, lvl_text a, lvl_text b);
/* Whether an object is the player's start position, which is not an item of a list. */
bool import_is_start(const importer *im, const tiled_object *o);
/* Fills im->lists, and reports objects that do not fit in any list. */
void import_sort_objects(importer *im);
/* Puts the items of a list in the map's order, removes those that the map no longer has, and adds new
 * ones. */
void import_order_list(importer *im, uint32_t index);

/* ---- import_shift.c ---------------------------------------------------------------------------------- */

/* Finds im->shift_x and im->shift_y. */
void import_find_shift(importer *im);
/* Whether an object moved with its map. On the main layer it keeps the new position, and its other positions
 * must move, too: they are returned in `places`. In other layers, which are not moved, it keeps its old
 * position. */
typedef struct import_places {
    lvl_map_place at[LVL_MAP_PLACES];
    int64_t values[LVL_MAP_PLACES];
    uint32_t count;
} import_places;
bool import_is_shifted(const importer *im, const plan_list *l, const void *record, const tiled_object *o,
                       double box[4], import_places *places);
/* Moves the other positions of an object with its map, except those that were changed. */
void import_shift_places(importer *im, const plan_list *l, void *record, const import_places *places);

/* ---- import_links.c ---------------------------------------------------------------------------------- */

/* Whether a property with that name is a link. */
bool import_is_link(lvl_text name);
/* Sets the targets of an item from `link.1` … in the order of their numbers, which may have gaps. */
void import_take_links(importer *im, plan_list *l, void *record, const tiled_properties *from);

/* ---- import_objects.c -------------------------------------------------------------------------------- */

void import_objects(importer *im);
void import_start(importer *im);

#endif
