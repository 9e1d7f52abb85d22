/*
 * graal/tiles/graal_types.h: the tiles of the usual tilesets: their types, from the tables that clients
 * and servers share, and their average colours, measured.
 */
#ifndef LVL_GRAAL_TYPES_H
#define LVL_GRAAL_TYPES_H

#include <lvl/scene.h>

enum { LVL_GRAAL_TILES = 4096 };

/* The table of types of a tileset: the third word of `addtiledef`. */
typedef enum lvl_graal_rules {
    LVL_GRAAL_CLASSIC = 0,
    LVL_GRAAL_NEW_WORLD = 1, /* and 2 */
    LVL_GRAAL_NO_RULES = 5 /* nothing blocks */
} lvl_graal_rules;

/* As tiletype() of the scripts returns them. */
enum {
    LVL_GRAAL_TYPE_NONE = 0,
    LVL_GRAAL_TYPE_HURT = 2,
    LVL_GRAAL_TYPE_CHAIR = 3,
    LVL_GRAAL_TYPE_BED_TOP = 4,
    LVL_GRAAL_TYPE_BED = 5,
    LVL_GRAAL_TYPE_SWAMP = 6,
    LVL_GRAAL_TYPE_LAVA_SWAMP = 7,
    LVL_GRAAL_TYPE_NEAR_WATER = 8,
    LVL_GRAAL_TYPE_SHALLOW = 9,
    LVL_GRAAL_TYPE_WATER = 11,
    LVL_GRAAL_TYPE_LAVA = 12,
    LVL_GRAAL_TYPE_THROW = 20, /* thrown objects fly over it */
    LVL_GRAAL_TYPE_JUMP = 21,
    LVL_GRAAL_TYPE_BLOCK = 22
};

/* The position of a tile in a tileset, in tiles: blocks of 16 columns and 32 rows are side by side. */
static inline uint32_t lvl_graal_tile_column(uint32_t tile)
{
    return tile / 512 * 16 + tile % 16;
}
static inline uint32_t lvl_graal_tile_row(uint32_t tile)
{
    return tile / 16 % 32;
}
/* The type of a tile; 0 beyond the tileset. */
unsigned lvl_graal_tile_type(lvl_graal_rules rules, uint32_t tile);
/* What a type means to a player who walks there. */
lvl_tile_class lvl_graal_type_class(unsigned type);
/* The classes of all types, 1 << LVL_LOOK_… each. */
unsigned lvl_graal_classes(void);
/* The average colour of a tile in the classic tilesets; black beyond the tileset. */
void lvl_graal_tile_colour(uint32_t tile, uint8_t rgb[3]);

#endif
