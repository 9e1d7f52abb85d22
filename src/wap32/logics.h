/*
 * wap32/logics.h: what the logics of objects are: the names that the games register, their kinds, and what
 * they make of an object's numbers. Constant; any thread.
 */
#ifndef LVL_WWD_LOGICS_H
#define LVL_WWD_LOGICS_H

#include <lvl/wwd.h>

typedef enum lvl_wwd_kind {
    LVL_WWD_KIND_UNKNOWN,
    LVL_WWD_KIND_ENEMY,
    LVL_WWD_KIND_BOSS,
    LVL_WWD_KIND_PICKUP,
    LVL_WWD_KIND_CONTAINER,
    LVL_WWD_KIND_PLATFORM,
    LVL_WWD_KIND_HAZARD,
    LVL_WWD_KIND_WARP,
    LVL_WWD_KIND_SOUND,
    LVL_WWD_KIND_CHECKPOINT,
    LVL_WWD_KIND_SCENERY,
    LVL_WWD_KIND_PUZZLE,
    LVL_WWD_KIND_UNIT,
    LVL_WWD_KIND_SCRIPT,
    LVL_WWD_KIND_ENGINE, /* made by the game while it runs */
    LVL_WWD_KIND_COUNT
} lvl_wwd_kind;

/* What min_x, min_y, max_x, max_y mean. */
typedef enum lvl_wwd_range {
    LVL_WWD_RANGE_NONE,
    LVL_WWD_RANGE_PATROL, /* where it walks to and fro */
    LVL_WWD_RANGE_TRAVEL, /* between which a platform moves */
    LVL_WWD_RANGE_AREA    /* the area it works in */
} lvl_wwd_range;

enum { LVL_WWD_IN_CLAW = 1, LVL_WWD_IN_GRUNTZ = 2 };

typedef struct lvl_wwd_logic {
    const char *name;
    unsigned games; /* LVL_WWD_IN_… */
    lvl_wwd_kind kind;
    lvl_wwd_range range;
} lvl_wwd_logic;

/* All of them, sorted by name. */
const lvl_wwd_logic *lvl_wwd_logics(size_t *count);
/* The logic of that very name (case counts), or NULL. */
const lvl_wwd_logic *lvl_wwd_logic_find(lvl_text name);
/* The logic whose name is most like it, for "did you mean"; NULL if none is like it enough. `games`: of these
 * games only. */
const lvl_wwd_logic *lvl_wwd_logic_near(lvl_text name, unsigned games);
/* The kind of an object: its logic's, but a power-up that is drawn as a warp is a warp, and one drawn as a
 * treasure a pickup. */
lvl_wwd_kind lvl_wwd_kind_of(const lvl_wwd_object *object);
/* The same for who has looked the logic up already; NULL: it is none. */
lvl_wwd_kind lvl_wwd_kind_with(const lvl_wwd_logic *logic, const lvl_wwd_object *object);

#endif
