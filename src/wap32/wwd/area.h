/*
 * wap32/wwd/area.h: areas, paths and targets of objects by the game book, for their scene.
 */
#ifndef LVL_WAP32_WWD_AREA_H
#define LVL_WAP32_WWD_AREA_H

#include "scene/scene.h"
#include "wap32/wwd/book.h"

/* Sets the boxes of a thing. `logic` NULL: unknown. LVL_ERR_MEMORY. */
lvl_status lvl_wwd_area_boxes(lvl_scene *scene, const lvl_book *book, const lvl_wwd_object *object,
                              const lvl_book_thing *logic, lvl_scene_thing *thing);
/* Writes the arrows of an object (to its target, along its path, from the switches that it obeys) and returns
 * their number; `out` NULL: only counts them. */
uint32_t lvl_wwd_area_arrows(const lvl_book *book, const lvl_wwd_object *object, const lvl_book_thing *logic,
                             lvl_scene_link *out);

#endif
