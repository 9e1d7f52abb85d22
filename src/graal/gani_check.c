/*
 * graal/gani_check.c: rules of animations.
 */
#include "graal/gani_format.h"

#include "graal/gani_findings.h"

lvl_status lvl_gani_check(const lvl_doc *doc, const lvl_check_request *request)
{
    (void)doc, (void)request;
    return LVL_OK;
}

lvl_status lvl_gani_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    (void)doc, (void)repairs;
    return LVL_OK;
}

lvl_status lvl_gani_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    (void)doc, (void)info, (void)art;
    return LVL_OK;
}
