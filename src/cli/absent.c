/*
 * cli/absent.c: stands in for rooms of the library that aren't built yet, so that the verbs which need none of them work already. Each block goes
 * when its room comes; what is asked of it until then is answered with LVL_ERR_UNSUPPORTED.
 */
#include "cli/cli.h"

/* ---- tools: descriptions ------------------------------------------------------------------------------- */

lvl_status lvl_findings_reference(const lvl_format *format, bool json, lvl_buffer *out)
{
    (void)format, (void)json, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_reference(const lvl_format *format, lvl_buffer *out)
{
    (void)format, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_schema(const lvl_format *format, lvl_buffer *out)
{
    (void)format, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
