/*
 * base/info.c: builds the tree of facts about a document.
 */
#include "base/arena.h"
#include "base/text.h"
#include "base/format.h"
#include "base/info.h"
#include "base/record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 8 };

struct lvl_info {
    const lvl_ctx *ctx;
    lvl_codepage codepage; /* code page of texts that formats add */
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

    /* out of memory, or too deep: further additions go to the parent group, and lvl_doc_info fails */
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

/* ---- fields ------------------------------------------------------------------------------------------ */

static uint32_t count_lines(lvl_text text)
{
    uint32_t n = text.len != 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

static void add_int(lvl_info *info, const char *key, const char *label, const lvl_field *f, int64_t value)
{
    char flags[160];

    if (f->flags & LVL_F_FLAGS) {
        lvl_flags_text(f, value, flags, sizeof flags);
        lvl_info_string(info, key, label, "%s", flags);
    } else if (f->names) {
        const char *name = lvl_name_of(f->names, value);
        lvl_info_string(info, key, label, "%s", name ? name : "unknown");
    } else if (f->max == 1) {
        lvl_info_bool(info, key, label, value != 0);
    } else {
        lvl_info_int(info, key, label, value, f->unit);
    }
}

static void add_text(lvl_info *info, const char *key, const char *label, const lvl_field *f, lvl_text text)
{
    /* the text in a slot ends at a NUL; some formats pad slots with blanks */
    if ((f->flags & LVL_F_SLOT) && text.len && memchr(text.ptr, 0, text.len))
        text.len = strlen(text.ptr);
    while ((f->flags & LVL_F_SLOT) && text.len && text.ptr[text.len - 1] == ' ')
        text.len--;
    if (f->flags & LVL_F_SIGNATURE)
        lvl_info_bool(info, key, label, text.len != 0);
    else if (f->flags & LVL_F_LINES)
        lvl_info_int(info, key, label, count_lines(text), "lines");
    else
        lvl_info_text(info, key, label, text);
}

static void add_cells(lvl_info *info, const char *key, const char *label, const lvl_field *f,
                      const lvl_cells *cells)
{
    const char *unit = f->unit ? f->unit : "px";

    lvl_info_string(info, key, label, "%u x %u %s", cells->width, cells->height, unit);
    lvl_info_int(info, "width", NULL, cells->width, unit);
    lvl_info_int(info, "height", NULL, cells->height, unit);
}

static bool is_filled(const void *record, const lvl_field *f)
{
    switch (f->kind) {
    case LVL_INT: return lvl_get_int(record, f) != 0;
    case LVL_TEXT: return lvl_get_text(record, f).len != 0;
    case LVL_BYTES: return lvl_get_bytes(record, f).len != 0;
    case LVL_LIST: return lvl_list_count(record, f) != 0;
    default: return true;
    }
}

void lvl_info_field(lvl_info *info, const void *record, const lvl_field *field)
{
    const lvl_summary *s = &field->summary;
    const bool filled = is_filled(record, field);
    const bool for_people = s->show == LVL_SHOW_KEY    ? filled
                            : s->show == LVL_SHOW_MANY ? lvl_list_count(record, field) > 1
                                                       : true;
    const char *key = s->key ? s->key : field->name, *label = for_people ? s->label : NULL;

    if (s->show == LVL_SHOW_FILLED && !filled)
        return;
    switch (field->kind) {
    case LVL_INT: add_int(info, key, label, field, lvl_get_int(record, field)); break;
    case LVL_TEXT: add_text(info, key, label, field, lvl_get_text(record, field)); break;
    case LVL_BYTES: lvl_info_int(info, key, label, (int64_t)lvl_get_bytes(record, field).len, "bytes"); break;
    case LVL_LIST: lvl_info_int(info, key, label, lvl_list_count(record, field), field->unit); break;
    case LVL_CELLS: add_cells(info, key, label, field, lvl_get_cells(record, field)); break;
    default: break; /* reals and records: no table marks them for the summary */
    }
}

/* The items of a list, each as a group. */
static void add_items(lvl_info *info, const void *record, const lvl_field *f, lvl_info_hook *hook, void *user)
{
    const uint32_t count = lvl_list_count(record, f);

    lvl_info_open(info, f->name, count ? f->summary.items : NULL, true);
    for (uint32_t i = 0; i < count; i++) {
        lvl_info_open(info, NULL, "", false);
        lvl_info_fields(info, f->table, lvl_list_item(record, f, i), hook, user);
        lvl_info_close(info);
    }
    lvl_info_close(info);
}

void lvl_info_fields(lvl_info *info, const lvl_table *table, const void *record, lvl_info_hook *hook,
                     void *user)
{
    for (int order = -1; order <= 1; order++) {
        for (uint32_t i = 0; i < table->field_count; i++) {
            const lvl_field *f = &table->fields[i];
            if (f->summary.show == LVL_SHOW_NOT || f->summary.order != order ||
                !lvl_field_present(record, f) || (hook && hook(info, table, record, f, user)))
                continue;
            lvl_info_field(info, record, f);
            if (f->kind == LVL_LIST && f->summary.items)
                add_items(info, record, f, hook, user);
        }
    }
}

lvl_status lvl_doc_info(const lvl_doc *doc, const struct lvl_art *art, bool counts, lvl_info **out)
{
    lvl_info *info = *out = info_new(doc->ctx, doc->codepage, counts);
    lvl_status status = info ? LVL_OK : LVL_ERR_MEMORY;

    if (status == LVL_OK && doc->format->calls->info)
        status = doc->format->calls->info(doc, info, art);
    else if (status == LVL_OK)
        lvl_info_fields(info, doc->format->table, doc->root, NULL, NULL);
    if (status == LVL_OK)
        status = lvl_info_status(info);
    if (status != LVL_OK) {
        lvl_info_free(info);
        *out = NULL;
    }
    return status;
}
