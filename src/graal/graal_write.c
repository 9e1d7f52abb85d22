/*
 * graal/graal_write.c: writes binary levels.
 */
#include "graal/graal_level.h"

lvl_status lvl_graal_write(const lvl_doc *doc, lvl_buffer *out)
{
    (void)doc, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
