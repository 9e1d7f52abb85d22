/*
 * graal/world_check.c: what can be said of a world map when its levels can be looked at.
 */
#include "graal/world.h"

lvl_status lvl_world_check(const lvl_doc *doc, const lvl_check_request *request)
{
    (void)doc, (void)request;
    return LVL_OK;
}

lvl_status lvl_world_mend_names(lvl_doc *doc, lvl_repairs *repairs)
{
    (void)doc, (void)repairs;
    return LVL_OK;
}
