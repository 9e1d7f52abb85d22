/*
 * sketchy/repair/names.h: repairs names of members that hide another member, that lead out of a
 * folder, or that the game takes for a chunk's.
 */
#ifndef LVL_SKETCHY_REPAIR_NAMES_H
#define LVL_SKETCHY_REPAIR_NAMES_H

#include "sketchy/repair/parts.h"

/* Renames such members: afterwards no name occurs twice, and no content is lost. */
lvl_status lvl_repair_names(lvl_repairing *m);

#endif
