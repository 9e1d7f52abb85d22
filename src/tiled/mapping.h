/*
 * tiled/mapping.h: which layers and objects of a map show which records of a document. A plan depends only on
 * the document and its format's map layout, so a layer or object that comes back from Tiled is recognized by
 * its id.
 */
#ifndef LVL_TILED_MAPPING_H
#define LVL_TILED_MAPPING_H

#include "base/map_layout.h"
#include "base/text.h"
#include "games/book.h"
#include "tiled/map.h"
#include "tools/values/json_read.h"
#include "tools/values/json_write.h"

/* A field of a record, or of a record in it. */
typedef struct plan_field {
    lvl_text name; /* "hit_rect.left" */
    const lvl_field *field; /* NULL: there is none */
    const lvl_field *outer; /* the inner record that holds the field; or NULL */
    uint32_t offset; /* of that inner record; else 0 */
    const lvl_table *table; /* the table that has the field */
    const lvl_table *whole; /* the table of the record, whose inner record may hold the field */
} plan_field;

typedef TILED_LIST(plan_field) plan_fields;

/* The fields of a list of objects. */
typedef struct plan_objects {
    lvl_map_objects of;
    plan_field type, name, picture, picture_number, order, x, y, width, height, flip, unique, links;
    bool numbered; /* `unique` is a number */
    plan_fields fields; /* all others: properties */
} plan_objects;

/* One list of objects. */
typedef struct plan_list {
    const plan_objects *objects;
    void *owner; /* the record that contains it, */
    const lvl_field *list; /* in this field */
    uint32_t grid; /* index of the tile layer that it belongs to; UINT32_MAX: none */
    uint32_t layer; /* id */
    lvl_text name; /* name of the layer */
    uint32_t first, count; /* ids of the objects: `count` ids from `first`, */
    uint32_t *own; /* or the level's own numbers; else NULL */
    uint64_t *own_sorted; /* the same: id << 32 | index */
    uint32_t *ids; /* ids of the items after a change; NULL: as above */
    uint32_t id_count;
    lvl_sort_key *names; /* names of the items, sorted by `unique`; NULL until a link needs them */
} plan_list;

typedef struct plan_grid {
    uint32_t index;
    uint32_t at; /* the item's present index, since others may be inserted before it */
    void *item;
    uint32_t layer; /* id */
    lvl_text name;
} plan_grid;

typedef struct tiled_plan {
    lvl_arena *arena;
    const lvl_doc *doc;
    const lvl_map_layout *layout;
    const lvl_map_grid *grid;
    const lvl_field *grid_list;
    lvl_map_cells of; /* whether items of the list have cells or squares */
    const lvl_field *tiles;
    plan_fields shown; /* fields that a map does not show as properties */
    plan_field grid_name, art, cell_width, cell_height, parallax_x, parallax_y;
    plan_field start_x, start_y, color;
    plan_fields root_fields, grid_fields, tile_fields;
    plan_objects *objects;
    uint32_t object_lists;
    plan_grid *grids;
    uint32_t grid_count;
    TILED_LIST(plan_list) lists; /* in layer order; those of a grid's item follow the grid */
    uint32_t start_layer, start_object; /* ids; 0: none */
    uint32_t next_layer, next_object;
    uint32_t main; /* index of the grid that gives the map its size */
    bool typed; /* use the property types of tiled_type_name */
} tiled_plan;

/* LVL_ERR_UNSUPPORTED: the format has no layers. The plan's lists are allocated from the arena. */
lvl_status tiled_plan_make(tiled_plan *plan, lvl_doc *doc, lvl_arena *arena);

/* The record that holds a field. */
static inline void *plan_record(const void *record, const plan_field *f)
{
    return (uint8_t *)(uintptr_t)record + f->offset;
}
bool plan_present(const void *record, const plan_field *f);
int64_t plan_int(const void *record, const plan_field *f);
double plan_number(const void *record, const plan_field *f);
/* The width or height of a cell in px, from the field plan->cell_width or cell_height; the default if there
 * is no such field. */
uint32_t plan_cell_side(const tiled_plan *plan, const plan_grid *grid, const plan_field *f);

/* A text field as a map shows it. */
lvl_text plan_text(const tiled_plan *plan, const void *record, const plan_field *f);

/* The property type of a field whose values have names, in a project. */
const char *tiled_type_name(const tiled_plan *plan, const plan_field *f);
/* The property type of a list of names of a game's book (lvl_book_use.names). */
const char *tiled_list_type(const tiled_plan *plan, const lvl_book *book, uint8_t list);
/* The names of a field's values in a record: those of the game's book, else those of its table. */
typedef struct tiled_names {
    const lvl_name *names; /* NULL: they have none */
    const char *type; /* their property type; NULL without plan->typed */
} tiled_names;
tiled_names tiled_names_of(const tiled_plan *plan, const void *record, const plan_field *f);
/* A record as its game's book sees it; false: no book describes such records. `table`: the record's. */
bool tiled_describe(const tiled_plan *plan, const lvl_table *table, const void *record, lvl_book_item *out);
/* Whether the text is a name of a value of that field in a record or, if it is not, in the thing `was` (or
 * NULL). Conditions do not count: the fields that they are about may be set later. */
bool tiled_parse_name(const tiled_plan *plan, const void *record, const plan_field *f,
                      const lvl_book_thing *was, lvl_text text, int64_t *out);

/* Adds a field as a property, unless it has its default. `clear`: flags that the map shows in another way. */
void tiled_put_field(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f,
                     int64_t clear);
void tiled_put_fields(const tiled_plan *plan, tiled_properties *to, const void *record,
                      const plan_fields *fields);
/* Adds the number that identifies an item, unless the object's id is the same. */
void tiled_put_unique(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f,
                      uint32_t object_id);
/* The property of a tileset that holds what its tiles show (LVL_ROLE_PICTURE of a layer). */
#define TILED_ART "lvl.art"
/* Adds the items that an item is linked to: `link.1`, `link.2` … */
#define TILED_LINK "link."
void tiled_put_links(const tiled_plan *plan, tiled_properties *to, plan_list *list, const void *record);
/* Converts text of the document to the form in a map: UTF-8 with visible characters for control characters
 * (text.c). The second converts back, as UTF-8; false: out of memory. */
lvl_text tiled_show_text(lvl_arena *arena, lvl_codepage page, lvl_text text);
bool tiled_unshow_text(lvl_buffer *out, lvl_text shown);
/* The indices of the items in the game's drawing order, from the back; NULL: the list's order, or out of
 * memory. */
uint32_t *plan_draw_order(const tiled_plan *plan, const plan_list *list);
/* The id of an item; 0: there is none. */
uint32_t plan_object_id(const plan_list *list, int64_t index);
/* The index of the item that originally had the id; LVL_NO_INDEX: none. */
uint32_t plan_index_of_id(const plan_list *list, uint32_t id);
/* The list of the root that a field refers to, if its items are objects; else NULL. */
const plan_list *plan_reference(const tiled_plan *plan, const lvl_field *field);

/* The cell value of a tile of the sheet, and the reverse. */
uint32_t tiled_value_of_tile(const lvl_map_grid *grid, uint32_t tile);
uint32_t tiled_tile_of_value(const lvl_map_grid *grid, uint32_t value);

#endif
