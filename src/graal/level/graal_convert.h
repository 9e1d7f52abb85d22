/*
 * graal/level/graal_convert.h: shared by the files of conversion.
 */
#ifndef LVL_GRAAL_CONVERT_H
#define LVL_GRAAL_CONVERT_H

#include "graal/level/graal_level.h"

enum { LVL_GRAAL_LISTS = 6 }; /* links, baddies, NPCs, chests, signs, tilesets */

typedef struct lvl_graal_converter {
    const lvl_doc *from_doc;
    const lvl_graal *from;
    lvl_doc *to_doc;
    lvl_graal *to;
    lvl_findings *losses;
    /* for each list of the new level: the index of each item in the old level */
    uint32_t *origins[LVL_GRAAL_LISTS];
    lvl_status status;
} lvl_graal_converter;

/* graal_convert_items.c */
/* Allocates in the new document; sets c->status if out of memory. */
void *lvl_graal_convert_alloc(lvl_graal_converter *c, size_t count, size_t size);
/* Converts everything except tiles and heights. */
void lvl_graal_convert_items(lvl_graal_converter *c);
/* The field of list `list` in the root's table. */
const lvl_field *lvl_graal_list_field(unsigned list);

static inline bool lvl_graal_is_text(const lvl_graal *level)
{
    return level->version == LVL_GLEVNW01;
}

#endif
