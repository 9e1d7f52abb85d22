/*
 * graal/graal_read.c: reads binary levels.
 */
#include "graal/graal_level.h"

int lvl_graal_probe(const lvl_probe_input *in)
{
    (void)in;
    return 0;
}

lvl_status lvl_graal_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    (void)doc, (void)sink, (void)findings;
    return LVL_ERR_UNSUPPORTED;
}
