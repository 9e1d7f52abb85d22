/*
 * base/limits.c: the limits of a context, and the findings that name the one that was exceeded.
 */
#include "base/format.h"

#include <stdio.h>

lvl_limits lvl_limits_of(const lvl_ctx *ctx)
{
    lvl_limits of = ctx ? ctx->limits : (lvl_limits){0};

    of.input_bytes = of.input_bytes ? of.input_bytes : (uint64_t)1 << 30;
    of.memory_bytes = of.memory_bytes ? of.memory_bytes : (uint64_t)768 << 20;
    of.cells = of.cells ? of.cells : (uint64_t)1 << 28;
    of.items = of.items ? of.items : (uint64_t)1 << 24;
    of.depth = of.depth ? of.depth : 64;
    of.inflate_ratio = of.inflate_ratio ? of.inflate_ratio : 1032;
    of.findings = of.findings ? of.findings : 10000;
    of.work = of.work ? of.work : (uint64_t)1 << 31;
    return of;
}

size_t lvl_memory_share(const lvl_ctx *ctx)
{
    const uint64_t share = lvl_limits_of(ctx).memory_bytes / 6;

    return share < SIZE_MAX ? (size_t)share : SIZE_MAX;
}

#define LIMIT(text) text, {LVL_FATAL, LVL_FATAL, LVL_FATAL}, NULL

const lvl_finding_def lvl_doc_limits[LVL_DOC_LIMITS] = {
    {"lvl.limit.input",
     LIMIT("The file is larger than one input may be; --limit input_bytes=N raises that.")},
    {"lvl.limit.memory",
     LIMIT("What the file holds, or what is made of it, would take more memory than allowed; "
           "--limit memory_bytes=N raises that.")},
    {"lvl.limit.cells", LIMIT("A grid or picture has more cells than allowed; --limit cells=N raises that.")},
    {"lvl.limit.items", LIMIT("A list has more items than allowed; --limit items=N raises that.")},
    {"lvl.limit.depth",
     LIMIT("What the file holds is nested more deeply than allowed; --limit depth=N raises that.")},
    {"lvl.limit.work", LIMIT("The operation takes more steps than allowed: no real file comes near that. "
                             "--limit work=N raises it.")},
    {"lvl.limit.fixed",
     LIMIT("The result does not fit: the format of the file or picture, or lvl itself, has "
           "no room for so much, and no option raises that. Split it, or draw a part.")},
};

void lvl_usage_report(const lvl_usage *usage, const lvl_ctx *ctx, lvl_findings *findings)
{
    lvl_usage_report_at(usage, ctx, NULL, findings);
}

void lvl_usage_report_at(const lvl_usage *usage, const lvl_ctx *ctx, const lvl_where *where,
                         lvl_findings *findings)
{
    static const struct {
        const char *name, *unit;
    } names[LVL_LIMIT_FIXED - 1] = {{"input_bytes", "bytes"}, {"memory_bytes", "bytes of memory"},
                                    {"cells", "cells"},       {"items", "items"},
                                    {"depth", "levels"},      {"work", "steps"}};
    const lvl_limits limits = lvl_limits_of(ctx);
    const uint64_t values[LVL_LIMIT_FIXED - 1] = {limits.input_bytes, limits.memory_bytes, limits.cells,
                                                  limits.items,       limits.depth,        limits.work};

    if (!usage || usage->limit == LVL_LIMIT_NONE)
        return;
    const size_t i = (size_t)usage->limit - 1;
    const bool fixed = usage->limit == LVL_LIMIT_FIXED;
    const char *unit = fixed ? usage->what : names[i].unit;
    const unsigned long long allowed = usage->allowed, wanted = usage->wanted;
    char raise[80] = "";
    if (!fixed)
        snprintf(raise, sizeof raise, "; --limit %s=N raises that (now %llu)", names[i].name,
                 (unsigned long long)values[i]);
    if (wanted)
        lvl_findings_add(findings, &lvl_doc_limits[i], where, NULL, "it needs %llu %s, but %llu are %s%s",
                         wanted, unit, allowed, fixed ? "the most that fit" : "allowed", raise);
    else
        lvl_findings_add(findings, &lvl_doc_limits[i], where, NULL, "it needs more than the %llu %s %s%s",
                         allowed, unit, fixed ? "that fit" : "allowed", raise);
}
