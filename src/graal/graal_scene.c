/*
 * graal/graal_scene.c: what a level looks like.
 */
#include "graal/graal_level.h"

lvl_status lvl_graal_scene(const lvl_doc *doc, const struct lvl_scene_request *request,
                           struct lvl_scene **out)
{
    (void)doc, (void)request, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
