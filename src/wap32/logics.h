/*
 * wap32/logics.h: the logics of objects: the names that the games register, their kinds, and the meaning of
 * an object's numbers for them. Constant; for any thread.
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
    LVL_WWD_KIND_EXIT, /* ends the level */
    LVL_WWD_KIND_SCENERY,
    LVL_WWD_KIND_PUZZLE,
    LVL_WWD_KIND_UNIT,
    LVL_WWD_KIND_SCRIPT,
    LVL_WWD_KIND_ENGINE, /* created by the game while it runs */
    LVL_WWD_KIND_COUNT
} lvl_wwd_kind;

/* What min_x, min_y, max_x, max_y mean. */
typedef enum lvl_wwd_range {
    LVL_WWD_RANGE_NONE,
    LVL_WWD_RANGE_PATROL, /* the object walks between them */
    LVL_WWD_RANGE_TRAVEL, /* a platform moves between them */
    LVL_WWD_RANGE_AREA /* the area in which it is active */
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
/* The logic of that name (case-sensitive), or NULL. */
const lvl_wwd_logic *lvl_wwd_logic_find(lvl_text name);
/* The logic that objects of an image set ("LEVEL_OFFICER") usually have in levels of these games; empty: none
 * is usual, as for scenery. */
lvl_text lvl_wwd_usual_logic(lvl_text image_set, unsigned games);
/* The logic of these games with the most similar name, for "did you mean"; NULL if none is similar enough. */
const lvl_wwd_logic *lvl_wwd_logic_near(lvl_text name, unsigned games);
/* The kind of an object: its logic's, except that a pickup that is drawn as a warp is a warp. */
lvl_wwd_kind lvl_wwd_kind_of(const lvl_wwd_object *object);
/* The same with the object's logic, or NULL if it has no known one. */
lvl_wwd_kind lvl_wwd_kind_with(const lvl_wwd_logic *logic, const lvl_wwd_object *object);

#endif
