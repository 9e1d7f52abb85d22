/*
 * graal/graal_kept.c: spelling of either form: how much of it there is, and letting go of it.
 */
#include "graal/graal_level.h"

uint64_t lvl_graal_kept(const lvl_doc *doc)
{
    (void)doc;
    return 0;
}

void lvl_graal_forget(lvl_doc *doc)
{
    (void)doc;
}
