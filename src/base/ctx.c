/*
 * base/ctx.c: status texts, limits, names of profiles and code pages.
 */
#include "base/arena.h"
#include "base/findings.h"
#include "base/text.h"
#include "base/work.h"

#include <string.h>

const char *lvl_version(void)
{
    return LVL_VERSION;
}

const char *lvl_status_text(lvl_status status)
{
    switch (status) {
    case LVL_OK: return "no error";
    case LVL_ERR_MEMORY: return "out of memory";
    case LVL_ERR_LIMIT: return "a limit was reached (lvl_ctx.limits; lvl_ctx.usage has which)";
    case LVL_ERR_FORMAT: return "unreadable";
    case LVL_ERR_FOREIGN: return "unknown format";
    case LVL_ERR_IO: return "the operating system reported an error";
    case LVL_ERR_ARG: return "invalid argument";
    case LVL_ERR_LOSS: return "data would be lost";
    case LVL_ERR_MISSING: return "not found";
    case LVL_ERR_UNSUPPORTED: return "not supported by this format";
    case LVL_ERR_STOPPED: return "stopped";
    }
    return "unknown status";
}

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

static const char *const profile_names[LVL_PROFILE_COUNT] = {"strict", "game", "salvage"};

bool lvl_profile_parse(const char *name, lvl_profile *out)
{
    for (int i = 0; i < LVL_PROFILE_COUNT; i++) {
        if (strcmp(name, profile_names[i]) == 0) {
            *out = (lvl_profile)i;
            return true;
        }
    }
    return false;
}

const char *lvl_profile_name(lvl_profile profile)
{
    return profile_names[profile];
}

static const char *const codepage_names[LVL_CP_COUNT] = {"windows-1252", "windows-1250", "windows-1251",
                                                         "utf-8"};

bool lvl_codepage_parse(const char *name, lvl_codepage *out)
{
    static const struct {
        const char *alias;
        lvl_codepage page;
    } aliases[] = {{"cp1252", LVL_CP_1252}, {"1252", LVL_CP_1252},   {"cp1250", LVL_CP_1250},
                   {"1250", LVL_CP_1250},   {"cp1251", LVL_CP_1251}, {"1251", LVL_CP_1251},
                   {"utf8", LVL_CP_UTF8}};

    for (int i = 0; i < LVL_CP_COUNT; i++) {
        if (strcmp(name, codepage_names[i]) == 0) {
            *out = (lvl_codepage)i;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(name, aliases[i].alias) == 0) {
            *out = aliases[i].page;
            return true;
        }
    }
    return false;
}

const char *lvl_codepage_name(lvl_codepage page)
{
    return codepage_names[page];
}
