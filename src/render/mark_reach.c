/*
 * render/mark_reach.c: how far the sign of a thing without a picture reaches.
 */
#include "render/plan.h"

int64_t lvl_mark_reach(const lvl_plan *plan, const lvl_scene_thing *thing)
{
    const lvl_scene *scene = plan->scene;
    const uint32_t cell = plan->main < scene->layer_count ? scene->layers[plan->main].cell_width : 64;
    int64_t reach = cell < 48 ? 9 : 14;

    if (thing->kind == LVL_THING_BOSS || thing->kind == LVL_THING_START)
        reach = reach * 3 / 2;
    else if (thing->kind == LVL_THING_TREASURE)
        reach = reach * 2 / 3;
    const int64_t least = ((int64_t)plan->pen * 2) << plan->shift;
    return reach > least ? reach : least;
}
