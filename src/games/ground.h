/*
 * games/ground.h: where a player can walk in a level, and what leads out of it: lvl_format_calls.ground.
 */
#ifndef LVL_GAMES_GROUND_H
#define LVL_GAMES_GROUND_H

#include "base/arena.h"
#include "base/record.h"

/* A coordinate of an arrival. */
typedef enum lvl_ground_axis {
    LVL_AXIS_NUMBER, /* of the cell that the player stands on */
    LVL_AXIS_KEPT, /* where the way was taken, plus the number */
    LVL_AXIS_ANY /* not known */
} lvl_ground_axis;

/* A way to another level. */
typedef struct lvl_ground_way {
    lvl_text to; /* file name, in the document's code page */
    double left, top, right, bottom; /* where the player stands to take it, in cells; inclusive */
    bool anywhere; /* a script takes the player; it may do so anywhere */
    lvl_ground_axis x_axis, y_axis;
    double x, y;
    lvl_where where;
    const lvl_finding_def *unreached; /* NULL: not reported */
} lvl_ground_way;

/* Something that a player reaches by standing near it. */
typedef struct lvl_ground_thing {
    int32_t left, top, right, bottom; /* cells where the player may stand; inclusive */
    lvl_where where;
    const lvl_finding_def *unreached;
} lvl_ground_thing;

/* Its memory is an arena's; texts are the document's. */
typedef struct lvl_ground {
    uint32_t width, height;
    uint8_t *blocked; /* by rows: 1: a player cannot stand on the cell */
    bool open; /* scripts change what blocks, so nothing counts as blocked */
    lvl_ground_way *ways;
    lvl_ground_thing *things;
    uint32_t way_count, thing_count;
    const lvl_finding_def *unreached; /* the level itself */
} lvl_ground;

#endif
