/*
 * graal/nw_write.c: writes text levels.
 */
#include "graal/graal_level.h"

lvl_status lvl_nw_write(const lvl_doc *doc, lvl_buffer *out)
{
    (void)doc, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
