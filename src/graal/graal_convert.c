/*
 * graal/graal_convert.c: from any form of a level to any other, with each loss named.
 */
#include "graal/graal_level.h"

const lvl_form lvl_graal_forms[] = {
    {NULL, NULL, NULL, NULL, 0},
};

lvl_status lvl_graal_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses)
{
    (void)from, (void)form, (void)to, (void)losses;
    return LVL_ERR_UNSUPPORTED;
}
