/*
 * The Graal part of the samples: a small lake world with a tileset, sprites and animations of its own, levels of every version and style,
 * and damaged twins. Each graal_*.c adds its files to a list.
 */
#ifndef SAMPLES_GRAAL_GEN_H
#define SAMPLES_GRAAL_GEN_H

#include "files.h"
#include "gen.h"

#include <lvl/graal.h>

/* ---- pictures: graal_art.c, graal_people.c -------------------------------------------------------------------------------------- */

/* Indices in the sheet. Where the games' own tables say what a tile does, ours is drawn as that: these walk, those block, water swims. */
enum {
    T_GRASS = 511,
    T_FLOWER_RED = 231,
    T_FLOWER_YELLOW = 236,
    T_BLADES = 256, /* and 284 */
    T_CLOVER = 285,
    T_TREE = 9,  /* 4 by 4 */
    T_PINE = 13, /* 2 by 3 */
    T_BUSH = 2,  /* the next ones are 2 by 2; the games know bush, pot, rock, sign and chest by these */
    T_ROCK = 34,
    T_POT = 684,
    T_SIGN = 512,
    T_CHEST = 1784,
    T_CHEST_OPEN = 829,
    T_DOOR = 868,
    T_BED = 708,
    T_SHELF = 774,
    T_REEDS = 488,
    T_STUMP = 69, /* 1 tile, as the next ones */
    T_FENCE = 64,
    T_POST = 65,
    T_PLANKS = 557,
    T_FLOOR = 831,
    T_RUG = 762,
    T_WALL = 768,
    T_WALL_FOOT = 784,
    T_WALL_TOP = 770,
    T_CAVE = 800, /* rock that blocks */
    T_GRAVEL = 821,
    T_NOTHING = 4095 /* above the board */
};
/* The tile of a house, whose place in the sheet is in two pieces; 8 by 6. */
enum { HOUSE_WIDE = 8, HOUSE_HIGH = 6 };
unsigned graal_house_tile(int column, int row);
/* Paths and water by which of their neighbours are something else: 1 north, 2 east, 4 south, 8 west. */
unsigned graal_path_tile(unsigned mask);
unsigned graal_water_tile(unsigned mask);

void graal_add_tileset(file_list *list);
void graal_add_people(file_list *list);
/* The picture in a palette as PNG; index 0 is nothing. */
void graal_write_png(lvl_buffer *out, const canvas *picture, const uint8_t rgb[256][3]);
/* The world's palette by daylight, or under snow; its first five colours are those of a body's clothes. */
void graal_palette(uint8_t rgb[256][3], bool frost);

/* ---- documents: graal_levels.c ------------------------------------------------------------------------------------------------- */

/* Each ends the program with a line if it can't. */
lvl_doc *graal_doc(const char *format);
void graal_finish(lvl_doc *doc, lvl_buffer *out); /* writes and frees it */
void *graal_take(lvl_doc *doc, size_t count, size_t size);
/* Adds an item to the list at that member of the root, and gives it, cleared. */
void *graal_item(lvl_doc *doc, size_t member);

typedef struct board {
    uint16_t tile[LVL_GRAAL_SIDE][LVL_GRAAL_SIDE];
} board;

/* A new document of a version with these tiles as its board. */
lvl_doc *graal_level(lvl_graal_version version, const board *tiles);
void graal_layer(lvl_doc *doc, uint32_t number, const board *tiles);
void graal_link(lvl_doc *doc, const char *level, int x, int y, int w, int h, const char *dest_x,
                const char *dest_y);
void graal_npc(lvl_doc *doc, double x, double y, const char *image, const char *script);
void graal_sign(lvl_doc *doc, int x, int y, const char *text);
void graal_chest(lvl_doc *doc, int x, int y, int item, int sign);
void graal_baddy(lvl_doc *doc, int x, int y, int type, const char *attack, const char *hurt, const char *win);
/* A thing of w by h tiles, whose first is `first`, in rows of the sheet. */
void graal_put(board *b, unsigned first, int x, int y, int w, int h);
void graal_house(board *b, int x, int y);
/* Grass, paths and water, from letters: '.', ':' and '~'; what is beyond the edge is as the edge. */
void graal_ground(board *b, char (*at)(void *user, int x, int y), void *user);

void graal_add_lakeside(file_list *list);
void graal_add_versions(file_list *list);
void graal_add_damaged_levels(file_list *list);
void graal_add_animations(file_list *list);

/* All of the above. */
void graal_add(file_list *list);

#endif
