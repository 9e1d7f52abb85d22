/*
 * base/map_layout.h: how the records of a format appear in a map editor: which list is tile layers, and which
 * lists are objects; their tables say which fields are an object's class, name, place and size
 * (lvl_field.roles). Each format has one such constant beside its tables (lvl_format_calls.map_layout), which
 * src/tiled uses.
 *
 * Fields are named as in the tables, members of inner records with a dot ("point.x"). A NULL name: no field.
 */
#ifndef LVL_BASE_MAP_LAYOUT_H
#define LVL_BASE_MAP_LAYOUT_H

#include <lvl/doc.h>

struct lvl_art;

/* The list of the root whose items are tile layers. */
typedef struct lvl_map_grid {
    const char *list;
    const char *layer; /* name of a layer whose item has none; its index follows */
    const char *first; /* the same of the first item, without its index; or NULL */
    const char *name; /* field: its name */
    const char *art; /* field: what its tiles show; or NULL */
    const char *cell_width, *cell_height; /* fields: px of a cell */
    uint32_t cell_size; /* px of a cell, where there are no such fields */
    const char *parallax_x, *parallax_y; /* fields: percent */
    const char *cells; /* the cells of an item */
    uint32_t (*empty)(const void *item); /* the value of a cell without a tile */
    uint32_t (*main)(const void *root); /* index of the item that gives the map its size; NULL: 0 */
    uint32_t fixed_width, fixed_height; /* cells of every layer; 0: free */
    /* The tiles of a layer are the values below `values`; all others are special. They are in a sheet of
     * `columns`, in order; with `block_columns` in blocks of that many columns and `block_rows`, side by
     * side. */
    uint32_t values, columns, block_columns, block_rows;
    uint32_t sheet_tiles; /* number of tiles in the sheet; 0: as many as are used */
    bool shared; /* one sheet for all layers */
    /* Instead of cells: a list of squares, each with its own place. `key` is a text "column,row", to which
     * the integers `key_x` and `key_y` are set; `pixels` are the cells of a square. */
    const char *squares, *key, *key_x, *key_y, *pixels;
    uint32_t view_width, view_height; /* px of the game's view, for parallax; 0: none */
    const char *background; /* colour behind all layers, "#rrggbb"; NULL: none */
    void (*begin_square)(const void *root,
                         void *square); /* sets what a new one has beyond defaults; or NULL */
    /* Gives the layer at `index`, which is new, its place among the others; NULL: its index is its place. */
    void (*begin_layer)(void *root, uint32_t index);
} lvl_map_grid;

/* A further field of an object that is a place in the level, in px, for some of the objects. */
typedef struct lvl_map_place {
    const char *field;
    bool vertical;
    bool (*is_place)(const void *item);
} lvl_map_place;

/* A list of records that become objects. */
typedef struct lvl_map_list {
    bool in_grid; /* each item of the grid's list has one; else the root has it */
    const char *list; /* the field */
    const char *layer;
    const char *color; /* of the outlines of its objects, "#rrggbb"; NULL: the editor's */
    const char *type; /* class of all its objects; NULL: the field with LVL_ROLE_CLASS holds it */
    uint32_t unit; /* px of 1 in x, y, width and height; 0: 1 */
    uint32_t fixed_width, fixed_height; /* px; 0: a point */
    bool centered; /* x, y is the picture's centre; else its top left corner */
    uint32_t flip_x, flip_y; /* bits of the field with LVL_ROLE_FLIP while the object has a picture */
    unsigned things; /* kinds of scene things that show its items, bits 1 << LVL_THING_…; 0: all */
    /* A field that names a file, which may be in that folder of the document's list `files`. */
    const char *file, *files, *folder;
    const lvl_map_place *places;
    uint32_t place_count; /* at most 32 */
} lvl_map_list;

typedef struct lvl_map_layout {
    const lvl_map_grid *grid; /* NULL: the document is a world of levels */
    const lvl_map_list *lists;
    uint32_t list_count;
    const char *start_x, *start_y; /* fields of the root: the start, px; shown as a point */
    /* Fields of the root: the size of a level of squares, px, and the one that must be at least `page_value`
     * for the level to be bounded. */
    const char *page_width, *page_height, *page_kind;
    int64_t page_value;
    /* A list of the root whose items describe tiles by their index: those of the main grid's sheet, or with
     * `tiles_alone` those of a separate sheet. */
    const char *tiles;
    bool tiles_alone;
    const char *color; /* field of such an item: its colour, "#rrggbb" */
    const char *values; /* further fields of the root that are shown, as JSON; blank-separated */
    /* A world: a list of the root, and the list of names in each of its items; an empty name is no level.
     * `world_cell`: px of a level, each way. */
    const char *world_rows, *world_names;
    uint32_t world_cell;
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

#endif
