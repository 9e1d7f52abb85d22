/*
 * graal/level/graal_links.h: where links of levels lead.
 */
#ifndef LVL_GRAAL_LINKS_H
#define LVL_GRAAL_LINKS_H

#include "base/format.h"

#include <lvl/graal.h>
#include <lvl/scene.h>

/* Offsets of the two destinations in a link: x, y. */
enum { LVL_GRAAL_AXES = 2 };
extern const size_t lvl_graal_link_dests[LVL_GRAAL_AXES];

typedef enum lvl_graal_dest {
    LVL_DEST_NUMBER, /* the number is in *value */
    LVL_DEST_EXPRESSION, /* of numbers, playerx, playery, + - * / and parentheses */
    LVL_DEST_BROKEN
} lvl_graal_dest;

lvl_graal_dest lvl_graal_dest_kind(lvl_text dest, double *value);
/* The corner of the player at the destination, in tiles. A coordinate that is -1 or not a number is that of a
 * player in the middle of the link's rectangle. Returns whether both are numbers. */
bool lvl_graal_link_target(const lvl_graal_link *link, double *x, double *y);
/* The edge over which a link leads to the opposite edge of another level; LVL_WAY_DOOR: another kind of
 * link. */
lvl_link_kind lvl_graal_link_kind_of(const lvl_graal_link *link);

/* lvl_format_calls.links for levels. */
lvl_status lvl_graal_links(const lvl_doc *doc,
                           lvl_status (*visit)(void *user, const struct lvl_doc_link *link), void *user);

#endif
