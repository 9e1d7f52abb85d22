/*
 * graal/graal_loss.c: what the files of conversion share: losses, and memory of the new level.
 */
#include "graal/graal_convert.h"
#include "graal/graal_findings.h"

#include <stdarg.h>

void lvl_graal_report_loss(const lvl_graal_converter *c, int what, const lvl_where *where, const char *fmt,
                           ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(c->losses, &lvl_graal_findings[what], where, NULL, fmt, args);
    va_end(args);
}

void *lvl_graal_room(lvl_graal_converter *c, size_t count, size_t size)
{
    void *p = lvl_arena_array(&c->to_doc->arena, count, size);

    if (!p)
        c->status = LVL_ERR_MEMORY;
    return p;
}

lvl_text lvl_graal_keep(lvl_graal_converter *c, lvl_text text)
{
    lvl_text copy = {NULL, 0};

    if (!text.len)
        return copy;
    copy.ptr = lvl_arena_copy(&c->to_doc->arena, text.ptr, text.len);
    if (!copy.ptr)
        c->status = LVL_ERR_MEMORY;
    copy.len = copy.ptr ? text.len : 0;
    return copy;
}

static bool has_text(lvl_text lines)
{
    for (size_t i = 0; i < lines.len; i++) {
        if (lines.ptr[i] != ' ' && lines.ptr[i] != '\t' && lines.ptr[i] != '\r' && lines.ptr[i] != '\n')
            return true;
    }
    return false;
}

void lvl_graal_lose_unknown_lines(lvl_graal_converter *c, lvl_text lines, const lvl_where *where)
{
    if (has_text(lines))
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_SPELLING, where, "%llu bytes of its own",
                              (unsigned long long)lines.len);
}
