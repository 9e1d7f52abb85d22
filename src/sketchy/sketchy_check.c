/*
 * sketchy/sketchy_check.c: the rules of drawings, beyond what the reader sees. "Game" is the last release, 0.14.0; where the newest source (HEAD) behaves
 * otherwise, the texts say so.
 */
#include "sketchy/sketchy_check.h"

#include <stdarg.h>

void lvl_sketchy_say(lvl_findings *findings, unsigned what, const lvl_where *where, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(findings, &lvl_sketchy_findings[what], where, NULL, fmt, args);
    va_end(args);
}

lvl_where lvl_sketchy_item(size_t list, uint32_t index)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_sketchy_table, list), index);
}

lvl_where lvl_sketchy_at(size_t member)
{
    return lvl_sketchy_item(member, LVL_NO_INDEX);
}

lvl_where lvl_sketchy_chunk_at(uint32_t layer, uint32_t chunk)
{
    return lvl_where_to(lvl_sketchy_item(offsetof(lvl_sketchy, layers), layer),
                        lvl_table_at(&lvl_sketchy_layer_table, offsetof(lvl_sketchy_layer, chunks)), chunk);
}

lvl_status lvl_sketchy_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_sketchy_checker c = {doc, doc->root, request->findings, request->art};

    switch (c.d->generation) {
    case LVL_SKETCHY_V1:
    case LVL_SKETCHY_V2:
        lvl_sketchy_say(c.findings, LVL_SKETCHY_F_HEAD, NULL,
                        "%s: the newest source hangs when it saves this",
                        lvl_sketchy_generation_name(c.d->generation));
        break;
    case LVL_SKETCHY_V3:
        lvl_sketchy_say(c.findings, LVL_SKETCHY_F_HEAD, NULL, "v3: the newest source shows it as blank");
        break;
    case LVL_SKETCHY_V4:
        lvl_sketchy_say(c.findings, LVL_SKETCHY_F_RELEASE, NULL, "v4: 0.14.0 shows it as blank");
        break;
    default: break;
    }
    const lvl_status status = lvl_sketchy_check_parts(&c);
    return status == LVL_OK ? lvl_sketchy_check_chunks(&c) : status;
}
