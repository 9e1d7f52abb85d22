/*
 * graal/level/graal_names.h: names of versions, baddies and items, as in the tables and in text levels.
 */
#ifndef LVL_GRAAL_NAMES_H
#define LVL_GRAAL_NAMES_H

#include <lvl/graal.h>

extern const lvl_name lvl_graal_version_names[];
extern const lvl_name lvl_graal_baddy_names[];
extern const lvl_name lvl_graal_item_names[];

/* "GR-V1.03", in static storage; NULL: no such version. */
const char *lvl_graal_version_name(unsigned version);
/* "redsoldier", or "type 12" if it has no name; NUL-ended in buf. */
const char *lvl_graal_baddy_text(int32_t type, char *buf, size_t size);
const char *lvl_graal_item_text(int32_t item, char *buf, size_t size);
/* Number of tiles that a version's tile block can name (1024, 2048, 4096). */
unsigned lvl_graal_tile_count(unsigned version);
/* The highest value of `count` cells of two bytes; 0 for none. */
unsigned lvl_graal_highest_tile(const uint8_t *cells, size_t count);

#endif
