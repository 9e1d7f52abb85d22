/*
 * graal/world/world.h: a world: a map together with the levels that it refers to. Levels are searched on the
 * art path (beside the map, in the folders above it, anywhere below the folders that the user gave). Names
 * that contain a folder are not searched.
 */
#ifndef LVL_GRAAL_WORLD_H
#define LVL_GRAAL_WORLD_H

#include "graal/level/graal_level.h"
#include "graal/level/graal_links.h"
#include "graal/art/graal_pictures.h"

#include <lvl/gmap.h>

enum { LVL_WORLD_PLACES = 1 << 20 }; /* largest map, in cells, whose levels are searched */

/* A level that the map refers to; one entry for all cells with its name. */
typedef struct lvl_world_level {
    lvl_text name;
    uint32_t x, y; /* its first cell */
} lvl_world_level;

typedef struct lvl_world {
    const lvl_doc *doc;
    const lvl_gmap *map;
    const lvl_art *art; /* or NULL: no level is found */
    uint32_t width, height;
    lvl_world_level *levels; /* sorted by name, ignoring case */
    uint32_t level_count;
    uint32_t *grid; /* by rows: index in `levels` plus 1; 0: an empty cell */
    lvl_arena arena;
} lvl_world;

/* Lists the levels. LVL_ERR_LIMIT: too many cells. Must be closed, even after an error. */
lvl_status lvl_world_open(lvl_world *world, const lvl_doc *doc, const lvl_art *art);
void lvl_world_close(lvl_world *world);
/* The level with that name, or NULL. */
const lvl_world_level *lvl_world_find(const lvl_world *world, lvl_text name);
/* The level in a cell; NULL: the cell is empty or outside the map. */
const lvl_world_level *lvl_world_at(const lvl_world *world, int64_t x, int64_t y);
/* Converts a name to a file name without a folder, NUL-ended UTF-8. False: no file can have it. */
bool lvl_world_file_name(const lvl_doc *doc, lvl_text name, char out[LVL_GRAAL_NAME]);
/* Reads a level; the root of the document is a lvl_graal. It borrows `bytes`; the caller frees both, even
 * after an error. LVL_ERR_MISSING: no such file. LVL_ERR_FOREIGN: the file is not a level. */
lvl_status lvl_world_read(const lvl_world *world, lvl_text name, lvl_buffer *bytes, lvl_doc **out);

/* world_check.c: the rules of a map that need its levels; world->art is not NULL. */
lvl_status lvl_world_check(lvl_world *world, lvl_findings *findings);
/* For `info`: the number of levels found, and the names of the others. */
lvl_status lvl_world_info(const lvl_doc *doc, lvl_info *info, const lvl_art *art);
/* Corrects names that differ in case from the file. */
lvl_status lvl_world_repair_names(lvl_doc *doc, lvl_repairs *repairs);

/* world_scene.c */
lvl_status lvl_world_scene(const lvl_doc *doc, const struct lvl_scene_request *request,
                           struct lvl_scene **out);

#endif
