/*
 * tiled/import.h: what the parts of the import share: values and properties (import_value.c), tiles
 * (import_cells.c), objects (import_objects.c), and the whole (import.c).
 */
#ifndef LVL_TILED_IMPORT_H
#define LVL_TILED_IMPORT_H

#include "tiled/plan.h"
#include "tools/edit_list.h"

/* What begins the names of properties that hold links. */
#define LINK "link."

/* What a tileset is to us. */
typedef enum set_kind { SET_FOREIGN, SET_TILES, SET_SPECIAL, SET_SPRITES, SET_LIST } set_kind;

typedef struct set_info {
    set_kind kind;
    uint32_t grid; /* SET_TILES: of which layer */
} set_info;

/* An item of a list as the map has it. */
typedef struct entry {
    uint32_t old; /* index in the origin; LVL_NO_INDEX: a new one */
    const tiled_object *object;
} entry;

typedef struct entries {
    entry *items;
    uint32_t count, cap;
} entries;

typedef struct importer {
    lvl_doc *doc;
    tiled_map *map;
    tiled_plan plan;
    lvl_editor edit;
    lvl_findings *findings;
    const lvl_tiled_read_options *options;
    bool fresh; /* the map has no origin */
    lvl_status status;
    bool changed;
    set_info *sets;
    entries *lists; /* as many as the plan's */
    char what[256]; /* the layer or object at work, for messages: see import_what() */
    const tiled_object *object;
    const tiled_layer *layer;
    uint32_t made;            /* names made for new items */
    tiled_properties scratch; /* what an export would write of a record */
    char sha[65];
} importer;

/* ---- import_value.c ---------------------------------------------------------------------------------- */

/* Keeps the first status that isn't LVL_OK. */
void import_stop(importer *im, lvl_status status);
void import_fail(importer *im, lvl_fault fault, const char *fmt, ...) LVL_PRINTF(3, 4);
void import_warn(importer *im, const char *fmt, ...) LVL_PRINTF(2, 3);
/* What messages are about from now on, and what they call it. */
void import_name_layer(importer *im, const tiled_layer *layer);
void import_name_object(importer *im, const tiled_layer *layer, const tiled_object *o);
const char *import_what(importer *im);
/* Index of the item that an object of the map is; LVL_NO_INDEX: none. */
uint32_t import_index_of_id(const plan_list *list, uint32_t id);
/* One field of a record, from the properties of what shows it. `clear`: flags that the map shows otherwise.
 * Returns whether the property was changed. */
bool import_field(importer *im, void *record, const plan_field *f, const tiled_properties *from,
                  int64_t clear);
/* Sets a member to what a text says. */
void import_put(importer *im, void *record, const plan_field *f, lvl_text shown, const char *as);
/* All fields of a record; what the map has beyond them is reported, but for those that objects of the kind
 * `also` have and names that begin with `prefix`; both may be NULL. */
void import_fields(importer *im, void *record, const plan_fields *fields, const tiled_properties *from,
                   const plan_objects *also, const char *prefix);
/* A name or class: an attribute of what shows the record; the second where `shown` is still to be found. */
void import_text(importer *im, void *record, const plan_field *f, lvl_text shown, lvl_text wanted,
                 const char *as);
void import_shown_text(importer *im, void *record, const plan_field *f, lvl_text wanted, const char *as);
/* A place or size: `value` of the map is `unit` times the field. */
void import_number(importer *im, void *record, const plan_field *f, double unit, double value,
                   const char *as);

/* ---- import_cells.c ---------------------------------------------------------------------------------- */

void import_find_sets(importer *im);
/* The set of a gid without flips; NULL: it is of none. */
const tiled_set *import_set_of(const importer *im, uint32_t gid);
/* The layer of a plan's layer; of a new level by its name. NULL: there is none. */
const tiled_layer *import_layer(const importer *im, tiled_kind kind, uint32_t id, lvl_text name);
const tiled_layer *import_grid_layer(const importer *im, const plan_grid *g);
void import_grid(importer *im, const plan_grid *g);
/* What items of a list are by their tiles' properties. */
void import_tiles(importer *im);

/* ---- import_objects.c -------------------------------------------------------------------------------- */

void import_objects(importer *im);
void import_start(importer *im);

#endif
