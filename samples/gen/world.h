/*
 * A level before it is a file: tile sets with their pictures and what touching them does, planes of tile numbers, and objects. The
 * objects are the library's own structs, whose texts point to constants here.
 */
#ifndef SAMPLES_WORLD_H
#define SAMPLES_WORLD_H

#include <lvl/wwd.h>

#include "gen.h"

enum { SET_MAX = 512, MASK_MAX = 4, PLANE_MAX = 8, OBJECT_MAX = 256 };

/* Pictures of one tile size; numbers on file count from 1, so picture 0 is tile 1. */
typedef struct tile_set {
    const char *name; /* of its folder: "ACTION" */
    int size;         /* px, each way */
    int count;
    canvas *picture[SET_MAX];
    lvl_wwd_tile_property property[SET_MAX];
    uint8_t mask[MASK_MAX][TILE * TILE]; /* of properties that are masks */
    int mask_count;
} tile_set;

typedef struct world_plane {
    const char *name;
    int set; /* index into world.set */
    uint32_t flags;
    int wide, high; /* cells */
    int movement_x, movement_y, z, fill;
    uint32_t *cells;
} world_plane;

typedef struct world {
    const char *name, *author, *birth, *image_dir, *pal_rez;
    const char *image_set[2], *prefix[2];
    int start_x, start_y;
    int set_count, plane_count, main, object_count;
    tile_set set[PLANE_MAX];
    world_plane plane[PLANE_MAX];
    lvl_wwd_object object[OBJECT_MAX];
} world;

/* The tile number of a picture: an equal one's that the set has already, or a new one. Takes the picture. 0xFFFFFFFF if it is empty. */
uint32_t set_add(tile_set *set, canvas *picture);
/* What touching a tile does, with the set's tile size. */
lvl_wwd_tile_property prop_single(int size, int attribute);
lvl_wwd_tile_property prop_double(int size, int outside, int inside, int left, int top, int right,
                                  int bottom);
/* `attribute` where the picture has a px, clear elsewhere; written to `mask`, which the property points to. */
lvl_wwd_tile_property prop_mask(const canvas *picture, int attribute, uint8_t *mask);
/* Adds a plane of `wide` by `high` empty cells with a tile set of its own. */
world_plane *world_add_plane(world *w, const char *name, const char *set, int size, int wide, int high);
/* Fills a plane from a picture, cut into tiles. */
void plane_from_picture(world *w, world_plane *plane, const canvas *picture);
/* An object at a point in px. */
lvl_wwd_object *world_add(world *w, const char *logic, const char *set, int x, int y, int z);
/* An object whose sprite stands on the ground at `y`. */
lvl_wwd_object *world_stand(world *w, const char *logic, const char *set, int x, int y, int z);
void world_free(world *w);

/* level_cliffs.c, level_garden.c */
world *make_cliffs(void);
world *make_garden(void);

#endif
