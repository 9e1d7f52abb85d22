/*
 * base/map_layout.h: how the records of a format appear in a map editor, and to all that changes a level
 * without knowing its format. Which lists are layers and objects, and what their fields are, the tables say
 * (lvl_field.roles); a format adds here what is no property of one field, in one constant beside its tables
 * (lvl_format_calls.map_layout). Without it the defaults apply.
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
    uint32_t (*main)(const void *root); /* index of the item that gives the map its size; NULL: 0 */
    uint32_t fixed_width, fixed_height; /* cells of every layer; 0: free */
    /* The tiles of a layer are the values below `values`; all others are special. They are in a sheet of
     * `columns`, in order; with `block_columns` in blocks of that many columns and `block_rows`, side by
     * side. */
    uint32_t values, columns, block_columns, block_rows;
    uint32_t sheet_tiles; /* number of tiles in the sheet; 0: as many as are used */
    bool shared; /* one sheet for all layers */
    uint32_t view_width, view_height; /* px of the game's view, for parallax; 0: none */
    const char *background; /* colour behind all layers, "#rrggbb"; NULL: none */
    void (*begin_square)(const void *root,
                         void *square); /* sets what a new one has beyond defaults; or NULL */
    /* Gives the layer at `index`, which is new, its place among the others; NULL: its index is its place. */
    void (*begin_layer)(void *root, uint32_t index);
} lvl_map_grid;

/* How the objects of a list with LVL_ROLE_OBJECTS look. */
typedef struct lvl_map_list {
    const lvl_table *item; /* the table of its items */
    const char *color; /* of the outlines of its objects, "#rrggbb"; NULL: the editor's */
    uint32_t fixed_width, fixed_height; /* px; 0: a point */
    bool centered; /* x, y is the picture's centre; else its top left corner */
    uint32_t flip_x, flip_y; /* bits of the field with LVL_ROLE_FLIP while the object has a picture */
    unsigned things; /* kinds of scene things that show its items, bits 1 << LVL_THING_…; 0: all */
    const char *folder; /* of the list with LVL_ROLE_FILES: may have the file that is its picture; or NULL */
    /* Whether a number of the item with the role of an edge or destination is a place in the level, in px;
     * NULL: none is. */
    bool (*is_place)(const void *item, const lvl_field *field);
} lvl_map_list;

typedef struct lvl_map_layout {
    const lvl_map_grid *grid; /* NULL: the defaults */
    const lvl_map_list *lists; /* in the order of their layers; lists that it lacks follow */
    uint32_t list_count;
    int64_t page_value; /* the field with LVL_ROLE_BOUNDS is at least this if the level has that size */
    bool tiles_alone; /* what cells refer to (lvl_field.ref) has a tile of its own, not one of their sheet */
    uint32_t world_cell; /* px of a level of a world, each way */
    void (*begin)(void *root); /* sets what a new level has beyond its defaults; or NULL */
    /* Makes a new document an empty level that the game loads, of that size (cells of the main plane, or px
     * where the format counts in them; 0: the usual size). `ending`: of the new file. Or NULL. */
    lvl_status (*fresh)(lvl_doc *doc, const char *ending, uint32_t width, uint32_t height);
    /* Makes a document of the same format whose lists have an item for each picture of the art that an object
     * of `doc` could show, as levels usually have it: what an editor offers to be placed. *out is NULL if
     * there are none. Or NULL. */
    lvl_status (*stock)(const lvl_doc *doc, const struct lvl_art *art, lvl_doc **out);
    /* Removes what else has no place in a level that only keeps its settings; or NULL. */
    lvl_status (*clear)(lvl_doc *doc);
} lvl_map_layout;

/* The format's own, or the defaults; never NULL. */
const lvl_map_layout *lvl_map_layout_of(const lvl_format *format);
/* NULL: the format has no layers. */
const lvl_map_grid *lvl_map_grid_of(const lvl_format *format);
/* The list of layers of the root; NULL: the format has none. */
const lvl_field *lvl_map_layers(const lvl_format *format);
/* The list of rows of a world, whose items have a list of names with the same role; NULL: it is none. */
const lvl_field *lvl_map_world(const lvl_format *format);

/* The cells of a layer, or its list of squares and the fields of a square. */
typedef struct lvl_map_cells {
    const lvl_field *cells; /* NULL: the layer has squares */
    const lvl_field *squares; /* NULL: the layer has cells */
    const lvl_field *key, *x, *y, *pixels; /* of a square; its key is a text "x,y" */
} lvl_map_cells;
lvl_map_cells lvl_map_cells_of(const lvl_table *layer);
/* The value of a cell of a layer that shows nothing. */
uint32_t lvl_map_empty(const lvl_map_grid *grid, const void *layer, const lvl_field *cells);

/* A list of objects. */
typedef struct lvl_map_objects {
    const lvl_field *list;
    bool in_layer; /* each layer has one; else the root */
    uint32_t unit; /* px of 1 in x, y, width and height */
    const char *type; /* class of all its objects; NULL: the field with LVL_ROLE_CLASS holds it */
    const lvl_map_list *how; /* never NULL */
} lvl_map_objects;

enum { LVL_MAP_LISTS = 16, LVL_MAP_PLACES = 32 };
/* The lists of objects in the order of their layers; returns their number. */
uint32_t lvl_map_objects_of(const lvl_format *format, lvl_map_objects out[LVL_MAP_LISTS]);
/* The fields of an item for which `is_place` may hold; returns their number. */
uint32_t lvl_map_places(const lvl_map_objects *objects, const lvl_field *out[LVL_MAP_PLACES]);
/* Whether a place is one from the top; else from the left. */
static inline bool lvl_map_is_vertical(const lvl_field *place)
{
    return (place->roles & (LVL_ROLE_TOP | LVL_ROLE_BOTTOM | LVL_ROLE_DEST_Y)) != 0;
}

#endif
