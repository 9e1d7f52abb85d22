/*
 * base/limits.c: the findings for limits that were exceeded.
 */
#include "base/format.h"

#include <stdio.h>

#define FINDING_INDEX(name) (LVL_LIMIT_##name - 1)
#include "base/finding_rows.h"

/* clang-format off */
const lvl_finding_def lvl_doc_limits[LVL_DOC_LIMITS] = {
    FINDING(INPUT, "lvl.limit.input", F, F, F,
        "The file is larger than allowed; --limit input_bytes=N raises the limit.")
    FINDING(MEMORY, "lvl.limit.memory", F, F, F,
        "The content of the file, or the result, would need more memory than allowed; "
        "--limit memory_bytes=N raises the limit.")
    FINDING(CELLS, "lvl.limit.cells", F, F, F,
        "A grid or picture has more cells than allowed; --limit cells=N raises the limit.")
    FINDING(ITEMS, "lvl.limit.items", F, F, F,
        "A list has more items than allowed; --limit items=N raises the limit.")
    FINDING(DEPTH, "lvl.limit.depth", F, F, F,
        "The content of the file is nested more deeply than allowed; --limit depth=N raises the limit.")
    FINDING(WORK, "lvl.limit.work", F, F, F,
        "The operation would take more steps than allowed, far more than for any real file; "
        "--limit work=N raises the limit.")
    FINDING(FIXED, "lvl.limit.fixed", F, F, F,
        "The result is too large for the format of the file or picture, or for lvl itself, and no option "
        "raises the limit. Split it, or draw a part.")
};
/* clang-format on */

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
        snprintf(raise, sizeof raise, "; --limit %s=N raises that (now %llu)",
                 usage->what ? usage->what : names[i].name,
                 (unsigned long long)(usage->what ? limits.inflate_ratio : values[i]));
    if (wanted)
        lvl_findings_add(findings, &lvl_doc_limits[i], where, NULL, "it needs %llu %s, but %llu are %s%s",
                         wanted, unit, allowed, fixed ? "the most that fit" : "allowed", raise);
    else
        lvl_findings_add(findings, &lvl_doc_limits[i], where, NULL, "it needs more than the %llu %s %s%s",
                         allowed, unit, fixed ? "that fit" : "allowed", raise);
}
