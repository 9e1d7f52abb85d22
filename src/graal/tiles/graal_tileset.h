/*
 * graal/tiles/graal_tileset.h: the tile sheet of a level. One lvl_graal_sheets serves all levels of a scene
 * (a world): equal sheets are made once.
 *
 * The sheet is the first of these that is found on the art path: the picture of a definition for levels whose
 * name has a given beginning (the longest beginning; of equals the first; definitions in scripts of the level
 * before those in tiledefs*.txt); the picture of a TILESET or TILESETIMAGE line; a picture that the user gave
 * as art; pics1.png or pics1.gif. addtiledef2 pastes pictures into it, in order, and setbackpal replaces its
 * palette.
 */
#ifndef LVL_GRAAL_TILESET_H
#define LVL_GRAAL_TILESET_H

#include "graal/tiles/graal_types.h"

#include <lvl/graal.h>
#include <lvl/scene.h>

typedef struct lvl_graal_sheets lvl_graal_sheets;

typedef struct lvl_graal_sheet {
    const lvl_image *image; /* with tiles of 16 px; NULL: not found */
    lvl_graal_rules rules;
} lvl_graal_sheet;

/* Sheets for the levels of a scene, in its memory. `art` may be NULL. The art must not be switched to another
 * level while they are used. */
lvl_status lvl_graal_sheets_new(lvl_graal_sheets **out, lvl_scene *scene, const lvl_art *art);
/* The sheet for a level with that file name (empty: unknown; folders are ignored). It lives as long as the
 * scene and does not borrow from the level. */
lvl_status lvl_graal_sheet_of(lvl_graal_sheets *sheets, const lvl_graal *level, lvl_text name,
                              const lvl_graal_sheet **out);
/* Fills *out for the value of a cell. `above`: in a layer above the board, where 4095 is empty, too. A tile
 * beyond a narrow sheet has no picture. */
void lvl_graal_sheet_tile(const lvl_graal_sheet *sheet, uint32_t value, bool above, lvl_scene_tile *out);
/* Whether a tile is inside the sheet. */
bool lvl_graal_sheet_has(const lvl_graal_sheet *sheet, uint32_t value);

#endif
