/*
 * base/map_layout.h: how the records of a format appear in a map editor, and to any code that changes a level
 * without knowing its format. The tables define which lists are layers and objects and what their fields are
 * (lvl_field.roles); properties that do not belong to one field are in one constant beside the tables
 * (lvl_format_calls.map_layout). Without it, defaults apply.
 */
#ifndef LVL_BASE_MAP_LAYOUT_H
#define LVL_BASE_MAP_LAYOUT_H

#include "base/record.h"

#include <lvl/doc.h>

struct lvl_art;

/* The layers: the items of the root's list with LVL_ROLE_LAYERS. */
typedef struct lvl_map_grid {
    const char *first; /* name of the first layer if its item has none; NULL: the name of the table and 0 */
    uint32_t cell_size; /* px of a cell, where no field has LVL_ROLE_CELL_WIDTH */
    uint32_t (*empty)(const void *item); /* the value of a cell without a tile; NULL: lvl_empty_cell */
    uint32_t (*cleared)(const void *item); /* of one whose tile was moved away; NULL: the same */
    uint32_t (*main)(const void *root); /* index of the item that gives the map its size; NULL: 0 */
    uint32_t fixed_width, fixed_height; /* cells of every layer; 0: free */
    /* Values below `values` are tiles, all others are special. The tiles are in order in a sheet of `columns`
     * columns; with `block_columns`, in blocks of that many columns and `block_rows` rows, side by side. */
    uint32_t values, columns, block_columns, block_rows;
    uint32_t sheet_tiles; /* number of tiles in the sheet; 0: as many as are used */
    const char *sheet; /* name of the usual sheet's picture; NULL: there is none */
    bool shared; /* one sheet for all layers */
    uint32_t view_width, view_height; /* px of the game's view, for parallax; 0: none */
    const char *background; /* background colour, "#rrggbb"; NULL: none */
    void (*begin_square)(const void *root,
                         void *square); /* sets members of a new one that differ from the defaults; or NULL */
    /* Sets the drawing position of the new layer at `index`; NULL: its index is its position. */
    void (*begin_layer)(void *root, uint32_t index);
} lvl_map_grid;

enum { LVL_MAP_LISTS = 16, LVL_MAP_PLACES = 32 };

typedef enum lvl_map_axis {
    LVL_MAP_X,
    LVL_MAP_Y,
    LVL_MAP_ADDRESS /* 256 * column + row */
} lvl_map_axis;

/* What a position follows when things are moved. */
typedef enum lvl_map_follows {
    LVL_MAP_OF_THING, /* the item itself */
    LVL_MAP_OF_PLACE, /* what is there: a destination. Its x is followed by its y */
    LVL_MAP_OF_OTHER /* the thing that stands there, by its tile */
} lvl_map_follows;

/* A number of an item that is a position in the level, beside the item's own. */
typedef struct lvl_map_place {
    uint16_t offset; /* of the member in the item's struct; it may be in a record inside */
    uint8_t axis; /* LVL_MAP_… */
    uint8_t follows; /* LVL_MAP_OF_… */
    bool zero_is_unset;
    uint32_t unit; /* px of 1 */
} lvl_map_place;

/* How the objects of a list with LVL_ROLE_OBJECTS are shown. */
typedef struct lvl_map_list {
    const lvl_table *item; /* the table of its items */
    const char *color; /* of the outlines of its objects, "#rrggbb"; NULL: the editor's */
    uint32_t fixed_width, fixed_height; /* px; 0: a point */
    bool centered; /* x, y is the picture's centre; else its top left corner */
    uint32_t flip_x, flip_y; /* bits of the field with LVL_ROLE_FLIP, if the object has a picture */
    unsigned things; /* kinds of scene things that show its items, bits 1 << LVL_THING_…; 0: all */
    const char *folder; /* folder in the list with LVL_ROLE_FILES that may hold the object's picture; or
                           NULL */
    /* Finds the numbers of an item that move if the level is shifted; returns how many. NULL: none. */
    uint32_t (*places)(const lvl_doc *doc, const void *item, lvl_map_place out[LVL_MAP_PLACES]);
} lvl_map_list;

