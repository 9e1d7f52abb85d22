/*
 * base/info.c: builds the tree of facts about a document.
 */
#include "base/arena.h"
#include "base/text.h"
#include "base/format.h"
#include "base/info.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 8 };

struct lvl_info {
    const lvl_ctx *ctx;
    lvl_codepage codepage; /* of the texts that formats add */
    lvl_arena arena;
    lvl_fact root;
    lvl_fact *open[DEEPEST];
    unsigned depth;
    bool counts;
};

static lvl_info *info_new(const lvl_ctx *ctx, lvl_codepage codepage, bool counts)
{
    lvl_info *info = lvl_mem_alloc(ctx, sizeof *info);
    if (!info)
        return NULL;
    memset(info, 0, sizeof *info);
    info->ctx = ctx;
    info->counts = counts;
    info->codepage = codepage;
    lvl_arena_init(&info->arena, ctx);
    info->root.kind = LVL_FACT_GROUP;
    info->open[0] = &info->root;
    return info;
}

void lvl_info_free(lvl_info *info)
{
    if (!info)
        return;
    const lvl_ctx *ctx = info->ctx;
    lvl_arena_free(&info->arena);
    lvl_mem_free(ctx, info);
}

bool lvl_info_wants_counts(const lvl_info *info)
{
    return info->counts;
}

const lvl_fact *lvl_info_root(const lvl_info *info)
{
    return &info->root;
}

void lvl_info_headline(lvl_info *info, const char *text)
{
    info->root.text = lvl_text_of(text);
}

lvl_status lvl_info_status(const lvl_info *info)
{
    return lvl_arena_status(&info->arena, info->arena.failed ? LVL_ERR_MEMORY : LVL_OK);
}

static lvl_fact *add(lvl_info *info, const char *key, const char *label, lvl_fact_kind kind)
{
    lvl_fact *f = lvl_arena_alloc(&info->arena, sizeof *f);
    if (!f)
        return NULL;
    f->key = key;
    f->label = label;
    f->kind = kind;
    lvl_fact *parent = info->open[info->depth];
    if (parent->last)
        parent->last->next = f;
    else
        parent->first = f;
    parent->last = f;
    return f;
}

static void set_text(lvl_info *info, lvl_fact *f, const void *text, size_t len)
{
    f->text.ptr = lvl_arena_copy(&info->arena, text, len);
    f->text.len = f->text.ptr ? len : 0;
}

void lvl_info_text(lvl_info *info, const char *key, const char *label, lvl_text text)
{
    lvl_fact *f = add(info, key, label, LVL_FACT_TEXT);
    lvl_buffer utf8 = {0};

    if (!f)
        return;
    lvl_text_to_utf8(&utf8, info->codepage, text);
    if (utf8.status == LVL_OK)
        set_text(info, f, utf8.data, utf8.len);
    else
        info->arena.failed = true;
    lvl_buffer_free(&utf8);
}

void lvl_info_string(lvl_info *info, const char *key, const char *label, const char *fmt, ...)
{
    lvl_fact *f = add(info, key, label, LVL_FACT_TEXT);
    char buf[512];
    va_list args;

    if (!f)
        return;
    va_start(args, fmt);
    int n = vsnprintf(buf, sizeof buf, fmt, args);
    va_end(args);
    set_text(info, f, buf, n < 0 ? 0 : (size_t)n < sizeof buf ? (size_t)n : sizeof buf - 1);
}

void lvl_info_int(lvl_info *info, const char *key, const char *label, int64_t number, const char *unit)
{
    lvl_fact *f = add(info, key, label, LVL_FACT_INT);

    if (!f)
        return;
    f->number = number;
    f->unit = unit;
}

void lvl_info_bool(lvl_info *info, const char *key, const char *label, bool value)
{
    lvl_fact *f = add(info, key, label, LVL_FACT_BOOL);

    if (f)
        f->number = value;
}

void lvl_info_open(lvl_info *info, const char *key, const char *label, bool list)
{
    lvl_fact *f = add(info, key, label, list ? LVL_FACT_LIST : LVL_FACT_GROUP);

    /* without memory, or too deep: further additions go to the group above, and lvl_doc_info fails */
    if (!f || info->depth + 1 == DEEPEST) {
        info->arena.failed = true;
        return;
    }
    info->open[++info->depth] = f;
}

void lvl_info_close(lvl_info *info)
{
    if (info->depth)
        info->depth--;
}

lvl_status lvl_doc_info(const lvl_doc *doc, const struct lvl_art *art, bool counts, lvl_info **out)
{
    lvl_info *info = *out = info_new(doc->ctx, doc->codepage, counts);
    lvl_status status = info ? LVL_OK : LVL_ERR_MEMORY;

    if (status == LVL_OK && doc->format->calls->info)
        status = doc->format->calls->info(doc, info, art);
    if (status == LVL_OK)
        status = lvl_info_status(info);
    if (status != LVL_OK) {
        lvl_info_free(info);
        *out = NULL;
    }
    return status;
}
