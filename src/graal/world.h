/*
 * graal/world.h: a world: a map together with the levels that it names, found along the art path (beside
 * the map, in the folders above it, and anywhere below the folders that the user gave). A name never
 * leaves these: one with a folder in it isn't looked for.
 */
#ifndef LVL_GRAAL_WORLD_H
#define LVL_GRAAL_WORLD_H

#include "graal/graal_level.h"
#include "graal/graal_links.h"
#include "graal/graal_pictures.h"

#include <lvl/gmap.h>

enum { LVL_WORLD_PLACES = 1 << 20 }; /* most cells of a map whose levels are looked for */

/* A level that the map names, once however often it does. */
typedef struct lvl_world_level {
    lvl_text name;
    uint32_t x, y; /* its first place */
} lvl_world_level;

typedef struct lvl_world {
    const lvl_doc *doc;
    const lvl_gmap *map;
    const lvl_art *art; /* or NULL: no level is found */
    uint32_t width, height;
    lvl_world_level *levels; /* by name without regard to case */
    uint32_t level_count;
    uint32_t *grid; /* by rows: index in `levels` plus 1; 0: an empty cell */
    lvl_arena arena;
} lvl_world;

/* The names of a map, by name without regard to case and then by place; doubled ones are all there. */
lvl_status lvl_world_names(const lvl_gmap *map, lvl_arena *arena, lvl_world_level **out, uint32_t *count);
/* Gathers the names. LVL_ERR_LIMIT: too many cells. To be closed in any case. */
lvl_status lvl_world_open(lvl_world *world, const lvl_doc *doc, const lvl_art *art);
void lvl_world_close(lvl_world *world);
/* The level of that name, or NULL. */
const lvl_world_level *lvl_world_find(const lvl_world *world, lvl_text name);
/* The level in that cell, or NULL for an empty one and beyond the map. */
const lvl_world_level *lvl_world_at(const lvl_world *world, int64_t x, int64_t y);
/* A name as that of a file without a folder, NUL-ended UTF-8; false if it can't be one. */
bool lvl_world_file_name(const lvl_doc *doc, lvl_text name, char out[LVL_GRAAL_NAME]);
/* Reads a level; its root is a lvl_graal. The document and `bytes`, which it borrows, are freed by the
 * caller in any case. LVL_ERR_MISSING: no such file. LVL_ERR_FOREIGN: no level. */
lvl_status lvl_world_read(const lvl_world *world, lvl_text name, lvl_buffer *bytes, lvl_doc **out);

/* world_check.c: what can be said of a map when its levels can be looked at (request->art isn't NULL). */
lvl_status lvl_world_check(const lvl_doc *doc, const lvl_check_request *request);
/* For `info`: how many of the levels are found, and which are not. */
lvl_status lvl_world_info(const lvl_doc *doc, lvl_info *info, const lvl_art *art);
/* Gives names the case of their files. */
lvl_status lvl_world_repair_names(lvl_doc *doc, lvl_repairs *repairs);

/* world_scene.c */
lvl_status lvl_world_scene(const lvl_doc *doc, const struct lvl_scene_request *request,
                           struct lvl_scene **out);

#endif