/* What kind of new level is made. */
typedef struct lvl_map_new {
    const char *ending; /* extension of the new file; or NULL */
    uint32_t width, height; /* cells of the main plane, or px if the format uses them; 0: the usual size */
    uint32_t base; /* the base level whose art it has, at most *bases; 0: the usual one */
} lvl_map_new;

typedef struct lvl_map_layout {
    const lvl_map_grid *grid; /* NULL: the defaults */
    const lvl_map_list *lists; /* in the order of their layers; lists that are not described here follow */
    uint32_t list_count;
    int64_t page_value; /* the level has a bounded size if the field with LVL_ROLE_BOUNDS is at least this */
    bool tiles_alone; /* what cells refer to (lvl_field.ref) has its own tile instead of one in the sheet */
    uint32_t world_cell; /* width and height of a level of a world, in px */
    void (*begin)(void *root); /* sets members of a new level that differ from the defaults; or NULL */
    /* Makes a new document an empty level that the game loads; or NULL. */
    lvl_status (*fresh)(lvl_doc *doc, const lvl_map_new *what);
    const uint32_t *bases; /* how many base levels new levels can be made for; NULL: none */
    /* Makes a document of the same format that an editor can offer objects from: its lists have an item for
     * each picture in the art that an object of `doc` could show, set up as is usual in levels. *out is NULL
     * if there are none. Or NULL. */
    lvl_status (*stock)(const lvl_doc *doc, const struct lvl_art *art, lvl_doc **out);
    /* Removes whatever else does not belong in a level that keeps only its settings; or NULL. */
    lvl_status (*clear)(lvl_doc *doc);
} lvl_map_layout;

/* The format's own, or the defaults; never NULL. */
const lvl_map_layout *lvl_map_layout_of(const lvl_format *format);
/* NULL if the format has no layers. */
const lvl_map_grid *lvl_map_grid_of(const lvl_format *format);
/* The list of layers of the root; NULL: the format has none. */
const lvl_field *lvl_map_layers(const lvl_format *format);
/* The list of rows of a world, whose items have a list of names with the same role; NULL: not a world. */
const lvl_field *lvl_map_world(const lvl_format *format);

/* The cells of a layer, or its list of squares and the fields of a square. */
typedef struct lvl_map_cells {
    const lvl_field *cells; /* NULL: the layer has squares */
    const lvl_field *squares; /* NULL: the layer has cells */
    const lvl_field *key, *x, *y, *pixels; /* of a square; its key is a text "x,y" */
} lvl_map_cells;
lvl_map_cells lvl_map_cells_of(const lvl_table *layer);
/* The value of an empty cell in a layer. */
uint32_t lvl_map_empty(const lvl_map_grid *grid, const void *layer, const lvl_field *cells);
/* The value of a cell whose content was moved away. */
uint32_t lvl_map_cleared(const lvl_map_grid *grid, const void *layer, const lvl_field *cells);

/* A list of objects. */
typedef struct lvl_map_objects {
    const lvl_field *list;
    bool in_layer; /* each layer has such a list; else only the root */
    uint32_t unit; /* px of 1 in x, y, width and height */
    const char *type; /* class of all its objects; NULL: in the field with LVL_ROLE_CLASS */
    const lvl_map_list *how; /* never NULL */
} lvl_map_objects;

/* The lists of objects in the order of their layers; returns their number. */
uint32_t lvl_map_objects_of(const lvl_format *format, lvl_map_objects out[LVL_MAP_LISTS]);
/* The item's places; returns how many. */
uint32_t lvl_map_places(const lvl_map_objects *objects, const lvl_doc *doc, const void *item,
                        lvl_map_place out[LVL_MAP_PLACES]);
/* The value of a place that is moved by dx, dy px; false if the place cannot have it: the move is not a whole
 * number of units, or an address leaves columns or rows 0 to 255. */
bool lvl_map_moved(const lvl_map_place *place, int64_t value, int64_t dx, int64_t dy, int64_t *out);

#endif
