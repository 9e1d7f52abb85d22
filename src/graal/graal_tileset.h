/*
 * graal/graal_tileset.h: which picture a level's tiles are cut from, and what they then stand for. One
 * lvl_graal_sheets serves any number of levels of one scene (a world): what they share is made once.
 *
 * A level's sheet is, the first that is found on the art path: of the definitions whose beginning of a
 * level's name fits, the longest one's (of equals the first; those in the level's own scripts go before those
 * in tiledefs*.txt); the picture of a TILESET or TILESETIMAGE line; a picture that was itself named as art;
 * pics1.png or pics1.gif. What addtiledef2 pastes goes on it in order, and setbackpal changes its palette.
 */
#ifndef LVL_GRAAL_TILESET_H
#define LVL_GRAAL_TILESET_H

#include "graal/graal_types.h"

#include <lvl/graal.h>
#include <lvl/scene.h>

typedef struct lvl_graal_sheets lvl_graal_sheets;

typedef struct lvl_graal_sheet {
    const lvl_image *image; /* with tiles of 16 px, or NULL: none was found */
    lvl_graal_rules rules;
} lvl_graal_sheet;

/* For the levels of a scene, in its memory. `art` may be NULL. The art must not change to another level while
 * they are used. */
lvl_status lvl_graal_sheets_new(lvl_graal_sheets **out, lvl_scene *scene, const lvl_art *art);
/* The sheet of one level, whose file name is `name` (empty: not known; a folder before it doesn't count). It
 * lives as long as the scene and doesn't borrow from the level. */
lvl_status lvl_graal_sheet_of(lvl_graal_sheets *sheets, const lvl_graal *level, lvl_text name,
                              const lvl_graal_sheet **out);
/* What a cell's value stands for; fills all of *out. `above`: in a layer above the board, where 4095 is
 * nothing too. A tile beyond a narrow sheet has no picture. */
void lvl_graal_sheet_tile(const lvl_graal_sheet *sheet, uint32_t value, bool above, lvl_scene_tile *out);
/* Whether a tile lies on the sheet. */
bool lvl_graal_sheet_has(const lvl_graal_sheet *sheet, uint32_t value);

#endif
