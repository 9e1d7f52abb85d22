/*
 * sketchy/sketchy_actors.h: the actors of a level in its picture: which doodad's, in which order, how much of
 * it, and the arrows between those that are wired.
 */
#ifndef LVL_SKETCHY_ACTORS_H
#define LVL_SKETCHY_ACTORS_H

#include "sketchy/paint.h"

/* Makes the scene's things, later ones on top, and its links. origin: the world px of the scene's 0, 0.
 * `art` may be NULL. `shot` gets for each thing the px of a side that the game's screenshots show of its
 * doodad from its corner on; 0: nothing. */
lvl_status lvl_sketchy_actors(lvl_scene *scene, const lvl_doc *doc, const lvl_art *art, int64_t origin_x,
                              int64_t origin_y, const uint32_t **shot);
/* Cuts doodads of several chunks to the first, as the game's screenshots do, or shows them whole again. */
void lvl_sketchy_actors_cut(const lvl_scene *scene, const uint32_t *shot, bool cut);

/* A place that files may put anywhere, near enough to be reckoned with and far beyond any picture. */
int64_t lvl_sketchy_sanitize(int64_t v);
int32_t lvl_sketchy_clamp(int64_t v);

#endif
