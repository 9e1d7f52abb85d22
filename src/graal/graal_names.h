/*
 * graal/graal_names.h: names of versions, baddies and items, as the tables show them and text levels write
 * them.
 */
#ifndef LVL_GRAAL_NAMES_H
#define LVL_GRAAL_NAMES_H

#include <lvl/graal.h>

extern const lvl_name lvl_graal_version_names[];
extern const lvl_name lvl_graal_baddy_names[];
extern const lvl_name lvl_graal_item_names[];

#endif
