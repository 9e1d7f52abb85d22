/*
 * wap32/wwd/art.h: finds the pictures of a WWD: maps its image set names to folders of the art search path,
 * by the header's prefix and image_set pairs, the base level in its name, and a custom folder beside the
 * level.
 */
#ifndef LVL_WWD_ART_H
#define LVL_WWD_ART_H

#include "scene/art.h"

#include <lvl/scene.h>
#include <lvl/wwd.h>

enum { LVL_WWD_ART_PLACES = 16, LVL_WWD_ART_PATHS = 8 };

/* A prefix of image set names and its folder. */
typedef struct lvl_wwd_place {
    char prefix[40]; /* upper case, without the '_' after it */
    char folder[200]; /* "LEVEL1/IMAGES" */
} lvl_wwd_place;

/* Paths in the art, in the order to search. */
typedef struct lvl_wwd_paths {
    char items[LVL_WWD_ART_PATHS][200];
    uint32_t count;
} lvl_wwd_paths;

typedef struct lvl_wwd_art {
    const lvl_art *art;
    unsigned base_level; /* first number in the level's name, 0 if it has none */
    lvl_wwd_place places[LVL_WWD_ART_PLACES];
    uint32_t place_count;
    lvl_wwd_paths tiles; /* folders of tile sets */
    lvl_wwd_paths palettes; /* files */
} lvl_wwd_art;

/* Uses only the header. `art` may be NULL: then nothing is found. */
void lvl_wwd_art_init(lvl_wwd_art *out, const lvl_wwd *wwd, const lvl_art *art);
/* Sets *rest to the name without the prefix and '_'; false if the name does not begin with these. */
bool lvl_wwd_without_prefix(lvl_text name, const char *prefix, lvl_text *rest);
/* Whether the art has any tiles for this level; `own` false: only the game's. Without these, missing pictures
 * are not the level's fault. */
bool lvl_wwd_art_has_tiles(const lvl_wwd_art *wa, bool own);
/* Whether an image set that is not found is a fault of the level: the art has the folder of its prefix, or
 * that folder comes with the level and the art has the game's tiles. */
bool lvl_wwd_art_covers(const lvl_wwd_art *wa, lvl_text image_set);
/* The images of an object's image set ("LEVEL_OFFICER", "ACTION"), or NULL. */
const lvl_art_set *lvl_wwd_art_images(const lvl_wwd_art *wa, lvl_text image_set);
/* The tiles of a plane's image set ("ACTION"), or NULL. */
const lvl_art_set *lvl_wwd_art_tiles(const lvl_wwd_art *wa, lvl_text image_set);
/* Cells of a plane that name a picture which isn't in its tile sets. */
typedef struct lvl_wwd_missing {
    uint64_t cells;
    uint32_t numbers; /* different tile numbers */
    uint32_t first, x, y; /* the first number, and its cell */
    uint64_t elsewhere; /* besides: cells of other sets than the first one */
} lvl_wwd_missing;
/* `sets` (NULL: not in the art) are the plane's tile sets, by the high word of a cell. */
lvl_wwd_missing lvl_wwd_art_missing(const lvl_wwd_plane *plane, const lvl_art_set *const *sets,
                                    uint32_t count);
/* The level's palette, or NULL. */
const lvl_palette *lvl_wwd_art_palette(const lvl_wwd_art *wa);
#endif
