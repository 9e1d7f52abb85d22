/*
 * tools/paths/objects.h: visits the objects of a level.
 */
#ifndef LVL_TOOLS_PATHS_OBJECTS_H
#define LVL_TOOLS_PATHS_OBJECTS_H

#include "base/format.h"
#include "base/map_layout.h"

/* `layer`: the one that the object is in; of an object of the root the main one, or NULL. Ends with the first
 * status other than LVL_OK. */
typedef lvl_status (*lvl_object_fn)(void *user, const lvl_map_objects *objects, void *layer,
                                    const lvl_where *where, void *item);

/* The index of the main layer. */
uint32_t lvl_main_layer(const lvl_doc *doc);
/* The objects of the list with that path; false: its items are none. */
bool lvl_map_objects_at(const lvl_doc *doc, const lvl_where *list, lvl_map_objects *out);
/* Visits each object, list by list. Charges the budget. */
lvl_status lvl_objects_visit(const lvl_doc *doc, lvl_object_fn visit, void *user);

#endif
