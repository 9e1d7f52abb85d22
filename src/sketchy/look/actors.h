/*
 * sketchy/look/actors.h: the actors of a level in its scene, and arrows between linked ones.
 */
#ifndef LVL_SKETCHY_ACTORS_H
#define LVL_SKETCHY_ACTORS_H

#include "sketchy/chunks/paint.h"

/* Makes the scene's things, later ones on top, and its links. origin: the world px of the scene's 0, 0. `art`
 * may be NULL. `shot` gets for each thing the width of the square of its doodad that the game's screenshots
 * show; 0: nothing. */
lvl_status lvl_sketchy_actors(lvl_scene *scene, const lvl_doc *doc, const lvl_art *art, int64_t origin_x,
                              int64_t origin_y, const uint32_t **shot);
/* Cuts doodads of several chunks to the first, as the game's screenshots do, or shows them whole again. */
void lvl_sketchy_actors_cut(const lvl_scene *scene, const uint32_t *shot, bool cut);

/* Limits a coordinate of a file, so that sums do not overflow; the limits are far outside of any picture. */
int64_t lvl_sketchy_sanitize(int64_t v);
int32_t lvl_sketchy_clamp(int64_t v);

#endif
