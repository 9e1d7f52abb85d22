/*
 * render/looks.h: how the main layer of a scene behaves, as a picture: a byte for each square, a
 * lvl_tile_class.
 */
#ifndef LVL_RENDER_LOOKS_H
#define LVL_RENDER_LOOKS_H

#include <lvl/scene.h>

/* The classes that its tiles may have, bits 1 << LVL_LOOK_…, and what the game calls one: "solid"; NULL for
 * what players just pass (schematic.c). */
unsigned lvl_looks_possible(const lvl_scene *scene);
const char *lvl_looks_name(const lvl_scene *scene, lvl_tile_class look);
/* The side of a square in px: of drawings a pixel; else a cell, or where cells are large and behave
 * differently in parts, 8 px. */
uint32_t lvl_looks_grid(const lvl_scene_layer *main);
/* Passes the classes at the centres of the squares of an area (px of the main layer, which there must be) to
 * `rows`, whose picture has one channel. LVL_ERR_ARG: the area is empty; LVL_ERR_LIMIT: it has more squares,
 * or needs more memory, than the context allows. */
lvl_status lvl_looks_draw(const lvl_scene *scene, const lvl_rect *area, lvl_rows *rows);

#endif
