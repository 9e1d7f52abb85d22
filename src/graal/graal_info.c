/*
 * graal/graal_info.c: a short account of a level.
 */
#include "graal/graal_level.h"

lvl_status lvl_graal_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    (void)doc, (void)info, (void)art;
    return LVL_OK;
}
